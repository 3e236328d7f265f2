import TestSupport
import Testing

@testable import RealmStorage

/// The order of values that sets and index lists are in (Docs/Format/2-nodes-and-values.md §7).
@Suite struct OrderTests {
  private static func decimal(_ coefficient: UInt64, _ exponent: Int, negative: Bool = false) -> ValueView {
    .decimal(Decimal128(coefficient: Unsigned128(coefficient), exponent: exponent, isNegative: negative))
  }

  private static let nan = Decimal128(low: 0, high: 0x7c00_0000_0000_0000)
  private static let infinity = Decimal128(low: 0, high: 0x7800_0000_0000_0000)

  @Test func `types go by rank, numbers of all types by value`() throws {
    let owner = OwnedBytes()
    let table = TableKey(rawValue: 1)
    let ascending: [ValueView] = [
      .null, .bool(false), .bool(true), .double(.nan), .double(-.infinity), .int(.min), .int(-1),
      Self.decimal(1, -1, negative: true), .int(0), Self.decimal(1, -20), .float(0.5), .int(1),
      .double(1.5), .int(1 << 53), .int(1 << 53 + 1), .int(.max), .double(0x1p63), .decimal(Self.infinity),
      owner.text(""), owner.text("A"), owner.text("a"), owner.text("ab"), owner.text("é"), owner.data([]),
      owner.data([0]), .date(Timestamp(seconds: -1, nanoseconds: -5)), .date(Timestamp(seconds: -1, nanoseconds: 0)),
      .date(Timestamp(seconds: 0, nanoseconds: 1)), .objectID(ObjectID(head: 1, tail: 0)),
      .objectID(ObjectID(head: 1, tail: 1)), .uuid(RealmUUID(head: 0, tail: 1)),
      .uuid(RealmUUID(head: UInt64.max, tail: 0)), .typedLink(table, ObjectKey(rawValue: 7)),
      .typedLink(TableKey(rawValue: 2), ObjectKey(rawValue: 0)), .link(table, ObjectKey(rawValue: -4)),
      .link(table, ObjectKey(rawValue: 0)), .list(ListView(root: .null, element: .mixed)),
      .dictionary(DictionaryView(root: .null, linkTarget: nil)),
    ]
    for (left, first) in ascending.enumerated() {
      for (right, second) in ascending.enumerated() {
        #expect(ValueOrder.compare(first, second).signum() == (left - right).signum(), "\(first), \(second)")
      }
    }
  }

  static let equal: [[ValueView]] = [
    [.int(3), .double(3), .float(3), decimal(300, -2), decimal(3, 0)],
    [.int(0), .double(-0.0), .float(-0.0), decimal(0, 5), decimal(0, 0, negative: true)],
    // A double counts with 15 digits next to a decimal, a float with 7.
    [decimal(1, -1), .double(0.1)], [decimal(1, -1), .float(0.1)],
    [.decimal(nan), .double(.nan)], [.decimal(nan), .float(.nan)],
    [.decimal(infinity), .double(.infinity)],
    [decimal(123_456_789_012_346, -1), .double(12_345_678_901_234.56)],
  ]

  @Test("counts as one number", arguments: equal)
  func equalNumbers(_ values: [ValueView]) throws {
    for left in values { for right in values { #expect(ValueOrder.compare(left, right) == 0) } }
  }

  @Test func `a float and a double that a decimal both equals differ`() throws {
    #expect(ValueOrder.compare(.float(0.1), .double(0.1)) > 0)
  }

  /// Oracle: the engine's `Set::insert` (Realm Core 14.14.0), one element after another: a binary search for the first
  /// that is not below, and nothing is inserted if that is equal.
  private static func inserted(_ elements: [ValueView]) -> [ValueView] {
    var set: [ValueView] = []
    for element in elements {
      var (start, count) = (0, set.count)
      while count > 0 {
        let half = count / 2
        if ValueOrder.compare(set[start + half], element) < 0 {
          (start, count) = (start + half + 1, count - half - 1)
        } else {
          count = half
        }
      }
      if start < set.count, ValueOrder.compare(set[start], element) == 0 { continue }
      set.insert(element, at: start)
    }
    return set
  }

  @Test func `a set gets a float, a double and a decimal that equals both as the engine inserts them`() {
    let (float, double, decimal) = (ValueView.float(0.1), ValueView.double(0.1), Self.decimal(1, -1))
    for elements in [
      [float, decimal, double], [float, double, decimal], [double, float, decimal], [double, decimal, float],
      [decimal, float, double], [decimal, double, float],
    ] {
      let set = ValueOrder.sortedSet(elements, of: .mixed)
      #expect("\(set)" == "\(Self.inserted(elements))")
    }
  }

  @Test func `a set of numbers of all types is in order, and stays as it is when it is sorted again`() {
    var generator = SeededGenerator(seed: 56)
    for count in [10, 100, 1000] {
      let elements = (0..<count).map { _ -> ValueView in
        let tenths = Int64.random(in: 0..<12, using: &generator)
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: return .float(Float(tenths) / 10)
        case 1: return .double(Double(tenths) / 10)
        case 2: return .double((Double(tenths) / 10).nextUp)
        case 3: return .int(tenths)
        default: return Self.decimal(UInt64(tenths) * 1_000_000_000_000_000_000 / 10 + UInt64(tenths & 1), -18)
        }
      }
      let set = ValueOrder.sortedSet(elements, of: .mixed)
      #expect(zip(set, set.dropFirst()).allSatisfy { ValueOrder.compare($0, $1) < 0 })
      #expect("\(ValueOrder.sortedSet(set, of: .mixed))" == "\(set)")
    }
  }

  @Test func `doubles of all sizes round to decimals`() {
    let cases: [(Double, Int, UInt64, Int)] = [
      (.leastNonzeroMagnitude, 15, 494_065_645_841_247, -338), (.leastNonzeroMagnitude, 1, 5, -324),
      (.greatestFiniteMagnitude, 15, 179_769_313_486_232, 294), (1, 15, 1, 0), (1000, 15, 1, 3), (0.1, 15, 1, -1),
      (2.5, 1, 2, 0), (3.5, 1, 4, 0), (0x1p-1022, 7, 2_225_074, -314), (999_999_999_999_999.9, 15, 1, 15),
    ]
    for (value, digits, coefficient, exponent) in cases {
      let expected = Decimal128(coefficient: Unsigned128(coefficient), exponent: exponent, isNegative: false)
      let rounded = Decimal128(rounding: value, toDigits: digits)
      #expect(Decimal128.compare(rounded, expected) == 0)
      #expect(Decimal128.compare(Decimal128(rounding: -value, toDigits: digits), rounded) < 0)
    }
  }

  @Test func `decimal NaN stands below null's own NaN and all numbers`() throws {
    #expect(Decimal128.compare(Self.nan, .null) < 0)
    #expect(Decimal128.compare(.null, Decimal128(low: 0, high: 0xf800_0000_0000_0000)) < 0)
  }
}
