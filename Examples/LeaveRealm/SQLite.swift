import CSQLite
import RealmStorage

/// A database file.
final class SQLite {
  struct Failure: Error, CustomStringConvertible { let description: String }

  private var connection: OpaquePointer?
  /// Called before each statement.
  var beforeStatement: () -> Void = {}

  init(_ path: String) throws { try require(sqlite3_open(path, &connection)) }

  deinit { sqlite3_close(connection) }

  private func require(_ status: Int32, _ expected: Int32 = SQLITE_OK) throws {
    guard status != expected else { return }
    throw Failure(description: String(cString: sqlite3_errmsg(connection)))
  }

  /// Runs a statement, and calls `row` with each row of its result. Values are null, int, double, string or data.
  func run(_ sql: String, _ values: [Value] = [], row: ([Value]) throws -> Void = { _ in }) throws {
    beforeStatement()
    var statement: OpaquePointer?
    try require(sqlite3_prepare_v2(connection, sql, -1, &statement, nil))
    defer { sqlite3_finalize(statement) }
    let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    for (index, value) in zip(Int32(1)..., values) {
      switch value {
      case .int(let number): try require(sqlite3_bind_int64(statement, index, number))
      case .double(let number): try require(sqlite3_bind_double(statement, index, number))
      case .string(let text):
        let bytes = text.utf8.map { CChar(bitPattern: $0) } + [0]
        try require(sqlite3_bind_text(statement, index, bytes, Int32(text.utf8.count), copied))
      case .data(let bytes): try require(sqlite3_bind_blob(statement, index, bytes + [0], Int32(bytes.count), copied))
      default: try require(sqlite3_bind_null(statement, index))
      }
    }
    while sqlite3_step(statement) == SQLITE_ROW {
      try row((0..<sqlite3_column_count(statement)).map { column(statement, $0) })
    }
    try require(sqlite3_reset(statement))
  }

  private func column(_ statement: OpaquePointer?, _ index: Int32) -> Value {
    func bytes(_ address: UnsafeRawPointer?) -> [UInt8] {
      Array(UnsafeRawBufferPointer(start: address, count: Int(sqlite3_column_bytes(statement, index))))
    }
    switch sqlite3_column_type(statement, index) {
    case SQLITE_INTEGER: return .int(sqlite3_column_int64(statement, index))
    case SQLITE_FLOAT: return .double(sqlite3_column_double(statement, index))
    case SQLITE_TEXT: return .string(RealmString(utf8: bytes(sqlite3_column_text(statement, index))))
    case SQLITE_BLOB: return .data(bytes(sqlite3_column_blob(statement, index)))
    default: return .null
    }
  }
}
