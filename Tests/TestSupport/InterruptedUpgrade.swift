/// Where an upgrade from formats 5–9 to format 10 stopped (Docs/Format/4-file-versions.md §2.21): each stage includes those
/// before it.
package enum UpgradeStage: Int, CaseIterable, Comparable, Sendable {
  /// Roots and descriptions have all slots of format 10; the keys of columns are their numbers.
  case extended
  /// Types, attributes and keys of columns are those of format 10, but for table `pk`.
  case described
  /// The rows of table `pk` are objects.
  case primaryKeys
  /// The roots of indexes are no longer among those of columns.
  case indexes
  /// The other ends of links are in separate lists; incoming links are gone.
  case ends
  /// The clusters have a leaf for each column.
  case leaves
  /// Values other than links are in objects.
  case objects
  /// Links are, too, and incoming links have been created.
  case links

  package static func < (left: UpgradeStage, right: UpgradeStage) -> Bool { left.rawValue < right.rawValue }
}

/// A realm of format 9 as an engine leaves it that stops while it upgrades it, made from one of `LegacyRealm`.
///
/// Columns may be ints, short strings without null, enumerated strings, links, lists of links, and lists in subtables of one
/// column. Row i of a table is the object with key i, unless the table is among `renumbered`.
///
/// ```swift
/// let bytes = InterruptedUpgrade(realm, after: .objects).bytes()
/// ```
package struct InterruptedUpgrade {
  private let realm: LegacyRealm
  private let stage: UpgradeStage
  /// The numbers of tables whose objects get new keys, as do those with strings as primary keys.
  package var renumbered: Set<Int> = []
  /// The columns after the public ones have the keys that engines up to 6.0.19 gave them.
  package var hasMisplacedKeys = false
  /// Tables that are left at the stage before the columns are described.
  package var behind: Set<Int> = []

  package init(_ realm: LegacyRealm, after stage: UpgradeStage) { (self.realm, self.stage) = (realm, stage) }

  package func bytes() -> [UInt8] {
    let tree = realm.tree()
    tree.root.elements[1] = .child(.refs(realm.tables.indices.map { .child(root(of: $0)) }))
    return tree.written(.normal)
  }

  // MARK: Tables

  private func root(of number: Int) -> EditableNode {
    let table = realm.tables[number]
    let isKeys = table.name == "pk"
    var reached = behind.contains(number) ? .extended : stage
    if isKeys { reached = stage < .primaryKeys ? .extended : .links }
    let columns = self.columns(of: table, number, reached)
    let hasEnds = reached >= .ends && !isKeys
    let leafCount = Int64(columns.count)
    let ends = Dictionary(
      uniqueKeysWithValues: hasEnds
        ? columns.compactMap { column in end(of: column, number).map { (column.leaf, $0) } } : [])
    let indexes = columns.map { column -> EditableNode.Element in
      // Empty if the table is; not used with objects, because their content is not made here.
      guard (.indexes..<UpgradeStage.objects).contains(reached), column.legacy.index != nil else { return .raw(0) }
      return .child(.refs([.child(.numbers([], width: 32))], flags: 0x60))
    }
    return .refs([
      .child(spec(columns, reached, hasEnds: hasEnds)), data(columns, reached),
      .child(clusters(columns, number, reached)), .tagged(Int64(number)), .child(.refs(indexes)), .tagged(0),
      .tagged(0), .child(.numbers((0..<leafCount).map { ends[$0]?.table ?? 0x7fff_ffff }, width: 32)),
      .child(.numbers((0..<leafCount).map { ends[$0]?.column ?? .max }, width: 64)), .raw(0), .raw(0), .raw(0),
    ])
  }

  /// A column during the upgrade.
  private struct Column {
    let legacy: LegacyColumn
    /// Position in the description.
    let position: Int
    /// Position in a cluster.
    let leaf: Int64
    let key: Int64
    /// Whether the upgrade added it.
    var isNew = false
  }

  private static let rowName = "!ROW_INDEX"

  private func isRenumbered(_ number: Int, _ reached: UpgradeStage) -> Bool {
    renumbered.contains(number) && reached >= .objects
  }

  private func columns(of table: LegacyTable, _ number: Int, _ reached: UpgradeStage) -> [Column] {
    var all = table.columns
    let publicCount = all.count { $0.name != nil }
    let isRenumbered = isRenumbered(number, reached)
    if isRenumbered {
      all.insert(LegacyColumn(Self.rowName, .int, .numbers([]), index: .refs([])), at: publicCount)
    }
    return all.indices.map { position in
      let isNew = isRenumbered && position == publicCount
      let leaf = isNew ? all.count - 1 : isRenumbered && position > publicCount ? position - 1 : position
      let written = hasMisplacedKeys && isRenumbered ? position : leaf
      return Column(
        legacy: all[position], position: position, leaf: Int64(leaf),
        key: reached < .described
          ? Int64(position) : Self.key(all[position], leaf: Int64(written), isNew && hasMisplacedKeys ? 0 : number),
        isNew: isNew)
    }
  }

  // MARK: Descriptions

  private static func type(_ column: LegacyColumn) -> Int64 {
    switch column.kind {
    case .enumerated: LegacyColumn.Kind.string.rawValue
    case .table: column.nested[0].kind.rawValue
    default: column.kind.rawValue
    }
  }

  /// Without what does not go into the key.
  private static func attributes(_ column: LegacyColumn) -> Int64 {
    let nullable: Int64 = 16
    let list: Int64 = 32
    return switch column.kind {
    case .link: nullable
    case .linkList: list
    case .table: list | (column.nested[0].isNullable ? nullable : 0)
    default: column.isNullable ? nullable : 0
    }
  }

  private static func key(_ column: LegacyColumn, leaf: Int64, _ table: Int) -> Int64 {
    leaf | type(column) << 16 | attributes(column) << 22 | Int64(table) << 30
  }

  private func spec(_ columns: [Column], _ reached: UpgradeStage, hasEnds: Bool) -> EditableNode {
    let legacy = columns.map(\.legacy)
    let keys = EditableNode.Element.child(.numbers(columns.map(\.key)))
    guard reached >= .described else {
      let spec = LegacyColumn.spec(legacy)
      spec.elements += Array(repeating: .raw(0), count: 5 - spec.count) + [keys]
      return spec
    }
    let details = legacy.filter { $0.kind != .table }.flatMap { column in
      column.links.map { EditableNode.Element.tagged($0) }
    }
    let named = legacy.filter { $0.name != nil }
    let hasEnumerations = named.contains { $0.enumeration != nil }
    let enumerations = named.map { $0.enumeration.map { EditableNode.Element.child($0) } ?? .raw(0) }
    return .refs([
      .child(.numbers(legacy.map(Self.type))), .child(LegacyNodes.names(legacy.compactMap(\.name))),
      .child(.numbers(legacy.map { Self.attributes($0) | ($0.index == nil ? 0 : 1) })),
      details.isEmpty || hasEnds ? .raw(0) : .child(.refs(details)),
      hasEnumerations ? .child(.refs(enumerations)) : .raw(0), keys,
    ])
  }

  /// The other end of a link.
  private func end(of column: Column, _ number: Int) -> (table: Int64, column: Int64)? {
    guard let other = column.legacy.links.first.map({ Int($0) }) else { return nil }
    let reached = behind.contains(other) ? .extended : stage
    let others = columns(of: realm.tables[other], other, reached)
    let partner =
      column.legacy.kind == .backlink
      ? others[Int(column.legacy.links[1])]
      : others.first { $0.legacy.kind == .backlink && $0.legacy.links == [Int64(number), Int64(column.position)] }
    return partner.map { (Int64(other), Self.key($0.legacy, leaf: $0.leaf, other)) }
  }

  // MARK: Rows

  private func data(_ columns: [Column], _ reached: UpgradeStage) -> EditableNode.Element {
    let isMoved = reached >= .objects
    let links: [LegacyColumn.Kind] = [.link, .linkList]
    guard !isMoved || reached == .objects && columns.contains(where: { links.contains($0.legacy.kind) }) else {
      return .raw(0)
    }
    let slots = columns.filter { !$0.isNew }.flatMap { column -> [EditableNode.Element] in
      let legacy = column.legacy
      let isGone = isMoved && !links.contains(legacy.kind) || reached >= .ends && legacy.kind == .backlink
      let data = isGone ? EditableNode.Element.raw(0) : .child(legacy.data)
      guard let index = legacy.index, reached < .indexes else { return [data] }
      return [data, .child(index)]
    }
    return .child(.refs(slots))
  }

  // MARK: Objects

  /// The key of the object that a row becomes; in the reverse order if the table gets new keys.
  private func key(ofRow row: Int64, in table: Int, _ reached: UpgradeStage) -> Int64 {
    isRenumbered(table, reached) ? 100_000 - row * 1000 : row
  }

  private func clusters(_ columns: [Column], _ number: Int, _ reached: UpgradeStage) -> EditableNode {
    let isMoved = reached >= .objects
    guard reached >= .leaves else { return .refs([.tagged(0)]) }
    let count = isMoved ? Self.rowCount(columns) : 0
    let isRenumbered = isRenumbered(number, reached)
    let rows = isRenumbered ? Array((0..<count).reversed()) : Array(0..<count)
    let keys: EditableNode.Element =
      isRenumbered
      ? .child(.numbers(rows.map { key(ofRow: Int64($0), in: number, reached) }, width: 64)) : .tagged(Int64(count))
    let leaves = columns.sorted { $0.leaf < $1.leaf }.map { column -> EditableNode.Element in
      .child(column.isNew ? .numbers(rows.map(Int64.init)) : leaf(column.legacy, rows, reached))
    }
    return .refs([keys] + leaves)
  }

  private static func rowCount(_ columns: [Column]) -> Int { columns.first?.legacy.data.count ?? 0 }

  /// The leaf of a column for rows in this order.
  private func leaf(_ column: LegacyColumn, _ rows: [Int], _ reached: UpgradeStage) -> EditableNode {
    let hasLinks = reached >= .links
    let target = column.links.first.map { Int($0) } ?? 0
    func keys(_ list: EditableNode) -> [Int64] { list.values.map { key(ofRow: $0, in: target, reached) } }
    switch column.kind {
    case .enumerated:
      let texts = column.enumeration?.fields ?? []
      return Self.fields(rows.map { texts[Int(column.data.values[$0])] })
    case .string: return Self.fields(rows.map { column.data.fields[$0] })
    case .link:
      let links = rows.map { column.data.values[$0] }
      return .numbers(links.map { hasLinks && $0 > 0 ? key(ofRow: $0 - 1, in: target, reached) + 1 : 0 })
    case .linkList:
      return .refs(
        rows.map { row in hasLinks ? column.data.child(row).map { .child(.numbers(keys($0))) } ?? .raw(0) : .raw(0) })
    case .backlink:
      return .refs(
        rows.map { row in
          guard hasLinks else { return .raw(0) }
          if let list = column.data.child(row) { return .child(.numbers(keys(list))) }
          return column.data.tagged(row).map { .tagged(key(ofRow: $0, in: target, reached)) } ?? .raw(0)
        })
    case .table:
      return .refs(rows.map { row in column.data.child(row)?.child(0).map { .child($0) } ?? .raw(0) })
    default: return .numbers(rows.map { column.data.values[$0] })
    }
  }

  private static func fields(_ fields: [[UInt8]]) -> EditableNode {
    let node = EditableNode(flags: 0x08, content: .bytes([], count: 0))
    if !fields.isEmpty { node.setFields(fields) }
    return node
  }
}

extension LegacyRealm {
  /// Classes that link to each other, with primary keys, an index, enumerated strings and lists: what an upgrade has to move.
  package static var linked: LegacyRealm {
    let tasks = LegacyTable(
      "class_Task",
      [
        LegacyColumn(
          "id", .string, LegacyNodes.short(["wash", "cook", "mow", "sleep"]), index: LegacyNodes.lists([[]])),
        LegacyColumn("rank", .int, LegacyNodes.ints([3, 1, 4, 1]), index: LegacyNodes.lists([[]])),
        .enumerated("room", LegacyNodes.short(["kitchen", "garden"]), [0, 0, 1, 0]),
        .link("after", to: 3, LegacyNodes.ints([2, 0, 1, 3])), .link("owner", to: 4, LegacyNodes.ints([1, 2, 0, 2])),
        .backlinks(from: 3, column: 3, [[2], [0], [3], []]), .backlinks(from: 4, column: 2, [[0, 0], [], [1], []]),
      ])
    let people = LegacyTable(
      "class_Person",
      [
        LegacyColumn("number", .int, LegacyNodes.ints([7, 8])),
        .table(
          "names", [LegacyColumn("!ARRAY_VALUE", .string, LegacyNodes.short([]))],
          [[LegacyNodes.short(["Ann", "A."])], nil]),
        .linkList("tasks", to: 3, [[0, 0], [2]]), .link("hidden", to: 5, LegacyNodes.ints([1, 0])),
        .backlinks(from: 3, column: 4, [[0], [1, 3]]),
      ])
    let hidden = LegacyTable(
      "class_Hidden", [LegacyColumn("n", .int, LegacyNodes.ints([9])), .backlinks(from: 4, column: 3, [[0]])])
    return LegacyRealm([
      .primaryKeys([("Task", "id"), ("Person", "number")]), .metadata(version: 5),
      LegacyTable("class_Empty", [LegacyColumn("s", .string, LegacyNodes.short([]))]), tasks, people, hidden,
    ])
  }
}
