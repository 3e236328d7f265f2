import ArgumentParser
import RealmQuery
import RealmStorage

/// What belongs to a query apart from its text.
struct QueryArgumentOptions: ParsableArguments {
  @Option(
    name: .customLong("arg"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Value for $0, then $1 and so on; repeatable.", valueName: "value"))
  var values: [String] = []

  @Option(help: ArgumentHelp("Values for $0, $1 and so on, as a JSON array.", valueName: "json"))
  var args: String?

  @Flag(help: "Match Realm Core's results, bugs included.")
  var rqlCompat = false

  /// - Throws: `ValidationError`.
  func query(_ text: String) throws -> QueryInput {
    if args != nil, !values.isEmpty { throw ValidationError("--arg and --args cannot be used together.") }
    return QueryInput(text: text, values: values, json: args, dialect: rqlCompat ? .reference : .standard)
  }

  /// Whether any of the options is given.
  var isGiven: Bool { !values.isEmpty || args != nil || rqlCompat }
}

/// A query as it was typed.
struct QueryInput: Equatable, Sendable {
  var text: String
  var values: [String] = []
  /// A JSON array in place of the values.
  var json: String?
  var dialect = Dialect.standard

  /// Gives the query its meaning in a class.
  ///
  /// - Throws: `Diagnostic`, exit 8.
  func bind(
    to table: Table, in realm: Snapshot, of input: RealmInput, inverses: InverseNames
  ) throws -> Query {
    try Diagnostic.ofQuery(text, path: input.name) {
      let arguments = try json.map { try QueryArgument.arguments(json: $0) } ?? values.map { QueryArgument(text: $0) }
      do {
        return try Query(text, arguments: arguments, of: table, in: realm, dialect: dialect, inverses: inverses)
      } catch var error as QueryError {
        if let number = error.missingArgument { error.advice = "$\(number) has no value; give one with --arg" }
        throw error
      }
    }
  }
}
