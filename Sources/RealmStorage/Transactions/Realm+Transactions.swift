import RealmSystem

extension Realm {
  /// Changes a realm: everything that `changes` does becomes real at once when it returns, or nothing if it throws.
  ///
  /// ```swift
  /// try Realm.write(at: "app.realm") { tx in
  ///   try tx.create("Dog", ["name": "Rex", "age": 3])
  /// }
  /// ```
  ///
  /// The realm is locked meanwhile. For several transactions, one after another, a `RealmFile` keeps it open.
  ///
  /// - Parameters:
  ///   - path: of a realm of format 24 that nobody has open.
  ///   - key: of an encrypted realm.
  ///   - waitingMilliseconds: how long to wait for a realm that an app has open.
  ///   - changes: makes the changes, in the transaction that it gets.
  /// - Returns: what `changes` returns.
  /// - Throws: `RealmError`; what `changes` throws, as it is.
  @discardableResult
  public static func write<Result>(
    at path: String, key: EncryptionKey? = nil, waitingMilliseconds: UInt64 = 0,
    _ changes: (borrowing RealmTransaction) throws -> Result
  ) throws -> Result {
    try RealmFile.open(at: path, key: key, waitingMilliseconds: waitingMilliseconds).write(changes)
  }

  /// The same on a thread of its own, where it can wait for other processes and for the disk. The closure cannot suspend, so
  /// that no lock is held over an `await`.
  @discardableResult
  public static func write<Result: Sendable>(
    at path: String, key: EncryptionKey? = nil, waitingMilliseconds: UInt64 = 0,
    _ changes: @escaping @Sendable (borrowing RealmTransaction) throws -> Result
  ) async throws -> Result {
    try await WorkerThreads.result { () throws in
      try write(at: path, key: key, waitingMilliseconds: waitingMilliseconds, changes)
    }
  }
}

extension RealmFile {
  /// Opens a realm of format 24 that nobody has open. Nothing of it changes before the first transaction.
  ///
  /// - Parameters:
  ///   - path: of the realm, which is locked as long as the returned object lives.
  ///   - key: of an encrypted realm.
  ///   - waitingMilliseconds: how long to wait for a realm that an app has open.
  public static func open(
    at path: String, key: EncryptionKey? = nil, waitingMilliseconds: UInt64 = 0
  ) throws(RealmError) -> RealmFile {
    try RealmError.wrapping(path) { try RealmFile(path, key: key, waitingMilliseconds: waitingMilliseconds) }
  }

  /// Changes the realm: everything that `changes` does becomes real at once when it returns, or nothing if it throws.
  ///
  /// - Returns: what `changes` returns.
  /// - Throws: `RealmError`, of kind `change` if another transaction of this object is under way; what `changes` throws, as
  ///   it is.
  @discardableResult
  public func write<Result>(_ changes: (borrowing RealmTransaction) throws -> Result) throws -> Result {
    try edit { try changes(RealmTransaction($0)) }
  }

  /// The same for changes of any kind, such as those of the schema.
  @discardableResult
  package func edit<Result>(_ changes: (WriteTransaction) throws -> Result) throws -> Result {
    let transaction = try RealmError.wrapping(path) { try WriteTransaction(self) }
    let result: Result
    do { result = try changes(transaction) } catch {
      transaction.rollBack()
      throw RealmError.ofClosure(path, error)
    }
    try RealmError.wrapping(path) {
      do { try transaction.commit() } catch {
        transaction.rollBack()
        throw error
      }
    }
    return result
  }
}

extension RealmError {
  /// What is thrown for an error from a closure of a client: the client's own errors as they are, those of the library as
  /// errors of the realm.
  package static func ofClosure(_ path: String, _ error: any Error) -> any Error {
    error is any RealmErrorCause ? RealmError(path: path, error) : error
  }
}
