import RealmStorage

/// Reads a value as `update --set` takes it, without formulas and templates: the text that a user types for one
/// property.
package struct ValueText {
  /// Finds the object of a table by its primary key, or by its object key; nil if there is none.
  package typealias Find = (_ table: TableSchema, _ key: LinkKey) throws -> ObjectKey?

  /// The text that identifies a link's target.
  package enum LinkKey: Hashable, Sendable {
    case primaryKey(Value)
    case objectKey(ObjectKey)
  }

  private let schema: Schema
  private let tableKeys: (RealmString) -> TableKey?
  private let find: Find

  /// - Parameters:
  ///   - schema: of the realm.
  ///   - tableKeys: of the tables, by their full names.
  ///   - find: follows links.
  package init(schema: Schema, tableKeys: @escaping (RealmString) -> TableKey?, find: @escaping Find) {
    (self.schema, self.tableKeys, self.find) = (schema, tableKeys, find)
  }

  /// - Parameters:
  ///   - property: one without `collection` for an element of a collection.
  ///   - table: the class that has it.
  /// - Throws: `PlanError` with one mistake; what following a link throws.
  package func value(_ text: String, of property: Property, in table: TableSchema) throws -> UnmanagedValue {
    try value(EditValues(table: table, schema: schema).node(text, property), of: property)
  }

  private static func mistake(_ message: String) -> PlanError { PlanError(message, at: .option) }

  private func value(_ node: PlanNode, of property: Property) throws -> UnmanagedValue {
    guard let target = embeddedTarget(of: property), !node.isNull else {
      if node.isNull, let collection = property.collection { return .plain(collection.empty) }
      return .plain(try Literal(link: link).value(node, of: property))
    }
    let element = property.asElement
    switch property.collection {
    case nil: return .object(try members(node, of: target))
    case .list, .set:
      guard let elements = node.elements else { throw Self.mismatch(node, "a list") }
      return elements.isEmpty ? .plain(.list([])) : .list(try elements.map { try value($0, of: element) })
    case .dictionary:
      guard let entries = (node["$dictionary"] ?? node).entries else { throw Self.mismatch(node, "a mapping") }
      return entries.isEmpty
        ? .plain(.dictionary([:]))
        : .dictionary(
          try entries.map { entry in
            UnmanagedValue.Entry(
              entry.name, entry.value.isNull ? .plain(.null) : try value(entry.value, of: element))
          })
    }
  }

  private static func mismatch(_ node: PlanNode, _ wanted: String) -> PlanError {
    mistake("expected \(wanted), found \(node.kindName)")
  }

  private func embeddedTarget(of property: Property) -> TableSchema? {
    guard property.type == .object, let target = schema.tables.first(where: { $0.name == property.target }),
      target.kind == .embedded
    else { return nil }
    return target
  }

  private func members(_ node: PlanNode, of table: TableSchema) throws -> [UnmanagedValue.Member] {
    guard let entries = (node["$embedded"]?["value"] ?? node).entries else {
      throw Self.mismatch(node, "a mapping of the properties of '\(table.displayName)'")
    }
    return try entries.map { entry in
      guard let property = table.property(named: entry.name) else {
        throw PlanError.noProperty(entry.name, of: table, at: .option)
      }
      return UnmanagedValue.Member(property.name, try value(entry.value, of: property))
    }
  }

  // MARK: Links

  private func link(_ node: PlanNode, _ property: Property) throws -> Value {
    if let link = node["$link"] {
      guard let name = link["table"]?.text, let table = schema.classNamed(RealmString(name)) else {
        throw Self.mistake("'$link' needs the name of a class as 'table'")
      }
      guard property.type == .mixed || property.target == table.name else {
        throw Self.mistake("'\(property.name)' links to objects of class '\(property.targetClass ?? "")'")
      }
      if let key = link["objKey"] { return try self.link(to: table, objectKey: key) }
      guard let key = link["key"] else { throw Self.mistake("'$link' needs 'key' or 'objKey'") }
      if let objectKey = key.exportedObjectKey(of: table) { return try self.link(to: table, objectKey: objectKey) }
      return try self.link(to: table, primaryKey: key)
    }
    guard let table = schema.tables.first(where: { $0.name == property.target }) else {
      throw Self.mistake("'\(property.name)' takes a link")
    }
    guard table.primaryKey == nil else { return try link(to: table, primaryKey: node, for: property) }
    return try link(to: table, objectKey: node.exportedObjectKey(of: table) ?? node)
  }

  private func link(to table: TableSchema, objectKey node: PlanNode) throws -> Value {
    guard case .number(let digits) = node.content, let number = Int64(digits) else {
      throw Self.mistake("an object of class '\(table.displayName)' is named by its object key, a number")
    }
    return try link(to: table, .objectKey(ObjectKey(rawValue: number)), shown: digits)
  }

  private func link(to table: TableSchema, primaryKey node: PlanNode, for owner: Property? = nil) throws -> Value {
    guard let property = table.primaryKey else {
      throw PlanError(
        "class '\(table.displayName)' has no primary key", advice: "give 'objKey'", at: .option)
    }
    let value = try Literal(link: link).primaryKey(node, property, of: table, for: owner)
    return try link(to: table, .primaryKey(value), shown: value.shown)
  }

  private func link(to table: TableSchema, _ key: LinkKey, shown: String) throws -> Value {
    guard let tableKey = tableKeys(table.name), let object = try find(table, key) else {
      throw Self.mistake("class '\(table.displayName)' has no object \(shown)")
    }
    return .link(tableKey, object)
  }
}
