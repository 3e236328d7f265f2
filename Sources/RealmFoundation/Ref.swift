import RealmStorage

/// A link to an object of a class, for types that are read from a realm: the place of the object, not the object.
///
/// ```swift
/// struct Dog: Decodable { var name: String; var owner: Ref<Person>?; var toys: [Ref<Toy>] }
///
/// let dog = try realm.objects("Dog").decode(Dog.self)[0]
/// let owner = try dog.owner?.resolve(in: realm)
/// ```
///
/// - Parameter Object: the type that `resolve` makes of the target; nothing of it is stored.
public struct Ref<Object>: Hashable, Sendable {
  /// The class of the object, without `class_`.
  public let className: String
  /// The key of the object in its class.
  public let key: ObjectKey
  /// The value of its primary key; nil if the class has none.
  public let primaryKey: Value?

  /// A link to an object.
  public init(className: String, key: ObjectKey, primaryKey: Value? = nil) {
    (self.className, self.key, self.primaryKey) = (className, key, primaryKey)
  }

  /// A link to an object.
  public init(_ object: RealmObject) {
    let schema = object.schema
    let value = schema.primaryKeyIndex.flatMap { index -> Value? in
      schema.properties.indices.contains(index) ? object["\(schema.properties[index].name)"] : nil
    }
    self.init(className: object.className, key: object.key, primaryKey: value)
  }

  /// The object in a realm, which need not be the one that the link was read from: the one with the primary key if the class
  /// has one, otherwise the one with the key.
  ///
  /// - Returns: nil if there is none any more.
  /// - Throws: because of a `NameError` if the realm has no such class, or it has lost its primary key.
  public func object(in realm: Realm) throws(RealmError) -> RealmObject? {
    let objects = try realm.objects(className)
    guard let primaryKey else { return try objects.object(key) }
    // The same object has the same key as long as the realm is the same.
    if let found = try objects.object(key), Ref(found).primaryKey == primaryKey { return found }
    return try objects.object(primaryKey: primaryKey)
  }
}

extension Ref where Object: Decodable {
  /// The object in a realm, as its type; see `object(in:)`.
  ///
  /// - Throws: `RealmError`; `DecodingError` as `RealmObject.decode`.
  public func resolve(in realm: Realm) throws -> Object? { try object(in: realm)?.decode(Object.self) }
}

extension Ref: Codable {
  private enum CodingKeys: String, CodingKey { case className = "class", key, primaryKey }

  /// From a realm, a link; from anything else, what `encode` writes.
  public init(from decoder: any Decoder) throws {
    if let decoder = decoder as? ValueDecoder {
      self = try decoder.link(Self.self)
      return
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    className = try container.decode(String.self, forKey: .className)
    key = ObjectKey(rawValue: try container.decode(Int64.self, forKey: .key))
    primaryKey = try container.decodeIfPresent(Value.self, forKey: .primaryKey)
  }

  /// Into a realm, a link; into anything else, the class, the key and the primary key.
  public func encode(to encoder: any Encoder) throws {
    if let encoder = encoder as? ValueEncoder {
      try encoder.encode(link: Link(className: className, key: key, primaryKey: primaryKey))
      return
    }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(className, forKey: .className)
    try container.encode(key.rawValue, forKey: .key)
    try container.encodeIfPresent(primaryKey, forKey: .primaryKey)
  }
}

/// A link without the type of its target.
struct Link {
  let className: String
  let key: ObjectKey
  let primaryKey: Value?
}
