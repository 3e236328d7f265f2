import RealmQuery
import RealmStorage
import RealmText

/// Sums, products and comparisons of values. Integers stay integers; with a double the result is one, with a decimal a
/// decimal.
enum Arithmetic {
  /// Two numbers of one kind.
  private enum Pair {
    case ints(Int64, Int64)
    case doubles(Double, Double)
    case decimals(Decimal128, Decimal128)
  }

  static func apply(_ sign: Expression.Arithmetic, _ left: Value, _ right: Value) throws -> Value {
    if left == .null || right == .null { return .null }
    if sign == .add, case .string(let first) = left, case .string(let second) = right {
      return .string(try ValueBound.joined([first.utf8, second.utf8], by: []))
    }
    guard let pair = pair(left, right) else {
      let hint = sign == .add && (left.isText || right.isText) ? "; '+' joins two texts: use str()" : ""
      throw EvaluationError("'\(sign.rawValue)' does not go with \(left.kindName) and \(right.kindName)\(hint)")
    }
    switch pair {
    case .ints(let left, let right): return .int(try apply(sign, left, right))
    case .doubles(let left, let right):
      if sign == .divide || sign == .remainder, right == 0 { throw EvaluationError("division by zero") }
      switch sign {
      case .add: return .double(left + right)
      case .subtract: return .double(left - right)
      case .multiply: return .double(left * right)
      case .divide: return .double(left / right)
      case .remainder: return .double(left.truncatingRemainder(dividingBy: right))
      }
    case .decimals(let left, let right): return .decimal(try apply(sign, left, right))
    }
  }

  private static func apply(_ sign: Expression.Arithmetic, _ left: Int64, _ right: Int64) throws -> Int64 {
    if sign == .divide || sign == .remainder, right == 0 { throw EvaluationError("division by zero") }
    let (result, overflow) =
      switch sign {
      case .add: left.addingReportingOverflow(right)
      case .subtract: left.subtractingReportingOverflow(right)
      case .multiply: left.multipliedReportingOverflow(by: right)
      case .divide: left.dividedReportingOverflow(by: right)
      case .remainder: left.remainderReportingOverflow(dividingBy: right)
      }
    // The remainder of the lowest integer by -1 is zero.
    if overflow, sign == .remainder { return 0 }
    guard !overflow else { throw EvaluationError("\(left) \(sign.rawValue) \(right) is beyond the range of int") }
    return result
  }

  private static func apply(
    _ sign: Expression.Arithmetic, _ left: Decimal128, _ right: Decimal128
  ) throws -> Decimal128 {
    switch sign {
    case .add: return DecimalArithmetic.add(left, right)
    case .subtract: return DecimalArithmetic.subtract(left, right)
    case .multiply: return DecimalArithmetic.multiply(left, right)
    case .divide:
      if DecimalNumber(right)?.isZero == true { throw EvaluationError("division by zero") }
      return DecimalArithmetic.divide(left, right)
    case .remainder: throw EvaluationError("'%' does not go with decimals")
    }
  }

  static func negate(_ value: Value) throws -> Value {
    switch value {
    case .null: return .null
    case .int(let number):
      guard number != .min else { throw EvaluationError("-\(number) is beyond the range of int") }
      return .int(-number)
    case .double(let number): return .double(-number)
    case .float(let number): return .double(-Double(number))
    case .decimal(let number): return .decimal(DecimalArithmetic.negated(number))
    default: throw EvaluationError("'-' does not go with \(value.kindName)")
    }
  }

  static func compare(_ comparison: Expression.Comparison, _ left: Value, _ right: Value) throws -> Value {
    if comparison == .equal { return .bool(isEqual(left, right)) }
    if comparison == .notEqual { return .bool(!isEqual(left, right)) }
    if left == .null || right == .null { return .null }
    guard let order = try order(left, right) else { return .bool(false) }
    switch comparison {
    case .less: return .bool(order < 0)
    case .lessOrEqual: return .bool(order <= 0)
    case .greater: return .bool(order > 0)
    default: return .bool(order >= 0)
    }
  }

  /// As in queries; what has no order there is equal where it is the same.
  static func isEqual(_ left: Value, _ right: Value) -> Bool {
    if let order = ValueComparison.order(left.asPlainLink, right.asPlainLink) { return order == 0 }
    return !left.isNaN && left.asPlainLink == right.asPlainLink
  }

  /// Below, at or above zero as in queries; nil for NaN.
  ///
  /// - Throws: `EvaluationError` for values of two kinds, and of one that has no order.
  static func order(_ left: Value, _ right: Value) throws -> Int? {
    switch (left, right) {
    case (.string, .string), (.data, .data), (.date, .date), (.bool, .bool), (.objectID, .objectID), (.uuid, .uuid):
      break
    default:
      guard left.isNumber, right.isNumber else {
        throw EvaluationError("\(left.kindName) cannot be compared with \(right.kindName)")
      }
    }
    return ValueComparison.order(left, right)
  }

  private static func pair(_ left: Value, _ right: Value) -> Pair? {
    guard left.isNumber, right.isNumber else { return nil }
    if case .int(let left) = left, case .int(let right) = right { return .ints(left, right) }
    let isDecimal = left.isDecimal || right.isDecimal
    if isDecimal, let left = left.decimal, let right = right.decimal { return .decimals(left, right) }
    guard let left = left.double, let right = right.double else { return nil }
    return .doubles(left, right)
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
