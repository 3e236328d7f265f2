import RealmStorage

extension Double: ReadableFromText {
  /// The nearest number, infinite beyond the range. Names are read as well: `nan`, `inf`, `infinity`, with or without
  /// sign, in upper or lower case.
  public init?(text bytes: UnsafeRawBufferPointer) {
    guard let value: Double = FloatingReading.number(bytes) else { return nil }
    self = value
  }
}

extension Float: ReadableFromText {
  /// The nearest number, infinite beyond the range; see `Double`. The text is rounded once, not by way of a `Double`.
  public init?(text bytes: UnsafeRawBufferPointer) {
    guard let value: Float = FloatingReading.number(bytes) else { return nil }
    self = value
  }
}

extension BinaryFloatingPoint where Self: ReadableFromText {
  /// As `init(text:)`, but nil for digits beyond the range; `inf` and the like are read.
  package init?(textInRange bytes: UnsafeRawBufferPointer) {
    guard let value = Self(text: bytes) else { return nil }
    if value.isInfinite, let text = NumberText(bytes), case .finite = text.kind { return nil }
    self = value
  }

  /// As `init(textInRange:)` of bytes.
  package init?(textInRange text: String) {
    var text = text
    guard let value = text.withUTF8({ Self(textInRange: UnsafeRawBufferPointer($0)) }) else { return nil }
    self = value
  }

  /// As `init(textInRange:)` of bytes.
  package init?(textInRange text: RealmString) {
    guard let value = text.utf8.withUnsafeBytes({ Self(textInRange: $0) }) else { return nil }
    self = value
  }
}

extension Double {
  /// Whether a text in digits comes back from the nearest double as the same number, as `1.50` does; names of numbers
  /// always do.
  ///
  /// - Parameter acceptsLongForm: whether 17 digits that C and the engine write for a double also count, such as
  ///   `0.10000000000000001`: they name no other double.
  package static func keeps(_ text: UnsafeRawBufferPointer, acceptsLongForm: Bool = false) -> Bool {
    FloatingReading.keeps(text, of: Double.self, safeDigitCount: 15) { number, buffer in
      buffer.appendShortest(number)
    } longForm: { number, buffer in
      if acceptsLongForm { buffer.appendScientific(number) }
    }
  }
}

extension Float {
  /// As `Double.keeps`; the engine writes 8 digits.
  package static func keeps(_ text: UnsafeRawBufferPointer, acceptsLongForm: Bool = false) -> Bool {
    FloatingReading.keeps(text, of: Float.self, safeDigitCount: 6) { number, buffer in
      buffer.appendShortest(number)
    } longForm: { number, buffer in
      if acceptsLongForm { buffer.appendScientific(number) }
    }
  }
}

enum FloatingReading {
  /// - Parameter safeDigitCount: so many digits always come back, of a number that is not subnormal.
  fileprivate static func keeps<Value: BinaryFloatingPoint & ReadableFromText>(
    _ text: UnsafeRawBufferPointer, of type: Value.Type, safeDigitCount: Int,
    shortest: (Value, TextBuffer) -> Void, longForm: (Value, TextBuffer) -> Void
  ) -> Bool {
    guard let number = NumberText(text), let value = Value(text: text) else { return false }
    guard case .finite = number.kind else { return true }
    guard value.isFinite else { return false }
    let digits = SignificantDigits(number)
    if digits.count == 0 || digits.count <= safeDigitCount && value.isNormal { return true }
    func isSame(_ write: (Value, TextBuffer) -> Void) -> Bool {
      let buffer = TextBuffer(capacity: 64)
      write(value, buffer)
      return buffer.withBytes { NumberText($0).map { SignificantDigits($0) == digits } ?? false }
    }
    return isSame(shortest) || isSame(longForm)
  }

  /// The digits of a number without zeros at either end, and the power of ten of the last.
  private struct SignificantDigits: Equatable {
    private var digits: [UInt8] = []
    private var exponent: Int

    init(_ text: NumberText) {
      exponent = text.lastDigitExponent
      text.forEachDigit { digits.append($0) }
      while digits.last == 0 {
        digits.removeLast()
        exponent += 1
      }
    }

    var count: Int { digits.count }
  }

  /// The number nearest to the text.
  static func number<Value: BinaryFloatingPoint & LosslessStringConvertible>(_ bytes: UnsafeRawBufferPointer) -> Value?
  where Value.RawSignificand: FixedWidthInteger {
    guard let text = NumberText(bytes) else { return nil }
    let sign = text.isNegative ? FloatingPointSign.minus : .plus
    switch text.kind {
    case .nan, .signalingNaN: return text.isNegative ? -Value.nan : .nan
    case .infinity: return Value(sign: sign, exponent: 0, significand: .infinity)
    case .finite: break
    }
    let decimal = FirstDigits(text)
    if decimal.isZero { return text.isNegative ? -0.0 : 0 }
    if let magnitude: Value = nearest(to: decimal) { return text.isNegative ? -magnitude : magnitude }
    // Too many digits, a near tie, or the ends of the range: left to the standard library, which is slower.
    return Value(String(decoding: bytes, as: UTF8.self))
  }

  /// Up to 19 digits of a number, and a power of ten.
  private struct FirstDigits {
    var digits: UInt64 = 0
    var exponent: Int
    /// Whether more digits follow.
    var isCut = false

    var isZero: Bool { digits == 0 && !isCut }

    @inline(__always) init(_ text: NumberText) {
      var digits: UInt64 = 0
      var count = 0
      text.forEachDigit { digit in
        if count < 19 { digits = digits &* 10 &+ UInt64(digit) }
        count &+= 1
      }
      self.digits = digits
      exponent = text.lastDigitExponent
      isCut = count > 19
    }
  }

  /// The number nearest to the decimal, ties to even; nil if 128 bits cannot decide, or the number is outside the range
  /// of normal numbers.
  ///
  /// The digits, shifted to 64 bits, times a power of ten of 128 bits give 192 bits, of which the topmost are the
  /// significand. If the power was rounded up, the product is too large by less than 2^64, which only matters where it
  /// looks like a tie.
  @inline(__always)
  private static func nearest<Value: BinaryFloatingPoint>(to decimal: FirstDigits) -> Value?
  where Value.RawSignificand: FixedWidthInteger {
    let scale = decimal.exponent
    guard !decimal.isCut, PowersOfTen.exponents.contains(scale) else { return nil }
    let shift = decimal.digits.leadingZeroBitCount
    let normalized = decimal.digits &<< UInt64(truncatingIfNeeded: shift)
    let power = PowersOfTen.scaled(scale)
    let upper = normalized.multipliedFullWidth(by: power.high)
    let lower = normalized.multipliedFullWidth(by: power.low)
    let (middle, carry) = upper.low.addingReportingOverflow(lower.high)
    let top = upper.high &+ (carry ? 1 : 0)

    let bitCount = Value.significandBitCount &+ 1
    let cut = 64 &- top.leadingZeroBitCount &- bitCount
    let half: UInt64 = 1 &<< UInt64(truncatingIfNeeded: cut &- 1)
    let fraction = top & (half &* 2 &- 1)
    var kept = top &>> UInt64(truncatingIfNeeded: cut)
    if fraction == half && middle == 0 {
      guard PowersOfTen.isExact(scale) else { return nil }
      kept &+= lower.low != 0 ? 1 : kept & 1
    } else if fraction >= half {
      kept &+= 1
    }
    // The product's lowest bit is worth 2^(floorLog2(scale) - 127 - shift), that of `top` 128 bits more.
    var exponent = cut &+ 1 &+ PowersOfTen.floorLog2(scale) &- shift &+ Value.significandBitCount
    if kept >> UInt64(truncatingIfNeeded: bitCount) != 0 {
      kept &>>= 1
      exponent &+= 1
    }
    let bias = 1 &<< (Value.exponentBitCount &- 1) &- 1
    guard exponent >= 1 - bias, exponent <= bias else { return nil }
    return Value(
      sign: .plus, exponentBitPattern: Value.RawExponent(truncatingIfNeeded: exponent &+ bias),
      significandBitPattern: Value.RawSignificand(truncatingIfNeeded: kept))
  }
}
