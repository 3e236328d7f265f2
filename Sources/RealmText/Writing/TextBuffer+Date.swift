import RealmStorage

extension UnsafeMutableRawPointer {
  /// Writes `MM-DD`.
  @inline(__always) fileprivate func storeMonthAndDay(_ date: CivilDate) -> UnsafeMutableRawPointer {
    storeTwoDigits(date.month)
    (self + 2).storeBytes(of: UInt8(ascii: "-"), as: UInt8.self)
    (self + 3).storeTwoDigits(date.day)
    return self + 5
  }

  /// Writes `HH:MM:SS`; `second` is below 86400.
  @inline(__always) fileprivate func storeTime(second: Int) -> UnsafeMutableRawPointer {
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

  /// Writes a space, `HH:MM:SS`, and a point and nine digits if there are nanoseconds.
  @inline(__always) fileprivate func storeCoreTime(_ moment: CivilTime) -> UnsafeMutableRawPointer {
    let place = storeByte(UInt8(ascii: " ")).storeTime(second: moment.secondOfDay)
    if moment.nanoseconds == 0 { return place }
    return place.storeByte(UInt8(ascii: ".")).storeNanoseconds(moment.nanoseconds)
  }

  /// Writes the nine digits of `nanoseconds`.
  @inline(__always) fileprivate func storeNanoseconds(_ nanoseconds: Int) -> UnsafeMutableRawPointer {
    let value = UInt32(truncatingIfNeeded: nanoseconds)
    let first = value / 100_000_000
    (self + 1).storeEightDigits(value &- first &* 100_000_000)
    return storeByte(UInt8(truncatingIfNeeded: first) &+ 0x30) + 8
  }

  /// Writes the year with four digits, or with a sign and at least four where ISO 8601 requires it.
  @inline(__always) fileprivate func storeISOYear(_ year: Int64) -> UnsafeMutableRawPointer {
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

extension TextBuffer {
  /// Appends the date as ISO 8601 in UTC: `2023-11-14T22:13:20.5Z`, up to nine fraction digits without trailing zeros.
  ///
  /// Years outside 0 to 9999 have a sign and at least four digits: `+10000-01-01T00:00:00Z`, `-0001-12-31T00:00:00Z`.
  public func appendISODate(_ timestamp: Timestamp) { appendISODate(timestamp, fractionDigits: 0) }

  /// Appends the date like `appendISODate(_:)`, with zeros after the fraction if it has fewer digits than wanted.
  ///
  /// - Parameter digits: from 0 to 9.
  package func appendISODate(_ timestamp: Timestamp, fractionDigits digits: Int) {
    let moment = CivilTime(timestamp)
    let date = CivilDate(daysSince1970: moment.days)
    var place = room(for: 48)
    place = place.storeISOYear(date.year).storeByte(UInt8(ascii: "-"))
    place = place.storeMonthAndDay(date).storeByte(UInt8(ascii: "T"))
    place = place.storeTime(second: moment.secondOfDay)
    if moment.nanoseconds != 0 || digits > 0 {
      place = place.storeByte(UInt8(ascii: ".")).storeNanoseconds(moment.nanoseconds)
      let least = place - (9 - digits)
      while place > least, (place - 1).load(as: UInt8.self) == UInt8(ascii: "0") { place -= 1 }
    }
    advance(to: place.storeByte(UInt8(ascii: "Z")))
  }

  /// Appends the date as in the reference engine's plain JSON: `2023-11-14 22:13:20`, in UTC, with nine digits of
  /// nanoseconds if there are any.
  ///
  /// For years beyond 9999 the engine's arithmetic is reproduced exactly, because dumps are compared with its dumps:
  /// year 10000 prints `0000`, years beyond 16388 print stray bytes (`CoreCalendar`).
  public func appendCoreDate(_ timestamp: Timestamp) {
    // The engine's own step, which wraps around for the least number of seconds.
    let borrowed: Int64 = timestamp.nanoseconds < 0 ? 1 : 0
    let moment = CivilTime(
      secondsSince1970: timestamp.seconds &- borrowed,
      nanoseconds: Int(timestamp.nanoseconds) &+ Int(borrowed) &* CivilTime.nanosecondsPerSecond)
    let date = CivilDate(daysSince1970: moment.days)
    var place = room(for: 48)
    guard _fastPath((0...9999).contains(date.year)) else {
      let calendar = CoreCalendar(daysSince1970: moment.days)
      let end = calendar.store(at: place).storeCoreTime(moment)
      return advance(to: CoreCalendar.cut(place, end))
    }
    place.storeFourDigits(UInt32(truncatingIfNeeded: date.year))
    place = (place + 4).storeByte(UInt8(ascii: "-")).storeMonthAndDay(date)
    advance(to: place.storeCoreTime(moment))
  }

  /// Appends the milliseconds since 1970 as in the reference engine's `xjson` forms: truncated towards zero, and modulo
  /// 2^64 if they do not fit.
  public func appendCoreMilliseconds(_ timestamp: Timestamp) {
    append(integer: timestamp.seconds &* 1000 &+ Int64(timestamp.nanoseconds / 1_000_000))
  }
}
