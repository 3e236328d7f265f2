import RealmStorage
import RealmText

/// Operations on properties that convert nothing.
extension PlanExecution {
  func removeProperty(_ name: PlanOperation.PropertyName, _ done: inout PlanReport.Operation) throws {
    let table = try table(name.className)
    let property = try property(name.property, of: table)
    (done.className, done.property, done.objects) = (name.className.value, property.name, table.objectCount)
    try table.removeProperty(property.name)
  }

  /// The texts are the SDKs'.
  func renameProperty(_ action: PlanOperation.RenameProperty, _ done: inout PlanReport.Operation) throws {
    let (source, new) = (action.source, action.newName)
    (done.className, done.property) = (source.className.value, new.value)
    guard let table = try? self.table(source.className) else {
      throw noClass(source.className, RenameError.noSuchClass(source.className.value).text)
    }
    done.objects = table.objectCount
    guard let property = table.schema.property(named: source.property.value) else {
      throw PlanError(
        RenameError.noSuchProperty(source.path).text, unknown: source.property.value.description, .properties,
        among: table.schema.properties.map(\.name), at: source.property.location)
    }
    guard new.value == property.name || table.schema.property(named: new.value) == nil else {
      throw PlanError(
        "Cannot rename property '\(source.path)' to '\(new.value)' because class '\(source.className.value)' has a "
          + "property of that name", at: new.location)
    }
    if property.isOptional, action.isOptional == false, property.type != .object, property.type != .mixed {
      throw PlanError(
        RenameError.optionalToRequired(source.path, to: new.value).text,
        advice: "use 'make_required' to replace null", at: new.location)
    }
    try table.renameProperty(property.name, to: new.value)
    if action.isOptional == true, !property.isOptional { try makeOptional(new, of: table, property) }
    if let index = action.index { try setIndex(new, index, of: table) }
  }

  func removeIndex(_ name: PlanOperation.PropertyName, _ done: inout PlanReport.Operation) throws {
    let table = try table(name.className)
    guard table.schema.primaryKey?.name != name.property.value else {
      throw PlanError(
        "'\(name.path)' is the primary key, which always has an index",
        advice: "'set_primary_key' with 'name: null' makes it an ordinary property", at: name.property.location)
    }
    try setIndex(name, Located(.none, at: name.property.location), &done)
  }

  func makeOptional(_ name: PlanOperation.PropertyName, _ done: inout PlanReport.Operation) throws {
    let table = try table(name.className)
    let property = try property(name.property, of: table)
    (done.className, done.property, done.objects) = (name.className.value, property.name, table.objectCount)
    if !property.isOptional { try makeOptional(name.property, of: table, property) }
  }

  private func makeOptional(_ name: PlanOperation.Name, of table: TableEditor, _ property: Property) throws {
    guard property.type != .object else {
      throw PlanError(
        "Property '\(table.schema.displayName).\(name.value)' of type '\(property.shortTypeText)' cannot be nullable.",
        at: name.location)
    }
    try table.setOptional(name.value, true)
  }

  func setIndex(
    _ name: PlanOperation.PropertyName, _ kind: Located<IndexKind>, _ done: inout PlanReport.Operation
  ) throws {
    let table = try table(name.className)
    let property = try property(name.property, of: table)
    (done.className, done.property, done.objects) = (name.className.value, property.name, table.objectCount)
    try setIndex(name.property, kind, of: table)
  }

  private func setIndex(
    _ name: PlanOperation.Name, _ kind: Located<IndexKind>, of table: TableEditor
  ) throws {
    var property = try property(name, of: table)
    property.index = kind.value
    guard property.allows(property.index) else {
      throw PlanError([PlanError.Mistake(cannotIndex: property, at: kind.location)])
    }
    try table.setIndex(name.value, kind.value)
  }

  // MARK: Primary keys

  func setPrimaryKey(_ action: PlanOperation.SetPrimaryKey, _ done: inout PlanReport.Operation) throws {
    let table = try table(action.className)
    (done.className, done.property, done.objects) = (action.className.value, action.property?.value, table.objectCount)
    guard let name = action.property else { return try table.setPrimaryKey(nil) }
    let property = try property(name, of: table)
    guard table.schema.kind != .embedded else {
      throw PlanError(
        "Embedded object type '\(action.className.value)' cannot have a primary key.", at: action.className.location)
    }
    guard property.canBePrimaryKey else {
      throw PlanError(
        "Property '\(action.className.value).\(name.value)' of type '\(property.shortTypeText)' cannot be made the "
          + "primary key.", at: name.location)
    }
    if action.onDuplicate != .fail {
      try table.setPrimaryKey(nil)
      done.deleted = try removeDuplicates(of: property, table, action)
    }
    if property.index == .fullText { try table.setIndex(name.value, .none) }
    try table.setPrimaryKey(name.value)
    do { try transaction.requireUniqueKeys() } catch let error as MigrationError {
      throw PlanError(
        error.text, advice: "'on_duplicate: keep_first' or 'keep_last' deletes the others", at: name.location)
    }
  }

  /// Deletes all objects of one value but one.
  ///
  /// - Returns: how many.
  private func removeDuplicates(
    of property: Property, _ table: TableEditor, _ action: PlanOperation.SetPrimaryKey
  ) throws -> Int {
    guard let before = current.table(table.key), let index = before.index(of: property.name) else { return 0 }
    var kept: [Value: ObjectKey] = [:]
    var others: [(key: ObjectKey, value: Value)] = []
    try forEachObject(of: table.key) { scope, _ in
      let value = try before.value(index)
      if let first = kept[value] {
        others.append((action.onDuplicate == .keepFirst ? scope.key : first, value))
        if action.onDuplicate == .keepFirst { return }
      }
      kept[value] = scope.key
    }
    if action.repoints {
      let targets = Dictionary(
        others.compactMap { other in kept[other.value].map { (other.key, $0) } }, uniquingKeysWith: { _, last in last })
      try repoint(targets, table)
    }
    return try table.delete(others.map(\.key))
  }

  /// Redirects all links to some objects to others. Each value is written once, however many of its links change.
  private func repoint(_ targets: [ObjectKey: ObjectKey], _ table: TableEditor) throws {
    struct Place: Hashable {
      let table: TableKey
      let property: RealmString
    }
    var places: [Place: Set<ObjectKey>] = [:]
    for key in targets.keys.sorted() {
      for (origin, property, keys) in try table.backlinks(of: key) {
        places[Place(table: origin, property: property), default: []].formUnion(keys)
      }
    }
    // The same order every time.
    let sorted = places.sorted {
      ($0.key.table.rawValue, $0.key.property) < ($1.key.table.rawValue, $1.key.property)
    }
    for (place, origins) in sorted {
      guard let editor = transaction.table(place.table) else { continue }
      for object in origins.sorted() {
        let value = try editor.value(place.property, of: object).replacingLinks {
          $0 == table.key ? targets[$1] : nil
        }
        // A set has each link once.
        guard case .set(let elements) = value else {
          try editor.set(place.property, of: object, to: value)
          continue
        }
        var seen: Set<Value> = []
        try editor.set(place.property, of: object, to: .set(elements.filter { seen.insert($0).inserted }))
      }
    }
  }
}
