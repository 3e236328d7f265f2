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

  /// What to know about a text that has the form of a value and is out of range.
  func advice(on text: String) -> String? {
    switch self {
    case .int:
      return text.wholeMatch(of: /[+-]?[0-9]+/) == nil ? nil : "numbers range from \(Int64.min) to \(Int64.max)"
    case .date:
      let form = /([+-]?)([0-9]{4,})-[0-9]{1,2}-[0-9]{1,2}([T@ ][0-9:]+(\.[0-9]+)?.*)?/
      guard let date = text.wholeMatch(of: form) else { return nil }
      if let fraction = date.4 ?? nil, fraction.count > 10 { return "a fraction of a second has 9 digits or fewer" }
      if text.wholeMatch(of: /\S+[T ][0-9]{1,2}:[0-9:.]+/) != nil {
        return "add the time zone, such as Z for UTC: \(text.replacing(" ", with: "T"))Z"
      }
      if text.contains("@") { return "write T in place of @" }
      if text.wholeMatch(of: /.{4,}-([0-9]-[0-9]{1,2}|[0-9]{2}-[0-9])([T ].*)?/) != nil {
        return "write the month and the day with two digits"
      }
      guard date.2.count > 4 else { return "check the month, the day and the time" }
      return date.1.isEmpty
        ? "a year above 9999 needs a sign: +\(text)" : "years range from -292277022656 to +292277026596"
    default: return nil
    }
  }
}
