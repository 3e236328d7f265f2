import RealmStorage

extension PropertyType {
  /// The name in schema objects of realm-js and in schema files.
  var schemaName: String {
    switch self {
    case .int: "int"
    case .bool: "bool"
    case .string: "string"
    case .data: "data"
    case .date: "date"
    case .float: "float"
    case .double: "double"
    case .decimal128: "decimal128"
    case .objectID: "objectId"
    case .uuid: "uuid"
    case .mixed: "mixed"
    case .object: "object"
    case .linkingObjects: "linkingObjects"
    }
  }

  /// The name in the reference engine's own schema output; nil for what is not stored.
  var coreName: String? {
    switch self {
    case .int: "int"
    case .bool: "bool"
    case .string: "string"
    case .data: "binary"
    case .date: "timestamp"
    case .float: "float"
    case .double: "double"
    case .decimal128: "decimal128"
    case .objectID: "objectId"
    case .uuid: "uuid"
    case .mixed: "mixed"
    case .object: "object"
    case .linkingObjects: nil
    }
  }

  /// The name in App Services' JSON schemas, for values.
  var bsonName: String {
    switch self {
    case .int: "long"
    case .data: "binData"
    case .decimal128: "decimal"
    case .bool, .string, .date, .float, .double, .objectID, .uuid, .mixed, .object, .linkingObjects: schemaName
    }
  }
}

extension CollectionKind {
  /// The name in schema objects of realm-js and in schema files.
  var schemaName: String {
    switch self {
    case .list: "list"
    case .set: "set"
    case .dictionary: "dictionary"
    }
  }
}
