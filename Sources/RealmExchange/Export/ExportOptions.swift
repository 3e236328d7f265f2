import RealmStorage

/// What an export shows, and how.
package struct ExportOptions: Sendable {
  package var format: ExportFormat
  /// The tables to write, in the order to write them.
  package var tables: [Table]
  /// The objects to write, in this order, if not all; the export then has only one table.
  package var keys: [ObjectKey]?
  /// One class was requested by name: its objects have no wrapper if the form allows it.
  package var isSingleClass = false
  package var links = LinkStyle.keys
  package var quotesBigIntegers = false
  /// Object keys of classes without a primary key.
  package var showsObjectKeys = true
  package var isPretty = false
  /// For the tabular formats: the table of the relational form that is written; nil for objects as they are, collections
  /// as JSON in one cell.
  package var relation: RelationalText?
  /// For the tabular formats: cells that a spreadsheet would take for a formula begin with an apostrophe.
  package var isSafeForSpreadsheets = false
  /// For the tabular formats without a relation: takes note of the values that `import` reads as others.
  package var changedValues: ChangedValues?
  package var threadCount = 1

  package init(format: ExportFormat, tables: [Table]) {
    (self.format, self.tables) = (format, tables)
  }

  /// The tables an export of the whole realm writes in `format`.
  ///
  /// The `core` forms write every table that is not embedded, in the order of the file; the others write the classes
  /// by name, and internal tables only when asked.
  package static func allTables(of snapshot: Snapshot, format: ExportFormat, includesInternal: Bool) -> [Table] {
    let tables = snapshot.tables.filter { $0.schema.kind != .embedded }
    if format.isCore { return tables }
    return tables.filter { includesInternal || $0.schema.isClass }.sorted {
      $0.schema.displayName < $1.schema.displayName
    }
  }
}
