import ArgumentParser
import RealmStorage

/// What a migration may lose, and what becomes of objects that do not fit.
struct MigrationOptions: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "Go on where data is lost: values of properties that are removed, get another type or become required, and objects "
        + "without a parent whose class becomes embedded."))
  var allowDataLoss = false

  @Option(
    help: ArgumentHelp(
      "What becomes of objects without a parent when their class becomes embedded: fail, or delete. With "
        + "--allow-data-loss they are deleted unless this says fail.",
      valueName: "what"))
  var onOrphan: OrphanChoice?

  @Option(
    help: ArgumentHelp(
      "What becomes of objects with several parents when their class becomes embedded: fail, or duplicate.",
      valueName: "what"))
  var onShared = SharedChoice.fail

  var isGiven: Bool { allowDataLoss || onOrphan != nil || onShared != .fail }

  func policy() -> MigrationPolicy {
    MigrationPolicy(
      allowsDataLoss: allowDataLoss,
      embedding: EmbeddingPolicy(
        deletesOrphans: onOrphan.map { $0 == .delete } ?? allowDataLoss, duplicatesShared: onShared == .duplicate))
  }
}

/// What becomes of objects that nothing links to.
enum OrphanChoice: String, CaseIterable, ExpressibleByArgument, Sendable {
  case fail, delete
}

/// What becomes of objects that several others link to.
enum SharedChoice: String, CaseIterable, ExpressibleByArgument, Sendable {
  case fail, duplicate
}
