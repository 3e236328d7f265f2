import TestSupport
import Testing

@testable import RealmStorage

/// A power cut at any point of a transaction leaves the old state or the new one (Docs/Format/1-container.md §5.3, §7.6).
@Suite struct CrashTests {
  struct Scenario: CustomTestStringConvertible, Sendable {
    let fixture: String
    /// The number of transactions before the one under test.
    var earlier = 0
    /// One of this many nodes is rewritten.
    var share: UInt64 = 3
    /// The number of pages kept in memory.
    var pageLimit = ChangedPages.mostPages
    /// The number of bytes after the end of the file.
    var tail = 0

    var testDescription: String { "\(fixture), \(earlier) before, 1/\(share), \(pageLimit) pages, tail \(tail)" }
    var key: EncryptionKey? { get throws { try RealmFileTests.key(of: fixture) } }
    /// A torn page of an encrypted file is lost; a sector of a plain file is never torn.
    var pieceSize: Int { fixture.contains("encrypted") ? 4096 : 512 }
  }

  static let scenarios = [
    Scenario(fixture: "dogs"), Scenario(fixture: "dogs", earlier: 3), Scenario(fixture: "dogs", earlier: 2, tail: 8192),
    Scenario(fixture: "no-tables"), Scenario(fixture: "fragmented", share: 50),
    Scenario(fixture: "all-types", earlier: 1, share: 40), Scenario(fixture: "all-types", share: 1, pageLimit: 4),
    Scenario(fixture: "all-types-copy", share: 20),
    Scenario(fixture: "all-types-encrypted", share: 40), Scenario(fixture: "all-types-encrypted", earlier: 2, share: 4),
    Scenario(fixture: "all-types-encrypted", share: 1, pageLimit: 4),
    Scenario(fixture: "all-types-copy-encrypted", share: 20),
  ]

  @Test("whatever of the writes reaches the disk, the old or the new state is there, whole", arguments: scenarios)
  func images(_ scenario: Scenario) throws {
    let run = try RecordedTransaction(scenario)
    let images = CrashImages(
      initial: run.initial, changes: run.changes, pieceSize: scenario.pieceSize, randomImages: 4)
    var found: Set<UInt64> = []
    var checked = 0
    try images.forEach { image, count in
      let state = try CrashState(image, scenario.key)
      #expect([run.before, run.after].contains(state.facts), "after \(count) of \(run.changes.count) changes")
      if count == run.changes.count { #expect(state.facts == run.after) }
      // The checker examines the same bytes in all images of one state, except for those that belong to none.
      checked += 1
      if checked % 8 == 0 || count == run.changes.count { #expect(try state.snapshot.faults() == []) }
      found.insert(state.facts.version)
    }
    #expect(found == [run.before.version, run.after.version])
  }

  @Test("work goes on from what a power cut has left", arguments: scenarios)
  func recovery(_ scenario: Scenario) throws {
    let run = try RecordedTransaction(scenario)
    let images = CrashImages(
      initial: run.initial, changes: run.changes, pieceSize: scenario.pieceSize, randomImages: 2)
    var number = 0
    try images.forEach { image, _ in
      number += 1
      guard number % 9 == 1 else { return }
      let facts = try CrashState(image, scenario.key).facts
      let folder = try TemporaryFolder()
      let path = try folder.write("app.realm", image)
      let file = try RealmFileTests.file(path, key: scenario.key)
      for seed in 0..<2 { try RealmFileTests.rewrite(file, seed: UInt64(seed), share: scenario.share) }
      let after = try RealmFileTests.opened(path, scenario.key)
      #expect(after.version == facts.version + 2)
      #expect(try after.faults() == [])
      // A file without content gets its empty lists with the first transaction.
      if !run.before.topRef.isNull { #expect(try after.nodeDigest() == run.content) }
    }
  }

  @Test("after a power cut in a change of objects the old objects are there or the new ones", arguments: [false, true])
  func objects(isEncrypted: Bool) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("app.realm")
    let key: EncryptionKey? = isEncrypted ? try .of(Fixture.engineKey) : nil
    try RandomEditTests.writeEmptyRealm(at: path, key)
    var edits = RandomEdits(seed: 7)
    for _ in 0..<4 {
      let initial = try Fixture.bytes(ofFile: path)
      let calls = RecordingCalls(path: path)
      let transaction = try WriteTransaction(RealmFile(path, key: key, waitingMilliseconds: 60_000, calls: calls))
      try edits.run(transaction, steps: 40)
      try transaction.commit()
      let states = [try CrashState(initial, key).facts, try CrashState(Fixture.bytes(ofFile: path), key).facts]
      let images = CrashImages(
        initial: initial, changes: calls.changes, pieceSize: isEncrypted ? 4096 : 512, randomImages: 3)
      var found: Set<CrashState.Facts> = []
      try images.forEach { image, _ in found.insert(try CrashState(image, key).facts) }
      #expect(found == Set(states))
    }
  }
}

/// A transaction and all its changes of the file.
private struct RecordedTransaction {
  let initial: [UInt8]
  let changes: [FileChange]
  let before: CrashState.Facts
  let after: CrashState.Facts
  /// Of both states, wherever nodes lie.
  let content: UInt64

  init(_ scenario: CrashTests.Scenario) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("app.realm", Fixture.bytes("engine/\(scenario.fixture).realm"))
    for seed in 0..<scenario.earlier {
      try RealmFileTests.rewrite(
        RealmFileTests.file(path, key: scenario.key), seed: UInt64(seed + 100), share: scenario.share)
    }
    let tail = [UInt8](repeating: 0x55, count: scenario.tail)
    initial = try Fixture.bytes(ofFile: path) + tail
    try folder.write("app.realm", initial)
    let calls = RecordingCalls(path: path)
    before = try CrashState(initial, scenario.key).facts
    let file = try RealmFile(
      path, key: scenario.key, waitingMilliseconds: 60_000, calls: calls, pageLimit: scenario.pageLimit)
    try RealmFileTests.rewrite(file, seed: 7, share: scenario.share)
    let bytes = try Fixture.bytes(ofFile: path)
    after = try CrashState(bytes, scenario.key).facts
    content = try file.snapshot.nodeDigest()
    changes = calls.changes
    #expect(after.version == before.version + 1)
    // The record is complete.
    var replayed = initial
    for change in changes { CrashImages.apply(change, to: &replayed) }
    #expect(replayed == bytes)
    #expect(changes.last == .synchronize)
  }
}

/// What is found when a file is opened.
private struct CrashState {
  struct Facts: Hashable {
    let version: UInt64
    let topRef: Ref
    /// Of all nodes, with their places.
    let digest: UInt64
  }

  let snapshot: Snapshot
  let facts: Facts

  init(_ bytes: [UInt8], _ key: EncryptionKey?) throws {
    let opened = try ByteStore.openMemory(.of(bytes), .path("crash.realm"), key)
    snapshot = try Snapshot(of: opened.store, wasDecrypted: opened.isEncrypted)
    facts = Facts(
      version: snapshot.version, topRef: snapshot.header.topRef, digest: try snapshot.nodeDigest(places: true))
  }
}
