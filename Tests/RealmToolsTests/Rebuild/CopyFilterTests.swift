import Foundation
import RealmExchange
import RealmOpening
import RealmStorage
import RealmTools
import TestSupport
import Testing

/// Copies of a part of a realm.
@Suite struct CopyFilterTests {
  private static let schema = """
    [{"name":"Person","primaryKey":"id","properties":{"id":"int","address":"Address","pet":"Pet?","pets":"Pet[]",
      "any":"mixed","anySet":"mixed<>","anyList":"mixed[]","anyMap":"mixed{}","friend":"Person?"}},
     {"name":"Company","properties":{"address":"Address","sites":"Address[]","owner":"Person?"}},
     {"name":"Pet","properties":{"name":"string"}},
     {"name":"Address","embedded":true,"properties":{"street":"string","geo":"Geo"}},
     {"name":"Geo","embedded":true,"properties":{"lat":"double"}}]
    """

  private static let data = """
    {"class":"Pet","objKey":0,"value":{"name":"Rex"}}
    {"class":"Pet","objKey":1,"value":{"name":"Tom"}}
    {"class":"Company","value":{"address":{"street":"C1","geo":{"lat":1.5}},"sites":[{"street":"C2"},{"street":"C3"}],
      "owner":2}}
    {"class":"Person","value":{"id":1,"address":{"street":"P1","geo":{"lat":2.5}},"pet":0,"pets":[0,1,0],
      "any":{"$link":{"table":"Pet","objKey":1}}}}
    {"class":"Person","value":{"id":2,"friend":1,"address":{"street":"P2"},
      "anySet":{"$set":[5,null,{"$link":{"table":"Pet","objKey":0}},{"$link":{"table":"Pet","objKey":1}},
        {"$link":{"table":"Person","key":1}}]},
      "anyList":["x",{"$link":{"table":"Pet","objKey":0}},[{"$link":{"table":"Pet","objKey":1}}]],
      "anyMap":{"a":{"$link":{"table":"Person","key":2}},"b":{"$link":{"table":"Pet","objKey":0}}}}}
    """

  private func source() throws -> BuiltRealm { try BuiltRealm(schema: Self.schema, data: Self.data) }

  private func filter(only: [String]? = nil, without: [String] = [], lossy: Bool = false) -> CopyFilter {
    var filter = CopyFilter()
    filter.classes.only = only.map { $0.map { RealmString($0) } }
    filter.classes.excluded = without.map { RealmString($0) }
    filter.allowsDataLoss = lossy
    return filter
  }

  private func names(_ realm: BuiltRealm) -> [String] { realm.snapshot.tables.map(\.schema.name.description) }

  @Test func `without a filter everything is taken`() throws {
    let source = try source()
    let plan = try RebuildPlan(source.snapshot)
    #expect(plan.losses.isEmpty && plan.leftOutEmbeddedObjectCount == 0)
    #expect(try BuiltRealm(rebuilding: source.snapshot).digest() == source.digest())
  }

  @Test func `a property that links to a class left out stops the copy, with all of them and their counts`() throws {
    let source = try source()
    let expected = [
      LinkLoss(className: "Person", property: "pet", to: "Pet", leavesPropertyOut: true, linkCount: 1),
      LinkLoss(className: "Person", property: "pets", to: "Pet", leavesPropertyOut: true, linkCount: 3),
      LinkLoss(className: "Person", property: "any", leavesPropertyOut: false, linkCount: 1),
      LinkLoss(className: "Person", property: "anySet", leavesPropertyOut: false, linkCount: 2),
      LinkLoss(className: "Person", property: "anyList", leavesPropertyOut: false, linkCount: 2),
      LinkLoss(className: "Person", property: "anyMap", leavesPropertyOut: false, linkCount: 1),
    ]
    #expect(throws: CopyError.linksToLeftOutParts(expected)) {
      try RebuildPlan(source.snapshot, filter: filter(without: ["Pet"]))
    }
    let plan = try RebuildPlan(source.snapshot, filter: filter(without: ["Pet"], lossy: true))
    #expect(plan.losses == expected)
    #expect(
      expected.map(\.description) == [
        "property 'Person.pet' links to a class that is left out (1 link)",
        "property 'Person.pets' links to a class that is left out (3 links)",
        "property 'Person.any' has 1 link to classes that are left out",
        "property 'Person.anySet' has 2 links to classes that are left out",
        "property 'Person.anyList' has 2 links to classes that are left out",
        "property 'Person.anyMap' has 1 link to classes that are left out",
      ])
  }

  @Test func `with loss allowed such properties go, and such links as if their targets were deleted`() throws {
    let source = try source()
    let plan = try RebuildPlan(source.snapshot, filter: filter(without: ["Pet"], lossy: true))
    let image = RealmImage()
    let (_, report) = try SnapshotRebuild(source.snapshot, selection: plan.selection).run(into: image)
    #expect(report.lostLinkCount == 6)
    let built = try BuiltRealm(rebuilding: source.snapshot, filter(without: ["Pet"], lossy: true))
    let address = #""address":{"street":"P2","geo":null}"#
    #expect(
      try built.text().contains(
        """
        {"class":"Person","objKey":1,"value":{"id":2,\(address),"any":null,"anySet":{"$set":[null,5,{"$link":\
        {"table":"Person","key":1}}]},"anyList":["x",[]],"anyMap":{"$dictionary":{"a":{"$link":\
        {"table":"Person","key":2}},"b":null}},"friend":{"$link":{"table":"Person","key":1}}}}
        """))
    #expect(try !built.text().contains("Rex"))
    // The hash of the part, computed on the source, is that of the copy.
    var hasher = ContentHasher(source.snapshot)
    hasher.selection = plan.selection
    #expect(try hasher.run() == ContentHasher(built.snapshot).run())
  }

  @Test func `embedded classes come along, with the objects of those who come`() throws {
    let source = try source()
    let plan = try RebuildPlan(source.snapshot, filter: filter(only: ["Person", "Pet"]))
    #expect(plan.losses.isEmpty)
    // Three addresses and one place of the company.
    #expect(plan.leftOutEmbeddedObjectCount == 4)
    let built = try BuiltRealm(rebuilding: source.snapshot, filter(only: ["Person", "Pet"]))
    #expect(names(built) == ["metadata", "class_Address", "class_Geo", "class_Person", "class_Pet"])
    #expect(try built.snapshot.tables.map { try $0.objectCount() } == [1, 2, 1, 2, 2])
    #expect(try built.text().contains("P1") && !built.text().contains("C1"))
    var hasher = ContentHasher(source.snapshot)
    hasher.selection = plan.selection
    #expect(try hasher.run() == ContentHasher(built.snapshot).run())
  }

  @Test func `slots of tables left out stay free, with a new tag`() throws {
    let source = try source()
    let built = try BuiltRealm(rebuilding: source.snapshot, filter(only: ["Person", "Pet"]))
    let keys = Dictionary(uniqueKeysWithValues: source.snapshot.tables.map { ($0.schema.name, $0.key) })
    for table in built.snapshot.tables { #expect(table.key == keys[table.schema.name]) }
    #expect(names(source)[2] == "class_Company")
  }

  @Test func `an embedded class that is left out by name counts as left out`() throws {
    let source = try source()
    #expect(throws: CopyError.self) {
      try RebuildPlan(source.snapshot, filter: filter(only: ["Company"], without: ["Address"]))
    }
    let built = try BuiltRealm(
      rebuilding: source.snapshot, filter(only: ["Company"], without: ["Address"], lossy: true))
    #expect(names(built) == ["metadata", "class_Company"])
    #expect(try built.text() == "{\"class\":\"Company\",\"objKey\":0,\"value\":{}}\n")
  }

  @Test func `a class that is not there is named`() throws {
    let source = try source()
    let isUnknown = CopyError.noSuchClass("Cat", among: source.snapshot.schema.classes.map(\.displayName))
    #expect(throws: isUnknown) { try RebuildPlan(source.snapshot, filter: filter(only: ["Person", "Cat"])) }
    #expect(throws: isUnknown) { try RebuildPlan(source.snapshot, filter: filter(without: ["Cat"])) }
    #expect(isUnknown.description == "no class 'Cat'")
  }

  @Test func `internal tables can be left out, the schema version stays`() throws {
    var filter = CopyFilter()
    filter.includesInternalTables = false
    for (name, expected) in [("corners", []), ("dogs", ["metadata"])] as [(String, [RealmString])] {
      let path = Fixture.path("engine/\(name).realm")
      let before = try FileState(path)
      let source = try TestRealm(path).snapshot
      let built = try BuiltRealm(rebuilding: source, filter).snapshot
      #expect(source.tables.contains { !$0.schema.isClass })
      #expect(built.tables.filter { !$0.schema.isClass }.map(\.schema.name) == expected)
      #expect(built.schema.version == source.schema.version)
      #expect(try ContentHasher(built).run() == ContentHasher(source).run())
      #expect(try FileState(path) == before)
    }
  }
}
