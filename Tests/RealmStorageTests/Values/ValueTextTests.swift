import Foundation
import RealmStorage
import TestSupport
import Testing

@Suite struct ValueTextTests {
  @Test("identifiers are their hex digits") func identifiers() throws {
    let id = ObjectID(head: 7_277_816_997_830_721_536, tail: 0)
    #expect("\(id)" == "650000000000000000000000" && ObjectID("650000000000000000000000") == id)
    #expect(ObjectID("65ABCDEF0000000000000001")?.description == "65abcdef0000000000000001")
    #expect(ObjectID("65") == nil && ObjectID("6500000000000000000000zz") == nil && ObjectID("") == nil)
    let uuid = RealmUUID(head: 0x3b24_1101_e2bb_4255, tail: 0x8caf_4136_c566_a962)
    #expect("\(uuid)" == "3b241101-e2bb-4255-8caf-4136c566a962")
    #expect(RealmUUID("3B241101-E2BB-4255-8CAF-4136C566A962") == uuid)
    #expect(RealmUUID("3b241101e2bb42558caf4136c566a962") == uuid)
    #expect(RealmUUID("3b241101-e2bb-4255-8caf4136c566a962-") == nil)
  }

  @Test("identifiers come back from their text") func randomIdentifiers() throws {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<10_000 {
      let id = ObjectID(head: random.next(), tail: UInt32(truncatingIfNeeded: random.next()))
      #expect(ObjectID(id.description) == id)
      let uuid = RealmUUID(head: random.next(), tail: random.next())
      #expect(RealmUUID(uuid.description) == uuid)
      #expect(UUID(uuidString: uuid.description)?.uuidString.lowercased() == uuid.description)
    }
  }

  @Test("new identifiers are different, ascend, and have the time in front") func generated() throws {
    let before = Int64(time(nil))
    let ids = (0..<10_000).map { _ in ObjectID.generate() }
    #expect(Set(ids).count == ids.count)
    #expect(ids.allSatisfy { (before...Int64(time(nil))).contains($0.timestamp.seconds) })
    // One process has one random part.
    #expect(Set(ids.map { ($0.head & 0xffff_ffff) << 8 | UInt64($0.tail >> 24) }).count == 1)
    let uuids = (0..<10_000).map { _ in RealmUUID.generate() }
    #expect(Set(uuids).count == uuids.count)
    #expect(uuids.allSatisfy { $0.head & 0xf000 == 0x4000 && $0.tail >> 62 == 2 })
  }

  @Test("decimals are written as BSON writes them, and nothing is rounded unless it is asked for") func decimals()
    throws
  {
    for text in ["1.50", "0", "-0", "1E+3", "1E-7", "0.000001", "Infinity", "-Infinity", "NaN", "9.999E+6111"] {
      #expect(Decimal128(text)?.description == text)
    }
    #expect(Decimal128("+.5")?.description == "0.5" && Decimal128("-inf")?.description == "-Infinity")
    #expect(Decimal128("") == nil && Decimal128("1,5") == nil && Decimal128("0x1") == nil && Decimal128("1 ") == nil)
    let long = "1." + String(repeating: "0", count: 33) + "1"
    #expect(
      Decimal128(long) == nil && Decimal128(rounding: long)?.description == "1." + String(repeating: "0", count: 33))
    #expect(Decimal128("1E+7000") == nil && Decimal128(rounding: "1E+7000")?.description == "Infinity")
  }

  @Test("decimals are ordered by value, NaN first") func order() throws {
    let texts = [
      "NaN", "-Infinity", "-1E+40", "-2", "-0.5", "0E-3", "0.5", "1.0", "1.5", "2E+1", "1E+6000", "Infinity",
    ]
    let numbers = try texts.map { try #require(Decimal128($0)) }
    for (index, left) in numbers.enumerated() {
      for (other, right) in numbers.enumerated() { #expect((left < right) == (index < other), "\(left) \(right)") }
    }
    let (short, long) = (try #require(Decimal128("1.0")), try #require(Decimal128("1.00")))
    #expect(!(short < long) && !(long < short) && short <= long && short >= long && short != long)
    #expect(numbers.shuffled().sorted() == numbers)
  }

  @Test("dates are ISO 8601 in UTC") func dates() throws {
    #expect("\(Timestamp(seconds: 1_700_000_000, nanoseconds: 500_000_000))" == "2023-11-14T22:13:20.5Z")
    #expect("\(Timestamp(seconds: 0, nanoseconds: -1))" == "1969-12-31T23:59:59.999999999Z")
    #expect(Timestamp("2023-11-14T23:13:20.5+01:00") == Timestamp(seconds: 1_700_000_000, nanoseconds: 500_000_000))
    #expect(Timestamp("2023-02-29T00:00:00Z") == nil && Timestamp("2023-11-14T22:13:20") == nil)
    var random = SeededGenerator(seed: 8)
    for _ in 0..<10_000 {
      let date = Timestamp(
        seconds: Int64(truncatingIfNeeded: random.next()) >> Int64(random.next() % 64),
        nanoseconds: Int32(random.next() % 1_000_000_000))
      #expect(Timestamp(date.description) == date)
    }
  }

  @Test("text is what they are encoded as") func codable() throws {
    struct All: Codable, Equatable {
      var id = ObjectID(head: 1, tail: 2)
      var uuid = RealmUUID(head: 1, tail: 2)
      var number = Decimal128("1.50")
      var date = Timestamp(seconds: 1, nanoseconds: 5)
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let json = try encoder.encode(All())
    #expect(
      String(decoding: json, as: UTF8.self)
        == #"{"date":"1970-01-01T00:00:01.000000005Z","id":"000000000000000100000002","#
        + #""number":"1.50","uuid":"00000000-0000-0001-0000-000000000002"}"#)
    #expect(try JSONDecoder().decode(All.self, from: json) == All())
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(ObjectID.self, from: Data("\"x\"".utf8)) }
  }

  @Test("values have literals") func literals() throws {
    #expect(true as Value == .bool(true) && 1.5 as Value == .double(1.5) && 3 as Value == .int(3))
    #expect([1, "a", true] as Value == .list([.int(1), .string("a"), .bool(true)]))
    #expect(["a": 1, "b": [.null]] as Value == .dictionary(["a": .int(1), "b": .list([.null])]))
    #expect("\(1)a" as Value == .string("1a"))
  }
}
