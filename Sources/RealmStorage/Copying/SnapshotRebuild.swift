/// Builds a realm of format 24 from a snapshot of any format, through its objects.
///
/// Table keys, object keys and the order of tables and properties stay. Placeholders of missing objects stay as long as
/// something links to them (Docs/Format/3-tables-and-objects.md §4.7). Column keys are new, enumerated texts become
/// ordinary ones, sets and dictionaries come in the order of format 24. Nothing of the history is taken over.
package final class SnapshotRebuild {
  /// What happened on the way.
  package struct Report: Sendable, Equatable {
    /// Objects that were written.
    package var objectCount = 0
    /// Links of kept properties that are gone or became null, because their target was left out.
    package var lostLinkCount = 0

    package init() {}
  }

  /// Written as the schema version; nil for the snapshot's own.
  package var schemaVersion: UInt64?

  private let snapshot: Snapshot
  private let selection: RebuildSelection
  private let takesEverything: Bool
  private var walk: CollectionWalk
  /// Reads dictionaries in the order of their keys whatever their order in the file.
  private let sortingWalk: CollectionWalk
  /// Looks at collections before they are read, with a bound of its own on the nodes it may visit.
  private let previewWalk: CollectionWalk
  private var report = Report()

  package init(_ snapshot: Snapshot, selection: RebuildSelection? = nil) {
    self.snapshot = snapshot
    self.selection = selection ?? RebuildSelection(all: snapshot)
    takesEverything = self.selection.takesEverything(of: snapshot)
    walk = snapshot.collectionWalk()
    walk.showsTombstones = true
    sortingWalk = walk.sortingDictionaries
    previewWalk = snapshot.collectionWalk()
  }

  /// Writes all tables.
  ///
  /// - Parameter checkpoint: called now and then with the number of objects written so far; what it throws ends the work.
  /// - Throws: `StorageError` where the snapshot is damaged: a rebuild is complete or it is none. `BuildError` for what
  ///   cannot be written.
  package func run(
    into output: any NodeOutput, checkpoint: (Int) throws -> Void = { _ in }
  ) throws -> (roots: RealmRoots, report: Report) {
    if let damaged = snapshot.damagedTables.first { throw damaged.error }
    let tables = snapshot.tables.filter { selection.tables.contains($0.key) }
    var definitions = try tables.map(definition)
    if schemaVersion != nil, !definitions.contains(where: { $0.schema.name == SchemaVersionTable.name }) {
      definitions.append(SchemaVersionTable.definition(behind: definitions.map(\.key)))
    }
    let group = try GroupBuilder(definitions, freeSlotTags: try freeSlotTags(), output: output)
    if let schemaVersion {
      try group.tables.first { $0.schema.name == SchemaVersionTable.name }?.append(schemaVersion: schemaVersion)
    }
    for (table, builder) in zip(tables, group.tables)
    where schemaVersion == nil || table.schema.name != SchemaVersionTable.name {
      try pourTombstones(of: table, into: builder)
      try pour(table, into: builder, checkpoint)
    }
    return (try group.finish(), report)
  }

  // MARK: Tables

  private func keptProperties(of table: Table) -> [Int] {
    let leftOut = selection.leftOutProperties[table.key] ?? []
    return table.schema.properties.indices.filter { !leftOut.contains($0) }
  }

  private func definition(of table: Table) throws -> TableDefinition {
    let kept = keptProperties(of: table)
    var schema = table.schema
    schema.primaryKeyIndex = schema.primaryKeyIndex.flatMap { kept.firstIndex(of: $0) }
    schema.properties = kept.map { index in
      var property = table.schema.properties[index]
      // What only a damaged or very old file can have; such an index is not content.
      if !property.allows(property.index) { property.index = .none }
      return property
    }
    let sequence =
      table.top == nil
      ? UInt64(try table.objectCount()) : try RawTableTop(table.root, in: table.store).number(.objectSequence)
    return TableDefinition(key: table.key, schema: schema, sequenceNumber: sequence)
  }

  /// Tags of the slots between the tables, so that a new table there gets a key that was never used
  /// (Docs/Format/3-tables-and-objects.md §1.1).
  private func freeSlotTags() throws -> [Int: UInt64] {
    guard let top = snapshot.top else { return [:] }
    let last = selection.tables.map(\.slot).max() ?? -1
    var tags: [Int: UInt64] = [:]
    let refs = try Node(top.tables, in: snapshot.store)
    for slot in 0..<min(refs.count, last + 1) {
      let element = try refs.refOrTagged(slot)
      if element.isTagged { tags[slot] = element.tagged & 0x7fff }
    }
    for table in snapshot.tables where !selection.tables.contains(table.key) && table.key.slot <= last {
      tags[table.key.slot] = UInt64(table.key.tag + 1) & 0x7fff
    }
    return tags
  }

  private func pourTombstones(of table: Table, into builder: TableBuilder) throws {
    guard let top = table.top else { return }
    let collisions = try RawTableTop(top.ref, in: table.store).ref(.collisionMap)
    if !collisions.isNull { try pourCollisions(Node(collisions, in: table.store), in: table.store, into: builder) }
    guard !top.tombstones.isNull else { return }
    var clusters = ClusterWalk(ClusterTree(root: top.tombstones), in: table.store, budget: walk.budget)
    while let step = clusters.next() {
      guard case .cluster(let cluster) = step else {
        if case .damaged(let error) = step { throw error }
        continue
      }
      let keys = try table.schema.primaryKeyIndex.map { index in
        let column = table.columns[index]
        return try Leaf(cluster.leafRef(column.leafIndex), of: column.element, inCollection: false, in: table.store)
      }
      for row in 0..<cluster.count {
        try builder.appendTombstone(
          cluster.key(at: row), primaryKey: keys.map { try $0.value(at: row, in: table.store) })
      }
    }
  }

  private func pourCollisions(_ map: Node, in store: ByteStore, into builder: TableBuilder) throws {
    guard map.count == 3 else {
      throw StorageError.corrupted(map.ref, .wrongElementCount(expected: 3, found: map.count))
    }
    let columns = try (0..<3).map { try Node(map.childRef($0), in: store) }
    for column in columns { try column.requireBits("keys of objects whose ids collide") }
    for index in 0..<(columns.map(\.count).min() ?? 0) {
      builder.appendCollision(
        low: columns[0].uncheckedInt(index), high: columns[1].uncheckedInt(index), key: columns[2].uncheckedInt(index))
    }
  }

  // MARK: Objects

  private func pour(_ table: Table, into builder: TableBuilder, _ checkpoint: (Int) throws -> Void) throws {
    let properties = keptProperties(of: table)
    let wanted = selection.objects[table.key]
    try table.forEachBatch(in: snapshot) { batch in
      let rows = (0..<batch.count).filter { row in wanted?.contains(batch.key(at: row)) ?? true }
      try builder.append(count: rows.count, keyAt: { batch.key(at: rows[$0]) }) { property, range, column in
        let values = try batch.values(ofProperty: properties[property])
        for row in range { try pour(values.valueShowingTombstones(at: rows[row]), into: column) }
        return true
      }
      report.objectCount += rows.count
      try checkpoint(report.objectCount)
    }
  }

  // MARK: Values

  private func pour(_ value: ValueView, into column: ColumnBuilder) throws {
    switch value {
    case .list(let list):
      try column.begin(.list)
      try list.forEach(walk, damaged: { throw $0 }) { element in
        guard case .link = element else { return try pour(element, into: column) }
        if !isDropped(element) { try column.append(element) }
      }
      try column.end()
    case .set(let set):
      try column.begin(.set)
      try pourElements(of: set, into: column)
      try column.end()
    case .dictionary(let dictionary):
      try column.begin(.dictionary)
      let order = try dictionary.isSorted(previewWalk) ? walk : sortingWalk
      try dictionary.forEach(order, damaged: { throw $0 }) { key, value in
        try column.append(key: key)
        try pour(value, into: column)
      }
      try column.end()
    default: try column.append(kept(value))
    }
  }

  /// A value, or null for a link to something that is left out.
  private func kept(_ value: ValueView) throws -> ValueView {
    guard selection.loses(value) else { return value }
    if case .typedLink(let table, let key) = value, snapshot.table(table) == nil {
      throw StorageError.corrupted(.null, .danglingLink(key: key.rawValue))
    }
    report.lostLinkCount += 1
    return .null
  }

  /// Whether an element of a list or set goes, which is counted.
  private func isDropped(_ element: ValueView) -> Bool {
    guard selection.drops(element: element) else { return false }
    report.lostLinkCount += 1
    return true
  }

  /// In a set of mixed values, links that become null all become the one null, in front.
  private func pourElements(of set: ListView, into column: ColumnBuilder) throws {
    let losesLinks = set.holdsMixed && !takesEverything
    if losesLinks {
      var hasNull = false
      try set.forEachOfSet(previewWalk, damaged: { throw $0 }) { value in
        if case .null = value { hasNull = true }
        if selection.loses(value) { hasNull = true }
      }
      if hasNull { try column.append(.null) }
    }
    try set.forEachOfSet(walk, damaged: { throw $0 }) { element in
      if isDropped(element) { return }
      let value = try kept(element)
      if losesLinks, case .null = value { return }
      try column.append(value)
    }
  }
}
