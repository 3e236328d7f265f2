import RealmExchange
import RealmOpening
import RealmQuery
import RealmStorage
import RealmSystem
import RealmTools

/// What messages call the files of a run.
struct DiagnosedFiles {
  /// The input, as typed.
  let source: String
  let output: String
  /// The file the schema was read from.
  var schema: String?
  /// The seed that was asked for.
  var seed: String?
  /// Whether the command has an option for one.
  var takesSeed = false
  /// Whether it has one that creates a missing file, which was not given.
  var canCreate = false
  /// The option that sets the schema version.
  var versionOption: String?
  /// The schema version that was asked for.
  var requestedVersion: UInt64?
  /// Where the changes come from.
  var changes = ChangeSource.options
}

/// Where the changes of a launch come from, and so what keeps values that they would lose.
enum ChangeSource: Equatable {
  /// Options of `migrate`; whether they are operations of a plan.
  case options, operations
  /// A plan, alone or followed by a schema.
  case plan(isAlone: Bool)
  /// An app's schema.
  case app
}

/// An error of the library that ends a copy, a launch or a rescue, and that users see in this program's own words.
protocol DiagnosticConvertible: Error {
  /// - Returns: a `Diagnostic`, or an error that ends the run silently.
  func diagnosis(of files: DiagnosedFiles) -> any Error
}

extension RealmError: DiagnosticConvertible {
  /// The underlying error is reported, or ends the run as it would by itself.
  func diagnosis(of files: DiagnosedFiles) -> any Error {
    (cause as? any DiagnosticConvertible)?.diagnosis(of: files) ?? cause
  }
}

extension OutputError: DiagnosticConvertible {
  func diagnosis(of files: DiagnosedFiles) -> any Error {
    isClosedPipe ? ClosedPipe() : Diagnostic(copying: self, to: files.output)
  }

  /// The reader of the stream is gone.
  private var isClosedPipe: Bool {
    guard case .systemCall(_, let name, let number) = self else { return false }
    return SystemCallError(name: name, number: number).isClosedPipe
  }
}

extension StorageError: DiagnosticConvertible {
  func diagnosis(of files: DiagnosedFiles) -> any Error { Diagnostic(self, path: files.source) }
}

extension CopyDifference: DiagnosticConvertible {
  func diagnosis(of files: DiagnosedFiles) -> any Error {
    var diagnostic = Diagnostic(unlike: files.source, path: files.output, detail: text)
    if case .unreadable(let error) = reason { diagnostic.blame(error) }
    return diagnostic
  }
}

extension WrittenFault: DiagnosticConvertible {
  func diagnosis(of files: DiagnosedFiles) -> any Error {
    var diagnostic = Diagnostic(unlike: files.source, path: files.output, detail: text)
    switch self {
    case .unreadable(let error): diagnostic.blame(error)
    case .unsound:
      diagnostic.advice = "run 'check' on \(files.source): 'recover' saves what is left of a damaged realm"
    case .content, .differs, .contentHash, .table, .identity, .fileSize: break
    }
    return diagnostic
  }
}

extension CopyError: DiagnosticConvertible {
  func diagnosis(of files: DiagnosedFiles) -> any Error { Diagnostic(self, path: files.source) }
}

extension CopyRefusal: DiagnosticConvertible {
  func diagnosis(of files: DiagnosedFiles) -> any Error { Diagnostic(self, path: files.source) }
}

extension BuildError: DiagnosticConvertible {
  func diagnosis(of files: DiagnosedFiles) -> any Error {
    Diagnostic(
      .failed, .invalidDatabase, path: files.source, "the realm contains something that cannot be written",
      detail: "\(self)", advice: "run 'check' for details")
  }
}

extension ConfigurationError: DiagnosticConvertible {
  func diagnosis(of files: DiagnosedFiles) -> any Error {
    Diagnostic(.usage, .invalidInput, path: files.source, "\(self)")
  }
}

extension OpeningError: DiagnosticConvertible {
  func diagnosis(of files: DiagnosedFiles) -> any Error { Diagnostic(self, of: files) }
}

extension MigrationError: DiagnosticConvertible {
  func diagnosis(of files: DiagnosedFiles) -> any Error { Diagnostic(self, path: files.source, files.changes) }
}

extension NameError: DiagnosticConvertible {
  func diagnosis(of files: DiagnosedFiles) -> any Error {
    Diagnostic(.usage, .invalidInput, path: files.source, "\(self)")
  }
}

extension QueryError: DiagnosticConvertible {
  func diagnosis(of files: DiagnosedFiles) -> any Error { Diagnostic(self, in: "", path: files.source) }
}

extension EditError: DiagnosticConvertible {
  func diagnosis(of files: DiagnosedFiles) -> any Error { Diagnostic(self, path: files.source) }
}

extension AccessError: DiagnosticConvertible {
  func diagnosis(of files: DiagnosedFiles) -> any Error { Diagnostic(self) }
}

extension BackupError: DiagnosticConvertible {
  func diagnosis(of files: DiagnosedFiles) -> any Error { Diagnostic(self, realm: files.source) }
}

extension WriteRefusal: DiagnosticConvertible {
  func diagnosis(of files: DiagnosedFiles) -> any Error {
    switch self {
    case .olderFormat(let format):
      Diagnostic(OpeningError.upgradeProhibited(format: format), of: files)
    case .synced(let kind): Diagnostic(OpeningError.synchronized(kind), of: files)
    case .unknownHistory(let problem): Diagnostic(OpeningError.unknownHistory(problem), of: files)
    case .spaceInUse(let fault): Diagnostic(fault, path: files.source)
    case .testBuild:
      Diagnostic(
        .failed, .unsupportedFileFormatVersion, path: files.source,
        "a test build of the engine wrote the file (four entries per node), so it cannot be changed",
        advice: "save its objects with 'export' and build a realm from them with 'bundle --data'")
    case .transactionOpen, .failedBefore: Diagnostic(.failed, .fileOperationFailed, path: files.source, "\(self)")
    }
  }
}

extension LaunchError: DiagnosticConvertible {
  func diagnosis(of files: DiagnosedFiles) -> any Error {
    switch self {
    case .unsettled(let cause, let backup, let isDone):
      return Diagnostic(unsettled: cause, isDone: isDone, backup, path: files.source)
    case .seed(let path, let cause):
      let seed = DiagnosedFiles(source: path, output: files.output, schema: files.schema)
      guard let error = (cause as? any DiagnosticConvertible)?.diagnosis(of: seed) else { return cause }
      guard var diagnostic = error as? Diagnostic, case .upgradeProhibited(let format) = cause as? OpeningError else {
        return error
      }
      diagnostic.problem = "the seed has format \(format), which an app has to upgrade"
      diagnostic.advice = "use --upgrade to convert the copy to format 24; the seed stays as it is"
      return diagnostic
    }
  }
}
