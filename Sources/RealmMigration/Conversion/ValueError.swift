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

  init(_ value: Value, _ type: PropertyType) {
    self.init("\(value.shown) is not \(type.valueText)")
  }

  var message: String {
    fact + (parts.isEmpty ? "" : ": " + parts.joined(separator: "; ")) + (planAdvice.map { "; " + $0 } ?? "")
  }
}

extension PropertyType {
  /// What a value is called, and how it is written if the name of the type does not say it: `a uuid (such as "…")`.
  var valueText: String {
    let name = schemaName
    return (name.hasPrefix("i") || name.hasPrefix("o") ? "an " : "a ") + name + exampleText
  }

  private var exampleText: String {
    switch self {
    case .date: " (such as \"2024-01-31T12:00:00Z\")"
    case .objectID: " (a string of 24 hex digits)"
    case .uuid: " (such as \"01234567-89ab-cdef-0123-456789abcdef\")"
    default: ""
    }
  }
}
