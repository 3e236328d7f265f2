/// Text in the language of manual pages, man(7).
enum Roff {
  /// Text as it is to be read: nothing in it is taken for a command.
  static func escaped(_ text: some StringProtocol) -> String {
    var escaped = ""
    for character in text {
      switch character {
      case "\\": escaped += "\\e"
      case "-": escaped += "\\-"
      // groff takes the bytes of UTF-8 for characters of Latin-1 unless it is told otherwise.
      case "…": escaped += "..."
      default: escaped.append(character)
      }
    }
    // A line that begins with one of these would be a command.
    return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
  }

  static func bold(_ text: String) -> String { "\\fB" + escaped(text) + "\\fR" }
  static func italic(_ text: String) -> String { "\\fI" + escaped(text) + "\\fR" }

  /// Pages such as `realmctl-check(1)`, one a line.
  static func references(_ pages: [String]) -> String {
    pages.map { page in
      let name = page.prefix { $0 != "(" }
      return bold(String(name)) + page.dropFirst(name.count)
    }
    .joined(separator: ",\n")
  }

  /// An argument of a macro.
  static func quoted(_ text: String) -> String {
    "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\(dq") + "\""
  }
}
