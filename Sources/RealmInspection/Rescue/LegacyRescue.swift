import RealmStorage

/// The tables of a damaged file of formats 2 to 9, as far as its header and root refer to them. There, a table is a
/// tree for each column, and nothing in a leaf shows which objects its values belong to, so a search for leaves would
/// be useless.
struct LegacyRescue {
  let snapshot: Snapshot
  /// The same with ones in place of lost bytes; nil if nothing is lost, or it cannot be read that way.
  private let other: Snapshot?
  private let isDamaged: Bool

  /// - Returns: nil for a file of another format.
  /// - Throws: `StorageError` if the tables cannot be found.
  init?(_ bytes: RescueBytes) throws {
    guard let header = try? RawHeader(of: bytes.store), header.mnemonic == RawHeader.mnemonicNumber,
      Header.legacyFormats.contains(header.format)
    else { return nil }
    snapshot = try Snapshot(of: bytes.store, wasDecrypted: bytes.isEncrypted)
    other = bytes.other.flatMap { try? Snapshot(of: $0, wasDecrypted: bytes.isEncrypted) }
    isDamaged = bytes.other != nil
  }

  func tables() -> [RescuedTable] {
    var tableNames = RescuedTableNames(stated: snapshot.tables.map(\.schema.name))
    var names: [TableKey: RealmString] = [:]
    for table in snapshot.tables { names[table.key] = tableNames.name(table.schema.name) }
    return snapshot.tables.map { stated in
      let table = stated.withLikelyCount
      let rescued = RescuedTable(table, names: names)
      rescued.hasMadeUpName = tableNames.madeUp.contains(rescued.schema.name)
      rescued.hasDamagedName =
        table.schema.name.isDamagedName || table.schema.name.correctedTableName != nil
        || table.schema.properties.contains { $0.name.isDamagedName }
      rescued.expectedCount = try? table.objectCount()
      // Without a count it is not known what is missing.
      if rescued.expectedCount == nil { rescued.holes = [KeyHole(keys: RescueClusterTree.allKeys, ref: .null)] }
      return rescued
    }
  }

  /// Calls `body` with the objects of a table, part by part.
  func forEachBatch(of table: Table, _ bytes: RescueBytes, _ body: (RescuedRows) throws -> Void) rethrows {
    let twin = other?.table(table.key)
    var batches = table.batches()
    // A damaged tree could go on forever; no sound one has more rows than its file has bits.
    var left = bytes.byteCount.multiplied(atMost: 8)
    var lastKey: ObjectKey?
    while left > 0, let step = batches.next() {
      left -= 1
      guard case .batch(let batch) = step, batch.count > 0 else { continue }
      left -= batch.count
      // A table that an interrupted upgrade has finished states the keys of its objects, which can be damaged as well.
      let keys = (0..<batch.count).map { batch.key(at: $0) }
      guard zip(keys, keys.dropFirst()).allSatisfy({ $0 < $1 }), lastKey.map({ $0 < keys[0] }) ?? true else { continue }
      lastKey = keys.last
      let same = try? twin?.object(batch.key(at: 0))?.batch
      if isDamaged, same == nil { continue }
      try body(RescuedRows(batch: batch, other: same ?? nil, snapshot: snapshot, otherSnapshot: other))
      guard bytes.letGoOfPages() else { continue }
      try? snapshot.releasePages()
      try? other?.releasePages()
      if batches.restorePlaces() != nil { return }
    }
  }
}

extension Table {
  /// The table with the number of rows that most of its columns have, if fewer have that of the first: each has a value for
  /// each row.
  fileprivate var withLikelyCount: Table {
    guard case .rows(let first?) = source else { return self }
    let known = (columns.compactMap(\.rows) + backlinks.compactMap(\.rows)).map { ($0, try? $0.count(in: store)) }
    let votes = Dictionary(grouping: known.compactMap(\.1)) { $0 }.mapValues(\.count)
    let stated = (try? first.count(in: store)).flatMap { votes[$0] } ?? 0
    guard let most = votes.max(by: { ($0.value, $0.key) < ($1.value, $1.key) }), most.value > stated,
      let column = known.first(where: { $0.1 == most.key })?.0
    else { return self }
    return Table(
      schema: schema, key: key, root: root, source: .rows(column), columns: columns, backlinks: backlinks, store: store)
  }
}

/// Some objects of formats 2 to 9.
struct RescuedRows {
  let batch: ObjectBatch
  let other: ObjectBatch?
  let snapshot: Snapshot
  let otherSnapshot: Snapshot?

  var keys: [ObjectKey] { (0..<batch.count).map { batch.key(at: $0) } }

  /// The values of one property, one for each object, that are the same whatever the lost bytes were.
  func cells(ofProperty index: Int, _ isPossible: (Value) -> Bool) -> [RescuedCell] {
    guard let values = try? batch.values(ofProperty: index) else {
      return Array(repeating: .lost, count: batch.count)
    }
    let walk = snapshot.collectionWalk(passes: Self.passes)
    let others = try? other?.values(ofProperty: index)
    let otherWalk = otherSnapshot?.collectionWalk(passes: Self.passes)
    return (0..<batch.count).map { row in
      guard let view = try? values.value(at: row), view.hasRoom(in: snapshot.store), let value = try? Value(view, walk),
        isPossible(value)
      else { return .lost }
      guard let other else { return .value(value, .current) }
      guard let otherRow = other.row(of: batch.key(at: row)), let others, let otherWalk,
        let again = try? Value(others.value(at: otherRow), otherWalk), again.isSame(as: value)
      else { return .lost }
      return .value(value, .current)
    }
  }

  private static let passes = 64
}
