import TestSupport

@testable import RealmInspection
@testable import RealmStorage

extension Damage {
  /// The list of tables and their roots (Docs/Format/3-tables-and-objects.md §9.1).
  static let tables: [Damage] = [
    .nodes("name of the last table missing", of: "dogs", finds: .groupLengths, at: .part(.tables)) { tree in
      let names = try tree.root.require(0)
      names.setFields(names.fields.dropLast())
    },
    .nodes("table slot 0", of: "dogs", finds: .groupSlot, .groupLostTable, at: .part(.tables, 0), severity: .warning) {
      try $0.root.require(1).elements[0] = .raw(0)
    },
    .nodes("table slot 0 without a name", of: "dogs", finds: .groupSlot, at: .part(.tables, 0), severity: .warning) {
      try $0.root.require(1).elements[0] = .raw(0)
      let names = try $0.root.require(0)
      names.setFields([[UInt8](repeating: 0, count: names.width - 1) + [UInt8(names.width)]] + names.fields.dropFirst())
    },
    .nodes("table slot turned free", of: "dogs", finds: .groupLostTable, at: .part(.tables, 0)) {
      try $0.root.require(1).elements[0] = .tagged(1)
    },
    .nodes("name of a free slot that cannot be read", of: "dogs", finds: .groupName, at: .part(.tables, 0)) {
      try $0.root.require(1).elements[0] = .tagged(1)
      let names = try $0.root.require(0)
      names.setFields([names.fields[0].dropLast() + [UInt8(names.width + 1)]] + names.fields.dropFirst())
    },
    .nodes("table names that are integers", of: "dogs", finds: .nodeKind, at: .part(.tables)) {
      $0.root.elements[0] = .child(.numbers([1, 2, 3, 4]))
    },
    .nodes("null in place of a name", of: "dogs", finds: .groupName, at: .part(.tables, 0)) { tree in
      let names = try tree.root.require(0)
      names.setFields([names.fields[0].dropLast() + [UInt8(names.width)]] + names.fields.dropFirst())
    },
    .nodes("two tables of one name", of: "dogs", finds: .groupDuplicateName, at: .part(.tables, 2)) { tree in
      let names = try tree.root.require(0)
      var fields = names.fields
      fields[2] = fields[1]
      names.setFields(fields)
    },
    .nodes("key of another slot", of: "dogs", finds: .tableKey, at: .table("metadata")) {
      try $0.table("metadata").top.elements[3] = .tagged(9)
    },
    .nodes("table of eleven slots", of: "dogs", finds: .tableSlotCount, at: .table("metadata")) {
      try $0.table("metadata").top.elements.removeLast(3)
    },
    .nodes("table of fifteen slots", of: "dogs", finds: .tableSlotCount, at: .table("metadata")) {
      try $0.table("metadata").top.elements.append(.raw(0))
    },
    .nodes("number in place of a ref", of: "dogs", finds: .tableSlot, at: .table("class_Dog")) {
      try $0.table("class_Dog").top.elements[10] = .tagged(1)
    },
    .nodes("ref in place of a number", of: "dogs", finds: .tableSlot, at: .table("class_Dog")) {
      try $0.table("class_Dog").top.elements[6] = .child(.numbers([1]))
    },
    .nodes("old column list", of: "dogs", finds: .tableSlot, at: .table("class_Dog")) {
      try $0.table("class_Dog").top.elements[1] = .tagged(1)
    },
    .nodes("unknown type of table", of: "dogs", finds: .tableType, at: .table("metadata")) {
      try $0.table("metadata").top.elements[12] = .tagged(3)
    },
    .nodes(
      "primary key that is no column", of: "dogs", finds: .tablePrimaryKey, .indexLeftover, at: .table("class_Dog")
    ) {
      try $0.table("class_Dog").top.elements[11] = .tagged(0x1234_5678)
    },
    .nodes(
      "primary key that is a date", of: "dogs", finds: .tablePrimaryKey, .tablePrimaryKeyIndex, .indexLeftover,
      at: .table("class_Dog")
    ) { tree in
      let table = try tree.table("class_Dog")
      table.top.elements[11] = .tagged(try table.columnKeys[table.specIndex("dateOfBirth")])
    },
    .nodes(
      "primary key without an index", of: "dogs", finds: .tablePrimaryKeyIndex,
      at: Finding.Place(part: .index, table: "class_Dog", column: .property("_id"))
    ) { tree in
      let table = try tree.table("class_Dog")
      try table.top.require(4).elements[table.leafIndex("_id")] = .raw(0)
    },
    .nodes("short list of opposite tables", of: "dogs", finds: .tableLists, at: .table("metadata")) {
      try $0.table("metadata").top.require(7).values.removeLast()
    },
    .nodes("opposite column of a dead leaf index", of: "dogs", finds: .tableDeadEntry, at: .table("metadata")) { tree in
      let top = try tree.table("metadata").top
      try top.require(4).elements.append(.raw(0))
      try top.require(7).values.append(1)
      try top.require(8).values.append(77)
    },
  ]

  /// Numbers where engines follow whatever is not 0 (seen with Realm Core 14.14.0: the next write ends the app).
  static let followed: [Damage] = [
    .nodes(
      "number in place of an index", of: "dogs", finds: .nodeKind,
      at: Finding.Place(part: .index, table: "class_Dog", column: .property("name"))
    ) { tree in
      let table = try tree.table("class_Dog")
      try table.top.require(4).elements[table.leafIndex("name")] = .tagged(26)
    },
    .nodes(
      "number in place of the index of a dead leaf index", of: "dogs", finds: .tableDeadEntry, at: .table("metadata")
    ) { tree in
      let top = try tree.table("metadata").top
      try top.require(4).elements.append(.tagged(26))
      try top.require(7).values.append(0)
      try top.require(8).values.append(0)
    },
    .nodes("index of a backlink column", of: "dogs", finds: .indexColumn, at: .table("class_Toy", .index)) { tree in
      let toy = try tree.table("class_Toy")
      try toy.top.require(4).elements[toy.backlinkLeafIndexes[0]] = .child(.numbers([1]))
    },
    .nodes("number in place of an enumeration", of: "strings", finds: .columnEnumeration, at: .table("class_S", .spec))
    {
      try $0.table("class_S").spec.require(4).elements[0] = .tagged(26)
    },
    .nodes("number in place of a list of a sync history", of: "synced", finds: .historyShape, at: .part(.history, 18)) {
      try $0.root.require(8).elements[18] = .tagged(26)
    },
  ]

  /// Descriptions of columns (Docs/Format/3-tables-and-objects.md §3, §9.1).
  static let columns: [Damage] = [
    .nodes("description of seven slots", of: "dogs", finds: .specShape, at: .table("metadata", .spec)) {
      try $0.table("metadata").spec.elements.append(.raw(0))
    },
    .nodes("old subspecs", of: "dogs", finds: .specShape, at: .table("metadata", .spec)) {
      try $0.table("metadata").spec.elements[3] = .child(.numbers([1]))
    },
    .nodes("no names of columns", of: "dogs", finds: .specShape, at: .table("metadata", .spec)) {
      try $0.table("metadata").spec.elements[1] = .raw(0)
    },
    .nodes("number in place of names of columns", of: "dogs", finds: .specShape, at: .table("metadata", .spec)) {
      try $0.table("metadata").spec.elements[1] = .tagged(4)
    },
    .nodes("one attribute too many", of: "dogs", finds: .specLengths, at: .table("metadata", .spec)) {
      try $0.table("metadata").spec.require(2).values.append(0)
    },
    .nodes("one name too many", of: "dogs", finds: .specNames, at: .table("metadata", .spec)) { tree in
      let names = try tree.table("metadata").spec.require(1)
      names.setFields(names.fields + names.fields)
    },
    .nodes(
      "backlink type among properties", of: "dogs", finds: .specOrder, .columnType, at: .table("class_Person", .spec)
    ) {
      try $0.table("class_Person").spec.require(0).values[1] = 14
    },
    .nodes("two columns of one name", of: "dogs", finds: .columnName, at: .table("class_Dog", .spec)) { tree in
      let names = try tree.table("class_Dog").spec.require(1)
      var fields = names.fields
      fields[2] = fields[1]
      names.setFields(fields)
    },
    .nodes(
      "two columns in one place", of: "dogs", finds: .columnLeafIndex, .clusterDeadLeaf, .requiredNull, .tableDeadEntry,
      at: .table("class_Dog", .spec)
    ) { tree in
      let table = try tree.table("class_Dog")
      try table.spec.require(5).values[1] += 1
      try table.top.require(8).values[1] = 5
    },
    .nodes("attribute that the key does not have", of: "dogs", finds: .columnAttributes, at: .table("class_Dog", .spec))
    {
      try $0.table("class_Dog").spec.require(2).values[1] |= 16
    },
    .nodes("type that the key does not have", of: "dogs", finds: .columnType, at: .table("class_Dog", .spec)) {
      try $0.table("class_Dog").spec.require(0).values[1] = 4
    },
    .nodes("type that does not exist", of: "dogs", finds: .columnType, at: .table("metadata", .spec)) { tree in
      let spec = try tree.table("metadata").spec
      try spec.require(0).values[0] = 7
      try spec.require(5).values[0] |= 7 << 16
    },
    .nodes("key type of a dictionary at an integer", of: "dogs", finds: .columnType, at: .table("metadata", .spec)) {
      try $0.table("metadata").spec.require(0).values[0] |= 2 << 16
    },
    .nodes("link that cannot be null", of: "dogs", finds: .columnCombination, at: .table("class_Dog", .spec)) { tree in
      let dog = try tree.table("class_Dog")
      let key = try dog.columnKeys[4]
      try dog.spec.require(2).values[4] &= ~16
      try dog.spec.require(5).values[4] = key & ~(16 << 22)
      let opposite = try tree.table("class_Toy").top.require(8)
      opposite.values = opposite.values.map { $0 == key ? key & ~(16 << 22) : $0 }
    },
    .nodes("list and set at once", of: "all-types", finds: .columnCombination, at: .table("class_AllTypes", .spec)) {
      tree in
      let table = try tree.table("class_AllTypes")
      let index = try table.specIndex("listInt")
      try table.spec.require(2).values[index] |= 64
      try table.spec.require(5).values[index] |= 64 << 22
      try table.spec.require(0).values[index] |= 2 << 16
      // Nothing in it, whatever it is.
      try table.leaf("listInt").elements = Array(repeating: .raw(0), count: 12)
    },
    .nodes("bit 62 of a column key", of: "dogs", finds: .columnKeyTag, at: .table("metadata", .spec)) {
      try $0.table("metadata").spec.require(5).values[0] |= 1 << 62
    },
    .nodes("enumeration of an integer", of: "strings", finds: .columnEnumeration, at: .table("class_S", .spec)) {
      try $0.table("class_S").spec.require(4).elements[0] = .child(.blob([]))
    },
    .nodes("opposite column of an integer", of: "dogs", finds: .columnOpposite, at: .value("metadata", "version")) {
      try $0.table("metadata").top.require(8).values[0] = 77
    },
    .nodes(
      "link column with another partner", of: "dogs",
      finds: .linkColumnPartner, .backlinkColumnPartner, .linkWithoutBacklink, at: .value("class_Dog", "favoriteToy")
    ) { try $0.table("class_Dog").top.require(8).values[4] += 1 },
    .nodes(
      "backlink column of a nonexistent table", of: "dogs",
      finds: .backlinkColumnPartner, .linkColumnPartner, .linkWithoutBacklink, at: .table("class_Toy")
    ) { tree in
      let toy = try tree.table("class_Toy")
      try toy.top.require(7).values[toy.backlinkLeafIndexes[0]] = 77
    },
    .nodes("links to an asymmetric table", of: "dogs", finds: .asymmetricTarget, at: .value("class_Dog", "favoriteToy"))
    {
      try $0.table("class_Toy").top.elements[12] = .tagged(2)
    },
  ]
}
