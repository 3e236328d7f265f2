import TestSupport
import Testing

@testable import RealmInspection
@testable import RealmStorage

/// Checks by several threads, and what they quickly accept as sound.
@Suite struct TrialTests {
  private static let sound = Set(Damage.all.map(\.fixture)).sorted()

  @Test(arguments: Damage.all) func `several threads find what one finds`(_ damage: Damage) throws {
    try expectSameFindings(in: damage.planted())
  }

  @Test(arguments: sound) func `several threads find nothing else in a sound realm`(_ name: String) throws {
    try expectSameFindings(in: Fixture.bytes(name))
  }

  private func expectSameFindings(in bytes: [UInt8]) throws {
    let alone = try CheckResult(of: bytes)
    for threadCount in 2...3 {
      let together = try CheckResult(of: bytes, threadCount: threadCount)
      #expect(together.findings == alone.findings)
      #expect(together.summary == alone.summary)
    }
  }

  /// What a check begins with.
  private func begin(_ bytes: [UInt8]) throws -> (context: CheckContext, top: RawTop) {
    let store = ByteStore(copying: bytes)
    let log = FindingLog(limit: 100, reportsFollowing: true) { _ in }
    let container = ContainerCheck(store: store, log: log)
    let facts = try container.header(choosing: .live)
    let budget = CheckBudget(byteCount: store.count)
    return (CheckContext(store, format: facts.format, log: log, budget: budget), try #require(container.top(facts)))
  }

  @Test(arguments: ["engine/dogs.realm", "engine/indexes.realm"])
  func `what threads find out about a sound realm counts`(_ name: String) throws {
    let bytes = try Fixture.bytes(name)
    let (context, top) = try begin(bytes)
    let trial = try #require(TrialCheck(context, top: top, threadCount: 3))
    defer { trial.close() }
    #expect(trial.finish { _ in } == (try CheckResult(of: bytes)).summary.links)
    #expect(trial.tables.count == (try CheckResult(of: bytes)).summary.tables)
  }

  @Test func `an error found by a thread is left to one that goes on from it`() throws {
    let damage = try #require(Damage.indexes.first { $0.story == "objects exchanged" })
    let (context, top) = try begin(damage.planted())
    let trial = try #require(TrialCheck(context, top: top, threadCount: 2))
    defer { trial.close() }
    #expect(trial.finish { _ in } == nil)
    #expect(!context.log.hasErrors)
  }

  @Test func `one thread needs no trial`() throws {
    let (context, top) = try begin(Fixture.bytes("engine/dogs.realm"))
    #expect(TrialCheck(context, top: top, threadCount: 1) == nil)
  }

  @Test func `sums tell an index from one with another entry`() throws {
    for (bytes, isSound) in [
      (try Fixture.bytes("engine/dogs.realm"), true),
      (try #require(Damage.indexes.first { $0.story == "objects exchanged" }).planted(), false),
      (try #require(Damage.indexes.first { $0.story == "object left out" }).planted(), false),
      (try #require(Damage.indexes.first { $0.story == "list of equal texts out of order" }).planted(), false),
    ] {
      let (context, top) = try begin(bytes)
      var summary = CheckSummary()
      let tables = Checker.readTables(context, top, &summary)
      var results: Set<Bool> = []
      for table in tables {
        for column in table.columns where !column.index.isNull {
          let sums = try #require(IndexSums(context, table, column, .general))
          var check = IndexCheck(context, table, column, sums)
          check.run()
          results.insert(check.entries.isEqualToValues())
        }
      }
      #expect(results.contains(false) == !isSound)
    }
  }
}
