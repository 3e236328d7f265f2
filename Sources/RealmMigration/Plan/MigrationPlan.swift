import RealmQuery
import RealmStorage

/// A migration plan: converts a realm from any older schema version to a newer one, step by step.
package struct MigrationPlan: Sendable {
  /// Appears in reports.
  package var name: String?
  package var settings = PlanSettings()
  /// In ascending order of their versions; at least one.
  package var steps: [PlanStep]
  /// What must be true after the last step.
  package var expectation: PlanExpectation?

  /// The version after the last step.
  package var lastVersion: UInt64 { steps.last?.version.value ?? 0 }
}

/// A value and its place in the plan.
package struct Located<Value: Sendable>: Sendable {
  package var value: Value
  package var location: PlanLocation

  package init(_ value: Value, at location: PlanLocation) { (self.value, self.location) = (value, location) }
}

extension Located: Equatable where Value: Equatable {}
extension Located: Hashable where Value: Hashable {}

/// What happens to the result if a part of it is null.
package enum NullPolicy: String, CaseIterable, Sendable {
  /// The whole is null.
  case propagate
  /// The part is an empty string.
  case empty
  /// The plan fails.
  case fail
  /// The operation's default takes the place of the whole.
  case `default`
  /// The object is deleted.
  case delete
}

/// What happens to a value that cannot be converted.
package enum ErrorPolicy: String, CaseIterable, Sendable {
  /// The plan fails, with up to 20 of them in the message.
  case fail
  case null
  case `default`
  /// The object is deleted.
  case delete
}

/// Settings for operations that do not set them.
package struct PlanSettings: Sendable {
  package var onNull = NullPolicy.propagate
  package var onError = ErrorPolicy.fail
}

/// The versions that a step may begin from.
package enum VersionGuard: Hashable, Sendable {
  case versions(Set<UInt64>)
  case range(ClosedRange<UInt64>)

  package func allows(_ version: UInt64) -> Bool {
    switch self {
    case .versions(let versions): versions.contains(version)
    case .range(let range): range.contains(version)
    }
  }

  /// The lowest version that is allowed; a guard allows at least one.
  package var lowest: UInt64 {
    switch self {
    case .versions(let versions): versions.min() ?? 0
    case .range(let range): range.lowerBound
    }
  }

  package var text: String {
    switch self {
    case .versions(let versions): versions.sorted().map(String.init).joined(separator: ", ")
    case .range(let range): "\(range.lowerBound) to \(range.upperBound)"
    }
  }
}

/// The operations up to one schema version.
package struct PlanStep: Sendable {
  /// After the step.
  package var version: Located<UInt64>
  package var guarded: Located<VersionGuard>?
  package var note: String?
  package var operations: [PlanOperation]
}

/// What must be true after the last step.
package struct PlanExpectation: Sendable {
  /// A schema file, relative to the plan.
  package var schemaPath: Located<String>?
  package var counts: [(className: Located<RealmString>, count: CountRange)] = []
}

/// A number of objects, or limits of one.
package struct CountRange: Hashable, Sendable {
  package var least: Int
  package var most: Int

  package func contains(_ count: Int) -> Bool { least <= count && count <= most }

  /// `3`, `at least 1`, `at most 9`, `1 to 9`
  package var text: String {
    if least == most { return "\(least)" }
    if most == .max { return "at least \(least)" }
    return least == 0 ? "at most \(most)" : "\(least) to \(most)"
  }
}
