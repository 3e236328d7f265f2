import Testing

@testable import RealmStorage

@Suite struct StepLogTests {
  @Test("numbers of any size come back in order", arguments: [0, 1, 10, 100, 100_000])
  func numbers(_ count: Int) {
    let edges: [Int64] = [.min, .max, 0, -1, 1, 63, 64, -64, -65, .max - 1, .min + 1]
    var state: UInt64 = 1
    let numbers = (0..<count).map { index -> Int64 in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return index % 9 == 0 ? edges[index % edges.count] : Int64(bitPattern: state) >> Int64(index % 64)
    }
    let log = StepLog()
    for round in 0..<3 {
      for number in numbers { log.append(number &+ Int64(round)) }
      #expect(log.count == count)
      var reader = log.makeReader()
      var found: [Int64] = []
      while let number = reader.next() { found.append(number) }
      #expect(found == numbers.map { $0 &+ Int64(round) })
      log.removeAll()
      #expect(log.count == 0)
    }
  }
}
