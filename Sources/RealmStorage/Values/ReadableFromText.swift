import RealmStorage

/// A value that can be read from text. Text that is not such a value, or has anything before or after it, gives nil.
public protocol ReadableFromText {
  /// Reads UTF-8, all of it.
  init?(text bytes: UnsafeRawBufferPointer)
}

extension ReadableFromText {
  /// As `init(text:)` of bytes.
  public init?(text: String) {
    var text = text
    guard let value = text.withUTF8({ Self(text: UnsafeRawBufferPointer($0)) }) else { return nil }
    self = value
  }

  /// As `init(text:)` of bytes.
  public init?(text: RealmString) {
    guard let value = text.utf8.withUnsafeBytes({ Self(text: $0) }) else { return nil }
    self = value
  }
}

extension Int64: ReadableFromText {
  /// An optional sign and decimal digits; nil also for a number that does not fit.
  public init?(text bytes: UnsafeRawBufferPointer) {
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
  @inline(__always) var decimalDigitValue: UInt8? {
    let value = self &- UInt8(ascii: "0")
    return value <= 9 ? value : nil
  }

  /// 0 to 15 for an ASCII hexadecimal digit of either case.
  @inline(__always) var hexDigitValue: UInt8? {
    if let digit = decimalDigitValue { return digit }
    let letter = (self | 0x20) &- UInt8(ascii: "a")
    return letter < 6 ? letter &+ 10 : nil
  }
}
