import RealmPresentation
import RealmStorage

/// The results of `:find` in all classes: a row for each value, with its class, object and property.
final class FindView: TableView, WorkingView {
  let kind = ViewKinds.found
  let crumb: String

  let context: ViewContext
  private let wanted: FoundValues.Wanted
  var task: BackgroundTask<FoundValues>?
  private var found = FoundValues()
  /// Whether everything was searched.
  private var isComplete = false
  /// The results so far.
  var places: [FoundValues.Place] { found.places }
  var table = TextTable()

  init(_ context: ViewContext, _ wanted: FoundValues.Wanted) {
    self.context = context
    self.wanted = wanted
    crumb = "find \(wanted.text)"
    fill([
      .left("class", rank: 8), .flexible("object", rank: 6), .left("property", rank: 7), .flexible("found", rank: 9),
    ])
    start()
  }

  private func start() {
    let (wanted, realm) = (wanted, context.realm)
    task = context.start("looking for \(wanted.text)", total: FoundValues.work(in: realm)) { progress, publish in
      try FoundValues(of: wanted, in: realm, progress, publish)
    }
  }

  var rowCount: Int { found.places.count }
  var emptyText: String { work != nil ? "" : isComplete ? "not found" : "not searched to the end" }

  private func place(_ row: Int) -> FoundValues.Place? {
    found.places.indices.contains(row) ? found.places[row] : nil
  }

  // MARK: Drawing

  private func cells(_ row: Int) -> [CellText] {
    guard let place = place(row) else { return [] }
    return [
      context.text(TableSchema.displayName(ofTable: place.object.table).description, Style(.heading)),
      label(of: place.object, limit: 40),
      context.text(place.property?.description ?? "object key", Style(place.property == nil ? .faint : .plain)),
      text(of: place.snippet),
    ]
  }

  private func label(of object: ObjectAddress, limit: Int) -> CellText {
    var text = context.printer.text(limit: limit)
    switch context.realm.table(named: object.table)?.row(of: object.key) {
    case .object(let batch, let row)?: context.printer.appendLabel(batch, row, isBrief: true, to: &text)
    case .damaged(let error)?: context.printer.append(error, to: &text)
    case .absent?, nil: text.append("#\(object.key.rawValue)", Style(.key))
    }
    return text
  }

  private func text(of snippet: Snippet) -> CellText {
    var text = context.text()
    if snippet.isCutBefore { text.append(context.typography.more, .faint) }
    snippet.bytes.withUnsafeBytes { text.append(utf8: $0) }
    if snippet.isCutBehind { text.append(context.typography.more, .faint) }
    if case .text(let pattern, _) = wanted { for range in pattern.ranges(in: text.cells) { text.mark(range) } }
    return text
  }

  func layOut(in area: ScreenSize, visible: Range<Int>) {
    let rows = visible.isEmpty ? 0..<min(area.rows, rowCount) : visible.clamped(to: 0..<rowCount)
    for row in rows { table.measure(cells(row)) }
    table.layOut(width: area.columns)
  }

  func line(_ row: Int, isCursor: Bool) -> [Cell] { table.line(of: cells(row), isCursor: isCursor) }

  func status(_ row: Int) -> CellText {
    guard let place = place(row) else { return context.text() }
    var text = context.text(place.property?.description ?? "object key", Style(.heading))
    text.append("  ")
    text.append(self.text(of: place.snippet))
    return text
  }

  // MARK: Requests

  func tableInQuestion(at row: Int) -> RealmString? { place(row)?.object.table }

  func hint(for request: Request, at row: Int) -> Hint {
    rowCount == 0 && [.open, .copy, .search].contains(request) ? .none : .standard
  }

  func perform(_ request: Request, at row: Int) -> [Effect]? {
    guard let place = place(row) else { return nil }
    switch request {
    case .open: return open(place)
    case .copy: return copy(place)
    default: return nil
    }
  }

  func perform(_ command: ViewCommand, at row: Int) -> [Effect]? {
    if case .row(let number) = command { goTo(row: number) } else { nil }
  }

  private func open(_ place: FoundValues.Place) -> [Effect] {
    guard let table = context.realm.table(named: place.object.table) else { return [] }
    switch table.row(of: place.object.key) {
    case .damaged(let error): return [.say(context.message(error))]
    case .absent(let reason): return [.say(.info(reason))]
    case .object(let batch, let row):
      let crumb =
        table.schema.displayName.description + context.typography.pathSeparator + context.crumb(of: batch, row)
      let view = ObjectView(context, place.object, crumb: crumb)
      if let property = place.property {
        view.focusProperty = table.schema.properties.firstIndex { $0.name == property }
      }
      return [.push(view)]
    }
  }

  /// The whole value, of which the row shows a part.
  private func copy(_ place: FoundValues.Place) -> [Effect] {
    guard let property = place.property else { return context.copy(place.snippet.bytes) }
    return context.effects {
      guard let value = try context.realm.value(at: ValueAddress(object: place.object, property: property)) else {
        return [.say(.info("nothing to copy"))]
      }
      return context.copy(value)
    }
  }

  // MARK: Work

  func collect(at row: Int) -> [Effect] {
    if case .running(let partial?)? = task?.state { found = partial }
    return collectTask()
  }

  func take(_ result: FoundValues) -> [Effect] {
    (found, isComplete) = (result, true)
    if found.places.isEmpty { return [.say(.failure("not found: \(wanted.text)", found.damage))] }
    let limit = found.isFull ? "only the first \(CountText.grouped(FoundValues.mostPlaces)) are listed" : nil
    let remarks = [limit, found.damage.text].compactMap(\.self)
    return remarks.isEmpty ? [] : [.say(.warning(remarks.joined(separator: "; ")))]
  }

  func reload(keeping row: Int) -> Int? {
    stopWork()
    (found, isComplete) = (FoundValues(), false)
    start()
    return row
  }
}
