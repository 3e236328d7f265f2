import RealmStorage
import RealmText

/// How often each value of a column occurs; of a collection, each of its elements.
final class FrequencyView: BrowserView {
  let kind = ViewKinds.frequency
  let crumb: String

  private let context: ViewContext
  private let source: RowsSource
  private let tableName: RealmString
  private let propertyName: RealmString
  private var counting: BackgroundTask<Frequencies>?
  private var frequencies = Frequencies()
  private var table: ListTable
  private var width = 80
  /// Whether the columns have seen any rows.
  private var isMeasured = false

  init(_ context: ViewContext, _ source: RowsSource, table: Table, property: Int, name: RealmString) {
    self.context = context
    self.source = source
    tableName = table.schema.name
    propertyName = name
    crumb = "frequency of \(name)"
    self.table = ListTable([], context.typography)
    makeTable()
    start(property)
  }

  private func start(_ property: Int) {
    let (source, realm) = (source, context.realm)
    let total = source.opened(in: realm)?.count ?? 0
    let task = BackgroundTask<Frequencies>("counting", total: total) { progress, _ in
      try Frequencies(of: source, property: property, in: realm, progress)
    }
    counting = task
    task.start(on: context.executor)
  }

  var rowCount: Int { frequencies.entries.count + (frequencies.others > 0 ? 1 : 0) }
  var emptyText: String { work == nil ? "no values" : "" }

  // MARK: Drawing

  private func makeTable() {
    table = ListTable(
      [
        ListTable.Column(title: propertyName.description, rank: 9, isFlexible: true, leastWidth: 12),
        ListTable.Column(title: "count", alignment: .right, rank: 8),
        ListTable.Column(title: "share", alignment: .right, rank: 7),
        ListTable.Column(title: "", rank: 1, leastWidth: Self.barWidth),
      ], context.typography)
    isMeasured = false
  }

  private static let barWidth = 20

  private func cells(_ row: Int) -> [CellText] {
    guard let entry = entry(row) else {
      let text = context.text("more values, too many to list", .faint)
      return [text, context.text(CountText.grouped(frequencies.others)), share(of: frequencies.others)]
    }
    let most = max(frequencies.entries.first?.count ?? 1, 1)
    let bar = String(repeating: Character(context.typography.bar), count: max(entry.count * Self.barWidth / most, 1))
    return [
      text(of: entry), context.text(CountText.grouped(entry.count)), share(of: entry.count),
      context.text(bar, Style(.count)),
    ]
  }

  /// Nil for the row of values that were too many.
  private func entry(_ row: Int) -> Frequencies.Entry? {
    frequencies.entries.indices.contains(row) ? frequencies.entries[row] : nil
  }

  private func text(of entry: Frequencies.Entry) -> CellText {
    var text = context.printer.text(limit: 200)
    entry.identity.append(to: &text, context.printer)
    return text
  }

  /// With one decimal.
  private func share(of count: Int) -> CellText {
    guard frequencies.total > 0 else { return context.text() }
    let tenths = Int((Double(count) * 1000 / Double(frequencies.total)).rounded())
    return context.text("\(tenths / 10).\(tenths % 10)%")
  }

  func layOut(in area: ScreenSize, visible: Range<Int>) {
    width = area.columns
    let rows = isMeasured ? visible.clamped(to: 0..<rowCount) : 0..<min(area.rows, rowCount)
    isMeasured = true
    for row in rows { table.measure(cells(row)) }
    table.layOut(width: width)
  }

  func header() -> [[Cell]] { [table.header()] }
  func line(_ row: Int, isCursor: Bool) -> [Cell] { table.line(of: cells(row), isCursor ? .focus : .none) }

  func status(_ row: Int) -> CellText {
    let number = CountText.counted(frequencies.entries.count, "different value")
    return context.text(
      "\(number)\(frequencies.others > 0 ? " and more" : ""), \(CountText.grouped(frequencies.total)) in all", .faint)
  }

  // MARK: Requests

  func tableInQuestion(at row: Int) -> RealmString? { tableName }

  func perform(_ request: Request, at row: Int) -> [Effect]? {
    guard let entry = entry(row) else { return nil }
    switch request {
    case .open:
      guard let table = context.realm.table(named: tableName),
        let property = table.schema.properties.firstIndex(where: { $0.name == propertyName })
      else { return [] }
      var arrangement = RowsArrangement()
      arrangement.subject = IdentityPredicate(identity: entry.identity, property: property)
      var crumb = context.printer.text(limit: 24)
      entry.identity.append(to: &crumb, context.printer)
      return [.push(ObjectsView(context, source, crumb: crumb.string, arrangement: arrangement))]
    case .copy:
      switch entry.identity.content {
      case .null: return [.say(.info("null: nothing to copy"))]
      case .collection:
        return [.say(.info("collections inside values are counted together; no single value to copy"))]
      case .link(let table, let key): return context.copy(.link(table, key))
      case .text(let bytes): return context.copy(bytes)
      }
    default: return nil
    }
  }

  func collect(at row: Int) -> [Effect] {
    guard let task = counting else { return [] }
    switch task.state {
    case .running: return []
    case .finished(let result):
      counting = nil
      frequencies = result
      makeTable()
      guard result.damagedValues > 0 else { return [] }
      return [.say(.warning("\(CountText.counted(result.damagedValues, "value")) could not be read"))]
    case .stopped:
      counting = nil
      return []
    case .failed(let error):
      counting = nil
      return [.say(context.message(error))]
    }
  }

  var work: WorkStatus? { counting?.status }

  func stopWork() {
    counting?.progress.stop()
    counting = nil
  }

  func refresh(keeping row: Int) -> Int? { row }

  func reload(keeping row: Int) -> Int? {
    guard let table = context.realm.table(named: tableName),
      let property = table.schema.properties.firstIndex(where: { $0.name == propertyName })
    else { return nil }
    stopWork()
    start(property)
    return row
  }
}
