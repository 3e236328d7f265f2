import RealmStorage
import RealmText

/// Why there is no value: a formula has none for an object, or a value has no counterpart in another type.
struct ValueError: Error, Hashable, Sendable {
  /// What is wrong.
  let fact: String
  /// What a plan can do about it, and a single operation of a command line cannot.
  let planAdvice: String?

  init(_ fact: String, planAdvice: String? = nil) { (self.fact, self.planAdvice) = (fact, planAdvice) }

  init(_ value: Value, _ type: PropertyType) {
    self.init("\(value.shown) cannot become \(type.messageText)")
  }

  var message: String { fact + (planAdvice.map { "; " + $0 } ?? "") }
}
