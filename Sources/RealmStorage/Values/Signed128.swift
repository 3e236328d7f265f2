/// A whole number of 128 bits with a sign, such as a sum of ints or a date in nanoseconds. (The standard library's needs
/// macOS 15 and iOS 18.) Sums and products wrap around, which takes more ints than there are.
@usableFromInline
package struct Signed128: Hashable, Sendable {
  /// In two's complement.
  @usableFromInline package var bits: Unsigned128

  @inlinable @inline(__always)
  package init(bits: Unsigned128) { self.bits = bits }

  @inlinable @inline(__always)
  package init(_ number: some SignedInteger & FixedWidthInteger) {
    bits = Unsigned128(high: number < 0 ? .max : 0, low: UInt64(truncatingIfNeeded: number))
  }

  package init(_ magnitude: Unsigned128, isNegative: Bool = false) {
    bits = isNegative ? 0 &- magnitude : magnitude
  }

  /// The integer part of a number within the limits; 0 for NaN.
  package init(clamping number: Double) {
    self.init(
      Swift.min(Unsigned128(clamping: number.magnitude), Unsigned128(high: .max >> 1, low: .max)),
      isNegative: number < 0)
  }

  @inlinable @inline(__always)
  package var isNegative: Bool { bits.high >> 63 != 0 }
  package var magnitude: Unsigned128 { isNegative ? 0 &- bits : bits }

  /// Rounded towards zero; the remainder has the sign of the number.
  package func quotientAndRemainder(dividingBy divisor: Signed128) -> (quotient: Signed128, remainder: Signed128) {
    let (quotient, remainder) = magnitude.quotientAndRemainder(dividingBy: divisor.magnitude)
    return (
      Signed128(quotient, isNegative: isNegative != divisor.isNegative), Signed128(remainder, isNegative: isNegative)
    )
  }
}

extension Signed128: Comparable, ExpressibleByIntegerLiteral {
  @inlinable @inline(__always)
  package init(integerLiteral value: Int64) { self.init(value) }

  @inlinable
  package static func < (left: Signed128, right: Signed128) -> Bool {
    left.isNegative == right.isNegative ? left.bits < right.bits : left.isNegative
  }

  @inlinable @inline(__always)
  package static func + (left: Signed128, right: Signed128) -> Signed128 { Signed128(bits: left.bits &+ right.bits) }

  @inlinable @inline(__always)
  package static func - (left: Signed128, right: Signed128) -> Signed128 { Signed128(bits: left.bits &- right.bits) }

  @inlinable @inline(__always)
  package static func += (left: inout Signed128, right: Signed128) { left = left + right }

  package static prefix func - (number: Signed128) -> Signed128 { 0 - number }

  package static func * (left: Signed128, right: Signed128) -> Signed128 {
    Signed128(bits: left.bits.multipliedFullWidth(by: right.bits).low)
  }

  package static func / (left: Signed128, right: Signed128) -> Signed128 {
    left.quotientAndRemainder(dividingBy: right).quotient
  }
}

extension Int64 {
  /// Nil beyond 64 bits.
  package init?(exactly number: Signed128) {
    self = Int64(truncatingIfNeeded: number)
    guard Signed128(self) == number else { return nil }
  }

  package init(clamping number: Signed128) { self = Int64(exactly: number) ?? (number.isNegative ? .min : .max) }

  /// The lower 64 bits.
  @inlinable @inline(__always)
  package init(truncatingIfNeeded number: Signed128) { self.init(bitPattern: number.bits.low) }
}

extension Double {
  /// The nearest double.
  package init(_ number: Signed128) {
    self = number.isNegative ? -Double(number.magnitude) : Double(number.magnitude)
  }
}
