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

/// Why a plan stopped. Nothing is changed then.
package struct PlanFailure: Error, Sendable {
  /// The schema version that the step ends at.
  package var step: UInt64
  /// The operation, as plans write it; nil for the end of a step or plan.
  package var operation: String?
  package var location: PlanLocation
  /// What is wrong, in lower case or in the SDKs' words.
  package var problem: String
  /// What to do.
  package var advice: String?
  /// Whether it is the name of a class or a property that does not exist.
  package var unknownName: NameAdvice?
  /// If it is in a query.
  package var query: QueryMistake?
  /// What is wrong with each of several objects, or each of several mistakes, if the problem only counts them.
  package var parts: [String] = []
  /// Each of several mistakes, if the problem only counts them.
  package var several: [PlanError.Mistake] = []
  /// What comes before a problem that only counts objects: `failed for `, or what failed for them.
  package var subject = ""

  /// What is wrong, and what to do.
  package var message: String {
    PlanError.sentence(problem + (parts.isEmpty ? "" : ": " + parts.joined(separator: "; ")), advice)
  }
}

extension PlanError {
  /// The mistakes that stopped a plan.
  init(_ failure: PlanFailure) {
    var mistake = Mistake(failure.problem, advice: failure.advice, at: failure.location)
    (mistake.unknownName, mistake.query) = (failure.unknownName, failure.query)
    self.init(failure.several.isEmpty ? [mistake] : failure.several)
  }
}

/// All that keeps a plan from running on a schema.
package struct PlanFailures: Error, Sendable {
  /// In the order of the plan; at least one.
  package var all: [PlanFailure]
}

extension PlanFailure: CustomStringConvertible {
  /// `12:9: convert: 2 of 120 objects …`
  package var description: String {
    "\(location.line):\(location.column): " + (operation.map { $0 + ": " } ?? "") + message
  }
}
