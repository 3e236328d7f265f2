import RealmStorage
import RealmText

/// How values look in one text form: only what differs between the forms of `export`.
///
/// `ObjectWriter` walks through the values and calls the form, which only appends to the buffer. If a form cannot read
/// a value's bytes, it throws the error of the storage library.
protocol ValueForm: Sendable {
  /// The kind of place that a value is in: a form may write it differently inside a Mixed value than in a typed
  /// property.
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

  /// The text around the elements of a set, and around the entries of a dictionary.
  var setBrackets: (open: StaticString, close: StaticString) { get }
  var dictionaryBrackets: (open: StaticString, close: StaticString) { get }
  func append(dictionaryKey: BlobView, to text: TextBuffer) throws
  /// The quoted name of a property.
  func append(propertyName: RealmString, to text: TextBuffer)

  /// The text before and after the key of a link: the target's primary key in this form, or its object key.
  func openLink(to target: Table, withPrimaryKey: Bool, at position: Position, in text: TextBuffer)
  func closeLink(to target: Table, withPrimaryKey: Bool, at position: Position, in text: TextBuffer)
  /// Whether a link to an object whose primary key is null is written as in a Mixed value: null alone would mean that
  /// there is no link.
  var wrapsNullKeys: Bool { get }
  /// The text around an embedded object.
  func openEmbedded(_ table: Table, at position: Position, in text: TextBuffer)
  func closeEmbedded(_ table: Table, at position: Position, in text: TextBuffer)

  /// Writes the first member of a top-level object, for classes without a primary key; returns false if the form has
  /// none.
  ///
  /// - Parameter name: a name that no property has.
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

/// The kind of place that a value is in.
enum ValuePosition: Sendable {
  /// The value of a property.
  case property
  /// An element of a list, set or dictionary with a declared type.
  case element
  /// Inside a Mixed value.
  case mixed
}

extension BlobView {
  /// The bytes in one piece: in place if possible, otherwise a copy.
  func withContiguous(_ body: (UnsafeRawBufferPointer) -> Void) throws {
    if let contiguous { return body(contiguous) }
    try copied().withUnsafeBytes(body)
  }
}
