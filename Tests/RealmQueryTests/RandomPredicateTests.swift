import RealmStorage
import TestSupport
import Testing

@testable import RealmQuery

/// Random predicates over the fixtures, with what the reference engine answered (`Fixtures/queries/random.txt`).
@Suite struct RandomPredicateTests {
  struct Row: Sendable {
    let fixture: String
    let className: String
    let text: String
    /// Keys in order, or their number and hash.
    let answer: String
  }

  static func rows() throws -> [Row] {
    var rows: [Row] = []
    var fixture = ""
    let file = String(decoding: try Fixture.bytes("queries/random.txt"), as: UTF8.self)
    for line in file.split(separator: "\n") {
      if line.hasPrefix("## ") { fixture = String(line.dropFirst(3)) }
      let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard !line.hasPrefix("#"), parts.count == 3 else { continue }
      rows.append(Row(fixture: fixture, className: parts[0], text: parts[1], answer: parts[2]))
    }
    return rows
  }

  private static func hash(_ text: String) -> String {
    let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  private static func answer(_ keys: [ObjectKey]) -> String {
    let text = keys.map { "\($0.rawValue)" }.joined(separator: " ")
    return text.utf8.count > 60 ? "#\(keys.count) \(hash(text))" : text
  }

  @Test("the fixtures answer as the reference does, with indexes, without, and on two threads") func answers() throws {
    let rows = try Self.rows()
    #expect(rows.count > 1000)
    var snapshots: [String: Snapshot] = [:]
    for row in rows {
      let path = Fixture.path("engine/\(row.fixture).realm")
      let snapshot = try snapshots[row.fixture] ?? Snapshot(of: ByteStore.open(.path(path), key: nil).store)
      snapshots[row.fixture] = snapshot
      let table = try #require(snapshot.table(displayName: RealmString(row.className)))
      let query = try Query(row.text, of: table, in: snapshot, dialect: .reference)
      for (threads, usesIndexes) in [(1, true), (1, false), (2, true)] {
        var options = QueryOptions(threadCount: threads)
        options.usesIndexes = usesIndexes
        let found = Self.answer(try query.keys(options).keys)
        #expect(found == row.answer, "\(row.fixture) \(row.className): \(row.text), \(threads), \(usesIndexes)")
      }
    }
  }
}
