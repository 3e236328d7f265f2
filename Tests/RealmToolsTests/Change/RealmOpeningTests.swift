import RealmInspection
import RealmStorage
import RealmTools
import TestSupport
import Testing

/// Opening a realm with a configuration.
@Suite struct RealmOpeningTests {
  private static let model = Schema(tables: [
    TableSchema(
      name: "class_Dog",
      properties: [Property(name: "name", type: .string), Property(name: "born", type: .date, isOptional: true)])
  ])

  private static func configuration(_ path: String, version: UInt64 = 1) -> RealmConfiguration {
    var configuration = RealmConfiguration(path: path)
    (configuration.schema, configuration.schemaVersion) = (model, version)
    return configuration
  }

  private static func error(_ body: () throws(RealmError) -> Realm) -> RealmError? {
    do throws(RealmError) { _ = try body() } catch { return error }
    return nil
  }

  private static func requireSound(_ path: String) throws {
    let summary = try Realm.check(path)
    #expect(summary.errors == 0 && summary.warnings == 0)
  }

  @Test func `a realm that is not there is made, and opened again as it is`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("app.realm")
    let realm = try await Realm.open(Self.configuration(path))
    #expect(realm.classes.map(\.name) == ["Dog"])
    #expect(realm.schema.version == 1)
    let bytes = try Fixture.bytes(ofFile: path)
    let again = try await Realm.open(Self.configuration(path))
    #expect(again.classes.map(\.name) == ["Dog"])
    #expect(try Fixture.bytes(ofFile: path) == bytes)
    try Self.requireSound(path)
  }

  @Test func `a migration in memory leaves the file alone`() throws {
    try leavingUntouched(Fixture.path("engine/dogs.realm")) { path in
      let old = try Realm.open(at: path)
      var configuration = Self.configuration(path, version: 99)
      configuration.isInMemory = true
      configuration.policy.allowsDataLoss = true
      let realm = try Realm.open(configuration)
      #expect(realm.schema.version == 99)
      #expect(try realm.objects("Dog").schema.property(named: "born") != nil)
      #expect(try realm.objects("Dog").count() == old.objects("Dog").count())
    }
  }

  @Test func `a realm in memory needs no file, and has no key`() throws {
    var configuration = Self.configuration("")
    configuration.isInMemory = true
    let realm = try Realm.open(configuration)
    #expect(realm.classes.map(\.name) == ["Dog"])
    #expect(realm.schema.version == 1)
    configuration.encryptionKey = try Fixture.engineKey.withUnsafeBytes { try EncryptionKey(rawBytes: $0) }
    #expect(Self.error { () throws(RealmError) in try Realm.open(configuration) }?.kind == .schema)
  }

  @Test(arguments: [("synced", RealmError.Kind.change), ("all-types-encrypted", .key)])
  func `what is wrong with a seed names the seed`(fixture: String, kind: RealmError.Kind) throws {
    let folder = try TemporaryFolder()
    let seed = try folder.write("seed.realm", Fixture.bytes("engine/\(fixture).realm"))
    var configuration = RealmConfiguration(path: folder.path("app.realm"))
    configuration.seedPath = seed
    let error = try #require(Self.error { () throws(RealmError) in try Realm.open(configuration) })
    #expect(error.kind == kind)
    guard case .seed(seed, _)? = error.cause as? LaunchError else {
      Issue.record("\(error)")
      return
    }
    #expect(error.description.contains("the seed \(seed): "))
    #expect(try folder.names() == ["seed.realm"])
  }

  @Test func `a migration function gives the values of a seed another type`() throws {
    let folder = try TemporaryFolder()
    let seed = try folder.write("seed.realm", Fixture.bytes("engine/person-v1.realm"))
    let before = try Fixture.bytes(ofFile: seed)
    var schema = Schema(tables: try Realm.open(at: seed).classes.map(\.schema))
    let index = try #require(schema.tables[0].properties.firstIndex { $0.name == "age" })
    schema.tables[0].properties[index].type = .string
    var configuration = RealmConfiguration(path: folder.path("app.realm"))
    (configuration.schema, configuration.schemaVersion, configuration.seedPath) = (schema, 2, seed)
    configuration.migration = { migration in
      try migration.enumerate("Person") { old, new in try new.set("age", to: String(old.get("age", as: Int.self))) }
    }
    let realm = try Realm.open(configuration)
    // As the engine prints them (Fixtures/engine/person-v1.json).
    let ages = try realm.objects("Person").all().map { $0["age"]?.stringValue }
    #expect(ages == ["58", "35", "17", "18", "51", "0"])
    #expect(realm.schema.version == 2)
    #expect(try Fixture.bytes(ofFile: seed) == before)
    try Self.requireSound(realm.path)
  }

  @Test func `with a destination the realm stays, and the new file is what is read`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("app.realm", Fixture.bytes("engine/person-v1.realm"))
    let before = try Fixture.bytes(ofFile: path)
    var options = LaunchOptions()
    options.destination = LaunchOptions.Destination(path: folder.path("new.realm"), isReplaced: false, key: nil)
    let realm = try Realm.open(RealmConfiguration(path: path), options)
    #expect(realm.path == folder.path("new.realm"))
    #expect(try !realm.classes.isEmpty && realm.classes.allSatisfy { try $0.count() == $0.all().count })
    #expect(try Fixture.bytes(ofFile: path) == before)
    try Self.requireSound(folder.path("new.realm"))
  }

  @Test func `a backup is kept where one is asked for`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("app.realm", Fixture.bytes("engine/dogs.realm"))
    let before = try Fixture.bytes(ofFile: path)
    var configuration = Self.configuration(path, version: 99)
    configuration.policy.allowsDataLoss = true
    var options = LaunchOptions()
    options.access.backup = .path(folder.path("backup.realm"))
    _ = try Realm.open(configuration, options)
    #expect(try Fixture.bytes(ofFile: folder.path("backup.realm")) == before)
    try Self.requireSound(path)
  }

  @Test func `errors say what kind they are, and what is wrong`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("app.realm", Fixture.bytes("engine/dogs.realm"))
    var missing = RealmConfiguration(path: folder.path("missing.realm"))
    missing.createsMissingFile = false
    let none = Self.error { () throws(RealmError) in try Realm.open(missing) }
    #expect(none?.kind == .notFound)
    #expect(none?.description == folder.path("missing.realm") + ": no such file or directory")
    let older = Self.error { () throws(RealmError) in try Realm.open(Self.configuration(path, version: 1)) }
    #expect(older?.kind == .schema)
    #expect(older?.description == path + ": Provided schema version 1 is less than last set version 3.")
    let lossy = Self.error { () throws(RealmError) in try Realm.open(Self.configuration(path, version: 99)) }
    #expect(lossy?.kind == .schema)
    #expect(lossy?.description.contains("would lose the values of 'Dog.") == true)
    var contradiction = RealmConfiguration(path: path)
    contradiction.schemaVersion = 5
    #expect(Self.error { () throws(RealmError) in try Realm.open(contradiction) }?.kind == .schema)
    #expect(try Fixture.bytes(ofFile: path) == Fixture.bytes("engine/dogs.realm"))
  }

  @Test func `what cannot be opened can be checked`() throws {
    let folder = try TemporaryFolder()
    var bytes = try Fixture.bytes("engine/dogs.realm")
    let tree = try NodeTree(bytes)
    tree.root.elements[1] = .child(EditableNode.numbers([1, 2, 3], width: 64))
    bytes = tree.written()
    let path = try folder.write("damaged.realm", bytes)
    #expect(Self.error { () throws(RealmError) in try Realm.open(at: path) }?.kind == .damaged)
    var kinds: [FindingKind] = []
    let summary = try Realm.check(path) { kinds.append($0.kind) }
    #expect(summary.errors > 0)
    #expect(!kinds.isEmpty)
    #expect(try Fixture.bytes(ofFile: path) == bytes)
  }
}
