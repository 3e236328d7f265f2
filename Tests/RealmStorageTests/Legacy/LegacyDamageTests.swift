import RealmInspection
import TestSupport
import Testing

@testable import RealmStorage

/// Damage in realms of formats 2–9: the checker finds it, and reading it ends in an error.
@Suite struct LegacyDamageTests {
  struct Damage: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let kinds: Set<FindingKind>
    let table: @Sendable () -> [LegacyTable]

    init(_ name: String, _ kinds: Set<FindingKind>, _ table: @escaping @Sendable () -> [LegacyTable]) {
      (testDescription, self.kinds, self.table) = (name, kinds, table)
    }

    init(_ name: String, _ kind: FindingKind, columns: @escaping @Sendable () -> [LegacyColumn]) {
      self.init(name, [kind]) { [LegacyTable("class_A", columns())] }
    }
  }

  static let damages: [Damage] = [
    Damage("columns of different lengths", .rowCount) {
      [LegacyColumn("a", .int, LegacyNodes.ints([1, 2])), LegacyColumn("b", .int, LegacyNodes.ints([1]))]
    },
    Damage("a total that is not true", .treeTotal) {
      [
        LegacyColumn(
          "a", .int, LegacyNodes.tree([LegacyNodes.ints([1]), LegacyNodes.ints([2])], elementsPerChild: 1, total: 3))
      ]
    },
    Damage("children that are not full", .treeCompactSize) {
      [
        LegacyColumn(
          "a", .int, LegacyNodes.tree([LegacyNodes.ints([1]), LegacyNodes.ints([2])], elementsPerChild: 2, total: 2))
      ]
    },
    Damage("wrong offsets", .treeOffsets) {
      let tree = LegacyNodes.tree([LegacyNodes.ints([1]), LegacyNodes.ints([2, 3])], counts: [1, 2])
      tree.child(0)?.values = [2]
      return [LegacyColumn("a", .int, tree)]
    },
    Damage("a text without its end", .blobTerminator) {
      let leaf = LegacyNodes.medium(["abc"], isNullable: false)
      leaf.elements[1] = .child(.blob(Array("abcd".utf8)))
      return [LegacyColumn("a", .string, leaf)]
    },
    Damage("a long text without its end", .blobTerminator) {
      [LegacyColumn("a", .string, .refs([.child(.blob([1, 2, 3]))], flags: 0x60))]
    },
    Damage("ends that do not ascend", .blobOffsets) {
      let leaf = LegacyNodes.data([[1, 2], [3]])
      leaf.child(0)?.values = [3, 2]
      return [LegacyColumn("a", .binary, leaf)]
    },
    Damage("padding longer than the field", .leafKind) {
      [
        LegacyColumn(
          "a", .string, EditableNode(flags: 0x08, width: 4, content: .bytes([0, 0, 0, 9], count: 1)))
      ]
    },
    Damage("an enumerated text that does not exist", .enumerationIndex) {
      [.enumerated("a", LegacyNodes.short(["x"]), [0, 1])]
    },
    Damage("values of another kind", .leafKind) { [LegacyColumn("a", .int, LegacyNodes.short(["x"]))] },
    Damage("a boolean that is neither", .boolValue) { [LegacyColumn("a", .bool, LegacyNodes.ints([0, 2]))] },
    Damage("an optional boolean that is neither", .boolValue) {
      [LegacyColumn("a", .bool, LegacyNodes.nullableInts([0, nil, 2], marker: 3), isNullable: true)]
    },
    Damage("a date that is null in a required column", .requiredNull) {
      [LegacyColumn("a", .timestamp, LegacyNodes.dates([nil, (1, 2)], marker: 127))]
    },
    Damage("data in pieces of which the first is not full", .blobPieces) {
      let blob = EditableNode.refs([.child(.blob([1, 2])), .child(.blob([3]))], flags: 0x60)
      return [LegacyColumn("a", .binary, .refs([.child(blob)], flags: 0x60))]
    },
    Damage("two tables of one name", [.groupDuplicateName]) {
      [LegacyTable("class_A", []), LegacyTable("class_A", [])]
    },
    Damage("a table without a name", [.groupName]) { [LegacyTable("", []), LegacyTable("class_A", [])] },
    Damage("an index that is not there", .indexColumn) {
      [LegacyColumn("a", .int, LegacyNodes.ints([1]), index: LegacyNodes.ints([]))]
    },
    Damage("dates in milliseconds", .legacyMilliseconds) {
      [LegacyColumn("a", .seconds, LegacyNodes.ints([1_462_500_087_955]))]
    },
    Damage("a link beyond the end", [.linkDangling, .linkWithoutBacklink]) {
      [
        LegacyTable("class_A", [.link("a", to: 0, LegacyNodes.ints([2])), .backlinks(from: 0, column: 0, [[]])])
      ]
    },
    Damage("a link without a backlink", [.linkWithoutBacklink]) {
      [
        LegacyTable("class_A", [.linkList("a", to: 0, [[0, 0]]), .backlinks(from: 0, column: 0, [[0]])])
      ]
    },
    Damage("a backlink without a link", [.backlinkWithoutLink]) {
      [
        LegacyTable("class_A", [.link("a", to: 0, LegacyNodes.ints([0])), .backlinks(from: 0, column: 0, [[0]])])
      ]
    },
    Damage("links without a column of backlinks", [.linkColumnPartner]) {
      [LegacyTable("class_A", [.link("a", to: 0, LegacyNodes.ints([0]))])]
    },
    Damage("a primary key twice", [.primaryKeyDuplicate]) {
      [
        .primaryKeys([("A", "a")]),
        LegacyTable("class_A", [LegacyColumn("a", .string, LegacyNodes.short(["x", "y", "x"]))]),
      ]
    },
  ]

  @Test(arguments: damages) func `is found for what it is`(_ damage: Damage) throws {
    let bytes = LegacyRealm(damage.table()).bytes()
    let store = ByteStore(copying: bytes)
    var findings: [Finding] = []
    _ = try Checker(store).run { findings.append($0) }
    #expect(Set(findings.map(\.kind)) == damage.kinds, "\(findings.map(\.message))")
    #expect(try store.copy(at: 0, length: store.count) == bytes)
  }

  @Test func `a description that contradicts itself costs its table, not the others`() throws {
    let tree = LegacyRealm([
      LegacyTable("class_A", [LegacyColumn("a", .int, LegacyNodes.ints([1]))]),
      LegacyTable("class_B", [LegacyColumn("b", .int, LegacyNodes.ints([2]))]),
    ]).tree()
    let spec = try #require(tree.root.child(1)?.child(0)?.child(0))
    for (slot, kinds) in [(0, Set([FindingKind.specShape])), (2, [.specShape])] {
      let before = spec.child(slot)?.values ?? []
      spec.child(slot)?.values = slot == 0 ? [11] : [0, 0]
      let store = ByteStore(copying: tree.written(.normal))
      let snapshot = try Snapshot(of: store)
      #expect(snapshot.damagedTables.map(\.name) == ["class_A"] && snapshot.tables.map(\.schema.name) == ["class_B"])
      var findings: Set<FindingKind> = []
      _ = try Checker(store).run { findings.insert($0.kind) }
      #expect(findings == kinds)
      spec.child(slot)?.values = before
    }
  }

  @Test func `the root of a table without columns that lacks its second slot cannot be read`() throws {
    let tree = LegacyRealm([LegacyTable("class_A", []), LegacyTable("class_B", [])], format: 6).tree()
    tree.root.child(1)?.child(0)?.elements.removeLast()
    let store = ByteStore(copying: tree.written(.normal))
    #expect(try Snapshot(of: store).damagedTables.map(\.name) == ["class_A"])
    var findings: [FindingKind] = []
    _ = try Checker(store).run { findings.append($0.kind) }
    #expect(findings == [.tableSlotCount])
  }

  @Test func `a walk ends where the number of rows cannot be read`() throws {
    let column = LegacyColumn("a", .int, LegacyNodes.tree([LegacyNodes.ints([1])], elementsPerChild: 1, total: 1 << 40))
    let snapshot = try Snapshot(of: ByteStore(copying: LegacyRealm([LegacyTable("class_A", [column])]).bytes()))
    var batches = try #require(snapshot.tables.first).batches()
    guard case .damaged = batches.next() else {
      Issue.record("no damage")
      return
    }
    if batches.next() != nil { Issue.record("it goes on") }
  }

  /// An engine that upgrades from format 9 leaves that number until it is done; this one was done but for the number.
  @Test func `tables that an interrupted upgrade has finished are read as they are`() throws {
    let tree = try NodeTree(Fixture.bytes("engine/person-v1.realm"))
    let before = try Snapshot(of: ByteStore(copying: tree.written()))
    tree.format = 9
    let store = ByteStore(copying: tree.written())
    let snapshot = try Snapshot(of: store)
    #expect(snapshot.header.format == 9 && snapshot.damagedTables.isEmpty)
    #expect(snapshot.tables.map(\.schema.name) == before.tables.map(\.schema.name))
    for (table, original) in zip(snapshot.tables, before.tables) {
      #expect(try LegacyContent.rows(table, snapshot) == LegacyContent.rows(original, before))
    }
    var findings: [FindingKind] = []
    _ = try Checker(store).run { findings.append($0.kind) }
    #expect(findings == [.legacyUpgrade])
  }

  @Test func `keys out of order in a table that an interrupted upgrade has finished are reported`() throws {
    let tree = try NodeTree(Fixture.bytes("engine/person-v1.realm"))
    tree.format = 9
    let cluster = try tree.table("class_Person").clusterRoot
    let count = try Snapshot(of: ByteStore(copying: tree.written())).tables.first { $0.schema.name == "class_Person" }?
      .objectCount()
    try #require(count ?? 0 > 1)
    cluster.elements[0] = .child(.numbers(Array(repeating: 0, count: count ?? 0)))
    var findings: [FindingKind] = []
    _ = try Checker(ByteStore(copying: tree.written())).run { findings.append($0.kind) }
    #expect(findings == [.legacyUpgrade, .clusterKeys])
  }
}
