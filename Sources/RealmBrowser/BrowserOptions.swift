import RealmQuery
import RealmStorage

/// How a browser looks and behaves, as far as its caller decides.
package struct BrowserOptions: Sendable {
  /// Describes a damaged part: one clause, no full stop.
  package var describe: @Sendable (StorageError) -> String
  /// Writes a value as JSON, for the clipboard.
  package var writeJSON: JSONWriter
  /// Writes objects to a file or as lines, as `export` does; nil if nothing can be written.
  package var write: Writer?
  /// Takes copies that are too long for the terminal.
  package var clipboard: @Sendable ([UInt8]) throws -> String = { try SystemClipboard().take($0) }
  /// The command line that opens the realm, quoted for a shell: `query`, the file, and the options that it needs.
  package var queryCommand: (@Sendable (_ arguments: [String]) -> String)?
  /// The class whose objects are shown first; nil begins with the list of classes.
  package var initialClass: RealmString?
  /// Names that filters may use for the inverses of links.
  package var inverses = InverseNames()
  /// What editing needs; nil if nothing can be changed.
  package var editing: EditingOptions?
  /// Opens another file; nil if no other can be opened.
  package var openFile: FileOpener?
  /// Compares two realms; nil if nothing can be compared.
  package var compare: Comparer?
  /// Lists the snapshots in the file, newest first; nil if that is impossible.
  package var listSnapshots: SnapshotLister?
  /// Where settings are stored; nil if they are not.
  package var settings: Settings?
  /// Whether the mouse is on from the start.
  package var hasMouse = false
  /// Whether tables that are not classes are listed from the start.
  package var showsInternalTables = false

  /// A value as JSON, and the number of parts that are left out because they cannot be read.
  package typealias JSONWriter =
    @Sendable (_ value: ValueView, _ snapshot: Snapshot) throws -> (text: [UInt8], missingParts: Int)

  /// - Parameters:
  ///   - realm: the realm that is shown.
  ///   - progress: gets the number of objects that are complete.
  /// - Throws: `BrowserProblem`, `TaskProgress.Stopped`.
  package typealias Writer =
    @Sendable (_ realm: BrowsedRealm, _ objects: ShownObjects, _ target: WriteTarget, _ progress: TaskProgress) throws
    -> Written

  /// A file that was opened, and how it is browsed.
  package struct OpenedFile: Sendable {
    package let realm: BrowsedRealm
    package let options: BrowserOptions

    package init(realm: BrowsedRealm, options: BrowserOptions) { (self.realm, self.options) = (realm, options) }
  }

  /// - Throws: `BrowserProblem`, `StorageError`, `TaskProgress.Stopped`.
  package typealias SnapshotLister =
    @Sendable (_ realm: BrowsedRealm, _ progress: TaskProgress) throws -> [ListedSnapshot]

  /// - Parameter asksForKey: whether the user may be asked on the terminal.
  /// - Throws: `BrowserProblem`: `needsKey` if the user must not be asked.
  package typealias FileOpener = @Sendable (_ path: String, _ asksForKey: Bool) throws -> OpenedFile

  /// - Throws: `BrowserProblem`, `TaskProgress.Stopped`.
  package typealias Comparer =
    @Sendable (_ old: BrowsedRealm, _ new: BrowsedRealm, _ progress: TaskProgress) throws -> RealmChanges

  /// A file of settings: commands, one per line.
  package struct Settings: Sendable {
    /// Its name in messages.
    package let path: String
    /// Its content; empty if it does not exist.
    package let text: String
    /// Replaces its content.
    ///
    /// - Throws: `BrowserProblem`.
    package let save: @Sendable (String) throws -> Void

    package init(path: String, text: String, save: @escaping @Sendable (String) throws -> Void) {
      (self.path, self.text, self.save) = (path, text, save)
    }
  }

  package init(describe: @escaping @Sendable (StorageError) -> String, writeJSON: @escaping JSONWriter) {
    self.describe = describe
    self.writeJSON = writeJSON
  }
}
