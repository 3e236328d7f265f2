/// The operands of an operator.
extension Parser {
  /// A constant, list, property, aggregate or subquery.
  mutating func parseOperand() throws(QueryError) -> Sized<ExpressionSyntax> {
    if let quantifier = token.kind.quantifier {
      return Sized(tree: try parseQuantified(quantifier), depth: 0)
    }
    switch token.kind {
    case .leftBrace: return Sized(tree: .list(try parseList(quantifier: nil, start: token.range)), depth: 0)
    case .subquery: return try parseSubquery()
    case .binary:
      let word = try advance()
      if token.kind == .leftParenthesis { return Sized(tree: .constant(try parseData(word)), depth: 0) }
      return Sized(tree: try parseProperty(beginningWith: word), depth: 0)
    case let kind where kind.isName || kind == .keyPathArgument:
      let first = try advance()
      return Sized(tree: try parseProperty(beginningWith: first), depth: 0)
    default: return Sized(tree: .constant(try parseConstant()), depth: 0)
    }
  }

  /// `ANY` and the like before a path, a list or an argument.
  private mutating func parseQuantified(_ quantifier: Quantifier) throws(QueryError) -> ExpressionSyntax {
    let start = try advance().range
    switch token.kind {
    case .leftBrace: return .list(try parseList(quantifier: quantifier, start: start))
    case .argument: return .constant(try parseQuantifiedArgument(quantifier, start))
    case let kind where kind.isName || kind == .keyPathArgument:
      let first = try advance()
      let path = try parsePath(beginningWith: first, .operations)
      let range = start.joined(with: path.range)
      return .property(
        PropertySyntax(quantifier: quantifier, path: path.path, operation: path.operation, range: range))
    default: throw unexpected()
    }
  }

  private mutating func parseQuantifiedArgument(
    _ quantifier: Quantifier, _ start: SourceRange
  ) throws(QueryError) -> ConstantSyntax {
    let argument = try advance().range
    let number = literals.index(SourceRange(argument.start + 1, argument.end))
    return ConstantSyntax(
      kind: .argument(number, quantifier: quantifier), text: literals.source(argument),
      range: start.joined(with: argument))
  }

  // MARK: Constants

  /// A constant by itself or in a list.
  private mutating func parseConstant() throws(QueryError) -> ConstantSyntax {
    switch token.kind {
    case .object: return try parseObject()
    case .binary:
      let word = try advance()
      return try parseData(word)
    default:
      if let quantifier = token.kind.quantifier {
        let start = try advance().range
        guard token.kind == .argument else { throw unexpected([.argument]) }
        return try parseQuantifiedArgument(quantifier, start)
      }
      guard let kind = try literals.constant(token) else { throw unexpected() }
      let range = try advance().range
      return ConstantSyntax(kind: kind, text: literals.source(range), range: range)
    }
  }

  /// `obj("Class", key)`.
  private mutating func parseObject() throws(QueryError) -> ConstantSyntax {
    let start = try advance().range
    try expect(.leftParenthesis)
    let name = String(decoding: try literals.string(try expect(.string).range), as: UTF8.self)
    try expect(.comma)
    let key: ObjectLiteralKey
    switch token.kind {
    case .natural, .number, .string, .uuid, .objectID, .argument:
      switch try literals.constant(token) {
      case .value(let value): key = .value(value)
      case .invalid(let error): key = .invalid(error)
      case .argument(let number, _): key = .argument(number)
      default: throw unexpected()
      }
    default: throw unexpected()
    }
    let keyRange = try advance().range
    let range = start.joined(with: try expect(.rightParenthesis).range)
    let object = ObjectLiteralSyntax(className: name, key: key, keyRange: keyRange)
    return ConstantSyntax(kind: .object(object), text: literals.source(range), range: range)
  }

  /// `("text")` or `(B64"…")` after `binary`.
  private mutating func parseData(_ word: Token) throws(QueryError) -> ConstantSyntax {
    try expect(.leftParenthesis)
    guard token.kind == .string || token.kind == .base64 else { throw unexpected([.string, .base64]) }
    let kind = try literals.data(try advance())
    let range = word.range.joined(with: try expect(.rightParenthesis).range)
    return ConstantSyntax(kind: kind, text: literals.source(range), range: range)
  }

  /// `{…}`, the brace being the next token.
  mutating func parseList(quantifier: Quantifier?, start: SourceRange) throws(QueryError) -> ListSyntax {
    try expect(.leftBrace)
    var elements: [ConstantSyntax] = []
    if canBeginConstant { elements.append(try parseConstant()) }
    // A list may begin with a comma, in the reference's grammar and so here.
    while try take(.comma) { elements.append(try parseConstant()) }
    let end = try expect(.rightBrace, [.comma, .rightBrace]).range
    return ListSyntax(quantifier: quantifier, elements: elements, range: start.joined(with: end))
  }

  private var canBeginConstant: Bool {
    switch token.kind {
    case .natural, .number, .float, .infinity, .nan, .string, .base64, .date, .uuid, .objectID, .link, .typedLink,
      .trueWord, .falseWord, .null, .argument, .object, .binary, .any, .all, .none:
      true
    default: false
    }
  }

  // MARK: Paths

  /// What a path may end with apart from its names and indexes.
  enum PathEndings {
    case nothing
    /// `.@count`, `[SIZE]`, `.@type`.
    case operations
    /// Those and `.@max` and the like.
    case operationsAndAggregates
  }

  /// A path and what it ends with.
  struct ParsedPath {
    var path: PathSyntax
    var operation: PropertyOperation?
    var aggregate: (AggregateFunction, SourceRange)?
    /// With the operation.
    var range: SourceRange
  }

  private mutating func parseProperty(beginningWith first: Token) throws(QueryError) -> ExpressionSyntax {
    let parsed = try parsePath(beginningWith: first, .operationsAndAggregates)
    guard let (function, functionRange) = parsed.aggregate else {
      return .property(
        PropertySyntax(quantifier: nil, path: parsed.path, operation: parsed.operation, range: parsed.range))
    }
    var property: NameSyntax?
    if try take(.dot) {
      guard token.kind.isName else { throw unexpected() }
      let name = try advance()
      property = NameSyntax(text: literals.name(name.range), range: name.range)
    }
    return .aggregate(
      AggregateSyntax(path: parsed.path, function: function, functionRange: functionRange, property: property))
  }

  /// A property or aggregate and nothing else.
  mutating func parseKeyPath() throws(QueryError) -> ExpressionSyntax {
    guard token.kind.isName else { throw unexpected() }
    let first = try advance()
    let path = try parseProperty(beginningWith: first)
    try expect(.end)
    return path
  }

  /// A path by itself.
  mutating func parsePath() throws(QueryError) -> PathSyntax {
    guard token.kind.isName || token.kind == .keyPathArgument else { throw unexpected() }
    let first = try advance()
    return try parsePath(beginningWith: first, .nothing).path
  }

  mutating func parsePath(
    beginningWith first: Token, _ endings: PathEndings
  ) throws(QueryError) -> ParsedPath {
    var builder = PathBuilder()
    var range = first.range
    if first.kind == .keyPathArgument {
      let number = literals.index(SourceRange(range.start + 2, range.end))
      _ = builder.append(PathElementSyntax(kind: .keyPathArgument(number), range: range))
    } else {
      _ = builder.append(element(first))
    }
    while true {
      if token.kind == .dot {
        try advance()
        if token.kind.isName {
          let name = try advance()
          range = range.joined(with: name.range)
          _ = builder.append(element(name))
        } else if let (operation, aggregate) = ending(endings) {
          let end = try advance().range
          return ParsedPath(
            path: try builder.finish(), operation: operation, aggregate: aggregate.map { ($0, end) },
            range: range.joined(with: end))
        } else {
          throw unexpected()
        }
      } else if token.kind == .leftBracket {
        let bracket = try advance().range
        if token.kind == .indexSize, endings != .nothing {
          let name = literals.source(try advance().range)
          let end = try expect(.rightBracket).range
          return ParsedPath(
            path: try builder.finish(), operation: .size(name: name), range: range.joined(with: end))
        }
        let kind = try parseIndex()
        let end = try expect(.rightBracket).range
        range = range.joined(with: end)
        let element = PathElementSyntax(kind: kind, range: bracket.joined(with: end))
        guard builder.append(element) else {
          throw literals.syntaxError("An ID must follow @links", at: element.range)
        }
      } else {
        return ParsedPath(path: try builder.finish(), range: range)
      }
    }
  }

  private func element(_ name: Token) -> PathElementSyntax {
    switch name.kind {
    case .links, .keysOrValues: .element(named: literals.name(name.range), range: name.range)
    default: PathElementSyntax(kind: .name(literals.name(name.range)), range: name.range)
    }
  }

  /// Extends a path by the next token, after a point.
  private func ending(_ endings: PathEndings) -> (PropertyOperation?, AggregateFunction?)? {
    if endings == .nothing { return nil }
    switch token.kind {
    case .size: return (.size(name: literals.source(token.range)), nil)
    case .type: return (.type, nil)
    case .maximum where endings == .operationsAndAggregates: return (nil, .max)
    case .minimum where endings == .operationsAndAggregates: return (nil, .min)
    case .sum where endings == .operationsAndAggregates: return (nil, .sum)
    case .average where endings == .operationsAndAggregates: return (nil, .average)
    default: return nil
    }
  }

  /// The content of brackets.
  private mutating func parseIndex() throws(QueryError) -> PathElementSyntax.Kind {
    let range = token.range
    let kind: PathElementSyntax.Kind
    switch token.kind {
    case .natural: kind = .index(try literals.count(range))
    case .indexFirst: kind = .index(0)
    case .indexLast: kind = .last
    case .star: kind = .all
    case .argument: kind = .indexArgument(literals.index(SourceRange(range.start + 1, range.end)))
    case .string:
      let key = String(decoding: try literals.string(range), as: UTF8.self)
      // The reference does not distinguish keys from names.
      kind = literals.dialect == .reference ? PathElementSyntax.element(named: key, range: range).kind : .key(key)
    default: throw unexpected()
    }
    try advance()
    return kind
  }

  // MARK: Subqueries

  /// `SUBQUERY(path, $x, query).@count`.
  private mutating func parseSubquery() throws(QueryError) -> Sized<ExpressionSyntax> {
    let start = try advance().range
    try expect(.leftParenthesis)
    let collection = try parsePath()
    try expect(.comma)
    guard token.kind.isName else { throw unexpected() }
    let name = try advance()
    try expect(.comma)
    let predicate = try nested(start) { parser throws(QueryError) in try parser.parsePredicate() }
    try check(depth: predicate.depth + 1, start)
    try expect(.rightParenthesis, [.and, .or, .rightParenthesis])
    try expect(.dot)
    let end = try expect(.size).range
    let subquery = SubquerySyntax(
      collection: collection, variable: NameSyntax(text: literals.name(name.range), range: name.range),
      predicate: predicate.tree, range: start.joined(with: end))
    return Sized(tree: .subquery(subquery), depth: predicate.depth + 1)
  }
}
