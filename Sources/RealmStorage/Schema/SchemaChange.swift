/// One difference between a stored schema and a target schema, as the SDKs classify it.
///
/// Classes have the name that an SDK uses, without `class_`.
public enum SchemaChange: Hashable, Sendable {
  /// The class is new.
  case addClass(TableSchema)
  /// Stands for all properties of a new class; follows its `addClass`.
  case addInitialProperties(TableSchema)
  /// The stored class is not in the target. It stays in the file with all its objects.
  case removeClass(TableSchema)
  /// The target's property is new in a stored class.
  case addProperty(className: RealmString, Property)
  /// The stored property is not in the target, or is computed there. Its values are lost.
  case removeProperty(className: RealmString, Property)
  /// The type, link target or kind of collection differs. All values are lost: nothing is ever converted.
  case changeType(className: RealmString, from: Property, to: Property)
  /// The stored property becomes optional. Values stay.
  case makeOptional(className: RealmString, Property)
  /// The stored property becomes required. All values are replaced by the type's default, those that are not null too.
  case makeRequired(className: RealmString, Property)
  /// The primary key changes to another property, is added (`from` is nil) or removed (`to` is nil).
  case changePrimaryKey(className: RealmString, from: RealmString?, to: RealmString?)
  /// The stored property gets a search index of the given kind.
  case addIndex(className: RealmString, Property, IndexKind)
  /// The stored property loses its search index.
  case removeIndex(className: RealmString, Property)
  /// Top-level, embedded or asymmetric became another of these.
  case changeKind(className: RealmString, from: TableKind, to: TableKind)
}

extension SchemaChange {
  /// What a change requires when an app opens the realm with the target schema.
  public enum Effect: String, Hashable, Sendable, CaseIterable {
    /// Done without a higher schema version, or nothing has to be done.
    case automatic = "auto"
    /// Needs a higher schema version; no stored value is lost.
    case bump
    /// Needs a higher schema version, and values are lost.
    case lossy
    /// Needs a higher schema version and objects that fit: unique keys, one parent for each embedded object.
    case conditional
  }

  /// What the change does to a realm that has objects.
  public var effect: Effect {
    switch self {
    case .addClass, .addInitialProperties, .removeClass, .addIndex, .removeIndex: .automatic
    case .addProperty, .makeOptional: .bump
    case .removeProperty, .changeType, .makeRequired: .lossy
    case .changePrimaryKey, .changeKind: .conditional
    }
  }

  /// Whether an app must raise the schema version for this change.
  public var needsMigration: Bool { effect != .automatic }

  /// The class the change is about, without `class_`.
  public var className: RealmString {
    switch self {
    case .addClass(let table), .addInitialProperties(let table), .removeClass(let table): table.displayName
    case .addProperty(let name, _), .removeProperty(let name, _), .makeOptional(let name, _),
      .makeRequired(let name, _), .removeIndex(let name, _):
      name
    case .changeType(let name, _, _), .addIndex(let name, _, _): name
    case .changePrimaryKey(let name, _, _): name
    case .changeKind(let name, _, _): name
    }
  }

  /// The property the change is about; nil for changes of a whole class and of its primary key.
  public var property: Property? {
    switch self {
    case .addClass, .addInitialProperties, .removeClass, .changePrimaryKey, .changeKind: nil
    case .addProperty(_, let property), .removeProperty(_, let property), .makeOptional(_, let property),
      .makeRequired(_, let property), .removeIndex(_, let property):
      property
    case .changeType(_, _, let property), .addIndex(_, let property, _): property
    }
  }

  /// The name of the kind of change in JSON output.
  public var kindName: String {
    switch self {
    case .addClass: "AddTable"
    case .addInitialProperties: "AddInitialProperties"
    case .removeClass: "RemoveTable"
    case .addProperty: "AddProperty"
    case .removeProperty: "RemoveProperty"
    case .changeType: "ChangePropertyType"
    case .makeOptional: "MakePropertyNullable"
    case .makeRequired: "MakePropertyRequired"
    case .changePrimaryKey: "ChangePrimaryKey"
    case .addIndex: "AddIndex"
    case .removeIndex: "RemoveIndex"
    case .changeKind: "ChangeTableType"
    }
  }

  /// The line the SDKs print for the change in their error lists; nil for `addInitialProperties`, which `addClass`
  /// speaks for. Bytes of names that are not UTF-8 appear as U+FFFD.
  public var text: String? {
    switch self {
    case .addClass: "Class '\(className)' has been added."
    case .addInitialProperties: nil
    case .removeClass: "Class '\(className)' has been removed."
    case .addProperty(_, let property): "Property '\(className).\(property.name)' has been added."
    case .removeProperty(_, let property): "Property '\(className).\(property.name)' has been removed."
    case .changeType(_, let old, let new):
      "Property '\(className).\(new.name)' has been changed from '\(old.typeText)' to '\(new.typeText)'."
    case .makeOptional(_, let property): "Property '\(className).\(property.name)' has been made optional."
    case .makeRequired(_, let property): "Property '\(className).\(property.name)' has been made required."
    case .changePrimaryKey(_, let old, let new): Self.primaryKeyText(className, from: old, to: new)
    case .addIndex(_, let property, _): "Property '\(className).\(property.name)' has been made indexed."
    case .removeIndex(_, let property): "Property '\(className).\(property.name)' has been made unindexed."
    case .changeKind(_, let old, let new):
      "Class '\(className)' has been changed from \(old.rawValue) to \(new.rawValue)."
    }
  }

  private static func primaryKeyText(_ className: RealmString, from old: RealmString?, to new: RealmString?) -> String {
    guard let new else { return "Primary Key for class '\(className)' has been removed." }
    guard let old else { return "Primary Key for class '\(className)' has been added." }
    return "Primary Key for class '\(className)' has changed from '\(old)' to '\(new)'."
  }
}
