/// What is wrong with a query, its arguments, or the two together with a class.
///
/// Codes and texts are those of the reference engine for the same cause: they are what users search for.
public struct QueryError: Error, Hashable, Sendable {
  /// The reference engine's name for a group of mistakes.
  public enum Code: String, Hashable, Sendable {
    /// The text is not a query.
    case syntaxError = "SyntaxError"
    /// The query has no meaning for its class.
    case invalidQuery = "InvalidQuery"
    /// An argument, or a constant in an argument's place, does not fit.
    case invalidQueryArg = "InvalidQueryArg"
    /// A path that nothing can be sorted or made distinct by.
    case invalidSortDescriptor = "InvalidSortDescriptor"
    /// A search text of `TEXT` that is none.
    case invalidArgument = "InvalidArgument"
    /// The property lacks what the operator needs.
    case illegalOperation = "IllegalOperation"
    /// A property that is not of the class.
    case invalidProperty = "InvalidProperty"
  }

  /// The group of mistakes.
  public var code: Code
  /// One line, without the place. A syntax error quotes the whole query.
  public var message: String
  /// The part of the query that is meant; nil where the mistake is not in the text.
  public var range: SourceRange?

  /// A mistake in a part of a query.
  public init(_ code: Code, _ message: String, at range: SourceRange?) {
    self.code = code
    self.message = message
    self.range = range
  }
}

extension QueryError: CustomStringConvertible {
  /// The message.
  public var description: String { message }
}
