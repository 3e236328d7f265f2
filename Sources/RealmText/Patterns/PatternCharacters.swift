/// The characters that one place of a pattern matches.
///
/// Characters are numbers: Unicode scalars, and `invalidByte` for each byte that is not UTF-8.
struct PatternCharacters: Hashable {
  /// Kinds of characters that a letter names.
  struct Kinds: OptionSet, Hashable {
    let rawValue: UInt8
    static let digit = Kinds(rawValue: 1)
    static let word = Kinds(rawValue: 2)
    static let space = Kinds(rawValue: 4)

    /// The kinds of a character.
    static func of(_ character: UInt32) -> Kinds {
      switch character {
      case 0x30...0x39: return [.digit, .word]
      case 0x41...0x5a, 0x61...0x7a, 0x5f: return .word
      case 0x09...0x0d, 0x1c...0x20: return .space
      case 0..<0x80: return []
      default: break
      }
      guard let scalar = Unicode.Scalar(character) else { return [] }
      switch scalar.properties.generalCategory {
      case .decimalNumber: return [.digit, .word]
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber,
        .otherNumber:
        return .word
      default: return scalar.properties.isWhitespace ? .space : []
      }
    }
  }

  static let invalidByte: UInt32 = 0x11_0000

  var ranges: [ClosedRange<UInt32>] = []
  /// Characters of any of these kinds are in the set.
  var kinds: Kinds = []
  /// Characters that lack any of these kinds are in the set.
  var missingKinds: Kinds = []
  var isNegated = false

  init(_ ranges: [ClosedRange<UInt32>] = []) { self.ranges = ranges }

  static let anything: Self = PatternCharacters([0...invalidByte])
  static let anythingInLine: Self = {
    var set = PatternCharacters([0x0a...0x0a])
    set.isNegated = true
    return set
  }()

  func contains(_ character: UInt32, _ kindsOfIt: Kinds) -> Bool {
    var isIn = !kinds.isDisjoint(with: kindsOfIt)
    // A byte that is not a character has no kind, and is not "no digit" either, unless the set excludes.
    if !isIn, character != Self.invalidByte { isIn = !kindsOfIt.isSuperset(of: missingKinds) }
    if !isIn { isIn = ranges.contains { $0.contains(character) } }
    return isIn != isNegated
  }

  /// Adds the letters in the other case.
  mutating func addOtherCases() {
    for range in ranges {
      for block in Self.casedBlocks where block.overlaps(range) {
        let part = block.clamped(to: range)
        for character in part { addOtherCases(of: character) }
      }
    }
  }

  /// The range in which letters have cases.
  private static let casedBlocks: [ClosedRange<UInt32>] = [
    0x41...0x5a, 0x61...0x7a, 0xb5...0x587, 0x10a0...0x10ff, 0x13a0...0x13fd, 0x1c80...0x1cbf, 0x1d79...0x1d8e,
    0x1e00...0x1ffc, 0x2126...0x2188, 0x24b6...0x24e9, 0x2c00...0x2d2d, 0xa640...0xabbf, 0xff21...0xff5a,
    0x10400...0x105bc, 0x10c80...0x10cf2, 0x118a0...0x118df, 0x16e40...0x16e7f, 0x1e900...0x1e943,
  ]

  private mutating func addOtherCases(of character: UInt32) {
    guard let scalar = Unicode.Scalar(character) else { return }
    for mapping in [scalar.properties.lowercaseMapping, scalar.properties.uppercaseMapping] {
      let scalars = mapping.unicodeScalars
      guard scalars.count == 1, let other = scalars.first, other.value != character else { continue }
      ranges.append(other.value...other.value)
    }
  }
}
