import RealmExchange
import RealmOpening
import RealmPresentation
import RealmStorage
import RealmText
import RealmTools

/// What an import did, or would do.
struct ImportSummary {
  private let report: ImportReport
  private let path: String
  private let output: String?
  private let outputSize: UInt64?
  private let dryRun: Bool
  private let mode: ImportMode
  private let backup: RealmBackup?
  private let leavesRemovedValues: Bool
  private let sizes: (before: UInt64, after: UInt64)?
  private let writes: Bool
  private let upgradedFrom: UInt8?
  private let isNew: Bool
  /// What was added to the schema of a realm that existed.
  private let schema: MigrationReport?

  /// - Parameter result: nil for a new realm.
  init(_ report: ImportReport, _ result: LaunchRun.Result?, _ launch: LaunchRequest, _ request: ImportRun.Request) {
    self.report = report
    (path, output, dryRun, mode) = (launch.input.path, launch.destination?.path, launch.dryRun, request.options.mode)
    (isNew, outputSize) = (result == nil, result?.outcome.copy?.written.fileSize)
    backup = result?.outcome.backup
    // What a new object that was left out had was in the realm for a moment only.
    let overwrites = report.counts.contains { $0.counts.updated > 0 || $0.counts.deleted > 0 }
    leavesRemovedValues = result?.outcome.leavesRemovedValues == true && overwrites
    writes = result?.outcome.changesFile ?? true
    // An empty realm that is created for the import has no format before.
    upgradedFrom = result?.outcome.upgradedFrom
    schema = result.flatMap { MigrationReport($0, launch) }.flatMap { $0.changesSchema ? $0 : nil }
    if case .done(let before, let after) = result?.outcome.compaction { sizes = (before, after) } else { sizes = nil }
  }

  var hasProblems: Bool { report.problemCount > 0 }

  private var objectCount: Int { report.counts.reduce(0) { $0 + $1.counts.read } }

  // MARK: Text

  func text() -> String {
    let read = objectCount.counted("object") + " read"
    let counts = report.counts.map(\.counts)
    func sum(_ part: (ImportCounts) -> Int, _ word: String) -> String {
      let count = counts.reduce(0) { $0 + part($1) }
      return count == 0 ? "" : ", \(count) \(word)"
    }
    let done = sum(\.inserted, "inserted") + sum(\.updated, "updated") + sum(\.deleted, "deleted")
    let changesAny = report.counts.contains { $0.counts.changesAnything }
    let changed =
      changesAny
      ? (dryRun ? "would be changed: " : "") + read + done
      : unchangedText + read
    var text =
      line("\(changesAny ? output?.outputName ?? path : path): " + changed) + (schema?.schemaLines ?? "") + report.table
    let upgrade = upgradedFrom.map { line("  " + WrittenText.upgrade(from: $0)) } ?? ""
    let written = output.map { WrittenText.line($0, size: outputSize, dryRun: dryRun) } ?? ""
    // The line comes below the file that it is about.
    text += changesAny ? upgrade + written : written + upgrade
    if let sizes {
      text += line("  " + WrittenText.compaction(sizes, dryRun: dryRun))
    } else if leavesRemovedValues {
      let subject = RemovedValuesText.subject(
        overwrites: report.counts.contains { $0.counts.updated > 0 },
        deletes: report.counts.contains { $0.counts.deleted > 0 })
      text += "  " + RemovedValuesText.sentence(subject, in: path, dryRun: dryRun) + "\n"
    }
    return text + (backup.map { RestoreText.lines(for: $0, of: path) } ?? "")
  }

  private var unchangedText: String {
    if isNew { return dryRun ? "would be created, " : "created, " }
    let changed = dryRun ? "would change" : "changed"
    guard schema == nil else { return "only the schema \(changed), " }
    // An object that was left out after others were found wrong has been in the file for a moment.
    if output == nil, upgradedFrom != nil || sizes != nil || writes { return "no object \(changed), " }
    return "nothing \(dryRun ? "would be " : "")changed, "
  }

  private func line(_ text: String) -> String { PrintableText.escaping(text) + "\n" }

  // MARK: JSON

  /// `Docs/JSONOutput.md` describes the keys.
  func json() -> String {
    JSONText.document { json in
      json.path("input", path)
      json.pathOrNull("output", output ?? (writes ? path : nil))
      json.member("dryRun", dryRun)
      json.path("backup", backup?.path)
      json.member("upgradedFrom", upgradedFrom)
      schema?.addSchemaChanges(to: json)
      json.member("importMode", mode.rawValue)
      report.addCounts(to: json)
      json.member("mistakes", report.problemCount)
    }
  }
}

extension ImportReport {
  /// A line for each class with imported objects; empty without any.
  var table: String {
    let rows = counts.map { name, counts in
      let optional = [counts.deleted, counts.rejected, counts.created].map { $0 == 0 ? "" : "\($0)" }
      let usual = [counts.read, counts.inserted, counts.updated, counts.unchanged, counts.skipped].map { "\($0)" }
      return [PrintableText.escaping(name.description)] + usual + optional
    }
    let columns: [TextTable.Column] = [
      .left("CLASS"), .right("READ"), .right("INSERTED"), .right("UPDATED"), .right("UNCHANGED"), .right("SKIPPED"),
      .right("DELETED"), .right("REJECTED"), .right("CREATED"),
    ]
    return rows.isEmpty ? "" : TextTable.lines(columns, rows).map { $0 + "\n" }.joined()
  }

  func addCounts(to json: JSONText) {
    json.objects("imported", counts) { name, counts in
      json.member("class", name.description)
      json.member("read", counts.read)
      json.member("inserted", counts.inserted)
      json.member("updated", counts.updated)
      json.member("unchanged", counts.unchanged)
      json.member("skipped", counts.skipped)
      json.member("deletedObjects", counts.deleted)
      json.member("rejected", counts.rejected)
      json.member("createdTargets", counts.created)
    }
  }
}
