import RealmStorage

/// The objects of a class in the order of their primary keys, or, without one, of their object keys, cut into pieces of
/// work.
///
/// Used by one thread at a time.
package final class ContentPieces: @unchecked Sendable {
  package struct Piece: Sendable {
    package enum Content: Sendable {
      /// Objects that are stored in order; only those that count are used.
      case batches([ObjectBatch])
      /// Objects that have to be looked up one by one.
      case keys(Table, [ObjectKey])
    }

    package let content: Content
    /// Objects up to the end of this piece.
    package let number: Int
    /// How often the bytes of the file had been released when this was made.
    package let generation: Int
  }

  private let table: Table
  private var batches: ObjectBatches
  /// Nil if the objects are already in order.
  private let sortedKeys: [ObjectKey]?
  private var position = 0
  private var generation = 0

  /// - Parameters:
  ///   - primaryKey: its position among the properties; nil if the class has none, or it does not count.
  ///   - wanted: the objects that count; nil for all.
  ///   - only: if not nil, objects outside this set are skipped.
  /// - Throws: `StorageError` if primary keys cannot be read.
  package init(
    _ table: Table, by primaryKey: Int?, among wanted: ObjectKeySet? = nil, only keys: [ObjectKey]? = nil
  ) throws {
    self.table = table
    batches = table.batches()
    let wanted = keys.map { ObjectKeySet($0) } ?? wanted
    let sortedKeys = try primaryKey.flatMap {
      try Self.keysUnlessSorted(table, primaryKey: $0, among: wanted)
    }
    self.sortedKeys = sortedKeys ?? keys?.sorted()
  }

  package func next() throws -> Piece? {
    if let sortedKeys {
      guard position < sortedKeys.count else { return nil }
      let end = min(position + ExportLimits.objectsPerPiece, sortedKeys.count)
      defer { position = end }
      return Piece(content: .keys(table, Array(sortedKeys[position..<end])), number: end, generation: generation)
    }
    var taken: [ObjectBatch] = []
    var count = 0
    while count < ExportLimits.objectsPerPiece, let step = batches.next() {
      switch step {
      case .batch(let batch):
        taken.append(batch)
        count += batch.count
      case .damaged(let error): throw error
      }
    }
    position += count
    return taken.isEmpty ? nil : Piece(content: .batches(taken), number: position, generation: generation)
  }

  /// Finds its place again after the bytes of the file were released.
  package func restorePlaces() throws {
    generation += 1
    if let error = batches.restorePlaces() { throw error }
  }

  // MARK: Order

  /// The object keys in the order of the primary keys; nil if they already are in that order.
  private static func keysUnlessSorted(
    _ table: Table, primaryKey: Int, among wanted: ObjectKeySet?
  ) throws -> [ObjectKey]? {
    var last: ValueView?
    var isSorted = true
    try forEachKey(of: table, primaryKey, among: wanted) { value, _ in
      if isSorted, let last, ValueOrder.compare(last, value) > 0 { isSorted = false }
      last = value
    }
    guard !isSorted else { return nil }
    if table.schema.properties[primaryKey].type == .int { return try keysByInteger(table, primaryKey, among: wanted) }
    var keys: [(value: ValueView, key: ObjectKey)] = []
    try forEachKey(of: table, primaryKey, among: wanted) { keys.append(($0, $1)) }
    keys.sort { left, right in
      let order = ValueOrder.compare(left.value, right.value)
      return order != 0 ? order < 0 : left.key < right.key
    }
    return keys.map(\.key)
  }

  private static func keysByInteger(
    _ table: Table, _ primaryKey: Int, among wanted: ObjectKeySet?
  ) throws -> [ObjectKey] {
    var keys: [(number: Int64, key: ObjectKey)] = []
    var nullKeys: [ObjectKey] = []
    try forEachKey(of: table, primaryKey, among: wanted) { value, key in
      if case .int(let number) = value { keys.append((number, key)) } else { nullKeys.append(key) }
    }
    keys.sort { left, right in left.number != right.number ? left.number < right.number : left.key < right.key }
    return nullKeys + keys.map(\.key)
  }

  private static func forEachKey(
    of table: Table, _ primaryKey: Int, among wanted: ObjectKeySet?, _ body: (ValueView, ObjectKey) throws -> Void
  ) throws {
    var batches = table.batches()
    while let step = batches.next() {
      guard case .batch(let batch) = step else {
        if case .damaged(let error) = step { throw error }
        continue
      }
      let values = try batch.values(ofProperty: primaryKey)
      for row in 0..<batch.count where wanted?.contains(batch.key(at: row)) ?? true {
        try body(values.value(at: row), batch.key(at: row))
      }
    }
  }
}
