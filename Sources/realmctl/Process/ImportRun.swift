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
    let result = Result()
    let rejects = try request.rejects.map { try RejectsFile($0, request.sources, launch.input) }
    let sizes = request.sources.map { (try? SequentialInput($0.path))?.byteCount ?? .max }
    var wanted = request.options
    wanted.spills = sizes.contains { $0 > Self.spillSize }
    let options = wanted
    let script = MigrationScript(
      editingObjects: { transaction in
        try perform(options, transaction, result, rejects)
      }, spills: options.spills)
    let done: LaunchRun.Result
    do {
      done = try LaunchRun(request: launch, console: console).run(
        key: key, script: script, alongside: request.sources.flatMap { [$0.path, $0.keyFile].compactMap { $0 } })
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
    return ImportSummary(result.report, done, launch, request)
  }

  private func perform(
    _ options: ImportOptions, _ transaction: WriteTransaction, _ result: Result, _ rejects: RejectsFile?
  ) throws -> MigrationScript.Outcome {
    do {
      let importer = try ObjectImporter(transaction, options)
      importer.onProblem = { problem in try rejects?.write(problem) }
      result.report = try importer.run(try request.sources.map(open))
    } catch let failure as ImportSourceFailure {
      throw diagnostic(failure.error, path: request.sources[failure.number].name)
    } catch let error as ImportSourceError {
      throw Diagnostic(error, path: launch.input.name)
    }
    var outcome = MigrationScript.Outcome()
    outcome.counts = transaction.takeCounts()
    return outcome
  }

  // MARK: Sources

  private func open(_ source: SourceArgument) throws -> any ImportSource {
    do {
      switch try source.format ?? format(of: source) {
      case .json: return try JSONSource(source.path, coerces: source.coerces)
      case .csv: return try delimited(source, separator: UInt8(ascii: ","))
      case .tsv: return try delimited(source, separator: 9)
      case .sqlite: return try RelationalSource(source.path)
      case .realm:
        let key = try source.keyFile.map { try KeySource.file($0).read(for: source.name) }
        let bytes = try ByteStore.open(source.path == "-" ? .standardInput : .path(source.path), key: key)
        return OtherRealmSource(try OpenedRealm(bytes))
      }
    } catch let error where !(error is Diagnostic) {
      throw diagnostic(error, path: source.name)
    }
  }

  private func format(of source: SourceArgument) throws -> SourceFormat {
    switch try TextInput.kind(of: source.path) {
    case .json: return .json
    case .sqlite: return .sqlite
    case .plainRealm: return .realm
    case .other:
      if source.keyFile != nil { return .realm }
      throw Diagnostic(
        .usage, .invalidInput, path: source.name, "the name does not say what the file is",
        advice: "use --from csv, tsv, json, sqlite or realm")
    }
  }

  private func delimited(_ source: SourceArgument, separator: UInt8) throws -> DelimitedSource {
    guard let name = source.className.map({ RealmString($0) }) ?? Self.className(of: source.path) else {
      throw Diagnostic(
        .usage, .invalidInput, path: source.name, "the name does not say of which class the rows are",
        advice: "use --class")
    }
    var form = DelimitedForm(className: name)
    form.separator = source.separator ?? separator
    (form.columns, form.null) = (source.columns, source.null)
    return try DelimitedSource(source.path, form)
  }

  /// The class that the name of a file stands for, as `export` makes it of the class.
  private static func className(of path: String) -> RealmString? {
    guard path != "-", let name = path.split(separator: "/").last else { return nil }
    let stem = name.split(separator: ".", omittingEmptySubsequences: false).dropLast().joined(separator: ".")
    return stem.isEmpty ? nil : FileName.name(ofPart: stem)
  }

  // MARK: Problems

  private func diagnostic(_ error: any Error, path: String) -> any Error {
    switch error {
    case let error as ImportSourceError: Diagnostic(error, path: path)
    case let error as StorageError: Diagnostic(error, path: path)
    case let error as RelationalFile.Problem: Diagnostic(error, path: path)
    default: error
    }
  }

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

extension Diagnostic {
  init(_ error: ImportSourceError, path: String) {
    let place = error.line.map { line in ":\(line):\(error.column ?? 1)" } ?? ""
    self.init(.schema, .invalidInput, path: path + place, error.description, advice: error.advice)
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
