import CSQLite
import RealmModels
import RealmStorage
import RealmText

/// SQL over a snapshot as it lies: each table of the relational form (`Docs/SQLite.md`) is a virtual table of SQLite, and
/// nothing is copied. Statements can only read.
///
/// ```swift
/// let session = try SQLSession(snapshot, plan)
/// try session.run("SELECT name FROM Person WHERE age > 30") { columns in ... } row: { values in ... }
/// ```
///
/// Used by one thread.
package final class SQLSession {
  let snapshot: Snapshot
  let plan: RelationalPlan
  let reader: SQLReader
  /// The tables by number.
  let contents: [SQLTable.Content]
  private let connection: OpaquePointer
  /// Whether SQLite reads the columns of a table, for which it asks as if they were created.
  var isDeclaring = false

  /// Bytes that SQLite may use in memory before it writes temporary files.
  private static let memory = 64 << 20
  /// The longest text or blob that a statement can make, in bytes.
  private static let longestValue = 64 << 20
  /// The largest row, in bytes.
  private static let longestRow = 128 << 20

  /// - Parameter keepsOffDisk: whether SQLite must not write temporary files, as for an encrypted realm.
  /// - Throws: `DatabaseError.statement`.
  package init(_ snapshot: Snapshot, _ plan: RelationalPlan, keepsOffDisk: Bool) throws {
    (self.snapshot, self.plan) = (snapshot, plan)
    reader = SQLReader(snapshot, plan)
    contents = SQLTable.Content.all(of: plan)
    var connection: OpaquePointer?
    let code = sqlite3_open_v2(
      ":memory:", &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_MEMORY, nil)
    guard code == SQLITE_OK, let connection else { throw DatabaseError.statement(SQLFailure("out of memory")) }
    self.connection = connection
    sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, Int32(Self.longestValue))
    try makeTables()
    csqlite_harden(connection, 0)
    csqlite_forbid_bloom_filters(connection)
    try execute("PRAGMA cache_size = -\(Self.memory >> 10)")
    if keepsOffDisk { try execute("PRAGMA temp_store = MEMORY") }
    // Tables that are functions are made when they are first named.
    _ = sqlite3_exec(connection, "SELECT 1 FROM json_each('[]'), json_tree('[]')", nil, nil, nil)
    guard SQLOrder.register(in: connection), SQLAggregates.register(in: connection) else { throw failure() }
    // From now on, statements can only read.
    sqlite3_set_authorizer(
      connection,
      { context, action, _, function, _, _ in
        if let context, Unmanaged<SQLSession>.fromOpaque(context).takeUnretainedValue().isDeclaring { return SQLITE_OK }
        return switch action {
        case SQLITE_SELECT, SQLITE_READ, SQLITE_RECURSIVE: SQLITE_OK
        case SQLITE_FUNCTION:
          function.map { SQLSession.deniedFunctions.contains(String(cString: $0)) } == true ? SQLITE_DENY : SQLITE_OK
        default: SQLITE_DENY
        }
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private static let deniedFunctions: Set = ["load_extension", "fts3_tokenizer"]

  deinit { sqlite3_close_v2(connection) }

  /// Lets statements that need more memory fail, in the whole process.
  ///
  /// - Parameter bytes: what SQLite may take at most, its 64 MiB of pages included.
  package static func limitMemory(_ bytes: Int) { sqlite3_hard_heap_limit64(Int64(bytes)) }

  private func makeTables() throws {
    guard let module = SQLTable.module else { throw DatabaseError.statement(SQLFailure("out of memory")) }
    let context = Unmanaged.passUnretained(self).toOpaque()
    guard sqlite3_create_module_v2(connection, "realm", module, context, nil) == SQLITE_OK else { throw failure() }
    // A CREATE statement would look through all tables before it.
    csqlite_unlock_schema(connection)
    try execute("PRAGMA writable_schema = ON; BEGIN")
    for (number, table) in contents.enumerated() {
      let name = table.name(in: plan)
      let creation = "CREATE VIRTUAL TABLE \(SQLText.quoted(name)) USING realm(\(number))"
      let literal = SQLText.literal(name)
      try execute(
        "INSERT INTO sqlite_schema VALUES ('table', \(literal), \(literal), 0, \(SQLText.literal(creation)))")
    }
    try execute("COMMIT; PRAGMA writable_schema = RESET")
  }

  private func execute(_ sql: String) throws {
    guard sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK else { throw failure() }
  }

  private func failure(in sql: String = "", from start: Int = 0) -> DatabaseError {
    if let error = reader.takeError() {
      return error as? DatabaseError
        ?? .statement(SQLFailure("\(error)", (error as? StorageError).map(SQLFailure.Reason.unreadable) ?? .other))
    }
    let code = sqlite3_errcode(connection)
    let offset = Int(sqlite3_error_offset(connection))
    let message = sqlite3_errmsg(connection).map { String(cString: $0) } ?? ""
    if code == SQLITE_AUTH { return refusal(message, sql, from: start) }
    return .statement(
      SQLFailure(
        message, code == SQLITE_NOMEM ? .outOfMemory : SQLFailure.Reason(message: message), in: sql,
        at: offset < 0 ? nil : start + offset))
  }

  /// For one of several statements: its own text, from which the message takes what it would do.
  private func refusal(_ message: String, _ sql: String, from start: Int) -> DatabaseError {
    .statement(SQLFailure(message, .refused, in: String(decoding: sql.utf8.dropFirst(start), as: UTF8.self)))
  }

  // MARK: Statements

  /// Runs statements one after another.
  ///
  /// - Parameters:
  ///   - columns: gets the column names of each statement that has any.
  ///   - row: gets the values of a row: null, int, double, string or data.
  /// - Throws: `DatabaseError.statement` if SQLite does not understand a statement, or it fails; errors of `columns` and `row`.
  package func run(
    _ sql: String, columns: ([String]) throws -> Void, row: ([Value]) throws -> Void
  ) throws {
    guard !sql.utf8.contains(0) else { throw DatabaseError.statement(SQLFailure("the statement has a NUL character")) }
    let text = ContiguousArray(sql.utf8CString)
    try text.withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return }
      var position = start
      while position.pointee != 0 {
        let offset = position - start
        var statement: OpaquePointer?
        var end: UnsafePointer<CChar>?
        guard sqlite3_prepare_v2(connection, position, -1, &statement, &end) == SQLITE_OK else {
          throw failure(in: sql, from: offset)
        }
        defer { sqlite3_finalize(statement) }
        position = end ?? start + (bytes.count - 1)
        // Spaces and comments only.
        guard let statement else { continue }
        guard sqlite3_column_count(statement) > 0 else {
          throw refusal("the statement returns no rows", sql, from: offset)
        }
        try run(statement, columns, row) { failure(in: sql, from: offset) }
      }
    }
  }

  private func run(
    _ statement: OpaquePointer, _ columns: ([String]) throws -> Void, _ row: ([Value]) throws -> Void,
    failure: () -> DatabaseError
  ) throws {
    let count = sqlite3_column_count(statement)
    try columns((0..<count).map { sqlite3_column_name(statement, $0).map { String(cString: $0) } ?? "" })
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW:
        let size = (0..<count).reduce(0) { $0 + Int(sqlite3_column_bytes(statement, $1)) }
        guard size <= Self.longestRow else {
          throw DatabaseError.statement(SQLFailure("a row is larger than \(Self.longestRow >> 20) MiB", .tooLarge))
        }
        try row((0..<count).map { Self.value(statement, $0) })
      case SQLITE_DONE: return
      default: throw failure()
      }
    }
  }

  private static func value(_ statement: OpaquePointer, _ column: Int32) -> Value {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: return .int(sqlite3_column_int64(statement, column))
    case SQLITE_FLOAT: return .double(sqlite3_column_double(statement, column))
    case SQLITE_TEXT:
      let start = sqlite3_column_text(statement, column)
      let bytes = UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
      return .string(RealmString(bytes))
    case SQLITE_BLOB:
      let start = sqlite3_column_blob(statement, column)
      return .data(Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))))
    default: return .null
    }
  }

  /// What could not be read, and was left out or became null.
  package func takeReport() -> DamageReport { reader.takeReport() }

  /// The names of all tables, in the order of the form.
  package var tableNames: [String] { contents.map { $0.name(in: plan) } }

  /// The names of all their columns, each once.
  package var columnNames: [String] {
    Set(plan.relational.tables.flatMap { $0.columns.map(\.name) } + RelationalMeta.allCases.flatMap(\.columns)).sorted()
  }

  /// The statement that creates a table in an exported file; nil if there is no table with that name.
  package func creation(ofTable name: String) -> String? {
    if let table = plan.relational.tables.first(where: { SQLText.lowercased($0.sqlName) == SQLText.lowercased(name) }) {
      return table.statements().joined(separator: "\n")
    }
    return RelationalMeta.allCases.first { $0.name == SQLText.lowercased(name) }?.creation
  }
}

/// Why a statement has no result, or only a part of it.
package struct SQLFailure: Hashable, Sendable {
  package enum Reason: Hashable, Sendable {
    /// The realm has something that cannot be read.
    case unreadable(StorageError)
    /// The statement needs more memory than it may have.
    case outOfMemory
    /// The realm has more in one place than a statement may read. The statement itself is right.
    case tooLarge
    /// The statement would do more than read.
    case refused
    case unknownTable(String)
    case unknownColumn(String)
    case incomplete
    case openQuote
    case other
  }

  /// In the words of SQLite, or of the error in the realm.
  package let message: String
  package let reason: Reason
  package let statement: String
  /// Where in the statement, in bytes; nil where SQLite names no place.
  package let offset: Int?

  init(_ message: String, _ reason: Reason = .other, in statement: String = "", at offset: Int? = nil) {
    (self.message, self.reason, self.statement, self.offset) = (message, reason, statement, offset)
  }
}

extension SQLFailure.Reason {
  /// What SQLite means: it has one code for all mistakes in statements, and only its words tell them apart.
  fileprivate init(message: String) {
    func rest(after words: String) -> String? {
      message.hasPrefix(words) ? String(message.dropFirst(words.count)) : nil
    }
    if let name = rest(after: "no such table: ") {
      self = .unknownTable(name)
    } else if let name = rest(after: "no such column: ") {
      self = .unknownColumn(name)
    } else if message == "incomplete input" {
      self = .incomplete
    } else if message.hasPrefix("unrecognized token: \"'") {
      self = .openQuote
    } else if message.hasSuffix(" may not be modified") || message.hasPrefix("virtual tables may not be ") {
      self = .refused
    } else {
      self = .other
    }
  }
}
