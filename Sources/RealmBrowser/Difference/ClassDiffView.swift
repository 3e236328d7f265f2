import RealmPresentation
import RealmStorage

/// The objects of a class that differ: removed ones, added ones, and changed ones in two rows, before and after, with
/// the changed cells marked.
final class ClassDiffView: BrowserView {
  let kind = ViewKinds.classDiff
  let crumb: String

  private let context: ViewContext
  private let compared: ComparedRealms
  private let found: RealmChanges.ClassChanges
  private let rows: [Row]
  private var columns: ObjectColumns
  private var area = ScreenSize(columns: 80, rows: 20)
  /// The properties of changed objects that differ, as far as they were looked at.
  private var differing: [RealmChanges.Change: Set<String>] = [:]
  private static let mostKept = 10_000

  /// One line: an object on one side.
  private struct Row {
    let change: Int
    let isOld: Bool
  }

  init(_ context: ViewContext, _ compared: ComparedRealms, _ found: RealmChanges.ClassChanges) {
    (self.context, self.compared, self.found) = (context, compared, found)
    crumb = found.name.description
    rows = found.changes.enumerated().flatMap { index, change -> [Row] in
      switch change {
      case .removed: [Row(change: index, isOld: true)]
      case .added: [Row(change: index, isOld: false)]
      case .changed: [Row(change: index, isOld: true), Row(change: index, isOld: false)]
      }
    }
    let schema =
      (compared.new.snapshot.table(displayName: found.name) ?? compared.old.snapshot.table(displayName: found.name))?
      .schema
    columns = ObjectColumns(schema ?? TableSchema(name: ""))
  }

  var rowCount: Int { rows.count }

  // MARK: Objects

  private func side(_ row: Row) -> ViewContext { row.isOld ? compared.old : compared.new }

  private func key(_ row: Row) -> ObjectKey {
    switch found.changes[row.change] {
    case .removed(let key), .added(let key): key
    case .changed(let old, let new): row.isOld ? old : new
    }
  }

  private func object(_ row: Row) -> ObjectRow {
    guard let table = side(row).snapshot.table(displayName: found.name) else { return .absent("not there") }
    return table.row(of: key(row))
  }

  /// The names of the properties that differ; empty for objects that are on one side only.
  private func differingNames(_ row: Row) -> Set<String> {
    let change = found.changes[row.change]
    guard case .changed = change else { return [] }
    if let known = differing[change] { return known }
    // Cells that cannot be read are shown as damaged.
    let names = (try? found.differingProperties(change)).map { Set($0.map(\.description)) } ?? []
    if differing.count >= Self.mostKept { differing = [:] }
    differing[change] = names
    return names
  }

  private func text(_ row: Row, column: Int, limit: Int) -> CellText {
    let side = side(row)
    var text = side.printer.text(limit: limit)
    guard case .object(let batch, let index) = object(row) else { return text }
    let entry = columns.columns[column]
    guard entry.property != nil else {
      text.append(String(batch.key(at: index).rawValue), Style(.key))
      return text
    }
    guard let property = batch.table.schema.properties.firstIndex(where: { $0.name.description == entry.name }) else {
      return text
    }
    side.printer.append(property: property, of: batch, index, to: &text)
    return text
  }

  // MARK: Drawing

  func layOut(in area: ScreenSize, visible: Range<Int>) {
    self.area = area
    let range = visible.isEmpty ? 0..<min(area.rows, rowCount) : visible.clamped(to: 0..<rowCount)
    var measured = columns
    measured.measure { column, most in
      range.reduce(0) { max($0, text(rows[$1], column: column, limit: most).width) }
    }
    columns = measured
    // A sign before the columns shows what happened to the object.
    columns.layOut(width: area.columns - 2)
  }

  func header() -> [[Cell]] {
    [
      line("  ") { column in
        let entry = columns.columns[column]
        return context.text((entry.isPrimaryKey ? "*" : "") + entry.name, Style(.heading))
      }
    ]
  }

  private func line(_ sign: String, _ text: (Int) -> CellText) -> [Cell] {
    let head = [.blank()] + context.text(sign, Style(.changed)).fitted(to: 2)
    return columns.line(after: head, width: area.columns, text)
  }

  private func sign(_ row: Row) -> String {
    switch found.changes[row.change] {
    case .removed: "-"
    case .added: "+"
    case .changed: row.isOld ? "<" : ">"
    }
  }

  func line(_ index: Int, isCursor: Bool) -> [Cell] {
    guard rows.indices.contains(index) else { return [] }
    let row = rows[index]
    let names = differingNames(row)
    var line = line(sign(row)) { column in
      var text = text(row, column: column, limit: area.columns)
      if names.contains(columns.columns[column].name), columns.columns[column].property != nil {
        text.mark(0..<max(text.width, 1))
      }
      return text
    }
    if isCursor { columns.emphasize(&line, from: 3, context.typography.cursor) }
    return line
  }

  func status(_ index: Int) -> CellText {
    guard rows.indices.contains(index) else { return context.text() }
    let row = rows[index]
    var text = context.text()
    let word =
      switch found.changes[row.change] {
      case .removed: "removed"
      case .added: "added"
      case .changed: row.isOld ? "before" : "after"
      }
    text.append(word + "  ", Style(.changed))
    let column = columns.focused
    text.append(columns.focus == 0 ? "object key" : column.name, Style(.heading))
    text.append("  ")
    text.append(self.text(row, column: columns.focus, limit: 4096))
    return text
  }

  // MARK: Requests

  func hint(for request: Request, at row: Int) -> Hint { .standard }

  func perform(_ request: Request, at index: Int) -> [Effect]? {
    if columns.move(request) { return [] }
    switch request {
    case .nextChange: return goToChange(from: index, by: 1)
    case .previousChange: return goToChange(from: index, by: -1)
    case .open: return rows.indices.contains(index) ? open(rows[index]) : []
    case .copy:
      guard rows.indices.contains(index) else { return [] }
      return copy(rows[index])
    default: return nil
    }
  }

  /// Goes to the next cell that differs, or to the next object that was added or removed.
  private func goToChange(from start: Int, by step: Int) -> [Effect] {
    var (row, column) = (start, columns.focus + step)
    while rows.indices.contains(row) {
      // Of the two rows of a changed object, the newer one.
      let places = isBefore(rows[row]) ? [] : changedColumns(rows[row])
      if let next = step > 0 ? places.first(where: { $0 >= column }) : places.last(where: { $0 <= column }) {
        columns.moveFocus(to: next)
        return [.move(to: row)]
      }
      row += step
      column = step > 0 ? 0 : columns.columns.count - 1
    }
    return [.say(.info(step > 0 ? "this is the last change" : "this is the first change"))]
  }

  private func isBefore(_ row: Row) -> Bool {
    if case .changed = found.changes[row.change] { row.isOld } else { false }
  }

  /// An object that was added or removed has one place to stop at: the first column.
  private func changedColumns(_ row: Row) -> [Int] {
    guard case .changed = found.changes[row.change] else { return [0] }
    let names = differingNames(row)
    return columns.columns.indices.filter {
      columns.columns[$0].property != nil && names.contains(columns.columns[$0].name)
    }
  }

  private func open(_ row: Row) -> [Effect] {
    let side = side(row)
    guard case .object(let batch, let index) = object(row) else { return [.say(.info("the object cannot be read"))] }
    let name = row.isOld ? compared.oldName : compared.newName
    let crumb = side.crumb(of: batch, index) + " (\(name))"
    return [.push(ObjectView(side, batch.address(at: index), crumb: crumb))]
  }

  private func copy(_ row: Row) -> [Effect] {
    let side = side(row)
    guard case .object(let batch, let index) = object(row) else { return [.say(.info("nothing to copy"))] }
    guard
      let property = batch.table.schema.properties.firstIndex(where: { $0.name.description == columns.focused.name }),
      columns.focused.property != nil
    else {
      let text = String(batch.key(at: index).rawValue)
      return [.copy(Array(text.utf8), what: "object key \(text)")]
    }
    guard let value = try? batch.values(ofProperty: property).value(at: index) else {
      return [.say(.warning("the value cannot be read"))]
    }
    return side.copy(value)
  }

  // The compared states do not change.
  func refresh(keeping row: Int) -> Int? { row }
  func reload(keeping row: Int) -> Int? { row }
}
