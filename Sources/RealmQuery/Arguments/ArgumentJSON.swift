import RealmStorage
import RealmText

extension QueryArgument {
  /// Arguments as a JSON array in typed form (Docs/JSONOutput.md): numbers without point and exponent are ints, others
  /// doubles, arrays lists, and objects wrap what JSON has no form for (`{"$date":"2001-02-03T00:00:00Z"}`,
  /// `{"$link":{"table":"Dog","key":"Rex"}}`).
  ///
  /// - Throws: `InvalidQueryArg`, which says what is wrong with which element.
  public static func arguments(json text: String) throws(QueryError) -> [QueryArgument] {
    let value: JSONValue
    do { value = try JSONValue.parse(text) } catch {
      throw QueryError(.invalidQueryArg, "The arguments are not JSON: \(error)", at: nil)
    }
    guard let elements = value.array else {
      throw QueryError(.invalidQueryArg, "The arguments are \(value.kindName), not a JSON array", at: nil)
    }
    var arguments: [QueryArgument] = []
    for (index, element) in elements.enumerated() {
      guard let argument = argument(element) else {
        throw QueryError(
          .invalidQueryArg, "Argument \(index) is \(element.kindName) that is not a value in typed form", at: nil)
      }
      arguments.append(argument)
    }
    return arguments
  }

  private static func argument(_ value: JSONValue) -> QueryArgument? {
    guard let elements = value.array else { return scalar(value) }
    let arguments = elements.compactMap(scalar)
    return arguments.count == elements.count ? .list(arguments) : nil
  }

  private static func scalar(_ value: JSONValue) -> QueryArgument? {
    switch value {
    case .null: return .value(.null)
    case .bool(let flag): return .value(.bool(flag))
    case .number(let number):
      if number.isInteger { return number.integer.map { .value(.int($0)) } }
      return Double(textInRange: number.text).map { .value(.double($0)) }
    case .string(let text): return .value(.string(text))
    case .array: return nil
    case .object(let object): return wrapped(object)
    }
  }

  /// What an object with one key, which says the type, wraps.
  private static func wrapped(_ object: JSONObject) -> QueryArgument? {
    guard object.count == 1, let entry = object.entries.first else { return nil }
    switch entry.key {
    case "$link": return link(entry.value)
    case "$set": return entry.value.array.flatMap { argument(.array($0)) }
    case "$date": return date(entry.value).map { .value(.date($0)) }
    case "$binary": return binary(entry.value)
    case let key:
      guard let text = digits(entry.value) else { return nil }
      return number(key, text).map { .value($0) }
    }
  }

  /// The text of a string or of a number.
  private static func digits(_ value: JSONValue) -> RealmString? {
    switch value {
    case .string(let text): text
    case .number(let number): RealmString(number.text)
    default: nil
    }
  }

  private static func number(_ key: RealmString, _ text: RealmString) -> Value? {
    switch key {
    case "$numberLong", "$numberInt": return Int64(text: text).map { .int($0) }
    case "$numberDouble": return Double(textInRange: text).map { .double($0) }
    case "$float": return Float(textInRange: text).map { .float($0) }
    case "$numberDecimal":
      guard let reading = DecimalReading(text: text), !reading.isRounded else { return nil }
      return .decimal(reading.decimal)
    case "$oid": return ObjectID(text: text).map { .objectID($0) }
    case "$uuid": return RealmUUID(text: text).map { .uuid($0) }
    default: return nil
    }
  }

  /// A date as text, or milliseconds since 1970.
  private static func date(_ value: JSONValue) -> Timestamp? {
    switch value {
    case .string(let text): Timestamp(text: text)
    case .number(let number): number.integer.map { Timestamp(milliseconds: $0) }
    case .object(let object):
      object.count == 1
        ? object["$numberLong"].flatMap(digits).flatMap { Int64(text: $0) }.map { Timestamp(milliseconds: $0) } : nil
    default: nil
    }
  }

  /// Data, or with the subtype 04 a UUID.
  private static func binary(_ value: JSONValue) -> QueryArgument? {
    guard let text = value["base64"]?.string, let bytes = Array(text.utf8).withUnsafeBytes({ Base64.decode($0) })
    else { return nil }
    switch (value["subType"] ?? value["subtype"])?.string {
    case nil, "00", "0": return .value(.data(bytes))
    case "04", "4":
      guard bytes.count == 16 else { return nil }
      func number(_ range: Range<Int>) -> UInt64 { bytes[range].reduce(0) { $0 << 8 | UInt64($1) } }
      return .value(.uuid(RealmUUID(head: number(0..<8), tail: number(8..<16))))
    default: return nil
    }
  }

  /// `{"table":"Dog","key":"Rex"}`, `{"table":"Dog","objKey":0}`.
  private static func link(_ value: JSONValue) -> QueryArgument? {
    guard let name = value["table"]?.string, value.object?.count == 2 else { return nil }
    if let key = value["objKey"]?.integer { return .objectOfClass(className: name, ObjectKey(rawValue: key)) }
    guard let key = value["key"].flatMap(scalar), case .value(let primaryKey) = key else { return nil }
    return .object(className: name, primaryKey: primaryKey)
  }
}
