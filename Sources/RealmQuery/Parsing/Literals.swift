import RealmStorage
import RealmText

/// What literals mean.
struct Literals {
  let text: String
  let bytes: [UInt8]
  let dialect: Dialect

  /// As written.
  func source(_ range: SourceRange) -> String { String(decoding: bytes[range.start..<range.end], as: UTF8.self) }

  /// A mistake in the text.
  func syntaxError(_ detail: String, at range: SourceRange) -> QueryError {
    QueryError(syntaxOf: text, detail, at: range)
  }

  /// The constant of a literal of one token; nil for other tokens.
  func constant(_ token: Token) throws(QueryError) -> ConstantSyntax.Kind? {
    let range = token.range
    switch token.kind {
    case .natural, .number: return integer(range)
    case .float: return floating(range)
    case .infinity: return .value(.double(bytes[range.start] == UInt8(ascii: "-") ? -.infinity : .infinity))
    case .nan: return .value(.double(.nan))
    case .trueWord: return .value(.bool(true))
    case .falseWord: return .value(.bool(false))
    case .null: return .value(.null)
    case .string: return .value(.string(RealmString(utf8: try string(range))))
    case .base64: return base64(range) { .string(RealmString(utf8: $0)) }
    case .date: return date(range)
    case .uuid:
      return RealmUUID(text: source(SourceRange(range.start + 5, range.end - 1))).map { .value(.uuid($0)) }
    case .objectID:
      return ObjectID(text: source(SourceRange(range.start + 4, range.end - 1))).map { .value(.objectID($0)) }
    case .link:
      return keyed(SourceRange(range.start + 1, range.end)) { .objectKey(ObjectKey(rawValue: $0)) }
    case .typedLink: return tableAndObjectKey(range)
    case .argument: return .argument(index(SourceRange(range.start + 1, range.end)), quantifier: nil)
    default: return nil
    }
  }

  // MARK: Numbers

  private func outOfRange(_ range: SourceRange) -> QueryError {
    var error = syntaxError("number out of range", at: range)
    let digits = source(range)
    if digits.utf8.count == 24, digits.utf8.allSatisfy(Lexer.isDigit) { error.advice = "write oid(\(digits))" }
    return error
  }

  private func integer(_ range: SourceRange) -> ConstantSyntax.Kind {
    number(range).map { .value(.int($0)) } ?? .invalid(outOfRange(range))
  }

  /// The number of digits with or without a sign or `0x`; nil beyond the range of `Int64`, which the reference cuts off
  /// there. A zero before other digits makes the reference read them as octal.
  func number(_ range: SourceRange) -> Int64? {
    var digits = bytes[range.start..<range.end]
    let isNegative = digits.first == UInt8(ascii: "-")
    if let first = digits.first, Lexer.isSign(first) { digits.removeFirst() }
    var radix: UInt64 = 10
    if digits.first == UInt8(ascii: "0"), digits.count > 1 {
      if digits[digits.startIndex + 1] | 0x20 == UInt8(ascii: "x") {
        radix = 16
        digits.removeFirst(2)
      } else if dialect == .reference {
        radix = 8
      }
    }
    let limit: UInt64 = isNegative ? 1 << 63 : 1 << 63 - 1
    var magnitude: UInt64 = 0
    for byte in digits {
      let digit = UInt64(Lexer.isDigit(byte) ? byte &- UInt8(ascii: "0") : (byte | 0x20) &- UInt8(ascii: "a") &+ 10)
      if digit >= radix { break }
      let (product, overflow) = magnitude.multipliedReportingOverflow(by: radix)
      if overflow || product > limit - digit {
        guard dialect == .reference else { return nil }
        magnitude = limit
        break
      }
      magnitude = product + digit
    }
    return Int64(truncatingIfNeeded: isNegative ? 0 &- magnitude : magnitude)
  }

  /// The number of a place, an argument or a limit; an enormous one stays out of range.
  func index(_ range: SourceRange) -> Int { Int(Int64(text: source(range)) ?? .max) }

  /// A natural number in brackets or of a limit, which the reference reads like any other number.
  func count(_ range: SourceRange) throws(QueryError) -> Int {
    guard let count = number(range) else { throw outOfRange(range) }
    return Int(count)
  }

  /// A coordinate: a natural number or a float.
  func coordinate(_ token: Token) throws(QueryError) -> Double {
    if token.kind == .natural, dialect == .reference { return Double(number(token.range) ?? .max) }
    return Double(text: numberText(token.range)) ?? .nan
  }

  private func numberText(_ range: SourceRange) -> String {
    let isFloat = bytes[range.end - 1] == UInt8(ascii: "f")
    return source(SourceRange(range.start, isFloat ? range.end - 1 : range.end))
  }

  private func floating(_ range: SourceRange) -> ConstantSyntax.Kind? {
    let value: Value?
    if bytes[range.end - 1] == UInt8(ascii: "f") {
      value = dialect == .standard ? Float(textInRange: numberText(range)).map { .float($0) } : float(range)
    } else {
      value = dialect == .standard ? Double(textInRange: source(range)).map { .double($0) } : double(range)
    }
    return value.map { .value($0) } ?? .invalid(outOfRange(range))
  }

  /// The reference reads numbers beyond the range as infinity.
  private func float(_ range: SourceRange) -> Value? { Float(text: numberText(range)).map { .float($0) } }
  private func double(_ range: SourceRange) -> Value? {
    Double(text: source(range)).map { .double($0) }
  }

  // MARK: Keys

  private func keyed(
    _ range: SourceRange, _ make: (Int64) -> ConstantSyntax.Kind
  ) -> ConstantSyntax.Kind {
    number(range).map(make) ?? .invalid(outOfRange(range))
  }

  private func tableAndObjectKey(_ range: SourceRange) -> ConstantSyntax.Kind {
    let colon = bytes[range.start..<range.end].firstIndex(of: UInt8(ascii: ":")) ?? range.end
    let tableRange = SourceRange(range.start + 1, colon)
    guard let table = number(tableRange), dialect == .reference || table <= UInt32.max else {
      return .invalid(outOfRange(tableRange))
    }
    let key = TableKey(rawValue: UInt32(truncatingIfNeeded: table))
    return keyed(SourceRange(colon + 1, range.end)) { .tableAndObjectKey(key, ObjectKey(rawValue: $0)) }
  }

  // MARK: Text

  private func base64(_ range: SourceRange, _ make: ([UInt8]) -> Value) -> ConstantSyntax.Kind {
    let digits = bytes[range.start + 4..<range.end - 1]
    guard let decoded = digits.withUnsafeBytes({ Base64.decode($0) }) else {
      return .invalid(QueryError(.syntaxError, "Invalid base64 value", at: range))
    }
    return .value(make(decoded))
  }

  /// What `binary(…)` has in its parentheses: a string or `B64"…"`.
  func data(_ token: Token) throws(QueryError) -> ConstantSyntax.Kind {
    if token.kind == .base64 { return base64(token.range) { .data($0) } }
    return .value(.data(try string(token.range)))
  }

  /// The bytes between the quotes, escapes resolved, which the reference does not do.
  func string(_ range: SourceRange) throws(QueryError) -> [UInt8] {
    let content = bytes[range.start + 1..<range.end - 1]
    guard dialect == .standard, content.contains(UInt8(ascii: "\\")) else { return Array(content) }
    var result: [UInt8] = []
    var index = content.startIndex
    while index < content.endIndex {
      guard content[index] == UInt8(ascii: "\\") else {
        result.append(content[index])
        index += 1
        continue
      }
      // The lexer lets nothing else through.
      guard let escape = TextEscape(content[index...]) else { break }
      guard let character = escape.character else {
        let range = SourceRange(index, index + escape.length)
        throw syntaxError("half a surrogate pair: \(source(range))", at: range)
      }
      result += character
      index += escape.length
    }
    return result
  }

  /// A name: escapes and backquotes resolved.
  func name(_ range: SourceRange) -> String {
    let name = bytes[range.start..<range.end]
    if name.first == UInt8(ascii: "`") {
      return String(decoding: name.dropFirst().dropLast(), as: UTF8.self).replacing("``", by: "`")
    }
    guard name.contains(UInt8(ascii: "\\")) else { return String(decoding: name, as: UTF8.self) }
    var result: [UInt8] = []
    var index = name.startIndex
    while index < name.endIndex {
      let isEscape = name[index] == UInt8(ascii: "\\")
      // A backslash before a space is the space.
      result.append(isEscape ? TextEscape.meaning(of: name[index + 1]) : name[index])
      index += isEscape ? 2 : 1
    }
    return String(decoding: result, as: UTF8.self)
  }
}
