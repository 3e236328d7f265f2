import RealmPresentation
import RealmQuery
import RealmStorage
import RealmSystem
import RealmText

/// The properties of a class in numbers: a row for each.
final class SummaryView: TableView, WorkingView {
  let kind = ViewKinds.summary
  let crumb: String

  let context: ViewContext
  private let selection: ObjectSelection
  private var columns: [(name: String, type: String, property: Int)] = []
  var task: BackgroundTask<ClassSummary>?
  private var summary: ClassSummary?
  var table = TextTable()
  private var isReloaded = false
  /// Approximate numbers are marked.
  private static let estimate = "~"

  /// - Parameter className: if nothing else in the path names the class.
  init(_ context: ViewContext, _ selection: ObjectSelection, className: String? = nil) {
    (self.context, self.selection) = (context, selection)
    crumb = "summary" + (className.map { " of \($0)" } ?? "")
    start()
  }

  private func start() {
    guard let source = context.realm.table(named: selection.table) else { return }
    columns = source.schema.properties.enumerated().filter { !$1.isComputed }.map {
      ($1.name.description, $1.shorthand, $0)
    }
    let (selection, realm, wanted) = (selection, context.realm, columns.map { SummaryColumn.property($0.property) })
    let total = selection.count(in: realm) * wanted.count
    task = context.start("summarizing", total: total) { progress, _ in
      // Pages that the key loop has read stay out of this thread's memory.
      let own = realm.isReadInPages ? try realm.withoutPages() : realm
      guard let table = own.table(named: selection.table) else { throw BrowserProblem.stale }
      let keys = try selection.objects(in: own, progress).keys.map { ObjectKeySet($0) }
      let options = SummaryOptions(threadCount: Processors.threadCount(forBytes: own.bytes.physicalSize), top: 1) {
        try progress.advance(by: $0)
      }
      return try ClassSummary(of: table, in: own.snapshot, wanted, among: keys, options)
    }
  }

  var rowCount: Int { summary == nil ? 0 : columns.count }
  var emptyText: String { work != nil ? "" : summary == nil ? "not counted" : "no properties" }

  // MARK: Drawing

  private func makeTable() {
    fill(
      [
        .flexible("property", rank: 10), .left("type", rank: 3), .right("values", rank: 9), .right("null", rank: 8),
        .right("distinct", rank: 7), .flexible("smallest", rank: 6), .flexible("largest", rank: 5),
        .flexible("average", rank: 2), .flexible("most frequent", rank: 4),
      ], columns.indices.map(cells))
  }

  private func cells(_ row: Int) -> [CellText] {
    guard let summary, summary.columns.indices.contains(row) else { return [] }
    let (column, found) = (columns[row], summary.columns[row])
    var share = ""
    if found.nulls > 0 { share = CountText.share(found.nulls, of: found.values + found.nulls) }
    var frequent = context.text(limit: 60)
    if let top = found.frequencies.first, top.count.value == 1, found.values + found.nulls > 1 {
      if !found.distinct.isEstimate { frequent.append("all different", .faint) }
    } else if let top = found.frequencies.first {
      context.printer.append(owned: top.value, to: &frequent)
      frequent.append(
        " \(context.typography.times)\(top.count.isEstimate ? Self.estimate : "")\(CountText.grouped(top.count.value))",
        Style(.count))
    }
    let distinct = (found.distinct.isEstimate ? Self.estimate : "") + CountText.grouped(found.distinct.value)
    return [
      context.text(column.name), context.text(column.type, Style(.type)), context.text(CountText.grouped(found.values)),
      context.text(share), context.text(distinct), text(found.least), text(found.greatest), text(found.mean), frequent,
    ]
  }

  private func text(_ value: Value) -> CellText {
    value == .null ? context.text() : context.printer.print(owned: value, limit: 40)
  }

  func status(_ row: Int) -> CellText {
    guard let summary, summary.columns.indices.contains(row) else { return context.text() }
    let column = summary.columns[row]
    var parts = [CountText.counted(summary.objectCount, "object")]
    if let sizes = column.sizes, sizes.collections > 0 {
      parts.append("collections of \(CountText.grouped(sizes.least)) to \(CountText.grouped(sizes.greatest))")
    }
    if isReloaded, let remark = selection.remarkAfterReload { parts[0] += " " + remark }
    if column.damaged > 0 { parts.append(CountText.counted(column.damaged, "value") + " could not be read") }
    return context.text(parts.joined(separator: ", "), column.damaged > 0 ? Style(.warning) : .faint)
  }

  // MARK: Requests

  func tableInQuestion(at row: Int) -> RealmString? { selection.table }

  func perform(_ request: Request, at row: Int) -> [Effect]? {
    guard columns.indices.contains(row), summary != nil else { return nil }
    switch request {
    case .open, .columnSummary:
      return [.push(HistogramView(context, selection, property: columns[row].property, name: columns[row].name))]
    case .copy: return [.copy(Array(columns[row].name.utf8), what: columns[row].name)]
    default: return nil
    }
  }

  func take(_ result: ClassSummary) -> [Effect] {
    summary = result
    makeTable()
    guard !result.damage.isEmpty else { return [] }
    var tally = DamageTally()
    tally.add(result.damage)
    return [.say(.warning(tally.text ?? "some values could not be read"))]
  }

  func reload(keeping row: Int) -> Int? {
    guard context.realm.table(named: selection.table) != nil else { return nil }
    stopWork()
    (summary, isReloaded) = (nil, true)
    start()
    return row
  }
}
