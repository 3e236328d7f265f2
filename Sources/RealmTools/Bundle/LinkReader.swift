import RealmStorage
import RealmText

extension ObjectReader {
  // MARK: Links

  /// A link: the target's key, `{"$link": …}`, or the target itself.
  func readLink(_ property: DataProperty, _ token: JSONReader.Token, _ object: OpenObject) throws -> StagedCell? {
    guard let number = property.target else { return nil }
    let target = classes[number]
    guard token == .beginObject else {
      return property.targetIsEmbedded ? nil : try readIdentity(of: target, token, object)
    }
    let first = try reader.next()
    guard first == .key, reader.withText({ $0.first == UInt8(ascii: "$") }) else {
      return try readInnerObject(of: target, first, object)
    }
    if property.targetIsEmbedded { return try readWrappedEmbedded(of: target) }
    if reader.textEquals("$link") { return try readNamedLink(object, expected: target) }
    guard let primaryKey = target.primaryKey else { return nil }
    return try link(to: target, object) {
      try scalars.wrapped(as: target.properties[primaryKey].type, into: object.values, limit: property.byteLimit)
    }
  }

  /// An object inside another, whose first token is read; one with nothing but `_key` is a link.
  private func readInnerObject(
    of target: DataClass, _ first: JSONReader.Token, _ object: OpenObject
  ) throws -> StagedCell? {
    guard first == .key else { return try completed(target, try readEmptyObject(of: target)) }
    guard target.primaryKey == nil, !target.isEmbedded, reader.textEquals("_key") else {
      return try completed(target, try readObject(of: target, hasKey: true))
    }
    let key = try readObjectKey(of: target)
    let next = try reader.next()
    if next == .endObject { return link(to: target, identity: .int(key), object) }
    return try completed(target, try readObject(of: target, hasKey: true) { $0.givenKey = key })
  }

  @discardableResult
  func readEmptyObject(of target: DataClass) throws -> ObjectKey {
    let object = openObject()
    defer { openCount -= 1 }
    object.begin(target.properties.count)
    return try complete(object, of: target)
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
    return text == target.name || text == target.schema.name
  }

  /// `{"$link": {"table": …, "key": …}}` or with `objKey`, its first key read.
  func readNamedLink(_ object: OpenObject, expected: DataClass?) throws -> StagedCell? {
    guard case .beginObject = try reader.next(), case .key = try reader.next(), reader.textEquals("table"),
      case .string = try reader.next()
    else { return nil }
    guard let target = expected ?? classes.first(where: isName), isName(of: target), !target.isEmbedded else {
      return nil
    }
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

  /// What names an object: its primary key, or, in a class without one, the object key that the data gives it.
  private func readIdentity(
    of target: DataClass, _ token: JSONReader.Token, _ object: OpenObject
  ) throws -> StagedCell? {
    try link(to: target, object) {
      guard let primaryKey = target.primaryKey else { return try readGivenKey(token) }
      let property = target.properties[primaryKey]
      return try scalars.read(token, as: property.type, into: object.values, limit: property.byteLimit)
    }
  }

  /// An object key: a number, or `{"_key": number}`.
  private func readGivenKey(_ token: JSONReader.Token) throws -> StagedCell? {
    if token == .number { return reader.integer.map(StagedCell.int) }
    guard token == .beginObject, case .key = try reader.next(), reader.textEquals("_key"),
      case .number = try reader.next(), let key = reader.integer, case .endObject = try reader.next()
    else { return nil }
    return .int(key)
  }

  /// A link to what `identity` names; the bytes it takes in are given back.
  private func link(
    to target: DataClass, _ object: OpenObject, identity: () throws -> StagedCell?
  ) throws -> StagedCell? {
    let mark = object.values.byteCount
    defer { object.values.truncateBytes(to: mark) }
    return try identity().map { link(to: target, identity: $0, object) }
  }

  private func link(to target: DataClass, identity: StagedCell, _ object: OpenObject) -> StagedCell {
    let entry = directories[target.number].entry(of: identity, in: object.values)
    if let key = directories[target.number].object(entry) { return .link(target.number, key) }
    hasPendingLink = true
    return .pendingLink(target.number, entry: entry)
  }
}
