import RealmPresentation
import RealmQuery
import RealmStorage
import RealmText

/// How often each value of a column occurs; of a collection, each of its elements.
final class FrequencyView: TableView, WorkingView {
  /// What is counted.
  enum Subject {
    /// A property of some objects.
    case column(RowsSource, table: RealmString)
    /// The elements of one collection; `positions` nil for all.
    case elements(ValueAddress, positions: [Int]?)
  }

  let kind = ViewKinds.frequency
  let crumb: String

  let context: ViewContext
  private let subject: Subject
  private let tableName: RealmString
  private let propertyName: RealmString
  var task: BackgroundTask<ColumnSummary>?
  private var summary: ColumnSummary?
  /// In the order in which they are shown.
  private var entries: [ColumnSummary.Frequency] = []
  private var isSortedByValue = false
  var table = TextTable()
  /// Whether any rows have determined the width of the columns.
  private var isMeasured = false

  /// - Parameter name: the name of the property, even if its elements are counted.
  init(_ context: ViewContext, _ subject: Subject, of name: RealmString) {
    self.context = context
    self.subject = subject
    switch subject {
    case .column(_, let table): tableName = table
    case .elements(let address, _): tableName = address.object.table
    }
    propertyName = name
    crumb = "frequency of \(name)"
    makeTable()
    start()
  }

  private var property: (index: Int, property: Property)? {
    guard let schema = context.realm.table(named: tableName)?.schema,
      let index = schema.properties.firstIndex(where: { $0.name == propertyName })
    else { return nil }
    return (index, schema.properties[index])
  }

  private func start() {
    guard let (index, property) = property else { return }
    let (subject, realm) = (subject, context.realm)
    switch subject {
    case .column(let source, _):
      task = context.start("counting", total: source.opened(in: realm)?.count ?? 0) { progress, _ in
        try ValueCounting.summary(of: source, property: index, in: realm, progress)
      }
    case .elements(let address, let positions):
      let total = positions?.count ?? ((try? Elements(of: address, in: realm)) ?? nil)?.count ?? 0
      task = context.start("counting", total: total) { progress, _ in
        let own = realm.isReadInPages ? try realm.withoutPages() : realm
        return try ValueCounting.summary(of: address, property.type, at: positions, in: own, progress)
      }
    }
  }

  var rowCount: Int { entries.count + (others > 0 ? 1 : 0) }
  var emptyText: String { work != nil ? "" : summary == nil ? "not counted" : "no values" }

  /// The number of values that were counted, including null.
  private var total: Int { summary.map { $0.values + $0.nulls } ?? 0 }
  /// The number of occurrences of values that are not listed.
  private var others: Int { max(total - entries.reduce(0) { $0 + $1.count.value }, 0) }

  private var isMixed: Bool { property?.property.type == .mixed }

  // MARK: Drawing

  private func makeTable() {
    fill([
      .flexible(propertyName.description, rank: 9, reservedWidth: 12), .right("count", rank: 8),
      .right("share", rank: 7), .left("", rank: 1, reservedWidth: Self.barWidth),
    ])
    isMeasured = false
  }

  private static let barWidth = 20

  private func cells(_ row: Int) -> [CellText] {
    guard let entry = entry(row) else {
      let text = context.text("more values, too many to list", .faint)
      return [text, context.text(CountText.grouped(others)), share(of: others)]
    }
    let count = entry.count.value
    let most = max(summary?.frequencies.first?.count.value ?? 1, 1)
    let bar = String(repeating: Character(context.typography.bar), count: max(count * Self.barWidth / most, 1))
    return [
      text(of: entry, limit: 200), context.text((entry.count.isEstimate ? "~" : "") + CountText.grouped(count)),
      share(of: count), context.text(bar, Style(.count)),
    ]
  }

  /// Nil for the row that stands for values beyond the limit.
  private func entry(_ row: Int) -> ColumnSummary.Frequency? { entries.indices.contains(row) ? entries[row] : nil }

  private func text(of entry: ColumnSummary.Frequency, limit: Int) -> CellText {
    context.printer.print(owned: entry.value, isMixed: isMixed, limit: limit)
  }

  private func share(of count: Int) -> CellText { context.text(total > 0 ? CountText.share(count, of: total) : "") }

  func layOut(in area: ScreenSize, visible: Range<Int>) {
    let rows = isMeasured ? visible.clamped(to: 0..<rowCount) : 0..<min(area.rows, rowCount)
    isMeasured = true
    for row in rows { table.measure(cells(row)) }
    table.layOut(width: area.columns)
  }

  func line(_ row: Int, isCursor: Bool) -> [Cell] { table.line(of: cells(row), isCursor: isCursor) }

  func status(_ row: Int) -> CellText {
    guard let summary else { return context.text() }
    let count = summary.distinct.value + (summary.nulls > 0 ? 1 : 0)
    let number = CountText.counted(count, "different value")
    return context.text(
      "\(summary.distinct.isEstimate ? "about " : "")\(number), \(CountText.grouped(total)) in all", .faint)
  }

  // MARK: Requests

  func tableInQuestion(at row: Int) -> RealmString? { tableName }

  func perform(_ request: Request, at row: Int) -> [Effect]? {
    if request == .sort { return toggleOrder() }
    guard let entry = entry(row) else { return nil }
    switch request {
    case .open: return open(entry)
    case .copy: return context.copy(owned: entry.value)
    default: return nil
    }
  }

  private func open(_ entry: ColumnSummary.Frequency) -> [Effect] {
    guard let (index, _) = property else { return [] }
    let crumb = text(of: entry, limit: 24).string
    switch subject {
    case .column(let source, _):
      var arrangement = RowsArrangement()
      arrangement.subject = DistinctPredicate(identity: entry.identity, property: index)
      return [.push(ObjectsView(context, source, crumb: crumb, arrangement: arrangement))]
    case .elements(let address, _):
      return [.push(CollectionView(context, address, crumb: crumb, subject: entry.identity))]
    }
  }

  private func toggleOrder() -> [Effect] {
    isSortedByValue.toggle()
    order()
    return [
      .say(.info(isSortedByValue ? "sorted by value" : "sorted by count, most frequent first")), .move(to: 0),
    ]
  }

  private func order() {
    entries = summary?.frequencies ?? []
    guard isSortedByValue else { return }
    let keeper = ValueKeeper()
    withExtendedLifetime(keeper) {
      let views = entries.map { keeper.view(of: $0.value) }
      entries = entries.indices.sorted { left, right in
        let order = ValueOrder.compare(views[left], views[right])
        return order == 0 ? left < right : order < 0
      }.map { entries[$0] }
    }
  }

  func take(_ result: ColumnSummary) -> [Effect] {
    summary = result
    order()
    makeTable()
    guard result.damaged > 0 else { return [] }
    return [.say(.warning("\(CountText.counted(result.damaged, "value")) could not be read"))]
  }

  func reload(keeping row: Int) -> Int? {
    guard property != nil else { return nil }
    if case .elements(let address, _) = subject {
      guard ((try? Elements(of: address, in: context.realm)) ?? nil) != nil else { return nil }
    }
    stopWork()
    start()
    return row
  }
}
