import RealmExchange
import RealmStorage

/// Opens sources of an import, and finds classes for what is in them.
extension SourceArgument {
  /// - Throws: `Diagnostic`.
  func open() throws -> any ImportSource {
    try Diagnostic.ofSource(name) {
      if ExplodedFolder.isOne(path) { return try RelationalSource(exploded: path) }
      switch try format ?? formatOfContent() {
      case .json: return try JSONSource(path, coerces: coerces)
      case .csv: return try DelimitedSource(path, form(separator: UInt8(ascii: ",")))
      case .tsv: return try DelimitedSource(path, form(separator: 9))
      case .sqlite:
        return try isForeignDatabase ? ForeignSource(foreignDatabase()) : RelationalSource(path)
      case .realm: return OtherRealmSource(try openRealm())
      }
    }
  }

  /// Finds classes that hold what is in it.
  ///
  /// - Throws: `Diagnostic`.
  func infer(into inference: SchemaInference) throws {
    guard path != "-" else {
      throw Diagnostic(
        .usage, .invalidInput, path: name, "cannot infer classes from a pipe: sources are read twice",
        advice: "write it to a file first")
    }
    try Diagnostic.ofSource(name) {
      if ExplodedFolder.isOne(path) { return inference.add(try RelationalSource(exploded: path).schema) }
      switch try format ?? formatOfContent() {
      case .json:
        try inference.addObjects(at: path, className: className.map { RealmString($0) } ?? classOfObjects)
      case .csv: try inference.addRows(at: path, form(separator: UInt8(ascii: ",")))
      case .tsv: try inference.addRows(at: path, form(separator: 9))
      case .sqlite:
        inference.add(try isForeignDatabase ? foreignDatabase().schema : RelationalFile(path).schema)
      case .realm: inference.add(try openRealm().snapshot.schema)
      }
    }
  }

  private func openRealm() throws -> OpenedRealm {
    try OpenedRealm(ByteStore.open(path == "-" ? .standardInput : .path(path), key: key?.read(for: name)))
  }

  private var isForeignDatabase: Bool {
    get throws { try !ForeignDatabase.isRelational(path) }
  }

  private func foreignDatabase() throws -> ForeignDatabase {
    try ForeignDatabase(path, only: tables, names: classNames)
  }

  private func formatOfContent() throws -> SourceFormat {
    switch try TextInput.kind(of: path) {
    case .json: return .json
    case .sqlite: return .sqlite
    case .plainRealm: return .realm
    case .other:
      if key != nil { return .realm }
      throw Diagnostic(
        .usage, .invalidInput, path: name, "unknown file type",
        advice: "use --from csv, tsv, json, sqlite or realm")
    }
  }

  private func form(separator usual: UInt8) throws -> DelimitedForm {
    guard let found = className.map({ RealmString($0) }) ?? classOfName else {
      throw Diagnostic(
        .usage, .invalidInput, path: name, "the class of the rows is unknown", advice: "use --class")
    }
    var form = DelimitedForm(className: found)
    form.separator = separator ?? usual
    (form.columns, form.null) = (columns, null)
    return form
  }

  /// The class that the name of a file stands for, as `export` makes it of the class.
  private var classOfName: RealmString? {
    guard path != "-", let name = path.split(separator: "/").last else { return nil }
    let stem = name.split(separator: ".", omittingEmptySubsequences: false).dropLast().joined(separator: ".")
    return stem.isEmpty ? nil : FileName.name(ofPart: stem)
  }

  /// The class of objects in JSON that do not name theirs: that of the name, if it looks like one.
  private var classOfObjects: RealmString? {
    classOfName.flatMap { $0.description.first?.isUppercase == true ? $0 : nil }
  }
}

extension Diagnostic {
  /// Runs `body`, and throws what is wrong with a source as a diagnostic.
  static func ofSource<Result>(_ name: String, _ body: () throws -> Result) throws -> Result {
    do { return try body() } catch { throw ofSource(error, path: name) }
  }

  /// What is wrong with a source, as a diagnostic where it is about that.
  static func ofSource(_ error: any Error, path: String) -> any Error {
    switch error {
    case let error as ImportSourceError: Diagnostic(error, path: path)
    case let error as StorageError: Diagnostic(error, path: path)
    case let error as RelationalFile.Problem: Diagnostic(error, path: path)
    default: error
    }
  }

  init(_ error: ImportSourceError, path: String) {
    let place = error.line.map { line in ":\(line):\(error.column ?? 1)" } ?? ""
    self.init(.schema, .invalidInput, path: path + place, error.description, advice: error.advice)
  }
}
