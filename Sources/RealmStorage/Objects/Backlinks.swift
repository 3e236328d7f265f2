/// The links that lead to one object through one property of one table.
///
/// Every link is known from both ends (Docs/Format/3-tables-and-objects.md §5), whether or not a model declares the
/// inverse.
package struct BacklinkGroup: Sendable {
  /// The table the links start in.
  package let origin: TableKey
  /// Position of the linking property in the schema of the origin; nil where it is not there.
  package let propertyIndex: Int?
  /// Number of links. An object whose list holds a link twice counts twice.
  package let count: Int
  let links: Links

  enum Links: Sendable {
    case none
    case one(ObjectKey)
    /// Root of a list of keys.
    case many(Ref)
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

  private static func tree(_ root: Ref) -> BPlusTree { BPlusTree(root: root, element: ElementType(.int)) }

  /// The keys of the objects that link here, in the order of the file, which means nothing.
  ///
  /// Only the leaves that hold the positions asked for are read.
  ///
  /// - Parameter range: positions from 0 up to `count`; one beyond the end gives an error.
  /// - Returns: as many results as the range has positions.
  package func originKeys(at range: Range<Int>, in snapshot: Snapshot) -> [Result<ObjectKey, StorageError>] {
    switch links {
    case .none: range.map { .failure(Self.outOfRange($0, count: 0)) }
    case .one(let key): range.map { $0 == 0 ? .success(key) : .failure(Self.outOfRange($0, count: 1)) }
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
  /// Position of the linking property in the schema of the origin; nil where it is not there.
  package let propertyIndex: Int?
}

extension Snapshot {
  /// The properties through which objects link to a table: its backlink columns.
  ///
  /// A Mixed property is among them once an object in it has linked here (§5.1).
  package func incomingLinks(to table: Table) -> [IncomingLink] {
    table.backlinks.map { IncomingLink(origin: $0.originTable, propertyIndex: propertyIndex(of: $0)) }
  }

  /// The links that lead to an object: one group for each property that can link to its table, in the order of the
  /// file, also where the group is empty.
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
    let leaf = try Node(batch.cluster.leafRef(column.leafIndex), in: store)
    try leaf.requireRefs("a leaf of backlinks")
    return try BacklinkGroup(
      column, propertyIndex: propertyIndex(of: column), element: try leaf.int(row), in: store)
  }

  private func propertyIndex(of backlink: BacklinkColumn) -> Int? {
    table(backlink.originTable)?.columns.firstIndex { $0.key == backlink.originColumn }
  }
}
