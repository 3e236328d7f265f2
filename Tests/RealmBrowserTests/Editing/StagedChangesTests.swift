import Foundation
import RealmExchange
import RealmOpening
import RealmStorage
import RealmTools
import TestSupport
import Testing

@testable import RealmBrowser

/// Changes that are not written yet, without a screen.
///
/// `REALMCTL_EDIT_SESSIONS` sets how many sessions each realm gets.
@Suite struct StagedChangesTests {
  private static let sessionCount =
    ProcessInfo.processInfo.environment["REALMCTL_EDIT_SESSIONS"].flatMap { Int($0) } ?? 2

  private static let realms = [
    "dogs", "all-types", "nested-mixed", "corners", "indexes", "address-twice", "all-types-encrypted",
  ]
  .filter { Fixture.exists("engine/\($0).realm") }

  @Test("what is shown is what is written, whatever was done and undone", arguments: realms)
  func previewEqualsResult(_ name: String) throws {
    for session in 0..<Self.sessionCount {
      let fixture = OpenableFixture.named(name)
      let realm = try EditedRealm(fixture.path, key: fixture.encryptionKey())
      let before = try realm.bytes()
      let changes = try realm.changes()
      var random = RandomEdits(seed: UInt64(session) << 8 | UInt64(name.utf8.count))
      for _ in 0..<24 { random.step(changes) }
      #expect(try realm.bytes() == before)
      #expect(try realm.folder.names() == ["app.realm"])
      let shown = try changes.realm.snapshot.content()
      try realm.write(changes)
      let written = try realm.opened()
      #expect(try written.snapshot.content() == shown, "\(name) \(session)")
      #expect(written.snapshot.schema == changes.base.snapshot.schema)
      try realm.requireSound()
    }
  }

  @Test("undoing everything leads back, and redoing it to where it was", arguments: realms)
  func undoAndRedo(_ name: String) throws {
    let fixture = OpenableFixture.named(name)
    let realm = try EditedRealm(fixture.path, key: fixture.encryptionKey())
    let changes = try realm.changes()
    let start = try changes.base.snapshot.content()
    var random = RandomEdits(seed: 7)
    var states = [start]
    while changes.entries.count < 6 {
      let count = changes.entries.count
      random.edit(changes)
      if changes.entries.count > count { states.append(try changes.realm.snapshot.content()) }
    }
    for state in states.dropLast().reversed() {
      try changes.undo()
      #expect(try changes.realm.snapshot.content() == state)
    }
    #expect(throws: BrowserProblem.nothingLeft(isRedo: false)) { try changes.undo() }
    for state in states.dropFirst() {
      try changes.redo()
      #expect(try changes.realm.snapshot.content() == state)
    }
    #expect(throws: BrowserProblem.nothingLeft(isRedo: true)) { try changes.redo() }
  }

  private static let dog = RealmString("class_Dog")

  private static func key(_ index: Int, of table: RealmString, in realm: BrowsedRealm) throws -> ObjectKey {
    var batches = try #require(realm.table(named: table)).batches()
    guard case .batch(let batch)? = batches.next() else { throw EditError.noSuchTable(table) }
    return batch.key(at: index)
  }

  private static func rename(_ key: ObjectKey, to name: String) -> StagedEdit {
    StagedEdit(table: dog, keys: [key], change: .set("name", [], .plain(.string(RealmString(name)))))
  }

  @Test("what an app has changed elsewhere is kept, and new objects find other keys") func merging() throws {
    let realm = try EditedRealm("engine/dogs.realm")
    let changes = try realm.changes()
    let rex = try Self.key(0, of: Self.dog, in: changes.base)
    let id = Value.objectID(ObjectID(head: 1, tail: 1))
    try changes.append(Self.rename(rex, to: "Max"))
    let made = try #require(
      try changes.append(StagedEdit(table: Self.dog, keys: [], change: .create(primaryKey: id, []))))
    try changes.append(Self.rename(made, to: "New"))
    try realm.change { transaction in
      let table = try transaction.table("class_Dog")
      let theirs = try table.create(primaryKey: .objectID(ObjectID(head: 2, tail: 2)))
      try table.set("name", of: theirs, to: "Theirs")
    }
    #expect(throws: BrowserProblem.staleChanges) { try changes.undo() }
    #expect(throws: BrowserProblem.staleChanges) { try realm.write(changes) }
    let fresh = try realm.opened()
    #expect(try changes.collisions(with: fresh) == [])
    #expect(changes.news(in: fresh) == "Dog +1")
    try changes.rebase(onto: fresh)
    try realm.write(changes)
    let names = try Self.names(realm)
    #expect(names.count == 7)
    #expect(names.contains("New") && names.contains("Theirs") && names.contains("Max"))
    try realm.requireSound()
  }

  private static func names(_ realm: EditedRealm) throws -> [String] {
    let table = try #require(try realm.opened().table(named: dog))
    let index = try #require(table.schema.properties.firstIndex { $0.name == "name" })
    var (names, batches) = ([String](), table.batches())
    while case .batch(let batch)? = batches.next() {
      for row in 0..<batch.count {
        if case .string(let text) = try batch.values(ofProperty: index).value(at: row) {
          names.append(String(decoding: try text.copied(), as: UTF8.self))
        }
      }
    }
    return names
  }

  @Test("an object that an app has changed as well is a collision; mine or theirs", arguments: [false, true])
  func colliding(isMine: Bool) throws {
    let realm = try EditedRealm("engine/dogs.realm")
    let changes = try realm.changes()
    let (rex, fido) = (
      try Self.key(0, of: Self.dog, in: changes.base), try Self.key(1, of: Self.dog, in: changes.base)
    )
    try changes.append(Self.rename(rex, to: "Mine"))
    try changes.append(Self.rename(fido, to: "Kept"))
    try realm.change { try $0.table("class_Dog").set("name", of: rex, to: "Theirs") }
    let fresh = try realm.opened()
    let collisions = try changes.collisions(with: fresh)
    let object = ObjectAddress(table: Self.dog, key: rex)
    #expect(collisions == [StagedChanges.Collision(object: object, properties: ["name"])])
    try changes.rebase(onto: fresh, dropping: isMine ? [] : collisions)
    try realm.write(changes)
    let names = try Self.names(realm)
    #expect(names.contains(isMine ? "Mine" : "Theirs") && names.contains("Kept"))
    #expect(!names.contains(isMine ? "Theirs" : "Mine"))
  }

  @Test("theirs gives up what both have changed, and nothing else of the object") func theirsOnly() throws {
    let realm = try EditedRealm("engine/dogs.realm")
    let changes = try realm.changes()
    let rex = try Self.key(0, of: Self.dog, in: changes.base)
    try changes.append(Self.rename(rex, to: "Mine"))
    try changes.append(StagedEdit(table: Self.dog, keys: [rex], change: .set("breed", [], .plain("Mine too"))))
    try realm.change { try $0.table("class_Dog").set("name", of: rex, to: "Theirs") }
    let fresh = try realm.opened()
    try changes.rebase(onto: fresh, dropping: changes.collisions(with: fresh))
    try realm.write(changes)
    let written = try realm.opened()
    let values = try ["name", "breed"].map { name in
      let address = ValueAddress(object: ObjectAddress(table: Self.dog, key: rex), property: RealmString(name))
      return try Value(#require(try written.value(at: address)), written.snapshot.collectionWalk())
    }
    #expect(values == ["Theirs", "Mine too"])
    try realm.requireSound()
  }

  @Test("an object that an app has deleted is named") func deletedThere() throws {
    let realm = try EditedRealm("engine/dogs.realm")
    let changes = try realm.changes()
    let rex = try Self.key(0, of: Self.dog, in: changes.base)
    try changes.append(Self.rename(rex, to: "Mine"))
    try realm.change { try $0.table("class_Dog").delete(rex) }
    let fresh = try realm.opened()
    #expect(try changes.collisions(with: fresh).map(\.properties) == [[]])
    #expect(throws: BrowserProblem.self) { try changes.rebase(onto: fresh) }
    #expect(changes.entries.count == 1)
    try changes.rebase(onto: fresh, dropping: changes.collisions(with: fresh))
    #expect(changes.isEmpty)
  }

  @Test("an edit that no longer fits is given up, and the others are kept") func skipping() throws {
    let realm = try EditedRealm("engine/dogs.realm")
    let changes = try realm.changes()
    let (rex, fido) = (
      try Self.key(0, of: Self.dog, in: changes.base), try Self.key(1, of: Self.dog, in: changes.base)
    )
    let toys = try #require(changes.base.table(named: "class_Toy"))
    let toy = try Self.key(1, of: "class_Toy", in: changes.base)
    try changes.append(Self.rename(rex, to: "Max"))
    try changes.append(
      StagedEdit(table: Self.dog, keys: [fido], change: .set("favoriteToy", [], .plain(.link(toys.key, toy)))))
    try realm.change { try $0.table("class_Toy").delete(toy) }
    let fresh = try realm.opened()
    do {
      try changes.rebase(onto: fresh)
      Issue.record("a link to an object that is gone")
    } catch BrowserProblem.noLongerFits(let number, _) { #expect(number == 2) }
    #expect(changes.entries.count == 2)
    try changes.rebase(onto: fresh, skipping: [1])
    try realm.write(changes)
    #expect(try Self.names(realm).contains("Max"))
    try realm.requireSound()
  }

  @Test("a new object is not taken for one that was deleted before") func newAfterDeleted() throws {
    let realm = try EditedRealm("engine/dogs.realm")
    let changes = try realm.changes()
    let last = try Self.key(4, of: Self.dog, in: changes.base)
    try changes.append(StagedEdit(table: Self.dog, keys: [last], change: .delete))
    let id = Value.objectID(ObjectID(head: 1, tail: 1))
    let made = try #require(
      try changes.append(StagedEdit(table: Self.dog, keys: [], change: .create(primaryKey: id, []))))
    // Keys are given out by the object sequence number of the table, which never goes back.
    #expect(made == ObjectKey(rawValue: 5))
    try changes.append(Self.rename(made, to: "New"))
    try realm.change { try $0.table("class_Dog").set("name", of: last, to: "Theirs") }
    let fresh = try realm.opened()
    let collisions = try changes.collisions(with: fresh)
    #expect(collisions.map(\.object) == [ObjectAddress(table: Self.dog, key: last)])
    try changes.rebase(onto: fresh, dropping: collisions)
    try realm.write(changes)
    let names = try Self.names(realm)
    #expect(names.count == 6 && names.contains("New") && names.contains("Theirs"))
    try realm.requireSound()
  }

  @Test("what was undone collides with nothing") func undoneEdits() throws {
    let realm = try EditedRealm("engine/dogs.realm")
    let changes = try realm.changes()
    let (rex, fido) = (
      try Self.key(0, of: Self.dog, in: changes.base), try Self.key(1, of: Self.dog, in: changes.base)
    )
    try changes.append(Self.rename(fido, to: "Kept"))
    try changes.append(Self.rename(rex, to: "Undone"))
    try changes.undo()
    try realm.change { try $0.table("class_Dog").set("name", of: rex, to: "Theirs") }
    #expect(try changes.collisions(with: realm.opened()) == [])
  }

  @Test("a set has each number once") func numbersInSets() throws {
    let realm = try EditedRealm("engine/all-types.realm")
    let changes = try realm.changes()
    let key = try Self.key(0, of: "class_AllTypes", in: changes.base)
    func edit(_ change: StagedEdit.Change) throws {
      try changes.append(StagedEdit(table: "class_AllTypes", keys: [key], change: change))
    }
    try edit(.set("setDouble", [], .plain(.set([.double(.nan), .double(1)]))))
    try edit(.set("setMixed", [], .plain(.set([.int(1), .string("a")]))))
    #expect(throws: BrowserProblem.alreadyInSet) { try edit(.insert("setDouble", [], at: 0, .plain(.double(.nan)))) }
    #expect(throws: BrowserProblem.alreadyInSet) { try edit(.insert("setMixed", [], at: 0, .plain(.double(1)))) }
    #expect(throws: BrowserProblem.alreadyInSet) { try edit(.set("setMixed", [.position(1)], .plain(.double(1)))) }
    try edit(.set("setMixed", [.position(0)], .plain(.double(1))))
    try realm.write(changes)
    try realm.requireSound()
  }

  @Test("what cannot be done leaves everything as it was") func refusals() throws {
    let realm = try EditedRealm("engine/dogs.realm")
    let changes = try realm.changes()
    let rex = try Self.key(0, of: Self.dog, in: changes.base)
    try changes.append(Self.rename(rex, to: "Max"))
    let shown = try changes.realm.snapshot.content()
    let bad: [StagedEdit] = [
      StagedEdit(table: Self.dog, keys: [rex], change: .set("name", [], .plain(.null))),
      StagedEdit(table: Self.dog, keys: [rex], change: .set("nothing", [], .plain(.null))),
      StagedEdit(table: Self.dog, keys: [ObjectKey(rawValue: 999)], change: .delete),
      StagedEdit(table: Self.dog, keys: [rex, ObjectKey(rawValue: 999)], change: .delete),
      StagedEdit(table: Self.dog, keys: [], change: .create(primaryKey: nil, [])),
      StagedEdit(table: "class_None", keys: [], change: .create(primaryKey: nil, [])),
      StagedEdit(table: Self.dog, keys: [rex], change: .insert("name", [], at: 0, .plain(.null))),
      StagedEdit(table: Self.dog, keys: [rex], change: .set("name", [.position(0)], .plain(.null))),
    ]
    for edit in bad {
      #expect(throws: (any Error).self, "\(edit)") { try changes.append(edit) }
      #expect(changes.entries.count == 1)
      #expect(try changes.realm.snapshot.content() == shown)
    }
  }

  @Test("a realm of an older format is not edited") func olderFormat() throws {
    let older = try NodeTree(Fixture.bytes("engine/dogs.realm"))
    older.format = 23
    let folder = try TemporaryFolder()
    let realm = try EditedRealm(try folder.write("older.realm", older.written(.normal)))
    #expect(throws: WriteRefusal.self) { try realm.changes() }
  }
}
