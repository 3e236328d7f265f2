/// The nodes of an undamaged realm that can be reached from its root, by their places.
///
/// Reads bytes on its own, so that what changes them owes nothing to what is tested.
struct RealmNodes {
  /// A node and what its header says.
  struct Node {
    let offset: Int
    let flags: UInt8
    let count: Int

    var hasRefs: Bool { flags & 0x40 != 0 }
    /// Elements are numbers or refs, `width` bits each; otherwise the payload is bytes.
    var hasElements: Bool { flags & 0x18 == 0 }
    /// Bits of an element, or bytes in nodes of fixed fields.
    var width: Int { (1 << Int(flags & 7)) >> 1 }

    var payloadSize: Int {
      switch flags & 0x18 {
      case 0: (count * width + 7) / 8
      case 0x08: count * width
      default: count
      }
    }
  }

  private(set) var all: [Node] = []

  init(_ bytes: [UInt8]) {
    guard bytes.count >= 24 else { return }
    let isSecond = bytes[23] & 1 != 0
    var top = Self.number(bytes, at: isSecond ? 8 : 0, size: 8)
    if !isSecond, top == .max { top = Self.number(bytes, at: bytes.count - 16, size: 8) }
    var seen: Set<Int> = []
    var waiting = [Int(clamping: top)]
    while let offset = waiting.popLast() {
      guard offset >= 24, offset % 8 == 0, offset <= bytes.count - 8, seen.insert(offset).inserted else { continue }
      let count = Int(bytes[offset + 5]) << 16 | Int(bytes[offset + 6]) << 8 | Int(bytes[offset + 7])
      let node = Node(offset: offset, flags: bytes[offset + 4], count: count)
      guard node.payloadSize <= bytes.count - offset - 8 else { continue }
      all.append(node)
      guard node.hasRefs, node.hasElements, node.width >= 8 else { continue }
      for index in 0..<node.count {
        let element = Self.number(bytes, at: offset + 8 + index * node.width / 8, size: node.width / 8)
        if element != 0, element & 1 == 0 { waiting.append(Int(clamping: element)) }
      }
    }
  }

  static func number(_ bytes: [UInt8], at offset: Int, size: Int) -> UInt64 {
    var number: UInt64 = 0
    for byte in 0..<size where offset + byte < bytes.count {
      number |= UInt64(bytes[offset + byte]) << UInt64(8 * byte)
    }
    return number
  }
}
