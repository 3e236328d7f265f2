import RealmExchange
import RealmStorage

extension RealmInput {
  /// The SQLite database at a path; nil if it is something else.
  ///
  /// - Throws: `Diagnostic` if it is not one that an export has written, or if an older snapshot of it is wanted.
  func database() throws -> RelationalFile? {
    guard !isStandardInput, let isDatabase = try? RelationalFile.isDatabase(at: path), isDatabase else { return nil }
    guard snapshot == .live else {
      throw Diagnostic(
        .usage, .invalidInput, path: name, "a SQLite database has no older snapshots", advice: "omit --snapshot")
    }
    return try readingDatabase {
      let file = try RelationalFile(path)
      try file.requireOwners()
      return file
    }
  }

  /// Runs `body`, and turns errors of the database into messages for the user.
  func readingDatabase<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let problem as DatabaseError {
      throw Diagnostic(problem, path: name)
    }
  }
}

/// One side of a comparison.
enum ComparedFile {
  case realm(OpenedRealm)
  case database(RelationalFile)

  var content: RealmDifference.Content {
    switch self {
    case .realm(let realm): .realm(realm.snapshot)
    case .database(let file): .database(file)
    }
  }

  /// Full names of its tables, damaged ones too.
  var tableNames: [RealmString] {
    switch self {
    case .realm(let realm): realm.snapshot.tables.map(\.schema.name) + realm.snapshot.damagedTables.map(\.name)
    case .database(let file): file.schema.tables.map(\.name)
    }
  }

  var version: UInt64? {
    if case .realm(let realm) = self { realm.snapshot.version } else { nil }
  }

  func warnIfHeld(on console: Console) {
    if case .realm(let realm) = self { realm.warnIfHeld(on: console) }
  }
}
