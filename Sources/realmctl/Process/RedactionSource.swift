import RealmExchange
import RealmMigration
import RealmOpening
import RealmRedaction
import RealmStorage
import RealmText
import RealmTools

/// The redaction options of a command.
struct RedactionRequest: Equatable {
  /// The file of rules, as typed.
  var rules: String
  /// The key file; nil for a random key.
  var keyFile: String?
  /// Whether the rules were named without an option.
  var isOperand = false
}

/// Reads rules and keys of redaction.
struct RedactionSource {
  let request: RedactionRequest
  let console: Console

  /// - Throws: `Diagnostic` for the last mistake; the others are reported before.
  func rules() throws -> RedactionRules {
    let bytes: [UInt8]
    do { bytes = try TextInput.read(request.rules) } catch let error as StorageError {
      var diagnostic = Diagnostic(error, path: request.rules)
      if diagnostic.code == .fileNotFound { diagnostic.advice = "check the path, or draft rules with 'redact new'" }
      throw diagnostic
    }
    do throws(PlanError) { return try RedactionRules.parse(bytes, path: request.rules) } catch {
      throw Diagnostic(at: request.rules, insteadOf: "rules", isOperand: request.isOperand)
        ?? console.reportAllButLast(of: error, in: request.rules, "realmctl-redaction(5) describes rules")
    }
  }

  /// - Throws: `Diagnostic`.
  func key() throws -> RedactionKey {
    guard let path = request.keyFile else {
      do { return try .random() } catch let error as StorageError { throw Diagnostic(error, path: request.rules) }
    }
    let bytes: [UInt8]
    do { bytes = try TextInput.read(path) } catch let error as StorageError { throw Diagnostic(error, path: path) }
    guard let key = RedactionKey(bytes) else {
      throw Diagnostic(
        .key, .invalidInput, path: path, "too short for a redaction key",
        detail: "\(bytes.count.counted("byte")) instead of \(RedactionKey.leastByteCount) or more",
        advice: "make one with 'openssl rand -out FILE 32'")
    }
    return key
  }

  /// - Throws: `Diagnostic` for the last thing that does not fit; the others are reported before.
  func redaction(
    _ rules: RedactionRules, _ key: RedactionKey, of realm: OpenedRealm, named name: String, threadCount: Int,
    isKept: (TableSchema) -> Bool = { _ in true }
  ) throws -> Redaction {
    do {
      return try Redaction(rules, key, of: realm.snapshot, threadCount: threadCount, isKept: isKept)
    } catch RedactionError.rules(let mistakes) {
      let diagnostics = mistakes.diagnostics(rules: request.rules, realm: name)
      for diagnostic in diagnostics.dropLast() { console.report(diagnostic) }
      throw diagnostics.last ?? Diagnostic(.schema, .invalidInput, path: request.rules, "not valid redaction rules")
    }
  }
}

extension RuleMistakes {
  /// One for each of the first mistakes, and one for each property without a rule.
  func diagnostics(rules path: String, realm: String) -> [Diagnostic] {
    let wrong = mistakes.prefix(Console.mostMistakes).map { mistake in
      Diagnostic(
        .schema, .invalidInput, path: RealmInput(path: path).name,
        at: SourceMark(line: mistake.place.line, column: mistake.place.column), mistake.message,
        advice: mistake.advice)
    }
    let missing = unnamed.enumerated().map { index, name in
      Diagnostic(
        .schema, .invalidInput, path: realm, "no rule for '\(name)'",
        advice: index == unnamed.count - 1 ? "add a rule to \(path), or set 'default: null'" : nil)
    }
    return wrong + missing
  }
}

extension Console {
  static let mostMistakes = 20

  /// Reports the mistakes of a document.
  ///
  /// - Parameter page: advice for what is not such a document at all.
  /// - Returns: the last one, to be thrown.
  func reportAllButLast(of error: PlanError, in path: String, _ page: String) -> Diagnostic {
    let mistakes = error.mistakes.prefix(Self.mostMistakes).map { mistake in
      let isOnWhole = mistake.location == PlanLocation(line: 1, column: 1)
      return Diagnostic(
        .schema, .invalidInput, path: RealmInput(path: path).name, at: SourceMark(mistake.location), mistake.problem,
        advice: mistake.advice ?? (isOnWhole ? page : nil))
    }
    for mistake in mistakes.dropLast() { report(mistake) }
    return mistakes.last ?? Diagnostic(.schema, .invalidInput, path: path, "cannot be read")
  }
}

extension RedactionError: DiagnosticConvertible {
  func diagnosis(of files: DiagnosedFiles) -> any Error {
    let problem =
      switch self {
      case .rules: "the rules do not fit the realm"
      case .leak: "a value that the rules remove is still in the copy, so nothing was written"
      case .differs: "the copy does not match the rules, so nothing was written"
      case .equalPrimaryKeys: "two objects would have the same primary key, so nothing was written"
      }
    return Diagnostic(
      .failed, .fileOperationFailed, path: files.output, problem, detail: "\(self)",
      advice: "please report this bug in realmctl")
  }
}
