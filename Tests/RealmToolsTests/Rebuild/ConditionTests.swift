import RealmExchange
import RealmOpening
import RealmQuery
import RealmStorage
import RealmText
import RealmTools
import TestSupport
import Testing

/// Copies of the objects that match a query.
@Suite struct ConditionTests {
  /// A kind of link, with a value of links to `Rex`, who is kept, and `Tom`, who is not.
  struct LinkKind: Sendable, CustomTestStringConvertible {
    let type: String
    let value: String
    /// What is left of it, as in an export.
    let rest: String
    let linkCount: Int
    var testDescription: String { "\(type): \(value)" }

    init(_ type: String, _ value: String, _ rest: String, _ linkCount: Int) {
      (self.type, self.linkCount) = (type, linkCount)
      self.value = value.replacing("REX", with: Self.rex).replacing("TOM", with: Self.tom)
      self.rest = rest.replacing("REX", with: Self.rex)
    }

    private static let rex = #"{"$link":{"table":"Pet","objKey":0}}"#
    private static let tom = #"{"$link":{"table":"Pet","objKey":1}}"#

    static let all = [
      LinkKind("Pet?", "REX", "REX", 0), LinkKind("Pet?", "TOM", "null", 1),
      LinkKind("Pet[]", "[TOM,REX,TOM,REX]", "[REX,REX]", 2), LinkKind("Pet[]", "[TOM]", "[]", 1),
      LinkKind("Pet<>", "[REX,TOM]", #"{"$set":[REX]}"#, 1), LinkKind("Pet<>", "[TOM]", #"{"$set":[]}"#, 1),
      LinkKind("Pet{}", #"{"a":REX,"b":TOM,"c":null}"#, #"{"$dictionary":{"a":REX,"b":null,"c":null}}"#, 1),
      LinkKind("mixed", "REX", "REX", 0), LinkKind("mixed", "TOM", "null", 1),
      LinkKind("mixed", #"[TOM,[REX,TOM],{"$dictionary":{"k":TOM}}]"#, #"[[REX],{"$dictionary":{"k":null}}]"#, 3),
      LinkKind("mixed[]", "[TOM,1,REX]", "[1,REX]", 1),
      LinkKind("mixed<>", #"{"$set":[1,REX,TOM]}"#, #"{"$set":[1,REX]}"#, 1),
      LinkKind("mixed<>", #"{"$set":[null,TOM]}"#, #"{"$set":[null]}"#, 1),
      LinkKind("mixed{}", #"{"a":TOM,"b":[TOM,REX]}"#, #"{"$dictionary":{"a":null,"b":[REX]}}"#, 2),
    ]
  }

  private static func filter(
    _ conditions: [String: String], withLinks: Bool = false, lossy: Bool = false, only: [String]? = nil,
    excluding excluded: [String] = []
  ) -> CopyFilter {
    var filter = CopyFilter()
    filter.conditions = conditions.sorted { $0.key < $1.key }
      .map { ClassCondition(className: RealmString($0.key), query: $0.value) }
    (filter.followsLinks, filter.allowsDataLoss) = (withLinks, lossy)
    filter.classes.only = only.map { $0.map { RealmString($0) } }
    filter.classes.excluded = excluded.map { RealmString($0) }
    return filter
  }

  private static func expectSameHash(_ source: BuiltRealm, _ plan: RebuildPlan, _ copy: BuiltRealm) throws {
    for includesKeys in [true, false] {
      var (expected, found) = (ContentHasher(source.snapshot), ContentHasher(copy.snapshot))
      expected.selection = plan.selection
      (expected.includesObjectKeys, found.includesObjectKeys) = (includesKeys, includesKeys)
      #expect(try expected.run() == found.run())
    }
  }

  @Test("a link to an object left out stops the copy, or goes", arguments: LinkKind.all)
  func links(_ kind: LinkKind) throws {
    let source = try BuiltRealm(
      schema: """
        [{"name":"Person","properties":{"x":"\(kind.type)"}},{"name":"Pet","properties":{"name":"string"}}]
        """,
      data: """
        {"class":"Pet","objKey":0,"value":{"name":"Rex"}}
        {"class":"Pet","objKey":1,"value":{"name":"Tom"}}
        {"class":"Person","objKey":0,"value":{"x":\(kind.value)}}
        """)
    let bytes = source.bytes
    let conditions = ["Pet": "name == 'Rex'"]
    let loss = LinkLoss(
      className: "Person", property: "x", to: kind.type.hasPrefix("Pet") ? "Pet" : nil, leavesPropertyOut: false,
      leadsToObjects: true, linkCount: kind.linkCount)
    if kind.linkCount > 0 {
      #expect(throws: CopyError.linksToLeftOutParts([loss])) {
        try RebuildPlan(source.snapshot, filter: Self.filter(conditions))
      }
    }
    let filter = Self.filter(conditions, lossy: kind.linkCount > 0)
    let plan = try RebuildPlan(source.snapshot, filter: filter)
    #expect(plan.losses == (kind.linkCount > 0 ? [loss] : []))
    #expect(plan.leftOutObjectCount == 1)
    let (_, report) = try SnapshotRebuild(source.snapshot, selection: plan.selection).run(into: RealmImage())
    #expect(report.lostLinkCount == kind.linkCount)
    let copy = try BuiltRealm(rebuilding: source.snapshot, filter)
    #expect(
      try copy.text() == """
        {"class":"Person","objKey":0,"value":{"x":\(kind.rest)}}
        {"class":"Pet","objKey":0,"value":{"name":"Rex"}}

        """)
    try Self.expectSameHash(source, plan, copy)
    // The linked objects are included if requested, so that nothing is missing.
    let whole = try RebuildPlan(
      source.snapshot, filter: Self.filter(["Pet": "name == 'Rex'", "Person": "TRUEPREDICATE"], withLinks: true))
    #expect(whole.losses.isEmpty)
    #expect(whole.leftOutObjectCount == (kind.value.contains(#""objKey":1"#) ? 0 : 1))
    #expect(source.bytes == bytes)
  }

  // MARK: Against a naive filter

  @Test("random copies hold what a filter of the export says", arguments: 0..<24)
  func randomParts(_ number: Int) throws {
    let source = try LinkRealm.random(UInt64(number))
    let content = try FilteredContent(of: source)
    var random = SeededGenerator(seed: UInt64(number) &+ 1000)
    for _ in 0..<6 {
      var limits: [String: Int] = [:]
      for name in LinkRealm.classes where random.next() % 2 == 0 { limits[name] = Int(random.next() % 11) }
      guard !limits.isEmpty else { continue }
      let withLinks = random.next() % 2 == 0
      let whole = withLinks ? LinkRealm.classes.filter { _ in random.next() % 4 == 0 } : []
      let excluded = LinkRealm.classes.filter { limits[$0] == nil && random.next() % 4 == 0 }
      let filter = Self.filter(
        limits.mapValues { "n < \($0)" }, withLinks: withLinks, lossy: true, only: whole.isEmpty ? nil : whole,
        excluding: whole.isEmpty ? excluded : [])
      let leftOut = Set(whole.isEmpty ? excluded : [])
      var taken = content.objects { name, value in
        if leftOut.contains(name) { return false }
        if let limit = limits[name] { return (value["n"]?.integer ?? 0) < limit }
        return withLinks ? whole.contains(name) : true
      }
      if withLinks { taken = content.reached(from: taken, excluding: leftOut) }
      let plan = try RebuildPlan(source.snapshot, filter: filter)
      let copy = try BuiltRealm(rebuilding: source.snapshot, filter)
      let lines = content.lines(taking: taken, excluding: leftOut)
      let found = try FilteredContent.lines(of: copy)
      let difference = zip(found, lines).first { $0 != $1 }
      #expect(found == lines, "\(filter): \(String(describing: difference))")
      try Self.expectSameHash(source, plan, copy)
      // Only links to what was excluded are lost.
      if withLinks { #expect(plan.losses.allSatisfy { !$0.leadsToObjects }) }
      let kept = plan.losses.filter { !$0.leavesPropertyOut }.reduce(0) { $0 + $1.linkCount }
      let (_, report) = try SnapshotRebuild(source.snapshot, selection: plan.selection).run(into: RealmImage())
      #expect(report.lostLinkCount == kept)
    }
  }

  // MARK: What is reached

  private static let chain = """
    [{"name":"Node","primaryKey":"id","properties":{"id":"int","next":"Node?"}},
     {"name":"Other","properties":{"n":"int"}}]
    """

  @Test func `a ring and a long chain are followed to their ends`() throws {
    let count = 5000
    let lines = (0..<count).map { id in
      // The last tenth is a ring of its own.
      let next = id == count * 9 / 10 - 1 ? "null" : id == count - 1 ? "\(count * 9 / 10)" : "\(id + 1)"
      return #"{"class":"Node","value":{"id":\#(id),"next":\#(next)}}"#
    }
    let source = try BuiltRealm(
      schema: Self.chain, data: lines.joined(separator: "\n") + "\n" + #"{"class":"Other","value":{"n":1}}"#)
    func kept(_ query: String) throws -> (Int?, [Int]) {
      let filter = Self.filter(["Node": query], withLinks: true)
      let plan = try RebuildPlan(source.snapshot, filter: filter)
      #expect(plan.losses.isEmpty)
      let copy = try BuiltRealm(rebuilding: source.snapshot, filter)
      try Self.expectSameHash(source, plan, copy)
      return (
        plan.matches.first?.objectCount,
        try ["Node", "Other"].map { name in
          try #require(copy.snapshot.table(displayName: RealmString(name))).objectCount()
        }
      )
    }
    #expect(try kept("id == 0") == (1, [count * 9 / 10, 0]))
    #expect(try kept("id == \(count - 5)") == (1, [count / 10, 0]))
    #expect(try kept("id > 5 SORT(id DESC) LIMIT(1)") == (1, [count / 10, 0]))
    #expect(try kept("id < 0") == (0, [0, 0]))
  }

  @Test func `classes asked for by name are whole, and others come along only as they are reached`() throws {
    let source = try BuiltRealm(
      schema: """
        [{"name":"A","properties":{"b":"B?","any":"mixed"}},{"name":"B","properties":{"c":"C?"}},
         {"name":"C","properties":{"n":"int"}},{"name":"D","properties":{"e":"E?"}},
         {"name":"E","properties":{"n":"int"}},{"name":"X","properties":{"n":"int"}}]
        """,
      data: """
        {"class":"C","objKey":0,"value":{"n":1}}
        {"class":"C","objKey":1,"value":{"n":2}}
        {"class":"B","objKey":0,"value":{}}
        {"class":"B","objKey":1,"value":{"c":1}}
        {"class":"E","objKey":0,"value":{"n":5}}
        {"class":"D","objKey":0,"value":{}}
        {"class":"D","objKey":1,"value":{"e":0}}
        {"class":"A","objKey":0,"value":{"b":1}}
        {"class":"A","objKey":1,"value":{"any":[{"$link":{"table":"D","objKey":0}}]}}
        {"class":"X","objKey":0,"value":{"n":1}}
        """)
    let copy = try BuiltRealm(rebuilding: source.snapshot, Self.filter([:], withLinks: true, only: ["A"]))
    // C by its link, D by a Mixed value, and E because a property of D needs it.
    let counts = try copy.snapshot.tables.filter(\.schema.isClass).map {
      "\($0.schema.displayName)\(try $0.objectCount())"
    }
    #expect(counts == ["A2", "B1", "C1", "D1", "E0"])
    let part = try BuiltRealm(
      rebuilding: source.snapshot, Self.filter(["X": "n == 1"], withLinks: true, only: ["B"]))
    #expect(
      try part.snapshot.tables.filter(\.schema.isClass).map { "\($0.schema.displayName)\(try $0.objectCount())" }
        == ["B2", "C1", "X1"])
  }

  @Test func `embedded objects go where their parents go`() throws {
    let source = try BuiltRealm(
      schema: """
        [{"name":"P","primaryKey":"id","properties":{"id":"int","e":"E?","es":"E[]","em":"E{}"}},
         {"name":"E","embedded":true,"properties":{"s":"string","f":"F?"}},
         {"name":"F","embedded":true,"properties":{"p":"P?"}}]
        """,
      data: """
        {"class":"P","value":{"id":1,"e":{"s":"a","f":{"p":2}},"es":[{"s":"b"}],"em":{"k":{"s":"c","f":{"p":1}}}}}
        {"class":"P","value":{"id":2,"e":{"s":"d"},"es":[{"s":"e","f":{"p":3}},{"s":"f"}]}}
        {"class":"P","value":{"id":3,"e":{"s":"g","f":{"p":1}}}}
        """)
    let first = Self.filter(["P": "id == 1"])
    let loss = LinkLoss(
      className: "F", property: "p", to: "P", leavesPropertyOut: false, leadsToObjects: true, linkCount: 1)
    #expect(throws: CopyError.linksToLeftOutParts([loss])) { try RebuildPlan(source.snapshot, filter: first) }
    let lossy = Self.filter(["P": "id == 1"], lossy: true)
    let plan = try RebuildPlan(source.snapshot, filter: lossy)
    #expect(plan.losses == [loss])
    #expect((plan.leftOutObjectCount, plan.leftOutEmbeddedObjectCount) == (2, 6))
    let copy = try BuiltRealm(rebuilding: source.snapshot, lossy)
    #expect(try copy.snapshot.tables.filter(\.schema.isClass).map { try $0.objectCount() }.sorted() == [1, 2, 3])
    #expect(
      try copy.text().contains(#""s":"c","f":{"p":{"$link":{"table":"P","key":1}}}"#))
    try Self.expectSameHash(source, plan, copy)
    // Through an embedded object to the second object, and from there to the third.
    #expect(
      try RebuildPlan(source.snapshot, filter: Self.filter(["P": "id == 1"], withLinks: true)).selection
        .takesEverything(of: source.snapshot))
    #expect(throws: CopyError.conditionOnEmbeddedClass("E")) {
      try RebuildPlan(source.snapshot, filter: Self.filter(["E": "s == 'a'"]))
    }
  }

  @Test func `objects found by their primary key keep its order in the comparison`() throws {
    for type in ["int", "string"] {
      let ids = [5, 3, 9, 1, 7].map { type == "int" ? "\($0)" : "\"\($0)\"" }
      let source = try BuiltRealm(
        schema: #"[{"name":"P","primaryKey":"id","properties":{"id":"\#(type)","n":"int"}}]"#,
        data: ids.enumerated().map { #"{"class":"P","value":{"id":\#($1),"n":\#($0)}}"# }.joined(separator: "\n"))
      let filter = Self.filter(["P": "n != 2"])
      let copy = try BuiltRealm(rebuilding: source.snapshot, filter)
      try Self.expectSameHash(source, RebuildPlan(source.snapshot, filter: filter), copy)
      #expect(try copy.text().split(separator: "\n").count == 4)
    }
  }

  @Test func `entries of the map of key collisions go with their objects`() throws {
    let tree = try NodeTree(Fixture.bytes("engine/dogs.realm"))
    let ids = (0..<5).map(Int64.init)
    try tree.table("class_Dog").top.elements[10] = .child(
      .refs([.child(.numbers(ids)), .child(.numbers(ids)), .child(.numbers(ids))]))
    let folder = try TemporaryFolder()
    let source = try TestRealm(try folder.write("map.realm", tree.written(.normal))).snapshot
    for (query, kept) in [("name != 'Rex'", [1, 2, 3, 4]), ("FALSEPREDICATE", nil)] as [(String, [Int64]?)] {
      let copy = try BuiltRealm(rebuilding: source, Self.filter(["Dog": query], lossy: true))
      let map = try NodeTree(copy.bytes).table("class_Dog").top.child(10)
      #expect((0..<3).map { map?.child($0)?.values } == [kept, kept, kept])
    }
  }

  // MARK: Errors

  @Test func `what is not a query is named, and so is a class that is not there`() throws {
    let source = try BuiltRealm(schema: Self.chain, data: "")
    let condition = ClassCondition(className: "Node", query: "id ==")
    let error = #expect(throws: CopyError.self) {
      try RebuildPlan(source.snapshot, filter: Self.filter(["Node": "id =="]))
    }
    guard case .query(let mistake, condition) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(mistake.code == .syntaxError)
    let classes = source.snapshot.schema.classes.map(\.displayName)
    #expect(throws: CopyError.noSuchClass("None", among: classes)) {
      try RebuildPlan(source.snapshot, filter: Self.filter(["None": "TRUEPREDICATE"]))
    }
    #expect(throws: CopyError.noSuchClass("metadata", among: classes)) {
      try RebuildPlan(source.snapshot, filter: Self.filter(["metadata": "TRUEPREDICATE"]))
    }
  }

  @Test func `a condition that cannot be answered everywhere gives no copy`() throws {
    // The node with the breeds of all dogs claims more elements than the file has bytes.
    var bytes = try Fixture.bytes("engine/dogs.realm")
    bytes.replaceSubrange(1996..<2000, with: [0xff, 0xff, 0xff, 0xff])
    let folder = try TemporaryFolder()
    let source = try TestRealm(try folder.write("damaged.realm", bytes)).snapshot
    #expect(throws: StorageError.self) {
      try RebuildPlan(source, filter: Self.filter(["Dog": "breed == 'Collie'"]))
    }
  }

  @Test("a condition for all objects leaves nothing out", arguments: ["dogs", "corners", "all-types", "deep-tree"])
  func everything(_ name: String) throws {
    try leavingUntouched(Fixture.path("engine/\(name).realm")) { path in
      let source = try TestRealm(path).snapshot
      for table in source.schema.classes where table.kind == .topLevel {
        let filter = Self.filter([table.displayName.description: "TRUEPREDICATE"])
        #expect(try RebuildPlan(source, filter: filter).selection.takesEverything(of: source))
      }
    }
  }
}
