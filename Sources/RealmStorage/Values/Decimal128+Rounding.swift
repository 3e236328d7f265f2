extension Decimal128 {
  /// The decimal that represents a floating-point number in comparisons: rounded half to even, first to the 34 digits
  /// of a decimal, then to fewer (Docs/Format/2-nodes-and-values.md §7.2).
  init(rounding value: Double, toDigits digits: Int) {
    guard value.isFinite else {
      let bits: UInt64 = value.isNaN ? 0x7c00_0000_0000_0000 : 0x7800_0000_0000_0000
      self.init(low: 0, high: bits | (value.sign == .minus && !value.isNaN ? 1 << 63 : 0))
      return
    }
    var number = ExactDigits(value.magnitude)
    number.round(to: 34)
    number.round(to: digits)
    // At most 15 digits are left.
    let coefficient = Unsigned128(number.digits.reduce(0) { $0 &* 10 &+ UInt64($1) })
    self.init(coefficient: coefficient, exponent: number.exponent, isNegative: value.sign == .minus)
  }
}

/// All decimal digits of a finite number: digits × 10^exponent.
private struct ExactDigits {
  /// The highest first; empty for zero.
  private(set) var digits: [UInt8] = []
  private(set) var exponent = 0

  /// - Parameter value: finite and not negative.
  init(_ value: Double) {
    guard value > 0 else { return }
    // An integer of 53 bits times a power of two.
    let hidden: UInt64 = value.isNormal ? 1 << 52 : 0
    let unit = (value.isNormal ? Int(value.exponentBitPattern) : 1) - 1075
    var words = Self.words(of: value.significandBitPattern | hidden)
    if unit > 0 {
      for _ in 0..<unit { Self.multiply(&words, by: 2) }
    } else {
      // m × 2^-k is m × 5^k × 10^-k.
      for _ in 0..<(-unit) { Self.multiply(&words, by: 5) }
      exponent = unit
    }
    digits = Self.decimalDigits(of: words)
  }

  /// Little-endian words of 32 bits.
  private static func words(of value: UInt64) -> [UInt32] {
    [UInt32(truncatingIfNeeded: value), UInt32(truncatingIfNeeded: value >> 32)]
  }

  private static func multiply(_ words: inout [UInt32], by factor: UInt64) {
    var carry: UInt64 = 0
    for index in words.indices {
      let product = UInt64(words[index]) &* factor &+ carry
      words[index] = UInt32(truncatingIfNeeded: product)
      carry = product >> 32
    }
    if carry > 0 { words.append(UInt32(truncatingIfNeeded: carry)) }
  }

  private static func decimalDigits(of words: [UInt32]) -> [UInt8] {
    var (rest, reversed) = (words, [UInt8]())
    while let last = rest.last {
      guard last != 0 else {
        rest.removeLast()
        continue
      }
      var remainder: UInt64 = 0
      for index in rest.indices.reversed() {
        let part = remainder << 32 | UInt64(rest[index])
        rest[index] = UInt32(truncatingIfNeeded: part / 1_000_000_000)
        remainder = part % 1_000_000_000
      }
      for _ in 0..<9 {
        reversed.append(UInt8(remainder % 10))
        remainder /= 10
      }
    }
    while reversed.last == 0 { reversed.removeLast() }
    return reversed.reversed()
  }

  /// Half to even.
  mutating func round(to count: Int) {
    guard digits.count > count else { return }
    let rest = digits[count...]
    let half = rest.first ?? 0
    let isAboveHalf = half > 5 || (half == 5 && rest.dropFirst().contains { $0 != 0 })
    let isHalf = half == 5 && !isAboveHalf
    exponent += rest.count
    digits.removeLast(rest.count)
    if isAboveHalf || (isHalf && (digits.last ?? 0) % 2 == 1) { increment() }
  }

  private mutating func increment() {
    for index in digits.indices.reversed() {
      if digits[index] < 9 {
        digits[index] += 1
        return
      }
      digits[index] = 0
    }
    digits.insert(1, at: 0)
    digits.removeLast()
    exponent += 1
  }
}
