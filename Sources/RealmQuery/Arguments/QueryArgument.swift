import RealmStorage
import RealmText

/// The values of `$0`, `$1`, … in a query.
package indirect enum QueryArgument: Hashable, Sendable {
  /// Null, a scalar, or a link that names its table (`typedLink`); no collection.
  case value(Value)
  /// An object of a class, with or without `class_`, by its primary key: `obj("Person", 1)`.
  case object(className: String, primaryKey: Value)
  /// An object of a class by its object key.
  case objectOfClass(className: String, ObjectKey)
  /// An object of whatever class the other side links to: `O5`.
  case objectKey(ObjectKey)
  /// A list of anything but lists.
  case list([QueryArgument])
}

extension QueryArgument {
  /// An argument as it is given on a command line: a literal of the query language (`25`, `null`, `2001-02-03`,
  /// `oid(…)`, `obj("Dog", "Rex")`, `{1, 2}`, `"25"`), or, for any other text, the text itself as a string.
  ///
  /// An integer beyond the range of `int` is a decimal.
  package init(text: String) {
    self = Self.literal(text) ?? .value(.string(RealmString(text)))
  }

  private static func literal(_ text: String) -> QueryArgument? {
    guard let expression = try? RQL.parseConstant(text) else { return nil }
    switch expression {
    case .constant(let constant): return argument(constant)
    case .list(let list):
      guard list.quantifier == nil else { return nil }
      let elements = list.elements.compactMap(argument)
      return elements.count == list.elements.count ? .list(elements) : nil
    case .property, .aggregate, .subquery, .arithmetic: return nil
    }
  }

  private static func argument(_ constant: ConstantSyntax) -> QueryArgument? {
    switch constant.kind {
    case .value(let value): return .value(value)
    case .invalid:
      guard let reading = DecimalReading(text: constant.text), !reading.isRounded else { return nil }
      return .value(.decimal(reading.decimal))
    case .argument: return nil
    case .object(let object):
      guard case .value(let key) = object.key else { return nil }
      return .object(className: object.className, primaryKey: key)
    case .objectKey(let key): return .objectKey(key)
    case .tableAndObjectKey(let table, let key): return .value(.typedLink(table, key))
    }
  }
}
