import RealmExchange
import RealmModels
import RealmStorage
import RealmText

/// Operations on classes as a whole.
extension PlanExecution {
  func addClass(_ action: PlanOperation.AddClass, _ done: inout PlanReport.Operation) throws {
    done.className = action.name.value
    let tableName = TableSchema.tableName(ofClass: action.name.value)
    let kind: TableKind = action.isEmbedded ? .embedded : .topLevel
    let isEarly = earlyClasses.remove(action.name.value) != nil
    if !isEarly, let existing = try? transaction.table(tableName) {
      guard action.skipsExisting else {
        throw PlanError("class '\(action.name.value)' already exists", at: action.name.location)
      }
      return try requireSame(existing, action, kind)
    }
    let table = try isEarly ? self.table(action.name) : transaction.addTable(tableName, kind)
    // The primary key comes first, as in the engine.
    let key = action.properties.first { $0.value.name == action.primaryKey?.value }
    for property in [key].compactMap({ $0 }) + action.properties.filter({ $0.value.name != key?.value.name }) {
      try ensureTarget(of: property)
      var added = property.value
      if added.name == key?.value.name { added.index = .none }
      try table.addProperty(added)
    }
    if let key { try table.setPrimaryKey(key.value.name) }
  }

  /// A class that is there must be the one that would be made.
  private func requireSame(_ table: TableEditor, _ action: PlanOperation.AddClass, _ kind: TableKind) throws {
    let wanted = TableSchema(
      name: table.name, kind: kind, properties: action.properties.map(\.value),
      primaryKeyIndex: action.properties.firstIndex { $0.value.name == action.primaryKey?.value })
    let difference = SchemaDifference(from: Schema(tables: [table.schema]), to: Schema(tables: [wanted]))
    guard let text = difference.changes.compactMap(\.text).first else { return }
    throw PlanError(
      "class '\(action.name.value)' already exists with another schema: \(text)", at: action.name.location)
  }

  /// Makes sure that the class is there that a property links to: one that a later operation of the step adds is made now.
  func ensureTarget(of property: Located<Property>) throws {
    guard let target = property.value.target else { return }
    if (try? transaction.table(target)) != nil { return }
    let name = TableSchema.displayName(ofTable: target)
    for operation in step.operations {
      guard case .addClass(let action) = operation.action, action.name.value == name else { continue }
      _ = try transaction.addTable(target, action.isEmbedded ? .embedded : .topLevel)
      earlyClasses.insert(name)
      return
    }
    throw PlanError(
      "'\(name)' is neither a type nor a class",
      advice: TypeVocabulary.type(
        meantBy: name.description, classes: transaction.schema.classes.map(\.displayName.description)
      ).map { "did you mean '\($0)'?" } ?? "realmctl-plan(5) lists the types",
      at: property.location)
  }

  func removeClass(
    _ name: PlanOperation.Name, clearsLinks: Bool, _ done: inout PlanReport.Operation
  ) throws {
    let table = try table(name)
    (done.className, done.objects, done.deleted) = (name.value, table.objectCount, table.objectCount)
    for origin in transaction.tables where origin.key != table.key {
      for property in origin.schema.properties where property.target == table.name {
        guard clearsLinks else { throw linked(name, table) }
        try origin.removeProperty(property.name)
      }
    }
    try transaction.removeTable(table.name)
  }

  /// The engine's words, and who links to it.
  private func linked(_ name: PlanOperation.Name, _ table: TableEditor) -> PlanError {
    let origins = transaction.tables.filter { $0.key != table.key }.flatMap { origin in
      origin.schema.properties.filter { $0.target == table.name }.map { "\(origin.schema.displayName).\($0.name)" }
    }
    let list = origins.prefix(20).joined(separator: ", ")
    return PlanError(
      "Cannot remove \(table.schema.displayName) that is target of outside links: \(list)",
      advice: run.options.origin.isCommandLine
        ? "use a plan with 'if_linked: clear' (--plan)" : "'if_linked: clear' removes these properties",
      at: name.location)
  }

  func renameClass(
    _ from: PlanOperation.Name, _ to: PlanOperation.Name, _ done: inout PlanReport.Operation
  ) throws {
    let table = try table(from)
    (done.className, done.objects) = (to.value, table.objectCount)
    let name = TableSchema.tableName(ofClass: to.value)
    guard from.value == to.value || (try? transaction.table(name)) == nil else {
      throw PlanError("class '\(to.value)' already exists", at: to.location)
    }
    if from.value != to.value { try transaction.renameTable(table.name, to: name) }
  }

  // MARK: Embedding

  func embedClass(_ action: PlanOperation.EmbedClass, _ done: inout PlanReport.Operation) throws {
    let table = try table(action.className)
    let name = action.className.value
    (done.className, done.objects) = (name, table.objectCount)
    guard table.schema.kind != .embedded else { return }
    guard table.schema.kind == .topLevel else {
      throw MigrationError.kindChange(className: name, from: table.schema.kind, to: .embedded)
    }
    if table.schema.primaryKeyIndex != nil {
      guard action.dropsPrimaryKey else {
        throw PlanError(
          "Cannot change '\(name)' to embedded when using a primary key",
          advice: "'drop_primary_key: true' makes it an ordinary property", at: action.className.location)
      }
      try table.setPrimaryKey(nil)
    }
    let conversion = EmbeddingConversion(table, in: transaction)
    let analysis = try conversion.analysis()
    if let obstacle = analysis.obstacle(under: action.policy) {
      var message = obstacle.text(className: name)
      if case .set = obstacle {} else { message += " (\(analysis.countText))" }
      throw PlanError(message, advice: Self.advice(obstacle), at: action.className.location)
    }
    let before = table.objectCount
    let converted = try conversion.convert(analysis)
    done.created = converted.copies
    done.deleted = before + converted.copies - table.objectCount
  }

  private static func advice(_ obstacle: EmbeddingObstacle) -> String? {
    switch obstacle {
    case .orphans: "'on_orphan: delete' deletes the objects without a parent"
    case .shared: "'on_shared: duplicate' gives each parent a copy"
    case .mixedLink, .set: nil
    }
  }

  func unembedClass(
    _ name: PlanOperation.Name, primaryKey: PlanOperation.Name?, _ done: inout PlanReport.Operation
  ) throws {
    let table = try table(name)
    (done.className, done.objects) = (name.value, table.objectCount)
    guard table.schema.kind == .embedded else {
      throw PlanError("class '\(name.value)' is not embedded", at: name.location)
    }
    try table.setKind(.topLevel)
    guard let primaryKey else { return }
    _ = try property(primaryKey, of: table)
    try table.setPrimaryKey(primaryKey.value)
    try transaction.requireUniqueKeys()
  }
}
