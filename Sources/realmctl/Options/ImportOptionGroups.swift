import ArgumentParser
import RealmExchange
import RealmModels
import RealmStorage

/// The sources of an import and how they are read.
struct ImportSourceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Source format; by default from the extension or content.", valueName: "format"))
  var from: SourceFormat?

  @Option(
    name: .customLong("class"),
    help: ArgumentHelp("Class of objects that do not name one.", valueName: "class"),
    completion: ClassNameCompletion.one)
  var className: String?

  @Option(help: ArgumentHelp("CSV separator; by default a comma. \\t means a tab.", valueName: "character"))
  var delimiter: String?

  @Flag(help: "The first line is data; --columns names the columns.")
  var noHeader = false

  @Option(help: ArgumentHelp("Names of the columns, separated by commas.", valueName: "names"))
  var columns: String?

  @Option(help: ArgumentHelp("Text that means null in CSV, such as '\\N'.", valueName: "text"))
  var null: String?

  @Flag(help: "Accept strings for numbers and booleans in JSON.")
  var coerce = false

  @Option(
    help: ArgumentHelp("Tables to read from a SQLite database, separated by commas.", valueName: "tables"))
  var tables: String?

  @Option(
    help: ArgumentHelp("Class for a SQLite table: table=Class; repeatable.", valueName: "names"),
    completion: ImportCompletion.table)
  var map: [String] = []

  /// The first of the options that is given.
  var given: String? {
    let options: KeyValuePairs = [
      "--from": from != nil, "--class": className != nil, "--delimiter": delimiter != nil, "--no-header": noHeader,
      "--columns": columns != nil, "--null": null != nil, "--coerce": coerce, "--tables": tables != nil,
      "--map": !map.isEmpty,
    ]
    return options.given
  }

  /// - Parameters:
  ///   - paths: of the sources, as typed.
  ///   - key: of those that are encrypted realms.
  ///   - usual: the format if no name shows it.
  /// - Throws: `UsageError`.
  func arguments(
    _ paths: [String], key: KeySource?, _ keyOption: String, usual: SourceFormat? = nil
  ) throws -> [SourceArgument] {
    if columns != nil, !noHeader {
      throw UsageError("--columns needs --no-header", advice: "without it, the first line names the columns")
    }
    if noHeader, columns == nil { throw UsageError("--no-header needs --columns") }
    let separator = try delimiter.map(Self.separator)
    var names: [String: String] = [:]
    for text in map {
      let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else {
        throw UsageError("--map takes table=Class, such as people=Person, not '\(text)'")
      }
      names[parts[0]] = parts[1]
    }
    return try paths.map { path in
      let isPipe = RealmInput(path: path).isPipe
      let format = from ?? SourceFormat(endingOf: path) ?? usual
      // What shows the format of a file is lost for the reader if it comes through a pipe.
      if format == nil, isPipe {
        throw UsageError(path == "-" ? "standard input needs --from" : "\(path): a pipe needs --from")
      }
      return SourceArgument(
        path: path, format: format, className: className, separator: separator,
        columns: columns?.split(separator: ",", omittingEmptySubsequences: false).map { RealmString(String($0)) },
        null: null.map { RealmString($0) }, key: key, keyOption: keyOption, coerces: coerce,
        tables: tables?.split(separator: ",").map(String.init) ?? [], classNames: names)
    }
  }

  private static func separator(_ text: String) throws -> UInt8 {
    if text == "\\t" || text == "tab" { return 9 }
    guard text.utf8.count == 1, let byte = text.utf8.first, byte != UInt8(ascii: "\""), byte != 10, byte != 13 else {
      throw UsageError(
        "--delimiter takes one ASCII character other than a quote or a line end, or \\t for a tab, not '\(text)'")
    }
    return byte
  }
}

/// The form of a source.
enum SourceFormat: String, CaseIterable, ExpressibleByArgument, Sendable {
  case json, csv, tsv, sqlite, realm

  /// Whether it is read from the start to the end, as JSON or lines.
  var isText: Bool { self == .json || self == .csv || self == .tsv }

  /// According to the file extension; nil if it says nothing.
  init?(endingOf path: String) {
    guard let ending = path.split(separator: "/").last?.split(separator: ".").dropFirst().last?.lowercased() else {
      return nil
    }
    switch ending {
    case "json", "ndjson", "jsonl": self = .json
    case "csv": self = .csv
    case "tsv", "tab": self = .tsv
    case "sqlite", "sqlite3", "db": self = .sqlite
    case "realm": self = .realm
    default: return nil
    }
  }
}

/// A source as typed.
struct SourceArgument: Equatable, Sendable {
  /// `-` is standard input.
  var path: String
  /// Nil to detect it from the content.
  var format: SourceFormat?
  var className: String?
  var separator: UInt8?
  var columns: [RealmString]?
  var null: RealmString?
  var key: KeySource?
  /// The option that takes the key.
  var keyOption = "--source-key-file"
  var coerces = false
  /// Those to read from a database; all if empty.
  var tables: [String] = []
  /// Classes by the names of tables.
  var classNames: [String: String] = [:]
  /// Files with the elements of properties of the class that is in this one.
  var collections: [CollectionFile] = []

  /// All files that are read.
  var paths: [String] { [path] + collections.map(\.path) }

  /// Its name in messages.
  var name: String { RealmInput(path: path).name }

  /// Whether it can be read only once.
  var isPipe: Bool { RealmInput(path: path).isPipe }
}

/// What happens to objects that are imported.
struct ImportRuleOptions: ParsableArguments {
  @Option(help: ArgumentHelp("What to do with existing objects.", valueName: "mode"))
  var mode = ImportMode.insert

  @Option(
    help: ArgumentHelp("Match existing objects by Class.property; repeatable.", valueName: "property"),
    completion: ImportCompletion.property)
  var match: [String] = []

  @Option(
    help: ArgumentHelp("Find targets by a property: Dog.owner=Person.id; repeatable.", valueName: "link"),
    completion: ImportCompletion.link)
  var link: [String] = []

  @Flag(help: "Create missing targets of links.")
  var createMissing = false

  @Flag(help: "Ignore columns and keys that are not in the schema.")
  var ignoreUnknown = false

  @Option(help: ArgumentHelp("Maximum number of mistakes; their objects are left out.", valueName: "number"))
  var maxErrors = 0

  @Option(
    help: ArgumentHelp("NDJSON file that lists all mistakes.", valueName: "path"), completion: .file())
  var rejects: String?

  /// The first option by which objects are to be treated in any other way than `bundle` builds a realm of JSON at once.
  var given: String? {
    let options: KeyValuePairs = [
      "--mode": mode != .insert, "--match": !match.isEmpty, "--link": !link.isEmpty, "--create-missing": createMissing,
      "--max-errors": maxErrors != 0, "--rejects": rejects != nil,
    ]
    return options.given
  }

  /// - Throws: `UsageError`.
  func options(className: String?, isStrict: Bool) throws -> ImportOptions {
    try StreamName.requireFile(rejects, "--rejects")
    try NumberRange.require(maxErrors, "--max-errors")
    var options = ImportOptions()
    (options.mode, options.createsMissing, options.mostErrors) = (mode, createMissing, maxErrors)
    for text in match {
      let path = try Self.path(text, className, "--match takes Class.property, such as Person.email, not '\(text)'")
      guard options.matches.updateValue(path.property, forKey: path.className) == nil else {
        throw UsageError("--match can be given only once for class '\(path.className)'")
      }
    }
    options.lookups = try Self.lookups(link, className: className)
    options.data.className = className.map { RealmString($0) }
    options.data.ignoresUnknownProperties = ignoreUnknown
    options.data.isStrict = isStrict
    return options
  }

  /// The properties by which links find their targets.
  ///
  /// - Throws: `UsageError`.
  static func lookups(_ links: [String], className: String?) throws -> [PropertyPath: PropertyPath] {
    var lookups: [PropertyPath: PropertyPath] = [:]
    for text in links {
      let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
      let message = "--link takes Class.property=Class.property, such as Dog.owner=Person.email, not '\(text)'"
      guard parts.count == 2 else { throw UsageError(message) }
      lookups[try path(parts[0], className, message)] = try path(parts[1], nil, message)
    }
    return lookups
  }

  /// `Class.property`, or the property alone if the class is known.
  private static func path(_ text: String, _ className: String?, _ message: String) throws -> PropertyPath {
    if let dot = text.firstIndex(of: "."), dot != text.startIndex, text.index(after: dot) != text.endIndex {
      return PropertyPath(
        className: RealmString(String(text[..<dot])), property: RealmString(String(text[text.index(after: dot)...])))
    }
    guard let className, !text.isEmpty, !text.contains(".") else { throw UsageError(message) }
    return PropertyPath(className: RealmString(className), property: RealmString(text))
  }
}

extension ImportMode: ExpressibleByArgument {}

/// Settings for classes that are inferred from a source.
struct InferenceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Type of a new property: Class.property=TYPE; repeatable.", valueName: "type"),
    completion: ImportCompletion.type)
  var type: [String] = []

  @Option(
    help: ArgumentHelp("Primary key of a new class: Class.property; repeatable.", valueName: "property"),
    completion: ImportCompletion.property)
  var primaryKey: [String] = []

  /// The first of the options that is given.
  var given: String? { (["--type": !type.isEmpty, "--primary-key": !primaryKey.isEmpty] as KeyValuePairs).given }

  /// - Parameter links: the properties by which links find their targets.
  /// - Throws: `UsageError`.
  func choices(links: [PropertyPath: PropertyPath]) throws -> InferenceChoices {
    var choices = InferenceChoices()
    choices.links = links.mapValues(\.className)
    for text in type {
      let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2, let path = Self.path(parts[0]) else {
        throw UsageError("--type takes Class.property=TYPE, such as Person.age=int?, not '\(text)'")
      }
      do throws(SchemaFileFault) {
        choices.types[path] = try Property(name: path.property, type: .shorthand(RealmString(parts[1])))
      } catch {
        throw UsageError("--type \(text): \(error.typeText)")
      }
    }
    for text in primaryKey {
      guard let path = Self.path(text) else {
        throw UsageError("--primary-key takes Class.property, such as Person.email, not '\(text)'")
      }
      choices.primaryKeys[path.className] = path.property
    }
    return choices
  }

  private static func path(_ text: String) -> PropertyPath? {
    let parts = text.split(separator: ".", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return nil }
    return PropertyPath(className: RealmString(parts[0]), property: RealmString(parts[1]))
  }
}
