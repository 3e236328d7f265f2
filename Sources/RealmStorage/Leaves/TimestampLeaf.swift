/// Seconds and nanoseconds in two parallel leaves (Docs/Format/2-nodes-and-values.md §2.5).
struct TimestampLeaf: Sendable {
  let seconds: NullableIntLeaf
  let nanoseconds: Node

  init(_ node: Node, in store: borrowing ByteStore) throws {
    try node.requireRefs("a leaf of dates")
    guard node.count == 2 else {
      throw StorageError.corrupted(node.ref, .wrongElementCount(expected: 2, found: node.count))
    }
    seconds = try NullableIntLeaf(Node(node.childRef(0), in: store))
    nanoseconds = try Node(node.childRef(1), in: store)
    try nanoseconds.requireBits("nanoseconds of a leaf of dates")
    guard nanoseconds.count == seconds.count else {
      throw StorageError.corrupted(
        nanoseconds.ref, .wrongElementCount(expected: seconds.count, found: nanoseconds.count))
    }
  }

  var count: Int { seconds.count }

  @inline(__always)
  func value(at index: Int) throws -> Timestamp? {
    guard let whole = try seconds.value(at: index) else { return nil }
    return try Timestamp(checking: whole, nanoseconds: nanoseconds.int(index), at: nanoseconds.ref)
  }
}

extension Timestamp {
  /// - Throws: `valueOutOfRange` unless both parts agree in sign and there are less than 10^9 nanoseconds.
  @inline(__always)
  init(checking seconds: Int64, nanoseconds: Int64, at ref: Ref) throws {
    guard Self.areValid(seconds, nanoseconds) else {
      throw StorageError.corrupted(ref, .valueOutOfRange("nanoseconds of a date"))
    }
    self.init(unchecked: seconds, Int32(truncatingIfNeeded: nanoseconds))
  }
}

/// Dates: seconds as nullable integers, also where null is not allowed, and nanoseconds (§2.5).
final class TimestampLeafEncoder: LeafEncoder {
  private let nodes: NodeEncoder
  private let seconds: NullableIntLeafEncoder
  private var nanoseconds: [Int64] = []

  init(_ nodes: NodeEncoder) {
    self.nodes = nodes
    seconds = NullableIntLeafEncoder(nodes)
  }

  var count: Int { nanoseconds.count }

  func append(_ value: ValueView) throws {
    switch value {
    case .date(let date):
      seconds.append(date.seconds)
      nanoseconds.append(Int64(date.nanoseconds))
    case .null:
      seconds.append(nil)
      nanoseconds.append(0)
    default: throw BuildError.wrongType
    }
  }

  func finish() throws -> Ref {
    defer { nanoseconds.removeAll(keepingCapacity: true) }
    let children = [try seconds.finish(), try nodes.integers(nanoseconds)]
    return try nodes.refs(children)
  }
}
