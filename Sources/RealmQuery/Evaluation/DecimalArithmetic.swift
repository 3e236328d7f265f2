import RealmStorage

/// The four operations on decimals, rounded half to even to 34 digits (IEEE 754-2019 §5.4.1, with §7 for infinities
/// and NaN).
package enum DecimalArithmetic {
  private struct Finite {
    var isNegative: Bool
    var coefficient: Unsigned128
    var exponent: Int
  }

  static let nan = Decimal128(low: 0, high: 0x7c00_0000_0000_0000)
  static let zero = Decimal128(low: 0, high: UInt64(6176) << 49)

  static func infinity(isNegative: Bool) -> Decimal128 {
    Decimal128(low: 0, high: 0x7800_0000_0000_0000 | (isNegative ? 1 << 63 : 0))
  }

  /// An integer, exact up to 34 digits.
  static func decimal(_ value: Signed128) -> Decimal128 {
    rounded(WideInteger(high: 0, low: value.magnitude), 0, isNegative: value.isNegative)
  }

  /// The form of a number that has the fewest digits; each number has one.
  static func withoutZerosAtEnd(_ value: Decimal128) -> Decimal128 {
    guard case .finite(let isNegative, var coefficient, var exponent) = value.classified else { return value }
    guard coefficient != 0 else { return zero }
    while exponent < highestExponent {
      let (quotient, rest) = coefficient.divided(by: 10)
      guard rest == 0 else { break }
      (coefficient, exponent) = (quotient, exponent + 1)
    }
    return rounded(WideInteger(high: 0, low: coefficient), exponent, isNegative: isNegative)
  }

  package static func negated(_ value: Decimal128) -> Decimal128 {
    Decimal128(low: value.low, high: value.high ^ 1 << 63)
  }

  package static func add(_ left: Decimal128, _ right: Decimal128) -> Decimal128 {
    switch (left.classified, right.classified) {
    case (.nan, _), (_, .nan): return nan
    case (.infinity(let a), .infinity(let b)): return a == b ? infinity(isNegative: a) : nan
    case (.infinity(let a), _), (_, .infinity(let a)): return infinity(isNegative: a)
    case (.finite(let negativeA, let a, let exponentA), .finite(let negativeB, let b, let exponentB)):
      let (x, y) = (
        Finite(isNegative: negativeA, coefficient: a, exponent: exponentA),
        Finite(isNegative: negativeB, coefficient: b, exponent: exponentB)
      )
      return x.exponent >= y.exponent ? sum(x, y) : sum(y, x)
    }
  }

  package static func subtract(_ left: Decimal128, _ right: Decimal128) -> Decimal128 {
    if case .nan = right.classified { return nan }
    return add(left, negated(right))
  }

  package static func multiply(_ left: Decimal128, _ right: Decimal128) -> Decimal128 {
    switch (left.classified, right.classified) {
    case (.nan, _), (_, .nan): return nan
    case (.infinity(let a), .infinity(let b)): return infinity(isNegative: a != b)
    case (.infinity(let a), .finite(let b, let coefficient, _)), (.finite(let b, let coefficient, _), .infinity(let a)):
      return coefficient == 0 ? nan : infinity(isNegative: a != b)
    case (.finite(let negativeA, let a, let exponentA), .finite(let negativeB, let b, let exponentB)):
      let product = a.multipliedFullWidth(by: b)
      return rounded(
        WideInteger(high: product.high, low: product.low), exponentA + exponentB, isNegative: negativeA != negativeB)
    }
  }

  package static func divide(_ left: Decimal128, _ right: Decimal128) -> Decimal128 {
    switch (left.classified, right.classified) {
    case (.nan, _), (_, .nan), (.infinity, .infinity): return nan
    case (.infinity(let a), .finite(let b, _, _)): return infinity(isNegative: a != b)
    case (.finite(let a, _, _), .infinity(let b)):
      return rounded(WideInteger(high: 0, low: 0), -6176, isNegative: a != b)
    case (.finite(let negativeA, let a, let exponentA), .finite(let negativeB, let b, let exponentB)):
      let isNegative = negativeA != negativeB
      guard b != 0 else { return a == 0 ? nan : infinity(isNegative: isNegative) }
      guard a != 0 else { return rounded(WideInteger(high: 0, low: 0), exponentA - exponentB, isNegative: isNegative) }
      // With 36 digits more than the divisor the quotient has at least 36.
      var dividend = WideInteger(high: 0, low: a)
      let shift = max(0, 36 + b.digitCount - a.digitCount)
      dividend.scale(by: shift)
      let remainder = dividend.divide(by: b)
      var exponent = exponentA - exponentB - shift
      if remainder == 0 {
        // An exact quotient keeps as few zeros at its end as it can.
        while exponent < exponentA - exponentB {
          var shorter = dividend
          guard shorter.divideByTen() == 0 else { break }
          (dividend, exponent) = (shorter, exponent + 1)
        }
      }
      return rounded(dividend, exponent, isNegative: isNegative, hasRest: remainder != 0)
    }
  }

  // MARK: Parts

  /// - Parameter high: has the exponent that is not lower.
  private static func sum(_ high: Finite, _ low: Finite) -> Decimal128 {
    let distance = high.exponent - low.exponent
    if high.coefficient == 0 {
      let isNegative = low.coefficient == 0 ? high.isNegative && low.isNegative : low.isNegative
      return rounded(WideInteger(high: 0, low: low.coefficient), low.exponent, isNegative: isNegative)
    }
    var large = WideInteger(high: 0, low: high.coefficient)
    let shift = min(distance, 70 - high.coefficient.digitCount)
    large.scale(by: shift)
    var small = low.coefficient
    var hasRest = false
    for _ in shift..<max(shift, min(distance, shift + 40)) {
      let (quotient, rest) = small.divided(by: 10)
      (small, hasRest) = (quotient, hasRest || rest != 0)
    }
    let exponent = high.exponent - shift
    if high.isNegative == low.isNegative {
      large.add(small)
      return rounded(large, exponent, isNegative: high.isNegative, hasRest: hasRest)
    }
    if hasRest {
      // Something between the two nearest numbers is left: one less, and a rest.
      small = small + 1
    }
    if large.high == 0, large.low < small {
      return rounded(WideInteger(high: 0, low: small - large.low), exponent, isNegative: low.isNegative)
    }
    large.subtract(small)
    let isZero = large.isZero && !hasRest
    return rounded(large, exponent, isNegative: isZero ? false : high.isNegative, hasRest: hasRest)
  }

  private static let coefficientLimit = Decimal128.coefficientLimit
  private static let (lowestExponent, highestExponent) = (-6176, 6111)

  private static func rounded(
    _ value: WideInteger, _ exponent: Int, isNegative: Bool, hasRest: Bool = false
  ) -> Decimal128 {
    let nearest = nearest(to: value, exponent, hasRest: hasRest)
    var (coefficient, exponent) = (nearest.coefficient, nearest.exponent)
    if coefficient == 0 { exponent = min(max(exponent, lowestExponent), highestExponent) }
    while exponent > highestExponent {
      guard coefficient < coefficientLimit / 10 else { return infinity(isNegative: isNegative) }
      (coefficient, exponent) = (coefficient * 10, exponent - 1)
    }
    return Decimal128(coefficient: coefficient, exponent: exponent, isNegative: isNegative)
  }

  /// The nearest coefficient of 34 digits and an exponent that is not below the lowest, unless the coefficient is 0.
  ///
  /// - Parameter hasRest: whether the number is a little more than the value says.
  private static func nearest(
    to value: WideInteger, _ exponent: Int, hasRest: Bool
  ) -> (coefficient: Unsigned128, exponent: Int) {
    var (value, exponent, hasRest) = (value, exponent, hasRest)
    var last: UInt64 = 0
    while !value.isBelow(coefficientLimit) || exponent < lowestExponent {
      // Of what is below half of the least number nothing is left, however far below it lies.
      if value.isZero, last == 0 || exponent < lowestExponent - 1 { return (0, lowestExponent) }
      hasRest = hasRest || last != 0
      last = value.divideByTen()
      exponent += 1
    }
    if last > 5 || (last == 5 && (hasRest || value.low.low & 1 == 1)) { value.add(1) }
    return value.isBelow(coefficientLimit) ? (value.low, exponent) : (coefficientLimit / 10, exponent + 1)
  }
}

/// A natural number of up to 256 bits.
private struct WideInteger {
  var high: Unsigned128
  var low: Unsigned128

  var isZero: Bool { high == 0 && low == 0 }
  func isBelow(_ limit: Unsigned128) -> Bool { high == 0 && low < limit }

  /// Multiplies by a power of ten, at most the 76th.
  mutating func scale(by exponent: Int) {
    if exponent > 38 { scale(by: exponent - 38) }
    guard exponent > 0 else { return }
    let (factor, before) = (Unsigned128.powersOfTen[min(exponent, 38)], high)
    (high, low) = low.multipliedFullWidth(by: factor)
    high = high &+ before.multipliedFullWidth(by: factor).low
  }

  mutating func add(_ other: Unsigned128) {
    low = low &+ other
    if low < other { high = high &+ 1 }
  }

  mutating func subtract(_ other: Unsigned128) {
    if low < other { high = high &- 1 }
    low = low &- other
  }

  /// - Returns: the remainder.
  mutating func divideByTen() -> UInt64 {
    if high != 0 { return divide(by: 10).low }
    let (quotient, remainder) = low.divided(by: 10)
    low = quotient
    return remainder
  }

  /// - Returns: the remainder.
  mutating func divide(by divisor: Unsigned128) -> Unsigned128 {
    let upper = high.quotientAndRemainder(dividingBy: divisor)
    let lower = divisor.dividingFullWidth((upper.remainder, low))
    (high, low) = (upper.quotient, lower.quotient)
    return lower.remainder
  }
}
