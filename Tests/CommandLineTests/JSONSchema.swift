import Foundation
import RealmStorage
import RealmText
import TestSupport

/// The schemas of `Docs/JSONSchema`, and a validator of what they use of JSON Schema (draft 2020-12).
///
/// A keyword that it does not know is a problem of the schema, so that no schema asks for more than is looked at.
struct JSONSchema: Sendable {
  static let folder = Tool.projectFolder.appendingPathComponent("Docs/JSONSchema")
  private static let ending = ".schema.json"

  /// All, by name without ending.
  static let all: [String: JSONSchema] = {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let names = files.filter { $0.hasSuffix(ending) }.map { String($0.dropLast(ending.count)) }
    return Dictionary(
      uniqueKeysWithValues: names.compactMap { name in
        let data = try? Data(contentsOf: folder.appendingPathComponent(name + ending))
        return data.flatMap { try? JSONValue.parse([UInt8]($0)) }.map { (name, JSONSchema(name: name, root: $0)) }
      })
  }()

  let name: String
  let root: JSONValue

  // MARK: - Documents

  /// What is wrong with a document; empty if it is one of this schema.
  func problems(with document: JSONValue) -> [String] { problems(with: document, Place(schema: root, file: self), "") }

  /// Where a schema stands: what `#` means depends on its file.
  private struct Place {
    let schema: JSONValue
    let file: JSONSchema

    func with(_ schema: JSONValue) -> Place { Place(schema: schema, file: file) }
  }

  private func problems(with value: JSONValue, _ place: Place, _ path: String) -> [String] {
    let schema = place.schema
    if let reference = schema["$ref"]?.string {
      guard let target = Self.resolve(reference, place) else { return ["\(path): nothing at \(reference)"] }
      return problems(with: value, target, path)
    }
    var problems: [String] = []
    if let alternatives = schema["oneOf"]?.array {
      let results = alternatives.map { self.problems(with: value, place.with($0), path) }
      if results.count(where: \.isEmpty) != 1 { problems += results.flatMap(\.self) + ["\(path): not one of oneOf"] }
    }
    if let expected = schema["const"], value != expected { problems.append("\(path): not the constant") }
    if let values = schema["enum"]?.array, !values.contains(value) {
      problems.append("\(path): not in the enum: \(value)")
    }
    if let type = schema["type"] {
      let names = type.array?.compactMap(\.string) ?? [type.string ?? ""]
      if !names.contains(where: { Self.isType($0, value) }) {
        problems.append("\(path): \(value.kindName), not \(names)")
      }
    }
    if let minimum = schema["minimum"]?.integer, case .number(let number) = value, number.double < Double(minimum) {
      problems.append("\(path): \(number.text) is below \(minimum)")
    }
    if let pattern = schema["pattern"]?.string, let text = value.string, !Self.matches(text, pattern) {
      problems.append("\(path): '\(text)' does not match \(pattern)")
    }
    if let elements = value.array {
      if let least = schema["minItems"]?.integer, elements.count < least { problems.append("\(path): too few items") }
      if let items = schema["items"] {
        for (index, element) in elements.enumerated() {
          problems += self.problems(with: element, place.with(items), "\(path)[\(index)]")
        }
      }
    }
    if let object = value.object { problems += self.problems(withObject: object, place, path) }
    return problems
  }

  private func problems(withObject object: JSONObject, _ place: Place, _ path: String) -> [String] {
    let schema = place.schema
    var problems: [String] = []
    for key in schema["required"]?.array?.compactMap(\.string) ?? [] where object[key] == nil {
      problems.append("\(path): no '\(key)'")
    }
    let order = schema["properties"]?.object.map { Array($0.keys) } ?? []
    var last = -1
    for entry in object.entries {
      let inner = path + "." + entry.key.description
      if let position = order.firstIndex(of: entry.key) {
        // Not a rule of JSON Schema, but one of ours.
        if position < last { problems.append("\(inner): out of order") }
        last = position
        let member = schema["properties"]?.object?[entry.key]
        problems += member.map { self.problems(with: entry.value, place.with($0), inner) } ?? []
        continue
      }
      switch schema["additionalProperties"] {
      case nil, .bool(true)?: break
      case .bool(false)?: problems.append("\(inner): not in the schema")
      case let other?: problems += self.problems(with: entry.value, place.with(other), inner)
      }
    }
    return problems
  }

  private static func resolve(_ reference: String, _ place: Place) -> Place? {
    let parts = reference.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let file = parts[0].isEmpty ? place.file : all[String(parts[0].dropLast(ending.count))]
    guard let file else { return nil }
    var schema = file.root
    for step in parts[1].split(separator: "/") {
      guard let next = schema[String(step)] else { return nil }
      schema = next
    }
    return Place(schema: schema, file: file)
  }

  private static func isType(_ name: String, _ value: JSONValue) -> Bool {
    switch (name, value) {
    case ("null", .null), ("boolean", .bool), ("string", .string), ("array", .array), ("object", .object),
      ("number", .number):
      true
    case ("integer", .number(let number)): number.isInteger
    default: false
    }
  }

  private static func matches(_ text: String, _ pattern: String) -> Bool {
    guard let expression = try? Regex(pattern) else { return false }
    return (try? expression.firstMatch(in: text)) != nil
  }

  // MARK: - The schema itself

  private static let keywords: Set<String> = [
    "$schema", "$defs", "$ref", "title", "description", "type", "const", "enum", "minimum", "pattern", "properties",
    "required", "additionalProperties", "items", "minItems", "oneOf",
  ]

  /// What is wrong with the schema: unknown keywords, references that lead nowhere, objects that take any member,
  /// members without a description.
  var ownProblems: [String] { Self.ownProblems(Place(schema: root, file: self), name) }

  private static func ownProblems(_ place: Place, _ path: String) -> [String] {
    guard let schema = place.schema.object else { return place.schema.bool == nil ? ["\(path): not a schema"] : [] }
    var problems = schema.keys.map(\.description).filter { !keywords.contains($0) }.map { "\(path): keyword '\($0)'" }
    if let reference = schema["$ref"]?.string {
      if resolve(reference, place) == nil { problems.append("\(path): nothing at \(reference)") }
      if schema.count > 1 { problems.append("\(path): more than a reference") }
    }
    if schema["properties"] != nil, schema["additionalProperties"] != .bool(false) {
      problems.append("\(path): takes any member")
    }
    for key in schema["required"]?.array?.compactMap(\.string) ?? [] where schema["properties"]?[key] == nil {
      problems.append("\(path): requires '\(key)', which it does not have")
    }
    for entry in schema["properties"]?.object?.entries ?? [] {
      let key = entry.key.description
      let described = entry.value["$ref"]?.string.flatMap { resolve($0, place)?.schema } ?? entry.value
      if described["description"] == nil { problems.append("\(path).\(key): no description") }
      if let reference = entry.value["$ref"]?.string, reference.hasPrefix("common"), !reference.hasSuffix("/" + key) {
        problems.append("\(path).\(key): described as another member")
      }
    }
    for (key, inner) in parts(of: schema) { problems += ownProblems(place.with(inner), path + "." + key) }
    return problems
  }

  private static func parts(of schema: JSONObject) -> [(String, JSONValue)] {
    let named = ["$defs", "properties"].flatMap { keyword in
      (schema[keyword]?.object?.entries ?? []).map { ($0.key.description, $0.value) }
    }
    let single = ["items", "additionalProperties"].compactMap { keyword in schema[keyword].map { (keyword, $0) } }
    let alternatives = (schema["oneOf"]?.array ?? []).enumerated().map { ("oneOf[\($0.offset)]", $0.element) }
    return named + single + alternatives
  }

  /// Every member of every object of the schema, with its description.
  var members: [String: Set<String>] {
    var members: [String: Set<String>] = [:]
    Self.collect(Place(schema: root, file: self), into: &members)
    return members
  }

  private static func collect(_ place: Place, into members: inout [String: Set<String>]) {
    guard let schema = place.schema.object else { return }
    for entry in schema["properties"]?.object?.entries ?? [] {
      let described = entry.value["$ref"]?.string.flatMap { resolve($0, place)?.schema } ?? entry.value
      members[entry.key.description, default: []].insert(described["description"]?.string ?? "")
    }
    for (_, inner) in parts(of: schema) { collect(place.with(inner), into: &members) }
  }
}
