import RealmStorage

/// Which names a target language accepts for one kind of thing.
///
/// A realm's names can be any bytes. `identifiers(for:)` gives each of them a different name that the language accepts;
/// the writer of the code then maps those that had to change.
struct IdentifierRules: Sendable {
  /// The characters of an identifier, in addition to `_`.
  enum Alphabet: Sendable {
    /// ASCII letters and digits.
    case ascii
    /// Letters and decimal digits of the Basic Multilingual Plane: what Swift, Java, Kotlin and C# all take.
    case letters
    /// Any visible characters: names in quotes.
    case anyText
  }

  var alphabet = Alphabet.letters
  /// Put before a name that would begin with a digit, and used for a name without any usable character.
  var fallback: String
  /// Names, and claims of names, that no identifier may have.
  var reserved: Set<String>
  /// How a name is put into the language's usual shape before it is used.
  var shaped: @Sendable (String) -> String = { $0 }
  /// All names that declaring an identifier adds to its scope. No two identifiers may claim the same one, and
  /// identifiers that differ only in their ends must claim different ones.
  var claims: @Sendable (String) -> [String] = { [$0] }
  /// An identifier as written in source code: a keyword may need quotes there.
  var written: @Sendable (String) -> String = { $0 }

  /// An identifier for each name, in the order of the names; no two claim the same names.
  ///
  /// A name that already is an identifier keeps it before another name can take it. A changed name is never equal to
  /// another stored name, because the SDKs would confuse the two.
  func identifiers(for names: [RealmString]) -> [Identifier] {
    var assignment = IdentifierAssignment(rules: self, names: names)
    for index in names.indices { assignment.keepName(at: index) }
    for index in names.indices { assignment.chooseName(at: index) }
    return assignment.identifiers
  }

  /// The name with every character that an identifier cannot have replaced by `_`.
  fileprivate func cleaned(_ name: RealmString) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in name.description.unicodeScalars { scalars.append(allows(scalar) ? scalar : "_") }
    let shaped = shaped(String(scalars))
    if alphabet == .anyText { return shaped.isEmpty ? fallback : shaped }
    guard shaped.contains(where: { $0 != "_" }) else { return fallback }
    return shaped.unicodeScalars.first.map(isDigit) == true ? fallback + "_" + shaped : shaped
  }

  private func allows(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_": true
    default:
      switch alphabet {
      case .ascii: false
      case .letters: scalar.value > 0x7f && scalar.value <= 0xffff && isLetter(scalar) && !scalar.isInvisible
      case .anyText: !scalar.isInvisible
      }
    }
  }

  private func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber: true
    default: false
    }
  }

  private func isDigit(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.generalCategory == .decimalNumber }
}

/// A name in generated code.
package struct Identifier: Hashable, Sendable {
  /// The name in the realm.
  package let stored: RealmString
  /// The name as the target language's compiler knows it.
  package let name: String
  /// The name as written in source code: `name`, with quotes if it is a keyword.
  package let code: String

  /// Whether the code must say which stored name is meant.
  package var isMapped: Bool { !stored.utf8.elementsEqual(name.utf8) }
}

/// A distribution of identifiers on its way.
private struct IdentifierAssignment {
  let rules: IdentifierRules
  let names: [RealmString]
  private var chosen: [Int: String] = [:]
  private var claimed: Set<String> = []
  /// The stored name that a name belongs to; only that one may use it.
  private let owners: [RealmString: Int]
  private var nextNumber: [String: Int] = [:]

  init(rules: IdentifierRules, names: [RealmString]) {
    (self.rules, self.names) = (rules, names)
    owners = Dictionary(zip(names, names.indices), uniquingKeysWith: { first, _ in first })
  }

  var identifiers: [Identifier] {
    names.indices.map { index in
      let name = chosen[index] ?? rules.fallback
      return Identifier(stored: names[index], name: name, code: rules.written(name))
    }
  }

  mutating func keepName(at index: Int) {
    let name = rules.cleaned(names[index])
    if names[index].utf8.elementsEqual(name.utf8) { take(name, for: index) }
  }

  mutating func chooseName(at index: Int) {
    guard chosen[index] == nil else { return }
    let base = rules.cleaned(names[index])
    if take(base, for: index) { return }
    let isReserved = rules.claims(base).contains(where: rules.reserved.contains)
    if isReserved, take(base + "_", for: index) { return }
    var number = nextNumber[base] ?? 2
    while !take("\(base)_\(number)", for: index) { number += 1 }
    nextNumber[base] = number + 1
  }

  @discardableResult private mutating func take(_ name: String, for index: Int) -> Bool {
    if let owner = owners[RealmString(name)], owner != index { return false }
    let claims = rules.claims(name)
    guard claimed.isDisjoint(with: claims), rules.reserved.isDisjoint(with: claims) else { return false }
    claimed.formUnion(claims)
    chosen[index] = name
    return true
  }
}
