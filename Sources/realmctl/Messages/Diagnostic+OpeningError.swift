import RealmExchange
import RealmOpening
import RealmStorage
import RealmText
import RealmTools

extension Diagnostic {
  /// Why a realm cannot be opened as asked for.
  init(_ error: OpeningError, of files: DiagnosedFiles) {
    let (path, versionOption) = (files.source, files.versionOption)
    let known = error.text(path: path)
    switch error {
    case .missingFile:
      self.init(
        .notFound, .fileNotFound, path: path, "no such file or directory",
        advice: files.canCreate
          ? "check the path, or use --create to create it"
          : files.takesSeed ? "check the path, or name a seed with --seed-file" : "check the path")
    case .missingSeed:
      self.init(
        .notFound, .fileNotFound, path: files.seed ?? path, "no such file or directory",
        advice: "check the path of the seed")
    case .emptyFile: self.init(StorageError.notARealm(.empty), path: path)
    case .unsupportedFormat(let format): self.init(unsupportedFormat: format, path: path)
    case .readOnlyNeedsUpgrade(let format):
      self.init(
        .format, .fileFormatUpgradeRequired, path: path,
        "the file has format \(format), which cannot be opened read-only", detail: known,
        advice: "omit --read-only to inspect it, or convert it with 'upgrade' (a synced realm with 'write-copy')")
    case .upgradeProhibited(let format): self.init(upgradeOf: path, from: format)
    case .synchronized:
      self.init(
        .failed, .incompatibleHistories, path: path, "the file belongs to Device Sync", detail: known,
        advice: "make a local copy first with 'write-copy'")
    case .unknownHistory(let problem):
      let what =
        switch problem {
        case .unknownKind(let kind): "the file has a history of unknown kind \(kind.code)"
        case .futureSchema: "the history of the file is newer than this realmctl supports"
        }
      self.init(
        .failed, .incompatibleHistories, path: path, what + ", so it is not changed", detail: known,
        advice: "use a newer realmctl, or make a copy with an empty history with 'write-copy'")
    case .invalidSchema(let violations):
      self.init(invalidSchema: violations, path: files.schema ?? path, known: known)
    case .versionDecreased(_, let stored):
      self.init(
        .schema, .invalidSchemaVersion, path: path, known,
        // What a migration is asked for raises the version; an app may keep it.
        advice: files.changes == .plan(isAlone: true)
          ? "omit --to-version, or add a step to the plan that goes above the stored version"
          : versionOption.map { "use \($0) \($0 == "--to-version" ? stored + 1 : stored) or higher" }
            ?? "use the stored version or a higher one")
    case .versionDiffers(_, let stored):
      self.init(
        .schema, .invalidSchemaVersion, path: path, known,
        advice: versionOption.map { "use \($0) \(stored)" } ?? "use the stored version")
    case .refusedChanges(let mode, _):
      self.init(
        .schema, mode == .sameVersion ? .schemaMismatch : .invalidSchemaChange, path: path, known,
        advice: Self.advice(on: mode, versionOption, files.requestedVersion))
    }
  }

  private static func advice(
    on mode: SchemaDifference.OpenMode, _ versionOption: String?, _ requested: UInt64?
  ) -> String? {
    let higher = advice(versionOption, above: requested)
    return switch mode {
    case .sameVersion: higher
    case .readOnly: "omit --read-only and " + higher
    case .additive, .changedByOthers, .manual: nil
    }
  }

  private static func advice(_ versionOption: String?, above version: UInt64?) -> String {
    guard let versionOption, let version else { return "use a higher schema version" }
    return "use \(versionOption) \(version + 1) or higher"
  }

  /// Why a migration stopped.
  init(_ error: MigrationError, path: String, _ changes: ChangeSource) {
    switch error {
    case .wouldLoseData(let lost):
      self.init(
        .schema, .migrationFailed, path: path, "the migration would lose data, so nothing was changed",
        detail: lost.map(\.refusalText).joined(separator: "; "), advice: Self.advice(for: lost, changes))
      if lost.count > Self.mostReasonsInLine { lines = lost.map(\.refusalText) }
    case .embedding(let obstacle, let analysis):
      let words = [analysis.countText, obstacle.olderText].compactMap { $0 }
      self.init(
        .schema, .migrationFailed, path: path, error.text, detail: words.joined(separator: "; older SDKs: "),
        advice: obstacle.advice)
    case .kindChange, .renamedPropertyMissing, .rename, .classIsLinkTarget:
      self.init(.schema, .illegalOperation, path: path, error.text)
    case .notPossible(let step, let reason):
      self.init(.schema, .migrationFailed, path: path, step.refusal, detail: reason)
    case .duplicatePrimaryKey:
      self.init(
        .schema, .migrationFailed, path: path, error.text,
        advice: "make the values unique first, or use another property; 'plan new' drafts a plan that fills a new one")
    }
  }
}

extension Diagnostic {
  /// How to keep the values, and how to accept the loss.
  private static func advice(for lost: [LostValues], _ changes: ChangeSource) -> String {
    let accept = "use --allow-data-loss to accept that"
    switch changes {
    case .plan(isAlone: true): return "add 'lossy: ok' to the operation, or use --allow-data-loss, to accept that"
    case .plan(isAlone: false): return accept + ", or keep the values in a step of the plan"
    case .app: return accept + ", or --plan to keep the values"
    case .options, .operations: break
    }
    func plan(_ operation: String) -> String {
      accept + ", or "
        + (changes == .operations ? "one plan for all changes (--plan)" : "--plan" + operation) + " to keep the values"
    }
    guard let first = lost.first, first.property != nil, first.cause == .removed else { return accept }
    let path = first.place
    let keep = lost.count == 1 ? "to keep the values" : "to keep the values of '\(path)'"
    guard let successor = first.successor else {
      return first.renamed.map { accept + ", or --rename \(path)=\($0) \(keep)" } ?? plan("")
    }
    if first.becomesRequired { return plan(" with 'make_required'") }
    guard successor.collection == nil, successor.type != .object else { return plan("") }
    // Every value has a text. Another conversion may fail for some, which needs a plan.
    guard successor.type == .string else { return plan(" with 'convert'") }
    return accept + ", or --convert \(path)=string\(successor.isOptional ? "?" : "") \(keep)"
  }
}

extension EmbeddingObstacle {
  fileprivate var advice: String? {
    switch self {
    case .orphans: "use --on-orphan delete to delete them"
    case .shared: "use --on-shared duplicate to give each link its own copy"
    case .mixedLink, .set: nil
    }
  }
}
