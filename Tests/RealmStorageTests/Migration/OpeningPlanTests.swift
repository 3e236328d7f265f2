import RealmStorage
import Testing

@Suite("What opening a realm does") struct OpeningPlanTests {
  // MARK: Files

  static func dog(_ properties: [Property] = [age], kind: TableKind = .topLevel, key: Int? = nil) -> TableSchema {
    TableSchema(name: "class_Dog", kind: kind, properties: properties, primaryKeyIndex: key)
  }

  static let age = Property(name: "age", type: .int)
  static let name = Property(name: "name", type: .string)
  static let cat = TableSchema(name: "class_Cat", properties: [age])

  static func realm(
    version: UInt64? = 1, format: UInt8 = 24, history: HistoryKind = .inRealm, _ tables: [TableSchema] = [dog()]
  ) -> RealmFacts {
    .realm(format: format, history: history, schema: Schema(tables: tables, version: version))
  }

  /// Events by name, without what they carry.
  static func names(_ events: [OpeningEvent]) -> [String] {
    events.map { event in
      switch event {
      case .copySeed: "copy seed"
      case .create: "create"
      case .backUp(let format): "back up \(format)"
      case .upgradeFormat(let format): "upgrade \(format)"
      case .compactIfWanted: "compact?"
      case .editObjects: "edit"
      case .deleteAndCreate: "delete"
      case .createSchema(let version, let difference): "schema \(version) \(difference.changes.count)"
      case .change(_, let difference): "change \(difference.changes.count)"
      case .migrate(let old, let new, let difference, let callsFunction):
        "migrate \(old)-\(new) \(difference.changes.count)" + (callsFunction ? " function" : "")
      }
    }
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let id: String
    var file = realm()
    var seed = RealmFacts.missing
    /// The requested schema; nil if there is none.
    var target: [TableSchema]?
    var version: UInt64?
    var set: @Sendable (inout RealmConfiguration) -> Void = { _ in }
    var events: [String] = []
    var error: String?
    var testDescription: String { id }

    func check() throws {
      var configuration = RealmConfiguration(path: "app.realm")
      configuration.schema = target.map { Schema(tables: $0) }
      configuration.schemaVersion = version
      set(&configuration)
      do {
        let plan = try OpeningPlan(configuration, file: file, seed: seed)
        #expect(names(plan.events) == events)
        #expect(error == nil)
        #expect(plan.changesFile == events.contains { $0 != "compact?" })
      } catch let error as OpeningError {
        #expect(error.text(path: "app.realm") == self.error)
      } catch let error as ConfigurationError {
        #expect(error.description == self.error)
      }
    }
  }

  // MARK: Backups

  @Test(arguments: [(true, true, false), (true, false, false), (false, true, true)])
  func `an upgrade reports a backup where one is made, and nowhere else`(
    keepsBackup: Bool, isThere: Bool, isInMemory: Bool
  ) throws {
    var configuration = RealmConfiguration(path: "app.realm")
    configuration.allowsFormatUpgrade = true
    configuration.isInMemory = isInMemory
    if !isThere { configuration.seedPath = "seed.realm" }
    let old = Self.realm(format: 9)
    for choice in [keepsBackup, false] {
      let plan = try OpeningPlan(
        configuration, file: isThere ? old : .missing, seed: isThere ? .missing : old, keepsBackup: choice)
      let upgrade = choice && isThere && !isInMemory ? ["back up 9", "upgrade 9"] : ["upgrade 9"]
      #expect(Self.names(plan.events) == (isThere ? [] : ["copy seed"]) + upgrade)
    }
  }

  // MARK: Files that are there, and not

  static let noFile = "Failed to open Realm file at path 'app.realm': No such file or directory"

  static let fileRows: [Row] = [
    Row(id: "no schema", events: []),
    Row(id: "no file", file: .missing, target: [dog()], events: ["create", "schema 0 2"]),
    Row(id: "no file, no schema", file: .missing, events: ["create"]),
    Row(id: "no file, and none to be made", file: .missing, set: { $0.createsMissingFile = false }, error: noFile),
    Row(
      id: "no file, in memory", file: .missing,
      set: { ($0.createsMissingFile, $0.isInMemory) = (false, true) }, events: ["create"]),
    Row(id: "no file, read-only", file: .missing, set: { $0.isReadOnly = true }, error: noFile),
    Row(id: "no byte", file: .empty, target: [dog()], version: 5, events: ["create", "schema 5 2"]),
    Row(
      id: "no byte, read-only", file: .empty, set: { $0.isReadOnly = true },
      error: "Failed to open Realm file at path 'app.realm': Read-only access to empty Realm file"),
    Row(
      id: "seed, no file", file: .missing, seed: realm(version: 3), target: [dog()], version: 4,
      set: { $0.seedPath = "seed.realm" }, events: ["copy seed", "migrate 3-4 0"]),
    Row(
      id: "seed of an older format", file: .missing, seed: realm(format: 20), target: [dog()],
      version: 1, set: { ($0.seedPath, $0.allowsFormatUpgrade) = ("seed.realm", true) },
      events: ["copy seed", "upgrade 20"]),
    Row(id: "seed and file", seed: realm(version: 3), set: { $0.seedPath = "seed.realm" }, events: []),
    Row(id: "seed that is not there, and file", set: { $0.seedPath = "seed.realm" }, events: []),
    Row(id: "neither seed nor file", file: .missing, set: { $0.seedPath = "seed.realm" }, error: noFile),
    Row(
      id: "seed, read-only", file: .missing, seed: realm(),
      set: { ($0.seedPath, $0.isReadOnly) = ("seed.realm", true) }, events: ["copy seed"]),
  ]

  // MARK: Formats and histories

  static let synced =
    "Realm file at path 'app.realm' has history type 'SyncClient', but is being opened in local history mode. "
    + "Synchronized Realms cannot be opened in non-sync mode, and vice versa."
  static let readOnly20 =
    "Realm file at path 'app.realm' cannot be opened in read-only mode because it has a file format version (20) which "
    + "requires an upgrade"

  static let formatRows: [Row] = [
    Row(id: "format 20", file: realm(format: 20), error: "Database upgrade required but prohibited."),
    Row(
      id: "format 20, allowed", file: realm(format: 20), set: { $0.allowsFormatUpgrade = true },
      events: ["back up 20", "upgrade 20"]),
    Row(
      id: "format 9, allowed", file: realm(format: 9), set: { $0.allowsFormatUpgrade = true },
      events: ["back up 9", "upgrade 9"]),
    Row(id: "format 20, read-only", file: realm(format: 20), set: { $0.isReadOnly = true }, error: readOnly20),
    Row(id: "format 0", file: realm(version: nil, format: 0, []), target: [dog()], events: ["schema 0 2"]),
    // Realm Core 14.14.0 (`Group::read_only_version_check`) opens a file of format 0 without a root.
    Row(
      id: "format 0, read-only", file: realm(version: nil, format: 0, []), set: { $0.isReadOnly = true }, events: []),
    Row(
      id: "format 0, read-only, with a schema", file: realm(version: nil, format: 0, []), target: [dog()], version: 0,
      set: { $0.isReadOnly = true },
      error: "Provided schema version 0 does not equal last set version 18446744073709551615."),
    Row(
      id: "upgrade, then compaction, then migration", file: realm(format: 10), target: [dog([age, name])], version: 2,
      set: {
        $0.allowsFormatUpgrade = true
        $0.shouldCompactOnLaunch = { $0 > $1 }
      }, events: ["back up 10", "upgrade 10", "compact?", "migrate 1-2 1"]),
    Row(id: "compaction only", set: { $0.shouldCompactOnLaunch = { $0 > $1 } }, events: ["compact?"]),
    Row(id: "synced", file: realm(history: .syncClient), error: synced),
    Row(id: "synced, read-only", file: realm(history: .syncClient), set: { $0.isReadOnly = true }, events: []),
    Row(
      id: "the format is told before the history", file: realm(format: 30, history: .syncClient),
      error: "Database has an unsupported version (30) and cannot be upgraded"),
    Row(id: "the history is told before the upgrade", file: realm(format: 20, history: .syncClient), error: synced),
    Row(
      id: "the upgrade is told before the schema", file: realm(format: 20), target: [dog([])], version: 0,
      error: "Database upgrade required but prohibited."),
  ]

  // MARK: Schemas

  static let added = "Migration is required due to the following errors:\n- Property 'Dog.name' has been added."

  static let schemaRows: [Row] = [
    Row(id: "the same", target: [dog()], version: 1, events: []),
    Row(
      id: "the same, no version given", target: [dog()],
      error: "Provided schema version 0 is less than last set version 1."),
    Row(id: "the same, no version given, and 0", file: realm(version: 0), target: [dog()], events: []),
    Row(id: "the same, the stored version", target: [dog()], set: { $0.keepsStoredVersion = true }, events: []),
    Row(id: "new class", target: [dog(), cat], version: 1, events: ["change 2"]),
    Row(id: "class that only the file has", file: realm([dog(), cat]), target: [dog()], version: 1, events: []),
    Row(
      id: "class subset", file: realm([dog(), cat]), target: [dog([age, name]), cat], version: 1,
      set: { $0.classes = .only(["Cat"]) }, events: []),
    Row(
      id: "index",
      target: [dog([Property(name: "age", type: .int, index: .general)])], version: 1, events: ["change 1"]),
    Row(id: "new property", target: [dog([age, name])], version: 1, error: added),
    Row(
      id: "new property, no version given", file: realm(version: 0), target: [dog([age, name])], error: added),
    Row(id: "higher version", target: [dog([age, name])], version: 2, events: ["migrate 1-2 1"]),
    Row(id: "higher version, same schema", target: [dog()], version: 9, events: ["migrate 1-9 0"]),
    Row(
      id: "higher version, function", target: [dog()], version: 9, set: { $0.migration = { _ in } },
      events: ["migrate 1-9 0 function"]),
    Row(
      id: "lower version", file: realm(version: 7), target: [dog()], version: 6,
      error: "Provided schema version 6 is less than last set version 7."),
    Row(
      id: "no version in the file", file: realm(version: nil, []), target: [dog()], version: 6,
      set: { $0.migration = { _ in } }, events: ["schema 6 2"]),
    Row(
      id: "no version in the file, version not given", file: realm(version: nil), target: [dog()],
      events: ["schema 0 0"]),
    Row(
      id: "schema that is none", target: [dog(key: 0, [Property(name: "age", type: .double)])], version: 2,
      error:
        "Schema validation failed due to the following errors:\n- Property 'Dog.age' of type 'double' cannot be made "
        + "the primary key."),
    Row(
      id: "read-only, other version", target: [dog()], version: 2, set: { $0.isReadOnly = true },
      error: "Provided schema version 2 does not equal last set version 1."),
    Row(
      id: "read-only, new class, property only in the file, other kind",
      file: realm([dog([age, name], kind: .embedded)]),
      target: [dog(), cat], version: 1, set: { $0.isReadOnly = true }, events: []),
    Row(
      id: "read-only, new property", target: [dog([age, name])], version: 1, set: { $0.isReadOnly = true },
      error: "The following changes cannot be made in read-only schema mode:\n- Property 'Dog.name' has been added."),
  ]

  private static func dog(key: Int, _ properties: [Property]) -> TableSchema { dog(properties, key: key) }

  // MARK: deleteRealmIfMigrationNeeded

  static let deletes: @Sendable (inout RealmConfiguration) -> Void = { $0.deletesRealmIfMigrationNeeded = true }

  static let upgradesOrDeletes: @Sendable (inout RealmConfiguration) -> Void = {
    ($0.deletesRealmIfMigrationNeeded, $0.allowsFormatUpgrade) = (true, true)
  }

  static let deletionRows: [Row] = [
    Row(id: "same", target: [dog()], version: 1, set: deletes, events: []),
    Row(id: "class added", target: [dog(), cat], version: 1, set: deletes, events: ["change 2"]),
    Row(id: "subset", file: realm([dog(), cat]), target: [dog()], version: 1, set: deletes, events: []),
    Row(
      id: "property added", target: [dog([age, name])], version: 1, set: deletes, events: ["delete", "schema 1 2"]),
    Row(id: "higher version", target: [dog()], version: 2, set: deletes, events: ["delete", "schema 2 2"]),
    Row(
      id: "lower version", file: realm(version: 5), target: [dog()], version: 2, set: deletes,
      events: ["delete", "schema 2 2"]),
    Row(
      id: "older format", file: realm(format: 20), target: [dog()], version: 1, set: deletes,
      events: ["delete", "schema 1 2"]),
    Row(
      id: "format without upgrade", file: realm(format: 2), target: [dog()], version: 1, set: deletes,
      events: ["delete", "schema 1 2"]),
    // Realm Core 14.14.0 (`DB::open`) looks at the history before it asks for an upgrade, and is then not deleted.
    Row(
      id: "older format, synced", file: realm(format: 20, history: .syncClient), target: [dog()], version: 1,
      set: deletes, error: synced),
    Row(
      id: "older format, upgrade allowed", file: realm(format: 20), target: [dog()], version: 1, set: upgradesOrDeletes,
      events: ["back up 20", "upgrade 20"]),
    Row(
      id: "older format, upgrade allowed, higher version", file: realm(format: 20), target: [dog()], version: 2,
      set: upgradesOrDeletes, events: ["delete", "schema 2 2"]),
    Row(
      id: "unknown format, upgrade allowed", file: realm(format: 30), target: [dog()], version: 1,
      set: upgradesOrDeletes, error: "Database has an unsupported version (30) and cannot be upgraded"),
    Row(
      id: "nothing is compacted that goes", target: [dog()], version: 2,
      set: {
        $0.deletesRealmIfMigrationNeeded = true
        $0.shouldCompactOnLaunch = { $0 > $1 }
      }, events: ["delete", "schema 2 2"]),
    Row(
      id: "no script is run", target: [dog()], version: 2,
      set: {
        $0.deletesRealmIfMigrationNeeded = true
        $0.script = MigrationScript(arrival: { _ in 2 }, spills: { _ in false }, run: { _ in .init() })
      }, events: ["delete", "schema 2 2"]),
    Row(
      id: "nor one of an earlier version", file: realm(version: 5), target: [dog()], version: 2,
      set: {
        $0.deletesRealmIfMigrationNeeded = true
        $0.script = MigrationScript(
          arrival: { _ in throw OpeningError.versionDecreased(to: 2, from: 5) }, spills: { _ in false },
          run: { _ in .init() })
      }, events: ["delete", "schema 2 2"]),
    Row(id: "no file", file: .missing, target: [dog()], version: 2, set: deletes, events: ["create", "schema 2 2"]),
  ]

  @Test("with a file, without one, with a seed", arguments: fileRows)
  func files(_ row: Row) throws { try row.check() }

  @Test("by file format and history", arguments: formatRows)
  func formats(_ row: Row) throws { try row.check() }

  @Test("by schema and version", arguments: schemaRows)
  func schemas(_ row: Row) throws { try row.check() }

  @Test("where the realm may be deleted", arguments: deletionRows)
  func deletion(_ row: Row) throws { try row.check() }
}
