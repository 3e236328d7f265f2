import RealmStorage

/// A realm that has been opened for reading, nothing locked or created.
struct OpenedRealm {
  let bytes: OpenedBytes
  let snapshot: Snapshot
  /// Asks who else has it open; nil where nobody can.
  let holdersQuery: LockHoldersQuery?

  /// Other processes that have it open. To be asked for as late as possible, because the answer may take a while.
  var holders: LockHolders { holdersQuery?.holders ?? .processes([]) }
}

extension RealmInput {
  /// Lends the realm to `body`, and makes sure that what was read was one consistent state.
  ///
  /// A reader takes no lock. If an app commits meanwhile, what was read may be a mixture; the head of the file shows
  /// it. Then `body` runs again on the new state, unless it has said something that cannot be taken back. A file
  /// that has grown since it was opened is such a case even if its header did not change after that.
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
      let realm = try open(bytes)
      console.note(realm.facts, path: name)
      return try body(realm)
    }
  }

  /// The same for a file whose inside is not believed.
  func readBytes<Result>(
    _ console: Console, with key: EncryptionKey?, _ body: (OpenedBytes) throws -> Result
  ) throws -> Result {
    try readBytes(console, with: key, canStartAgain: { true }, body)
  }

  private func readBytes<Result>(
    _ console: Console, with key: EncryptionKey?, canStartAgain: () throws -> Bool,
    _ body: (OpenedBytes) throws -> Result
  ) throws -> Result {
    MappingFault.installHandler(message: console.line(lostFile, .error))
    do {
      var attempt = 1
      while true {
        let bytes = try ByteStore.open(isStandardInput ? .standardInput : .path(path), key: key)
        try requireOtherOutput(than: bytes)
        let head = try bytes.rereadHeader()
        let outcome = Swift.Result { try body(bytes) }
        if try bytes.rereadHeader() == head, !bytes.hasOtherSize {
          warnIfBackup(on: console)
          return try outcome.get()
        }
        attempt += 1
        guard attempt <= Self.attemptLimit, try canStartAgain() else { throw changedMeanwhile }
      }
    } catch let error as StorageError {
      throw Diagnostic(error, path: name)
    }
  }

  private static let attemptLimit = 5

  /// What the path is a backup of, by its name.
  private var realmOfBackup: String? { isStandardInput ? nil : RealmSource.path(path).realmOfBackup }

  /// Says that what is read is not what an app uses.
  private func warnIfBackup(on console: Console) {
    guard let realm = realmOfBackup else { return }
    console.warn(
      Diagnostic(
        .done, .invalidDatabase, path: path, "is a backup of a realm, not the realm itself",
        advice: "the realm is \(realm)"))
  }

  /// Finds what is to be read only: a pipe, which is not there afterwards, and a backup, which would be none any more.
  ///
  /// - Throws: `Diagnostic`.
  func requireChangeable() throws {
    guard isStandardInput || !RealmSource.path(path).isPipe else {
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
      .failed, .fileExists, path: name, "standard output is the file that is read", advice: "send it to another file")
  }

  private func open(_ bytes: OpenedBytes) throws -> OpenedRealm {
    let query = isStandardInput ? nil : LockHoldersQuery(realm: path)
    let snapshot = try Snapshot(of: bytes.store, wasDecrypted: bytes.isEncrypted)
    return OpenedRealm(bytes: bytes, snapshot: snapshot, holdersQuery: query)
  }

  /// What is said where the file behind a mapping goes away.
  var lostFile: Diagnostic {
    Diagnostic(
      .failed, .fileOperationFailed, path: name, "the file was cut short, or its disk failed, while it was read")
  }

  private var changedMeanwhile: Diagnostic {
    Diagnostic(
      .inUse, .fileOperationFailed, path: name, "the file changed while it was read",
      advice: "try again when the app that has it open is idle")
  }
}

extension OpenedRealm {
  /// What `--verbose` tells.
  fileprivate var facts: String {
    let header = snapshot.header
    return "file format \(header.format), \(header.form.rawValue) form, "
      + (bytes.isEncrypted ? "encrypted, " : "") + "snapshot version \(snapshot.version), "
      + "\(snapshot.tables.count) tables"
  }

  /// The tables that cannot be read at all, as far as they are asked for.
  ///
  /// - Parameter includesInternal: whether tables that are no classes are asked for.
  func damagedTables(in selection: ClassSelection, includesInternal: Bool = true) -> [Diagnostic] {
    snapshot.damagedTables
      .filter { includesInternal || $0.name.hasPrefix(TableSchema.classPrefix) }
      .filter { selection.contains(TableSchema.displayName(ofTable: $0.name)) }
      .map { table in
        let kind = table.name.hasPrefix(TableSchema.classPrefix) ? "class" : "internal table"
        let name = TableSchema.displayName(ofTable: table.name)
        return Diagnostic("\(kind) '\(name)'", because: table.error, path: bytes.path)
      }
  }

  /// Says that somebody else has the realm open, so that what is shown may already be history.
  func warnIfHeld(on console: Console) {
    guard case .processes(let processes) = holders, !processes.isEmpty else { return }
    console.warn(
      Diagnostic(
        .done, .alreadyOpen, path: bytes.path,
        "file is open in another process; showing the last committed state",
        detail: processes.map(\.text).joined(separator: ", ")))
  }
}
