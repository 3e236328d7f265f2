import RealmStorage

/// Compares an index with the values of its objects, entry by entry, so that each difference is found.
///
/// In an index of values, the value of each entry's object must have the chunks on the path to the entry, and a bit per
/// object shows that each occurs once. An index of words is compared with the words of the values as a multiset, by a
/// sum of hashes.
struct IndexContent: IndexEntries {
  private let context: CheckContext
  private let table: CheckedTable
  /// Those of the table, which would be copied with each use there.
  private let objects: ObjectDirectory
  private let column: CheckedColumn
  private let place: Finding.Place
  private let values: ColumnValues
  private var seen: [UInt64]
  /// Objects with an entry that an engine left behind; created for the first one.
  private var stale: [UInt64] = []
  /// In an index of words.
  private(set) var words: WordAccount?
  private var list = List()

  /// The list of objects being read.
  private struct List {
    var ref = Ref.null
    /// The first object with a value, and the one before. Their values are kept: objects of a list lie far apart.
    var first: ValueView?
    var last: (key: ObjectKey, value: ValueView?)?
    var isMixed = false
    /// Of a word whose objects are not in the order of their keys.
    var isUnordered = false
  }

  /// - Parameter isCollecting: whether to keep entries of words instead of only adding them up.
  init(_ context: CheckContext, _ table: CheckedTable, _ column: CheckedColumn, _ kind: IndexKind, isCollecting: Bool) {
    (self.context, self.table, self.column, place) = (context, table, column, table.indexPlace(column))
    objects = table.objects
    values = ColumnValues(context, table, column)
    seen = Array(repeating: 0, count: (objects.count + 63) / 64)
    if kind == .fullText || column.collection == .list { words = WordAccount(isCollecting: isCollecting) }
  }

  private func report(
    _ kind: FindingKind, _ key: ObjectKey? = nil, at ref: Ref? = nil, _ facts: Finding.Facts = .none,
    position: Int? = nil
  ) {
    var place = place
    place.object = key
    place.position = position
    if let ref { place.ref = ref }
    let cause = kind.severity == .error ? context.log.damages.index(table.name, column.name) : nil
    context.log.add(kind, facts, after: cause, inNode: column.index, at: place)
  }

  // MARK: Entries

  mutating func add(_ key: ObjectKey, _ path: [Int32], at ref: Ref) {
    if words != nil { return addWord(key, path) }
    _ = addValue(key, path, at: ref)
  }

  /// What is known about an entry's object.
  private struct Entry {
    /// Nil if it cannot be read.
    let value: ValueView?
  }

  /// - Returns: nil if no such object exists, or its value has changed.
  private mutating func addValue(_ key: ObjectKey, _ path: [Int32], at ref: Ref) -> Entry? {
    guard let found = objects.find(key, in: context.store) else {
      // Objects whose entry was left behind are also deleted without it.
      report(column.type == .mixed && isPathOfLink(path) ? .indexStaleLink : .indexUnknownObject, key, at: ref)
      return nil
    }
    let ordinal = objects.entries[found.entry].firstOrdinal + found.row
    let value = values.value(found.entry, found.row)
    var wrong: (data: IndexData, level: Int)?
    if let data = value.map({ IndexData($0) }),
      let level = path.indices.first(where: { data.chunk(at: $0 * IndexData.chunkSize) != path[$0] })
    {
      wrong = (data, level)
    }
    if wrong != nil, column.type == .mixed, isPathOfLink(path) {
      noteStale(ordinal)
      report(.indexStaleLink, key, at: ref)
      return nil
    }
    let bit: UInt64 = 1 << UInt64(ordinal & 63)
    if seen[ordinal >> 6] & bit != 0 { report(.indexRepeated, key, at: ref) }
    seen[ordinal >> 6] |= bit
    if let (data, level) = wrong {
      report(.indexEntry, key, at: ref, .counts(data.chunk(at: level * IndexData.chunkSize), found: path[level]))
    }
    return Entry(value: value)
  }

  private mutating func noteStale(_ ordinal: Int) {
    if stale.isEmpty { stale = Array(repeating: 0, count: seen.count) }
    stale[ordinal >> 6] |= 1 << UInt64(ordinal & 63)
  }

  /// Whether it is a link that leads to an entry: when an engine deletes the target of a link in a Mixed property, it
  /// sets the property to null and leaves the entry where it is (Docs/Format/3-tables-and-objects.md §11).
  private func isPathOfLink(_ path: [Int32]) -> Bool {
    guard let first = path.first else { return false }
    let table = TableKey(rawValue: UInt32(bitPattern: first).byteSwapped)
    let halves = path.dropFirst().prefix(2).map { UInt64(UInt32(bitPattern: $0).byteSwapped) }
    let bits = halves.enumerated().reduce(0) { $0 | $1.element << UInt64(32 * $1.offset) }
    let link = IndexData(.typedLink(table, ObjectKey(rawValue: Int64(bitPattern: bits))))
    return context.isOrWasTable(table)
      && path.enumerated().allSatisfy { link.chunk(at: $0.offset * IndexData.chunkSize) == $0.element }
  }

  // MARK: Lists

  mutating func startList(_ ref: Ref) { list = List(ref: ref) }

  mutating func addToList(_ key: ObjectKey, _ path: [Int32], at ref: Ref, _ position: Int) {
    if words != nil { return addWordToList(key, path, at: ref, position) }
    guard let entry = addValue(key, path, at: ref) else { return }
    defer { list.last = (key, entry.value) }
    guard let last = list.last else {
      list.first = entry.value
      return
    }
    guard let value = entry.value else { return }
    checkSame(list.first, value, path)
    if let lastValue = last.value { checkOrder((last.key, lastValue), (key, value), at: ref, position) }
  }

  /// Objects share a list if their data are the same, or too long to be distinguished (§6.5).
  private mutating func checkSame(_ first: ValueView?, _ value: ValueView, _ path: [Int32]) {
    guard path.count * IndexData.chunkSize <= IndexData.lastOffset, !list.isMixed, let first,
      !(IndexData(first) == IndexData(value))
    else { return }
    list.isMixed = true
    report(.indexMixedList, at: list.ref)
  }

  /// By value, equal values by object key.
  private func checkOrder(
    _ last: (key: ObjectKey, value: ValueView), _ next: (key: ObjectKey, value: ValueView), at ref: Ref, _ position: Int
  ) {
    let order = ValueOrder.compare(last.value, next.value)
    if order == 0 {
      if column.isPrimaryKey { report(.primaryKeyDuplicate, next.key, at: ref) }
      if last.key > next.key { report(.indexListOrder, next.key, at: ref, position: position) }
    } else if order > 0 {
      // Formats before 24 order texts differently, and an upgrade leaves indexes alone
      // (Docs/Format/4-file-versions.md §3.9). Engines do not rely on it.
      let isOld = last.value.isTextOrData && next.value.isTextOrData
      report(isOld ? .indexOldOrder : .indexListOrder, next.key, at: ref, position: position)
    }
  }

  // MARK: Words

  private mutating func addWord(_ key: ObjectKey, _ path: [Int32]) {
    guard objects.find(key, in: context.store) != nil else { return report(.indexUnknownObject, key) }
    words?.add(key, WordPath.hash(of: path))
  }

  private mutating func addWordToList(_ key: ObjectKey, _ path: [Int32], at ref: Ref, _ position: Int) {
    if let last = list.last {
      // A list of texts that repeats one may have its object twice (§6.8).
      guard last.key != key else {
        return report(column.collection == nil ? .indexRepeated : .indexRepeatedWord, key, at: ref)
      }
      if last.key > key { reportWordOrder(key, at: ref, position) }
    }
    list.last = (key, nil)
    addWord(key, path)
  }

  /// The sum of all words shows whether an object occurs twice. Only format 24 has indexes on lists of texts, and its
  /// engines keep the order.
  private mutating func reportWordOrder(_ key: ObjectKey, at ref: Ref, _ position: Int) {
    guard column.collection == nil else { return report(.indexListOrder, key, at: ref, position: position) }
    guard !list.isUnordered else { return }
    list.isUnordered = true
    report(.indexUnorderedWords, key, at: ref, position: position)
  }

  // MARK: End

  /// Objects that the index does not have.
  ///
  /// - Returns: false if the words of the index differ from those of the values; a second walk finds out where.
  mutating func finish() -> Bool {
    guard var words else {
      reportMissing()
      return true
    }
    guard !words.isCollecting else { return true }
    guard values.forEachWord({ words.addValue($0, WordPath.hash(of: $1)) }) else { return true }
    return words.entries == words.values
  }

  private func reportMissing() {
    for (word, bits) in seen.enumerated() where bits != .max {
      for bit in 0..<64 where bits >> UInt64(bit) & 1 == 0 {
        guard let (entry, row) = objects.locate(word * 64 + bit), context.spend(1, at: column.index) else {
          return
        }
        let isStale = !stale.isEmpty && stale[word] >> UInt64(bit) & 1 != 0
        let isNull = if case .null = values.value(entry, row) { true } else { false }
        // Its entry under the link was reported.
        if isStale, isNull { continue }
        report(
          isNull && canLoseNulls ? .indexStaleLink : .indexMissing,
          objects.entries[entry].key(at: row, in: context.store))
      }
    }
  }

  /// When an object whose entry was left under a link changes or is deleted, engines look for it under null, and take
  /// out what they find there: the entry of another object (§11).
  private var canLoseNulls: Bool {
    column.type == .mixed && context.linkColumns.contains(.init(table: table.key, column: column.key))
  }
}

extension IndexEntries {
  /// An index distinguishes values up to a certain length; words are stored as a whole, including their end (§6.5,
  /// §6.7).
  func mayGoOn(after path: [Int32]) -> Bool { path.count * IndexData.chunkSize <= IndexData.lastOffset + 8 }
}

extension ValueView {
  fileprivate var isTextOrData: Bool {
    switch self {
    case .string, .data: true
    default: false
    }
  }
}
