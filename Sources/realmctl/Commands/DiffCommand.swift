import ArgumentParser
import RealmExchange
import RealmOpening
import RealmStorage
import RealmTools

/// `realmctl diff A B`: compare the contents of two realms.
struct DiffCommand: RealmctlCommand {
  static let statuses = RunStatus.opening(and: .findings, .inUse)
  static let meanings: [RunStatus: String] = [
    .notFound: RunStatus.noFileClassOrSnapshot,
    .done: "the realms have the same contents",
    .findings: "they differ; with --strict: a warning",
    .format: RunStatus.unknownFormat,
    .inUse: RunStatus.changedWhileRead,
  ]

  static let configuration = CommandConfiguration(
    commandName: "diff", _superCommandName: "realmctl",
    abstract: "Compare the contents of two realms, or of two snapshots of one.",
    usage: """
      realmctl diff [<options>] <a> <b>
      realmctl diff [<options>] <a> --against <snapshot>
      """,
    discussion: .flowing(
      """
      Compares the contents of two realms, which may differ in file format, layout and
      key, or of two snapshots of one realm. Either side may be a SQLite database
      written by 'export', except with --for room.

      Changes of the schema and its version come first, as 'schema diff' shows them;
      then, class by class, the objects that were removed (-), added (+) or changed,
      with the values before and after. Objects are matched by primary key if both
      realms have the same one, otherwise by object key. Embedded objects are part of
      the object they belong to. The values of properties that only one realm has are
      not compared. Long values are shown around the first difference; --verbose shows
      them in full.

      With --against, one realm is compared with an older snapshot of itself:
      previous, to see what its last commit changed, or one of the byte offsets that
      'history' shows. With two realms, --snapshot reads an older snapshot of the
      first.

      Examples:
        realmctl diff old.realm new.realm
        realmctl diff old.realm new.realm --stat
        realmctl diff app.realm app.sqlite
        realmctl diff old.realm new.realm --only Person
        realmctl diff app.realm --against previous
        realmctl diff a.realm b.realm --json | jq -c 'select(.record == "added")'
        realmctl diff a.realm b.realm --key-file old.key --new-key-file new.key

      Exit status:
      \(statusTable)
      """))

  @Argument(
    help: ArgumentHelp("Older realm; - is standard input.", valueName: "a"),
    completion: .realm)
  var first: String

  @Argument(
    help: ArgumentHelp("Newer realm; - is standard input; omit with --against.", valueName: "b"),
    completion: .realm)
  var second: String?

  @Option(help: ArgumentHelp("Older snapshot to compare with: previous, or a byte offset.", valueName: "snapshot"))
  var against: SnapshotArgument?

  @Flag(help: "Show only object counts.")
  var stat = false

  @OptionGroup var classes: ClassOptions
  @OptionGroup(title: "Encryption key") var key: KeyOptions
  @OptionGroup(title: "Encryption key of the newer realm, if different") var newKey: NewKeyOptions
  @OptionGroup var snapshot: SnapshotOptions
  @OptionGroup(title: "Common options") var messages: MessageOptions

  struct Request: Equatable {
    /// One path for two snapshots of it, or two.
    var paths: [String]
    var against: SnapshotChoice?
    /// Key of the older realm, if there are two.
    var snapshot = SnapshotChoice.live
    var key: KeySource?
    /// Key of the newer realm, if it has another.
    var newKey: KeySource?
    var classes: ClassSelection
    var showsObjects: Bool
  }

  func request() throws -> Request {
    let paths = try [first, second].compactMap { try $0.map(RealmInput.path(typed:)) }
    if against != nil, let second { throw UsageError("--against takes one realm", advice: "omit '\(second)'") }
    guard second != nil || against != nil else {
      throw UsageError("missing second realm", advice: "name one, or use --against")
    }
    guard against == nil || snapshot.snapshot == nil else {
      throw UsageError("--against and --snapshot cannot be used together")
    }
    let key = try key.source()
    let newKey = try newKey.source(comparedTo: key, inputCount: paths.count)
    return Request(
      paths: paths, against: against?.choice, snapshot: snapshot.choice, key: key, newKey: newKey,
      classes: try classes.selection(),
      showsObjects: !stat)
  }

  func perform(_ request: Request, on console: Console) throws -> RunStatus {
    try DiffRun(request: request, console: console).run()
  }
}
