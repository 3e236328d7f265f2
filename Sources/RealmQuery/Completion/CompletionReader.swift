import RealmStorage

/// Reads the tokens of the beginning of a query, and finds what can come next.
///
/// It is not a parser: it remembers what the last path led to and which parentheses are open, and accepts any text.
struct CompletionReader {
  /// What a path has led to.
  enum Place: Hashable {
    /// Objects of a class; whether there can be many.
    case objects(TableSchema, isMany: Bool)
    /// The values of a property.
    case values(Property)
    /// A number, such as a count.
    case number
    /// After `@links`: objects of this class are linked to.
    case backlinks(TableSchema)
    /// Behind `@links.Class`.
    case backlinksOf(TableSchema, to: TableSchema)
    /// After `.@max` and the like.
    case aggregate(TableSchema)
    /// A constant, a list, or something unknown.
    case other
  }

  /// What can come next.
  enum State: Hashable {
    /// One side of a comparison, or a word before it.
    case operand
    /// The other side, with the type of the first one.
    case otherOperand(Place)
    /// An operator, or more of the path.
    case afterPath(Place)
    /// A name after a point.
    case name(Place)
    /// `AND`, `OR`, `SORT`.
    case afterComparison
    /// A path of `SORT` or `DISTINCT`, its direction, or what follows.
    case sortPath, sortName(Place), direction(Place), afterDirection
    case nothing
  }

  /// An open parenthesis or brace.
  private enum Bracket: Hashable {
    case parenthesis
    case list(Place)
    case index(State)
    case sort, distinct, other
    /// `SUBQUERY(`: the class outside, and the number of commas so far.
    case subquery(TableSchema?, commas: Int)
  }

  private let schema: Schema
  private var current: TableSchema?
  private var variables: [(name: String, table: TableSchema?)] = []
  private var brackets: [Bracket] = []
  private(set) var state = State.operand
  /// The first side of the comparison.
  private var left = Place.other
  private var subqueryCollection: TableSchema?
  /// The class of the property that the last path has led to.
  private var owner: TableSchema?
  private var leftOwner: TableSchema?

  /// The property that the next word is compared with.
  var comparedProperty: (className: RealmString, property: RealmString)? {
    guard case .otherOperand(.values(let property)) = state, let leftOwner,
      leftOwner.property(named: property.name) != nil
    else { return nil }
    return (leftOwner.displayName, property.name)
  }

  init(_ schema: Schema, _ className: RealmString) {
    self.schema = schema
    current = schema.classNamed(className)
  }

  /// - Returns: false if the text ends inside a string.
  mutating func read(_ text: String) -> Bool {
    var lexer = Lexer(text, .standard)
    while true {
      guard let token = try? lexer.next() else {
        let next = lexer.byte(lexer.position)
        return next != UInt8(ascii: "\"") && next != UInt8(ascii: "'")
      }
      if token.kind == .end { return true }
      let literals = Literals(text: text, bytes: lexer.bytes, dialect: .standard)
      take(token, literals.name(token.range))
    }
  }

  // MARK: Tokens

  private mutating func take(_ token: Token, _ name: String) {
    switch token.kind {
    case .leftParenthesis: takeParenthesis()
    case .rightParenthesis, .rightBrace, .rightBracket: close()
    case .leftBrace:
      brackets.append(.list(left))
      state = .otherOperand(left)
    case .leftBracket:
      brackets.append(.index(state))
      state = .nothing
    case .comma: takeComma()
    case .dot: takeDot()
    case .and, .or, .not: (state, left) = (.operand, .other)
    case .plus, .minus, .star, .slash: state = .operand
    case .truePredicate, .falsePredicate: state = .afterComparison
    case .any, .all, .none: break
    case .sort where isAtEndOfPredicate: brackets.append(.sort)
    case .distinct where isAtEndOfPredicate: brackets.append(.distinct)
    case .limit where isAtEndOfPredicate: brackets.append(.other)
    case .ascending where isDirection, .descending where isDirection: state = .afterDirection
    case .subquery: brackets.append(.subquery(current, commas: 0))
    case .size, .type: takeEnding(.number)
    case .maximum, .minimum, .sum, .average: takeAggregate()
    case .geoWithin, .between: state = .nothing
    case .ignoreCase: break
    default:
      if takesComparison, token.kind.comparison != nil {
        if case .afterPath(let place) = state { (left, leftOwner) = (place, owner) }
        state = .otherOperand(left)
      } else if token.kind.isName {
        takeName(name)
      } else {
        takeEnding(.other)
      }
    }
  }

  private var takesComparison: Bool {
    if case .afterPath = state { true } else { false }
  }

  private var isAtEndOfPredicate: Bool {
    switch state {
    case .afterComparison, .afterPath: brackets.isEmpty
    default: false
    }
  }

  private var isDirection: Bool {
    if case .direction = state { true } else { false }
  }

  private mutating func takeParenthesis() {
    // The word before the parenthesis has opened it already.
    switch brackets.last {
    case .sort, .distinct:
      state = .sortPath
      return
    case .subquery(_, commas: 0):
      state = .sortPath
      return
    case .other:
      state = .nothing
      return
    default: break
    }
    brackets.append(.parenthesis)
    if case .otherOperand = state { return }
    state = .operand
  }

  private mutating func close() {
    switch brackets.popLast() {
    case .index(let before): state = before == .operand ? .afterPath(.other) : element(before)
    case .subquery(let outside, _):
      current = outside
      if !variables.isEmpty { variables.removeLast() }
      state = .afterPath(.number)
    case .list, .sort, .distinct, .other: state = .afterComparison
    case .parenthesis, nil:
      if case .operand = state { state = .afterComparison }
    }
  }

  /// What a path leads to when an index follows it.
  private func element(_ state: State) -> State {
    switch state {
    case .afterPath(let place): .afterPath(Self.element(place))
    case .direction(let place): .direction(Self.element(place))
    default: state
    }
  }

  private static func element(_ place: Place) -> Place {
    switch place {
    case .objects(let table, _): return .objects(table, isMany: false)
    case .values(var property):
      property.collection = nil
      return .values(property)
    default: return place
    }
  }

  private mutating func takeComma() {
    switch brackets.last {
    case .list(let place): state = .otherOperand(place)
    case .sort, .distinct: state = .sortPath
    case .subquery(let outside, let commas):
      brackets[brackets.count - 1] = .subquery(outside, commas: commas + 1)
      if commas == 0 {
        if case .direction(.objects(let table, _)) = state { subqueryCollection = table }
        state = .nothing
      } else if commas == 1 {
        current = subqueryCollection
        state = .operand
      }
    default: state = .nothing
    }
  }

  private mutating func takeDot() {
    switch state {
    case .afterPath(let place): state = .name(place)
    case .afterComparison: state = .name(.other)
    case .direction(let place): state = .sortName(place)
    default: state = .nothing
    }
  }

  private mutating func takeEnding(_ place: Place) {
    switch state {
    case .otherOperand: state = .afterComparison
    case .name where isRight: state = .afterComparison
    default: state = .afterPath(place)
    }
  }

  /// Whether the path that is being read is the second side.
  private var isRight = false

  private mutating func takeAggregate() {
    guard case .name(.objects(let table, _)) = state else { return takeEnding(.number) }
    state = .afterPath(.aggregate(table))
  }

  private mutating func takeName(_ name: String) {
    switch state {
    case .operand:
      isRight = false
      owner = variables.contains { $0.name == name } ? nil : current
      state = .afterPath(start(name))
    case .otherOperand:
      isRight = true
      state = .afterPath(start(name))
    case .name(let place):
      if case .objects(let table, _) = place { owner = table } else { owner = nil }
      state = .afterPath(step(place, name))
    case .sortPath: state = .direction(start(name))
    case .sortName(let place): state = .direction(step(place, name))
    case .nothing:
      if case .subquery(_, commas: 1) = brackets.last { variables.append((name, subqueryCollection)) }
    case .afterPath, .afterComparison, .direction, .afterDirection: state = .nothing
    }
  }

  private func start(_ name: String) -> Place {
    if let variable = variables.last(where: { $0.name == name }), let table = variable.table {
      return .objects(table, isMany: false)
    }
    guard let current else { return .other }
    return step(.objects(current, isMany: false), name)
  }

  private func step(_ place: Place, _ name: String) -> Place {
    switch place {
    case .objects(let table, let isMany):
      if name == "@links" { return .backlinks(table) }
      guard let property = table.property(named: RealmString(name)) else { return .other }
      guard property.type == .object, let target = property.target.flatMap({ schema.tableNamed($0) }) else {
        return .values(property)
      }
      return .objects(target, isMany: isMany || property.collection != nil)
    case .backlinks(let target):
      return schema.classNamed(RealmString(name)).map { .backlinksOf($0, to: target) } ?? .other
    case .backlinksOf(let origin, _): return .objects(origin, isMany: true)
    case .aggregate: return .number
    case .values(var property):
      if name == "@keys" {
        property.type = .string
        return .values(property)
      }
      if name == "@values" { return place }
      property.collection = nil
      return property.type == .mixed ? .values(property) : .other
    case .number, .other: return .other
    }
  }

  // MARK: Candidates

  /// What can come next, whatever has been typed of it.
  func candidates() -> [Completion] {
    let words = CompletionWords(schema)
    switch state {
    case .operand: return words.operands(of: current, variables.map(\.name))
    case .otherOperand(let place): return words.constants(for: place) + words.properties(of: current, fitting: place)
    case .afterPath(let place):
      return isRight ? words.conjunctions(atEnd: brackets.isEmpty) : words.operators(for: place)
    case .name(let place): return words.names(behind: place, inOrdering: false)
    case .afterComparison: return words.conjunctions(atEnd: brackets.isEmpty)
    case .sortPath: return words.properties(of: current)
    case .sortName(let place): return words.names(behind: place, inOrdering: true)
    case .direction: return brackets.last == .sort ? words.directions : []
    case .afterDirection, .nothing: return []
    }
  }
}
