import RealmHelp

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Writes the manual pages from the commands' own definitions.
///
/// ```sh
/// realmctl --experimental-dump-help > help.json
/// manual-pages help.json "realmctl 0.9.0" Docs man
/// manual-pages --topics Docs topics
/// ```
@main
enum Main {
  static func main() throws {
    let arguments = CommandLine.arguments
    if arguments.count == 4, arguments[1] == "--topics" {
      let documents = URL(filePath: arguments[2], directoryHint: .isDirectory)
      let pages = try FileManager.default.contentsOfDirectory(atPath: documents.appending(path: "Commands").path)
      let commands = Set(pages.map { String($0.prefix { $0 != "." }) }).subtracting(["redact", "schema", "README"])
      // Plans and rules have words such as `delete` and `hash` of their own.
      let folder = URL(filePath: arguments[3], directoryHint: .isDirectory)
      for (name, documentNames) in chapters {
        let chapter = Chapter(
          source: try text(documentNames, in: documents),
          commands: ["plan", "cookbook", "redaction"].contains(name) ? [] : commands,
          quotesNames: ["plan", "schema", "redaction", "json", "sqlite", "cookbook"].contains(name))
        try Data(chapter.text.utf8).write(to: folder.appending(path: name + ".txt"))
      }
      return
    }
    guard arguments.count == 5 else { throw WrongUsage(message: "usage: manual-pages HELP.JSON VERSION DOCS FOLDER") }
    let root = try CommandDescription(help: String(contentsOf: URL(filePath: arguments[1]), encoding: .utf8))
    let documents = URL(filePath: arguments[3], directoryHint: .isDirectory)
    let release = Release(version: arguments[2], changes: try text(["../CHANGELOG.md"], in: documents))
    let schemas = documents.appending(path: "JSONSchema", directoryHint: .isDirectory)
    let pages =
      [ManualPage.overview(of: root, release: release, messages: try JSONMembers("diagnostic", in: schemas))]
      + (try root.leaves.map { command in
        let name = command.fullName.split(separator: " ").dropFirst().joined(separator: "-")
        let answer = try JSONMembers(schemaNames[name] ?? name, in: schemas)
        return ManualPage.page(of: command, root: root, release: release, answer: answer)
      })
    let folder = URL(filePath: arguments[4], directoryHint: .isDirectory)
    for page in pages {
      try Data(page.text.utf8).write(to: folder.appending(path: page.name + ".1"))
    }
    for (name, section, names, summary) in documentPages {
      let page = DocumentPage(
        name: name, section: section, summary: summary, version: release.version, date: release.date,
        source: try text(names, in: documents), related: RelatedPages.ofDocuments[name] ?? [])
      try Data(page.text.utf8).write(to: folder.appending(path: "\(name).\(section)"))
    }
  }

  /// The schemas that do not have the name of the command.
  private static let schemaNames = ["export": "output", "schema-infer": "schema-dump"]

  /// Pages that are documents of the project.
  private static let documentPages = [
    ("realmctl-schema", 5, ["SchemaFile.md"], "schema files, which describe the classes of a realm"),
    ("realmctl-plan", 5, ["Plan.md"], "migration plans, which migrate a realm to a higher schema version"),
    ("realmctl-cookbook", 7, ["Cookbook.md"], "recipes for migration plans"),
    ("realmctl-redaction", 5, ["Redaction.md"], "rules for redacted copies, which can be given away"),
    ("realmctl-json", 5, ["JSONOutput.md"], "what commands print with --json"),
    ("realmctl-rql", 7, ["RQL.md"], "RQL, the Realm Query Language"),
  ]

  /// What `realmctl help` prints of topics that are not commands.
  private static let chapters = [
    ("rql", ["RQL.md"]), ("plan", ["Plan.md"]), ("cookbook", ["Cookbook.md"]), ("schema", ["SchemaFile.md"]),
    ("redaction", ["Redaction.md"]), ("json", ["JSONOutput.md"]), ("sqlite", ["SQLite.md"]),
    ("formats", ["Compatibility.md"]), ("keys", ["Guides/Keys.md"]),
    ("damage", ["Guides/Damage.md"]), ("problems", ["Guides/Troubleshooting.md"]),
  ]

  /// Documents, one after the other.
  private static func text(_ names: [String], in folder: URL) throws -> String {
    try names.map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }.joined(separator: "\n")
  }

  struct WrongUsage: Error {
    var message: String
  }
}
