/// When a realm is worth compacting: an expression over `total`, `used` and `free`, in bytes.
///
/// ```swift
/// let condition = try CompactionCondition("total > 100MB && used < total / 2")
/// try condition.holds(for: SpaceUse(total: 200_000_000, free: 150_000_000))  // true
/// ```
///
/// `KB`, `MB`, `GB` are powers of 1000; `KiB`, `MiB`, `GiB` powers of 1024. Arithmetic is that of real numbers, so
/// `total / 3` keeps its fraction. What divides by zero is unknown, and so is what depends on it.
package struct CompactionCondition: Hashable, Sendable {
  /// As it was written.
  package let text: String
  /// In postfix order, so that evaluating needs no recursion however long the expression is.
  private let steps: [Step]

  enum Step: Hashable, Sendable {
    case number(Double)
    case quantity(Quantity)
    case negate, not
    case add, subtract, multiply, divide
    case less, lessOrEqual, greater, greaterOrEqual, equal, notEqual
    case and, or
  }

  enum Quantity: String, Hashable, Sendable, CaseIterable {
    case total, used, free
  }

  /// - Throws: `CompactionConditionError`.
  package init(_ text: String) throws(CompactionConditionError) {
    self.text = text
    var parser = CompactionConditionParser(text)
    steps = try parser.parse()
  }

  /// Whether the condition is met.
  ///
  /// - Throws: `CompactionDivisionByZero` where the answer depends on a division by zero, such as `total / free > 2` for
  ///   a realm without free space.
  package func holds(for space: SpaceUse) throws(CompactionDivisionByZero) -> Bool {
    let result = Self.value(of: steps[...], for: space)
    guard !result.isNaN else { throw CompactionDivisionByZero() }
    return result == 1
  }

  /// The number that steps come to; NaN for one that is unknown.
  static func value(of steps: ArraySlice<Step>, for space: SpaceUse) -> Double {
    var stack: [Double] = []
    for step in steps { step.apply(to: &stack, space) }
    return stack.last ?? .nan
  }
}

/// A condition whose answer depends on a division by zero.
package struct CompactionDivisionByZero: Error, Hashable, Sendable {
  package init() {}
}

extension CompactionCondition.Step {
  /// Truth is 1 and falsehood 0, NaN is unknown; the parser has proved that numbers and truth do not mix.
  fileprivate func apply(to stack: inout [Double], _ space: SpaceUse) {
    switch self {
    case .number(let number): return stack.append(number)
    case .quantity(.total): return stack.append(Double(space.total))
    case .quantity(.used): return stack.append(Double(space.used))
    case .quantity(.free): return stack.append(Double(space.free))
    default: break
    }
    let right = stack.popLast() ?? .nan
    switch self {
    case .negate: return stack.append(-right)
    case .not: return stack.append(1 - right)
    default: break
    }
    stack.append(result(stack.popLast() ?? .nan, right))
  }

  private func result(_ left: Double, _ right: Double) -> Double {
    switch self {
    case .add: left + right
    case .subtract: left - right
    case .multiply: left * right
    case .divide: right == 0 ? .nan : left / right
    case .less: truth(left < right, left, right)
    case .lessOrEqual: truth(left <= right, left, right)
    case .greater: truth(left > right, left, right)
    case .greaterOrEqual: truth(left >= right, left, right)
    case .equal: truth(left == right, left, right)
    case .notEqual: truth(left != right, left, right)
    // One side can decide alone, so that `free > 0 && total / free > 2` is known.
    case .and: left == 0 || right == 0 ? 0 : left * right
    case .or: left == 1 || right == 1 ? 1 : left + right
    case .number, .quantity, .negate, .not: .nan
    }
  }

  private func truth(_ isTrue: Bool, _ left: Double, _ right: Double) -> Double {
    left.isNaN || right.isNaN ? .nan : isTrue ? 1 : 0
  }
}
