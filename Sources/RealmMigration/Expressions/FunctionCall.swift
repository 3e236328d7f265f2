import RealmQuery
import RealmStorage
import RealmText

/// A function of a formula with the values it is called with.
struct FunctionCall {
  let function: Expression.Function
  let arguments: [Value]
  let scope: EvaluationScope

  /// - Throws: `ValueError`.
  func value() throws -> Value {
    switch function {
    case .str: return .string(try plainText(arguments[0]))
    case .int: return try convert(.int)
    case .double: return try convert(.double)
    case .decimal: return try convert(.decimal128)
    case .bool: return try convert(.bool)
    case .date: return try convert(.date)
    case .data: return try convert(.data)
    case .oid: return try convert(.objectID)
    case .uuid: return try convert(.uuid)
    case .concat, .upper, .lower, .trim, .substr, .replace, .split, .join, .len: return try textFunction()
    case .count, .sum, .avg, .min, .max: return try aggregate()
    case .round, .floor, .ceil, .abs: return try rounding()
    case .isNull: return .bool(arguments[0] == .null)
    case .now: return .date(scope.clock.now)
    case .newUUID: return .uuid(scope.clock.makeUUID())
    case .newObjectID: return .objectID(scope.clock.makeObjectID())
    case .parseDate, .formatDate: return try dateFunction()
    case .if, .coalesce, .key: return .null
    }
  }

  private func convert(_ type: PropertyType) throws -> Value {
    do throws(ValueError) { return try ScalarConversion(type: type).convert(arguments[0]) } catch {
      throw ValueError(error.message, error.cause)
    }
  }

  private func plainText(_ value: Value) throws -> RealmString {
    if case .data(let bytes) = value {
      guard String(utf8: bytes) != nil else {
        throw ValueError("data of \(bytes.count.counted("byte")) is not UTF-8; a template shows it in Base64")
      }
      return RealmString(utf8: bytes)
    }
    if let text = value.plainText { return text }
    if let key = try scope.primaryKey(of: value), let text = key.plainText { return text }
    throw ValueError("\(value.kindName) has no text form")
  }

  // MARK: Arguments

  private func text(_ index: Int) throws -> RealmString {
    guard case .string(let text) = arguments[index] else {
      throw ValueError("'\(function.rawValue)' takes text, not \(arguments[index].kindName)", advice: "use str()")
    }
    return text
  }

  private func integer(_ index: Int) throws -> Int {
    guard case .int(let number) = arguments[index] else {
      throw ValueError("'\(function.rawValue)' takes an int, not \(arguments[index].kindName)")
    }
    return Int(number)
  }

  private func elements(_ index: Int) throws -> [Value] {
    switch arguments[index] {
    case .list(let elements), .set(let elements): return elements
    case .dictionary(let entries): return entries.keys.sorted().map { entries[$0] ?? .null }
    default:
      let what = function.rawValue == "len" ? "text, data or a collection" : "a collection"
      throw ValueError("'\(function.rawValue)' takes \(what), not \(arguments[index].kindName)")
    }
  }

  // MARK: Texts

  private func textFunction() throws -> Value {
    switch function {
    case .concat:
      // Null counts as nothing.
      return .string(try ValueBound.joined(arguments.filter { $0 != .null }.map { try plainText($0).utf8 }, by: []))
    case .upper: return Self.string(try text(0).description.uppercased())
    case .lower: return Self.string(try text(0).description.lowercased())
    case .trim:
      let isSpace = { (scalar: Unicode.Scalar) in scalar.properties.isWhitespace }
      let scalars = Array(try text(0).description.unicodeScalars.drop(while: isSpace).reversed().drop(while: isSpace))
      return Self.string(String(String.UnicodeScalarView(scalars.reversed())))
    case .substr:
      // By characters, from 0; what lies outside is left out.
      let (start, count) = (try integer(1), try integer(2))
      guard start >= 0, count >= 0 else {
        throw ValueError("'substr' takes a position and a length of 0 or greater")
      }
      return Self.string(String(try text(0).description.unicodeScalars.dropFirst(start).prefix(count)))
    case .replace:
      let (whole, part, other) = (try text(0), try text(1), try text(2))
      return .string(try Self.replaced(whole.utf8, part.utf8, by: other.utf8))
    case .split:
      let (whole, separator) = (try text(0).utf8, try text(1).utf8)
      var pieces: [Value] = []
      try Self.forEachPiece(of: whole, separator) { piece in
        try ValueBound.require((pieces.count + 1) * MemoryLayout<Value>.stride + whole.count)
        pieces.append(.string(RealmString(utf8: Array(whole[piece]))))
      }
      return .list(pieces)
    case .join:
      let separator = try text(1)
      let pieces = try elements(0).filter { $0 != .null }.map { try plainText($0).utf8 }
      return .string(try ValueBound.joined(pieces, by: separator.utf8))
    default:
      switch arguments[0] {
      case .string(let text): return .int(Int64(text.description.unicodeScalars.count))
      case .data(let bytes): return .int(Int64(bytes.count))
      default: return .int(Int64(try elements(0).count))
      }
    }
  }

  private static func string(_ text: String) -> Value { .string(RealmString(text)) }

  /// Calls `body` with the parts between occurrences of a separator; an empty one separates nothing.
  private static func forEachPiece(
    of text: [UInt8], _ separator: [UInt8], _ body: (Range<Int>) throws -> Void
  ) rethrows {
    guard let first = separator.first else { return try body(text.indices) }
    var (start, position) = (0, 0)
    while position + separator.count <= text.count {
      guard text[position] == first, text[position..<(position + separator.count)].elementsEqual(separator) else {
        position += 1
        continue
      }
      try body(start..<position)
      position += separator.count
      start = position
    }
    try body(start..<text.count)
  }

  private static func replaced(_ text: [UInt8], _ part: [UInt8], by other: [UInt8]) throws -> RealmString {
    var size = -other.count
    forEachPiece(of: text, part) { size += $0.count + other.count }
    try ValueBound.require(size)
    var result: [UInt8] = []
    result.reserveCapacity(size)
    forEachPiece(of: text, part) { piece in
      if piece.lowerBound > 0 { result += other }
      result += text[piece]
    }
    return RealmString(utf8: result)
  }

  // MARK: Collections

  private func aggregate() throws -> Value {
    if function == .count { return .int(Int64(try elements(0).count)) }
    // The least of several values, or of one collection.
    let values = (arguments.count > 1 ? arguments : try elements(0)).filter { $0 != .null }
    switch function {
    case .min, .max:
      // As in queries, NaN does not count.
      let numbers = values.filter { !$0.isNaN }
      guard var best = numbers.first else { return .null }
      for value in numbers.dropFirst() {
        guard let order = try FormulaArithmetic.order(value, best) else { continue }
        if function == .min ? order < 0 : order > 0 { best = value }
      }
      return best
    case _ where values.contains { if case .string = $0 { true } else { false } }:
      throw ValueError("'\(function.rawValue)' takes numbers, not strings")
    case .sum: return try values.reduce(.int(0)) { try FormulaArithmetic.apply(.add, $0, $1) }
    default:
      guard let first = values.first else { return .null }
      let sum = try values.dropFirst().reduce(first) { try FormulaArithmetic.apply(.add, $0, $1) }
      if case .int(let total) = sum { return .double(Double(total) / Double(values.count)) }
      return try FormulaArithmetic.apply(.divide, sum, .int(Int64(values.count)))
    }
  }

  // MARK: Numbers and dates

  private func rounding() throws -> Value {
    let places = arguments.count > 1 ? try integer(1) : 0
    guard (-30...30).contains(places) else { throw ValueError("'round' takes -30 to 30 places") }
    switch arguments[0] {
    case .int(let number) where places >= 0:
      guard function == .abs else { return arguments[0] }
      guard number != .min else { throw ValueError("the absolute value of \(number) is beyond the range of int") }
      return .int(number.magnitude > Int64.max ? number : abs(number))
    case .float(let number): return .double(try rounded(Double(number), places))
    case .double(let number): return .double(try rounded(number, places))
    case .int, .decimal: return try roundedDecimal(places)
    default: throw ValueError("'\(function.rawValue)' takes a number, not \(arguments[0].kindName)")
    }
  }

  private func rounded(_ number: Double, _ places: Int) throws -> Double {
    switch function {
    case .abs: return number.magnitude
    case .floor: return number.rounded(.down)
    case .ceil: return number.rounded(.up)
    default:
      guard places != 0 else { return number.rounded(.toNearestOrAwayFromZero) }
      // Uses the decimal digits, so that 2.675 rounds as written.
      let text = Value.double(number).plainText?.description ?? ""
      guard let reading = DecimalReading(text: text), let decimal = DecimalNumber(reading.decimal) else {
        return number
      }
      let result = Value.decimal(decimal.rounded(.round, places: places).decimal)
      return result.double ?? number
    }
  }

  private func roundedDecimal(_ places: Int) throws -> Value {
    let exact: DecimalNumber?
    switch arguments[0] {
    case .int(let number): exact = DecimalNumber(number)
    case .decimal(let number): exact = DecimalNumber(number)
    default: exact = nil
    }
    guard let exact else { return arguments[0] }
    let result: DecimalNumber =
      switch function {
      case .abs: exact.isNegative ? exact.negated : exact
      case .floor: exact.rounded(.floor)
      case .ceil: exact.rounded(.ceil)
      default: exact.rounded(.round, places: places)
      }
    if case .int = arguments[0] {
      guard let number = result.int64 else { throw ValueError("the result is beyond the range of int") }
      return .int(number)
    }
    return .decimal(result.decimal)
  }

  private func dateFunction() throws -> Value {
    let pattern: DatePattern
    let written = try text(1).description
    do throws(PatternError) { pattern = try DatePattern(written) } catch {
      throw ValueError(
        error.description,
        advice: "the fields are yyyy, MM, dd, HH, mm, ss, SSS and XXX; put other text between apostrophes")
    }
    if function == .parseDate {
      let text = try text(0)
      guard let date = pattern.read(text) else {
        throw ValueError("\(arguments[0].shown) is not a date of the form \(arguments[1].shown)")
      }
      return .date(date)
    }
    guard case .date(let date) = arguments[0] else {
      throw ValueError("'format_date' takes a date, not \(arguments[0].kindName)")
    }
    let buffer = TextBuffer(capacity: 64)
    pattern.append(date, to: buffer)
    return .string(RealmString(utf8: buffer.withBytes { Array($0) }))
  }
}

extension DecimalNumber {
  /// Rounds to a number of digits after the decimal point; before it if the number is negative.
  func rounded(_ rounding: ConversionOptions.Rounding, places: Int) -> DecimalNumber {
    shifted(by: places).rounded(rounding).shifted(by: -places)
  }
}

/// The maximum size of a formula's value: a plan must not compute anything larger than a value can be.
enum ValueBound {
  private static let mostBytes = 64 << 20
  /// Values on a path through lists of links.
  static let mostValues = 1_000_000

  /// - Throws: `ValueError` for more bytes.
  static func require(_ byteCount: Int) throws(ValueError) {
    guard byteCount <= mostBytes else {
      throw ValueError("a value of a formula would be larger than \(mostBytes >> 20) MiB")
    }
  }

  /// - Throws: `ValueError` if the whole would be too large.
  static func joined(_ parts: [[UInt8]], by separator: [UInt8]) throws(ValueError) -> RealmString {
    var size = max(parts.count - 1, 0) * separator.count
    for part in parts { size += part.count }
    try require(size)
    return RealmString(utf8: [UInt8](parts.joined(separator: separator)))
  }
}
