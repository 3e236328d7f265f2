/// An order of texts that are decimals or dates: a collation of SQLite, with this name.
///
/// Texts that are neither have a place, too, so that every text can be compared with every other.
package enum SQLOrder: String, Sendable, CaseIterable {
  /// Numbers by value, NaN before all of them, and other texts after them.
  case decimal
  /// Dates by time; other texts where the beginning of a date would be.
  case date
}
