/// The steps from one schema to another, before and after the caller's function.
///
/// Before the function runs, everything in the target is added; what the target does not have is still there, so that
/// the function can use its values. The order is the SDKs' own: classes, then class by class the new, replaced and
/// widened properties, primary keys that change, indexes; after the function, removed properties, new primary keys, and
/// the kinds of classes.
package struct SchemaSteps: Hashable, Sendable {
  /// Done before the caller's function.
  package private(set) var before: [MigrationStep] = []
  /// Done after it; if there is a function, determined again from the schema that it left.
  package private(set) var after: [MigrationStep] = []

  package init(from stored: Schema, to target: Schema) {
    self.init(SchemaDifference(from: stored, to: target), from: stored, to: target)
  }

  /// - Parameter difference: of the two schemas.
  package init(_ difference: SchemaDifference, from stored: Schema, to target: Schema) {
    let (storedClasses, targetClasses) = (stored.classesByName, target.classesByName)
    var firstOfClass = 0
    for change in difference.changes {
      let name = change.className
      // The steps of a class that both schemas have follow one another.
      if before.last?.className != name { firstOfClass = before.endIndex }
      let pair = PlannedClass(name: name, stored: storedClasses[name], target: targetClasses[name])
      add(change, pair, firstOfClass: firstOfClass)
    }
    let kinds = after.filter(\.changesKind)
    after.removeAll(where: \.changesKind)
    after += kinds
  }

  package var steps: [MigrationStep] { before + after }

  /// - Parameter firstOfClass: where the steps of the change's class begin in `before`.
  private mutating func add(_ change: SchemaChange, _ pair: PlannedClass, firstOfClass: Int) {
    let name = change.className
    switch change {
    case .addClass(let table): before.append(.createClass(table))
    case .addInitialProperties(let table): before.append(.addInitialProperties(table))
    case .removeClass: break
    case .addProperty(_, let property):
      before.append(.addProperty(className: name, pair.indexed(property)))
    case .removeProperty(_, let property): after.append(.removeProperty(className: name, property))
    case .changeType(_, let old, let new): replace(old, by: pair.indexed(new), pair)
    case .makeRequired(_, let property):
      if let new = pair.target?.property(named: property.name) { replace(property, by: pair.indexed(new), pair) }
    case .makeOptional(_, let property): before.append(.makeOptional(className: name, property))
    case .changePrimaryKey(_, let old, let new):
      // Cleared before indexes are removed: a primary key needs its own.
      if let old {
        before.insert(.clearPrimaryKey(className: name), at: firstOfClass)
        // The index is removed with the key.
        if let property = pair.target?.property(named: old), property.index != .none, !pair.isReplaced(old) {
          before.append(.addIndex(className: name, property: old, property.index))
        }
      }
      if let new { after.append(.setPrimaryKey(className: name, property: new)) }
    case .addIndex(_, let property, let kind):
      guard !pair.isReplaced(property.name), kind != .general || pair.targetKey != property.name else { return }
      before.append(.addIndex(className: name, property: property.name, kind))
    case .removeIndex(_, let property):
      guard !pair.isReplaced(property.name) else { return }
      before.append(.removeIndex(className: name, property: property.name))
    case .changeKind(_, let old, let new): after.append(.changeKind(className: name, from: old, to: new))
    }
  }

  private mutating func replace(_ old: Property, by new: Property, _ pair: PlannedClass) {
    before.append(.replaceProperty(className: pair.name, from: old, to: new))
    // A primary key is removed with its property; one that stays a primary key is set again.
    if pair.targetKey == new.name, pair.storedKey == new.name {
      after.append(.setPrimaryKey(className: pair.name, property: new.name))
    }
  }
}

extension MigrationStep {
  fileprivate var changesKind: Bool {
    if case .changeKind = self { true } else { false }
  }
}

/// A class as it is stored and as it is to be.
private struct PlannedClass {
  let name: RealmString
  let stored: TableSchema?
  let target: TableSchema?

  var storedKey: RealmString? { stored?.primaryKey?.name }
  var targetKey: RealmString? { target?.primaryKey?.name }

  /// Whether a property is removed and added again, with the index it is to have.
  func isReplaced(_ property: RealmString) -> Bool {
    guard let old = stored?.property(named: property), let new = target?.property(named: property) else { return false }
    return !old.isSameType(as: new) || (old.isOptional && !new.isOptional)
  }

  /// A new property. The index of a primary key is made when it becomes one.
  func indexed(_ property: Property) -> Property {
    guard property.name == targetKey else { return property }
    var property = property
    property.index = .none
    return property
  }
}
