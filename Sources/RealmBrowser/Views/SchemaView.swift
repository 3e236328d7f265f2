import RealmPresentation
import RealmStorage

/// The schema: classes with their properties, what they link to, and what can link to them.
final class SchemaView: BrowserView {
  let kind = ViewKinds.schema
  let crumb: String

  private let context: ViewContext
  private var rows: [Row] = []
  private var unfolded: Set<RealmString> = []
  private var showsInternal = false
  private var startTable: RealmString?
  private var area = ScreenSize(columns: 80, rows: 20)
  private var nameWidth = 20

  private struct Row {
    enum Content {
      case table(Table)
      case property(Property, isPrimaryKey: Bool)
      case incoming(IncomingLink)
      case damaged(StorageError)
    }

    let table: RealmString
    let content: Content
  }

  /// - Parameter table: full name of the class that is unfolded and has the cursor at first.
  init(_ context: ViewContext, at table: RealmString?, crumb: String = "schema") {
    self.context = context
    self.crumb = crumb
    startTable = table
    if let table { unfolded.insert(table) } else { unfolded = Set(context.snapshot.tables.map(\.schema.name)) }
    if let table, !table.hasPrefix(TableSchema.classPrefix) { showsInternal = true }
    makeRows()
  }

  var rowCount: Int { rows.count }
  var emptyText: String { "no classes" }

  private func makeRows() {
    rows = rows(unfolding: { unfolded.contains($0) })
    let widest = rows.map { name(of: $0).width }.max() ?? 0
    nameWidth = min(max(widest, 16), max(area.columns / 2, 16))
  }

  private func rows(unfolding isUnfolded: (RealmString) -> Bool) -> [Row] {
    var rows: [Row] = []
    let snapshot = context.snapshot
    let tables = snapshot.tables.filter { showsInternal || $0.schema.isClass }.sorted {
      ($0.schema.isClass ? 0 : 1, $0.schema.name) < ($1.schema.isClass ? 0 : 1, $1.schema.name)
    }
    for table in tables {
      let schema = table.schema
      rows.append(Row(table: schema.name, content: .table(table)))
      guard isUnfolded(schema.name) else { continue }
      for (index, property) in schema.properties.enumerated() {
        rows.append(
          Row(table: schema.name, content: .property(property, isPrimaryKey: index == schema.primaryKeyIndex)))
      }
      for link in snapshot.incomingLinks(to: table) {
        rows.append(Row(table: schema.name, content: .incoming(link)))
      }
    }
    for table in snapshot.damagedTables {
      rows.append(Row(table: table.name, content: .damaged(table.error)))
    }
    return rows
  }

  // MARK: Drawing

  func layOut(in area: ScreenSize, visible: Range<Int>) {
    guard area != self.area else { return }
    self.area = area
    makeRows()
  }

  func header() -> [[Cell]] {
    var cells = [Cell.blank()] + context.text("class, property", Style(.heading)).fitted(to: nameWidth) + [.blank()]
    cells += context.text("type", Style(.heading)).fitted(to: max(area.columns - cells.count, 0))
    return [cells]
  }

  private func name(of row: Row) -> CellText {
    var text = context.text("", limit: 200)
    switch row.content {
    case .table(let table):
      let isUnfolded = unfolded.contains(row.table)
      text.append((isUnfolded ? context.typography.unfolded : context.typography.folded) + " ", Style(.count))
      text.append(table.schema.displayName.description, Style(.heading))
    case .property(let property, let isPrimaryKey):
      text.append("    " + property.name.description, isPrimaryKey ? Style(.key) : .plain)
    case .incoming(let link):
      text.append("  " + context.typography.backlink + " ", .faint)
      text.append(context.linkName(link.origin, link.propertyIndex), .faint)
    case .damaged:
      text.append("  " + TableSchema.displayName(ofTable: row.table).description)
    }
    return text
  }

  private func details(of row: Row) -> CellText {
    var text = context.text("", limit: 300)
    switch row.content {
    case .table(let table):
      var parts = [CountText.counted(table.schema.properties.count, "property", "properties")]
      if table.schema.kind != .topLevel { parts.insert(table.schema.kind.text, at: 0) }
      if !table.schema.isClass { parts.insert("internal", at: 0) }
      text.append(parts.joined(separator: ", "), .faint)
    case .property(let property, let isPrimaryKey):
      if property.type == .object { text.append(context.typography.link + " ", Style(.link)) }
      text.append(property.shorthand, Style(.type))
      if isPrimaryKey { text.append(", primary key", Style(.key)) }
      if property.index == .general, !isPrimaryKey { text.append(", indexed", .faint) }
      if property.index == .fullText { text.append(", full-text index", .faint) }
    case .incoming(let link):
      text.append(context.property(link.origin, link.propertyIndex)?.property.shorthand ?? "", .faint)
    case .damaged(let error): context.printer.append(error, to: &text)
    }
    return text
  }

  func line(_ index: Int, isCursor: Bool) -> [Cell] {
    rows.indices.contains(index) ? line(of: rows[index], isCursor: isCursor) : []
  }

  private func line(of row: Row, isCursor: Bool) -> [Cell] {
    var cells = [Cell.blank()] + name(of: row).fitted(to: nameWidth) + [.blank()]
    cells += details(of: row).fitted(to: max(area.columns - cells.count, 0))
    if isCursor { cells.focus(context.typography) }
    return Array(cells.prefix(area.columns))
  }

  func status(_ index: Int) -> CellText {
    guard rows.indices.contains(index) else { return context.text() }
    switch rows[index].content {
    case .table(let table):
      guard let count = try? table.objectCount() else { return context.text("damaged", Style(.damaged)) }
      return context.text(CountText.counted(count, "object"), .faint)
    case .incoming: return context.text("may link to objects of this class", .faint)
    case .property(let property, _):
      return context.text(
        property.target == nil ? "" : "a link to " + (property.targetClass?.description ?? ""), .faint)
    case .damaged(let error): return context.printer.print(error, limit: 4096)
    }
  }

  // MARK: Requests

  func tableInQuestion(at row: Int) -> RealmString? { rows.indices.contains(row) ? rows[row].table : nil }

  func hint(for request: Request, at index: Int) -> Hint {
    guard rows.indices.contains(index) else { return [.open, .fold, .copy].contains(request) ? .none : .standard }
    switch (request, rows[index].content) {
    case (.open, .table): return .text("objects")
    case (.open, .property(let property, _)): return property.target == nil ? .none : .text("go to class")
    case (.open, .incoming): return .text("go to class")
    case (.open, .damaged): return .none
    case (.fold, .table): return unfolded.contains(rows[index].table) ? .text("fold") : .standard
    case (.fold, _): return .text("fold")
    default: return .standard
    }
  }

  func perform(_ request: Request, at index: Int) -> [Effect]? {
    switch request {
    case .schema: return [.replace(LinkMapView(context))]
    case .toggleInternal:
      showsInternal.toggle()
      makeRows()
      return tableInQuestion(at: index).map { moveToTable($0) } ?? []
    default: return rows.indices.contains(index) ? perform(request, in: rows[index]) : nil
    }
  }

  private func perform(_ request: Request, in row: Row) -> [Effect]? {
    switch request {
    case .open: return open(row)
    case .fold: return setUnfolded(row.table, !unfolded.contains(row.table))
    case .right: return unfolded.contains(row.table) ? [] : setUnfolded(row.table, true)
    case .left: return unfolded.contains(row.table) ? setUnfolded(row.table, false) : []
    case .unfoldAll:
      let all = Set(rows.map(\.table))
      unfolded = unfolded.isSuperset(of: all) ? [] : all
      makeRows()
      return moveToTable(row.table)
    case .copy:
      let text = plainName(of: row)
      return [.copy(Array(text.utf8), what: text)]
    default: return nil
    }
  }

  private func open(_ row: Row) -> [Effect] {
    switch row.content {
    case .table(let table):
      return [.push(ObjectsView(context, .table(row.table), crumb: table.schema.displayName.description))]
    case .property(let property, _):
      guard let target = property.target else { return [.say(.info("this property links to nothing"))] }
      return goTo(target)
    case .incoming(let link):
      guard let origin = context.snapshot.table(link.origin) else { return [] }
      return goTo(origin.schema.name)
    case .damaged(let error): return [.say(context.message(error))]
    }
  }

  /// In a separate view, so that going back leads here.
  private func goTo(_ table: RealmString) -> [Effect] {
    [.push(SchemaView(context, at: table, crumb: TableSchema.displayName(ofTable: table).description))]
  }

  /// The name without its marks.
  private func plainName(of row: Row) -> String {
    switch row.content {
    case .table(let table): table.schema.displayName.description
    case .property(let property, _): property.name.description
    case .incoming(let link): context.linkName(link.origin, link.propertyIndex)
    case .damaged: TableSchema.displayName(ofTable: row.table).description
    }
  }

  // MARK: Search

  /// Searches all rows as if all were unfolded, and unfolds the class with the match.
  func find(_ pattern: TextPattern, from start: Int, _ direction: SearchDirection) -> SearchOutcome {
    let all = rows { _ in true }
    guard rows.indices.contains(start), !all.isEmpty,
      let first = all.firstIndex(where: { $0.table == rows[start].table }),
      let own = rows.firstIndex(where: { $0.table == rows[start].table })
    else { return .notFound }
    let origin = first + start - own
    let searcher = pattern.searcher()
    for step in 0..<all.count {
      let index = direction == .forwards ? (origin + step) % all.count : (origin - step + all.count) % all.count
      let row = all[index]
      guard
        [line(of: row, isCursor: false), name(of: row).cells].contains(where: { !searcher.ranges(in: $0).isEmpty }),
        let head = all.firstIndex(where: { $0.table == row.table })
      else { continue }
      if index > head, unfolded.insert(row.table).inserted { makeRows() }
      return .found(row: (rows.firstIndex { $0.table == row.table } ?? 0) + index - head)
    }
    return .notFound
  }

  private func setUnfolded(_ table: RealmString, _ isUnfolded: Bool) -> [Effect] {
    if isUnfolded { unfolded.insert(table) } else { unfolded.remove(table) }
    makeRows()
    return moveToTable(table)
  }

  private func moveToTable(_ table: RealmString) -> [Effect] {
    [.move(to: rows.firstIndex { $0.table == table } ?? 0)]
  }

  func collect(at row: Int) -> [Effect] {
    guard let table = startTable else { return [] }
    startTable = nil
    return moveToTable(table)
  }

  func reload(keeping row: Int) -> Int? {
    guard rows.indices.contains(row) else {
      makeRows()
      return 0
    }
    let (table, name) = (rows[row].table, name(of: rows[row]).string)
    makeRows()
    let same = rows.firstIndex { $0.table == table && self.name(of: $0).string == name }
    return same ?? rows.firstIndex { $0.table == table } ?? 0
  }
}
