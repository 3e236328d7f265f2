import RealmStorage

/// The differences between two realms, or two snapshots of one.
package struct RealmChanges: Sendable {
  /// What happened to an object; the keys are those of the side that has it.
  package enum Change: Hashable, Sendable {
    case removed(ObjectKey)
    case added(ObjectKey)
    case changed(old: ObjectKey, new: ObjectKey)
  }

  package struct ClassChanges: Sendable {
    /// The name of the class for users.
    package let name: RealmString
    package let changes: [Change]
    /// Objects that are the same on both sides.
    package let equalCount: Int
    /// Whether the class is on both sides, on the older or on the newer only.
    package let isInOld: Bool
    package let isInNew: Bool
    /// The properties of a changed object whose values are different.
    ///
    /// - Throws: `BrowserProblem`.
    package let differingProperties: @Sendable (Change) throws -> Set<RealmString>

    package init(
      name: RealmString, changes: [Change], equalCount: Int, isInOld: Bool, isInNew: Bool,
      differingProperties: @escaping @Sendable (Change) throws -> Set<RealmString>
    ) {
      (self.name, self.changes, self.equalCount) = (name, changes, equalCount)
      (self.isInOld, self.isInNew, self.differingProperties) = (isInOld, isInNew, differingProperties)
    }
  }

  /// All classes of both sides, by name.
  package let classes: [ClassChanges]
  /// The differences between the schemas, one per line.
  package let schema: [String]

  package init(classes: [ClassChanges], schema: [String]) { (self.classes, self.schema) = (classes, schema) }
}

/// Two realms to compare, each with what its views need.
struct ComparedRealms {
  let old: ViewContext
  let new: ViewContext
  /// The names of the two.
  let oldName: String
  let newName: String
}
