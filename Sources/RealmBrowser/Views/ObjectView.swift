import RealmPresentation
import RealmStorage

/// One object: all properties with their values, with collections and embedded objects unfolded in place, and the links
/// to it.
final class ObjectView: BrowserView {
  let kind = ViewKinds.object
  private(set) var crumb: String

  private let context: ViewContext
  private(set) var address: ObjectAddress
  private var rows: [TreeRow] = []
  private var folds: [ValueAddress: Bool] = [:]
  private var area = ScreenSize(columns: 80, rows: 20)
  private var nameWidth = 12
  private var typeWidth = 0

  /// A search for text that is not in any line.
  private var searching: (task: BackgroundTask<Int?>, search: TreeSearch, start: Int, direction: SearchDirection)?

  /// The table this object was opened from, for going on to the next one.
  weak var siblings: ObjectsView?
  var siblingPosition = 0
  /// The property on whose row the cursor is at first.
  var focusProperty: Int?

  init(_ context: ViewContext, _ address: ObjectAddress, crumb: String) {
    self.context = context
    self.address = address
    self.crumb = crumb
    build()
  }

  convenience init(_ context: ViewContext, of batch: ObjectBatch, _ row: Int) {
    self.init(context, batch.address(at: row), crumb: context.crumb(of: batch, row))
  }

  var rowCount: Int { rows.count }

  // MARK: Rows

  private var valueWidth: Int { area.columns - 1 - nameWidth - 1 - (typeWidth > 0 ? typeWidth + 1 : 0) }

  /// This is done twice, because lines are broken at a width that depends on the names that are unfolded.
  private func build() {
    makeRows()
    measure()
    makeRows()
  }

  private func makeRows() { rows = tree(unfoldsAll: false) }

  private func tree(unfoldsAll: Bool) -> [TreeRow] {
    var builder = TreeBuilder(context, valueWidth: valueWidth, folds: folds, unfoldsAll: unfoldsAll)
    do {
      if let (batch, row) = try context.realm.object(at: address) {
        builder.appendProperties(of: batch, row)
        builder.appendBacklinks(to: batch, row)
      }
      return builder.rows
    } catch let error as StorageError {
      return [TreeRow(depth: 0, label: "", type: "", content: .damaged(error))]
    } catch {
      return [TreeRow(depth: 0, label: "", type: "", content: .note("cannot be read"))]
    }
  }

  private func measure() {
    let names = rows.map { $0.depth * 2 + 2 + context.text($0.label).width }.max() ?? 0
    nameWidth = min(max(names, 8), max(area.columns / 3, 12))
    let types = rows.map { $0.type.unicodeScalars.count }.max() ?? 0
    typeWidth = area.columns >= 60 ? min(types, 18) : 0
  }

  func layOut(in area: ScreenSize, visible: Range<Int>) { self.area = area }

  func reflow(to area: ScreenSize, keeping row: Int) -> Int {
    guard area.columns != self.area.columns else { return row }
    self.area = area
    return rebuild(keeping: row)
  }

  /// Rebuilds the rows; strings may now take another number of lines.
  ///
  /// - Returns: the new place of the row that was at `index`.
  private func rebuild(keeping index: Int) -> Int {
    let kept = rows.indices.contains(index) ? rows[index] : nil
    build()
    guard let kept else { return clamped(index) }
    if kept.address == nil, rows.indices.contains(index), rows[index].label == kept.label { return index }
    let same = rows.firstIndex { $0.address == kept.address && $0.label == kept.label }
    // A line of a text that is now shown on one line.
    let head = rows.firstIndex { $0.address == kept.address && $0.address != nil }
    return same ?? head ?? clamped(index)
  }

  // MARK: Drawing

  func header() -> [[Cell]] {
    var text = context.text(" ", limit: area.columns)
    text.append(TableSchema.displayName(ofTable: address.table).description, Style(.heading))
    if let table = context.realm.table(named: address.table), table.schema.kind != .topLevel {
      text.append(" " + table.schema.kind.text, Style(.type))
    }
    text.append("  object key ", .faint)
    text.append("\(address.key.rawValue)", Style(.key))
    return [text.fitted(to: area.columns)]
  }

  func line(_ index: Int, isCursor: Bool) -> [Cell] {
    rows.indices.contains(index) ? line(of: rows[index], isCursor: isCursor) : []
  }

  private func line(of row: TreeRow, isCursor: Bool) -> [Cell] {
    var cells: [Cell]
    if case .heading(let title) = row.content {
      cells = context.text(" " + title, Style(.heading)).fitted(to: area.columns)
    } else {
      cells = [.blank()] + name(of: row).fitted(to: nameWidth) + [.blank()]
      if typeWidth > 0 { cells += context.text(row.type, Style(.type)).fitted(to: typeWidth) + [.blank()] }
      var text = value(of: row)
      if let place = row.address, context.changes?.isChanged(place.property, of: place.object) == true {
        text.setRole(.changed)
      }
      cells += text.fitted(to: max(area.columns - cells.count, 0))
    }
    if isCursor { cells.focus(context.typography) }
    return Array(cells.prefix(area.columns))
  }

  private func name(of row: TreeRow) -> CellText {
    var text = context.text(String(repeating: "  ", count: min(row.depth, 20)), limit: 200)
    if case .continuation = row.content { return text }
    switch row.isUnfolded {
    case true?: text.append(context.typography.unfolded + " ", Style(.count))
    case false?: text.append(context.typography.folded + " ", Style(.count))
    case nil: text.append("  ")
    }
    text.append(row.label, isPrimaryKey(row) ? Style(.key) : .plain)
    return text
  }

  private func isPrimaryKey(_ row: TreeRow) -> Bool {
    guard row.depth == 0, let property = row.property else { return false }
    return context.realm.table(named: address.table)?.schema.primaryKey?.name == property.name
  }

  private func value(of row: TreeRow) -> CellText {
    let limit = valueWidth + 1
    switch row.content {
    case .value(let value):
      if let line = row.firstLine { return line }
      return context.printer.print(value, isMixed: row.isMixed, limit: limit)
    case .damaged(let error): return context.printer.print(error, limit: limit)
    case .continuation(let line): return line
    case .unresolved: return context.text(context.typography.link + " an object not in this file", .faint)
    case .more(let text), .note(let text): return context.text(text, .faint, limit: limit)
    case .heading(let title): return context.text(title, Style(.heading))
    case .backlinks(let group, _): return context.text(CountText.counted(group.count, "link"), Style(.count))
    }
  }

  func status(_ index: Int) -> CellText {
    var text = context.text()
    guard rows.indices.contains(index) else { return text }
    let row = rows[index]
    if case .damaged(let error) = row.content { return context.printer.print(error, limit: 4096) }
    guard row.address != nil, let property = row.property else { return text }
    text.append(row.depth == 0 ? row.label : property.name.description, Style(.heading))
    text.append(" " + property.shorthand, Style(.type))
    if isPrimaryKey(row) { text.append(", primary key", Style(.type)) }
    switch property.index {
    case .none: break
    case .general: if !isPrimaryKey(row) { text.append(", indexed", Style(.type)) }
    case .fullText: text.append(", full-text index", Style(.type))
    }
    if let value = row.value { append(extentOf: value, to: &text) }
    return text
  }

  private func append(extentOf value: ValueView, to text: inout CellText) {
    switch value {
    case .string(let blob), .data(let blob): text.append("  " + CountText.counted(blob.count, "byte"), .faint)
    case .list(let list), .set(let list):
      guard let count = try? list.count(in: context.snapshot) else { return }
      text.append("  " + CountText.counted(count, "element"), .faint)
    case .dictionary(let dictionary):
      guard let count = try? dictionary.count(in: context.snapshot) else { return }
      text.append("  " + CountText.counted(count, "entry", "entries"), .faint)
    default: break
    }
  }

  // MARK: Requests

  func tableInQuestion(at index: Int) -> RealmString? { address.table }

  /// The value is the row's; the object is the one that is shown.
  func editPlace(at index: Int) -> EditPlace? {
    var place = EditPlace(table: address.table)
    if rows.indices.contains(index), let value = rows[index].address, let found = context.realm.editPlace(at: value) {
      place = found
    }
    (place.table, place.keys, place.rowKey) = (address.table, [address.key], address.key)
    return place
  }

  func hint(for request: Request, at index: Int) -> Hint {
    guard rows.indices.contains(index) else { return .standard }
    let row = rows[index]
    switch request {
    case .open: return hintForEnter(row)
    case .fold: return row.isUnfolded.map { $0 ? .text("fold") : .standard } ?? .none
    case .nextObject, .previousObject: return siblings == nil ? .none : .standard
    case .backlinks: return .none
    case .copy: return row.value == nil ? .none : .standard
    default: return .standard
    }
  }

  private func hintForEnter(_ row: TreeRow) -> Hint {
    switch row.content {
    case .backlinks: .text("show")
    case .more: .text("show all")
    case .continuation: .text("show all")
    case .value(let value):
      if value.link != nil {
        row.isUnfolded == nil ? .text("follow") : .text("open")
      } else if value.isCollection {
        .text("open")
      } else {
        // A short text is already visible as a whole.
        (value.blob?.count ?? 0) > 32 || row.isUnfolded != nil ? .text("show all") : .none
      }
    case .damaged, .unresolved, .heading, .note: .none
    }
  }

  func perform(_ request: Request, at index: Int) -> [Effect]? {
    switch request {
    case .open: return open(index)
    case .fold: return fold(index) ?? [.say(.info("nothing to unfold in this row"))]
    case .right:
      guard rows.indices.contains(index), rows[index].isUnfolded == false else { return [] }
      return fold(index)
    case .left: return goLeft(index)
    case .unfoldAll: return unfoldAll(index)
    case .backlinks:
      return [.push(BacklinksView(context, address, crumb: "backlinks"))]
    case .nextObject: return goToSibling(1, index)
    case .previousObject: return goToSibling(-1, index)
    case .copy: return copy(index)
    default: return nil
    }
  }

  private func open(_ index: Int) -> [Effect] {
    guard rows.indices.contains(index) else { return [] }
    let row = rows[index]
    switch row.content {
    case .value(let value): return open(value, row)
    case .continuation, .more:
      guard let address = row.address else { return [] }
      guard let value = try? context.realm.value(at: address) else { return [] }
      return open(value, row)
    case .backlinks(let group, let property):
      return context.open(group, to: address, crumb: context.typography.backlink + " " + property)
    case .damaged(let error): return [.say(context.message(error))]
    case .unresolved: return [.say(.info("the object is not in this file: deleted, or not downloaded"))]
    case .heading, .note: return []
    }
  }

  private func open(_ value: ValueView, _ row: TreeRow) -> [Effect] {
    guard let address = row.address else { return [] }
    if let effects = context.open(value, at: address) { return effects }
    guard value.blob != nil else { return [.say(.info("this is the whole value"))] }
    return [.push(ValuePager(context, address, crumb: row.label.isEmpty ? address.property.description : row.label))]
  }

  private func copy(_ index: Int) -> [Effect] {
    guard rows.indices.contains(index) else { return [] }
    switch rows[index].content {
    case .value(let value): return context.copy(value)
    case .continuation:
      let value = rows[index].address.flatMap { try? context.realm.value(at: $0) }
      return value.map { context.copy($0) } ?? []
    default: return [.say(.info("no value in this row"))]
    }
  }

  // MARK: Folding

  private func fold(_ index: Int) -> [Effect]? {
    guard rows.indices.contains(index), let isUnfolded = rows[index].isUnfolded, let address = rows[index].address
    else { return nil }
    folds[address] = !isUnfolded
    return [.move(to: rebuild(keeping: index))]
  }

  private func goLeft(_ index: Int) -> [Effect] {
    guard rows.indices.contains(index) else { return [] }
    if rows[index].isUnfolded == true { return fold(index) ?? [] }
    guard rows[index].depth > 0 else { return [] }
    let parent = rows[..<index].lastIndex { $0.depth < rows[index].depth }
    return parent.map { [.move(to: $0)] } ?? []
  }

  /// Unfolds everything at every level; folds everything if there is nothing left to unfold.
  private func unfoldAll(_ index: Int) -> [Effect] {
    let hasFolded = rows.contains { $0.isUnfolded == false }
    for row in hasFolded ? tree(unfoldsAll: true) : rows where row.isUnfolded != nil {
      if let address = row.address { folds[address] = hasFolded }
    }
    return [.move(to: rebuild(keeping: index))]
  }

  // MARK: Search

  func find(_ pattern: TextPattern, from start: Int, _ direction: SearchDirection) -> SearchOutcome {
    stopWork()
    let searcher = pattern.searcher()
    let search = TreeSearch(tree(unfoldsAll: true), from: identity(at: start), direction, valueWidth: valueWidth) {
      row in
      [line(of: row, isCursor: false), context.text(row.label).cells].contains { !searcher.ranges(in: $0).isEmpty }
    }
    if case .found(let row)? = search.steps.first {
      return reveal(row, of: search).map { .found(row: $0) } ?? .notFound
    }
    guard !search.steps.isEmpty else { return .notFound }
    let (steps, realm) = (search.steps, context.realm)
    let task = context.start("searching for \(pattern.text)", total: steps.count) { progress, _ in
      try TreeSearch.run(steps, pattern, in: realm, progress)
    }
    searching = (task, search, start, direction)
    return .working
  }

  private func identity(at index: Int) -> TreeRowIdentity? {
    let all = TreeRowIdentity.all(of: rows)
    return all.indices.contains(index) ? all[index] : nil
  }

  /// Unfolds everything that contains a row.
  ///
  /// - Returns: the row's new place.
  private func reveal(_ index: Int, of search: TreeSearch) -> Int? {
    var depth = search.rows[index].depth
    for row in search.rows[..<index].reversed() where row.depth < depth {
      depth = row.depth
      if row.isUnfolded != nil, let address = row.address { folds[address] = true }
    }
    build()
    return TreeRowIdentity.all(of: rows).firstIndex(of: search.identities[index])
  }

  private func collectSearch() -> [Effect] {
    guard let (task, search, start, direction) = searching else { return [] }
    return task.collect(context) {
      searching = nil
    } finished: { index in
      Message.ofSearch(from: start, to: index.flatMap { reveal($0, of: search) }, direction)
    }
  }

  var work: WorkStatus? { searching?.task.status }

  func stopWork() {
    searching?.task.progress.stop()
    searching = nil
  }

  // MARK: The objects around

  private func goToSibling(_ step: Int, _ index: Int) -> [Effect] {
    guard let siblings else { return [.say(.info("this object was not opened from a list"))] }
    var position = siblingPosition + step
    // Parts that cannot be read are skipped, but only so many.
    for _ in 0..<1000 where position >= 0 && position < siblings.rowCount {
      guard case .object(let batch, let row) = siblings.row(at: position) else {
        position += step
        continue
      }
      let label = rows.indices.contains(index) ? rows[index].label : ""
      siblingPosition = position
      address = batch.address(at: row)
      crumb = context.crumb(of: batch, row)
      build()
      return [.moveBelow(to: position), .move(to: rows.firstIndex { $0.label == label && $0.depth == 0 } ?? 0)]
    }
    return [.say(.info(step > 0 ? "this is the last object" : "this is the first object"))]
  }

  /// The row of the property that has the cursor at first.
  func selection(at row: Int) -> ObjectSelection? {
    ObjectSelection(
      table: address.table, source: .keys(table: address.table, [address.key]), marks: nil, columns: nil)
  }

  func rowSelection(at row: Int) -> ObjectSelection? { selection(at: row) }

  func collect(at row: Int) -> [Effect] {
    guard let focus = focusProperty else { return collectSearch() }
    focusProperty = nil
    guard let table = context.realm.table(named: address.table), table.schema.properties.indices.contains(focus) else {
      return []
    }
    let name = table.schema.properties[focus].name.description
    return rows.firstIndex { $0.depth == 0 && $0.label == name }.map { [.move(to: $0)] } ?? []
  }

  func reload(keeping row: Int) -> Int? {
    stopWork()
    guard let found = try? context.realm.object(at: address), found.batch.table.schema.name == address.table else {
      return nil
    }
    return rebuild(keeping: row)
  }
}
