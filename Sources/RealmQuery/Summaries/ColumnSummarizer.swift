import RealmStorage

/// The subject of a summary.
package enum SummaryColumn: Sendable {
  /// By its index in the schema of the class.
  case property(Int)
  /// A key path, alone in its columns.
  case path(QueryColumns)
  /// The elements of one collection, which are added one by one.
  case elements(PropertyType, any ElementReader)
}

/// Reads the elements of one collection by position.
package protocol ElementReader: Sendable {
  /// - Throws: what keeps the element from being read.
  func value(at position: Int, in snapshot: Snapshot) throws -> ValueView
}

/// Summarizes the values of a column that come batch by batch; an instance belongs to one thread.
///
/// ```swift
/// let summarizer = ColumnSummarizer(.property(0), of: table)
/// try summarizer.add(batch, rows: RowMask(first: batch.count), in: snapshot)
/// let summary = try summarizer.summary(in: snapshot)
/// ```
///
/// Takes 100 MiB at most, whatever is added; with its options, about 50 bytes for each different value, and a few hundred KiB
/// for estimates.
package final class ColumnSummarizer {
  private let column: SummaryColumn
  private let table: Table
  private let type: ValueType
  private let options: SummaryOptions
  private let histogram: HistogramBuilder?
  private let check: @Sendable () throws -> Void

  private var summary = ColumnSummary()
  private let frequencies: FrequencyTable
  private let reader: DistinctValue.Reader
  private var nullObject: ObjectKey?
  private var typeCounts: [Int64: Int] = [:]
  private var average: Aggregate?
  private var realMean = ExactMean()
  private var wholeSum: (sum: Signed128, count: Int) = (0, 0)
  private var dateSum: (seconds: Signed128, nanoseconds: Signed128, count: Int) = (0, 0, 0)
  private var least = Extreme(isLeast: true)
  private var greatest = Extreme(isLeast: false)
  private(set) var damage = DamageReport()

  /// Counts values that are too many to be kept.
  private struct Overflow {
    var distinct = DistinctSketch()
    var frequent = FrequentSketch()
    var fine: FineCounts?
  }
  private var overflow: Overflow?

  // State that belongs to the snapshot of the current batches.
  private var snapshot: Snapshot?
  private var walk: CollectionWalk?
  private var pathReader: QueryColumns.Reader?
  private let buffer = UnsafeMutableBufferPointer<ValueView>.allocate(capacity: RowMask.capacity)

  /// Values that are counted together: waiting for the table's memory, for one value after another, took half of the time.
  private struct Waiting {
    let value: ValueView
    let identity: DistinctValue
    let object: ObjectKey
  }
  private let waiting = UnsafeMutablePointer<Waiting>.allocate(capacity: RowMask.capacity)
  private let hashes = UnsafeMutablePointer<UInt64>.allocate(capacity: RowMask.capacity)
  private var waitingCount = 0

  /// - Parameters:
  ///   - table: of the objects; a table of another snapshot of the same realm will do.
  ///   - options: `threadCount` and `visited` have no meaning here.
  ///   - check: called repeatedly if one object may have any number of elements. If it throws, the work ends.
  package init(
    _ column: SummaryColumn, of table: Table, _ options: SummaryOptions = SummaryOptions(),
    check: @escaping @Sendable () throws -> Void = {}
  ) {
    (self.column, self.table, self.options, self.check) = (column, table, options, check)
    switch column {
    case .property(let index): type = ValueType(table.schema.properties[index].type)
    case .path(let columns): type = columns.valueType(0)
    case .elements(let elementType, _): type = ValueType(elementType)
    }
    histogram = HistogramBuilder(of: type, bins: options.bins)
    frequencies = FrequencyTable(mostEntries: options.mostExact)
    reader = DistinctValue.Reader(isMixed: type != .decimal)
    average =
      Aggregate.resultType(.average, of: type) == .decimal ? Aggregate(.average, of: type, .standard) : nil
    buffer.initialize(repeating: .null)
    if case .property(let index) = column, table.schema.properties[index].collection != nil {
      summary.sizes = ColumnSummary.Sizes()
    }
  }

  deinit {
    buffer.deallocate()
    waiting.deallocate()
    hashes.deallocate()
  }

  /// Forgets all places in the file, whose bytes are about to be released.
  package func forgetPlaces() {
    pathReader?.forgetPlaces()
  }

  // MARK: Objects

  /// Adds some objects.
  ///
  /// - Parameter snapshot: where the batch comes from.
  /// - Throws: what `check` throws; `QueryError` if a path leads to too many values. Damage is counted.
  package func add(_ batch: ObjectBatch, rows: RowMask, in snapshot: Snapshot) throws {
    follow(snapshot)
    summary.objects += rows.count
    switch column {
    case .property(let index): try add(property: index, batch, rows, snapshot)
    case .path(let columns): try add(path: columns, batch, rows, snapshot)
    case .elements: return
    }
  }

  /// Adds the element at a position.
  ///
  /// - Throws: what `check` throws. Damage is counted.
  package func add(elementAt position: Int, in snapshot: Snapshot) throws {
    guard case .elements(_, let reader) = column else { return }
    follow(snapshot)
    let key = ObjectKey(rawValue: Int64(position))
    let value: ValueView
    do { value = try reader.value(at: position, in: snapshot) } catch let error as StorageError {
      return note(error, key)
    }
    try addOne(value, of: key, snapshot)
    try countWaiting(snapshot)
  }

  private func follow(_ snapshot: Snapshot) {
    guard self.snapshot !== snapshot else { return }
    self.snapshot = snapshot
    walk = snapshot.collectionWalk()
    if case .path(let columns) = column { pathReader = columns.reader(check: check) }
  }

  private func add(property: Int, _ batch: ObjectBatch, _ rows: RowMask, _ snapshot: Snapshot) throws {
    let values: PropertyValues
    do { values = try batch.values(ofProperty: property) } catch let error as StorageError {
      summary.damaged += rows.count
      let name = table.schema.properties[property].name
      damage.add(
        Damage(
          table: table.schema.displayName, part: .values(property: name, first: batch.key(at: 0), count: rows.count),
          error: error))
      return
    }
    var unreadable = RowMask()
    values.decode(into: UnsafeMutableBufferPointer(rebasing: buffer.prefix(batch.count))) { row, error in
      guard rows.contains(row) else { return }
      unreadable.insert(row)
      note(error, batch.key(at: row))
    }
    try rows.subtracting(unreadable).forEach { row in try add(buffer[row], of: batch.key(at: row), snapshot) }
    try countWaiting(snapshot)
  }

  private func add(path columns: QueryColumns, _ batch: ObjectBatch, _ rows: RowMask, _ snapshot: Snapshot) throws {
    guard let pathReader else { return }
    try rows.forEach { row in
      let value = try pathReader.values(of: batch, row: row)[0]
      let found = pathReader.takeDamage()
      if !found.isEmpty {
        summary.damaged += found.count
        damage.merge(found)
      }
      let keeper = ValueKeeper()
      let key = batch.key(at: row)
      try withExtendedLifetime(keeper) {
        if columns.isList(0), case .list(let elements) = value {
          addSize(elements.count)
          for element in elements { try addOne(keeper.view(of: element), of: key, snapshot) }
        } else if found.isEmpty {
          try addOne(keeper.view(of: value), of: key, snapshot)
        }
        try countWaiting(snapshot)
      }
    }
  }

  /// - Throws: what `check` throws.
  @inline(__always)
  private func add(_ value: ValueView, of object: ObjectKey, _ snapshot: Snapshot) throws {
    switch value {
    case .list, .set, .dictionary:
      if type == .mixed, summary.sizes == nil { return try addOne(value, of: object, snapshot) }
      try addElements(of: value, object, snapshot)
    default: try addOne(value, of: object, snapshot)
    }
  }

  private func addElements(of value: ValueView, _ object: ObjectKey, _ snapshot: Snapshot) throws {
    guard let walk else { return }
    let before = summary.values + summary.nulls + summary.damaged
    var visited = 0
    func visit(_ element: ValueView) throws {
      visited += 1
      if visited & 0xff == 0 { try check() }
      try addOne(element, of: object, snapshot)
    }
    func damaged(_ error: StorageError) throws {
      try check()
      note(error, object)
    }
    do {
      switch value {
      case .list(let list), .set(let list): try list.forEach(walk, damaged: damaged, visit: visit)
      case .dictionary(let dictionary): try dictionary.forEach(walk, damaged: damaged) { try visit($1) }
      default: return
      }
    } catch let error as StorageError {
      note(error, object)
    }
    addSize(summary.values + summary.nulls + summary.damaged - before)
  }

  private func addSize(_ count: Int) {
    var sizes = summary.sizes ?? ColumnSummary.Sizes()
    sizes.least = sizes.collections == 0 ? count : min(sizes.least, count)
    sizes.greatest = max(sizes.greatest, count)
    sizes.collections += 1
    sizes.total += count
    if count == 0 { sizes.empty += 1 }
    summary.sizes = sizes
  }

  private func note(_ error: StorageError, _ object: ObjectKey) {
    summary.damaged += 1
    guard case .property(let index) = column else { return }
    damage.add(
      Damage(
        table: table.schema.displayName,
        part: .value(property: table.schema.properties[index].name, object: object), error: error))
  }

  // MARK: Values

  @inline(__always)
  private func addOne(_ value: ValueView, of object: ObjectKey, _ snapshot: Snapshot) throws {
    if value.isNull {
      summary.nulls += 1
      if nullObject == nil { nullObject = object }
      return
    }
    guard let walk else { return }
    let identity: DistinctValue
    do { identity = try reader.identity(of: value, in: snapshot, walk) } catch let error as StorageError {
      return note(error, object)
    }
    summary.values += 1
    switch value {
    case _ where identity.kind == .notANumber: summary.notANumbers += 1
    case .double(let number) where type == .double: realMean.add(number)
    case .float(let number) where type == .float: realMean.add(Double(number))
    case .int(let number) where type == .int: wholeSum = (wholeSum.sum + Signed128(number), wholeSum.count + 1)
    default: average?.add(value)
    }
    if type == .mixed { typeCounts[TypeSet(value).rawValue, default: 0] += 1 }
    if type == .date, case .date(let date) = value { add(date) }
    hashes[waitingCount] = frequencies.hash(of: identity)
    (waiting + waitingCount).initialize(to: Waiting(value: value, identity: identity, object: object))
    waitingCount += 1
    if waitingCount == RowMask.capacity { try countWaiting(snapshot) }
  }

  /// Counts the values that wait for it. Their bytes must be there still.
  private func countWaiting(_ snapshot: Snapshot) throws {
    guard waitingCount > 0, let walk else { return }
    frequencies.touch(UnsafeBufferPointer(start: hashes, count: waitingCount))
    defer { waitingCount = 0 }
    for index in 0..<waitingCount {
      let (value, identity, object) = (waiting[index].value, waiting[index].identity, waiting[index].object)
      switch frequencies.add(identity, object, hash: hashes[index]) {
      case .known: continue
      case .new: takeExtremes(value, identity)
      case .full:
        takeExtremes(value, identity)
        try addToOverflow(value, identity, object, snapshot, walk)
      }
    }
  }

  @inline(__always)
  private func takeExtremes(_ value: ValueView, _ identity: DistinctValue) {
    switch identity.kind {
    case .null, .notANumber, .link, .embedded, .list, .set, .dictionary: return
    default:
      least.add(value)
      greatest.add(value)
    }
  }

  private func add(_ date: Timestamp) {
    dateSum.seconds += Signed128(date.seconds)
    dateSum.nanoseconds += Signed128(date.nanoseconds)
    dateSum.count += 1
  }

  private func addToOverflow(
    _ value: ValueView, _ identity: DistinctValue, _ object: ObjectKey, _ snapshot: Snapshot, _ walk: CollectionWalk
  ) throws {
    if overflow == nil { startOverflow() }
    // Hashes of this process are not usable: the same file must give the same estimate in each run.
    reader.wantsStableHash = true
    defer { reader.wantsStableHash = false }
    let hash: UInt64
    if let stable = identity.stableHash {
      hash = stable
    } else {
      _ = try? reader.identity(of: value, in: snapshot, walk)
      hash = reader.stableHash
    }
    overflow?.distinct.add(hash)
    overflow?.frequent.add(identity, object)
    if let place = histogram?.place(of: identity) { overflow?.fine?.add(place) }
  }

  private func startOverflow() {
    overflow = Overflow()
    guard histogram != nil else { return }
    overflow?.fine = FineCounts()
  }

  // MARK: Result

  /// The summary of everything that was added.
  ///
  /// - Parameter snapshot: where the values still are; some are read once more.
  /// - Throws: what `check` throws.
  package func summary(in snapshot: Snapshot) throws -> ColumnSummary {
    var summary = summary
    // Not more than there are values that were not kept.
    let others = summary.values - frequencies.entries.reduce(0) { $0 + $1.count }
    summary.distinct = ColumnSummary.Count(
      value: frequencies.entries.count + min(overflow?.distinct.estimate ?? 0, others), isEstimate: overflow != nil)
    (summary.least, summary.greatest, summary.mean) = (least.value, greatest.value, mean)
    summary.types = typeCounts.map { ColumnSummary.TypeCount(name: TypeSet(rawValue: $0.key).text, count: $0.value) }
      .sorted { $0.count == $1.count ? $0.name < $1.name : $0.count > $1.count }
    summary.frequencies = try mostFrequent(in: snapshot)
    summary.histogram = histogram?.histogram(frequencies.entries, completeFineCounts, values: summary.values)
    return summary
  }

  /// With those values that are kept.
  private var completeFineCounts: FineCounts? {
    guard var fine = overflow?.fine, let histogram else { return nil }
    for entry in frequencies.entries {
      if let place = histogram.place(of: entry.identity) { fine.add(place, entry.count) }
    }
    return fine
  }

  private var mean: Value {
    if type == .date {
      guard dateSum.count > 0 else { return .null }
      let total = dateSum.seconds * 1_000_000_000 + dateSum.nanoseconds
      return .date(Timestamp(clamping: total / Signed128(dateSum.count)))
    }
    let exact = type == .int ? ExactMean(wholeSum.sum, over: wholeSum.count) : realMean
    if let mean = exact.mean { return .double(mean) }
    if case .decimal(let number)? = average?.result { return .decimal(number) }
    return .null
  }

  private struct Candidate {
    let identity: DistinctValue
    let object: ObjectKey
    let count: Int
    var error = 0
    var isEstimate = false
  }

  private func mostFrequent(in snapshot: Snapshot) throws -> [ColumnSummary.Frequency] {
    guard options.top > 0 else { return [] }
    var others: [Candidate] = []
    if summary.nulls > 0, let nullObject {
      others.append(Candidate(identity: .null, object: nullObject, count: summary.nulls))
    }
    for entry in overflow?.frequent.entries ?? [] {
      others.append(
        Candidate(
          identity: entry.identity, object: entry.object, count: entry.count, error: entry.error,
          isEstimate: entry.error > 0))
    }
    let candidates = Self.most(frequencies.entries, others, options.top)
    let missing = candidates.filter { $0.identity.value(of: type) == nil }.sorted { $0.count > $1.count }
    let found = try FoundAgain(missing.map { ($0.identity, $0.object) }, self, snapshot)
    let frequencies = candidates.filter { !found.leftOut.contains($0.identity) }.map { candidate in
      ColumnSummary.Frequency(
        identity: candidate.identity,
        value: candidate.identity.value(of: type) ?? found.values[candidate.identity] ?? .null,
        count: ColumnSummary.Count(value: candidate.count, isEstimate: candidate.isEstimate), error: candidate.error)
    }
    // Values that occur as often as each other come in their own order.
    let keeper = ValueKeeper()
    let views = frequencies.map { keeper.view(of: $0.value) }
    return frequencies.indices.sorted { left, right in
      let (a, b) = (frequencies[left].count.value, frequencies[right].count.value)
      if a != b { return a > b }
      let order = ValueOrder.compare(views[left], views[right])
      return order == 0 ? left < right : order < 0
    }.map { frequencies[$0] }
  }

  /// Those with the highest counts; of equal ones the first that were met.
  private static func most(
    _ entries: UnsafeBufferPointer<FrequencyTable.Entry>, _ others: [Candidate], _ count: Int
  ) -> [Candidate] {
    var limits = CountLimit(count)
    for entry in entries { limits.add(entry.count) }
    for other in others { limits.add(other.count) }
    var (limit, room) = limits.limit
    func isAmong(_ count: Int) -> Bool {
      if count > limit { return true }
      guard count == limit, room > 0 else { return false }
      room -= 1
      return true
    }
    var candidates: [Candidate] = []
    for entry in entries where isAmong(entry.count) {
      candidates.append(Candidate(identity: entry.identity, object: entry.object, count: entry.count))
    }
    return candidates + others.filter { isAmong($0.count) }
  }

  /// Finds the least count that is among the highest. With most values unique, sorting all counts would take longer than
  /// counting the values.
  private struct CountLimit {
    private let most: Int
    /// How many there are of each low count; all others one by one.
    private var low = [Int](repeating: 0, count: 4096)
    private var high: [Int] = []

    init(_ most: Int) { self.most = most }

    mutating func add(_ count: Int) {
      if low.indices.contains(count) { low[count] += 1 } else { high.append(count) }
    }

    /// The limit, and how many of just this count there is room for.
    var limit: (count: Int, room: Int) {
      if high.count >= most {
        let sorted = high.sorted(by: >)
        let limit = sorted[most - 1]
        return (limit, most - sorted.prefix(most).count { $0 > limit })
      }
      var room = most - high.count
      for count in low.indices.reversed() {
        if low[count] >= room { return (count, room) }
        room -= low[count]
      }
      return (0, room)
    }
  }

  /// Values that their identities do not contain, read again from the first objects that have them.
  private struct FoundAgain {
    private(set) var values: [DistinctValue: Value] = [:]
    /// Those for which there is no room.
    private(set) var leftOut: Set<DistinctValue> = []
    /// Bytes of texts and data that are kept.
    private static let mostBytes = 32 << 20

    /// - Parameter wanted: the most important ones first.
    init(_ wanted: [(identity: DistinctValue, object: ObjectKey)], _ summarizer: ColumnSummarizer, _ snapshot: Snapshot)
      throws
    {
      guard !wanted.isEmpty else { return }
      var byObject: [ObjectKey: Set<DistinctValue>] = [:]
      var objects: [ObjectKey] = []
      for (identity, object) in wanted where byObject[object, default: []].insert(identity).inserted {
        if byObject[object]?.count == 1 { objects.append(object) }
      }
      guard let table = snapshot.table(summarizer.table.key) else { return }
      let collector = summarizer.collector(in: snapshot)
      var room = Self.mostBytes
      for object in objects {
        let identities = byObject[object] ?? []
        try summarizer.check()
        guard room > 0 else {
          leftOut.formUnion(identities)
          continue
        }
        var found: [DistinctValue: Value] = [:]
        func take(_ value: ValueView, _ walk: CollectionWalk) {
          guard let identity = try? summarizer.reader.identity(of: value, in: snapshot, walk),
            identities.contains(identity), found[identity] == nil
          else { return }
          found[identity] = try? Value(value, walk)
          if case .string(let blob) = value { room -= blob.count }
          if case .data(let blob) = value { room -= blob.count }
        }
        if case .elements(_, let reader) = summarizer.column {
          guard let value = try? reader.value(at: Int(object.rawValue), in: snapshot) else { continue }
          take(value, snapshot.collectionWalk())
        } else if let (batch, row) = try? table.object(object) {
          try? collector(batch, row, take)
        }
        values.merge(found) { first, _ in first }
      }
    }
  }

  private typealias Collector = (ObjectBatch, Int, (ValueView, CollectionWalk) -> Void) throws -> Void

  /// Calls with the values of one object.
  private func collector(in snapshot: Snapshot) -> Collector {
    let walk = snapshot.collectionWalk(passes: 2)
    switch column {
    case .property(let index):
      return { batch, row, body in
        let value = try batch.values(ofProperty: index).value(at: row)
        switch value {
        case .list(let list) where self.summary.sizes != nil, .set(let list) where self.summary.sizes != nil:
          try list.forEach(walk, damaged: { _ in }) { body($0, walk) }
        case .dictionary(let dictionary) where self.summary.sizes != nil:
          try dictionary.forEach(walk, damaged: { _ in }) { body($1, walk) }
        default: body(value, walk)
        }
      }
    case .path(let columns):
      let reader = columns.reader(check: check)
      return { batch, row, body in
        let value = try reader.values(of: batch, row: row)[0]
        let keeper = ValueKeeper()
        withExtendedLifetime(keeper) {
          if columns.isList(0), case .list(let elements) = value {
            for element in elements { body(keeper.view(of: element), walk) }
          } else {
            body(keeper.view(of: value), walk)
          }
        }
      }
    case .elements: return { _, _, _ in }
    }
  }
}

extension ValueView {
  /// Whether it points to bytes in the file.
  fileprivate var hasBytes: Bool {
    switch self {
    case .string, .data: true
    default: false
    }
  }
}

/// The least or the greatest of values so far.
private struct Extreme {
  private let isLeast: Bool
  private var best: ValueView = .null
  private(set) var value = Value.null
  /// Keeps the bytes of the best.
  private var keeper: ValueKeeper?

  init(isLeast: Bool) { self.isLeast = isLeast }

  @inline(__always)
  mutating func add(_ value: ValueView) {
    guard !best.isNull else { return take(value) }
    let order = ValueOrder.compare(value, best)
    if isLeast ? order < 0 : order > 0 { take(value) }
  }

  private mutating func take(_ view: ValueView) {
    best = view
    switch view {
    case .string(let text): value = (try? text.copied()).map { .string(RealmString(utf8: $0)) } ?? .null
    case .data(let data): value = (try? data.copied()).map { .data($0) } ?? .null
    case .bool(let flag): value = .bool(flag)
    case .int(let number): value = .int(number)
    case .float(let number): value = .float(number)
    case .double(let number): value = .double(number)
    case .decimal(let number): value = .decimal(number)
    case .date(let date): value = .date(date)
    case .objectID(let id): value = .objectID(id)
    case .uuid(let id): value = .uuid(id)
    default: return
    }
    guard view.hasBytes else { return }
    let keeper = ValueKeeper()
    best = keeper.view(of: value)
    self.keeper = keeper
  }
}

/// The mean of doubles without the errors of sums: what a large number swallows is kept (Shewchuk's partial sums).
private struct ExactMean {
  private struct Parts {
    private var parts: [Double] = []

    mutating func add(_ number: Double) {
      var (sum, kept) = (number, 0)
      for index in parts.indices {
        let (large, small) = abs(sum) < abs(parts[index]) ? (parts[index], sum) : (sum, parts[index])
        sum = large + small
        let rest = small - (sum - large)
        guard rest != 0 else { continue }
        parts[kept] = rest
        kept += 1
      }
      parts.removeSubrange(kept...)
      parts.append(sum)
    }

    /// From the largest part to the smallest.
    var sum: Double { parts.reversed().reduce(0, +) }

    /// The double nearest to the sum divided by a count; of two, the even one.
    func mean(of count: Double) -> Double {
      /// How far it lies above the middle between two doubles, times a positive number.
      func excess(_ numbers: Double...) -> Double {
        var rest = self
        for part in parts { rest.add(part) }
        for number in numbers {
          let product = number * count
          rest.add(-product)
          rest.add(-(-product).addingProduct(number, count))
        }
        return rest.sum
      }
      var mean = sum / count
      // The sum and the quotient are rounded.
      for _ in 0..<2 {
        let isOdd = mean.significandBitPattern & 1 == 1
        let (above, below) = (excess(mean, mean.nextUp), excess(mean.nextDown, mean))
        if above > 0 || isOdd && above == 0 {
          mean = mean.nextUp
        } else if below < 0 || isOdd && below == 0 {
          mean = mean.nextDown
        } else {
          break
        }
      }
      return mean
    }
  }

  private var parts = Parts()
  /// The same of numbers that are so small that their sum is none that a double cannot represent.
  private var scaled = Parts()
  private var infinities = 0.0
  private var count = 0

  private static let scale = 0x1p-64

  init() {}

  /// Of whole numbers, by their sum.
  init(_ sum: Signed128, over count: Int) {
    self.count = count
    // Of 32 bits with the sign, and twice 48 without one.
    parts.add(Double(Int64(bitPattern: sum.bits.high) >> 32) * 0x1p96)
    parts.add(Double((sum.bits >> 48).low & 0xffff_ffff_ffff) * 0x1p48)
    parts.add(Double(sum.bits.low & 0xffff_ffff_ffff))
  }

  mutating func add(_ number: Double) {
    count += 1
    guard number.isFinite else {
      infinities += number
      return
    }
    parts.add(number)
    if abs(number) > 0x1p900 { scaled.add(number * Self.scale) }
  }

  var mean: Double? {
    guard count > 0 else { return nil }
    guard infinities == 0 else { return infinities }
    let sum = parts.sum
    // Where it is too large, numbers that are not are beyond its digits.
    return sum.isFinite ? parts.mean(of: Double(count)) : scaled.mean(of: Double(count)) / Self.scale
  }
}
