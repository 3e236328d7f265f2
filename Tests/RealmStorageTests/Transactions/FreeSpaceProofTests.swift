import Foundation
import RealmInspection
import TestSupport
import Testing

@testable import RealmStorage

/// Before a realm is changed in place, its free space is proved to be free.
@Suite struct FreeSpaceProofTests {
  static let fixtures = ["dogs", "all-types", "fragmented", "indexes", "nested-mixed", "strings"]

  /// Collects the places of all nodes.
  private final class Places: LiveNodeOutput {
    var ranges: [SpaceRange] = []

    func enter(_ node: Node) { ranges.append(SpaceRange(node.ref.rawValue, count: UInt64(node.byteSize))) }
    func finish(_ leaf: Node) -> Ref { leaf.ref }
    func finish(_ kind: NodeHeader.Kind, _ elements: UnsafeBufferPointer<Int64>) -> Ref { .null }
  }

  private func snapshot(_ bytes: [UInt8]) throws -> Snapshot { try Snapshot(of: ByteStore(copying: bytes)) }

  /// Where the nodes of a realm are, except those of its lists of free space.
  private func nodes(_ snapshot: Snapshot) throws -> [SpaceRange] {
    let top = try #require(snapshot.top)
    let places = Places()
    try places.enter(Node(top.ref, in: snapshot.store))
    var walk = LiveNodes(of: snapshot, threadLimit: 0)
    for root in [top.tableNames, top.tables, top.history] where !root.isNull { _ = try walk.write(root, to: places) }
    return places.ranges
  }

  private func fault(_ bytes: [UInt8]) throws -> SpaceFault? {
    do { try FreeSpaceProof(of: snapshot(bytes), progress: nil).run() } catch WriteRefusal.spaceInUse(let fault) {
      return fault
    }
    return nil
  }

  /// What the checker says about the space of a realm.
  private func findings(_ bytes: [UInt8]) throws -> Set<FindingKind> {
    var kinds: Set<FindingKind> = []
    _ = try Checker(ByteStore(copying: bytes)).run { kinds.insert($0.kind) }
    return kinds.intersection([.freeListLive, .nodeOutside, .nodeShared, .nodeOverlap])
  }

  @Test(
    "what engines and this library write passes", arguments: fixtures + ["deep-tree", "all-types-copy", "no-tables"])
  func soundRealms(_ fixture: String) throws {
    let bytes = try Fixture.bytes("engine/\(fixture).realm")
    #expect(try fault(bytes) == nil)
    #expect(try findings(bytes) == [])
    let folder = try TemporaryFolder()
    let path = try folder.write("app.realm", bytes)
    for seed in 0..<3 {
      try RealmFileTests.rewrite(RealmFileTests.file(path, key: nil), seed: UInt64(seed), share: 3)
      #expect(try fault(Fixture.bytes(ofFile: path)) == nil)
    }
  }

  @Test("an entry that reaches into a node is found, wherever the node is", arguments: fixtures)
  func overlaps(_ fixture: String) throws {
    let tree = try NodeTree(Fixture.bytes("engine/\(fixture).realm"))
    var wrong: SpaceRange?
    tree.freeEntries = { range in
      let place = wrong.map { NodeTree.FreeEntry(Int64($0.start), Int64($0.byteCount)) }
      let first = place ?? .init(range.lowerBound, 8)
      return [first, .init(place == nil ? range.lowerBound + 8..<range.upperBound : range)]
    }
    let sound = tree.written(.normal)
    #expect(try fault(sound) == nil)
    let nodes = try nodes(snapshot(sound))
    #expect(nodes.count > 20)
    // The number of rows is limited, and every kind of node occurs.
    for (index, node) in nodes.enumerated() where index % max(1, nodes.count / 50) == 0 {
      let parts = [node, SpaceRange(node.start, count: 8), SpaceRange(node.end - 8, count: 8)]
      for part in index % 3 == 0 ? parts : [parts[index % 3]] {
        wrong = part
        let bytes = tree.written(.normal)
        let fault = try fault(bytes)
        // Entries that touch count as one.
        guard case .listed(let found, let start, let end) = fault, start <= part.start, end >= part.end else {
          Issue.record("\(String(describing: fault)) for \(part)")
          continue
        }
        #expect(found == node.start)
        guard index % 30 == 0 else { continue }
        #expect(try findings(bytes) == [.freeListLive])
        try expectRefusal(bytes)
      }
    }
  }

  /// No byte of the file changes, and nothing appears next to it.
  private func expectRefusal(_ bytes: [UInt8]) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("app.realm", bytes)
    #expect {
      try WriteTransaction(RealmFileTests.file(path, key: nil))
    } throws: { error in
      if case .spaceInUse = error as? WriteRefusal { true } else { false }
    }
    #expect(try Fixture.bytes(ofFile: path) == bytes)
    #expect(try folder.names() == ["app.realm"])
  }

  @Test("a realm that says it is smaller than it is would be overwritten behind its end", arguments: fixtures)
  func logicalSizes(_ fixture: String) throws {
    let tree = try NodeTree(Fixture.bytes("engine/\(fixture).realm"))
    tree.freeEntries = { _ in [.init(24, 0)] }
    var editor = NodeEditor(tree.written(.normal))
    // The root is the last node.
    let size = Int64(editor.top)
    editor.setElement(editor.top, 2, to: size * 2 + 1)
    #expect(try fault(editor.bytes) == .beyondEnd(node: UInt64(editor.top)))
    #expect(try findings(editor.bytes).contains(.nodeOutside))
    try expectRefusal(editor.bytes)
  }

  @Test func `a node with two parents belongs to both`() throws {
    let tree = try NodeTree(Fixture.bytes("engine/dogs.realm"))
    let table = try tree.table("class_Dog")
    let (name, breed) = (try table.leafIndex("name") + 1, try table.leafIndex("breed") + 1)
    try table.cluster().elements[name] = table.cluster().elements[breed]
    let bytes = tree.written(.normal)
    guard case .shared = try fault(bytes) else {
      Issue.record("nothing found")
      return
    }
    #expect(try findings(bytes) == [.nodeShared])
    try expectRefusal(bytes)
  }

  @Test func `encrypted realms are looked through as well, and whoever knows better can do without`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("app.realm", Fixture.bytes("engine/all-types-encrypted.realm"))
    let key = try RealmFileTests.key(of: "all-types-encrypted")
    let seen = WorkProgress()
    let file = try RealmFile(path, key: key, waitingMilliseconds: 60_000, progress: seen)
    #expect(seen.phase == .provingFreeSpace && seen.totalByteCount > 0)
    #expect(file.snapshot.version > 0)
    let tree = try NodeTree(Fixture.bytes("engine/dogs.realm"))
    tree.freeEntries = { [.init(24, 8), .init($0)] }
    let wrong = try folder.write("wrong.realm", tree.written(.normal))
    #expect(throws: WriteRefusal.self) { try RealmFileTests.file(wrong, key: nil) }
    _ = try RealmFileTests.file(wrong, key: nil, provesFreeSpace: false)
  }

  @Test func `real files of format 24 pass where the checker passes them`() throws {
    var seen = 0
    // Files that engines wrote for this project, and, if there is a corpus, files that apps wrote.
    for path in ["engine", "real", "odd"].flatMap({ Fixture.all(in: $0) }) {
      guard let bytes = try? Fixture.bytes(ofFile: path), bytes.count < 4 << 20, let snapshot = try? snapshot(bytes),
        snapshot.header.format == 24, let found = try? findings(bytes)
      else { continue }
      seen += 1
      #expect((try fault(bytes) == nil) == (found == []), "\(path)")
    }
    #expect(seen > 10)
  }
}
