import RealmMigration
import RealmOpening
import RealmStorage
import RealmTools
import TestSupport
import Testing

/// What reports say about lost values, and what has to be allowed.
@Suite struct AccountTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let operation: String
    /// Class.property cause values/objects.
    var lost: [String] = []
    var overwritten: [String] = []
    var deleted: [RealmString: Int] = [:]
    var created: [RealmString: Int] = [:]
    /// Whether `lossy: ok` or an option has to allow it.
    var needsPermission = false
    /// Whether the file no longer has something that it had, so that its bytes are left over.
    var removes = true
    var testDescription: String { operation }
  }

  /// Every kind of value, links of every kind, and a class without properties.
  static let schema = """
    [{"name":"Node","properties":{"n":"int","o":"int?","b":"bool","t":"string","m":"mixed","l":"int[]","next":"Node",
       "tags":"Tag[]","any":"mixed","home":"Home"}},
     {"name":"Tag","primaryKey":"id","properties":{"id":"int","w":"string?"}},
     {"name":"Home","embedded":true,"properties":{"city":"string"}},
     {"name":"Bare","properties":{}}]
    """
  static let data = """
    {"Tag":[{"id":1,"w":"x"},{"id":2,"w":null},{"id":3,"w":"x"}],"Bare":[{"_key":0},{"_key":1}],
     "Node":[
      {"_key":0,"n":0,"o":0,"b":false,"t":"","m":0,"l":[],"next":{"_key":1},"tags":[1,2,1],
       "any":{"$link":{"table":"Bare","objKey":0}},"home":{"city":"A"}},
      {"_key":1,"n":5,"o":null,"b":true,"t":"u","m":false,"l":[7,8],"next":{"_key":1},"tags":[3],
       "any":{"$link":{"table":"Tag","key":1}},"home":null},
      {"_key":2,"n":6,"o":1,"b":true,"t":"v","m":[],"l":[9],"next":null,"tags":[],"any":"","home":null},
      {"_key":3,"n":7,"o":2,"b":true,"t":"w","m":null,"l":[9],"next":null,"tags":[],"any":null,"home":{"city":"B"}}]}
    """

  static let rows: [Row] = [
    Row(operation: "remove_property: { class: Node, name: m }", lost: ["Node.m removed 3/4"], needsPermission: true),
    Row(operation: "remove_property: { class: Node, name: n }", lost: ["Node.n removed 3/4"], needsPermission: true),
    Row(operation: "remove_property: { class: Node, name: o }", lost: ["Node.o removed 3/4"], needsPermission: true),
    Row(operation: "remove_property: { class: Node, name: l }", lost: ["Node.l removed 3/4"], needsPermission: true),
    Row(
      operation: "remove_property: { class: Node, name: home }", lost: ["Node.home removed 2/4"], deleted: ["Home": 2],
      needsPermission: true),
    // Links in Mixed values are lost with the class.
    Row(
      operation: "remove_class: { name: Bare }", lost: ["Node.any targetDeleted 1/1", "Bare classRemoved 0/2"],
      deleted: ["Bare": 2], needsPermission: true),
    Row(
      operation: "remove_class: { name: Tag, if_linked: clear }",
      lost: ["Node.tags removed 2/4", "Tag.id removed 3/3", "Tag.w removed 2/3", "Node.any targetDeleted 1/1"],
      deleted: ["Tag": 3], needsPermission: true),
    // What the options of an operation ask for.
    Row(operation: "set: { class: Node, values: { n: 5 } }", overwritten: ["Node.n 2"]),
    Row(operation: "set: { class: Node, where: 'n == 0', values: { n: 5 } }"),
    Row(operation: "set: { class: Node, where: 'n == 0', values: { b: true } }"),
    Row(operation: "set: { class: Node, where: 'n == 5', values: { n: 5, t: u, m: false } }", removes: false),
    Row(operation: "set: { class: Node, where: 'o == null', values: { o: 4 } }", removes: false),
    Row(
      operation: "set: { class: Node, where: 'n == 0', values: { m: null, o: null } }",
      overwritten: ["Node.o 1", "Node.m 1"]),
    Row(operation: "set: { class: Node, where: 'n == 5', values: { l: [8, 7, 7] } }", removes: false),
    Row(operation: "set: { class: Node, where: 'n == 5', values: { l: [8] } }", overwritten: ["Node.l 1"]),
    Row(operation: "set: { class: Node, where: 'n == 6', values: { m: [], any: x } }", overwritten: ["Node.any 1"]),
    Row(
      operation: "set: { class: Node, where: 'n == 0', values: { home: { city: C } } }", overwritten: ["Node.home 1"],
      deleted: ["Home": 1], created: ["Home": 1]),
    Row(operation: "set: { class: Node, values: { next: null } }", overwritten: ["Node.next 2"]),
    Row(
      operation: "delete_objects: { class: Tag, where: 'id == 1' }",
      lost: ["Node.any targetDeleted 1/1", "Node.tags targetDeleted 2/2"], deleted: ["Tag": 1]),
    // A link of an object that is itself removed does not count as lost.
    Row(
      operation: "delete_objects: { class: Node, where: 'n == 5' }", lost: ["Node.next targetDeleted 1/1"],
      deleted: ["Node": 1]),
    Row(operation: "delete_objects: { class: Node, where: 'n >= 0' }", deleted: ["Node": 4, "Home": 2]),
    Row(operation: "delete_objects: { class: Node, where: 'n > 100' }", removes: false),
    Row(
      operation: "create_objects: { class: Tag, values: [ { id: 9, w: y } ] }", created: ["Tag": 1], removes: false),
    Row(operation: "convert: { class: Node, name: n, to: string }"),
    Row(operation: "make_optional: { class: Node, name: n }", removes: false),
    Row(operation: "make_required: { class: Node, name: o, on_null: default }", removes: false),
    Row(
      operation: "make_required: { class: Node, name: o, on_null: delete }", lost: ["Node.next targetDeleted 1/1"],
      deleted: ["Node": 1]),
    Row(operation: "rename_property: { class: Node, from: n, to: k }", removes: false),
    Row(operation: "rename_class: { from: Node, to: Knot }", removes: false),
    Row(operation: "add_property: { class: Node, name: k, type: int, value: 3 }", removes: false),
    Row(operation: "add_index: { class: Node, name: n }", removes: false),
    Row(
      operation: "set_primary_key: { class: Tag, name: w, on_duplicate: keep_first, repoint: true }",
      overwritten: ["Node.tags 1"], deleted: ["Tag": 1]),
  ]

  static func text(_ lost: LostValues) -> String {
    "\(lost.place) \(lost.cause.rawValue) \(lost.nonDefaultCount)/\(lost.objectCount)"
  }

  @Test(arguments: rows)
  func `what a plan destroys is told, and allowed where its words do not ask for it`(_ row: Row) throws {
    if row.needsPermission {
      #expect(try PlanCase(Self.schema, Self.data).failure(row.operation).hasPrefix("lost: "))
    }
    let realm = try PlanCase(Self.schema, Self.data)
    let outcome = try realm.run(row.operation, settings: PlanCase.Settings(allowsDataLoss: row.needsPermission))
    let migration = try #require(outcome.launch.migration)
    #expect(migration.lost.map(Self.text).sorted() == row.lost.sorted())
    let overwritten = migration.overwritten.map { "\($0.className).\($0.property) \($0.count)" }
    #expect(overwritten.sorted() == row.overwritten.sorted())
    #expect(migration.deleted == row.deleted)
    #expect(migration.created == row.created)
    #expect(outcome.launch.leavesRemovedValues == row.removes)
  }

  // MARK: Moving

  static let pair = """
    [{"name":"Address","properties":{"city":"string","zip":"int?"}},
     {"name":"Person","properties":{"name":"string","city":"string","address":"Address","friend":"Person"}}]
    """
  static let pairData = """
    {"Address":[{"_key":0,"city":"Rome","zip":1},{"_key":1,"city":"Oslo","zip":null},{"_key":2,"city":"","zip":0}],
     "Person":[{"_key":0,"name":"a","city":"","address":{"_key":0},"friend":{"_key":1}},
      {"_key":1,"name":"b","city":"Bonn","address":null,"friend":{"_key":0}}]}
    """

  @Test func `elements that one of them takes the place of are counted`() throws {
    for pick in ["first", "last"] {
      let realm = try PlanCase(Self.schema, Self.data)
      let outcome = try realm.run("convert: { class: Node, name: l, to: \"int?\", pick: \(pick) }")
      #expect(try outcome.operation(0).dropped == 1, "\(pick)")
      #expect(try realm.values("Node", "l") == ["null", pick == "first" ? "7" : "8", "9", "9"])
    }
  }

  @Test func `a property is not moved to itself`() throws {
    #expect(
      try PlanCase(Self.pair, Self.pairData).failure(
        "move_property: { from: Person.name, to: Person.name, via: friend }")
        == "5:45: move_property: 'from' and 'to' are the same property")
    // To another one along the same link.
    let realm = try PlanCase(Self.pair, Self.pairData)
    let outcome = try realm.run("move_property: { from: Person.name, to: Person.nick, via: friend }")
    #expect(try realm.values("Person", "nick") == [#""b""#, #""a""#])
    #expect(outcome.launch.migration?.lost == [])
    #expect(!outcome.launch.leavesRemovedValues)
  }

  @Test func `values that a moved one takes the place of are lost`() throws {
    let move = "move_property: { from: Person.city, to: Address.city, via: address"
    #expect(try PlanCase(Self.pair, Self.pairData).failure(move + " }") == "lost: Address.city 1/1")
    let realm = try PlanCase(Self.pair, Self.pairData)
    let outcome = try realm.run(move + ", lossy: ok }")
    #expect(outcome.launch.migration?.lost.map(Self.text) == ["Address.city overwritten 1/1"])
    #expect(outcome.launch.migration?.created == ["Address": 1])
    #expect(outcome.launch.leavesRemovedValues)
    #expect(try realm.values("Address", "city") == [#""""#, #""Oslo""#, #""""#, #""Bonn""#])
    #expect(try outcome.operation(0).defaulted == 0)
  }

  @Test func `values that no link leads to are lost`() throws {
    let move = "move_property: { from: Address.city, to: Person.city, via: address"
    #expect(
      try PlanCase(Self.pair, Self.pairData).failure(move + " }") == "lost: Address.city 1/2")
    let realm = try PlanCase(Self.pair, Self.pairData)
    let outcome = try realm.run(move + ", lossy: ok }")
    #expect(outcome.launch.migration?.lost.map(Self.text) == ["Address.city removed 1/2"])
    // An object without a link keeps its values.
    #expect(try realm.values("Person", "city") == [#""Rome""#, #""Bonn""#])
    #expect(try outcome.operation(0).defaulted == 0)
  }

  @Test(arguments: [(#"{"_key":0,"t":null}"#, 0), (#"{"_key":0,"t":"x"},{"_key":1,"t":null}"#, 1)])
  func `objects without a value lose nothing when a property moves`(_ sources: String, _ computed: Int) throws {
    let link = computed == 0 ? "null" : #"{"_key":0}"#
    let realm = try PlanCase(
      #"[{"name":"A","properties":{"b":"B"}},{"name":"B","properties":{"t":"string?"}}]"#,
      #"{"B":[\#(sources)],"A":[{"_key":0,"b":\#(link)}]}"#)
    let outcome = try realm.run("move_property: { from: B.t, to: A.t, via: b }")
    #expect(outcome.launch.migration?.lost == [])
    #expect(try realm.values("A", "t") == [computed == 0 ? "null" : #""x""#])
  }

  // MARK: Sums

  @Test func `what is deleted is not set off against what is created`() throws {
    let realm = try Sample.people()
    let outcome = try realm.run(
      "delete_objects: { class: Person, where: 'age > 42' }",
      "create_objects: { class: Person, values: [ { firstName: A }, { firstName: B } ] }",
      "rename_class: { from: Person, to: Human }")
    #expect(outcome.launch.migration?.deleted == ["Human": 2])
    #expect(outcome.launch.migration?.created == ["Human": 2])
  }

  // MARK: Primary keys

  static let keyed = """
    [{"name":"K","primaryKey":"id","properties":{"id":"int?","other":"int"}},
     {"name":"L","properties":{"v":"int?","to":"K"}},
     {"name":"E","embedded":true,"properties":{"v":"int"}},{"name":"H","properties":{"e":"E"}}]
    """
  static let keyedData = """
    {"K":[{"id":0,"other":1},{"id":null,"other":1},{"id":5,"other":2}],
     "L":[{"_key":0,"v":5,"to":0},{"_key":1,"v":7,"to":null}],
     "H":[{"_key":0,"e":{"v":1}},{"_key":1,"e":{"v":1}}]}
    """

  @Test(arguments: [
    ("make_required: { class: K, name: id, on_null: default }", "K.id"),
    ("make_required: { class: K, name: id, default: 5, on_null: default }", "K.id"),
    ("set: { class: K, values: { id: 4 } }", "K.id"),
    ("set: { class: K, where: 'id == null', values: { id: { expr: \"other + 4\" } } }", "K.id"),
    ("create_objects: { class: K, values: [ { id: 5 } ] }", "K.id"),
    ("convert: { class: K, name: id, to: string, on_null: default, default: \"5\" }", "K.id"),
    ("convert: { class: K, name: id, to: string, using: \"str(other)\" }", "K.id"),
    ("set_primary_key: { class: K, name: other }", "K.other"),
    ("unembed_class: { class: E, primary_key: v }", "E.v"),
  ])
  func `no operation leaves two objects with one primary key`(_ operation: String, _ path: String) throws {
    for dryRun in [false, true] {
      let failure = try PlanCase(Self.keyed, Self.keyedData).failure(
        operation, settings: PlanCase.Settings(allowsDataLoss: true, dryRun: dryRun))
      #expect(failure.contains("Primary key property '\(path)' has duplicate values after migration"))
    }
  }

  @Test func `values that are moved into a primary key are looked at as well`() throws {
    let schema = """
      [{"name":"A","properties":{"v":"int"}},
       {"name":"B","primaryKey":"id","properties":{"id":"int","a":"A"}}]
      """
    let data = """
      {"A":[{"_key":0,"v":3}],"B":[{"id":1,"a":{"_key":0}},{"id":2,"a":{"_key":0}}]}
      """
    #expect(
      try PlanCase(schema, data).failure("move_property: { from: A.v, to: B.id, via: a, lossy: ok }")
        == "3:7: Primary key property 'B.id' has duplicate values after migration.")
  }

  @Test func `primary keys may be equal in between`() throws {
    let realm = try PlanCase(Self.keyed, Self.keyedData)
    try realm.run(
      "set: { class: K, values: { id: 1 } }", "set: { class: K, values: { id: { expr: \"key()\" } } }")
    #expect(try realm.values("K", "id") == ["0", "1", "2"])
  }

  // MARK: Repointing

  @Test(arguments: 0..<8 as Range<UInt64>)
  func `links lead to the object that stays, as a plain model says`(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: 2100 + seed)
    let count = 40
    let values = (0..<count).map { _ in Int.random(in: 0..<8, using: &generator) }
    let lists = (0..<12).map { _ in
      (0..<Int.random(in: 0..<10, using: &generator)).map { _ in Int.random(in: 0..<count, using: &generator) }
    }
    let tags = values.enumerated().map { #"{"_key":\#($0),"v":\#($1)}"# }.joined(separator: ",")
    let nodes = lists.map { list in
      let links = list.map { #"{"_key":\#($0)}"# }
      let set = Set(links).sorted().joined(separator: ",")
      return #"{"one":\#(links.first ?? "null"),"many":[\#(links.joined(separator: ","))],"set":[\#(set)]}"#
    }
    let realm = try PlanCase(
      """
      [{"name":"Tag","properties":{"v":"int"}},
       {"name":"Node","properties":{"one":"Tag","many":"Tag[]","set":"Tag<>"}}]
      """,
      #"{"Tag":[\#(tags)],"Node":[\#(nodes.joined(separator: ","))]}"#)
    let keepsLast = seed % 2 == 1, repoints = seed % 4 < 2
    let policy = keepsLast ? "keep_last" : "keep_first"
    let outcome = try realm.run(
      "set_primary_key: { class: Tag, name: v, on_duplicate: \(policy), repoint: \(repoints) }")
    var kept: [Int: Int] = [:]
    for (key, value) in values.enumerated() where keepsLast || kept[value] == nil { kept[value] = key }
    #expect(try outcome.operation(0).deleted == count - kept.count)
    #expect(outcome.launch.migration?.deleted == ["Tag": count - kept.count])
    func link(_ key: Int) -> String? {
      guard repoints || kept[values[key]] == key else { return nil }
      return #"{"$link":{"table":"Tag","key":\#(values[key])}}"#
    }
    func text(_ links: [String?]) -> String { "[" + links.compactMap { $0 }.joined(separator: ",") + "]" }
    #expect(try realm.values("Node", "many") == lists.map { text($0.map(link)) })
    #expect(try realm.values("Node", "one") == lists.map { $0.first.flatMap(link) ?? "null" })
    let sets = try realm.values("Node", "set").map { set in
      Set(set.split(whereSeparator: { "{}[]:\",".contains($0) }).compactMap { Int($0) })
    }
    #expect(sets == lists.map { list in Set(list.filter { link($0) != nil }.map { values[$0] }) })
    // Every link that was not redirected is counted.
    let cut = lists.map { list in
      let gone = list.filter { link($0) == nil }
      return gone.count + Set(gone).count + (list.first.map { link($0) == nil ? 1 : 0 } ?? 0)
    }.reduce(0, +)
    let lost = outcome.launch.migration?.lost.map(\.nonDefaultCount).reduce(0, +)
    #expect(lost == cut)
  }
}
