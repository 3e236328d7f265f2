/// Objects of one class: all of them, or some that were chosen.
///
/// All of them come in the order of their keys, chosen ones in the order in which they were chosen. They are read when they
/// are asked for, some at a time: at most 256, and not more than one if it has a mebibyte of values.
///
/// ```swift
/// let dogs = try realm.objects("Dog")
/// try dogs.forEach { dog in print(dog["name"]?.stringValue ?? "") }
/// ```
public struct RealmObjects: Sendable {
  /// The realm that the objects are in.
  public let realm: Realm
  package let table: Table
  /// The objects that were chosen, in their order; nil for all.
  package let keys: [ObjectKey]?

  package init(realm: Realm, table: Table, keys: [ObjectKey]? = nil) {
    (self.realm, self.table, self.keys) = (realm, table, keys)
  }

  /// The name of the class as an SDK uses it, without `class_`.
  public var name: String { "\(table.schema.displayName)" }

  /// The class with its properties.
  public var schema: TableSchema { table.schema }

  /// The number of objects. It is stored, so that none of them is read.
  public func count() throws(RealmError) -> Int {
    if let keys { return keys.count }
    return try reading { _ in try table.objectCount() }
  }

  /// The object of the class with a key; nil if there is none.
  public func object(_ key: ObjectKey) throws(RealmError) -> RealmObject? {
    let shape = realm.shared.shape(of: table)
    return try reading { snapshot in try object(key, shape, snapshot) }
  }

  /// The object of the class with a primary key; nil if there is none.
  ///
  /// - Throws: for `NameError.noPrimaryKey`.
  public func object(primaryKey value: some RealmConvertible) throws(RealmError) -> RealmObject? {
    guard let index = schema.primaryKeyIndex, schema.properties.indices.contains(index) else {
      throw RealmError(path: realm.path, NameError.noPrimaryKey(className: name))
    }
    return try object(whereProperty: index, is: value.realmValue)
  }

  /// The first object of the class whose property has a value; nil if there is none.
  ///
  /// An index of the property is searched first. What it does not find is searched for among all objects, so that a
  /// damaged index hides nothing.
  ///
  /// - Throws: for `NameError.noSuchProperty`.
  public func object(where property: String, is value: some RealmConvertible) throws(RealmError) -> RealmObject? {
    guard let index = schema.properties.firstIndex(where: { $0.name == RealmString(property) }) else {
      throw RealmError(path: realm.path, realm.shared.shape(of: table).unknown(property))
    }
    return try object(whereProperty: index, is: value.realmValue)
  }

  /// Calls `body` with one object after another. It ends with the first error, of reading or of `body`.
  ///
  /// - Parameters:
  ///   - columns: see `cursor`.
  ///   - body: gets each object.
  /// - Throws: `RealmError`; what `body` throws.
  public func forEach(columns: [String]? = nil, _ body: (RealmObject) throws -> Void) throws {
    var cursor = try cursor(columns: columns)
    while let object = try cursor.next() { try body(object) }
  }

  /// A walk over the objects, which can go on after an object that cannot be read.
  ///
  /// ```swift
  /// var cursor = try dogs.cursor(columns: ["name", "owner.name"])
  /// while let dog = try cursor.next() { print(dog["owner.name"] ?? .null) }
  /// ```
  ///
  /// - Parameter columns: what is read of each object: names of properties, and paths over links to one object, such as
  ///   `owner.name`, which are null if a link is; nil for all properties.
  /// - Throws: for a `NameError`.
  public func cursor(columns: [String]? = nil) throws(RealmError) -> RealmCursor {
    RealmCursor(self, try shape(columns))
  }

  /// The objects, some at a time, for `for try await`. They are read on a thread of their own.
  ///
  /// ```swift
  /// for try await batch in dogs.batches(of: 256) { save(batch) }
  /// ```
  ///
  /// - Parameters:
  ///   - size: objects in a batch, 1 or more; the last one can have fewer.
  ///   - columns: see `cursor`; what is wrong with them is thrown by the first `next`.
  public func batches(of size: Int = 256, columns: [String]? = nil) -> RealmBatches {
    RealmBatches(objects: self, columns: columns, size: max(size, 1))
  }

  // MARK: Reading

  func shape(_ columns: [String]?) throws(RealmError) -> ObjectShape {
    guard let columns else { return realm.shared.shape(of: table) }
    return try RealmError.wrapping(realm.path) { try ObjectShape(table, columns: columns, in: realm.snapshot) }
  }

  func reading<Result>(_ body: (Snapshot) throws -> Result) throws(RealmError) -> Result {
    try RealmError.wrapping(realm.path) { try realm.shared.use { snapshot, _ in try body(snapshot) } }
  }

  private func object(_ key: ObjectKey, _ shape: ObjectShape, _ snapshot: Snapshot) throws -> RealmObject? {
    guard let place = try table.object(key) else { return nil }
    var reader = RowReader(shape, in: snapshot)
    reader.begin(place.batch)
    return RealmObject(realm: realm, shape: shape, key: key, values: try reader.values(of: place.batch, row: place.row))
  }

  private func object(whereProperty index: Int, is value: Value) throws(RealmError) -> RealmObject? {
    let shape = realm.shared.shape(of: table)
    let indexed = try reading { snapshot -> RealmObject? in
      guard let found = try? table.indexedObject(ofProperty: index, is: value, in: snapshot), let key = found.key else {
        return nil
      }
      return try object(key, shape, snapshot)
    }
    if let indexed { return indexed }
    let found = try alone { snapshot, table in
      try table.firstObject(ofProperty: index, is: value, in: snapshot, releasesPages: true)
    }
    guard let found else { return nil }
    return try object(found)
  }

  /// Runs work that gives back pages by itself.
  package func alone<Result>(_ body: (Snapshot, Table) throws -> Result) throws(RealmError) -> Result {
    try RealmError.wrapping(realm.path) {
      try realm.shared.useAlone { snapshot in
        guard let table = snapshot.table(table.key) else {
          throw StorageError.corrupted(.null, .badTable("it no longer exists"))
        }
        return try body(snapshot, table)
      }
    }
  }
}

/// The links to an object through one property.
public struct RealmBacklinks: Sendable {
  /// The linking property.
  public let property: String
  /// The linking objects of their class, in the order of the file, which has no meaning; one that links twice is there
  /// twice.
  public let objects: RealmObjects
}
