import ArgumentParser
import RealmMigration
import RealmStorage

/// `realmctl delete FILE CLASS RQL`: delete objects.
struct DeleteCommand: RealmctlCommand {
  static let statuses = RunStatus.opening(and: .findings, .inUse, .schema, .query)
  static let meanings: [RunStatus: String] = [
    .notFound: "no such file or class",
    .findings: "not confirmed, or --expect is not met; with --strict: a warning",
    .schema: "the class is embedded, so nothing was changed",
    .format: "file format not supported, or --upgrade is needed",
    .inUse: RunStatus.heldByApp,
  ]

  static let configuration = CommandConfiguration(
    commandName: "delete", _superCommandName: "realmctl",
    abstract: "Delete objects.",
    usage: """
      realmctl delete [<options>] <file> <class> <rql>
      realmctl delete [<options>] <file> <class> --all
      """,
    discussion: .flowing(
      """
      Deletes the objects that a query finds, or all objects of a class with --all.
      The number of objects is shown, and on a terminal the command asks first; a script
      is not asked, and the backup can undo the deletion. --dry-run does everything in
      memory, and shows the objects.

      Embedded objects are deleted with their parents. Links to deleted objects become
      null, and disappear from lists and sets. The report has the numbers of both.

      The realm is changed in one transaction, with a backup next to the file. Schema
      and schema version stay as they are. Deleted objects stay in the file's free
      space until it is compacted.
      With --no-backup, a damaged file is not changed unless --allow-damage is given. A
      change of up to 1,000 objects looks for damage only in files of up to 16 MiB, and
      verifies only what it writes, unless --verify is given.

      Examples:
        realmctl delete app.realm Session 'expires < 2024-01-01@00:00:00' --yes
        realmctl delete app.realm Person 'email == "a@x.ch"' --expect 1 --compact
        realmctl delete app.realm Log --all --dry-run

      Files:
        app.realm.lock                          lock file, shared with apps
        app.pre-edit-TIME.realm                 backup, unless --no-backup is given

      Exit status:
      \(statusTable)
      """))

  @Argument(help: ArgumentHelp("Realm to change.", valueName: "file"), completion: .realm)
  var file: String

  @Argument(help: ArgumentHelp("Class of the objects.", valueName: "class"), completion: ClassNameCompletion.one)
  var className: String

  @Argument(help: ArgumentHelp("Query that finds the objects.", valueName: "rql"))
  var query: String?

  @Flag(help: "Delete all objects of the class.")
  var all = false

  @OptionGroup(title: "The change") var edit: EditOptions
  @OptionGroup(title: "The change") var confirmation: ConfirmationOption
  @OptionGroup(title: "Encryption key") var key: KeyOptions
  @OptionGroup(title: "Encryption key of the output") var outputKey: OutputKeyOptions
  @OptionGroup(title: "Changing the file in place") var inPlace: InPlaceOptions
  @OptionGroup(title: "Writing") var target: ChangeTargetOptions
  @OptionGroup(title: "Common options") var messages: MessageOptions

  func request() throws -> EditRun.Request {
    let filter = try EditOptions.filter(query, all: all)
    return try edit.request(
      file, key, ObjectEdit(className: className, filter: filter, change: .delete), inPlace: inPlace, target: target,
      key: outputKey, isConfirmed: confirmation.yes)
  }

  func perform(_ request: EditRun.Request, on console: Console) throws -> RunStatus {
    try EditRun(request: request, console: console).run()
  }
}
