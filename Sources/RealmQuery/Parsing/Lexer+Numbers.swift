/// Tokens that begin with a digit, a sign or a point.
extension Lexer {
  func numberOrSign(at start: Int) -> (TokenKind, Int) {
    if let end = dateEnd(at: start) { return (.date, end - start) }
    if let end = hexadecimalEnd(at: start) { return (.number, end - start) }
    let isSigned = Self.isSign(byte(start))
    let first = isSigned ? start + 1 : start
    let wholeEnd = digits(at: first)
    var end = wholeEnd ?? first
    var isFloat = false
    if byte(end) == UInt8(ascii: "."), wholeEnd != nil || Self.isDigit(byte(end + 1)) {
      end = digits(at: end + 1) ?? end + 1
      isFloat = true
    } else if wholeEnd == nil {
      return sign(at: start)
    }
    if byte(end) | 0x20 == UInt8(ascii: "e"), let exponentEnd = signedDigits(at: end + 1) {
      end = exponentEnd
      isFloat = true
    }
    if byte(end) == UInt8(ascii: "f") {
      end += 1
      isFloat = true
    }
    return (isFloat ? .float : isSigned ? .number : .natural, end - start)
  }

  /// A point, or a sign followed by nothing or by one of the words for special numbers.
  private func sign(at start: Int) -> (TokenKind, Int) {
    if byte(start) == UInt8(ascii: ".") { return (.dot, 1) }
    for (word, kind) in Self.specialNumbers where matchesAnyCase(word, at: start + 1) {
      return (kind, 1 + word.utf8.count)
    }
    return (byte(start) == UInt8(ascii: "+") ? .plus : .minus, 1)
  }

  private static let specialNumbers: [(String, TokenKind)] = [
    ("infinity", .infinity), ("inf", .infinity), ("nan", .nan),
  ]

  private func matchesAnyCase(_ word: String, at start: Int) -> Bool {
    word.utf8.enumerated().allSatisfy { byte(start + $0.offset) | 0x20 == $0.element }
  }

  private func hexadecimalEnd(at start: Int) -> Int? {
    guard byte(start) == UInt8(ascii: "0"), byte(start + 1) | 0x20 == UInt8(ascii: "x") else { return nil }
    var end = start + 2
    while Self.isHexDigit(byte(end)) { end += 1 }
    return end > start + 2 ? end : nil
  }

  // MARK: Dates

  /// The longest date at a place, in the reference's form or, where the dialect has them, ISO 8601.
  private func dateEnd(at start: Int) -> Int? {
    let reference = referenceDateEnd(at: start)
    guard dialect == .standard, let other = isoDateEnd(at: start) else { return reference }
    return max(other, reference ?? other)
  }

  /// `2001-2-3@4:5:6`, `2001-02-03T04:05:06:789`.
  private func referenceDateEnd(at start: Int) -> Int? {
    guard let dayEnd = dayEnd(at: start, first: start),
      byte(dayEnd) == UInt8(ascii: "@") || byte(dayEnd) == UInt8(ascii: "T"),
      let hourEnd = digits(at: dayEnd + 1), byte(hourEnd) == UInt8(ascii: ":"),
      let minuteEnd = digits(at: hourEnd + 1), byte(minuteEnd) == UInt8(ascii: ":"),
      let secondEnd = digits(at: minuteEnd + 1)
    else { return nil }
    guard byte(secondEnd) == UInt8(ascii: ":") else { return secondEnd }
    return digits(at: secondEnd + 1) ?? secondEnd
  }

  /// The end of `2001-02-03`, whose year begins at `first`.
  private func dayEnd(at start: Int, first: Int) -> Int? {
    guard let yearEnd = digits(at: first), byte(yearEnd) == UInt8(ascii: "-"),
      let monthEnd = digits(at: yearEnd + 1), byte(monthEnd) == UInt8(ascii: "-")
    else { return nil }
    return digits(at: monthEnd + 1)
  }

  /// A day whose year has four digits at least, with or without a time (`T04:05`, `T04:05:06.5`) and its zone.
  private func isoDateEnd(at start: Int) -> Int? {
    let first = Self.isSign(byte(start)) ? start + 1 : start
    guard let yearEnd = digits(at: first), yearEnd - first >= 4, var end = dayEnd(at: start, first: first) else {
      return nil
    }
    guard byte(end) == UInt8(ascii: "T") || byte(end) == UInt8(ascii: "@"), let hourEnd = digits(at: end + 1),
      byte(hourEnd) == UInt8(ascii: ":"), let minuteEnd = digits(at: hourEnd + 1)
    else { return end }
    end = minuteEnd
    if byte(end) == UInt8(ascii: ":"), let secondEnd = digits(at: end + 1) {
      end = secondEnd
      if byte(end) == UInt8(ascii: "."), let fractionEnd = digits(at: end + 1) { end = fractionEnd }
    }
    return zoneEnd(at: end)
  }

  /// The end of `Z`, `+02`, `+0200` or `+02:00`, or the place itself.
  private func zoneEnd(at start: Int) -> Int {
    if byte(start) == UInt8(ascii: "Z") { return start + 1 }
    guard Self.isSign(byte(start)), let hourEnd = digits(at: start + 1) else { return start }
    guard byte(hourEnd) == UInt8(ascii: ":"), let minuteEnd = digits(at: hourEnd + 1) else { return hourEnd }
    return minuteEnd
  }
}
