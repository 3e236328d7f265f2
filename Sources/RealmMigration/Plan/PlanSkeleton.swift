import RealmExchange
import RealmModels
import RealmStorage
import RealmTools

/// A draft of a plan, from the differences between two schemas.
///
/// Certain changes are written as operations, in an order in which they can run: classes stop being embedded before
/// anything refers to them; primary keys are removed before their properties change, and set when these are ready; then
/// come indexes; classes become embedded last. Changes that need a decision are comments. A schema does not reveal a
/// rename: if a property was removed and another of its type was added, that becomes a comment, never an operation.
package struct PlanSkeleton {
  private let stored: Schema
  private let target: Schema
  private let version: UInt64
  /// By property, the default value that the schema file gives, in JSON.
  private let defaults: [PropertyPath: String]
  private let changes: [SchemaChange]
  private let renames: RenameSuggestions
  private var text = PlanSkeletonText()
  /// Properties whose operation is only a comment; operations that depend on them are also comments.
  private var undecided: Set<PropertyPath> = []

  /// - Parameter defaults: of properties of the target.
  package init(from stored: Schema, to target: Schema, version: UInt64, defaults: [SchemaDefault] = []) {
    self.defaults = Dictionary(defaults.map { ($0.path, $0.json) }, uniquingKeysWith: { first, _ in first })
    (self.stored, self.target, self.version) = (stored, target, version)
    changes = SchemaDifference(from: stored, to: target).changes
    renames = RenameSuggestions(changes)
  }

  /// YAML. The plan can run as it is, unless a value must be chosen or converted by hand. Text from the realm appears
  /// as quoted names, whatever characters it contains.
  package func yaml() -> String {
    var skeleton = self
    skeleton.write()
    return skeleton.text.plan(from: stored.version, to: version)
  }

  private mutating func write() {
    for table in Self.removable(changes) { suggestRemoval(of: table) }
    for case .changeKind(let name, .embedded, .topLevel) in changes {
      text.operation("unembed_class", [("class", .name(name))])
    }
    for case .addClass(let table) in changes { add(table) }
    // The primary keys of linked objects take the place of links, before these keys change.
    for case .changeType(let name, let old, let new) in changes where old.type == .object && new.type != .object {
      convert(old, to: new, of: name)
    }
    let released = releasePrimaryKeys()
    for change in changes { write(change) }
    for case .changePrimaryKey(let name, _, let new) in changes where new != nil || !released.contains(name) {
      setPrimaryKey(new, of: name)
    }
    for case .changeType(let name, let old, let new) in changes where new.type == .object {
      convert(old, to: new, of: name)
    }
    for table in stored.classes { target.classNamed(table.displayName).map { setIndexes(from: table, to: $0) } }
    for case .changeKind(let name, let old, let new) in changes where (old, new) != (.embedded, .topLevel) {
      changeKind(of: name, from: old, to: new)
    }
  }

  private mutating func write(_ change: SchemaChange) {
    switch change {
    case .addProperty(let name, let property): add(property, to: name)
    case .removeProperty(let name, let property):
      text.operation(
        "remove_property", [("class", .name(name)), ("name", .name(property.name))],
        remark: "lossy: its values are lost; add 'lossy: ok' if that is intended")
    case .changeType(let name, let old, let new):
      if old.type != .object, new.type != .object { convert(old, to: new, of: name) }
    case .makeOptional(let name, let property):
      text.operation("make_optional", [("class", .name(name)), ("name", .name(property.name))])
    case .makeRequired(let name, let property):
      text.operation(
        "make_required", [("class", .name(name)), ("name", .name(property.name))],
        remark: "for null: default: …, or on_null: delete")
    case .addClass, .addInitialProperties, .removeClass, .changePrimaryKey, .addIndex, .removeIndex, .changeKind: break
    }
  }

  // MARK: Classes

  private mutating func add(_ table: TableSchema) {
    var fields: [(String, PlanSkeletonText.Field)] = [("name", .name(table.displayName))]
    if table.kind == .embedded { fields.append(("embedded", .words("true"))) }
    var obstacle = table.kind == .asymmetric ? "a plan cannot add an asymmetric class" : nil
    if let key = table.primaryKey { fields.append(("primary_key", .name(key.name))) }
    var properties: [(RealmString, String)] = []
    for property in table.properties where !property.isComputed {
      let index = property.name == table.primaryKey?.name ? IndexKind.none : property.index
      guard let type = PlanSkeletonText.type(of: property, index: index) else {
        obstacle = Self.namelessType(property)
        continue
      }
      properties.append((property.name, type))
    }
    text.operation("add_class", fields + [("properties", .properties(properties))], obstacle: obstacle)
  }

  private mutating func changeKind(of name: RealmString, from old: TableKind, to new: TableKind) {
    guard old == .topLevel, new == .embedded else {
      return text.comment("a plan cannot make class '\(name)' \(new.rawValue) instead of \(old.rawValue)")
    }
    let tableName = TableSchema.tableName(ofClass: name)
    // Those of the target cannot be sets.
    let set = stored.classes.first { table in
      target.classNamed(table.displayName) == nil
        && table.properties.contains { $0.target == tableName && $0.collection == .set }
    }
    text.operation(
      "embed_class", [("class", .name(name))], remark: "on_orphan: delete, on_shared: duplicate",
      obstacle: set.map { "class '\($0.displayName)' has a set of '\(name)'; remove that class first" })
  }

  // MARK: Properties

  private static func namelessType(_ property: Property) -> String {
    "property '\(property.name)' links to class '\(property.targetClass ?? "")', whose name would be another type in a "
      + "plan"
  }

  private mutating func add(_ property: Property, to name: RealmString) {
    for old in renames.old(of: property, in: name) {
      text.comment("perhaps, instead of adding '\(property.name)' and removing '\(old)':")
      text.operation(
        "rename_property", [("class", .name(name)), ("from", .name(old)), ("to", .name(property.name))], isComment: true
      )
    }
    let type = PlanSkeletonText.type(of: property)
    if type == nil { undecided.insert(PropertyPath(className: name, property: property.name)) }
    var fields: [(String, PlanSkeletonText.Field)] = [
      ("class", .name(name)), ("name", .name(property.name)), ("type", .words(type ?? "…")),
    ]
    let isKey = target.classNamed(name)?.primaryKey?.name == property.name
    if !isKey, let index = property.index.planName { fields.append(("index", .words(index))) }
    let newKey = isKey ? Self.newKey(property.type) : nil
    if let newKey {
      fields.append(("value", .words("{ expr: \(newKey) }")))
    } else if let value = defaults[PropertyPath(className: name, property: property.name)], value != "null" {
      fields.append(("default", .words("{ literal: \(value) }")))
    } else if !property.isOptional, property.collection == nil {
      fields.append(("default", .words("{ \(PlanReader.choice): a value }")))
    }
    text.operation(
      "add_property", fields, remark: newKey == nil ? nil : "another primary key for each object",
      obstacle: type == nil ? Self.namelessType(property) : nil)
  }

  /// A formula that gives each object a different value.
  private static func newKey(_ type: PropertyType) -> String? {
    switch type {
    case .int: "key()"
    case .string: "str(new_uuid())"
    case .objectID: "new_objectid()"
    case .uuid: "new_uuid()"
    default: nil
    }
  }

  private mutating func convert(_ old: Property, to new: Property, of name: RealmString) {
    let type = PlanSkeletonText.type(of: new)
    var obstacle = PropertyConversion.obstacle(from: old, to: new).map { "\($0); give a formula: using" }
    if isEmbedded(old.target) || isEmbedded(new.target) {
      obstacle =
        "property '\(name).\(new.name)': embedded objects are not converted; add the new property under another name"
    } else if new.type == .object, old.type != .object || old.target != new.target, let linked = new.targetClass,
      target.classNamed(linked)?.primaryKey == nil
    {
      obstacle = "class '\(linked)' has no primary key to find objects by; name a property: match"
    } else if type == nil {
      obstacle = Self.namelessType(new)
    }
    if obstacle != nil { undecided.insert(PropertyPath(className: name, property: new.name)) }
    text.operation(
      "convert", [("class", .name(name)), ("name", .name(new.name)), ("to", .words(type ?? "…"))], obstacle: obstacle)
  }

  /// Whether a class is embedded while properties change.
  private func isEmbedded(_ tableName: RealmString?) -> Bool {
    guard let tableName else { return false }
    let name = TableSchema.displayName(ofTable: tableName)
    let kinds = [stored, target].compactMap { $0.classNamed(name)?.kind }
    return !kinds.isEmpty && kinds.allSatisfy { $0 == .embedded }
  }

  // MARK: Primary keys and indexes

  /// Gives up primary keys whose properties go or change.
  ///
  /// - Returns: the classes.
  private mutating func releasePrimaryKeys() -> Set<RealmString> {
    var changed: Set<PropertyPath> = []
    for change in changes {
      switch change {
      case .removeProperty(let name, let property), .changeType(let name, let property, _),
        .makeOptional(let name, let property), .makeRequired(let name, let property):
        changed.insert(PropertyPath(className: name, property: property.name))
      default: continue
      }
    }
    var released: Set<RealmString> = []
    for case .changePrimaryKey(let name, let old?, _) in changes
    where changed.contains(PropertyPath(className: name, property: old)) {
      setPrimaryKey(nil, of: name)
      released.insert(name)
    }
    return released
  }

  private mutating func setPrimaryKey(_ key: RealmString?, of name: RealmString) {
    let isUndecided = key.map { undecided.contains(PropertyPath(className: name, property: $0)) } ?? false
    text.operation(
      "set_primary_key", [("class", .name(name)), ("name", key.map { .name($0) } ?? .words("null"))],
      obstacle: isUndecided ? "when the property '\(key ?? "")' has its new type:" : nil)
  }

  /// Gives properties of both classes the indexes of the target.
  private mutating func setIndexes(from old: TableSchema, to new: TableSchema) {
    let name = new.displayName
    for property in new.properties where !property.isComputed && new.primaryKey?.name != property.name {
      guard let before = old.property(named: property.name), !before.isComputed,
        !undecided.contains(PropertyPath(className: name, property: property.name))
      else { continue }
      // What else a primary key contains is not known.
      let isUnknown = old.primaryKey?.name == property.name && property.allows(.general)
      let index = property.allows(before.index) ? before.index : .none
      guard isUnknown || index != property.index else { continue }
      var fields: [(String, PlanSkeletonText.Field)] = [("class", .name(name)), ("name", .name(property.name))]
      if property.index == .fullText { fields.append(("kind", .words("full-text"))) }
      text.operation(property.index == .none ? "remove_index" : "add_index", fields)
    }
  }

  // MARK: Suggestions

  /// Classes that are not in the target schema: each after those that link to it, as it can be removed only then.
  private static func removable(_ changes: [SchemaChange]) -> [TableSchema] {
    var tables = changes.compactMap { change -> TableSchema? in
      if case .removeClass(let table) = change { table } else { nil }
    }
    var ordered: [TableSchema] = []
    while !tables.isEmpty {
      let free = tables.firstIndex { table in
        !tables.contains { other in
          other.name != table.name && other.properties.contains { !$0.isComputed && $0.target == table.name }
        }
      }
      // Of a circle, any is the first.
      ordered.append(tables.remove(at: free ?? 0))
    }
    return ordered
  }

  private mutating func suggestRemoval(of table: TableSchema) {
    text.comment(
      "class '\(table.displayName)' is not in the target schema; it stays in the file unless the plan removes it:")
    text.operation(
      "remove_class", [("name", .name(table.displayName)), ("lossy", .words("ok"))], isComment: true)
    guard let new = renames.newName(of: table) else { return }
    text.comment("or renames it, instead of adding '\(new)':")
    text.operation("rename_class", [("from", .name(table.displayName)), ("to", .name(new))], isComment: true)
  }
}

/// What was removed and what was added with the same appearance.
private struct RenameSuggestions {
  private struct Kind: Hashable {
    let className: RealmString
    let type: PropertyType
    let collection: CollectionKind?
    let target: RealmString?
    let isOptional: Bool

    init(_ className: RealmString, _ property: Property) {
      (self.className, type, collection) = (className, property.type, property.collection)
      (target, isOptional) = (property.target, property.isOptional)
    }
  }

  private var removed: [Kind: [RealmString]] = [:]
  private var added: [Kind: Int] = [:]
  private var addedClasses: [Set<RealmString>: [RealmString]] = [:]

  init(_ changes: [SchemaChange]) {
    for change in changes {
      switch change {
      case .removeProperty(let name, let property): removed[Kind(name, property), default: []].append(property.name)
      case .addProperty(let name, let property): added[Kind(name, property), default: 0] += 1
      case .addClass(let table): addedClasses[Self.names(of: table), default: []].append(table.displayName)
      default: continue
      }
    }
  }

  private static func names(of table: TableSchema) -> Set<RealmString> { Set(table.properties.map(\.name)) }

  /// The removed property of the same type, if there is exactly one, and exactly one was added.
  func old(of property: Property, in className: RealmString) -> [RealmString] {
    let kind = Kind(className, property)
    guard added[kind] == 1, let names = removed[kind], names.count == 1 else { return [] }
    return names
  }

  /// The one class with properties of the same names.
  func newName(of table: TableSchema) -> RealmString? {
    addedClasses[Self.names(of: table)].flatMap { $0.count == 1 ? $0[0] : nil }
  }
}
