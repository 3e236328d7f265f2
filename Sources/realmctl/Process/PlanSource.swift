import RealmExchange
import RealmMigration
import RealmModels
import RealmOpening
import RealmPresentation
import RealmStorage
import RealmText
import RealmTools

/// Reads a plan and prepares it for a launch.
struct PlanSource {
  let request: PlanRequest
  let console: Console

  /// - Throws: `Diagnostic` for the last mistake; the others are reported before.
  func plan() throws -> MigrationPlan {
    switch request.source {
    case .operations(let operations):
      do throws(PlanError) { return try MigrationPlan(operations, version: request.version ?? 0) } catch {
        let mistake = error.mistakes[0]
        throw Diagnostic(ofWhere: mistake)
          ?? Diagnostic(.schema, .invalidInput, mistake.problem, advice: mistake.advice)
      }
    case .file(let path):
      let bytes: [UInt8]
      do { bytes = try TextInput.read(path) } catch let error as StorageError {
        throw Diagnostic(error, path: path)
      }
      do throws(PlanError) { return try MigrationPlan.parse(bytes, path: path) } catch {
        if let other = Diagnostic(at: path, insteadOf: "a plan", isOperand: request.isOperand) { throw other }
        if (try? SchemaFile(bytes)) != nil {
          throw Diagnostic(
            .schema, .invalidInput, path: path, "a schema file, not a plan",
            advice: request.isOperand ? "'plan new --schema' drafts a plan for it" : "give it to --schema")
        }
        throw console.reportAllButLast(of: error, in: path, "realmctl-plan(5) describes plans")
      }
    }
  }

  /// - Parameters:
  ///   - target: the schema that follows the plan.
  ///   - schemas: reads the schema that the plan expects.
  func run(_ plan: MigrationPlan, to target: Schema? = nil, schemas: SchemaSource, progress: Progress?) -> PlanRun {
    var options = PlanOptions()
    options.target = target
    options.version = request.version
    options.needsStepToVersion = !request.isFollowedBySchema
    options.initializes = request.initializes
    options.allowsCommands = request.allowsCommands
    if case .operations(let operations) = request.source, !operations.isEmpty { options.origin = .options }
    options.sampleCount = request.sampleCount
    if let progress { options.progress = { progress.show(share: $0) } }
    let folder = request.path.flatMap { path in path.lastIndex(of: "/").map { String(path[...$0]) } } ?? ""
    nonisolated(unsafe) let talk = console
    options.loadSchema = { [schemas] path in try schemas.schema(at: path.hasPrefix("/") ? path : folder + path, talk) }
    return PlanRun(plan, options)
  }
}

extension SourceMark {
  /// Nil for an error without a line.
  init?(_ location: PlanLocation) {
    guard location.line > 0 else { return nil }
    self.init(line: location.line, column: location.column)
  }
}

extension Diagnostic {
  /// A realm in the place of a document that is read for a realm; nil for anything else.
  ///
  /// - Parameter isOperand: whether both are arguments without a name, one after the other.
  init?(at path: String, insteadOf document: String, isOperand: Bool) {
    let kind = try? TextInput.kind(of: path)
    guard kind == .plainRealm || kind == .sqlite else { return nil }
    self.init(
      .schema, .invalidInput, path: RealmInput(path: path).name,
      "is a \(kind == .sqlite ? "SQLite database" : "realm"), not \(document)",
      advice: isOperand
        ? document == "rules"
          ? "name the rules first: 'redact check RULES FILE'" : "name the plan first: 'plan check PLAN FILE'"
        : "name \(document) in YAML or JSON")
  }

  /// Why a plan was stopped.
  ///
  /// - Parameters:
  ///   - path: of the realm.
  ///   - plan: the file; nil for operations that were given as options.
  ///   - isCheck: whether nothing would have been changed anyway.
  init(_ failure: PlanError.Mistake, path: String, plan: String?, isCheck: Bool = false) {
    if let refusal = failure.refusal {
      self.init(refusal, path: path, plan: plan)
      return
    }
    // In a plan, a mistake is one of the plan, whatever it is about.
    let isOption = plan == nil && failure.operation != nil
    if isOption, let diagnostic = Diagnostic(ofWhere: failure, path: path) {
      self = diagnostic
      problem = Self.soNothingWasChanged(problem)
      return
    }
    let operation = failure.operation.map { isOption ? PlanOptionGroup.option(of: $0) : $0 }
    let mark = SourceMark(failure.location)
    let plan = plan.map { RealmInput(path: $0).name }
    let place = plan.map { $0 + (mark?.suffix ?? "") }
    // A check is about the plan, a migration about a realm, of which there may be several.
    let places = [isCheck ? nil : place, operation].compactMap(\.self)
    let unknown = plan == nil ? failure.unknownName : nil
    let code: ErrorCode =
      switch unknown {
      case .classes: .noSuchTable
      case .properties: .invalidProperty
      // Without an operation, objects are edited by hand: their values are data.
      case .links, .tables, nil:
        failure.operation == nil && plan == nil ? .invalidInput : .migrationFailed
      }
    let problem = failure.subject + failure.problem
    self.init(
      unknown != nil ? .notFound : .schema,
      code,
      path: isCheck ? plan ?? path : path, at: isCheck && plan != nil ? mark : nil,
      (places + [isCheck ? problem : Self.soNothingWasChanged(problem)]).joined(separator: ": "),
      advice: failure.advice)
    // Not the name of a class that would be deleted with all its objects.
    if operation == "--delete-class", case .unknownName(.classes, let name)? = failure.cause, name.contains(".") {
      advice = "to delete a property, use 'remove_property' in a plan (--plan)"
    }
    if !failure.several.isEmpty {
      let (status, path) = (self.status, self.path)
      list(failure.several.map { Diagnostic(status, code, path: path, $0.problem, advice: $0.advice) })
    } else if !failure.objects.isEmpty {
      detail = failure.objects.joined(separator: "; ")
      if failure.objects.count > 1 { lines = failure.objects }
    }
  }

  /// A mistake in the query of `--where`; nil for any other.
  fileprivate init?(ofWhere mistake: PlanError.Mistake, path: String? = nil) {
    guard case .query(let error, let text)? = mistake.cause else { return nil }
    self.init(error, in: text, path: path)
    problem = "--where: " + problem
  }

  /// Lists, which have a line for each of their parts, stay as they are.
  static func soNothingWasChanged(_ problem: String) -> String {
    guard !problem.contains("\n") else { return problem }
    return problem.withoutStop + ", so nothing was changed"
  }

  /// - Parameter plan: its file; nil for operations that were given as options.
  init(_ refusal: PlanError.Refusal, path: String, plan: String? = nil) {
    let problem = refusal.problem
    switch refusal {
    // No operation changes what is not there.
    case .noVersion where (try? SequentialInput(path))?.byteCount == 0:
      self.init(StorageError.notARealm(.empty), path: path)
    case .noVersion:
      self.init(
        .schema, .invalidSchemaVersion, path: path, problem, advice: "use --init to run every step")
    case .endsBelow(let stored, _):
      self.init(
        .schema, .invalidSchemaVersion, path: path, problem,
        advice: "add a step above version \(stored) to the plan")
    case .noClass(let name, let known):
      self.init(noClass: name, among: known, path: path)
    case .notRun(let version):
      self.init(
        .schema, .invalidSchemaVersion, path: path, problem,
        advice: plan.map { "raise 'to' of the last step in \($0) to \(version + 1) or higher" }
          ?? "use --to-version \(version + 1) or higher")
    case .noStep(let version, let known):
      let last = known.max() ?? 0
      self.init(
        .schema, .invalidSchemaVersion, path: path, problem,
        detail: known.count > 1 ? "its steps end at \(known.map(String.init).joined(separator: ", "))" : nil,
        advice: "use --to-version \(known.last { $0 < version } ?? last), or add a step or --schema")
    }
  }

  /// What a run of a plan warns of.
  ///
  /// - Parameters:
  ///   - plan: the file; nil for operations that were given as options.
  ///   - path: of the realm.
  init(_ warning: PlanError.Mistake, plan: String?, path: String) {
    self.init(
      .done, .migrationFailed, path: plan.map { RealmInput(path: $0).name } ?? path,
      at: plan.flatMap { _ in SourceMark(warning.location) }, warning.message)
  }

  /// What may stop a plan when it runs.
  ///
  /// - Returns: nil if it more likely does not.
  init?(_ doubt: PlanDoubt, plan: String) {
    let place = "\(doubt.operation): "
    switch doubt.cause {
    case .mayLoseValues(let name):
      self.init(
        .done, .migrationFailed, path: RealmInput(path: plan).name, at: SourceMark(doubt.location),
        place + "the values of '\(name)' would be lost, which stops the plan",
        advice: "add 'lossy: ok' to accept that, or migrate with --allow-data-loss")
    case .unknownClass(let name, let property):
      guard let type = TypeVocabulary.type(meantBy: name) else { return nil }
      self.init(
        .done, .migrationFailed, path: RealmInput(path: plan).name, at: SourceMark(doubt.location),
        place + "property '\(property)' links to class '\(name)', which the plan does not add",
        advice: "did you mean '\(type)'?")
    }
  }

  /// Runs `body`, and turns what stops a plan into a message for the user.
  static func ofPlan<Result>(_ path: String, plan: String?, _ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as PlanError {
      throw Diagnostic(error.mistakes[0], path: path, plan: plan)
    }
  }
}
