import RealmQuery
import RealmStorage
import RealmText

/// Which part of a realm a copy takes: `--only`, `--exclude`, `--where`, `--with-links`, `--no-internal`,
/// `--allow-data-loss`.
package struct CopyFilter: Sendable, Equatable {
  /// The classes to take. Embedded classes that one asked for by name needs come along.
  package var classes = ClassSelection.all
  /// Which objects to take of some classes. The other classes are taken whole, unless `followsLinks` says otherwise.
  package var conditions: [ClassCondition] = []
  /// Whether what the objects that are taken link to is taken, too, in steps of any number. The objects to begin with are
  /// those of the conditions, and all of the classes asked for by name that have none; nothing but what they reach is
  /// taken of other classes, which come along where a link can lead to them. Classes excluded stay out.
  package var followsLinks = false
  /// Classes that stay and lose all their objects. Links to these become null or, in lists and sets of links, go, which
  /// needs no leave.
  package var emptiedClasses: [RealmString] = []
  /// Whether tables that are not classes come along. The one that holds the schema version always does.
  package var includesInternalTables = true
  /// Whether links to what is left out may be lost; otherwise there is no copy. A property that links to a class left out
  /// is left out as well; of the others single links, values of dictionaries and links in Mixed values become null, and
  /// elements of lists and sets of links go.
  package var allowsDataLoss = false

  package init() {}

  /// Whether everything is taken.
  package var takesEverything: Bool {
    classes == .all && conditions.isEmpty && includesInternalTables && emptiedClasses.isEmpty
  }
}

/// Which objects of a class are taken.
package struct ClassCondition: Hashable, Sendable {
  /// As the SDKs know it.
  package var className: RealmString
  /// A query without arguments; `SORT`, `DISTINCT` and `LIMIT` count as in any query.
  package var query: String

  package init(className: RealmString, query: String) { (self.className, self.query) = (className, query) }
}

/// Links that a copy loses, because they lead to what is left out.
package struct LinkLoss: Hashable, Sendable {
  package let className: RealmString
  package let property: RealmString
  /// Whether the property itself is left out; otherwise its links become null or, in a list or set of links, go.
  package let leavesPropertyOut: Bool
  /// Whether any of them leads to an object of a class that is taken in part.
  package let leadsToObjects: Bool
  package let linkCount: Int
  /// Whether all of them lead to classes that lose their objects, which was asked for.
  package let leadsToEmptiedClasses: Bool

  package init(
    className: RealmString, property: RealmString, leavesPropertyOut: Bool, leadsToObjects: Bool = false,
    linkCount: Int,
    leadsToEmptiedClasses: Bool = false
  ) {
    (self.className, self.property, self.leavesPropertyOut) = (className, property, leavesPropertyOut)
    (self.leadsToObjects, self.linkCount) = (leadsToObjects, linkCount)
    self.leadsToEmptiedClasses = leadsToEmptiedClasses
  }
}

extension LinkLoss: CustomStringConvertible {
  /// One line.
  package var description: String {
    let links = linkCount.counted("link")
    return leavesPropertyOut
      ? "property '\(className).\(property)' links to a class that is left out (\(links))"
      : "property '\(className).\(property)' has \(links) to \(leadsToObjects ? "objects" : "classes") that are left out"
  }
}
