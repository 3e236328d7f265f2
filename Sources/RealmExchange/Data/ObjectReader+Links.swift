import RealmStorage
import RealmText

extension ObjectReader {
  // MARK: Links

  /// A link: the target's key, `{"$link": …}`, or the target itself.
  func readLink(_ property: DataProperty, _ token: JSONReader.Token, _ object: OpenObject) throws -> StagedCell? {
    guard let number = property.target else { return nil }
    let target = classes[number]
    guard token == .beginObject else {
      if let lookup = property.lookup {
        return try lookedUp(lookup, of: target, object) {
          let type = target.properties[lookup].type
          return try scalars.read(token, as: type, into: object.values, limit: property.byteLimit)
        }
      }
      return property.targetIsEmbedded ? nil : try readIdentity(of: target, token, object)
    }
    let first = try reader.next()
    guard first == .key, reader.withText({ $0.first == UInt8(ascii: "$") }) else {
      return try readInnerObject(of: target, first, object)
    }
    if let lookup = property.lookup, target.property(namedByLastKeyOf: reader, expected: 0) == nil {
      let isNamed = reader.textEquals("$link")
      return try lookedUp(lookup, of: target, object) {
        if isNamed { return try namedKey(of: target, target.properties[lookup].type, property.byteLimit, object) }
        return try scalars.wrapped(as: target.properties[lookup].type, into: object.values, limit: property.byteLimit)
      }
    }
    // A property may have the name of a wrapper; then it takes the rest of the wrapper to be one.
    if target.property(namedByLastKeyOf: reader, expected: 0) != nil, try !reader.peek({ try isWrapper(of: target) }) {
      return try readInnerObject(of: target, first, object)
    }
    if property.targetIsEmbedded { return try readWrappedEmbedded(of: target) }
    if reader.textEquals("$link") { return try readNamedLink(object, expected: target) }
    guard let primaryKey = target.primaryKey else { return nil }
    return try link(to: target, object) {
      try scalars.wrapped(as: target.properties[primaryKey].type, into: object.values, limit: property.byteLimit)
    }
  }

  /// Whether the object whose first key is read is an embedded object with its class around it, a link that names its
  /// class, or a primary key with its type.
  private func isWrapper(of target: DataClass) throws -> Bool {
    if reader.textEquals(target.isEmbedded ? "$embedded" : "$link") {
      guard case .beginObject = try reader.next(), case .key = try reader.next(), reader.textEquals("table"),
        case .string = try reader.next(), isName(of: target), case .key = try reader.next()
      else { return false }
      return target.isEmbedded ? reader.textEquals("value") : reader.textEquals("key") || reader.textEquals("objKey")
    }
    guard target.primaryKey != nil, reader.withText({ ScalarForm(key: $0) }) != nil else { return false }
    try reader.skipValue(after: .key)
    return try reader.next() == .endObject
  }

  /// An object inside another, whose first token is read; one with nothing but its key is a link.
  private func readInnerObject(
    of target: DataClass, _ first: JSONReader.Token, _ object: OpenObject
  ) throws -> StagedCell? {
    guard first == .key else { return try completed(target, try readEmptyObject(of: target)) }
    guard !target.isEmbedded, target.isObjectKey(namedByLastKeyOf: reader) else {
      return try completed(target, try readObject(of: target, hasKey: true))
    }
    let key = try readObjectKey(member: target.keyName, ofClass: target.name)
    let next = try reader.next()
    if next == .endObject { return link(to: target, identity: .int(key), object) }
    return try completed(target, try readObject(of: target, hasKey: true) { $0.givenKey = key })
  }

  @discardableResult
  func readEmptyObject(of target: DataClass) throws -> ObjectKey {
    let object = openObject()
    defer { openCount -= 1 }
    object.begin(target)
    return try finish(object, of: target)
  }

  private func completed(_ target: DataClass, _ key: ObjectKey) throws -> StagedCell { .link(target.number, key) }

  /// `{"$embedded": {"table": …, "value": {…}}}`, its first key read.
  private func readWrappedEmbedded(of target: DataClass) throws -> StagedCell? {
    guard reader.textEquals("$embedded"), case .beginObject = try reader.next(), case .key = try reader.next(),
      reader.textEquals("table"), case .string = try reader.next(), isName(of: target),
      case .key = try reader.next(), reader.textEquals("value"), case .beginObject = try reader.next()
    else { return nil }
    let first = try reader.next()
    let key = first == .key ? try readObject(of: target, hasKey: true) : try readEmptyObject(of: target)
    guard case .endObject = try reader.next(), case .endObject = try reader.next() else { return nil }
    return .link(target.number, key)
  }

  /// Whether the text that was read last names a class, with or without the prefix of its table.
  private func isName(of target: DataClass) -> Bool {
    let text = reader.text
    return classNamed(text) === target || text == target.schema.name
  }

  /// `{"$link": {"table": …, "key": …}}` or with `objKey`, its first key read.
  func readNamedLink(_ object: OpenObject, expected: DataClass?) throws -> StagedCell? {
    guard case .beginObject = try reader.next(), case .key = try reader.next(), reader.textEquals("table"),
      case .string = try reader.next()
    else { return nil }
    guard let target = classNamed(reader.text), target === expected ?? target, !target.isEmbedded else { return nil }
    guard case .key = try reader.next() else { return nil }
    let isObjectKey = reader.textEquals("objKey") || target.primaryKey == nil
    guard isObjectKey || reader.textEquals("key") else { return nil }
    let token = try reader.next()
    let cell: StagedCell?
    if isObjectKey {
      guard target.primaryKey == nil else { return nil }
      cell = try readIdentity(of: target, token, object)
    } else if token == .null {
      cell = link(to: target, identity: .null, object)
    } else {
      cell = try readIdentity(of: target, token, object)
    }
    guard case .endObject = try reader.next(), case .endObject = try reader.next() else { return nil }
    return cell
  }

  /// The value of another property in the place of the key: `{"$link": {"table": …, "key": …}}`, its first key read.
  private func namedKey(
    of target: DataClass, _ type: PropertyType, _ limit: Int, _ object: OpenObject
  ) throws -> StagedCell? {
    guard case .beginObject = try reader.next(), case .key = try reader.next(), reader.textEquals("table"),
      case .string = try reader.next(), isName(of: target), case .key = try reader.next(), reader.textEquals("key")
    else { return nil }
    let cell = try scalars.read(try reader.next(), as: type, into: object.values, limit: limit)
    guard case .endObject = try reader.next(), case .endObject = try reader.next() else { return nil }
    return cell
  }

  /// What identifies an object: its primary key or, in a class without one, the object key given in the data.
  private func readIdentity(
    of target: DataClass, _ token: JSONReader.Token, _ object: OpenObject
  ) throws -> StagedCell? {
    try link(to: target, object) {
      guard let primaryKey = target.primaryKey else { return try readGivenKey(of: target, token) }
      let property = target.properties[primaryKey]
      return try scalars.read(token, as: property.type, into: object.values, limit: property.byteLimit)
    }
  }

  /// An object key: a number, or `{"_key": number}`.
  private func readGivenKey(of target: DataClass, _ token: JSONReader.Token) throws -> StagedCell? {
    if token == .number { return reader.integer.map(identity(ofKey:)) }
    guard token == .beginObject, case .key = try reader.next(), target.isObjectKey(namedByLastKeyOf: reader),
      case .number = try reader.next(), let key = reader.integer, case .endObject = try reader.next()
    else { return nil }
    return identity(ofKey: key)
  }

  /// A link to what `identity` names. The bytes that it read are forgotten.
  private func link(
    to target: DataClass, _ object: OpenObject, identity: () throws -> StagedCell?
  ) throws -> StagedCell? {
    let mark = object.values.byteCount
    defer { object.values.truncateBytes(to: mark) }
    return try identity().map { link(to: target, identity: $0, object) }
  }

  /// A link to the object with the value that `value` gives, in a property other than its primary key.
  private func lookedUp(
    _ lookup: Int, of target: DataClass, _ object: OpenObject, _ value: () throws -> StagedCell?
  ) throws -> StagedCell? {
    let mark = object.values.byteCount
    defer { object.values.truncateBytes(to: mark) }
    guard let cell = try value(), let number = lookups.firstIndex(where: { $0 == (target.number, lookup) }) else {
      return nil
    }
    let entry = directories[classes.count + number].entry(of: cell, in: object.values)
    hasPendingLink = true
    return .pendingLink(classes.count + number, entry: entry)
  }

  private func link(to target: DataClass, identity: StagedCell, _ object: OpenObject) -> StagedCell {
    let directory = directories[target.number]
    let entry = directory.entry(of: identity, in: object.values)
    if let key = directory.object(entry) { return .link(target.number, key) }
    hasPendingLink = true
    defer { pendingCounts[target.number] += 1 }
    return .pendingLink(target.number, entry: entry, number: pendingCounts[target.number])
  }
}
