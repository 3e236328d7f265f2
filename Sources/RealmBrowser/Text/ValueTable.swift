import RealmStorage

/// Values in columns, as lines of text to print on a terminal.
///
/// Columns are as wide as the values in the first rows. If the window is narrower, the widest columns shrink first, and
/// columns that do not fit at all are left out.
///
/// ```swift
/// let table = ValueTable(snapshot, [ValueTable.Column("name")], width: 80, describe: { "\($0)" })
/// table.append([.success(value)])
/// for line in table.takeLines(isComplete: true) { print(line) }
/// ```
package final class ValueTable {
  /// The title of a column, and how its values are shown.
  package struct Column {
    let title: String
    let isRightAligned: Bool
    /// Whether strings are quoted, because there could be values of other types.
    let isMixed: Bool
    /// Whether values are told apart where they do not fit, whatever part of them that takes.
    let isID: Bool
    /// The minimum width; nil for that of every value.
    let leastWidth: Int?
    /// Columns with a higher number are left out first, all together, if the window is narrow; those without, one after
    /// another from the end.
    let priority: Int

    package init(
      _ title: String, isRightAligned: Bool = false, isMixed: Bool = false, isID: Bool = false,
      leastWidth: Int? = 6, priority: Int = 0
    ) {
      (self.title, self.isRightAligned, self.isMixed) = (title, isRightAligned, isMixed)
      (self.isID, self.leastWidth, self.priority) = (isID, leastWidth, priority)
    }

    /// A column for the values of a property.
    package init(_ property: Property) {
      self.init(
        property.name.description, isRightAligned: property.isNumeric,
        isMixed: property.type == .mixed && property.collection == nil,
        isID: [.objectID, .uuid].contains(property.type) && property.collection == nil)
    }
  }

  private let columns: [Column]
  private let titles: [CellText]
  private let printer: ValuePrinter
  private let width: Int?
  private var widest: [Int]
  /// Columns that are shown, with their widths; nil until enough rows have been seen.
  private var layout: [(column: Int, width: Int, cut: Cut)]?
  private var rows: [[CellText]] = []
  private var cellCount = 0

  /// The first rows, whose widths decide about those of the columns, and the maximum number of characters in them.
  private static let measuredRows = 1000
  private static let measuredCells = 1 << 20
  private static let gap = 2
  /// Characters of a cell that is shown whole.
  private static let mostCharacters = 1 << 20

  /// - Parameters:
  ///   - width: columns of the window; nil to show all values whole.
  ///   - describe: describes a damaged part; nil for no more than that it is damaged.
  package init(
    _ snapshot: Snapshot, _ columns: [Column], width: Int?, describe: @escaping (StorageError) -> String?
  ) {
    self.columns = columns
    self.width = width
    let typography = Typography.unicode
    printer = ValuePrinter(snapshot, typography, width == nil ? .whole : .line, describe: describe)
    titles = columns.map { CellText($0.title, .plain, typography, limit: .max) }
    widest = titles.map(\.width)
  }

  /// The number of columns for which a window of this width has no room; 0 until there are rows.
  package var hiddenColumnCount: Int { layout.map { columns.count - $0.count } ?? 0 }

  /// Adds a row with a cell for each column. The values are not needed afterwards.
  package func append(_ cells: [Result<ValueView, StorageError>]) {
    let row = zip(columns, cells).map { column, cell in
      let limit = width ?? Self.mostCharacters
      switch cell {
      case .success(let value): return printer.print(value, isMixed: column.isMixed, limit: limit)
      case .failure(let error): return printer.print(error, limit: limit)
      }
    }
    add(row)
  }

  /// Adds a row of values that are owned.
  package func append(_ values: [Value]) {
    add(
      zip(columns, values).map { column, value in
        var text = printer.text(limit: width ?? .max)
        printer.append(owned: value, isMixed: column.isMixed, to: &text)
        return text
      })
  }

  /// Adds a row of literal texts.
  package func append(texts: [String]) {
    add(texts.map { CellText($0, .plain, Typography.unicode, limit: width ?? .max) })
  }

  private func add(_ row: [CellText]) {
    if layout == nil {
      for (index, cell) in row.enumerated() { widest[index] = max(widest[index], cell.width) }
    }
    cellCount += row.reduce(0) { $0 + $1.width }
    rows.append(row)
  }

  /// The lines that can be shown so far, the titles first.
  ///
  /// - Parameter isComplete: whether there are no more rows. Before that, no line is returned until the widths are
  ///   known.
  package func takeLines(isComplete: Bool) -> [String] {
    guard isComplete || layout != nil || rows.count >= Self.measuredRows || cellCount >= Self.measuredCells else {
      return []
    }
    var lines: [String] = []
    if layout == nil {
      layout = makeLayout()
      lines.append(line(titles, isTitle: true))
    }
    lines += rows.map { line($0) }
    rows = []
    return lines
  }

  /// The part of a value that is left out where it does not fit.
  private enum Cut { case end, beginning, middle }

  /// What to leave out of the values of a column so that those that differ look different: the end, unless too many begin
  /// alike. Ids are made one after another, or at one place, so either part may be the same in all rows.
  private func cut(of column: Int, to width: Int) -> Cut {
    let cells = rows.lazy.compactMap { column < $0.count ? $0[column] : nil }.filter { $0.width > width }
    // The end of a text that is longer than the window is not there.
    guard width > 2, !columns[column].isRightAligned, !cells.contains(where: \.isTruncated) else { return .end }
    let all = Set(cells.map(\.string)).count
    func distinct(_ cut: Cut) -> Int { Set(cells.map { Self.fitted($0, to: width, cut).map(\.base) }).count }
    let ends = distinct(.end)
    guard ends < all, columns[column].isID || ends * 2 < all else { return .end }
    let others = [(Cut.beginning, distinct(.beginning)), (.middle, distinct(.middle))]
    let best = max(others[0].1, others[1].1)
    return best > ends ? others.first { $0.1 == best }?.0 ?? .end : .end
  }

  private static func fitted(_ cell: CellText, to width: Int, _ cut: Cut) -> [Cell] {
    switch cut {
    case .end: cell.fitted(to: width)
    case .beginning: cell.fittedAtEnd(to: width)
    case .middle: cell.fittedAtMiddle(to: width)
    }
  }

  private func makeLayout() -> [(column: Int, width: Int, cut: Cut)] {
    var widths = widest
    guard let width else { return columns.indices.map { ($0, widths[$0], .end) } }
    var shown = Array(columns.indices)
    func excess() -> Int { shown.reduce(0) { $0 + widths[$1] } + Self.gap * (shown.count - 1) - width }
    let least = zip(columns, widest).map { min($0.leastWidth ?? .max, $1) }
    // All columns that are too wide get the same width, the largest that fits.
    func shrink() {
      widths = widest
      var most = widths.max() ?? 0
      while excess() > 0, most > (least.min() ?? 0) {
        most = max(least.min() ?? 0, most - max(1, excess() / max(1, columns.count)))
        for index in widths.indices { widths[index] = max(least[index], min(widths[index], most)) }
      }
    }
    shrink()
    while excess() > 0, shown.count > 1 {
      let highest = shown.map { columns[$0].priority }.max() ?? 0
      guard highest > 0 else {
        shown.removeLast()
        continue
      }
      shown.removeAll { columns[$0].priority == highest }
      shrink()
    }
    if shown.count == 1 { widths[shown[0]] = min(widths[shown[0]], width) }
    // The remaining room goes to columns that were cut.
    for index in shown where excess() < 0 { widths[index] = min(widest[index], widths[index] - excess()) }
    return shown.map { ($0, widths[$0], cut(of: $0, to: widths[$0])) }
  }

  private func line(_ row: [CellText], isTitle: Bool = false) -> String {
    var text = String.UnicodeScalarView()
    for (place, (column, width, cut)) in (layout ?? []).enumerated() {
      if place > 0 { text.append(contentsOf: repeatElement(" ", count: Self.gap)) }
      let cell = column < row.count ? row[column] : printer.text(limit: 0)
      let cells =
        columns[column].isRightAligned || isTitle
        ? cell.fitted(to: width, columns[column].isRightAligned ? .right : .left)
        : Self.fitted(cell, to: width, cut)
      Self.append(cells, to: &text)
    }
    return text.withoutBlanksAtEnd
  }

  private static func append(_ cells: [Cell], to text: inout String.UnicodeScalarView) {
    for cell in cells where !cell.isWideTail {
      text.append(cell.base)
      for mark in [cell.marks.0, cell.marks.1] where mark != "\0" { text.append(mark) }
    }
  }

  /// A value as shown in a cell, for a cell with several.
  ///
  /// - Parameters:
  ///   - isMixed: whether strings are quoted.
  ///   - limit: the number of columns it may take.
  package func text(of value: Value, isMixed: Bool, limit: Int) -> String {
    var cells = printer.text(limit: limit)
    printer.append(owned: value, isMixed: isMixed, to: &cells)
    var text = String.UnicodeScalarView()
    Self.append(cells.fitted(to: cells.width, .left), to: &text)
    return String(text)
  }
}
