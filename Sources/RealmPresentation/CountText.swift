import RealmStorage
import RealmText

/// Numbers for people.
package enum CountText {
  /// `1,234,567`
  package static func grouped(_ number: Int) -> String {
    let digits = Array(String(number.magnitude))
    var text = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return text
  }

  /// `1 object`, `1,234 objects`
  package static func counted(_ number: Int, _ noun: String, _ plural: String? = nil) -> String {
    grouped(number) + " " + number.noun(noun, plural)
  }

  /// `45%`; never 100 while something is left.
  package static func percent(_ part: Int, of whole: Int) -> String {
    guard whole > 0 else { return "0%" }
    if part >= whole { return "100%" }
    return "\(min(99, Int(clamping: Double(max(part, 0)) / Double(whole) * 100)))%"
  }

  /// `9.9%`: neither 0 nor 100 unless it is exactly that.
  package static func share(_ part: Int, of whole: Int) -> String {
    guard whole > 0, part > 0 else { return "0.0%" }
    let tenths = Int(clamping: (Double(part) * 1000 / Double(whole)).rounded())
    guard tenths > 0 else { return "<0.1%" }
    let shown = part >= whole ? 1000 : min(tenths, 999)
    return "\(shown / 10).\(shown % 10)%"
  }
}
