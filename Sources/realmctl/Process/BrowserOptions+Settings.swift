import RealmBrowser
import RealmStorage
import RealmSystem
import RealmTerminal

extension BrowserOptions.Settings {
  /// The file that the environment names: `$XDG_CONFIG_HOME/realmctl/browse`, else `~/.config/realmctl/browse`; nil
  /// without a home folder.
  static func ofUser() -> Self? {
    let home = Environment.nonEmptyValue("HOME")
    // A relative path would mean another file in each folder.
    let base = Environment.nonEmptyValue("XDG_CONFIG_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
    guard let folder = base ?? home.map({ $0 + "/.config" }) else { return nil }
    let path = folder + "/realmctl/browse"
    let shown = home.flatMap { path.hasPrefix($0 + "/") ? "~" + path.dropFirst($0.count) : nil } ?? path
    return Self(path: PrintableText.showingBytes(shown), text: read(path)) { text in
      makeFolders(of: path)
      try requireFile(path)
      do {
        // A file that is not published leaves nothing behind.
        let output = try SafeOutput(at: path, replacing: .any)
        try Array(text.utf8).withUnsafeBytes { try output.write($0) }
        try output.close()
        _ = try output.publish()
      } catch let error as OutputError {
        throw BrowserProblem("settings cannot be saved: " + Diagnostic(error).problem)
      }
    }
  }

  /// A pipe could keep the browser waiting for a reader, and would keep nothing.
  private static func requireFile(_ path: String) throws {
    guard !SafeOutput.isStream(path) else {
      throw BrowserProblem("settings cannot be saved: " + OutputError.notARegularFile(path: path).description)
    }
  }

  /// More than anyone writes by hand.
  private static let mostBytes = 1 << 16

  /// Empty for a file that does not exist, or cannot be read as text.
  private static func read(_ path: String) -> String {
    guard !SafeOutput.isFolder(path), !SafeOutput.isStream(path), let bytes = try? TextInput.read(path),
      bytes.count <= mostBytes
    else { return "" }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// If it cannot be created, writing into it reports that.
  private static func makeFolders(of path: String) {
    var place = path.startIndex
    while let slash = path[place...].dropFirst().firstIndex(of: "/") {
      try? FileBackend.calls.makeFolder(String(path[..<slash]), mode: 0o700)
      place = slash
    }
  }
}
