import TestSupport
import Testing

@testable import RealmStorage

@Suite struct RawSlotsTests {
  private let store: ByteStore
  private let top: RawTop

  init() throws {
    let snapshot = try Snapshot(of: ByteStore(copying: Fixture.bytes("engine/dogs.realm")))
    store = snapshot.store
    top = try RawTop(snapshot.header.topRef, in: store)
  }

  @Test func `a slot that the node does not have reads as 0`() throws {
    #expect(top.count == 11 && top[.evacuation].rawValue == 0)
    #expect(try top.ref(.evacuation) == .null && top.number(.evacuation) == 0)
    #expect(top[.evacuation].child == nil && top[.evacuation].number == 0)
  }

  @Test func `a number is no ref, and a ref no number`() throws {
    #expect(top[.logicalSize].child == nil && top[.tables].number == 0)
    #expect(throws: StorageError.corrupted(top.ref, .unexpectedNodeKind(expected: "a ref in slot 2"))) {
      try top.ref(.logicalSize)
    }
    #expect(throws: StorageError.corrupted(top.ref, .unexpectedNodeKind(expected: "a number in slot 1"))) {
      try top.number(.tables)
    }
  }

  @Test func `the same slots give what the engine believes`() throws {
    let believed = try TopArray(top.ref, in: store)
    #expect(believed.tables == top[.tables].child && believed.version == top.storedVersion)
    let lists = RawFreeLists(top: top, store: store)
    #expect(try lists.list(.freeLengths)?.count == FreeSpace(of: believed, in: store).entryCount)
    let tables = try TableList(believed, in: store).tables
    #expect(!tables.isEmpty)
    for table in tables {
      let raw = try RawTableTop(table.top.ref, in: store)
      #expect(raw.primaryKey == table.top.primaryKey && raw[.key].number == UInt64(table.top.key.rawValue))
      let spec = try RawSpec(raw.ref(.spec), in: store)
      let columns = try RawColumn.Lists(
        types: Node(spec.ref(.types), in: store), attributes: Node(spec.ref(.attributes), in: store),
        keys: Node(spec.ref(.keys), in: store))
      #expect(columns.publicCount() == table.columns.properties.count)
      #expect(columns.count == columns.publicCount() + table.columns.backlinks.count)
      for (index, column) in table.columns.properties.enumerated() {
        #expect(columns[index].key == column.key && column.key.collection == column.collection)
      }
    }
  }

  @Test func `only a node of references has slots`() throws {
    let names = try #require(top[.tableNames].child)
    #expect(throws: StorageError.self) { try RawTop(names, in: store) }
    #expect(throws: StorageError.notARealm(.topArray(ref: names.rawValue))) { try TopArray(names, in: store) }
  }
}
