import Testing

@testable import RealmStorage

@Suite struct IndexLogTests {
  @Test func `entries of all kinds and lengths come back, places ascend`() throws {
    let owner = OwnedBytes()
    let lengths = [0, 1, 3, 4, 5, 127, 128, 1000, 1024, 65_490, 65_536, 70_000, 131_072, 400_000, 2]
    let texts = lengths.enumerated().map { number, length in
      owner.data((0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ number) })
    }
    let values: [ValueView] =
      [
        .null, .int(0), .int(-1), .int(.min), .int(.max), .bool(true), .float(0.5), .double(0.1), .double(7),
        .date(Timestamp(seconds: -5, nanoseconds: -999_999_999)), .date(Timestamp(seconds: .max, nanoseconds: 1)),
        .objectID(ObjectID(head: .max, tail: 3)), .uuid(RealmUUID(head: 1, tail: .max)),
        .decimal(Decimal128(coefficient: 123, exponent: -2, isNegative: true)),
        .typedLink(TableKey(rawValue: 7), ObjectKey(rawValue: .max)),
      ] + texts
    let keys: [Int64] = [0, 1, 127, 128, 1 << 40, .max]
    let log = IndexLog()
    var places: [IndexLog.Place] = []
    var expected: [(data: IndexData, key: ObjectKey)] = []
    for round in 0..<60 {
      for (index, value) in values.enumerated() where index < 15 || round % 20 == 0 {
        let key = ObjectKey(rawValue: keys[(index + round) % keys.count])
        expected.append((IndexData(value), key))
        places.append(try log.append(IndexData(value), of: key))
      }
    }
    #expect(log.count == expected.count)
    #expect(places == places.sorted() && Set(places).count == places.count)
    var visited: [IndexLog.Place] = []
    log.forEachPlace { visited.append($0) }
    #expect(visited == places)
    for (place, entry) in zip(places, expected) {
      #expect(log.key(at: place) == entry.key)
      #expect(log.data(at: place) == entry.data)
    }
    #expect(!log.isAscending)
  }

  @Test func `an object with a small number under its key takes eight bytes`() throws {
    let log = IndexLog()
    var places: [IndexLog.Place] = []
    for number in 0..<200_000 {
      places.append(try log.append(IndexData(.int(Int64(number) * 3)), of: ObjectKey(rawValue: Int64(number))))
    }
    #expect(log.isAscending)
    // In units of four bytes, with what the first blocks leave out.
    let last = try #require(places.last)
    #expect(last < 500_000)
  }
}
