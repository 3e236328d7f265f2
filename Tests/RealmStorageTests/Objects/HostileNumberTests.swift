import TestSupport
import Testing

@testable import RealmStorage

/// Numbers of a damaged file that are added, multiplied or counted with: the cost of reading is limited by the size of
/// the file.
@Suite struct HostileNumberTests {
  /// A store with nodes that nothing else leads to, and where they are.
  private static func store(_ nodes: [EditableNode]) throws -> (store: ByteStore, refs: [Ref]) {
    let tree = try NodeTree(Fixture.bytes("engine/dogs.realm"))
    tree.unreferenced = nodes
    let bytes = tree.written()
    var refs: [Ref] = []
    var place: UInt64 = 24
    let store = ByteStore(copying: bytes)
    for _ in nodes {
      refs.append(Ref(place))
      place += UInt64(try Node(Ref(place), in: store).byteSize)
    }
    return (store, refs)
  }

  private static func blob(_ size: Int) -> EditableNode { .blob(Array(repeating: 0x61, count: size - 1) + [0]) }

  private static func reason(_ body: () throws -> Void) -> Corruption.Reason? {
    do {
      try RealmError.uncovering(body)
      return nil
    } catch {
      guard case .corrupted(let corruption)? = error as? StorageError else { return nil }
      return corruption.reason
    }
  }

  @Test("a text in pieces is no longer than its file", arguments: [(2, true), (1_000, false), (20_000, false)])
  func pieces(_ count: Int, isSound: Bool) throws {
    let piece = Self.blob(1_000)
    let pieces = EditableNode.refs(Array(repeating: .child(piece), count: count))
    let (store, refs) = try Self.store([piece, pieces])
    let node = try Node(refs[1], in: store)
    let value = Result { try BlobView(pieces: node, droppingLast: 1, in: store) }
    guard isSound else {
      #expect(Self.reason { _ = try value.get() } == .visitedTooOften)
      return
    }
    let text = try value.get()
    #expect(text.count == 1_999)
    #expect(try text.copied().count == 1_999)
  }

  @Test func `empty pieces are counted, too`() throws {
    let piece = EditableNode.blob([])
    let pieces = EditableNode.refs(Array(repeating: .child(piece), count: 50_000))
    let (store, refs) = try Self.store([piece, pieces])
    let node = try Node(refs[1], in: store)
    #expect(Self.reason { _ = try BlobView(pieces: node, droppingLast: 0, in: store) } == .visitedTooOften)
  }

  @Test func `a long text in each place of a list ends the walk`() throws {
    let text = Self.blob(5_000)
    let leaf = EditableNode.refs(Array(repeating: .child(text), count: 1_000), flags: 0x60)
    let inner = EditableNode.refs(
      [.tagged(1_000)] + Array(repeating: .child(leaf), count: 3) + [.tagged(3_000)], flags: 0xc0)
    let (store, refs) = try Self.store([text, leaf, inner])
    var bytes = 0
    var reasons: Set<Corruption.Reason> = []
    let list = ListView(root: refs[2], element: .string)
    try list.forEach(CollectionWalk(store: store, format: 24, passes: 1)) { error in
      if case .corrupted(let corruption) = error { reasons.insert(corruption.reason) }
    } visit: { value in
      if case .string(let text) = value { bytes += text.count }
    }
    #expect(reasons == [.visitedTooOften])
    #expect(bytes <= 64 * (store.count + 4096))
  }

  @Test("long texts of a column are read as long as the budget for them lasts", arguments: [0, 1, 2, 5])
  func column(_ fitting: Int) throws {
    let text = Self.blob(5_000)
    let (store, refs) = try Self.store([text, EditableNode.refs(Array(repeating: .child(text), count: 5), flags: 0x60)])
    let leaf = try Leaf(refs[1], of: .string, inCollection: false, in: store)
    let budget = WalkBudget(limit: .max, valueLimit: fitting * 4_999)
    let values = PropertyValues(leaf: leaf, ref: refs[1], store: store, budget: .passUnretained(budget))
    let cells = UnsafeMutableBufferPointer<ValueView>.allocate(capacity: 5)
    defer { cells.deallocate() }
    cells.initialize(repeating: .bool(true))
    var damaged: [Int] = []
    withExtendedLifetime((store, budget)) { values.decode(into: cells) { row, _ in damaged.append(row) } }
    #expect(damaged == Array(fitting..<5))
    for (row, cell) in cells.enumerated() {
      switch cell {
      case .string(let text): #expect(row < fitting && text.count == 4_999)
      case .null: #expect(row >= fitting)
      default: Issue.record("neither a text nor null")
      }
    }
  }

  @Test func `a long text in all rows is copied into memory no more often than the file is long`() throws {
    let tree = try NodeTree(Fixture.bytes("engine/dogs.realm"))
    let leaf = try tree.table("class_Dog").leaf("name")
    let count = try #require(leaf.count > 2 ? leaf.count : nil)
    let text = Self.blob(60_000)
    (leaf.flags, leaf.width) = (0x60, 0)
    leaf.elements = Array(repeating: .child(text), count: count)
    let bytes = tree.written(.normal)
    let folder = try TemporaryFolder()
    let path = try folder.write("app.realm", bytes)
    let transaction = try WriteTransaction(RealmFile(path, key: nil, provesFreeSpace: false))
    let dogs = try transaction.table("class_Dog")
    let key = try #require(try dogs.firstKey())
    #expect(Self.reason { try dogs.set("name", of: key, to: .string("Rex")) } == .visitedTooOften)
    transaction.rollBack()
    #expect(try Fixture.bytes(ofFile: path) == bytes)
  }

  @Test("a number of elements that the file has no room for is not believed", arguments: [Int64.max, 1 << 40])
  func counts(_ claimed: Int64) throws {
    let leaf = EditableNode.numbers([1, 2, 3])
    let list = EditableNode.refs([.tagged(1_000), .child(leaf), .tagged(claimed)], flags: 0xc0)
    let (store, refs) = try Self.store([leaf, list])
    let expected = Corruption.Reason.valueOutOfRange("number of elements")
    let tree = BPlusTree(root: refs[1], element: ElementType(.int))
    #expect(Self.reason { _ = try tree.count(in: store) } == expected)
    // An index counts what it adds on top of that.
    #expect(Self.reason { _ = try EditedKeyList(refs[1], in: store) } == expected)
  }

  @Test("a number of objects that the file has no room for is not believed", arguments: [Int64.max, 1 << 40])
  func objectCounts(_ claimed: Int64) throws {
    let tree = try NodeTree(Fixture.bytes("engine/dogs.realm"))
    let table = try tree.table("class_Dog")
    let cluster = try table.clusterRoot
    table.top.elements[2] = .child(
      .refs([.raw(0), .tagged(1), .tagged(claimed), .child(cluster), .child(cluster)], flags: 0xc0))
    let snapshot = try Snapshot(of: ByteStore(copying: tree.written()))
    let dogs = try #require(snapshot.table(displayName: "Dog"))
    #expect(Self.reason { _ = try dogs.objectCount() } == .valueOutOfRange("number of objects"))
    let positions = ObjectPositions(of: dogs)
    #expect(positions.count <= 100_000)
  }

  @Test func `names of tables are counted before they are made`() throws {
    let tree = try NodeTree(Fixture.bytes("engine/dogs.realm"))
    let names = EditableNode(flags: 0x08, width: 0, content: .bytes([], count: 0xff_ffff))
    tree.root.elements[0] = .child(names)
    let bytes = tree.written()
    let tableCount = tree.root.child(1)?.count ?? 0
    #expect(
      Self.reason { _ = try Snapshot(of: ByteStore(copying: bytes)) }
        == .wrongElementCount(expected: 0xff_ffff, found: tableCount))
  }

  @Test func `products of large numbers end at the largest`() {
    #expect(6.multiplied(atMost: 7) == 42)
    #expect((1 << 42).multiplied(atMost: 1 << 22) == .max)
  }
}
