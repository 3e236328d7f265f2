/// What a realm's top array leads to (Docs/Format/1-container.md §3.1).
package struct RealmRoots: Hashable, Sendable {
  package var tableNames: Ref
  package var tables: Ref
  /// Null where no history is written.
  package var history: Ref

  package init(tableNames: Ref, tables: Ref, history: Ref = .null) {
    self.tableNames = tableNames
    self.tables = tables
    self.history = history
  }
}
