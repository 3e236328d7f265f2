import RealmStorage
import RealmText

/// A finite decimal number of any length: digits × 10^exponent.
struct DecimalNumber: Hashable, Sendable {
  /// From 0 to 9, the highest first; empty for zero. No zero at the start.
  private(set) var digits: [UInt8]
  private(set) var exponent: Int
  private(set) var isNegative: Bool

  private init(_ digits: [UInt8], _ exponent: Int, _ isNegative: Bool) {
    let digits = Array(digits.drop { $0 == 0 })
    (self.digits, self.exponent, self.isNegative) = (digits, exponent, isNegative && !digits.isEmpty)
  }

  /// - Returns: nil for infinity and NaN.
  init?(_ decimal: Decimal128) {
    guard case .finite(let isNegative, let coefficient, let exponent) = decimal.classified else { return nil }
    self.init(Self.digits(of: coefficient), exponent, isNegative)
  }

  init(_ number: Int64) { self.init(Self.digits(of: Unsigned128(number.magnitude)), 0, number < 0) }

  /// Seconds since 1970 with their fraction.
  init(_ date: Timestamp) {
    let total = date.totalNanoseconds
    self.init(Self.digits(of: total.magnitude), -9, total.isNegative)
    while exponent < 0, digits.last == 0 { removeLastDigit() }
    if digits.isEmpty { exponent = 0 }
  }

  private static func digits(of number: Unsigned128) -> [UInt8] {
    "\(number)".utf8.map { $0 &- UInt8(ascii: "0") }
  }

  private mutating func removeLastDigit() {
    digits.removeLast()
    exponent += 1
  }

  // MARK: Results

  var isZero: Bool { digits.isEmpty }

  /// Rounded to 34 digits, ties to even; beyond the range infinite.
  var decimal: Decimal128 {
    let text = (isNegative ? "-" : "") + (digits.isEmpty ? "0" : digits.map(String.init).joined()) + "e\(exponent)"
    return DecimalReading(text: text)?.decimal ?? Decimal128(low: 0, high: 0x7c00_0000_0000_0000)
  }

  /// Nil if it is not an integer, or out of range.
  var int64: Int64? {
    var number = self
    while number.exponent < 0, number.digits.last == 0 { number.removeLastDigit() }
    if number.digits.isEmpty { return 0 }
    guard number.exponent >= 0, number.digits.count + number.exponent <= 19 else { return nil }
    return Int64(exactly: number.total(scaledBy: number.exponent))
  }

  /// As seconds since 1970; nil for a fraction finer than nanoseconds, or beyond the range.
  var timestamp: Timestamp? {
    var number = self
    while number.exponent < -9, number.digits.last == 0 { number.removeLastDigit() }
    if number.digits.isEmpty { return Timestamp(seconds: 0, nanoseconds: 0) }
    guard number.exponent >= -9, number.digits.count + number.exponent <= 19 else { return nil }
    return Timestamp(exactly: number.total(scaledBy: number.exponent + 9))
  }

  /// The digits as a number, with so many zeros at the end; both together are at most 38.
  private func total(scaledBy places: Int) -> Signed128 {
    let total = digits.reduce(Unsigned128(0)) { $0 * 10 &+ Unsigned128(UInt64($1)) }
    return Signed128(total.scaled(by: places), isNegative: isNegative)
  }

  /// Times a power of ten.
  func shifted(by places: Int) -> DecimalNumber { DecimalNumber(digits, exponent + places, isNegative) }

  /// Without a fraction.
  func rounded(_ rounding: ConversionOptions.Rounding) -> DecimalNumber {
    guard exponent < 0 else { return self }
    let kept = Array(digits.dropLast(min(-exponent, digits.count)))
    let dropped = Array(repeating: UInt8(0), count: max(-exponent - digits.count, 0)) + digits.suffix(-exponent)
    let hasRest = dropped.contains { $0 != 0 }
    let goesUp =
      switch rounding {
      case .truncate: false
      case .floor: isNegative && hasRest
      case .ceil: !isNegative && hasRest
      case .round: (dropped.first ?? 0) >= 5
      }
    let whole = DecimalNumber(kept, 0, isNegative)
    guard goesUp else { return whole }
    return whole.adding(DecimalNumber([1], 0, isNegative))
  }

  // MARK: FormulaArithmetic

  /// Longer numbers are beyond what 34 digits can tell.
  private static let mostPlaces = 13_000

  func adding(_ other: DecimalNumber) -> DecimalNumber {
    let least = min(exponent, other.exponent)
    let (left, right) = (digits.isEmpty ? [] : padded(to: least), other.digits.isEmpty ? [] : other.padded(to: least))
    guard isNegative != other.isNegative else { return DecimalNumber(Self.sum(left, right), least, isNegative) }
    if Self.isLess(left, right) { return DecimalNumber(Self.difference(right, left), least, other.isNegative) }
    return DecimalNumber(Self.difference(left, right), least, isNegative)
  }

  var negated: DecimalNumber { DecimalNumber(digits, exponent, !isNegative) }

  private func padded(to least: Int) -> [UInt8] {
    digits + Array(repeating: 0, count: min(exponent - least, Self.mostPlaces))
  }

  private static func isLess(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.count != right.count ? left.count < right.count : left.lexicographicallyPrecedes(right)
  }

  private static func sum(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
    var (result, carry) = ([UInt8](), UInt8(0))
    for index in 0..<max(left.count, right.count) {
      let total =
        (index < left.count ? left[left.count - 1 - index] : 0)
        + (index < right.count ? right[right.count - 1 - index] : 0) + carry
      result.append(total % 10)
      carry = total / 10
    }
    if carry > 0 { result.append(carry) }
    return result.reversed()
  }

  /// - Parameter right: not more than `left`.
  private static func difference(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
    var (result, borrow) = ([UInt8](), UInt8(0))
    for index in 0..<left.count {
      let taken = (index < right.count ? right[right.count - 1 - index] : 0) + borrow
      let digit = left[left.count - 1 - index]
      borrow = digit < taken ? 1 : 0
      result.append(digit + borrow * 10 - taken)
    }
    return Array(result.reversed().drop { $0 == 0 })
  }
}
