import Testing

@testable import RealmStorage

@Suite struct CheckedIntegerTests {
  /// Oracle: Python's `math.trunc`, within the limits.
  @Test("every floating-point number gives an integer") func clamping() {
    let numbers: [Double] = [.nan, .infinity, -.infinity, 1e308, -1e308, -0.5, 255.9, 256, 0x1p63, -0x1p63, 1.5]
    #expect(numbers.map { UInt8(clamping: $0) } == [0, 255, 0, 255, 0, 0, 255, 255, 255, 0, 1])
    #expect(numbers.map { Int64(clamping: $0) } == [0, .max, .min, .max, .min, 0, 255, 256, .max, .min, 1])
    #expect(Signed128(clamping: 1e30).magnitude.description == "1000000000000000019884624838656")
    #expect(UInt64(clamping: 1.844674407370955e19) == 18_446_744_073_709_549_568)
  }
}
