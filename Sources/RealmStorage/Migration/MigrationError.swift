/// Why a migration stops, without changing anything.
package enum MigrationError: Error, Hashable, Sendable {
  /// Values or objects would be lost, and that was not allowed.
  case wouldLoseData([LostValues])
  /// A class cannot become embedded.
  case embedding(EmbeddingObstacle, EmbeddingAnalysis)
  /// Between embedded or top level and asymmetric.
  case kindChange(className: RealmString, from: TableKind, to: TableKind)
  case duplicatePrimaryKey(PropertyPath)
  case rename(RenameError)
  /// A function renamed a property to a name that is not in the target.
  case renamedPropertyMissing(PropertyPath)
  /// A class that properties of other classes link to.
  case classIsLinkTarget(className: RealmString)
  /// A step that is impossible in this file: a name that is too long, a damaged table.
  case notPossible(MigrationStep, String)

  /// The text of the reference engine.
  package var text: String {
    switch self {
    case .wouldLoseData(let lost): lost.map { "'\($0.place)'" }.joined(separator: ", ")
    case .embedding(let obstacle, let analysis): obstacle.text(className: analysis.className)
    case .kindChange(let name, let old, let new): "Cannot change '\(name)' from \(old.rawValue) to \(new.rawValue)"
    case .duplicatePrimaryKey(let path): "Primary key property '\(path)' has duplicate values after migration."
    case .rename(let error): error.text
    case .renamedPropertyMissing(let path): "Renamed property '\(path)' does not exist."
    case .classIsLinkTarget(let name): "Cannot remove class_\(name) that is target of outside links"
    case .notPossible(_, let reason): reason
    }
  }
}

/// Why a property cannot be renamed.
package enum RenameError: Hashable, Sendable {
  case noSuchClass(RealmString)
  /// The target schema has no such class.
  case classRemoved(RealmString)
  /// The target schema still has the property.
  case sourceStillExists(PropertyPath, to: RealmString)
  case noSuchProperty(PropertyPath)
  case otherType(PropertyPath, to: RealmString, Property, Property)
  case optionalToRequired(PropertyPath, to: RealmString)

  /// The text of the reference engine.
  package var text: String {
    switch self {
    case .noSuchClass(let name): "Cannot rename properties for type '\(name)' because it does not exist."
    case .classRemoved(let name):
      "Cannot rename properties for type '\(name)' because it has been removed from the Realm."
    case .sourceStillExists(let path, let new):
      "Cannot rename property '\(path)' to '\(new)' because the source property still exists."
    case .noSuchProperty(let path): "Cannot rename property '\(path)' because it does not exist."
    case .otherType(let path, let new, let old, let other):
      "Cannot rename property '\(path)' to '\(new)' because it would change from type '\(old.typeText)' to "
        + "'\(other.typeText)'."
    case .optionalToRequired(let path, let new):
      "Cannot rename property '\(path)' to '\(new)' because it would change from optional to required."
    }
  }
}

/// The effect of renaming a property, determined from schemas alone.
package enum PropertyRename: Hashable, Sendable {
  /// The stored schema has no property of the new name: an intermediate name.
  case plain
  /// The property with the new name, which is still empty, is removed first; then the old one takes its name.
  case replacing(Property, becomesOptional: Bool)

  /// - Parameters:
  ///   - current: the schema of the realm as the migration left it so far.
  ///   - target: the target schema.
  package init(
    ofClass name: RealmString, from old: RealmString, to new: RealmString, current: Schema, target: Schema
  ) throws(MigrationError) {
    guard let table = current.classNamed(name) else { throw .rename(.noSuchClass(name)) }
    guard let wanted = target.classNamed(name) else { throw .rename(.classRemoved(name)) }
    let path = PropertyPath(className: name, property: old)
    guard wanted.property(named: old) == nil else { throw .rename(.sourceStillExists(path, to: new)) }
    guard let source = table.property(named: old) else { throw .rename(.noSuchProperty(path)) }
    guard let existing = table.property(named: new) else {
      self = .plain
      return
    }
    guard source.isSameType(as: existing) else { throw .rename(.otherType(path, to: new, source, existing)) }
    guard !source.isOptional || existing.isOptional else { throw .rename(.optionalToRequired(path, to: new)) }
    self = .replacing(existing, becomesOptional: !source.isOptional && existing.isOptional)
  }
}
