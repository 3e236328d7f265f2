/// Sixteen bytes in a vector register, the first in the lowest place, to look at all of them at once.
struct ByteBlock {
  static let size = 16

  private let bytes: SIMD16<UInt8>

  /// Which of the bytes match.
  typealias Matches = SIMDMask<SIMD16<Int8>>

  /// The sixteen bytes at `place`.
  @inline(__always) init(at place: UnsafeRawPointer) {
    bytes = place.loadUnaligned(as: SIMD16<UInt8>.self)
  }

  /// The last `count` bytes before `end`, 0 to 15, followed by anything. Nothing before `start` is read.
  @inline(__always) init(before end: UnsafeRawPointer, count: Int, start: UnsafeRawPointer) {
    let words: SIMD2<UInt64>
    if end - start < 8 {
      words = [ByteWord(at: end - count, count: count).bits, 0]
    } else {
      // Bytes that were looked at before are read once more, and shifted out.
      let last = ByteWord(at: end - 8).bits
      words =
        count > 8
        ? [ByteWord(at: end - count).bits, last &>> UInt64(truncatingIfNeeded: 8 &* (16 &- count))]
        : [last &>> UInt64(truncatingIfNeeded: 8 &* (8 &- count)), 0]
    }
    let stored = SIMD2(words[0].littleEndian, words[1].littleEndian)
    bytes = unsafeBitCast(stored, to: SIMD16<UInt8>.self)
  }

  @inline(__always) func store(at place: UnsafeMutableRawPointer) {
    place.storeBytes(of: bytes, as: SIMD16<UInt8>.self)
  }

  @inline(__always) func isBelow(_ bound: UInt8) -> Matches { bytes .< SIMD16(repeating: bound) }
  @inline(__always) func isAbove(_ bound: UInt8) -> Matches { bytes .> SIMD16(repeating: bound) }
  @inline(__always) func equals(_ byte: UInt8) -> Matches { bytes .== SIMD16(repeating: byte) }

  /// The position of the first match; 16 without one.
  @inline(__always) static func firstMatch(_ matches: Matches) -> Int {
    let words = unsafeBitCast(matches, to: SIMD2<UInt64>.self)
    let (low, high) = (UInt64(littleEndian: words[0]), UInt64(littleEndian: words[1]))
    // A word without a match has 64 zeros.
    let inLow = low.trailingZeroBitCount &>> 3
    let inHigh = high.trailingZeroBitCount &>> 3
    return inLow < 8 ? inLow : 8 &+ inHigh
  }
}
