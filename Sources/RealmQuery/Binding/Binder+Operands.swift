import RealmStorage

extension Binder {
  /// - Parameter hint: what a constant is compared with.
  func operand(_ syntax: ExpressionSyntax, hint: ValueType = .int) throws -> Operand {
    switch syntax {
    case .constant(let constant): return try self.constant(constant, hint: hint)
    case .list(let list): return try self.list(list, hint: hint)
    case .property(let property): return try self.property(property)
    case .aggregate(let aggregate): return try self.aggregate(aggregate)
    case .subquery(let subquery): return try self.subquery(subquery)
    case .arithmetic(let arithmetic): return try self.arithmetic(arithmetic, hint: hint)
    }
  }

  // MARK: Arithmetic

  private func arithmetic(_ syntax: ArithmeticSyntax, hint: ValueType) throws -> Operand {
    if syntax.left.isConstant, syntax.right.isConstant, !syntax.left.isList, !syntax.right.isList {
      let right = try operand(syntax.right, hint: hint)
      let left = try operand(syntax.left, hint: hint)
      return ConstantOperand([folded(left, syntax.operation, right)], type: .mixed)
    }
    let (left, right): (Operand, Operand)
    if syntax.right.isConstant {
      left = try operand(syntax.left)
      right = try operand(syntax.right, hint: left.type)
    } else {
      right = try operand(syntax.right)
      left = try operand(syntax.left, hint: syntax.left.isConstant ? right.type : .int)
    }
    guard left.type.isNumeric, right.type.isNumeric else {
      throw QueryError(
        .invalidQueryArg,
        "Cannot perform '\(syntax.operation.rawValue)' operation on '\(left.text)' and '\(right.text)'",
        at: syntax.range)
    }
    if left.yieldsList, right.yieldsList {
      throw QueryError(.invalidQuery, "Operations involving two lists are not supported", at: syntax.range)
    }
    return ArithmeticOperand(left, syntax.operation, right)
  }

  private func folded(_ left: Operand, _ operation: ArithmeticOperator, _ right: Operand) -> Value {
    guard let left = left.constant?.views.first, let right = right.constant?.views.first else { return .null }
    return switch Arithmetic.compute(left, operation, right) {
    case .int(let value): .int(value)
    case .float(let value): .float(value)
    case .double(let value): .double(value)
    case .decimal(let value): .decimal(value)
    default: .null
    }
  }

  // MARK: Properties

  private func property(_ syntax: PropertySyntax) throws -> Operand {
    let path = try bindPath(syntax.path, quantifier: syntax.quantifier)
    let operand = try self.operand(path, syntax)
    guard let operation = syntax.operation, !(operand is BacklinkCountOperand) else { return operand }
    switch operation {
    case .size: if let size = size(of: operand) { return size }
    case .type: if let type = type(of: operand) { return type }
    }
    throw QueryError(
      .invalidQuery,
      "Operation '\(operation.name)' is not supported on property of type '\(operand.type.name)'", at: syntax.range)
  }

  private func size(of operand: Operand) -> Operand? {
    switch operand {
    case let link as LinkOperand: LinkCountOperand(link.path)
    case let collection as CollectionOperand: CollectionCountOperand(collection.source)
    case let dictionary as DictionaryOperand:
      if dialect == .standard, !dictionary.isWhole {
        SizeOperand(dictionary, dialect)
      } else {
        CollectionCountOperand(dictionary.source)
      }
    case let property as PropertyOperand:
      if [.string, .data, .mixed].contains(property.type) { SizeOperand(property, dialect) } else { nil }
    case is MixedPathOperand: SizeOperand(operand, dialect)
    default: nil
    }
  }

  private func type(of operand: Operand) -> Operand? {
    switch operand {
    case is MixedPathOperand, is DictionaryOperand: return TypeOperand(operand)
    case let collection as CollectionOperand where collection.type == .mixed: return TypeOperand(collection)
    case let property as PropertyOperand:
      guard let types = TypeSet(property.type) else {
        return TypeOperand(property)
      }
      return typeConstant(types)
    case is LinkOperand: return typeConstant(.link)
    default: return nil
    }
  }

  private func typeConstant(_ types: TypeSet) -> Operand {
    ConstantOperand([.int(types.rawValue)], type: .typeOfValue, text: "\"\(types.text)\"")
  }

  // MARK: Aggregates

  /// What to write for an aggregate of all objects, as SQL has it.
  private static func advice(onAggregate function: AggregateFunction, ofSingle name: String) -> String {
    switch function {
    case .max: "for the largest of all objects, write SORT(\(name) DESC) LIMIT(1)"
    case .min: "for the smallest of all objects, write SORT(\(name) ASC) LIMIT(1)"
    case .sum: "'query --sum \(name)' adds up the values of all objects"
    case .average: "'query --avg \(name)' is the average of all objects"
    }
  }

  private func aggregate(_ syntax: AggregateSyntax) throws -> Operand {
    let path = try bindPath(syntax.path, quantifier: nil)
    let operand = try self.operand(path, PropertySyntax(path: syntax.path, range: syntax.path.range))
    let name = syntax.function.rawValue
    guard let property = syntax.property else {
      let source: CollectionSource? =
        switch operand {
        case let collection as CollectionOperand: collection.source
        case let dictionary as DictionaryOperand: dictionary.source
        default: nil
        }
      if let source,
        source.property.collection == .dictionary
          || (source.property.type != .date
            && Aggregate.resultType(syntax.function, of: ValueType(source.property.type)) != nil)
      {
        return CollectionAggregateOperand(source, syntax.function, dialect)
      }
      var error = QueryError(
        .invalidQuery, "Cannot use aggregate '\(name)' for this type of property", at: syntax.functionRange)
      if operand is LinkOperand {
        error.advice = "name a property of the linked objects: \(name).PROPERTY"
      } else if !operand.hasManyValues {
        error.advice = Self.advice(onAggregate: syntax.function, ofSingle: operand.text)
      }
      throw error
    }
    guard let link = operand as? LinkOperand else {
      throw QueryError(
        .invalidQuery,
        "Operation '\(name)' cannot apply to property '\(path.identifier)' because it is not a list", at: syntax.range,
        advice: operand.hasManyValues ? "its values are not objects: omit '.\(property.text)'" : nil)
    }
    let target = link.path.target.schema
    guard let index = target.properties.firstIndex(where: { $0.name == RealmString(property.text) }) else {
      throw QueryError(
        .invalidQuery, "'\(target.displayName)' has no property '\(property.text)'", unknown: property.text,
        among: target.properties.map(\.name), at: property.range)
    }
    let type = ValueType(target.properties[index].type)
    guard [.int, .float, .double, .decimal, .date, .mixed].contains(type), target.properties[index].collection == nil
    else {
      throw QueryError(
        .invalidQuery, "collection aggregate not supported for type '\(type.name)'", at: property.range)
    }
    guard let result = Aggregate.resultType(syntax.function, of: type) else {
      throw QueryError(
        .invalidQuery, "Cannot use aggregate '\(name)' for this type of property", at: syntax.functionRange)
    }
    return LinkAggregateOperand(
      link.path, index, columnSlot: slots.column(link.path.target, index), syntax.function, resultType: result, dialect)
  }

  // MARK: Subqueries

  private func subquery(_ syntax: SubquerySyntax) throws -> Operand {
    let variable = try syntax.checkedVariable()
    var bound = try bindPath(syntax.collection, quantifier: nil)
    let range = syntax.collection.range
    if let next = bound.nextName {
      // A property that is not a link, or an unknown name.
      guard let property = bound.links.target.schema.property(named: RealmString(next)) else {
        throw QueryError(
          .invalidQuery, "'\(bound.links.target.schema.displayName)' has no property '\(next)'", unknown: next,
          among: bound.links.target.schema.properties.map(\.name) + inverses.names(of: bound.links.target.schema),
          at: range)
      }
      if property.collection == .list {
        throw QueryError(
          .invalidQuery, "A subquery can not operate on a list of primitive values (property '\(next)')", at: range)
      }
      throw notAList(next, ValueType(property.type), range)
    }
    guard let last = bound.links.steps.last else {
      throw QueryError(
        .invalidQuery, "A subquery must operate on a list property", at: range)
    }
    switch last.kind {
    case .list, .backlinks: break
    case .set where dialect == .standard: break
    default: throw notAList(last.name, .link, range)
    }
    bound.links.steps[bound.links.steps.count - 1].selector = last.selector
    let outer = table
    table = bound.links.target
    let key = table.key
    defer { table = outer }
    guard !variables.contains(where: { $0.table == key && $0.name == variable }) else {
      throw QueryError(
        .invalidQuery,
        "Unable to create a subquery expression with variable '\(variable)' since an identical variable already exists "
          + "in this context", at: syntax.variable.range)
    }
    variables.append((key, variable))
    defer { variables.removeLast() }
    let wasInside = isInside
    isInside = true
    defer { isInside = wasInside }
    let condition = try self.condition(syntax.predicate)
    return SubqueryCountOperand(bound.links, condition, answerSlot: slots.nextAnswer())
  }

  private func notAList(_ name: String, _ type: ValueType, _ range: SourceRange) -> QueryError {
    QueryError(
      .invalidQuery, "A subquery must operate on a list property, but '\(name)' is type '\(type.name)'", at: range)
  }
}

extension Operand {
  /// Whether it yields the elements of a list for every object.
  fileprivate var yieldsList: Bool {
    switch self {
    case let property as PropertyOperand: property.hasManyValues
    case is CollectionOperand: true
    case let constant as ConstantOperand: constant.isList && constant.views.count != 1
    default: false
    }
  }
}
