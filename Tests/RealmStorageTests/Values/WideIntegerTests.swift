import TestSupport
import Testing

@testable import RealmStorage

/// Numbers of 128 bits against the standard library's.
@Suite struct `Numbers of 128 bits` {
  private struct Samples {
    var generator = SeededGenerator(seed: 128)

    /// Of all sizes, many of them at the edges of their halves.
    mutating func next() -> UInt128 {
      let bits = (UInt128(generator.next()) << 64 | UInt128(generator.next())) >> UInt128(generator.next() % 129)
      switch generator.next() % 8 {
      case 0: return ~bits
      case 1: return 1 << UInt128(generator.next() % 128)
      case 2: return (1 << UInt128(generator.next() % 128)) &- 1
      case 3: return bits | UInt128(UInt64.max) << UInt128(generator.next() % 65)
      default: return bits
      }
    }
  }

  private static let count = 20_000

  private func wide(_ number: UInt128) -> Unsigned128 {
    Unsigned128(high: UInt64(truncatingIfNeeded: number >> 64), low: UInt64(truncatingIfNeeded: number))
  }

  private func wide(_ number: Int128) -> Signed128 { Signed128(bits: wide(UInt128(truncatingIfNeeded: number))) }

  @Test func `without a sign`() {
    var samples = Samples()
    for index in 0..<Self.count {
      let (a, b) = (samples.next(), samples.next())
      let (x, y) = (wide(a), wide(b))
      let shift = index % 128
      #expect((x < y) == (a < b) && (x == y) == (a == b))
      #expect(x &+ y == wide(a &+ b) && x &- y == wide(a &- b), "\(a) \(b)")
      if a >= b { #expect(x - y == wide(a - b), "\(a) \(b)") }
      if a <= UInt128.max - b { #expect(x + y == wide(a + b), "\(a) \(b)") }
      #expect(x << shift == wide(a << UInt128(shift)) && x >> shift == wide(a >> UInt128(shift)), "\(a) \(shift)")
      let (product, expected) = (x.multipliedFullWidth(by: y), a.multipliedFullWidth(by: b))
      #expect(product.high == wide(expected.high) && product.low == wide(expected.low), "\(a) \(b)")
      #expect(x.description == a.description && Double(x) == Double(a), "\(a)")
      #expect(x.digitCount == (a == 0 ? 0 : a.description.utf8.count), "\(a)")
      #expect(UInt64(exactly: x) == UInt64(exactly: a))
      let factor = UInt64(truncatingIfNeeded: b) >> UInt64(shift % 64)
      if factor != 0 {
        let (quotient, remainder) = x.divided(by: factor)
        #expect(quotient == wide(a / UInt128(factor)) && UInt128(remainder) == a % UInt128(factor), "\(a) \(factor)")
        if a <= UInt128.max / UInt128(factor) { #expect(x * factor == wide(a * UInt128(factor)), "\(a) \(factor)") }
      }
      guard b != 0 else { continue }
      #expect(x / y == wide(a / b) && x % y == wide(a % b), "\(a) \(b)")
      let upper = samples.next() % b
      let (result, whole) = (y.dividingFullWidth((wide(upper), x)), b.dividingFullWidth((upper, a)))
      #expect(
        result.quotient == wide(whole.quotient) && result.remainder == wide(whole.remainder), "\(upper) \(a) \(b)")
    }
  }

  @Test func `with a sign`() {
    var samples = Samples()
    for _ in 0..<Self.count {
      let (a, b) = (Int128(truncatingIfNeeded: samples.next()), Int128(truncatingIfNeeded: samples.next()))
      let (x, y) = (wide(a), wide(b))
      #expect((x < y) == (a < b))
      #expect(x + y == wide(a &+ b) && x - y == wide(a &- b) && x * y == wide(a &* b), "\(a) \(b)")
      #expect(x.magnitude == wide(a.magnitude) && -x == wide(0 &- a) && Double(x) == Double(a), "\(a)")
      #expect(Int64(exactly: x) == Int64(exactly: a) && Int64(clamping: x) == Int64(clamping: a), "\(a)")
      #expect(Int64(truncatingIfNeeded: x) == Int64(truncatingIfNeeded: a))
      guard b != 0, b != -1 else { continue }
      let (quotient, remainder) = x.quotientAndRemainder(dividingBy: y)
      #expect(quotient == wide(a / b) && remainder == wide(a % b), "\(a) \(b)")
    }
  }

  @Test func `from doubles`() {
    var samples = Samples()
    for index in 0..<Self.count {
      let number = index % 2 == 0 ? Double(bitPattern: samples.generator.next()) : Double(samples.next()) * 0.7
      #expect(Unsigned128(clamping: number) == wide(UInt128(clamping: number)), "\(number)")
      if number.magnitude < 0x1p127 { #expect(Signed128(clamping: -number) == wide(Int128(clamping: -number))) }
    }
    #expect(Unsigned128(clamping: .infinity) == .max && Signed128(clamping: .nan) == 0)
  }

  @Test func `powers of ten`() {
    for exponent in 0...38 {
      let text = "1" + String(repeating: "0", count: exponent)
      #expect(Unsigned128.powersOfTen[exponent].description == text)
      #expect((Unsigned128.powersOfTen[exponent] - 1).digitCount == exponent)
      #expect(Unsigned128(1).scaled(by: exponent) == Unsigned128.powersOfTen[exponent])
    }
    #expect(Decimal128.coefficientLimit == Unsigned128.powersOfTen[34])
  }
}
