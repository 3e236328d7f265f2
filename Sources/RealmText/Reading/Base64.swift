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

/// Bytes as hexadecimal digits.
public enum Hex {
  /// The bytes that the digits, of either case, encode; nil if there is anything else, or an odd number of digits.
  public static func decode(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
    guard text.count % 2 == 0 else { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(text.count / 2)
    for index in stride(from: 0, to: text.count, by: 2) {
      guard let high = text[index].hexDigitValue, let low = text[index + 1].hexDigitValue else { return nil }
      result.append(high &<< 4 | low)
    }
    return result
  }

  /// The value of the digits, at most 16.
  static func number(_ text: UnsafeRawBufferPointer.SubSequence) -> UInt64? {
    var value: UInt64 = 0
    for byte in text {
      guard let digit = byte.hexDigitValue else { return nil }
      value = value &<< 4 | UInt64(digit)
    }
    return value
  }
}

extension ObjectID: ReadableFromText {
  /// 24 hexadecimal digits of either case.
  public init?(text bytes: UnsafeRawBufferPointer) {
    guard bytes.count == 24, let head = Hex.number(bytes[..<16]), let tail = Hex.number(bytes[16...]) else {
      return nil
    }
    self.init(head: head, tail: UInt32(truncatingIfNeeded: tail))
  }
}

extension RealmUUID: ReadableFromText {
  /// 32 hexadecimal digits of either case, either without dashes or with all four.
  public init?(text bytes: UnsafeRawBufferPointer) {
    switch bytes.count {
    case 32:
      guard let head = Hex.number(bytes[..<16]), let tail = Hex.number(bytes[16...]) else { return nil }
      self.init(head: head, tail: tail)
    case 36:
      let dash = UInt8(ascii: "-")
      guard bytes[8] == dash, bytes[13] == dash, bytes[18] == dash, bytes[23] == dash,
        let first = Hex.number(bytes[..<8]), let second = Hex.number(bytes[9..<13]),
        let third = Hex.number(bytes[14..<18]), let fourth = Hex.number(bytes[19..<23]),
        let fifth = Hex.number(bytes[24...])
      else { return nil }
      self.init(head: first &<< 32 | second &<< 16 | third, tail: fourth &<< 48 | fifth)
    default: return nil
    }
  }
}
