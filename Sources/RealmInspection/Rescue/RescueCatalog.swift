import RealmStorage

/// What is still in a damaged file: its tables, with the places of their objects, the most trustworthy first.
///
/// First the live snapshot, part by part. What is missing there is taken from the snapshot before, from older ones that
/// are still in the file, and from nodes that a scan finds. The file is not changed, and no value is invented.
///
/// ```swift
/// let catalog = try RescueCatalog(RescueBytes.open(.path("broken.realm"), key: nil))
/// for table in catalog.tables { catalog.forEachBatch(of: table) { batch in … } }
/// ```
package final class RescueCatalog {
  /// What is looked for in addition to what is missing.
  package struct Options: Sendable {
    /// Objects that were deleted, as far as their nodes are still there.
    package var includesDeleted = false
    /// Called from time to time with the share of the work that is done.
    package var progress: @Sendable (Double) -> Void = { _ in }

    package init() {}
  }

  package let bytes: RescueBytes
  /// Whether the file has no damage at all.
  package let isSound: Bool
  /// Whether no two objects of a class can have the same primary key. Nothing in a file of formats 2 to 9 prevents
  /// that.
  package var hasUniqueKeys: Bool { isSound && legacy == nil }
  /// Errors that the checker finds; nil if it cannot begin.
  package let errorCount: Int?
  /// The tables in the order of their slots.
  package private(set) var tables: [RescuedTable] = []
  /// Tables whose columns are lost, so that nothing of them can be read.
  package private(set) var lostTables: [RealmString] = []
  /// The snapshot that was used; nil if there is none.
  package private(set) var snapshotVersion: UInt64?
  /// Whether the header points to that snapshot.
  package private(set) var isLive = false
  /// The version of a newer snapshot that the header's other root points to; nil if there is none.
  package private(set) var newerVersion: UInt64?
  /// The file format of the live snapshot; nil if that is lost.
  package private(set) var format: UInt8?
  /// The format in the header, if it is not a known one: the file was then read as if it had the newest.
  package private(set) var unknownFormat: UInt8?

  private let options: Options
  let space: RescueSpace
  private let work: RescueWork
  private let backlinks: RescueBacklinkCache
  private let indexes: RescueIndexCache
  /// How the objects of formats 2 to 9 are read.
  private var legacy: LegacyRescue?
  private let check: RescueCheck
  private let doubts: RescueDoubts
  private var unknowns: RescueUncertainty { check.unknowns }

  /// - Throws: `StorageError.file` when memory is short; `.unsupportedFormat` for a sound file of another format; any
  ///   if the header says that the format is one of 2 to 9 and the tables cannot be found.
  package init(_ opened: RescueBytes, _ options: Options = Options()) throws {
    self.options = options
    check = RescueCheck(opened)
    (isSound, errorCount) = (check.isSound, check.errorCount)
    bytes = check.isSound ? opened : try opened.treatedAsDamaged(requiringSignatures: check.hasSignatures)
    indexes = RescueIndexCache(bytes)
    work = RescueWork(bytes)
    var tops = RescueTops(bytes)
    var doubts = check.doubts
    if !isSound, HeaderRepair.repair(bytes, &tops) { doubts = RescueCheck(bytes).doubts }
    self.doubts = doubts
    space = try RescueSpace(bytes, root: tops.base?.ref ?? .null)
    backlinks = RescueBacklinkCache(bytes, space)
    if let legacy = try LegacyRescue(bytes) {
      self.legacy = legacy
      (isLive, format, snapshotVersion) = (true, legacy.snapshot.header.format, legacy.snapshot.version)
      (tables, lostTables) = (legacy.tables(), legacy.snapshot.damagedTables.map(\.name))
      return
    }
    (unknownFormat, newerVersion) = (tops.unknownFormat, tops.newerVersion)
    var scan: NodeScan?
    if !check.isSound || options.includesDeleted {
      let found = NodeScan(bytes) { [space, isLive = tops.isLive] in isLive && space.isTaken($0) }
      tops.add(found)
      scan = found
    }
    // A sound file without a root is empty.
    (snapshotVersion, isLive, format) = (tops.base?.version, tops.isLive || check.isSound, tops.format)
    var tables: [RescuedTable]
    let names: [RealmString]
    (tables, lostTables, names) = RescueDescriptions(bytes, tops, scan, work, isSound: isSound).tables()
    placeObjects(&tables, tops, scan)
    if let scan, !isSound { addLostTables(&tables, tops, scan, names) }
    if !isSound {
      try space.findShared(in: tables, free: tops.base.flatMap { RescueSpace.freeRanges(of: $0, in: bytes) })
    }
    self.tables = tables
    backlinks.setTables(tables)
    if tables.isEmpty, !tops.isLive, let header = try? RawHeader(of: bytes.store),
      header.mnemonic == RawHeader.mnemonicNumber, !Snapshot.readableFormats.contains(header.format), header.format > 0
    {
      throw StorageError.unsupportedFormat(header.format)
    }
  }

  private func placeObjects(_ tables: inout [RescuedTable], _ tops: RescueTops, _ scan: NodeScan?) {
    let roots = tops.isLive ? tops.base.map { tops.tableRefs(of: $0) } ?? [:] : [:]
    for table in tables {
      // If the live root of a table cannot be read, an older tree does not show what was in the live one.
      let isReplaced = !isSound && roots[table.key.slot].map { $0 != table.top?.ref } ?? false
      table.tree = isReplaced ? .null : table.top?.clusters ?? .null
      if !isSound, isReplaced || !tops.isLive { table.endOfKnown = tops.end(ofSnapshotWith: table) }
      let tree = RescueClusterTree(table.tree, bytes, confidence: .current)
      table.places = tree.places
      table.holes = tree.holes
      if !isSound { table.correctCounts(in: bytes) }
      if isSound || table.confidence <= .found && table.isExpected(tree, in: bytes) {
        table.expectedCount = tree.objectCount
      }
      if !isSound, !tops.isLive { table.addHoleBehind(in: bytes) }
      bytes.letGoOfPages()
    }
    if !isSound {
      let leaves = space.leavesOfRefs(in: tables)
      for table in tables { table.removeForeignGroups(leaves, in: bytes) }
    }
    if !isSound, let runs = LeafRuns(bytes, space, tops.base, tables) {
      for table in tables { runs.fill(table) }
      for table in tables where bytes.other != nil { put(runs.textRoots(of: table), tables) }
    }
    if bytes.other != nil {
      // The parts of a leaf are visible once its root is.
      for _ in 0..<2 { findHeads(tables, tops) }
    }
    if let scan { search(tables, tops, scan) }
    guard !isSound else { return }
    for table in tables { table.correctHoles(lackingLeaves: true, in: bytes) }
    for table in tables where table.hasHoles || unknowns.objects.contains(table.schema.name) || unknowns.isRealm {
      table.listedKeys = RescueIndexKeys.keys(of: table, in: bytes)
      bytes.letGoOfPages()
    }
  }

  private func put(_ roots: [LeafRuns.TextRoot], _ tables: [RescuedTable]) {
    guard !roots.isEmpty else { return }
    bytes.add(Dictionary(roots.flatMap(\.words)) { first, _ in first })
    for table in tables { table.restoreViews(in: bytes.store) }
    for text in roots.flatMap(\.texts) { space.take(text) }
  }

  private func findHeads(_ tables: [RescuedTable], _ tops: RescueTops) {
    guard let headers = LostHeaders(bytes, space, tops.base, tables) else { return }
    for table in tables {
      let found = headers.heads(of: table)
      guard !found.isEmpty else { continue }
      bytes.add(Dictionary(uniqueKeysWithValues: found.map { ($0.key.rawValue, $0.value.word) }))
      for table in tables { table.restoreViews(in: bytes.store) }
    }
  }

  private func search(_ tables: [RescuedTable], _ tops: RescueTops, _ scan: NodeScan) {
    RescueSearch(bytes, space, tables, tops, scan, includesDeleted: options.includesDeleted)
      .run(LinkEvidence(makeReader(), tables, work), work)
  }

  /// Adds tables that are known only by their objects.
  private func addLostTables(
    _ tables: inout [RescuedTable], _ tops: RescueTops, _ scan: NodeScan, _ names: [RealmString]
  ) {
    let known = Set(tables.map(\.key.slot))
    let lost = names.enumerated().map { known.contains($0) ? RealmString("") : $1 }
    let found = LostTables(makeReader(), scan, names: lost, isLive: isLive, work).tables(excluding: tables)
    guard !found.isEmpty else { return }
    tables = (tables + found).sorted { $0.key.slot < $1.key.slot }
    let foundNames = Set(found.map(\.schema.name))
    lostTables.removeAll { foundNames.contains($0) }
    search(tables, tops, scan)
  }

  // MARK: Objects

  /// Something that reads values; each may read every byte of the file a few times.
  package func makeReader() -> RescueReader {
    RescueReader(bytes, space, backlinks, indexes, isSound: isSound, format: format ?? 0)
  }

  /// Calls `body` with the objects of a table in the order of their keys. Pages are given back in between.
  package func forEachBatch(
    of table: RescuedTable, _ reader: RescueReader, _ body: (RescuedBatch) throws -> Void
  ) rethrows {
    if let legacy, let source = table.legacy {
      return try legacy.forEachBatch(of: source, bytes) { try body(RescuedBatch(table, $0, reader)) }
    }
    var next: UInt64 = 0
    for place in table.places {
      if bytes.letGoOfPages() { table.restoreViews(in: bytes.store) }
      guard let batch = RescuedBatch(table, place, notBelow: next, reader), let last = batch.keys.last else { continue }
      try body(batch)
      next = UInt64(bitPattern: last.rawValue) &+ 1
    }
  }

  /// The same for groups of objects that older snapshots have and the live one does not. Objects may occur several
  /// times, the newer version first, and may still exist.
  package func forEachDeletedBatch(
    of table: RescuedTable, _ reader: RescueReader, _ body: (RescuedBatch) throws -> Void
  ) rethrows {
    for place in table.deleted {
      if bytes.letGoOfPages() { table.restoreViews(in: bytes.store) }
      if let batch = RescuedBatch(table, place, notBelow: 0, reader) { try body(batch) }
    }
  }

  /// Whether more may be missing than is visible, such as whole classes.
  package var isUncertain: Bool { unknowns.isRealm }

  /// Whether there are nodes that nothing refers to, which may contain values of any table.
  package var hasLooseNodes: Bool { unknowns.hasLooseNodes }

  /// Whether more of a table may be missing or wrong than is visible, for a reason in the table itself.
  package func isUncertain(_ table: RescuedTable) -> Bool {
    unknowns.objects.contains(table.schema.name) || unknowns.values.contains(table.schema.name)
  }

  /// The properties of a table whose links may be wrong, because what would show it is damaged.
  package func uncomparedLinks(of table: RescuedTable) -> [RealmString] {
    zip(table.schema.properties, table.columns).compactMap { property, column in
      let name = LinkColumnName(table: table.schema.name, property: property.name)
      guard unknowns.hasDamagedEnds(name),
        backlinks.leavesOpen(column, in: table, isAlone: !unknowns.hasOtherDamage(than: name), makeReader())
      else { return nil }
      return property.name
    }
  }

  /// Whether more objects of a table may be missing than is visible.
  package func hasUncertainObjects(_ table: RescuedTable) -> Bool {
    unknowns.isRealm || unknowns.objects.contains(table.schema.name)
  }

  /// Whether something else in the file contradicts any value.
  package var hasDoubts: Bool { doubts.count > 0 }

  /// Whether something else in the file contradicts a value.
  ///
  /// - Parameter losesLinks: whether it has links to objects that were not found.
  package func isDoubted(
    _ value: Value, _ table: RescuedTable, _ property: Int, _ key: ObjectKey, losesLinks: @autoclosure () -> Bool
  ) -> Bool {
    guard hasDoubts else { return false }
    let name = table.schema.properties[property].name
    guard !table.restated.contains(name) else { return false }
    let doubt = RescueDoubt(table: table.schema.name, property: name, object: key)
    let (column, reader) = (table.columns[property], makeReader())
    return doubts.contains(
      doubt, isTrusted: { backlinks.isTrusted(column, in: table, key, reader) }, losesLinks: losesLinks)
      && !backlinks.confirms(value, of: column, in: table, key)
  }
}

/// A value that something else in the file contradicts.
struct RescueDoubt: Hashable {
  let table: RealmString
  let property: RealmString
  let object: ObjectKey
}

/// The values that the checker doubts.
struct RescueDoubts {
  private var values: Set<RescueDoubt> = []
  /// Links that their targets do not know.
  private var unknownLinks: Set<RescueDoubt> = []
  /// Links that their targets do not know, perhaps because what they know is damaged.
  private var unsettledLinks: Set<RescueDoubt> = []
  /// Links to objects that the checker does not find, though they may be found since.
  private var danglingLinks: Set<RescueDoubt> = []

  var count: Int { max(values.count, unknownLinks.count, unsettledLinks.count, danglingLinks.count) }

  mutating func insert(_ doubt: RescueDoubt, _ kind: FindingKind) {
    switch kind {
    case .linkWithoutBacklink: unknownLinks.insert(doubt)
    case .linkDangling: danglingLinks.insert(doubt)
    default: values.insert(doubt)
    }
  }

  /// Takes a value that is wrong whatever else is found.
  mutating func insert(_ doubt: RescueDoubt) { values.insert(doubt) }

  /// Takes a link that its target does not know where what the target knows may be damaged.
  mutating func insertUnsettled(_ doubt: RescueDoubt) { unsettledLinks.insert(doubt) }

  /// - Parameters:
  ///   - isTrusted: whether the targets are wrong; nil if what they know is lost.
  ///   - losesLinks: whether the value has links to objects that were not found.
  func contains(_ doubt: RescueDoubt, isTrusted: () -> Bool?, losesLinks: () -> Bool) -> Bool {
    values.contains(doubt) || danglingLinks.contains(doubt) && losesLinks()
      || unknownLinks.contains(doubt) && isTrusted() != true || unsettledLinks.contains(doubt) && isTrusted() == false
  }
}

extension Finding {
  /// Whether a link leads to a placeholder that does not exist; readers take it for null.
  fileprivate var isLinkToNothing: Bool {
    if kind == .linkDangling, case .link(_, let key) = facts { key.isUnresolved } else { false }
  }
}

/// What the checker says about a file before it is taken apart.
struct RescueCheck {
  private(set) var isSound = false
  private(set) var errorCount: Int?
  private(set) var doubts = RescueDoubts()
  private(set) var unknowns: RescueUncertainty
  /// Whether the nodes begin as those of formats 10 to 24 do; some of files that are older than that do not.
  private(set) var hasSignatures = true

  private static let mostDoubts = 100_000
  /// Nodes that share bytes with another, each of which may be the wrong one.
  private static let mostRivals = 3

  init(_ bytes: RescueBytes) {
    var doubts = RescueDoubts()
    var unknowns = RescueUncertainty(bytes)
    var options = Checker.Options(mostFindingsPerKind: Self.mostDoubts, reportsFollowing: true)
    options.progress = { _ in }
    var kinds: [Int: FindingKind] = [:]
    /// The findings in what targets know of links.
    var inBacklinks: Set<Int> = []
    var followers: [Int: [(doubt: RescueDoubt, kind: FindingKind)]] = [:]
    let summary = try? Checker(bytes.store, options: options).run { finding in
      if let number = finding.number {
        kinds[number] = finding.kind
        if finding.place.part == .objects, case .backlinks? = finding.place.column { inBacklinks.insert(number) }
      }
      unknowns.add(finding)
      guard finding.severity == .error, doubts.count < Self.mostDoubts, let table = finding.place.table,
        case .property(let property) = finding.place.column, let object = finding.place.object,
        finding.place.part == .objects
      else { return }
      let doubt = RescueDoubt(table: table, property: property, object: object)
      guard let cause = finding.cause else {
        return finding.isLinkToNothing ? doubts.insert(doubt) : doubts.insert(doubt, finding.kind)
      }
      // Damage that follows from other damage says nothing about the value, unless both are of one kind: then each value
      // is wrong by itself, or, of two nodes that claim the same bytes, either may be. Whether damage explains that a target
      // does not know a link is found out for each target.
      guard kinds[cause] == finding.kind else {
        if finding.kind == .linkWithoutBacklink { doubts.insertUnsettled(doubt) }
        if finding.isLinkToNothing, inBacklinks.contains(cause) { doubts.insert(doubt) }
        return
      }
      guard finding.kind.isAboutSpace else { return doubts.insert(doubt, finding.kind) }
      guard followers[cause, default: []].count <= Self.mostRivals else { return }
      followers[cause, default: []].append((doubt, finding.kind))
    }
    // A node that claims the bytes of many others is itself wrong: a bit of its size or place is damaged.
    for rivals in followers.values where rivals.count <= Self.mostRivals {
      for (doubt, kind) in rivals { doubts.insert(doubt, kind) }
    }
    bytes.letGoOfPages()
    if let summary { unknowns.finish(errors: summary.errors) } else { unknowns.addEverything() }
    self.unknowns = unknowns
    guard let summary else { return }
    errorCount = summary.errors
    isSound =
      summary.errors == 0 && Snapshot.readableFormats.union([0]).contains(summary.format)
      && !(bytes.zeroed.count > 0 && Self.hasWipedTexts(bytes)) && !(summary.nodes == 0 && Self.hasNodes(bytes))
      && !Self.usesLostPages(bytes)
    bytes.letGoOfPages()
    self.doubts = doubts
    let unsigned = summary.counts[.nodeSignature] ?? 0
    hasSignatures = !Header.legacyFormats.contains(summary.format) && unsigned <= summary.nodes / 20
  }

  /// Whether a node has bytes of a page that could not be read, or, in an encrypted file, was never written: the checker
  /// sees zeros there, which many a leaf can have.
  private static func usesLostPages(_ bytes: RescueBytes) -> Bool {
    let pages = bytes.pagesWithoutData
    guard pages.count > 0 else { return false }
    guard let base = RescueTops(bytes).base, let space = try? RescueSpace(bytes, root: base.ref) else { return true }
    let size = UInt64(PageCache.pageSize)
    return (0..<bytes.byteCount / PageCache.pageSize).contains { page in
      let start = UInt64(page) * size
      guard pages.contains(page) else { return false }
      return space.isTaken(start) || space.start(behind: start).map { $0 < start + size } ?? false
    }
  }

  /// Whether there is a node in a file whose header says that nothing was written to it yet; a header of zeros says so
  /// as well.
  private static func hasNodes(_ bytes: RescueBytes) -> Bool {
    let store = bytes.store
    return stride(from: UInt64(RawHeader.size), to: UInt64(store.count) & ~7, by: 8).contains { offset in
      guard let node = try? Node(Ref(offset), in: store) else { return false }
      return node.signature == NodeHeader.signature
    }
  }

  /// Whether there is a text of zero bytes, or with many of them, at any depth: a page that was zeroed inside a large leaf
  /// of texts leaves all nodes valid.
  private static func hasWipedTexts(_ bytes: RescueBytes) -> Bool {
    guard let snapshot = try? Snapshot(of: bytes.store, wasDecrypted: bytes.isEncrypted) else { return false }
    let walk = snapshot.collectionWalk()
    for table in snapshot.tables {
      let texts = table.columns.indices.filter { [.string, .mixed].contains(table.columns[$0].element.code) }
      var found = false
      try? table.forEachBatch(in: snapshot) { batch in
        for index in texts where !found {
          guard let values = try? batch.values(ofProperty: index) else { continue }
          found = (0..<batch.count).contains { row in
            (try? values.value(at: row)).flatMap { try? Value($0, walk) }?.hasBrokenText ?? false
          }
        }
      }
      if found { return true }
    }
    return false
  }
}
