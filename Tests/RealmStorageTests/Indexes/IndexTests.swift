import TestSupport
import Testing

@testable import RealmStorage

/// Search indexes, compared with those that the reference engine wrote for the same objects.
@Suite struct IndexTests {
  /// What lies under one chunk, whatever the nodes.
  indirect enum Entry: Hashable {
    case object(Int64)
    case list([Int64])
    case level([Int32: Entry])

    /// The engine leaves lists and levels of one entry where others were removed
    /// (Docs/Format/3-tables-and-objects.md §6.5).
    var reduced: Entry {
      switch self {
      case .list(let keys): keys.count == 1 ? .object(keys[0]) : self
      case .level(let entries):
        if entries.count == 1, case .object(let key)? = entries.values.first?.reduced {
          .object(key)
        } else {
          .level(entries.mapValues(\.reduced))
        }
      case .object: self
      }
    }
  }

  /// The content of an index; its nodes are checked on the way.
  static func level(_ ref: Ref, in store: ByteStore) throws -> [Int32: Entry] {
    let node = try Node(ref, in: store)
    #expect(node.flags & 0x78 == 0x60)
    let keys = try Node(node.childRef(0), in: store)
    #expect(keys.flags == 0x06)
    #expect(keys.count == node.count - 1 && keys.count <= 1000)
    var result: [Int32: Entry] = [:]
    for index in 0..<keys.count {
      if index > 0 { #expect(keys.uncheckedInt(index - 1) < keys.uncheckedInt(index)) }
      if node.isInner {
        let child = try level(node.childRef(index + 1), in: store)
        #expect(child.keys.max() == Int32(keys.uncheckedInt(index)))
        result.merge(child) { first, _ in first }
      } else {
        result[Int32(keys.uncheckedInt(index))] = try entry(node.refOrTagged(index + 1), in: store)
      }
    }
    return result
  }

  private static func entry(_ element: RefOrTagged, in store: ByteStore) throws -> Entry {
    if element.isTagged { return .object(Int64(bitPattern: element.tagged)) }
    guard try !Node(element.ref, in: store).context else { return .level(try level(element.ref, in: store)) }
    var keys: [Int64] = []
    let tree = BPlusTree(root: element.ref, element: ElementType(.int))
    let walk = CollectionWalk(store: store, format: 24, passes: 1)
    try tree.forEachLeaf(in: store, budget: walk.budget, damaged: { throw $0 }) { leaf in
      for index in 0..<leaf.count { if case .int(let key) = try leaf.value(at: index, in: store) { keys.append(key) } }
    }
    return .list(keys)
  }

  static let cases = ["indexes", "dogs", "corners", "deep-tree", "fragmented", "all-types", "todo", "synced"]

  @Test("are those of the engine", arguments: cases)
  func sameAsEngine(_ name: String) throws {
    let path = Fixture.path("engine/\(name).realm")
    let before = try Fixture.bytes(ofFile: path)
    let source = try Snapshot(of: ByteStore.open(.path(path), key: nil).store)
    let image = RealmImage()
    let rebuilt = try Snapshot(of: .memory(image.finish(SnapshotRebuild(source).run(into: image).roots)))
    var compared = 0
    for (old, new) in zip(source.tables, rebuilt.tables) {
      // Those of formats 2 to 9 name rows in another way.
      guard let oldTop = old.top else { continue }
      let newTop = try new.clusterTop
      for (oldColumn, newColumn) in zip(old.columns, new.columns) {
        guard oldTop.hasIndex(at: oldColumn.leafIndex) else { continue }
        let oldRoot = Ref(UInt64(oldTop.indexes.uncheckedInt(oldColumn.leafIndex)))
        let newRoot = Ref(UInt64(newTop.indexes.uncheckedInt(newColumn.leafIndex)))
        let oldLevel = Entry.level(try Self.level(oldRoot, in: source.store)).reduced
        let newLevel = Entry.level(try Self.level(newRoot, in: rebuilt.store))
        #expect(newLevel.reduced == oldLevel, "\(old.schema.name).\(oldColumn.name)")
        compared += 1
      }
    }
    #expect(compared > 0)
    #expect(try Fixture.bytes(ofFile: path) == before)
  }

  @Test func `more than 1000 keys make a tree of index nodes`() throws {
    let image = NodeImage()
    let collector = IndexCollector(.values)
    for number in 0..<2500 { try collector.append(.int(Int64(number) << 3), of: ObjectKey(rawValue: Int64(number))) }
    let ref = try IndexBuilder(collector, NodeEncoder(image)).write()
    let store = image.store()
    #expect(try Node(ref, in: store).isInner)
    #expect(try Node(ref, in: store).count == 4)
    #expect(try Self.level(ref, in: store).count == 2500)
  }

  @Test func `an empty index is a leaf without keys`() throws {
    let image = NodeImage()
    _ = try IndexBuilder(IndexCollector(.values), NodeEncoder(image)).write()
    #expect(image.hexNodes == ["41 41 41 41 06 00 00 00", "41 41 41 41 64 00 00 01 18 00 00 00 00 00 00 00"])
  }

  @Test func `texts that agree in 204 bytes share one list, by value`() throws {
    let image = NodeImage()
    let owner = OwnedBytes()
    let collector = IndexCollector(.values)
    let prefix = String(repeating: "p", count: 204)
    for (key, end) in ["c", "a", "b", "a", ""].enumerated() {
      try collector.append(owner.text(prefix + end), of: ObjectKey(rawValue: Int64(key)))
    }
    let ref = try IndexBuilder(collector, NodeEncoder(image)).write()
    var entry = Entry.level(try Self.level(ref, in: image.store()))
    var depth = 0
    while case .level(let entries) = entry, let only = entries.values.first {
      #expect(entries.count == 1)
      entry = only
      depth += 1
    }
    #expect(depth == 51)
    #expect(entry == .list([4, 1, 3, 2, 0]))
  }

  @Test func `entries that come out of order are put in order`() throws {
    var images: [[UInt8]] = []
    for keys in [[0, 1, 2, 3], [2, 3, 0, 1]] {
      let image = NodeImage()
      let collector = IndexCollector(.values)
      for key in keys { try collector.append(.int(Int64(key / 3)), of: ObjectKey(rawValue: Int64(key))) }
      _ = try IndexBuilder(collector, NodeEncoder(image)).write()
      images.append(image.bytes)
    }
    #expect(images[0] == images[1])
  }

  @Test func `a word that ends where another goes on`() throws {
    // Docs/Format/3-tables-and-objects.md §6.7.
    let image = NodeImage()
    let owner = OwnedBytes()
    let collector = IndexCollector(.elements)
    let lists = [["foo"], ["fooX", "data"], ["realm", "realm"]]
    for (key, list) in lists.enumerated() {
      let key = ObjectKey(rawValue: Int64(key))
      for text in list { try collector.append(owner.text(text), of: key) }
      try collector.finishObject(key)
    }
    let ref = try IndexBuilder(collector, NodeEncoder(image)).write()
    let fourX = Int32(bitPattern: 0x5800_0000)
    #expect(
      try Self.level(ref, in: image.store()) == [
        0x666f_6f58: .level([0: .object(0), fourX: .object(1)]), 0x6461_7461: .object(1),
        0x7265_616c: .level([0x6d58_0000: .object(2)]),
      ])
    let long = owner.text(String(repeating: "w", count: 201))
    #expect(throws: BuildError.indexedTextTooLong(byteCount: 201)) {
      try collector.append(long, of: ObjectKey(rawValue: 9))
    }
  }
}

extension ByteStore {
  /// Bytes as a file in memory.
  static func memory(_ bytes: [UInt8]) -> ByteStore {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(bytes.count, 1), alignment: 16)
    copy.copyBytes(from: bytes)
    let start = UnsafeMutableRawPointer(copy.baseAddress ?? .allocate(byteCount: 1, alignment: 1))
    let address = UInt(bitPattern: start)
    return ByteStore(base: UnsafeRawPointer(start), count: bytes.count) {
      UnsafeMutableRawPointer(bitPattern: address)?.deallocate()
    }
  }
}
