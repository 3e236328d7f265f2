import Libc
import RealmStorage
import RealmText

/// How dates are shown.
package enum DateForm: String, CaseIterable, Sendable {
  case utc
  /// In the time zone of the computer, with its offset.
  case local
  /// Relative to now: `3 days ago`.
  case relative

  /// - Returns: nil if the usual form should be shown.
  func text(_ value: Timestamp) -> String? {
    switch self {
    case .utc: nil
    case .local: Self.local(value)
    case .relative: Self.relative(value.seconds, now: Int64(time(nil)))
    }
  }

  /// Nil for dates beyond the range of the system's calendar.
  private static func local(_ value: Timestamp) -> String? {
    // Before 1970, the remainder counts backwards.
    let seconds = value.nanoseconds < 0 ? value.seconds.subtractingReportingOverflow(1).partialValue : value.seconds
    let rest = value.nanoseconds < 0 ? value.nanoseconds + 1_000_000_000 : value.nanoseconds
    var (moment, parts) = (time_t(seconds), tm())
    guard abs(value.seconds / 2) < 1 << 40, localtime_r(&moment, &parts) != nil else { return nil }
    let offset = parts.tm_gmtoff / 60
    let date = [(Int(parts.tm_year) + 1900, 4), (Int(parts.tm_mon) + 1, 2), (Int(parts.tm_mday), 2)]
    let clock = [(Int(parts.tm_hour), 2), (Int(parts.tm_min), 2), (Int(parts.tm_sec), 2)]
    var text = date.map(digits).joined(separator: "-") + " " + clock.map(digits).joined(separator: ":")
    if rest != 0 {
      var fraction = digits(Int(rest), 9)
      while fraction.hasSuffix("0") { fraction.removeLast() }
      text += "." + fraction
    }
    return text + (offset < 0 ? "-" : "+") + digits(abs(offset) / 60, 2) + ":" + digits(abs(offset) % 60, 2)
  }

  private static func digits(_ number: Int, _ width: Int) -> String {
    let text = String(abs(number))
    return (number < 0 ? "-" : "") + String(repeating: "0", count: max(width - text.utf8.count, 0)) + text
  }

  /// The largest unit that fits at least once.
  package static func relative(_ seconds: Int64, now: Int64) -> String {
    let (difference, overflows) = seconds.subtractingReportingOverflow(now)
    guard !overflows, difference != .min else { return seconds < 0 ? "long ago" : "far ahead" }
    let units: [(Int64, String)] = [
      (31_556_952, "year"), (2_629_746, "month"), (86_400, "day"), (3600, "hour"), (60, "minute"), (1, "second"),
    ]
    for (size, name) in units where abs(difference) >= size {
      let text = CountText.counted(Int(abs(difference) / size), name)
      return difference < 0 ? text + " ago" : "in " + text
    }
    return "now"
  }
}
