import CSQLite
import RealmStorage
import RealmSystem

/// A SQLite file. One thread at a time.
final class SQLiteDatabase: @unchecked Sendable {
  fileprivate let handle: OpaquePointer
  /// The nanoseconds that are left for all statements; nil without a limit.
  fileprivate var timeLeft: Int64?
  /// When the time of the statement that runs is over.
  fileprivate var end: Int64?

  enum Mode {
    /// An empty file that nothing else uses.
    case writing
    /// A file that does not change while it is read, and that no other file is made for.
    case reading
    /// An unnamed file, which is deleted together with the database.
    case temporary
  }

  /// - Throws: `DatabaseError.sqlite`.
  init(_ path: String, _ mode: Mode) throws(DatabaseError) {
    var handle: OpaquePointer?
    let code: Int32
    switch mode {
    case .writing:
      // File names are bytes.
      let name = (SystemText.bytes(of: path) + [0]).map { CChar(bitPattern: $0) }
      code = sqlite3_open_v2(name, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
    case .temporary: code = sqlite3_open_v2("", &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
    case .reading:
      let uri = "file:" + Self.escaped(path) + "?immutable=1"
      code = sqlite3_open_v2(uri, &handle, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nil)
    }
    guard let handle else {
      throw .sqlite(SQLiteFault(code: SQLITE_NOMEM, message: "out of memory", errorNumber: 0))
    }
    self.handle = handle
    guard code == SQLITE_OK else {
      let error = Self.error(handle, code)
      sqlite3_close_v2(handle)
      throw error
    }
    sqlite3_extended_result_codes(handle, 1)
    if mode == .reading {
      csqlite_harden(handle, 1)
      sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Self.longestValue)
      try execute("PRAGMA trusted_schema = OFF")
      try execute("PRAGMA cell_size_check = ON")
      try execute("PRAGMA mmap_size = 0")
      // Elements are looked up by their owners, a table for each collection.
      try execute("PRAGMA cache_size = -32768")
    }
  }

  /// Maximum size of a value, or of a row: more than a realm can store in one.
  private static let longestValue: Int32 = 256 << 20

  /// Bytes of a value where columns are computed: a few bytes in the file can stand for any number.
  private static let longestComputedValue: Int32 = 16 << 20
  /// The nanoseconds that all statements together may take where columns are computed, and for each MiB of the file.
  private static let computingTime: (least: Int64, perMegabyte: Int64) = (10_000_000_000, 1_000_000_000)
  /// No file of SQLite is larger.
  private static let mostMegabytes: Int64 = 1 << 28

  /// Limits what statements may take, for a file whose columns are computed when they are read. A statement that takes
  /// more fails.
  func limitComputing() throws(DatabaseError) {
    guard timeLeft == nil else { return }
    let bytes = try number("PRAGMA page_count") &* (try number("PRAGMA page_size"))
    timeLeft = Self.computingTime.least + Self.computingTime.perMegabyte * min(bytes >> 20, Self.mostMegabytes)
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Self.longestComputedValue)
    sqlite3_limit(handle, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100)
    sqlite3_progress_handler(
      handle, 1,
      { context in
        guard let context else { return 0 }
        let database = Unmanaged<SQLiteDatabase>.fromOpaque(context).takeUnretainedValue()
        return database.end.map { SteadyClock.nanoseconds > $0 } == true ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Runs a step of a statement within the time that is left.
  fileprivate func timed(_ step: () -> Int32) -> Int32 {
    guard let timeLeft else { return step() }
    let start = SteadyClock.nanoseconds
    end = start + timeLeft
    defer { (self.timeLeft, end) = (timeLeft - (SteadyClock.nanoseconds - start), nil) }
    return step()
  }

  deinit { sqlite3_close_v2(handle) }

  /// A path as a URI has it.
  private static func escaped(_ path: String) -> String {
    var text = ""
    for byte in SystemText.bytes(of: path) {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "-"):
        text.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        text += "%" + (digits.utf8.count < 2 ? "0" : "") + digits
      }
    }
    // Without a slash in front, the first part would be taken for a host.
    return path.hasPrefix("/") ? "//" + text : text
  }

  /// Runs a statement without results.
  func execute(_ sql: String) throws(DatabaseError) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw Self.error(handle, code) }
  }

  /// Creates many tables in a transaction, groups of them apart from each other, so that the time does not grow with the
  /// square of their number. No other tables may be there.
  func createApart(_ tables: [[String]], each count: Int) throws(DatabaseError) {
    csqlite_unlock_schema(handle)
    try execute("CREATE TEMP TABLE created AS SELECT * FROM main.sqlite_schema")
    for start in stride(from: 0, to: tables.count, by: count) {
      for statement in tables[start..<min(start + count, tables.count)].joined() { try execute(statement) }
      try execute(
        """
        INSERT INTO temp.created SELECT * FROM main.sqlite_schema ORDER BY rowid;
        PRAGMA writable_schema = ON;
        DELETE FROM main.sqlite_schema;
        PRAGMA writable_schema = RESET
        """)
    }
    try execute(
      """
      PRAGMA writable_schema = ON;
      INSERT INTO main.sqlite_schema SELECT * FROM temp.created ORDER BY rowid;
      DROP TABLE temp.created;
      PRAGMA writable_schema = RESET
      """)
  }

  func prepare(_ sql: String) throws(DatabaseError) -> SQLiteStatement { try SQLiteStatement(sql, in: self) }

  /// The number that a statement gives.
  func number(_ sql: String) throws(DatabaseError) -> Int64 {
    let statement = try prepare(sql)
    return try statement.step() ? statement.integer(0) : 0
  }

  fileprivate static func error(_ handle: OpaquePointer, _ code: Int32) -> DatabaseError {
    let extended = sqlite3_extended_errcode(handle)
    let isSame = extended & 0xff == code & 0xff
    let message = (isSame ? sqlite3_errmsg(handle) : sqlite3_errstr(code)).map { String(cString: $0) } ?? ""
    return .sqlite(
      SQLiteFault(
        code: isSame ? extended : code, message: message, errorNumber: isSame ? sqlite3_system_errno(handle) : 0))
  }
}

/// A prepared statement. Columns and parameters count from 0.
final class SQLiteStatement {
  private let handle: OpaquePointer
  // Kept alive.
  private let database: SQLiteDatabase

  fileprivate init(_ sql: String, in database: SQLiteDatabase) throws(DatabaseError) {
    self.database = database
    var handle: OpaquePointer?
    let code = sqlite3_prepare_v3(database.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
    guard code == SQLITE_OK, let handle else { throw SQLiteDatabase.error(database.handle, code) }
    self.handle = handle
  }

  deinit { sqlite3_finalize(handle) }

  /// - Returns: whether there is a row.
  func step() throws(DatabaseError) -> Bool {
    let code = database.timed { sqlite3_step(handle) }
    switch code {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default:
      let error = SQLiteDatabase.error(database.handle, code)
      sqlite3_reset(handle)
      throw error
    }
  }

  func reset() { sqlite3_reset(handle) }

  // MARK: Parameters

  /// Text and data must stay until the statement is reset.
  func bind(_ cell: RelationalRecords.Cell, at index: Int) throws(DatabaseError) {
    let place = Int32(index + 1)
    let code: Int32 =
      switch cell {
      case .null: sqlite3_bind_null(handle, place)
      case .integer(let number): sqlite3_bind_int64(handle, place, number)
      case .real(let number): sqlite3_bind_double(handle, place, number)
      case .text(let bytes):
        // Without an address it would be null.
        if let start = bytes.baseAddress {
          sqlite3_bind_text64(
            handle, place, start.assumingMemoryBound(to: CChar.self), UInt64(bytes.count), nil, UInt8(SQLITE_UTF8))
        } else {
          sqlite3_bind_text(handle, place, "", 0, nil)
        }
      case .blob(let bytes):
        if let start = bytes.baseAddress, bytes.count > 0 {
          sqlite3_bind_blob64(handle, place, start, UInt64(bytes.count), nil)
        } else {
          sqlite3_bind_zeroblob(handle, place, 0)
        }
      }
    guard code == SQLITE_OK else { throw SQLiteDatabase.error(database.handle, code) }
  }

  // MARK: Columns

  func integer(_ column: Int) -> Int64 { sqlite3_column_int64(handle, Int32(column)) }

  /// A value as stored. Its bytes are valid until the next step.
  func cell(_ column: Int) -> RelationalRecords.Cell {
    let column = Int32(column)
    switch sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, column))
    case SQLITE_FLOAT: return .real(sqlite3_column_double(handle, column))
    case SQLITE_TEXT:
      let start = sqlite3_column_text(handle, column)
      return .text(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
    case SQLITE_BLOB:
      let start = sqlite3_column_blob(handle, column)
      return .blob(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
    default: return .null
    }
  }

  /// The value as text, whatever its type.
  func text(_ column: Int) -> RealmString? {
    guard let start = sqlite3_column_text(handle, Int32(column)) else { return nil }
    let count = Int(sqlite3_column_bytes(handle, Int32(column)))
    return RealmString(UnsafeRawBufferPointer(start: start, count: count))
  }
}
