import Testing

@testable import RealmStorage

@Suite struct SmallMapTests {
  @Test func `does what a dictionary does, however many entries there are`() {
    var map = SmallMap<Int, Int>()
    var model: [Int: Int] = [:]
    var state: UInt64 = 7
    for step in 0..<20_000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      // More and more keys, so that it is small at first and large in the end.
      let key = Int(state >> 33) % (step / 200 + 1)
      switch state >> 60 {
      case 0..<6: (map[key], model[key]) = (nil, nil)
      case 6 where step % 64 == 0:
        map.removeAll()
        model.removeAll()
      case 7 where step % 64 == 0: map.reserveCapacity(step % 40)
      default: (map[key], model[key]) = (step, step)
      }
      #expect(map.count == model.count && map[key] == model[key] && map.isEmpty == model.isEmpty)
    }
    #expect(map.count > SmallMap<Int, Int>.mostInArray)
    #expect(map.keys.sorted() == model.keys.sorted())
  }
}
