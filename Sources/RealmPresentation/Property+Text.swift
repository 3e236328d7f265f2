import RealmStorage
import RealmText

extension Property {
  /// The type in the shorthand of the SDKs for scripting languages: `int`, `string?`, `Dog`, `Dog[]`, `int?<>` for a
  /// set, `mixed{}` for a dictionary.
  package var shorthand: String {
    var text = elementTypeText
    // Links and mixed values can always be null, so this is not shown.
    if isOptional, type != .object, type != .mixed { text += "?" }
    return text + (collection?.suffix ?? "")
  }

  private var elementTypeText: String {
    type == .object || type == .linkingObjects ? targetClass?.description ?? "object" : type.schemaName
  }

  /// Whether values are right-aligned in their column.
  package var isNumeric: Bool {
    guard collection == nil else { return false }
    switch type {
    case .int, .float, .double, .decimal128: return true
    default: return false
    }
  }
}

extension ValueView {
  /// The type of a value inside a mixed one.
  package var typeText: String {
    switch self {
    case .null: "null"
    case .int: "int"
    case .bool: "bool"
    case .float: "float"
    case .double: "double"
    case .string: "string"
    case .data: "data"
    case .date: "date"
    case .decimal: "decimal128"
    case .objectID: "objectId"
    case .uuid: "uuid"
    case .link, .typedLink: "link"
    case .list: "list"
    case .set: "set"
    case .dictionary: "dictionary"
    }
  }

  /// Whether this is a list, set or dictionary.
  package var isCollection: Bool {
    switch self {
    case .list, .set, .dictionary: true
    default: false
    }
  }

  /// The bytes of a text or of data.
  package var blob: BlobView? {
    switch self {
    case .string(let blob), .data(let blob): blob
    default: nil
    }
  }

  /// The target of a link.
  package var link: (table: TableKey, key: ObjectKey)? {
    switch self {
    case .link(let table, let key), .typedLink(let table, let key): (table, key)
    default: nil
    }
  }
}

extension TableKind {
  /// The word for a class of this kind; empty for the ordinary one.
  package var text: String {
    switch self {
    case .topLevel: ""
    case .embedded: "embedded"
    case .asymmetric: "asymmetric"
    }
  }
}
