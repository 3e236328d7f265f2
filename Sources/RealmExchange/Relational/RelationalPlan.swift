import RealmModels
import RealmStorage
import RealmSystem
import RealmText

/// What an export in the relational form writes: the tables of a snapshot, and the SQLite tables for them.
package struct RelationalPlan: Sendable {
  package let relational: RelationalSchema
  /// The tables with rows, in the order of `relational.classes`.
  package let tables: [Table]
  /// The schema of the whole realm.
  let whole: Schema
  /// The objects of the only class that was asked for; nil for all.
  let keys: [ObjectKey]?
  /// Whether embedded objects are written only if other exported objects contain them.
  let isPart: Bool
  /// The requested tables, without those that are exported along with them.
  private let chosen: Set<TableKey>
  private let positions: [TableKey: Int]

  /// - Parameters:
  ///   - options: its tables and keys; the embedded classes that these need are added.
  ///   - isWhole: whether the whole realm is exported, including embedded classes that nothing links to.
  /// - Throws: `DatabaseError.tooWide`.
  package init(
    _ snapshot: Snapshot, options: ExportOptions, dates: RelationalSchema.DateForm, isWhole: Bool
  ) throws(DatabaseError) {
    let whole = snapshot.schema
    let needed = whole.addingEmbedded(to: Set(options.tables.map(\.schema.name)))
    let chosen = Set(options.tables.map(\.key))
    self.chosen = chosen
    let all = snapshot.tables.filter {
      chosen.contains($0.key) || $0.schema.kind == .embedded && (isWhole || needed.contains($0.schema.name))
    }
    let classes = all.filter(\.schema.isClass).sorted { $0.schema.name < $1.schema.name }
    let others = all.filter { !$0.schema.isClass }.sorted { $0.schema.name < $1.schema.name }
    tables = classes + others
    keys = options.keys
    isPart = !isWhole
    self.whole = whole
    relational = RelationalSchema(
      tables.map(\.schema), in: whole, dates: dates,
      parts: keys == nil ? [] : Set(options.tables.map(\.schema.name)))
    positions = Dictionary(zip(tables.map(\.key), tables.indices)) { first, _ in first }
    if let table = relational.firstTooWide { throw .tooWide(table) }
  }

  func position(of table: TableKey) -> Int? { positions[table] }

  /// The tables whose objects are written in order; embedded objects of other tables are written when found.
  var leadingTables: [Table] {
    isPart ? tables.filter { $0.schema.kind != .embedded || chosen.contains($0.key) } : tables
  }

  /// Whether objects of a table are written when others contain them.
  func isReached(_ table: Table) -> Bool {
    isPart && table.schema.kind == .embedded && (!chosen.contains(table.key) || keys != nil)
  }

  /// Of the tables in reach, those that are written without being reached.
  func makeReach() -> EmbeddedReach? {
    guard isPart else { return nil }
    guard let keys, let only = leadingTables.first else { return EmbeddedReach([:]) }
    return EmbeddedReach([only.key: Set(keys)])
  }
}

/// Embedded objects that were met inside others, where only those are exported.
final class EmbeddedReach: Sendable {
  private let state: Locked<(found: [TableKey: Set<ObjectKey>], done: [TableKey: Set<ObjectKey>])>

  /// - Parameter done: the objects that are already written.
  init(_ done: [TableKey: Set<ObjectKey>]) { state = Locked(([:], done)) }

  func add(_ objects: [TableKey: Set<ObjectKey>]) {
    guard !objects.isEmpty else { return }
    state.withLock { $0.found.merge(objects) { $0.union($1) } }
  }

  /// Objects of a table that were found since the last call, by their keys.
  func next(of table: TableKey) -> [ObjectKey] {
    state.withLock { state in
      let new = (state.found.removeValue(forKey: table) ?? []).subtracting(state.done[table] ?? [])
      state.done[table, default: []].formUnion(new)
      return new.sorted()
    }
  }
}
