import RealmStorage
import Testing

@testable import RealmText

@Suite("Dates as text")
struct DateTextTests {
  struct Row: Sendable {
    var seconds: Int64
    var nanoseconds: Int32 = 0
    var core: String
    var iso: String
    var milliseconds: String
  }

  /// The core column of most rows was printed by the reference engine (behavior/json.md §10).
  static let rows: [Row] = [
    Row(seconds: 0, core: "1970-01-01 00:00:00", iso: "1970-01-01T00:00:00Z", milliseconds: "0"),
    Row(
      seconds: 1_700_000_000, nanoseconds: 123_456_789, core: "2023-11-14 22:13:20.123456789",
      iso: "2023-11-14T22:13:20.123456789Z", milliseconds: "1700000000123"),
    Row(
      seconds: -1, nanoseconds: -500_000_000, core: "1969-12-31 23:59:58.500000000", iso: "1969-12-31T23:59:58.5Z",
      milliseconds: "-1500"),
    Row(
      seconds: 253_402_300_799, nanoseconds: 999_999_999, core: "9999-12-31 23:59:59.999999999",
      iso: "9999-12-31T23:59:59.999999999Z", milliseconds: "253402300799999"),
    Row(
      seconds: -62_135_596_800, core: "0001-01-01 00:00:00", iso: "0001-01-01T00:00:00Z",
      milliseconds: "-62135596800000"),
    Row(
      seconds: -62_135_596_801, core: "0000-12-31 23:59:59", iso: "0000-12-31T23:59:59Z",
      milliseconds: "-62135596801000"),
    Row(
      seconds: 253_402_300_800, core: "0000-01-01 00:00:00", iso: "+10000-01-01T00:00:00Z",
      milliseconds: "253402300800000"),
    Row(
      seconds: 951_782_400, nanoseconds: 1000, core: "2000-02-29 00:00:00.000001000",
      iso: "2000-02-29T00:00:00.000001Z",
      milliseconds: "951782400000"),
    Row(
      seconds: -62_167_219_201, core: "-0001-12-31 23:59:59", iso: "-0001-12-31T23:59:59Z",
      milliseconds: "-62167219201000"),
  ]

  @Test(arguments: rows) func haveThreeForms(row: Row) {
    let timestamp = Timestamp(seconds: row.seconds, nanoseconds: row.nanoseconds)
    #expect(text { $0.appendCoreDate(timestamp) } == row.core)
    #expect(text { $0.appendISODate(timestamp) } == row.iso)
    #expect(text { $0.appendCoreMilliseconds(timestamp) } == row.milliseconds)
  }

  @Test func atTheEndsOfTimePrintTheNoiseOfTheEngine() {
    let noise = Array("666".utf8) + [0xd3] + Array("-03-17 15:30:07".utf8)
    #expect(bytes { $0.appendCoreDate(Timestamp(seconds: .max, nanoseconds: 0)) } == noise)
    let first = Timestamp(seconds: .min, nanoseconds: -999_999_999)
    #expect(bytes { $0.appendCoreDate(first) } == noise + Array(".000000001".utf8))
    #expect(text { $0.appendCoreMilliseconds(first) } == "-999")
  }

  @Test func atTheEndsOfTimeAreStillISODates() {
    let first = Timestamp(seconds: .min, nanoseconds: -999_999_999)
    #expect(text { $0.appendISODate(first) } == "-292277022657-01-27T08:29:51.000000001Z")
    let last = Timestamp(seconds: .max, nanoseconds: 999_999_999)
    #expect(text { $0.appendISODate(last) } == "+292277026596-12-04T15:30:07.999999999Z")
  }

  @Test(
    "carry nanoseconds that no file can hold",
    arguments: [
      (86_399, 1_500_000_000, 86_400, 500_000_000), (0, .min, -2, -147_483_648), (1, -1, 0, 999_999_999),
      (-1, 1, 0, -999_999_999), (-1, 2_000_000_000, 1, 0), (5, -1_000_000_000, 4, 0), (7, 999_999_999, 7, 999_999_999),
      (.max, .max, .max, 999_999_999), (.min, .min, .min, -999_999_999), (.max, -1, .max - 1, 999_999_999),
      (.min, 1, .min + 1, -999_999_999),
    ] as [(Int64, Int32, Int64, Int32)])
  func carrying(seconds: Int64, nanoseconds: Int32, wholeSeconds: Int64, rest: Int32) {
    let timestamp = Timestamp(seconds: seconds, nanoseconds: nanoseconds)
    #expect((timestamp.seconds, timestamp.nanoseconds) == (wholeSeconds, rest))
  }

  /// Walks the calendar day by day, over leap years, centuries and the year 0.
  @Test func followTheCalendar() {
    var date = CivilDate(year: -801, month: 1, day: 1)
    var days = date.daysSince1970
    while date.year < 2402 {
      #expect(CivilDate(daysSince1970: days) == date)
      #expect(date.daysSince1970 == days)
      days += 1
      date.day += 1
      if date.day > CivilDate.dayCount(year: date.year, month: date.month) {
        date.day = 1
        date.month += 1
      }
      if date.month > 12 {
        date.month = 1
        date.year += 1
      }
    }
    #expect(CivilDate(year: 1970, month: 1, day: 1).daysSince1970 == 0)
  }

  /// Up to year 16388 the engine's own arithmetic gives the calendar's digits, the last four of the year.
  @Test func inTheArithmeticOfTheEngineAgreeWithTheCalendar() {
    for days in stride(from: Int64(-719_528), to: 5_266_000, by: 17) {
      let calendar = CoreCalendar(daysSince1970: days)
      let date = CivilDate(daysSince1970: days)
      #expect(calendar.year == date.year)
      #expect(calendar.month == date.month)
      #expect(calendar.day == date.day)
    }
  }
}
