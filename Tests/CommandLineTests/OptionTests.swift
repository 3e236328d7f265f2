import ArgumentParser
import RealmExchange
import RealmModels
import RealmOpening
import RealmStorage
import RealmTools
import Testing

@testable import realmctl

/// What is typed, and what it means.
@Suite struct OptionTests {
  /// The request of the command that the arguments name.
  private func request<Command: RealmctlCommand>(_ type: Command.Type, _ arguments: [String]) throws -> Command.Request
  {
    let command = try #require(try Realmctl.parseAsRoot(arguments) as? Command)
    return try command.request()
  }

  // MARK: - Keys

  @Test(arguments: [
    ([], nil),
    (["--key-file", "k"], KeySource.file("k")),
    (["--key-file", "-"], .standardInput),
    (["--key-env", "KEY"], .environment("KEY")),
    (["--key-prompt"], .prompt),
  ])
  func aKeyHasOneSource(options: [String], source: KeySource?) throws {
    let request = try request(OpenCommand.self, ["open", "a.realm"] + options)
    #expect(request.inputs == [RealmInput(path: "a.realm", key: source)])
  }

  @Test func aFileWhoseNameLooksLikeAnOptionComesAfterTwoDashes() throws {
    #expect(try request(OpenCommand.self, ["open", "--", "--json"]).inputs.map(\.path) == ["--json"])
  }

  // MARK: - Export

  @Test func anExportIsJSONOfAllClassesUnlessToldOtherwise() throws {
    let request = try request(ExportCommand.self, ["export", "a.realm"])
    #expect(
      request
        == ExportCommand.Request(
          input: RealmInput(path: "a.realm", key: nil), form: ExportForm(format: .json), classes: .all,
          includesInternalTables: false, destination: .standardOutput))
  }

  @Test(arguments: [
    (["--only", "A"], ClassSelection.only(["A"])),
    (["--only", "A,B", "--only", "C"], .only(["A", "B", "C"])),
    (["--exclude", "A,B"], .except(["A", "B"])),
  ])
  func classesAreSeparatedByCommas(options: [String], selection: ClassSelection) throws {
    #expect(try request(ExportCommand.self, ["export", "a.realm"] + options).classes == selection)
  }

  @Test(arguments: [
    ([], OutputDestination.standardOutput),
    (["-o", "-"], .standardOutput),
    (["-o", "b.json"], .path("b.json", replacing: false)),
    (["--output", "b.json", "--force"], .path("b.json", replacing: true)),
  ])
  func anOutputIsAFileOnlyIfNamed(options: [String], destination: OutputDestination) throws {
    #expect(try request(ExportCommand.self, ["export", "a.realm"] + options).destination == destination)
  }

  @Test(arguments: [
    ([], ExportForm(format: .json)),
    (["--pretty"], ExportForm(format: .json, isPretty: true)),
    (["--format", "ndjson", "--big-ints", "string"], ExportForm(format: .ndjson, quotesBigIntegers: true)),
    (["--no-keys"], ExportForm(format: .json, showsObjectKeys: false)),
    (["--links", "none"], ExportForm(format: .json, links: .none)),
    (["--links", "inline"], ExportForm(format: .json, links: .inline(depth: 1))),
    (["--links", "inline:3"], ExportForm(format: .json, links: .inline(depth: 3))),
    (["--format", "core-xjson+"], ExportForm(format: .coreXJSONPlus)),
    (["-o", "a.csv"], ExportForm(format: .csv)),
    (["-o", "b.TSV"], ExportForm(format: .tsv)),
    (["-o", "a.ndjson"], ExportForm(format: .ndjson)),
    (["-o", "a.jsonl"], ExportForm(format: .ndjson)),
    (["-o", "a.json"], ExportForm(format: .json)),
    (["-o", "a.sqlite"], ExportForm(format: .sqlite)),
    (["-o", "a.db"], ExportForm(format: .sqlite)),
    (["-o", "a", "--format", "sqlite"], ExportForm(format: .sqlite)),
    (
      ["-o", "a.sqlite", "--dates", "unix-ms"],
      ExportForm(format: .sqlite, dates: .unixMilliseconds)
    ),
    (["-o", "a.sqlite", "--no-verify"], ExportForm(format: .sqlite, verifies: false)),
    (["-o", "a.sqlite", "--dry-run"], ExportForm(format: .sqlite, dryRun: true)),
    (["-o", "csv"], ExportForm(format: .json)),
    (["-o", "a.csv", "--format", "typed"], ExportForm(format: .typed)),
    (["-o", "a.csv", "--csv-safe"], ExportForm(format: .csv, isSafeForSpreadsheets: true)),
  ])
  func theFormIsChosenByOptions(options: [String], form: ExportForm) throws {
    #expect(try request(ExportCommand.self, ["export", "a.realm"] + options).form == form)
  }

  @Test func aQueryBelongsToItsClass() throws {
    let words = [
      "write-copy", "a.realm", "b.realm", "--where", "A:x == \"a:b\"", "--only", "A,B", "--where", "B: y > 1",
    ]
    var filter = CopyFilter()
    filter.classes = .only(["A", "B"])
    filter.conditions = [
      ClassCondition(className: "A", query: "x == \"a:b\""), ClassCondition(className: "B", query: " y > 1"),
    ]
    #expect(try request(WriteCopyCommand.self, words).part == filter)
    filter.followsLinks = true
    #expect(try request(WriteCopyCommand.self, words + ["--with-links"]).part == filter)
    // With links, --only says what is kept whole, and not what stays out.
    filter.classes = .only(["C"])
    filter.conditions.removeLast()
    #expect(
      try request(
        WriteCopyCommand.self,
        ["write-copy", "a.realm", "b.realm", "--where", "A:x == \"a:b\"", "--only", "C", "--with-links"]
      ).part == filter)
    let export = try request(
      ExportCommand.self, ["export", "a.realm", "--only", "A", "--where", "x == $0", "--arg", "-1"])
    #expect(export.condition == QueryInput(text: "x == $0", values: ["-1"]))
  }

  // MARK: - Messages

  @Test(arguments: [
    ([], MessageStyle()),
    (["--json"], MessageStyle(isJSON: true)),
    (["--quiet"], MessageStyle(volume: .quiet)),
    (["-v"], MessageStyle(volume: .verbose)),
    (["--color", "always"], MessageStyle(color: .always)),
    (["--strict"], MessageStyle(isStrict: true)),
  ])
  func theStyleOfMessagesIsChosenByOptions(options: [String], style: MessageStyle) throws {
    let command = try #require(try Realmctl.parseAsRoot(["open", "a.realm"] + options) as? OpenCommand)
    #expect(command.messages.style == style)
  }

  // MARK: - Wrong usage

  @Test(arguments: [
    (["check"], "missing argument '<file> ...'"), (["recover", "a"], "missing option '-o <path>'"),
    (["query", "a", "B", "--limit"], "missing value for '--limit <number>'"),
    (["query", "a", "B", "--limit", "ten"], "--limit takes a whole number of 0 or greater, not 'ten'"),
    (["check", "a", "--limit", "ten"], "--limit takes a whole number of 1 or greater, not 'ten'"),
    (["query", "a", "B", "--limit", "-3"], "--limit takes a whole number of 0 or greater, not '-3'"),
    (["query", "a", "B", "--limit=-3"], "--limit takes a whole number of 0 or greater, not '-3'"),
    (
      ["query", "a", "B", "--limit", "99999999999999999999"],
      "--limit takes a smaller number than '99999999999999999999'"
    ),
    (["summarize", "a", "B", "--bins", "0"], "--bins takes a whole number from 1 to 1000, not '0'"),
    (["compact", "a", "--wait", "soon"], "--wait takes a number of seconds from 0 to 86400, not 'soon'"),
    (["query", "a", "B", "--work-limit", "big"], "--work-limit takes a size, such as 500000, 64MiB or 2GB, not 'big'"),
    (["open", "a", "--color", "none"], "--color takes auto, always or never, not 'none'"),
    (["stats", "a", "--by", "clas"], "--by takes part, class or property, not 'clas'; did you mean 'class'?"),
    (["diff", "a", "b", "--against", "previous"], "--against takes one realm; omit 'b'"),
    (["diff", "a"], "missing second realm; name one, or use --against"),
    (["downgrade", "a", "--file-format", "21"], "--file-format takes 10, 11, 20, 22 or 23, not '21'"),
    (
      ["update", "a", "B", "SET", "name", "=", "Rex"],
      "'SET name = Rex' is not a query; to change values, write --set name=Rex, with a query or --all"
    ),
    (
      ["query", "a", "SELECT", "x", "FROM", "B"],
      "2 unexpected arguments: 'FROM', 'B'; for SQL: realmctl sql a 'SELECT x FROM B'"
    ),
    (["open", ""], "Realm path must not be empty"),
    (["schema", "diff", "a", ""], "Realm path must not be empty"),
    (["export", "a", "b"], "unexpected argument 'b'; name classes with --only, and give a query with --where"),
    (["open", "a", "--jsn"], "unknown option '--jsn'; did you mean '--json'?"),
    (["--strict"], "unknown option '--strict'; options follow a command, as in 'realmctl open --strict'"),
    (["open", "--jsn"], "unknown option '--jsn'; did you mean '--json'?"),
    (
      ["open", "a", "--key", "k"],
      "unknown option '--key'; a key comes from a file, a variable or a prompt: --key-file, --key-env or --key-prompt"
    ),
    (["open", "a", "-verbose"], "unknown option '-verbose'; did you mean '--verbose'?"),
    (["open", "a", "-xyz"], "unknown option '-xyz'"),
    (["open", "a", "--out"], "unknown option '--out'"), (["open", "a", "--zzz=1"], "unknown option '--zzz'"),
    (
      ["query", "a", "B", "-2.5 IN c"],
      "unknown option '-2.5 IN c'; put -- before a query that begins with -, and options before that"
    ),
    (["query", "a", "B", "-x"], "unknown option '-x'"),
    (["browse", "a", "--json"], "unknown option '--json'"), (["browse", "a", "--strict"], "unknown option '--strict'"),
    (
      ["open", "a", "--key-file", "k", "--key-prompt"],
      "--key-file, --key-env and --key-prompt cannot be used together"
    ),
    (
      ["open", "a", "--key-env", "K", "--key-prompt"],
      "--key-file, --key-env and --key-prompt cannot be used together"
    ),
    (["open", "-", "--key-file", "-"], "standard input can be used only once"),
    (["open", "a", "-q", "-v"], "--quiet and --verbose cannot be used together"),
    (["export", "a", "--only", "A", "--exclude", "B"], "--only and --exclude cannot be used together"),
    (["export", "a", "--only", "A,,B"], "--only takes class names separated by commas, not 'A,,B'"),
    (["export", "a", "--force"], "--force needs -o; it replaces an existing output"),
    (["export", "a", "-o", "/proc/self/fd/1", "--force"], "--force cannot be used with standard output"),
    (["export", "a", "--format", "core", "--pretty"], "--pretty needs --format json"),
    (["export", "a", "--format", "typed", "--big-ints", "string"], "--big-ints needs --format json or ndjson"),
    (["export", "a", "--format", "core", "--no-keys"], "--no-keys needs --format json, ndjson, csv or tsv"),
    (["export", "a", "--format", "typed", "--links", "none"], "--links needs --format json or ndjson"),
    (["export", "a", "--links", "inline:0"], "--links takes keys, inline, inline:DEPTH or none, not 'inline:0'"),
    (
      ["export", "a", "--where", "x == 1"],
      "--where takes Class:QUERY, such as 'Person:age > 30', not 'x == 1'; with --only Person, the query is enough"
    ),
    (
      ["export", "a", "--only", "A,B", "--where", "x == 1"],
      "--where takes Class:QUERY, such as 'Person:age > 30', not 'x == 1'; with --only Person, the query is enough"
    ),
    (["export", "a", "--only", "A", "--arg", "1"], "--arg needs --where"),
    (
      ["write-copy", "a", "b", "--where", "x == 1"],
      "--where takes Class:QUERY, such as 'Person:age > 30', not 'x == 1'"
    ),
    (
      ["write-copy", "a", "b", "--where", ":x == 1"],
      "--where takes Class:QUERY, such as 'Person:age > 30', not ':x == 1'"
    ),
    (
      ["write-copy", "a", "b", "--where", "A:x == 1", "--where", "A:x == 2"],
      "--where can be given only once for class 'A'; combine the conditions with AND or OR"
    ),
    (["bundle", "a", "--seed", "b", "--with-links"], "--with-links needs --where or --only"),
    (
      ["bundle", "a", "--seed", "b", "--where", "A:x == 1", "--exclude", "A"],
      "--where and --exclude both name class 'A'"
    ),
    (
      ["bundle", "a", "--seed", "b", "--where", "A:x == 1", "--only", "B"],
      "--where names class 'A', which is not among those of --only"
    ),
    (
      ["bundle", "--schema", "a", "--data", "b", "--seed", "c", "--where", "A:x == 1"],
      "--only, --exclude, --where, --with-links, --no-internal and --allow-data-loss cannot be used with --schema"
    ),
    (
      ["write-copy", "a", "b", "--where", "A:x == $0", "--arg", "1"],
      "unknown option '--arg'"
    ),
    (["opne", "a"], "unknown command 'opne'; did you mean 'open'?"),
    (["a.realm"], "missing command before 'a.realm'; did you mean 'realmctl open a.realm'?"),
    (["folder/a"], "missing command before 'folder/a'; did you mean 'realmctl open folder/a'?"),
    (["schema", "dmp"], "unknown command 'dmp'; did you mean 'dump'?"),
    (["plan", "run"], "unknown command 'run'; the commands of 'realmctl plan' are: new, check"),
    (["problems"], "unknown command 'problems'; for the topic: realmctl help problems"),
  ])
  func wrongUsageIsExplained(arguments: [String], problem: String) throws {
    let usage = try #require(throws: UsageError.self) { try Realmctl.parse(all: arguments) }
    #expect(usage.message == problem)
    #expect(!usage.usage.isEmpty)
  }

  @Test(arguments: [
    (["help", "plan", "run"], "unknown command 'run'; the commands of 'realmctl plan' are: new, check"),
    (["help", "qury"], "unknown command or topic 'qury'; did you mean 'query'?"),
    (["help", "Redact1on"], "unknown command or topic 'Redact1on'; did you mean 'redaction'?"),
    (["help", "query", "Dog"], "'help' takes one command or topic; omit 'Dog'"),
    (["help", "keys", "files"], "'help' takes one command or topic; omit 'files'"),
  ])
  func helpOnSomethingElseIsExplained(arguments: [String], problem: String) throws {
    let usage = try #require(throws: UsageError.self) { try Realmctl.parse(all: arguments) }
    #expect(usage.message == problem)
    #expect(usage.usage.contains("See 'realmctl"))
  }

  // MARK: - Configurations

  @Test func openOnlyLooksUnlessAnOptionOfTheConfigurationIsGiven() throws {
    #expect(try request(OpenCommand.self, ["open", "a.realm", "--only", "A"]).launch == nil)
    let launch = try #require(
      try request(OpenCommand.self, ["open", "a.realm", "--schema", "s.json", "--schema-version", "3"]).launch)
    #expect(launch.schema == TargetSchemaArgument(path: "s.json", version: 3, hasOwnVersion: true))
    #expect(launch.opensLikeApp)
    #expect(launch.policy == MigrationPolicy())
    #expect(launch.backupRule == .whereNothingGoesBack)
    #expect(launch.destination == nil)
    #expect(!launch.allowsUpgrade)
  }

  @Test(arguments: [
    ([], MigrationPolicy()),
    (
      ["--allow-data-loss"],
      MigrationPolicy(
        allowsDataLoss: true, embedding: EmbeddingPolicy(deletesOrphans: true, duplicatesShared: false))
    ),
    (
      ["--allow-data-loss", "--on-orphan", "fail"],
      MigrationPolicy(
        allowsDataLoss: true, embedding: EmbeddingPolicy(deletesOrphans: false, duplicatesShared: false))
    ),
    (
      ["--on-orphan", "delete", "--on-shared", "duplicate"],
      MigrationPolicy(
        allowsDataLoss: false, embedding: EmbeddingPolicy(deletesOrphans: true, duplicatesShared: true))
    ),
  ])
  func whatAMigrationMayLose(options: [String], policy: MigrationPolicy) throws {
    let arguments = ["migrate", "a.realm", "--schema", "s.json", "--to-version", "2"] + options
    let launch = try migration(arguments)
    #expect(launch.policy == policy)
    #expect(launch.backupRule == .always)
  }

  @Test func aResultThatGoesElsewhereMayBeUpgraded() throws {
    let arguments = ["migrate", "a.realm", "--schema", "s.json", "--to-version", "2"]
    #expect(try !migration(arguments).allowsUpgrade)
    let launch = try migration(arguments + ["-o", "b.realm"])
    #expect(launch.allowsUpgrade)
    #expect(launch.destination?.path == "b.realm")
    #expect(try migration(arguments + ["--upgrade"]).allowsUpgrade)
  }

  private func migration(_ arguments: [String]) throws -> LaunchRequest {
    try #require(request(MigrateCommand.self, arguments).launches.first)
  }
}
