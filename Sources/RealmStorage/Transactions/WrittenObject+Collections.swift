/// Changes of single elements of collections. The whole collection is written again when the transaction is committed.
extension WrittenObject {
  /// Appends an element to a list. A dictionary makes an embedded object.
  ///
  /// - Throws: as `set`; an error of kind `change` if the property is not a list.
  public func append(_ element: (any RealmConvertible)?, to property: String) throws(RealmError) {
    try changing(property) { table, column in
      switch try table.prepareElement(element, for: column, place) {
      case .plain(let value): try table.append(value, to: column.name, of: key)
      case .object(let members):
        let count = try list(column, table).count
        try table.insertEmbedded(members, at: count, in: column.name, of: key)
      case .list, .dictionary: throw BuildError.wrongType
      }
    }
  }

  /// Inserts an element into a list. A dictionary makes an embedded object.
  ///
  /// - Parameters:
  ///   - element: nil for null.
  ///   - index: of the element before which it is inserted, from 0; the number of elements for the end.
  ///   - property: the name of the list.
  /// - Throws: as `append`; an error of kind `change` if the list is shorter.
  public func insert(_ element: (any RealmConvertible)?, at index: Int, in property: String) throws(RealmError) {
    try changing(property) { table, column in
      switch try table.prepareElement(element, for: column, place) {
      case .plain(let value): try table.insert(value, at: index, in: column.name, of: key)
      case .object(let members):
        _ = try list(column, table)
        try table.insertEmbedded(members, at: index, in: column.name, of: key)
      case .list, .dictionary: throw BuildError.wrongType
      }
    }
  }

  private func list(_ column: EditedColumn, _ table: TableEditor) throws -> [Value] {
    guard case .list(let elements) = try table.value(column.name, of: key) else { throw BuildError.wrongType }
    return elements
  }

  /// Replaces an element of a list.
  ///
  /// - Parameters:
  ///   - index: from 0.
  ///   - property: the name of the list.
  ///   - element: nil for null.
  /// - Throws: as `insert`.
  public func setElement(
    at index: Int, of property: String, to element: (any RealmConvertible)?
  ) throws(RealmError) {
    try changing(property) { table, column in
      guard case .plain(let value) = try table.prepareElement(element, for: column, place) else {
        throw BuildError.wrongType
      }
      try table.setElement(at: index, of: column.name, of: key, to: value)
    }
  }

  /// Removes an element from a list.
  ///
  /// - Parameters:
  ///   - index: from 0.
  ///   - property: the name of the list.
  /// - Throws: as `insert`.
  public func removeElement(at index: Int, of property: String) throws(RealmError) {
    try changing(property) { table, column in try table.removeElement(at: index, of: column.name, of: key) }
  }

  /// Inserts an element into a set, unless it contains it already.
  ///
  /// - Throws: as `set`; an error of kind `change` if the property is not a set.
  public func insert(_ element: (any RealmConvertible)?, into property: String) throws(RealmError) {
    try changing(property) { table, column in
      guard case .plain(let value) = try table.prepareElement(element, for: column, place) else {
        throw BuildError.wrongType
      }
      try table.insert(value, into: column.name, of: key)
    }
  }

  /// Removes an element from a set, if it contains it.
  ///
  /// - Throws: as for inserting.
  public func remove(_ element: (any RealmConvertible)?, from property: String) throws(RealmError) {
    try changing(property) { table, column in
      guard case .plain(let value) = try table.prepareElement(element, for: column, place) else {
        throw BuildError.wrongType
      }
      try table.remove(value, from: column.name, of: key)
    }
  }

  /// Sets the value of an entry of a dictionary. For embedded objects, a dictionary makes one.
  ///
  /// - Parameters:
  ///   - entry: its name.
  ///   - property: the name of the dictionary.
  ///   - element: nil for an entry that is null; `removeEntry` removes it.
  /// - Throws: as `set`; an error of kind `change` if the property is not a dictionary.
  public func setEntry(
    _ entry: String, of property: String, to element: (any RealmConvertible)?
  ) throws(RealmError) {
    try changing(property) { table, column in
      guard column.collection == .dictionary else { throw BuildError.wrongType }
      let value = try table.prepareElement(element, for: column, place)
      try table.setEntry(RealmString(entry), of: column.name, of: key, making: value)
    }
  }

  /// Removes an entry of a dictionary, if there is one of that name.
  ///
  /// - Throws: as `setEntry`.
  public func removeEntry(_ entry: String, of property: String) throws(RealmError) {
    try changing(property) { table, column in
      try table.setEntry(RealmString(entry), of: column.name, of: key, to: nil)
    }
  }

  private func changing(_ property: String, _ body: (TableEditor, EditedColumn) throws -> Void) throws(RealmError) {
    try asking { table in
      let column = try self.column(property, table)
      guard try table.contains(key) else { throw table.noSuchObject(key) }
      try body(table, column)
    }
  }
}
