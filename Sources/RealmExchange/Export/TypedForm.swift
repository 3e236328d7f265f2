import RealmStorage
import RealmText

/// `typed`: JSON that loses nothing; a wrapper wherever plain JSON would leave the type open.
///
/// Texts that are not UTF-8 keep their bytes as escapes of lone surrogates (`\udc80` … `\udcff`), and a NaN that is not
/// the usual one carries its bits (`NaN(0x7ff8000000000001)`).
struct TypedForm: ValueForm {
  /// How texts are escaped.
  var style = JSONStringStyle.lossless

  /// Integers up to here are exact in every JSON reader.
  private static let exactIntegers = -(1 << 53)...(1 << 53) as ClosedRange<Int64>

  func append(int: Int64, to text: TextBuffer) {
    if Self.exactIntegers.contains(int) { return text.append(integer: int) }
    text.append("{\"$numberLong\":\"")
    text.append(integer: int)
    text.append("\"}")
  }

  func append(float: Float, at position: Position, to text: TextBuffer) {
    let isPlain = float.isFinite && !(float == 0 && float.sign == .minus)
    if isPlain, position != .mixed { return text.appendShortest(float) }
    text.append("{\"$float\":\"")
    if float.isFinite {
      text.appendShortest(float)
    } else {
      appendSpecial(
        Double(float), isUsualNaN: float.bitPattern == 0x7fc0_0000, bits: UInt64(float.bitPattern), to: text)
    }
    text.append("\"}")
  }

  func append(double: Double, to text: TextBuffer) {
    if double.isFinite, !(double == 0 && double.sign == .minus) { return text.appendShortest(double) }
    text.append("{\"$numberDouble\":\"")
    if double.isFinite {
      text.appendShortest(double)
    } else {
      let isUsualNaN = double.bitPattern == 0x7ff8_0000_0000_0000
      appendSpecial(double, isUsualNaN: isUsualNaN, bits: double.bitPattern, to: text)
    }
    text.append("\"}")
  }

  private func appendSpecial(_ value: Double, isUsualNaN: Bool, bits: UInt64, to text: TextBuffer) {
    guard value.isNaN else { return text.append(value < 0 ? "-Infinity" : "Infinity") }
    text.append("NaN")
    guard !isUsualNaN else { return }
    text.append("(0x")
    text.append(String(bits, radix: 16))
    text.append(")")
  }

  func append(string: BlobView, to text: TextBuffer) throws {
    try string.withContiguous { text.appendJSON($0, style: style) }
  }

  func append(data: BlobView, to text: TextBuffer) throws {
    text.append("{\"$binary\":{\"base64\":\"")
    try data.forEachPiece { text.appendBase64($0) }
    text.append("\",\"subType\":\"00\"}}")
  }

  func append(date: Timestamp, to text: TextBuffer) {
    text.append("{\"$date\":\"")
    text.appendISODate(date)
    text.append("\"}")
  }

  func append(decimal: Decimal128, to text: TextBuffer) {
    text.append("{\"$numberDecimal\":\"")
    text.appendCanonical(decimal)
    text.append("\"}")
  }

  func append(objectID: ObjectID, to text: TextBuffer) {
    text.append("{\"$oid\":\"")
    text.append(objectID)
    text.append("\"}")
  }

  func append(uuid: RealmUUID, to text: TextBuffer) {
    text.append("{\"$uuid\":\"")
    text.append(uuid)
    text.append("\"}")
  }

  var setBrackets: (open: StaticString, close: StaticString) { ("{\"$set\":[", "]}") }
  var dictionaryBrackets: (open: StaticString, close: StaticString) { ("{\"$dictionary\":{", "}}") }

  func append(propertyName: RealmString, to text: TextBuffer) { text.appendJSON(propertyName, style: style) }

  func openLink(to target: Table, withPrimaryKey: Bool, at position: Position, in text: TextBuffer) {
    text.append("{\"$link\":{\"table\":")
    text.appendJSON(target.schema.displayName, style: style)
    if withPrimaryKey { text.append(",\"key\":") } else { text.append(",\"objKey\":") }
  }

  func closeLink(to target: Table, withPrimaryKey: Bool, at position: Position, in text: TextBuffer) {
    text.append("}}")
  }

  func openEmbedded(_ table: Table, at position: Position, in text: TextBuffer) {
    guard needsClass(table, at: position) else { return }
    text.append("{\"$embedded\":{\"table\":")
    text.appendJSON(table.schema.displayName, style: style)
    text.append(",\"value\":")
  }

  func closeEmbedded(_ table: Table, at position: Position, in text: TextBuffer) {
    if needsClass(table, at: position) { text.append("}}") }
  }

  private func needsClass(_ table: Table, at position: Position) -> Bool {
    position != .property || table.schema.hasPropertyLikeWrapper
  }

  func appendObjectKey(_ key: ObjectKey, named name: RealmString, to text: TextBuffer) -> Bool { false }
}
