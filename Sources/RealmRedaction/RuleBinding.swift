import RealmQuery
import RealmStorage
import RealmText

/// Why rules cannot be used with a realm.
package struct RuleMistakes: Hashable, Sendable {
  package struct Mistake: Hashable, Sendable {
    package let place: RulePlace
    package let message: String
    /// What was probably meant.
    package var advice: String?
  }

  /// In the order of the file of rules.
  package let mistakes: [Mistake]
  /// Properties that no rule names, as `Class.property`, in the order of the realm.
  package let unnamed: [String]
}

extension RuleMistakes: CustomStringConvertible {
  package var description: String {
    let lines = mistakes.map {
      "\($0.place.line):\($0.place.column): \($0.message)" + ($0.advice.map { "; " + $0 } ?? "")
    }
    return (lines + unnamed.map { "no rule for '\($0)'" }).joined(separator: "; ")
  }
}

/// Finds the property of each rule, and what does not fit.
struct RuleBinding {
  private let rules: RedactionRules
  private let snapshot: Snapshot
  private let threadCount: Int
  private var mistakes: [RuleMistakes.Mistake] = []
  private var unnamed: [String] = []

  init(_ rules: RedactionRules, _ snapshot: Snapshot, _ threadCount: Int) {
    (self.rules, self.snapshot, self.threadCount) = (rules, snapshot, threadCount)
  }

  /// - Throws: `RedactionError.rules` with all mistakes; `StorageError`.
  mutating func run(_ isKept: (TableSchema) -> Bool) throws -> [TableKey: [BoundRule?]] {
    let known = snapshot.schema.classes.map(\.displayName)
    for rule in rules.classes where !known.contains(rule.name) {
      // A class that cannot be read is not missing.
      if let damaged = snapshot.damagedTables.first(where: { TableSchema.displayName(ofTable: $0.name) == rule.name }) {
        throw damaged.error
      }
      report(
        "no class '\(rule.name)'", at: rule.place,
        advice: NameAdvice.classes.text(for: rule.name.description, among: known.map(\.description)))
    }
    var bound: [TableKey: [BoundRule?]] = [:]
    for table in snapshot.tables where table.schema.isClass {
      let rule = rules.classes.first { $0.name == table.schema.displayName }
      if rule?.isDropped ?? false { continue }
      bound[table.key] = try bind(table, rule, isKept: isKept(table.schema))
    }
    guard mistakes.isEmpty, unnamed.isEmpty else {
      throw RedactionError.rules(RuleMistakes(mistakes: mistakes.sorted { $0.place < $1.place }, unnamed: unnamed))
    }
    return bound
  }

  private mutating func report(_ message: String, at place: RulePlace, advice: String? = nil) {
    mistakes.append(RuleMistakes.Mistake(place: place, message: message, advice: advice))
  }

  private mutating func bind(_ table: Table, _ rule: ClassRules?, isKept: Bool) throws -> [BoundRule?] {
    let names = table.schema.properties.map(\.name)
    for property in rule?.properties ?? [] where !names.contains(property.name) {
      report(
        "'\(table.schema.displayName)' has no property '\(property.name)'", at: property.place,
        advice: NameAdvice.properties.text(for: property.name.description, among: names.map(\.description)))
    }
    var bound: [BoundRule?] = []
    for (index, property) in table.schema.properties.enumerated() {
      if let named = rule?.properties.first(where: { $0.name == property.name }) {
        bound.append(try bind(named, property, isPrimaryKey: index == table.schema.primaryKeyIndex, table))
        continue
      }
      bound.append(fallback(for: property, isPrimaryKey: index == table.schema.primaryKeyIndex))
      if rules.fallback == nil, isKept { unnamed.append("\(table.schema.displayName).\(property.name)") }
    }
    return bound
  }

  /// The meaning of `default`. Embedded objects stay with their parents, and only the rules of their class and those
  /// for keys of dictionaries apply to them; primary keys must stay different from each other.
  private func fallback(for property: Property, isPrimaryKey: Bool) -> BoundRule? {
    guard rules.fallback == .null, !isEmbedded(property) || property.collection == .dictionary else { return nil }
    return BoundRule(
      isPrimaryKey || isEmbedded(property) ? .hash(keepsTime: false) : .null, objects: nil, keepsKeys: false,
      isNullable: property.isNullable)
  }

  private func isEmbedded(_ property: Property) -> Bool {
    property.target.flatMap { snapshot.schema.tableNamed($0) }?.kind == .embedded
  }

  private mutating func bind(
    _ rule: PropertyRule, _ property: Property, isPrimaryKey: Bool, _ table: Table
  ) throws -> BoundRule? {
    let name = "\(table.schema.displayName).\(property.name)"
    if let problem = problem(rule.action, property, isPrimaryKey: isPrimaryKey) {
      report("'\(rule.action)' cannot be used for '\(name)': \(problem)", at: rule.place)
      return nil
    }
    // A new key could be equal to one that another object keeps.
    if isPrimaryKey, rule.condition != nil, rule.action != .keep {
      report("'where' cannot be used for the primary key '\(name)'", at: rule.place)
      return nil
    }
    var constant = Value.null
    if case .constant(let json) = rule.action {
      guard let value = try? json.scalar(as: property.type) else {
        report("the constant must have the type of '\(name)', which is \(property.type.schemaName)", at: rule.place)
        return nil
      }
      constant = value
    }
    let objects = try rule.condition.flatMap { try matches($0, rule.place, table) }
    guard rule.action != .keep else { return nil }
    return BoundRule(
      rule.action, constant: constant, objects: objects, keepsKeys: rule.keepsKeys,
      isNullable: property.isNullable)
  }

  /// Why a rule does not fit a property; nil if it does.
  private func problem(_ action: RedactionAction, _ property: Property, isPrimaryKey: Bool) -> String? {
    if action == .keep { return nil }
    let embeddedStays = "embedded objects stay with their parents; drop their class instead"
    if isPrimaryKey {
      if case .hash = action { return nil }
      return "a primary key can only be kept or hashed"
    }
    if property.type == .object {
      if action == .hash(keepsTime: false), property.collection == .dictionary { return nil }
      guard action == .null else {
        return property.collection == .dictionary
          ? "a dictionary of links can only be kept, hashed (its keys) or set to null"
          : isEmbedded(property) ? embeddedStays : "a link can only be kept or set to null"
      }
      return isEmbedded(property) ? embeddedStays : nil
    }
    if property.type == .int, action.leavesInts { return "its type is int, which has no fractions" }
    let allowed: Bool =
      switch action {
      case .keep, .null, .constant: true
      case .hash(let keepsTime):
        property.type != .bool && (!keepsTime || property.type == .objectID || property.type == .mixed)
      case .mask: ![.bool, .date, .uuid, .objectID].contains(property.type)
      case .fake: [.string, .mixed].contains(property.type)
      case .truncate: [.string, .data, .mixed].contains(property.type)
      case .noise: property.type.isNumber || property.type == .mixed
      case .shift: [.date, .mixed].contains(property.type)
      case .range(.number): property.type.isNumber || property.type == .mixed
      case .range(.seconds): [.date, .mixed].contains(property.type)
      }
    return allowed ? nil : "its type is \(property.type.schemaName)\(property.collection?.suffix ?? "")"
  }

  /// The objects for which a condition is true; nil, with a report, if it is not a query.
  private mutating func matches(_ condition: String, _ place: RulePlace, _ table: Table) throws -> ObjectKeySet? {
    do {
      let query = try Query(condition, of: table, in: snapshot)
      var found = ObjectKeySet()
      let damage = try query.forEachKey(QueryOptions(threadCount: threadCount)) { keys in
        for key in keys { found.insert(key) }
        return true
      }
      if let first = damage.described.first { throw first.error }
      return found
    } catch let error as QueryError {
      report("'where': \(error)", at: place)
      return nil
    }
  }
}

extension Property {
  /// Whether null can replace a value, or an element of a collection.
  fileprivate var isNullable: Bool { isOptional || type == .mixed || type == .object }
}

extension RedactionAction {
  /// Whether the change is too small to have an effect on whole numbers.
  fileprivate var leavesInts: Bool {
    switch self {
    case .noise(.absolute(let range)): range < 1
    case .range(.number(let step)): step != step.rounded()
    default: false
    }
  }
}

extension PropertyType {
  var isNumber: Bool {
    switch self {
    case .int, .float, .double, .decimal128: true
    default: false
    }
  }
}
