import TestSupport
import Testing

@testable import RealmStorage

/// One end of a link as the other end should know it.
private struct Incoming: Hashable, Comparable {
  let target: UInt32
  let targetKey: Int64
  let origin: UInt32
  let property: Int
  let originKey: Int64

  static func < (left: Incoming, right: Incoming) -> Bool { left.sortKey.lexicographicallyPrecedes(right.sortKey) }
  private var sortKey: [Int64] { [Int64(target), targetKey, Int64(origin), Int64(property), originKey] }
}

/// All links of a realm, found where they start.
private func linksFromTheirOrigins(_ snapshot: Snapshot) throws -> [Incoming] {
  var links: [Incoming] = []
  for table in snapshot.tables {
    var batches = table.batches()
    while case .batch(let batch)? = batches.next() {
      for index in table.schema.properties.indices {
        let values = try batch.values(ofProperty: index)
        for row in 0..<batch.count {
          try forEachLink(in: values.value(at: row), snapshot) { target, key in
            links.append(
              Incoming(
                target: target.rawValue, targetKey: key.rawValue, origin: table.key.rawValue, property: index,
                originKey: batch.key(at: row).rawValue))
          }
        }
      }
    }
  }
  return links.sorted()
}

private func forEachLink(
  in value: ValueView, _ snapshot: Snapshot, _ body: (TableKey, ObjectKey) throws -> Void
) throws {
  let walk = snapshot.collectionWalk()
  switch value {
  case .link(let table, let key), .typedLink(let table, let key): try body(table, key)
  case .list(let list), .set(let list):
    try list.forEach(walk, damaged: { throw $0 }) { try forEachLink(in: $0, snapshot, body) }
  case .dictionary(let dictionary):
    try dictionary.forEach(walk, damaged: { throw $0 }) { try forEachLink(in: $1, snapshot, body) }
  default: break
  }
}

/// All links of a realm, found where they lead.
private func linksFromTheirTargets(_ snapshot: Snapshot) throws -> [Incoming] {
  var links: [Incoming] = []
  for table in snapshot.tables {
    var batches = table.batches()
    while case .batch(let batch)? = batches.next() {
      for row in 0..<batch.count {
        for group in snapshot.backlinks(to: batch, row: row) {
          let group = try group.get()
          for key in group.originKeys(at: 0..<group.count, in: snapshot) {
            links.append(
              Incoming(
                target: table.key.rawValue, targetKey: batch.key(at: row).rawValue, origin: group.origin.rawValue,
                property: try #require(group.propertyIndex), originKey: try key.get().rawValue))
          }
        }
      }
    }
  }
  return links.sorted()
}

/// Files of test builds with four entries per node are left out: nothing in them says so, and their object keys cannot be
/// determined (Docs/Format/4-file-versions.md §3.11).
@Test(arguments: OpenableFixture.all.filter { !$0.name.contains("database_4_") })
func everyLinkIsKnownAtItsTarget(_ fixture: OpenableFixture) throws {
  let snapshot = try fixture.opened()
  #expect(try linksFromTheirTargets(snapshot) == linksFromTheirOrigins(snapshot))
}

@Test func fixturesHaveManyLinksToOneObject() throws {
  let snapshot = try OpenableFixture.named("corners").opened()
  let links = try linksFromTheirTargets(snapshot)
  let counts = Dictionary(grouping: links) { [$0.targetKey, Int64($0.target)] }.mapValues(\.count)
  #expect((counts.values.max() ?? 0) >= 2500)
}

@Test func slicesOfBacklinksMeet() throws {
  let snapshot = try OpenableFixture.named("corners").opened()
  let hub = try #require(snapshot.table(displayName: "Hub"))
  let (batch, row) = try #require(try hub.object(ObjectKey(rawValue: 0)))
  for group in snapshot.backlinks(to: batch, row: row) {
    let group = try group.get()
    let whole = try group.originKeys(at: 0..<group.count, in: snapshot).map { try $0.get() }
    let middle = group.count * 2 / 3
    let parts = try [0..<middle, middle..<group.count].flatMap { range in
      try group.originKeys(at: range, in: snapshot).map { try $0.get() }
    }
    #expect(parts == whole)
    let beyond = group.originKeys(at: group.count..<group.count + 2, in: snapshot)
    #expect(beyond.count == 2)
    #expect(beyond.allSatisfy { (try? $0.get()) == nil })
  }
}

@Test func aClassThatNothingLinksToHasNoGroups() throws {
  let snapshot = try OpenableFixture.named("dogs").opened()
  let person = try #require(snapshot.table(displayName: "Person"))
  let (batch, row) = try #require(try person.object(ObjectKey(rawValue: 0)))
  #expect(snapshot.backlinks(to: batch, row: row).isEmpty)
  #expect(snapshot.incomingLinks(to: person).isEmpty)
}
