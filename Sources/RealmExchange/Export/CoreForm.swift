import RealmStorage
import RealmText

/// What the three forms of the reference engine have in common. They match its three output modes byte for byte.
protocol CoreForm: ValueForm {}

extension CoreForm {
  func append(string: BlobView, to text: TextBuffer) throws {
    try string.withContiguous { text.appendJSON($0, style: .core) }
  }

  func append(dictionaryKey: BlobView, to text: TextBuffer) throws {
    try dictionaryKey.withContiguous { text.appendCoreKey($0) }
  }

  /// The engine does not escape names.
  func append(propertyName: RealmString, to text: TextBuffer) {
    text.append(byte: UInt8(ascii: "\""))
    text.append(propertyName)
    text.append("\"")
  }

  /// The engine's name for it, whatever the properties are called.
  func appendObjectKey(_ key: ObjectKey, named name: RealmString, to text: TextBuffer) -> Bool {
    text.append("\"_key\":")
    text.append(integer: key.rawValue)
    return true
  }

  /// The text before and after the key of a link that names its table, as in Mixed values in all three forms.
  func openNamedLink(to target: Table, in text: TextBuffer) {
    text.append("{ \"$link\": {\"table\": ")
    append(propertyName: target.schema.displayName, to: text)
    text.append(", \"key\": ")
  }

  func closeNamedLink(in text: TextBuffer) { text.append("}}") }

  func openLink(to target: Table, withPrimaryKey: Bool, at position: Position, in text: TextBuffer) {
    if position == .mixed { openNamedLink(to: target, in: text) }
  }

  func closeLink(to target: Table, withPrimaryKey: Bool, at position: Position, in text: TextBuffer) {
    if position == .mixed { closeNamedLink(in: text) }
  }
}

/// `core`: the engine's plain output.
struct CorePlainForm: CoreForm {
  func append(int: Int64, to text: TextBuffer) { text.append(integer: int) }
  func append(float: Float, at position: Position, to text: TextBuffer) { text.appendScientific(float) }
  func append(double: Double, to text: TextBuffer) { text.appendScientific(double) }

  func append(date: Timestamp, to text: TextBuffer) {
    text.append("\"")
    text.appendCoreDate(date)
    text.append("\"")
  }

  func append(decimal: Decimal128, to text: TextBuffer) {
    text.append("\"")
    text.appendCore(decimal)
    text.append("\"")
  }
}

/// What the engine's two extended forms have in common: MongoDB-style wrappers around scalars.
protocol CoreExtendedForm: CoreForm {}

extension CoreExtendedForm {
  func append(int: Int64, to text: TextBuffer) {
    text.append("{\"$numberLong\": \"")
    text.append(integer: int)
    text.append("\"}")
  }

  func append(float: Float, at position: Position, to text: TextBuffer) {
    text.append("{\"$numberDouble\": \"")
    text.appendScientific(float)
    text.append("\"}")
  }

  func append(double: Double, to text: TextBuffer) {
    text.append("{\"$numberDouble\": \"")
    text.appendScientific(double)
    text.append("\"}")
  }

  func append(data: BlobView, to text: TextBuffer) throws {
    text.append("{\"$binary\": {\"base64\": \"")
    try data.forEachPiece { text.appendBase64($0) }
    text.append("\", \"subType\": \"00\"}}")
  }

  func append(date: Timestamp, to text: TextBuffer) {
    text.append("{\"$date\": {\"$numberLong\": \"")
    text.appendCoreMilliseconds(date)
    text.append("\"}}")
  }

  func append(decimal: Decimal128, to text: TextBuffer) {
    text.append("{\"$numberDecimal\": \"")
    text.appendCore(decimal)
    text.append("\"}")
  }

  func append(objectID: ObjectID, to text: TextBuffer) {
    text.append("{\"$oid\": \"")
    text.append(objectID)
    text.append("\"}")
  }

  func append(uuid: RealmUUID, to text: TextBuffer) {
    text.append("{\"$binary\": {\"base64\": \"")
    withUnsafeBytes(of: (uuid.head.bigEndian, uuid.tail.bigEndian)) { text.appendBase64($0) }
    text.append("\", \"subType\": \"04\"}}")
  }

  func appendObjectKey(_ key: ObjectKey, named name: RealmString, to text: TextBuffer) -> Bool { false }
}

/// `core-xjson`: extended JSON.
struct CoreXJSONForm: CoreExtendedForm {}

/// `core-xjson+`: extended JSON with wrappers for links, embedded objects, sets and dictionaries.
struct CoreXJSONPlusForm: CoreExtendedForm {
  var setBrackets: (open: StaticString, close: StaticString) { ("{ \"$set\": [", "]}") }
  var dictionaryBrackets: (open: StaticString, close: StaticString) { ("{ \"$dictionary\": {", "}}") }

  func openLink(to target: Table, withPrimaryKey: Bool, at position: Position, in text: TextBuffer) {
    openNamedLink(to: target, in: text)
  }

  func closeLink(to target: Table, withPrimaryKey: Bool, at position: Position, in text: TextBuffer) {
    closeNamedLink(in: text)
  }

  func openEmbedded(_ table: Table, at position: Position, in text: TextBuffer) {
    text.append("{ \"$embedded\": {\"table\": ")
    append(propertyName: table.schema.name, to: text)
    text.append(", \"value\": ")
  }

  func closeEmbedded(_ table: Table, at position: Position, in text: TextBuffer) { text.append("}}") }
}
