import RealmExchange
import RealmStorage
import RealmSystem
import TestSupport
import Testing

/// Equal content has equal hashes, and different content different ones.
@Suite struct ContentHashTests {
  private func hash(_ name: String, threads: Int = 1, keys: Bool = true) throws -> ContentHash {
    let path = Fixture.path("engine/\(name).realm")
    let before = try FileState(path)
    var hasher = ContentHasher(try TestRealm(path).snapshot)
    hasher.threadCount = threads
    hasher.includesObjectKeys = keys
    let hash = try hasher.run()
    #expect(try FileState(path) == before)
    return hash
  }

  @Test func `does not depend on layout and encryption`() throws {
    let plain = try hash("all-types")
    for twin in ["all-types-encrypted", "all-types-copy", "all-types-copy-encrypted"] {
      #expect(try hash(twin) == plain)
    }
    #expect(try hash("fragmented") == hash("fragmented-compacted"))
  }

  @Test func `does not depend on the number of threads`() throws {
    for name in ["deep-tree", "corners", "indexes"] {
      let single = try hash(name)
      #expect(try hash(name, threads: 4) == single)
      #expect(single.classes.map(\.name) == single.classes.map(\.name).sorted())
    }
  }

  private static let schema = """
    [{"name":"A","primaryKey":"id","properties":{"id":"string","n":"int?","f":"float","d":"double","m":"mixed",
      "l":"int[]","s":"A<>","e":"E","x":"B?"}},
     {"name":"B","properties":{"v":"decimal128"}},
     {"name":"E","embedded":true,"properties":{"v":"date?"}}]
    """

  /// Two objects that link to each other, and one of another class.
  private static func line(_ id: String, _ members: String) -> String {
    "{\"class\":\"A\",\"value\":{\"id\":\"\(id)\",\(members)}}\n"
  }

  private func realm(_ lines: [String]) throws -> BuiltRealm {
    try BuiltRealm(schema: Self.schema, data: lines.joined())
  }

  @Test func `objects go by their primary keys, members by their names`() throws {
    let first = Self.line("a", #""n":1,"s":["a","b"]"#)
    let second = Self.line("b", #""n":2,"l":[1,2],"s":["b","a"]"#)
    let (one, other) = (try realm([first, second]), try realm([second, first]))
    #expect(try one.digest(keys: false) == other.digest(keys: false))
    #expect(try one.digest() != other.digest())
    #expect(try one.text() != other.text())
    let reordered = Self.schema.replacing(#""n":"int?","f":"float""#, with: #""f":"float","n":"int?""#)
    let third = try BuiltRealm(schema: reordered, data: first + second)
    #expect(try third.digest() == one.digest())
  }

  static let variants: [String] = [
    #""n":1"#, #""n":2"#, #""n":null"#, #""f":0.5"#, #""d":0.5"#, #""d":{"$numberDouble":"-0.0"}"#, #""m":1"#,
    #""m":1.0"#, #""m":{"$float":"1.0"}"#, #""m":{"$numberDecimal":"1"}"#, #""m":{"$numberDecimal":"1.0"}"#,
    #""m":"1""#, #""m":{"$binary":{"base64":"MQ==","subType":"00"}}"#, #""m":[]"#, #""m":{}"#, #""m":[1]"#,
    #""m":[[1]]"#, #""m":{"a":1}"#, #""m":{"$link":{"table":"A","key":"a"}}"#, #""l":[1]"#, #""l":[1,1]"#,
    #""s":["a"]"#, #""e":{}"#, #""e":{"v":{"$date":"2020-01-01T00:00:00.000000001Z"}}"#, #""x":{"v":"1"}"#,
    #""x":{"v":"1.0"}"#, #""x":{"v":"-0"}"#, #""x":{"v":"0"}"#, #""m":{"$date":"1970-01-01T00:00:00Z"}"#,
  ]

  @Test func `every difference shows`() throws {
    var seen: [Digest256: String] = [:]
    for variant in Self.variants {
      let digest = try realm([Self.line("a", variant)]).digest()
      #expect(seen[digest] == nil, "\(variant) and \(seen[digest] ?? "")")
      seen[digest] = variant
    }
    #expect(seen.count == Self.variants.count)
  }

  @Test func `the schema counts, indexes do not`() throws {
    let plain = try BuiltRealm(schema: #"[{"name":"A","properties":{"v":"int"}}]"#, data: "")
    let indexed = try BuiltRealm(
      schema: #"[{"name":"A","properties":{"v":{"type":"int","indexed":true}}}]"#, data: "")
    #expect(try plain.digest() == indexed.digest())
    let others = [
      #"[{"name":"A","properties":{"v":"int?"}}]"#, #"[{"name":"A","properties":{"w":"int"}}]"#,
      #"[{"name":"A","properties":{"v":"int[]"}}]"#, #"[{"name":"A","properties":{"v":"int<>"}}]"#,
      #"[{"name":"B","properties":{"v":"int"}}]"#, #"[{"name":"A","primaryKey":"v","properties":{"v":"int"}}]"#,
      #"[{"name":"A","properties":{"v":"int"}},{"name":"B","properties":{}}]"#, "[]",
    ]
    for schema in others { #expect(try BuiltRealm(schema: schema, data: "").digest() != plain.digest()) }
  }

  @Test func `keys of objects remain where links can lead to them`() throws {
    let schema = #"[{"name":"A","properties":{"v":"int"}},{"name":"B","properties":{"v":"int","a":"A?"}}]"#
    let data = #"{"A":[{"_key":0,"v":1},{"_key":1,"v":2}],"B":[{"_key":0,"v":1},{"_key":7,"v":2}]}"#
    var options = DataOptions()
    options.keepsObjectKeys = true
    let kept = try BuiltRealm(schema: schema, data: data, options)
    let fresh = try BuiltRealm(schema: schema, data: data)
    #expect(try kept.digest() != fresh.digest())
    #expect(try kept.digest(keys: false) == fresh.digest(keys: false))
    let moved = data.replacing(#""_key":1,"v":2"#, with: #""_key":3,"v":2"#)
    let other = try BuiltRealm(schema: schema, data: moved, options)
    #expect(try kept.digest(keys: false) != other.digest(keys: false))
  }

  @Test func `is text of 64 digits, and that of a realm without classes is that of nothing`() throws {
    let nothing = try hash("no-tables")
    #expect(nothing.digest.description == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    #expect(nothing.classes.isEmpty)
  }

  @Test func `is the same in every version of this program`() throws {
    // A hash that users wrote down must not change. This one is SHA-256 of SHA-256 of the text below, by another
    // program.
    //
    // {"class":"A","kind":"TopLevel","count":1,"primaryKey":"id","properties":[{"name":"id","type":"string"},
    //  {"name":"v","type":"int?"}]}      (one line, without the two spaces here)
    // {"objKey":0,"value":{"id":"x","v":1}}
    let digest = try BuiltRealm(
      schema: #"[{"name":"A","primaryKey":"id","properties":{"v":"int?","id":"string"}}]"#,
      data: #"{"A":[{"id":"x","v":1}]}"#
    ).digest()
    #expect(digest.description == "595d68383ffd3d408463719540c59ce0223344c1b31b1703156a9a56b574fe88")
    // Characters that the `typed` form escapes today, but did not always, are unchanged there; U+0001 has its escape.
    let obeyed = "a\u{7f}\u{85}\u{9b}\u{2028}\u{2029}\u{61c}\u{200e}\u{202e}\u{2066}z"
    let hostile = try BuiltRealm(
      schema: #"[{"name":"A","primaryKey":"id","properties":{"v\u202e":"string?","id":"string"}}]"#,
      data: #"{"A":[{"id":"\u0001","v\u202e":""# + obeyed + #""}]}"#
    ).digest()
    #expect(hostile.description == "3bd51302f2544376e02a3694e621f9223705c8beccd9a7690fbeb9c0c34bdb59")
  }
}
