import RealmQuery
import RealmStorage
import RealmText

/// The types of formulas, as far as they are known without objects. `plan check` looks at them.
extension PlanExecution {
  /// - Throws: `PlanError` if the value of a formula can never be one of the property.
  func requireFitting(_ bound: BoundValue, _ property: Property, of table: TableEditor) throws {
    switch bound {
    case .formula(let formula):
      guard let sample = try sample(of: formula.formula.root, formula, table)?.value else { return }
      do { _ = try fit(sample, to: property) } catch let error as ValueError {
        let isJoin = property.type == .string && formula.formula.text.contains(/\|\||&&/)
        throw PlanError(
          "'\(formula.formula.text)' is \(sample.kindName), but '\(property.name)' has type \(property.planType)",
          advice: isJoin ? "|| and && are logical; join text with + or concat()" : error.advice,
          at: formula.location)
      }
    case .list(let elements): for element in elements { try requireFitting(element, property.asElement, of: table) }
    case .dictionary(let entries): for entry in entries { try requireFitting(entry.1, property.asElement, of: table) }
    case .constant, .template, .embedded: break
    }
  }

  /// A value of the type that an expression has.
  private struct Sample {
    var value: Value
    /// Whether it is the value of the expression, which depends on no object.
    var isExact = false
  }

  /// - Returns: nil where the type is known only with objects.
  private func sample(of expression: Expression, _ formula: BoundFormula, _ table: TableEditor) throws -> Sample? {
    func combined(_ left: Expression, _ right: Expression, _ apply: (Value, Value) throws -> Value) throws -> Sample? {
      guard let left = try sample(of: left, formula, table), let right = try sample(of: right, formula, table) else {
        return nil
      }
      let isExact = left.isExact && right.isExact
      do {
        // What is not exact may be any number: with ones, nothing overflows and nothing is divided by zero.
        let value = try isExact ? apply(left.value, right.value) : apply(left.value.one, right.value.one)
        return Sample(value: isExact ? value : value.one, isExact: isExact)
      } catch let error as ValueError {
        throw PlanError("'\(formula.formula.text)': \(error.fact)", advice: error.advice, at: formula.location)
      }
    }
    switch expression {
    case .constant(let value): return value == .null ? nil : Sample(value: value, isExact: true)
    case .number(let number, let exact):
      return Sample(value: formula.isDecimal ? .decimal(exact) : .double(number), isExact: true)
    case .path(let index):
      guard formula.formula.paths[index].rest.isEmpty, case .property(let old, let new) = formula.starts[index],
        let property = property(old: old, new: new, of: table)
      else { return nil }
      return self.sample(of: property).map { Sample(value: $0) }
    case .arithmetic(let sign, let left, let right):
      return try combined(left, right) { try FormulaArithmetic.apply(sign, $0, $1) }
    case .remainder(let left, let right): return try combined(left, right, FormulaArithmetic.remainder)
    case .comparison, .not, .and, .or: return Sample(value: .bool(true))
    case .call(.if, _), .call(.coalesce, _): return nil
    case .call(let function, let arguments):
      guard !expression.isNull else { return nil }
      let samples = try arguments.map { try sample(of: $0, formula, table)?.value.one }
      let values = samples.compactMap { $0 }
      if function.failsByTypesOnly, values.count == arguments.count {
        let scope = try EvaluationScope(table.key, old: stepStart, new: current, clock: clock)
        do { _ = try FunctionCall(function: function, arguments: values, scope: scope).value() } catch let error
          as ValueError
        {
          throw PlanError("'\(formula.formula.text)': \(error.fact)", advice: error.advice, at: formula.location)
        }
      }
      return function.sample.map { Sample(value: $0) }
    case .negate: return nil
    }
  }

  private func property(old: Int?, new: Int?, of table: TableEditor) -> Property? {
    if let old { return stepStart.snapshot.table(table.key)?.schema.properties[old] }
    return new.flatMap { current.snapshot.table(table.key)?.schema.properties[$0] }
  }

  /// A value of a property; nil for one that may have values of several types.
  private func sample(of property: Property) -> Value? {
    guard property.type != .mixed else { return nil }
    var element = property.asElement
    element.isOptional = false
    var one = element.typeDefault
    if property.type == .object {
      guard let target = property.target.flatMap({ try? transaction.table($0) }), target.schema.kind != .embedded else {
        return nil
      }
      one = .link(target.key, ObjectKey(rawValue: 0))
    }
    switch property.collection {
    case nil: return one
    case .list: return .list([one])
    case .set: return .set([one])
    case .dictionary: return .dictionary(["a": one])
    }
  }
}

extension Expression {
  /// Whether it is null for all objects.
  fileprivate var isNull: Bool {
    switch self {
    case .constant(.null): true
    case .call(let function, let arguments): !function.takesNull && arguments.contains(where: \.isNull)
    default: false
    }
  }
}

extension Expression.Function {
  /// Whether it accepts all values of the types that it accepts at all.
  fileprivate var failsByTypesOnly: Bool {
    switch self {
    case .upper, .lower, .trim, .substr, .replace, .split, .len, .count, .round, .floor, .ceil, .abs: true
    default: false
    }
  }

  /// A value of the type of its values; nil if that depends on those of its arguments.
  fileprivate var sample: Value? {
    let type: PropertyType
    switch self {
    case .str, .concat, .upper, .lower, .trim, .substr, .replace, .join, .formatDate: type = .string
    case .split: return .list([.string("")])
    case .int, .len, .count: type = .int
    case .double: type = .double
    case .decimal: type = .decimal128
    case .bool, .isNull: type = .bool
    case .date, .now, .parseDate: type = .date
    case .data: type = .data
    case .oid, .newObjectID: type = .objectID
    case .uuid, .newUUID: type = .uuid
    case .sum, .avg, .min, .max, .round, .floor, .ceil, .abs, .if, .coalesce, .key: return nil
    }
    return Property(name: "", type: type).typeDefault.one
  }
}

extension Value {
  /// The number one of the same kind; all else as it is.
  fileprivate var one: Value {
    switch self {
    case .int: .int(1)
    case .float: .float(1)
    case .double: .double(1)
    case .decimal: .decimal(DecimalNumber(1).decimal)
    default: self
    }
  }
}
