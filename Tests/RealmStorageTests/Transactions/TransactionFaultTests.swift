import TestSupport
import Testing

@testable import RealmStorage

/// Each call of a transaction fails once.
@Suite struct TransactionFaultTests {
  struct Scenario: CustomTestStringConvertible, Sendable {
    let fixture: String
    let fault: FailingCalls.Fault
    var testDescription: String { "\(fixture), \(fault)" }
  }

  static let scenarios = ["dogs", "all-types-copy", "all-types-copy-encrypted"].flatMap { name in
    [FailingCalls.Fault.inputOutputError, .noSpace, .interruption, .shortCount, .earlyEnd, .end].map {
      Scenario(fixture: name, fault: $0)
    }
  }

  @Test("a call that fails leaves the old state or the new one, and the next transaction works", arguments: scenarios)
  func faults(_ scenario: Scenario) throws {
    let bytes = try Fixture.bytes("engine/\(scenario.fixture).realm")
    let key = try RealmFileTests.key(of: scenario.fixture)
    let folder = try TemporaryFolder()
    let path = try folder.write("app.realm", bytes)
    let before = try RealmFileTests.opened(path, key)
    let (version, digest) = (before.version, try before.nodeDigest())
    var call = 1
    var unreadable = 0
    while call < 10_000 {
      try folder.write("app.realm", bytes)
      let calls = FailingCalls(scenario.fault, atCall: call)
      let failure = run(path, key, calls)
      #expect(calls.openDescriptors == 0)
      let after = try RealmFileTests.opened(path, key)
      #expect(try after.nodeDigest() == digest)
      if (failure as? UnsettledCommit)?.isDone == true {
        unreadable += 1
        #expect(after.version == version + 1)
      } else if failure == nil {
        #expect(after.version == version + 1)
      } else {
        #expect(after.version == version || after.version == version + 1)
        #expect(scenario.fault != .interruption && scenario.fault != .shortCount)
        if call % 5 == 0 { try continueWork(path, key) }
      }
      guard calls.hasFailed else { break }
      call += 1
    }
    #expect(call > 5)
    // Reading what was committed is the last thing that can fail.
    #expect((unreadable > 0) == [.inputOutputError, .earlyEnd].contains(scenario.fault))
  }

  /// - Returns: what went wrong.
  private func run(_ path: String, _ key: EncryptionKey?, _ calls: FailingCalls) -> (any Error)? {
    do {
      let file = try RealmFile(path, key: key, waitingMilliseconds: 60_000, calls: calls, pageLimit: 32)
      try RealmFileTests.rewrite(file, seed: 3, share: 60)
      return nil
    } catch {
      return error
    }
  }

  private func continueWork(_ path: String, _ key: EncryptionKey?) throws {
    let file = try RealmFileTests.file(path, key: key)
    let version = file.snapshot.version
    try RealmFileTests.rewrite(file, seed: 4, share: 2)
    let after = try RealmFileTests.opened(path, key)
    #expect(after.version == version + 1)
    #expect(try after.faults() == [])
  }

  @Test func `a failed sync makes the file unusable until it is opened anew`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("app.realm", Fixture.bytes("engine/dogs.realm"))
    var call = 1
    while call < 10_000 {
      let calls = FailingCalls(.inputOutputError, atCall: call)
      call += 1
      guard let file = try? RealmFile(path, key: nil, waitingMilliseconds: 60_000, calls: calls) else { continue }
      let failed = (try? RealmFileTests.rewrite(file, seed: 1, share: 1)) == nil
      guard calls.failedCall == "fsync" else { continue }
      #expect(failed)
      #expect(throws: WriteRefusal.failedBefore) { try file.beginTransaction() }
      return
    }
    Issue.record("no sync has failed")
  }

  @Test func `a transaction that meets a full disk is given up, and the file keeps its size`() throws {
    let folder = try TemporaryFolder()
    let bytes = try Fixture.bytes("engine/dogs.realm")
    let path = try folder.write("app.realm", bytes)
    // The first call that needs space creates the lock file.
    let calls = FailingCalls(.noSpace, atCall: 2)
    #expect(throws: OutputError.self) {
      let file = try RealmFile(path, key: nil, waitingMilliseconds: 60_000, calls: calls)
      try RealmFileTests.rewrite(file, seed: 1, share: 1)
    }
    #expect(try Fixture.bytes(ofFile: path).count == bytes.count)
    #expect(try RealmFileTests.opened(path, nil).faults() == [])
  }

  @Test func `one transaction at a time`() throws {
    let folder = try TemporaryFolder()
    let file = try RealmFile(folder.write("app.realm", Fixture.bytes("engine/dogs.realm")), key: nil)
    let output = try file.beginTransaction()
    #expect(throws: WriteRefusal.transactionOpen) { try file.beginTransaction() }
    file.rollBack()
    let top = try #require(file.snapshot.top)
    #expect(throws: WriteRefusal.failedBefore) {
      try file.commit(output, RealmRoots(tableNames: top.tableNames, tables: top.tables))
    }
    _ = try file.beginTransaction()
  }
}
