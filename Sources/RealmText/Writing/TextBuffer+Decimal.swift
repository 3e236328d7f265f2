import RealmStorage

extension TextBuffer {
  /// Appends the number in the usual scientific notation of decimal numbers (General Decimal Arithmetic, "to-scientific-
  /// string"; BSON's Decimal128 text): `100.50`, `1E+3`, `0E-2`, `-0`, `1E-7`, `Infinity`, `-Infinity`, `NaN`.
  ///
  /// Sign and payload of a NaN are not shown. Coefficients beyond 34 digits, which no valid file has, count as 0.
  public func appendCanonical(_ decimal: Decimal128) {
    switch decimal.classified {
    case .nan: append("NaN")
    case .infinity(isNegative: true): append("-Infinity")
    case .infinity(isNegative: false): append("Infinity")
    case .finite(let isNegative, let coefficient, let exponent):
      if isNegative { append(byte: UInt8(ascii: "-")) }
      appendScientificNotation(coefficient, exponent)
    }
  }

  private func appendScientificNotation(_ coefficient: Unsigned128, _ exponent: Int) {
    let start = count
    appendDigits(coefficient)
    let digitCount = count - start
    let adjusted = exponent &+ digitCount &- 1
    if exponent == 0 { return }
    guard exponent < 0, adjusted >= -6 else {
      if digitCount > 1 { insertPoint(behind: 1, from: start) }
      append(adjusted < 0 ? "E-" : "E+")
      return append(integer: UInt64(adjusted.magnitude))
    }
    let whole = digitCount &+ exponent
    if whole > 0 { return insertPoint(behind: whole, from: start) }
    truncate(to: start)
    append("0.")
    for _ in whole..<0 { append(byte: UInt8(ascii: "0")) }
    appendDigits(coefficient)
  }

  /// Appends the number as the reference engine does.
  ///
  /// A coefficient below 2^64 has its point moved left, one digit at a time, until the exponent is 0 or one digit is
  /// left of it: `100.50`, `5E-1`, `1.2E4`. A larger one is written as it is, with both signs:
  /// `+18446744073709551616E+0`. The rule looks at the coefficient's bits, so it applies to NaN and infinity as well
  /// (`NaN`, `-Inf`; with high payload bits `+NaN`, `+SNaN`). The engine's null, which is also a NaN, is not
  /// distinguished here.
  public func appendCore(_ decimal: Decimal128) {
    let isNegative = decimal.high >> 63 != 0
    if decimal.high & 0x0001_ffff_ffff_ffff != 0 { return appendCoreLarge(decimal, isNegative: isNegative) }
    if isNegative { append(byte: UInt8(ascii: "-")) }
    if decimal.high & 0x7c00_0000_0000_0000 == 0x7c00_0000_0000_0000 { return append("NaN") }
    if decimal.high & 0x7800_0000_0000_0000 == 0x7800_0000_0000_0000 { return append("Inf") }
    // Docs/Format/2-nodes-and-values.md §2.7; also for the alternate form (bits 62 and 61 set), which the engine reads
    // as an ordinary, large exponent here.
    let exponent = Int((decimal.high >> 49) & 0x3fff) &- 6176
    let start = count
    append(integer: decimal.low)
    let digitCount = count - start
    let shift = exponent < 0 ? min(digitCount &- 1, -exponent) : exponent > 0 ? digitCount &- 1 : 0
    if shift > 0 { insertPoint(behind: digitCount &- shift, from: start) }
    let rest = exponent &+ shift
    if rest != 0 {
      append(byte: UInt8(ascii: "E"))
      append(integer: Int64(rest))
    }
  }

  private func appendCoreLarge(_ decimal: Decimal128, isNegative: Bool) {
    append(byte: UInt8(ascii: isNegative ? "-" : "+"))
    switch decimal.classified {
    case .nan: append(decimal.high & 0x0200_0000_0000_0000 != 0 ? "SNaN" : "NaN")
    case .infinity: append("Inf")
    case .finite(_, let coefficient, let exponent):
      appendDigits(coefficient)
      append(exponent < 0 ? "E-" : "E+")
      append(integer: UInt64(exponent.magnitude))
    }
  }

  /// Moves the bytes from `start + position` one place to the right and puts a point before them.
  private func insertPoint(behind position: Int, from start: Int) {
    append(byte: 0)
    let place = self.start + start + position
    let length = count - start - position - 1
    (place + 1).copyMemory(from: place, byteCount: length)
    place.storeBytes(of: UInt8(ascii: "."), as: UInt8.self)
  }

  /// Appends the digits of a number below 10^38.
  private func appendDigits(_ value: Unsigned128) {
    guard let large = UInt64(exactly: value) else {
      let (high, low) = value.divided(by: 10_000_000_000_000_000_000)
      let top = low / 10_000_000_000_000_000
      let place = room(for: 48).storeInteger(high.low)
      place.storeBytes(of: UInt8(truncatingIfNeeded: top / 100) &+ 0x30, as: UInt8.self)
      (place + 1).storeTwoDigits(Int(truncatingIfNeeded: top % 100))
      (place + 3).storeSixteenDigits(low &- top &* 10_000_000_000_000_000)
      return advance(to: place + 19)
    }
    append(integer: large)
  }
}
