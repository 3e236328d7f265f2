import ArgumentParser
import RealmMigration
import RealmStorage
import RealmTools

/// The changes that a migration makes before schemas are compared: a plan, or single operations as options.
struct PlanOptionGroup: ParsableArguments {
  @Option(
    help: ArgumentHelp("Migration plan in YAML or JSON; see realmctl-plan(5).", valueName: "path"),
    completion: .file(extensions: ["yml", "yaml", "json"]))
  var plan: String?

  @Option(
    name: .customLong("rename"),
    help: ArgumentHelp("Rename a property, or a class (Dog=Pet); repeatable.", valueName: "Class.old=new"))
  var renames: [String] = []

  @Option(
    name: .customLong("convert"),
    help: ArgumentHelp("Convert a property to another type; repeatable.", valueName: "Class.property=TYPE"))
  var conversions: [String] = []

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp("Set a property by a template: '{a} {b}'; repeatable.", valueName: "Class.property=TEMPLATE"))
  var assignments: [String] = []

  @Option(
    name: .customLong("where"),
    help: ArgumentHelp("Objects that --set changes: 'Person:age > 9'; repeatable.", valueName: "query"),
    completion: ClassNameCompletion.one)
  var conditions: [String] = []

  @Option(
    name: .customLong("delete-class"),
    help: ArgumentHelp("Delete a class and its objects; repeatable.", valueName: "class"))
  var deletedClasses: [String] = []

  @Flag(help: "Let the plan run external commands (transform).")
  var allowExec = false

  @Flag(name: .customLong("init"), help: "If the realm has no schema version, run every step.")
  var initializes = false

  var hasOperations: Bool { !operationOptions.isEmpty }

  /// The options that were given, of those that stand for an operation.
  private var operationOptions: [String] {
    [
      ("--rename", renames), ("--convert", conversions), ("--set", assignments), ("--delete-class", deletedClasses),
    ].filter { !$0.1.isEmpty }.map { $0.0 }
  }

  var isGiven: Bool { plan != nil || hasOperations }

  /// - Parameter version: the target version.
  /// - Throws: `UsageError`.
  func request(version: UInt64?) throws -> PlanRequest? {
    guard conditions.isEmpty || !assignments.isEmpty else { throw UsageError("--where needs --set") }
    if let name = deletedClasses.first(where: { name in deletedClasses.count { $0 == name } > 1 }) {
      throw UsageError("--delete-class: '\(name)' is given twice")
    }
    guard isGiven else {
      let options: KeyValuePairs = ["--allow-exec": allowExec, "--init": initializes]
      if let option = options.given { throw UsageError("\(option) needs --plan") }
      return nil
    }
    guard !hasOperations else {
      let given = operationOptions.joined(separator: " and ")
      guard plan == nil else {
        throw UsageError("\((["--plan"] + operationOptions).listed) cannot be used together")
      }
      guard let version else {
        throw UsageError("\(given) \(operationOptions.count == 1 ? "needs" : "need") --to-version")
      }
      let operations = try drafts().map { draft in
        do { return try draft.make() } catch let error as PlanError {
          let mistake = error.mistakes[0]
          throw UsageError("\(draft.option): \(mistake.problem)", advice: mistake.advice)
        }
      }
      return PlanRequest(source: .operations(operations), version: version, initializes: initializes)
    }
    guard let plan else { return nil }
    guard plan != "-" || version != nil else { throw UsageError("a plan from standard input needs --to-version") }
    return PlanRequest(source: .file(plan), version: version, allowsCommands: allowExec, initializes: initializes)
  }

  /// An operation that is read when all options have their forms.
  private struct Draft {
    let option: String
    let make: () throws -> PlanOperation
  }

  /// Renaming comes first, so that the others see the new names.
  private func drafts() throws -> [Draft] {
    try renames.map(rename) + conversions.map(conversion) + settings()
      + deletedClasses.map { name in Draft(option: "--delete-class") { .removeClass(name) } }
  }

  private func conversion(_ text: String) throws -> Draft {
    let (owner, name, type) = try Self.parts(of: text, "--convert")
    return Draft(option: "--convert") { try .convert(name, of: owner, to: type) }
  }

  /// The objects of a condition are found once, before anything is set.
  private func settings() throws -> [Draft] {
    let filters = try filters()
    var changes: [(owner: String, values: [(property: String, template: String)])] = []
    for assignment in assignments {
      let (owner, name, template) = try Self.parts(of: assignment, "--set")
      guard filters[owner] != nil, let index = changes.firstIndex(where: { $0.owner == owner }) else {
        changes.append((owner, [(name, template)]))
        continue
      }
      guard !changes[index].values.contains(where: { $0.property == name }) else {
        throw UsageError("property '\(owner).\(name)' is given twice", advice: "give it one value")
      }
      changes[index].values.append((name, template))
    }
    return changes.map { change in
      Draft(option: "--set") { try .set(change.values, of: change.owner, where: filters[change.owner]) }
    }
  }

  /// The conditions of `--set`, by class.
  private func filters() throws -> [String: String] {
    var filters: [String: String] = [:]
    for text in conditions {
      let condition = try ClassCondition(option: text)
      let name = condition.className.description
      guard filters.updateValue(condition.query, forKey: name) == nil else {
        throw ClassCondition.givenTwice(name)
      }
    }
    let classes = Set(assignments.map { String($0.prefix { $0 != "." }) })
    if let other = filters.keys.sorted().first(where: { !classes.contains($0) }) {
      throw UsageError("--where names class '\(other)', which no --set changes")
    }
    return filters
  }

  private func rename(_ text: String) throws -> Draft {
    let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    if sides.count == 2, !sides[0].contains("."), !sides[0].isEmpty, !sides[1].isEmpty {
      return Draft(option: "--rename") { .renameClass(sides[0], to: sides[1]) }
    }
    if sides.count == 2, sides[1].isEmpty {
      throw UsageError("--rename takes \(Self.form(of: "--rename")), not '\(text)'")
    }
    if let owner = sides[0].split(separator: ".").first, sides.count == 2, sides[1].hasPrefix(owner + ".") {
      throw UsageError(
        "--rename: write \(sides[0])=\(sides[1].dropFirst(owner.count + 1)), without the class after =")
    }
    let (owner, name, new) = try Self.parts(of: text, "--rename")
    return Draft(option: "--rename") { .renameProperty(name, of: owner, to: new) }
  }

  /// Of `Class.property=TEXT`.
  private static func parts(
    of text: String, _ option: String
  ) throws -> (owner: String, property: String, text: String) {
    let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let names = (sides.first ?? "").split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(
      String.init)
    guard sides.count == 2, names.count == 2, !names.contains("") else {
      throw UsageError("\(option) takes \(form(of: option)), not '\(text)'")
    }
    guard !sides[0].hasSuffix(" ") else {
      throw UsageError("\(option): write \(form(of: option)), without spaces around =")
    }
    if option == "--set" {
      if sides[0].hasSuffix(":") {
        throw UsageError("--set: write \(sides[0].dropLast())={=\(sides[1])}, with the formula in braces")
      }
      if sides[1].hasPrefix("=") {
        throw UsageError(
          "--set takes Class.property=TEMPLATE, not '\(text)'", advice: "for text that begins with =, use a plan")
      }
    }
    return (names[0], names[1], sides[1])
  }

  private static func form(of option: String) -> String {
    switch option {
    case "--convert": "Class.property=TYPE, such as Person.age=string"
    case "--rename": "Class.property=NAME or Class=NAME, such as Person.name=fullName"
    default: "Class.property=TEMPLATE, such as Person.age=0"
    }
  }

  /// The option that an operation of such a plan comes from.
  static func option(of operation: String) -> String {
    switch operation {
    case "rename_class", "rename_property": "--rename"
    case "remove_class": "--delete-class"
    default: "--" + operation
    }
  }
}

/// A requested plan, before it is read.
struct PlanRequest: Equatable, Sendable {
  enum Source: Equatable, Sendable {
    case file(String)
    case operations([PlanOperation])
  }

  var source: Source
  /// The version to stop at; nil for the last one.
  var version: UInt64?
  var allowsCommands = false
  var initializes = false
  /// Whether a schema follows, so that no step has to end at `version`.
  var isFollowedBySchema = false
  var sampleCount = 0
  /// Whether a plan that was not run, but would change the schema at the stored version as well, is an error.
  var refusesIdle = false
  /// Whether its file was named without an option.
  var isOperand = false

  /// The version alone changes, from whatever it is.
  static func raisingVersion(to version: UInt64) -> PlanRequest {
    PlanRequest(source: .operations([]), version: version, initializes: true)
  }

  /// Of the file; nil without one.
  var path: String? { if case .file(let path) = source { path } else { nil } }
}
