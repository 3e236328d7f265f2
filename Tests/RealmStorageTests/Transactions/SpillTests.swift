import TestSupport
import Testing

@testable import RealmStorage

/// Changes that are written before the transaction is committed, so that they can be read.
@Suite struct SpillTests {
  private struct Case: CustomTestStringConvertible, Sendable {
    let fixture: String
    let table: RealmString
    let property: RealmString
    var testDescription: String { fixture }

    /// A value of the property's type.
    func value(_ number: Int) -> Value { property == "name" ? .string(RealmString("n\(number)")) : .int(Int64(number)) }
  }

  private static let cases = [
    Case(fixture: "dogs", table: "class_Dog", property: "name"),
    Case(fixture: "all-types-copy-encrypted", table: "class_AllTypes", property: "intCol"),
  ]

  private func open(_ realm: Case, _ folder: TemporaryFolder) throws -> (file: RealmFile, path: String) {
    let path = try folder.write("app.realm", Fixture.bytes("engine/\(realm.fixture).realm"))
    return (try RealmFileTests.file(path, key: RealmFileTests.key(of: realm.fixture)), path)
  }

  /// Gives every object the same value.
  private func setAll(_ realm: Case, _ transaction: WriteTransaction, to number: Int) throws {
    let table = try transaction.table(realm.table)
    var keys: [ObjectKey] = []
    try table.forEachKey { keys.append($0) }
    for key in keys { try table.set(realm.property, of: key, to: realm.value(number)) }
  }

  /// The values of the property in a state of the realm.
  private func values(_ realm: Case, _ snapshot: Snapshot) throws -> Set<Value> {
    let table = try #require(snapshot.tables.first { $0.schema.name == realm.table })
    let index = try #require(table.schema.properties.firstIndex { $0.name == realm.property })
    let walk = snapshot.collectionWalk()
    var found: Set<Value> = []
    var batches = table.batches()
    while let step = batches.next() {
      guard case .batch(let batch) = step else { throw StorageError.corrupted(.null, .missingNode) }
      let values = try batch.values(ofProperty: index)
      for row in 0..<batch.count { found.insert(try Value(values.value(at: row), walk)) }
    }
    return found
  }

  @Test("what was written is read from the base, by nobody else, and is real with the commit", arguments: cases)
  private func spillThenCommit(_ realm: Case) throws {
    let folder = try TemporaryFolder()
    let (file, path) = try open(realm, folder)
    let key = try RealmFileTests.key(of: realm.fixture)
    let before = try values(realm, file.snapshot)
    let transaction = try WriteTransaction(file)
    for number in 1...3 {
      try setAll(realm, transaction, to: number)
      let earlier = transaction.base
      try transaction.spill()
      #expect(try values(realm, transaction.base) == [realm.value(number)])
      // States of earlier spills are still there.
      #expect(try values(realm, earlier) == (number == 1 ? before : [realm.value(number - 1)]))
      #expect(try values(realm, RealmFileTests.opened(path, key)) == before)
    }
    try transaction.commit()
    let after = try RealmFileTests.opened(path, key)
    #expect(try values(realm, after) == [realm.value(3)])
    #expect(try after.faults() == [])
  }

  @Test("a transaction that is given up after a spill leaves the realm as it was", arguments: cases)
  private func spillThenRollBack(_ realm: Case) throws {
    let folder = try TemporaryFolder()
    let (file, path) = try open(realm, folder)
    let key = try RealmFileTests.key(of: realm.fixture)
    let (version, digest) = (file.snapshot.version, try file.snapshot.nodeDigest())
    for isExplicit in [true, false] {
      do {
        let transaction = try WriteTransaction(file)
        try setAll(realm, transaction, to: 7)
        try transaction.spill()
        try setAll(realm, transaction, to: 8)
        if isExplicit { transaction.rollBack() }
      }
      let after = try RealmFileTests.opened(path, key)
      #expect(after.version == version)
      #expect(try after.nodeDigest() == digest)
      #expect(try after.faults() == [])
    }
    // The next one begins from the old state.
    let transaction = try WriteTransaction(file)
    try setAll(realm, transaction, to: 9)
    try transaction.commit()
    #expect(try values(realm, file.snapshot) == [realm.value(9)])
    #expect(try RealmFileTests.opened(path, key).faults() == [])
  }

  @Test func `tables that were taken before a spill are of no use, and new ones are`() throws {
    let folder = try TemporaryFolder()
    let (file, _) = try open(Self.cases[0], folder)
    let transaction = try WriteTransaction(file)
    let old = try transaction.table("class_Dog")
    try old.set("name", of: ObjectKey(rawValue: 0), to: "first")
    try transaction.spill()
    #expect(throws: EditError.self) {
      try RealmError.uncovering { try old.set("name", of: ObjectKey(rawValue: 0), to: "second") }
    }
    let new = try transaction.table("class_Dog")
    #expect(try new.value("name", of: ObjectKey(rawValue: 0)) == "first")
    let key = try new.create(primaryKey: .objectID(ObjectID(head: 1, tail: 2)))
    try transaction.spill()
    #expect(try transaction.base.table(displayName: "Dog")?.object(key) != nil)
    // The schema is kept.
    try transaction.table("class_Dog").addProperty(Property(name: "age", type: .int))
    try transaction.spill()
    #expect(transaction.base.table(displayName: "Dog")?.schema.property(named: "age") != nil)
    try transaction.commit()
    #expect(try file.snapshot.faults() == [])
    #expect(throws: EditError.ended) { try transaction.spill() }
  }

  @Test func `a spill without changes writes nothing`() throws {
    let folder = try TemporaryFolder()
    let (file, path) = try open(Self.cases[0], folder)
    let before = try Fixture.bytes(ofFile: path)
    let transaction = try WriteTransaction(file)
    let base = transaction.base
    try transaction.spill()
    #expect(transaction.base === base)
    try transaction.forgetEarlierSpills()
    try transaction.commit()
    #expect(try Fixture.bytes(ofFile: path) == before)
  }

  @Test("the space of spills that are forgotten is used again", arguments: cases)
  private func space(_ realm: Case) throws {
    var sizes: [UInt64] = []
    for forgets in [false, true] {
      let folder = try TemporaryFolder()
      let (file, path) = try open(realm, folder)
      let transaction = try WriteTransaction(file)
      for number in 1...60 {
        try setAll(realm, transaction, to: number)
        try transaction.spill()
        if forgets { try transaction.forgetEarlierSpills() }
        #expect(try values(realm, transaction.base) == [realm.value(number)])
      }
      try transaction.commit()
      let after = try RealmFileTests.opened(path, RealmFileTests.key(of: realm.fixture))
      #expect(try values(realm, after) == [realm.value(60)])
      #expect(try after.faults() == [])
      sizes.append(after.logicalSize)
    }
    // The other file has free space for all of it.
    if realm.fixture == "dogs" { #expect(sizes[1] * 2 < sizes[0], "\(sizes)") } else { #expect(sizes[1] <= sizes[0]) }
  }

  @Test("each call of spills and the commit goes wrong once", arguments: cases)
  private func faults(_ realm: Case) throws {
    let folder = try TemporaryFolder()
    let bytes = try Fixture.bytes("engine/\(realm.fixture).realm")
    let key = try RealmFileTests.key(of: realm.fixture)
    let path = folder.path("app.realm")
    var call = 0
    var calls: FailingCalls
    var failures = 0
    repeat {
      call += 1
      try folder.write("app.realm", bytes)
      let before = try values(realm, RealmFileTests.opened(path, key))
      calls = FailingCalls(.inputOutputError, atCall: call)
      do {
        let file = try RealmFile(path, key: key, waitingMilliseconds: 60_000, calls: calls, pageLimit: 32)
        let transaction = try WriteTransaction(file)
        for number in 1...2 {
          try setAll(realm, transaction, to: number)
          try transaction.spill()
        }
        try transaction.forgetEarlierSpills()
        try setAll(realm, transaction, to: 3)
        try transaction.commit()
      } catch {
        failures += 1
      }
      let after = try RealmFileTests.opened(path, key)
      let now = try values(realm, after)
      #expect(now == before || now == [realm.value(3)], "call \(call)")
      #expect(try after.faults() == [], "call \(call)")
      #expect(calls.openDescriptors == 0, "call \(call)")
    } while calls.hasFailed && call < 10_000
    #expect(failures > 5)
  }
}
