import RealmExchange
import RealmStorage
import TestSupport
import Testing

/// Links and objects inside objects, in data that realms are built from.
@Suite struct DataLinkTests {
  private static let schema = """
    [{"name":"P","primaryKey":"id","properties":{"id":"string","one":"P?","many":"P[]","set":"P<>","map":"P{}",
      "any":"mixed","dog":"D?","dogs":"D[]","home":"E?","homes":"E[]","rooms":"E{}","by":{"type":"linkingObjects",
      "objectType":"P","property":"one"}}},
     {"name":"D","properties":{"name":"string","owner":"P?"}},
     {"name":"E","embedded":true,"properties":{"street":"string","in":"F"}},
     {"name":"F","embedded":true,"properties":{"x":"int","p":"P?"}}]
    """

  private func text(_ data: String) throws -> String { try BuiltRealm(schema: Self.schema, data: data).text(.ndjson) }

  private func line(_ members: String) -> String {
    let defaults = [
      "one": "null", "many": "[]", "set": "[]", "map": "{}", "any": "null", "dog": "null", "dogs": "[]",
      "home": "null", "homes": "[]", "rooms": "{}",
    ]
    var text = "{\"class\":\"P\",\"value\":{"
    let given = Dictionary(
      uniqueKeysWithValues: members.split(separator: ";").map { member in
        let parts = member.split(separator: "=", maxSplits: 1)
        return (String(parts[0]), String(parts[1]))
      })
    text += "\"id\":\"\(given["id"] ?? "")\""
    for name in ["one", "many", "set", "map", "any", "dog", "dogs", "home", "homes", "rooms"] {
      text += ",\"\(name)\":\(given[name] ?? defaults[name] ?? "")"
    }
    return text + "}}\n"
  }

  @Test func `links lead forwards, backwards and to the object itself`() throws {
    let data = """
      {"P":[{"id":"a","one":"b","many":["c","a","b","c"],"set":["c","b","c"],"map":{"y":"c","x":null},
        "any":[{"$link":{"table":"P","key":"c"}},{"k":{"$link":{"table":"P","key":"a"}}}]},
       {"id":"b","one":{"$link":{"table":"P","key":"a"}}},{"id":"c"}]}
      """
    let link = #"{"$link":{"table":"P","key":"c"}}"#
    let first =
      #"id=a;one="b";many=["c","a","b","c"];set=["b","c"];map={"x":null,"y":"c"};any=[\#(link),{"k":"#
      + #"{"$link":{"table":"P","key":"a"}}}]"#
    #expect(try text(data) == line(first) + line("id=b;one=\"a\"") + line("id=c"))
  }

  @Test func `objects inside others are created`() throws {
    let data = """
      {"P":[{"id":"a","one":{"id":"b","one":{"id":"c"},"dog":{"name":"Rex","owner":"a"}},
        "dogs":[{"name":"Tom"},{"_key":7,"name":"Max"},{}],"many":[{"id":"d"},"a",{"id":"e"}]},{"id":"f","dog":7}]}
      """
    // An object is complete, and gets its key, before the one around it.
    let built = try BuiltRealm(schema: Self.schema, data: data)
    let rows = try built.text().split(separator: "\n").filter { $0.hasPrefix("{\"class\":\"P\"") }
    #expect(
      rows.map { $0.split(separator: ",")[2] } == ["c", "b", "d", "e", "a", "f"].map { "\"value\":{\"id\":\"\($0)\"" })
    let dogs = try built.realm.export(.ndjson, classes: ["D"]).output.text
    #expect(
      dogs == """
        {"_key":0,"name":"Rex","owner":"a"}
        {"_key":1,"name":"Tom","owner":null}
        {"_key":2,"name":"Max","owner":null}
        {"_key":3,"name":"","owner":null}

        """)
    #expect(
      try built.realm.export(.json, classes: ["P"]).output.text.contains(
        #""id":"f","one":null,"many":[],"set":[],"map":{},"any":null,"dog":{"_key":2}"#))
  }

  @Test func `embedded objects stand in their parents, bare or wrapped`() throws {
    let data = """
      {"class":"P","value":{"id":"a","home":{"street":"s","in":{"x":1,"p":"b"}},"homes":[{"street":"t"},
        {"$embedded":{"table":"class_E","value":{"street":"u"}}},{"$embedded":{"table":"E","value":{}}}],
        "rooms":{"r":{"street":"v"},"q":null}}}
      {"class":"P","value":{"id":"b"}}
      """
    let expected =
      #"id=a;home={"street":"s","in":{"x":1,"p":"b"}};homes=[{"street":"t","in":null},{"street":"u","in":null},"#
      + #"{"street":"","in":null}];rooms={"q":null,"r":{"street":"v","in":null}}"#
    #expect(try text(data) == line(expected) + line("id=b"))
  }

  @Test func `links to objects without a primary key go by the keys in the data`() throws {
    let data = """
      {"D":[{"_key":40,"name":"Rex"},{"_key":50,"name":"Tom"}],
       "P":[{"id":"a","dog":50,"dogs":[{"_key":40},{"$link":{"table":"D","objKey":50}},60],
        "any":{"$link":{"table":"D","key":{"_key":60}}}}],
       "D":[{"_key":60,"name":"Max"}]}
      """
    let expected =
      #"id=a;any={"$link":{"table":"D","key":{"_key":2}}};dog={"_key":1};dogs=[{"_key":0},{"_key":1},{"_key":2}]"#
    #expect(try text(data).contains(line(expected)))
  }

  @Test func `more than 256 objects wait for one that comes last`() throws {
    var data = ""
    for number in 0..<1000 {
      data += #"{"class":"P","value":{"id":"\#(number)","one":"\#(999 - number)","many":["x","\#(number)"]}}"# + "\n"
    }
    data += #"{"class":"P","value":{"id":"x"}}"#
    let expected =
      (0..<1000).map { line("id=\($0);one=\"\(999 - $0)\";many=[\"x\",\"\($0)\"]") }.joined() + line("id=x")
    #expect(try text(data) == expected)
  }

  @Test func `links to what never comes are listed, twenty of them`() throws {
    let few = #"{"P":[{"id":"a","one":"b","any":{"$link":{"table":"D","objKey":3}}}]}"#
    let error = #expect(throws: InputError.self) { try BuiltRealm(schema: Self.schema, data: few) }
    #expect(
      error.map { "\($0)" }
        == "links to objects that do not exist: object 3 of class 'D' (in 'P.any' of object a), object b of class 'P' (in 'P.one' "
        + "of object a)")
    let keys = (0..<25).map { "\"k\($0)\"" }.joined(separator: ",")
    let many = #"{"P":[{"id":"a","many":[\#(keys)]}]}"#
    let more = #expect(throws: InputError.self) { try BuiltRealm(schema: Self.schema, data: many) }
    #expect(more?.links?.targets.count == 20)
    #expect(more?.links?.count == 25)
    #expect(more.map { "\($0)".hasSuffix("object k19 of class 'P' (in 'P.many' of object a) and 5 more") } == true)
  }

  @Test func `a missing object is listed with some of those that link to it`() throws {
    let schema = """
      [{"name":"A","primaryKey":"id","properties":{"id":"int","to":"T?","all":"T[]","e":"E?"}},
       {"name":"B","properties":{"to":"T?"}},{"name":"T","primaryKey":"id","properties":{"id":"int"}},
       {"name":"E","embedded":true,"properties":{"to":"T?"}}]
      """
    let rows: [(String, String)] = [
      (#"{"A":[{"id":1,"to":9},{"id":2}]}"#, "'A.to' of object 1"),
      (#"{"A":[{"id":1,"to":9},{"id":2,"to":9}]}"#, "'A.to' of objects 1 and 2"),
      (#"{"A":[{"id":1,"all":[9,9]},{"id":2},{"id":3,"all":[9]}]}"#, "'A.all' of objects 1 and 3"),
      (#"{"A":[{"id":1,"to":9},{"id":2,"to":9},{"id":3,"to":9}]}"#, "'A.to' of objects 1, 2 and 3"),
      // More than one cluster, of which all but the last are written before the end.
      (
        #"{"A":["# + (0..<600).map { #"{"id":\#($0),"to":9}"# }.joined(separator: ",") + "]}",
        "'A.to' of objects 0, 1, 2 and 597 more"
      ),
      // Objects without a key in the data are identified by the property alone.
      (#"{"B":[{"to":9}]}"#, "'B.to'"), (#"{"A":[{"id":1,"e":{"to":9}}]}"#, "'E.to'"),
    ]
    for (data, place) in rows {
      let error = #expect(throws: InputError.self) { try BuiltRealm(schema: schema, data: data) }
      #expect(error.map { "\($0)" } == "links to objects that do not exist: object 9 of class 'T' (in \(place))")
    }
  }

  @Test func `a null primary key can be linked to`() throws {
    let schema = #"[{"name":"A","primaryKey":"id","properties":{"id":"int?","to":"A?"}}]"#
    let data = #"{"A":[{"id":null},{"id":1,"to":{"$link":{"table":"A","key":null}}},{"id":2,"to":null}]}"#
    let built = try BuiltRealm(schema: schema, data: data)
    #expect(
      try built.text().contains(#""value":{"id":1,"to":{"$link":{"table":"A","key":null}}}"#))
  }

  @Test func `primary keys of all types, in all their forms`() throws {
    let types: [(String, [String])] = [
      ("int", ["1", #"{"$numberLong":"1"}"#]), ("string", [#""a""#]),
      ("objectId", [#""507f1f77bcf86cd799439011""#, #"{"$oid":"507f1f77bcf86cd799439011"}"#]),
      (
        "uuid",
        [
          #""3b241101-e2bb-4255-8caf-4136c566a962""#, #"{"$uuid":"3b241101e2bb42558caf4136c566a962"}"#,
          #"{"$binary":{"base64":"OyQRAeK7QlWMr0E2xWapYg==","subType":"04"}}"#,
        ]
      ),
    ]
    for (type, forms) in types {
      let schema =
        #"[{"name":"A","primaryKey":"id","properties":{"id":"\#(type)"}},{"name":"B","properties":{"a":"A[]"}}]"#
      let built = try BuiltRealm(
        schema: schema, data: "{\"B\":[{\"a\":[\(forms.joined(separator: ","))]}],\"A\":[{\"id\":\(forms[0])}]}")
      let table = try #require(built.snapshot.table(displayName: "B"))
      let values = try #require(try table.object(ObjectKey(rawValue: 0))?.batch.values(ofProperty: 0))
      guard case .list(let list) = try values.value(at: 0) else { continue }
      #expect(try list.count(in: built.snapshot) == forms.count)
    }
  }
}
