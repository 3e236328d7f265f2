import RealmStorage

/// One JSON schema for each class that is not embedded, with the relationships next to it: what App Services keeps as
/// `schema.json` and `relationships.json` of a collection.
///
/// ```
/// {"Person":{"schema":{"title":"Person",…},"relationships":{"dogs":{…}}}}
/// ```
struct AppServicesSchema: SchemaForm {
  let service: String
  let database: String

  func write(_ schema: Schema, to text: inout SchemaText) {
    let outline = SchemaOutline(schema)
    let classes = outline.classes.filter { $0.kind != .embedded }
    guard !classes.isEmpty else { return text.line("{}") }
    text.line("{")
    var seen: Set<RealmString> = []
    for (index, table) in classes.enumerated() {
      if !seen.insert(table.name).inserted {
        text.note(SchemaNote(className: table.displayName, reason: "another class has the same name"))
      }
      var collection = AppServicesCollection(table: table, outline: outline, service: service, database: database)
      let document = collection.document()
      for note in collection.notes { text.note(note) }
      text.write("  ")
      text.writeJSON(table.displayName)
      text.write(": ")
      document.write(to: &text, indentation: "  ")
      text.line(index + 1 < classes.count ? "," : "")
    }
    text.line("}")
  }
}

/// The document of one class on its way.
private struct AppServicesCollection {
  let table: TableSchema
  let outline: SchemaOutline
  let service: String
  let database: String
  var notes: [SchemaNote] = []
  private var relationships: [DocumentNode.Member] = []
  /// The path, in names of properties and `[]`, to the embedded class being written.
  private var path: [RealmString] = []
  /// The embedded classes being written; one inside itself would never end.
  private var openClasses: Set<RealmString> = []
  private var propertyCount = 0

  /// Embedded classes are repeated for each property that contains them, which can multiply with every level.
  private static let mostProperties = 20_000

  /// A document in MongoDB cannot be nested deeper.
  private static let mostLevels = 100

  init(table: TableSchema, outline: SchemaOutline, service: String, database: String) {
    (self.table, self.outline, self.service, self.database) = (table, outline, service, database)
  }

  mutating func document() -> DocumentNode {
    let schema = objectSchema(of: table)
    return .object([.init("schema", schema), .init("relationships", .object(relationships))])
  }

  private mutating func objectSchema(of table: TableSchema) -> DocumentNode {
    var properties: [DocumentNode.Member] = []
    var required: [DocumentNode] = []
    var seen: Set<RealmString> = []
    for property in table.properties where !property.isComputed {
      if !seen.insert(property.name).inserted { note("another property has the same name", property, table) }
      propertyCount += 1
      guard let value = valueSchema(of: property, in: table) else { continue }
      properties.append(.init(property.name, wrapped(value, in: property.collection)))
      if !property.isOptional, property.collection == nil { required.append(.string(property.name)) }
    }
    return .object([
      .init("title", .string(table.displayName)), .init("bsonType", .string("object")),
      .init("required", .array(required)),
      .init("properties", .object(properties)),
    ])
  }

  private func wrapped(_ value: DocumentNode, in collection: CollectionKind?) -> DocumentNode {
    switch collection {
    case nil: value
    case .list: .object([.init("bsonType", .string("array")), .init("items", value)])
    case .set: .object([.init("bsonType", .string("array")), .init("uniqueItems", .bool(true)), .init("items", value)])
    case .dictionary:
      .object([
        .init("bsonType", .string("object")), .init("properties", .object([])), .init("additionalProperties", value),
      ])
    }
  }

  /// The schema of a value or element; nil, with a note, when there is none.
  private mutating func valueSchema(of property: Property, in owner: TableSchema) -> DocumentNode? {
    guard property.type == .object else {
      return .object([.init("bsonType", .string(RealmString(property.type.bsonName)))])
    }
    guard let target = outline.target(of: property) else {
      note("links to \(property.targetClass?.shown ?? "nowhere"), which is not a class of this schema", property, owner)
      return nil
    }
    return target.kind == .embedded
      ? embeddedSchema(of: target, in: property, owner: owner) : linkSchema(to: target, in: property, owner: owner)
  }

  private mutating func embeddedSchema(
    of target: TableSchema, in property: Property, owner: TableSchema
  ) -> DocumentNode? {
    if let reason = refusal(of: target) {
      note(reason, property, owner)
      return nil
    }
    openClasses.insert(target.name)
    defer { openClasses.remove(target.name) }
    let outerPath = path
    path.append(property.name)
    if property.collection != nil { path.append("[]") }
    defer { path = outerPath }
    return objectSchema(of: target)
  }

  /// Why the embedded class cannot be written here.
  private func refusal(of target: TableSchema) -> String? {
    if openClasses.contains(target.name) { return "embedded class \(target.displayName.shown) contains itself" }
    if openClasses.count >= Self.mostLevels { return "more than \(Self.mostLevels) levels of embedded classes" }
    if propertyCount >= Self.mostProperties {
      return "more than \(Self.mostProperties) properties, counting embedded ones"
    }
    return nil
  }

  private mutating func linkSchema(to target: TableSchema, in property: Property, owner: TableSchema) -> DocumentNode? {
    guard let key = target.primaryKey else {
      note("links to \(target.displayName.shown), which has no primary key", property, owner, isError: true)
      return nil
    }
    let relationship = RealmString(
      utf8: Array((path + [property.name]).map(\.utf8).joined(separator: Array(".".utf8))))
    let reference = "#/relationship/\(service)/\(database)/"
    relationships.append(
      .init(
        relationship,
        .object([
          .init("ref", .string(RealmString(utf8: Array(reference.utf8) + target.displayName.utf8))),
          .init("foreign_key", .string(key.name)), .init("is_list", .bool(property.collection != nil)),
        ])
      ))
    return .object([.init("bsonType", .string(RealmString(key.type.bsonName)))])
  }

  private mutating func note(
    _ reason: String, _ property: Property, _ owner: TableSchema, isError: Bool = false
  ) {
    notes.append(
      SchemaNote(className: owner.displayName, propertyName: property.name, reason: reason, isError: isError))
  }
}

/// A JSON document to be written; keys keep their order.
enum DocumentNode: Sendable {
  case bool(Bool)
  case string(RealmString)
  case array([DocumentNode])
  case object([Member])

  /// A key with its value.
  struct Member: Sendable {
    let key: RealmString
    let value: DocumentNode

    init(_ key: RealmString, _ value: DocumentNode) {
      (self.key, self.value) = (key, value)
    }
  }

  /// Writes the node, indented by two spaces per level. `indentation` is that of the line it begins on.
  func write(to text: inout SchemaText, indentation: String) {
    switch self {
    case .bool(let value): text.write(value ? "true" : "false")
    case .string(let value): text.writeJSON(value)
    case .array(let elements):
      text.write("[")
      for (index, element) in elements.enumerated() {
        if index > 0 { text.write(", ") }
        element.write(to: &text, indentation: indentation)
      }
      text.write("]")
    case .object(let members): writeObject(members, to: &text, indentation: indentation)
    }
  }

  private func writeObject(
    _ members: [Member], to text: inout SchemaText, indentation: String
  ) {
    guard !members.isEmpty else { return text.write("{}") }
    let inner = indentation + "  "
    for (index, member) in members.enumerated() {
      text.line(index > 0 ? "," : "{")
      text.write(inner)
      text.writeJSON(member.key)
      text.write(": ")
      member.value.write(to: &text, indentation: inner)
    }
    text.line()
    text.write(indentation + "}")
  }
}
