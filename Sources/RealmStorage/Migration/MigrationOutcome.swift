/// What a migration did, or would do.
public struct MigrationOutcome: Hashable, Sendable {
  /// The stored schema version before; nil if none was set.
  public var from: UInt64?
  /// The version afterwards.
  public var to: UInt64
  /// What was to be changed, in the SDKs' words.
  public var difference: SchemaDifference
  package var steps: [StepOutcome] = []
  /// Values that are gone.
  public var lost: [LostValues] = []
  /// Values that were replaced on request.
  public var overwritten: [OverwrittenValues] = []
  /// Objects deleted, by class, even if others were created.
  public var deleted: [RealmString: Int] = [:]
  /// Objects created, by class, even if others were deleted.
  public var created: [RealmString: Int] = [:]
  /// Copies that replaced objects with several parents, by class.
  public var duplicated: [RealmString: Int] = [:]

  /// The result for a schema; nothing counted yet.
  public init(from: UInt64?, to: UInt64, difference: SchemaDifference) {
    (self.from, self.to, self.difference) = (from, to, difference)
  }

  /// Whether values were removed or overwritten that are in the file's free space now.
  public var removesValues = false

  /// Whether neither version nor schema had to change.
  public var isEmpty: Bool { from == to && !difference.hasWork && steps.isEmpty }
}

/// One step of a migration that was done.
package struct StepOutcome: Hashable, Sendable {
  package var step: MigrationStep
  /// Objects of the class when the step was done.
  package var objectCount: Int
  /// The value that objects got for an added property, if it is not the default of the type.
  package var givenDefault: Value?

  package init(_ step: MigrationStep, objectCount: Int, givenDefault: Value? = nil) {
    (self.step, self.objectCount, self.givenDefault) = (step, objectCount, givenDefault)
  }

  /// Objects that got null.
  package var nullCount: Int { getsNull ? objectCount : 0 }
  /// Objects that got the type's default, or that of the schema file.
  package var defaultedCount: Int { step.added == nil || getsNull ? 0 : objectCount }

  private var getsNull: Bool { givenDefault.map { $0 == .null } ?? (step.added?.isOptional == true) }
}

extension MigrationStep {
  /// The property that existing objects get a new value for.
  var added: Property? {
    switch self {
    case .addProperty(_, let property), .replaceProperty(_, _, let property): property
    default: nil
    }
  }
}
