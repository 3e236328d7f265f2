/// Object ids or UUIDs: blocks of a null bitmap and up to eight values (Docs/Format/2-nodes-and-values.md §2.6).
struct FixedBytesLeaf: Sendable {
  private let node: Node
  /// Bytes of one value: 12 or 16.
  private let valueSize: Int
  let count: Int

  init(_ node: Node, valueSize: Int) throws {
    guard !node.hasRefs, node.scheme == .multiply, node.width == 1 || node.count == 0 else {
      throw StorageError.corrupted(node.ref, .unexpectedNodeKind(expected: "a leaf of object ids or UUIDs"))
    }
    self.node = node
    self.valueSize = valueSize
    let blockSize = 8 * valueSize + 1
    count = (node.count - (node.count + blockSize - 1) / blockSize) / valueSize
    let expected = count * valueSize + (count + 7) / 8
    guard expected == node.count else {
      throw StorageError.corrupted(node.ref, .wrongElementCount(expected: expected, found: node.count))
    }
  }

  /// The byte position of value `index`; nil for null.
  @inline(__always)
  private func position(of index: Int) throws -> Int? {
    guard index >= 0, index < count else {
      throw StorageError.corrupted(node.ref, .indexOutOfRange(index, count: count))
    }
    let block = (index >> 3) * (8 * valueSize + 1)
    guard let bitmap = node.value(UInt8.self, atByte: block), bitmap >> UInt8(index & 7) & 1 == 0 else { return nil }
    return block + 1 + (index & 7) * valueSize
  }

  func objectID(at index: Int) throws -> ObjectID? {
    guard let position = try position(of: index) else { return nil }
    return ObjectID(node.bytes, at: position)
  }

  func uuid(at index: Int) throws -> RealmUUID? {
    guard let position = try position(of: index) else { return nil }
    return RealmUUID(node.bytes, at: position)
  }
}

extension ObjectID {
  /// The twelve bytes from `position` on; nil if there are fewer.
  init?(_ bytes: UnsafeRawBufferPointer, at position: Int = 0) {
    guard position >= 0, bytes.count - position >= 12 else { return nil }
    self.init(
      head: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)),
      tail: UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: position + 8, as: UInt32.self)))
  }
}

extension RealmUUID {
  /// The sixteen bytes from `position` on; nil if there are fewer.
  init?(_ bytes: UnsafeRawBufferPointer, at position: Int = 0) {
    guard position >= 0, bytes.count - position >= 16 else { return nil }
    self.init(
      head: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)),
      tail: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: position + 8, as: UInt64.self)))
  }
}

/// Object ids or UUIDs in blocks of a null bitmap and up to eight values (§2.6).
final class FixedBytesLeafEncoder: LeafEncoder {
  private let nodes: NodeEncoder
  private let valueSize: Int
  private(set) var count = 0
  private var bytes: [UInt8] = []
  /// Where the bitmap of the last block is.
  private var bitmap = 0

  init(_ nodes: NodeEncoder, valueSize: Int) {
    self.nodes = nodes
    self.valueSize = valueSize
  }

  func append(_ value: ValueView) throws {
    let position = UInt8(count & 7)
    if position == 0 {
      bitmap = bytes.count
      bytes.append(0)
    }
    switch value {
    case .objectID(let id) where valueSize == 12:
      withUnsafeBytes(of: id.head.bigEndian) { bytes.append(contentsOf: $0) }
      withUnsafeBytes(of: id.tail.bigEndian) { bytes.append(contentsOf: $0) }
    case .uuid(let uuid) where valueSize == 16:
      withUnsafeBytes(of: uuid.head.bigEndian) { bytes.append(contentsOf: $0) }
      withUnsafeBytes(of: uuid.tail.bigEndian) { bytes.append(contentsOf: $0) }
    case .null:
      bytes[bitmap] |= 1 << position
      bytes.append(contentsOf: repeatElement(0, count: valueSize))
    default: throw BuildError.wrongType
    }
    count += 1
  }

  func finish() throws -> Ref {
    defer {
      bytes.removeAll(keepingCapacity: true)
      count = 0
    }
    return try nodes.fixed(count: bytes.count, widthCode: bytes.isEmpty ? 0 : 1) { payload in
      bytes.withUnsafeBytes(payload.copyMemory)
    }
  }
}
