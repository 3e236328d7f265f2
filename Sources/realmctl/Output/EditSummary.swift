import RealmMigration
import RealmOpening
import RealmStorage
import RealmText
import RealmTools

/// What an edit by hand did, or would do.
struct EditSummary {
  private let path: String
  private let className: String
  private let output: String?
  private let outputSize: UInt64?
  private let dryRun: Bool
  private let operation: PlanReport.Operation?
  private let samples: [PlanReport.Sample]
  private let outcome: MigrationOutcome?
  private let backup: RealmBackup?
  private let writes: Bool
  private let leavesRemovedValues: Bool
  private let sizes: (before: UInt64, after: UInt64)?
  private let upgradedFrom: UInt8?
  private let kind: Kind

  private enum Kind { case insert, update, delete }

  init(_ report: PlanReport?, _ result: LaunchRun.Result, _ request: EditRun.Request, _ launch: LaunchRequest) {
    (path, output, dryRun, className) = (
      launch.input.path, launch.destination?.path, launch.dryRun, request.edit.className
    )
    outputSize = result.outcome.copy?.written.fileSize
    operation = report?.steps.first?.operations.first
    samples = report?.samples ?? []
    outcome = result.outcome.migration
    (backup, writes) = (result.outcome.backup, result.outcome.changesFile)
    leavesRemovedValues = result.outcome.leavesRemovedValues
    if case .done(let before, let after) = result.outcome.compaction { sizes = (before, after) } else { sizes = nil }
    upgradedFrom = result.outcome.upgradedFrom
    kind = request.edit.isInsertion ? .insert : request.edit.isDeletion ? .delete : .update
  }

  /// Objects that were made, changed or deleted.
  var count: Int {
    switch kind {
    case .insert: operation?.created ?? 0
    case .update: (operation?.objects ?? 0) - unchangedCount
    case .delete: operation?.deleted ?? 0
    }
  }

  /// Objects that are already what the edit would make of them.
  private var unchangedCount: Int { kind == .update ? operation?.unchanged ?? 0 : 0 }

  /// Embedded objects that were deleted with their parents.
  private var embeddedCount: Int {
    let all = outcome?.deleted.values.reduce(0, +) ?? 0
    return max(0, all - (operation?.deleted ?? 0))
  }

  /// Links to deleted objects.
  private var lostLinks: Int {
    outcome?.lost.filter { $0.cause == .targetDeleted }.reduce(0) { $0 + $1.objectCount } ?? 0
  }

  private var overwritten: Int { outcome?.overwritten.reduce(0) { $0 + $1.count } ?? 0 }

  // MARK: Text

  func text() -> String {
    let done =
      switch kind {
      case .insert: "inserted"
      case .update: "updated"
      case .delete: "deleted"
      }
    let verb = dryRun ? "would be \(done)" : done
    var text = line(count > 0 ? countText(verb) : nothingText)
    if count > 0 { text += samples.text }
    let them = count == 1 ? "it" : "them"
    let would = dryRun ? "would be " : ""
    if embeddedCount > 0 {
      text += line(
        "  \(embeddedCount.counted("embedded object")) \(would)deleted\(done == "deleted" ? " with \(them)" : "")")
    }
    if lostLinks > 0 { text += line("  \(lostLinks.counted("link")) to \(them) \(would)removed") }
    let upgrade = upgradedFrom.map { line("  " + WrittenText.upgrade(from: $0)) } ?? ""
    let written = output.map { WrittenText.line($0, size: outputSize, dryRun: dryRun) } ?? ""
    // The line comes below the file that it is about.
    text += count > 0 ? upgrade + written : written + upgrade
    if let sizes {
      text += line("  " + WrittenText.compaction(sizes, dryRun: dryRun))
    } else if leavesRemovedValues || overwritten > 0, output == nil {
      text += "  " + RemovedValuesText.sentence(RemovedValuesText.subject(outcome), in: path, dryRun: dryRun) + "\n"
    }
    return text + (backup.map { RestoreText.lines(for: $0, of: path) } ?? "")
  }

  private func countText(_ verb: String) -> String {
    "\(output?.outputName ?? path): \(count.counted("object")) of class '\(className)' \(verb)"
      + (unchangedCount > 0 ? ", \(unchangedCount) \(Self.areUpToDate(unchangedCount))" : "")
  }

  /// That no object changes, and nothing else either unless the file does for another reason.
  private var nothingText: String {
    let isSame = output != nil || upgradedFrom == nil && sizes == nil
    let nothing = isSame ? "nothing \(dryRun ? "would be" : "was") changed" : ""
    if unchangedCount > 0 {
      return "\(path): \(unchangedCount.counted("object")) of class '\(className)' \(Self.areUpToDate(unchangedCount))"
        + (isSame ? "; " + nothing : "")
    }
    return "\(path): " + (kind == .insert ? "no object was given" : "no object of class '\(className)' matches")
      + (isSame ? ", so " + nothing : "")
  }

  private static func areUpToDate(_ count: Int) -> String { "\(count == 1 ? "is" : "are") already up to date" }

  private func line(_ text: String) -> String { PrintableText.escaping(text) + "\n" }

  // MARK: JSON

  /// `Docs/JSONOutput.md` describes the keys.
  ///
  /// - Parameter isIndented: false for one of several, each on a line of its own.
  func json(isIndented: Bool) -> String {
    JSONText.document(isIndented: isIndented) { json in
      json.path("input", path)
      json.pathOrNull("output", output ?? (writes ? path : nil))
      json.member("dryRun", dryRun)
      json.path("backup", backup?.path)
      json.member("upgradedFrom", upgradedFrom)
      json.member("class", className)
      json.member("editedObjects", count)
      json.member("deletedEmbedded", embeddedCount)
      json.member("removedLinks", lostLinks)
      json.member("overwrittenValues", overwritten)
      samples.add(to: json)
      json.member("removedValuesRemain", sizes == nil && output == nil && (leavesRemovedValues || overwritten > 0))
    }
  }
}
