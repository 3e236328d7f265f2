import RealmStorage

extension RealmObjects {
  /// The objects as values of a type of the program, in their order.
  ///
  /// ```swift
  /// struct Dog: Decodable { var _id: ObjectID; var name: String; var born: Date?; var toys: [Ref<Toy>] }
  /// let dogs = try realm.objects("Dog").decode(Dog.self)
  /// ```
  ///
  /// The properties of the type have the names of those of the class, or coding keys that have them. Nothing is converted
  /// that could lose something: an `int` is no `Double`, and a list no `Set`. `ObjectID`, `RealmUUID`, `Decimal128`,
  /// `Timestamp`, and `UUID`, `Date`, `Data`, `Decimal` and `URL` of Foundation are read as they are. A link is a `Ref`, an
  /// embedded object a type of its own, a Mixed value a `Value`. Null, and a property that the class lacks, need an optional.
  ///
  /// - Throws: `RealmError` if an object cannot be read; `DecodingError` if it does not fit the type, with the class and key
  ///   of the object at the beginning of the coding path; what the type's own code throws.
  public func decode<T: Decodable>(_ type: T.Type) throws -> [T] {
    var unread: [String] = []
    return try decode(type, unread: &unread)
  }

  /// The same, with what the type does not read.
  ///
  /// - Parameters:
  ///   - type: that each object becomes.
  ///   - unread: set to the names of the properties that the class has and the type did not ask for, sorted; those of an
  ///     embedded class as `Class.property`. Empty if there are no objects.
  public func decode<T: Decodable>(_ type: T.Type, unread: inout [String]) throws -> [T] {
    let decoding = Decoding(realm)
    var result: [T] = []
    result.reserveCapacity(try count())
    var cursor = try cursor()
    while let object = try cursor.next() { result.append(try decoding.decode(type, object)) }
    unread = decoding.unread(in: table.key)
    return result
  }

  /// Calls `body` with one object after another, as a value of a type of the program: for more of them than memory has room
  /// for. It ends with the first error.
  ///
  /// - Throws: as `decode`; what `body` throws.
  public func forEach<T: Decodable>(as type: T.Type, _ body: (T) throws -> Void) throws {
    let decoding = Decoding(realm)
    var cursor = try cursor()
    while let object = try cursor.next() { try body(decoding.decode(type, object)) }
  }
}

extension RealmObject {
  /// The object as a value of a type of the program; see `RealmObjects.decode`.
  ///
  /// - Throws: as `RealmObjects.decode`.
  public func decode<T: Decodable>(_ type: T.Type) throws -> T { try Decoding(realm).decode(type, self) }
}
