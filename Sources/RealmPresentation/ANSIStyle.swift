/// Marks up text for a terminal, or leaves it alone.
package struct ANSIStyle {
  package var isColored: Bool

  package init(isColored: Bool) { self.isColored = isColored }

  package func bold(_ text: String) -> String { mark(text, "1") }
  package func dim(_ text: String) -> String { mark(text, "2") }
  package func red(_ text: String) -> String { mark(text, "1;31") }
  package func green(_ text: String) -> String { mark(text, "32") }
  package func cyan(_ text: String) -> String { mark(text, "36") }
  package func yellow(_ text: String) -> String { mark(text, "1;33") }

  private func mark(_ text: String, _ attributes: String) -> String {
    isColored ? "\u{1b}[\(attributes)m\(text)\u{1b}[0m" : text
  }
}
