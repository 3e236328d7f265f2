import RealmStorage

extension Expression {
  /// Whether it is true or false, whatever it is computed from; sizes are not.
  var isTruth: Bool {
    switch self {
    case .not, .and, .or, .comparison: true
    default: false
    }
  }

  /// Whether it is computed from constants alone, and is zero.
  var isAlwaysZero: Bool { real { _ in .nan } == 0 }

  /// The value of a condition on sizes, or of a part of it, in real numbers: true is 1, false 0, and NaN unknown, the
  /// result of a division by zero and of everything that depends on it.
  ///
  /// - Parameter size: the value of a path.
  package func real(_ size: (Int) -> Double) -> Double {
    switch self {
    case .constant(let value): return value.doubleValue ?? .nan
    case .number(let number, _): return number
    case .path(let index): return size(index)
    case .negate(let operand): return -operand.real(size)
    case .not(let operand): return 1 - operand.real(size)
    // One of them can decide alone, so that `free > 0 && total / free > 2` is known.
    case .and(let terms): return Self.decided(terms, by: 0, else: 1, size)
    case .or(let terms): return Self.decided(terms, by: 1, else: 0, size)
    case .arithmetic(let operation, let left, let right):
      let (left, right) = (left.real(size), right.real(size))
      return operation == .divide && right == 0 ? .nan : operation.apply(left, right)
    case .remainder(let left, let right): return left.real(size).truncatingRemainder(dividingBy: right.real(size))
    case .comparison(let comparison, let left, let right):
      let (left, right) = (left.real(size), right.real(size))
      if left.isNaN || right.isNaN { return .nan }
      return comparison.holds(left < right ? -1 : left == right ? 0 : 1) ? 1 : 0
    case .call: return .nan
    }
  }

  private static func decided(
    _ terms: [Expression], by decisive: Double, else other: Double, _ size: (Int) -> Double
  ) -> Double {
    var result = other
    for term in terms {
      let truth = term.real(size)
      if truth == decisive { return decisive }
      if truth.isNaN { result = .nan }
    }
    return result
  }
}
