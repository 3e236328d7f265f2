import RealmQuery
import RealmStorage
import RealmText

/// An exact sum of decimals, to which numbers are added and taken away again, as windows need it.
struct DecimalSum {
  /// Digits by weight, nine in each, not carried over: the weight of the first is 10^(9 · first).
  private var parts: [Int64] = []
  private var first = 0
  /// How many times something was added since the parts were carried over.
  private var pending = 0
  /// The lowest exponent of a number that was added: sums keep the digits of prices.
  private var lowestExponent: Int?
  private var infinities = (positive: 0, negative: 0)
  /// Numbers that count: NaN does not.
  private(set) var count = 0

  private static let unit: Int64 = 1_000_000_000
  private static let mostPending = 1 << 30

  mutating func add(_ number: Decimal128) { add(number, times: 1) }
  mutating func remove(_ number: Decimal128) { add(number, times: -1) }

  private mutating func add(_ number: Decimal128, times: Int) {
    switch number.classified {
    case .nan: return
    case .infinity(isNegative: true): infinities.negative += times
    case .infinity(isNegative: false): infinities.positive += times
    case .finite(let isNegative, let coefficient, let exponent):
      lowestExponent = min(lowestExponent ?? exponent, exponent)
      addFinite(coefficient, exponent, sign: isNegative == (times < 0) ? 1 : -1)
    }
    count += times
  }

  private mutating func addFinite(_ coefficient: Unsigned128, _ exponent: Int, sign: Int64) {
    guard coefficient != 0 else { return }
    // The first part has fewer digits of the coefficient, so that all stand at a multiple of nine.
    var place = (exponent - (exponent % 9 + 9) % 9) / 9
    var shift: UInt64 = 1
    for _ in 0..<(exponent - place * 9) { shift *= 10 }
    let unit = UInt64(Self.unit)
    var rest = coefficient
    var carry: UInt64 = 0
    while rest != 0 || carry != 0 {
      let (quotient, digits) = rest.divided(by: unit)
      let product = digits * shift + carry
      (rest, carry) = (quotient, product / unit)
      makeRoom(for: place)
      parts[place - first] += sign * Int64(product % unit)
      place += 1
    }
    pending += 1
    if pending == Self.mostPending { carryOver() }
  }

  /// Exponents are bounded, and so are the parts.
  private mutating func makeRoom(for place: Int) {
    if parts.isEmpty { first = place }
    if place < first {
      parts.insert(contentsOf: repeatElement(0, count: first - place), at: 0)
      first = place
    }
    while place - first >= parts.count { parts.append(0) }
  }

  /// Leaves less than a unit in each part but the last, all of them with the sign of the whole or 0.
  private mutating func carryOver() {
    pending = 0
    var index = 0
    var carry: Int64 = 0
    while index < parts.count || carry != 0 && carry != -1 {
      if index == parts.count { parts.append(0) }
      let (quotient, rest) = (parts[index] + carry).quotientAndRemainder(dividingBy: Self.unit)
      (parts[index], carry) = rest < 0 ? (rest + Self.unit, quotient - 1) : (rest, quotient)
      index += 1
    }
    if carry == -1, let last = parts.indices.last { parts[last] -= Self.unit }
  }

  // MARK: Results

  /// The sum, rounded once to 34 digits; NaN for infinity less infinity.
  var decimal: Decimal128 { DecimalReading(text: text)?.decimal ?? Decimal128(low: 0, high: 0x7c00_0000_0000_0000) }

  /// The nearest double.
  var double: Double { Double(text) ?? .nan }

  /// The sum by the count, as the nearest double.
  var average: Double {
    let quotient = DecimalArithmetic.divide(decimal, ValueOrder.decimal(.int(Int64(count))))
    return Double(TextBuffer.string { $0.appendCanonical(quotient) }) ?? .nan
  }

  /// All digits of the sum.
  private var text: String {
    switch (infinities.positive > 0, infinities.negative > 0) {
    case (true, true): return "NaN"
    case (true, false): return "Infinity"
    case (false, true): return "-Infinity"
    case (false, false): break
    }
    var sum = self
    sum.carryOver()
    var exponent = sum.first * 9
    while let last = sum.parts.last, last == 0 { sum.parts.removeLast() }
    guard let top = sum.parts.last else { return "0E\(lowestExponent ?? 0)" }
    let isNegative = top < 0
    if isNegative {
      for index in sum.parts.indices { sum.parts[index].negate() }
      sum.carryOver()
    }
    var digits = ""
    for part in sum.parts.reversed() {
      let own = "\(part)"
      digits += digits.isEmpty ? (part == 0 ? "" : own) : String(repeating: "0", count: 9 - own.utf8.count) + own
    }
    while let lowestExponent, exponent < lowestExponent, digits.hasSuffix("0") {
      digits.removeLast()
      exponent += 1
    }
    return (isNegative ? "-" : "") + digits + "E\(exponent)"
  }
}
