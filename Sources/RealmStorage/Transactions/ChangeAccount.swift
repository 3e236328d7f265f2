/// Counts what a transaction destroys and creates, where it happens, for every kind of change. Reports and permissions
/// are based on these counts.
///
/// Values that only change their form, such as those of a property that becomes optional, are not destroyed. Internal
/// tables do not count.
final class ChangeAccount {
  private var counts = ChangeCounts()
  /// Tallies that are not empty.
  private var tallies: [ColumnTally] = []
  /// Whether a value was ever freed, since the transaction began.
  private(set) var hasFreedValues = false
  /// Columns that the transaction has added: nobody misses what is in them before a value is set.
  private var added: Set<ColumnPlace> = []
  /// Whether objects are copied to replace others: nothing is lost with these.
  private(set) var isCopying = false
  /// Elements of collections and incoming links that changes had to visit. Used to measure how work grows.
  private(set) var work = 0

  // MARK: Reading

  /// What was counted since the last time.
  func take() -> ChangeCounts {
    for tally in tallies { tally.move(to: &counts) }
    tallies.removeAll(keepingCapacity: true)
    defer { counts = ChangeCounts() }
    return counts
  }

  /// Runs a change that copies objects and deletes the originals.
  func copying<Result>(_ body: () throws -> Result) rethrows -> Result {
    let before = isCopying
    isCopying = true
    defer { isCopying = before }
    return try body()
  }

  func note(work: Int) { self.work &+= work }

  // MARK: Objects

  func noteCreated(in table: TableEditor) {
    change(table) { if isCopying { $0.copied += 1 } else { $0.created += 1 } }
  }

  func noteDeleted(in table: TableEditor) {
    guard !isCopying, table.isClass else { return }
    (hasFreedValues, counts.freesValues) = (true, true)
    change(table) { $0.deleted += 1 }
  }

  /// - Parameter objectCount: of the table when it was removed.
  func noteRemoved(_ table: TableEditor, objectCount: Int) { change(table) { $0.removedWith = objectCount } }

  private func change(_ table: TableEditor, _ body: (inout ChangeCounts.Objects) -> Void) {
    guard table.isClass else { return }
    body(&counts.tables[table.key, default: ChangeCounts.Objects(tableName: table.name)])
  }

  // MARK: Properties

  func noteAdded(_ column: EditedColumn, to table: TableEditor) {
    added.insert(ColumnPlace(table: table.key, column: column.key))
  }

  func isNew(_ column: EditedColumn, of table: TableEditor) -> Bool {
    !added.isEmpty && added.contains(ColumnPlace(table: table.key, column: column.key))
  }

  /// A property is removed.
  ///
  /// - Parameters:
  ///   - objectCount: objects that have it, except for those whose values live on elsewhere.
  ///   - valueCount: how many of them have a value.
  func noteRemoved(_ column: EditedColumn, of table: TableEditor, objectCount: Int, valueCount: Int) {
    guard table.isClass, objectCount > 0, valueCount > 0 || !isNew(column, of: table) else { return }
    (hasFreedValues, counts.freesValues) = (true, true)
    counts.change(table.key, table.name, column.name) { $0.removed = .init(objects: objectCount, values: valueCount) }
  }

  /// A value that was neither null nor the default is gone.
  func noteOverwritten(_ column: EditedColumn, of table: TableEditor) {
    guard table.isClass else { return }
    (hasFreedValues, counts.freesValues) = (true, true)
    tally(of: column, table).overwritten += 1
  }

  /// A default that was stored in the file is gone: it can still be found in free space.
  func noteFreedDefault(in table: TableEditor) {
    if table.isClass { (hasFreedValues, counts.freesValues) = (true, true) }
  }

  /// Links were deleted with their targets.
  func noteCutLinks(_ count: Int, _ column: EditedColumn, of table: TableEditor) {
    guard table.isClass else { return }
    (hasFreedValues, counts.freesValues) = (true, true)
    tally(of: column, table).cutLinks += count
  }

  private func tally(of column: EditedColumn, _ table: TableEditor) -> ColumnTally {
    let tally = column.tally ?? ColumnTally(table.key)
    column.tally = tally
    if tally.isEmpty {
      (tally.tableName, tally.property) = (table.name, column.name)
      tallies.append(tally)
    }
    return tally
  }

  private struct ColumnPlace: Hashable {
    let table: TableKey
    let column: ColumnKey
  }
}

/// The counts of one column, at hand where its values are.
final class ColumnTally {
  private let table: TableKey
  fileprivate var tableName: RealmString = ""
  fileprivate var property: RealmString = ""
  fileprivate var overwritten = 0
  fileprivate var cutLinks = 0

  fileprivate init(_ table: TableKey) { self.table = table }

  fileprivate var isEmpty: Bool { overwritten == 0 && cutLinks == 0 }

  fileprivate func move(to counts: inout ChangeCounts) {
    counts.change(table, tableName, property) { (change: inout ChangeCounts.Property) in
      change.overwritten += overwritten
      change.cutLinks += cutLinks
    }
    (overwritten, cutLinks) = (0, 0)
  }
}

/// What a part of a transaction destroyed and created.
package struct ChangeCounts: Hashable, Sendable {
  /// What happened to the values of one property, by the names that class and property had then.
  package struct Property: Hashable, Sendable {
    package struct Removed: Hashable, Sendable {
      /// Objects that had the property.
      package var objects: Int
      /// Those of them whose value was neither null nor the property's default; for collections, those with elements.
      package var values: Int
    }

    package let table: TableKey
    package let tableName: RealmString
    package let property: RealmString
    /// Nil unless the property was removed.
    package var removed: Removed?
    /// Values that were replaced, and elements removed from their collections: the number of objects that had them.
    package var overwritten = 0
    /// Links that were deleted with their targets, and not with the objects that had them.
    package var cutLinks = 0
  }

  /// What happened to the objects of one table.
  package struct Objects: Hashable, Sendable {
    package let tableName: RealmString
    package var created = 0
    package var deleted = 0
    /// Copies that replaced objects with several parents.
    package var copied = 0
    /// How many objects there were when the table was removed; nil unless it was.
    package var removedWith: Int?
  }

  /// In the order in which something first happened to them.
  package private(set) var properties: [Property] = []
  private var positions: [Key: Int] = [:]
  package fileprivate(set) var tables: [TableKey: Objects] = [:]
  /// Whether values that exist nowhere else are now in free space, or would be.
  package fileprivate(set) var freesValues = false

  private struct Key: Hashable {
    let table: TableKey
    let property: RealmString
    let tableName: RealmString
  }

  package init() {}

  fileprivate mutating func change(
    _ table: TableKey, _ tableName: RealmString, _ property: RealmString, _ body: (inout Property) -> Void
  ) {
    let key = Key(table: table, property: property, tableName: tableName)
    let position = positions[key] ?? properties.count
    if position == properties.count {
      properties.append(Property(table: table, tableName: tableName, property: property))
      positions[key] = position
    }
    body(&properties[position])
  }

  /// Adds what happened afterwards.
  package mutating func add(_ later: ChangeCounts) {
    freesValues = freesValues || later.freesValues
    for other in later.properties {
      change(other.table, other.tableName, other.property) { property in
        if let removed = other.removed {
          property.removed = .init(
            objects: (property.removed?.objects ?? 0) + removed.objects,
            values: (property.removed?.values ?? 0) + removed.values)
        }
        property.overwritten += other.overwritten
        property.cutLinks += other.cutLinks
      }
    }
    for (key, other) in later.tables {
      var table = tables[key] ?? Objects(tableName: other.tableName)
      table.created += other.created
      table.deleted += other.deleted
      table.copied += other.copied
      table.removedWith = other.removedWith ?? table.removedWith
      tables[key] = table
    }
  }
}
