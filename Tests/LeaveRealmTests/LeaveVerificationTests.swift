import Foundation
import RealmStorage
import TestSupport
import Testing

@testable import LeaveRealm

/// Comparing a realm with a target.
@Suite struct LeaveVerificationTests {
  private func rows(_ run: LeaveRealm, _ name: String) throws -> [LeaveRow] {
    var rows: [LeaveRow] = []
    // What a class expects is what a target without faults has.
    try run.verify(name, expecting: { rows.append($0) }) { compare in
      for key in 0..<1000 { try compare(LeaveRow(key: .int(Int64(key)), [:])) }
    }
    return rows
  }

  @Test("each difference is found, with key and property") func differences() throws {
    let (folder, path) = try LeaveRealmTests.folder("engine/person-v1.realm")
    defer { withExtendedLifetime(folder) {} }
    let run = try LeaveRealm(from: path) { nil }
    guard let name = run.realm.schema.classes.first(where: { $0.primaryKeyIndex == nil && $0.kind != .embedded }) else {
      Issue.record("the fixture has no class without primary key")
      return
    }
    let className = name.displayName.description
    let own = try rows(run, className)
    #expect(!own.isEmpty)
    let same = try run.verify(className) { compare in for row in own.reversed() { try compare(row) } }
    #expect(same.isSame)
    #expect(same.sameCount == own.count)
    #expect(same.notCompared == [])
    #expect(run.account[className]?.verification?.isSame == true)
    let proof = try run.verify(className) { compare in
      for row in own.dropLast() { try compare(row) }
      try compare(own[0])
      try compare(LeaveRow(key: .int(4711), [:]))
      try compare(LeaveRow(key: "x", [:]))
    }
    #expect(!proof.isSame)
    #expect(
      proof.differences.map(\.kind) == [.duplicate, .extra, .extra, .missing])
    var changed = own[0]
    changed.values[name.properties[0].name] = "changed"
    changed.values["other"] = .null
    let values = try run.verify(className) { compare in try compare(changed) }
    #expect(values.differenceCount == own.count + 1)
    let error = #expect(throws: LeaveError.self) { try run.verify(className) { _ in throw Killed() } }
    #expect(error?.kind == .target)
  }

  @Test("a property that a row lacks is listed") func lacking() throws {
    let (folder, path) = try LeaveRealmTests.folder("engine/person-v1.realm")
    defer { withExtendedLifetime(folder) {} }
    let run = try LeaveRealm(from: path) { nil }
    var people = try rows(run, "Person")
    people[1].values["age"] = nil
    let proof = try run.verify("Person") { compare in for row in people { try compare(row) } }
    #expect(proof.isSame)
    #expect(proof.notCompared == ["age"])
    #expect(try run.verify("Person") { _ in }.notCompared.count == people[0].values.count)
  }

  @Test("a damaged index hides nothing") func damagedIndex() throws {
    let tree = try NodeTree(Fixture.bytes("engine/dogs.realm"))
    var index = try tree.table("class_Dog").index("_id")
    while index.elements.count < 3 { index = try #require(index.child(1)) }
    // Two objects at each other's place.
    index.elements.swapAt(1, 2)
    let folder = try TemporaryFolder()
    let run = try LeaveRealm(from: try folder.write("app.realm", tree.written(.normal))) { nil }
    let proof = try run.verify("Dog") { compare in
      try run.realm.objects("Dog").forEach { dog in
        try compare(LeaveRow(key: dog["_id"] ?? .null, ["name": dog["name"] ?? .null]))
      }
    }
    #expect(proof.isSame, "\(proof.differences)")
  }

  @Test("names that differ only in their bytes are two properties") func twins() throws {
    let (folder, path) = try LeaveRealmTests.folder()
    defer { withExtendedLifetime(folder) {} }
    let names: [RealmString] = ["\u{e9}", "e\u{301}"]
    let properties = names.map { Property(name: $0, type: .int) }
    try RealmFile.open(at: path).edit {
      try $0.addTables([TableSchema(name: "class_Twins", properties: properties)])
    }
    try Realm.write(at: path) { tx in
      let twins = try tx.create("Twins")
      for (index, name) in names.enumerated() { try twins.set(name.description, to: index) }
    }
    let run = try LeaveRealm(from: path) { nil }
    let own = try rows(run, "Twins")
    #expect(own.map(\.values) == [[names[0]: 0, names[1]: 1]])
    let proof = try run.verify("Twins") { try $0(LeaveRow(key: 0, [names[1]: 2])) }
    #expect(proof.differences.map(\.kind) == [.value(names[1].description, realm: 1, target: 2)])
    #expect(proof.notCompared.map { RealmString($0) } == [names[0]])
    try run.copy("Twins", properties: [], optional: [names[1].description]) { _, checkpoint in _ = checkpoint.text }
    #expect(run.account["Twins"]?.unread.map { RealmString($0) } == [names[0]])
  }

  @Test("lists are compared in their order") func order() throws {
    let (folder, path) = try LeaveRealmTests.folder()
    defer { withExtendedLifetime(folder) {} }
    let run = try LeaveRealm(from: path) { nil }
    var people: [LeaveRow] = []
    let table = try #require(run.realm.snapshot.table(displayName: "Person"))
    var keys: [Value] = []
    try table.forEachBatch(in: run.realm.snapshot) { batch in
      for row in 0..<batch.count {
        let index = table.schema.primaryKeyIndex
        keys.append(
          try index.map { try Value(batch.values(ofProperty: $0).value(at: row), run.realm.snapshot.collectionWalk()) }
            ?? .int(batch.key(at: row).rawValue))
      }
    }
    try run.verify("Person", expecting: { people.append($0) }) { compare in
      for key in keys { try compare(LeaveRow(key: key, [:])) }
    }
    #expect(people.count == 3)
    var isReversed = false
    let proof = try run.verify("Person") { compare in
      for var row in people {
        if case .list(let dogs)? = row.values["dogs"], dogs.count > 1, dogs.reversed() != dogs {
          row.values["dogs"] = .list(dogs.reversed())
          isReversed = true
        }
        try compare(row)
      }
    }
    #expect(isReversed)
    #expect(proof.differences.first?.kind == .order("dogs"))
    #expect(proof.differences.allSatisfy { $0.kind == .order("dogs") })
  }
}
