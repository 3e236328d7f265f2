import RealmStorage

/// A day of the proleptic Gregorian calendar (ISO 8601): it extends back without limit, and the year before 1 is 0.
package struct CivilDate: Equatable {
  package var year: Int64
  /// 1 to 12.
  package var month: Int
  /// 1 to 31.
  package var day: Int

  private static let daysPerEra = 146_097
  private static let yearsPerEra: Int64 = 400

  package init(year: Int64, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// `days` may be any number that a `Timestamp` can give: up to 1.07e14 to either side.
  @inline(__always) package init(daysSince1970 days: Int64) {
    // Years begin with March here, so that the leap day is the last of its year; eras of 400 years with 0000-03-01.
    let (era, dayOfEra) = (days &+ 719_468).dividedRoundingDown(by: Int64(Self.daysPerEra))
    let leapDays = dayOfEra / 1460 &- dayOfEra / 36_524 &+ dayOfEra / 146_096
    let yearOfEra = (dayOfEra &- leapDays) / 365
    let dayOfYear = dayOfEra &- (365 &* yearOfEra &+ yearOfEra / 4 &- yearOfEra / 100)
    let monthFromMarch = (5 &* dayOfYear &+ 2) / 153
    day = dayOfYear &- (153 &* monthFromMarch &+ 2) / 5 &+ 1
    month = monthFromMarch < 10 ? monthFromMarch &+ 3 : monthFromMarch &- 9
    year = era &* Self.yearsPerEra &+ Int64(yearOfEra) &+ (month <= 2 ? 1 : 0)
  }

  /// Days since 1970-01-01; the year may have up to 15 digits.
  package var daysSince1970: Int64 {
    let marchYear = month <= 2 ? year &- 1 : year
    let (era, yearOfEra) = marchYear.dividedRoundingDown(by: Self.yearsPerEra)
    let monthFromMarch = month > 2 ? month &- 3 : month &+ 9
    let dayOfYear = (153 &* monthFromMarch &+ 2) / 5 &+ day &- 1
    let dayOfEra = yearOfEra &* 365 &+ yearOfEra / 4 &- yearOfEra / 100 &+ dayOfYear
    return era &* Int64(Self.daysPerEra) &+ Int64(dayOfEra) &- 719_468
  }

  /// Number of days of the month.
  package static func dayCount(year: Int64, month: Int) -> Int {
    switch month {
    case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

/// A timestamp taken apart: whole days, seconds of the day, nanoseconds, the latter two never negative.
struct CivilTime {
  var days: Int64
  /// 0 to 86399.
  var secondOfDay: Int
  /// 0 to 999 999 999.
  var nanoseconds: Int

  static let secondsPerDay: Int64 = 86_400
  static let nanosecondsPerSecond = 1_000_000_000

  @inline(__always) init(_ timestamp: Timestamp) {
    self.init(secondsSince1970: timestamp.seconds, nanoseconds: Int(timestamp.nanoseconds))
    if _slowPath(nanoseconds < 0) { borrowSecond() }
  }

  /// - Parameter nanoseconds: not negative, less than a second.
  @inline(__always) init(secondsSince1970 seconds: Int64, nanoseconds: Int) {
    (days, secondOfDay) = seconds.dividedRoundingDown(by: Self.secondsPerDay)
    self.nanoseconds = nanoseconds
  }

  private mutating func borrowSecond() {
    nanoseconds &+= Self.nanosecondsPerSecond
    secondOfDay &-= 1
    guard secondOfDay < 0 else { return }
    secondOfDay &+= Int(Self.secondsPerDay)
    days &-= 1
  }
}

extension Int64 {
  /// Quotient rounded towards minus infinity and the remainder, which is never negative. `divisor` is positive.
  @inline(__always) package func dividedRoundingDown(by divisor: Int64) -> (quotient: Int64, remainder: Int) {
    let quotient = self / divisor
    let remainder = self &- quotient &* divisor
    return remainder < 0 ? (quotient &- 1, Int(remainder &+ divisor)) : (quotient, Int(remainder))
  }
}
