import RealmStorage
import RealmText

/// The objects of one class by the keys under which the data knows them: primary keys, or, in a class without one, the
/// object keys that the data gives.
///
/// A link may name an object before it comes; then it has an entry without an object key. Some 40 bytes per object, and
/// the texts of keys that are texts.
struct IdentityDirectory {
  private struct Entry {
    var key: StagedCell
    /// Nil until the object comes.
    var object: ObjectKey?
  }

  private var entries: [Entry] = []
  private let texts = TextBuffer(capacity: 256)
  /// Numbers of entries by hash, 0 where free, else one more.
  private var slots = [UInt32](repeating: 0, count: 64)
  private var undefinedCount = 0

  /// The entry of a key; a new one where there is none.
  ///
  /// - Parameter values: where the text of the key lies.
  mutating func entry(of key: StagedCell, in values: StagedValues) -> Int {
    if entries.count * 2 >= slots.count { grow() }
    var slot = hash(key, values) & (slots.count - 1)
    while slots[slot] != 0 {
      let entry = Int(slots[slot]) - 1
      if isEqual(entries[entry].key, key, values) { return entry }
      slot = (slot + 1) & (slots.count - 1)
    }
    entries.append(Entry(key: kept(key, values), object: nil))
    undefinedCount += 1
    slots[slot] = UInt32(truncatingIfNeeded: entries.count)
    return entries.count - 1
  }

  /// The key of the object of an entry; nil if it has not come.
  @inline(__always)
  func object(_ entry: Int) -> ObjectKey? { entries[entry].object }

  /// - Returns: false, and nothing happens, if the entry has an object.
  mutating func define(_ entry: Int, as object: ObjectKey) -> Bool {
    guard entries[entry].object == nil else { return false }
    entries[entry].object = object
    undefinedCount -= 1
    return true
  }

  /// The keys of objects that never came, at most so many, as text, and their number.
  func undefinedKeys(limit: Int) -> (keys: [String], count: Int) {
    guard undefinedCount > 0 else { return ([], 0) }
    let keys = entries.lazy.filter { $0.object == nil }.prefix(limit).map { text(of: $0.key) }
    return (Array(keys), undefinedCount)
  }

  /// A key in words.
  func text(of key: StagedCell) -> String {
    let text = TextBuffer(capacity: 64)
    switch key.kind {
    case .int: text.append(integer: Int64(bitPattern: key.first))
    case .objectID: text.append(ObjectID(head: key.first, tail: key.small))
    case .uuid: text.append(RealmUUID(head: key.first, tail: key.second))
    case .string: texts.withBytes { text.append(bytes: UnsafeRawBufferPointer(rebasing: $0[range(of: key)])) }
    default: text.append("null")
    }
    return text.withBytes { String(decoding: $0, as: UTF8.self) }
  }

  /// The key of an entry in words.
  func text(ofEntry entry: Int) -> String { text(of: entries[entry].key) }

  // MARK: Table

  private func range(of key: StagedCell) -> Range<Int> { key.start..<key.start + key.count }

  private func kept(_ key: StagedCell, _ values: StagedValues) -> StagedCell {
    guard key.kind == .string, let bytes = values.blob(key).contiguous else { return key }
    var kept = key
    kept.first = UInt64(texts.count)
    texts.append(bytes: bytes)
    return kept
  }

  private func isEqual(_ stored: StagedCell, _ key: StagedCell, _ values: StagedValues) -> Bool {
    guard stored.kind == key.kind, stored.small == key.small, stored.second == key.second else { return false }
    guard key.kind == .string, let bytes = values.blob(key).contiguous else { return stored.first == key.first }
    return texts.withBytes { $0[range(of: stored)].elementsEqual(bytes) }
  }

  private func hash(_ key: StagedCell, _ values: StagedValues) -> Int {
    guard key.kind == .string, let bytes = values.blob(key).contiguous else { return hash(key) }
    return hash(bytes)
  }

  // Hashes differ from run to run, the numbers of entries do not.

  private func hash(_ key: StagedCell) -> Int {
    var hasher = Hasher()
    hasher.combine(key.first)
    hasher.combine(key.second)
    hasher.combine(key.small)
    return hasher.finalize()
  }

  private func hash(_ bytes: UnsafeRawBufferPointer) -> Int {
    var hasher = Hasher()
    hasher.combine(bytes: bytes)
    return hasher.finalize()
  }

  private mutating func grow() {
    slots = [UInt32](repeating: 0, count: slots.count * 2)
    for (number, entry) in entries.enumerated() {
      let code =
        entry.key.kind == .string
        ? texts.withBytes { hash(UnsafeRawBufferPointer(rebasing: $0[range(of: entry.key)])) } : hash(entry.key)
      var slot = code & (slots.count - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = UInt32(truncatingIfNeeded: number + 1)
    }
  }
}
