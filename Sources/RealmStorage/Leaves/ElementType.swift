/// The type codes of columns and of values inside Mixed (Docs/Format/2-nodes-and-values.md §8.1).
enum TypeCode: Int, Sendable {
  case int = 0
  case bool = 1
  case string = 2
  case binary = 4
  case mixed = 6
  case timestamp = 8
  case float = 9
  case double = 10
  case decimal = 11
  case link = 12
  /// Lists of links in the spec of formats 10–23; 24 uses `link`.
  case linkList = 13
  case backlink = 14
  case objectID = 15
  case typedLink = 16
  case uuid = 17
  /// Collections nested in Mixed.
  case list = 19
  case dictionary = 21
}

/// What one element of a leaf is: enough to choose the encoding.
struct ElementType: Sendable {
  let code: TypeCode
  let isNullable: Bool
  /// Where links lead.
  let target: TableKey

  init(_ code: TypeCode, isNullable: Bool = false, target: TableKey = .null) {
    self.code = code
    self.isNullable = isNullable
    self.target = target
  }

  /// The type without null.
  var required: ElementType { ElementType(code, isNullable: false, target: target) }

  static let mixed = ElementType(.mixed, isNullable: true)
  static let string = ElementType(.string)
  /// The keys of objects in lists of incoming links and of search indexes.
  static let objectKey = ElementType(.int)
}

/// The distinct values of an enumerated string column, kept once in the spec
/// (Docs/Format/2-nodes-and-values.md §2.13).
final class StringEnumeration: Sendable {
  let values: StringLeaf

  init(_ ref: Ref, in store: ByteStore) throws {
    values = try StringLeaf(Node(ref, in: store), isString: true, in: store)
  }
}
