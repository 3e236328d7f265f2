extension String {
  /// Help with each paragraph on one line, however the source breaks it: the parser wraps lines at the width of the
  /// terminal, and would break lines again that are already broken. Indented lines, such as examples, stay as they are.
  static func flowing(_ text: String) -> String {
    var lines: [Substring] = []
    var flowing: [String] = []
    func end() {
      if !lines.isEmpty { flowing.append(lines.joined(separator: " ")) }
      lines = []
    }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.isEmpty || line.hasPrefix(" ") {
        end()
        flowing.append(String(line))
      } else {
        lines.append(line)
      }
    }
    end()
    return flowing.joined(separator: "\n")
  }
}
