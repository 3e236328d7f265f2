import RealmPresentation
import RealmQuery
import RealmStorage
import RealmText

/// One property in numbers: how many values are in each of some ranges, or which ones are the most frequent.
final class HistogramView: TableView, WorkingView {
  let kind = ViewKinds.histogram
  let crumb: String

  let context: ViewContext
  private let selection: ObjectSelection
  private let property: Int
  private let name: String
  var task: BackgroundTask<ColumnSummary>?
  private var summary: ColumnSummary?
  private var rows: [Row] = []
  var table = TextTable()
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
    start()
  }

  private func start() {
    let (selection, realm, property) = (selection, context.realm, property)
    task = context.start("summarizing", total: selection.count(in: realm)) { progress, _ in
      let own = realm.isReadInPages ? try realm.withoutPages() : realm
      guard let table = own.table(named: selection.table) else { throw BrowserProblem.stale }
      let keys = try selection.objects(in: own, progress).keys.map { ObjectKeySet($0) }
      let options = SummaryOptions(top: Self.mostFrequent) { try progress.advance(by: $0) }
      let found = try ClassSummary(of: table, in: own.snapshot, [.property(property)], among: keys, options)
      guard let column = found.columns.first else { throw BrowserProblem.stale }
      return column
    }
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
        let (lower, upper) = (try context.written(owned: bin.lower), try context.written(owned: bin.upper))
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
        rows.append(
          Row(
            label: context.printer.print(owned: .null, limit: 4096), count: summary.nulls, isEstimate: false,
            filter: "\(path) == null",
            predicate: DistinctPredicate(identity: .null, property: property)))
      }
      return
    }
    for entry in summary.frequencies {
      let label = context.printer.print(owned: entry.value, limit: 200)
      let filter = try context.written(owned: entry.value).map { "\(path) == \($0)" }
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

  // MARK: Drawing

  private func makeTable() {
    let most = max(rows.filter { !$0.isRest }.map(\.count).max() ?? 1, 1)
    let total = summary.map { $0.values + $0.nulls } ?? 0
    fill(
      [
        .flexible(name, rank: 9, reservedWidth: 12), .right("count", rank: 8), .right("share", rank: 7),
        .left("", rank: 1, reservedWidth: Self.barWidth),
      ],
      rows.map { row in
        let bar = row.count == 0 || row.isRest ? 0 : max(row.count * Self.barWidth / most, 1)
        return [
          row.label, context.text((row.isEstimate ? "~" : "") + CountText.grouped(row.count)),
          context.text(CountText.share(row.count, of: total)),
          context.text(String(repeating: Character(context.typography.bar), count: bar), Style(.count)),
        ]
      })
  }

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

  func take(_ result: ColumnSummary) -> [Effect] {
    (summary, rows) = (result, [])
    return context.effects {
      try makeRows(result)
      makeTable()
      guard result.damaged > 0 else { return [] }
      return [.say(.warning(CountText.counted(result.damaged, "value") + " could not be read"))]
    }
  }

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
