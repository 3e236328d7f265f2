import RealmStorage
import RealmText

/// A function of a formula with the values it is called with.
struct FunctionCall {
  let function: Expression.Function
  let arguments: [Value]
  let scope: EvaluationScope

  /// - Throws: `EvaluationError`.
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
    do throws(ConversionError) { return try ScalarConversion(type: type).convert(arguments[0]) } catch {
      throw EvaluationError(error.message)
    }
  }

  private func plainText(_ value: Value) throws -> RealmString {
    if let text = value.plainText { return text }
    if let key = try scope.primaryKey(of: value), let text = key.plainText { return text }
    throw EvaluationError("\(value.kindName) has no text")
  }

  // MARK: Arguments

  private func text(_ index: Int) throws -> RealmString {
    guard case .string(let text) = arguments[index] else {
      throw EvaluationError("'\(function.rawValue)' takes a text, not \(arguments[index].kindName); use str()")
    }
    return text
  }

  private func integer(_ index: Int) throws -> Int {
    guard case .int(let number) = arguments[index] else {
      throw EvaluationError("'\(function.rawValue)' takes an int, not \(arguments[index].kindName)")
    }
    return Int(number)
  }

  private func elements(_ index: Int) throws -> [Value] {
    switch arguments[index] {
    case .list(let elements), .set(let elements): return elements
    case .dictionary(let entries): return entries.keys.sorted().map { entries[$0] ?? .null }
    default: throw EvaluationError("'\(function.rawValue)' takes a collection, not \(arguments[index].kindName)")
    }
  }

  // MARK: Texts

  private func textFunction() throws -> Value {
    switch function {
    case .concat:
      // Null counts as nothing.
      return .string(
        RealmString(utf8: try arguments.flatMap { $0 == .null ? [] : try plainText($0).utf8 }))
    case .upper: return Self.string(try text(0).description.uppercased())
    case .lower: return Self.string(try text(0).description.lowercased())
    case .trim:
      let isSpace = { (scalar: Unicode.Scalar) in scalar.properties.isWhitespace }
      let scalars = Array(try text(0).description.unicodeScalars.drop(while: isSpace).reversed().drop(while: isSpace))
      return Self.string(String(String.UnicodeScalarView(scalars.reversed())))
    case .substr:
      // By characters, from 0; what lies outside is left out.
      let (start, count) = (try integer(1), try integer(2))
      guard start >= 0, count >= 0 else { throw EvaluationError("'substr' takes a place from 0 and a length from 0") }
      return Self.string(String(try text(0).description.unicodeScalars.dropFirst(start).prefix(count)))
    case .replace:
      let (whole, part, other) = (try text(0), try text(1), try text(2))
      return .string(RealmString(utf8: Self.pieces(of: whole.utf8, part.utf8).joinedBytes(by: other.utf8)))
    case .split:
      return .list(Self.pieces(of: try text(0).utf8, try text(1).utf8).map { .string(RealmString(utf8: $0)) })
    case .join:
      let separator = try text(1)
      let pieces = try elements(0).filter { $0 != .null }.map { try plainText($0).utf8 }
      return .string(RealmString(utf8: pieces.joinedBytes(by: separator.utf8)))
    default:
      switch arguments[0] {
      case .string(let text): return .int(Int64(text.description.unicodeScalars.count))
      case .data(let bytes): return .int(Int64(bytes.count))
      default: return .int(Int64(try elements(0).count))
      }
    }
  }

  private static func string(_ text: String) -> Value { .string(RealmString(text)) }

  /// The parts between occurrences of a separator; an empty one separates nothing.
  private static func pieces(of text: [UInt8], _ separator: [UInt8]) -> [[UInt8]] {
    guard let first = separator.first else { return [text] }
    var (pieces, start, position) = ([[UInt8]](), 0, 0)
    while position + separator.count <= text.count {
      guard text[position] == first, text[position..<(position + separator.count)].elementsEqual(separator) else {
        position += 1
        continue
      }
      pieces.append(Array(text[start..<position]))
      position += separator.count
      start = position
    }
    return pieces + [Array(text[start...])]
  }

  // MARK: Collections

  private func aggregate() throws -> Value {
    if function == .count { return .int(Int64(try elements(0).count)) }
    // The least of several values, or of one collection.
    let values = (arguments.count > 1 ? arguments : try elements(0)).filter { $0 != .null }
    switch function {
    case .min, .max:
      guard var best = values.first else { return .null }
      for value in values.dropFirst() {
        guard let order = try Arithmetic.order(value, best) else { continue }
        if function == .min ? order < 0 : order > 0 { best = value }
      }
      return best
    case .sum: return try values.reduce(.int(0)) { try Arithmetic.apply(.add, $0, $1) }
    default:
      guard let first = values.first else { return .null }
      let sum = try values.dropFirst().reduce(first) { try Arithmetic.apply(.add, $0, $1) }
      if case .int(let total) = sum { return .double(Double(total) / Double(values.count)) }
      return try Arithmetic.apply(.divide, sum, .int(Int64(values.count)))
    }
  }

  // MARK: Numbers and dates

  private func rounding() throws -> Value {
    let places = arguments.count > 1 ? try integer(1) : 0
    guard (-30...30).contains(places) else { throw EvaluationError("'round' takes -30 to 30 places") }
    switch arguments[0] {
    case .int(let number) where places >= 0:
      guard function == .abs else { return arguments[0] }
      guard number != .min else { throw EvaluationError("the absolute value of \(number) is beyond the range of int") }
      return .int(number.magnitude > Int64.max ? number : abs(number))
    case .float(let number): return .double(try rounded(Double(number), places))
    case .double(let number): return .double(try rounded(number, places))
    case .int, .decimal: return try roundedDecimal(places)
    default: throw EvaluationError("'\(function.rawValue)' takes a number, not \(arguments[0].kindName)")
    }
  }

  private func rounded(_ number: Double, _ places: Int) throws -> Double {
    switch function {
    case .abs: return number.magnitude
    case .floor: return number.rounded(.down)
    case .ceil: return number.rounded(.up)
    default:
      guard places != 0 else { return number.rounded(.toNearestOrAwayFromZero) }
      // By the digits, so that 2.675 rounds as it is written.
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
      guard let number = result.int64 else { throw EvaluationError("the result is beyond the range of int") }
      return .int(number)
    }
    return .decimal(result.decimal)
  }

  private func dateFunction() throws -> Value {
    let pattern: DatePattern
    let written = try text(1).description
    do throws(DatePattern.UnknownLetter) { pattern = try DatePattern(written) } catch {
      throw EvaluationError("'\(error.letter)' means nothing in a date pattern; put text between apostrophes")
    }
    if function == .parseDate {
      let text = try text(0)
      guard let date = pattern.read(text) else {
        throw EvaluationError("\(arguments[0].shown) is not a date of the form \(arguments[1].shown)")
      }
      return .date(date)
    }
    guard case .date(let date) = arguments[0] else {
      throw EvaluationError("'format_date' takes a date, not \(arguments[0].kindName)")
    }
    let buffer = TextBuffer(capacity: 64)
    pattern.append(date, to: buffer)
    return .string(RealmString(utf8: buffer.withBytes { Array($0) }))
  }
}

extension DecimalNumber {
  /// Rounded to so many digits behind the point; before it, where the number is negative.
  func rounded(_ rounding: ConversionOptions.Rounding, places: Int) -> DecimalNumber {
    shifted(by: places).rounded(rounding).shifted(by: -places)
  }
}

extension [[UInt8]] {
  fileprivate func joinedBytes(by separator: [UInt8]) -> [UInt8] { [UInt8](joined(separator: separator)) }
}
