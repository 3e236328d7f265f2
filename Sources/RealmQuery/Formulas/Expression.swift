import RealmStorage

/// A formula of a plan, or a condition on sizes. `depthLimit` bounds how deep they are nested.
package indirect enum Expression: Hashable, Sendable {
  case constant(Value)
  /// A number with a point or an exponent. As a decimal it has all digits that were written.
  case number(Double, exact: Decimal128)
  /// The number of one of the paths that the text has.
  case path(Int)
  case negate(Expression)
  case not(Expression)
  /// All of them, two at least.
  case and([Expression])
  /// One of them, which are two at least.
  case or([Expression])
  case arithmetic(ArithmeticOperator, Expression, Expression)
  case remainder(Expression, Expression)
  case comparison(Comparison, Expression, Expression)
  case call(Function, [Expression])

  package enum Comparison: String, Hashable, Sendable, CaseIterable {
    // The longer of two that begin alike first.
    case equal = "=="
    case notEqual = "!="
    case lessOrEqual = "<="
    case greaterOrEqual = ">="
    case less = "<"
    case greater = ">"

    /// Whether it is true of two values with this order: below, at or above zero.
    package func holds(_ order: Int) -> Bool {
      switch self {
      case .equal: order == 0
      case .notEqual: order != 0
      case .less: order < 0
      case .lessOrEqual: order <= 0
      case .greater: order > 0
      case .greaterOrEqual: order >= 0
      }
    }
  }

  /// How deep formulas may be nested.
  package static let depthLimit = 64

  package enum Function: String, Hashable, Sendable, CaseIterable {
    case str, int, double, decimal, bool, date, data, oid, uuid
    case concat, upper, lower, trim, substr, replace, split, join, len
    case count, sum, avg, min, max
    case round, floor, ceil, abs
    case `if`, coalesce
    case isNull = "is_null"
    case now
    case newUUID = "new_uuid"
    case newObjectID = "new_objectid"
    case key
    case parseDate = "parse_date"
    case formatDate = "format_date"

    /// How many arguments it takes.
    package var argumentCounts: ClosedRange<Int> {
      switch self {
      case .concat, .coalesce: 1...100
      case .now, .newUUID, .newObjectID, .key: 0...0
      case .if, .substr, .replace: 3...3
      case .split, .join, .parseDate, .formatDate: 2...2
      case .min, .max: 1...100
      case .round: 1...2
      default: 1...1
      }
    }

    /// Whether it accepts a null argument; all others then give null.
    package var takesNull: Bool { self == .if || self == .coalesce || self == .isNull || self == .concat }
  }
}

/// A path of a formula: `old.dog.name`, `tags[0]`, `attributes["color"]`.
package struct ExpressionPath: Hashable, Sendable {
  package enum Side: String, Hashable, Sendable { case old, new }

  package enum Element: Hashable, Sendable {
    case name(RealmString)
    case index(Int)
    case key(RealmString)
    /// `@links.Class.property`: the objects of a class that link here by a property.
    case backlinks(className: RealmString, property: RealmString)
  }

  /// Nil for the old object if it had the property, else the new one.
  package var side: Side?
  /// The first property; empty if the path begins with `@links`.
  package var property: RealmString
  package var rest: [Element]
  /// As it was written.
  package var text: String

  package init(side: Side?, property: RealmString, rest: [Element], text: String) {
    (self.side, self.property, self.rest, self.text) = (side, property, rest, text)
  }

  /// Whether the path begins with `@links`, not with a property of the object.
  package var startsAtBacklinks: Bool {
    guard property.isEmpty, case .backlinks? = rest.first else { return false }
    return true
  }
}

/// A formula with its paths.
package struct Formula: Hashable, Sendable {
  package var text: String
  package var root: Expression
  package var paths: [ExpressionPath]

  package init(text: String, root: Expression, paths: [ExpressionPath]) {
    (self.text, self.root, self.paths) = (text, root, paths)
  }
}

/// Why a text is not a formula or a template.
package struct ExpressionError: Error, Hashable, Sendable {
  package var message: String
  /// From 0, in bytes of its text.
  package var offset: Int
  /// A suggestion; nil without one.
  package var advice: String?

  package init(message: String, offset: Int, advice: String? = nil) {
    (self.message, self.offset, self.advice) = (message, offset, advice)
  }

  /// The place for people: from 1, in characters.
  package func character(in text: String) -> Int {
    String(decoding: text.utf8.prefix(offset), as: UTF8.self).unicodeScalars.count + 1
  }
}
