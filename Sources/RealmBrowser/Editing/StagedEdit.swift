import RealmStorage

/// One change of objects that is not written yet, in a form that outlives a snapshot.
struct StagedEdit: Hashable, Sendable {
  enum Change: Hashable, Sendable {
    /// Sets a property, or a place inside its value, to another value. The entry of a dictionary may be new.
    case set(RealmString, [ValueAddress.Step], UnmanagedValue)
    /// Adds an element to a list, before the one at a position or at the end; to a set, in its place.
    case insert(RealmString, [ValueAddress.Step], at: Int, UnmanagedValue)
    /// Removes an element or an entry.
    case remove(RealmString, [ValueAddress.Step])
    /// Moves an element of a list to another position.
    case move(RealmString, [ValueAddress.Step], to: Int)
    case create(primaryKey: Value?, [UnmanagedValue.Member])
    case delete
  }

  /// Full name of the table.
  var table: RealmString
  /// What is changed; empty if an object is created.
  var keys: [ObjectKey]
  var change: Change

  var property: RealmString? {
    switch change {
    case .set(let property, _, _), .insert(let property, _, _, _), .remove(let property, _), .move(let property, _, _):
      property
    case .create, .delete: nil
    }
  }

  /// The same for other objects.
  func with(_ keys: [ObjectKey]) -> StagedEdit { StagedEdit(table: table, keys: keys, change: change) }

  /// The same for objects that have other keys.
  func mapped(in tableKey: TableKey, _ link: (TableKey, ObjectKey) -> ObjectKey) -> StagedEdit {
    var edit = with(keys.map { link(tableKey, $0) })
    switch change {
    case .set(let property, let steps, let value): edit.change = .set(property, steps, value.mappingLinks(link))
    case .insert(let property, let steps, let position, let value):
      edit.change = .insert(property, steps, at: position, value.mappingLinks(link))
    case .create(let primaryKey, let members):
      edit.change = .create(
        primaryKey: primaryKey, members.map { .init($0.property, $0.value.mappingLinks(link)) })
    case .remove, .move, .delete: break
    }
    return edit
  }

  // MARK: - Doing it

  /// An object that an edit made.
  struct Made: Hashable, Sendable {
    let table: TableKey
    let key: ObjectKey
  }

  /// Makes the change.
  ///
  /// - Returns: the objects that it created, in order; the requested one comes first.
  /// - Throws: `EditError`, `BuildError` for a change that is impossible, a part of which may be done then;
  ///   `StorageError`.
  func apply(to transaction: WriteTransaction) throws -> [Made] {
    let table = try transaction.table(self.table)
    var made: [Made] = []
    switch change {
    case .create(let primaryKey, let members):
      let key = try primaryKey.map { try table.create(primaryKey: $0) } ?? table.create()
      made.append(Made(table: table.key, key: key))
      for member in members {
        try table.set(member.property, of: key, making: member.value) { made.append(Made(table: $0, key: $1)) }
      }
    case .delete:
      for key in keys where try !table.contains(key) { throw EditError.noSuchObject(table: self.table, key: key) }
      try table.delete(keys)
    case .set, .insert, .remove, .move:
      for key in keys { try apply(to: key, table) { made.append(Made(table: $0, key: $1)) } }
    }
    return made
  }

  private func apply(to key: ObjectKey, _ table: TableEditor, _ made: TableEditor.Made) throws {
    switch change {
    case .set(let property, let steps, let new):
      guard !steps.isEmpty else { return try table.set(property, of: key, making: new, made: made) }
      guard case .plain(let plain) = new else { return try setEmbedded(new, property, steps, key, table, made) }
      try edit(property, of: key, in: table) { try $0.change(at: steps[...]) { $0 = plain } }
    case .insert(let property, let steps, let position, let new):
      guard case .plain(let plain) = new else {
        guard steps.isEmpty, case .object(let members) = new else { throw BuildError.wrongType }
        return try table.insertEmbedded(members, at: position, in: property, of: key, made: made)
      }
      try edit(property, of: key, in: table) { value in
        try value.change(at: steps[...]) { try Value.insert(plain, at: position, into: &$0) }
      }
    case .remove(let property, let steps):
      try edit(property, of: key, in: table) { try $0.change(at: steps[...]) { $0 = nil } }
    case .move(let property, let steps, let position):
      guard case .position(let old)? = steps.last else { throw BuildError.wrongType }
      try edit(property, of: key, in: table) { value in
        try value.change(at: steps.dropLast()) { try Value.move(old, to: position, in: &$0) }
      }
    case .create, .delete: break
    }
  }

  private func edit(
    _ property: RealmString, of key: ObjectKey, in table: TableEditor, _ body: (inout Value) throws -> Void
  ) throws {
    var value = try table.value(property, of: key)
    try body(&value)
    try table.set(property, of: key, to: value)
  }

  /// An element or entry that is an embedded object.
  private func setEmbedded(
    _ new: UnmanagedValue, _ property: RealmString, _ steps: [ValueAddress.Step], _ key: ObjectKey,
    _ table: TableEditor, _ made: TableEditor.Made
  ) throws {
    guard steps.count == 1, case .object(let members) = new else { throw BuildError.wrongType }
    switch steps[0] {
    case .key(let name): try table.setEntry(name, of: property, of: key, making: new, made: made)
    case .position(let position):
      try table.insertEmbedded(members, at: position, in: property, of: key, made: made)
      try table.removeElement(at: position + 1, of: property, of: key)
    }
  }
}

extension Value {
  /// Changes the value at a place inside; nil at the end of the path removes it.
  ///
  /// - Throws: `EditError.noSuchElement`; `BuildError.wrongType` if such a place is impossible.
  fileprivate mutating func change(
    at steps: ArraySlice<ValueAddress.Step>, _ body: (inout Value?) throws -> Void
  ) throws {
    guard let step = steps.first else {
      var whole: Value? = self
      try body(&whole)
      guard let whole else { throw BuildError.wrongType }
      self = whole
      return
    }
    switch (step, self) {
    case (.position(let position), .list(var elements)):
      try Self.change(&elements, at: position, steps.dropFirst(), body)
      self = .list(elements)
    case (.position(let position), .set(var elements)):
      try Self.change(&elements, at: position, steps.dropFirst(), body)
      if elements.indices ~= position {
        let new = elements[position]
        let isTwice = elements.indices.contains { $0 != position && elements[$0].isSameElement(as: new) }
        guard !isTwice else { throw BrowserProblem.alreadyInSet }
      }
      self = .set(elements)
    case (.key(let key), .dictionary(var entries)):
      var inner = entries[key]
      if steps.count == 1 { try body(&inner) } else { try inner?.change(at: steps.dropFirst(), body) }
      entries[key] = inner
      self = .dictionary(entries)
    default: throw BuildError.wrongType
    }
  }

  private static func change(
    _ elements: inout [Value], at position: Int, _ rest: ArraySlice<ValueAddress.Step>,
    _ body: (inout Value?) throws -> Void
  ) throws {
    guard elements.indices ~= position else {
      throw EditError.noSuchElement(index: position, count: elements.count)
    }
    guard rest.isEmpty else { return try elements[position].change(at: rest, body) }
    var element: Value? = elements[position]
    try body(&element)
    if let element { elements[position] = element } else { elements.remove(at: position) }
  }

  fileprivate static func insert(_ new: Value, at position: Int, into value: inout Value?) throws {
    switch value {
    case .list(var elements)?:
      guard 0...elements.count ~= position else {
        throw EditError.noSuchElement(index: position, count: elements.count)
      }
      elements.insert(new, at: position)
      value = .list(elements)
    case .set(let elements)?:
      guard !elements.contains(where: new.isSameElement) else { throw BrowserProblem.alreadyInSet }
      value = .set(elements + [new])
    default: throw BuildError.wrongType
    }
  }

  fileprivate static func move(_ old: Int, to position: Int, in value: inout Value?) throws {
    guard case .list(var elements)? = value else { throw BuildError.wrongType }
    guard elements.indices ~= old, elements.indices ~= position else {
      throw EditError.noSuchElement(index: max(old, position), count: elements.count)
    }
    elements.insert(elements.remove(at: old), at: position)
    value = .list(elements)
  }
}
