import RealmStorage

/// A natural number of up to 1280 bits, for the exact arithmetic behind the writers of numbers.
///
/// That is enough for every `Double` times any power of ten that brings it to 18 digits. Bits beyond are lost.
struct WideNumber {
  static let bitCount = 1280

  /// The least significant word first.
  private var words: [UInt32]

  init(_ value: UInt64) {
    words = Array(repeating: 0, count: Self.bitCount / 32)
    words[0] = UInt32(truncatingIfNeeded: value)
    words[1] = UInt32(truncatingIfNeeded: value >> 32)
  }

  mutating func multiply(by factor: UInt32) {
    var carry: UInt64 = 0
    for index in words.indices {
      carry = UInt64(words[index]) &* UInt64(factor) &+ carry
      words[index] = UInt32(truncatingIfNeeded: carry)
      carry >>= 32
    }
  }

  /// Divides by 5, rounding down.
  mutating func divideByFive() {
    var rest: UInt64 = 0
    for index in words.indices.reversed() {
      let part = rest << 32 | UInt64(words[index])
      words[index] = UInt32(truncatingIfNeeded: part / 5)
      rest = part % 5
    }
  }

  mutating func shiftLeft(by count: Int) {
    let (wordShift, bitShift) = (count / 32, count % 32)
    for index in words.indices.reversed() {
      let upper = index >= wordShift ? words[index - wordShift] : 0
      let lower = index > wordShift ? words[index - wordShift - 1] : 0
      words[index] = bitShift == 0 ? upper : upper << bitShift | lower >> (32 - bitShift)
    }
  }

  mutating func halve() {
    for index in words.indices {
      let upper = index + 1 < words.count ? words[index + 1] : 0
      words[index] = words[index] >> 1 | upper << 31
    }
  }

  mutating func subtract(_ other: WideNumber) {
    var borrow: Int64 = 0
    for index in words.indices {
      let difference = Int64(words[index]) - Int64(other.words[index]) + borrow
      words[index] = UInt32(truncatingIfNeeded: difference)
      borrow = difference >> 32
    }
  }

  /// The 128 bits from the topmost set bit on, plus one if asked for.
  func leadingBits(roundingUp: Bool) -> (high: UInt64, low: UInt64) {
    guard let top = words.lastIndex(where: { $0 != 0 }) else { return (0, 0) }
    func word(_ offset: Int) -> UInt64 { top >= offset ? UInt64(words[top - offset]) : 0 }
    var bits = Unsigned128(high: word(0) << 32 | word(1), low: word(2) << 32 | word(3))
    let shift = words[top].leadingZeroBitCount
    if shift > 0 { bits = bits << shift + Unsigned128(word(4) >> UInt64(32 - shift)) }
    if roundingUp { bits = bits + 1 }
    return (bits.high, bits.low)
  }
}

extension WideNumber: Comparable {
  static func < (left: WideNumber, right: WideNumber) -> Bool {
    left.words.reversed().lexicographicallyPrecedes(right.words.reversed())
  }
}
