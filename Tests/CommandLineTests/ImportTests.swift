import Foundation
import RealmStorage
import TestSupport
import Testing

/// `import` and `schema infer`.
@Suite struct ImportTests {
  private struct Workplace {
    let folder: TemporaryFolder
    var tool = Tool()

    init() throws {
      folder = try TemporaryFolder()
      tool.folder = folder.path
    }

    func run(_ words: String...) throws -> Tool.Outcome { try tool.run(words) }
    func write(_ name: String, _ text: String) throws { _ = try folder.write(name, Array(text.utf8)) }
    func bytes(_ name: String) throws -> [UInt8] { try Fixture.bytes(ofFile: folder.path(name)) }
    func check(_ name: String) throws { _ = try LeftRealm(folder.path(name)) }
  }

  @Test("a place in CSV counts characters, over quotes and lines") func places() throws {
    let place = try Workplace()
    try place.write("model.json", #"[{"name":"P","properties":{"s":"string","n":"int","d":"date?"}}]"#)
    try place.write("P.csv", "s,n,d\n\u{1F600}é,x,\n\"a\nü\"\"\",1,never\n")
    let outcome = try place.run("import", "a.realm", "P.csv", "--create", "--schema", "model.json")
    #expect(outcome.status == 7)
    let places = outcome.errors.split(separator: "\n").map { $0.split(separator: " ")[1] }
    #expect(places == ["P.csv:2:4:", "P.csv:4:8:", "a.realm:"])
  }

  @Test("a key twice in a dictionary is named, at its own place") func repeatedKeys() throws {
    let place = try Workplace()
    try place.write("model.json", #"[{"name":"P","properties":{"m":"int{}","x":"mixed"}}]"#)
    try place.write("P.json", "{\"m\":{\"a\":1,\n \"b\":2,\n  \"a\":3}}\n{\"x\":{\"q\":{\"r\":1},\"q\":2}}")
    let outcome = try place.run("import", "a.realm", "P.json", "--class", "P", "--create", "--schema", "model.json")
    #expect(outcome.errors.contains("P.json:3:3: property 'P.m' has the key 'a' twice"), "\(outcome.errors)")
    #expect(outcome.errors.contains("P.json:4:19: property 'P.x' has the key 'q' twice"), "\(outcome.errors)")
  }

  @Test("classes of a damaged realm that cannot be created are named with that realm") func damagedSource() throws {
    let place = try Workplace()
    var bytes = try Fixture.bytes("engine/dogs.realm")
    for start in bytes.indices where bytes[start...].starts(with: Array("breed".utf8)) { bytes[start] = 0xff }
    _ = try place.folder.write("source.realm", bytes)
    let outcome = try place.run("import", "a.realm", "source.realm", "--create", "--create-classes")
    #expect(outcome.status == 7)
    #expect(
      outcome.errors.hasPrefix("realmctl: source.realm: the classes of the realm cannot be created (Name with"),
      "\(outcome.errors)")
    #expect(outcome.errors.hasSuffix("; run 'check' on source.realm: if it is damaged, 'recover' saves what is left\n"))
  }

  @Test("a mistake in JSON is where its value begins, and a byte order mark has no column") func placesInJSON() throws {
    let place = try Workplace()
    try place.write("model.json", #"[{"name":"P","properties":{"n":"int","l":"int[]"}}]"#)
    try place.write("P.json", "\u{FEFF}{\"x\":1}\n {\"n\": { \"a\":1}}\n{\"l\":[1, [\n2]]}\n{\"n\":\"é\"}")
    let outcome = try place.run("import", "a.realm", "P.json", "--class", "P", "--create", "--schema", "model.json")
    #expect(outcome.status == 7)
    let places = outcome.errors.split(separator: "\n").map { $0.split(separator: " ")[1] }
    #expect(places == ["P.json:1:2:", "P.json:2:8:", "P.json:3:10:", "P.json:5:6:", "a.realm:"])
  }

  @Test("sources named before the realm are recognized") func sourceFirst() throws {
    let place = try Workplace()
    try place.write("P.csv", "id\n1\n")
    for words in [
      ["P.csv", "a.realm"], ["P.csv", "a.realm", "--create", "--create-classes"], ["none.csv", "a.realm"],
    ] {
      let outcome = try place.tool.run(["import"] + words)
      #expect(outcome.status == 64)
      #expect(
        outcome.errors.hasPrefix("realmctl: \(words[0]): this is a source, not a realm; the realm comes first: "))
    }
    #expect(try place.bytes("P.csv") == Array("id\n1\n".utf8))
  }

  @Test("each link has its place, and what is wrong in an embedded object that of its field")
  func placesInFields() throws {
    let place = try Workplace()
    try place.write(
      "model.json",
      #"""
      [{"name":"E","embedded":true,"properties":{"n":"int"}},
       {"name":"P","primaryKey":"id","properties":{"id":"int","n":"int?","e":"E","a":"P","b":"P"}}]
      """#)
    try place.write(
      "P.csv",
      """
      id,b,n,e,a
      1,7,,,8
      2,1,,"{""n"":""x""}",1
      3,,,"{""m"":1}",1
      4,,x,"{""n"":null}",

      """)
    let outcome = try place.run("import", "a.realm", "P.csv", "--create", "--schema", "model.json")
    #expect(outcome.status == 7)
    let places = outcome.errors.split(separator: "\n").map { $0.split(separator: " ")[1] }
    #expect(places == ["P.csv:3:6:", "P.csv:4:5:", "P.csv:5:4:", "P.csv:5:6:", "P.csv:2:7:", "P.csv:2:3:", "a.realm:"])
  }

  @Test("an object inside another one that is left out does not take a link along in silence")
  func leftOutInside() throws {
    let place = try Workplace()
    try place.write(
      "model.json",
      #"""
      [{"name":"P","primaryKey":"id","properties":{"id":"int","to":"Q"}},
       {"name":"Q","primaryKey":"id","properties":{"id":"int","to":"P"}}]
      """#)
    try place.write("data.json", #"{"P":[{"id":1,"to":{"id":5,"to":99}},{"id":2,"to":{"id":6,"to":1}}]}"#)
    let outcome = try place.run(
      "import", "a.realm", "data.json", "--create", "--schema", "model.json", "--max-errors", "9")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("no object 99 of class 'P' exists"), "\(outcome.errors)")
    #expect(
      outcome.errors.contains("property 'P.to': object 5 of class 'Q' is left out, and the link with it (object 1)"))
    let kept = try place.run("query", "a.realm", "P", "TRUEPREDICATE SORT(id ASC)", "--columns", "id,to.id")
    #expect(kept.outputText == #"{"id":1,"to.id":null}"# + "\n" + #"{"id":2,"to.id":6}"# + "\n")
    try place.check("a.realm")
  }

  @Test("what links to objects that are left out is left out with them", arguments: ["csv", "ndjson"])
  func leftOut(form: String) throws {
    let place = try Workplace()
    let key = form == "csv" ? #""primaryKey":"id","# : ""
    try place.write(
      "model.json", #"[{"name":"P",\#(key)"properties":{"id":"int","to":"P","many":"P[]"}}]"#)
    let rows: [(id: Int, to: Int?, all: [Int])] = [
      (1, 2, [3]), (2, 9, []), (3, 4, [4]), (4, 3, []), (5, nil, [3, 6]), (6, 1, []), (7, nil, [4, 3]), (8, 7, [8]),
    ]
    let lines = rows.map { row in
      let to = row.to.map(String.init)
      let all = row.all.map(String.init)
      guard form == "ndjson" else { return "\(row.id),\(to ?? ""),\"[\(all.joined(separator: ","))]\"\n" }
      let links = all.map { #"{"_key":\#($0)}"# }.joined(separator: ",")
      let link = to.map { #"{"_key":\#($0)}"# } ?? "null"
      return #"{"_key":\#(row.id),"id":\#(row.id),"to":\#(link),"many":[\#(links)]}"# + "\n"
    }
    for (number, order) in [Array(lines), lines.reversed()].enumerated() {
      try place.write("P.\(form)", (form == "csv" ? "id,to,many\n" : "") + order.joined())
      let outcome = try place.run(
        "import", "\(number).realm", "P.\(form)", "--class", "P", "--create", "--schema", "model.json", "--max-errors",
        "9")
      #expect(outcome.status == 1, "\(outcome.errors)")
      try place.check("\(number).realm")
      let query = "TRUEPREDICATE SORT(id ASC)"
      let kept = try place.run("query", "\(number).realm", "P", query, "--columns", "id,to.id,many.@count")
      #expect(
        kept.outputText.split(separator: "\n") == [
          #"{"id":3,"to.id":4,"many.@count":1}"#, #"{"id":4,"to.id":3,"many.@count":0}"#,
          #"{"id":7,"to.id":null,"many.@count":2}"#, #"{"id":8,"to.id":7,"many.@count":1}"#,
        ])
      #expect(outcome.errors.split(separator: "\n").filter { $0.contains("no object ") }.count == 1)
      #expect(outcome.errors.split(separator: "\n").filter { $0.contains("is left out") }.count == 3)
    }
  }

  // MARK: - Round trips

  private static let fixtures = [
    "dogs", "all-types", "nested-mixed", "address-twice", "indexes", "fragmented", "person-v1", "many-properties",
  ].filter { FileManager.default.fileExists(atPath: Fixture.path("engine/\($0).realm")) }

  @Test(
    "what export writes without loss comes back whole", arguments: fixtures,
    ["typed-ndjson", "typed", "sqlite", "realm", "exploded"])
  func roundTrip(fixture: String, form: String) throws {
    let place = try Workplace()
    let path = Fixture.path("engine/\(fixture).realm")
    let model = try place.run("schema", "dump", path, "--format", "json")
    _ = try place.folder.write("model.json", model.output)
    var source = path
    if form == "exploded" {
      source = "out"
      #expect(try place.run("export", path, "--format", "csv", "--explode", "-o", source).status == 0)
    } else if form != "realm" {
      source = form == "sqlite" ? "out.sqlite" : "out.json"
      #expect(try place.run("export", path, "--format", form, "-o", source).status == 0)
    }
    let outcome = try place.run("import", "new.realm", source, "--create", "--schema", "model.json")
    #expect(outcome.status == 0, "\(outcome.errors)")
    try place.check("new.realm")
    #expect(try place.run("diff", path, "new.realm").outputText == "")
    // Object keys too.
    let hashes = try [path, "new.realm"].map { try place.run("hash", $0).outputText.prefix(64) }
    #expect(hashes[0] == hashes[1])
    // Once more, nothing is left to do.
    let before = try place.bytes("new.realm")
    let again = try place.run("import", "new.realm", source, "--mode", "upsert", "--json")
    let hasKeys = try LeftRealm(place.folder.path("new.realm")).snapshot.schema.classes.allSatisfy {
      $0.primaryKeyIndex != nil || $0.kind == .embedded
    }
    if hasKeys {
      #expect(again.status == 0, "\(again.errors)")
      #expect(try place.bytes("new.realm") == before)
    }
  }

  /// What `export` says of values that CSV does not keep, by property: how many.
  private static func warnings(_ outcome: Tool.Outcome) throws -> [String: Int] {
    var found: [String: Int] = [:]
    for line in outcome.errors.split(separator: "\n") {
      let words = line.split(separator: " ")
      let place = try #require(words.firstIndex(of: "of"), "\(line)")
      found[words[place + 1].trimmingCharacters(in: ["'"])] = Int(words[place - 2])
    }
    return found
  }

  /// How many values `diff` finds to be others, by property.
  private static func differences(_ outcome: Tool.Outcome) -> [String: Int] {
    var found: [String: Int] = [:]
    var className = ""
    for line in outcome.outputText.split(separator: "\n") {
      if line.hasPrefix("@@ ") { className = String(line.split(separator: " ")[1]) }
      guard line.hasPrefix("-"), !line.hasPrefix("---"), let colon = line.firstIndex(of: ":") else { continue }
      found["\(className).\(line[..<colon].dropFirst())", default: 0] += 1
    }
    return found
  }

  @Test("CSV comes back, but for the values that export warns of", arguments: fixtures, ["csv", "tsv"])
  func roundTripOfCSV(fixture: String, form: String) throws {
    let place = try Workplace()
    let path = Fixture.path("engine/\(fixture).realm")
    _ = try place.folder.write("model.json", try place.run("schema", "dump", path, "--format", "json").output)
    let export = try place.run("export", path, "--format", form, "-o", "out")
    #expect(export.status == 0)
    let outcome = try place.run("import", "new.realm", "out", "--create", "--schema", "model.json")
    #expect(outcome.status == 0, "\(outcome.errors)")
    try place.check("new.realm")
    #expect(try Self.differences(place.run("diff", path, "new.realm")) == Self.warnings(export))
  }

  @Test("values that CSV keeps, and those that it does not") func valuesOfCSV() throws {
    let place = try Workplace()
    try place.write(
      "model.json",
      #"""
      [{"name":"E","embedded":true,"properties":{"m":"mixed","s":"string"}},
       {"name":"K","primaryKey":"id","properties":{"id":"string?","to":"K","all":"K[]","m":"mixed"}},
       {"name":"V","primaryKey":"id","properties":{"id":"int","m":"mixed","e":"E","l":"mixed[]","d":"mixed{}","i":"int{}",
        "s":"string[]","f":"double","g":"float[]","t":"string"}}]
      """#)
    let kept = [
      #"{"m":1}"#, #"{"m":-1.5}"#, #"{"m":true}"#, #"{"m":"text"}"#, #"{"m":""}"#, #"{"m":" 1"}"#, #"{"m":"01"}"#,
      #"{"m":"null"}"#, #"{"m":["1",{"a":"true"},null,[]]}"#, #"{"m":{"$dictionary":{"a$":"1"}}}"#, #"{"m":"{1}"}"#,
      #"{"e":{"m":"1","s":"1"}}"#, #"{"l":["1",2,"true",[{"$dictionary":{}}]]}"#, #"{"d":{"a$":1,"b":"2"}}"#,
      #"{"i":{"a":1}}"#, #"{"s":["1","é\"\n",""]}"#, #"{"f":{"$numberDouble":"NaN"}}"#,
      #"{"f":{"$numberDouble":"-0.0"}}"#,
      #"{"g":[{"$float":"NaN"},{"$float":"-Infinity"},1.5]}"#, #"{"t":"1"}"#,
      #"{"m":{"$link":{"table":"K","key":null}}}"#, #"{"m":{"$link":{"table":"K","key":"{\"a\":1}"}}}"#,
    ]
    let lost = [
      #"{"m":{"$date":"2001-02-03T04:05:06Z"}}"#, #"{"m":{"$float":"1.5"}}"#, #"{"m":{"$numberDecimal":"1"}}"#,
      #"{"m":{"$binary":{"base64":"","subType":"00"}}}"#, #"{"m":{"$oid":"507f1f77bcf86cd799439011"}}"#,
      #"{"m":{"$uuid":"01234567-89ab-cdef-0123-456789abcdef"}}"#, #"{"m":"1"}"#, #"{"m":"-0"}"#, #"{"m":"true"}"#,
      #"{"m":"[]"}"#, #"{"m":"{\"a\": 1}"}"#, #"{"m":{"$numberDouble":"NaN"}}"#,
      #"{"m":[{"$date":"2001-02-03T04:05:06Z"}]}"#,
      #"{"m":["\udc80"]}"#, #"{"e":{"m":{"$float":"1"},"s":""}}"#, #"{"e":{"m":1,"s":"\udc80"}}"#,
      #"{"l":[{"$uuid":"01234567-89ab-cdef-0123-456789abcdef"}]}"#, #"{"d":{"a":{"$float":"1"}}}"#,
      #"{"t":"\udc80"}"#, #"{"s":["\udc80"]}"#, #"{"d":{"a\udc80":1}}"#,
      #"{"f":{"$numberDouble":"NaN(0x7ff8000000000001)"}}"#,
      #"{"g":[{"$float":"NaN(0x7fc00001)"}]}"#,
    ]
    var lines = [
      #"{"class":"K","value":{"id":null,"to":null,"all":[{"$link":{"table":"K","key":null}},"{\"a\":1}"]}}"#,
      #"{"class":"K","value":{"id":"{\"a\":1}","to":{"$link":{"table":"K","key":null}}}}"#,
      #"{"class":"K","value":{"id":"7","to":"{\"a\":1}"}}"#, #"{"class":"K","value":{"id":"","to":"7"}}"#,
      #"{"class":"K","value":{"id":"=1","to":""}}"#,
    ]
    for (id, value) in (kept + lost).enumerated() {
      lines.append(#"{"class":"V","value":{"id":\#(id),"# + value.dropFirst() + "}")
    }
    try place.write("data.ndjson", lines.map { $0 + "\n" }.joined())
    let made = try place.run("import", "a.realm", "data.ndjson", "--create", "--schema", "model.json")
    #expect(made.status == 0, "\(made.errors)")
    let export = try place.run("export", "a.realm", "--format", "csv", "-o", "out")
    #expect(export.status == 0)
    let outcome = try place.run("import", "b.realm", "out", "--create", "--schema", "model.json")
    #expect(outcome.status == 0, "\(outcome.errors)")
    try place.check("b.realm")
    let difference = try place.run("diff", "a.realm", "b.realm")
    #expect(Self.differences(difference) == (try Self.warnings(export)))
    let changed = difference.outputText.split(separator: "\n").filter { $0.hasPrefix("@@ ") }
    #expect(changed == lost.indices.map { "@@ V \(kept.count + $0) @@" })
    #expect(export.errors.contains("'V.f' in CSV would be imported as another value (in object "))
    // Neither the exploded form nor a database loses anything; the apostrophe for spreadsheets is also reported.
    #expect(try place.run("export", "a.realm", "--format", "csv", "--explode", "-o", "exploded").errors == "")
    let safe = try place.run("export", "a.realm", "--only", "K", "--format", "csv", "--csv-safe")
    #expect(try Self.warnings(safe) == ["K.id": 1])
  }

  // MARK: - Against a plain model

  private struct Person: Equatable {
    var name = ""
    var age: Int?
    var friend: Int?
  }

  private struct Row {
    var id: Int
    var name: String?
    var age: Int?
    var friend: Int?
    /// A mistake in it, which is not to be imported.
    var mistake: String?
  }

  private static let model =
    #"[{"name":"Person","primaryKey":"id","properties":{"id":"int","name":"string","age":"int?","friend":"Person?"}}]"#

  /// The state that an import of rows leaves, and the numbers of what it did.
  private static func expected(
    _ people: [Int: Person], _ rows: [Row], _ mode: String
  ) -> (people: [Int: Person], wrong: [Int], inserted: Int, updated: Int, unchanged: Int, skipped: Int, removed: Int) {
    var (now, doomed): ([Int: Person], Set<Int>) = (people, [])
    var wrong: [Int] = []
    var (inserted, updated, unchanged, skipped) = (0, 0, 0, 0)
    for (number, row) in rows.enumerated() {
      guard row.mistake == nil else {
        wrong.append(number)
        continue
      }
      let old = now[row.id]
      switch (mode, old) {
      case ("insert", .some): wrong.append(number)
      case ("skip", .some), ("delete", nil): skipped += 1
      case ("delete", .some): doomed.insert(row.id)
      case (_, nil):
        now[row.id] = Person(name: row.name ?? "", age: row.age, friend: row.friend)
        inserted += 1
      case (_, .some(let old)):
        var person = old
        person.name = row.name ?? (mode == "replace" ? "" : old.name)
        (person.age, person.friend) = (row.age, row.friend)
        if person == old { unchanged += 1 } else { updated += 1 }
        now[row.id] = person
      }
    }
    for id in doomed { now[id] = nil }
    for (id, person) in now where person.friend.map({ now[$0] == nil }) == true { now[id]?.friend = nil }
    return (now, wrong, inserted, updated, unchanged, skipped, doomed.count)
  }

  private static func csv(_ rows: [Row], hasName: Bool) -> String {
    var text = hasName ? "id,name,age,friend\n" : "id,age,friend\n"
    for row in rows {
      var fields = ["\(row.id)", row.age.map(String.init) ?? "", row.friend.map(String.init) ?? ""]
      if hasName { fields.insert("\"\((row.name ?? "").replacing("\"", with: "\"\""))\"", at: 1) }
      switch row.mistake {
      case "age": fields[fields.count - 2] = "1,5"
      case "id": fields[0] = "x"
      case "field": fields.append("more")
      default: break
      }
      text += fields.map { $0.contains(",") && !$0.hasPrefix("\"") ? "\"\($0)\"" : $0 }.joined(separator: ",") + "\n"
    }
    return text
  }

  private static func json(_ rows: [Row], hasName: Bool) -> String {
    rows.map { row in
      var members = ["\"id\":\(row.mistake == "id" ? "\"x\"" : "\(row.id)")"]
      if hasName { members.append("\"name\":\"\((row.name ?? "").replacing("\"", with: "\\\""))\"") }
      members.append("\"age\":\(row.mistake == "age" ? "[1,{\"a\":2}]" : row.age.map(String.init) ?? "null")")
      members.append("\"friend\":\(row.friend.map(String.init) ?? "null")")
      if row.mistake == "field" { members.append("\"more\":{\"a\":[1]}") }
      return "{\(members.joined(separator: ","))}\n"
    }.joined()
  }

  private static func people(_ place: Workplace) throws -> [Int: Person] {
    let text = try place.run("export", "a.realm", "--only", "Person", "--format", "ndjson").output
    var people: [Int: Person] = [:]
    for line in text.split(separator: 10) {
      let object = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
      guard let id = object?["id"] as? Int else { continue }
      people[id] = Person(
        name: object?["name"] as? String ?? "", age: object?["age"] as? Int, friend: object?["friend"] as? Int)
    }
    return people
  }

  @Test("random imports do what a plain model says", arguments: 0..<12) func randomImports(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let place = try Workplace()
    try place.write("model.json", Self.model)
    try place.write("Person.csv", "id\n")
    #expect(try place.run("import", "a.realm", "Person.csv", "--create", "--schema", "model.json").status == 0)
    var people: [Int: Person] = [:]
    for _ in 0..<12 {
      let isCSV = Bool.random(using: &generator)
      let hasName = Int.random(in: 0..<4, using: &generator) > 0
      let mode = ["insert", "upsert", "replace", "skip", "delete"].randomElement(using: &generator) ?? "insert"
      let hasMistakes = Int.random(in: 0..<4, using: &generator) == 0
      let rows = (0..<Int.random(in: 1...9, using: &generator)).map { _ in
        // Friends are among those who are there, or this row.
        let id = Int.random(in: 0..<14, using: &generator)
        let friends = mode == "delete" || people.isEmpty ? [] : people.keys.sorted()
        return Row(
          id: id, name: hasName ? ["Ann", "B \"b\"", "", "é😀"].randomElement(using: &generator) : nil,
          age: Bool.random(using: &generator) ? Int.random(in: -5...9, using: &generator) : nil,
          friend: Bool.random(using: &generator) ? friends.randomElement(using: &generator) : nil,
          mistake: hasMistakes && Bool.random(using: &generator)
            ? ["age", "id", "field"].randomElement(using: &generator) : nil)
      }
      let name = isCSV ? "Person.csv" : "Person.ndjson"
      try place.write(name, isCSV ? Self.csv(rows, hasName: hasName) : Self.json(rows, hasName: hasName))
      let allows = Bool.random(using: &generator)
      let expected = Self.expected(people, rows, mode)
      let before = try place.bytes("a.realm")
      let outcome = try place.run(
        "import", "a.realm", name, "--class", "Person", "--mode", mode, "--max-errors", allows ? "99" : "0", "--json",
        "--no-backup")
      let isDone = allows || expected.wrong.isEmpty
      #expect(outcome.status == (!isDone ? 7 : expected.wrong.isEmpty ? 0 : 1), "\(outcome.errors)")
      let found = outcome.errors.split(separator: "\n").compactMap {
        $0.firstMatch(of: /"path":"Person.*"line":(\d+)/)?.1
      }
      #expect(
        Set(found.compactMap { Int($0) }) == Set(expected.wrong.map { $0 + (isCSV ? 2 : 1) }), "\(outcome.errors)")
      if isDone {
        people = expected.people
        let report = try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any]
        let counts = (report?["imported"] as? [[String: Any]])?.first
        let numbers = ["read", "inserted", "updated", "unchanged", "skipped", "deletedObjects", "rejected"].map {
          counts?[$0] as? Int
        }
        // An object that is deleted twice is read twice and gone once.
        let deletedTwice =
          rows.count - expected.wrong.count - expected.inserted - expected.updated
          - expected.unchanged - expected.skipped - expected.removed
        #expect(
          numbers == [
            rows.count, expected.inserted, expected.updated, expected.unchanged, expected.skipped + deletedTwice,
            expected.removed, expected.wrong.count,
          ], "\(outcome.outputText)")
      } else {
        #expect(try place.bytes("a.realm") == before)
      }
      try place.check("a.realm")
      let now = try Self.people(place)
      #expect(
        now == people,
        "\(mode) \(now.filter { people[$0.key] != $0.value }) \(people.filter { now[$0.key] != $0.value })")
    }
  }

  // MARK: - Links

  @Test("links find objects in any order of sources, in circles, and by other properties") func links() throws {
    let place = try Workplace()
    try place.write("Person.csv", "id,email,friend\n1,a@x,2\n2,b@x,1\n3,c@x,3\n")
    try place.write("Dog.csv", "name,owner\nRex,b@x\nBen,\n")
    let outcome = try place.run(
      "import", "a.realm", "Dog.csv", "Person.csv", "--create", "--create-classes", "--link", "Dog.owner=Person.email",
      "--link", "Person.friend=Person.id")
    #expect(outcome.status == 0, "\(outcome.errors)")
    try place.check("a.realm")
    #expect(try place.run("query", "a.realm", "Dog", "owner.friend.email == 'a@x'", "--count").outputText == "1\n")
    #expect(try place.run("query", "a.realm", "Person", "friend.friend.id == id", "--count").outputText == "3\n")
    try place.write("Dog.csv", "name,owner\nMax,nobody\nTim,a@x\n")
    let missing = try place.run("import", "a.realm", "Dog.csv", "--link", "Dog.owner=Person.email")
    #expect(missing.status == 7)
    #expect(
      missing.errors.contains(
        "Dog.csv:2:5: property 'Dog.owner': no object of class 'Person' with email 'nobody' exists"))
    let some = try place.run(
      "import", "a.realm", "Dog.csv", "--link", "Dog.owner=Person.email", "--max-errors", "1", "--no-backup")
    #expect(some.status == 1)
    #expect(try place.run("query", "a.realm", "Dog", "--count").outputText == "3\n")
    try place.write("Person.csv", "id,friend\n7,9\n")
    #expect(try place.run("import", "a.realm", "Person.csv").status == 7)
    let made = try place.run("import", "a.realm", "Person.csv", "--create-missing", "--no-backup")
    #expect(made.status == 0 && made.outputText.contains("CREATED"), "\(made.errors)")
    #expect(try place.run("query", "a.realm", "Person", "id == 9", "--count").outputText == "1\n")
    try place.check("a.realm")
  }

  @Test(
    "a primary key of a type that cannot be one is refused before anything is written",
    arguments: [
      "import new.realm Ev.csv --create --create-classes",
      "import new.realm Ev.csv --create --create-classes --dry-run",
      "schema infer Ev.csv", "bundle --data Ev.csv --create-classes --seed new.realm",
    ])
  func unsuitablePrimaryKey(command: String) throws {
    let place = try Workplace()
    _ = try place.folder.write("Ev.csv", Array("when,n\n2024-01-31T12:00:00Z,1\n".utf8))
    let outcome = try place.tool.run(command.split(separator: " ").map(String.init) + ["--primary-key", "Ev.when"])
    #expect(outcome.status == 7)
    #expect(outcome.output.isEmpty)
    #expect(
      outcome.errors
        == "realmctl: --primary-key: 'Ev.when' cannot be the primary key; "
        + "use a property of type int, string, objectId or uuid\n")
    #expect(!FileManager.default.fileExists(atPath: place.folder.path("new.realm")))
  }

  @Test("classes can be made from exploded CSV") func explodedClasses() throws {
    let place = try Workplace()
    let path = Fixture.path("engine/dogs.realm")
    #expect(try place.run("export", path, "--format", "csv", "--explode", "-o", "out").status == 0)
    let outcome = try place.run("import", "new.realm", "out", "--create", "--create-classes")
    #expect(outcome.status == 0, "\(outcome.errors)")
    try place.check("new.realm")
    #expect(try place.run("diff", path, "new.realm", "--only", "Dog,Person,Toy").status == 0)
  }

  @Test("what is wrong with exploded CSV is named with its file and place") func explodedMistakes() throws {
    let place = try Workplace()
    let path = Fixture.path("engine/dogs.realm")
    #expect(try place.run("export", path, "--format", "csv", "--explode", "-o", "out").status == 0)
    #expect(try place.run("schema", "dump", path, "--format", "json", "-o", "model.json").status == 0)
    let whole = try place.bytes("out/Person.csv")
    func fails(_ text: [UInt8], with problem: String) throws {
      _ = try place.folder.write("out/Person.csv", text)
      let outcome = try place.run("import", "new.realm", "out", "--create", "--schema", "model.json")
      #expect(outcome.status == 7)
      #expect(outcome.errors.contains(problem), "\(outcome.errors)")
      #expect(!FileManager.default.fileExists(atPath: place.folder.path("new.realm")))
    }
    try fails([], with: "Person.csv is empty, without a header")
    try fails(Array("a,b\n".utf8), with: "Person.csv does not have the columns of the table")
    try fails(whole + Array("1\n".utf8), with: "Person.csv: the row has 1 field")
    try fails(whole + Array("\"\n".utf8), with: "Person.csv: a quoted field has no closing quote")
    try FileManager.default.removeItem(atPath: place.folder.path("out/Person.csv"))
    let missing = try place.run("import", "new.realm", "out", "--create", "--schema", "model.json")
    #expect(missing.status == 7)
    #expect(missing.errors.contains("Person.csv is missing"), "\(missing.errors)")
  }

  @Test("a folder of CSV without its schema comes back with its collections, and so do its files")
  func collectionFiles() throws {
    let place = try Workplace()
    let path = Fixture.path("engine/dogs.realm")
    #expect(try place.run("export", path, "--format", "csv", "--explode", "-o", "out").status == 0)
    #expect(try place.run("schema", "dump", path, "--format", "json", "-o", "model.json").status == 0)
    for name in ["_realm_schema.csv", "_realm_keys.csv", "_realm_values.csv"] {
      try FileManager.default.removeItem(atPath: place.folder.path("out/" + name))
    }
    #expect(FileManager.default.fileExists(atPath: place.folder.path("out/Person.dogs.csv")))
    let outcome = try place.run("import", "new.realm", "out", "--create", "--schema", "model.json")
    #expect(outcome.status == 0, "\(outcome.errors)")
    try place.check("new.realm")
    #expect(try place.run("diff", path, "new.realm").outputText == "")
    let files = ["Person.dogs.csv", "Toy.csv", "Person.csv", "Dog.csv"].map { "out/" + $0 }
    let single = try place.tool.run(["import", "files.realm"] + files + ["--create", "--schema", "model.json"])
    #expect(single.status == 0, "\(single.errors)")
    #expect(try place.run("diff", path, "files.realm").outputText == "")
    // Into a realm that has the objects, where nothing is left to do.
    let before = try place.bytes("new.realm")
    #expect(try place.run("import", "new.realm", "out", "--mode", "upsert").status == 0)
    #expect(try place.bytes("new.realm") == before)
  }

  @Test("collections of all kinds are inferred and read, links in any order") func inferredCollections() throws {
    let place = try Workplace()
    try place.write("A.csv", "id\n1\n2\n")
    try place.write("A.tags.csv", "_owner,_value\n2,x\n1,z\n2,y\n")
    try place.write("A.scores.csv", "_owner,_position,_value\n1,1,2.5\n1,0,1.5\n")
    try place.write("A.names.csv", "_owner,_key,_value\n2,de,zwei\n2,en,\n")
    try place.write("A.others.csv", "_owner,_position,_value\n1,0,2\n1,1,1\n")
    let outcome = try place.tool.run(
      ["import", "new.realm", "A.others.csv", "A.tags.csv", "A.scores.csv", "A.names.csv", "A.csv", "--create"]
        + ["--create-classes", "--link", "A.others=A.id"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    try place.check("new.realm")
    let text = try place.run("export", "new.realm", "--format", "ndjson").outputText.split(separator: "\n")
    #expect(
      text == [
        #"{"class":"A","value":{"id":1,"others":[2,1],"tags":["z"],"scores":[1.5,2.5],"names":{}}}"#,
        #"{"class":"A","value":{"id":2,"others":[],"tags":["x","y"],"scores":[],"names":{"de":"zwei","en":null}}}"#,
      ], "\(text)")
  }

  @Test("what is wrong in files of collections is named with its place") func collectionMistakes() throws {
    let place = try Workplace()
    try place.write(
      "model.json", #"[{"name":"A","primaryKey":"id","properties":{"id":"int","n":"int[]","s":"string"}}]"#)
    try place.write("A.csv", "id,s\n1,a\n2,b\n")
    try place.write("A.n.csv", "_owner,_position,_value\n1,0,7\n1,1,é\n3,0,1\n2,x,1\n2,0\n")
    let outcome = try place.run("import", "new.realm", "A.csv", "A.n.csv", "--create", "--schema", "model.json")
    #expect(outcome.status == 7)
    let places = outcome.errors.split(separator: "\n").map { String($0.split(separator: " ")[1]) }
    #expect(Set(places) == ["A.n.csv:3:5:", "A.n.csv:4:1:", "A.n.csv:5:3:", "A.n.csv:6:1:", "new.realm:"])
    #expect(!FileManager.default.fileExists(atPath: place.folder.path("new.realm")))
    for (files, problem) in [
      (["A.n.csv"], "the file is missing"), (["A.csv", "A.s.csv"], "two columns are named 's'"),
    ] {
      try place.write("A.s.csv", "_owner,_value\n1,x\n")
      let wrong = try place.tool.run(["import", "new.realm"] + files + ["--create", "--schema", "model.json"])
      #expect(wrong.status != 0)
      #expect(
        wrong.errors.contains(problem) || wrong.errors.contains("in a file that was not named"), "\(wrong.errors)")
    }
  }

  @Test("objects are matched by another property") func match() throws {
    let place = try Workplace()
    try place.write("Item.csv", "code,label\nx,one\ny,two\n")
    #expect(try place.run("import", "a.realm", "Item.csv", "--create", "--create-classes").status == 0)
    try place.write("Item.csv", "code,label\ny,TWO\nz,three\nz,THREE\n")
    let outcome = try place.run("import", "a.realm", "Item.csv", "--match", "Item.code", "--mode", "upsert")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(
      try place.run("export", "a.realm", "--format", "csv", "-o", "-", "--only", "Item").outputText
        == "_key,code,label\n0,x,one\n1,y,TWO\n2,z,THREE\n")
    try place.check("a.realm")
    // Objects without a value have nothing in common, here or there.
    try place.write("Item.ndjson", #"{"code":null,"label":"four"}"# + "\n" + #"{"code":null,"label":"five"}"# + "\n")
    let words = ["import", "b.realm", "Item.ndjson", "--match", "Item.code"]
    #expect(try place.run("import", "b.realm", "Item.ndjson", "--create", "--create-classes").status == 0)
    #expect(try place.tool.run(words + ["--mode", "upsert"]).status == 0)
    #expect(try place.tool.run(words + ["--mode", "delete"]).status == 0)
    #expect(
      try place.run("export", "b.realm", "--format", "csv", "-o", "-", "--only", "Item").outputText
        == "_key,code,label\n0,,four\n1,,five\n2,,four\n3,,five\n")
    try place.check("b.realm")
  }

  @Test("a row without its primary key is that of null", arguments: ["insert", "upsert", "skip", "delete"])
  func rowsWithoutKeys(_ mode: String) throws {
    let place = try Workplace()
    try place.write("model.json", #"[{"name":"C","primaryKey":"k","properties":{"k":"string?","n":"int?"}}]"#)
    try place.write("C.ndjson", #"{"k":null,"n":1}"# + "\n" + #"{"k":"a","n":2}"# + "\n")
    let words = ["import", "a.realm", "C.ndjson", "--class", "C"]
    #expect(try place.tool.run(words + ["--create", "--schema", "model.json"]).status == 0)
    try place.write("C.ndjson", #"{"n":9}"# + "\n")
    let outcome = try place.tool.run(words + ["--mode", mode, "--no-backup"])
    #expect(outcome.status == (mode == "insert" ? 7 : 0), "\(outcome.errors)")
    if mode == "insert" { #expect(outcome.errors.contains("with an existing primary key value 'null'")) }
    let left = try place.run("export", "a.realm", "--format", "ndjson", "--only", "C").outputText
    #expect(
      left == #"{"k":null,"n":\#(mode == "upsert" ? 9 : 1)}"# + "\n" + #"{"k":"a","n":2}"# + "\n", "\(left)")
    try place.check("a.realm")
  }

  @Test(
    "rows of one object are applied in their order, whatever their links wait for",
    arguments: [
      ("upsert", 0, #"{"id":2,"link":101,"n":7}"#, #"{"id":2,"link":1,"n":9}"#, #"{"id":2,"n":9,"link":1}"#),
      ("replace", 0, #"{"id":2,"link":101}"#, #"{"id":2,"link":null}"#, #"{"id":2,"n":null,"link":null}"#),
      ("upsert", 1, #"{"id":2,"link":999,"n":7}"#, #"{"id":2,"n":5}"#, #"{"id":2,"n":5,"link":null}"#),
      ("skip", 1, #"{"id":2,"link":999,"n":7}"#, #"{"id":2,"link":101}"#, #"{"id":2,"n":null,"link":101}"#),
      ("upsert", 1, #"{"id":2,"link":101,"n":7}"#, #"{"id":2,"link":999,"n":5}"#, #"{"id":2,"n":7,"link":101}"#),
    ])
  func rowsOfOneObject(_ mode: String, _ errors: Int, _ first: String, _ second: String, _ left: String) throws {
    let place = try Workplace()
    try place.write(
      "model.json", #"[{"name":"P","primaryKey":"id","properties":{"id":"int","n":"int?","link":"P"}}]"#)
    try place.write("P.ndjson", #"{"id":1}"# + "\n")
    let words = ["import", "a.realm", "P.ndjson", "--class", "P"]
    #expect(try place.tool.run(words + ["--create", "--schema", "model.json"]).status == 0)
    try place.write("P.ndjson", [first, second, #"{"id":101}"#].joined(separator: "\n") + "\n")
    let outcome = try place.tool.run(words + ["--mode", mode, "--max-errors", "\(errors)", "--no-backup", "--json"])
    // A row that is left out is a finding.
    #expect(outcome.status == Int32(errors), "\(outcome.errors)")
    #expect(try place.run("query", "a.realm", "P", "id == 2", "--format", "ndjson").outputText == left + "\n")
    let counts = try #require(
      (JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])?["imported"] as? [[String: Any]])
    func number(_ key: String) -> Int { (counts.first?[key] as? Int) ?? 0 }
    let parts = ["inserted", "updated", "unchanged", "skipped", "rejected"].map(number)
    #expect(number("read") == 3 && parts.reduce(0, +) == 3 && number("inserted") == 2, "\(outcome.outputText)")
    try place.check("a.realm")
  }

  @Test("a later source wins over an earlier one, whatever its links wait for") func sourcesInOrder() throws {
    let place = try Workplace()
    try place.write(
      "model.json",
      #"[{"name":"P","primaryKey":"id","properties":{"id":"int","n":"int?","link":"P","z":"Z"}},"#
        + #"{"name":"Z","properties":{"v":"int?"}}]"#)
    func make(_ name: String, _ text: String) throws {
      try place.write("data.json", text)
      #expect(try place.run("import", name, "data.json", "--create", "--schema", "model.json").status == 0)
    }
    try make("w.realm", #"{"P":[{"id":1}]}"#)
    try make("a.realm", #"{"P":[{"id":1,"n":7,"link":101},{"id":101}]}"#)
    try make("b.realm", #"{"Z":[{"_key":0,"v":3}],"P":[{"id":1,"n":9,"link":null,"z":0}]}"#)
    #expect(try place.run("import", "w.realm", "a.realm", "b.realm", "--mode", "upsert", "--no-backup").status == 0)
    #expect(
      try place.run("query", "w.realm", "P", "id == 1", "--columns", "n,link,z.v", "--format", "ndjson").outputText
        == #"{"n":9,"link":null,"z.v":3}"# + "\n")
    try place.check("w.realm")
    // Of an object that is left out nothing stays.
    try place.write("c.json", #"{"Z":[{"_key":0,"v":"x"}],"P":[{"id":5,"n":4,"z":0}]}"#)
    let words = ["import", "w.realm", "c.json", "--mode", "upsert", "--max-errors", "9", "--no-backup"]
    #expect(try place.tool.run(words).status == 1)
    #expect(try place.run("query", "w.realm", "P", "--count").outputText == "2\n")
    try place.check("w.realm")
  }

  /// Lines of several sources, which are realms if the name says so, with what is in the realm afterwards.
  private static let mixedSources: [(sources: [(String, [String])], status: Int32, objects: [String], keyless: Int)] = [
    // A link to an object of a later source, beside one to an object without a primary key.
    (
      [
        ("a.ndjson", [#"P{"id":1,"link":5,"z":{"_key":0}}"#, #"Z{"_key":0,"u":1}"#]),
        ("b.realm", [#"P{"id":5,"n":3}"#]),
      ], 0, [#"{"id":1,"link":5,"z.u":1}"#, #"{"id":5,"link":null,"z.u":null}"#], 1
    ),
    // A row that is left out in the first source, and that the second has again.
    (
      [
        (
          "a.realm",
          [#"P{"id":0,"w":"bad"}"#, #"P{"id":1,"ls":[0,1],"zs":[{"_key":0}]}"#, #"Z{"_key":0,"u":1}"#]
        ),
        ("b.realm", [#"P{"id":1}"#, #"Z{"_key":2,"u":6,"link":1}"#]),
      ], 1, [#"{"id":1,"link":null,"z.u":null}"#], 2
    ),
    // A chain of links to an object without a primary key that is left out.
    (
      [
        (
          "a.realm",
          [
            #"Z{"_key":0,"u":1,"w":"bad"}"#, #"Z{"_key":1,"u":2,"z":{"_key":2}}"#, #"Z{"_key":2,"u":3,"z":{"_key":0}}"#,
          ]
        )
      ], 1, [], 0
    ),
    // The same in lines, with a realm after them.
    (
      [
        ("a.ndjson", [#"Z{"_key":0,"u":1,"link":999}"#, #"P{"id":3,"zs":[{"_key":0}]}"#]),
        ("b.realm", [#"P{"id":5}"#]),
      ], 1, [#"{"id":5,"link":null,"z.u":null}"#], 0
    ),
  ]

  @Test("objects without primary keys are known by their source, and links wait for the last one", arguments: 0..<4)
  func mixedSources(_ number: Int) throws {
    let (sources, status, objects, keyless) = Self.mixedSources[number]
    let place = try Workplace()
    func model(_ type: String) -> String {
      #"[{"name":"P","primaryKey":"id","properties":{"id":"int","n":"int?","w":"\#(type)?","link":"P","z":"Z","#
        + #""ls":"P[]","zs":"Z[]"}},{"name":"Z","properties":{"u":"int","w":"\#(type)?","link":"P","z":"Z"}}]"#
    }
    try place.write("model.json", model("int"))
    try place.write("texts.json", model("string"))
    for (name, lines) in sources {
      let text = lines.map { #"{"class":"\#($0.prefix(1))","value":\#($0.dropFirst())}"# + "\n" }.joined()
      let isRealm = name.hasSuffix(".realm")
      try place.write(isRealm ? "lines.ndjson" : name, text)
      guard isRealm else { continue }
      #expect(try place.run("import", name, "lines.ndjson", "--create", "--schema", "texts.json").status == 0)
    }
    try place.write("none.json", "{}")
    _ = try place.run("import", "w.realm", "none.json", "--create", "--schema", "model.json")
    let outcome = try place.tool.run(
      ["import", "w.realm"] + sources.map(\.0) + ["--mode", "upsert", "--max-errors", "9", "--no-backup"])
    #expect(outcome.status == status, "\(outcome.errors)")
    let found = try place.run("query", "w.realm", "P", "--columns", "id,link,z.u", "--format", "ndjson").outputText
    #expect(found.split(separator: "\n").map(String.init).sorted() == objects, "\(outcome.errors)")
    #expect(try place.run("query", "w.realm", "Z", "--count").outputText == "\(keyless)\n")
    try place.check("w.realm")
  }

  private static let matchedRows: [(mode: String, rows: [String], status: Int32, objects: [String])] = [
    // A link means the object of the source, whatever the realm has by that primary key.
    (
      "upsert", [#"{"id":7,"k":"c","link":5}"#, #"{"id":50,"k":"a"}"#, #"{"id":5,"k":"b"}"#], 0,
      [#"{"id":5,"link.k":null}"#, #"{"id":50,"link.k":null}"#, #"{"id":7,"link.k":"b"}"#]
    ),
    // One that is left out as well.
    (
      "upsert", [#"{"id":7,"k":"c","link":5}"#, #"{"id":5,"k":"b"}"#], 1, [#"{"id":5,"link.k":null}"#]
    ),
    (
      "skip", [#"{"id":8,"k":"c"}"#, #"{"id":5,"k":"b"}"#], 1, [#"{"id":5,"link.k":null}"#, #"{"id":8,"link.k":null}"#]
    ),
    (
      "skip", [#"{"id":50,"k":"a"}"#, #"{"id":7,"k":"c","link":50}"#], 0,
      [#"{"id":5,"link.k":null}"#, #"{"id":7,"link.k":"a"}"#]
    ),
    // A primary key that a row gets once its link is known.
    (
      "upsert", [#"{"id":50,"k":"a","link":60}"#, #"{"id":50,"k":"b"}"#, #"{"id":60,"k":"c"}"#], 1,
      [#"{"id":50,"link.k":"c"}"#, #"{"id":60,"link.k":null}"#]
    ),
  ]

  @Test("primary keys and links where objects are matched by another property", arguments: 0..<5)
  func matchedObjects(_ number: Int) throws {
    let (mode, rows, status, objects) = Self.matchedRows[number]
    let place = try Workplace()
    try place.write(
      "model.json", #"[{"name":"P","primaryKey":"id","properties":{"id":"int","k":"string?","link":"P"}}]"#)
    try place.write("e.ndjson", #"{"id":5,"k":"a"}"#)
    try place.write("s.ndjson", rows.map { $0 + "\n" }.joined())
    let words = ["--class", "P", "--match", "P.k", "--max-errors", "9", "--no-backup"]
    #expect(
      try place.run("import", "w.realm", "e.ndjson", "--class", "P", "--create", "--schema", "model.json").status == 0)
    let outcome = try place.tool.run(["import", "w.realm", "s.ndjson", "--mode", mode] + words)
    #expect(outcome.status == status, "\(outcome.errors)")
    let found = try place.run("query", "w.realm", "P", "--columns", "id,link.k", "--format", "ndjson").outputText
    #expect(found.split(separator: "\n").map(String.init).sorted() == objects, "\(outcome.errors)")
    try place.check("w.realm")
  }

  @Test("nothing is inferred from objects of classes that exist") func existingClasses() throws {
    let place = try Workplace()
    try place.write("model.json", #"[{"name":"P","properties":{"id":"int","d":"int{}"}}]"#)
    try place.write("a.json", #"{"P":[{"id":1,"d":{"a":1}}]}"#)
    try place.write("b.json", #"{"P":[{"id":2,"d":{"a":1}}],"Q":[{"n":1}]}"#)
    #expect(try place.run("import", "a.realm", "a.json", "--create", "--schema", "model.json").status == 0)
    #expect(try place.run("import", "a.realm", "b.json", "--create-classes", "--no-backup").status == 0)
    #expect(
      try place.run("schema", "dump", "a.realm").outputText.split(separator: "\n").filter { $0.hasPrefix("class ") }
        == ["class P", "class Q"])
    try place.write("c.json", #"{"P":[{"id":3,"d":{"a":1},"e":{"f":{"b":1}}}]}"#)
    #expect(
      try place.run(
        "import", "a.realm", "c.json", "--create-classes", "--add-properties", "--to-version", "1", "--no-backup"
      ).status == 0)
    #expect(
      try place.run("schema", "dump", "a.realm").outputText.split(separator: "\n").filter { $0.contains("class ") }
        == ["class P", "embedded class PE", "embedded class PEF", "class Q"])
    try place.check("a.realm")
  }

  @Test("new keys of an embedded object belong to the class that its property has") func keysOfEmbeddedObjects() throws
  {
    let place = try Workplace()
    try place.write(
      "model.json",
      #"""
      [{"name":"Dog","primaryKey":"id","properties":{"id":"int","o":"Owner","m":"mixed","q":"DogM"}},
       {"name":"Owner","embedded":true,"properties":{"a":"int"}},
       {"name":"DogM","embedded":true,"properties":{"a":"int"}}]
      """#)
    try place.write("a.json", #"{"Dog":[{"id":1,"o":{"a":1}}]}"#)
    try place.write("b.json", #"{"Dog":[{"id":2,"o":{"a":1,"b":"x","c":{"d":1}},"m":{"a":1,"e":2}}]}"#)
    #expect(try place.run("import", "a.realm", "a.json", "--create", "--schema", "model.json").status == 0)
    let outcome = try place.run(
      "import", "a.realm", "b.json", "--create-classes", "--add-properties", "--to-version", "1", "--no-backup")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(
      try place.run("query", "a.realm", "Dog", "id == 2", "--columns", "o.b,o.c.d", "--format", "csv").outputText
        == "o.b,o.c.d\nx,1\n")
    #expect(!(try place.run("schema", "dump", "a.realm").outputText.contains("  e: ")))
    try place.check("a.realm")
  }

  @Test("classes that are inferred for embedded objects have names of their own") func namesOfInferredClasses() throws {
    let place = try Workplace()
    try place.write(
      "a.json", #"{"Dog":[{"o":{"b":{"x":1}},"oB":{"y":2},"p":{"z":3}}],"DogP":[{"w":4}]}"#)
    let outcome = try place.run("import", "a.realm", "a.json", "--create", "--create-classes")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(
      try place.run("query", "a.realm", "Dog", "--columns", "o.b.x,oB.y,p.z", "--format", "csv").outputText
        == "o.b.x,oB.y,p.z\n1,2,3\n")
    #expect(try place.run("query", "a.realm", "DogP", "--columns", "w", "--format", "csv").outputText == "w\n4\n")
    try place.check("a.realm")
  }

  @Test("files of JSON share their object keys, whatever is between them") func objectKeysAcrossARealm() throws {
    let place = try Workplace()
    try place.write(
      "model.json",
      #"[{"name":"P","primaryKey":"id","properties":{"id":"int","z":"Z?"}},{"name":"Z","properties":{"u":"int"}}]"#)
    try place.write("r.json", #"{"Z":[{"_key":3,"u":8}],"P":[{"id":6,"z":3}]}"#)
    try place.write("a.json", #"{"Z":[{"_key":3,"u":1}]}"#)
    try place.write("b.json", #"{"P":[{"id":5,"z":{"_key":3}}]}"#)
    #expect(try place.run("import", "r.realm", "r.json", "--create", "--schema", "model.json").status == 0)
    let outcome = try place.run(
      "import", "w.realm", "a.json", "r.realm", "b.json", "--create", "--schema", "model.json")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(
      try place.run("query", "w.realm", "P", "TRUEPREDICATE SORT(id ASC)", "--columns", "id,z.u", "--format", "csv")
        .outputText == "id,z.u\n5,1\n6,8\n")
    try place.check("w.realm")
  }

  @Test("an object that is left out for a value of its own is not created for those that link to it")
  func rejectedIsNotMissing() throws {
    let place = try Workplace()
    try place.write(
      "model.json", #"[{"name":"P","primaryKey":"id","properties":{"id":"int","w":"int?","link":"P"}}]"#)
    try place.write(
      "P.ndjson", #"{"id":100,"w":"bad"}"# + "\n" + #"{"id":0,"link":100}"# + "\n" + #"{"id":1,"link":101}"# + "\n")
    let outcome = try place.run(
      "import", "a.realm", "P.ndjson", "--class", "P", "--create", "--schema", "model.json", "--mode", "upsert",
      "--create-missing", "--max-errors", "9")
    #expect(outcome.status == 1 && outcome.errors.contains("object 100 of class 'P' is left out"), "\(outcome.errors)")
    #expect(
      try place.run("query", "a.realm", "P", "TRUEPREDICATE SORT(id ASC)", "--columns", "id", "--format", "csv")
        .outputText
        == "id\n1\n101\n")
    try place.check("a.realm")
  }

  @Test("digits that no value can have are text in a mixed column") func hugeNumbers() throws {
    let place = try Workplace()
    try place.write("model.json", #"[{"name":"N","properties":{"a":"mixed"}}]"#)
    try place.write("N.csv", "a\n640000000000000000000000\n1e400\n-7 \n1.5\n")
    #expect(try place.run("import", "a.realm", "N.csv", "--create", "--schema", "model.json").status == 0)
    let found = try place.run("query", "a.realm", "N", "--columns", "a", "--format", "ndjson")
    #expect(
      found.outputText
        == #"{"a":"640000000000000000000000"}"# + "\n" + #"{"a":"1e400"}"# + "\n" + #"{"a":-7}"# + "\n" + #"{"a":1.5}"#
        + "\n")
    let exported = try place.run("export", "a.realm", "-o", "N.csv", "--only", "N", "--force")
    #expect(exported.status == 0 && !exported.errors.contains("would be imported"), "\(exported.errors)")
    try place.check("a.realm")
  }

  @Test("a row without the primary key that an earlier one gave is left out with it") func matchedWithoutKey() throws {
    let place = try Workplace()
    try place.write(
      "model.json", #"[{"name":"P","primaryKey":"id","properties":{"id":"int","k":"string","n":"int?","link":"P"}}]"#)
    try place.write("P.ndjson", #"{"id":0,"k":"z"}"# + "\n")
    let words = ["import", "a.realm", "P.ndjson", "--class", "P"]
    #expect(try place.tool.run(words + ["--create", "--schema", "model.json"]).status == 0)
    try place.write("P.ndjson", #"{"id":1,"k":"a","link":999}"# + "\n" + #"{"k":"a","n":5}"# + "\n")
    let outcome = try place.tool.run(
      words + ["--mode", "upsert", "--match", "P.k", "--max-errors", "9", "--no-backup"])
    #expect(outcome.status == 1 && outcome.errors.contains("Missing value for property 'P.id'"), "\(outcome.errors)")
    #expect(try place.run("query", "a.realm", "P", "--count").outputText == "1\n")
    try place.check("a.realm")
  }

  @Test("links of a realm whose primary keys are other properties here are refused", arguments: ["realm", "sqlite"])
  func otherPrimaryKeys(_ source: String) throws {
    let place = try Workplace()
    func model(_ key: String) -> String {
      #"[{"name":"C","primaryKey":"\#(key)","properties":{"k":"int","n":"int"}},{"name":"D","properties":{"c":"C"}}]"#
    }
    try place.write("model.json", model("k"))
    try place.write("other.json", model("n"))
    try place.write("d.json", #"{"C":[{"k":5,"n":7},{"k":7,"n":5}],"D":[{"c":5}]}"#)
    #expect(try place.run("import", "a.realm", "d.json", "--create", "--schema", "model.json").status == 0)
    #expect(try place.run("export", "a.realm", "-o", "a.sqlite").status == 0)
    if source == "realm" {
      // A mixed property without a link is no reason.
      func mixed(_ key: String) -> String { model(key).replacing(#"{"c":"C"}"#, with: #"{"m":"mixed"}"#) }
      try place.write("mixed.json", mixed("k"))
      try place.write("others.json", mixed("n"))
      try place.write("m.json", #"{"C":[{"k":5,"n":7}],"D":[{"m":"text"}]}"#)
      #expect(try place.run("import", "m.realm", "m.json", "--create", "--schema", "mixed.json").status == 0)
      #expect(try place.run("import", "n.realm", "m.realm", "--create", "--schema", "others.json").status == 0)
      try place.check("n.realm")
      // A link deep inside of one is.
      try place.write("l.json", #"{"C":[{"k":5,"n":7}],"D":[{"m":[1,{"a":[{"$link":{"table":"C","key":5}}]}]}]}"#)
      #expect(try place.run("import", "l.realm", "l.json", "--create", "--schema", "mixed.json").status == 0)
      let deep = try place.run("import", "x.realm", "l.realm", "--create", "--schema", "others.json")
      #expect(deep.status == 7 && deep.errors.contains("here it has the primary key 'n'"), "\(deep.errors)")
    }
    let words = ["import", "b.realm", "a.\(source)", "--create", "--schema", "other.json"]
    let refused = try place.tool.run(words)
    #expect(refused.status == 7)
    #expect(
      refused.errors.contains(
        "has the primary key 'k' in the source, but here it has the primary key 'n'; use --link D.c=C.k"),
      "\(refused.errors)")
    let outcome = try place.tool.run(words + ["--link", "D.c=C.k"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(
      try place.run("query", "b.realm", "D", "--columns", "c.k", "--format", "ndjson").outputText == "{\"c.k\":5}\n")
    try place.check("b.realm")
  }

  @Test("an import of what the realm has already leaves the file as it is, also where the size of a source is unknown")
  func unchanged() throws {
    var place = try Workplace()
    try place.write("a.json", #"{"P":[{"id":1,"s":"a"},{"id":2,"s":"b"}]}"#)
    let words = ["--create", "--create-classes", "--primary-key", "P.id"]
    #expect(try place.tool.run(["import", "a.realm", "a.json"] + words).status == 0)
    let (before, names) = (try place.bytes("a.realm"), try place.folder.names())
    place.tool.input = try place.bytes("a.json")
    let outcome = try place.run("import", "a.realm", "-", "--from", "json", "--mode", "upsert")
    #expect(outcome.status == 0 && outcome.outputText.contains("nothing changed, 2 objects read"))
    #expect(!outcome.errors.contains("backup") && !outcome.outputText.contains("backup"))
    #expect(try place.bytes("a.realm") == before)
    #expect(try place.folder.names() == names)
  }

  // MARK: - Classes

  @Test("a document is none of the class that the name of its file could mean") func documents() throws {
    let place = try Workplace()
    let document = #"{"P":[{"s":"a"},{"s":"b"}],"Q":[]}"#
    try place.write("P.json", #"{"P":[{"s":"a"},{"s":"b"}]}"#)
    try place.write("Export.json", document)
    try place.write("Order.ndjson", #"{"items":[{"n":1}]}"# + "\n" + #"{"items":[]}"# + "\n")
    try place.write("Item.json", #"{"parts":[{"n":1}]}"# + "\n" + #"{"parts":[],"id":8}"# + "\n")
    for (source, options, className) in [
      ("P.json", [], "P"), ("P.json", ["--class", "P"], "P"), ("Export.json", [], "P"), ("Order.ndjson", [], "Order"),
      ("Item.json", [], "Item"),
    ] {
      let words = ["import", "a.realm", source, "--create", "--create-classes"] + options
      let outcome = try place.tool.run(words)
      #expect(outcome.status == 0, "\(source): \(outcome.errors)")
      #expect(try place.run("query", "a.realm", className, "--count").outputText == "2\n")
      try place.check("a.realm")
      #expect(try place.run("rm", "a.realm", "--yes").status == 0)
    }
  }

  @Test("types are the narrowest that hold all values") func inference() throws {
    let place = try Workplace()
    try place.write(
      "T.csv",
      """
      id,int,opt,zero,big,double,bool,date,uuid,oid,text,empty,num,exact,small,large
      1,5,,007,9223372036854775808,1.5,true,2020-01-01,0a247983-ab5b-b0b9-9202-41c388129196,650000000000000000000000,a,,1,9007199254740993,1e-400,1E400
      2,-7,3,1,1,2,false,2020-01-01T10:00:00Z,0a247983-ab5b-b0b9-9202-41c388129197,650000000000000000000001,7,,0.1234567890123456789,0.5,0.0,-2.5

      """)
    #expect(
      try place.run("schema", "dump", "-", "--format", "text").status != 0)
    #expect(try place.run("schema", "infer", "T.csv", "-o", "model.json").status == 0)
    #expect(
      try place.run("schema", "dump", "model.json").outputText.split(separator: "\n").dropFirst(2).map {
        $0.split(separator: " ").joined(separator: " ")
      } == [
        "id: Int primary key", "int: Int", "opt: Int?", "zero: String", "big: String", "double: Double", "bool: Bool",
        "date: Date", "uuid: UUID", "oid: ObjectId", "text: String", "empty: String?", "num: Decimal128",
        "exact: Decimal128", "small: Decimal128", "large: Decimal128",
      ])
    let outcome = try place.run("import", "a.realm", "T.csv", "--create", "--schema", "model.json")
    #expect(outcome.status == 0, "\(outcome.errors)")
    try place.check("a.realm")
  }

  @Test("columns without a name, and files without a row") func headers() throws {
    let place = try Workplace()
    try place.write("C.csv", ",id,name\n0,5,x\n")
    let words = ["import", "new.realm", "C.csv", "--create", "--create-classes"]
    let unnamed = try place.tool.run(words)
    #expect(unnamed.status == 1 || unnamed.status == 7)
    #expect(
      unnamed.errors.contains("C.csv:1:1: column 1 has no name; name it, or use --ignore-unknown to leave it out"),
      "\(unnamed.errors)")
    #expect(try place.tool.run(words + ["--ignore-unknown"]).status == 0)
    #expect(
      try place.run("export", "new.realm", "--format", "csv", "-o", "-", "--only", "C").outputText
        == "id,name\n5,x\n")
    try place.write("D.csv", "id,name\n")
    let header = try place.tool.run(["import", "d.realm", "D.csv", "--create", "--create-classes"])
    #expect(header.status == 0 && !header.errors.contains("empty"), "\(header.errors)")
    #expect((header.outputText + header.errors).contains("d.realm: created, 0 objects read"), "\(header)")
    try place.check("d.realm")
    try place.write("E.csv", (0...65_536).map { "c\($0)" }.joined(separator: ",") + "\n")
    let wide = try place.tool.run(["import", "e.realm", "E.csv", "--create", "--create-classes"])
    #expect(wide.errors.contains("65537 columns, and a class has at most 65536 properties"), "\(wide.errors)")
  }

  @Test("objects of JSON become classes, those inside them embedded ones") func inferenceOfJSON() throws {
    let place = try Workplace()
    try place.write(
      "people.ndjson",
      #"""
      {"_id":"a","home":{"street":"x","no":1},"tags":["t"],"nums":[1,2.5],"any":1,"at":"2020-01-01T00:00:00Z","num":1e-400}
      {"_id":"b","home":null,"tags":[],"nums":[],"any":"x","at":"2021-01-01T00:00:00Z","num":123456789.12345678901234,"late":true}

      """#)
    let outcome = try place.run(
      "import", "a.realm", "people.ndjson", "--class", "Person", "--create", "--create-classes")
    #expect(outcome.status == 0, "\(outcome.errors)")
    try place.check("a.realm")
    #expect(
      try place.run("export", "a.realm", "--format", "ndjson", "--only", "Person").outputText == #"""
        {"_id":"a","home":{"street":"x","no":1},"tags":["t"],"nums":[1.0,2.5],"any":1,"at":"2020-01-01T00:00:00Z","num":"1E-400","late":null}
        {"_id":"b","home":null,"tags":[],"nums":[],"any":"x","at":"2021-01-01T00:00:00Z","num":"123456789.12345678901234","late":true}

        """#)
  }

  @Test(
    "text in another encoding is refused with its place",
    arguments: [
      ("T.csv", [0x73, 0x0a, 0x61, 0xe9, 0x0a], "T.csv:2:2: byte 0xe9 is not UTF-8; convert the file"),
      (
        "T.json", Array(#"[{"s":"a"#.utf8) + [0xe9, 0x22, 0x7d, 0x5d],
        "T.json:1:9: not valid JSON: byte 0xe9 is not UTF-8; convert the file"
      ),
      (
        "T.json", [0xff, 0xfe, 0x5b, 0x00],
        "T.json:1:1: not valid JSON: byte 0xff is not UTF-8; convert the file, for example with iconv -f UTF-16"
      ),
    ] as [(String, [UInt8], String)])
  func otherEncodings(name: String, bytes: [UInt8], message: String) throws {
    let place = try Workplace()
    try place.write("model.json", #"[{"name":"T","properties":{"s":"string"}}]"#)
    _ = try place.folder.write(name, bytes)
    for creating in [["--schema", "model.json"], ["--create-classes"]] {
      let outcome = try place.tool.run(["import", "a.realm", name, "--class", "T", "--create"] + creating)
      #expect(outcome.status == 7 && outcome.errors.contains(message), "\(outcome.errors)")
      #expect(!FileManager.default.fileExists(atPath: place.folder.path("a.realm")))
    }
  }

  @Test(
    "choices for names that no source has are refused",
    arguments: [
      (["--primary-key", "T.nam"], "--primary-key: 'T' has no property 'nam'; did you mean 'name'?"),
      (["--type", "T.nam=int"], "--type: 'T' has no property 'nam'; did you mean 'name'?"),
      (["--type", "T.name=strng"], "--type: 'strng' is neither a type nor a class; did you mean 'string'?"),
      (["--type", "U.name=int"], "--type: no class 'U'"), (["--primary-key", "U.name"], "--primary-key: no class 'U'"),
    ])
  func unknownChoices(_ options: [String], message: String) throws {
    let place = try Workplace()
    try place.write("T.csv", "name\nx\n")
    for words in [["import", "a.realm", "T.csv", "--create", "--create-classes"], ["schema", "infer", "T.csv"]] {
      let outcome = try place.tool.run(words + options)
      let status: Int32 = message.contains("neither a type") ? 7 : 3
      #expect(outcome.status == status && outcome.errors.contains(message), "\(outcome.errors)")
    }
    #expect(!FileManager.default.fileExists(atPath: place.folder.path("a.realm")))
  }

  @Test("a header whose columns another character separates is no class of one property") func otherSeparator() throws {
    let place = try Workplace()
    try place.write("T.csv", "a;b\n1;2\n")
    for words in [["import", "a.realm", "T.csv", "--create", "--create-classes"], ["schema", "infer", "T.csv"]] {
      let outcome = try place.tool.run(words)
      #expect(outcome.status == 7 && outcome.errors.contains("use --delimiter ';'"), "\(outcome.errors)")
    }
    #expect(try place.run("schema", "infer", "T.csv", "--delimiter", ";").status == 0)
    try place.write("T.csv", "a,b\n1,2\n3\n4,5,6\n")
    let short = try place.tool.run(["schema", "infer", "T.csv"])
    let problem = "T.csv:3:1: the row has 1 field, expected 2, so it was left out, like 1 row below; fix the file\n"
    #expect(short.status == 0 && short.errors == "realmctl: warning: " + problem, "\(short.errors)")
  }

  @Test("names that no realm can have are refused before anything is written") func names() throws {
    let place = try Workplace()
    for model in [
      #"[{"name":"a\u0000b","properties":{"x":"int"}}]"#, #"[{"name":"A","properties":{"x\u0000y":"int"}}]"#,
    ] {
      try place.write("model.json", model)
      let outcome = try place.run("bundle", "--schema", "model.json", "--seed", "a.realm")
      #expect(outcome.status == 7 && outcome.errors.contains("model.json: Name with a NUL"), "\(outcome.errors)")
    }
  }

  @Test("a schema version is raised only with the schema, and the report says so") func versions() throws {
    let place = try Workplace()
    try place.write("Item.csv", "code\nx\n")
    #expect(try place.run("import", "a.realm", "Item.csv", "--create", "--create-classes").status == 0)
    let before = try Fixture.bytes(ofFile: place.folder.path("a.realm"))
    let alone = try place.run("import", "a.realm", "Item.csv", "--to-version", "9")
    #expect(alone.status == 64 && alone.errors.contains("--to-version needs --add-properties"))
    let nothing = ["import", "a.realm", "Item.csv", "--to-version", "9", "--add-properties", "--match", "Item.code"]
    #expect(try place.tool.run(nothing + ["--mode", "skip"]).status == 0)
    #expect(try Fixture.bytes(ofFile: place.folder.path("a.realm")) == before)
    try place.write("model.json", Self.model)
    let there = try place.run("import", "a.realm", "Item.csv", "--create", "--schema", "model.json")
    #expect(there.status == 64 && there.errors.contains("the realm already exists, and --schema is for new ones"))
    #expect(try Fixture.bytes(ofFile: place.folder.path("a.realm")) == before)
    try place.write("Item.csv", "code,price\ny,5\n")
    let added = try place.run("import", "a.realm", "Item.csv", "--to-version", "9", "--add-properties")
    #expect(added.status == 0, "\(added.errors)")
    let report = added.errors + added.outputText
    #expect(report.contains("schema version 0 -> 9\n  Property 'Item.price' has been added."), "\(report)")
    // A change of the schema alone is one.
    try place.write("Item.csv", "code,price,more\ny,5,1\n")
    let alike = ["import", "a.realm", "Item.csv", "--add-properties", "--match", "Item.code", "--mode", "skip"]
    let only = try place.tool.run(alike + ["--to-version", "10", "--json"])
    for fact in [#""fromVersion": 9"#, #""toVersion": 10"#, "Property 'Item.more' has been added."] {
      #expect(only.status == 0 && only.outputText.contains(fact), "\(only.outputText)")
    }
    for option in ["--create-classes", "--create-missing"] {
      let text = try place.tool.run(["import", "a.realm", "Item.csv", "--mode", "delete", option])
      #expect(text.status == 64 && text.errors.contains("\(option) cannot be used with --mode delete"))
    }
    try place.check("a.realm")
  }

  @Test(
    "options that mean nothing for any source are refused",
    arguments: [
      (["Item.csv", "--tables", "Item"], "--tables needs a SQLite database"),
      (["Item.csv", "--coerce"], "--coerce needs JSON"),
      (["i.json", "--delimiter", ";"], "--delimiter needs CSV or TSV"),
      (["x.sqlite", "--tables", "Item"], "--tables cannot be used with a database that 'export' wrote"),
      (["a.realm", "--class", "Item"], "--class needs CSV, JSON or TSV"),
      (["Item.csv", "i.json", "--delimiter", ",", "--coerce"], nil),
    ])
  func optionsWithoutEffect(_ words: [String], _ problem: String?) throws {
    let place = try Workplace()
    try place.write("Item.csv", "code\nx\n")
    try place.write("i.json", #"[{"class":"Item","value":{"code":"y"}}]"#)
    #expect(try place.run("import", "a.realm", "Item.csv", "--create", "--create-classes").status == 0)
    #expect(try place.run("export", "a.realm", "-o", "x.sqlite").status == 0)
    let outcome = try place.tool.run(["import", "new.realm"] + words + ["--create", "--create-classes"])
    #expect(outcome.status == (problem == nil ? 0 : 64), "\(outcome.errors)")
    #expect(problem.map { outcome.errors.contains($0) } ?? true, "\(outcome.errors)")
    if problem == nil { try place.check("new.realm") }
  }

  @Test("columns that a class lacks are added at a higher version") func addedProperties() throws {
    let place = try Workplace()
    _ = try place.folder.write("a.realm", Fixture.bytes("engine/dogs.realm"))
    try place.write("Toy.csv", "_id,name,price\n11111111-2222-3333-4444-555555555555,Duck,2.5\n")
    let refused = try place.run("import", "a.realm", "Toy.csv", "--mode", "upsert")
    #expect(refused.status == 7 && refused.errors.contains("'Toy' has no property 'price'"))
    let outcome = try place.run(
      "import", "a.realm", "Toy.csv", "--mode", "upsert", "--add-properties", "--to-version", "9")
    #expect(outcome.status == 0, "\(outcome.errors)")
    try place.check("a.realm")
    let realm = try LeftRealm(place.folder.path("a.realm"))
    #expect(realm.snapshot.schema.version == 9)
    #expect(try place.run("query", "a.realm", "Toy", "price == 2.5", "--count").outputText == "1\n")
  }

  // MARK: - Databases

  @Test("tables of anybody's database become classes") func foreignDatabase() throws {
    let place = try Workplace()
    _ = try place.folder.write("shop.db", Fixture.bytes("import/shop.db"))
    let outcome = try place.run(
      "import", "a.realm", "shop.db", "--create", "--create-classes", "--map", "artist=Artist")
    #expect(outcome.status == 0, "\(outcome.errors)")
    try place.check("a.realm")
    #expect(
      try place.run("query", "a.realm", "playlist", "id == 1").outputText == #"{"id":1,"name":"Best","tracks":[3,1]}"#
        + "\n")
    #expect(
      try place.run("query", "a.realm", "track", "id == 1").outputText
        == #"{"id":1,"name":"One","album":1,"price":0.99,"data":"AQI="}"# + "\n")
    #expect(
      try place.run("query", "a.realm", "album", "artist.name == 'Ann'").outputText
        == #"{"album_id":1,"title":"First","artist":7,"released":"2020-01-02T03:04:05Z"}"# + "\n")
  }

  // MARK: - What stands in the way

  @Test(
    "an import that fails leaves every byte as it was",
    arguments: [
      ["Toy.csv", "--class", "None"], ["none.csv"], ["Toy.csv", "--match", "Toy.none"],
      ["Toy.csv", "--link", "Toy.name=Dog.name"],
      ["Toy.csv", "--delimiter", ";"], ["bad.json"], ["Toy.csv", "--strict", "--class", "Dog"], ["a.realm"],
    ])
  func failures(words: [String]) throws {
    let place = try Workplace()
    _ = try place.folder.write("a.realm", Fixture.bytes("engine/dogs.realm"))
    try place.write("Toy.csv", "_id,name\nx,y\n")
    try place.write("bad.json", "{\"Toy\":[{\"_id\":\"11111111-2222-3333-4444-555555555556\"}]}\n{\"Toy\":[")
    let outcome = try place.tool.run(["import", "a.realm"] + words)
    #expect([3, 7].contains(outcome.status) && outcome.output.isEmpty, "\(outcome)")
    #expect(try place.bytes("a.realm") == Fixture.bytes("engine/dogs.realm"))
  }

  @Test("a dry run tells what the run does, and does nothing") func dryRun() throws {
    let place = try Workplace()
    _ = try place.folder.write("a.realm", Fixture.bytes("engine/dogs.realm"))
    try place.write(
      "Toy.csv", "_id,name\n11111111-2222-3333-4444-555555555556,New\n11111111-2222-3333-4444-555555555555,Old\n")
    let words = ["import", "a.realm", "Toy.csv", "--mode", "upsert", "--json", "--no-backup"]
    let dry = try place.tool.run(words + ["--dry-run"])
    #expect(try place.bytes("a.realm") == Fixture.bytes("engine/dogs.realm"))
    let real = try place.tool.run(words)
    #expect(
      dry.outputText.replacing("\"dryRun\": true", with: "\"dryRun\": false") == real.outputText, "\(dry.outputText)")
    try place.check("a.realm")
  }

  @Test("all that is wrong goes to the file of rejects") func rejects() throws {
    let place = try Workplace()
    _ = try place.folder.write("a.realm", Fixture.bytes("engine/dogs.realm"))
    try place.write("Toy.csv", "_id,name\n" + String(repeating: "x,y\n", count: 50))
    let outcome = try place.run("import", "a.realm", "Toy.csv", "--rejects", "r.ndjson")
    #expect(outcome.status == 7)
    #expect(outcome.errors.split(separator: "\n").count == 21)
    let lines = try place.bytes("r.ndjson").split(separator: 10)
    #expect(lines.count == 50)
    let last = try JSONSerialization.jsonObject(with: Data(lines[49])) as? [String: Any]
    #expect(last?["line"] as? Int == 51 && last?["column"] as? Int == 1 && last?["value"] as? String == "x")
    // The list of an earlier run is replaced, and nothing else.
    #expect(try place.run("import", "a.realm", "Toy.csv", "--rejects", "r.ndjson").status == 7)
    try place.write("notes.txt", "mine")
    let refused = try place.run("import", "a.realm", "Toy.csv", "--rejects", "notes.txt")
    #expect(refused.status == 2 && refused.errors.contains("choose another path for --rejects"), "\(refused.errors)")
    #expect(try place.bytes("notes.txt") == Array("mine".utf8))
    let clash = try place.run("import", "a.realm", "Toy.csv", "-o", "b", "--max-errors", "99", "--rejects", "b")
    #expect(clash.status == 64 && clash.errors.contains("b: the realm has this path"), "\(clash.errors)")
  }
}
