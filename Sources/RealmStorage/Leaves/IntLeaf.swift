/// Integers with null: element 0 is the value that means null in this leaf (Docs/Format/2-nodes-and-values.md §2.2).
struct NullableIntLeaf: Sendable {
  let node: Node
  let marker: Int64

  init(_ node: Node) throws {
    try node.requireBits("a leaf of optional integers")
    guard node.count > 0 else { throw StorageError.corrupted(node.ref, .wrongElementCount(expected: 1, found: 0)) }
    self.node = node
    marker = node.uncheckedInt(0)
  }

  var count: Int { node.count - 1 }

  @inline(__always)
  func value(at index: Int) throws -> Int64? {
    let value = try node.int(index &+ 1)
    return value == marker ? nil : value
  }
}

/// Integers (§2.1); booleans as 0, 1, and 3 for null (§2.3).
final class IntLeafEncoder: LeafEncoder {
  enum Content { case ints, bools }

  private let nodes: NodeEncoder
  private let content: Content
  private var values: [Int64] = []

  init(_ nodes: NodeEncoder, _ content: Content) { (self.nodes, self.content) = (nodes, content) }

  var count: Int { values.count }

  func append(_ value: ValueView) throws {
    switch (content, value) {
    case (.ints, .int(let number)): values.append(number)
    case (.bools, .bool(let flag)): values.append(flag ? 1 : 0)
    case (.bools, .null): values.append(3)
    default: throw content == .ints ? BuildError(refusing: value) : BuildError.wrongType
    }
  }

  func finish() throws -> Ref {
    defer { values.removeAll(keepingCapacity: true) }
    return try nodes.integers(values)
  }
}

/// Integers with null (§2.2).
final class NullableIntLeafEncoder: LeafEncoder {
  private let nodes: NodeEncoder
  private var values: [Int64] = []
  private var isNull: [Bool] = []

  init(_ nodes: NodeEncoder) { self.nodes = nodes }

  var count: Int { values.count }

  func append(_ value: ValueView) throws {
    switch value {
    case .int(let number): append(number)
    case .null: append(nil)
    default: throw BuildError.wrongType
    }
  }

  func append(_ number: Int64?) {
    values.append(number ?? 0)
    isNull.append(number == nil)
  }

  func finish() throws -> Ref {
    defer {
      values.removeAll(keepingCapacity: true)
      isNull.removeAll(keepingCapacity: true)
    }
    return try nodes.optionalIntegers(values, isNull: isNull)
  }
}
