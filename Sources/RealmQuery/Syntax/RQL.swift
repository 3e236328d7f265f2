/// The Realm Query Language: text and meaning, without a file.
package enum RQL {
  /// How deep parentheses, `NOT`, `SUBQUERY` and chains of arithmetic may be nested.
  package static let depthLimit = 200
  /// How many bytes a query may have.
  package static let lengthLimit = 1 << 20
  /// How many links or keys may follow the first name of a key path.
  package static let hopLimit = 64
  /// How many objects or values one object's key path may lead to, where more than one of its links leads to many.
  package static let wayLimit = 1 << 20
  /// How many ways may lead from one object to another, where ways are counted and not walked.
  package static let countedWayLimit = 1 << 40

  /// Reads a query; names and types are not looked at.
  ///
  /// Any text gives a tree or a `QueryError` with `Code.syntaxError`.
  package static func parse(
    _ text: String, dialect: Dialect = .standard
  ) throws(QueryError) -> QuerySyntax {
    var parser = try Parser(text, dialect)
    return try parser.parseQuery()
  }

  /// Reads a key path, as in the columns of a table: `boss.name`, `dogs.@count`, `dogs.@max.age`.
  package static func parseKeyPath(
    _ text: String, dialect: Dialect = .standard
  ) throws(QueryError) -> ExpressionSyntax {
    var parser = try Parser(text, dialect)
    return try parser.parseKeyPath()
  }

  /// Reads a region as `GEOWITHIN` has it on its right: arguments may be such texts.
  package static func parseRegion(
    _ text: String, dialect: Dialect = .standard
  ) throws(QueryError) -> GeoRegionSyntax {
    var parser = try Parser(text, dialect)
    let region = try parser.parseRegion()
    try parser.expect(.end)
    return region
  }

  /// Reads a constant, as arguments are written.
  package static func parseConstant(
    _ text: String, dialect: Dialect = .standard
  ) throws(QueryError) -> ExpressionSyntax {
    var parser = try Parser(text, dialect)
    let constant = try parser.parseOperand().tree
    try parser.expect(.end)
    return constant
  }
}
