import ArgumentParser
import RealmStorage

/// What a migration may lose, and what to do with objects that do not fit.
struct MigrationOptions: ParsableArguments {
  @Flag(help: "Migrate even if values or objects are lost.")
  var allowDataLoss = false

  @Option(
    help: ArgumentHelp(
      "What to do with parentless objects when embedding a class.",
      discussion: "Default: fail, or delete with --allow-data-loss.", valueName: "action"))
  var onOrphan: OrphanChoice?

  @Option(
    help: ArgumentHelp("What to do with shared objects when embedding a class.", valueName: "action"))
  var onShared = SharedChoice.fail

  func policy() -> MigrationPolicy {
    MigrationPolicy(
      allowsDataLoss: allowDataLoss,
      embedding: EmbeddingPolicy(
        deletesOrphans: onOrphan.map { $0 == .delete } ?? allowDataLoss, duplicatesShared: onShared == .duplicate))
  }
}

/// What to do with objects that nothing links to.
enum OrphanChoice: String, CaseIterable, ExpressibleByArgument, Sendable {
  case fail, delete
}

/// What to do with objects that several others link to.
enum SharedChoice: String, CaseIterable, ExpressibleByArgument, Sendable {
  case fail, duplicate
}
