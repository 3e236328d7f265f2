import RealmStorage
import RealmText

/// Operations that make, delete and count objects, and move their values.
extension PlanExecution {
  func deleteObjects(_ action: PlanOperation.DeleteObjects, _ done: inout PlanReport.Operation) throws {
    let table = try table(action.className)
    (done.className, done.objects) = (action.className.value, table.objectCount)
    guard table.schema.kind != .embedded else {
      throw PlanError(
        "objects of the embedded class '\(action.className.value)' are deleted with their parents",
        advice: "set the property to null",
        at: action.className.location)
    }
    guard let before = current.table(table.key)?.table else { return }
    let keys = try query(action.filter, before)
    try require(action.expected, keys.count, at: action.filter.location)
    current.forgetPlaces()
    for key in keys.prefix(run.options.sampleCount) { noteEdited(key, in: table.key) }
    done.deleted = try delete(keys, of: table.key)
  }

  /// - Throws: `PlanError` if an operation is about another number of objects than it says.
  func require(_ expected: CountRange?, _ count: Int, at location: PlanLocation) throws {
    guard let expected, !expected.contains(count), !run.options.checksOnly else { return }
    throw PlanError(
      "\(count.counted("object matches", "objects match")), expected \(expected.text)", at: location)
  }

  func check(_ action: PlanOperation.Assertion, _ done: inout PlanReport.Operation) throws {
    let table = try table(action.className)
    done.className = action.className.value
    var count = table.objectCount
    if let filter = action.filter {
      count = try current.table(table.key).map { try query(filter, $0.table).count } ?? 0
    }
    done.objects = count
    guard !action.expected.contains(count), !run.options.checksOnly else { return }
    let found = "\(count.counted("object")) of class '\(action.className.value)'"
    throw PlanError(
      (action.message.map { $0 + ": " } ?? "") + "\(found), expected \(action.expected.text)",
      at: action.filter?.location ?? action.className.location)
  }

  func createObjects(_ action: PlanOperation.CreateObjects, _ done: inout PlanReport.Operation) throws {
    let table = try table(action.className)
    done.className = action.className.value
    guard table.schema.kind != .embedded else {
      throw PlanError(
        "'\(action.className.value)' is an embedded class",
        advice:
          "set its objects through a property of their parents\(isEdit ? ", with 'update'" : "")",
        at: action.className.location)
    }
    let scope = try EvaluationScope(table.key, old: stepStart, new: current, clock: clock)
    let isNumbered = isEdit && action.objects.count > 1
    var mistakes: [PlanError.Mistake] = []
    for (index, object) in action.objects.enumerated() {
      let key: ObjectKey
      do {
        key = try create(object, table, scope, number: isNumbered ? index + 1 : nil)
      } catch let error as PlanError where isNumbered {
        mistakes += error.mistakes(in: "object \(index + 1)")
        continue
      } catch {
        if let reference = action.reference { failedReferences.insert(reference.value) }
        throw error
      }
      done.created += 1
      noteEdited(key, in: table.key)
      if let reference = action.reference { references[reference.value] = (table.key, key) }
    }
    guard mistakes.isEmpty else { throw PlanError(mistakes) }
    done.objects = done.created
  }

  /// - Parameter number: of an object among several that are inserted by hand.
  /// - Throws: one `PlanError` that names all mistakes of an edit. If the primary key is right, the object is made all the
  ///   same, so that links to it, and other objects with its key, look as they would without its mistakes.
  private func create(
    _ object: Located<[PlanOperation.Assignment]>, _ table: TableEditor, _ scope: EvaluationScope, number: Int?
  ) throws -> ObjectKey {
    let primaryKey = table.schema.primaryKey
    var made: ObjectKey?
    // The object itself comes first.
    let parts = [nil] + object.value.filter { $0.property.value != primaryKey?.name }
    _ = try collectingMistakes(parts) { (assignment: PlanOperation.Assignment?) in
      guard let assignment else {
        made = try primaryKey.map { try create(object, $0, table, scope, number: number) } ?? table.create()
        return
      }
      let (property, bound) = try bind(assignment, of: table)
      guard let made else { return }
      try locatingErrors(of: property, at: assignment.value.location) {
        guard !bound.makesObjects else { return try makeObjects(bound, property, made, table, scope) }
        let value = try fittedValue(of: bound, property, scope)
        guard value != .null || property.isOptional else {
          throw PlanError.notNullable(property, at: assignment.value.location)
        }
        try table.set(property.name, of: made, to: value)
      }
    }
    guard let made else { throw PlanError("the object cannot be made", at: object.location) }
    return made
  }

  /// Makes an object that has only its primary key.
  private func create(
    _ object: Located<[PlanOperation.Assignment]>, _ primaryKey: Property, _ table: TableEditor,
    _ scope: EvaluationScope, number: Int?
  ) throws -> ObjectKey {
    guard let assignment = object.value.first(where: { $0.property.value == primaryKey.name }) else {
      throw PlanError(
        "the primary key '\(primaryKey.name)' is missing",
        advice: isEdit && number == nil ? "add \(primaryKey.name)=VALUE" : nil, at: object.location)
    }
    let (property, bound) = try bind(assignment, of: table)
    return try locatingErrors(of: property, at: assignment.value.location) {
      let value = try fittedValue(of: bound, property, scope)
      do {
        let key = try table.create(primaryKey: value, allowsDuplicates: !isEdit)
        if let number { insertedNumbers[key] = number }
        return key
      } catch let error as RealmError where error.cause as? EditError == .primaryKeyInUse(table: table.name, value) {
        if let first = try table.find(primaryKey: value).flatMap({ insertedNumbers[$0] }) {
          throw PlanError(
            "the primary key \(value.shown) is given twice, also for object \(first)", at: assignment.value.location)
        }
        throw PlanError(
          "'\(table.schema.displayName)' already has an object with the primary key \(value.shown)",
          advice: "use 'update' to change that object", at: assignment.value.location)
      }
    }
  }

  /// A property that an object gets, and its value.
  private func bind(
    _ assignment: PlanOperation.Assignment, of table: TableEditor
  ) throws -> (property: Property, bound: BoundValue) {
    let property = try property(assignment.property, of: table)
    if case .copy(let name) = assignment.value {
      throw PlanError("no object to copy '\(name.value)' from", at: name.location)
    }
    return (property, try bind(assignment.value, for: property, of: table))
  }

  /// Turns what is wrong with one value into a mistake of the plan.
  private func locatingErrors<Result>(
    of property: Property, at location: PlanLocation, _ body: () throws -> Result
  ) throws -> Result {
    do { return try RealmError.uncovering(body) } catch let error as ValueError {
      throw PlanError(error.fact, advice: error.advice, at: location)
    } catch BuildError.wrongType {
      throw PlanError(Self.refusal(of: property), at: location)
    } catch let error as any ChangeRefusal {
      throw PlanError("\(error)", advice: Self.advice(on: error), at: location)
    }
  }

  private static func refusal(of property: Property) -> String {
    property.collection == .set && property.type == .mixed
      ? "'\(property.name)' is a set, which cannot contain lists and dictionaries"
      : "the value does not fit '\(property.name)', whose type is \(property.planType)"
  }

  // MARK: Moving

  /// Moves a property along a link, in either direction: to the link's target, which is created if missing, or from it.
  ///
  /// The only values lost are those of objects that nothing links to, and those that the target already had.
  func moveProperty(_ action: PlanOperation.MoveProperty, _ done: inout PlanReport.Operation) throws {
    let (from, to) = (try table(action.source.className), try table(action.target.className))
    (done.className, done.property) = (action.target.className.value, action.target.property.value)
    let source = try property(action.source.property, of: from)
    let splits = from.schema.property(named: action.link.value)?.target == to.name
    let merges = to.schema.property(named: action.link.value)?.target == from.name
    let owner = splits ? from : to
    let link = splits || merges ? owner.schema.property(named: action.link.value) : nil
    if let link, let collection = link.collection {
      throw PlanError(
        "'via' takes a single link, and '\(link.name)' is a \(collection)", at: action.link.location)
    }
    guard let link else {
      throw PlanError(
        "'via' takes a property that links '\(action.source.className.value)' to '\(action.target.className.value)' or back, "
          + "without its class, not '\(action.link.value)'", at: action.link.location)
    }
    guard source.name != from.schema.primaryKey?.name else {
      throw PlanError("'\(source.name)' is the primary key, which is not moved", at: action.source.property.location)
    }
    guard from.key != to.key || source.name != action.target.property.value else {
      throw PlanError("'from' and 'to' are the same property", at: action.target.property.location)
    }
    let isNew = try prepareTarget(of: source, to, action)
    done.objects = owner.objectCount
    let moved =
      if splits {
        try split(source, from, to, link, action, &done)
      } else {
        try merge(source, from, to, link, action, &done)
      }
    if !splits, isNew {
      let rest = done.objects - done.computed - done.null
      if source.isOptional, source.collection == nil { done.null += rest } else { done.defaulted = rest }
    }
    try transaction.table(from.key)?.removeProperty(source.name, movedFrom: moved)
  }

  /// The property that receives the values, created if missing.
  ///
  /// - Returns: whether it was created.
  private func prepareTarget(
    of source: Property, _ table: TableEditor, _ action: PlanOperation.MoveProperty
  ) throws -> Bool {
    if let existing = table.schema.property(named: action.target.property.value) {
      guard existing.isSameType(as: source), existing.isOptional || !source.isOptional else {
        let (sourceType, targetType) = (source.planType, existing.planType + (existing.isOptional ? "?" : ""))
        throw PlanError(
          "values of '\(action.source.path)' (\(sourceType)\(source.isOptional ? "?" : "")) do not fit "
            + "'\(action.target.path)' (\(targetType))",
          advice: existing.isSameType(as: source)
            ? "make '\(action.target.path)' optional first" : "convert one of them first",
          at: action.target.property.location)
      }
      return false
    }
    var property = source
    property.name = action.target.property.value
    try table.addProperty(property)
    return true
  }

  /// - Returns: the objects of the source's class whose values are not lost with it.
  private func split(
    _ source: Property, _ from: TableEditor, _ to: TableEditor, _ link: Property, _ action: PlanOperation.MoveProperty,
    _ done: inout PlanReport.Operation
  ) throws -> Set<ObjectKey> {
    guard let reader = current.table(from.key), let valueIndex = reader.index(of: source.name),
      let linkIndex = reader.index(of: link.name)
    else { return [] }
    let (toKey, isEmbedded) = (to.key, to.schema.kind == .embedded)
    guard isEmbedded || to.schema.primaryKeyIndex == nil else {
      throw PlanError(
        "class '\(to.schema.displayName)' has a primary key, so its objects cannot be made by moving a property",
        at: action.target.className.location)
    }
    var (failures, report) = (ValueFailures(), done)
    var owners: [ObjectKey: ObjectKey] = [:]
    var moved: Set<ObjectKey> = []
    try forEachObject(of: from.key) { scope, table in
      let value = try reader.value(valueIndex)
      guard let target = transaction.table(toKey) else { return }
      let object: ObjectKey
      if case .link(_, let key) = try reader.value(linkIndex) {
        if let other = owners[key] {
          return failures.add(
            ValueError("has the same '\(link.name)' as object \(other.rawValue)"), of: scope)
        }
        (object, owners[key]) = (key, scope.key)
      } else if isEmbedded {
        object = try table.createEmbedded(in: link.name, of: scope.key)
        report.created += 1
      } else {
        object = try target.create()
        try table.set(link.name, of: scope.key, to: .link(toKey, object))
        report.created += 1
      }
      try target.set(action.target.property.value, of: object, to: value)
      if value == .null { report.null += 1 } else { report.computed += 1 }
      moved.insert(scope.key)
      // In a class that links to itself, objects created for the values have no value of their own.
      if toKey == from.key, owners[object] == nil { moved.insert(object) }
    }
    done = report
    guard failures.count == 0 else { throw failures.error(of: done.objects) }
    return moved
  }

  /// - Returns: the objects of the source's class whose values are not lost with it.
  private func merge(
    _ source: Property, _ from: TableEditor, _ to: TableEditor, _ link: Property, _ action: PlanOperation.MoveProperty,
    _ done: inout PlanReport.Operation
  ) throws -> Set<ObjectKey> {
    guard let reader = current.table(to.key), let linkIndex = reader.index(of: link.name),
      let origin = current.snapshot.table(from.key),
      let index = origin.schema.properties.firstIndex(where: { $0.name == source.name })
    else { return [] }
    var (report, moved) = (done, Set<ObjectKey>())
    try forEachObject(of: to.key) { scope, table in
      guard case .link(_, let key) = try reader.value(linkIndex), let place = try origin.object(key) else { return }
      let walk = current.snapshot.collectionWalk()
      let value = try Value(place.batch.values(ofProperty: index).value(at: place.row), walk)
      try table.set(action.target.property.value, of: scope.key, to: value)
      if value == .null { report.null += 1 } else { report.computed += 1 }
      moved.insert(key)
    }
    done = report
    return moved
  }
}
