import RealmStorage
import RealmText

/// How a language declares the type of a property: `List<Int?>`.
struct TypeWords: Sendable {
  let names: TypeNames
  /// The text before the elements: `List<`; the closing bracket follows them.
  let list, set, dictionary, inverse: String
  /// Marks a value that may be null.
  var optional = "?"

  /// - Parameter target: the name of the class that a link or inverse points to.
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
  /// The name in the reference engine's own schema output; nil for types that are not stored.
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
