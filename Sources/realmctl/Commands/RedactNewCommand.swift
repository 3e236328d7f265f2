import ArgumentParser
import RealmExchange
import RealmMigration
import RealmStorage

/// `realmctl redact new FILE`: draft redaction rules.
struct RedactNewCommand: RealmctlCommand {
  static let statuses = RunStatus.opening(and: .findings, .inUse)
  static let meanings: [RunStatus: String] = [
    .findings: RunStatus.onlyIfStrict,
    .notFound: RunStatus.noFileOrSnapshot,
    .format: RunStatus.unknownFormat, .inUse: RunStatus.changedWhileRead,
  ]

  static let configuration = CommandConfiguration(
    commandName: "new", _superCommandName: "realmctl redact",
    abstract: "Draft redaction rules for a realm.",
    usage: "realmctl redact new [<options>] <file>",
    discussion: .flowing(
      """
      Prints redaction rules, in YAML, for 'write-copy --redact': one for every
      property, guessed from its name, its type and its values in all objects. Where a
      value is kept, a comment says why. Read every line and change it as needed: only
      you know what is personal.

      realmctl-redaction(5) describes rules. With --json, they are a string in an
      object.

      Examples:
        realmctl redact new app.realm -o rules.yml
        realmctl redact check rules.yml app.realm
        realmctl write-copy app.realm public.realm --redact rules.yml

      Exit status:
      \(statusTable)
      """))

  @Argument(help: .realm, completion: .realm) var file: String
  @OptionGroup(title: "Encryption key") var key: KeyOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup var snapshot: SnapshotOptions
  @OptionGroup(title: "Common options") var messages: MessageOptions

  struct Request: Equatable {
    var input: RealmInput
    var destination: OutputDestination
  }

  func request() throws -> Request {
    Request(input: try RealmInput(file, key, snapshot.choice), destination: try output.destination(ofYAML: "rules"))
  }

  func perform(_ request: Request, on console: Console) throws -> RunStatus {
    let text = try request.input.read(console) { realm in
      try realm.requireReadable(.all)
      realm.warnIfHeld(on: console)
      return try RedactionDraft(realm.snapshot).yaml()
    }
    try OutputSink.write(
      text.utf8, json: Self.json(text, request.input).utf8, to: request.destination, of: [request.input], on: console)
    return .done
  }

  /// `Docs/JSONOutput.md` describes the keys.
  private static func json(_ text: String, _ input: RealmInput) -> String {
    JSONText.document { json in
      json.path("input", input.path)
      json.member("rulesText", text)
    }
  }
}
