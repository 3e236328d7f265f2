import RealmStorage

/// Counts numbers in cells whose width doubles whenever the numbers spread too far, for a histogram of more distinct
/// numbers than are kept.
struct FineCounts {
  private static let cellCount = 4096
  private var counts = [Int](repeating: 0, count: cellCount)
  /// A cell is 2^exponent wide; the first one begins at `first` times that.
  private var exponent = 0
  private var first: Int64 = 0
  private var isEmpty = true

  /// - Parameter number: finite.
  mutating func add(_ number: Double, _ times: Int = 1) {
    let leastExponent = number == 0 ? -1074 : max(Int(number.exponent) - 52, -1074)
    if isEmpty {
      exponent = leastExponent
      first = cell(number)
      isEmpty = false
    }
    // A cell number has at most 53 bits.
    while exponent < leastExponent { widen() }
    while true {
      let place = cell(number) - first
      if place >= 0, place < Self.cellCount {
        counts[Int(place)] += times
        return
      }
      if place < 0, place > -Int64(Self.cellCount), shift(by: -place) { continue }
      widen()
    }
  }

  private func cell(_ number: Double) -> Int64 {
    let scaled = number.sign == .minus || number != 0 ? scalb(number, -exponent) : 0
    return Int64(exactly: scaled.rounded(.down)) ?? (scaled < 0 ? .min / 4 : .max / 4)
  }

  /// In two steps, because 2^1074 is not a double.
  private func scalb(_ number: Double, _ power: Int) -> Double {
    let half = power / 2
    return number * Double(sign: .plus, exponent: half, significand: 1)
      * Double(sign: .plus, exponent: power - half, significand: 1)
  }

  /// Moves the cells up where those at the end are empty.
  private mutating func shift(by places: Int64) -> Bool {
    let places = Int(places)
    guard counts.suffix(places).allSatisfy({ $0 == 0 }) else { return false }
    counts = [Int](repeating: 0, count: places) + counts.dropLast(places)
    first -= Int64(places)
    return true
  }

  private mutating func widen() {
    var merged = [Int](repeating: 0, count: Self.cellCount)
    let newFirst = first >> 1
    for (index, count) in counts.enumerated() where count > 0 {
      merged[Int((first + Int64(index)) >> 1 - newFirst)] += count
    }
    (counts, first, exponent) = (merged, newFirst, exponent + 1)
  }

  /// The middles of cells with the numbers in them, ascending.
  var cells: [(middle: Double, count: Int)] {
    counts.enumerated().filter { $0.element > 0 }.map { index, count in
      (scalb(Double(first + Int64(index)) + 0.5, exponent), count)
    }
  }
}
