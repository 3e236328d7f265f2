import TestSupport
import Testing

@testable import RealmInspection
@testable import RealmStorage

extension Damage {
  /// Damage that takes much room, or many nodes, to plant.
  static let large: [Damage] = [
    .history("blob of 16 MiB", finds: .nodeSize) { .blob([UInt8](repeating: 0, count: 0xff_fff8)) },
    .history("blob across a boundary of 64 MiB", finds: .nodeSection, severity: .note, form: .normal) {
      .refs((0..<5).map { _ in .child(.blob([UInt8](repeating: 0, count: 0xff_fff0))) })
    },
    .nodes(
      "a hundred nodes that lie over each other", of: "dogs", finds: .walkTooLong, .nodeOverlap, .freeSpaceGap,
      at: .part(.history)
    ) { tree in
      // It comes first in the file, and each eight bytes of it look like the header of a blob.
      let header: [UInt8] = Array("AAAA".utf8) + [0x11, 0, 0x40, 0]
      tree.unreferenced = [.blob((0..<4096).flatMap { _ in header })]
      tree.root.elements[7] = .tagged(4)
      tree.root.elements[8] = .child(.refs((0..<100).map { .raw(32 + 8 * $0) }))
    },
  ]

  /// A node in place of a history, whose content is not checked.
  private static func history(
    _ story: String, finds kind: FindingKind, severity: Finding.Severity? = nil, form: NodeTree.Form = .streaming,
    _ node: @escaping @Sendable () -> EditableNode
  ) -> Damage {
    .nodes(story, of: "dogs", finding: [kind], at: .part(.history), severity: severity, form: form) { tree in
      tree.root.elements[7] = .tagged(4)
      tree.root.elements[8] = .child(node())
    }
  }
}

@Test func `an encrypted page that fails its check is found with the node in it`() throws {
  var bytes = try Fixture.bytes("engine/all-types-copy-encrypted.realm")
  // The middle of the file is data, not a page of checksums.
  bytes[bytes.count / 2 + 100] ^= 1
  let folder = try TemporaryFolder()
  let path = try folder.write("app.realm", bytes)
  let key = try Fixture.engineKey.withUnsafeBytes { try EncryptionKey(rawBytes: $0) }
  let opened = try ByteStore.open(.path(path), key: key)
  let findings = try CheckResult(of: opened.store).findings
  let found = try #require(findings.first { $0.kind == .nodeUnreadable })
  #expect(found.severity == .error)
  #expect(found.place.table != nil)
  #expect(try Fixture.bytes(ofFile: path) == bytes)
}

@Suite struct CheckedNumberTests {
  @Test func `four free entries of a fourth of all numbers each are no sum`() throws {
    let tree = try NodeTree(Fixture.bytes("engine/dogs.realm"))
    tree.freeEntries = { range in (0..<4).map { _ in NodeTree.FreeEntry(range.lowerBound, 1 << 62) } }
    var editor = NodeEditor(tree.written(.normal))
    editor.setElement(editor.top, 2, to: .max)
    let result = try CheckResult(of: editor.bytes)
    #expect(result.summary.counts[.freeListOutside] == 4)
    #expect(result.summary.counts[.topLogicalSize] == 1)
    #expect(result.summary.freeBytes == 0)
  }

  @Test func `what is free twice is counted once`() throws {
    let tree = try NodeTree(Fixture.bytes("engine/dogs.realm"))
    tree.freeEntries = { range in (0..<50).map { _ in NodeTree.FreeEntry(range) } }
    let bytes = tree.written(.normal)
    let summary = try CheckResult(of: bytes).summary
    #expect(summary.freeBytes > 0)
    #expect(summary.freeBytes + summary.liveBytes + 24 <= UInt64(bytes.count))
  }
}
