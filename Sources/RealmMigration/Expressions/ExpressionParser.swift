import RealmStorage
import RealmText

/// Reads a formula. From loose to tight: `||`, `&&`, `!`, comparisons, sums, products, `-`.
struct ExpressionParser {
  private let text: [UInt8]
  private var position: Int
  private let end: Int
  private var depth = 0
  private var paths: [ExpressionPath] = []

  /// - Parameter range: the part of `text` that is the formula.
  private init(_ text: [UInt8], _ range: Range<Int>) {
    self.text = text
    (position, end) = (range.lowerBound, range.upperBound)
  }

  static func formula(_ text: String) throws(ExpressionError) -> Formula {
    let bytes = Array(text.utf8)
    return try formula(in: bytes, 0..<bytes.count)
  }

  static func formula(in bytes: [UInt8], _ range: Range<Int>) throws(ExpressionError) -> Formula {
    var parser = ExpressionParser(bytes, range)
    parser.skipSpaces()
    let root = try parser.expression()
    guard parser.position == parser.end else { throw parser.unexpected("an operator") }
    return Formula(text: String(decoding: bytes[range], as: UTF8.self), root: root, paths: parser.paths)
  }

  /// A path alone, as templates have it.
  static func path(in bytes: [UInt8], _ range: Range<Int>) throws(ExpressionError) -> Formula {
    var parser = ExpressionParser(bytes, range)
    parser.skipSpaces()
    let root = try parser.path()
    guard parser.position == parser.end else { throw parser.unexpected("'}', '|' or '.'") }
    return Formula(text: String(decoding: bytes[range], as: UTF8.self), root: root, paths: parser.paths)
  }

  // MARK: Levels

  private mutating func nested(
    _ body: (inout ExpressionParser) throws(ExpressionError) -> Expression
  ) throws(ExpressionError) -> Expression {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Expression.depthLimit else {
      throw ExpressionError(message: "nested more than \(Expression.depthLimit) levels deep", offset: position)
    }
    return try body(&self)
  }

  private mutating func expression() throws(ExpressionError) -> Expression {
    try nested { parser throws(ExpressionError) in
      var left = try parser.conjunction()
      var count = 0
      while parser.take("||") {
        try parser.countOperator(&count)
        left = .or(left, try parser.conjunction())
      }
      return left
    }
  }

  private mutating func conjunction() throws(ExpressionError) -> Expression {
    var left = try negation()
    var count = 0
    while take("&&") {
      try countOperator(&count)
      left = .and(left, try negation())
    }
    return left
  }

  /// Long chains make deep trees.
  private func countOperator(_ count: inout Int) throws(ExpressionError) {
    count += 1
    guard count < Expression.depthLimit else {
      throw ExpressionError(message: "more than \(Expression.depthLimit) operators in a row", offset: position)
    }
  }

  private mutating func negation() throws(ExpressionError) -> Expression {
    guard position < end, text[position] == UInt8(ascii: "!"), peek(1) != UInt8(ascii: "=") else {
      return try comparison()
    }
    _ = take("!")
    return try nested { parser throws(ExpressionError) in .not(try parser.negation()) }
  }

  private mutating func comparison() throws(ExpressionError) -> Expression {
    let left = try sum()
    for comparison in [Expression.Comparison.equal, .notEqual, .lessOrEqual, .greaterOrEqual, .less, .greater]
    where take(comparison.rawValue) {
      return .comparison(comparison, left, try sum())
    }
    return left
  }

  private mutating func sum() throws(ExpressionError) -> Expression {
    var left = try product()
    var count = 0
    while let sign = takeAny([.add, .subtract]) {
      try countOperator(&count)
      left = .arithmetic(sign, left, try product())
    }
    return left
  }

  private mutating func product() throws(ExpressionError) -> Expression {
    var left = try unary()
    var count = 0
    while let sign = takeAny([.multiply, .divide, .remainder]) {
      try countOperator(&count)
      left = .arithmetic(sign, left, try unary())
    }
    return left
  }

  private mutating func takeAny(_ signs: [Expression.Arithmetic]) -> Expression.Arithmetic? {
    for sign in signs where take(sign.rawValue) { return sign }
    return nil
  }

  private mutating func unary() throws(ExpressionError) -> Expression {
    guard take("-") else { return try primary() }
    // The lowest integer has no positive counterpart.
    if isDigit, case .constant(let value) = try number(isNegative: true) { return .constant(value) }
    return try nested { parser throws(ExpressionError) in .negate(try parser.unary()) }
  }

  // MARK: Operands

  private mutating func primary() throws(ExpressionError) -> Expression {
    guard position < end else { throw unexpected("a value") }
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
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return .constant(.string(RealmString(utf8: try string())))
    default:
      if isDigit { return try number(isNegative: false) }
      if text[position] == UInt8(ascii: "`") { return try path() }
      guard isNameStart else { throw unexpected("a value") }
      return try word()
    }
  }

  private var isDigit: Bool { position < end && (0x30...0x39).contains(text[position]) }

  private mutating func number(isNegative: Bool) throws(ExpressionError) -> Expression {
    let start = position
    while position < end {
      let byte = text[position]
      let isSign = byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
      if isSign, position > start, text[position - 1] | 0x20 == UInt8(ascii: "e") {
        position += 1
      } else if (0x30...0x39).contains(byte) || byte == UInt8(ascii: ".") || byte | 0x20 == UInt8(ascii: "e") {
        position += 1
      } else {
        break
      }
    }
    let digits = (isNegative ? "-" : "") + String(decoding: text[start..<position], as: UTF8.self)
    skipSpaces()
    if let integer = Int64(text: digits) { return .constant(.int(integer)) }
    let isInteger = digits.utf8.allSatisfy { $0 != UInt8(ascii: ".") && $0 | 0x20 != UInt8(ascii: "e") }
    guard !isInteger else {
      throw ExpressionError(message: "\(digits) is beyond the integers of 64 bits", offset: start)
    }
    guard let number = Double(text: digits), number.isFinite else {
      throw ExpressionError(message: "'\(digits)' is not a number", offset: start)
    }
    return .constant(.double(number))
  }

  /// A text between quotes of either kind, with JSON's escapes.
  private mutating func string() throws(ExpressionError) -> [UInt8] {
    let (start, quote) = (position, text[position])
    var bytes: [UInt8] = []
    position += 1
    while position < end {
      let byte = text[position]
      position += 1
      if byte == quote {
        skipSpaces()
        return bytes
      }
      guard byte == UInt8(ascii: "\\") else {
        bytes.append(byte)
        continue
      }
      bytes += try escape()
    }
    throw ExpressionError(message: "the text is not closed", offset: start)
  }

  private mutating func escape() throws(ExpressionError) -> [UInt8] {
    guard position < end else { throw unexpected("an escape") }
    let byte = text[position]
    position += 1
    switch byte {
    case UInt8(ascii: "n"): return [0x0a]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "r"): return [0x0d]
    case UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "/"): return [byte]
    case UInt8(ascii: "u"):
      guard position + 4 <= end,
        let number = UInt32(String(decoding: text[position..<position + 4], as: UTF8.self), radix: 16),
        let scalar = Unicode.Scalar(number)
      else {
        throw ExpressionError(message: "'\\u' wants four hexadecimal digits of a character", offset: position - 2)
      }
      position += 4
      return Array(String(Character(scalar)).utf8)
    default: throw ExpressionError(message: "unknown escape; write '\\\\' for a backslash", offset: position - 2)
    }
  }

  // MARK: Words

  private var isNameStart: Bool { position < end && Self.isNameByte(text[position]) && !isDigit }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$") || byte >= 0x80 || (0x30...0x39).contains(byte)
      || (0x61...0x7a).contains(byte | 0x20)
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
    var names = [try name()]
    var side: ExpressionPath.Side?
    if names[0] == "old" || names[0] == "new", position < end, text[position] == UInt8(ascii: ".") {
      side = names[0] == "old" ? .old : .new
      position += 1
      names = [try name()]
    }
    var rest: [ExpressionPath.Element] = []
    while position < end {
      if text[position] == UInt8(ascii: ".") {
        position += 1
        rest.append(.name(try name()))
      } else if text[position] == UInt8(ascii: "[") {
        rest.append(try subscription())
      } else {
        break
      }
      guard rest.count < Expression.depthLimit else {
        throw ExpressionError(message: "a path of more than \(Expression.depthLimit) names", offset: start)
      }
    }
    let written = String(decoding: text[start..<position], as: UTF8.self)
    skipSpaces()
    let path = ExpressionPath(side: side, property: names[0], rest: rest, text: written)
    paths.append(path)
    return .path(paths.count - 1)
  }

  private mutating func subscription() throws(ExpressionError) -> ExpressionPath.Element {
    _ = take("[")
    let element: ExpressionPath.Element
    if position < end, text[position] == UInt8(ascii: "\"") || text[position] == UInt8(ascii: "'") {
      element = .key(RealmString(utf8: try string()))
    } else {
      let start = position
      guard isDigit, case .constant(.int(let index)) = try number(isNegative: false) else {
        position = start
        throw unexpected("a place in a list, from 0, or a key in quotes")
      }
      element = .index(Int(index))
    }
    guard position < end, text[position] == UInt8(ascii: "]") else { throw unexpected("']'") }
    position += 1
    return element
  }

  private mutating func call(_ word: RealmString, at start: Int) throws(ExpressionError) -> Expression {
    guard let function = Expression.Function(rawValue: word.description) else {
      let known = Expression.Function.allCases.map(\.rawValue)
      let hint = Similarity.nearest(to: word.description, among: known).map { "; did you mean '\($0)'?" } ?? ""
      throw ExpressionError(message: "unknown function '\(word)'\(hint)", offset: start)
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
      let wanted = counts.lowerBound == counts.upperBound ? "\(counts.lowerBound)" : "at least \(counts.lowerBound)"
      throw ExpressionError(
        message: "'\(word)' takes \(wanted) argument\(wanted == "1" ? "" : "s"), not \(arguments.count)", offset: start)
    }
    return .call(function, arguments)
  }

  // MARK: Characters

  private mutating func skipSpaces() {
    while position < end, [0x20, 0x09, 0x0a, 0x0d].contains(text[position]) { position += 1 }
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
      return ExpressionError(message: "unexpected end, expected \(expected)", offset: position)
    }
    let character = String(decoding: text[position..<end], as: UTF8.self).first.map(String.init) ?? ""
    return ExpressionError(message: "unexpected '\(character)', expected \(expected)", offset: position)
  }
}

extension Template {
  /// - Throws: `ExpressionError`.
  package init(_ text: String) throws(ExpressionError) {
    self.text = text
    parts = []
    let bytes = Array(text.utf8)
    var (position, literal) = (0, [UInt8]())
    while position < bytes.count {
      let byte = bytes[position]
      let next = position + 1 < bytes.count ? bytes[position + 1] : nil
      if byte == UInt8(ascii: "{"), next != byte {
        if !literal.isEmpty { parts.append(.text(literal)) }
        literal = []
        let end = try Self.close(of: position, in: bytes)
        parts.append(try Self.insert(bytes, (position + 1)..<end))
        position = end + 1
        continue
      }
      if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}") {
        guard next == byte else { throw ExpressionError(message: "'}' must be written '}}'", offset: position) }
        position += 1
      }
      literal.append(byte)
      position += 1
    }
    if !literal.isEmpty { parts.append(.text(literal)) }
  }

  /// The brace that closes a hole: none between quotes.
  private static func close(of start: Int, in bytes: [UInt8]) throws(ExpressionError) -> Int {
    var position = start + 1
    var quote: UInt8?
    let isFormula = position < bytes.count && bytes[position] == UInt8(ascii: "=")
    while position < bytes.count {
      let byte = bytes[position]
      if let open = quote {
        if byte == UInt8(ascii: "\\") { position += 1 } else if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\""), isFormula {
        quote = byte
      } else if byte == UInt8(ascii: "'"), isFormula {
        quote = byte
      } else if byte == UInt8(ascii: "}") {
        return position
      }
      position += 1
    }
    throw ExpressionError(message: "'{' is not closed; write '{{' for a brace", offset: start)
  }

  private static func insert(_ bytes: [UInt8], _ range: Range<Int>) throws(ExpressionError) -> Part {
    if range.first.map({ bytes[$0] }) == UInt8(ascii: "=") {
      return .insert(
        try ExpressionParser.formula(in: bytes, (range.lowerBound + 1)..<range.upperBound), fallback: nil)
    }
    guard let bar = bytes[range].firstIndex(of: UInt8(ascii: "|")) else {
      return .insert(try ExpressionParser.path(in: bytes, range), fallback: nil)
    }
    return .insert(
      try ExpressionParser.path(in: bytes, range.lowerBound..<bar),
      fallback: Array(bytes[(bar + 1)..<range.upperBound]))
  }
}
