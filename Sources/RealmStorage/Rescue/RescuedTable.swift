/// A table of a damaged file: what is known of it, and where its objects are.
package final class RescuedTable {
  package let key: TableKey
  /// With properties that a realm can have; the names of those whose names are lost are made up.
  package internal(set) var schema: TableSchema
  /// The number that the next object's key is made of.
  package let sequenceNumber: UInt64
  /// Where the description of the table comes from.
  package let grade: RescueGrade
  /// Objects as the table counts them; nil where that is lost.
  package internal(set) var expectedCount: Int?
  /// Whether the name was made up, because it is lost.
  package internal(set) var hasMadeUpName = false
  /// Properties whose values cannot be read, because what they are is lost.
  package internal(set) var lostProperties: [RealmString] = []

  let top: RescueTableTop?
  /// Parallel to the properties of the schema.
  let columns: [Column]
  let backlinks: [BacklinkColumn]
  /// In the order of their keys.
  var places: [ClusterPlace] = []
  /// Other versions of the same objects, the best first.
  var alternatives: [ClusterPlace] = []
  /// Objects that are in earlier snapshots only.
  var deleted: [ClusterPlace] = []
  var holes: [KeyHole] = []
  var unplaced: [Ref] = []
  /// Parts of the holes that were filled, ascending.
  var filled: [ClosedRange<UInt64>] = []
  /// Where the columns of links have their partner, by leaf index.
  let partners: [Int: ColumnKey]

  init(
    key: TableKey, schema: TableSchema, grade: RescueGrade, top: RescueTableTop?, columns: [Column],
    backlinks: [BacklinkColumn], partners: [Int: ColumnKey]
  ) {
    (self.key, self.schema, self.grade, self.top) = (key, schema, grade, top)
    (self.columns, self.backlinks, self.partners) = (columns, backlinks, partners)
    sequenceNumber = top.map { min($0.objectSequence, UInt64(UInt32.max)) } ?? 0
  }

  /// Whether some of its objects are lost, or come from elsewhere.
  package var hasHoles: Bool { !holes.isEmpty }

  /// Makes the nodes that are kept present again, after pages were released.
  func restoreViews(in store: ByteStore) {
    for column in columns { try? column.enumeration?.makePresent(in: store) }
  }

  /// The group that a key belongs to, and the object's row there; nil where it is lost, or there is none.
  func find(_ key: ObjectKey, in bytes: RescueBytes) -> (cluster: RescueCluster, row: Int)? {
    let number = UInt64(bitPattern: key.rawValue)
    let behind = firstIndex(in: places.indices) { places[$0].offset > number }
    guard behind > 0, places[behind - 1].keys.contains(number) else { return nil }
    let place = places[behind - 1]
    guard let cluster = RescueCluster(place.ref, offset: place.offset, in: bytes), let row = cluster.row(of: key) else {
      return nil
    }
    return (cluster, row)
  }
}

/// Objects of a rescued table that lie together.
package struct RescuedBatch {
  package let table: RescuedTable
  /// Ascending.
  package let keys: [ObjectKey]
  /// How it is known that these objects exist.
  package let grade: RescueGrade
  private let rows: [Int]
  private let place: ClusterPlace
  private let cluster: RescueCluster
  private let reader: RescueReader

  /// - Parameter lower: smaller keys came before.
  init?(_ table: RescuedTable, _ place: ClusterPlace, notBelow lower: UInt64, _ reader: RescueReader) {
    guard let cluster = RescueCluster(place.ref, offset: place.offset, in: reader.bytes) else { return nil }
    let rows = (0..<cluster.count).filter { row in
      let key = UInt64(bitPattern: cluster.key(at: row).rawValue)
      return key >= lower && place.keys.contains(key)
    }
    guard !rows.isEmpty else { return nil }
    keys = rows.map { cluster.key(at: $0) }
    guard zip(keys, keys.dropFirst()).allSatisfy({ $0 < $1 }) else { return nil }
    (self.table, self.rows, self.place, self.cluster, self.reader) = (table, rows, place, cluster, reader)
    grade = max(place.grade, table.grade == .current ? .current : table.grade)
  }

  /// The values of one property, one for each key. What is lost is looked for in other versions of the objects.
  package func cells(ofProperty index: Int) -> [RescuedCell] {
    let column = table.columns[index]
    let all = reader.cells(of: column, in: cluster, grade: grade, mustBeFree: place.grade > .found)
    var cells = rows.map { all[$0] }
    if !reader.isSound { compare(&cells, column) }
    if column.element.code == .link { fillFromTargets(&cells, column) }
    guard !table.alternatives.isEmpty else { return cells }
    for (position, cell) in cells.enumerated() {
      guard case .lost = cell else { continue }
      fill(&cells, from: position, column)
      break
    }
    return cells
  }

  /// Doubts values that the other end of a link, or the search index, speaks against.
  private func compare(_ cells: inout [RescuedCell], _ column: Column) {
    let root = column.index == .general && column.collection == nil ? table.top?.indexRoot(at: column.leafIndex) : nil
    var doubtful: [Int] = []
    for (position, cell) in cells.enumerated() {
      guard case .value(let value, let grade) = cell, grade <= .found else { continue }
      if column.element.code == .link {
        if reader.backlinks.contradicts(value, of: column, in: table, keys[position]) { doubtful.append(position) }
      } else if let root, reader.contradicts(value, keys[position], indexAt: root) {
        doubtful.append(position)
      }
    }
    // Where half of the values are wrong, it is the other side that is.
    guard doubtful.count * 2 <= max(cells.count, 2) else { return }
    for position in doubtful {
      if case .value(let value, _) = cells[position] { cells[position] = .value(value, .doubtful) }
    }
  }

  private func fillFromTargets(_ cells: inout [RescuedCell], _ column: Column) {
    for (position, cell) in cells.enumerated() {
      guard case .lost = cell, let value = reader.backlinks.value(of: column, in: table, keys[position]) else {
        continue
      }
      cells[position] = .value(value, max(grade, .found))
    }
  }

  private func fill(_ cells: inout [RescuedCell], from first: Int, _ column: Column) {
    guard let low = keys.first, let high = keys.last else { return }
    let range = UInt64(bitPattern: low.rawValue)...UInt64(bitPattern: high.rawValue)
    var tried = 0
    for other in table.alternatives where other.keys.overlaps(range) && other.ref != place.ref {
      // Versions that begin elsewhere hardly ever hold the same objects.
      guard other.offset <= range.upperBound, tried < Self.mostVersions,
        let version = RescueCluster(other.ref, offset: other.offset, in: reader.bytes),
        version.leafRef(column.leafIndex) != cluster.leafRef(column.leafIndex)
      else { continue }
      let found = (first..<keys.count).compactMap { position -> (position: Int, row: Int)? in
        guard case .lost = cells[position] else { return nil }
        return version.row(of: keys[position]).map { (position, $0) }
      }
      guard !found.isEmpty else { continue }
      tried += 1
      let values = reader.cells(of: column, in: version, grade: other.grade, mustBeFree: true)
      for (position, row) in found { cells[position] = values[row] }
    }
  }

  private static let mostVersions = 8
}
