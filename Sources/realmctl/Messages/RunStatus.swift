/// The statuses a run ends with. Scripts rely on them: a number never changes its meaning.
enum RunStatus: Int32, CaseIterable, Sendable {
  case done = 0
  case findings = 1
  case failed = 2
  case notFound = 3
  case key = 4
  case format = 5
  case inUse = 6
  case schema = 7
  case query = 8
  case usage = 64
  case interrupted = 130
  case terminated = 143

  /// The worse of two statuses: the higher number, so that a run over several files ends with the highest status of
  /// all.
  func orWorse(_ other: RunStatus) -> RunStatus { other.rawValue > rawValue ? other : self }

  /// The meaning of the status, for help and manual; a command may have a more exact one.
  var meaning: String {
    switch self {
    case .done: "done"
    case .findings: "findings, differences, an unmet condition, or not confirmed"
    case .failed: "failed: unreadable, damaged, no space, ..."
    case .notFound: "no such file, class, property or snapshot"
    case .key: "a key is missing, wrong, or given for a plain file"
    case .format: "file format not supported, or an upgrade would be needed"
    case .inUse: "the file is in use, or changed while it was read"
    case .schema: "schema or data error, or data loss that was not allowed"
    case .query: "the query is wrong: syntax, property or argument"
    case .usage: "wrong usage: unknown or conflicting options"
    case .interrupted: "interrupted (Ctrl-C); 131 after SIGQUIT"
    case .terminated: "terminated; 129 after SIGHUP"
    }
  }

  /// Those that a command can end with: what every command that opens a file has, and `more`.
  static func opening(and more: RunStatus...) -> [RunStatus] {
    let common: [RunStatus] = [.done, .failed, .notFound, .key, .format, .usage, .interrupted, .terminated]
    return allCases.filter { common.contains($0) || more.contains($0) }
  }

  /// One line per status, as help and manual show them.
  ///
  /// - Parameter meanings: more exact meanings for one command.
  static func table(of statuses: [RunStatus], _ meanings: [RunStatus: String] = [:]) -> String {
    statuses.map { status in
      let number = String(status.rawValue)
      return "  " + number + String(repeating: " ", count: max(1, 5 - number.utf8.count))
        + meanings[status, default: status.meaning]
    }
    .joined(separator: "\n")
  }

  /// When a command that prints facts about realms ends with 1.
  static let onlyIfStrict = "with --strict: a warning"
  /// What a command that knows no classes does not find.
  static let noFile = "no such file"
  static let noFileOrSnapshot = "no such file or snapshot"
  /// What a command that knows no properties does not find.
  static let noFileClassOrSnapshot = "no such file, class or snapshot"
  /// What a command that reads only the live snapshot does not find.
  static let noFileOrClass = "no such file, class or property"
  /// When a command that only reads ends with "in use".
  static let changedWhileRead = "the file changed while it was read"
  /// Why a command that only reads cannot read a format.
  static let unknownFormat = "file format not supported"
  /// When a command that asks before it deletes a realm ends with "wrong usage".
  static let usageOrNoYes = "wrong usage, or --yes is missing without a terminal"
  /// Why a command that changes a realm leaves it alone.
  static let heldByApp = "an app has the file open"
}
