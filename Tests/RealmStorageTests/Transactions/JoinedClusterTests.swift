import TestSupport
import Testing

@testable import RealmStorage

/// Clusters with few objects left.
@Suite struct JoinedClusterTests {
  /// Which of 2,000 objects stay.
  private static let survivors: [(name: String, stays: @Sendable (Int64) -> Bool)] = [
    ("every tenth", { $0 % 10 == 0 }),
    ("four of each cluster", { $0 % 256 < 4 }),
    ("the first half of each cluster", { $0 % 256 < 128 }),
    ("every second one, then a gap", { $0 % 2 == 0 && !(500..<1100).contains($0) }),
    ("the last", { $0 == 1999 }),
  ]

  @Test("small clusters are joined as engines do it, with all values and links", arguments: 0..<survivors.count)
  func join(_ index: Int) throws {
    let stays = Self.survivors[index].stays
    let folder = try TemporaryFolder()
    let file = try RealmFileTests.file(folder.write("app.realm", Fixture.bytes("engine/dogs.realm")), key: nil)
    try Self.fill(file)
    // In several transactions: clusters as the file has them, and as they are being changed.
    for part in 0..<3 as Range<Int64> {
      let transaction = try WriteTransaction(file)
      let table = try transaction.table("class_Item")
      for number in 0..<2000 as Range<Int64> where number % 3 == part && !stays(number) {
        try table.delete(try #require(try table.find(primaryKey: .int(number))))
      }
      try transaction.commit()
      #expect(try file.snapshot.faults() == [])
    }
    let expected = (0..<2000 as Range<Int64>).filter(stays)
    let transaction = try WriteTransaction(file)
    let table = try transaction.table("class_Item")
    var found: [Int64] = []
    try table.forEachKey { key in
      guard case .int(let number) = try table.value("id", of: key) else { return }
      found.append(number)
      #expect(
        try table.value("name", of: key) == (number % 5 == 0 ? .string(RealmString("Item \(number)")) : .string("")))
      let next = number - number % 10
      let target = try table.find(primaryKey: .int(next))
      #expect(stays(next) == (target != nil))
      #expect(try table.value("next", of: key) == target.map { .link(table.key, $0) } ?? .null)
    }
    #expect(found == expected)
    let stored = try #require(table.stored)
    let root = try Node(stored.clusterTop.clusters, in: file.snapshot.store)
    if expected.count < 128 { #expect(!root.isInner) }
    if root.isInner {
      // As full as a cluster is left on average.
      #expect(try ClusterTree.InnerNode(root, in: file.snapshot.store).childCount <= expected.count / 64 + 1)
    }
    transaction.rollBack()
  }

  private static func fill(_ file: RealmFile) throws {
    let transaction = try WriteTransaction(file)
    let table = try transaction.addTable("class_Item")
    try table.addProperty(Property(name: "id", type: .int))
    try table.setPrimaryKey("id")
    try table.addProperty(Property(name: "name", type: .string))
    try table.addProperty(Property(name: "next", type: .object, isOptional: true, target: "class_Item"))
    for number in 0..<2000 as Range<Int64> {
      let key = try table.create(primaryKey: .int(number))
      if number % 5 == 0 { try table.set("name", of: key, to: .string(RealmString("Item \(number)"))) }
      let next = try #require(try table.find(primaryKey: .int(number - number % 10)))
      try table.set("next", of: key, to: .link(table.key, next))
    }
    try transaction.commit()
    #expect(try file.snapshot.faults() == [])
  }
}
