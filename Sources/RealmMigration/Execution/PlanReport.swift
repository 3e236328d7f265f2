import RealmStorage
import RealmText

/// What a plan did to a realm, or would do. If something stopped it, this covers the part up to there.
package struct PlanReport: Sendable {
  /// The schema version before; nil if there was none.
  package var from: UInt64?
  package var to: UInt64
  package var steps: [Step] = []
  /// Objects before and after, where some were asked for.
  package var samples: [Sample] = []
  package var warnings: [PlanError.Mistake] = []

  package struct Step: Sendable {
    package var to: UInt64
    package var note: String?
    package var operations: [Operation] = []

    package init(to version: UInt64, note: String? = nil, operations: [Operation] = []) {
      (to, self.note, self.operations) = (version, note, operations)
    }
  }

  /// The result of one operation.
  package struct Operation: Sendable {
    /// As plans write it.
    package var name: String
    package var className: RealmString
    package var property: RealmString?
    /// Objects that it looked at.
    package var objects = 0
    /// Of these, those whose collections have the elements already that were to be added, and none to remove.
    package var unchanged = 0
    /// Of these, those whose value was computed or converted.
    package var computed = 0
    /// Those that are null now.
    package var null = 0
    /// Those that got the default.
    package var defaulted = 0
    /// Those whose value could not be computed, whatever was done with them.
    package var failed = 0
    package var deleted = 0
    package var created = 0
    /// Elements that were dropped because a set has each once, or a single value is one of them.
    package var dropped = 0

    package init(name: String, className: RealmString, property: RealmString? = nil) {
      (self.name, self.className, self.property) = (name, className, property)
    }
  }

  /// An object before and after, in the readable form of `export`.
  package struct Sample: Sendable {
    package var className: RealmString
    package var key: ObjectKey
    package var before: String?
    /// Nil for an object that was deleted.
    package var after: String?
  }
}
