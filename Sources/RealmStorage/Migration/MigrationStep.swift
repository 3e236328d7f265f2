/// One thing that a migration does to a realm's schema. Classes carry the name an SDK uses.
package enum MigrationStep: Hashable, Sendable {
  /// A class without properties; its primary key, if any, comes with it.
  case createClass(TableSchema)
  /// The other properties of a class that is new.
  case addInitialProperties(TableSchema)
  /// Existing objects get the type's default, or null if the property is optional.
  case addProperty(className: RealmString, Property)
  /// The property is removed and added again; all its values are lost.
  case replaceProperty(className: RealmString, from: Property, to: Property)
  /// Values stay.
  case makeOptional(className: RealmString, Property)
  case addIndex(className: RealmString, property: RealmString, IndexKind)
  case removeIndex(className: RealmString, property: RealmString)
  case clearPrimaryKey(className: RealmString)
  /// The property's values are lost.
  case removeProperty(className: RealmString, Property)
  /// Values must be unique.
  case setPrimaryKey(className: RealmString, property: RealmString)
  case changeKind(className: RealmString, from: TableKind, to: TableKind)

  /// The class the step is about.
  package var className: RealmString {
    switch self {
    case .createClass(let table), .addInitialProperties(let table): table.displayName
    case .addProperty(let name, _), .makeOptional(let name, _), .removeProperty(let name, _): name
    case .replaceProperty(let name, _, _): name
    case .addIndex(let name, _, _): name
    case .removeIndex(let name, _), .setPrimaryKey(let name, _): name
    case .clearPrimaryKey(let name): name
    case .changeKind(let name, _, _): name
    }
  }

  /// The property the step is about; nil for a whole class.
  package var property: RealmString? {
    switch self {
    case .createClass, .addInitialProperties, .clearPrimaryKey, .changeKind: nil
    case .addProperty(_, let property), .makeOptional(_, let property), .removeProperty(_, let property): property.name
    case .replaceProperty(_, _, let property): property.name
    case .addIndex(_, let name, _): name
    case .removeIndex(_, let name), .setPrimaryKey(_, let name): name
    }
  }

  /// The name of the step in reports.
  package var name: String {
    switch self {
    case .createClass: "add_class"
    case .addInitialProperties: "add_properties"
    case .addProperty: "add_property"
    case .replaceProperty(_, let old, let new): old.isSameType(as: new) ? "make_required" : "replace_property"
    case .makeOptional: "make_optional"
    case .addIndex: "add_index"
    case .removeIndex: "remove_index"
    case .clearPrimaryKey: "clear_primary_key"
    case .removeProperty: "remove_property"
    case .setPrimaryKey: "set_primary_key"
    case .changeKind(_, _, .embedded): "embed_class"
    case .changeKind: "unembed_class"
    }
  }

  /// The property whose values the step discards, as it is stored before the step.
  package var discarded: Property? {
    switch self {
    case .replaceProperty(_, let old, _): old
    case .removeProperty(_, let property): property
    default: nil
    }
  }
}

extension MigrationStep {
  /// What replaces a property whose values are discarded.
  var successor: Property? { if case .replaceProperty(_, _, let property) = self { property } else { nil } }

  /// The property that is new in an existing class of that name.
  func added(to className: RealmString) -> Property? {
    if case .addProperty(className, let property) = self { property } else { nil }
  }
}

extension Property {
  /// Whether type, collection and target are the same, so that values need no conversion.
  public func isSameType(as other: Property) -> Bool {
    type == other.type && collection == other.collection && target == other.target
  }

  /// Whether it can hold every value of another property.
  func takesValues(of other: Property) -> Bool { isSameType(as: other) && (isOptional || !other.isOptional) }
}
