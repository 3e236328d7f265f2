import Testing

@testable import RealmStorage

@Suite struct KeyRunsTests {
  @Test func `finds rows of keys and keys of rows`() {
    var runs = KeyRuns()
    let keys: [Int64] = [0, 1, 2, 7, 8, 0x10000, 0x10001, Int64.max - 1, Int64.max]
    let areTaken = keys.map { runs.append(ObjectKey(rawValue: $0)) }
    #expect(!areTaken.contains(false))
    #expect(runs.count == keys.count)
    for (row, key) in keys.enumerated() { #expect(runs.row(of: ObjectKey(rawValue: key)) == row) }
    for key in [3, 6, 9, 0xffff, 0x10002, Int64.max - 2, -1] { #expect(runs.row(of: ObjectKey(rawValue: key)) == nil) }
    #expect(runs.keys(0..<keys.count) == keys.map { UInt64(bitPattern: $0) })
    #expect(runs.keys(2..<6) == keys[2..<6].map { UInt64(bitPattern: $0) })
    #expect(runs.keys(0..<0) == [])
  }

  @Test func `takes keys of tombstones behind the others, and none twice`() {
    var runs = KeyRuns()
    #expect(runs.row(of: ObjectKey(rawValue: 0)) == nil)
    let areTaken = [-44, -44, 5, -2].map { runs.append(ObjectKey(rawValue: $0)) }
    #expect(areTaken == [true, false, false, true])
    #expect(runs.count == 2)
  }

  @Test func `a number and the key spread from it tell each other`() {
    for number: UInt32 in [0, 1, 255, 256, 65_535, 70_000, .max] {
      #expect(ObjectKey(spreading: number).spreadNumber == UInt64(number))
    }
    #expect(ObjectKey(spreading: 256).rawValue == 0x10000)
    #expect(ObjectKey(rawValue: 256).spreadNumber == nil)
    #expect(ObjectKey(rawValue: -2).spreadNumber == nil)
  }
}
