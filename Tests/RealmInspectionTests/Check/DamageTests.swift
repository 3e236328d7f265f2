import TestSupport
import Testing

@testable import RealmInspection
@testable import RealmStorage

@Test(arguments: Damage.all) func `planted damage is found for what it is and where it is`(_ damage: Damage) throws {
  let findings = try damage.findings()
  #expect(Set(findings.map(\.kind)) == damage.kinds, "\(findings.map(\.line))")
  #expect(damage.expected(among: findings) != nil, "\(findings.map { "\($0.kind.rawValue) \($0.place)" })")
}

@Test(arguments: Set(Damage.all.map(\.fixture)).sorted())
func `a realm that is only written anew is as sound as before`(_ name: String) throws {
  try leavingUntouched(Fixture.path(name)) { path in
    let original = try CheckResult(of: Fixture.bytes(ofFile: path))
    #expect(original.faults == [])
    for form in [NodeTree.Form.streaming, .normal] {
      let copy = try CheckResult(of: NodeTree(Fixture.bytes(ofFile: path)).written(form))
      #expect(copy.faults == [])
      #expect(copy.summary.counts == original.summary.counts)
      #expect(copy.summary.nodes == original.summary.nodes)
      #expect(copy.summary.links == original.summary.links)
    }
  }
}

@Test func `the damage that tests plant covers every kind of finding`() {
  let planted = Damage.all.reduce(into: Set<FindingKind>()) { $0.formUnion($1.kinds) }
  let missing = FindingKind.allCases.filter { !planted.contains($0) && !Damage.kindsElsewhere.contains($0) }
  #expect(missing.map(\.rawValue) == [])
}

extension Damage {
  static let all =
    container + nodeDamage + freeList + tables + followed + columns + clusters + values + mixed + collections + links
    + indexes
    + large

  /// Kinds with tests of their own, because they need an encrypted file (`LargeDamage.swift`), or one that is made for
  /// them (`StaleLinkTests`, `LegacyDamageTests`).
  static let kindsElsewhere: Set<FindingKind> = [
    .nodeUnreadable, .indexStaleLink, .legacyUpgrade, .legacyTable, .legacyMilliseconds, .rowCount,
  ]
}
