import RealmStorage

/// What an expression yields, as far as it is known before an object is looked at.
enum ValueType: Hashable, Sendable {
  case int, bool, string, data, mixed, date, float, double, decimal, link, objectID, typedLink, uuid
  /// What `@type` yields.
  case typeOfValue
  /// That of the constant null if no other type is asked for.
  case null
  case geospatial

  /// The reference's name in messages.
  var name: String {
    switch self {
    case .int: "int"
    case .bool: "bool"
    case .string: "string"
    case .data: "binary"
    case .mixed: "mixed"
    case .date: "timestamp"
    case .float: "float"
    case .double: "double"
    case .decimal: "decimal128"
    case .link: "link"
    case .objectID: "objectId"
    case .typedLink: "typedLink"
    case .uuid: "uuid"
    case .typeOfValue: "@type"
    case .null: "null"
    case .geospatial: "geospatial"
    }
  }

  init(_ type: PropertyType) {
    self =
      switch type {
      case .int: .int
      case .bool: .bool
      case .string: .string
      case .data: .data
      case .date: .date
      case .float: .float
      case .double: .double
      case .decimal128: .decimal
      case .objectID: .objectID
      case .uuid: .uuid
      case .mixed: .mixed
      case .object, .linkingObjects: .link
      }
  }

  /// That of a value by itself.
  init(_ value: ValueView) {
    self =
      switch value {
      case .null: .null
      case .int: .int
      case .bool: .bool
      case .float: .float
      case .double: .double
      case .string: .string
      case .data: .data
      case .date: .date
      case .decimal: .decimal
      case .objectID: .objectID
      case .uuid: .uuid
      case .link: .link
      case .typedLink: .typedLink
      case .list, .set, .dictionary: .mixed
      }
  }

  /// Whether it is a type that a property can have, or a typed link.
  var isStorable: Bool { self != .typeOfValue && self != .null && self != .geospatial }

  /// Whether its values have no text that could be searched.
  var isNeverText: Bool { isStorable && ![.string, .data, .mixed, .link, .typedLink].contains(self) }

  /// Whether numbers can be computed with it.
  var isNumeric: Bool {
    switch self {
    case .int, .float, .double, .decimal, .mixed: true
    default: false
    }
  }

  /// Whether values of both can be compared (`query-language` §6.1).
  func isComparable(with other: ValueType) -> Bool {
    self == other || (isNumeric && other.isNumeric) || self == .mixed || other == .mixed
  }
}

/// What `@type` of a value can be, as bits.
struct TypeSet: OptionSet, Hashable, Sendable {
  let rawValue: Int64

  static let null = TypeSet(rawValue: 0x1)
  static let int = TypeSet(rawValue: 0x2)
  static let double = TypeSet(rawValue: 0x4)
  static let float = TypeSet(rawValue: 0x8)
  static let bool = TypeSet(rawValue: 0x10)
  static let date = TypeSet(rawValue: 0x20)
  static let string = TypeSet(rawValue: 0x40)
  static let data = TypeSet(rawValue: 0x80)
  static let uuid = TypeSet(rawValue: 0x100)
  static let objectID = TypeSet(rawValue: 0x200)
  static let decimal = TypeSet(rawValue: 0x400)
  static let link = TypeSet(rawValue: 0x800)
  static let dictionary = TypeSet(rawValue: 0x1000)
  static let list = TypeSet(rawValue: 0x2000)

  /// All names with what they mean, in the order in which messages list them.
  private static let names: [(name: String, types: TypeSet)] = [
    ("null", .null), ("int", .int), ("integer", .int), ("int16", .int), ("int32", .int), ("int64", .int),
    ("short", .int), ("long", .int), ("byte", .int), ("char", .int), ("bool", .bool), ("boolean", .bool),
    ("string", .string), ("binary", .data), ("data", .data), ("bytearray", .data), ("byte[]", .data),
    ("date", .date), ("datetimeoffset", .date), ("timestamp", .date), ("float", .float), ("double", .double),
    ("decimal128", .decimal), ("decimal", .decimal), ("objectlink", .link), ("link", .link),
    ("objectid", .objectID), ("uuid", .uuid), ("guid", .uuid), ("numeric", [.int, .double, .float, .decimal]),
    ("bindata", .data), ("object", .dictionary), ("dictionary", .dictionary), ("array", .list), ("list", .list),
    ("collection", [.list, .dictionary]),
  ]

  /// - Parameter name: in any case; nil for any other.
  init?(named name: String) {
    let lower = String(
      decoding: name.utf8.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    guard let found = Self.names.first(where: { $0.name == lower }) else { return nil }
    self = found.types
  }

  /// All names, for messages.
  static var allNames: String { names.map(\.name).joined(separator: ", ") }

  init(rawValue: Int64) { self.rawValue = rawValue }

  /// That of a value.
  init(_ value: ValueView) {
    switch value {
    case .list, .set: self = .list
    case .dictionary: self = .dictionary
    default: self = TypeSet(ValueType(value)) ?? .null
    }
  }

  /// That of values of a type; nil for one that does not say.
  init?(_ type: ValueType) {
    switch type {
    case .int: self = .int
    case .bool: self = .bool
    case .string: self = .string
    case .data: self = .data
    case .date: self = .date
    case .float: self = .float
    case .double: self = .double
    case .decimal: self = .decimal
    case .objectID: self = .objectID
    case .uuid: self = .uuid
    case .link, .typedLink: self = .link
    case .null: self = .null
    case .mixed, .typeOfValue, .geospatial: return nil
    }
  }

  /// The name in messages.
  var text: String {
    if let found = Self.names.first(where: { $0.types == self }) { return found.name }
    return "{" + Self.names.filter { isSuperset(of: $0.types) }.map(\.name).joined(separator: ", ") + "}"
  }
}
