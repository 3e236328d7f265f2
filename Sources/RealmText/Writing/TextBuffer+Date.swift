import RealmStorage

extension UnsafeMutableRawPointer {
  /// Writes a space, `HH:MM:SS`, and a point and nine digits if there are nanoseconds.
  @inline(__always) fileprivate func storeCoreTime(_ moment: CivilTime) -> UnsafeMutableRawPointer {
    let place = storeByte(UInt8(ascii: " ")).storeTime(second: moment.secondOfDay)
    if moment.nanoseconds == 0 { return place }
    return place.storeByte(UInt8(ascii: ".")).storeNanoseconds(moment.nanoseconds)
  }
}

extension TextBuffer {
  /// Appends the date as ISO 8601 in UTC, as `Timestamp.description` has it.
  public func appendISODate(_ timestamp: Timestamp) { appendISODate(timestamp, fractionDigits: 0) }

  /// Appends the date like `appendISODate(_:)`, with zeros after the fraction if it has fewer digits than wanted.
  ///
  /// - Parameter digits: from 0 to 9.
  package func appendISODate(_ timestamp: Timestamp, fractionDigits digits: Int) {
    advance(to: timestamp.storeText(at: room(for: Timestamp.mostTextLength), fractionDigits: digits))
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
