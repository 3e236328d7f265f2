import TestSupport

@testable import RealmInspection
@testable import RealmStorage

extension Damage {
  /// Search indexes (Docs/Format/3-tables-and-objects.md §6, §9.1).
  static let indexes: [Damage] = [
    .nodes(
      "mark of an index without one", of: "dogs", finds: .indexColumn, at: .value("metadata", "version"),
      severity: .warning
    ) {
      try $0.table("metadata").spec.require(2).values[0] |= 1
    },
    .nodes(
      "index of links", of: "dogs", finds: .indexColumn, .indexLeftover, .indexMissing,
      at: .value("class_Dog", "favoriteToy")
    ) { tree in
      let table = try tree.table("class_Dog")
      let empty = EditableNode.refs([.child(.numbers([], width: 32))], flags: 0x60)
      try table.top.require(4).elements[table.leafIndex("favoriteToy")] = .child(empty)
    },
    .index("name", "index without the context flag", finds: .indexNode, .indexMissing) { $0.flags &= ~0x20 },
    .index("name", "keys with references", finds: .indexNode, .indexMissing) { $0.elements[0] = .child(.refs([])) },
    .index("name", "number in place of keys", finds: .indexNode, .indexMissing) { $0.elements[0] = .tagged(1) },
    .index("name", "no keys", finds: .nodeMissing, .indexMissing) { $0.elements[0] = .raw(0) },
    .index("name", "entry that is missing", finds: .nodeMissing, .indexMissing) { $0.elements[1] = .raw(0) },
    .index("name", "one key too few", finds: .indexKeys, .indexMissing) { try $0.require(0).values.removeLast() },
    .index("name", "keys of 64 bits", finds: .indexKeyWidth) { try $0.require(0).width = 64 },
    .index("name", "keys out of order", finds: .indexOrder) { index in
      try index.require(0).values.swapAt(0, 1)
      index.elements.swapAt(1, 2)
    },
    .index("name", "key of another value", finds: .indexEntry) { index in
      try index.require(0).values[0] -= 1
    },
    .index("name", "objects exchanged", finds: .indexEntry) { $0.elements.swapAt(1, 2) },
    .index("name", "object that does not exist", finds: .indexUnknownObject, .indexMissing) {
      $0.elements[1] = .tagged(999)
    },
    .index("name", "object twice", finds: .indexRepeated, .indexMissing, .indexEntry) {
      $0.elements[1] = $0.elements[2]
    },
    .index("name", "object left out", finds: .indexMissing) { index in
      try index.require(0).values.removeFirst()
      index.elements.remove(at: 1)
    },
    .index("name", "empty list", finds: .indexEmpty, .indexMissing) { $0.elements[1] = .child(.numbers([])) },
    .index("name", "empty part", finds: .indexEmpty, .indexMissing) {
      $0.elements[1] = .child(.refs([.child(.numbers([], width: 32))], flags: 0x60))
    },
    .index("name", "list with references", finds: .indexNode, .indexMissing) {
      $0.elements[1] = .child(.refs([.tagged(3)]))
    },
    .index("name", "inner nodes 300 levels deep", finds: .indexDepth, .indexMissing) { index in
      let leaf = index.copy()
      guard let last = leaf.child(0)?.values.last else { throw NodeTree.Problem("no keys") }
      let root = (0..<300).reduce(leaf) { inner, _ in
        .refs([.child(.numbers([last], width: 32)), .child(inner)], flags: 0xe0)
      }
      (index.flags, index.content) = (root.flags, root.content)
    },
    .index("name", "chunks behind the longest value", finds: .indexDepth, .indexMissing) { index in
      let first = index.elements[1]
      let end = (0..<60).reduce(first) { inner, _ in
        .child(.refs([.child(.numbers([0], width: 32)), inner], flags: 0x60))
      }
      index.elements[1] = end
    },
    .index("name", "inner node whose key is not the largest", finds: .indexMaximum) { index in
      let keys = try index.require(0).values
      let leaves = [0, 1].map { half in
        let range = half == 0 ? 0..<1 : 1..<keys.count
        return EditableNode.refs(
          [.child(.numbers(Array(keys[range]), width: 32))] + range.map { index.elements[$0 + 1] }, flags: 0x60)
      }
      index.flags = 0xe0
      index.elements = [.child(.numbers([keys[0] + 1, keys[keys.count - 1]], width: 32))] + leaves.map { .child($0) }
    },
    .index("name", "node of 1001 keys", finds: .indexSize, .indexUnknownObject, .indexMissing) { index in
      index.elements = [.child(.numbers(Array(0...1000), width: 32))] + (0...1000).map { _ in .tagged(999) }
    },
    .nodes(
      "list of different values", of: "indexes", finds: .indexMixedList, .indexListOrder, at: .value("class_Idx", "oi")
    ) { tree in
      try tree.table("class_Idx").index("oi").joinFirstSubIndex()
    },
    .nodes("list out of order", of: "indexes", finds: .indexListOrder, at: .value("class_Idx", "b")) {
      let list = try $0.table("class_Idx").index("b").require(1)
      list.values.swapAt(0, 1)
    },
    .nodes(
      "list of long texts out of order", of: "dogs", finds: .indexOldOrder, at: .value("class_Toy", "name"),
      severity: .note
    ) {
      try $0.makeLongNames(list: [1, 0])
    },
    .nodes("list of equal texts out of order", of: "dogs", finds: .indexListOrder, at: .value("class_Toy", "name")) {
      try $0.makeLongNames(list: [1, 0], areEqual: true)
    },
    .nodes("word left out", of: "indexes", finds: .indexMissing, at: .value("class_Idx", "text")) {
      try $0.table("class_Idx").index("text").require(2).values.removeLast()
    },
    .nodes("word of another object", of: "indexes", finds: .indexEntry, at: .value("class_Idx", "text", 4)) {
      try $0.table("class_Idx").index("text").require(2).values.insert(4, at: 2)
    },
    .nodes(
      "objects of a word out of order", of: "indexes", finds: .indexUnorderedWords, at: .value("class_Idx", "text"),
      severity: .warning
    ) {
      let list = try $0.table("class_Idx").index("text").require(2)
      list.values.append(list.values.removeFirst())
    },
    .nodes(
      "objects of a word out of order, and one of them twice", of: "indexes", finds: .indexUnorderedWords, .indexEntry,
      at: .value("class_Idx", "text")
    ) {
      let list = try $0.table("class_Idx").index("text").require(2)
      list.values.append(list.values[0])
    },
    .nodes(
      "objects of a text in a list out of order", of: "corners", finds: .indexListOrder,
      at: .value("class_Tags", "tags")
    ) { tree in
      let index = try tree.table("class_Tags").index("tags")
      guard
        let list = index.elements.indices.lazy.dropFirst().compactMap({ index.child($0) }).first(where: {
          $0.count > 1 && $0.flags == 0
        })
      else { throw NodeTree.Problem("no list of objects") }
      list.values.append(list.values.removeFirst())
    },
    .nodes(
      "words of an object that does not exist", of: "indexes", finds: .indexUnknownObject,
      at: .value("class_Idx", "text", 999)
    ) {
      try $0.table("class_Idx").index("text").require(2).values.append(999)
    },
    .nodes(
      "object twice in the list of a text that its list repeats", of: "corners", finds: .indexRepeatedWord,
      at: .value("class_Tags", "tags"), severity: .note
    ) { tree in
      let index = try tree.table("class_Tags").index("tags")
      guard
        let list = index.elements.indices.lazy.dropFirst().compactMap({ index.child($0) }).first(where: {
          $0.count > 1 && $0.flags == 0
        })
      else { throw NodeTree.Problem("no list of objects") }
      list.values.insert(list.values[0], at: 0)
    },
    .nodes(
      "index without its mark", of: "dogs", finds: .indexLeftover, at: .value("class_Toy", "name"), severity: .note
    ) {
      let table = try $0.table("class_Toy")
      try table.spec.require(2).values[table.specIndex("name")] &= ~1
    },
    .nodes("two objects of one primary key", of: "indexes", finds: .primaryKeyDuplicate, at: .value("class_Idx", "_id"))
    { tree in
      let table = try tree.table("class_Idx")
      let values = try table.leaf("_id")
      guard case .child(let first) = values.elements[0] else { throw NodeTree.Problem("not a large text") }
      values.elements[1] = .child(first.copy())
      try table.index("_id").move(1, to: 0)
    },
    .nodes(
      "two objects of one primary key without an index", of: "dogs", finds: .primaryKeyDuplicate,
      at: .value("class_Dog", "_id")
    ) { tree in
      // Format 20 has no index on primary keys.
      tree.format = 20
      for name in tree.tableNames.dropFirst() {
        let table = try tree.table(name)
        try table.top.require(4).elements[table.leafIndex("_id")] = .raw(0)
      }
      tree.bytes(of: try tree.table("class_Dog").leaf("_id")) { $0.replaceSubrange(13..<25, with: $0[1..<13]) }
    },
  ]

  /// A change of an index of names.
  private static func index(
    _ column: RealmString, _ story: String, finds kinds: FindingKind...,
    change: @escaping @Sendable (EditableNode) throws -> Void
  ) -> Damage {
    .nodes(story, of: "dogs", finding: kinds, at: .value("class_Toy", column)) {
      try change($0.table("class_Toy").index(column.description))
    }
  }
}

extension NodeTree {
  /// Gives both toys names of 211 bytes that differ in the last one or not at all, and an index whose list, behind 51
  /// chunks, has the toys in some order.
  func makeLongNames(list: [Int64], areEqual: Bool = false) throws {
    let toys = try table("class_Toy")
    let names = ["b", areEqual ? "b" : "c"].map { Array((String(repeating: "a", count: 210) + $0).utf8) + [0] }
    let leaf = try toys.leaf("name")
    (leaf.flags, leaf.width) = (0x60, 0)
    leaf.content = .elements(names.map { .child(.blob($0)) })
    let root = (0..<51).reduce(EditableNode.numbers(list)) { inner, _ in
      .refs([.child(.numbers([0x6161_6161], width: 32)), .child(inner)], flags: 0x60)
    }
    try toys.top.require(4).elements[toys.leafIndex("name")] = .child(root)
  }
}

/// Nodes of indexes.
extension EditableNode {
  private var isSubIndex: Bool { flags & 0x20 != 0 }

  /// All objects below a node of an index.
  private var objects: [Int64] {
    elements.indices.dropFirst().flatMap { slot -> [Int64] in
      if let key = tagged(slot) { return [key] }
      return child(slot).map { $0.isSubIndex ? $0.objects : $0.values } ?? []
    }
  }

  /// Puts the objects of the first part into one list.
  func joinFirstSubIndex() throws {
    guard let slot = elements.indices.dropFirst().first(where: { child($0)?.isSubIndex ?? false }),
      let part = child(slot)
    else { throw NodeTree.Problem("no part of an index") }
    elements[slot] = .child(.numbers(part.objects))
  }

  /// Removes an object from its place in an index and puts it next to another one.
  func move(_ object: Int64, to other: Int64) throws {
    remove(object)
    guard add(object, beside: other) else { throw NodeTree.Problem("no object \(other) in the index") }
  }

  private func remove(_ object: Int64) {
    for slot in elements.indices.dropFirst() {
      if tagged(slot) == object {
        elements.remove(at: slot)
        child(0)?.values.remove(at: slot - 1)
        return
      }
      guard let child = child(slot) else { continue }
      if child.isSubIndex { child.remove(object) } else { child.values.removeAll { $0 == object } }
    }
  }

  private func add(_ object: Int64, beside other: Int64) -> Bool {
    for slot in elements.indices.dropFirst() {
      if tagged(slot) == other {
        elements[slot] = .child(.numbers([min(object, other), max(object, other)]))
        return true
      }
      guard let child = child(slot) else { continue }
      if child.isSubIndex {
        if child.add(object, beside: other) { return true }
      } else if child.values.contains(other) {
        child.values = (child.values + [object]).sorted()
        return true
      }
    }
    return false
  }
}
