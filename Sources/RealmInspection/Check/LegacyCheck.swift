import RealmStorage

/// Checks the tables of formats 2–9 (Docs/Format/4-file-versions.md §2): their descriptions, the trees of their columns,
/// every value, that links lead to rows and that incoming links are those that lead there. Of a search index only its
/// presence is checked.
///
/// Tables whose upgrade to format 10 was interrupted are read as the engine would go on with them: one warning says so.
struct LegacyCheck {
  private let context: CheckContext
  private let top: RawTop
  private let choice: SnapshotChoice
  private var tables: [LegacyCheckedTable] = []

  init(_ context: CheckContext, top: RawTop, choosing choice: SnapshotChoice) {
    (self.context, self.top, self.choice) = (context, top, choice)
  }

  private var store: ByteStore { context.store }

  /// - Parameter progress: called with a share of the work, from 0 to 1.
  mutating func run(_ summary: inout CheckSummary, progress: (Double) -> Void) {
    guard let names = context.node(top[.tableNames].child, .fields, otherwise: { report(.nodeKind, $0.ref) }),
      let refs = context.node(top[.tables].child, .refs, otherwise: { report(.nodeKind, $0.ref) })
    else { return }
    guard names.count == refs.count, refs.count < TableKey.mostSlots else {
      return report(.groupLengths, refs.ref, .counts(names.count, found: refs.count))
    }
    var upgraded: [RealmString] = []
    var seen: Set<RealmString> = []
    for number in 0..<refs.count {
      let name = name(names, number, &seen)
      guard let ref = refs.slot(number).child else {
        context.log.add(.nodeMissing, at: Finding.Place(part: .tables, table: name, ref: refs.ref, position: number))
        tables.append(LegacyCheckedTable(name: name, root: .null))
        continue
      }
      guard context.visit(ref), let root = context.node(ref, .refs, otherwise: { report(.nodeKind, $0.ref) }) else {
        tables.append(LegacyCheckedTable(name: name, root: ref))
        continue
      }
      if root.count > 2 { upgraded.append(name) }
      tables.append(root.count > 2 ? LegacyCheckedTable(name: name, root: ref) : described(root, name))
    }
    summary.tables = refs.count
    for index in tables.indices {
      context.letGoOfPages()
      var columns = LegacyColumnCheck(context, tables[index])
      columns.run()
      tables[index] = columns.table
      summary.objects += tables[index].rowCount
      summary.indexes += tables[index].spec?.columns.count(where: \.isIndexed) ?? 0
      progress(Double(index + 1) / Double(2 * tables.count))
    }
    if upgraded.isEmpty {
      for index in tables.indices {
        context.letGoOfPages()
        checkLinks(from: index, &summary)
        progress(0.5 + Double(index + 1) / Double(2 * tables.count))
      }
    } else {
      context.log.add(
        .legacyUpgrade, .count(upgraded.count), at: Finding.Place(part: .tables, table: upgraded.first, ref: refs.ref))
      checkUpgraded(upgraded, &summary)
    }
    checkPrimaryKeys()
  }

  private func report(_ kind: FindingKind, _ ref: Ref, _ facts: Finding.Facts = .none) {
    context.log.add(kind, facts, at: Finding.Place(part: .tables, ref: ref))
  }

  private func name(_ names: Node, _ number: Int, _ seen: inout Set<RealmString>) -> RealmString {
    guard let bytes = try? StringLeaf.short(names, number), !bytes.isEmpty, bytes.count <= TableListCheck.longestName
    else {
      context.log.add(.groupName, at: Finding.Place(part: .tables, ref: names.ref, position: number))
      return ""
    }
    let name = RealmString(bytes)
    if name.isDamagedName || name.correctedTableName != nil {
      context.log.add(.groupName, .name(name), at: Finding.Place(part: .tables, ref: names.ref, position: number))
    }
    if !seen.insert(name).inserted {
      context.log.add(
        .groupDuplicateName, .name(name), at: Finding.Place(part: .tables, ref: names.ref, position: number))
    }
    return name
  }

  // MARK: Descriptions

  private func described(_ root: Node, _ name: RealmString) -> LegacyCheckedTable {
    var table = LegacyCheckedTable(name: name, root: root.ref)
    let place = Finding.Place(part: .spec, table: name, ref: root.slot(RowTableSlot.spec).ref)
    do {
      let budget = WalkBudget(limit: store.count)
      let spec = try LegacySpec(root.childRef(RowTableSlot.spec.rawValue), in: store, budget: budget)
      table.spec = spec
      checkNames(spec.columns.flatMap(\.names), of: name, at: place.ref)
      // Readers look at both slots.
      guard root.count == RowTableSlot.allCases.count else {
        context.log.add(.tableSlotCount, .count(root.count), at: table.place(root.ref))
        return table
      }
      guard let slots = root.slot(RowTableSlot.columns).child else {
        if spec.slotCount > 0 || root.slot(RowTableSlot.columns).isTagged {
          context.log.add(.tableSlot, at: table.place(root.ref, position: 1))
        }
        return table
      }
      guard let columns = context.node(slots, .refs, otherwise: { context.log.add(.nodeKind, at: table.place($0.ref)) })
      else { return table }
      guard columns.count == spec.slotCount else {
        context.log.add(
          .tableLists, .counts(spec.slotCount, found: columns.count), at: table.place(columns.ref))
        return table
      }
      table.slots = columns.ref
    } catch {
      let reason: Finding.Facts =
        if case .corrupted(let corruption)? = error as? StorageError { .node(corruption.reason) } else { .none }
      context.log.add(.specShape, reason, at: place)
    }
    return table
  }

  private func checkNames(_ names: [RealmString?], of table: RealmString, at ref: Ref?) {
    for (index, name) in names.enumerated() {
      guard let name, name.isDamagedName else { continue }
      context.log.add(
        .columnName, .name(name), at: Finding.Place(part: .spec, table: table, ref: ref, position: index))
    }
  }

  // MARK: Links

  /// Compares the links of each column with the incoming links that belong to it.
  private mutating func checkLinks(from origin: Int, _ summary: inout CheckSummary) {
    let table = tables[origin]
    for (column, links) in table.links.sorted(by: { $0.key < $1.key }) {
      summary.links += links.sum.count
      guard tables.indices.contains(links.target) else {
        context.log.add(.linkTable, at: table.place(nil, column: column))
        continue
      }
      let target = tables[links.target]
      if let last = links.largestTarget, last >= Int64(target.rowCount), target.isComplete {
        let link = Finding.Facts.link(table: target.name, key: ObjectKey(rawValue: last))
        context.log.add(.linkDangling, link, at: table.place(nil, column: column))
      }
      guard target.isComplete, table.isComplete else { continue }
      guard let incoming = target.incoming[LegacyOrigin(table: origin, column: column)] else {
        context.log.add(.linkColumnPartner, at: table.place(nil, column: column))
        continue
      }
      if incoming != links.sum {
        let kind: FindingKind = incoming.count > links.sum.count ? .backlinkWithoutLink : .linkWithoutBacklink
        let facts: Finding.Facts =
          incoming.count == links.sum.count
          ? .text("the links differ from the backlinks, \(incoming.count) of each")
          : .counts(links.sum.count, found: incoming.count)
        context.log.add(kind, facts, at: table.place(nil, column: column))
      }
    }
    for source in table.incoming.keys where !(tables.indices.contains(source.table) && hasLinks(source)) {
      context.log.add(.backlinkColumnPartner, at: Finding.Place(part: .objects, table: table.name, ref: table.root))
    }
  }

  private func hasLinks(_ origin: LegacyOrigin) -> Bool {
    guard tables[origin.table].isComplete else { return true }
    return tables[origin.table].links[origin.column] != nil
  }

  // MARK: Primary keys

  /// Checks that no two objects have the same primary key, which old engines did not enforce.
  private func checkPrimaryKeys() {
    guard let believed = try? TopArray(top.ref, in: store), let list = try? LegacyTableList(believed, in: store) else {
      return
    }
    for table in list.tables {
      guard let index = table.schema.primaryKeyIndex, case .rows(let first) = table.source,
        let values = table.columns[index].rows, let count = try? first?.count(in: store)
      else { continue }
      context.letGoOfPages()
      let place = Finding.Place(
        part: .objects, table: table.schema.name, column: .property(table.columns[index].name), ref: table.root)
      if hasRepeated(values, table.columns[index].enumeration, count: count) {
        context.log.add(.primaryKeyDuplicate, at: place)
      }
    }
  }

  /// By hashes of the values: eight bytes a row.
  private func hasRepeated(_ column: RowColumn, _ enumeration: StringEnumeration?, count: Int) -> Bool {
    var hashes: [UInt64] = []
    var row = 0
    while row < count, let (leaf, start) = try? column.leaf(holding: row, enumeration, in: store) {
      let end = min(leaf.count, start + count - row)
      guard context.spend(elements: end - start, at: column.root) else { return false }
      for position in start..<end {
        guard let value = try? leaf.value(at: position, in: store), let hash = Self.hash(of: value) else { continue }
        hashes.append(hash)
      }
      row += end - start
    }
    hashes.sort()
    return zip(hashes, hashes.dropFirst()).contains { $0 == $1 }
  }

  static func hash(of value: ValueView) -> UInt64? {
    var hasher = Hasher()
    switch value {
    case .null: hasher.combine(0)
    case .int(let number):
      hasher.combine(1)
      hasher.combine(number)
    case .string(let text):
      hasher.combine(2)
      do { try text.forEachPiece { hasher.combine(bytes: $0) } } catch { return nil }
    default: return nil
    }
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }

  // MARK: Interrupted upgrades

  /// Reads everything that can be read, as an export or upgrade does: the layouts of two formats are mixed.
  private func checkUpgraded(_ names: [RealmString], _ summary: inout CheckSummary) {
    let snapshot: Snapshot
    do { snapshot = try Snapshot(of: store, choosing: choice) } catch {
      if let error = error as? StorageError { reportDamage(error, names.first ?? "") }
      return
    }
    for table in snapshot.damagedTables where names.contains(table.name) { reportDamage(table.error, table.name) }
    var reading = UpgradedCheck(snapshot, context.log)
    for table in snapshot.tables where names.contains(table.schema.name) {
      checkNames(table.schema.properties.map(\.name), of: table.schema.name, at: table.root)
      reading.run(table)
    }
    summary.objects += reading.objectCount
    summary.links += reading.linkCount
  }

  private func reportDamage(_ error: StorageError, _ table: RealmString) {
    guard case .corrupted(let corruption) = error else { return }
    context.log.add(
      .nodeKind, .node(corruption.reason), at: Finding.Place(part: .table, table: table, ref: corruption.ref))
  }
}

extension LegacySpec.Column {
  /// Its name and those of the columns of its subtables.
  fileprivate var names: [RealmString?] { [name] + nested.flatMap(\.names) }
}

/// The column that an incoming link comes through.
struct LegacyOrigin: Hashable {
  let table: Int
  let column: Int
}

/// A table of formats 2–9 with the content that was found in its columns.
struct LegacyCheckedTable {
  /// The links of a column.
  struct Links {
    let target: Int
    /// Pairs of rows.
    var sum = HashSum()
    var largestTarget: Int64?

    mutating func add(from row: Int, to target: Int64) {
      sum.add(hash: Self.hash(from: Int64(row), to: target))
      largestTarget = max(largestTarget ?? target, target)
    }

    static func hash(from row: Int64, to target: Int64) -> UInt64 {
      var hash = UInt64(bitPattern: row) &* 0x9e37_79b9_7f4a_7c15 ^ UInt64(bitPattern: target)
      hash = (hash ^ hash >> 30) &* 0xbf58_476d_1ce4_e5b9
      hash = (hash ^ hash >> 27) &* 0x94d0_49bb_1331_11eb
      return hash ^ hash >> 31
    }
  }

  let name: RealmString
  let root: Ref
  /// Nil if it cannot be read, and for a table in the layout of format 10.
  var spec: LegacySpec?
  /// The node that refers to the columns; null if there are none.
  var slots = Ref.null
  var rowCount = 0
  /// Whether all columns could be read.
  var isComplete = false
  /// By column.
  var links: [Int: Links] = [:]
  var incoming: [LegacyOrigin: HashSum] = [:]

  init(name: RealmString, root: Ref) { (self.name, self.root) = (name, root) }

  func place(_ ref: Ref?, column: Int? = nil, position: Int? = nil) -> Finding.Place {
    Finding.Place(
      part: column == nil ? .table : .objects, table: name, column: column.flatMap(columnName), ref: ref,
      position: position)
  }

  func columnName(_ column: Int) -> Finding.ColumnName? {
    spec.flatMap { column < $0.columns.count ? $0.columns[column].name.map { .property($0) } : nil }
  }
}
