import TestSupport
import Testing

@testable import RealmInspection
@testable import RealmStorage

/// Engines take whatever is neither 0 nor a number's place for a ref and follow it with the next write: a number there
/// ends the app (seen with Realm Core 14.14.0 and the list of search indexes).
@Suite struct FollowedSlotTests {
  /// Slots that are tried in each realm.
  private static let most = 40

  @Test(arguments: ["dogs", "nested-mixed", "synced", "strings"])
  func `a number where engines follow a ref is an error, whatever the structure`(_ name: String) throws {
    let tree = try NodeTree(Fixture.bytes("engine/\(name).realm"))
    var slots: [(node: EditableNode, slot: Int)] = []
    var waiting = [tree.root]
    while let node = waiting.popLast() {
      for slot in node.elements.indices {
        if let child = node.child(slot) {
          waiting.append(child)
        } else if node.tagged(slot) != nil {
          continue
        }
        // The lists of free space are made anew, and a sync history has numbers.
        let isOther =
          node === tree.root && (3...5).contains(slot) || node === tree.root.child(8) && (1...12).contains(slot)
        if !isOther { slots.append((node, slot)) }
      }
    }
    let step = max(1, slots.count / Self.most)
    let staleBefore = try CheckResult(of: tree.written()).summary.counts[.backlinkStale, default: 0]
    var found = 0
    for (node, slot) in stride(from: 0, to: slots.count, by: step).map({ slots[$0] }) {
      let before = node.elements[slot]
      node.elements[slot] = .tagged(0x1234)
      let result = try CheckResult(of: tree.written())
      // A number in a leaf of backlinks is the only link to an object, and of a Mixed property engines leave some behind.
      let isStale = result.summary.counts[.backlinkStale, default: 0] > staleBefore
      #expect(
        result.summary.errors > 0 || isStale, "slot \(slot) of \(node.count), flags \(node.flags), before: \(before)")
      node.elements[slot] = before
      found += 1
    }
    #expect(found > Self.most / 2)
  }
}
