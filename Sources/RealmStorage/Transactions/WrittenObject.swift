/// An object of a transaction: what is read from it shows all changes so far, and what is set is committed with the
/// transaction.
///
/// ```swift
/// let rex = try tx.create("Dog", ["name": "Rex", "age": 3])
/// try rex.set("age", to: rex.get("age", as: Int.self) + 1)
/// try rex.set("owner", to: tx.object("Person", primaryKey: 1))
/// try alice.append(rex, to: "dogs")
/// ```
///
/// It can be kept and sent to other threads, but every call throws an error of kind `change` when the transaction has ended,
/// on another thread than that of the transaction, and when the object was deleted. All calls throw an error of kind
/// `damaged` where the file is.
public struct WrittenObject: Sendable {
  /// The key of the object in its class.
  public let key: ObjectKey
  let place: WrittenPlace

  init(_ place: WrittenPlace, _ key: ObjectKey) { (self.place, self.key) = (place, key) }

  /// The name of its class, without `class_`.
  public var className: String { TableSchema.displayName(ofTable: place.name).description }

  /// Whether it has not been deleted.
  public func exists() throws(RealmError) -> Bool { try asking { try $0.contains(key) } }

  /// Runs a call with the object's table.
  func asking<Result>(_ body: (TableEditor) throws -> Result) throws(RealmError) -> Result {
    try place.asking { try body(place.editor) }
  }

  // MARK: Reading

  /// The value of a property.
  ///
  /// - Parameters:
  ///   - property: its name.
  ///   - type: what the value is given as; `Value` takes every value.
  /// - Throws: `RealmError` because of a `ValueMismatch` if there is no such property, or its value is null or of another
  ///   type.
  public func get<T: RealmConvertible>(_ property: String, as type: T.Type = T.self) throws(RealmError) -> T {
    try asking { table in
      let name = RealmString(property)
      guard table.columns[name] != nil, place.isVisible(name) else {
        let names = table.columns.all.map(\.name).filter(place.isVisible).map(\.description)
        throw ValueMismatch(.absent(names: names), expected: type, at: property)
      }
      let value = try table.value(name, of: key)
      do { return try T(realmValue: value) } catch let error as ValueMismatch { throw error.inside(property) }
    }
  }

  /// The object that a property links to; nil for null, or if the object does not exist.
  ///
  /// - Throws: an error of kind `change` if there is no such property; because of a `ValueMismatch` if its value is
  ///   something else than a link.
  public func link(_ property: String) throws(RealmError) -> WrittenObject? {
    try asking { table in
      let value = try linking(property, table)
      switch value {
      case .null: return nil
      case .link, .typedLink: return try place.object(linkedBy: value)
      default: throw ValueMismatch(value, expected: WrittenObject.self).inside(property)
      }
    }
  }

  /// The objects in a list or set of links, in the order of the list. Links to objects that do not exist are left out.
  ///
  /// - Throws: as `link`.
  public func links(_ property: String) throws(RealmError) -> [WrittenObject] {
    try asking { table in
      let value = try linking(property, table)
      guard let elements = value.elements else {
        throw ValueMismatch(value, expected: [WrittenObject].self).inside(property)
      }
      return try elements.compactMap(place.object(linkedBy:))
    }
  }

  private func linking(_ property: String, _ table: TableEditor) throws -> Value {
    let name = RealmString(property)
    try place.requireVisible(name)
    return try table.value(name, of: key)
  }

  /// The objects that link to this one through a property, each once for every link.
  ///
  /// - Parameter origin: class and property, such as `Person.dogs`.
  /// - Throws: an error of kind `change` if there is no such class or property, or it does not link to this class.
  public func backlinks(_ origin: String) throws(RealmError) -> [WrittenObject] {
    try asking { table in
      let transaction = try place.transaction
      // Classes of models cannot have a point in their names, properties can.
      let parts = origin.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let from = try transaction.place(ofClass: parts.first ?? "", place.scope)
      let column = try from.editor.column(RealmString(parts.count == 2 ? parts[1] : ""))
      guard column.canHoldLinks, column.element.code == .mixed || column.element.target == table.key else {
        throw BuildError.wrongType
      }
      let groups = try table.backlinks(of: key).filter { $0.table == from.table && $0.property == column.name }
      return groups.flatMap(\.origins).map { WrittenObject(from, $0) }
    }
  }

  // MARK: Changing

  /// Gives a property another value.
  ///
  /// A whole number can be given for every property of numbers that stores it exactly; an array for a list or a set; an
  /// object for a link. For an embedded object, a dictionary of its properties makes a new one in place of the old one;
  /// `createEmbedded` does the same.
  ///
  /// - Parameters:
  ///   - property: its name.
  ///   - value: nil for null.
  /// - Throws: an error of kind `change` if the class does not have the property or cannot store the value, or the
  ///   property is the primary key, which changes only in a migration.
  public func set(_ property: String, to value: (any RealmConvertible)?) throws(RealmError) {
    try asking { table in
      let column = try self.column(property, table)
      guard try table.contains(key) else { throw table.noSuchObject(key) }
      try table.set(column.name, of: key, making: table.prepare(value, for: column, of: key, place))
    }
  }

  func column(_ property: String, _ table: TableEditor) throws -> EditedColumn {
    let name = RealmString(property)
    try place.requireVisible(name)
    return try table.column(name)
  }

  /// Makes an embedded object: in place of the one that a property links to, or at the end of its list.
  ///
  /// - Parameters:
  ///   - property: links to an embedded class.
  ///   - entry: of a property that is a dictionary, and only then: the entry that the object becomes.
  ///   - values: of the new object, by the names of its properties; others get the default of their type.
  /// - Throws: an error of kind `change` for what cannot be stored.
  @discardableResult
  public func createEmbedded(
    _ property: String, entry: String? = nil, _ values: [String: (any RealmConvertible)?] = [:]
  ) throws(RealmError) -> WrittenObject {
    try asking { table in
      let column = try self.column(property, table)
      guard try table.contains(key) else { throw table.noSuchObject(key) }
      guard column.element.code == .link, let target = try place.transaction.table(column.element.target) else {
        throw BuildError.wrongType
      }
      let members = try target.prepare(NewValues(values).given, of: nil, place.place(of: target))
      let made = try table.createEmbedded(in: column.name, of: key, dictionaryKey: entry.map { RealmString($0) })
      for member in members { try target.set(member.property, of: made, making: member.value) }
      return WrittenObject(place.place(of: target), made)
    }
  }

  /// Deletes the object: links to it become null or disappear, and its embedded objects are deleted with it.
  ///
  /// - Throws: an error of kind `change` if it was deleted before.
  public func delete() throws(RealmError) { try asking { try $0.delete(key) } }
}

/// So that objects can be given wherever values can, also in arrays and dictionaries.
extension WrittenObject: RealmConvertible {
  /// - Throws: `ValueMismatch`, always: a link alone does not say of which transaction the object is. Use `link` or `links`.
  public init(realmValue: Value) throws(ValueMismatch) {
    throw ValueMismatch(realmValue, expected: WrittenObject.self)
  }

  /// A link to the object.
  public var realmValue: Value { .link(place.table, key) }
}
