import RealmStorage

/// Checks tables whose upgrade to format 10 was interrupted (Docs/Format/4-file-versions.md §2.21), as an export or
/// upgrade reads them: every object, every value, and that links point to objects.
///
/// Incoming links are not compared: an engine that continues the upgrade creates them again.
struct UpgradedCheck {
  private let snapshot: Snapshot
  private let walk: CollectionWalk
  private let log: FindingLog
  private(set) var objectCount = 0
  private(set) var linkCount = 0
  /// Of the primary keys of the current table, where its objects are in clusters: the checker looks at those in rows.
  private var keyHashes: [UInt64] = []

  init(_ snapshot: Snapshot, _ log: FindingLog) {
    (self.snapshot, self.log) = (snapshot, log)
    var walk = snapshot.collectionWalk()
    // Nothing in such a file refers to a tombstone.
    walk.showsTombstones = true
    self.walk = walk
  }

  mutating func run(_ table: Table) {
    var last: ObjectKey?
    keyHashes.removeAll()
    var batches = table.batches()
    while let step = batches.next() {
      switch step {
      case .damaged(let error): report(error, table.schema.name)
      case .batch(let batch):
        objectCount += batch.count
        let keys = (last.map { [$0] } ?? []) + (0..<batch.count).map { batch.key(at: $0) }
        last = keys.last
        if zip(keys, keys.dropFirst()).contains(where: { $0 >= $1 }) {
          log.add(.clusterKeys, at: Finding.Place(part: .table, table: table.schema.name, ref: table.root))
        }
        for property in table.columns.indices { check(property, of: batch) }
      }
    }
    keyHashes.sort()
    if zip(keyHashes, keyHashes.dropFirst()).contains(where: ==) {
      log.add(.primaryKeyDuplicate, at: Finding.Place(part: .objects, table: table.schema.name, ref: table.root))
    }
  }

  private mutating func check(_ property: Int, of batch: ObjectBatch) {
    let table = batch.table.schema.name
    let place = Finding.Place(part: .objects, table: table, column: .property(batch.table.columns[property].name))
    let values: PropertyValues
    do { values = try batch.values(ofProperty: property) } catch { return report(error, table) }
    let isKey = batch.table.schema.primaryKeyIndex == property && batch.table.top != nil
    for row in 0..<batch.count {
      do {
        let value = try values.valueShowingTombstones(at: row)
        try check(value, place)
        if isKey, let hash = LegacyCheck.hash(of: value) { keyHashes.append(hash) }
      } catch {
        report(error, table)
      }
    }
  }

  private mutating func check(_ value: ValueView, _ place: Finding.Place) throws {
    switch value {
    case .string(let bytes), .data(let bytes): try bytes.forEachPiece { _ in }
    case .link(let table, let key):
      linkCount += 1
      guard let target = snapshot.table(table) else { return log.add(.linkTable, at: place) }
      if try target.object(key) == nil {
        log.add(.linkDangling, .link(table: target.schema.name, key: key), at: place)
      }
    case .list(let list): try list.forEach(walk, damaged: { throw $0 }) { try check($0, place) }
    default: return
    }
  }

  private func report(_ error: any Error, _ table: RealmString) {
    guard case .corrupted(let corruption)? = error as? StorageError else { return }
    log.add(.nodeKind, .node(corruption.reason), at: Finding.Place(part: .table, table: table, ref: corruption.ref))
  }
}
