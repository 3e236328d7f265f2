extension Decimal128: Comparable {
  /// By value, as queries order numbers: `-Infinity` comes before all others, `1.0` and `1.00` are neither less nor greater
  /// than each other, although they are not equal, and neither are `0` and `-0`.
  ///
  /// A NaN comes before every number, and two are ordered by their bits, as where a query sorts. (A condition of a query is
  /// false of a NaN.)
  public static func < (left: Decimal128, right: Decimal128) -> Bool { compare(left, right) < 0 }

  /// Numbers by value, so that 1.0 equals 1.00; a NaN before every number, two by their bits.
  package static func compare(_ left: Decimal128, _ right: Decimal128) -> Int {
    switch (left.classified, right.classified) {
    case (.nan, .nan): left.high == right.high ? order(left.low, right.low) : order(left.high, right.high)
    case (.nan, _): -1
    case (_, .nan): 1
    case (.infinity(let a), .infinity(let b)): order(a ? 0 : 1, b ? 0 : 1)
    case (.infinity(let isNegative), _): isNegative ? -1 : 1
    case (_, .infinity(let isNegative)): isNegative ? 1 : -1
    case (.finite(let negativeA, let a, let exponentA), .finite(let negativeB, let b, let exponentB)):
      compareFinite((negativeA, a, exponentA), (negativeB, b, exponentB))
    }
  }

  private typealias Finite = (isNegative: Bool, coefficient: Unsigned128, exponent: Int)

  private static func compareFinite(_ a: Finite, _ b: Finite) -> Int {
    if a.coefficient == 0 || b.coefficient == 0 {
      return order(sign(a), sign(b))
    }
    guard a.isNegative == b.isNegative else { return a.isNegative ? -1 : 1 }
    let (digitsA, digitsB) = (a.coefficient.digitCount, b.coefficient.digitCount)
    let magnitude: Int
    if a.exponent + digitsA != b.exponent + digitsB {
      magnitude = order(a.exponent + digitsA, b.exponent + digitsB)
    } else {
      // Same size: scaled to the same exponent both have at most 34 digits.
      magnitude = order(
        a.coefficient.scaled(by: max(0, a.exponent - b.exponent)),
        b.coefficient.scaled(by: max(0, b.exponent - a.exponent)))
    }
    return a.isNegative ? -magnitude : magnitude
  }

  private static func sign(_ value: Finite) -> Int { value.coefficient == 0 ? 0 : value.isNegative ? -1 : 1 }

  private static func order<T: Comparable>(_ a: T, _ b: T) -> Int { a == b ? 0 : a < b ? -1 : 1 }
}
