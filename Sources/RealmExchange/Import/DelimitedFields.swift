import RealmStorage
import RealmText

/// Writes fields of CSV and TSV as JSON that objects are read from.
struct DelimitedFields {
  /// The text that means null, without quotes; nil where empty fields do.
  let null: RealmString?
  let text: TextBuffer

  func isNull(_ field: UnsafeRawBufferPointer) -> Bool {
    guard let null else { return field.isEmpty }
    return field.elementsEqual(null.utf8)
  }

  /// The value of a property.
  ///
  /// - Parameter isKeyOfOther: whether it is a link to an object without a primary key.
  func append(_ field: UnsafeRawBufferPointer, isQuoted: Bool, _ property: DataProperty, isKeyOfOther: Bool) {
    if property.collection != nil, !isQuoted, isNull(field) {
      return text.append(property.collection == .dictionary ? "{}" : "[]")
    }
    if property.collection != nil { return appendJSON(field) }
    append(element: field, isQuoted: isQuoted, property, isKeyOfOther: isKeyOfOther)
  }

  /// A value that is not a collection: of a property, or in its collection.
  func append(element field: UnsafeRawBufferPointer, isQuoted: Bool, _ property: DataProperty, isKeyOfOther: Bool) {
    if !isQuoted, isNull(field) {
      if !property.isNullable, property.type == .string, null == nil { return text.append("\"\"") }
      return text.append("null")
    }
    if property.targetIsEmbedded { return appendJSON(field) }
    switch property.type {
    case .mixed: appendMixed(field)
    case .object where isKeyOfOther: appendNumber(field)
    case .object where field.first == UInt8(ascii: "{"): appendJSON(field)
    default: text.appendJSON(field, style: .lossless)
    }
  }

  /// A Mixed value whose type is in another field, as the relational form has it.
  func append(_ field: UnsafeRawBufferPointer, isQuoted: Bool, as type: RealmString) {
    if !isQuoted, isNull(field) { return text.append("null") }
    switch type {
    case "string": text.appendJSON(field, style: .lossless)
    case "data":
      text.append("{\"$binary\":{\"base64\":")
      text.appendJSON(field, style: .lossless)
      text.append(",\"subType\":\"00\"}}")
    default: appendJSON(field)
    }
  }

  /// Digits as they are, anything else as text, which is then refused with its words.
  func appendNumber(_ field: UnsafeRawBufferPointer) {
    guard (1...19).contains(field.count), field.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      field.count == 1 || field[0] != UInt8(ascii: "0")
    else { return text.appendJSON(field, style: .lossless) }
    text.append(bytes: field)
  }

  /// JSON unchanged, but on one line; anything else as text.
  private func appendJSON(_ field: UnsafeRawBufferPointer) {
    guard Self.isJSON(field) else { return text.appendJSON(field, style: .lossless) }
    appendOnOneLine(field)
  }

  private func appendOnOneLine(_ field: UnsafeRawBufferPointer) {
    guard field.contains(where: { $0 == 10 || $0 == 13 }) else { return text.append(bytes: field) }
    // A line break can only be outside strings, where a space means the same.
    field.map { $0 == 10 || $0 == 13 ? UInt8(ascii: " ") : $0 }.withUnsafeBytes { text.append(bytes: $0) }
  }

  /// A number, a boolean, or a collection or object as JSON; anything else is text.
  private func appendMixed(_ field: UnsafeRawBufferPointer) {
    guard Self.isMixedJSON(field) else { return text.appendJSON(field, style: .lossless) }
    appendOnOneLine(field)
  }

  /// Whether the text of a Mixed value is JSON other than a string or null, with a number that a value can have: digits
  /// beyond that are text.
  static func isMixedJSON(_ field: UnsafeRawBufferPointer) -> Bool {
    switch field.first {
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "t"), UInt8(ascii: "f"): return isJSON(field)
    case UInt8(ascii: "-"), .some(UInt8(ascii: "0")...UInt8(ascii: "9")):
      guard isJSON(field) else { return false }
      let digits = String(decoding: field.prefix { $0 > 0x20 }, as: UTF8.self)
      let isWhole = !digits.utf8.contains { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }
      return isWhole ? Int64(digits) != nil : Double(digits)?.isFinite == true
    default: return false
    }
  }

  static func isJSON(_ field: UnsafeRawBufferPointer) -> Bool {
    var options = JSONReader.Options()
    options.restoresBytes = true
    let reader = JSONReader(field, options: options)
    do throws(JSONError) {
      let first = try reader.next()
      guard first != .end else { return false }
      try reader.skipValue(after: first)
      return try reader.next() == .end
    } catch {
      return false
    }
  }
}
