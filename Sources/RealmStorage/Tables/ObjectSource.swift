/// Where the objects of a table are. This is where layouts meet.
enum ObjectSource: Sendable {
  /// Formats 10–24: a tree of clusters. Also a table whose upgrade to format 10 was interrupted, some of whose columns are
  /// still in rows (Docs/Format/4-file-versions.md §2.21).
  case clusters(TableTop)
  /// Formats 2–9: a tree for each column. An object is a row, and its key the number of the row. The first column says how
  /// many there are; without columns there are none (§2.15).
  case rows(RowColumn?)
}
