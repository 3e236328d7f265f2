import RealmExchange
import RealmMigration
import RealmStorage
import RealmText
import RealmTools

/// Reads a plan and prepares it for a launch.
struct PlanSource {
  let request: PlanRequest
  let console: Console

  /// - Throws: `Diagnostic` for the last mistake; the others are reported before.
  func plan() throws -> Plan {
    switch request.source {
    case .operations(let operations):
      do throws(PlanError) { return try PlanOptionGroup.plan(operations, request.version ?? 0) } catch {
        throw Diagnostic(.schema, .invalidInput, error.message)
      }
    case .file(let path):
      let bytes: [UInt8]
      do { bytes = try TextInput.read(path) } catch let error as StorageError {
        throw Diagnostic(error, path: path)
      }
      do throws(PlanError) { return try Plan.parse(bytes, path: path) } catch {
        throw console.reportAllButLast(of: error, in: path)
      }
    }
  }

  /// - Parameters:
  ///   - target: the schema that follows the plan.
  ///   - schemas: reads the schema that the plan expects.
  func run(_ plan: Plan, to target: Schema? = nil, schemas: SchemaSource, progress: Progress?) -> PlanRun {
    var options = PlanOptions()
    options.target = target
    options.version = request.version
    options.needsStepToVersion = !request.isFollowedBySchema
    options.initializes = request.initializes
    options.allowsCommands = request.allowsCommands
    if case .operations = request.source { options.mustRun = true }
    options.sampleCount = request.sampleCount
    if let progress { options.progress = { progress.show(share: $0) } }
    let folder = request.path.flatMap { path in path.lastIndex(of: "/").map { String(path[...$0]) } } ?? ""
    nonisolated(unsafe) let talk = console
    options.loadSchema = { [schemas] path in try schemas.schema(at: path.hasPrefix("/") ? path : folder + path, talk) }
    return PlanRun(plan, options)
  }
}

extension PlanLocation {
  /// `plan.yml:3:14`; the path alone for an error without a line.
  func text(in path: String) -> String { line == 0 ? path : "\(path):\(line):\(column)" }
}

extension Diagnostic {
  /// - Parameters:
  ///   - path: of the realm.
  ///   - plan: the file; nil for operations that were given as options.
  init(_ failure: PlanFailure, path: String, plan: String?) {
    let place = plan.map { failure.location.text(in: $0) + ": " } ?? ""
    self.init(
      .schema, .migrationFailed, path: path, place + (failure.operation.map { $0 + ": " } ?? "") + failure.message,
      detail: "nothing was changed",
      advice: failure.objectExists && failure.operation == nil ? "use 'update' to change that object" : nil)
  }

  init(_ refusal: PlanRefusal, path: String) {
    switch refusal {
    case .noVersion:
      self.init(
        .schema, .invalidSchemaVersion, path: path, "the realm has no schema version, so no step starts from it",
        advice: "use --init to run every step")
    case .noClass(let name, let known):
      self.init(
        .notFound, .noSuchTable, path: path, "no class '\(name)'",
        advice: Similarity.nearest(to: name, among: known).map { "did you mean '\($0)'?" })
    case .notRun(let version):
      self.init(
        .schema, .invalidSchemaVersion, path: path,
        "already at schema version \(version), so the changes did not run", detail: "nothing was changed",
        advice: "use a higher --to-version")
    case .noStep(let version, let known):
      let last = known.max() ?? 0
      self.init(
        .schema, .invalidSchemaVersion, path: path,
        version > last
          ? "the plan ends at version \(last), not \(version)" : "no step of the plan ends at version \(version)",
        detail: "its steps end at \(known.map(String.init).joined(separator: ", "))",
        advice: "use --to-version \(known.last { $0 < version } ?? last), or add --schema")
    }
  }

  /// Runs `body`, and turns what stops a plan into a message for the user.
  static func ofPlan<Result>(_ path: String, plan: String?, _ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as PlanFailure {
      throw Diagnostic(error, path: path, plan: plan)
    } catch let error as PlanRefusal {
      throw Diagnostic(error, path: path)
    }
  }
}
