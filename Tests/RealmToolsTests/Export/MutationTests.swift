import Foundation
import Mutations
import TestSupport
import Testing

/// The checker finds everything that an export calls damaged, or that prevents a hash, a copy or an upgrade. What is
/// lost without a message from either was stored in only one place.
///
/// The number of changes is limited here; `REALMCTL_MUTATIONS=100000` makes more of them for each realm, and
/// `MutationProbe` uses any other realms.
@Suite struct MutationTests {
  private static let count =
    ProcessInfo.processInfo.environment["REALMCTL_MUTATIONS"].flatMap { Int($0) } ?? 250

  private static let realms = [
    "dogs", "todo", "person-v1", "address-once", "synced", "empty-schema", "nested-mixed", "fragmented-compacted",
    "indexes",
  ].map { "engine/\($0).realm" }

  @Test(arguments: realms) func `what readers call damaged is an error for the checker`(_ name: String) throws {
    try leavingUntouched(Fixture.path(name)) { try compare(Fixture.bytes(ofFile: $0)) }
  }

  @Test(arguments: UInt8(2)...9) func `so it is in realms of old formats`(_ format: UInt8) throws {
    try compare(LegacyRealm.everything(format: format).bytes(), count: Self.count / 4)
  }

  /// Some of them, other ones for each format; `MutationProbe single` takes all.
  @Test(arguments: UInt8(2)...9)
  func `and whatever single node of them is damaged, a check finds what keeps any reader from succeeding`(
    _ format: UInt8
  ) throws {
    let bytes = LegacyRealm.everything(format: format).bytes()
    let sound = Comparison(bytes)
    let all = SingleDamages(bytes).all
    let step = max(1, all.count / (Self.count / 5))
    for damage in stride(from: Int(format) * step / 10, to: all.count, by: step).map({ all[$0] }) {
      let result = Comparison(damage.applied(to: bytes))
      guard let disagreement = result.disagreement(excluding: sound), !disagreement.isInevitable else { continue }
      Issue.record("\(damage): \(disagreement)")
    }
  }

  @Test(arguments: UpgradeStage.allCases)
  func `and in those whose upgrade was interrupted`(_ stage: UpgradeStage) throws {
    var upgrade = InterruptedUpgrade(.linked, after: stage)
    upgrade.renumbered = [3]
    try compare(upgrade.bytes(), count: Self.count / 4)
  }

  private func compare(_ bytes: [UInt8], count: Int = count) throws {
    let sound = Comparison(bytes)
    #expect(sound.damage == [])
    #expect(sound.errors == 0)
    var mutator = Mutator(bytes, seed: 1)
    var (damaged, found) = (0, 0)
    for _ in 0..<count {
      let mutation = mutator.next()
      let result = Comparison(mutation.applied(to: bytes))
      damaged += result.damage.isEmpty ? 0 : 1
      found += result.errors > 0 ? 1 : 0
      guard let disagreement = result.disagreement(excluding: sound), !disagreement.isInevitable else { continue }
      Issue.record("\(mutation): \(disagreement)")
    }
    // Changes that do nothing would prove nothing.
    #expect(damaged > count / 20)
    #expect(found > damaged)
  }
}
