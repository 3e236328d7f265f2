/// Splits a text into the words of a full-text index (Docs/Format/3-tables-and-objects.md §6.7).
package struct TextWords {
  private static let longestWord = 64

  /// Lower-case letters without their accents for U+00C0–U+00DF, and again for U+00E0–U+00FE; 0 adds nothing.
  private static let latin: [UInt8] = [
    0x61, 0x61, 0x61, 0x61, 0x61, 0xe5, 0xe6, 0x63, 0x65, 0x65, 0x65, 0x65, 0x69, 0x69, 0x69, 0x69,
    0xf0, 0x6e, 0x6f, 0x6f, 0x6f, 0x6f, 0x6f, 0x00, 0xf8, 0x75, 0x75, 0x75, 0x75, 0x79, 0xfe, 0xdf,
  ]

  /// The effect of one character.
  private enum Character {
    case separator
    /// Up to two bytes that belong to the word.
    case letter(UInt8, UInt8?)
    /// Belongs to the word and adds nothing.
    case silent
  }

  /// The distinct words of a text.
  package static func words(in text: UnsafeRawBufferPointer) -> Set<[UInt8]> {
    var words: Set<[UInt8]> = []
    var word: [UInt8]?
    var offset = 0
    while offset < text.count {
      let (character, length) = character(in: text, at: offset)
      offset += length
      switch character {
      case .separator:
        if let complete = word { words.insert(complete) }
        word = nil
      case .silent: word = word ?? []
      case .letter(let first, let second):
        var letters = word ?? []
        if letters.count + (second == nil ? 1 : 2) <= longestWord {
          letters.append(first)
          if let second { letters.append(second) }
        }
        word = letters
      }
    }
    if let word { words.insert(word) }
    return words
  }

  private static func character(in text: UnsafeRawBufferPointer, at offset: Int) -> (Character, length: Int) {
    let byte = text[offset]
    switch byte {
    case 0x30...0x39, 0x61...0x7a: return (.letter(byte, nil), 1)
    case 0x41...0x5a: return (.letter(byte + 0x20, nil), 1)
    case 0xc0...0xdf:
      let next = offset + 1 < text.count ? text[offset + 1] : 0
      return (latinLetter(UInt16(byte & 0x1f) << 6 | UInt16(next & 0x3f)), 2)
    case 0xe0...0xef: return (.separator, 3)
    case 0xf0...0xf7: return (.separator, 4)
    default: return (.separator, 1)
    }
  }

  private static func latinLetter(_ code: UInt16) -> Character {
    guard code >= 0xc0, code < 0xff else { return .separator }
    // The second half of the block repeats the first.
    let letter = latin[Int(code & 0x1f)]
    if letter == 0 { return .silent }
    return letter < 0x80 ? .letter(letter, nil) : .letter(letter >> 6 | 0xc0, letter & 0x3f | 0x80)
  }
}
