import RealmStorage

/// Finds the objects that come along because others link to them: embedded ones with their parents and, if links are
/// followed, everything that is reached.
///
/// It goes in waves: what the objects of one table link to is gathered, and read in the order of the file when its
/// table's turn comes. Memory: 8 bytes for each object that waits.
final class ReachedObjects {
  private let snapshot: Snapshot
  private let links: StoredLinks
  /// Grows by what is reached.
  private var selection: RebuildSelection
  /// The tables of which only what is reached is copied, in addition to what is already selected.
  private var open: Set<TableKey>
  /// Tables that come along, with everything they need, once something in them is reached.
  private let candidates: Set<TableKey>
  private var pending: [TableKey: [ObjectKey]] = [:]
  /// The tables with pending objects, each once.
  private var queue: [TableKey] = []

  /// - Parameters:
  ///   - selection: what to begin with.
  ///   - open: tables of the selection that take what is reached.
  ///   - candidates: tables that are added when something is reached in them.
  init(
    _ links: StoredLinks, from selection: RebuildSelection, open: Set<TableKey>, candidates: Set<TableKey> = []
  ) {
    (snapshot, self.links) = (links.snapshot, links)
    (self.selection, self.open, self.candidates) = (selection, open, candidates)
  }

  /// Goes on until nothing new is reached.
  ///
  /// - Throws: `StorageError` if links cannot be read, or point to nonexistent objects.
  func run() throws {
    guard !open.isEmpty || !candidates.isEmpty else { return }
    let tables = snapshot.tables.filter { selection.tables.contains($0.key) }
    let whole = tables.filter { selection.objects[$0.key] == nil }
    for table in tables where !leading(table).isEmpty {
      if let chosen = selection.objects[table.key], !chosen.isEmpty { wait(for: table.key, chosen.keys) }
    }
    for table in whole {
      for property in leading(table) { try links.forEach(of: table, property: property) { reach($0, $1) } }
    }
    while !queue.isEmpty {
      let key = queue.removeFirst()
      guard let table = snapshot.table(key), var keys = pending.removeValue(forKey: key) else { continue }
      keys.sort()
      try links.forEach(ofObjects: keys, in: table, properties: leading(table)) { reach($0, $1) }
    }
  }

  /// The initial selection and what was reached; this value is empty afterwards.
  func takeSelection() -> RebuildSelection {
    defer { selection = RebuildSelection(tables: []) }
    return selection
  }

  /// The properties that can link to something not yet selected.
  private func leading(_ table: Table) -> [Int] {
    let names = Set(snapshot.tables.filter { open.contains($0.key) || candidates.contains($0.key) }.map(\.schema.name))
    return table.schema.properties.indices.filter { index in
      let property = table.schema.properties[index]
      if selection.leftOutProperties[table.key]?.contains(index) ?? false { return false }
      // A Mixed value cannot contain an embedded object.
      if property.type == .mixed { return reachesMore }
      return property.target.map { names.contains($0) } ?? false
    }
  }

  private var reachesMore: Bool {
    snapshot.tables.contains { table in
      table.schema.kind != .embedded && (open.contains(table.key) || candidates.contains(table.key))
    }
  }

  private func reach(_ table: TableKey, _ key: ObjectKey) {
    if !selection.tables.contains(table) {
      guard candidates.contains(table) else { return }
      add(table)
    }
    guard open.contains(table), selection.objects[table]?.insert(key) == true else { return }
    wait(for: table, [key])
  }

  private func wait(for table: TableKey, _ keys: [ObjectKey]) {
    if pending[table] == nil { queue.append(table) }
    pending[table, default: []].append(contentsOf: keys)
  }

  /// Adds a table without objects, and those that its properties link to: a property without its target is lost.
  private func add(_ table: TableKey) {
    for key in candidates.intersection(snapshot.reaching(from: [table])) where selection.tables.insert(key).inserted {
      selection.objects[key] = ObjectKeySet()
      open.insert(key)
    }
  }
}

extension Snapshot {
  /// Tables, and all others that their link properties can reach.
  func reaching(from tables: Set<TableKey>) -> Set<TableKey> {
    var found = tables
    var waiting = Array(tables)
    while let key = waiting.popLast() {
      let targets = Set(table(key)?.schema.properties.compactMap { $0.type == .object ? $0.target : nil } ?? [])
      for target in self.tables where targets.contains(target.schema.name) && found.insert(target.key).inserted {
        waiting.append(target.key)
      }
    }
    return found
  }
}
