import RealmInspection
import TestSupport
import Testing

@testable import RealmStorage

@Suite("Functions of migrations") struct MigrationFunctionTests {
  /// A realm in a folder of its own.
  private struct Case {
    let folder: TemporaryFolder
    let path: String
    var target: Schema
    var version: UInt64 = 10
    var policy = MigrationPolicy()

    init(_ fixture: String, _ change: (inout Schema) -> Void = { _ in }) throws {
      folder = try TemporaryFolder()
      path = try folder.write("a.realm", try Fixture.bytes("engine/\(fixture).realm"))
      target = try OpenableFixture.named(fixture).opened().schema
      target.tables.removeAll { !$0.isClass }
      change(&target)
    }

    @discardableResult
    func migrate(_ function: @escaping MigrationFunction) throws -> MigrationOutcome {
      let before = try Fixture.bytes(ofFile: path)
      do {
        let update = SchemaUpdate(to: target, version: version, policy: policy, function: function)
        let outcome = try update.run(in: RealmFile(exclusive: path, key: nil))
        try checkSound()
        return outcome
      } catch {
        let snapshot = try self.snapshot()
        #expect(snapshot.schema.version != version)
        #expect(try Fixture.bytes(ofFile: path).count >= before.count)
        try checkSound()
        throw error
      }
    }

    private func checkSound() throws {
      var findings: [String] = []
      let bytes = try ByteStore.open(.path(path), key: nil)
      _ = try Checker(bytes.store).run { if $0.severity != .note { findings.append($0.message) } }
      #expect(findings == [])
    }

    func snapshot() throws -> Snapshot { try Snapshot(of: ByteStore.open(.path(path), key: nil).store) }

    /// The values of a property in the order of the objects' keys.
    func values(_ className: RealmString, _ property: RealmString) throws -> [Value] {
      let snapshot = try snapshot()
      let table = try #require(snapshot.classTable(className))
      let index = try #require(table.schema.properties.firstIndex { $0.name == property })
      var values: [Value] = []
      try table.forEachBatch(in: snapshot) { batch in
        let column = try batch.values(ofProperty: index)
        for row in 0..<batch.count { values.append(try Value(column.value(at: row), snapshot.collectionWalk())) }
      }
      return values
    }
  }

  private static func set(_ schema: inout Schema, _ className: RealmString, _ properties: [Property]) {
    guard let index = schema.tables.firstIndex(where: { $0.displayName == className }) else { return }
    schema.tables[index].properties = properties
  }

  private static func property(_ schema: inout Schema, _ className: RealmString, _ change: (inout [Property]) -> Void) {
    guard let index = schema.tables.firstIndex(where: { $0.displayName == className }) else { return }
    change(&schema.tables[index].properties)
  }

  // MARK: The documented examples

  @Test("two properties are combined, and a type is changed") func combination() throws {
    let migration = try Case("person-v1") { schema in
      Self.set(
        &schema, "Person", [Property(name: "fullName", type: .string), Property(name: "age", type: .string)])
    }
    try migration.migrate { migration in
      #expect(migration.oldVersion == 1)
      try migration.enumerate("Person") { old, new in
        let (first, last) = (try old.get("firstName", as: String.self), try old.get("lastName", as: String.self))
        try new.set("fullName", to: "\(first) \(last)")
        try new.set("age", to: String(old.get("age", as: Int.self)))
      }
    }
    #expect(
      try migration.values("Person", "fullName").prefix(3) == ["Gordon Cole", "Dale Cooper", "Laura Palmer"])
    #expect(try migration.values("Person", "age") == ["58", "35", "17", "18", "51", "0"])
    #expect(try migration.snapshot().classTable("Person")?.schema.properties.map(\.name) == ["age", "fullName"])
  }

  @Test("a renamed property keeps its values, also by way of another name, and may become optional and indexed")
  func renames() throws {
    let years = Property(name: "years", type: .int, isOptional: true, index: .general)
    let migration = try Case("person-v1") { schema in
      Self.property(&schema, "Person") { $0.removeAll { $0.name == "age" } }
      Self.property(&schema, "Person") { $0.append(years) }
    }
    try migration.migrate { migration in
      try migration.renameProperty(ofClass: "Person", from: "age", to: "between")
      try migration.renameProperty(ofClass: "Person", from: "between", to: "years")
    }
    #expect(try migration.values("Person", "years") == [58, 35, 17, 18, 51, 0])
    #expect(try migration.snapshot().classTable("Person")?.schema.properties.last == years)
  }

  @Test("a property without values is not reported as lost, one with values is") func removedProperties() throws {
    var migration = try Case("person-v1")
    let emptied = try migration.migrate { migration in
      try migration.enumerate("Person") { _, new in try new.set("age", to: 0) }
    }
    #expect(emptied.lost.isEmpty)
    #expect(emptied.overwritten.map(\.property) == ["age"])
    migration.version += 1
    Self.property(&migration.target, "Person") { $0.removeAll { $0.name != "firstName" } }
    let outcome = try migration.migrate { _ in }
    #expect(outcome.lost.map(\.place) == ["Person.lastName"])
    #expect(outcome.overwritten.isEmpty)
  }

  @Test("a primary key keeps its marking under another name") func primaryKeyRename() throws {
    let migration = try Case("dogs") { schema in
      Self.property(&schema, "Toy") { $0[0].name = "identifier" }
    }
    try migration.migrate { try $0.renameProperty(ofClass: "Toy", from: "_id", to: "identifier") }
    #expect(try migration.snapshot().classTable("Toy")?.schema.primaryKey?.name == "identifier")
    #expect(try migration.values("Toy", "identifier").count == 2)
  }

  @Test("a name that the target does not have is an error at the end") func lostName() throws {
    let migration = try Case("person-v1") { Self.property(&$0, "Person") { $0.removeAll { $0.name == "age" } } }
    let error = #expect(throws: MigrationError.self) {
      try migration.migrate { try $0.renameProperty(ofClass: "Person", from: "age", to: "nowhere") }
    }
    #expect(error?.text == "Renamed property 'Person.nowhere' does not exist.")
  }

  // MARK: Enumeration

  @Test("all objects are visited in order, those deleted meanwhile left out, those made meanwhile too")
  func enumeration() throws {
    let migration = try Case("person-v1")
    let outcome = try migration.migrate { migration in
      var visited: [ObjectKey] = []
      try migration.enumerate("Person") { old, new in
        #expect(old.key == new.key)
        visited.append(new.key)
        if new.key.rawValue == 0 { try migration.newRealm.create("Person", ["firstName": "New", "age": 1]) }
        if new.key.rawValue == 1 { try new.delete() }
      }
      #expect(visited == visited.sorted())
      #expect(visited.count == 6)
      var again = 0
      try migration.enumerate("Person") { _, _ in again += 1 }
      #expect(again == 5)
    }
    #expect(try migration.values("Person", "firstName").contains("New"))
    #expect(try migration.values("Person", "firstName").count == 6)
    #expect(outcome.created == ["Person": 1])
    #expect(outcome.deleted == ["Person": 1])
  }

  @Test("a class of one schema only has objects on one side only") func oneSided() throws {
    let cat = TableSchema(name: "class_Cat", properties: [Property(name: "name", type: .string)])
    let migration = try Case("dogs") { schema in
      schema.tables.removeAll { $0.displayName == "Person" }
      schema.tables.append(cat)
    }
    try migration.migrate { migration in
      var old = 0
      try migration.enumerateOld("Person") { person in
        #expect(person.className == "Person")
        old += 1
      }
      #expect(old == 3)
      try migration.newRealm.create("Cat", ["name": "Tom"])
      var new = 0
      try migration.newRealm.objects("Cat").forEach { cat in
        let name = try cat.get("name", as: String.self)
        #expect(name == "Tom")
        new += 1
      }
      #expect(new == 1)
      for name in ["Nobody", "Person", "Cat"] {
        // Both schemas must have the class.
        do {
          try migration.enumerate(name) { _, _ in }
          Issue.record("\(name)")
        } catch { #expect((error as? RealmError)?.kind == .change) }
      }
    }
    #expect(try migration.values("Cat", "name") == ["Tom"])
    // Classes are never removed by themselves.
    #expect(try migration.values("Person", "name").count == 3)
  }

  @Test("links of old objects lead to old objects") func oldLinks() throws {
    let migration = try Case("dogs") { Self.property(&$0, "Toy") { $0.removeAll { $0.name == "name" } } }
    let toys = try migration.values("Toy", "name")
    let links = try migration.values("Dog", "favoriteToy")
    try migration.migrate { migration in
      var names: Set<Value> = []
      try migration.deleteData(ofClass: "Toy")
      for link in links {
        if let toy = try migration.oldObject(linkedBy: link) { names.insert(try toy.get("name")) }
      }
      #expect(names.isSubset(of: toys) && !names.isEmpty)
      #expect(try migration.oldObject(linkedBy: 7) == nil)
    }
  }

  @Test("a property that goes cannot be seen on new objects") func goingProperty() throws {
    let migration = try Case("person-v1") { Self.property(&$0, "Person") { $0.removeAll { $0.name == "age" } } }
    try migration.migrate { migration in
      try migration.enumerate("Person") { old, new in
        let age = try old.get("age", as: Int.self)
        #expect(age >= 0)
        let error = #expect(throws: ValueMismatch.self) {
          try RealmError.uncovering { _ = try new.get("age", as: Int.self) }
        }
        #expect(error?.problem == .absent(names: ["firstName", "lastName"]))
        #expect(throws: EditError.noSuchProperty(table: "class_Person", property: "age")) {
          try RealmError.uncovering { try new.set("age", to: 1) }
        }
      }
    }
  }

  // MARK: Data

  @Test("data is deleted: of a class that stays, its objects; of one that goes, all of it") func deletion() throws {
    let migration = try Case("dogs") { schema in
      schema.tables.removeAll { $0.displayName == "Person" }
    }
    let outcome = try migration.migrate { migration in
      let deleted = try ["Person", "Dog", "Nobody"].map { try migration.deleteData(ofClass: $0) }
      #expect(deleted == [true, true, false])
    }
    #expect(outcome.deleted == ["Person": 3, "Dog": 5])
    #expect(try migration.snapshot().classTable("Person") == nil)
    #expect(try migration.snapshot().classTable("Dog")?.objectCount() == 0)
  }

  @Test("objects with an enumerated text property are deleted like others") func enumeratedTexts() throws {
    let migration = try Case("strings")
    let enumerated = migration.target.tables.map(\.displayName)
    try migration.migrate { migration in
      for name in enumerated { try migration.deleteData(ofClass: name.description) }
    }
    for name in enumerated { #expect(try migration.snapshot().classTable(name)?.objectCount() == 0) }
  }

  @Test("a class that others link to cannot go, even if they do not have the property in the target")
  func linkedClass() throws {
    let migration = try Case("dogs") { schema in
      schema.tables.removeAll { $0.displayName == "Dog" }
      Self.property(&schema, "Person") { $0.removeAll { $0.name == "dogs" } }
    }
    let error = #expect(throws: MigrationError.self) {
      try migration.migrate { try $0.deleteData(ofClass: "Dog") }
    }
    #expect(error?.text == "Cannot remove class_Dog that is target of outside links")
  }

  @Test("primary keys may be equal meanwhile, but not at the end") func primaryKeys() throws {
    let migration = try Case("dogs")
    let ball: Value = .uuid(RealmUUID(head: 0x0123_4567_89ab_cdef, tail: 0x0123_4567_89ab_cdef))
    try migration.migrate { migration in
      let second = try migration.newRealm.create("Toy", ["_id": ball, "name": "Second"])
      try second.delete()
    }
    var again = migration
    again.version = 11
    let error = #expect(throws: MigrationError.self) {
      try again.migrate { try $0.newRealm.create("Toy", ["_id": ball, "name": "Second"]) }
    }
    #expect(error?.text == "Primary key property 'Toy._id' has duplicate values after migration.")
  }

  @Test("links are made with the objects' own") func links() throws {
    let migration = try Case("dogs")
    try migration.migrate { migration in
      let toy = try migration.newRealm.create(
        "Toy", ["_id": RealmUUID(head: 1, tail: 2), "name": "Bone"])
      try migration.enumerate("Dog") { _, new in try new.set("favoriteToy", to: toy) }
    }
    let snapshot = try migration.snapshot()
    let toys = try #require(snapshot.classTable("Toy"))
    let links = Set(try migration.values("Dog", "favoriteToy"))
    #expect(links.count == 1)
    guard case .link(toys.key, let key) = links.first else {
      Issue.record("no link")
      return
    }
    let (batch, row) = try #require(try toys.object(key))
    #expect(try snapshot.backlinks(to: batch, row: row).map { try $0.get().count } == [5])
  }

  @Test("what the function throws leaves the realm as it was") func failure() throws {
    struct Failure: Error {}
    let migration = try Case("person-v1")
    #expect(throws: Failure.self) {
      try migration.migrate { migration in
        try migration.deleteData(ofClass: "Person")
        throw Failure()
      }
    }
    #expect(try migration.values("Person", "age") == [58, 35, 17, 18, 51, 0])
  }

  @Test("links that the function makes count when a class becomes embedded") func embedding() throws {
    let migration = try Case("address-never") { schema in
      guard let index = schema.tables.firstIndex(where: { $0.displayName == "Address" }) else { return }
      schema.tables[index].kind = .embedded
    }
    try migration.migrate { migration in
      try migration.enumerate("Address") { _, new in
        guard new.key.rawValue == 4 else { return }
        try migration.newRealm.create("Person", ["name": "Nobody", "address": new])
      }
    }
    #expect(try migration.values("Person", "name").last == "Nobody")
    #expect(try migration.snapshot().classTable("Address")?.objectCount() == 5)
  }

  @Test("a migration is not called for a realm without a version, nor at its own") func noCall() throws {
    let same = try Case("person-v1")
    var current = same
    current.version = 1
    try current.migrate { _ in Issue.record("called at the stored version") }
  }

  @Test func `thousands of classes are added, linked and changed`() throws {
    let count = 1500
    func name(_ number: Int) -> RealmString { RealmString("class_C\(number % count)") }
    var test = try Case("person-v1")
    test.target.tables += (0..<count).map { number in
      let link = Property(name: "next", type: .object, isOptional: true, target: name(number + 1))
      return TableSchema(name: name(number), properties: [Property(name: "id", type: .int), link])
    }
    try test.migrate { _ in }
    for index in test.target.tables.indices where test.target.tables[index].name.hasPrefix("class_C") {
      test.target.tables[index].properties[0].isOptional = true
      test.target.tables[index].properties.removeLast()
    }
    test.version += 1
    let outcome = try test.migrate { migration in
      let transaction = migration.transaction
      try transaction.removeTable("class_Person")
      #expect(throws: EditError.noSuchTable("class_Person")) { try transaction.table("class_Person") }
      // The first free slot is the one that has just become free.
      #expect(try transaction.addTable("class_Person").key.slot < count)
      try transaction.renameTable("class_Person", to: "class_Other")
      #expect(throws: EditError.noSuchTable("class_Person")) { try transaction.table("class_Person") }
      try transaction.renameTable("class_Other", to: "class_Person")
    }
    #expect(outcome.steps.count >= 2 * count)
    let schema = try test.snapshot().schema
    #expect(schema.classes.count == count + 1)
    #expect(schema.classNamed("C7")?.properties == [Property(name: "id", type: .int, isOptional: true)])
  }
}
