import RealmSystem

/// A realm to read from: one state of it, whole, whatever happens to the file meanwhile.
///
/// Files of any format from 10 on are read as they lie, plain or encrypted. Nothing is locked, created or changed.
///
/// ```swift
/// let realm = try Realm.open("app.realm")
/// for dogs in realm.classes {
///   for dog in dogs.objects {
///     print(try dog.get()["name"] ?? .null)
///   }
/// }
/// ```
///
/// Values are owned and may be kept. If an app commits more than once in the meantime, what is read afterwards may be
/// overwritten already: check `hasChanged` when you are done.
public struct Realm: Sendable {
  /// The path, as given.
  public let path: String
  /// Whether the file is encrypted.
  public let isEncrypted: Bool
  package let snapshot: Snapshot
  fileprivate let bytes: OpenedBytes
  private let head: [UInt8]

  /// - Throws: `StorageError` if not even the list of tables can be read.
  package init(_ path: String, _ bytes: OpenedBytes) throws {
    (self.path, self.bytes, isEncrypted) = (path, bytes, bytes.isEncrypted)
    head = try bytes.currentState()
    snapshot = try Snapshot(of: bytes.store, wasDecrypted: bytes.isEncrypted)
  }

  /// Opens a realm. A file of any size is opened in milliseconds: objects are read on demand.
  ///
  /// - Parameters:
  ///   - path: of the realm; `-` for standard input.
  ///   - key: of an encrypted realm.
  public static func open(_ path: String, key: EncryptionKey? = nil) throws(RealmError) -> Realm {
    try RealmError.wrapping(path) {
      try Realm(path, ByteStore.open(path == "-" ? .standardInput : .path(path), key: key))
    }
  }

  /// The same on another thread, for when opening may take long: for a pipe, or a slow disk.
  public static func open(_ path: String, key: EncryptionKey? = nil) async throws(RealmError) -> Realm {
    try await WorkerThreads.result { () throws(RealmError) in try Realm.open(path, key: key) }
  }

  /// All tables with their properties. Those that are damaged are not among them; see `damagedTables`.
  public var schema: Schema { snapshot.schema }

  /// The version of the file format, 2 to 24; 0 for a file that is still empty.
  public var fileFormat: UInt8 { snapshot.header.format }

  /// The number of the commit that made this state.
  public var commit: UInt64 { snapshot.version }

  /// The classes in the order of the file, internal tables left out.
  public var classes: [RealmClass] {
    snapshot.tables.filter(\.schema.isClass).map { RealmClass(realm: self, table: $0) }
  }

  /// Tables whose description is damaged, with the reason. They cannot be read at all.
  public var damagedTables: [(name: RealmString, error: RealmError)] {
    snapshot.damagedTables.map { ($0.name, RealmError(path: path, $0.error)) }
  }

  /// The class of that name, without `class_`; or the internal table of that name.
  public func classNamed(_ name: RealmString) -> RealmClass? {
    snapshot.table(displayName: name).map { RealmClass(realm: self, table: $0) }
  }

  /// The target of a link; nil if the value is not a link, or the object no longer exists.
  public func object(linkedBy value: Value) throws(RealmError) -> RealmObject? {
    switch value {
    case .link(let table, let key), .typedLink(let table, let key):
      guard let table = snapshot.table(table), !key.isUnresolved else { return nil }
      return try RealmClass(realm: self, table: table).object(key)
    default: return nil
    }
  }

  /// Whether an app has committed since the realm was opened. What was read before the answer is of one state if it is
  /// false.
  public func hasChanged() throws(RealmError) -> Bool {
    try RealmError.wrapping(path) { try bytes.currentState() != head }
  }
}

/// The objects of a class, and what is known about all of them.
public struct RealmClass: Sendable {
  private let realm: Realm
  package let table: Table

  init(realm: Realm, table: Table) { (self.realm, self.table) = (realm, table) }

  /// The name as an SDK uses it, without `class_`.
  public var name: RealmString { table.schema.displayName }
  /// The class with its properties.
  public var schema: TableSchema { table.schema }

  /// The number of objects. It is stored, so that none of them is read.
  public func count() throws(RealmError) -> Int { try RealmError.wrapping(realm.path) { try table.objectCount() } }

  /// All objects, in the order of their keys.
  public var objects: RealmObjects { RealmObjects(realm: realm, table: table) }

  /// The object with a key; nil if there is none.
  public func object(_ key: ObjectKey) throws(RealmError) -> RealmObject? {
    try RealmError.wrapping(realm.path) { try table.object(key, in: realm.snapshot) }
  }

  /// The first object whose property has a value; nil if there is none.
  ///
  /// An index of the property is searched first. What it does not find is searched for among all objects, so that a
  /// damaged index hides nothing.
  public func object(where property: RealmString, is value: Value) throws(RealmError) -> RealmObject? {
    try RealmError.wrapping(realm.path) {
      guard let index = schema.properties.firstIndex(where: { $0.name == property }) else { return nil }
      if let found = try? table.indexedObject(ofProperty: index, is: value, in: realm.snapshot), let key = found.key {
        return try table.object(key, in: realm.snapshot)
      }
      return try table.firstObject(ofProperty: index, is: value, in: realm.snapshot)
        .flatMap { try table.object($0, in: realm.snapshot) }
    }
  }

  /// The objects that link to an object, whether or not a model declares the inverse.
  ///
  /// - Returns: for each property of each class that links to it, the linking objects; one that links twice is listed
  ///   twice.
  public func backlinks(to key: ObjectKey) throws(RealmError) -> [RealmBacklinks] {
    try RealmError.wrapping(realm.path) {
      guard let place = try table.object(key) else { return [] }
      return try realm.snapshot.backlinks(to: place.batch, row: place.row).compactMap { group in
        let group = try group.get()
        guard group.count > 0, let origin = realm.snapshot.table(group.origin), let index = group.propertyIndex else {
          return nil
        }
        let keys = try group.originKeys(at: 0..<group.count, in: realm.snapshot).map { try $0.get() }
        return RealmBacklinks(
          className: origin.schema.displayName, property: origin.schema.properties[index].name, objects: keys)
      }
    }
  }
}

/// The links to an object through one property.
public struct RealmBacklinks: Hashable, Sendable {
  /// The class that the links start in, without `class_`.
  public let className: RealmString
  /// The linking property.
  public let property: RealmString
  /// The linking objects, in the order of the file, which has no meaning.
  public let objects: [ObjectKey]
}

/// The objects of a class in the order of their keys, read when they are needed: at most 256 are in memory.
///
/// If an object cannot be read, the sequence has an error in its place, and continues with the others.
public struct RealmObjects: Sequence, Sendable {
  fileprivate let realm: Realm
  fileprivate let table: Table

  /// A walk from the first object on.
  public func makeIterator() -> Iterator { Iterator(self) }

  /// Iterators that are copied share their place.
  public struct Iterator: IteratorProtocol {
    private let cursor: ObjectCursor

    fileprivate init(_ objects: RealmObjects) { cursor = ObjectCursor(objects) }

    /// The next object, or why it cannot be read; nil at the end.
    public mutating func next() -> Result<RealmObject, RealmError>? { cursor.next() }
  }
}

/// A place among the objects of a class.
private final class ObjectCursor {
  private let path: String
  private var place: Result<Place, any Error>?

  private struct Place {
    let snapshot: Snapshot
    let table: Table
    let walk: CollectionWalk
    var batches: ObjectBatches
    var batch: ObjectBatch?
    var columns: [PropertyValues] = []
    var row = 0
    /// Set if the walk's current place is lost.
    var isOver = false

    /// - Throws: `StorageError` if bytes that are read in pages cannot be read again.
    init(_ objects: RealmObjects) throws {
      // Its own pages can be released without asking who else is reading.
      let bytes = try objects.realm.bytes.withoutPages()
      if bytes.store === objects.realm.snapshot.store {
        (snapshot, table) = (objects.realm.snapshot, objects.table)
      } else {
        snapshot = try Snapshot(of: bytes.store, wasDecrypted: bytes.isEncrypted)
        guard let table = snapshot.table(objects.table.key) else {
          throw StorageError.corrupted(.null, .badTable("it no longer exists"))
        }
        self.table = table
      }
      walk = snapshot.collectionWalk()
      batches = table.batches()
    }

    /// - Returns: nil at the end.
    mutating func next() throws -> RealmObject? {
      while !isOver {
        if let batch, row < batch.count {
          defer { row += 1 }
          return RealmObject(
            schema: table.schema, key: batch.key(at: row),
            values: try columns.map { [row] in try Value($0.value(at: row), walk) })
        }
        batch = nil
        if snapshot.holdsTooManyPages {
          isOver = true
          try snapshot.releasePages()
          if let error = batches.restorePlaces() { throw error }
          isOver = false
        }
        switch batches.next() {
        case nil: return nil
        case .damaged(let error): throw error
        case .batch(let next):
          columns = try table.schema.properties.indices.map { try next.values(ofProperty: $0) }
          (batch, row) = (next, 0)
        }
      }
      return nil
    }
  }

  init(_ objects: RealmObjects) {
    path = objects.realm.path
    place = Result { try Place(objects) }
  }

  func next() -> Result<RealmObject, RealmError>? {
    switch place {
    case nil: return nil
    case .failure(let error):
      place = nil
      return .failure(RealmError(path: path, error))
    case .success(var current):
      // Held in one place only while it changes.
      place = nil
      defer { place = .success(current) }
      do { return try current.next().map { .success($0) } } catch { return .failure(RealmError(path: path, error)) }
    }
  }
}
