import RealmStorage
import RealmText
import Testing

@testable import RealmQuery

/// A tree of syntax as text: operators in front, everything in parentheses.
enum SyntaxText {
  static func text(_ query: QuerySyntax) -> String {
    ([text(query.predicate)] + query.steps.map(text)).joined(separator: " ")
  }

  static func text(_ predicate: PredicateSyntax) -> String {
    switch predicate {
    case .constant(let value, _): value ? "TRUE" : "FALSE"
    case .not(let query, _): "(not \(text(query)))"
    case .and(let terms, _): "(and \(terms.map(text).joined(separator: " ")))"
    case .or(let terms, _): "(or \(terms.map(text).joined(separator: " ")))"
    case .comparison(let comparison):
      "(\(comparison.comparison.rawValue)\(comparison.isCaseInsensitive ? "[c]" : "") \(text(comparison.left)) "
        + "\(text(comparison.right)))"
    case .between(let between): "(between \(text(between.value)) \(text(.list(between.limits))))"
    case .geoWithin(let within): "(within \(text(.property(within.property))) \(text(within.region)))"
    }
  }

  static func text(_ expression: ExpressionSyntax) -> String {
    switch expression {
    case .constant(let constant): text(constant)
    case .list(let list):
      quantified(list.quantifier) + "{" + list.elements.map(text).joined(separator: ", ") + "}"
    case .property(let property):
      quantified(property.quantifier) + text(property.path) + (property.operation.map { "#\($0.name)" } ?? "")
    case .aggregate(let aggregate):
      "\(text(aggregate.path))\(aggregate.function.rawValue)\(aggregate.property.map { ".\($0.text)" } ?? "")"
    case .subquery(let subquery):
      "(subquery \(text(subquery.collection)) \(subquery.variable.text) \(text(subquery.predicate)))"
    case .arithmetic(let arithmetic):
      "(\(arithmetic.operation.rawValue) \(text(arithmetic.left)) \(text(arithmetic.right)))"
    }
  }

  private static func quantified(_ quantifier: Quantifier?) -> String { quantifier.map { "\($0.rawValue) " } ?? "" }

  static func text(_ constant: ConstantSyntax) -> String {
    switch constant.kind {
    case .value(let value): text(value)
    case .invalid(let error): "<\(error.message)>"
    case .argument(let number, let quantifier): quantified(quantifier) + "$\(number)"
    case .object(let object):
      switch object.key {
      case .value(let value): "obj(\(object.className), \(text(value)))"
      case .invalid(let error): "obj(\(object.className), <\(error.message)>)"
      case .argument(let number): "obj(\(object.className), $\(number))"
      }
    case .objectKey(let key): "key \(key.rawValue)"
    case .tableAndObjectKey(let table, let key): "key \(table.rawValue):\(key.rawValue)"
    }
  }

  static func text(_ value: Value) -> String {
    switch value {
    case .string(let string): "\"\(string)\""
    case .data(let bytes): "data\(bytes)"
    case .float(let float): "\(float)f"
    case .date(let date): "\(date.seconds)s\(date.nanoseconds)ns"
    case .null: "null"
    case .int(let int): "\(int)"
    case .bool(let bool): "\(bool)"
    case .double(let double): "\(double)"
    case .objectID(let id): "oid \(String(id.head, radix: 16))-\(String(id.tail, radix: 16))"
    case .uuid(let uuid): "uuid \(String(uuid.head, radix: 16))-\(String(uuid.tail, radix: 16))"
    default: "\(value)"
    }
  }

  static func text(_ path: PathSyntax) -> String {
    path.elements.map { element in
      switch element.kind {
      case .name(let name): ".\(name)"
      case .key(let key): "[\"\(key)\"]"
      case .index(let index): "[\(index)]"
      case .last: "[last]"
      case .all: "[*]"
      case .indexArgument(let number): "[$\(number)]"
      case .keyPathArgument(let number): "$K\(number)"
      case .keys: ".keys()"
      case .values: ".values()"
      case .backlinks(let className, let property): ".links(\(className), \(property))"
      case .allBacklinks: ".links()"
      }
    }.joined()
  }

  static func text(_ region: GeoRegionSyntax) -> String {
    switch region.shape {
    case .box(let first, let second): "box(\(text(first)) \(text(second)))"
    case .circle(let center, let radius): "circle(\(text(center)) \(text(radius)))"
    case .polygon(let rings):
      "polygon(" + rings.map { "{\($0.map(text).joined(separator: " "))}" }.joined(separator: " ") + ")"
    case .argument(let number): "$\(number)"
    }
  }

  private static func text(_ point: GeoPointSyntax) -> String {
    "[\(text(point.longitude)) \(text(point.latitude))\(point.altitude.map { " \($0)" } ?? "")]"
  }

  private static func text(_ coordinate: CoordinateSyntax) -> String {
    switch coordinate.kind {
    case .number(let number): "\(number)"
    case .argument(let number): "$\(number)"
    }
  }

  static func text(_ step: OrderingSyntax) -> String {
    switch step {
    case .sort(let keys, _): "sort(\(keys.map { "\(text($0.path)) \($0.isAscending)" }.joined(separator: ", ")))"
    case .distinct(let paths, _): "distinct(\(paths.map(text).joined(separator: ", ")))"
    case .limit(.count(let count), _): "limit(\(count))"
    case .limit(.argument(let number, _), _): "limit($\(number))"
    }
  }
}

/// A text and its meaning.
struct SyntaxRow: Sendable, CustomTestStringConvertible {
  var text: String
  var expected: String
  var dialect: Dialect

  init(_ text: String, _ expected: String, _ dialect: Dialect = .standard) {
    (self.text, self.expected, self.dialect) = (text, expected, dialect)
  }

  var testDescription: String { text }
}
