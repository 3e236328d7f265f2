import RealmExchange
import RealmOpening
import RealmStorage
import RealmSystem
import RealmText
import RealmTools

/// Runs steps of a plan in one transaction.
///
/// An operation reads the state that the one before has left, and writes to the transaction; `old` is read from the
/// state that the step began with. Both are snapshots, so that nothing has to be remembered about single objects.
final class PlanExecution {
  let run: PlanRun
  let transaction: WriteTransaction
  private let steps: [PlanStep]
  /// Before the transaction.
  private let live: SnapshotReader
  private(set) var report: PlanReport
  var outcome = MigrationScript.Outcome()
  let clock: RunClock

  /// The state that `old` refers to.
  private(set) var stepStart: SnapshotReader
  /// What the current operation found.
  private(set) var current: SnapshotReader
  private(set) var step: PlanStep
  private var operation: PlanOperation?
  private var operationIndex = 0
  /// Objects that `create_objects` named.
  var references: [RealmString: (table: TableKey, key: ObjectKey)] = [:]
  /// Those of objects that could not be made, so that what refers to them is not a second mistake.
  var failedReferences: Set<RealmString> = []
  /// The number of each object that was inserted by hand as one of several, from 1.
  var insertedNumbers: [ObjectKey: Int] = [:]
  /// Classes that were created because a link points to them, before the operation that adds them.
  var earlyClasses: Set<RealmString> = []
  /// The first objects that were edited by hand.
  private var edited: [(of: ObjectKey, in: TableKey)] = []
  /// Classes that operations were about.
  private var touched: [TableKey] = []
  /// What a step must not make worse.
  private var oldViolations: Set<String> = []
  /// What was wrong so far, if the run goes on after that.
  private var failures = FailureLog()

  init(_ steps: [PlanStep], _ run: PlanRun, _ transaction: WriteTransaction) {
    (self.steps, self.run, self.transaction) = (steps, run, transaction)
    live = SnapshotReader(transaction.base)
    (stepStart, current) = (live, live)
    step = steps.first ?? PlanStep(version: Located(0, at: PlanLocation(line: 1, column: 1)), operations: [])
    let now = run.options.now ?? Self.now()
    clock = RunClock(now: now, random: SystemRandomNumberGenerator())
    report = PlanReport(from: transaction.base.schema.version, to: steps.last?.version.value ?? 0)
  }

  /// Whether objects are edited by hand.
  var isEdit: Bool { run.options.origin == .edit }

  private static func now() -> Timestamp {
    Timestamp(seconds: SystemClock.secondsSince1970, nanoseconds: 0)
  }

  /// - Throws: `PlanError` with one mistake, or with all if they are wanted; `StorageError`, `OutputError`.
  func execute() throws -> MigrationScript.Outcome {
    oldViolations = Set(SchemaValidation(of: transaction.schema, for: .local).violations.map(\.description))
    do {
      for step in steps { try perform(step) }
      try takeSamples()
    } catch let error as PlanError where run.options.findsAllFailures {
      failures.note(error, of: operation)
    }
    if !failures.all.isEmpty { throw PlanError(failures.all) }
    return outcome
  }

  // MARK: Steps

  private func perform(_ step: PlanStep) throws {
    self.step = step
    operationIndex = 0
    if let guarded = step.guarded, let version = try transaction.schemaVersion(), !guarded.value.allows(version) {
      throw PlanError(
        "the step starts from version \(guarded.value.text), but the realm is at \(version)", at: guarded.location)
    }
    report.steps.append(PlanReport.Step(to: step.version.value, note: step.note))
    earlyClasses = []
    for (index, operation) in step.operations.enumerated() {
      (self.operation, operationIndex) = (operation, index)
      do { try locatingErrors(at: operation.location) { try perform(operation) } } catch let error as PlanError
        where run.options.findsAllFailures
      {
        failures.note(error, of: operation)
      }
      note(transaction.takeCounts(), of: operation)
      self.operation = nil
    }
    try locatingErrors(at: step.version.location) { try finishStep() }
  }

  private func finishStep() throws {
    // What the step would leave is not known if parts of it have failed.
    guard failures.all.isEmpty else { return try beginNextStep() }
    if let name = earlyClasses.sorted().first {
      throw PlanError("class '\(name)' is linked to, and no operation adds it", at: step.version.location)
    }
    try transaction.requireUniqueKeys()
    let violations = SchemaValidation(of: transaction.schema, for: .local).violations.map(\.description)
    let new = violations.filter { !oldViolations.contains($0) }
    guard new.isEmpty else {
      throw PlanError(
        "Schema validation failed due to the following errors:" + new.map { "\n- " + $0 }.joined(),
        at: step.version.location)
    }
    if run.options.origin.changesVersion { try transaction.setSchemaVersion(step.version.value) }
    if step.version.value == run.plan.lastVersion, let expectation = run.plan.expectation { try check(expectation) }
    try beginNextStep()
  }

  private func beginNextStep() throws {
    // Nobody reads what an edit by hand has left but the samples.
    guard spills, !isEdit else { return }
    try refresh()
    stepStart = current
    try transaction.forgetEarlierSpills()
  }

  /// Whether changes are written before all is done, so that they can be read.
  private var spills: Bool {
    steps.contains { $0.operations.contains { $0.action.readsObjects } }
  }

  private func check(_ expectation: PlanExpectation) throws {
    if let path = expectation.schemaPath {
      guard let load = run.options.loadSchema else { throw PlanError("the schema cannot be read", at: path.location) }
      let difference = SchemaDifference(from: transaction.schema, to: try load(path.value))
      let lines = difference.changes.compactMap(\.text)
      guard lines.isEmpty else {
        throw PlanError(
          "the schema is not that of \(path.value):" + lines.map { "\n- " + $0 }.joined(), at: path.location)
      }
    }
    for (name, range) in expectation.counts {
      let count = try table(name).objectCount
      guard range.contains(count) || run.options.checksOnly else {
        throw PlanError(
          "class '\(name.value)' has \(count.counted("object")), expected \(range.text)",
          at: name.location)
      }
    }
  }

  /// Runs an operation of an edit on a realm without objects.
  ///
  /// - Throws: `PlanError` with all mistakes in it.
  func check(_ operation: PlanOperation) throws {
    report.steps = [PlanReport.Step(to: 0)]
    do { try locatingErrors(at: operation.location) { try perform(operation) } } catch let error as PlanError {
      throw PlanError(error.mistakes.flatMap { $0.several.isEmpty ? [$0] : $0.several })
    }
  }

  // MARK: Errors

  /// Adds the operation, and the place in the plan to errors of the engine.
  private func locatingErrors(at location: PlanLocation, _ body: () throws -> Void) throws {
    do { try RealmError.uncovering(body) } catch {
      guard var mistake = mistake(error, at: location) else { throw error }
      mistake.operation = isEdit ? nil : operation?.name
      throw PlanError([mistake])
    }
  }

  /// Nil for an error that is none in the plan.
  private func mistake(_ error: any Error, at location: PlanLocation) -> PlanError.Mistake? {
    switch error {
    case let error as PlanError: return error.summary
    case let error as ValueError:
      var mistake = PlanError.Mistake(error.fact, advice: error.advice, at: location)
      mistake.objects = error.parts
      guard !error.parts.isEmpty else { return mistake }
      mistake.subject =
        switch operation?.action {
        case .convert(let action)?:
          "'\(action.source.path)' cannot be converted to \(action.target.value.planType) in "
        case .set(let action)? where action.values.count == 1 && action.added.isEmpty && action.removed.isEmpty:
          "'\(action.className.value).\(action.values[0].property.value)' cannot be set for "
        case .makeRequired(let action)?: "'\(action.source.path)' cannot be made required because of null in "
        default: "failed for "
        }
      return mistake
    case let error as any ChangeRefusal:
      return PlanError.Mistake("\(error)", advice: Self.advice(on: error), at: location)
    case MigrationError.duplicatePrimaryKey(let path) where isEdit:
      return PlanError.Mistake(
        "several objects would have the same value of the primary key '\(path)'", at: location)
    case let error as MigrationError: return PlanError.Mistake(error.text, at: location)
    default: return nil
    }
  }

  /// What to write instead of a key that looks like the typed form of a value.
  static func advice(on error: any ChangeRefusal) -> String? {
    guard case .dictionaryKey(let key)? = error as? BuildError else { return nil }
    return key.hasPrefix("$")
      ? "'\(key)' is a key here, not a type: write the value alone, or rename the key" : "rename the key '\(key)'"
  }

  // MARK: Operations

  private func perform(_ operation: PlanOperation) throws {
    if operation.action.readsObjects { try refresh() }
    var done = PlanReport.Operation(name: operation.name, className: "")
    var isDone = false
    // One that failed, unless for some objects, has done nothing that could be reported.
    defer { if isDone || done.failed > 0 { report.steps[report.steps.count - 1].operations.append(done) } }
    switch operation.action {
    case .addClass(let action): try addClass(action, &done)
    case .removeClass(let name, let clears): try removeClass(name, clearsLinks: clears, &done)
    case .renameClass(let from, let to): try renameClass(from, to, &done)
    case .addProperty(let action): try addProperty(action, &done)
    case .removeProperty(let name): try removeProperty(name, &done)
    case .renameProperty(let action): try renameProperty(action, &done)
    case .set(let action): try set(action, &done)
    case .convert(let action): try convert(action, &done)
    case .pairDictionary(let action): try pair(action, &done)
    case .makeOptional(let name): try makeOptional(name, &done)
    case .makeRequired(let action): try makeRequired(action, &done)
    case .setPrimaryKey(let action): try setPrimaryKey(action, &done)
    case .setIndex(let name, let kind): try setIndex(name, kind, &done)
    case .removeIndex(let name): try removeIndex(name, &done)
    case .embedClass(let action): try embedClass(action, &done)
    case .unembedClass(let name, let key): try unembedClass(name, primaryKey: key, &done)
    case .deleteObjects(let action): try deleteObjects(action, &done)
    case .createObjects(let action): try createObjects(action, &done)
    case .moveProperty(let action): try moveProperty(action, &done)
    case .transform(let action): try transform(action, &done)
    case .assert(let action): try check(action, &done)
    }
    isDone = true
  }

  /// Makes changes readable.
  func refresh() throws {
    try transaction.spill()
    guard current.snapshot !== transaction.base else { return }
    current = SnapshotReader(transaction.base)
  }

  func warn(_ message: String, at location: PlanLocation) {
    report.warnings.append(PlanError.Mistake(message, at: location))
  }

  // MARK: Names

  /// The class of that name.
  ///
  /// - Throws: `PlanError` with the nearest name.
  func table(_ name: PlanOperation.Name) throws -> TableEditor {
    if let table = try? transaction.table(TableSchema.tableName(ofClass: name.value)) {
      if !touched.contains(table.key) { touched.append(table.key) }
      return table
    }
    throw noClass(name, "no class '\(name.value)'")
  }

  /// A class that does not exist.
  func noClass(_ name: PlanOperation.Name, _ problem: String) -> PlanError {
    PlanError(
      problem, advice: classAdvice(name.value), at: name.location, .unknownName(.classes, name.value.description))
  }

  /// The nearest name of a class, or the property that has the name that was given for one.
  private func classAdvice(_ name: RealmString) -> String? {
    let classes = transaction.schema.classes
    if run.options.origin.isCommandLine, name.description.contains(",") {
      return "name one class; the option can be repeated"
    }
    if let owner = classes.first(where: { $0.property(named: name) != nil }) {
      return "for the property, write '\(owner.displayName).\(name)'"
    }
    return NameAdvice.classes.text(for: name.description, among: classes.map(\.displayName.description))
  }

  /// A property of a class.
  ///
  /// - Throws: `PlanError` with the nearest name.
  func property(_ name: PlanOperation.Name, of table: TableEditor) throws -> Property {
    let schema = table.schema
    if let property = schema.property(named: name.value) { return property }
    throw PlanError.noProperty(name.value, of: schema, at: name.location)
  }

  // MARK: Account

  /// Notes what an operation destroyed, as the transaction has counted it: what its words ask for, and what needs to be
  /// allowed.
  private func note(_ counts: ChangeCounts, of operation: PlanOperation) {
    outcome.counts.add(counts)
    if operation.action.asksForLoss {
      // Values of a converted property, or of redirected links, are not lost.
      outcome.lost += counts.lost.filter { $0.cause == .targetDeleted }
      outcome.overwritten.add(counts.overwritten)
      return
    }
    let lost =
      counts.lost
      + counts.overwritten.map {
        LostValues(
          className: $0.className, property: $0.property, objectCount: $0.count, nonDefaultCount: $0.count,
          cause: .overwritten)
      }
    outcome.lost += lost
    guard !operation.allowsLoss else { return }
    guard case .removeClass(let name, _) = operation.action else { return outcome.notAllowed += lost }
    // Its objects are lost, whatever their properties are.
    let own = lost.filter { $0.className == name.value && $0.cause == .removed }
    if let first = own.first {
      var objects = LostValues(
        className: name.value, property: nil, objectCount: first.objectCount, nonDefaultCount: 0, cause: .classRemoved)
      for table in counts.tables.values where table.deleted > 0 && table.removedWith == nil {
        objects.embedded[TableSchema.displayName(ofTable: table.tableName)] = table.deleted
      }
      outcome.notAllowed.append(objects)
    }
    outcome.notAllowed += lost.filter { !own.contains($0) }
  }

  // MARK: Objects

  /// Number of objects to change before the changes are written, so that memory stays bounded.
  private static let mostChangedObjects = 50_000

  /// Calls `body` for the objects of a class in the order of their keys, with the scope at each.
  ///
  /// - Parameters:
  ///   - filter: only objects for which it is true.
  ///   - flushes: whether the transaction may be written in between. Tables that were taken from it before are then
  ///     invalid, and `body` gets a valid one.
  /// - Returns: the number of objects.
  @discardableResult
  func forEachObject(
    of key: TableKey, where filter: QueryText? = nil, flushes: Bool = false,
    _ body: (EvaluationScope, TableEditor) throws -> Void
  ) throws -> Int {
    guard let table = current.table(key)?.table, var editor = transaction.table(key) else { return 0 }
    let scope = try EvaluationScope(key, old: stepStart, new: current, clock: clock)
    var (count, changed) = (0, 0)
    func finishBatch(of total: Int) throws {
      try scope.releasePagesIfNeeded()
      showProgress(count, of: total)
      guard flushes, changed >= Self.mostChangedObjects else { return }
      changed = 0
      try transaction.spill()
      if let fresh = transaction.table(key) { editor = fresh }
    }
    if let filter {
      let keys = try query(filter, table).sorted()
      for (index, key) in keys.enumerated() where try scope.go(to: key) {
        try body(scope, editor)
        (count, changed) = (count + 1, changed + 1)
        guard index % 256 == 255 else { continue }
        scope.forgetPlaces()
        try current.releasePagesIfNeeded()
        try finishBatch(of: keys.count)
      }
      return count
    }
    let total = try table.objectCount()
    try table.forEachBatch(in: current.snapshot) { batch in
      for row in 0..<batch.count {
        try scope.go(to: batch, row: row, isSameBatch: row > 0)
        try body(scope, editor)
      }
      (count, changed) = (count + batch.count, changed + batch.count)
      scope.forgetPlaces()
      try finishBatch(of: total)
    }
    return count
  }

  /// The keys of the objects for which a condition is true, in the order that it asks for.
  ///
  /// - Throws: `PlanError` if it is not a query of the class.
  func query(_ filter: QueryText, _ table: Table) throws -> [ObjectKey] {
    try ObjectQuery(filter).keys(in: table, of: current.snapshot)
  }

  private func showProgress(_ done: Int, of total: Int) {
    guard let progress = run.options.progress else { return }
    let all = steps.reduce(0) { $0 + $1.operations.count }
    let before = report.steps.dropLast().reduce(0) { $0 + $1.operations.count } + operationIndex
    progress((Double(before) + Double(done) / Double(max(total, 1))) / Double(max(all, 1)))
  }

  // MARK: Samples

  private func takeSamples() throws {
    guard run.options.sampleCount > 0 else { return }
    try refresh()
    guard !isEdit else { return try edited.forEach(takeSample) }
    for key in touched {
      guard live.snapshot.table(key) != nil || current.snapshot.table(key) != nil else { continue }
      let (before, after) = (ObjectLines(live.snapshot), ObjectLines(current.snapshot))
      for object in try before.firstKeys(of: key, run.options.sampleCount, else: after) {
        try takeSample(of: object, in: key)
      }
    }
  }

  private func takeSample(of object: ObjectKey, in key: TableKey) throws {
    guard let table = current.snapshot.table(key) ?? live.snapshot.table(key) else { return }
    report.samples.append(
      PlanReport.Sample(
        className: table.schema.displayName, key: object,
        before: try ObjectLines(live.snapshot).line(of: object, in: key),
        after: try ObjectLines(current.snapshot).line(of: object, in: key)))
  }

  /// Records an object that is edited by hand, if it is one of those to show.
  func noteEdited(_ object: ObjectKey, in table: TableKey) {
    if isEdit, edited.count < run.options.sampleCount { edited.append((object, table)) }
  }
}

extension PlanOperation.Action {
  /// Whether the operation itself says which values or objects are removed, so that no option has to allow it.
  fileprivate var asksForLoss: Bool {
    switch self {
    case .set, .convert, .pairDictionary, .makeRequired, .setPrimaryKey, .embedClass, .deleteObjects, .transform,
      .addProperty:
      true
    case .addClass, .removeClass, .renameClass, .unembedClass, .removeProperty, .renameProperty, .makeOptional,
      .moveProperty, .setIndex, .removeIndex, .createObjects, .assert:
      false
    }
  }
}
