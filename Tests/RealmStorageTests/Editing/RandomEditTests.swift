import Foundation
import TestSupport
import Testing

@testable import RealmStorage

/// Changes at random against a plain model of what they ought to come to, with the checker after each commit.
///
/// `REALMCTL_EDIT_SEEDS` sets how many runs there are, `REALMCTL_EDIT_FIRST` the first.
@Suite struct RandomEditTests {
  private static func number(_ name: String) -> UInt64? {
    ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
  }
  private static let first = number("REALMCTL_EDIT_FIRST") ?? 0
  private static let seeds = first..<first + (number("REALMCTL_EDIT_SEEDS") ?? 40)

  @Test(arguments: [false, true]) func `the realm holds what the model holds, after every commit`(isEncrypted: Bool)
    throws
  {
    for seed in Self.seeds where isEncrypted == (seed % 4 == 3) { try run(seed, isEncrypted: isEncrypted) }
  }

  private func run(_ seed: UInt64, isEncrypted: Bool) throws {
    let folder = try TemporaryFolder()
    let key: EncryptionKey? = isEncrypted ? try .of(Fixture.engineKey) : nil
    let path = folder.path("app.realm")
    try Self.writeEmptyRealm(at: path, key)
    var edits = RandomEdits(seed: seed)
    for round in 0..<5 {
      let steps = round == 0 ? 60 : 25 + Int(seed % 7) * 20
      let transaction = try WriteTransaction(RealmFileTests.file(path, key: key))
      do {
        try edits.run(transaction, steps: steps)
        try transaction.commit()
      } catch {
        Issue.record("seed \(seed), round \(round): \(error)")
        return
      }
      edits.model.normalize()
      let snapshot = try RealmFileTests.opened(path, key)
      let faults = try snapshot.faults()
      #expect(faults == [], "seed \(seed), round \(round)")
      if let difference = try edits.model.difference(from: RealmModel(of: snapshot)) {
        Issue.record("seed \(seed), round \(round): \(difference)")
        return
      }
      guard faults.isEmpty else { return }
    }
  }

  static func writeEmptyRealm(at path: String, _ key: EncryptionKey?) throws {
    let source = try RealmFileTests.opened(Fixture.path("engine/no-tables.realm"), nil)
    let output = try SafeOutput(at: path, replacing: .never)
    _ = try RealmWriter(key: key, threadLimit: 0).write(
      SnapshotNodes(of: source, keepsHistory: false), .fresh, to: output)
    try output.close()
    try output.publish()
  }
}
