import RealmQuery
import RealmStorage
import RealmText
import RealmTools

/// A change of objects by hand: `insert`, `update` and `delete`. It is an operation of plans that keeps the schema version.
package struct ObjectEdit: Sendable {
  /// What a property gets, as typed.
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
    /// One object, or those of a text of JSON: an object or an array of objects.
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

  /// The class is not there.
  package struct NoSuchClass: Error {
    package let known: [String]
  }

  /// The condition that all objects meet.
  private static let everything = "TRUEPREDICATE"

  // MARK: Matching

  /// How many objects it is about.
  ///
  /// - Throws: `NoSuchClass`, `QueryError`; `StorageError` where objects cannot be read.
  package func count(in snapshot: Snapshot) throws -> Int {
    let name = TableSchema.tableName(ofClass: RealmString(className))
    guard let table = snapshot.tables.first(where: { $0.schema.name == name }) else {
      throw NoSuchClass(known: snapshot.schema.classes.map(\.displayName.description))
    }
    if case .insert = change { return 1 }
    guard let filter else { return try table.objectCount() }
    let result = try Query(filter, of: table, in: snapshot).keys()
    if let damage = result.damage.described.first { throw damage.error }
    return result.keys.count
  }

  // MARK: As a plan

  static let place = PlanLocation(line: 0, column: 0)

  /// What runs it.
  ///
  /// - Parameters:
  ///   - schema: of the realm, which says how values are read.
  ///   - expected: the objects that it is about; if there are others, nothing is changed.
  ///   - samples: objects that are shown before and after.
  /// - Throws: `PlanError` for names and values that do not fit.
  package func run(over schema: Schema, expecting expected: Int?, samples: Int) throws -> ObjectEditRun {
    let plan = try plan(over: schema, expecting: expected)
    var options = PlanOptions()
    (options.editsObjects, options.mustRun, options.sampleCount) = (true, true, samples)
    return ObjectEditRun(PlanRun(plan, options), isLarge: (expected ?? 0) > Self.mostAtOnce)
  }

  /// Objects that are changed without writing some of them before all are done.
  private static let mostAtOnce = 50_000

  private func plan(over schema: Schema, expecting expected: Int?) throws -> Plan {
    guard let table = schema.classNamed(RealmString(className)) else {
      throw NoSuchClass(known: schema.classes.map(\.displayName.description))
    }
    let reader = EditValues(table: table, schema: schema)
    var fields: [(String, PlanNode)] = [("class", .text(className))]
    let name: String
    switch change {
    case .insert(let values, let json):
      name = "create_objects"
      fields.append(("values", try reader.objects(values, json: json)))
    case .update(let set, let add, let remove, let unset):
      name = "set"
      if let filter { fields.append(("where", .text(filter))) }
      fields.append(("values", try reader.map(set, reader.value)))
      if !add.isEmpty { fields.append(("add", try reader.map(add, reader.elements))) }
      if !remove.isEmpty { fields.append(("remove", try reader.map(remove, reader.elements))) }
      if !unset.isEmpty {
        let keys = Dictionary(grouping: unset) { $0.property }
        fields.append(
          ("unset", .map(keys.sorted { $0.key < $1.key }.map { ($0.key, .list($0.value.map { .text($0.key) })) })))
      }
    case .delete:
      name = "delete_objects"
      fields.append(("where", .text(filter ?? Self.everything)))
      if let expected { fields.append(("expect", PlanNode(.number("\(expected)"), at: Self.place))) }
    }
    let step: PlanNode = .map([
      ("to", PlanNode(.number("1"), at: Self.place)), ("do", .list([.map([(name, .map(fields))])])),
    ])
    return try Plan(.map([("plan", PlanNode(.number("1"), at: Self.place)), ("steps", .list([step]))]))
  }
}

/// An edit on its way through a launch, and what there is to report afterwards.
package final class ObjectEditRun: Sendable {
  private let run: PlanRun
  private let isLarge: Bool

  fileprivate init(_ run: PlanRun, isLarge: Bool) { (self.run, self.isLarge) = (run, isLarge) }

  /// What was done; nil where nothing was begun.
  package var report: PlanReport? { run.report }

  /// For the configuration of a launch.
  package var script: MigrationScript {
    MigrationScript(
      editingObjects: { [run] transaction in try run.execute(run.plan.steps, on: transaction) }, spills: isLarge)
  }
}

/// Reads values of an edit as typed on the command line, by the types of the properties.
private struct EditValues {
  let table: TableSchema
  let schema: Schema

  private func property(_ name: String) throws -> Property {
    if let property = table.property(named: RealmString(name)) { return property }
    throw PlanError(
      "class '\(table.displayName)' has no property '\(name)'"
        + PlanMistakes.hint(name, among: table.properties.map(\.name.description)), at: ObjectEdit.place)
  }

  func map(_ values: [ObjectEdit.Value], _ read: (String, Property) throws -> PlanNode) throws -> PlanNode {
    var entries: [(String, PlanNode)] = []
    for value in values {
      let property = try property(value.property)
      let node = try node(of: value, property, read)
      if value.entry != nil, let index = entries.firstIndex(where: { $0.0 == value.property }),
        let first = entries[index].1.entries, let more = node.entries
      {
        entries[index].1 = PlanNode(.map(first + more), at: ObjectEdit.place)
        continue
      }
      if let index = entries.firstIndex(where: { $0.0 == value.property }),
        case .list(let first)? = entries[index].1.literal,
        case .list(let more)? = node.literal
      {
        entries[index].1 = .literal(.list(first + more))
        continue
      }
      guard !entries.contains(where: { $0.0 == value.property }) else {
        throw PlanError("property '\(value.property)' is given twice", at: ObjectEdit.place)
      }
      entries.append((value.property, node))
    }
    return .map(entries)
  }

  private func node(
    of value: ObjectEdit.Value, _ property: Property, _ read: (String, Property) throws -> PlanNode
  ) throws -> PlanNode {
    if value.isFormula { return .map([("expr", .text(value.text))]) }
    guard let entry = value.entry else { return try read(value.text, property) }
    guard property.collection == .dictionary else {
      throw PlanError("'\(property.name)' is not a dictionary", at: ObjectEdit.place)
    }
    var single = property
    single.collection = nil
    let isNull = isNull(value.text, single) || value.text == "null" && property.type == .object
    return .map([(entry, isNull ? PlanNode(.null, at: ObjectEdit.place) : try element(value.text, single))])
  }

  func objects(_ values: [ObjectEdit.Value], json: String?) throws -> PlanNode {
    guard let json else { return .list([try map(values, constant)]) }
    let node = try PlanNode.json(json)
    let objects = node.elements ?? [node]
    guard objects.allSatisfy({ $0.entries != nil }) else {
      throw PlanError("--json takes an object or an array of objects", at: ObjectEdit.place)
    }
    let given = try map(values, constant).entries ?? []
    return .list(
      objects.map { object in
        let entries = (object.entries ?? []).map { entry in
          PlanNode.Entry(key: entry.name, location: ObjectEdit.place, value: .literal(entry.value))
        }
        return PlanNode(
          .map(entries.filter { entry in !given.contains { $0.name == entry.name } } + given), at: ObjectEdit.place)
      })
  }

  /// A value that is set: of single values a template, whose text is converted.
  func value(_ text: String, _ property: Property) throws -> PlanNode {
    guard property.collection == nil, ![.object, .mixed].contains(property.type), !isNull(text, property) else {
      return try constant(text, property)
    }
    // Bytes are typed as they are shown, in Base64; what is put together of other values is their text.
    if property.type == .data, !text.contains(where: { $0 == "{" || $0 == "}" }) { return try constant(text, property) }
    return .map([("template", .text(text))])
  }

  /// A value as it stands.
  func constant(_ text: String, _ property: Property) throws -> PlanNode {
    if isNull(text, property) { return PlanNode(.null, at: ObjectEdit.place) }
    guard property.collection == nil else {
      guard let node = try? PlanNode.json(text), node.elements != nil || node.entries != nil || node.isNull else {
        throw PlanError(
          "'\(property.name)' is a \(property.collection == .dictionary ? "dictionary, which takes an object" : "collection, which takes an array") of JSON",
          at: ObjectEdit.place)
      }
      return .literal(node)
    }
    return try element(text, property)
  }

  /// One element of a collection, or several as an array; entries of a dictionary as an object.
  func elements(_ text: String, _ property: Property) throws -> PlanNode {
    guard let collection = property.collection else {
      throw PlanError("'\(property.name)' is not a collection; use --set", at: ObjectEdit.place)
    }
    var single = property
    single.collection = nil
    guard collection != .dictionary else { return try constant(text, property) }
    if text.first == "[", let node = try? PlanNode.json(text), let elements = node.elements {
      return .list(elements.map { .literal($0) })
    }
    return .list([isNull(text, single) ? PlanNode(.null, at: ObjectEdit.place) : try element(text, single)])
  }

  private func isNull(_ text: String, _ property: Property) -> Bool {
    text == "null" && (property.isOptional || property.collection != nil)
  }

  private func element(_ text: String, _ property: Property) throws -> PlanNode {
    switch property.type {
    case .mixed:
      if let node = try? PlanNode.json(text) { return .literal(node) }
      return .literal(.text(text))
    case .object: return try link(text, property)
    case .int, .float, .double, .decimal128, .bool:
      let node = try? PlanNode.json(text)
      switch node?.content {
      case .number, .bool: return .literal(node ?? .text(text))
      default: return .literal(.text(text))
      }
    default: return .literal(.text(text))
    }
  }

  /// An embedded object as JSON, or the key of an object.
  private func link(_ text: String, _ property: Property) throws -> PlanNode {
    let target = schema.tables.first { $0.name == property.target }
    if text.first == "{", let node = try? PlanNode.json(text) { return .literal(node) }
    guard let target, target.kind != .embedded else {
      throw PlanError("'\(property.name)' takes an object of JSON", at: ObjectEdit.place)
    }
    let number = Int64(text) == nil ? nil : PlanNode(.number(text), at: ObjectEdit.place)
    guard let key = target.primaryKey else {
      guard let number else {
        throw PlanError(
          "'\(property.name)' takes the object key of a \(target.displayName), a number", at: ObjectEdit.place)
      }
      return .literal(.map([("$link", .map([("table", .text(target.displayName.description)), ("objKey", number)]))]))
    }
    return .literal(key.type == .int ? number ?? .text(text) : .text(text))
  }
}

extension PlanNode {
  fileprivate static func text(_ text: String) -> PlanNode { PlanNode(.string(text), at: ObjectEdit.place) }
  fileprivate static func list(_ elements: [PlanNode]) -> PlanNode { PlanNode(.list(elements), at: ObjectEdit.place) }
  fileprivate static func map(_ entries: [(String, PlanNode)]) -> PlanNode {
    PlanNode(.map(entries.map { Entry(key: $0.0, location: ObjectEdit.place, value: $0.1) }), at: ObjectEdit.place)
  }

  /// Nothing in it is computed.
  fileprivate static func literal(_ node: PlanNode) -> PlanNode { .map([("literal", node)]) }

  /// What a list without computed parts holds.
  fileprivate var literal: Content? {
    if case .list = content { return content }
    return nil
  }

  fileprivate static func json(_ text: String) throws -> PlanNode { try PlanJSON(Array(text.utf8)).parse() }
}
