import RealmStorage
import RealmSystem

/// What a run reads.
package struct LeaveSource {
  /// A copy that nobody else can change, under the path of the original.
  let realm: Realm
  /// Identifies the state of the original that it was made of.
  let state: String
  /// The state of the original as it is now.
  let currentState: () throws -> String

  package init(realm: Realm, state: String, currentState: @escaping () throws -> String) {
    (self.realm, self.state, self.currentState) = (realm, state, currentState)
  }

  /// The state of a file: half of the SHA-256 of all its bytes. The header alone may be that of another realm as well, and
  /// a damaged one says little.
  ///
  /// - Parameter mark: tells apart what is read of the same bytes in different ways.
  package static func state(_ digest: StreamDigest, mark: String = "") -> String {
    Array(mark.utf8).withUnsafeBytes { digest.add($0) }
    return String(digest.finish().description.prefix(32))
  }
}

/// Copies the contents of a realm to another store, so that the app can do without Realm's SDK.
///
/// The run reads a private copy of the file, so that the realm is never changed, locked, upgraded or in the way; it copies
/// class by class, and hands over a batch of objects at a time with a checkpoint that the target stores in the same
/// transaction. Wherever a run is killed, the next one continues after the last batch that was stored. Nothing depends on
/// whether the target is empty, on the schema version, or on the files of an SDK.
///
/// ```swift
/// let run = try LeaveRealm(from: path, key: key) { try target.checkpoint() }
/// try run.copy("Dog") { dogs, checkpoint in
///   try target.transaction {
///     for dog in dogs { try target.insert(dog) }
///     try target.setCheckpoint(checkpoint.text)
///   }
/// }
/// let account = try run.finish { try target.setCheckpoint($0.text) }
/// try run.archive()
/// ```
///
/// A run belongs to one thread at a time. It keeps other runs on the same realm away as long as it lives.
public final class LeaveRealm {
  /// The path of the realm, as given.
  public let path: String
  /// The private copy, for everything else that a client wants to read. It never changes.
  public var realm: Realm { source.realm }

  private let source: LeaveSource
  private let lock: LeaveLock
  private var progress: LeaveProgress
  /// What is known about the classes that were copied in this run.
  private var records: [RealmString: Record] = [:]
  private var leftOut: Set<String> = []
  private var isCopying = false

  private struct Record {
    var walkedCount = 0
    var damage: [RealmError] = []
    var unread: [String] = []
    var missing: [String] = []
    var verification: LeaveVerification?
    var isCopied = false
  }

  /// What happens to what cannot be read.
  public enum Unreadable: Hashable, Sendable {
    /// The copying stops with an error that names the object.
    case stop
    /// The rest is copied, and the account names it.
    case skip
  }

  /// Takes a private copy of a realm.
  ///
  /// - Parameters:
  ///   - path: of the realm. Any format from 2 to 24, plain or encrypted, local or synced.
  ///   - key: of an encrypted realm.
  ///   - temporaryFolder: where the copy is made, which needs as much room as the realm; nil for the system's folder for
  ///     temporary files. On Apple's systems the copy gets the file protection that new files in this folder get.
  ///   - lockFile: of runs on this realm; nil for one next to the realm, named as the realm with `.leaving` after it. All
  ///     runs on a realm must use the same. Name one for a realm in a folder that cannot be written to.
  ///   - waitingMilliseconds: how long to wait while another run works on the realm.
  ///   - checkpoint: gives the text that the target has stored, nil if it has none. It is asked while no other run works on
  ///     the realm: a text from before could be out of date.
  /// - Throws: `LeaveError`: `absent` only if there is nothing to copy; `archived`; `empty`, `protected`, `needsKey`,
  ///   `wrongKey`, `notEncrypted`, `notARealm`, `format`, `damaged` for a file that cannot be read; `running`;
  ///   `changing`; `changed` if the realm is no longer the one that the checkpoint is about: remove what was copied from the
  ///   target, with the checkpoint in the same transaction, and start again; `checkpoint` for a text that is none; `target`
  ///   for what `checkpoint` throws; `system`.
  public convenience init(
    from path: String, key: EncryptionKey? = nil, temporaryFolder: String? = nil, lockFile: String? = nil,
    waitingMilliseconds: UInt64 = 0, resuming checkpoint: () throws -> String?
  ) throws(LeaveError) {
    try self.init(from: path, lockFile: lockFile, waitingMilliseconds: waitingMilliseconds, resuming: checkpoint) {
      let clone = try PrivateClone(of: path, key: key, in: temporaryFolder)
      return LeaveSource(realm: clone.realm, state: clone.state) {
        try LeaveSource.state(StreamDigest(ofFileAt: path))
      }
    }
  }

  /// - Parameter source: makes what is read; called while no other run works on the realm.
  package init(
    from path: String, lockFile: String?, waitingMilliseconds: UInt64, resuming checkpoint: () throws -> String?,
    _ source: () throws -> LeaveSource
  ) throws(LeaveError) {
    self.path = path
    // Before a lock file is created where there is nothing to lock.
    try Self.requireFile(path)
    lock = try LeaveLock(
      lockFile ?? LeaveLock.path(ofRealm: SafeOutput.destination(of: path)), ofRealm: path,
      waitingMilliseconds: waitingMilliseconds)
    try Self.requireFile(path)
    let text: String?
    do { text = try checkpoint() } catch {
      throw LeaveError(.target, path, "the checkpoint could not be read: \(error)", cause: error)
    }
    let stored = text.map { LeaveProgress(text: $0) }
    if case .some(nil) = stored { throw LeaveError(.checkpoint, path, "the text is not a checkpoint") }
    let source = try LeaveError.wrapping(path, source)
    self.source = source
    progress = (stored ?? nil) ?? LeaveProgress(state: source.state)
    guard progress.state == source.state else {
      throw LeaveError(.changed, path, "the realm was written to since a part of it was copied")
    }
  }

  /// Only a name that is not there means that there is nothing.
  private static func requireFile(_ path: String) throws(LeaveError) {
    guard SafeOutput.isMissing(path) else {
      do { _ = try SequentialInput.identity(of: path) } catch {
        // Another run may have put it aside just now.
        guard SafeOutput.isMissing(path) else { throw LeaveError(path, error) }
        try requireFile(path)
      }
      return
    }
    if let archived = try LeaveError.wrapping(path, { try RealmArchive(of: path).latest }) {
      throw LeaveError(.archived, path, "the realm was put aside as \(archived)")
    }
    guard !SafeOutput.isNameTaken(path) else {
      throw LeaveError(.system, path, "it is a symbolic link to a file that does not exist")
    }
    throw LeaveError(.absent, path, "there is no realm")
  }

  /// Whether everything was copied, by this run or by the one that the checkpoint is from.
  public var isFinished: Bool { progress.isFinished }

  // MARK: Copying

  /// Copies the objects of a class, in the order of their keys.
  ///
  /// - Parameters:
  ///   - className: without `class_`; or the name of an internal table.
  ///   - properties: those that the target gets; nil for all. The account lists the others as not read.
  ///   - optional: properties that the target gets if the class has them; the account lists the others as missing.
  ///   - batch: how many objects are handed over at a time, at least 1.
  ///   - unreadable: what happens to objects that cannot be read, because the file is damaged.
  ///   - store: stores the objects and the text of the checkpoint in one transaction of the target. What it throws ends the
  ///     copying: then nothing of the batch may be stored. It is not called for what was stored before.
  /// - Throws: `LeaveError`: `name`; `damaged`; `target` for what `store` throws; `checkpoint` if `store` did not ask
  ///   for the text; `running` if `store` calls it.
  public func copy(
    _ className: String, properties: [String]? = nil, optional: [String] = [], batch: Int = 500,
    unreadable: Unreadable = .stop, _ store: ([RealmObject], LeaveCheckpoint) throws -> Void
  ) throws(LeaveError) {
    try copy(
      className, properties: properties, optional: optional, decoding: { $0 }, batch: batch, unreadable: unreadable,
      store)
  }

  /// Copies the objects of a class, each converted to a value of the client.
  ///
  /// ```swift
  /// try run.copy("Dog", properties: ["name", "age"], decoding: Dog.init(object:)) { dogs, checkpoint in
  ///   try target.transaction {
  ///     for dog in dogs { try target.insert(dog) }
  ///     try target.setCheckpoint(checkpoint.text)
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - className: without `class_`; or the name of an internal table.
  ///   - properties: those that the target gets; nil for all. The account lists the others as not read.
  ///   - optional: properties that the target gets if the class has them; the account lists the others as missing.
  ///   - decode: makes a value of an object.
  ///   - batch: how many objects are handed over at a time, at least 1.
  ///   - unreadable: what happens to objects that cannot be read, or for which `decode` throws.
  ///   - store: as above.
  /// - Throws: `LeaveError`: as above, and `object` for what `decode` throws.
  public func copy<Element>(
    _ className: String, properties: [String]? = nil, optional: [String] = [],
    decoding decode: (RealmObject) throws -> Element, batch: Int = 500, unreadable: Unreadable = .stop,
    _ store: ([Element], LeaveCheckpoint) throws -> Void
  ) throws(LeaveError) {
    let table = try table(className)
    let names = table.schema.properties.map(\.name.description)
    var read = Set(try indices(of: properties ?? names, in: table))
    let found = optional.map { name in table.schema.properties.firstIndex { $0.name == RealmString(name) } }
    read.formUnion(found.compactMap { $0 })
    try copy(table, batch: batch, unreadable, read: decode, store)
    records[table.schema.displayName]?.unread = names.indices.filter { !read.contains($0) }.map { names[$0] }
    records[table.schema.displayName]?.missing = zip(optional, found).filter { $1 == nil }.map(\.0)
  }

  private func table(_ className: String) throws(LeaveError) -> Table {
    let name = RealmString(className)
    if let table = realm.snapshot.table(displayName: name) { return table }
    if let damaged = realm.damagedTables.first(where: { $0.name == className }) {
      throw LeaveError(path, damaged.error, className: className)
    }
    let names = realm.schema.classes.map(\.displayName.description).sorted().joined(separator: ", ")
    throw LeaveError(.name, path, "there is no such class; the realm has \(names)", className: className)
  }

  private func indices(of names: [String], in table: Table) throws(LeaveError) -> [Int] {
    var indices: [Int] = []
    for name in names {
      guard let index = table.schema.properties.firstIndex(where: { $0.name == RealmString(name) }) else {
        let others = table.schema.properties.map(\.name.description).joined(separator: ", ")
        throw LeaveError(
          .name, path, "there is no property '\(name)'; the class has \(others)",
          className: table.schema.displayName.description)
      }
      indices.append(index)
    }
    return indices
  }

  /// A batch that is being filled.
  private struct Batch<Element> {
    var elements: [Element] = []
    var keys: [ObjectKey] = []
    var skips: [LeaveSkip] = []
    var last: ObjectKey?

    var count: Int { keys.count + skips.count }
  }

  /// - Parameter read: makes of an object what is handed over; what it throws is about the object.
  private func copy<Element>(
    _ table: Table, batch size: Int, _ unreadable: Unreadable, read: (RealmObject) throws -> Element,
    _ store: ([Element], LeaveCheckpoint) throws -> Void
  ) throws(LeaveError) {
    let (name, className) = (table.schema.displayName, table.schema.displayName.description)
    guard !isCopying else { throw LeaveError(.running, path, "this run is copying already", className: className) }
    isCopying = true
    defer { isCopying = false }
    var record = records[name] ?? Record()
    (record.walkedCount, record.damage) = (0, [])
    let last = progress[name].last
    var before: Int64 = -1
    var pending = Batch<Element>()
    let failure = Result {
      var cursor = try RealmObjects(realm: realm, table: table).cursor()
      while true {
        let object: Result<RealmObject, RealmError>
        do throws(RealmError) {
          guard let next = try cursor.next() else { break }
          object = .success(next)
        } catch {
          object = .failure(error)
        }
        let key = cursor.key.flatMap { $0.rawValue > before ? $0 : nil }
        var failure: RealmError?
        if case .failure(let error) = object { failure = error }
        guard let key, failure?.kind != .changed else {
          // A checkpoint has only the last key: what is out of order would be lost, or copied twice.
          let error =
            failure ?? RealmError(path: path, StorageError.corrupted(table.root, .badTable("its keys do not ascend")))
          guard unreadable == .skip, error.kind != .changed else { throw LeaveError(path, error, className: className) }
          if record.damage.count < LeaveProgress.mostSkips { record.damage.append(error) }
          continue
        }
        before = key.rawValue
        record.walkedCount += 1
        if let last, key <= last { continue }
        pending.last = key
        do {
          pending.elements.append(try read(object.get()))
          pending.keys.append(key)
        } catch {
          guard unreadable == .skip else {
            throw LeaveError(path, error, className: className, key: key).about(.object, unless: [.damaged])
          }
          pending.skips.append(LeaveSkip(key: key, reason: LeaveProgress.shortened(Self.text(error))))
        }
        if pending.count >= max(size, 1) { try self.store(&pending, name, store) }
      }
      try self.store(&pending, name, store)
      record.isCopied = true
    }
    records[name] = record
    try LeaveError.wrapping(path) { try failure.get() }
  }

  private static func text(_ error: any Error) -> String {
    if let error = error as? RealmError { return "\(error.cause)" }
    return (error as? LeaveError)?.reason ?? "\(error)"
  }

  private func store<Element>(
    _ batch: inout Batch<Element>, _ name: RealmString, _ store: ([Element], LeaveCheckpoint) throws -> Void
  ) throws(LeaveError) {
    guard let last = batch.last else { return }
    var next = progress
    let (count, isTooMany) = next[name].readCount.addingReportingOverflow(batch.count)
    guard !isTooMany else {
      throw LeaveError(.checkpoint, path, "the checkpoint counts more objects than there are keys")
    }
    (next[name].last, next[name].readCount) = (last, count)
    next[name].add(batch.skips)
    // Of what cannot be read, the next checkpoint tells.
    progress =
      batch.keys.isEmpty
      ? next : try stored(LeaveCheckpoint(next, className: name, keys: batch.keys)) { try store(batch.elements, $0) }
    batch = Batch()
  }

  private func stored(
    _ checkpoint: LeaveCheckpoint, _ store: (LeaveCheckpoint) throws -> Void
  ) throws(LeaveError) -> LeaveProgress {
    do { try store(checkpoint) } catch {
      throw LeaveError(.target, path, "the target could not be written: \(error)", cause: error)
    }
    guard checkpoint.isRead, !checkpoint.isSkippedTooLate else {
      throw LeaveError(
        .checkpoint, path,
        checkpoint.isRead
          ? "an object was skipped after the text of the checkpoint was asked for"
          : "the text of the checkpoint was not asked for, so that it cannot be stored with the batch")
    }
    return checkpoint.result
  }

  // MARK: Result

  /// What was done so far.
  public var account: LeaveAccount {
    var classes: [LeaveAccount.Class] = []
    for table in realm.snapshot.tables {
      let (name, schema) = (table.schema.displayName, table.schema)
      guard schema.isClass || records[name] != nil else { continue }
      var result = LeaveAccount.Class(name: name.description, isEmbedded: schema.kind == .embedded)
      result.storedCount = try? table.objectCount()
      let counted = progress[name]
      (result.readCount, result.skippedCount, result.skipped) = (counted.readCount, counted.skippedCount, counted.skips)
      result.isLeftOut = leftOut.contains(result.name)
      if let record = records[name] {
        result.walkedCount = record.isCopied ? record.walkedCount : nil
        (result.damage, result.unread, result.missing) = (record.damage, record.unread, record.missing)
        result.verification = record.verification
      }
      classes.append(result)
    }
    for damaged in realm.snapshot.damagedTables where damaged.name.hasPrefix(TableSchema.classPrefix) {
      let name = TableSchema.displayName(ofTable: damaged.name).description
      var result = LeaveAccount.Class(name: name, isEmbedded: false)
      (result.damage, result.isLeftOut) = ([RealmError(path: path, damaged.error)], leftOut.contains(name))
      classes.append(result)
    }
    return LeaveAccount(classes: classes)
  }

  /// Marks the run as finished, if each class was copied or is left out by name.
  ///
  /// - Parameters:
  ///   - classes: that the target does without; embedded ones need not be named.
  ///   - store: stores the text of the checkpoint in the target. It is not called if that was done before.
  /// - Returns: the account.
  /// - Throws: `LeaveError`: `unfinished` if a class with objects was neither copied nor left out, or if the counts
  ///   of one differ without damage that was to be skipped; `target` for what `store` throws; `checkpoint`.
  @discardableResult
  public func finish(
    leavingOut classes: Set<String> = [], _ store: (LeaveCheckpoint) throws -> Void
  ) throws(LeaveError) -> LeaveAccount {
    leftOut = classes
    let account = account
    let open = account.classes.filter { result in
      !result.isComplete && !result.isLeftOut && (result.walkedCount == nil || result.damage.isEmpty)
    }
    guard open.isEmpty else {
      throw LeaveError(.unfinished, path, "not copied: " + open.map(\.description).joined(separator: ", "))
    }
    guard !progress.isFinished else { return account }
    var next = progress
    next.isFinished = true
    progress = try stored(LeaveCheckpoint(next), store)
    return account
  }

  // MARK: Proof

  /// Compares a class with what the target has of it: which objects there are, and each value, lists in their order.
  ///
  /// A property that a row lacks is not compared there; the result lists those that not every row has.
  ///
  /// ```swift
  /// let proof = try run.verify("Dog") { compare in
  ///   for row in try target.rows("SELECT id, name FROM dog") {
  ///     try compare(LeaveRow(key: .int(row.id), ["name": .string(RealmString(row.name))]))
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - className: without `class_`.
  ///   - identity: what identifies an object in the target.
  ///   - expected: changes what the realm has to what the target is meant to have, for values that it stores in
  ///     another way; it gets a row with all properties, see `LeaveRow`.
  ///   - limit: how many differences are listed; all are counted.
  ///   - rows: calls its argument once with each row of the target, in any order.
  /// - Throws: `LeaveError`: `name`; `damaged`; `target` for what `rows` or `expected` throws.
  @discardableResult
  public func verify(
    _ className: String, by identity: LeaveIdentity = .primaryKey, limit: Int = 100,
    expecting expected: @escaping (inout LeaveRow) throws -> Void = { _ in },
    against rows: ((LeaveRow) throws -> Void) throws -> Void
  ) throws(LeaveError) -> LeaveVerification {
    let table = try table(className)
    var property: Int?
    if case .property(let name) = identity { property = try indices(of: [name], in: table).first }
    let result = try LeaveError.wrapping(path) {
      var comparison = try LeaveComparison(of: table, by: identity, property, in: realm, limit: limit)
      do { try rows { try comparison.compare($0, expected) } } catch let error where !(error is LeaveError) {
        throw LeaveError(.target, path, "the target could not be read: \(error)", className: className, cause: error)
      }
      return try comparison.finish()
    }
    records[table.schema.displayName, default: Record()].verification = result
    return result
  }

  // MARK: The realm's files

  /// Puts the realm aside, with its backups and the other files next to it: they get names under which no SDK looks for a
  /// realm, with `.left` after them. Nothing is deleted; `restore` undoes it.
  ///
  /// The lock file of the SDK stays, because it keeps apps away meanwhile. A call that is interrupted is completed by the
  /// next one.
  ///
  /// - Parameter waitingMilliseconds: how long to wait for those who have the realm open.
  /// - Returns: what was renamed.
  /// - Throws: `LeaveError`: `unfinished` before `finish`; `inUse` if somebody has the realm open, this process
  ///   included; `changed` if the realm was written to since it was copied: then it stays; `system`.
  @discardableResult
  public func archive(waitingMilliseconds: UInt64 = 0) throws(LeaveError) -> [LeaveMove] {
    guard progress.isFinished else { throw LeaveError(.unfinished, path, "the run is not finished") }
    return try LeaveError.wrapping(path) {
      try RealmArchive(of: path).putAside(waitingMilliseconds: waitingMilliseconds) {
        guard try source.currentState() == source.state else {
          throw LeaveError(.changed, path, "the realm was written to since it was copied")
        }
      }
    }
  }

  /// Undoes `archive`, also one that was interrupted.
  ///
  /// - Returns: what was renamed.
  /// - Throws: as the static function.
  @discardableResult
  public func restore() throws(LeaveError) -> [LeaveMove] { try Self.restore(path) }

  /// Gives a realm that was put aside its name again, and so the files next to it.
  ///
  /// - Parameters:
  ///   - path: that the realm had.
  ///   - waitingMilliseconds: how long to wait for those who have a realm of this name open.
  /// - Returns: what was renamed.
  /// - Throws: `LeaveError`: `absent` if none was put aside; `changed` if there is a realm of this name again; `inUse`;
  ///   `system`.
  @discardableResult
  public static func restore(_ path: String, waitingMilliseconds: UInt64 = 0) throws(LeaveError) -> [LeaveMove] {
    try LeaveError.wrapping(path) { try RealmArchive(of: path).putBack(waitingMilliseconds: waitingMilliseconds) }
  }

  /// The files of a realm that are there now, under their own names or put aside, with backups that SDKs have made before
  /// an upgrade: what an app still has to keep, or may remove one day. Lock files are not among them.
  ///
  /// - Throws: `LeaveError`: `system` if the folder cannot be read.
  public static func files(of path: String) throws(LeaveError) -> [String] {
    try LeaveError.wrapping(path) { try RealmArchive(of: path).files }
  }
}

extension LeaveError {
  /// This error as one of another kind, unless it has one of these.
  fileprivate func about(_ kind: Kind, unless kept: [Kind]) -> LeaveError {
    kept.contains(self.kind)
      ? self : LeaveError(kind, path, reason, className: className, key: key, cause: cause)
  }
}
