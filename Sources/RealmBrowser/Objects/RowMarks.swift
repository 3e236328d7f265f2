import RealmStorage

/// The objects of one class that the user has marked, by their keys.
///
/// Stored as ranges, so that marking ten million objects takes no more memory than marking one.
struct RowMarks: Hashable, Sendable {
  /// The ranges in order; between each two is at least one key that is not marked.
  private var ranges: [ClosedRange<Int64>] = []
  private(set) var count = 0

  init() {}

  /// - Parameter keys: in any order, each once.
  init(_ keys: [ObjectKey]) {
    for key in keys.map(\.rawValue).sorted() { append(key) }
  }

  var isEmpty: Bool { count == 0 }

  /// All of them, in order.
  var keys: [ObjectKey] { ranges.flatMap { $0.map { ObjectKey(rawValue: $0) } } }

  func contains(_ key: ObjectKey) -> Bool {
    let place = place(of: key.rawValue)
    return ranges.indices.contains(place) && ranges[place].contains(key.rawValue)
  }

  /// Marks an object, or removes its mark.
  mutating func toggle(_ key: ObjectKey) {
    let (value, place) = (key.rawValue, place(of: key.rawValue))
    guard ranges.indices.contains(place), ranges[place].contains(value) else { return insert(value, at: place) }
    let range = ranges[place]
    var rest: [ClosedRange<Int64>] = []
    if range.lowerBound < value { rest.append(range.lowerBound...value - 1) }
    if range.upperBound > value { rest.append(value + 1...range.upperBound) }
    ranges.replaceSubrange(place...place, with: rest)
    count -= 1
  }

  /// Marks the objects of both.
  mutating func formUnion(_ other: RowMarks) {
    let all = (ranges + other.ranges).sorted { $0.lowerBound < $1.lowerBound }
    (ranges, count) = ([], 0)
    for range in all { append(range) }
  }

  /// Keeps the marks of objects that are still there.
  mutating func keep(where isThere: (ObjectKey) -> Bool) {
    let kept = keys.filter(isThere)
    if kept.count != count { self = RowMarks(kept) }
  }

  /// The first range that ends at or after a key.
  private func place(of value: Int64) -> Int {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < value { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private mutating func insert(_ value: Int64, at place: Int) {
    var (range, first, end) = (value...value, place, place)
    if place > 0, ranges[place - 1].upperBound == value - 1 {
      range = ranges[place - 1].lowerBound...value
      first = place - 1
    }
    if place < ranges.count, value < .max, ranges[place].lowerBound == value + 1 {
      range = range.lowerBound...ranges[place].upperBound
      end = place + 1
    }
    ranges.replaceSubrange(first..<end, with: [range])
    count += 1
  }

  private mutating func append(_ value: Int64) { append(value...value) }

  /// - Parameter range: must not begin before the last one.
  private mutating func append(_ range: ClosedRange<Int64>) {
    guard let last = ranges.last, last.upperBound == .max || range.lowerBound <= last.upperBound + 1 else {
      ranges.append(range)
      count += range.count
      return
    }
    let end = max(last.upperBound, range.upperBound)
    count += Int(end - last.upperBound)
    ranges[ranges.count - 1] = last.lowerBound...end
  }
}

/// Objects that are marked.
struct MarkedPredicate: ObjectPredicate, ObjectMatcher {
  let marks: RowMarks

  func matcher(of table: Table, in snapshot: Snapshot, _ progress: TaskProgress) -> any ObjectMatcher { self }

  func match(_ batch: ObjectBatch, rows: Range<Int>, _ damage: inout DamageTally, found: (Int) -> Void) {
    for row in rows where marks.contains(batch.key(at: row)) { found(row) }
  }
}
