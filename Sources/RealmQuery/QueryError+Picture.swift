import RealmText

extension QueryError {
  /// Where a mistake begins: line and column from 1, the column in characters (Unicode scalars).
  public struct Place: Hashable, Sendable {
    /// From 1; lines end with a newline.
    public var line: Int
    /// From 1, in characters.
    public var column: Int
  }

  /// The place of the mistake in the query's text; nil if it is not in the text.
  public func place(in text: String) -> Place? {
    guard let range else { return nil }
    let before = text.utf8.prefix(range.start)
    let line = before.reduce(1) { $0 + ($1 == UInt8(ascii: "\n") ? 1 : 0) }
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { text.utf8.index(after: $0) } ?? text.startIndex
    return Place(line: line, column: text.unicodeScalars[start..<before.endIndex].count + 1)
  }

  /// The line of the query's text that has the mistake, and below it a caret under its first character with a wave
  /// under the others; nil if the mistake is not in the text.
  ///
  /// ```
  /// age == 25 AND name ==[d] "b"
  ///                      ^
  /// ```
  ///
  /// Tabs are shown as spaces, other characters that a terminal would interpret as U+FFFD.
  ///
  /// - Parameters:
  ///   - text: the query.
  ///   - width: columns that there is room for; of longer lines the part around the mistake is shown.
  public func picture(in text: String, width: Int = 80) -> String? {
    guard let range else { return nil }
    let line = PicturedLine(text, range)
    return line.picture(width: max(width, 8))
  }
}

/// A line of a query and the mark below it.
private struct PicturedLine {
  private struct Cell {
    var character: Unicode.Scalar
    /// Columns that it takes.
    var width: Int
  }

  private var cells: [Cell] = []
  /// The marked cells; if there are none, the caret comes after the last cell.
  private var marked = 0..<0

  init(_ text: String, _ range: SourceRange) {
    let bytes = Array(text.utf8)
    let start = min(range.start, bytes.count)
    let newline = UInt8(ascii: "\n")
    let lineStart = bytes[..<start].lastIndex(of: newline).map { $0 + 1 } ?? 0
    let lineEnd = bytes[start...].firstIndex(of: newline) ?? bytes.count
    var offset = lineStart
    var markedStart: Int?
    var markedEnd: Int?
    for scalar in String(decoding: bytes[lineStart..<lineEnd], as: UTF8.self).unicodeScalars {
      if markedStart == nil, offset >= start { markedStart = cells.count }
      if markedEnd == nil, offset >= range.end { markedEnd = cells.count }
      cells.append(Self.cell(scalar))
      offset += UTF8.width(scalar)
    }
    let first = markedStart ?? cells.count
    marked = first..<max(markedEnd ?? cells.count, first)
  }

  private static func cell(_ scalar: Unicode.Scalar) -> Cell {
    if scalar == "\t" { return Cell(character: " ", width: 1) }
    if CharacterWidth.isHidden(scalar) { return Cell(character: "\u{fffd}", width: 1) }
    return Cell(character: scalar, width: CharacterWidth.of(scalar))
  }

  private func columns(_ range: Range<Int>) -> Int { cells[range].reduce(0) { $0 + $1.width } }

  func picture(width: Int) -> String {
    var shown = 0..<cells.count
    if columns(shown) + 1 > width { shown = window(width: width - 2) }
    var line = String.UnicodeScalarView()
    if shown.lowerBound > 0 { line.append("…") }
    line.append(contentsOf: cells[shown].map(\.character))
    if shown.upperBound < cells.count { line.append("…") }
    let first = min(marked.lowerBound, shown.upperBound)
    let indent = columns(shown.lowerBound..<first) + (shown.lowerBound > 0 ? 1 : 0)
    let length = max(columns(marked.clamped(to: shown)), 1)
    return String(line) + "\n" + String(repeating: " ", count: indent) + "^"
      + String(repeating: "~", count: length - 1)
  }

  /// The cells around the beginning of the mark that fit, most of the place being left of it.
  private func window(width: Int) -> Range<Int> {
    var start = marked.lowerBound
    var used = 1
    while start > 0, used + cells[start - 1].width <= width * 2 / 3 || cells[start - 1].width == 0 {
      start -= 1
      used += cells[start].width
    }
    var end = start
    used = 0
    while end < cells.count, used + cells[end].width <= width {
      used += cells[end].width
      end += 1
    }
    // Space left after the end of the line is given to what comes before.
    while end == cells.count, start > 0, used + cells[start - 1].width + 1 <= width {
      start -= 1
      used += cells[start].width
    }
    return start..<end
  }
}
