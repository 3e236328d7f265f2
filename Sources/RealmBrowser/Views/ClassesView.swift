import RealmPresentation
import RealmStorage
import RealmText

/// The classes of a realm with their objects and sizes; the view everything begins with.
final class ClassesView: TableView {
  let kind = ViewKinds.classes
  let crumb = ""

  let context: ViewContext
  private var showsInternal: Bool
  private var filter = ""
  private var entries: [Entry] = []
  var table = TextTable()
  private var sizing: BackgroundTask<Sizes>?
  private var sizes = Sizes()

  /// A table, or one whose description is damaged.
  private enum Entry {
    case table(Table)
    case damaged(RealmString, StorageError)

    var name: RealmString {
      switch self {
      case .table(let table): table.schema.name
      case .damaged(let name, _): name
      }
    }
  }

  /// The bytes of each table, as far as they are known.
  private struct Sizes: Sendable {
    var bytes: [RealmString: UInt64] = [:]
    /// Tables with parts that could not be read, so that they have more objects than the number says.
    var incomplete: Set<RealmString> = []
  }

  init(_ context: ViewContext, showsInternal: Bool) {
    self.context = context
    self.showsInternal = showsInternal
    listEntries()
    startSizing()
  }

  // MARK: Rows

  var rowCount: Int { entries.count }
  var emptyText: String {
    if !filter.isEmpty { return "no class matches; Esc shows all again" }
    let hidden = hiddenCount
    return hidden == 0 ? "no classes" : "no classes; . shows \(CountText.counted(hidden, "internal table"))"
  }

  /// The row of a table by its full name.
  func row(of name: RealmString) -> Int? { entries.firstIndex { $0.name == name } }

  private func listEntries() {
    let snapshot = context.snapshot
    entries = snapshot.tables.map { .table($0) } + snapshot.damagedTables.map { .damaged($0.name, $0.error) }
    entries = entries.filter { isShown($0.name) }.sorted { left, right in
      let leftIsClass = left.name.hasPrefix(TableSchema.classPrefix)
      let rightIsClass = right.name.hasPrefix(TableSchema.classPrefix)
      return leftIsClass != rightIsClass ? leftIsClass : left.name < right.name
    }
    makeTable()
  }

  private func isShown(_ name: RealmString) -> Bool {
    let isInternal = !name.hasPrefix(TableSchema.classPrefix)
    // While a filter is typed, it narrows the list. An incomplete regular expression hides nothing.
    guard let pattern = try? TextPattern(typed: filter) else { return showsInternal || !isInternal }
    let shown = TableSchema.displayName(ofTable: name)
    return (showsInternal || !isInternal) && shown.utf8.withUnsafeBytes(pattern.searcher().matches)
  }

  private func makeTable() {
    fill(
      [
        .flexible("class", rank: 10), .right("objects", rank: 9), .right("size", rank: 8, reservedWidth: 8),
        .left("kind", rank: 7), .left("primary key", rank: 6), .right("properties", rank: 4),
        .flexible("links to", rank: 5),
      ], entries.map(cells))
  }

  private func cells(of entry: Entry) -> [CellText] {
    switch entry {
    case .damaged(let name, let error):
      return [
        context.text(TableSchema.displayName(ofTable: name).description), context.text("damaged", Style(.damaged)),
        context.text(), context.printer.print(error, limit: 200),
      ]
    case .table(let table):
      let schema = table.schema
      let isInternal = !schema.isClass
      let kind = isInternal ? "internal" : schema.kind.text
      let key = schema.primaryKey.map { "\($0.name) \($0.shorthand)" } ?? ""
      return [
        context.text(schema.displayName.description, isInternal ? .faint : .plain), countText(of: table),
        sizeText(of: schema.name), context.text(kind, Style(.type)), context.text(key, Style(.key)),
        context.text(CountText.grouped(schema.properties.count)), context.text(linkText(of: schema), Style(.link)),
      ]
    }
  }

  private func countText(of table: Table) -> CellText {
    (try? table.objectCount()).map { context.text(CountText.grouped($0)) } ?? context.text("damaged", Style(.damaged))
  }

  private func sizeText(of name: RealmString) -> CellText {
    guard let bytes = sizes.bytes[name] else { return context.text(context.typography.more, .faint) }
    // None of its parts could be distinguished from other bytes.
    if bytes == 0 { return context.text("damaged", Style(.damaged)) }
    return context.text((sizes.incomplete.contains(name) ? ">" : "") + ByteCount.short(bytes))
  }

  private func linkText(of schema: TableSchema) -> String {
    var targets: [String] = []
    for property in schema.properties {
      guard let target = property.targetClass?.description, !targets.contains(target) else { continue }
      targets.append(target)
    }
    return targets.joined(separator: ", ")
  }

  // MARK: Drawing

  func status(_ row: Int) -> CellText {
    guard entries.indices.contains(row) else { return context.text() }
    if case .damaged(_, let error) = entries[row] { return context.printer.print(error, limit: 4096) }
    let realm = context.realm
    var facts = ["format \(realm.snapshot.header.format)"]
    if realm.bytes.isEncrypted { facts.append("encrypted") }
    facts.append(ByteCount.short(realm.bytes.physicalSize))
    if let version = realm.snapshot.schema.version { facts.append("schema version \(version)") }
    if !filter.isEmpty { facts.insert("filter: \(filter)", at: 0) }
    let hidden = hiddenCount
    if hidden > 0 { facts.append("\(CountText.counted(hidden, "internal table")) hidden (.)") }
    return context.text(facts.joined(separator: ", "), .faint)
  }

  private var hiddenCount: Int {
    showsInternal ? 0 : context.snapshot.tables.count { !$0.schema.isClass }
  }

  // MARK: Requests

  func hint(for request: Request, at row: Int) -> Hint {
    request == .open && entries.isEmpty ? .none : .standard
  }

  func editPlace(at row: Int) -> EditPlace? { tableInQuestion(at: row).map { EditPlace(table: $0) } }
  func tableInQuestion(at row: Int) -> RealmString? {
    entries.indices.contains(row) ? entries[row].name : nil
  }

  func perform(_ request: Request, at row: Int) -> [Effect]? {
    switch request {
    case .open: return open(row)
    case .filter: return [.ask(filterPrompt(row))]
    case .classSummary:
      guard entries.indices.contains(row), case .table(let table) = entries[row] else { return nil }
      let name = table.schema.name
      return [
        .push(
          SummaryView(
            context, ObjectSelection(table: name, source: .table(name), marks: nil, columns: nil),
            className: table.schema.displayName.description))
      ]
    case .toggleInternal:
      showsInternal.toggle()
      return keeping(row) { listEntries() } + [
        .say(.info(showsInternal ? "internal tables are listed" : "internal tables are hidden"))
      ]
    case .copy:
      guard entries.indices.contains(row) else { return nil }
      let name = TableSchema.displayName(ofTable: entries[row].name)
      return [.copy(name.utf8, what: CountText.counted(name.utf8.count, "byte"))]
    default: return nil
    }
  }

  private func open(_ row: Int) -> [Effect] {
    guard entries.indices.contains(row) else { return [] }
    switch entries[row] {
    case .table(let table):
      return [.push(ObjectsView(context, .table(table.schema.name), crumb: table.schema.displayName.description))]
    case .damaged(_, let error): return [.say(context.message(error))]
    }
  }

  // MARK: Filter

  private func filterPrompt(_ row: Int) -> Prompt {
    let before = filter
    return Prompt(
      .classFilter, label: "filter: ", text: filter,
      changed: { [self] text in keeping(row) { setFilter(text) } },
      cancelled: { [self] in keeping(row) { setFilter(before) } },
      submitted: { [self] text in keeping(row) { setFilter(text) } })
  }

  private func setFilter(_ text: String) {
    filter = text
    listEntries()
  }

  /// Keeps the cursor on its table while the list changes.
  private func keeping(_ row: Int, _ change: () -> Void) -> [Effect] {
    let name = tableInQuestion(at: row)
    change()
    return [.move(to: name.flatMap(self.row(of:)) ?? 0)]
  }

  func perform(_ command: ViewCommand, at row: Int) -> [Effect]? {
    switch command {
    case .filter(let text): keeping(row) { setFilter(text) }
    case .row(let number): [.move(to: number - 1)]
    default: nil
    }
  }

  func dropFilter(at row: Int) -> [Effect]? { filter.isEmpty ? nil : keeping(row) { setFilter("") } }

  // MARK: Sizes

  private func startSizing() {
    let realm = context.realm
    let names = realm.snapshot.tables.map(\.schema.name)
    sizing = context.start("adding up sizes", total: names.count) { progress, publish in
      try Self.sizes(of: names, in: realm, progress, publish)
    }
    takeSizes()
  }

  private static func sizes(
    of names: [RealmString], in realm: BrowsedRealm, _ progress: TaskProgress, _ publish: (Sizes) -> Void
  ) throws -> Sizes {
    var sizes = Sizes()
    let visited = ByteCounting.VisitedNodes()
    // A realm of its own, whose pages can be released while this continues.
    var own = realm.isReadInPages ? try realm.withoutPages() : realm
    for name in names {
      guard let table = own.table(named: name) else { continue }
      var counting = table.byteCounting(noting: visited)
      var isSpent = false
      while counting.advance(nodes: 4096) {
        try progress.check()
        guard own !== realm, own.holdsTooMuch else { continue }
        counting.releasePages()
        isSpent = true
      }
      sizes.bytes[name] = counting.byteCount
      if counting.damagedParts > 0 { sizes.incomplete.insert(name) }
      if isSpent { own = try realm.withoutPages() }
      try progress.advance(by: 1)
      publish(sizes)
    }
    return sizes
  }

  func collect(at row: Int) -> [Effect] {
    takeSizes()
    return []
  }

  private func takeSizes() {
    switch sizing?.state {
    case .running(let partial?)?: sizes = partial
    case .finished(let result)?:
      sizes = result
      sizing = nil
    case .failed?, .stopped?: sizing = nil
    case .running(nil)?, nil: return
    }
    makeTable()
  }

  /// Sizes are computed in the background. Nobody waits for them, so the status line does not mention this.
  var work: WorkStatus? { nil }
  var isBusy: Bool { sizing != nil }

  func refresh(keeping row: Int) -> Int? {
    let name = tableInQuestion(at: row)
    listEntries()
    return name.flatMap(self.row(of:)) ?? clamped(row)
  }

  func reload(keeping row: Int) -> Int? {
    sizing?.progress.stop()
    sizes = Sizes()
    defer { startSizing() }
    return refresh(keeping: row)
  }
}
