/// One place of a line on a terminal: a character with the marks drawn on it.
package struct Cell: Hashable, Sendable {
  /// The character; NUL in the right half of a wide one.
  package var base: Unicode.Scalar
  /// Zero-width characters drawn on the base; NUL if there are fewer.
  package private(set) var firstMark: Unicode.Scalar = "\0"
  package private(set) var secondMark: Unicode.Scalar = "\0"
  package var style: Style

  package init(_ base: Unicode.Scalar, _ style: Style = .plain) { (self.base, self.style) = (base, style) }

  package static func blank(_ style: Style = .plain) -> Cell { Cell(" ", style) }

  /// The right half of a wide character.
  static func wideTail(_ style: Style) -> Cell { Cell("\0", style) }

  package var isWideTail: Bool { base == "\0" }

  /// The character and its marks; none in the right half of a wide one.
  package var scalars: [Unicode.Scalar] { [base, firstMark, secondMark].filter { $0 != "\0" } }

  var hasRoomForMark: Bool { secondMark == "\0" }

  /// Adds a mark if there is room for one; a third one is dropped.
  mutating func add(mark: Unicode.Scalar) {
    if firstMark == "\0" { firstMark = mark } else if hasRoomForMark { secondMark = mark }
  }
}

extension Sequence<Cell> {
  /// The characters with their marks, blanks at the end left out.
  package var text: String { String(String.UnicodeScalarView(flatMap(\.scalars)).trimmingBlanksAtEnd) }
}

extension String.UnicodeScalarView {
  /// Characters that are removed one at a time take many times as long.
  var trimmingBlanksAtEnd: SubSequence { lastIndex { $0 != " " }.map { self[...$0] } ?? self[startIndex..<startIndex] }
}

extension [Cell] {
  /// Shows that the cursor is on the line.
  package mutating func focus(_ typography: Typography) {
    for index in indices { self[index].style.emphasis = .focus }
    if let first { self[0] = Cell(typography.cursor, first.style) }
  }
}
