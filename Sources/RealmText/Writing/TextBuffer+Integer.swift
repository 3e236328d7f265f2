/// The decimal digits of the numbers 00 to 99, two bytes each.
private let digitPairs: StaticString = """
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
    let digits = value.eightDigits | 0x3030_3030_3030_3030
    storeBytes(of: digits.littleEndian, as: UInt64.self)
  }

  /// Writes the sixteen digits of `value`, which is below 10^16.
  @inline(__always) func storeSixteenDigits(_ value: UInt64) {
    let high = value / 100_000_000
    storeEightDigits(UInt32(truncatingIfNeeded: high))
    (self + 8).storeEightDigits(UInt32(truncatingIfNeeded: value &- high &* 100_000_000))
  }

  /// Writes `value`, which is below 100 000 000, without leading zeros, and returns the place after it. Eight bytes are
  /// always written.
  @inline(__always) private func storeShort(_ value: UInt32) -> UnsafeMutableRawPointer {
    let digits = value.eightDigits
    // The last digit stays, even if it is 0.
    let zeros = (digits | 1 &<< 56).trailingZeroBitCount & 0x38
    let text = (digits | 0x3030_3030_3030_3030) &>> UInt64(truncatingIfNeeded: zeros)
    storeBytes(of: text.littleEndian, as: UInt64.self)
    return self + (8 &- zeros &>> 3)
  }

  /// Writes `value` without leading zeros and returns the place after it. There must be room for 24 bytes.
  @inline(__always) func storeInteger(_ value: UInt64) -> UnsafeMutableRawPointer {
    if value < 100_000_000 { return storeShort(UInt32(truncatingIfNeeded: value)) }
    let high = value / 100_000_000
    let low = UInt32(truncatingIfNeeded: value &- high &* 100_000_000)
    let place: UnsafeMutableRawPointer
    if high < 100_000_000 {
      place = storeShort(UInt32(truncatingIfNeeded: high))
    } else {
      let top = high / 100_000_000
      place = storeShort(UInt32(truncatingIfNeeded: top)) + 8
      (place - 8).storeEightDigits(UInt32(truncatingIfNeeded: high &- top &* 100_000_000))
    }
    place.storeEightDigits(low)
    return place + 8
  }

  @inline(__always) func storeByte(_ byte: UInt8) -> UnsafeMutableRawPointer {
    storeBytes(of: byte, as: UInt8.self)
    return self + 1
  }
}

extension UInt32 {
  /// The eight digits of a number below 100 000 000, one per byte, the first in the lowest byte.
  ///
  /// The number is halved three times, each time all parts at once: a product with 2^n/100 or 2^n/10, rounded up, gives
  /// the quotients of all parts, which are too small to touch each other.
  @inline(__always) fileprivate var eightDigits: UInt64 {
    let upper = self / 10_000
    let fours = UInt64(upper) | UInt64(self &- upper &* 10_000) &<< 32
    let hundreds = ((fours &* 10_486) &>> 20) & 0x0000_007f_0000_007f
    let twos = hundreds | (fours &- hundreds &* 100) &<< 16
    let tens = ((twos &* 103) &>> 10) & 0x000f_000f_000f_000f
    return tens | (twos &- tens &* 10) &<< 8
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
    var place = room(for: 25)
    if value < 0 { place = place.storeByte(UInt8(ascii: "-")) }
    advance(to: place.storeInteger(value.magnitude))
  }

  /// Appends the number in decimal.
  public func append(integer value: UInt64) {
    advance(to: room(for: 24).storeInteger(value))
  }
}
