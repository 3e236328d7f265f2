/// `SORT`, `DISTINCT` and `LIMIT`.
extension Parser {
  mutating func parseOrdering() throws(QueryError) -> [OrderingSyntax] {
    var steps: [OrderingSyntax] = []
    while true {
      switch token.kind {
      case .sort: steps.append(try parseSort())
      case .distinct: steps.append(try parseDistinct())
      case .limit: steps.append(try parseLimit())
      default: return steps
      }
    }
  }

  private mutating func parseSort() throws(QueryError) -> OrderingSyntax {
    let start = try advance().range
    try expect(.leftParenthesis)
    var keys: [SortKeySyntax] = []
    repeat {
      let path = try parsePath(expected: [.ascending, .descending, .dot, .leftBracket])
      guard token.kind == .ascending || token.kind == .descending else {
        throw unexpected([.ascending, .descending, .dot, .leftBracket])
      }
      keys.append(SortKeySyntax(path: path, isAscending: try advance().kind == .ascending))
    } while try take(.comma)
    let end = try expect(.rightParenthesis, [.rightParenthesis, .comma]).range
    return .sort(keys, range: start.joined(with: end))
  }

  private mutating func parseDistinct() throws(QueryError) -> OrderingSyntax {
    let start = try advance().range
    try expect(.leftParenthesis)
    var paths: [PathSyntax] = []
    repeat { paths.append(try parsePath(expected: [.rightParenthesis, .comma])) } while try take(.comma)
    let end = try expect(.rightParenthesis, [.rightParenthesis, .comma]).range
    return .distinct(paths, range: start.joined(with: end))
  }

  /// A path of single values: an index has no meaning in it, and makes the reference fail with an internal error.
  private mutating func parsePath(expected: [TokenKind]) throws(QueryError) -> PathSyntax {
    let path = try parsePath()
    for element in path.elements {
      switch element.kind {
      case .index, .last, .all:
        let other = expected.filter { $0 != .leftBracket }.map(\.rawValue).joined(separator: " or ")
        throw literals.syntaxError(
          "syntax error, unexpected \(literals.source(element.range)), expecting \(other)", at: element.range)
      default: continue
      }
    }
    return path
  }

  private mutating func parseLimit() throws(QueryError) -> OrderingSyntax {
    let start = try advance().range
    try expect(.leftParenthesis)
    let range = token.range
    let limit: LimitSyntax
    if token.kind == .argument, literals.dialect == .standard {
      limit = .argument(literals.index(SourceRange(range.start + 1, range.end)), range: range)
    } else {
      guard token.kind == .natural else { throw unexpected([.natural]) }
      limit = .count(try literals.count(range))
    }
    try advance()
    let end = try expect(.rightParenthesis).range
    return .limit(limit, range: start.joined(with: end))
  }
}
