import RealmStorage

/// Checks every invariant of a realm (Docs/Format/1-container.md §9, Docs/Format/2-nodes-and-values.md §9,
/// Docs/Format/3-tables-and-objects.md §9); for the objects of formats 2 to 9, see `LegacyCheck`.
///
/// Findings are reported one by one; damage in one place does not keep the rest from being checked. Leftovers of
/// engines are notes. The bytes are untrusted until checked: for any file, the result is a summary or an error.
///
/// Memory is a 64th of the file for the map of its space, a few bytes per object while an index is checked, and at most
/// about 100 MiB while links and backlinks of a column that differ are compared one by one.
public struct Checker {
  /// Options of a check.
  public struct Options {
    /// Maximum number of findings of one kind to report. All are counted.
    public var mostFindingsPerKind: Int
    /// Whether findings that follow from others are reported too. All are counted.
    public var reportsFollowing: Bool
    /// Number of threads, including the caller's. The findings are the same for any number.
    public var threadCount = 1
    /// A census that a copy of the same snapshot takes meanwhile: then its nodes are not visited again.
    package var census: PromisedCensus?
    /// Called from time to time with the share of the work that is done, from 0 to 1.
    public var progress: (Double) -> Void

    /// Everything is reported, up to 100 findings of a kind.
    public init(
      mostFindingsPerKind: Int = 100, reportsFollowing: Bool = true, progress: @escaping (Double) -> Void = { _ in }
    ) {
      self.mostFindingsPerKind = mostFindingsPerKind
      self.reportsFollowing = reportsFollowing
      self.progress = progress
    }
  }

  private let store: ByteStore
  private let choice: SnapshotChoice
  private let options: Options

  /// - Parameters:
  ///   - store: the plaintext of a realm.
  ///   - choice: the snapshot to check.
  package init(_ store: ByteStore, choosing choice: SnapshotChoice = .live, options: Options = Options()) {
    self.store = store
    self.choice = choice
    self.options = options
  }

  /// Runs the whole check.
  ///
  /// - Parameter report: called with each finding as it is made.
  /// - Throws: `StorageError.notARealm` if the bytes are not a realm at all, `.unsupportedFormat`, `.file` or, for a page,
  ///   `.corrupted` with `ENOMEM` if memory is short. Damage of a realm is a finding, not an error.
  package func run(_ report: (Finding) -> Void) throws -> CheckSummary {
    try withoutActuallyEscaping(report) { report in
      let log = FindingLog(
        limit: options.mostFindingsPerKind, reportsFollowing: options.reportsFollowing, report: report)
      var summary = CheckSummary()
      try run(log, &summary)
      log.fill(&summary)
      options.progress(1)
      return summary
    }
  }

  private func run(_ log: FindingLog, _ summary: inout CheckSummary) throws {
    let container = ContainerCheck(store: store, log: log)
    let facts = try container.header(choosing: choice)
    summary.format = facts.format
    guard !facts.topRef.isNull, let top = container.top(facts) else { return }
    summary.logicalSize = top.logicalSize
    let budget = CheckBudget(byteCount: store.count)
    let context = CheckContext(store, format: facts.format, log: log, budget: budget)
    let isLegacy = Header.legacyFormats.contains(facts.format)
    let trial = isLegacy ? nil : TrialCheck(context, top: top, threadCount: options.threadCount)
    defer { trial?.close() }
    // The copy takes some time.
    if options.census != nil { trial?.help() }
    try checkSpace(top, facts, log, budget, &summary)
    guard !isLegacy else {
      var check = LegacyCheck(context, top: top, choosing: choice)
      return check.run(&summary) { options.progress(Self.shareOfSpace + (1 - Self.shareOfSpace) * $0) }
    }
    let tables = finish(trial, &summary) ?? checkTables(context, top, &summary)
    for table in tables { ObjectKeyCheck(context: context, table: table).run() }
    HistoryCheck(context, top: top).run()
  }

  /// - Returns: nil if nothing was taken over.
  private func finish(_ trial: TrialCheck?, _ summary: inout CheckSummary) -> [CheckedTable]? {
    guard let trial,
      let linkCount = trial.finish(progress: { options.progress(Self.shareOfSpace + (1 - Self.shareOfSpace) * $0) })
    else { return nil }
    (summary.tables, summary.objects, summary.tombstones) = (
      trial.summary.tables, trial.summary.objects, trial.summary.tombstones
    )
    summary.links = linkCount
    summary.indexes = trial.summary.indexes
    return trial.tables
  }

  private func checkTables(_ context: CheckContext, _ top: RawTop, _ summary: inout CheckSummary) -> [CheckedTable] {
    let tables = Self.readTables(context, top, &summary)
    let runs = tables.clusterRuns()
    context.startPass()
    var steps = Steps(tables, options.progress)
    let values = ValueCheck(context)
    for run in runs { values.check(run) { steps.advance() } }
    context.startPass()
    var links = LinkCheck(context, tables)
    for run in runs { links.add(run) { steps.advance() } }
    links.finish()
    summary.links = links.linkCount
    context.linkColumns = tables.linkColumns
    context.startPass()
    for table in tables { checkIndexes(table, context, &steps) }
    return tables
  }

  // MARK: Space

  /// The share of the walk over nodes in the whole work.
  private static let shareOfSpace = 0.2

  private func checkSpace(
    _ top: RawTop, _ facts: ContainerCheck.Facts, _ log: FindingLog, _ budget: CheckBudget,
    _ summary: inout CheckSummary
  ) throws {
    let census = try options.census?.get().flatMap { try completed($0, from: top) } ?? walked(top, facts, log, budget)
    summary.nodes = census.nodeCount
    summary.liveBytes = census.byteCount
    var freeList = FreeListCheck(store: store, top: top, space: census.space, log: log)
    freeList.knowsVersions = !Header.legacyFormats.contains(facts.format)
    freeList.run()
    summary.freeEntries = freeList.entryCount
    summary.freeBytes = freeList.byteCount
  }

  /// The census of a copy with the nodes that it does not copy; nil if anything is odd.
  private func completed(_ census: NodeCensus, from top: RawTop) throws -> NodeCensus? {
    guard census.isPlain, !census.roots.isEmpty else { return nil }
    let walk = NodeWalk(store, census, places: PlaceFinder(store: store), log: nil)
    try walk.run(from: top.ref)
    return walk.isPlain && census.isPlain ? census : nil
  }

  private func walked(
    _ top: RawTop, _ facts: ContainerCheck.Facts, _ log: FindingLog, _ budget: CheckBudget
  ) throws -> NodeCensus {
    let census = try NodeCensus(
      store, logicalSize: min(top.logicalSize, UInt64(store.count)), isFirstCopy: facts.form == .streaming,
      expectsSignature: !Header.legacyFormats.contains(facts.format))
    let walk = NodeWalk(store, census, places: PlaceFinder(store: store), log: log)
    let size = Double(max(store.count, 1))
    walk.progress = { options.progress(min(Double($0) / size, 1) * Self.shareOfSpace) }
    try walk.run(from: top.ref)
    if let error = walk.lackOfMemory { throw error }
    budget.noteShared(walk.shared, isComplete: walk.isComplete)
    return census
  }

  // MARK: Tables

  /// The tables and the trees of their objects.
  static func readTables(
    _ context: CheckContext, _ top: RawTop, _ summary: inout CheckSummary
  ) -> [CheckedTable] {
    let tables = TableListCheck(context: context, top: top).run()
    summary.tables = tables.count
    context.usesSmallNodes = ClusterTree.areSmall(tables.map(\.clusters), in: context.store)
    if context.usesSmallNodes { context.log.add(.clusterTestBuild, at: Finding.Place()) }
    for table in tables {
      context.letGoOfPages()
      var objects = ClusterTreeCheck(context, table, .objects)
      table.objects = objects.run(table.clusters)
      summary.objects += table.objects.count
      guard !table.tombstoneClusters.isNull else { continue }
      var tombstones = ClusterTreeCheck(context, table, .tombstones)
      table.tombstones = tombstones.run(table.tombstoneClusters)
      summary.tombstones += table.tombstones.count
    }
    summary.indexes = tables.reduce(0) { $0 + $1.columns.count { !$0.index.isNull } }
    return tables
  }

  private func checkIndexes(_ table: CheckedTable, _ context: CheckContext, _ steps: inout Steps) {
    for column in table.columns where !column.index.isNull {
      context.letGoOfPages()
      IndexKindCheck(context: context, table: table, column: column).run()
      steps.advance(by: table.objects.entries.count)
    }
  }

  /// Counts clusters: one pass for values, one for links and one for backlinks, and one for each index.
  private struct Steps {
    private let total: Int
    private var done = 0
    private let progress: (Double) -> Void

    init(_ tables: [CheckedTable], _ progress: @escaping (Double) -> Void) {
      self.progress = progress
      total = tables.reduce(1) { sum, table in
        let passes = 3 + table.columns.count { !$0.index.isNull }
        return sum + table.objects.entries.count * passes + table.tombstones.entries.count * 2
      }
    }

    mutating func advance(by count: Int = 1) {
      done += count
      if done & 0xff < count {
        progress(Checker.shareOfSpace + (1 - Checker.shareOfSpace) * min(1, Double(done) / Double(total)))
      }
    }
  }
}

extension Realm {
  /// Checks every invariant of a realm, and relies on nothing that the realm says about itself: a file that can no
  /// longer be opened can still be checked.
  ///
  /// ```swift
  /// let summary = try Realm.check("app.realm") { finding in print(finding.message) }
  /// print(summary.errors)
  /// ```
  ///
  /// - Parameters:
  ///   - path: of the realm; `-` for standard input.
  ///   - key: of an encrypted realm.
  ///   - options: how it is checked.
  ///   - report: called with each finding as it is made.
  /// - Throws: `RealmError` if the file cannot be read or is not a realm, or if it changed meanwhile: then the findings
  ///   mean nothing. Damage is a finding, not an error.
  public static func check(
    _ path: String, key: EncryptionKey? = nil, options: Checker.Options = Checker.Options(),
    _ report: (Finding) -> Void = { _ in }
  ) throws(RealmError) -> CheckSummary {
    try RealmError.wrapping(path) {
      let bytes = try ByteStore.open(path == "-" ? .standardInput : .path(path), key: key)
      let head = try bytes.currentState()
      let summary = try Checker(bytes.store, options: options).run(report)
      guard try bytes.isUnchanged(since: head) else { throw OutputError.changedMeanwhile(path: bytes.path) }
      return summary
    }
  }
}

extension Snapshot {
  /// Runs the checker over this snapshot of its file.
  ///
  /// If bytes are read in pages, everything borrowed from this snapshot is invalid afterwards, as after `releasePages`.
  ///
  /// - Throws: as `Checker.run`.
  package func check(
    _ options: Checker.Options = Checker.Options(), _ report: (Finding) -> Void
  ) throws -> CheckSummary {
    let summary = try Checker(store, choosing: choice, options: options).run(report)
    if isReadInPages { try releasePages() }
    return summary
  }
}
