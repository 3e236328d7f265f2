import RealmStorage

/// The names that a language or format has for the types of values.
package struct TypeNames: Sendable {
  package let int, bool, string, data, date, float, double, decimal128, objectID, uuid, mixed: String
  /// Of a link whose class is not known.
  package let object: String
  package let linkingObjects: String?

  package init(
    int: String, bool: String, string: String, data: String, date: String, float: String, double: String,
    decimal128: String, objectID: String, uuid: String, mixed: String, object: String, linkingObjects: String? = nil
  ) {
    (self.int, self.bool, self.string, self.data, self.date) = (int, bool, string, data, date)
    (self.float, self.double, self.decimal128) = (float, double, decimal128)
    (self.objectID, self.uuid, self.mixed) = (objectID, uuid, mixed)
    (self.object, self.linkingObjects) = (object, linkingObjects)
  }

  package subscript(type: PropertyType) -> String {
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

extension PropertyType {
  /// The name in schema objects of realm-js and in schema files.
  package var schemaName: String { Self.schemaNames[self] }

  private static let schemaNames = TypeNames(
    int: "int", bool: "bool", string: "string", data: "data", date: "date", float: "float", double: "double",
    decimal128: "decimal128", objectID: "objectId", uuid: "uuid", mixed: "mixed", object: "object",
    linkingObjects: "linkingObjects")
}

extension CollectionKind {
  /// The name in schema objects of realm-js and in schema files.
  package var schemaName: String { choice("list", "set", "dictionary") }

  /// What follows the type of the elements in shorthand.
  package var suffix: String { choice("[]", "<>", "{}") }

  package func choice<Word>(_ list: Word, _ set: Word, _ dictionary: Word) -> Word {
    switch self {
    case .list: list
    case .set: set
    case .dictionary: dictionary
    }
  }
}
