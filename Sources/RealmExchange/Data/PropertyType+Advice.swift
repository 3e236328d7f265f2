import RealmStorage

extension PropertyType {
  /// What to know about a text that has the form of a value and is out of range.
  package func advice(on text: String) -> String? {
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
    case .float:
      return Double(text).map { $0.isFinite && !Float($0).isFinite } == true ? "it is beyond the range of float" : nil
    default: return nil
    }
  }
}
