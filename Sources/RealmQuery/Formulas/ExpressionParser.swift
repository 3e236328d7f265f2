import RealmStorage
import RealmText

/// The words of conditions on sizes, such as that of `compact --if`: names of sizes, and units of numbers.
package struct SizeWords: Sendable {
  let names: [String]
  let synonyms: [String: String]
  let units: KeyValuePairs<String, Double>

  /// - Parameters:
  ///   - synonyms: other words for names, which stand for them.
  ///   - units: how many bytes they have; upper or lower case is the same.
  package init(names: [String], synonyms: [String: String] = [:], units: KeyValuePairs<String, Double>) {
    (self.names, self.synonyms, self.units) = (names, synonyms, units)
  }

  fileprivate func factor(of unit: String) -> Double? {
    units.first { $0.key.lowercased() == unit.lowercased() }?.value
  }

  fileprivate static func list(_ words: [String]) -> String {
    words.dropLast().joined(separator: ", ") + " and " + (words.last ?? "")
  }
}

/// Reads a formula. Operators, from loose to tight: `||`, `&&`, `!`, comparisons, sums, products, `-`.
///
/// In a condition on sizes there are no paths, functions or constants except its names and numbers with units. All
/// numbers are doubles, sizes and booleans are not mixed, and nothing is divided by a constant zero.
package struct ExpressionParser {
  private let text: [UInt8]
  private var position: Int
  private let end: Int
  /// Of a condition on sizes.
  private let sizes: SizeWords?
  private var depth = 0
  private var paths: [ExpressionPath] = []

  /// - Parameter range: the part of `text` that is the formula.
  private init(_ text: [UInt8], _ range: Range<Int>, _ sizes: SizeWords? = nil) {
    (self.text, self.sizes) = (text, sizes)
    (position, end) = (range.lowerBound, range.upperBound)
  }

  /// A formula, or a condition on sizes.
  package static func formula(_ text: String, of sizes: SizeWords? = nil) throws(ExpressionError) -> Formula {
    let bytes = Array(text.utf8)
    return try formula(in: bytes, 0..<bytes.count, of: sizes)
  }

  package static func formula(
    in bytes: [UInt8], _ range: Range<Int>, of sizes: SizeWords? = nil
  ) throws(ExpressionError) -> Formula {
    var parser = ExpressionParser(bytes, range, sizes)
    parser.skipSpaces()
    let root = try parser.expression()
    guard parser.position == parser.end else { throw parser.unexpected(parser.operatorWords) }
    try parser.require(.truth, root, at: range.lowerBound)
    return Formula(text: String(decoding: bytes[range], as: UTF8.self), root: root, paths: parser.paths)
  }

  /// A path alone, as templates have it.
  package static func path(in bytes: [UInt8], _ range: Range<Int>) throws(ExpressionError) -> Formula {
    var parser = ExpressionParser(bytes, range)
    parser.skipSpaces()
    let root = try parser.path()
    guard parser.position == parser.end else { throw parser.unexpected("'}', '|' or '.'") }
    return Formula(text: String(decoding: bytes[range], as: UTF8.self), root: root, paths: parser.paths)
  }

  // MARK: Levels

  private typealias Level = (inout ExpressionParser) throws(ExpressionError) -> Expression

  private mutating func nested(_ body: Level) throws(ExpressionError) -> Expression {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Expression.depthLimit else {
      throw ExpressionError(message: "nested more than \(Expression.depthLimit) levels deep", offset: position)
    }
    return try body(&self)
  }

  private mutating func expression() throws(ExpressionError) -> Expression {
    try nested { parser throws(ExpressionError) in
      try parser.terms("||", Expression.or) { parser throws(ExpressionError) in
        try parser.terms("&&", Expression.and) { parser throws(ExpressionError) in try parser.negation() }
      }
    }
  }

  private mutating func terms(
    _ symbol: String, _ make: ([Expression]) -> Expression, _ level: Level
  ) throws(ExpressionError) -> Expression {
    var terms: [Expression] = []
    while true {
      let start = position
      let term = try level(&self)
      let isLast = !take(symbol)
      if isLast, terms.isEmpty { return term }
      try require(.truth, term, at: start)
      terms.append(term)
      if isLast { return make(terms) }
    }
  }

  private mutating func negation() throws(ExpressionError) -> Expression {
    guard position < end, text[position] == UInt8(ascii: "!"), peek(1) != UInt8(ascii: "=") else {
      return try comparison()
    }
    _ = take("!")
    let start = position
    return try nested { parser throws(ExpressionError) in
      let operand = try parser.negation()
      try parser.require(.truth, operand, at: start)
      return .not(operand)
    }
  }

  private mutating func comparison() throws(ExpressionError) -> Expression {
    let start = position
    let left = try sum()
    guard let comparison = takeComparison() else { return left }
    try require(.size, left, at: start)
    let rightStart = position
    let right = try sum()
    try require(.size, right, at: rightStart)
    let next = position
    guard takeComparison() == nil else {
      throw ExpressionError(message: "comparisons cannot be chained", offset: next, advice: "use '&&' between two")
    }
    return .comparison(comparison, left, right)
  }

  private mutating func takeComparison() -> Expression.Comparison? {
    for comparison in Expression.Comparison.allCases where take(comparison.rawValue) { return comparison }
    return nil
  }

  private mutating func sum() throws(ExpressionError) -> Expression {
    try chain(["+", "-"]) { parser throws(ExpressionError) in
      try parser.chain(["*", "/", "%"]) { parser throws(ExpressionError) in try parser.unary() }
    }
  }

  private mutating func chain(_ symbols: [String], _ level: Level) throws(ExpressionError) -> Expression {
    let start = position
    var left = try level(&self)
    var count = 0
    while let symbol = takeAny(symbols) {
      count += 1
      // Long chains make deep trees.
      guard count < Expression.depthLimit else {
        throw ExpressionError(message: "more than \(Expression.depthLimit) operators in a row", offset: position)
      }
      try require(.size, left, at: start)
      let rightStart = position
      let right = try level(&self)
      try require(.size, right, at: rightStart)
      if sizes != nil, symbol == "/" || symbol == "%", right.isAlwaysZero {
        throw ExpressionError(message: "division by zero", offset: rightStart)
      }
      left = ArithmeticOperator(rawValue: symbol).map { .arithmetic($0, left, right) } ?? .remainder(left, right)
    }
    return left
  }

  private mutating func takeAny(_ symbols: [String]) -> String? {
    for symbol in symbols where take(symbol) { return symbol }
    return nil
  }

  private mutating func unary() throws(ExpressionError) -> Expression {
    guard take("-") else { return try primary() }
    // The lowest integer has no positive counterpart.
    if isDigit { return try literal(isNegative: true) }
    let start = position
    return try nested { parser throws(ExpressionError) in
      let operand = try parser.unary()
      try parser.require(.size, operand, at: start)
      return .negate(operand)
    }
  }

  // MARK: Conditions on sizes

  private enum Kind {
    case truth, size
  }

  /// A boolean cannot be used as a size, or a size as a boolean; in formulas this shows when they are computed.
  private func require(_ kind: Kind, _ operand: Expression, at start: Int) throws(ExpressionError) {
    guard sizes != nil, operand.isTruth != (kind == .truth) else { return }
    let message =
      kind == .truth
      ? "expected a condition such as total > 100MiB, found a size" : "expected a size, found a condition"
    throw ExpressionError(message: message, offset: start)
  }

  private var operandWords: String {
    sizes.map { "a size, \($0.names.joined(separator: ", ")), '!', '-' or '('" } ?? "a value"
  }

  private var operatorWords: String {
    sizes == nil ? "an operator" : "an operator (+ - * / % < <= > >= == != && ||)"
  }

  /// A number with or without a unit.
  private mutating func size(_ number: Double, at start: Int, _ sizes: SizeWords) throws(ExpressionError) -> Value {
    var size = number
    if isNameStart {
      let unitStart = position
      let unit = try name().description
      guard let factor = sizes.factor(of: unit) else {
        let meant = ["and": "&&", "or": "||"][unit.lowercased()].map { "write \($0) instead of '\(unit)'" }
        throw ExpressionError(
          message: "unknown unit '\(unit)'", offset: unitStart,
          advice: meant ?? "the units are \(SizeWords.list(sizes.units.map(\.key)))")
      }
      skipSpaces()
      size *= factor
    }
    guard size.magnitude <= 0x1p63 else { throw ExpressionError(message: "the number is too large", offset: start) }
    return .double(size)
  }

  /// One of the names.
  private mutating func size(_ word: RealmString, at start: Int, _ sizes: SizeWords) throws(ExpressionError)
    -> Expression
  {
    let name = sizes.synonyms[word.description] ?? word.description
    guard sizes.names.contains(name) else {
      throw ExpressionError(
        message: "unknown name '\(word)'", offset: start, advice: "the names are \(SizeWords.list(sizes.names))")
    }
    paths.append(ExpressionPath(side: nil, property: RealmString(name), rest: [], text: word.description))
    return .path(paths.count - 1)
  }

  // MARK: Operands

  private mutating func primary() throws(ExpressionError) -> Expression {
    guard position < end else { throw unexpected(operandWords) }
    switch text[position] {
    case UInt8(ascii: "("):
      let start = position
      _ = take("(")
      let inner = try expression()
      guard take(")") else {
        guard position < end else { throw ExpressionError(message: "'(' is not closed", offset: start) }
        throw unexpected("')'")
      }
      return inner
    case UInt8(ascii: "\"") where sizes == nil, UInt8(ascii: "'") where sizes == nil:
      return .constant(.string(RealmString(utf8: try string())))
    default:
      if isDigit { return try literal(isNegative: false) }
      if [UInt8(ascii: "`"), UInt8(ascii: "@")].contains(text[position]), sizes == nil { return try path() }
      guard isNameStart else { throw unexpected(operandWords) }
      return try word()
    }
  }

  private var isDigit: Bool { position < end && Lexer.isDigit(text[position]) }

  private mutating func literal(isNegative: Bool) throws(ExpressionError) -> Expression {
    let start = position
    let value = try number(isNegative: isNegative)
    let digits = text[start..<position].prefix { $0 != UInt8(ascii: " ") }
    guard sizes == nil, case .double(let number) = value,
      let exact = DecimalReading(text: (isNegative ? "-" : "") + String(decoding: digits, as: UTF8.self))?.decimal
    else { return .constant(value) }
    return .number(number, exact: exact)
  }

  private mutating func number(isNegative: Bool) throws(ExpressionError) -> Value {
    let start = position
    while position < end {
      let byte = text[position]
      let isExponent = position > start && text[position - 1] | 0x20 == UInt8(ascii: "e")
      guard
        Lexer.isDigit(byte) || byte == UInt8(ascii: ".") || byte | 0x20 == UInt8(ascii: "e")
          || (Lexer.isSign(byte) && isExponent)
      else { break }
      position += 1
    }
    let digits = (isNegative ? "-" : "") + String(decoding: text[start..<position], as: UTF8.self)
    skipSpaces()
    if sizes == nil {
      if let integer = Int64(text: digits) { return .int(integer) }
      let isInteger = digits.utf8.allSatisfy { $0 != UInt8(ascii: ".") && $0 | 0x20 != UInt8(ascii: "e") }
      guard !isInteger else {
        throw ExpressionError(message: "\(digits) is beyond the range of 64-bit integers", offset: start)
      }
    }
    guard let number = Double(text: digits), number.isFinite else {
      throw ExpressionError(message: "'\(digits)' is not a number", offset: start)
    }
    return try sizes.map { sizes throws(ExpressionError) in try size(number, at: start, sizes) } ?? .double(number)
  }

  /// A text between quotes of either kind, with JSON's escapes.
  private mutating func string() throws(ExpressionError) -> [UInt8] {
    let (start, quote) = (position, text[position])
    var bytes: [UInt8] = []
    position += 1
    while position < end {
      let byte = text[position]
      if byte == quote {
        position += 1
        skipSpaces()
        return bytes
      }
      guard byte == UInt8(ascii: "\\") else {
        bytes.append(byte)
        position += 1
        continue
      }
      guard let escape = TextEscape(text[position..<end]), let character = escape.character else {
        guard peek(1) != nil else {
          position = end
          throw unexpected("an escape")
        }
        throw ExpressionError(
          message: peek(1) == UInt8(ascii: "u")
            ? "'\\u' takes four hexadecimal digits of a character" : "unknown escape; write '\\\\' for a backslash",
          offset: position)
      }
      bytes += character
      position += escape.length
    }
    throw ExpressionError(message: "the text is not closed", offset: start)
  }

  // MARK: Words

  private var isNameStart: Bool { position < end && Self.isNameByte(text[position]) && !isDigit }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    Lexer.canBeginName(byte) || Lexer.isDigit(byte)
  }

  private mutating func name() throws(ExpressionError) -> RealmString {
    if position < end, text[position] == UInt8(ascii: "`") { return try quotedName() }
    guard isNameStart else { throw unexpected("a name") }
    let start = position
    while position < end, Self.isNameByte(text[position]) { position += 1 }
    return RealmString(utf8: Array(text[start..<position]))
  }

  /// A name with other characters in it.
  private mutating func quotedName() throws(ExpressionError) -> RealmString {
    let start = position
    guard let close = text[(start + 1)..<end].firstIndex(of: UInt8(ascii: "`")) else {
      throw ExpressionError(message: "the name is not closed", offset: start)
    }
    position = close + 1
    return RealmString(utf8: Array(text[(start + 1)..<close]))
  }

  private mutating func word() throws(ExpressionError) -> Expression {
    let start = position
    let word = try name()
    skipSpaces()
    if let sizes { return try size(word, at: start, sizes) }
    if position < end, text[position] == UInt8(ascii: "(") {
      return try call(word, at: start)
    }
    switch word {
    case "true": return .constant(.bool(true))
    case "false": return .constant(.bool(false))
    case "null": return .constant(.null)
    default:
      position = start
      return try path()
    }
  }

  private mutating func path() throws(ExpressionError) -> Expression {
    let start = position
    var property = isBacklinks ? RealmString("") : try name()
    var side: ExpressionPath.Side?
    if property == "old" || property == "new", position < end, text[position] == UInt8(ascii: ".") {
      side = property == "old" ? .old : .new
      position += 1
      property = isBacklinks ? RealmString("") : try name()
    }
    var rest = isBacklinks ? [try backlinks()] : []
    while position < end {
      if text[position] == UInt8(ascii: ".") {
        position += 1
        rest.append(isBacklinks ? try backlinks() : .name(try name()))
      } else if text[position] == UInt8(ascii: "[") {
        rest.append(try subscription())
      } else {
        break
      }
      guard rest.count < Expression.depthLimit else {
        throw ExpressionError(message: "a path has more than \(Expression.depthLimit) names", offset: start)
      }
    }
    let written = String(decoding: text[start..<position], as: UTF8.self)
    skipSpaces()
    let path = ExpressionPath(side: side, property: property, rest: rest, text: written)
    paths.append(path)
    return .path(paths.count - 1)
  }

  private var isBacklinks: Bool { position < end && text[position] == UInt8(ascii: "@") }

  /// `@links.Class.property`.
  private mutating func backlinks() throws(ExpressionError) -> ExpressionPath.Element {
    let word = "@links."
    guard text[position..<end].starts(with: word.utf8) else { throw unexpected("'@links.Class.property'") }
    position += word.utf8.count
    let className = try name()
    guard position < end, text[position] == UInt8(ascii: ".") else { throw unexpected("'.' and a property") }
    position += 1
    return .backlinks(className: className, property: try name())
  }

  private mutating func subscription() throws(ExpressionError) -> ExpressionPath.Element {
    _ = take("[")
    let element: ExpressionPath.Element
    if position < end, text[position] == UInt8(ascii: "\"") || text[position] == UInt8(ascii: "'") {
      element = .key(RealmString(utf8: try string()))
    } else {
      let start = position
      guard isDigit, case .int(let index) = try number(isNegative: false) else {
        position = start
        throw unexpected("a position in a list, from 0, or a key in quotes")
      }
      element = .index(Int(index))
    }
    guard position < end, text[position] == UInt8(ascii: "]") else { throw unexpected("']'") }
    position += 1
    return element
  }

  /// What other languages call some functions.
  private static let otherNames = [
    "ifnull": "coalesce", "nvl": "coalesce", "isnull": "is_null", "iif": "if", "ucase": "upper", "lcase": "lower",
    "touppercase": "upper", "tolowercase": "lower", "uppercased": "upper", "lowercased": "lower", "length": "len",
    "size": "len", "substring": "substr", "mid": "substr", "string": "str", "tostring": "str", "float": "double",
    "average": "avg", "ceiling": "ceil", "objectid": "oid", "today": "now", "strftime": "format_date",
    "dateformat": "format_date", "todate": "parse_date", "strptime": "parse_date",
  ]

  private mutating func call(_ word: RealmString, at start: Int) throws(ExpressionError) -> Expression {
    guard let function = Expression.Function(rawValue: word.description) else {
      let known = Expression.Function.allCases.map(\.rawValue)
      let near =
        Self.otherNames[word.description.lowercased()].map { "did you mean '\($0)'?" }
        ?? Similarity.question(about: word.description, among: known)
      throw ExpressionError(
        message: "unknown function '\(word)'", offset: start,
        advice: near ?? "realmctl-plan(5) lists the functions")
    }
    _ = take("(")
    var arguments: [Expression] = []
    if !take(")") {
      repeat {
        arguments.append(try expression())
        guard arguments.count <= 100 else { throw ExpressionError(message: "too many arguments", offset: start) }
      } while take(",")
      guard take(")") else { throw unexpected("',' or ')'") }
    }
    let counts = function.argumentCounts
    guard counts.contains(arguments.count) else {
      let wanted = (counts.lowerBound == counts.upperBound ? "" : "at least ") + counts.lowerBound.counted("argument")
      throw ExpressionError(message: "'\(word)' takes \(wanted), not \(arguments.count)", offset: start)
    }
    return .call(function, arguments)
  }

  // MARK: Characters

  private mutating func skipSpaces() {
    while position < end, Lexer.isBlank(text[position]) { position += 1 }
  }

  private func peek(_ distance: Int) -> UInt8? { position + distance < end ? text[position + distance] : nil }

  private mutating func take(_ symbol: String) -> Bool {
    guard text[position..<end].starts(with: symbol.utf8) else { return false }
    position += symbol.utf8.count
    skipSpaces()
    return true
  }

  private func unexpected(_ expected: String) -> ExpressionError {
    guard position < end else {
      let isPercentage = sizes != nil && text[..<position].last { $0 != UInt8(ascii: " ") } == UInt8(ascii: "%")
      return ExpressionError(
        message: "unexpected end, expected \(expected)", offset: position,
        advice: isPercentage ? "write a percentage as a part of the total, such as free > total / 10" : nil)
    }
    let character = String(decoding: text[position..<end], as: UTF8.self).first.map(String.init) ?? ""
    return ExpressionError(message: "unexpected '\(character)', expected \(expected)", offset: position)
  }
}
