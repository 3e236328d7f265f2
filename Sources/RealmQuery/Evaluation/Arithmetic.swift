import RealmStorage

/// `+ - * /` of two numbers of any types (`query-language` §9).
enum Arithmetic {
  /// Null where either side is null or not a number.
  static func compute(_ left: ValueView, _ operation: ArithmeticOperator, _ right: ValueView) -> ValueView {
    switch (left, right) {
    case (.int(let left), .int(let right)): .int(ints(left, operation, right))
    case (.decimal, _) where right.isNumber, (_, .decimal) where left.isNumber:
      .decimal(operation.apply(ValueOrder.decimal(left), ValueOrder.decimal(right)))
    case (.double, _) where right.isNumber, (_, .double) where left.isNumber:
      .double(operation.apply(double(left), double(right)))
    case (.float, _) where right.isNumber, (_, .float) where left.isNumber:
      .float(operation.apply(float(left), float(right)))
    default: .null
    }
  }

  private static func ints(_ left: Int64, _ operation: ArithmeticOperator, _ right: Int64) -> Int64 {
    if operation == .divide, right == 0 { return left < 0 ? .min : .max }
    return operation.apply(left, right).partialValue
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
