import RealmQuery
import RealmStorage
import RealmText
import TestSupport
import Testing

/// Summaries of columns, compared with results computed value by value.
@Suite struct SummaryTests {
  private static func realm(_ properties: String, _ objects: [String]) throws -> QueryRealm {
    try QueryRealm(
      schema: #"[{"name":"A","properties":{\#(properties)}}]"#, data: #"{"A":[\#(objects.joined(separator: ","))]}"#)
  }

  private static func summary(
    _ realm: QueryRealm, _ options: SummaryOptions = SummaryOptions(threadCount: 2), among keys: ObjectKeySet? = nil
  ) throws -> ClassSummary {
    let table = try realm.table("A")
    let columns = table.schema.properties.indices.map { SummaryColumn.property($0) }
    let summary = try ClassSummary(of: table, in: realm.snapshot, columns, among: keys, options)
    #expect(summary.damage.isEmpty)
    return summary
  }

  private static func counts(_ column: ColumnSummary) -> [String] {
    column.frequencies.map { "\($0.value): \($0.count.value)" }
  }

  @Test func numbersAreOneWhateverTheirDigits() throws {
    let realm = try Self.realm(
      #""d":"double","n":"decimal128","m":"mixed""#,
      [
        #"{"d":-0.0,"n":{"$numberDecimal":"1.00"},"m":1}"#, #"{"d":0.0,"n":{"$numberDecimal":"1"},"m":1.0}"#,
        #"{"d":2.5,"n":{"$numberDecimal":"NaN"},"m":{"$numberDecimal":"1.0"}}"#,
        #"{"d":"NaN","n":{"$numberDecimal":"-3.5"},"m":"1"}"#,
        #"{"d":"Infinity","n":{"$numberDecimal":"2E+3"},"m":null}"#,
      ])
    let columns = try Self.summary(realm).columns
    #expect(columns.map(\.distinct.value) == [4, 4, 2])
    #expect(columns.map(\.notANumbers) == [1, 1, 0])
    #expect(columns.map(\.nulls) == [0, 0, 1])
    #expect(columns[0].least == .double(0) && columns[0].greatest == .double(.infinity))
    #expect(columns[1].least == .decimal(try #require(Decimal128(text: "-3.5"))))
    #expect(columns[1].greatest == .decimal(try #require(Decimal128(text: "2E+3"))))
    #expect(columns[1].frequencies.first?.value == .decimal(try #require(Decimal128(text: "1.00"))))
    #expect(columns[2].frequencies.first?.value == .int(1) && columns[2].frequencies.first?.count.value == 3)
    #expect(columns[2].types.map { "\($0.name) \($0.count)" } == ["decimal128 1", "double 1", "int 1", "string 1"])
    #expect(columns[0].histogram?.outside == 2)
  }

  @Test func noNumberIsNotAveraged() throws {
    let realm = try Self.realm(
      #""m":"mixed","d":"double""#,
      [
        #"{"m":1.5,"d":1.5}"#, #"{"m":{"$numberDouble":"NaN"},"d":"NaN"}"#,
        #"{"m":{"$numberDecimal":"NaN"},"d":2.5}"#, #"{"m":2.5,"d":2}"#,
      ])
    let columns = try Self.summary(realm).columns
    #expect(columns.map(\.notANumbers) == [2, 1])
    #expect(columns[0].mean == .decimal(try #require(Decimal128(text: "2.0"))) && columns[1].mean == .double(2))
  }

  @Test func theMeanIsTheNearestDouble() throws {
    let realm = try Self.realm(
      #""i":"int","d":"double""#,
      [
        #"{"i":91052456437776821,"d":0.647}"#, #"{"i":1,"d":0.005}"#, #"{"i":0,"d":7.705}"#,
      ])
    let columns = try Self.summary(realm).columns
    #expect(columns.map(\.mean) == [.double(3.035081881259227e+16), .double(2.7856666666666667)])
    let ties = try Self.realm(
      #""i":"int","d":"double""#,
      [
        #"{"i":9007199254740992,"d":4}"#, #"{"i":9007199254740993,"d":4.440892098500626e-16}"#,
        #"{"i":9007199254740994,"d":1e-300}"#, #"{"i":9007199254740993,"d":0}"#,
      ])
    #expect(
      try Self.summary(ties).columns.map(\.mean) == [.double(9_007_199_254_740_992), .double(1.0000000000000002)])
  }

  @Test func theLeastValueIsInTheFirstBin() throws {
    let realm = try Self.realm(#""d":"double""#, [#"{"d":-5e-324}"#, #"{"d":0}"#, #"{"d":1}"#])
    let bins = try #require(try Self.summary(realm).columns[0].histogram).bins
    let lower: Double? = if case .double(let limit)? = bins.first?.lower { limit } else { nil }
    #expect(lower.map { $0 <= -Double.leastNonzeroMagnitude } == true && bins[0].count == 1, "\(bins)")
  }

  @Test func keysOfAnEmptyDictionaryAreAnEmptyList() throws {
    let realm = try Self.realm(#""d":"int{}""#, [#"{"d":{}}"#, #"{"d":{"a":1}}"#])
    let columns = try QueryColumns(["d.@keys", "d.@values"], of: realm.table("A"), in: realm.snapshot)
    let reader = columns.reader()
    var rows: [[Value]] = []
    try realm.table("A").forEachBatch(in: realm.snapshot) { batch in
      for row in 0..<batch.count { rows.append(try reader.values(of: batch, row: row)) }
    }
    #expect(rows == [[.list([]), .list([])], [.list([.string("a")]), .list([.int(1)])]])
  }

  /// A path that names one element of each collection has one value, which is missing where the element is.
  @Test(
    arguments: [
      ("l[0]", .int(5), .null), ("l[LAST]", .int(7), .null), ("l[2]", .null, .null), ("d['a']", .int(1), .null),
      ("m.k[1]", .int(4), .null), ("m.k[*]", .list([.int(3), .int(4)]), .list([])),
      ("b.l.@count", .int(2), .int(0)), ("b.l[0]", .int(5), .null), ("o[0].l.@sum", .int(12), .null),
      ("o[FIRST].o.@count", .int(1), .null), ("o.o.@count", .list([.int(1)]), .list([])),
      ("o.l.@sum", .list([.int(12)]), .list([])),
    ] as [(String, Value, Value)])
  func oneElementIsNoList(_ path: String, _ first: Value, _ second: Value) throws {
    let realm = try QueryRealm(
      schema: """
        [{"name":"A","primaryKey":"id","properties":{
          "id":"int","l":"int?[]","d":"int{}","m":"mixed","b":"A","o":"A[]"}}]
        """,
      data: #"{"A":[{"id":9,"l":[5,7],"d":{"a":1},"m":{"k":[3,4]},"b":9,"o":[9]},{"id":8}]}"#)
    let table = try realm.table("A")
    let columns = try QueryColumns([path], of: table, in: realm.snapshot)
    let reader = columns.reader()
    var values: [Value] = []
    try table.forEachBatch(in: realm.snapshot) { batch in
      for row in 0..<batch.count { values.append(try reader.values(of: batch, row: row)[0]) }
    }
    #expect(values == [first, second])
    let isList = if case .list = first { true } else { false }
    #expect(columns.isList(0) == isList)
  }

  @Test func collectionsCountWithTheirElements() throws {
    let realm = try Self.realm(
      #""l":"int?[]","s":"string<>","t":"mixed{}""#,
      [
        #"{"l":[1,2,2,null],"s":["a","b"],"t":{"x":1,"y":"z"}}"#, #"{"l":[],"s":["a"],"t":{}}"#,
        #"{"l":[2,7],"s":[],"t":{"x":1}}"#,
      ])
    let columns = try Self.summary(realm).columns
    let sizes = try columns.map { try #require($0.sizes) }
    #expect(
      sizes.map { [$0.collections, $0.empty, $0.least, $0.greatest, $0.total] } == [
        [3, 1, 0, 4, 6], [3, 1, 0, 2, 3], [3, 1, 0, 2, 3],
      ])
    #expect(columns.map(\.values) == [5, 3, 3])
    #expect(Self.counts(columns[0]).first == "int(2): 3")
    #expect(columns[0].mean == .double(2.8))
    #expect(columns[1].least == "a" && columns[1].greatest == "b")
    #expect(columns[2].distinct.value == 2)
  }

  @Test func embeddedObjectsAreTheSameByContentAndLinksByTarget() throws {
    let realm = try QueryRealm(
      schema: #"""
        [{"name":"A","properties":{"e":"E","f":"E[]","b":"B"}},{"name":"B","primaryKey":"id","properties":{"id":"int"}},
         {"name":"E","embedded":true,"properties":{"x":"int","y":"string?"}}]
        """#,
      data: #"""
        {"B":[{"id":7},{"id":8}],
         "A":[{"e":{"x":1,"y":"q"},"f":[{"x":1,"y":"q"},{"x":2,"y":null}],"b":8},{"e":{"x":1,"y":"q"},"f":[],"b":8},
              {"e":null,"f":[{"x":1,"y":"r"}],"b":7}]}
        """#)
    let columns = try Self.summary(realm).columns
    #expect(columns.map(\.distinct.value) == [1, 3, 2])
    #expect(columns[0].frequencies.map(\.count.value) == [2, 1] && columns[0].nulls == 1)
    #expect(columns.map(\.least) == [.null, .null, .null])
  }

  @Test func textsOfAnyLengthAreToldApart() throws {
    let texts = (0..<400).map { String(repeating: "é", count: $0 % 20) + "\($0 % 50)" }
    let realm = try Self.realm(#""s":"string""#, texts.map { #"{"s":"\#($0)"}"# })
    let column = try Self.summary(realm, SummaryOptions(top: 1000)).columns[0]
    var expected: [String: Int] = [:]
    for text in texts { expected[text, default: 0] += 1 }
    #expect(column.distinct.value == expected.count && !column.distinct.isEstimate)
    var found: [String: Int] = [:]
    for frequency in column.frequencies {
      found[frequency.value.stringValue ?? "", default: 0] += frequency.count.value
    }
    #expect(found == expected)
  }

  @Test func beyondTheBoundFiguresAreEstimatesAndSaidToBe() throws {
    var generator = SeededGenerator(seed: 3)
    // One in eight is a 5; the others are mostly different.
    let numbers = (0..<30_000).map { _ in
      Int.random(in: 0..<8, using: &generator) == 0 ? 5 : Int.random(in: 100..<1_000_000, using: &generator)
    }
    let texts = numbers.map { #"{"i":\#($0),"s":"a rather long text \#($0)"}"# }
    let realm = try Self.realm(#""i":"int","s":"string""#, texts)
    let exact = try Self.summary(realm).columns
    let bounded = try Self.summary(realm, SummaryOptions(threadCount: 2, top: 1, mostExact: 500)).columns
    let again = try Self.summary(realm, SummaryOptions(threadCount: 1, top: 1, mostExact: 500)).columns
    for (index, column) in bounded.enumerated() {
      let truth = exact[index].distinct.value
      #expect(column.distinct.isEstimate && !exact[index].distinct.isEstimate)
      #expect(abs(column.distinct.value - truth) * 50 < truth, "\(column.distinct.value) of \(truth)")
      #expect(column.distinct == again[index].distinct)
      #expect(column.frequencies.first?.value == exact[index].frequencies.first?.value)
      #expect(
        (column.least, column.greatest, column.mean) == (exact[index].least, exact[index].greatest, exact[index].mean))
    }
    let histogram = try #require(bounded[0].histogram)
    let truth = try #require(exact[0].histogram)
    #expect(histogram.isEstimate && !truth.isEstimate && histogram.bins.count == truth.bins.count)
    #expect(histogram.bins.reduce(0) { $0 + $1.count } == numbers.count)
    for (bin, other) in zip(histogram.bins, truth.bins) { #expect(abs(bin.count - other.count) <= 60) }
  }

  @Test(arguments: [
    ["0"], ["-9223372036854775808", "9223372036854775807"], ["1", "2", "3"], ["-7", "13", "1000003"],
    ["9223372036854775806", "9223372036854775807"],
  ]) func binsOfIntsHoldAll(numbers: [String]) throws {
    let realm = try Self.realm(#""i":"int""#, numbers.map { #"{"i":\#($0)}"# })
    let histogram = try #require(try Self.summary(realm).columns[0].histogram)
    #expect(histogram.bins.count <= 22)
    #expect(histogram.outside == 0)
    for (index, bin) in histogram.bins.enumerated() {
      let (lower, upper) = (try #require(bin.lower.intValue), try #require(bin.upper.intValue))
      let isLast = index == histogram.bins.count - 1
      let inside = numbers.compactMap { Int64($0) }.count { $0 >= lower && ($0 < upper || isLast && $0 == upper) }
      #expect(bin.count == inside, "\(lower) \(upper)")
    }
  }

  @Test(arguments: [
    ["0.0"], ["0.1", "0.2", "0.3"], ["-1.7976931348623157e308", "1.7976931348623157e308"], ["5e-324", "1e-323"],
    ["1e15", "1000000000000000.125"], ["-1e-5", "3.25", "17.5"],
  ]) func binsOfDoublesHoldAll(numbers: [String]) throws {
    let realm = try Self.realm(#""d":"double""#, numbers.map { #"{"d":\#($0)}"# })
    let histogram = try #require(try Self.summary(realm).columns[0].histogram)
    #expect(histogram.bins.reduce(0) { $0 + $1.count } == numbers.count)
    for (bin, next) in zip(histogram.bins, histogram.bins.dropFirst()) { #expect(bin.upper == next.lower) }
    for (index, bin) in histogram.bins.enumerated() {
      let (lower, upper) = (try #require(bin.lower.doubleValue), try #require(bin.upper.doubleValue))
      let isLast = index == histogram.bins.count - 1
      let inside = numbers.compactMap { Double($0) }.count { $0 >= lower && ($0 < upper || isLast) }
      #expect(bin.count == inside, "\(lower) \(upper)")
    }
  }

  @Test(arguments: [
    (["2024-01-31T00:00:00Z", "2024-05-01T00:00:00Z"], "2024-01-29T00:00:00Z"),
    (["2001-05-01T10:00:00Z", "2024-05-01T00:00:00Z"], "2000-01-01T00:00:00Z"),
    (["2024-05-01T10:00:00Z", "2024-05-01T10:00:09.5Z"], "2024-05-01T10:00:00Z"),
    (["1969-12-31T23:59:59.999Z", "1970-01-01T00:00:00.5Z"], "1969-12-31T23:59:59.95Z"),
  ]) func binsOfDatesBeginWhereClocksAndCalendarsDo(dates: [String], first: String) throws {
    let realm = try Self.realm(#""d":"date""#, dates.map { #"{"d":"\#($0)"}"# })
    let histogram = try #require(try Self.summary(realm).columns[0].histogram)
    #expect(histogram.bins.first?.lower.dateValue == Timestamp(text: first))
    #expect(histogram.bins.count <= 22 && histogram.bins.reduce(0) { $0 + $1.count } == dates.count)
  }

  @Test func onlyTheObjectsThatAreMeantCount() throws {
    let realm = try Self.realm(#""i":"int""#, (0..<1000).map { #"{"i":\#($0)}"# })
    let keys = try Query("i >= 990", of: realm.table("A"), in: realm.snapshot).keys().keys
    let summary = try Self.summary(realm, among: ObjectKeySet(keys))
    #expect(summary.objectCount == 10)
    #expect(summary.columns[0].least == 990 && summary.columns[0].mean == .double(994.5))
    let path = try QueryColumns(["i"], of: realm.table("A"), in: realm.snapshot)
    let other = try ClassSummary(of: realm.table("A"), in: realm.snapshot, [.path(path)], among: ObjectKeySet(keys))
    #expect(other.columns[0].least == 990 && other.columns[0].distinct.value == 10)
  }
}
