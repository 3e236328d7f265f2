import RealmStorage
import RealmTerminal

/// File names, as typed after `:`.
enum FileNames {
  /// The path that is meant: `~/` is the home folder, as in a shell.
  static func path(_ typed: String) -> String {
    guard typed.count < 2 || !typed.hasPrefix("\"") || !typed.hasSuffix("\"") else {
      return path(String(typed.dropFirst().dropLast()))
    }
    guard typed == "~" || typed.hasPrefix("~/"), let home = Environment.nonEmptyValue("HOME") else { return typed }
    return home + typed.dropFirst()
  }

  /// Files next to realms, which nobody opens.
  private static let sideEndings = [".lock", ".management", ".note", ".log", ".log_a", ".log_b"]
  /// More names help nobody, and each is looked up.
  private static let mostNames = 10_000

  /// The files and folders that begin with the typed text, in order; folders end with a slash.
  static func completions(of text: String) -> [String] {
    let isQuoted = text.hasPrefix("\"")
    let typed = isQuoted ? text.dropFirst() : text[...]
    let cut = typed.lastIndex(of: "/").map { typed.index(after: $0) } ?? typed.startIndex
    let (folder, start) = (typed[..<cut], typed[cut...])
    guard let names = try? SafeOutput.names(inFolder: folder.isEmpty ? "." : path(String(folder))) else { return [] }
    let found = names.filter { name in
      name.hasPrefix(start) && (!name.hasPrefix(".") || start.hasPrefix("."))
        && !sideEndings.contains(where: name.hasSuffix)
    }
    return found.sorted().prefix(mostNames).map { name in
      let whole = String(folder) + name
      // What follows the quote of a folder is still to be typed.
      if SafeOutput.isFolder(path(whole)) { return (isQuoted ? "\"" : "") + whole + "/" }
      return isQuoted || whole.hasPrefix(" ") || whole.hasSuffix(" ") ? "\"\(whole)\"" : whole
    }
  }
}
