import RealmExchange
import RealmOpening
import RealmStorage
import RealmSystem
import RealmTools

/// A plan on its way through a launch: what the launch runs, and what there is to report afterwards.
///
/// ```swift
/// let run = PlanRun(plan, PlanOptions())
/// configuration.script = run.script
/// let outcome = try RealmLaunch(configuration, options).run()
/// print(run.report)
/// ```
package final class PlanRun: Sendable {
  package let plan: MigrationPlan
  package let options: PlanOptions
  private let state = Locked<PlanReport?>(nil)

  package init(_ plan: MigrationPlan, _ options: PlanOptions) { (self.plan, self.options) = (plan, options) }

  /// What was done, even if something stopped it; nil if nothing was begun.
  package var report: PlanReport? { state.withLock { $0 } }

  /// For the configuration of a launch.
  package var script: MigrationScript {
    guard options.origin != .edit else {
      return MigrationScript(
        editingObjects: { [self] transaction in try execute(plan.steps, on: transaction) }, spills: options.spillsEdits)
    }
    return MigrationScript(arrival: arrival, spills: spills) { [self] transaction in
      try execute(steps(from: transaction.schemaVersion()), on: transaction)
    }
  }

  func execute(_ steps: [PlanStep], on transaction: WriteTransaction) throws -> MigrationScript.Outcome {
    let execution = PlanExecution(steps, self, transaction)
    defer { state.withLock { $0 = execution.report } }
    return try execution.execute()
  }

  /// Runs the steps on a realm without objects, to find names and types that do not fit.
  ///
  /// - Returns: how many steps there are to run, and what a run with objects would warn of.
  /// - Throws: `PlanError` with all that can be found, `OpeningError`.
  package func dryRun(on schema: Schema) throws -> (stepCount: Int, warnings: [PlanError.Mistake]) {
    guard try arrival(from: schema.version) != nil else { return (0, []) }
    var options = options
    (options.checksOnly, options.findsAllFailures) = (true, true)
    let run = PlanRun(plan, options)
    try run.script.dryRun(on: schema)
    return (steps(from: schema.version).count, run.report?.warnings ?? [])
  }

  /// Whether operations read what others have changed: then all changes are written for them.
  private func spills(from stored: UInt64?) -> Bool {
    options.sampleCount > 0 || !options.needsStepToVersion
      || steps(from: stored).contains { $0.operations.contains { $0.action.readsObjects } }
  }

  /// The version that the steps end at.
  private func arrival(from stored: UInt64?) throws -> UInt64? {
    guard let stored else {
      guard options.initializes else { throw PlanError(.noVersion) }
      return steps(from: nil).last?.version.value
    }
    let last = plan.lastVersion
    if let version = options.version {
      guard stored <= version else { throw OpeningError.versionDecreased(to: version, from: stored) }
      let hasStep = plan.steps.contains { $0.version.value == version }
      guard hasStep || !options.needsStepToVersion || stored == version else {
        throw PlanError(.noStep(version, known: plan.steps.map(\.version.value)))
      }
    } else {
      guard stored <= last else { throw PlanError(.endsBelow(stored, last: last)) }
    }
    let arrival = steps(from: stored).last?.version.value
    if arrival == nil, options.origin == .options { throw PlanError(.notRun(stored)) }
    return arrival
  }

  /// Fails if a step to the stored version did not run and would still change the schema: it must have been added after
  /// the realm reached that version.
  ///
  /// - Throws: `PlanError` if so.
  package func requireNoWork(on schema: Schema) throws {
    guard let version = schema.version, version > 0, var step = plan.steps.first(where: { $0.version.value == version })
    else { return }
    step.guarded = nil
    var (options, changesSchema) = (options, false)
    (options.checksOnly, options.version) = (true, nil)
    let (alone, last) = (MigrationPlan(name: plan.name, settings: plan.settings, steps: [step]), step)
    let run = PlanRun(alone, options)
    var before = schema
    before.version = version - 1
    withoutActuallyEscaping({ (after: Schema) in changesSchema = !SchemaDifference(from: schema, to: after).isEmpty }) {
      note in
      nonisolated(unsafe) let note = note
      let script = MigrationScript(arrival: { _ in version }, spills: { _ in true }) { transaction in
        let outcome = try PlanExecution([last], run, transaction).execute()
        note(transaction.schema)
        return outcome
      }
      // A step that was run already has its names no more, or finds what it adds.
      try? script.dryRun(on: before)
    }
    if changesSchema { throw PlanError(.notRun(version)) }
  }

  private func steps(from stored: UInt64?) -> [PlanStep] {
    plan.steps.filter { step in
      let version = step.version.value
      return stored.map { version > $0 } ?? true && version <= options.version ?? .max
    }
  }
}
