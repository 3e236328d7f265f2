import RealmQuery
import RealmStorage
import RealmTools
import TestSupport
import Testing

/// Searching a column as a whole finds what looking at value by value finds, whatever the encodings of its leaves.
@Suite struct ColumnSearchTests {
  /// 600 objects, so that masks of full batches are looked at: numbers of many widths, and null here and there.
  private static func realm() throws -> QueryRealm {
    let schema = """
      [{"name":"Row","primaryKey":"id","properties":{"id":"int","small":"int","wide":"int?","huge":"int?","flag":"bool?",
        "real":"double?","single":"float","day":"date?","text":"string?","long":"string?","bytes":"data?"}}]
      """
    var rows: [String] = []
    for id in 0..<600 {
      let isNull = id % 7 == 3
      func optional(_ text: String) -> String { isNull ? "null" : text }
      let word = ["ann", "Anna", "BEN", "émile", "", "Ünder"][id % 6]
      rows.append(
        """
        {"id":\(id),"small":\(id % 13),"wide":\(optional("\(id * 37 - 9000)")),
        "huge":\(optional("\((id - 300) * 12_345_678_901)")),"flag":\(optional(id % 2 == 0 ? "true" : "false")),
        "real":\(optional("\(Double(id - 300) / 8)")),"single":\(Double(id % 50) / 4),
        "day":\(optional("\"2001-01-\((id % 28 + 1 < 10 ? "0" : "") + String(id % 28 + 1))T00:00:00Z\"")),
        "text":\(optional("\"\(word)\(id % 10)\"")),"long":\(optional("\"\(String(repeating: word, count: 20))\(id)\"")),
        "bytes":\(optional("\"YWJj\""))}
        """)
    }
    return try QueryRealm(schema: schema, data: "{\"Row\":[" + rows.joined(separator: ",") + "]}")
  }

  @Test("comparisons with constants") func constants() throws {
    let realm = try Self.realm()
    let row = try realm.table("Row")
    let constants = [
      "small": ["0", "5", "12", "13", "-1", "4.5"], "wide": ["-9000", "0", "37", "1000000", "100.5", "null"],
      "huge": ["0", "12345678901", "-3703703670301", "null"], "flag": ["true", "false", "null"],
      "real": ["0.0", "-37.5", "12.125", "3", "null"], "single": ["0.25", "12.0", "3"],
      "day": ["2001-01-05@00:00:00", "T0:0", "null"], "text": ["'ann0'", "'émile3'", "''", "null"],
      "long": ["'annannannannannannannannannannannannannannannannannannannann0'", "'x'", "null"],
      "bytes": ["binary('abc')", "null"],
    ]
    for (property, values) in constants.sorted(by: { $0.key < $1.key }) {
      for value in values {
        for operation in ["==", "!=", "<", "<=", ">", ">="] {
          // The same question the long way: arithmetic, links and lists are not searched as columns.
          let text = "\(property) \(operation) \(value)"
          let found = try Query(text, of: row, in: realm.snapshot, dialect: .reference).keys().keys
          let expected = try naive(realm, row, property, operation, value)
          #expect(found == expected, "\(text)")
        }
      }
    }
  }

  @Test("searches in texts") func searches() throws {
    let realm = try Self.realm()
    let row = try realm.table("Row")
    for property in ["text", "long"] {
      for needle in ["an", "AN", "é", "É", "1", "", "ü", "nn", "*n?", "?n*", "ann*"] {
        for operation in ["BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE"] {
          for folding in ["", "[c]"] {
            let text = "\(property) \(operation)\(folding) '\(needle)'"
            let found = try Query(text, of: row, in: realm.snapshot).keys().keys
            let expected = try values(realm, row, property).filter { entry in
              guard case .string(let value) = entry.value else { return false }
              return matches(value.utf8, Array(needle.utf8), operation, isFolded: !folding.isEmpty)
            }.map(\.key)
            #expect(found == expected, "\(text)")
          }
        }
      }
    }
  }

  // MARK: The long way

  private func values(_ realm: QueryRealm, _ table: Table, _ property: String) throws -> [(
    key: ObjectKey, value: Value
  )] {
    guard let index = table.schema.properties.firstIndex(where: { $0.name == RealmString(property) }) else { return [] }
    var values: [(ObjectKey, Value)] = []
    let walk = realm.snapshot.collectionWalk()
    var batches = table.batches()
    while case .batch(let batch)? = batches.next() {
      let column = try batch.values(ofProperty: index)
      for row in 0..<batch.count { values.append((batch.key(at: row), try Value(column.value(at: row), walk))) }
    }
    return values
  }

  private func naive(
    _ realm: QueryRealm, _ table: Table, _ property: String, _ operation: String, _ constant: String
  ) throws -> [ObjectKey] {
    let keeper = ValueKeeper()
    let wanted: Value =
      switch constant {
      case "null": .null
      case "true": .bool(true)
      case "false": .bool(false)
      case "T0:0": .date(Timestamp(seconds: 0, nanoseconds: 0))
      case let text where text.hasPrefix("2001"): .date(Timestamp(seconds: 978_652_800, nanoseconds: 0))
      case let text where text.hasPrefix("binary"): .data(Array("abc".utf8))
      case let text where text.hasPrefix("'"): .string(RealmString(text.dropFirst().dropLast()))
      case let text: Int64(text).map { .int($0) } ?? .double(Double(text) ?? .nan)
      }
    let isText = property == "text" || property == "long"
    return try values(realm, table, property).filter { entry in
      let order = ValueOrder.compare(keeper.view(of: entry.value), keeper.view(of: wanted))
      let bothNull = entry.value == .null && wanted == .null
      // Null sorts below every text, and is not ordered otherwise.
      let isOrdered = isText || (entry.value != .null && wanted != .null)
      return switch operation {
      case "==": order == 0
      case "!=": order != 0
      case "<": isOrdered && order < 0
      case "<=": bothNull || (isOrdered && order <= 0)
      case ">": isOrdered && order > 0
      default: bothNull || (isOrdered && order >= 0)
      }
    }.map(\.key)
  }

  private func matches(_ text: [UInt8], _ needle: [UInt8], _ operation: String, isFolded: Bool) -> Bool {
    let (text, needle) = isFolded ? (lower(text), lower(needle)) : (text, needle)
    return switch operation {
    case "BEGINSWITH": text.starts(with: needle)
    case "ENDSWITH": text.suffix(needle.count) == needle[...] && text.count >= needle.count
    case "CONTAINS": text.indices.contains { text[$0...].starts(with: needle) } || needle.isEmpty
    default: isLike(text[...], needle[...])
    }
  }

  private func lower(_ text: [UInt8]) -> [UInt8] {
    text.withUnsafeBytes { bytes in bytes.indices.map { LetterCase.lower(bytes, $0) } }
  }

  private func isLike(_ text: ArraySlice<UInt8>, _ pattern: ArraySlice<UInt8>) -> Bool {
    guard let wanted = pattern.first else { return text.isEmpty }
    let rest = pattern.dropFirst()
    if wanted == UInt8(ascii: "*") { return isLike(text, rest) || (!text.isEmpty && isLike(text.dropFirst(), pattern)) }
    guard let byte = text.first else { return false }
    guard wanted == UInt8(ascii: "?") else { return byte == wanted && isLike(text.dropFirst(), rest) }
    let tail = text.dropFirst()
    return isLike(byte < 0x80 ? tail : tail.drop { $0 & 0xc0 == 0x80 }, rest)
  }
}

/// Columns of key paths and groups.
@Suite struct QueryColumnTests {
  @Test("key paths give values, lists for paths to several") func columns() throws {
    let realm = try QueryRealm()
    let person = try realm.table("Person")
    let columns = try QueryColumns(
      ["name", "boss.name", "dogs.@count", "dogs.name", "tags", "misc.@type"], of: person, in: realm.snapshot)
    let reader = columns.reader()
    guard let second = try person.object(ObjectKey(rawValue: 1)) else { throw StorageError.file(.missing) }
    #expect(
      reader.values(of: second.batch, row: second.row) == [
        "Bob", "Ann", 1, .list(["Luna"]), .list(["blue"]), "string",
      ])
    #expect(throws: QueryError.self) { try QueryColumns(["nope"], of: person, in: realm.snapshot) }
  }

  @Test("groups are counted, with sums and averages") func groups() throws {
    let realm = try QueryRealm()
    let query = try Query("TRUEPREDICATE", of: realm.table("Person"), in: realm.snapshot)
    let groups = try QueryGroups(
      of: query, by: "active", [(.sum, "age"), (.max, "name"), (.average, "age")], QueryOptions())
    #expect(groups.groups.map(\.value) == [.bool(false), .bool(true)])
    #expect(groups.groups.map(\.count) == [2, 4])
    #expect(groups.groups[0].results == [50, "Eve", .double(25)])
    #expect(groups.groups[1].results[0] == 95)
  }
}
