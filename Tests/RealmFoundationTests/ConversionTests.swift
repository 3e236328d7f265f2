import Foundation
import RealmFoundation
import RealmStorage
import TestSupport
import Testing

@Suite struct ConversionTests {
  @Test("dates keep what a Date stores") func dates() throws {
    #expect(Date(Timestamp(seconds: 0, nanoseconds: 0)) == Date(timeIntervalSince1970: 0))
    #expect(Date(Timestamp(seconds: -1, nanoseconds: -500_000_000)) == Date(timeIntervalSince1970: -1.5))
    #expect(Timestamp(Date(timeIntervalSince1970: -1.5)) == Timestamp(seconds: -1, nanoseconds: -500_000_000))
    #expect(
      Timestamp(Date(timeIntervalSince1970: .nan)) == nil && Date(timeIntervalSince1970: .nan).realmValue == .null)
    #expect(Timestamp(.distantFuture)?.description == "4001-01-01T00:00:00Z")
    #expect(Timestamp(Date(timeIntervalSince1970: .infinity))?.seconds == .max)
    #expect(Timestamp(Date(timeIntervalSince1970: -1e300))?.seconds == .min)
    #expect(Date(Timestamp(seconds: .min, nanoseconds: 0)).timeIntervalSince1970 < -9e18)
    var random = SeededGenerator(seed: 1)
    for _ in 0..<100_000 {
      let date = Date(timeIntervalSinceReferenceDate: .random(in: -1e10...1e10, using: &random).rounded() + 0.125)
      #expect(Timestamp(date).map { Date($0) } == date)
      // A Date of these decades has parts of 0.12 µs.
      let timestamp = Timestamp(
        seconds: .random(in: 1_200_000_000...2_000_000_000, using: &random),
        nanoseconds: .random(in: 0...999_999_999, using: &random))
      let again = try #require(Timestamp(Date(timestamp)))
      #expect(
        abs((again.seconds - timestamp.seconds) * 1_000_000_000 + Int64(again.nanoseconds - timestamp.nanoseconds))
          <= 61)
      #expect(Timestamp(Date(again)) == again)
    }
  }

  @Test("UUIDs, data and URLs are the same bytes") func bytes() throws {
    let uuid = try #require(UUID(uuidString: "3B241101-E2BB-4255-8CAF-4136C566A962"))
    #expect(RealmUUID(uuid).description == uuid.uuidString.lowercased() && UUID(RealmUUID(uuid)) == uuid)
    #expect(try UUID(realmValue: uuid.realmValue) == uuid)
    #expect(try Data(realmValue: .data([1, 2])) == Data([1, 2]) && Data([1, 2]).realmValue == .data([1, 2]))
    let url = try #require(URL(string: "https://example.com/a%20b?c=d#e"))
    #expect(try URL(realmValue: url.realmValue) == url)
    #expect(throws: ValueMismatch.self) { try URL(realmValue: "") }
    #expect(throws: ValueMismatch.self) { try URL(realmValue: "http://a b") }
    #expect(throws: ValueMismatch.self) { try UUID(realmValue: "3B241101-E2BB-4255-8CAF-4136C566A962") }
  }

  @Test("decimals are exact or an error") func decimals() throws {
    for text in ["0", "1.5", "-1.5", "123456789012345678901234567890.1234", "1E+100", "1E-100", "-9.99E-20"] {
      let number = try #require(Decimal128(text))
      let decimal = try #require(Decimal(exactly: number))
      let again = try #require(Decimal128(exactly: decimal))
      #expect(!(again < number) && !(number < again), "\(text)")
    }
    for text in ["Infinity", "-Infinity", "1E+200", "1E-200", "1E+6144"] {
      #expect(Decimal(exactly: try #require(Decimal128(text))) == nil, "\(text)")
    }
    #expect(Decimal(exactly: try #require(Decimal128("NaN")))?.isNaN == true)
    let long = try #require(Decimal(string: "12345678901234567890123456789012345678"))
    #expect(Decimal128(exactly: long) == nil)
    #expect(long.realmValue == .decimal(try #require(Decimal128("1.234567890123456789012345678901235E+37"))))
    #expect(throws: ValueMismatch.self) { try Decimal(realmValue: .decimal(try #require(Decimal128("Infinity")))) }
  }

  @Test("values are Codable") func values() throws {
    let all: Value = .list([
      .null, .int(.min), .bool(true), .float(0.1), .double(0.1), "text", .data([0, 255]),
      .date(Timestamp(seconds: 1, nanoseconds: 1)), .decimal(try #require(Decimal128("1.50"))),
      .objectID(ObjectID(head: 1, tail: 2)), .uuid(RealmUUID(head: 1, tail: 2)),
      .link(TableKey(rawValue: 1), ObjectKey(rawValue: 2)), .typedLink(TableKey(rawValue: 1), ObjectKey(rawValue: 2)),
      .set([1, 2]), .dictionary(["a": .list([]), "b": .null]),
    ])
    #expect(try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(all)).isSame(as: all))
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(Value.string(RealmString(utf8: [0xff]))) }
  }

  @Test("realms and keys are found by URL") func urls() throws {
    let url = URL(fileURLWithPath: Fixture.path("engine/all-types-encrypted.realm"))
    let realm = try Realm.open(at: url, key: .data(Data(Fixture.engineKey)))
    #expect(realm.isEncrypted && realm.path == url.path)
    let folder = try TemporaryFolder()
    try folder.write("key", Array(Fixture.engineKey))
    let keyURL = URL(fileURLWithPath: folder.path("key"))
    #expect(try Realm.read(at: url, key: .file(keyURL)) { $0.classes.count } > 0)
    let wrong = try #require(URL(string: "https://example.com/a.realm"))
    do throws(RealmError) { _ = try Realm.open(at: wrong) } catch { #expect(error.kind == .notFound) }
  }
}
