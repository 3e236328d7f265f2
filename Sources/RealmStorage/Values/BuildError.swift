/// What cannot be written into a realm.
package enum BuildError: Error, Hashable, Sendable {
  /// A text or data value beyond what the engine reads back (Docs/Format/2-nodes-and-values.md §1.7).
  case valueTooLong(byteCount: Int, limit: Int)
  /// A value that a property of this type cannot store.
  case wrongType
  /// Null where null cannot be stored.
  case nullForRequired
  /// A key of a dictionary that the engine refuses (§5.3).
  case dictionaryKey(RealmString)
  /// Elements of one node beyond 2^24 - 1, or bytes of one node beyond 64 MiB.
  case nodeTooLarge(elementCount: Int)
  /// A name of a table or property beyond 63 bytes.
  case nameTooLong(RealmString)
  /// A new name that is not UTF-8, or has a zero byte, at which engines end it.
  case nameNotText(RealmString)
  /// More tables than their keys can count.
  case tooManyTables(limit: Int)
  /// More columns than their keys can count.
  case tooManyProperties(table: RealmString, limit: Int)
  /// A table or property without a name.
  case nameEmpty
  /// Two tables, or two properties of one table, with the same name.
  case nameInUse(RealmString)
  /// A link property whose target is not a table of the realm that is built.
  case unknownTarget(table: RealmString, property: RealmString)
  /// An index that the type does not allow (Docs/Format/3-tables-and-objects.md §6.1).
  case indexNotSupported(table: RealmString, property: RealmString)
  /// A type or kind of collection that the file format does not have.
  case typeNotSupported(table: RealmString, property: RealmString)
  /// A kind of table, or of object, that the file format does not have.
  case kindNotSupported(table: RealmString)
  /// Two objects with one primary key, of which the file format makes the keys of objects.
  case equalPrimaryKeys(table: RealmString)
  /// Two keys of a dictionary with the same hash, which a file format cannot distinguish.
  case equalHashes(RealmString)
  /// Objects that do not come in ascending order of their keys.
  case keysNotAscending(table: RealmString, key: Int64)
  /// A link to an object that is not there.
  case danglingLink(table: RealmString, key: Int64)
  /// A word of an index on a list of texts beyond 200 bytes.
  case indexedTextTooLong(byteCount: Int)
  /// Values nested deeper than any engine reads (Docs/Format/2-nodes-and-values.md §3.2).
  case tooDeep
  /// Values of a property that are more or fewer than the objects.
  case wrongValueCount(expected: Int, found: Int)
}

extension BuildError {
  /// The engine refuses some keys of dictionaries (Docs/Format/2-nodes-and-values.md §5.3).
  ///
  /// - Throws: `dictionaryKey`.
  package static func requireDictionaryKey(_ key: RealmString) throws(BuildError) {
    guard !key.hasPrefix("$"), !key.utf8.contains(UInt8(ascii: ".")) else { throw .dictionaryKey(key) }
  }
}

extension BuildError: CustomStringConvertible {
  /// One line; words that Realm users know are kept.
  package var description: String {
    switch self {
    case .valueTooLong(let byteCount, let limit): "a value of \(byteCount) bytes, more than the \(limit) that fit"
    case .wrongType: "a value of a type that the property cannot store"
    case .nullForRequired: "null where a value is required"
    case .dictionaryKey(let key):
      key.hasPrefix("$")
        ? "Dictionary::insert: key must not start with '$'" : "Dictionary::insert: key must not contain '.'"
    case .nodeTooLarge(let elementCount): "a node of \(elementCount) elements, more than fit"
    case .nameTooLong(let name): "Name too long: \(name)"
    case .nameNotText(let name): "Name with a NUL or with bytes that are not UTF-8: \(name)"
    case .tooManyTables(let limit): "more than the \(limit) tables that fit"
    case .tooManyProperties(let table, let limit):
      "class '\(table)' has more than the \(limit) properties that fit"
    case .nameEmpty: "a name that is empty"
    case .nameInUse(let name): "Property name in use: \(name)"
    case .unknownTarget(let table, let property): "property '\(table).\(property)' links to a class that does not exist"
    case .indexNotSupported(_, let property): "Index not supported for this property: \(property)"
    case .typeNotSupported(let table, let property):
      "the file format does not have the type of property '\(table).\(property)'"
    case .kindNotSupported(let table): "the file format cannot store all objects of class '\(table)'"
    case .equalPrimaryKeys(let table): "two objects of class '\(table)' with the same primary key"
    case .equalHashes(let key): "a dictionary with two keys of the same hash: '\(key)'"
    case .keysNotAscending(let table, let key): "object key \(key) of class '\(table)' is out of order"
    case .danglingLink(let table, let key): "No object with key '\(key)' in '\(table)'"
    case .indexedTextTooLong(let byteCount):
      "String of length \(byteCount) exceeds maximum string length of \(Self.longestIndexedText)."
    case .tooDeep: "values are nested too deeply"
    case .wrongValueCount(let expected, let found): "\(found) values for \(expected) objects"
    }
  }

  /// Whether the schema is to blame, whatever the objects are.
  package var isAboutSchema: Bool {
    switch self {
    case .nameEmpty, .nameTooLong, .nameNotText, .nameInUse, .tooManyTables, .tooManyProperties: true
    default: false
    }
  }

  /// Bytes of an element of a list with an index (Docs/Format/3-tables-and-objects.md §6.7).
  package static let longestIndexedText = 200
}
