import RealmStorage

/// The clusters of one tree in order of their keys, without pointers into the file.
///
/// Made once by the check of the cluster tree; all later passes over a table go through it instead of the tree.
struct ObjectDirectory {
  struct Entry {
    let ref: Ref
    /// Added to the relative keys, modulo 2^64.
    let offset: UInt64
    /// The node of relative keys; null in compact form, where they are 0, 1, 2 ….
    let keys: Ref
    let count: Int
    /// The absolute key of the first object.
    let firstKey: UInt64
    /// Number of objects in the clusters before.
    fileprivate(set) var firstOrdinal = 0

    /// The key of object `row`; nil if it cannot be read.
    func key(at row: Int, in store: ByteStore) -> ObjectKey? {
      let keys = RowKeys(self, in: store)
      return row >= 0 && row < keys.count ? keys[row] : nil
    }

    /// The row of an object; nil if it is not here.
    func row(of key: ObjectKey, in store: ByteStore) -> Int? { RowKeys(self, in: store).row(of: key) }

    /// The root of a column's leaf; nil if there is none.
    func leafRef(_ leafIndex: Int, in store: ByteStore) -> Ref? {
      (try? Node(ref, in: store).childRef(leafIndex + 1)).flatMap { $0.isNull ? nil : $0 }
    }
  }

  private(set) var entries: [Entry] = []
  /// A cluster without objects: the only one of a table without objects, otherwise the last one. Its leaves must be
  /// empty as well.
  var emptyCluster: Entry?
  /// Objects in all clusters.
  private(set) var count = 0

  mutating func append(_ entry: Entry) {
    guard entry.count > 0 else { return }
    var entry = entry
    entry.firstOrdinal = count
    entries.append(entry)
    count += entry.count
  }

  /// Sorts clusters that damage put out of order, so that `find` works.
  mutating func sortIfNeeded() {
    let isSorted = zip(entries, entries.dropFirst()).allSatisfy { $0.firstKey < $1.firstKey }
    guard !isSorted else { return }
    let sorted = entries.sorted { $0.firstKey < $1.firstKey }
    (entries, count) = ([], 0)
    for entry in sorted { append(entry) }
  }

  /// Cluster and row of the object with `key`; nil if there is none.
  func find(_ key: ObjectKey, in store: ByteStore) -> (entry: Int, row: Int)? {
    let wanted = UInt64(bitPattern: key.rawValue)
    guard let entry = entry(holding: wanted) else { return nil }
    return entries[entry].row(of: key, in: store).map { (entry, $0) }
  }

  /// The last cluster that starts at or before `key`.
  private func entry(holding key: UInt64) -> Int? {
    // Keys are dense more often than not.
    let guess = Int(clamping: key >> 8)
    if guess < entries.count, entries[guess].firstKey <= key,
      guess + 1 >= entries.count || entries[guess + 1].firstKey > key
    {
      return guess
    }
    return last { $0.firstKey <= key }
  }

  /// Cluster and row of an object by its number in the order of keys.
  func locate(_ ordinal: Int) -> (entry: Int, row: Int)? {
    guard ordinal >= 0, ordinal < count, let entry = last(where: { $0.firstOrdinal <= ordinal }) else { return nil }
    return (entry, ordinal - entries[entry].firstOrdinal)
  }

  /// The last cluster of those that something is true of, which come before the others.
  @inline(__always)
  private func last(where isInFront: (Entry) -> Bool) -> Int? {
    let next = firstIndex(in: entries.indices) { !isInFront(entries[$0]) }
    return next == 0 ? nil : next - 1
  }
}

/// The keys of a cluster's objects, read once for several of them.
struct RowKeys {
  private let offset: UInt64
  private let keys: Node?
  let count: Int

  init(_ entry: ObjectDirectory.Entry, in store: ByteStore) {
    offset = entry.offset
    let node = entry.keys.isNull ? nil : try? Node(entry.keys, in: store)
    keys = node
    count = node.map { min($0.count, entry.count) } ?? (entry.keys.isNull ? entry.count : 0)
  }

  /// The key of an object, where `0 <= row < count`; null beyond.
  subscript(row: Int) -> ObjectKey {
    guard row >= 0, row < count else { return ObjectKey(rawValue: -1) }
    return ObjectKey(rawValue: Int64(bitPattern: offset &+ (keys?.uncheckedUnsigned(row) ?? UInt64(row))))
  }

  /// The row of an object; nil if it is not here.
  func row(of key: ObjectKey) -> Int? {
    let relative = UInt64(bitPattern: key.rawValue) &- offset
    guard let keys else { return relative < UInt64(count) ? Int(relative) : nil }
    let row = keys.firstIndex(notBelow: relative)
    return row < count && keys.uncheckedUnsigned(row) == relative ? row : nil
  }
}
