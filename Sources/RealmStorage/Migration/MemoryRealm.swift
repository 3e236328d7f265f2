import Libc
import RealmSystem

extension Realm {
  /// The realm in memory of that name: the one that this process has, or a new one.
  ///
  /// ```swift
  /// let drafts = try Realm.inMemory("drafts", schema: model)
  /// try drafts.write { tx in try tx.create("Note", ["text": "…"]) }
  /// let notes = try drafts.open().objects("Note")
  /// ```
  ///
  /// - Parameters:
  ///   - identifier: any text.
  ///   - schema: the classes that it must have. Those that it lacks are added, as at an app's launch; nil takes it as it is.
  /// - Throws: an error of kind `schema` if the classes that it has do not fit.
  public static func inMemory(_ identifier: String, schema: Schema? = nil) throws(RealmError) -> MemoryRealm {
    let realm = try MemoryRealm.named(identifier)
    if let schema { try realm.add(schema) }
    return realm
  }
}

/// A realm that has no file, shared by everything in the process that names it.
///
/// It lives as long as anybody has this object, or a `Realm` that was opened from it; its content goes with the last of them.
/// It can be used on any thread: a transaction waits until the one before has ended.
public final class MemoryRealm: @unchecked Sendable {
  /// The name that it was opened by.
  public let identifier: String
  private let files: MemoryFiles
  /// All bytes are in pages of `files`; guarded by the turn.
  private let file: RealmFile
  private let turn = Monitor()
  /// The thread whose transaction is under way; guarded by `turn`.
  private var writer: pthread_t?

  private struct Entry {
    weak var realm: MemoryRealm?
  }

  /// By the bytes of their names.
  private static let all = Locked<[RealmString: Entry]>([:])

  private init(_ identifier: String) throws {
    self.identifier = identifier
    files = MemoryFiles(.scratch)
    let path = Self.path(identifier)
    // As engines leave a file before its first commit.
    try files.add(path, [UInt8](repeating: 0, count: 16) + RawHeader.mnemonic + [0, 0, 0, 0])
    file = try FileBackend.$calls.withValue(files) { try RealmFile(unpublished: path, key: nil) }
  }

  deinit {
    Self.all.withLock { all in if all[RealmString(identifier)]?.realm == nil { all[RealmString(identifier)] = nil } }
  }

  static func named(_ identifier: String) throws(RealmError) -> MemoryRealm {
    try RealmError.wrapping(path(identifier)) {
      try all.withLock { all in
        let name = RealmString(identifier)
        if let realm = all[name]?.realm { return realm }
        let realm = try MemoryRealm(identifier)
        all[name] = Entry(realm: realm)
        return realm
      }
    }
  }

  /// What errors and `Realm.path` name it by. No file of the system has that name.
  private static func path(_ identifier: String) -> String { "in memory: \(identifier)" }

  /// Opens the current state for reading. It stays as it is, whatever is written later.
  public func open() throws(RealmError) -> Realm {
    let path = Self.path(identifier)
    return try RealmError.wrapping(path) {
      let state = try files.frozen(path, keeping: self)
      return try Realm(path, FileBackend.$calls.withValue(state) { try ByteStore.open(.path(path), key: nil) })
    }
  }

  /// Changes the realm: everything that `changes` does becomes real at once when it returns, or nothing if it throws.
  ///
  /// - Returns: what `changes` returns.
  /// - Throws: `RealmError`, of kind `change` for a transaction in a transaction; what `changes` throws, as it is.
  @discardableResult
  public func write<Result>(_ changes: (borrowing RealmTransaction) throws -> Result) throws -> Result {
    try exclusively { try $0.write(changes) }
  }

  /// The same on a thread of its own.
  @discardableResult
  public func write<Result: Sendable>(
    _ changes: @escaping @Sendable (borrowing RealmTransaction) throws -> Result
  ) async throws -> Result {
    try await WorkerThreads.result { () throws in try self.write(changes) }
  }

  fileprivate func add(_ schema: Schema) throws(RealmError) {
    try RealmError.wrapping(Self.path(identifier)) {
      try exclusively { file in
        let version: UInt64? = file.snapshot.schema.version == nil ? schema.version ?? 0 : schema.version
        _ = try SchemaUpdate(to: schema, version: version, policy: MigrationPolicy()).run(in: file)
      }
    }
  }

  private func exclusively<Result>(_ body: (RealmFile) throws -> Result) throws -> Result {
    let own = pthread_self()
    let isFree = turn.wait(until: { writer.map { pthread_equal($0, own) != 0 } ?? true }) {
      defer { writer = own }
      return writer == nil
    }
    guard isFree else { throw RealmError(path: Self.path(identifier), WriteRefusal.transactionOpen) }
    defer { turn.change { writer = nil } }
    return try body(file)
  }
}
