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
  /// - Parameters:
  ///   - acceptsLongForm: whether 17 digits that C and the engine write for a double also count, such as
  ///     `0.10000000000000001`: they name no other double.
  ///   - value: the nearest double, if it is known.
  package static func keeps(
    _ text: UnsafeRawBufferPointer, acceptsLongForm: Bool = false, as value: Double? = nil
  ) -> Bool {
    FloatingReading.keeps(text, value, safeDigits: 1_000_000_000_000_000) {
      ShortestDigits($0)
    } longForm: { number, buffer in
      if acceptsLongForm { buffer.appendScientific(number) }
    }
  }
}

extension Float {
  /// As `Double.keeps`; the engine writes 8 digits.
  package static func keeps(
    _ text: UnsafeRawBufferPointer, acceptsLongForm: Bool = false, as value: Float? = nil
  ) -> Bool {
    FloatingReading.keeps(text, value, safeDigits: 1_000_000) {
      ShortestDigits($0)
    } longForm: { number, buffer in
      if acceptsLongForm { buffer.appendScientific(number) }
    }
  }
}

enum FloatingReading {
  /// - Parameter safeDigits: digits below this always come back, of a number that is not subnormal.
  @inline(__always)
  fileprivate static func keeps<Value: BinaryFloatingPoint & ReadableFromText>(
    _ text: UnsafeRawBufferPointer, _ known: Value?, safeDigits: UInt64,
    shortest: (Value) -> ShortestDigits, longForm: (Value, TextBuffer) -> Void
  ) -> Bool {
    guard let read = FirstDigits(text) else { return NumberText(text) != nil }
    guard let value = known ?? Value(text: text), value.isFinite else { return false }
    if read.isZero { return true }
    guard !read.isCut, value != 0 else { return false }
    let digits = read.withoutZeros
    if digits.digits < safeDigits && value.isNormal || digits == shortest(value) { return true }
    let buffer = TextBuffer(capacity: 64)
    longForm(value, buffer)
    return buffer.withBytes { FirstDigits($0)?.withoutZeros == digits }
  }

  /// The number nearest to the text.
  @inline(__always)
  static func number<Value: BinaryFloatingPoint & LosslessStringConvertible>(_ bytes: UnsafeRawBufferPointer) -> Value?
  where Value.RawSignificand: FixedWidthInteger {
    guard let decimal = FirstDigits(bytes) else { return named(bytes) }
    if decimal.isZero { return decimal.isNegative ? -0.0 : 0 }
    if let magnitude: Value = nearest(to: decimal) { return decimal.isNegative ? -magnitude : magnitude }
    // Too many digits, a near tie, or the ends of the range: left to the standard library, which is slower.
    return Value(String(decoding: bytes, as: UTF8.self))
  }

  /// What is not finite has a name.
  private static func named<Value: BinaryFloatingPoint>(_ bytes: UnsafeRawBufferPointer) -> Value? {
    guard let text = NumberText(bytes) else { return nil }
    switch text.kind {
    case .nan, .signalingNaN: return text.isNegative ? -Value.nan : .nan
    case .infinity: return text.isNegative ? -Value.infinity : .infinity
    case .finite: return nil
    }
  }

  /// A finite number as `NumberText` reads it: up to 19 digits from the first that is not 0, and a power of ten.
  private struct FirstDigits {
    private(set) var isNegative = false
    private(set) var digits: UInt64 = 0
    private(set) var exponent = 0
    /// Whether more digits follow that are not all 0.
    private(set) var isCut = false
    private var count = 0

    private static let mostDigits = 19
    private static let exponentLimit = 1_000_000_000_000_000

    var isZero: Bool { digits == 0 }

    /// The digits that are not zeros at the end.
    var withoutZeros: ShortestDigits { ShortestDigits(trimming: digits, exponent: exponent) }

    /// Nil for any other text.
    @inline(__always) init?(_ bytes: UnsafeRawBufferPointer) {
      guard var place = bytes.baseAddress, !bytes.isEmpty else { return nil }
      let end = place + bytes.count
      let sign = place.load(as: UInt8.self)
      isNegative = sign == UInt8(ascii: "-")
      if isNegative || sign == UInt8(ascii: "+") { place += 1 }
      let wholeCount = takeDigits(&place, end)
      var fractionCount = 0
      if place < end, place.load(as: UInt8.self) == UInt8(ascii: ".") {
        place += 1
        fractionCount = takeDigits(&place, end)
        exponent &-= fractionCount
      }
      guard wholeCount &+ fractionCount > 0 else { return nil }
      guard place == end || takeExponent(&place, end) else { return nil }
    }

    /// - Returns: their number.
    @inline(__always) private mutating func takeDigits(_ place: inout UnsafeRawPointer, _ end: UnsafeRawPointer) -> Int
    {
      let first = place
      while place < end {
        let digit = place.load(as: UInt8.self) &- 0x30
        if digit > 9 { break }
        if _fastPath(count < Self.mostDigits) {
          digits = digits &* 10 &+ UInt64(digit)
          count &+= digits == 0 ? 0 : 1
        } else {
          exponent &+= 1
          if digit != 0 { isCut = true }
        }
        place += 1
      }
      return place - first
    }

    /// Reads the exponent, which must be all that is left.
    private mutating func takeExponent(_ place: inout UnsafeRawPointer, _ end: UnsafeRawPointer) -> Bool {
      guard place.load(as: UInt8.self) | 0x20 == UInt8(ascii: "e") else { return false }
      place += 1
      guard place < end else { return false }
      let sign = place.load(as: UInt8.self)
      if sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { place += 1 }
      let first = place
      var written = 0
      while place < end {
        let digit = place.load(as: UInt8.self) &- 0x30
        if digit > 9 { return false }
        written = min(written &* 10 &+ Int(digit), Self.exponentLimit)
        place += 1
      }
      exponent &+= sign == UInt8(ascii: "-") ? -written : written
      return place > first
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
