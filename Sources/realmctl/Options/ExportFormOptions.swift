import ArgumentParser
import RealmExchange
import RealmModels

/// What the text of an export looks like.
struct ExportFormOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Output format; by default from the extension of -o, or json.", valueName: "format"))
  var format: ExportFormat?

  @OptionGroup var objects: ObjectFormOptions

  @Flag(help: "Write one file for each table of the SQLite form (csv, tsv).")
  var explode = false

  @Option(help: ArgumentHelp("How to write dates (sqlite, --explode); by default iso.", valueName: "form"))
  var dates: RelationalSchema.DateForm?

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("Program that opens the database (sqlite); by default sqlite.", valueName: "program"))
  var audience: DatabaseAudience?

  @Flag(help: "Keep realmctl's own tables (--for room).")
  var withSchema = false

  @Flag(help: "Do not read the database back (sqlite).")
  var noVerify = false

  @Flag(help: "Run every check and report, but keep no output (sqlite).")
  var dryRun = false

  /// Finds options of a format that nothing has chosen.
  private func requireFormat(_ destination: OutputDestination) throws {
    guard format == nil, FormatEnding(of: destination) == nil else { return }
    if dates != nil, !explode { throw UsageError("--dates needs --format sqlite, or --explode") }
    let given = [audience.map { _ in "--for" }, noVerify ? "--no-verify" : nil, dryRun ? "--dry-run" : nil]
    guard let option = given.compactMap(\.self).first else { return }
    throw UsageError("\(option) needs --format sqlite, or -o NAME.sqlite")
  }

  /// - Throws: `UsageError` for options that have no effect on the format.
  func form(for destination: OutputDestination) throws -> ExportForm {
    let format = format ?? FormatEnding(of: destination)?.format ?? .json
    if explode { try ObjectFormOptions.require("--explode", format, \.isTabular) }
    if explode, objects.noKeys { throw UsageError("--no-keys and --explode cannot be used together") }
    try requireFormat(destination)
    if dates != nil, !explode, format.isTabular {
      throw UsageError("--dates needs --explode with \(format.rawValue)")
    }
    if dates != nil, !explode { try ObjectFormOptions.require("--dates", format) { $0 == .sqlite } }
    if audience != nil { try ObjectFormOptions.require("--for", format) { $0 == .sqlite } }
    if withSchema, audience != .room { throw UsageError("--with-schema needs --for room") }
    if audience == .room, dates ?? .unixMilliseconds != .unixMilliseconds {
      throw UsageError(
        "--for room writes dates as milliseconds", advice: "--dates \(dates?.rawValue ?? "") cannot be used with it")
    }
    if noVerify { try ObjectFormOptions.require("--no-verify", format) { $0 == .sqlite } }
    if dryRun { try ObjectFormOptions.require("--dry-run", format) { $0 == .sqlite } }
    if format == .sqlite, case .standardOutput = destination {
      throw UsageError("a SQLite database needs a file", advice: "name one with -o")
    }
    var form = try objects.form(of: format)
    form.dates = dates ?? (audience == .room ? .unixMilliseconds : .iso)
    (form.audience, form.keepsSchema) = (audience ?? .sqlite, withSchema)
    form.verifies = !noVerify
    form.dryRun = dryRun
    form.explodesCollections = explode
    form.isAssumed = self.format == nil && FormatEnding.unknown(of: destination) != nil
    return form
  }
}

/// What objects look like in the text of an export.
struct ObjectFormOptions: ParsableArguments {
  @Flag(help: "Indent the JSON (json).")
  var pretty = false

  @Option(
    help: ArgumentHelp(
      "Integers of 2^53 or more: number or string (json, ndjson).",
      valueName: "form"))
  var bigInts = IntegerStyle.number

  @Flag(help: "Leave out _key, the object key (json, ndjson, csv, tsv).")
  var noKeys = false

  @Option(
    help: ArgumentHelp(
      "Links: keys, inline, inline:DEPTH or none (json, ndjson).",
      valueName: "links"),
    completion: .list(["keys", "inline", "none"]))
  var links = LinkStyle.keys

  @Flag(help: "Put ' before text that a spreadsheet would run (csv, tsv).")
  var csvSafe = false

  /// The first option that changes the text; nil if none was given.
  var given: String? {
    if pretty { return "--pretty" }
    if bigInts != .number { return "--big-ints" }
    if noKeys { return "--no-keys" }
    if csvSafe { return "--csv-safe" }
    return links != .keys ? "--links" : nil
  }

  /// - Throws: `UsageError` for options that have no effect on the format.
  func form(of format: ExportFormat) throws -> ExportForm {
    if pretty { try Self.require("--pretty", format) { $0 == .json } }
    if bigInts != .number { try Self.require("--big-ints", format, \.isReadable) }
    if noKeys { try Self.require("--no-keys", format) { $0.isReadable || $0.isTabular } }
    if links != .keys { try Self.require("--links", format, \.isReadable) }
    if csvSafe { try Self.require("--csv-safe", format, \.isTabular) }
    return ExportForm(
      format: format, isPretty: pretty, quotesBigIntegers: bigInts == .string, showsObjectKeys: !noKeys, links: links,
      isSafeForSpreadsheets: csvSafe)
  }

  /// - Throws: `UsageError` for an option that has no effect on a format.
  fileprivate static func require(
    _ option: String, _ format: ExportFormat, _ takesOption: (ExportFormat) -> Bool
  ) throws {
    guard !takesOption(format) else { return }
    let formats = ExportFormat.allCases.filter(takesOption).map(\.rawValue)
    throw UsageError("\(option) needs --format \(formats.alternatives)")
  }
}

/// What the text of an export looks like.
struct ExportForm: Equatable, Sendable {
  var format: ExportFormat
  var isPretty = false
  var quotesBigIntegers = false
  var showsObjectKeys = true
  var links = LinkStyle.keys
  var isSafeForSpreadsheets = false
  /// Whether no option named the format, and the file extension is not one of a format.
  var isAssumed = false
  var explodesCollections = false
  var dates = RelationalSchema.DateForm.iso
  /// The program that opens a database.
  var audience = DatabaseAudience.sqlite
  /// Whether a database for Room keeps the tables of realmctl.
  var keepsSchema = false
  /// Whether a database is read back.
  var verifies = true
  /// Whether the output is not kept.
  var dryRun = false

  /// Whether the output consists of the tables of the relational form.
  var isRelational: Bool { format == .sqlite || explodesCollections }

  /// What an export needs to know about it.
  func apply(to options: inout ExportOptions) {
    options.links = links
    options.quotesBigIntegers = quotesBigIntegers
    options.showsObjectKeys = showsObjectKeys
    options.isPretty = isPretty
    options.isSafeForSpreadsheets = isSafeForSpreadsheets
  }
}

/// How integers that a double cannot store are written.
enum IntegerStyle: String, CaseIterable, ExpressibleByArgument, Sendable {
  case number, string
}

extension LinkStyle: ExpressibleByArgument {
  public init?(argument: String) {
    switch argument {
    case "keys": self = .keys
    case "none": self = .none
    case "inline": self = .inline(depth: 1)
    default:
      guard argument.hasPrefix("inline:"), let depth = Int(argument.dropFirst("inline:".count)), depth > 0 else {
        return nil
      }
      self = .inline(depth: depth)
    }
  }

  public var defaultValueDescription: String {
    switch self {
    case .keys: "keys"
    case .none: "none"
    case .inline(let depth): "inline:\(depth)"
    }
  }
}

extension RelationalSchema.DateForm: ExpressibleByArgument {}

/// The program that opens an exported database.
enum DatabaseAudience: String, CaseIterable, ExpressibleByArgument, Sendable {
  case sqlite, room
}

extension ExportFormat: ExpressibleByArgument {
  /// What the format is called in sentences.
  var title: String {
    switch self {
    case .json, .ndjson, .csv, .tsv: rawValue.uppercased()
    case .sqlite: "SQLite"
    default: "--format \(rawValue)"
    }
  }

  public var defaultValueDescription: String { summary }
}

/// The extension of an output's name, if it is that of a format.
struct FormatEnding {
  /// With its point.
  let text: String
  let format: ExportFormat

  private static let formats: [(String, ExportFormat)] = [
    (".json", .json), (".ndjson", .ndjson), (".jsonl", .ndjson), (".csv", .csv), (".tsv", .tsv),
    (".sqlite", .sqlite), (".sqlite3", .sqlite), (".db", .sqlite),
  ]

  init?(of destination: OutputDestination) {
    guard case .path(let path, _) = destination else { return nil }
    let name = path.lowercased()
    guard let (text, format) = Self.formats.first(where: { name.hasSuffix($0.0) }) else { return nil }
    (self.text, self.format) = (text, format)
  }

  /// The extension of a file, with its point, that is not one of a format; nil if it has none, or something that is
  /// hardly meant as one.
  static func unknown(of destination: OutputDestination) -> String? {
    FormatEnding(of: destination) == nil ? anything(of: destination) : nil
  }

  /// What is likely to be meant as the extension of a file, with its point.
  static func anything(of destination: OutputDestination) -> String? {
    // A name with a slash at the end is that of a folder.
    guard case .path(let path, _) = destination, !path.hasSuffix("/"), let name = path.split(separator: "/").last,
      let dot = name.lastIndex(of: "."), dot > name.startIndex
    else { return nil }
    let letters = name[dot...].dropFirst()
    guard 1...8 ~= letters.count, letters.allSatisfy({ $0.isASCII && $0.isLetter }) else { return nil }
    return "." + letters
  }

  /// Whether files of a format have this extension.
  func fits(_ format: ExportFormat) -> Bool {
    switch format {
    case .json, .typed, .core, .coreXJSON, .coreXJSONPlus: self.format == .json
    case .ndjson, .typedNDJSON: self.format == .ndjson
    case .csv, .tsv, .sqlite: self.format == format
    }
  }
}

extension Console {
  /// Warns that a file gets another format than its name suggests.
  ///
  /// - Parameter isFolder: whether it becomes a folder.
  func warn(of format: ExportFormat, in destination: OutputDestination, isFolder: Bool = false) {
    guard case .path(let path, _) = destination, let ending = FormatEnding(of: destination), !ending.fits(format) else {
      return
    }
    warn(
      Diagnostic(
        .done, .invalidInput, path: path,
        "the format is \(format.rawValue)\(isFolder ? ", so a folder is written" : ""), but the name ends with '\(ending.text)'",
        advice: "use another name, or --format \(ending.format.rawValue)"))
  }

  /// Warns that a name that is meant to choose the format does not.
  func warn(ofAssumed format: ExportFormat, in destination: OutputDestination) {
    if let ending = FormatEnding.unknown(of: destination) {
      warn(ofUnknown: ending, in: destination, writing: format.rawValue)
    } else if case .path(let path, _) = destination, let named = FormatEnding(of: destination),
      named.format == .sqlite, format != .sqlite
    {
      warn(
        Diagnostic(
          .done, .invalidInput, path: path, "the format is \(format.rawValue), but the name ends with '\(named.text)'",
          advice: "use another name, or write a SQLite database with 'export'"))
    }
  }

  /// The same for the format of a schema.
  ///
  /// - Parameter isGiven: whether the format was chosen with an option.
  func warn(of format: SchemaFormat, isGiven: Bool, in destination: OutputDestination) {
    guard case .path(let path, _) = destination, let ending = FormatEnding.anything(of: destination) else { return }
    guard let meant = SchemaFormat(extensionOf: destination) else {
      if !isGiven, ending.lowercased() != ".txt" { warn(ofUnknown: ending, in: destination, writing: format.rawValue) }
      return
    }
    let isOfLanguage = meant == .swift && [.swiftData, .grdb].contains(format) || meant == .kotlin && format == .room
    guard meant != format, !isOfLanguage, !(meant == .json && format.isJSON) else { return }
    warn(
      Diagnostic(
        .done, .invalidInput, path: path, "the format is \(format.rawValue), but the name ends with '\(ending)'",
        advice: "use another name, or --format \(meant.rawValue)"))
  }

  private func warn(ofUnknown ending: String, in destination: OutputDestination, writing format: String) {
    guard case .path(let path, _) = destination else { return }
    warn(
      Diagnostic(
        .done, .invalidInput, path: path, "no format has the extension '\(ending)', so \(format) is written",
        advice: "choose the format with --format"))
  }
}
