import RealmStorage
import RealmText

/// The objects of one class by the keys that the data uses for them: primary keys or, in a class without one, the
/// object keys given in the data.
///
/// A link may name an object before that object is read; until then its entry has no object key. Takes about 25 bytes
/// per object, and more for keys that are not numbers. Numbers that follow each other, as those of most objects do, take
/// none if the directory `keepsRuns`: the entry of a whole number is then the number itself, below 0.
final class IdentityDirectory {
  /// Keys that follow each other, of objects whose keys follow each other.
  private struct Run {
    let first: Int
    let object: Int64
    var count = 1
  }

  /// Whether whole numbers are kept as runs. They are not counted then, and only asked for by their entries.
  let keepsRuns: Bool
  /// In ascending order. Objects whose keys come in another order are in the table.
  private var runs: [Run] = []
  /// A few, so that it makes no difference how many.
  private static let mostRuns = 1 << 12

  init(keepsRuns: Bool = false) { self.keepsRuns = keepsRuns }

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
  func entry(of key: StagedCell, in values: StagedValues) -> Int {
    if keepsRuns, key.kind == .int, key.small == 0, let number = Int(exactly: Int64(bitPattern: key.first)), number >= 0
    {
      return ~number
    }
    return tableEntry(of: key, in: values)
  }

  private func tableEntry(of key: StagedCell, in values: StagedValues) -> Int {
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

  private func append(_ key: StagedCell) {
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
    guard entry >= 0 else { return .int(Int64(~entry)) }
    return StagedCell(
      kind: kinds[entry], small: isNumeric ? 0 : smalls[entry], first: entries[entry].first,
      second: isNumeric ? 0 : seconds[entry])
  }

  /// The object key of an entry; nil if the object has not been read.
  @inline(__always)
  func object(_ entry: Int) -> ObjectKey? {
    guard entry >= 0 else { return object(ofNumber: ~entry) }
    return entries[entry].object == Self.notYet ? nil : ObjectKey(rawValue: entries[entry].object)
  }

  private func object(ofNumber number: Int) -> ObjectKey? {
    let behind = firstIndex(in: 0..<runs.count) { runs[$0].first > number }
    if behind > 0, case let run = runs[behind - 1], number - run.first < run.count {
      return ObjectKey(rawValue: run.object + Int64(number - run.first))
    }
    guard !entries.isEmpty else { return nil }
    let key = StagedCell.int(Int64(number))
    var slot = hash(key) & (slots.count - 1)
    while slots[slot] != 0 {
      let entry = Int(slots[slot]) - 1
      if entries[entry].first == key.first, isEqual(entry, key, Self.noValues) { return object(entry) }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  /// What keys that are numbers refer to: nothing.
  nonisolated(unsafe) private static let noValues = StagedValues()

  private func define(number: Int, as object: ObjectKey) -> Bool {
    guard self.object(ofNumber: number) == nil else { return false }
    let last = runs.last.map { (key: $0.first + ($0.count - 1), object: $0.object + Int64($0.count - 1)) }
    // Not the next numbers of the last ones: there are none after the greatest.
    if let last, number > last.key, number - last.key == 1, object.rawValue &- 1 == last.object {
      runs[runs.count - 1].count += 1
    } else if runs.count < Self.mostRuns, number > last?.key ?? -1 {
      runs.append(Run(first: number, object: object.rawValue))
    } else {
      return define(tableEntry(of: .int(Int64(number)), in: Self.noValues), as: object)
    }
    return true
  }

  /// - Returns: false, and nothing happens, if the entry has an object.
  func define(_ entry: Int, as object: ObjectKey) -> Bool {
    guard entry >= 0 else { return define(number: ~entry, as: object) }
    guard entries[entry].object == Self.notYet else { return false }
    entries[entry].object = object.rawValue
    undefinedCount -= 1
    return true
  }

  /// Whether a link names an object that was not read; unknown for numbers that are kept as runs.
  var hasUndefined: Bool { undefinedCount > 0 }

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
    for run in runs {
      for object in wanted where (run.object...run.object + Int64(run.count - 1)).contains(object.rawValue) {
        found[object.rawValue] = text(ofEntry: ~(run.first + Int(object.rawValue - run.object)))
      }
    }
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

  private func grow() {
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
