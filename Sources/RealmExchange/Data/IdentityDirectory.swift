import RealmStorage
import RealmText

/// The objects of one class by the keys that the data uses for them: primary keys or, in a class without one, the
/// object keys given in the data.
///
/// A link may name an object before that object is read; until then its entry has no object key. Takes about 25 bytes
/// per object, and more for keys that are not numbers.
struct IdentityDirectory {
  /// The keys by entry, part by part. Numbers have a first part only; the others are empty as long as all keys are numbers.
  private var kinds: [StagedCell.Kind] = []
  private var seconds: [UInt64] = []
  private var smalls: [UInt32] = []
  private var isNumeric = true
  private var entries: [Entry] = []

  /// Everything that a look-up needs, side by side, so that it touches only one line of the processor's cache.
  private struct Entry {
    /// The first part of the key.
    var first: UInt64
    /// `notYet` until the object is read.
    var object: Int64
  }

  /// No object has this key.
  private static let notYet = Int64.min
  private let texts = TextBuffer(capacity: 256)
  /// Numbers of entries by hash, 0 where free, else one more.
  private var slots = [UInt32](repeating: 0, count: 64)
  private var undefinedCount = 0

  /// The number of entries.
  var count: Int { entries.count }

  /// The entry of a key, created if needed.
  ///
  /// - Parameter values: contains the text of the key.
  mutating func entry(of key: StagedCell, in values: StagedValues) -> Int {
    if entries.count * 2 >= slots.count { grow() }
    var slot = hash(key, values) & (slots.count - 1)
    while slots[slot] != 0 {
      let entry = Int(slots[slot]) - 1
      if isEqual(entry, key, values) { return entry }
      slot = (slot + 1) & (slots.count - 1)
    }
    append(kept(key, values))
    undefinedCount += 1
    slots[slot] = UInt32(truncatingIfNeeded: entries.count)
    return entries.count - 1
  }

  private mutating func append(_ key: StagedCell) {
    if !isNumeric || key.second != 0 || key.small != 0 {
      if isNumeric {
        seconds = Array(repeating: 0, count: entries.count)
        smalls = Array(repeating: 0, count: entries.count)
        isNumeric = false
      }
      seconds.append(key.second)
      smalls.append(key.small)
    }
    kinds.append(key.kind)
    entries.append(Entry(first: key.first, object: Self.notYet))
  }

  private func key(_ entry: Int) -> StagedCell {
    StagedCell(
      kind: kinds[entry], small: isNumeric ? 0 : smalls[entry], first: entries[entry].first,
      second: isNumeric ? 0 : seconds[entry])
  }

  /// The object key of an entry; nil if the object has not been read.
  @inline(__always)
  func object(_ entry: Int) -> ObjectKey? {
    entries[entry].object == Self.notYet ? nil : ObjectKey(rawValue: entries[entry].object)
  }

  /// - Returns: false, and nothing happens, if the entry has an object.
  mutating func define(_ entry: Int, as object: ObjectKey) -> Bool {
    guard entries[entry].object == Self.notYet else { return false }
    entries[entry].object = object.rawValue
    undefinedCount -= 1
    return true
  }

  /// The keys, as text, of objects that were never read, up to a limit, and their total number.
  func undefinedKeys(limit: Int) -> (keys: [String], count: Int) {
    guard undefinedCount > 0 else { return ([], 0) }
    let keys = entries.indices.lazy.filter { entries[$0].object == Self.notYet }.prefix(limit).map { text(of: key($0)) }
    return (Array(keys), undefinedCount)
  }

  /// A key in words; a long one is cut.
  private func text(of key: StagedCell) -> String {
    guard key.kind == .string else { return Self.text(of: key, bytes: Self.noBytes) }
    return texts.withBytes { Self.text(of: key, bytes: $0[range(of: key)]) }
  }

  /// A key that was read, in words; a long one is cut.
  static func text(of key: StagedCell, in values: StagedValues) -> String {
    guard key.kind == .string, let bytes = values.blob(key).contiguous else { return text(of: key, bytes: noBytes) }
    return text(of: key, bytes: bytes[...])
  }

  private static var noBytes: Slice<UnsafeRawBufferPointer> { UnsafeRawBufferPointer(start: nil, count: 0)[...] }

  private static func text(of key: StagedCell, bytes: Slice<UnsafeRawBufferPointer>) -> String {
    let text = TextBuffer(capacity: 64)
    switch key.kind {
    case .int: text.append(integer: Int64(bitPattern: key.first))
    case .objectID: text.append(ObjectID(head: key.first, tail: key.small))
    case .uuid: text.append(RealmUUID(head: key.first, tail: key.second))
    case .string: text.append(bytes: UnsafeRawBufferPointer(rebasing: bytes))
    default: text.append("null")
    }
    return ShownText.beginning(of: text.withBytes { String(decoding: $0, as: UTF8.self) })
  }

  /// The keys of objects in words; objects without a key here are left out. Looks through all entries.
  func texts(of wanted: [ObjectKey]) -> [String] {
    var found: [Int64: String] = [:]
    for (number, entry) in entries.enumerated() where wanted.contains(where: { $0.rawValue == entry.object }) {
      found[entry.object] = text(ofEntry: number)
    }
    return wanted.compactMap { found[$0.rawValue] }
  }

  /// The key of an entry in words.
  func text(ofEntry entry: Int) -> String { text(of: key(entry)) }

  /// The key of an entry.
  func value(ofEntry entry: Int) -> Value {
    let key = key(entry)
    return switch key.kind {
    case .int: .int(Int64(bitPattern: key.first))
    case .bool: .bool(key.first != 0)
    case .date: .date(key.date)
    case .objectID: .objectID(ObjectID(head: key.first, tail: key.small))
    case .uuid: .uuid(RealmUUID(head: key.first, tail: key.second))
    case .string: .string(texts.withBytes { RealmString(UnsafeRawBufferPointer(rebasing: $0[range(of: key)])) })
    default: .null
    }
  }

  // MARK: Table

  private func range(of key: StagedCell) -> Range<Int> { key.start..<key.start + key.count }

  private func kept(_ key: StagedCell, _ values: StagedValues) -> StagedCell {
    guard key.kind == .string, let bytes = values.blob(key).contiguous else { return key }
    var kept = key
    kept.first = UInt64(texts.count)
    texts.append(bytes: bytes)
    return kept
  }

  private func isEqual(_ entry: Int, _ key: StagedCell, _ values: StagedValues) -> Bool {
    guard key.kind == .string || entries[entry].first == key.first else { return false }
    let stored = self.key(entry)
    guard stored.kind == key.kind, stored.small == key.small, stored.second == key.second else { return false }
    guard key.kind == .string, let bytes = values.blob(key).contiguous else { return true }
    return texts.withBytes { $0[range(of: stored)].elementsEqual(bytes) }
  }

  private func hash(_ key: StagedCell, _ values: StagedValues) -> Int {
    guard key.kind == .string, let bytes = values.blob(key).contiguous else { return hash(key) }
    return hash(bytes)
  }

  // Hashes differ from run to run, the numbers of entries do not.

  private static let seeds = (UInt64.random(in: 0 ... .max), UInt64.random(in: 0 ... .max) | 1)

  private func hash(_ key: StagedCell) -> Int {
    let parts = (key.first ^ Self.seeds.0).multipliedFullWidth(by: Self.seeds.1)
    let first = parts.high ^ parts.low
    guard key.second != 0 || key.small != 0 else { return Int(truncatingIfNeeded: first) }
    let rest = (key.second ^ UInt64(key.small) << 16 ^ first).multipliedFullWidth(by: Self.seeds.1)
    return Int(truncatingIfNeeded: rest.high ^ rest.low)
  }

  private func hash(_ bytes: UnsafeRawBufferPointer) -> Int {
    var hasher = Hasher()
    hasher.combine(bytes: bytes)
    return hasher.finalize()
  }

  private mutating func grow() {
    slots = [UInt32](repeating: 0, count: slots.count * 2)
    for number in entries.indices {
      let key = key(number)
      let code =
        key.kind == .string
        ? texts.withBytes { hash(UnsafeRawBufferPointer(rebasing: $0[range(of: key)])) } : hash(key)
      var slot = code & (slots.count - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = UInt32(truncatingIfNeeded: number + 1)
    }
  }
}
