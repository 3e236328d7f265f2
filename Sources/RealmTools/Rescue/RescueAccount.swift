import RealmStorage

/// What was saved of a damaged realm and what was not.
package struct RescueAccount: Sendable, Equatable {
  /// By class, and internal tables behind them, in the order of the new realm.
  package var classes: [ClassAccount] = []
  /// Links that lead to objects that are lost, and are null or left out now.
  package var lostLinks = 0
  /// Tables of which nothing can be read, by name, as far as names are known.
  package var lostTables: [RealmString] = []
  /// Whether more may be missing than anything shows: the lists of what there was are damaged themselves.
  package var isUncertain = false
  /// Whether there are nodes that nothing leads to: a value that is empty or null now may have led to them.
  package var hasLooseNodes = false

  package init() {}

  /// One class or internal table.
  package struct ClassAccount: Sendable, Equatable {
    /// The name as an SDK uses it.
    package let name: RealmString
    package var isClass = true
    /// Whether the name was made up.
    package var isMadeUp = false
    /// Whether properties and types are told by what the objects hold, and the properties' names were made up.
    package var isByStructure = false
    /// Objects in the new realm, and those among them that are only in an earlier snapshot or were deleted.
    package var savedObjects = 0
    package var olderObjects = 0
    package var deletedObjects = 0
    /// Those among the saved that only the last commit had, whose root is lost.
    package var lostCommitObjects = 0
    /// Objects that the live snapshot had and that are not there; nil where nothing tells how many.
    package var lostObjects: Int?
    /// Objects whose primary key is lost, or that of a newer one: they are in a class of their own.
    package var objectsWithoutKey = 0
    /// Objects of other snapshots that have the primary key of another, which was kept.
    package var duplicates = 0
    /// Embedded objects that no object holds any more: they are in a class of their own.
    package var orphans = 0
    /// Values that are sound, that come from an earlier snapshot, that are doubtful (in the new realm with the policy
    /// `all` only), and that are lost.
    package var savedValues = 0
    package var olderValues = 0
    package var doubtfulValues = 0
    package var lostValues = 0
    /// Links that are null or left out now.
    package var lostLinks = 0
    /// Properties that are not in the new realm, because what they hold cannot be told.
    package var lostProperties: [RealmString] = []
    /// Properties whose names are lost, with those that they have now.
    package var unnamedProperties: [RealmString] = []
    /// Whether more may be missing or wrong than is counted: what tells it is damaged, or contradicted.
    package var isUncertain = false

    init(name: RealmString) { self.name = name }

    /// Nothing is missing.
    package var isComplete: Bool {
      (lostObjects ?? 1) == 0 && objectsWithoutKey == 0 && duplicates == 0 && orphans == 0 && olderObjects == 0
        && olderValues == 0 && doubtfulValues == 0 && lostValues == 0 && lostLinks == 0 && lostProperties.isEmpty
        && unnamedProperties.isEmpty && lostCommitObjects == 0 && !isMadeUp && !isByStructure && !isUncertain
    }
  }

  /// Everything is there, as it was.
  package var isComplete: Bool {
    !isUncertain && !hasLooseNodes && lostTables.isEmpty && classes.allSatisfy(\.isComplete)
  }

  /// Whether something is known to be lost, or to be another than it was.
  package var hasLosses: Bool {
    var certain = self
    (certain.isUncertain, certain.hasLooseNodes) = (false, false)
    for index in certain.classes.indices {
      certain.classes[index].isUncertain = false
      certain.classes[index].lostObjects = certain.classes[index].lostObjects ?? 0
    }
    return !certain.isComplete
  }

  package var savedObjects: Int { classes.reduce(0) { $0 + $1.savedObjects } }
  package var lostObjects: Int { classes.reduce(0) { $0 + ($1.lostObjects ?? 0) } }
  package var lostProperties: Int { classes.reduce(0) { $0 + $1.lostProperties.count } }
  package var savedValues: Int { classes.reduce(0) { $0 + $1.savedValues } }
  package var olderValues: Int { classes.reduce(0) { $0 + $1.olderValues } }
  package var doubtfulValues: Int { classes.reduce(0) { $0 + $1.doubtfulValues } }
  package var lostValues: Int { classes.reduce(0) { $0 + $1.lostValues } }
}

/// One thing that is not as it was, for the report that names everything.
package struct RescueDetail: Sendable, Equatable {
  /// What it is. The raw values are stable; scripts may rely on them.
  package enum Kind: String, Sendable, CaseIterable {
    /// Values that could not be read: their properties have the default of their type, or null.
    case lostValue = "value.lost"
    /// Values of an earlier snapshot.
    case earlierValue = "value.older"
    /// Values that something speaks against; lost unless the policy is `all`.
    case doubtfulValue = "value.doubtful"
    /// Values that had links to objects that are lost.
    case lostLink = "link.lost"
    /// Objects of an earlier snapshot.
    case earlierObject = "object.older"
    /// Objects that were deleted.
    case deletedObject = "object.deleted"
    /// Objects whose primary key is lost.
    case objectWithoutKey = "object.without-primary-key"
    /// Objects that were left out, because a newer one has their primary key.
    case duplicate = "object.duplicate-primary-key"
    /// Embedded objects that no object holds; they are in a class of their own.
    case orphan = "object.orphan"
    /// A property that is lost as a whole.
    case lostProperty = "property.lost"
    /// A property or class whose name is lost and was made up.
    case lostName = "name.lost"
    /// A class whose schema is lost and was told by its objects.
    case lostSchema = "schema.lost"
    /// A class of which nothing could be saved.
    case lostClass = "class.lost"
    /// Objects that are lost: those whose keys are known, of how many there are.
    case lostObject = "object.lost"
    /// Objects that only the last commit had, whose root is lost.
    case lostCommitObject = "object.last-commit"
    /// A class of which more may be missing or wrong than is counted, because the lists of what there was are damaged.
    case uncertain = "class.uncertain"
  }

  package let kind: Kind
  package let className: RealmString
  package var property: RealmString?
  /// The objects, in the order of their keys.
  package var keys: [ObjectKey] = []
}
