import Foundation
import TestSupport
import Testing

/// Numbers that other types would change: inference, sets, signs of zero, ranges of any size.
@Suite struct NumberTests {
  private struct Place {
    let folder: TemporaryFolder
    private var tool = Tool()

    init() throws {
      folder = try TemporaryFolder()
      tool.folder = folder.path
    }

    func write(_ name: String, _ text: String) throws { try folder.write(name, Array(text.utf8)) }

    @discardableResult
    func run(_ words: [String], status: Int32 = 0) throws -> Tool.Outcome {
      let outcome = try tool.run(words)
      #expect(outcome.status == status, "\(words): \(outcome.errors)")
      return outcome
    }

    /// A realm made of a document by a schema, each property's type by its name.
    func create(_ types: [String: String], _ objects: String) throws {
      let properties = types.map { "\"\($0.key)\":\"\($0.value)\"" }.joined(separator: ",")
      try write("model.json", "[{\"name\":\"Item\",\"properties\":{\(properties)}}]")
      try write("data.json", "{\"Item\":[\(objects)]}")
      try run(["import", "a.realm", "data.json", "--create", "--schema", "model.json"])
      _ = try LeftRealm(folder.path("a.realm"))
    }

    func value(_ property: String) throws -> String {
      try run(["query", "a.realm", "Item", "--columns", property, "--format", "csv"]).outputText
        .split(separator: "\n").dropFirst().joined(separator: "\n")
    }
  }

  /// Oracle: Python, `Decimal(repr(float(n))) == Decimal(n)` for every number of the column.
  @Test(
    "a property is a double only if every number comes back",
    arguments: [
      (["1.50", "0.1"], "double"), (["66.33146316081592"], "decimal128"), (["9007199254740993.0"], "decimal128"),
      (["9007199254740993", "0.12345678901234567890"], "decimal128"), (["9007199254740992", "0.5"], "double"),
      (["9007199254740993"], "int"), (["1e-400", "1"], "decimal128"), (["0.073660224830986984"], "decimal128"),
    ])
  func inference(_ numbers: [String], _ type: String) throws {
    let place = try Place()
    try place.write("a.csv", "n\n" + numbers.joined(separator: "\n") + "\n")
    try place.write("a.json", "{\"a\":[" + numbers.map { "{\"n\":\($0)}" }.joined(separator: ",") + "]}")
    for source in ["a.csv", "a.json"] {
      let schema = try place.run(["schema", "infer", source]).outputText
      #expect(schema.contains("\"\(type)\""), "\(source): \(schema)")
    }
  }

  @Test("a warning counts the numbers that the type of a property rounds") func roundedNumbers() throws {
    let place = try Place()
    let types = #"{"d":"double","f":"float","l":"double[]","m":"decimal128"}"#
    try place.write("model.json", #"[{"name":"Item","properties":\#(types)}]"#)
    let objects = #"{"d":9007199254740993,"f":16777217,"l":[0.1,66.33146316081592],"m":66.33146316081592}"#
    try place.write("data.json", #"{"Item":[\#(objects),{"d":1.50,"f":0.1,"l":[0.10000000000000001],"m":1}]}"#)
    for command in [["--create", "--schema", "model.json"], []] {
      let errors = try place.run(["import", "a.realm", "data.json"] + command).errors
      // Oracle: Python, as above; the nearest float by `struct`.
      for property in ["d", "f", "l"] { #expect(errors.contains("'Item.\(property)': 1 number has"), "\(errors)") }
      #expect(!errors.contains("Item.m"))
    }
    _ = try LeftRealm(place.folder.path("a.realm"))
  }

  @Test("-0.0 and 0.0 replace each other, in both directions and in every kind of property") func zeros() throws {
    let types = ["i": "int", "s": "double", "d": "double{}", "t": "double<>", "l": "double[]"]
    for (old, new) in [("0.0", "-0.0"), ("-0.0", "0.0")] {
      func object(_ zero: String) -> String {
        #"{"i":1,"s":\#(zero),"d":{"k":\#(zero)},"t":[\#(zero)],"l":[\#(zero)]}"#
      }
      let expected = try ["s", "d", "t", "l"].map { property in
        let place = try Place()
        try place.create(types, object(new))
        return try place.value(property)
      }
      for mode in ["upsert", "replace"] {
        let place = try Place()
        try place.create(types, object(old))
        try place.write("new.json", "{\"Item\":[\(object(new))]}")
        try place.run(["import", "a.realm", "new.json", "--mode", mode, "--match", "Item.i", "--no-backup"])
        #expect(try ["s", "d", "t", "l"].map(place.value) == expected)
        _ = try LeftRealm(place.folder.path("a.realm"))
      }
      let place = try Place()
      try place.create(types, object(old))
      try place.run(
        ["update", "a.realm", "Item", "--set", "s=\(new)", "--set", "d[\"k\"]=\(new)", "--set", "t=[\(new)]"]
          + ["--set", "l=[\(new)]", "--all", "--yes", "--no-backup"])
      #expect(try ["s", "d", "t", "l"].map(place.value) == expected)
    }
  }

  /// Oracle: the engine's order of insertion; see `OrderTests`.
  @Test("a set of Mixed takes a float, a double and a decimal that equals both") func mixedSet() throws {
    let place = try Place()
    try place.create(["s": "mixed<>"], #"{"s":[{"$float":"0.1"},{"$numberDecimal":"0.1"},0.1]}"#)
    try place.run(["compact", "a.realm", "--rebuild", "-o", "b.realm"])
    try place.run(["diff", "a.realm", "b.realm"])
    _ = try LeftRealm(place.folder.path("b.realm"))
  }

  /// Oracle: the bins are ascending, and what is counted in them and outside is what Python counts: all of it.
  @Test(
    "values of any size have bins",
    arguments: [
      ("double", ["1e308", "-1e308"]), ("double", ["1.7976931348623157e308", "-1.7976931348623157e308", "0.5"]),
      ("double", ["5e-324", "1e-320", "9e-320"]), ("decimal128", ["\"1E-6000\"", "\"1E-400\"", "\"2\""]),
      ("decimal128", ["\"1E-310\"", "\"7E-310\""]), ("decimal128", ["\"9E+6000\"", "\"1\""]), ("int", ["-1", "1"]),
      ("int", ["-9223372036854775808", "9223372036854775807"]),
      ("date", ["-9223372036854775808", "9223372036854775807"].map { #"{"$date":{"$numberLong":"\#($0)"}}"# }),
      ("date", [#""0000-01-01T00:00:00Z""#, #""9999-12-31T23:59:59Z""#]),
    ])
  func bins(_ type: String, _ values: [String]) throws {
    let place = try Place()
    try place.create(["v": type], values.map { "{\"v\":\($0)}" }.joined(separator: ","))
    for count in [1, 2, 10] {
      let output = try place.run(["summarize", "a.realm", "Item", "--bins", "\(count)", "--json"]).output
      let report = try #require(try JSONSerialization.jsonObject(with: Data(output)) as? [String: Any])
      let summaries = try #require(report["summaries"] as? [[String: Any]])
      let column = try #require((summaries.first?["columns"] as? [[String: Any]])?.first)
      let bins = try #require(column["bins"] as? [[String: Any]])
      let counted = bins.reduce(0) { $0 + ($1["occurrences"] as? Int ?? 0) }
      #expect(counted + (column["outsideBins"] as? Int ?? 0) == values.count, "\(column)")
      // Of dates the years.
      let limits = bins.flatMap { [$0["binFrom"], $0["binTo"]] }.compactMap { limit in
        (limit as? NSNumber)?.doubleValue
          ?? (limit as? String).flatMap { $0.prefixMatch(of: /[+-]?[0-9]+/) }.flatMap { Double($0.0) }
      }
      #expect(limits.count == 2 * bins.count && limits == limits.sorted(), "\(bins)")
      #expect(bins.count <= 2 * count + 2, "\(bins)")
    }
  }
}
