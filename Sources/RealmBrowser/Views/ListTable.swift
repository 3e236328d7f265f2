/// A table whose rows are made by the view: classes, groups of backlinks, frequencies.
///
/// Columns are as wide as their widest cell. If they do not fit, flexible ones shrink first; then the columns of the
/// lowest rank are left out.
struct ListTable {
  struct Column {
    let title: String
    var alignment = CellText.Alignment.left
    /// Columns of higher ranks stay longer.
    let rank: Int
    var isFlexible = false
    /// The minimum width, for columns that are filled later.
    var leastWidth = 0
  }

  let columns: [Column]
  private(set) var rows: [[CellText]] = []
  private var widest: [Int]
  private let typography: Typography
  /// Columns that are shown, with their widths.
  private var layout: [(column: Int, width: Int)] = []
  /// The width of the lines.
  private(set) var width = 80

  private static let gap = 2
  /// Flexible columns are not made narrower than this.
  private static let leastFlexible = 12

  init(_ columns: [Column], _ typography: Typography) {
    self.columns = columns
    self.typography = typography
    widest = columns.map { max($0.title.unicodeScalars.count, $0.leastWidth) }
  }

  var count: Int { rows.count }

  /// - Parameter cells: one for each column.
  mutating func append(_ cells: [CellText]) {
    rows.append(cells)
    measure(cells)
  }

  /// Takes the width of a row into account that is not kept.
  mutating func measure(_ cells: [CellText]) {
    for (index, cell) in cells.enumerated().prefix(columns.count) { widest[index] = max(widest[index], cell.width) }
  }

  mutating func layOut(width: Int) {
    self.width = width
    let byRank = columns.indices.sorted { columns[$0].rank < columns[$1].rank }
    var widths = widest
    var shown = Set(columns.indices)
    var excess: Int { shown.reduce(1) { $0 + widths[$1] + Self.gap } - Self.gap - width }
    // Flexible columns shrink first; then columns are left out, the least important ones first.
    for index in byRank where columns[index].isFlexible && excess > 0 {
      widths[index] = max(min(widths[index], Self.leastFlexible), widths[index] - excess)
    }
    for index in byRank where excess > 0 && shown.count > 1 { shown.remove(index) }
    // The remaining room goes back to the most important ones.
    for index in byRank.reversed() where shown.contains(index) && excess < 0 {
      widths[index] = min(widest[index], widths[index] - excess)
    }
    layout = columns.indices.filter(shown.contains).map { ($0, widths[$0]) }
  }

  func header() -> [Cell] {
    line { column in CellText(columns[column].title, Style(.heading), typography) }
  }

  /// - Parameter emphasis: the emphasis of all cells.
  func line(_ row: Int, _ emphasis: Emphasis) -> [Cell] {
    rows.indices.contains(row) ? line(of: rows[row], emphasis) : []
  }

  /// The line of a row that is not kept.
  func line(of row: [CellText], _ emphasis: Emphasis) -> [Cell] {
    var cells = line { column in column < row.count ? row[column] : CellText(typography) }
    if emphasis != .none {
      for index in cells.indices { cells[index].style.emphasis = emphasis }
      cells[0] = Cell(typography.cursor, cells[0].style)
    }
    return cells
  }

  private func line(_ text: (Int) -> CellText) -> [Cell] {
    var cells = [Cell.blank()]
    for (column, width) in layout {
      cells += text(column).fitted(to: width, columns[column].alignment)
      cells += Array(repeating: .blank(), count: Self.gap)
    }
    if cells.count < width { cells += Array(repeating: .blank(), count: width - cells.count) }
    return Array(cells.prefix(width))
  }
}

/// A view that shows a table that is kept, row by row.
protocol TableView: BrowserView {
  var table: ListTable { get set }
}

extension TableView {
  func layOut(in area: ScreenSize, visible: Range<Int>) {
    if area.columns != table.width { table.layOut(width: area.columns) }
  }

  func header() -> [[Cell]] { [table.header()] }
  func line(_ row: Int, isCursor: Bool) -> [Cell] { table.line(row, isCursor ? .focus : .none) }
}
