import TestSupport
import Testing

@testable import RealmStorage

/// Changes in indexes whose bytes are not what they should be: errors, and never more than that.
@Suite struct DamagedIndexTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let property: Property
    let values: [Value]
    let count: Int
    var testDescription: String { "\(property.type), \(property.index), \(count) objects" }
  }

  static let cases = [
    // A tree of inner nodes; lists that are trees; many levels; words; elements.
    Case(
      property: Property(name: "p", type: .int, index: .general), values: (0..<4000).map { .int($0 << 30) }, count: 4000
    ),
    Case(
      property: Property(name: "p", type: .bool, index: .general), values: [.bool(true), .bool(false)], count: 3000),
    Case(
      property: Property(name: "p", type: .string, index: .general),
      values: IndexEditorTests.texts
        + ["a", "b"].map { .string(RealmString(String(repeating: "p", count: 210) + $0)) },
      count: 200),
    Case(
      property: Property(name: "p", type: .mixed, isOptional: true, index: .general), values: IndexEditorTests.mixed,
      count: 200),
    Case(
      property: Property(name: "p", type: .string, index: .fullText), values: IndexEditorTests.sentences, count: 100),
    Case(
      property: Property(name: "p", type: .string, collection: .list, index: .general),
      values: [.list(["abc", "abcX"]), .list(["abcd", "", "abcX"]), .list([])], count: 100),
  ]

  @Test(arguments: cases) func `any byte of an index can be wrong`(_ item: Case) throws {
    var dice = SeededDice(seed: 21)
    let realm = try IndexedRealm(item.property, (0..<item.count).map { item.values[$0 % item.values.count] })
    let bytes = try Fixture.bytes(ofFile: realm.path)
    let index = try realm.index()
    let content = try #require(index.column.indexContent)
    let nodes = try Self.nodes(below: index.root, in: index.store)
    let keys = realm.values.keys.sorted()
    var outcomes: [Bool: Int] = [:]
    for _ in 0..<1000 {
      let store = ByteStore.memory(Self.damaged(bytes, nodes, &dice))
      var values = realm.values
      let isDone = try Self.outcome {
        let editor = try IndexEditor(index.root, content, in: store, mostSteps: 10_000) { values[$0] }
        for _ in 0..<12 {
          let key = dice.pick(keys)
          let (old, new) = (values[key], dice.roll(4) == 0 ? nil : dice.pick(item.values))
          values[key] = new
          try editor.replace(key, old, by: new)
        }
        for _ in 0..<12 where content == .values {
          _ = try IndexLookup(root: index.root, store: store).candidates(for: dice.pick(item.values))
        }
      }
      outcomes[isDone, default: 0] += 1
    }
    #expect(outcomes[false, default: 0] > 0)
  }

  @Test func `an object that a list of Mixed values has at a false place is not put in again`() throws {
    let property = Property(name: "p", type: .mixed, isOptional: true, index: .general)
    let realm = try IndexedRealm(property, [.int(5), .int(5), .int(5), .int(5)])
    let tree = try NodeTree(Fixture.bytes(ofFile: realm.path))
    let list = try tree.table(IndexedRealm.table.description).index("p")
    let slot = try #require(list.elements.indices.first { list.child($0)?.values == [0, 1, 2, 3] })
    list.elements[slot] = .child(.numbers([0, 2, 1, 3]))
    try realm.folder.write("app.realm", tree.written(.normal))
    let index = try realm.index()
    let keys = realm.values.keys.sorted()
    let editor = try IndexEditor(index.root, .mixedValues, in: index.store, mostSteps: 10_000) {
      $0 == keys[1] ? nil : realm.values[$0]
    }
    #expect(throws: IndexEditor.Refusal.otherValues) { try editor.replace(keys[1], nil, by: .int(5)) }
  }

  @Test(arguments: cases) func `a transaction over a damaged index ends one way or the other`(_ item: Case) throws {
    var dice = SeededDice(seed: 22)
    let realm = try IndexedRealm(item.property, (0..<item.count).map { item.values[$0 % item.values.count] })
    let bytes = try Fixture.bytes(ofFile: realm.path)
    let index = try realm.index()
    let nodes = try Self.nodes(below: index.root, in: index.store)
    let keys = realm.values.keys.sorted()
    for _ in 0..<60 {
      let damaged = Self.damaged(bytes, nodes, &dice)
      try realm.folder.write("app.realm", damaged)
      let isDone = try Self.outcome {
        // What the proof would refuse: the index code itself has to end either way.
        let transaction = try WriteTransaction(RealmFileTests.file(realm.path, key: nil, provesFreeSpace: false))
        let table = try transaction.table(IndexedRealm.table)
        for _ in 0..<6 { try table.set("p", of: dice.pick(keys), to: dice.pick(item.values)) }
        try table.delete(dice.pick(keys))
        try transaction.commit()
      }
      let snapshot = try RealmFileTests.opened(realm.path, nil)
      let table = try #require(snapshot.tables.first { $0.schema.name == IndexedRealm.table })
      #expect(try table.objectCount() == item.count - (isDone ? 1 : 0))
      _ = try snapshot.faults()
    }
  }

  @Test func `an index of other values is built anew`() throws {
    var realm = try IndexedRealm(
      Property(name: "p", type: .string, index: .general), IndexEditorTests.texts + IndexEditorTests.texts)
    let index = try realm.index()
    let root = try Node(index.root, in: index.store)
    var bytes = try Fixture.bytes(ofFile: realm.path)
    // The first key is another one.
    bytes[Int(try root.childRef(0).rawValue) + Node.headerSize] ^= 1
    try realm.folder.write("app.realm", bytes)
    #expect(try RealmFileTests.opened(realm.path, nil).faults() != [])
    try realm.change(isInPlace: false) { changes in
      for key in changes.values.keys.sorted() { try changes.set(key, "new") }
      #expect(try !changes.table.column("p").isIndexStale)
    }
    try realm.check("built anew")
  }

  /// - Returns: whether nothing was found wrong.
  private static func outcome(_ body: () throws -> Void) throws -> Bool {
    do {
      try body()
      return true
    } catch is StorageError {
      return false
    } catch is IndexEditor.Refusal {
      return false
    }
  }

  private static func nodes(below root: Ref, in store: ByteStore) throws -> [Node] {
    var nodes: [Node] = []
    var pending = [root]
    while let ref = pending.popLast() {
      let node = try Node(ref, in: store)
      nodes.append(node)
      guard node.hasRefs else { continue }
      for index in 0..<node.count {
        let element = RefOrTagged(node.uncheckedInt(index))
        if !element.isTagged, !element.ref.isNull { pending.append(element.ref) }
      }
    }
    return nodes
  }

  /// Bytes with one to three changes in nodes of the index: any byte, the header, or an element.
  private static func damaged(_ bytes: [UInt8], _ nodes: [Node], _ dice: inout SeededDice) -> [UInt8] {
    var bytes = bytes
    for _ in 0...dice.roll(3) {
      let node = dice.pick(nodes)
      let start = Int(node.ref.rawValue)
      switch dice.roll(4) {
      case 0: bytes[start + Int(dice.roll(UInt64(node.byteSize)))] = UInt8(dice.roll(256))
      case 1: bytes[start + 4 + Int(dice.roll(4))] = UInt8(dice.roll(256))
      case 2: bytes[start + 4] ^= 1 << UInt8(dice.roll(8))
      default:
        // The ref of another node where one can be.
        guard node.hasRefs, node.width >= 16 else { continue }
        let place = start + Node.headerSize + Int(dice.roll(UInt64(node.count))) * node.width / 8
        let ref = dice.pick(nodes).ref.rawValue
        for byte in 0..<node.width / 8 { bytes[place + byte] = UInt8(truncatingIfNeeded: ref >> UInt64(byte * 8)) }
      }
    }
    return bytes
  }
}
