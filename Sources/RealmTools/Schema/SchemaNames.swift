import RealmStorage

/// The names that a language or format has for the types of values.
struct TypeNames: Sendable {
  let int, bool, string, data, date, float, double, decimal128, objectID, uuid, mixed: String
  /// Of a link whose class is not known.
  let object: String
  var linkingObjects: String?

  subscript(type: PropertyType) -> String {
    switch type {
    case .int: int
    case .bool: bool
    case .string: string
    case .data: data
    case .date: date
    case .float: float
    case .double: double
    case .decimal128: decimal128
    case .objectID: objectID
    case .uuid: uuid
    case .mixed: mixed
    case .object: object
    case .linkingObjects: linkingObjects ?? object
    }
  }
}

/// How a language declares the type of a property: `List<Int?>`.
struct TypeWords: Sendable {
  let names: TypeNames
  /// What stands in front of the elements: `List<`; the closing bracket follows them.
  let list, set, dictionary, inverse: String
  /// Marks a value that may be null.
  var optional = "?"

  /// - Parameter target: the name of the class that a link or inverse leads to.
  func element(of property: Property, target: String?) -> String {
    let isLink = property.type == .object || property.isComputed
    return (isLink ? target : nil) ?? names[property.type]
  }

  func type(of property: Property, target: String?) -> String {
    let element = element(of: property, target: target)
    if property.isComputed { return "\(inverse)\(element)>" }
    let value = property.isOptional && property.type != .mixed ? element + optional : element
    return property.collection.map { "\($0.choice(list, set, dictionary))\(value)>" } ?? value
  }
}

extension PropertyType {
  /// The name in schema objects of realm-js and in schema files.
  var schemaName: String { Self.schemaNames[self] }

  private static let schemaNames = TypeNames(
    int: "int", bool: "bool", string: "string", data: "data", date: "date", float: "float", double: "double",
    decimal128: "decimal128", objectID: "objectId", uuid: "uuid", mixed: "mixed", object: "object",
    linkingObjects: "linkingObjects")

  /// The name in the reference engine's own schema output; nil for what is not stored.
  var coreName: String? {
    switch self {
    case .data: "binary"
    case .date: "timestamp"
    case .linkingObjects: nil
    default: schemaName
    }
  }

  /// The name in App Services' JSON schemas, for values.
  var bsonName: String {
    switch self {
    case .int: "long"
    case .data: "binData"
    case .decimal128: "decimal"
    default: schemaName
    }
  }
}

extension CollectionKind {
  /// The name in schema objects of realm-js and in schema files.
  var schemaName: String { choice("list", "set", "dictionary") }

  /// What stands behind the type of the elements in shorthand.
  var suffix: String { choice("[]", "<>", "{}") }

  func choice<Word>(_ list: Word, _ set: Word, _ dictionary: Word) -> Word {
    switch self {
    case .list: list
    case .set: set
    case .dictionary: dictionary
    }
  }
}

extension TableKind {
  func choice<Word>(_ topLevel: Word, embedded: Word, asymmetric: Word) -> Word {
    switch self {
    case .topLevel: topLevel
    case .embedded: embedded
    case .asymmetric: asymmetric
    }
  }
}

extension IndexKind {
  func choice<Word>(_ none: Word, general: Word, fullText: Word) -> Word {
    switch self {
    case .none: none
    case .general: general
    case .fullText: fullText
    }
  }
}
