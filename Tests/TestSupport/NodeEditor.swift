/// Changes single bytes, header fields and elements of a realm in place.
///
/// For damage of places: header, refs, free list. Damage of meanings is easier with `NodeTree`.
package struct NodeEditor {
  package var bytes: [UInt8]

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package func number(at offset: Int, size: Int = 8) -> UInt64 { ByteReader(bytes).number(at: offset, size: size) }

  package mutating func setNumber(_ value: UInt64, at offset: Int, size: Int = 8) {
    bytes.replaceSubrange(offset..<offset + size, with: NodeWriter.littleEndian(value, size))
  }

  /// The root of the live snapshot.
  package var top: Int {
    let isSecond = bytes[23] & 1 != 0
    let ref = number(at: isSecond ? 8 : 0)
    return Int(ref == .max ? number(at: bytes.count - 16) : ref)
  }

  // MARK: Nodes

  package func count(_ ref: Int) -> Int {
    Int(bytes[ref + 5]) << 16 | Int(bytes[ref + 6]) << 8 | Int(bytes[ref + 7])
  }

  package mutating func setCount(_ count: Int, of ref: Int) {
    bytes.replaceSubrange(
      ref + 5..<ref + 8, with: [UInt8(count >> 16 & 0xff), UInt8(count >> 8 & 0xff), UInt8(count & 0xff)])
  }

  /// Byte 4 of the header.
  package mutating func setFlags(_ flags: UInt8, of ref: Int) { bytes[ref + 4] = flags }

  /// An element of a node whose width is 8 or more.
  package func element(_ ref: Int, _ index: Int) -> Int64 {
    let size = elementSize(ref)
    let shift = Int64(64 - 8 * size)
    return (Int64(bitPattern: number(at: ref + 8 + index * size, size: size)) << shift) >> shift
  }

  /// Sets an element of a node whose width is 8 or more; the high bytes of what does not fit are lost.
  package mutating func setElement(_ ref: Int, _ index: Int, to value: Int64) {
    let size = elementSize(ref)
    setNumber(UInt64(bitPattern: value), at: ref + 8 + index * size, size: size)
  }

  private func elementSize(_ ref: Int) -> Int { (1 << Int(bytes[ref + 4] & 7)) >> 4 }

  /// The node that child slots lead to from the root.
  package func node(_ path: Int...) -> Int {
    path.reduce(top) { ref, slot in Int(element(ref, slot)) }
  }
}
