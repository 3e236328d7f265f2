import RealmExchange
import RealmInspection
import RealmMigration
import RealmStorage
import RealmTools
import TestSupport
import Testing

/// Changes of objects at the schema version that a realm has.
@Suite struct ObjectEditTests {
  /// Runs `edit` on a copy of a fixture.
  private static func edit(
    _ name: String, spills: Bool = false, in folder: TemporaryFolder, dryRun: Bool = false,
    _ edit: @escaping @Sendable (WriteTransaction) throws -> Void
  ) throws -> (outcome: LaunchOutcome, path: String) {
    let path = folder.path("app.realm")
    if !SafeOutput.isNameTaken(path) { _ = try folder.write("app.realm", Fixture.bytes("engine/\(name).realm")) }
    var configuration = RealmConfiguration(path: path)
    configuration.script = MigrationScript(
      editingObjects: { transaction in
        try edit(transaction)
        var outcome = MigrationScript.Outcome()
        outcome.counts = transaction.takeCounts()
        return outcome
      }, spills: spills)
    var options = LaunchOptions()
    options.access = InPlaceAccess(backup: .besideTheFile)
    options.dryRun = dryRun
    do { return (try RealmLaunch(configuration, options).run(), path) } catch { throw error.cause }
  }

  private static func requireSound(_ path: String) throws {
    let summary = try Realm.check(path)
    #expect(summary.errors == 0 && summary.warnings == 0)
  }

  @Test("the schema and its version stay, and a backup has the old realm", arguments: [false, true])
  func keepsSchema(spills: Bool) throws {
    let folder = try TemporaryFolder()
    let old = try Realm.open(at: Fixture.path("engine/dogs.realm"))
    let before = try old.objects("Dog").count()
    let (outcome, path) = try Self.edit("dogs", spills: spills, in: folder) { transaction in
      let table = try transaction.table("class_Dog")
      _ = try table.create(primaryKey: .objectID(ObjectID(head: 7, tail: 7)))
      if spills { try transaction.spill() }
    }
    #expect(outcome.events.contains(.editObjects))
    #expect(outcome.migration?.created == ["Dog": 1])
    let realm = try Realm.open(at: path)
    #expect(realm.schema == old.schema)
    #expect(try realm.objects("Dog").count() == before + 1)
    let backup = try #require(outcome.backup)
    #expect(try Fixture.bytes(ofFile: backup.path) == Fixture.bytes("engine/dogs.realm"))
    try Self.requireSound(path)
  }

  @Test("a realm without a schema version has none afterwards") func unversioned() throws {
    let folder = try TemporaryFolder()
    let name = "table-without-version"
    let path = folder.path("app.realm")
    var configuration = RealmConfiguration(path: path)
    configuration.schema = Schema(tables: [
      TableSchema(name: "class_Dog", properties: [Property(name: "name", type: .string)])
    ])
    _ = try RealmLaunch(configuration, LaunchOptions()).run()
    try {
      let first = try WriteTransaction(RealmFile(path, key: nil))
      try first.removeTable("metadata")
      try first.commit()
    }()
    #expect(try Realm.open(at: path).schema.version == nil)
    _ = try Self.edit(name, in: folder) { transaction in _ = try transaction.table("class_Dog").create() }
    let realm = try Realm.open(at: path)
    #expect(realm.schema.version == nil)
    #expect(try realm.objects("Dog").count() == 1)
    try Self.requireSound(path)
  }

  @Test("what fails and what is only tried leave every byte as it was") func nothing() throws {
    struct Stop: Error {}
    let folder = try TemporaryFolder()
    let bytes = try Fixture.bytes("engine/dogs.realm")
    let (outcome, path) = try Self.edit("dogs", in: folder, dryRun: true) { transaction in
      _ = try transaction.table("class_Dog").deleteAll()
    }
    #expect(outcome.migration?.deleted.isEmpty == false)
    #expect(try Fixture.bytes(ofFile: path) == bytes)
    #expect(throws: Stop.self) {
      try Self.edit("dogs", spills: true, in: folder) { transaction in
        _ = try transaction.table("class_Dog").deleteAll()
        try transaction.spill()
        throw Stop()
      }
    }
    #expect(try Fixture.bytes(ofFile: path) == bytes)
  }

  @Test("objects that came after they were counted stop the change", arguments: [false, true])
  func countedBefore(isDeletion: Bool) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("app.realm", Fixture.bytes("engine/dogs.realm"))
    let value = ObjectEdit.Value(property: "name", text: "x")
    let edit = ObjectEdit(
      className: "Dog", filter: "breed == null",
      change: isDeletion ? .delete : .update(set: [value], add: [], remove: [], unset: []))
    let count = try edit.count(in: Realm.open(at: path).snapshot).count
    for expected in [count + 1, count] {
      var configuration = RealmConfiguration(path: path)
      configuration.policy.allowsDataLoss = true
      configuration.script = try edit.run(over: Realm.open(at: path).schema, expecting: expected, samples: 0).script
      var options = LaunchOptions()
      options.access = InPlaceAccess(backup: .none)
      let launch = RealmLaunch(configuration, options)
      if expected == count {
        _ = try launch.run()
        #expect(try Fixture.bytes(ofFile: path) != Fixture.bytes("engine/dogs.realm"))
      } else {
        #expect(throws: RealmError.self) { try launch.run() }
        #expect(try Fixture.bytes(ofFile: path) == Fixture.bytes("engine/dogs.realm"))
      }
    }
    try Self.requireSound(path)
  }
}
