/// Changes a realm to another schema in one write transaction, as the SDKs do when they open it
/// (Docs/Format/3-tables-and-objects.md §8.12).
///
/// ```swift
/// let update = SchemaUpdate(to: target, version: 2, policy: MigrationPolicy())
/// let outcome = try update.run(in: RealmFile("app.realm", key: nil))
/// ```
///
/// `OpeningPlan` decides whether an app may make the changes at the version it has.
package struct SchemaUpdate {
  /// Nil to stay with the schema that the script leaves.
  package let target: Schema?
  /// Nil to stay with the version that the realm has, or to have none.
  package let version: UInt64?
  package let policy: MigrationPolicy
  package let function: MigrationFunction?
  package let script: MigrationScript?
  /// What existing objects get for properties that are added; others get the default of their type.
  package var defaults: [PropertyPath: Value] = [:]

  /// - Parameters:
  ///   - function: called only if the stored version is lower.
  ///   - script: run first if it has anything to do; last if it only changes objects.
  package init(
    to target: Schema?, version: UInt64?, policy: MigrationPolicy, function: MigrationFunction? = nil,
    script: MigrationScript? = nil
  ) {
    (self.target, self.version, self.policy) = (target, version, policy)
    (self.function, self.script) = (function, script)
  }

  /// Makes the changes and commits them. If something stops it, the realm stays as it was.
  ///
  /// - Throws: `MigrationError`; what the function throws; `StorageError`, `BuildError`, `OutputError`.
  package func run(in file: RealmFile) throws -> MigrationOutcome {
    let transaction = try WriteTransaction(file)
    do {
      let outcome = try apply(to: transaction)
      try transaction.commit()
      return outcome
    } catch {
      transaction.rollBack()
      throw error
    }
  }

  /// Makes the changes, without committing them.
  package func apply(to transaction: WriteTransaction) throws -> MigrationOutcome {
    try RealmError.uncovering { try run(transaction) }
  }

  private func run(_ transaction: WriteTransaction) throws -> MigrationOutcome {
    let live = transaction.base
    var done = MigrationScript.Outcome()
    if let script, !script.editsObjects, try script.isWanted(live.schema.version) {
      done = try script.run(transaction)
      // What is compared with a target is read again.
      if target != nil { try transaction.spill() }
    }
    let stored = transaction.schema
    let target = target ?? stored
    var work = SchemaUpdateWork(self, to: target, transaction, live)
    let plan = SchemaSteps(from: stored, to: target)
    if let function, let version, let old = stored.version, old < version {
      try work.perform(plan.before)
      try work.call(function)
    } else {
      let preview = try self.target.map { try MigrationPreview(of: transaction.base, to: $0) }
      let notAllowed = done.notAllowed + (preview?.lost ?? [])
      guard notAllowed.isEmpty || policy.allowsDataLoss else {
        if let error = transaction.undoneRename(since: live, by: preview?.lost ?? []) { throw error }
        throw MigrationError.wouldLoseData(notAllowed)
      }
      try preview?.check(policy)
      try work.perform(plan.steps)
      try transaction.requireUniqueKeys()
    }
    if let version, stored.version != version { try transaction.setSchemaVersion(version) }
    let own = transaction.takeCounts()
    if let script, script.editsObjects { done = try script.run(transaction) }
    // The losses must be those found beforehand, otherwise nothing is done.
    guard policy.allowsDataLoss || own.lost.isEmpty || work.hasCalledFunction else {
      throw MigrationError.wouldLoseData(own.lost)
    }
    work.report(done, own)
    return work.outcome
  }
}

extension WriteTransaction {
  /// What has another name than in a snapshot: classes, then properties, in the order of the file.
  fileprivate func renames(since old: Snapshot) -> [SchemaRename] {
    var (classes, properties): ([SchemaRename], [SchemaRename]) = ([], [])
    for table in old.tables where table.schema.isClass {
      guard let now = self.table(table.key) else { continue }
      let name = TableSchema.displayName(ofTable: now.name)
      if now.name != table.schema.name { classes.append(.renamedClass(from: table.schema.displayName, to: name)) }
      var current: [ColumnKey: RealmString] = [:]
      for column in now.columns.all { current[origin(of: column.key, in: table.key)] = column.column.name }
      for column in table.columns {
        guard let renamed = current[column.key], renamed != column.name else { continue }
        properties.append(.property(className: name, from: column.name, to: renamed))
      }
    }
    return classes + properties
  }

  /// A script has renamed a property, and the target has the old name and not the new one.
  fileprivate func undoneRename(since old: Snapshot, by lost: [LostValues]) -> MigrationError? {
    for case .property(let name, let from, let to) in renames(since: old)
    where lost.contains(where: { $0.className == name && $0.property == to && $0.renamed == from }) {
      return .rename(.sourceStillExists(PropertyPath(className: name, property: from), to: to))
    }
    return nil
  }

  /// Checks all primary keys that may have changed.
  ///
  /// - Throws: `MigrationError.duplicatePrimaryKey`; `StorageError`.
  package func requireUniqueKeys() throws {
    guard let table = try tableWithEqualKeys(), let key = table.schema.primaryKey else { return }
    throw MigrationError.duplicatePrimaryKey(
      PropertyPath(className: table.schema.displayName, property: key.name))
  }
}

/// An update of a schema on its way.
private struct SchemaUpdateWork {
  let update: SchemaUpdate
  private let target: Schema
  let transaction: WriteTransaction
  /// Before the transaction.
  private let live: Snapshot
  var outcome: MigrationOutcome
  private(set) var hasCalledFunction = false

  init(_ update: SchemaUpdate, to target: Schema, _ transaction: WriteTransaction, _ live: Snapshot) {
    (self.update, self.target, self.transaction, self.live) = (update, target, transaction, live)
    let stored = live.schema
    outcome = MigrationOutcome(
      from: stored.version, to: update.version ?? stored.version ?? 0,
      difference: SchemaDifference(from: stored, to: target))
  }

  // MARK: - The caller's function

  mutating func call(_ function: MigrationFunction) throws {
    // The function may write intermediate states.
    let stored = transaction.base.schema.classesByName
    hasCalledFunction = true
    try function(Migration(transaction, target: target))
    // The function may have renamed properties and removed classes.
    let current = transaction.schema
    let rest = SchemaSteps(from: current, to: target)
    for case .removeProperty(let name, let property) in rest.steps
    where stored[name]?.property(named: property.name) == nil {
      throw MigrationError.renamedPropertyMissing(PropertyPath(className: name, property: property.name))
    }
    try perform(rest.steps)
    try transaction.requireUniqueKeys()
  }

  // MARK: - Steps

  mutating func perform(_ steps: [MigrationStep]) throws {
    for step in steps {
      do { try RealmError.uncovering { try perform(step) } } catch let error as any ChangeRefusal {
        throw MigrationError.notPossible(step, "\(error)")
      }
    }
  }

  private mutating func perform(_ step: MigrationStep) throws {
    if case .createClass(let schema) = step {
      try create(schema)
      return outcome.steps.append(StepOutcome(step, objectCount: 0))
    }
    let table = try transaction.table(TableSchema.tableName(ofClass: step.className))
    let given = step.added.flatMap { update.defaults[PropertyPath(className: step.className, property: $0.name)] }
    outcome.steps.append(StepOutcome(step, objectCount: table.objectCount, givenDefault: given))
    switch step {
    case .createClass: break
    case .addInitialProperties(let schema):
      for property in schema.properties where !property.isComputed && property.name != schema.primaryKey?.name {
        try add(property, to: table)
      }
    case .addProperty(_, let property): try add(property, to: table)
    case .replaceProperty(_, let old, let new):
      try table.removeProperty(old.name)
      try add(new, to: table)
    case .makeOptional(_, let property): try table.setOptional(property.name, true)
    case .addIndex(_, let property, let kind): try table.setIndex(property, kind)
    case .removeIndex(_, let property): try table.setIndex(property, .none)
    case .clearPrimaryKey: try table.setPrimaryKey(nil)
    case .removeProperty(_, let property): try table.removeProperty(property.name)
    case .setPrimaryKey(_, let property):
      try table.setPrimaryKey(property)
      try transaction.requireUniqueKeys()
    case .changeKind(_, let old, let new): try change(table, from: old, to: new)
    }
  }

  private func create(_ schema: TableSchema) throws {
    try schema.name.requireName()
    let table = try transaction.addTable(schema.name, schema.kind)
    guard var key = schema.primaryKey else { return }
    key.index = .none
    try table.addProperty(key)
    try table.setPrimaryKey(key.name)
  }

  /// Kinds of classes change last, and links that only the new kind can have are added before.
  private func add(_ property: Property, to table: TableEditor) throws {
    let path = PropertyPath(className: table.schema.displayName, property: property.name)
    try property.name.requireName()
    if let value = update.defaults[path] { return try table.addProperty(property, filledWith: value) }
    guard property.collection == .set, let name = property.target.map(TableSchema.displayName) else {
      return try table.addProperty(property)
    }
    try table.addProperty(property, targetBecomes: target.classNamed(name)?.kind)
  }

  private mutating func change(_ table: TableEditor, from old: TableKind, to new: TableKind) throws {
    let name = table.schema.displayName
    guard old != .asymmetric, new != .asymmetric else {
      throw MigrationError.kindChange(className: name, from: old, to: new)
    }
    guard new == .embedded else { return try table.setKind(new) }
    let conversion = EmbeddingConversion(table, in: transaction)
    let analysis = try conversion.analysis()
    if let obstacle = analysis.obstacle(under: update.policy.embedding) {
      throw MigrationError.embedding(obstacle, analysis)
    }
    try conversion.convert(analysis)
  }

  // MARK: - Account

  /// - Parameters:
  ///   - done: by a script before.
  ///   - own: what was counted since.
  mutating func report(_ done: MigrationScript.Outcome, _ own: ChangeCounts) {
    outcome.difference = SchemaDifference(from: live.schema, to: target, after: transaction.renames(since: live))
    // A function may have moved values elsewhere before their property was removed.
    outcome.lost = done.lost + own.lost.filter { !hasCalledFunction || $0.cause != .removed || $0.nonDefaultCount > 0 }
    outcome.overwritten = done.overwritten
    outcome.overwritten.add(own.overwritten)
    var all = done.counts
    all.add(own)
    outcome.removesValues = all.freesValues
    for (key, objects) in all.tables {
      // A class may have another name since.
      let name = TableSchema.displayName(ofTable: transaction.table(key)?.name ?? objects.tableName)
      func add(_ count: Int, to counts: inout [RealmString: Int]) {
        if count > 0 { counts[name, default: 0] += count }
      }
      add(objects.created, to: &outcome.created)
      add(objects.deleted, to: &outcome.deleted)
      add(objects.copied, to: &outcome.duplicated)
    }
  }
}
