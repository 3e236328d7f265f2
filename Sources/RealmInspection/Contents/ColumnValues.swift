import RealmStorage

/// The values of one column, found by cluster and row or by the number of the object.
///
/// A leaf is looked up when it is first needed and then kept, because an index asks in an order of its own.
final class ColumnValues {
  private let context: CheckContext
  private let store: ByteStore
  private let objects: ObjectDirectory
  private let column: CheckedColumn
  private let enumeration: StringEnumeration?
  /// By cluster.
  private var leaves: [LookedUp]

  private enum LookedUp {
    case notYet
    case unreadable
    case leaf(SharedLeaf)
  }

  /// A class: a value read through a reference is not copied with its whole leaf.
  private final class SharedLeaf {
    let leaf: Leaf

    init(_ leaf: Leaf) { self.leaf = leaf }
  }

  init(_ context: CheckContext, _ table: CheckedTable, _ column: CheckedColumn) {
    (self.context, store, objects, self.column) = (context, context.store, table.objects, column)
    enumeration = column.enumeration.isNull ? nil : try? StringEnumeration(column.enumeration, in: context.store)
    leaves = Array(repeating: .notYet, count: objects.entries.count)
  }

  /// The value of the object in a row of a cluster; nil if it cannot be read.
  func value(_ entry: Int, _ row: Int) -> ValueView? {
    if case .notYet = leaves[entry] {
      leaves[entry] = (try? leaf(entry)).map { .leaf(SharedLeaf($0)) } ?? .unreadable
    }
    guard case .leaf(let shared) = leaves[entry], row < shared.leaf.count else { return nil }
    return try? shared.leaf.value(at: row, in: store)
  }

  /// The value of an object by its number.
  func value(_ ordinal: Int, in objects: ObjectDirectory) -> ValueView? {
    objects.locate(ordinal).flatMap { value($0.entry, $0.row) }
  }

  /// The leaf of a cluster, for all its values at once; nil if it cannot be read.
  func uncachedLeaf(_ entry: Int) -> Leaf? { try? leaf(entry) }

  private func leaf(_ entry: Int) throws -> Leaf {
    let ref = objects.entries[entry].leafRef(column.leafIndex, in: store) ?? .null
    guard let collection = column.collection else {
      return try Leaf(ref, of: column.element, enumeration: enumeration, inCollection: false, in: store)
    }
    return try Leaf(ref, of: collection, column.element, in: store)
  }

  // MARK: Words

  /// Calls `visit` with each object and each distinct word of its text, or each distinct element of its list of texts;
  /// the chunks of a null element are those of null.
  ///
  /// - Returns: false if the texts are longer in total than those of a sound file can be.
  func forEachWord(_ visit: (ObjectKey, [Int32]) -> Void) -> Bool {
    for (number, entry) in objects.entries.enumerated() {
      let keys = RowKeys(entry, in: store)
      for row in 0..<entry.count {
        switch value(number, row) {
        case .string(let text):
          guard context.spend(bytes: text.count, at: entry.ref) else { return false }
          for word in TextWords.words(in: ValueOrder.bytes(of: text)) { visit(keys[row], WordPath.chunks(of: word)) }
        case .list(let list):
          guard context.visit(list.root) else { return false }
          for path in elements(of: list) { visit(keys[row], path) }
        default: continue
        }
      }
    }
    return true
  }

  /// The chunks of each distinct element. Different ones can have the same: `abc` and `abcX`.
  private func elements(of list: ListView) -> [[Int32]] {
    var words: Set<[UInt8]?> = []
    let tree = BPlusTree(root: list.root, element: list.element)
    let budget = WalkBudget.bytes(of: store)
    try? tree.forEachLeaf(in: store, budget: budget, damaged: { _ in }) { leaf in
      for index in 0..<leaf.count {
        switch try? leaf.value(at: index, in: store) {
        case .string(let text) where context.spend(bytes: text.count, at: list.root):
          words.insert(Array(ValueOrder.bytes(of: text)))
        case .null: words.insert(nil)
        default: continue
        }
      }
    }
    return words.map { $0.map(WordPath.chunks) ?? [0] }
  }
}

/// The chunks of a word in an index of words (Docs/Format/3-tables-and-objects.md §6.7).
///
/// A word ends with its last chunk unless something longer shares that; then the end is marked by further chunks.
enum WordPath {
  private static let end: Int32 = 0x5800_0000

  static func chunks(of word: [UInt8]) -> [Int32] {
    word.withUnsafeBytes { bytes in
      stride(from: 0, to: max(bytes.count, 1), by: IndexData.chunkSize).map { IndexData.chunk(of: bytes, at: $0) }
    }
  }

  /// The same for a word however deep in the index it ends.
  static func hash(of path: [Int32]) -> UInt64 {
    var count = path.count
    while count > 1, path[count - 1] == 0 || path[count - 1] == end { count -= 1 }
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for chunk in path[..<count] {
      hash = (hash ^ UInt64(UInt32(bitPattern: chunk))) &* 0x9e37_79b9_7f4a_7c15
      hash ^= hash >> 29
    }
    return hash
  }
}

/// Pairs of object and word: those of an index, and those of values.
struct WordAccount {
  let isCollecting: Bool
  var entries = HashSum()
  var values = HashSum()
  private var collected = Runs<Pair>()

  init(isCollecting: Bool) { self.isCollecting = isCollecting }

  private struct Pair: Comparable {
    let key: ObjectKey
    let word: UInt64

    static func < (left: Pair, right: Pair) -> Bool { (left.key, left.word) < (right.key, right.word) }

    var hash: UInt64 {
      var hash = (word ^ UInt64(bitPattern: key.rawValue) &* 0xc2b2_ae3d_27d4_eb4f) &* 0xbf58_476d_1ce4_e5b9
      hash = (hash ^ hash >> 31) &* 0x94d0_49bb_1331_11eb
      return hash ^ hash >> 29
    }
  }

  mutating func add(_ key: ObjectKey, _ word: UInt64) {
    let pair = Pair(key: key, word: word)
    if isCollecting { collected.append(pair) } else { entries.add(hash: pair.hash) }
  }

  mutating func addValue(_ key: ObjectKey, _ word: UInt64) { values.add(hash: Pair(key: key, word: word).hash) }

  /// Compares the collected entries with the words of the values.
  ///
  /// - Parameter visit: called with each object that has a word more in the index, or one less.
  func forEachDifference(_ values: ColumnValues, _ visit: (_ isInIndex: Bool, ObjectKey) -> Void) {
    var words = Runs<Pair>()
    guard values.forEachWord({ words.append(Pair(key: $0, word: WordPath.hash(of: $1))) }) else { return }
    Runs.forEachDifference(collected, words) { pair, difference in
      for _ in 0..<abs(difference) { visit(difference > 0, pair.key) }
    }
  }
}
