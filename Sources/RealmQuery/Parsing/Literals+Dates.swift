import RealmStorage
import RealmText

/// Dates: `2001-02-03@04:05:06:789`, `T981173106:789`, ISO 8601.
extension Literals {
  func date(_ range: SourceRange) -> ConstantSyntax.Kind {
    if bytes[range.start] == UInt8(ascii: "T") { return rawDate(range) }
    var fields = DateFields(bytes[range.start..<range.end])
    guard dialect == .reference else {
      return fields.checkedDate().map { .value(.date($0)) } ?? .invalid(invalidDate(at: range))
    }
    guard let (seconds, nanoseconds) = fields.normalizedDate() else {
      return .invalid(QueryError(.invalidQuery, "Conversion of dates before 1900 is not supported.", at: range))
    }
    return date(seconds, nanoseconds, range)
  }

  private func invalidDate(at range: SourceRange) -> QueryError {
    var error = syntaxError("invalid date", at: range)
    error.advice = "check the month, the day and the time"
    return error
  }

  /// `T<seconds>:<nanoseconds>`.
  private func rawDate(_ range: SourceRange) -> ConstantSyntax.Kind {
    let colon = bytes[range.start..<range.end].firstIndex(of: UInt8(ascii: ":")) ?? range.end
    guard let seconds = number(SourceRange(range.start + 1, colon)),
      let nanoseconds = number(SourceRange(colon + 1, range.end))
    else { return .invalid(syntaxError("number out of range", at: range)) }
    return date(seconds, nanoseconds, range)
  }

  /// A moment whose parts must agree in sign.
  private func date(_ seconds: Int64, _ nanoseconds: Int64, _ range: SourceRange) -> ConstantSyntax.Kind {
    guard nanoseconds.magnitude < 1_000_000_000, seconds >= 0 || nanoseconds <= 0, seconds <= 0 || nanoseconds >= 0
    else { return .invalid(QueryError(.syntaxError, "Invalid timestamp format", at: range)) }
    return .value(.date(Timestamp(seconds: seconds, nanoseconds: Int32(nanoseconds))))
  }
}

/// Parses a date's text from left to right. The lexer has checked its signs.
private struct DateFields {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  private mutating func take(_ signs: String) -> UInt8? {
    guard let first = rest.first, signs.utf8.contains(first) else { return nil }
    return rest.popFirst()
  }

  private mutating func digits() -> ArraySlice<UInt8> {
    let digits = rest.prefix { Lexer.isDigit($0) }
    rest.removeFirst(digits.count)
    return digits
  }

  /// The next number; nil beyond the range.
  private mutating func number() -> Int64? { Self.number(digits()) }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
    Int64(text: String(decoding: digits, as: UTF8.self))
  }

  /// The moment, if there is such a day and time.
  mutating func checkedDate() -> Timestamp? {
    let sign = take("+-")
    guard var year = number(), year < 1_000_000_000_000, take("-") != nil, let month = number(),
      (1...12).contains(month), take("-") != nil, let day = number()
    else { return nil }
    if sign == UInt8(ascii: "-") { year = -year }
    guard day >= 1, day <= CivilDate.dayCount(year: year, month: Int(month)) else { return nil }
    var second: Int64 = 0
    var nanoseconds: Int64 = 0
    if take("@T") != nil {
      guard let hour = number(), hour < 24, take(":") != nil, let minute = number(), minute < 60 else { return nil }
      second = hour * 3600 + minute * 60
      if take(":") != nil {
        guard let number = number(), number < 60, let fraction = fraction() else { return nil }
        second += number
        nanoseconds = fraction
      }
      guard let offset = zone() else { return nil }
      second -= offset
    }
    let days = CivilDate(year: year, month: Int(month), day: Int(day)).daysSince1970
    guard let seconds = Int64(exactly: Signed128(days) * 86_400 + Signed128(second)) else { return nil }
    return Timestamp(seconds: seconds, nanoseconds: Int32(nanoseconds))
  }

  /// `.5` or `:500000000`, as nanoseconds; 0 if there is neither.
  private mutating func fraction() -> Int64? {
    if take(":") != nil {
      guard let number = number(), number < 1_000_000_000 else { return nil }
      return number
    }
    guard take(".") != nil else { return 0 }
    let digits = digits()
    guard digits.dropFirst(9).allSatisfy({ $0 == UInt8(ascii: "0") }) else { return nil }
    let padded = Array(digits.prefix(9)) + Array(repeating: UInt8(ascii: "0"), count: max(9 - digits.count, 0))
    return Self.number(padded[...])
  }

  /// `Z`, `+02`, `+0200`, `+02:00`, as seconds ahead of UTC.
  private mutating func zone() -> Int64? {
    if take("Z") != nil { return 0 }
    guard let sign = take("+-") else { return 0 }
    let digits = digits()
    guard digits.count == 2 || digits.count == 4, let hours = Self.number(digits.prefix(2)), hours < 24 else {
      return nil
    }
    var minutes: Int64 = 0
    if digits.count == 4 {
      guard rest.isEmpty, let number = Self.number(digits.dropFirst(2)) else { return nil }
      minutes = number
    } else if take(":") != nil {
      guard rest.count == 2, let number = number() else { return nil }
      minutes = number
    }
    guard minutes < 60 else { return nil }
    let offset = hours * 3600 + minutes * 60
    return sign == UInt8(ascii: "-") ? -offset : offset
  }

  /// The moment as the reference computes it: fields beyond their range are carried over, and nanoseconds before 1970
  /// count backwards. Nil before 1900.
  mutating func normalizedDate() -> (seconds: Int64, nanoseconds: Int64)? {
    var fields: [Int64] = []
    while !rest.isEmpty {
      // The reference's fields have 32 bits.
      fields.append(Int64(Int32(truncatingIfNeeded: number() ?? .max)))
      _ = rest.popFirst()
    }
    guard fields.count >= 6, fields[0] >= 1900 else { return nil }
    let (years, month) = (fields[1] - 1).dividedRoundingDown(by: 12)
    let days = CivilDate(year: fields[0] + years, month: month + 1, day: 1).daysSince1970 + fields[2] - 1
    let seconds = days * 86_400 + fields[3] * 3600 + fields[4] * 60 + fields[5]
    let nanoseconds = fields.count > 6 ? fields[6] : 0
    return (seconds, seconds < 0 ? -nanoseconds : nanoseconds)
  }
}
