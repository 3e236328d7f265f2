import RealmPresentation
import RealmText

/// The size of a terminal in columns and rows.
package struct ScreenSize: Hashable, Sendable {
  package var columns: Int
  package var rows: Int

  package init(columns: Int, rows: Int) {
    self.columns = max(columns, 0)
    self.rows = max(rows, 0)
  }
}

/// A place on the screen, from the upper left corner, beginning with 0.
package struct ScreenPosition: Hashable, Sendable {
  package var column: Int
  package var row: Int

  package init(column: Int, row: Int) {
    self.column = column
    self.row = row
  }
}

/// The content of the screen: a rectangle of cells.
///
/// No cell contains a control character, and a wide character is never cut in half.
package struct CellGrid: Sendable {
  package let size: ScreenSize
  private var cells: [Cell]

  package init(_ size: ScreenSize) {
    self.size = size
    cells = Array(repeating: .blank(), count: size.columns * size.rows)
  }

  /// The cells of a row; none if no such row exists.
  package func row(_ row: Int) -> ArraySlice<Cell> {
    guard row >= 0, row < size.rows else { return [] }
    return cells[row * size.columns..<(row + 1) * size.columns]
  }

  /// Writes a line into a row, beginning at a column. What does not fit, or is outside, is left out.
  mutating func put(_ line: some Sequence<Cell>, at position: ScreenPosition, width: Int? = nil) {
    guard position.row >= 0, position.row < size.rows, position.column >= 0 else { return }
    let start = position.row * size.columns
    var column = position.column
    let end = min(size.columns, width.map { column + max($0, 0) } ?? size.columns)
    for cell in line {
      guard column < end else { break }
      cells[start + column] = cell
      column += 1
    }
    // The right half of a wide character may have been left out.
    guard column == end, column > position.column, column < size.columns || end == size.columns else { return }
    repairEdge(at: start + column - 1)
  }

  private mutating func repairEdge(at index: Int) {
    let cell = cells[index]
    guard !cell.isWideTail, CharacterWidth.of(cell.base) == 2 else { return }
    cells[index] = .blank(cell.style)
  }

  /// Gives a whole row one style, keeping its characters.
  mutating func fill(row: Int, from column: Int = 0, _ style: Style) {
    guard row >= 0, row < size.rows, column < size.columns else { return }
    for index in row * size.columns + max(column, 0)..<(row + 1) * size.columns { cells[index].style = style }
  }

  /// The characters of a row as text, blanks at the end left out.
  package func text(ofRow row: Int) -> String { self.row(row).text }
}
