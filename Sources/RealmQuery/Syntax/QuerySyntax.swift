import RealmStorage

/// A query as it is written: a predicate, and how to sort, deduplicate and limit its results.
///
/// Syntax trees are independent of a file: names are not looked up, constants are not converted. They are at most
/// `RQL.depthLimit` levels deep, so that walks over them may recurse.
package struct QuerySyntax: Hashable, Sendable {
  /// The whole text; all ranges in the tree are parts of it.
  package var text: String
  /// The rules by which the text was read.
  package var dialect: Dialect
  package var predicate: PredicateSyntax
  /// In the order written, in which they are applied.
  package var steps: [OrderingSyntax]

  package init(text: String, dialect: Dialect, predicate: PredicateSyntax, steps: [OrderingSyntax]) {
    self.text = text
    self.dialect = dialect
    self.predicate = predicate
    self.steps = steps
  }
}

/// The rules that a query is read and answered by.
package enum Dialect: Hashable, Sendable {
  /// The reference's language, with its defects fixed and a few forms more.
  case standard
  /// What the reference engine accepts and answers, defects included.
  case reference
}

/// A condition that is true or false of an object.
package indirect enum PredicateSyntax: Hashable, Sendable {
  /// `TRUEPREDICATE`, `FALSEPREDICATE`.
  case constant(Bool, range: SourceRange)
  case not(PredicateSyntax, range: SourceRange)
  /// Two or more, none of which is itself an `and`.
  case and([PredicateSyntax], range: SourceRange)
  /// Two or more, none of which is itself an `or`.
  case or([PredicateSyntax], range: SourceRange)
  case comparison(ComparisonSyntax)
  case between(BetweenSyntax)
  case geoWithin(GeoWithinSyntax)

  /// Its place, without parentheses around it.
  package var range: SourceRange {
    switch self {
    case .constant(_, let range), .not(_, let range), .and(_, let range), .or(_, let range): range
    case .comparison(let comparison): comparison.range
    case .between(let between): between.range
    case .geoWithin(let within): within.range
    }
  }
}

extension PredicateSyntax {
  /// A comparison of a property with a value that is not written in the query.
  package static func comparison(of property: String, _ comparison: ComparisonOperator, _ value: Value) -> Self {
    let range = SourceRange(0, 0)
    let path = PathSyntax(elements: [PathElementSyntax(kind: .name(property), range: range)])
    return .comparison(
      ComparisonSyntax(
        left: .property(PropertySyntax(quantifier: nil, path: path, operation: nil, range: range)),
        comparison: comparison, isCaseInsensitive: false,
        right: .constant(ConstantSyntax(kind: .value(value), text: "", range: range)), operatorRange: range))
  }
}

/// `left op right`, with or without `[c]`.
package struct ComparisonSyntax: Hashable, Sendable {
  package var left: ExpressionSyntax
  package var comparison: ComparisonOperator
  /// Whether `[c]` follows the operator; only equality (`in` included) and the string operators but `text` have it.
  package var isCaseInsensitive: Bool
  package var right: ExpressionSyntax
  /// Of the operator with its `[c]`.
  package var operatorRange: SourceRange
  package var range: SourceRange { left.range.joined(with: right.range) }
}

/// Raw values are the reference's names in messages.
package enum ComparisonOperator: String, Hashable, Sendable, CaseIterable {
  case equal = "="
  case notEqual = "!="
  case greater = ">"
  case less = "<"
  case greaterOrEqual = ">="
  case lessOrEqual = "<="
  case beginsWith = "beginswith"
  case endsWith = "endswith"
  case contains = "contains"
  case like = "like"
  case isIn = "in"
  case text = "text"

  /// `<`, `<=`, `>`, `>=`.
  package var isRelational: Bool {
    switch self {
    case .greater, .less, .greaterOrEqual, .lessOrEqual: true
    default: false
    }
  }

  /// `==`, `!=`, `IN`.
  package var isEquality: Bool { self == .equal || self == .notEqual || self == .isIn }
}

/// `value BETWEEN {low, high}`; how many elements the list has is not checked.
package struct BetweenSyntax: Hashable, Sendable {
  /// Anything but arithmetic.
  package var value: ExpressionSyntax
  package var limits: ListSyntax
  package var operatorRange: SourceRange
  package var range: SourceRange { value.range.joined(with: limits.range) }
}

/// `property GEOWITHIN region`.
package struct GeoWithinSyntax: Hashable, Sendable {
  package var property: PropertySyntax
  package var region: GeoRegionSyntax
  package var operatorRange: SourceRange
  package var range: SourceRange { property.range.joined(with: region.range) }
}

/// A step after the predicate.
package enum OrderingSyntax: Hashable, Sendable {
  case sort([SortKeySyntax], range: SourceRange)
  case distinct([PathSyntax], range: SourceRange)
  case limit(LimitSyntax, range: SourceRange)

  /// From the word to the parenthesis.
  package var range: SourceRange {
    switch self {
    case .sort(_, let range), .distinct(_, let range), .limit(_, let range): range
    }
  }
}

/// `path ASC`, `path DESC`.
package struct SortKeySyntax: Hashable, Sendable {
  package var path: PathSyntax
  package var isAscending: Bool
}

/// What `LIMIT` has in parentheses.
package enum LimitSyntax: Hashable, Sendable {
  /// At least 0.
  case count(Int)
  /// `$n`, which the reference does not accept.
  case argument(Int, range: SourceRange)
}

/// What `GEOWITHIN` has on its right.
package struct GeoRegionSyntax: Hashable, Sendable {
  package enum Shape: Hashable, Sendable {
    /// Two opposite corners.
    case box(GeoPointSyntax, GeoPointSyntax)
    /// The radius is in radians.
    case circle(center: GeoPointSyntax, radius: CoordinateSyntax)
    /// The outer boundary, then holes; at least one ring, each of at least one point. Whether they are closed is not
    /// checked.
    case polygon([[GeoPointSyntax]])
    /// `$n`.
    case argument(Int)
  }

  package var shape: Shape
  package var range: SourceRange
}

/// `[longitude, latitude]`, `[longitude, latitude, altitude]`.
package struct GeoPointSyntax: Hashable, Sendable {
  package var longitude: CoordinateSyntax
  package var latitude: CoordinateSyntax
  package var altitude: Double?
  package var range: SourceRange
}

/// A number of a region, or the place of one.
package struct CoordinateSyntax: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case number(Double)
    /// `$n`.
    case argument(Int)
  }

  package var kind: Kind
  package var range: SourceRange
}

/// A part of a query's text, in bytes of its UTF-8 from 0.
public struct SourceRange: Hashable, Sendable {
  /// The first byte.
  public var start: Int
  /// The byte after the last one; at least `start`.
  public var end: Int

  /// The bytes from `start` to the one before `end`.
  public init(_ start: Int, _ end: Int) {
    self.start = start
    self.end = end
  }

  /// From the beginning of this part to the end of another one that does not lie before it.
  package func joined(with other: SourceRange) -> SourceRange { SourceRange(start, other.end) }
}
