extension Decimal128 {
  /// Room for any text of `storeText(at:)` and `storeCoreText(at:)`, and for what is written beyond its end.
  package static let mostTextLength = 64

  /// Writes the number in the usual scientific notation of decimal numbers (General Decimal Arithmetic, "to-scientific-
  /// string"; BSON's Decimal128 text): `100.50`, `1E+3`, `0E-2`, `-0`, `1E-7`, `Infinity`, `-Infinity`, `NaN`.
  ///
  /// Sign and payload of a NaN are not shown. Coefficients beyond 34 digits, which no valid file has, count as 0.
  ///
  /// - Parameter start: has room for `mostTextLength` bytes.
  /// - Returns: the place after the text.
  package func storeText(at start: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    switch classified {
    case .nan: return start.store("NaN")
    case .infinity(isNegative: true): return start.store("-Infinity")
    case .infinity(isNegative: false): return start.store("Infinity")
    case .finite(let isNegative, let coefficient, let exponent):
      let place = isNegative ? start.storeByte(UInt8(ascii: "-")) : start
      return place.storeScientific(coefficient, exponent)
    }
  }

  /// Writes the number as the reference engine does.
  ///
  /// A coefficient below 2^64 has its point moved left, one digit at a time, until the exponent is 0 or one digit is
  /// left of it: `100.50`, `5E-1`, `1.2E4`. A larger one is written as it is, with both signs:
  /// `+18446744073709551616E+0`. The rule looks at the coefficient's bits, so it applies to NaN and infinity as well
  /// (`NaN`, `-Inf`; with high payload bits `+NaN`, `+SNaN`). The engine's null, which is also a NaN, is not
  /// distinguished here.
  ///
  /// - Parameter start: has room for `mostTextLength` bytes.
  /// - Returns: the place after the text.
  package func storeCoreText(at start: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    let isNegative = high >> 63 != 0
    if high & 0x0001_ffff_ffff_ffff != 0 { return storeCoreLarge(at: start, isNegative: isNegative) }
    var place = isNegative ? start.storeByte(UInt8(ascii: "-")) : start
    if high & 0x7c00_0000_0000_0000 == 0x7c00_0000_0000_0000 { return place.store("NaN") }
    if high & 0x7800_0000_0000_0000 == 0x7800_0000_0000_0000 { return place.store("Inf") }
    // Docs/Format/2-nodes-and-values.md §2.7; also for the alternate form (bits 62 and 61 set), which the engine reads
    // as an ordinary, large exponent here.
    let exponent = Int((high >> 49) & 0x3fff) &- 6176
    let digits = place
    place = digits.storeInteger(low)
    let digitCount = place - digits
    let shift = exponent < 0 ? min(digitCount &- 1, -exponent) : exponent > 0 ? digitCount &- 1 : 0
    if shift > 0 { place = digits.insertPoint(behind: digitCount &- shift, end: place) }
    let rest = exponent &+ shift
    if rest != 0 {
      place = place.storeByte(UInt8(ascii: "E"))
      if rest < 0 { place = place.storeByte(UInt8(ascii: "-")) }
      place = place.storeInteger(UInt64(rest.magnitude))
    }
    return place
  }

  private func storeCoreLarge(at start: UnsafeMutableRawPointer, isNegative: Bool) -> UnsafeMutableRawPointer {
    let place = start.storeByte(UInt8(ascii: isNegative ? "-" : "+"))
    switch classified {
    case .nan: return place.store(high & 0x0200_0000_0000_0000 != 0 ? "SNaN" : "NaN")
    case .infinity: return place.store("Inf")
    case .finite(_, let coefficient, let exponent):
      return place.storeDigits(coefficient).store(exponent < 0 ? "E-" : "E+").storeInteger(UInt64(exponent.magnitude))
    }
  }
}

extension UnsafeMutableRawPointer {
  fileprivate func storeScientific(_ coefficient: Unsigned128, _ exponent: Int) -> UnsafeMutableRawPointer {
    var end = storeDigits(coefficient)
    if exponent == 0 { return end }
    let digitCount = end - self
    let adjusted = exponent &+ digitCount &- 1
    guard exponent < 0, adjusted >= -6 else {
      if digitCount > 1 { end = insertPoint(behind: 1, end: end) }
      return end.store(adjusted < 0 ? "E-" : "E+").storeInteger(UInt64(adjusted.magnitude))
    }
    let whole = digitCount &+ exponent
    if whole > 0 { return insertPoint(behind: whole, end: end) }
    var place = store("0.")
    for _ in whole..<0 { place = place.storeByte(UInt8(ascii: "0")) }
    return place.storeDigits(coefficient)
  }

  /// Moves the bytes up to `end`, except for the first `count`, one place to the right, and puts a point before them.
  fileprivate func insertPoint(behind count: Int, end: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    let place = self + count
    (place + 1).copyMemory(from: place, byteCount: end - place)
    place.storeBytes(of: UInt8(ascii: "."), as: UInt8.self)
    return end + 1
  }

  /// Writes the digits of a number below 10^38.
  fileprivate func storeDigits(_ value: Unsigned128) -> UnsafeMutableRawPointer {
    guard let large = UInt64(exactly: value) else {
      let (high, low) = value.divided(by: 10_000_000_000_000_000_000)
      let top = low / 10_000_000_000_000_000
      let place = storeInteger(high.low)
      place.storeBytes(of: UInt8(truncatingIfNeeded: top / 100) &+ 0x30, as: UInt8.self)
      (place + 1).storeTwoDigits(Int(truncatingIfNeeded: top % 100))
      (place + 3).storeSixteenDigits(low &- top &* 10_000_000_000_000_000)
      return place + 19
    }
    return storeInteger(large)
  }
}

extension Decimal128: LosslessStringConvertible {
  /// The number that a text means: `1.50`, `-2E+3`, `.5`, `Infinity`, `-inf`, `NaN`, in upper or lower case.
  ///
  /// The digits stay as they are written: `1.50` is 150 × 10^-2, and not the same bits as `1.5`. Nil for anything else, and
  /// for a number that does not fit without rounding: more than 34 digits, or too large or too small.
  public init?(_ description: String) {
    guard let reading = DecimalReading(text: description), !reading.isRounded else { return nil }
    self = reading.decimal
  }

  /// The number nearest to the one that a text means, ties to even; infinite if it is too large.
  ///
  /// - Returns: nil for a text that is not a number.
  public init?(rounding text: String) { self.init(text: text) }

  /// The usual scientific notation, as BSON has it: `100.50`, `1E+3`, `0E-2`, `-0`, `1E-7`, `Infinity`, `NaN`.
  ///
  /// It gives the same bits again, except for those of a NaN and for numbers beyond 34 digits, which no valid file has. The
  /// Swift SDK prints some numbers differently: `5E-1` for `0.5`.
  public var description: String { String.stored(Self.mostTextLength) { storeText(at: $0) } }
}

extension Decimal128: Codable {
  /// Reads the text of `description`.
  public init(from decoder: any Decoder) throws { self = try .decoded(from: decoder) }

  /// Writes the text of `description`.
  public func encode(to encoder: any Encoder) throws { try encodeText(to: encoder) }
}
