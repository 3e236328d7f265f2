import RealmExchange
import RealmOpening
import RealmStorage
import RealmText
import RealmTools

/// What a copy should contain, computed only from an export of the whole source: no primary keys, no damage.
struct FilteredContent {
  private let schema: Schema
  private let lines: [JSONValue]

  /// The identity of an object in an export.
  struct Object: Hashable {
    let className: String
    let key: Int64
  }

  init(of realm: BuiltRealm) throws {
    schema = realm.snapshot.schema
    lines = try Self.lines(of: realm)
  }

  /// The objects of an export of the `typed-ndjson` form.
  static func lines(of realm: BuiltRealm) throws -> [JSONValue] {
    try realm.text().split(separator: "\n").map { try JSONValue.parse(String($0)) }
  }

  private func object(of line: JSONValue) -> Object? {
    guard let name = line["class"]?.string, let key = line["objKey"]?.integer else { return nil }
    return Object(className: name, key: key)
  }

  /// The objects that match.
  func objects(where matches: (String, JSONValue) -> Bool) -> Set<Object> {
    var found: Set<Object> = []
    for line in lines {
      if let object = object(of: line), let value = line["value"], matches(object.className, value) {
        found.insert(object)
      }
    }
    return found
  }

  /// These objects and all that they reach, except those of some classes.
  func reached(from start: Set<Object>, excluding excluded: Set<String> = []) -> Set<Object> {
    var values: [Object: JSONValue] = [:]
    for line in lines { if let object = object(of: line) { values[object] = line["value"] } }
    var (found, waiting) = (start, Array(start))
    while let next = waiting.popLast() {
      for link in values[next].map(Self.links) ?? [] where !excluded.contains(link.className) {
        if found.insert(link).inserted { waiting.append(link) }
      }
    }
    return found
  }

  /// The lines of a copy that takes these objects and loses links to others; properties that lead to excluded classes go.
  func lines(taking taken: Set<Object>, excluding excluded: Set<String> = []) -> [JSONValue] {
    lines.compactMap { line in
      guard let object = object(of: line), taken.contains(object), let value = line["value"]?.object else { return nil }
      var result = JSONObject()
      result.append("class", .string(RealmString(object.className)))
      result.append("objKey", line["objKey"] ?? .null)
      result.append(
        "value", .object(filtered(value, of: RealmString(object.className), taken: taken, excluding: excluded)))
      return .object(result)
    }
  }

  // MARK: Links

  private static func link(in value: JSONValue) -> Object? {
    guard let link = value["$link"], let name = link["table"]?.string, let key = link["objKey"]?.integer else {
      return nil
    }
    return Object(className: name, key: key)
  }

  private static func links(in value: JSONValue) -> [Object] {
    if let link = link(in: value) { return [link] }
    switch value {
    case .array(let elements): return elements.flatMap(links)
    case .object(let object): return object.entries.flatMap { links(in: $0.value) }
    default: return []
    }
  }

  // MARK: Values

  private func filtered(
    _ members: JSONObject, of className: RealmString, taken: Set<Object>, excluding excluded: Set<String>
  ) -> JSONObject {
    var result = JSONObject()
    for property in schema.classNamed(className)?.properties ?? [] {
      guard let value = members[property.name] else { continue }
      if let target = property.targetClass, excluded.contains(target.description) { continue }
      let isEmbedded = property.targetClass.flatMap { schema.classNamed($0)?.kind } == .embedded
      result.append(
        property.name,
        map(value) { element, isElement in
          if isEmbedded, let target = property.targetClass {
            let named = element["$embedded"]?.object
            guard let members = (named?["value"] ?? element).object else { return element }
            let inner = JSONValue.object(filtered(members, of: target, taken: taken, excluding: excluded))
            guard named != nil else { return inner }
            var object = JSONObject()
            object.append("table", .string(target))
            object.append("value", inner)
            return Self.wrapped("$embedded", .object(object))
          }
          guard let link = Self.link(in: element), !taken.contains(link) else { return element }
          return isElement ? nil : .null
        })
    }
    return result
  }

  /// A value with its scalars, links and embedded objects replaced; elements of lists and sets may go. A set has one
  /// null, at the beginning.
  private func map(
    _ value: JSONValue, isElement: Bool = false, _ replace: (JSONValue, _ isElement: Bool) -> JSONValue?
  ) -> JSONValue {
    if case .array(let elements) = value { return .array(map(elements, replace)) }
    if let elements = value["$set"]?.array {
      let all = map(elements, replace)
      let rest = all.filter { $0 != .null }
      return Self.wrapped("$set", .array(rest.count < all.count ? [.null] + rest : rest))
    }
    if let entries = value["$dictionary"]?.object {
      var result = JSONObject()
      for entry in entries.entries { result.append(entry.key, map(entry.value, replace)) }
      return Self.wrapped("$dictionary", .object(result))
    }
    return replace(value, isElement) ?? .null
  }

  private func map(_ elements: [JSONValue], _ replace: (JSONValue, Bool) -> JSONValue?) -> [JSONValue] {
    elements.compactMap { element in
      if element.array != nil || element["$dictionary"] != nil { return map(element, replace) }
      return replace(element, true)
    }
  }

  private static func wrapped(_ name: String, _ value: JSONValue) -> JSONValue {
    var object = JSONObject()
    object.append(RealmString(name), value)
    return .object(object)
  }
}
