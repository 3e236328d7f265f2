import RealmSystem

/// Builds a realm from a snapshot of any format, through its objects.
///
/// Table keys and the order of tables and properties stay the same, and so do object keys, unless the format computes
/// them from primary keys. Placeholders of missing objects stay as long as something links to them
/// (Docs/Format/3-tables-and-objects.md §4.7). Column keys are new, enumerated strings become ordinary ones, and sets
/// and dictionaries are sorted for the format that is written. The history is not copied.
package final class SnapshotRebuild {
  /// What happened on the way.
  package struct Report: Sendable, Equatable {
    /// Objects that were written.
    package var objectCount = 0
    /// Number of links of kept properties that were removed or became null, because their target was left out.
    package var lostLinkCount = 0

    package init() {}
  }

  /// Written as the schema version; nil for the snapshot's own.
  package var schemaVersion: UInt64?
  /// The format to write. The selection leaves out what it cannot store.
  package var format = TargetFormat.newest
  /// Replaces values and names; nil if they stay as they are.
  package var mapping: (any ValueReplacement)?
  /// Threads that map values at the same time.
  package var threadCount = 1

  private let snapshot: Snapshot
  private let selection: RebuildSelection
  private let takesEverything: Bool
  private var walk: CollectionWalk
  /// Reads dictionaries in the order of their keys, whatever their order in the file.
  private let sortingWalk: CollectionWalk
  /// Reads collections a first time, with its own limit on the nodes it may visit.
  private let previewWalk: CollectionWalk
  private var report = Report()
  /// By table, where objects get other keys.
  package private(set) var derivedKeys: [TableKey: DerivedKeys] = [:]

  package init(_ snapshot: Snapshot, selection: RebuildSelection? = nil) {
    self.snapshot = snapshot
    self.selection = selection ?? RebuildSelection(all: snapshot)
    takesEverything = self.selection.takesEverything(of: snapshot)
    walk = snapshot.collectionWalk()
    walk.showsTombstones = true
    sortingWalk = walk.sortingDictionaries
    previewWalk = snapshot.collectionWalk(passes: 2)
  }

  /// Writes all tables.
  ///
  /// - Parameter onProgress: called from time to time with the number of objects written so far; if it throws, the work
  ///   ends.
  /// - Throws: `StorageError` if the snapshot is damaged: a rebuild is complete or it fails. `BuildError` for content
  ///   that cannot be written.
  package func run(
    into output: any NodeOutput, onProgress: (Int) throws -> Void = { _ in }
  ) throws -> (roots: RealmRoots, report: Report) {
    if let damaged = snapshot.damagedTables.first { throw damaged.error }
    let tables = snapshot.tables.filter { selection.tables.contains($0.key) }
    derivedKeys = [:]
    for table in tables { derivedKeys[table.key] = try deriveKeys(of: table) }
    var definitions = try tables.map(definition)
    if schemaVersion != nil, !definitions.contains(where: { $0.schema.name == SchemaVersionTable.name }) {
      definitions.append(SchemaVersionTable.definition(behind: definitions.map(\.key)))
    }
    let group = try GroupBuilder(
      definitions, freeSlotTags: try freeSlotTags(), output: output, format: format)
    if let schemaVersion {
      try group.tables.first { $0.schema.name == SchemaVersionTable.name }?.append(schemaVersion: schemaVersion)
    }
    for (table, builder) in zip(tables, group.tables)
    where schemaVersion == nil || table.schema.name != SchemaVersionTable.name {
      if let keys = derivedKeys[table.key], !keys.keepsOrder {
        try copy(table, into: builder, in: keys, onProgress)
      } else {
        try copyTombstones(of: table, into: builder)
        try copy(table, into: builder, onProgress)
      }
    }
    return (try group.finish(), report)
  }

  // MARK: Tables

  private func keptProperties(of table: Table) -> [Int] {
    let leftOut = selection.leftOutProperties[table.key] ?? []
    return table.schema.properties.indices.filter { !leftOut.contains($0) }
  }

  private func definition(of table: Table) throws -> TableDefinition {
    var schema = selection.schema(of: table.schema, table.key, in: format)
    if let mapping { schema = mapping.renamed(schema) }
    let sequence =
      try derivedKeys[table.key]?.sequence
      ?? (table.top == nil
        ? UInt64(table.objectCount()) : RawTableTop(table.root, in: table.store).number(.objectSequence))
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

  private func copyTombstones(of table: Table, into builder: TableBuilder) throws {
    guard format.holdsTombstones, let top = table.top else { return }
    let collisions = try RawTableTop(top.ref, in: table.store).ref(.collisionMap)
    let primaryKeys = primaryKeyMapping(of: table)
    // Ids are made of primary keys.
    if !collisions.isNull, primaryKeys == nil {
      try copyCollisions(Node(collisions, in: table.store), in: table.store, into: builder)
    }
    let arena = ByteArena()
    try withExtendedLifetime(arena) {
      var placeholders: [(key: ObjectKey, primaryKey: ValueView?)] = []
      try forEachTombstone(of: table) { key, value in
        let mapped = try value.map { try primaryKeys?.value($0, of: key, in: arena) ?? $0 }
        placeholders.append((try renamed(key, in: table.key), mapped))
      }
      for placeholder in placeholders.sorted(by: { $0.key < $1.key }) {
        try builder.appendTombstone(placeholder.key, primaryKey: placeholder.primaryKey)
      }
    }
  }

  /// How primary keys change; nil if they do not.
  private func primaryKeyMapping(of table: Table) -> (any ValueMapping)? {
    selection.primaryKeyIndex(of: table).flatMap { mapping?.values(ofProperty: $0, of: table) }
  }

  /// Calls `body` with each placeholder and its primary key; nil in a table without one.
  private func forEachTombstone(of table: Table, _ body: (ObjectKey, ValueView?) throws -> Void) throws {
    guard let top = table.top, !top.tombstones.isNull else { return }
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
        try body(cluster.key(at: row), keys.map { try $0.value(at: row, in: table.store) })
      }
    }
  }

  private func copyCollisions(_ map: Node, in store: ByteStore, into builder: TableBuilder) throws {
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

  private func copy(_ table: Table, into builder: TableBuilder, _ onProgress: (Int) throws -> Void) throws {
    let properties = keptProperties(of: table)
    let isMapped = properties.contains { mapping?.values(ofProperty: $0, of: table) != nil }
    guard try !isMapped || threadCount == 1 || table.objectCount() < Self.leastObjectsForThreads else {
      return try copyOnThreads(table, into: builder, onProgress)
    }
    let mappings = mappings(of: properties, table)
    try table.forEachBatch(in: snapshot) { batch in
      try copy(MappedBatch(batch, wantedRows(of: batch)), properties, mappings, into: builder)
      try onProgress(report.objectCount)
    }
  }

  private static let leastObjectsForThreads = 2000

  private func wantedRows(of batch: ObjectBatch) -> [Int] {
    let wanted = selection.objects[batch.table.key]
    return (0..<batch.count).filter { row in wanted?.contains(batch.key(at: row)) ?? true }
  }

  /// As above, with the values of several batches mapped at the same time. They are appended in their order.
  private func copyOnThreads(
    _ table: Table, into builder: TableBuilder, _ onProgress: (Int) throws -> Void
  ) throws {
    let properties = keptProperties(of: table)
    var batches = table.batches()
    let snapshot = snapshot
    let pause = OrderedPipeline<[ObjectBatch]>.Pause(
      isNeeded: { snapshot.holdsTooManyPages },
      body: {
        try snapshot.releasePages()
        if let error = batches.restorePlaces() { throw error }
      })
    let pipeline = OrderedPipeline<[ObjectBatch]>(threadCount: threadCount, pause: pause) {
      var piece: [ObjectBatch] = []
      while piece.count < Self.batchesPerPiece, let step = batches.next() {
        switch step {
        case .batch(let batch): piece.append(batch)
        case .damaged(let error): throw error
        }
      }
      return piece.isEmpty ? nil : piece
    }
    try withoutActuallyEscaping(onProgress) { onProgress in
      // Shared parts are used in turn.
      nonisolated(unsafe) let (rebuild, builder, onProgress) = (self, builder, onProgress)
      try pipeline.run {
        let mappings = rebuild.mappings(of: properties, table)
        return { batches, awaitTurn in
          let mapped = try batches.map { batch in
            let mapped = MappedBatch(batch, rebuild.wantedRows(of: batch))
            for (position, mapping) in mappings.enumerated() {
              guard let mapping else { continue }
              try mapped.map(position, property: properties[position], by: mapping)
            }
            return mapped
          }
          try awaitTurn()
          for batch in mapped {
            try rebuild.copy(batch, properties, mappings, into: builder)
            try onProgress(rebuild.report.objectCount)
          }
        }
      }
    }
  }

  private static let batchesPerPiece = 4

  private func copy(
    _ mapped: MappedBatch, _ properties: [Int], _ mappings: [MappedValues?], into builder: TableBuilder
  ) throws {
    let (batch, rows) = (mapped.batch, mapped.rows)
    let keys = derivedKeys[batch.table.key]
    func key(_ row: Int) -> ObjectKey { keys?[batch.key(at: rows[row])] ?? batch.key(at: rows[row]) }
    try builder.append(count: rows.count, keyAt: key) { property, range, column in
      if try mapped.append(property, range, to: column) { return true }
      let values = try batch.values(ofProperty: properties[property])
      let needsRows = column.isCollection || column.canHoldLinks || range.count < batch.count
      if let mapping = mappings[property] {
        let arena = ByteArena()
        func append(_ value: ValueView, _ row: Int) throws {
          try mapping.append(value, of: batch.key(at: rows[row]), to: column, in: arena)
        }
        if needsRows {
          for row in range { try append(values.valueShowingTombstones(at: rows[row]), row) }
        } else {
          try decode(values) { for row in range { try append($0[row], row) } }
        }
      } else if needsRows {
        for row in range { try copy(property: values.valueShowingTombstones(at: rows[row]), into: column) }
      } else {
        try decode(values, column.append)
      }
      return true
    }
    report.objectCount += rows.count
  }

  // MARK: Derived keys

  /// The keys of a table's objects in the format that is written; nil if they do not change.
  private func deriveKeys(of table: Table) throws -> DerivedKeys? {
    guard let primaryKey = selection.primaryKeyIndex(of: table) else { return nil }
    let mapping = primaryKeyMapping(of: table)
    guard format.derivesObjectKeys(from: table.schema.properties[primaryKey].type) else {
      return try mapping == nil ? nil : numberedKeys(of: table)
    }
    var keys = DerivedKeys(table: table.schema.displayName)
    let wanted = selection.objects[table.key]
    try table.forEachBatch(in: snapshot) { batch in
      let values = try batch.values(ofProperty: primaryKey)
      let arena = ByteArena()
      for row in 0..<batch.count where wanted?.contains(batch.key(at: row)) ?? true {
        let value = try values.value(at: row)
        try keys.add(batch.key(at: row), primaryKey: mapping?.value(value, of: batch.key(at: row), in: arena) ?? value)
      }
    }
    if format.holdsTombstones {
      try forEachTombstone(of: table) { key, value in
        let arena = ByteArena()
        let value = value ?? .null
        try keys.add(key, primaryKey: mapping?.value(value, of: key, in: arena) ?? value)
      }
    }
    keys.finish()
    return keys
  }

  /// Keys that reveal nothing about primary keys which change: formats 10 to 21 computed keys from them, and upgraded
  /// files still have those. Nil if the keys already are such numbers.
  private func numberedKeys(of table: Table) throws -> DerivedKeys? {
    var keys = DerivedKeys(table: table.schema.displayName)
    let wanted = selection.objects[table.key]
    var (count, isNumbered) = (Int64(0), true)
    // Most tables are numbered, and need no list.
    try table.forEachBatch(in: snapshot) { batch in
      for row in 0..<batch.count where wanted?.contains(batch.key(at: row)) ?? true {
        if batch.key(at: row).rawValue != count { isNumbered = false }
        count += 1
      }
    }
    try forEachTombstone(of: table) { _, _ in isNumbered = false }
    if isNumbered { return nil }
    try table.forEachBatch(in: snapshot) { batch in
      for row in 0..<batch.count where wanted?.contains(batch.key(at: row)) ?? true { keys.addNext(batch.key(at: row)) }
    }
    if format.holdsTombstones { try forEachTombstone(of: table) { key, _ in keys.addNext(key) } }
    keys.finish()
    return keys
  }

  /// As the other `copy`, with objects that lie in another order than their new keys.
  private func copy(
    _ table: Table, into builder: TableBuilder, in keys: DerivedKeys, _ onProgress: (Int) throws -> Void
  ) throws {
    for (id, key) in keys.collisions {
      builder.appendCollision(low: Int64(bitPattern: id.low), high: Int64(bitPattern: id.high), key: key)
    }
    if !keys.tombstones.isEmpty {
      let mapping = primaryKeyMapping(of: table)
      let renamed = Dictionary(keys.tombstones.map { ($0.key, $0.source) }) { first, _ in first }
      var primaryKeys: [ObjectKey: Value] = [:]
      try forEachTombstone(of: table) { primaryKeys[$0] = try $1.map { try Value($0, walk) } }
      for entry in keys.tombstones {
        let arena = ByteArena()
        try withExtendedLifetime(arena) {
          let primaryKey = renamed[entry.key].flatMap { primaryKeys[$0] }?.view(in: arena)
          let mapped = try primaryKey.map { try mapping?.value($0, of: entry.source, in: arena) ?? $0 }
          try builder.appendTombstone(entry.key, primaryKey: mapped)
        }
      }
    }
    let properties = keptProperties(of: table)
    let mappings = mappings(of: properties, table)
    for first in stride(from: 0, to: keys.objects.count, by: Cluster.mostObjects) {
      let entries = keys.objects[first..<min(first + Cluster.mostObjects, keys.objects.count)]
      let places = try entries.map { entry in
        guard let place = try table.object(entry.source) else { throw table.danglingLink(to: entry.source) }
        return place
      }
      try builder.append(count: places.count, keyAt: { keys.objects[first + $0].key }) { property, range, column in
        let arena = ByteArena()
        for row in range {
          let (batch, position) = places[row]
          let values = try batch.values(ofProperty: properties[property])
          let value = try values.valueShowingTombstones(at: position)
          if let mapping = mappings[property] {
            try mapping.append(value, of: entries[first + row].source, to: column, in: arena)
          } else {
            try copy(property: value, into: column)
          }
        }
        return true
      }
      report.objectCount += places.count
      try onProgress(report.objectCount)
      if snapshot.holdsTooManyPages { try snapshot.releasePages() }
    }
  }

  // MARK: Values

  /// How the values of properties change, in the order of the properties; nil for those that do not.
  private func mappings(of properties: [Int], _ table: Table) -> [MappedValues?] {
    properties.map { property in
      mapping?.values(ofProperty: property, of: table).map { mapping in
        MappedValues(
          mapping: mapping, walk: walk, format: format, kept: { try self.kept($0) },
          isDropped: { try self.isDropped($0) }, loses: { self.selection.loses(nested: $0) })
      }
    }
  }

  /// Calls `body` with all values of a batch.
  private func decode(_ values: PropertyValues, _ body: (UnsafeBufferPointer<ValueView>) throws -> Void) throws {
    try withUnsafeTemporaryAllocation(of: ValueView.self, capacity: values.count) { decoded in
      decoded.initialize(repeating: .null)
      var failure: StorageError?
      values.decode(into: decoded) { _, error in failure = failure ?? error }
      if let failure { throw failure }
      try body(UnsafeBufferPointer(decoded))
    }
  }

  private func copy(property value: ValueView, into column: ColumnBuilder) throws {
    guard column.isCollection else { return try copy(nested: value, into: column) }
    try copy(value, into: column)
  }

  /// A value that is not the collection a property is.
  private func copy(nested value: ValueView, into column: ColumnBuilder) throws {
    guard !selection.loses(nested: value) else { return try column.append(.null) }
    try copy(value, into: column)
  }

  private func copy(_ value: ValueView, into column: ColumnBuilder) throws {
    switch value {
    case .list(let list):
      try column.begin(.list)
      try list.forEach(walk, damaged: { throw $0 }) { element in
        if try !isDropped(element) { try copy(nested: element, into: column) }
      }
      try column.end()
    case .set(let set):
      try column.begin(.set)
      try copyElements(of: set, into: column)
      try column.end()
    case .dictionary(let dictionary):
      try column.begin(.dictionary)
      let order = try dictionary.isSorted(previewWalk) ? walk : sortingWalk
      if format == .newest {
        try dictionary.forEach(order, damaged: { throw $0 }) { key, value in
          try column.append(key: key)
          try copy(nested: value, into: column)
        }
      } else {
        var entries: [(key: BlobView, value: ValueView)] = []
        try dictionary.forEach(order, damaged: { throw $0 }) { entries.append(($0, $1)) }
        for (key, value) in CollectionOrder(format).sorted(entries) {
          try column.append(key: key)
          try copy(nested: value, into: column)
        }
      }
      try column.end()
    default: try column.append(kept(value))
    }
  }

  /// A value, or null for a link to something that is left out.
  private func kept(_ value: ValueView) throws -> ValueView {
    guard selection.loses(value) else { return try renamed(value) }
    try noteLost(value)
    return .null
  }

  private func noteLost(_ link: ValueView) throws {
    if case .typedLink(let table, let key) = link, snapshot.table(table) == nil {
      throw StorageError.corrupted(.null, .danglingLink(key: key.rawValue))
    }
    report.lostLinkCount += 1
  }

  /// A link by the key that its target gets.
  @inline(__always)
  private func renamed(_ value: ValueView) throws -> ValueView {
    guard !derivedKeys.isEmpty else { return value }
    switch value {
    case .link(let table, let key): return .link(table, try renamed(key, in: table))
    case .typedLink(let table, let key): return .typedLink(table, try renamed(key, in: table))
    default: return value
    }
  }

  private func renamed(_ key: ObjectKey, in table: TableKey) throws -> ObjectKey {
    guard let keys = derivedKeys[table] else { return key }
    guard let renamed = keys[key] else { throw StorageError.corrupted(.null, .danglingLink(key: key.rawValue)) }
    return renamed
  }

  /// Whether an element of a list or set is removed, which is counted.
  private func isDropped(_ element: ValueView) throws -> Bool {
    guard selection.drops(element: element) else { return false }
    try noteLost(element)
    return true
  }

  /// In a set of mixed values, links to placeholders that become null all become the one null, in front.
  private func copyElements(of set: ListView, into column: ColumnBuilder) throws {
    let losesLinks = set.holdsMixed && !takesEverything
    if losesLinks {
      var hasNull = false
      try set.forEachOfSet(previewWalk, damaged: { throw $0 }) { value in
        if case .null = value { hasNull = true }
        if selection.loses(value), !selection.drops(element: value) { hasNull = true }
      }
      if hasNull { try column.append(.null) }
    }
    var values: [ValueView] = []
    let unwanted = selection.keepsDataLikeTexts ? [] : try set.dataLikeTexts(previewWalk)
    try set.forEachOfSet(walk, damaged: { throw $0 }) { element in
      if try isDropped(element) { return }
      if !unwanted.isEmpty, case .data(let bytes) = element, unwanted.contains(try bytes.copied()) { return }
      let value = try kept(element)
      if losesLinks, case .null = value { return }
      if format == .newest { try column.append(value) } else { values.append(value) }
    }
    for value in CollectionOrder(format).sorted(values, isMixed: set.holdsMixed) { try column.append(value) }
  }
}
