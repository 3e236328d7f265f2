import RealmStorage

/// The objects of a class by what identifies them, with a fingerprint of each one's content.
///
/// Memory: about fifty bytes per object, and the bytes of strings longer than eight.
struct ObjectEntries {
  struct Entry {
    /// The kind of a key, so that keys of one kind are next to each other; null comes first.
    enum Rank: UInt8 { case null, number, text, objectID, uuid }

    let rank: Rank
    /// The whole key if it is a number, otherwise its first eight bytes.
    let head: UInt64
    /// The rest of the key if it is an identifier; its number of bytes if it is a string.
    let tail: UInt64
    /// Where the bytes of a string longer than eight are.
    let start: Int
    let object: ObjectKey
    /// The fingerprint of the object's content.
    let hash: UInt64
  }

  private(set) var entries: [Entry] = []
  private var bytes: [UInt8] = []
  private var isSorted = true

  /// - Parameter count: the number of objects to make room for.
  init(count: Int) { entries.reserveCapacity(count) }

  /// Adds an object that is identified by its object key.
  mutating func add(_ object: ObjectKey, hash: UInt64) {
    add(.number, Self.ordered(object.rawValue), 0, object, hash)
  }

  /// Adds an object that is identified by its primary key.
  ///
  /// - Throws: `StorageError` if the key cannot be read.
  mutating func add(_ key: ValueView, _ object: ObjectKey, hash: UInt64) throws {
    switch key {
    case .int(let number): add(.number, Self.ordered(number), 0, object, hash)
    case .objectID(let id): add(.objectID, id.head, UInt64(id.tail), object, hash)
    case .uuid(let uuid): add(.uuid, uuid.head, uuid.tail, object, hash)
    case .string(let text): try add(text: text, object, hash)
    // No other type can be a primary key.
    default: add(.null, 0, 0, object, hash)
    }
  }

  private mutating func add(text: BlobView, _ object: ObjectKey, _ hash: UInt64) throws {
    let start = bytes.count
    var head: UInt64 = 0
    var count = 0
    try text.forEachPiece { piece in
      for byte in piece.prefix(max(8 - count, 0)) {
        head |= UInt64(byte) << UInt64(56 - 8 * count)
        count += 1
      }
      if text.count > 8 { bytes.append(contentsOf: piece) }
    }
    add(.text, head, UInt64(text.count), object, hash, start: start)
  }

  private mutating func add(
    _ rank: Entry.Rank, _ head: UInt64, _ tail: UInt64, _ object: ObjectKey, _ hash: UInt64, start: Int = 0
  ) {
    add(Entry(rank: rank, head: head, tail: tail, start: start, object: object, hash: hash))
  }

  private mutating func add(_ entry: Entry) {
    if isSorted, let last = entries.last, Self.compare(last, in: bytes, entry, in: bytes) > 0 { isSorted = false }
    entries.append(entry)
  }

  /// Smaller numbers first, negative ones included.
  private static func ordered(_ number: Int64) -> UInt64 { UInt64(bitPattern: number) ^ 1 << 63 }

  /// Sorts the objects by key, and objects with the same key by object key.
  mutating func sort() {
    guard !isSorted else { return }
    let bytes = bytes
    entries.sort { left, right in
      let order = Self.compare(left, in: bytes, right, in: bytes)
      return order != 0 ? order < 0 : left.object < right.object
    }
    isSorted = true
  }

  private static func compare(_ left: Entry, in leftBytes: [UInt8], _ right: Entry, in rightBytes: [UInt8]) -> Int {
    if left.rank != right.rank { return left.rank.rawValue < right.rank.rawValue ? -1 : 1 }
    if left.head != right.head { return left.head < right.head ? -1 : 1 }
    if left.rank == .text, left.tail > 8, right.tail > 8 {
      let leftText = leftBytes[left.start..<left.start + Int(left.tail)]
      let rightText = rightBytes[right.start..<right.start + Int(right.tail)]
      if leftText.elementsEqual(rightText) { return 0 }
      return leftText.lexicographicallyPrecedes(rightText) ? -1 : 1
    }
    return left.tail == right.tail ? 0 : left.tail < right.tail ? -1 : 1
  }

  /// What happened to the objects, sorted by key. Both sides must be sorted.
  static func changes(from old: ObjectEntries, to new: ObjectEntries) -> (changes: [ObjectChange], equal: Int) {
    var changes: [ObjectChange] = []
    var (left, right, equal) = (0, 0, 0)
    while left < old.entries.count || right < new.entries.count {
      let order =
        left == old.entries.count
        ? 1
        : right == new.entries.count
          ? -1 : compare(old.entries[left], in: old.bytes, new.entries[right], in: new.bytes)
      if order < 0 {
        changes.append(.removed(old.entries[left].object))
      } else if order > 0 {
        changes.append(.added(new.entries[right].object))
      } else if old.entries[left].hash != new.entries[right].hash {
        changes.append(.changed(old.entries[left].object, new.entries[right].object))
      } else {
        equal += 1
      }
      if order <= 0 { left += 1 }
      if order >= 0 { right += 1 }
    }
    return (changes, equal)
  }
}

/// What happened to an object. The keys are those of the side that has it.
package enum ObjectChange: Hashable, Sendable {
  case removed(ObjectKey)
  case added(ObjectKey)
  case changed(ObjectKey, ObjectKey)
}
