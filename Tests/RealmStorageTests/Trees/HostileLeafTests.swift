import TestSupport
import Testing

@testable import RealmStorage

/// Leaves that claim more elements than a file has room for: elements of width 0 take none.
@Suite struct HostileLeafTests {
  @Test("a list has no more elements than the file has room for, however often it may be read") func width0() throws {
    let tree = try NodeTree(Fixture.bytes("engine/dogs.realm"))
    let dogs = try tree.table("class_Person").leaf("dogs")
    let list = try #require(dogs.elements.indices.compactMap { dogs.child($0) }.first)
    (list.content, list.width, list.claimedCount) = (.numbers([]), 0, 0xff_ffff)
    let snapshot = try Snapshot(of: ByteStore(copying: tree.written(.normal)))
    let table = try #require(snapshot.table(displayName: "Person"))
    let property = try #require(table.schema.properties.firstIndex { $0.name == "dogs" })
    var refused = 0
    try table.forEachBatch(in: snapshot) { batch in
      for row in 0..<batch.count {
        guard case .list(let view) = try batch.values(ofProperty: property).value(at: row) else { continue }
        var seen = 0
        do {
          try view.forEach(snapshot.collectionWalk(passes: 1 << 20), damaged: { throw $0 }) { _ in seen += 1 }
        } catch let error as StorageError {
          #expect("\(error)".contains("number of elements"))
          refused += 1
          #expect(throws: StorageError.self) { try view.count(in: snapshot) }
        }
        #expect(seen < 100)
      }
    }
    #expect(refused == 1)
  }
}
