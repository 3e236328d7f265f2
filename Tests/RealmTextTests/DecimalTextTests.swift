import RealmStorage
import Testing

@testable import RealmText

extension Decimal128 {
  /// The number `±coefficient × 10^exponent` in its bits.
  init(_ coefficient: UInt128, exponent: Int = 0, isNegative: Bool = false) {
    let biased = UInt64(exponent + 6176) << 49
    self.init(
      low: UInt64(truncatingIfNeeded: coefficient),
      high: (isNegative ? 1 << 63 : 0) | biased | UInt64(truncatingIfNeeded: coefficient >> 64))
  }
}

@Suite("Decimals as text")
struct DecimalTextTests {
  struct Row: Sendable {
    var decimal: Decimal128
    var core: String
    var canonical: String
  }

  /// The core column is behavior/json.md §2 and §10, printed by the reference engine.
  static let rows: [Row] = [
    Row(decimal: Decimal128(10050, exponent: -2), core: "100.50", canonical: "100.50"),
    Row(decimal: Decimal128(123456, exponent: -3), core: "123.456", canonical: "123.456"),
    Row(decimal: Decimal128(150, exponent: -2), core: "1.50", canonical: "1.50"),
    Row(decimal: Decimal128(0), core: "0", canonical: "0"),
    Row(decimal: Decimal128(0, isNegative: true), core: "-0", canonical: "-0"),
    Row(decimal: Decimal128(5, exponent: -1), core: "5E-1", canonical: "0.5"),
    Row(decimal: Decimal128(25, exponent: -2), core: "2.5E-1", canonical: "0.25"),
    Row(decimal: Decimal128(10, exponent: -2), core: "1.0E-1", canonical: "0.10"),
    Row(decimal: Decimal128(0, exponent: -2), core: "0E-2", canonical: "0.00"),
    Row(decimal: Decimal128(0, exponent: -8), core: "0E-8", canonical: "0E-8"),
    Row(decimal: Decimal128(0, exponent: 3), core: "0E3", canonical: "0E+3"),
    Row(decimal: Decimal128(1, exponent: -3, isNegative: true), core: "-1E-3", canonical: "-0.001"),
    Row(decimal: Decimal128(12, exponent: 3), core: "1.2E4", canonical: "1.2E+4"),
    Row(decimal: Decimal128(1, exponent: 10), core: "1E10", canonical: "1E+10"),
    Row(decimal: Decimal128(1, exponent: 3), core: "1E3", canonical: "1E+3"),
    Row(decimal: Decimal128(1, exponent: -6), core: "1E-6", canonical: "0.000001"),
    Row(decimal: Decimal128(1, exponent: -7), core: "1E-7", canonical: "1E-7"),
    Row(decimal: Decimal128(12345, exponent: -11), core: "1.2345E-7", canonical: "1.2345E-7"),
    Row(
      decimal: Decimal128(31_415_926_535, exponent: -10, isNegative: true), core: "-3.1415926535",
      canonical: "-3.1415926535"),
    Row(
      decimal: Decimal128(18_446_744_073_709_551_615, exponent: -19), core: "1.8446744073709551615",
      canonical: "1.8446744073709551615"),
    Row(
      decimal: Decimal128(18_446_744_073_709_551_616), core: "+18446744073709551616E+0",
      canonical: "18446744073709551616"),
    Row(
      decimal: Decimal128(184_467_440_737_095_516_165, exponent: -1, isNegative: true),
      core: "-184467440737095516165E-1", canonical: "-18446744073709551616.5"),
    Row(
      decimal: Decimal128(1_234_567_890_123_456_789_012_345_678_901_234, exponent: -24),
      core: "+1234567890123456789012345678901234E-24", canonical: "1234567890.123456789012345678901234"),
    Row(
      decimal: Decimal128(1_000_000_000_000_000_000_000_000_000_000_000, exponent: 6111),
      core: "+1000000000000000000000000000000000E+6111", canonical: "1.000000000000000000000000000000000E+6144"),
    Row(decimal: Decimal128(1, exponent: -6176), core: "1E-6176", canonical: "1E-6176"),
    Row(
      decimal: Decimal128(10_000_000_000_000_000_000, exponent: -20), core: "1.0000000000000000000E-1",
      canonical: "0.10000000000000000000"),
    // More than 34 digits: not canonical, with the value 0.
    Row(decimal: Decimal128(1 << 113 - 1, exponent: 4), core: "+0E+4", canonical: "0E+4"),
    Row(decimal: Decimal128(low: 0, high: 0x7c00_0000_0000_0000), core: "NaN", canonical: "NaN"),
    Row(decimal: Decimal128(low: 5, high: 0xfe00_0000_0000_0000), core: "-NaN", canonical: "NaN"),
    Row(decimal: Decimal128(low: 0, high: 0x7c00_0000_0000_0001), core: "+NaN", canonical: "NaN"),
    Row(decimal: Decimal128(low: 0, high: 0x7e00_0000_0000_0001), core: "+SNaN", canonical: "NaN"),
    Row(decimal: Decimal128(low: 0, high: 0x7800_0000_0000_0000), core: "Inf", canonical: "Infinity"),
    Row(decimal: Decimal128(low: 0, high: 0xf800_0000_0000_0000), core: "-Inf", canonical: "-Infinity"),
    Row(decimal: Decimal128(low: 0, high: 0xf800_0000_0000_0001), core: "-Inf", canonical: "-Infinity"),
  ]

  @Test(arguments: rows) func haveACoreAndACanonicalForm(row: Row) {
    #expect(text { $0.appendCore(row.decimal) } == row.core)
    #expect(text { $0.appendCanonical(row.decimal) } == row.canonical)
  }
}
