/// What a realm's top array leads to (Docs/Format/1-container.md §3.1).
public struct RealmRoots: Hashable, Sendable {
  public var tableNames: Ref
  public var tables: Ref
  /// Null where no history is written.
  public var history: Ref

  public init(tableNames: Ref, tables: Ref, history: Ref = .null) {
    self.tableNames = tableNames
    self.tables = tables
    self.history = history
  }
}
