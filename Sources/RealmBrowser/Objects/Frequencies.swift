import RealmStorage
import RealmText

/// The values of a property with how often they occur, the most frequent first.
struct Frequencies: Sendable {
  struct Entry: Sendable {
    /// What makes the value equal to others.
    let identity: ValueIdentity
    var count: Int
  }

  private(set) var entries: [Entry] = []
  /// Occurrences of further values, which were too many to tell apart.
  private(set) var others = 0
  /// Values counted.
  private(set) var total = 0
  private(set) var damagedValues = 0

  /// Bytes of different values that are kept, and how many of them: some 64 MB in all.
  private static let mostBytes = 32 << 20
  private static let mostEntries = 250_000

  init() {}

  /// - Throws: `TaskProgress.Stopped`, what opening the source throws.
  init(of source: RowsSource, property: Int, in realm: BrowsedRealm, _ progress: TaskProgress) throws {
    var counter = Counter()
    var walk = try ShownRowWalk(source, in: realm, progress)
    try walk.forEach { group in
      do {
        let values = try group.batch.values(ofProperty: property)
        for row in group.rows {
          do { try counter.add(values.value(at: row), in: group.snapshot, progress) } catch is StorageError {
            counter.damaged += 1
          }
        }
      } catch is StorageError {
        counter.damaged += group.rows.count
      }
    }
    try progress.check()
    (total, others, damagedValues) = (counter.total, counter.others, counter.damaged)
    entries = counter.counts.map { Entry(identity: $0.key, count: $0.value) }
    entries.sort { left, right in
      if left.count != right.count { return left.count > right.count }
      return left.identity.bytes.lexicographicallyPrecedes(right.identity.bytes)
    }
  }

  private struct Counter {
    var counts: [ValueIdentity: Int] = [:]
    var total = 0
    var damaged = 0
    var others = 0
    private var bytes = 0
    private let reader = ValueIdentity.Reader()

    mutating func add(_ value: ValueView, in snapshot: Snapshot, _ progress: TaskProgress) throws {
      if let elements = try ValueIdentity.elements(of: value, in: snapshot, progress, damaged: { damaged += 1 }) {
        for element in elements { try count(element) }
      } else {
        try count(value)
      }
    }

    private mutating func count(_ value: ValueView) throws {
      let identity = try reader.identity(of: value)
      total += 1
      if counts.count < Frequencies.mostEntries, bytes < Frequencies.mostBytes {
        let isNew = counts[identity] == nil
        if isNew { bytes += identity.bytes.count }
        counts[identity, default: 0] += 1
      } else if let known = counts[identity] {
        counts[identity] = known + 1
      } else {
        others += 1
      }
    }
  }
}

/// Bytes that are equal where values are: a sign for the type, then the value.
struct ValueIdentity: Hashable, Sendable {
  let bytes: [UInt8]

  /// Makes identities; belongs to one thread.
  final class Reader {
    private let buffer = TextBuffer(capacity: 256)

    func identity(of value: ValueView) throws -> ValueIdentity {
      buffer.removeAll()
      buffer.append(byte: ValueIdentity.sign(of: value))
      if let link = value.link {
        buffer.append(integer: UInt64(link.table.rawValue))
        buffer.append(byte: UInt8(ascii: "/"))
        buffer.append(integer: link.key.rawValue)
      } else {
        // Collections inside mixed values are told apart by their kind only.
        _ = try buffer.appendPlain(value)
      }
      return ValueIdentity(bytes: buffer.copiedBytes)
    }
  }

  /// The elements of a collection; nil for other values.
  static func elements(
    of value: ValueView, in snapshot: Snapshot, _ progress: TaskProgress, damaged: () -> Void
  ) throws -> [ValueView]? {
    var elements: [ValueView] = []
    let walk = snapshot.collectionWalk()
    let isDamaged: (StorageError) throws -> Void = { _ in
      try progress.check()
      damaged()
    }
    let add: (ValueView) throws -> Void = { element in
      try progress.check()
      elements.append(element)
    }
    switch value {
    case .list(let list), .set(let list): try list.forEach(walk, damaged: isDamaged, visit: add)
    case .dictionary(let dictionary): try dictionary.forEach(walk, damaged: isDamaged) { try add($1) }
    default: return nil
    }
    return elements
  }

  /// Appends the value as it would be shown where it came from.
  func append(to text: inout CellText, _ printer: ValuePrinter) {
    guard let sign = bytes.first else { return }
    switch sign {
    case 0: text.append("null", Style(.literal))
    case 1: bytes.withUnsafeBytes { text.append(utf8: rest($0), Style(.literal)) }
    case 6 where bytes.count == 1: text.append("\"\"", Style(.literal))
    case 11, 12:
      guard let link else { return }
      printer.append(sign == 11 ? .link(link.table, link.key) : .typedLink(link.table, link.key), to: &text)
    case 13: text.append("a list", Style(.literal))
    case 14: text.append("a set", Style(.literal))
    case 15: text.append("a dictionary", Style(.literal))
    default: bytes.withUnsafeBytes { text.append(utf8: rest($0)) }
    }
  }

  /// What the bytes stand for.
  enum Content {
    case null
    case link(TableKey, ObjectKey)
    /// One inside a mixed value, of which only the kind is known.
    case collection
    case text([UInt8])
  }

  var content: Content {
    switch bytes.first {
    case nil, 0: .null
    case 11, 12: link.map { .link($0.table, $0.key) } ?? .null
    case 13, 14, 15: .collection
    default: .text(Array(bytes.dropFirst()))
    }
  }

  private func rest(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
  }

  private var link: (table: TableKey, key: ObjectKey)? {
    let parts = String(decoding: bytes.dropFirst(), as: UTF8.self).split(separator: "/")
    guard parts.count == 2, let table = UInt32(parts[0]), let key = Int64(parts[1]) else { return nil }
    return (TableKey(rawValue: table), ObjectKey(rawValue: key))
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
  let identity: ValueIdentity
  let property: Int

  func matcher(of table: Table, in snapshot: Snapshot, _ progress: TaskProgress) -> any ObjectMatcher {
    Matcher(predicate: self, snapshot: snapshot, progress: progress)
  }

  private struct Matcher: ObjectMatcher {
    let predicate: IdentityPredicate
    let snapshot: Snapshot
    let progress: TaskProgress
    private let reader = ValueIdentity.Reader()

    func match(_ batch: ObjectBatch, rows: Range<Int>, _ damage: inout DamageTally, found: (Int) -> Void) throws {
      try batch.match(property: predicate.property, rows: rows, &damage, found: found) { value, _, _ in
        try holds(value)
      }
    }

    private func holds(_ value: ValueView) throws -> Bool {
      try progress.check()
      guard let elements = try ValueIdentity.elements(of: value, in: snapshot, progress, damaged: {}) else {
        return try reader.identity(of: value) == predicate.identity
      }
      return try elements.contains { try reader.identity(of: $0) == predicate.identity }
    }
  }
}
