import RealmStorage
import RealmText

/// The forms of `export`; the raw values are the words of `--format`.
package enum ExportFormat: String, CaseIterable, Sendable {
  case json
  case ndjson
  case typed
  case typedNDJSON = "typed-ndjson"
  case core
  case coreXJSON = "core-xjson"
  case coreXJSONPlus = "core-xjson+"
  case csv
  case tsv
  case sqlite

  /// What the help says about it.
  package var summary: String {
    switch self {
    case .json: "One JSON object, with the objects by class"
    case .ndjson: "One object per line"
    case .typed: "Lossless JSON: types, nanoseconds, object keys"
    case .typedNDJSON: "Lossless JSON, one object per line"
    case .core: "JSON of Realm Core; not always valid"
    case .coreXJSON: "MongoDB Extended JSON of Realm Core"
    case .coreXJSONPlus: "The same, with links, embedded objects and sets marked"
    case .csv: "One file per class, in the folder that -o names"
    case .tsv: "The same, with tabs"
    case .sqlite: "A SQLite database, read back and compared"
    }
  }

  /// All but the database.
  package static let ofTexts = allCases.filter { $0 != .sqlite }

  /// The forms that repeat the reference engine's output byte for byte.
  package var isCore: Bool { self == .core || self == .coreXJSON || self == .coreXJSONPlus }
  /// The forms with one table per file.
  package var isTabular: Bool { self == .csv || self == .tsv }
  /// The forms of JSON without wrappers, in which links and integers can be written in several ways.
  package var isReadable: Bool { self == .json || self == .ndjson }

  /// What writes the pieces of an export.
  func makeWriter(_ options: ExportOptions, in schema: Schema) -> ExportRun.MakeWriter {
    let readable = ReadableForm(quotesBigIntegers: options.quotesBigIntegers)
    switch self {
    case .json: return Self.writer(readable, JSONDocument(options, in: schema))
    case .ndjson: return Self.writer(readable, LineDocument(options, in: schema))
    case .typed: return Self.writer(TypedForm(), TypedDocument(inArray: true, schema: schema))
    case .typedNDJSON: return Self.writer(TypedForm(), TypedDocument(inArray: false, schema: schema))
    case .core: return Self.writer(CorePlainForm(), CoreDocument())
    case .coreXJSON: return Self.writer(CoreXJSONForm(), CoreDocument())
    case .coreXJSONPlus: return Self.writer(CoreXJSONPlusForm(), CoreDocument())
    // `RelationalExport` has its own writer.
    case .csv, .tsv, .sqlite: return Self.tableWriter
    }
  }

  @inline(__always)
  private static func writer(_ form: some ValueForm, _ document: some ExportDocument) -> ExportRun.MakeWriter {
    { context, text, spill in
      let writer = JSONPieceWriter(form, document, context, text, spill)
      return PieceWriter(
        write: { try writer.write($0) }, takeReport: { writer.takeReport() }, forgetPlaces: { writer.forgetPlaces() })
    }
  }

  private static let tableWriter: ExportRun.MakeWriter = { context, text, spill in
    let writer = TableWriter(context, text, spill)
    return PieceWriter(
      write: { try writer.write($0) }, takeReport: { writer.takeReport() }, forgetPlaces: { writer.forgetPlaces() })
  }
}
