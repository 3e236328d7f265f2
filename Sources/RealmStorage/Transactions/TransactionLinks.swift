/// An object of some table.
typealias TransactionLink = (table: TableKey, key: ObjectKey)

/// What has to hold between links and their targets (Docs/Format/3-tables-and-objects.md §5.3–5.5).
extension WriteTransaction {
  /// Notes a link at its target.
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
    try editor.objects.changeOrigins(leafIndex, of: place) { $0.append(origin.rawValue) }
  }

  /// - Throws: `BuildError.danglingLink` for a link to what is not there.
  func requireObject(_ key: ObjectKey, of table: TableKey, linkedFrom origin: TableEditor) throws {
    guard let editor = self.table(table) else {
      throw BuildError.danglingLink(table: origin.name, key: key.rawValue)
    }
    guard try editor.objects.find(key) != nil else {
      throw BuildError.danglingLink(table: editor.name, key: key.rawValue)
    }
  }

  /// Mixed values lead to objects that live on their own only.
  ///
  /// - Throws: `EditError.notLinkable`.
  func requireTopLevel(_ table: TableKey) throws {
    guard let editor = self.table(table), editor.kind != .topLevel else { return }
    throw EditError.notLinkable(table: editor.name)
  }

  /// Takes the note of one link away.
  ///
  /// - Returns: whether the target must go: an embedded object, or a placeholder, that nothing leads to any more.
  func removeBacklink(
    to target: TransactionLink, from origin: ObjectKey, _ column: EditedColumn, of table: TableEditor
  ) throws -> Bool {
    guard let editor = self.table(target.table),
      let leafIndex = editor.columns.backlink(from: table.key, column.key)?.leafIndex,
      let place = try editor.objects.change(target.key)
    else { return false }
    try editor.objects.changeOrigins(leafIndex, of: place) { keys in
      // Order means nothing: the last takes the place of the one that goes.
      guard let index = keys.firstIndex(of: origin.rawValue) else { return }
      keys.swapAt(index, keys.count - 1)
      keys.removeLast()
    }
    guard editor.kind == .embedded || target.key.isUnresolved else { return false }
    return try editor.backlinks(of: target.key).isEmpty
  }

  /// Deletes objects, and what goes with them.
  func delete(_ objects: [TransactionLink]) throws {
    var pending = objects
    while let target = pending.popLast() {
      guard let editor = table(target.table), try editor.objects.find(target.key) != nil else { continue }
      try unlink(target, editor)
      pending += try editor.remove(target.key)
    }
  }

  /// Takes all links to an object out of their origins.
  private func unlink(_ target: TransactionLink, _ editor: TableEditor) throws {
    for (originTable, property, origins) in try editor.backlinks(of: target.key) {
      guard let table = table(originTable) else { continue }
      let column = try table.column(property)
      // Damage may note a link any number of times that is not there: that is found out once.
      var strangers: Set<ObjectKey> = []
      for origin in origins where !strangers.contains(origin) {
        guard let place = try table.objects.change(origin) else { continue }
        let value = try table.objects.value(column, at: place)
        guard let rest = value.removingLink(to: target.table, target.key) else {
          strangers.insert(origin)
          continue
        }
        try table.objects.store(rest, column, at: place)
      }
    }
  }
}

extension TableEditor {
  /// Takes an object out of its tree, nothing linking to it any more.
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
      // Gives collections back; the cell itself goes with the row.
      column.noteIndexChange(at: key)
      if !place.cluster.hasDefaults(column.leafIndex) { try objects.store(column.defaultValue, column, at: place) }
      try value.forEachLink {
        // A link to itself has gone with the backlinks already.
        if try transaction.removeBacklink(to: ($0, $1), from: key, column, of: self) { orphans.append(($0, $1)) }
      }
    }
    for backlink in columns.backlinks where !place.cluster.hasDefaults(backlink.leafIndex) {
      try objects.changeOrigins(backlink.leafIndex, of: place) { $0 = [] }
    }
    try objects.remove(key)
    return orphans
  }
}
