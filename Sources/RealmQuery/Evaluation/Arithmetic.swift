import RealmStorage

/// `+ - * /` of two numbers of any types (`query-language` §9).
enum Arithmetic {
  /// Null where either side is null or not a number.
  static func compute(_ left: ValueView, _ operation: ArithmeticOperator, _ right: ValueView) -> ValueView {
    switch (left, right) {
    case (.int(let left), .int(let right)): .int(ints(left, operation, right))
    case (.decimal, _) where right.isNumber, (_, .decimal) where left.isNumber:
      .decimal(decimals(ValueOrder.decimal(left), operation, ValueOrder.decimal(right)))
    case (.double, _) where right.isNumber, (_, .double) where left.isNumber:
      .double(reals(double(left), operation, double(right)))
    case (.float, _) where right.isNumber, (_, .float) where left.isNumber:
      .float(reals(float(left), operation, float(right)))
    default: .null
    }
  }

  private static func ints(_ left: Int64, _ operation: ArithmeticOperator, _ right: Int64) -> Int64 {
    switch operation {
    case .add: left &+ right
    case .subtract: left &- right
    case .multiply: left &* right
    case .divide:
      right == 0 ? (left < 0 ? .min : .max) : left.dividedReportingOverflow(by: right).partialValue
    }
  }

  private static func reals<Real: BinaryFloatingPoint>(
    _ left: Real, _ operation: ArithmeticOperator, _ right: Real
  ) -> Real {
    switch operation {
    case .add: left + right
    case .subtract: left - right
    case .multiply: left * right
    case .divide: left / right
    }
  }

  private static func decimals(
    _ left: Decimal128, _ operation: ArithmeticOperator, _ right: Decimal128
  ) -> Decimal128 {
    switch operation {
    case .add: DecimalArithmetic.add(left, right)
    case .subtract: DecimalArithmetic.subtract(left, right)
    case .multiply: DecimalArithmetic.multiply(left, right)
    case .divide: DecimalArithmetic.divide(left, right)
    }
  }

  static func double(_ value: ValueView) -> Double {
    switch value {
    case .int(let value): Double(value)
    case .float(let value): Double(value)
    case .double(let value): value
    default: .nan
    }
  }

  private static func float(_ value: ValueView) -> Float {
    switch value {
    case .int(let value): Float(value)
    case .float(let value): value
    default: .nan
    }
  }
}
