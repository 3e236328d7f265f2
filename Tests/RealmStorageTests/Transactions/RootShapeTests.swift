import TestSupport
import Testing

@testable import RealmStorage

/// Roots as engines of all ages and copies left them (Docs/Format/1-container.md §3.2, §3.4, §4.2).
@Suite struct RootShapeTests {
  struct Shape: CustomTestStringConvertible, Sendable {
    let name: String
    let form: NodeTree.Form
    let change: @Sendable (NodeTree) -> Void
    var testDescription: String { name }
  }

  static let shapes: [Shape] =
    [3, 7, 10].map { count in
      Shape(name: "a copy of \(count) slots", form: .streaming) { $0.root.elements = Array($0.root.elements[..<count]) }
    } + [
      Shape(name: "nine slots", form: .normal) { $0.root.elements = Array($0.root.elements[..<9]) },
      Shape(name: "the decision to evacuate", form: .normal) { $0.root.elements.append(.tagged(65536)) },
      Shape(name: "an evacuation under way", form: .normal) {
        $0.root.elements.append(.child(.numbers([65536, 0, 1, 0, 2, 3])))
      },
      Shape(name: "an evacuation that is over", form: .normal) { $0.root.elements.append(.raw(0)) },
      Shape(name: "free space in pieces, of several versions", form: .normal) { tree in
        tree.freeEntries = { range in
          let middle = range.lowerBound + 64
          return [.init(range.lowerBound, 64, version: 1), .init(middle..<range.upperBound)]
        }
      },
      Shape(name: "no list of versions", form: .normal) { tree in
        tree.editFreeLists = { _ in tree.root.elements[5] = .raw(0) }
      },
    ]

  @Test("a transaction goes on from every shape of root, and leaves one of eleven slots", arguments: shapes)
  func goesOn(_ shape: Shape) throws {
    let tree = try NodeTree(Fixture.bytes("engine/dogs.realm"))
    shape.change(tree)
    let folder = try TemporaryFolder()
    let path = try folder.write("app.realm", tree.written(shape.form))
    let before = try RealmFileTests.opened(path, nil)
    // It cannot be read any more once its space is written again.
    let (content, faults) = (try before.nodeDigest(), try before.faults())
    for seed in 0..<3 { try RealmFileTests.rewrite(RealmFileTests.file(path, key: nil), seed: UInt64(seed), share: 2) }
    let after = try RealmFileTests.opened(path, nil)
    #expect(after.version == before.version + 3)
    #expect(after.top?.slotCount == 11)
    #expect(after.historyKind == .inRealm && after.historySchemaVersion == 1)
    #expect(after.top?.history == .null)
    #expect(try after.nodeDigest() == content)
    // A shape may leave bytes that belong to nothing.
    #expect(try after.faults().count == faults.count)
  }

  @Test func `space of later versions stays as it is until the versions have caught up`() throws {
    let tree = try NodeTree(Fixture.bytes("engine/dogs.realm"))
    let version = Int64(try #require(tree.root.tagged(6)))
    var locked: Range<Int64> = 0..<0
    tree.freeEntries = { range in
      locked = range.lowerBound..<range.lowerBound + 64
      return [.init(range.lowerBound, 64, version: version + 3), .init(range.lowerBound + 64..<range.upperBound)]
    }
    let folder = try TemporaryFolder()
    let path = try folder.write("app.realm", tree.written(.normal))
    let range = SpaceRange(UInt64(locked.lowerBound), to: UInt64(locked.upperBound))
    for number in 1...4 {
      try RealmFileTests.rewrite(RealmFileTests.file(path, key: nil), seed: UInt64(number), share: 1)
      let after = try RealmFileTests.opened(path, nil)
      let entries = try FreeLists(of: try #require(after.top), in: after.store).entries
      // The transaction that writes version n may use what version n - 1 has freed.
      let isKept = entries.contains { $0.range == range && $0.version == UInt64(version) + 3 }
      #expect(isKept == (number < 4))
    }
  }

  @Test(
    "all local realms of format 24 can be changed",
    arguments: OpenableFixture.all.filter { fixture in
      guard let snapshot = try? fixture.opened() else { return false }
      return snapshot.header.format == 24 && [.none, .inRealm].contains(snapshot.historyKind)
        && !snapshot.usesSmallNodes
    })
  func anyRealm(_ fixture: OpenableFixture) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("app.realm", Fixture.bytes(ofFile: fixture.path))
    let key = try fixture.encryptionKey()
    let before = try RealmFileTests.opened(path, key)
    let (content, faults) = (try before.nodeDigest(), try before.faults())
    for seed in 0..<2 { try RealmFileTests.rewrite(RealmFileTests.file(path, key: key), seed: UInt64(seed), share: 5) }
    let after = try RealmFileTests.opened(path, key)
    #expect(after.version == before.version + 2)
    if before.top != nil { #expect(try after.nodeDigest() == content) }
    // What was wrong before may still be wrong.
    #expect(try after.faults().count <= faults.count)
  }
}
