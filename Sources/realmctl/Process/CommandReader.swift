import RealmExchange
import RealmStorage
import RealmText

/// Reads a realm for a command, with a key that has been read.
struct CommandReader: RealmReader {
  let input: RealmInput
  let key: EncryptionKey?
  let console: Console

  /// - Throws: `Diagnostic` with the path; what `body` throws.
  func read<Result>(canStartAgain: () throws -> Bool, _ body: (OpenedRealm) throws -> Result) throws -> Result {
    try input.read(console, with: key, canStartAgain: canStartAgain, body)
  }
}

extension RealmInput {
  /// Lends the realm to `body`, in one consistent state: `ConsistentReading`.
  ///
  /// - Parameter canStartAgain: asked before `body` runs again.
  /// - Throws: `Diagnostic` with the path; what `body` throws.
  func read<Result>(
    _ console: Console, canStartAgain: () throws -> Bool = { true }, _ body: (OpenedRealm) throws -> Result
  ) throws -> Result {
    try read(console, with: key?.read(for: name), canStartAgain: canStartAgain, body)
  }

  /// The same, with a key that has been read.
  func read<Result>(
    _ console: Console, with key: EncryptionKey?, canStartAgain: () throws -> Bool = { true },
    _ body: (OpenedRealm) throws -> Result
  ) throws -> Result {
    try readBytes(console, with: key, canStartAgain: canStartAgain) { bytes in
      let realm = try OpenedRealm(bytes, heldAt: isStandardInput ? nil : path, choosing: snapshot)
      console.verbose(realm.facts, path: name)
      realm.warnOfLegacy(on: console)
      return try body(realm)
    }
  }

  /// The same for a file whose content is not trusted.
  func readBytes<Result>(
    _ console: Console, with key: EncryptionKey?, canStartAgain: () throws -> Bool = { true },
    _ body: (OpenedBytes) throws -> Result
  ) throws -> Result {
    if let key { console.verbose(key, for: name) }
    do {
      let outcome = try reading(with: key, canStartAgain) { bytes in
        try requireOtherOutput(than: bytes)
        return try body(bytes)
      }
      warnIfBackup(on: console)
      return try outcome.get()
    } catch let error as StorageError {
      throw Diagnostic(error, path: name).advising(on: key)
    }
  }

  private func reading<Result>(
    with key: EncryptionKey?, _ canStartAgain: () throws -> Bool, _ body: (OpenedBytes) throws -> Result
  ) throws -> Swift.Result<Result, any Error> {
    let reading = ConsistentReading(isStandardInput ? .standardInput : .path(path), key: key)
    do { return try reading.run(canStartAgain: canStartAgain) { bytes, _ in try body(bytes) } } catch OutputError
      .changedMeanwhile
    {
      throw Diagnostic(
        .inUse, .fileOperationFailed, path: name, "the file changed while it was read",
        advice: "try again when the app that has it open is idle")
    }
  }

  /// The realm that the path is a backup of, judging by its name.
  var realmOfBackup: String? { isStandardInput ? nil : RealmSource.path(path).realmOfBackup }

  /// Warns that the file is not the one that an app uses.
  private func warnIfBackup(on console: Console) {
    guard warnsIfBackup, let realm = realmOfBackup else { return }
    console.warn(
      Diagnostic(
        .done, .invalidDatabase, path: path, "is a backup of a realm, not the realm itself",
        advice: "the realm is \(realm)"))
  }

  /// Refuses files that can only be read: a pipe, which does not exist afterwards, and a backup, which would no longer
  /// be one.
  ///
  /// - Throws: `Diagnostic`.
  func requireChangeable() throws {
    guard isStandardInput || !isPipe else {
      throw Diagnostic(
        .failed, .fileOperationFailed, path: path, "is a pipe, which can only be read",
        advice: "write it to a file first")
    }
    guard let realm = realmOfBackup else { return }
    throw Diagnostic(
      .failed, .invalidDatabase, path: path, "is a backup of a realm, not the realm itself, so it is not changed",
      advice: "use \(realm), or copy the backup to another name first")
  }

  /// Standard output is the realm itself in `open a.realm >> a.realm`.
  private func requireOtherOutput(than bytes: OpenedBytes) throws {
    guard let identity = bytes.identity, identity == SafeOutput.standardOutputIdentity else { return }
    throw Diagnostic(
      .usage, .fileExists, path: name, "standard output is the input file", advice: "redirect it to another file")
  }
}

extension RealmInput {
  /// `OpenedRealm.warnIfHeld`, for a command that reads the bytes.
  func warnIfHeld(on console: Console) {
    if !isStandardInput { console.warn(of: LockHolders.of(realm: path), path: name) }
  }
}

extension Console {
  fileprivate func warn(of holders: LockHolders, path: String) {
    guard case .processes(let processes) = holders, !processes.isEmpty else { return }
    warn(
      Diagnostic(
        .done, .alreadyOpen, path: path, "the file is open in another process; its last commit is read",
        detail: processes.map(\.detail).joined(separator: "; ")))
  }
}

extension OpenedRealm {
  /// Details for `--verbose`.
  fileprivate var facts: String {
    let header = snapshot.header
    return "file format \(header.format), \(header.form.rawValue) form, "
      + (bytes.isEncrypted ? "encrypted, " : "") + "snapshot version \(snapshot.version), "
      + "\(snapshot.tables.count.counted("table"))"
  }

  /// What messages call the file.
  var fileName: String { RealmInput(path: bytes.path).name }

  /// The requested tables that cannot be read at all.
  ///
  /// - Parameter includesInternal: whether tables that are not classes are requested.
  func damagedTables(in selection: ClassSelection, includesInternal: Bool = true) -> [Diagnostic] {
    snapshot.damagedTables
      .filter { includesInternal || $0.name.hasPrefix(TableSchema.classPrefix) }
      .filter { selection.contains(TableSchema.displayName(ofTable: $0.name)) }
      .map { table in
        let kind = table.name.hasPrefix(TableSchema.classPrefix) ? "class" : "internal table"
        let name = TableSchema.displayName(ofTable: table.name)
        return Diagnostic("\(kind) '\(name)'", because: table.error, path: fileName)
      }
  }

  /// - Throws: `Diagnostic` for a class that the file has, and that cannot be read.
  func requireReadable(_ selection: ClassSelection) throws {
    if let damaged = damagedTables(in: selection, includesInternal: false).first { throw damaged }
  }

  /// Notes that another process has the realm open, so that the output may already be out of date.
  func warnIfHeld(on console: Console) { console.warn(of: holders, path: fileName) }

  /// Warns about parts of a realm of formats 2 to 9 that are not shown as they are.
  fileprivate func warnOfLegacy(on console: Console) {
    for note in snapshot.legacyNotes {
      let column = "'\(note.column)' of '\(TableSchema.displayName(ofTable: note.table))'"
      let what =
        switch note.kind {
        case .lists(let names):
          "\(column) has subtables of several columns; each column is read as a list: "
            + names.map { "'\($0)'" }.joined(separator: ", ")
        case .leftOut(let names):
          "\(column) has subtables with columns that cannot be read as lists and are left out: "
            + names.map { "'\($0)'" }.joined(separator: ", ")
        }
      console.warn(Diagnostic(.done, .notSupported, path: fileName, what))
    }
  }

  /// Warns that a synced realm becomes a local one.
  func warnIfSynced(_ consequence: String, on console: Console) {
    guard snapshot.historyKind == .syncClient || snapshot.historyKind == .syncServer else { return }
    console.warn(Diagnostic(.done, .notSupported, path: fileName, "the realm is synced; " + consequence))
  }
}
