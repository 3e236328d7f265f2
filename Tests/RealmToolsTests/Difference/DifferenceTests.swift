import Foundation
import Mutations
import RealmExchange
import RealmOpening
import RealmStorage
import RealmTools
import TestSupport
import Testing

/// A difference has everything that was changed, and nothing else.
@Suite struct DifferenceTests {
  /// All differences in words.
  private static func lines(_ old: Snapshot, _ new: Snapshot) throws -> [String] {
    let difference = try RealmDifference(from: old, to: new)
    var lines = difference.schema.changes.compactMap(\.text)
    for pair in difference.pairs() {
      let found = try difference.compare(pair)
      for change in found.changes {
        let key = try difference.key(of: change, in: pair).map { String(decoding: $0, as: UTF8.self) }
        let name = "\(pair.name) \(key ?? "#\(change.key.rawValue)")"
        switch change {
        case .removed: lines.append("-\(name)")
        case .added: lines.append("+\(name)")
        case .changed:
          for value in try difference.values(of: change, in: pair) {
            let texts = [value.old, value.new].map { String(decoding: $0 ?? [], as: UTF8.self) }
            lines.append("\(name).\(value.property): \(texts[0]) -> \(texts[1])")
          }
        }
      }
    }
    return lines
  }

  // MARK: Equal

  @Test(arguments: OpenableFixture.all) func `a rebuilt realm is not different`(_ fixture: OpenableFixture) throws {
    let before = try FileState(fixture.path)
    let source = try fixture.opened()
    // What cannot be read has no difference; other tests check what is said about it.
    if let built = try? BuiltRealm(rebuilding: source) {
      #expect(try Self.lines(source, built.snapshot) == [])
      #expect(try Self.lines(built.snapshot, source) == [])
    }
    #expect(try FileState(fixture.path) == before)
  }

  @Test(arguments: ["all-types", "fragmented", "corners", "nested-mixed", "indexes", "deep-tree", "strings", "synced"])
  func `a compacted or encrypted realm is not different`(_ name: String) throws {
    let source = try OpenableFixture.named(name).opened()
    for identity in [CopyIdentity.kept, .fresh] {
      var options = CopyOptions(identity: identity)
      #expect(try Self.lines(source, CopiedRealm(source, options).snapshot) == [])
      options.key = try .of(Fixture.engineKey)
      #expect(try Self.lines(CopiedRealm(source, options).snapshot, source) == [])
    }
  }

  // MARK: Planted changes

  private static let schema = """
    [{"name":"A","primaryKey":"id","properties":{"id":"string","int":"int?","bool":"bool?","string":"string?",
      "data":"data?","date":"date?","float":"float?","double":"double?","decimal":"decimal128?","oid":"objectId?",
      "uuid":"uuid?","mixed":"mixed","link":"A?","plain":"B?","embedded":"E?","list":"int?[]","set":"string<>",
      "dictionary":"mixed{}","links":"A[]","parts":"E[]"}},
     {"name":"B","properties":{"v":"int"}},
     {"name":"E","embedded":true,"properties":{"v":"int","e":"F?"}},
     {"name":"F","embedded":true,"properties":{"w":"string[]"}}]
    """

  private func realm(_ members: String, _ others: String = "") throws -> BuiltRealm {
    let x = members.isEmpty ? "" : "," + members
    return try BuiltRealm(
      schema: Self.schema,
      data:
        "{\"A\":[{\"id\":\"a\"},{\"id\":\"x\"\(x)},{\"id\":\"z\"}\(others)],\"B\":[{\"_key\":0,\"v\":1},{\"_key\":1,\"v\":2}]}"
    )
  }

  /// Property, its value as data, and as the difference shows it.
  private static let values: [(String, String, String)] = [
    ("int", "5", "5"), ("int", "-1", "-1"), ("bool", "true", "true"), ("bool", "false", "false"),
    ("string", #""""#, #""""#), ("string", #""text""#, #""text""#), ("data", #""""#, "base64"),
    ("data", #""AQI=""#, "AQI="),
    ("date", #""2020-01-02T03:04:05.000000006Z""#, "000000006Z"), ("float", "0.5", "0.5"), ("double", "0.25", "0.25"),
    ("double", #"{"$numberDouble":"-0.0"}"#, "-0.0"), ("decimal", #""1.10""#, "1.10"), ("decimal", #""1.1""#, "1.1"),
    ("oid", #""0123456789abcdef01234567""#, "0123456789abcdef01234567"),
    ("uuid", #""01234567-89ab-cdef-0123-456789abcdef""#, "01234567-89ab-cdef-0123-456789abcdef"),
    ("mixed", "1", "1"), ("mixed", #""1""#, #""1""#), ("mixed", "[1]", "[1]"), ("mixed", #"{"k":[]}"#, "k"),
    ("link", #""z""#, #""z""#), ("link", #""a""#, #""a""#), ("plain", "1", "1"), ("embedded", #"{"v":0}"#, "0"),
    ("embedded", #"{"v":0,"e":{"w":["q"]}}"#, "q"), ("list", "[1]", "[1]"), ("list", "[1,null]", "null"),
    ("set", #"["a","b"]"#, "b"), ("dictionary", #"{"k":1}"#, "k"), ("dictionary", #"{"k":null}"#, "null"),
    ("links", #"["a","a"]"#, "a"), ("links", #"["a"]"#, "a"), ("parts", #"[{"v":1}]"#, "1"),
    ("parts", #"[{"v":1},{"v":1}]"#, "1"),
  ]

  @Test func `a change of any type is found, and nothing else`() throws {
    let empty = try realm("")
    var built: [(property: String, realm: BuiltRealm)] = []
    for (property, value, shown) in Self.values {
      let changed = try realm("\"\(property)\":\(value)")
      let lines = try Self.lines(empty.snapshot, changed.snapshot)
      #expect(lines.count == 1, "\(property) \(value)")
      #expect(
        lines.first?.hasPrefix("A \"x\".\(property): ") == true && lines.first?.contains(shown) == true, "\(lines)")
      #expect(try Self.lines(changed.snapshot, empty.snapshot).count == 1)
      #expect(try Self.lines(changed.snapshot, changed.snapshot) == [])
      for other in built where other.property == property {
        #expect(try Self.lines(other.realm.snapshot, changed.snapshot).count == 1, "\(property) \(value)")
      }
      built.append((property, changed))
    }
    #expect(Set(Self.values.map(\.0)).count == 19)
  }

  @Test func `objects that come and go are told by their keys`() throws {
    let one = try realm(
      "", #",{"id":"b","int":1},{"id":"a longer key 1"},{"id":"a longer key 2"}"#)
    let other = try realm("", #",{"id":"c"},{"id":"a longer key 2"},{"id":"b","int":2}"#)
    #expect(
      try Self.lines(one.snapshot, other.snapshot) == [
        #"-A "a longer key 1""#, #"A "b".int: 1 -> 2"#, #"+A "c""#,
      ])
    #expect(
      try Self.lines(other.snapshot, one.snapshot) == [
        #"+A "a longer key 1""#, #"A "b".int: 2 -> 1"#, #"-A "c""#,
      ])
  }

  @Test func `numbers, identifiers and null are in the order of their values`() throws {
    for (type, keys) in [
      ("int?", ["null", "-9000000000000000000", "-1", "0", "7", "9000000000000000000"]),
      (
        "uuid",
        [
          #""00000000-0000-0000-0000-000000000001""#, #""00000000-0000-0000-0000-000000000002""#,
          #""f0000000-0000-0000-0000-000000000000""#,
        ]
      ),
      ("objectId", [#""000000000000000000000001""#, #""f00000000000000000000000""#]),
      (
        "string?", ["null", #""""#, #""a""#, #""a\u0000""#, #""aaaaaaaa""#, #""aaaaaaaab""#, #""aaaaaaaabc""#, #""b""#]
      ),
    ] {
      let schema = "[{\"name\":\"K\",\"primaryKey\":\"k\",\"properties\":{\"k\":\"\(type)\"}}]"
      func realm(_ keys: [String]) throws -> BuiltRealm {
        try BuiltRealm(schema: schema, data: "{\"K\":[" + keys.map { "{\"k\":\($0)}" }.joined(separator: ",") + "]}")
      }
      let (empty, all, backwards) = (try realm([]), try realm(keys), try realm(keys.reversed()))
      #expect(try Self.lines(all.snapshot, backwards.snapshot) == [])
      let lines = try Self.lines(empty.snapshot, backwards.snapshot)
      #expect(lines == (try Self.lines(empty.snapshot, all.snapshot)))
      #expect(lines.count == keys.count)
      for (index, key) in keys.enumerated() where type != "string?" || ![1, 3].contains(index) {
        #expect(lines[index].contains(key.replacing("\"", with: "")), "\(lines)")
      }
    }
  }

  @Test func `objects without a primary key go by their object keys`() throws {
    let schema = #"[{"name":"B","properties":{"v":"int"}}]"#
    var options = DataOptions()
    options.keepsObjectKeys = true
    let one = try BuiltRealm(schema: schema, data: #"{"B":[{"_key":0,"v":1},{"_key":5,"v":2}]}"#, options)
    let other = try BuiltRealm(schema: schema, data: #"{"B":[{"_key":0,"v":1},{"_key":6,"v":2}]}"#, options)
    #expect(try Self.lines(one.snapshot, other.snapshot) == ["-B #5", "+B #6"])
  }

  // MARK: Schemas

  @Test func `a property that only one side has is a change of the schema alone`() throws {
    let schemas = [
      #"[{"name":"A","primaryKey":"id","properties":{"id":"int","v":"int","e":"E?"}},{"name":"E","embedded":true,"properties":{"a":"int"}}]"#,
      #"[{"name":"A","primaryKey":"id","properties":{"id":"int","w":"string","v":"int?","e":"E?"}},{"name":"E","embedded":true,"properties":{"a":"int","b":"int"}}]"#,
    ]
    let one = try BuiltRealm(schema: schemas[0], data: #"{"A":[{"id":1,"v":2,"e":{"a":1}}]}"#)
    let other = try BuiltRealm(schema: schemas[1], data: #"{"A":[{"id":1,"v":2,"w":"x","e":{"a":1,"b":2}}]}"#)
    let lines = try Self.lines(one.snapshot, other.snapshot)
    #expect(lines.count == 3 && lines.allSatisfy { $0.hasPrefix("Property ") }, "\(lines)")
    let changed = try BuiltRealm(schema: schemas[1], data: #"{"A":[{"id":1,"v":2,"w":"x","e":{"a":3,"b":2}}]}"#)
    let more = try Self.lines(one.snapshot, changed.snapshot)
    #expect(more.count == 4 && more[3].hasPrefix("A 1.e: "))
  }

  @Test func `classes that only one side has come with all their objects`() throws {
    let one = try BuiltRealm(schema: #"[{"name":"A","properties":{"v":"int"}}]"#, data: #"{"A":[{"v":1},{"v":2}]}"#)
    let other = try BuiltRealm(schema: #"[{"name":"B","properties":{"v":"int"}}]"#, data: #"{"B":[{"v":1}]}"#)
    let lines = try Self.lines(one.snapshot, other.snapshot)
    #expect(lines.suffix(3) == ["-A #0", "-A #1", "+B #0"])
  }

  // MARK: Snapshots

  @Test(arguments: ["dogs", "fragmented", "all-types"])
  func `what the last commit changed is the difference to the snapshot before`(_ name: String) throws {
    let path = Fixture.path("engine/\(name).realm")
    let before = try FileState(path)
    let bytes = try ByteStore.open(.path(path), key: nil)
    let live = try Snapshot(of: bytes.store)
    let previous = try Snapshot(of: bytes.store, choosing: .previous)
    #expect(previous.version < live.version)
    let lines = try Self.lines(previous, live)
    #expect(!lines.isEmpty)
    #expect(try Self.lines(live, previous).count == lines.count)
    #expect(try FileState(path) == before)
  }

  // MARK: Damage

  @Test(arguments: ["dogs", "nested-mixed", "indexes", "todo"])
  func `damage is an error or a difference`(_ name: String) throws {
    let bytes = try Fixture.bytes("engine/\(name).realm")
    let sound = try Snapshot(of: ByteStore(copying: bytes))
    var hasher = ContentHasher(sound)
    let hashWithKeys = try hasher.run()
    hasher.includesObjectKeys = false
    let hash = try hasher.run()
    var mutator = Mutator(bytes, seed: 5)
    var (failed, different) = (0, 0)
    for _ in 0..<150 {
      let mutation = mutator.next()
      guard let changed = try? Snapshot(of: ByteStore(copying: mutation.applied(to: bytes))),
        let lines = try? Self.lines(sound, changed)
      else {
        failed += 1
        continue
      }
      different += lines.isEmpty ? 0 : 1
      var hasher = ContentHasher(changed)
      // The hash reads the same values, so it must agree with the difference. Indexes are not content.
      let content = lines.filter { !$0.contains("indexed") }
      if try hasher.run() == hashWithKeys { #expect(content == [], "\(mutation)") }
      hasher.includesObjectKeys = false
      if lines.isEmpty { #expect(try hasher.run() == hash, "\(mutation)") }
    }
    #expect(failed > 10 && different > 5, "\(failed) \(different)")
  }
}
