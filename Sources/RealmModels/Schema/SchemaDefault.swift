import RealmStorage
import RealmText

/// The value that a schema file gives objects which have none for a property. A realm does not store it.
package struct SchemaDefault: Sendable {
  /// Under the names that a realm stores.
  package let path: PropertyPath
  package let value: Value
  /// As in the file, on one line.
  package let json: String
}

extension Value {
  /// Levels of nested collections (Docs/Format/2-nodes-and-values.md §3.2).
  package static let mostMixedLevels = 100

  /// Reads a value in JSON as a value of a property: single values as in data, arrays, objects for dictionaries.
  ///
  /// - Returns: nil if it is not one. Links and embedded objects are not accepted.
  init?(json: JSONValue, of property: Property) {
    let value: Value?
    switch (property.collection, json) {
    case (nil, _): value = Self.element(json, of: property)
    case (.list, .array(let elements)): value = Self.elements(elements, of: property).map(Value.list)
    case (.set, .array(let elements)):
      value = Self.elements(elements, of: property).flatMap { elements in
        let holdsCollections = elements.contains { $0.isCollection }
        return holdsCollections || Set(elements).count < elements.count ? nil : .set(elements)
      }
    case (.dictionary, .object(let object)):
      value = Self.entries(object) { Self.element($0, of: property) }.map(Value.dictionary)
    default: value = nil
    }
    guard let value else { return nil }
    self = value
  }

  private static func elements(_ values: [JSONValue], of property: Property) -> [Value]? {
    let elements = values.compactMap { element($0, of: property) }
    return elements.count == values.count ? elements : nil
  }

  private static func element(_ json: JSONValue, of property: Property) -> Value? {
    if json == .null { return property.isOptional || property.type == .mixed ? .null : nil }
    if property.type == .mixed { return mixed(json, depth: 0) }
    return (try? json.scalar(as: property.type)).flatMap { $0.fits ? $0 : nil }
  }

  private static func mixed(_ json: JSONValue, depth: Int) -> Value? {
    guard depth <= mostMixedLevels else { return nil }
    switch json {
    case .null: return .null
    case .array(let values):
      let elements = values.compactMap { mixed($0, depth: depth + 1) }
      return elements.count == values.count ? .list(elements) : nil
    case .object(let object):
      if let value = try? json.scalar(as: .mixed) { return value.fits ? value : nil }
      return entries(object) { mixed($0, depth: depth + 1) }.map(Value.dictionary)
    default: return (try? json.scalar(as: .mixed)).flatMap { $0.fits ? $0 : nil }
    }
  }

  /// The engine refuses some keys (Docs/Format/2-nodes-and-values.md §5.3).
  private static func entries(_ object: JSONObject, _ value: (JSONValue) -> Value?) -> [RealmString: Value]? {
    var entries: [RealmString: Value] = [:]
    for entry in object.entries {
      guard entry.key.utf8.first != UInt8(ascii: "$"), !entry.key.utf8.contains(UInt8(ascii: ".")),
        let value = value(entry.value)
      else { return nil }
      entries[entry.key] = value
    }
    return entries
  }

  private var isCollection: Bool {
    switch self {
    case .list, .set, .dictionary: true
    default: false
    }
  }

  /// Whether the engine reads it back (Docs/Format/2-nodes-and-values.md §1.7).
  private var fits: Bool {
    switch self {
    case .string(let text): text.utf8.count <= 0xff_ffef
    case .data(let bytes): bytes.count <= 0xff_ffef
    default: true
    }
  }
}
