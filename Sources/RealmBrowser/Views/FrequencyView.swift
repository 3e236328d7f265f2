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

  var rowCount: Int { frequencies.entries.count }
  var emptyText: String { work == nil ? "no values" : "" }

  // MARK: Drawing

  private func makeTable() {
    table = ListTable(
      [
        ListTable.Column(title: propertyName.description, rank: 9, isFlexible: true, leastWidth: 12),
        ListTable.Column(title: "count", alignment: .right, rank: 8),
        ListTable.Column(title: "share", alignment: .right, rank: 7),
        ListTable.Column(title: "", rank: 1, leastWidth: 20),
      ], context.typography)
    let most = max(frequencies.entries.first?.count ?? 1, 1)
    for entry in frequencies.entries {
      let bar = String(repeating: Character(context.typography.bar), count: max(entry.count * 20 / most, 1))
      table.append([
        text(of: entry), context.text(NumberText.grouped(entry.count)), context.text(share(of: entry.count)),
        context.text(bar, Style(.count)),
      ])
    }
    table.layOut(width: width)
  }

  private func text(of entry: Frequencies.Entry) -> CellText {
    var text = context.printer.text(limit: 200)
    switch entry.shown {
    case .plain(let bytes): bytes.withUnsafeBytes { text.append(utf8: $0) }
    case .literal(let word): text.append(word, Style(.literal))
    case .link(let table, let key): context.printer.append(.link(table, key), to: &text)
    case .typedLink(let table, let key): context.printer.append(.typedLink(table, key), to: &text)
    case .others(let number): text.append("\(NumberText.counted(number, "other value"))", .faint)
    }
    return text
  }

  /// With one decimal.
  private func share(of count: Int) -> String {
    guard frequencies.total > 0 else { return "" }
    let tenths = Int((Double(count) * 1000 / Double(frequencies.total)).rounded())
    return "\(tenths / 10).\(tenths % 10)%"
  }

  func layOut(in area: ScreenSize, visible: Range<Int>) {
    guard area.columns != width else { return }
    width = area.columns
    table.layOut(width: width)
  }

  func header() -> [[Cell]] { [table.header()] }
  func line(_ row: Int, isCursor: Bool) -> [Cell] { table.line(row, isCursor ? .focus : .none) }

  func status(_ row: Int) -> CellText {
    context.text(
      "\(NumberText.counted(frequencies.entries.count, "value")) in \(NumberText.grouped(frequencies.total))", .faint)
  }

  // MARK: Requests

  func tableInQuestion(at row: Int) -> RealmString? { tableName }

  func perform(_ request: Request, at row: Int) -> [Effect]? {
    guard frequencies.entries.indices.contains(row) else { return nil }
    let entry = frequencies.entries[row]
    switch request {
    case .open:
      guard let table = context.realm.table(named: tableName),
        let property = table.schema.properties.firstIndex(where: { $0.name == propertyName })
      else { return [] }
      guard !entry.identity.isEmpty else { return [.say(.info("these are too many values to tell them apart"))] }
      var arrangement = RowsArrangement()
      arrangement.predicate = IdentityPredicate(identity: entry.identity, property: property)
      arrangement.predicateText = ""
      let name = text(of: entry).fitted(to: min(text(of: entry).width, 24))
      var crumb = context.text()
      for cell in name where !cell.isWideTail { crumb.append(cell.base, cell.style) }
      return [.push(ObjectsView(context, source, crumb: crumb.string, arrangement: arrangement))]
    case .copy:
      let text = text(of: entry).string
      return [.copy(Array(text.utf8), what: NumberText.counted(text.utf8.count, "byte"))]
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
      return [.say(.warning("\(NumberText.counted(result.damagedValues, "value")) could not be read"))]
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

  func reload(keeping row: Int) -> Int? {
    guard let table = context.realm.table(named: tableName),
      let property = table.schema.properties.firstIndex(where: { $0.name == propertyName })
    else { return nil }
    stopWork()
    start(property)
    return row
  }
}
