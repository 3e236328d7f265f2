import Foundation
import TestSupport
import Testing

@testable import RealmStorage

@Test(arguments: OpenableFixture.all)
func theBytesOfTablesFitIntoTheFile(_ fixture: OpenableFixture) throws {
  let snapshot = try fixture.opened()
  var total: UInt64 = 0
  for table in snapshot.tables {
    var counting = table.byteCounting()
    while counting.advance(nodes: 7) {}
    #expect(counting.damagedParts == 0)
    #expect(counting.byteCount > 0)
    total += counting.byteCount
  }
  #expect(total <= UInt64(snapshot.byteCount))
}

@Test func theTablesOfACompactedCopyMakeUpTheFile() throws {
  let snapshot = try OpenableFixture.named("all-types-copy").opened()
  var total: UInt64 = 0
  for table in snapshot.tables {
    var counting = table.byteCounting()
    while counting.advance(nodes: 1000) {}
    total += counting.byteCount
  }
  // Apart from the tables there is little: a header, the list of tables, some unused space, a footer.
  #expect(total > UInt64(snapshot.byteCount) / 100 * 95)
}

@Test func stepsOfAnySizeGiveTheSameBytes() throws {
  let table = try #require(try OpenableFixture.named("strings").opened().tables.last)
  var results: Set<UInt64> = []
  for step in [1, 2, 100, 1_000_000] {
    var counting = table.byteCounting()
    while counting.advance(nodes: step) {}
    results.insert(counting.byteCount)
  }
  #expect(results.count == 1)
}

@Suite struct FileChangeTests {
  /// A copy of a realm, open.
  private struct Opened {
    let folder: TemporaryFolder
    let path: String
    let bytes: OpenedBytes
    let head: [UInt8]

    init() throws {
      folder = try TemporaryFolder()
      path = try folder.write("app.realm", Fixture.bytes("engine/dogs.realm"))
      bytes = try ByteStore.open(.path(path), key: nil)
      head = try bytes.currentState()
    }
  }

  @Test func aFileThatStaysIsUnchanged() throws {
    let realm = try Opened()
    #expect(realm.bytes.change(since: realm.head) == nil)
  }

  @Test func aCommitIsNoticed() throws {
    let realm = try Opened()
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: realm.path))
    // A commit writes the root into the other slot and flips the switch.
    try file.seek(toOffset: 23)
    try file.write(contentsOf: [realm.head[23] ^ 1])
    try file.close()
    #expect(realm.bytes.change(since: realm.head) == .committed)
  }

  @Test func aFileThatTookItsPlaceIsNoticed() throws {
    let realm = try Opened()
    try realm.folder.write("other.realm", Fixture.bytes("engine/todo.realm"))
    #expect(rename(realm.folder.path("other.realm"), realm.path) == 0)
    #expect(realm.bytes.change(since: realm.head) == .replaced)
  }

  @Test func aFileThatIsGoneIsNoticed() throws {
    let realm = try Opened()
    try FileManager.default.removeItem(atPath: realm.path)
    #expect(realm.bytes.change(since: realm.head) == .removed)
  }
}
