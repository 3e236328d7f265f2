extension Timestamp: ReadableFromText {
  /// Reads a date in one of two forms:
  ///
  /// * ISO 8601 with a zone: `2023-11-14T22:13:20.123456789Z`, `2023-11-14T23:13+01:00`; years of more than four digits
  ///   and years before 0 have a sign, as `TextBuffer.appendISODate` writes them;
  /// * `2023-11-14 22:13:20.123456789`, which is UTC, as `TextBuffer.appendCoreDate` writes it; a zone may follow.
  ///
  /// Nil for anything else: days that do not exist, a fraction finer than nanoseconds, a leap second, dates beyond the
  /// range of `Timestamp`.
  package init?(text bytes: UnsafeRawBufferPointer) {
    self.init(text: bytes, needsZone: true)
  }

  /// Reads a date as `init(text:)` does; unless it `needsZone`, ISO 8601 without a zone and a day without a time
  /// (`2023-11-14`) are read as well, and are UTC.
  package init?(text bytes: UnsafeRawBufferPointer, needsZone: Bool) {
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
  package init(milliseconds: Int64) {
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
  private let bytes: UnsafeRawBufferPointer
  private var place = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  var isAtEnd: Bool { place == bytes.count }

  mutating func take() -> UInt8? {
    guard let byte = next else { return nil }
    place += 1
    return byte
  }

  private var next: UInt8? { isAtEnd ? nil : bytes[place] }

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
    let digitCount = bytes[place...].prefix { $0.decimalDigitValue != nil }.count
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
    while let digit = next?.decimalDigitValue {
      place += 1
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
    guard next == byte else { return false }
    place += 1
    return true
  }

  private mutating func readNumber(digitCount: Int) -> Int? {
    guard bytes.count - place >= digitCount else { return nil }
    var number = 0
    for index in place..<place + digitCount {
      guard let digit = bytes[index].decimalDigitValue else { return nil }
      number = number * 10 + Int(digit)
    }
    place += digitCount
    return number
  }
}

extension UnsafeMutableRawPointer {
  /// Writes `MM-DD`.
  @inline(__always) package func storeMonthAndDay(_ date: CivilDate) -> UnsafeMutableRawPointer {
    storeTwoDigits(date.month)
    (self + 2).storeBytes(of: UInt8(ascii: "-"), as: UInt8.self)
    (self + 3).storeTwoDigits(date.day)
    return self + 5
  }

  /// Writes `HH:MM:SS`; `second` is below 86400.
  @inline(__always) package func storeTime(second: Int) -> UnsafeMutableRawPointer {
    let value = UInt32(truncatingIfNeeded: second)
    let minutes = value / 60
    let hours = value / 3600
    storeTwoDigits(Int(truncatingIfNeeded: hours))
    (self + 2).storeBytes(of: UInt8(ascii: ":"), as: UInt8.self)
    (self + 3).storeTwoDigits(Int(truncatingIfNeeded: minutes &- hours &* 60))
    (self + 5).storeBytes(of: UInt8(ascii: ":"), as: UInt8.self)
    (self + 6).storeTwoDigits(Int(truncatingIfNeeded: value &- minutes &* 60))
    return self + 8
  }

  /// Writes the nine digits of `nanoseconds`.
  @inline(__always) package func storeNanoseconds(_ nanoseconds: Int) -> UnsafeMutableRawPointer {
    let value = UInt32(truncatingIfNeeded: nanoseconds)
    let first = value / 100_000_000
    (self + 1).storeEightDigits(value &- first &* 100_000_000)
    return storeByte(UInt8(truncatingIfNeeded: first) &+ 0x30) + 8
  }

  /// Writes the year with four digits, or with a sign and at least four where ISO 8601 requires it.
  @inline(__always) package func storeISOYear(_ year: Int64) -> UnsafeMutableRawPointer {
    if _fastPath((0...9999).contains(year)) {
      storeFourDigits(UInt32(truncatingIfNeeded: year))
      return self + 4
    }
    let place = storeByte(UInt8(ascii: year < 0 ? "-" : "+"))
    if year.magnitude > 9999 { return place.storeInteger(year.magnitude) }
    place.storeFourDigits(UInt32(truncatingIfNeeded: year.magnitude))
    return place + 4
  }
}

extension Timestamp {
  /// Room for any text of `storeText(at:fractionDigits:)`, and for what is written beyond its end.
  package static let mostTextLength = 48

  /// Writes the date as ISO 8601 in UTC, and returns the place after it.
  ///
  /// - Parameters:
  ///   - start: has room for `mostTextLength` bytes.
  ///   - digits: of the fraction, which gets zeros if it has fewer; from 0 to 9.
  package func storeText(at start: UnsafeMutableRawPointer, fractionDigits digits: Int = 0) -> UnsafeMutableRawPointer {
    let moment = CivilTime(self)
    let date = CivilDate(daysSince1970: moment.days)
    var place = start.storeISOYear(date.year).storeByte(UInt8(ascii: "-"))
    place = place.storeMonthAndDay(date).storeByte(UInt8(ascii: "T"))
    place = place.storeTime(second: moment.secondOfDay)
    if moment.nanoseconds != 0 || digits > 0 {
      place = place.storeByte(UInt8(ascii: ".")).storeNanoseconds(moment.nanoseconds)
      let least = place - (9 - digits)
      while place > least, (place - 1).load(as: UInt8.self) == UInt8(ascii: "0") { place -= 1 }
    }
    return place.storeByte(UInt8(ascii: "Z"))
  }
}

extension Timestamp: LosslessStringConvertible {
  /// The moment in ISO 8601 with a zone, such as `2023-11-14T22:13:20.5Z` or `2023-11-14T23:13+01:00`, or in the form of
  /// Realm's own JSON (`2023-11-14 22:13:20.5`, which is UTC).
  ///
  /// Years of more than four digits, and those before 0, have a sign. Nil for anything else: a day that does not exist, a
  /// fraction finer than nanoseconds, a leap second, a date beyond the range.
  public init?(_ description: String) { self.init(text: description) }

  /// ISO 8601 in UTC: `2023-11-14T22:13:20.5Z`, up to nine digits of a fraction without zeros at the end.
  ///
  /// Years outside 0 to 9999 have a sign and at least four digits: `+10000-01-01T00:00:00Z`, `-0001-12-31T00:00:00Z`.
  public var description: String { String.stored(Self.mostTextLength) { storeText(at: $0) } }
}

extension Timestamp: Codable {
  /// Reads the text of `description`.
  public init(from decoder: any Decoder) throws { self = try .decoded(from: decoder) }

  /// Writes the text of `description`.
  public func encode(to encoder: any Encoder) throws { try encodeText(to: encoder) }
}
