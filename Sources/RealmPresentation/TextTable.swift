import RealmText

/// A table for a terminal: columns are as wide as their widest cell, counted in columns of the terminal. Where there is no
/// room, cells are cut, and columns are left out.
package struct TextTable {
  package struct Column {
    let title: String
    let alignment: CellText.Alignment
    /// Where there is no room, columns of lower ranks become narrower first, and are left out first.
    let rank: Int
    /// How narrow the column can become; nil if its cells are never cut.
    let leastWidth: Int?
    /// Its width at first, for cells that come later.
    let reservedWidth: Int
    /// Whether strings are quoted, because there could be values of other types.
    let isMixed: Bool
    /// Whether values are told apart where they do not fit, whatever part of them that takes.
    let isID: Bool

    package init(
      _ title: String, _ alignment: CellText.Alignment = .left, rank: Int = 0, leastWidth: Int? = nil,
      reservedWidth: Int = 0, isMixed: Bool = false, isID: Bool = false
    ) {
      (self.title, self.alignment, self.rank, self.leastWidth) = (title, alignment, rank, leastWidth)
      (self.reservedWidth, self.isMixed, self.isID) = (reservedWidth, isMixed, isID)
    }

    package static func left(_ title: String, rank: Int = 0, reservedWidth: Int = 0) -> Column {
      Column(title, rank: rank, reservedWidth: reservedWidth)
    }

    package static func right(_ title: String, rank: Int = 0, reservedWidth: Int = 0) -> Column {
      Column(title, .right, rank: rank, reservedWidth: reservedWidth)
    }

    /// A column for long texts, which becomes narrower before any column is left out.
    package static func flexible(_ title: String, rank: Int, reservedWidth: Int = 0) -> Column {
      Column(title, rank: rank, leastWidth: 12, reservedWidth: reservedWidth)
    }
  }

  /// What becomes narrower where there is no room.
  package enum Shrinking {
    /// The columns of the lowest ranks.
    case lowestRank
    /// The widest columns, all to the same width.
    case widest
  }

  package let columns: [Column]
  package private(set) var rows: [[CellText]] = []
  /// The width of the lines of a screen.
  package private(set) var width = 80
  private let typography: Typography
  private let titles: [CellText]
  private var widest: [Int]
  /// Columns that are shown, with their widths; nil until `fit`.
  private var layout: [(column: Int, width: Int, cut: Cut)]?

  private static let gap = 2

  package init(_ columns: [Column] = [], _ typography: Typography = .unicode) {
    (self.columns, self.typography) = (columns, typography)
    titles = columns.map { CellText($0.title, Style(.heading), typography, limit: .max) }
    widest = zip(titles, columns).map { max($0.width, $1.reservedWidth) }
  }

  package var isLaidOut: Bool { layout != nil }
  /// The number of columns for which there is no room.
  package var hiddenColumnCount: Int { layout.map { columns.count - $0.count } ?? 0 }

  // MARK: - Rows

  /// - Parameter cells: one for each column.
  package mutating func append(_ cells: [CellText]) {
    rows.append(cells)
    measure(cells)
  }

  /// Takes the width of a row into account that is not kept.
  package mutating func measure(_ cells: [CellText]) {
    for (index, cell) in cells.enumerated().prefix(columns.count) { widest[index] = max(widest[index], cell.width) }
  }

  /// Removes the rows so far.
  mutating func takeRows() -> [[CellText]] {
    defer { rows = [] }
    return rows
  }

  // MARK: - Layout

  /// Chooses columns for a screen, whose first column is for the cursor.
  package mutating func layOut(width: Int) {
    self.width = width
    fit(width - 1, shrinking: .lowestRank)
  }

  /// - Parameter width: columns of the window; nil to show everything whole.
  package mutating func fit(_ width: Int?, shrinking: Shrinking) {
    var widths = widest
    var shown = Array(columns.indices)
    guard let width else { return layout = shown.map { ($0, widths[$0], .end) } }
    let least = zip(columns, widest).map { min($0.leastWidth ?? .max, $1) }
    let byRank = shown.sorted { columns[$0].rank < columns[$1].rank }
    func excess() -> Int { shown.reduce(Self.gap * (shown.count - 1) - width) { $0 + widths[$1] } }
    switch shrinking {
    case .lowestRank:
      for index in byRank where excess() > 0 { widths[index] = max(least[index], widths[index] - excess()) }
      for index in byRank where excess() > 0 && shown.count > 1 { shown.removeAll { $0 == index } }
    case .widest:
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
        let lowest = shown.map { columns[$0].rank }.min() ?? 0
        guard lowest < 0 else {
          shown.removeLast()
          continue
        }
        shown.removeAll { columns[$0].rank == lowest }
        shrink()
      }
      if shown.count == 1 { widths[shown[0]] = min(widths[shown[0]], width) }
    }
    // The remaining room goes to columns that were cut, the most important ones first.
    for index in shrinking == .widest ? shown : byRank.reversed().filter(shown.contains) where excess() < 0 {
      widths[index] = min(widest[index], widths[index] - excess())
    }
    layout = shown.map { ($0, widths[$0], shrinking == .widest ? cut(of: $0, to: widths[$0]) : .end) }
  }

  /// The part of a value that is left out where it does not fit.
  private enum Cut { case end, beginning, middle }

  /// What to leave out of the values of a column so that those that differ look different: the end, unless too many begin
  /// alike. Ids are made one after another, or at one place, so either part may be the same in all rows.
  private func cut(of column: Int, to width: Int) -> Cut {
    let cells = rows.lazy.compactMap { column < $0.count ? $0[column] : nil }.filter { $0.width > width }
    // The end of a text that is longer than the window is not there.
    guard width > 2, columns[column].alignment == .left, !cells.contains(where: \.isTruncated) else { return .end }
    let all = Set(cells.map(\.string)).count
    func distinct(_ cut: Cut) -> Int { Set(cells.map { Self.fitted($0, to: width, .left, cut).map(\.base) }).count }
    let ends = distinct(.end)
    guard ends < all, columns[column].isID || ends * 2 < all else { return .end }
    let others = [(Cut.beginning, distinct(.beginning)), (.middle, distinct(.middle))]
    let best = max(others[0].1, others[1].1)
    return best > ends ? others.first { $0.1 == best }?.0 ?? .end : .end
  }

  private static func fitted(_ cell: CellText, to width: Int, _ alignment: CellText.Alignment, _ cut: Cut) -> [Cell] {
    switch cut {
    case .end: cell.fitted(to: width, alignment)
    case .beginning: cell.fittedAtEnd(to: width)
    case .middle: cell.fittedAtMiddle(to: width)
    }
  }

  // MARK: - Lines

  private func cells(_ row: [CellText], isTitle: Bool = false) -> [Cell] {
    let none = CellText(typography)
    let parts = (layout ?? []).map { column, width, cut in
      Self.fitted(
        column < row.count ? row[column] : none, to: width, columns[column].alignment, isTitle ? .end : cut)
    }
    return Array(parts.joined(separator: Array(repeating: .blank(), count: Self.gap)))
  }

  /// The titles as a line of text.
  var titleText: String { cells(titles, isTitle: true).text }

  /// A row as a line of text.
  func text(of row: [CellText]) -> String { cells(row).text }

  /// The titles as a line of a screen.
  package func header() -> [Cell] { screenLine(cells(titles, isTitle: true)) }

  /// A row that is kept as a line of a screen.
  package func line(_ row: Int, isCursor: Bool) -> [Cell] {
    rows.indices.contains(row) ? line(of: rows[row], isCursor: isCursor) : []
  }

  /// Any row as a line of a screen.
  package func line(of row: [CellText], isCursor: Bool) -> [Cell] {
    var line = screenLine(cells(row))
    if isCursor { line.focus(typography) }
    return line
  }

  private func screenLine(_ cells: [Cell]) -> [Cell] {
    let line = [.blank()] + cells.prefix(max(width - 1, 0))
    return line + Array(repeating: .blank(), count: max(width - line.count, 0))
  }

  /// Lines of texts that are shown whole and as they are, the titles first. Columns without any text are left out; no line
  /// ends with blanks.
  ///
  /// - Parameter rows: each with one text per column.
  package static func lines(
    _ columns: [Column], _ rows: [[String]], _ pen: ANSIStyle = ANSIStyle(isColored: false)
  ) -> [String] {
    let shown = columns.indices.filter { column in rows.contains { !$0[column].isEmpty } }
    let widths = shown.map { column in
      rows.reduce(CharacterWidth.of(columns[column].title)) { max($0, CharacterWidth.of($1[column])) }
    }
    func line(_ texts: [String]) -> String {
      let parts = zip(shown, widths).map { column, width in
        let blanks = String(repeating: " ", count: width - CharacterWidth.of(texts[column]))
        return columns[column].alignment == .left ? texts[column] + blanks : blanks + texts[column]
      }
      return String(parts.joined(separator: "  ").unicodeScalars.trimmingBlanksAtEnd)
    }
    return [pen.bold(line(columns.map(\.title)))] + rows.map(line)
  }
}
