import Libc
import RealmExchange
import RealmStorage

/// Exports a realm to a SQLite database, and reads it back.
final class DatabaseRun {
  private let request: ExportCommand.Request
  private let sink: OutputSink
  private let console: Console
  /// What was written; nil until it is.
  private(set) var report: DatabaseReport?

  init(request: ExportCommand.Request, sink: OutputSink, console: Console) {
    (self.request, self.sink, self.console) = (request, sink, console)
  }

  /// - Throws: `Diagnostic`.
  func write(_ plan: RelationalPlan, of realm: OpenedRealm, _ options: ExportOptions) throws -> DamageReport {
    guard case .path(let output, _) = request.destination else { return DamageReport() }
    guard let path = sink.temporaryPath else { throw Diagnostic(OutputError.notARegularFile(path: output)) }
    do {
      let export = RelationalExport(realm.snapshot, options: options, plan: plan)
      let written = try export.write(to: path, keepsOffDisk: request.input.key != nil) { [sink] objects in
        sink.finished(objects: objects)
      }
      sink.wrote(byteCount: written.byteCount)
      report = DatabaseReport(written, isVerified: request.form.verifies, isDryRun: request.form.isDryRun)
      return written.damage
    } catch let error as SQLiteError {
      throw Diagnostic(error, path: output)
    }
  }
}

extension Diagnostic {
  /// What SQLite says about a file.
  init(_ error: SQLiteError, path: String) {
    if error.isFull || error.isInputOrOutput && error.errorNumber == ENOSPC {
      self.init(OutputError.systemCall(path: path, name: "write", errorNumber: ENOSPC))
    } else if error.isInputOrOutput, error.errorNumber != 0 {
      self.init(OutputError.systemCall(path: path, name: "write", errorNumber: error.errorNumber))
    } else {
      self.init(.failed, .fileOperationFailed, path: path, "SQLite cannot go on", detail: error.message)
    }
  }
}
