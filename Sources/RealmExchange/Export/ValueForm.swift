import RealmStorage
import RealmText

/// How values look in one text form: what differs between the forms of `export`, and nothing else.
///
/// `ObjectWriter` walks and calls; a form only appends to the buffer. Where a form cannot read a value's bytes it
/// throws what the storage library threw.
protocol ValueForm: Sendable {
  /// Where a value stands: a form may write it differently inside a Mixed value than in a typed property.
  typealias Position = ValuePosition

  func appendNull(to text: TextBuffer)
  func append(int: Int64, to text: TextBuffer)
  func append(bool: Bool, to text: TextBuffer)
  func append(float: Float, at position: Position, to text: TextBuffer)
  func append(double: Double, to text: TextBuffer)
  func append(string: BlobView, to text: TextBuffer) throws
  func append(data: BlobView, to text: TextBuffer) throws
  func append(date: Timestamp, to text: TextBuffer)
  func append(decimal: Decimal128, to text: TextBuffer)
  func append(objectID: ObjectID, to text: TextBuffer)
  func append(uuid: RealmUUID, to text: TextBuffer)

  /// What stands around the elements of a set, and the entries of a dictionary.
  var setBrackets: (open: StaticString, close: StaticString) { get }
  var dictionaryBrackets: (open: StaticString, close: StaticString) { get }
  func append(dictionaryKey: BlobView, to text: TextBuffer) throws
  /// The quoted name of a property.
  func append(propertyName: RealmString, to text: TextBuffer)

  /// What stands in front of the key of a link, and behind it: the target's primary key in this form, or its object key.
  func openLink(to target: Table, withPrimaryKey: Bool, at position: Position, in text: TextBuffer)
  func closeLink(to target: Table, withPrimaryKey: Bool, at position: Position, in text: TextBuffer)
  /// Whether a link to an object whose primary key is null is written as in a Mixed value: null alone would be no link.
  var wrapsNullKeys: Bool { get }
  /// What stands around an embedded object.
  func openEmbedded(_ table: Table, at position: Position, in text: TextBuffer)
  func closeEmbedded(_ table: Table, at position: Position, in text: TextBuffer)

  /// The first member of a top-level object, for classes without a primary key; false where the form has none.
  ///
  /// - Parameter name: one that no property has.
  func appendObjectKey(_ key: ObjectKey, named name: RealmString, to text: TextBuffer) -> Bool
}

/// The plain forms, without wrappers.
extension ValueForm {
  var wrapsNullKeys: Bool { false }
  func appendNull(to text: TextBuffer) { text.append("null") }
  func append(bool: Bool, to text: TextBuffer) { if bool { text.append("true") } else { text.append("false") } }

  func append(data: BlobView, to text: TextBuffer) throws {
    text.append("\"")
    try data.forEachPiece { text.appendBase64($0) }
    text.append("\"")
  }

  func append(objectID: ObjectID, to text: TextBuffer) {
    text.append("\"")
    text.append(objectID)
    text.append("\"")
  }

  func append(uuid: RealmUUID, to text: TextBuffer) {
    text.append("\"")
    text.append(uuid)
    text.append("\"")
  }

  var setBrackets: (open: StaticString, close: StaticString) { ("[", "]") }
  var dictionaryBrackets: (open: StaticString, close: StaticString) { ("{", "}") }

  func append(dictionaryKey: BlobView, to text: TextBuffer) throws { try append(string: dictionaryKey, to: text) }

  func openEmbedded(_ table: Table, at position: Position, in text: TextBuffer) {}
  func closeEmbedded(_ table: Table, at position: Position, in text: TextBuffer) {}

  func appendObjectKey(_ key: ObjectKey, named name: RealmString, to text: TextBuffer) -> Bool {
    text.append("\"")
    text.append(name)
    text.append("\":")
    text.append(integer: key.rawValue)
    return true
  }
}

/// Where a value stands.
enum ValuePosition: Sendable {
  /// The value of a property.
  case property
  /// An element of a list, set or dictionary with a declared type.
  case element
  /// Inside a Mixed value.
  case mixed
}

extension BlobView {
  /// The bytes in one piece: in place where they lie so, else a copy.
  func withContiguous(_ body: (UnsafeRawBufferPointer) -> Void) throws {
    if let contiguous { return body(contiguous) }
    try copied().withUnsafeBytes(body)
  }
}
