/// When a realm is worth compacting: an expression over `total`, `used` and `free`, in bytes.
///
/// ```swift
/// let condition = try CompactionCondition("total > 100MB && used < total / 2")
/// condition.holds(for: SpaceUse(total: 200_000_000, free: 150_000_000))  // true
/// ```
///
/// `KB`, `MB`, `GB` are powers of 1000; `KiB`, `MiB`, `GiB` powers of 1024. Arithmetic is that of real numbers, so
/// `total / 3` keeps its fraction, and division by zero is infinite.
public struct CompactionCondition: Hashable, Sendable {
  /// As it was written.
  public let text: String
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
  public init(_ text: String) throws(CompactionConditionError) {
    self.text = text
    var parser = CompactionConditionParser(text)
    steps = try parser.parse()
  }

  /// Whether the condition is met.
  public func holds(for space: SpaceUse) -> Bool {
    var stack: [Double] = []
    for step in steps { step.apply(to: &stack, space) }
    return stack.last == 1
  }
}

extension CompactionCondition.Step {
  /// Truth is 1, anything else is not; the parser has proved that numbers and truth do not mix.
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
    case .not: return stack.append(right == 1 ? 0 : 1)
    default: break
    }
    stack.append(result(stack.popLast() ?? .nan, right))
  }

  private func result(_ left: Double, _ right: Double) -> Double {
    switch self {
    case .add: left + right
    case .subtract: left - right
    case .multiply: left * right
    case .divide: left / right
    case .less: left < right ? 1 : 0
    case .lessOrEqual: left <= right ? 1 : 0
    case .greater: left > right ? 1 : 0
    case .greaterOrEqual: left >= right ? 1 : 0
    case .equal: left == right ? 1 : 0
    case .notEqual: left != right ? 1 : 0
    case .and: left == 1 && right == 1 ? 1 : 0
    case .or: left == 1 || right == 1 ? 1 : 0
    case .number, .quantity, .negate, .not: .nan
    }
  }
}
