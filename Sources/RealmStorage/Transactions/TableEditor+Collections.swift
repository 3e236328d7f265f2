/// Changes of single elements of collections. The whole collection is written again when the transaction is committed.
extension TableEditor {
  /// Appends an element to a list.
  ///
  /// - Throws: as `set`; `BuildError.wrongType` if the property is not a list.
  package func append(_ element: Value, to property: RealmString, of key: ObjectKey) throws(RealmError) {
    try changeList(property, of: key) { $0.append(element) }
  }

  /// Inserts an element into a list, before the one at `index`, or at the end if `index` is the number of elements.
  ///
  /// - Throws: as `append`; `EditError.noSuchElement`.
  package func insert(_ element: Value, at index: Int, in property: RealmString, of key: ObjectKey) throws(RealmError) {
    try changeList(property, of: key) { list in
      guard 0...list.count ~= index else { throw EditError.noSuchElement(index: index, count: list.count) }
      list.insert(element, at: index)
    }
  }

  /// Replaces the element at `index`.
  ///
  /// - Throws: as `insert`.
  package func setElement(at index: Int, of property: RealmString, of key: ObjectKey, to element: Value)
    throws(RealmError)
  {
    try changeList(property, of: key) { list in
      guard list.indices ~= index else { throw EditError.noSuchElement(index: index, count: list.count) }
      list[index] = element
    }
  }

  /// Removes an element from a list.
  ///
  /// - Throws: as `insert`.
  package func removeElement(at index: Int, of property: RealmString, of key: ObjectKey) throws(RealmError) {
    try changeList(property, of: key) { list in
      guard list.indices ~= index else { throw EditError.noSuchElement(index: index, count: list.count) }
      list.remove(at: index)
    }
  }

  /// Inserts an element into a set that does not contain it yet.
  ///
  /// - Throws: as `set`; `BuildError.wrongType` if the property is not a set.
  package func insert(_ element: Value, into property: RealmString, of key: ObjectKey) throws(RealmError) {
    try changeSet(property, of: key) { set in
      if !set.contains(where: element.isSameElement) { set.append(element) }
    }
  }

  /// Removes an element from a set, if it contains it.
  ///
  /// - Throws: as for inserting.
  package func remove(_ element: Value, from property: RealmString, of key: ObjectKey) throws(RealmError) {
    try changeSet(property, of: key) { set in set.removeAll(where: element.isSameElement) }
  }

  /// Sets the value of an entry of a dictionary, or removes the entry.
  ///
  /// - Parameter value: nil to remove the entry.
  /// - Throws: as `set`; `BuildError.wrongType` if the property is not a dictionary.
  package func setEntry(_ name: RealmString, of property: RealmString, of key: ObjectKey, to value: Value?)
    throws(RealmError)
  {
    try asking {
      guard case .dictionary(var entries) = try self.value(property, of: key) else { throw BuildError.wrongType }
      entries[name] = value
      try set(property, of: key, to: .dictionary(entries))
    }
  }

  private func changeList(
    _ property: RealmString, of key: ObjectKey, _ change: (inout [Value]) throws -> Void
  ) throws(RealmError) {
    try asking {
      guard case .list(var elements) = try value(property, of: key) else { throw BuildError.wrongType }
      try change(&elements)
      try set(property, of: key, to: .list(elements))
    }
  }

  private func changeSet(
    _ property: RealmString, of key: ObjectKey, _ change: (inout [Value]) -> Void
  ) throws(RealmError) {
    try asking {
      guard case .set(var elements) = try value(property, of: key) else { throw BuildError.wrongType }
      change(&elements)
      try set(property, of: key, to: .set(elements))
    }
  }
}

extension Value {
  /// Whether two elements are the same for a set, and for a search: numbers are compared by value, so that 1, 1.0 and
  /// decimal 1.00 are the same, and a NaN equals itself.
  package func isSameElement(as other: Value) -> Bool {
    guard isNumber, other.isNumber else { return self == other }
    let arena = ByteArena()
    return ValueOrder.compare(view(in: arena), other.view(in: arena)) == 0
  }

  private var isNumber: Bool {
    switch self {
    case .int, .float, .double, .decimal: true
    default: false
    }
  }
}
