import RealmStorage
import Testing

@Suite("Options of a configuration") struct RealmConfigurationTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let id: String
    var path = "app.realm"
    let set: @Sendable (inout RealmConfiguration) -> Void
    let text: String?
    var testDescription: String { id }
  }

  static let model = Schema(tables: [TableSchema(name: "class_Dog", properties: [Property(name: "age", type: .int)])])

  private static let key = try? [UInt8](repeating: 1, count: 64).withUnsafeBytes { try EncryptionKey(rawBytes: $0) }

  static let rows: [Row] = [
    Row(id: "nothing", set: { _ in }, text: nil),
    Row(id: "no path", path: "", set: { _ in }, text: "Realm path must not be empty"),
    Row(id: "no path, in memory", path: "", set: { $0.isInMemory = true }, text: nil),
    Row(
      id: "the version that means none",
      set: { ($0.schema, $0.schemaVersion) = (model, .max) },
      text: "Cannot set schema version to 18446744073709551615 (RLMNotVersioned)"),
    Row(
      id: "read-only and delete",
      set: { ($0.schema, $0.isReadOnly, $0.deletesRealmIfMigrationNeeded) = (model, true, true) },
      text: "Cannot set `readOnly` when `deleteRealmIfMigrationNeeded` is set."),
    Row(
      id: "read-only and compact",
      set: {
        $0.isReadOnly = true
        $0.shouldCompactOnLaunch = { $0 > $1 }
      }, text: "Cannot set `readOnly` when `shouldCompactOnLaunch` is set."),
    Row(
      id: "read-only and migration",
      set: {
        ($0.schema, $0.isReadOnly) = (model, true)
        $0.migration = { _ in }
      }, text: "Realms opened in immutable mode do not use a migration function"),
    Row(
      id: "in memory and seed",
      set: { ($0.isInMemory, $0.seedPath) = (true, "seed.realm") },
      text: "A realm in memory cannot have a seed file"),
    Row(
      id: "in memory and in no file, with a key", path: "",
      set: { ($0.isInMemory, $0.encryptionKey) = (true, Self.key) },
      text: "Encryption is not supported for in-memory realms"),
    Row(
      id: "a file with a key in memory",
      set: { ($0.isInMemory, $0.encryptionKey) = (true, Self.key) }, text: nil),
    Row(
      id: "version without schema", set: { $0.schemaVersion = 1 },
      text: "Cannot set `schemaVersion` without a schema."),
    Row(
      id: "migration without schema", set: { $0.migration = { _ in } },
      text: "Cannot set `migrationBlock` without a schema."),
    Row(
      id: "delete without schema", set: { $0.deletesRealmIfMigrationNeeded = true },
      text: "Cannot set `deleteRealmIfMigrationNeeded` without a schema."),
    Row(
      id: "everything that goes together",
      set: {
        ($0.schema, $0.schemaVersion, $0.seedPath) = (model, 3, "seed.realm")
        $0.deletesRealmIfMigrationNeeded = true
        $0.shouldCompactOnLaunch = { $0 > $1 }
      }, text: nil),
  ]

  @Test("exclude each other as in the SDKs", arguments: rows)
  func exclusions(_ row: Row) {
    var configuration = RealmConfiguration(path: row.path)
    row.set(&configuration)
    do throws(ConfigurationError) {
      try configuration.validate()
      #expect(row.text == nil)
    } catch {
      #expect(error.description == row.text)
    }
  }

  // MARK: Classes

  static let zoo = Schema(tables: [
    TableSchema(
      name: "class_Person",
      properties: [
        Property(name: "back", type: .linkingObjects, target: "class_Dog", originProperty: "owner"),
        Property(name: "id", type: .int),
        Property(name: "address", type: .object, isOptional: true, target: "class_Address"),
      ], primaryKeyIndex: 1),
    TableSchema(
      name: "class_Dog",
      properties: [Property(name: "owner", type: .object, isOptional: true, target: "class_Person")]),
    TableSchema(
      name: "class_Address", kind: .embedded,
      properties: [Property(name: "place", type: .object, isOptional: true, target: "class_Place")]),
    TableSchema(name: "class_Place", kind: .embedded, properties: [Property(name: "x", type: .double)]),
  ])

  @Test("a class takes along the embedded classes it needs, and leaves inverses from others out")
  func embeddedClassesComeAlong() throws {
    let part = try ClassSelection.only(["Person"]).part(of: Self.zoo)
    #expect(part.tables.map(\.displayName) == ["Person", "Address", "Place"])
    #expect(part.tables.first?.properties.map(\.name) == ["id", "address"])
    #expect(part.tables.first?.primaryKey?.name == "id")
  }

  @Test("classes that are left out leave the others whole")
  func exclusion() throws {
    let part = try ClassSelection.except(["Dog"]).part(of: Self.zoo)
    #expect(part.tables.map(\.displayName) == ["Person", "Address", "Place"])
  }

  @Test(
    "a link to a class that is left out is an error",
    arguments: [
      (ClassSelection.only(["Dog"]), "'Dog.owner' links to class 'Person'"),
      (.except(["Person"]), "'Dog.owner' links to class 'Person'"),
      (.except(["Place"]), "'Address.place' links to class 'Place'"),
    ])
  func missingTarget(subset: ClassSelection, link: String) {
    var configuration = RealmConfiguration(path: "app.realm")
    configuration.schema = Self.zoo
    configuration.classes = subset
    let error = #expect(throws: ConfigurationError.self) { try configuration.validate() }
    #expect(
      error?.description
        == "Invalid class subset list:\n- \(link), which is missing from the list of classes managed by"
        + " the Realm")
  }
}
