import Testing

@testable import RealmInspection

/// Which objects of a damaged file go into the new realm.
@Suite struct RescueSurveyTests {
  /// Keys as classes with and without a primary key have them, and some where a guess from the first and last is far off.
  private static let keys: [[Int64]] = [
    [], [7], [-9, 7],
    Array(0..<300),
    (0..<2000).map { (number: Int64) in number & 0xff | (number >> 8) << 16 },
    (0..<63).map { (bit: Int64) in 1 << bit },
    (0..<63).map { (bit: Int64) in Int64.max - 1 << (62 - bit) },
    [.min, -1, 0, 1, .max],
    Array(-300 ..< -100) + [.max],
    [.min] + Array(100..<300),
  ]

  @Test(arguments: keys)
  func `keys are found however they are spread`(_ keys: [Int64]) {
    let all = Set(keys)
    for key in keys + [.min, -1, 0, .max] {
      for other in [key, key &- 1, key &+ 1, key / 2] {
        #expect(RescueSurvey.Target.contains(keys, other) == all.contains(other))
      }
    }
  }
}
