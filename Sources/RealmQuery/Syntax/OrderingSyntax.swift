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
