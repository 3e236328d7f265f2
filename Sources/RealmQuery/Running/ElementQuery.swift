import RealmStorage

/// A condition on one element of a collection, in the words of RQL: `value > 5 AND value < 10`, `!= null`, of an entry of a
/// dictionary also `key BEGINSWITH 'a'`.
///
/// ```swift
/// let query = try ElementQuery("> 5", elements: .int, isDictionary: false)
/// query.holds(key: nil, value: .int(6))
/// ```
package struct ElementQuery: Sendable {
  private indirect enum Node: Sendable {
    case constant(Bool)
    case not(Node)
    case all([Node])
    case any([Node])
    /// Whether a test is true of one of the constants.
    case test(ValueTest, isKey: Bool, [Value], isNegated: Bool)
  }

  private let root: Node

  /// The names of the element and, in a dictionary, of its key.
  package static let valueName = "value"
  package static let keyName = "key"

  /// - Parameters:
  ///   - text: if it begins with an operator, the value is its left side.
  ///   - property: another name for the value: that of the collection.
  /// - Throws: `QueryError` with `Code.syntaxError` for what is not a query, other codes for what has no meaning here.
  package init(
    _ text: String, elements type: PropertyType, of property: RealmString, isDictionary: Bool
  ) throws(QueryError) {
    let prefix = Self.beginsWithOperator(text) ? Self.valueName + " " : ""
    do throws(QueryError) {
      let syntax = try RQL.parse(prefix + text)
      if let step = syntax.steps.first {
        throw QueryError(.invalidQuery, "elements have no SORT, DISTINCT or LIMIT", at: step.range)
      }
      let binder = ElementBinder(type: ValueType(type), property: property, isDictionary: isDictionary)
      root = try binder.node(syntax.predicate)
    } catch {
      throw error.moved(by: -prefix.utf8.count)
    }
  }

  private static func beginsWithOperator(_ text: String) -> Bool {
    let rest = text.drop { $0 == " " }
    guard let first = rest.first else { return false }
    if "<>=!".contains(first) { return true }
    let word = rest.prefix { $0.isLetter }.lowercased()
    return ["beginswith", "endswith", "contains", "like", "in", "between"].contains(word)
  }

  package func holds(key: ValueView?, value: ValueView) -> Bool { Self.holds(root, key, value) }

  private static func holds(_ node: Node, _ key: ValueView?, _ value: ValueView) -> Bool {
    switch node {
    case .constant(let holds): holds
    case .not(let inner): !Self.holds(inner, key, value)
    case .all(let parts): parts.allSatisfy { Self.holds($0, key, value) }
    case .any(let parts): parts.contains { Self.holds($0, key, value) }
    case .test(let test, let isKey, let constants, let isNegated):
      constants.contains { constant in
        constant.withView { constant in
          let subject = isKey ? key ?? .null : value
          return test.comparator.isSearch ? test.holds(constant, subject) : test.holds(subject, constant)
        }
      } != isNegated
    }
  }

  // MARK: Binding

  private struct ElementBinder {
    let type: ValueType
    let property: RealmString
    let isDictionary: Bool

    func node(_ syntax: PredicateSyntax) throws(QueryError) -> Node {
      switch syntax {
      case .constant(let holds, _): return .constant(holds)
      case .not(let inner, _): return .not(try node(inner))
      case .and(let parts, _): return .all(try nodes(parts))
      case .or(let parts, _): return .any(try nodes(parts))
      case .comparison(let comparison): return try node(comparison)
      case .between(let between):
        let isKey = try isKey(between.value)
        let limits = try constants(between.limits.elements, isKey)
        guard limits.count == 2 else {
          throw QueryError(
            .invalidQuery, "Operator 'BETWEEN' requires list with 2 elements.", at: between.limits.range)
        }
        return .all([
          .test(test(.greaterOrEqual), isKey: isKey, [limits[0]], isNegated: false),
          .test(test(.lessOrEqual), isKey: isKey, [limits[1]], isNegated: false),
        ])
      case .geoWithin(let within): throw notAnElement(within.property.range)
      }
    }

    private func nodes(_ parts: [PredicateSyntax]) throws(QueryError) -> [Node] {
      var nodes: [Node] = []
      for part in parts { nodes.append(try node(part)) }
      return nodes
    }

    private func node(_ syntax: ComparisonSyntax) throws(QueryError) -> Node {
      let isFlipped = syntax.left.isConstant && !syntax.comparison.isSearch
      let (subject, operand) = isFlipped ? (syntax.right, syntax.left) : (syntax.left, syntax.right)
      let isKey = try isKey(subject)
      let constants: [Value]
      switch operand {
      case .constant(let constant): constants = try self.constants([constant], isKey)
      case .list(let list) where syntax.comparison == .isIn: constants = try self.constants(list.elements, isKey)
      default: throw QueryError(.invalidQuery, "elements are compared with constants only", at: operand.range)
      }
      guard let comparator = syntax.comparison.comparator else {
        throw QueryError(.invalidQuery, "elements are not searched by words", at: syntax.operatorRange)
      }
      let test = test(comparator, isFolded: syntax.isCaseInsensitive)
      // Not equal to one of several is equal to none.
      let isNegated = comparator == .notEqual
      let positive = isNegated ? self.test(.equal, isFolded: syntax.isCaseInsensitive) : test
      return .test(isFlipped ? positive.flipped : positive, isKey: isKey, constants, isNegated: isNegated)
    }

    private func test(_ comparator: ValueComparator, isFolded: Bool = false) -> ValueTest {
      ValueTest(comparator: comparator, isFolded: isFolded, comparesTypes: false, excludesNaN: true, dialect: .standard)
    }

    private func isKey(_ syntax: ExpressionSyntax) throws(QueryError) -> Bool {
      guard case .property(let named) = syntax, named.quantifier == nil, named.operation == nil,
        named.path.elements.count == 1, case .name(let name) = named.path.elements[0].kind
      else { throw notAnElement(syntax.range) }
      if name == ElementQuery.valueName || RealmString(name) == property { return false }
      if isDictionary, name == ElementQuery.keyName { return true }
      throw notAnElement(syntax.range)
    }

    private func notAnElement(_ range: SourceRange) -> QueryError {
      let names =
        isDictionary ? "'\(ElementQuery.keyName)' or '\(ElementQuery.valueName)'" : "'\(ElementQuery.valueName)'"
      return QueryError(.invalidQuery, "an element is called \(names)", at: range)
    }

    private func constants(_ elements: [ConstantSyntax], _ isKey: Bool) throws(QueryError) -> [Value] {
      var values: [Value] = []
      for element in elements { values.append(try constant(element, isKey ? .string : type)) }
      return values
    }

    private func constant(_ syntax: ConstantSyntax, _ type: ValueType) throws(QueryError) -> Value {
      switch syntax.kind {
      case .value(let value):
        let own = value.withView { ValueType($0) }
        guard own == .null || own.isComparable(with: type) else {
          throw QueryError(
            .invalidQuery, "Unsupported comparison between type '\(type.name)' and type '\(own.name)'",
            at: syntax.range)
        }
        return value
      case .invalid(let error): throw error
      default: throw QueryError(.invalidQuery, "elements are compared with values only", at: syntax.range)
      }
    }
  }
}

extension ComparisonOperator {
  fileprivate var isSearch: Bool { comparator?.isSearch ?? false }

  /// Nil for the search by words.
  fileprivate var comparator: ValueComparator? {
    switch self {
    case .equal, .isIn: .equal
    case .notEqual: .notEqual
    case .greater: .greater
    case .less: .less
    case .greaterOrEqual: .greaterOrEqual
    case .lessOrEqual: .lessOrEqual
    case .beginsWith: .beginsWith
    case .endsWith: .endsWith
    case .contains: .contains
    case .like: .like
    case .text: nil
    }
  }
}

extension QueryError {
  /// The same in a text with fewer bytes before it.
  fileprivate func moved(by count: Int) -> QueryError {
    guard count != 0, let range else { return self }
    var error = self
    error.range = SourceRange(max(range.start + count, 0), max(range.end + count, 0))
    return error
  }
}
