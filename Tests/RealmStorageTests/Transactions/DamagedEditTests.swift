import TestSupport
import Testing

@testable import RealmStorage

/// Damage that a transaction finds: it throws an error that names the place, and leaves the file unchanged.
@Suite struct DamagedEditTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let story: String
    let fixture: String
    /// Plants the damage.
    let plant: @Sendable (NodeTree) throws -> Void
    /// Finds the damage.
    let edit: @Sendable (WriteTransaction) throws -> Void
    var testDescription: String { story }
  }

  static let cases: [Case] = [
    Case(story: "two columns claim the same place", fixture: "dogs") { tree in
      let keys = try #require(try tree.table("class_Dog").spec.child(5))
      keys.values[1] = keys.values[1] & ~0xffff | keys.values[0] & 0xffff
    } edit: {
      _ = try $0.table("class_Dog").create()
    },
    Case(story: "a column claims a place far behind the lists", fixture: "dogs") { tree in
      let keys = try #require(try tree.table("class_Dog").spec.child(5))
      keys.values[0] |= 0xfff0
    } edit: {
      _ = try $0.table("class_Dog").create(primaryKey: .objectID(ObjectID(head: 1, tail: 2)))
    },
    Case(story: "the lists of columns claim millions of places", fixture: "dogs") { tree in
      let lists = try #require(try tree.table("class_Dog").top.child(7))
      (lists.content, lists.claimedCount) = (.numbers([]), 0xff_ffff)
    } edit: {
      _ = try $0.table("class_Dog").create(primaryKey: .objectID(ObjectID(head: 1, tail: 2)))
    },
    Case(story: "a cluster's total is all there can be", fixture: "deep-tree") { tree in
      try #require(try tree.widestTable()).clusterRoot.elements[2] = .tagged(.max)
    } edit: { transaction in
      for table in transaction.tables { _ = try table.create() }
    },
    Case(story: "more objects are deleted than were counted", fixture: "deep-tree") { tree in
      try #require(try tree.widestTable()).clusterRoot.elements[2] = .tagged(1)
    } edit: { transaction in
      for table in transaction.tables where table.schema.isClass && table.objectCount == 1 {
        for _ in 0..<2 {
          let key = try #require(try table.firstKey())
          try table.delete(key)
        }
      }
    },
    Case(story: "a node of clusters leads to itself", fixture: "deep-tree") { tree in
      let root = try #require(try tree.widestTable()).clusterRoot
      root.elements[4] = .child(try #require(root.child(3)))
    } edit: { transaction in
      for table in transaction.tables { try table.deleteAll() }
    },
    Case(story: "a cluster is there 65,536 times", fixture: "deep-tree") { tree in
      let table = try #require(try tree.widestTable())
      var node = try table.cluster()
      for depth in 1...2 {
        let start: [EditableNode.Element] = [.raw(0), .tagged(Int64(depth)), .tagged(256 << Int64(8 * depth))]
        node = .refs(start + Array(repeating: .child(node), count: 256), flags: 0xc0)
      }
      table.top.elements[2] = .child(node)
    } edit: { transaction in
      for table in transaction.tables { try table.forEachKey { _ in } }
    },
    Case(story: "keys of a cluster go down", fixture: "deep-tree") { tree in
      let cluster = try #require(try tree.widestTable()?.clusters().first)
      cluster.elements[0] = .child(.numbers((0..<Int64(256)).reversed().map { $0 }, width: 16))
    } edit: { transaction in
      for table in transaction.tables { try table.forEachKey { _ in } }
    },
    Case(story: "lists are nested deeper than anybody reads", fixture: "nested-mixed") { tree in
      func list(_ root: EditableNode.Element) -> EditableNode {
        .refs([
          .child(.numbers([4 << 5 | 20])), .raw(0), .raw(0), .raw(0), .child(.refs([root])), .child(.numbers([1])),
        ])
      }
      let deep = (0..<200).reduce(EditableNode.Element.raw(0)) { inner, _ in .child(list(inner)) }
      try tree.table("class_Doc").leaf("anyList").require(1).require(4).elements[0] = deep
    } edit: {
      try $0.table("class_Doc").removeProperty("anyList")
    },
    Case(story: "a leaf belongs to two columns", fixture: "dogs") { tree in
      let table = try tree.table("class_Dog")
      let (name, breed) = (try table.leafIndex("name") + 1, try table.leafIndex("breed") + 1)
      try table.cluster().elements[name] = table.cluster().elements[breed]
    } edit: {
      try $0.table("class_Dog").deleteAll()
    },
  ]

  @Test(arguments: cases) func `an edit that comes across damage throws, and the file stays as it is`(_ damage: Case)
    throws
  {
    let tree = try NodeTree(Fixture.bytes("engine/\(damage.fixture).realm"))
    try damage.plant(tree)
    let bytes = tree.written(.normal)
    let folder = try TemporaryFolder()
    let path = try folder.write("app.realm", bytes)
    #expect(throws: StorageError.self) {
      // Some of the damage would be found before the transaction begins.
      let transaction = try WriteTransaction(RealmFileTests.file(path, key: nil, provesFreeSpace: false))
      try RealmError.uncovering { try damage.edit(transaction) }
      try transaction.commit()
    }
    #expect(try Array(Fixture.bytes(ofFile: path).prefix(bytes.count)) == bytes)
  }

  @Test func `a damaged table keeps a transaction from beginning, and the file is free for the next one`() throws {
    let tree = try NodeTree(Fixture.bytes("engine/dogs.realm"))
    try tree.table("class_Dog").top.elements.removeLast(12)
    let bytes = tree.written(.normal)
    let folder = try TemporaryFolder()
    let path = try folder.write("app.realm", bytes)
    let file = try RealmFileTests.file(path, key: nil)
    #expect(file.snapshot.damagedTables.map(\.name) == ["class_Dog"])
    for _ in 0..<2 { #expect(throws: StorageError.self) { try WriteTransaction(file) } }
    _ = try file.beginTransaction()
    file.rollBack()
    #expect(try Fixture.bytes(ofFile: path) == bytes)
  }
}

extension NodeTree {
  /// The first table whose clusters have a node above them.
  fileprivate func widestTable() throws -> EditableTable? {
    try tableNames.filter { !$0.isEmpty }.map { try table($0) }.first { try $0.clusterRoot.isInner }
  }
}
