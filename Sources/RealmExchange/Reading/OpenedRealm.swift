import RealmStorage

/// A realm that has been opened for reading, nothing locked or created.
package struct OpenedRealm {
  package let bytes: OpenedBytes
  package let snapshot: Snapshot
  /// Asks who else has it open; nil where nobody can.
  private let holdersQuery: ThreadResult<LockHolders, Never>?

  /// - Parameters:
  ///   - path: of the realm; nil for one that nobody else can have open.
  ///   - choice: which of its snapshots is read.
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

  /// Other processes that have it open. To be asked for as late as possible, because the answer may take a while.
  package var holders: LockHolders { holdersQuery?.get() ?? .processes([]) }

  /// The classes with their objects, by name, embedded ones included.
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

/// Reads a file without a lock, and makes sure that what was read was one state.
///
/// If an app commits meanwhile, what was read may be a mixture; the head of the file shows it. A file that has grown since
/// it was opened is such a case even if its header did not change after that.
package struct ConsistentReading {
  private let source: RealmSource
  private let key: EncryptionKey?

  package init(_ source: RealmSource, key: EncryptionKey?) { (self.source, self.key) = (source, key) }

  private static let attemptLimit = 5

  /// Lends the file to `body`, again on the new state where it has changed meanwhile.
  ///
  /// - Parameters:
  ///   - canStartAgain: asked before `body` runs again: it may have said something that cannot be taken back.
  ///   - body: gets the bytes and the head of the file, which tells its state.
  /// - Returns: what came of `body` on one state, also an error: what fails on a mixture does not count.
  /// - Throws: `StorageError` where the file cannot be opened; `OutputError.changedMeanwhile`.
  package func run<Result>(
    canStartAgain: () throws -> Bool = { true }, _ body: (OpenedBytes, _ head: [UInt8]) throws -> Result
  ) throws -> Swift.Result<Result, any Error> {
    var attempt = 1
    while true {
      let bytes = try ByteStore.open(source, key: key)
      let head = try bytes.rereadHeader()
      let outcome = Swift.Result { try body(bytes, head) }
      if try bytes.rereadHeader() == head, !bytes.hasOtherSize { return outcome }
      attempt += 1
      guard attempt <= Self.attemptLimit, try canStartAgain() else {
        throw OutputError.changedMeanwhile(path: bytes.path)
      }
    }
  }
}
