import RealmStorage
import RealmText

/// Chooses the bins of a histogram, and counts.
struct HistogramBuilder {
  /// Where the values lie.
  enum Line { case ints, reals, dates }

  let line: Line
  /// About so many.
  let bins: Int

  /// Nil for values that have no histogram.
  init?(of type: ValueType, bins: Int) {
    guard bins > 0 else { return nil }
    switch type {
    case .int: line = .ints
    case .float, .double, .decimal, .mixed: line = .reals
    case .date: line = .dates
    default: return nil
    }
    self.bins = min(bins, 1000)
  }

  /// Where a value lies among the reals; nil for one that has no place, such as NaN.
  func place(of identity: DistinctValue) -> Double? {
    switch line {
    case .dates:
      guard identity.kind == .date else { return nil }
      return Double(Int64(bitPattern: identity.head))
    case .ints, .reals:
      guard let number = identity.number, number.isFinite else { return nil }
      return number
    }
  }

  /// - Parameters:
  ///   - entries: different values.
  ///   - fine: nil if these are all.
  ///   - values: all that are not null.
  func histogram(_ entries: UnsafeBufferPointer<FrequencyTable.Entry>, _ fine: FineCounts?, values: Int) -> Histogram? {
    switch line {
    case .ints: whole(entries, fine, values, number: { Signed128(Int64(bitPattern: $0.head)) }) { $0.kind == .int }
    case .dates: dates(entries, fine, values)
    case .reals: reals(entries, fine, values)
    }
  }

  // MARK: Whole numbers

  private static let second: Signed128 = 1_000_000_000
  private static let day: Signed128 = 86_400 * second

  private func whole(
    _ entries: UnsafeBufferPointer<FrequencyTable.Entry>, _ fine: FineCounts?, _ values: Int,
    number: (DistinctValue) -> Signed128, isMeant: (DistinctValue) -> Bool
  ) -> Histogram? {
    let numbers: [(number: Signed128, count: Int)]
    if let fine {
      numbers = fine.cells.map { (Signed128(clamping: $0.middle.rounded(.down)), $0.count) }
    } else {
      numbers = entries.filter { isMeant($0.identity) }.map { (number($0.identity), $0.count) }
    }
    return counted(numbers, fine != nil, values, { range in WholeBins(range, most: bins, widths: WholeBins.round) }) {
      .int(Int64(clamping: $0))
    }
  }

  private func dates(
    _ entries: UnsafeBufferPointer<FrequencyTable.Entry>, _ fine: FineCounts?, _ values: Int
  ) -> Histogram? {
    let moments: [(number: Signed128, count: Int)]
    if let fine {
      moments = fine.cells.map { (Signed128(clamping: $0.middle) * Self.second, $0.count) }
    } else {
      moments = entries.filter { $0.identity.kind == .date }.map {
        (
          Signed128(Int64(bitPattern: $0.identity.head)) * Self.second + Signed128(Int64(bitPattern: $0.identity.tail)),
          $0.count
        )
      }
    }
    guard let least = moments.min(by: { $0.number < $1.number })?.number,
      let greatest = moments.max(by: { $0.number < $1.number })?.number
    else { return nil }
    let seconds = [
      1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400, 604_800,
    ]
    let widths = WholeBins.round.prefix { $0 < Self.second } + seconds.map { Signed128($0) * Self.second }
    // Weeks begin with Monday, as 1970 does three days before.
    let days = WholeBins(least...greatest, most: bins, origin: -3 * Self.day, widths: widths)
    if days.count <= bins + 1 {
      return counted(moments, fine != nil, values, { _ in days }) { Self.date(nanoseconds: $0) }
    }
    let months = moments.map { (number: Self.month(nanoseconds: $0.number), count: $0.count) }
    let monthWidths = [1, 2, 3, 6] + WholeBins.round.map { $0 * 12 }
    return counted(months, fine != nil, values, { range in WholeBins(range, most: bins, widths: monthWidths) }) {
      Self.date(month: $0)
    }
  }

  private func counted(
    _ numbers: [(number: Signed128, count: Int)], _ isEstimate: Bool, _ values: Int,
    _ makeBins: (ClosedRange<Signed128>) -> WholeBins, value: (Signed128) -> Value
  ) -> Histogram? {
    guard let least = numbers.min(by: { $0.number < $1.number })?.number,
      let greatest = numbers.max(by: { $0.number < $1.number })?.number
    else { return nil }
    let bins = makeBins(least...greatest)
    var counts = [Int](repeating: 0, count: bins.count)
    for (number, count) in numbers { counts[bins.index(of: number)] += count }
    return Histogram(
      bins: counts.enumerated().map { index, count in
        Histogram.Bin(lower: value(bins.lower(index)), upper: value(bins.lower(index + 1)), count: count)
      }, outside: values - counts.reduce(0, +), isEstimate: isEstimate)
  }

  private static func date(nanoseconds: Signed128) -> Value {
    .date(Timestamp(clamping: nanoseconds))
  }

  /// The month of a moment, counted from the year 0.
  private static func month(nanoseconds: Signed128) -> Signed128 {
    let (quotient, rest) = nanoseconds.quotientAndRemainder(dividingBy: day)
    let date = CivilDate(daysSince1970: Int64(clamping: rest.isNegative ? quotient - 1 : quotient))
    return Signed128(date.year) * 12 + Signed128(date.month - 1)
  }

  private static func date(month: Signed128) -> Value {
    let (quotient, rest) = month.quotientAndRemainder(dividingBy: 12)
    let (year, index) = rest.isNegative ? (quotient - 1, rest + 12) : (quotient, rest)
    let days = CivilDate(year: Int64(clamping: year), month: Int(Int64(clamping: index)) + 1, day: 1).daysSince1970
    return .date(Timestamp(seconds: Int64(clamping: Signed128(days) * 86_400), nanoseconds: 0))
  }

  // MARK: Reals

  private func reals(
    _ entries: UnsafeBufferPointer<FrequencyTable.Entry>, _ fine: FineCounts?, _ values: Int
  ) -> Histogram? {
    let numbers: [(number: Double, count: Int)]
    if let fine {
      numbers = fine.cells.map { ($0.middle, $0.count) }
    } else {
      numbers = entries.compactMap { entry in place(of: entry.identity).map { ($0, entry.count) } }
    }
    guard let least = numbers.min(by: { $0.number < $1.number })?.number,
      let greatest = numbers.max(by: { $0.number < $1.number })?.number
    else { return nil }
    let total = numbers.reduce(0) { $0 + $1.count }
    guard least < greatest else {
      let bin = Histogram.Bin(lower: .double(least), upper: .double(greatest), count: total)
      return Histogram(bins: [bin], outside: values - total, isEstimate: fine != nil)
    }
    let bins = RealBins(least...greatest, most: bins)
    let limits = (0...bins.count).map(bins.lower)
    var counts = [Int](repeating: 0, count: bins.count)
    for (number, count) in numbers { counts[bins.index(of: number, limits)] += count }
    return Histogram(
      bins: counts.enumerated().map { index, count in
        Histogram.Bin(lower: .double(limits[index]), upper: .double(limits[index + 1]), count: count)
      }, outside: values - total, isEstimate: fine != nil)
  }
}
