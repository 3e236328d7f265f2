import RealmQuery
import RealmStorage
import RealmText
import TestSupport
import Testing

/// Digits that could only be rounded to infinity are not a number, anywhere in a query.
@Suite struct NumberRangeTests {
  private static let tooLarge = [
    "1e400", "-1e400", "1e309", "123456789e999999999999", "1" + String(repeating: "0", count: 400),
  ]

  private static func realm() throws -> QueryRealm {
    try QueryRealm(
      schema: #"[{"name":"A","properties":{"d":"double","f":"float","c":"decimal128","m":"mixed","l":"double[]"}}]"#,
      data: #"{"A":[{"d":"Infinity","f":"Infinity","c":"1E+400","m":{"$numberDecimal":"1E+400"},"l":[]}]}"#)
  }

  @Test("literals", arguments: ["d", "f", "l"]) func literals(_ property: String) throws {
    let realm = try Self.realm()
    let table = try realm.table("A")
    for digits in Self.tooLarge {
      for text in [
        "\(property) == \(digits)", "\(property) > \(digits)", "\(property) IN {\(digits)}",
        "\(property) == \"\(digits)\"",
      ] {
        #expect(throws: QueryError.self, "\(text)") { try Query(text, of: table, in: realm.snapshot) }
      }
    }
    #expect(try Query("\(property) == inf", of: table, in: realm.snapshot).count().count == (property == "l" ? 0 : 1))
    #expect(throws: QueryError.self) { try Query("f < 1e40", of: table, in: realm.snapshot) }
    #expect(throws: QueryError.self) { try Query("f < 1e40f", of: table, in: realm.snapshot) }
    #expect(throws: QueryError.self) { try Query("f < '1e40'", of: table, in: realm.snapshot) }
    #expect(throws: QueryError.self) { try Query("c < 1e7000", of: table, in: realm.snapshot) }
    #expect(throws: QueryError.self) { try Query("c < '1e7000'", of: table, in: realm.snapshot) }
    #expect(try Query("d > 1e40", of: table, in: realm.snapshot).count().count == 1)
    // It fits in a decimal, and the reference takes infinity.
    #expect(try Query("c == 1e400", of: table, in: realm.snapshot).count().count == 1)
    #expect(try Query("d == 1e400", of: table, in: realm.snapshot, dialect: .reference).count().count == 1)
    #expect(try Query("f == 1e40", of: table, in: realm.snapshot, dialect: .reference).count().count == 1)
  }

  @Test("arguments") func arguments() throws {
    for digits in Self.tooLarge where digits.contains("e") {
      for json in [
        "[\(digits)]", #"[{"$numberDouble":"\#(digits)"}]"#, #"[{"$float":"\#(digits)"}]"#, "[[1,\(digits)]]",
      ] {
        #expect(throws: QueryError.self, "\(json)") { try QueryArgument.arguments(json: json) }
      }
    }
    #expect(throws: QueryError.self) { try QueryArgument.arguments(json: #"[{"$float":"1e40"}]"#) }
    #expect(try QueryArgument.arguments(json: #"[{"$numberDouble":"-Infinity"}]"#) == [.value(.double(-.infinity))])
    // As an argument it is a decimal, which compares with a double by its value.
    let realm = try Self.realm()
    let table = try realm.table("A")
    for (text, count) in [("d > $0", 1), ("c == $0", 1), ("m == $0", 1), ("d < $0", 0)] {
      let query = try Query(text, arguments: [QueryArgument(text: "1e400")], of: table, in: realm.snapshot)
      #expect(try query.count().count == count, "\(text)")
    }
  }

  @Test("texts are read in the range of their type, or not at all") func reading() {
    for digits in Self.tooLarge {
      #expect(Double(textInRange: digits) == nil)
      #expect(Float(textInRange: digits) == nil)
    }
    #expect(Float(textInRange: "1e40") == nil && Double(textInRange: "1e40") == 1e40)
    #expect(Double(textInRange: "-inf") == -.infinity && Float(textInRange: "Infinity") == .infinity)
    #expect(Double(textInRange: "1e-400") == 0 && Double(textInRange: "x") == nil)
    #expect(
      DecimalReading(text: "1e6145")?.isBeyondRange == true && DecimalReading(text: "inf")?.isBeyondRange == false)
  }
}
