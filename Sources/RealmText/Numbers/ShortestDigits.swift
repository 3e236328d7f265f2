import RealmStorage

/// The decimal number with the fewest digits that reads back as a given binary floating-point number, and of several
/// such numbers the nearest to it: `digits × 10^exponent`, without trailing zeros.
///
/// The method is Raffaello Giulietti's ("The Schubfach way to render doubles", 2020): between the midpoints to both
/// neighbors there are at most two candidates with one digit less and two of full length; scaled by a power of ten of
/// 126 bits or more, comparisons in 64 bits with a sticky last bit decide as exact ones would.
struct ShortestDigits: Equatable {
  var digits: UInt64
  var exponent: Int

  @inline(__always) init(digits: UInt64, exponent: Int) {
    self.digits = digits
    self.exponent = exponent
  }

  /// A number with these digits, which are not 0, without the zeros at their end.
  @inline(__always) init(trimming digits: UInt64, exponent: Int) {
    self.init(digits: digits, exponent: exponent)
    dropTrailingZeros()
  }

  /// `value` is finite and not 0; its sign is ignored.
  @inline(__always) init(_ value: Double) {
    let exponentBits = Int(truncatingIfNeeded: (value.bitPattern &>> 52) & 0x7ff)
    let fraction = value.bitPattern & 0x000f_ffff_ffff_ffff
    let significand = exponentBits == 0 ? fraction : fraction | 1 &<< 52
    let binaryExponent = max(exponentBits, 1) &- 1075
    let isWhole = binaryExponent <= 0 && binaryExponent > -53
    if isWhole, significand & (1 &<< UInt64(truncatingIfNeeded: -binaryExponent) &- 1) == 0 {
      self.init(digits: significand &>> UInt64(truncatingIfNeeded: -binaryExponent), exponent: 0)
    } else {
      let scaling = Scaling(binaryExponent, isLowerCloser: fraction == 0 && exponentBits > 1)
      let power = PowersOfTen.scaled(-scaling.exponent)
      self.init(significand, scaling) { multiple in Self.product(power, multiple) }
    }
    dropTrailingZeros()
  }

  /// `value` is finite and not 0; its sign is ignored.
  @inline(__always) init(_ value: Float) {
    let exponentBits = Int(truncatingIfNeeded: (value.bitPattern &>> 23) & 0xff)
    let fraction = UInt64(value.bitPattern & 0x007f_ffff)
    let significand = exponentBits == 0 ? fraction : fraction | 1 &<< 23
    let binaryExponent = max(exponentBits, 1) &- 150
    let isWhole = binaryExponent <= 0 && binaryExponent > -24
    if isWhole, significand & (1 &<< UInt64(truncatingIfNeeded: -binaryExponent) &- 1) == 0 {
      self.init(digits: significand &>> UInt64(truncatingIfNeeded: -binaryExponent), exponent: 0)
    } else {
      let scaling = Scaling(binaryExponent, isLowerCloser: fraction == 0 && exponentBits > 1)
      let power = PowersOfTen.scaled(-scaling.exponent)
      let rounded = power.high &+ (power.low != 0 ? 1 : 0)
      self.init(significand, scaling) { multiple in Self.product(rounded, multiple) }
    }
    dropTrailingZeros()
  }

  /// Where the candidates lie, and the step between them.
  private struct Scaling {
    /// Power of ten of the candidates of full length.
    let exponent: Int
    /// The shift of the multiples of the significand, which puts their bits where the product needs them.
    let shift: UInt64
    /// Whether the lower neighbor is half as far as the upper one, as below a power of two.
    let isLowerCloser: Bool

    @inline(__always) init(_ binaryExponent: Int, isLowerCloser: Bool) {
      // floor(log10(2^e)), or floor(log10(3/4 × 2^e)) where the interval is the smaller one.
      exponent = (binaryExponent &* 1_262_611 &- (isLowerCloser ? 524_031 : 0)) &>> 22
      shift = UInt64(truncatingIfNeeded: binaryExponent &+ PowersOfTen.floorLog2(-exponent) &+ 1)
      self.isLowerCloser = isLowerCloser
    }
  }

  /// `product` gives four times a number of the significand's kind, scaled, its last bit set if anything was cut off.
  @inline(__always)
  private init(_ significand: UInt64, _ scaling: Scaling, product: (UInt64) -> UInt64) {
    let odd = significand & 1
    let quadruple = significand &* 4
    let lower = product((quadruple &- (scaling.isLowerCloser ? 1 : 2)) &<< scaling.shift) &+ odd
    let exact = product(quadruple &<< scaling.shift)
    let upper = product((quadruple &+ 2) &<< scaling.shift) &- odd

    let candidate = exact / 4
    if candidate >= 10 {
      let shorter = candidate / 10
      let isLowInside = lower <= 40 &* shorter
      let isHighInside = 40 &* shorter &+ 40 <= upper
      if isLowInside != isHighInside {
        self.init(digits: shorter &+ (isHighInside ? 1 : 0), exponent: scaling.exponent &+ 1)
        return
      }
    }
    let isLowInside = lower <= 4 &* candidate
    let isHighInside = 4 &* candidate &+ 4 <= upper
    let middle = 4 &* candidate &+ 2
    let isNearerToHigh = exact > middle || (exact == middle && candidate & 1 == 1)
    let takesHigh = isLowInside != isHighInside ? isHighInside : isNearerToHigh
    self.init(digits: candidate &+ (takesHigh ? 1 : 0), exponent: scaling.exponent)
  }

  @inline(__always) private static func product(_ power: (high: UInt64, low: UInt64), _ multiple: UInt64) -> UInt64 {
    let upper = power.high.multipliedFullWidth(by: multiple)
    let lower = power.low.multipliedFullWidth(by: multiple)
    let (middle, carry) = upper.low.addingReportingOverflow(lower.high)
    return (upper.high &+ (carry ? 1 : 0)) | (middle > 1 ? 1 : 0)
  }

  @inline(__always) private static func product(_ power: UInt64, _ multiple: UInt64) -> UInt64 {
    let product = power.multipliedFullWidth(by: multiple)
    return (product.high & 0xffff_ffff) | (product.low &>> 32 > 1 ? 1 : 0)
  }

  @inline(__always) private mutating func dropTrailingZeros() {
    let half = digits / 100_000_000
    if half &* 100_000_000 == digits {
      digits = half
      exponent &+= 8
    }
    while true {
      let shorter = digits / 10
      if shorter &* 10 != digits { return }
      digits = shorter
      exponent &+= 1
    }
  }
}
