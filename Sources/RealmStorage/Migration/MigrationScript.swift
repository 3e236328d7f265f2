/// Changes of a realm in one transaction: those that bring it to a schema version step by step, before its schema is
/// compared with a target, as a migration plan does, or those of objects alone, when it has the schema of the target.
///
/// Unlike a `MigrationFunction` it makes the changes of the schema too, and needs no target.
package struct MigrationScript: Sendable {
  /// What a script destroyed and made.
  package struct Outcome: Hashable, Sendable {
    /// All that was counted while it ran.
    package var counts = ChangeCounts()
    /// Values that are gone, in the order in which they went.
    package var lost: [LostValues] = []
    /// Those of them that may not go unless the policy allows it.
    package var notAllowed: [LostValues] = []
    /// Values that operations were asked to replace.
    package var overwritten: [OverwrittenValues] = []

    package init() {}
  }

  /// Whether only objects change: schema and version are those of the target, or stay, and `arrival` is not asked.
  package let editsObjects: Bool
  /// The version that it leads to from a stored one, which is nil if the file has none; nil if it has nothing to do.
  ///
  /// - Throws: `OpeningError.versionDecreased` and what else keeps it from beginning.
  package let arrival: @Sendable (_ stored: UInt64?) throws -> UInt64?
  /// Whether it writes what it has before it is done, to read it again. A file must not hold any of that if the script
  /// fails, so the script runs on a copy then, which takes the place of the file.
  package let spills: @Sendable (_ stored: UInt64?) -> Bool
  /// Makes the changes, from the stored version to the arrival.
  ///
  /// - Throws: anything; then the realm stays as it was.
  package let run: @Sendable (WriteTransaction) throws -> Outcome

  package init(
    arrival: @escaping @Sendable (_ stored: UInt64?) throws -> UInt64?,
    spills: @escaping @Sendable (_ stored: UInt64?) -> Bool,
    run: @escaping @Sendable (WriteTransaction) throws -> Outcome
  ) {
    (self.arrival, self.spills, self.run, editsObjects) = (arrival, spills, run, false)
  }

  /// Changes of objects.
  ///
  /// - Parameters:
  ///   - spills: whether it writes what it has before it is done.
  ///   - run: makes the changes. Equal primary keys are found when it is over.
  package init(editingObjects run: @escaping @Sendable (WriteTransaction) throws -> Outcome, spills: Bool) {
    (editsObjects, self.run) = (true, run)
    (arrival, self.spills) = ({ $0 }, { _ in spills })
  }

  /// Whether there is anything to do with a realm of that version.
  ///
  /// - Throws: as `arrival`.
  func isWanted(_ stored: UInt64?) throws -> Bool { try editsObjects || arrival(stored) != nil }
}
