import RealmExchange
import RealmStorage
import RealmText
import RealmTools

/// Imports objects for a command.
struct ImportRun: @unchecked Sendable {
  struct Request: Equatable {
    var sources: [SourceArgument]
    var options: ImportOptions
    var rejects: String?
    /// Of a realm that is made.
    var schema: String?
    /// The schema version to go to; nil to stay.
    var version: UInt64?
    var createsClasses = false
    var addsProperties = false
    var choices = InferenceChoices()

    static func == (left: Request, right: Request) -> Bool {
      left.sources == right.sources && left.rejects == right.rejects && left.options.mode == right.options.mode
    }
  }

  let request: Request
  let launch: LaunchRequest
  let console: Console

  /// What the script leaves behind for those who asked for it.
  private final class Result: @unchecked Sendable {
    var report = ImportReport()
  }

  /// Bytes of sources from which changes are written while objects come.
  private static let spillSize: UInt64 = 32 << 20

  /// - Throws: `Diagnostic`.
  func run(key: EncryptionKey?) throws -> ImportSummary {
    let (report, done) = try perform(key: key)
    return ImportSummary(report, done, launch, request)
  }

  /// Imports the objects and says what is wrong with any of them.
  ///
  /// - Throws: `Diagnostic`.
  func perform(key: EncryptionKey?) throws -> (report: ImportReport, launch: LaunchRun.Result) {
    let result = Result()
    let target = try target(key: key)
    let rejects = try request.rejects.map { try RejectsFile($0, request.sources, launch.input) }
    let sizes = request.sources.map { (try? SequentialInput($0.path))?.byteCount ?? .max }
    var wanted = request.options
    wanted.data.defaults = target?.defaultValues ?? [:]
    wanted.spills = sizes.contains { $0 > Self.spillSize }
    let options = wanted
    let script = MigrationScript(
      editingObjects: { transaction in
        try perform(options, transaction, result, rejects)
      }, spills: options.spills)
    let done: LaunchRun.Result
    do {
      done = try LaunchRun(request: launch, console: console).run(
        key: key, script: script, target: target,
        alongside: request.sources.flatMap { [$0.path, $0.key?.path].compactMap { $0 } })
    } catch let failure as ImportFailure {
      try rejects?.publish()
      throw failed(failure.report)
    }
    try rejects?.publish()
    if result.report.problemCount > 0 { tell(result.report) }
    for number in result.report.emptySources {
      console.warn(
        Diagnostic(
          .done, .invalidInput, path: request.sources[number].name, "the file is empty and adds no objects",
          advice: "check the path"))
    }
    return (result.report, done)
  }

  // MARK: Schema

  /// The schema that the realm is to have; nil to leave it as it is.
  private func target(key: EncryptionKey?) throws -> SchemaSource.Target? {
    let source = SchemaSource(key: launch.input.key, read: key, usesDefaults: true)
    let isThere = !launch.input.path.isEmpty && SafeOutput.isNameTaken(launch.input.path)
    guard isThere || launch.creates else { return nil }
    var target =
      try request.schema.map { try source.localTarget(at: $0, console) }
      ?? SchemaSource.Target(schema: isThere ? try source.schema(at: launch.input.path, console) : Schema())
    let stored = target.schema
    target.schema.tables = stored.classes
    if let version = request.version { target.schema.version = version }
    if request.createsClasses || request.addsProperties { try addInferred(to: &target.schema) }
    return target.schema == stored && isThere ? nil : target
  }

  private func addInferred(to schema: inout Schema) throws {
    let inference = SchemaInference(request.choices)
    for source in request.sources { try source.infer(into: inference) }
    for table in inference.schema.tables {
      if let number = schema.tables.firstIndex(where: { $0.name == table.name }) {
        guard request.addsProperties else { continue }
        for property in table.properties
        where !schema.tables[number].properties.contains(where: { $0.name == property.name }) {
          var added = property
          // Objects that are there have no value for it.
          if added.collection == nil { added.isOptional = true }
          added.index = .none
          schema.tables[number].properties.append(added)
        }
      } else if request.createsClasses {
        schema.tables.append(table)
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
    } catch let failure as ImportSourceFailure {
      throw Diagnostic.ofSource(failure.error, path: request.sources[failure.number].name)
    } catch let error as ImportSourceError {
      throw Diagnostic(error, path: launch.input.name)
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
      .schema, .invalidInput, path: launch.input.name,
      "nothing was imported: \(report.problemCount.counted("problem"))" + (more > 0 ? ", \(more) not shown" : ""),
      advice: request.rejects.map { "\($0) has all of them" }
        ?? (more > 0 ? "--rejects FILE writes all of them" : "fix the sources, or use --max-errors"))
  }

  private func diagnostic(_ problem: ImportProblem) -> Diagnostic {
    let source = request.sources[problem.source]
    let place = problem.line > 0 ? ":\(problem.line):\(problem.column)" : ""
    return Diagnostic(
      .schema, .invalidInput, path: source.name + place, problem.reason, detail: problem.object.map { "object \($0)" })
  }
}

/// Where everything goes that is wrong with the sources: a line of JSON for each problem.
private final class RejectsFile: @unchecked Sendable {
  private let output: SafeOutput
  private let sources: [SourceArgument]
  private let text = TextBuffer(capacity: 256)

  /// - Throws: `Diagnostic`.
  init(_ path: String, _ sources: [SourceArgument], _ realm: RealmInput) throws {
    self.sources = sources
    do throws(OutputError) {
      output = try SafeOutput(at: path, replacing: .any, inputs: realm.files + sources.map(\.path))
      if realm.key != nil { try output.makePrivate() }
    } catch {
      throw Diagnostic(error)
    }
  }

  func write(_ problem: ImportProblem) throws {
    let json = JSONText()
    json.object {
      json.path("source", sources[problem.source].path)
      if problem.line > 0 {
        json.member("line", problem.line)
        json.member("column", problem.column)
      }
      json.member("class", problem.className?.description)
      json.member("property", problem.property?.description)
      json.member("object", problem.object)
      json.member("value", problem.value)
      json.member("message", problem.reason)
    }
    let line = Array((json.text + "\n").utf8)
    try line.withUnsafeBytes { bytes in
      do throws(OutputError) { try output.write(bytes) } catch { throw Diagnostic(error) }
    }
  }

  func publish() throws {
    do throws(OutputError) {
      try output.close()
      try output.publish()
    } catch {
      throw Diagnostic(error)
    }
  }
}
