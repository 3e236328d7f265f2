import RealmOpening
import RealmPresentation
import RealmStorage
import RealmText
import RealmTools

/// What opening a realm did to it, or would do.
struct LaunchReport {
  let input: RealmInput
  let seed: String?
  let dryRun: Bool
  private let isInMemory: Bool
  let outcome: LaunchOutcome
  private let migration: MigrationReport?

  init(_ result: LaunchRun.Result, _ request: LaunchRequest) {
    input = request.input
    seed = request.seed
    dryRun = request.dryRun
    isInMemory = request.isInMemory
    outcome = result.outcome
    // Read-only, differences from the file are tolerated, and nothing is added or removed.
    migration = request.isReadOnly ? nil : MigrationReport(result, request)
  }

  /// Changes in memory do not change a file.
  private var path: String { isInMemory && !input.path.isEmpty ? "\(input.name) (in memory)" : input.name }

  // MARK: Text

  func text() -> String {
    var text = outcome.events.compactMap(words).map { line("\(path): \(dryRun ? "would be " : "")\($0)") }.joined()
    if let compaction = outcome.compaction { text += line("\(path): \(compactionText(compaction))") }
    if var migration, !migration.outcome.isEmpty {
      migration.backup = nil
      migration.upgradedFrom = nil
      migration.sizes = nil
      migration.path = path
      if isInMemory { migration.leavesRemovedValues = false }
      text += migration.text()
    }
    if text.isEmpty, dryRun { text = line("\(path): nothing to do") }
    return text + (outcome.backup.map { RestoreText.lines(for: $0, of: path) } ?? "")
  }

  private func line(_ text: String) -> String { PrintableText.escaping(text) + "\n" }

  /// What was done to the file, in a few words; nil if it was not changed.
  var changesText: String? { isInMemory ? nil : workText }

  /// What was done in memory, in a few words; nil for a file.
  var memoryText: String? { isInMemory ? workText ?? "unchanged" : nil }

  private var workText: String? {
    guard outcome.changesFile else { return nil }
    var words = outcome.events.compactMap(shortWords)
    if case .done = outcome.compaction { words.append("compacted") }
    return PrintableText.escaping(words.joined(separator: ", "))
  }

  private func shortWords(_ event: OpeningEvent) -> String? {
    switch event {
    case .migrate(let from, let to, _, _): "schema version \(from) -> \(to)"
    case .createSchema(let version, _): "schema version none -> \(version)"
    case .change: "classes or indexes added"
    case .editObjects: "objects changed"
    case .upgradeFormat(let format): "file format \(format) -> \(Header.newestFormat)"
    case .backUp, .compactIfWanted: nil
    case .copySeed, .create, .deleteAndCreate: words(event)
    }
  }

  /// The report of a migration is shown there.
  private func words(_ event: OpeningEvent) -> String? {
    switch event {
    case .copySeed: "copied from \(seed ?? "")"
    case .create: "created"
    case .deleteAndCreate: "deleted with all its data and replaced by an empty realm"
    case .upgradeFormat(let format): "upgraded from file format \(format) to \(Header.newestFormat)"
    case .backUp, .compactIfWanted, .createSchema, .change, .migrate, .editObjects: nil
    }
  }

  private func compactionText(_ compaction: LaunchCompaction) -> String {
    switch compaction {
    case .notWanted(let space): "not compacted: \(space.text)"
    case .inUse(let space): "not compacted, because the file is in use: \(space.text)"
    case .done(let before, let after):
      WrittenText.compaction((before, after), dryRun: dryRun)
    }
  }

  // MARK: JSON

  /// `Docs/JSONOutput.md` describes the keys.
  func json() -> String {
    JSONText.document { json in
      json.path("input", input.path)
      addMember(to: json)
    }
  }

  /// The member `launch`.
  func addMember(to json: JSONText) { json.object("launch") { addFacts(to: json) } }

  private func addFacts(to json: JSONText) {
    json.member("dryRun", dryRun)
    json.member("fileChanged", changesText != nil)
    json.member("inMemory", isInMemory)
    json.texts("events", outcome.events.map(\.name) + (outcome.compaction?.name == "compact" ? ["compact"] : []))
    json.path("backup", outcome.backup?.path)
    if let compaction = outcome.compaction { json.member("compaction", compaction.name) }
    if let migration, !migration.outcome.isEmpty {
      json.object("migration") { migration.addFacts(to: json) }
    }
  }
}

extension SpaceUse {
  fileprivate var text: String {
    "total \(ByteCount.text(total)), used \(ByteCount.text(used)), free \(ByteCount.text(free))"
  }
}

extension OpeningEvent {
  fileprivate var name: String {
    switch self {
    case .copySeed: "copySeed"
    case .create: "create"
    case .backUp: "backUp"
    case .upgradeFormat: "upgradeFormat"
    case .compactIfWanted: "compact"
    case .deleteAndCreate: "deleteAndCreate"
    case .createSchema: "createSchema"
    case .change: "change"
    case .migrate: "migrate"
    case .editObjects: "editObjects"
    }
  }
}

extension LaunchCompaction {
  fileprivate var name: String {
    switch self {
    case .notWanted: "notWanted"
    case .inUse: "inUse"
    case .done: "compact"
    }
  }
}
