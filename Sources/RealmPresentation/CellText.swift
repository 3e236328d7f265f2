import RealmText

/// Text for the screen: cells, as many as there is room for.
///
/// Anything can be appended. Control characters, characters that change the direction of writing, invisible ones and
/// bytes that are not UTF-8 become visible signs in a style of their own; the terminal never receives them. Marks are
/// added to the character before them. Pictographs that some terminals would join are shown side by side, with the
/// joiners and skin tones between them as escapes, because terminals do not agree on the width of joined ones.
package struct CellText {
  package private(set) var cells: [Cell] = []
  /// Columns that can be filled.
  let limit: Int
  /// Whether something did not fit.
  package private(set) var isTruncated = false
  package let typography: Typography

  package init(_ typography: Typography, limit: Int = 4096) {
    self.typography = typography
    self.limit = max(limit, 0)
  }

  package init(_ text: String, _ style: Style = .plain, _ typography: Typography, limit: Int = 4096) {
    self.init(typography, limit: limit)
    append(text, style)
  }

  /// The characters, without marks.
  package var string: String {
    var text = String.UnicodeScalarView()
    for cell in cells where !cell.isWideTail { text.append(cell.base) }
    return String(text) + (isTruncated ? String(typography.ellipsis) : "")
  }

  /// Gives the whole text another role.
  package mutating func setRole(_ role: Role) {
    for index in cells.indices { cells[index].style.role = role }
  }

  /// The number of columns used.
  package var width: Int { cells.count }

  /// Whether further text would be left out.
  package var isFull: Bool { isTruncated || cells.count >= limit }

  // MARK: Appending

  package mutating func append(_ text: String, _ style: Style = .plain) {
    for scalar in text.unicodeScalars where !isTruncated { append(scalar, style) }
  }

  /// Appends bytes that ought to be UTF-8.
  package mutating func append(utf8 bytes: UnsafeRawBufferPointer, _ style: Style = .plain) {
    var index = 0
    while index < bytes.count, !isTruncated {
      let byte = bytes[index]
      if byte >= 0x20, byte < 0x7f {
        appendSpacing(Unicode.Scalar(byte), width: 1, style)
        index += 1
        continue
      }
      let character = UTF8Character(at: index, in: bytes)
      if let scalar = character.scalar {
        append(scalar, style)
      } else {
        appendEscape("\\x" + Self.hex(UInt32(byte), digits: 2), style)
      }
      index += character.length
    }
  }

  package mutating func append(_ text: CellText) {
    let room = limit - cells.count
    if text.cells.count > room || text.isTruncated { isTruncated = true }
    cells.append(contentsOf: text.cells.prefix(max(room, 0)))
    repairEnd()
  }

  package mutating func append(_ scalar: Unicode.Scalar, _ style: Style) {
    if CharacterWidth.isHidden(scalar) { return appendControl(scalar, style) }
    if typography.isASCII, !scalar.isASCII { return appendEscape(Self.escape(scalar), style) }
    let width = CharacterWidth.of(scalar)
    if width == 0 { appendMark(scalar, style) } else { appendSpacing(scalar, width: width, style) }
  }

  private mutating func appendSpacing(_ scalar: Unicode.Scalar, width: Int, _ style: Style) {
    if Self.isJoined(scalar, after: lastBase) { return appendEscape(Self.escape(scalar), style) }
    guard cells.count + width <= limit else {
      isTruncated = true
      return
    }
    cells.append(Cell(scalar, style))
    if width == 2 { cells.append(.wideTail(style)) }
  }

  private mutating func appendMark(_ mark: Unicode.Scalar, _ style: Style) {
    // The selector of the colored form makes some terminals draw a narrow character wide.
    if mark == "\u{fe0f}" { return }
    if Self.isJoined(mark, after: lastBase) { return appendEscape(Self.escape(mark), style) }
    guard let index = cells.lastIndex(where: { !$0.isWideTail }) else {
      // A mark needs something to be drawn on.
      return appendOnBlank(mark, style)
    }
    // A cell has room for two marks, and an escape for none; a mark must not get lost.
    guard cells[index].hasRoomForMark, cells[index].style.role != .control else {
      return appendEscape(Self.escape(mark), style)
    }
    cells[index].add(mark: mark)
  }

  private mutating func appendOnBlank(_ mark: Unicode.Scalar, _ style: Style) {
    guard cells.count < limit else {
      isTruncated = true
      return
    }
    var cell = Cell("\u{25cc}", style)
    cell.add(mark: mark)
    cells.append(cell)
  }

  private var lastBase: Unicode.Scalar? { cells.last { !$0.isWideTail }?.base }

  /// Whether a character would be joined with the one before it, or with any character after it.
  package static func isJoined(_ scalar: Unicode.Scalar, after last: Unicode.Scalar?) -> Bool {
    // Some terminals draw any character after a joiner in the cell of the one before it.
    if scalar == "\u{200d}" { return true }
    guard (0x1f3fb...0x1f3ff).contains(scalar.value), let last else { return false }
    return CharacterWidth.isPictograph(last)
  }

  // MARK: What must not be sent

  private mutating func appendControl(_ scalar: Unicode.Scalar, _ style: Style) {
    // The signs for control characters are 0x2400 above them.
    if !typography.isASCII, scalar.value <= 0x20, let picture = Unicode.Scalar(0x2400 + scalar.value) {
      return appendSpacing(picture, width: 1, Style(.control, style.emphasis))
    }
    appendEscape(Self.escape(scalar), style)
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default: "\\u{" + hex(scalar.value, digits: 1) + "}"
    }
  }

  /// An escape is shown whole or not at all.
  private mutating func appendEscape(_ text: String, _ style: Style) {
    guard cells.count + text.utf8.count <= limit else {
      isTruncated = true
      return
    }
    for scalar in text.unicodeScalars { cells.append(Cell(scalar, Style(.control, style.emphasis))) }
  }

  private static func hex(_ value: UInt32, digits: Int) -> String {
    let text = String(value, radix: 16)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }

  // MARK: Fitting

  /// A wide character must not lose its right half.
  private mutating func repairEnd() {
    guard let last = cells.last, !last.isWideTail, CharacterWidth.of(last.base) == 2 else { return }
    cells[cells.count - 1] = .blank(last.style)
  }

  package enum Alignment { case left, right }

  /// Exactly `width` cells: filled with blanks, or cut off with a sign that says so.
  package func fitted(to width: Int, _ alignment: Alignment = .left, fill: Style = .plain) -> [Cell] {
    guard width > 0 else { return [] }
    guard cells.count > width || isTruncated else {
      let blanks = Array(repeating: Cell.blank(fill), count: width - cells.count)
      return alignment == .left ? cells + blanks : blanks + cells
    }
    var text = self
    text.cells = Array(cells.prefix(width - 1))
    text.repairEnd()
    let style = text.cells.last?.style ?? cells.first?.style ?? fill
    let mark = Cell(typography.ellipsis, Style(style.role, style.emphasis))
    text.cells += Array(repeating: .blank(fill), count: max(0, width - 1 - text.cells.count)) + [mark]
    return text.cells
  }

  /// Exactly `width` cells; text that is too long loses its beginning.
  package func fittedAtEnd(to width: Int, fill: Style = .plain) -> [Cell] {
    guard cells.count > width, width > 0 else { return fitted(to: width, fill: fill) }
    var kept = Array(cells.suffix(width - 1))
    if let first = kept.first, first.isWideTail { kept[0] = .blank(first.style) }
    return [Cell(typography.ellipsis, kept.first?.style ?? fill)] + kept
  }

  /// Exactly `width` cells; text that is too long loses its middle.
  package func fittedAtMiddle(to width: Int, fill: Style = .plain) -> [Cell] {
    guard cells.count > width, width > 2 else { return fitted(to: width, fill: fill) }
    let tail = (width - 1) / 2
    var end = Array(cells.suffix(tail))
    if let first = end.first, first.isWideTail { end[0] = .blank(first.style) }
    // With the sign that something is left out.
    return fitted(to: width - tail, fill: fill) + end
  }

  /// Gives every cell the emphasis.
  package mutating func emphasize(_ emphasis: Emphasis) {
    for index in cells.indices { cells[index].style.emphasis = emphasis }
  }

  /// Marks a range of columns as found.
  package mutating func mark(_ range: Range<Int>) {
    for index in range.clamped(to: cells.indices) { cells[index].style.role = .match }
  }
}
