import RealmPresentation
import RealmStorage

/// A table of objects: those of a whole class, of a list of links, those that link to an object, or those that match a
/// filter.
///
/// Only the visible objects are read.
final class ObjectsView: BrowserView {
  let kind = ViewKinds.objects

  let context: ViewContext
  let source: RowsSource
  /// All objects of the source, before filters and sorting.
  private(set) var base: (any ObjectRows)?
  /// The objects that are shown.
  private(set) var rows: (any ObjectRows)?
  var columns: ObjectColumns
  private(set) var arrangement: RowsArrangement
  private var arranging: BackgroundTask<ShownRows>?
  /// A search that is running, and the message if it finds nothing.
  var searching: (task: BackgroundTask<FoundCell>, failure: (FoundCell) -> String)?
  /// What to do with an object that the user picks with Enter, if the view is for that.
  var picked: ((ObjectKey) -> [Effect])?
  /// Reads key paths that are columns.
  var pathReader: PathReader?
  /// What was shown of objects before the file was read again, with a text for each column; and what has changed since.
  private var remembered: [ObjectKey: [String: String]] = [:]
  private var changed: [ObjectKey: Set<String>] = [:]
  /// What is being marked.
  var marking: BackgroundTask<RowMarks>?
  private var area = ScreenSize(columns: 80, rows: 20)
  /// The object on which the cursor will be once the rows have been found.
  private var keptKey: ObjectKey?
  /// The row of the cursor at the last check while rows are being found; nil if it may go anywhere. If the user has
  /// moved it meanwhile, it stays on its new object.
  private var followedRow: Int?
  private var problem: StorageError?
  /// The arrangement whose rows are known, and these rows: both are restored if the next one is stopped or fails.
  private var settled: (arrangement: RowsArrangement, rows: (any ObjectRows)?) = (RowsArrangement(), nil)
  /// Where the cursor is at first.
  private var startRow: Int?
  /// What could not be kept when the file was read again.
  private var remark: Message?
  private let name: String
  /// The filter that `name` describes, which may be removed; nil if it describes the source.
  private let namedFilter: String?
  /// Whether the view is of a whole class as the user left it, and not of objects that were selected from it.
  private let isKept: Bool

  /// - Parameters:
  ///   - crumb: the view's part of the path.
  ///   - arrangement: order and filter at first.
  init(
    _ context: ViewContext, _ source: RowsSource, crumb: String, arrangement: RowsArrangement = RowsArrangement()
  ) {
    self.context = context
    self.source = source
    (name, namedFilter) = (crumb, arrangement.subject == nil ? arrangement.filters.last?.text : nil)
    self.arrangement = arrangement
    if case .table = source { isKept = arrangement.isPlain } else { isKept = false }
    columns = ObjectColumns(TableSchema(name: ""))
    openSource()
    if let table { columns = ObjectColumns(table.schema) }
    if let kept = keptTable { restore(kept) } else if !arrangement.isPlain { arrange(keeping: nil) }
  }

  // MARK: Leaving and coming back

  /// How the class was last shown; nil in views of anything but a whole class.
  private var keptTable: KeptTable? {
    guard isKept, case .table(let name) = source else { return nil }
    return context.keptTables[name]
  }

  private func restore(_ kept: KeptTable) {
    let plain = columns
    columns.takeOver(kept.columns)
    preparePaths()
    arrangement = kept.arrangement
    keptKey = kept.key
    startRow = kept.row
    guard kept.realm.isSameState(as: context.realm) else {
      if let table { remakeArrangement(for: table, kept.columns) } else { columns = plain }
      return arrange(keeping: nil)
    }
    guard let table, let keys = kept.keys else { return }
    rows = rows(of: keys, in: table)
    settled = (arrangement, rows)
  }

  private func rows(of keys: [ObjectKey], in table: Table) -> (any ObjectRows)? {
    RowsSource.keys(table: table.schema.name, keys).opened(in: context.realm)
  }

  func close(at row: Int) {
    guard isKept, case .table(let name) = source, base != nil else { return }
    context.keptTables[name] = KeptTable(
      realm: context.realm, columns: columns, arrangement: arrangement,
      keys: arrangement.isPlain ? nil : (rows as? any ObjectRowsWithKeys)?.keys, key: self.row(at: row).key, row: row)
  }

  /// The rows shown until a filter or an order has found its own: if the view is about some objects only, not the
  /// others.
  private var rowsMeanwhile: (any ObjectRows)? { arrangement.subject == nil ? base : nil }

  var crumb: String {
    guard let namedFilter, !arrangement.filters.contains(where: { $0.text == namedFilter }), let table else {
      return name
    }
    return table.schema.displayName.description
  }

  var table: Table? { base?.table }
  var rowCount: Int { rows?.count ?? 0 }
  var columnNames: [String] { columns.columns.dropFirst().map(\.name) }

  private func openSource() {
    do {
      base = try source.open(in: context.realm)
      problem = nil
    } catch let error as StorageError {
      problem = error
    } catch {
      base = nil
    }
    rows = rowsMeanwhile
    settled = (RowsArrangement(subject: arrangement.subject), rows)
  }

  func row(at position: Int) -> ObjectRow {
    guard let rows, position >= 0, position < rows.count else { return .absent("not there") }
    return rows.row(at: position)
  }

  // MARK: Drawing

  func layOut(in area: ScreenSize, visible: Range<Int>) {
    self.area = area
    measure(visible)
    columns.layOut(width: area.columns)
    if work == nil { findChanges(in: visible) }
  }

  private var showsTypes: Bool { area.rows > 9 }

  private func measure(_ visible: Range<Int>) {
    let range = visible.isEmpty ? 0..<min(area.rows, rowCount) : visible.clamped(to: 0..<rowCount)
    var measured = columns
    measured.measure { column, most in widest(column, in: range, atMost: most) }
    columns = measured
  }

  func widest(_ column: Int, in range: Range<Int>, atMost most: Int) -> Int {
    range.reduce(0) { max($0, text(of: row(at: $1), column: column, position: $1, limit: most).width) }
  }

  func header() -> [[Cell]] {
    var lines = filterLine.map { [$0] } ?? []
    lines.append(headerLine { context.text(title(of: $0), Style(.heading)) })
    if showsTypes { lines.append(headerLine { context.text(columns.columns[$0].type, Style(.type)) }) }
    return lines
  }

  private func title(of column: Int) -> String {
    let entry = columns.columns[column]
    var title = (entry.isPrimaryKey ? "*" : "") + entry.name
    if let property = entry.property, property == arrangement.sortProperty {
      title += arrangement.isDescending ? context.typography.descending : context.typography.ascending
    }
    return title
  }

  private func headerLine(_ text: (Int) -> CellText) -> [Cell] {
    var line = self.line { text($0) }
    let more = columns.hasMore
    if more.right, line.count > 1 { line[line.count - 1] = Cell(context.typography.moreRight, Style(.heading)) }
    if more.left { line[0] = Cell(context.typography.moreLeft, Style(.heading)) }
    return line
  }

  var emptyText: String {
    if work != nil { return "" }
    return arrangement.isPlain ? "no objects" : "nothing matches"
  }

  private func line(_ text: (Int) -> CellText) -> [Cell] {
    columns.line(after: [.blank()], width: area.columns, text)
  }

  func line(_ position: Int, isCursor: Bool) -> [Cell] {
    let row = row(at: position)
    guard case .object = row else { return lineWithoutObject(row, position, isCursor) }
    var line = line { column in
      var text = text(of: row, column: column, position: position, limit: area.columns)
      if let key = row.key, changed[key]?.contains(columns.columns[column].name) ?? false { text.mark(0..<text.width) }
      return text
    }
    let isMarked = isMarked(row)
    if isMarked, let first = line.first {
      line[0] = Cell(context.typography.mark, Style(.key, first.style.emphasis))
    }
    let typography = context.typography
    if isCursor { columns.emphasize(&line, from: 1, isMarked ? typography.cursorOnMark : typography.cursor) }
    return line
  }

  private func lineWithoutObject(_ row: ObjectRow, _ position: Int, _ isCursor: Bool) -> [Cell] {
    var text = context.text(" ", limit: area.columns)
    switch row {
    case .damaged(let error): context.printer.append(error, to: &text)
    case .absent(let reason): text.append(reason, .faint)
    case .object: break
    }
    return context.line(text, width: area.columns, isCursor: isCursor)
  }

  /// - Parameter position: the position of the row, shown in lists.
  func text(of row: ObjectRow, column: Int, position: Int? = nil, limit: Int) -> CellText {
    var text = context.printer.text(limit: limit)
    guard case .object(let batch, let index) = row else { return text }
    if column == 0, let position, isList { text.append("[\(position)] ", Style(.count)) }
    if let property = columns.columns[column].property {
      context.printer.append(property: property, of: batch, index, to: &text)
      if isChanged(property, of: batch, index) { text.setRole(.changed) }
    } else if let path = columns.columns[column].path {
      append(path: path, of: batch, index, to: &text)
    } else {
      text.append(String(batch.key(at: index).rawValue), Style(.key))
    }
    return text
  }

  /// Whether rows are the elements of a list, each at its place.
  private var isList: Bool {
    if case .links = source, arrangement.isPlain { true } else { false }
  }

  // MARK: Changes

  func rememberValues(in visible: Range<Int>) {
    (remembered, changed) = ([:], [:])
    for position in visible where position < rowCount {
      let row = row(at: position)
      guard let key = row.key else { continue }
      remembered[key] = texts(of: row)
    }
  }

  private func texts(of row: ObjectRow) -> [String: String] {
    var texts: [String: String] = [:]
    for (index, _) in columns.layout {
      texts[columns.columns[index].name] = text(of: row, column: index, limit: 200).string
    }
    return texts
  }

  /// What differs now; new objects count as changed in all columns.
  private func findChanges(in visible: Range<Int>) {
    guard !remembered.isEmpty else { return }
    for position in visible where position < rowCount {
      let row = row(at: position)
      guard let key = row.key else { continue }
      let now = texts(of: row)
      let names = now.filter { remembered[key]?[$0.key] != $0.value }.map(\.key)
      if !names.isEmpty { changed[key] = Set(names) }
    }
    remembered = [:]
  }

  func forgetChanges() { changed = [:] }

  // MARK: Mouse

  func click(column: Int, headerLine: Int, isHeader: Bool, at row: Int) -> [Effect]? {
    var left = 1
    for (index, width) in columns.layout {
      if (left..<left + width + columns.gap).contains(column) {
        let wasFocused = columns.focus == index
        columns.moveFocus(to: index)
        guard isHeader else { return [] }
        return wasFocused || index > 0 ? perform(.sort, at: row) : []
      }
      left += width + columns.gap
    }
    return nil
  }

  func status(_ position: Int) -> CellText {
    var text = context.text()
    if let problem {
      context.printer.append(problem, to: &text)
      return text
    }
    if columns.hiddenCount > 0 {
      text.append(CountText.counted(columns.hiddenCount, "column") + " hidden (U)  ", Style(.count))
    }
    if !marks.isEmpty { text.append(CountText.grouped(marks.count) + " marked  ", Style(.count)) }
    let row = row(at: position)
    guard case .object = row else { return text }
    let column = columns.focused
    text.append(columns.focus == 0 ? "object" : column.name, Style(.heading))
    text.append(" " + column.type + "  ", Style(.type))
    text.append(self.text(of: row, column: columns.focus, limit: 4096))
    return text
  }

  /// The active filters, or the last ones if there is no room for all.
  private var filterLine: [Cell]? {
    context.filterLine(arrangement.filters.map(\.text))?.fittedAtEnd(to: area.columns)
  }

  // MARK: Filter and order

  /// Finds the rows again, the cursor staying on its object.
  func arrange(keeping position: Int?) {
    arranging.stop()
    if let position { keptKey = row(at: position).key ?? keptKey }
    followedRow = position
    guard !arrangement.isPlain, let base else {
      rows = base
      settled = (arrangement, rows)
      return
    }
    let (source, realm, arrangement) = (source, context.realm, arrangement)
    arranging = context.start(workTitle, total: base.count * arrangement.unitsPerObject) { progress, publish in
      try arrangement.rows(of: source, in: realm, progress, publish)
    }
  }

  private var workTitle: String {
    guard let property = arrangement.sortProperty, let table else { return "filtering" }
    let sorting = "sorting by \(table.schema.properties[property].name)"
    return arrangement.filters.isEmpty ? sorting : "filtering and " + sorting
  }

  func setArrangement(_ change: (inout RowsArrangement) -> Void) { change(&arrangement) }

  func collect(at position: Int) -> [Effect] {
    let said = remark.map { [Effect.say($0)] } ?? []
    remark = nil
    return start() + collectRows(at: position) + collectSearch() + collectMarks() + said
  }

  private func start() -> [Effect] {
    guard let row = startRow else { return [] }
    startRow = nil
    guard arranging == nil else { return [] }
    return [.move(to: takeKeptKey(near: row) ?? clamped(row))]
  }

  private func collectRows(at position: Int) -> [Effect] {
    guard let task = arranging, let table else { return [] }
    switch task.state {
    case .running(nil): return []
    case .running(let partial?):
      follow(position)
      rows = rows(of: partial.keys, in: table)
      return keepPlace(position, isLast: false)
    case .finished(let shown):
      arranging = nil
      follow(position)
      rows = rows(of: shown.keys, in: table)
      settled = (arrangement, rows)
      let place = keepPlace(position, isLast: true)
      if shown.keys.isEmpty, let filter = arrangement.filters.last {
        let doubt = filter.doubt.map { "; " + $0 } ?? ""
        let way = arrangement.filters.count == 1 ? "shows all again" : "removes the last filter"
        return [.say(.failure("nothing matches" + doubt + "; Esc " + way, shown.damage))]
      }
      return place + (shown.remark.map { [.say(.warning($0))] } ?? [])
    case .stopped:
      arranging = nil
      return []
    case .failed(let error):
      arranging = nil
      goBackToSettled()
      return [.say(context.message(error))]
    }
  }

  /// After an arrangement failed, restores what was shown before: showing a filter or an order without its rows would
  /// be wrong.
  private func goBackToSettled() { (arrangement, rows) = settled }

  /// Notices whether the cursor was moved while rows are found.
  private func follow(_ position: Int) {
    guard let row = followedRow, row != position else { return }
    (keptKey, followedRow) = (self.row(at: position).key, position)
  }

  /// Puts the cursor on its object among the rows found so far. If the object is not among them, it is at the top until
  /// the object may have been found.
  private func keepPlace(_ position: Int, isLast: Bool) -> [Effect] {
    let found = keptKey.flatMap { rows?.position(of: $0, near: position) }
    defer { if isLast { (keptKey, followedRow) = (nil, nil) } }
    guard found != nil || followedRow != nil else { return [] }
    let place = found ?? 0
    followedRow = place
    return [.move(to: place)]
  }

  private func takeKeptKey(near position: Int) -> Int? {
    guard let key = keptKey else { return nil }
    keptKey = nil
    return rows?.position(of: key, near: position)
  }

  /// Shows the rows in the arrangement that has been set.
  ///
  /// - Parameter position: the cursor stays on the object there; nil if it need not.
  func showAll(keeping position: Int?) -> [Effect] {
    arrange(keeping: position)
    guard arrangement.isPlain else { return [] }
    return takeKeptKey(near: position ?? 0).map { [.move(to: $0)] } ?? []
  }

  var work: WorkStatus? { searching?.task.status ?? marking?.status ?? arranging?.status }

  func stopWork() {
    searching?.task.progress.stop()
    searching = nil
    marking.stop()
    guard arranging != nil else { return }
    arranging.stop()
    goBackToSettled()
  }

  func dropFilter(at position: Int) -> [Effect]? {
    guard arrangement.filters.popLast() != nil else { return nil }
    return showAll(keeping: position)
  }

  // MARK: Reload

  func tableInQuestion(at row: Int) -> RealmString? { table?.schema.name }

  func refresh(keeping position: Int) -> Int? {
    let keys = (rows as? any ObjectRowsWithKeys)?.keys
    let known = settled.arrangement
    openSource()
    guard let table else { return nil }
    if let keys { rows = rows(of: keys, in: table) }
    settled = (known, rows)
    preparePaths()
    return position
  }

  func reload(keeping position: Int) -> Int? {
    marking.stop()
    searching?.task.progress.stop()
    searching = nil
    let key = row(at: position).key
    let shown = arrangement.isPlain ? nil : (rows as? any ObjectRowsWithKeys)?.keys
    openSource()
    guard let table else { return nil }
    let old = columns
    columns = ObjectColumns(table.schema)
    columns.takeOver(old)
    preparePaths()
    remakeArrangement(for: table, old)
    arrange(keeping: nil)
    if !arrangement.isPlain {
      keptKey = key
      // Until the rows have been found again, the remaining old ones are shown, but never any that the filter hides.
      if arranging != nil {
        let kept = (shown ?? []).prefix(Self.mostKept).filter { ((try? table.object($0)) ?? nil) != nil }
        rows = rows(of: Array(kept), in: table)
        return key.flatMap { rows?.position(of: $0, near: position) } ?? clamped(position)
      }
    }
    // A list may have an object more than once, so that only the position says which element this is.
    let own = isOrderedList ? nil : key.flatMap { base?.position(of: $0, near: position) }
    return own ?? clamped(position)
  }

  /// Whether rows are the elements of a list, in its order and with those that occur again.
  private var isOrderedList: Bool {
    guard arrangement.isPlain, case .links(let address) = source else { return false }
    return ((try? context.realm.value(at: address)) ?? nil)?.collectionKind == .list
  }

  /// Number of rows that are looked up at once after a reload.
  private static let mostKept = 10_000

  /// Finds the properties and the filters again in a schema that may have changed.
  private func remakeArrangement(for table: Table, _ old: ObjectColumns) {
    if let property = arrangement.sortProperty {
      let name = old.columns.first { $0.property == property }?.name ?? ""
      arrangement.sortProperty = columns.position(named: name).flatMap { columns.columns[$0].property }
    }
    let filters = arrangement.filters
    arrangement.filters = []
    for filter in filters {
      guard filter.isText else {
        arrangement.filters.append(filter)
        continue
      }
      do throws(FilterError) {
        arrangement.filters.append(
          try ObjectFilter(
            filter.text, of: table, in: context.snapshot, inverses: context.inverses))
      } catch {
        remark = .warning("filter removed: " + error.text)
      }
    }
  }
}

extension RowsSource {
  func opened(in realm: BrowsedRealm) -> (any ObjectRows)? { try? open(in: realm) }
}
