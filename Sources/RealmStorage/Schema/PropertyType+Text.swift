// The words the SDKs use for types in their messages. They are part of texts that users know, hence kept as they are
// even where other names for the same type exist.

extension PropertyType {
  /// The type without collection and nullability: `int`, `object id`, `linking objects`.
  public var messageText: String {
    switch self {
    case .int: "int"
    case .bool: "bool"
    case .string: "string"
    case .data: "data"
    case .date: "date"
    case .float: "float"
    case .double: "double"
    case .decimal128: "decimal"
    case .objectID: "object id"
    case .uuid: "uuid"
    case .mixed: "mixed"
    case .object: "object"
    case .linkingObjects: "linking objects"
    }
  }
}

extension CollectionKind {
  /// The collection alone: `array`, `set`, `dictionary`.
  public var messageText: String {
    switch self {
    case .list: "array"
    case .set: "set"
    case .dictionary: "dictionary"
    }
  }
}

extension Property {
  /// The collection if there is one, else the type: `array`, `int`, `linking objects`.
  public var shortTypeText: String {
    // An inverse is a list in any schema that an SDK takes.
    if type == .linkingObjects, collection == .list { return type.messageText }
    return collection?.messageText ?? type.messageText
  }

  /// The whole type, without nullability: `int`, `<Dog>`, `array<Dog>`, `dictionary<string, int>`,
  /// `linking objects<Person>`.
  public var typeText: String {
    let targetName = targetClass?.description ?? ""
    if type == .linkingObjects { return "linking objects<\(targetName)>" }
    let element = type == .object ? targetName : type.messageText
    switch collection {
    case .list: return "array<\(element)>"
    case .set: return "set<\(element)>"
    case .dictionary: return "dictionary<string, \(element)>"
    case nil: return type == .object ? "<\(targetName)>" : element
    }
  }

  /// Whether the value is computed from links elsewhere and nothing is stored.
  public var isComputed: Bool { type == .linkingObjects }
}

extension [Property] {
  /// The positions of the stored properties, followed by those of the computed ones: the order in which the SDKs look
  /// up names.
  var storedFirst: [Int] { indices.filter { !self[$0].isComputed } + indices.filter { self[$0].isComputed } }
}
