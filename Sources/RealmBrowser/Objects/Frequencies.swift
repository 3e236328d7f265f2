import RealmStorage
import RealmText

/// The values of a property with how often they occur, the most frequent first.
struct Frequencies: Sendable {
  struct Entry: Sendable {
    /// What makes the value equal to others; empty for what could not be told apart any more.
    let identity: [UInt8]
    let shown: Shown
    var count: Int
  }

  /// How a value is shown later, on another thread.
  enum Shown: Sendable {
    case plain([UInt8])
    case literal(String)
    case link(TableKey, ObjectKey)
    case typedLink(TableKey, ObjectKey)
    case others(Int)
  }

  private(set) var entries: [Entry] = []
  /// Values counted.
  private(set) var total = 0
  private(set) var damagedValues = 0

  /// Bytes of different values that are kept.
  private static let mostBytes = 128 << 20
  /// Different values that are kept.
  private static let mostEntries = 1_000_000

  init() {}

  /// - Throws: `WorkProgress.Stopped`, what opening the source throws.
  init(of source: RowsSource, property: Int, in realm: BrowsedRealm, _ progress: WorkProgress) throws {
    var counter = Counter()
    var walk = try RowWalk(source, in: realm, progress)
    try walk.forEach { group in
      do {
        let values = try group.batch.values(ofProperty: property)
        for row in group.rows {
          do { try counter.add(values.value(at: row), in: group.snapshot) } catch is StorageError {
            counter.damaged += 1
          }
        }
      } catch is StorageError {
        counter.damaged += group.rows.count
      }
    }
    try progress.check()
    damagedValues = counter.damaged
    total = counter.total
    entries = counter.entries.sorted { left, right in
      if left.count != right.count { return left.count > right.count }
      return left.identity.lexicographicallyPrecedes(right.identity)
    }
    if counter.others > 0 {
      entries.append(Entry(identity: [], shown: .others(counter.others), count: counter.others))
    }
  }

  private struct Counter {
    var places: [[UInt8]: Int] = [:]
    var entries: [Entry] = []
    var total = 0
    var damaged = 0
    var others = 0
    private var bytes = 0
    private let identity = ValueIdentity()

    mutating func add(_ value: ValueView, in snapshot: Snapshot) throws {
      if let elements = try ValueIdentity.elements(of: value, in: snapshot, damaged: { damaged += 1 }) {
        for element in elements { try count(element) }
      } else {
        try count(value)
      }
    }

    private mutating func count(_ value: ValueView) throws {
      let key = try identity.bytes(of: value)
      total += 1
      if let place = places[key] {
        entries[place].count += 1
      } else if entries.count < Frequencies.mostEntries, bytes < Frequencies.mostBytes {
        places[key] = entries.count
        bytes += key.count + 64
        entries.append(Entry(identity: key, shown: identity.shown(value, key), count: 1))
      } else {
        others += 1
      }
    }
  }
}

/// Bytes that are equal where values are: a sign for the type, then the value.
final class ValueIdentity {
  private let buffer = TextBuffer(capacity: 256)

  func bytes(of value: ValueView) throws -> [UInt8] {
    buffer.removeAll()
    buffer.append(byte: Self.sign(of: value))
    if let link = value.link {
      buffer.append(integer: UInt64(link.table.rawValue))
      buffer.append(byte: 0)
      buffer.append(integer: link.key.rawValue)
    } else if try !buffer.appendPlain(value) {
      // Collections inside mixed values are told apart by their kind only.
      return buffer.copiedBytes
    }
    return buffer.copiedBytes
  }

  func shown(_ value: ValueView, _ identity: [UInt8]) -> Frequencies.Shown {
    switch value {
    case .null: .literal("null")
    case .string(let text) where text.count == 0: .literal("\"\"")
    case .bool(let value): .literal(value ? "true" : "false")
    case .link(let table, let key): .link(table, key)
    case .typedLink(let table, let key): .typedLink(table, key)
    case .list, .set, .dictionary: .literal("a \(value.typeText)")
    default: .plain(Array(identity.dropFirst()))
    }
  }

  /// The elements of a collection; nil for other values.
  static func elements(
    of value: ValueView, in snapshot: Snapshot, damaged: () -> Void
  ) throws -> [ValueView]? {
    var elements: [ValueView] = []
    let walk = snapshot.collectionWalk()
    switch value {
    case .list(let list), .set(let list): try list.forEach(walk, damaged: { _ in damaged() }) { elements.append($0) }
    case .dictionary(let dictionary):
      try dictionary.forEach(walk, damaged: { _ in damaged() }) { elements.append($1) }
    default: return nil
    }
    return elements
  }

  private static func sign(of value: ValueView) -> UInt8 {
    switch value {
    case .null: 0
    case .bool: 1
    case .int: 2
    case .float: 3
    case .double: 4
    case .decimal: 5
    case .string: 6
    case .data: 7
    case .date: 8
    case .objectID: 9
    case .uuid: 10
    case .link: 11
    case .typedLink: 12
    case .list: 13
    case .set: 14
    case .dictionary: 15
    }
  }
}

/// Objects with one value in a property, or among the elements of a collection.
struct IdentityPredicate: ObjectPredicate {
  let identity: [UInt8]
  let property: Int

  func match(
    _ batch: ObjectBatch, rows: Range<Int>, in snapshot: Snapshot, damaged: (StorageError) -> Void,
    found: (Int) -> Void
  ) {
    let reader = ValueIdentity()
    do {
      let values = try batch.values(ofProperty: property)
      for row in rows {
        do {
          if try holds(values.value(at: row), snapshot, reader) { found(row) }
        } catch let error as StorageError {
          damaged(error)
        }
      }
    } catch let error as StorageError {
      damaged(error)
    } catch {
      // Nothing else is thrown.
    }
  }

  private func holds(_ value: ValueView, _ snapshot: Snapshot, _ reader: ValueIdentity) throws -> Bool {
    guard let elements = try ValueIdentity.elements(of: value, in: snapshot, damaged: {}) else {
      return try reader.bytes(of: value) == identity
    }
    return try elements.contains { try reader.bytes(of: $0) == identity }
  }
}
