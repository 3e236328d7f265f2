/// What a migration may do to data that does not fit the new schema.
public struct MigrationPolicy: Hashable, Sendable {
  /// Whether values may be lost where no function takes them over: of properties that are removed, get another type or
  /// become required. **What is lost cannot be had back.** The SDKs never ask.
  public var allowsDataLoss: Bool
  /// For classes that become embedded.
  public var embedding: EmbeddingPolicy

  /// Nothing is lost and no class becomes embedded at a price, unless allowed.
  public init(allowsDataLoss: Bool = false, embedding: EmbeddingPolicy = .refuse) {
    (self.allowsDataLoss, self.embedding) = (allowsDataLoss, embedding)
  }

  /// As Realm Swift does.
  public static let automatic = MigrationPolicy(allowsDataLoss: true, embedding: .automatic)
}

/// What happens to objects that do not have exactly one incoming link when their class becomes embedded.
public struct EmbeddingPolicy: Hashable, Sendable {
  /// Objects that nothing links to are deleted; else they stop the migration. **Their data is lost.**
  public var deletesOrphans: Bool
  /// Objects with several links become one copy for each; else they stop the migration.
  public var duplicatesShared: Bool

  /// What becomes of objects without a parent, and of those with several.
  public init(deletesOrphans: Bool, duplicatesShared: Bool) {
    self.deletesOrphans = deletesOrphans
    self.duplicatesShared = duplicatesShared
  }

  /// As Realm Core does unless told otherwise.
  public static let refuse = EmbeddingPolicy(deletesOrphans: false, duplicatesShared: false)
  /// As Realm Swift does since 10.29.
  public static let automatic = EmbeddingPolicy(deletesOrphans: true, duplicatesShared: true)
}
