import RealmStorage
import RealmText

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
    /// An invalid search text of `TEXT`.
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
  /// The part of the query that is meant; nil if the mistake is not in the text.
  public var range: SourceRange?
  /// A suggestion, such as `did you mean 'age'?`; nil without one.
  public var advice: String?

  /// A mistake in a part of a query. A message that quotes long text keeps its beginning and its end.
  public init(_ code: Code, _ message: String, at range: SourceRange?, advice: String? = nil) {
    self.init(code, message, at: range, advice: advice, because: nil)
  }

  init(_ code: Code, _ message: String, at range: SourceRange?, advice: String? = nil, because cause: Cause?) {
    self.code = code
    self.message = Self.shortened(message, to: 400, tail: 150)
    self.range = range
    self.advice = advice
    self.cause = cause
  }

  /// A class that the query needs and that cannot be read.
  init(unreadable what: String, _ damage: StorageError?) {
    self.init(.invalidQuery, what + " cannot be read", at: nil)
    cause = damage.map { .damage(what, $0) }
  }

  /// An unknown name.
  ///
  /// - Parameters:
  ///   - known: the names that could be meant.
  ///   - kind: what they are names of.
  ///   - followsLinks: whether links come before the name, so that an operation could be meant.
  init(
    _ code: Code, _ message: String, unknown name: String, among known: [RealmString], _ kind: NameAdvice = .properties,
    at range: SourceRange, followsLinks: Bool = false
  ) {
    let names = known.map(\.description)
    let isFar = followsLinks && Similarity.nearest(to: name, among: names) == nil
    let operation = isFar ? Self.question(meaning: Self.operation(meantBy: name)) : nil
    let near = kind == .properties ? Similarity.nearest(to: name, among: names) : nil
    let quoted = near.flatMap { near in
      let written = CompletionWords.written(RealmString(near))
      return written == near ? nil : "write it in backquotes: \(written)"
    }
    let question = operation ?? (quoted == nil ? kind.question(for: name, among: names) : nil)
    let advice = question ?? quoted ?? kind.text(for: name, among: names)
    self.init(code, message, at: range, advice: advice.map { Self.shortened($0, to: 400) })
    (cause, self.question) = (.unknownName(name), question)
  }

  /// A name that follows a property whose values are not objects.
  ///
  /// - Parameter type: of the values, in words.
  init(_ code: Code, _ message: String, unknown name: String, ofValues type: String, at range: SourceRange) {
    let question = Self.question(meaning: Self.operation(meantBy: name))
    self.init(code, message, at: range, advice: question ?? "values of type \(type) have no properties")
    (cause, self.question) = (.unknownName(name), question)
  }

  /// A mistake of syntax, worded as the reference words them: with the whole text.
  init(syntaxOf text: String, _ detail: String, at range: SourceRange) {
    let head = "Invalid predicate: '\(Self.shortened(text, to: 200))': "
    self.init(.syntaxError, head + detail, at: range)
    headLength = head.count
  }

  private static func question(meaning name: String?) -> String? { name.map { "did you mean '\($0)'?" } }

  /// The operation that is meant by its name without the sign in front, or by that of other languages.
  ///
  /// - Returns: nil for other names.
  static func operation(meantBy name: String) -> String? {
    let name = name.lowercased()
    // The SDKs' word, for text and data as well; `@size` means the same.
    if ["length", "len", "size"].contains(name) { return "@count" }
    return operations.contains(name) ? "@" + name : nil
  }

  private static let operations: Set<String> = ["count", "min", "max", "sum", "avg", "links", "type"]

  /// What advice on a mistake depends on.
  package enum Cause: Hashable, Sendable {
    /// The query needs the argument with this number.
    case missingArgument(Int)
    /// The type of an argument is not that of what it is compared with.
    case argumentType(Int, needed: String)
    /// The text of the arguments is not a JSON array.
    case argumentText
    case unknownName(String)
    /// A class that the query needs cannot be read.
    case damage(String, StorageError)
  }

  /// Nil if no advice depends on it.
  package var cause: Cause?
  /// The advice on an unknown name, if it asks for a near one.
  private(set) var question: String?

  /// Characters of the message with the query in them.
  private var headLength = 0
  /// The message without the query in it, for places that show the query next to it.
  package var detail: String { String(message.dropFirst(headLength)) }

  /// - Parameters:
  ///   - limit: characters that are kept at the beginning.
  ///   - tail: those that are kept at the end.
  private static func shortened(_ text: String, to limit: Int, tail: Int = 0) -> String {
    guard text.utf8.count > limit + tail, text.unicodeScalars.count > limit + tail else { return text }
    return String(text.unicodeScalars.prefix(limit)) + "…" + String(text.unicodeScalars.suffix(tail))
  }
}

extension QueryError: CustomStringConvertible {
  /// The message and the suggestion.
  public var description: String { message + (advice.map { "; \($0)" } ?? "") }
}
