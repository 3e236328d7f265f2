import Libc

/// Texts in texts, byte by byte. (Those of the standard library need macOS 13 and iOS 16, and take a character for another
/// one where an accent follows it.)
extension StringProtocol {
  package func contains(text part: some StringProtocol) -> Bool { utf8.range(ofBytes: part.utf8) != nil }

  /// The text with another one wherever a text occurs.
  ///
  /// - Parameter part: not empty.
  package func replacing(_ part: some StringProtocol, by other: some StringProtocol) -> String {
    var (result, place) = ("", startIndex)
    while let range = utf8.range(ofBytes: part.utf8, from: place) {
      result += self[place..<range.lowerBound]
      result += other
      place = range.upperBound
    }
    return result + self[place...]
  }
}

extension Collection<UInt8> {
  /// Where bytes occur first.
  ///
  /// - Parameter start: where to begin; nil for the start.
  package func range(ofBytes part: some Collection<UInt8>, from start: Index? = nil) -> Range<Index>? {
    var place = start ?? startIndex
    guard let first = part.first else { return place..<place }
    while let found = self[place...].firstIndex(of: first) {
      if self[found...].starts(with: part) { return found..<index(found, offsetBy: part.count) }
      place = index(after: found)
    }
    return nil
  }
}

extension String {
  /// The text of bytes; nil if they are not UTF-8. (The standard library's `init(validating:as:)` needs macOS 15.)
  package init?(utf8 bytes: some Collection<UInt8>) {
    self.init(decoding: bytes, as: UTF8.self)
    // What is not UTF-8 was replaced.
    let isSame = utf8.withContiguousStorageIfAvailable { decoded in
      bytes.withContiguousStorageIfAvailable { bytes in
        // Several times as fast as comparing the elements.
        decoded.count == bytes.count
          && (bytes.isEmpty
            || decoded.baseAddress.map { memcmp($0, bytes.baseAddress ?? $0, bytes.count) == 0 } ?? false)
      }
    }
    guard isSame.flatMap({ $0 }) ?? utf8.elementsEqual(bytes) else { return nil }
  }
}
