import Foundation
import RealmStorage
import TestSupport
import Testing

/// `insert`, `update`, `delete` and `rm`, as their users see them.
@Suite struct EditTests {
  @Test("a string in --object may have a tab as it is, as in a file for 'import'") func controlCharacters() throws {
    let place = try Workplace()
    let object = "{\"_id\":\"01234567-89ab-cdef-0123-456789abcde0\",\"name\":\"a\tb\"}"
    let outcome = try place.run(["insert", "a.realm", "Toy", "--object", object, "--no-backup"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try place.run(["query", "a.realm", "Toy", "name CONTAINS \"\t\"", "--count"]).outputText == "1\n")
  }

  private struct Workplace {
    let folder: TemporaryFolder
    var tool = Tool()

    init(_ fixture: String = "engine/dogs.realm") throws {
      folder = try TemporaryFolder()
      tool.folder = folder.path
      _ = try folder.write("a.realm", try Fixture.bytes(fixture))
    }

    func run(_ words: [String]) throws -> Tool.Outcome { try tool.run(words) }
    func bytes() throws -> [UInt8] { try Fixture.bytes(ofFile: folder.path("a.realm")) }

    /// The objects of a class by their primary keys, property by property.
    func objects(_ className: String, key: String = "_id") throws -> [String: [String: JSONText]] {
      let lines = try run(["export", "a.realm", "--only", className, "--format", "ndjson"]).outputText
      var objects: [String: [String: JSONText]] = [:]
      for line in lines.split(separator: "\n") {
        let object = try #require(
          JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        let texts = try object.mapValues {
          String(
            decoding: try JSONSerialization.data(withJSONObject: $0, options: [.fragmentsAllowed, .sortedKeys]),
            as: UTF8.self)
        }
        objects[texts[key] ?? ""] = texts
      }
      return objects
    }

    /// Runs a change as a dry run and for real: the dry run leaves the file alone, and both report the same.
    func change(_ words: [String]) throws -> Tool.Outcome {
      let before = try bytes()
      let preview = try run(words + ["--dry-run", "--json"])
      #expect(try bytes() == before)
      let outcome = try run(words + ["--no-backup", "--json"] + (words[0] == "insert" ? [] : ["--yes"]))
      #expect(preview.status == outcome.status, "\(words): \(preview.errors) \(outcome.errors)")
      if outcome.status == 0 {
        let counted = ["editedObjects", "deletedEmbedded", "removedLinks", "overwrittenValues"]
        for name in counted { #expect(Self.number(name, preview) == Self.number(name, outcome), "\(words) \(name)") }
        _ = try LeftRealm(folder.path("a.realm"))
      } else {
        #expect(try bytes() == before)
      }
      return outcome
    }

    private static func number(_ name: String, _ outcome: Tool.Outcome) -> Int? {
      let json = try? JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any]
      return json?[name] as? Int
    }
  }

  /// A JSON value, as text.
  private typealias JSONText = String

  private static let rex = #""650000000000000000000000""#

  // MARK: - Update

  /// An option with what it makes of a property of every type.
  private static let values: [(options: [String], property: String, text: String)] = [
    (["--set", "intCol=-7"], "intCol", "-7"), (["--set", "intCol:=intCol * 0 + 5"], "intCol", "5"),
    (["--set", "optInt=null"], "optInt", "null"), (["--set", "boolCol=true"], "boolCol", "true"),
    (["--set", "stringCol=a, {{b}} é"], "stringCol", "\"a, {b} é\""),
    (["--set", "stringCol=null"], "stringCol", "\"null\""), (["--set", "optString=null"], "optString", "null"),
    (["--set", "dataCol=AP8="], "dataCol", "\"AP8=\""),
    (["--set", "dateCol=2020-01-02T03:04:05.000000006Z"], "dateCol", "\"2020-01-02T03:04:05.000000006Z\""),
    (["--set", "doubleCol=0.5"], "doubleCol", "0.5"), (["--set", "floatCol=-0.25"], "floatCol", "-0.25"),
    (["--set", "objectIdCol=507f1f77bcf86cd799439011"], "objectIdCol", "\"507f1f77bcf86cd799439011\""),
    (["--set", "decimal128Col=1.5"], "decimal128Col", "\"1.5\""),
    (
      ["--set", "uuidCol=3b241101-e2bb-4255-8caf-4136c566a962"], "uuidCol", "\"3b241101-e2bb-4255-8caf-4136c566a962\""
    ),
    (["--set", "mixedCol=7"], "mixedCol", "7"), (["--set", "mixedCol=text"], "mixedCol", "\"text\""),
    (["--set", "mixedCol=[1,[true]]"], "mixedCol", "[1,[true]]"), (["--set", "link=-100"], "link", "-100"),
    (["--set", "link=null"], "link", "null"), (["--set", "listInt=[3,1,3]"], "listInt", "[3,1,3]"),
    (["--set", "listInt=[]", "--add", "listOptInt=null"], "listInt", "[]"),
    (["--set", "setInt=[3,1,3]"], "setInt", "[1,3]"), (["--set", #"dictInt={"a":1}"#], "dictInt", #"{"a":1}"#),
    (["--set", #"dictInt={}"#], "dictInt", "{}"), (["--set", "linkList=[-100,48]"], "linkList", "[-100,48]"),
  ]

  @Test(arguments: values.indices)
  func aValueOfEachType(_ index: Int) throws {
    let (options, property, text) = Self.values[index]
    let place = try Workplace("engine/all-types.realm")
    let outcome = try place.change(["update", "a.realm", "AllTypes", "_id == 48"] + options)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try place.objects("AllTypes")["48"]?[property] == text)
  }

  @Test func elementsComeAndGoAndTheOthersStay() throws {
    let place = try Workplace("engine/all-types.realm")
    let update = ["update", "a.realm", "AllTypes", "_id == 48"]
    #expect(
      try place.change(update + ["--set", "listInt=[1,2,2]", "--set", "setInt=[1,2]", "--set", #"dictInt={"a":1}"#])
        .status == 0)
    #expect(
      try place.change(
        update + ["--add", "listInt=[3,4]", "--add", "setInt=2", "--add", #"dictInt={"b":2}"#, "--add", "linkList=48"]
      ).status == 0)
    var object = try #require(try place.objects("AllTypes")["48"])
    #expect(object["listInt"] == "[1,2,2,3,4]" && object["setInt"] == "[1,2]" && object["dictInt"] == #"{"a":1,"b":2}"#)
    #expect(
      try place.change(
        update + [
          "--remove", "listInt=2", "--remove", "setInt=1", "--unset", #"dictInt["a"]"#, "--unset", #"dictInt["z"]"#,
        ]
      ).status == 0)
    // A key is quoted as in queries, and is that of an entry of the property.
    #expect(
      try place.change(update + ["--set", #"dictInt["a\"]=b"]=7"#, "--set", #"dictInt['\u0061']=8"#]).status == 0)
    #expect(try place.objects("AllTypes")["48"]?["dictInt"] == #"{"a":8,"a\"]=b":7,"b":2}"#)
    #expect(try place.change(update + ["--unset", #"dictInt["a\"]=b"]"#, "--unset", #"dictInt["a"]"#]).status == 0)
    for option in [["--set", #"dictMixed["b"]["c"]=5"#], ["--unset", #"dictMixed["b"]["c"]"#]] {
      let nested = try place.change(update + option)
      #expect(nested.status == 64 && nested.errors.contains("entries inside it cannot be changed one by one"))
    }
    object = try #require(try place.objects("AllTypes")["48"])
    #expect(object["listInt"] == "[1,3,4]" && object["setInt"] == "[2]" && object["dictInt"] == #"{"b":2}"#)
  }

  @Test("a class that cannot be read is not said to be missing, and a short file is one that was cut off")
  func damagedClasses() throws {
    let place = try Workplace()
    var bytes = try place.bytes()
    for index in 600..<1100 { bytes[index] = 0 }
    _ = try place.folder.write("b.realm", bytes)
    for words in [
      ["update", "b.realm", "Dog", "--all", "--set", "name=x"], ["delete", "b.realm", "Dog", "--all"],
      ["insert", "b.realm", "Dog", "name=x"], ["redact", "new", "b.realm"],
    ] {
      let outcome = try place.run(words)
      #expect(outcome.status == 2 && outcome.errors.contains("class 'Dog' cannot be read"), "\(outcome.errors)")
    }
    #expect(try Fixture.bytes(ofFile: place.folder.path("b.realm")) == bytes)
    _ = try place.folder.write("c.realm", Array(bytes[..<700]))
    #expect(try place.run(["open", "c.realm"]).errors.hasPrefix("realmctl: c.realm: the size of the file is wrong ("))
    let words = ["insert", "a.realm", "Toy", "_id=01234567-89ab-cdef-0123-456789abcde0", "name=x", "--expect", "2"]
    #expect(
      try place.run(words).errors
        == "realmctl: a.realm: 1 object would be inserted, expected 2, so nothing was changed\n")
  }

  @Test func anObjectThatIsAlreadySoIsNeitherCountedNorShown() throws {
    let place = try Workplace()
    let before = try place.bytes()
    let words = ["update", "a.realm", "Person", "--all", "--remove", "dogs=650000000000000000000000"]
    let preview = try place.run(words + ["--dry-run"])
    let shown = preview.outputText + preview.errors
    #expect(
      shown.hasPrefix("a.realm: 1 object of class 'Person' would be updated, 2 are already up to date\n"),
      "\(shown)")
    #expect(shown.components(separatedBy: "\n    - ").count == 2, "\(shown)")
    #expect(try place.bytes() == before)
    let done = try place.run(words + ["--yes", "--no-backup", "--expect", "3"])
    #expect(
      (done.outputText + done.errors).hasPrefix(
        "a.realm: 1 object of class 'Person' updated, 2 are already up to date\n"))
    let after = try place.bytes()
    let again = try place.run(words + ["--yes"])
    #expect(again.status == 0)
    #expect(
      again.outputText + again.errors
        == "a.realm: 3 objects of class 'Person' are already up to date; nothing was changed\n")
    #expect(try place.bytes() == after)
    // What is removed and added again is as it was, if it was last.
    let back = try place.run(
      ["update", "a.realm", "Person", "--all", "--add", "dogs=650000000000000000000001", "--yes", "--no-backup"]
        + ["--remove", "dogs=650000000000000000000001"])
    #expect(back.status == 0, "\(back.errors)")
    let changed = try place.bytes()
    let same = try place.run(
      ["update", "a.realm", "Person", "--all", "--add", "dogs=650000000000000000000001", "--yes"]
        + ["--remove", "dogs=650000000000000000000001"])
    #expect(try place.bytes() == changed)
    #expect((same.outputText + same.errors).hasSuffix("are already up to date; nothing was changed\n"), "\(same)")
    // A value that is set counts, whatever it was.
    let both = try place.run(words + ["--set", "name={name}", "--dry-run"])
    #expect((both.outputText + both.errors).hasPrefix("a.realm: 3 objects of class 'Person' would be updated\n"))
    _ = try LeftRealm(place.folder.path("a.realm"))
  }

  /// Options for one object, with what its properties are afterwards.
  private static let collections: [(options: [String], texts: [String: String])] = [
    (
      ["--add", "listMixed=1", "--add", "listMixed=[\"a\",null]", "--add", "linkList=48", "--add", "linkList=-100"],
      ["listMixed": #"[1,"a",null]"#, "linkList": "[48,-100]"]
    ),
    (
      [
        "--add", #"dictMixed={"b":{"c":1}}"#, "--set", #"dictMixed["expr"]=[1]"#, "--set", #"dictMixed["x=y"]=a=b"#,
        "--add", #"dictMixed={"literal":2}"#, "--set", "dictMixed['n']=null",
      ], ["dictMixed": #"{"b":{"c":1},"expr":[1],"literal":2,"n":null,"x=y":"a=b"}"#]
    ),
    (
      ["--add", "setDouble=NaN", "--add", "setDouble=[\"NaN\",1]", "--add", "setDouble=1.0"],
      ["setDouble": #"["NaN",1]"#]
    ),
    (
      [
        "--set", #"listDecimal128=["1.0","2","1.00"]"#, "--remove", "listDecimal128=1", "--set",
        "listMixed=[1,1.0,[1],true]",
        "--remove", "listMixed=1",
      ], ["listDecimal128": #"["2"]"#, "listMixed": "[[1],true]"]
    ),
    // An equal value takes the place of another, whatever the order of the options.
    (
      ["--add", "setDouble=-0.0", "--remove", "setDouble=0", "--add", "linkList=48", "--remove", "linkList=48"],
      ["setDouble": "[-0]", "linkList": "[48]"]
    ),
    (
      ["--set", "decimal128Col:=0.12345678901234567890123456789"],
      ["decimal128Col": #""0.12345678901234567890123456789""#]
    ),
    (
      ["--set", "decimal128Col:=0.1+1.10+123456789.123456789*1"],
      ["decimal128Col": #""123456790.323456789""#]
    ),
    (["--set", "mixedCol={stringCol}!", "--set", "stringCol=a"], ["mixedCol": "\"!\"", "stringCol": "\"a\""]),
    (["--set", #"mixedCol="{x}""#], ["mixedCol": "\"{x}\""]),
    (["--set", #"mixedCol={"expr":"1"}"#], ["mixedCol": #"{"expr":"1"}"#]),
  ]

  @Test(arguments: collections.indices)
  func severalValuesForOneCollectionAndTextThatLooksLikeAPlan(_ index: Int) throws {
    let (options, texts) = Self.collections[index]
    let place = try Workplace("engine/all-types.realm")
    let start = [
      "--set", "listMixed=[]", "--set", "linkList=[]", "--set", "dictMixed={}", "--set", "setDouble=[]", "--set",
      "stringCol=",
    ]
    let update = ["update", "a.realm", "AllTypes", "_id == 48"]
    #expect(try place.run(update + start + ["--no-backup", "--yes"]).status == 0)
    let outcome = try place.change(update + options)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let object = try #require(try place.objects("AllTypes")["48"])
    for (property, text) in texts { #expect(object[property] == text) }
  }

  @Test("many small changes do not make the file longer, and each is seen by those who read meanwhile")
  func smallChanges() throws {
    let place = try Workplace()
    let size = try place.bytes().count
    var states: [[UInt8]] = []
    for number in 10..<30 {
      let words = ["update", "a.realm", "Dog", "--all", "--set", "name=dog \(number)", "--no-backup", "--yes"]
      #expect(try place.run(words).status == 0)
      states.append(try ByteStore.open(.path(place.folder.path("a.realm")), key: nil).currentState())
    }
    #expect(try place.bytes().count <= 2 * size)
    // The roots take turns in the same places, so headers come back.
    #expect(Set(states.map { $0.prefix(24) }).count < states.count && Set(states).count == states.count)
    _ = try LeftRealm(place.folder.path("a.realm"))
  }

  @Test("a path through lists of links has an end") func manyLinks() throws {
    let place = try Workplace()
    let ids = (0..<40).map(String.init).joined(separator: ",")
    let objects = (0..<40).map { "{\"id\":\($0),\"to\":[\(ids)]}" }
    try place.folder.write("N.ndjson", Array(objects.joined(separator: "\n").utf8))
    let model = #"[{"name":"N","primaryKey":"id","properties":{"id":"int","to":"N[]","n":"int?"}}]"#
    try place.folder.write("n.json", Array(model.utf8))
    let made = ["import", "n.realm", "N.ndjson", "--class", "N", "--create", "--schema", "n.json"]
    #expect(try place.run(made).status == 0)
    let update = ["update", "n.realm", "N", "id == 1", "--no-backup", "--yes", "--set"]
    #expect(try place.run(update + ["n:=count(to.to.to)"]).status == 0)
    let outcome = try place.run(update + ["n:=count(to.to.to.to)"])
    #expect(outcome.status != 0 && outcome.errors.contains("'to.to.to.to' has more than 1000000 values"))
    #expect(try place.run(["query", "n.realm", "N", "n == 40", "--count"]).outputText == "1\n")
    _ = try LeftRealm(place.folder.path("n.realm"))
  }

  @Test("a report that cannot be written says that the change was made") func closedOutput() throws {
    let place = try Workplace()
    let before = try place.bytes()
    var tool = place.tool
    tool.closedStreams = [1]
    let words = ["update", "a.realm", "Dog", "--all", "--set", "name=x", "--no-backup", "--yes"]
    let dry = try tool.run(words + ["--dry-run"])
    #expect(dry.status == 2 && !dry.errors.contains("files were changed"), "\(dry.errors)")
    #expect(try place.bytes() == before)
    let outcome = try tool.run(words)
    #expect(outcome.status == 2 && outcome.errors.contains("after files were changed"), "\(outcome.errors)")
    #expect(try place.bytes() != before)
  }

  /// Values of properties that have no such value.
  private static let wrongValues = [
    ["--set", #"embeddedList={"name":"x"}"#], ["--remove", #"embeddedList={"name":"x"}"#],
    ["--set", #"mixedCol={"a":1"#], ["--set", "mixedCol=[1"], ["--add", #"listMixed={"a""#],
    ["--add", #"dictInt={"a":1}"#, "--add", #"dictInt={"a":2}"#],
    // An accent behind a brace does not hide it from templates.
    ["--set", "mixedCol={\u{301}"], ["--set", "stringCol=a}\u{301}"],
  ]

  @Test(arguments: wrongValues) func aValueThatIsNotMeantIsAnError(_ options: [String]) throws {
    let place = try Workplace("engine/all-types.realm")
    #expect(try place.change(["update", "a.realm", "AllTypes", "--all"] + options).status == 7)
  }

  @Test func objectsWithoutAPrimaryKeyAreNamedByTheirObjectKeys() throws {
    let place = try Workplace()
    _ = try place.folder.write(
      "model.json",
      Array(
        #"{"classes":[{"name":"A","properties":{"b":"B","bs":"B[]","c":"C","m":"mixed"}},{"name":"B","properties":{"n":"int"}},{"name":"C","embedded":true,"properties":{"b":"B"}}]}"#
          .utf8))
    #expect(try place.run(["bundle", "--schema", "model.json", "--seed", "a.realm", "--force"]).status == 0)
    #expect(try place.change(["insert", "a.realm", "B", "--object", "[{},{}]"]).status == 0)
    for words in [
      ["insert", "a.realm", "A", "b=1", "bs=[0,1]", #"c={"b":0}"#],
      ["update", "a.realm", "A", "--all", "--add", "bs=[0]", "--add", "bs=1"],
      // As export writes them.
      ["insert", "a.realm", "A", "--object", #"{"b":{"_key":1},"bs":[{"_key":0},1],"c":{"b":{"_key":0}}}"#],
      ["insert", "a.realm", "A", #"b={"_key":1}"#, #"m={"$link":{"table":"B","key":{"_key":1}}}"#],
    ] {
      let outcome = try place.change(words)
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    let objects = try place.objects("A", key: "_key")
    let object = try #require(objects["0"])
    let (first, second) = (#"{"_key":0}"#, #"{"_key":1}"#)
    #expect(object["b"] == second && object["bs"] == "[\(first),\(second),\(first),\(second)]")
    #expect(object["c"] == #"{"b":{"_key":0}}"#)
    #expect(objects["1"]?["b"] == second && objects["1"]?["bs"] == "[\(first),\(second)]")
    #expect(objects["1"]?["c"] == #"{"b":{"_key":0}}"#)
    #expect(objects["2"]?["m"] == #"{"$link":{"key":{"_key":1},"table":"B"}}"#)
    let wrong = try place.change(["insert", "a.realm", "A", #"b={"n":1}"#])
    #expect(wrong.status == 7)
    // Each mistake of a list, and with its path in an embedded object.
    let all = try place.run(["insert", "a.realm", "A", "--object", #"{"bs":[8,9],"c":{"b":"x"}}"#]).errors
    #expect(all.contains(": 3 mistakes, so nothing was changed\n"), "\(all)")
    #expect(all.contains("key 8") && all.contains("key 9") && all.contains("'c.b' takes the object key of "), "\(all)")
    #expect(
      try place.run(["insert", "a.realm", "A", #"b={"n":1}"#]).errors.contains(
        #"'b' takes the object key of an object of class 'B', such as {"_key":0}, not {"n":1}"#))
    #expect(try place.change(["update", "a.realm", "A", "--all", "--set", "bs=[7]"]).status == 7)
  }

  /// Mistakes that keep a value from being read come together with those that are found when it is looked up.
  @Test func allMistakesComeInTheFirstRun() throws {
    let place = try Workplace()
    _ = try place.folder.write(
      "model.json",
      Array(
        #"{"classes":[{"name":"A","primaryKey":"_id","properties":{"_id":"int","s":"string","b":"B","c":"C","cs":"C[]","m":"mixed"}},{"name":"B","primaryKey":"_id","properties":{"_id":"int"}},{"name":"C","embedded":true,"properties":{"n":"int","b":"B"}}]}"#
          .utf8))
    #expect(try place.run(["bundle", "--schema", "model.json", "--seed", "a.realm", "--force"]).status == 0)
    let values = [
      "none=1", #"c={"n":"x","nope":1,"b":8}"#, #"cs=[{"n":"y"}]"#, #"b={"$link":{"tabel":"B"}}"#,
      #"m={"$link":{"table":"B"}}"#, "s:=nme",
    ]
    let mistakes = """
      8 mistakes, so nothing was changed
        'A' has no property 'none'
        'c.n' takes an int (a whole number of 64 bits), not 'x'
        'C' has no property 'nope'; the properties are: n, b
        'c.b': class 'B' has no object with the primary key 8; check the key, or insert that object first
        'cs[0].n' takes an int (a whole number of 64 bits), not 'y'
        'b': '$link' needs 'table' and 'key' or 'objKey'
        'm': '$link' needs 'table' and 'key' or 'objKey'
        'A' has no property 'nme'; the properties are: _id, s, b, c, cs, m

      """
    let first = try place.run(["insert", "a.realm", "A", "_id=1"] + values).errors
    #expect(first.hasSuffix(mistakes), "\(first)")
    let templates = try place.run(
      ["update", "a.realm", "A", "--all", "--set", "none=1", "--set", "s={nme}", "--add", "cs={\"n\":\"x\"}"]
    ).errors
    #expect(
      templates.contains(
        """
        3 mistakes, so nothing was changed
          'A' has no property 'none'
          'A' has no property 'nme'; the properties are: _id, s, b, c, cs, m
        """), "\(templates)")
    #expect(templates.contains("\n  'cs.n' takes an int (a whole number of 64 bits), not 'x'\n"), "\(templates)")
  }

  @Test func severalMistakesAreEachAnErrorOfTheirOwnAsJSON() throws {
    let words = ["update", "a.realm", "Dog", "--all", "--set", "nam=x", "--set", "dateOfBirth=soon", "--json"]
    let outcome = try Workplace().run(words)
    let errors = outcome.errors.split(separator: "\n").map(String.init)
    #expect(errors.count == 3 && errors.allSatisfy { !$0.contains("detail") }, "\(outcome.errors)")
    #expect(errors.first?.contains(#""message":"'Dog' has no property 'nam'""#) == true)
    #expect(errors.first?.contains(#""hint":"did you mean 'name'?""#) == true)
    #expect(errors.last?.contains(#""message":"2 mistakes, so nothing was changed""#) == true)
    let names = try Workplace().run(["export", "a.realm", "--only", "Dgo,Cow", "--json"])
    #expect(names.errors.split(separator: "\n").count == 3, "\(names.errors)")
  }

  @Test func aFileThatIsNamedTwiceIsNotChangedTwice() throws {
    let place = try Workplace()
    let before = try place.bytes()
    try FileManager.default.createSymbolicLink(
      atPath: place.folder.path("b.realm"), withDestinationPath: place.folder.path("a.realm"))
    for other in ["a.realm", "./a.realm", "b.realm"] {
      let outcome = try place.run(["update", "a.realm", "Dog", "--all", "--set", "name={name}!", "--also", other])
      #expect(outcome.status == 64 && outcome.errors.contains("the same file"), "\(outcome.errors)")
    }
    #expect(try place.bytes() == before)
  }

  @Test func thePrimaryKeyChangesAndLinksFollow() throws {
    let place = try Workplace()
    let before = try place.objects("Person")
    let outcome = try place.change(
      ["update", "a.realm", "Dog", "_id == oid(650000000000000000000000)", "--set", "_id=650000000000000000000099"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let after = try place.objects("Person")
    #expect(after.keys.sorted() == before.keys.sorted())
    for (key, person) in before {
      let expected = person["dogs"]?.replacing("650000000000000000000000", with: "650000000000000000000099")
      #expect(after[key]?["dogs"] == expected)
    }
  }

  /// What does not fit leaves the file as it was.
  private static let misfits: [(words: [String], status: Int32)] = [
    (["update", "Dog", "--all", "--set", "_id=650000000000000000000077"], 7),
    (["update", "Dog", "--all", "--set", "name=null"], 0), (["update", "Dog", "--all", "--set", "nme=x"], 3),
    (["update", "Dgo", "--all", "--set", "name=x"], 3), (["update", "Dog", "nme == 1", "--set", "name=x"], 8),
    (["update", "Dog", "--set", "name=x"], 64), (["update", "Dog", "--all"], 64),
    (["update", "Dog", "--all", "--set", "dateOfBirth=yesterday"], 7),
    (["update", "Dog", "--all", "--set", "favoriteToy=nothing"], 7),
    (["update", "Dog", "--all", "--add", "name=x"], 7), (["update", "Person", "--all", "--set", "dogs=x"], 7),
    (["update", "Dog", "--all", "--set", "name=a", "--set", "name=b"], 64),
    (["update", "Dog", "name == 'Rex'", "--set", "name=x", "--expect", "2"], 1),
    (["insert", "Dog", "name=x"], 7), (["insert", "Dog", "_id=650000000000000000000000"], 7),
    (["insert", "Dog", "_id=650000000000000000000077", "nme=x"], 3),
    (["delete", "Dog", "name == 'Rex'", "--expect", "3"], 1), (["delete", "Dog"], 64), (["delete", "Dgo", "--all"], 3),
  ]

  @Test(arguments: misfits.indices)
  func whatDoesNotFit(_ index: Int) throws {
    let (words, status) = Self.misfits[index]
    let place = try Workplace()
    let outcome = try place.change([words[0], "a.realm"] + words.dropFirst())
    #expect(outcome.status == status, "\(outcome.errors)")
  }

  private static let wrongDogs = """
    [{"_id":"65000000000000000000000a","nam":"x"},{"_id":"650000000000000000000000"},
    {"_id":"65000000000000000000000a","name":1},{"_id":"65000000000000000000000b","name":"y"}]
    """

  @Test(arguments: [
    (
      ["insert", "a.realm", "Dog", "_id=1"],
      "'_id' takes an objectId (24 hex digits), not '1'"
    ),
    (
      ["update", "a.realm", "Dog", "--all", "--set", "dateOfBirth=yesterday"],
      "'dateOfBirth' takes a date (such as 2024-01-31T12:00:00Z), not 'yesterday'"
    ),
    (
      ["update", "a.realm", "Dog", "--all", "--set", "dateOfBirth=10000-01-01T00:00:00Z"],
      "; a year above 9999 needs a sign: +10000-01-01T00:00:00Z"
    ),
    (
      ["insert", "a.realm", "Dog", "_id=1", "name=x", "dateOfBirth=soon"],
      "2 mistakes, so nothing was changed\n  '_id' takes "
    ),
    (
      ["insert", "a.realm", "Dog", "_id=1", "name=x", "dateOfBirth=soon"],
      "not '1'\n  'dateOfBirth' takes a date (such as 2024-01-31T12:00:00Z), not 'soon'\n"
    ),
    (
      ["update", "a.realm", "Dog", "--all", "--set", "name:=name +"],
      "the formula of 'name' is not valid: unexpected end, expected a value (character 7 of \"name +\"), so nothing"
    ),
    (["insert", "a.realm", "Dog", "--object", #"{"name":"x""#], "--object is not valid JSON: "),
    (
      ["insert", "a.realm", "Person", "_id=1", #"dogs=["x""#],
      "the value of 'dogs' is not valid JSON: unexpected end, expected ',' or ']' (line 1, column 5)"
    ),
    (
      ["diff", "a.realm", "a.realm", "--only", "no class 'x'"],
      "neither realm has a class 'no class 'x''; "
    ),
    (
      ["migrate", "a.realm", "--set", "Dog.favoriteToy=x", "--to-version", "4"],
      "--set: 'Dog.favoriteToy' is a link, which text cannot set, so nothing was changed; use a plan whose 'set' has the "
        + "value { pk: [Toy, KEY] } (--plan)"
    ),
    (
      ["migrate", "a.realm", "--set", "Person.dogs=[]", "--to-version", "4"],
      "'Person.dogs' is a list, which text cannot set, so nothing was changed; use a plan whose 'set' has the value [VALUE, "
    ),
    (
      ["insert", "a.realm", "Dog", "--object", Self.wrongDogs],
      """
        object 1: 'Dog' has no property 'nam'; did you mean 'name'?
        object 2: 'Dog' already has an object with the primary key 650000000000000000000000; use 'update' to change that \
      object
        object 3: the primary key 65000000000000000000000a is given twice, also for object 1
        object 3: 'name' takes a string, not 1; put it in quotes

      """
    ),
    (
      [
        "insert", "a.realm", "Person", "name=x", "--object", #"[{"_id":"1"},{"_id":"2","name":3,"dogs":[4]}]"#, "nam=y",
      ],
      "4 mistakes, so nothing was changed\n  'Person' has no property 'nam'; did you mean 'name'?\n  object 1: '_id' takes"
    ),
    (
      ["update", "a.realm", "Person", "--all", "--set", "nam=3", "--unset", #"name["a"]"#, "--add", "dogs=x"],
      """
      3 mistakes, so nothing was changed
        'Person' has no property 'nam'; did you mean 'name'?
        'dogs' takes the primary key of an object of class 'Dog', an objectId (24 hex digits), not 'x'
        'name' is not a dictionary

      """
    ),
    (
      ["update", "a.realm", "Person", "--all", "--add", #"dogs={"a":1}"#],
      #", an objectId (24 hex digits), not {"a":1}"#
    ),
    (
      ["update", "a.realm", "Dog", "--all", "--set", #"m["a"]=1"#, "--set", #"m["a"]=2"#],
      #"entry 'm["a"]' is given twice"#
    ),
    (["insert", "a.realm", "Person", "_id=1", #"dogs=["x"]"#], "\n  'dogs[0]' takes the primary key of an object"),
    (["update", "a.realm", "Person", "--all", "--set", "dogs={}"], "'dogs' takes a JSON array, not '{}', so nothing"),
    (
      ["migrate", "a.realm", "--delete-class", "Toy", "--to-version", "18446744073709551615"],
      "Cannot set schema version to 18446744073709551615"
    ),
    (["sql", "a.realm", ";"], "missing SQL statement; give one as an argument"),
    (["open", "a.realm", "Dog"], "Dog: no such file or directory; if it is a class, write --only Dog"),
    (
      ["diff", "a.realm", "a.realm", "--only", "Dog,Cat,Cow"],
      "2 mistakes\n  neither realm has a class 'Cat'\n  neither realm has a class 'Cow'; the classes are: Dog,"
    ),
    (["query", "a.realm", "Dog", "--columns", "name.x"], "'x'; values of type string have no properties"),
    (
      ["query", "a.realm", "Dog", "--columns", "nam,x"],
      "2 mistakes\n  'Dog' has no property 'nam'; did you mean 'name'?\n"
    ),
    (
      ["export", "a.realm", "--only", "Cat,Cow"],
      "2 mistakes\n  no class 'Cat'\n  no class 'Cow'; the classes are: Dog,"
    ),
    (["migrate", "a.realm", "--delete-class", "Dog", "--to-version", "4"], "Cannot remove Dog that is target"),
    (
      ["migrate", "a.realm", "--delete-class", "Dog", "--to-version", "4"],
      "; use a plan with 'if_linked: clear' (--plan)"
    ),
    (["migrate", "a.realm", "--rename", "Dog.name=title", "--to-version", "1"], "; use --to-version 4 or higher\n"),
  ])
  func aMistakeIsToldInWordsOfTheCommand(_ words: [String], _ text: String) throws {
    let outcome = try Workplace().run(words)
    #expect(outcome.status != 0)
    #expect(outcome.errors.contains(text), "\(outcome.errors)")
  }

  @Test(arguments: [
    (
      ["migrate", "a.realm", "--rename", "Dog.name=Dog.title", "--to-version", "4"],
      "--rename: write Dog.name=title, without the class after ="
    ),
    (
      ["migrate", "a.realm", "--rename", "Dog.name=", "--to-version", "4"],
      "--rename takes Class.property=NAME or Class=NAME, such as Person.name=fullName, not 'Dog.name='"
    ),
    (["sql", "a.realm", "SELECT _key FROM Dog"], "no such column: _key; a class with a primary key has no _key"),
  ])
  func aNameThatCannotBeMeantIsRefused(_ words: [String], _ text: String) throws {
    let place = try Workplace()
    let before = try place.bytes()
    let outcome = try place.run(words)
    #expect(outcome.status != 0 && outcome.errors.contains(text), "\(outcome.errors)")
    #expect(try place.bytes() == before)
  }

  /// Both are about the objects that have no breed before.
  @Test func migrateSetsWhereAConditionHolds() throws {
    let place = try Workplace()
    let before = try place.objects("Dog")
    let arguments = ["migrate", "a.realm", "--to-version", "4", "--no-backup", "--set", "Dog.breed=none"]
    let outcome = try place.run(arguments + ["--set", "Dog.name=X {name}", "--where", "Dog:breed == null"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    for (key, dog) in try place.objects("Dog") {
      let isFound = before[key]?["breed"] == "null"
      #expect(dog["breed"] == (isFound ? "\"none\"" : before[key]?["breed"]))
      #expect(dog["name"] == (isFound ? before[key]?["name"]?.replacing(/^"/, with: "\"X ") : before[key]?["name"]))
    }
    for words in [["--set", "Dog.name=x", "--where", "Toy:name == ''"], ["--where", "Dog:name == ''"]] {
      #expect(try place.run(["migrate", "a.realm", "--to-version", "5"] + words).status == 64)
    }
  }

  // MARK: - Insert and delete

  @Test func anObjectIsInserted() throws {
    let place = try Workplace()
    let key = "650000000000000000000077"
    let outcome = try place.change([
      "insert", "a.realm", "Dog", "_id=\(key)", "name=New {x}", "favoriteToy=01234567-89ab-cdef-0123-456789abcdef",
    ])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let object = try #require(try place.objects("Dog")["\"\(key)\""])
    #expect(object["name"] == "\"New {x}\"" && object["breed"] == "null")
    #expect(object["favoriteToy"] == "\"01234567-89ab-cdef-0123-456789abcdef\"")
  }

  @Test func numbersAreInsertedAsTheyAreSet() throws {
    let place = try Workplace("engine/all-types.realm")
    let words = [
      "insert", "a.realm", "AllTypes", "_id=+5003", "boolCol=TRUE", "optBool=0", "doubleCol=.5", "floatCol=5.",
      "optDouble=+1.5", "optFloat=+.5",
    ]
    let outcome = try place.change(words)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let object = try #require(try place.objects("AllTypes")["5003"])
    #expect(object["boolCol"] == "true" && object["optBool"] == "false")
    #expect(object["doubleCol"] == "0.5" && object["floatCol"] == "5")
    #expect(object["optDouble"] == "1.5" && object["optFloat"] == "0.5")
  }

  @Test func aSetThatWouldContainAListIsNamed() throws {
    let place = try Workplace("engine/all-types.realm")
    let outcome = try place.change(["insert", "a.realm", "AllTypes", "--object", #"{"_id":5004,"setMixed":[[1]]}"#])
    #expect(outcome.status == 7)
    #expect(
      outcome.errors.contains("'setMixed' is a set, which cannot contain lists and dictionaries"), "\(outcome.errors)")
  }

  @Test func theTextNullInARequiredStringIsAWarning() throws {
    let place = try Workplace()
    let warning = "'name' is required and cannot be null, so the text"
    let update = try place.change(["update", "a.realm", "Dog", "name == 'Rex'", "--set", "name=null"])
    #expect(update.status == 0 && update.errors.contains(warning), "\(update.errors)")
    let insert = try place.change([
      "insert", "a.realm", "Dog", "_id=650000000000000000000077", "name=null", "breed=null",
    ])
    #expect(insert.status == 0 && insert.errors.contains(warning), "\(insert.errors)")
    let refused = try place.run(["migrate", "a.realm", "--set", "Dog.name=null", "--to-version", "4"])
    #expect(refused.status == 7 && refused.errors.contains("'name' cannot be null"), "\(refused.errors)")
    let arguments = ["migrate", "a.realm", "--set", "Dog.breed=null", "--to-version", "4", "--no-backup"]
    #expect(try place.run(arguments).status == 0)
    #expect(try place.objects("Dog").values.allSatisfy { $0["breed"] == "null" })
  }

  @Test func objectsOfJSONAreInserted() throws {
    let place = try Workplace("engine/all-types.realm")
    let json = #"[{"_id":5001,"listInt":[1,2],"dictString":{"a":"{b}"},"mixedCol":{"x":[1]}},{"_id":5002,"link":5001}]"#
    #expect(try place.change(["insert", "a.realm", "AllTypes", "--object", json, "--expect", "1"]).status == 1)
    let outcome = try place.change(["insert", "a.realm", "AllTypes", "--object", json, "--expect", "2"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let objects = try place.objects("AllTypes")
    #expect(objects["5001"]?["listInt"] == "[1,2]" && objects["5001"]?["dictString"] == #"{"a":"{b}"}"#)
    #expect(objects["5001"]?["mixedCol"] == #"{"x":[1]}"# && objects["5002"]?["link"] == "5001")
  }

  @Test func objectsAreDeletedWithTheirEmbeddedOnesAndLinksGo() throws {
    let place = try Workplace()
    let before = try place.objects("Person")
    let outcome = try place.change(["delete", "a.realm", "Dog", "_id == oid(650000000000000000000000)"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try place.objects("Dog")[Self.rex] == nil)
    for (key, person) in try place.objects("Person") {
      let dogs = try #require(before[key]?["dogs"])
      let left = dogs.dropFirst().dropLast().split(separator: ",").filter { $0 != Self.rex }
      #expect(person["dogs"] == "[\(left.joined(separator: ","))]")
    }
    let all = try place.change(["delete", "a.realm", "Dog", "--all"])
    #expect(all.status == 0)
    #expect(try place.objects("Dog").isEmpty)
  }

  @Test func embeddedObjectsGoWithTheirOwners() throws {
    let place = try Workplace("engine/all-types.realm")
    #expect(try place.change(["delete", "a.realm", "AllTypes", "--all"]).status == 0)
    let left = try LeftRealm(place.folder.path("a.realm")).snapshot
    for table in left.tables where table.schema.isClass { #expect(try table.objectCount() == 0) }
  }

  @Test func aBackupIsMadeAndHasTheOldValues() throws {
    let place = try Workplace()
    let before = try place.bytes()
    let outcome = try place.run(["update", "a.realm", "Dog", "--all", "--set", "name=x", "--yes", "--json"])
    #expect(outcome.status == 0)
    let json = try #require(JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])
    let backup = try #require(json["backup"] as? String)
    #expect(try Fixture.bytes(ofFile: place.folder.path(backup)) == before)
    #expect(json["removedValuesRemain"] as? Bool == true)
  }

  @Test func aRealmInUseSaysWhatHelps() throws {
    let place = try Workplace()
    let before = try place.bytes()
    let access = try ExclusiveAccess(toRealm: place.folder.path("a.realm"))
    defer { access.release() }
    for words in [
      ["insert", "a.realm", "Toy", "_id=11111111-2222-3333-4444-555555555556", "name=x"],
      ["update", "a.realm", "Dog", "--all", "--set", "name=x"], ["delete", "a.realm", "Dog", "--all"],
      ["rm", "a.realm"], ["rm", "a.realm", "--dry-run"],
    ] {
      let outcome = try place.run(words + (words[0] == "insert" ? [] : ["--yes"]))
      #expect(outcome.status == 6 && outcome.output.isEmpty)
      #expect(outcome.errors.contains("close it there, or use --wait SECONDS"), "\(outcome.errors)")
    }
    #expect(try place.bytes() == before)
    let waited = try place.run(["delete", "a.realm", "Dog", "--all", "--yes", "--wait", "0.01"])
    #expect(waited.errors.contains("close it there, or use a longer --wait"), "\(waited.errors)")
  }

  // MARK: - Remove

  @Test func aRealmGoesWithItsSideFiles() throws {
    let place = try Workplace()
    _ = try place.folder.write("a.realm.lock", [])
    try #require(mkfifo(place.folder.path("a.realm.note"), 0o600) == 0)
    try FileManager.default.createDirectory(
      atPath: place.folder.path("a.realm.management"), withIntermediateDirectories: false)
    _ = try place.folder.write("other", [1])
    #expect(try place.run(["rm", "a.realm"]).status == 64)
    #expect(FileManager.default.fileExists(atPath: place.folder.path("a.realm")))
    _ = try place.folder.write("a.realm.management/lock.fifo", [])
    let paths = [
      "a.realm.management/lock.fifo", "a.realm.management", "a.realm.note", "a.realm", "a.realm.lock",
    ]
    for isDry in [true, false] {
      let outcome = try place.run(["rm", "a.realm", "--yes", "--json"] + (isDry ? ["--dry-run"] : []))
      #expect(outcome.status == 0 && outcome.errors.isEmpty)
      let json = try #require(JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])
      #expect(json["deletedFiles"] as? [String] == paths)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.folder.path) == ["other"])
    #expect(try place.run(["rm", "other", "--yes"]).status != 0)
  }
}
