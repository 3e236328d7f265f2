/// A whole number of 128 bits, such as the coefficient of a decimal. (The standard library's needs macOS 15 and iOS 18.)
///
/// As with other integers, a result that does not fit is a mistake of the caller and ends the process.
public struct Unsigned128: Hashable, Sendable {
  /// Bits 64–127.
  public var high: UInt64
  /// Bits 0–63.
  public var low: UInt64

  /// A number by its halves.
  @inlinable @inline(__always)
  public init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

  /// A number of 64 bits.
  @inlinable @inline(__always)
  public init(_ number: UInt64) { self.init(high: 0, low: number) }

  package static let max = Unsigned128(high: .max, low: .max)

  /// 10^0 to 10^38.
  package static let powersOfTen: [Unsigned128] = (1...38).reduce(into: [1]) { powers, index in
    powers.append(powers[index - 1] * 10)
  }

  /// How many digits it has; 0 for 0.
  package var digitCount: Int {
    // As many as the binary digits make at least, or one more.
    let least = ((128 - leadingZeroBitCount) * 1233) >> 12
    return self < Self.powersOfTen[least] ? least : least + 1
  }

  /// The number times a power of ten, modulo 2^128.
  ///
  /// - Parameter exponent: at most 38.
  package func scaled(by exponent: Int) -> Unsigned128 { multipliedFullWidth(by: Self.powersOfTen[exponent]).low }

  package var leadingZeroBitCount: Int {
    high != 0 ? high.leadingZeroBitCount : 64 + low.leadingZeroBitCount
  }
}

extension Unsigned128: Comparable {
  /// By value.
  @inlinable @inline(__always)
  public static func < (left: Unsigned128, right: Unsigned128) -> Bool {
    left.high != right.high ? left.high < right.high : left.low < right.low
  }
}

extension Unsigned128: ExpressibleByIntegerLiteral, CustomStringConvertible {
  /// A number of 64 bits.
  @inlinable @inline(__always)
  public init(integerLiteral value: UInt64) { self.init(value) }

  /// Its digits.
  public var description: String {
    guard high != 0 else { return "\(low)" }
    let (upper, lower) = divided(by: 10_000_000_000_000_000_000)
    let digits = "\(lower)"
    return "\(upper)" + String(repeating: "0", count: 19 - digits.utf8.count) + digits
  }
}

extension UInt64 {
  /// Nil beyond 64 bits.
  @inlinable @inline(__always)
  package init?(exactly number: Unsigned128) {
    guard number.high == 0 else { return nil }
    self = number.low
  }
}

extension Double {
  /// The nearest double.
  package init(_ number: Unsigned128) {
    guard number.high != 0 else {
      self = Double(number.low)
      return
    }
    // The upper 64 bits decide, and whether anything is below them.
    let shift = 64 - number.high.leadingZeroBitCount
    let upper = (number >> shift).low
    let isExact = Unsigned128(upper) << shift == number
    self = Double(upper | (isExact ? 0 : 1)) * Double(sign: .plus, exponent: shift, significand: 1)
  }
}

extension Unsigned128 {
  /// The integer part of a number; the nearest limit if it lies beyond, 0 for NaN.
  package init(clamping number: Double) {
    guard number >= 1 else {
      self = 0
      return
    }
    guard number < 0x1p128 else {
      self = .max
      return
    }
    let shift = Int(number.exponent) - 52
    let digits = Unsigned128(number.significandBitPattern | 1 << 52)
    self = shift < 0 ? digits >> -shift : digits << shift
  }
}

// MARK: Arithmetic

extension Unsigned128 {
  @inlinable @inline(__always)
  package static func + (left: Unsigned128, right: Unsigned128) -> Unsigned128 {
    let (low, carry) = left.low.addingReportingOverflow(right.low)
    return Unsigned128(high: left.high + right.high + (carry ? 1 : 0), low: low)
  }

  @inlinable @inline(__always)
  package static func - (left: Unsigned128, right: Unsigned128) -> Unsigned128 {
    let (low, borrow) = left.low.subtractingReportingOverflow(right.low)
    return Unsigned128(high: left.high - right.high - (borrow ? 1 : 0), low: low)
  }

  @inlinable @inline(__always)
  package static func * (left: Unsigned128, right: UInt64) -> Unsigned128 {
    let low = left.low.multipliedFullWidth(by: right)
    return Unsigned128(high: left.high * right + low.high, low: low.low)
  }

  /// Wraps around.
  @inlinable @inline(__always)
  package static func &+ (left: Unsigned128, right: Unsigned128) -> Unsigned128 {
    let (low, carry) = left.low.addingReportingOverflow(right.low)
    return Unsigned128(high: left.high &+ right.high &+ (carry ? 1 : 0), low: low)
  }

  /// Wraps around.
  @inlinable @inline(__always)
  package static func &- (left: Unsigned128, right: Unsigned128) -> Unsigned128 {
    let (low, borrow) = left.low.subtractingReportingOverflow(right.low)
    return Unsigned128(high: left.high &- right.high &- (borrow ? 1 : 0), low: low)
  }

  package static func / (left: Unsigned128, right: Unsigned128) -> Unsigned128 {
    left.quotientAndRemainder(dividingBy: right).quotient
  }

  package static func % (left: Unsigned128, right: Unsigned128) -> Unsigned128 {
    left.quotientAndRemainder(dividingBy: right).remainder
  }

  /// - Parameter right: below 128, as for `>>`.
  @inlinable @inline(__always)
  package static func << (left: Unsigned128, right: Int) -> Unsigned128 {
    right >= 64
      ? Unsigned128(high: left.low << UInt64(right - 64), low: 0)
      : Unsigned128(high: left.high << UInt64(right) | left.low >> UInt64(64 - right), low: left.low << UInt64(right))
  }

  @inlinable @inline(__always)
  package static func >> (left: Unsigned128, right: Int) -> Unsigned128 {
    right >= 64
      ? Unsigned128(left.high >> UInt64(right - 64))
      : Unsigned128(high: left.high >> UInt64(right), low: left.low >> UInt64(right) | left.high << UInt64(64 - right))
  }

  /// All 256 bits of a product.
  package func multipliedFullWidth(by other: Unsigned128) -> (high: Unsigned128, low: Unsigned128) {
    let lowest = low.multipliedFullWidth(by: other.low)
    let (first, second) = (high.multipliedFullWidth(by: other.low), low.multipliedFullWidth(by: other.high))
    let highest = high.multipliedFullWidth(by: other.high)
    let middle = Unsigned128(lowest.high) &+ Unsigned128(first.low) &+ Unsigned128(second.low)
    let upper =
      Unsigned128(high: highest.high, low: highest.low) &+ Unsigned128(first.high) &+ Unsigned128(second.high)
      &+ Unsigned128(middle.high)
    return (upper, Unsigned128(high: middle.low, low: lowest.low))
  }

  /// - Parameter divisor: not 0.
  @inlinable @inline(__always)
  package func divided(by divisor: UInt64) -> (quotient: Unsigned128, remainder: UInt64) {
    guard high != 0 else {
      let (quotient, remainder) = low.quotientAndRemainder(dividingBy: divisor)
      return (Unsigned128(quotient), remainder)
    }
    let upper = high.quotientAndRemainder(dividingBy: divisor)
    let lower = divisor.dividingFullWidth((upper.remainder, low))
    return (Unsigned128(high: upper.quotient, low: lower.quotient), lower.remainder)
  }

  /// - Parameter divisor: not 0.
  package func quotientAndRemainder(
    dividingBy divisor: Unsigned128
  ) -> (quotient: Unsigned128, remainder: Unsigned128) {
    guard divisor.high != 0 else {
      let (quotient, remainder) = divided(by: divisor.low)
      return (quotient, Unsigned128(remainder))
    }
    guard self >= divisor else { return (0, self) }
    let (quotient, remainder) = divisor.dividing(high: 0, self)
    return (Unsigned128(quotient), remainder)
  }

  /// Divides a number of 256 bits by this one.
  ///
  /// - Parameter number: its upper half is less than this number.
  package func dividingFullWidth(
    _ number: (high: Unsigned128, low: Unsigned128)
  ) -> (quotient: Unsigned128, remainder: Unsigned128) {
    guard high != 0 else {
      let upper = low.dividingFullWidth((number.high.low, number.low.high))
      let lower = low.dividingFullWidth((upper.remainder, number.low.low))
      return (Unsigned128(high: upper.quotient, low: lower.quotient), Unsigned128(lower.remainder))
    }
    let upper = dividing(high: number.high.high, Unsigned128(high: number.high.low, low: number.low.high))
    let lower = dividing(high: upper.remainder.high, Unsigned128(high: upper.remainder.low, low: number.low.low))
    return (Unsigned128(high: upper.quotient, low: lower.quotient), lower.remainder)
  }

  /// Divides a number of 192 bits by this one, which has more than 64; the quotient has no more (Knuth, The Art of Computer
  /// Programming 2, 4.3.1, algorithm D).
  private func dividing(high top: UInt64, _ rest: Unsigned128) -> (quotient: UInt64, remainder: Unsigned128) {
    // Shifted so that the divisor's highest bit is set, the guess from its upper half is at most two too large.
    let shift = high.leadingZeroBitCount
    let divisor = self << shift
    let upper = shift == 0 ? top : top << UInt64(shift) | rest.high >> UInt64(64 - shift)
    let lower = rest << shift
    var quotient = UInt64.max
    if upper < divisor.high { quotient = divisor.high.dividingFullWidth((upper, lower.high)).quotient }
    // What the guess leaves, modulo 2^192.
    let product = divisor.low.multipliedFullWidth(by: quotient)
    var (remainder, excess) = (lower, upper)
    func subtract(_ number: Unsigned128, _ top: UInt64) {
      if remainder < number { excess &-= 1 }
      (remainder, excess) = (remainder &- number, excess &- top)
    }
    let second = divisor.high.multipliedFullWidth(by: quotient)
    subtract(Unsigned128(high: product.high, low: product.low), 0)
    subtract(Unsigned128(high: second.low, low: 0), second.high)
    while excess != 0 {
      quotient -= 1
      let before = remainder
      remainder = remainder &+ divisor
      if remainder < before { excess &+= 1 }
    }
    return (quotient, remainder >> shift)
  }
}
