import RealmStorage

extension PropertyType {
  /// How a value of the type is written, for messages; empty if the name of the type says it.
  package var form: String {
    switch self {
    case .int: "a whole number of 64 bits"
    case .bool: "true or false"
    case .float, .double: "a number"
    case .decimal128: "a number of at most 34 digits"
    case .data: "Base64"
    case .date, .uuid: "such as \(example)"
    case .objectID: "24 hex digits"
    case .string, .mixed, .object, .linkingObjects: ""
    }
  }

  /// A value as data writes it, without quotes; empty for types without a typical one.
  package var example: String {
    switch self {
    case .int: "1"
    case .bool: "true"
    case .float, .double, .decimal128: "1.5"
    case .string: "a"
    case .date: "2024-01-31T12:00:00Z"
    case .uuid: "01234567-89ab-cdef-0123-456789abcdef"
    case .data, .objectID, .mixed, .object, .linkingObjects: ""
    }
  }
}
