import Foundation
import TestSupport
import Testing

@testable import realmctl

/// Following the advice of a message helps: the message comes, then the commands that it names succeed.
@Suite struct AdviceFollowedTests {
  /// A command that fails, what its message says, and what a reader then does, which must succeed. A shell runs what
  /// begins with `$ `.
  struct Row: Sendable, CustomTestStringConvertible {
    let command: String
    let advice: String
    /// What a shell runs before the command.
    let preparation: String?
    let steps: [String]

    init(_ command: String, _ advice: String, after preparation: String? = nil, _ steps: String...) {
      (self.command, self.advice, self.preparation, self.steps) = (command, advice, preparation, steps)
    }

    var testDescription: String { command }
  }

  static let rows: [Row] = [
    Row("export dogs.realm -o taken.json", "use --force to replace it", "export dogs.realm -o taken.json --force"),
    Row("compact older.realm", "use --upgrade to convert it to format 24", "compact older.realm --upgrade"),
    Row(
      "open older.realm --schema dogs.realm --read-only", "or convert it with 'upgrade'",
      "upgrade older.realm", "open older.realm --schema dogs.realm --read-only"),
    Row(
      "migrate synced.realm --rename Todo.name=title --to-version 1",
      "make a local copy first with 'write-copy'",
      "write-copy synced.realm local.realm", "migrate local.realm --rename Todo.name=title --to-version 1"),
    Row(
      "migrate person.realm --schema text.json --to-version 2", "or --convert Person.age=string to keep the values",
      "migrate person.realm --convert Person.age=string --to-version 2"),
    Row(
      "migrate person.realm --schema text.json --to-version 2", "use --allow-data-loss",
      "migrate person.realm --schema text.json --to-version 2 --allow-data-loss"),
    Row(
      "migrate person.realm --schema number.json --to-version 2", "or --plan with 'convert' to keep the values",
      "migrate person.realm --plan number.yml"),
    Row(
      "migrate person.realm --schema years.json --to-version 2", "or --rename Person.age=years to keep the values",
      "migrate person.realm --schema years.json --rename Person.age=years --to-version 2"),
    Row(
      "migrate person.realm --schema less.json --to-version 2", "use --allow-data-loss to accept that",
      "migrate person.realm --schema less.json --to-version 2 --allow-data-loss"),
    Row(
      "open person.realm --schema text.json --schema-version 2", "or --plan to keep the values",
      "open person.realm --schema text.json --schema-version 2 --plan text.yml"),
    Row(
      "migrate person.realm --convert Person.firstName=int --to-version 2", "use a plan with 'on_error' (--plan)",
      "migrate person.realm --plan error.yml"),
    Row(
      "migrate person.realm --convert Person.age=objectId --to-version 2", "use a plan (--plan) with 'using'",
      "migrate person.realm --plan using.yml"),
    Row(
      "migrate person.realm --plan text.yml --to-version 9", "the plan ends at version 2, not 9",
      "migrate person.realm --plan text.yml --to-version 2"),
    Row(
      "migrate person.realm --plan text.yml --to-version 9", "use --to-version 2, or add a step or --schema",
      "migrate person.realm --plan text.yml --to-version 9 --schema text.json"),
    Row(
      "migrate person.realm --rename Person.age=years --to-version 1", "use --to-version 2 or higher",
      "migrate person.realm --rename Person.age=years --to-version 2"),
    Row(
      "migrate person.realm --rename age=years --to-version 2", "for the property, write 'Person.age'",
      "migrate person.realm --rename Person.age=years --to-version 2"),
    Row(
      "write-copy person.realm public.realm --redact drafted.yml", "check the path, or draft rules with 'redact new'",
      "redact new person.realm -o drafted.yml", "write-copy person.realm public.realm --redact drafted.yml"),
    Row(
      "migrate homes.realm --schema homes.json --to-version 2",
      "use --on-shared duplicate to give each link its own copy",
      "migrate homes.realm --schema homes.json --to-version 2 --on-shared duplicate"),
    Row(
      "open person.realm --schema less.json --schema-version 1", "use --schema-version 2 or higher",
      "open person.realm --schema less.json --schema-version 2 --allow-data-loss"),
    Row(
      "open none.realm --schema less.json", "or use --create to create it",
      "open none.realm --schema less.json --create"),
    Row("open secret.realm", "give its key with --key-file", "open secret.realm --key-file key"),
    Row(
      "import secret.realm secret.realm --key-file key --mode skip --from realm", "give its key with --source-key-file",
      "import secret.realm secret.realm --key-file key --mode skip --from realm --source-key-file key"),
    Row("open dogs.realm --key-file key", "omit the key", "open dogs.realm"),
    Row(
      "write-copy secret.realm open.realm --key-file key", "--decrypt",
      "write-copy secret.realm open.realm --key-file key --decrypt"),
    Row(
      "open headless.realm", "if it was a realm, 'recover' saves what is left",
      "recover headless.realm -o saved.realm|1", "check saved.realm"),
    Row("check damaged.realm", "run 'recover' to save what can be read", "recover damaged.realm -o saved.realm|1"),
    Row(
      "downgrade types.realm --file-format 10", "--allow-data-loss",
      "downgrade types.realm --file-format 10 --allow-data-loss"),
    Row(
      "write-copy dogs.realm some.realm --only Person", "or use --allow-data-loss",
      "write-copy dogs.realm some.realm --only Person --allow-data-loss"),
    Row("query dogs.realm Dogs", "did you mean 'Dog'?", "query dogs.realm Dog"),
    Row("query dogs.realm Dog nam=='x'", "did you mean 'name'?", "query dogs.realm Dog name=='x'"),
    Row("export dogs.realm --snapshot 4096", "'history' lists the snapshots", "history dogs.realm"),
    Row("bundle --seed seed.realm", "name a realm", "bundle dogs.realm --seed seed.realm"),
    Row("open dogs.realm --jsn", "did you mean '--json'?", "open dogs.realm --json"),
    Row("dogs.realm", "did you mean 'realmctl open dogs.realm'?", "open dogs.realm"),
    Row("schema dogs.realm", "did you mean 'realmctl schema dump dogs.realm'?", "schema dump dogs.realm"),
    Row("schema dump dogs.realm --only Dgo", "did you mean 'Dog'?", "schema dump dogs.realm --only Dog"),
  ]

  /// The commands that import, export and edit data.
  static let dataRows: [Row] = [
    Row(
      "import dogs.realm Toy.csv --no-backup", "use --mode upsert to update existing objects",
      "import dogs.realm Toy.csv --no-backup --mode upsert"),
    Row(
      "import dogs.realm Toy.csv --no-backup", "or --mode skip to leave them as they are",
      "import dogs.realm Toy.csv --no-backup --mode skip"),
    Row(
      "import new.realm Toy.csv", "or use --create to create it",
      "import new.realm Toy.csv --create --create-classes"),
    Row(
      "import dogs.realm More.csv --class Cat --no-backup", "use --create-classes to create 'Cat'",
      "import dogs.realm More.csv --class Cat --no-backup --create-classes"),
    Row(
      "import dogs.realm More.csv --class Toy --no-backup", "or --ignore-unknown to leave it out",
      "import dogs.realm More.csv --class Toy --no-backup --ignore-unknown"),
    Row(
      "import dogs.realm Bad.csv --class Toy --no-backup", "or use --max-errors",
      "import dogs.realm Bad.csv --class Toy --no-backup --max-errors 1|1"),
    Row(
      "import dogs.realm toys.txt --class Toy --no-backup", "use --from csv",
      "import dogs.realm toys.txt --class Toy --no-backup --from csv --delimiter ;"),
    Row(
      "import dogs.realm toys.txt --class Toy --no-backup --from csv", "use --delimiter ';'",
      "import dogs.realm toys.txt --class Toy --no-backup --from csv --delimiter ;"),
    Row(
      "import dogs.realm toys.ndjson --no-backup", "name the class with --class",
      "import dogs.realm toys.ndjson --no-backup --class Toy"),
    Row(
      "import dogs.realm dogs.ndjson --class Dog --no-backup", "use --create-missing to create them",
      "import dogs.realm dogs.ndjson --class Dog --no-backup --create-missing"),
    Row(
      "import new.realm Toy.csv --create", "--create needs --schema or --create-classes",
      "import new.realm Toy.csv --create --create-classes"),
    Row(
      "import new.realm Toy.csv --create", "--create needs --schema or --create-classes",
      "import new.realm Toy.csv --create --schema dogs.realm"),
    Row(
      "import dogs.realm More.csv --class Toy --no-backup --add-properties", "--add-properties needs --to-version",
      "import dogs.realm More.csv --class Toy --no-backup --add-properties --to-version 4"),
    Row(
      "bundle --schema coerce.schema.json --data coerce.json --seed seed.realm", "use --coerce to accept strings",
      "bundle --schema coerce.schema.json --data coerce.json --seed seed.realm --coerce"),
    Row(
      "update dogs.realm Toy --set name=x --no-backup", "use --all for all objects of the class",
      "update dogs.realm Toy --set name=x --no-backup --all"),
    Row(
      "update dogs.realm Toy --all --no-backup", "missing change; use --set",
      "update dogs.realm Toy --set name=x --no-backup --all"),
    Row(
      "insert dogs.realm Toy --no-backup", "use property=VALUE",
      "insert dogs.realm Toy --no-backup _id=51111111-2222-3333-4444-555555555555 name=x"),
    Row(
      "insert dogs.realm Toy --no-backup", "or --object",
      #"insert dogs.realm Toy --no-backup --object {"_id":"51111111-2222-3333-4444-555555555555","name":"x"}"#),
    Row("sql dogs.realm delete/**/from/**/Toy", "'update', 'insert' and 'delete'", "delete dogs.realm Toy --all --yes"),
    Row("export dogs.realm --force", "--force needs -o", "export dogs.realm -o new.json --force"),
    Row("export dogs.realm --format sqlite", "name one with -o", "export dogs.realm --format sqlite -o new.sqlite"),
    Row(
      "export dogs.realm --where name=='x'", "with --only Person, the query is enough",
      "export dogs.realm --where name=='x' --only Dog"),
    Row("rm dogs.realm", "use --yes to confirm", "rm dogs.realm --yes"),
  ]

  /// The commands that change, copy and compare whole files.
  static let fileRows: [Row] = [
    Row("diff dogs.realm", "use --against", "diff dogs.realm --against previous|1"),
    Row("diff dogs.realm", "name one", "diff dogs.realm dogs.realm"),
    Row("schema diff dogs.realm", "use --against", "schema diff dogs.realm --against previous"),
    Row(
      "write-copy dogs.realm some.realm --where Dog:name=='Rex'", "include them with --with-links",
      "write-copy dogs.realm some.realm --where Dog:name=='Rex' --with-links"),
    Row(
      "compact synced.realm --rebuild", "make a local copy first with 'write-copy'",
      "write-copy synced.realm local.realm",
      "compact local.realm --rebuild"),
    Row(
      "compact secret.realm --key-file key -o out.realm", "--out-key-same",
      "compact secret.realm --key-file key -o out.realm --out-key-same"),
    Row("open folder", "name the file inside it", "open folder/dogs.realm"),
    Row("open dogs.realm.lock", "use dogs.realm", "open dogs.realm"),
    Row("export dogs.realm --only Nobody", "the classes are: Dog", "export dogs.realm --only Dog"),
    Row(
      "downgrade dogs.realm --file-format 20 --as Person.nope=string", "the properties are: _id, name, birthdate, dogs",
      "schema dump dogs.realm"),
    Row(
      "downgrade person.realm --file-format 23 --as Person.age=string", "omit --as",
      "downgrade person.realm --file-format 23"),
    Row(
      "downgrade dogs.realm --file-format 20", "use --as to change types",
      "downgrade dogs.realm --file-format 20 --as Toy._id=string"),
    Row(
      "open person.realm --schema less.json --schema-version 2 --delete-if-migration-needed", "use --yes to confirm",
      "open person.realm --schema less.json --schema-version 2 --delete-if-migration-needed --yes"),
    Row(
      "migrate orphans.realm --schema homes.json --to-version 2", "use --on-orphan delete to delete them",
      "migrate orphans.realm --schema homes.json --to-version 2 --on-orphan delete"),
    Row(
      "migrate person.realm --rename Person.age=years", "--rename needs --to-version",
      "migrate person.realm --rename Person.age=years --to-version 2"),
    Row("open cut.realm", "save the rest with 'recover'", "recover cut.realm -o saved.realm|1", "check saved.realm"),
    Row(
      "browse dogs.realm", "use 'open', 'query', 'schema dump' or 'export'", "open dogs.realm", "query dogs.realm Dog",
      "schema dump dogs.realm", "export dogs.realm"),
    Row(
      "redact check rules.yml dogs.realm", "add a rule to rules.yml, or set 'default: null'",
      "redact check all-rules.yml dogs.realm"),
    Row(
      "write-copy dogs.realm send.realm --redact rules.yml", "add a rule to rules.yml, or set 'default: null'",
      "write-copy dogs.realm send.realm --redact all-rules.yml"),
    Row("write-copy dogs.realm a.lock", "a name that does not end in .lock", "write-copy dogs.realm a.realm"),
    Row(
      "export dogs.realm --format csv", "name a folder with -o, or one class with --only",
      "export dogs.realm --format csv -o tables", "export dogs.realm --format csv --only Dog"),
    Row("sql dogs.realm .foo", "the commands are: .tables, .schema [TABLE]", "sql dogs.realm .tables"),
    Row("open secret.realm --key-env UNSET_HERE", "or use --key-file", "open secret.realm --key-file key"),
    Row(
      "open person.realm --schema less.json --read-only", "use --schema-version with the version of the app",
      "open person.realm --schema person.realm --read-only --schema-version 1"),
    Row("diff dogs.realm --against 77", "'history' lists the snapshots", "history dogs.realm"),
    Row("summarize dogs.realm Cat", "the classes are: Dog, Person, Toy", "summarize dogs.realm Dog"),
    Row("stats dogs.realm --top 0", "--top takes a whole number of 1 or greater", "stats dogs.realm --top 1"),
  ]

  private static let content = Result {
    let folder = try TemporaryFolder()
    try fill(folder)
    return try FolderContent(folder).files
  }

  /// A folder with everything that the rows need, or with those files that one row names.
  static func folder(for row: Row? = nil) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let named = row.map { row in
      Set(
        ([row.command, row.preparation ?? ""] + row.steps).flatMap {
          $0.split { !$0.isLetter && !$0.isNumber && $0 != "." && $0 != "-" && $0 != "_" }
        })
    }
    for (name, bytes) in try content.get().sorted(by: { $0.key < $1.key }) {
      if let named, !name.split(separator: "/").allSatisfy(named.contains) { continue }
      if name.hasSuffix("/") { try folder.makeFolder(String(name.dropLast())) } else { try folder.write(name, bytes) }
    }
    return folder
  }

  private static func fill(_ folder: TemporaryFolder) throws {
    let dogs = try Fixture.bytes("engine/dogs.realm")
    let older = try NodeTree(dogs)
    older.format = 23
    func write(_ name: String, _ text: String) throws { try folder.write(name, Array(text.utf8)) }
    try folder.write("older.realm", older.written(.normal))
    try folder.write("headless.realm", [UInt8](repeating: 0, count: 24) + dogs.dropFirst(24))
    try folder.write("damaged.realm", try CheckTests.damaged())
    try folder.write("key", Fixture.engineKey)
    for (name, fixture) in [
      ("dogs", "dogs"), ("person", "person-v1"), ("synced", "synced"), ("homes", "address-twice"),
      ("secret", "all-types-encrypted"), ("types", "all-types-copy"), ("orphans", "address-never"),
      ("fragmented", "fragmented"), ("unversioned", "no-tables"),
    ] { try folder.write(name + ".realm", try Fixture.bytes("engine/\(fixture).realm")) }
    try folder.write("cut.realm", Array(dogs.prefix(2048)))
    // The width scheme of a leaf of 'Dog.breed' becomes an impossible one.
    try folder.write("damaged-class.realm", dogs[..<1996] + [0xff, 0xff, 0xff, 0xff] + dogs[2000...])
    try folder.write("free.realm", FalseFreeList.realm())
    // A history of a type that does not exist.
    try folder.write("history.realm", dogs[..<3438] + [1] + dogs[3439...])
    try folder.write("contradicted.realm", contradicted.get())
    try folder.write("stale.realm", staleLink.get())
    try folder.write("test-build.realm", testBuild.get())
    try folder.write("dogs.realm.lock", [])
    try FileManager.default.createDirectory(atPath: folder.path("folder"), withIntermediateDirectories: true)
    try folder.write("folder/dogs.realm", dogs)
    try write("Toy.csv", "_id,name\n11111111-2222-3333-4444-555555555555,Duck\n")
    try write("More.csv", "_id,name,size\n21111111-2222-3333-4444-555555555555,Duck,3\n")
    try write("Bad.csv", "_id,name\nx,Duck\n31111111-2222-3333-4444-555555555555,Duck\n")
    try write("toys.txt", "_id;name\n31111111-2222-3333-4444-555555555555;Duck\n")
    try write("toys.ndjson", #"{"_id":"41111111-2222-3333-4444-555555555555","name":"A"}"# + "\n")
    try write(
      "dogs.ndjson",
      #"{"_id":"650000000000000000000077","name":"A","favoriteToy":"61111111-2222-3333-4444-555555555555"}"# + "\n")
    try write("coerce.schema.json", #"[{"name":"A","properties":{"n":"int"}}]"#)
    try write("coerce.json", #"{"A":[{"_key":3,"n":"5"}]}"#)
    let rules = "classes:\n  Toy: { _id: hash, name: keep }\n  Dog: drop\n  Person: { _id: hash, dogs: keep }\n"
    try write("rules.yml", rules)
    try write("all-rules.yml", "default: null\n" + rules)
    try write("taken.json", "old")
    for (name, text) in habitFiles { try write(name, text) }
    try fillWithData(folder)
    try write("rows.csv", "41111111-2222-3333-4444-555555555555,Duck\n")
    try write("Bads.csv", "_id,name\n" + String(repeating: "x,Duck\n", count: 25))
    try write("people.ndjson", #"{"firstName":"A","lastName":"B"}"# + "\n")
    try write("dogs.json", #"[{"name":"Toy","primaryKey":"_id","properties":{"_id":"uuid","name":"string"}}]"#)
    try write("other.json", #"[{"name":"Toy","properties":{"name":"int"}}]"#)
    for (name, age) in [
      ("text", #","age":"string""#), ("number", #","age":"double""#), ("years", #","years":"int""#), ("less", ""),
    ] {
      try write(
        name + ".json", #"[{"name":"Person","properties":{"firstName":"string","lastName":"string"\#(age)}}]"#)
    }
    try write(
      "homes.json",
      #"[{"name":"Address","embedded":true,"properties":{"street":"string","city":"string?"}},"#
        + #"{"name":"Person","properties":{"name":"string","address":"Address"}}]"#)
    for (name, operation) in [
      ("text", "convert: { class: Person, name: age, to: string }"),
      ("number", "convert: { class: Person, name: age, to: double }"),
      ("error", "convert: { class: Person, name: firstName, to: int, on_error: default, default: 0 }"),
      ("using", "convert: { class: Person, name: age, to: objectId, using: 'new_objectid()' }"),
      ("exec", "transform: { class: Person, command: [sh, -c, 'cat > /dev/null'] }"),
      ("from", "add_class: { name: A, properties: { x: int } }"),
    ] { try write(name + ".yml", "plan: 1\nsteps:\n  - to: 2\n    do:\n      - \(operation)\n") }
  }

  /// The words of a command, and the status after a `|` at its end.
  private static func parts(of command: String) -> (words: [String], status: Int32?) {
    let status = command.firstMatch(of: /\|(\d)$/).flatMap { Int32($0.output.1) }
    return ((status == nil ? command : String(command.dropLast(2))).split(separator: " ").map(String.init), status)
  }

  static let allRows =
    rows + dataRows + fileRows + optionRows + importRows + usageRows + nameRows + queryRows + habitRows + operandRows
    + refusalRows

  @Test(arguments: allRows)
  func theAdviceWorks(_ row: Row) throws {
    try follow(row, in: Self.folder(for: row))
  }

  /// - Parameter user: who runs the commands; nil for the user of the tests.
  func follow(_ row: Row, in folder: TemporaryFolder, as user: Int32? = nil) throws {
    var tool = Tool()
    (tool.folder, tool.user) = (folder.path, user)
    let shell = try ReadmeTests.shell(in: folder)
    func run(_ command: String) throws -> (outcome: Tool.Outcome, status: Int32?) {
      let command = Self.parts(of: command)
      guard command.words.first == "$" else { return (try tool.run(command.words), command.status) }
      return (try shell.run("-c", command.words.dropFirst().joined(separator: " ")), command.status)
    }
    if let preparation = row.preparation {
      let outcome = try shell.run("-c", preparation)
      try #require(outcome.status == 0, "\(outcome.errors)")
    }
    let (refusal, status) = try run(row.command)
    // `|0`: advice also comes with reports and warnings.
    #expect(status.map { refusal.status == $0 } ?? (refusal.status != 0), "\(refusal.errors)")
    let message = refusal.errors + refusal.outputText
    #expect(message.contains(row.advice), "\(message)")
    for step in row.steps {
      // `|1`: the command reports that something is missing.
      let (outcome, status) = try run(step)
      #expect(outcome.status == status ?? 0, "\(step): \(outcome.errors)")
    }
  }
}
