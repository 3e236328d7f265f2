import RealmStorage

/// What stops a plan on some realms and not on others, as far as the plan alone shows it.
package struct PlanDoubt: Hashable, Sendable {
  package enum Cause: Hashable, Sendable {
    /// The operation removes a property, or a class, without permission to lose values.
    case mayLoseValues(String)
    /// A property links to a class that the plan does not add.
    case unknownClass(String, property: String)
  }

  package var cause: Cause
  /// As plans write it: `remove_property`.
  package var operation: String
  package var location: PlanLocation
}

extension PlanError.Mistake {
  /// Whether it is in the operation that the doubt is about.
  package func isAbout(_ doubt: PlanDoubt, in plan: MigrationPlan) -> Bool {
    guard location >= doubt.location else { return false }
    let next = plan.steps.flatMap(\.operations).map(\.location).first { $0 > doubt.location }
    return next.map { location < $0 } ?? true
  }
}

extension MigrationPlan {
  /// In the order of the plan.
  package var doubts: [PlanDoubt] {
    var added: Set<RealmString> = []
    for operation in steps.flatMap(\.operations) {
      switch operation.action {
      case .addClass(let action): added.insert(action.name.value)
      case .renameClass(_, let name): added.insert(name.value)
      default: break
      }
    }
    return steps.flatMap(\.operations).flatMap { operation in
      operation.lossDoubt
        + operation.properties.compactMap { property in
          guard let name = property.value.targetClass, !added.contains(name) else { return nil }
          return PlanDoubt(
            cause: .unknownClass("\(name)", property: "\(property.value.name)"), operation: operation.name,
            location: property.location)
        }
    }
  }
}

extension PlanOperation {
  fileprivate var lossDoubt: [PlanDoubt] {
    let place: String
    switch action {
    case .removeProperty(let property): place = "\(property.path)"
    case .removeClass(let name, _): place = "\(name.value)"
    default: return []
    }
    return allowsLoss ? [] : [PlanDoubt(cause: .mayLoseValues(place), operation: name, location: location)]
  }

  /// Those that it adds, or gives another type.
  fileprivate var properties: [Located<Property>] {
    switch action {
    case .addClass(let action): action.properties
    case .addProperty(let action): [action.property]
    case .convert(let action): [action.target]
    default: []
    }
  }
}
