/// Collects the values of one leaf and writes it: the counterpart of `Leaf`.
///
/// An encoder is used for leaf after leaf; `finish` leaves it empty and keeps its memory. There is one for each encoding
/// of Docs/Format/2-nodes-and-values.md §2; each writes the smallest form that the engine would.
protocol LeafEncoder: AnyObject {
  /// Values since the last `finish`.
  var count: Int { get }

  /// - Throws: `BuildError.wrongType` for a value the leaf cannot hold, `nullForRequired`, `valueTooLong`.
  func append(_ value: ValueView) throws

  /// Writes the leaf.
  func finish() throws -> Ref
}

extension ElementType {
  /// The encoder of a leaf of single values, or of a collection's elements.
  func leafEncoder(inCollection: Bool, _ nodes: NodeEncoder) -> any LeafEncoder {
    switch code {
    case .int where isNullable: NullableIntLeafEncoder(nodes)
    case .int: IntLeafEncoder(nodes)
    case .bool: BoolLeafEncoder(nodes)
    case .float: FloatLeafEncoder(nodes)
    case .double: DoubleLeafEncoder(nodes)
    case .string: StringLeafEncoder(nodes, .text)
    case .binary: StringLeafEncoder(nodes, .data)
    case .timestamp: TimestampLeafEncoder(nodes)
    case .decimal: DecimalLeafEncoder(nodes)
    case .objectID: FixedBytesLeafEncoder(nodes, valueSize: 12)
    case .uuid: FixedBytesLeafEncoder(nodes, valueSize: 16)
    case .link, .linkList: LinkLeafEncoder(nodes, target: target, inCollection: inCollection)
    case .mixed, .typedLink, .list, .dictionary, .backlink: MixedLeafEncoder(nodes)
    }
  }
}

/// Integers (§2.1).
final class IntLeafEncoder: LeafEncoder {
  private let nodes: NodeEncoder
  private var values: [Int64] = []

  init(_ nodes: NodeEncoder) { self.nodes = nodes }

  var count: Int { values.count }

  func append(_ value: ValueView) throws {
    guard case .int(let number) = value else { throw BuildError(refusing: value) }
    values.append(number)
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

/// Booleans: 0, 1, and 3 for null (§2.3).
final class BoolLeafEncoder: LeafEncoder {
  private let nodes: NodeEncoder
  private var values: [Int64] = []

  init(_ nodes: NodeEncoder) { self.nodes = nodes }

  var count: Int { values.count }

  func append(_ value: ValueView) throws {
    switch value {
    case .bool(let flag): values.append(flag ? 1 : 0)
    case .null: values.append(3)
    default: throw BuildError.wrongType
    }
  }

  func finish() throws -> Ref {
    defer { values.removeAll(keepingCapacity: true) }
    return try nodes.integers(values)
  }
}

/// Floats (§2.4); null is a NaN of its own.
final class FloatLeafEncoder: LeafEncoder {
  private let nodes: NodeEncoder
  private var bits: [UInt32] = []

  init(_ nodes: NodeEncoder) { self.nodes = nodes }

  var count: Int { bits.count }

  func append(_ value: ValueView) throws {
    switch value {
    case .float(let number): bits.append(number.bitPattern.littleEndian)
    case .null: bits.append(UInt32(0x7fc0_00aa).littleEndian)
    default: throw BuildError.wrongType
    }
  }

  func finish() throws -> Ref {
    defer { bits.removeAll(keepingCapacity: true) }
    return try nodes.fixed(count: bits.count, widthCode: 3) { payload in bits.withUnsafeBytes(payload.copyMemory) }
  }
}

/// Doubles (§2.4); null is a NaN of its own.
final class DoubleLeafEncoder: LeafEncoder {
  private let nodes: NodeEncoder
  private var bits: [UInt64] = []

  init(_ nodes: NodeEncoder) { self.nodes = nodes }

  var count: Int { bits.count }

  func append(_ value: ValueView) throws {
    switch value {
    case .double(let number): bits.append(number.bitPattern.littleEndian)
    case .null: bits.append(UInt64(0x7ff8_0000_0000_00aa).littleEndian)
    default: throw BuildError.wrongType
    }
  }

  func finish() throws -> Ref {
    defer { bits.removeAll(keepingCapacity: true) }
    return try nodes.fixed(count: bits.count, widthCode: 4) { payload in bits.withUnsafeBytes(payload.copyMemory) }
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

/// Links: object keys, plus one where 0 stands for null (§2.12).
final class LinkLeafEncoder: LeafEncoder {
  private let nodes: NodeEncoder
  private let target: TableKey
  private let inCollection: Bool
  private var keys: [Int64] = []
  /// Whether a link to a tombstone is among the values; the root of such a collection carries a flag (§5.6).
  private var hasUnresolved = false

  init(_ nodes: NodeEncoder, target: TableKey, inCollection: Bool) {
    self.nodes = nodes
    self.target = target
    self.inCollection = inCollection
  }

  var count: Int { keys.count }

  func append(_ value: ValueView) throws {
    switch value {
    case .link(target, let key):
      keys.append(inCollection ? key.rawValue : key.rawValue &+ 1)
      if key.rawValue < 0 { hasUnresolved = true }
    case .null where !inCollection: keys.append(0)
    default: throw BuildError(refusing: value)
    }
  }

  func finish() throws -> Ref {
    defer {
      keys.removeAll(keepingCapacity: true)
      hasUnresolved = false
    }
    return try nodes.integers(keys, inCollection && hasUnresolved ? .context : [])
  }
}

extension BuildError {
  /// The error for a value that does not fit where null does not fit either.
  init(refusing value: ValueView) {
    if case .null = value { self = .nullForRequired } else { self = .wrongType }
  }
}
