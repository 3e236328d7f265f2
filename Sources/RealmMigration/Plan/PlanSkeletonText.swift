import RealmExchange
import RealmModels
import RealmStorage
import RealmText

/// The lines of a plan in YAML, one operation each.
///
/// Names come from files, which anybody may have written. They are quoted, with invisible characters escaped, so that
/// no name is ever read as something else. If a plan cannot express a name, the operation becomes a comment.
struct PlanSkeletonText {
  enum Field {
    case name(RealmString)
    /// As they are; never text from a file.
    case words(String)
    /// Names with types from `type(of:)`.
    case properties([(RealmString, String)])
  }

  private var lines: [String] = []

  /// The whole plan.
  func plan(from stored: UInt64?, to version: UInt64) -> String {
    // Comments alone are not a list.
    let isEmpty = lines.allSatisfy { $0.hasPrefix("#") }
    return "plan: 1\nsteps:\n  - to: \(version)\n" + (stored.map { "    from: \($0)\n" } ?? "")
      + (lines.isEmpty
        ? "    do: []\n" : isEmpty ? "    do: [] # delete '[]' when you uncomment an operation\n" : "    do:\n")
      + lines.map { "      \($0)\n" }.joined()
  }

  mutating func comment(_ text: String) { lines.append("# " + StringEscapes.comment(text)) }

  /// Adds an operation.
  ///
  /// - Parameters:
  ///   - remark: a comment after it.
  ///   - obstacle: why it cannot run as it is; turns it into a comment.
  mutating func operation(
    _ name: String, _ fields: [(String, Field)], remark: String? = nil, obstacle: String? = nil, isComment: Bool = false
  ) {
    let obstacle = fields.lazy.compactMap { Self.obstacle(in: $0.1) }.first ?? obstacle
    if let obstacle { comment(obstacle) }
    let content = fields.map { "\($0.0): \(Self.text(of: $0.1))" }.joined(separator: ", ")
    let line = "- \(name): { \(content) }" + (remark.map { "  # " + $0 } ?? "")
    lines.append(obstacle != nil || isComment ? "# " + line : line)
  }

  private static func obstacle(in field: Field) -> String? {
    switch field {
    case .name(let name): obstacle(name)
    case .words: nil
    case .properties(let properties): properties.lazy.compactMap { obstacle($0.0) }.first
    }
  }

  /// Why a plan cannot name it.
  private static func obstacle(_ name: RealmString) -> String? {
    if name.isEmpty { return "a plan cannot name what has an empty name" }
    return name.isValidText ? nil : "a plan cannot name '\(name)', which is not UTF-8 text"
  }

  private static func text(of field: Field) -> String {
    switch field {
    case .name(let name): quoted(name)
    case .words(let words): words
    case .properties(let properties):
      "{ \(properties.map { "\(quoted($0.0)): \($0.1)" }.joined(separator: ", ")) }"
    }
  }

  /// A name, in quotes unless it is a plain word.
  static func quoted(_ name: RealmString) -> String {
    let isPlain =
      !name.isEmpty
      && name.utf8.allSatisfy { byte in
        byte == UInt8(ascii: "_") || (0x30...0x39).contains(byte) || (0x61...0x7a).contains(byte | 0x20)
      }
    let special = ["true", "false", "null"].contains(name.description)
    let isNumber = name.utf8.first.map { (0x30...0x39).contains($0) } ?? false
    return isPlain && !special && !isNumber ? name.description : StringEscapes.fourOrEightDigits.literal(name)
  }

  // MARK: Types

  /// The type as plans write it: `int`, `"Dog[]"`, or a mapping.
  ///
  /// - Returns: nil if it would be read as another type: a link to a class whose name is that of a type, or not UTF-8.
  static func type(of property: Property, index: IndexKind = .none) -> String? {
    if let target = property.targetClass, !target.isValidText { return nil }
    if index == .none, let short = shorthand(property), means(property, .shorthand(short)) { return quoted(short) }
    let element = RealmString(property.type.schemaName)
    var fields: [(key: String, value: PropertyTypeText.Field)] = []
    switch (property.collection, property.type) {
    case (let collection?, let type):
      guard let name = type == .object ? property.targetClass : element else { return nil }
      fields = [("type", .text(RealmString(collection.schemaName))), ("objectType", .text(name))]
    case (nil, .object):
      guard let name = property.targetClass else { return nil }
      fields = [("type", .text("object")), ("objectType", .text(name))]
    case (nil, _): fields = [("type", .text(element))]
    }
    if property.isOptional, property.type != .object, property.type != .mixed {
      fields.append(("optional", .flag(true)))
    }
    guard means(property, .fields(fields)) else { return nil }
    var parts = fields.map { field in
      guard case .text(let text) = field.value else { return "\(field.key): true" }
      return "\(field.key): \(quoted(text))"
    }
    if let index = index.planName { parts.append("index: \(index)") }
    return "{ \(parts.joined(separator: ", ")) }"
  }

  /// `int?[]`
  private static func shorthand(_ property: Property) -> RealmString? {
    let isLink = property.type == .object
    guard var text = isLink ? property.targetClass : RealmString(property.type.schemaName) else { return nil }
    if property.isOptional, !isLink, property.type != .mixed { text.utf8 += Array("?".utf8) }
    text.utf8 += Array((property.collection?.suffix ?? "").utf8)
    return text
  }

  /// Whether the text is read back as the type of the property.
  private static func means(_ property: Property, _ text: PropertyTypeText) -> Bool {
    guard let read = try? Property(name: property.name, type: text) else { return false }
    return read.type == property.type && read.collection == property.collection && read.target == property.target
      && read.isOptional == property.isOptional
  }
}

extension IndexKind {
  /// As plans write it.
  var planName: String? {
    switch self {
    case .none: nil
    case .general: "general"
    case .fullText: "full-text"
    }
  }
}
