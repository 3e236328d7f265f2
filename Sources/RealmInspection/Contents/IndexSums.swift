import RealmStorage

/// Compares a search index of single values with its column by sums of hashes.
///
/// An index lists objects in the order of their values. Looking up the value of each entry's object would jump about in
/// the file and mostly wait for memory. So the index is walked by itself, and then the values in the order of the file.
/// The hashes of object and chunks add up to the same number only if both agree; `IndexContent` finds the differences.
///
/// Takes a byte per object. Hashes begin with a number that no file can know in advance.
struct IndexSums: IndexEntries {
  private let store: ByteStore
  /// Those of the table, which would be copied with each use there.
  private let objects: ObjectDirectory
  private let values: ColumnValues
  private let isPrimaryKey: Bool
  private let seed = UInt64.random(in: .min ... .max)
  /// By the number of the object: how many chunks lead to its entry; `whole` for an object in a list, 0 for one that has
  /// no entry yet.
  private var depths: [UInt8]
  private var sum = HashSum()
  /// False as soon as an entry is not as it should be.
  private var isSound = true
  private var list = List()

  /// The list of objects being read.
  private struct List {
    var last: ObjectKey?
    /// Of the value that its objects have.
    var hash: UInt64 = 0
  }

  /// Objects of a list have the same value, however many chunks of it lead there.
  private static let whole = UInt8.max

  /// Types of which values are the same if their data in an index are.
  private static let types: Set<TypeCode> = [.int, .bool, .string, .timestamp, .objectID, .uuid]

  /// - Returns: nil for an index of another kind.
  init?(_ context: CheckContext, _ table: CheckedTable, _ column: CheckedColumn, _ kind: IndexKind) {
    guard kind == .general, column.collection == nil, Self.types.contains(column.type) else { return nil }
    (store, objects, isPrimaryKey) = (context.store, table.objects, column.isPrimaryKey)
    values = ColumnValues(context, table, column)
    depths = Array(repeating: 0, count: objects.count)
  }

  // MARK: Entries

  mutating func add(_ key: ObjectKey, _ path: [Int32], at ref: Ref) {
    guard let object = find(key), path.count < Int(Self.whole) else { return isSound = false }
    enter(object.ordinal, depth: UInt8(path.count), path.reduce(seed) { Self.mix($0, $1) })
  }

  mutating func startList(_ ref: Ref) { list = List() }

  mutating func addToList(_ key: ObjectKey, _ path: [Int32], at ref: Ref, _ position: Int) {
    guard let object = find(key) else { return isSound = false }
    if let last = list.last {
      guard last < key, !isPrimaryKey else { return isSound = false }
    } else {
      guard let data = values.value(object.entry, object.row).map({ IndexData($0) }),
        path.indices.allSatisfy({ data.chunk(at: $0 * IndexData.chunkSize) == path[$0] })
      else { return isSound = false }
      list.hash = hash(of: data)
    }
    list.last = key
    enter(object.ordinal, depth: Self.whole, list.hash)
  }

  private func find(_ key: ObjectKey) -> (entry: Int, row: Int, ordinal: Int)? {
    guard isSound, let (entry, row) = objects.find(key, in: store) else { return nil }
    return (entry, row, objects.entries[entry].firstOrdinal + row)
  }

  @inline(__always)
  private mutating func enter(_ ordinal: Int, depth: UInt8, _ hash: UInt64) {
    guard depths[ordinal] == 0 else { return isSound = false }
    depths[ordinal] = depth
    sum.add(hash: Self.mix(hash, UInt64(ordinal)))
  }

  // MARK: Values

  /// Whether the entries that came are those of all values.
  func isEqualToValues() -> Bool {
    guard isSound, sum.count == objects.count else { return false }
    var found = HashSum()
    var isReadable = true
    var row: [ValueView] = Array(repeating: .null, count: Cluster.mostObjects)
    for (number, entry) in objects.entries.enumerated() where isReadable {
      guard entry.count <= row.count, let leaf = values.uncachedLeaf(number), leaf.count >= entry.count else {
        return false
      }
      row.withUnsafeMutableBufferPointer { row in
        let row = UnsafeMutableBufferPointer(rebasing: row[..<entry.count])
        leaf.decode(into: row, in: store) { _, _ in isReadable = false }
        for (index, value) in row.enumerated() {
          let ordinal = entry.firstOrdinal + index
          found.add(hash: Self.mix(hash(of: IndexData(value), depth: depths[ordinal]), UInt64(ordinal)))
        }
      }
    }
    return isReadable && found == sum
  }

  // MARK: Hashes

  @inline(__always)
  private func hash(of data: IndexData, depth: UInt8) -> UInt64 {
    guard depth != Self.whole else { return hash(of: data) }
    var hash = seed
    for level in 0..<Int(depth) { hash = Self.mix(hash, data.chunk(at: level * IndexData.chunkSize)) }
    return hash
  }

  private func hash(of data: IndexData) -> UInt64 {
    switch data {
    case .null: return Self.mix(seed, UInt64.max)
    case .inline(let low, let high, let count): return Self.mix(Self.mix(Self.mix(seed, low), high), UInt64(count))
    case .bytes(let bytes):
      var hash = seed
      let wholeWords = bytes.count & ~7
      for offset in stride(from: 0, to: wholeWords, by: 8) {
        hash = Self.mix(hash, bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      }
      let rest = bytes[wholeWords...].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      return Self.mix(Self.mix(hash, rest), UInt64(bytes.count))
    }
  }

  @inline(__always)
  private static func mix(_ hash: UInt64, _ chunk: Int32) -> UInt64 { mix(hash, UInt64(UInt32(bitPattern: chunk))) }

  @inline(__always)
  private static func mix(_ hash: UInt64, _ word: UInt64) -> UInt64 {
    let (high, low) = (hash ^ word).multipliedFullWidth(by: 0x9e37_79b9_7f4a_7c15)
    return high ^ low &+ hash
  }
}
