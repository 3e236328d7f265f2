/// A walk that adds up the bytes a table takes: its description, objects, values, collections and indexes.
///
/// The walk follows references without knowing what they mean, because that is what all of a table's nodes have in
/// common (Docs/Format/2-nodes-and-values.md §1.6). It goes on in steps, so that a caller can show how far it is and stop.
///
/// ```swift
/// var size = table.byteCounting()
/// while size.advance(nodes: 10_000) { show(size.byteCount) }
/// ```
public struct ByteCounting: Sendable {
  /// Bytes found so far.
  public private(set) var byteCount: UInt64 = 0
  /// Parts left out because they cannot be read.
  public private(set) var damagedParts = 0

  private let store: ByteStore
  private var levels: [Level] = []

  private struct Level {
    let node: Node
    var next = 0
  }

  /// Trees inside trees inside trees: far more levels than a real table has.
  private static let mostLevels = 512

  fileprivate init(_ root: Ref, in store: ByteStore) {
    self.store = store
    visit(root)
  }

  /// Looks at some more nodes.
  ///
  /// - Returns: whether there are more.
  public mutating func advance(nodes: Int) -> Bool {
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
    guard levels.count < Self.mostLevels, let node = try? Node(ref, in: store) else {
      damagedParts += 1
      return
    }
    byteCount &+= UInt64(node.byteSize)
    guard byteCount <= UInt64(store.count) else {
      // References in circles: nothing more that could be found is worth anything.
      (byteCount, levels) = (UInt64(store.count), [])
      return damagedParts += 1
    }
    if node.hasRefs, (try? node.requireRefs("a node")) != nil { levels.append(Level(node: node)) }
  }
}

extension Table {
  /// Starts adding up the bytes of this table.
  public func byteCounting() -> ByteCounting { ByteCounting(top.ref, in: store) }
}
