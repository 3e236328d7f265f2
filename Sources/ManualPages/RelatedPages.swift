import RealmHelp

/// Which pages a reader of a page wants next.
enum RelatedPages {
  /// Pages about files and languages.
  static let documents = [
    "realmctl-plan(5)", "realmctl-schema(5)", "realmctl-redaction(5)", "realmctl-json(5)",
    "realmctl-cookbook(7)", "realmctl-rql(7)",
  ]

  /// The groups of commands, by the command that begins them: the parser's description of the commands lacks them.
  static let groups = [
    "realmctl open": "Inspection", "realmctl diff": "Comparison", "realmctl export": "Data",
    "realmctl compact": "Files", "realmctl check": "Damage",
  ]

  /// Commands of a group of commands that do what those of another section do, by the command they come after.
  private static let places = [
    "realmctl schema diff": "realmctl diff", "realmctl schema infer": "realmctl import",
  ]

  /// The commands in the order of the sections.
  static func inGroups(_ commands: [CommandDescription]) -> [CommandDescription] {
    commands.filter { places[$0.fullName] == nil }.flatMap { command in
      [command] + commands.filter { places[$0.fullName] == command.fullName }
    }
  }

  /// - Parameters:
  ///   - name: of a page, `realmctl-check`.
  ///   - root: of the page about the whole program.
  static func pages(of name: String, _ root: String) -> [String] {
    let words = related[String(name.dropFirst(root.count + 1))] ?? ""
    return ["\(root)(1)"]
      + words.split(separator: " ").map { $0.hasSuffix(")") ? "\(root)-\($0)" : "\(root)-\($0)(1)" }
  }

  private static let related = [
    "open": "browse check stats history schema-dump compact migrate plan(5) schema(5)",
    "schema-dump": "schema-diff schema-infer schema(5)",
    "schema-diff": "schema-dump diff migrate schema(5)",
    "schema-infer": "import bundle schema-dump schema(5)",
    "browse": "query sql open rql(7)",
    "query": "export sql browse update rql(7)",
    "sql": "query export",
    "summarize": "query stats schema-dump rql(7)",
    "export": "import query sql schema(5) rql(7)",
    "import": "export insert schema-infer bundle schema(5)",
    "insert": "update delete import plan(5) schema(5)",
    "update": "insert delete query migrate plan(5) rql(7)",
    "delete": "update insert query rql(7)",
    "check": "recover stats compact",
    "stats": "compact check history",
    "diff": "hash history schema-diff export",
    "hash": "diff export",
    "history": "diff recover open",
    "compact": "stats write-copy check recover",
    "migrate": "plan-new plan-check schema-diff open plan(5) schema(5) cookbook(7) rql(7)",
    "plan-new": "plan-check migrate plan(5) schema(5) cookbook(7)",
    "plan-check": "plan-new migrate plan(5) cookbook(7)",
    "upgrade": "downgrade write-copy open migrate",
    "downgrade": "upgrade write-copy",
    "write-copy": "compact redact-new bundle downgrade recover redaction(5) rql(7)",
    "redact-new": "redact-check write-copy redaction(5)",
    "redact-check": "redact-new write-copy redaction(5)",
    "bundle": "import write-copy downgrade schema(5) rql(7)",
    "recover": "check history export",
    "rm": "open write-copy",
  ]

  /// Of `realmctl-plan` and the like.
  static let ofDocuments = [
    "realmctl-schema": [
      "realmctl-schema-dump(1)", "realmctl-schema-diff(1)", "realmctl-schema-infer(1)", "realmctl-bundle(1)",
      "realmctl-import(1)", "realmctl-migrate(1)", "realmctl-plan-new(1)",
    ],
    "realmctl-plan": [
      "realmctl-cookbook(7)", "realmctl-migrate(1)", "realmctl-plan-new(1)", "realmctl-plan-check(1)",
      "realmctl-schema(5)", "realmctl-rql(7)",
    ],
    "realmctl-cookbook": ["realmctl-plan(5)", "realmctl-migrate(1)", "realmctl-plan-new(1)", "realmctl-plan-check(1)"],
    "realmctl-redaction": [
      "realmctl-redact-new(1)", "realmctl-redact-check(1)", "realmctl-write-copy(1)", "realmctl-rql(7)",
    ],
    "realmctl-json": ["realmctl(1)", "realmctl-schema(5)"],
    "realmctl-rql": [
      "realmctl-query(1)", "realmctl-summarize(1)", "realmctl-update(1)", "realmctl-delete(1)", "realmctl-export(1)",
      "realmctl-write-copy(1)", "realmctl-browse(1)", "realmctl-plan(5)", "realmctl-redaction(5)",
    ],
  ]
}

/// What the heads of pages say.
struct Release {
  /// `realmctl 0.9.0`
  let version: String
  /// Of the version in the list of changes, `2026-01-31`; empty while it has none.
  let date: String

  /// - Parameter changes: the list of changes, with a heading `## [0.9.0] - 2026-01-31` for the version.
  init(version: String, changes: String) {
    self.version = version
    let number = version.split(separator: " ").last.map(String.init) ?? version
    let heading = changes.split(separator: "\n").first { $0.hasPrefix("## ") && $0.contains(number) }
    date = heading?.firstMatch(of: /\d{4}-\d{2}-\d{2}/).map { String($0.output) } ?? ""
  }
}
