import RealmQuery
import RealmStorage

/// Rules and a key, bound to their realm: how each of its values is replaced.
package final class Redaction: ValueReplacement, Sendable {
  package let rules: RedactionRules
  package let key: RedactionKey
  let snapshot: Snapshot
  /// The rules of properties, by table; nil for those that stay as they are.
  let bound: [TableKey: [BoundRule?]]
  /// Classes without objects in the copy.
  package let droppedClasses: [RealmString]
  private let scalars: RedactedScalars
  private let names: RedactedNames?

  /// - Parameters:
  ///   - isKept: whether a class is copied, so that each of its properties needs a rule.
  ///   - threadCount: threads that look for the objects that conditions match.
  /// - Throws: `RedactionError` for rules that do not fit the schema, or leave a property out; `StorageError` if
  ///   conditions cannot be evaluated.
  package init(
    _ rules: RedactionRules, _ key: RedactionKey, of snapshot: Snapshot, threadCount: Int = 1,
    isKept: (TableSchema) -> Bool = { _ in true }
  ) throws {
    var binding = RuleBinding(rules, snapshot, threadCount)
    bound = try binding.run(isKept)
    droppedClasses = rules.classes.filter(\.isDropped).map(\.name)
    names = rules.renames ? RedactedNames(snapshot.schema) : nil
    scalars = RedactedScalars(key)
    (self.rules, self.key, self.snapshot) = (rules, key, snapshot)
  }

  /// The rule for a property; nil if it stays as it is.
  func rule(ofProperty index: Int, of table: Table) -> BoundRule? {
    guard let rules = bound[table.key], rules.indices.contains(index) else { return nil }
    return rules[index]
  }

  package func values(ofProperty index: Int, of table: Table) -> (any ValueMapping)? {
    rule(ofProperty: index, of: table).map { redactor($0, of: table) }
  }

  func redactor(_ rule: BoundRule, of table: Table) -> ValueRedactor {
    let shift: ObjectShift? =
      if case .shift(let seconds) = rule.action {
        ObjectShift(by: seconds, key.hash(for: "shift"), of: table, in: snapshot)
      } else {
        nil
      }
    return ValueRedactor(rule, scalars, shift, key)
  }

  package func renamed(_ schema: TableSchema) -> TableSchema { names?.renamed(schema) ?? schema }

  /// Names that are in no copy; none if names stay.
  var removedNames: [RealmString] { names?.removed ?? [] }
}

/// The rule for one property, as far as it changes something.
final class BoundRule: Sendable {
  let action: RedactionAction
  /// The value of the rule `constant`.
  let constant: Value
  /// The objects that it applies to; nil for all.
  let objects: ObjectKeySet?
  let keepsKeys: Bool
  /// Whether a value can be null.
  let isNullable: Bool

  init(_ rule: RedactionAction, constant: Value = .null, objects: ObjectKeySet?, keepsKeys: Bool, isNullable: Bool) {
    (action, self.constant, self.objects) = (rule, constant, objects)
    (self.keepsKeys, self.isNullable) = (keepsKeys, isNullable)
  }

  @inline(__always)
  func isFor(_ object: ObjectKey) -> Bool { objects?.contains(object) ?? true }
}

/// Other names for classes and properties: `Class1`, `property1`, in the order of the file.
struct RedactedNames: Sendable {
  private let tables: [RealmString: RealmString]
  private let properties: [RealmString: [RealmString: RealmString]]
  /// The names that no longer exist.
  let removed: [RealmString]

  init(_ schema: Schema) {
    var (tables, properties): ([RealmString: RealmString], [RealmString: [RealmString: RealmString]]) = ([:], [:])
    var removed: [RealmString] = []
    for (index, table) in schema.classes.enumerated() {
      tables[table.name] = TableSchema.tableName(ofClass: RealmString("Class\(index + 1)"))
      removed.append(table.displayName)
      var names: [RealmString: RealmString] = [:]
      for (index, property) in table.properties.enumerated() {
        names[property.name] = RealmString("property\(index + 1)")
        removed.append(property.name)
      }
      properties[table.name] = names
    }
    let kept = Set(tables.values).union(properties.values.flatMap(\.values))
    self.removed = removed.filter { name in !kept.contains { $0.utf8.range(ofBytes: name.utf8) != nil } }
    (self.tables, self.properties) = (tables, properties)
  }

  func renamed(_ schema: TableSchema) -> TableSchema {
    var renamed = schema
    renamed.name = tables[schema.name] ?? schema.name
    for index in schema.properties.indices {
      let property = schema.properties[index]
      renamed.properties[index].name = properties[schema.name]?[property.name] ?? property.name
      renamed.properties[index].target = property.target.map { tables[$0] ?? $0 }
    }
    return renamed
  }
}
