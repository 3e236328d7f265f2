import RealmSystem

/// A realm to read from: one state of it, whatever happens to the file meanwhile.
///
/// Files of the formats 2 to 24 are read as they are, plain or encrypted. Nothing is locked, created or changed.
///
/// ```swift
/// let realm = try Realm.open(at: "app.realm")
/// try realm.objects("Dog").forEach { dog in
///   print(dog["name"]?.stringValue ?? "")
/// }
/// ```
///
/// Values are copies that can be kept. What is read is of the state that was opened, which is proved whenever bytes have
/// been read from the file. As soon as an app commits, that can no longer be proved of what has not been read yet: such a
/// read throws an error of the kind `changed`. Open the realm again then, or let `Realm.read` do it.
///
/// A file that another process cuts off, or that cannot be read any more, leads to an error and never to a signal.
public struct Realm: Sendable {
  package let shared: SharedSnapshot

  package var snapshot: Snapshot { shared.snapshot }

  package init(_ shared: SharedSnapshot) { self.shared = shared }

  /// A realm in memory, or one that nobody else has.
  ///
  /// - Throws: `StorageError` if not even the list of tables can be read.
  package init(_ path: String, _ bytes: OpenedBytes) throws {
    shared = try SharedSnapshot(path, bytes, head: bytes.loadedState())
  }

  /// Opens a realm. A file of any size is opened in milliseconds: objects are read on demand.
  ///
  /// - Parameters:
  ///   - path: of the realm, a regular file; `-` is a name like any other.
  ///   - key: of an encrypted realm.
  /// - Throws: `RealmError`; `Realm.probe` tells what there is without throwing.
  public static func open(at path: String, key: EncryptionKey? = nil) throws(RealmError) -> Realm {
    try RealmError.wrapping(path) {
      try ConsistentReading(fileAt: path, key: key).run { bytes, head in
        Realm(try SharedSnapshot(path, bytes, head: head))
      }.get()
    }
  }

  /// The same on a thread of its own, for when opening may take long, as from a slow disk.
  public static func open(at path: String, key: EncryptionKey? = nil) async throws(RealmError) -> Realm {
    try await WorkerThreads.result { () throws(RealmError) in try Realm.open(at: path, key: key) }
  }

  /// Opens a realm, and lets `body` read from it. Everything that `body` has read is of one state: if an app commits
  /// before it returns, it runs again with the new state, five times at most. What it does besides reading is then done
  /// again as well.
  ///
  /// ```swift
  /// let names = try Realm.read(at: "app.realm") { realm in
  ///   var names: [String] = []
  ///   try realm.objects("Dog").forEach { names.append($0["name"]?.stringValue ?? "") }
  ///   return names
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - path: of the realm, a regular file.
  ///   - key: of an encrypted realm.
  ///   - body: reads from the realm that it gets.
  /// - Returns: what `body` returns.
  /// - Throws: `RealmError`, of the kind `changed` if apps commit each time; what `body` throws.
  public static func read<Result>(
    at path: String, key: EncryptionKey? = nil, _ body: (Realm) throws -> Result
  ) throws -> Result {
    try RealmError.wrapping(path) { () throws -> Swift.Result<Result, any Error> in
      try ConsistentReading(fileAt: path, key: key).run { bytes, head in
        // Errors of `body` are its own, not of this realm.
        let realm = Realm(try SharedSnapshot(path, bytes, head: head))
        return Swift.Result { try body(realm) }
      }.get()
    }.get()
  }

  /// The same on a thread of its own, where `body` can wait for the disk.
  public static func read<Result: Sendable>(
    at path: String, key: EncryptionKey? = nil, _ body: @escaping @Sendable (Realm) throws -> Result
  ) async throws -> Result {
    try await WorkerThreads.result { () throws(any Error) in try read(at: path, key: key, body) }
  }

  /// The path, as given.
  public var path: String { shared.path }

  /// Whether the file is encrypted.
  public var isEncrypted: Bool { shared.bytes.isEncrypted }

  /// All tables with their properties. Those that are damaged are not among them; see `damagedTables`.
  public var schema: Schema { snapshot.schema }

  /// The version of the file format, 2 to 24; 0 for a file that is still empty.
  public var fileFormat: UInt8 { snapshot.header.format }

  /// The number of the commit that made this state.
  public var commit: UInt64 { snapshot.version }

  /// The objects of each class, in the order of the file, internal tables left out.
  public var classes: [RealmObjects] {
    snapshot.tables.filter(\.schema.isClass).map { RealmObjects(realm: self, table: $0) }
  }

  /// Tables whose description is damaged, with the reason. They cannot be read at all.
  public var damagedTables: [(name: String, error: RealmError)] {
    snapshot.damagedTables.map { ("\(TableSchema.displayName(ofTable: $0.name))", RealmError(path: path, $0.error)) }
  }

  /// The objects of a class.
  ///
  /// - Parameter name: of the class, without `class_`; or of an internal table.
  /// - Throws: for `NameError.noSuchClass`, which names the classes there are; for a class whose description is damaged.
  public func objects(_ name: String) throws(RealmError) -> RealmObjects {
    let name = RealmString(name)
    if let table = snapshot.table(displayName: name) { return RealmObjects(realm: self, table: table) }
    let damaged = snapshot.damagedTables.first { $0.name == TableSchema.tableName(ofClass: name) || $0.name == name }
    throw RealmError(
      path: path, damaged?.error ?? NameError.noSuchClass("\(name)", known: classes.map(\.name)) as any Error)
  }

  /// The target of a link; nil if the value is not a link, or the object no longer exists.
  public func object(linkedBy value: Value) throws(RealmError) -> RealmObject? {
    switch value {
    case .link(let table, let key), .typedLink(let table, let key):
      guard let table = snapshot.table(table), !key.isUnresolved else { return nil }
      return try RealmObjects(realm: self, table: table).object(key)
    default: return nil
    }
  }

  /// Whether an app has committed since the realm was opened. What has been read is right all the same; what has not
  /// been read yet throws an error of the kind `changed` if the answer is yes.
  public func hasChanged() throws(RealmError) -> Bool {
    try RealmError.wrapping(path) { try !shared.isUnchanged() }
  }
}
