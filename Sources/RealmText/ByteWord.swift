/// Eight bytes in a machine word, the first in the lowest place, to look at all of them at once.
///
/// The tests give a mask with the top bit set in each byte that matches. Only the lowest set bit of a mask, or of several
/// put together with `|`, is sure to be right: a borrow may set bits above a true match.
struct ByteWord {
  let bits: UInt64

  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let tops: UInt64 = 0x8080_8080_8080_8080

  /// The eight bytes at `place`.
  @inline(__always) init(at place: UnsafeRawPointer) {
    bits = UInt64(littleEndian: place.loadUnaligned(as: UInt64.self))
  }

  /// The `count` bytes at `place`, 0 to 7, followed by zeros.
  @inline(__always) init(at place: UnsafeRawPointer, count: Int) {
    if count >= 4 {
      let low = UInt64(UInt32(littleEndian: place.loadUnaligned(as: UInt32.self)))
      let high = UInt64(UInt32(littleEndian: (place + (count &- 4)).loadUnaligned(as: UInt32.self)))
      bits = low | high &<< UInt64(truncatingIfNeeded: 8 &* (count &- 4))
    } else if count >= 2 {
      let low = UInt64(UInt16(littleEndian: place.loadUnaligned(as: UInt16.self)))
      let high = UInt64(UInt16(littleEndian: (place + (count &- 2)).loadUnaligned(as: UInt16.self)))
      bits = low | high &<< UInt64(truncatingIfNeeded: 8 &* (count &- 2))
    } else {
      bits = count == 1 ? UInt64(place.load(as: UInt8.self)) : 0
    }
  }

  /// Bytes below `bound`, which is at most 0x80.
  @inline(__always) func isBelow(_ bound: UInt8) -> UInt64 {
    (bits &- Self.ones &* UInt64(bound)) & ~bits & Self.tops
  }

  @inline(__always) func equals(_ byte: UInt8) -> UInt64 {
    let difference = bits ^ Self.ones &* UInt64(byte)
    return (difference &- Self.ones) & ~difference & Self.tops
  }

  /// Bytes of 0x80 and more; exact.
  @inline(__always) var isMultibyte: UInt64 { bits & Self.tops }

  /// Position of the first match of a mask that has one.
  @inline(__always) static func firstMatch(_ mask: UInt64) -> Int { mask.trailingZeroBitCount &>> 3 }
}
