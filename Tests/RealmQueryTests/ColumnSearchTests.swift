import RealmExchange
import RealmOpening
import RealmQuery
import RealmStorage
import RealmTools
import TestSupport
import Testing

/// Searching a column as a whole finds the same as looking at one value after another, whatever the encodings of its
/// leaves.
@Suite struct ColumnSearchTests {
  /// 600 objects, so that there are masks of full batches: numbers of many widths, and some nulls.
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
          // The same question in a slower way: arithmetic, links and lists are not searched as columns.
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

  @Test("membership in lists of constants, short and long") func membership() throws {
    let realm = try Self.realm()
    let row = try realm.table("Row")
    let lists: [(property: String, values: [Int64])] = [
      ("small", [3]), ("small", [0, 1, 2, 5, 7, 8, 12, -4]), ("wide", [-9000, -8963, 28, 29, 30]),
      ("wide", (0..<40).map { $0 * 185 - 9000 }), ("huge", [.min, .max, 0, 12_345_678_901]),
      ("huge", [.max - 1, .max]),
    ]
    for (property, numbers) in lists {
      for null in [false, true] {
        let wanted = Set(numbers.map { Value.int($0) } + (null ? [.null] : []))
        let list = (numbers.map { "\($0)" } + (null ? ["null"] : [])).joined(separator: ", ")
        let expected = try values(realm, row, property).filter { wanted.contains($0.value) }.map(\.key)
        #expect(try keys(realm, row, "\(property) IN {\(list)}") == expected, "\(property) IN {\(list)}")
        #expect(try keys(realm, row, "{\(list)} == \(property)") == expected)
      }
    }
    for count in [1, 3, 6, 40] {
      for null in [false, true] {
        let texts = (0..<count).map { ["ann", "Anna", "émile", ""][$0 % 4] + "\($0 % 10)" } + ["", "x"]
        let wanted = Set(texts.map { Value.string(RealmString($0)) } + (null ? [.null] : []))
        let list = (texts.map { "'\($0)'" } + (null ? ["null"] : [])).joined(separator: ", ")
        let expected = try values(realm, row, "text").filter { wanted.contains($0.value) }.map(\.key)
        #expect(try keys(realm, row, "text IN {\(list)}") == expected, "\(list)")
      }
    }
  }

  @Test("lengths of texts and data") func lengths() throws {
    let realm = try Self.realm()
    let row = try realm.table("Row")
    for property in ["text", "long", "bytes"] {
      for number in [-1, 0, 1, 3, 5, 62, 100] as [Int64] {
        for operation in ["==", "!=", "<", "<=", ">", ">="] {
          let expected = try values(realm, row, property).filter { entry in
            let length: Int64
            switch entry.value {
            case .string(let text): length = Int64(text.utf8.count)
            case .data(let bytes): length = Int64(bytes.count)
            // No length is different from every length.
            default: return operation == "!="
            }
            return switch operation {
            case "==": length == number
            case "!=": length != number
            case "<": length < number
            case "<=": length <= number
            case ">": length > number
            default: length >= number
            }
          }.map(\.key)
          let text = "\(property).@count \(operation) \(number)"
          #expect(try keys(realm, row, text) == expected, "\(text)")
        }
      }
    }
  }

  @Test("elements of lists of texts") func elements() throws {
    let lists: [[String?]] =
      [
        [], ["red"], ["red", "red"], ["green", "red", nil], [nil], [nil, nil], [""],
        ["a long text that has a leaf of its own"],
      ]
      + [
        Array(repeating: "red", count: 700), Array(repeating: "blue", count: 256) + ["red"],
        Array(repeating: "x", count: 2500),
      ]
    let rows = lists.enumerated().map { id, list in
      "{\"id\":\(id),\"tags\":[" + list.map { $0.map { "\"\($0)\"" } ?? "null" }.joined(separator: ",") + "]}"
    }
    let realm = try QueryRealm(
      schema: """
        [{"name":"Row","primaryKey":"id","properties":{"id":"int","tags":"string?[]"}}]
        """, data: "{\"Row\":[" + rows.joined(separator: ",") + "]}")
    let row = try realm.table("Row")
    for wanted in ["red", "x", "", "a long text that has a leaf of its own", nil] as [String?] {
      let constant = wanted.map { "'\($0)'" } ?? "null"
      for (quantifier, holds) in [
        ("ANY", { (list: [String?]) in list.contains(wanted) }),
        ("ALL", { (list: [String?]) in list.allSatisfy { $0 == wanted } }),
        ("NONE", { (list: [String?]) in !list.contains(wanted) }),
      ] {
        let text = "\(quantifier) tags == \(constant)"
        let expected = lists.indices.filter { holds(lists[$0]) }.map { ObjectKey(rawValue: Int64($0)) }
        #expect(try keys(realm, row, text) == expected, "\(text)")
      }
    }
    let counts = try keys(realm, row, "tags.@count > 1")
    #expect(counts.map { Int($0.rawValue) } == lists.indices.filter { lists[$0].count > 1 })
  }

  @Test("keys of small and large dictionaries") func dictionaryKeys() throws {
    let sizes = [0, 1, 3, 40, 1500]
    let rows = sizes.enumerated().map { id, size in
      let entries = (0..<size).map { "\"k\($0)\($0 % 9 == 0 ? " with a long name" : "")\":\($0)" }
      return "{\"id\":\(id),\"attrs\":{" + entries.joined(separator: ",") + "}}"
    }
    let realm = try QueryRealm(
      schema: """
        [{"name":"Row","primaryKey":"id","properties":{"id":"int","attrs":"int{}"}}]
        """, data: "{\"Row\":[" + rows.joined(separator: ",") + "]}")
    let row = try realm.table("Row")
    for number in [0, 1, 2, 7, 9, 39, 40, 1000, 1499] {
      let name = "k\(number)" + (number % 9 == 0 ? " with a long name" : "")
      let expected = sizes.indices.filter { sizes[$0] > number }.map { ObjectKey(rawValue: Int64($0)) }
      #expect(try keys(realm, row, "attrs['\(name)'] == \(number)") == expected, "\(name)")
    }
    for name in ["", "k", "k1500", "zzz"] { #expect(try keys(realm, row, "attrs['\(name)'] >= 0").isEmpty) }
  }

  private func keys(_ realm: QueryRealm, _ table: Table, _ text: String) throws -> [ObjectKey] {
    try Query(text, of: table, in: realm.snapshot).keys().keys
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
      // Null sorts before every string, and has no order otherwise.
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
      try reader.values(of: second.batch, row: second.row) == [
        "Bob", "Ann", 1, .list(["Luna"]), .list(["blue"]), "string",
      ])
    #expect(throws: QueryError.self) { try QueryColumns(["nope"], of: person, in: realm.snapshot) }
  }

  @Test("groups are counted, with sums and averages") func groups() throws {
    let realm = try QueryRealm()
    let query = try Query("TRUEPREDICATE", of: realm.table("Person"), in: realm.snapshot)
    let groups = try QueryGroups(
      of: query, by: ["active"], [(.sum, "age"), (.max, "name"), (.average, "age")], QueryOptions())
    #expect(groups.groups.map(\.values) == [[.bool(false)], [.bool(true)]])
    #expect(groups.groups.map(\.count) == [2, 4])
    #expect(groups.groups[0].results == [50, "Eve", .double(25)])
    #expect(groups.groups[1].results[0] == 95)
  }
}
