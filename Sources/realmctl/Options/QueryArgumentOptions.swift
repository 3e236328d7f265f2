import ArgumentParser
import RealmQuery
import RealmStorage
import RealmText

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

  /// - Throws: `UsageError`.
  func query(_ text: String) throws -> QueryInput {
    if args != nil, !values.isEmpty { throw UsageError("--arg and --args cannot be used together") }
    return QueryInput(text: text, values: values, json: args, dialect: rqlCompat ? .reference : .standard)
  }

  /// The first of the options that is given.
  var given: String? {
    (["--arg": !values.isEmpty, "--args": args != nil, "--rql-compat": rqlCompat] as KeyValuePairs).given
  }
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
        switch error.cause {
        case .missingArgument(let number):
          // Others count from 1.
          let counts = number > 0 && !text.contains("$0")
          error.advice =
            counts ? "the first value is that of $0" : "$\(number) has no value; give one with --arg"
        case .argumentType(let number, let type): error.advice = error.advice ?? advice(onValue: number, for: type)
        default: break
        }
        throw error
      }
    }
  }

  /// How to give a value so that it has the type of what it is compared with.
  private func advice(onValue number: Int, for type: String) -> String? {
    let typed = values.indices.contains(number) ? values[number] : ""
    func option(_ value: String) -> String { ShellText.command(["--arg", value]) }
    switch type {
    case "string": return "put text that looks like a number in quotes: \(option("\"\(typed)\""))"
    case _ where typed.hasPrefix("["):
      return "write a list in braces: " + option("{" + typed.dropFirst().prefix { $0 != "]" } + "}")
    case "int": return "give a number, as in --arg 7"
    case "float", "double", "decimal128": return "give a number, as in --arg 7.5"
    case "bool": return "give --arg true or --arg false"
    case "timestamp":
      let date = typed.replacing(" ", with: "T")
      let isDate = if case .value(.date) = QueryArgument(text: date) { true } else { false }
      return "give a date, as in " + option(isDate ? date : "2024-12-31T23:59:59Z")
    case "objectId":
      let isID = typed.count == 24 && typed.allSatisfy(\.isHexDigit)
      return "give an object id, as in " + option("oid(\(isID ? typed : "507f1f77bcf86cd799439011"))")
    case "uuid":
      let isUUID = RealmUUID(text: typed) != nil
      return "give a UUID, as in " + option("uuid(\(isUUID ? typed : "01234567-89ab-cdef-0123-456789abcdef"))")
    default: return nil
    }
  }
}
