import Foundation
import RealmStorage
import TestSupport
import Testing

/// Reading objects one after another, in batches, and while an app changes the file.
@Suite struct RealmReadingTests {
  /// `Item` has a few thousand objects, each with a link to another one.
  private static let name = "engine/deep-tree.realm"

  private static func copy(_ folder: TemporaryFolder) throws -> String {
    try folder.write("app.realm", Fixture.bytes(name))
  }

  /// One more commit.
  private static func commit(_ path: String) throws {
    try Realm.write(at: path) { tx in _ = try tx.create("Item") }
  }

  private static func kind(_ body: () throws -> Void) -> RealmError.Kind? {
    do { try body() } catch { return (error as? RealmError)?.kind }
    return nil
  }

  @Test func `columns are those that were asked for, behind links as well`() throws {
    try leavingUntouched(Fixture.path(Self.name)) { path in
      let realm = try Realm.open(at: path)
      let items = try realm.objects("Item")
      let whole = try items.all()
      #expect(try whole.count == items.count() && whole.count > 1000)
      #expect(whole.map(\.key) == whole.map(\.key).sorted())
      var cursor = try items.cursor(columns: ["next.next.n", "n", "next.n", "next"])
      for object in whole {
        let part = try #require(try cursor.next())
        #expect(part.key == object.key && cursor.key == object.key)
        #expect(part["n"] == object["n"])
        let next = try object.link("next")
        #expect(part["next.n"] == next?["n"] ?? .null)
        #expect(try part["next.next.n"] == next?.link("next")?["n"] ?? .null)
        #expect(try part.link("next")?.key == next?.key)
        let back = try next?.backlinks("Item.next").all(columns: []).map(\.key)
        #expect(back?.contains(object.key) != false)
        if object.key.rawValue > 40 { break }
      }
    }
    try leavingUntouched(Fixture.path("engine/address-twice.realm")) { path in
      let people = try Realm.open(at: path).objects("Person")
      let streets = try people.all(columns: ["address.street"]).map { try $0.get("address.street", as: String?.self) }
      let expected = try people.all().map { try $0.link("address")?.get("street", as: String.self) }
      #expect(streets == expected)
      #expect(streets.contains { $0 != nil })
    }
  }

  @Test func `what is absent, null and of another type are three things`() throws {
    try leavingUntouched(Fixture.path(Self.name)) { path in
      let item = try #require(try Realm.open(at: path).objects("Item").all().first { $0["next"] == .null })
      func problem(_ body: () throws(RealmError) -> Void) -> ValueMismatch? {
        do { try body() } catch { return error.cause as? ValueMismatch }
        return nil
      }
      #expect(try item.get("n", as: Int.self) == item["n"]?.intValue.map(Int.init))
      let absent = problem { () throws(RealmError) in _ = try item.get("m", as: Int.self) }
      #expect(absent?.problem == .absent(names: item.columns))
      #expect(problem { () throws(RealmError) in _ = try item.get("next", as: Int.self) }?.problem == .null)
      let other = problem { () throws(RealmError) in _ = try item.get("n", as: String.self) }
      #expect(other?.problem == .type(found: "int") && other?.place == "n")
      #expect(try item.link("next") == nil)
      #expect(try item.links("next").count() == 0)
    }
  }

  @Test func `batches come in order, on an actor as well`() async throws {
    let items = try await Realm.open(at: Fixture.path(Self.name)).objects("Item")
    let keys = try items.all(columns: []).map(\.key)
    actor Collector {
      var keys: [ObjectKey] = []
      var sizes: [Int] = []
      func collect(_ batches: RealmBatches) async throws {
        for try await batch in batches {
          keys += batch.map(\.key)
          sizes.append(batch.count)
        }
      }
    }
    for size in [1, 100, 256, 1000, 1_000_000, -5] where size > 1 || keys.count < 5000 {
      let collector = Collector()
      try await collector.collect(items.batches(of: size, columns: ["n"]))
      #expect(await collector.keys == keys)
      #expect(await collector.sizes.dropLast().allSatisfy { $0 == max(size, 1) })
    }
    await #expect(throws: RealmError.self) { for try await _ in items.batches(columns: ["no"]) {} }
  }

  @Test func `batches end when their task does`() async throws {
    let items = try await Realm.open(at: Fixture.path(Self.name)).objects("Item")
    let task = Task {
      var count = 0
      for try await batch in items.batches(of: 10) {
        count += batch.count
        if count == 20 { withUnsafeCurrentTask { $0?.cancel() } }
      }
      return count
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    // One that nobody goes on with ends by itself.
    var iterator = items.batches(of: 10).makeAsyncIterator()
    #expect(try await iterator.next()?.count == 10)
    iterator = items.batches(of: 20).makeAsyncIterator()
    #expect(try await iterator.next()?.count == 20)
  }

  @Test func `what is read after a commit is refused, and what was read stays`() throws {
    let folder = try TemporaryFolder()
    let path = try Self.copy(folder)
    let realm = try Realm.open(at: path)
    let bags = try realm.objects("Bag").all()
    let count = try realm.objects("Item").count()
    var cursor = try realm.objects("Item").cursor()
    let first = try #require(try cursor.next())
    try Self.commit(path)
    #expect(try realm.hasChanged())
    // In memory already.
    #expect(try realm.objects("Bag").all().map(\.key) == bags.map(\.key))
    #expect(try realm.objects("Item").object(first.key)?["n"] == first["n"])
    #expect(Self.kind { try realm.objects("Item").forEach { _ in } } == .changed)
    #expect(Self.kind { while try cursor.next() != nil {} } == .changed)
    #expect(try cursor.next() == nil)
    #expect(try Realm.open(at: path).objects("Item").count() == count + 1)
  }

  /// As when another realm with the same head is written over it: two copies by an engine have the same head.
  @Test func `what is read after somebody has written to the file is refused`() throws {
    let folder = try TemporaryFolder()
    let path = try Self.copy(folder)
    let realm = try Realm.open(at: path)
    #expect(try realm.objects("Bag").all().count > 0 && !realm.hasChanged())
    try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: path)
    #expect(try realm.hasChanged())
    #expect(Self.kind { try realm.objects("Item").forEach { _ in } } == .changed)
  }

  @Test func `reading runs again if an app commits meanwhile`() throws {
    let folder = try TemporaryFolder()
    let path = try Self.copy(folder)
    var (runs, before) = (0, 0)
    let count = try Realm.read(at: path) { realm in
      runs += 1
      if runs == 1 {
        before = try realm.objects("Item").count()
        try Self.commit(path)
      }
      return try realm.objects("Item").all().count
    }
    #expect(runs == 2 && count == before + 1)
    runs = 0
    let endless = Self.kind {
      try Realm.read(at: path) { realm in
        runs += 1
        try Self.commit(path)
      }
    }
    #expect(runs == 5 && endless == .changed)
    struct Own: Error {}
    #expect(throws: Own.self) { try Realm.read(at: path) { _ in throw Own() } }
    #expect(try Realm.open(at: path).objects("Item").count() == before + 6)
  }

  @Test func `reading has a thread of its own in a task`() async throws {
    let counts = try await Realm.read(at: Fixture.path(Self.name)) { realm in
      try (realm.objects("Item").count(), realm.objects("Item").all().count)
    }
    #expect(counts.0 == counts.1)
  }

  @Test func `a file that is cut off leads to an error, not to a signal`() throws {
    let folder = try TemporaryFolder()
    let program = try ChildProcess("StorageProbe", ["cut-while-reading", Self.copy(folder)])
    let said = program.read(until: "\n")
    #expect(["1 of 2\n", "2 of 2\n"].contains(said))
    #expect(program.wait().status == 0)
  }

  @Test func `a dash is the name of a file`() throws {
    let folder = try TemporaryFolder()
    try folder.write("-", Fixture.bytes("engine/dogs.realm"))
    #expect(try Realm.open(at: folder.path("-")).classes.count == 3)
    // In the folder of the tests, there is none.
    #expect(Self.kind { _ = try Realm.open(at: "-") } == .notFound)
    #expect(Self.kind { _ = try Realm.open(at: "/dev/stdin") } != nil)
  }

  @Test func `several threads share the pages of a realm, which stay within their bound`() async throws {
    let path = Fixture.path("bench/people.realm")
    guard Fixture.exists("bench/people.realm") else { return }
    let realm = try await Realm.open(at: path)
    let people = try realm.objects("Person")
    try await withThrowingTaskGroup(of: Int.self) { group in
      for start in 0..<4 {
        group.addTask {
          var (cursor, sum) = (try people.cursor(columns: ["id", "city.name"]), 0)
          for _ in 0..<2000 * (start + 1) { sum += try cursor.next()?.get("id", as: Int.self) ?? 0 }
          return sum
        }
      }
      for try await sum in group { #expect(sum > 0) }
    }
    let last = try #require(try people.object(primaryKey: 99_999))
    #expect(try last.link("city") != nil)
  }
}
