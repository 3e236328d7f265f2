import RealmMigration
import RealmStorage
import TestSupport
import Testing

/// Formulas compare values as queries do.
@Suite struct FormulaComparisonTests {
  private static let schema = """
    [{"name":"T","properties":{"i":"int","d":"double","far":"double","odd":"double","m":"decimal128","big":"decimal128",
      "endless":"decimal128","list":"double[]","hit":"bool"}}]
    """
  private static let data = """
    {"T":[{"i":9007199254740993,"d":9007199254740992.0,"far":{"$numberDouble":"Infinity"},
     "odd":{"$numberDouble":"NaN"},"m":"0.1","big":"4.01E+2082","endless":"Infinity",
     "list":[{"$numberDouble":"NaN"},5],"hit":false}]}
    """

  /// A formula, a query, and the result of both.
  @Test(arguments: [
    ("max(list) == 5", "list.@max == 5", true), ("min(list) == 5", "list.@min == 5", true),
    ("max(list) > 5", "list.@max > 5", false),
    ("big < far", "big < far", true), ("far > big", "far > big", true), ("big < endless", "big < endless", true),
    ("big == far", "big == far", false), ("endless == far", "endless == far", true),
    ("-big > -far", "far >= big", true),
    ("i == 9007199254740992.0", "i == 9007199254740992.0", false), ("i == d", "i == d", false),
    ("9007199254740993 == 9007199254740992.0", "d == i", false), ("i > d", "i > d", true),
    ("d == 9007199254740992", "d == 9007199254740992", true), ("i != d", "i != d", true),
    ("m == 0.1", "m == 0.1", true), ("odd == odd", "odd == nan", false), ("odd != 5", "odd != 5", true),
    ("odd < 5", "odd < 5", false), ("odd >= 5", "odd >= 5", false),
  ])
  func sameAnswers(_ formula: String, _ query: String, _ isTrue: Bool) throws {
    let calculated = try PlanCase(Self.schema, Self.data)
    try calculated.run("set: { class: T, values: { hit: { expr: '\(formula)' } } }")
    #expect(try calculated.values("T", "hit") == ["\(isTrue)"])
    let asked = try PlanCase(Self.schema, Self.data)
    let outcome = try asked.run("set: { class: T, where: '\(query)', values: { hit: true } }")
    #expect(try outcome.operation(0).objects == (isTrue ? 1 : 0))
  }
}
