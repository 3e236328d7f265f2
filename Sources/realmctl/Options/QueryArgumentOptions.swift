import ArgumentParser
import RealmQuery
import RealmStorage

/// What belongs to a query besides its text.
struct QueryArgumentOptions: ParsableArguments {
  @Option(
    name: .customLong("arg"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("The next of the values for $0, $1, ... in the query; may be repeated.", valueName: "value"))
  var values: [String] = []

  @Option(help: ArgumentHelp("All values for $0, $1, ... as a JSON array.", valueName: "json"))
  var args: String?

  @Flag(help: "Answer as Realm Core does, even where that is a defect.")
  var rqlCompat = false

  /// - Throws: `ValidationError`.
  func query(_ text: String) throws -> QueryText {
    if args != nil, !values.isEmpty { throw ValidationError("--arg and --args exclude each other.") }
    return QueryText(text: text, values: values, json: args, dialect: rqlCompat ? .reference : .standard)
  }

  /// Whether any of the options is given.
  var isGiven: Bool { !values.isEmpty || args != nil || rqlCompat }
}

/// A query as it was typed.
struct QueryText: Equatable, Sendable {
  var text: String
  var values: [String] = []
  /// A JSON array in place of the values.
  var json: String?
  var dialect = Dialect.standard

  /// Gives the query its meaning in a class.
  ///
  /// - Throws: `Diagnostic`, exit 8.
  func bind(to table: Table, in realm: Snapshot, of input: RealmInput) throws -> Query {
    try Diagnostic.ofQuery(text, path: input.name) {
      let arguments = try json.map { try QueryArgument.arguments(json: $0) } ?? values.map { QueryArgument(text: $0) }
      return try Query(text, arguments: arguments, of: table, in: realm, dialect: dialect)
    }
  }
}
