import CSQLite
import RealmStorage
import RealmText

/// A walk over rows that objects are written as: elements of collections, and what SQL cannot say.
///
/// The rows of a few objects at a time are in memory.
final class SQLRowCursor: SQLCursor {
  let reader: SQLReader
  private let table: SQLTable
  /// Of the table in the form.
  private let number: Int
  /// Positions of the classes whose objects have such rows.
  private let tables: [Int]
  /// The property whose elements they are.
  private let property: Int?
  private let rows: StoredRows
  private let writer: RelationalWriter<StoredRows>
  private var rest: ArraySlice<Int> = []
  private var walk: ObjectBatches?
  private var keys: ArraySlice<ObjectKey> = []
  private var current: Table?
  private var pending: (batch: ObjectBatch, row: Int)?
  private var generation = 0
  private var row = 0
  private var rowCount = 0
  private(set) var isAtEnd = true

  init(_ table: SQLTable, number: Int, tables: [Int], property: Int?) {
    (self.table, reader, self.number) = (table, table.reader, number)
    (self.tables, self.property) = (tables, property)
    rows = StoredRows(number)
    let rows = rows
    writer = table.reader.writer(to: rows) { try rows.requireRoom() }
  }

  /// Different for all rows, and the same in every walk: SQLite looks for rows that it has seen by this number.
  var rowID: Int64 { rows.identity(of: row) }

  func begin(_ search: SQLTable.Search, _ comparisons: [SQLComparison], _ arguments: [OpaquePointer]) throws {
    try reader.releasePagesIfNeeded()
    rows.removeAll()
    (walk, keys, current, rest, row, isAtEnd) = (nil, [], nil, tables[...], 0, false)
    generation = reader.generation
    if let position = tables.first, property != nil,
      let found = try SQLKeys(reader: reader).keys(search, of: position, arguments.first)
    {
      (keys, current, rest) = (found[...], table.plan.tables[position], [])
    }
    try fill()
  }

  func next() throws {
    row += 1
    if row >= rows.count { try fill() }
  }

  func give(_ column: Int, to context: OpaquePointer) throws { rows.give(row, column, to: context) }

  // MARK: Filling

  private func fill() throws {
    (row, isAtEnd) = (0, false)
    rows.removeAll()
    while rows.count == 0 {
      try reader.releasePagesIfNeeded()
      if generation != reader.generation {
        generation = reader.generation
        writer.forgetPlaces()
        if let error = walk?.restorePlaces() { note(error) }
      }
      guard try writeNext() else {
        isAtEnd = true
        break
      }
      reader.add(writer.takeReport())
    }
  }

  /// - Returns: false behind the last object.
  private func writeNext() throws -> Bool {
    if let current, let key = keys.popFirst() {
      // A statement may name objects that never were.
      if try current.object(key) != nil { try write(.keys([key], current)) }
      return true
    }
    while true {
      switch walk?.next() {
      case .batch(let batch):
        try write(.batches([batch]))
        return true
      case .damaged(let error):
        note(error)
        return true
      case nil:
        guard let position = rest.popFirst() else { return false }
        current = table.plan.tables[position]
        walk = current?.batches()
      }
    }
  }

  private func write(_ objects: ExportedObjects) throws {
    guard let property else { return try writer.write(objects) }
    try writer.writeElements(of: objects, property: property)
  }

  private func note(_ error: StorageError) {
    var report = DamageReport()
    report.add(Damage(table: current?.schema.displayName ?? "", part: .objects, error: error))
    reader.add(report)
  }
}

/// The row that says what SQL cannot.
final class SQLSchemaCursor: SQLCursor {
  let reader: SQLReader
  private let rows: StoredRows
  private(set) var isAtEnd = true
  var rowID: Int64 { 1 }

  init(_ table: SQLTable) {
    reader = table.reader
    let number = table.plan.relational.number(of: .schema)
    rows = StoredRows(number)
    rows.begin(number)
    table.plan.appendSchemaRow(to: rows, format: table.snapshot.header.format)
    rows.end()
  }

  func begin(_ search: SQLTable.Search, _ comparisons: [SQLComparison], _ arguments: [OpaquePointer]) {
    isAtEnd = false
  }

  func next() { isAtEnd = true }
  func give(_ column: Int, to context: OpaquePointer) { rows.give(0, column, to: context) }
}

/// Rows of one table, kept until they are asked for.
final class StoredRows: RelationalCells {
  private enum Cell {
    case null
    case integer(Int64)
    case real(Double)
    case text(Range<Int>)
    case blob(Range<Int>)
  }

  private let table: Int
  private var cells: [Cell] = []
  /// Where each row begins.
  private var starts: [Int] = []
  /// How many rows of the same owner come before each.
  private var ordinals: [Int] = []
  private var bytes: [UInt8] = []
  private var isOn = false

  /// Bytes that the rows of a few objects may take.
  private static let mostBytes = 256 << 20

  init(_ table: Int) { self.table = table }

  var count: Int { starts.count }

  func removeAll() {
    cells.removeAll(keepingCapacity: true)
    starts.removeAll(keepingCapacity: true)
    ordinals.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
  }

  /// - Throws: `SQLFailure` where an object has more elements than memory should hold.
  func requireRoom() throws {
    guard bytes.count + cells.count * MemoryLayout<Cell>.stride > Self.mostBytes else { return }
    throw SQLFailure(
      message:
        "the elements of one object take more than \(Self.mostBytes >> 20) MB; export the realm to a SQLite file, "
        + "and query that")
  }

  func give(_ row: Int, _ column: Int, to context: OpaquePointer) {
    switch cells[starts[row] + column] {
    case .null: sqlite3_result_null(context)
    case .integer(let number): sqlite3_result_int64(context, number)
    case .real(let number): sqlite3_result_double(context, number)
    case .text(let range):
      bytes.withUnsafeBytes { SQLResult.give(text: UnsafeRawBufferPointer(rebasing: $0[range]), to: context) }
    case .blob(let range):
      bytes.withUnsafeBytes { SQLResult.give(blob: UnsafeRawBufferPointer(rebasing: $0[range]), to: context) }
    }
  }

  // MARK: Cells

  func wants(_ table: Int) -> Bool { table == self.table }

  func begin(_ table: Int) {
    isOn = table == self.table
    if isOn { starts.append(cells.count) }
  }

  func appendNull() { if isOn { cells.append(.null) } }
  func append(integer: Int64) { if isOn { cells.append(.integer(integer)) } }
  func append(real: Double) { if isOn { cells.append(.real(real)) } }
  func append(text: UnsafeRawBufferPointer, isFromFile: Bool) { if isOn { cells.append(.text(keep(text))) } }

  func append(blob: BlobView) throws {
    guard isOn else { return }
    try blob.withContiguous { cells.append(.blob(keep($0))) }
  }

  func end() {
    guard isOn else { return }
    isOn = false
    let isSameOwner = starts.count > 1 && hasEqualOwners(starts.count - 1, starts.count - 2)
    ordinals.append(isSameOwner ? (ordinals.last ?? 0) + 1 : 0)
  }

  func cancel() {
    if isOn, let start = starts.popLast() { cells.removeSubrange(start...) }
    isOn = false
  }

  // MARK: Owners

  private func hasEqualOwners(_ row: Int, _ other: Int) -> Bool {
    switch (cells[starts[row]], cells[starts[other]]) {
    case (.integer(let key), .integer(let otherKey)): key == otherKey
    case (.text(let range), .text(let otherRange)): bytes[range] == bytes[otherRange]
    default: false
    }
  }

  /// A number of the owner, which the first column has, and the row's place among its rows.
  func identity(of row: Int) -> Int64 {
    var hasher = Hasher()
    switch cells[starts[row]] {
    case .integer(let key): hasher.combine(key)
    case .text(let range): bytes.withUnsafeBytes { hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: $0[range])) }
    case .null, .real, .blob: break
    }
    hasher.combine(ordinals[row])
    return Int64(hasher.finalize())
  }

  private func keep(_ bytes: UnsafeRawBufferPointer) -> Range<Int> {
    let start = self.bytes.count
    self.bytes.append(contentsOf: bytes)
    return start..<self.bytes.count
  }
}
