import ArgumentParser
import RealmMigration
import RealmStorage

/// `realmctl update FILE CLASS RQL --set prop=VALUE…`: change values of objects.
struct UpdateCommand: RealmctlCommand {
  static let statuses = RunStatus.opening(and: .findings, .inUse, .schema, .query)
  static let meanings: [RunStatus: String] = [
    .notFound: RunStatus.noFileOrClass,
    .findings: "not confirmed, or --expect is not met; with --strict: a warning",
    .schema: "a value does not fit the schema; nothing was changed",
    .format: "file format not supported, or --upgrade is needed",
    .inUse: RunStatus.heldByApp,
  ]

  static let configuration = CommandConfiguration(
    commandName: "update", _superCommandName: "realmctl",
    abstract: "Change values of objects.",
    usage: """
      realmctl update [<options>] <file> <class> <rql>
      realmctl update [<options>] <file> <class> --all
      """,
    discussion: .flowing(
      """
      Changes values of the objects that a query finds, or of all objects of a class
      with --all. The number of objects is shown, and on a terminal the command asks
      first; a script is not asked, and the backup can undo the change. --dry-run does
      everything in memory, and shows objects before and after.

      --set property=VALUE sets a property; except in links and collections, {name} in
      VALUE is replaced by the value of the property 'name'. null means null; a
      string that cannot be null gets the text 'null', with a warning.
      --set property:=FORMULA computes the value as in migration plans. A link is the
      primary key of its target, or the object key if its class has none; lists, sets,
      dictionaries and embedded objects are JSON.

      --add and --remove add and remove elements of a collection. For a dictionary,
      --set 'map["key"]=VALUE' sets one entry, and --unset 'map["key"]' removes it.

      The realm is changed in one transaction, with a backup next to the file. Schema
      and schema version stay as they are, so the app still opens it. Overwritten
      values stay in the file's free space until it is compacted.
      With --no-backup, a damaged file is not changed unless --allow-damage is given. A
      change of up to 1,000 objects looks for damage only in files of up to 16 MiB, and
      verifies only what it writes, unless --verify is given.

      Examples:
        realmctl update app.realm Person 'email == "a@x.ch"' --set name=Ann
        realmctl update app.realm Person 'age == null' --set 'age:=18' --dry-run
        realmctl update app.realm Dog --all --set 'label={name} ({breed|none})'
        realmctl update a.realm Dog '_id == 7' --add tags=new --remove tags=old
        realmctl update app.realm Dog '_id == 7' --unset 'map["a"]'

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

  @Flag(help: "Change all objects of the class.")
  var all = false

  @Option(help: ArgumentHelp("Set property=VALUE or property:=FORMULA; repeatable.", valueName: "value"))
  var set: [String] = []

  @Option(help: ArgumentHelp("Add an element: property=VALUE; repeatable.", valueName: "value"))
  var add: [String] = []

  @Option(help: ArgumentHelp("Remove elements: property=VALUE; repeatable.", valueName: "value"))
  var remove: [String] = []

  @Option(help: ArgumentHelp("Remove a dictionary entry: 'map[\"key\"]'; repeatable.", valueName: "entry"))
  var unset: [String] = []

  @OptionGroup(title: "The change") var edit: EditOptions
  @OptionGroup(title: "The change") var confirmation: ConfirmationOption
  @OptionGroup(title: "Encryption key") var key: KeyOptions
  @OptionGroup(title: "Encryption key of the output") var outputKey: OutputKeyOptions
  @OptionGroup(title: "Changing the file in place") var inPlace: InPlaceOptions
  @OptionGroup(title: "Writing") var target: ChangeTargetOptions
  @OptionGroup(title: "Common options") var messages: MessageOptions

  func request() throws -> EditRun.Request {
    guard !(set + add + remove + unset).isEmpty else {
      throw UsageError("missing change", advice: "use --set, --add, --remove or --unset", .missingChange)
    }
    let filter = try EditOptions.filter(query, all: all)
    let values = try set.map { try EditOptions.value($0, "--set") }
    try EditOptions.requireOneEach(values)
    // An entry of a dictionary is added, so that the others stay.
    let added = try values.filter { $0.entry != nil } + add.map { try EditOptions.value($0, "--add") }
    let removed = try remove.map { try EditOptions.value($0, "--remove") }
    guard removed.allSatisfy({ $0.entry == nil }) else {
      throw UsageError("--unset removes entries of dictionaries")
    }
    let entries = try unset.map { text in
      let (property, key) = try EditOptions.path(text)
      guard let key else {
        guard !text.contains("=") else {
          throw UsageError("--unset takes only the entry: omit the '=' and what follows in '\(text)'")
        }
        throw UsageError(
          "--unset takes an entry of a dictionary, such as 'map[\"key\"]', not '\(text)'",
          advice: text.contains(".")
            ? "write the key in brackets" : "for null, if the property is optional, use --set \(text)=null"
        )
      }
      return PlanOperation.Unset(property: Located(RealmString(property), at: .option), key: RealmString(key))
    }
    return try edit.request(
      file, key,
      ObjectEdit(
        className: className, filter: filter,
        change: .update(set: values.filter { $0.entry == nil }, add: added, remove: removed, unset: entries)),
      inPlace: inPlace, target: target, key: outputKey, isConfirmed: confirmation.yes)
  }

  func perform(_ request: EditRun.Request, on console: Console) throws -> RunStatus {
    try EditRun(request: request, console: console).run()
  }
}
