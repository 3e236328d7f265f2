import RealmQuery
import RealmStorage
import RealmText
import RealmTools

/// A change of objects by hand: `insert`, `update` and `delete`. It is an operation of plans that keeps the schema version.
package struct ObjectEdit: Sendable {
  /// A property and its value as typed.
  package struct Value: Hashable, Sendable {
    package var property: String
    /// A value; of a formula, its text.
    package var text: String
    package var isFormula = false
    /// The key of the entry that gets it, in a dictionary.
    package var entry: String?

    package init(property: String, text: String, isFormula: Bool = false, entry: String? = nil) {
      (self.property, self.text, self.isFormula, self.entry) = (property, text, isFormula, entry)
    }
  }

  package enum Change: Sendable {
    /// One object, or those of a JSON text: an object or an array of objects.
    case insert([Value], json: String?)
    case update(set: [Value], add: [Value], remove: [Value], unset: [(property: String, key: String)])
    case delete
  }

  package var className: String
  /// A condition in the query language; nil for all objects.
  package var filter: String?
  package var change: Change

  package init(className: String, filter: String?, change: Change) {
    (self.className, self.filter, self.change) = (className, filter, change)
  }

  package var isInsertion: Bool { if case .insert = change { true } else { false } }
  package var isDeletion: Bool { if case .delete = change { true } else { false } }

  /// The condition that all objects meet.
  private static let everything = "TRUEPREDICATE"

  // MARK: Matching

  /// The number of objects to edit, and what may not be meant in the condition.
  ///
  /// - Throws: `PlanRefusal.noClass`, `QueryError`; `PlanError` for JSON that is not an object; `StorageError` if objects
  ///   cannot be read.
  package func count(in snapshot: Snapshot) throws -> (count: Int, warnings: [QueryWarning]) {
    let name = TableSchema.tableName(ofClass: RealmString(className))
    guard let table = snapshot.tables.first(where: { $0.schema.name == name }) else {
      throw PlanRefusal.noClass(className, known: snapshot.schema.classes.map(\.displayName.description))
    }
    if case .insert(_, let json) = change { return (try json.map { try EditValues.objects(in: $0).count } ?? 1, []) }
    guard let filter else { return (try table.objectCount(), []) }
    let query = try Query(filter, of: table, in: snapshot)
    let result = try query.keys()
    if let damage = result.damage.described.first { throw damage.error }
    return (result.keys.count, query.warnings)
  }

  // MARK: Doubtful values

  /// The names of required strings that are set to the text "null", which elsewhere means null.
  package func namesOfTextsNull(in schema: Schema) -> [String] {
    let values: [Value]
    switch change {
    case .insert(let given, _): values = given
    case .update(let set, _, _, _): values = set
    case .delete: values = []
    }
    let table = schema.classNamed(RealmString(className))
    return values.filter { value in
      guard value.text == "null", !value.isFormula, value.entry == nil,
        let property = table?.property(named: RealmString(value.property))
      else { return false }
      return property.type == .string && property.collection == nil && !property.isOptional
    }.map(\.property)
  }

  // MARK: As a plan

  static let place = PlanLocation(line: 0, column: 0)

  /// The run that makes the edit.
  ///
  /// - Parameters:
  ///   - schema: of the realm, which determines how values are read.
  ///   - snapshot: the objects that values may link to; nil if they are looked up later.
  ///   - expected: the number of objects to edit; if it differs, nothing is changed.
  ///   - samples: number of objects to show before and after.
  /// - Throws: `PlanError` for names and values that do not fit.
  package func run(
    over schema: Schema, linkingTo snapshot: Snapshot? = nil, expecting expected: Int?, samples: Int
  ) throws -> ObjectEditRun {
    let plan = try plan(over: schema, snapshot, expecting: expected)
    var options = PlanOptions()
    (options.editsObjects, options.mustRun, options.sampleCount) = (true, true, samples)
    return ObjectEditRun(PlanRun(plan, options), isLarge: (expected ?? 0) > Self.mostAtOnce)
  }

  /// Objects that are changed without writing some of them before all are done.
  private static let mostAtOnce = 50_000

  private func plan(over schema: Schema, _ snapshot: Snapshot?, expecting expected: Int?) throws -> Plan {
    guard let table = schema.classNamed(RealmString(className)) else {
      throw PlanRefusal.noClass(className, known: schema.classes.map(\.displayName.description))
    }
    let links = snapshot.map { KnownObjects(snapshot: $0, growing: isInsertion ? RealmString(className) : nil) }
    let reader = EditValues(table: table, schema: schema, links: links)
    var fields: [(String, PlanNode)] = [("class", .text(className))]
    let name: String
    switch change {
    case .insert(let values, let json):
      name = "create_objects"
      fields.append(("values", try reader.objects(values, json: json)))
    case .update(let set, let add, let remove, let unset):
      name = "set"
      if let filter { fields.append(("where", .text(filter))) }
      fields += try reader.changes(set: set, add: add, remove: remove, unset: unset)
    case .delete:
      name = "delete_objects"
      fields.append(("where", .text(filter ?? Self.everything)))
    }
    if let expected { fields.append(("expect", PlanNode(.number("\(expected)"), at: Self.place))) }
    return try Self.plan(name, fields)
  }

  /// A plan of one operation.
  static func plan(_ operation: String, _ fields: [(String, PlanNode)]) throws -> Plan {
    let step: PlanNode = .map([
      ("to", PlanNode(.number("1"), at: Self.place)), ("do", .list([.map([(operation, .map(fields))])])),
    ])
    return try Plan(.map([("plan", PlanNode(.number("1"), at: Self.place)), ("steps", .list([step]))]))
  }
}

/// An edit on its way through a launch, and what there is to report afterwards.
package final class ObjectEditRun: Sendable {
  private let run: PlanRun
  private let isLarge: Bool

  fileprivate init(_ run: PlanRun, isLarge: Bool) { (self.run, self.isLarge) = (run, isLarge) }

  /// What was done; nil if nothing was begun.
  package var report: PlanReport? { run.report }

  /// For the configuration of a launch.
  package var script: MigrationScript {
    MigrationScript(
      editingObjects: { [run] transaction in try run.execute(run.plan.steps, on: transaction) }, spills: isLarge)
  }
}
