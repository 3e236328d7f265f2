/// Bytes as hexadecimal digits.
package enum Hex {
  /// The bytes that the digits, of either case, encode; nil if there is anything else, or an odd number of digits.
  package static func decode(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
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
