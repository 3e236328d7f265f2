import RealmQuery
import RealmStorage
import RealmText

/// Which part of a realm a copy takes: `--only`, `--exclude`, `--where`, `--with-links`, `--no-internal`,
/// `--allow-data-loss`.
package struct CopyFilter: Sendable, Equatable {
  /// The classes to copy. Embedded classes that they need come along.
  package var classes = ClassSelection.all
  /// Which objects of some classes to copy. Other classes are copied whole, unless `followsLinks` says otherwise.
  package var conditions: [ClassCondition] = []
  /// Whether everything that the copied objects link to, directly or not, is copied as well. It begins with the objects
  /// that match the conditions, and all objects of classes that are named and have no condition; of other classes only
  /// what these reach is copied. Excluded classes stay out.
  package var followsLinks = false
  /// Classes that stay but lose all their objects. Links to these become null or, in lists and sets, are
  /// dropped, which needs no permission.
  package var emptiedClasses: [RealmString] = []
  /// Whether tables that are not classes come along. The one with the schema version always does.
  package var includesInternalTables = true
  /// Whether links to what is left out may be lost; otherwise there is no copy. A property that links to a class left
  /// out is left out as well; elsewhere, single links and values of dictionaries become null, and elements of lists and
  /// sets are dropped; in Mixed values as well.
  package var allowsDataLoss = false

  package init() {}

  /// Whether everything is copied.
  package var takesEverything: Bool {
    classes == .all && conditions.isEmpty && includesInternalTables && emptiedClasses.isEmpty
  }
}

/// Which objects of a class are copied.
package struct ClassCondition: Hashable, Sendable {
  /// The name that SDKs use.
  package var className: RealmString
  /// A query without arguments; `SORT`, `DISTINCT` and `LIMIT` count as in any query.
  package var query: String

  package init(className: RealmString, query: String) { (self.className, self.query) = (className, query) }
}

/// Links that a copy loses, because their targets are left out.
package struct LinkLoss: Hashable, Sendable {
  package let className: RealmString
  package let property: RealmString
  /// Whether the property itself is left out; otherwise its links become null or, in a list or set, are
  /// dropped.
  package let leavesPropertyOut: Bool
  /// Whether any of them points to an object of a class that is copied in part.
  package let leadsToObjects: Bool
  package let linkCount: Int
  /// Whether all of them point to classes that lose their objects on request.
  package let leadsToEmptiedClasses: Bool

  /// The class that the property links to; nil for mixed values.
  package let target: RealmString?

  package init(
    className: RealmString, property: RealmString, to target: RealmString? = nil, leavesPropertyOut: Bool,
    leadsToObjects: Bool = false,
    linkCount: Int,
    leadsToEmptiedClasses: Bool = false
  ) {
    (self.className, self.property, self.leavesPropertyOut) = (className, property, leavesPropertyOut)
    self.target = target
    (self.leadsToObjects, self.linkCount) = (leadsToObjects, linkCount)
    self.leadsToEmptiedClasses = leadsToEmptiedClasses
  }
}

extension LinkLoss: CustomStringConvertible {
  /// What a sentence about links that would be lost has in parentheses.
  package var place: String {
    "'\(className).\(property)'" + (target.map { " to '\($0)'" } ?? "") + ": " + linkCount.counted("link")
  }

  /// One line.
  package var description: String {
    let links = linkCount.counted("link")
    return leavesPropertyOut
      ? "property '\(className).\(property)' links to a class that is left out (\(links))"
      : "property '\(className).\(property)' has \(links) to \(leadsToObjects ? "objects" : "classes") that are left out"
  }
}
