import RealmPresentation
import RealmText

/// Text to search for or, after `~`, a regular expression.
///
/// If it has no capital letter, letters match in either case. Bytes are compared, so that text that is not UTF-8 can
/// also be searched.
struct TextPattern: Hashable, Sendable {
  /// As it was typed.
  let text: String
  let isCaseSensitive: Bool
  /// UTF-8; in lower case unless case matters.
  private let bytes: [UInt8]
  private let isASCII: Bool
  private let expression: RegularExpression?

  /// The sign before a regular expression.
  static let regexSign: Character = "~"

  /// A literal text; nil for an empty string, which would be found everywhere.
  init?(_ text: String) {
    guard !text.isEmpty else { return nil }
    let isCaseSensitive = text.contains { $0.isUppercase }
    self.init(text, isCaseSensitive, Array((isCaseSensitive ? text : text.lowercased()).utf8), nil)
  }

  /// The text typed in a search: text, or `~` and a regular expression. Nil for an empty text.
  ///
  /// - Throws: an error in the expression; its range is one after the sign.
  init?(typed text: String) throws(PatternError) {
    guard text.first == Self.regexSign else {
      self.init(text)
      return
    }
    let source = String(text.dropFirst())
    guard !source.isEmpty else { return nil }
    let isCaseSensitive = Self.hasCapital(source)
    self.init(text, isCaseSensitive, [], try RegularExpression(source, ignoresCase: !isCaseSensitive))
  }

  private init(_ text: String, _ isCaseSensitive: Bool, _ bytes: [UInt8], _ expression: RegularExpression?) {
    (self.text, self.isCaseSensitive, self.bytes, self.expression) = (text, isCaseSensitive, bytes, expression)
    isASCII = bytes.allSatisfy { $0 < 0x80 }
  }

  var isRegex: Bool { expression != nil }

  /// Letters after a backslash have another meaning: `\D`.
  private static func hasCapital(_ source: String) -> Bool {
    var isEscaped = false
    for character in source {
      if !isEscaped, character.isUppercase { return true }
      isEscaped = !isEscaped && character == "\\"
    }
    return false
  }

  /// Finds the pattern; belongs to one thread.
  func searcher() -> Searcher { Searcher(self) }

  /// The ranges of columns of a line in which the pattern is found.
  func ranges(in cells: some Collection<Cell>) -> [Range<Int>] { searcher().ranges(in: cells) }

  /// Finds a pattern in texts and lines.
  final class Searcher {
    private let pattern: TextPattern
    private let matcher: RegularExpressionMatcher?

    fileprivate init(_ pattern: TextPattern) {
      self.pattern = pattern
      matcher = pattern.expression?.matcher()
    }

    /// Whether the bytes contain the pattern.
    func matches(_ haystack: UnsafeRawBufferPointer) -> Bool {
      matcher?.matches(haystack) ?? (pattern.firstPlace(in: haystack, from: 0) != nil)
    }

    /// The byte offset of the first match; `start` if letters have a different number of bytes in the other case.
    func firstMatch(in haystack: UnsafeRawBufferPointer, from start: Int = 0) -> Int? {
      guard let matcher else { return pattern.firstPlace(in: haystack, from: start) }
      return matcher.firstMatch(in: haystack, from: start)?.lowerBound
    }

    /// The ranges of columns of a line in which the pattern is found.
    func ranges(in cells: some Collection<Cell>) -> [Range<Int>] {
      guard let matcher else { return pattern.literalRanges(in: cells) }
      var line: [UInt8] = []
      var columns: [Int] = []
      for (column, cell) in cells.enumerated() {
        for scalar in cell.scalars {
          for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
            line.append(byte)
            columns.append(column)
          }
        }
      }
      // Blanks at the end only fill the screen; they are not part of the text.
      while line.last == UInt8(ascii: " ") { line.removeLast() }
      return line.withUnsafeBytes { bytes in
        var ranges: [Range<Int>] = []
        var place = 0
        while place < bytes.count, let found = matcher.firstMatch(in: bytes, from: place) {
          if !found.isEmpty {
            let end = found.upperBound < columns.count ? columns[found.upperBound] : cells.count
            ranges.append(columns[found.lowerBound]..<max(end, columns[found.lowerBound] + 1))
          }
          place = max(found.upperBound, place + 1)
        }
        return ranges
      }
    }
  }

  // MARK: Plain text

  private func firstPlace(in haystack: UnsafeRawBufferPointer, from start: Int) -> Int? {
    if isCaseSensitive { return find(in: haystack, from: start) { $0 } }
    if isASCII { return find(in: haystack, from: start) { $0 &+ (($0 &- 0x41) < 26 ? 0x20 : 0) } }
    let lowered = Array(String(decoding: haystack.dropFirst(start), as: UTF8.self).lowercased().utf8)
    guard let place = lowered.withUnsafeBytes({ find(in: $0, from: 0) { $0 } }) else { return nil }
    // Places are the same in both if letters have as many bytes in either case.
    return lowered.count == haystack.count - start ? start + place : start
  }

  @inline(__always)
  private func find(in haystack: UnsafeRawBufferPointer, from start: Int, _ fold: (UInt8) -> UInt8) -> Int? {
    let last = haystack.count - bytes.count
    guard start >= 0, start <= last, let first = bytes.first else { return nil }
    return bytes.withUnsafeBufferPointer { needle in
      for place in start...last where fold(haystack[place]) == first {
        var length = 1
        while length < needle.count, fold(haystack[place + length]) == needle[length] { length += 1 }
        if length == needle.count { return place }
      }
      return nil
    }
  }

  private func literalRanges(in cells: some Collection<Cell>) -> [Range<Int>] {
    var characters: [Unicode.Scalar] = []
    var columns: [Int] = []
    for (column, cell) in cells.enumerated() {
      for scalar in cell.scalars {
        characters.append(isCaseSensitive ? scalar : Self.lowered(scalar))
        columns.append(column)
      }
    }
    let wanted = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
    guard !wanted.isEmpty, characters.count >= wanted.count else { return [] }
    var ranges: [Range<Int>] = []
    var place = 0
    while place + wanted.count <= characters.count {
      guard characters[place] == wanted[0], characters[place..<place + wanted.count].elementsEqual(wanted) else {
        place += 1
        continue
      }
      let next = place + wanted.count
      ranges.append(columns[place]..<(next < columns.count ? columns[next] : cells.count))
      place = next
    }
    return ranges
  }

  private static func lowered(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    if scalar.isASCII { return ("A"..."Z").contains(scalar) ? Unicode.Scalar(UInt8(scalar.value) + 32) : scalar }
    let mapping = scalar.properties.lowercaseMapping.unicodeScalars
    return mapping.count == 1 ? mapping.first ?? scalar : scalar
  }
}
