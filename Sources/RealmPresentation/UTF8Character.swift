/// The meaning of the bytes at a place as UTF-8.
package struct UTF8Character {
  /// Nil for a byte that belongs to no character.
  package let scalar: Unicode.Scalar?
  /// The number of bytes used; 1 for a byte that belongs to no character.
  package let length: Int

  /// - Parameter index: a place inside `bytes`.
  package init(at index: Int, in bytes: UnsafeRawBufferPointer) {
    let lead = bytes[index]
    if lead < 0x80 {
      (scalar, length) = (Unicode.Scalar(lead), 1)
      return
    }
    let wanted = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2
    guard lead >= 0xc2, lead <= 0xf4, bytes.count - index >= wanted else {
      (scalar, length) = (nil, 1)
      return
    }
    var value = UInt32(lead) & (0x7f >> UInt32(wanted))
    for trail in bytes[index + 1..<index + wanted] {
      guard trail & 0xc0 == 0x80 else {
        (scalar, length) = (nil, 1)
        return
      }
      value = value << 6 | UInt32(trail & 0x3f)
    }
    let least: UInt32 = wanted == 2 ? 0x80 : wanted == 3 ? 0x800 : 0x10000
    // Surrogates are not scalars.
    scalar = value >= least ? Unicode.Scalar(value) : nil
    length = scalar == nil ? 1 : wanted
  }
}
