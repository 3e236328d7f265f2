import RealmQuery
import RealmStorage
import RealmText

extension Diagnostic {
  /// Runs `body`, and turns an error in a query into a message for the user.
  ///
  /// - Parameter text: the query, which is shown with the place marked.
  static func ofQuery<Result>(_ text: String, path: String, _ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as QueryError { throw Diagnostic(error, in: text, path: path) }
  }

  /// The same for a key path in an option, where whatever is wrong is wrong with the name of a property, and not a
  /// mistake in a query.
  static func ofKeyPath<Result>(_ text: String, path: String, _ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as QueryError {
      var diagnostic = Diagnostic(error, in: text, path: path)
      if case .unknownName? = error.cause { (diagnostic.status, diagnostic.code) = (.notFound, .invalidProperty) }
      if error.code == .syntaxError {
        (diagnostic.status, diagnostic.code) = (.notFound, .invalidProperty)
        diagnostic.problem = "'\(ShownText.beginning(of: text))' is not the name of a property"
        let words = text.split(separator: " ")
        let areNames = words.allSatisfy { $0.allSatisfy { $0.isLetter || $0.isNumber || "_.@".contains($0) } }
        let areSeparated = text.split(separator: ",").count > 1 && !text.contains(" ")
        diagnostic.advice =
          areSeparated
          ? "name one property; some options can be repeated"
          : words.count > 1 && areNames
            ? "separate names with commas" : "write a name, or a path through links such as dog.name"
      }
      throw diagnostic
    }
  }

  /// - Parameters:
  ///   - text: the query, or the key path.
  ///   - path: of the realm.
  init(_ error: QueryError, in text: String, path: String?) {
    if case .damage(let what, let damage) = error.cause, let path {
      self.init(what, because: damage, path: path)
      return
    }
    let code: ErrorCode =
      switch error.code {
      case .syntaxError: .syntaxError
      case .invalidQuery: .invalidQuery
      case .invalidQueryArg: .invalidQueryArg
      case .invalidSortDescriptor: .invalidSortDescriptor
      case .invalidArgument: .invalidArgument
      case .illegalOperation: .illegalOperation
      case .invalidProperty: .invalidProperty
      }
    // A syntax error quotes the whole query.
    let shown = ShownText.beginning(of: text)
    let message = shown == text ? error.message : error.message.replacing(text, with: shown)
    self.init(.query, code, path: path, message, advice: error.advice)
    if error.cause == .argumentText { self.path = nil }
    if error.code == .syntaxError { cause = .query(text) }
    guard text.contains(where: { !$0.isWhitespace }) else {
      (problem, advice, cause) = ("the query is empty", "TRUEPREDICATE matches all objects", .query(""))
      return
    }
    guard let place = error.place(in: text) else { return }
    source = SourceMark(line: place.line, column: place.column, picture: error.picture(in: text) ?? "")
  }
}

extension QueryInput {
  /// - Throws: `Diagnostic` if the query is the name of a property.
  func requireNoProperty(of table: Table, path: String) throws {
    let words = self.text.split(separator: " ")
    let text = words.count == 1 ? String(words[0]) : self.text
    func isName(_ text: Substring) -> Bool { table.schema.property(named: RealmString(String(text))) != nil }
    let names = text.split(separator: ",")
    guard names.count < 2 || !names.allSatisfy(isName) else {
      throw Diagnostic(
        .query, .syntaxError, path: path, "'\(text)' is a list of properties, not a query",
        advice: "to show only these, use --columns \(text)")
    }
    guard isName(text[...]) else { return try requireNoValue(text, of: table, path: path) }
    throw Diagnostic(
      .query, .syntaxError, path: path, "'\(text)' is a property, not a query",
      advice: "write \(text) == VALUE, or --columns \(text) to show only that", because: .query(text))
  }

  /// - Throws: `Diagnostic` if the query is one word, which is the value of a property at best.
  private func requireNoValue(_ text: String, of table: Table, path: String) throws {
    let words = ["truepredicate", "falsepredicate", "true", "false", "sort", "distinct", "limit", "select", "where"]
    guard !text.isEmpty, text.allSatisfy({ $0.isLetter || $0.isNumber }), !words.contains(text.lowercased()),
      text.allSatisfy(\.isNumber) || RQL.written(RealmString(text)) == text
    else { return }
    let names = table.schema.properties.map(\.name.description) + ["TRUEPREDICATE", "FALSEPREDICATE"]
    if let question = Similarity.question(about: text, among: names) {
      throw Diagnostic(
        .query, .syntaxError, path: path, "'\(ShownText.beginning(of: text))' is not a query", advice: question)
    }
    let isNumber = text.allSatisfy(\.isNumber)
    let key = table.schema.primaryKey
    let texts = table.schema.properties.filter { $0.type == .string && $0.collection == nil }
    let meant = isNumber ? key.flatMap { $0.type == .int ? $0 : nil } : texts.first { $0.name == "name" } ?? texts.first
    guard let meant else { return }
    throw Diagnostic(
      .query, .syntaxError, path: path, "'\(ShownText.beginning(of: text))' is a value, not a query",
      advice: "compare a property with it, such as \(RQL.written(meant.name)) == "
        + (isNumber ? text : "\"\(ShownText.beginning(of: text))\""))
  }
}

extension Console {
  /// Warns about a value that the query does not use, which is likely to be meant for something in it.
  func warn(ofUnusedValues query: QueryInput, path: String) {
    guard let index = query.values.indices.first(where: { !query.text.contains("$\($0)") }) else { return }
    let value = ShownText.beginning(of: query.values[index])
    warn(
      Diagnostic(
        .done, .invalidQueryArg, path: path, "--arg '\(value)' is not used", advice: "write $\(index) in the query"))
  }

  /// Warns about parts of a query that may not mean what they seem to.
  ///
  /// - Parameter isEmpty: whether the query found nothing.
  func warn(of query: Query, foundNothing isEmpty: Bool, path: String) {
    warn(of: query.warnings, foundNothing: isEmpty, path: path)
  }

  func warn(of warnings: [QueryWarning], foundNothing isEmpty: Bool, path: String) {
    for warning in warnings {
      switch warning {
      case .missingObject(let className, let primaryKey, _):
        warn(
          Diagnostic(
            .done, .noSuchTable, path: path, "class '\(className)' has no object with the primary key \(primaryKey)",
            advice: "== matches nothing and != matches everything"))
      case .orderedList(let list, _):
        guard isEmpty else { continue }
        warn(
          Diagnostic(
            .done, .invalidQuery, path: path, "'\(list) IN {...}' compares the lists element by element",
            advice: "write 'ANY \(list) IN {...}' to find lists that contain one of the values"))
      case .percentInPattern(let pattern, _):
        guard isEmpty else { continue }
        warn(
          Diagnostic(
            .done, .invalidQuery, path: path,
            "'%' is an ordinary character in LIKE \"\(ShownText.beginning(of: pattern))\"",
            advice: "use * for any characters, ? for one"))
      case .notText(let property, let values, let advice, _):
        guard isEmpty else { continue }
        warn(
          Diagnostic(
            .done, .invalidQuery, path: path, "the values of '\(property)' \(values), not text", advice: advice))
      case .numberAsDate(let date, _):
        warn(
          Diagnostic(
            .done, .invalidQuery, path: path, "'\(date)' is compared with the result of a calculation",
            advice: "write dates as year-month-day, such as 2024-01-31"))
      }
    }
  }
}
