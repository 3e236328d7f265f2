import RealmSystem

/// The links to one object through one property of one table.
///
/// Every link is stored at both ends (Docs/Format/3-tables-and-objects.md §5), whether or not a model declares the
/// inverse.
package struct BacklinkGroup: Sendable {
  /// The table the links start in.
  package let origin: TableKey
  /// Position of the linking property in the schema of the origin; nil if it does not exist.
  package let propertyIndex: Int?
  /// Number of links. An object whose list contains a link twice counts twice.
  package let count: Int
  let links: Links

  enum Links: Sendable {
    case none
    case one(ObjectKey)
    /// Root of a list of keys.
    case many(Ref)
    /// Of a file that has no lists of them: see `IncomingRows`.
    case found([ObjectKey])
  }

  fileprivate init(_ link: IncomingLink, found keys: [ObjectKey]) {
    (origin, propertyIndex) = (link.origin, link.propertyIndex)
    (count, links) = (keys.count, .found(keys))
  }

  /// The element of a backlink leaf (§5.2).
  fileprivate init(_ column: BacklinkColumn, propertyIndex: Int?, element: Int64, in store: ByteStore) throws {
    origin = column.originTable
    self.propertyIndex = propertyIndex
    let stored = RefOrTagged(element)
    if element == 0 {
      (count, links) = (0, .none)
    } else if stored.isTagged {
      (count, links) = (1, .one(ObjectKey(rawValue: Int64(bitPattern: stored.tagged))))
    } else {
      count = try Self.tree(stored.ref).count(in: store)
      links = .many(stored.ref)
    }
  }

  fileprivate static func tree(_ root: Ref) -> BPlusTree { BPlusTree(root: root, element: ElementType(.int)) }

  /// The keys of the objects that link here, in the order of the file, which has no meaning.
  ///
  /// Reads only the leaves with the requested positions.
  ///
  /// - Parameter range: positions from 0 up to `count`; one beyond the end gives an error.
  /// - Returns: as many results as the range has positions.
  package func originKeys(at range: Range<Int>, in snapshot: Snapshot) -> [Result<ObjectKey, StorageError>] {
    switch links {
    case .none: range.map { .failure(Self.outOfRange($0, count: 0)) }
    case .one(let key): range.map { $0 == 0 ? .success(key) : .failure(Self.outOfRange($0, count: 1)) }
    case .found(let keys):
      range.map { keys.indices.contains($0) ? .success(keys[$0]) : .failure(Self.outOfRange($0, count: keys.count)) }
    case .many(let root):
      Self.tree(root).slice(range, in: snapshot.store, damaged: Result.failure) { leaf, index in
        guard case .int(let key) = try leaf.value(at: index, in: snapshot.store) else {
          throw StorageError.corrupted(root, .valueOutOfRange("key of a linking object"))
        }
        return .success(ObjectKey(rawValue: key))
      }
    }
  }

  private static func outOfRange(_ index: Int, count: Int) -> StorageError {
    .corrupted(.null, .indexOutOfRange(index, count: count))
  }
}

/// A property through which objects of some table can link to a table.
package struct IncomingLink: Hashable, Sendable {
  package let origin: TableKey
  /// Position of the linking property in the schema of the origin; nil if it does not exist.
  package let propertyIndex: Int?
}

extension Snapshot {
  /// The properties through which objects link to a table: its backlink columns.
  ///
  /// A Mixed property is one of them once an object has linked here through it (§5.1).
  package func incomingLinks(to table: Table) -> [IncomingLink] {
    table.backlinks.map { IncomingLink(origin: $0.originTable, propertyIndex: propertyIndex(of: $0)) }
  }

  /// The links to an object: one group for each property that can link to its table, in the order of the file,
  /// including empty groups.
  ///
  /// - Returns: an error in the place of a group that cannot be read.
  package func backlinks(to batch: ObjectBatch, row: Int) -> [Result<BacklinkGroup, StorageError>] {
    batch.table.backlinks.map { column in
      Result { try backlinks(column, batch, row) }.mapError {
        $0 as? StorageError ?? .corrupted(.null, .missingNode)
      }
    }
  }

  func backlinks(_ column: BacklinkColumn, _ batch: ObjectBatch, _ row: Int) throws -> BacklinkGroup {
    let index = propertyIndex(of: column)
    if let (link, origin) = linkFoundInRows(column, index) {
      let keys = try incomingRows.origins(of: batch.key(at: row), through: link, from: origin, in: self)
      return BacklinkGroup(link, found: keys)
    }
    let element = try batch.backlinks(through: column).element(at: row, in: store)
    return try BacklinkGroup(column, propertyIndex: index, element: element, in: store)
  }

  /// The links that a column is for, and their class, if they must be found there: see `IncomingRows`.
  private func linkFoundInRows(_ column: BacklinkColumn, _ index: Int?) -> (IncomingLink, origin: Table)? {
    guard Header.legacyFormats.contains(header.format), column.rows == nil, let index,
      let origin = table(column.originTable), origin.columns[index].rows != nil
    else { return nil }
    return (IncomingLink(origin: origin.key, propertyIndex: index), origin)
  }

  /// Adds up how many links come in to each row of a batch through one property.
  ///
  /// - Parameters:
  ///   - index: into `incomingLinks(to:)` of the batch's table.
  ///   - counts: has room for all rows.
  ///   - damaged: called for each row whose links cannot be counted.
  package func addBacklinkCounts(
    of batch: ObjectBatch, index: Int, to counts: UnsafeMutableBufferPointer<Int64>, among rows: RowMask,
    damaged: (_ row: Int, _ error: any Error) -> Void
  ) {
    let column = batch.table.backlinks[index]
    var leaf: Node?
    if linkFoundInRows(column, propertyIndex(of: column)) == nil,
      case .leaf(let node)? = try? batch.backlinks(through: column)
    {
      leaf = node
    }
    rows.forEach { row in
      do {
        guard let leaf else { return counts[row] += Int64(try backlinks(column, batch, row).count) }
        let element = try leaf.int(row)
        guard element & 1 == 0, element != 0 else { return counts[row] += element & 1 }
        counts[row] += Int64(try BacklinkGroup.tree(RefOrTagged(element).ref).count(in: store))
      } catch { damaged(row, error) }
    }
  }

  private func propertyIndex(of backlink: BacklinkColumn) -> Int? {
    table(backlink.originTable)?.columns.firstIndex { $0.key == backlink.originColumn }
  }
}

/// The incoming links of a file whose upgrade to format 10 was interrupted after it had removed them, and before it had
/// made new ones (Docs/Format/4-file-versions.md §2.21). They are found by reading all links, each property once.
final class IncomingRows: Sendable {
  private let origins = Locked<[IncomingLink: [ObjectKey: [ObjectKey]]]>([:])

  /// The objects that link to one through a property, one that links twice twice.
  fileprivate func origins(
    of target: ObjectKey, through link: IncomingLink, from table: Table, in snapshot: Snapshot
  ) throws -> [ObjectKey] {
    try origins.withLock { origins in
      if let found = origins[link] { return found[target] ?? [] }
      let found = try Self.read(link.propertyIndex ?? 0, of: table, in: snapshot)
      origins[link] = found
      return found[target] ?? []
    }
  }

  private static func read(
    _ property: Int, of table: Table, in snapshot: Snapshot
  ) throws -> [ObjectKey: [ObjectKey]] {
    var found: [ObjectKey: [ObjectKey]] = [:]
    let walk = snapshot.collectionWalk()
    var batches = table.batches()
    while let step = batches.next() {
      guard case .batch(let batch) = step else {
        if case .damaged(let error) = step { throw error }
        continue
      }
      let values = try batch.values(ofProperty: property)
      for row in 0..<batch.count {
        let origin = batch.key(at: row)
        switch try values.value(at: row) {
        case .link(_, let target): found[target, default: []].append(origin)
        case .list(let list):
          try list.forEach(walk, damaged: { throw $0 }) {
            if case .link(_, let target) = $0 { found[target, default: []].append(origin) }
          }
        default: continue
        }
      }
    }
    return found
  }
}
