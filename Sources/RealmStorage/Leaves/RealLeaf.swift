/// Floats or doubles side by side (Docs/Format/2-nodes-and-values.md §2.4).
extension Node {
  /// This node, if it contains floats or doubles. Their size in bytes is implied by the type; a node with scheme bits
  /// and the same width reads the same (Docs/Format/2-nodes-and-values.md §10).
  func requiringReals(size: Int) throws -> Node {
    guard !hasRefs, scheme != .ignore, payloadSize >= count * size else {
      throw StorageError.corrupted(ref, .unexpectedNodeKind(expected: "a leaf of numbers of \(size) bytes"))
    }
    return self
  }

  @inline(__always)
  func float(at index: Int) throws -> ValueView {
    let bits = try word(UInt32.self, at: index)
    return bits == Float.nullBits ? .null : .float(Float(bitPattern: bits))
  }

  @inline(__always)
  func double(at index: Int) throws -> ValueView {
    let bits = try word(UInt64.self, at: index)
    return bits == Double.nullBits ? .null : .double(Double(bitPattern: bits))
  }

  @inline(__always)
  private func word<Word: FixedWidthInteger & BitwiseCopyable>(_ type: Word.Type, at index: Int) throws -> Word {
    try requireIndex(index)
    guard let stored = value(type, atByte: index * MemoryLayout<Word>.size) else {
      throw StorageError.corrupted(ref, .indexOutOfRange(index, count: count))
    }
    return Word(littleEndian: stored)
  }
}

/// Floats or doubles (Docs/Format/2-nodes-and-values.md §2.4); null is a NaN of its own.
final class RealLeafEncoder: LeafEncoder {
  enum Content { case floats, doubles }

  private let nodes: NodeEncoder
  private let content: Content
  private var bits: [UInt64] = []

  init(_ nodes: NodeEncoder, _ content: Content) { (self.nodes, self.content) = (nodes, content) }

  var count: Int { bits.count }

  func append(_ value: ValueView) throws {
    switch (content, value) {
    case (.floats, .float(let number)): bits.append(UInt64(number.bitPattern))
    case (.doubles, .double(let number)): bits.append(number.bitPattern)
    case (.floats, .null): bits.append(UInt64(Float.nullBits))
    case (.doubles, .null): bits.append(Double.nullBits)
    default: throw BuildError.wrongType
    }
  }

  func finish() throws -> Ref {
    defer { bits.removeAll(keepingCapacity: true) }
    return try nodes.fixed(count: bits.count, widthCode: content == .floats ? 3 : 4) { payload in
      for (index, bits) in bits.enumerated() {
        switch content {
        case .floats:
          payload.storeBytes(
            of: UInt32(truncatingIfNeeded: bits).littleEndian, toByteOffset: index * 4, as: UInt32.self)
        case .doubles: payload.storeBytes(of: bits.littleEndian, toByteOffset: index * 8, as: UInt64.self)
        }
      }
    }
  }
}

extension Float {
  /// The NaN that means null.
  static let nullBits: UInt32 = 0x7fc0_00aa
}

extension Double {
  /// The NaN that means null.
  static let nullBits: UInt64 = 0x7ff8_0000_0000_00aa
}
