/// A word of a command line as a shell hands it to a completion: with the quotes and backslashes that were typed.
enum TypedWord {
  /// What the word stands for: quotes and backslashes taken away, a `~` at its beginning replaced.
  ///
  /// Variables and commands are left as they are: finding out what they stand for is for the shell alone. A quote that is
  /// not closed yet goes to the end.
  static func meaning(of word: String, home: String?) -> String {
    var meaning = ""
    var rest = word[...]
    if let home, rest == "~" || rest.hasPrefix("~/") {
      meaning = home
      rest.removeFirst()
    }
    var quote: Character?
    while let character = rest.popFirst() {
      switch (character, quote) {
      case ("\\", nil): meaning += rest.popFirst().map(String.init) ?? ""
      case ("\\", "\""):
        // Between double quotes a backslash is one, unless what follows would mean something there.
        if let next = rest.first, !"\\\"$`".contains(next) { meaning.append("\\") }
        meaning += rest.popFirst().map(String.init) ?? ""
      case ("'", nil), ("\"", nil): quote = character
      case (_, .some(let open)) where character == open: quote = nil
      default: meaning.append(character)
      }
    }
    return meaning
  }
}
