/// A value for a property, with embedded objects that no realm has yet.
package indirect enum UnmanagedValue: Hashable, Sendable {
  case plain(Value)
  /// An embedded object; properties that are not given get their defaults.
  case object([Member])
  /// A list with embedded objects in it.
  case list([UnmanagedValue])
  /// A dictionary with embedded objects in it.
  case dictionary([Entry])

  package struct Member: Hashable, Sendable {
    package var property: RealmString
    package var value: UnmanagedValue

    package init(_ property: RealmString, _ value: UnmanagedValue) { (self.property, self.value) = (property, value) }
  }

  package struct Entry: Hashable, Sendable {
    package var key: RealmString
    package var value: UnmanagedValue

    package init(_ key: RealmString, _ value: UnmanagedValue) { (self.key, self.value) = (key, value) }
  }
}

extension TableEditor {
  /// Called with each object that is created.
  package typealias Made = (TableKey, ObjectKey) -> Void

  /// Sets the value of a property, and creates the embedded objects in it.
  ///
  /// - Throws: as `set` and `createEmbedded`; `BuildError.wrongType` for embedded objects if there can be none.
  package func set(
    _ property: RealmString, of key: ObjectKey, making value: UnmanagedValue, made: Made = { _, _ in }
  ) throws {
    switch value {
    case .plain(let value): try set(property, of: key, to: value)
    case .object(let members): try fill(try createEmbedded(in: property, of: key), of: property, members, made)
    case .list(let elements):
      try set(property, of: key, to: .list([]))
      for element in elements {
        guard case .object(let members) = element else { throw BuildError.wrongType }
        try fill(try createEmbedded(in: property, of: key), of: property, members, made)
      }
    case .dictionary(let entries):
      try set(property, of: key, to: .dictionary([:]))
      for entry in entries { try setEntry(entry.key, of: property, of: key, making: entry.value, made: made) }
    }
  }

  /// Sets the value of an entry of a dictionary, and creates the embedded objects in it.
  ///
  /// - Throws: as above.
  package func setEntry(
    _ name: RealmString, of property: RealmString, of key: ObjectKey, making value: UnmanagedValue,
    made: Made = { _, _ in }
  ) throws {
    switch value {
    case .plain(let value): try setEntry(name, of: property, of: key, to: value)
    case .object(let members):
      try fill(try createEmbedded(in: property, of: key, dictionaryKey: name), of: property, members, made)
    case .list, .dictionary: throw BuildError.wrongType
    }
  }

  /// Inserts an embedded object into a list, before the element at `index`, or at the end.
  ///
  /// - Throws: as above; `EditError.noSuchElement`.
  package func insertEmbedded(
    _ members: [UnmanagedValue.Member], at index: Int, in property: RealmString, of key: ObjectKey,
    made: Made = { _, _ in }
  ) throws {
    guard case .list(let old) = try value(property, of: key) else { throw BuildError.wrongType }
    guard 0...old.count ~= index else { throw EditError.noSuchElement(index: index, count: old.count) }
    try fill(try createEmbedded(in: property, of: key), of: property, members, made)
    guard case .list(var elements) = try value(property, of: key), let last = elements.popLast() else { return }
    elements.insert(last, at: index)
    try set(property, of: key, to: .list(elements))
  }

  private func fill(
    _ new: ObjectKey, of property: RealmString, _ members: [UnmanagedValue.Member], _ made: Made
  ) throws {
    guard let name = schema.property(named: property)?.target else { throw BuildError.wrongType }
    let target = try transaction.table(name)
    made(target.key, new)
    for member in members { try target.set(member.property, of: new, making: member.value, made: made) }
  }
}

extension UnmanagedValue {
  /// The same with other links.
  package func mappingLinks(_ link: (TableKey, ObjectKey) -> ObjectKey) -> UnmanagedValue {
    switch self {
    case .plain(let value): .plain(value.mappingLinks(link))
    case .object(let members): .object(members.map { Member($0.property, $0.value.mappingLinks(link)) })
    case .list(let elements): .list(elements.map { $0.mappingLinks(link) })
    case .dictionary(let entries): .dictionary(entries.map { Entry($0.key, $0.value.mappingLinks(link)) })
    }
  }
}

extension Value {
  fileprivate func mappingLinks(_ link: (TableKey, ObjectKey) -> ObjectKey) -> Value {
    switch self {
    case .link(let table, let key): .link(table, link(table, key))
    case .typedLink(let table, let key): .typedLink(table, link(table, key))
    case .list(let elements): .list(elements.map { $0.mappingLinks(link) })
    case .set(let elements): .set(elements.map { $0.mappingLinks(link) })
    case .dictionary(let entries): .dictionary(entries.mapValues { $0.mappingLinks(link) })
    default: self
    }
  }
}
