@testable import RealmBrowser

/// Keys as tests write them: `j Enter ^L "typed text" F1`, separated by blanks.
enum KeyText {
  struct Unknown: Error {
    let word: String
  }

  private static let names: [String: Key] = [
    "Enter": .enter, "Esc": .escape, "Backspace": .backspace, "Tab": .tab, "Shift-Tab": .backTab,
    "Space": .character(" "),
    "Up": .up, "Down": .down, "Left": .left, "Right": .right, "PgUp": .pageUp, "PgDn": .pageDown, "Home": .home,
    "End": .end, "Del": .delete, "Ins": .insert,
  ]

  static func keys(_ text: String) throws -> [Key] {
    var keys: [Key] = []
    var rest = Substring(text)
    while let first = rest.first {
      if first == " " {
        rest.removeFirst()
      } else if first == "\"", let end = rest.dropFirst().firstIndex(of: "\"") {
        keys += rest[rest.index(after: rest.startIndex)..<end].unicodeScalars.map { .character($0) }
        rest = rest[rest.index(after: end)...]
      } else {
        let word = rest.prefix { $0 != " " }
        keys.append(try key(String(word)))
        rest = rest.dropFirst(word.count)
      }
    }
    return keys
  }

  private static func key(_ word: String) throws -> Key {
    if let key = names[word] { return key }
    let scalars = Array(word.unicodeScalars)
    if scalars.count == 1 { return .character(scalars[0]) }
    if scalars.count == 2, scalars[0] == "^", let letter = Unicode.Scalar(scalars[1].value | 0x20) {
      return .control(letter)
    }
    if word.hasPrefix("F"), let number = Int(word.dropFirst()) { return .function(number) }
    throw Unknown(word: word)
  }
}
