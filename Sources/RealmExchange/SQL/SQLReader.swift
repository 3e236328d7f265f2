import CSQLite
import RealmModels
import RealmStorage
import RealmText

/// Reads cells for all walks of a session, and records errors.
///
/// Pages may be released while several walks are under way: each walk compares `generation`, and finds its place again.
final class SQLReader {
  let snapshot: Snapshot
  let plan: RelationalPlan
  private(set) var generation = 0
  private var report = DamageReport()
  private var error: (any Error)?
  /// Writes one cell at a time into `result`.
  private let columns: RelationalWriter<ResultCell>
  private let result = ResultCell()
  private let context: ExportContext

  init(_ snapshot: Snapshot, _ plan: RelationalPlan) {
    (self.snapshot, self.plan) = (snapshot, plan)
    // Joins read the same collections again and again.
    context = ExportContext(
      snapshot: snapshot, options: ExportOptions(format: .sqlite, tables: plan.tables),
      walk: snapshot.collectionWalk(for: .rows),
      embedded: EmbeddedBudget(for: .rows, limit: snapshot.workLimit))
    columns = RelationalWriter(plan, result, context, reach: nil) {}
  }

  // MARK: Cells

  /// Gives SQLite a cell of an object.
  ///
  /// - Parameters:
  ///   - value: of the property; nil for one that cannot be read.
  ///   - skipped: cells of the property in front of the one that is wanted.
  func give(_ value: ValueView?, of table: RelationalClass, property: Int, skipped: Int, to context: OpaquePointer) {
    (result.context, result.skipped) = (context, skipped)
    if skipped == 0 {
      switch value {
      case .int(let number) where table.values[property].property.type == .int:
        return sqlite3_result_int64(context, number)
      default: break
      }
    }
    columns.appendCells(of: value, of: table, property: property)
  }

  func setPlace(_ table: Table, _ key: ObjectKey, property: Int) { columns.setPlace(table, key, property: property) }

  func note(_ error: StorageError) { columns.note(error) }

  /// A writer for its own rows.
  func writer<Cells: RelationalCells>(to cells: Cells, spill: @escaping () throws -> Void) -> RelationalWriter<Cells> {
    RelationalWriter(plan, cells, context, reach: nil, spillIfLarge: spill)
  }

  // MARK: Dates

  /// Looks at a column of dates before the first of them is read. All walks then find their places again.
  func measureDates(_ value: RelationalValue, of position: Int, property: Int) throws {
    guard value.digits?.isKnown == false else { return }
    columns.forgetPlaces()
    try plan.measureDates(of: position, property: property, in: snapshot)
    generation += 1
  }

  // MARK: Pages

  /// Releases pages if there are too many. All walks then find their places again.
  ///
  /// - Throws: `StorageError`.
  func releasePagesIfNeeded() throws {
    guard snapshot.holdsTooManyPages else { return }
    columns.forgetPlaces()
    try snapshot.releasePages()
    generation += 1
  }

  // MARK: What went wrong

  func add(_ other: DamageReport) { report.merge(other) }

  func takeReport() -> DamageReport {
    report.merge(columns.takeReport())
    defer { report = DamageReport() }
    return report
  }

  /// Records why a statement ends.
  ///
  /// - Returns: the result code for SQLite.
  func fail(_ cause: any Error) -> Int32 {
    error = cause
    return SQLITE_ERROR
  }

  func takeError() -> (any Error)? {
    defer { error = nil }
    return error
  }
}

/// Hands one cell of those that are written to SQLite.
final class ResultCell: RelationalCells {
  var context: OpaquePointer?
  /// Number of cells before it.
  var skipped = 0

  private func take() -> OpaquePointer? {
    defer { skipped -= 1 }
    return skipped == 0 ? context : nil
  }

  func wants(_ table: Int) -> Bool { false }
  func begin(_ table: Int) {}
  func end() {}
  func cancel() {}
  func appendNull() { if let context = take() { sqlite3_result_null(context) } }
  func append(integer: Int64) { if let context = take() { sqlite3_result_int64(context, integer) } }
  func append(real: Double) { if let context = take() { sqlite3_result_double(context, real) } }

  func append(text: UnsafeRawBufferPointer, isFromFile: Bool) {
    if let context = take() { SQLResult.give(text: text, to: context) }
  }

  func append(blob: BlobView) throws {
    // The place in the row counts, whether or not the bytes can be read.
    guard let context = take() else { return }
    try blob.withContiguous { SQLResult.give(blob: $0, to: context) }
  }
}

/// Gives bytes to SQLite, which copies them.
enum SQLResult {
  private nonisolated(unsafe) static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  static func give(text: UnsafeRawBufferPointer, to context: OpaquePointer) {
    guard let start = text.baseAddress, !text.isEmpty else { return sqlite3_result_text(context, "", 0, nil) }
    sqlite3_result_text64(
      context, start.assumingMemoryBound(to: CChar.self), UInt64(text.count), copied, UInt8(SQLITE_UTF8))
  }

  static func give(blob: UnsafeRawBufferPointer, to context: OpaquePointer) {
    guard let start = blob.baseAddress, !blob.isEmpty else { return sqlite3_result_zeroblob(context, 0) }
    sqlite3_result_blob64(context, start, UInt64(blob.count), copied)
  }
}
