import RealmQuery
import RealmStorage

/// How a browser looks and behaves, as far as the one who starts it decides.
package struct BrowserOptions: Sendable {
  /// Says in words what is wrong with a damaged part: one clause, no full stop.
  package var describe: @Sendable (StorageError) -> String
  /// Writes a value as JSON, for the clipboard.
  package var writeJSON: JSONWriter
  /// The class whose objects are shown first; nil begins with the list of classes.
  package var initialClass: RealmString?
  /// Names that filters may use for what links to objects.
  package var inverses = InverseNames()
  /// What editing needs; nil where nothing is ever changed.
  package var editing: EditingOptions?
  /// Whether tables that are not classes are listed from the start.
  package var showsInternalTables = false

  /// A value as JSON, and the number of parts that are left out because they cannot be read.
  package typealias JSONWriter =
    @Sendable (_ value: ValueView, _ snapshot: Snapshot) throws -> (text: [UInt8], missingParts: Int)

  package init(describe: @escaping @Sendable (StorageError) -> String, writeJSON: @escaping JSONWriter) {
    self.describe = describe
    self.writeJSON = writeJSON
  }
}
