import RealmStorage
import RealmText

/// Computes `@min`, `@max`, `@sum` and `@avg` of values that come one by one.
struct Aggregate {
  let function: AggregateFunction
  /// Of the values.
  let type: ValueType
  /// In the reference, a sum of ints beyond their range is some other int.
  private let dialect: Dialect
  private var count: Signed128 = 0
  private var best: ValueView = .null
  private var intSum: Signed128 = 0
  private var realSum = 0.0
  private var decimalSum = DecimalArithmetic.zero

  init(_ function: AggregateFunction, of type: ValueType, _ dialect: Dialect) {
    (self.function, self.type, self.dialect) = (function, type, dialect)
  }

  /// More ways than that are multiplied instead of added one by one, which gives the same except for the last bits of
  /// sums.
  fileprivate static let mostWays = 1 << 10

  /// Takes one more value; null does not count, nor does NaN.
  ///
  /// - Parameter ways: how many times.
  /// - Returns: whether the value itself is the result now.
  @discardableResult
  mutating func add(_ value: ValueView, ways: Int = 1) -> Bool {
    if value.isNull { return false }
    switch function {
    case .min, .max: return addBest(value)
    case .sum, .average:
      let isOneByOne = ways <= Self.mostWays
      for _ in 0..<(isOneByOne ? ways : 1) { addNumber(value, ways: isOneByOne ? 1 : ways) }
      return false
    }
  }

  private mutating func addBest(_ value: ValueView) -> Bool {
    // In mixed values, only a decimal NaN is left out.
    if value.isNaN, type != .mixed || !value.isReal { return false }
    let isBetter: Bool
    if count == 0 {
      isBetter = true
    } else {
      let order = ValueOrder.compare(value, best)
      isBetter = function == .min ? order < 0 : order > 0
    }
    if isBetter { best = value }
    count += 1
    return isBetter
  }

  private mutating func addNumber(_ value: ValueView, ways: Int) {
    switch (type, value) {
    case (.int, .int(let number)):
      intSum += ways == 1 ? Signed128(number) : Signed128(number) * Signed128(ways)
      realSum += Double(number) * Double(ways)
    case (.float, .float(let number)) where !number.isNaN: realSum += Double(number) * Double(ways)
    case (.double, .double(let number)) where !number.isNaN: realSum += number * Double(ways)
    case (.decimal, .decimal) where !value.isNaN: add(ValueOrder.decimal(value), ways)
    case (.mixed, _) where value.isNumber && !(value.isNaN && !value.isReal):
      add(dialect == .reference ? Self.rounded(value) : value.exactDecimal ?? Self.rounded(value), ways)
    default: return
    }
    count += Signed128(ways)
  }

  /// The reference takes 15 digits of a double.
  private static func rounded(_ value: ValueView) -> Decimal128 {
    // As a decimal, a double has trailing zeros, which would appear in the sum.
    let number = ValueOrder.decimal(value)
    return value.isReal ? DecimalArithmetic.withoutZerosAtEnd(number) : number
  }

  private mutating func add(_ number: Decimal128, _ ways: Int) {
    let product = ways == 1 ? number : DecimalArithmetic.multiply(number, ValueOrder.decimal(.int(Int64(ways))))
    decimalSum = DecimalArithmetic.add(decimalSum, product)
  }

  /// Null for the best of nothing and the average of nothing.
  var result: ValueView {
    switch function {
    case .min, .max: return best
    case .sum:
      switch type {
      case .int:
        if let sum = Int64(exactly: intSum) { return .int(sum) }
        return dialect == .reference
          ? .int(Int64(truncatingIfNeeded: intSum)) : .decimal(DecimalArithmetic.decimal(intSum))
      case .float, .double: return .double(realSum)
      default: return .decimal(decimalSum)
      }
    case .average:
      guard count > 0 else { return .null }
      switch type {
      case .int where dialect != .reference: return .double(Self.quotient(intSum, count))
      case .int, .float, .double: return .double(realSum / Double(count))
      default:
        return .decimal(DecimalArithmetic.divide(decimalSum, DecimalArithmetic.decimal(count)))
      }
    }
  }

  /// A quotient of ints, of which a sum of doubles would have lost digits.
  private static func quotient(_ sum: Signed128, _ count: Signed128) -> Double {
    let (whole, rest) = sum.quotientAndRemainder(dividingBy: count)
    return sum.magnitude < 0x20_0000_0000_0000
      ? Double(sum) / Double(count) : Double(whole) + Double(rest) / Double(count)
  }

  /// The type of the result for values of a type; nil if the function does not apply to them.
  static func resultType(_ function: AggregateFunction, of type: ValueType) -> ValueType? {
    switch (function, type) {
    case (.min, .int), (.max, .int), (.sum, .int): .int
    case (.min, .float), (.max, .float): .float
    case (.min, .double), (.max, .double), (.sum, .double), (.sum, .float): .double
    case (.average, .int), (.average, .float), (.average, .double): .double
    case (.min, .date), (.max, .date): .date
    case (.min, .mixed), (.max, .mixed): .mixed
    case (_, .decimal), (_, .mixed): .decimal
    default: nil
    }
  }
}

extension ValueView {
  /// A float or a double by its shortest text, which is unique; another number as it is.
  fileprivate var exactDecimal: Decimal128? {
    switch self {
    case .float(let number): DecimalReading(text: "\(number)").map { DecimalArithmetic.withoutZerosAtEnd($0.decimal) }
    case .double(let number): DecimalReading(text: "\(number)").map { DecimalArithmetic.withoutZerosAtEnd($0.decimal) }
    default: ValueOrder.decimal(self)
    }
  }

  /// A float or a double.
  var isReal: Bool {
    switch self {
    case .float, .double: true
    default: false
    }
  }
}

/// `list.@max` of values, `dictionary.@sum`.
final class CollectionAggregateOperand: SourceOperand, @unchecked Sendable {
  private let function: AggregateFunction
  private let dialect: Dialect
  /// The values of dictionaries are Mixed, except in sums of numbers of one type.
  private let valueType: ValueType

  init(_ source: CollectionSource, _ function: AggregateFunction, _ dialect: Dialect) {
    (self.function, self.dialect) = (function, dialect)
    let type = ValueType(source.property.type)
    let isSumOfOneType =
      (function == .sum || function == .average) && [.int, .float, .double].contains(type)
    valueType = source.property.collection == .dictionary && !isSumOfOneType ? .mixed : type
    super.init(source, type: type)
  }

  override var quantifier: Quantifier? { nil }
  override var hasOneValue: Bool { source.path.leadsToOne }
  override var text: String { source.text + function.rawValue }
  /// Of the result.
  var resultType: ValueType { Aggregate.resultType(function, of: valueType) ?? .mixed }

  override func evaluate(
    _ evaluator: Evaluator, _ batch: ObjectBatch, _ row: Int, _ index: inout GroupIndex, into buffer: ValueBuffer
  ) throws {
    try source.evaluate(evaluator, batch, row, into: buffer) { try result(of: $0, evaluator) }
  }

  private func result(of collection: ValueView, _ evaluator: Evaluator) throws -> ValueView {
    var aggregate = Aggregate(function, of: valueType, dialect)
    var count = 0
    switch collection {
    case .list(let list), .set(let list):
      try list.forEach(evaluator.walk, damaged: { throw $0 }) {
        aggregate.add($0)
        count += 1
      }
    case .dictionary(let dictionary):
      try dictionary.forEach(evaluator.walk, damaged: { throw $0 }) {
        aggregate.add($1)
        count += 1
      }
    default: break
    }
    let isEmptyDictionary = source.property.collection == .dictionary && count == 0
    return isEmptyDictionary && function == .sum ? .int(0) : aggregate.result
  }
}

/// `links.@max.property`.
final class LinkAggregateOperand: Operand, @unchecked Sendable {
  private let path: LinkPath
  private let property: Int
  private let columnSlot: Int
  private let function: AggregateFunction
  private let valueType: ValueType
  private let dialect: Dialect

  init(
    _ path: LinkPath, _ property: Int, columnSlot: Int, _ function: AggregateFunction, resultType: ValueType,
    _ dialect: Dialect
  ) {
    (self.path, self.property, self.columnSlot, self.function) = (path, property, columnSlot, function)
    self.dialect = dialect
    valueType = ValueType(path.target.schema.properties[property].type)
    super.init(type: resultType)
  }

  override var isAlwaysSingle: Bool { true }
  override var text: String {
    "\(path.text)\(function.rawValue).\(path.target.schema.properties[property].name)"
  }
  override var label: RealmString { path.label ?? "" }

  override func evaluate(
    _ evaluator: Evaluator, _ batch: ObjectBatch, _ row: Int, _ index: inout GroupIndex, into buffer: ValueBuffer
  ) throws {
    var keys: [(key: ObjectKey, ways: Int)] = []
    try path.forEachWeighedTarget(evaluator, batch, row) { key, ways in
      keys.append((key, ways))
      return true
    }
    // The order decides about the last bits of sums.
    keys.sort { $0.key < $1.key }
    var aggregate = Aggregate(function, of: valueType, dialect)
    for (key, ways) in keys {
      let place = try path.object(key, evaluator)
      try evaluator.walk.spend(min(ways, Aggregate.mostWays))
      aggregate.add(try evaluator.value(columnSlot, ofProperty: property, place.batch, place.row), ways: ways)
    }
    buffer.setSingle(aggregate.result)
  }
}
