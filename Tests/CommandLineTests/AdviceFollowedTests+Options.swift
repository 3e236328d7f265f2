import Foundation
import TestSupport
import Testing

@testable import realmctl

/// Advice about options: which belong together, and what to give instead.
extension AdviceFollowedTests {
  static let optionRows: [Row] = [
    Row(
      "migrate person.realm --rename Person.age=years --to-version 2 --backup none/b.realm",
      "name another with --backup",
      "migrate person.realm --rename Person.age=years --to-version 2 --backup folder/b.realm"),
    Row(
      "compact dogs.realm person.realm --backup b.realm", "--backup must be an existing folder",
      "compact dogs.realm person.realm --backup folder"),
    Row(
      "open person.realm --read-only --schema person.realm --schema-version 1 --backup b.realm",
      "--backup cannot be used with --read-only",
      "open person.realm --read-only --schema person.realm --schema-version 1"),
    Row(
      "compact dogs.realm -o small.realm --backup b.realm",
      "--backup cannot be used with -o",
      "compact dogs.realm -o small.realm"),
    Row(
      "compact dogs.realm --backup b.realm --no-backup", "--backup and --no-backup cannot be used together",
      "compact dogs.realm --backup b.realm"),
    Row("compact dogs.realm --force", "--force needs -o", "compact dogs.realm --force -o older.realm"),
    Row(
      "compact dogs.realm --wait 100000", "--wait takes a number of seconds from 0 to 86400, not '100000'",
      "compact dogs.realm --wait 86400"),
    Row(
      "export dogs.realm --format json --links inline --work-limit 1",
      "raise --work-limit, or use a smaller depth or --links keys",
      "export dogs.realm --format json --links inline --work-limit 1M",
      "export dogs.realm --format json --links keys --work-limit 1"),
    Row(
      "query dogs.realm Person dogs.name=='Rex' --work-limit 1", "raise --work-limit, or follow fewer lists",
      "query dogs.realm Person dogs.name=='Rex' --work-limit 1M",
      "query dogs.realm Person name=='Rex' --work-limit 1"),
    Row(
      "update dogs.realm Toy --where name=='Ball' --set name=x",
      "the query is an argument: realmctl update FILE CLASS 'QUERY'",
      "update dogs.realm Toy name=='Ball' --set name=x --yes"),
    Row(
      "delete dogs.realm Toy --where name=='Ball'", "the query is an argument: realmctl delete FILE CLASS 'QUERY'",
      "delete dogs.realm Toy name=='Ball' --yes"),
    Row(
      "query dogs.realm Toy --where name=='Ball'", "the query is an argument: realmctl query FILE CLASS 'QUERY'",
      "query dogs.realm Toy name=='Ball'"),
    Row(
      "update dogs.realm Toy name == 'Ball' --set name=x", "put the whole query in quotes",
      "update dogs.realm Toy name=='Ball' --set name=x --yes"),
    Row(
      "export dogs.realm Toy name=='Ball'", "name classes with --only, and give a query with --where",
      "export dogs.realm --only Toy --where name=='Ball'"),
    Row(
      "write-copy dogs.realm some.realm Toy", "name classes with --only",
      "write-copy dogs.realm some.realm --only Toy"),
    Row(
      "update dogs.realm Toy name=='Ball' --all --set name=x", "a query and --all cannot be used together",
      "update dogs.realm Toy --all --set name=x --yes"),
    Row(
      "bundle --schema coerce.schema.json --keep-keys --mode upsert --data coerce.json --seed seed.realm",
      "use --schema, without --mode",
      "bundle --schema coerce.schema.json --coerce --keep-keys --data coerce.json --seed seed.realm"),
    Row(
      "bundle --data Toy.csv --seed seed.realm", "--data needs FILE, --schema or --create-classes",
      "bundle --data Toy.csv --seed seed.realm --create-classes"),
    Row(
      "bundle dogs.realm --seed seed.realm --as Toy._id=string", "--as needs --file-format with an older file format",
      "bundle dogs.realm --seed seed.realm --as Toy._id=string --file-format 20"),
    Row(
      "bundle --schema dogs.realm --data less.json --seed seed.realm", "give it to --schema, and the objects to --data",
      "bundle --schema less.json --data people.ndjson --seed seed.realm"),
    Row(
      "bundle dogs.realm --seed seed.realm --expect-schema other.json", "'schema diff' compares two schemas",
      "schema diff dogs.realm other.json|1"),
    Row(
      "diff dogs.realm --against previous --snapshot previous", "--against and --snapshot cannot be used together",
      "diff dogs.realm --against previous|1"),
    Row(
      "diff dogs.realm --against previous --new-key-file key", "--new-key-file and --new-key-env need two realms",
      "diff dogs.realm secret.realm --new-key-file key|1"),
    Row(
      "export dogs.realm --schema dogs.json", "--schema needs --where",
      "export dogs.realm --only Toy --schema dogs.json --where name=='Ball'"),
    Row(
      "export dogs.realm --format csv --explode --no-keys -o tables", "--no-keys and --explode cannot be used together",
      "export dogs.realm --format csv --explode -o tables"),
    Row(
      "export dogs.realm -o dogs.sqlite --with-schema", "--with-schema needs --for room",
      "export dogs.realm -o dogs.sqlite --with-schema --for room"),
    Row(
      "export dogs.realm -o dogs.sqlite --for room --dates unix", "--dates unix cannot be used with it",
      "export dogs.realm -o dogs.sqlite --for room"),
    Row(
      "export dogs.realm --only Toy --format csv --pretty", "--pretty needs --format json",
      "export dogs.realm --only Toy --format csv"),
    Row(
      "export dogs.realm -o toys.csv --format json|0", "use another name, or --format csv",
      "export dogs.realm -o toys.json --format json"),
    Row(
      "export types.realm --only AllTypes --format csv|0", "use --explode or --format typed to keep them",
      "export types.realm --format csv --explode -o tables",
      "export types.realm --format typed -o types.json"),
    Row(
      "export damaged-class.realm -o some.json|2", "'recover' looks for the missing parts in the whole file",
      "recover damaged-class.realm -o saved.realm|1"),
    Row(
      "import dogs.realm More.csv --class Toy --ignore-unknown --compact -o other.realm",
      "--compact cannot be used with -o, which always compacts",
      "import dogs.realm More.csv --class Toy --ignore-unknown -o other.realm"),
    Row(
      "import new.realm Toy.csv --schema dogs.realm", "--schema needs --create",
      "import new.realm Toy.csv --schema dogs.realm --create"),
    Row(
      "import dogs.realm More.csv --class Toy --no-header", "--no-header needs --columns",
      "import dogs.realm rows.csv --class Toy --no-header --columns _id,name"),
    Row(
      "import dogs.realm rows.csv --class Toy --columns _id,name",
      "--columns needs --no-header; without it, the first line names the columns",
      "import dogs.realm rows.csv --class Toy --columns _id,name --no-header"),
    Row(
      "import dogs.realm Bad.csv --class Toy --rejects", "missing value for '--rejects <path>'",
      "import dogs.realm Bad.csv --class Toy --max-errors 1 --rejects bad.ndjson|1"),
    Row(
      "import dogs.realm Bads.csv --class Toy", "use --rejects FILE to write all of them",
      "import dogs.realm Bads.csv --class Toy --max-errors 30 --rejects bad.ndjson|1"),
    Row(
      "migrate person.realm --rename Person.age=years --to-version 2 --json --report-format text",
      "--json and --report-format text cannot be used together",
      "migrate person.realm --rename Person.age=years --to-version 2 --json"),
    Row(
      "migrate person.realm --schema less.json", "--schema needs --to-version",
      "migrate person.realm --schema less.json --to-version 2 --allow-data-loss"),
    Row(
      "migrate person.realm --schema less.json --to-version 2 --show 2", "--show needs --plan, --rename",
      "migrate person.realm --plan text.yml --show 2"),
    Row(
      "migrate person.realm --rename Person.age=years --where Person:age>3 --to-version 2", "--where needs --set",
      "migrate person.realm --set Person.age=3 --where Person:age>3 --to-version 2"),
    Row(
      "migrate person.realm --set Person.age=1 --where Dog:age>3 --to-version 2",
      "--where names class 'Dog', which no --set changes",
      "migrate person.realm --set Person.age=1 --where Person:age>3 --to-version 2"),
    Row(
      "migrate person.realm --rename Person.age=years --plan text.yml", "--plan and --rename cannot be used together",
      "migrate person.realm --plan text.yml"),
    Row(
      "migrate person.realm --plan exec.yml", "external commands need --allow-exec",
      "migrate person.realm --plan exec.yml --allow-exec"),
    Row(
      "migrate unversioned.realm --plan from.yml", "use --init to run every step",
      "migrate unversioned.realm --plan from.yml --init"),
    Row(
      "migrate free.realm --schema less.json --to-version 2 --allow-data-loss",
      "run 'check'; if it finds no other damage, 'compact' makes a new list",
      "compact free.realm",
      "migrate free.realm --schema less.json --to-version 2 --allow-data-loss"),
    Row("migrate --restore-backups taken.json", "use the output of 'migrate --json'"),
    Row(
      "open --in-memory", "--in-memory needs FILE or --schema",
      "open --in-memory --schema less.json",
      "open dogs.realm --in-memory"),
    Row(
      "open dogs.realm --snapshot previous --schema dogs.realm", "--snapshot cannot be used with configuration options",
      "open dogs.realm --snapshot previous"),
    Row(
      "open person.realm --schema-version 2", "--schema-version needs --schema",
      "open person.realm --schema-version 2 --schema person.realm"),
    Row(
      "open person.realm --allow-exec", "--allow-exec needs --plan",
      "open person.realm --schema text.json --schema-version 2 --plan text.yml --allow-exec"),
    Row(
      "open person.realm --read-only --create --schema less.json", "--read-only and --create cannot be used together",
      "open new.realm --create --schema less.json"),
    Row(
      "open none.realm --read-only --schema less.json", "or name a seed with --seed-file",
      "open none.realm --seed-file dogs.realm"),
    Row(
      "open secret.realm --key-file key --key-env NAME",
      "--key-file, --key-env and --key-prompt cannot be used together",
      "open secret.realm --key-file key"),
    Row(
      "open dogs.realm --quiet --verbose", "--quiet and --verbose cannot be used together",
      "open dogs.realm --quiet"),
    Row(
      #"query dogs.realm Dog name==$0 --arg Rex --args ["a"]"#, "--arg and --args cannot be used together",
      #"query dogs.realm Dog name==$0 --args ["Rex"]"#),
    Row(
      "schema dump dogs.realm person.realm --format swift", "use text or --json for several",
      "schema dump dogs.realm person.realm --json",
      "schema dump dogs.realm person.realm --format text"),
    Row("summarize dogs.realm --columns name", "--columns needs a class", "summarize dogs.realm Dog --columns name"),
    Row(
      "write-copy dogs.realm some.realm --redact all-rules.yml --no-verify", "--no-verify cannot be used with --redact",
      "write-copy dogs.realm some.realm --redact all-rules.yml"),
    Row(
      "write-copy dogs.realm some.realm --redact-key-file key", "--redact-key-file needs --redact",
      "write-copy dogs.realm some.realm --redact-key-file key --redact all-rules.yml"),
    Row(
      "write-copy dogs.realm some.realm --only Toy --exclude Dog", "--only and --exclude cannot be used together",
      "write-copy dogs.realm some.realm --only Toy"),
    Row(
      "write-copy dogs.realm some.realm --only Toy --where Dog:name=='Rex'", "which is not among those of --only",
      "write-copy dogs.realm some.realm --only Toy,Dog --where Dog:name=='Rex' --allow-data-loss"),
    Row(
      "write-copy dogs.realm some.realm --with-links", "--with-links needs --where or --only",
      "write-copy dogs.realm some.realm --with-links --only Dog"),
    Row(
      "write-copy dogs.realm some.realm --where Dog", "--where takes Class:QUERY, such as 'Person:age > 30'",
      "write-copy dogs.realm some.realm --where Dog:name=='Rex' --with-links"),
    Row(
      "write-copy dogs.realm some.realm --where Dog:name=='Rex' --where Dog:name=='Fido'",
      "combine the conditions with AND or OR",
      "write-copy dogs.realm some.realm --where Dog:name=='Rex'||name=='Fido' --with-links"),
    Row(
      "write-copy dogs.realm some.realm --keep-mode", "--keep-mode needs --decrypt",
      "write-copy secret.realm some.realm --key-file key --keep-mode --decrypt"),
    Row(
      "write-copy contradicted.realm copy.realm --strict|1",
      "run 'check' for details, or omit --strict to continue anyway",
      "check contradicted.realm|1",
      "write-copy contradicted.realm copy.realm"),
    Row(
      "check stale.realm|0", "'compact --rebuild' fixes it",
      "compact --rebuild stale.realm",
      "check stale.realm --strict"),
    Row("downgrade dogs.realm --file-format 24", "'upgrade' writes it", "upgrade older.realm"),
    Row(
      "downgrade dogs.realm --file-format 20 --as Toy=string", "name a property, as in --as Toy.id=string",
      "downgrade dogs.realm --file-format 20 --as Toy._id=string"),
    Row(
      "downgrade dogs.realm --file-format 20 --as Toy", "such as Person.id=string, not 'Toy'",
      "downgrade dogs.realm --file-format 20 --as Toy._id=string"),
    Row("stats fragmented.realm|0", "'compact' would free", "compact fragmented.realm"),
    Row(
      "update dogs.realm Toy name=='Ball' --set name=x --yes --no-backup|0",
      "until it is compacted: realmctl compact dogs.realm", "compact dogs.realm"),
    Row(
      "update dogs.realm Toy name=='Ball' --set name=x --dry-run|0", "--compact removes them",
      "update dogs.realm Toy name=='Ball' --set name=x --yes --no-backup --compact"),
    Row(
      "insert dogs.realm Toy --object 1", "--object takes a JSON object",
      #"insert dogs.realm Toy --object {"_id":"51111111-2222-3333-4444-555555555555"}"#),
  ]

  /// `dogs` with the index of the names of toys as it was before one of them got another name.
  static let contradicted = Result {
    try withRestoredIndex(
      of: "name", in: "class_Toy", of: Fixture.bytes("engine/dogs.realm"),
      after: "update app.realm Toy name=='Ball' --set name=Kong --yes --no-backup --quiet")
  }

  /// A realm in the state in which engines leave it when they delete the target of a link in an indexed Mixed property.
  static let staleLink = Result {
    let folder = try TemporaryFolder()
    func write(_ name: String, _ text: String) throws { try folder.write(name, Array(text.utf8)) }
    try write(
      "model.json",
      #"[{"name":"Source","properties":{"any":{"type":"mixed","indexed":true}}},"#
        + #"{"name":"Target","primaryKey":"id","properties":{"id":"int"}}]"#)
    try write(
      "data.ndjson",
      #"{"class":"Target","value":{"id":1}}"# + "\n"
        + #"{"class":"Source","value":{"any":{"$link":{"table":"Target","key":1}}}}"# + "\n")
    var tool = Tool()
    tool.folder = folder.path
    try #require(tool.run("import app.realm data.ndjson --create --schema model.json".words).status == 0)
    return try withRestoredIndex(
      of: "any", in: "class_Source", of: Fixture.bytes(ofFile: folder.path("app.realm")),
      after: "delete app.realm Target --all --yes --no-backup --quiet")
  }

  /// Changes a realm, and gives an index what it had before.
  private static func withRestoredIndex(
    of property: String, in table: String, of bytes: [UInt8], after command: String
  ) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    try folder.write("app.realm", bytes)
    var tool = Tool()
    tool.folder = folder.path
    let index = try NodeTree(bytes).table(table).index(property).copy()
    try #require(tool.run(command.words).status == 0)
    let changed = try NodeTree(Fixture.bytes(ofFile: folder.path("app.realm")))
    let changedTable = try changed.table(table)
    let indexes = try #require(changedTable.top.child(4))
    indexes.elements[try changedTable.leafIndex(property)] = .child(index)
    return changed.written(.normal)
  }

  @Test("who is told that a file is in use can wait for it") func waiting() throws {
    let folder = try TemporaryFolder()
    try folder.write("app.realm", try Fixture.bytes("engine/fragmented.realm"))
    var tool = Tool()
    tool.folder = folder.path
    let lock = open(folder.path("app.realm.lock"), O_RDWR | O_CREAT, 0o600)
    try #require(flock(lock, LOCK_SH | LOCK_NB) == 0)
    let refusal = try tool.run("compact", "app.realm")
    #expect(refusal.status == 6 && refusal.errors.contains("close it there, or use --wait SECONDS"))
    close(lock)
    #expect(try tool.run("compact", "app.realm", "--wait", "60").status == 0)
    _ = try LeftRealm(folder.path("app.realm"))
  }
}

extension String {
  fileprivate var words: [String] { split(separator: " ").map(String.init) }
}
