import Foundation
import TestSupport
import Testing

/// `query`, as its users see it. RealmQueryTests tests the meaning of queries.
@Suite struct QueryTests {
  private func folder(_ fixture: String = "engine/dogs.realm") throws -> InputFolder {
    let folder = try InputFolder()
    try folder.write("a.realm", try Fixture.bytes(fixture))
    return folder
  }

  // MARK: - Answers

  struct Answer: Sendable, CustomTestStringConvertible {
    let arguments: [String]
    let output: String
    var status: Int32 = 0

    init(_ arguments: [String], _ output: String, status: Int32 = 0) {
      (self.arguments, self.output, self.status) = (arguments, output, status)
    }

    var testDescription: String { arguments.joined(separator: " ") }
  }

  static let answers = [
    Answer(["Toy", "name == 'Ball'"], #"{"_id":"01234567-89ab-cdef-0123-456789abcdef","name":"Ball"}"# + "\n"),
    Answer(["Toy", "--format", "csv", "name == 'Ball'"], "_id,name\n01234567-89ab-cdef-0123-456789abcdef,Ball\n"),
    Answer(["Toy", "name == 'none'"], ""),
    Answer(["Toy", "name == 'none'", "--format", "json"], "{\"Toy\":[]}\n"),
    Answer(["Dog", "--keys"], "0\n1\n2\n3\n4\n"),
    Answer(["Dog", "--keys", "--limit", "2"], "0\n1\n"),
    Answer(["Dog", "--keys", "--limit", "0"], ""),
    Answer(["Dog", "--keys", "TRUEPREDICATE SORT(name DESC)"], "3\n0\n2\n4\n1\n"),
    Answer(["Dog", "--keys", "TRUEPREDICATE SORT(name DESC)", "--limit", "3"], "3\n0\n2\n"),
    Answer(["Dog", "--keys", "--json", "name == 'Rex'"], "{\"objKey\":0}\n"),
    Answer(["Dog", "--keys", "SORT(name DESC)"], "3\n0\n2\n4\n1\n"),
    Answer(["Dog", "--keys", "SORT(name DESC) LIMIT(2)"], "3\n0\n"), Answer(["Dog", "--keys", "LIMIT(1)"], "0\n"),
    Answer(["Dog", "--columns", "breed", "--format", "csv", "DISTINCT(breed)"], "breed\n\nCollie\nBeagle\n"),
    Answer(["Dog", "--count"], "5\n"),
    Answer(["Dog", "--count", "breed == null"], "3\n"),
    Answer(["Dog", "--count", "breed == null LIMIT(2)"], "2\n"),
    Answer(["Dog", "--exists", "breed == null"], ""),
    Answer(["Dog", "--exists", "breed == 'none'"], "", status: 1),
    Answer(["Dog", "--keys", "name == $0", "--arg", "Rex"], "0\n"),
    Answer(["Dog", "--keys", "name IN {$1, $0}", "--arg", "Rex", "--arg", "Laika"], "0\n4\n"),
    Answer(["Dog", "--keys", "name == $0", "--args", "[\"Fido\"]"], "1\n"),
    Answer(["Dog", "--keys", "dateOfBirth > $0", "--arg", "2018-05-01"], "3\n4\n"),
    Answer(
      ["Dog", "--explain", "_id == oid(650000000000000000000001)"],
      "look up primary key of '_id'; check: scan of '_id'\n"),
    Answer(
      ["Dog", "--explain", "favoriteToy.name == 'Ball'"],
      "look up search index of 'name', and what links to it by 'favoriteToy'; "
        + "check: links 'favoriteToy' to objects (scan of 'name')\n"),
    Answer(
      ["Person", "--columns", "name,dogs.@count"],
      """
      {"name":"Alice","dogs.@count":3}
      {"name":"Bob","dogs.@count":2}
      {"name":"Carol","dogs.@count":0}

      """),
    Answer(
      ["Dog", "--columns", "name,favoriteToy", "--format", "csv", "--limit", "3"],
      """
      name,favoriteToy
      Rex,01234567-89ab-cdef-0123-456789abcdef
      Fido,01234567-89ab-cdef-0123-456789abcdef
      Lassie,

      """),
    Answer(
      ["Person", "--columns", "dogs.name", "--format", "typed", "name == 'Bob'"],
      "[\n{\"dogs.name\":[\"Fido\",\"Laika\"]}\n]\n"),
    Answer(["Dog", "--group-by", "breed", "--format", "csv"], "breed,count\n,3\nBeagle,1\nCollie,1\n"),
    Answer(["Dog", "--group-by", "breed", "--limit", "2", "--format", "csv"], "breed,count\n,3\nBeagle,1\n"),
    Answer(["Dog", "--group-by", "breed", "--limit", "0", "--format", "csv"], "breed,count\n"),
    Answer(
      ["Person", "--group-by", "dogs.@count", "--max", "name", "--sum", "dogs.@count", "--format", "table"],
      """
      dogs.@count  count  sum(dogs.@count)  max(name)
      0                1                 0      Carol
      2                1                 2        Bob
      3                1                 3      Alice
      (3 groups)

      """),
    Answer(
      ["Dog", "--min", "name", "--max", "name"], "{\"count\":5,\"min(name)\":\"Fido\",\"max(name)\":\"Snoopy\"}\n"),
    Answer(["Person", "--sum", "dogs.@count", "--format", "csv"], "count,sum(dogs.@count)\n3,5\n"),
    Answer(
      ["Person", "--sum", "dogs.@count", "--avg", "dogs.@count", "name == 'nobody'"],
      "{\"count\":0,\"sum(dogs.@count)\":0,\"avg(dogs.@count)\":null}\n"),
    Answer(
      ["Dog", "--group-by", "breed,favoriteToy.name", "--format", "csv"],
      "breed,favoriteToy.name,count\n,,1\n,Ball,1\n,Rubber duck,1\nBeagle,Rubber duck,1\nCollie,Ball,1\n"),
    Answer(
      ["Dog", "--backlinks", "--format", "tsv", "name == 'Rex'"],
      "_id\tclass\tproperty\tcount\n650000000000000000000000\tPerson\tdogs\t2\n"),
    Answer(
      ["Toy", "--format", "table"],
      """
      _id                                   name
      01234567-89ab-cdef-0123-456789abcdef  Ball
      11111111-2222-3333-4444-555555555555  Rubber duck
      (2 objects)

      """),
    Answer(["Toy", "--format", "table", "--quiet", "name == 'none'"], "_id  name\n"),
  ]

  @Test("answers", arguments: answers) func answered(_ answer: Answer) throws {
    let folder = try folder()
    let outcome = try folder.run(["query", "a.realm"] + answer.arguments)
    #expect(outcome.outputText == answer.output)
    #expect(outcome.errors == "")
    #expect(outcome.status == answer.status)
  }

  @Test(
    "all objects of a class are what export writes",
    arguments: [
      "json", "ndjson", "typed", "typed-ndjson", "core", "core-xjson", "core-xjson+", "csv", "tsv",
    ]) func formats(_ format: String) throws
  {
    let folder = try folder()
    let exported = try folder.run(["export", "a.realm", "--only", "Person", "--format", format])
    #expect(!exported.output.isEmpty)
    for query in [[], ["TRUEPREDICATE"], ["TRUEPREDICATE SORT(_id ASC)"]] {
      let found = try folder.run(["query", "a.realm", "Person", "--format", format] + query)
      #expect(found.outputText == exported.outputText)
    }
    let outputs = try TemporaryFolder()
    let written = try folder.run(["query", "a.realm", "Person", "--format", format, "-o", outputs.path("out")])
    #expect(written.status == 0)
    #expect(try Fixture.bytes(ofFile: outputs.path("out")) == exported.output)
  }

  @Test(
    "objects look as export writes them",
    arguments: [
      ["--pretty"], ["--links", "inline"], ["--links", "none", "--format", "json", "--pretty"],
      ["--big-ints", "string", "--format", "ndjson"], ["--no-keys"], ["--no-keys", "--format", "csv"],
    ]) func forms(_ options: [String]) throws
  {
    let folder = try folder()
    let format = options.contains("--format") ? [] : ["--format", options.contains("--pretty") ? "json" : "ndjson"]
    let exported = try folder.run(["export", "a.realm", "--only", "Person"] + options + format)
    #expect(!exported.output.isEmpty && exported.status == 0)
    let found = try folder.run(["query", "a.realm", "Person", "TRUEPREDICATE"] + options)
    #expect(found.outputText == exported.outputText)
    #expect(found.status == 0)
  }

  @Test func anEncryptedFileAnswersAsThePlainOneDoes() throws {
    let folder = try folder("engine/all-types.realm")
    try folder.write("b.realm", try Fixture.bytes("engine/all-types-encrypted.realm"))
    try folder.write("key", Fixture.engineKey)
    let query = ["AllTypes", "_id % 3 == 0".replacing(" % 3 == 0", with: " > 3 SORT(_id DESC)")]
    let plain = try folder.run(["query", "a.realm"] + query)
    let encrypted = try folder.run(["query", "b.realm"] + query + ["--key-file", "key"])
    #expect(plain.status == 0 && !plain.output.isEmpty)
    #expect(encrypted.output == plain.output)
    #expect(try folder.run(["query", "b.realm"] + query).status == 4)
  }

  // MARK: - Mistakes

  @Test(
    "mistakes in queries are marked",
    arguments: [
      (["Dog", "nam == 3"], "'Dog' has no property 'nam'; did you mean 'name'?\n  nam == 3\n  ^~~\n"),
      (["Dog", "favoriteToy.nme == 3"], "'Toy' has no property 'nme'; did you mean 'name'?\n"),
      (
        ["Dog", "SORT(nam ASC)"],
        "No property 'nam' found on object type 'Dog' specified in 'sort' clause; did you mean 'name'?\n"
      ),
      (["Dog", "--columns", "nme"], "'Dog' has no property 'nme'; did you mean 'name'?\n"),
      (["Dog", "--sum", "nme"], "'Dog' has no property 'nme'; did you mean 'name'?\n"),
      (["Person", "dogs.@max.nme == 3"], "'Dog' has no property 'nme'; did you mean 'name'?\n"),
      (["Dog", "favoriteToy == obj('Toi', 1)"], "Unknown object type 'Toi'; did you mean 'Toy'?\n"),
      (
        ["Dog", "@links.Persn.dogs.name == 'x'"],
        "No property 'dogs' found in type 'Persn' which links to type 'Dog'; did you mean 'Person.dogs'?\n"
      ),
      (
        ["Dog", "@links.Person.dog.name == 'x'"],
        "No property 'dog' found in type 'Person' which links to type 'Dog'; did you mean 'Person.dogs'?\n"
      ),
      (
        ["Dog", "name == Rex"],
        "'Dog' has no property 'Rex'; text needs quotes: \"Rex\"\n  name == Rex\n          ^~~\n"
      ),
      (["Dog", "“Rex” == name"], "'Dog' has no property '“Rex”'; write \"Rex\", with straight quotes\n"),
      (["Dog", "Rex == name"], "'Dog' has no property 'Rex'; text needs quotes: \"Rex\"\n"),
      (["Dog", "name CONTAINS nam"], "'Dog' has no property 'nam'; did you mean 'name'? Text needs quotes: \"nam\"\n"),
      (
        ["Person", "dogs.name IN {'x'} AND dogs.name == Rex"],
        "'Person' has no property 'Rex'; text needs quotes: \"Rex\"\n"
      ),
      (
        ["Person", "dogs.@count == Rex"],
        "'Person' has no property 'Rex'; the properties are: _id, name, birthdate, dogs\n"
      ),
      (["Person", "dogs.count > 1"], "'Dog' has no property 'count'; did you mean '@count'?\n"),
      (
        ["Dog", "name is null"],
        "Invalid predicate: 'name is null': syntax error, unexpected identifier; write == null or != null\n"
      ),
      (
        ["Dog", "--sum", "name"],
        "--sum needs numbers, and the type of 'name' is 'string'; use --min or --max\n  name\n  ^~~~\n"
      ),
      (
        ["Dog", "--avg", "dateOfBirth", "--group-by", "breed"],
        "--avg needs numbers, and the type of 'dateOfBirth' is 'date'; use --min or --max\n"
      ),
      (
        ["Dog", "--min", "favoriteToy"],
        "--min needs values that have an order, and the type of 'favoriteToy' is 'object'\n"
      ),
      (
        ["Dog", "name == 3 AND"],
        "Invalid predicate: 'name == 3 AND': syntax error, unexpected end of file; a condition must follow AND\n  name == 3 AND\n               ^\n"
      ),
      (
        ["Dog", "name == $0"],
        "Request for argument at index 0 but no arguments are provided; $0 has no value; give one with --arg\n  name == $0\n          ^~\n"
      ),
      (
        ["Dog", "--columns", "name,favoriteToy.foo"],
        "'Toy' has no property 'foo'; the properties are: _id, name\n  favoriteToy.foo\n              ^~~\n"
      ),
      (
        ["Dog", "--group-by", "foo"],
        "'Dog' has no property 'foo'; the properties are: _id, name, breed, dateOfBirth, favoriteToy\n  foo\n  ^~~\n"
      ),
      (["Dog", "name == $0", "--args", "[1"], "--args is not valid JSON"),
    ])
  func mistakes(_ arguments: [String], _ message: String) throws {
    let folder = try folder()
    let outcome = try folder.run(["query", "a.realm"] + arguments)
    // A name that an option names is not a mistake in the query.
    let isName = message.contains("has no property") && arguments.contains { $0.hasPrefix("--") }
    #expect(outcome.status == (isName ? 3 : 8))
    #expect(outcome.output.isEmpty)
    let isAboutFile = !message.hasPrefix("--arg")
    #expect(outcome.errors.hasPrefix("realmctl: " + (isAboutFile ? "a.realm: " : "") + message), "\(outcome.errors)")
  }

  @Test func mistakesHaveLineAndColumnAsJSON() throws {
    let outcome = try folder().run(["query", "a.realm", "Dog", "name == 'ä'\n  AND nam == 3", "--json"])
    #expect(outcome.status == 8)
    #expect(outcome.errors.contains(#""code":"InvalidQuery","exit":8"#))
    #expect(outcome.errors.contains(#""line":2,"column":7"#))
  }

  @Test func whatMatchesNothingByMistakeIsExplained() throws {
    let folder = try folder()
    let list = try folder.run(["query", "a.realm", "Person", "dogs.name IN {'Laika'}", "--count"])
    #expect(list.outputText == "0\n")
    #expect(list.errors.contains("write 'ANY dogs.name IN {...}'"))
    let missing = try folder.run(
      ["query", "a.realm", "Dog", "favoriteToy == obj('Toy', uuid(00000000-0000-0000-0000-000000000000))", "--count"])
    #expect(missing.outputText == "0\n")
    #expect(missing.errors.contains("class 'Toy' has no object with the primary key"))
    #expect(
      try folder.run(["query", "a.realm", "Person", "dogs.name IN {'Laika'}", "--count", "--strict"]).status == 1)
  }

  @Test(
    "options that contradict each other",
    arguments: [
      ["Dog", "--count", "--exists"], ["Dog", "--keys", "--columns", "name"], ["Dog", "--count", "--sum", "name"],
      ["Dog", "--group-by", "name,"],
      ["Dog", "--count", "--format", "csv"], ["Dog", "--columns", "name", "--format", "core"],
      ["Dog", "--limit", "-1"], ["Dog", "--count", "--pretty"], ["Dog", "--columns", "name", "--links", "none"],
      ["Dog", "--pretty", "--format", "ndjson"], ["Dog", "--links", "inline", "--format", "csv"],
      ["Dog", "--no-keys", "--format", "table"], ["Dog", "--big-ints", "string", "--format", "typed"],
      ["Dog", "--arg", "5"], ["Dog", "name == $0", "--arg", "x", "--args", "[]"], ["Dog", "--columns", "name,"], [],
    ])
  func contradictions(_ arguments: [String]) throws {
    #expect(try folder().run(["query", "a.realm"] + arguments).status == 64)
  }

  @Test("one number of all objects takes no limit", arguments: ["--count", "--sum", "--min", "--max", "--avg"])
  func limitsOfNumbers(_ option: String) throws {
    let path = option == "--count" ? [] : ["dogs.@count"]
    let folder = try folder()
    let result = try folder.run(["query", "a.realm", "Person", option] + path + ["--limit", "2"])
    #expect(result.status == 64 && result.outputText.isEmpty)
    #expect(
      result.errors.hasPrefix(
        "realmctl: --limit and \(option) cannot be used together; LIMIT(2) in the query limits the objects"),
      "\(result.errors)")
    let followed = try folder.run(["query", "a.realm", "Person", "LIMIT(2)", option] + path)
    #expect(followed.status == 0, "\(followed.errors)")
  }

  @Test func aDateThatIsADivisionIsExplained() throws {
    let folder = try folder()
    let outcome = try folder.run(["query", "a.realm", "Dog", "dateOfBirth > 01/02/2018"])
    #expect(outcome.status == 0 && outcome.outputText.isEmpty)
    #expect(
      outcome.errors == "realmctl: warning: a.realm: 'dateOfBirth' is compared with the result of a calculation; "
        + "write dates as year-month-day, such as 2024-01-31\n")
    #expect(try folder.run(["query", "a.realm", "Dog", "dateOfBirth > 2018-02-01"]).errors.isEmpty)
    // What matches all objects, or stands first, is no better.
    for query in ["dateOfBirth != 01/02/2018", "01/02/2018 < dateOfBirth OR name != null"] {
      let deletion = try folder.run(["delete", "a.realm", "Dog", query, "--dry-run"])
      #expect(deletion.status == 0 && deletion.errors.contains("the result of a calculation"), "\(deletion.errors)")
    }
  }

  @Test(
    "a link that is searched as text is explained",
    arguments: [
      ("Person", "dogs CONTAINS 'Rex'", "dogs"), ("Person", "ANY dogs LIKE 'R*'", "dogs"),
      ("Dog", "favoriteToy BEGINSWITH[c] 'B'", "favoriteToy"), ("Dog", "favoriteToy ENDSWITH 'l'", "favoriteToy"),
    ])
  func linksAsText(_ className: String, _ query: String, _ link: String) throws {
    let folder = try folder()
    let outcome = try folder.run(["query", "a.realm", className, query])
    #expect(outcome.status == 0 && outcome.outputText.isEmpty)
    #expect(
      outcome.errors == "realmctl: warning: a.realm: the values of '\(link)' are links, not text; "
        + "compare a property of the object, such as \(link).name\n")
    let followed = try folder.run(
      ["query", "a.realm", className, query.replacing("\(link) ", with: "\(link).name "), "--strict"])
    #expect(followed.status == 0 && !followed.outputText.isEmpty, "\(followed.errors)")
  }

  @Test func internalTablesAreFoundByTheirNames() throws {
    let folder = try folder("engine/address-once.realm")
    let before = try Fixture.bytes("engine/address-once.realm")
    let found = try folder.run(["query", "a.realm", "metadata", "--internal", "--columns", "version"])
    #expect(found.status == 0 && found.outputText.hasPrefix("{\"version\":"), "\(found.errors)")
    let unknown = try folder.run(["query", "a.realm", "metadat", "--internal"])
    #expect(unknown.status == 3)
    #expect(unknown.errors == "realmctl: a.realm: no internal table 'metadat'; did you mean 'metadata'?\n")
    let table = try folder.run(["query", "a.realm", "Person", "--internal"])
    #expect(table.status == 3 && table.errors.hasPrefix("realmctl: a.realm: no internal table 'Person'; "))
    #expect(try Fixture.bytes(ofFile: folder.path("a.realm")) == before)
  }

  @Test func aPathThatLeadsToTooMuchIsAMistakeInTheQuery() throws {
    let folder = try folder()
    let path = String(repeating: "favoriteToy.", count: 70) + "name"
    for arguments in [["\(path) == 'x'"], ["--columns", path], ["--group-by", path], ["--sum", path]] {
      let outcome = try folder.run(["query", "a.realm", "Dog"] + arguments)
      #expect(outcome.status == 8 && outcome.output.isEmpty)
      #expect(outcome.errors.hasPrefix("realmctl: a.realm: A key path may have at most 64 hops; this one has 70\n"))
    }
  }

  // MARK: - Damage

  @Test func whatCannotBeReadIsNamedAndTheRestIsFound() throws {
    let folder = try InputFolder()
    let tree = try NodeTree(Fixture.bytes("engine/dogs.realm"))
    try #require(tree.table("class_Dog").leaf("dateOfBirth").child(1)).values[2] = 4_000_000_000
    try folder.write("a.realm", tree.written(.normal))
    let found = try folder.run(["query", "a.realm", "Dog", "dateOfBirth > 2000-01-01", "--keys"])
    #expect(found.status == 2)
    #expect(found.outputText == "0\n1\n3\n4\n")
    #expect(found.errors.contains("'dateOfBirth' of object 2 of class 'Dog' cannot be read"))
    let others = try folder.run(["query", "a.realm", "Dog", "name != null", "--keys"])
    #expect(others.status == 0 && others.outputText == "0\n1\n2\n3\n4\n")
  }

  // MARK: - Inverse relationships

  /// A schema file in which dogs have an inverse of the given form.
  private static func model(_ inverse: String, of className: String = "Dog", named name: String = "owners") -> String {
    """
    [{"name":"Person","primaryKey":"_id","properties":{"_id":"objectId","name":"string","dogs":"Dog[]"}},
     {"name":"\(className)","properties":{"\(name)":\(inverse)}}]
    """
  }

  private static let owners = #"{"type":"linkingObjects","objectType":"Person","property":"dogs"}"#

  @Test(
    "names of inverses mean the links that come in",
    arguments: [
      (["Dog", "--count", "owners.@count == 2"], ["Dog", "--count", "@links.Person.dogs.@count == 2"]),
      (["Dog", "--keys", "ANY owners.name == 'Bob'"], ["Dog", "--keys", "ANY @links.Person.dogs.name == 'Bob'"]),
      (
        ["Dog", "--keys", "SUBQUERY(owners, $o, $o.name == 'Bob').@count > 0"],
        ["Dog", "--keys", "SUBQUERY(@links.Person.dogs, $o, $o.name == 'Bob').@count > 0"]
      ),
      (
        ["Person", "--keys", "ANY dogs.owners.name == 'Bob'"],
        ["Person", "--keys", "ANY dogs.@links.Person.dogs.name == 'Bob'"]
      ),
      (["Dog", "--group-by", "owners.name"], ["Dog", "--group-by", "@links.Person.dogs.name"]),
      (["Dog", "--max", "owners.name"], ["Dog", "--max", "@links.Person.dogs.name"]),
      (
        ["Dog", "--columns", "name,owners.@count,owners.name"],
        ["Dog", "--columns", "name,@links.Person.dogs.@count,@links.Person.dogs.name"]
      ),
    ]) func inverses(_ named: [String], _ plain: [String]) throws
  {
    let folder = try folder()
    try folder.write("model.json", Array(Self.model(Self.owners).utf8))
    let expected = try folder.run(["query", "a.realm"] + plain).outputText
    let found = try folder.run(["query", "a.realm"] + named + ["--schema", "model.json"])
    // Columns are called as they were asked for.
    #expect(found.outputText.replacing("owners", with: "@links.Person.dogs") == expected)
    #expect(found.status == 0 && !["", "0\n"].contains(found.outputText))
    let isOption = named.contains { ["--group-by", "--max", "--columns"].contains($0) }
    #expect(try folder.run(["query", "a.realm"] + named).status == (isOption ? 3 : 8))
  }

  @Test func exportsConditionNamesInverses() throws {
    let folder = try folder()
    try folder.write("model.json", Array(Self.model(Self.owners).utf8))
    let export = ["export", "a.realm", "--only", "Dog", "--where"]
    let found = try folder.run(export + ["ANY owners.name == 'Bob'", "--schema", "model.json"])
    #expect(found.outputText == (try folder.run(export + ["ANY @links.Person.dogs.name == 'Bob'"]).outputText))
    #expect(found.outputText.contains("Laika") && !found.outputText.contains("Snoopy"))
    #expect(try folder.run(["export", "a.realm", "--schema", "model.json"]).status == 64)
  }

  @Test(
    "an inverse that does not fit the realm is a mistake in the schema file",
    arguments: [
      (model(owners, of: "Dgo"), "inverse 'Dgo.owners': no class 'Dgo' in the realm; did you mean 'Dog'?"),
      (model(owners, named: "name"), "inverse 'Dog.name': the realm stores a property with this name"),
      (
        model(owners.replacing("Person", with: "Persn")),
        "inverse 'Dog.owners': no class 'Persn' in the realm; did you mean 'Person'?"
      ),
      (
        model(owners.replacing("dogs", with: "dog")),
        "inverse 'Dog.owners': 'Person' of the realm has no property 'dog'; did you mean 'dogs'?"
      ),
      (model(owners, of: "Toy"), "inverse 'Toy.owners': in the realm, 'Person.dogs' does not link to 'Toy'"),
      ("[{]", "unexpected ']'"),
      (#"[{"name":"Dog","properties":{"x":"foo"}}]"#, "property 'Dog.x': unknown type 'foo'"),
    ]) func misfits(_ model: String, _ message: String) throws
  {
    let folder = try folder()
    try folder.write("model.json", Array(model.utf8))
    let outcome = try folder.run(["query", "a.realm", "Dog", "--schema", "model.json"])
    #expect(
      outcome.errors.hasPrefix("realmctl: model.json:") && outcome.errors.contains(": " + message), "\(outcome.errors)")
    #expect(outcome.status == 7 && outcome.output.isEmpty)
  }

  @Test func aRealmIsNoSchemaFile() throws {
    let folder = try folder()
    let outcome = try folder.run(["query", "a.realm", "Dog", "--schema", "a.realm"])
    #expect(
      outcome.errors.hasPrefix("realmctl: a.realm: realms do not store inverse relationships; name a schema file")
    )
    #expect(outcome.status == 7)
    #expect(try folder.run(["query", "a.realm", "Dog", "--schema", "none.json"]).status == 3)
  }

  /// Oracle: Python's `Counter` of the distinct values of each object's dictionary.
  @Test("entries of a dictionary of links that are null are a group") func nullEntries() throws {
    let folder = try InputFolder()
    let model = #"[{"name":"A","properties":{"d":"T{}"}},{"name":"T","primaryKey":"n","properties":{"n":"int"}}]"#
    try folder.write("model.json", Array(model.utf8))
    let objects = #"{"d":{"x":1,"y":null}},{"d":{"x":null}},{"d":{"x":1}},{"d":{}}"#
    try folder.write("data.json", Array(#"{"T":[{"n":1}],"A":[\#(objects)]}"#.utf8))
    let words = ["import", "a.realm", "data.json", "--create", "--schema", "model.json"]
    #expect(try folder.run(words, creates: ["a.realm"]).status == 0)
    let groups = try folder.run(["query", "a.realm", "A", "--group-by", "d", "--format", "csv"])
    #expect(groups.outputText == "d,count\n,2\n1,2\n", "\(groups.errors)")
  }
}
