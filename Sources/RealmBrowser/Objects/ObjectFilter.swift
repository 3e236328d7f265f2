import RealmQuery
import RealmStorage
import RealmText

/// A filter as typed, read for a class: a query; otherwise text to search for, with `property: text` in one property.
/// Text in quotes is literal, `~` begins a regular expression.
///
/// Text that names a property but is not a valid query is refused: a search for its letters would find nothing, and
/// would suggest wrongly that no such objects exist.
struct ObjectFilter: Sendable {
  /// As it was typed.
  let text: String
  let predicate: any ObjectPredicate
  /// A short description for the user who types it.
  let meaning: String
  /// Why nothing may have been found, if the text could have had another meaning.
  private(set) var doubt: String?

  /// - Throws: `FilterError`.
  init(
    _ text: String, of table: Table, in snapshot: Snapshot, inverses: InverseNames = InverseNames()
  ) throws(FilterError) {
    do {
      let predicate = QueryPredicate(syntax: try RQL.parse(text), inverses: inverses)
      let query = try predicate.query(of: table, in: snapshot)
      self.init(text, predicate, meaning: "a query; Enter filters")
      doubt = query.warnings.first.map(Self.describe)
    } catch let error as QueryError {
      guard error.code == .syntaxError, let filter = try Self(plain: text, of: table, error) else {
        throw FilterError(error, in: text)
      }
      self = filter
    } catch {
      // The query followed a link to an object that cannot be read.
      throw FilterError("\(error)", at: nil)
    }
  }

  /// The objects that are marked now.
  init(_ marks: RowMarks) {
    self.init("marked", MarkedPredicate(marks: marks), meaning: "")
  }

  /// Whether it was typed, so that it can be read again for another schema.
  var isText: Bool { !(predicate is MarkedPredicate) }

  private init(_ text: String, _ predicate: any ObjectPredicate, meaning: String) {
    (self.text, self.predicate, self.meaning) = (text, predicate, meaning)
  }

  private static func describe(_ warning: QueryWarning) -> String {
    switch warning {
    case .missingObject(let name, let key, _): "class '\(name)' has no object with the primary key \(key)"
    case .orderedList(let path, _): "'\(path) IN {...}' compares the lists element by element; ANY finds one"
    case .percentInPattern: "'%' has no meaning in LIKE, which uses * and ?"
    case .notText(let path, let values, _, _): "the values of '\(path)' \(values), not text"
    case .numberAsDate(let path, _): "'\(path)' is compared with a number; dates are such as 2024-01-31"
    }
  }

  // MARK: Text

  /// - Parameter error: why the text is not a query.
  /// - Returns: nil if it was meant as one.
  private init?(plain text: String, of table: Table, _ error: QueryError) throws(FilterError) {
    let schema = table.schema
    let all = Array(schema.properties.indices)
    if text.count > 2, text.hasPrefix("\""), text.hasSuffix("\"") {
      try self.init(text, String(text.dropFirst().dropLast()), all, "all properties")
      return
    }
    if text.first == TextPattern.regexSign {
      try self.init(text, text, all, "all properties")
      return
    }
    let word = text.drop { $0 == " " }.prefix { !" :=<>!".contains($0) }
    let rest = text[word.endIndex...].drop { $0 == " " }
    if rest.first == ":" {
      var wanted = String(rest.dropFirst().drop { $0 == " " })
      // Quotes make it text that is not a pattern; here it never is.
      for quote in ["\"", "'"] where wanted.count > 2 && wanted.hasPrefix(quote) && wanted.hasSuffix(quote) {
        wanted = String(wanted.dropFirst().dropLast())
      }
      if let index = schema.properties.firstIndex(where: { $0.name == RealmString(word) }) {
        try self.init(text, wanted, [index], String(word))
        return
      }
      // A blank after the colon distinguishes a property from an address or a time of day.
      if Self.isName(word), rest.dropFirst().first.map({ $0 == " " }) ?? true {
        let start = text[..<word.startIndex].utf8.count
        throw FilterError(
          "'\(schema.displayName)' has no property '\(word)'; "
            + (Similarity.question(about: String(word), among: schema.properties.map(\.name.description))
              ?? "quote the text to search for it"),
          at: start..<start + word.utf8.count)
      }
    }
    let traces = QueryTraces(of: text)
    guard schema.properties.allSatisfy({ !traces.names.contains($0.name) }) else { return nil }
    try self.init(text, text, all, "all properties")
    if traces.hasComparison { doubt = "searched as text, because it is not a query" }
  }

  private init(
    _ text: String, _ wanted: String, _ properties: [Int], _ place: String
  ) throws(FilterError) {
    let read: TextPattern?
    do throws(PatternError) {
      read = try text.hasPrefix("\"") ? TextPattern(wanted) : TextPattern(typed: wanted)
    } catch {
      throw FilterError(error, in: text, expression: wanted)
    }
    guard let pattern = read else { throw FilterError("nothing to filter by", at: nil) }
    let sort = pattern.isRegex ? "a regular expression" : "text"
    self.init(
      text, TextPredicate(pattern: pattern, properties: properties), meaning: "\(sort); Enter looks for it in \(place)")
  }

  /// Whether it could name a property.
  private static func isName(_ word: Substring) -> Bool {
    guard let first = word.first, first.isLetter || first == "_" || first == "@" else { return false }
    return word.allSatisfy { $0.isLetter || $0.isNumber || "_@.".contains($0) }
  }
}

/// Why a filter has no meaning, in one line.
struct FilterError: Error, Hashable {
  let text: String
  /// The part of the filter at fault, in bytes; nil if no single part is.
  let range: Range<Int>?
  /// Whether more has to be typed, and what there is so far is right.
  private(set) var isUnfinished = false

  init(_ text: String, at range: Range<Int>?) { (self.text, self.range) = (text, range) }

  /// - Parameter expression: the last part of the filter, with its sign.
  init(_ error: PatternError, in filter: String, expression: String) {
    let start = filter.utf8.count - expression.utf8.count + 1
    self.init(
      "not a regular expression: \(error)", at: error.range.lowerBound + start..<error.range.upperBound + start)
    isUnfinished = error.range.isEmpty
  }

  init(_ error: QueryError, in filter: String) {
    let range = error.range.map { $0.start..<max($0.end, $0.start) }
    let written = filter.utf8.reversed().drop { $0 == UInt8(ascii: " ") }.count
    isUnfinished = error.code == .syntaxError && range.map { $0.lowerBound >= written } ?? false
    self.range = range
    text = isUnfinished ? "not yet a query; quote the text to search for it" : Self.sentence(error)
  }

  /// A path to a value that has no meaning.
  init(_ error: QueryError, inPath path: String) { self.init(Self.sentence(error), at: nil) }

  private static func sentence(_ error: QueryError) -> String {
    error.detail + (error.advice.map { "; " + $0 } ?? "")
  }
}
