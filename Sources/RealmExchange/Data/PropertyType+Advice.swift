import RealmStorage
import RealmText

extension PropertyType {
  /// What to know about a text that has the form of a value and is out of range.
  package func advice(on text: String) -> String? {
    switch self {
    case .int:
      return !text.matches("[+-]?[0-9]+") ? nil : "numbers range from \(Int64.min) to \(Int64.max)"
    case .date:
      let day = "[+-]?[0-9]{4,}-[0-9]{1,2}-[0-9]{1,2}"
      guard text.matches(day + "([T@ ][0-9:]+.*)?") else { return nil }
      if text.matches(day + #"[T@ ][0-9:]+\.[0-9]{10}.*"#) { return "a fraction of a second has 9 digits or fewer" }
      if text.matches(#"\S+[T ][0-9]{1,2}:[0-9:.]+"#) {
        return "add the time zone, such as Z for UTC: \(text.replacing(" ", by: "T"))Z"
      }
      if text.contains("@") { return "write T in place of @" }
      if text.matches(".{4,}-([0-9]-[0-9]{1,2}|[0-9]{2}-[0-9])([T ].*)?") {
        return "write the month and the day with two digits"
      }
      guard text.matches("[+-]?[0-9]{5}.*") else { return "check the month, the day and the time" }
      return text.first?.isNumber == true
        ? "a year above 9999 needs a sign: +\(text)" : "years range from -292277022656 to +292277026596"
    case .float:
      return Double(text).map { $0.isFinite && !Float($0).isFinite } == true ? "it is beyond the range of float" : nil
    default: return nil
    }
  }
}
