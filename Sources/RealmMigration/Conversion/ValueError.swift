import RealmExchange
import RealmStorage
import RealmText

/// Why there is no value: a formula has none for an object, or a value has no counterpart in another type.
struct ValueError: Error, Hashable, Sendable {
  /// What happens next may depend on it.
  enum Cause: Hashable {
    case other
    /// There is no room for the fraction of a number or a second.
    case fraction
    /// An element is null, and the policy for null has nothing for it, or deletes the object, or takes the default of the
    /// whole.
    case nullElement, deletesObject, defaultsWhole
  }

  /// What is wrong.
  let fact: String
  /// What to do about it.
  var advice: String?
  /// What a key of a plan can do about it; an operation of a command line has none.
  private let key: String?
  let cause: Cause
  /// What is wrong with each of several objects, if the fact only counts them.
  var parts: [String] = []

  init(_ fact: String, advice: String? = nil, key: String? = nil, _ cause: Cause = .other) {
    (self.fact, self.advice, self.key, self.cause) = (fact, advice ?? key, key, cause)
  }

  /// Null where the plan says that it is an error.
  static let nullFails = ValueError(
    "the value is null", key: "'on_null' is fail; set it to propagate, default or delete")

  init(_ value: Value, _ type: PropertyType) {
    self.init("\(value.shown) is not \(type.valueText)")
  }

  /// With advice for an operation of a command line, which has no keys of plans.
  var byHand: ValueError {
    var error = self
    if let key { error.advice = "in a plan (--plan), \(key)" }
    return error
  }

  var message: String {
    fact + (parts.isEmpty ? "" : ": " + parts.joined(separator: "; ")) + (advice.map { "; " + $0 } ?? "")
  }
}

extension Property {
  /// The type as plans and schema files write it, without nullability: `objectId`, `int[]`, `Dog`.
  var planType: String {
    (type == .object ? targetClass?.description ?? "" : type.schemaName) + (collection?.suffix ?? "")
  }
}

extension PropertyType {
  /// What a value is called, and how it is written: `a uuid (such as …)`.
  var valueText: String {
    let name = schemaName
    // Nobody says "a data".
    let article = self == .data ? "" : name.hasPrefix("i") || name.hasPrefix("o") ? "an " : "a "
    return article + name + (form.isEmpty ? "" : " (\(form))")
  }
}
