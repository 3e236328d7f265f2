import RealmStorage

/// How objects of other files are imported.
package struct ImportOptions: Hashable, Sendable {
  /// What happens to objects that the realm already has.
  package var mode = ImportMode.insert
  /// The property by which existing objects are found, in classes without a primary key or instead of it.
  package var matches: [RealmString: RealmString] = [:]
  /// The properties by which links find their targets, other than primary keys.
  package var lookups: [PropertyPath: PropertyPath] = [:]
  /// Whether objects that links name but that exist nowhere are created, with their primary key and default values.
  package var createsMissing = false
  /// How many rows may be left out because something is wrong with them.
  package var mostErrors = 0
  /// How values are read.
  package var data = DataOptions()
  /// Whether the command has an option that adds missing properties.
  package var canAddProperties = false
  /// Whether changes are written from time to time during the import, to limit the memory that it takes.
  package var spills = false
  /// Whether objects that wait for others must not be in a temporary file.
  package var keepsOffDisk = false
  /// Objects that wait for others before all of them are kept in a temporary file.
  package var mostWaitingInMemory = 10_000

  package init() {}

  /// Whether every object of a source becomes a new object, and none may be left out.
  package var isPlain: Bool {
    mode == .insert && matches.isEmpty && lookups.isEmpty && !createsMissing && mostErrors == 0
  }
}

/// What happens to an object that the realm already has.
package enum ImportMode: String, CaseIterable, Sendable {
  /// It is an error.
  case insert
  /// The values that the source has replace those in the realm.
  case upsert
  /// The same, and all other properties get their defaults.
  case replace
  /// It stays as it is.
  case skip
  /// It is deleted; objects that the realm does not have are ignored.
  case delete
}

/// What an import did with the objects of one class.
package struct ImportCounts: Hashable, Sendable {
  package var read = 0
  package var inserted = 0
  package var updated = 0
  package var unchanged = 0
  package var skipped = 0
  package var deleted = 0
  package var rejected = 0
  /// Objects that were created because links named them; they are not counted among those read.
  package var created = 0

  package init() {}

  /// Whether the realm has changed.
  package var changesAnything: Bool { inserted + updated + deleted + created > 0 }
}

/// What an import did.
package struct ImportReport: Sendable {
  /// By class name, for classes with source objects.
  package var counts: [(className: RealmString, counts: ImportCounts)] = []
  /// The first problems.
  package var problems: [ImportProblem] = []
  package var problemCount = 0
  /// The numbers of the sources that contain nothing.
  package var emptySources: [Int] = []
  /// Classes whose objects were to be deleted, and which nothing identifies.
  package var unidentified: [RealmString] = []
  /// By property, how many numbers of the sources have digits that its type does not keep.
  package var roundedCounts: [PropertyPath: Int] = [:]

  /// The number of problems that are kept.
  package static let mostProblems = 20

  package init() {}
}

/// Something in a source that cannot be imported.
package struct ImportProblem: Hashable, Sendable {
  /// The number of the source.
  package var source: Int
  /// The path of the file that belongs to the source, if the problem is there.
  package var file: String?
  /// From 1; 0 if the source has no lines.
  package var line: Int
  package var column: Int
  package var className: RealmString?
  package var property: RealmString?
  /// The object, by its key.
  package var object: String?
  /// The value as written in the source, if known.
  package var value: String?
  package var reason: String
  /// What to do about it, if there is more to say than what helps with all problems.
  package var advice: String?
  /// An option that could help.
  package var remedy: Remedy?

  package enum Remedy: Hashable, Sendable {
    case nameTheClass
    case createClasses
    case ignoreUnknown
    case updateExisting
    case matchByPrimaryKey
    case createTargets
    /// The rest of the source could not be read.
    case fixSyntax
  }
}
