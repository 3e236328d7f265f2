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
    let help = try Data(contentsOf: URL(filePath: arguments[1]))
    let root = try JSONDecoder().decode(ToolDescription.self, from: help).command
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
    let documentPages = [
      ("realmctl-schema", "schema files, which describe the classes of a realm", "SchemaFile.md"),
      ("realmctl-plan", "migration plans, which bring a realm to a higher schema version", "Plan.md"),
    ]
    for (name, summary, document) in documentPages {
      let page = try DocumentPage(
        name: name, section: 5, summary: summary, version: version,
        source: String(contentsOf: documents.appending(path: document), encoding: .utf8))
      try Data(page.text.utf8).write(to: folder.appending(path: name + ".5"))
    }
  }

  struct WrongUsage: Error {
    var message: String
  }
}
