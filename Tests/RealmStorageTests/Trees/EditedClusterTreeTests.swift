import TestSupport
import Testing

@testable import RealmStorage

/// Trees of clusters that lose objects until their root is another node (Docs/Format/3-tables-and-objects.md §4.4).
@Suite struct EditedClusterTreeTests {
  /// The objects of `Dog` below as many inner nodes, whose first child begins after them.
  private static func tree(_ offsets: [Int64]) throws -> EditedClusterTree {
    let tree = try NodeTree(Fixture.bytes("engine/dogs.realm"))
    let table = try tree.table("class_Dog")
    let count = try Snapshot(of: ByteStore(copying: tree.written())).table(displayName: "Dog")?.objectCount() ?? 0
    for (depth, offset) in offsets.enumerated() {
      table.top.elements[2] = .child(
        .refs(
          [
            .child(.numbers([offset])), .tagged(Int64(depth + 1)), .tagged(Int64(count)), .child(try table.clusterRoot),
          ], flags: 0xc0))
    }
    let snapshot = try Snapshot(of: ByteStore(copying: tree.written()))
    return try EditedClusterTree(#require(snapshot.table(displayName: "Dog")).clusterTop.clusters, in: snapshot.store)
  }

  private static func keys(_ tree: EditedClusterTree) throws -> [UInt64] {
    var keys: [UInt64] = []
    try tree.forEachCluster { keys += $0.keys }
    return keys
  }

  @Test(
    "keys stay what they are when a node gives way to its only child", arguments: [[], [0], [7], [7, 0], [3, 900]])
  func onlyChild(_ offsets: [Int64]) throws {
    let tree = try Self.tree(offsets)
    var expected = try Self.keys(tree)
    try #require(expected.count > 2)
    let gone = expected.removeFirst()
    let wasThere = try tree.remove(
      ObjectKey(rawValue: Int64(gone)), prepare: { _ in }, emptied: { _ in }, join: { _, _ in },
      newCluster: { EditedCluster(base: $0, leafCount: 0) })
    #expect(wasThere)
    #expect(try Self.keys(tree) == expected)
    guard case .leaf(let root) = tree.root else {
      Issue.record("the root is no cluster")
      return
    }
    // Keys of a root are relative to nothing.
    #expect(root.base == 0)
    #expect(tree.dropped.count == 2 * offsets.count)
    #expect(try tree.find(ObjectKey(rawValue: Int64(expected[0])))?.row == 0)
  }
}
