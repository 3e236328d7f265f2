import RealmExchange
import RealmStorage
import RealmText

/// Why there is no value: a formula has none for an object, or a value has no counterpart in another type.
struct ValueError: Error, Hashable, Sendable {
  /// What is wrong.
  let fact: String
  /// What a plan can do about it, and a single operation of a command line cannot.
  let planAdvice: String?
  /// What is wrong with each of several objects, if the fact only counts them.
  var parts: [String] = []

  init(_ fact: String, planAdvice: String? = nil) { (self.fact, self.planAdvice) = (fact, planAdvice) }

  /// Null where the plan says that it is an error.
  static let nullFails = ValueError(
    "the value is null", planAdvice: "'on_null' is fail; set it to propagate, default or delete")

  init(_ value: Value, _ type: PropertyType) {
    self.init("\(value.shown) is not \(type.valueText)")
  }

  /// With advice for an operation of a command line, which has no keys of plans.
  var byHand: ValueError {
    var error = ValueError(fact, planAdvice: planAdvice.map { $0.hasPrefix("'") ? "in a plan (--plan), \($0)" : $0 })
    error.parts = parts
    return error
  }

  var message: String {
    fact + (parts.isEmpty ? "" : ": " + parts.joined(separator: "; ")) + (planAdvice.map { "; " + $0 } ?? "")
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
