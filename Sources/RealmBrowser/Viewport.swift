/// Which rows are visible, and on which of them the cursor is.
struct Viewport: Equatable {
  private(set) var cursor = 0
  private(set) var top = 0
  /// The number of rows, and the number of rows there is room for.
  private var count = 0
  private(set) var height = 1

  /// The visible rows.
  var visible: Range<Int> { top..<min(top + height, count) }

  /// Adapts the place to another number of rows, or another height.
  mutating func fit(count: Int, height: Int) {
    self.count = max(count, 0)
    self.height = max(height, 1)
    settle()
  }

  mutating func move(to row: Int) {
    cursor = row
    settle()
  }

  /// Moves the cursor to a row and, if that row was out of sight, centers it.
  mutating func show(_ row: Int) {
    let wasVisible = visible.contains(row)
    cursor = row
    if !wasVisible { top = row - height / 2 }
    settle()
  }

  mutating func move(by rows: Int) {
    // Row numbers are far too small to overflow.
    move(to: cursor + rows)
  }

  /// A page down or up: the cursor keeps its place on the screen.
  mutating func page(by rows: Int) {
    let newTop = min(max(top + rows, 0), max(count - height, 0))
    let moved = newTop - top
    top = newTop
    cursor += moved == 0 ? rows : moved
    settle()
  }

  /// Scrolls a view without a cursor; its cursor is then the first visible row.
  mutating func scroll(to row: Int) {
    top = min(max(row, 0), max(count - height, 0))
    cursor = top
  }

  private mutating func settle() {
    cursor = min(max(cursor, 0), max(count - 1, 0))
    if cursor < top { top = cursor }
    if cursor >= top + height { top = cursor - height + 1 }
    top = min(max(top, 0), max(count - height, 0))
  }
}
