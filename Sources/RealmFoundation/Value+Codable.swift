import RealmStorage

extension RealmString: Codable {
  /// Reads a text.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(String.self))
  }

  /// Writes the text.
  ///
  /// - Throws: `EncodingError` if the bytes are not UTF-8.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    do { try container.encode(String(realmValue: .string(self))) } catch is ValueMismatch {
      throw EncodingError.invalidValue(
        self, EncodingError.Context(codingPath: encoder.codingPath, debugDescription: "The bytes are not UTF-8."))
    }
  }
}

/// From a realm, and into one, a value of any type, as in Mixed properties. Elsewhere it is an object with one member, whose
/// name is the type: `{"int": 3}`; null has the member `null`, which is true.
extension Value: Codable {
  private enum CodingKeys: String, CodingKey {
    case null, int, bool, float, double, string, data, date, objectId, uuid, link, typedLink, list, set, dictionary
    case decimal = "decimal128"
  }

  private struct Target: Codable {
    let table: UInt32
    let key: Int64
  }

  /// Reads a value of a realm, or what `encode` writes.
  public init(from decoder: any Decoder) throws {
    if let decoder = decoder as? ValueDecoder {
      self = try decoder.plainValue()
      return
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    guard let key = container.allKeys.first, container.allKeys.count == 1 else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "A value has one member."))
    }
    switch key {
    case .null: self = .null
    case .int: self = .int(try container.decode(Int64.self, forKey: key))
    case .bool: self = .bool(try container.decode(Bool.self, forKey: key))
    case .float: self = .float(try container.decode(Float.self, forKey: key))
    case .double: self = .double(try container.decode(Double.self, forKey: key))
    case .string: self = .string(try container.decode(RealmString.self, forKey: key))
    case .data: self = .data(try container.decode([UInt8].self, forKey: key))
    case .date: self = .date(try container.decode(Timestamp.self, forKey: key))
    case .decimal: self = .decimal(try container.decode(Decimal128.self, forKey: key))
    case .objectId: self = .objectID(try container.decode(ObjectID.self, forKey: key))
    case .uuid: self = .uuid(try container.decode(RealmUUID.self, forKey: key))
    case .link, .typedLink:
      let target = try container.decode(Target.self, forKey: key)
      let (table, object) = (TableKey(rawValue: target.table), ObjectKey(rawValue: target.key))
      self = key == .link ? .link(table, object) : .typedLink(table, object)
    case .list: self = .list(try container.decode([Value].self, forKey: key))
    case .set: self = .set(try container.decode([Value].self, forKey: key))
    case .dictionary:
      let entries = try container.decode([String: Value].self, forKey: key)
      self = .dictionary([RealmString: Value](entries.map { (RealmString($0), $1) }) { $1 })
    }
  }

  /// Writes the value into a realm, or an object with its type.
  ///
  /// - Throws: `EncodingError` for a text that is not UTF-8.
  public func encode(to encoder: any Encoder) throws {
    if let encoder = encoder as? ValueEncoder {
      encoder.encode(plain: self)
      return
    }
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .null: try container.encode(true, forKey: .null)
    case .int(let value): try container.encode(value, forKey: .int)
    case .bool(let value): try container.encode(value, forKey: .bool)
    case .float(let value): try container.encode(value, forKey: .float)
    case .double(let value): try container.encode(value, forKey: .double)
    case .string(let value): try container.encode(value, forKey: .string)
    case .data(let value): try container.encode(value, forKey: .data)
    case .date(let value): try container.encode(value, forKey: .date)
    case .decimal(let value): try container.encode(value, forKey: .decimal)
    case .objectID(let value): try container.encode(value, forKey: .objectId)
    case .uuid(let value): try container.encode(value, forKey: .uuid)
    case .link(let table, let key):
      try container.encode(Target(table: table.rawValue, key: key.rawValue), forKey: .link)
    case .typedLink(let table, let key):
      try container.encode(Target(table: table.rawValue, key: key.rawValue), forKey: .typedLink)
    case .list(let elements): try container.encode(elements, forKey: .list)
    case .set(let elements): try container.encode(elements, forKey: .set)
    case .dictionary(let entries):
      var named: [String: Value] = [:]
      for (key, value) in entries {
        guard let name = try? String(realmValue: .string(key)), named.updateValue(value, forKey: name) == nil else {
          throw EncodingError.invalidValue(
            self,
            EncodingError.Context(
              codingPath: encoder.codingPath, debugDescription: "A key of the dictionary has no text of its own."))
        }
      }
      try container.encode(named, forKey: .dictionary)
    }
  }
}
