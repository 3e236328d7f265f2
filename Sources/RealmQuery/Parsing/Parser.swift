import RealmText

/// Reads a query by recursive descent.
///
/// Like the reference, a syntax error names the unexpected token, and what was expected if that is at most four things.
/// How deep it recurses, and how deep the tree gets, is limited.
struct Parser {
  let literals: Literals
  private var lexer: Lexer
  /// The next token, not yet taken.
  private(set) var token: Token
  /// Of parentheses and subqueries that are open.
  private var nesting = 0

  init(_ text: String, _ dialect: Dialect) throws(QueryError) {
    guard text.utf8.count <= RQL.lengthLimit else {
      throw QueryError(
        .syntaxError,
        "The query has \(text.utf8.count) bytes, more than \(RQL.lengthLimit); give long lists as arguments ($0)",
        at: nil)
    }
    lexer = Lexer(text, dialect)
    literals = Literals(text: text, bytes: lexer.bytes, dialect: dialect)
    token = Token(kind: .end, range: SourceRange(0, 0))
    try advance()
  }

  // MARK: Tokens

  /// Takes the next token.
  @discardableResult mutating func advance() throws(QueryError) -> Token {
    let taken = token
    do {
      token = try lexer.next()
    } catch {
      let character = String(decoding: [error.byte], as: UTF8.self)
      let quote = character == "'" ? "\"" : "'"
      var mistake = literals.syntaxError("invalid character: \(quote)\(character)\(quote)", at: error.range)
      let rest = literals.source(SourceRange(error.range.end, lexer.bytes.count))
      let start = literals.source(SourceRange(0, error.range.start))
      // In a string, a backslash and a character that it cannot escape.
      let isEscape = error.range.end - error.range.start == 2
      mistake.advice =
        isEscape
        ? #"write \\ for a backslash"#
        : SyntaxAdvice.text(forCharacter: character, after: start, followedBy: rest[...])
      throw mistake
    }
    return taken
  }

  @discardableResult mutating func expect(_ kind: TokenKind) throws(QueryError) -> Token {
    try expect(kind, [kind])
  }

  /// Takes the next token if it is of the kind.
  @discardableResult mutating func expect(
    _ kind: TokenKind, _ expected: [TokenKind]
  ) throws(QueryError) -> Token {
    guard token.kind == kind else { throw unexpected(expected) }
    return try advance()
  }

  /// Takes the next token if it is of the kind.
  mutating func take(_ kind: TokenKind) throws(QueryError) -> Bool {
    guard token.kind == kind else { return false }
    try advance()
    return true
  }

  /// - Parameter expected: what could stand there, in the order of the cases; none if it is more than four things.
  func unexpected(_ expected: [TokenKind] = []) -> QueryError {
    var detail = "syntax error, unexpected \(found)"
    if !expected.isEmpty { detail += ", expecting " + expected.map(\.rawValue).joined(separator: " or ") }
    var error = literals.syntaxError(detail, at: token.range)
    error.advice = SyntaxAdvice.text(for: token, in: literals, expecting: expected)
    return error
  }

  /// What messages call the next token: operators that have a word and a sign are called what was typed.
  private var found: String {
    switch token.kind {
    case .natural: "number"
    case .and, .or, .not: literals.source(token.range)
    default: token.kind.rawValue
    }
  }

  /// Runs `body` one level deeper.
  mutating func nested<Result>(
    _ range: SourceRange, _ body: (inout Parser) throws(QueryError) -> Result
  ) throws(QueryError) -> Result {
    try check(depth: nesting + 1, range)
    nesting += 1
    defer { nesting -= 1 }
    return try body(&self)
  }

  func check(depth: Int, _ range: SourceRange) throws(QueryError) {
    guard depth > RQL.depthLimit else { return }
    throw literals.syntaxError("nested more than \(RQL.depthLimit) levels deep", at: range)
  }

  // MARK: Queries

  /// A tree, and how deep it is.
  struct Sized<Tree> {
    var tree: Tree
    var depth: Int
  }

  /// What parentheses may contain: a query, or one side of a comparison.
  enum Operand {
    case query(Sized<PredicateSyntax>)
    case expression(Sized<ExpressionSyntax>)
  }

  mutating func parseQuery() throws(QueryError) -> QuerySyntax {
    let isWhole = beginsWithOrdering
    let predicate =
      isWhole ? Sized(tree: .constant(true, range: SourceRange(0, 0)), depth: 0) : try parsePredicate()
    let steps = try parseOrdering()
    try expect(.end)
    return QuerySyntax(text: literals.text, dialect: literals.dialect, predicate: predicate.tree, steps: steps)
  }

  /// Whether there is no predicate, which means all objects: `SORT(name ASC)`. Properties may have such names, but no
  /// parenthesis follows them.
  private var beginsWithOrdering: Bool {
    guard literals.dialect == .standard, [.sort, .distinct, .limit].contains(token.kind) else { return false }
    var ahead = lexer
    return (try? ahead.next())?.kind == .leftParenthesis
  }

  mutating func parsePredicate() throws(QueryError) -> Sized<PredicateSyntax> {
    guard case .query(let query) = try parseOr(allowsExpression: false) else { throw unexpected() }
    return query
  }

  /// - Parameter allowsExpression: whether the text may turn out to be one side of a comparison, in parentheses.
  private mutating func parseOr(allowsExpression: Bool) throws(QueryError) -> Operand {
    let first = try parseAnd(allowsExpression: allowsExpression)
    guard case .query(let query) = first, token.kind == .or else { return first }
    var terms = [query]
    while try take(.or) {
      guard case .query(let query) = try parseAnd(allowsExpression: false) else { throw unexpected() }
      terms.append(query)
    }
    return .query(
      try joined(terms) { tree in
        if case .or(let terms, _) = tree { terms } else { nil }
      } make: {
        .or($0, range: $1)
      })
  }

  private mutating func parseAnd(allowsExpression: Bool) throws(QueryError) -> Operand {
    let first = try parseNot(allowsExpression: allowsExpression)
    guard case .query(let query) = first, token.kind == .and else { return first }
    var terms = [query]
    while try take(.and) {
      guard case .query(let query) = try parseNot(allowsExpression: false) else { throw unexpected() }
      terms.append(query)
    }
    return .query(
      try joined(terms) { tree in
        if case .and(let terms, _) = tree { terms } else { nil }
      } make: {
        .and($0, range: $1)
      })
  }

  /// Joins terms by the same operator; terms that are such joins themselves are flattened.
  private func joined(
    _ terms: [Sized<PredicateSyntax>], parts: (PredicateSyntax) -> [PredicateSyntax]?,
    make: ([PredicateSyntax], SourceRange) -> PredicateSyntax
  ) throws(QueryError) -> Sized<PredicateSyntax> {
    var flat: [PredicateSyntax] = []
    var depth = 0
    for term in terms {
      if let parts = parts(term.tree) {
        flat += parts
        depth = max(depth, term.depth)
      } else {
        flat.append(term.tree)
        depth = max(depth, term.depth + 1)
      }
    }
    let range = terms[0].tree.range.joined(with: terms[terms.count - 1].tree.range)
    try check(depth: depth, range)
    return Sized(tree: make(flat, range), depth: depth)
  }

  private mutating func parseNot(allowsExpression: Bool) throws(QueryError) -> Operand {
    var starts: [SourceRange] = []
    while token.kind == .not { starts.append(try advance().range) }
    if starts.isEmpty { return try parsePrimary(allowsExpression: allowsExpression) }
    guard case .query(var query) = try parsePrimary(allowsExpression: false) else { throw unexpected() }
    for start in starts.reversed() {
      let range = start.joined(with: query.tree.range)
      query = Sized(tree: .not(query.tree, range: range), depth: query.depth + 1)
      try check(depth: query.depth, start)
    }
    return .query(query)
  }

  private mutating func parsePrimary(allowsExpression: Bool) throws(QueryError) -> Operand {
    switch token.kind {
    case .truePredicate, .falsePredicate:
      let word = try advance()
      return .query(Sized(tree: .constant(word.kind == .truePredicate, range: word.range), depth: 0))
    case .leftParenthesis:
      switch try parseParentheses() {
      case .query(let query): return .query(query)
      case .expression(let expression):
        return try parseComparison(expression, isPlain: false, allowsExpression: allowsExpression)
      }
    default:
      let operand = try parseOperand()
      return try parseComparison(operand, isPlain: true, allowsExpression: allowsExpression)
    }
  }

  /// `(query)` or `(expression)`.
  private mutating func parseParentheses() throws(QueryError) -> Operand {
    let start = try advance().range
    return try nested(start) { parser throws(QueryError) in
      let content = try parser.parseOr(allowsExpression: true)
      switch content {
      case .query: try parser.expect(.rightParenthesis, [.and, .or, .rightParenthesis])
      case .expression: try parser.expect(.rightParenthesis, [])
      }
      return content
    }
  }

  // MARK: Comparisons

  /// What follows the first operand.
  ///
  /// - Parameter isPlain: whether the operand is neither in parentheses nor arithmetic, as the operators of strings,
  ///   `BETWEEN` and `GEOWITHIN` want it.
  private mutating func parseComparison(
    _ first: Sized<ExpressionSyntax>, isPlain: Bool, allowsExpression: Bool
  ) throws(QueryError) -> Operand {
    if isPlain, let comparison = try parsePlainComparison(first) { return .query(comparison) }
    let left = try parseArithmetic(first)
    guard let comparison = token.kind.comparison, comparison.isEquality || comparison.isRelational else {
      if allowsExpression { return .expression(left) }
      throw unexpected()
    }
    var range = try advance().range
    var isCaseInsensitive = false
    if comparison.isEquality, token.kind == .ignoreCase {
      range = range.joined(with: try advance().range)
      isCaseInsensitive = true
    }
    let right = try parseExpression()
    return .query(try compared(left, comparison, isCaseInsensitive, right, range))
  }

  private func compared(
    _ left: Sized<ExpressionSyntax>, _ comparison: ComparisonOperator, _ isCaseInsensitive: Bool,
    _ right: Sized<ExpressionSyntax>, _ range: SourceRange
  ) throws(QueryError) -> Sized<PredicateSyntax> {
    let depth = max(left.depth, right.depth) + 1
    try check(depth: depth, range)
    let tree = ComparisonSyntax(
      left: left.tree, comparison: comparison, isCaseInsensitive: isCaseInsensitive, right: right.tree,
      operatorRange: range)
    return Sized(tree: .comparison(tree), depth: depth)
  }

  /// A comparison by one of the operators that stand between plain operands only; nil before any other token.
  private mutating func parsePlainComparison(
    _ left: Sized<ExpressionSyntax>
  ) throws(QueryError) -> Sized<PredicateSyntax>? {
    switch token.kind {
    case .beginsWith, .endsWith, .contains, .like, .text:
      guard let comparison = token.kind.comparison else { return nil }
      var range = try advance().range
      var isCaseInsensitive = false
      if comparison != .text, token.kind == .ignoreCase {
        range = range.joined(with: try advance().range)
        isCaseInsensitive = true
      }
      let right = try parseOperand()
      return try compared(left, comparison, isCaseInsensitive, right, range)
    case .between:
      let range = try advance().range
      let limits = try parseLimits()
      let tree = BetweenSyntax(value: left.tree, limits: limits, operatorRange: range)
      return Sized(tree: .between(tree), depth: left.depth + 1)
    case .geoWithin:
      guard case .property(let property) = left.tree else { return nil }
      let range = try advance().range
      let tree = GeoWithinSyntax(property: property, region: try parseRegion(), operatorRange: range)
      return Sized(tree: .geoWithin(tree), depth: 1)
    default: return nil
    }
  }

  /// The list of `BETWEEN`.
  private mutating func parseLimits() throws(QueryError) -> ListSyntax {
    guard let quantifier = token.kind.quantifier else {
      guard token.kind == .leftBrace else { throw unexpected([.any, .all, .none, .leftBrace]) }
      return try parseList(quantifier: nil, start: token.range)
    }
    let start = try advance().range
    guard token.kind == .leftBrace else { throw unexpected([.leftBrace]) }
    return try parseList(quantifier: quantifier, start: start)
  }

  // MARK: Arithmetic

  mutating func parseExpression() throws(QueryError) -> Sized<ExpressionSyntax> {
    let first = try parseFactor()
    return try parseArithmetic(first)
  }

  /// Sums and products that begin with an operand that is read already.
  private mutating func parseArithmetic(
    _ first: Sized<ExpressionSyntax>
  ) throws(QueryError) -> Sized<ExpressionSyntax> {
    var sum = try parseProduct(first)
    while token.kind == .plus || token.kind == .minus {
      let sign = try advance()
      let factor = try parseFactor()
      let right = try parseProduct(factor)
      sum = try combined(sum, sign.kind == .plus ? .add : .subtract, right, sign.range)
    }
    return sum
  }

  private mutating func parseProduct(
    _ first: Sized<ExpressionSyntax>
  ) throws(QueryError) -> Sized<ExpressionSyntax> {
    var product = first
    while token.kind == .star || token.kind == .slash {
      let sign = try advance()
      let right = try parseFactor()
      product = try combined(product, sign.kind == .star ? .multiply : .divide, right, sign.range)
    }
    return product
  }

  private func combined(
    _ left: Sized<ExpressionSyntax>, _ operation: ArithmeticOperator, _ right: Sized<ExpressionSyntax>,
    _ range: SourceRange
  ) throws(QueryError) -> Sized<ExpressionSyntax> {
    let depth = max(left.depth, right.depth) + 1
    try check(depth: depth, range)
    let tree = ArithmeticSyntax(left: left.tree, operation: operation, right: right.tree)
    return Sized(tree: .arithmetic(tree), depth: depth)
  }

  private mutating func parseFactor() throws(QueryError) -> Sized<ExpressionSyntax> {
    guard token.kind == .leftParenthesis else { return try parseOperand() }
    let start = try advance().range
    return try nested(start) { parser throws(QueryError) in
      let expression = try parser.parseExpression()
      try parser.expect(.rightParenthesis, [])
      return expression
    }
  }
}
