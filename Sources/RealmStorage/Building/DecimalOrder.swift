/// Comparison of decimals: by value, so that 1.0 equals 1.00; NaN before everything, NaNs by their bits
/// (Docs/Format/2-nodes-and-values.md §7.1).
enum DecimalOrder {
  static func compare(_ left: Decimal128, _ right: Decimal128) -> Int {
    switch (left.classified, right.classified) {
    case (.nan, .nan):
      left.high != right.high ? ValueOrder.compare(left.high, right.high) : ValueOrder.compare(left.low, right.low)
    case (.nan, _): -1
    case (_, .nan): 1
    case (.infinity(let left), .infinity(let right)): ValueOrder.compare(left ? 0 : 1, right ? 0 : 1)
    case (.infinity(let isNegative), _): isNegative ? -1 : 1
    case (_, .infinity(let isNegative)): isNegative ? 1 : -1
    case (
      .finite(let leftNegative, let left, let leftExponent), .finite(let rightNegative, let right, let rightExponent)
    ):
      compare(
        (leftNegative, left, leftExponent), (rightNegative, right, rightExponent))
    }
  }

  private typealias Finite = (isNegative: Bool, coefficient: UInt128, exponent: Int)

  private static func compare(_ left: Finite, _ right: Finite) -> Int {
    if left.coefficient == 0 || right.coefficient == 0 {
      return ValueOrder.compare(sign(of: left), sign(of: right))
    }
    guard left.isNegative == right.isNegative else { return left.isNegative ? -1 : 1 }
    let magnitudes = compareMagnitudes(left, right)
    return left.isNegative ? -magnitudes : magnitudes
  }

  private static func sign(of number: Finite) -> Int { number.coefficient == 0 ? 0 : number.isNegative ? -1 : 1 }

  /// Compares numbers other than zero.
  private static func compareMagnitudes(_ left: Finite, _ right: Finite) -> Int {
    let heads = (digitCount(left.coefficient) + left.exponent, digitCount(right.coefficient) + right.exponent)
    guard heads.0 == heads.1 else { return heads.0 < heads.1 ? -1 : 1 }
    // The first digits are at the same place, so the one with fewer digits can be given zeros up to 34 digits.
    let difference = left.exponent - right.exponent
    return ValueOrder.compare(
      left.coefficient &* power(of10: difference), right.coefficient &* power(of10: -difference))
  }

  private static func digitCount(_ number: UInt128) -> Int {
    var (count, bound) = (1, UInt128(10))
    while count < 39, number >= bound {
      count += 1
      let (next, overflow) = bound.multipliedReportingOverflow(by: 10)
      guard !overflow else { return count }
      bound = next
    }
    return count
  }

  static func power(of10 exponent: Int) -> UInt128 { (0..<max(exponent, 0)).reduce(1) { power, _ in power &* 10 } }
}

extension Decimal128 {
  /// The decimal that the engine takes for a float or double when it compares the two: rounded to a number of digits,
  /// halves to even, from 34 digits (Docs/Format/2-nodes-and-values.md §7.2).
  init(rounding value: Double, digits: Int) {
    let isNegative = value.sign == .minus
    guard value.isFinite else {
      let special: UInt64 = value.isNaN ? 0x7c00_0000_0000_0000 : 0x7800_0000_0000_0000
      self.init(low: 0, high: special | (isNegative ? 1 << 63 : 0))
      return
    }
    var number = ExactDigits(value.magnitude)
    number.round(to: 34)
    number.round(to: digits)
    self.init(coefficient: number.coefficient, exponent: number.exponent, isNegative: isNegative)
  }
}

/// All decimal digits of a double: every one is a whole number times a power of ten.
private struct ExactDigits {
  /// The most significant first, without leading zeros; empty for zero.
  private var digits: [UInt8] = []
  private(set) var exponent = 0

  /// - Parameter value: finite and not negative.
  init(_ value: Double) {
    guard value > 0 else { return }
    // value = significand · 2^power; with a negative power that is significand · 5^-power · 10^power.
    let power = Int(value.exponent) - Double.significandBitCount
    let isSubnormal = value.isSubnormal
    let significand = value.significandBitPattern | (isSubnormal ? 0 : 1 << UInt64(Double.significandBitCount))
    let scale = isSubnormal ? -1074 : power
    var number = [UInt32(truncatingIfNeeded: significand), UInt32(truncatingIfNeeded: significand >> 32)]
    for _ in 0..<abs(scale) { Self.multiply(&number, by: scale < 0 ? 5 : 2) }
    exponent = min(scale, 0)
    digits = Self.digits(of: number)
    trim()
  }

  private static func multiply(_ number: inout [UInt32], by factor: UInt64) {
    var carry: UInt64 = 0
    for index in number.indices {
      let product = UInt64(number[index]) * factor + carry
      number[index] = UInt32(truncatingIfNeeded: product)
      carry = product >> 32
    }
    if carry > 0 { number.append(UInt32(truncatingIfNeeded: carry)) }
  }

  private static func digits(of number: [UInt32]) -> [UInt8] {
    var number = number
    var reversed: [UInt8] = []
    while !number.isEmpty {
      var rest: UInt64 = 0
      for index in number.indices.reversed() {
        let part = rest << 32 | UInt64(number[index])
        number[index] = UInt32(truncatingIfNeeded: part / 10)
        rest = part % 10
      }
      reversed.append(UInt8(truncatingIfNeeded: rest))
      while number.last == 0 { number.removeLast() }
    }
    return reversed.reversed()
  }

  /// Rounds to the nearest number of `count` digits, halves to even; does nothing where there are no more.
  mutating func round(to count: Int) {
    guard digits.count > count else { return }
    let dropped = digits[count...]
    let isAbove = (dropped.first ?? 0) > 5 || (dropped.first == 5 && dropped.dropFirst().contains { $0 != 0 })
    let isHalf = dropped.first == 5 && !isAbove
    let isOdd = digits[count - 1] & 1 != 0
    exponent += dropped.count
    digits.removeSubrange(count...)
    if isAbove || (isHalf && isOdd) { increment() }
    trim()
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
  }

  /// Drops zeros at the end.
  private mutating func trim() {
    while digits.last == 0 {
      digits.removeLast()
      exponent += 1
    }
    if digits.isEmpty { exponent = 0 }
  }

  /// The digits as a number; they are 15 at most when it is asked for.
  var coefficient: UInt64 { digits.reduce(0) { $0 &* 10 &+ UInt64($1) } }
}
