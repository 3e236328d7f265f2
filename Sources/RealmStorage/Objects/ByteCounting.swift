/// A walk that adds up the bytes a table takes: its description, objects, values, collections and indexes.
///
/// The walk follows references without knowing what they mean, because that is what all of a table's nodes have in
/// common (Docs/Format/2-nodes-and-values.md §1.6). It goes on in steps, so that a caller can show how far it is and stop.
///
/// In a damaged file the result is what could be proved: bytes that belong to no node, and bytes that another node has, count
/// as damage.
///
/// ```swift
/// var size = table.byteCounting()
/// while size.advance(nodes: 10_000) { show(size.byteCount) }
/// ```
package struct ByteCounting {
  /// Bytes found so far.
  package private(set) var byteCount: UInt64 = 0
  /// Parts left out because they cannot be read.
  package private(set) var damagedParts = 0

  private let store: ByteStore
  private let visited: VisitedNodes
  private var levels: [Level] = []

  private struct Level {
    let node: Node
    var next = 0
  }

  /// Trees inside trees inside trees: far more levels than a real table has.
  private static let mostLevels = 512

  fileprivate init(_ root: Ref, in store: ByteStore, _ visited: VisitedNodes) {
    self.store = store
    self.visited = visited
    visit(root)
  }

  /// The bytes of the nodes that walks have reached. One object for all tables of a snapshot shows where damage makes
  /// two of them share a part. Used by one thread.
  package final class VisitedNodes {
    private var map: SpaceMap?
    package init() {}

    /// - Returns: whether no other node has any of these bytes; also false if memory is short.
    fileprivate func claim(_ node: Node, in store: ByteStore) -> Bool {
      if map == nil { map = try? SpaceMap(byteCount: UInt64(store.count)) }
      return map?.mark(from: node.ref.rawValue, length: UInt64(node.byteSize)) == 0
    }
  }

  /// Releases the memory of pages, between two steps; nothing else may be reading from the same store. Other views of
  /// the table and its snapshot are invalid afterwards.
  package mutating func releasePages() {
    store.releasePages()
    do {
      for level in levels { try level.node.makePresent(in: store) }
    } catch {
      // The way back is lost: the file has changed meanwhile.
      levels = []
      damagedParts += 1
    }
  }

  /// Looks at some more nodes.
  ///
  /// - Returns: whether there are more.
  package mutating func advance(nodes: Int) -> Bool {
    for _ in 0..<nodes {
      guard let ref = nextChild() else { return false }
      visit(ref)
    }
    return true
  }

  private mutating func nextChild() -> Ref? {
    while var level = levels.popLast() {
      while level.next < level.node.count {
        let element = RefOrTagged(level.node.uncheckedInt(level.next))
        level.next += 1
        guard !element.isTagged, !element.ref.isNull else { continue }
        levels.append(level)
        return element.ref
      }
    }
    return nil
  }

  private mutating func visit(_ ref: Ref) {
    guard levels.count < Self.mostLevels, let node = try? Node(ref, in: store), visited.claim(node, in: store) else {
      damagedParts += 1
      return
    }
    byteCount &+= UInt64(node.byteSize)
    if node.hasRefs, (try? node.requireRefs("a node")) != nil { levels.append(Level(node: node)) }
  }
}

extension Table {
  /// Starts adding up the bytes of this table.
  ///
  /// - Parameter visited: the bytes already found in other tables of the snapshot.
  package func byteCounting(noting visited: ByteCounting.VisitedNodes = .init()) -> ByteCounting {
    ByteCounting(root, in: store, visited)
  }
}
