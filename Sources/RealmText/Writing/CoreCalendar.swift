import RealmStorage

/// Year, month and day as the reference engine computes and prints them, also where it goes beyond its calendar.
///
/// The engine's day number has 32 bits, its calendar computes in 64 bits without sign, and its digits come from `value
/// * 6554 / 65536`, which is a tenth for values below 16389 only. What it prints beyond that is noise, but always the
/// same noise, and dumps in the engine's form are compared byte for byte.
struct CoreCalendar {
  let year: Int32
  let month: Int32
  let day: Int32

  private static let julianDayOf1970: Int64 = 2_440_588

  init(daysSince1970 days: Int64) {
    let julianDay = Int32(truncatingIfNeeded: days &+ Self.julianDayOf1970)
    var rest = UInt64(bitPattern: Int64(julianDay &+ 68_569))
    let century = (4 &* rest) / 146_097
    rest = rest &- (146_097 &* century &+ 3) / 4
    let yearOfCentury = (4000 &* (rest &+ 1)) / 1_461_001
    rest = rest &- (1461 &* yearOfCentury) / 4 &+ 31
    let monthNumber = (80 &* rest) / 2447
    day = Int32(truncatingIfNeeded: rest &- (2447 &* monthNumber) / 80)
    let isPastFebruary = monthNumber / 11
    month = Int32(truncatingIfNeeded: monthNumber &+ 2 &- 12 &* isPastFebruary)
    year = Int32(truncatingIfNeeded: 100 &* (century &- 49) &+ yearOfCentury &+ isPastFebruary)
  }

  /// Writes `YYYY-MM-DD`, at most 11 bytes, and returns the place after it.
  func store(at start: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    var place = start
    if year < 0 { place = place.storeByte(UInt8(ascii: "-")) }
    place = Self.storeDigits(year.magnitude, count: 4, at: place).storeByte(UInt8(ascii: "-"))
    place = Self.storeDigits(UInt32(bitPattern: month), count: 2, at: place).storeByte(UInt8(ascii: "-"))
    return Self.storeDigits(UInt32(bitPattern: day), count: 2, at: place)
  }

  private static func storeDigits(
    _ value: UInt32, count: Int, at place: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    var rest = value
    for index in (0..<count).reversed() {
      let tenth = (rest &* 6554) &>> 16
      let digit = UInt8(truncatingIfNeeded: rest &- tenth &* 10) &+ 0x30
      (place + index).storeBytes(of: digit, as: UInt8.self)
      rest = tenth
    }
    return place + count
  }

  /// Where the text from `start` to `end` ends for the engine, which takes it for a C string: before the first zero.
  static func cut(_ start: UnsafeMutableRawPointer, _ end: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    let zero = UnsafeRawBufferPointer(start: start, count: end - start).firstIndex(of: 0)
    return zero.map { start + $0 } ?? end
  }
}
