import RealmStorage

/// A rule that a schema file breaks, and where.
package struct SchemaFileViolation: Hashable, Sendable {
  package let path: SchemaFilePath
  /// The class that it is about; empty if it is about none, or about one without a name.
  package let className: RealmString
  /// The property that it is about, by the name that an app uses; empty if it is about none.
  package let propertyName: RealmString
  package let fault: SchemaFileFault
}

extension SchemaFileViolation: CustomStringConvertible {
  /// The place, then realm-js's words:
  /// `classes[0].properties.age: Invalid type declaration for property 'age' on 'Person': The type must be specified.`
  package var description: String { "\(path): \(message)" }

  /// Without the place.
  var message: String {
    switch fault {
    case .file(let fault): fault.text
    case .schemaClass(let fault): "Invalid schema for \(classText): \(fault.text(for: className))"
    case .property(let fault): "\(typeIntroduction) \(fault.text(for: propertyName, on: className))"
    case .shorthand, .declaration, .type: "\(typeIntroduction) \(fault.typeText)"
    }
  }

  private var classText: String { className.isEmpty ? "unnamed object" : "object '\(className)'" }

  private var typeIntroduction: String { "Invalid type declaration for property '\(propertyName)' on '\(className)':" }
}

/// What is wrong at some place of a schema file.
package enum SchemaFileFault: Error, Hashable, Sendable {
  case file(FileFault)
  case schemaClass(ClassFault)
  case property(PropertyFieldFault)
  case shorthand(ShorthandFault)
  case declaration(DeclarationFault)
  /// What is wrong with a type outside of a schema file.
  case type(String)

  /// What is wrong with a type, without the property that it belongs to, in realm-js's words where these have some.
  package var typeText: String {
    switch self {
    case .shorthand(let fault): fault.text
    case .declaration(let fault): fault.text
    case .type(let text): text
    case .file, .schemaClass, .property: ""
    }
  }
}

extension SchemaFileFault {
  /// What is wrong with the file as a whole.
  package enum FileFault: Hashable, Sendable {
    case noSchema(found: String)
    /// Nil for nothing.
    case noClasses(found: String?)
    /// The version is not one that a realm can have.
    case invalidVersion
    /// Fields of the object, which may have no classes.
    case unknownFields([RealmString], hasClasses: Bool)

    fileprivate var text: String {
      switch self {
      case .noSchema(let found): "Expected realm schema to be an array, or an object with 'classes', got \(found)"
      case .noClasses(let found): "Expected 'classes' to be an array, got \(found ?? "undefined")"
      case .invalidVersion: "Expected 'schemaVersion' to be a whole number from 0 to \(SchemaFileReader.highestVersion)"
      case .unknownFields(let fields, true): "Unexpected field(s) found next to 'classes': \(quoted(fields))."
      case .unknownFields(let fields, false):
        Self.noSchema(found: "an object with \(quoted(fields))").text
      }
    }
  }

  /// What is wrong with a class.
  package enum ClassFault: Hashable, Sendable {
    case noObject(found: String)
    case wrongField(String, expected: String, found: String)
    case unknownFields([RealmString])
    /// The name is not a string, hence there is none to speak of; nil for nothing.
    case wrongName(found: String?)
    case nameMissing
    case primaryKeyNotFound(RealmString)
    case embeddedAndAsymmetric

    fileprivate func text(for className: RealmString) -> String {
      switch self {
      case .noObject(let found): "Expected 'object schema' to be an object, got \(found)"
      case .wrongField(let field, let expected, let found):
        "Expected '\(field)' on '\(className)' to be \(expected), got \(found)"
      case .wrongName(let found): "Expected 'name' on object schema to be a string, got \(found ?? "undefined")"
      case .unknownFields(let fields):
        "Unexpected field(s) found on the schema for object '\(className)': \(quoted(fields))."
      case .nameMissing: "'name' must be specified."
      case .primaryKeyNotFound(let key):
        "'\(key)' is set as the primary key field but was not found in 'properties'."
      case .embeddedAndAsymmetric: "'\(className)' cannot be both embedded and asymmetric"
      }
    }
  }

  /// What is wrong with a field of a property.
  package enum PropertyFieldFault: Hashable, Sendable {
    case noObject(found: String)
    case wrongField(String, expected: String, found: String)
    case wrongIndex
    /// The default is not a value of the property's type.
    case wrongDefault(type: String)
    case unknownFields([RealmString])
    /// The property's `name` is not its key.
    case otherName

    fileprivate func text(for propertyName: RealmString, on className: RealmString) -> String {
      switch self {
      case .noObject(let found): "Expected '\(propertyName)' on '\(className)' to be an object, got \(found)"
      case .wrongField(let field, let expected, let found):
        "Expected '\(propertyName).\(field)' on '\(className)' to be \(expected), got \(found)"
      case .wrongDefault(let type):
        "Expected '\(propertyName).default' on '\(className)' to be a value of type '\(type)'"
      case .wrongIndex: "Expected '\(propertyName).indexed' on '\(className)' to be a boolean or 'full-text'."
      case .unknownFields(let fields):
        "Unexpected field(s) found on the schema for property '\(propertyName)' on '\(className)': \(quoted(fields))."
      case .otherName: "The key of a property must match its name property"
      }
    }
  }

  fileprivate static func quoted(_ names: [RealmString]) -> String {
    "'" + names.map(\.description).joined(separator: "', '") + "'"
  }
}

// MARK: - Types

/// What is wrong with a type in shorthand, such as `"int?[]"`.
package enum ShorthandFault: Hashable, Sendable {
  case typeMissing
  case elementTypeMissing(suffix: String)
  case optionalTypeMissing
  case nestedCollections
  case optionalCollection
  case collectionName(RealmString)
  case objectWithoutClass
  case inverse
  case counterInCollection
  case optionalLinks

  var text: String {
    switch self {
    case .typeMissing: "The type must be specified."
    case .elementTypeMissing(let suffix): "The element type must be specified (Example: 'int\(suffix)')"
    case .optionalTypeMissing: "The type must be specified. (Examples: 'int?' and 'int?[]')"
    case .nestedCollections: "Nested collections are not supported."
    case .optionalCollection:
      "Collections cannot be optional. To allow elements of the collection to be optional, use '?' after the element"
        + " type. (Examples: 'int?[]', 'int?{}', and 'int?<>')"
    case .collectionName(let name):
      "Cannot use the collection name \(name). (Examples: 'int[]' (list), 'int{}' (dictionary), and 'int<>' (set))"
    case .objectWithoutClass:
      "To define a relationship, use either 'MyObjectType' or { type: 'object', objectType: 'MyObjectType' }"
    case .inverse:
      "To define an inverse relationship, use { type: 'linkingObjects', objectType: 'MyObjectType',"
        + " property: 'myObjectTypesProperty' }"
    case .counterInCollection: "Counters cannot be used in collections."
    case .optionalLinks: DeclarationFault.optionalLinks.text + " Remove '?' or change the type."
    }
  }
}

/// What is wrong with a type that is declared by an object, such as `{"type":"list","objectType":"int"}`.
package enum DeclarationFault: Hashable, Sendable {
  case typeMissing
  /// Shorthand where names of types belong.
  case shorthand([String], isCounter: Bool)
  case targetOfPrimitive(RealmString)
  case elementTypeMissing(RealmString)
  case targetMissing
  case originMissing
  case classAsType(RealmString)
  case originOfOther
  case counterOfOther
  case requiredMixed
  case requiredLink
  case optionalLinks
  case primaryKeyNotIndexed
  case primaryKeyFullText
  case primaryKeyCounter

  var text: String {
    switch self {
    case .typeMissing: "'type' must be specified."
    case .shorthand(let marks, let isCounter): Self.shorthandText(marks, isCounter: isCounter)
    case .targetOfPrimitive(let type): "'objectType' cannot be defined when 'type' is '\(type)'."
    case .elementTypeMissing(let type):
      "A \(type) must contain only primitive or user-defined types specified through 'objectType'."
    case .targetMissing: "A user-defined type must be specified through 'objectType'."
    case .originMissing: "The linking object's property name must be specified through 'property'."
    case .classAsType(let type):
      "If you meant to define a relationship, use { type: 'object', objectType: '\(type)' } or { type: 'linkingObjects',"
        + " objectType: '\(type)', property: 'The \(type) property' }"
    case .originOfOther: "'property' can only be specified if 'type' is 'linkingObjects'."
    case .counterOfOther: "Counters can only be used when 'type' is 'int'."
    case .requiredMixed: "'mixed' types are always optional and cannot be made non-optional."
    case .requiredLink:
      "User-defined types as standalone objects and in dictionaries are always optional and cannot be made non-optional."
    case .optionalLinks:
      "User-defined types in lists and sets are always non-optional and cannot be made optional."
    case .primaryKeyNotIndexed: "Primary keys must always be indexed."
    case .primaryKeyFullText: "Primary keys cannot be full-text indexed."
    case .primaryKeyCounter: "Counters cannot be primary keys."
    }
  }

  private static func shorthandText(_ marks: [String], isCounter: Bool) -> String {
    let text =
      "Cannot use shorthand '\(marks.joined(separator: "' and '"))' in 'type' or 'objectType' when defining property"
      + " objects."
    return isCounter ? text + " To use presentation types such as 'counter', use the field 'presentation'." : text
  }
}
