import RealmStorage

/// What `@min`, `@max`, `@sum` and `@avg` make of values that come one by one.
struct Aggregate {
  let function: AggregateFunction
  /// Of the values.
  let type: ValueType
  private var count = 0
  private var best: ValueView = .null
  private var intSum: Int64 = 0
  private var realSum = 0.0
  private var decimalSum = DecimalArithmetic.zero

  init(_ function: AggregateFunction, of type: ValueType) { (self.function, self.type) = (function, type) }

  /// Takes one more value; null does not count, nor does NaN.
  mutating func add(_ value: ValueView) {
    if value.isNull { return }
    switch function {
    case .min, .max: addBest(value)
    case .sum, .average: addNumber(value)
    }
  }

  private mutating func addBest(_ value: ValueView) {
    // Mixed values leave out NaN only where it is a decimal.
    if value.isNaN, type != .mixed || !value.isReal { return }
    let isBetter: Bool
    if count == 0 {
      isBetter = true
    } else {
      let order = ValueOrder.compare(value, best)
      isBetter = function == .min ? order < 0 : order > 0
    }
    if isBetter { best = value }
    count += 1
  }

  private mutating func addNumber(_ value: ValueView) {
    switch (type, value) {
    case (.int, .int(let number)):
      intSum &+= number
      realSum += Double(number)
    case (.float, .float(let number)) where !number.isNaN: realSum += Double(number)
    case (.double, .double(let number)) where !number.isNaN: realSum += number
    case (.decimal, .decimal) where !value.isNaN:
      decimalSum = DecimalArithmetic.add(decimalSum, ValueOrder.decimal(value))
    case (.mixed, _) where value.isNumber && !(value.isNaN && !value.isReal):
      decimalSum = DecimalArithmetic.add(decimalSum, ValueOrder.decimal(value))
    default: return
    }
    count += 1
  }

  /// Null for the best of nothing and the average of nothing.
  var result: ValueView {
    switch function {
    case .min, .max: return best
    case .sum:
      switch type {
      case .int: return .int(intSum)
      case .float, .double: return .double(realSum)
      default: return .decimal(decimalSum)
      }
    case .average:
      guard count > 0 else { return .null }
      switch type {
      case .int, .float, .double: return .double(realSum / Double(count))
      default:
        return .decimal(DecimalArithmetic.divide(decimalSum, ValueOrder.decimal(.int(Int64(count)))))
      }
    }
  }

  /// The type of the result for values of a type; nil where the function does not apply to them.
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
  /// The values of dictionaries are Mixed, but for sums of numbers of one type.
  private let valueType: ValueType

  init(_ source: CollectionSource, _ function: AggregateFunction) {
    self.function = function
    let type = ValueType(source.property.type)
    let isSumOfOneType =
      (function == .sum || function == .average) && [.int, .float, .double].contains(type)
    valueType = source.property.collection == .dictionary && !isSumOfOneType ? .mixed : type
    super.init(source, type: type)
  }

  override var quantifier: Quantifier? { nil }
  override var text: String { source.text + function.rawValue }

  override func evaluate(
    _ evaluator: Evaluator, _ batch: ObjectBatch, _ row: Int, _ index: inout GroupIndex, into buffer: ValueBuffer
  ) throws {
    try source.evaluate(evaluator, batch, row, into: buffer) { try result(of: $0, evaluator) }
  }

  private func result(of collection: ValueView, _ evaluator: Evaluator) throws -> ValueView {
    var aggregate = Aggregate(function, of: valueType)
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

  init(_ path: LinkPath, _ property: Int, columnSlot: Int, _ function: AggregateFunction, resultType: ValueType) {
    (self.path, self.property, self.columnSlot, self.function) = (path, property, columnSlot, function)
    valueType = ValueType(path.target.schema.properties[property].type)
    super.init(type: resultType)
  }

  override var text: String {
    "\(path.text)\(function.rawValue).\(path.target.schema.properties[property].name)"
  }
  override var label: RealmString { path.label ?? "" }

  override func evaluate(
    _ evaluator: Evaluator, _ batch: ObjectBatch, _ row: Int, _ index: inout GroupIndex, into buffer: ValueBuffer
  ) throws {
    var keys: [ObjectKey] = []
    try path.forEachTarget(evaluator, batch, row) { key in
      keys.append(key)
      return true
    }
    // The order decides about the last bits of sums.
    keys.sort()
    var aggregate = Aggregate(function, of: valueType)
    for key in keys {
      let place = try path.object(key, evaluator)
      aggregate.add(try evaluator.value(columnSlot, ofProperty: property, place.batch, place.row))
    }
    buffer.setSingle(aggregate.result)
  }
}
