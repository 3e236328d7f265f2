import RealmInspection
import RealmOpening
import RealmStorage
import RealmText
import RealmTools
import TestSupport
import Testing

/// Complete copies of realms of every format.
@Suite struct RealmCopyTests {
  static let key = (1...64).map { UInt8($0) }

  private func options(
    _ identity: CopyIdentity = .fresh, key: [UInt8]? = nil, threads: Int = 0
  ) throws -> CopyOptions {
    var options = CopyOptions(identity: identity)
    options.key = try key.map(EncryptionKey.of)
    options.threadLimit = threads
    return options
  }

  @Test("a copy has the content of its source and is sound", arguments: OpenableFixture.all)
  func wholeCopies(_ fixture: OpenableFixture) throws {
    try leavingUntouched(fixture.path) { _ in
      let source = try fixture.opened()
      let copy = try CopiedRealm(source, options())
      #expect(copy.report.isVerified)
      #expect(copy.snapshot.header.form == .streaming)
      #expect(try copy.snapshot.contentHash() == source.contentHash())
      #expect(copy.snapshot.schema.version == source.schema.version)
      #expect(copy.snapshot.version == 1)
      #expect(try copy.snapshot.freeSpace().byteCount == 0)
      let hasNodes = [0, 24].contains(source.header.format) || source.header.topRef.isNull
      #expect(copy.report.method == (hasNodes ? .nodes : .rebuild))
      let opened = try ByteStore.open(.path(fixture.path), key: fixture.encryptionKey())
      // Nodes are copied unchanged, including an engine's mistakes.
      let known = copy.report.method == .nodes ? Set(try opened.findings().map(\.kind)) : []
      #expect(copy.findings.filter { !known.contains($0.kind) }.map(\.message) == [])
    }
  }

  @Test("the key decides how a copy is encrypted, and nothing else", arguments: OpenableFixture.all)
  func keys(_ fixture: OpenableFixture) throws {
    try leavingUntouched(fixture.path) { _ in
      let source = try fixture.opened()
      let plain = try CopiedRealm(source, options())
      let encrypted = try CopiedRealm(source, options(key: Self.key))
      #expect(try encrypted.snapshot.contentHash() == plain.snapshot.contentHash())
      #expect(plain.bytes != encrypted.bytes)
      // Copying nodes gives references the least width, which a rebuild does not.
      let decrypted = try CopiedRealm(encrypted.snapshot, options())
      #expect(try decrypted.bytes == CopiedRealm(plain.snapshot, options()).bytes)
      let rekeyed = try CopiedRealm(encrypted.snapshot, options(key: Fixture.engineKey))
      #expect(try CopiedRealm(plain.snapshot, options(key: Fixture.engineKey)).bytes == rekeyed.bytes)
      #expect(rekeyed.bytes != encrypted.bytes)
    }
  }

  @Test("the number of threads makes no difference", arguments: ["deep-tree", "all-types", "strings", "corners"])
  func threads(_ name: String) throws {
    let source = try OpenableFixture.named(name).opened()
    for key in [nil, Self.key] {
      let single = try CopiedRealm(source, options(key: key))
      for threads in [1, 2, 7] {
        #expect(try CopiedRealm(source, options(key: key, threads: threads)).bytes == single.bytes)
      }
    }
  }

  @Test("a kept identity is version, history and file ident", arguments: OpenableFixture.all)
  func keptIdentity(_ fixture: OpenableFixture) throws {
    try leavingUntouched(fixture.path) { _ in
      let source = try fixture.opened()
      let isRebuilt = ![0, 24].contains(source.header.format) && !source.header.topRef.isNull
      if isRebuilt, source.historyKind.isSynchronized {
        #expect(throws: CopyRefusal.historyCannotBeKept(source.historyKind)) {
          try RealmCopy(of: source, options(.kept))
        }
        return
      }
      let copy = try CopiedRealm(source, options(.kept))
      #expect(copy.snapshot.version == source.version)
      if !isRebuilt {
        #expect(RealmIdentity(of: copy.snapshot) == RealmIdentity(of: source))
      } else {
        #expect(copy.snapshot.historyKind == .inRealm)
      }
      // Copying a copy changes nothing.
      let second = try CopiedRealm(copy.snapshot, options(.kept))
      #expect(second.bytes == (isRebuilt ? try CopiedRealm(second.snapshot, options(.kept)).bytes : copy.bytes))
    }
  }

  @Test("a copy of a class has that class and what it needs", arguments: OpenableFixture.all)
  func oneClass(_ fixture: OpenableFixture) throws {
    try leavingUntouched(fixture.path) { _ in
      let source = try fixture.opened()
      for table in source.schema.classes.prefix(12) {
        var options = try options()
        options.filter.classes.only = [table.displayName]
        options.filter.allowsDataLoss = true
        let copy = try CopiedRealm(source, options)
        let names = copy.snapshot.schema.classes.map(\.name)
        #expect(names.contains(table.name))
        #expect(copy.snapshot.schema.classes.allSatisfy { $0.name == table.name || $0.kind == .embedded })
        #expect(copy.findings.map(\.message) == [])
        let count = try copy.snapshot.table(displayName: table.displayName)?.objectCount()
        if table.kind != .embedded {
          #expect(try count == source.table(displayName: table.displayName)?.objectCount())
        }
      }
    }
  }

  @Test func `nothing to leave out needs no rebuild`() throws {
    let source = try OpenableFixture.named("dogs").opened()
    var filtered = try options()
    filtered.filter.classes.only = ["Dog", "Person", "Toy"]
    let copy = try CopiedRealm(source, filtered)
    #expect(copy.report.method == .nodes)
    #expect(try copy.bytes == CopiedRealm(source, options()).bytes)
  }

  @Test func `internal tables are left out where that is wanted`() throws {
    let source = try OpenableFixture.named("synced").opened()
    var options = try options()
    options.filter.includesInternalTables = false
    let copy = try CopiedRealm(source, options)
    #expect(copy.snapshot.schema.tables.filter { !$0.isClass }.map(\.name) == ["metadata"])
    #expect(copy.snapshot.historyKind == .inRealm)
    #expect(copy.snapshot.schema.classes == source.schema.classes)
  }

  @Test func `links to classes left out stop a copy, or are counted`() throws {
    let source = try OpenableFixture.named("dogs").opened()
    var options = try options()
    options.filter.classes.excluded = ["Dog"]
    let loss = LinkLoss(className: "Person", property: "dogs", to: "Dog", leavesPropertyOut: true, linkCount: 5)
    #expect(throws: CopyError.linksToLeftOutParts([loss])) { try RealmCopy(of: source, options) }
    options.filter.allowsDataLoss = true
    let copy = try CopiedRealm(source, options)
    #expect(copy.report.losses == [loss])
    #expect(copy.report.lostLinkCount == 5)
  }

  @Test func `a damaged table stops a copy`() throws {
    var bytes = try Fixture.bytes("engine/dogs.realm")
    bytes.replaceSubrange(804..<808, with: [0xff, 0xff, 0xff, 0xff])
    let source = try Snapshot(of: ByteStore(copying: bytes))
    #expect(throws: StorageError.self) { try RealmCopy(of: source, options()) }
  }
}
