import TestSupport
import Testing

@testable import RealmInspection
@testable import RealmStorage

/// Damage is reported once: what follows from it is counted under it.
@Suite struct FollowingTests {
  /// All findings are either counted for themselves or under another one, and those are known.
  private func expectConsistent(_ result: CheckResult) {
    let summary = result.summary
    let all = summary.counts.values.reduce(0, +)
    #expect(summary.errors + summary.warnings + summary.notes + summary.following == all)
    #expect(summary.followers.values.reduce(0, +) <= summary.following)
    let numbers = Set(result.findings.compactMap(\.number))
    #expect(numbers.isSuperset(of: summary.followers.keys))
    for finding in result.findings { #expect((finding.number == nil) == (finding.cause != nil)) }
    let classes = summary.classes.reduce(0) { $0 + $1.errors + $1.warnings + $1.notes }
    #expect(classes <= summary.errors + summary.warnings + summary.notes)
  }

  @Test func `a cluster that cannot be read costs one error, with all its links`() throws {
    let tree = try NodeTree(Fixture.bytes("engine/corners.realm"))
    // A number in place of a ref to the values' keys makes 256 objects unreadable; they link to others.
    try tree.table("class_Spoke").cluster(1).flags |= 0x20
    try tree.table("class_Spoke").cluster(2).elements[0] = .child(.refs([]))
    let result = try CheckResult(of: tree.written())
    expectConsistent(result)
    #expect(result.summary.errors > 0)
    #expect(result.summary.errors <= 4, "\(result.findings.filter { $0.number != nil }.map(\.line))")
    #expect(result.summary.following > 100)
    let spoke = try #require(result.summary.classes.first { $0.table == "class_Spoke" })
    #expect(spoke.errors > 0)
    #expect(spoke.following > 100)
  }

  @Test func `a node that lies over hundreds of others is one error`() throws {
    let tree = try NodeTree(Fixture.bytes("engine/deep-tree.realm"))
    let clusters = try tree.tableNames.map { try tree.table($0).clusters() }.max { $0.count < $1.count }
    let cluster = try #require(clusters?.dropFirst(3).first)
    let leaf = try #require(cluster.elements.indices.lazy.compactMap { cluster.child($0) }.first { $0.flags == 0 })
    leaf.claimedCount = 100_000
    let result = try CheckResult(of: tree.written())
    expectConsistent(result)
    #expect(result.summary.counts[.nodeOverlap, default: 0] > 50)
    #expect(result.summary.errors <= 10, "\(result.findings.filter { $0.number != nil }.map(\.line))")
    #expect(result.summary.liveBytes <= UInt64(tree.written().count))
  }

  @Test func `twenty damaged places are no thousands of errors`() throws {
    let sound = try Fixture.bytes("engine/deep-tree.realm")
    let nodes = stride(from: 24, to: sound.count - 8, by: 8).filter { sound[$0..<$0 + 4].allSatisfy { $0 == 0x41 } }
    for seed in 0..<5 {
      var bytes = sound
      for place in 0..<20 {
        let node = nodes[(place * 7919 + seed * 104_729) % nodes.count]
        bytes[node + 4 + place % 4] ^= UInt8(1 << ((place + seed) % 8))
      }
      let result = try CheckResult(of: bytes, limit: 1000)
      expectConsistent(result)
      #expect(result.summary.errors > 0)
      #expect(result.summary.errors <= 100, "seed \(seed): \(result.summary.errors) and \(result.summary.following)")
    }
  }

  @Test func `what follows is only told to those who want it`() throws {
    let tree = try NodeTree(Fixture.bytes("engine/corners.realm"))
    try tree.table("class_Spoke").cluster(2).elements[0] = .child(.refs([]))
    let bytes = tree.written()
    var findings: [Finding] = []
    let options = Checker.Options(reportsFollowing: false)
    let summary = try Checker(ByteStore(copying: bytes), options: options).run { findings.append($0) }
    #expect(findings.allSatisfy { $0.cause == nil })
    #expect(findings.count == summary.errors + summary.warnings + summary.notes)
    let all = try CheckResult(of: bytes, limit: 10_000)
    #expect(all.findings.count { $0.cause != nil } == all.summary.following)
  }

  @Test func `an error is never counted under a note`() throws {
    let tree = try NodeTree(Fixture.bytes("engine/dogs.realm"))
    // Other first bytes are a note; the wrong kind of node is an error.
    let leaf = try tree.table("class_Dog").leaf("name")
    leaf.signature = [1, 1, 1, 1]
    leaf.flags = 0x10
    let result = try CheckResult(of: tree.written())
    expectConsistent(result)
    #expect(result.summary.errors > 0)
    #expect(result.findings.contains { $0.severity == .error && $0.number != nil })
  }
}
