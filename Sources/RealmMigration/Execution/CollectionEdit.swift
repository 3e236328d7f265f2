import RealmStorage

/// One change of a collection, its names looked up.
struct CollectionEdit {
  enum Change {
    /// The elements, or a single one.
    case add([BoundValue])
    case remove([BoundValue])
    case unset(RealmString)
  }

  var property: Property
  var change: Change

  /// Whether it adds embedded objects, which are new ones even where their values are those of others.
  var makesObjects: Bool { if case .add(let values) = change { values.contains(where: \.makesObjects) } else { false } }

  /// Whether it is faster to read the set once than to look for each value in it.
  fileprivate var addsSeveralToSet: Bool {
    if case .add(let values) = change, property.collection == .set { values.count > 1 } else { false }
  }

  /// Edits of the same property together, in their order.
  static func byProperty(_ edits: [CollectionEdit]) -> [[CollectionEdit]] {
    var groups: [[CollectionEdit]] = []
    var places: [RealmString: Int] = [:]
    for edit in edits {
      if let index = places[edit.property.name] {
        groups[index].append(edit)
      } else {
        places[edit.property.name] = groups.count
        groups.append([edit])
      }
    }
    return groups
  }
}

/// Changes to collections that leave the other elements alone.
extension PlanExecution {
  /// What goes comes first, so that a value can take the place of an equal one, such as `1.0` of `1`.
  ///
  /// - Throws: `PlanError` for properties that are not collections, and values that are not their elements.
  func collectionEdits(_ action: PlanOperation.SetValues, of table: TableEditor) throws -> [CollectionEdit] {
    func elements(_ assignment: PlanOperation.Assignment) throws -> (Property, [BoundValue]) {
      let property = try property(assignment.property, of: table)
      guard property.collection != nil else {
        throw PlanError(
          "'\(property.name)' is not a collection", advice: "use 'values'", at: assignment.property.location)
      }
      guard property.collection != .dictionary else {
        return (property, [try bind(assignment.value, for: property, of: table, onNull: action.policies.onNull)])
      }
      guard case .list(let values, _) = assignment.value else {
        return (
          property, [try bind(assignment.value, for: property.asElement, of: table, onNull: action.policies.onNull)]
        )
      }
      return (
        property,
        try collectingMistakes(values) {
          try bind($0, for: property.asElement, of: table, onNull: action.policies.onNull)
        }
      )
    }
    func removal(_ assignment: PlanOperation.Assignment) throws -> CollectionEdit {
      let (property, values) = try elements(assignment)
      guard property.collection != .dictionary else {
        throw PlanError(
          "'\(property.name)' is a dictionary, whose entries are removed by their keys", advice: "use 'unset'",
          at: assignment.property.location)
      }
      guard !values.contains(where: \.makesObjects) else {
        throw PlanError(
          "the elements of '\(property.name)' are embedded objects, which cannot be found by value",
          advice: "set the whole list", at: assignment.property.location)
      }
      return CollectionEdit(property: property, change: .remove(values))
    }
    func unsetting(_ unset: PlanOperation.Unset) throws -> CollectionEdit {
      let property = try property(unset.property, of: table)
      guard property.collection == .dictionary else {
        throw PlanError(
          "'\(property.name)' is not a dictionary",
          advice: property.collection == nil ? nil : "use 'remove'", at: unset.property.location)
      }
      return CollectionEdit(property: property, change: .unset(unset.key))
    }
    func addition(_ assignment: PlanOperation.Assignment) throws -> CollectionEdit {
      let (property, values) = try elements(assignment)
      return CollectionEdit(property: property, change: .add(values))
    }
    let edits: [() throws -> CollectionEdit] =
      action.removed.map { removed in { try removal(removed) } }
      + action.unset.map { unset in { try unsetting(unset) } }
      + action.added.map { added in { try addition(added) } }
    return try collectingMistakes(edits) { try $0() }
  }

  /// Performs the edits of one property.
  ///
  /// - Parameter isTried: whether nothing is to be changed any longer, because a value was wrong.
  /// - Returns: whether the collection changes.
  /// - Throws: `ValueError`.
  func perform(
    _ edits: [CollectionEdit], _ key: ObjectKey, _ table: TableEditor, _ scope: EvaluationScope, isTried: Bool
  ) throws -> Bool {
    guard edits.count > 1 || edits.contains(where: \.addsSeveralToSet), !edits.contains(where: \.makesObjects) else {
      var isChanged = false
      for edit in edits where try perform(edit, key, table, scope, isTried: isTried) { isChanged = true }
      return isChanged
    }
    // What one edit removes another may add, and then nothing is written.
    let property = edits[0].property
    let old = try table.value(property.name, of: key)
    var (elements, entries) = (old.elements ?? [], old.entries ?? [:])
    for edit in edits {
      switch edit.change {
      case .remove(let values):
        let wanted = try values.map { try fittedValue(of: $0, property.asElement, scope) }
        elements.removeAll { wanted.contains(where: $0.isSameElement) }
      case .unset(let name): entries[name] = nil
      case .add(let values) where property.collection == .dictionary:
        for value in values {
          entries.merge(try fittedValue(of: value, property, scope).entries ?? [:]) { _, new in new }
        }
      case .add(let values): elements += try values.map { try element($0, of: property, scope) }
      }
    }
    let new: Value =
      switch property.collection {
      case .dictionary: .dictionary(entries)
      case .set: .set(elements.distinct)
      case .list, nil: .list(elements)
      }
    guard !new.isSame(as: old) else { return false }
    if !isTried { try table.set(property.name, of: key, to: new) }
    return true
  }

  private func perform(
    _ edit: CollectionEdit, _ key: ObjectKey, _ table: TableEditor, _ scope: EvaluationScope, isTried: Bool
  ) throws -> Bool {
    let property = edit.property
    switch edit.change {
    case .add(let values):
      var isChanged = false
      for value in values {
        if try add(value, to: property, key, table, scope, isTried: isTried) { isChanged = true }
      }
      return isChanged
    case .remove(let values):
      let wanted = try values.map { try fittedValue(of: $0, property.asElement, scope) }
      guard let elements = try table.value(property.name, of: key).elements else { return false }
      let kept = elements.filter { !wanted.contains(where: $0.isSameElement) }
      guard kept.count < elements.count, !isTried else { return kept.count < elements.count }
      try table.set(property.name, of: key, to: property.collection == .set ? .set(kept) : .list(kept))
      return true
    case .unset(let name):
      guard try table.value(property.name, of: key).entries?[name] != nil else { return false }
      if !isTried { try table.setEntry(name, of: property.name, of: key, to: nil) }
      return true
    }
  }

  private func add(
    _ bound: BoundValue, to property: Property, _ key: ObjectKey, _ table: TableEditor, _ scope: EvaluationScope,
    isTried: Bool
  ) throws -> Bool {
    if property.collection == .dictionary {
      return try addEntries(bound, to: property, key, table, scope, isTried: isTried)
    }
    if case .embedded(let fields) = bound {
      guard !isTried else { return true }
      try fill(try table.createEmbedded(in: property.name, of: key), property, fields, scope)
      return true
    }
    let value = try element(bound, of: property, scope)
    guard property.collection == .set else {
      if !isTried { try table.append(value, to: property.name, of: key) }
      return true
    }
    let elements = try table.value(property.name, of: key).elements
    guard elements?.contains(where: value.isSameElement) != true else { return false }
    if !isTried { try table.insert(value, into: property.name, of: key) }
    return true
  }

  private func element(_ bound: BoundValue, of property: Property, _ scope: EvaluationScope) throws -> Value {
    let value = try fittedValue(of: bound, property.asElement, scope)
    guard value != .null || property.isOptional && property.type != .object else {
      throw ValueError("null, but elements of '\(property.name)' are required")
    }
    return value
  }

  private func addEntries(
    _ bound: BoundValue, to property: Property, _ key: ObjectKey, _ table: TableEditor, _ scope: EvaluationScope,
    isTried: Bool
  ) throws -> Bool {
    if case .dictionary(let entries) = bound, entries.contains(where: { $0.1.makesObjects }) {
      for (name, value) in entries where !isTried {
        guard case .embedded(let fields) = value else {
          try table.setEntry(name, of: property.name, of: key, to: .null)
          continue
        }
        let made = try table.createEmbedded(in: property.name, of: key, dictionaryKey: name)
        try fill(made, property, fields, scope)
      }
      return !entries.isEmpty
    }
    let value = try fittedValue(of: bound, property, scope)
    let old = try table.value(property.name, of: key).entries ?? [:]
    var isChanged = false
    for (name, value) in value.entries ?? [:] where old[name]?.isSame(as: value) != true {
      isChanged = true
      if !isTried { try table.setEntry(name, of: property.name, of: key, to: value) }
    }
    return isChanged
  }
}
