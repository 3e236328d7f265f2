import RealmQuery
import RealmStorage
import RealmText

/// Sums, products and comparisons of values. Integers stay integers; with a double the result is one, with a decimal a
/// decimal.
enum FormulaArithmetic {
  /// Two numbers of one kind.
  private enum Pair {
    case ints(Int64, Int64)
    case doubles(Double, Double)
    case decimals(Decimal128, Decimal128)

    var dividesByZero: Bool {
      switch self {
      case .ints(_, let right): right == 0
      case .doubles(_, let right): right == 0
      case .decimals(_, let right): DecimalNumber(right)?.isZero == true
      }
    }
  }

  static func apply(_ operation: ArithmeticOperator, _ left: Value, _ right: Value) throws -> Value {
    if operation == .add, case .string(let first) = left, case .string(let second) = right {
      return .string(try ValueBound.joined([first.utf8, second.utf8], by: []))
    }
    guard let pair = try pair(left, operation.rawValue, right) else { return .null }
    if operation == .divide, pair.dividesByZero { throw ValueError("division by zero") }
    switch pair {
    case .ints(let left, let right):
      let (result, overflow) = operation.apply(left, right)
      guard !overflow else {
        throw ValueError("\(left) \(operation.rawValue) \(right) is beyond the range of int")
      }
      return .int(result)
    case .doubles(let left, let right): return .double(operation.apply(left, right))
    case .decimals(let left, let right): return .decimal(operation.apply(left, right))
    }
  }

  static func remainder(_ left: Value, _ right: Value) throws -> Value {
    guard let pair = try pair(left, "%", right) else { return .null }
    if case .decimals = pair { throw ValueError("'%' cannot be used with decimals") }
    if pair.dividesByZero { throw ValueError("division by zero") }
    switch pair {
    // The remainder of the lowest integer by -1 is zero.
    case .ints(let left, let right): return .int(right == -1 ? 0 : left % right)
    case .doubles(let left, let right): return .double(left.truncatingRemainder(dividingBy: right))
    case .decimals: return .null
    }
  }

  static func negate(_ value: Value) throws -> Value {
    switch value {
    case .null: return .null
    case .int(let number):
      guard number != .min else { throw ValueError("-\(number) is beyond the range of int") }
      return .int(-number)
    case .double(let number): return .double(-number)
    case .float(let number): return .double(-Double(number))
    case .decimal(let number): return .decimal(DecimalArithmetic.negated(number))
    default: throw ValueError("'-' cannot be used with \(value.kindName)")
    }
  }

  static func compare(_ comparison: Expression.Comparison, _ left: Value, _ right: Value) throws -> Value {
    if comparison == .equal { return .bool(isEqual(left, right)) }
    if comparison == .notEqual { return .bool(!isEqual(left, right)) }
    if left == .null || right == .null { return .null }
    return .bool(try order(left, right).map(comparison.holds) ?? false)
  }

  /// As in queries; values that have no order there are equal if they are the same.
  static func isEqual(_ left: Value, _ right: Value) -> Bool {
    if let order = ValueComparison.order(left.asPlainLink, right.asPlainLink) { return order == 0 }
    return !left.isNaN && left.asPlainLink == right.asPlainLink
  }

  /// Below, at or above zero as in queries; nil for NaN.
  ///
  /// - Throws: `ValueError` for values of two kinds, and of one that has no order.
  static func order(_ left: Value, _ right: Value) throws -> Int? {
    switch (left, right) {
    case (.string, .string), (.data, .data), (.date, .date), (.bool, .bool), (.objectID, .objectID), (.uuid, .uuid):
      break
    default:
      guard left.isNumber, right.isNumber else {
        throw ValueError("\(left.kindName) cannot be compared with \(right.kindName)")
      }
    }
    return ValueComparison.order(left, right)
  }

  /// Nil for null.
  private static func pair(_ left: Value, _ sign: String, _ right: Value) throws(ValueError) -> Pair? {
    if left == .null || right == .null { return nil }
    if case .int(let left) = left, case .int(let right) = right { return .ints(left, right) }
    if left.isNumber, right.isNumber {
      let isDecimal = left.isDecimal || right.isDecimal
      if isDecimal, let left = left.decimal, let right = right.decimal { return .decimals(left, right) }
      if let left = left.double, let right = right.double { return .doubles(left, right) }
    }
    throw ValueError(
      "'\(sign)' cannot be used with \(left.kindName) and \(right.kindName)",
      advice: sign == "+" && (left.isText || right.isText) ? "'+' joins two strings: use str()" : nil)
  }
}

extension Value {
  fileprivate var isText: Bool { if case .string = self { true } else { false } }
  fileprivate var isDecimal: Bool { if case .decimal = self { true } else { false } }

  var isNaN: Bool {
    switch self {
    case .float(let number): number.isNaN
    case .double(let number): number.isNaN
    case .decimal(let number): number.classified == .nan
    default: false
    }
  }

  var isNumber: Bool {
    switch self {
    case .int, .float, .double, .decimal: true
    default: false
    }
  }

  /// The nearest double of a number.
  var double: Double? {
    switch self {
    case .int(let number): Double(number)
    case .float(let number): Double(number)
    case .double(let number): number
    case .decimal: plainText.flatMap { Double(text: $0) }
    default: nil
    }
  }

  /// A number as a decimal, a float by its shortest text.
  fileprivate var decimal: Decimal128? {
    switch self {
    case .int(let number): DecimalNumber(number).decimal
    case .decimal(let number): number
    case .float, .double: plainText.flatMap { DecimalReading(text: $0)?.decimal }
    default: nil
    }
  }
}
