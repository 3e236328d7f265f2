extension BlobView {
  /// Calls `body` with each word of a text, as a full-text index knows words (Docs/Format/3-tables-and-objects.md §6.7):
  /// lower case, without most accents, at most 64 bytes; a word that stands twice comes twice.
  func forEachWord(_ body: (RealmString) -> Void) throws {
    if let bytes = contiguous { return WordSplitter.split(bytes, body) }
    try copied().withUnsafeBytes { WordSplitter.split($0, body) }
  }
}

/// Cuts texts into words the way the engine's tokenizer does.
enum WordSplitter {
  private static let longestWord = 64

  static func split(_ bytes: UnsafeRawBufferPointer, _ body: (RealmString) -> Void) {
    /// Nil between words. A word can be empty: × and ÷ belong to words but leave nothing.
    var word: [UInt8]?
    var position = 0
    while position < bytes.count {
      let lead = bytes[position]
      // Behind the text stands the zero byte that ends it in the file, which the engine reads as well.
      let next = position + 1 < bytes.count ? bytes[position + 1] : 0
      if let folded = Folded(lead, next) {
        var current = word ?? []
        if current.count + folded.count <= longestWord { folded.append(to: &current) }
        word = current
      } else if let finished = word {
        body(RealmString(utf8: finished))
        word = nil
      }
      position += sequenceLength(lead)
    }
    if let word { body(RealmString(utf8: word)) }
  }

  /// Longer sequences are passed over as a whole, stray continuation bytes one by one.
  private static func sequenceLength(_ lead: UInt8) -> Int {
    switch lead {
    case 0xc0..<0xe0: 2
    case 0xe0..<0xf0: 3
    case 0xf0..<0xf8: 4
    default: 1
    }
  }

  /// The up to two bytes a character becomes.
  private struct Folded {
    private let first: UInt8
    private let second: UInt8
    let count: Int

    /// Nil for a character that separates words.
    init?(_ lead: UInt8, _ next: UInt8) {
      switch lead {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"):
        (first, second, count) = (lead, 0, 1)
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): (first, second, count) = (lead | 0x20, 0, 1)
      case 0xc0..<0xe0:
        // U+00C0 to U+00FE; capital and small letters are 32 apart, ß has no capital.
        let codePoint = UInt32(lead & 0x1f) << 6 | UInt32(next & 0x3f)
        guard 0xc0...0xfe ~= codePoint else { return nil }
        let small = codePoint == 0xdf ? 0xdf : UInt8(truncatingIfNeeded: codePoint | 0x20)
        (first, second, count) = Self.folded(small)
      default: return nil
      }
    }

    private static func folded(_ small: UInt8) -> (UInt8, UInt8, Int) {
      switch small {
      case 0xe0...0xe4: (UInt8(ascii: "a"), 0, 1)
      case 0xe7: (UInt8(ascii: "c"), 0, 1)
      case 0xe8...0xeb: (UInt8(ascii: "e"), 0, 1)
      case 0xec...0xef: (UInt8(ascii: "i"), 0, 1)
      case 0xf1: (UInt8(ascii: "n"), 0, 1)
      case 0xf2...0xf6: (UInt8(ascii: "o"), 0, 1)
      case 0xf7: (0, 0, 0)
      case 0xf9...0xfc: (UInt8(ascii: "u"), 0, 1)
      case 0xfd: (UInt8(ascii: "y"), 0, 1)
      // å æ ð ø þ ß stay.
      case 0xdf: (0xc3, 0x9f, 2)
      default: (0xc3, 0x80 | (small & 0x3f), 2)
      }
    }

    var isEmpty: Bool { count == 0 }

    func append(to word: inout [UInt8]) {
      if count > 0 { word.append(first) }
      if count > 1 { word.append(second) }
    }
  }
}
