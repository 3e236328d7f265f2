import RealmStorage
import RealmText

/// What to write instead where a query has a syntax error: habits from SQL and other languages, words that are close to
/// an operator, and values without their delimiters.
struct SyntaxAdvice {
  private let literals: Literals
  /// The unexpected token.
  private let token: Token
  /// Those before it.
  private let before: [Token]

  /// - Parameter expected: what could stand in its place; none if it is more than a few things.
  /// - Returns: nil if nothing can be said beyond the error itself.
  static func text(for token: Token, in literals: Literals, expecting expected: [TokenKind]) -> String? {
    let advice = SyntaxAdvice(token, literals)
    let text = table.lazy.compactMap { $0.find(advice, expected) }.first
    // A long name is not worth repeating.
    return text.flatMap { $0.utf8.count > longest ? nil : $0 }
  }

  private static let longest = 200

  /// What is looked for, in this order, and the advice on it.
  static let table: [(name: String, find: @Sendable (SyntaxAdvice, [TokenKind]) -> String?)] = [
    ("coordinate", { $0.coordinate($1) }), ("value without its delimiters", { advice, _ in advice.bareValue }),
    ("call", { advice, _ in advice.call }), ("list", { advice, _ in advice.list }),
    ("ordering", { advice, _ in advice.ordering }), ("object in braces", { advice, _ in advice.objectInBraces }),
    ("statement", { advice, _ in beginnings[advice.lowercased(advice.before.first)] }),
    ("word", { $0.word(isAtEnd: $1 == [.end]) }), ("name with a space", { advice, _ in advice.spacedName }),
    ("joint", { $0.joint(isAtEnd: $1 == [.end]) }), ("parenthesis", { $0.parenthesis($1) }),
    ("name alone", { advice, _ in advice.nameAlone }),
  ]

  /// Words of other languages, in the place of an operator.
  static let words = [
    "collate": "write ==[c] to ignore case", "where": "write only the condition that follows WHERE",
    "begins": "write BEGINSWITH", "offset": noOffset, "skip": noOffset, "exists": "write != null",
    "order": "write SORT(property ASC)", "group": grouping, "having": grouping,
    "join": "follow links with a path, such as owner.name; 'sql' takes SQL", "ilike": "write LIKE[c]",
    "startswith": "write BEGINSWITH", "starts_with": "write BEGINSWITH", "starts": "write BEGINSWITH",
    "hasprefix": "write BEGINSWITH", "ends_with": "write ENDSWITH", "ends": "write ENDSWITH",
    "hassuffix": "write ENDSWITH", "has": "write CONTAINS", "includes": "write CONTAINS", "include": "write CONTAINS",
    "matches": pattern, "regexp": pattern, "regex": pattern, "rlike": pattern, "glob": pattern,
  ]

  /// Words that a statement of SQL begins with, or a part of one.
  static let beginnings = [
    "where": "omit WHERE", "order": "write SORT(property ASC)", "sort": "write SORT(property ASC)", "group": grouping,
    "offset": noOffset, "skip": noOffset, "select": "write the condition alone, or use 'sql'",
    "update": "write the condition alone", "delete": "write the condition alone", "insert": "write the condition alone",
  ]

  private static let grouping = "'query --group-by' groups objects, and 'sql' takes SQL"
  private static let noOffset = "OFFSET is not supported; 'sql' has LIMIT … OFFSET"
  private static let pattern = "write LIKE, with * and ?"

  /// What cannot be sorted.
  static let takesSingleValues = "SORT and DISTINCT take properties with a single value, not collections"

  /// For a character that begins no token.
  ///
  /// - Parameters:
  ///   - start: of the query, before it.
  ///   - rest: of the query, after it.
  static func text(forCharacter character: String, after start: String, followedBy rest: Substring) -> String? {
    switch character {
    // Quotes in pairs are strings.
    case "\"", "'":
      start.last.map { $0.isLetter || $0.isNumber } == true && !endsWithOperator(start)
        ? "put text in quotes, and write \\\(character) for a quote within it" : "close the quote"
    case "&": "write &&"
    case "|": "write ||"
    case "~": "write LIKE, with * and ?"
    case ";": rest.allSatisfy(\.isWhitespace) ? "omit the semicolon" : "combine conditions with AND or OR"
    case ":" where start.first?.isNumber == false && start.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }:
      afterColon(start, rest)
    case ":" where start.contains("{"): start.hasPrefix("{") ? "write PROPERTY == VALUE" : "write PROPERTY.KEY == VALUE"
    case ":" where start.lowercased().contains(text: "sort("): "write a space in place of the colon"
    case "%" where Self.endsWithOperand(start): "'sql' has the remainder"
    case "%", "?", ":": "write $0, and give its value with --arg"
    case "@":
      ["length", "len"].contains { rest.lowercased().hasPrefix($0) }
        ? "write @count" : "there are @count, @min, @max, @sum, @avg, @keys, @values, @type and @links"
    default: nil
    }
  }

  /// `name: "Rex"` as in JSON, and `Dog: name == "Rex"` as in options that take a class.
  private static func afterColon(_ name: String, _ rest: Substring) -> String {
    let (name, rest) = (name.prefix(40), rest.drop { $0.isWhitespace })
    let operators = ["=", "<", ">", " in ", " contains", " like", "beginswith", "endswith", " between", "predicate"]
    guard !operators.contains(where: { rest.lowercased().contains(text: $0) }) else { return "omit '\(name):'" }
    let isValue = rest.first.map { $0.isNumber || "\"'-".contains($0) } == true
    let areQuotesPaired = ["'", "\""].allSatisfy { quote in rest.count { String($0) == quote } % 2 == 0 }
    let isLong = rest.count < 2 || rest.count > 40 || rest.contains { ":,".contains($0) } || !areQuotesPaired
    return "write \(name) == " + (isLong ? "VALUE" : isValue ? String(rest) : "\"\(rest)\"")
  }

  /// Whether a word that is an operator stands before what follows.
  private static func endsWithOperator(_ start: String) -> Bool {
    let word = start.split { !$0.isLetter }.last?.lowercased() ?? ""
    return ["contains", "like", "beginswith", "endswith", "in", "text", "and", "or", "not"].contains(word)
  }

  /// Whether a name or a number stands before what follows.
  private static func endsWithOperand(_ start: String) -> Bool {
    start.last { !$0.isWhitespace }.map { $0.isLetter || $0.isNumber || $0 == "_" || $0 == ")" } ?? false
  }

  private init(_ token: Token, _ literals: Literals) {
    (self.literals, self.token) = (literals, token)
    var lexer = Lexer(literals.text, literals.dialect)
    var before: [Token] = []
    while let next = try? lexer.next(), next.kind != .end, next.range.start < token.range.start { before.append(next) }
    self.before = before
  }

  private func source(_ token: Token?) -> String { token.map { literals.source($0.range) } ?? "" }

  private func lowercased(_ token: Token?) -> String { source(token).lowercased() }

  // MARK: Values

  /// A whole number where the reference takes only one with a decimal point.
  private func coordinate(_ expected: [TokenKind]) -> String? {
    let text = source(token)
    guard expected.contains(.float), text.drop(while: { $0 == "-" }).allSatisfy(\.isNumber), !text.isEmpty else {
      return nil
    }
    return "write \(text).0"
  }

  /// A value that is read as several tokens: a date as it is written elsewhere, or a key without what it stands in.
  private var bareValue: String? {
    if before.last?.kind == .date, token.kind == .natural {
      return "write date and time as \(source(before.last))@12:00:00"
    }
    let bytes = literals.bytes
    func belongs(_ index: Int) -> Bool {
      let byte = bytes[index]
      return Lexer.isHexDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }
    var (start, end) = (token.range.start, token.range.start)
    while start > 0, belongs(start - 1) { start -= 1 }
    while end < bytes.count, belongs(end) { end += 1 }
    guard start < token.range.start else { return nil }
    let value = literals.source(SourceRange(start, end))
    // A key alone means the object with it.
    let isAlone = literals.text.utf8.count == value.utf8.count
    let comparison = isAlone ? "_id == " : ""
    if value.utf8.count == 36, RealmUUID(text: value) != nil { return "write \(comparison)uuid(\(value))" }
    if value.utf8.count == 24, value.utf8.allSatisfy(Lexer.isHexDigit) { return "write \(comparison)oid(\(value))" }
    let parts = value.split(whereSeparator: { $0 == "." || $0 == "-" })
    guard parts.count == 2 || parts.count == 3, parts.contains(where: { $0.count == 4 }),
      parts.allSatisfy({ $0.allSatisfy(\.isNumber) })
    else { return nil }
    return "write dates as year-month-day, such as 2024-01-31"
  }

  /// `COUNT(dogs)`, `startswith(name, "R")`, `dogs.size()`.
  private var call: String? {
    let matches: [TokenKind] = [.contains, .beginsWith, .endsWith, .like]
    if let operation = before.last, before.count > 1, matches.contains(operation.kind),
      token.kind == .leftBracket || (token.kind == .leftParenthesis && argument == "c")
    {
      return "write \(source(operation).uppercased())[c] to ignore case"
    }
    guard token.kind == .leftParenthesis, let name = before.last, name.kind != .isIn else { return nil }
    let argument = argument
    let constant = quotedArgument
    if lowercased(name) == "count", literals.text.contains(text: "(*)") { return "to count objects, use --count" }
    switch lowercased(name) {
    case "count", "size", "length", "len", "sum", "avg", "average", "min", "max":
      let operation = Self.operations[lowercased(name)] ?? "@count"
      let owner = before.dropLast().last?.kind == .dot ? source(before.dropLast(2).last) : argument ?? "property"
      let all: String? =
        switch operation {
        case "@max": "SORT(\(owner) DESC) LIMIT(1)"
        case "@min": "SORT(\(owner) ASC) LIMIT(1)"
        case "@sum": "'query --sum \(owner)'"
        case "@avg": "'query --avg \(owner)'"
        default: nil
        }
      return "write \(owner).\(operation)" + (all.map { " for a list; for all objects, \($0)" } ?? "")
    case "upper", "lower", "ucase", "lcase": return "write ==[c] to ignore case"
    case "exists":
      let name = argument ?? "property"
      return "write \(name) != null, or \(name).@count > 0 for a list"
    case "contains": return "write \(argument ?? "property") CONTAINS \"…\""
    case "startswith", "hasprefix": return "write \(argument ?? "property") BEGINSWITH \"…\""
    case "endswith", "hassuffix": return "write \(argument ?? "property") ENDSWITH \"…\""
    case "objectid", "oid":
      let isID = constant.utf8.count == 24 && constant.utf8.allSatisfy(Lexer.isHexDigit)
      return isID
        ? "write oid(\(constant))" : "an object id has 24 hex digits and no quotes, as in oid(507f1f77bcf86cd799439011)"
    case "uuid":
      return RealmUUID(text: constant) != nil && constant.utf8.count == 36
        ? "write uuid(\(constant))"
        : "a UUID has 32 hex digits, four hyphens and no quotes, as in uuid(01234567-89ab-cdef-0123-456789abcdef)"
    case "date", "datetime", "timestamp", "now": return "write dates as 2024-01-31 or 2024-01-31@12:00:00"
    default: return nil
    }
  }

  private static let operations = [
    "count": "@count", "sum": "@sum", "avg": "@avg", "average": "@avg", "min": "@min", "max": "@max",
  ]

  /// The first argument of a call, if it is the name of a property.
  private var argument: String? {
    let rest = literals.source(SourceRange(token.range.end, literals.bytes.count))
    let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
    return name.isEmpty ? nil : String(name)
  }

  /// What a call has in its parentheses, without quotes.
  private var quotedArgument: String {
    let rest = literals.source(SourceRange(token.range.end, literals.bytes.count))
    return String(rest.drop { " \"'".contains($0) }.prefix { !" \"')".contains($0) })
  }

  /// The values of `IN` and `BETWEEN`, which stand in braces.
  private var list: String? {
    if before.last?.kind == .isIn, source(token) == "[" {
      let inside = literals.source(SourceRange(token.range.end, literals.bytes.count)).prefix { $0 != "]" }
      return "write IN {\(inside.utf8.count > 60 ? "…" : String(inside))}"
    }
    if let open = before.lastIndex(where: { $0.kind == .leftParenthesis }), open > 0, before[open - 1].kind == .isIn,
      token.kind == .comma
    {
      let inside = literals.source(SourceRange(before[open].range.end, literals.bytes.count)).prefix { $0 != ")" }
      return "write IN {\(inside.utf8.count > 60 ? "…" : String(inside))}"
    }
    if token.kind == .comma, let first = before.last, before.dropLast().last?.kind == .isIn {
      let inside = literals.source(SourceRange(first.range.start, literals.bytes.count)).prefix { $0 != " " }
      return "write IN {\(inside)}"
    }
    if token.kind == .leftBracket || token.kind == .leftParenthesis, before.last?.kind == .equal {
      let close: Character = token.kind == .leftBracket ? "]" : ")"
      let inside = literals.source(SourceRange(token.range.end, literals.bytes.count)).prefix { $0 != close }
      guard inside.contains(",") || token.kind == .leftBracket else { return nil }
      return "write a list in braces: {\(inside.utf8.count > 60 ? "…" : String(inside))}"
    }
    guard before.last?.kind == .between else { return nil }
    let rest = literals.source(SourceRange(token.range.start, literals.bytes.count)).split(separator: " ")
    let values = rest.count > 2 && rest[1].lowercased() == "and" ? "\(rest[0]), \(rest[2])" : "LOW, HIGH"
    return "write BETWEEN {\(values)}"
  }

  // MARK: Order

  private var ordering: String? {
    switch lowercased(before.last) {
    case "limit" where token.kind == .natural: return "write LIMIT(\(source(token)))"
    case _ where token.kind == .comma && lowercased(before.dropLast(2).last) == "limit":
      return "LIMIT takes one number; 'sql' has LIMIT … OFFSET"
    case "(" where lowercased(before.dropLast().last) == "limit": return "write a whole number, such as LIMIT(10)"
    case "sort", "distinct":
      guard token.kind.isName else { return nil }
      let isSort = lowercased(before.last) == "sort"
      let name = lowercased(token) == "by" ? "property" : source(token)
      return "write \(isSort ? "SORT" : "DISTINCT")(\(name)\(isSort ? " ASC" : ""))"
    default: break
    }
    guard let open = before.lastIndex(where: { $0.kind == .leftParenthesis }), open > 0,
      [.sort, .distinct, .limit].contains(before[open - 1].kind), before.count > open + 1
    else { return nil }
    guard before.last?.kind != .rightParenthesis else { return nil }
    if before[open - 1].kind != .limit, [.size, .maximum, .minimum, .sum, .average].contains(token.kind) {
      return Self.takesSingleValues
    }
    guard before[open - 1].kind == .sort else { return nil }
    if token.kind == .identifier {
      return "did you mean \(lowercased(token).hasPrefix("d") ? "DESC" : "ASC")?"
    }
    if token.kind == .comma {
      let rest = literals.source(SourceRange(token.range.end, literals.bytes.count)).lowercased()
      let word = rest.drop { $0 == " " }
      if word.hasPrefix("asc") || word.hasPrefix("desc") { return "omit the comma" }
    }
    return token.kind == .rightParenthesis || token.kind == .comma ? "add ASC or DESC" : nil
  }

  // MARK: Words

  /// - Parameter isAtEnd: whether the query could end here, so that only an operator between conditions can follow.
  private func word(isAtEnd: Bool) -> String? {
    switch lowercased(token) {
    case "is":
      let next = literals.source(SourceRange(token.range.end, literals.bytes.count)).split(separator: " ").first
      switch next?.lowercased() {
      case "true", "false": return "write == \(next?.lowercased() ?? "")"
      case "empty": return "write .@count == 0 after the name of a list, or == \"\" for text"
      case "not":
        let rest = literals.source(SourceRange(token.range.end, literals.bytes.count)).split(separator: " ")
        let isNull = rest.count < 2 || ["null", "nil", "none"].contains(rest[1].lowercased())
        return isNull ? "write == null or != null" : "write !="
      case "null", "nil", "none", nil: return "write == null or != null"
      default: return "write =="
      }
    case let word where word.hasPrefix("≤") || word.hasPrefix("≥") || word.hasPrefix("≠"):
      return "write \(word.hasPrefix("≤") ? "<=" : word.hasPrefix("≥") ? ">=" : "!=")"
    case "==" where source(before.dropFirst().first) == "=>": return "write the condition alone, without 'name =>'"
    case "==" where source(before.last) != "=": return nil
    case "equals", "eq", "=", "==": return before.isEmpty ? nil : "write =="
    case "not" where followingWord == "null": return "write != null"
    case "not": return before.last?.kind.isName == true ? "write NOT before the property" : nil
    case let word where Self.words[word] != nil: return Self.words[word]
    default:
      if before.dropFirst().contains(where: { lowercased($0) == "select" }) { return "'sql' takes SQL" }
      if before.count == 1, lowercased(before.first) == "exists", token.kind.isName {
        return "write \(source(token)) != null, or \(source(token)).@count > 0 for a list"
      }
      let words = isAtEnd ? Self.joiningWords : Self.operatorWords
      guard token.kind == .identifier, let near = Similarity.nearest(to: source(token), among: words)
      else { return nil }
      return "did you mean \(near)?"
    }
  }

  private static let joiningWords = ["AND", "OR", "SORT", "DISTINCT", "LIMIT"]
  private static let operatorWords = [
    "BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "BETWEEN", "IN", "AND", "OR", "SORT", "DISTINCT", "LIMIT",
  ]

  /// Conditions that are not joined as they have to be.
  ///
  /// - Parameter isAtEnd: whether the query could end here.
  private func joint(isAtEnd: Bool) -> String? {
    if source(token) == "*", before.isEmpty { return "TRUEPREDICATE matches all objects" }
    if before.count == 1, before[0].kind.quantifier != nil, token.kind.comparison != nil {
      return "if '\(source(before[0]))' is a property, write it in backquotes: `\(source(before[0]))`"
    }
    switch token.kind {
    case .and, .or:
      guard let last = before.last else { return "omit \(source(token))" }
      if before.count == 1, last.kind.isName { return "write \(source(last)) == VALUE" }
      return isAtEnd && last.kind == .rightParenthesis ? "SORT, DISTINCT and LIMIT come last" : nil
    case .end:
      if before.last?.kind.comparison != nil { return "a value must follow \(source(before.last))" }
      if before.last?.kind == .not || [.and, .or].contains(before.last?.kind) {
        return "a condition must follow \(source(before.last))"
      }
      // `age > 5 AND name`
      guard let last = before.last, last.kind.isName, let joint = before.dropLast().last?.kind,
        [.and, .or].contains(joint)
      else { return nil }
      return "write \(source(last)) == VALUE"
    default:
      guard isAtEnd, let last = before.last, last.kind != .rightParenthesis || token.kind != .rightParenthesis,
        token.kind.isName || token.kind.comparison != nil
          || [.leftParenthesis, .not, .any, .all, .none, .comma].contains(token.kind)
      else { return nil }
      if let advice = afterNumber(last) { return advice }
      if lowercased(last) == "new" { return "write dates as 2024-01-31 or 2024-01-31@12:00:00" }
      if last.kind == .string, token.kind.isName, token.range.start == last.range.end {
        return "write \\' for a quote within quotes"
      }
      // `name == Rex Fido`
      if last.kind == .identifier, token.kind == .identifier { return "put text in quotes" }
      if last.kind == .identifier, token.kind == .leftParenthesis { return "'\(source(last))' is not a function" }
      if token.kind == .comma { return "combine conditions with AND or OR" }
      if token.kind.comparison != nil { return "join two comparisons with AND, such as 1 < age AND age < 9" }
      // `LIMIT(1) name == "x"`
      if last.kind == .rightParenthesis, let open = before.lastIndex(where: { $0.kind == .leftParenthesis }), open > 0,
        [.sort, .distinct, .limit].contains(before[open - 1].kind)
      {
        return "SORT, DISTINCT and LIMIT come last"
      }
      return "combine conditions with AND or OR"
    }
  }

  /// What follows a number directly: `1_000`, `30L`, `1,000`, `30,5`.
  private func afterNumber(_ last: Token) -> String? {
    guard [.natural, .number, .float].contains(last.kind), token.range.start == last.range.end else { return nil }
    if token.kind == .identifier { return "a number has only digits and one decimal point" }
    let digits = literals.source(SourceRange(token.range.end, literals.bytes.count)).prefix { $0.isNumber }
    guard token.kind == .comma, !digits.isEmpty else { return nil }
    return digits.count == 3
      ? "write numbers without commas: \(source(last))\(digits)"
      : "write a decimal point: \(source(last)).\(digits)"
  }

  /// The next word after the unexpected token, in lower case.
  private var followingWord: String? {
    literals.source(SourceRange(token.range.end, literals.bytes.count)).split(separator: " ").first?.lowercased()
  }

  /// A property of an object in braces: `boss == {id: 3}`.
  private var objectInBraces: String? {
    guard before.last?.kind == .identifier || token.kind == .identifier,
      let open = before.lastIndex(where: { $0.kind == .leftBrace }), open > 1, before.count - open <= 2,
      [.equal, .notEqual].contains(before[open - 1].kind)
    else { return nil }
    let name = before.count - open == 2 ? before[open + 1] : token
    guard name.kind == .identifier else { return nil }
    return "write \(source(before[open - 2])).\(source(name)) \(source(before[open - 1])) VALUE"
  }

  /// Two names next to each other, which may be one.
  private var spacedName: String? {
    guard before.count == 1, let first = before.first, first.kind == .identifier, token.kind == .identifier,
      first.range.end < token.range.start, !(source(first) + source(token)).contains("`")
    else { return nil }
    let name = source(first) + " " + source(token)
    return "if '\(name)' is one name, write it in backquotes: `\(name)`"
  }

  /// A parenthesis that is open at the end, or was not opened.
  private func parenthesis(_ expected: [TokenKind]) -> String? {
    if token.kind == .rightParenthesis, expected == [.end] { return "omit ')'" }
    guard token.kind == .end else { return nil }
    if expected == [.dot], before.contains(where: { $0.kind == .subquery }) { return "write SUBQUERY(…).@count > 0" }
    return expected.contains(.rightParenthesis) ? "close the parenthesis" : nil
  }

  /// The query, if it ends after a single name.
  private var nameAlone: String? {
    guard token.kind == .end else { return nil }
    let text = literals.text.split(separator: " ")
    if text.count == 2, let first = before.first?.kind, first == .not || first.quantifier != nil,
      before.last?.kind.isName == true
    {
      return "write \(text[0]) \(text[1]) == VALUE"
    }
    if text.count == 1, let first = text.first, first.hasPrefix("!"), before.last?.kind.isName == true {
      return "write \(first.dropFirst()) == false, or == null for a link"
    }
    guard text.count == 1, let name = text.first, name.first?.isNumber == false,
      name.allSatisfy({ $0.isLetter || $0.isNumber || "_.@".contains($0) })
    else { return nil }
    if name.hasSuffix(".@count") { return "write \(name) > 0" }
    for word in [".isEmpty", ".isempty", ".empty"] where name.hasSuffix(word) {
      let name = name.dropLast(word.count)
      return "write \(name).@count == 0 for a list, or \(name) == \"\" for text"
    }
    if ["all", "any", "some", "none", "everything"].contains(name.lowercased()) {
      return "TRUEPREDICATE matches all objects"
    }
    if ["true", "false"].contains(name.lowercased()) { return "write \(name.uppercased())PREDICATE" }
    if name.allSatisfy({ $0.isLetter || $0.isNumber }) {
      return "write PROPERTY == \"\(name)\", or \(name) == VALUE if it is a property"
    }
    return "write \(name.hasSuffix(".") ? name + "name" : name) == VALUE"
  }
}
