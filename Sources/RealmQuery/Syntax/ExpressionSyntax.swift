import RealmStorage

/// One side of a comparison.
package indirect enum ExpressionSyntax: Hashable, Sendable {
  case constant(ConstantSyntax)
  case list(ListSyntax)
  case property(PropertySyntax)
  case aggregate(AggregateSyntax)
  case subquery(SubquerySyntax)
  case arithmetic(ArithmeticSyntax)

  /// Its place, without parentheses around it.
  package var range: SourceRange {
    switch self {
    case .constant(let constant): constant.range
    case .list(let list): list.range
    case .property(let property): property.range
    case .aggregate(let aggregate): aggregate.range
    case .subquery(let subquery): subquery.range
    case .arithmetic(let arithmetic): arithmetic.range
    }
  }

  /// Whether no object is needed to compute it: constants, lists, and arithmetic of them.
  package var isConstant: Bool {
    switch self {
    case .constant, .list: true
    case .property, .aggregate, .subquery: false
    case .arithmetic(let arithmetic): arithmetic.left.isConstant && arithmetic.right.isConstant
    }
  }

  /// Whether it is a list of constants, or arithmetic that has one.
  package var isList: Bool {
    switch self {
    case .list: true
    case .constant, .property, .aggregate, .subquery: false
    case .arithmetic(let arithmetic): arithmetic.left.isList || arithmetic.right.isList
    }
  }
}

/// `ANY` (`SOME`), `ALL`, `NONE`; raw values are the reference's names in messages.
package enum Quantifier: String, Hashable, Sendable {
  case any = "ANY"
  case all = "ALL"
  case none = "NONE"
}

/// A value in the text, or the place of an argument.
package struct ConstantSyntax: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// A literal of any type but list, set, dictionary and link. Its `text` has the digits of a number, which may be
    /// more than the value has.
    case value(Value)
    /// A well-formed literal with an invalid value, such as a number or a date out of range. The error is the meaning
    /// of the constant; the text is still good for a decimal.
    case invalid(QueryError)
    /// `$n`, and the quantifier before it.
    case argument(Int, quantifier: Quantifier?)
    /// `obj("Class", key)`.
    case object(ObjectLiteralSyntax)
    /// `O5`: an object of the class that the other side links to.
    case objectKey(ObjectKey)
    /// `L3:5`: an object of the table of that key.
    case tableAndObjectKey(TableKey, ObjectKey)
  }

  package var kind: Kind
  /// As written; of `ANY $0` only the argument, as messages show it.
  package var text: String
  package var range: SourceRange
}

/// `obj("Class", primary key)`.
package struct ObjectLiteralSyntax: Hashable, Sendable {
  /// As written, with or without `class_`.
  package var className: String
  package var key: ObjectLiteralKey
  /// Of the text between the parentheses' comma and end.
  package var keyRange: SourceRange
}

/// The primary key in `obj("Class", …)`.
package enum ObjectLiteralKey: Hashable, Sendable {
  /// An int, a string, an object id or a UUID.
  case value(Value)
  /// A number out of range.
  case invalid(QueryError)
  /// `$n`.
  case argument(Int)
}

/// `{1, 2, $0}`, with or without a quantifier before it.
package struct ListSyntax: Hashable, Sendable {
  package var quantifier: Quantifier?
  package var elements: [ConstantSyntax]
  /// With the quantifier.
  package var range: SourceRange
}

/// A key path with what comes before and after it.
package struct PropertySyntax: Hashable, Sendable {
  package var quantifier: Quantifier?
  package var path: PathSyntax
  package var operation: PropertyOperation?
  /// With the quantifier.
  package var range: SourceRange
}

/// What follows a key path.
package enum PropertyOperation: Hashable, Sendable {
  /// `.@count`, `.@size`, `[SIZE]`; the name as written (`@count`, `size`), as messages show it.
  case size(name: String)
  /// `.@type`.
  case type

  /// As messages show it.
  package var name: String {
    switch self {
    case .size(let name): name
    case .type: "@type"
    }
  }
}

/// `path.@max`, `path.@max.property`.
package struct AggregateSyntax: Hashable, Sendable {
  package var path: PathSyntax
  package var function: AggregateFunction
  package var functionRange: SourceRange
  /// The property of the path's elements.
  package var property: NameSyntax?
  package var range: SourceRange { path.range.joined(with: property?.range ?? functionRange) }
}

/// Raw values are the reference's names in messages.
package enum AggregateFunction: String, Hashable, Sendable {
  case max = ".@max"
  case min = ".@min"
  case sum = ".@sum"
  case average = ".@avg"
}

/// `SUBQUERY(collection, $x, predicate).@count`.
package struct SubquerySyntax: Hashable, Sendable {
  package var collection: PathSyntax
  /// Any name; see `checkedVariable`.
  package var variable: NameSyntax
  package var predicate: PredicateSyntax
  package var range: SourceRange

  /// The variable with its `$`; throws `SyntaxError` if it is a name of another kind.
  package func checkedVariable() throws(QueryError) -> String {
    if variable.text.hasPrefix("$"), variable.text.utf8.count >= 2 { return variable.text }
    throw QueryError(
      .syntaxError,
      "The subquery variable '\(variable.text)' is invalid. The variable must start with '$' and cannot be empty; "
        + "for example '$x'.",
      at: variable.range)
  }
}

/// `left op right`.
package struct ArithmeticSyntax: Hashable, Sendable {
  package var left: ExpressionSyntax
  package var operation: ArithmeticOperator
  package var right: ExpressionSyntax
  package var range: SourceRange { left.range.joined(with: right.range) }
}

/// What queries and formulas compute with numbers. Raw values are the reference's names in messages.
package enum ArithmeticOperator: String, Hashable, Sendable {
  case add = "+"
  case subtract = "-"
  case multiply = "*"
  case divide = "/"

  /// The caller decides what happens if the result does not fit, and on a division by zero.
  @inline(__always)
  package func apply(_ left: Int64, _ right: Int64) -> (partialValue: Int64, overflow: Bool) {
    switch self {
    case .add: left.addingReportingOverflow(right)
    case .subtract: left.subtractingReportingOverflow(right)
    case .multiply: left.multipliedReportingOverflow(by: right)
    case .divide: left.dividedReportingOverflow(by: right)
    }
  }

  @inline(__always)
  package func apply<Real: BinaryFloatingPoint>(_ left: Real, _ right: Real) -> Real {
    switch self {
    case .add: left + right
    case .subtract: left - right
    case .multiply: left * right
    case .divide: left / right
    }
  }

  package func apply(_ left: Decimal128, _ right: Decimal128) -> Decimal128 {
    switch self {
    case .add: DecimalArithmetic.add(left, right)
    case .subtract: DecimalArithmetic.subtract(left, right)
    case .multiply: DecimalArithmetic.multiply(left, right)
    case .divide: DecimalArithmetic.divide(left, right)
    }
  }
}
