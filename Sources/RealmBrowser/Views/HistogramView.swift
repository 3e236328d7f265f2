import RealmQuery
import RealmStorage
import RealmText

/// One property in numbers: how many values are in each of some ranges, or which ones are the most frequent.
final class HistogramView: BrowserView {
  let kind = ViewKinds.histogram
  let crumb: String

  private let context: ViewContext
  private let selection: ObjectSelection
  private let property: Int
  private let name: String
  private var counting: BackgroundTask<ColumnSummary>?
  private var summary: ColumnSummary?
  private var rows: [Row] = []
  private var table: ListTable
  private var width = 80
  private var isReloaded = false

  private struct Row {
    let label: CellText
    let count: Int
    let isEstimate: Bool
    /// The query that Enter filters by; nil if no query can say it.
    let filter: String?
    /// Finds the objects if no query does.
    var predicate: DistinctPredicate?
    /// Whether it represents values that are not listed.
    var isRest = false
  }

  private static let barWidth = 30
  private static let mostFrequent = 1000

  init(_ context: ViewContext, _ selection: ObjectSelection, property: Int, name: String) {
    (self.context, self.selection, self.property, self.name) = (context, selection, property, name)
    crumb = "summary of \(name)"
    table = ListTable([], context.typography)
    start()
  }

  private func start() {
    let (selection, realm, property) = (selection, context.realm, property)
    let task = BackgroundTask<ColumnSummary>("summarizing", total: selection.count(in: realm)) { progress, _ in
      let own = realm.isReadInPages ? try realm.withoutPages() : realm
      guard let table = own.table(named: selection.table) else { throw BrowserProblem.stale }
      let keys = try selection.objects(in: own, progress).keys.map { ObjectKeySet($0) }
      let options = SummaryOptions(top: Self.mostFrequent) { try progress.advance(by: $0) }
      let found = try ClassSummary(of: table, in: own.snapshot, [.property(property)], among: keys, options)
      guard let column = found.columns.first else { throw BrowserProblem.stale }
      return column
    }
    counting = task
    task.start(on: context.executor)
  }

  var rowCount: Int { rows.count }
  var emptyText: String { work != nil ? "" : summary == nil ? "not counted" : "no values" }

  private func makeRows(_ summary: ColumnSummary) throws {
    let path = RQL.written(RealmString(name))
    let properties = context.realm.table(named: selection.table)?.schema.properties ?? []
    let isCollection = properties.indices.contains(property) && properties[property].collection != nil
    // A few different values are more useful one by one.
    if let histogram = summary.histogram, summary.distinct.value > Self.barWidth {
      for (index, bin) in histogram.bins.enumerated() {
        let isLast = index == histogram.bins.count - 1
        var label = context.text(limit: 80)
        context.printer.append(owned: bin.lower, to: &label)
        label.append(isLast ? " to " : " to below ", .faint)
        context.printer.append(owned: bin.upper, to: &label)
        let (lower, upper) = (try written(bin.lower), try written(bin.upper))
        // In a list, one element could be above the lower limit, and another one below the upper limit.
        let filter =
          isCollection
          ? nil
          : lower.flatMap { lower in
            upper.map { "\(path) >= \(lower) AND \(path) \(isLast ? "<=" : "<") \($0)" }
          }
        rows.append(
          Row(
            label: label, count: bin.count, isEstimate: histogram.isEstimate, filter: filter,
            predicate: DistinctPredicate(bin, isLast: isLast, property: property)))
      }
      if histogram.outside > 0 {
        rows.append(
          Row(
            label: context.text("other values", .faint), count: histogram.outside, isEstimate: false, filter: nil,
            predicate: DistinctPredicate(outside: histogram, property: property)))
      }
      if summary.nulls > 0 {
        var label = context.text()
        context.printer.append(owned: .null, to: &label)
        rows.append(
          Row(
            label: label, count: summary.nulls, isEstimate: false, filter: "\(path) == null",
            predicate: DistinctPredicate(identity: .null, property: property)))
      }
      return
    }
    for entry in summary.frequencies {
      var label = context.text(limit: 200)
      context.printer.append(owned: entry.value, to: &label)
      let filter = try written(entry.value).map { "\(path) == \($0)" }
      rows.append(
        Row(
          label: label, count: entry.count.value, isEstimate: entry.count.isEstimate, filter: filter,
          predicate: DistinctPredicate(identity: entry.identity, property: property)))
    }
    let rest = summary.values + summary.nulls - rows.reduce(0) { $0 + $1.count }
    guard rest > 0 else { return }
    let text = context.text("more values, too many to list", .faint)
    rows.append(
      Row(label: text, count: rest, isEstimate: rows.contains(where: \.isEstimate), filter: nil, isRest: true))
  }

  /// How many values a row counts.
  func count(_ row: Int) -> Int { rows[row].count }
  /// Whether a row represents values that nothing finds.
  func isBeyondFilters(_ row: Int) -> Bool { rows[row].filter == nil && rows[row].predicate == nil }

  private func written(_ value: Value) throws -> String? {
    let keeper = ValueKeeper()
    return try withExtendedLifetime(keeper) { try RQL.written(keeper.view(of: value), in: context.snapshot) }
  }

  // MARK: Drawing

  private func makeTable() {
    table = ListTable(
      [
        ListTable.Column(title: name, rank: 9, isFlexible: true, leastWidth: 12),
        ListTable.Column(title: "count", alignment: .right, rank: 8),
        ListTable.Column(title: "share", alignment: .right, rank: 7),
        ListTable.Column(title: "", rank: 1, leastWidth: Self.barWidth),
      ], context.typography)
    let most = max(rows.filter { !$0.isRest }.map(\.count).max() ?? 1, 1)
    let total = summary.map { $0.values + $0.nulls } ?? 0
    for row in rows {
      let bar = row.count == 0 || row.isRest ? 0 : max(row.count * Self.barWidth / most, 1)
      table.append([
        row.label, context.text((row.isEstimate ? "~" : "") + CountText.grouped(row.count)),
        context.text(CountText.share(row.count, of: total)),
        context.text(String(repeating: Character(context.typography.bar), count: bar), Style(.count)),
      ])
    }
    table.layOut(width: width)
  }

  func layOut(in area: ScreenSize, visible: Range<Int>) {
    guard area.columns != width else { return }
    width = area.columns
    table.layOut(width: width)
  }

  func header() -> [[Cell]] { [table.header()] }
  func line(_ row: Int, isCursor: Bool) -> [Cell] { table.line(row, isCursor ? .focus : .none) }

  func status(_ row: Int) -> CellText {
    guard let summary else { return context.text() }
    let different = CountText.counted(summary.distinct.value, "different value")
    return context.text(
      "\(CountText.counted(summary.values, "value")), \(summary.distinct.isEstimate ? "about " : "")\(different), "
        + "\(CountText.grouped(summary.nulls)) null"
        + (isReloaded ? selection.remarkAfterReload.map { ", " + $0 } ?? "" : ""), .faint)
  }

  // MARK: Requests

  func tableInQuestion(at row: Int) -> RealmString? { selection.table }

  func perform(_ request: Request, at row: Int) -> [Effect]? {
    guard rows.indices.contains(row) else { return nil }
    switch request {
    case .open: return open(rows[row])
    case .copy: return [.copy(Array(rows[row].label.string.utf8), what: rows[row].label.string)]
    default: return nil
    }
  }

  private func open(_ row: Row) -> [Effect] {
    guard let table = context.realm.table(named: selection.table), row.filter != nil || row.predicate != nil else {
      return [.say(.info(row.isRest ? "too many values to list" : "no filter finds these values"))]
    }
    var arrangement = RowsArrangement()
    // Only the part that was counted is shown.
    arrangement.filters = selection.marks.map { [ObjectFilter($0)] } ?? []
    // No query can ask for all the values in a list or dictionary.
    if let text = row.filter,
      let filter = try? ObjectFilter(text, of: table, in: context.snapshot, inverses: context.inverses)
    {
      arrangement.filters.append(filter)
    } else {
      arrangement.subject = row.predicate
    }
    return [.push(ObjectsView(context, selection.source, crumb: row.label.string, arrangement: arrangement))]
  }

  func collect(at row: Int) -> [Effect] {
    guard let task = counting else { return [] }
    return task.collect(context) {
      counting = nil
    } finished: { result in
      (summary, rows) = (result, [])
      do {
        try makeRows(result)
      } catch {
        return [.say(context.message(error))]
      }
      makeTable()
      guard result.damaged > 0 else { return [] }
      return [.say(.warning(CountText.counted(result.damaged, "value") + " could not be read"))]
    }
  }

  var work: WorkStatus? { counting?.status }

  func stopWork() {
    counting?.progress.stop()
    counting = nil
  }

  func refresh(keeping row: Int) -> Int? { row }

  func reload(keeping row: Int) -> Int? {
    guard let table = context.realm.table(named: selection.table),
      table.schema.properties.indices.contains(property),
      table.schema.properties[property].name.description == name
    else { return nil }
    stopWork()
    isReloaded = true
    start()
    return row
  }
}
