import RealmStorage

/// How many values lie in each of some ranges that follow one another.
package struct Histogram: Sendable {
  /// The values from `lower` on that are below `upper`; in the last bin also `upper` itself.
  package struct Bin: Sendable {
    package let lower: Value
    package let upper: Value
    package let count: Int
  }

  /// In ascending order without gaps; empty ones between others are among them.
  package let bins: [Bin]
  /// Values without a bin: NaN, infinities, decimals beyond the range of a double, and mixed values that are not numbers.
  package let outside: Int
  /// Whether some values may be counted one bin off.
  package let isEstimate: Bool
}

extension Histogram {
  /// Whether a value is not null and was counted in none of the bins.
  package func isOutside(_ identity: DistinctValue) -> Bool {
    identity.kind != .null
      && !bins.enumerated().contains { index, bin in bin.holds(identity, isLast: index == bins.count - 1) }
  }
}

extension Histogram.Bin {
  /// Whether a value was counted here.
  ///
  /// - Parameter isLast: whether no other bin has the upper limit.
  package func holds(_ identity: DistinctValue, isLast: Bool) -> Bool {
    switch (lower, upper) {
    case (.int(let lower), .int(let upper)):
      guard identity.kind == .int else { return false }
      let number = Int64(bitPattern: identity.head)
      return number >= lower && (number < upper || isLast && number == upper)
    case (.date(let lower), .date(let upper)):
      guard case .date(let date)? = identity.value(of: .date) else { return false }
      return date >= lower && (date < upper || isLast && date == upper)
    case (.double(let lower), .double(let upper)):
      guard let number = identity.number else { return false }
      return number >= lower && (number < upper || isLast && number == upper)
    default: return false
    }
  }
}

/// Ranges with round limits for numbers that are whole: ints, and dates as nanoseconds or months.
struct WholeBins {
  /// Limits are multiples of the width, moved by `origin`.
  let width: Signed128
  let origin: Signed128
  let first: Signed128
  let count: Int

  /// - Parameter widths: candidates, ascending; the first one that gives no more than `most` bins is taken, or the first one
  ///   wider than the range, which lies in two bins of it at most; else the widest.
  init(_ range: ClosedRange<Signed128>, most: Int, origin: Signed128 = 0, widths: some Sequence<Signed128>) {
    let (least, greatest) = (range.lowerBound - origin, range.upperBound - origin)
    var chosen: Signed128 = 1
    for width in widths {
      chosen = width
      if Self.floor(greatest, width) - Self.floor(least, width) < Signed128(most) || width > greatest - least { break }
    }
    width = chosen
    self.origin = origin
    first = Self.floor(least, chosen)
    count = Int(clamping: Int64(clamping: Self.floor(greatest, chosen) - first + 1))
  }

  private static func floor(_ number: Signed128, _ width: Signed128) -> Signed128 {
    let (quotient, rest) = number.quotientAndRemainder(dividingBy: width)
    return rest < 0 ? quotient - 1 : quotient
  }

  func index(of number: Signed128) -> Int {
    min(max(Int(clamping: Int64(clamping: Self.floor(number - origin, width) - first)), 0), count - 1)
  }

  func lower(_ index: Int) -> Signed128 { (first + Signed128(index)) * width + origin }

  /// 1, 2, 5, 10, 20, 50 and so on, as far as ints and dates go.
  static var round: [Signed128] {
    (0..<30).flatMap { power in [1, 2, 5].map { Signed128(Unsigned128.powersOfTen[power] * $0) } }
  }
}

/// Ranges with round limits for numbers with a fraction.
struct RealBins {
  private let digit: Double
  private let power: Int
  private var first: Double
  private(set) var count: Int

  /// - Parameter range: of finite numbers that differ.
  init(_ range: ClosedRange<Double>, most: Int) {
    // Halves, because the whole may not fit into a double.
    let part = (range.upperBound / 2 - range.lowerBound / 2) / Double(most) * 2
    // Limits closer to each other than doubles are would be the same. Of the round numbers, 1e308 is the greatest double.
    let share = min(max(part, max(range.lowerBound.magnitude, range.upperBound.magnitude).ulp), 1e308)
    // As much as is needed to begin with: the search goes on from there.
    var power = Int(clamping: (Double(share.exponent) * 0.301_029_995_663_981_2).rounded(.down)) - 1
    var digit = 1.0
    var step = Self.product(1, power)
    search: for _ in 0..<4 {
      for candidate in [1.0, 2, 5] {
        (digit, step) = (candidate, Self.product(candidate, power))
        if step >= share, step > 0 { break search }
      }
      power += 1
    }
    (self.digit, self.power) = (digit, power)
    first = (range.lowerBound / step).rounded(.down)
    let last = (range.upperBound / step).rounded(.down)
    count = last - first < Double(4 * most) ? max(Int(clamping: last - first) + 1, 1) : 4 * most
    // A number too small for the quotient.
    if range.lowerBound < lower(0) { (first, count) = (first - 1, count + 1) }
  }

  /// Nearest to digit × 10^power: what one gets by writing it down.
  private static func product(_ digit: Double, _ power: Int) -> Double { Double("\(digit)e\(power)") ?? 0 }

  func lower(_ index: Int) -> Double {
    let number = (first + Double(index)) * digit
    // A number of so many digits is as near to round as a double gets.
    let written = number.magnitude < 9e15 ? Double("\(Int64(clamping: number))e\(power)") : nil
    let limit = written ?? number * Self.product(1, power)
    return max(-.greatestFiniteMagnitude, min(.greatestFiniteMagnitude, limit))
  }

  func index(of number: Double, _ limits: [Double]) -> Int {
    let guess = (number / Self.product(digit, power)).rounded(.down) - first
    var index = min(max(Int(clamping: guess), 0), count - 1)
    while index > 0, number < limits[index] { index -= 1 }
    while index < count - 1, number >= limits[index + 1] { index += 1 }
    return index
  }
}
