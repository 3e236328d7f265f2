import RealmStorage

/// What was saved of a damaged realm and what was not.
package struct RescueAccount: Sendable, Equatable {
  /// By class, and internal tables behind them, in the order of the new realm.
  package var classes: [ClassAccount] = []
  /// Links that lead to objects that are lost, and are null or left out now.
  package var lostLinks = 0
  /// Tables of which nothing can be read, by name, as far as names are known.
  package var lostTables: [RealmString] = []

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
    package var earlierObjects = 0
    package var deletedObjects = 0
    /// Objects that the file counts and that are not there; nil where the count is lost too.
    package var lostObjects: Int?
    /// Objects whose primary key is lost: they are in a class of their own.
    package var objectsWithoutKey = 0
    /// Objects that have the primary key of another, which was kept.
    package var duplicates = 0
    /// Embedded objects that no object holds any more: they are in a class of their own.
    package var orphans = 0
    /// Values that are sound, that come from an earlier snapshot, that are doubtful (in the new realm with the policy
    /// `all` only), and that are lost.
    package var savedValues = 0
    package var earlierValues = 0
    package var doubtfulValues = 0
    package var lostValues = 0
    /// Links that are null or left out now.
    package var lostLinks = 0
    /// Properties that are not in the new realm, because what they hold cannot be told.
    package var lostProperties: [RealmString] = []

    init(name: RealmString) { self.name = name }

    /// Nothing is missing.
    package var isComplete: Bool {
      (lostObjects ?? 1) == 0 && objectsWithoutKey == 0 && duplicates == 0 && orphans == 0 && earlierObjects == 0
        && earlierValues == 0 && doubtfulValues == 0 && lostValues == 0 && lostLinks == 0 && lostProperties.isEmpty
        && !isMadeUp && !isByStructure
    }
  }

  /// Everything is there, as it was.
  package var isComplete: Bool { lostTables.isEmpty && classes.allSatisfy(\.isComplete) }

  package var savedObjects: Int { classes.reduce(0) { $0 + $1.savedObjects } }
  package var lostObjects: Int { classes.reduce(0) { $0 + ($1.lostObjects ?? 0) } }
  package var savedValues: Int { classes.reduce(0) { $0 + $1.savedValues } }
  package var earlierValues: Int { classes.reduce(0) { $0 + $1.earlierValues } }
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
    case earlierValue = "value.earlier"
    /// Values that something speaks against; lost unless the policy is `all`.
    case doubtfulValue = "value.doubtful"
    /// Values that had links to objects that are lost.
    case lostLink = "link.lost"
    /// Objects of an earlier snapshot.
    case earlierObject = "object.earlier"
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
  }

  package let kind: Kind
  package let className: RealmString
  package var property: RealmString?
  /// The objects, in the order of their keys.
  package var keys: [ObjectKey] = []
}
