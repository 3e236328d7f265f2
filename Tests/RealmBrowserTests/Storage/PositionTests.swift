import TestSupport
import Testing

@testable import RealmStorage

@Test func thereAreFixturesToOpen() {
  #expect(OpenableFixture.all.count >= 15)
}

@Test(arguments: OpenableFixture.all)
func everyObjectIsAtItsPosition(_ fixture: OpenableFixture) throws {
  try leavingUntouched(fixture.path) { _ in
    for table in try fixture.opened().tables {
      var keys: [ObjectKey] = []
      var batches = table.batches()
      while case .batch(let batch)? = batches.next() { keys += (0..<batch.count).map(batch.key(at:)) }
      let positions = ObjectPositions(of: table)
      #expect(positions.count == keys.count)
      // All of a small table, and a share of a large one.
      for position in stride(from: 0, to: keys.count, by: max(keys.count / 2000, 1)) {
        guard case .object(let batch, let row) = positions.entry(at: position) else {
          Issue.record("no object at \(position) of \(table.schema.name)")
          continue
        }
        #expect(batch.key(at: row) == keys[position])
        #expect(positions.position(of: keys[position]) == position)
      }
    }
  }
}

@Test func positionsBeyondEitherEndAreErrors() throws {
  let snapshot = try OpenableFixture.named("deep-tree").opened()
  for table in snapshot.tables {
    let positions = ObjectPositions(of: table)
    for position in [-1, positions.count, Int.max, Int.min] {
      guard case .damaged = positions.entry(at: position) else {
        Issue.record("something at \(position)")
        continue
      }
    }
  }
}

@Test func keysThatAreNotThereHaveNoPosition() throws {
  for table in try OpenableFixture.named("deep-tree").opened().tables {
    let positions = ObjectPositions(of: table)
    for key in [-1, -2, Int64.max, Int64.min, 70_001] {
      #expect(positions.position(of: ObjectKey(rawValue: key)) == nil)
    }
  }
}

/// Copies of a realm in memory with something changed.
private struct ChangedRealm {
  var bytes: [UInt8]

  init(_ fixture: OpenableFixture) throws { bytes = try Fixture.bytes(ofFile: fixture.path) }

  /// Replaces the header of a node by an impossible one.
  mutating func damage(_ ref: Ref) { bytes[Int(ref.rawValue) + 4] = 0xff }

  func opened() throws -> Snapshot {
    let folder = try TemporaryFolder()
    let path = try folder.write("changed.realm", bytes)
    return try Snapshot(of: ByteStore.open(.path(path), key: nil).store)
  }
}

/// The table with the most objects, which has a tree of three levels.
private func largest(_ snapshot: Snapshot) throws -> Table {
  try #require(try snapshot.tables.max { try $0.objectCount() < $1.objectCount() })
}

private func kinds(_ positions: ObjectPositions) -> (objects: [ObjectKey], damaged: [Int]) {
  var objects: [ObjectKey] = []
  var damaged: [Int] = []
  for position in 0..<positions.count {
    switch positions.entry(at: position) {
    case .object(let batch, let row): objects.append(batch.key(at: row))
    case .damaged: damaged.append(position)
    }
  }
  return (objects, damaged)
}

@Test func aDamagedClusterKeepsThePlacesOfItsObjects() throws {
  var realm = try ChangedRealm(.named("deep-tree"))
  let sound = try realm.opened()
  let table = try largest(sound)
  let before = kinds(ObjectPositions(of: table))
  let root = try ClusterTree.InnerNode(Node(#require(table.clusters).root, in: sound.store), in: sound.store)
  let inner = try ClusterTree.InnerNode(Node(root.childRef(0), in: sound.store), in: sound.store)
  let lost = try Cluster(Node(inner.childRef(1), in: sound.store), offset: 0, in: sound.store).count
  let start = try Cluster(Node(inner.childRef(0), in: sound.store), offset: 0, in: sound.store).count
  realm.damage(try inner.childRef(1))

  let positions = ObjectPositions(of: try largest(try realm.opened()))
  let after = kinds(positions)
  #expect(positions.count == before.objects.count)
  #expect(after.damaged == Array(start..<start + lost))
  var rest = before.objects
  rest.removeSubrange(start..<start + lost)
  #expect(after.objects == rest)
  #expect(positions.position(of: before.objects[start]) == nil)
  #expect(positions.position(of: before.objects[start + lost]) == start + lost)
}

@Test func aDamagedInnerNodeKeepsThePlacesOfItsObjects() throws {
  var realm = try ChangedRealm(.named("deep-tree"))
  let sound = try realm.opened()
  let table = try largest(sound)
  let root = try ClusterTree.InnerNode(Node(#require(table.clusters).root, in: sound.store), in: sound.store)
  try #require(root.depth >= 2 && root.childCount >= 2)
  let before = kinds(ObjectPositions(of: table))
  realm.damage(try root.childRef(0))
  let after = kinds(ObjectPositions(of: try largest(try realm.opened())))
  #expect(after.damaged.first == 0)
  #expect(after.damaged.count + after.objects.count == before.objects.count)
  #expect(after.objects == Array(before.objects.suffix(after.objects.count)))
}

@Test func aDamagedRootIsOneErrorAtThePlaceOfTheObjects() throws {
  var realm = try ChangedRealm(.named("deep-tree"))
  let table = try largest(try realm.opened())
  realm.damage(try #require(table.clusters).root)
  let changed = try realm.opened()
  let found = try #require(changed.tables.first { $0.schema.name == table.schema.name })
  let positions = ObjectPositions(of: found)
  #expect(positions.count == 1)
  guard case .damaged = positions.entry(at: 0) else {
    Issue.record("an object in a damaged table")
    return
  }
}

@Test func countsThatContradictTheObjectsShowAsAnError() throws {
  var realm = try ChangedRealm(.named("deep-tree"))
  let sound = try realm.opened()
  let table = try largest(sound)
  let root = try ClusterTree.InnerNode(Node(#require(table.clusters).root, in: sound.store), in: sound.store)
  // Slot 2 of an inner node counts the objects below it, as an odd number.
  let child = try Node(root.childRef(0), in: sound.store)
  let width = child.width / 8
  let place = Int(child.ref.rawValue) + Node.headerSize + 2 * width
  realm.bytes[place] = 21
  for byte in 1..<width { realm.bytes[place + byte] = 0 }
  let after = kinds(ObjectPositions(of: try largest(try realm.opened())))
  // Ten are counted: nine are shown, and in the place of the tenth it says that there are more. At the end it says that
  // the root counts more objects than its children do.
  let before = kinds(ObjectPositions(of: table))
  #expect(after.damaged == [9, after.objects.count + 1])
  #expect(after.objects.prefix(9) == before.objects.prefix(9))
}
