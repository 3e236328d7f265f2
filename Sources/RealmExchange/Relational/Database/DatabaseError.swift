import CSQLite
import RealmModels

/// What SQLite reports about a database.
package struct SQLiteFault: Hashable, Sendable {
  /// The extended result code.
  let code: Int32
  /// In SQLite's words.
  package let message: String
  /// `errno` of the failed call; 0 if none failed.
  package let errorNumber: Int32

  /// Computing generated columns took longer than it may, or gave a value that is too long.
  package var isTooMuchWork: Bool { code & 0xff == SQLITE_INTERRUPT || code & 0xff == SQLITE_TOOBIG }
  package var isFull: Bool { code & 0xff == SQLITE_FULL }
  package var isInputOrOutput: Bool { code & 0xff == SQLITE_IOERR }
  /// A table or column does not exist, or the statement is wrong.
  var isOfStatement: Bool { code & 0xff == SQLITE_ERROR }
}

/// Why a database cannot be written, read, or asked.
package enum DatabaseError: Error, Hashable, Sendable {
  /// SQLite cannot read or write it.
  case sqlite(SQLiteFault)
  /// It has no `_realm_schema`, or one that this version does not read.
  case otherForm(String)
  /// It was exported for Room.
  case room
  /// Some of its changes are in another file, and only SQLite may apply them.
  case unfinished(String)
  /// Embedded objects that contain themselves, or one of them in millions of places.
  case endless
  /// What SQLite says is wrong with the file.
  case unsound(String)
  /// A class has more columns than SQLite takes.
  case tooWide(RelationalSchema.TooWide)
  /// A statement over a realm has no result, or only a part of it.
  case statement(SQLFailure)

  /// Why a row was refused: its key occurs twice, or it is too large. Nil for all other errors.
  var refusal: String? {
    guard case .sqlite(let fault) = self, [SQLITE_CONSTRAINT, SQLITE_TOOBIG].contains(fault.code & 0xff) else {
      return nil
    }
    return fault.message
  }
}
