import RealmStorage
import RealmText

/// Noise and steps of decimals, computed with their digits: most have no equal among floating-point numbers.
extension RedactedScalars {
  /// Above all coefficients.
  private static let coefficientLimit: UInt128 = 10_000_000_000_000_000_000_000_000_000_000_000
  private static let lowestExponent = -6176

  // MARK: Noise

  /// A number near another one, but not the same if the bounds have room.
  static func near(
    _ number: Int128, within limit: UInt128, _ bounds: ClosedRange<Int128>, _ random: inout KeyedNumbers
  ) -> Int128 {
    let below = min(limit, (number - bounds.lowerBound).magnitude)
    let above = min(limit, (bounds.upperBound - number).magnitude)
    guard below + above > 0 else { return number }
    let place = Self.number(from: 1, through: below + above, &random)
    return place <= below ? number - Int128(place) : number + Int128(place - below)
  }

  /// A share of a number, rounded down.
  ///
  /// - Parameter share: at most 1.
  static func part(_ share: Double, of number: UInt128) -> UInt128 {
    let (digits, exponent) = Self.digits(of: share)
    guard let divisor = powerOfTen(-exponent) else { return 0 }
    return divisor.dividingFullWidth(number.multipliedFullWidth(by: digits)).quotient
  }

  /// Infinities and NaN stay, and so does a number of which all others are too far away.
  static func noisy(_ number: Decimal128, _ range: NoiseRange, _ random: inout KeyedNumbers) -> Decimal128 {
    guard case .finite(let isNegative, var coefficient, var exponent) = number.classified else { return number }
    /// Adds a digit, if there is room.
    func refine() -> Bool {
      guard coefficient < coefficientLimit / 10, exponent > lowestExponent else { return false }
      (coefficient, exponent) = (coefficient * 10, exponent - 1)
      return true
    }
    /// In units of the last digit.
    var limit: UInt128
    switch range {
    case .relative(let share):
      limit = part(share, of: coefficient)
      // Few digits have few others near them: 1E+3 none within 10 %.
      while limit < 10, coefficient > 0, refine() { limit = part(share, of: coefficient) }
    case .absolute(let amount):
      let (digits, unit) = Self.digits(of: amount)
      if coefficient == 0 { exponent = min(exponent, unit) }
      // Digits far below those of the amount are dropped: the sum could have thousands.
      let least = unit - 16
      if exponent < least {
        let rest = powerOfTen(least - exponent).map { coefficient.quotientAndRemainder(dividingBy: $0) }
        let isExact = rest.map { $0.remainder == 0 } ?? (coefficient == 0)
        (coefficient, exponent) = (rest?.quotient ?? 0, least)
        limit = digits * (powerOfTen(16) ?? 1) - (isExact ? 0 : 1)
      } else {
        func units() -> UInt128 {
          exponent > unit
            ? powerOfTen(exponent - unit).map { digits / $0 } ?? 0 : digits * (powerOfTen(unit - exponent) ?? 1)
        }
        limit = units()
        while limit == 0, refine() { limit = units() }
      }
    }
    let bound = Int128(coefficientLimit - 1)
    let result = near(isNegative ? -Int128(coefficient) : Int128(coefficient), within: limit, -bound...bound, &random)
    return limit == 0
      ? number : Decimal128(coefficient: result.magnitude, exponent: exponent, isNegative: result < 0)
  }

  // MARK: Steps

  /// The largest multiple of a step that is not above a number. If it has more than 34 digits, that of ten times the
  /// step, and so on. Infinities and NaN stay.
  static func rounded(_ number: Decimal128, to step: Double) -> Decimal128 {
    guard case .finite(let isNegative, var coefficient, var exponent) = number.classified, coefficient > 0 else {
      return number
    }
    let (digits, unit) = Self.digits(of: step)
    while exponent > unit, coefficient < coefficientLimit / 10 {
      (coefficient, exponent) = (coefficient * 10, exponent - 1)
    }
    let factor = exponent < unit ? powerOfTen(unit - exponent) : 1
    guard let (stride, isTooLarge) = factor.map({ digits.multipliedReportingOverflow(by: $0) }), !isTooLarge,
      stride <= coefficient
    else {
      return isNegative
        ? Decimal128(coefficient: digits, exponent: unit, isNegative: true)
        : Decimal128(coefficient: 0, exponent: 0, isNegative: false)
    }
    let rest = coefficient % stride
    guard rest > 0 else { return number }
    coefficient -= rest
    // As an int, a number at the end of the range becomes the last multiple in it.
    if isNegative, coefficient + stride < coefficientLimit { coefficient += stride }
    return Decimal128(coefficient: coefficient, exponent: exponent, isNegative: isNegative)
  }

  // MARK: Digits

  /// A number of a rule as digits without zeros at the end, and the exponent of the last.
  ///
  /// - Parameter number: above 0.
  private static func digits(of number: Double) -> (digits: UInt128, exponent: Int) {
    guard case .finite(_, var digits, var exponent)? = Decimal128(text: "\(number)")?.classified, digits > 0 else {
      return (1, lowestExponent)
    }
    while digits % 10 == 0 { (digits, exponent) = (digits / 10, exponent + 1) }
    return (digits, exponent)
  }

  /// Nil if it is too large.
  private static func powerOfTen(_ exponent: Int) -> UInt128? {
    guard exponent <= 38 else { return nil }
    return (0..<max(exponent, 0)).reduce(1) { power, _ in power * 10 }
  }
}
