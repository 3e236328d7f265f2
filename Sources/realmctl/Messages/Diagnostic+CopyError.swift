import RealmExchange
import RealmModels
import RealmOpening
import RealmStorage
import RealmText
import RealmTools

extension Diagnostic {
  init(copying error: OutputError, to output: String) {
    self.init(error)
    if path == "-" { path = output.outputName }
  }

  /// More reasons have a line each.
  static let mostReasonsInLine = 3

  init(_ error: CopyRefusal, path: String) {
    switch error {
    case .unknownHistory(let problem):
      self.init(OpeningError.unknownHistory(problem), of: DiagnosedFiles(source: path, output: path))
    case .historyCannotBeKept(let kind):
      self.init(OpeningError.synchronized(kind), of: DiagnosedFiles(source: path, output: path))
    case .unsoundSource(let check):
      self.init(
        unsound: check, path: path, .findings, advice: "run 'check' for details, or omit --strict to continue anyway")
    case .damagedWithoutBackup(let check):
      self.init(
        unsound: check, path: path, .failed,
        advice: "keep a backup, or use --allow-damage to change it anyway; 'recover' saves what can be read")
    case .hiddenLoss:
      self.init(
        .failed, .invalidDatabase, path: path, error.description,
        advice: "save what is left with 'recover', or compact to another file with -o")
    case .readsDifferently:
      self.init(
        .failed, .invalidDatabase, path: path, error.description,
        advice: "'check' shows the damage and 'recover' saves what can be read; or use a backup")
    }
  }

  init(_ error: CopyError, path: String) {
    switch error {
    case .mapping(let problem): self.init(problem, path: path)
    case .noSuchClass(let name, let known):
      self.init(noClass: name.description, among: known.map(\.description), path: path)
    case .conditionOnEmbeddedClass(let name):
      self.init(
        .usage, .invalidInput, path: path, "--where cannot be used with the embedded class '\(name)'",
        advice: "filter the class that its objects belong to")
    case .query(let error, let condition): self.init(error, in: condition.query, path: path)
    case .formatCannotHold(let format, let losses):
      self.init(
        .schema, .schemaValidationFailed, path: path,
        "file format \(format.number) cannot store everything in the realm",
        detail: losses.map(\.description).joined(separator: "; "),
        advice: losses.contains(where: \.isMappable)
          ? "use --as to change types, or --allow-data-loss to leave that out"
          : "use --allow-data-loss to leave that out")
      if losses.contains(where: \.isMappable) { cause = .types }
      if losses.count > Self.mostReasonsInLine { lines = losses.map(\.description) }
    case .linksToLeftOutParts(let losses):
      let leadsToObjects = losses.contains(where: \.leadsToObjects)
      self.init(
        .schema, .schemaValidationFailed, path: path,
        "links to \(leadsToObjects ? "objects" : "classes") that are left out would be lost",
        detail: losses.map(\.place).joined(separator: "; "),
        advice: leadsToObjects
          ? "include them with --with-links, or use --allow-data-loss"
          : "add these classes, or use --allow-data-loss")
    }
  }

  /// A copy that was written, and reads back differently.
  init(unlike source: String, path: String, detail: String) {
    self.init(
      .failed, .fileOperationFailed, path: path,
      "the result differs from \(source), so it was deleted",
      detail: detail, advice: "run 'check' on \(source); if it finds no damage, try another disk")
  }

  /// Says so if not the result is to blame that it cannot be read back, but the system.
  mutating func blame(_ error: StorageError) {
    guard case .file = error else { return }
    let reading = Diagnostic(error, path: path ?? "")
    problem = "the result cannot be read, so it was deleted"
    (code, advice) = (reading.code, reading.advice)
  }

  // MARK: Data

  /// A warning about data that adds no objects.
  ///
  /// - Parameter ignoresUnknown: whether classes that the schema does not have are left out.
  init(emptySource path: String, ignoresUnknown: Bool) {
    let isPipe = RealmInput(path: path).isPipe
    let problem =
      !isPipe && (try? SequentialInput(path))?.byteCount == 0
      ? "the file is empty, so no objects were added"
      : ignoresUnknown
        ? "none of its classes is in the schema, so no objects were added"
        : isPipe
          ? "no objects came through the pipe, so none were added" : "the file contains no objects, so none were added"
    self.init(
      .done, .invalidInput, path: RealmInput(path: path).name, problem,
      advice: isPipe ? "check the command that writes to it" : "check the path")
  }

  /// A warning about numbers of data whose digits the type of a property does not keep.
  init(roundedIn property: PropertyPath, count: Int, path: String) {
    self.init(
      .done, .invalidInput, path: path,
      "property '\(property)': \(count.counted("number")) \(count == 1 ? "has" : "have") digits that its type does not keep",
      advice: "a decimal128 keeps 34 digits")
  }

  /// What is wrong with the data a realm is built from.
  ///
  /// - Parameters:
  ///   - path: what the message is about if it is not about a file.
  ///   - paths: of the files.
  init?(data error: any Error, path: String, paths: [String] = []) {
    switch error {
    case InputError.input(let number, let error):
      let path = paths[number]
      self.init(data: error, path: RealmInput(path: path).name)
      if case StorageError.file(.isDirectory) = error { self.advice = "name a JSON file" }
      if let advice = Self.advice(on: path) { self.advice = advice }
    case InputError.data(let mistake):
      self.init(
        .schema, .invalidInput, path: path, at: SourceMark(mistake.location), "\(mistake.fault)",
        detail: mistake.object.map { "object \($0)" }, advice: mistake.fault.advice)
    case InputError.unresolvedLinks(let links):
      self.init(.schema, .invalidInput, path: path, "\(links)", advice: "add those objects, or remove the links")
    case JSONError.malformed(let fault, let location):
      self.init(
        .schema, .invalidInput, path: path, at: SourceMark(location), "not valid JSON: \(fault)",
        advice: "fix the file")
    case JSONError.input(let error as StorageError): self.init(error, path: path)
    case let error as StorageError: self.init(error, path: path)
    case let error as BuildError: self.init(.schema, .invalidInput, path: path, "\(error)")
    default: return nil
    }
  }

  /// The same for a redacted copy, which keeps all types.
  var advisingOnRedaction: Diagnostic {
    guard cause == .types else { return self }
    var diagnostic = self
    diagnostic.advice =
      "use --allow-data-loss to leave that out, or omit --file-format and run 'downgrade' with --as on the copy"
    return diagnostic
  }

  /// What to do with a file that was given as data and is not data; nil for data.
  private static func advice(on path: String) -> String? {
    guard path != "-", let input = try? SequentialInput(path), let kind = try? TextInput.kind(of: path) else {
      return nil
    }
    switch kind {
    case .plainRealm: return "it is a realm: use --from realm"
    case .json:
      // A schema is small; data need not be.
      guard let size = input.byteCount, size <= 1 << 20, let bytes = try? TextInput.read(path),
        (try? SchemaFile(bytes)) != nil
      else { return nil }
      return "it is a schema file: give it to --schema, and the objects to --data"
    case .sqlite: return "it is a SQLite database: use --from sqlite"
    case .other: return "use --from csv, tsv, json, sqlite or realm"
    }
  }
}

extension DataFault {
  /// What to do about it, if that is not obvious from the problem.
  fileprivate var advice: String? {
    switch self {
    case .wrongType(_, _, let mismatch):
      mismatch.isCoercible ? "use --coerce to accept strings" : "realmctl-schema(5) lists the accepted forms"
    case .unknownProperty: SourceFault.advice(onUnknown: 1, canAddProperties: false)
    case .nullForRequired: "give a value, or allow null in the schema, as 'int?' or 'int?[]' does"
    case .missingProperty(_, _, let isStrict): Self.adviceOnMissing(isStrict: isStrict)
    case .classNotNamed: "name the class with --class"
    case .existingPrimaryKey: "use --mode upsert to update the object"
    case .objectKeyOutOfOrder: "sort the objects by '_key', or omit --keep-keys"
    case .unexpectedShape, .missingKey: "realmctl-schema(5) lists the accepted forms"
    case .existingObjectKey: "change it, or import the files one after another"
    case .unknownClass:
      SourceFault.advice(onUnknown: 1, classes: true, canAddProperties: false, canIgnore: false)
    case .repeatedProperty, .unstorable, .numberOutOfRange, .embeddedAtTop, .repeatedKey: nil
    }
  }
}

extension SourceMark {
  init(_ location: JSONLocation) { self.init(line: location.line, column: location.column) }
}

extension WrittenFault {
  /// What differs.
  var text: String {
    switch self {
    case .unsound(let finding, let count): return finding + (count > 1 ? ", and \(count - 1) more" : "")
    case .unreadable(let error): return "it cannot be read" + error.reason
    case .content: return "classes, objects or schema version"
    case .contentHash(let name): return "the content hash of class '\(name)' differs"
    case .table(let name): return "table '\(name)'"
    case .identity: return "version or history"
    case .fileSize(let expected, let found): return "\(found) bytes instead of \(expected)"
    case .differs(let classes, let schemaVersion):
      let names = classes.map { "'\($0)'" }.joined(separator: ", ")
      let parts = [
        classes.isEmpty ? nil : "the content of \(names) differs",
        schemaVersion ? "the schema version differs" : nil,
      ]
      return parts.compactMap { $0 }.joined(separator: "; ")
    }
  }
}

extension CopyDifference {
  /// What differs, and where.
  var text: String {
    let place = copy.isNull ? "" : " of the node at byte \(copy)"
    return switch reason {
    case .unreadable(let error):
      "the copy cannot be read" + (copy.isNull ? "" : ": the node at byte \(copy)") + error.reason
    case .header: "the header" + place
    case .element(let index): "element \(index)" + place
    case .payload: "the content" + place
    case .place: "the place" + place
    case .topArray: "version, history or form"
    case .schema: "tables or numbers of objects"
    }
  }
}

extension StorageError {
  /// Why what was just written cannot be read again.
  fileprivate var reason: String {
    let diagnostic = Diagnostic(self, path: "")
    return ": " + (diagnostic.detail ?? diagnostic.problem)
  }
}

extension Console {
  /// Warns of numbers whose digits the types of properties do not keep.
  func warn(ofRounded counts: [PropertyPath: Int], in path: String) {
    for (property, count) in counts.sorted(by: { "\($0.key)" < "\($1.key)" }) {
      warn(Diagnostic(roundedIn: property, count: count, path: path))
    }
  }
}
