import RealmStorage
import RealmText
import RealmTools

extension Diagnostic {
  /// Why a realm cannot be opened as asked for.
  init(_ error: OpeningError, path: String, schema: String? = nil, seed: String? = nil) {
    let known = error.text(path: path)
    switch error {
    case .missingFile:
      self.init(
        .notFound, .fileNotFound, path: path, "no such file or directory",
        advice: "check the path, or give --seed SEED to begin with")
    case .missingSeed:
      self.init(
        .notFound, .fileNotFound, path: seed ?? path, "no such file or directory", advice: "check the path of the seed")
    case .emptyFile: self.init(StorageError.notARealm(.empty), path: path)
    case .unsupportedFormat(let format): self.init(unsupportedFormat: format, path: path)
    case .readOnlyNeedsUpgrade(let format):
      self.init(
        .format, .fileFormatUpgradeRequired, path: path,
        "the file has format \(format), which cannot be opened read-only", detail: known,
        advice: "leave --read-only out to look into it, or bring it to format 24 with 'realmctl upgrade'")
    case .upgradeProhibited(let format): self.init(upgradeOf: path, from: format)
    case .synchronized:
      self.init(
        .failed, .incompatibleHistories, path: path, "file belongs to Device Sync", detail: known,
        advice: "copy it first (realmctl write-copy \(path) DEST)")
    case .unknownHistory(let problem):
      let what =
        switch problem {
        case .unknownKind(let kind): "the file has a history of a kind that is not known (\(kind.code))"
        case .futureSchema: "the file has a history that is newer than this realmctl knows"
        }
      self.init(
        .failed, .incompatibleHistories, path: path, what + ", so it is not changed", detail: known,
        advice: "look for a newer realmctl; a copy without history can be made with 'realmctl write-copy'")
    case .invalidSchema(let violations):
      self.init(
        .schema, .schemaValidationFailed, path: schema ?? path, known,
        advice: SchemaViolation.advice(for: violations))
    case .versionDecreased:
      self.init(.schema, .invalidSchemaVersion, path: path, known, advice: "give the stored version or a higher one")
    case .versionDiffers:
      self.init(.schema, .invalidSchemaVersion, path: path, known, advice: "give the stored version, or none")
    case .refusedChanges(let mode, _):
      self.init(
        .schema, mode == .sameVersion ? .schemaMismatch : .invalidSchemaChange, path: path, known,
        advice: mode == .sameVersion ? "give a higher schema version" : nil)
    }
  }

  /// Why a migration stopped.
  init(_ error: MigrationError, path: String) {
    switch error {
    case .wouldLoseData(let lost):
      self.init(
        .schema, .migrationFailed, path: path, "the migration would lose data, so nothing was changed",
        detail: lost.map(\.text).joined(separator: "; "), advice: "use --allow-data-loss, if that is meant")
    case .embedding(let obstacle, let analysis):
      let words = [analysis.countText, obstacle.olderText].compactMap { $0 }
      self.init(
        .schema, .migrationFailed, path: path, error.text, detail: words.joined(separator: "; older SDKs: "),
        advice: obstacle.advice)
    case .kindChange, .renamedPropertyMissing, .rename, .classIsLinkTarget:
      self.init(.schema, .illegalOperation, path: path, error.text)
    case .notPossible(let step, let reason):
      self.init(
        .schema, .migrationFailed, path: path, "class '\(step.className)' cannot be migrated (\(step.name))",
        detail: reason)
    case .duplicatePrimaryKey:
      self.init(
        .schema, .migrationFailed, path: path, error.text,
        advice: "make the values unique first, or use another property")
    }
  }
}

extension EmbeddingObstacle {
  fileprivate var advice: String? {
    switch self {
    case .orphans: "use --on-orphan delete to delete them"
    case .shared: "use --on-shared duplicate to give each link a copy of its own"
    case .mixedLink: nil
    }
  }
}

extension SchemaViolation {
  /// What to do about a schema that breaks rules.
  static func advice(for violations: [SchemaViolation]) -> String {
    if let type = violations.lazy.compactMap(\.typeMeant).first { return "did you mean '\(type)'?" }
    let asymmetric = violations.compactMap { violation in
      if case .asymmetricInLocalRealm(let name) = violation { "'\(name)'" } else { nil }
    }
    guard asymmetric.isEmpty else {
      let several = asymmetric.count > 1
      // The schema of a synced realm has them, and a copy of that realm as a local one does not need them.
      return "remove the \(several ? "classes" : "class") \(asymmetric.joined(separator: ", ")) from the schema; only "
        + "synced realms have asymmetric classes"
    }
    return "fix the schema"
  }

  /// The type that somebody meant who wrote one that is taken for a class there is not.
  fileprivate var typeMeant: String? {
    guard case .property(_, let property, .unknownTarget) = self, let target = property.targetClass else { return nil }
    let types = ["bool", "int", "float", "double", "string", "decimal128", "objectId", "data", "date", "uuid", "mixed"]
    return Similarity.nearest(to: target.description, among: types)
  }
}
