import RealmPresentation

/// A view that shows a table: classes, groups of backlinks, frequencies.
protocol TableView: BrowserView {
  var context: ViewContext { get }
  var table: TextTable { get set }
}

extension TableView {
  /// Makes the table anew, as wide as it was.
  func fill(_ columns: [TextTable.Column], _ rows: some Sequence<[CellText]> = []) {
    let width = table.width
    table = TextTable(columns, context.typography)
    for row in rows { table.append(row) }
    table.layOut(width: width)
  }

  func layOut(in area: ScreenSize, visible: Range<Int>) {
    if area.columns != table.width { table.layOut(width: area.columns) }
  }

  func header() -> [[Cell]] { [table.header()] }
  func line(_ row: Int, isCursor: Bool) -> [Cell] { table.line(row, isCursor: isCursor) }
}
