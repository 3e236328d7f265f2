import RealmStorage
import RealmSystem

/// The message if the file behind a mapping is cut short, or its disk fails.
enum TruncatedFileHandler {
  /// Makes the run end with a line that names the file.
  ///
  /// - Parameter input: a realm that is being changed: another program that cuts it short is using it.
  static func installHandler(_ style: MessageStyle, changing input: RealmInput? = nil) {
    let changed = input.map { [$0.path, SafeOutput.destination(of: $0.path)] } ?? []
    FileTruncation.installHandler { path in
      let diagnostic = changed.contains(path) ? whileChanged(input?.name ?? path) : whileRead(path)
      return FileTruncation.Ending(
        message: Console(style).line(diagnostic, .error), status: diagnostic.status.rawValue)
    }
  }

  private static func whileRead(_ path: String) -> Diagnostic {
    Diagnostic(
      .failed, .fileOperationFailed, path: path, "the file was cut short, or its disk failed, while it was read",
      advice: "copy it again from its source, or check the disk")
  }

  private static func whileChanged(_ path: String) -> Diagnostic {
    Diagnostic(
      .inUse, .fileOperationFailed, path: path,
      "another program cut the file short, or its disk failed, while it was changed", advice: "run 'check'")
  }
}
