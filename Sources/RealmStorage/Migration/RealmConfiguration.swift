import RealmSystem

/// How a realm is to be opened: the SDKs' configuration, without sync.
///
/// There is no `maximumNumberOfActiveVersions`: a realm is changed only while no other process has it open, so there is
/// one version and no limit to exceed.
///
/// ```swift
/// var configuration = RealmConfiguration(path: "app.realm")
/// configuration.schema = model
/// configuration.schemaVersion = 2
/// configuration.migration = { migration in
///   try migration.renameProperty(ofClass: "Person", from: "age", to: "yearsSinceBirth")
/// }
/// ```
public struct RealmConfiguration: Sendable {
  /// The path of the realm (`fileURL`); empty for one that is only in memory.
  public var path: String
  /// Whether everything happens to a temporary copy in memory (`inMemoryIdentifier`). A file need not exist.
  public var isInMemory = false
  /// Opens an encrypted realm, and encrypts a new one.
  public var encryptionKey: EncryptionKey?
  /// Whether the file is neither locked nor changed (`readOnly`). It must then be of format 24.
  public var isReadOnly = false
  /// The schema that the caller expects. Without it the realm is opened with the schema it has, whatever its version
  /// (`dynamic`). Classes of the file that it does not have stay as they are (`objectTypes`).
  public var schema: Schema?
  /// For each table of `schema`, for each of its properties, the other name an app uses for it; may be shorter.
  public var aliases: [[RealmString?]] = []
  /// What existing objects get for properties that a migration adds; by default, as in the SDKs, the default of their
  /// type.
  package var defaults: [PropertyPath: Value] = [:]
  /// The version that `schema` has, up to 2^64 − 2; nil is 0, as in the SDKs.
  public var schemaVersion: UInt64?
  /// Whether nil as `schemaVersion` is the stored version instead.
  package var keepsStoredVersion = false
  /// Called at most once, if the stored version is lower than `schemaVersion` (`migrationBlock`).
  public var migration: MigrationFunction?
  /// Run first if the stored version is lower than its own. Cannot be used with `migration`.
  package var script: MigrationScript?
  /// Whether an empty realm replaces one that would need a migration. **All its data is lost.** For builds under
  /// development.
  public var deletesRealmIfMigrationNeeded = false
  /// Called when the file is opened, to decide whether to compact it first; gets all bytes and those in use.
  public var shouldCompactOnLaunch: (@Sendable (_ totalBytes: UInt64, _ usedBytes: UInt64) -> Bool)?
  /// The classes of `schema` that are wanted (`objectTypes`), which must not link to others. The others stay in the file as
  /// they are.
  public var classes = ClassSelection.all
  /// Copied to `path` first, if nothing is there.
  public var seedPath: String?
  /// Whether a missing file is created, empty.
  public var createsMissingFile = true
  /// Whether a file of an older format is converted to format 24 (the inverse of `disableFormatUpgrade`).
  public var allowsFormatUpgrade = false
  /// What a migration may do to data that does not fit.
  public var policy = MigrationPolicy()

  /// A realm to be opened with the schema it has.
  public init(path: String) { self.path = path }

  /// What is opened if no configuration is named: until an app sets it, `default.realm` in the current folder with the schema
  /// it has. Any thread may use it.
  public static var `default`: RealmConfiguration {
    get { shared.withLock { $0 } }
    set { shared.withLock { $0 = newValue } }
  }

  private static let shared = Locked(RealmConfiguration(path: "default.realm"))

  /// The version to arrive at; nil for that of the file, or of the script.
  var requestedVersion: UInt64? {
    schemaVersion ?? (schema == nil || script != nil || keepsStoredVersion ? nil : 0)
  }

  /// The value that means "no version" in a file.
  public static let notVersioned = UInt64.max
}

/// Moves values from a realm's old schema to its new one.
///
/// - Throws: anything; then the realm stays as it was.
public typealias MigrationFunction = @Sendable (borrowing Migration) throws -> Void

// MARK: - Exclusions

/// Options that cannot be used together, or have no effect. Texts known from the SDKs are word for word.
package enum ConfigurationError: Error, Hashable, Sendable {
  case emptyPath
  /// The version asked for is the value that means "no version".
  case reservedSchemaVersion
  case readOnlyWithDeletion
  case readOnlyWithCompaction
  case readOnlyWithMigration
  case inMemoryWithSeed
  /// A realm without a file has nothing to decrypt.
  case inMemoryWithKey
  /// Only a schema has a version, can be migrated to, and can make a migration necessary.
  case versionWithoutSchema
  case migrationWithoutSchema
  case deletionWithoutSchema
  /// Classes that are wanted link to classes that are not.
  case classSubset([MissingLinkTarget])
}

extension ConfigurationError {
  /// The text of the SDKs, if they have one.
  package var description: String {
    switch self {
    case .emptyPath: "Realm path must not be empty"
    case .reservedSchemaVersion:
      "Cannot set schema version to \(RealmConfiguration.notVersioned) (RLMNotVersioned)"
    case .readOnlyWithDeletion: "Cannot set `readOnly` when `deleteRealmIfMigrationNeeded` is set."
    case .readOnlyWithCompaction: "Cannot set `readOnly` when `shouldCompactOnLaunch` is set."
    case .readOnlyWithMigration: "Realms opened in immutable mode do not use a migration function"
    case .inMemoryWithSeed: "A realm in memory cannot have a seed file"
    case .inMemoryWithKey: "Encryption is not supported for in-memory realms"
    case .versionWithoutSchema: "Cannot set `schemaVersion` without a schema."
    case .migrationWithoutSchema: "Cannot set `migrationBlock` without a schema."
    case .deletionWithoutSchema: "Cannot set `deleteRealmIfMigrationNeeded` without a schema."
    case .classSubset(let missing): "Invalid class subset list:" + missing.map { "\n- \($0)" }.joined()
    }
  }
}

extension RealmConfiguration {
  /// Finds options that cannot be used together, as the SDKs do.
  package func validate() throws(ConfigurationError) {
    if path.isEmpty, !isInMemory { throw .emptyPath }
    if schemaVersion == Self.notVersioned { throw .reservedSchemaVersion }
    if isReadOnly {
      if deletesRealmIfMigrationNeeded { throw .readOnlyWithDeletion }
      if shouldCompactOnLaunch != nil { throw .readOnlyWithCompaction }
      if migration != nil || script != nil { throw .readOnlyWithMigration }
    }
    if isInMemory, seedPath != nil { throw .inMemoryWithSeed }
    if isInMemory, path.isEmpty, encryptionKey != nil { throw .inMemoryWithKey }
    if schema == nil {
      if schemaVersion != nil { throw .versionWithoutSchema }
      if migration != nil { throw .migrationWithoutSchema }
      if deletesRealmIfMigrationNeeded { throw .deletionWithoutSchema }
    }
    _ = try targetSchema()
  }

  /// The part of `schema` that is wanted; nil if the realm is opened with the schema it has.
  package func targetSchema() throws(ConfigurationError) -> Schema? {
    guard let schema else { return nil }
    return classes == .all ? schema : try classes.part(of: schema)
  }
}
