import Libc
import TestSupport
import Testing

@testable import RealmText

/// What the C library prints.
private func printed(_ format: String, _ value: Double) -> String {
  var output = [CChar](repeating: 0, count: 64)
  let length = withVaList([value]) { vsnprintf(&output, output.count, format, $0) }
  return String(decoding: output.prefix(Int(length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// Numbers of many kinds, the same in every run.
private func samples(_ count: Int, seed: UInt64) -> [Double] {
  var generator = SeededGenerator(seed: seed)
  return (0..<count).map { index in
    let bits = generator.next()
    switch index % 6 {
    case 0: return Double(bitPattern: bits)
    case 1: return Double(Int64(bitPattern: bits) >> Int64(bits & 63))
    case 2: return Double(bits >> 11) / 0x1p53
    case 3: return Double(Int64(bitPattern: bits) >> 30) / 1000
    // Few bits and a power of two: true ties between two numbers of 17 digits are among them.
    case 4:
      return Double(Int64(bitPattern: bits) >> Int64(bits & 63))
        * Double(sign: .plus, exponent: -Int(bits >> 58), significand: 1)
    default: return Double(sign: .plus, exponent: Int(bits % 2098) - 1074, significand: 1 + Double(bits >> 60) / 16)
    }
  }
}

/// Where algorithms of this kind tend to be wrong: ends of ranges, powers of two and ten with their neighbors, ties.
private let corners: [Double] = {
  var values: [Double] = [
    0, -0.0, 1, -1, 0.1, 1 / 3, 100, 1e300, .leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude,
    .leastNormalMagnitude.nextDown, 9.5, 0.5, 1e22, 1e23, 0x1.b69b4bacd05f1p56, 0x1.6345785d89fffp56,
    0x1.bc16d674ec7ffp59, 4_503_599_627_370_496.5, 1_125_899_906_842_624.125,
    8.5, 10_000_000.5, 99_999_999.5, 100_000_005, 12_345_678.5, 0x1p53, 0x1p54, 0x1p24, 0.0001, 0.00001, 0.00009999,
  ]
  for exponent in -1074...1023 { values.append(Double(sign: .plus, exponent: exponent, significand: 1)) }
  for exponent in -323...308 {
    guard let power = Double("1e\(exponent)") else { continue }
    values += [power, power.nextUp, power.nextDown]
  }
  return values
}()

@Suite("Floating point numbers as text")
struct FloatingTextTests {
  @Test func inScientificFormAreWhatTheCLibraryPrints() {
    for value in corners + samples(30_000, seed: 11) where !value.isNaN {
      #expect(text { $0.appendScientific(value) } == printed("%.16e", value))
    }
  }

  @Test func ofSinglePrecisionInScientificFormAreWhatTheCLibraryPrints() {
    for value in (corners + samples(30_000, seed: 12)).map({ Float($0) }) where !value.isNaN {
      #expect(text { $0.appendScientific(value) } == printed("%.7e", Double(value)))
    }
    var generator = SeededGenerator(seed: 13)
    for _ in 0..<10_000 {
      let value = Float(bitPattern: UInt32(truncatingIfNeeded: generator.next()))
      if value.isNaN { continue }
      #expect(text { $0.appendScientific(value) } == printed("%.7e", Double(value)))
    }
  }

  @Test(arguments: [
    (Double.nan, "nan"), (-Double.nan, "-nan"), (.infinity, "inf"), (-.infinity, "-inf"),
    (-0.0, "-0.0000000000000000e+00"),
  ]) func thatAreSpecialHaveTheNamesOfTheCLibrary(value: Double, expected: String) {
    #expect(text { $0.appendScientific(value) } == expected)
    let short = value == 0 ? "-0.0000000e+00" : expected
    #expect(text { $0.appendScientific(Float(value)) } == short)
  }

  @Test func haveTheSameDigitsByLongDivision() {
    for value in (corners + samples(1500, seed: 14)) where value.isFinite && value != 0 {
      let significand = UInt64(value.significandBitPattern) | (value.isNormal ? 1 << 52 : 0)
      let exponent = max(Int(value.exponentBitPattern), 1) - 1075
      for digitCount in [8, 17] {
        #expect(
          DecimalDigits(exactly: significand, binaryExponent: exponent, digitCount: digitCount)
            == DecimalDigits(significand: significand, binaryExponent: exponent, digitCount: digitCount))
      }
    }
  }

  @Test func inShortestFormLookAsInSwift() {
    for value in corners + samples(30_000, seed: 15) where value.isFinite {
      #expect(text { $0.appendShortest(value) } == value.description)
    }
  }

  @Test func ofSinglePrecisionInShortestFormLookAsInSwift() {
    for value in (corners + samples(30_000, seed: 16)).map({ Float($0) }) where value.isFinite {
      #expect(text { $0.appendShortest(value) } == value.description)
    }
    var generator = SeededGenerator(seed: 17)
    for _ in 0..<10_000 {
      let value = Float(bitPattern: UInt32(truncatingIfNeeded: generator.next()))
      if !value.isFinite { continue }
      #expect(text { $0.appendShortest(value) } == value.description)
    }
  }

  @Test(arguments: [
    (0.0, "0.0"), (-0.0, "-0.0"), (1, "1.0"), (-1.5, "-1.5"), (0.1, "0.1"), (100, "100.0"), (0.0001, "0.0001"),
    (0.00001, "1e-05"), (1e16, "1e+16"), (1.25e-7, "1.25e-07"), (.leastNonzeroMagnitude, "5e-324"),
    (9_007_199_254_740_992, "9007199254740992.0"),
    (.greatestFiniteMagnitude, "1.7976931348623157e+308"), (.nan, "nan"), (-.infinity, "-inf"),
  ]) func inShortestForm(value: Double, expected: String) {
    #expect(text { $0.appendShortest(value) } == expected)
  }
}
