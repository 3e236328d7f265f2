import Foundation
import RealmStorage
import RealmText
import TestSupport
import Testing

@testable import realmctl

/// What `--json` prints is what the schemas of `Docs/JSONSchema` and `Docs/JSONOutput.md` say.
///
/// `ToolContract` looks at the JSON of every run of every other test as well.
@Suite struct JSONSchemaTests {
  // MARK: - The schemas

  static let names = [
    "bundle", "check", "common", "compact", "delete", "diagnostic", "diff", "downgrade", "hash", "history", "import",
    "insert",
    "migrate", "open",
    "output", "plan-check", "plan-new", "query", "recover", "redact-check", "redact-new", "rm", "schema-diff",
    "schema-dump",
    "stats", "summarize", "update", "upgrade", "version", "write-copy",
  ]

  @Test func theSchemasAreThere() { #expect(JSONSchema.all.keys.sorted() == Self.names) }

  @Test(arguments: names) func aSchemaSaysNothingThatIsNotLookedAt(name: String) throws {
    #expect(try #require(JSONSchema.all[name]).ownProblems == [])
  }

  @Test func everyCommandHasASchema() {
    for command in ManualTests.leaves {
      guard let name = ToolContract.schemaName(command.words, writesFile: false) else { continue }
      #expect(JSONSchema.all[name] != nil, "\(name)")
    }
  }

  @Test func aKeyMeansTheSameEverywhere() {
    var meanings: [String: Set<String>] = [:]
    for schema in JSONSchema.all.values { meanings.merge(schema.members) { $0.union($1) } }
    #expect(meanings.count > 80)
    for (key, descriptions) in meanings { #expect(descriptions.count == 1, "\(key): \(descriptions)") }
  }

  @Test func theCodesOfErrorsAreThoseOfTheProgram() throws {
    let code = JSONSchema.all["diagnostic"]?.root["$defs"]?["error"]?["properties"]?["error"]?["properties"]?["code"]
    #expect(code?["enum"]?.array?.compactMap(\.string).sorted() == ErrorCode.allCases.map(\.rawValue).sorted())
  }

  @Test(
    "the validator finds",
    arguments: [
      (#"{"version":2,"equal":true}"#, ".equal: not in the schema"), (#"{"version":1}"#, ".version: not the constant"),
      (#"{"version":2,"input":7}"#, "a number, not"), (#"{"version":2}"#, "no 'tables'"),
      (#"{"input":"a","version":2}"#, ".version: out of order"), (#"{"version":2,"errors":-1}"#, "-1 is below 0"),
      (#"{"version":2,"errors":1.5}"#, "a number, not"),
      (#"{"findings":[{"severity":"bad"}]}"#, "[0].severity: not in the enum"),
      (#"{"findings":{}}"#, "an object, not"), ("7", "a number, not"),
    ])
  func theValidatorFinds(text: String, problem: String) throws {
    let problems = try #require(JSONSchema.all["check"]).problems(with: JSONValue.parse(text))
    #expect(problems.contains { $0.contains(problem) }, "\(problems)")
  }

  @Test func theValidatorKnowsPatternsAlternativesAndLengths() throws {
    let open = try #require(JSONSchema.all["open"])
    #expect(!open.problems(with: try JSONValue.parse(#"{"version":2,"input":"a"}"#)).isEmpty)
    let bundle = try #require(JSONSchema.all["bundle"])
    let manifest = try bundle.problems(with: JSONValue.parse(#"{"inputs":[],"sha256":"xyz"}"#))
    #expect(manifest.contains { $0.contains("too few items") } && manifest.contains { $0.contains("does not match") })
    let copy = try #require(JSONSchema.all["migrate"])
    #expect(try copy.problems(with: JSONValue.parse(#"{"created":{"A":"x"}}"#)).contains { $0.contains(".created.A") })
  }

  // MARK: - The document

  /// The keys in the first column of the tables of a section of `Docs/JSONOutput.md`, by heading.
  private func documentedKeys() throws -> [String: Set<String>] {
    let text = try String(
      contentsOf: Tool.projectFolder.appendingPathComponent("Docs/JSONOutput.md"), encoding: .utf8)
    var keys: [String: Set<String>] = [:]
    var heading = ""
    for line in text.split(separator: "\n") {
      if line.hasPrefix("## ") { heading = String(line.dropFirst(3)) }
      guard line.hasPrefix("| `"), let cell = line.split(separator: "|").first else { continue }
      keys[heading, default: []].formUnion(cell.matches(of: /`([^`]+)`/).map { String($0.1) })
    }
    return keys
  }

  private static let headings = [
    "diff": "`diff`", "downgrade": "`downgrade`", "hash": "`hash`", "history": "`history`", "stats": "`stats`",
    "summarize": "`summarize`",
    "bundle": "`bundle`", "check": "`check`", "import": "`import`", "insert": "`insert`, `update`, `delete`",
    "update": "`insert`, `update`, `delete`", "delete": "`insert`, `update`, `delete`", "rm": "`rm`",
    "compact": "`compact`", "migrate": "`migrate`",
    "open": "`open`",
    "query": "`query`", "recover": "`recover`", "diagnostic": "Errors, warnings, notes",
    "output": "Output to files", "plan-check": "`plan check`", "plan-new": "`plan new`",
    "redact-check": "`redact check`", "redact-new": "`redact new`",
    "schema-diff": "`schema diff`",
    "schema-dump": "`schema dump`", "upgrade": "`upgrade`", "version": "`--version`", "write-copy": "`write-copy`",
  ]

  @Test func everyKeyIsDocumentedWhereItOccursAndNoOther() throws {
    let documented = try documentedKeys()
    let common = try #require(documented["Keys that several documents have"])
    var used: Set<String> = []
    for (name, heading) in Self.headings {
      let members = Set(try #require(JSONSchema.all[name]).members.keys)
      let own = documented[heading, default: []]
      #expect(members.subtracting(common).subtracting(own) == [], "\(heading)")
      let codes = name == "diagnostic" ? Set(ErrorCode.allCases.map(\.rawValue)) : []
      #expect(own.subtracting(members) == codes, "\(heading)")
      used.formUnion(members)
    }
    #expect(common.subtracting(used) == [])
    #expect(Set(JSONSchema.all.keys) == Set(Self.headings.keys).union(["common"]))
  }

  // MARK: - Runs

  private static let everyRealm = [
    "open FILE", "open FILE --internal", "check FILE --verbose", "schema dump FILE", "schema diff FILE FILE",
    "stats FILE", "summarize FILE", "hash FILE", "history FILE",
    "diff FILE FILE",
    "export FILE -o out", "compact FILE --dry-run", "upgrade FILE --dry-run", "write-copy FILE copy.realm --dry-run",
    "bundle FILE --seed seed.realm --dry-run", "migrate FILE --schema more.json --to-version 1000 --dry-run --upgrade",
  ]

  @Test(arguments: OpenableFixture.all) func whatIsSaidOfEveryRealmIsWhatTheSchemasSay(_ realm: OpenableFixture) throws
  {
    let folder = try Self.folder()
    try folder.write("realm.realm", try Fixture.bytes(ofFile: realm.path))
    if let key = realm.key { try folder.write("key", key) }
    // Each command for every second realm, the other half for the next one.
    let number = try #require(OpenableFixture.all.firstIndex { $0.path == realm.path })
    for line in Self.everyRealm.indices.filter({ ($0 + number).isMultiple(of: 2) }).map({ Self.everyRealm[$0] }) {
      var words = line.replacing("FILE", with: "realm.realm").split(separator: " ").map(String.init) + ["--json"]
      if realm.key != nil {
        words += ["--key-file", "key"] + (["write-copy", "bundle"].contains(words[0]) ? ["--out-key-same"] : [])
      }
      let outcome = try folder.run(words, creates: ["out"])
      #expect(try Self.problems(words, outcome) == [], "\(words)")
      #expect(outcome.status != 64, "\(words): \(outcome.errors)")
    }
  }

  private static func problems(_ words: [String], _ outcome: Tool.Outcome) throws -> [String] {
    let command = try #require(ToolContract.command(in: words))
    return ToolContract.problems(outcome, command.0, words)
  }

  private static func folder() throws -> InputFolder {
    let folder = try InputFolder()
    func text(_ text: String) -> [UInt8] { Array(text.utf8) }
    try folder.write("a.realm", try Fixture.bytes("engine/dogs.realm"))
    try folder.write("person.realm", try Fixture.bytes("engine/person-v1.realm"))
    try folder.write("damaged.realm", try CheckTests.damaged())
    try folder.write("more.json", text(#"[{"name":"New","primaryKey":"x","properties":{"x":"int"}}]"#))
    try folder.write(
      "other.json",
      text(
        #"{"schemaVersion":2,"classes":[{"name":"Person","properties":{"age":"string","firstName":{"type":"string","#
          + #""indexed":true},"email":"string?"}}]}"#))
    try folder.write("new.ndjson", text(#"{"New":[{"x":1}]}"#))
    try folder.write("text", text("not a realm, but long enough to be one"))
    try folder.write("wrong.yml", text("plan: 1\nsteps: []\n"))
    try folder.write(
      "plan.yml",
      text(
        """
        plan: 1
        steps:
        - to: 9
          note: all kinds of counts
          do:
          - add_property: { class: Person, name: tags, type: "int[]", default: [1, 1] }
          - convert: { class: Person, name: tags, to: "int<>" }
          - delete_objects: { class: Person, where: 'age > 50' }
          - create_objects: { class: Person, values: [ { firstName: New } ] }
        """))
    return folder
  }

  /// Runs, in this order in one folder, that together show every member of every schema; the second is the status.
  private static let runs: [(String, Int32)] = [
    ("open a.realm", 0), ("open a.realm person.realm none.realm", 3),
    ("open person.realm --compact-if total>1 --dry-run", 0),
    ("open person.realm --in-memory --schema other.json --schema-version 9 --allow-data-loss", 0),
    ("open person.realm --schema more.json --schema-version 9 --compact-if total<1", 0),
    ("open person.realm --schema other.json --schema-version 10 --allow-data-loss", 0),
    ("open seeded.realm --seed-file a.realm", 0),
    ("check a.realm damaged.realm", 1), ("check damaged.realm --verbose", 1), ("check nested.realm --verbose", 0),
    ("check text", 2), ("check a.realm --verbose --quiet", 64),
    ("schema dump a.realm", 0), ("schema dump a.realm --inverses", 0), ("schema dump a.realm person.realm", 0),
    ("schema dump a.realm -o dump.json", 0),
    ("schema diff a.realm person.realm", 1), ("schema diff other.json a.realm", 1),
    ("export a.realm --format csv -o tables", 0), ("export a.realm -o a.sqlite", 0),
    ("write-copy a.realm copy.realm --exclude Dog --allow-data-loss", 0), ("write-copy a.realm -", 0),
    ("redact new a.realm", 0), ("redact check rules.yml a.realm", 0),
    ("redact check kept.yml a.realm", 0), ("write-copy a.realm red.realm --redact kept.yml --dry-run", 0),
    ("write-copy a.realm red.realm --redact rules.yml --dry-run", 0), ("write-copy a.realm copy.realm", 2),
    ("compact a.realm --if free>total", 0), ("compact a.realm --no-verify", 0),
    ("compact old.realm --upgrade", 0), ("bundle a.realm --seed seed.realm --exclude Dog --allow-data-loss", 0),
    ("bundle --schema more.json --data new.ndjson --seed new.realm", 0), ("bundle a.realm --seed -", 0),
    ("bundle nested.realm --seed seed23.realm --file-format 23 --as Doc.any=string --allow-data-loss", 0),
    ("migrate old2.realm --schema more.json --to-version 9 --upgrade --compact", 0),
    ("migrate person.realm --schema more.json --to-version 8", 7),
    ("migrate person2.realm --schema other.json --to-version 9 --allow-data-loss", 0),
    ("migrate person3.realm --plan plan.yml --show 1", 0), ("open person4.realm --plan plan.yml", 0),
    ("plan new a.realm --schema more.json --to-version 9", 0), ("plan check plan.yml", 0),
    ("plan check plan.yml person5.realm", 0), ("plan check wrong.yml", 7),
    ("open old4.realm --schema more.json --schema-version 9 --upgrade", 0), ("upgrade old3.realm", 0),
    ("upgrade a.realm", 0), ("downgrade down.realm --file-format 20 --allow-data-loss", 0),
    ("downgrade nested.realm --file-format 23 --as Doc.any=string --allow-data-loss -o down2.realm", 0),
    ("write-copy nested.realm down3.realm --file-format 23 --as Doc.any=string --allow-data-loss", 0),
    ("write-copy a.realm older.realm --file-format 20 --allow-data-loss", 0), ("open a.v23.backup.realm --verbose", 0),
    ("query a.realm Dog --count", 0), ("query a.realm Dog name!=null --exists", 0),
    ("query a.realm Toy name!=null --explain", 0), ("query a.realm Dog name=", 8),
    ("hash a.realm --per-class", 0), ("summarize nested.realm", 0), ("summarize a.realm", 0),
    ("stats indexes.realm", 0), ("history indexes.realm", 0),
    ("diff a.realm a2.realm", 1),
    ("recover a.realm -o saved.realm --strings texts.ndjson", 0),
    ("open secret.realm", 4), ("export a.realm --only Dgo", 3),
    ("migrate b1.realm a2.realm --delete-class Dog --to-version 99 --dry-run", 7),
    ("migrate b1.realm text b1.pre-migrate-20240102T030405Z.realm --rename Dog=Pet --to-version 99", 2),
    ("migrate --restore-backups last.json", 0), ("migrate b1.realm --rename Dog=Pet --to-version 99", 0),
    ("migrate --restore-backups gone.json", 3),
  ]

  private static let edits: [(String, Int32)] = [
    ("import old5.realm toys.json --upgrade", 0),
    ("insert old6.realm Toy _id=11111111-2222-3333-4444-555555555558 --upgrade", 0),
    ("update old7.realm Dog --all --set name=Max --upgrade", 0), ("delete old8.realm Toy --all --upgrade", 0),
    ("import edit1.realm toys.json", 0),
    ("import edit1.realm extra.json --create-classes --to-version 9", 0),
    ("bundle a.realm --data toys.json --seed toys.realm", 0),
    ("insert edit1.realm Toy _id=11111111-2222-3333-4444-555555555558", 0),
    ("insert edit1.realm Toy _id=11111111-2222-3333-4444-555555555559 --dry-run", 0),
    ("update edit1.realm Dog --all --set name=Max --dry-run", 0), ("update edit1.realm Dog --all --set name=Max", 0),
    ("delete edit1.realm Toy --all --dry-run", 0), ("delete edit1.realm Toy --all", 0), ("rm edit2.realm --yes", 0),
  ]

  /// What no run of these shows: they need damage of a certain kind, or another process.
  private static let unseen: Set<String> = [
    "process", "program", "exclusive", "position", "follows", "damage", "occursAtLeast",
  ]

  @Test func everyMemberOccursAndIsWhatItsSchemaSays() throws {
    let folder = try Self.folder()
    let old = try NodeTree(Fixture.bytes("engine/dogs.realm"))
    old.format = 23
    for name in (1...8).map({ $0 == 1 ? "old.realm" : "old\($0).realm" }) {
      try folder.write(name, old.written(.normal))
    }
    for name in ["person2.realm", "person3.realm", "person4.realm", "person5.realm"] {
      try folder.write(name, try Fixture.bytes("engine/person-v1.realm"))
    }
    let changed = try NodeTree(Fixture.bytes("engine/dogs.realm"))
    try #require(changed.table("class_Dog").leaf("dateOfBirth").child(1)).values[1] += 1
    try folder.write("a2.realm", changed.written(.normal))
    try folder.write("indexes.realm", try Fixture.bytes("engine/indexes.realm"))
    try folder.write("nested.realm", try Fixture.bytes("engine/nested-mixed.realm"))
    for name in ["b1.realm", "b1.pre-migrate-20240102T030405Z.realm"] {
      try folder.write(name, try Fixture.bytes("engine/dogs.realm"))
    }
    try folder.write(
      "gone.json", Array(#"{"input":"b1.realm","output":"b1.realm","dryRun":false,"backup":"none.realm"}"#.utf8))
    try folder.write("down.realm", try Fixture.bytes("engine/dogs.realm"))
    try folder.write("a.v23.backup.realm", try Fixture.bytes("engine/dogs.realm"))
    try folder.write("secret.realm", try Fixture.bytes("engine/all-types-copy-encrypted.realm"))
    try folder.write("extra.json", Array(#"{"Extra":[{"a":1}]}"#.utf8))
    try folder.write("toys.json", Array(#"{"Toy":[{"_id":"11111111-2222-3333-4444-555555555557","name":"New"}]}"#.utf8))
    for name in ["edit1.realm", "edit2.realm"] { try folder.write(name, try Fixture.bytes("engine/dogs.realm")) }
    try folder.write("rules.yml", Array(#"{"default": "null", "classes": {}}"#.utf8))
    try folder.write("kept.yml", Array(#"{"default": "keep", "classes": {}}"#.utf8))
    var seen = ["version": Self.keys(try Tool().run("--version", "--json").output)]
    for (line, status) in Self.edits + Self.runs {
      let words = line.split(separator: " ").map(String.init) + ["--json"]
      let outcome = try folder.tool.run(words)
      #expect(outcome.status == status, "\(line): \(outcome.errors)")
      #expect(try Self.problems(words, outcome) == [], "\(line)")
      let command = try #require(ToolContract.command(in: words)).0
      let name = ToolContract.schemaName(command, writesFile: ToolContract.writesFile(words), words) ?? ""
      seen[name, default: []].formUnion(Self.keys(outcome.output))
      // What the next command puts back.
      try folder.write("last.json", outcome.output)
      for message in ToolContract.documents(Array(outcome.errors.utf8)) ?? [] {
        let isDiagnostic = message["error"] != nil || message["warning"] != nil || message["note"] != nil
        Self.collect(message, into: &seen[isDiagnostic ? "diagnostic" : name, default: []])
      }
    }
    for name in Self.headings.keys {
      let members = Set(try #require(JSONSchema.all[name]).members.keys)
      #expect(members.subtracting(seen[name, default: []]).subtracting(Self.unseen) == [], "\(name)")
    }
  }

  private static func keys(_ output: [UInt8]) -> Set<String> {
    var keys: Set<String> = []
    for document in ToolContract.documents(output) ?? [] { collect(document, into: &keys) }
    return keys
  }

  private static func collect(_ value: JSONValue, into keys: inout Set<String>) {
    for entry in value.object?.entries ?? [] {
      keys.insert(entry.key.description)
      collect(entry.value, into: &keys)
    }
    for element in value.array ?? [] { collect(element, into: &keys) }
  }

  // MARK: - Talk

  /// Runs in a folder of its own.
  private func run(_ words: [String]) throws -> Tool.Outcome {
    let folder = try Self.folder()
    return try withExtendedLifetime(folder) { try folder.tool.run(words) }
  }

  @Test(
    "-q takes away what is said, never what --json asked for",
    arguments: [
      "compact a.realm --json", "compact a.realm -o b.realm --json", "write-copy a.realm b.realm --json",
      "bundle a.realm --seed b.realm --json", "upgrade a.realm --json", "export a.realm -o b.json --json",
      "schema dump a.realm -o b.json --json", "open a.realm --json", "check a.realm --json",
      "migrate person.realm --schema more.json --to-version 9 --json --no-backup --dry-run",
      "migrate person.realm --schema more.json --to-version 9 --report-format json --no-backup --dry-run",
    ])
  func quiet(line: String) throws {
    let words = line.split(separator: " ").map(String.init)
    let talking = try run(words)
    let quiet = try run(words + ["-q"])
    #expect(quiet.status == 0)
    #expect(!quiet.output.isEmpty && Self.keys(quiet.output) == Self.keys(talking.output))
    let text = try run(words.filter { $0 != "--json" && $0 != "--report-format" && $0 != "json" } + ["-q"])
    #expect(text.output.isEmpty || ["open", "check"].contains(words[0]), "\(text.outputText)")
  }
}
