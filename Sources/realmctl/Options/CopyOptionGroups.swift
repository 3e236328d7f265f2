import ArgumentParser
import RealmExchange
import RealmOpening
import RealmStorage
import RealmTools

/// Which part of a realm goes into a copy.
struct CopyFilterOptions: ParsableArguments {
  @OptionGroup var classes: ClassOptions

  @Option(
    name: .customLong("where"),
    help: ArgumentHelp("Only objects that match: 'Person:age > 9'; repeatable.", valueName: "query"),
    completion: ClassNameCompletion.one)
  var conditions: [String] = []

  @Flag(help: "Also copy what these objects link to, directly or not.")
  var withLinks = false

  @Flag(
    name: .customLong("no-internal"),
    help: "Leave out internal tables, except the schema version.")
  var leavesInternalTablesOut = false

  @Flag(help: "Leave out what would be lost, and list it.")
  var allowDataLoss = false

  func filter() throws -> CopyFilter {
    var filter = CopyFilter()
    filter.classes = try classes.selection()
    filter.conditions = try conditions.map(ClassCondition.init(option:))
    filter.followsLinks = withLinks
    try Self.require(filter)
    filter.includesInternalTables = !leavesInternalTablesOut
    filter.allowsDataLoss = allowDataLoss
    return filter
  }

  /// Finds options that contradict each other.
  private static func require(_ filter: CopyFilter) throws {
    var seen: Set<RealmString> = []
    for name in filter.conditions.map(\.className) {
      guard seen.insert(name).inserted else {
        throw ClassCondition.givenTwice(name.description)
      }
      if filter.classes.excluded.contains(name) {
        throw UsageError("--where and --exclude both name class '\(name)'")
      }
      // With --with-links, --only does not exclude other classes.
      if let only = filter.classes.only, !filter.followsLinks, !only.contains(name) {
        throw ClassCondition.notSelected(name)
      }
    }
    if filter.followsLinks, filter.conditions.isEmpty, filter.classes.only == nil {
      throw UsageError("--with-links needs --where or --only")
    }
  }
}

extension ClassCondition {
  /// The parts of `Class:RQL`.
  ///
  /// - Throws: `UsageError`.
  init(option text: String) throws {
    guard let colon = text.firstIndex(of: ":"), colon > text.startIndex else {
      throw UsageError("--where takes Class:QUERY, such as 'Person:age > 30', not '\(text)'")
    }
    self.init(className: RealmString(String(text[..<colon])), query: String(text[text.index(after: colon)...]))
  }

  /// The same where the class need not be written; nil if the text is a query alone, which begins with no name and colon.
  init?(prefixed text: String) {
    let name = text.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    guard !name.isEmpty, text[name.endIndex...].first == ":" else { return nil }
    self.init(className: RealmString(String(name)), query: String(text[name.endIndex...].dropFirst()))
  }

  static func notSelected(_ name: RealmString) -> UsageError {
    UsageError("--where names class '\(name)', which is not among those of --only")
  }

  static func givenTwice(_ name: String) -> UsageError {
    UsageError(
      "--where can be given only once for class '\(name)'", advice: "combine the conditions with AND or OR")
  }
}

extension CopyFilter {
  /// Checks that every name exists, so that a typo does not go unnoticed.
  ///
  /// - Throws: `Diagnostic`, exit 3.
  func requireKnownNames(in realm: OpenedRealm) throws {
    try classes.requireKnownNames(in: realm)
    try ClassSelection.only(conditions.map(\.className)).requireKnownNames(in: realm)
  }
}

/// How a realm is written.
struct WritingOptions: ParsableArguments {
  @Flag(help: "Replace an existing output, unless an app has it open.")
  var force = false

  @Flag(help: "Run every check and report, but write nothing.")
  var dryRun = false

  @Flag(
    inversion: .prefixedNo,
    help: "Read back and compare the result (default), or skip this.")
  var verify: Bool?

  /// Whether the result is verified by default.
  var verifies: Bool { verify ?? true }

  /// - Parameters:
  ///   - path: of the output, `-` for standard output.
  ///   - input: of the source, as typed.
  func writing(to path: String, from input: String?) throws -> OutputTarget {
    let path = StreamName.isOutput(path) ? "-" : path
    if path == "-", force { throw UsageError("--force cannot be used with standard output") }
    if path == input, path != "-" {
      throw UsageError("\(path): the output is one of the inputs", advice: "choose another path")
    }
    try OutputName.requireRealm(path)
    return OutputTarget(path: path, replacing: force, dryRun: dryRun, verifies: verifies)
  }

  /// For an output that replaces the file that is read.
  func writing(inPlace path: String) -> OutputTarget {
    OutputTarget(path: path, replacing: true, isInPlace: true, dryRun: dryRun, verifies: verifies)
  }
}

extension OutputTarget {
  /// Its name in messages.
  var name: String { path.outputName }
}

extension String {
  /// What messages call an output with this path.
  var outputName: String { self == "-" ? "standard output" : self }
}
