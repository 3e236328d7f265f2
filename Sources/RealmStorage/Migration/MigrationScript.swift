/// Changes of a realm in one transaction: those that bring it to a schema version step by step, before its schema is
/// compared with a target, as a migration plan does, or those of objects alone, when it has the schema of the target.
///
/// Unlike a `MigrationFunction` it also changes the schema, and needs no target.
package struct MigrationScript: Sendable {
  /// What a script destroyed and created.
  package struct Outcome: Hashable, Sendable {
    /// All that was counted while it ran.
    package var counts = ChangeCounts()
    /// Lost values, in the order of their loss.
    package var lost: [LostValues] = []
    /// Those of them that may be lost only if the policy allows it.
    package var notAllowed: [LostValues] = []
    /// Values that operations replaced on request.
    package var overwritten: [OverwrittenValues] = []

    package init() {}
  }

  /// Whether only objects change: schema and version are those of the target, or stay, and `arrival` is not asked.
  package let editsObjects: Bool
  /// The version it migrates to from a stored one, which is nil if the file has none; nil if it has nothing to do.
  ///
  /// - Throws: `OpeningError.versionDecreased` and what else keeps it from beginning.
  package let arrival: @Sendable (_ stored: UInt64?) throws -> UInt64?
  /// Whether it writes intermediate states, to read them again. A file must not contain these if the script fails, so
  /// the script then runs on a copy, which replaces the file.
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
  ///   - spills: whether it writes intermediate states.
  ///   - run: makes the changes. Equal primary keys are detected when it ends.
  package init(editingObjects run: @escaping @Sendable (WriteTransaction) throws -> Outcome, spills: Bool) {
    (editsObjects, self.run) = (true, run)
    (arrival, self.spills) = ({ $0 }, { _ in spills })
  }

  /// Whether there is anything to do with a realm of that version.
  ///
  /// - Throws: as `arrival`.
  func isWanted(_ stored: UInt64?) throws -> Bool { try editsObjects || arrival(stored) != nil }
}
