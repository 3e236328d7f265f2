import Libc
import RealmStorage
import RealmTerminal

/// Marks up text for a terminal, or leaves it alone.
struct Pen {
  var isColored: Bool

  func bold(_ text: String) -> String { mark(text, "1") }
  func dim(_ text: String) -> String { mark(text, "2") }
  func red(_ text: String) -> String { mark(text, "1;31") }
  func green(_ text: String) -> String { mark(text, "32") }
  func cyan(_ text: String) -> String { mark(text, "36") }
  func yellow(_ text: String) -> String { mark(text, "1;33") }

  private func mark(_ text: String, _ attributes: String) -> String {
    isColored ? "\u{1b}[\(attributes)m\(text)\u{1b}[0m" : text
  }
}

extension ColorChoice {
  /// Whether output to the file descriptor has color. `NO_COLOR` is the convention of no-color.org: any value but an
  /// empty one counts.
  func isColored(fileDescriptor: Int32) -> Bool {
    switch self {
    case .always: true
    case .never: false
    case .auto:
      isatty(fileDescriptor) == 1 && (Environment.value("NO_COLOR") ?? "").isEmpty
        && Environment.value("TERM") != "dumb"
    }
  }
}
