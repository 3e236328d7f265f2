import RealmStorage
import RealmText

/// Values that could not be had, up to as many as a message can show.
struct ValueFailures {
  private var shown: [(object: String, error: ValueError)] = []
  /// What there is to do about each of them, once.
  private var advice: Set<String?> = []
  private(set) var count = 0
  private static let mostShown = 20

  mutating func add(_ error: ValueError, of scope: EvaluationScope) {
    count += 1
    advice.insert(error.advice)
    if shown.count < Self.mostShown { shown.append(("object \(scope.name)", error)) }
  }

  /// `2 of 120 objects: object 0: 'abc' is not an int; object 7: …`
  ///
  /// - Parameter advice: if the failures have no advice in common.
  func error(of total: Int, advice: String? = nil) -> ValueError {
    let common = self.advice.count == 1 ? self.advice.first ?? nil : nil
    var error = ValueError("\(count) of \(total.counted("object"))", advice: common ?? advice)
    error.parts = shown.map { "\($0.object): \(common == nil ? $0.error.message : $0.error.fact)" }
    if count > shown.count { error.parts.append("and \(count - shown.count) more") }
    return error
  }
}

/// Operations that give properties values.
extension PlanExecution {
  /// What happens to one value.
  private enum Result {
    case value(Value)
    /// There is none, and the policy gives a default.
    case defaulted(Value)
    case deleteObject
  }

  /// How the values of one property are made.
  private struct Assigning {
    var property: Property
    var bound: BoundValue
    var defaultValue: Value?
    var onNull: NullPolicy
    var onError: ErrorPolicy
  }

  func addProperty(_ action: PlanOperation.AddProperty, _ done: inout PlanReport.Operation) throws {
    let table = try table(action.className)
    let property = action.property.value
    (done.className, done.property, done.objects) = (action.className.value, property.name, table.objectCount)
    guard table.schema.property(named: property.name) == nil else {
      throw PlanError(
        "class '\(action.className.value)' already has a property '\(property.name)'", at: action.property.location)
    }
    try ensureTarget(of: action.property)
    var defaultValue: Value?
    if let given = action.defaultValue { defaultValue = try self.defaultValue(given, property, table) }
    let value = action.value ?? action.defaultValue
    let bound = try value.map { try bind($0, for: property, of: table, onNull: action.policies.onNull) }
    try table.addProperty(property)
    guard let bound else {
      if property.isOptional, property.collection == nil {
        done.null = done.objects
      } else {
        done.defaulted = done.objects
      }
      let mayChange = done.objects > 0 || run.options.checksOnly
      guard !action.takesTypeDefault, !property.isOptional, property.collection == nil, mayChange else { return }
      return warn(
        "existing objects get \(property.typeDefault.shown) for '\(action.className.value).\(property.name)'; say so with "
          + "'type_default: true', or give 'default' or 'value'", at: action.property.location)
    }
    if case .constant(let constant) = bound {
      if action.value == nil { done.defaulted = done.objects }
      if constant == property.typeDefault { return }
    }
    let isDefault = action.value == nil
    let assigning = Assigning(
      property: property, bound: bound, defaultValue: defaultValue,
      onNull: action.policies.onNull ?? run.plan.settings.onNull,
      onError: action.policies.onError ?? run.plan.settings.onError)
    try assign([assigning], to: table.key, where: nil, &done)
    if isDefault { (done.computed, done.defaulted) = (0, done.objects - done.null) }
  }

  private func defaultValue(_ value: PlanValue, _ property: Property, _ table: TableEditor) throws -> Value? {
    guard case .constant(let constant) = try bind(value, for: property, of: table) else {
      // A default that makes embedded objects, or is computed, is the value of its objects.
      return nil
    }
    return constant
  }

  func set(_ action: PlanOperation.SetValues, _ done: inout PlanReport.Operation) throws {
    let table = try table(action.className)
    done.className = action.className.value
    if action.values.count == 1 { done.property = action.values[0].property.value }
    func assigning(_ assignment: PlanOperation.Assignment) throws -> Assigning {
      let property = try assigned(assignment.property, of: table)
      let isOnly = action.values.count == 1 && property.collection == nil && !property.isOptional
      guard action.policies.onError != .null || !isOnly else {
        throw PlanError(PlanOperation.Policies.nullNeeds(property), at: assignment.property.location)
      }
      var substitute: Value?
      if let given = action.defaultValue { substitute = try defaultValue(given, property, table) }
      return Assigning(
        property: property, bound: try bind(assignment.value, for: property, of: table, onNull: action.policies.onNull),
        defaultValue: substitute,
        onNull: action.policies.onNull ?? run.plan.settings.onNull,
        onError: action.policies.onError ?? run.plan.settings.onError)
    }
    var (assignings, edits) = ([Assigning](), [CollectionEdit]())
    let parts: [() throws -> Void] = [
      { [self] in assignings = try collectingMistakes(action.values, assigning) },
      { [self] in edits = try collectionEdits(action, of: table) },
    ]
    _ = try collectingMistakes(parts) { try $0() }
    try assign(assignings, edits, to: table.key, where: action.filter, &done)
    try require(action.expected, done.objects, at: action.filter?.location ?? action.className.location)
  }

  /// The results for all elements. An edit by hand names all mistakes; a plan names them one by one, with their places.
  func collectingMistakes<Element, Result>(
    _ elements: [Element], _ body: (Element) throws -> Result
  ) throws -> [Result] {
    try isEdit ? EditValues.collectingMistakes(elements, body) : elements.map(body)
  }

  /// A property that receives values. If the file does not have it yet, it is added as in the target schema; its index
  /// is added later, with the target schema.
  private func assigned(_ name: PlanOperation.Name, of table: TableEditor) throws -> Property {
    let schema = table.schema
    guard schema.property(named: name.value) == nil,
      var new = run.options.target?.classNamed(schema.displayName)?.property(named: name.value), !new.isComputed
    else { return try property(name, of: table) }
    new.index = .none
    try table.addProperty(new)
    return try property(name, of: table)
  }

  /// Gives objects their values. All of them see the state before the operation.
  private func assign(
    _ assignings: [Assigning], _ edits: [CollectionEdit] = [], to key: TableKey, where filter: QueryText?,
    _ done: inout PlanReport.Operation
  ) throws {
    if run.options.checksOnly, let table = transaction.table(key) {
      for assigning in assignings where assigning.onError == .fail {
        try requireFitting(assigning.bound, assigning.property, of: table)
      }
    }
    var (failures, doomed) = (ValueFailures(), [ObjectKey]())
    // An index would be built again with every part that is written.
    let isIndexed = assignings.contains { $0.property.index != .none }
    let editsByProperty = CollectionEdit.byProperty(edits)
    var report = done
    let count = try forEachObject(of: key, where: filter, flushes: !isIndexed) { scope, table in
      var isDeleted = false
      for assigning in assignings where !isDeleted {
        do {
          switch try value(of: assigning, scope) {
          case .value(let value)?:
            if value == .null { report.null += 1 } else { report.computed += 1 }
            if failures.count == 0 { try table.set(assigning.property.name, of: scope.key, to: value) }
          case .defaulted(let value)?:
            report.defaulted += 1
            if failures.count == 0 { try table.set(assigning.property.name, of: scope.key, to: value) }
          case .deleteObject?: isDeleted = true
          case nil:
            report.computed += 1
            if failures.count == 0 { try makeObjects(assigning.bound, assigning.property, scope.key, table, scope) }
          }
        } catch let error as ValueError {
          report.failed += 1
          switch try outcome(of: assigning) {
          case .value(let value)?, .defaulted(let value)?:
            if value == .null { report.null += 1 } else { report.defaulted += 1 }
            if failures.count == 0 { try table.set(assigning.property.name, of: scope.key, to: value) }
          case .deleteObject?: isDeleted = true
          case nil: failures.add(error, of: scope)
          }
        }
      }
      var changedCount = 0
      for edits in editsByProperty where !isDeleted {
        do {
          if try perform(edits, scope.key, table, scope, isTried: failures.count > 0) { changedCount += 1 }
        } catch let error as ValueError {
          failures.add(error, of: scope)
        }
      }
      report.computed += changedCount
      if edits.isEmpty || !assignings.isEmpty || changedCount > 0 {
        noteEdited(scope.key, in: key)
      } else {
        report.unchanged += 1
      }
      if isDeleted { doomed.append(scope.key) }
    }
    done = report
    done.objects = count
    guard failures.count == 0 else { throw failures.error(of: count) }
    done.deleted += try delete(doomed, of: key)
  }

  /// - Returns: nil where embedded objects have to be made.
  private func value(of assigning: Assigning, _ scope: EvaluationScope) throws -> Result? {
    if assigning.bound.makesObjects { return nil }
    let value = try fittedValue(of: assigning.bound, assigning.property, scope)
    guard value == .null else { return .value(value) }
    return try nullResult(assigning.property, assigning.defaultValue, assigning.onNull)
  }

  private func nullResult(_ property: Property, _ defaultValue: Value?, _ policy: NullPolicy) throws -> Result {
    switch policy {
    case .delete: return .deleteObject
    case .default:
      if let defaultValue { return .defaulted(defaultValue) }
    case .fail:
      throw ValueError.nullFails
    case .propagate, .empty: break
    }
    if property.isOptional { return .value(.null) }
    if let defaultValue { return .defaulted(defaultValue) }
    let options = run.options
    let choices =
      "{property|fallback}, "
      + (isEdit
        ? "or coalesce(property, fallback) in a formula"
        : "coalesce(property, fallback) in a formula, or a plan with 'default' (--plan)")
    let advice = options.origin.isCommandLine ? "use \(choices)" : "give 'default'"
    throw ValueError("null, but '\(property.name)' is required", advice: advice)
  }

  /// What the policy does with a value that could not be computed; nil to fail.
  private func outcome(of assigning: Assigning) throws -> Result? {
    switch assigning.onError {
    case .fail: return nil
    case .null: return assigning.property.isOptional ? .value(.null) : nil
    case .default: return assigning.defaultValue.map { .defaulted($0) }
    case .delete: return .deleteObject
    }
  }

  /// The value as one of the property's type; the text of a template is converted by the table.
  ///
  /// - Throws: `ValueError`.
  func fittedValue(of bound: BoundValue, _ property: Property, _ scope: EvaluationScope) throws -> Value {
    let value = try plainValue(of: bound, scope)
    guard case .template = bound, case .string = value, property.collection == nil, property.type != .object else {
      return try fit(value, to: property)
    }
    do throws(ValueError) { return try ScalarConversion(type: property.type).convert(value) } catch {
      throw ValueError(error.message)
    }
  }

  /// - Throws: `ValueError`.
  func plainValue(of bound: BoundValue, _ scope: EvaluationScope) throws -> Value {
    switch bound {
    case .constant(let value): return value
    case .formula(let formula): return try formula.value(in: scope)
    case .template(let template): return try template.value(in: scope)
    case .list(let elements): return .list(try elements.map { try plainValue(of: $0, scope) })
    case .dictionary(let entries):
      return .dictionary(
        Dictionary(try entries.map { ($0.0, try plainValue(of: $0.1, scope)) }, uniquingKeysWith: { $1 }))
    case .embedded: return .null
    }
  }

  /// Deletes objects that a policy dooms.
  func delete(_ keys: [ObjectKey], of table: TableKey) throws -> Int {
    guard !keys.isEmpty, let editor = transaction.table(table) else { return 0 }
    return try editor.delete(keys)
  }

  // MARK: Embedded objects

  /// Makes the embedded objects of a property, in place of those it has.
  func makeObjects(
    _ bound: BoundValue, _ property: Property, _ key: ObjectKey, _ table: TableEditor, _ scope: EvaluationScope
  ) throws {
    try table.set(property.name, of: key, making: unmanagedValue(of: bound, property, scope))
  }

  /// Gives a new embedded object its values.
  func fill(
    _ made: ObjectKey, _ property: Property, _ fields: [(Property, BoundValue)], _ scope: EvaluationScope
  ) throws {
    guard let target = property.target, let table = try? transaction.table(target) else { return }
    for (inner, bound) in fields { try table.set(inner.name, of: made, making: required(bound, inner, scope)) }
  }

  private func unmanagedValue(
    of bound: BoundValue, _ property: Property, _ scope: EvaluationScope
  ) throws -> UnmanagedValue {
    switch bound {
    case .embedded(let fields): .object(try fields.map { .init($0.name, try required($1, $0, scope)) })
    case .list(let elements) where bound.makesObjects:
      .list(try elements.map { try unmanagedValue(of: $0, property, scope) })
    case .dictionary(let entries) where bound.makesObjects:
      .dictionary(try entries.map { .init($0, try unmanagedValue(of: $1, property.asElement, scope)) })
    default: .plain(try fittedValue(of: bound, property, scope))
    }
  }

  private func required(_ bound: BoundValue, _ inner: Property, _ scope: EvaluationScope) throws -> UnmanagedValue {
    let value = try unmanagedValue(of: bound, inner, scope)
    guard value != .plain(.null) || inner.isOptional else { throw ValueError("null, but '\(inner.name)' is required") }
    return value
  }

  // MARK: Required properties

  func makeRequired(_ action: PlanOperation.MakeRequired, _ done: inout PlanReport.Operation) throws {
    let table = try table(action.source.className)
    let property = try property(action.source.property, of: table)
    (done.className, done.property, done.objects) = (
      action.source.className.value, property.name, table.objectCount
    )
    guard property.type != .object || property.collection == nil || property.collection == .dictionary else {
      throw PlanError(
        "'\(action.source.path)' is a \(property.collection == .set ? "set" : "list"), which is never null, and neither are "
          + "its links", at: action.source.property.location)
    }
    guard property.type != .mixed, property.type != .object else {
      throw PlanError(
        "Property '\(action.source.path)' of type '\(property.type == .mixed ? "Mixed" : "object")' must be nullable.",
        at: action.source.property.location)
    }
    guard property.isOptional else { return }
    var required = property
    required.isOptional = false
    let replacement = try action.defaultValue.map { value in
      try defaultValue(value, required.asElement, table) ?? required.asElement.typeDefault
    }
    let substitute = action.onNull == .default ? replacement ?? required.asElement.typeDefault : nil
    guard let before = current.table(table.key), let index = before.index(of: property.name) else { return }
    var (failures, doomed, report) = (ValueFailures(), [ObjectKey](), done)
    try forEachObject(of: table.key) { scope, table in
      let value = try before.value(index)
      guard value.holdsNull else { return }
      switch action.onNull {
      case .default:
        report.defaulted += 1
        if let substitute { try table.set(property.name, of: scope.key, to: value.replacingNulls(by: substitute)) }
      case .delete:
        if value == .null { return doomed.append(scope.key) }
        report.dropped += 1
        try table.set(property.name, of: scope.key, to: value.replacingNulls(by: nil))
      default: failures.add(ValueError(value == .null ? "the value is null" : "an element is null"), of: scope)
      }
    }
    done = report
    guard failures.count == 0 else {
      throw failures.error(of: done.objects, advice: "give 'default', or 'on_null: delete'")
    }
    done.deleted = try delete(doomed, of: table.key)
    try table.setOptional(property.name, false, replacingNulls: false)
  }
}
