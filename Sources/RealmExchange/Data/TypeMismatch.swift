import RealmStorage
import RealmText

/// The type that a property expects, and what the data has instead.
package struct TypeMismatch: Hashable, Sendable {
  /// Nil for an object key, which is not a property of the schema.
  let type: PropertyType?
  /// The type as schema files write it, with an example: `date ("2024-01-31T12:00:00Z")`.
  package let expected: String
  /// A kind of value, with a single value itself: `the string "abc"`, `an array`.
  package let found: String
  /// Whether the value is a string that could be read as the number or boolean wanted (`DataOptions.coerces`).
  package let isCoercible: Bool

  /// An object key.
  static func objectKey(_ token: JSONReader.Token, _ reader: JSONReader) -> TypeMismatch {
    TypeMismatch(type: nil, expected: "a whole number from 0", found: found(token, reader), isCoercible: false)
  }

  /// - Parameters:
  ///   - target: the class that a link points to.
  ///   - token: the first token of the value. For a string or number, `reader` has the text.
  ///   - isElement: whether the value is an element of the property's collection.
  init(
    _ property: DataProperty, target: DataClass?, isElement: Bool, _ token: JSONReader.Token, _ reader: JSONReader
  ) {
    type = property.type
    let single = target?.name.description ?? property.type.schemaName
    let mark = property.isNullable && property.type != .mixed && property.type != .object ? "?" : ""
    let form = isElement ? property.elementForm(target) : property.form(target)
    expected = "\(single)\(mark)\(isElement ? "" : property.collection.brackets) (\(form))"
    found = Self.found(token, reader)
    isCoercible =
      switch (token, property.type) {
      case (.string, .int), (.string, .bool), (.string, .float), (.string, .double):
        isElement || property.collection == nil
      default: false
      }
  }

  private init(type: PropertyType?, expected: String, found: String, isCoercible: Bool) {
    (self.type, self.expected, self.found, self.isCoercible) = (type, expected, found, isCoercible)
  }

  /// Characters of a value that are shown: enough to find it.
  private static let mostShown = 40

  private static func found(_ token: JSONReader.Token, _ reader: JSONReader) -> String {
    switch token {
    case .string: return "the string \"\(shown(reader))\""
    case .number: return shown(reader)
    case .bool(let flag): return flag ? "true" : "false"
    case .null: return "null"
    case .beginArray: return "an array"
    case .beginObject: return "an object of another form"
    case .endArray, .endObject, .key, .end: return "no value"
    }
  }

  private static func shown(_ reader: JSONReader) -> String {
    let text = reader.text.description
    return text.count > mostShown ? text.prefix(mostShown) + "..." : text
  }
}

extension DataProperty {
  /// How data writes a value of the property: an example if that is clearest.
  fileprivate func form(_ target: DataClass?) -> String {
    switch collection {
    case .list, .set: "an array"
    case .dictionary: "an object"
    case nil: elementForm(target)
    }
  }

  /// The same for a single value, or an element of a collection.
  fileprivate func elementForm(_ target: DataClass?) -> String {
    switch type {
    case .decimal128: "a number of at most 34 digits, or a string with one"
    case .string: "text in double quotes"
    case .data: "a string in Base64"
    case .date, .uuid: "such as \"\(type.example)\""
    case .int, .bool, .float, .double, .objectID: type.form
    case .mixed: collection == .set ? "a single value of any type" : "a value of any type, integers of 64 bits"
    case .object where targetIsEmbedded: "an object"
    case .object:
      target?.primaryKey == nil
        ? "an object, or {\"\(target?.keyName ?? "_key")\":0} for the object with that key"
        : "an object, or the primary key of one"
    case .linkingObjects: "nothing"
    }
  }
}

extension CollectionKind? {
  /// The character that schema files add after the element type.
  fileprivate var brackets: String {
    switch self {
    case nil: ""
    case .list: "[]"
    case .set: "<>"
    case .dictionary: "{}"
    }
  }
}
