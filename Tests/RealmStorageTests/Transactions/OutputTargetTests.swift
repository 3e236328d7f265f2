import RealmStorage
import TestSupport
import Testing

/// Writing with the public API.
@Suite struct OutputTargetTests {
  private static func copy(_ folder: TemporaryFolder) throws -> String {
    try folder.write("app.realm", Fixture.bytes("engine/dogs.realm"))
    return folder.path("app.realm")
  }

  private static func requireSound(_ path: String) throws {
    #expect(try CheckResult(of: Fixture.bytes(ofFile: path)).findings == [])
  }

  private static let id = RealmUUID(head: 1, tail: 2)

  @Test func `changes become real at once`() throws {
    let folder = try TemporaryFolder()
    let path = try Self.copy(folder)
    let before = try Realm.open(at: path)
    let key = try Realm.write(at: path) { try $0.create("Toy", primaryKey: Self.id, ["name": "Ball"]).key }
    #expect(try before.hasChanged())
    let toys = try Realm.open(at: path).objects("Toy")
    #expect(try toys.object(key)?["name"] == "Ball")
    try Self.requireSound(path)
  }

  @Test func `nothing is changed where the closure throws, and its error arrives as it is`() async throws {
    struct Enough: Error {}
    let folder = try TemporaryFolder()
    let path = try Self.copy(folder)
    let bytes = try Fixture.bytes(ofFile: path)
    #expect(throws: Enough.self) {
      try Realm.write(at: path) { tx in
        try tx.editing.removeTable("class_Person")
        throw Enough()
      }
    }
    await #expect(throws: Enough.self) { try await Realm.write(at: path) { _ in throw Enough() } }
    #expect(throws: Enough.self) {
      try Realm.write(at: path) { tx in try tx.objects("Dog").forEach { _ in throw Enough() } }
    }
    #expect(try Fixture.bytes(ofFile: path) == bytes)
    let error = #expect(throws: RealmError.self) { try Realm.write(at: path) { _ = try $0.objects("Cat") } }
    #expect(error?.kind == .change)
    #expect(error?.description == "\(path): no class 'Cat'")
    // Facts that code of this package throws become errors of the realm.
    let fact = #expect(throws: RealmError.self) { try Realm.write(at: path) { _ = try $0.editing.table("class_Cat") } }
    #expect(fact?.path == path)
    #expect(try Fixture.bytes(ofFile: path) == bytes)
  }

  @Test func `a file that somebody has open is waited for, off the caller's thread`() async throws {
    let folder = try TemporaryFolder()
    let path = try Self.copy(folder)
    var held: RealmFile? = try RealmFile(path, key: nil)
    let error = await #expect(throws: RealmError.self) { try await Realm.write(at: path) { _ in } }
    #expect(error?.kind == .inUse)
    #expect(held != nil)
    held = nil
    let count = try await Realm.write(at: path, waitingMilliseconds: 1000) { try $0.objects("Dog").count() }
    #expect(count == 5)
  }

  @Test func `a transaction in a transaction is refused, and does not wait for itself`() throws {
    let folder = try TemporaryFolder()
    let path = try Self.copy(folder)
    try Realm.write(at: path) { tx in
      let error = #expect(throws: RealmError.self) { try Realm.write(at: path) { _ in } }
      #expect(error?.kind == .inUse)
      try tx.create("Toy", primaryKey: Self.id)
    }
    let file = try RealmFile.open(at: path)
    try file.write { _ in
      let error = #expect(throws: RealmError.self) { try file.write { _ in } }
      #expect(error?.kind == .change)
    }
    try Self.requireSound(path)
  }

  @Test func `an open file takes one transaction after another`() throws {
    let folder = try TemporaryFolder()
    let path = try Self.copy(folder)
    func makeToy(_ tx: borrowing RealmTransaction, _ number: UInt64) throws {
      try tx.create("Toy", primaryKey: RealmUUID(head: number, tail: 0))
    }
    let before = try Realm.open(at: path).objects("Toy").count()
    do {
      let file = try RealmFile.open(at: path)
      for number in 0..<2 { try file.write { try makeToy($0, UInt64(number)) } }
      let error = #expect(throws: RealmError.self) {
        try file.write { tx in
          try makeToy(tx, 2)
          _ = try tx.objects("Cat")
        }
      }
      #expect(error?.kind == .change)
      // What failed left nothing behind, and the file can still be used.
      try file.write { try makeToy($0, 2) }
      do throws(RealmError) { _ = try RealmFile.open(at: path) } catch { #expect(error.kind == .inUse) }
    }
    #expect(try Realm.open(at: path).objects("Toy").count() == before + 3)
    try Self.requireSound(path)
  }

  @Test func `single elements of collections change`() throws {
    let folder = try TemporaryFolder()
    let path = try Self.copy(folder)
    let key = try RealmFile.open(at: path).edit { transaction in
      let table = try transaction.addTable("class_Thing")
      for (name, kind) in [("list", CollectionKind.list), ("set", .set), ("dictionary", .dictionary)] {
        try table.addProperty(Property(name: RealmString(name), type: .int, collection: kind))
      }
      let key = try table.create()
      for number in 1...3 { try table.append(.int(Int64(number)), to: "list", of: key) }
      try table.insert(0, at: 0, in: "list", of: key)
      try table.insert(9, at: 4, in: "list", of: key)
      try table.setElement(at: 1, of: "list", of: key, to: 7)
      try table.removeElement(at: 2, of: "list", of: key)
      for number in [5, 6, 5] { try table.insert(.int(Int64(number)), into: "set", of: key) }
      try table.remove(6, from: "set", of: key)
      try table.setEntry("a", of: "dictionary", of: key, to: 1)
      try table.setEntry("b", of: "dictionary", of: key, to: 2)
      try table.setEntry("a", of: "dictionary", of: key, to: nil)
      for index in [-1, 5] {
        #expect(throws: EditError.noSuchElement(index: index, count: 4)) {
          try RealmError.uncovering { try table.insert(1, at: index, in: "list", of: key) }
        }
        #expect(throws: EditError.noSuchElement(index: index, count: 4)) {
          try RealmError.uncovering { try table.removeElement(at: index, of: "list", of: key) }
        }
      }
      #expect(throws: BuildError.wrongType) { try RealmError.uncovering { try table.append(1, to: "set", of: key) } }
      #expect(throws: BuildError.wrongType) { try RealmError.uncovering { try table.insert(1, into: "list", of: key) } }
      #expect(throws: BuildError.wrongType) {
        try RealmError.uncovering { try table.setEntry("a", of: "list", of: key, to: 1) }
      }
      return key
    }
    let thing = try #require(try Realm.open(at: path).objects("Thing").object(key))
    #expect(thing.values == [.list([0, 7, 3, 9]), .set([5]), .dictionary(["b": 2])])
    try Self.requireSound(path)
  }

  @Test func `a Mixed value does not link to embedded and asymmetric objects`() throws {
    let folder = try TemporaryFolder()
    let path = try Self.copy(folder)
    try RealmFile.open(at: path).edit { transaction in
      let part = try transaction.addTable("class_Part", .embedded)
      try part.addProperty(Property(name: "name", type: .string))
      let whole = try transaction.addTable("class_Whole")
      try whole.addProperty(Property(name: "any", type: .mixed, isOptional: true))
      try whole.addProperty(Property(name: "anyList", type: .mixed, collection: .list, isOptional: true))
      try whole.addProperty(Property(name: "part", type: .object, isOptional: true, target: "class_Part"))
      let key = try whole.create()
      let made = try whole.createEmbedded(in: "part", of: key)
      let link = Value.typedLink(part.key, made)
      let refusal = EditError.notLinkable(table: "class_Part")
      #expect(throws: refusal) { try RealmError.uncovering { try whole.set("any", of: key, to: link) } }
      #expect(throws: refusal) {
        try RealmError.uncovering { try whole.set("any", of: key, to: .dictionary(["a": .list([link])])) }
      }
      #expect(throws: refusal) { try RealmError.uncovering { try whole.append(link, to: "anyList", of: key) } }
      try whole.set("any", of: key, to: .typedLink(whole.key, key))
    }
    try Self.requireSound(path)
  }
}
