import RealmStorage
import RealmText

extension Binder {
  // MARK: Arguments

  /// - Throws: `QueryError` if there is no argument of that number.
  func argument(_ number: Int, _ range: SourceRange) throws(QueryError) -> QueryArgument {
    if arguments.indices.contains(number) { return arguments[number] }
    let reason =
      switch arguments.count {
      case 0: "no arguments are provided"
      case 1: "only 1 argument is provided"
      default: "only \(arguments.count) arguments are provided"
      }
    // Commands with an option for arguments say that instead of the advice.
    throw QueryError(
      .invalidQueryArg, "Request for argument at index \(number) but \(reason)", at: range,
      advice: "write the value in the query", because: .missingArgument(number))
  }

  /// The value of a constant, links with their tables.
  private func value(_ argument: QueryArgument, _ range: SourceRange) throws -> Value {
    switch argument {
    case .value(let value): return value
    case .object(let className, let primaryKey): return try object(className, primaryKey, range, range)
    case .objectOfClass(let className, let key):
      guard let table = classNamed(className) else {
        throw unknownClass(className, range)
      }
      return .typedLink(table.key, key)
    case .objectKey(let key): return .link(Self.anyTable, key)
    case .list:
      throw QueryError(.invalidQueryArg, "Invalid constant inside constant list", at: range)
    }
  }

  /// For keys of objects of whatever class the other side leads to.
  private static let anyTable = TableKey(rawValue: 0x7fff_ffff)

  // MARK: Constants

  func constant(_ syntax: ConstantSyntax, hint: ValueType) throws -> Operand {
    let value: Value
    switch syntax.kind {
    case .value(let literal): value = literal
    case .invalid(let error):
      guard hint == .decimal, let decimal = decimal(of: syntax.text) else { throw error }
      return ConstantOperand([.decimal(decimal)], type: .decimal)
    case .argument(let number, let quantifier):
      return try argumentConstant(syntax, number, quantifier, hint)
    case .object(let literal):
      let object = try objectLiteral(literal, syntax.range)
      return typed(object, hint, syntax.range)
    case .objectKey(let key): return ConstantOperand([.link(Self.anyTable, key)], type: .link)
    case .tableAndObjectKey(let table, let key): return ConstantOperand([.typedLink(table, key)], type: .typedLink)
    }
    if value == .null { return typed(.null, hint, syntax.range) }
    let adapted = try adapt(value, to: hint, text: syntax.text, syntax.range)
    if case .string(let text) = adapted, hint == .typeOfValue { return try types(text, syntax.range) }
    return typed(adapted, hint, syntax.range)
  }

  private func argumentConstant(
    _ syntax: ConstantSyntax, _ number: Int, _ quantifier: Quantifier?, _ hint: ValueType
  ) throws -> Operand {
    let argument = try argument(number, syntax.range)
    if case .list(let elements) = argument {
      let values = try elements.map { element -> Value in
        let plain = try value(element, syntax.range)
        return plain == .null ? .null : try adapt(plain, to: hint, text: nil, syntax.range)
      }
      return ConstantOperand(values, type: .mixed, isList: true, quantifier: quantifier)
    }
    if quantifier != nil {
      throw QueryError(
        .invalidQuery,
        "ANY/ALL/NONE are only allowed on arguments which contain a list but '\(syntax.text)' is not a list.",
        at: syntax.range)
    }
    let plain = try value(argument, syntax.range)
    if plain == .null { return typed(.null, hint, syntax.range) }
    let adapted = try adapt(plain, to: hint, text: nil, syntax.range)
    let type = ConstantOperand([adapted], type: .mixed).views.first.map { ValueType($0) } ?? .mixed
    guard
      type.isComparable(with: hint) || (type == .typedLink && hint == .link)
        || (type == .string && hint == .typeOfValue)
    else {
      throw QueryError(
        .invalidQueryArg, "Cannot compare argument \(syntax.text) \(shown(plain)) to a \(hint.name)", at: syntax.range,
        because: .argumentType(number, needed: hint.name))
    }
    if case .string(let text) = adapted, hint == .typeOfValue { return try types(text, syntax.range) }
    return typed(adapted, hint, syntax.range)
  }

  private func shown(_ value: Value) -> String {
    if case .typedLink(let table, let key) = value { return "which links to \(describe(table, key))" }
    return "with value '\(ReferenceText.argument(value))'"
  }

  /// Null takes the type of strings and data, whose null is an ordinary value.
  private func typed(_ value: Value, _ hint: ValueType, _ range: SourceRange) -> ConstantOperand {
    guard value == .null else {
      let type = ConstantOperand([value], type: .mixed).views.first.map { ValueType($0) } ?? .mixed
      return ConstantOperand([value], type: type)
    }
    return ConstantOperand([.null], type: hint == .string || hint == .data ? hint : .null)
  }

  private func types(_ text: RealmString, _ range: SourceRange) throws(QueryError) -> ConstantOperand {
    let name = String(decoding: text.utf8, as: UTF8.self)
    guard let types = TypeSet(named: name) else {
      throw QueryError(
        .invalidQueryArg,
        "Unable to parse the type attribute string '\(name)', supported case insensitive values are: "
          + "[\(TypeSet.allNames)]", at: range)
    }
    return ConstantOperand([.int(types.rawValue)], type: .typeOfValue, text: "\"\(types.text)\"")
  }

  func list(_ syntax: ListSyntax, hint: ValueType) throws -> Operand {
    let elements = try syntax.elements.map { syntax in
      let element = try constant(syntax, hint: hint)
      guard hint != .typeOfValue || element.type == .typeOfValue else {
        throw QueryError(.invalidQuery, "Invalid constant inside constant list: \(element.text)", at: syntax.range)
      }
      return element
    }
    if hint == .typeOfValue {
      return ConstantOperand(
        elements.compactMap { $0.constant?.values.first }, type: .typeOfValue, isList: true,
        quantifier: syntax.quantifier,
        text: syntax.quantifier.prefix + "{" + elements.map(\.text).joined(separator: ", ") + "}")
    }
    let values = try zip(elements, syntax.elements).map { element, syntax -> Value in
      guard let constant = element.constant, constant.values.count == 1 else {
        throw QueryError(.invalidQuery, "Invalid constant inside constant list", at: syntax.range)
      }
      return constant.values[0]
    }
    return ConstantOperand(values, type: .mixed, isList: true, quantifier: syntax.quantifier)
  }

  // MARK: Objects

  private func objectLiteral(_ literal: ObjectLiteralSyntax, _ range: SourceRange) throws -> Value {
    let key: Value
    switch literal.key {
    case .value(let value): key = value
    case .invalid(let error): throw error
    case .argument(let number): key = try value(argument(number, literal.keyRange), literal.keyRange)
    }
    return try object(literal.className, key, literal.keyRange, range)
  }

  private func object(
    _ className: String, _ primaryKey: Value, _ keyRange: SourceRange, _ range: SourceRange
  ) throws -> Value {
    guard let table = classNamed(className) else {
      throw unknownClass(className, range)
    }
    if let key = findObject(table, primaryKey) { return .typedLink(table.key, key) }
    if dialect == .reference { return .null }
    warn(
      .missingObject(
        className: "\(table.schema.displayName)", primaryKey: ReferenceText.constant(primaryKey), range: range))
    // No object has this key.
    return .typedLink(table.key, ObjectKey(rawValue: -1))
  }

  private func unknownClass(_ name: String, _ range: SourceRange) -> QueryError {
    QueryError(
      .invalidQuery, "Unknown object type '\(name)'", unknown: name,
      among: snapshot.tables.map(\.schema).filter(\.isClass).map(\.displayName), .classes, at: range)
  }

  /// With or without `class_`.
  private func classNamed(_ name: String) -> Table? {
    let name = RealmString(name)
    return snapshot.tables.first { $0.schema.name == name }
      ?? snapshot.tables.first { $0.schema.name == TableSchema.tableName(ofClass: name) }
  }

  private func findObject(_ table: Table, _ primaryKey: Value) -> ObjectKey? {
    guard let property = table.schema.primaryKeyIndex else { return nil }
    if let found = try? table.indexedObject(ofProperty: property, is: primaryKey, in: snapshot) { return found.key }
    return try? table.firstObject(ofProperty: property, is: primaryKey, in: snapshot)
  }

  // MARK: Adapting

  /// A constant converted to the other side's type (`query-language` §6.2).
  ///
  /// - Parameter text: of a literal; nil for an argument.
  private func adapt(_ value: Value, to hint: ValueType, text: String?, _ range: SourceRange) throws -> Value {
    switch value {
    case .int(let number):
      return hint == .decimal ? .decimal(ValueOrder.decimal(.int(number))) : value
    case .double(let number):
      if number.isInfinite, !hint.isNumeric || hint == .int {
        throw QueryError(.invalidQuery, "Infinity not supported for \(hint.name)", at: range)
      }
      switch hint {
      case .float:
        let nearest = Float(number)
        guard dialect == .reference || nearest.isFinite || !number.isFinite else {
          throw QueryError(.invalidQuery, "\(text ?? "\(number)") is beyond the range of float", at: range)
        }
        return .float(nearest)
      case .decimal:
        return .decimal(text.flatMap(decimal(of:)) ?? ValueOrder.decimal(.double(number)))
      case .int: return Int64(exactly: number).map { .int($0) } ?? value
      default: return value
      }
    case .float(let number):
      guard hint == .int else { return value }
      if number.isInfinite { throw QueryError(.invalidQuery, "Infinity not supported for int", at: range) }
      if number.isNaN { throw QueryError(.invalidQuery, "NaN not supported for int", at: range) }
      return Int64(exactly: number).map { .int($0) } ?? value
    case .string(let string): return NumberInText(string, dialect).value(of: hint) ?? value
    default: return value
    }
  }

  private func decimal(of text: String) -> Decimal128? {
    var text = text
    let reading = text.withUTF8 { DecimalReading(text: UnsafeRawBufferPointer($0)) }
    return reading.flatMap { dialect == .standard && $0.isBeyondRange ? nil : $0.decimal }
  }
}

/// A string with a number, where a number is needed.
private struct NumberInText {
  private let text: RealmString
  private let dialect: Dialect

  init(_ text: RealmString, _ dialect: Dialect) { (self.text, self.dialect) = (text, dialect) }

  /// Nil if it is not a number of that type.
  func value(of type: ValueType) -> Value? {
    switch type {
    case .int: int.map { .int($0) }
    case .float: real.flatMap { inRange(Float($0), of: $0) }.map { .float($0) }
    case .double: real.map { .double($0) }
    case .decimal: decimal.map { .decimal($0) }
    default: nil
    }
  }

  /// Nil for the name of infinity instead of digits, which the reference accepts.
  private func inRange<Real: BinaryFloatingPoint>(_ nearest: Real, of number: Double) -> Real? {
    dialect == .reference || nearest.isFinite || !number.isFinite ? nearest : nil
  }

  /// The reference takes the longest beginning that is a number.
  private var int: Int64? {
    let bytes = dialect == .reference ? Array(text.utf8.drop(while: Self.isSpace)) : text.utf8
    let signCount = bytes.first == UInt8(ascii: "-") || bytes.first == UInt8(ascii: "+") ? 1 : 0
    let digits = bytes.dropFirst(signCount).prefix { (0x30...0x39).contains($0) }
    guard !digits.isEmpty, dialect == .reference || digits.count + signCount == bytes.count else { return nil }
    return Int64(String(decoding: bytes.prefix(signCount + digits.count), as: UTF8.self))
  }

  private var real: Double? {
    let whole = String(decoding: text.utf8, as: UTF8.self)
    guard dialect == .reference else {
      return Self.number(whole).flatMap { $0.isFinite ? $0 : nil } ?? Self.special(whole)
    }
    let bytes = Array(text.utf8.drop(while: Self.isSpace))
    let prefix = bytes.prefix { (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }
    // The characters of a number are gathered first, and then have to be one.
    var length = 0
    var (hasDigit, hasPoint, hasExponent) = (false, false, false)
    for byte in prefix {
      switch byte {
      case UInt8(ascii: "+"), UInt8(ascii: "-"):
        guard length == 0 || prefix[length - 1] | 0x20 == UInt8(ascii: "e") else {
          return Self.number(String(decoding: prefix.prefix(length), as: UTF8.self))
        }
      case UInt8(ascii: "."):
        guard !hasPoint, !hasExponent else {
          return Self.number(String(decoding: prefix.prefix(length), as: UTF8.self))
        }
        hasPoint = true
      case UInt8(ascii: "e"), UInt8(ascii: "E"):
        guard hasDigit, !hasExponent else {
          return Self.number(String(decoding: prefix.prefix(length), as: UTF8.self))
        }
        hasExponent = true
      default: hasDigit = true
      }
      length += 1
    }
    return Self.number(String(decoding: prefix.prefix(length), as: UTF8.self)) ?? Self.special(whole)
  }

  private var decimal: Decimal128? {
    let found = text.utf8.withUnsafeBytes { DecimalReading(text: $0) }
    guard let found, found.decimal.classified != .nan, dialect == .reference || !found.isBeyondRange else { return nil }
    return found.decimal
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }

  /// Digits with a point or an exponent, in decimal.
  private static func number(_ text: String) -> Double? {
    guard text.utf8.contains(where: { (0x30...0x39).contains($0) }),
      text.utf8.allSatisfy({ (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) })
    else { return nil }
    return Double(text) ?? Double("0" + text) ?? Double(text + "0")
  }

  private static func special(_ text: String) -> Double? {
    switch text.lowercased() {
    case "nan", "+nan": .nan
    case "-nan": -.nan
    case "inf", "+inf", "infinity", "+infinity": .infinity
    case "-inf", "-infinity": -.infinity
    default: nil
    }
  }
}
