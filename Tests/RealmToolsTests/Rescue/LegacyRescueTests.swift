import Foundation
import RealmInspection
import RealmOpening
import RealmStorage
import RealmTools
import TestSupport
import Testing

/// What is saved of damaged realms of formats 2 to 9. Nothing is invented, and everything is counted.
@Suite struct LegacyRescueTests {
  enum Damage: String, CaseIterable, CustomTestStringConvertible {
    case page, pages, bits, noise, cut, header
    var testDescription: String { rawValue }

    /// Whether a loss can be noticed.
    var leavesTraces: Bool { self != .bits && self != .noise }

    func applied(to original: [UInt8], seed: UInt64) -> [UInt8] {
      var (bytes, random) = (original, SeededGenerator(seed: seed &* 91 &+ 7))
      _ = (0..<8).map { _ in random.next() }
      func page() -> Range<Int> {
        let start = Int.random(in: 0...(bytes.count - 1) >> 12, using: &random) << 12
        return max(start, 24)..<min(start + 4096, bytes.count)
      }
      switch self {
      case .page, .pages:
        for _ in 0..<(self == .page ? 1 : 6) { for place in page() { bytes[place] = 0 } }
      case .bits:
        for _ in 0..<20 {
          bytes[Int.random(in: 24..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        }
      case .noise: for place in page() { bytes[place] = UInt8.random(in: 0...255, using: &random) }
      case .cut: bytes.removeLast(bytes.count * Int.random(in: 5...95, using: &random) / 100)
      case .header: for place in 0..<20 { bytes[place] = 0 }
      }
      return bytes
    }
  }

  // MARK: A realm of rows

  private static let count = 2400
  private static let rowsOfALeaf = 200
  private static let bytes: [UInt8: [UInt8]] = Dictionary(
    uniqueKeysWithValues: (UInt8(2)...9).map { ($0, realm($0).bytes($0 % 2 == 0 ? .normal : .streaming)) })

  private static func realm(_ format: UInt8) -> LegacyRealm {
    let rows = 0..<Int64(count)
    func leaves<Value>(_ values: [Value], _ leaf: ([Value]) -> EditableNode) -> EditableNode {
      LegacyNodes.tree(
        stride(from: 0, to: count, by: rowsOfALeaf).map { leaf(Array(values[$0..<min($0 + rowsOfALeaf, count)])) },
        elementsPerChild: Int64(rowsOfALeaf), total: Int64(count))
    }
    let hasNull = format > 2
    let notes: [String?] = rows.map { hasNull && $0 % 5 == 3 ? nil : String(repeating: "note \($0) ", count: 4) }
    let friends = rows.map { row in (0..<row % 4).map { (row * 7 + $0 * 31) % Int64(count) } }
    var incoming = Array(repeating: [Int64](), count: count)
    for (row, targets) in friends.enumerated() { for target in targets { incoming[Int(target)].append(Int64(row)) } }
    let columns = [
      LegacyColumn("id", .int, leaves(Array(rows)) { LegacyNodes.ints($0) }),
      LegacyColumn("name", .string, leaves(rows.map { "name of \($0)" }, LegacyNodes.short)),
      LegacyColumn(
        "note", .string, leaves(notes) { LegacyNodes.medium($0, isNullable: hasNull) }, isNullable: hasNull),
      LegacyColumn(
        "long", .string,
        leaves(rows.map { String(repeating: "long text \($0) ", count: 12) }) { LegacyNodes.big($0) }),
      LegacyColumn("flag", .bool, leaves(Array(rows)) { LegacyNodes.ints($0.map { $0 & 1 }) }),
      LegacyColumn(
        "real", .double, leaves(rows.map { (Double($0) / 7).bitPattern }) { LegacyNodes.doubles($0) }),
      LegacyColumn(
        "data", .binary,
        leaves(rows.map { [UInt8](repeating: UInt8($0 % 251), count: Int($0 % 40)) }) {
          LegacyNodes.data($0, hasFlags: hasNull)
        }),
      LegacyColumn.linkList("friends", to: 1, friends),
      LegacyColumn.backlinks(from: 1, column: 7, incoming),
    ]
    return LegacyRealm([.metadata(version: 3), LegacyTable("class_Person", columns)], format: format)
  }

  /// A table that has a few more rows according to its first column than to all others.
  @Test(arguments: UInt8(2)...9) func `no objects come from a column that claims more rows than the others`(
    _ format: UInt8
  )
    throws
  {
    let numbers = (0..<8).map { Int64($0) }
    let columns = ["a", "b", "c"].map { LegacyColumn($0, .int, LegacyNodes.ints(numbers.map { $0 + 1000 })) }
    let original = LegacyRealm([.metadata(version: 3), LegacyTable("class_A", columns)], format: format).bytes(.normal)
    var bytes = original
    let header = try #require(
      original.indices.first { original[$0...].starts(with: [0x41, 0x41, 0x41, 0x41, 5, 0, 0, 8]) })
    bytes[header + 6] = 1
    let outcome = try RescueTests.Outcome(bytes)
    #expect(outcome.account.classes.first { $0.name == "A" }?.savedObjects == 8 && !outcome.account.isComplete)
  }

  // MARK: Reading

  typealias Values = [RealmString: [ObjectKey: [RealmString: Value]]]

  private static func values(of snapshot: Snapshot) -> Values {
    let walk = snapshot.collectionWalk(passes: 4)
    var all: Values = [:]
    for table in snapshot.tables where table.schema.isClass {
      var objects: [ObjectKey: [RealmString: Value]] = [:]
      try? table.forEachBatch(in: snapshot) { batch in
        for (index, property) in table.schema.properties.enumerated() {
          guard let values = try? batch.values(ofProperty: index) else { continue }
          for row in 0..<batch.count {
            objects[batch.key(at: row), default: [:]][property.name] = try? Value(values.value(at: row), walk)
          }
        }
      }
      all[table.schema.displayName] = objects
    }
    return all
  }

  private struct Mark: Hashable {
    let name: RealmString
    let property: RealmString?
    let key: ObjectKey
  }

  /// What was saved of a damaged file, compared with its original content.
  private struct Comparison {
    var (equal, all, wrong) = (0, 0, 0)
    /// Only of the classes that were written, sorted by name.
    let names: [RealmString]
    let lostProperties: [RealmString]

    /// - Returns: nil if nothing leads to the tables any more, which is reported.
    init?(_ damaged: [UInt8], _ truth: Values) throws {
      let (folder, results) = (try TemporaryFolder(), try TemporaryFolder())
      let path = try folder.write("broken.realm", damaged)
      var marks: Set<Mark> = []
      let report: RescueAccount
      do {
        report = try leavingUntouched(path) { path in
          var rescue = RealmRescue(
            try RescueCatalog(RescueBytes.open(.path(path), key: nil)), RescueOptions())
          rescue.report = { detail in
            for key in detail.keys { marks.insert(Mark(name: detail.className, property: detail.property, key: key)) }
          }
          let output = try rescue.makeOutput(at: results.path("saved.realm"), replacing: .any, inputs: [path])
          let report = try rescue.write(to: output)
          try output.publish()
          return report.account
        }
      } catch is StorageError { return nil }
      let store = ByteStore(copying: try Fixture.bytes(ofFile: results.path("saved.realm")))
      #expect(try Checker(store).run { _ in }.errors == 0)
      let snapshot = try Snapshot(of: store)
      let saved = LegacyRescueTests.values(of: snapshot)
      names = saved.keys.sorted()
      lostProperties = report.classes.flatMap(\.lostProperties)
      for (name, objects) in truth {
        for (key, object) in objects {
          for (property, value) in object {
            all += 1
            guard let found = saved[name]?[key]?[property] else { continue }
            if found.isSame(as: value) {
              equal += 1
            } else if !marks.contains(Mark(name: name, property: property, key: key))
              && !marks.contains(Mark(name: name, property: nil, key: key))
            {
              wrong += 1
            }
          }
        }
      }
      // Each object that was written has each of its values in one of the counts.
      for one in report.classes where one.isClass {
        let schema = try #require(snapshot.schema.tables.first { $0.displayName == one.name })
        let counted = one.savedValues + one.olderValues + one.doubtfulValues + one.lostValues
        #expect(counted == one.savedObjects * schema.properties.count, "\(one.name)")
        #expect(saved[one.name]?.count ?? 0 == one.savedObjects, "\(one.name)")
      }
      let missing = truth.contains { name, objects in objects.count > saved[name]?.count ?? 0 }
      // A flipped bit in a text leaves no trace.
      if missing || equal + wrong < all { #expect(!report.isComplete) }
    }
  }

  // MARK: Tests

  @Test(arguments: UInt8(2)...9, Damage.allCases)
  func `nothing is made up of damaged rows, and all is counted`(_ format: UInt8, _ damage: Damage) throws {
    let original = try #require(Self.bytes[format])
    let truth = Self.values(of: try Snapshot(of: ByteStore(copying: original)))
    #expect(truth["Person"]?.count == Self.count)
    for seed in 0..<UInt64(2) {
      guard let found = try Comparison(damage.applied(to: original, seed: seed), truth) else { continue }
      if damage.leavesTraces { #expect(found.wrong == 0, "seed \(seed)") }
      #expect(found.wrong <= 2 * Self.rowsOfALeaf, "seed \(seed)")
      if damage == .page { #expect(found.equal * 2 > found.all, "seed \(seed): \(found.equal) of \(found.all)") }
    }
  }

  @Test func `an index that a damaged description states where there can be none is left out`() throws {
    // What the fuzzer found: the new realm could not be written. That one column is longer is what is damaged.
    let columns = [
      LegacyColumn("a", .int, LegacyNodes.ints([1, 2])),
      LegacyColumn("b", .double, LegacyNodes.doubles([5]), index: LegacyNodes.lists([[]])),
    ]
    let bytes = LegacyRealm([LegacyTable("class_A", columns)]).bytes()
    #expect(try Comparison(bytes, [:]) != nil)
  }

  @Test func `properties that a damaged description gives one name get two`() throws {
    let columns = ["a", "a", "a_"].enumerated().map { LegacyColumn($1, .int, LegacyNodes.ints([Int64($0), 7])) }
    let bytes = LegacyRealm([LegacyTable("class_A", columns)]).bytes()
    #expect(try Comparison(bytes, [:]) != nil)
  }

  @Test func `tables that a damaged list gives one name, or none, get names of their own`() throws {
    let tables = ["class_A", "class_A", "", "class_Recovered1"].enumerated().map { number, name in
      LegacyTable(name, [LegacyColumn("a", .int, LegacyNodes.ints([Int64(number), 7]))])
    }
    let truth: Values = ["A": [ObjectKey(rawValue: 0): ["a": .int(0)], ObjectKey(rawValue: 1): ["a": .int(7)]]]
    let found = try #require(try Comparison(LegacyRealm(tables).bytes(), truth))
    #expect(found.equal == 2)
    #expect(found.names == ["A", "Recovered1", "Recovered2", "Recovered3"])
  }

  @Test func `objects with equal keys in a table that an interrupted upgrade has finished are lost`() throws {
    let tree = try NodeTree(Fixture.bytes("engine/person-v1.realm"))
    tree.format = 9
    let truth = Self.values(of: try Snapshot(of: ByteStore(copying: tree.written())))
    let count = try #require(truth["Person"]?.count)
    try #require(count > 1)
    let cluster = try tree.table("class_Person").clusterRoot
    cluster.elements[0] = .child(.numbers(Array(repeating: 0, count: count)))
    let found = try #require(try Comparison(tree.written(), truth))
    #expect(found.equal < found.all && found.wrong == 0)
  }

  @Test func `a property whose class cannot be read is lost, and said to be`() throws {
    let tables = [
      LegacyTable(
        "class_A", [.link("b", to: 1, LegacyNodes.ints([1])), LegacyColumn("a", .int, LegacyNodes.ints([5]))]),
      LegacyTable("class_B", [LegacyColumn("a", .int, LegacyNodes.ints([7]))]),
    ]
    let tree = try NodeTree(LegacyRealm(tables).bytes())
    // Names of columns, but no types.
    tree.root.child(1)?.child(1)?.child(0)?.elements[0] = .raw(0)
    let truth: Values = ["A": [ObjectKey(rawValue: 0): ["a": .int(5)]]]
    let found = try #require(try Comparison(tree.written(), truth))
    #expect(found.equal == 1 && found.names == ["A"] && found.lostProperties == ["b"])
  }

  private static let corpus = OpenableFixture.all.filter { fixture in
    let format = try? fixture.opened().header.format
    return fixture.key == nil && format.map { (2...9).contains($0) } ?? false
  }

  @Test(arguments: corpus) func `real files of rows that are damaged give no false value`(
    _ fixture: OpenableFixture
  ) throws {
    let original = try Fixture.bytes(ofFile: fixture.path)
    guard original.count > 4096, original.count < 1 << 19,
      let snapshot = try? Snapshot(of: ByteStore(copying: original)), snapshot.damagedTables.isEmpty
    else { return }
    let truth = Self.values(of: snapshot)
    for damage in [Damage.page, .cut] {
      for seed in 0..<UInt64(3) {
        let found = try Comparison(damage.applied(to: original, seed: seed), truth)
        #expect(found.map { $0.wrong == 0 } ?? true, "\(damage) \(seed)")
      }
    }
  }
}
