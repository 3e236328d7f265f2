import RealmStorage

/// Names from the worst alphabet: everything that ends a line, a string or a comment in some language, or makes text
/// look different, each followed by words that would be instructions if it were not escaped.
package enum HostileNames {
  /// The parts of them that must not appear in output outside of strings and comments.
  package static let payload = "PAYLOAD(1)"

  /// Characters that must never appear unescaped: controls, separators of lines, controls of direction, others that
  /// cannot be seen.
  package static let invisible: [Unicode.Scalar] =
    ((0...0x1f).map { $0 } + (0x7f...0x9f).map { $0 } + (0x202a...0x202e).map { $0 } + (0x2066...0x2069).map { $0 }
    + [0xad, 0x61c, 0x180e, 0x200b, 0x200e, 0x200f, 0x2028, 0x2029, 0x2060, 0x3164, 0xfeff, 0xfffe, 0xffff, 0xe0041])
    .compactMap { Unicode.Scalar(UInt32($0)) }

  /// What ends strings and comments, or begins something inside one.
  package static let signs = [
    "\"", "'", "`", "\\", "\\\"", "\\'", "\"\"", "''", "\\\\\"", "\\u000a", "\\u0022", "\\n", "\\x0a", "\\U0000000a",
    "//", "*/", "/*",
    "-- ", "--\n", "#", " #", "# ", ": ", ":", ", ", "}", "{ ", "]", "[", " }\n- ", "\n      - ", "\r\n      - ", "&a ",
    "*a", "!x ", "| ", "> ",
    "%", "%%", "@", "- ", "? ", "$x", "${x}", "$(x)", "\\(x)", "`x`", ";", "<", ">", "&", "</TABLE>", "-->", "<!--",
    "</script>", "]]>", "~", "\t",
    "\u{2028}", "null", "=", "\u{feff}", "🐶", "é", "#34;", "&quot;", "<<",
  ]

  /// Each character once, between words that must not be read.
  package static let all: [RealmString] = {
    let parts = invisible.map { String($0) } + signs
    let names = parts.flatMap { part in
      ["a\(part)\(payload)", "\(part)\(payload)\(part)b", "a\")\(part)\(payload);//\(part)"]
    }
    return names.map { RealmString($0) }
  }()

  /// Whether the text has only visible characters and line feeds.
  package static func isVisible(_ text: String) -> Bool {
    let unseen = Set(invisible.map(\.value))
    return text.unicodeScalars.allSatisfy { $0 == "\n" || !unseen.contains($0.value) }
  }
}
