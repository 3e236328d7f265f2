import RealmStorage

/// Finds the target of links whose description is lost. Each link is stored at both ends
/// (Docs/Format/3-tables-and-objects.md §5), so the objects at the other end name those that the links come from.
struct LinkEvidence {
  private let reader: RescueReader
  private let tables: [RescuedTable]
  private let work: RescueWork

  private static let mostPlaces = 48
  private static let mostRows = 16
  private static let mostLinksOfAValue = 8
  /// Number of agreements that distinguish links from numbers.
  private static let leastHits = 4

  init(_ reader: RescueReader, _ tables: [RescuedTable], _ work: RescueWork) {
    (self.reader, self.tables, self.work) = (reader, tables, work)
  }

  /// Sets the targets of columns for which the links of the objects known so far show them.
  ///
  /// - Returns: whether there were any.
  func resolve() -> Bool {
    var found = false
    for table in tables {
      for link in table.unresolved {
        guard let end = end(of: link, in: table) else { continue }
        table.resolve(link, to: end.table, end.column)
        found = true
      }
    }
    return found
  }

  private struct Link {
    let origin: Int64
    /// Named by the link itself, in dictionaries.
    let table: TableKey?
    let target: ObjectKey
  }

  private struct Score {
    var hits = 0
    var misses = 0
  }

  /// The table and its column of incoming links that agree with the links of a column; nil if none does, or two do.
  func end(of link: UnresolvedLink, in table: RescuedTable) -> (table: RescuedTable, column: BacklinkColumn)? {
    let links = sample(link.column, table)
    guard !links.isEmpty else { return nil }
    var best: (table: RescuedTable, column: BacklinkColumn, hits: Int)?
    var isUnique = true
    for target in tables where target.canBeLinked(by: link.property) {
      guard link.statedTarget == .null || link.statedTarget == target.key || target.isByStructure else { continue }
      for column in target.backlinks where column.originColumn == .null || column.originColumn == link.column.key {
        let score = score(links, target, column.leafIndex)
        guard score.hits >= (link.isCertain ? 1 : Self.leastHits), score.misses * 10 <= score.hits else { continue }
        if let known = best, known.hits >= score.hits {
          if known.hits == score.hits { isUnique = false }
          continue
        }
        (best, isUnique) = ((target, column, score.hits), true)
      }
    }
    guard isUnique, let best else { return nil }
    return (best.table, best.column)
  }

  private func sample(_ column: Column, _ table: RescuedTable) -> [Link] {
    var links: [Link] = []
    let step = max(1, table.places.count / Self.mostPlaces)
    for index in stride(from: 0, to: table.places.count, by: step) {
      guard work.spend(Self.mostRows) else { break }
      letGoOfPages()
      let place = table.places[index]
      guard let cluster = place.cluster(in: reader.bytes) else { continue }
      let cells = reader.cells(of: column, in: cluster, confidence: .found)
      for row in stride(from: 0, to: cells.count, by: max(1, cells.count / Self.mostRows)) {
        guard case .value(let value, _) = cells[row] else { continue }
        let origin = cluster.key(at: row).rawValue
        func add(_ value: Value) {
          switch value {
          case .link(_, let key): links.append(Link(origin: origin, table: nil, target: key))
          case .typedLink(let table, let key): links.append(Link(origin: origin, table: table, target: key))
          default: return
          }
        }
        switch value {
        case .list(let elements), .set(let elements): elements.prefix(Self.mostLinksOfAValue).forEach(add)
        case .dictionary(let entries):
          entries.sorted { $0.key < $1.key }.prefix(Self.mostLinksOfAValue).forEach { add($0.value) }
        default: add(value)
        }
      }
    }
    return links
  }

  private func score(_ links: [Link], _ target: RescuedTable, _ leafIndex: Int) -> Score {
    var score = Score()
    for link in links {
      guard work.spend(1) else { break }
      letGoOfPages()
      if let table = link.table, table != target.key {
        score.misses += 1
        continue
      }
      guard let place = target.find(link.target, in: reader.bytes) else {
        if !target.hasHoles { score.misses += 1 }
        continue
      }
      guard let isNamed = place.cluster.isNamed(link.origin, at: place.row, leafIndex, in: reader.bytes) else {
        continue
      }
      if isNamed { score.hits += 1 } else { score.misses += 1 }
    }
    return score
  }

  private func letGoOfPages() {
    guard reader.bytes.letGoOfPages() else { return }
    for table in tables { table.restoreViews(in: reader.bytes.store) }
  }
}

extension RescueCluster {
  private static let mostOrigins = 4096

  /// Whether an object links to the one in a row through the links of a column; nil if that is lost.
  func isNamed(_ origin: Int64, at row: Int, _ leafIndex: Int, in bytes: RescueBytes) -> Bool? {
    guard let leaf = leafRef(leafIndex).flatMap(bytes.wholeNode), leaf.flags & 0xf8 == 0x40, leaf.count == count else {
      return nil
    }
    let element = leaf.slot(row)
    if element.isTagged { return Int64(bitPattern: element.tagged) == origin }
    guard let ref = element.child else { return false }
    let tree = BPlusTree(root: ref, element: .objectKey)
    guard let count = try? tree.count(in: bytes.store), count <= Self.mostOrigins else { return nil }
    var isNamed = false
    do {
      try tree.forEachKey(in: bytes.store, budget: .bytes(of: bytes.store)) { if $0 == origin { isNamed = true } }
    } catch { return nil }
    return isNamed
  }
}

/// A column of links, or of possible links, whose target is lost.
struct UnresolvedLink {
  /// Its target is null.
  let column: Column
  let property: Property
  /// Among the properties of the table.
  let position: Int
  /// Whether the file says that it has links.
  let isCertain: Bool
  /// The table that the file names as their target, which was not found; null if the file names none.
  let statedTarget: TableKey
}

extension UnresolvedLink {
  /// A column of numbers that may be links: single ones can be null, elements of lists cannot.
  init?(likely column: Column, _ property: Property, _ position: Int) {
    guard column.element.code == .int, !column.element.isNullable, column.collection != .dictionary else { return nil }
    var (column, property) = (column, property)
    column.element = ElementType(.link, isNullable: column.collection == nil)
    column.index = .none
    (property.type, property.isOptional, property.index) = (.object, column.collection == nil, .none)
    self.init(column: column, property: property, position: position, isCertain: false, statedTarget: .null)
  }
}
