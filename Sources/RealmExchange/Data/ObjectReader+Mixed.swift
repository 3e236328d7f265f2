import RealmModels
import RealmStorage
import RealmText

extension ObjectReader {
  // MARK: Mixed values

  /// A value of any type: numbers without fraction and exponent are integers, arrays lists, objects without a wrapper's
  /// key dictionaries.
  func readMixed(
    _ token: JSONReader.Token, _ object: OpenObject, _ property: DataProperty, _ owner: DataClass
  ) throws -> StagedCell? {
    switch token {
    case .null: return .null
    case .bool, .string, .number:
      return try scalars.read(token, as: .mixed, into: object.values, limit: property.byteLimit)
    case .beginArray:
      return try nested {
        let mark = object.values.beginCollection()
        var next = try reader.next()
        while next != .endArray {
          guard let cell = try readMixed(next, object, property, owner) else { return nil }
          object.values.append(cell)
          next = try reader.next()
        }
        return object.values.endCollection(.list, from: mark)
      }
    case .beginObject: return try readMixedObject(object, property, owner)
    default: return nil
    }
  }

  private func readMixedObject(
    _ object: OpenObject, _ property: DataProperty, _ owner: DataClass
  ) throws -> StagedCell? {
    let first = try reader.next()
    guard first == .key, reader.withText({ $0.first == UInt8(ascii: "$") }) else {
      return try nested { try readMixedEntries(first, object, property, owner) }
    }
    if reader.textEquals("$link") {
      guard let link = try readNamedLink(object, expected: nil) else { return nil }
      return link.inMixed
    }
    if reader.textEquals("$dictionary") {
      guard case .beginObject = try reader.next() else { return nil }
      let cell = try nested { try readMixedEntries(try reader.next(), object, property, owner) }
      guard case .endObject = try reader.next() else { return nil }
      return cell
    }
    return try scalars.wrapped(as: .mixed, into: object.values, limit: property.byteLimit)
  }

  private func readMixedEntries(
    _ first: JSONReader.Token, _ object: OpenObject, _ property: DataProperty, _ owner: DataClass
  ) throws -> StagedCell? {
    let mark = object.values.beginCollection()
    let firstKey = keyOffsets.count
    defer { keyOffsets.removeSubrange(firstKey...) }
    var token = first
    while token == .key {
      object.values.append(try readKey(property, object, owner))
      guard let cell = try readMixed(try reader.next(), object, property, owner) else { return nil }
      object.values.append(cell)
      token = try reader.next()
    }
    return try endDictionary(from: mark, firstKey, object, property, owner)
  }

  private func nested(_ body: () throws -> StagedCell?) throws -> StagedCell? {
    guard mixedDepth < Value.mostMixedLevels else { throw BuildError.tooDeep }
    mixedDepth += 1
    defer { mixedDepth -= 1 }
    return try body()
  }
}
