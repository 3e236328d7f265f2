import RealmStorage

/// What was saved of a damaged realm and what was not.
package struct RescueAccount: Sendable, Equatable {
  /// By class, then by internal table, in the order of the new realm.
  package var classes: [ClassAccount] = []
  /// Links to lost objects, which are now null or left out.
  package var lostLinks = 0
  /// Names, as far as known, of tables of which nothing can be read.
  package var lostTables: [RealmString] = []
  /// Whether more may be missing than is known, because the lists of what there was are damaged themselves.
  package var isUncertain = false
  /// Whether there are nodes that nothing refers to: a value that is now empty or null may have referred to them.
  package var hasLooseNodes = false

  package init() {}

  /// One class or internal table.
  package struct ClassAccount: Sendable, Equatable {
    /// The name as an SDK uses it.
    package let name: RealmString
    package var isClass = true
    /// Whether the name was invented.
    package var isMadeUp = false
    /// Whether the name, or that of a property, has bytes that no app gives to one.
    package var hasDamagedName = false
    /// Whether properties and types were determined from the objects, and the properties' names were invented.
    package var isByStructure = false
    /// Objects in the new realm, and those among them that are only in an older snapshot or were deleted.
    package var savedObjects = 0
    package var olderObjects = 0
    package var deletedObjects = 0
    /// Those among the saved that only the last commit had, whose root is lost.
    package var lostCommitObjects = 0
    /// Lost objects of the live snapshot; nil if their number is unknown.
    package var lostObjects: Int?
    /// Objects whose primary key is lost, or belongs to a newer object: they are in a class of their own.
    package var objectsWithoutKey = 0
    /// Objects of other snapshots with the primary key of another object, which was kept.
    package var duplicates = 0
    /// Embedded objects without a parent: they are in a class of their own.
    package var orphans = 0
    /// Values that are undamaged, that come from an older snapshot, that are doubtful (saved only with the policy
    /// `all`), and that are lost.
    package var savedValues = 0
    package var olderValues = 0
    package var doubtfulValues = 0
    package var lostValues = 0
    /// Links that are null or left out now.
    package var lostLinks = 0
    /// Properties that are not in the new realm, because their content cannot be determined.
    package var lostProperties: [RealmString] = []
    /// The new names of properties whose names are lost.
    package var unnamedProperties: [RealmString] = []
    /// Properties whose links may be missing or wrong: what would show it is damaged.
    package var uncomparedLinks: [RealmString] = []
    /// Whether more may be missing or wrong than is counted: what would show it is damaged or contradicted.
    package var isUncertain = false

    init(name: RealmString) { self.name = name }

    /// Nothing is missing.
    package var isComplete: Bool {
      (lostObjects ?? 1) == 0 && objectsWithoutKey == 0 && duplicates == 0 && orphans == 0 && olderObjects == 0
        && olderValues == 0 && doubtfulValues == 0 && lostValues == 0 && lostLinks == 0 && lostProperties.isEmpty
        && unnamedProperties.isEmpty && uncomparedLinks.isEmpty && lostCommitObjects == 0 && !isMadeUp
        && !hasDamagedName && !isByStructure && !isUncertain
    }
  }

  /// Everything is there, as it was.
  package var isComplete: Bool {
    !isUncertain && !hasLooseNodes && lostTables.isEmpty && classes.allSatisfy(\.isComplete)
  }

  /// Whether something is known to be lost or changed.
  package var hasLosses: Bool {
    var certain = self
    (certain.isUncertain, certain.hasLooseNodes) = (false, false)
    for index in certain.classes.indices {
      (certain.classes[index].isUncertain, certain.classes[index].uncomparedLinks) = (false, [])
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

/// One loss or change, for the report that names them all.
package struct RescueDetail: Sendable, Equatable {
  /// What it is. The raw values are stable; scripts may rely on them.
  package enum Kind: String, Sendable, CaseIterable {
    /// Values that could not be read: their properties have the default of their type, or null.
    case lostValue = "value.lost"
    /// Values of an older snapshot.
    case earlierValue = "value.older"
    /// Values that something contradicts; lost unless the policy is `all`.
    case doubtfulValue = "value.doubtful"
    /// Values with links to lost objects.
    case lostLink = "link.lost"
    /// Objects of an older snapshot.
    case earlierObject = "object.older"
    /// Objects that were deleted.
    case deletedObject = "object.deleted"
    /// Objects whose primary key is lost.
    case objectWithoutKey = "object.without-primary-key"
    /// Objects that were left out, because a newer one has the same primary key.
    case duplicate = "object.duplicate-primary-key"
    /// Embedded objects without a parent; they are in a class of their own.
    case orphan = "object.orphan"
    /// A property that is lost as a whole.
    case lostProperty = "property.lost"
    /// A property or class whose name is lost, and which has an invented one.
    case lostName = "name.lost"
    /// A class whose schema is lost and was determined from its objects.
    case lostSchema = "schema.lost"
    /// A class of which nothing could be saved.
    case lostClass = "class.lost"
    /// Objects that are lost: those whose keys are known, of how many there are.
    case lostObject = "object.lost"
    /// Objects that only the last commit had, whose root is lost.
    case lostCommitObject = "object.last-commit"
    /// A class, or the links of a property, of which more may be missing or wrong than is counted, because the lists of what
    /// there was are damaged.
    case uncertain = "class.uncertain"
  }

  package let kind: Kind
  package let className: RealmString
  package var property: RealmString?
  /// The objects, in the order of their keys.
  package var keys: [ObjectKey] = []
}
