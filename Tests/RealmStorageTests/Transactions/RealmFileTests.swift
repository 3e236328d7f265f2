import Foundation
import TestSupport
import Testing

@testable import RealmStorage

@Suite struct RealmFileTests {
  static let fixtures = [
    "dogs", "all-types", "corners", "deep-tree", "fragmented", "fragmented-compacted", "indexes", "nested-mixed",
    "strings", "all-types-copy", "all-types-encrypted", "all-types-copy-encrypted", "no-tables", "empty-schema",
  ]

  static func key(of fixture: String) throws -> EncryptionKey? {
    fixture.contains("encrypted") ? try .of(Fixture.engineKey) : nil
  }

  @Test("nodes move, the content stays, and the file is sound after each commit", arguments: fixtures)
  func commits(_ fixture: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("app.realm", Fixture.bytes("engine/\(fixture).realm"))
    let key = try Self.key(of: fixture)
    let before = try Self.opened(path, key)
    var version = before.version
    var digest = try before.nodeDigest()
    for (seed, share) in [1, 1, 3, 10, 100].enumerated() {
      let file = try Self.file(path, key: key)
      try Self.rewrite(file, seed: UInt64(seed), share: UInt64(share))
      version += 1
      #expect(file.snapshot.version == version)
      let after = try Self.opened(path, key)
      #expect(after.version == version)
      // A file without content gets its empty lists with the first commit.
      if before.top == nil, seed == 0 { digest = try after.nodeDigest() }
      #expect(try after.nodeDigest() == digest)
      #expect(try after.faults() == [])
      #expect(after.header.form == .normal)
    }
    #expect(try folder.names() == ["app.realm", "app.realm.lock"])
  }

  @Test("space that was given back is used again", arguments: ["dogs", "all-types", "all-types-encrypted"])
  func reuse(_ fixture: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("app.realm", Fixture.bytes("engine/\(fixture).realm"))
    let file = try Self.file(path, key: try Self.key(of: fixture))
    var sizes: [UInt64] = []
    for seed in 0..<40 {
      try Self.rewrite(file, seed: UInt64(seed), share: 1)
      sizes.append(file.snapshot.logicalSize)
    }
    // Two states and what growth adds, regardless of the number of commits.
    #expect(sizes.last == sizes[15])
    #expect(try file.snapshot.faults() == [])
  }

  @Test func `a mapping is used as long as the file keeps its size`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("app.realm", Fixture.bytes("engine/dogs.realm"))
    let file = try RealmFile(path, key: nil)
    var (kept, replaced) = (0, 0)
    for number in 0..<30 {
      let (mapping, size) = (try #require(file.snapshot.store.mapping), file.snapshot.store.count)
      let transaction = try WriteTransaction(file)
      try transaction.setSchemaVersion(UInt64(number) + 100)
      let table = try transaction.table("class_Dog")
      if number % 10 == 9 {
        for tail in 0..<2000 {
          _ = try table.create(primaryKey: .objectID(ObjectID(head: UInt64(number), tail: UInt32(tail))))
        }
      }
      try transaction.commit()
      let store = file.snapshot.store
      #expect((store.mapping === mapping) == (store.count == size))
      if store.mapping === mapping { kept += 1 } else { replaced += 1 }
      // It shows the current content of the file.
      #expect(file.snapshot.schema.version == UInt64(number) + 100)
      #expect(try Fixture.bytes(ofFile: path) == store.copy(at: 0, length: store.count))
      #expect(try file.snapshot.faults() == [])
    }
    #expect(kept > 20 && replaced > 1)
  }

  @Test func `a transaction that is given up leaves the bytes that count as they were`() throws {
    let folder = try TemporaryFolder()
    let bytes = try Fixture.bytes("engine/dogs.realm")
    let path = try folder.write("app.realm", bytes)
    let file = try Self.file(path, key: nil)
    let output = try file.beginTransaction()
    for _ in 0..<1000 { _ = try [UInt8](repeating: 0x41, count: 4096).withUnsafeBytes { try output.append($0) } }
    file.rollBack()
    let after = try Fixture.bytes(ofFile: path)
    #expect(after.count == bytes.count)
    #expect(Array(after.prefix(24)) == Array(bytes.prefix(24)))
    let snapshot = try Self.opened(path, nil)
    #expect(try snapshot.nodeDigest() == file.snapshot.nodeDigest())
    #expect(try snapshot.faults() == [])
  }

  @Test func `what cannot be changed in place is refused, and no lock file is made`() throws {
    let folder = try TemporaryFolder()
    let synced = try folder.write("synced.realm", Fixture.bytes("engine/synced.realm"))
    #expect(throws: WriteRefusal.synced(.syncClient)) { try RealmFile(synced, key: nil) }
    let tree = try NodeTree(Fixture.bytes("engine/dogs.realm"))
    tree.format = 23
    let old = try folder.write("old.realm", tree.written(.normal))
    #expect(throws: WriteRefusal.olderFormat(23)) { try RealmFile(old, key: nil) }
    let clusters = [4, 2].map { count in
      EditableNode.Element.child(.refs([.tagged(count), .child(.numbers(Array(repeating: 1, count: Int(count))))]))
    }
    tree.format = 24
    try tree.table("metadata").top.elements[2] = .child(
      .refs([.raw(0), .tagged(1), .tagged(6)] + clusters, flags: 0xc0))
    let testBuild = try folder.write("test.realm", tree.written(.normal))
    #expect(throws: WriteRefusal.testBuild) { try RealmFile(testBuild, key: nil) }
    #expect(throws: StorageError.self) { try RealmFile(folder.path("missing.realm"), key: nil) }
    #expect(try folder.names() == ["old.realm", "synced.realm", "test.realm"])
  }

  @Test func `a node that is given back twice stops the commit`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("app.realm", Fixture.bytes("engine/dogs.realm"))
    let file = try Self.file(path, key: nil)
    let output = try file.beginTransaction()
    let top = try #require(file.snapshot.top)
    let node = try Node(top.tables, in: file.snapshot.store)
    output.release(top.tables, byteSize: node.byteSize)
    output.release(top.tables, byteSize: node.byteSize)
    #expect(throws: StorageError.self) {
      try file.commit(output, RealmRoots(tableNames: top.tableNames, tables: top.tables))
    }
    #expect(try Self.opened(path, nil).faults() == [])
  }

  /// Damaged refs can lead there, and the transaction writes there.
  @Test func `a node in free space that is given back stops the commit`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("app.realm", Fixture.bytes("engine/dogs.realm"))
    let file = try Self.file(path, key: nil)
    let top = try #require(file.snapshot.top)
    let free = try #require(try FreeLists(of: top, in: file.snapshot.store).entries.first?.range)
    let roots = RealmRoots(tableNames: top.tableNames, tables: top.tables)
    // In free space, reaching into it, reaching over the end, nothing at all.
    for range in [
      SpaceRange(free.start + 8, count: 8), SpaceRange(free.start - 8, count: 16),
      SpaceRange(free.start - 8, to: top.logicalSize + 8), SpaceRange(free.start - 8, count: 0),
      SpaceRange(top.logicalSize, count: 8),
    ] {
      let output = try file.beginTransaction()
      output.release(Ref(range.start), byteSize: Int(range.byteCount))
      #expect(throws: StorageError.self) { try file.commit(output, roots) }
    }
    let output = try file.beginTransaction()
    #expect(throws: StorageError.self) { try output.releaseTree(Ref(free.start)) }
    file.rollBack()
    #expect(try Self.opened(path, nil).faults() == [])
  }

  @Test(
    "damaged lists of free space stop a transaction before it begins",
    arguments: [
      // One after another; over the root; over the end; not in whole words.
      { range in [.init(range.lowerBound + 64, 8), .init(range.lowerBound, 8)] },
      { range in [.init(24..<range.upperBound)] },
      { range in [.init(range.lowerBound, 1 << 40)] },
      { range in [.init(range.lowerBound + 4, 8)] },
    ] as [@Sendable (Range<Int64>) -> [NodeTree.FreeEntry]])
  func damagedLists(_ entries: @escaping @Sendable (Range<Int64>) -> [NodeTree.FreeEntry]) throws {
    let tree = try NodeTree(Fixture.bytes("engine/dogs.realm"))
    tree.freeEntries = entries
    let bytes = tree.written(.normal)
    let folder = try TemporaryFolder()
    let path = try folder.write("app.realm", bytes)
    #expect(throws: WriteRefusal.self) { try Self.file(path, key: nil) }
    #expect(try folder.names() == ["app.realm"])
    // Also if the nodes have not been read.
    let file = try Self.file(path, key: nil, provesFreeSpace: false)
    #expect(throws: WriteRefusal.self) { try file.beginTransaction() }
    #expect(try Fixture.bytes(ofFile: path) == bytes)
  }

  // MARK: One file from first read to last write

  @Test func `a file that takes the name is not written, whenever it comes`() throws {
    let (other, bytes) = (try Fixture.bytes("engine/all-types.realm"), try Fixture.bytes("engine/dogs.realm"))
    // Before the transaction, in it, and in the last step.
    for moment in 0..<3 {
      let folder = try TemporaryFolder()
      let path = try folder.write("app.realm", bytes)
      let new = try folder.write("new.realm", other)
      let takeName = { #expect(rename(new, path) == 0) }
      let file = try Self.file(path, key: nil)
      if moment == 0 { takeName() }
      #expect(throws: OutputError.changedMeanwhile(path: path), "\(moment)") {
        let output = try file.beginTransaction()
        let top = try #require(file.snapshot.top)
        var rewrite = NodeRewrite(
          source: file.snapshot.store, output: output, dice: SeededDice(seed: 1), share: 1)
        let roots = try rewrite.roots(of: top)
        if moment == 1 { takeName() }
        let commit = try file.prepareCommit(output, roots)
        if moment == 2 { takeName() }
        try commit.finish()
      }
      #expect(try Fixture.bytes(ofFile: path) == other)
    }
  }

  @Test func `two names of one file cannot be written at the same time`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a.realm", Fixture.bytes("engine/dogs.realm"))
    let other = folder.path("b.realm")
    #expect(link(path, other) == 0)
    var file: RealmFile? = try Self.file(path, key: nil)
    #expect(file?.otherNameCount == 1)
    #expect { try RealmFile(other, key: nil) } throws: { error in
      if case .inUse(path: other, _, _) = error as? AccessError { true } else { false }
    }
    #expect { try RealmFile(exclusive: other, key: nil) } throws: { error in
      if case .inUse(path: other, _, _) = error as? AccessError { true } else { false }
    }
    try Self.rewrite(#require(file), seed: 1, share: 1)
    // What was read is still valid when others may write.
    let snapshot = file?.snapshot
    file = nil
    try Self.rewrite(Self.file(other, key: nil), seed: 2, share: 1)
    let after = try Self.opened(path, nil)
    #expect(try after.version == #require(snapshot).version + 1)
    #expect(try after.faults() == [])
  }

  @Test("a snapshot of an encrypted realm that is kept does not keep others out") func keptSnapshot() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("a.realm", Fixture.bytes("engine/all-types-encrypted.realm"))
    let key = try Self.key(of: "all-types-encrypted")
    let snapshot = try Self.file(path, key: key).snapshot
    try Self.rewrite(Self.file(path, key: key), seed: 2, share: 1)
    #expect(try Self.opened(path, key).version == snapshot.version + 1)
  }

  // MARK: Histories

  @Test(
    "a history that is not known keeps writers away",
    arguments: [
      (2, 2, .futureSchema(2, newest: 1)), (2, 900, .futureSchema(900, newest: 1)),
      (0, 2, .futureSchema(2, newest: 1)), (1, 1, .unknownKind(.outOfRealm)), (5, 1, .unknownKind(.unknown(5))),
    ] as [(Int64, Int64, HistoryProblem)])
  func histories(kind: Int64, schema: Int64, problem: HistoryProblem) throws {
    let tree = try NodeTree(Fixture.bytes("engine/dogs.realm"))
    (tree.root.elements[7], tree.root.elements[9]) = (.tagged(kind), .tagged(schema))
    let bytes = tree.written(.normal)
    let folder = try TemporaryFolder()
    let path = try folder.write("app.realm", bytes)
    #expect(throws: WriteRefusal.unknownHistory(problem)) { try RealmFile(path, key: nil) }
    #expect(try folder.names() == ["app.realm"])
    #expect(try Fixture.bytes(ofFile: path) == bytes)
  }

  @Test func `a link to a realm is followed`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("app.realm", Fixture.bytes("engine/dogs.realm"))
    let link = folder.path("link.realm")
    #expect(symlink("app.realm", link) == 0)
    let version = try Self.opened(path, nil).version
    try Self.rewrite(Self.file(link, key: nil), seed: 1, share: 1)
    #expect(try Self.opened(path, nil).version == version + 1)
    #expect(try folder.names() == ["app.realm", "app.realm.lock", "link.realm", "link.realm.lock"])
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "app.realm")
  }

  @Test("a file without content, as engines leave it, gets its first state", arguments: [0, 4096, 40])
  func firstCommit(_ size: Int) throws {
    let folder = try TemporaryFolder()
    var bytes = [UInt8](repeating: 0, count: max(size, 24))
    bytes.replaceSubrange(16..<20, with: RawHeader.mnemonic)
    if size == 40 {
      // A copy of a realm without content.
      bytes.replaceSubrange(0..<8, with: [UInt8](repeating: 0xff, count: 8))
      bytes.replaceSubrange(32..<40, with: [0xc8, 0x26, 0xe5, 0x37, 0x52, 0x12, 0x34, 0x30])
    }
    let path = try folder.write("app.realm", bytes)
    try Self.rewrite(Self.file(path, key: nil), seed: 1, share: 1)
    let after = try Self.opened(path, nil)
    #expect(after.version == 2)
    #expect(after.header.format == 24)
    #expect(after.logicalSize % 4096 == 0)
    #expect(try after.faults() == [])
  }

  @Test(arguments: [4096, 1 << 20])
  func `bytes behind the end of a realm go with the first node that is written, and no earlier`(_ count: Int) throws {
    let folder = try TemporaryFolder()
    let bytes = try Fixture.bytes("engine/dogs.realm")
    let longer = bytes + [UInt8](repeating: 0x55, count: count)
    let path = try folder.write("app.realm", longer)
    let file = try Self.file(path, key: nil)
    _ = try file.beginTransaction()
    file.rollBack()
    #expect(try Fixture.bytes(ofFile: path) == longer)
    // What leads beyond the end is found, although the file may end there at any time.
    _ = try file.beginTransaction()
    #expect(throws: StorageError.corrupted(Ref(UInt64(bytes.count)), .beyondEndOfFile)) {
      try Node(Ref(UInt64(bytes.count)), in: file.snapshot.store)
    }
    file.rollBack()
    try Self.rewrite(file, seed: 1, share: 1)
    #expect(try Self.opened(path, nil).faults() == [])
    let written = try Fixture.bytes(ofFile: path)
    #expect(!written.indices.contains(longer.count - 1) || written.last != 0x55)
  }

  @Test func `a transaction that writes nothing leaves a copy as it was`() throws {
    let folder = try TemporaryFolder()
    let bytes = try NodeTree(Fixture.bytes("engine/dogs.realm")).written(.streaming)
    let path = try folder.write("app.realm", bytes)
    let file = try Self.file(path, key: nil)
    _ = try file.beginTransaction()
    file.rollBack()
    #expect(try Fixture.bytes(ofFile: path) == bytes)
    try Self.rewrite(file, seed: 1, share: 1)
    #expect(file.snapshot.header.form == .normal)
    #expect(try Self.opened(path, nil).faults() == [])
  }

  // MARK: Support

  /// Opens a realm for changing. Processes that other tests start hold copies of all locks for a moment.
  static func file(_ path: String, key: EncryptionKey?, provesFreeSpace: Bool = true) throws -> RealmFile {
    try RealmFile(path, key: key, waitingMilliseconds: 60_000, provesFreeSpace: provesFreeSpace)
  }

  static func opened(_ path: String, _ key: EncryptionKey?) throws -> Snapshot {
    let opened = try ByteStore.open(.path(path), key: key)
    return try Snapshot(of: opened.store, wasDecrypted: opened.isEncrypted)
  }

  /// Commits a transaction that moves nodes.
  static func rewrite(_ file: RealmFile, seed: UInt64, share: UInt64) throws {
    let output = try file.beginTransaction()
    if let top = file.snapshot.top {
      var rewrite = NodeRewrite(
        source: file.snapshot.store, output: output, dice: SeededDice(seed: seed), share: share)
      try file.commit(output, rewrite.roots(of: top))
    } else {
      try file.commit(output, emptyRoots(output))
    }
  }

  /// The lists of a realm without tables.
  private static func emptyRoots(_ output: TransactionOutput) throws -> RealmRoots {
    let names: [UInt8] = [0x41, 0x41, 0x41, 0x41, 0x08, 0, 0, 0]
    let tables: [UInt8] = [0x41, 0x41, 0x41, 0x41, 0x40, 0, 0, 0]
    return RealmRoots(
      tableNames: try names.withUnsafeBytes { try output.append($0) },
      tables: try tables.withUnsafeBytes { try output.append($0) })
  }
}
