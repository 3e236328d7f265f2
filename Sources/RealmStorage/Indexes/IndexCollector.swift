/// Collects the values of an indexed property, with their objects.
///
/// A search index is in the order of its values, so it cannot be written before the last object is known. Until then
/// each value's index data is kept in an `IndexLog`; what does not fit into memory is in sorted runs in a file.
final class IndexCollector: SpillMember {
  /// What is indexed.
  enum Content {
    /// Single values (Docs/Format/3-tables-and-objects.md §6.5).
    case values
    /// Single values of any type, where equal index data does not mean equal values.
    case mixedValues
    /// The elements of lists of texts (§6.7).
    case elements
    /// The words of texts (§6.7).
    case words
  }

  let content: Content
  private(set) var log = IndexLog()
  /// For `mixedValues`: the places of the entries, and their values.
  private var places: [IndexLog.Place] = []
  private var values: [ValueView] = []
  /// The values of the current object, if it can have several.
  private var terms: Set<IndexTerm> = []

  private let spilled: Spill?
  private let textOrder: TextSorting
  private var runs: [Range<UInt64>] = []
  private(set) var spillableByteCount = 0

  /// - Parameters:
  ///   - textOrder: of texts that the index does not distinguish.
  ///   - spill: the memory that may be used; nil if there is no limit.
  init(_ content: Content, _ textOrder: TextSorting = TargetFormat.newest.textOrder, _ spill: Spill? = nil) {
    // Values of any type are compared as such, and stay in memory.
    (self.content, self.textOrder, spilled) = (content, textOrder, content == .mixedValues ? nil : spill)
    spilled?.register(self)
  }

  deinit { spilled?.shrink(spillableByteCount) }

  /// Adds the value of an object, or an element of its list.
  func append(_ value: ValueView, of key: ObjectKey) throws {
    switch content {
    case .values: try record(IndexData(value), of: key)
    case .mixedValues: try appendMixed(value, of: key)
    case .elements:
      switch value {
      case .string(let text):
        guard text.count <= BuildError.longestIndexedText else {
          throw BuildError.indexedTextTooLong(byteCount: text.count)
        }
        terms.insert(IndexTerm(bytes: try text.copied()))
      case .null: terms.insert(IndexTerm(bytes: nil))
      default: throw BuildError.wrongType
      }
    case .words:
      guard case .string(let text) = value else { return }
      for word in TextWords.words(in: ValueOrder.bytes(of: text)) { terms.insert(IndexTerm(bytes: word)) }
    }
  }

  /// Ends the value or list of an object: repeated values count once.
  ///
  /// - Throws: as `append`.
  func finishObject(_ key: ObjectKey) throws {
    guard !terms.isEmpty else { return }
    // In an order of their own, so that the same terms always give the same bytes.
    for term in terms.sorted() {
      guard let bytes = term.bytes else {
        try record(.null, of: key)
        continue
      }
      try bytes.withUnsafeBytes { try record(.bytes($0), of: key) }
    }
    terms.removeAll(keepingCapacity: true)
  }

  private func record(_ data: IndexData, of key: ObjectKey) throws {
    try log.append(data, of: key)
    guard let spilled else { return }
    // A place of each is sorted.
    let added = log.byteCount + log.count * MemoryLayout<UInt64>.size - spillableByteCount
    guard added >= Self.step else { return }
    spillableByteCount += added
    try spilled.grow(added)
  }

  /// Bytes after which memory is taken for them.
  private static let step = 1 << 12

  private func appendMixed(_ value: ValueView, of key: ObjectKey) throws {
    // A link to a tombstone counts as null.
    var value = value
    if case .typedLink(_, let target) = value, target.isUnresolved { value = .null }
    add(value, at: try log.append(IndexData(value), of: key))
  }

  private func add(_ value: ValueView, at place: IndexLog.Place) {
    places.append(place)
    guard case .bytes(let bytes) = log.data(at: place) else { return values.append(value) }
    // The copy outlives what the value was borrowed from. All lists are equal, and all dictionaries.
    switch value {
    case .string: values.append(.string(BlobView(bytes)))
    case .data: values.append(.data(BlobView(bytes)))
    default: values.append(value)
    }
  }

  /// The collected data is written.
  func removeAll() {
    spilled?.shrink(spillableByteCount)
    (log, places, values, runs, spillableByteCount) = (IndexLog(), [], [], [], 0)
  }

  /// The value of an entry, for `mixedValues`.
  private func value(at place: IndexLog.Place) -> ValueView {
    let index = firstIndex(in: 0..<places.count) { places[$0] >= place }
    return index < values.count ? values[index] : .null
  }

  /// Puts the entries in the order of the objects' keys.
  ///
  /// - Throws: as `append`.
  private func sortByKey() throws {
    guard !log.isAscending else { return }
    let (old, oldPlaces, oldValues) = (log, places, values)
    (log, places, values) = (IndexLog(), [], [])
    var order: [(key: ObjectKey, place: IndexLog.Place, index: Int)] = []
    old.forEachPlace { order.append((old.key(at: $0), $0, order.count)) }
    order.sort { $0.key != $1.key ? $0.key < $1.key : $0.place < $1.place }
    try withExtendedLifetime(old) {
      for entry in order {
        let place = try log.append(old.data(at: entry.place), of: entry.key)
        if !oldPlaces.isEmpty { add(oldValues[entry.index], at: place) }
      }
    }
  }

  // MARK: In the order of the index

  /// Moves what is in memory to the file, sorted.
  func spill() throws {
    guard let spilled, log.count > 0 else { return }
    let writer = SpillWriter(spilled)
    let entries = try takeEntries()
    while try entries.advance() { try entries.write(to: writer) }
    runs.append(try writer.finish())
    let kept = runs
    removeAll()
    runs = kept
  }

  private func takeEntries() throws -> SortedIndexEntries {
    try sortByKey()
    return SortedIndexEntries(log, sortedPlaces())
  }

  /// All entries, by their data as the index is ordered, those of a list of objects in the order of the list.
  ///
  /// - Throws: as `append`.
  func sortedEntries() throws -> SortedIndexEntries {
    guard let spilled, !runs.isEmpty else { return try takeEntries() }
    try spill()
    let size = spilled.bufferSize(forReaders: runs.count)
    return SortedIndexEntries(
      log, [],
      try MergedRuns(runs.map { IndexRun(SpillReader(spilled, $0, bufferSize: size), content, textOrder) }))
  }

  /// The places of the entries in the low half of numbers.
  private func sortedPlaces() -> [UInt64] {
    var order: [UInt64] = []
    order.reserveCapacity(log.count)
    log.forEachPlace { order.append(sortable($0, at: 0)) }
    order.withUnsafeMutableBufferPointer { sort($0, at: 0) }
    return order
  }

  /// The chunk above, the place below: sorting these sorts by chunk and keeps the order of equal ones.
  @inline(__always)
  private func sortable(_ place: IndexLog.Place, at offset: Int) -> UInt64 {
    UInt64(UInt32(bitPattern: log.data(at: place).chunk(at: offset)) ^ 0x8000_0000) << 32 | UInt64(place)
  }

  private func data(_ member: UInt64) -> IndexData { log.data(at: IndexLog.Place(truncatingIfNeeded: member)) }

  /// Sorts entries that agree before an offset, and have the chunks there.
  private func sort(_ order: UnsafeMutableBufferPointer<UInt64>, at offset: Int) {
    var order = order
    order.sort()
    var first = 0
    while first < order.count {
      var end = first + 1
      while end < order.count, order[end] >> 32 == order[first] >> 32 { end += 1 }
      let group = UnsafeMutableBufferPointer(rebasing: order[first..<end])
      first = end
      guard group.count > 1 else { continue }
      let data = data(group[0])
      if group.allSatisfy({ data == self.data($0) }) {
        if content == .mixedValues { sortByValue(group) }
      } else if content.distinguishes(at: offset + IndexData.chunkSize) {
        for index in group.indices {
          group[index] = sortable(IndexLog.Place(truncatingIfNeeded: group[index]), at: offset + IndexData.chunkSize)
        }
        sort(group, at: offset + IndexData.chunkSize)
      } else {
        sortByValue(group)
      }
    }
  }

  /// By value, objects with equal values by their keys, in whose order their places are.
  private func sortByValue(_ group: UnsafeMutableBufferPointer<UInt64>) {
    var group = group
    group.sort { left, right in
      let (left, right) = (IndexLog.Place(truncatingIfNeeded: left), IndexLog.Place(truncatingIfNeeded: right))
      let order =
        content == .mixedValues
        ? ValueOrder.compare(value(at: left), value(at: right), ofIndexIn: textOrder)
        : log.data(at: left).compare(log.data(at: right), textOrder)
      return order != 0 ? order < 0 : left < right
    }
  }
}

extension IndexCollector.Content {
  /// Whether the index is of the words or elements of objects, which end at their last chunk (§6.7).
  var isOfWords: Bool { self == .words || self == .elements }

  /// Whether entries are in different places if they differ from an offset on.
  func distinguishes(at offset: Int) -> Bool { isOfWords || offset <= IndexData.lastOffset }
}

/// The entries of an index in its order.
final class SortedIndexEntries {
  private let log: IndexLog
  /// Those in memory, in the low half of numbers.
  private let places: [UInt64]
  /// Nil if all are in memory.
  private let runs: MergedRuns<IndexRun>?
  private var count = 0
  /// The data of the entry; valid until the next one.
  private(set) var data = IndexData.null
  private(set) var key = ObjectKey(rawValue: 0)

  fileprivate init(_ log: IndexLog, _ places: [UInt64], _ runs: MergedRuns<IndexRun>? = nil) {
    (self.log, self.places, self.runs) = (log, places, runs)
  }

  /// - Returns: false at the end.
  func advance() throws -> Bool {
    defer { count += 1 }
    guard let runs else {
      guard count < places.count else { return false }
      (key, data) = log.entry(at: IndexLog.Place(truncatingIfNeeded: places[count]))
      return true
    }
    if count > 0 { try runs.advance() }
    guard let first = runs.first else { return false }
    (data, key) = (first.data, first.key)
    return true
  }

  fileprivate func write(to writer: SpillWriter) throws {
    try writer.append(UInt64(bitPattern: key.rawValue))
    switch data {
    case .null: try writer.append(0)
    case .bytes(let bytes):
      try writer.append(UInt64(bytes.count) + 1)
      try writer.append(bytes)
    case .inline(let low, let high, let count):
      try writer.append(UInt64(count) + 1)
      try withUnsafeBytes(of: (low.littleEndian, high.littleEndian)) {
        try writer.append(UnsafeRawBufferPointer(rebasing: $0[..<count]))
      }
    }
  }
}

/// A sorted run in the file.
private final class IndexRun: SortedRun {
  private let reader: SpillReader
  private let content: IndexCollector.Content
  private let textOrder: TextSorting
  private(set) var key = ObjectKey(rawValue: 0)
  private(set) var data = IndexData.null
  /// The first chunk, which nearly always decides.
  private var chunk: Int32 = 0

  init(_ reader: SpillReader, _ content: IndexCollector.Content, _ textOrder: TextSorting) {
    (self.reader, self.content, self.textOrder) = (reader, content, textOrder)
  }

  func precedes(_ other: IndexRun) -> Bool {
    guard chunk == other.chunk else { return chunk < other.chunk }
    if data == other.data { return key < other.key }
    var offset = IndexData.chunkSize
    while content.distinguishes(at: offset) {
      let (left, right) = (data.chunk(at: offset), other.data.chunk(at: offset))
      guard left == right else { return left < right }
      offset += IndexData.chunkSize
    }
    let order = data.compare(other.data, textOrder)
    return order != 0 ? order < 0 : key < other.key
  }

  func advance() throws -> Bool {
    guard let number = try reader.next(), let count = try reader.next() else { return false }
    key = ObjectKey(rawValue: Int64(bitPattern: number))
    data = count == 0 ? .null : .bytes(try reader.next(Int(count - 1)))
    chunk = data.chunk(at: 0)
    return true
  }
}

extension IndexData {
  /// The order of texts, null first. Values that share a list without being equal are texts, except in Mixed columns.
  fileprivate func compare(_ other: IndexData, _ order: TextSorting) -> Int {
    switch (self, other) {
    case (.null, .null): 0
    case (.null, _): -1
    case (_, .null): 1
    case (.bytes(let left), .bytes(let right)):
      ValueOrder.compare(.string(BlobView(left)), .string(BlobView(right)), ofIndexIn: order)
    default: 0
    }
  }
}
