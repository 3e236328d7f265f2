/// The values of one column of formats 2–9 for the rows of a batch. Usually one leaf has them all; if the rows continue
/// in the next leaf, it is looked up.
///
/// A plain value that is free to copy.
struct RowValues: @unchecked Sendable {
  private let column: RowColumn
  /// The table's.
  private let enumeration: Unmanaged<StringEnumeration>?
  /// The leaf with the first row, and the row's place in it.
  private let leaf: Leaf
  private let start: Int
  private let keys: ClusterKeys
  /// Whether the rows follow one another.
  private let isRange: Bool

  /// - Parameter keys: of the objects, which are the numbers of their rows unless the column says otherwise.
  init(
    _ column: RowColumn, _ enumeration: StringEnumeration?, _ keys: ClusterKeys, in store: ByteStore
  ) throws {
    (self.column, self.keys) = (column, keys)
    self.enumeration = enumeration.map { .passUnretained($0) }
    isRange =
      column.table == nil
      && (keys.count == 0 || keys.key(at: keys.count - 1).rawValue &- keys.key(at: 0).rawValue == keys.count - 1)
    let first = keys.count == 0 ? 0 : try column.row(of: keys.key(at: 0), in: store)
    (leaf, start) = try column.leaf(holding: first, enumeration, in: store)
  }

  var count: Int { keys.count }
  /// Where the values are, for errors.
  var ref: Ref { column.root }

  func value(at row: Int, in store: ByteStore) throws -> ValueView {
    guard row >= 0, row < count else { throw StorageError.corrupted(ref, .indexOutOfRange(row, count: count)) }
    if isRange, row < leaf.count - start { return try leaf.value(at: start + row, in: store) }
    let (leaf, position) = try leaf(holding: row, in: store)
    return try leaf.value(at: position, in: store)
  }

  private func leaf(holding row: Int, in store: ByteStore) throws -> (leaf: Leaf, position: Int) {
    let row = try column.row(of: keys.key(at: row), in: store)
    guard let enumeration else { return try column.leaf(holding: row, nil, in: store) }
    return try enumeration._withUnsafeGuaranteedRef { try column.leaf(holding: row, $0, in: store) }
  }

  /// As `Leaf.decode`.
  func decode(
    into values: UnsafeMutableBufferPointer<ValueView>, in store: ByteStore,
    damaged: (_ row: Int, _ error: StorageError) -> Void
  ) {
    var row = 0
    let end = min(count, values.count)
    var (leaf, position) = (leaf, start)
    while row < end {
      let run = isRange ? min(end - row, leaf.count - position) : 1
      let first = row
      leaf.decode(from: position, into: UnsafeMutableBufferPointer(rebasing: values[row..<row + run]), in: store) {
        damaged(first + $0, $1)
      }
      row += run
      guard row < end else { return }
      do { (leaf, position) = try self.leaf(holding: row, in: store) } catch {
        for missing in row..<end {
          values[missing] = .null
          if let error = error as? StorageError { damaged(missing, error) }
        }
        return
      }
    }
  }
}

/// A walk over the rows of a table of formats 2–9, a batch at a time.
struct RowWalk {
  private let table: Table
  private let budget: WalkBudget
  /// Nil after the end, and after damage: the walk cannot continue without the number of rows.
  private var position: Int? = 0

  init(of table: Table, budget: WalkBudget) { (self.table, self.budget) = (table, budget) }

  /// The minimum that a batch reads for each column: leaves of zeros have a thousand rows in nine bytes.
  private static let leastBytes = 2

  mutating func next() -> ObjectBatches.Step? {
    guard let position else { return nil }
    do {
      let found = try table.rowBatch(holding: Int64(position), budget: .passUnretained(budget))
      guard let batch = found else { return nil }
      // Missing rows need not be listed one by one.
      if case .rows(let first?) = table.source { _ = try first.leaf(holding: position, nil, in: table.store) }
      try budget.spend(Self.leastBytes * (table.columns.count + 1), at: table.root)
      self.position = position + batch.count
      return .batch(batch)
    } catch {
      self.position = nil
      return .damaged(error as? StorageError ?? .corrupted(table.root, .missingNode))
    }
  }
}
