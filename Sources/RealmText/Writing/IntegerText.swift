/// The decimal digits of the numbers 00 to 99, two bytes each.
@usableFromInline let digitPairs: StaticString = """
  0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849\
  5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899
  """

extension UnsafeMutableRawPointer {
  /// Writes the two digits of `value`, which is below 100.
  @inline(__always) func storeTwoDigits(_ value: Int) {
    copyMemory(from: digitPairs.utf8Start + value &* 2, byteCount: 2)
  }

  /// Writes the four digits of `value`, which is below 10 000.
  @inline(__always) func storeFourDigits(_ value: UInt32) {
    let high = value / 100
    storeTwoDigits(Int(truncatingIfNeeded: high))
    (self + 2).storeTwoDigits(Int(truncatingIfNeeded: value &- high &* 100))
  }

  /// Writes the eight digits of `value`, which is below 100 000 000.
  @inline(__always) func storeEightDigits(_ value: UInt32) {
    let high = value / 10_000
    storeFourDigits(high)
    (self + 4).storeFourDigits(value &- high &* 10_000)
  }

  /// Writes the last `digitCount` digits of `value`, with leading zeros, and gives the place behind them.
  @inline(__always) func storeDigits(_ value: UInt64, count digitCount: Int) -> UnsafeMutableRawPointer {
    var rest = value
    var place = self + digitCount
    while place - self >= 2 {
      let quotient = rest / 100
      place -= 2
      place.storeTwoDigits(Int(truncatingIfNeeded: rest &- quotient &* 100))
      rest = quotient
    }
    if place > self { storeBytes(of: UInt8(truncatingIfNeeded: rest % 10) &+ 0x30, as: UInt8.self) }
    return self + digitCount
  }

  /// Writes `value` without leading zeros, at most 20 bytes, and gives the place behind it.
  @inline(__always) func storeInteger(_ value: UInt64) -> UnsafeMutableRawPointer {
    storeDigits(value, count: value.decimalDigitCount)
  }

  @inline(__always) func storeByte(_ byte: UInt8) -> UnsafeMutableRawPointer {
    storeBytes(of: byte, as: UInt8.self)
    return self + 1
  }
}

extension UInt64 {
  /// Number of decimal digits, at least 1.
  @inline(__always) var decimalDigitCount: Int {
    // 1233 / 4096 approximates log10(2): the count for every bit length up to 64, or one less.
    let nonZero = self | 1
    let estimate = ((64 &- nonZero.leadingZeroBitCount) &* 1233) &>> 12
    return estimate &+ (nonZero >= PowersOfTen.small(estimate) ? 1 : 0)
  }
}

extension TextBuffer {
  /// Appends the number in decimal.
  public func append(integer value: Int64) {
    var place = room(for: 20)
    if value < 0 { place = place.storeByte(UInt8(ascii: "-")) }
    advance(to: place.storeInteger(value.magnitude))
  }

  /// Appends the number in decimal.
  public func append(integer value: UInt64) {
    advance(to: room(for: 20).storeInteger(value))
  }
}
