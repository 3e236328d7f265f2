import RealmPresentation
import RealmStorage
import RealmText

/// Sorts objects by the values of a property: null first, then by type, then by value; strings by their bytes, as the
/// file format orders them. Equal ones keep the order they were in.
///
/// Values are not kept: each object takes 32 bytes, whatever its strings are. Strings are compared eight bytes at a
/// time; if these are equal, the next eight are read.
struct SortedKeys {
  /// One object with as much of its value as decides.
  private struct Entry {
    /// Orders types, and null before everything.
    var rank: UInt8
    /// The value, or the next eight bytes of it, in a form in which numbers compare as the values do.
    var word: UInt64
    /// Whether more bytes follow.
    var hasMore: Bool
    let key: ObjectKey
    /// The position before sorting.
    let place: Int
  }

  /// The number of bytes of a text that are compared. Texts that are equal up to here count as equal.
  private static let mostBytes = 1024

  private var entries: [Entry] = []
  private let property: Int
  private let isDescending: Bool
  /// Values that could not be read; they come last.
  private(set) var damage = DamageTally()

  init(property: Int, isDescending: Bool) {
    self.property = property
    self.isDescending = isDescending
  }

  /// The object keys in order.
  ///
  /// - Throws: `TaskProgress.Stopped`, what opening the source throws.
  mutating func sort(_ walk: inout ShownRowWalk) throws -> [ObjectKey] {
    entries.reserveCapacity(walk.count)
    var found: [Entry] = []
    var damage = DamageTally()
    let property = property
    try walk.forEach { group in
      let values = try? group.batch.values(ofProperty: property)
      for row in group.rows {
        let place = group.position + row - group.rows.lowerBound
        var entry = Entry(rank: .max, word: 0, hasMore: false, key: group.key(at: row), place: place)
        do {
          guard let value = try values?.value(at: row) else { throw StorageError.corrupted(.null, .missingNode) }
          (entry.rank, entry.word, entry.hasMore) = try SortWord.of(value, from: 0, in: group.snapshot)
        } catch let error as StorageError {
          damage.add(group.batch.damage(property, row, error))
        }
        found.append(entry)
      }
    }
    (entries, self.damage) = (found, damage)
    try order(0..<entries.count, from: 0, walk)
    return entries.map(\.key)
  }

  private mutating func order(_ range: Range<Int>, from offset: Int, _ walk: ShownRowWalk) throws {
    let (progress, isDescending) = (walk.progress, isDescending)
    // Sorting n objects, which takes about n·log n comparisons, counts as much as reading them.
    let comparisonsPerObject = max(Int.bitWidth - range.count.leadingZeroBitCount, 1)
    let step = offset == 0 ? 0x1000 / comparisonsPerObject : 0
    var comparisons = 0
    try entries[range].sort { left, right in
      comparisons += 1
      if comparisons & 0xfff == 0 { try progress.advance(by: step) }
      if left.rank != right.rank || left.word != right.word {
        // Values that cannot be read stay at the end either way.
        if left.rank == .max || right.rank == .max { return left.rank != .max }
        let isBefore = left.rank != right.rank ? left.rank < right.rank : left.word < right.word
        return isBefore != isDescending
      }
      return left.place < right.place
    }
    guard offset + 8 < Self.mostBytes else { return }
    var start = range.lowerBound
    while start < range.upperBound {
      var end = start + 1
      while end < range.upperBound, isTied(start, end) { end += 1 }
      if end - start > 1, entries[start..<end].contains(where: \.hasMore) {
        try readNextWords(start..<end, from: offset + 8, walk)
        try order(start..<end, from: offset + 8, walk)
      }
      start = end
    }
  }

  private func isTied(_ left: Int, _ right: Int) -> Bool {
    entries[left].rank == entries[right].rank && entries[left].word == entries[right].word
  }

  private mutating func readNextWords(_ range: Range<Int>, from offset: Int, _ walk: ShownRowWalk) throws {
    guard let table = try walk.source.open(in: walk.realm)?.table else { return }
    for index in range {
      if index & 0xff == 0 { try walk.progress.check() }
      entries[index].word = 0
      guard entries[index].hasMore else { continue }
      entries[index].hasMore = false
      guard let (batch, row) = try? table.object(entries[index].key),
        let value = try? batch.values(ofProperty: property).value(at: row),
        let next = try? SortWord.of(value, from: offset, in: walk.realm.snapshot)
      else { continue }
      (entries[index].word, entries[index].hasMore) = (next.word, next.hasMore)
    }
  }
}

/// Values as numbers that compare as the values do.
enum SortWord {
  /// - Parameter offset: for strings and data, where to begin in the bytes.
  static func of(_ value: ValueView, from offset: Int, in snapshot: Snapshot) throws -> (
    rank: UInt8, word: UInt64, hasMore: Bool
  ) {
    switch value {
    case .null: return (0, 0, false)
    case .bool(let value): return (1, value ? 1 : 0, false)
    case .int(let value):
      return (2, UInt64(bitPattern: value) ^ 1 << 63, false)
    case .float(let value): return (3, word(Double(value)), false)
    case .double(let value): return (3, word(value), false)
    case .decimal(let value): return (4, word(value), false)
    case .string(let text): return try bytes(5, text, offset)
    case .data(let data): return try bytes(6, data, offset)
    case .date(let value):
      // Within a second, the nanoseconds decide: they are the next word.
      if offset == 0 { return (7, UInt64(bitPattern: value.seconds) ^ 1 << 63, true) }
      return (7, UInt64(bitPattern: Int64(value.nanoseconds)) ^ 1 << 63, false)
    case .objectID(let id): return offset == 0 ? (8, id.head, true) : (8, UInt64(id.tail), false)
    case .uuid(let id): return offset == 0 ? (9, id.head, true) : (9, id.tail, false)
    case .link(_, let key): return (10, UInt64(bitPattern: key.rawValue) ^ 1 << 63, false)
    case .typedLink(let table, let key):
      return offset == 0
        ? (11, UInt64(table.rawValue), true) : (11, UInt64(bitPattern: key.rawValue) ^ 1 << 63, false)
    case .list(let list), .set(let list): return (12, UInt64(clamping: try list.count(in: snapshot)), false)
    case .dictionary(let dictionary): return (12, UInt64(clamping: try dictionary.count(in: snapshot)), false)
    }
  }

  /// NaN before all numbers.
  private static func word(_ value: Double) -> UInt64 {
    guard !value.isNaN else { return 0 }
    // -0 and 0 are equal.
    let bits = (value == 0 ? 0 : value).bitPattern
    return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
  }

  /// The nearest double, exact for about 15 of the 34 digits, which is enough here.
  private static func word(_ value: Decimal128) -> UInt64 {
    switch value.classified {
    case .nan: return 0
    case .infinity(let isNegative): return word(isNegative ? -Double.infinity : .infinity)
    case .finite(let isNegative, let coefficient, let exponent):
      guard coefficient > 0 else { return word(0) }
      let buffer = TextBuffer(capacity: 64)
      buffer.appendCanonical(value)
      let magnitude = Double(buffer.text) ?? 0
      // Beyond the range of doubles the exponent decides.
      if magnitude.isFinite, magnitude != 0 { return word(magnitude) }
      let isLarge = exponent > 0
      let edge = isLarge ? Double.greatestFiniteMagnitude : Double.leastNonzeroMagnitude
      return word(isNegative ? -edge : edge)
    }
  }

  private static func bytes(_ rank: UInt8, _ value: BlobView, _ offset: Int) throws -> (UInt8, UInt64, Bool) {
    var word: UInt64 = 0
    try value.withPrefix(offset + 8) { bytes in
      let part = bytes.dropFirst(offset)
      for byte in part { word = word << 8 | UInt64(byte) }
      word <<= UInt64(8 * (8 - part.count)) & 63
      if part.isEmpty { word = 0 }
    }
    return (rank, word, value.count > offset + 8)
  }
}
