import RealmStorage
import RealmTools
import Synchronization

/// A plan on its way through a launch: what the launch runs, and what there is to report afterwards.
///
/// ```swift
/// let run = PlanRun(plan, PlanOptions())
/// configuration.script = run.script
/// let outcome = try RealmLaunch(configuration, options).run()
/// print(run.report)
/// ```
package final class PlanRun: Sendable {
  package let plan: Plan
  package let options: PlanOptions
  private let state = Mutex<PlanReport?>(nil)

  package init(_ plan: Plan, _ options: PlanOptions) { (self.plan, self.options) = (plan, options) }

  /// What was done, also as far as it came when something stopped it; nil where nothing was begun.
  package var report: PlanReport? { state.withLock { $0 } }

  /// For the configuration of a launch.
  package var script: MigrationScript {
    MigrationScript(arrival: arrival, writesAhead: writesAhead) { [self] transaction in
      let execution = PlanExecution(steps(from: try transaction.schemaVersion()), self, transaction)
      defer { state.withLock { $0 = execution.report } }
      return try execution.execute()
    }
  }

  /// Runs the steps on a realm without objects, to find names and types that do not fit.
  ///
  /// - Returns: how many steps there are to run.
  /// - Throws: `PlanFailure`, `PlanRefusal`, `OpeningError`.
  package func rehearse(on schema: Schema) throws -> Int {
    guard try arrival(from: schema.version) != nil else { return 0 }
    var options = options
    options.isCheck = true
    try PlanRun(plan, options).script.rehearse(on: schema)
    return steps(from: schema.version).count
  }

  /// Whether operations read what others have changed: then all changes are written for them.
  private func writesAhead(from stored: UInt64?) -> Bool {
    options.sampleCount > 0 || !options.needsStepToVersion
      || steps(from: stored).contains { $0.operations.contains { $0.action.readsObjects } }
  }

  /// The version that the steps lead to.
  private func arrival(from stored: UInt64?) throws -> UInt64? {
    guard let stored else {
      guard options.initializes else { throw PlanRefusal.noVersion }
      return steps(from: nil).last?.version.value
    }
    let last = plan.lastVersion
    if let version = options.version {
      guard stored <= version else { throw OpeningError.versionDecreased(to: version, from: stored) }
      let hasStep = plan.steps.contains { $0.version.value == version }
      guard hasStep || !options.needsStepToVersion || stored == version else {
        throw PlanRefusal.noStep(version, known: plan.steps.map(\.version.value))
      }
    } else {
      guard stored <= last else { throw OpeningError.versionDecreased(to: last, from: stored) }
    }
    return steps(from: stored).last?.version.value
  }

  private func steps(from stored: UInt64?) -> [PlanStep] {
    plan.steps.filter { step in
      let version = step.version.value
      return stored.map { version > $0 } ?? true && version <= options.version ?? .max
    }
  }
}

/// Why a plan does not begin.
package enum PlanRefusal: Error, Hashable, Sendable {
  /// The file has no schema version.
  case noVersion
  /// No step leads to the version.
  case noStep(UInt64, known: [UInt64])
}
