import RealmStorage

/// What is wrong with the operations of a plan, without what only results from mistakes before it.
struct FailureLog {
  private(set) var all: [PlanError.Mistake] = []
  /// Names of what operations that failed would have made or changed.
  private var uncertain: Set<RealmString> = []

  /// Adds a failure, unless it is about something that an operation before it should have changed.
  mutating func note(_ error: PlanError, of operation: PlanOperation?) {
    all += error.mistakes.filter { Self.names(in: $0.problem).isDisjoint(with: uncertain) }
    if let operation { uncertain.formUnion(operation.action.changedNames) }
  }

  /// The names in quotes, as in `'Dog' has no property 'age'` and `'Dog.age'`.
  private static func names(in text: String) -> Set<RealmString> {
    let quoted = text.split(separator: "'", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }
    return Set(quoted.flatMap { $0.element.split(separator: ".").map { RealmString(String($0)) } })
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
