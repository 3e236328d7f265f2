import TestSupport

@testable import RealmInspection
@testable import RealmStorage

extension Damage {
  /// Trees, lists, sets and dictionaries (Docs/Format/2-nodes-and-values.md §9, checks 19–22).
  static let collections: [Damage] = [
    .tree("inner node without children", finds: .treeNode) { $0.elements = [.tagged(1000), .tagged(2500)] },
    .tree("one element too many in a total", finds: .treeTotal) { $0.elements[$0.count - 1] = .tagged(2501) },
    .tree("ref in place of a total", finds: .treeTotal) { $0.elements[$0.count - 1] = .child(.numbers([1])) },
    .tree("wrong offsets", finds: .treeOffsets) { $0.elements[0] = .child(.numbers([1000, 1999])) },
    .tree("one offset too many", finds: .treeOffsets) { $0.elements[0] = .child(.numbers([1000, 2000, 2500])) },
    .tree("leaves that are not full in a compact node", finds: .treeCompactSize) { $0.elements[0] = .tagged(999) },
    .tree("number in place of a child", finds: .nodeKind) { $0.elements[1] = .tagged(5) },
    .tree("child that is missing", finds: .nodeMissing) { $0.elements[1] = .raw(0) },
    .integers("offsets of one bit", finds: .treeOffsetWidth) {
      .refs([.child(.numbers([1])), .child(.numbers([7])), .child(.numbers([8, 9])), .tagged(3)], flags: 0xc0)
    },
    .integers("compact node of small leaves", finds: .treeCompactSize) {
      .refs([.tagged(2), .child(.numbers([7, 1])), .child(.numbers([8])), .tagged(3)], flags: 0xc0)
    },
    .integers("leaves at two depths", finds: .treeDepth) {
      let inner = EditableNode.refs([.child(.numbers([], width: 8)), .child(.numbers([8])), .tagged(1)], flags: 0xc0)
      return .refs([.child(.numbers([1], width: 8)), .child(.numbers([7])), .child(inner), .tagged(2)], flags: 0xc0)
    },
    .integers("inner nodes in inner nodes, 20 levels", finds: .treeDepth) {
      (0..<20).reduce(EditableNode.numbers([8])) { inner, _ in
        .refs([.child(.numbers([], width: 8)), .child(inner), .tagged(1)], flags: 0xc0)
      }
    },
    .integers("empty leaf", finds: .treeEmptyLeaf) {
      .refs(
        [.child(.numbers([2], width: 8)), .child(.numbers([7, 8])), .child(.numbers([])), .tagged(2)], flags: 0xc0)
    },
    .integers("general node under a compact one", finds: .treeMixedForms, .treeCompactSize) {
      let inner = EditableNode.refs([.child(.numbers([], width: 8)), .child(.numbers([8])), .tagged(1)], flags: 0xc0)
      return .refs([.tagged(1), .child(inner), .tagged(1)], flags: 0xc0)
    },
    .integers("leaf of 1001 elements", finds: .treeFanOut) { .numbers(Array(repeating: 3, count: 1001)) },
    .integers("inner node of scheme 1", finds: .treeNode, .nodeScheme) {
      EditableNode(flags: 0xc8, content: .bytes([], count: 0))
    },
    .nodes(
      "mark for unresolved links without any", of: "all-types", finds: .linksContext,
      at: .value("class_AllTypes", "linkList", 2), severity: .warning
    ) { try $0.table("class_AllTypes").leaf("linkList").require(2).flags |= 0x20 },
    .nodes(
      "unresolved link without the mark", of: "all-types", finds: .linksContext, .linkDangling, .backlinkWithoutLink,
      at: .value("class_AllTypes", "linkList", 3)
    ) { try $0.table("class_AllTypes").leaf("linkList").require(3).values[1] = -4 },
    .nodes(
      "null in a list of links", of: "all-types", finds: .linksNull, .backlinkWithoutLink,
      at: .value("class_AllTypes", "linkList", 3, 1)
    ) { try $0.table("class_AllTypes").leaf("linkList").require(3).values[1] = -1 },
    .nodes("set out of order", of: "all-types", finds: .setOrder, at: .value("class_AllTypes", "setInt", 4, 1)) {
      try $0.table("class_AllTypes").leaf("setInt").require(4).values.swapAt(0, 1)
    },
    .nodes("value twice in a set", of: "all-types", finds: .setDuplicate, at: .value("class_AllTypes", "setInt", 5, 2))
    {
      let set = try $0.table("class_AllTypes").leaf("setInt").require(5)
      set.values[2] = set.values[1]
    },
    .nodes("NaN in a set", of: "all-types", finds: .setNotANumber, at: .table("class_AllTypes"), severity: .note) {
      tree in
      let leaf = try tree.table("class_AllTypes").leaf("setDouble")
      let sets = leaf.elements.indices.compactMap { leaf.child($0) }
      guard
        let set = sets.first(where: { $0.width == 8 && $0.fields.allSatisfy { $0[7] & 0x7f != 0x7f } && $0.count > 1 })
      else { throw NodeTree.Problem("no set of plain numbers") }
      set.setFields(set.fields.dropLast() + [[0, 0, 0, 0, 0, 0, 0xf8, 0x7f]])
    },
    .nodes(
      "set of links out of order", of: "all-types", finds: .setOrder, at: .value("class_AllTypes", "linkSet", 2, 1)
    ) {
      try $0.table("class_AllTypes").leaf("linkSet").require(2).values.swapAt(0, 1)
    },
    .nodes("set of texts out of order", of: "all-types", finds: .setOrder, at: .value("class_AllTypes", "setString", 3))
    {
      try $0.table("class_AllTypes").leaf("setString").require(3).elements.swapAt(1, 2)
    },
    .nodes(
      "set of mixed values out of order", of: "all-types", finds: .setOrder, at: .table("class_AllTypes", .objects)
    ) { tree in
      let sets = try tree.table("class_AllTypes").leaf("setMixed")
      guard let set = sets.elements.indices.compactMap(sets.child).first(where: { ($0.child(0)?.count ?? 0) > 2 })
      else {
        throw NodeTree.Problem("no set of three values")
      }
      let types = try set.require(0)
      types.values.swapAt(types.count - 1, types.count - 2)
    },
    .dictionary("dictionary of three slots", finds: .dictionaryShape) { $0.elements.append(.raw(0)) },
    .dictionary("one value too few", finds: .dictionaryLengths) {
      try $0.require(1).require(0).values.removeLast()
    },
    .keys(["a", nil], "null in place of a key", finds: .dictionaryKey),
    .keys(["b", "a"], "keys out of order", finds: .dictionaryOrder),
    .keys(["a", "a"], "key twice", finds: .dictionaryDuplicate),
    .keys(["é", "B"], "keys in the order of format 23", finds: .dictionaryOldOrder, severity: .note),
    .keys(["b", "é", "a"], "keys in no order since an upgrade", finds: .dictionaryOrder, severity: .warning),
  ]

  /// A change of the root of a list of 2,500 strings.
  private static func tree(
    _ story: String, finds kinds: FindingKind..., change: @escaping @Sendable (EditableNode) throws -> Void
  ) -> Damage {
    .nodes(story, of: "strings", finding: kinds, at: .value("class_Lists", "many", 0)) {
      try change($0.table("class_Lists").leaf("many").require(0))
    }
  }

  /// Another list of integers.
  private static func integers(
    _ story: String, finds kinds: FindingKind..., root: @escaping @Sendable () -> EditableNode
  ) -> Damage {
    .nodes(story, of: "all-types", finding: kinds, at: .value("class_AllTypes", "listInt", 4)) {
      try $0.table("class_AllTypes").leaf("listInt").elements[4] = .child(root())
    }
  }

  /// A change of a dictionary of three integers.
  private static func dictionary(
    _ story: String, finds kinds: FindingKind..., change: @escaping @Sendable (EditableNode) throws -> Void
  ) -> Damage {
    .nodes(story, of: "all-types", finding: kinds, at: .value("class_AllTypes", "dictInt", 1)) {
      try change($0.table("class_AllTypes").leaf("dictInt").require(1))
    }
  }

  /// A dictionary of these keys and as many zeros.
  private static func keys(
    _ keys: [String?], _ story: String, finds kind: FindingKind, severity: Finding.Severity? = nil
  ) -> Damage {
    .nodes(
      story, of: "all-types", finds: kind, at: .value("class_AllTypes", "dictInt", 3), severity: severity
    ) { tree in
      let names = EditableNode(flags: 0x08, content: .bytes([], count: 0))
      names.setFields(keys.map { $0.map { ShortNames.field($0, width: 4) } ?? [0, 0, 0, 4] })
      let types = EditableNode.numbers(keys.map { _ in 1 })
      let values = EditableNode.refs([.child(types)] + Array(repeating: .raw(0), count: 5))
      try tree.table("class_AllTypes").leaf("dictInt").elements[3] = .child(.refs([.child(names), .child(values)]))
    }
  }
}
