import RealmStorage

// A dictionary is one of names and values, although it may be Encodable as well.
extension RealmTransaction {
  /// Makes an object of a value of the program.
  ///
  /// ```swift
  /// try Realm.write(at: url) { tx in try tx.create("Dog", Dog(name: "Rex", born: .now)) }
  /// ```
  ///
  /// The coding keys of the type are names of properties. A `Ref` becomes a link, a type in an embedded property an embedded
  /// object, nil becomes null; the values are those that `RealmObjects.decode` reads.
  ///
  /// - Throws: `EncodingError` for a value that no realm stores, and for a link to an object that does not exist;
  ///   `RealmError` as the `create` that takes values by their names; what the type's own code throws.
  @_disfavoredOverload @discardableResult
  public func create<T: Encodable>(_ className: String, _ object: T) throws -> WrittenObject {
    try create(className, values(of: object))
  }

  /// Makes an object of a value of the program, or changes the one that has its primary key, all encoded properties of it.
  ///
  /// - Throws: as `create`, and if the primary key is not among the values.
  @_disfavoredOverload @discardableResult
  public func upsert<T: Encodable>(_ className: String, _ object: T) throws -> WrittenObject {
    try upsert(className, values(of: object))
  }

  private func values<T: Encodable>(of object: T) throws -> [String: (any RealmConvertible)?] {
    let members = try ValueEncoder.members(of: object) { link in
      let target =
        if let primaryKey = link.primaryKey {
          try self.object(link.className, primaryKey: primaryKey)
        } else {
          try self.object(link.className, key: link.key)
        }
      guard let target else {
        throw EncodingError.invalidValue(
          link,
          EncodingError.Context(
            codingPath: [], debugDescription: "There is no such object of the class '\(link.className)' to link to."))
      }
      return target.realmValue
    }
    return members.mapValues { $0 }
  }
}
