import RealmStorage
import RealmTools

extension Diagnostic {
  /// Runs `body`, and turns what keeps a realm from being opened or migrated into what the user is told.
  ///
  /// - Parameters:
  ///   - path: of the realm, as typed.
  ///   - schema: the file the schema was read from.
  ///   - output: where the result goes, if not there.
  static func ofLaunch<Result>(
    _ path: String, schema: String? = nil, seed: String? = nil, output: String? = nil, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try ofCopy(from: path, to: output ?? path, body)
    } catch let error as UnsettledLaunch {
      throw Diagnostic(error, path: path)
    } catch let error as ConfigurationError {
      throw Diagnostic(.usage, .invalidInput, path: path, "\(error)")
    } catch let error as OpeningError {
      throw Diagnostic(error, path: path, schema: schema, seed: seed)
    } catch let error as MigrationError {
      throw Diagnostic(error, path: path)
    } catch let error as EditError {
      throw Diagnostic(error, path: path)
    } catch let error as AccessError {
      throw Diagnostic(error)
    } catch let error as BackupError {
      throw Diagnostic(error)
    } catch WriteRefusal.olderFormat(let format) {
      throw Diagnostic(OpeningError.upgradeProhibited(format: format), path: path, seed: seed)
    } catch WriteRefusal.synced(let kind) {
      throw Diagnostic(OpeningError.synchronized(kind), path: path, seed: seed)
    } catch WriteRefusal.unknownHistory(let problem) {
      throw Diagnostic(OpeningError.unknownHistory(problem), path: path, seed: seed)
    } catch WriteRefusal.spaceInUse(let fault) {
      throw Diagnostic(fault, path: path)
    } catch WriteRefusal.testBuild {
      throw Diagnostic(
        .failed, .unsupportedFileFormatVersion, path: path,
        "a test build of the engine made the file, with four entries per node, so it is not changed",
        advice: "'export' gives its objects, 'bundle --data' makes a realm of them")
    } catch let error as StorageError {
      throw Diagnostic(error, path: path)
    }
  }

  /// A launch makes no change that a sound realm refuses.
  private init(_ error: EditError, path: String) {
    let detail: String
    switch error {
    case .unsound(let table): detail = "table '\(table)'"
    default: detail = "\(error)"
    }
    self.init(
      .failed, .invalidDatabase, path: path, "the realm is not made as a change needs it, so nothing was changed",
      detail: detail, advice: "'check' may tell more; else use a backup")
  }

  /// A transaction would write where it must not. A compaction takes the nodes in use and leaves the list behind.
  private init(_ fault: SpaceFault, path: String) {
    let detail: String
    switch fault {
    case .listed(let node, let start, let end):
      detail = "bytes \(start) to \(end) are said to be free, and the node at byte \(node) is there"
    case .beyondEnd(let node):
      detail = "the node at byte \(node) is beyond it"
    case .shared(let node):
      detail = "the node at byte \(node) is in use twice"
    case .list(let corruption):
      detail = "\(corruption.reason), at byte \(corruption.ref)"
    }
    self.init(
      .failed, .invalidDatabase, path: path, "\(fault), so nothing was changed", detail: detail,
      advice: "'realmctl compact' makes a new list; then try again")
  }

  private init(_ error: UnsettledLaunch, path: String) {
    var detail: String?
    if case .systemCall(_, let name, let number) = error.cause as? OutputError {
      detail = SystemCallFailure(name: name, errorNumber: number).text
    }
    guard !error.isDone else {
      if let cause = error.cause as? StorageError {
        let diagnostic = Diagnostic(cause, path: path)
        detail = diagnostic.detail ?? diagnostic.problem
      }
      self.init(
        .failed, .fileOperationFailed, path: path,
        "the change was made, but the file could not be read afterwards", detail: detail,
        advice: error.backup.map { "'check' tells more; \($0.path) has the old content" } ?? "'check' tells more")
      return
    }
    self.init(
      .failed, .fileOperationFailed, path: path,
      "the disk failed in the last step, so the file holds the old content or the new", detail: detail,
      advice: error.backup.map { "'open' tells which; \($0.path) has the old content" } ?? "'open' tells which")
  }
}
