import RealmMigration
import RealmStorage
import RealmText

/// One problem or fact that deserves attention, from which a line of text or a JSON object is made.
///
/// The text form is `realmctl: FILE:LINE:COLUMN: what is wrong (where); what to do`: one line, and those of `lines`.
struct Diagnostic: Error, Hashable, Sendable {
  var status: RunStatus
  /// Nil if nothing is wrong.
  var code: ErrorCode?
  /// The file it is about, as the user named it.
  var path: String?
  /// What is wrong, in lower case. The SDKs' lists of errors have a line for each; as text they come on one.
  var problem: String
  /// Where it is wrong, or the reference engine's message.
  var detail: String?
  /// What the user can do.
  var advice: String?
  /// Where it is in the file at `path`, or in a text that the user typed.
  var source: SourceMark?
  /// What further advice depends on; nil if none does.
  var cause: Cause?
  /// The parts of a long `detail`, for which the text has lines of their own.
  var lines: [String] = []
  /// Each of several mistakes, if the problem only counts them. They are in the `lines` of the text; `--json` reports each
  /// before this.
  private(set) var mistakes: [Diagnostic] = []

  init(
    _ status: RunStatus, _ code: ErrorCode?, path: String? = nil, at source: SourceMark? = nil, _ problem: String,
    detail: String? = nil, advice: String? = nil, because cause: Cause? = nil
  ) {
    (self.status, self.code, self.path, self.problem, self.detail) = (status, code, path, problem, detail)
    (self.source, self.advice, self.cause) = (source, advice, cause)
  }

  /// Names each of several mistakes, which the problem only counts.
  mutating func list(_ mistakes: [Diagnostic]) {
    self.mistakes = mistakes
    lines = PlanError.parts(mistakes.map { ($0.problem, $0.advice) })
    detail = lines.joined(separator: "; ")
  }

  /// As many of `mistakes` as are shown, then this, which counts them.
  var listed: [Diagnostic] {
    guard !mistakes.isEmpty else { return [self] }
    var count = self
    count.detail = nil
    return mistakes.prefix(Self.mostLines) + [count]
  }

  /// The text after `realmctl: `.
  var text: String {
    var text = ""
    if let shownPath { text += shownPath + (source?.suffix ?? "") + ": " }
    var problem = problem.split(separator: "\n").joined(separator: " ")
    if detail != nil || advice != nil { problem = problem.withoutStop }
    text += ShownText.bounded(problem)
    if let detail, lines.isEmpty { text += " (" + ShownText.bounded(detail.withoutStop) + ")" }
    if let advice { text += "; " + ShownText.bounded(advice) }
    return PrintableText.escaping(text)
  }

  /// What follows the text: the first of `lines`, and how many there are more.
  var shownLines: [String] {
    // The last of them may already say how many there are more.
    let lines = lines.count == Self.mostLines + 1 ? lines : Array(lines.prefix(Self.mostLines))
    let shown = lines.map { PrintableText.escaping(ShownText.bounded($0)) }
    let more = self.lines.count - lines.count
    return shown + (more > 0 ? ["and \(more) more"] : [])
  }

  private static let mostLines = 20

  /// The object that `--json` puts on standard error, without its line end: `{"version":2,"error":{…}}`, with `warning` or
  /// `note` in place of `error`. Keys are documented in `Docs/JSONOutput.md`.
  func json(_ severity: Severity) -> String {
    let json = JSONText()
    json.object {
      json.member("version", JSONText.version)
      addMember(severity, to: json)
    }
    return json.text
  }

  /// The member `error`, `warning` or `note`.
  func addMember(_ severity: Severity, to json: JSONText) {
    json.member(severity.rawValue) {
      json.object {
        json.member("code", code?.rawValue)
        if severity == .error { json.member("exit", Int(status.rawValue)) }
        json.member("message", Self.shown(problem))
        json.member("path", shownPath.map(PrintableText.showingBytes))
        json.member("detail", detail.map(Self.shown))
        json.member("hint", advice.map(Self.shown))
        json.member("line", source?.line)
        json.member("column", source?.column)
      }
    }
  }

  /// The path, unshortened if the system could take it: longer text is not a path.
  private var shownPath: String? {
    path.map { $0.utf8.count > Self.longestPath ? ShownText.beginning(of: $0) : $0 }
  }

  /// Bytes of a path on Linux; macOS has fewer.
  private static let longestPath = 4096

  private static func shown(_ text: String) -> String { PrintableText.showingBytes(ShownText.bounded(text)) }

  /// What is wrong, as far as advice given elsewhere depends on it.
  enum Cause: Hashable, Sendable {
    /// The query that was typed is wrong as a whole: empty, not one, or the name of a property.
    case query(String)
    case header(HeaderProblem)
    case key(KeyProblem)
    /// A file format has no place for some types, which could be changed.
    case types
  }

  enum Severity: String {
    /// The reason why the run ends or its status is not 0.
    case error
    case warning
    /// For users who want to know more.
    case note
  }
}

/// A place in a file, or in a text that the user typed.
struct SourceMark: Hashable, Sendable {
  /// From 1.
  var line: Int
  /// In characters, from 1.
  var column: Int
  /// The line of a typed text with a mark under the place; nil for a place in a file.
  var picture: String?

  /// What follows the path of a file: `:3:17`
  var suffix: String { picture == nil ? ":\(line):\(column)" : "" }
}

/// The reference engine's names of errors, which `--json` reports; users know them from the SDKs.
enum ErrorCode: String, CaseIterable, Sendable {
  case fileNotFound = "FileNotFound"
  case filePermissionDenied = "FilePermissionDenied"
  case incompatibleLockFile = "IncompatibleLockFile"
  case alreadyOpen = "AlreadyOpen"
  case fileExists = "FileExists"
  case fileOperationFailed = "FileOperationFailed"
  case outOfDiskSpace = "OutOfDiskSpace"
  case outOfMemory = "OutOfMemory"
  case invalidDatabase = "InvalidDatabase"
  case invalidEncryptionKey = "InvalidEncryptionKey"
  case unsupportedFileFormatVersion = "UnsupportedFileFormatVersion"
  case fileFormatUpgradeRequired = "FileFormatUpgradeRequired"
  case noSuchTable = "NoSuchTable"
  case malformedJSON = "MalformedJson"
  case schemaValidationFailed = "SchemaValidationFailed"
  case schemaMismatch = "SchemaMismatch"
  case invalidSchemaChange = "InvalidSchemaChange"
  case invalidSchemaVersion = "InvalidSchemaVersion"
  case migrationFailed = "MigrationFailed"
  case illegalOperation = "IllegalOperation"
  case incompatibleHistories = "IncompatibleHistories"
  case notSupported = "NotSupported"
  case invalidInput = "InvalidInput"
  case syntaxError = "SyntaxError"
  case invalidQuery = "InvalidQuery"
  case invalidQueryArg = "InvalidQueryArg"
  case invalidSortDescriptor = "InvalidSortDescriptor"
  case invalidArgument = "InvalidArgument"
  case invalidProperty = "InvalidProperty"
}
