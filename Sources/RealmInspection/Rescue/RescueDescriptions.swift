import RealmStorage

/// What is known of the tables of a damaged file: the newest description of each that can be read.
struct RescueDescriptions {
  private let bytes: RescueBytes
  private let tops: RescueTops
  private let scan: NodeScan?
  private let work: RescueWork
  private let isSound: Bool

  /// A root of a table, and where it comes from.
  private struct Candidate {
    let top: RescueTableTop
    let confidence: RescueConfidence
  }

  init(_ bytes: RescueBytes, _ tops: RescueTops, _ scan: NodeScan?, _ work: RescueWork, isSound: Bool) {
    (self.bytes, self.tops, self.scan, self.work, self.isSound) = (bytes, tops, scan, work, isSound)
  }

  /// All tables, in the order of their slots, and the names of those whose columns are lost; names by slot.
  func tables() -> (found: [RescuedTable], lost: [RealmString], names: [RealmString]) {
    let candidates = self.candidates()
    let names = self.names()
    let specs = self.specs()
    let partners = self.partners(candidates)
    let columns = self.statedColumns(candidates)
    var tableNames = RescuedTableNames(stated: names)
    var made: [RescuedTable] = []
    var lost: [RealmString] = []
    let keys = Set(candidates.keys).union(tops.base == nil ? Array(specs.keys) : keysOfLostRoots(candidates, specs))
    for key in keys.sorted(by: { ($0.slot, $0.tag) < ($1.slot, $1.tag) }) {
      let found = candidates[key] ?? []
      let stated = key.slot < names.count ? names[key.slot] : nil
      let name = tableNames.name(stated)
      func table(_ spec: RescueSpec, isByStructure: Bool = false) -> RescuedTable {
        let table = self.table(key, name, found, spec, others: specs[key] ?? [], partners, isByStructure: isByStructure)
        table.hasDamagedName =
          stated.map { $0.isDamagedName || $0.correctedTableName != nil } ?? false
          || spec.properties.contains { $0.name?.isDamagedName ?? false }
        return table
      }
      let readings = found.lazy.map { RescueSpec.readings($0.top.spec, in: bytes) }.first { !$0.isEmpty } ?? []
      if !readings.isEmpty {
        let tables = readings.map { table($0) }
        made.append(tables.count == 1 ? tables[0] : fittest(tables, found, columns[key] ?? []))
        continue
      }
      let places = found.prefix(Self.mostTried).lazy.map { groups(below: $0.top.clusters) }
      let objects = places.first { !$0.isEmpty } ?? []
      let others = (specs[key] ?? []).prefix(Self.mostTried).lazy.map { table($0, isByStructure: $0.ref.isNull) }
      if let fitting = others.first(where: { fits($0, objects) }) {
        made.append(fitting)
      } else if name.hasPrefix(TableSchema.classPrefix), let spec = spec(of: objects, key, found, columns[key] ?? []) {
        made.append(table(spec, isByStructure: true))
      } else {
        lost.append(name)
      }
    }
    let found = sound(made, tableNames.madeUp)
    // Names without a root; what the snapshot says is free has none.
    let known = Set(found.map(\.schema.name) + lost)
    lost += names.filter { !$0.isEmpty && !known.contains($0.correctedTableName ?? $0) }
    return (found, lost, names)
  }

  /// The tables that the snapshot has, that lost their root in all snapshots, and whose columns are still described by more
  /// than a list of keys, which other numbers may look like. Of several that had one slot it is the last.
  private func keysOfLostRoots(
    _ candidates: [TableKey: [Candidate]], _ specs: [TableKey: [RescueSpec]]
  ) -> [TableKey] {
    guard let base = tops.base else { return [] }
    let known = Set(candidates.keys.map(\.slot))
    return Set(tops.tableRefs(of: base).keys).union(tops.slotsOfLostTables).compactMap { slot in
      guard !known.contains(slot) else { return nil }
      return specs.filter { $0.key.slot == slot && $0.value.contains { !$0.ref.isNull } }.keys.max { $0.tag < $1.tag }
    }
  }

  private func spec(_ ref: Ref) -> RescueSpec? { ref.isNull ? nil : try? RescueSpec(ref, in: bytes) }

  // MARK: Columns without a description

  private static let mostCompared = 8
  /// Descriptions and trees of one table.
  private static let mostTried = 16

  /// The groups of objects of a tree, those without their keys where only these are lost.
  private func groups(below root: Ref) -> [ClusterPlace] {
    let tree = RescueClusterTree(root, bytes, confidence: .current)
    guard tree.places.isEmpty else { return tree.places }
    return tree.holes.flatMap(\.groups).map {
      ClusterPlace(ref: $0, offset: 0, keys: RescueClusterTree.allKeys, confidence: .current)
    }
  }

  /// Whether a table's columns are those of its objects, as far as some of them show it.
  private func fits(_ table: RescuedTable, _ places: [ClusterPlace]) -> Bool {
    let step = max(1, places.count / Self.mostCompared)
    let compared = stride(from: 0, to: places.count, by: step).filter { table.fits(places[$0].ref, in: bytes) }
    bytes.letGoOfPages()
    return places.isEmpty || compared.count * step * 2 > places.count
  }

  /// That of several readings of a table that most leaves of its objects agree with, then most keys that other parts of
  /// the file have.
  private func fittest(_ tables: [RescuedTable], _ found: [Candidate], _ stated: [ColumnKey]) -> RescuedTable {
    let places = found.prefix(Self.mostTried).lazy.map { groups(below: $0.top.clusters) }.first { !$0.isEmpty } ?? []
    let step = max(1, places.count / Self.mostCompared)
    let compared = stride(from: 0, to: places.count, by: step).map { places[$0].ref }
    let known = Set(stated + found.compactMap(\.top.primaryKey))
    var best = (table: tables[0], leaves: Int.min, keys: 0)
    for table in tables {
      let leaves = compared.reduce(0) { $0 + table.agreement(with: $1, in: bytes) }
      let keys = table.columns.count { known.contains($0.key) }
      if (leaves, keys) > (best.leaves, best.keys) { best = (table, leaves, keys) }
    }
    bytes.letGoOfPages()
    return best.table
  }

  /// What the leaves of the objects say of their columns.
  private func spec(
    of places: [ClusterPlace], _ key: TableKey, _ found: [Candidate], _ stated: [ColumnKey]
  ) -> RescueSpec? {
    var stated = stated
    var links: Set<Int> = []
    for top in found.map(\.top) {
      if let primaryKey = top.primaryKey, primaryKey.valueType != nil { stated.append(primaryKey) }
      for (leafIndex, other) in top.oppositeColumns.enumerated()
      where other != .null && other.typeCode == TypeCode.backlink.rawValue { links.insert(leafIndex) }
    }
    return RescueSpec(of: ColumnShapes(key, places, known: stated, links: links, in: bytes, work).columns())
  }

  /// The keys of columns that the other ends of their links state.
  private func statedColumns(_ candidates: [TableKey: [Candidate]]) -> [TableKey: [ColumnKey]] {
    var stated: [TableKey: [ColumnKey]] = [:]
    for top in candidates.values.joined().map(\.top) {
      for (table, column) in zip(top.oppositeTables, top.oppositeColumns) where column != .null && column.rawValue >= 0
      {
        if stated[table]?.contains(column) != true { stated[table, default: []].append(column) }
      }
    }
    return stated
  }

  // MARK: Roots of tables

  /// The roots of each table, the one to go by first.
  private func candidates() -> [TableKey: [Candidate]] {
    var candidates: [TableKey: [Candidate]] = [:]
    func add(_ ref: Ref, slot: Int?, _ confidence: RescueConfidence) {
      guard let top = try? RescueTableTop(ref, in: bytes, at: slot), slot == nil || top.key.slot == slot else { return }
      if candidates[top.key]?.contains(where: { $0.top.ref == ref }) == true { return }
      candidates[top.key, default: []].append(Candidate(top: top, confidence: confidence))
    }
    let live = tops.base.map { tops.tableRefs(of: $0) } ?? [:]
    for (slot, ref) in live { add(ref, slot: slot, .current) }
    guard let scan else { return candidates }
    let known = Set(candidates.keys)
    let knownSlots = Set(known.map(\.slot))
    for top in tops.others { for (slot, ref) in tops.tableRefs(of: top) { add(ref, slot: slot, .earlier) } }
    for ref in scan.tableTops { add(ref, slot: nil, .earlier) }
    let newest = newestList(scan)
    for key in candidates.keys {
      // The live snapshot says which tables there are, as far as its list can be read.
      if tops.isLive, !known.contains(key), isSettled(key.slot, live, knownSlots) {
        candidates[key] = nil
        continue
      }
      candidates[key]?.sort { left, right in
        if tops.isLive, (left.confidence == .current) != (right.confidence == .current) {
          return left.confidence == .current
        }
        return (left.top.contentVersion, left.top.ref) > (right.top.contentVersion, right.top.ref)
      }
      guard !tops.isLive, let first = candidates[key]?.first else { continue }
      // Without the live root nothing says that this is the newest, unless a list of tables does.
      let isListed = newest.map { $0.contains(first.top.ref) } ?? false
      let isBase = first.confidence == .current && !tops.hasHeader
      candidates[key]?[0] = Candidate(top: first.top, confidence: isListed || isBase ? .found : .earlier)
    }
    return candidates
  }

  /// Whether a slot is empty in the live snapshot, or has another table.
  private func isSettled(_ slot: Int, _ live: [Int: Ref], _ known: Set<Int>) -> Bool {
    if known.contains(slot) { return true }
    guard let base = tops.base, let node = base[.tables].child.flatMap(bytes.wholeNode), node.flags & 0xd8 == 0x40
    else { return false }
    return slot >= node.count || node.slot(slot).child == nil && !tops.slotsOfLostTables.contains(slot)
  }

  /// The refs of the list of tables that no snapshot at hand leads to and that has the newest roots, where there is one:
  /// the list of a snapshot whose own root is lost.
  private func newestList(_ scan: NodeScan) -> Set<Ref>? {
    let roots = Set(scan.tableTops)
    let known = Set(([tops.base].compactMap { $0 } + tops.others).compactMap { $0[.tables].child })
    var best: (sum: UInt64, ref: Ref, refs: Set<Ref>)?
    for ref in scan.clusters where !known.contains(ref) {
      guard let node = bytes.wholeNode(ref), node.count <= TableKey.mostSlots, let first = node.slot(0).child,
        roots.contains(first)
      else { continue }
      let refs = Set((0..<node.count).compactMap { node.slot($0).child })
      guard refs.isSubset(of: roots) else { continue }
      let versions = refs.compactMap { try? RescueTableTop($0, in: bytes).contentVersion }
      let sum = versions.reduce(0) { $0 &+ $1 }
      if best.map({ (sum, ref) > ($0.sum, $0.ref) }) ?? true { best = (sum, ref, refs) }
    }
    if best == nil, !tops.hasHeader, let base = tops.base { return Set(tops.tableRefs(of: base).values) }
    return best?.refs
  }

  // MARK: Names

  /// Names by slot: those of the snapshot, else the longest list that is in the file.
  private func names() -> [RealmString] {
    var names = tops.base.flatMap { tops.names(of: $0) } ?? []
    let isKnown = !names.isEmpty && tops.isLive
    guard !isKnown, let scan else { return names }
    for ref in scan.names {
      guard let list = bytes.wholeNode(ref).flatMap({ try? $0.names() }), list.count > names.count else { continue }
      names = list
    }
    return names
  }

  /// Descriptions of columns that a scan has found, by the table that they seem to belong to.
  private func specs() -> [TableKey: [RescueSpec]] {
    var specs: [TableKey: [RescueSpec]] = [:]
    for ref in scan?.specs ?? [] {
      guard let spec = spec(ref), let key = spec.likelyTable else { continue }
      specs[key, default: []].append(spec)
    }
    // The later one has more columns, as a rule.
    for key in specs.keys { specs[key]?.sort { $0.leafCount > $1.leafCount } }
    let listed = Set(specs.values.joined().map(\.keys))
    for ref in scan?.columnKeys ?? [] where !listed.contains(ref) {
      guard let spec = bytes.wholeNode(ref).flatMap(RescueSpec.init(keys:)), let key = spec.likelyTable else {
        continue
      }
      specs[key, default: []].append(spec)
    }
    return specs
  }

  /// What one end of links says about the other: the table and the column of each column that one other names.
  private func partners(_ candidates: [TableKey: [Candidate]]) -> [ColumnKey: (table: TableKey, column: ColumnKey)] {
    var partners: [ColumnKey: (table: TableKey, column: ColumnKey)] = [:]
    var disputed: Set<ColumnKey> = []
    for (key, found) in candidates {
      guard let top = found.first?.top else { continue }
      let spec = spec(top.spec)
      let stated = spec.map { $0.properties.map(\.key) + $0.backlinks }
      for (leafIndex, other) in top.oppositeColumns.enumerated() where other != .null {
        // Where the columns are lost, those of incoming links are known from the other end.
        let column =
          stated.map { $0.first { $0.leafIndex == leafIndex } }
          ?? (other.typeCode == TypeCode.backlink.rawValue
            ? nil : ColumnKey(leafIndex: leafIndex, type: .backlink, attributes: [], tag: key.rawValue))
        if let column, partners.updateValue((key, column), forKey: other) != nil { disputed.insert(other) }
      }
    }
    return partners.filter { !disputed.contains($0.key) }
  }

  // MARK: Tables

  private func table(
    _ key: TableKey, _ name: RealmString, _ found: [Candidate], _ spec: RescueSpec, others: [RescueSpec],
    _ known: [ColumnKey: (table: TableKey, column: ColumnKey)], isByStructure: Bool
  ) -> RescuedTable {
    let top = found.first?.top
    func opposite(_ column: ColumnKey) -> (table: TableKey, column: ColumnKey) {
      let leafIndex = column.leafIndex
      for candidate in found {
        let (tables, columns) = (candidate.top.oppositeTables, candidate.top.oppositeColumns)
        guard leafIndex < tables.count else { continue }
        let stated = (table: tables[leafIndex], column: leafIndex < columns.count ? columns[leafIndex] : .null)
        // The other end names this column; where it differs from one of the two that this end says, that is damaged.
        if let other = known[column], other.table == stated.table || other.column == stated.column { return other }
        return stated
      }
      return known[column] ?? (.null, .null)
    }
    var partners: [Int: ColumnKey] = [:]
    var names = RescuedPropertyNames()
    var columns: [Column] = []
    var unnamed: [RealmString] = []
    for (position, property) in spec.properties.enumerated() {
      guard let type = property.key.valueType else { continue }
      let leafIndex = property.key.leafIndex
      let target = type == .link ? opposite(property.key) : (.null, .null)
      if type == .link { partners[leafIndex] = target.1 }
      let name =
        property.name
        ?? others.lazy.compactMap { other in
          other.properties.first { $0.key == property.key }?.name
        }.first
      let given = names.name(name, at: position)
      if given != name { unnamed.append(given) }
      let enumeration = enumeration(at: property.enumeration)
      let isEnumerated = type == .string && property.key.collection == nil
      // The list of indexes may be what is damaged; the attributes state all but that of the primary key.
      let isStated = property.isIndexed || property.isFullText || top?.primaryKey == property.key
      let isListed = top?.indexRoot(at: leafIndex) != nil
      let hasIndex = isSound && top?.hasIndexes == true ? isListed : isStated || isListed && !spec.statesIndexes
      columns.append(
        Column(
          key: property.key, name: given,
          element: ElementType(type, isNullable: property.key.attributes.contains(.nullable), target: target.0),
          collection: property.key.collection, enumeration: isEnumerated ? enumeration : nil,
          index: !hasIndex ? .none : property.isFullText ? .fullText : .general))
    }
    let backlinks = spec.backlinks.map { column in
      let origin = opposite(column)
      return BacklinkColumn(key: column, originTable: origin.table, originColumn: origin.column)
    }
    let schema = TableSchema(
      name: name, kind: top?.kind ?? .topLevel,
      properties: columns.map { $0.property { _ in nil } },
      primaryKeyIndex: top?.primaryKey.flatMap { primaryKey in columns.firstIndex { $0.key == primaryKey } })
    let table = RescuedTable(
      key: key, schema: schema, confidence: found.first?.confidence ?? .found, top: top, columns: columns,
      backlinks: backlinks,
      partners: partners, isByStructure: isByStructure)
    table.unnamedProperties = unnamed
    table.restated = Set(columns.filter { spec.restated.contains($0.leafIndex) }.map(\.name))
    return table
  }

  /// The distinct values of an enumerated column, if none of their bytes is lost.
  private func enumeration(at ref: Ref) -> StringEnumeration? {
    guard !ref.isNull, let node = bytes.wholeNode(ref) else { return nil }
    var isWhole = true
    if node.hasRefs, node.scheme == .bits { node.forEachRef { if bytes.wholeNode($0) == nil { isWhole = false } } }
    return isWhole ? try? StringEnumeration(ref, in: bytes.store) : nil
  }

  /// The tables with schemas that a realm can have.
  private func sound(_ tables: [RescuedTable], _ madeUp: Set<RealmString>) -> [RescuedTable] {
    // One table for each slot.
    var bySlot: [Int: RescuedTable] = [:]
    for table in tables where bySlot[table.key.slot].map({ $0.key.tag < table.key.tag }) ?? true {
      bySlot[table.key.slot] = table
    }
    let kept = bySlot.values.sorted { $0.key.slot < $1.key.slot }
    let byKey = Dictionary(kept.map { ($0.key, $0) }) { first, _ in first }
    return kept.map { table in
      var schema = table.schema
      var columns: [Column] = []
      var lost: [RealmString] = []
      var unresolved: [UnresolvedLink] = []
      let primaryKey = schema.primaryKey?.name
      schema.properties = zip(schema.properties, table.columns).enumerated().compactMap { position, pair in
        var (property, column) = pair
        if property.type == .object {
          guard let target = byKey[column.element.target], target.canBeLinked(by: property) else {
            lost.append(property.name)
            if byKey[column.element.target] == nil {
              let stated = column.element.target
              column.element = ElementType(.link, isNullable: column.element.isNullable)
              unresolved.append(
                UnresolvedLink(
                  column: column, property: property, position: position, isCertain: true, statedTarget: stated))
            }
            return nil
          }
          property.target = target.schema.name
        } else if table.isByStructure, table.top?.hasNoLinks(at: column.leafIndex) != true,
          let link = UnresolvedLink(likely: column, property, position)
        {
          unresolved.append(link)
        }
        columns.append(column)
        return property
      }
      schema.primaryKeyIndex = primaryKey.flatMap { name in schema.properties.firstIndex { $0.name == name } }
      schema.leaveOutWhatCannotBe()
      let sound = RescuedTable(
        key: table.key, schema: schema, confidence: table.confidence, top: table.top, columns: columns,
        backlinks: table.backlinks, partners: table.partners, isByStructure: table.isByStructure,
        unresolved: unresolved)
      (sound.lostProperties, sound.hasMadeUpName) = (lost, madeUp.contains(schema.name))
      (sound.unnamedProperties, sound.restated) = (table.unnamedProperties, table.restated)
      sound.hasDamagedName = table.hasDamagedName
      return sound
    }
  }
}
