import CSQLite
import RealmModels
import RealmStorage
import RealmText

/// A walk over the rows of tables other than those of classes: elements of collections, and what SQL cannot express.
///
/// The rows of a few objects at a time are in memory.
final class SQLRowCursor: SQLCursor {
  let reader: SQLReader
  private let table: SQLTable
  /// The number of the table in the relational form.
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
  /// Whether a statement names the objects, which may not exist.
  private var isAsked = false
  private var current: Table?
  /// The number of objects written at a time: one, as long as each has many rows.
  private var stride = 1
  private var generation = 0
  private var row = 0
  private var rowCount = 0
  private(set) var isAtEnd = true

  init(_ table: SQLTable, number: Int, tables: [Int], property: Int?) {
    (self.table, reader, self.number) = (table, table.reader, number)
    (self.tables, self.property) = (tables, property)
    rows = StoredRows(number, columnCount: table.columnCount)
    let rows = rows
    writer = table.reader.writer(to: rows) { try rows.requireRoom() }
  }

  /// Different for all rows, and the same in every walk: SQLite looks for rows that it has seen by this number.
  var rowID: Int64 { rows.identity(of: row) }

  func begin(_ search: SQLTable.Search, _ comparisons: [SQLComparison], _ arguments: [OpaquePointer]) throws {
    if let position = tables.first, let property {
      try reader.measureDates(
        table.plan.relational.classes[position].values[property], of: position, property: property)
    }
    try reader.releasePagesIfNeeded()
    rows.removeAll()
    (walk, keys, current, rest, row, isAtEnd) = (nil, [], nil, tables[...], 0, false)
    (isAsked, stride) = (false, 1)
    generation = reader.generation
    if let position = tables.first, property != nil,
      let found = try SQLKeys(reader: reader).keys(search, of: position, arguments.first)
    {
      (keys, current, rest) = (found[...], table.plan.tables[position], [])
      isAsked = true
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

  /// The number of rows that is enough at a time.
  private static let manyRows = 4096

  /// - Returns: false after the last object.
  private func writeNext() throws -> Bool {
    if let current, !keys.isEmpty {
      let next = keys.prefix(stride)
      keys = keys.dropFirst(stride)
      stride = rows.count > Self.manyRows ? 1 : min(stride * 2, 64)
      try write(.keys(isAsked ? try next.filter { try current.object($0) != nil } : next, current))
      stride = rows.count > Self.manyRows ? 1 : stride
      return true
    }
    while true {
      switch walk?.next() {
      case .batch(let batch):
        keys = ((0..<batch.count).map { batch.key(at: $0) })[...]
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

/// The row with what SQL cannot express.
final class SQLSchemaCursor: SQLCursor {
  let reader: SQLReader
  private let rows: StoredRows
  private(set) var isAtEnd = true
  var rowID: Int64 { 1 }

  init(_ table: SQLTable) {
    reader = table.reader
    let number = table.plan.relational.number(of: .schema)
    rows = StoredRows(number, columnCount: table.columnCount)
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
  private enum Kind: UInt8 { case null, integer, real, text, blob }

  private let table: Int
  private let columnCount: Int
  private var kinds: [Kind] = []
  /// The number, or where in `bytes` the length of a text begins that its bytes follow.
  private var numbers: [Int64] = []
  /// How many rows of the same owner come before each.
  private var ordinals: [Int32] = []
  private var bytes: [UInt8] = []
  private var isOn = false

  /// Bytes that the rows of one object may take.
  private static let mostBytes = 64 << 20

  init(_ table: Int, columnCount: Int) { (self.table, self.columnCount) = (table, columnCount) }

  var count: Int { ordinals.count }

  func removeAll() {
    kinds.removeAll(keepingCapacity: true)
    numbers.removeAll(keepingCapacity: true)
    ordinals.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
  }

  /// - Throws: `DatabaseError.statement` if an object has more elements than should be in memory.
  func requireRoom() throws {
    guard bytes.count + numbers.count * 9 + ordinals.count * 4 > Self.mostBytes else { return }
    throw DatabaseError.statement(
      SQLFailure(
        "the elements of one object take more than \(Self.mostBytes >> 20) MiB; export the realm to a SQLite file, "
          + "and query that", .tooLarge))
  }

  func give(_ row: Int, _ column: Int, to context: OpaquePointer) {
    let cell = row * columnCount + column
    switch kinds[cell] {
    case .null: sqlite3_result_null(context)
    case .integer: sqlite3_result_int64(context, numbers[cell])
    case .real: sqlite3_result_double(context, Double(bitPattern: UInt64(bitPattern: numbers[cell])))
    case .text: withBytes(of: cell) { SQLResult.give(text: $0, to: context) }
    case .blob: withBytes(of: cell) { SQLResult.give(blob: $0, to: context) }
    }
  }

  private func withBytes<Result>(of cell: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    bytes.withUnsafeBytes { bytes in
      let start = Int(numbers[cell])
      let count = Int(bytes.loadUnaligned(fromByteOffset: start, as: Int64.self))
      return body(UnsafeRawBufferPointer(rebasing: bytes[start + 8..<start + 8 + count]))
    }
  }

  // MARK: Cells

  func wants(_ table: Int) -> Bool { table == self.table }
  func begin(_ table: Int) { isOn = table == self.table }
  func appendNull() { append(.null, 0) }
  func append(integer: Int64) { append(.integer, integer) }
  func append(real: Double) { append(.real, Int64(bitPattern: real.bitPattern)) }
  func append(text: UnsafeRawBufferPointer, isFromFile: Bool) { append(.text, text) }

  func append(blob: BlobView) throws {
    guard isOn else { return }
    try blob.withContiguous { append(.blob, $0) }
  }

  func end() {
    guard isOn else { return }
    isOn = false
    let row = ordinals.count
    let isSameOwner = row > 0 && hasEqualOwners(row, row - 1)
    ordinals.append(isSameOwner ? (ordinals.last ?? 0) &+ 1 : 0)
  }

  func cancel() {
    guard isOn else { return }
    isOn = false
    let whole = ordinals.count * columnCount
    kinds.removeSubrange(whole...)
    numbers.removeSubrange(whole...)
  }

  private func append(_ kind: Kind, _ number: Int64) {
    guard isOn else { return }
    kinds.append(kind)
    numbers.append(number)
  }

  private func append(_ kind: Kind, _ content: UnsafeRawBufferPointer) {
    guard isOn else { return }
    append(kind, Int64(bytes.count))
    withUnsafeBytes(of: Int64(content.count)) { bytes.append(contentsOf: $0) }
    bytes.append(contentsOf: content)
  }

  // MARK: Owners

  private func hasEqualOwners(_ row: Int, _ other: Int) -> Bool {
    let (cell, otherCell) = (row * columnCount, other * columnCount)
    switch (kinds[cell], kinds[otherCell]) {
    case (.integer, .integer): return numbers[cell] == numbers[otherCell]
    case (.text, .text): return withBytes(of: cell) { own in withBytes(of: otherCell) { own.elementsEqual($0) } }
    default: return false
    }
  }

  /// A number of the owner, which the first column has, and the row's place among its rows.
  func identity(of row: Int) -> Int64 {
    var hasher = Hasher()
    let cell = row * columnCount
    if kinds[cell] == .integer {
      hasher.combine(numbers[cell])
    } else {
      withBytes(of: cell) { hasher.combine(bytes: $0) }
    }
    hasher.combine(ordinals[row])
    return Int64(hasher.finalize())
  }
}
