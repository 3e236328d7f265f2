/// Values of one object as a client gives them, by the names of properties.
struct NewValues {
  private(set) var given: [RealmString: (any RealmConvertible)?] = [:]
  /// Nil unless it was given apart.
  let primaryKey: Value?

  init(_ values: [String: (any RealmConvertible)?], primaryKey: Value? = nil) {
    self.primaryKey = primaryKey
    given.reserveCapacity(values.count)
    for (name, value) in values { given.updateValue(value, forKey: RealmString(name)) }
  }

  /// The value of a primary key, which is then no longer among the others.
  ///
  /// - Throws: `EditError.primaryKeyMismatch` if there is none, or there are two.
  fileprivate mutating func takePrimaryKey(_ name: RealmString, of table: RealmString) throws -> Value {
    switch (primaryKey, given.removeValue(forKey: name)) {
    case (let value?, nil): return value
    case (nil, let value?): return value?.realmValue ?? .null
    default: throw EditError.primaryKeyMismatch(table: table)
    }
  }
}

/// Everything is checked before anything changes, so that what is refused leaves no half-made object behind.
extension WriteTransaction {
  /// Makes an object.
  ///
  /// - Throws: as `TableEditor.create` and `set`, `TableEditor.prepare`.
  func make(_ place: WrittenPlace, _ values: NewValues) throws -> WrittenObject {
    let table = try place.editor
    var values = values
    guard table.kind != .embedded else { throw EditError.embeddedObject(table: table.name) }
    guard let primaryKey = table.columns.primaryKey else {
      guard values.primaryKey == nil else { throw EditError.primaryKeyMismatch(table: table.name) }
      let members = try table.prepare(values.given, of: nil, place)
      return try fill(table.create(), members, table, place)
    }
    let value = try values.takePrimaryKey(primaryKey.name, of: table.name)
    let members = try table.prepare(values.given, of: nil, place)
    let key = try table.create(primaryKey: value, allowsDuplicates: place.scope != nil)
    return try fill(key, members, table, place)
  }

  /// Makes an object, or changes the one that has its primary key.
  ///
  /// - Throws: as `make`.
  func update(_ place: WrittenPlace, _ values: NewValues) throws -> WrittenObject {
    let table = try place.editor
    var others = values
    guard let primaryKey = table.columns.primaryKey else { throw EditError.primaryKeyMismatch(table: table.name) }
    let value = try others.takePrimaryKey(primaryKey.name, of: table.name)
    try primaryKey.require(value)
    guard let key = try table.find(primaryKey: value) else { return try make(place, values) }
    return try fill(key, table.prepare(others.given, of: key, place), table, place)
  }

  private func fill(
    _ key: ObjectKey, _ members: [UnmanagedValue.Member], _ table: TableEditor, _ place: WrittenPlace
  ) throws -> WrittenObject {
    for member in members { try table.set(member.property, of: key, making: member.value) }
    return WrittenObject(place, key)
  }
}

extension TableEditor {
  /// What the properties of an object will store, in the order of the properties.
  ///
  /// - Parameter key: of the object; nil for one that is not there yet.
  /// - Throws: `EditError`, `BuildError` for what `set` would refuse.
  func prepare(
    _ given: [RealmString: (any RealmConvertible)?], of key: ObjectKey?, _ place: WrittenPlace
  ) throws -> [UnmanagedValue.Member] {
    for name in given.keys.sorted() {
      try place.requireVisible(name)
      _ = try column(name)
    }
    return try columns.all.compactMap { column in
      guard let value = given[column.name] else { return nil }
      return UnmanagedValue.Member(column.name, try prepare(value, for: column, of: key, place))
    }
  }

  /// What a property will store.
  ///
  /// - Parameters, and errors: as above; also `EditError.fixedPrimaryKey`.
  func prepare(
    _ given: (any RealmConvertible)?, for column: EditedColumn, of key: ObjectKey?, _ place: WrittenPlace
  ) throws -> UnmanagedValue {
    if column.canHoldLinks { try place.requireOwn(given) }
    let value = try self.storable(given?.realmValue ?? .null, in: column, depth: 0)
    if place.scope == nil, let key, column.key == columns.primaryKeyName,
      value != .plain(try self.value(column.name, of: key))
    {
      throw EditError.fixedPrimaryKey(table: name)
    }
    try require(value, in: column, of: key)
    return value
  }

  /// An element of a collection, as the property stores it.
  ///
  /// - Throws: as above.
  func prepareElement(
    _ given: (any RealmConvertible)?, for column: EditedColumn, _ place: WrittenPlace
  ) throws -> UnmanagedValue {
    if column.canHoldLinks { try place.requireOwn(given) }
    let value = given?.realmValue ?? .null
    if let target = try embeddedTarget(of: column), case .dictionary(let entries) = value {
      let element = UnmanagedValue.object(try target.members(entries, depth: 0))
      try require(element, in: column, of: nil)
      return element
    }
    return .plain(try Self.element(value, of: column.element, depth: 1))
  }

  // MARK: Form

  private func embeddedTarget(of column: EditedColumn) throws -> TableEditor? {
    guard column.element.code == .link, let target = try transaction.table(column.element.target) else { return nil }
    return target.kind == .embedded ? target : nil
  }

  /// The form in which a property stores a value: links by the kind of property, whole numbers as the property's numbers,
  /// elements of sets once, and embedded objects made of the dictionaries that are given for them.
  ///
  /// - Throws: `BuildError.tooDeep`; `EditError.noSuchProperty` of an embedded object.
  private func storable(_ value: Value, in column: EditedColumn, depth: Int) throws -> UnmanagedValue {
    guard let target = try embeddedTarget(of: column) else { return .plain(try Self.plain(value, in: column)) }
    func made(_ value: Value) throws -> UnmanagedValue {
      guard case .dictionary(let entries) = value else {
        return .plain(try Self.element(value, of: column.element, depth: depth))
      }
      return .object(try target.members(entries, depth: depth + 1))
    }
    switch (column.collection, value) {
    case (nil, .dictionary): return try made(value)
    case (.list, .list(let elements)) where elements.contains(where: \.isDictionary):
      return .list(try elements.map(made))
    case (.dictionary, .dictionary(let entries)) where entries.values.contains(where: \.isDictionary):
      return .dictionary(
        try entries.sorted { $0.key < $1.key }.map { UnmanagedValue.Entry($0.key, try made($0.value)) })
    default: return .plain(try Self.plain(value, in: column))
    }
  }

  private func members(_ entries: [RealmString: Value], depth: Int) throws -> [UnmanagedValue.Member] {
    guard depth <= ColumnBuilder.mostLevels else { throw BuildError.tooDeep }
    for name in entries.keys.sorted() { _ = try column(name) }
    return try columns.all.compactMap { column in
      guard let value = entries[column.name] else { return nil }
      return UnmanagedValue.Member(column.name, try storable(value, in: column, depth: depth))
    }
  }

  private static func plain(_ value: Value, in column: EditedColumn) throws -> Value {
    func elements(_ elements: [Value]) throws -> [Value] {
      try elements.map { try element($0, of: column.element, depth: 1) }
    }
    switch (column.collection, value) {
    case (.list, .list(let all)): return .list(try elements(all))
    case (.set, .list(let all)), (.set, .set(let all)):
      var seen: Set<Value> = []
      return .set(try elements(all).filter { seen.insert($0).inserted })
    case (.dictionary, .dictionary(let entries)):
      return .dictionary(try entries.mapValues { try element($0, of: column.element, depth: 1) })
    case (nil, _): return try element(value, of: column.element, depth: 0)
    default: return value
    }
  }

  private static func element(_ value: Value, of type: ElementType, depth: Int) throws -> Value {
    switch (type.code, value) {
    case (.mixed, .link(let table, let key)): return .typedLink(table, key)
    case (.mixed, .list(let elements)):
      guard depth <= ColumnBuilder.mostLevels else { throw BuildError.tooDeep }
      return .list(try elements.map { try element($0, of: type, depth: depth + 1) })
    case (.mixed, .dictionary(let entries)):
      guard depth <= ColumnBuilder.mostLevels else { throw BuildError.tooDeep }
      return .dictionary(try entries.mapValues { try element($0, of: type, depth: depth + 1) })
    case (.link, .typedLink(let table, let key)): return .link(table, key)
    // A literal such as 3 is an `Int`, whatever the property stores. What would be rounded is refused.
    case (.double, .int(let number)): return Double(exactly: number).map { .double($0) } ?? value
    case (.float, .int(let number)): return Float(exactly: number).map { .float($0) } ?? value
    case (.decimal, .int(let number)):
      let size = Unsigned128(high: 0, low: number.magnitude)
      return .decimal(Decimal128(coefficient: size, exponent: 0, isNegative: number < 0))
    default: return value
    }
  }

  // MARK: Checks

  private func require(_ value: UnmanagedValue, in column: EditedColumn, of key: ObjectKey?) throws {
    switch value {
    case .plain(let value):
      try column.require(value)
      guard value.hasLinks else { return }
      if let target = try embeddedTarget(of: column) {
        try target.requireOnlyKnown(value, orIn: key.map { try self.value(column.name, of: $0) } ?? .null)
      }
      let transaction = try transaction
      try value.forEachLink { target, key in
        try transaction.requireObject(key, of: target, linkedFrom: self)
        if column.element.code == .mixed { try transaction.requireTopLevel(target) }
      }
    case .object(let members):
      guard let target = try embeddedTarget(of: column) else { throw BuildError.wrongType }
      for member in members { try target.require(member.value, in: target.column(member.property), of: nil) }
    case .list(let elements):
      for element in elements {
        // Objects that are in the list already cannot be mixed with new ones.
        guard case .object = element else { throw BuildError.wrongType }
        try require(element, in: column, of: nil)
      }
    case .dictionary(let entries):
      for entry in entries {
        try BuildError.requireDictionaryKey(entry.key)
        if case .object = entry.value { try require(entry.value, in: column, of: nil) }
        if case .plain(let value) = entry.value, value != .null { throw BuildError.wrongType }
      }
    }
  }
}

extension WrittenPlace {
  /// Objects of other transactions have keys that mean other objects here, or none.
  ///
  /// - Throws: `EditError.otherTransaction`, `ended`.
  func requireOwn(_ given: (any RealmConvertible)?) throws {
    try (given as? any ObjectContainer)?.forEachObject { object in
      guard object.place.status === status else { throw EditError.otherTransaction(table: object.place.name) }
    }
  }
}

/// An object that is given as a value, or a collection of such, at any depth.
private protocol ObjectContainer {
  func forEachObject(_ body: (WrittenObject) throws -> Void) throws
}

extension WrittenObject: ObjectContainer {
  fileprivate func forEachObject(_ body: (WrittenObject) throws -> Void) throws { try body(self) }
}

extension Optional: ObjectContainer where Wrapped: ObjectContainer {
  fileprivate func forEachObject(_ body: (WrittenObject) throws -> Void) throws { try self?.forEachObject(body) }
}

extension Array: ObjectContainer where Element: ObjectContainer {
  fileprivate func forEachObject(_ body: (WrittenObject) throws -> Void) throws {
    for element in self { try element.forEachObject(body) }
  }
}

extension Dictionary: ObjectContainer where Value: ObjectContainer {
  fileprivate func forEachObject(_ body: (WrittenObject) throws -> Void) throws {
    for value in values { try value.forEachObject(body) }
  }
}

extension Value {
  fileprivate var isDictionary: Bool { if case .dictionary = self { true } else { false } }
}
