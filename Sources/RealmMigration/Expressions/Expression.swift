import RealmStorage

/// A formula of a plan. Trees are at most `Expression.depthLimit` levels deep.
package indirect enum Expression: Hashable, Sendable {
  case constant(Value)
  /// The number of one of the paths that the text has.
  case path(Int)
  case negate(Expression)
  case not(Expression)
  case and(Expression, Expression)
  case or(Expression, Expression)
  case arithmetic(Arithmetic, Expression, Expression)
  case comparison(Comparison, Expression, Expression)
  case call(Function, [Expression])

  package enum Arithmetic: String, Hashable, Sendable {
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
    case remainder = "%"
  }

  package enum Comparison: String, Hashable, Sendable {
    case equal = "=="
    case notEqual = "!="
    case lessOrEqual = "<="
    case greaterOrEqual = ">="
    case less = "<"
    case greater = ">"
  }

  /// How deep formulas may lie inside each other.
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

    /// Whether it takes null for an argument; all others are null then.
    package var takesNull: Bool { self == .if || self == .coalesce || self == .isNull || self == .concat }
  }
}

/// A path of a formula: `old.dog.name`, `tags[0]`, `attributes["colour"]`.
package struct ExpressionPath: Hashable, Sendable {
  package enum Side: String, Hashable, Sendable { case old, new }

  package enum Element: Hashable, Sendable {
    case name(RealmString)
    case index(Int)
    case key(RealmString)
  }

  /// Nil for the old object if it had the property, else the new one.
  package var side: Side?
  /// The first property.
  package var property: RealmString
  package var rest: [Element]
  /// As it was written.
  package var text: String
}

/// A formula with its paths.
package struct Formula: Hashable, Sendable {
  package var text: String
  package var root: Expression
  package var paths: [ExpressionPath]
}

/// A text with holes: `{firstName} {lastName|unknown} ({=age + 1})`.
package struct Template: Hashable, Sendable {
  package enum Part: Hashable, Sendable {
    case text([UInt8])
    /// - Parameter fallback: what stands in place of null.
    case insert(Formula, fallback: [UInt8]?)
  }

  package var text: String
  package var parts: [Part]
}

/// Why a formula or a template is none.
package struct ExpressionError: Error, Hashable, Sendable {
  package var message: String
  /// From 0, in bytes of its text.
  package var offset: Int
}
