import RealmInspection
import RealmOpening
import RealmStorage
import TestSupport
import Testing

@testable import RealmTools

/// Damage is not copied silently, and a copy has the same content as its source.
@Suite struct DamagedSourceTests {
  /// A realm with one byte changed, in a folder of its own.
  private struct DamagedRealm {
    let folder: TemporaryFolder
    let path: String
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) throws {
      folder = try TemporaryFolder()
      self.bytes = bytes
      path = try folder.write("app.realm", bytes)
    }

    /// Nil if it cannot be opened as a realm whose tables can all be read.
    func opened() throws -> (bytes: OpenedBytes, snapshot: Snapshot)? {
      guard let opened = try? ByteStore.open(.path(path), key: nil),
        let snapshot = try? Snapshot(of: opened.store), snapshot.damagedTables.isEmpty
      else { return nil }
      return (opened, snapshot)
    }
  }

  private static let fixtures = [
    ("dogs", 100), ("person-v1", 100), ("todo", 100), ("address-once", 100), ("nested-mixed", 10), ("indexes", 5),
  ]

  private func forEachDamage(
    _ fixture: String, times: Int, _ body: (DamagedRealm, Snapshot, OpenedBytes) throws -> Void
  ) throws {
    let original = try Fixture.bytes("engine/\(fixture).realm")
    let used = try ByteStore.open(.path(Fixture.path("engine/\(fixture).realm")), key: nil)
    let end = try Int(clamping: Snapshot(of: used.store).logicalSize)
    var random = SeededGenerator(seed: 0x5eed)
    for _ in 0..<times {
      var bytes = original
      let place = 24 + Int(random.next() % UInt64(end - 24))
      bytes[place] ^= UInt8(truncatingIfNeeded: random.next() % 255 + 1)
      let realm = try DamagedRealm(bytes)
      guard let (opened, snapshot) = try realm.opened() else { continue }
      try body(realm, snapshot, opened)
      #expect(try Fixture.bytes(ofFile: realm.path) == bytes)
    }
  }

  private func summary(_ opened: OpenedBytes) throws -> CheckSummary { try Checker(opened.store).run { _ in } }

  @Test("what the checker finds in a source is in the report, stops a strict copy, and a copy reads as its source does")
  func copies() throws {
    var (copied, damaged) = (0, 0)
    for (fixture, times) in Self.fixtures {
      try forEachDamage(fixture, times: times) { realm, snapshot, opened in
        let summary = try summary(opened)
        var options = CopyOptions(identity: .kept)
        options.threadLimit = copied & 1
        let path = realm.folder.path("copy.realm")
        guard let report = try? write(snapshot, options, at: path) else {
          return #expect(try realm.folder.names() == ["app.realm"])
        }
        copied += 1
        #expect(report.source?.errorCount == summary.errors)
        #expect(report.source?.warningCount == summary.warnings)
        #expect(report.isVerified == (summary.errors == 0))
        let copy = try ByteStore.open(.path(path), key: nil)
        let copied = try Snapshot(of: copy.store)
        #expect(try ReadableContent(of: copied) == ReadableContent(of: snapshot))
        if summary.isSound { #expect(try copy.findings().isEmpty) }
        options.requiresSoundSource = true
        let strict = realm.folder.path("strict.realm")
        guard !summary.isSound else { return _ = try write(snapshot, options, at: strict) }
        damaged += 1
        #expect(throws: CopyRefusal.self) { try write(snapshot, options, at: strict) }
        #expect(throws: CopyRefusal.self) { try RealmCopy(of: snapshot, options).dryRun() }
        #expect(try realm.folder.names() == ["app.realm", "copy.realm"])
      }
    }
    #expect(damaged > 50, "\(damaged) damaged realms of \(copied) were copied")
    #expect(copied > damaged)
  }

  @Test("nodes that the checker finds too deep, and a copy does not, are in its report", arguments: [4093, 4094])
  func deepNodes(levels: Int) throws {
    let tree = try NodeTree(Fixture.bytes("engine/dogs.realm"))
    var node = EditableNode.numbers([])
    for _ in 0..<levels { node = .refs([.child(node)]) }
    // What is at this slot of a table, no reader asks for.
    try #require(tree.root.child(1)?.child(0)).elements[11] = .child(node)
    let realm = try DamagedRealm(tree.written())
    let (opened, snapshot) = try #require(try realm.opened())
    let summary = try summary(opened)
    #expect(summary.counts[.nodeDepth] ?? 0 == levels - 4093)
    for threadLimit in 0...1 {
      var options = CopyOptions(identity: .kept)
      options.threadLimit = threadLimit
      let report = try write(snapshot, options, at: realm.folder.path("copy\(threadLimit).realm"))
      #expect(report.source?.errorCount == summary.errors)
    }
  }

  private func write(_ snapshot: Snapshot, _ options: CopyOptions, at path: String) throws -> CopyReport {
    let copy = try RealmCopy(of: snapshot, options)
    let output = try copy.makeOutput(at: path, replacing: .never)
    let report = try copy.write(to: output)
    try output.publish()
    return report
  }

  @Test("a migration tells of what was not sound before, or leaves the realm alone where only a sound one may change")
  func migrations() throws {
    var (migrated, damaged) = (0, 0)
    for (fixture, times) in Self.fixtures.prefix(4) {
      try forEachDamage(fixture, times: times) { realm, snapshot, opened in
        let summary = try summary(opened)
        let content = try ReadableContent(of: snapshot, includesInternal: false)
        var configuration = RealmConfiguration(path: realm.path)
        configuration.schema = snapshot.schema
        configuration.schemaVersion = (snapshot.schema.version ?? 0) + 1
        var options = LaunchOptions()
        if !summary.isSound {
          options.requiresSoundSource = true
          #expect(throws: (any Error).self) { try RealmLaunch(configuration, options).run() }
          #expect(try Fixture.bytes(ofFile: realm.path) == realm.bytes)
          options.requiresSoundSource = false
        }
        guard let outcome = try? RealmLaunch(configuration, options).run() else {
          return #expect(try Fixture.bytes(ofFile: realm.path) == realm.bytes)
        }
        // For the comparison that follows every change.
        defer { _ = try? realm.folder.write("app.realm", realm.bytes) }
        migrated += 1
        #expect(outcome.source?.errorCount == summary.errors)
        let after = try #require(try realm.opened()?.snapshot)
        #expect(try ReadableContent(of: after, includesInternal: false) == content)
        if !summary.isSound { damaged += 1 }
      }
    }
    #expect(damaged > 10, "\(damaged) damaged realms of \(migrated) were migrated")
  }

  @Test(
    "a rebuild leaves nothing of what was wrong in indexes and backlinks",
    arguments: [("indexes", 15), ("dogs", 100), ("todo", 100)])
  func rebuiltParts(_ fixture: String, times: Int) throws {
    var (repaired, doubtful) = (0, 0)
    try forEachDamage(fixture, times: times) { realm, snapshot, opened in
      let findings = try opened.findings()
      guard !findings.isEmpty, findings.allSatisfy(\.kind.isRebuilt) else { return }
      for identity in [CopyIdentity.fresh, .kept] {
        var options = CopyOptions(identity: identity)
        options.rebuilds = true
        options.requiresSoundSource = true
        // If values contradict what was derived from them, the values may be damaged.
        let isDoubtful = findings.contains { $0.kind.contradictsValues && $0.severity != .note }
        if isDoubtful {
          #expect(throws: CopyRefusal.self) { try CopiedRealm(snapshot, options) }
          options.requiresSoundSource = false
          doubtful += 1
        }
        let copy = try CopiedRealm(snapshot, options)
        #expect(copy.findings.isEmpty)
        #expect(copy.report.isVerified != isDoubtful)
        #expect(copy.report.source?.isSound != isDoubtful)
        #expect(copy.snapshot.version == (identity == .kept ? snapshot.version : 1))
        #expect(try copy.snapshot.contentHash() == snapshot.contentHash())
      }
      repaired += 1
    }
    #expect(repaired > 0, "no index was damaged")
  }

  @Test("stale entries that engines leave in indexes are copied with a warning, and gone after a rebuild")
  func staleEntries() throws {
    for path in Fixture.all(in: "odd") {
      let opened = try ByteStore.open(.path(path), key: nil)
      let snapshot = try Snapshot(of: opened.store)
      let stale = try opened.findings().filter(\.kind.isRebuilt)
      let copy = try CopiedRealm(snapshot, CopyOptions(identity: .kept))
      #expect(copy.findings.filter(\.kind.isRebuilt).count == stale.count)
      var options = CopyOptions(identity: .kept)
      options.rebuilds = true
      #expect(try CopiedRealm(snapshot, options).findings.filter(\.kind.isRebuilt).isEmpty)
    }
  }
}
