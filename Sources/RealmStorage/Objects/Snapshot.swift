import RealmSystem

/// One consistent state of a realm: everything that can be read.
///
/// Making a snapshot reads the header, the root and the descriptions of the tables; objects are read when asked for.
/// A damaged table does not keep the others from being read: see `damagedTables`.
package final class Snapshot: Sendable {
  package let store: ByteStore
  package let header: Header
  /// How it was chosen among the snapshots of the file.
  package let choice: SnapshotChoice
  /// Nil in a file without content.
  package let top: TopArray?
  /// The tables that can be read, in the order of the file.
  package let tables: [Table]
  /// The tables whose description is damaged.
  package let damagedTables: [DamagedTable]
  package let schema: Schema
  /// Parts that are not read as stored; only in files of formats 2–9.
  package let legacyNotes: [LegacyNote]
  /// By the slot of their keys.
  private let tablesBySlot: [Table?]
  let incomingRows = IncomingRows()
  private let chosenWorkLimit: AtomicInt

  /// Minutes of work. In large files, that is the time to reach each object many times.
  private static let (leastWorkLimit, workPasses) = (64 << 30, 4096)

  /// A table that cannot be read, with the reason.
  package struct DamagedTable: Sendable {
    package let name: RealmString
    package let error: StorageError
  }

  /// The error for a link to a table that is not among `tables`.
  package func danglingLink(to key: ObjectKey) -> StorageError {
    .corrupted(
      .null,
      damagedTables.isEmpty ? .danglingLink(key: key.rawValue) : .badTable("the class it links to cannot be read"))
  }

  /// The file formats this library reads.
  package static let readableFormats: Set<UInt8> = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 20, 21, 22, 23, 24]

  /// - Parameters:
  ///   - wasDecrypted: the bytes are the plaintext of an encrypted file.
  ///   - choice: a snapshot other than the live one; what remains of it may be damaged.
  /// - Throws: `StorageError.notARealm`, `.unsupportedFormat`, `.corrupted` if not even the list of tables can be read.
  package convenience init(
    of store: ByteStore, wasDecrypted: Bool = false, choosing choice: SnapshotChoice = .live
  ) throws {
    try self.init(of: store, Header(of: store, wasDecrypted: wasDecrypted), choosing: choice)
  }

  /// A state that the header does not point to, because a transaction is still writing.
  convenience init(of store: ByteStore, intermediate top: Ref) throws {
    try self.init(of: store, Header(intermediate: top), choosing: .live)
  }

  /// The live state of another snapshot, read from a store that may have less of the same file.
  convenience init(of store: ByteStore, as other: Snapshot) throws {
    try self.init(of: store, other.header, choosing: .live)
  }

  private init(of store: ByteStore, _ live: Header, choosing choice: SnapshotChoice) throws {
    let header = try live.choosing(choice, in: store)
    let isEmpty = header.topRef.isNull
    guard Self.readableFormats.contains(header.format) || (isEmpty && header.format == 0) else {
      throw StorageError.unsupportedFormat(header.format)
    }
    self.store = store
    chosenWorkLimit = AtomicInt(max(Self.leastWorkLimit, store.count.multiplied(atMost: Self.workPasses)))
    self.header = header
    self.choice = choice
    top = isEmpty ? nil : try Self.root(header, choice, live, in: store)
    (tables, damagedTables, legacyNotes) = try Self.tables(below: top, format: header.format, in: store)
    var slots: [Table?] = Array(repeating: nil, count: (tables.map(\.key.slot).max() ?? -1) + 1)
    for table in tables { slots[table.key.slot] = table }
    tablesBySlot = slots
    schema = Schema(tables: tables.map(\.schema), version: Self.schemaVersion(in: tables))
  }

  private static func tables(
    below top: TopArray?, format: UInt8, in store: ByteStore
  ) throws -> ([Table], [DamagedTable], [LegacyNote]) {
    guard let top else { return ([], [], []) }
    guard Header.legacyFormats.contains(format) else {
      let list = try TableList(top, in: store)
      let tables = list.tables.map { table in
        Table(
          schema: list.schema(of: table), key: table.top.key, root: table.top.ref, source: .clusters(table.top),
          columns: table.columns.properties, backlinks: table.columns.backlinks, store: store)
      }
      return (tables, list.damaged.map { DamagedTable(name: $0.name, error: $0.error) }, [])
    }
    let list = try LegacyTableList(top, in: store)
    let tables = list.tables.map { table in
      Table(
        schema: table.schema, key: table.key, root: table.root, source: table.source, columns: table.columns,
        backlinks: table.backlinks, store: store)
    }
    return (tables, list.damaged.map { DamagedTable(name: $0.name, error: $0.error) }, list.notes)
  }

  /// - Throws: `StorageError.notARealm` for something that is not a root, and for a snapshot before the live one that
  ///   is not older.
  private static func root(
    _ header: Header, _ choice: SnapshotChoice, _ live: Header, in store: ByteStore
  ) throws -> TopArray {
    guard choice != .live else { return try TopArray(header.topRef, in: store) }
    let missing = StorageError.notARealm(
      .noSuchSnapshot(topRef: choice == .previous ? nil : header.topRef.rawValue))
    guard let top = try? TopArray(header.topRef, in: store) else { throw missing }
    guard choice == .previous else { return top }
    guard let newest = try? TopArray(live.topRef, in: store), top.version < newest.version else { throw missing }
    return top
  }

  /// Bytes of the file, decrypted.
  package var byteCount: Int { store.count }

  package func table(_ key: TableKey) -> Table? {
    guard key.slot < tablesBySlot.count, let table = tablesBySlot[key.slot], table.key == key else { return nil }
    return table
  }

  /// The class with the name an SDK uses, or the internal table of that name.
  package func table(displayName: RealmString) -> Table? {
    tables.first { $0.schema.isClass && $0.schema.displayName == displayName }
      ?? tables.first { $0.schema.name == displayName }
  }

  /// Whether the pages read so far take more memory than they should; only snapshots over pages ever say so.
  package var holdsTooManyPages: Bool { store.holdsTooManyPages }

  /// Whether bytes are read in pages on demand, so that only one piece of work at a time can give pages back.
  package var isReadInPages: Bool { store.pages != nil }

  /// Releases the memory of pages. Everything borrowed from this snapshot becomes invalid: views of values, batches,
  /// walks that do not restore their places.
  ///
  /// - Throws: `StorageError` if the pages that the snapshot itself needs cannot be read again; nothing can be read
  ///   from it then.
  package func releasePages() throws {
    store.releasePages()
    for table in tables { try table.restoreViews() }
  }

  /// For one walk through collections, on any number of threads.
  ///
  /// - Parameter passes: how often the walk may reach the same collection; more often means that refs form a circle.
  package func collectionWalk(passes: Int = 1) -> CollectionWalk {
    CollectionWalk(store: store, format: header.format, budget: .bytes(of: store, passes: passes))
  }

  /// For work that reads the same collections again and again; `workLimit` bounds it.
  ///
  /// - Parameter check: called now and then, also in the middle of a collection. What it throws ends the walk.
  package func collectionWalk(
    for work: RepeatedWork, check: (@Sendable () throws -> Void)? = nil
  ) -> CollectionWalk {
    CollectionWalk(store: store, format: header.format, budget: WalkBudget(for: work, limit: workLimit, check: check))
  }

  /// The number of bytes that may be read by work that reaches the same parts of the file again and again.
  package var workLimit: Int {
    get { chosenWorkLimit.value }
    set { chosenWorkLimit.value = max(newValue, 0) }
  }

  /// Whether the schema version cannot be read, so that its absence says nothing.
  package var isSchemaVersionUnreadable: Bool {
    damagedTables.contains { $0.name == SchemaVersionTable.name }
  }

  /// The schema version is in the first object of table `metadata` (Docs/Format/3-tables-and-objects.md §7.2).
  private static func schemaVersion(in tables: [Table]) -> UInt64? {
    guard let table = tables.first(where: { $0.schema.name == SchemaVersionTable.name }),
      let property = table.columns.first,
      property.element.code == .int, property.collection == nil
    else { return nil }
    var batches = table.batches()
    guard case .batch(let batch) = batches.next(), batch.count > 0,
      case .int(let version) = try? batch.values(ofProperty: 0).value(at: 0), version != -1
    else { return nil }
    return UInt64(bitPattern: version)
  }
}

// MARK: - Facts

extension Snapshot {
  /// The number of the transaction that made this snapshot; 1 if the file has none.
  package var version: UInt64 { top?.version ?? 1 }
  package var historyKind: HistoryKind { top?.historyKind ?? .none }
  package var historySchemaVersion: UInt64 { top?.historySchemaVersion ?? 0 }
  /// The number of this file among those that one server syncs; 0 for a local realm.
  package var syncFileIdent: UInt64 { top?.syncFileIdent ?? 0 }
  /// Where the root is in the file; nil if there is none.
  package var topRef: UInt64? { top?.ref.rawValue }

  /// Number of changes in the history; nil if they cannot be counted, or there is no history.
  package var historyLength: Int? {
    guard let top, !top.history.isNull else { return historyKind == .inRealm ? 0 : nil }
    switch historyKind {
    case .inRealm:
      return try? BPlusTree(root: top.history, element: ElementType(.binary, isNullable: true)).count(in: store)
    case .syncClient:
      // The local changes are the first of its columns (Docs/Format/1-container.md §3.7).
      guard let root = try? Node(top.history, in: store), (try? root.requireRefs("a history")) != nil,
        let changes = root.slot(0).child
      else { return nil }
      return try? BPlusTree(root: changes, element: ElementType(.binary, isNullable: true)).count(in: store)
    default: return nil
    }
  }

  /// What prevents writing, because the history would have to be kept correct.
  package var historyProblem: HistoryProblem? {
    // Files next to the realm, which are not needed: a rebuild leaves out every history of such a format.
    if Header.legacyFormats.contains(header.format), historyKind == .outOfRealm { return nil }
    return historyKind.problem(schemaVersion: historySchemaVersion)
  }
  /// Upper end of the space in use and of the free space, in bytes.
  package var logicalSize: UInt64 { top?.logicalSize ?? UInt64(RawHeader.size) }

  /// - Throws: `StorageError.corrupted` if the free list is damaged.
  package func freeSpace() throws -> FreeSpace { try top.map { try FreeSpace(of: $0, in: store) } ?? FreeSpace() }
}

extension Snapshot {
  /// Whether a test build of the engine made the file: see `ClusterTree.areSmall`.
  var usesSmallNodes: Bool { ClusterTree.areSmall(tables.compactMap { $0.top?.clusters }, in: store) }
}

extension LiveNodes {
  /// - Parameter threadLimit: threads for reading pages ahead.
  init(of snapshot: Snapshot, threadLimit: Int) {
    self.init(in: snapshot.store, threadLimit: threadLimit) { try snapshot.releasePages() }
  }
}
