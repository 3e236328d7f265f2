/// Reads nodes out of the bytes of a realm.
struct ByteReader {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func number(at offset: Int, size: Int = 8) -> UInt64 {
    (0..<size).reduce(0) { $0 | UInt64(bytes[offset + $1]) << UInt64(8 * $1) }
  }

  /// A node with everything below.
  func node(at ref: UInt64, _ loaded: inout [UInt64: EditableNode]) throws -> EditableNode {
    if let node = loaded[ref] { return node }
    let offset = Int(ref)
    guard offset >= 24, offset + 8 <= bytes.count else { throw NodeTree.Problem("ref \(ref) outside the file") }
    let flags = bytes[offset + 4]
    let count = Int(bytes[offset + 5]) << 16 | Int(bytes[offset + 6]) << 8 | Int(bytes[offset + 7])
    let width = (1 << Int(flags & 7)) >> 1
    let node = EditableNode(flags: flags & 0xf8, width: width, content: .numbers([]))
    node.signature = Array(bytes[offset..<offset + 4])
    loaded[ref] = node
    if flags & 0x18 == 0 {
      let numbers = (0..<count).map { element(offset + 8, $0, width) }
      guard flags & 0x40 != 0 else {
        node.values = numbers
        return node
      }
      node.elements = try numbers.map { value in
        value == 0 || value & 1 != 0
          ? .raw(value) : .child(try self.node(at: UInt64(bitPattern: value), &loaded))
      }
      // References are written with the smallest width.
      node.width = 0
    } else {
      let size = flags & 0x18 == 0x08 ? count * width : count
      node.content = .bytes(Array(bytes[offset + 8..<offset + 8 + size]), count: count)
    }
    return node
  }

  /// An element of scheme 0, signed at widths of 8 and more.
  private func element(_ start: Int, _ index: Int, _ width: Int) -> Int64 {
    guard width > 0 else { return 0 }
    guard width >= 8 else {
      let bit = index * width
      return Int64(bytes[start + bit / 8] >> UInt8(bit % 8)) & Int64(1 << width - 1)
    }
    let size = width / 8
    let raw = number(at: start + index * size, size: size)
    return Int64(bitPattern: raw << UInt64(64 - width)) >> Int64(64 - width)
  }
}

/// Writes nodes one after another, children before parents.
struct NodeWriter {
  /// Room for the header first.
  private(set) var bytes = [UInt8](repeating: 0, count: 24)
  private var written: [ObjectIdentifier: UInt64] = [:]

  static func littleEndian(_ value: UInt64, _ size: Int) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
  }

  mutating func write(_ node: EditableNode) -> UInt64 {
    if let ref = written[ObjectIdentifier(node)] { return ref }
    var numbers: [Int64]?
    switch node.content {
    case .elements(let elements):
      numbers = elements.map { element in
        switch element {
        case .raw(let raw): raw
        case .child(let child): Int64(write(child))
        }
      }
    case .numbers(let values): numbers = values
    case .bytes: break
    }
    let ref = UInt64(bytes.count)
    written[ObjectIdentifier(node)] = ref
    let width = numbers.map { max(node.width, Self.width(of: $0)) } ?? node.width
    append(header: node, width: width)
    if let numbers { append(numbers, width: width) } else { bytes.append(contentsOf: node.bytes) }
    while bytes.count % 8 != 0 { bytes.append(0) }
    return ref
  }

  private mutating func append(header node: EditableNode, width: Int) {
    let code = width == 0 ? 0 : UInt8(width.trailingZeroBitCount + 1)
    let count = node.claimedCount ?? node.count
    bytes.append(contentsOf: node.signature)
    bytes.append(node.flags & 0xf8 | (node.flags & 0x18 == 0x10 ? 1 : code))
    bytes.append(contentsOf: [UInt8(count >> 16 & 0xff), UInt8(count >> 8 & 0xff), UInt8(count & 0xff)])
  }

  private mutating func append(_ numbers: [Int64], width: Int) {
    guard width < 8 else {
      for number in numbers { bytes.append(contentsOf: Self.littleEndian(UInt64(bitPattern: number), width / 8)) }
      return
    }
    guard width > 0 else { return }
    var (byte, filled) = (UInt8(0), 0)
    for number in numbers {
      byte |= UInt8(truncatingIfNeeded: number) << UInt8(filled)
      filled += width
      if filled == 8 {
        bytes.append(byte)
        (byte, filled) = (0, 0)
      }
    }
    if filled > 0 { bytes.append(byte) }
  }

  /// The smallest width that holds every number (Docs/Format/2-nodes-and-values.md §1.4).
  static func width(of numbers: [Int64]) -> Int {
    guard let low = numbers.min(), let high = numbers.max() else { return 0 }
    if low >= 0, high < 16 { return high == 0 ? 0 : high == 1 ? 1 : high < 4 ? 2 : 4 }
    for width in [8, 16, 32] where low >= -(1 << (width - 1)) && high < 1 << (width - 1) { return width }
    return 64
  }
}
