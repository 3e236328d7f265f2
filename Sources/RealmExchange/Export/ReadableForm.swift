import RealmStorage
import RealmText

/// `json`: valid JSON for reading and for other programs, without wrappers.
struct ReadableForm: ValueForm {
  /// Write integers that a JavaScript number cannot represent exactly as strings.
  var quotesBigIntegers = false
  var wrapsNullKeys: Bool { true }

  func append(int: Int64, to text: TextBuffer) {
    let isQuoted = quotesBigIntegers && !(-9_007_199_254_740_991...9_007_199_254_740_991).contains(int)
    if isQuoted { text.append("\"") }
    text.append(integer: int)
    if isQuoted { text.append("\"") }
  }

  func append(float: Float, at position: Position, to text: TextBuffer) {
    float.isFinite ? text.appendShortest(float) : appendSpecial(Double(float), to: text)
  }

  func append(double: Double, to text: TextBuffer) {
    double.isFinite ? text.appendShortest(double) : appendSpecial(double, to: text)
  }

  private func appendSpecial(_ value: Double, to text: TextBuffer) {
    text.append(value.isNaN ? "\"NaN\"" : value < 0 ? "\"-Infinity\"" : "\"Infinity\"")
  }

  func append(string: BlobView, to text: TextBuffer) throws {
    try string.withContiguous { text.appendJSON($0, style: .standard) }
  }

  func append(date: Timestamp, to text: TextBuffer) {
    text.append("\"")
    text.appendISODate(date)
    text.append("\"")
  }

  func append(decimal: Decimal128, to text: TextBuffer) {
    text.append("\"")
    text.appendCanonical(decimal)
    text.append("\"")
  }

  func append(propertyName: RealmString, to text: TextBuffer) { text.appendJSON(propertyName, style: .standard) }

  func openLink(to target: Table, withPrimaryKey: Bool, at position: Position, in text: TextBuffer) {
    if position == .mixed {
      text.append("{\"$link\":{\"table\":")
      text.appendJSON(target.schema.displayName, style: .standard)
      text.append(",\"key\":")
    }
    if !withPrimaryKey {
      text.append("{\"")
      text.append(target.schema.objectKeyMember)
      text.append("\":")
    }
  }

  func closeLink(to target: Table, withPrimaryKey: Bool, at position: Position, in text: TextBuffer) {
    if !withPrimaryKey { text.append("}") }
    if position == .mixed { text.append("}}") }
  }

  func openEmbedded(_ table: Table, at position: Position, in text: TextBuffer) {
    guard table.schema.hasPropertyLikeWrapper else { return }
    text.append("{\"$embedded\":{\"table\":")
    text.appendJSON(table.schema.displayName, style: .standard)
    text.append(",\"value\":")
  }

  func closeEmbedded(_ table: Table, at position: Position, in text: TextBuffer) {
    if table.schema.hasPropertyLikeWrapper { text.append("}}") }
  }
}
