/// Text that is searched for.
///
/// Without a capital letter in it, letters match in either case. Bytes are compared, so that text which is not UTF-8 can be
/// searched as well.
struct TextPattern: Hashable, Sendable {
  let text: String
  let isCaseSensitive: Bool
  /// UTF-8; in lower case unless case matters.
  private let bytes: [UInt8]
  private let isASCII: Bool

  /// Nil for an empty string, which would be found everywhere.
  init?(_ text: String) {
    guard !text.isEmpty else { return nil }
    self.text = text
    isCaseSensitive = text.contains { $0.isUppercase }
    bytes = Array((isCaseSensitive ? text : text.lowercased()).utf8)
    isASCII = bytes.allSatisfy { $0 < 0x80 }
  }

  /// Whether the bytes contain the text.
  func matches(_ haystack: UnsafeRawBufferPointer) -> Bool { firstMatch(in: haystack) != nil }

  /// Where the text is first found, as a byte offset; `start` where letters take other bytes in the other case.
  func firstMatch(in haystack: UnsafeRawBufferPointer, from start: Int = 0) -> Int? {
    if isCaseSensitive { return find(in: haystack, from: start) { $0 } }
    if isASCII { return find(in: haystack, from: start) { $0 &+ (($0 &- 0x41) < 26 ? 0x20 : 0) } }
    let lowered = Array(String(decoding: haystack.dropFirst(start), as: UTF8.self).lowercased().utf8)
    guard let place = lowered.withUnsafeBytes({ find(in: $0, from: 0) { $0 } }) else { return nil }
    // Places are the same in both where letters take as many bytes in either case.
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

  /// The ranges of columns where the text stands in a line.
  func ranges(in cells: some Collection<Cell>) -> [Range<Int>] {
    var characters: [Unicode.Scalar] = []
    var columns: [Int] = []
    for (column, cell) in cells.enumerated() where !cell.isWideTail {
      for scalar in [cell.base, cell.marks.0, cell.marks.1] where scalar != "\0" {
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
