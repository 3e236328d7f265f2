import RealmStorage
import RealmText

/// The results of several migrated realms, as one report.
struct MigrationBatch {
  private enum Entry {
    case done(MigrationReport)
    /// With what a dry run found up to then.
    case failed(RealmInput, Diagnostic, MigrationReport?)
  }

  let dryRun: Bool
  private let skippedBackups: [RealmInput]
  private var entries: [Entry] = []
  private var migrated = 0
  private var unchanged = 0
  /// How far a dry run got before it was stopped.
  var stopped: MigrationReport?

  init(_ realms: RealmBatch, dryRun: Bool) {
    (skippedBackups, self.dryRun) = (realms.skippedBackups, dryRun)
  }

  mutating func add(_ report: MigrationReport) {
    if report.writes { migrated += 1 } else { unchanged += 1 }
    entries.append(.done(report))
  }

  mutating func add(_ failure: Diagnostic, of input: RealmInput) {
    entries.append(.failed(input, failure, stopped))
    stopped = nil
  }

  private var failed: Int { entries.count - migrated - unchanged }

  /// `3 realms: 1 migrated, 1 with nothing to do, 1 failed`
  func text() -> String {
    var parts = ["\(migrated) \(dryRun ? "would be migrated" : "migrated")"]
    if unchanged > 0 { parts.append("\(unchanged) with nothing to do") }
    if failed > 0 { parts.append("\(failed) failed") }
    return "\(entries.count.counted("realm")): \(parts.joined(separator: ", "))\n"
  }

  /// `Docs/JSONOutput.md` describes the keys.
  func json() -> String {
    JSONText.document { json in
      json.member("dryRun", dryRun)
      json.member("migratedRealms", migrated)
      json.member("unchangedRealms", unchanged)
      json.member("failedRealms", failed)
      json.paths("skippedBackups", skippedBackups.map(\.path))
      json.objects("reports", entries) { entry in
        switch entry {
        case .done(let report): report.addMembers(to: json)
        case .failed(let input, let failure, let report):
          json.path("input", input.path)
          failure.addMember(.error, to: json)
          if let report { json.object("attempt") { report.addMembers(to: json) } }
        }
      }
    }
  }
}
