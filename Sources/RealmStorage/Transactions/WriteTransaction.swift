/// Changes of a realm that become real all at once, or not at all: what a `RealmTransaction` stands on.
///
/// Everything that is read through the transaction shows its changes. Nodes are read when they are needed and written
/// when the transaction is committed, each once; what was not touched stays where it is.
///
/// An `EditError` or a `BuildError` refuses a change, and the transaction can go on. Any other error may have stopped a
/// change halfway: then the transaction can only be abandoned, and everything else, even `commit`, throws the same
/// error again.
///
/// A transaction belongs to one owner and must not be passed around: the type is not `Sendable`.
package final class WriteTransaction {
  /// The realm that is changed.
  package let file: RealmFile
  /// The state before, or that of the last spill.
  package private(set) var base: Snapshot
  /// The state before the transaction, even after spills.
  let start: Snapshot
  let output: TransactionOutput
  let nodes: NodeEncoder
  let account = ChangeAccount()
  /// Tables whose primary keys may have become equal.
  var uncheckedKeys: Set<TableKey> = []
  /// By slot; nil for free ones.
  private(set) var editors: [TableEditor?]
  private var slotsByName = SlotsByName()
  /// All slots before it are taken.
  private var firstSlotToTry = 0
  /// The tags that the next tables in free slots get.
  private var freeTags: [Int: UInt64] = [:]
  /// For each column that replaced another, the original column before the transaction.
  private var predecessors: [TableKey: [ColumnKey: ColumnKey]] = [:]
  private var areNamesChanged = false
  private var hasSpilled = false
  let status: TransactionStatus

  /// - Throws: `StorageError` if the realm is damaged; `OutputError`; `WriteRefusal`.
  package init(_ file: RealmFile) throws {
    self.file = file
    status = TransactionStatus(path: file.path)
    output = try file.beginTransaction()
    base = file.snapshot
    start = base
    nodes = NodeEncoder(output)
    editors = []
    status.transaction = self
    do { try makeEditors() } catch {
      // `deinit` runs when nothing refers to the transaction any longer, which may be later.
      file.rollBack()
      throw error
    }
  }

  private func makeEditors() throws {
    if let damaged = base.damagedTables.first { throw damaged.error }
    guard let top = base.top else { return }
    let refs = try Node(top.tables, in: base.store)
    editors = Array(repeating: nil, count: refs.count)
    for slot in 0..<refs.count {
      let element = RefOrTagged(refs.uncheckedInt(slot))
      if element.isTagged || element.ref.isNull { freeTags[slot] = element.tagged }
    }
    for table in base.tables {
      editors[table.key.slot] = try TableEditor(table, self)
      slotsByName.add(table.schema.name, table.key.slot)
    }
  }

  deinit { rollBack() }

  // MARK: Tables

  /// The tables in the order of the file.
  package var tables: [TableEditor] { editors.compactMap { $0 } }

  /// The table with this full name, such as `class_Person`.
  ///
  /// - Throws: `EditError.noSuchTable`.
  package func table(_ name: RealmString) throws -> TableEditor {
    guard let slot = slotsByName[name], let found = editors[slot] else { throw EditError.noSuchTable(name) }
    return found
  }

  func hasTable(_ name: RealmString) -> Bool { slotsByName[name] != nil }

  /// The table with that key; nil if there is none.
  package func table(_ key: TableKey) -> TableEditor? {
    guard key.slot < editors.count, let editor = editors[key.slot], editor.key == key else { return nil }
    return editor
  }

  /// The schema with the changes of this transaction.
  package var schema: Schema {
    Schema(tables: tables.map(\.schema), version: (try? schemaVersion()) ?? nil)
  }

  /// Puts a table into the lowest free slot.
  func addTable(_ make: (TableKey) throws -> TableEditor) throws -> TableEditor {
    try status.requireGoing()
    let slot = editors[firstSlotToTry...].firstIndex { $0 == nil } ?? editors.count
    guard slot < GroupBuilder.mostTables else { throw BuildError.tooManyTables(limit: GroupBuilder.mostTables) }
    let key = TableKey(rawValue: UInt32(truncatingIfNeeded: (freeTags[slot] ?? 0) & 0x7fff) << 16 | UInt32(slot))
    let editor = try make(key)
    if slot == editors.count { editors.append(editor) } else { editors[slot] = editor }
    freeTags[slot] = nil
    firstSlotToTry = slot + 1
    slotsByName.add(editor.name, slot)
    areNamesChanged = true
    return editor
  }

  func removeTable(_ key: TableKey) {
    if let editor = editors[key.slot] {
      editor.isRemoved = true
      slotsByName.remove(editor.name, key.slot)
    }
    editors[key.slot] = nil
    firstSlotToTry = min(firstSlotToTry, key.slot)
    freeTags[key.slot] = UInt64(key.tag + 1) & 0x7fff
    areNamesChanged = true
  }

  func rename(_ table: TableEditor, to name: RealmString) {
    slotsByName.remove(table.name, table.key.slot)
    table.name = name
    slotsByName.add(name, table.key.slot)
    areNamesChanged = true
  }

  // MARK: Replaced columns

  /// Records that a column has the values of one that it replaced.
  func notePredecessor(_ old: ColumnKey, of new: ColumnKey, in table: TableKey) {
    predecessors[table, default: [:]][new] = predecessors[table]?[old] ?? old
  }

  /// The column before the transaction whose values a column has; the column itself if it replaced none.
  func origin(of column: ColumnKey, in table: TableKey) -> ColumnKey { predecessors[table]?[column] ?? column }

  // MARK: Spills

  /// Writes all changes so far, which can then be read from `base`, and continues with little in memory. For everybody
  /// else nothing has changed.
  ///
  /// Tables that were taken from the transaction before cannot be used afterwards. Snapshots of earlier spills can be
  /// read until `forgetEarlierSpills`.
  ///
  /// - Throws: as `prepareCommit`; the transaction cannot go on then.
  package func spill() throws {
    try status.requireGoing()
    guard areNamesChanged || tables.contains(where: \.isTouched) else { return }
    try status.finish {
      base = try file.intermediateState(output, writeTables(), nodes)
      for case let editor? in editors { editor.isRemoved = true }
      (slotsByName, firstSlotToTry, freeTags) = (SlotsByName(), 0, [:])
      (areNamesChanged, hasSpilled) = (false, true)
      try makeEditors()
    }
  }

  /// Allows the space that only spills before the last one need to be used again. They must not be read afterwards.
  ///
  /// - Throws: `StorageError.corrupted` if space was given back twice; the transaction cannot go on then.
  package func forgetEarlierSpills() throws {
    guard hasSpilled else { return }
    try status.finish { try output.reuseDiscarded() }
  }

  // MARK: Account

  /// What was destroyed and created since the last call.
  package func takeCounts() -> ChangeCounts { account.take() }

  /// The first table whose primary keys have become equal, of all in which a change could do that. What is checked once is
  /// not looked at again until the next such change.
  ///
  /// - Throws: `EditError.ended`; `StorageError.corrupted` where keys are damaged.
  package func tableWithEqualKeys() throws -> TableEditor? {
    for key in uncheckedKeys.sorted(by: { $0.rawValue < $1.rawValue }) {
      if let table = table(key), try !table.hasUniquePrimaryKeys() { return table }
      uncheckedKeys.remove(key)
    }
    return nil
  }

  // MARK: End

  /// Makes all changes real and durable. If nothing was changed, nothing is written.
  ///
  /// - Throws: as `prepareCommit` and `PreparedCommit.finish` do.
  package func commit() throws { try prepareCommit()?.finish() }

  /// Writes all changes and ends the transaction; what is returned makes them real.
  ///
  /// - Returns: nil if nothing was changed.
  /// - Throws: `EditError.ended`, `equalPrimaryKeys`, `embeddedObject` for an embedded table with a primary key;
  ///   `BuildError`, also for links that cannot lead to tables of their target's kind; `OutputError`, `StorageError`,
  ///   and what has stopped a change halfway: then the realm is as it was.
  package func prepareCommit() throws -> PreparedCommit? {
    guard !status.hasEnded else { throw EditError.ended }
    defer { status.end() }
    do {
      if let failure = status.failure { throw failure }
      if let table = try tableWithEqualKeys() { throw EditError.equalPrimaryKeys(table: table.name) }
      guard hasSpilled || areNamesChanged || tables.contains(where: \.isTouched) else {
        file.rollBack()
        return nil
      }
      if let table = try tableWithEqualKeys() { throw EditError.equalPrimaryKeys(table: table.name) }
      return try file.prepareCommit(output, try writeTables())
    } catch {
      file.rollBack()
      throw error
    }
  }

  /// Discards all changes.
  package func rollBack() {
    guard !status.hasEnded else { return }
    status.end()
    file.rollBack()
  }

  private func writeTables() throws -> RealmRoots {
    // Refused before anything is written.
    for table in tables { try table.requireKind() }
    let elements = try editors.enumerated().map { slot, editor -> Int64 in
      try editor.map { try $0.write().element } ?? .tagged(freeTags[slot] ?? 0)
    }
    var names = base.top?.tableNames ?? .null
    if areNamesChanged || names.isNull {
      try output.releaseTree(names)
      names = try nodes.names(editors.map { $0?.name })
    }
    if let top = base.top {
      output.release(try Node(top.tables, in: base.store))
      // Nodes below the root of the live state are released at the commit.
      if hasSpilled { output.release(try Node(top.ref, in: base.store)) }
    }
    return RealmRoots(tableNames: names, tables: try nodes.integers(elements, .refs))
  }
}
