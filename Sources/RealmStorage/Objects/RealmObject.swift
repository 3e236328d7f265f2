/// One object with its values as they were read. The values are copies: they live on when the file has changed. Links are
/// followed in the realm that the object was read from.
///
/// ```swift
/// if let dog = try realm.objects("Dog").object(primaryKey: 1) {
///   print(dog["name"]?.stringValue ?? "", try dog.link("owner")?["name"] ?? .null)
/// }
/// ```
public struct RealmObject: Sendable {
  /// The realm that the object was read from.
  public let realm: Realm
  private let shape: ObjectShape
  /// The key of the object in its class.
  public let key: ObjectKey
  /// The values that were read; collections with all that they contain. Those of all properties are in the order of
  /// `schema`.
  public let values: [Value]

  init(realm: Realm, shape: ObjectShape, key: ObjectKey, values: [Value]) {
    (self.realm, self.shape, self.key, self.values) = (realm, shape, key, values)
  }

  package var table: Table { shape.table }

  /// The class of the object with its properties.
  public var schema: TableSchema { shape.table.schema }

  /// The name of the class, without `class_`.
  public var className: String { "\(schema.displayName)" }

  /// The names of the values: all properties, or the columns that were asked for.
  public var columns: [String] { shape.columns }

  /// The value of a property, or of a path that was asked for; nil if it was not read, or does not exist.
  public subscript(_ column: String) -> Value? { shape.index(of: column).map { values[$0] } }

  /// The value of a property, or of a path that was asked for, as a type of the program.
  ///
  /// ```swift
  /// let age = try dog.get("age", as: Int.self)
  /// let name: String? = try dog.get("name")
  /// ```
  ///
  /// - Throws: for a `ValueMismatch`, which tells apart what was not read or does not exist, null, and another type.
  public func get<T: RealmConvertible>(_ column: String, as type: T.Type = T.self) throws(RealmError) -> T {
    guard let index = shape.index(of: column) else {
      throw RealmError(path: realm.path, ValueMismatch(.absent(names: columns), expected: T.self, at: column))
    }
    return try RealmError.wrapping(realm.path) {
      do { return try T(realmValue: values[index]) } catch let error as ValueMismatch { throw error.inside(column) }
    }
  }

  /// A link to the object, as an argument of a query and as a value to be written.
  public var reference: Value { .typedLink(table.key, key) }

  /// The object that a property, or a path that was asked for, links to.
  ///
  /// - Returns: nil if there is no link.
  /// - Throws: for a `NameError` if the name is unknown or was not read, or if the value is neither a link nor null; if
  ///   the file is damaged, so that the object does not exist.
  public func link(_ column: String) throws(RealmError) -> RealmObject? {
    let (index, value) = try value(column)
    switch value {
    case .null where [.object, .mixed].contains(shape.property(at: index).property.type): return nil
    case .link(let tableKey, let key), .typedLink(let tableKey, let key):
      if key.isUnresolved { return nil }
      guard let object = try realm.object(linkedBy: value) else {
        let error = realm.snapshot.table(tableKey)?.danglingLink(to: key) ?? realm.snapshot.danglingLink(to: key)
        throw RealmError(path: realm.path, error)
      }
      return object
    default: throw notALink(index)
    }
  }

  /// The objects that a list, set or dictionary of links has, in its order; those of a dictionary in the order of its keys,
  /// entries without a link left out. Of a link to one object, that one.
  ///
  /// - Throws: for a `NameError` if the name is unknown or was not read, or if the property does not have links of one
  ///   class; `Realm.object(linkedBy:)` follows those of Mixed values.
  public func links(_ column: String) throws(RealmError) -> RealmObjects {
    let (index, value) = try value(column)
    let property = shape.property(at: index).property
    guard property.type == .object,
      let target = realm.snapshot.tables.first(where: { $0.schema.name == property.target })
    else { throw notALink(index) }
    let elements: [Value] =
      switch value {
      case .list(let elements), .set(let elements): elements
      case .dictionary(let entries): entries.sorted { $0.key < $1.key }.map(\.value)
      default: [value]
      }
    let keys = elements.compactMap { element -> ObjectKey? in
      if case .link(_, let key) = element, !key.isUnresolved { key } else { nil }
    }
    return RealmObjects(realm: realm, table: target, keys: keys)
  }

  /// The objects that link to this one through a property, whether or not a model declares the inverse.
  ///
  /// ```swift
  /// let owners = try dog.backlinks("Person.dogs")
  /// ```
  ///
  /// - Parameter property: of a class, as `Class.property`.
  /// - Returns: in the order of the file, which has no meaning; one that links twice is there twice.
  /// - Throws: for `NameError.noSuchBacklink`, which names the properties that link to the class.
  public func backlinks(_ property: String) throws(RealmError) -> RealmObjects {
    let candidates = incomingLinks()
    guard let found = candidates.first(where: { "\($0.origin.schema.displayName).\($0.property.name)" == property })
    else {
      let known = candidates.map { "\($0.origin.schema.displayName).\($0.property.name)" }
      throw RealmError(path: realm.path, NameError.noSuchBacklink(property, className: className, known: known))
    }
    return try RealmObjects(realm: realm, table: found.origin, keys: keys { $0 == found.index })
  }

  /// The objects that link to this one, for each property of each class through which one does.
  public func backlinks() throws(RealmError) -> [RealmBacklinks] {
    var groups: [RealmBacklinks] = []
    for link in incomingLinks() {
      let keys = try keys { $0 == link.index }
      guard !keys.isEmpty else { continue }
      let objects = RealmObjects(realm: realm, table: link.origin, keys: keys)
      groups.append(RealmBacklinks(property: "\(link.property.name)", objects: objects))
    }
    return groups
  }

  // MARK: Names

  private func value(_ column: String) throws(RealmError) -> (index: Int, Value) {
    guard let index = shape.index(of: column) else { throw RealmError(path: realm.path, shape.unknown(column)) }
    return (index, values[index])
  }

  private func notALink(_ index: Int) -> RealmError {
    let (property, table) = shape.property(at: index)
    return RealmError(
      path: realm.path, NameError.notALink("\(property.name)", className: "\(table.schema.displayName)"))
  }

  // MARK: Backlinks

  /// A property that can link here; the index is that of the table's groups of backlinks, nil if it has none.
  private struct IncomingProperty {
    let origin: Table
    let property: Property
    let index: Int?
  }

  /// Of a Mixed property that is known only once it has linked here.
  private func incomingLinks() -> [IncomingProperty] {
    let snapshot = realm.snapshot
    let links = snapshot.incomingLinks(to: table)
    return snapshot.tables.flatMap { origin in
      origin.schema.properties.indices.compactMap { index -> IncomingProperty? in
        let property = origin.schema.properties[index]
        let place = links.firstIndex { $0.origin == origin.key && $0.propertyIndex == index }
        guard place != nil || property.target == schema.name else { return nil }
        return IncomingProperty(origin: origin, property: property, index: place)
      }
    }
  }

  private func keys(_ isWanted: (Int) -> Bool) throws(RealmError) -> [ObjectKey] {
    try RealmError.wrapping(realm.path) {
      try realm.shared.use { snapshot, _ in
        guard let place = try table.object(key) else { return [] }
        let groups = snapshot.backlinks(to: place.batch, row: place.row)
        return try groups.indices.filter(isWanted).flatMap { index in
          let group = try groups[index].get()
          return try group.originKeys(at: 0..<group.count, in: snapshot).map { try $0.get() }
        }
      }
    }
  }
}
