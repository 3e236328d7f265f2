/// Builds one table from its objects, which come in the order of their keys, up to 256 of them at a time in memory
/// (Docs/Format/3-tables-and-objects.md §12).
///
/// Values are written as leaves when a group of 256 objects is complete. What refers to them, and what depends on other
/// tables (incoming links) or on all objects (indexes), is written at the end.
package final class TableBuilder {
  private var layout: TableLayout
  private let nodes: NodeEncoder
  let columns: [ColumnBuilder]
  private(set) var keys = KeyRuns()
  /// Objects of the cluster that is not written yet.
  private var pendingCount = 0
  private var tombstones: [Tombstone] = []
  private let tombstoneBytes = ByteArena()
  /// Entries of the collision map: low and high words of ids, and the keys they have here.
  private var collisions: (low: [Int64], high: [Int64], key: [Int64]) = ([], [], [])
  private var sequenceNumber: UInt64

  /// A placeholder of a missing object that others link to.
  private struct Tombstone {
    let key: ObjectKey
    let primaryKey: ValueView?
  }

  init(_ layout: TableLayout, _ nodes: NodeEncoder, _ spill: Spill) {
    self.layout = layout
    self.nodes = nodes
    columns = layout.columns.map { ColumnBuilder($0, nodes, spill) }
    sequenceNumber = layout.definition.sequenceNumber
  }

  package var key: TableKey { layout.definition.key }
  package var schema: TableSchema { layout.definition.schema }
  /// Number of objects so far.
  package var count: Int { keys.count }
  /// Clusters so far, the one that is not complete included.
  private var clusterCount: Int { (keys.count + Cluster.mostObjects - 1) / Cluster.mostObjects }

  // MARK: Objects

  /// Appends objects.
  ///
  /// - Parameters:
  ///   - count: how many.
  ///   - keyAt: the key of the object in a row; they ascend, also from call to call.
  ///   - values: appends the values of some rows of one property to its column; called for each property and again for
  ///     the rows of the next cluster. When it gives false, it has appended nothing and the values come later (`fill`):
  ///     it may do so only for rows that are a whole cluster.
  /// - Throws: `BuildError.keysNotAscending`; what `values` throws; what the output throws.
  package func append(
    count: Int, keyAt: (Int) -> ObjectKey,
    values: (_ property: Int, _ rows: Range<Int>, _ column: ColumnBuilder) throws -> Bool
  ) throws {
    var first = 0
    while first < count {
      let rows = first..<min(count, first + Cluster.mostObjects - pendingCount)
      let added = rows.map(keyAt)
      for key in added {
        guard key.rawValue >= 0, keys.append(key) else {
          throw BuildError.keysNotAscending(table: schema.displayName, key: key.rawValue)
        }
      }
      raiseSequenceNumber(above: added)
      for (property, column) in columns.enumerated() {
        column.begin(added)
        if try !values(property, rows, column) { try column.leaveOut() }
      }
      pendingCount += rows.count
      if pendingCount == Cluster.mostObjects { try finishCluster() }
      first = rows.upperBound
    }
  }

  /// Appends the values of one property for a whole cluster that were left out before.
  ///
  /// - Parameter values: appends a value for each of the objects, whose number it gets.
  package func fill(cluster: Int, property: Int, values: (Int, ColumnBuilder) throws -> Void) throws {
    let rows = rows(of: cluster)
    let column = columns[property]
    column.begin(keys(ofCluster: cluster))
    try values(rows.count, column)
    try column.finishLeaf(of: cluster)
  }

  /// The keys of the objects of a cluster.
  package func keys(ofCluster cluster: Int) -> [ObjectKey] {
    keys.keys(rows(of: cluster)).map { ObjectKey(rawValue: Int64(bitPattern: $0)) }
  }

  /// The cluster that the next object will belong to.
  package var nextCluster: Int { keys.count / Cluster.mostObjects }

  private func rows(of cluster: Int) -> Range<Int> {
    let first = cluster * Cluster.mostObjects
    return first..<min(first + Cluster.mostObjects, keys.count)
  }

  /// Writes the leaves of the objects appended last. A table without objects has empty leaves.
  func finishCluster() throws {
    let cluster = max(clusterCount - 1, 0)
    for column in columns where column.leaves.count <= cluster { try column.finishLeaf(of: cluster) }
    pendingCount = 0
  }

  /// Without a primary key, the engine spreads numbers over keys (Docs/Format/3-tables-and-objects.md §4.5); the next
  /// number must be above those that the keys came from.
  private func raiseSequenceNumber(above keys: [ObjectKey]) {
    guard schema.primaryKeyIndex == nil else { return }
    for key in keys { if let number = key.spreadNumber { sequenceNumber = max(sequenceNumber, number + 1) } }
  }

  // MARK: Tombstones

  /// Adds a placeholder of a missing object, to be kept if anything links to it (Docs/Format/3-tables-and-objects.md
  /// §4.7).
  ///
  /// - Parameters:
  ///   - key: the unresolved key.
  ///   - primaryKey: of the object; nil in a table without a primary key.
  func appendTombstone(_ key: ObjectKey, primaryKey: ValueView?) throws {
    var kept = primaryKey
    if case .string(let text) = primaryKey {
      kept = .string(BlobView(try text.copied().withUnsafeBytes { tombstoneBytes.copy($0) }))
    }
    tombstones.append(Tombstone(key: key, primaryKey: kept))
  }

  /// Adds an entry of the map of keys that are not derived from the object's id (§4.6), in the order of the ids.
  func appendCollision(low: Int64, high: Int64, key: Int64) {
    collisions.low.append(low)
    collisions.high.append(high)
    collisions.key.append(key)
  }

  // MARK: Links

  /// Adds the column of the links that come from one column of a table.
  ///
  /// - Returns: its key.
  @discardableResult
  func addBacklink(from table: TableKey, _ column: ColumnKey, _ links: LinkLog) -> ColumnKey {
    layout.addBacklink(from: table, column, links)
  }

  // MARK: Writing

  /// Writes everything that is left, when all links to this table are known.
  ///
  /// - Parameter opposite: the column of incoming links that belongs to the link property at a position.
  /// - Returns: the root of the table.
  func write(opposite: (Int) -> ColumnKey) throws -> Ref {
    // With a primary key the engine numbers objects from 0 up.
    let lastKey = ObjectKey(rawValue: Int64(keys.count) - 1)
    if schema.primaryKeyIndex != nil, keys.row(of: lastKey) == keys.count - 1 {
      sequenceNumber = max(sequenceNumber, UInt64(keys.count))
    }
    var placeholders = KeyRuns()
    for tombstone in tombstones {
      guard tombstone.key.isUnresolved, placeholders.append(tombstone.key) else {
        throw BuildError.keysNotAscending(table: schema.displayName, key: tombstone.key.rawValue)
      }
    }
    let clusters = 0..<max(clusterCount, 1)
    var leaves = columns.map(\.leaves)
    /// By column of incoming links and tombstone.
    var linksToTombstones: [[[Int64]]] = []
    for backlink in layout.backlinks {
      var incoming = try backlink.links.takeIncoming(of: schema.displayName)
      leaves.append(try clusters.map { try incoming.writeLeaf(keys.keys(rows(of: $0)), nodes) })
      linksToTombstones.append(
        try tombstones.map { try incoming.origins(of: UInt64(bitPattern: $0.key.rawValue)) })
      try incoming.requireEnd()
    }
    var tree = ClusterTreeBuilder(nodes)
    for cluster in clusters {
      try tree.append(keys: keys.keys(rows(of: cluster)), leaves: leaves.map { $0[cluster] })
    }
    let root = try tree.finish()
    guard tombstones.isEmpty || nodes.format.holdsTombstones else {
      throw BuildError.kindNotSupported(table: schema.displayName)
    }
    let linked = tombstones.indices.filter { index in linksToTombstones.contains { !$0[index].isEmpty } }
    let tombstoneRoot = try writeTombstones(linked, linksToTombstones)
    let properties = try columns.enumerated().map { index, column in
      let isImplied =
        index == schema.primaryKeyIndex && nodes.format.indexOfPrimaryKey(schema.properties[index].type) == .implied
      return TableRootWriter.PropertyColumn(
        column: column.column, attributes: column.column.indexAttribute(isImplied: isImplied),
        opposite: column.column.element.code == .link ? opposite(index) : .null,
        index: try column.index.map { try IndexBuilder($0, nodes).write() } ?? .null)
    }
    let writer = TableRootWriter(
      key: key, kind: schema.kind, primaryKey: schema.primaryKeyIndex.map { layout.columns[$0].key },
      columns: properties, backlinks: layout.backlinks.map(\.column))
    return try writer.writeTop(
      spec: try writer.writeSpec(nodes),
      TableRootWriter.Objects(
        clusters: root, tombstones: tombstoneRoot, sequence: sequenceNumber,
        collisions: { try self.writeCollisions(linked) }),
      leafCount: properties.count + layout.backlinks.count, nodes)
  }

  /// Writes the tree of the tombstones that something links to; null if there are none.
  private func writeTombstones(_ linked: [Int], _ links: [[[Int64]]]) throws -> Ref {
    guard !linked.isEmpty else { return .null }
    var tree = ClusterTreeBuilder(nodes)
    for first in stride(from: 0, to: linked.count, by: Cluster.mostObjects) {
      let members = linked[first..<min(first + Cluster.mostObjects, linked.count)]
      var leaves = try columns.enumerated().map { property, column in
        guard property == schema.primaryKeyIndex else { return try column.writeDefaults(members.count) }
        return try column.writeLeaf(
          members.map { tombstones[$0].primaryKey ?? column.column.defaultValue.view(in: tombstoneBytes) })
      }
      for column in links {
        let origins = members.map { column[$0] }
        leaves.append(try IncomingLinks.writeLeaf(origins, nodes))
      }
      try tree.append(keys: members.map { UInt64(bitPattern: tombstones[$0].key.rawValue) }, leaves: leaves)
    }
    return try tree.finish()
  }

  /// Writes the map of key collisions of existing objects: an entry is removed with its object (§4.6).
  ///
  /// - Parameter linked: the tombstones that are here.
  private func writeCollisions(_ linked: [Int]) throws -> Ref {
    let placeholders = Set(linked.map { tombstones[$0].key })
    let kept = collisions.key.indices.filter { index in
      let key = ObjectKey(rawValue: collisions.key[index])
      return keys.row(of: key) != nil || placeholders.contains(ObjectKey(rawValue: -2 &- key.rawValue))
    }
    guard !kept.isEmpty else { return .null }
    let lists = [collisions.low, collisions.high, collisions.key]
    return try nodes.refs(try lists.map { list in try nodes.integers(kept.map { list[$0] }) })
  }
}

extension ObjectKey {
  /// The key that the engine makes of a number for an object without a primary key
  /// (Docs/Format/3-tables-and-objects.md §4.5).
  public init(spreading number: UInt32) {
    self.init(rawValue: Int64(number & 0xff) | Int64(number & 0xffff_ff00) << 8)
  }

  /// The number that this key was made of, if it was made so in this file.
  package var spreadNumber: UInt64? {
    guard rawValue >= 0, rawValue < 1 << 40, rawValue & 0xff00 == 0 else { return nil }
    return UInt64(rawValue & 0xff | (rawValue >> 8) & 0xffff_ff00)
  }
}
