import RealmStorage

/// How a plan is run.
package struct PlanOptions: Sendable {
  /// The version to stop at; nil for the last one.
  package var version: UInt64?
  /// Whether a step must end at `version`; not required if a target schema follows the plan.
  package var needsStepToVersion = true
  /// Whether a file without a schema version is taken for one that is older than every step.
  package var initializes = false
  /// Where operations come from, and so what messages can recommend.
  package enum Origin: Sendable {
    case plan
    /// Options of a command line: that there is nothing to run is an error.
    case options
    /// An edit of objects by hand: the schema version stays, and the samples are the objects that were changed.
    case edit
    /// What a file format cannot store: the schema version stays, and messages recommend nothing.
    case fileFormat

    /// Whether there is a command line in place of a plan, so that keys of plans cannot be given.
    var isCommandLine: Bool { self == .options || self == .edit }
    var changesVersion: Bool { self == .plan || self == .options }
  }

  package var origin = Origin.plan
  /// Whether an edit is of so many objects that it is written in parts.
  var spillsEdits = false
  /// Whether external commands may run.
  package var allowsCommands = false
  /// Whether to check the plan only, on a realm without objects: no program runs, and nothing is said about numbers of
  /// objects or missing objects.
  package var checksOnly = false
  /// Finds the objects that values of a check link to; nil if any could be there.
  var links: KnownObjects?
  /// Whether the run goes on after an operation that fails, to find what else is wrong.
  package var findsAllFailures = false
  /// Objects of each class that are shown before and after.
  package var sampleCount = 0
  /// The schema that follows the plan: an operation that sets a property which only this one has adds it.
  package var target: Schema?
  /// Reads the schema that `expect` names.
  package var loadSchema: (@Sendable (_ path: String) throws -> Schema)?
  /// Told how far the work is: from 0 to 1.
  package var progress: (@Sendable (_ share: Double) -> Void)?
  /// The result of `now()`; nil for the time when the plan runs.
  package var now: Timestamp?

  package init() {}
}

/// The objects that are there for values to link to.
struct KnownObjects: Sendable {
  let snapshot: Snapshot
  /// The class that gets new objects, which others may link to.
  let growing: RealmString?

  /// - Throws: `StorageError`.
  func has(_ key: ObjectKey, in table: TableSchema) throws -> Bool {
    guard table.displayName != growing, let stored = snapshot.table(displayName: table.displayName) else { return true }
    return try stored.object(key) != nil
  }

  /// - Throws: `StorageError`.
  func has(primaryKey value: Value, in table: TableSchema) throws -> Bool {
    guard table.displayName != growing, let stored = snapshot.table(displayName: table.displayName),
      let index = stored.schema.primaryKeyIndex
    else { return true }
    if let found = try stored.indexedObject(ofProperty: index, is: value, in: snapshot), found.key != nil {
      return true
    }
    return try stored.firstObject(ofProperty: index, is: value, in: snapshot) != nil
  }
}
