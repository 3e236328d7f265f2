import RealmStorage
import RealmTools

extension Diagnostic {
  /// Why a realm could not be had for this process alone.
  init(_ error: AccessError) {
    switch error {
    case .inUse(let path, let holders):
      var detail: String?
      if case .processes(let processes) = holders, !processes.isEmpty {
        detail = processes.map(\.text).joined(separator: ", ")
      }
      self.init(
        .inUse, .alreadyOpen, path: path, error.description, detail: detail,
        advice: "close it there, or wait for it with --wait SECONDS")
    case .notALockFile(let path, let problem):
      self.init(
        .failed, .incompatibleLockFile, path: path, error.description,
        advice: problem.advice)
    case .systemCall(let path, let name, let errorNumber):
      self.init(SystemCallFailure(name: name, errorNumber: errorNumber), path: path)
      problem = "the file that keeps apps out cannot be used: " + problem
      if code == .filePermissionDenied {
        detail = "Failed to open file at path '\(path)': Permission denied"
        advice = "allow this user to write in the folder, or work on a copy"
      }
    }
  }

  /// For a file that would have to be upgraded, which was not allowed.
  init(upgradeOf path: String, from format: UInt8) {
    self.init(
      .format, .fileFormatUpgradeRequired, path: path,
      "the file has format \(format), which cannot be changed in place",
      detail: "Database upgrade required but prohibited.",
      advice: "use --upgrade to bring it to format 24 (a backup is kept), or -o to leave it alone")
  }
}

extension LockFileProblem {
  fileprivate var advice: String {
    switch self {
    case .realm: "remove that name; the realm keeps its other one"
    case .symbolicLink: "remove the link, then try again"
    case .notARegularFile, .otherContent: "move it away, then try again"
    }
  }
}

extension CompactionConditionError: CustomStringConvertible {
  /// For the usage message, behind the option.
  public var description: String {
    "cannot be understood at character \(position + 1): \(text)"
  }

  private var text: String {
    switch reason {
    case .missingOperand: "a size, total, used, free, '!', '-' or '(' is missing"
    case .missingOperator: "an operator is missing (+ - * / < <= > >= == != && ||)"
    case .missingClosingParenthesis: "this parenthesis is never closed"
    case .unmatchedClosingParenthesis: "nothing was opened that this parenthesis closes"
    case .unknownCharacter: "no operator begins like this (+ - * / < <= > >= == != && || ! are there)"
    case .unknownName(let name): "there is no '\(name)'; total, used and free are there"
    case .unknownUnit(let unit): "there is no unit '\(unit)'; KB, MB, GB, KiB, MiB and GiB are there"
    case .numberTooLarge: "no size is as large as this"
    case .notACondition: "this is a size where a condition must be, such as total > 100MB"
    case .notASize: "this is a condition where a size must be"
    case .divisionByZero: "this divides by zero"
    case .tooDeep: "too many parentheses inside each other"
    }
  }
}
