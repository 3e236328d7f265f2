/// Changes of single elements of collections. The collection is written again as a whole when the transaction is
/// committed.
extension TableEditor {
  /// Puts an element behind the others of a list.
  ///
  /// - Throws: as `set`; `BuildError.wrongType` where the property is not a list.
  public func append(_ element: Value, to property: RealmString, of key: ObjectKey) throws {
    try changeList(property, of: key) { $0.append(element) }
  }

  /// Puts an element into a list, in front of the one at `index`, or behind all where `index` is their number.
  ///
  /// - Throws: as `append`; `EditError.noSuchElement`.
  public func insert(_ element: Value, at index: Int, in property: RealmString, of key: ObjectKey) throws {
    try changeList(property, of: key) { list in
      guard 0...list.count ~= index else { throw EditError.noSuchElement(index: index, count: list.count) }
      list.insert(element, at: index)
    }
  }

  /// Puts an element in the place of the one at `index`.
  ///
  /// - Throws: as `insert`.
  public func setElement(at index: Int, of property: RealmString, of key: ObjectKey, to element: Value) throws {
    try changeList(property, of: key) { list in
      guard list.indices ~= index else { throw EditError.noSuchElement(index: index, count: list.count) }
      list[index] = element
    }
  }

  /// Takes an element out of a list.
  ///
  /// - Throws: as `insert`.
  public func removeElement(at index: Int, of property: RealmString, of key: ObjectKey) throws {
    try changeList(property, of: key) { list in
      guard list.indices ~= index else { throw EditError.noSuchElement(index: index, count: list.count) }
      list.remove(at: index)
    }
  }

  /// Puts an element into a set, where it is not in it yet.
  ///
  /// - Throws: as `set`; `BuildError.wrongType` where the property is not a set.
  public func insert(_ element: Value, into property: RealmString, of key: ObjectKey) throws {
    try changeSet(property, of: key) { set in
      if !set.contains(where: element.isSameElement) { set.append(element) }
    }
  }

  /// Takes an element out of a set, where it is in it.
  ///
  /// - Throws: as for inserting.
  public func remove(_ element: Value, from property: RealmString, of key: ObjectKey) throws {
    try changeSet(property, of: key) { set in set.removeAll(where: element.isSameElement) }
  }

  /// Gives an entry of a dictionary a value, or takes it out.
  ///
  /// - Parameter value: nil to take the entry out.
  /// - Throws: as `set`; `BuildError.wrongType` where the property is not a dictionary.
  public func setEntry(_ name: RealmString, of property: RealmString, of key: ObjectKey, to value: Value?) throws {
    guard case .dictionary(var entries) = try self.value(property, of: key) else { throw BuildError.wrongType }
    entries[name] = value
    try set(property, of: key, to: .dictionary(entries))
  }

  private func changeList(_ property: RealmString, of key: ObjectKey, _ change: (inout [Value]) throws -> Void) throws {
    guard case .list(var elements) = try value(property, of: key) else { throw BuildError.wrongType }
    try change(&elements)
    try set(property, of: key, to: .list(elements))
  }

  private func changeSet(_ property: RealmString, of key: ObjectKey, _ change: (inout [Value]) -> Void) throws {
    guard case .set(var elements) = try value(property, of: key) else { throw BuildError.wrongType }
    change(&elements)
    try set(property, of: key, to: .set(elements))
  }
}

extension Value {
  /// Whether two elements are one to a set, and to somebody who looks for an element: numbers by their values, so that 1,
  /// 1.0 and decimal 1.00 are one, and a NaN is itself.
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
