import RealmQuery
import RealmStorage
import RealmText
import RealmTools

/// A change of objects by hand: `insert`, `update` and `delete`. It is an operation of plans that keeps the schema version.
package struct ObjectEdit: Hashable, Sendable {
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

  package enum Change: Hashable, Sendable {
    /// One object, or those of a JSON text: an object or an array of objects.
    case insert([Value], json: String?)
    case update(set: [Value], add: [Value], remove: [Value], unset: [PlanOperation.Unset])
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
  /// - Throws: `PlanError` for an unknown class and JSON that is not an object, `QueryError`; `StorageError` if objects
  ///   cannot be read.
  package func count(in snapshot: Snapshot) throws -> (count: Int, warnings: [QueryWarning]) {
    let name = TableSchema.tableName(ofClass: RealmString(className))
    guard let table = snapshot.tables.first(where: { $0.schema.name == name }) else {
      throw PlanError(.noClass(className, known: snapshot.schema.classes.map(\.displayName.description)))
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

  // MARK: As an operation

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
  ) throws -> PlanRun {
    let operation = try operation(over: schema, snapshot, expecting: expected)
    let step = PlanStep(version: Located(1, at: .option), operations: [operation])
    var options = PlanOptions()
    (options.origin, options.sampleCount) = (.edit, samples)
    options.spillsEdits = (expected ?? 0) > Self.mostAtOnce
    return PlanRun(MigrationPlan(steps: [step]), options)
  }

  /// Objects that are changed without writing some of them before all are done.
  private static let mostAtOnce = 50_000

  private func operation(
    over schema: Schema, _ snapshot: Snapshot?, expecting expected: Int?
  ) throws -> PlanOperation {
    guard let table = schema.classNamed(RealmString(className)) else {
      throw PlanError(.noClass(className, known: schema.classes.map(\.displayName.description)))
    }
    let links = snapshot.map { KnownObjects(snapshot: $0, growing: isInsertion ? table.displayName : nil) }
    let reader = EditValues(table: table, schema: schema)
    let name = Located(table.displayName, at: .option)
    let filter = filter.map { QueryText(text: $0, location: .option) }
    let count = expected.map { CountRange(least: $0, most: $0) }
    switch change {
    case .insert(let values, let json):
      let objects = try reader.objects(values, json: json, links: links)
      return PlanOperation("create_objects", .createObjects(.init(className: name, objects: objects)))
    case .update(let set, let add, let remove, let unset):
      var action = try reader.changes(filter, set: set, add: add, remove: remove, unset: unset, links: links)
      action.expected = count
      return PlanOperation("set", .set(action))
    case .delete:
      let all = QueryText(text: Self.everything, location: .option)
      return PlanOperation(
        "delete_objects", .deleteObjects(.init(className: name, filter: filter ?? all, expected: count)))
    }
  }
}
