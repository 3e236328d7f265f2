/// A class or property that got another name and kept its values.
public enum SchemaRename: Hashable, Sendable {
  /// Names without `class_`.
  case renamedClass(from: RealmString, to: RealmString)
  /// A property of a class, by the class's name after renaming.
  case property(className: RealmString, from: RealmString, to: RealmString)

  /// In the manner of the SDKs' lists of changes.
  public var text: String {
    switch self {
    case .renamedClass(let old, let new): "Class '\(old)' has been renamed to '\(new)'."
    case .property(let name, let old, let new): "Property '\(name).\(old)' has been renamed to '\(new)'."
    }
  }
}

extension Schema {
  /// The schema with the new names.
  func applying(_ renames: [SchemaRename]) -> Schema {
    var schema = self
    var classes: [RealmString: RealmString] = [:]
    for case .renamedClass(let old, let new) in renames {
      classes[TableSchema.tableName(ofClass: old)] = TableSchema.tableName(ofClass: new)
    }
    var properties: [RealmString: [RealmString: RealmString]] = [:]
    for case .property(let name, let old, let new) in renames {
      properties[TableSchema.tableName(ofClass: name), default: [:]][old] = new
    }
    for table in schema.tables.indices {
      schema.tables[table].name = classes[schema.tables[table].name] ?? schema.tables[table].name
      let names = properties[schema.tables[table].name] ?? [:]
      for index in schema.tables[table].properties.indices {
        let property = schema.tables[table].properties[index]
        schema.tables[table].properties[index].name = names[property.name] ?? property.name
        schema.tables[table].properties[index].target = property.target.map { classes[$0] ?? $0 }
      }
    }
    return schema
  }
}

extension SchemaDifference {
  /// The changes that remain after the renames.
  package init(from stored: Schema, to target: Schema, after renames: [SchemaRename]) {
    self.init(from: renames.isEmpty ? stored : stored.applying(renames), to: target)
    self.renames = renames
  }
}
