/// An object of some table.
typealias TransactionLink = (table: TableKey, key: ObjectKey)

/// The rules between links and their targets (Docs/Format/3-tables-and-objects.md §5.3–5.5).
extension WriteTransaction {
  /// Adds a backlink to the target of a link.
  func addBacklink(
    to target: TransactionLink, from origin: ObjectKey, _ column: EditedColumn, of table: TableEditor
  ) throws {
    guard let editor = self.table(target.table) else {
      throw BuildError.danglingLink(table: table.name, key: target.key.rawValue)
    }
    let leafIndex = try editor.backlinkColumn(for: column, of: table)
    guard let place = try editor.objects.change(target.key) else {
      throw BuildError.danglingLink(table: editor.name, key: target.key.rawValue)
    }
    try editor.objects.addOrigin(origin, leafIndex, of: place)
  }

  /// - Throws: `BuildError.danglingLink` for a link to a nonexistent object.
  func requireObject(_ key: ObjectKey, of table: TableKey, linkedFrom origin: TableEditor) throws {
    guard let editor = self.table(table) else {
      throw BuildError.danglingLink(table: origin.name, key: key.rawValue)
    }
    guard try editor.objects.find(key) != nil else {
      throw BuildError.danglingLink(table: editor.name, key: key.rawValue)
    }
  }

  /// Mixed values link only to objects that live on their own.
  ///
  /// - Throws: `EditError.notLinkable`.
  func requireTopLevel(_ table: TableKey) throws {
    guard let editor = self.table(table), editor.kind != .topLevel else { return }
    throw EditError.notLinkable(table: editor.name)
  }

  /// Removes the backlink of one link.
  ///
  /// - Returns: whether the target must be deleted: an embedded object or a placeholder without any link to it.
  func removeBacklink(
    to target: TransactionLink, from origin: ObjectKey, _ column: EditedColumn, of table: TableEditor
  ) throws -> Bool {
    guard let editor = self.table(target.table),
      let leafIndex = editor.columns.backlink(from: table.key, column.key)?.leafIndex,
      let place = try editor.objects.change(target.key)
    else { return false }
    try editor.objects.removeOrigin(origin, leafIndex, of: place)
    guard editor.kind == .embedded || target.key.isUnresolved else { return false }
    return try !editor.hasBacklinks(at: place)
  }

  /// Deletes objects, and everything that is deleted with them.
  ///
  /// An origin with links to several of the objects is written only once, so the work grows with the number of links.
  func delete(_ objects: [TransactionLink]) throws {
    var cuts: [CutLinks] = []
    var round = objects
    while !round.isEmpty {
      let doomed = try DoomedObjects(round, in: self)
      try unlink(doomed, &cuts)
      round = []
      for target in doomed.all {
        if let editor = table(target.table) { round += try editor.remove(target.key) }
      }
    }
    // Links of objects that are deleted themselves do not count as lost.
    for cut in cuts where try cut.table.objects.findLive(cut.origin) != nil {
      account.noteCutLinks(cut.count, cut.column, of: cut.table)
    }
  }

  /// Removes all links to objects from their origins, except for origins that are deleted themselves.
  private func unlink(_ doomed: DoomedObjects, _ cuts: inout [CutLinks]) throws {
    for (originTable, property, origins) in try origins(of: doomed) {
      guard let table = table(originTable) else { continue }
      let column = try table.column(property)
      for origin in origins where !doomed.contains(originTable, origin) {
        guard let place = try table.objects.change(origin) else { continue }
        var count = 0
        let rest = try table.objects.value(column, at: place).removingLinks(doomed.contains, &count)
        // Damaged files may have backlinks without links.
        guard count > 0 else { continue }
        try table.objects.store(rest, column, at: place)
        cuts.append(CutLinks(table: table, column: column, origin: origin, count: count))
      }
    }
  }

  /// The origins of links to objects: each once, always in the same order.
  private func origins(
    of doomed: DoomedObjects
  ) throws -> [(table: TableKey, property: RealmString, origins: [ObjectKey])] {
    struct Place: Hashable {
      let table: TableKey
      let property: RealmString
    }
    var places: [Place: [ObjectKey]] = [:]
    for target in doomed.all {
      guard let editor = table(target.table) else { continue }
      for group in try editor.backlinks(of: target.key) {
        places[Place(table: group.table, property: group.property), default: []] += group.origins
      }
    }
    let sorted = places.sorted {
      ($0.key.table.rawValue, $0.key.property) < ($1.key.table.rawValue, $1.key.property)
    }
    return sorted.map { place, origins in
      var last: ObjectKey?
      let unique = origins.sorted().filter { key in
        defer { last = key }
        return key != last
      }
      return (place.table, place.property, unique)
    }
  }
}

/// Existing objects that are deleted together.
private struct DoomedObjects {
  private(set) var all: [TransactionLink] = []
  private var keys: [TableKey: Set<ObjectKey>] = [:]

  init(_ objects: [TransactionLink], in transaction: WriteTransaction) throws {
    for object in objects {
      guard let editor = transaction.table(object.table), try editor.objects.find(object.key) != nil,
        keys[object.table, default: []].insert(object.key).inserted
      else { continue }
      all.append(object)
    }
  }

  func contains(_ table: TableKey, _ key: ObjectKey) -> Bool { keys[table]?.contains(key) ?? false }
}

/// Links that an object has lost, because their targets were deleted.
private struct CutLinks {
  let table: TableEditor
  let column: EditedColumn
  let origin: ObjectKey
  let count: Int
}

extension TableEditor {
  /// Removes an object from its tree when nothing links to it any longer.
  ///
  /// - Returns: objects that were its own.
  func remove(_ key: ObjectKey) throws -> [TransactionLink] {
    let transaction = try transaction
    for column in columns.all { try objects.unshareEnumeration(column) }
    guard let place = try objects.change(key) else { return [] }
    try objects.loadAll(place.cluster)
    var orphans: [TransactionLink] = []
    for column in columns.all {
      let value = column.canHoldLinks ? try objects.value(column, at: place) : .null
      if column.key == columns.primaryKeyName { primaryKeys.remove(try objects.value(column, at: place), of: key) }
      column.noteIndexChange(at: key)
      // Releases collections; the cell itself is removed with the row.
      if !place.cluster.hasDefaults(column.leafIndex) { try objects.store(column.defaultValue, column, at: place) }
      try value.forEachLink {
        if try transaction.removeBacklink(to: ($0, $1), from: key, column, of: self) { orphans.append(($0, $1)) }
      }
    }
    for backlink in columns.backlinks where !place.cluster.hasDefaults(backlink.leafIndex) {
      try objects.clearOrigins(backlink.leafIndex, of: place)
    }
    try objects.remove(key)
    if !key.isUnresolved { account.noteDeleted(in: self) }
    return orphans
  }
}
