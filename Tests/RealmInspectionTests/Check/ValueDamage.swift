import TestSupport

@testable import RealmInspection
@testable import RealmStorage

extension Damage {
  /// Leaves of single values and of collections (Docs/Format/2-nodes-and-values.md §9, checks 5–14).
  static let values: [Damage] = [
    .leaf("intCol", "integers with the context flag", finds: .leafKind) { $0.flags |= 0x20 },
    .leaf("linkList", "collections without references", finds: .leafKind, .backlinkWithoutLink) { leaf in
      leaf.flags = 0
      leaf.content = .numbers(Array(repeating: 0, count: 12))
    },
    .leaf("floatCol", "floats of eight bytes", finds: .leafKind) { leaf in
      leaf.setFields(leaf.fields.map { $0 + [0, 0, 0, 0] })
    },
    .leaf("floatCol", "floats of scheme 0", finds: .leafKind) { leaf in
      leaf.flags = 0
      leaf.content = .numbers(Array(repeating: 1, count: 12))
    },
    .nodes("texts that are integers", of: "person-v1", finds: .leafKind, at: .value("class_Person", "firstName")) {
      let leaf = try $0.table("class_Person").leaf("firstName")
      (leaf.flags, leaf.content) = (0, .numbers([1, 2, 3, 4, 5, 6]))
    },
    .nodes(
      "marker of null that is not the largest", of: "dogs", finds: .intMarker, at: .value("class_Person", "birthdate")
    ) {
      try $0.table("class_Person").leaf("birthdate").require(0).values[0] -= 1
    },
    .leaf("optInt", "no marker of null", finds: .intMarker) { $0.values = [] },
    .leaf("optInt", "marker of null too small for its width", finds: .intMarker) { leaf in
      (leaf.values, leaf.width) = ([126] + (0..<12), 8)
    },
    .leaf("optBool", "2 in place of a boolean", 3, finds: .boolValue) { $0.values[3] = 2 },
    .leaf("boolCol", "null in place of a boolean", 4, finds: .requiredNull) { $0.values[4] = 3 },
    .leaf("dateCol", "one part of dates too short", finds: .dateParts) { try $0.require(1).values.removeLast() },
    .leaf("dateCol", "dates of three parts", finds: .dateParts) { $0.elements.append(.raw(0)) },
    .leaf("dateCol", "two seconds in nanoseconds", 2, finds: .dateValue) {
      try $0.require(1).values[2] = 1_999_999_999
    },
    .leaf("dateCol", "parts of different sign", 3, finds: .dateValue) { try $0.require(1).values[3] = 5 },
    .leaf("dateCol", "null in place of a date", 5, finds: .requiredNull) { leaf in
      let seconds = try leaf.require(0)
      seconds.values[6] = seconds.values[0]
    },
    .leaf("objectIdCol", "one byte too few", finds: .fixedSize) { $0.bytes.removeLast() },
    .leaf("uuidCol", "ids of width 0", finds: .fixedSize) { leaf in
      leaf.width = 0
      leaf.content = .bytes([], count: 194)
    },
    .leaf("objectIdCol", "null in place of an id", 9, finds: .requiredNull) { $0.bytes[97] |= 2 },
    .leaf("decimal128Col", "decimals of two bytes", finds: .decimalWidth) {
      $0.setFields(Array(repeating: [0, 0], count: 12))
    },
    .leaf("decimal128Col", "zeros without the context flag", finds: .decimalZero) { leaf in
      (leaf.flags, leaf.width) = (0x08, 0)
      leaf.content = .bytes([], count: 12)
    },
    .leaf("decimal128Col", "more than 34 digits", 2, finds: .decimalValue) {
      $0.setField(2, [UInt8](repeating: 0xff, count: 14) + [0x41, 0x30])
    },
    .leaf("decimal128Col", "null in place of a decimal", 4, finds: .requiredNull) {
      $0.setField(4, [0xaa] + [UInt8](repeating: 0, count: 14) + [0x7c])
    },
    .leaf("optDecimal128", "decimals of four bytes in the alternate form", 0, finds: .decimalValue) {
      $0.setFields(Array(repeating: [1, 0, 0, 0x60], count: 12))
    },
    .leaf("floatCol", "null in place of a float", 1, finds: .requiredNull) { $0.setField(1, [0xaa, 0, 0xc0, 0x7f]) },
    .leaf("doubleCol", "null in place of a double", 1, finds: .requiredNull) {
      $0.setField(1, [0xaa, 0, 0, 0, 0, 0, 0xf8, 0x7f])
    },
    .leaf("dataCol", "null in place of data", 1, finds: .requiredNull) { $0.elements[1] = .raw(0) },
    .leaf("listString", "null in a list of texts", 1, finds: .requiredNull, position: 2) {
      try $0.require(1).elements[2] = .raw(0)
    },
    .leaf("listInt", "list of integers that is a blob", 3, finds: .leafKind) { $0.elements[3] = .child(.blob([1])) },
    .nodes("texts of 32 bytes", of: "person-v1", finds: .textWidth, at: .value("class_Person", "firstName")) {
      let leaf = try $0.table("class_Person").leaf("firstName")
      leaf.setFields(leaf.fields.map { $0 + [UInt8](repeating: 0, count: 15) + [$0[15] + 16] })
    },
    .nodes("text behind its end", of: "person-v1", finds: .textPadding, at: .value("class_Person", "firstName", 0)) {
      $0.bytes(of: try $0.table("class_Person").leaf("firstName")) { $0[10] = 1 }
    },
    .nodes("more padding than width", of: "person-v1", finds: .textPadding, at: .value("class_Person", "firstName", 1))
    {
      $0.bytes(of: try $0.table("class_Person").leaf("firstName")) { $0[31] = 17 }
    },
    .nodes("null in place of a text", of: "person-v1", finds: .requiredNull, at: .value("class_Person", "firstName", 2))
    {
      try $0.table("class_Person").leaf("firstName").setField(2, [UInt8](repeating: 0, count: 15) + [16])
    },
    .nodes(
      "required texts of width 0", of: "person-v1", finds: .requiredNull, at: .value("class_Person", "firstName", 0)
    ) {
      let leaf = try $0.table("class_Person").leaf("firstName")
      (leaf.width, leaf.content) = (0, .bytes([], count: 6))
    },
    .medium("no flags of nulls", finds: .blobParts) { $0.elements.removeLast() },
    .medium("one flag of nulls too many", finds: .blobParts) { try $0.require(2).values.append(0) },
    .medium("ends that do not ascend", 4, finds: .blobOffsets) { leaf in
      let ends = try leaf.require(0)
      ends.values[4] = ends.values[3] - 1
    },
    .medium("bytes behind the last end", finds: .blobOffsets) { try $0.require(1).bytes.append(0) },
    .medium("flag of nulls that is 2", 5, finds: .blobNulls) { try $0.require(2).values[5] = 2 },
    .medium("a string without a terminator", 7, finds: .blobTerminator) { leaf in
      let end = try leaf.require(0).values[7]
      try leaf.require(1).bytes[Int(end) - 1] = 0x41
    },
    .nodes(
      "large a string without a terminator", of: "strings", finds: .blobTerminator, at: .value("class_Big", "s", 1)
    ) {
      let blob = try $0.table("class_Big").leaf("s").require(1)
      blob.bytes[blob.count - 1] = 0x41
    },
    .nodes("large text that is a list of integers", of: "strings", finds: .leafKind, at: .value("class_Big", "s", 2)) {
      try $0.table("class_Big").leaf("s").elements[2] = .child(.numbers([1]))
    },
    .nodes("short piece before the last", of: "strings", finds: .blobPieces, at: .value("class_Big", "blob", 2)) {
      try $0.table("class_Big").leaf("blob").elements[2] = .child(
        .refs([.child(.blob([1, 2])), .child(.blob([3]))], flags: 0x60))
    },
    .nodes("value of no piece", of: "strings", finds: .blobPieces, at: .value("class_Big", "blob", 2)) {
      try $0.table("class_Big").leaf("blob").elements[2] = .child(.refs([], flags: 0x60))
    },
    .nodes(
      "enumerated text that does not exist", of: "strings", finds: .enumerationIndex, at: .value("class_S", "kind", 3)
    ) {
      try $0.table("class_S").leaf("kind").values[3] = 99
    },
  ]

  /// A change of a leaf of all types.
  private static func leaf(
    _ column: RealmString, _ story: String, _ object: Int64? = nil, finds kinds: FindingKind..., position: Int? = nil,
    _ change: @escaping @Sendable (EditableNode) throws -> Void
  ) -> Damage {
    .nodes(story, of: "all-types", finding: kinds, at: .value("class_AllTypes", column, object, position)) {
      try change($0.table("class_AllTypes").leaf(column.description))
    }
  }

  /// A change of a leaf of strings with one blob for all.
  private static func medium(
    _ story: String, _ object: Int64? = nil, finds kind: FindingKind,
    _ change: @escaping @Sendable (EditableNode) throws -> Void
  ) -> Damage {
    .nodes(story, of: "strings", finds: kind, at: .value("class_Medium", "s", object)) {
      try change($0.table("class_Medium").leaf("s"))
    }
  }
}

extension NodeTree {
  /// Changes the payload of a node of scheme 1, whose count stays.
  func bytes(of node: EditableNode, _ change: (inout [UInt8]) -> Void) {
    guard case .bytes(var bytes, let count) = node.content else { return }
    change(&bytes)
    node.content = .bytes(bytes, count: count)
  }
}

extension EditableNode {
  /// Replaces one element of a node of scheme 1.
  func setField(_ index: Int, _ field: [UInt8]) {
    var all = fields
    all[index] = field
    setFields(all)
  }
}
