import TestSupport

@testable import RealmInspection
@testable import RealmStorage

extension Damage {
  /// Nodes whatever they mean (Docs/Format/1-container.md §9, checks 3, 4, 10; Docs/Format/2-nodes-and-values.md §9,
  /// checks 1–3).
  static let nodeDamage: [Damage] = [
    .nodes(
      "ref that is not aligned", of: "all-types", finds: .nodeMisplaced, at: .value("class_AllTypes", "listInt", 1)
    ) { try $0.table("class_AllTypes").leaf("listInt").elements[1] = .raw(1000 * 8 + 4) },
    .nodes("ref into the header", of: "all-types", finds: .nodeMisplaced, at: .value("class_AllTypes", "dictInt", 2)) {
      try $0.table("class_AllTypes").leaf("dictInt").elements[2] = .raw(16)
    },
    .nodes("ref beyond the file", of: "all-types", finds: .nodeOutside, at: .value("class_AllTypes", "setInt", 3)) {
      try $0.table("class_AllTypes").leaf("setInt").elements[3] = .raw(0x7ff_fff8)
    },
    .nodes("history beyond the file", of: "dogs", finds: .nodeOutside, at: .part(.history)) {
      $0.root.elements[8] = .raw(0x7ff_fff8)
    },
    .nodes("ref to the footer", of: "dogs", finds: .nodeOutside, .topEvacuation, .nodeSignature, at: .part(.evacuation))
    { tree in
      tree.root.elements.append(.raw(0))
      tree.root.elements[11] = .raw(Int64(tree.written().count) - 16)
    },
    .nodes(
      "two lists in one place", of: "all-types", finds: .nodeShared, at: .value("class_AllTypes", "listInt", 2)
    ) { tree in
      let leaf = try tree.table("class_AllTypes").leaf("listInt")
      leaf.elements[2] = leaf.elements[1]
    },
    .nodes("count that reaches into the next node", of: "all-types", finds: .nodeOverlap, .clusterRows) {
      let leaf = try $0.table("class_AllTypes").leaf("intCol")
      leaf.claimedCount = leaf.count + 1
    },
    .nodes(
      "width scheme 3", of: "all-types", finds: .nodeScheme, .freeSpaceGap,
      at: .value("class_AllTypes", "listString", 1)
    ) { tree in
      let leaf = try tree.table("class_AllTypes").leaf("listString")
      leaf.elements[1] = .child(EditableNode(flags: 0x18, content: .bytes([], count: 0)))
    },
    .nodes("references of scheme 1", of: "all-types", finds: .nodeScheme, .leafKind, at: .part(.history)) {
      $0.root.elements[8] = .child(EditableNode(flags: 0x48, content: .bytes([], count: 0)))
    },
    .nodes(
      "inner node without references", of: "all-types", finds: .nodeInner, .leafKind,
      at: .value("class_AllTypes", "intCol")
    ) {
      try $0.table("class_AllTypes").leaf("intCol").flags |= 0x80
    },
    .nodes("nodes in nodes, 5000 levels", of: "all-types", finds: .nodeDepth, .freeSpaceLeftover, at: .part(.history)) {
      tree in
      var node = EditableNode.refs([.raw(0)])
      for _ in 0..<5000 { node = .refs([.child(node)]) }
      // Only its nodes are checked.
      tree.root.elements[7] = .tagged(4)
      tree.root.elements[8] = .child(node)
    },
    .nodes("child that must exist missing", of: "dogs", finds: .nodeMissing, at: .value("class_Dog", "dateOfBirth")) {
      try $0.table("class_Dog").leaf("dateOfBirth").elements[1] = .raw(0)
    },
    .nodes("number where a child must be", of: "dogs", finds: .nodeKind, at: .value("class_Dog", "dateOfBirth")) {
      try $0.table("class_Dog").leaf("dateOfBirth").elements[0] = .tagged(3)
    },
    .nodes("other first bytes", of: "dogs", finds: .nodeSignature, at: .table("class_Dog"), severity: .note) {
      try $0.table("class_Dog").leaf("name").signature = [1, 1, 1, 1]
    },
  ]

  /// The free list (Docs/Format/1-container.md §9, checks 5–7).
  static let freeList: [Damage] = [
    .free("list with the context flag", finds: .freeListNode, .freeSpaceGap) {
      $0.editFreeLists = { $0[0].flags = 0x20 }
    },
    .free("shorter list of versions", finds: .freeListLengths, .freeSpaceGap) { tree in
      tree.freeEntries = { [FreeEntry($0.lowerBound, 8), FreeEntry($0.lowerBound + 8..<$0.upperBound)] }
      tree.editFreeLists = { $0[2].values = [0] }
    },
    .free("entries out of order", finds: .freeListOrder) {
      $0.freeEntries = { [FreeEntry($0.lowerBound + 8..<$0.upperBound), FreeEntry($0.lowerBound, 8)] }
    },
    .free("position that is not aligned", finds: .freeListAlignment) {
      $0.freeEntries = { [FreeEntry($0.lowerBound + 4..<$0.upperBound)] }
    },
    .free("entry of no length", finds: .freeListEmptyEntry) {
      $0.freeEntries = { [FreeEntry($0.lowerBound, 0), FreeEntry($0)] }
    },
    .free("entry of negative length", finds: .freeListEmptyEntry) {
      $0.freeEntries = { [FreeEntry($0.lowerBound, -8), FreeEntry($0)] }
    },
    .free("entry beyond the file", finds: .freeListOutside) {
      $0.freeEntries = { [FreeEntry($0), FreeEntry($0.upperBound, 8)] }
    },
    .free("entry in the header", finds: .freeListOutside) {
      $0.freeEntries = { [FreeEntry(8, 8), FreeEntry($0)] }
    },
    .free("entries that overlap", finds: .freeListOverlap) {
      $0.freeEntries = { [FreeEntry($0.lowerBound, 16), FreeEntry($0.lowerBound + 8..<$0.upperBound)] }
    },
    .free("space freed by a version to come", finds: .freeListVersion) {
      $0.freeEntries = { [FreeEntry($0.lowerBound, $0.upperBound - $0.lowerBound, version: 99)] }
    },
    .free("free space that covers the root", finds: .freeListLive) {
      $0.freeEntries = { [FreeEntry($0.lowerBound - 8..<$0.upperBound)] }
    },
    .free("space that is not listed", finds: .freeSpaceGap) {
      $0.freeEntries = { [FreeEntry($0.lowerBound..<$0.upperBound - 64)] }
    },
    .free("empty lists", finds: .freeSpaceGap) { $0.freeEntries = { _ in [] } },
    .free("nodes that are not released", finds: .freeSpaceLeftover, severity: .note) {
      $0.unreferenced = [.numbers([1, 2, 3]), .blob([1, 2, 3, 4, 5, 6, 7, 8, 9])]
    },
  ]

  /// A change of the free list of a file as a commit leaves it.
  private static func free(
    _ story: String, finds kinds: FindingKind..., severity: Finding.Severity? = nil,
    _ change: @escaping @Sendable (NodeTree) -> Void
  ) -> Damage {
    .nodes(story, of: "dogs", finding: kinds, at: .part(.freeList), severity: severity, form: .normal, change)
  }

  private typealias FreeEntry = NodeTree.FreeEntry
}
