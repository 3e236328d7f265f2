import RealmPresentation

/// The columns of a table of objects: which are shown, in which order, and which one stays at the left.
final class ColumnsView: BrowserView {
  let kind = ViewKinds.columns
  let crumb = "columns"

  private let context: ViewContext
  private let owner: ObjectsView
  private var area = ScreenSize(columns: 80, rows: 20)

  init(_ context: ViewContext, _ owner: ObjectsView) { (self.context, self.owner) = (context, owner) }

  /// All but the object key, which is always the first.
  private var columns: [ObjectColumns.Column] { Array(owner.columns.columns.dropFirst()) }

  var rowCount: Int { columns.count }
  var emptyText: String { "no properties" }

  func layOut(in area: ScreenSize, visible: Range<Int>) { self.area = area }

  func line(_ row: Int, isCursor: Bool) -> [Cell] {
    guard columns.indices.contains(row) else { return [] }
    let column = columns[row]
    var text = context.text(" ", limit: area.columns)
    text.append(column.isHidden ? "[ ] " : "[x] ", Style(.count))
    text.append(column.name, column.isHidden ? .faint : .plain)
    text.append("  " + column.type, Style(.type))
    if column.isPinned { text.append("  stays at the left", Style(.key)) }
    return context.line(text, width: area.columns, isCursor: isCursor)
  }

  func status(_ row: Int) -> CellText {
    let shown = columns.count { !$0.isHidden }
    return context.text("\(shown) of \(CountText.counted(columns.count, "column")) shown", .faint)
  }

  func perform(_ request: Request, at row: Int) -> [Effect]? {
    guard columns.indices.contains(row) else { return nil }
    let place = row + 1
    switch request {
    case .fold:
      owner.columns.setHidden(place, !columns[row].isHidden)
      return row + 1 < rowCount ? [.move(to: row + 1)] : []
    case .moveUp: return owner.columns.swap(place, place - 1) ? [.move(to: row - 1)] : []
    case .moveDown: return owner.columns.swap(place, place + 1) ? [.move(to: row + 1)] : []
    case .pinColumn:
      owner.columns.pin(place)
      return [.move(to: 0)]
    case .showColumns:
      owner.columns.showAll()
      return []
    case .open: return [.back]
    default: return nil
    }
  }

  func reload(keeping row: Int) -> Int? { clamped(row) }
}
