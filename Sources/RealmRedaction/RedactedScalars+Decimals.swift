import RealmStorage
import RealmText

/// Noise and steps of decimals, computed with their digits: most have no equal among floating-point numbers.
extension RedactedScalars {
  private static let coefficientLimit = Decimal128.coefficientLimit
  private static let lowestExponent = -6176

  // MARK: Noise

  /// A number near another one, but not the same if the bounds have room.
  static func near(
    _ number: Signed128, within limit: Unsigned128, _ bounds: ClosedRange<Signed128>, _ random: inout KeyedNumbers
  ) -> Signed128 {
    let below = min(limit, (number - bounds.lowerBound).magnitude)
    let above = min(limit, (bounds.upperBound - number).magnitude)
    guard below + above > 0 else { return number }
    let place = Self.number(from: 1, through: below + above, &random)
    return place <= below ? number - Signed128(place) : number + Signed128(place - below)
  }

  /// A share of a number, rounded down.
  ///
  /// - Parameter share: at most 1.
  static func part(_ share: Double, of number: Unsigned128) -> Unsigned128 {
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
    var limit: Unsigned128
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
        limit = digits.scaled(by: 16) - (isExact ? 0 : 1)
      } else {
        func units() -> Unsigned128 {
          exponent > unit
            ? powerOfTen(exponent - unit).map { digits / $0 } ?? 0 : digits.scaled(by: unit - exponent)
        }
        limit = units()
        while limit == 0, refine() { limit = units() }
      }
    }
    let bound = Signed128(coefficientLimit - 1)
    let result = near(Signed128(coefficient, isNegative: isNegative), within: limit, -bound...bound, &random)
    return limit == 0
      ? number : Decimal128(coefficient: result.magnitude, exponent: exponent, isNegative: result.isNegative)
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
    guard let (excess, stride) = factor.map({ digits.multipliedFullWidth(by: $0) }), excess == 0,
      stride <= coefficient
    else {
      return isNegative
        ? Decimal128(coefficient: digits, exponent: unit, isNegative: true)
        : Decimal128(coefficient: 0, exponent: 0, isNegative: false)
    }
    let rest = coefficient % stride
    guard rest > 0 else { return number }
    coefficient = coefficient - rest
    // As an int, a number at the end of the range becomes the last multiple in it.
    if isNegative, coefficient + stride < coefficientLimit { coefficient = coefficient + stride }
    return Decimal128(coefficient: coefficient, exponent: exponent, isNegative: isNegative)
  }

  // MARK: Digits

  /// A number of a rule as digits without zeros at the end, and the exponent of the last.
  ///
  /// - Parameter number: above 0.
  private static func digits(of number: Double) -> (digits: Unsigned128, exponent: Int) {
    guard case .finite(_, var digits, var exponent)? = Decimal128(text: "\(number)")?.classified, digits > 0 else {
      return (1, lowestExponent)
    }
    while digits % 10 == 0 { (digits, exponent) = (digits / 10, exponent + 1) }
    return (digits, exponent)
  }

  /// Nil if it is too large.
  private static func powerOfTen(_ exponent: Int) -> Unsigned128? {
    guard exponent <= 38 else { return nil }
    return Unsigned128.powersOfTen[max(exponent, 0)]
  }
}
