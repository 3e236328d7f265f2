import RealmStorage

/// Bytes as Base64 (RFC 4648).
public enum Base64 {
  /// The bytes that the text encodes; nil if it is not Base64.
  ///
  /// Both alphabets (`+/` and `-_`) are read, and padding may be left out. White space, an impossible length, and set
  /// bits after the last byte are mistakes.
  public static func decode(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
    var digits = text[...]
    if digits.count % 4 == 0, digits.last == UInt8(ascii: "=") {
      digits.removeLast()
      if digits.last == UInt8(ascii: "=") { digits.removeLast() }
    }
    if digits.count % 4 == 1 { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(digits.count / 4 * 3 + 2)
    var group: UInt32 = 0
    var bitCount = 0
    for digit in digits {
      guard let value = value(of: digit) else { return nil }
      group = group &<< 6 | UInt32(value)
      bitCount &+= 6
      if bitCount == 24 {
        result.append(UInt8(truncatingIfNeeded: group &>> 16))
        result.append(UInt8(truncatingIfNeeded: group &>> 8))
        result.append(UInt8(truncatingIfNeeded: group))
        (group, bitCount) = (0, 0)
      }
    }
    while bitCount >= 8 {
      bitCount -= 8
      result.append(UInt8(truncatingIfNeeded: group &>> UInt32(bitCount)))
    }
    return group & (1 &<< UInt32(bitCount) &- 1) == 0 ? result : nil
  }

  @inline(__always) private static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit &- UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): digit &- UInt8(ascii: "a") &+ 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit &- UInt8(ascii: "0") &+ 52
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
