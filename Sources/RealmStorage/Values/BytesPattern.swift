/// What bytes are compared with: one text or piece of data, prepared once for many comparisons.
///
/// Folded comparison takes ASCII letters and the letters U+00C0–U+00FE of Latin-1 for the same in either case; texts
/// that are the same so have the same length.
package final class BytesPattern: @unchecked Sendable {
  /// How bytes match.
  package enum Kind: Hashable, Sendable {
    case equal, prefix, suffix, contains
    /// `*` is any run of bytes, `?` one character of UTF-8; the whole text must match.
    case wildcards
    /// The same, but two or more `*` at the end do not match the end of a text.
    case wildcardsWithOneStarAtEnd
  }

  private let kind: Kind
  private let isFolded: Bool
  private let count: Int
  /// The bytes, and those of the other case; the same twice where cases count.
  private let lower: UnsafeMutablePointer<UInt8>
  private let upper: UnsafeMutablePointer<UInt8>
  /// By the byte under the pattern's last one, how far the pattern moves on.
  private let skips: UnsafeMutablePointer<UInt8>

  package init(_ bytes: [UInt8], _ kind: Kind, isFolded: Bool) {
    (self.kind, self.isFolded) = (kind, isFolded)
    count = bytes.count
    lower = .allocate(capacity: max(bytes.count, 1))
    upper = .allocate(capacity: max(bytes.count, 1))
    skips = .allocate(capacity: 256)
    for (index, byte) in bytes.enumerated() { (lower[index], upper[index]) = (byte, byte) }
    if isFolded {
      bytes.withUnsafeBytes { bytes in
        for index in bytes.indices {
          lower[index] = LetterCase.lower(bytes, index)
          upper[index] = LetterCase.upper(bytes, index)
        }
      }
    }
    let longest = UInt8(clamping: max(bytes.count, 1))
    skips.initialize(repeating: longest, count: 256)
    for index in 0..<max(bytes.count - 1, 0) {
      let skip = UInt8(clamping: bytes.count - 1 - index)
      skips[Int(lower[index])] = skip
      skips[Int(upper[index])] = skip
    }
  }

  deinit {
    lower.deallocate()
    upper.deallocate()
    skips.deallocate()
  }

  /// The bytes, where nothing else matches.
  var exactBytes: UnsafeRawBufferPointer? {
    kind == .equal && !isFolded ? UnsafeRawBufferPointer(start: lower, count: count) : nil
  }

  /// Whether a text matches.
  package func matches(_ text: UnsafeRawBufferPointer) -> Bool {
    switch kind {
    case .equal: text.count == count && isSame(text, at: 0)
    case .prefix: text.count >= count && isSame(text, at: 0)
    case .suffix: text.count >= count && isSame(text, at: text.count - count)
    case .contains: isContained(in: text)
    case .wildcards: matchesWildcards(text, trailingStars: .max)
    case .wildcardsWithOneStarAtEnd: matchesWildcards(text, trailingStars: 1)
    }
  }

  @inline(__always)
  private func isSame(_ text: UnsafeRawBufferPointer, at start: Int) -> Bool {
    for index in 0..<count {
      let byte = text[start &+ index]
      if byte != lower[index], byte != upper[index] { return false }
    }
    return true
  }

  private func isContained(in text: UnsafeRawBufferPointer) -> Bool {
    guard count > 0 else { return true }
    let last = count - 1
    let (lowerLast, upperLast) = (lower[last], upper[last])
    var end = last
    while end < text.count {
      let byte = text[end]
      if byte == lowerLast || byte == upperLast, isSame(text, at: end - last) { return true }
      end += Int(skips[Int(byte)])
    }
    return false
  }

  /// Going back to the last `*` is enough: what comes before it has matched as early as possible.
  private func matchesWildcards(_ text: UnsafeRawBufferPointer, trailingStars: Int) -> Bool {
    var (position, place) = (0, 0)
    var star: (position: Int, place: Int)?
    while true {
      if position == text.count {
        let rest = count - place
        guard rest <= trailingStars else { return false }
        return (place..<count).allSatisfy { lower[$0] == UInt8(ascii: "*") }
      }
      if place < count {
        let wanted = lower[place]
        if wanted == UInt8(ascii: "*") {
          place += 1
          star = (position, place)
          continue
        }
        let byte = text[position]
        if wanted == UInt8(ascii: "?") {
          place += 1
          position += 1
          if byte & 0x80 != 0 {
            while position < text.count, text[position] & 0xc0 == 0x80 { position += 1 }
          }
          continue
        }
        if byte == wanted || byte == upper[place] {
          place += 1
          position += 1
          continue
        }
      }
      guard let last = star else { return false }
      (position, place) = (last.position + 1, last.place)
      star = (position, place)
    }
  }
}

/// The two cases of letters in UTF-8, as the engine knows them: ASCII and Latin-1.
package enum LetterCase {
  /// The byte at an index, of the character in lower case.
  @inline(__always)
  package static func lower(_ text: UnsafeRawBufferPointer, _ index: Int) -> UInt8 {
    let byte = text[index]
    switch byte {
    case 0x41...0x5a: return byte | 0x20
    case 0x80...0x9e: return byte != 0x97 && followsLatin(text, index) ? byte | 0x20 : byte
    default: return byte
    }
  }

  /// The byte at an index, of the character in upper case.
  @inline(__always)
  package static func upper(_ text: UnsafeRawBufferPointer, _ index: Int) -> UInt8 {
    let byte = text[index]
    switch byte {
    case 0x61...0x7a: return byte & ~0x20
    case 0xa0...0xbe: return byte != 0xb7 && followsLatin(text, index) ? byte & ~0x20 : byte
    default: return byte
    }
  }

  /// Whether the byte before is the first one of U+00C0 to U+00FF.
  @inline(__always)
  private static func followsLatin(_ text: UnsafeRawBufferPointer, _ index: Int) -> Bool {
    index > 0 && text[index - 1] == 0xc3
  }
}
