import TestSupport

/// Every single damage of a small realm: each block zeroed, and each header, size, flag, ref and tagged number of each
/// node that the live root leads to changed in all the ways that matter.
package struct SingleDamages {
  /// In the order of the file; the same for the same bytes.
  package private(set) var all: [Mutation] = []

  private let bytes: [UInt8]
  private let nodes: [RealmNodes.Node]

  package init(_ bytes: [UInt8], blockSize: Int = 64) {
    self.bytes = bytes
    nodes = RealmNodes(bytes).all.sorted { $0.offset < $1.offset }
    addBlocks(of: blockSize)
    for place in 0..<24 {
      for new in [0, 0xff, bytes[place] ^ 1] { add(.header, "byte \(place) of the header", at: place, [new]) }
    }
    for node in nodes {
      addHeaders(of: node)
      addElements(of: node)
    }
  }

  private mutating func add(_ target: Mutation.Target, _ place: String, at offset: Int, _ new: [UInt8]) {
    let old = bytes[offset..<offset + new.count]
    guard !old.elementsEqual(new) else { return }
    let text = "\(place) at 0x\(String(offset, radix: 16)): \(Array(old).hex) becomes \(new.hex)"
    all.append(Mutation(target: target, description: text, offset: offset, replacement: new))
  }

  private mutating func addBlocks(of size: Int) {
    for start in stride(from: 0, to: bytes.count, by: size) {
      let zeros = [UInt8](repeating: 0, count: min(size, bytes.count - start))
      add(.bit, "block of \(zeros.count) bytes", at: start, zeros)
    }
  }

  private mutating func addHeaders(of node: RealmNodes.Node) {
    let place = "node 0x\(String(node.offset, radix: 16)) of \(node.count) elements, flags \([node.flags].hex)"
    add(.nodeFlags, "head of \(place)", at: node.offset, [UInt8](repeating: 0, count: 8))
    for bit in 0..<8 { add(.nodeFlags, "flags of \(place)", at: node.offset + 4, [node.flags ^ 1 << UInt8(bit)]) }
    for width in 0..<UInt8(8) {
      add(.nodeFlags, "width of \(place)", at: node.offset + 4, [node.flags & 0xf8 | width])
    }
    for count in [0, node.count - 1, node.count + 1, node.count * 2, node.count ^ 0x100, 0xff_ffff] where count >= 0 {
      let size = [UInt8(count >> 16 & 0xff), UInt8(count >> 8 & 0xff), UInt8(count & 0xff)]
      add(.nodeCount, "size of \(place)", at: node.offset + 5, size)
    }
  }

  private mutating func addElements(of node: RealmNodes.Node) {
    guard node.hasRefs, node.hasElements, node.width >= 8 else { return }
    let size = node.width / 8
    for index in 0..<node.count {
      let offset = node.offset + 8 + index * size
      let old = RealmNodes.number(bytes, at: offset, size: size)
      let place = "element \(index) of node 0x\(String(node.offset, radix: 16))"
      let isRef = old & 1 == 0
      guard old != 0 else { continue }
      let other = UInt64(nodes[(index + node.count * 7) % nodes.count].offset)
      let changes: [UInt64] =
        isRef
        ? [0, old | 1, old &+ 8, old &- 8, old ^ 4, UInt64(node.offset), other, other ^ 0x100]
        : [0, 1, old &+ 2, old &- 2, old & ~1, old << 1 | 1, .max]
      for new in changes {
        add(
          isRef ? .ref : .tagged, place, at: offset, (0..<size).map { UInt8(truncatingIfNeeded: new >> UInt64(8 * $0)) }
        )
      }
    }
  }
}

extension [UInt8] {
  fileprivate var hex: String {
    prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ") + (count > 8 ? " …" : "")
  }
}
