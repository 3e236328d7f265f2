import RealmSystem

/// A realm that has been opened for reading, nothing locked or created.
package struct OpenedRealm {
  package let bytes: OpenedBytes
  package let snapshot: Snapshot
  /// Finds out who else has it open; nil if no other process can.
  private let holdersQuery: ThreadResult<LockHolders, Never>?

  /// - Parameters:
  ///   - path: of the realm; nil if nobody else can have it open.
  ///   - choice: which of its snapshots to read.
  /// - Throws: `StorageError`.
  package init(_ bytes: OpenedBytes, heldAt path: String? = nil, choosing choice: SnapshotChoice = .live) throws {
    holdersQuery = path.map { LockHolders.query(realm: $0) }
    self.bytes = bytes
    snapshot = try Snapshot(of: bytes.store, wasDecrypted: bytes.isEncrypted, choosing: choice)
  }

  /// Opens a file that is read again, such as one that was just written.
  ///
  /// - Throws: `StorageError`.
  package init(fileAt path: String, key: EncryptionKey?) throws { try self.init(ByteStore.open(.path(path), key: key)) }

  /// Other processes that have it open. Ask for them as late as possible, because the answer may take a while.
  package var holders: LockHolders { holdersQuery?.get() ?? .processes([]) }

  /// The classes with their objects, sorted by name, embedded classes included.
  ///
  /// - Throws: `StorageError`.
  package func classCounts() throws -> [ClassCount] {
    try snapshot.tables.filter(\.schema.isClass)
      .map { ClassCount(name: $0.schema.displayName, objectCount: try $0.objectCount()) }
      .sorted { $0.name < $1.name }
  }
}

/// A class and how many objects it has.
package struct ClassCount: Sendable, Equatable {
  package let name: RealmString
  package let objectCount: Int

  package init(name: RealmString, objectCount: Int) { (self.name, self.objectCount) = (name, objectCount) }
}

/// Lends a realm, in one consistent state, to those who read it.
package protocol RealmReader {
  /// - Parameter canStartAgain: asked before `body` runs again, because the file has changed meanwhile.
  func read<Result>(canStartAgain: () throws -> Bool, _ body: (OpenedRealm) throws -> Result) throws -> Result
}

extension RealmReader {
  package func read<Result>(_ body: (OpenedRealm) throws -> Result) throws -> Result {
    try read(canStartAgain: { true }, body)
  }
}

/// Reads a file without a lock, and makes sure that everything was read from one state.
///
/// If an app commits in between, the bytes may be a mixture of two states; the head of the file shows it.
package struct ConsistentReading {
  private let open: () throws -> OpenedBytes

  package init(_ source: RealmSource, key: EncryptionKey?) { open = { try ByteStore.open(source, key: key) } }

  /// Of a file, in pages; see `ByteStore.openFile`.
  init(fileAt path: String, key: EncryptionKey?) { open = { try ByteStore.openFile(path, key: key) } }

  private static let attemptLimit = 5

  /// Passes the file to `body`, and does so again with the new state if the file has changed.
  ///
  /// - Parameters:
  ///   - canStartAgain: asked before `body` runs again, because it may have printed something that cannot be taken
  ///     back.
  ///   - body: gets the bytes and the head of the file, which identifies its state.
  /// - Returns: the result of `body` for one state, even an error: failures on a mixture do not count.
  /// - Throws: `StorageError` if the file cannot be opened; `OutputError.changedMeanwhile`.
  package func run<Result>(
    canStartAgain: () throws -> Bool = { true }, _ body: (OpenedBytes, _ head: [UInt8]) throws -> Result
  ) throws -> Swift.Result<Result, any Error> {
    var attempt = 1
    while true {
      let bytes = try open()
      // Of an encrypted file, the first page is in memory already.
      let head = try bytes.loadedState()
      let outcome = Swift.Result { try body(bytes, head) }
      if try bytes.isUnchanged(since: head) { return outcome }
      attempt += 1
      guard attempt <= Self.attemptLimit, try canStartAgain() else {
        throw OutputError.changedMeanwhile(path: bytes.path)
      }
    }
  }
}
