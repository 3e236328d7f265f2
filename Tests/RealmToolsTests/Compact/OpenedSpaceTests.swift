import RealmInspection
import RealmOpening
import RealmStorage
import RealmTools
import TestSupport
import Testing

/// What an app is asked with before its realm is compacted, and what it gets. The numbers are those of Realm Core 14.14.0:
/// of `should_compact_on_launch_function`, and of the file afterwards.
@Suite struct OpenedSpaceTests {
  struct Measured: Sendable, CustomTestStringConvertible {
    let name: String
    let total, used, compacted: UInt64
    var testDescription: String { name }

    init(_ name: String, _ total: UInt64, _ used: UInt64, _ compacted: UInt64) {
      (self.name, self.total, self.used, self.compacted) = (name, total, used, compacted)
    }
  }

  private static let measured = [
    Measured("address-never", 4096, 1024, 976), Measured("address-once", 4096, 1008, 960),
    Measured("address-twice", 4096, 1032, 984), Measured("all-types", 1_048_576, 583_760, 583_744),
    Measured("all-types-copy", 1_216_512, 583_752, 583_744), Measured("corners", 262_144, 172_960, 172_600),
    Measured("deep-tree", 1_048_576, 425_288, 425_320), Measured("dogs", 8192, 2504, 2440),
    Measured("empty-schema", 4096, 584, 552), Measured("fragmented", 524_288, 50472, 47448),
    Measured("fragmented-compacted", 106_496, 47456, 47448), Measured("indexes", 262_144, 167_320, 167_288),
    Measured("nested-mixed", 131_072, 72800, 72776), Measured("person-v1", 4096, 880, 848),
    Measured("strings", 524_288, 270_600, 270_680), Measured("todo", 4096, 1136, 1104),
    Measured("all-types-encrypted", 1_048_576, 583_760, 598_016),
    Measured("all-types-copy-encrypted", 1_216_512, 583_752, 598_016),
  ]

  @Test("sizes before and after are the engine's", arguments: measured)
  func sizes(_ measured: Measured) throws {
    let fixture = OpenableFixture.named(measured.name)
    try leavingUntouched(fixture.path) { _ in
      let source = try fixture.opened()
      let space = try SpaceUse(of: source)
      #expect(space.total == measured.total)
      #expect(space.used == measured.used)
      var options = CopyOptions(identity: .kept)
      options.key = try fixture.encryptionKey()
      let copy = try CopiedRealm(source, options)
      #expect(copy.report.written.fileSize == measured.compacted)
      #expect(copy.snapshot.version == source.version)
      #expect(copy.snapshot.historyLength == 1)
      #expect(copy.findings.map(\.message) == [])
      #expect(try copy.snapshot.contentHash() == source.contentHash())
    }
  }

  @Test("a realm without a history has the one that an app would leave there") func withoutHistory() throws {
    let source = try CopiedRealm(OpenableFixture.named("dogs").opened(), CopyOptions(identity: .fresh))
    #expect(source.bytes.count == 2416 && source.snapshot.historyLength == 0)
    let space = try SpaceUse(of: source.snapshot)
    #expect(space.total == 8192 && space.used == 2496)
    let copy = try CopiedRealm(source.snapshot, CopyOptions(identity: .kept))
    #expect(copy.report.written.fileSize == 2464 && copy.snapshot.historyLength == 1)
  }

  @Test("a realm without content is asked about as well") func empty() throws {
    let space = try SpaceUse(of: OpenableFixture.named("no-tables").opened())
    #expect(space.total == 4096 && space.used == 184)
  }

  @Test("a history for a server is copied as it is") func synced() throws {
    let source = try OpenableFixture.named("synced").opened()
    let copy = try CopiedRealm(source, CopyOptions(identity: .kept))
    #expect(copy.snapshot.historyKind == source.historyKind && copy.snapshot.historyLength == source.historyLength)
    #expect(copy.snapshot.syncFileIdent == source.syncFileIdent)
  }

  /// Whatever the lists say, there is an answer or an error.
  @Test("a damaged list or state of an evacuation ends") func damaged() throws {
    for (slot, value) in [(3, 1), (4, 1), (5, 1), (8, 1), (11, 1)] as [(Int, Int64)] {
      for bad in [Int64.max, .min, 8, 0, value] {
        let tree = try NodeTree(Fixture.bytes("engine/dogs.realm"))
        while tree.root.count <= slot { tree.root.elements.append(.raw(0)) }
        if slot == 8 {
          tree.root.elements[8] = .raw(bad & ~7)
        } else if slot == 11 {
          tree.root.elements[11] = bad == value ? .child(.numbers([64, 0, 1])) : .raw(bad | 1)
        } else {
          tree.editFreeLists = { $0[slot - 3].values = [bad] }
        }
        let folder = try TemporaryFolder()
        let path = try folder.write("a.realm", tree.written(.normal))
        do {
          let opened = try ByteStore.open(.path(path), key: nil)
          let space = try SpaceUse(of: Snapshot(of: opened.store))
          #expect(space.used <= space.total)
        } catch is StorageError {}
      }
    }
  }
}
