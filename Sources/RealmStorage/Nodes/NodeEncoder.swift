/// Puts nodes together in memory that is used again, and hands them to an output.
///
/// This is where values turn into node bytes; what a node means is known to its callers. Layout:
/// Docs/Format/2-nodes-and-values.md §1. One thread at a time.
final class NodeEncoder {
  let output: any NodeOutput
  private var memory: UnsafeMutableRawPointer
  private var capacity: Int

  /// What the upper three bits of the header's flags say.
  struct Kind: OptionSet {
    let rawValue: UInt8
    static let inner = Kind(rawValue: 0x80)
    static let refs = Kind(rawValue: 0x40)
    static let context = Kind(rawValue: 0x20)
  }

  /// `AAAA`, the place of a checksum that was never built.
  private static let signature: UInt32 = 0x4141_4141
  private static let mostElements = 0xff_ffff

  init(_ output: any NodeOutput) {
    self.output = output
    capacity = 1 << 14
    memory = .allocate(byteCount: capacity, alignment: 16)
  }

  deinit { memory.deallocate() }

  // MARK: Nodes of integers

  /// Writes integers at the smallest width that holds them all.
  func integers(_ values: [Int64], _ kind: Kind = []) throws -> Ref {
    var low: Int64 = 0
    var high: Int64 = 0
    for value in values {
      low = min(low, value)
      high = max(high, value)
    }
    return try integers(values, width: IntegerWidth(holding: low, high), kind)
  }

  /// Writes integers that fit a width.
  func integers(_ values: [Int64], width: IntegerWidth, _ kind: Kind = []) throws -> Ref {
    let payload = try begin(
      kind.rawValue | width.rawValue, count: values.count, payloadSize: (values.count * width.bits + 7) / 8)
    values.withUnsafeBufferPointer { Self.pack($0, width, into: payload) }
    return try finish()
  }

  /// Writes refs, null ones as 0.
  func refs(_ refs: [Ref], _ kind: Kind = []) throws -> Ref {
    try integers(refs.map(\.element), kind.union(.refs))
  }

  /// Writes numbers that are read as unsigned: keys and offsets, at a width of 8 or more
  /// (Docs/Format/2-nodes-and-values.md §1.5).
  func unsigned(_ values: [UInt64]) throws -> Ref {
    let high = values.max() ?? 0
    let width: IntegerWidth = high < 1 << 8 ? .bits8 : high < 1 << 16 ? .bits16 : high < 1 << 32 ? .bits32 : .bits64
    let payload = try begin(width.rawValue, count: values.count, payloadSize: values.count * width.bits / 8)
    for (index, value) in values.enumerated() {
      Self.store(Int64(bitPattern: value), at: index, width, into: payload)
    }
    return try finish()
  }

  /// Writes nullable integers: a first element stands for null in this node.
  ///
  /// The engine compares new values with the largest of the width only, so the marker must be exactly that below 64
  /// bits (Docs/Format/2-nodes-and-values.md §2.2).
  func optionalIntegers(_ values: [Int64], isNull: [Bool]) throws -> Ref {
    var low = Int64.max
    var high = Int64.min
    for (value, isNull) in zip(values, isNull) where !isNull {
      low = min(low, value)
      high = max(high, value)
    }
    var width = IntegerWidth.none
    if low <= high {
      width = IntegerWidth(holding: low, high)
      while let wider = width.next, high == width.largest { width = wider }
    }
    let marker = width == .bits64 ? Self.absentNumber(in: values, isNull) : width.largest
    var stored = [marker]
    stored.reserveCapacity(values.count + 1)
    for (value, isNull) in zip(values, isNull) { stored.append(isNull ? marker : value) }
    return try integers(stored, width: width)
  }

  /// The largest number that does not occur: the same in every run.
  private static func absentNumber(in values: [Int64], _ isNull: [Bool]) -> Int64 {
    var candidate = Int64.max
    while zip(values, isNull).contains(where: { $0 == candidate && !$1 }) { candidate -= 1 }
    return candidate
  }

  // MARK: Nodes of bytes

  /// Writes a blob (scheme ignore), followed by a zero byte if wanted.
  func blob(_ bytes: UnsafeRawBufferPointer, isTerminated: Bool) throws -> Ref {
    let size = bytes.count + (isTerminated ? 1 : 0)
    let payload = try begin(0x11, count: size, payloadSize: size)
    if let source = bytes.baseAddress { payload.copyMemory(from: source, byteCount: bytes.count) }
    return try finish()
  }

  /// Writes a node of scheme multiply: `count` elements of `1 << (widthCode - 1)` bytes, none at width code 0.
  ///
  /// - Parameter fill: gets the payload, all zero.
  func fixed(
    count: Int, widthCode: UInt8, _ kind: Kind = [], fill: (UnsafeMutableRawBufferPointer) -> Void
  ) throws -> Ref {
    let size = count * ((1 << Int(widthCode)) >> 1)
    let payload = try begin(kind.rawValue | 0x08 | widthCode, count: count, payloadSize: size)
    fill(UnsafeMutableRawBufferPointer(start: payload, count: size))
    return try finish()
  }

  /// Writes names as fields of one width, a null field for nil (Docs/Format/3-tables-and-objects.md §1).
  func names(_ names: [RealmString?]) throws -> Ref {
    let longest = names.compactMap { $0?.utf8.count }.max() ?? 0
    let isPlain = longest == 0 && !names.contains { $0 == nil }
    guard longest < 64 else { throw BuildError.nameTooLong(names.compactMap { $0 }.first { $0.utf8.count > 63 } ?? "") }
    // A width of 0 says that all names are empty; a null needs a field.
    let code = isPlain ? 0 : ShortText.widthCode(longest: longest)
    return try fixed(count: names.count, widthCode: code) { payload in
      guard code > 0 else { return }
      let width = payload.count / names.count
      for (index, name) in names.enumerated() {
        let field = UnsafeMutableRawBufferPointer(rebasing: payload[index * width..<(index + 1) * width])
        (name?.utf8).map { $0.withUnsafeBytes { ShortText.fill(field, with: $0) } } ?? ShortText.fillNull(field)
      }
    }
  }

  // MARK: Header and padding

  /// Writes a header and gives the place of the payload, zeroed to its end and in the padding.
  private func begin(_ flags: UInt8, count: Int, payloadSize: Int) throws -> UnsafeMutableRawPointer {
    guard count <= Self.mostElements, payloadSize <= Self.mostElements * 8 else {
      throw BuildError.nodeTooLarge(elementCount: count)
    }
    let size = Node.headerSize + (payloadSize + 7) & ~7
    if size > capacity {
      memory.deallocate()
      capacity = max(size, capacity * 2)
      memory = .allocate(byteCount: capacity, alignment: 16)
    }
    nodeSize = size
    let header =
      UInt64(UInt32(truncatingIfNeeded: count)).byteSwapped | UInt64(flags) << 32 | UInt64(Self.signature)
    memory.storeBytes(of: header.littleEndian, as: UInt64.self)
    let payload = memory + Node.headerSize
    payload.initializeMemory(as: UInt8.self, repeating: 0, count: size - Node.headerSize)
    return payload
  }

  /// Bytes of the node that was begun last.
  private var nodeSize = 0

  private func finish() throws -> Ref {
    try output.append(UnsafeRawBufferPointer(start: memory, count: nodeSize))
  }

  // MARK: Packing

  @inline(__always)
  private static func store(_ value: Int64, at index: Int, _ width: IntegerWidth, into payload: UnsafeMutableRawPointer)
  {
    switch width {
    case .bits8: payload.storeBytes(of: Int8(truncatingIfNeeded: value), toByteOffset: index, as: Int8.self)
    case .bits16:
      payload.storeBytes(of: Int16(truncatingIfNeeded: value).littleEndian, toByteOffset: index << 1, as: Int16.self)
    case .bits32:
      payload.storeBytes(of: Int32(truncatingIfNeeded: value).littleEndian, toByteOffset: index << 2, as: Int32.self)
    case .bits64: payload.storeBytes(of: value.littleEndian, toByteOffset: index << 3, as: Int64.self)
    case .none, .bits1, .bits2, .bits4:
      // Packed from the low bits of each byte upwards; the payload is zero before.
      let bits = width.bits
      guard bits > 0 else { return }
      let position = index * bits
      let shifted = UInt8(truncatingIfNeeded: value) << UInt8(position & 7)
      let byte = payload.load(fromByteOffset: position >> 3, as: UInt8.self)
      payload.storeBytes(of: byte | shifted, toByteOffset: position >> 3, as: UInt8.self)
    }
  }

  private static func pack(
    _ values: UnsafeBufferPointer<Int64>, _ width: IntegerWidth, into payload: UnsafeMutableRawPointer
  ) {
    for index in values.indices { store(values[index], at: index, width, into: payload) }
  }
}

extension Ref {
  /// What stands for this ref in a node of references.
  var element: Int64 { Int64(bitPattern: rawValue) }
}

extension Int64 {
  /// What stands for a number in a node of references (Docs/Format/2-nodes-and-values.md §1.6).
  static func tagged(_ number: UInt64) -> Int64 { Int64(bitPattern: number << 1 | 1) }
}

/// The widths of integers in a node (Docs/Format/2-nodes-and-values.md §1.4).
enum IntegerWidth: UInt8 {
  case none = 0
  case bits1, bits2, bits4, bits8, bits16, bits32, bits64

  /// The smallest width that holds all numbers of a range.
  init(holding low: Int64, _ high: Int64) {
    self =
      if low < 0 || high > 15 {
        Int8(exactly: low) != nil && Int8(exactly: high) != nil
          ? .bits8
          : Int16(exactly: low) != nil && Int16(exactly: high) != nil
            ? .bits16
            : Int32(exactly: low) != nil && Int32(exactly: high) != nil ? .bits32 : .bits64
      } else {
        high > 3 ? .bits4 : high > 1 ? .bits2 : high > 0 ? .bits1 : .none
      }
  }

  var bits: Int { (1 << Int(rawValue)) >> 1 }

  /// The next larger width.
  var next: IntegerWidth? { IntegerWidth(rawValue: rawValue + 1) }

  /// The largest number of this width; widths below 8 are unsigned.
  var largest: Int64 {
    switch self {
    case .none: 0
    case .bits1, .bits2, .bits4: 1 << Int64(bits) - 1
    default: Int64.max >> Int64(64 - bits)
    }
  }
}

/// Texts in fields of one width whose last byte counts the zeros before it (Docs/Format/2-nodes-and-values.md §2.8).
enum ShortText {
  /// The smallest width of 1, 2, 4 … 64 bytes, as a code of the header, that exceeds the longest text.
  static func widthCode(longest: Int) -> UInt8 {
    var code: UInt8 = 1
    while (1 << Int(code)) >> 1 <= longest { code += 1 }
    return code
  }

  /// Fills a field of zeros that is longer than the text.
  @inline(__always)
  static func fill(_ field: UnsafeMutableRawBufferPointer, with text: UnsafeRawBufferPointer) {
    field.copyMemory(from: text)
    field[field.count - 1] = UInt8(truncatingIfNeeded: field.count - 1 - text.count)
  }

  @inline(__always)
  static func fillNull(_ field: UnsafeMutableRawBufferPointer) {
    field[field.count - 1] = UInt8(truncatingIfNeeded: field.count)
  }
}
