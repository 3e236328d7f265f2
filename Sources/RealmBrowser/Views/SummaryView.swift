import RealmQuery
import RealmStorage
import RealmSystem
import RealmText

/// The properties of a class in numbers: a row for each.
final class SummaryView: BrowserView {
  let kind = ViewKinds.summary
  let crumb: String

  private let context: ViewContext
  private let selection: ObjectSelection
  private var columns: [(name: String, type: String, property: Int)] = []
  private var counting: BackgroundTask<ClassSummary>?
  private var summary: ClassSummary?
  private var table: ListTable
  private var width = 80
  private var isReloaded = false
  /// Approximate numbers are marked.
  private static let estimate = "~"

  /// - Parameter className: if nothing else in the path names the class.
  init(_ context: ViewContext, _ selection: ObjectSelection, className: String? = nil) {
    (self.context, self.selection) = (context, selection)
    crumb = "summary" + (className.map { " of \($0)" } ?? "")
    table = ListTable([], context.typography)
    start()
  }

  private func start() {
    guard let source = context.realm.table(named: selection.table) else { return }
    columns = source.schema.properties.enumerated().filter { !$1.isComputed }.map {
      ($1.name.description, $1.typeText, $0)
    }
    let (selection, realm, wanted) = (selection, context.realm, columns.map { SummaryColumn.property($0.property) })
    let total = selection.count(in: realm) * wanted.count
    let task = BackgroundTask<ClassSummary>("summarizing", total: total) { progress, _ in
      // Pages that the key loop has read stay out of this thread's memory.
      let own = realm.isReadInPages ? try realm.withoutPages() : realm
      guard let table = own.table(named: selection.table) else { throw BrowserProblem.stale }
      let keys = try selection.objects(in: own, progress).keys.map { ObjectKeySet($0) }
      let options = SummaryOptions(threadCount: Processors.threadCount(forBytes: own.bytes.physicalSize), top: 1) {
        try progress.advance(by: $0)
      }
      return try ClassSummary(of: table, in: own.snapshot, wanted, among: keys, options)
    }
    counting = task
    task.start(on: context.executor)
  }

  var rowCount: Int { summary == nil ? 0 : columns.count }
  var emptyText: String { work != nil ? "" : summary == nil ? "not counted" : "no properties" }

  // MARK: Drawing

  private func makeTable() {
    table = ListTable(
      [
        ListTable.Column(title: "property", rank: 10, isFlexible: true, leastWidth: 8),
        ListTable.Column(title: "type", rank: 3),
        ListTable.Column(title: "values", alignment: .right, rank: 9),
        ListTable.Column(title: "null", alignment: .right, rank: 8),
        ListTable.Column(title: "distinct", alignment: .right, rank: 7),
        ListTable.Column(title: "smallest", rank: 6, isFlexible: true),
        ListTable.Column(title: "largest", rank: 5, isFlexible: true),
        ListTable.Column(title: "average", rank: 2, isFlexible: true),
        ListTable.Column(title: "most frequent", rank: 4, isFlexible: true),
      ], context.typography)
    for row in columns.indices { table.append(cells(row)) }
    table.layOut(width: width)
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
    var text = context.text(limit: 40)
    if value != .null { context.printer.append(owned: value, to: &text) }
    return text
  }

  func layOut(in area: ScreenSize, visible: Range<Int>) {
    guard area.columns != width else { return }
    width = area.columns
    table.layOut(width: width)
  }

  func header() -> [[Cell]] { [table.header()] }
  func line(_ row: Int, isCursor: Bool) -> [Cell] { table.line(row, isCursor ? .focus : .none) }

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

  func collect(at row: Int) -> [Effect] {
    guard let task = counting else { return [] }
    return task.collect(context) {
      counting = nil
    } finished: { result in
      summary = result
      makeTable()
      guard !result.damage.isEmpty else { return [] }
      var tally = DamageTally()
      tally.add(result.damage)
      return [.say(.warning(tally.text ?? "some values could not be read"))]
    }
  }

  var work: WorkStatus? { counting?.status }

  func stopWork() {
    counting?.progress.stop()
    counting = nil
  }

  func refresh(keeping row: Int) -> Int? { row }

  func reload(keeping row: Int) -> Int? {
    guard context.realm.table(named: selection.table) != nil else { return nil }
    stopWork()
    (summary, isReloaded) = (nil, true)
    start()
    return row
  }
}
