/// The list of tables, as far as their descriptions can be read (Docs/Format/3-tables-and-objects.md §1).
struct TableList {
  struct Described {
    let name: RealmString
    let top: TableTop
    let columns: Columns
  }

  private(set) var tables: [Described] = []
  private(set) var damaged: [(name: RealmString, error: StorageError)] = []
  private var names: [TableKey: RealmString] = [:]

  /// No tables, as in a file without content.
  init() {}

  /// - Throws: `StorageError.corrupted` if the list itself is damaged.
  init(_ top: TopArray, in store: ByteStore) throws {
    let (names, refs) = try top.tableSlots(in: store)
    let nameNode = top.tableNames
    // A column costs at least its name and a key.
    let budget = WalkBudget(limit: store.count / 4 + 64)
    for slot in 0..<refs.count {
      // A free slot has the tag of the next table there, and no name: one that is left shows that a table was lost.
      guard let ref = refs.slot(slot).child else {
        if !names[slot].isEmpty {
          damaged.append(
            (names[slot], .corrupted(refs.ref, .badTable("the table's root is missing from the list of tables"))))
        }
        continue
      }
      if let name = names[slot].correctedTableName {
        damaged.append((name, .corrupted(nameNode, .badTable("the table's name is damaged"))))
        continue
      }
      do {
        let tableTop = try TableTop(ref, in: store)
        guard tableTop.key.slot == slot else {
          throw StorageError.corrupted(ref, .badTable("the table's key does not fit its slot"))
        }
        let columns = try Columns(of: tableTop, in: store, budget: budget)
        tables.append(Described(name: names[slot], top: tableTop, columns: columns))
      } catch let error as StorageError {
        damaged.append((names[slot], error))
      }
    }
    self.names = Dictionary(tables.map { ($0.top.key, $0.name) }) { first, _ in first }
  }

  func schema(of table: Described) -> TableSchema {
    let columns = table.columns.properties
    let properties = columns.map { $0.property { names[$0] } }
    return TableSchema(
      name: table.name, kind: table.top.kind, properties: properties,
      primaryKeyIndex: table.top.primaryKey.flatMap { key in columns.firstIndex { $0.key == key } })
  }
}

extension TopArray {
  /// The names and the roots of the tables, by slot.
  ///
  /// - Throws: `StorageError.corrupted` if one of the lists is damaged, or they differ in length.
  func tableSlots(in store: ByteStore) throws -> (names: [RealmString], refs: Node) {
    let nameNode = try Node(tableNames, in: store)
    let refs = try Node(tables, in: store)
    try refs.requireRefs("the list of tables")
    // Before names are made: an empty name takes no byte of the file.
    guard nameNode.count == refs.count, refs.count < TableKey.mostSlots else {
      throw StorageError.corrupted(refs.ref, .wrongElementCount(expected: nameNode.count, found: refs.count))
    }
    return (try nameNode.names(), refs)
  }
}
