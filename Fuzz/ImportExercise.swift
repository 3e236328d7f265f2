import Foundation
import RealmExchange
import RealmModels
import RealmOpening
import RealmStorage
import RealmText
import RealmTools
import TestSupport

/// Sources that are what `export` writes, or nearly so, imported into a sound realm; classes inferred from them; and model
/// code that is what `schema dump` writes, or nearly so, read as a schema.
///
/// An import that fails leaves the realm byte for byte as it was, and any other leaves a sound one. The numbers in its
/// report add up.
final class ImportExercise: @unchecked Sendable {
  private let bytes: [UInt8]
  private let schema: Schema
  private let isSound: Bool
  /// What is changed, by the ending of its name.
  private var sources: [(ending: String, className: RealmString, bytes: [UInt8])] = []

  private final class Collected: TextSink, @unchecked Sendable {
    var bytes: [UInt8] = []
    func write(_ bytes: UnsafeRawBufferPointer) throws { self.bytes.append(contentsOf: bytes) }
  }

  private static let largestSource = 200_000

  init(_ bytes: [UInt8]) throws {
    self.bytes = bytes
    let realm = try FuzzedRealm(bytes, key: nil)
    let snapshot = try realm.use { try realm.open().snapshot }
    (schema, isSound) = (snapshot.schema, realm.use { realm.condition()?.isSound ?? false })
    for format in [ExportFormat.json, .typedNDJSON, .csv, .tsv] {
      var options = ExportOptions(
        format: format, tables: ExportOptions.allTables(of: snapshot, format: format, includesInternal: false))
      let tables = options.tables
      for part in format.isTabular ? tables.map({ [$0] }) : [tables] {
        options.tables = part
        let sink = Collected()
        guard (try? Exporter(snapshot, options: options, sink: sink).run()) != nil else { continue }
        add(format == .csv || format == .tsv ? format.rawValue : "json", part.first?.schema.displayName, sink.bytes)
      }
    }
    let tables = ExportOptions.allTables(of: snapshot, format: .sqlite, includesInternal: false)
    let options = ExportOptions(format: .sqlite, tables: tables)
    if let plan = try? RelationalPlan(snapshot, options: options, dates: .iso, isWhole: true) {
      let path = Self.databasePath
      defer { try? FileManager.default.removeItem(atPath: path) }
      guard FileManager.default.createFile(atPath: path, contents: nil) else { return }
      _ = try? RelationalExport(snapshot, options: options, plan: plan).write(to: path, keepsOffDisk: true)
      add("sqlite", nil, [UInt8]((try? Data(contentsOf: URL(fileURLWithPath: path))) ?? Data()))
    }
  }

  private func add(_ ending: String, _ name: RealmString?, _ bytes: [UInt8]) {
    guard bytes.count <= Self.largestSource else { return }
    sources.append((ending, name ?? "", bytes))
  }

  /// SQLite reads files, not memory.
  private static var databasePath: String { NSTemporaryDirectory() + "realm-fuzz-\(getpid()).sqlite" }

  private static let pieces = [
    ",", ";", "\t", "\n", "\r\n", "\r", "\"", "\"\"", "\u{feff}", "null", "true", "0", "-1", "1.5", "1e400", "{", "}",
    "[", "]", ":", "{\"$link\":", "{\"$oid\":\"507f1f77bcf86cd799439011\"}", "{\"$date\":", "{\"$embedded\":",
    "\"_key\":1", "\"class\":", "\"value\":", "2020-01-02T03:04:05Z", "99999999999999999999", "é", "\u{0}", "\\u0000",
    "\\ud800", "[[[[", "'", "=1+1", "_id", "id", "name", "B64\"",
  ]

  private static let languages: [(language: ModelLanguage, format: SchemaFormat)] = [
    (.swift, .swift), (.kotlin, .kotlin), (.java, .java), (.csharp, .csharp), (.dart, .dart),
    (.javaScript, .javaScript), (.javaScript, .typeScript),
  ]

  private static let codePieces = [
    "{", "}", "(", ")", "[", "]", "<", ">", "<<<<<<<<", "((((((((", "[[[[[[[[", ":", ";", ",", ".", "?", "!", "=", "@",
    "#", "*", "/*", "*/", "//", "/", "\"", "\"\"\"", "'", "`", "\\", "\\u{110000}", "\\(", "${", "$", "#if", "#\"",
    "class", "struct", "import", "Object", "EmbeddedObject", "RealmObject", "IRealmObject", "@Persisted",
    "@PersistedProperty", "primaryKey: true", "@PrimaryKey", "[PrimaryKey]", "[MapTo(\"x\")]", "List<", "MutableSet<",
    "Map<String, ", "RealmList<", "RealmDictionary<", "IList<", "LinkingObjects(", "var", "val", "let", "lateinit",
    "static", "private", "int", "Int", "String", "mixed", "AnyRealmValue", "null", "nil", "999999999999999999999",
    "\u{0}", "\u{feff}", "\u{2028}", "\r\n", "\n", "\t", "é", "😀", "extends", "schema = {", "properties:", "mapTo:",
  ]

  /// Reads model code: the result is always a schema, or an error that names a place in the code.
  private func readModels(seed: UInt64, _ random: inout SeededGenerator) throws {
    guard let (language, format) = Self.languages.randomElement(using: &random) else { return }
    let text = format.text(of: schema).utf8
    var mutator = QueryMutator(
      seed: seed, queries: [String(decoding: text, as: UTF8.self)], pieces: Self.codePieces)
    var code = Array(mutator.next(mutations: Int.random(in: 1...6, using: &random)).utf8)
    if seed % 3 == 0, !code.isEmpty {
      code[Int.random(in: code.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
    }
    if seed % 7 == 0 { code.removeLast(Int.random(in: 0...code.count, using: &random)) }
    do {
      let file = try SchemaFile(models: code, in: language)
      guard !file.schema.classes.isEmpty else { throw Violation("\(language.name) code is a schema without classes") }
      _ = file.validation(for: .local)
      _ = SchemaFormat.json.text(of: file.schema)
    } catch let error as SchemaFileError {
      guard case .code(let faults, _) = error, !faults.isEmpty else {
        throw Violation("\(language.name) code is refused without a place: \(error)")
      }
    }
  }

  /// - Throws: `Violation`.
  func run(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    if seed % 8 == 7 { return try readModels(seed: seed, &random) }
    guard let source = sources.randomElement(using: &random) else { return }
    var changed = source.bytes
    if source.ending == "sqlite" {
      var mutator = Mutator(seed: seed)
      if seed % 6 > 0 { changed = mutator.damaged(changed, nodes: [], donor: changed) }
    } else if seed % 6 > 0 {
      // As text is changed, and as bytes are.
      var mutator = QueryMutator(
        seed: seed, queries: [String(decoding: changed, as: UTF8.self)], pieces: Self.pieces)
      changed = Array(mutator.next(mutations: Int.random(in: 1...4, using: &random)).utf8)
      if seed % 5 == 0, !changed.isEmpty {
        changed[Int.random(in: changed.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
    }
    let realm = try FuzzedRealm(bytes, key: nil)
    try realm.addLockFile()
    let path = source.ending == "sqlite" ? Self.databasePath : NSTemporaryDirectory() + "realm-fuzz-source"
    defer { if source.ending == "sqlite" { try? FileManager.default.removeItem(atPath: path) } }
    if source.ending == "sqlite" {
      guard FileManager.default.createFile(atPath: path, contents: Data(changed)) else { return }
    } else {
      try realm.add(path, changed)
    }
    try realm.use {
      if seed % 3 == 0 { infer(path, source.ending, source.className) }
      try importing(path, source.ending, source.className, realm, &random)
    }
  }

  private func infer(_ path: String, _ ending: String, _ className: RealmString) {
    let inference = SchemaInference()
    switch ending {
    case "json": try? inference.addObjects(at: path, className: className)
    case "sqlite": (try? ForeignDatabase(path)).map { inference.add($0.schema) }
    default:
      var form = DelimitedForm(className: className)
      form.separator = UInt8(ascii: ending == "csv" ? "," : "\t")
      try? inference.addRows(at: path, form)
    }
    _ = SchemaFormat.json.text(of: inference.schema)
  }

  private func open(_ path: String, _ ending: String, _ className: RealmString) throws -> any ImportSource {
    switch ending {
    case "json": return try JSONSource(path, coerces: false)
    case "sqlite": return try RelationalSource(path)
    default:
      var form = DelimitedForm(className: className)
      form.separator = UInt8(ascii: ending == "csv" ? "," : "\t")
      return try DelimitedSource(path, form)
    }
  }

  private final class Told: @unchecked Sendable { var report: ImportReport? }

  private func importing(
    _ path: String, _ ending: String, _ className: RealmString, _ realm: FuzzedRealm, _ random: inout SeededGenerator
  ) throws {
    var options = ImportOptions()
    options.mode = ImportMode.allCases.randomElement(using: &random) ?? .insert
    options.createsMissing = Bool.random(using: &random)
    options.mostErrors = Bool.random(using: &random) ? 1000 : 0
    options.data.ignoresUnknownProperties = Bool.random(using: &random)
    options.data.className = ending == "json" && Bool.random(using: &random) ? className : nil
    options.spills = Bool.random(using: &random)
    options.mostWaitingInMemory = Int.random(in: 0...3, using: &random)
    let wanted = options
    let told = Told()
    var configuration = RealmConfiguration(path: realm.path)
    configuration.createsMissingFile = false
    configuration.allowsFormatUpgrade = true
    configuration.script = MigrationScript(
      editingObjects: { [self] transaction in
        told.report = try ObjectImporter(transaction, wanted).run([try open(path, ending, className)])
        return MigrationScript.Outcome()
      }, spills: wanted.spills)
    var launch = LaunchOptions()
    launch.access = InPlaceAccess(backup: .none)
    do { _ = try RealmLaunch(configuration, launch).run() } catch {
      guard try realm.bytes() == bytes else { throw Violation("an import that failed changed the realm: \(error)") }
      return
    }
    for (name, counts) in told.report?.counts ?? [] {
      let sum =
        counts.inserted + counts.updated + counts.unchanged + counts.skipped + counts.deleted + counts.rejected
      guard counts.read == sum else { throw Violation("\(name): \(counts.read) read, but \(sum) accounted for") }
    }
    guard isSound else { return }
    guard let after = realm.condition() else { throw Violation("the realm cannot be read after the import") }
    guard after.isSound else { throw Violation("after the import the realm has \(after.firstError)") }
  }
}
