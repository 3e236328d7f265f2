import ArgumentParser
import RealmTools

/// What the text of an export looks like.
struct ExportFormOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Output format.", valueName: "format"))
  var format = ExportFormat.json

  @OptionGroup var objects: ObjectFormOptions

  @Flag(help: "One file per collection, a row per element (csv, tsv).")
  var explode = false

  /// - Throws: `ValidationError` for options that the format has no use for.
  func form() throws -> ExportForm {
    if explode, !format.isTabular { throw ObjectFormOptions.unused("--explode", format) }
    var form = try objects.form(of: format)
    form.explodesCollections = explode
    return form
  }
}

/// What objects look like in the text of an export.
struct ObjectFormOptions: ParsableArguments {
  @Flag(help: "Indent the JSON (json).")
  var pretty = false

  @Option(
    help: ArgumentHelp(
      "Integers beyond 2^53 as number or string (json, ndjson).",
      valueName: "how"))
  var bigInts = IntegerStyle.number

  @Flag(help: "Leave out _key, the object key (json, ndjson, csv, tsv).")
  var noKeys = false

  @Option(
    help: ArgumentHelp(
      "Links: keys, inline, inline:DEPTH or none (json, ndjson).",
      valueName: "how"),
    completion: .list(["keys", "inline", "none"]))
  var links = LinkStyle.keys

  /// An option that changes something; nil where all is as it is without.
  var given: String? {
    if pretty { return "--pretty" }
    if bigInts != .number { return "--big-ints" }
    if noKeys { return "--no-keys" }
    return links != .keys ? "--links" : nil
  }

  /// - Throws: `ValidationError` for options that the format has no use for.
  func form(of format: ExportFormat) throws -> ExportForm {
    if pretty, format != .json { throw Self.unused("--pretty", format) }
    if bigInts != .number, !format.isReadable { throw Self.unused("--big-ints", format) }
    if noKeys, !format.isReadable, !format.isTabular { throw Self.unused("--no-keys", format) }
    if links != .keys, !format.isReadable { throw Self.unused("--links", format) }
    return ExportForm(
      format: format, isPretty: pretty, quotesBigIntegers: bigInts == .string, showsObjectKeys: !noKeys, links: links)
  }

  fileprivate static func unused(_ option: String, _ format: ExportFormat) -> ValidationError {
    ValidationError("\(option) has no effect with --format \(format.rawValue).")
  }
}

/// What the text of an export looks like.
struct ExportForm: Equatable, Sendable {
  var format: ExportFormat
  var isPretty = false
  var quotesBigIntegers = false
  var showsObjectKeys = true
  var links = LinkStyle.keys
  var explodesCollections = false

  /// What an export needs to know of it.
  func apply(to options: inout ExportOptions) {
    options.links = links
    options.quotesBigIntegers = quotesBigIntegers
    options.showsObjectKeys = showsObjectKeys
    options.isPretty = isPretty
  }
}

/// How integers that a double cannot hold are written.
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

extension ExportFormat: ExpressibleByArgument {
  public var defaultValueDescription: String { summary }
}
