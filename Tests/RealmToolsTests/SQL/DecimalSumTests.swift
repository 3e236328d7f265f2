import RealmStorage
import RealmText
import Testing

@testable import RealmExchange

/// Sums and averages of decimals are those of Python's `decimal` with a context of 20,000 digits, rounded to 34 digits or
/// to the nearest float.
@Suite struct DecimalSumTests {
  private func sum(_ texts: [String], without removed: [String] = []) throws -> DecimalSum {
    var sum = DecimalSum()
    for text in texts { sum.add(try #require(Decimal128(text: text))) }
    for text in removed { sum.remove(try #require(Decimal128(text: text))) }
    return sum
  }

  @Test(
    "a sum is exact and rounded once",
    arguments: [
      (["0.1", "0.2"], "0.3", 0.3), (["1.50", "1.50"], "3.00", 3), (["1E+40", "1", "-1E+40"], "1", 1),
      (["10", "9.5", "100", "-1", "2E+3"], "2118.5", 2118.5), (["-0.1", "-0.2"], "-0.3", -0.3),
      (["9999999999999999999999999999999999", "1"], "1.000000000000000000000000000000000E+34", 1e34),
      (["1000000000", "-1"], "999999999", 999_999_999), (["-1000000000000000000", "1"], "-999999999999999999", -1e18),
      (["1E-6176", "1E+6111", "-1E+6111"], "1E-6176", 0), (["9E+6144", "9E+6144"], "Infinity", .infinity),
      (["NaN", "1.5"], "1.5", 1.5), (["Infinity", "1"], "Infinity", .infinity),
      (["-Infinity", "1"], "-Infinity", -.infinity),
      (["Infinity", "-Infinity"], "NaN", .nan), (["0E-2", "-0"], "0.00", 0),
      (["123456789012345678.1", "-0.000000001"], "123456789012345678.099999999", 123_456_789_012_345_678.1),
    ] as [([String], String, Double)])
  func sums(_ texts: [String], _ expected: String, _ double: Double) throws {
    let sum = try sum(texts)
    #expect(TextBuffer.string { $0.appendCanonical(sum.decimal) } == expected)
    #expect(sum.double == double || sum.double.isNaN && double.isNaN)
  }

  @Test("what is taken away leaves nothing behind") func windows() throws {
    let rest = try sum(["1E+6111", "0.1", "-7E-6176", "Infinity"], without: ["1E+6111", "Infinity", "-7E-6176"])
    #expect(ValueOrder.compare(.decimal(rest.decimal), .decimal(try #require(Decimal128(text: "0.1")))) == 0)
    #expect(rest.count == 1)
  }

  @Test("an average is the nearest double") func averages() throws {
    #expect(try sum(["1", "0", "0"]).average == 1.0 / 3)
    #expect(try sum(["0.1", "0.2", "NaN"]).average == 0.15)
  }
}
