import RealmStorage
import Testing

@testable import RealmText

/// How data files, plans and arguments of queries read values, by tokens and as a tree, which must agree.
@Suite("Scalars from JSON") struct ScalarReadingTests {
  private static let uuid = Value.uuid(RealmUUID(head: 0x3b24_1101_e2bb_4255, tail: 0x8caf_4136_c566_a962))
  private static let day = Value.date(Timestamp(seconds: 1_699_920_000, nanoseconds: 0))
  private static let half = Value.date(Timestamp(seconds: 1, nanoseconds: 500_000_000))
  private static let one = Value.decimal(Decimal128(low: 1, high: 0x3040_0000_0000_0000))

  private static let plain: [(PropertyType, String, Value?)] = [
    (.int, "7", .int(7)), (.int, "7.0", nil), (.int, "1e2", nil), (.int, "9223372036854775808", nil),
    (.int, #""7""#, nil),
    (.bool, "true", .bool(true)), (.bool, "1", nil), (.bool, #""true""#, nil),
    (.double, "1", .double(1)), (.double, #""-inf""#, .double(-.infinity)), (.double, #""1.5""#, nil),
    (.float, "0.1", .float(0.1)), (.float, #""Infinity""#, .float(.infinity)),
    (.decimal128, "1", one), (.decimal128, #""1""#, one), (.decimal128, "12345678901234567890123456789012345", nil),
    (.string, #""a""#, .string("a")), (.string, "1", nil), (.data, #""AP8Q""#, .data([0, 255, 16])),
    (.data, #""A""#, nil),
    (.date, #""2023-11-14""#, day), (.date, #""2023-11-14 00:00:00""#, day), (.date, #""2023-11-14T00:00:00""#, nil),
    (.date, #""2023-11-14T01:00:00+01:00""#, day), (.date, "0", nil),
    (.objectID, #""000000000000000000000001""#, .objectID(ObjectID(head: 0, tail: 1))),
    (.uuid, #""3b241101-e2bb-4255-8caf-4136c566a962""#, uuid),
    (.mixed, "1", .int(1)), (.mixed, "1.0", .double(1)), (.mixed, "1e2", .double(100)), (.mixed, #""1""#, .string("1")),
    (.mixed, "9223372036854775808", nil), (.mixed, "null", nil), (.mixed, "[]", nil), (.mixed, "{}", nil),
  ]

  private static let forms: [(PropertyType, String, Value?)] = [
    (.int, #"{"$numberLong":"7"}"#, .int(7)), (.int, #"{"$numberInt":7}"#, .int(7)),
    (.mixed, #"{"$numberInt":7}"#, .int(7)),
    (.int, #"{"$numberDouble":"7"}"#, nil), (.double, #"{"$numberLong":"2"}"#, .double(2)),
    (.double, #"{"$numberLong":"9007199254740993"}"#, nil), (.decimal128, #"{"$numberLong":"1"}"#, one),
    (.float, #"{"$numberDouble":"0.1"}"#, .float(0.1)), (.mixed, #"{"$numberDouble":"0.1"}"#, .double(0.1)),
    (.double, #"{"$float":"0.5"}"#, .double(0.5)), (.mixed, #"{"$float":"0.1"}"#, .float(0.1)),
    (.decimal128, #"{"$numberDecimal":"1"}"#, one), (.mixed, #"{"$numberDecimal":1}"#, one),
    (.date, #"{"$date":1500}"#, half), (.date, #"{"$date":{"$numberLong":"1500"}}"#, half),
    (.mixed, #"{"$date":{"$numberLong":1500}}"#, half), (.date, #"{"$date":"2023-11-14"}"#, day),
    (.date, #"{"$date":{"$numberInt":"1500"}}"#, nil), (.date, #"{"$date":"1500"}"#, nil),
    (.date, #"{"$date":{}}"#, nil),
    (.data, #"{"$binary":{"base64":"AP8Q","subType":"00"}}"#, .data([0, 255, 16])),
    (.data, #"{"$binary":{"subtype":"05","base64":"AP8Q"}}"#, .data([0, 255, 16])),
    (.data, #"{"$binary":"AP8Q"}"#, .data([0, 255, 16])), (.data, #"{"$binary":{"subType":"00"}}"#, nil),
    (.data, #"{"$binary":{"base64":"AP8Q","x":""}}"#, nil), (.data, #"{"$binary":{"base64":"AP8Q","subType":0}}"#, nil),
    (.uuid, #"{"$binary":{"base64":"OyQRAeK7QlWMr0E2xWapYg==","subType":"04"}}"#, uuid),
    (.mixed, #"{"$binary":{"subType":"4","base64":"OyQRAeK7QlWMr0E2xWapYg=="}}"#, uuid),
    (.data, #"{"$binary":{"base64":"OyQRAeK7QlWMr0E2xWapYg==","subType":"04"}}"#, nil),
    (.mixed, #"{"$binary":{"base64":"AP8Q","subType":"04"}}"#, nil),
    (.uuid, #"{"$uuid":"3b241101e2bb42558caf4136c566a962"}"#, uuid), (.mixed, #"{"$uuid":""}"#, nil),
    (.objectID, #"{"$oid":"000000000000000000000001"}"#, .objectID(ObjectID(head: 0, tail: 1))),
    (.string, #"{"$oid":"000000000000000000000001"}"#, nil), (.mixed, #"{"$numberLong":true}"#, nil),
    (.mixed, #"{"$numberLong":null}"#, nil), (.mixed, #"{"$numberLong":{"$numberLong":"1"}}"#, nil),
    (.mixed, #"{"$numberLong":"1","x":1}"#, nil), (.mixed, #"{"$x":"1"}"#, nil),
    (.mixed, #"{"$dat":"2023-11-14"}"#, nil),
  ]

  @Test("in all forms", arguments: plain + forms)
  func value(_ type: PropertyType, _ json: String, _ expected: Value?) throws {
    #expect(try Self.byTokens(json, type) == expected)
    #expect(try JSONValue.parse(json).scalar(as: type) == expected)
  }

  private static func byTokens(_ json: String, _ type: PropertyType, coerces: Bool = false) throws -> Value? {
    try Array(json.utf8).withUnsafeBytes { bytes in
      let reader = JSONReader(bytes)
      return try reader.scalar(reader.next(), as: type, coerces: coerces)
    }
  }

  @Test(
    "a NaN keeps its bits", arguments: [#""NaN(0x7ff8000000000001)""#, #"{"$numberDouble":"NaN(0x7ff8000000000001)"}"#])
  func bitsOfNaN(_ json: String) throws {
    for value in [try Self.byTokens(json, .double), try JSONValue.parse(json).scalar(as: .double)] {
      #expect(value?.doubleValue?.bitPattern == 0x7ff8_0000_0000_0001)
    }
    #expect(try Self.byTokens(#"{"$float":"NaN(0x7fc00001)"}"#, .mixed)?.floatValue?.bitPattern == 0x7fc0_0001)
    for other in ["NaN(0x7ff8000000000001", "NaN(0x1)", "NaN(0x)", "NaN(0x7ff80000000000011)"] {
      #expect(try Self.byTokens(#"{"$numberDouble":"\#(other)"}"#, .double) == nil)
    }
  }

  @Test(
    "what is too large is named",
    arguments: [
      (PropertyType.double, "1e309", "1e309"), (.float, "-1e39", "-1e39"), (.mixed, "1e309", "1e309"),
      (.mixed, #"{"$numberDouble":"1e309"}"#, "1e309"), (.float, #"{"$numberDouble":"1e39"}"#, "1e39"),
      (.double, #""1e309""#, "1e309"),
      (.double, "1\(String(repeating: "0", count: 400))", "1\(String(repeating: "0", count: 39))..."),
    ])
  func tooLarge(_ type: PropertyType, _ json: String, _ number: String) throws {
    let expected = type == .float ? PropertyType.float : .double
    for read in [{ try Self.byTokens(json, type) }, { try JSONValue.parse(json).scalar(as: type) }] {
      let error = #expect(throws: NumberOutOfRange.self) { try read() }
      #expect(error?.number == number)
      #expect(error?.type == expected)
    }
  }

  @Test(
    "a string may stand for a number or boolean where that is wanted",
    arguments: [
      (PropertyType.int, #""42""#, Value.int(42)), (.bool, #"" TRUE\n""#, .bool(true)), (.bool, #""0""#, .bool(false)),
      (.double, #""1.5""#, .double(1.5)), (.float, #""2""#, .float(2)), (.int, #""x""#, nil), (.bool, #""yes""#, nil),
      (.string, "1", nil),
    ] as [(PropertyType, String, Value?)])
  func coerced(_ type: PropertyType, _ json: String, _ expected: Value?) throws {
    #expect(try Self.byTokens(json, type, coerces: true) == expected)
  }
}
