import ArgumentParser
import RealmMigration
import RealmOpening
import RealmQuery
import RealmStorage
import RealmTools

/// Whether a command that changes or deletes objects asks first.
struct ConfirmationOption: ParsableArguments {
  @Flag(help: "Do not ask for confirmation (asked only on a terminal).")
  var yes = false
}

/// What the commands that change objects by hand have in common.
struct EditOptions: ParsableArguments {
  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("More realms to change in the same way; repeatable.", valueName: "file"),
    completion: .realm)
  var also: [String] = []

  @Option(help: ArgumentHelp("Required number of objects; otherwise nothing is changed.", valueName: "number"))
  var expect: Int?

  @Option(help: ArgumentHelp("Objects for --dry-run to show.", valueName: "number"))
  var show = 20

  @Flag(help: "Also compact, so that no removed values stay in the file.")
  var compact = false

  /// - Throws: `UsageError`.
  func request(
    _ file: String, _ keys: KeyOptions, _ edit: ObjectEdit, inPlace: InPlaceOptions, target: ChangeTargetOptions,
    key: OutputKeyOptions, isConfirmed: Bool = false
  ) throws -> EditRun.Request {
    let inputs = try RealmInput.all([file] + also, keys, changing: "changed")
    try inPlace.backup.requireSeveral(inputs, output: target.output)
    try NumberRange.require(expect, "--expect")
    try NumberRange.require(show, "--show")
    var launch = LaunchRequest(input: inputs[0])
    launch.access = try inPlace.access()
    launch.allowsUpgrade = launch.access.allowsUpgrade
    try target.apply(to: &launch, key: key)
    launch.compacts = compact
    launch.isConfirmed = isConfirmed
    launch.verifiesChangesOnly = target.writing.verify == nil && launch.access.backup == .none
    // An edit must select its objects.
    launch.policy.allowsDataLoss = true
    if compact, target.output != nil {
      throw UsageError("--compact cannot be used with -o, which always compacts")
    }
    return EditRun.Request(launch: launch, inputs: inputs, edit: edit, expected: expect, sampleCount: show)
  }

  /// Nil for all objects.
  ///
  /// - Throws: `UsageError` if nothing says which objects are meant.
  static func filter(_ query: String?, all: Bool) throws -> String? {
    if query != nil, all { throw UsageError("a query and --all cannot be used together") }
    guard query != nil || all else {
      throw UsageError("missing query", advice: "use --all for all objects of the class", .missingQuery)
    }
    return query
  }

  /// `property=VALUE`, `property:=FORMULA` or `dictionary["key"]=VALUE`.
  ///
  /// - Throws: `UsageError`.
  static func value(_ text: String, _ option: String) throws -> ObjectEdit.Value {
    let isObject = option == "insert" && text.first == "{"
    // The values of 'insert' are arguments without an option.
    let taker = option.hasPrefix("-") ? option : "'\(option)'"
    let malformed = UsageError(
      "\(taker) takes property=VALUE, such as age=3, not '\(text)'", advice: isObject ? "give JSON with --object" : nil)
    // The key of an entry may contain an equals sign.
    guard let equals = endOfKey(in: text) ?? text.firstIndex(of: "=") else { throw malformed }
    let (left, right) = (text[..<equals], String(text[text.index(after: equals)...]))
    let isFormula = left.hasSuffix(":")
    let name = String(isFormula ? left.dropLast() : left)
    guard !name.isEmpty else { throw malformed }
    guard !name.hasPrefix(" "), !name.hasSuffix(" ") else {
      throw UsageError("\(option): write property=VALUE, without spaces around =")
    }
    if right.hasPrefix("=") {
      throw UsageError(
        "\(taker) takes property=VALUE, not '\(text)'",
        advice: "write \(name)\(right), or '\(name):=\"\(right)\"' for text that "
          + "begins with =")
    }
    let (property, entry) = try path(name)
    if entry != nil, isFormula { throw UsageError("\(option): an entry of a dictionary cannot be a formula") }
    return ObjectEdit.Value(property: property, text: right, isFormula: isFormula, entry: entry)
  }

  /// - Throws: `UsageError` for a property, or an entry of a dictionary, with two values.
  static func requireOneEach(_ values: [ObjectEdit.Value]) throws {
    var seen: Set<[String]> = []
    for value in values where !seen.insert([value.property] + (value.entry.map { [$0] } ?? [])).inserted {
      let name = value.entry.map { "entry '\(value.property)[\"\($0)\"]'" } ?? "property '\(value.property)'"
      throw UsageError("\(name) is given twice", advice: "give it one value")
    }
  }

  /// The equals sign after the key of an entry; nil if the text does not begin with one.
  private static func endOfKey(in text: String) -> String.Index? {
    guard let open = text.firstIndex(where: { $0 == "[" || $0 == "=" }), text[open] == "[" else { return nil }
    guard let rest = TextEscape.quoted(in: text[text.index(after: open)...])?.rest else { return nil }
    return rest.hasPrefix("]=") || rest.hasPrefix("]:=") ? rest.firstIndex(of: "=") : nil
  }

  /// A property, and the key in brackets after it.
  static func path(_ text: String) throws -> (property: String, key: String?) {
    guard let open = text.firstIndex(of: "["), text.hasSuffix("]") else { return (text, nil) }
    guard let (key, rest) = TextEscape.quoted(in: text[text.index(after: open)...]) else {
      if text[text.index(after: open)...].dropLast().allSatisfy(\.isNumber) {
        throw UsageError(
          "'\(text)': an element of a list cannot be changed alone",
          advice: "set the whole list, as in \(text[..<open])=[…], or use "
            + "--add and --remove")
      }
      throw UsageError(
        "'\(text)': only an entry of a dictionary can be changed alone",
        advice: "put its key in quotes, as in map[\"key\"]")
    }
    let name = String(text[..<open])
    guard rest == "]" else {
      throw UsageError(
        rest.hasPrefix("][")
          ? "'\(text)': give the whole value of \(name)[\"\(key)\"] as JSON"
          : "'\(text)': write a quote inside the key as \\\"",
        advice: rest.hasPrefix("][") ? "entries inside it cannot be changed one by one" : nil)
    }
    return (name, key)
  }
}
