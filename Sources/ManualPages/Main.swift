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
/// manual-pages help.json "realmctl 0.1.0" Docs man
/// ```
@main
enum Main {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 5 else { throw WrongUsage(message: "usage: manual-pages HELP.JSON VERSION DOCS FOLDER") }
    let root = try CommandDescription(help: String(contentsOf: URL(filePath: arguments[1]), encoding: .utf8))
    let version = arguments[2]
    let documents = URL(filePath: arguments[3], directoryHint: .isDirectory)
    let schemas = documents.appending(path: "JSONSchema", directoryHint: .isDirectory)
    let pages =
      [ManualPage.overview(of: root, version: version, messages: try JSONMembers("diagnostic", in: schemas))]
      + (try root.leaves.map { command in
        let name = command.fullName.split(separator: " ").dropFirst().joined(separator: "-")
        let answer = try JSONMembers(name == "export" ? "output" : name, in: schemas)
        return ManualPage.page(of: command, root: root, version: version, answer: answer)
      })
    let folder = URL(filePath: arguments[4], directoryHint: .isDirectory)
    for page in pages {
      try Data(page.text.utf8).write(to: folder.appending(path: page.name + ".1"))
    }
    for (name, section, document, summary) in documentPages {
      let page = try DocumentPage(
        name: name, section: section, summary: summary, version: version,
        source: String(contentsOf: documents.appending(path: document), encoding: .utf8))
      try Data(page.text.utf8).write(to: folder.appending(path: "\(name).\(section)"))
    }
  }

  /// Pages that are documents of the project.
  private static let documentPages = [
    ("realmctl-schema", 5, "SchemaFile.md", "schema files, which describe the classes of a realm"),
    ("realmctl-plan", 5, "Plan.md", "migration plans, which convert a realm to a higher schema version"),
    ("realmctl-redaction", 5, "Redaction.md", "rules of redacted copies, which can be given away"),
    ("realmctl-rql", 7, "RQL.md", "RQL, the Realm Query Language"),
  ]

  struct WrongUsage: Error {
    var message: String
  }
}
