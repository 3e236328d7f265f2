/// Checks every invariant of a realm of formats 10 to 24 (Docs/Format/1-container.md §9,
/// Docs/Format/2-nodes-and-values.md §9, Docs/Format/3-tables-and-objects.md §9).
///
/// Findings come one by one; damage in one place does not keep the rest from being looked at. What engines leave behind
/// is a note. The bytes are hostile until checked: any file ends in a summary or in an error.
///
/// Memory is a 64th of the file for the map of its space, a few bytes per object while an index is looked at, and some
/// 100 MB at most while the links and backlinks of a column that differ are told apart.
public struct Checker {
  /// What a check does besides looking.
  public struct Options {
    /// Findings of one kind that are reported one by one. All are counted.
    public var mostFindingsPerKind: Int
    /// Whether findings that follow from others are reported too. All are counted.
    public var reportsFollowing: Bool
    /// Called every now and then with how much is done, from 0 to 1.
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
  private let options: Options

  /// - Parameter store: the plaintext of a realm.
  package init(_ store: ByteStore, options: Options = Options()) {
    self.store = store
    self.options = options
  }

  /// Looks at everything.
  ///
  /// - Parameter report: called with each finding as it is made.
  /// - Throws: `StorageError.notARealm` where the bytes are not a realm at all, `.unsupportedFormat`, `.file` where memory
  ///   is short. Damage of a realm is a finding, not an error.
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
    let facts = try container.header()
    summary.format = facts.format
    guard !facts.topRef.isNull, let top = container.top(facts) else { return }
    summary.logicalSize = top.logicalSize
    let budget = CheckBudget(byteCount: store.count)
    try checkSpace(top, facts, log, budget, &summary)

    let context = CheckContext(store, format: facts.format, log: log, budget: budget)
    let tables = TableListCheck(context: context, top: top).run()
    summary.tables = tables.count
    checkObjects(tables, context, &summary)
    context.startPass()
    var steps = Steps(tables, options.progress)
    checkValues(tables, context, &steps)
    context.startPass()
    var links = LinkCheck(context, tables)
    links.run { steps.advance() }
    summary.links = links.linkCount
    context.linkColumns = Set(tables.flatMap { $0.backlinks.map(\.declaredOrigin) })
    context.startPass()
    for table in tables { checkIndexes(table, context, &summary, &steps) }
    for table in tables { ObjectKeyCheck(context: context, table: table).run() }
    HistoryCheck(context, top: top).run()
  }

  // MARK: Space

  /// Share of the whole work that the walk over nodes is.
  private static let shareOfSpace = 0.2

  private func checkSpace(
    _ top: RawTop, _ facts: ContainerCheck.Facts, _ log: FindingLog, _ budget: CheckBudget,
    _ summary: inout CheckSummary
  ) throws {
    let walk = try NodeWalk(
      store, logicalSize: min(top.logicalSize, UInt64(store.count)), isFirstCopy: facts.form == .streaming,
      places: PlaceFinder(store: store), log: log)
    let size = Double(max(store.count, 1))
    walk.progress = { options.progress(min(Double($0) / size, 1) * Self.shareOfSpace) }
    try walk.run(from: top.ref)
    budget.noteShared(walk.shared, isComplete: walk.isComplete)
    summary.nodes = walk.nodeCount
    summary.liveBytes = walk.byteCount
    var freeList = FreeListCheck(store: store, top: top, space: walk.space, log: log)
    freeList.run()
    summary.freeEntries = freeList.entryCount
    summary.freeBytes = freeList.byteCount
  }

  // MARK: Tables

  private func checkObjects(_ tables: [CheckedTable], _ context: CheckContext, _ summary: inout CheckSummary) {
    context.usesSmallNodes = ClusterTree.areSmall(tables.map(\.clusters), in: store)
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
  }

  private func checkValues(_ tables: [CheckedTable], _ context: CheckContext, _ steps: inout Steps) {
    let values = ValueCheck(context)
    for table in tables {
      values.check(table, .objects) { steps.advance() }
      values.check(table, .tombstones) { steps.advance() }
    }
  }

  private func checkIndexes(
    _ table: CheckedTable, _ context: CheckContext, _ summary: inout CheckSummary, _ steps: inout Steps
  ) {
    for column in table.columns where !column.index.isNull {
      context.letGoOfPages()
      IndexKindCheck(context: context, table: table, column: column).run()
      summary.indexes += 1
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
