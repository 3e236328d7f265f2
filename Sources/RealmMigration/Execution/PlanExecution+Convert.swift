import RealmExchange
import RealmStorage
import RealmText

extension PlanExecution {
  /// Replaces a property by one of another type and converts its values. It keeps its name, and its index if the type
  /// can have one. Links from elsewhere survive a converted primary key, because they store object keys.
  func convert(_ action: PlanOperation.Convert, _ done: inout PlanReport.Operation) throws {
    let table = try table(action.source.className)
    let source = try property(action.source.property, of: table)
    (done.className, done.property, done.objects) = (
      action.source.className.value, source.name, table.objectCount
    )
    var target = action.target.value
    if target.index == .none, target.allows(source.index) { target.index = source.index }
    let isPrimaryKey = table.schema.primaryKey?.name == source.name
    guard !isPrimaryKey || target.canBePrimaryKey else {
      throw PlanError(
        "'\(action.source.path)' is the primary key, which cannot have type \(target.planType)",
        advice: "change the primary key first, with "
          + (run.options.origin.isCommandLine ? "a plan (--plan)" : "'set_primary_key'"),
        at: action.target.location)
    }
    try requirePossible(source, target, action)
    try ensureTarget(of: Located(target, at: action.target.location))

    let defaultValue = try action.defaultValue.map { value -> Value in
      // A scalar is the default of the elements of a collection, also in a typed form.
      var isElement = false
      if case .literal(let node) = value, node.elements == nil {
        isElement = node.entries?.contains { $0.key.utf8.first == UInt8(ascii: "$") } ?? true
      }
      guard case .constant(let constant) = try bind(value, for: isElement ? target.asElement : target, of: table) else {
        throw PlanError("'default' of 'convert' must be a literal", at: value.location)
      }
      return constant
    }
    let formula = try action.expression.map { try bind($0, for: target, of: table) }
    let keepsLinks = source.type == .object && source.target == target.target && action.match == nil
    let conversion = try PropertyConversion(
      source: source, target: target, options: action.options, primaryKey: primaryKey(of:),
      object: keepsLinks ? { _ in nil } : finder(of: target, action), matchingValue: matcher(of: source, action),
      isMatched: action.match != nil, keepsLinks: keepsLinks)
    guard let before = current.table(table.key), let index = before.index(of: source.name) else { return }
    if isPrimaryKey {
      try table.setPrimaryKey(nil)
      target.index = .none
    }
    try table.replaceProperty(source.name, by: target)

    let job = ConvertedValue(
      target: target, conversion: conversion, formula: formula, defaultValue: defaultValue,
      onNull: action.policies.onNull ?? run.plan.settings.onNull,
      onError: action.policies.onError ?? run.plan.settings.onError,
      adviceOnNull: run.options.origin.isCommandLine
        ? "keep null with --convert '\(table.schema.displayName).\(source.name)=\(target.type.schemaName)?', or use a plan "
          + "with 'on_null' or 'default' (--plan)" : "give 'default'")
    var (failures, doomed, report) = (ValueFailures(), [ObjectKey](), done)
    let isIndexed = target.index != .none
    try forEachObject(of: table.key, flushes: !isIndexed) { scope, table in
      do {
        switch try self.value(of: job, before, index, scope, &report) {
        case nil: doomed.append(scope.key)
        case let value?:
          if failures.count == 0 { try table.set(target.name, of: scope.key, to: value) }
        }
      } catch let error as ValueError {
        let options = run.options
        let error =
          error.cause == .fraction
          ? ValueError(error.fact, key: "'rounding: round' keeps the nearest whole number") : error
        failures.add(
          options.origin == .fileFormat ? ValueError(error.fact) : options.origin.isCommandLine ? error.byHand : error,
          of: scope)
      }
    }
    done = report
    guard failures.count == 0 else {
      throw failures.error(of: done.objects, advice: run.options.origin == .fileFormat ? nil : advice(job))
    }
    done.deleted = try delete(doomed, of: table.key)
    if isPrimaryKey { try transaction.table(table.key)?.setPrimaryKey(target.name) }
  }

  private func advice(_ job: ConvertedValue) -> String? {
    if run.options.origin.isCommandLine { return "use a plan with 'on_error' (--plan)" }
    let optional =
      job.target.collection == nil && job.target.type != .object && !job.target.isOptional
      ? "'\(job.target.planType)?'" : nil
    return switch job.onError {
    case .fail:
      optional.map { "set 'on_error' to default or delete, or to null with the type \($0)" }
        ?? "set 'on_error' to null, default or delete"
    case .null: optional.map { _ in PlanOperation.Policies.nullNeeds(job.target) }
    default: nil
    }
  }

  private func requirePossible(_ source: Property, _ target: Property, _ action: PlanOperation.Convert) throws {
    let leadsToEmbedded = [source, target].contains { property in
      property.target.flatMap { try? transaction.table($0) }?.schema.kind == .embedded
    }
    guard !leadsToEmbedded else {
      throw PlanError("embedded objects belong to their property and are not converted", at: action.target.location)
    }
    guard action.expression == nil else { return }
    if let obstacle = PropertyConversion.obstacle(from: source, to: target) {
      let plan = run.options.origin.isCommandLine ? "use a plan (--plan) with " : "use "
      throw PlanError(
        obstacle,
        advice: target.collection == .dictionary
          ? plan + "'add_property' to add the dictionary, and 'set' to fill it"
          : plan + (run.options.origin.isCommandLine ? "'using'" : "'using' and a formula"),
        at: action.target.location)
    }
  }

  /// How one value is converted.
  private struct ConvertedValue {
    var target: Property
    var conversion: PropertyConversion
    var formula: BoundValue?
    var defaultValue: Value?
    var onNull: NullPolicy
    var onError: ErrorPolicy
    /// What to do about a null that the new type does not allow.
    var adviceOnNull: String

    /// The default of the property; nil if it is only that of elements.
    var whole: Value? { defaultValue.flatMap { target.collection == nil || $0.isCollection ? $0 : nil } }

    /// The default of elements; nil if it is that of the collection.
    var element: Value? { defaultValue.flatMap { target.collection != nil && $0.isCollection ? nil : $0 } }
  }

  /// - Returns: nil if the object is to be deleted.
  /// - Throws: `ValueError` if the plan is to fail.
  private func value(
    of job: ConvertedValue, _ before: TableReader, _ index: Int, _ scope: EvaluationScope,
    _ done: inout PlanReport.Operation
  ) throws -> Value? {
    let converted: Value
    do {
      converted = try rawValue(of: job, before, index, scope, &done)
    } catch let error as ValueError {
      switch error.cause {
      case .deletesObject: return nil
      case .defaultsWhole: return job.whole.map { noted($0, \.defaulted, &done) }
      // No conversion failed, so 'on_error' does not apply.
      case .nullElement: throw error
      case .other, .fraction: done.failed += 1
      }
      switch job.onError {
      case .delete: return nil
      case .default: if let value = job.whole { return noted(value, \.defaulted, &done) }
      case .null: if job.target.isOptional, job.target.collection == nil { return noted(.null, \.null, &done) }
      case .fail: break
      }
      throw error
    }
    guard converted == .null else { return noted(converted, \.computed, &done) }
    switch job.onNull {
    case .delete: return nil
    case .fail: throw ValueError.nullFails
    case .default: if let value = job.whole { return noted(value, \.defaulted, &done) }
    case .propagate, .empty: break
    }
    if let empty = job.target.collection?.empty {
      return noted(job.whole ?? job.element.map(empty.with) ?? empty, \.defaulted, &done)
    }
    if job.target.isOptional { return noted(.null, \.null, &done) }
    if let value = job.whole { return noted(value, \.defaulted, &done) }
    throw ValueError("null, but the new type is required", advice: job.adviceOnNull)
  }

  /// The value before the policies for the whole apply. A null that becomes a collection counts as a null of the whole
  /// if a policy says so.
  private func rawValue(
    of job: ConvertedValue, _ before: TableReader, _ index: Int, _ scope: EvaluationScope,
    _ done: inout PlanReport.Operation
  ) throws -> Value {
    if let formula = job.formula {
      let value = try withNulls(of: plainValue(of: formula, scope), job)
      let fitted = try fit(value, to: job.target)
      if case .set(let kept) = fitted { done.dropped += (value.elements?.count ?? 0) - kept.count }
      return fitted
    }
    let writesJSON = job.conversion.options.writesJSON
    let value = try writesJSON ? textsOfMixed(before.view(index), job.conversion.source) : before.value(index)
    if value == .null, job.target.collection != nil, job.onNull != .propagate, job.onNull != .empty { return .null }
    let outcome = try job.conversion.convert(value, null: { try null(job) }) { error in
      guard job.target.collection != nil else { return nil }
      return try element(job, error, &done)
    }
    done.dropped += outcome.dropped
    return outcome.value
  }

  /// What happens to an element that is null.
  private func null(_ job: ConvertedValue) throws -> Value {
    switch job.onNull {
    case .delete: throw ValueError("an element is null", .deletesObject)
    case .fail: throw ValueError("an element is null", .nullElement)
    case .propagate where job.target.isOptional, .empty where job.target.isOptional: return .null
    case .default, .propagate, .empty: break
    }
    if let value = job.element { return value }
    if job.whole != nil { throw ValueError("an element is null", .defaultsWhole) }
    guard job.target.isOptional else {
      throw ValueError(
        "an element is null, but elements of the new type are required", advice: "give 'default'", .nullElement)
    }
    return .null
  }

  /// The result of a formula with its null elements as the policy has them.
  private func withNulls(of value: Value, _ job: ConvertedValue) throws -> Value {
    guard job.target.collection != nil else { return value }
    func element(_ value: Value) throws -> Value { value == .null ? try null(job) : value }
    switch value {
    case .list(let elements): return .list(try elements.map(element))
    case .set(let elements): return .set(try elements.map(element))
    case .dictionary(let entries): return .dictionary(try entries.mapValues(element))
    default: return value
    }
  }

  private func noted(
    _ value: Value, _ count: WritableKeyPath<PlanReport.Operation, Int>, _ done: inout PlanReport.Operation
  ) -> Value {
    done[keyPath: count] += 1
    return value
  }

  /// What happens to an element that cannot be converted.
  private func element(
    _ job: ConvertedValue, _ error: ValueError, _ done: inout PlanReport.Operation
  ) throws -> Value? {
    let replacement: Value? =
      switch job.onError {
      case .null where job.target.isOptional: .null
      case .default: job.element
      default: nil
      }
    if replacement != nil { done.failed += 1 }
    return replacement
  }

  /// A value with the JSON text of Mixed values that are not scalars.
  func textsOfMixed(_ view: ValueView, _ source: Property) throws -> Value {
    let walk = current.snapshot.collectionWalk()
    func element(_ view: ValueView) throws -> Value {
      switch view {
      case .list, .dictionary, .typedLink:
        do {
          return .string(RealmString(utf8: try ValueJSON(ofMixed: view, in: current.snapshot).text))
        } catch BuildError.valueTooLong {
          throw ValueError("its JSON text would be too long")
        }
      default: return try Value(view, walk)
      }
    }
    guard source.type == .mixed else { return try Value(view, walk) }
    guard source.collection != nil else { return try element(view) }
    switch view {
    case .list(let list):
      var elements: [Value] = []
      try list.forEach(walk, damaged: { throw $0 }) { elements.append(try element($0)) }
      return .list(elements)
    case .set(let set):
      var elements: [Value] = []
      try set.forEachOfSet(walk, damaged: { throw $0 }) { elements.append(try element($0)) }
      return .set(elements)
    case .dictionary(let dictionary):
      var entries: [RealmString: Value] = [:]
      try dictionary.forEach(walk, damaged: { throw $0 }) {
        entries[try RealmString(utf8: $0.copied())] = try element($1)
      }
      return .dictionary(entries)
    default: return try Value(view, walk)
    }
  }

  // MARK: Links

  private func primaryKey(of link: Value) throws -> Value? {
    guard case .link(let table, let key) = link.asPlainLink, let reader = current.snapshot.table(table),
      let property = reader.schema.primaryKeyIndex, let place = try reader.object(key)
    else { return nil }
    return try Value(place.batch.values(ofProperty: property).value(at: place.row), current.snapshot.collectionWalk())
  }

  /// What identifies the target of a link: its primary key, or the property that `match` names.
  private func matcher(of source: Property, _ action: PlanOperation.Convert) throws -> (Value) throws -> Value? {
    guard let match = action.match else { return primaryKey(of:) }
    if let name = source.target { _ = try property(match, of: transaction.table(name)) }
    return { [self] link in
      guard case .link(let table, let key) = link.asPlainLink, let reader = current.snapshot.table(table),
        let index = reader.schema.properties.firstIndex(where: { $0.name == match.value }),
        let place = try reader.object(key)
      else { return nil }
      return try Value(place.batch.values(ofProperty: index).value(at: place.row), current.snapshot.collectionWalk())
    }
  }

  /// Finds the object of the new target's class that a value names.
  private func finder(of target: Property, _ action: PlanOperation.Convert) throws -> (Value) throws -> Value? {
    guard target.type == .object, let name = target.target else { return { _ in nil } }
    let table = try transaction.table(name)
    if let match = action.match {
      let matching = try property(match, of: table)
      return try directory(of: matching, table)
    }
    guard let key = table.schema.primaryKey else {
      throw PlanError(
        "class '\(table.schema.displayName)' has no primary key to find objects by",
        advice: (run.options.origin.isCommandLine ? "in a plan (--plan), " : "") + "'match' names a property",
        at: action.target.location)
    }
    let conversion = ScalarConversion(type: key.type)
    let tableKey = table.key
    return { [self] value in
      // Editors are made again when the transaction is written out.
      guard let table = transaction.table(tableKey) else { return nil }
      return try table.find(primaryKey: conversion.convert(value)).map { .link(tableKey, $0) }
    }
  }

  /// The object of each value that only one object has. Null identifies none.
  private func directory(of property: Property, _ table: TableEditor) throws -> (Value) throws -> Value? {
    guard let reader = current.table(table.key), let index = reader.index(of: property.name) else {
      return { _ in nil }
    }
    var objects: [Value: ObjectKey] = [:]
    var ambiguous: Set<Value> = []
    try forEachObject(of: table.key) { scope, _ in
      let value = try reader.value(index)
      guard value != .null else { return }
      if objects.updateValue(scope.key, forKey: value) != nil { ambiguous.insert(value) }
    }
    let (found, repeated, key, className) = (objects, ambiguous, table.key, table.schema.displayName)
    return { value in
      guard !repeated.contains(value) else {
        throw ValueError("several objects of class '\(className)' have \(value.shown) as their '\(property.name)'")
      }
      return found[value].map { .link(key, $0) }
    }
  }
}

extension Value {
  /// An empty list or set with one element.
  fileprivate func with(_ element: Value) -> Value {
    switch self {
    case .list: .list([element])
    case .set: .set([element])
    default: self
    }
  }

  fileprivate var isCollection: Bool {
    switch self {
    case .list, .set, .dictionary: true
    default: false
    }
  }
}
