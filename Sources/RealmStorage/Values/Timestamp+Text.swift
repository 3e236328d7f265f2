import RealmStorage

extension Timestamp: ReadableFromText {
  /// Reads a date in one of two forms:
  ///
  /// * ISO 8601 with a zone: `2023-11-14T22:13:20.123456789Z`, `2023-11-14T23:13+01:00`; years of more than four digits
  ///   and years before 0 have a sign, as `TextBuffer.appendISODate` writes them;
  /// * `2023-11-14 22:13:20.123456789`, which is UTC, as `TextBuffer.appendCoreDate` writes it; a zone may follow.
  ///
  /// Nil for anything else: days that do not exist, a fraction finer than nanoseconds, a leap second, dates beyond the
  /// range of `Timestamp`.
  public init?(text bytes: UnsafeRawBufferPointer) {
    self.init(text: bytes, needsZone: true)
  }

  /// Reads a date as `init(text:)` does; unless it `needsZone`, ISO 8601 without a zone and a day without a time
  /// (`2023-11-14`) are read as well, and are UTC.
  public init?(text bytes: UnsafeRawBufferPointer, needsZone: Bool) {
    var reading = DateReading(bytes)
    guard let date = reading.readDate() else { return nil }
    guard let separator = reading.take() else {
      if needsZone { return nil }
      self.init(days: date.daysSince1970, second: 0, nanoseconds: 0)
      return
    }
    let isPlain = separator == UInt8(ascii: " ")
    guard isPlain || separator | 0x20 == UInt8(ascii: "t"), let second = reading.readTime(),
      let nanoseconds = reading.readFraction(),
      let offset = reading.readZone(isNeeded: needsZone && !isPlain), reading.isAtEnd
    else { return nil }
    self.init(days: date.daysSince1970, second: second - offset, nanoseconds: nanoseconds)
  }

  /// The time this many milliseconds after 1970-01-01T00:00:00Z, as in extended JSON's `$date`.
  public init(milliseconds: Int64) {
    let seconds = milliseconds / 1000
    self.init(seconds: seconds, nanoseconds: Int32(milliseconds - seconds * 1000) * 1_000_000)
  }

  /// `nanoseconds` is not negative; nil beyond the range.
  private init?(days: Int64, second: Int, nanoseconds: Int) {
    var seconds = Signed128(days) * Signed128(CivilTime.secondsPerDay) + Signed128(second)
    var nanoseconds = nanoseconds
    if seconds.isNegative, nanoseconds > 0 {
      // Both parts have the same sign.
      seconds += 1
      nanoseconds -= CivilTime.nanosecondsPerSecond
    }
    guard let seconds = Int64(exactly: seconds) else { return nil }
    self.init(seconds: seconds, nanoseconds: Int32(nanoseconds))
  }
}

/// Parses a date's text from left to right.
private struct DateReading {
  private var rest: UnsafeRawBufferPointer.SubSequence

  init(_ bytes: UnsafeRawBufferPointer) { rest = bytes[...] }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func take() -> UInt8? { rest.popFirst() }

  /// `YYYY-MM-DD`, or a sign and 4 to 12 digits for the year.
  mutating func readDate() -> CivilDate? {
    guard let year = readYear(), take(UInt8(ascii: "-")), let month = readNumber(digitCount: 2),
      take(UInt8(ascii: "-")), let day = readNumber(digitCount: 2), (1...12).contains(month),
      (1...CivilDate.dayCount(year: year, month: month)).contains(day)
    else { return nil }
    return CivilDate(year: year, month: month, day: day)
  }

  private mutating func readYear() -> Int64? {
    let isNegative = take(UInt8(ascii: "-"))
    guard isNegative || take(UInt8(ascii: "+")) else { return readNumber(digitCount: 4).map { Int64($0) } }
    let digitCount = rest.prefix { $0.decimalDigitValue != nil }.count
    guard (4...12).contains(digitCount), let year = readNumber(digitCount: digitCount) else { return nil }
    return isNegative ? -Int64(year) : Int64(year)
  }

  /// `HH:MM` or `HH:MM:SS`, as the second of the day.
  mutating func readTime() -> Int? {
    guard let hour = readNumber(digitCount: 2), hour < 24, take(UInt8(ascii: ":")),
      let minute = readNumber(digitCount: 2), minute < 60
    else { return nil }
    let second = take(UInt8(ascii: ":")) ? readNumber(digitCount: 2) : 0
    guard let second, second < 60 else { return nil }
    return hour * 3600 + minute * 60 + second
  }

  /// A point and digits, as nanoseconds; 0 if there is none. Digits after the ninth must be 0.
  mutating func readFraction() -> Int? {
    guard take(UInt8(ascii: ".")) else { return 0 }
    var nanoseconds = 0
    var unit = CivilTime.nanosecondsPerSecond
    var hasDigit = false
    while let digit = rest.first?.decimalDigitValue {
      rest.removeFirst()
      unit /= 10
      if unit == 0, digit != 0 { return nil }
      nanoseconds += Int(digit) * unit
      hasDigit = true
    }
    return hasDigit ? nanoseconds : nil
  }

  /// `Z`, `±HH`, `±HHMM` or `±HH:MM`, as seconds ahead of UTC.
  mutating func readZone(isNeeded: Bool) -> Int? {
    guard let sign = take() else { return isNeeded ? nil : 0 }
    if sign | 0x20 == UInt8(ascii: "z") { return 0 }
    guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), let hours = readNumber(digitCount: 2), hours < 24
    else { return nil }
    let hasColon = take(UInt8(ascii: ":"))
    let minutes = hasColon || !isAtEnd ? readNumber(digitCount: 2) : 0
    guard let minutes, minutes < 60 else { return nil }
    let offset = hours * 3600 + minutes * 60
    return sign == UInt8(ascii: "-") ? -offset : offset
  }

  /// Takes the byte if it is the next one.
  private mutating func take(_ byte: UInt8) -> Bool {
    guard rest.first == byte else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func readNumber(digitCount: Int) -> Int? {
    guard rest.count >= digitCount else { return nil }
    var number = 0
    for byte in rest.prefix(digitCount) {
      guard let digit = byte.decimalDigitValue else { return nil }
      number = number * 10 + Int(digit)
    }
    rest.removeFirst(digitCount)
    return number
  }
}
