/// Why no text came back from $EDITOR.
package enum EditorFailure: Error, Hashable, Sendable {
  /// The text cannot be handed over, or read back.
  case file(errorNumber: Int32)
  case notStarted(String)
  /// It ended with another status than 0.
  case status(Int32)

  var text: String {
    switch self {
    case .file: "no temporary file for the editor; set TMPDIR to a folder that can be written to"
    case .notStarted(let name): "'\(name)' cannot be started; set EDITOR to your editor"
    case .status(let status): "the editor ended with status \(status), so nothing was changed"
    }
  }
}
