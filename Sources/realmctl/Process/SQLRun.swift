import RealmExchange
import RealmModels
import RealmQuery
import RealmStorage
import RealmText

/// Runs SQL for a command.
struct SQLRun {
  private let request: SQLCommand.Request
  private let realm: OpenedRealm
  private let sink: OutputSink
  private let console: Console

  init(_ request: SQLCommand.Request, _ realm: OpenedRealm, _ sink: OutputSink, _ console: Console) {
    (self.request, self.realm, self.sink, self.console) = (request, realm, sink, console)
  }

  static let noStatement = Diagnostic(
    .usage, .invalidInput, "missing SQL statement",
    advice: "give one as an argument, or on standard input: realmctl sql FILE < statements.sql")

  /// The text on standard input.
  ///
  /// - Throws: `Diagnostic` on a terminal, where the user would not know that input is expected.
  static func readStatements() throws -> String {
    guard !StandardError.hasConversation else { throw noStatement }
    let bytes: [UInt8]
    do { bytes = try TextInput.read("-") } catch let error as StorageError {
      throw Diagnostic(error, path: "standard input")
    }
    guard let text = String(utf8: bytes) else {
      throw Diagnostic(.query, .syntaxError, path: "standard input", "the SQL is not UTF-8 text")
    }
    return text
  }

  /// - Returns: what could not be read.
  /// - Throws: `Diagnostic`.
  func run(_ statements: [String]) throws -> MissingParts {
    guard statements.contains(where: { !$0.allSatisfy { $0.isWhitespace || $0 == ";" } }) else {
      throw Self.noStatement
    }
    let session = try makeSession()
    var missing = MissingParts(
      tables: realm.damagedTables(in: .all, includesInternal: request.includesInternalTables))
    for statement in statements {
      if let command = DotCommand(statement) {
        try answer(command, session)
      } else {
        try run(statement, session, &missing)
      }
    }
    missing.reports.append(session.takeReport())
    return missing
  }

  /// Bytes of memory that SQLite may use, with and without temporary files.
  fileprivate static let memory = 256 << 20
  private static let memoryOffDisk = 128 << 20

  /// The rows of an encrypted realm are not sorted in unencrypted files.
  private var keepsOffDisk: Bool { realm.bytes.isEncrypted && !request.allowsTemporaryFiles }

  private func makeSession() throws -> SQLSession {
    let snapshot = realm.snapshot
    var tables = snapshot.tables.filter { request.includesInternalTables || $0.schema.isClass }
    while true {
      do {
        let plan = try RelationalPlan(
          snapshot, options: ExportOptions(format: .sqlite, tables: tables), dates: request.dates, isWhole: true)
        SQLSession.limitMemory(keepsOffDisk ? Self.memoryOffDisk : Self.memory)
        return try SQLSession(snapshot, plan, keepsOffDisk: keepsOffDisk)
      } catch let error as DatabaseError {
        let diagnostic = Diagnostic(error, path: request.input.name)
        guard case .tooWide(let table) = error else { throw diagnostic }
        // The others can still be asked.
        var warning = diagnostic
        warning.advice = "the class is left out"
        console.warn(warning)
        tables.removeAll { $0.schema.displayName == table.className }
      }
    }
  }

  private func run(_ statement: String, _ session: SQLSession, _ missing: inout MissingParts) throws {
    var rows: ResultRows?
    func finish() throws {
      if let report = try rows?.finish("row") { missing.reports.append(report) }
      rows = nil
    }
    do {
      try session.run(statement) { names in
        try finish()
        rows = makeRows(names)
      } row: { values in
        try rows?.append(values)
      }
    } catch DatabaseError.statement(let failure) {
      // The rows printed before are right.
      try finish()
      if case .unknownTable(let table) = failure.reason { try requireReadable(table) }
      var diagnostic = Diagnostic(
        failure, path: request.input.name, memory: keepsOffDisk ? Self.memoryOffDisk : Self.memory)
      diagnostic.advice = diagnostic.advice ?? advice(on: failure, session)
      throw diagnostic
    }
    try finish()
  }

  /// - Parameter table: as it was typed; SQL knows only tables that can be read.
  /// - Throws: `Diagnostic` for a class that the file has, and that cannot be read.
  private func requireReadable(_ table: String) throws {
    let damaged = realm.snapshot.damagedTables.map { TableSchema.displayName(ofTable: $0.name) }
    let typed = table.lowercased().replacing(/^main\./, with: "")
    // Tables of collections have the name of the class first: Person.dogs.
    try realm.requireReadable(.only(damaged.filter { (typed + ".").hasPrefix($0.description.lowercased() + ".") }))
  }

  /// The table or column that may be meant by a name that SQLite does not know, or what other programs call differently.
  private func advice(on failure: SQLFailure, _ session: SQLSession) -> String? {
    switch failure.reason {
    case .incomplete:
      return request.statements?.count ?? 0 > 1
        ? "put the whole statement in quotes, as one argument" : "something is missing at the end of the statement"
    case .unknownTable(let table):
      // A point separates a database from its table.
      if let known = session.tableNames.first(where: { $0.lowercased() == table.lowercased() }) {
        return "put the name in double quotes: \"\(known)\""
      }
      return Similarity.question(about: table, among: session.tableNames) ?? Self.listsTables
    case .unknownColumn(let name):
      guard let column = name.split(separator: ".").last else { return nil }
      // Only classes without a primary key have one.
      if column == "_key" { return "a class with a primary key has no _key" }
      if let advice = join(for: name) { return advice }
      if let table = session.tableNames.first(where: { $0.hasSuffix(".\(column)") }) {
        return "it is a table of its own: \"\(table)\""
      }
      return Similarity.question(about: String(column), among: session.columnNames.filter { $0 != column })
        ?? Self.quotes(around: name, failure) ?? "'.schema' lists the columns"
    case .openQuote: return "close the quote"
    case .unreadable, .outOfMemory, .tooLarge, .refused, .other:
      return failure.offset == 0 ? meaning(of: failure.statement, session) : nil
    }
  }

  private static let listsTables = "'.tables' lists the tables"

  /// For a word that something is compared with, as in `name = Rex`; nil for a word in another place.
  private static func quotes(around name: String, _ failure: SQLFailure) -> String? {
    guard let offset = failure.offset, let start = String(failure.statement.utf8.prefix(offset)) else { return nil }
    let before = start.lowercased().split(whereSeparator: \.isWhitespace).last ?? ""
    guard before.hasSuffix("=") || ["<>", "<", ">", "like", "glob"].contains(before) else { return nil }
    let word = name.split(separator: " ").last ?? ""
    let bare = word.trimmingPrefix { "“”„‘’«»".contains($0) }.prefix { !"“”„‘’«»".contains($0) }
    return bare == word ? "put text in quotes: '\(word)'" : "use straight quotes: '\(bare)'"
  }

  /// For a path through a link, as RQL has them: `owner.name`; nil for other columns.
  private func join(for column: String) -> String? {
    let path = column.split(separator: ".")
    guard path.count == 2 else { return nil }
    let links = realm.snapshot.tables.flatMap { $0.schema.properties.filter { $0.type == .object } }
    guard let link = links.first(where: { $0.name == RealmString(String(path[0])) && $0.collection == nil }),
      let target = realm.snapshot.tables.first(where: { $0.schema.name == link.target })?.schema
    else { return nil }
    let key = target.primaryKey.map { "\($0.name)" } ?? "_key"
    let name = "\(target.displayName)"
    return "join the class that it links to: JOIN \(name) ON \(name).\(key) = \(path[0])"
  }

  /// The word that was meant by the first one of a statement.
  private static func beginning(of statement: some StringProtocol) -> String {
    let words = ["SELECT", "WITH", "VALUES", "EXPLAIN"]
    return Similarity.nearest(to: statement.uppercased(), among: words).map { "did you mean \($0)?" }
      ?? "begin with SELECT, such as SELECT * FROM TABLE"
  }

  /// What to write for a statement that begins with another word than those of SQL.
  private func meaning(of statement: String, _ session: SQLSession) -> String? {
    switch statement.lowercased().prefix(while: { $0.isLetter }) {
    case "tables", "show": return "for the tables, write .tables"
    case "schema", "describe", "desc": return "for the columns, write .schema TABLE"
    case "truncate": return "to delete objects, use the command 'delete'"
    default: break
    }
    let words = statement.split(whereSeparator: \.isWhitespace)
    guard words.count > 1 else {
      guard let name = session.tableNames.first(where: { $0.lowercased() == statement.lowercased() }) else {
        guard statement.lowercased().hasSuffix(".sql") else { return Self.beginning(of: statement) }
        let line = ShellText.command(["realmctl", "sql", ShellText.path(request.input.path)])
        let path = statement.hasPrefix("@") ? String(statement.dropFirst()) : statement
        return "to run a file: \(line) < " + ShellText.command([ShellText.path(path)])
      }
      if let command = request.statements?.first, command.hasPrefix(".") {
        return "put the whole command in quotes, as one argument: '\(command) \(name)'"
      }
      return "for its rows, write SELECT * FROM \(name)"
    }
    let operators = ["==", "!=", "=", "<", ">", "<=", ">=", "beginswith", "endswith", "contains", "like", "in"]
    guard operators.contains(where: { words[1].lowercased() == $0 || words[1].lowercased() == $0 + "[c]" }) else {
      return Self.beginning(of: words[0])
    }
    return "SQL begins with SELECT; for RQL: "
      + ShellText.command(["realmctl", "query", ShellText.path(request.input.path), "CLASS", statement])
  }

  /// The names with a number where others have them already, as a join has them: an object of JSON has no name twice.
  private static func distinct(_ names: [String]) -> [String] {
    let own = Set(names)
    var taken: Set<String> = []
    var next: [String: Int] = [:]
    return names.map { name in
      guard !taken.insert(name).inserted else { return name }
      var number = next[name] ?? 2
      while own.contains("\(name)_\(number)") || taken.contains("\(name)_\(number)") { number += 1 }
      next[name] = number + 1
      taken.insert("\(name)_\(number)")
      return "\(name)_\(number)"
    }
  }

  private func makeRows(_ names: [String]) -> ResultRows {
    let format = request.format ?? .usual(for: request.destination, on: console)
    return ResultRows(
      format == .table || format.isTabular ? names : Self.distinct(names), numeric: [], of: "sql", format: format,
      ResultTarget(
        snapshot: realm.snapshot, sink: sink, console: console, path: request.input.name,
        isStandardOutput: request.destination == .standardOutput, moreColumns: "--verbose"))
  }

  private func answer(_ command: DotCommand, _ session: SQLSession) throws {
    switch command {
    case .tables: for name in session.tableNames { try sink.write(PrintableText.escaping(name) + "\n") }
    case .schema(let name):
      for table in name.map({ [$0] }) ?? session.tableNames {
        guard let text = session.creation(ofTable: table) else {
          try requireReadable(table)
          throw Diagnostic(
            .notFound, .noSuchTable, path: request.input.name, "no table '\(table)'",
            advice: Similarity.question(about: table, among: session.tableNames)
              ?? Self.listsTables)
        }
        try sink.write(text.split(separator: "\n").map { PrintableText.escaping(String($0)) + "\n" }.joined())
      }
    case .unknown(let word):
      throw Diagnostic(
        .query, .syntaxError, path: request.input.name, "unknown command '\(word)'",
        advice: Similarity.question(about: word, among: [".tables", ".schema"])
          ?? "the commands are: .tables, .schema [TABLE]")
    }
  }

  /// What is not SQL.
  private enum DotCommand {
    case tables
    case schema(String?)
    case unknown(String)

    init?(_ text: String) {
      let words = text.split(maxSplits: 1, whereSeparator: \.isWhitespace).map(String.init)
      guard let first = words.first, first.hasPrefix("."), !text.contains(";") else { return nil }
      switch first {
      case ".tables": self = words.count == 1 ? .tables : .unknown(text)
      case ".schema":
        self = .schema(words.count > 1 ? words[1].trimmingQuotes : nil)
      default: self = .unknown(first)
      }
    }
  }
}

extension String {
  /// Without spaces around it, and with double quotes as in SQL.
  fileprivate var trimmingQuotes: String {
    let text = String(String(reversed().drop(while: \.isWhitespace)).reversed())
    guard text.count > 1, text.hasPrefix("\""), text.hasSuffix("\"") else { return text }
    return String(text.dropFirst().dropLast()).replacing("\"\"", with: "\"")
  }
}

extension Diagnostic {
  /// A statement that SQLite does not understand, or that failed.
  fileprivate init(_ failure: SQLFailure, path: String, memory: Int) {
    switch failure.reason {
    case .unreadable(let error): self = Diagnostic(error, path: path)
    case .tooLarge: self.init(.failed, .fileOperationFailed, path: path, failure.message)
    case .outOfMemory:
      self.init(
        .failed, .fileOperationFailed, path: path, "the statement needs more than \(memory >> 20) MiB of memory",
        advice: memory == SQLRun.memory
          ? nil : "use --temp-files to let SQLite write temporary files, which are not encrypted")
    case .refused: self.init(refused: failure, path: path)
    case .unknownTable, .unknownColumn, .incomplete, .openQuote, .other: self.init(mistake: failure, path: path)
    }
  }

  private init(mistake failure: SQLFailure, path: String) {
    self.init(.query, .syntaxError, path: path, failure.message)
    guard let offset = failure.offset else { return }
    let end = failure.statement.utf8.dropFirst(offset).prefix { !" \n\t,;()".utf8.contains($0) }.count
    let error = QueryError(.syntaxError, failure.message, at: SourceRange(offset, offset + max(end, 1)))
    guard let place = error.place(in: failure.statement) else { return }
    source = SourceMark(
      line: place.line, column: place.column, picture: error.picture(in: failure.statement) ?? "")
  }

  /// A statement that does more than read the tables.
  private init(refused failure: SQLFailure, path: String) {
    let word = failure.statement.drop(while: \.isWhitespace).prefix(while: \.isLetter).lowercased()
    let (problem, advice): (String, String) =
      switch word {
      case "pragma": ("PRAGMA cannot be used", "for the columns, write '.schema TABLE'")
      case "attach", "detach":
        ("\(word.uppercased()) cannot be used", "'export --format sqlite' makes a database to attach others to")
      case "begin", "commit", "end", "rollback", "savepoint", "release":
        ("\(word.uppercased()) cannot be used", "nothing can be changed, so a transaction is not needed")
      case "vacuum": ("VACUUM cannot be used", "'compact' makes a realm smaller")
      case "reindex", "analyze": ("\(word.uppercased()) cannot be used", "nothing in the tables needs it")
      case "create", "drop", "alter":
        ("only statements that read are allowed", "'migrate' changes the schema")
      default:
        (
          "only statements that read are allowed", "to change objects, use the commands 'update', 'insert' and 'delete'"
        )
      }
    self.init(.query, .illegalOperation, path: path, problem, advice: advice)
  }
}
