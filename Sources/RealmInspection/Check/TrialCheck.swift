import RealmStorage
import RealmSystem

/// The checks of tables, values, links and indexes by several threads, in parallel with the walk over all nodes.
///
/// Their findings count only if none is an error: then no finding follows from another, and all are reported in the
/// order in which one thread finds them. Otherwise everything is checked again, in sequence.
final class TrialCheck: @unchecked Sendable {
  private let context: CheckContext
  /// For the tables and their trees of objects.
  private let first: CheckContext
  private let top: RawTop
  private var threads = WorkerThreads()

  // Made by the first thread, before there are pieces.
  private(set) var tables: [CheckedTable] = []
  private(set) var summary = CheckSummary()
  private var clusters: [ClusterPiece] = []
  private var indexes: [IndexPiece] = []

  private let monitor = Monitor()
  // All below is guarded by `monitor`.
  /// Nil until they are known.
  private var pieces: [any TrialPiece]?
  private var next = 0
  private var isGivenUp = false

  /// Pieces that clusters are divided into. Each has sums for all columns.
  private static let clusterPieceCount = 16
  private static let fewestClusters = 64

  /// Starts the threads.
  ///
  /// - Parameters:
  ///   - context: no other code may report to it until `finish` has returned, except to its log.
  ///   - threadCount: the caller's included.
  /// - Returns: nil if one thread does everything.
  init?(_ context: CheckContext, top: RawTop, threadCount: Int) {
    // Only one thread at a time can give pages back.
    guard threadCount > 1, context.store.pages == nil, let first = context.trial() else { return nil }
    (self.context, self.first, self.top) = (context, first, top)
    let isStarted = threads.start {
      self.prepare()
      self.work { _ in }
    }
    guard isStarted else { return nil }
    for _ in 2..<max(threadCount, 2) { threads.start { self.work { _ in } } }
  }

  /// Ends the threads. The code that started them must always call this.
  func close() {
    monitor.change { isGivenUp = true }
    threads.join()
  }

  /// Works along until nothing is left to do.
  func help() {
    if !context.log.hasErrors { work { _ in } }
  }

  /// Works along until the end, and returns what was found.
  ///
  /// - Parameter progress: called with the share of the work that is done.
  /// - Returns: the number of links; nil if everything must be checked again.
  func finish(progress: (Double) -> Void) -> Int? {
    if context.log.hasErrors { close() } else { work(progress) }
    threads.join()
    guard !isGivenUp else { return nil }
    var links = LinkCheck(first, tables)
    for piece in clusters { links.add(piece.sums) }
    let contexts = [first] + clusters.map(\.values) + clusters.map(\.links) + indexes.map(\.context)
    guard links.isBalanced, context.adopt(contexts) else { return nil }
    context.usesSmallNodes = first.usesSmallNodes
    (context.nextTableTags, context.linkColumns) = (first.nextTableTags, first.linkColumns)
    return links.linkCount
  }

  // MARK: Threads

  private func prepare() {
    tables = Checker.readTables(first, top, &summary)
    first.linkColumns = tables.linkColumns
    if !first.log.hasErrors {
      let clusterCount = tables.reduce(0) { $0 + $1.objects.entries.count + $1.tombstones.entries.count }
      let runLength = max(clusterCount / Self.clusterPieceCount, Self.fewestClusters)
      for run in tables.clusterRuns(ofAtMost: runLength) {
        if let last = clusters.last, last.clusterCount + run.clusters.count <= runLength {
          last.runs.append(run)
        } else {
          clusters.append(ClusterPiece(run, first, tables))
        }
      }
      for table in tables {
        for column in table.columns where !column.index.isNull {
          indexes.append(IndexPiece(context: first.sibling(), table: table, column: column))
        }
      }
    }
    monitor.change {
      // The longest first.
      pieces = indexes + clusters
      if first.log.hasErrors { isGivenUp = true }
    }
  }

  private func work(_ progress: (Double) -> Void) {
    while let (piece, share) = claim() {
      piece.run()
      if piece.hasErrors { monitor.change { isGivenUp = true } }
      progress(share)
    }
  }

  private func claim() -> (any TrialPiece, Double)? {
    monitor.wait(until: { pieces != nil || isGivenUp }) {
      guard !isGivenUp, let pieces, next < pieces.count else { return nil }
      defer { next += 1 }
      return (pieces[next], Double(next + 1) / Double(pieces.count))
    }
  }
}

/// What one thread does at a time.
private protocol TrialPiece {
  func run()
  var hasErrors: Bool { get }
}

/// The values and the links of some clusters.
private final class ClusterPiece: TrialPiece {
  let values: CheckContext
  let links: CheckContext
  private(set) var sums: LinkCheck
  var runs: [ClusterRun]

  init(_ run: ClusterRun, _ first: CheckContext, _ tables: [CheckedTable]) {
    (values, links, runs) = (first.sibling(), first.sibling(), [run])
    sums = LinkCheck(links, tables)
  }

  var clusterCount: Int { runs.reduce(0) { $0 + $1.clusters.count } }
  var hasErrors: Bool { values.log.hasErrors || links.log.hasErrors }

  func run() {
    let check = ValueCheck(values)
    for run in runs {
      check.check(run) {}
      sums.add(run) {}
    }
  }
}

/// One search index.
private struct IndexPiece: TrialPiece {
  let context: CheckContext
  let table: CheckedTable
  let column: CheckedColumn

  var hasErrors: Bool { context.log.hasErrors }

  func run() { IndexKindCheck(context: context, table: table, column: column).run() }
}
