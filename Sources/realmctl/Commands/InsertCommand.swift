import ArgumentParser
import RealmMigration
import RealmStorage

/// `realmctl insert FILE CLASS prop=VALUE…`: insert objects.
struct InsertCommand: RealmctlCommand {
  static let statuses = RunStatus.opening(and: .findings, .inUse, .schema)
  static let meanings: [RunStatus: String] = [
    .notFound: RunStatus.noFileOrClass,
    .findings: "--expect is not met; with --strict: a warning",
    .schema: "a value does not fit, or the object exists; nothing was changed",
    .format: "file format not supported, or --upgrade is needed",
    .inUse: RunStatus.heldByApp,
  ]

  static let configuration = CommandConfiguration(
    commandName: "insert", _superCommandName: "realmctl",
    abstract: "Insert objects.",
    usage: """
      realmctl insert [<options>] <file> <class> <value> ...
      realmctl insert [<options>] <file> <class> --object <json>
      """,
    discussion: .flowing(
      """
      Inserts one object into a class, or several with --object. Each argument is
      property=VALUE; properties that are not given get the default of their type. If
      an object with the same primary key exists, nothing is changed; use 'update'
      instead.

      A value is text, a number, true or false, a date in ISO 8601, data in Base64, or
      null. A link is the primary key of its target, or the object key if its class has
      none. Lists, sets, dictionaries and embedded objects are JSON. property:=FORMULA
      computes the value as in migration plans. --object takes whole objects; an argument
      for a property overrides the value in the object.

      The realm is changed in one transaction, with a backup next to the file. Schema
      and schema version stay as they are, so the app still opens it.
      With --no-backup, a damaged file is not changed unless --allow-damage is given. A
      change of up to 1,000 objects looks for damage only in files of up to 16 MiB, and
      verifies only what it writes, unless --verify is given.

      Examples:
        realmctl insert app.realm Dog _id=9 name=Rex owner=ann@example.com
        realmctl insert app.realm Dog --object '{"_id":9,"tags":["a","b"]}'
        realmctl insert app.realm Dog _id=9 name=Rex --dry-run

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

  @Argument(help: ArgumentHelp("Values: property=VALUE or property:=FORMULA.", valueName: "value"))
  var values: [String] = []

  @Option(help: ArgumentHelp("Object as JSON, or an array of objects.", valueName: "json"))
  var object: String?

  @OptionGroup(title: "The change") var edit: EditOptions
  @OptionGroup(title: "Encryption key") var key: KeyOptions
  @OptionGroup(title: "Encryption key of the output") var outputKey: OutputKeyOptions
  @OptionGroup(title: "Changing the file in place") var inPlace: InPlaceOptions
  @OptionGroup(title: "Writing") var target: ChangeTargetOptions
  @OptionGroup(title: "Common options") var messages: MessageOptions

  func request() throws -> EditRun.Request {
    let values = try values.map { text in
      let value = try EditOptions.value(text, "insert")
      guard value.entry == nil else { throw UsageError("a dictionary must be JSON: \(value.property)={…}") }
      return value
    }
    try EditOptions.requireOneEach(values)
    guard !values.isEmpty || object != nil else {
      if className.contains("=") {
        throw UsageError("no class '\(className)'", advice: "the class comes before the values")
      }
      throw UsageError("missing values", advice: "use property=VALUE, or --object", .missingValues)
    }
    return try edit.request(
      file, key, ObjectEdit(className: className, filter: nil, change: .insert(values, json: object)), inPlace: inPlace,
      target: target, key: outputKey)
  }

  func perform(_ request: EditRun.Request, on console: Console) throws -> RunStatus {
    try EditRun(request: request, console: console).run()
  }
}
