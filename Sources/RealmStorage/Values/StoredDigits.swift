// Text is written to raw memory, a few digits at a time: an export writes millions of numbers.

extension UnsafeMutableRawPointer {
  /// Writes the two digits of `value`, which is below 100.
  @inlinable @inline(__always) package func storeTwoDigits(_ value: Int) {
    let tens = (value &* 103) &>> 10
    let pair = 0x3030 | UInt16(truncatingIfNeeded: tens | (value &- tens &* 10) &<< 8)
    storeBytes(of: pair.littleEndian, as: UInt16.self)
  }

  /// Writes the four digits of `value`, which is below 10 000.
  @inlinable @inline(__always) package func storeFourDigits(_ value: UInt32) {
    let high = value / 100
    storeTwoDigits(Int(truncatingIfNeeded: high))
    (self + 2).storeTwoDigits(Int(truncatingIfNeeded: value &- high &* 100))
  }

  /// Writes the eight digits of `value`, which is below 100 000 000.
  @inlinable @inline(__always) package func storeEightDigits(_ value: UInt32) {
    let digits = value.eightDigits | 0x3030_3030_3030_3030
    storeBytes(of: digits.littleEndian, as: UInt64.self)
  }

  /// Writes the sixteen digits of `value`, which is below 10^16.
  @inlinable @inline(__always) package func storeSixteenDigits(_ value: UInt64) {
    let high = value / 100_000_000
    storeEightDigits(UInt32(truncatingIfNeeded: high))
    (self + 8).storeEightDigits(UInt32(truncatingIfNeeded: value &- high &* 100_000_000))
  }

  /// Writes `value`, which is below 100 000 000, without leading zeros, and returns the place after it. Eight bytes are
  /// always written.
  @inlinable @inline(__always) package func storeShort(_ value: UInt32) -> UnsafeMutableRawPointer {
    let digits = value.eightDigits
    // The last digit stays, even if it is 0.
    let zeros = (digits | 1 &<< 56).trailingZeroBitCount & 0x38
    let text = (digits | 0x3030_3030_3030_3030) &>> UInt64(truncatingIfNeeded: zeros)
    storeBytes(of: text.littleEndian, as: UInt64.self)
    return self + (8 &- zeros &>> 3)
  }

  /// Writes `value` without leading zeros and returns the place after it. There must be room for 24 bytes.
  @inlinable @inline(__always) package func storeInteger(_ value: UInt64) -> UnsafeMutableRawPointer {
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

  /// Writes the hex digits of the top `byteCount` bytes of `value`, lower case, and returns the place after them.
  @inlinable @inline(__always) package func storeHex(_ value: UInt64, byteCount: Int) -> UnsafeMutableRawPointer {
    var rest = value
    var place = self
    for _ in 0..<byteCount {
      let byte = UInt16(truncatingIfNeeded: rest &>> 56)
      let digits = byte &>> 4 | (byte & 15) &<< 8
      // 10 and more become letters.
      let letters = ((digits &+ 0x0606) &>> 4) & 0x0101
      place.storeBytes(of: (0x3030 &+ digits &+ letters &* 39).littleEndian, as: UInt16.self)
      place += 2
      rest &<<= 8
    }
    return place
  }

  /// Writes a literal of ASCII text, and returns the place after it.
  @inlinable @inline(__always) package func store(_ literal: StaticString) -> UnsafeMutableRawPointer {
    copyMemory(from: literal.utf8Start, byteCount: literal.utf8CodeUnitCount)
    return self + literal.utf8CodeUnitCount
  }

  @inlinable @inline(__always) package func storeByte(_ byte: UInt8) -> UnsafeMutableRawPointer {
    storeBytes(of: byte, as: UInt8.self)
    return self + 1
  }
}

extension UInt32 {
  /// The eight digits of a number below 100 000 000, one per byte, the first in the lowest byte.
  ///
  /// The number is halved three times, each time all parts at once: a product with 2^n/100 or 2^n/10, rounded up, gives
  /// the quotients of all parts, which are too small to touch each other.
  @inlinable @inline(__always) package var eightDigits: UInt64 {
    let upper = self / 10_000
    let fours = UInt64(upper) | UInt64(self &- upper &* 10_000) &<< 32
    let hundreds = ((fours &* 10_486) &>> 20) & 0x0000_007f_0000_007f
    let twos = hundreds | (fours &- hundreds &* 100) &<< 16
    let tens = ((twos &* 103) &>> 10) & 0x000f_000f_000f_000f
    return tens | (twos &- tens &* 10) &<< 8
  }
}
