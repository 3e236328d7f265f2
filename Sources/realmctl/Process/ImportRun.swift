import RealmExchange
import RealmOpening
import RealmStorage
import RealmSystem
import RealmText
import RealmTools

/// Imports objects for a command.
struct ImportRun: @unchecked Sendable {
  struct Request: Equatable {
    var sources: [SourceArgument]
    var options: ImportOptions
    var rejects: String?
    /// Of a new realm.
    var schema: String?
    /// The new schema version; nil to keep it.
    var version: UInt64?
    var createsClasses = false
    var addsProperties = false
    var choices = InferenceChoices()
    /// What is made of the realm then, to which nothing is written.
    var seed: String?
  }

  private(set) var request: Request
  let launch: LaunchRequest
  let console: Console

  /// What the script leaves behind for those who asked for it.
  private final class Result: @unchecked Sendable {
    var report = ImportReport()
  }

  /// Bytes of sources after which changes are written while objects are still being read.
  private static let spillSize: UInt64 = 32 << 20

  /// - Throws: `Diagnostic`.
  func run(key: EncryptionKey?) throws -> ImportSummary {
    var run = self
    do {
      run.request.sources = try SourceArgument.arranged(request.sources)
      return try run.runArranged(key: key)
    } catch let diagnostic as Diagnostic where diagnostic.path == launch.input.path && isSourceFirst(diagnostic) {
      throw Diagnostic(
        .usage, .invalidArgument, path: diagnostic.path, "this is a source, not a realm",
        advice: "the realm comes first: "
          + ShellText.command(
            ["realmctl", "import", run.request.sources.first.map { ShellText.path($0.path) } ?? "app.realm"]
              + [ShellText.path(launch.input.path)]))
    }
  }

  /// Whether the sources were named before the realm.
  private func isSourceFirst(_ diagnostic: Diagnostic) -> Bool {
    (SourceFormat(endingOf: launch.input.path)?.isText == true
      || (try? TextInput.kind(of: launch.input.path)) == .sqlite)
      && [.invalidDatabase, .fileNotFound].contains(diagnostic.code)
  }

  private func runArranged(key: EncryptionKey?) throws -> ImportSummary {
    if launch.destination == nil, !launch.isInMemory { try launch.input.requireChangeable() }
    if let report = try build(key: key) { return ImportSummary(report, nil, launch, request) }
    let (report, done) = try performArranged(key: key)
    return ImportSummary(report, done, launch, request)
  }

  /// Imports the objects and reports what is wrong with any of them.
  ///
  /// - Throws: `Diagnostic`.
  func perform(key: EncryptionKey?) throws -> (report: ImportReport, launch: LaunchRun.Result) {
    var run = self
    run.request.sources = try SourceArgument.arranged(request.sources)
    return try run.performArranged(key: key)
  }

  private func performArranged(key: EncryptionKey?) throws -> (report: ImportReport, launch: LaunchRun.Result) {
    let result = Result()
    let stamps = request.sources.map(\.stamps)
    let target = try target(key: key)
    let rejects = try request.rejects.map { path in
      guard ![launch.input.path, launch.destination?.path, request.seed].contains(path) else {
        throw Diagnostic(
          .usage, .invalidArgument, path: path, "the realm has this path", advice: "choose another path for --rejects")
      }
      return try RejectsFile(path, request.sources, launch.input)
    }
    let sizes = request.sources.map { source in
      ExplodedFolder.byteCount(of: source.path) ?? (try? SequentialInput(source.path))?.byteCount ?? .max
    }
    var wanted = request.options
    wanted.data.defaults = target?.defaultValues ?? [:]
    wanted.canAddProperties = !launch.isInMemory
    wanted.spills = sizes.contains { $0 > Self.spillSize }
    wanted.keepsOffDisk = key != nil || request.sources.contains { $0.key != nil }
    let options = wanted
    let script = MigrationScript(
      editingObjects: { transaction in
        let outcome = try perform(options, transaction, result, rejects)
        try requireUnchanged(since: stamps)
        return outcome
      }, spills: options.spills)
    let done: LaunchRun.Result
    do {
      done = try LaunchRun(request: launch, console: console).run(
        key: key, script: script, target: target,
        alongside: request.sources.flatMap { $0.paths + [$0.key?.path].compactMap { $0 } })
    } catch InputError.problems(let report) {
      try rejects?.publish()
      throw failed(report)
    } catch var diagnostic as Diagnostic
      where diagnostic.code == .fileNotFound && diagnostic.path == launch.input.path && !launch.creates
    {
      diagnostic.advice = "check the path, or use --create to create it"
      throw diagnostic
    }
    try rejects?.publish()
    if result.report.problemCount > 0 { tell(result.report) }
    warn(ofEmptySources: result.report.emptySources)
    console.warn(ofRounded: result.report.roundedCounts, in: launch.input.name)
    for name in result.report.unidentified {
      console.warn(
        Diagnostic(
          .done, .invalidInput, path: launch.input.name,
          "'\(name)' has no primary key, so no object of the sources is found in it",
          advice: "use --match \(name).PROPERTY"))
    }
    return (result.report, done)
  }

  /// Classes are inferred in a first reading, and must fit what the second one finds.
  ///
  /// - Throws: `Diagnostic` for a source that was replaced or changed meanwhile.
  private func requireUnchanged(since stamps: [[FileStamp]]) throws {
    guard request.createsClasses || request.addsProperties else { return }
    for (source, stamps) in zip(request.sources, stamps) where source.stamps != stamps {
      throw Diagnostic(
        .inUse, .fileOperationFailed, path: source.name, "the file changed while it was read, so nothing was imported",
        advice: "try again when nothing writes to it")
    }
  }

  private func warn(ofEmptySources numbers: [Int]) {
    for number in numbers {
      console.warn(
        Diagnostic(
          emptySource: request.sources[number].path, ignoresUnknown: request.options.data.ignoresUnknownProperties))
    }
  }

  // MARK: New realms

  /// Creates a new realm directly, which takes a fraction of the time of inserting objects into one.
  ///
  /// - Returns: nil if the realm exists, if an option rules it out, and if anything is wrong with the sources: the
  ///   usual way then finds all mistakes.
  private func build(key: EncryptionKey?) throws -> ImportReport? {
    guard launch.creates, !launch.isInMemory, launch.destination == nil, !launch.compacts,
      !SafeOutput.isNameTaken(launch.input.path), request.options.isPlain, request.rejects == nil,
      !request.sources.contains(where: \.isPipe)
    else { return nil }
    let stamps = request.sources.map(\.stamps)
    guard let target = try target(key: key) else { return nil }
    // Object keys mean the objects of one file.
    guard request.sources.count == 1 || request.sources.allSatisfy({ $0.format?.isText == true }) else { return nil }
    var options = request.options.data
    (options.defaults, options.schemaVersion) = (target.defaultValues, target.schema.version ?? 0)
    let sources = request.sources
    let writing = OutputTarget(
      path: launch.input.path, dryRun: launch.dryRun, verifies: launch.verifies)
    let run = CopyPresenter(
      writing, of: RealmInput(path: launch.input.path, key: launch.input.key), key: key, from: .same,
      alongside: sources.flatMap { ($0.paths as [String?]) + [$0.key?.path] } + [request.schema], on: console)
    var output = run.writing
    output.inputs = sources.flatMap(\.paths)
    // A user who may not read an encrypted source must not be able to read the result.
    if key == nil, sources.contains(where: { $0.key != nil }) { output.isPrivate = true }
    // Objects keep their keys if all of them have one, in order, as in lossless exports.
    var made: UnpublishedRealm?
    options.keepsGivenKeys = true
    for keepsObjectKeys in [true, false] where made == nil {
      options.keepsObjectKeys = keepsObjectKeys
      var seed = DataSeed(
        schema: target.schema, dataAt: sources.map(\.path), options: options,
        sources: sources.map { source in { try source.open() } })
      (seed.key, seed.verifies, seed.progress) = (key, launch.verifies, run.progress)
      seed.threadLimit = Processors.threadCount(forBytes: .max) - 1
      do { made = try output.build(seed) } catch let error where Self.isOfData(error) {
        console.endProgress()
      } catch {
        return try run.diagnosing { throw error }
      }
    }
    guard let realm = made else { return nil }
    try requireUnchanged(since: stamps)
    if let key { console.verbose(key, for: launch.input.name) }
    try run.publish(realm)
    warn(ofEmptySources: realm.emptySources)
    console.warn(ofRounded: realm.roundedCounts, in: launch.input.name)
    var report = ImportReport()
    report.emptySources = realm.emptySources
    let embedded = Set(target.schema.tables.filter { $0.kind == .embedded }.map(\.displayName))
    report.counts = realm.classes.filter { $0.objectCount > 0 && !embedded.contains($0.name) }.map {
      var counts = ImportCounts()
      (counts.read, counts.inserted) = ($0.objectCount, $0.objectCount)
      return ($0.name, counts)
    }
    return report
  }

  private static func isOfData(_ error: any Error) -> Bool {
    error is InputError || error is BuildError || error is Diagnostic
  }

  // MARK: Schema

  /// The new schema of the realm; nil to leave it as it is.
  private func target(key: EncryptionKey?) throws -> SchemaSource.Target? {
    let source = SchemaSource(key: launch.input.key, read: key, usesDefaults: true)
    let isThere = !launch.input.path.isEmpty && SafeOutput.isNameTaken(launch.input.path)
    guard isThere || launch.creates else { return nil }
    if isThere, request.schema != nil {
      throw Diagnostic(
        .usage, .invalidArgument, path: launch.input.path, "the realm already exists, and --schema is for new ones",
        advice: "omit --create and --schema")
    }
    var target =
      try request.schema.map { try source.localTarget(at: $0, console) }
      ?? SchemaSource.Target(schema: isThere ? try source.schema(ofRealm: launch.input.path, console) : Schema())
    let stored = target.schema
    target.schema.tables = stored.classes
    if let version = request.version { target.schema.version = version }
    if request.createsClasses || request.addsProperties { try addInferred(to: &target.schema) }
    // Without new classes or properties the version stays.
    return target.schema.tables == stored.classes && isThere ? nil : target
  }

  private func addInferred(to schema: inout Schema) throws {
    let inference = SchemaInference(request.choices)
    for source in request.sources {
      try source.infer(into: inference)
      try source.requireCreatable {
        Schema(tables: schema.tables + inference.schema(addedTo: schema, addsProperties: false).tables)
      }
    }
    inference.warnOfUnlinkedKeys(on: console)
    try inference.requireKnownChoices(links: false, existing: schema)
    for table in inference.schema(addedTo: schema, addsProperties: request.addsProperties).tables {
      guard table.properties.count <= TableSchema.mostProperties else {
        throw Diagnostic(
          .schema, .invalidInput, path: launch.input.name,
          "class '\(table.displayName)' would have \(table.properties.count) properties, and a class has at most "
            + "\(TableSchema.mostProperties)")
      }
      if let number = schema.tables.firstIndex(where: { $0.name == table.name }) {
        guard request.addsProperties else { continue }
        for property in table.properties
        where !schema.tables[number].properties.contains(where: { $0.name == property.name }) {
          var added = property
          // Existing objects have no value for it.
          if added.collection == nil { added.isOptional = true }
          added.index = .none
          schema.tables[number].properties.append(added)
        }
      } else if request.createsClasses {
        schema.tables.append(table)
      }
    }
    try requireTargets(in: schema)
  }

  /// An option can make a property link to a class that neither the realm nor a source has.
  private func requireTargets(in schema: Schema) throws {
    let known = Set(schema.tables.map(\.name))
    for table in schema.tables {
      for property in table.properties {
        guard let target = property.target, !known.contains(target), let name = property.targetClass, !name.isEmpty
        else {
          continue
        }
        throw Diagnostic(
          .notFound, .noSuchTable, path: request.sources.count == 1 ? request.sources[0].name : nil,
          "property '\(table.displayName).\(property.name)' would link to class '\(name)', which does not exist",
          advice: "also name the source with its objects")
      }
    }
  }

  private func perform(
    _ options: ImportOptions, _ transaction: WriteTransaction, _ result: Result, _ rejects: RejectsFile?
  ) throws -> MigrationScript.Outcome {
    do {
      let importer = try ObjectImporter(transaction, options)
      importer.onProblem = { problem in try rejects?.write(problem) }
      result.report = try importer.run(try request.sources.map { try $0.open() })
      // While nothing has been imported yet.
      try rejects?.complete()
    } catch InputError.input(let number, let error) {
      throw Diagnostic.ofSource(error, path: request.sources[number].name)
    } catch {
      throw error is StorageError ? error : Diagnostic.ofSource(error, path: launch.input.name)
    }
    var outcome = MigrationScript.Outcome()
    outcome.counts = transaction.takeCounts()
    return outcome
  }

  // MARK: Problems

  private func tell(_ report: ImportReport) {
    for problem in report.problems { console.warn(diagnostic(problem)) }
  }

  private func failed(_ report: ImportReport) -> Diagnostic {
    for problem in report.problems { console.report(diagnostic(problem)) }
    let more = report.problemCount - report.problems.count
    return Diagnostic(
      .schema, .invalidInput, path: request.seed ?? launch.input.name,
      (request.seed == nil ? "nothing was imported" : "the seed was not written")
        + ": \(report.problemCount.counted("mistake"))" + (more > 0 ? ", \(more) not shown" : ""),
      advice: request.rejects.map { "\($0) has all of them" }
        ?? (more > 0 ? "use --rejects FILE to write all of them" : advice(for: report.problems)))
  }

  /// An option that helps with all of them, if there is one.
  private func advice(for problems: [ImportProblem]) -> String {
    let remedies = Set(problems.map(\.remedy))
    return switch remedies {
    case let some where some.contains(.fixSyntax): "fix the sources"
    case [.nameTheClass]: "name the class with --class"
    case [.createClasses], [.ignoreUnknown], [.createClasses, .ignoreUnknown]:
      SourceFault.advice(
        onUnknown: problems.count, classes: remedies.contains(.createClasses),
        canAddProperties: remedies.contains(.ignoreUnknown) && !launch.isInMemory,
        canIgnore: !remedies.contains(.createClasses))
    case [.updateExisting]: "use --mode upsert to update existing objects, or --mode skip to leave them as they are"
    case [.matchByPrimaryKey]: "omit --match to find existing objects by their primary keys, or fix the sources"
    case [.createTargets]: "use --create-missing to create them, or fix the sources"
    case let some where some.contains(.nameTheClass): "name the class with --class, and fix the sources"
    case let some where some.contains(.ignoreUnknown):
      "fix the sources, or use --ignore-unknown and \(request.options.mostErrors > 0 ? "raise " : "")--max-errors"
    default: "fix the sources, or \(request.options.mostErrors > 0 ? "raise" : "use") --max-errors"
    }
  }

  private func diagnostic(_ problem: ImportProblem) -> Diagnostic {
    let source = request.sources[problem.source]
    return Diagnostic(
      .schema, .invalidInput, path: problem.file.map { RealmInput(path: $0).name } ?? source.name,
      at: problem.line > 0 ? SourceMark(line: problem.line, column: problem.column) : nil, problem.reason,
      detail: problem.object.map { "object \($0)" }, advice: problem.advice)
  }
}

/// The file for all problems with the sources: a line of JSON for each.
private final class RejectsFile: @unchecked Sendable {
  private let output: SafeOutput
  private let sources: [SourceArgument]
  private var isComplete = false

  /// - Throws: `Diagnostic`.
  init(_ path: String, _ sources: [SourceArgument], _ realm: RealmInput) throws {
    self.sources = sources
    do throws(OutputError) {
      output = try SafeOutput(
        at: path, replacing: Self.isList(path) ? .any : .never, inputs: realm.files + sources.flatMap(\.paths))
      if realm.key != nil { try output.makePrivate() }
    } catch .exists {
      throw Diagnostic(
        .failed, .fileExists, path: path, "the output already exists",
        advice: "choose another path for --rejects, or delete the file")
    } catch {
      throw Diagnostic(error)
    }
  }

  /// Whether a file is empty or a list of mistakes, such as that of a dry run: nothing else is replaced.
  private static func isList(_ path: String) -> Bool {
    let beginning = Array(#"{"source":"#.utf8)
    return withUnsafeTemporaryAllocation(byteCount: beginning.count, alignment: 1) { buffer in
      guard let count = try? SequentialInput(path).read(into: buffer) else { return false }
      return count == 0 || count == beginning.count && buffer.elementsEqual(beginning)
    }
  }

  func write(_ problem: ImportProblem) throws {
    let json = JSONText()
    json.object {
      json.path("source", problem.file ?? sources[problem.source].path)
      if problem.line > 0 {
        json.member("line", problem.line)
        json.member("column", problem.column)
      }
      json.member("class", problem.className?.description)
      json.member("property", problem.property?.description)
      json.member("object", problem.object)
      json.member("value", problem.value)
      json.member("message", problem.reason + (problem.advice.map { "; " + $0 } ?? ""))
    }
    let line = Array((json.text + "\n").utf8)
    try line.withUnsafeBytes { bytes in
      do throws(OutputError) { try output.write(bytes) } catch { throw Diagnostic(error) }
    }
  }

  /// Writes what is still in memory to the disk. There is nothing to add afterwards.
  func complete() throws {
    guard !isComplete else { return }
    do throws(OutputError) { try output.close() } catch { throw Diagnostic(error) }
    isComplete = true
  }

  func publish() throws {
    try complete()
    do throws(OutputError) {
      try output.publish()
    } catch {
      throw Diagnostic(error)
    }
  }
}
