import RealmExchange
import RealmStorage
import RealmSystem

/// Opens sources of an import, and infers classes for their data.
extension SourceArgument {
  /// The files of folders in place of the folders, and the files of collections (`Person.dogs.csv`) with the one of their
  /// class.
  ///
  /// - Throws: `Diagnostic`.
  static func arranged(_ sources: [SourceArgument]) throws -> [SourceArgument] {
    try requireEffect(of: sources)
    var files: [SourceArgument] = []
    var named: Set<String> = []
    for source in sources {
      let found = try source.filesOfFolder()
      files += found ?? [source]
      if found == nil { named.insert(source.path) }
    }
    var classes: [SourceArgument] = []
    var collections: [SourceArgument] = []
    for file in files { if file.isCollection { collections.append(file) } else { classes.append(file) } }
    for file in collections {
      guard
        let (owner, property) = classes.indices.lazy.compactMap({ index in
          classes[index].property(ofCollection: file).map { (index, $0) }
        }).first
      else {
        throw named.contains(file.path)
          ? Diagnostic(
            .usage, .invalidInput, path: file.name, "this collection belongs to objects in a file that was not named",
            advice: "also name the file of the class, or name the whole folder")
          : Diagnostic(
            .usage, .invalidInput, path: file.name,
            "the folder has no file of the class that this collection belongs to",
            advice: "add it, or take this file out of the folder")
      }
      classes[owner].collections.append(
        CollectionFile(file.path, property: property, separator: file.fieldSeparator, null: file.null))
    }
    return classes
  }

  /// What a source turns out to be.
  private enum Kind: String {
    case json = "JSON", rows = "CSV", database = "a SQLite database", realm = "a realm as source"
    case exportedDatabase = "a database that 'export' wrote"
    case exportedFolder = "a folder that 'export' wrote"
  }

  /// Nil where it cannot be told.
  private var kind: Kind? {
    if ExplodedFolder.isOne(path) { return .exportedFolder }
    if path != "-", SafeOutput.isFolder(path) { return .rows }
    switch try? format ?? (isPipe ? nil : formatOfContent()) {
    case .json: return .json
    case .csv, .tsv: return .rows
    case .sqlite:
      // Anything but a file is refused later, and SQLite would wait for the writer of a named pipe.
      guard (try? TextInput.kind(of: path)) == .sqlite else { return nil }
      return (try? isForeignDatabase).map { $0 ? .database : .exportedDatabase }
    case .realm: return .realm
    case nil: return nil
    }
  }

  /// - Throws: `Diagnostic` for an option that means nothing for any of the sources.
  private static func requireEffect(of sources: [SourceArgument]) throws {
    guard let first = sources.first else { return }
    let options: [(name: String, isGiven: Bool, kinds: Set<Kind>)] = [
      ("--class", first.className != nil, [.json, .rows]), ("--delimiter", first.separator != nil, [.rows]),
      ("--null", first.null != nil, [.rows]), ("--columns", first.columns != nil, [.rows]),
      ("--coerce", first.coerces, [.json]), ("--tables", !first.tables.isEmpty, [.database]),
      ("--map", !first.classNames.isEmpty, [.database]), (first.keyOption, first.key != nil, [.realm]),
    ]
    let given = options.filter(\.isGiven)
    guard !given.isEmpty else { return }
    let kinds = sources.map(\.kind)
    for option in given where kinds.allSatisfy({ $0.map { !option.kinds.contains($0) } ?? false }) {
      let isWhole =
        option.kinds == [.database] && kinds[0] == .exportedDatabase || kinds[0] == .exportedFolder
      let whole = kinds[0] == .exportedFolder ? Kind.exportedFolder : .exportedDatabase
      let needed = option.kinds.flatMap { $0 == .rows ? ["CSV", "TSV"] : [$0.rawValue] }.sorted().alternatives
      throw Diagnostic(
        .usage, .invalidArgument,
        option.name + (isWhole ? " cannot be used with \(whole.rawValue)" : " needs \(needed)"),
        advice: isWhole ? "it is imported whole" : option.name == "--map" ? "for other sources, use --class" : nil)
    }
  }

  /// The CSV and TSV files of a folder that is not a whole export; nil for anything else.
  private func filesOfFolder() throws -> [SourceArgument]? {
    guard path != "-", SafeOutput.isFolder(path), !ExplodedFolder.isOne(path) else { return nil }
    let names = (try? SafeOutput.names(inFolder: path))?.sorted() ?? []
    if names.contains("_realm_keys.csv") {
      throw Diagnostic(
        .schema, .invalidInput, path: name, "a folder that 'export --explode' wrote, and _realm_schema.csv is missing",
        advice: "export the realm again, or name single files of the folder")
    }
    let files = names.compactMap { name -> SourceArgument? in
      guard let format = SourceFormat(endingOf: name), format == .csv || format == .tsv else { return nil }
      var file = self
      (file.path, file.format, file.className) = (path + (path.hasSuffix("/") ? "" : "/") + name, format, nil)
      return file
    }
    guard !files.isEmpty else {
      throw Diagnostic(
        .usage, .invalidInput, path: name, "the folder has no CSV or TSV files",
        advice: "name another folder, or the files themselves")
    }
    return files
  }

  private var fieldSeparator: UInt8 { separator ?? (format == .tsv ? 9 : UInt8(ascii: ",")) }

  private var isCollection: Bool {
    guard !isPipe, className == nil, columns == nil, format == .csv || format == .tsv,
      let name = classOfName, name.utf8.contains(UInt8(ascii: "."))
    else { return false }
    return CollectionFile.isOne(path, separator: fieldSeparator)
  }

  /// The property of the class in this file whose elements are in another; nil if they are those of another class.
  private func property(ofCollection file: SourceArgument) -> RealmString? {
    guard format == .csv || format == .tsv, let name = classOfRows,
      let whole = file.classOfName, whole.utf8.starts(with: name.utf8 + [UInt8(ascii: ".")])
    else { return nil }
    return RealmString(utf8: Array(whole.utf8.dropFirst(name.utf8.count + 1)))
  }

  /// - Throws: `Diagnostic`.
  func open() throws -> any ImportSource {
    try Diagnostic.ofSource(name) {
      if ExplodedFolder.isOne(path) { return try RelationalSource(exploded: path) }
      switch try format ?? formatOfContent() {
      case .json: return try JSONSource(path, coerces: coerces)
      case .csv: return try DelimitedSource(path, form(separator: UInt8(ascii: ",")))
      case .tsv: return try DelimitedSource(path, form(separator: 9))
      case .sqlite:
        try requireDatabase()
        return try isForeignDatabase ? ForeignSource(foreignDatabase()) : RelationalSource(path)
      case .realm: return OtherRealmSource(try openRealm())
      }
    }
  }

  /// Infers classes that fit the data.
  ///
  /// - Throws: `Diagnostic`.
  func infer(into inference: SchemaInference) throws {
    guard !isPipe else {
      throw Diagnostic(
        .usage, .invalidInput, path: path == "-" ? nil : name,
        "classes cannot be inferred from \(path == "-" ? "standard input" : "a pipe"), which can be read only once",
        advice: "write it to a file first")
    }
    try Diagnostic.ofSource(name) {
      if ExplodedFolder.isOne(path) { return inference.add(try RelationalSource(exploded: path).schema) }
      switch try format ?? formatOfContent() {
      case .json:
        // One object per line is never a document with an array for each class.
        let isOfLines = path.hasSuffix(".ndjson") || path.hasSuffix(".jsonl")
        try inference.addObjects(
          at: path, className: className.map { RealmString($0) } ?? (isOfLines ? classOfObjects : nil),
          orElse: classOfObjects)
      case .csv: try inference.addRows(at: path, form(separator: UInt8(ascii: ",")))
      case .tsv: try inference.addRows(at: path, form(separator: 9))
      case .sqlite:
        try requireDatabase()
        if try isForeignDatabase {
          inference.add(try foreignDatabase(), at: name)
        } else {
          inference.add(try RelationalFile(path).schema)
        }
      case .realm: inference.add(try openRealm().snapshot.schema)
      }
    }
  }

  /// Names and types of a damaged realm can be such that no realm may get them.
  ///
  /// - Parameter makeSchema: infers it from this source and those before it.
  /// - Throws: `Diagnostic` with the path of the source.
  func requireCreatable(_ makeSchema: () -> Schema) throws {
    guard !isPipe, !SafeOutput.isFolder(path), try (format ?? formatOfContent()) == .realm else { return }
    let schema = makeSchema()
    var problems = SchemaValidation(of: schema, for: .local).violations.filter { !$0.isAboutSync }.map { "\($0)" }
    for table in schema.tables where problems.isEmpty {
      do throws(BuildError) { try table.requireNames() } catch { problems.append("\(error)") }
    }
    guard let first = problems.first else { return }
    throw Diagnostic(
      .schema, .schemaValidationFailed, path: name, "the classes of the realm cannot be created",
      detail: first + (problems.count > 1 ? ", and \(problems.count - 1) more" : ""),
      advice: "run 'check' on \(path): if it is damaged, 'recover' saves what is left")
  }

  /// The files that the source is read from, as they are now. An app may write to a realm while it is read; every reading
  /// is of one state of it.
  var stamps: [FileStamp] {
    guard !isPipe, (try? TextInput.kind(of: path)) != .plainRealm, key == nil else { return [] }
    return paths.compactMap { try? SequentialInput.stamp(of: $0) }
  }

  private func openRealm() throws -> OpenedRealm {
    do {
      let realm = try OpenedRealm(ByteStore.open(path == "-" ? .standardInput : .path(path), key: key?.read(for: name)))
      try realm.requireReadable(.all)
      return realm
    } catch let error as StorageError {
      guard isPipe || (try? TextInput.kind(of: path)) != .sqlite else {
        var diagnostic = Diagnostic(error, path: name)
        diagnostic.advice = "it is a SQLite database: use --from sqlite"
        throw diagnostic
      }
      guard case .key(.missing) = error else { throw error }
      throw Diagnostic(KeyProblem.missing, path: name, option: keyOption)
    }
  }

  /// For a missing file, and for anything that is not a file, SQLite only says that it cannot open it.
  private func requireDatabase() throws {
    guard !isPipe else {
      throw Diagnostic(
        .usage, .invalidInput, path: name, "a SQLite database cannot be read from a pipe",
        advice: "write it to a file first")
    }
    guard try TextInput.kind(of: path) != .sqlite else { return }
    throw Diagnostic(
      .failed, .invalidDatabase, path: name, "not a SQLite database",
      advice: (try TextInput.kind(of: path)) == .plainRealm
        ? "it is a realm: use --from realm" : "check the path, or name the format with --from")
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
        advice: path.lowercased().contains(/\.xlsx?$/)
          ? "save the workbook as CSV first"
          : (try TextInput.archive(at: path)).map { "it is \($0); unpack it first" }
            ?? "use --from csv, tsv, json, sqlite or realm")
    }
  }

  /// The class of the rows of CSV; nil if neither an option nor the name gives it.
  var classOfRows: RealmString? { className.map { RealmString($0) } ?? classOfName }

  private func form(separator usual: UInt8) throws -> DelimitedForm {
    guard let found = classOfRows else {
      throw Diagnostic(
        .usage, .invalidInput, path: name, "the class of the rows is not known", advice: "name it with --class")
    }
    var form = DelimitedForm(className: found)
    form.separator = separator ?? usual
    (form.columns, form.null, form.collections) = (columns, null, collections)
    return form
  }

  /// The class that the name of a file means, as `export` makes it of the class.
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
  /// Runs `body`, and throws errors of a source as diagnostics.
  static func ofSource<Result>(_ name: String, _ body: () throws -> Result) throws -> Result {
    do { return try body() } catch { throw ofSource(error, path: name) }
  }

  /// An error as a diagnostic, if it is about a source.
  static func ofSource(_ error: any Error, path: String) -> any Error {
    switch error {
    case InputError.source(let fault): Diagnostic(fault, path: path)
    case let error as StorageError: Diagnostic(error, path: path)
    case let error as DatabaseError: Diagnostic(error, path: path)
    default: error
    }
  }

  init(_ fault: SourceFault, path: String) {
    self.init(
      fault.kind == .name ? .notFound : .schema, .invalidInput, path: path,
      at: fault.line.map { SourceMark(line: $0, column: fault.column ?? 1) }, fault.description, advice: fault.advice)
  }
}

extension SchemaInference {
  /// Warns of what links cannot store.
  func warnOfUnlinkedKeys(on console: Console) {
    for (path, key) in unlinkedKeys {
      console.warn(
        Diagnostic(
          .done, .notSupported, path: path,
          "foreign key '\(key.columns)' is imported as a value: links store a primary key of one column, and it refers to "
            + "'\(key.target)'"))
    }
  }

  /// - Throws: `Diagnostic` for an option that names a class or a property that no source has.
  func requireKnownChoices(links: Bool, existing: Schema = Schema(tables: [])) throws {
    guard let (choice, fault) = unknownChoice(links: links, existing: existing) else { return }
    let option =
      switch choice {
      case .type: "--type"
      case .link: "--link"
      case .primaryKey: "--primary-key"
      }
    throw Diagnostic(fault, path: option)
  }
}
