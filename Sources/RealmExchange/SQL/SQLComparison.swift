import CSQLite
import RealmQuery
import RealmStorage

/// A comparison of a number in a column with a constant, which the scan of queries answers leaf by leaf.
///
/// It may let objects through that SQLite then leaves out, and none the other way round: NaN, which a column shows as
/// something else, always passes.
struct SQLComparison: Equatable {
  private enum Operation: Character {
    case equal = "="
    case less = "<"
    case lessOrEqual = "l"
    case greater = ">"
    case greaterOrEqual = "g"

    init?(_ number: UInt8) {
      switch Int32(number) {
      case SQLITE_INDEX_CONSTRAINT_EQ: self = .equal
      case SQLITE_INDEX_CONSTRAINT_LT: self = .less
      case SQLITE_INDEX_CONSTRAINT_LE: self = .lessOrEqual
      case SQLITE_INDEX_CONSTRAINT_GT: self = .greater
      case SQLITE_INDEX_CONSTRAINT_GE: self = .greaterOrEqual
      default: return nil
      }
    }

    var opposite: ComparisonOperator {
      switch self {
      case .equal: .notEqual
      case .less: .greaterOrEqual
      case .lessOrEqual: .greater
      case .greater: .lessOrEqual
      case .greaterOrEqual: .less
      }
    }

    var comparison: ComparisonOperator {
      switch self {
      case .equal: .equal
      case .less: .less
      case .lessOrEqual: .lessOrEqual
      case .greater: .greater
      case .greaterOrEqual: .greaterOrEqual
      }
    }
  }

  private let property: Int
  private let operation: Operation

  /// - Parameter operation: SQLite's number.
  /// - Returns: nil if the scan does not support this comparison.
  init?(_ index: Int, _ property: Property, operation: UInt8) {
    guard property.collection == nil, [.int, .double].contains(property.type), let operation = Operation(operation)
    else {
      return nil
    }
    (self.property, self.operation) = (index, operation)
  }

  private init?(word: Substring) {
    guard let operation = word.first.flatMap(Operation.init), let property = Int(word.dropFirst()) else { return nil }
    (self.property, self.operation) = (property, operation)
  }

  /// The part of the comparison that SQLite keeps.
  var text: String { "\(operation.rawValue)\(property)" }

  static func all(in text: String) -> [SQLComparison] {
    text.split(separator: " ").compactMap { SQLComparison(word: $0) }
  }

  /// The scan that answers the comparisons with these arguments; nil if none of them is useful.
  static func matcher(
    _ comparisons: [SQLComparison], _ arguments: [OpaquePointer], of table: Table, in snapshot: Snapshot
  ) -> QueryMatcher? {
    let parts = zip(comparisons, arguments).compactMap { $0.predicate($1, of: table) }
    guard let first = parts.first else { return nil }
    let predicate = parts.count == 1 ? first : .and(parts, range: SourceRange(0, 0))
    let syntax = QuerySyntax(text: "", dialect: .standard, predicate: predicate, steps: [])
    return try? Query(syntax, of: table, in: snapshot).matcher()
  }

  private func predicate(_ argument: OpaquePointer, of table: Table) -> PredicateSyntax? {
    guard table.schema.properties.indices.contains(property) else { return nil }
    let schema = table.schema.properties[property]
    let value: Value
    switch (schema.type, sqlite3_value_type(argument)) {
    case (.int, SQLITE_INTEGER): value = .int(sqlite3_value_int64(argument))
    case (.double, SQLITE_FLOAT): value = .double(sqlite3_value_double(argument))
    default: return nil
    }
    // NaN also passes among doubles, although no comparison is true for it.
    let isDouble = schema.type == .double
    let comparison = PredicateSyntax.comparison(
      of: schema.name.description, isDouble ? operation.opposite : operation.comparison, value)
    return isDouble && operation != .equal ? .not(comparison, range: SourceRange(0, 0)) : isDouble ? nil : comparison
  }
}
