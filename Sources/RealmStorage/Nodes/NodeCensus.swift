import RealmSystem

/// What is odd about a node, whatever it means (Docs/Format/2-nodes-and-values.md §9, checks 1–3).
package struct NodeOddities: OptionSet, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// It ends behind the end of the realm.
  package static let outside = NodeOddities(rawValue: 1)
  /// It does not begin with AAAA.
  package static let signature = NodeOddities(rawValue: 2)
  /// It has references of another scheme than theirs.
  package static let scheme = NodeOddities(rawValue: 4)
  /// It is the inner node of a tree, and has no references.
  package static let inner = NodeOddities(rawValue: 8)
  /// It has more bytes than engines handle.
  package static let size = NodeOddities(rawValue: 16)
  /// It lies in two sections of a file that was not written in one go.
  package static let section = NodeOddities(rawValue: 32)
}

/// The space of nodes: what a walk that visits every node of a realm once finds out, apart from what the nodes mean.
///
/// It needs one bit per eight bytes.
package final class NodeCensus {
  package let space: SpaceMap
  package private(set) var nodeCount = 0
  /// Bytes of nodes; bytes that several nodes share count once.
  package private(set) var byteCount: UInt64 = 0
  /// Whether no node is odd, and none meets another.
  package private(set) var isPlain = true
  /// The roots of trees that were visited as a whole.
  package private(set) var roots: [Ref] = []
  private let logicalSize: UInt64
  private let isFirstCopy: Bool
  private let expectsSignature: Bool

  private static let largestBlob = 0xff_fff0
  private static let sectionShift: UInt64 = 26

  /// - Parameters:
  ///   - store: the realm.
  ///   - logicalSize: nodes must end before it.
  ///   - isFirstCopy: the file was written in one go; only there nodes may cross sections by right.
  ///   - expectsSignature: formats 2–9 have other numbers where nodes start (Docs/Format/4-file-versions.md §2.1).
  package init(_ store: ByteStore, logicalSize: UInt64, isFirstCopy: Bool, expectsSignature: Bool) throws {
    (self.logicalSize, self.isFirstCopy, self.expectsSignature) = (logicalSize, isFirstCopy, expectsSignature)
    space = try SpaceMap(byteCount: UInt64(store.count))
  }

  /// Counts a node and marks its bytes.
  ///
  /// - Returns: what is odd about it, and how many of its bytes were marked before.
  @discardableResult
  package func add(_ node: Node) -> (oddities: NodeOddities, marked: UInt64) {
    let size = node.byteSize
    let marked = space.mark(from: node.ref.rawValue, length: UInt64(size))
    byteCount &+= UInt64(size) &- min(marked, UInt64(size))
    nodeCount &+= 1
    let oddities = isUsual(node, size) ? [] : oddities(of: node, size)
    if marked > 0 || !oddities.isEmpty { isPlain = false }
    return (oddities, marked)
  }

  /// Takes back the last node, which was counted before.
  package func removeLast() { nodeCount &-= 1 }

  /// A node is as deep below a root as a walk goes: one that begins at the top array does not get there.
  package func noteDepth() { isPlain = false }

  /// Everything below a root was visited.
  package func finish(_ root: Ref) { roots.append(root) }

  /// Whether a node is like nearly all, which are not odd.
  @inline(__always)
  private func isUsual(_ node: Node, _ size: Int) -> Bool {
    let end = node.ref.rawValue &+ UInt64(size)
    return end <= logicalSize && (node.hasSignature || !expectsSignature)
      && (node.hasRefs ? node.isOfBits : !node.isInner) && size <= Self.largestBlob
      && (isFirstCopy || node.ref.rawValue >> Self.sectionShift == (end &- 1) >> Self.sectionShift)
  }

  @inline(never)
  private func oddities(of node: Node, _ size: Int) -> NodeOddities {
    var oddities: NodeOddities = []
    let end = node.ref.rawValue &+ UInt64(size)
    if end > logicalSize { oddities.insert(.outside) }
    if expectsSignature, !node.hasSignature { oddities.insert(.signature) }
    if node.hasRefs, !node.isOfBits { oddities.insert(.scheme) }
    if node.isInner, !node.hasRefs { oddities.insert(.inner) }
    if size >= NodeHeader.nodeSizeLimit || (node.scheme == .ignore && node.count > Self.largestBlob) {
      oddities.insert(.size)
    }
    if !isFirstCopy, node.ref.rawValue >> Self.sectionShift != (end &- 1) >> Self.sectionShift {
      oddities.insert(.section)
    }
    return oddities
  }
}

/// A census that one thread takes, and others wait for.
package final class PromisedCensus: @unchecked Sendable {
  private let monitor = Monitor()
  private var census: NodeCensus?
  private var isThere = false

  package init() {}

  /// Only the first one counts.
  ///
  /// - Parameter census: nil if there is none to wait for; one that nobody adds to any more.
  package func fulfil(_ census: NodeCensus?) {
    monitor.change {
      guard !isThere else { return }
      (self.census, isThere) = (census, true)
    }
  }

  /// Waits for it.
  package func get() -> NodeCensus? { monitor.wait(until: { isThere }) { census } }
}
