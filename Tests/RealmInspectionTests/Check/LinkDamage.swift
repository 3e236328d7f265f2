import TestSupport
import Testing

@testable import RealmInspection
@testable import RealmStorage

extension Damage {
  /// Links and backlinks (Docs/Format/3-tables-and-objects.md §9.1).
  static let links: [Damage] = [
    .nodes(
      "link to an object that does not exist", of: "all-types", finds: .linkDangling, .backlinkWithoutLink,
      at: .value("class_AllTypes", "link", 2)
    ) {
      try $0.table("class_AllTypes").leaf("link").values[2] = 1000
    },
    .nodes(
      "link to a tombstone that does not exist", of: "all-types", finds: .linkDangling, .backlinkWithoutLink,
      at: .value("class_AllTypes", "link", 2)
    ) {
      try $0.table("class_AllTypes").leaf("link").values[2] = -4
    },
    .nodes(
      "link that leads elsewhere", of: "all-types", finds: .linkWithoutBacklink, .backlinkWithoutLink,
      at: .value("class_AllTypes", "link", 2)
    ) {
      try $0.table("class_AllTypes").leaf("link").values[2] = 3
    },
    .nodes(
      "link of a dictionary to another table", of: "all-types", finds: .linkTable, .backlinkWithoutLink,
      at: .value("class_AllTypes", "linkDict", 2)
    ) { tree in
      let pairs = try tree.table("class_AllTypes").leaf("linkDict").require(2).require(1).require(2)
      pairs.values[0] = 2
    },
    .nodes(
      "link of a dictionary to no table", of: "all-types", finds: .linkTable, .backlinkWithoutLink,
      at: .value("class_AllTypes", "linkDict", 2)
    ) { tree in
      let pairs = try tree.table("class_AllTypes").leaf("linkDict").require(2).require(1).require(2)
      pairs.values[0] = 77
    },
    .backlinkTree("wrong total of a long list of backlinks", finds: .treeTotal) { list in
      .refs([.tagged(1000), .child(list), .tagged(Int64(list.count) + 1)], flags: 0xc0)
    },
    .backlinkTree("wrong offsets of a long list of backlinks", finds: .treeOffsets) { list in
      let last = EditableNode.numbers([list.values.removeLast()])
      let count = Int64(list.count)
      return .refs(
        [.child(.numbers([count - 1], width: 8)), .child(list), .child(last), .tagged(count + 1)], flags: 0xc0)
    },
    .nodes("no backlink", of: "dogs", finds: .linkWithoutBacklink, at: .table("class_Dog", .objects)) { tree in
      let toy = try tree.table("class_Toy")
      let cells = try toy.cluster().require(toy.backlinkLeafIndexes[0] + 1)
      cells.elements = cells.elements.map { _ in .raw(0) }
    },
    .nodes(
      "list with one link less", of: "all-types", finds: .backlinkWithoutLink, at: .table("class_AllTypes", .objects, 8)
    ) {
      try $0.table("class_AllTypes").leaf("linkList").require(6).values.removeLast()
    },
    .nodes(
      "mixed value without its link", of: "nested-mixed", finds: .backlinkStale, at: .table("class_Doc", .objects),
      severity: .note
    ) { tree in
      // A link becomes the first second of 1970.
      let leaf = try tree.table("class_Doc").leaf("any")
      let types = try leaf.require(0)
      let row = try leaf.firstRow(type: 16, slot: 2)
      types.values[row] -= 8
      let pair = Int(types.values[row] >> 8) * 2
      try leaf.require(2).values.replaceSubrange(pair..<pair + 2, with: [0, 0])
    },
    .nodes(
      "backlinks of a mixed column that is gone", of: "nested-mixed", finds: .backlinkColumnOrphan,
      .linkWithoutBacklink,
      at: .part(.table), severity: .note
    ) { tree in
      for name in tree.tableNames {
        let top = try tree.table(name).top
        for leafIndex in try tree.table(name).backlinkLeafIndexes {
          let columns = try top.require(8)
          guard columns.values[leafIndex] >> 16 & 0x3f == 6 else { continue }
          return columns.values[leafIndex] += 1 << 30
        }
      }
      throw NodeTree.Problem("no backlinks of a mixed column")
    },
    .nodes(
      "embedded object whose parent's column is gone", of: "all-types", finds: .embeddedOrphan,
      at: .table("class_Embedded", .objects), severity: .note
    ) { tree in
      let links = try tree.table("class_AllTypes").leaf("embedded")
      let object = Int(links.values[3]) - 1
      links.values[3] = 0
      let table = try tree.table("class_Embedded")
      table.top.elements[5] = .tagged(1)
      for leafIndex in try table.backlinkLeafIndexes {
        let cells = try table.cluster().require(leafIndex + 1)
        if cells.tagged(object) == 3 { cells.elements[object] = .raw(0) }
      }
    },
    .nodes("one backlink in a list", of: "all-types", finds: .backlinkForm, at: .table("class_AllTypes", .objects, 0)) {
      tree in
      let table = try tree.table("class_AllTypes")
      let cells = try table.cluster().require(table.backlinkLeafIndexes[0] + 1)
      guard let key = cells.tagged(0) else { throw NodeTree.Problem("not one backlink") }
      cells.elements[0] = .child(.numbers([key]))
    },
    .nodes(
      "embedded object of two parents, and one of none", of: "all-types", finds: .embeddedParents,
      at: .table("class_Embedded", .objects)
    ) { tree in
      let links = try tree.table("class_AllTypes").leaf("embedded")
      let (first, second) = (Int(links.values[2]) - 1, Int(links.values[3]) - 1)
      links.values[3] = links.values[2]
      let table = try tree.table("class_Embedded")
      for leafIndex in try table.backlinkLeafIndexes {
        let cells = try table.cluster().require(leafIndex + 1)
        guard cells.tagged(first) == 2, cells.tagged(second) == 3 else { continue }
        cells.elements[first] = .child(.numbers([2, 3]))
        cells.elements[second] = .raw(0)
      }
    },
    .nodes(
      "embedded objects that mixed values link to", of: "nested-mixed", finds: .embeddedOrigin, .embeddedParents,
      at: .table("class_Doc", .objects)
    ) { try $0.table("class_Doc").top.elements[12] = .tagged(1) },
  ]
}

@Suite struct LinkDamageTests {
  /// The leaves of a tree with a wrong total are read as those of an undamaged one.
  @Test func `a tree of backlinks in the wrong shape does not explain a link without a backlink`() throws {
    let tree = try NodeTree(Fixture.bytes("engine/all-types.realm"))
    try tree.table("class_AllTypes").leaf("linkList").require(6).values.removeLast()
    try tree.changeListOfBacklinks { .refs([.tagged(1000), .child($0), .tagged(Int64($0.count) + 1)], flags: 0xc0) }
    let findings = try CheckResult(of: tree.written()).findings.filter { $0.number != nil && $0.severity == .error }
    #expect(Set(findings.map(\.kind)) == [.treeTotal, .backlinkWithoutLink])
  }
}

extension NodeTree {
  /// Changes the first list of backlinks that AllTypes has.
  fileprivate func changeListOfBacklinks(_ change: (EditableNode) -> EditableNode) throws {
    let table = try table("class_AllTypes")
    for leafIndex in try table.backlinkLeafIndexes {
      let cells = try table.cluster().require(leafIndex + 1)
      for (row, cell) in cells.elements.enumerated() {
        guard case .child(let list) = cell else { continue }
        cells.elements[row] = .child(change(list))
        return
      }
    }
    throw NodeTree.Problem("no list of backlinks")
  }
}

extension Damage {
  /// A list of backlinks becomes a tree.
  private static func backlinkTree(
    _ story: String, finds kinds: FindingKind..., tree: @escaping @Sendable (EditableNode) -> EditableNode
  ) -> Damage {
    .nodes(story, of: "all-types", finding: kinds, at: .table("class_AllTypes", .objects)) {
      try $0.changeListOfBacklinks(tree)
    }
  }
}
