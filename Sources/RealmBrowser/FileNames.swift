import RealmStorage

/// Names of files, as somebody types them behind `:`.
enum FileNames {
  /// The path that is meant: `~/` is the home folder, as in a shell.
  static func path(_ typed: String) -> String {
    guard typed == "~" || typed.hasPrefix("~/"), let home = Environment.nonEmptyValue("HOME") else { return typed }
    return home + typed.dropFirst()
  }

  /// What realms have beside them, which nobody opens.
  private static let sideEndings = [".lock", ".management", ".note", ".log", ".log_a", ".log_b"]
  /// More names help nobody.
  private static let mostNames = 500

  /// The files and folders that begin with what is typed, in order; folders end with a slash.
  static func completions(of typed: String) -> [String] {
    let cut = typed.lastIndex(of: "/").map { typed.index(after: $0) } ?? typed.startIndex
    let (folder, start) = (typed[..<cut], typed[cut...])
    guard let names = try? SafeOutput.names(inFolder: folder.isEmpty ? "." : path(String(folder))) else { return [] }
    let found = names.filter { name in
      name.hasPrefix(start) && (!name.hasPrefix(".") || start.hasPrefix("."))
        && !sideEndings.contains(where: name.hasSuffix)
    }
    return found.sorted().prefix(mostNames).map { name in
      let whole = String(folder) + name
      return SafeOutput.isFolder(path(whole)) ? whole + "/" : whole
    }
  }
}
