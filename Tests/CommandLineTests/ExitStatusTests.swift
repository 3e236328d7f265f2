import ArgumentParser
import CProcess
import Foundation
import RealmStorage
import RealmSystem
import TestSupport
import Testing

@testable import RealmStorage
@testable import realmctl

/// Every command ends with every status that its page lists, and with no other.
@Suite struct ExitStatusTests {
  /// The obstacle of a run, apart from its files.
  enum Setting: Sendable {
    case none
    /// An app has the realm of that name open.
    case appHolds(String)
    /// The realm of that name has a second name in the folder.
    case otherName(String)
    /// The realm grows whenever somebody looks at its size.
    case growing
    /// The disk is full as soon as the run writes to it.
    case noSpace
    /// The run has a terminal, where this is typed when it asks for the key, or, without a question, at once.
    case terminal(String, asks: Bool)
    /// The run asks for the key when this signal comes.
    case signal(Int32)
  }

  /// A run and the status it ends with. Names in the arguments are those of `files()`.
  struct Row: Sendable, CustomTestStringConvertible {
    let status: RunStatus
    let arguments: [String]
    let setting: Setting

    init(_ status: RunStatus, _ arguments: String, _ setting: Setting = .none) {
      (self.status, self.setting) = (status, setting)
      self.arguments = arguments.split(separator: " ").map(String.init)
    }

    var testDescription: String { "\(status.rawValue): \(arguments.joined(separator: " "))" }

    var command: String {
      ToolContract.command(in: arguments)?.0.joined(separator: " ") ?? ""
    }
  }

  static let rows = reading + changing + writing + browsing + asking + filling

  private static let reading: [Row] = [
    Row(.done, "open a.realm"), Row(.findings, "open a.v23.backup.realm --strict"), Row(.failed, "open text"),
    Row(.notFound, "open none.realm"), Row(.key, "open secret.realm"), Row(.format, "open future.realm"),
    Row(.inUse, "open a.realm", .growing), Row(.schema, "open person.realm --schema less.json --schema-version 9"),
    Row(.usage, "open a.realm --create"),
    Row(.done, "schema dump a.realm"), Row(.findings, "schema dump a.realm --format swift --only Dog --strict"),
    Row(.failed, "schema dump text"), Row(.notFound, "schema dump a.realm --only None"),
    Row(.key, "schema dump secret.realm"), Row(.format, "schema dump future.realm"),
    Row(.inUse, "schema dump a.realm", .growing), Row(.schema, "schema dump linked.realm --format app-services"),
    Row(.usage, "schema dump a.realm --format none"),
    Row(.done, "schema diff a.realm a.realm"), Row(.findings, "schema diff a.realm person.realm"),
    Row(.failed, "schema diff a.realm text"), Row(.notFound, "schema diff a.realm none.json"),
    Row(.key, "schema diff a.realm secret.realm"), Row(.format, "schema diff future.realm a.realm"),
    Row(.inUse, "schema diff a.realm less.json", .growing), Row(.schema, "schema diff a.realm wrong.json"),
    Row(.usage, "schema diff a.realm"),
    Row(.done, "export a.realm"), Row(.findings, "export a.v23.backup.realm --strict"), Row(.failed, "export text"),
    Row(.notFound, "export a.realm --only None"), Row(.key, "export secret.realm"),
    Row(.format, "export future.realm"), Row(.inUse, "export a.realm", .growing),
    Row(.schema, "export a.realm --only Dog --where name==1 --schema wrong.json"),
    Row(.usage, "export a.realm --format csv"), Row(.query, "export a.realm --only Dog --where nme==1"),
    Row(.schema, "query a.realm Dog --schema wrong.json"),
    Row(.done, "query a.realm Dog"), Row(.findings, "query a.realm Dog name=='x' --exists"),
    Row(.failed, "query text Dog"), Row(.notFound, "query a.realm None"), Row(.key, "query secret.realm Dog"),
    Row(.format, "query future.realm Dog"), Row(.inUse, "query a.realm Dog", .growing),
    Row(.query, "query a.realm Dog none==1"), Row(.usage, "query a.realm"),
    Row(.done, "sql a.realm SELECT(1)"), Row(.findings, "sql a.v23.backup.realm SELECT(1) --strict"),
    Row(.failed, "sql text SELECT(1)"), Row(.notFound, "sql a.realm .schema\u{a0}None"),
    Row(.key, "sql secret.realm SELECT(1)"), Row(.format, "sql future.realm SELECT(1)"),
    Row(.inUse, "sql a.realm SELECT(1)", .growing), Row(.query, "sql a.realm SELECT(none)"), Row(.usage, "sql"),
    Row(.done, "recover a.realm -o new.realm"), Row(.findings, "recover damaged.realm -o new.realm"),
    Row(.failed, "recover text -o new.realm"), Row(.notFound, "recover none.realm -o new.realm"),
    Row(.key, "recover secret.realm -o new.realm --decrypt"),
    Row(.inUse, "recover a.realm -o person.realm --force", .appHolds("person.realm")), Row(.usage, "recover a.realm"),
    Row(.done, "check a.realm"), Row(.findings, "check damaged.realm"), Row(.failed, "check text"),
    Row(.notFound, "check none.realm"), Row(.key, "check secret.realm"), Row(.format, "check future.realm"),
    Row(.inUse, "check a.realm", .growing), Row(.usage, "check a.realm --limit 0"),
    Row(.done, "stats a.realm"), Row(.findings, "stats a.v23.backup.realm --strict"), Row(.failed, "stats text"),
    Row(.notFound, "stats none.realm"), Row(.key, "stats secret.realm"), Row(.format, "stats future.realm"),
    Row(.inUse, "stats a.realm", .growing), Row(.usage, "stats"),
    Row(.done, "summarize a.realm"), Row(.findings, "summarize a.v23.backup.realm --strict"),
    Row(.failed, "summarize text"), Row(.notFound, "summarize a.realm None"), Row(.key, "summarize secret.realm"),
    Row(.format, "summarize future.realm"), Row(.inUse, "summarize a.realm", .growing),
    Row(.schema, "summarize a.realm Dog --schema wrong.json"), Row(.query, "summarize a.realm Dog nme==1"),
    Row(.usage, "summarize"),
    Row(.done, "hash a.realm"), Row(.findings, "hash a.v23.backup.realm --strict"), Row(.failed, "hash text"),
    Row(.notFound, "hash none.realm"), Row(.key, "hash secret.realm"), Row(.format, "hash future.realm"),
    Row(.inUse, "hash a.realm", .growing), Row(.usage, "hash"),
    Row(.done, "history a.realm"), Row(.findings, "history a.v23.backup.realm --strict"), Row(.failed, "history text"),
    Row(.notFound, "history none.realm"), Row(.key, "history secret.realm"), Row(.format, "history future.realm"),
    Row(.inUse, "history a.realm", .growing), Row(.usage, "history"),
    Row(.done, "diff a.realm a.realm"), Row(.findings, "diff a.realm person.realm"), Row(.failed, "diff a.realm text"),
    Row(.notFound, "diff a.realm --against 4096"), Row(.key, "diff a.realm secret.realm"),
    Row(.format, "diff future.realm a.realm"), Row(.inUse, "diff a.realm person.realm", .growing),
    Row(.usage, "diff a.realm"),
  ]

  private static let migrate = "migrate person.realm --schema more.json --to-version 9"

  private static let changing: [Row] = [
    Row(.done, "compact a.realm"), Row(.findings, "compact a.v23.backup.realm -o new.realm --strict"),
    Row(.failed, "compact text"), Row(.notFound, "compact none.realm"), Row(.key, "compact secret.realm"),
    Row(.format, "compact old.realm"), Row(.inUse, "compact a.realm", .appHolds("a.realm")),
    Row(.usage, "compact -"),
    Row(.done, migrate), Row(.findings, "\(migrate) --strict", .otherName("person.realm")),
    Row(.failed, "migrate text --schema more.json --to-version 9"),
    Row(.notFound, "migrate person.realm --schema none.json --to-version 9"),
    Row(.key, "migrate secret.realm --schema more.json --to-version 9"),
    Row(.format, "migrate old.realm --schema more.json --to-version 9"),
    Row(.inUse, migrate, .appHolds("person.realm")),
    Row(.schema, "migrate person.realm --schema less.json --to-version 9"),
    Row(.query, "migrate person.realm --set Person.age=1 --where Person:agee==1 --to-version 9"),
    Row(.usage, "migrate person.realm"),
    Row(.done, "plan new person.realm --schema more.json --to-version 9"),
    Row(.findings, "plan new a.v23.backup.realm --schema more.json --to-version 9 --strict"),
    Row(.failed, "plan new text --schema more.json --to-version 9"),
    Row(.notFound, "plan new person.realm --schema none.json --to-version 9"),
    Row(.key, "plan new secret.realm --schema more.json --to-version 9"),
    Row(.format, "plan new future.realm --schema more.json --to-version 9"),
    Row(.inUse, "plan new a.realm --schema more.json --to-version 9", .growing),
    Row(.schema, "plan new person.realm --schema wrong.json --to-version 9"), Row(.usage, "plan new person.realm"),
    Row(.done, "redact new a.realm"), Row(.findings, "redact new a.v23.backup.realm --strict"),
    Row(.failed, "redact new text"), Row(.notFound, "redact new none.realm"),
    Row(.key, "redact new secret.realm"), Row(.format, "redact new future.realm"),
    Row(.inUse, "redact new a.realm", .growing), Row(.usage, "redact new"),
    Row(.done, "redact check rules.yml a.realm"),
    Row(.findings, "redact check rules.yml a.v23.backup.realm --strict"), Row(.failed, "redact check rules.yml text"),
    Row(.notFound, "redact check none.yml a.realm"), Row(.key, "redact check rules.yml secret.realm"),
    Row(.format, "redact check rules.yml future.realm"), Row(.inUse, "redact check rules.yml a.realm", .growing),
    Row(.schema, "redact check strict.yml a.realm"), Row(.usage, "redact check rules.yml"),
    Row(.done, "plan check plan.yml person.realm"), Row(.findings, "plan check removal.yml --strict"),
    Row(.failed, "plan check plan.yml text"),
    Row(.notFound, "plan check none.yml"), Row(.key, "plan check plan.yml secret.realm"),
    Row(.format, "plan check plan.yml future.realm"), Row(.inUse, "plan check plan.yml a.realm", .growing),
    Row(.schema, "plan check text"), Row(.usage, "plan check"),
    Row(.done, "import a.realm Toy.csv"), Row(.findings, "import a.realm Toy.csv --class Dog --max-errors 1"),
    Row(.failed, "import text Toy.csv"), Row(.notFound, "import a.realm none.csv"),
    Row(.key, "import secret.realm Toy.csv"), Row(.format, "import old.realm Toy.csv"),
    Row(.inUse, "import a.realm Toy.csv", .appHolds("a.realm")), Row(.schema, "import a.realm wrong.json"),
    Row(.usage, "import a.realm"),
    Row(.done, "insert person.realm Person age=3"),
    Row(.findings, "insert person.realm Person age=3 --strict", .otherName("person.realm")),
    Row(.failed, "insert text Person age=3"), Row(.notFound, "insert person.realm None age=3"),
    Row(.key, "insert secret.realm Person age=3"), Row(.format, "insert old.realm Person _id=640000000000000000000009"),
    Row(.inUse, "insert person.realm Person age=3", .appHolds("person.realm")),
    Row(.schema, "insert person.realm Person age=x"), Row(.usage, "insert person.realm Person"),
    Row(.done, "update person.realm Person --all --set age=3"),
    Row(.findings, "update person.realm Person --all --set age=3 --expect 99"),
    Row(.failed, "update text Person --all --set age=3"), Row(.notFound, "update a.realm None --all --set age=3"),
    Row(.key, "update secret.realm Person --all --set age=3"),
    Row(.format, "update old.realm Person --all --set name=x"),
    Row(.inUse, "update person.realm Person --all --set age=3", .appHolds("person.realm")),
    Row(.schema, "update person.realm Person --all --set age=x"), Row(.usage, "update person.realm Person"),
    Row(.query, "update person.realm Person none==1 --set age=3"),
    Row(.done, "delete a.realm Dog --all"), Row(.findings, "delete a.realm Dog --all --expect 99"),
    Row(.failed, "delete text Dog --all"), Row(.notFound, "delete a.realm None --all"),
    Row(.key, "delete secret.realm Dog --all"), Row(.format, "delete old.realm Dog --all"),
    Row(.inUse, "delete a.realm Dog --all", .appHolds("a.realm")),
    Row(.schema, "delete secret.realm Embedded --all --key-file key"), Row(.usage, "delete a.realm Dog"),
    Row(.query, "delete a.realm Dog none==1"),
    Row(.findings, "rm a.realm", .terminal("no\n", asks: false)), Row(.done, "rm a.realm --yes"),
    Row(.failed, "rm text --yes"), Row(.notFound, "rm none.realm --yes"),
    Row(.key, "rm secret.realm --yes"),
    Row(.inUse, "rm a.realm --yes", .appHolds("a.realm")), Row(.usage, "rm a.realm"),
    Row(.done, "schema infer Toy.csv"), Row(.findings, "schema infer ragged.csv --strict"),
    Row(.failed, "schema infer text --from realm"),
    Row(.notFound, "schema infer none.csv"), Row(.key, "schema infer secret.realm"),
    Row(.inUse, "schema infer a.realm -o text --force", .appHolds("text")),
    Row(.format, "schema infer future.realm"), Row(.schema, "schema infer wrong.json"), Row(.usage, "schema infer"),
    Row(.done, "upgrade old.realm"), Row(.findings, "upgrade a.v23.backup.realm -o new.realm --strict"),
    Row(.failed, "upgrade text"), Row(.notFound, "upgrade none.realm"), Row(.key, "upgrade secret.realm"),
    Row(.format, "upgrade future.realm"), Row(.inUse, "upgrade old.realm", .appHolds("old.realm")),
    Row(.usage, "upgrade"),
    Row(.done, "downgrade person.realm --file-format 23"),
    Row(.findings, "downgrade a.v23.backup.realm --file-format 22 -o new.realm --strict"),
    Row(.failed, "downgrade text --file-format 23"), Row(.notFound, "downgrade none.realm --file-format 23"),
    Row(.key, "downgrade secret.realm --file-format 23"), Row(.format, "downgrade future.realm --file-format 23"),
    Row(.inUse, "downgrade person.realm --file-format 23", .appHolds("person.realm")),
    Row(.schema, "downgrade a.realm --file-format 10"), Row(.usage, "downgrade person.realm"),
  ]

  private static let bundle = "bundle --schema more.json --data"

  private static let writing: [Row] = [
    Row(.done, "write-copy a.realm new.realm"), Row(.findings, "write-copy a.v23.backup.realm new.realm --strict"),
    Row(.failed, "write-copy a.realm person.realm"), Row(.notFound, "write-copy a.realm new.realm --only None"),
    Row(.key, "write-copy secret.realm new.realm"), Row(.format, "write-copy future.realm new.realm"),
    Row(.inUse, "write-copy a.realm person.realm --force", .appHolds("person.realm")),
    Row(.schema, "write-copy a.realm new.realm --exclude Dog"), Row(.usage, "write-copy a.realm"),
    Row(.query, "write-copy a.realm new.realm --where Dog:nme==1"),
    Row(.done, "bundle a.realm --seed new.realm"), Row(.findings, "bundle a.realm --seed new.realm --expect Dog>99"),
    Row(.failed, "bundle text --seed new.realm"), Row(.notFound, "bundle --seed new.realm"),
    Row(.key, "bundle secret.realm --seed new.realm"), Row(.format, "bundle future.realm --seed new.realm"),
    Row(.inUse, "bundle a.realm --seed person.realm --force", .appHolds("person.realm")),
    Row(.schema, "\(bundle) wrong.ndjson --seed new.realm"), Row(.usage, "bundle a.realm"),
    Row(.query, "bundle a.realm --seed new.realm --where Dog:"),
  ]

  private static let browsing: [Row] = [
    Row(.done, "browse a.realm", .terminal("Q", asks: false)), Row(.failed, "browse a.realm"),
    Row(.notFound, "browse none.realm", .terminal("", asks: false)),
    Row(.key, "browse secret.realm", .terminal("abc\r", asks: true)),
    Row(.format, "browse future.realm", .terminal("", asks: false)), Row(.usage, "browse"),
    Row(.schema, "browse a.realm --schema wrong.json", .terminal("", asks: false)),
  ]

  /// With every command: Ctrl-C, and the end of the session, while it waits for the key.
  private static let asking: [Row] = [
    "open secret.realm", "schema dump secret.realm", "schema diff a.realm secret.realm", "export secret.realm",
    "check secret.realm", "query secret.realm Dog", "sql secret.realm SELECT(1)",
    "recover secret.realm -o new.realm --decrypt", "stats secret.realm", "summarize secret.realm", "hash secret.realm",
    "history secret.realm",
    "diff secret.realm a.realm", "compact secret.realm", "migrate secret.realm --schema more.json --to-version 9",
    "plan new secret.realm --schema more.json --to-version 9", "plan check plan.yml secret.realm",
    "redact new secret.realm", "redact check rules.yml secret.realm",
    "import secret.realm Toy.csv", "schema infer secret.realm",
    "insert secret.realm A x=1", "update secret.realm A --all --set x=1", "delete secret.realm A --all",
    "rm secret.realm --yes", "upgrade secret.realm",
    "downgrade secret.realm --file-format 23",
    "write-copy secret.realm new.realm --decrypt",
    "bundle secret.realm --seed new.realm --decrypt",
    "browse secret.realm",
  ].flatMap { line in
    [
      Row(.interrupted, line + " --key-prompt", .terminal("\u{3}", asks: true)),
      Row(.terminated, line + " --key-prompt", .signal(SIGTERM)),
    ]
  }

  private static let filling = [
    migrate, "schema dump a.realm -o new.txt", "export a.realm -o new.json", "import a.realm Toy.csv",
    "insert person.realm Person age=3", "update person.realm Person --all --set age=3", "delete a.realm Dog --all",
    "schema infer Toy.csv -o new.txt", "compact a.realm", "upgrade old.realm",
    "downgrade person.realm --file-format 23",
    "write-copy a.realm new.realm", "bundle a.realm --seed new.realm",
    "open person.realm --schema more.json --schema-version 9",
  ].map { Row(.failed, $0, .noSpace) }

  private static func files() throws -> [String: [UInt8]] {
    let dogs = try Fixture.bytes("engine/dogs.realm")
    let (old, future) = (try NodeTree(dogs), try NodeTree(dogs))
    (old.format, future.format) = (23, 99)
    func text(_ text: String) -> [UInt8] { Array(text.utf8) }
    return [
      "a.realm": dogs, "a.v23.backup.realm": dogs, "person.realm": try Fixture.bytes("engine/person-v1.realm"),
      "linked.realm": try Fixture.bytes("engine/address-once.realm"),
      "secret.realm": try Fixture.bytes("engine/all-types-copy-encrypted.realm"),
      "old.realm": old.written(.normal), "future.realm": future.written(.normal),
      "damaged.realm": try CheckTests.damaged(),
      "text": text("not a realm, but long enough to be one"), "wrong.json": text(#"{"classes":7}"#),
      "key": Fixture.engineKey, "Toy.csv": text("_id,name\n01234567-89ab-cdef-0123-456789abcd00,Bone\n"),
      "ragged.csv": text("a,b\n1\n2,3\n"),
      "less.json": text(#"[{"name":"Person","properties":{"age":"int"}}]"#),
      "more.json": text(#"[{"name":"New","properties":{"x":"int"}}]"#),
      "rules.yml": text("default: keep\nclasses: {}\n"), "strict.yml": text("classes: {}\n"),
      "plan.yml": text("plan: 1\nsteps:\n- { to: 9, do: [] }\n"),
      "removal.yml": text("plan: 1\nsteps:\n- { to: 9, do: [remove_property: { class: A, name: b }] }\n"),
      "wrong.ndjson": text(#"{"New":[{"x":"text"}]}"#),
    ]
  }

  // MARK: - Tests

  @Test(arguments: rows) func theRunEndsWithTheStatus(_ row: Row) throws {
    let folder = try TemporaryFolder()
    for (name, bytes) in try Self.files() { try folder.write(name, bytes) }
    #expect(try end(of: row, in: folder) == .status(row.status.rawValue))
  }

  private func end(of row: Row, in folder: TemporaryFolder) throws -> Tool.End {
    var tool = Tool()
    tool.folder = folder.path
    switch row.setting {
    case .none: return try tool.run(row.arguments).end
    case .appHolds(let name):
      try folder.write(name + ".lock", LockFileImage.linux)
      let app = open(folder.path(name + ".lock"), O_RDWR)
      defer { close(app) }
      try #require(app >= 0 && flock(app, LOCK_SH | LOCK_NB) == 0)
      return try tool.run(row.arguments).end
    case .otherName(let name):
      try #require(link(folder.path(name), folder.path("other.realm")) == 0)
      return try tool.run(row.arguments).end
    case .growing:
      let path = folder.path("a.realm")
      let calls = FailingCalls(
        .inputOutputError, atCall: 0,
        afterStatus: { _ in
          let file = FileHandle(forWritingAtPath: path)
          _ = try? file?.seekToEnd()
          try? file?.write(contentsOf: Data(count: 4096))
          try? file?.close()
        })
      let command = try scenario(row).command(in: folder)
      return .status(try FileBackend.$calls.withValue(calls) { try FaultScenario.run(command) }.rawValue)
    case .noSpace:
      let scenario = try scenario(row)
      let command = try scenario.command(in: folder)
      for call in 1... {
        try scenario.fill(folder)
        let calls = FailingCalls(.noSpace, atCall: call)
        let status = try FileBackend.$calls.withValue(calls) { try FaultScenario.run(command) }
        // What the run can do without may fail.
        if status != .done { return .status(status.rawValue) }
        try #require(calls.hasFailed, "nothing failed")
      }
      return .status(0)
    case .terminal(let keys, let asks):
      tool.environment = ["TERM": "xterm"]
      let terminal = try Terminal()
      let process = try start(tool, row, terminal)
      if asks { _ = try terminal.waitFor("Encryption key of") }
      try terminal.type(keys)
      return try process.wait()
    case .signal(let signal):
      tool.environment = ["TERM": "xterm"]
      let terminal = try Terminal()
      let process = try start(tool, row, terminal)
      _ = try terminal.waitFor("Encryption key of")
      kill(process.identifier, signal)
      return try process.wait()
    }
  }

  /// The run in this process, where calls for files can be made to fail.
  private func scenario(_ row: Row) throws -> FaultScenario {
    let files = try Self.files()
    let words = row.arguments.map { files[$0] != nil || $0.hasPrefix("new.") ? "%" + $0 : $0 }
    return FaultScenario(words.joined(separator: " ")) { files }
  }

  private func start(_ tool: Tool, _ row: Row, _ terminal: Terminal) throws -> Tool.Running {
    try tool.start(
      row.arguments, input: terminal.program, output: terminal.program, errors: terminal.program, leadsSession: true)
  }

  @Test(arguments: ManualTests.leaves) func everyStatusOfThePageHasARow(_ command: ManualTests.Command) throws {
    let name = command.words.joined(separator: " ")
    let type = try #require(command.type as? any RealmctlCommand.Type)
    #expect(Set(Self.rows.filter { $0.command == name }.map(\.status)) == Set(type.statuses))
    // Help and page say what the definition says.
    let table = type.statusTable
    #expect(type.configuration.discussion.hasSuffix("Exit status:\n\(table)"))
    let page = try String(
      contentsOf: Tool.projectFolder.appendingPathComponent("man/realmctl-\(command.words.joined(separator: "-")).1"),
      encoding: .utf8)
    let section = try #require(page.components(separatedBy: ".SH \"EXIT STATUS\"\n").last)
    let lines = try #require(section.components(separatedBy: "\n.SH").first).split(separator: "\n")
    let numbers = lines.compactMap { $0.hasPrefix("\\fB") ? $0.dropFirst(3).prefix { $0.isNumber } : nil }
    #expect(numbers == type.statuses.map { Substring(String($0.rawValue)) })
  }

  @Test func theOverviewHasEveryStatus() throws {
    let page = try String(contentsOf: Tool.projectFolder.appendingPathComponent("man/realmctl.1"), encoding: .utf8)
    for status in RunStatus.allCases {
      let meaning = status.meaning.replacing("-", with: "\\-")
      #expect(page.contains("\n\\fB\(status.rawValue)\\fR\n\(meaning)\n"), "\(status)")
    }
  }
}
