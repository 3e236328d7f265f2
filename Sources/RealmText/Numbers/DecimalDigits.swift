import RealmStorage

/// The first digits of a binary floating-point number, correctly rounded: `digits × 10^(exponent - digitCount + 1)`.
struct DecimalDigits: Equatable {
  /// A number of exactly `digitCount` digits.
  var digits: UInt64
  /// Power of ten of the first digit.
  var exponent: Int

  static let zero = DecimalDigits(digits: 0, exponent: 0)

  private init(digits: UInt64, exponent: Int) {
    self.digits = digits
    self.exponent = exponent
  }

  /// The `digitCount` digits of `significand × 2^binaryExponent`, ties to even.
  ///
  /// `significand` is not 0. The number lies in the range of `Double`, `digitCount` is 17 or 8.
  ///
  /// The significand, shifted to 64 bits, times a power of ten of 128 bits gives 192 bits, of which the topmost are the
  /// digits. If the power was rounded up, the product is too large by less than 2^64, which only matters where it looks
  /// like a tie; such a number is left to exact arithmetic. True ties come with exact powers: a number with 17 digits and
  /// a half left of some decimal place has too large an odd factor for 53 bits, unless the power is from 10^0 to 10^24.
  @inline(__always)
  init(significand: UInt64, binaryExponent: Int, digitCount: Int) {
    let shift = significand.leadingZeroBitCount
    let topBit = binaryExponent &- shift &+ 63
    let estimate = PowersOfTen.floorLog10(topBit)
    let scale = digitCount &- 1 &- estimate
    let power = PowersOfTen.scaled(scale)
    let normalized = significand &<< UInt64(truncatingIfNeeded: shift)
    let upper = normalized.multipliedFullWidth(by: power.high)
    let lower = normalized.multipliedFullWidth(by: power.low)
    let (middle, carry) = upper.low.addingReportingOverflow(lower.high)
    let top = upper.high &+ (carry ? 1 : 0)

    // The product's unit is 2^(binaryExponent - shift + floorLog2(scale) - 127); 1 is this many bits above 2^128.
    let fractionBits = UInt64(truncatingIfNeeded: 62 &- topBit &- PowersOfTen.floorLog2(scale))
    let whole = top &>> fractionBits
    let half: UInt64 = 1 &<< (fractionBits &- 1)
    let fraction = top & (half &* 2 &- 1)
    let hasOneMore = whole >= PowersOfTen.small(digitCount)
    let kept = hasOneMore ? whole / 10 : whole
    let last = whole &- kept &* 10
    var isRoundedUp = hasOneMore ? last >= 5 : fraction >= half
    let looksLikeTie = middle == 0 && (hasOneMore ? last == 5 && fraction == 0 : fraction == half)
    if _slowPath(looksLikeTie) {
      guard PowersOfTen.isExact(scale) else {
        self.init(exactly: significand, binaryExponent: binaryExponent, digitCount: digitCount)
        return
      }
      isRoundedUp = lower.low != 0 || kept & 1 == 1
    }
    let rounded = kept &+ (isRoundedUp ? 1 : 0)
    let isCarried = rounded == PowersOfTen.small(digitCount)
    self.init(
      digits: isCarried ? rounded / 10 : rounded,
      exponent: estimate &+ (hasOneMore ? 1 : 0) &+ (isCarried ? 1 : 0))
  }

  /// The same by long division of integers: slow, and always exact.
  @inline(never)
  init(exactly significand: UInt64, binaryExponent: Int, digitCount: Int) {
    let topBit = binaryExponent + 63 - significand.leadingZeroBitCount
    exponent = PowersOfTen.floorLog10(topBit)
    digits = 0
    let limit = PowersOfTen.small(digitCount)
    while true {
      let scale = digitCount - 1 - exponent
      var numerator = WideNumber(significand)
      var denominator = WideNumber(1)
      for _ in 0..<max(scale, 0) { numerator.multiply(by: 5) }
      for _ in 0..<max(-scale, 0) { denominator.multiply(by: 5) }
      numerator.shiftLeft(by: max(binaryExponent + scale, 0))
      denominator.shiftLeft(by: max(-binaryExponent - scale, 0))
      digits = Self.roundedQuotient(numerator, denominator)
      if digits < limit { return }
      exponent += 1
    }
  }

  /// `numerator / denominator`, which is below 2^62, rounded to the nearest whole number, ties to even.
  private static func roundedQuotient(_ numerator: WideNumber, _ denominator: WideNumber) -> UInt64 {
    let quotientBits = 62
    var rest = numerator
    var divisor = denominator
    divisor.shiftLeft(by: quotientBits)
    var quotient: UInt64 = 0
    for _ in 0..<quotientBits {
      divisor.halve()
      quotient <<= 1
      if divisor <= rest {
        rest.subtract(divisor)
        quotient |= 1
      }
    }
    rest.shiftLeft(by: 1)
    if denominator < rest || (denominator == rest && quotient & 1 == 1) { quotient += 1 }
    return quotient
  }
}
