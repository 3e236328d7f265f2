import RealmPresentation
import RealmText

/// Where the lines of a text begin when it is wrapped: after line feeds, and at blanks or, in long words, anywhere.
///
/// Lines are found when they are needed, so that the first screen of a long text appears at once.
struct LineBreaks {
  /// The number of columns in a line; nil wraps nothing.
  let width: Int?
  /// Byte offsets of the lines found so far.
  private(set) var starts: [Int] = [0]
  /// Whether all lines have been found.
  private(set) var isComplete = false

  init(width: Int?) { self.width = width.map { max($0, 1) } }

  /// Finds lines until there are at least `count`, or the text ends.
  mutating func find(_ count: Int, in bytes: UnsafeRawBufferPointer) {
    while !isComplete, starts.count < count { findNext(in: bytes) }
  }

  /// The bytes of a line that was found, without the line feed.
  func line(_ index: Int, in bytes: UnsafeRawBufferPointer) -> Range<Int> {
    guard starts.indices.contains(index) else { return bytes.count..<bytes.count }
    let start = starts[index]
    var end = index + 1 < starts.count ? starts[index + 1] : bytes.count
    if end > start, end <= bytes.count, bytes[end - 1] == 0x0a { end -= 1 }
    if end > start, bytes[end - 1] == 0x0d { end -= 1 }
    return start..<end
  }

  /// The line that contains a byte; the last line found if that one has not been found yet.
  func line(of byte: Int) -> Int {
    var (low, high) = (0, starts.count)
    while low + 1 < high {
      let middle = (low + high) / 2
      if starts[middle] <= byte { low = middle } else { high = middle }
    }
    return low
  }

  private mutating func findNext(in bytes: UnsafeRawBufferPointer) {
    guard let start = starts.last, let next = Self.end(of: start, width, in: bytes) else {
      isComplete = true
      return
    }
    starts.append(next)
  }

  /// Where the line after the one at `start` begins; nil if there is none.
  private static func end(of start: Int, _ width: Int?, in bytes: UnsafeRawBufferPointer) -> Int? {
    var index = start
    var column = 0
    var afterBlank: Int?
    // A character followed by a skin tone or a joiner turns that into an escape, which takes its full width.
    var last: Unicode.Scalar?
    var marks = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte == 0x0a { return index + 1 < bytes.count ? index + 1 : nil }
      let character = UTF8Character(at: index, in: bytes)
      guard let width else {
        index += character.length
        continue
      }
      var taken = Self.width(of: character)
      if let scalar = character.scalar {
        let isMark = taken == 0 && scalar != "\u{fe0f}"
        if isMark { marks += 1 }
        if CellText.isJoined(scalar, after: last) || isMark && marks > 2 {
          taken = 4 + String(scalar.value, radix: 16).utf8.count
          (last, marks) = ("}", 2)
        } else if taken > 0 {
          // Nothing is drawn on an escape.
          (last, marks) = (scalar, CharacterWidth.isHidden(scalar) ? 2 : 0)
        }
      } else {
        (last, marks) = (nil, 2)
      }
      if column + taken > width, index > start { return afterBlank ?? index }
      column += taken
      index += character.length
      if byte == 0x20 || byte == 0x09 { afterBlank = index }
    }
    return nil
  }

  /// As `CellText` draws it: escapes take the most.
  private static func width(of character: UTF8Character) -> Int {
    guard let scalar = character.scalar else { return 4 }
    if scalar.value < 0x20 { return 1 }
    if CharacterWidth.isHidden(scalar) { return 4 + String(scalar.value, radix: 16).utf8.count }
    return CharacterWidth.of(scalar)
  }
}
