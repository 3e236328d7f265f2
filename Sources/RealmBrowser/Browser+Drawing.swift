import RealmPresentation
import RealmStorage

/// The parts of the screen: the path, the view's header and rows, a status line, and a line of hints or the prompt.
extension Browser {
  package func draw() -> CellGrid {
    var grid = CellGrid(size)
    guard !isTooSmall else {
      drawTooSmall(&grid)
      return grid
    }
    if tabRows > 0 { grid.put(tabLine().cells, at: ScreenPosition(column: 0, row: 0)) }
    drawPath(&grid)
    let top = 1 + tabRows
    for (index, line) in page.header.enumerated() { grid.put(line, at: ScreenPosition(column: 0, row: top + index)) }
    drawRows(&grid)
    drawPreview(&grid)
    if prompt?.hasNote != true { drawStatus(&grid) }
    if let prompt { draw(prompt, &grid) } else { drawHints(&grid) }
    return grid
  }

  private func drawTooSmall(_ grid: inout CellGrid) {
    let least = Self.smallestSize
    let times = context.typography.times
    let lines = [
      "The screen is too small:", "\(size.columns)\(times)\(size.rows), needed \(least.columns)\(times)\(least.rows).",
      "Q quits.",
    ]
    let first = max((size.rows - lines.count) / 2, 0)
    for (index, line) in lines.enumerated() {
      let text = context.text(line)
      let column = max((size.columns - text.width) / 2, 0)
      grid.put(text.fitted(to: size.columns - column), at: ScreenPosition(column: column, row: first + index))
    }
  }

  private func drawPath(_ grid: inout CellGrid) {
    var path = context.text(" " + context.realm.name, Style(.title))
    if let name = context.realm.snapshotName { path.append(" (\(name))", Style(.title)) }
    if isFollowing { path.append(" (following)", Style(.title)) }
    path.append(editingText, Style(.title))
    for page in pages where !page.view.crumb.isEmpty {
      path.append(context.typography.pathSeparator + page.view.crumb, Style(.title))
    }
    path.append(" ", Style(.title))
    grid.put(path.fittedAtEnd(to: size.columns, fill: Style(.title)), at: ScreenPosition(column: 0, row: tabRows))
  }

  private func drawRows(_ grid: inout CellGrid) {
    let top = 1 + tabRows + page.header.count
    let visible = page.viewport.visible
    if visible.isEmpty {
      grid.put(context.text("  " + page.view.emptyText, .faint).cells, at: ScreenPosition(column: 0, row: top))
    }
    let searcher = pattern?.searcher()
    for row in visible {
      let isCursor = page.view.showsCursor && row == page.row
      var line = page.view.line(row, isCursor: isCursor)
      if let searcher { highlight(searcher, in: &line) }
      grid.put(line, at: ScreenPosition(column: 0, row: top + row - visible.lowerBound))
    }
  }

  // MARK: - Preview

  /// Narrower screens only have room for one of the two.
  private static let leastPreviewColumns = 100

  /// The number of columns for the object next to the table, with the line between them.
  var previewWidth: Int {
    guard showsPreview, page.view is ObjectsView, size.columns >= Self.leastPreviewColumns else { return 0 }
    return size.columns * 2 / 5
  }

  func togglePreview() {
    showsPreview.toggle()
    tab.preview = nil
    guard showsPreview, size.columns < Self.leastPreviewColumns else { return }
    say(.info("the object is shown if the screen has \(Self.leastPreviewColumns) columns"))
  }

  private func drawPreview(_ grid: inout CellGrid) {
    let (width, height) = (previewWidth, size.rows - 3 - tabRows)
    guard width > 0, height > 0, let view = page.view as? ObjectsView else { return }
    let left = size.columns - width
    for row in 0..<height {
      grid.put([Cell(context.typography.divider, .faint)], at: ScreenPosition(column: left, row: 1 + tabRows + row))
    }
    guard let table = view.table, let key = view.row(at: page.row).key else { return }
    let address = ObjectAddress(table: table.schema.name, key: key)
    let area = ScreenSize(columns: width - 1, rows: height)
    if tab.preview?.address != address { tab.preview = (address, ObjectView(context, address, crumb: "")) }
    guard let shown = tab.preview?.view else { return }
    _ = shown.reflow(to: area, keeping: 0)
    let lines = shown.header() + (0..<min(shown.rowCount, height)).map { shown.line($0, isCursor: false) }
    for (index, line) in lines.prefix(height).enumerated() {
      grid.put(line, at: ScreenPosition(column: left + 1, row: 1 + tabRows + index), width: width - 1)
    }
  }

  private func highlight(_ searcher: TextPattern.Searcher, in line: inout [Cell]) {
    for range in searcher.ranges(in: line) {
      for column in range.clamped(to: line.indices) { line[column].style.role = .match }
    }
  }

  // MARK: - Status

  private func drawStatus(_ grid: inout CellGrid) {
    let row = size.rows - 2
    let right = context.text(positionText + " ", .faint)
    let left = statusText(limit: size.columns)
    // A message matters more than the number of a row.
    if message != nil, left.width + right.width >= size.columns {
      return grid.put(left.fitted(to: size.columns), at: ScreenPosition(column: 0, row: row))
    }
    let room = max(size.columns - right.width - 1, 10)
    grid.put(left.fitted(to: room), at: ScreenPosition(column: 0, row: row))
    grid.put(right.cells, at: ScreenPosition(column: size.columns - right.width, row: row))
  }

  private var positionText: String {
    let view = page.view
    if let text = view.position(view.showsCursor ? page.row : page.viewport.top) { return text }
    let count = view.rowCount
    guard count > 0 else { return "" }
    return CountText.grouped(page.row + 1) + " of " + CountText.grouped(count)
  }

  /// A message; otherwise the work in progress; otherwise that the file has changed; otherwise what the view says about
  /// its row.
  private func statusText(limit: Int) -> CellText {
    var text = context.text(" ", limit: limit)
    if let message {
      text.append(message.text, Style(message.isWarning ? .warning : .message))
    } else if let prompt {
      text.append(prompt.advice(context.typography), .faint)
    } else if let work = job?.status ?? page.view.work {
      text.append(work.title, Style(.message))
      if let percent = work.percent { text.append(" \(percent)%", Style(.message)) }
      text.append("; Esc stops it", Style(.message))
    } else if let changeText {
      text.append(changeText, Style(.warning))
    } else {
      text.append(page.view.status(page.row))
    }
    return text
  }

  // MARK: - Hints

  /// The most useful keys here, as many as fit; always those for help and for going back.
  private func drawHints(_ grid: inout CellGrid) {
    let row = size.rows - 1
    var hints: [CellText] = []
    var pinned: [CellText] = []
    for binding in context.keymap.bindings(in: page.view.kind, isEditing: context.changes != nil) {
      guard let hint = hint(for: binding) else { continue }
      if binding.request == .help || binding.request == .close { pinned.append(hint) } else { hints.append(hint) }
    }
    let pinnedWidth = pinned.reduce(0) { $0 + $1.width + 2 }
    var column = 1
    for hint in hints where column + hint.width + 1 + pinnedWidth <= size.columns {
      grid.put(hint.cells, at: ScreenPosition(column: column, row: row))
      column += hint.width + 2
    }
    column = max(size.columns - pinnedWidth + 1, 1)
    for hint in pinned.reversed() {
      grid.put(hint.cells, at: ScreenPosition(column: column, row: row))
      column += hint.width + 2
    }
  }

  private func hint(for binding: Binding) -> CellText? {
    guard let standard = binding.hint, let key = binding.keys.first else { return nil }
    let word: String
    switch page.view.hint(for: binding.request, at: page.row) {
    case .none: return nil
    case .text(let text): word = text
    case .standard: word = binding.request == .close && pages.count == 1 ? "quit" : standard
    }
    var text = context.text(key.name(context.typography), Style(.hintKey))
    text.append(" " + word, Style(.hint))
    return text
  }
}
