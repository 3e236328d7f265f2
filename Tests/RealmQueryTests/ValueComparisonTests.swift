import RealmQuery
import RealmStorage
import RealmText
import TestSupport
import Testing

/// One comparison for all values.
@Suite struct ValueComparisonTests {
  private static func decimal(_ text: String) -> Value {
    .decimal(Decimal128(text: text) ?? Decimal128(low: 1, high: 0))
  }

  @Test("values of any types have the order of their values, or none") func table() {
    let rows: [(Value, Value, Int?)] = [
      (9_007_199_254_740_993, .double(9_007_199_254_740_992), 1),
      (9_007_199_254_740_992, .double(9_007_199_254_740_992), 0),
      (.int(.max), .double(9_223_372_036_854_775_808), -1), (.int(.min), .double(-9_223_372_036_854_775_808), 0),
      (1, .double(1.5), -1), (2, .float(1.5), 1), (0, .double(-0.0), 0),
      (Self.decimal("4.01E+2082"), .double(.infinity), -1), (Self.decimal("-4.01E+2082"), .double(-.infinity), 1),
      (Self.decimal("4.01E+2082"), Self.decimal("Infinity"), -1), (Self.decimal("Infinity"), .double(.infinity), 0),
      (Self.decimal("Infinity"), .double(.greatestFiniteMagnitude), 1), (Self.decimal("1E-6176"), 0, 1),
      (Self.decimal("9007199254740993"), 9_007_199_254_740_993, 0), (Self.decimal("1.00"), 1, 0),
      (Self.decimal("0.1"), .double(0.1), 0), (Self.decimal("0.1"), .float(0.1), 0), (.double(0.1), .float(0.1), -1),
      (.double(.nan), .double(.nan), nil), (.double(.nan), 5, nil), (5, .float(.nan), nil),
      (Self.decimal("NaN"), 5, nil),
      (.null, .null, nil), (.null, 1, nil), ("1", 1, nil), (.bool(true), 1, nil), ("a", .data([0x61]), nil),
      ("a", "b", -1), ("b", "a", 1), ("", "", 0), ("\u{fc}", "z", 1), (.data([1, 255]), .data([1]), 1),
      (.bool(false), .bool(true), -1), (.list([1]), .list([1]), nil), (.dictionary([:]), .dictionary([:]), nil),
      (.date(Timestamp(seconds: -1, nanoseconds: -5)), .date(Timestamp(seconds: -1, nanoseconds: 0)), -1),
    ]
    for (left, right, order) in rows {
      #expect(ValueComparison.order(left, right) == order, "\(left) \(right)")
      #expect(ValueComparison.order(right, left) == order.map { -$0 }, "\(right) \(left)")
    }
  }

  @Test("ints and doubles are compared exactly") func exact() {
    var generator = SeededGenerator(seed: 17)
    for _ in 0..<20_000 {
      let double = Double(bitPattern: generator.next())
      // Near a double that is an integer.
      let near = Int64(exactly: double.rounded()).map { $0 &+ Int64.random(in: -2...2, using: &generator) }
      let int = near ?? Int64(bitPattern: generator.next())
      let expected: Int? = double.isNaN ? nil : Self.sign(int, double)
      #expect(ValueComparison.order(.int(int), .double(double)) == expected, "\(int) \(double)")
    }
  }

  /// With 128-bit integers and what remains after the decimal point.
  private static func sign(_ int: Int64, _ double: Double) -> Int {
    if abs(double) >= 1e30 { return double < 0 ? 1 : -1 }
    let whole = Int128(clamping: double.rounded(.down))
    if Int128(int) != whole { return Int128(int) < whole ? -1 : 1 }
    return double == double.rounded(.down) ? 0 : -1
  }
}
