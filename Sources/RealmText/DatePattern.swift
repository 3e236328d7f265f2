import RealmStorage

/// A pattern for reading and writing dates, with those letters of Unicode's date patterns that need no calendar or
/// language: `yyyy-MM-dd HH:mm:ss.SSS`, `dd/MM/yyyy`, `yyyy-MM-dd'T'HH:mmXXX`.
///
/// `y`, `M`, `d`, `H`, `m` and `s` are year, month, day, hour, minute and second with as many digits as letters, a
/// single letter with any number of digits; `yy` is a year from 2000; `S` are digits of the fraction; `X` is a zone
/// such as `+0100`, `XXX` `+01:00`, both `Z` for UTC. Letters between apostrophes, and all other characters, are
/// literal; two apostrophes are one. Without a zone a date is UTC.
public struct DatePattern: Hashable, Sendable {
  private enum Part: Hashable, Sendable {
    case field(UInt8, count: Int)
    case literal(UInt8)
  }

  private let parts: [Part]

  /// - Throws: `PatternError` for a letter that is not part of patterns.
  public init(_ text: String) throws(PatternError) {
    let bytes = Array(text.utf8)
    var (parts, position, isQuoted) = ([Part](), 0, false)
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "'") {
        if position + 1 < bytes.count, bytes[position + 1] == byte {
          parts.append(.literal(byte))
          position += 1
        } else {
          isQuoted.toggle()
        }
        position += 1
        continue
      }
      let isLetter = (0x61...0x7a).contains(byte | 0x20)
      guard isLetter, !isQuoted else {
        parts.append(.literal(byte))
        position += 1
        continue
      }
      let count = bytes[position...].prefix { $0 == byte }.count
      guard "yMdHmsSX".utf8.contains(byte), count <= 9 else {
        let letter = String(decoding: [byte], as: UTF8.self)
        throw PatternError("'\(letter)' is not a field of a date pattern", at: position..<position + 1)
      }
      parts.append(.field(byte, count: count))
      position += count
    }
    self.parts = parts
  }

  // MARK: Writing

  /// Appends a date in UTC.
  public func append(_ timestamp: Timestamp, to text: TextBuffer) {
    let time = CivilTime(timestamp)
    let date = CivilDate(daysSince1970: time.days)
    for part in parts {
      switch part {
      case .literal(let byte): text.append(byte: byte)
      case .field(UInt8(ascii: "y"), 2): Self.append(Int(date.year % 100 + 100) % 100, 2, to: text)
      case .field(UInt8(ascii: "y"), let count):
        if date.year < 0 { text.append(byte: UInt8(ascii: "-")) }
        Self.append(Int(date.year.magnitude), count, to: text)
      case .field(UInt8(ascii: "M"), let count): Self.append(date.month, count, to: text)
      case .field(UInt8(ascii: "d"), let count): Self.append(date.day, count, to: text)
      case .field(UInt8(ascii: "H"), let count): Self.append(time.secondOfDay / 3600, count, to: text)
      case .field(UInt8(ascii: "m"), let count): Self.append(time.secondOfDay / 60 % 60, count, to: text)
      case .field(UInt8(ascii: "s"), let count): Self.append(time.secondOfDay % 60, count, to: text)
      case .field(UInt8(ascii: "S"), let count):
        Self.append(time.nanoseconds / (0..<(9 - count)).reduce(1) { product, _ in product * 10 }, count, to: text)
      case .field: text.append(byte: UInt8(ascii: "Z"))
      }
    }
  }

  private static func append(_ number: Int, _ count: Int, to text: TextBuffer) {
    let digits = String(number)
    for _ in 0..<max(count - digits.utf8.count, 0) { text.append(byte: UInt8(ascii: "0")) }
    text.append(digits)
  }

  // MARK: Reading

  /// The date in a text; nil if the text does not match the pattern, or there is no such day or time.
  public func read(_ text: RealmString) -> Timestamp? {
    var reading = Reading(text.utf8)
    for part in parts where !reading.take(part) { return nil }
    return reading.timestamp
  }

  private struct Reading {
    private var rest: ArraySlice<UInt8>
    private var date = CivilDate(year: 1970, month: 1, day: 1)
    private var (hour, minute, second, nanoseconds, offset) = (0, 0, 0, 0, 0)

    init(_ text: [UInt8]) { rest = text[...] }

    mutating func take(_ part: Part) -> Bool {
      switch part {
      case .literal(let byte):
        guard rest.first == byte else { return false }
        rest.removeFirst()
        return true
      case .field(UInt8(ascii: "X"), let count): return takeZone(hasColon: count == 3)
      case .field(let letter, let count):
        // A single letter takes any number of digits.
        guard let (number, digits) = takeNumber(count == 1 && letter != UInt8(ascii: "S") ? 1...9 : count...count)
        else {
          return false
        }
        return set(letter, number, digits)
      }
    }

    private mutating func set(_ letter: UInt8, _ number: Int, _ digits: Int) -> Bool {
      switch letter {
      case UInt8(ascii: "y"): date.year = Int64(digits == 2 ? 2000 + number : number)
      case UInt8(ascii: "M"): date.month = number
      case UInt8(ascii: "d"): date.day = number
      case UInt8(ascii: "H"): hour = number
      case UInt8(ascii: "m"): minute = number
      case UInt8(ascii: "s"): second = number
      default: nanoseconds = (0..<(9 - digits)).reduce(number) { product, _ in product * 10 }
      }
      return true
    }

    private mutating func takeNumber(_ counts: ClosedRange<Int>) -> (number: Int, digits: Int)? {
      let digits = rest.prefix(counts.upperBound).prefix { $0.decimalDigitValue != nil }
      guard digits.count >= counts.lowerBound else { return nil }
      rest = rest.dropFirst(digits.count)
      return (digits.reduce(0) { $0 * 10 + Int($1 & 0x0f) }, digits.count)
    }

    private mutating func takeZone(hasColon: Bool) -> Bool {
      guard let sign = rest.popFirst() else { return false }
      if sign | 0x20 == UInt8(ascii: "z") { return true }
      guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), let hours = takeNumber(2...2)?.number else {
        return false
      }
      if hasColon { guard rest.popFirst() == UInt8(ascii: ":") else { return false } }
      guard let minutes = takeNumber(2...2)?.number, hours < 24, minutes < 60 else { return false }
      offset = (hours * 60 + minutes) * (sign == UInt8(ascii: "-") ? -60 : 60)
      return true
    }

    var timestamp: Timestamp? {
      guard rest.isEmpty, (1...12).contains(date.month),
        (1...CivilDate.dayCount(year: date.year, month: date.month)).contains(date.day), hour < 24, minute < 60,
        second < 60
      else { return nil }
      let seconds = date.daysSince1970 * CivilTime.secondsPerDay + Int64(hour * 3600 + minute * 60 + second - offset)
      // Both parts have the same sign.
      guard seconds < 0, nanoseconds > 0 else { return Timestamp(seconds: seconds, nanoseconds: Int32(nanoseconds)) }
      return Timestamp(seconds: seconds + 1, nanoseconds: Int32(nanoseconds - CivilTime.nanosecondsPerSecond))
    }
  }
}
