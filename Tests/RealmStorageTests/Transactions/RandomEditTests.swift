import Foundation
import TestSupport
import Testing

@testable import RealmStorage

/// Random changes, compared with a plain model of their results, with a check after each commit.
///
/// The environment controls runs by hand: `REALMCTL_EDIT_SEEDS` how many runs there are, `REALMCTL_EDIT_FIRST` the
/// first, `REALMCTL_EDIT_KEEP` a folder for the realms they end with.
@Suite struct RandomEditTests {
  private static func setting(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }
  private static let first = setting("REALMCTL_EDIT_FIRST").flatMap { UInt64($0) } ?? 0
  private static let seeds = first..<first + (setting("REALMCTL_EDIT_SEEDS").flatMap { UInt64($0) } ?? 32)

  @Test(arguments: [false, true]) func `the realm holds what the model holds, after every commit`(isEncrypted: Bool)
    throws
  {
    var counts: [String: Int] = [:]
    for seed in Self.seeds where isEncrypted == (seed % 4 == 3) {
      try counts.merge(run(seed, isEncrypted: isEncrypted), uniquingKeysWith: +)
    }
    if Self.setting("REALMCTL_EDIT_SEEDS") != nil { print(counts.sorted { $0.key < $1.key }) }
    guard !isEncrypted, Self.seeds.count >= 32 else { return }
    // Each kind of change was made.
    #expect(Self.changes.filter { counts[$0] == nil } == [])
  }

  /// - Returns: how often each kind of change was made.
  private func run(_ seed: UInt64, isEncrypted: Bool) throws -> [String: Int] {
    let folder = try TemporaryFolder()
    let key: EncryptionKey? = isEncrypted ? try .of(Fixture.engineKey) : nil
    let path = folder.path("app.realm")
    try Self.writeEmptyRealm(at: path, key)
    let isLarge = seed % 8 == 5
    var edits = RandomEdits(seed: seed, isLarge: isLarge)
    var counts: [String: Int] = [:]
    for round in 0..<6 {
      let steps = round == 0 ? 60 : isLarge ? 15 : 25 + Int(seed % 7) * 20
      let kept = edits.model
      let before = round == 3 ? try Fixture.bytes(ofFile: path) : []
      let transaction = try WriteTransaction(RealmFileTests.file(path, key: key))
      do {
        try edits.run(transaction, steps: steps)
        if round == 3 { transaction.rollBack() } else { try transaction.commit() }
      } catch {
        Issue.record("seed \(seed), round \(round): \(error)")
        return edits.counts
      }
      if round == 3 {
        // The result is the same as if nothing had been done.
        edits.model = kept
        #expect(try Fixture.bytes(ofFile: path) == before, "seed \(seed)")
      }
      let snapshot = try RealmFileTests.opened(path, key)
      let faults = try snapshot.faults()
      #expect(faults == [], "seed \(seed), round \(round)")
      let read = try RealmModel(of: snapshot)
      if let difference = edits.model.difference(from: read) {
        Issue.record("seed \(seed), round \(round): \(difference)")
        return edits.counts
      }
      if read.classes.values.contains(where: { $0.keys.count > 1000 }) { counts["many objects", default: 0] += 1 }
      guard faults.isEmpty else { return edits.counts }
    }
    if let keep = Self.setting("REALMCTL_EDIT_KEEP") {
      try FileManager.default.copyItem(
        atPath: path, toPath: "\(keep)/\(isEncrypted ? "encrypted-" : "")\(seed).realm")
    }
    return counts.merging(edits.counts, uniquingKeysWith: +)
  }

  private static let changes = [
    "class embedded", "class embedded with copies", "class no longer embedded", "class removed", "class renamed",
    "class that others link to not removed", "embedded object created", "embedded object deleted",
    "embedded objects let go", "index changed", "many objects", "object created", "object deleted",
    "objects created together", "objects deleted together", "primary key of an object changed", "primary key removed",
    "primary key set", "primary key with duplicates given up", "property added", "property made optional",
    "property made required", "property removed", "property renamed", "refused", "type of a property changed",
    "value changed",
  ]

  static func writeEmptyRealm(at path: String, _ key: EncryptionKey?) throws {
    let source = try RealmFileTests.opened(Fixture.path("engine/no-tables.realm"), nil)
    let output = try SafeOutput(at: path, replacing: .never)
    _ = try StreamingWriter(key: key, threadLimit: 0).write(
      SnapshotNodes(of: source, keepsHistory: false), .fresh, to: output)
    try output.close()
    try output.publish()
  }
}
