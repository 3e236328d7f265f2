import Foundation
import TestSupport
import Testing

@testable import realmctl

/// Who does what a message says gets further: the message comes, then the commands that it names succeed.
@Suite struct AdviceFollowedTests {
  /// A command that fails, what its message says, and what a reader does then; all of that succeeds.
  struct Row: Sendable, CustomTestStringConvertible {
    let command: String
    let advice: String
    let steps: [String]

    init(_ command: String, _ advice: String, _ steps: String...) {
      (self.command, self.advice, self.steps) = (command, advice, steps)
    }

    var testDescription: String { command }
  }

  static let rows: [Row] = [
    Row("export dogs.realm -o taken.json", "use --force to replace it", "export dogs.realm -o taken.json --force"),
    Row("compact older.realm", "use --upgrade to convert it to format 24", "compact older.realm --upgrade"),
    Row(
      "open older.realm --schema dogs.realm --read-only", "or convert it with 'realmctl upgrade'",
      "upgrade older.realm", "open older.realm --schema dogs.realm --read-only"),
    Row(
      "migrate synced.realm --rename Todo.name=title --to-version 1",
      "make a local copy first (realmctl write-copy synced.realm DEST)",
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
      "migrate person.realm --schema less.json --to-version 2", "or --rename Person.age=NEW to keep the values",
      "migrate person.realm --rename Person.age=NEW --to-version 2"),
    Row(
      "open person.realm --schema text.json --schema-version 2", "or --plan to keep the values",
      "open person.realm --schema text.json --schema-version 2 --plan text.yml"),
    Row(
      "migrate person.realm --convert Person.firstName=int --to-version 2", "use a plan with 'on_error' (--plan)",
      "migrate person.realm --plan error.yml"),
    Row(
      "migrate person.realm --convert Person.age=objectId --to-version 2", "use a plan with 'using' (--plan)",
      "migrate person.realm --plan using.yml"),
    Row(
      "migrate person.realm --plan text.yml --to-version 9", "the plan ends at version 2, not 9",
      "migrate person.realm --plan text.yml --to-version 2"),
    Row(
      "migrate person.realm --plan text.yml --to-version 9", "use --to-version 2, or add --schema",
      "migrate person.realm --plan text.yml --to-version 9 --schema text.json"),
    Row(
      "migrate person.realm --rename Person.age=years --to-version 1", "use a higher --to-version",
      "migrate person.realm --rename Person.age=years --to-version 2"),
    Row(
      "migrate homes.realm --schema homes.json --to-version 2",
      "use --on-shared duplicate to give each link its own copy",
      "migrate homes.realm --schema homes.json --to-version 2 --on-shared duplicate"),
    Row(
      "open person.realm --schema less.json --schema-version 1", "use a higher schema version",
      "open person.realm --schema less.json --schema-version 2 --allow-data-loss"),
    Row(
      "open none.realm --schema less.json", "or use --create to create it",
      "open none.realm --schema less.json --create"),
    Row("open secret.realm", "(try --key-file)", "open secret.realm --key-file key"),
    Row("open dogs.realm --key-file key", "omit the key", "open dogs.realm"),
    Row(
      "write-copy secret.realm open.realm --key-file key", "--decrypt",
      "write-copy secret.realm open.realm --key-file key --decrypt"),
    Row("open headless.realm", "'recover' saves", "recover headless.realm -o saved.realm|1", "check saved.realm"),
    Row("check damaged.realm", "run 'recover' to save what can be read", "recover damaged.realm -o saved.realm|1"),
    Row(
      "downgrade types.realm --file-format 10", "--allow-data-loss",
      "downgrade types.realm --file-format 10 --allow-data-loss"),
    Row(
      "write-copy dogs.realm some.realm --only Person", "or use --allow-data-loss",
      "write-copy dogs.realm some.realm --only Person --allow-data-loss"),
    Row("query dogs.realm Dogs", "did you mean 'Dog'?", "query dogs.realm Dog"),
    Row("query dogs.realm Dog nam=='x'", "did you mean 'name'?", "query dogs.realm Dog name=='x'"),
    Row("export dogs.realm --snapshot 4096", "'realmctl history' shows the snapshots", "history dogs.realm"),
    Row("bundle --seed seed.realm", "name a realm", "bundle dogs.realm --seed seed.realm"),
    Row("open dogs.realm --jsn", "did you mean '--json'?", "open dogs.realm --json"),
    Row("dogs.realm", "to open a file: realmctl open dogs.realm", "open dogs.realm"),
    Row("schema dump dogs.realm --only Dgo", "did you mean 'Dog'?", "schema dump dogs.realm --only Dog"),
  ]

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
      ("secret", "all-types-encrypted"), ("types", "all-types-copy"),
    ] { try folder.write(name + ".realm", try Fixture.bytes("engine/\(fixture).realm")) }
    try write("taken.json", "old")
    for (name, age) in [("text", #","age":"string""#), ("number", #","age":"double""#), ("less", "")] {
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
    ] { try write(name + ".yml", "plan: 1\nsteps:\n  - to: 2\n    do:\n      - \(operation)\n") }
  }

  @Test(arguments: rows) func theAdviceWorks(_ row: Row) throws {
    let folder = try TemporaryFolder()
    try Self.fill(folder)
    var tool = Tool()
    tool.folder = folder.path
    let refusal = try tool.run(row.command.split(separator: " ").map(String.init))
    #expect(refusal.status != 0)
    let message = refusal.errors + refusal.outputText
    #expect(message.contains(row.advice), "\(message)")
    for step in row.steps {
      // `|1`: that something is missing is what the command is for.
      let parts = step.split(separator: "|")
      let outcome = try tool.run(parts[0].split(separator: " ").map(String.init))
      #expect(outcome.status == parts.dropFirst().first.flatMap { Int32($0) } ?? 0, "\(step): \(outcome.errors)")
    }
  }
}
