import CSQLite

/// The functions that SQLite calls.
extension SQLTable {
  private static func table(_ pointer: UnsafeMutablePointer<sqlite3_vtab>?) -> SQLTable? {
    pointer?.withMemoryRebound(to: csqlite_table.self, capacity: 1) { table in
      table.pointee.owner.map { Unmanaged<SQLTable>.fromOpaque($0).takeUnretainedValue() }
    }
  }

  private static func cursor(_ pointer: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> (any SQLCursor)? {
    pointer?.withMemoryRebound(to: csqlite_cursor.self, capacity: 1) { cursor in
      cursor.pointee.owner.map { Unmanaged<CursorBox>.fromOpaque($0).takeUnretainedValue().cursor }
    }
  }

  private final class CursorBox {
    let cursor: any SQLCursor
    init(_ cursor: any SQLCursor) { self.cursor = cursor }
  }

  /// The table with the number that is the module's only argument.
  private static func connect(
    _ connection: OpaquePointer?, _ context: UnsafeMutableRawPointer?, _ count: Int32,
    _ arguments: UnsafePointer<UnsafePointer<CChar>?>?,
    _ result: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab>?>?
  ) -> Int32 {
    guard let context, count > 3, let text = arguments?[3], let number = Int(String(cString: text)) else {
      return SQLITE_ERROR
    }
    let session = Unmanaged<SQLSession>.fromOpaque(context).takeUnretainedValue()
    guard session.contents.indices.contains(number),
      let memory = sqlite3_malloc64(UInt64(MemoryLayout<csqlite_table>.size))
    else { return SQLITE_NOMEM }
    let table = SQLTable(session.contents[number], session.reader)
    session.isDeclaring = true
    let code = sqlite3_declare_vtab(connection, table.declaration)
    session.isDeclaring = false
    guard code == SQLITE_OK else {
      sqlite3_free(memory)
      return code
    }
    let own = memory.initializeMemory(as: csqlite_table.self, repeating: csqlite_table(), count: 1)
    own.pointee.owner = Unmanaged.passRetained(table).toOpaque()
    result?.pointee = memory.assumingMemoryBound(to: sqlite3_vtab.self)
    return SQLITE_OK
  }

  private static func disconnect(_ pointer: UnsafeMutablePointer<sqlite3_vtab>?) -> Int32 {
    pointer?.withMemoryRebound(to: csqlite_table.self, capacity: 1) { table in
      if let owner = table.pointee.owner { Unmanaged<SQLTable>.fromOpaque(owner).release() }
    }
    sqlite3_free(pointer)
    return SQLITE_OK
  }

  private static func open(
    _ pointer: UnsafeMutablePointer<sqlite3_vtab>?,
    _ result: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab_cursor>?>?
  ) -> Int32 {
    guard let table = table(pointer), let memory = sqlite3_malloc64(UInt64(MemoryLayout<csqlite_cursor>.size)) else {
      return SQLITE_NOMEM
    }
    let own = memory.initializeMemory(as: csqlite_cursor.self, repeating: csqlite_cursor(), count: 1)
    own.pointee.owner = Unmanaged.passRetained(CursorBox(table.makeCursor())).toOpaque()
    result?.pointee = memory.assumingMemoryBound(to: sqlite3_vtab_cursor.self)
    return SQLITE_OK
  }

  private static func close(_ pointer: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> Int32 {
    pointer?.withMemoryRebound(to: csqlite_cursor.self, capacity: 1) { cursor in
      if let owner = cursor.pointee.owner { Unmanaged<CursorBox>.fromOpaque(owner).release() }
    }
    sqlite3_free(pointer)
    return SQLITE_OK
  }

  private static func reporting(_ cursor: any SQLCursor, _ body: () throws -> Void) -> Int32 {
    do {
      try body()
      return SQLITE_OK
    } catch { return cursor.reader.fail(error) }
  }

  /// Lives as long as the process; nil if there is not enough memory.
  static nonisolated(unsafe) let module: UnsafePointer<sqlite3_module>? = {
    let module = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
    module.initialize(to: sqlite3_module())
    module.pointee.iVersion = 1
    module.pointee.xCreate = { connection, context, count, arguments, result, _ in
      SQLTable.connect(connection, context, count, arguments, result)
    }
    module.pointee.xConnect = module.pointee.xCreate
    module.pointee.xBestIndex = { pointer, info in
      guard let table = SQLTable.table(pointer), let info else { return SQLITE_ERROR }
      table.choosePlan(info)
      return SQLITE_OK
    }
    module.pointee.xDisconnect = { SQLTable.disconnect($0) }
    module.pointee.xDestroy = { SQLTable.disconnect($0) }
    module.pointee.xOpen = { SQLTable.open($0, $1) }
    module.pointee.xClose = { SQLTable.close($0) }
    module.pointee.xFilter = { pointer, number, text, count, arguments in
      guard let cursor = SQLTable.cursor(pointer) else { return SQLITE_ERROR }
      let comparisons = text.map { SQLComparison.all(in: String(cString: $0)) } ?? []
      let values = (0..<Int(count)).compactMap { arguments?[$0] }
      return SQLTable.reporting(cursor) { try cursor.begin(Search(number: number), comparisons, values) }
    }
    module.pointee.xNext = { pointer in
      guard let cursor = SQLTable.cursor(pointer) else { return SQLITE_ERROR }
      return SQLTable.reporting(cursor) { try cursor.next() }
    }
    module.pointee.xEof = { SQLTable.cursor($0)?.isAtEnd == false ? 0 : 1 }
    module.pointee.xColumn = { pointer, context, column in
      guard let cursor = SQLTable.cursor(pointer), let context else { return SQLITE_ERROR }
      return SQLTable.reporting(cursor) { try cursor.give(Int(column), to: context) }
    }
    module.pointee.xRowid = { pointer, result in
      result?.pointee = SQLTable.cursor(pointer)?.rowID ?? 0
      return SQLITE_OK
    }
    return UnsafePointer(module)
  }()
}
