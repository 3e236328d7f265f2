import RealmStorage
import RealmText

extension TextBuffer {
  /// Appends a scalar as templates show it: numbers in their shortest form that reads back equal, dates in ISO 8601, data
  /// in Base64.
  ///
  /// - Returns: false, and nothing appended, for null, links and collections.
  func append(plain value: Value) -> Bool {
    switch value {
    case .int(let number): append(integer: number)
    case .bool(let flag): append(flag ? "true" : "false")
    case .float(let number): append(plain: number)
    case .double(let number): append(plain: number)
    case .string(let text): append(text)
    case .data(let bytes): bytes.withUnsafeBytes { appendBase64($0) }
    case .date(let date): appendISODate(date)
    case .decimal(let number): appendCanonical(number)
    case .objectID(let id): append(id)
    case .uuid(let id): append(id)
    case .null, .link, .typedLink, .list, .set, .dictionary: return false
    }
    return true
  }

  /// Infinity and NaN as text reads them back.
  private func append(plain number: Double) {
    if number.isFinite { return appendShortest(number) }
    append(number.isNaN ? "nan" : number < 0 ? "-inf" : "inf")
  }

  private func append(plain number: Float) {
    if number.isFinite { return appendShortest(number) }
    append(number.isNaN ? "nan" : number < 0 ? "-inf" : "inf")
  }
}

extension Value {
  /// A scalar as templates show it; nil for null, links and collections.
  var plainText: RealmString? {
    if case .string(let text) = self { return text }
    let buffer = TextBuffer(capacity: 64)
    guard buffer.append(plain: self) else { return nil }
    return RealmString(utf8: buffer.withBytes { Array($0) })
  }

  /// The value for messages; cut if it is long.
  var shown: String {
    switch self {
    case .null: return "null"
    case .string(let text):
      let text = text.description
      return "'" + (text.count > 40 ? text.prefix(40) + "…" : text) + "'"
    case .link(_, let key), .typedLink(_, let key): return "a link to object \(key.rawValue)"
    case .list(let elements): return "a list of \(elements.count)"
    case .set(let elements): return "a set of \(elements.count)"
    case .dictionary(let entries): return "a dictionary of \(entries.count)"
    default: return plainText?.description ?? "a value"
    }
  }

  /// The type in words: `an int`, `a text`.
  var kindName: String {
    switch self {
    case .null: "null"
    case .int: "an int"
    case .bool: "a bool"
    case .float: "a float"
    case .double: "a double"
    case .string: "a string"
    case .data: "data"
    case .date: "a date"
    case .decimal: "a decimal"
    case .objectID: "an object id"
    case .uuid: "a uuid"
    case .link, .typedLink: "a link"
    case .list: "a list"
    case .set: "a set"
    case .dictionary: "a dictionary"
    }
  }
}
