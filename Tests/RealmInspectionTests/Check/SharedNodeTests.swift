import TestSupport
import Testing

@testable import RealmInspection
@testable import RealmStorage

/// What is below a node with several refs to it is checked, but not once for every ref.
@Suite struct SharedNodeTests {
  /// A few visits in each of the passes over values, links and indexes.
  private static let fewVisits = 40

  @Test func `a collection of levels that each hold the one below a hundred times is looked at a few times`() throws {
    let result = try result { tree in
      let leaf = try tree.table("class_AllTypes").leaf("listInt")
      // Not a leaf of integers.
      var node = EditableNode.blob([1, 2, 3])
      for _ in 0..<4 {
        let copies = Array(repeating: EditableNode.Element.child(node), count: 100)
        node = .refs([.tagged(1000)] + copies + [.tagged(0)], flags: 0xc0)
      }
      leaf.elements[1] = .child(node)
    }
    #expect((1...Self.fewVisits).contains(result.summary.counts[.leafKind] ?? 0))
  }

  @Test func `clusters of levels that each hold the one below a hundred times are looked at a few times`() throws {
    let result = try result { tree in
      let table = try tree.table("class_AllTypes")
      var node = try table.clusterRoot
      for depth in 1...4 {
        let copies = Array(repeating: EditableNode.Element.child(node), count: 100)
        node = .refs([.raw(0), .tagged(Int64(depth)), .tagged(0)] + copies, flags: 0xc0)
      }
      table.top.elements[2] = .child(node)
    }
    #expect(result.summary.objects > 0)
    #expect(result.summary.objects <= Self.fewVisits * 256)
  }

  @Test func `a table in a thousand places is looked at a few times`() throws {
    let result = try result { tree in
      let tables = try #require(tree.root.child(1))
      let first = try #require(tables.child(0))
      tables.elements += Array(repeating: .child(first), count: 1000)
    }
    #expect((1...Self.fewVisits).contains(result.summary.tables))
  }

  @Test func `a text that a thousand values share is looked at a few times`() throws {
    let result = try result { tree in
      let leaf = try tree.table("class_AllTypes").leaf("listString")
      // Without the zero at its end.
      let text = EditableNode.blob(Array(repeating: UInt8(ascii: "t"), count: 5000))
      leaf.elements[1] = .child(.refs(Array(repeating: .child(text), count: 1000), flags: 0x60))
    }
    #expect((1...Self.fewVisits).contains(result.summary.counts[.blobTerminator] ?? 0))
  }

  /// The checker's findings in an undamaged realm that `change` has damaged.
  private func result(_ change: (NodeTree) throws -> Void) throws -> CheckResult {
    let tree = try NodeTree(Fixture.bytes("engine/all-types.realm"))
    try change(tree)
    let result = try CheckResult(of: tree.written(.normal))
    #expect(result.summary.counts[.nodeShared] ?? 0 > 0)
    return result
  }
}
