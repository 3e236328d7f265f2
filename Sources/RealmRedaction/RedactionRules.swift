import RealmStorage
import RealmText

/// What a redaction does with the values of a realm, as described in `Docs/Redaction.md`.
package struct RedactionRules: Hashable, Sendable {
  /// What happens to properties that no rule names.
  package enum Default: String, CaseIterable, Hashable, Sendable {
    case keep, null
  }

  /// Nil if every property has to be named.
  package var fallback: Default?
  /// Whether classes and properties get other names: `Class1`, `property1`.
  package var renames = false
  package var classes: [ClassRules] = []

  package init() {}
}

/// A place in a file of rules, both from 1.
package struct RulePlace: Hashable, Sendable, Comparable {
  package let line: Int
  package let column: Int

  package init(line: Int, column: Int) { (self.line, self.column) = (line, column) }

  package static func < (left: RulePlace, right: RulePlace) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}

/// The rules for a class.
package struct ClassRules: Hashable, Sendable {
  package let name: RealmString
  package let place: RulePlace
  /// Whether the copy has none of its objects.
  package var isDropped = false
  package var properties: [PropertyRule] = []

  package init(_ name: RealmString, at place: RulePlace) { (self.name, self.place) = (name, place) }
}

/// The rule for a property.
package struct PropertyRule: Hashable, Sendable {
  package let name: RealmString
  package let place: RulePlace
  package var action: RedactionAction
  /// A query; objects that it does not match keep their values. Nil for all objects.
  package var condition: String?
  /// Whether the keys of dictionaries stay.
  package var keepsKeys = false

  package init(_ name: RealmString, _ action: RedactionAction, at place: RulePlace) {
    (self.name, self.action, self.place) = (name, action, place)
  }
}

/// What happens to a value. Null stays null.
package enum RedactionAction: Hashable, Sendable {
  case keep
  /// Null, or the type's zero if null is not allowed.
  case null
  case constant(JSONValue)
  /// The same number of characters of the same kinds.
  case mask
  /// A keyed hash of the same type.
  ///
  /// - Parameter keepsTime: whether object ids keep the time they were made.
  case hash(keepsTime: Bool)
  case fake(FakeKind)
  /// The first characters or bytes, as many as given.
  case truncate(Int)
  case noise(NoiseRange)
  /// A shift of at most as many seconds into the past or the future.
  case shift(seconds: Int64)
  case range(RangeStep)
}

package enum FakeKind: String, CaseIterable, Hashable, Sendable {
  case name, email, phone, city, text
}

package enum NoiseRange: Hashable, Sendable {
  case absolute(Double)
  /// A share of the number.
  case relative(Double)
}

package enum RangeStep: Hashable, Sendable {
  case number(Double)
  case seconds(Int64)
}

extension RedactionAction: CustomStringConvertible {
  /// As a file of rules says it, in one line: `fake: name`.
  package var description: String {
    switch self {
    case .keep: "keep"
    case .null: "null"
    case .constant: "constant"
    case .mask: "mask"
    case .hash(let keepsTime): keepsTime ? "hash, time: keep" : "hash"
    case .fake(let kind): "fake: \(kind.rawValue)"
    case .truncate(let count): "truncate: \(count)"
    case .noise(.absolute(let range)): "noise: \(Self.text(range))"
    case .noise(.relative(let share)): "noise: \(Self.text(share * 100))%"
    case .shift(let seconds): "shift: \(Duration.text(seconds))"
    case .range(.number(let step)): "range: \(Self.text(step))"
    case .range(.seconds(let seconds)): "range: \(Duration.text(seconds))"
    }
  }

  private static func text(_ number: Double) -> String {
    Int64(exactly: number).map(String.init) ?? "\(number)"
  }

  /// A time as rules write it: `30d`.
  package enum Duration {
    private static let units: [(name: Character, seconds: Int64)] = [
      ("y", 365 * 86_400), ("w", 7 * 86_400), ("d", 86_400), ("h", 3600), ("m", 60), ("s", 1),
    ]

    /// The seconds in a text; nil if it is not a time above 0.
    package static func seconds(_ text: String) -> Int64? {
      guard let last = text.last, let unit = units.first(where: { $0.name == last }),
        let number = Int64(text.dropLast()), number > 0
      else { return nil }
      let (seconds, isTooLong) = number.multipliedReportingOverflow(by: unit.seconds)
      return isTooLong ? nil : seconds
    }

    static func text(_ seconds: Int64) -> String {
      guard let unit = units.first(where: { seconds % $0.seconds == 0 && seconds >= $0.seconds }) else {
        return "\(seconds)s"
      }
      return "\(seconds / unit.seconds)\(unit.name)"
    }
  }
}
