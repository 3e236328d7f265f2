import RealmStorage

extension UnsafeMutableRawPointer {
  /// Writes `e`, the sign and at least two digits; the magnitude is below 1000.
  @inline(__always) fileprivate func storeExponent(_ exponent: Int) -> UnsafeMutableRawPointer {
    storeBytes(of: UInt8(ascii: "e"), as: UInt8.self)
    (self + 1).storeBytes(of: UInt8(ascii: exponent < 0 ? "-" : "+"), as: UInt8.self)
    let magnitude = Int(truncatingIfNeeded: exponent.magnitude)
    let hundreds = magnitude / 100
    var place = self + 2
    if hundreds > 0 { place = place.storeByte(UInt8(truncatingIfNeeded: hundreds) &+ 0x30) }
    place.storeTwoDigits(magnitude &- hundreds &* 100)
    return place + 2
  }

  @inline(__always) fileprivate func storeZeros(_ count: Int) -> UnsafeMutableRawPointer {
    for index in 0..<count { (self + index).storeBytes(of: UInt8(ascii: "0"), as: UInt8.self) }
    return self + count
  }

  /// Writes the number as Swift's `description` does: in scientific notation below 0.0001 and if `isLarge`.
  @inline(__always)
  fileprivate func storeShortest(_ number: ShortestDigits, isLarge: Bool) -> UnsafeMutableRawPointer {
    let count = number.digits.decimalDigitCount
    let wholeCount = count &+ number.exponent
    if isLarge || wholeCount < -3 {
      return storeScientific(number.digits, count).storeExponent(wholeCount &- 1)
    }
    if wholeCount <= 0 {
      let place = storeByte(UInt8(ascii: "0")).storeByte(UInt8(ascii: ".")).storeZeros(-wholeCount)
      return place.storeInteger(number.digits)
    }
    if wholeCount >= count {
      let place = storeInteger(number.digits).storeZeros(wholeCount &- count)
      return place.storeByte(UInt8(ascii: ".")).storeByte(UInt8(ascii: "0"))
    }
    // The digits go one place to the right, then those before the point come back.
    let end = (self + 1).storeInteger(number.digits)
    copyMemory(from: self + 1, byteCount: wholeCount)
    (self + wholeCount).storeBytes(of: UInt8(ascii: "."), as: UInt8.self)
    return end
  }

  /// Writes the digits with a point after the first, if there are more.
  @inline(__always) fileprivate func storeScientific(_ digits: UInt64, _ count: Int) -> UnsafeMutableRawPointer {
    let end = (self + 1).storeInteger(digits)
    storeBytes(of: (self + 1).load(as: UInt8.self), as: UInt8.self)
    if count == 1 { return end - 1 }
    (self + 1).storeBytes(of: UInt8(ascii: "."), as: UInt8.self)
    return end
  }
}

extension TextBuffer {
  /// Appends the number with 17 significant digits, as C's `printf` does for `%.16e`.
  ///
  /// `nan`, `-nan`, `inf` and `-inf` are written as the C library of Linux prints them, including the sign of a NaN.
  public func appendScientific(_ value: Double) {
    guard let number = scientificDigits(of: value, digitCount: 17) else { return }
    var place = room(for: 32)
    if value.sign == .minus { place = place.storeByte(UInt8(ascii: "-")) }
    let first = number.digits / 10_000_000_000_000_000
    let rest = number.digits &- first &* 10_000_000_000_000_000
    place.storeBytes(of: UInt8(truncatingIfNeeded: first) &+ 0x30, as: UInt8.self)
    (place + 1).storeBytes(of: UInt8(ascii: "."), as: UInt8.self)
    (place + 2).storeSixteenDigits(rest)
    advance(to: (place + 18).storeExponent(number.exponent))
  }

  /// Appends the number with 8 significant digits, as C's `printf` does for `%.7e`.
  ///
  /// This is the reference engine's form. It has one digit too few: not every number reads back as it was.
  public func appendScientific(_ value: Float) {
    guard let number = scientificDigits(of: Double(value), digitCount: 8) else { return }
    var place = room(for: 32)
    if value.sign == .minus { place = place.storeByte(UInt8(ascii: "-")) }
    // The point takes the place of the first digit, which goes before it.
    (place + 1).storeEightDigits(UInt32(truncatingIfNeeded: number.digits))
    place.storeBytes(of: (place + 1).load(as: UInt8.self), as: UInt8.self)
    (place + 1).storeBytes(of: UInt8(ascii: "."), as: UInt8.self)
    advance(to: (place + 9).storeExponent(number.exponent))
  }

  /// The digits of `value`; zeros for zero. For a number that is not finite, appends its name and returns nil.
  @inline(__always) private func scientificDigits(of value: Double, digitCount: Int) -> DecimalDigits? {
    let bits = value.bitPattern
    let exponentBits = Int(truncatingIfNeeded: (bits &>> 52) & 0x7ff)
    let fraction = bits & 0x000f_ffff_ffff_ffff
    if _slowPath(exponentBits == 0x7ff) {
      appendNotFinite(isNegative: value.sign == .minus, isNaN: fraction != 0)
      return nil
    }
    let significand = exponentBits == 0 ? fraction : fraction | 1 &<< 52
    if significand == 0 { return .zero }
    return DecimalDigits(
      significand: significand, binaryExponent: max(exponentBits, 1) &- 1075, digitCount: digitCount)
  }

  @inline(never) private func appendNotFinite(isNegative: Bool, isNaN: Bool) {
    if isNegative { append(byte: UInt8(ascii: "-")) }
    append(isNaN ? "nan" : "inf")
  }

  /// Appends the shortest text that reads back as the same number: `0.1`, `100.0`, `1e+16`, `5e-324`.
  ///
  /// It is a JSON number, always with a point or an exponent, except for `nan`, `-nan`, `inf` and `-inf`: JSON has no
  /// numbers for them, so the caller decides what to write. Finite numbers look as in Swift: the exponent form is used
  /// below 0.0001 and above 2^53.
  public func appendShortest(_ value: Double) {
    guard value.isFinite else { return appendNotFinite(isNegative: value.sign == .minus, isNaN: value.isNaN) }
    var place = room(for: 40)
    if value.sign == .minus { place = place.storeByte(UInt8(ascii: "-")) }
    if value == 0 { return advance(to: place.storeShortest(ShortestDigits(digits: 0, exponent: 0), isLarge: false)) }
    advance(to: place.storeShortest(ShortestDigits(value), isLarge: value.magnitude > 0x1p53))
  }

  /// Appends the shortest text that reads back as the same `Float`; see the variant for `Double`. The exponent form is
  /// used below 0.0001 and above 2^24.
  public func appendShortest(_ value: Float) {
    guard value.isFinite else { return appendNotFinite(isNegative: value.sign == .minus, isNaN: value.isNaN) }
    var place = room(for: 40)
    if value.sign == .minus { place = place.storeByte(UInt8(ascii: "-")) }
    if value == 0 { return advance(to: place.storeShortest(ShortestDigits(digits: 0, exponent: 0), isLarge: false)) }
    advance(to: place.storeShortest(ShortestDigits(value), isLarge: value.magnitude > 0x1p24))
  }
}
