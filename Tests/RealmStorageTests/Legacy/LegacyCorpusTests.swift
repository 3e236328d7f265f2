import Foundation
import RealmInspection
import RealmStorage
import TestSupport
import Testing

@testable import RealmStorage

/// Files of formats 2–9 that real applications and SDK test suites wrote: each has the content that engines of their time
/// report for it, value by value (`rows.txt`), and that of the engines that upgraded it (`json`). Without the corpus the
/// tests are skipped.
@Suite(.enabled(if: Corpus.isThere, Comment(rawValue: Corpus.comment))) struct LegacyCorpusTests {
  static let realms = OpenableFixture.all.filter { fixture in
    fixture.path.contains("/real/") && (try? fixture.opened().header.format).map { $0 <= 9 && $0 > 0 } ?? false
  }
  static let encrypted = realms.filter { $0.key != nil }
  private static let withRows = realms.filter { text($0, "rows.txt") != nil }
  private static let withJSON = realms.filter { text($0, "json") != nil }

  static func text(_ fixture: OpenableFixture, _ ending: String) -> String? {
    let path = fixture.path.dropLast("realm".count) + ending
    if let bytes = try? Fixture.bytes(ofFile: String(path)) { return String(decoding: bytes, as: UTF8.self) }
    return (try? Fixture.decompressed(path + ".gz")).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `no file is passed over`() {
    #expect(Self.withRows.count >= 52)
    #expect(Self.withJSON.count >= 33)
    #expect(Self.encrypted.count >= 3)
    #expect(Set(Self.realms.compactMap { try? $0.opened().header.format }) == [2, 3, 5, 6, 7, 8, 9])
  }

  @Test("has the rows that engines of its time report", arguments: withRows)
  func sameRows(_ fixture: OpenableFixture) throws {
    let text = try #require(Self.text(fixture, "rows.txt"))
    let bytes = try Fixture.bytes(ofFile: fixture.path)
    let snapshot = try fixture.opened()
    #expect(snapshot.damagedTables.isEmpty)
    let expected = try ExpectedTable.tables(in: text)
    #expect(snapshot.tables.map { "\($0.schema.name)" } == expected.map(\.name))
    for (table, expected) in zip(snapshot.tables, expected) { try compare(table, with: expected, snapshot) }
    #expect(try Fixture.bytes(ofFile: fixture.path) == bytes)
  }

  private func compare(_ table: Table, with expected: ExpectedTable, _ snapshot: Snapshot) throws {
    let properties = table.schema.properties
    #expect(properties.count == expected.columns.count)
    for (property, column) in zip(properties, expected.columns) {
      if !column.name.isEmpty { #expect("\(property.name)".hasPrefix(column.name)) }
      #expect((property.index == .general) == (column.isIndexed || property == table.schema.primaryKey), "\(property)")
      if column.type != "mixed", column.type != "table" { #expect(property.isOptional == column.isNullable) }
      #expect(property.target.map { "\($0)" } == column.target)
      #expect((property.collection == .list) == ["table", "linklist"].contains(column.type))
    }
    let rows = try LegacyContent.rows(table, snapshot)
    #expect(rows.count == expected.rows.count)
    for (row, expected) in zip(rows, expected.rows) {
      let found = zip(row, properties).enumerated().map { index, cell in
        Self.text(of: cell.0, column: index < expected.count ? expected[index].column : "")
      }
      #expect(found == expected.map(\.text))
    }
  }

  /// A value as `rows.txt` has it.
  private static func text(of value: Value, column type: String) -> String {
    switch (value, type) {
    case (.null, "mixed"): "M[]"
    case (let value, "mixed"): "M" + text(of: value, column: "")
    case (.null, _): "null"
    case (.int(let number), _): "\(number)"
    case (.bool(let flag), _): "\(flag)"
    case (.float(let number), _): "f" + hexadecimal(UInt64(number.bitPattern), 8)
    case (.double(let number), _): "d" + hexadecimal(number.bitPattern, 16)
    case (.string(let text), _): quoted(text.utf8)
    case (.data(let bytes), _): "x" + bytes.map { hexadecimal(UInt64($0), 2) }.joined()
    case (.date(let date), "olddate"): "\(date.seconds)"
    case (.date(let date), _): "T\(date.seconds):\(date.nanoseconds)"
    case (.link(_, let key), _): "@\(key.rawValue)"
    case (.list(let elements), "table"):
      "[" + elements.map { "(" + text(of: $0, column: "") + ")" }.joined(separator: ",") + "]"
    case (.list(let elements), _): "[" + elements.map { text(of: $0, column: "") }.joined(separator: ",") + "]"
    default: "?"
    }
  }

  private static func hexadecimal(_ number: UInt64, _ digits: Int) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: digits - text.count) + text
  }

  private static func quoted(_ bytes: [UInt8]) -> String {
    let escaped = bytes.map { byte in
      (32..<127).contains(byte) && byte != 34 && byte != 92
        ? String(UnicodeScalar(byte)) : "\\x" + hexadecimal(UInt64(byte), 2)
    }
    return "\"" + escaped.joined() + "\""
  }

  // MARK: What upgrades made of them

  @Test("has the content that the engines' upgrade gives it", arguments: withJSON)
  func sameContent(_ fixture: OpenableFixture) throws {
    let snapshot = try fixture.opened()
    let text = try #require(Self.text(fixture, "json"))
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
    let expected = try #require(object as? [String: [[String: Any]]])
    #expect(Set(snapshot.tables.map { "\($0.schema.name)" }) == Set(expected.keys))
    for table in snapshot.tables {
      let rows = try LegacyContent.rows(table, snapshot)
      let objects = try #require(expected["\(table.schema.name)"])
      #expect(rows.count == objects.count)
      let keys = try keys(of: table)
      for (row, (values, expected)) in zip(rows, objects).enumerated() {
        var found: [String: Any] = ["_key": NSNumber(value: keys[row].rawValue)]
        for (property, value) in zip(table.schema.properties, values) {
          // The engines' upgrade loses the values of old mixed columns (§4.4).
          found["\(property.name)"] = property.type == .mixed ? NSNull() : Self.object(of: value, property)
        }
        #expect(NSDictionary(dictionary: found) == NSDictionary(dictionary: expected), "\(table.schema.name) \(row)")
      }
    }
  }

  private func keys(of table: Table) throws -> [ObjectKey] {
    var keys: [ObjectKey] = []
    var batches = table.batches()
    while case .batch(let batch) = batches.next() { keys += (0..<batch.count).map { batch.key(at: $0) } }
    return keys
  }

  private static func object(of value: Value, _ property: Property) -> Any {
    switch value {
    case .int(let number): NSNumber(value: number)
    case .bool(let flag): NSNumber(value: flag)
    case .float(let number): NSNumber(value: Double(String(format: "%.7e", number)) ?? .nan)
    case .double(let number): NSNumber(value: Double(String(format: "%.16e", number)) ?? .nan)
    case .string(let text): "\(text)"
    case .data(let bytes): Data(bytes).base64EncodedString()
    case .date(let date): text(of: date)
    case .link(_, let key):
      ["table": "\(property.target ?? "")", "key": NSNumber(value: key.rawValue)] as [String: Any]
    case .list(let elements) where property.type == .object:
      [
        "table": "\(property.target ?? "")",
        "keys": elements.map { element -> NSNumber in
          if case .link(_, let key) = element { NSNumber(value: key.rawValue) } else { -1 }
        },
      ] as [String: Any]
    case .list(let elements): elements.map { object(of: $0, property) }
    default: NSNull()
    }
  }

  private static func text(of date: Timestamp) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "yyyy-MM-dd HH:mm:ss"
    let text = formatter.string(from: Date(timeIntervalSince1970: Double(date.seconds)))
    return date.nanoseconds == 0 ? text : text + String(format: ".%09d", date.nanoseconds)
  }

  // MARK: Checking

  /// Engines say in the file that they stopped half-way.
  private static let interrupted = ["upgrade_progress_2", "upgrade_progress_6"]

  @Test("a check finds nothing wrong", arguments: realms)
  func sound(_ fixture: OpenableFixture) throws {
    var findings: [Finding] = []
    let summary = try fixture.opened().check { findings.append($0) }
    if Self.interrupted.contains(where: { fixture.name.contains($0) }) {
      #expect(findings.map(\.kind) == [.legacyUpgrade])
    } else {
      #expect(summary.isSound, "\(findings.map(\.message))")
      // What cannot be read as it is, and dates at the end of time.
      #expect(Set(findings.map(\.kind)).isSubset(of: [.legacyTable, .legacyMilliseconds]))
    }
    #expect(summary.tables > 0 || fixture.name.contains("Test") || fixture.name.contains("sizefile"))
  }
}

/// A table of `rows.txt`, without what a reader hides.
private struct ExpectedTable {
  struct Column {
    let name: String
    let type: String
    let isNullable: Bool
    let isIndexed: Bool
    let target: String?
  }

  let name: String
  private(set) var columns: [Column] = []
  private(set) var rows: [[(text: String, column: String)]] = []
  /// Positions of hidden columns.
  private var hidden: Set<Int> = []

  static func tables(in text: String) throws -> [ExpectedTable] {
    var tables: [ExpectedTable] = []
    for line in text.split(separator: "\n") where line != "empty" {
      let words = words(line)
      switch words.first {
      case "TABLE": tables.append(ExpectedTable(name: plain(words[1])))
      case "COL": tables[tables.count - 1].addColumn(words)
      case "ROW": tables[tables.count - 1].addRow(words)
      default: throw NodeTree.Problem("line \(line)")
      }
    }
    return tables.filter { $0.name != "pk" }
  }

  private init(name: String) { self.name = name }

  private mutating func addColumn(_ words: [String]) {
    let name = Self.plain(words[2])
    guard name != "!OID" else {
      hidden.insert(columns.count + hidden.count)
      return
    }
    columns.append(
      Column(
        name: name, type: words[3], isNullable: words[4] == "null1", isIndexed: words[5] == "idx1",
        target: words.count > 7 ? words[7...].joined(separator: " ") : nil))
  }

  private mutating func addRow(_ words: [String]) {
    let cells = words.dropFirst(2).enumerated().filter { !hidden.contains($0.offset) }.map(\.element)
    rows.append(zip(cells, columns).map { ($0, $1.type) })
  }

  /// Split at spaces outside of quotes and brackets.
  private static func words(_ line: Substring) -> [String] {
    var words: [String] = []
    var word = ""
    var (isQuoted, depth) = (false, 0)
    for character in line {
      if character == "\"" { isQuoted.toggle() }
      if !isQuoted, character == "[" { depth += 1 }
      if !isQuoted, character == "]" { depth -= 1 }
      guard character == " ", !isQuoted, depth == 0 else {
        word.append(character)
        continue
      }
      if !word.isEmpty { words.append(word) }
      word = ""
    }
    return word.isEmpty ? words : words + [word]
  }

  /// The text in quotes.
  private static func plain(_ word: String) -> String {
    var bytes: [UInt8] = []
    var rest = word.utf8.dropFirst().dropLast()
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        bytes.append(byte)
        continue
      }
      bytes.append(UInt8(String(decoding: rest.dropFirst().prefix(2), as: UTF8.self), radix: 16) ?? 0)
      rest = rest.dropFirst(3)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
