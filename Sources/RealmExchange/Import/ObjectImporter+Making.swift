import RealmStorage

/// Creates, finds and changes objects.
extension ObjectImporter {
  func make(_ object: ImportedObject, _ open: OpenObject) throws -> ObjectKey {
    let dataClass = object.dataClass
    let table = tables[dataClass.number]
    var primaryKey: Value?
    if let index = dataClass.primaryKey {
      primaryKey = .null
      if case .plain(let value)? = object.members.first(where: { $0.property == index })?.value { primaryKey = value }
    }
    let key = try primaryKey.map { try table.create(primaryKey: $0) } ?? table.create()
    if let property = matchProperties[dataClass.number] {
      if case .plain(let value)? = object.members.first(where: { $0.property == property })?.value {
        matches[dataClass.number]?[value] = key
      }
    }
    // A link of the object to itself waits as well: it may be left out.
    if options.mostErrors > 0 { uncertain[dataClass.number].insert(key) }
    var later: [(property: Int, value: ImportedValue)] = []
    for (index, value) in object.members where index != dataClass.primaryKey {
      let property = dataClass.properties[index]
      if case .plain(let value) = value {
        if !value.isSame(as: property.defaultValue) {
          try table.set(property.name, of: key, to: value.inSet)
        }
      } else if let known = try resolved(value) {
        try set(known, property, of: key, in: table)
      } else {
        later.append((index, value))
      }
    }
    try setGivenDefaults(of: object, key, in: table)
    uncertain[dataClass.number].remove(key)
    if !later.isEmpty { try wait(ImportedObject(dataClass: dataClass, members: later), key, isNew: true, open) }
    count(dataClass) { $0.inserted += 1 }
    return key
  }

  private func setGivenDefaults(of object: ImportedObject, _ key: ObjectKey, in table: TableEditor) throws {
    let dataClass = object.dataClass
    guard dataClass.givenDefaults.contains(where: { $0 != nil }) else { return }
    let given = Set(object.members.map(\.property))
    for property in dataClass.properties where !given.contains(property.index) && property.index != dataClass.primaryKey
    {
      if let value = dataClass.givenDefaults[property.index] { try table.set(property.name, of: key, to: value) }
    }
  }

  func change(_ object: ImportedObject, _ key: ObjectKey, _ open: OpenObject) throws {
    let known = try object.members.map { (property: $0.property, value: try resolved($0.value)) }
    // What an object gets later must not come before what it gets earlier.
    guard known.allSatisfy({ $0.value != nil }), !waiting.contains(key, object.dataClass) else {
      counts[object.dataClass.number].read += 1
      return try wait(object, key, isNew: false, open)
    }
    let isChanged = try change(
      key, of: object.dataClass, known.compactMap { member in member.value.map { (member.property, $0) } })
    count(object.dataClass) { if isChanged { $0.updated += 1 } else { $0.unchanged += 1 } }
  }

  /// - Returns: whether any value is different from before.
  func change(
    _ key: ObjectKey, of dataClass: DataClass, _ members: [(property: Int, value: ImportedValue)]
  ) throws -> Bool {
    let table = tables[dataClass.number]
    var isChanged = false
    for (index, value) in members where index != dataClass.primaryKey || matchProperties[dataClass.number] != nil {
      let property = dataClass.properties[index]
      guard try !isSame(value, table.value(property.name, of: key), property) else { continue }
      isChanged = true
      try set(value, property, of: key, in: table)
    }
    return isChanged
  }

  /// Whether a property already has a value; embedded objects are compared by content.
  private func isSame(_ value: ImportedValue, _ old: Value, _ property: DataProperty) throws -> Bool {
    switch (value, old) {
    case (.plain(let value), _): return value.inSet.isSame(as: old)
    case (.embedded(let object), .link(_, let key)):
      let table = tables[object.dataClass.number]
      let given = Set(object.members.map(\.property))
      for property in object.dataClass.properties where !given.contains(property.index) {
        let value = object.dataClass.givenDefaults[property.index] ?? property.defaultValue
        guard try value.isSame(as: table.value(property.name, of: key)) else { return false }
      }
      return try object.members.allSatisfy { index, value in
        let property = object.dataClass.properties[index]
        return try isSame(value, table.value(property.name, of: key), property)
      }
    case (.list(let elements), .list(let others)):
      return try elements.count == others.count
        && zip(elements, others).allSatisfy { try isSame($0, $1, property) }
    case (.dictionary(let entries), .dictionary(let others)):
      return try entries.count == others.count
        && entries.allSatisfy { name, value in try others[name].map { try isSame(value, $0, property) } ?? false }
    default: return false
    }
  }

  func set(_ value: ImportedValue, _ property: DataProperty, of key: ObjectKey, in table: TableEditor) throws {
    switch value {
    case .plain(let value): try table.set(property.name, of: key, to: value.inSet)
    case .embedded(let object):
      try fill(try table.createEmbedded(in: property.name, of: key), with: object)
    case .list(let elements):
      try table.set(property.name, of: key, to: .list([]))
      for element in elements {
        guard case .embedded(let object) = element else { continue }
        try fill(try table.createEmbedded(in: property.name, of: key), with: object)
      }
    case .dictionary(let entries):
      try table.set(property.name, of: key, to: .dictionary([:]))
      for (name, value) in entries {
        if case .embedded(let object) = value {
          try fill(try table.createEmbedded(in: property.name, of: key, dictionaryKey: name), with: object)
        } else {
          try table.setEntry(name, of: property.name, of: key, to: .null)
        }
      }
    case .set, .pending: throw BuildError.wrongType
    }
  }

  private func fill(_ key: ObjectKey, with object: ImportedObject) throws {
    let table = tables[object.dataClass.number]
    for (index, value) in object.members {
      try set(value, object.dataClass.properties[index], of: key, in: table)
    }
    try setGivenDefaults(of: object, key, in: table)
  }
}
