import TestSupport

@testable import RealmInspection
@testable import RealmStorage

extension Damage {
  /// Mixed values (Docs/Format/2-nodes-and-values.md §9, checks 17 and 18).
  static let mixed: [Damage] = [
    .any("leaf of seven slots", finds: .mixedSlots) { $0.elements.append(.raw(0)) },
    .any("types with references", finds: .leafKind, .backlinkStale) { $0.elements[0] = .child(.refs([])) },
    .any("type that does not exist", 1, finds: .mixedType) { try $0.require(0).values[1] = 6 },
    .any("null with a payload", 0, finds: .mixedType) { try $0.require(0).values[0] = 256 },
    .any("text that is stored inline", 1, finds: .mixedType) { try $0.require(0).values[1] = 3 },
    .any("payload beyond its list", 10, finds: .mixedPayload, .mixedPayloadUse) { leaf in
      let types = try leaf.require(0)
      types.values[10] = 99 << 8 | types.values[10] & 0xff
    },
    .any("number that no value has", finds: .mixedPayloadUse) { try $0.require(1).values.append(5) },
    .any("two values of one number", finds: .mixedPayloadUse) { leaf in
      let types = try leaf.require(0)
      types.values[1] = try types.values[leaf.firstRow(type: 10, slot: 1)]
    },
    .any("boolean that is 2", 1, finds: .mixedValue) { try $0.require(0).values[1] = 2 << 8 | 2 },
    .any("date with two seconds in nanoseconds", finds: .mixedValue) { leaf in
      let index = try leaf.require(0).values[leaf.firstRow(type: 8, slot: 2)] >> 8
      try leaf.require(2).values[Int(index) * 2 + 1] = 1_999_999_999
    },
    .any("text that is called an id", finds: .mixedValue) { leaf in
      // Strings and ids share a leaf; the types say which is which.
      let row = try leaf.firstRow(type: 2, slot: 3)
      try leaf.require(0).values[row] += 13
    },
    .nodes(
      "boolean among integers", of: "all-types", finds: .mixedDeclaredType,
      at: .value("class_AllTypes", "dictInt", 1, 0)
    ) { try $0.table("class_AllTypes").leaf("dictInt").require(1).require(1).require(0).values[0] = 2 },
    .nodes(
      "null among required integers", of: "all-types", finds: .requiredNull,
      at: .value("class_AllTypes", "dictInt", 1, 0)
    ) { try $0.table("class_AllTypes").leaf("dictInt").require(1).require(1).require(0).values[0] = 0 },
    .list("one key too many", finds: .mixedKeys) { try $0.require(5).values.append(0) },
    .list("one key too few", finds: .mixedKeys) { try $0.require(5).values.removeLast() },
    .nodes(
      "keys of a property that end early", of: "corners", finds: .mixedShortKeys, at: .value("class_Spoke", "any"),
      severity: .note
    ) { try $0.table("class_Spoke").leaf("any", cluster: 11).elements[5] = .child(.numbers([0, 0, 0])) },
    .nodes(
      "nested collection of a property without a key", of: "nested-mixed", finds: .mixedKeyValue,
      at: Finding.Place(table: "class_Doc"), severity: .note
    ) { tree in
      let table = try tree.table("class_Doc")
      for key in try table.columnKeys where key >> 16 & 0x3f == 6 && key >> 22 & 0xe0 == 0 {
        guard let keys = try table.cluster().child(Int(key & 0xffff) + 1)?.child(5),
          let row = keys.values.firstIndex(where: { $0 != 0 })
        else { continue }
        return keys.values[row] = 0
      }
      throw NodeTree.Problem("no nested collection")
    },
    .list("nested collection without a key", finds: .mixedKeyValue) { try $0.require(5).values[0] = 0 },
    .list("key of a value that is no collection", finds: .mixedKeyValue) { try $0.require(5).values[1] = 7 },
    .list("key beyond 32 bits", finds: .mixedKeyValue) { try $0.require(5).values[0] = 1 << 40 },
    .list("two nested collections of one key", finds: .mixedKeyDuplicate) { leaf in
      // The second value becomes an empty list with the first one's key.
      try leaf.require(0).values.append(1 << 8 | 4 << 5 | 20)
      try leaf.require(4).elements.append(.raw(0))
      try leaf.require(5).values.append(leaf.require(5).values[0])
    },
    .list("collections nested 102 levels deep", finds: .mixedNesting) { leaf in
      func list(_ root: EditableNode.Element) -> EditableNode {
        .refs([
          .child(.numbers([4 << 5 | 20])), .raw(0), .raw(0), .raw(0), .child(.refs([root])), .child(.numbers([1])),
        ])
      }
      let deep = (0..<102).reduce(EditableNode.Element.raw(0)) { inner, _ in .child(list(inner)) }
      try leaf.require(4).elements[0] = deep
    },
  ]

  /// A change of the leaf of a mixed property.
  private static func any(
    _ story: String, _ object: Int64? = nil, finds kinds: FindingKind...,
    change: @escaping @Sendable (EditableNode) throws -> Void
  ) -> Damage {
    .nodes(story, of: "nested-mixed", finding: kinds, at: .value("class_Doc", "any", object)) {
      try change($0.table("class_Doc").leaf("any"))
    }
  }

  /// A change of a list of mixed values: a list, a date …; object 1.
  private static func list(
    _ story: String, finds kinds: FindingKind..., change: @escaping @Sendable (EditableNode) throws -> Void
  ) -> Damage {
    .nodes(story, of: "nested-mixed", finding: kinds, at: .value("class_Doc", "anyList", 1)) {
      try change($0.table("class_Doc").leaf("anyList").require(1))
    }
  }
}

extension EditableNode {
  /// The first value of a mixed leaf with a type and a payload slot.
  func firstRow(type: Int64, slot: Int64) throws -> Int {
    let types = try require(0).values
    guard let row = types.firstIndex(where: { $0 & 31 == type + 1 && $0 >> 5 & 7 == slot && $0 != 0 }) else {
      throw NodeTree.Problem("no value of type \(type)")
    }
    return row
  }
}
