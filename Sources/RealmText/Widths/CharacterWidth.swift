import RealmStorage

/// How many columns of a terminal a character takes.
package enum CharacterWidth {
  /// 0 for marks, 2 for East Asian wide characters and emoji, 1 for everything else.
  @inline(__always)
  package static func of(_ scalar: Unicode.Scalar) -> Int {
    // Everything below U+0300 is one column wide.
    scalar.value < 0x300 ? 1 : ofOther(scalar)
  }

  /// The columns that a text takes.
  package static func of(_ text: String) -> Int { text.unicodeScalars.reduce(0) { $0 + of($1) } }

  private static func ofOther(_ scalar: Unicode.Scalar) -> Int {
    if contains(CharacterWidthTable.zeroWidth, scalar.value) { return 0 }
    return contains(CharacterWidthTable.wide, scalar.value) ? 2 : 1
  }

  /// Whether the character is shown by its number: a terminal would obey it, or nothing would be seen.
  package static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x7f ? scalar.value < 0x20 : contains(CharacterWidthTable.hidden, scalar.value)
  }

  /// Characters that begin a pictograph which others can be joined to.
  package static func isPictograph(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isEmoji && scalar.value > 0xff
  }

  /// - Parameter edges: of the ranges, as `CharacterWidthTable` has them.
  private static func contains(_ edges: [UInt32], _ value: UInt32) -> Bool {
    firstIndex(in: edges.indices) { edges[$0] > value } % 2 == 1
  }
}
