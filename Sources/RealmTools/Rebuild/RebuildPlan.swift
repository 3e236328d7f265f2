import RealmStorage

/// What a rebuild takes of a snapshot, and what it loses: worked out before anything is written.
package struct RebuildPlan: Sendable {
  package let selection: RebuildSelection
  /// Links that are lost, in the order of the file.
  package let losses: [LinkLoss]
  /// Embedded objects that are left out, because the objects they belong to are.
  package let leftOutEmbeddedObjectCount: Int

  /// - Throws: `CopyFilterError`; `StorageError` where links cannot be counted.
  package init(_ snapshot: Snapshot, filter: CopyFilter = CopyFilter()) throws {
    guard !filter.takesEverything else {
      selection = RebuildSelection(all: snapshot)
      (losses, leftOutEmbeddedObjectCount) = ([], 0)
      return
    }
    var planning = RebuildPlanning(snapshot, filter)
    try planning.chooseTables()
    try planning.findLosses()
    guard planning.losses.isEmpty || filter.allowsDataLoss else {
      throw CopyFilterError.linksToLeftOutClasses(planning.losses)
    }
    try planning.chooseEmbeddedObjects()
    selection = planning.selection
    losses = planning.losses
    leftOutEmbeddedObjectCount = planning.leftOutEmbeddedObjectCount
  }
}

/// The steps of planning.
private struct RebuildPlanning {
  private let snapshot: Snapshot
  private let filter: CopyFilter
  private let walk: CollectionWalk
  private(set) var selection = RebuildSelection(tables: [])
  private(set) var losses: [LinkLoss] = []
  private(set) var leftOutEmbeddedObjectCount = 0

  init(_ snapshot: Snapshot, _ filter: CopyFilter) {
    (self.snapshot, self.filter) = (snapshot, filter)
    // Links are counted, then gathered.
    walk = snapshot.collectionWalk(passes: 3)
  }

  private var taken: [Table] { snapshot.tables.filter { selection.tables.contains($0.key) } }

  private func isTaken(_ name: RealmString) -> Bool {
    snapshot.tables.contains { $0.schema.name == name && selection.tables.contains($0.key) }
  }

  // MARK: Tables

  mutating func chooseTables() throws {
    for name in filter.classes.names {
      guard snapshot.schema.classNamed(name) != nil else { throw CopyFilterError.noSuchClass(name) }
    }
    for table in snapshot.tables where isWanted(table.schema) { selection.tables.insert(table.key) }
    guard filter.classes.only != nil else { return }
    // Embedded classes come along, and those that they need.
    var found = true
    while found {
      found = false
      let needed = Set(taken.flatMap { $0.schema.properties.compactMap(\.target) })
      for table in snapshot.tables where table.schema.kind == .embedded && needed.contains(table.schema.name) {
        guard !filter.classes.excluded.contains(table.schema.displayName) else { continue }
        if selection.tables.insert(table.key).inserted { found = true }
      }
    }
  }

  private func isWanted(_ schema: TableSchema) -> Bool {
    guard schema.isClass else { return filter.includesInternalTables || schema.name == "metadata" }
    return filter.classes.contains(schema.displayName)
  }

  // MARK: Links that are lost

  mutating func findLosses() throws {
    for table in taken {
      for (index, property) in table.schema.properties.enumerated() {
        let isLeftOut = property.type == .object && !isTaken(property.target ?? "")
        guard isLeftOut || property.type == .mixed else { continue }
        let count = try countLinks(of: table, property: index, inMixed: !isLeftOut)
        if isLeftOut { selection.leftOutProperties[table.key, default: []].insert(index) }
        guard isLeftOut || count > 0 else { continue }
        losses.append(
          LinkLoss(
            className: table.schema.displayName, property: property.name, leavesPropertyOut: isLeftOut,
            linkCount: count))
      }
    }
  }

  /// Counts the links of a property; of a Mixed one, those to tables that are left out.
  private func countLinks(of table: Table, property: Int, inMixed: Bool) throws -> Int {
    var count = 0
    try forEachLink(of: table, property: property) { target, _ in
      if !inMixed || !selection.tables.contains(target) { count += 1 }
    }
    return count
  }

  // MARK: Embedded objects

  /// An embedded object goes where its parent goes.
  mutating func chooseEmbeddedObjects() throws {
    let partial = partlyTakenEmbeddedTables()
    guard !partial.isEmpty else { return }
    for table in partial { selection.objects[table] = [] }
    var pending: [(table: TableKey, key: ObjectKey)] = []
    for table in taken where !partial.contains(table.key) {
      for property in table.schema.properties.indices where leads(table, property, to: partial) {
        try forEachLink(of: table, property: property) { target, key in
          if selection.objects[target]?.insert(key).inserted == true { pending.append((target, key)) }
        }
      }
    }
    while let next = pending.popLast() {
      guard let table = snapshot.table(next.table) else { continue }
      guard let (batch, row) = try table.object(next.key) else { throw table.danglingLink(to: next.key) }
      for property in table.schema.properties.indices where leads(table, property, to: partial) {
        try forEachLink(in: try batch.values(ofProperty: property).value(at: row)) { target, key in
          if selection.objects[target]?.insert(key).inserted == true { pending.append((target, key)) }
        }
      }
    }
    for table in partial {
      let total = try snapshot.table(table)?.objectCount() ?? 0
      leftOutEmbeddedObjectCount += total - (selection.objects[table]?.count ?? 0)
    }
  }

  /// Embedded tables with parents in tables that are left out, and those that these are parents of.
  private func partlyTakenEmbeddedTables() -> Set<TableKey> {
    let embedded = taken.filter { $0.schema.kind == .embedded }
    var partial: Set<TableKey> = []
    for table in embedded {
      let hasLostParent = snapshot.tables.contains { origin in
        !selection.tables.contains(origin.key) && origin.schema.properties.contains { $0.target == table.schema.name }
      }
      if hasLostParent { partial.insert(table.key) }
    }
    var count = -1
    while count != partial.count {
      count = partial.count
      let targets = Set(
        embedded.filter { partial.contains($0.key) }.flatMap { $0.schema.properties.compactMap(\.target) })
      for table in embedded where targets.contains(table.schema.name) { partial.insert(table.key) }
    }
    return partial
  }

  private func leads(_ table: Table, _ property: Int, to tables: Set<TableKey>) -> Bool {
    let target = table.schema.properties[property].target
    return target != nil && tables.contains { snapshot.table($0)?.schema.name == target }
  }

  // MARK: Reading links

  private func forEachLink(
    of table: Table, property: Int, _ body: (TableKey, ObjectKey) throws -> Void
  ) throws {
    try table.forEachBatch(in: snapshot) { batch in
      let values = try batch.values(ofProperty: property)
      for row in 0..<batch.count { try forEachLink(in: values.value(at: row), body) }
    }
  }

  private func forEachLink(
    in value: ValueView, depth: Int = 0, _ body: (TableKey, ObjectKey) throws -> Void
  ) throws {
    guard depth < 400 else { throw StorageError.corrupted(.null, .tooDeep) }
    switch value {
    case .link(let table, let key), .typedLink(let table, let key): try body(table, key)
    case .list(let list), .set(let list):
      try list.forEach(walk, damaged: { throw $0 }) { try forEachLink(in: $0, depth: depth + 1, body) }
    case .dictionary(let dictionary):
      try dictionary.forEach(walk, damaged: { throw $0 }) { try forEachLink(in: $1, depth: depth + 1, body) }
    default: break
    }
  }
}
