import ArgumentParser
import RealmStorage

/// `realmctl open FILE`: tells what a file is and what is in it.
struct OpenCommand: RealmctlCommand {
  static let configuration = CommandConfiguration(
    commandName: "open",
    abstract: "Tell what a realm is and what is in it.",
    discussion: """
      Prints path, size, file format, form, encryption, history, versions, used and
      free space, the processes that have it open, and the classes with the number
      of their objects. Only a few pages of the file are read, however large it is.

      Examples:
        realmctl open app.realm
        realmctl open secret.realm --key-file app.key
        realmctl open app.realm --json | jq '.classes[].name'
      """)

  @OptionGroup var realm: RealmArgument
  @OptionGroup(title: "Encryption key") var key: KeyOptions
  @OptionGroup var internalTables: InternalTableOptions
  @OptionGroup var messages: MessageOptions

  struct Request: Equatable {
    var input: RealmInput
    var includesInternalTables: Bool
  }

  func request() throws -> Request {
    Request(input: try realm.input(key: key), includesInternalTables: internalTables.includesInternalTables)
  }

  func perform(_ request: Request, on console: Console) throws -> RunStatus {
    let report = try request.input.read(console) { realm in
      OpenReport(realm, includesInternalTables: request.includesInternalTables)
    }
    let isColored = StandardOutput.isColored(console.style.color)
    try StandardOutput.write(console.style.isJSON ? report.json() : report.text(Pen(isColored: isColored)))
    for diagnostic in report.damage { console.report(diagnostic) }
    return report.damage.isEmpty ? .done : .failed
  }
}
