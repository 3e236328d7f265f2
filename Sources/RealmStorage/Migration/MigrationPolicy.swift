/// What a migration may do to data that does not fit the new schema.
public struct MigrationPolicy: Hashable, Sendable {
  /// Whether values may be lost that no function saves: of properties that are removed, get another type or become
  /// required. **What is lost cannot be recovered.** The SDKs never ask.
  public var allowsDataLoss: Bool
  /// For classes that become embedded.
  public var embedding: EmbeddingPolicy

  /// Nothing is lost, and no class becomes embedded at the cost of objects, unless allowed.
  public init(allowsDataLoss: Bool = false, embedding: EmbeddingPolicy = .refuse) {
    (self.allowsDataLoss, self.embedding) = (allowsDataLoss, embedding)
  }

  /// As Realm Swift does.
  public static let automatic = MigrationPolicy(allowsDataLoss: true, embedding: .automatic)
}

/// What happens to objects that do not have exactly one incoming link when their class becomes embedded.
public struct EmbeddingPolicy: Hashable, Sendable {
  /// Objects that nothing links to are deleted; otherwise they stop the migration. **Their data is lost.**
  public var deletesOrphans: Bool
  /// Objects with several links are replaced by one copy for each; otherwise they stop the migration.
  public var duplicatesShared: Bool

  /// What to do with objects without a parent, and with those with several.
  public init(deletesOrphans: Bool, duplicatesShared: Bool) {
    self.deletesOrphans = deletesOrphans
    self.duplicatesShared = duplicatesShared
  }

  /// As Realm Core does unless told otherwise.
  public static let refuse = EmbeddingPolicy(deletesOrphans: false, duplicatesShared: false)
  /// As Realm Swift does since 10.29.
  public static let automatic = EmbeddingPolicy(deletesOrphans: true, duplicatesShared: true)
}
