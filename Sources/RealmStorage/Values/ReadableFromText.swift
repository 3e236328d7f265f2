/// A value that can be read from text. Text that is not such a value, or has anything before or after it, gives nil.
package protocol ReadableFromText {
  /// Reads UTF-8, all of it.
  init?(text bytes: UnsafeRawBufferPointer)
}

extension ReadableFromText {
  /// As `init(text:)` of bytes.
  package init?(text: String) {
    var text = text
    guard let value = text.withUTF8({ Self(text: UnsafeRawBufferPointer($0)) }) else { return nil }
    self = value
  }

  /// As `init(text:)` of bytes.
  package init?(text: RealmString) {
    guard let value = text.utf8.withUnsafeBytes({ Self(text: $0) }) else { return nil }
    self = value
  }
}

/// For types whose text is also what they are encoded as.
extension ReadableFromText where Self: LosslessStringConvertible {
  package static func decoded(from decoder: any Decoder) throws -> Self {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let value = Self(text) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "'\(text)' is not a \(Self.self)")
    }
    return value
  }

  package func encodeText(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension String {
  /// What `write` writes to raw memory of so many bytes; it returns the place after it.
  package static func stored(
    _ capacity: Int, _ write: (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer
  ) -> String {
    String(unsafeUninitializedCapacity: capacity) { buffer in
      guard let start = buffer.baseAddress.map({ UnsafeMutableRawPointer($0) }) else { return 0 }
      return write(start) - start
    }
  }
}

extension Int64: ReadableFromText {
  /// An optional sign and decimal digits; nil also for a number that does not fit.
  package init?(text bytes: UnsafeRawBufferPointer) {
    let hasSign = bytes.first == UInt8(ascii: "-") || bytes.first == UInt8(ascii: "+")
    let digits = bytes.dropFirst(hasSign ? 1 : 0)
    if digits.isEmpty { return nil }
    var value: Int64 = 0
    for byte in digits {
      guard let digit = byte.decimalDigitValue else { return nil }
      let (product, isTooLarge) = value.multipliedReportingOverflow(by: 10)
      // Accumulated as a negative number, because there is one more of these.
      let (sum, isStillTooLarge) = product.subtractingReportingOverflow(Int64(digit))
      if isTooLarge || isStillTooLarge { return nil }
      value = sum
    }
    if bytes.first != UInt8(ascii: "-") {
      if value == .min { return nil }
      value = -value
    }
    self = value
  }
}

extension UInt8 {
  /// 0 to 9 for an ASCII digit.
  @inlinable @inline(__always) package var decimalDigitValue: UInt8? {
    let value = self &- UInt8(ascii: "0")
    return value <= 9 ? value : nil
  }

  /// 0 to 15 for an ASCII hexadecimal digit of either case.
  @inlinable @inline(__always) package var hexDigitValue: UInt8? {
    if let digit = decimalDigitValue { return digit }
    let letter = (self | 0x20) &- UInt8(ascii: "a")
    return letter < 6 ? letter &+ 10 : nil
  }
}
