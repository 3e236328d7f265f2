import RealmSystem

extension Realm {
  /// Changes a realm: everything that `changes` does becomes real at once when it returns, or nothing if it throws.
  ///
  /// ```swift
  /// try Realm.write("app.realm") { transaction in
  ///   let dogs = try transaction.classNamed("Dog")
  ///   let rex = try dogs.create()
  ///   try dogs.set("name", of: rex, to: "Rex")
  /// }
  /// ```
  ///
  /// For several transactions, one after another, a `RealmFile` keeps the realm open.
  ///
  /// - Parameters:
  ///   - path: of a realm of format 24 that nobody has open.
  ///   - key: of an encrypted realm.
  ///   - waitingMilliseconds: how long to wait for a realm that an app has open.
  /// - Returns: what `changes` returns.
  @discardableResult
  public static func write<Result>(
    _ path: String, key: EncryptionKey? = nil, waitingMilliseconds: UInt64 = 0,
    _ changes: (WriteTransaction) throws -> Result
  ) throws(RealmError) -> Result {
    try RealmFile.open(path, key: key, waitingMilliseconds: waitingMilliseconds).write(changes)
  }

  /// The same on a thread of its own, where it can wait for other processes and for the disk.
  @discardableResult
  public static func write<Result: Sendable>(
    _ path: String, key: EncryptionKey? = nil, waitingMilliseconds: UInt64 = 0,
    _ changes: @escaping @Sendable (WriteTransaction) throws -> Result
  ) async throws(RealmError) -> Result {
    try await WorkerThreads.result { () throws(RealmError) in
      try write(path, key: key, waitingMilliseconds: waitingMilliseconds, changes)
    }
  }
}

extension RealmFile {
  /// Opens a realm of format 24 that nobody has open. Nothing of it changes before the first transaction.
  ///
  /// - Parameters:
  ///   - key: of an encrypted realm.
  ///   - waitingMilliseconds: how long to wait for a realm that an app has open.
  public static func open(
    _ path: String, key: EncryptionKey? = nil, waitingMilliseconds: UInt64 = 0
  ) throws(RealmError) -> RealmFile {
    try RealmError.wrapping(path) { try RealmFile(path, key: key, waitingMilliseconds: waitingMilliseconds) }
  }

  /// Changes the realm: everything that `changes` does becomes real at once when it returns, or nothing if it throws.
  ///
  /// - Returns: what `changes` returns.
  @discardableResult
  public func write<Result>(_ changes: (WriteTransaction) throws -> Result) throws(RealmError) -> Result {
    try RealmError.wrapping(path) {
      let transaction = try WriteTransaction(self)
      do {
        let result = try changes(transaction)
        try transaction.commit()
        return result
      } catch {
        transaction.rollBack()
        throw error
      }
    }
  }
}

extension WriteTransaction {
  /// The class of that name, without `class_`.
  ///
  /// - Throws: for `EditError.noSuchTable`.
  public func classNamed(_ name: RealmString) throws(RealmError) -> TableEditor {
    try RealmError.wrapping(status.path) { try table(TableSchema.tableName(ofClass: name)) }
  }
}
