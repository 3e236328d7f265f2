import RealmMigration
import RealmOpening
import TestSupport
import Testing

@testable import RealmExchange
@testable import RealmRedaction
@testable import RealmStorage
@testable import RealmTools

/// The search at the end: any remainder of a removed value stops the run, wherever it is.
@Suite struct LeakTests {
  /// One part of the redaction.
  enum Part: CaseIterable {
    case texts, data, keys, mixed, lists, embedded, primaryKeys, names, ids
  }

  /// A redaction with a part switched off.
  private struct Leaky: ValueReplacement {
    let redaction: Redaction
    let part: Part

    func values(ofProperty index: Int, of table: Table) -> (any ValueMapping)? {
      let property = table.schema.properties[index]
      let isOff: Bool =
        switch part {
        case .texts: property.type == .string && property.collection == nil && index != table.schema.primaryKeyIndex
        case .data: property.type == .data
        case .lists: property.collection == .list
        case .embedded: table.schema.kind == .embedded
        case .primaryKeys: index == table.schema.primaryKeyIndex
        case .ids: property.type == .uuid
        case .keys, .mixed, .names: false
        }
      guard !isOff, let inner = redaction.values(ofProperty: index, of: table) else { return nil }
      return LeakyValues(inner, keys: part == .keys, values: part == .mixed && property.type == .mixed)
    }

    func renamed(_ schema: TableSchema) -> TableSchema { part == .names ? schema : redaction.renamed(schema) }
  }

  private final class LeakyValues: ValueMapping {
    private let inner: any ValueMapping
    private let leaksKeys: Bool
    private let leaksValues: Bool

    init(_ inner: any ValueMapping, keys: Bool, values: Bool) {
      (self.inner, leaksKeys, leaksValues) = (inner, keys, values)
    }

    func value(_ value: ValueView, of object: ObjectKey, in arena: ByteArena) throws -> ValueView {
      leaksValues ? value : try inner.value(value, of: object, in: arena)
    }

    func key(_ key: BlobView, of object: ObjectKey, in arena: ByteArena) throws -> BlobView {
      leaksKeys ? key : try inner.key(key, of: object, in: arena)
    }
  }

  private static let schema = """
    [{"name":"Person","primaryKey":"id","properties":{"id":"string","bio":"string","photo":"data","tags":"string[]",
      "notes":"int{}","any":"mixed","address":"Address?","uuid":"uuid"}},
     {"name":"Address","embedded":true,"properties":{"street":"string"}}]
    """
  private static let data = #"""
    {"Person":[{"id":"person-0001","bio":"likes trains","photo":"bG9uZyBlbm91Z2g=","tags":["hiking","sailing"],
      "notes":{"visited":1},"any":["nested text",5],"address":{"street":"Long Street 5"},
      "uuid":"01234567-89ab-4def-8123-456789abcdef"}]}
    """#
  private static let rules = """
    rename: true
    classes:
      Person: { id: hash, bio: mask, photo: mask, tags: mask, notes: { noise: 3 }, any: hash, address: keep, uuid: hash }
      Address: { street: mask }
    """

  @Test(arguments: Part.allCases) func whatOnePartLeavesIsFoundBySearching(_ part: Part) throws {
    let source = try PlanCase(Self.schema, Self.data).opened()
    let error = #expect(throws: RedactionError.self) {
      _ = try RedactedRealm(of: source, Self.rules, compares: false) { Leaky(redaction: $0, part: part) }
    }
    guard case .leak = error else {
      Issue.record("\(part): \(String(describing: error))")
      return
    }
  }

  @Test(arguments: Part.allCases) func whatOnePartLeavesIsFoundByComparing(_ part: Part) throws {
    let source = try PlanCase(Self.schema, Self.data).opened()
    #expect(throws: RedactionError.self) {
      _ = try RedactedRealm(of: source, Self.rules) { Leaky(redaction: $0, part: part) }
    }
  }

  @Test func nothingIsFoundWhereNothingLeaks() throws {
    let source = try PlanCase(Self.schema, Self.data).opened()
    let copy = try RedactedRealm(of: source, Self.rules)
    #expect(copy.report.redaction?.soughtCount ?? 0 > 10)
  }

  /// What a value leaves behind when it is changed: in free space and in the history.
  @Test func whatIsInNoValueIsFound() throws {
    let source = try PlanCase(Self.schema, Self.data).opened()
    let copy = try RedactedRealm(of: source, Self.rules)
    let redaction = try Redaction(
      RedactionRules.parse(Array(Self.rules.utf8), path: "rules.yml"), try #require(RedactionKey(RedactedRealm.key)),
      of: source)
    let folder = try TemporaryFolder()
    func prove(_ name: String, compares: Bool = false) throws {
      let opened = try ByteStore.open(.path(folder.path(name)), key: nil)
      var proof = RedactionProof(of: source, RebuildSelection(all: source), redaction)
      proof.compares = compares
      _ = try proof.run(on: opened)
    }
    try folder.write("a.realm", copy.bytes)
    try prove("a.realm", compares: true)
    try folder.write("b.realm", copy.bytes)
    let file = try RealmFile(unpublished: folder.path("b.realm"), key: nil)
    for text in ["likes trains", "something else"] {
      let transaction = try WriteTransaction(file)
      try transaction.table("class_Class2").set("property2", of: ObjectKey(rawValue: 0), to: .string(RealmString(text)))
      try transaction.commit()
    }
    let error = #expect(throws: RedactionError.self) { try prove("b.realm") }
    #expect(error == .leak(className: nil, property: nil, count: 1))
  }

  /// Engines keep the last changes, values and all, as data in the history.
  @Test func whatIsInTheHistoryIsFound() throws {
    let opened = try ByteStore.open(.path(Fixture.path("engine/corners.realm")), key: nil)
    let copy = try Snapshot(of: opened.store)
    let changes = BPlusTree(
      root: try #require(copy.top?.history), element: ElementType(.binary, isNullable: true))
    let (leaf, position) = try changes.leaf(holding: 0, in: opened.store)
    guard case .data(let change) = try leaf.value(at: position, in: opened.store) else {
      Issue.record("no change in the history")
      return
    }
    // Any 16 bytes are a UUID.
    let removed = Array(try change.copied().prefix(16))
    #expect(removed.count == 16)
    let id = removed.enumerated().map { index, byte in
      ([4, 6, 8, 10].contains(index) ? "-" : "") + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    let source = try PlanCase(
      #"[{"name":"A","properties":{"d":"uuid"}}]"#, "{\"A\":[{\"d\":\"\(id.joined())\"}]}"
    ).opened()
    let redaction = try Redaction(
      RedactionRules.parse(Array("classes: { A: { d: hash } }".utf8), path: "rules.yml"),
      try #require(RedactionKey(RedactedRealm.key)), of: source)
    var proof = RedactionProof(of: source, RebuildSelection(all: source), redaction)
    proof.compares = false
    let error = #expect(throws: RedactionError.self) { try proof.run(on: opened) }
    #expect(error == .leak(className: nil, property: nil, count: 1))
  }

  /// An index contains the beginnings of strings, with each four bytes reversed, so that no search for strings finds
  /// them.
  @Test(arguments: ["true", "\"full-text\""]) func whatAnIndexKeepsStopsTheRun(_ index: String) throws {
    let schema = "[{\"name\":\"A\",\"properties\":{\"t\":{\"type\":\"string\",\"indexed\":\(index)}}}]"
    let source = try PlanCase(schema, #"{"A":[{"t":"wilhelmina"}]}"#).opened()
    let copy = try RedactedRealm(of: source, "classes: { A: { t: mask } }")
    func entry(_ text: String) -> [UInt8] { text.utf8.prefix(4).reversed() }
    let (old, new) = (entry("wilhelmina"), entry(try #require(try copy.value("t").stringValue)))
    var bytes = copy.bytes
    let places = bytes.indices.dropLast(3).filter { bytes[$0..<($0 + 4)].elementsEqual(new) }
    #expect(places.count == 1)
    for place in places { bytes.replaceSubrange(place..<(place + 4), with: old) }
    let folder = try TemporaryFolder()
    try folder.write("b.realm", bytes)
    var options = CopyOptions(identity: .fresh)
    options.rebuilds = true
    let copying = try RealmCopy(of: source, options)
    // What every run does before it publishes the output.
    #expect(throws: WrittenFault.self) {
      try copying.verify(fileAt: folder.path("b.realm"), of: SourceCheck(of: source))
    }
    try folder.write("c.realm", copy.bytes)
    try copying.verify(fileAt: folder.path("c.realm"), of: SourceCheck(of: source))
  }

  @Test func aLongerTextAndAnotherClassAreNoHidingPlace() throws {
    let realm = try PlanCase(
      #"[{"name":"A","properties":{"name":"string"}},{"name":"B","properties":{"note":"string"}}]"#,
      #"{"A":[{"name":"Wilhelmina"}],"B":[{"note":"asked Wilhelmina about it"}]}"#)
    let source = try realm.opened()
    // Values that are kept may contain it: the rules say so.
    _ = try RedactedRealm(of: source, "classes: { A: { name: mask }, B: { note: keep } }")
    struct KeepsNotes: ValueReplacement {
      let redaction: Redaction
      func values(ofProperty index: Int, of table: Table) -> (any ValueMapping)? {
        table.schema.displayName == "B" ? nil : redaction.values(ofProperty: index, of: table)
      }
      func renamed(_ schema: TableSchema) -> TableSchema { schema }
    }
    let error = #expect(throws: RedactionError.self) {
      _ = try RedactedRealm(of: source, "classes: { A: { name: mask }, B: { note: mask } }", compares: false) {
        KeepsNotes(redaction: $0)
      }
    }
    guard case .leak(className: "B", property: "note", _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func manyPatternsAreSearchedForAFewAtATime() throws {
    let objects = (0..<500).map { "{\"t\":\"text number \($0) of many\"}" }.joined(separator: ",")
    let source = try PlanCase(#"[{"name":"A","properties":{"t":"string"}}]"#, "{\"A\":[\(objects)]}").opened()
    let copy = try RedactedRealm(of: source, "classes: { A: { t: mask } }")
    let redaction = try Redaction(
      RedactionRules.parse(Array("classes: { A: { t: mask } }".utf8), path: "rules.yml"),
      try #require(RedactionKey(RedactedRealm.key)), of: source)
    var proof = RedactionProof(of: source, RebuildSelection(all: source), redaction)
    proof.mostPatterns = 64
    #expect(try proof.run(on: ByteStore.open(.path(copy.path), key: nil)).soughtCount == 500)
  }

  @Test(arguments: 0..<20) func patternsAreFoundWhereTheyAre(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let text = (0..<3000).map { _ in UInt8.random(in: 97...99, using: &random) }
    let patterns = BytePatterns()
    var inserted: [ArraySlice<UInt8>] = []
    for _ in 0..<30 {
      let start = Int.random(in: 0..<2500, using: &random)
      let length = Int.random(in: 4...min(256, 3000 - start), using: &random)
      inserted.append(text[start..<(start + length)])
      Array(text[start..<(start + length)]).withUnsafeBytes { patterns.insert($0) }
    }
    var found: Set<Range<Int>> = []
    text.withUnsafeBytes { bytes in patterns.scan(bytes) { range, _ in found.insert(range) } }
    for pattern in inserted { #expect(found.contains(pattern.startIndex..<pattern.endIndex)) }
    for range in found { #expect(inserted.contains { $0.elementsEqual(text[range]) }) }
  }

  @Test func equalNumbersAreSeen() {
    #expect(FingerprintSet.areDifferent([]))
    #expect(FingerprintSet.areDifferent([0, 1, .max]))
    #expect(!FingerprintSet.areDifferent([0, 5, 0]))
    var many = (0..<3_000_000).map { UInt64($0) &* 0x9e37_79b9_7f4a_7c15 }
    #expect(FingerprintSet.areDifferent(many))
    many[1] = many[2_999_999]
    #expect(!FingerprintSet.areDifferent(many))
  }

  @Test func noTwoNumbersBecomeOne() throws {
    let permutation = KeyedPermutation(try #require(RedactionKey(RedactedRealm.key)).hash(for: "int"))
    let starts: [Int64] = [0, 1 << 16, 1 << 32, 1 << 52, .max - 999, .min, -1 << 16]
    for start in starts {
      let results = (0..<1000).map { permutation(start + Int64($0)) }
      #expect(Set(results).count == 1000)
      #expect(results.allSatisfy { ($0 < 0) == (start < 0) })
    }
    let small = (-32768..<32768).map { permutation($0) }
    #expect(Set(small).count == 65536 && small.allSatisfy { (-32768..<32768).contains($0) })
    for number in [Int64(Int32.min), -7_654_321, 32768, 1_234_567, Int64(Int32.max)] {
      #expect(Int32(exactly: permutation(number)) != nil)
    }
  }
}
