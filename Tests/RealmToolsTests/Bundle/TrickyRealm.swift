import TestSupport

/// A random schema with names that occur in the forms of `export`, and objects of it in the `typed-ndjson` form,
/// written without any of the code under test.
struct TrickyRealm {
  private(set) var schemaFile = ""
  private(set) var text = ""

  private enum Kind: CaseIterable {
    case int, string, strings, set, dictionary, mixed, embedded, embeddedList, link, links
  }

  private struct Member {
    let name: String
    let kind: Kind
    let target: Int
  }

  private struct Class {
    let name: String
    let isEmbedded: Bool
    var hasKey = false
    var members: [Member] = []
    var objectCount = 0
  }

  private static let names = [
    "class", "value", "objKey", "_key", "__key", "tags", "A", "class_A", "metadata", "key", "table", "$embedded",
    "$link",
    "$oid", "$set", "$dictionary", "$x",
  ]

  private var classes: [Class] = []

  init(_ generator: inout SeededGenerator) {
    let count = Int.random(in: 1...3, using: &generator)
    let classNames = Array(Self.names.shuffled(using: &generator).prefix(count + 1)).sorted {
      $0.utf8.lexicographicallyPrecedes($1.utf8)
    }
    let embedded = Int.random(in: 0...count, using: &generator)
    classes = classNames.enumerated().map { Class(name: $1, isEmbedded: $0 == embedded) }
    for index in classes.indices { fill(index, embedded, &generator) }
    schemaFile = "[" + classes.map(declaration).joined(separator: ",\n") + "]"
    for number in classes.indices {
      for key in 0..<classes[number].objectCount {
        let object = object(of: number, key, &generator)
        text += "{\"class\":\"\(classes[number].name)\",\"objKey\":\(key),\"value\":\(object)}\n"
      }
    }
  }

  private mutating func fill(_ index: Int, _ embedded: Int, _ generator: inout SeededGenerator) {
    let isEmbedded = classes[index].isEmbedded
    let tops = classes.indices.filter { !classes[$0].isEmbedded }
    let propertyNames = Self.names.shuffled(using: &generator).prefix(Int.random(in: 1...4, using: &generator))
    for name in propertyNames {
      let kinds = Kind.allCases.filter { !isEmbedded || ($0 != .embedded && $0 != .embeddedList) }
      let kind = kinds.randomElement(using: &generator) ?? .int
      let isInner = kind == .embedded || kind == .embeddedList
      classes[index].members.append(
        Member(name: name, kind: kind, target: isInner ? embedded : tops.randomElement(using: &generator) ?? 0))
    }
    guard !isEmbedded else { return }
    classes[index].objectCount = Int.random(in: 0...3, using: &generator)
    let kind = classes[index].members[0].kind
    classes[index].hasKey = (kind == .int || kind == .string) && Bool.random(using: &generator)
  }

  private func declaration(_ one: Class) -> String {
    let properties = one.members.map { member in
      let target = classes[member.target].name
      let type =
        switch member.kind {
        case .int: #""int""#
        case .string: #""string""#
        case .strings: #""string[]""#
        case .set: #""int<>""#
        case .dictionary: #""string{}""#
        case .mixed: #""mixed""#
        case .embedded, .link: #"{"type":"object","objectType":"\#(target)"}"#
        case .embeddedList, .links: #"{"type":"list","objectType":"\#(target)"}"#
        }
      return "\"\(member.name)\":\(type)"
    }
    let key = one.hasKey ? "\"primaryKey\":\"\(one.members[0].name)\"," : ""
    return
      "{\"name\":\"\(one.name)\",\"embedded\":\(one.isEmbedded),\(key)\"properties\":{\(properties.joined(separator: ","))}}"
  }

  // MARK: Objects

  private func object(of number: Int, _ key: Int, _ generator: inout SeededGenerator) -> String {
    let one = classes[number]
    let members = one.members.enumerated().map { index, member in
      let value = one.hasKey && index == 0 ? primaryKey(of: number, key) : value(member, &generator)
      return "\"\(member.name)\":\(value)"
    }
    return "{" + members.joined(separator: ",") + "}"
  }

  private func primaryKey(of number: Int, _ key: Int) -> String {
    classes[number].members[0].kind == .int ? "\(key * 3)" : "\"\(Self.names[key])\""
  }

  private func value(_ member: Member, _ generator: inout SeededGenerator) -> String {
    let count = Int.random(in: 0...2, using: &generator)
    switch member.kind {
    case .int: return "\(Int.random(in: -2...2, using: &generator))"
    case .string: return word(&generator)
    case .strings: return "[" + (0..<count).map { _ in word(&generator) }.joined(separator: ",") + "]"
    case .set: return "{\"$set\":[" + (0..<count).map { "\($0)" }.joined(separator: ",") + "]}"
    case .dictionary: return dictionary(count) { word(&generator) }
    case .mixed: return mixed(depth: 2, &generator)
    case .embedded where count == 0: return "null"
    case .embedded:
      let inner = object(of: member.target, 0, &generator)
      let needsClass = classes[member.target].members.contains { $0.name == "$embedded" }
      return needsClass ? wrapped(inner, member.target) : inner
    case .embeddedList:
      let inner = (0..<count).map { _ in wrapped(object(of: member.target, 0, &generator), member.target) }
      return "[" + inner.joined(separator: ",") + "]"
    case .link: return link(to: member.target, &generator) ?? "null"
    case .links:
      return "[" + (0..<count).compactMap { _ in link(to: member.target, &generator) }.joined(separator: ",") + "]"
    }
  }

  private func wrapped(_ object: String, _ number: Int) -> String {
    "{\"$embedded\":{\"table\":\"\(classes[number].name)\",\"value\":\(object)}}"
  }

  private func link(to number: Int, _ generator: inout SeededGenerator) -> String? {
    guard let key = (0..<classes[number].objectCount).randomElement(using: &generator) else { return nil }
    let name = classes[number].hasKey ? "\"key\":\(primaryKey(of: number, key))" : "\"objKey\":\(key)"
    return "{\"$link\":{\"table\":\"\(classes[number].name)\",\(name)}}"
  }

  private func word(_ generator: inout SeededGenerator) -> String {
    "\"\(Self.names.randomElement(using: &generator) ?? "")\""
  }

  private func dictionary(_ count: Int, _ value: () -> String) -> String {
    let keys = ["class", "key", "value"].prefix(count)
    return "{\"$dictionary\":{" + keys.map { "\"\($0)\":\(value())" }.joined(separator: ",") + "}}"
  }

  private func mixed(depth: Int, _ generator: inout SeededGenerator) -> String {
    switch Int.random(in: 0...(depth > 0 ? 5 : 2), using: &generator) {
    case 0: return "null"
    case 1: return "\(Int.random(in: 0...9, using: &generator))"
    case 2: return word(&generator)
    case 3: return link(to: classes.firstIndex { !$0.isEmbedded } ?? 0, &generator) ?? "null"
    case 4:
      let count = Int.random(in: 0...2, using: &generator)
      return "[" + (0..<count).map { _ in mixed(depth: depth - 1, &generator) }.joined(separator: ",") + "]"
    default:
      return dictionary(Int.random(in: 0...3, using: &generator)) { mixed(depth: depth - 1, &generator) }
    }
  }
}
