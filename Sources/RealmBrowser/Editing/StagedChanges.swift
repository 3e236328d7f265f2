import RealmStorage

/// Changes of a realm that are not written yet: their list, the state that they lead to, and what is needed to undo
/// them.
///
/// The state is the result of the changes in a transaction that stays in memory, so that everything that reads a realm
/// sees them. This type knows nothing about screens and keys.
///
/// ```swift
/// let changes = try StagedChanges(over: realm, key: nil) { _, _ in "" }
/// try changes.append(StagedEdit(table: "class_Dog", keys: [key], change: .delete))
/// show(changes.realm)
/// try changes.undo()
/// ```
final class StagedChanges {
  /// The realm as it is in the file.
  private(set) var base: BrowsedRealm
  /// The realm with the changes.
  private(set) var realm: BrowsedRealm
  private(set) var entries: [Entry] = []
  /// The changes that `redo` makes, the next one last.
  private(set) var undone: [StagedEdit] = []
  private let key: EncryptionKey?
  /// The value that an edit changes, as shown.
  private let valueText: (StagedEdit, BrowsedRealm) -> String
  /// Nil as long as nothing is changed.
  private var transaction: StagedTransaction?
  /// The state that the objects changed by edits have in the file.
  private var originals: [ObjectAddress: ObjectDigest] = [:]
  private var changed: [ObjectAddress: Set<RealmString>] = [:]
  private var added: Set<ObjectAddress> = []
  /// How many objects each class had in the file.
  private var counts: [RealmString: Int] = [:]

  /// An edit and its result.
  struct Entry {
    var edit: StagedEdit
    let made: [StagedEdit.Made]
    let counts: ChangeCounts
    /// The value before and after.
    let before: String
    let after: String
    /// The name of the first of its objects.
    let label: String
  }

  /// - Parameter valueText: returns the value that an edit changes, as shown; for deletions and new objects, the
  ///   object.
  /// - Throws: `WriteRefusal` for a realm that cannot be changed; `StorageError`.
  init(
    over base: BrowsedRealm, key: EncryptionKey?, valueText: @escaping (StagedEdit, BrowsedRealm) -> String
  ) throws {
    (self.base, self.key, self.valueText) = (base, key, valueText)
    realm = base
    transaction = try StagedTransaction(base.bytes.path, key: key)
    counts = Self.counts(of: base)
  }

  private static func counts(of realm: BrowsedRealm) -> [RealmString: Int] {
    var counts: [RealmString: Int] = [:]
    for table in realm.snapshot.tables where table.schema.isClass {
      counts[table.schema.name] = try? table.objectCount()
    }
    return counts
  }

  var isEmpty: Bool { entries.isEmpty }

  // MARK: - What has changed

  /// Whether a property of an object has been changed by hand.
  func isChanged(_ property: RealmString, of object: ObjectAddress) -> Bool {
    added.contains(object) || changed[object]?.contains(property) == true
  }

  private func note(_ entry: Entry) {
    if let property = entry.edit.property {
      for key in entry.edit.keys {
        changed[ObjectAddress(table: entry.edit.table, key: key), default: []].insert(property)
      }
    }
    if case .create = entry.edit.change, let key = entry.made.first?.key {
      added.insert(ObjectAddress(table: entry.edit.table, key: key))
    }
  }

  // MARK: - Changing

  /// Makes a change. If that fails, nothing changes.
  ///
  /// - Returns: the object that it created.
  /// - Throws: `BrowserProblem`, `EditError`, `BuildError`, `StorageError`.
  @discardableResult
  func append(_ edit: StagedEdit) throws -> ObjectKey? {
    let made = try add(edit)
    undone = []
    return made
  }

  /// Undoes the last change.
  ///
  /// - Throws: the same errors as `append`.
  func undo() throws {
    guard let last = entries.last else { throw BrowserProblem.nothingLeft(isRedo: false) }
    try requireCurrent()
    try rebuild(Array(entries.dropLast()))
    undone.append(last.edit)
  }

  /// Makes the change that was undone last once more.
  ///
  /// - Throws: the same errors as `append`.
  func redo() throws {
    guard let next = undone.last else { throw BrowserProblem.nothingLeft(isRedo: true) }
    try add(next)
    undone.removeLast()
  }

  private func requireCurrent() throws {
    if base.change() != nil { throw BrowserProblem.staleChanges }
  }

  @discardableResult
  private func add(_ edit: StagedEdit) throws -> ObjectKey? {
    try requireCurrent()
    let before = valueText(edit, realm)
    let label = Self.label(edit, valueText, realm)
    do {
      for key in edit.keys { try noteOriginal(ObjectAddress(table: edit.table, key: key)) }
      let (made, counts) = try perform(edit)
      try readState()
      // What a change sets is the same for all of its objects.
      var shown = edit.with(Array(edit.keys.prefix(1)))
      if case .create = edit.change { shown.keys = made.prefix(1).map(\.key) }
      let entry = Entry(
        edit: edit, made: made, counts: counts, before: before, after: valueText(shown, realm), label: label)
      entries.append(entry)
      note(entry)
      return edit.keys.isEmpty ? made.first?.key : nil
    } catch {
      // A part of the change may have been made.
      try rebuild(entries)
      throw error
    }
  }

  private static func label(
    _ edit: StagedEdit, _ text: (StagedEdit, BrowsedRealm) -> String, _ realm: BrowsedRealm
  ) -> String {
    guard !edit.keys.isEmpty else { return "" }
    return text(StagedEdit(table: edit.table, keys: edit.keys, change: .delete), realm)
  }

  private func noteOriginal(_ address: ObjectAddress) throws {
    guard originals[address] == nil, !added.contains(address) else { return }
    originals[address] = try ObjectDigest(of: address, in: base)
  }

  /// - Throws: `BrowserProblem.staleChanges` if the file has changed.
  private func openedTransaction() throws -> StagedTransaction {
    if let transaction { return transaction }
    let fresh = try StagedTransaction(base.bytes.path, key: key)
    guard fresh.startVersion == base.snapshot.version else { throw BrowserProblem.staleChanges }
    transaction = fresh
    return fresh
  }

  private func perform(_ edit: StagedEdit) throws -> ([StagedEdit.Made], ChangeCounts) {
    try openedTransaction().change { transaction in
      let made = try edit.apply(to: transaction)
      if let table = try transaction.tableWithEqualKeys() { throw EditError.equalPrimaryKeys(table: table.name) }
      return (made, transaction.takeCounts())
    }
  }

  private func readState() throws {
    guard let transaction else { return }
    realm = try BrowsedRealm(staged: transaction.state(), over: base)
  }

  /// Makes the state again from the beginning.
  private func rebuild(_ kept: [Entry]) throws {
    (transaction, realm, entries, changed, added) = (nil, base, [], [:], [])
    let concerned = Set(
      kept.flatMap { entry in entry.edit.keys.map { ObjectAddress(table: entry.edit.table, key: $0) } })
    originals = originals.filter { concerned.contains($0.key) }
    for entry in kept {
      _ = try perform(entry.edit)
      entries.append(entry)
      note(entry)
    }
    if !kept.isEmpty { try readState() }
  }

  /// Starts again with the file as it is now, without changes.
  ///
  /// - Throws: the same errors as `init`.
  func begin(over fresh: BrowsedRealm) throws {
    base = fresh
    removeAll()
    counts = Self.counts(of: fresh)
  }

  /// Forgets all changes.
  func removeAll() {
    (transaction, realm, entries, changed, added, undone, originals) = (nil, base, [], [:], [], [], [:])
  }

  // MARK: - Finding objects for links

  /// The object of a table that has a primary key, among those that are there and those that were added.
  func find(primaryKey value: Value, in table: RealmString) throws -> ObjectKey? {
    try openedTransaction().change { try $0.table(table).find(primaryKey: value) }
  }

  // MARK: - Somebody else's changes

  /// An object of which both sides have changed the same.
  struct Collision: Hashable {
    let object: ObjectAddress
    /// What both sides have changed, or if this side has deleted the object, what the other side has; empty if the
    /// other side has deleted it.
    let properties: [RealmString]

    /// Whether an edit of the object is one of those that collide.
    fileprivate func concerns(_ edit: StagedEdit) -> Bool {
      properties.isEmpty || edit.property.map(properties.contains) ?? true
    }
  }

  /// Which of the objects that edits change have another state in the file now.
  ///
  /// - Throws: `BrowserProblem.otherSchema`; `StorageError`.
  func collisions(with fresh: BrowsedRealm) throws -> [Collision] {
    guard fresh.snapshot.schema.tables == base.snapshot.schema.tables,
      fresh.snapshot.tables.map(\.key) == base.snapshot.tables.map(\.key)
    else { throw BrowserProblem.otherSchema }
    let deleted = deletedObjects
    return try originals.compactMap { object, before in
      guard let now = try ObjectDigest(of: object, in: fresh) else {
        return Collision(object: object, properties: [])
      }
      let own = deleted.contains(object) ? nil : changed[object] ?? []
      let both = before.changes(to: now).filter { own?.contains($0) ?? true }
      return both.isEmpty ? nil : Collision(object: object, properties: both)
    }
    .sorted { ($0.object.table, $0.object.key) < ($1.object.table, $1.object.key) }
  }

  private var deletedObjects: Set<ObjectAddress> {
    var found: Set<ObjectAddress> = []
    for entry in entries {
      guard case .delete = entry.edit.change else { continue }
      for key in entry.edit.keys { found.insert(ObjectAddress(table: entry.edit.table, key: key)) }
    }
    return found
  }

  /// How the number of objects has changed by class, for users who have not seen it: `Dog +2, Person -1`.
  func news(in fresh: BrowsedRealm) -> String {
    let now = Self.counts(of: fresh)
    return fresh.snapshot.tables.compactMap { table -> String? in
      guard let before = counts[table.schema.name], let after = now[table.schema.name], before != after else {
        return nil
      }
      return "\(table.schema.displayName) " + (after > before ? "+" : "") + "\(after - before)"
    }
    .joined(separator: ", ")
  }

  /// Makes the changes on top of the file as it is now. New objects may get other keys.
  ///
  /// - Parameters:
  ///   - dropped: what of the objects of the file to give up.
  ///   - skipped: changes to give up, by their positions in the list.
  /// - Throws: `BrowserProblem.noLongerFits`, and nothing changes; the errors of `collisions`.
  func rebase(
    onto fresh: BrowsedRealm, dropping dropped: [Collision] = [], skipping skipped: Set<Int> = []
  ) throws {
    let old = (base, realm, transaction, entries, changed, added, originals, undone)
    var keys: [StagedEdit.Made: ObjectKey] = [:]
    let collisions = Dictionary(dropped.map { ($0.object, $0) }) { first, _ in first }
    let link = { (table: TableKey, key: ObjectKey) in keys[StagedEdit.Made(table: table, key: key)] ?? key }
    (base, realm, transaction, entries, changed, added, originals, undone) = (fresh, fresh, nil, [], [:], [], [:], [])
    for (index, entry) in old.3.enumerated() where !skipped.contains(index) {
      do {
        guard let table = fresh.table(named: entry.edit.table) else { throw EditError.noSuchTable(entry.edit.table) }
        var edit = entry.edit
        // A new object may have the key of one that was deleted before.
        edit.keys.removeAll {
          collisions[ObjectAddress(table: edit.table, key: $0)]?.concerns(entry.edit) == true
            && keys[StagedEdit.Made(table: table.key, key: $0)] == nil
        }
        if edit.keys.isEmpty, !entry.edit.keys.isEmpty { continue }
        try add(edit.mapped(in: table.key, link))
        for (before, after) in zip(entry.made, entries.last?.made ?? []) { keys[before] = after.key }
      } catch {
        (base, realm, transaction, entries, changed, added, originals, undone) = old
        throw BrowserProblem.noLongerFits(number: index + 1, reason: "\(error)")
      }
    }
    counts = Self.counts(of: fresh)
  }

  // MARK: - Writing

  /// Writes the changes as a launch with a script does.
  var script: MigrationScript {
    let (edits, version, top) = (entries.map { ($0.edit, $0.made) }, base.snapshot.version, base.snapshot.topRef)
    return MigrationScript(
      editingObjects: { transaction in
        guard transaction.base.version == version, transaction.base.topRef == top else {
          throw BrowserProblem.staleChanges
        }
        var outcome = MigrationScript.Outcome()
        for (number, (edit, made)) in edits.enumerated() {
          // The same state gives the same keys; otherwise what is written would differ from what is shown.
          guard try edit.apply(to: transaction) == made else {
            throw BrowserProblem.noLongerFits(number: number + 1, reason: "it would create other objects")
          }
        }
        if let table = try transaction.tableWithEqualKeys() { throw EditError.equalPrimaryKeys(table: table.name) }
        outcome.counts = transaction.takeCounts()
        (outcome.lost, outcome.overwritten) = (outcome.counts.lost, outcome.counts.overwritten)
        return outcome
      }, spills: false)
  }
}
