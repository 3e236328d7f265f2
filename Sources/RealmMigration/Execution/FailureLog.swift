import RealmQuery
import RealmStorage

/// What is wrong with the operations of a plan, without what only results from mistakes before it.
struct FailureLog {
  private(set) var all: [PlanError.Mistake] = []
  /// Names of what operations that failed would have made or changed.
  private var uncertain: Set<RealmString> = []

  /// Adds a failure, unless it is about something that an operation before it should have changed.
  mutating func note(_ error: PlanError, of operation: PlanOperation?) {
    let changed = operation?.action.changedNames ?? []
    all += error.mistakes.filter { mistake in
      guard let name = mistake.nameThatNothingHas else { return uncertain.isDisjoint(with: changed) }
      return !uncertain.contains(RealmString(name))
    }
    uncertain.formUnion(changed)
  }
}

extension PlanError.Mistake {
  /// In the plan or in a query of it.
  fileprivate var nameThatNothingHas: String? {
    switch cause {
    case .unknownName(_, let name): return name
    case .query(let error, _):
      guard case .unknownName(let name)? = error.cause else { return nil }
      return name
    case .option, .refusal, nil: return nil
    }
  }
}

extension PlanOperation.Action {
  /// Classes and properties that look different after the operation; a property's class does not count.
  fileprivate var changedNames: [RealmString] {
    switch self {
    case .addClass(let action): [action.name.value]
    case .removeClass(let name, _), .unembedClass(let name, _): [name.value]
    case .renameClass(let old, let new): [old.value, new.value]
    case .addProperty(let action): [action.property.value.name]
    case .renameProperty(let action): [action.source.property.value, action.newName.value]
    case .removeProperty(let name), .makeOptional(let name), .setIndex(let name, _), .removeIndex(let name):
      [name.property.value]
    case .convert(let action): [action.source.property.value]
    case .pairDictionary(let action): [action.source.property.value, action.pairClass]
    case .makeRequired(let action): [action.source.property.value]
    case .setPrimaryKey(let action): action.property.map { [$0.value] } ?? []
    case .embedClass(let action): [action.className.value]
    case .createObjects(let action): action.reference.map { [$0.value] } ?? []
    case .moveProperty(let action): [action.source.property.value, action.target.property.value]
    case .set, .deleteObjects, .transform, .assert: []
    }
  }
}
