import RealmStorage
import RealmText

/// What is wrong with the data that a realm is built from. Messages that Realm users know are kept word for word.
package enum DataFault: Sendable, Equatable {
  /// A class, as a member or by its name in a line, that the schema does not have.
  case unknownClass(RealmString)
  /// Bare objects, and more than one class they could be of.
  case classNotNamed
  /// Something other than objects, or lines of objects with their class.
  case unexpectedShape
  /// An object with its class around it lacks a key.
  case missingKey(String, after: String)
  case unknownProperty(className: RealmString, property: RealmString)
  /// A member that occurs twice.
  case repeatedProperty(className: RealmString, property: RealmString)
  /// - Parameter isStrict: whether only `--strict` wants a value.
  case missingProperty(className: RealmString, property: RealmString, isStrict: Bool = false)
  case nullForRequired(className: RealmString, property: RealmString)
  case wrongType(className: RealmString, property: RealmString, TypeMismatch)
  /// A value that no realm can store, for the reason given.
  case unstorable(className: RealmString, property: RealmString, BuildError)
  /// A number that would become infinite.
  case numberOutOfRange(className: RealmString, property: RealmString, number: String, type: String)
  case existingPrimaryKey(className: RealmString, key: String)
  /// In a class without a primary key.
  case existingObjectKey(className: RealmString, key: String)
  /// Object keys that are to be kept but do not ascend, or are missing.
  case objectKeyOutOfOrder(className: RealmString)
  /// An embedded object without a parent.
  case embeddedAtTop(RealmString)
  /// A key that occurs twice in a dictionary.
  case repeatedKey(className: RealmString, property: RealmString, key: RealmString)

  /// What to do about a missing property.
  package static func adviceOnMissing(isStrict: Bool) -> String {
    isStrict
      ? "give a value, such as null if the property is optional, or omit --strict"
      : "give a value"
  }
}

/// A mistake in an object, and its position.
package struct DataMistake: Sendable {
  package let fault: DataFault
  package let location: JSONLocation
  /// The primary key of the object, in words, if it was read before.
  package let object: String?
}

/// Links to objects that were never found: at most 20 of them, and the total number.
package struct UnresolvedLinks: Hashable, Sendable {
  package struct Target: Hashable, Sendable {
    package let className: RealmString
    package let key: String
    /// Where the first links to it were found.
    package var place: Place?
  }

  /// A property, and objects that link by it to something that is missing.
  package struct Place: Hashable, Sendable {
    package let property: PropertyPath
    /// At most three, by the keys that the data knows them by; none if these are embedded.
    package internal(set) var objects: [String] = []
    /// The number of all such objects, not only of those listed.
    package internal(set) var count = 0

    static let mostListed = 3
  }

  package let targets: [Target]
  /// Objects that are linked to and missing.
  package let count: Int

  static let mostListed = 20
}

extension DataFault {
  /// The class and property that the mistake is about, if any.
  package var place: (className: RealmString, property: RealmString?)? {
    switch self {
    case .unknownClass, .classNotNamed, .unexpectedShape, .missingKey: nil
    case .unknownProperty(let name, let property), .repeatedProperty(let name, let property),
      .missingProperty(let name, let property, _), .nullForRequired(let name, let property),
      .wrongType(let name, let property, _), .unstorable(let name, let property, _),
      .numberOutOfRange(let name, let property, _, _), .repeatedKey(let name, let property, _):
      (name, property)
    case .existingPrimaryKey(let name, _), .existingObjectKey(let name, _), .objectKeyOutOfOrder(let name),
      .embeddedAtTop(let name):
      (name, nil)
    }
  }
}

extension DataFault: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unknownClass(let name): "no class '\(shown(name))'"
    case .classNotNamed: "the objects do not name their class, and the schema has several classes"
    case .unexpectedShape: "the objects are in none of the forms that 'export' writes"
    case .missingKey(let key, let other): "'\(key)' is missing after '\(other)'"
    case .unknownProperty(let name, let property): "'\(name)' has no property '\(shown(property))'"
    case .repeatedProperty(let name, let property): "property '\(name).\(property)' appears twice in one object"
    case .missingProperty(let name, let property, _): "Missing value for property '\(name).\(property)'."
    case .nullForRequired(let name, let property):
      "Invalid null value for non-nullable property '\(name).\(property)'."
    case .wrongType(let name, let property, let mismatch):
      "Type mismatch for property '\(name).\(property)'. Expected \(mismatch.expected), found \(mismatch.found)"
    case .unstorable(let name, let property, let error): "property '\(name).\(property)': \(error)"
    case .numberOutOfRange(let name, let property, let number, let type):
      "property '\(name).\(property)': \(number) is beyond the range of a \(type)"
    case .existingPrimaryKey(let name, let key):
      "Attempting to create an object of type '\(name)' with an existing primary key value '\(key)'"
    case .objectKeyOutOfOrder(let name): "the object keys of class '\(name)' are not in ascending order"
    case .embeddedAtTop(let name): "objects of the embedded class '\(name)' exist only inside other objects"
    case .existingObjectKey(let name, let key): "'\(name)' has another object with the '_key' \(key)"
    case .repeatedKey(let name, let property, let key):
      "property '\(name).\(property)' has the key '\(shown(key))' twice"
    }
  }

  /// A name from the data, shortened if it is long.
  private func shown(_ name: RealmString) -> String { ShownText.beginning(of: name.description) }
}

extension DataMistake: CustomStringConvertible {
  package var description: String { "\(fault) (\(place))" }

  /// The place, in words.
  package var place: String {
    "line \(location.line), column \(location.column)" + (object.map { ", object \($0)" } ?? "")
  }
}

extension UnresolvedLinks.Place: CustomStringConvertible {
  /// `'Dog.owner' of objects 3, 4 and 17 more`
  package var description: String {
    let property = "'\(property)'"
    guard let last = objects.last else { return property }
    if count == 1 { return "\(property) of object \(last)" }
    let more = count - objects.count
    let (listed, end) = more > 0 ? (objects[...], "\(more) more") : (objects.dropLast(), last)
    return "\(property) of objects \(listed.joined(separator: ", ")) and \(end)"
  }
}

extension UnresolvedLinks: CustomStringConvertible {
  package var description: String {
    let listed = targets.map { target in
      "object \(target.key) of class '\(target.className)'" + (target.place.map { " (in \($0))" } ?? "")
    }.joined(separator: ", ")
    let more = count - targets.count
    return "links to objects that do not exist: \(listed)" + (more > 0 ? " and \(more) more" : "")
  }
}
