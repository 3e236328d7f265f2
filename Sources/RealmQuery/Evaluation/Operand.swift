import RealmStorage

/// One side of a comparison, bound to a class: what it yields for an object of it.
///
/// Operands never change once they are bound, so that any number of threads can share them.
class Operand: @unchecked Sendable {
  /// What the values are, as far as it is known beforehand.
  let type: ValueType

  init(type: ValueType) { self.type = type }

  /// `ANY`, `ALL` or `NONE`, as written before the path or the list.
  var quantifier: Quantifier? { nil }
  /// Whether `IN` may have it on its right.
  var hasManyValues: Bool { false }
  /// Whether it never yields a list.
  var isAlwaysSingle: Bool { false }
  /// Whether an object has one value at most. In conditions it can still be a list, of one.
  var hasOneValue: Bool { isAlwaysSingle }
  /// Whether it is one value for all objects.
  var singleConstant: ValueView? { nil }
  /// Its values where they are the same for all objects.
  var constant: ConstantOperand? { nil }

  /// As messages show it.
  var text: String { "" }
  /// The property that damage is reported for.
  var label: RealmString { RealmString(text) }

  /// Computes the values for one object.
  ///
  /// - Parameters:
  ///   - index: which group of values; an operand that has only one ignores it.
  ///   - values: gets them.
  /// - Throws: `StorageError` if they cannot be read.
  func evaluate(
    _ evaluator: Evaluator, _ batch: ObjectBatch, _ row: Int, _ index: inout GroupIndex, into values: ValueBuffer
  ) throws {}
}

/// A literal, an argument, or a list of them.
final class ConstantOperand: Operand, @unchecked Sendable {
  let values: [Value]
  let views: ContiguousArray<ValueView>
  let isList: Bool
  private let listQuantifier: Quantifier?
  private let shownText: String?
  /// Keeps what the views point to.
  private let keeper: ValueKeeper

  /// - Parameter text: as messages show it; nil for the values by themselves.
  init(
    _ values: [Value], type: ValueType, isList: Bool = false, quantifier: Quantifier? = nil, text: String? = nil
  ) {
    self.values = values
    self.isList = isList
    listQuantifier = quantifier
    shownText = text
    let keeper = ValueKeeper()
    views = ContiguousArray(values.map { keeper.view(of: $0) })
    self.keeper = keeper
    super.init(type: type)
  }

  override var quantifier: Quantifier? { listQuantifier }
  override var hasManyValues: Bool { isList }
  override var isAlwaysSingle: Bool { !isList }
  /// A list of one value counts as that value in some places, as in the reference.
  override var singleConstant: ValueView? { views.count == 1 ? views[0] : nil }
  override var constant: ConstantOperand? { self }

  override var text: String {
    if let shownText { return shownText }
    let texts = values.map(ReferenceText.constant)
    guard isList else { return texts.first ?? "" }
    return (listQuantifier.map { $0.rawValue + " " } ?? "") + "{" + texts.joined(separator: ", ") + "}"
  }

  override func evaluate(
    _ evaluator: Evaluator, _ batch: ObjectBatch, _ row: Int, _ index: inout GroupIndex, into buffer: ValueBuffer
  ) {
    buffer.values = views
    buffer.isList = isList
  }
}

/// A property that is not a collection, of the object or of those it leads to.
final class PropertyOperand: Operand, @unchecked Sendable {
  let path: LinkPath
  let property: Int
  private let slot: Int
  private let pathQuantifier: Quantifier?

  init(_ path: LinkPath, _ property: Int, slot: Int, quantifier: Quantifier?) {
    self.path = path
    self.property = property
    self.slot = slot
    pathQuantifier = quantifier
    super.init(type: ValueType(path.target.schema.properties[property].type))
  }

  override var quantifier: Quantifier? { pathQuantifier }
  override var hasManyValues: Bool { !path.isUnary }
  override var isAlwaysSingle: Bool { path.isUnary }
  override var hasOneValue: Bool { path.leadsToOne }
  override var text: String { pathQuantifier.prefix + path.text(followedBy: name) }
  override var label: RealmString { path.label ?? name }
  /// That of the property, in the class at the end of the path.
  var name: RealmString { path.target.schema.properties[property].name }
  /// Whether it is of the object itself.
  var isDirect: Bool { path.steps.isEmpty }

  override func evaluate(
    _ evaluator: Evaluator, _ batch: ObjectBatch, _ row: Int, _ index: inout GroupIndex, into buffer: ValueBuffer
  ) throws {
    if path.steps.isEmpty {
      buffer.setSingle(try evaluator.value(slot, ofProperty: property, batch, row))
    } else if path.isUnary {
      guard let key = try path.onlyTarget(evaluator, batch, row) else { return buffer.setSingle(.null) }
      buffer.setSingle(try value(of: key, evaluator))
    } else {
      buffer.setEmptyList()
      try path.forEachTarget(evaluator, batch, row) { key in
        buffer.values.append(try value(of: key, evaluator))
        return true
      }
    }
  }

  private func value(of key: ObjectKey, _ evaluator: Evaluator) throws -> ValueView {
    let place = try path.object(key, evaluator)
    return try evaluator.value(slot, ofProperty: property, place.batch, place.row)
  }
}

/// Links by themselves: the objects that a path leads to.
final class LinkOperand: Operand, @unchecked Sendable {
  let path: LinkPath
  private let pathQuantifier: Quantifier?
  /// Whether the last link is a list.
  private let isList: Bool

  init(_ path: LinkPath, quantifier: Quantifier?) {
    self.path = path
    pathQuantifier = quantifier
    if case .list? = path.steps.last?.kind { isList = true } else { isList = false }
    super.init(type: .link)
  }

  override var quantifier: Quantifier? { pathQuantifier }
  override var hasManyValues: Bool { isList || !path.isUnary }
  override var hasOneValue: Bool { path.leadsToOne }
  override var text: String { pathQuantifier.prefix + path.text }
  override var label: RealmString { path.label ?? "" }

  override func evaluate(
    _ evaluator: Evaluator, _ batch: ObjectBatch, _ row: Int, _ index: inout GroupIndex, into buffer: ValueBuffer
  ) throws {
    let target = path.target.key
    if path.isUnary {
      buffer.setSingle(try path.onlyTarget(evaluator, batch, row).map { .link(target, $0) } ?? .null)
    } else {
      buffer.setEmptyList()
      try path.forEachTarget(evaluator, batch, row) { key in
        buffer.values.append(.link(target, key))
        return true
      }
    }
  }

  /// Whether the path ends in dictionaries, and one of them has an entry that is null, which is not among the values.
  func hasNullEntry(_ evaluator: Evaluator, _ batch: ObjectBatch, _ row: Int) throws -> Bool {
    guard let last = path.steps.last, case .dictionary(let property) = last.kind, last.selector == .all else {
      return false
    }
    var isFound = false
    func look(_ batch: ObjectBatch, _ row: Int) throws {
      guard case .dictionary(let entries) = try evaluator.value(last.columnSlot, ofProperty: property, batch, row)
      else { return }
      try entries.forEach(evaluator.walk, damaged: { throw $0 }) { _, value in if value.isNull { isFound = true } }
    }
    let owners = path.droppingLast
    guard !owners.steps.isEmpty else {
      try look(batch, row)
      return isFound
    }
    try owners.forEachTarget(evaluator, batch, row) { key in
      let place = try owners.object(key, evaluator)
      try look(place.batch, place.row)
      return !isFound
    }
    return isFound
  }
}

/// `left op right` of numbers.
final class ArithmeticOperand: Operand, @unchecked Sendable {
  private let left: Operand
  private let operation: ArithmeticOperator
  private let right: Operand

  init(_ left: Operand, _ operation: ArithmeticOperator, _ right: Operand) {
    (self.left, self.operation, self.right) = (left, operation, right)
    super.init(type: left.type)
  }

  override var quantifier: Quantifier? {
    left.singleConstant == nil ? left.quantifier : right.singleConstant == nil ? right.quantifier : nil
  }
  override var text: String { "(\(left.text) \(operation.rawValue) \(right.text))" }
  override var label: RealmString { left.constant == nil ? left.label : right.label }

  override func evaluate(
    _ evaluator: Evaluator, _ batch: ObjectBatch, _ row: Int, _ index: inout GroupIndex, into buffer: ValueBuffer
  ) throws {
    if let constant = left.singleConstant {
      try right.evaluate(evaluator, batch, row, &index, into: buffer)
      for position in buffer.values.indices {
        buffer.values[position] = Arithmetic.compute(constant, operation, buffer.values[position])
      }
      return
    }
    try left.evaluate(evaluator, batch, row, &index, into: buffer)
    if let constant = right.singleConstant {
      for position in buffer.values.indices {
        buffer.values[position] = Arithmetic.compute(buffer.values[position], operation, constant)
      }
      return
    }
    try evaluator.withBuffer { other in
      // Both take their values from one object; where both lead to several groups, the first ones meet.
      var ownIndex = index.hasMore || !index.isFirst ? GroupIndex() : index
      try right.evaluate(evaluator, batch, row, &ownIndex, into: other)
      if !index.hasMore, index.isFirst { index = ownIndex }
      combine(buffer, other)
    }
  }

  private func combine(_ buffer: ValueBuffer, _ other: ValueBuffer) {
    switch (buffer.isList, other.isList) {
    case (true, true):
      // Binding refuses this where it can be seen beforehand.
      buffer.setEmptyList()
    case (false, true):
      let value = buffer.values.first ?? .null
      buffer.setEmptyList()
      for element in other.values { buffer.values.append(Arithmetic.compute(value, operation, element)) }
    default:
      let value = other.values.first ?? .null
      for position in buffer.values.indices {
        buffer.values[position] = Arithmetic.compute(buffer.values[position], operation, value)
      }
    }
  }
}

extension Quantifier? {
  /// As messages show it before a path.
  var prefix: String { map { $0.rawValue + " " } ?? "" }
}

extension LinkPath {
  /// The path and what follows it, as messages show them.
  func text(followedBy name: RealmString) -> String { steps.isEmpty ? "\(name)" : "\(text).\(name)" }

  /// The property of the object that it begins with; nil if there is none.
  var label: RealmString? { steps.first.map { RealmString($0.name) } }
}
