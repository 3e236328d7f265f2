import Libc
import RealmExchange
import RealmModels
import RealmPresentation
import RealmStorage
import RealmTerminal

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
      let written = try Diagnostic.ofWriting(output) {
        try export.write(to: path, keepsOffDisk: request.input.key != nil) { [sink] in sink.finished(objects: $0) }
      }
      let isComplete = written.damage.isEmpty && realm.snapshot.damagedTables.isEmpty
      if request.form.verifies {
        var proof = RelationalProof(realm.snapshot, plan: plan, threadCount: options.threadCount)
        proof.onProgress = { [progress = sink.progress] in progress?.show(share: $0) }
        try proof.check(path, isComplete: isComplete)
      }
      sink.wrote(byteCount: try Diagnostic.ofWriting(output) { try finish(path, plan) } ?? written.byteCount)
      report = DatabaseReport(
        written, keepsMeta: request.form.audience == .sqlite || request.form.keepsSchema,
        isVerified: request.form.verifies && isComplete, dryRun: request.form.dryRun)
      return written.damage
    } catch let problem as DatabaseError {
      var diagnostic = Diagnostic(problem, path: output)
      diagnostic.advice = "use --no-verify to keep it anyway"
      throw diagnostic
    } catch let fault as WrittenFault {
      throw Diagnostic(unlike: request.input.name, path: output, detail: fault.text)
    }
  }
}

extension DatabaseRun {
  /// Gives the database the form that its reader expects.
  ///
  /// - Returns: its new length; nil if it stays as it is.
  private func finish(_ path: String, _ plan: RelationalPlan) throws -> UInt64? {
    guard request.form.audience == .room else { return nil }
    return try RoomDatabase.convert(
      path, plan, keepsMeta: request.form.keepsSchema, keepsOffDisk: request.input.key != nil)
  }
}

extension Diagnostic {
  /// Runs `body`, which writes a database.
  static func ofWriting<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    do { return try body() } catch DatabaseError.sqlite(let fault) { throw Diagnostic(fault, path: path) }
  }

  /// What SQLite says about a file.
  private init(_ error: SQLiteFault, path: String) {
    if error.isFull || error.isInputOrOutput && error.errorNumber == ENOSPC {
      self.init(OutputError.systemCall(path: path, name: "write", errorNumber: ENOSPC))
    } else if error.isInputOrOutput, error.errorNumber != 0 {
      self.init(OutputError.systemCall(path: path, name: "write", errorNumber: error.errorNumber))
    } else {
      self.init(.failed, .fileOperationFailed, path: path, "SQLite stopped", detail: error.message)
    }
  }
}

extension Diagnostic {
  /// Why a SQLite file cannot be read as what an export has written, or a realm as SQLite tables.
  init(_ problem: DatabaseError, path: String) {
    switch problem {
    case .sqlite(let error) where error.isFull || error.isInputOrOutput && error.errorNumber == ENOSPC:
      // The file itself is only read.
      self.init(
        .failed, .outOfDiskSpace, path: Environment.nonEmptyValue("TMPDIR") ?? "/var/tmp",
        "no space left for a temporary file", advice: "free some space, or set TMPDIR to another folder")
    case .sqlite(let error) where error.isTooMuchWork:
      self.init(
        .failed, .invalidDatabase, path: path,
        "its generated columns take too long to compute, or have values of more than 16 MiB",
        advice: "copy what they have into a table: CREATE TABLE t AS SELECT …")
    case .sqlite(let error):
      self.init(
        .failed, .invalidDatabase, path: path, "SQLite cannot read the file", detail: error.message,
        advice: "export the realm again")
    case .room:
      self.init(
        .failed, .invalidDatabase, path: path, "the database was exported for Room, and that form cannot be read back",
        advice: "export the realm again, without --for room")
    case .otherForm(let reason):
      self.init(
        .failed, .invalidDatabase, path: path, "not a database written by 'export --format sqlite'",
        detail: reason, advice: "'import' reads other databases")
    case .unfinished(let other):
      self.init(
        .inUse, .invalidDatabase, path: path, "'\(other)' has changes that are not in it yet",
        advice: "apply them with: "
          + ShellText.command([
            "sqlite3", ShellText.path(path), "PRAGMA journal_mode=DELETE; SELECT 1 FROM sqlite_schema",
          ]))
    case .endless:
      self.init(
        .failed, .invalidDatabase, path: path, "its embedded objects contain each other in a cycle",
        advice: "export the realm again")
    case .unsound(let reason):
      self.init(
        .failed, .invalidDatabase, path: path, "SQLite reports damage", detail: reason,
        advice: "export the realm again")
    case .tooWide(let table):
      self.init(
        .schema, .notSupported, path: path,
        "class '\(table.className)' needs \(table.columnCount) columns, more than the "
          + "\(RelationalSchema.TooWide.limit) that SQLite takes",
        advice: "leave the class out with --exclude, or choose another format")
    case .statement(let failure): self.init(.failed, .fileOperationFailed, path: path, failure.message)
    }
  }
}
