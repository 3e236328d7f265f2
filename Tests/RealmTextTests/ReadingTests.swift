import RealmStorage
import TestSupport
import Testing

@testable import RealmText

private func decode(_ text: String, _ decode: (UnsafeRawBufferPointer) -> [UInt8]?) -> [UInt8]? {
  Array(text.utf8).withUnsafeBytes { decode($0) }
}

@Suite("Dates from text")
struct DateReadingTests {
  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0, 0),
    ("2023-11-14T22:13:20.123456789Z", 1_700_000_000, 123_456_789),
    ("2023-11-14 22:13:20.123456789", 1_700_000_000, 123_456_789),
    ("2023-11-14 22:13:20", 1_700_000_000, 0),
    ("2023-11-14 22:13:20Z", 1_700_000_000, 0),
    ("2023-11-14t23:13:20.5+01:00", 1_700_000_000, 500_000_000),
    ("2023-11-14T17:43:20-0430", 1_700_000_000, 0),
    ("2023-11-15T00:13:20+02", 1_700_000_000, 0),
    ("2023-11-14T22:13z", 1_699_999_980, 0),
    ("2023-11-14T22:13:20.1234567890000Z", 1_700_000_000, 123_456_789),
    ("1969-12-31T23:59:58.5Z", -1, -500_000_000),
    ("1969-12-31T23:59:59.5Z", 0, -500_000_000),
    ("2000-02-29T00:00:00Z", 951_782_400, 0),
    ("0000-02-29T00:00:00Z", -62_162_121_600, 0),
    ("-0001-12-31T23:59:59Z", -62_167_219_201, 0),
    ("+10000-01-01T00:00:00Z", 253_402_300_800, 0),
    ("+292277026596-12-04T15:30:07.999999999Z", Int64.max, 999_999_999),
    ("-292277022657-01-27T08:29:52Z", Int64.min, 0),
    ("-292277022657-01-27T08:29:51.000000001Z", Int64.min, -999_999_999),
  ]) func areRead(text: String, seconds: Int64, nanoseconds: Int) {
    #expect(Timestamp(text: text) == Timestamp(seconds: seconds, nanoseconds: Int32(nanoseconds)))
  }

  @Test(arguments: [
    "", "2023", "2023-11-14", "2023-11-14T22:13:20", "2023-11-14T22:13:20.Z", "2023-11-14T22:13:20 Z",
    "2023-11-14T22:13:20Zx", "2023-11-14T22:13:60Z", "2023-11-14T22:60:00Z", "2023-11-14T24:00:00Z",
    "2023-13-01T00:00:00Z", "2023-00-01T00:00:00Z", "2023-02-29T00:00:00Z", "1900-02-29T00:00:00Z",
    "2023-04-31T00:00:00Z", "2023-01-00T00:00:00Z", "2023-1-01T00:00:00Z", "23-01-01T00:00:00Z",
    "20230-01-01T00:00:00Z", "2023-11-14T22:13:20.1234567891Z", "2023-11-14T22:13:20+25:00",
    "2023-11-14T22:13:20+01:60", "2023-11-14T22:13:20+1", "2023-11-14T22:13:20+01:", " 2023-11-14T22:13:20Z",
    "2023-11-14T22", "2023-11-14T22:13:2Z", "2023/11/14 22:13:20", "+292277026596-12-04T15:30:08Z",
    "-292277022657-01-27T08:29:51Z", "-292277022657-01-27T08:29:51.000000000Z", "+999999999999-01-01T00:00:00Z",
    "+9999999999999-01-01T00:00:00Z", "+123-01-01T00:00:00Z", "666\u{d3}-03-17 15:30:07",
  ]) func areRefused(text: String) {
    #expect(Timestamp(text: text) == nil)
  }

  @Test func mayLackTheZoneWhereThatIsAllowed() {
    func read(_ text: String) -> Timestamp? {
      Array(text.utf8).withUnsafeBytes { Timestamp(text: $0, needsZone: false) }
    }
    #expect(read("2023-11-14T22:13:20") == Timestamp(seconds: 1_700_000_000, nanoseconds: 0))
    #expect(read("2023-11-14") == Timestamp(seconds: 1_699_920_000, nanoseconds: 0))
    #expect(read("2023-11-14T23:13:20+01:00") == Timestamp(seconds: 1_700_000_000, nanoseconds: 0))
    #expect(read("2023-11-14T") == nil)
    #expect(read("2023-11-31") == nil)
  }

  @Test(arguments: [
    (0, 0, 0), (-1500, -1, -500_000_000), (1_700_000_000_123, 1_700_000_000, 123_000_000),
    (Int64.min, -9_223_372_036_854_775, -808_000_000),
  ]) func comeFromMilliseconds(milliseconds: Int64, seconds: Int64, nanoseconds: Int) {
    let timestamp = Timestamp(milliseconds: milliseconds)
    #expect(timestamp == Timestamp(seconds: seconds, nanoseconds: Int32(nanoseconds)))
    #expect(text { $0.appendCoreMilliseconds(timestamp) } == String(milliseconds))
  }

  @Test func areReadBackAsTheyWereWritten() {
    var generator = SeededGenerator(seed: 31)
    for index in 0..<5000 {
      var seconds = Int64(bitPattern: generator.next()) >> Int64(generator.next() & 63)
      if index % 2 == 0 { seconds = Int64.random(in: -62_167_219_200..<253_402_300_800, using: &generator) }
      let fraction = Int32.random(in: 0..<1_000_000_000, using: &generator)
      let nanoseconds = index % 3 == 0 ? 0 : seconds < 0 ? -fraction : fraction
      let timestamp = Timestamp(seconds: seconds, nanoseconds: nanoseconds)
      #expect(Timestamp(text: text { $0.appendISODate(timestamp) }) == timestamp)
      if index % 2 == 0 { #expect(Timestamp(text: text { $0.appendCoreDate(timestamp) }) == timestamp) }
    }
  }
}

@Suite("Decimals from text")
struct DecimalReadingTests {
  static let nines = String(repeating: "9", count: 34)

  @Test(arguments: [
    ("0", Decimal128(0)), ("-0", Decimal128(0, isNegative: true)), ("0.00", Decimal128(0, exponent: -2)),
    ("100.50", Decimal128(10050, exponent: -2)), ("+1E+3", Decimal128(1, exponent: 3)),
    ("1e3", Decimal128(1, exponent: 3)), (".5", Decimal128(5, exponent: -1)), ("5.", Decimal128(5)),
    ("-00012.50e-3", Decimal128(1250, exponent: -5, isNegative: true)), ("0E-9999", Decimal128(0, exponent: -6176)),
    ("0E+9999", Decimal128(0, exponent: 6111)),
    (
      "+1234567890123456789012345678901234E-24",
      Decimal128(1_234_567_890_123_456_789_012_345_678_901_234, exponent: -24)
    ),
    // Room for zeros at the end.
    ("1E6144", Decimal128(1_000_000_000_000_000_000_000_000_000_000_000, exponent: 6111)),
    ("1E6112", Decimal128(10, exponent: 6111)),
  ]) func keepTheirDigits(text: String, expected: Decimal128) {
    #expect(Decimal128(text: text) == expected)
    #expect(DecimalReading(text: text)?.isRounded == false)
  }

  @Test(arguments: [
    // The 35th digit decides, ties go to the even digit.
    ("\(nines)4", "\(nines)E+1"),
    ("\(nines)5", "1.000000000000000000000000000000000E+35"),
    ("12345678901234567890123456789012345", "1.234567890123456789012345678901234E+34"),
    ("12345678901234567890123456789012355", "1.234567890123456789012345678901236E+34"),
    ("123456789012345678901234567890123450000000001", "1.234567890123456789012345678901235E+44"),
    ("0.0000000012345678901234567890123456789012345", "1.234567890123456789012345678901234E-9"),
    // Below the range: one rounding, not two.
    ("4E-6177", "0E-6176"), ("5E-6177", "0E-6176"), ("5.1E-6177", "1E-6176"), ("15E-6177", "2E-6176"),
    ("25E-6177", "2E-6176"), ("9.4999999999999999999999999999999999999E-6176", "9E-6176"), ("9E-6178", "0E-6176"),
    ("1E-999999999999999999999999", "0E-6176"),
    // Above it.
    ("1E6145", "Infinity"), ("-1E6145", "-Infinity"), ("10E6144", "Infinity"),
    ("\(nines)E6112", "Infinity"), ("\(nines)5E6110", "Infinity"), ("1E99999999999999999999", "Infinity"),
  ]) func areRoundedWhereTheyMustBe(text: String, expected: String) throws {
    let reading = try #require(DecimalReading(text: text))
    let wanted = try #require(Decimal128(text: expected))
    #expect(reading.decimal == wanted)
    #expect(reading.isRounded)
  }

  @Test(
    arguments: [
      ("NaN", 0x7c00_0000_0000_0000), ("-nan", 0xfc00_0000_0000_0000), ("sNaN", 0x7e00_0000_0000_0000),
      ("Inf", 0x7800_0000_0000_0000), ("+infinity", 0x7800_0000_0000_0000), ("-INF", 0xf800_0000_0000_0000),
    ] as [(String, UInt64)]) func mayBeNoNumbers(text: String, high: UInt64)
  {
    #expect(Decimal128(text: text) == Decimal128(low: 0, high: high))
  }

  @Test(arguments: [
    "", "+", "-", ".", "e5", "1e", "1e+", "1.2.3", "1,5", " 1", "1 ", "0x10", "1e5x", "infinit", "nanx", "--1", "1e1.5",
    "12three",
  ]) func areRefused(text: String) {
    #expect(Decimal128(text: text) == nil)
    #expect(Double(text: text) == nil)
  }

  @Test func areReadBackAsTheyWereWritten() {
    var generator = SeededGenerator(seed: 32)
    for index in 0..<10_000 {
      let coefficient = UInt128(generator.next()) << 64 | UInt128(generator.next())
      let decimal = Decimal128(
        (coefficient >> UInt128(15 + generator.next() % 113)) % 10_000_000_000_000_000_000_000_000_000_000_000,
        exponent: index % 2 == 0
          ? Int.random(in: -40...40, using: &generator) : Int.random(in: -6176...6111, using: &generator),
        isNegative: generator.next() & 1 == 1)
      #expect(Decimal128(text: text { $0.appendCanonical(decimal) }) == decimal)
      #expect(Decimal128(text: text { $0.appendCore(decimal) }) == decimal)
    }
  }
}

@Suite("Numbers from text")
struct NumberReadingTests {
  @Test func areReadAsSwiftReadsThem() {
    var generator = SeededGenerator(seed: 33)
    var texts = [
      "0", "-0.0", "1", ".5", "5.", "+7", "1e400", "-1e400", "1e-400", "4.9e-324", "2.4703282292062327e-324",
      "2.4703282292062328e-324", "2.2250738585072011e-308", "1.7976931348623157e308", "1.7976931348623159e308",
      "9007199254740993", "9007199254740992.99999999999999", "9007199254740993.0000000000000001", "4503599627370496.5",
      "4503599627370497.5", "16777217", "16777219", "8388608.5", "3.4028235677973366e38", "1.1754942e-38", "0.1",
      "1e23",
      "8.5899345920000005e9", "123456789012345678901234567890", "1e22", "1e-22", "1e55", "1e56",
      "9999999999999999999", "99999999999999999999", "1" + String(repeating: "0", count: 400) + "e-400",
      "0." + String(repeating: "0", count: 400) + "1e401",
    ]
    for index in 0..<20_000 {
      let bits = generator.next()
      switch index % 5 {
      case 0: texts.append(Double(bitPattern: bits).description)
      case 1: texts.append("\(bits).\(generator.next())e\(Int(generator.next() % 700) - 350)")
      case 2: texts.append("\(bits % 1_000_000).\(generator.next() % 1_000_000)")
      case 3: texts.append("\(bits >> (bits & 63))e\(Int(generator.next() % 660) - 340)")
      default: texts.append("-\(Float(bitPattern: UInt32(truncatingIfNeeded: bits)).magnitude)")
      }
    }
    for text in texts where !text.contains("nan") {
      #expect(Double(text: text)?.bitPattern == Double(text)?.bitPattern)
      #expect(Float(text: text)?.bitPattern == Float(text)?.bitPattern)
    }
  }

  @Test(arguments: [
    ("NaN", Double.nan), ("-nan", -Double.nan), ("inf", .infinity), ("-Infinity", -.infinity), ("+INF", .infinity),
  ]) func mayBeNoNumbers(text: String, expected: Double) {
    #expect(Double(text: text)?.bitPattern == expected.bitPattern)
    #expect(Float(text: text)?.bitPattern == Float(expected).bitPattern)
  }

  @Test func areReadBackAsTheyWereWritten() {
    var generator = SeededGenerator(seed: 34)
    for _ in 0..<10_000 {
      let double = Double(bitPattern: generator.next())
      let float = Float(bitPattern: UInt32(truncatingIfNeeded: generator.next()))
      if double.isNaN || float.isNaN { continue }
      #expect(Double(text: text { $0.appendShortest(double) }) == double)
      #expect(Double(text: text { $0.appendScientific(double) }) == double)
      #expect(Float(text: text { $0.appendShortest(float) }) == float)
    }
  }

  @Test(arguments: [
    ("0", 0), ("-0", 0), ("+5", 5), ("007", 7), ("9223372036854775807", Int64.max),
    ("-9223372036854775808", Int64.min), ("9223372036854775808", nil), ("-9223372036854775809", nil), ("", nil),
    ("-", nil), ("1.0", nil), (" 1", nil), ("1x", nil), ("99999999999999999999999", nil),
  ]) func mayBeIntegers(text: String, expected: Int64?) {
    #expect(Array(text.utf8).withUnsafeBytes { Int64(text: $0) } == expected)
  }
}

@Suite("Bytes and identifiers from text")
struct BinaryReadingTests {
  @Test(arguments: [
    ("", []), ("Zg==", [0x66]), ("Zg", [0x66]), ("Zm8=", [0x66, 0x6f]), ("Zm8", [0x66, 0x6f]),
    ("Zm9v", [0x66, 0x6f, 0x6f]), ("/+++ABCD", [0xff, 0xef, 0xbe, 0x00, 0x10, 0x83]), ("_-8=", [0xff, 0xef]),
    ("Z", nil), ("Zg=", nil), ("Zh==", nil), ("Zm9=", nil), ("Zg== ", nil), ("Z g=", nil), ("Zg===", nil),
    ("====", nil), ("=", nil), ("Zm=v", nil), ("Zm\n9", nil), ("Zmé", nil),
  ]) func areReadAsBase64(text: String, expected: [UInt8]?) {
    #expect(decode(text) { Base64.decode($0) } == expected)
  }

  @Test(arguments: [
    ("", []), ("00ffA5", [0, 255, 0xa5]), ("0", nil), ("0g", nil), ("0x00", nil), ("é", nil),
  ]) func areReadAsHex(text: String, expected: [UInt8]?) {
    #expect(decode(text) { Hex.decode($0) } == expected)
  }

  @Test func areReadBackAsTheyWereWritten() {
    var generator = SeededGenerator(seed: 35)
    for length in 0..<200 {
      let raw = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
      #expect(decode(text { buffer in raw.withUnsafeBytes { buffer.appendBase64($0) } }) { Base64.decode($0) } == raw)
      #expect(decode(text { buffer in raw.withUnsafeBytes { buffer.appendHex($0) } }) { Hex.decode($0) } == raw)
      let id = ObjectID(head: generator.next(), tail: UInt32(truncatingIfNeeded: generator.next()))
      #expect(ObjectID(text: text { $0.append(id) }) == id)
      let uuid = RealmUUID(head: generator.next(), tail: generator.next())
      #expect(RealmUUID(text: text { $0.append(uuid) }) == uuid)
    }
  }

  @Test func areReadAsIdentifiers() {
    let id = ObjectID(head: 0x507f_1f77_bcf8_6cd7, tail: 0x9943_9011)
    #expect(ObjectID(text: "507F1f77bcf86cd799439011") == id)
    #expect(ObjectID(text: RealmString("507f1f77bcf86cd799439011")) == id)
    let uuid = RealmUUID(head: 0x3b24_1101_e2bb_4255, tail: 0x8caf_4136_c566_a962)
    #expect(RealmUUID(text: "3B241101-E2BB-4255-8CAF-4136C566A962") == uuid)
    #expect(RealmUUID(text: "3b241101e2bb42558caf4136c566a962") == uuid)
  }

  @Test(arguments: [
    "", "507f1f77bcf86cd79943901", "507f1f77bcf86cd7994390111", "507f1f77bcf86cd79943901g",
    "3b241101-e2bb-4255-8caf-4136c566a96", "3b241101-e2bb-4255-8caf4-136c566a962",
    "3b241101-e2bb-4255-8caf-4136c566a9-2", "{3b241101-e2bb-4255-8caf-4136c566a962}",
    "3b241101-e2bb42558caf4136c566a962", "3b241101e2bb42558caf4136c566a96-",
  ]) func areRefusedAsIdentifiers(text: String) {
    #expect(ObjectID(text: text) == nil)
    #expect(RealmUUID(text: text) == nil)
  }
}
