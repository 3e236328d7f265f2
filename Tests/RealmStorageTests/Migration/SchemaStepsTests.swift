import RealmStorage
import Testing

@Suite("The steps of a migration") struct SchemaStepsTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let id: String
    var old: [TableSchema] = [dog([age])]
    var new: [TableSchema] = [dog([age])]
    var before: [String] = []
    var after: [String] = []
    var testDescription: String { id }
  }

  static func dog(_ properties: [Property], kind: TableKind = .topLevel, key: Int? = nil) -> TableSchema {
    TableSchema(name: "class_Dog", kind: kind, properties: properties, primaryKeyIndex: key)
  }

  static let age = Property(name: "age", type: .int)
  static let id = Property(name: "id", type: .int)
  static let indexedID = Property(name: "id", type: .int, index: .general)
  static let code = Property(name: "code", type: .string)
  static let optionalCode = Property(name: "code", type: .string, isOptional: true)
  static let cat = TableSchema(
    name: "class_Cat", properties: [Property(name: "friend", type: .object, isOptional: true, target: "class_Dog")])

  static let rows: [Row] = [
    Row(id: "nothing"),
    Row(
      id: "new class", new: [dog([age]), cat],
      before: ["add_class Cat", "add_properties Cat"]),
    Row(
      id: "new classes are there before links to them",
      new: [
        dog([age, Property(name: "enemy", type: .object, isOptional: true, target: "class_Cat")]), cat,
      ], before: ["add_class Cat", "add_properties Cat", "add_property Dog.enemy"]),
    Row(id: "class gone", new: []),
    Row(id: "property", new: [dog([age, code])], before: ["add_property Dog.code"]),
    Row(id: "property gone", old: [dog([age, code])], after: ["remove_property Dog.code"]),
    Row(
      id: "other type", old: [dog([age, Property(name: "id", type: .string)])], new: [dog([age, id])],
      before: ["replace_property Dog.id"]),
    Row(
      id: "required", old: [dog([optionalCode])], new: [dog([code])], before: ["make_required Dog.code"]),
    Row(id: "optional", old: [dog([code])], new: [dog([optionalCode])], before: ["make_optional Dog.code"]),
    Row(id: "index", old: [dog([id])], new: [dog([indexedID])], before: ["add_index Dog.id"]),
    Row(id: "index gone", old: [dog([indexedID])], new: [dog([id])], before: ["remove_index Dog.id"]),
    Row(
      id: "a property that is made anew gets its index with it",
      old: [dog([Property(name: "id", type: .string)])], new: [dog([indexedID])], before: ["replace_property Dog.id"]),
    Row(
      id: "required and indexed", old: [dog([optionalCode])],
      new: [dog([Property(name: "code", type: .string, index: .general)])], before: ["make_required Dog.code"]),
    Row(
      id: "another kind of index", old: [dog([Property(name: "code", type: .string, index: .general)])],
      new: [dog([Property(name: "code", type: .string, index: .fullText)])],
      before: ["remove_index Dog.code", "add_index Dog.code"]),
    Row(
      id: "primary key", old: [dog([id])], new: [dog([id], key: 0)], after: ["set_primary_key Dog.id"]),
    Row(
      id: "primary key gone", old: [dog([indexedID], key: 0)], new: [dog([id])],
      before: ["clear_primary_key Dog", "remove_index Dog.id"]),
    Row(
      id: "primary key moves", old: [dog([indexedID, code], key: 0)], new: [dog([id, code], key: 1)],
      before: ["clear_primary_key Dog", "remove_index Dog.id"], after: ["set_primary_key Dog.code"]),
    Row(
      id: "primary key moves to a new property", old: [dog([indexedID], key: 0)],
      new: [dog([indexedID, code], key: 1)],
      before: ["clear_primary_key Dog", "add_property Dog.code", "add_index Dog.id"],
      after: ["set_primary_key Dog.code"]),
    Row(
      id: "primary key of another type", old: [dog([indexedID], key: 0)],
      new: [dog([Property(name: "id", type: .string)], key: 0)],
      before: ["replace_property Dog.id"], after: ["set_primary_key Dog.id"]),
    Row(
      id: "primary key becomes required", old: [dog([optionalCode], key: 0)], new: [dog([code], key: 0)],
      before: ["make_required Dog.code"], after: ["set_primary_key Dog.code"]),
    Row(
      id: "primary key becomes optional", old: [dog([code], key: 0)], new: [dog([optionalCode], key: 0)],
      before: ["make_optional Dog.code"]),
    Row(
      id: "kinds come last", old: [dog([age, code]), cat],
      new: [dog([age], kind: .embedded), TableSchema(name: "class_Cat", properties: [age])],
      before: ["add_property Cat.age"],
      after: ["remove_property Cat.friend", "remove_property Dog.code", "embed_class Dog"]),
    Row(
      id: "embedded no more", old: [dog([age], kind: .embedded), cat], new: [dog([age]), cat],
      after: ["unembed_class Dog"]),
  ]

  @Test("come in the SDKs' order", arguments: rows)
  func steps(_ row: Row) {
    let plan = SchemaSteps(from: Schema(tables: row.old), to: Schema(tables: row.new))
    func texts(_ steps: [MigrationStep]) -> [String] {
      steps.map { step in "\(step.name) \(step.className)" + (step.property.map { ".\($0)" } ?? "") }
    }
    #expect(texts(plan.before) == row.before)
    #expect(texts(plan.after) == row.after)
  }

  @Test("A replaced property has the type and index of the target, except that a primary key gets its index later")
  func replacedProperties() {
    let old = Schema(tables: [
      TableSchema(
        name: "class_Dog",
        properties: [
          Property(name: "id", type: .string), Property(name: "tag", type: .string, isOptional: true),
        ], primaryKeyIndex: 0)
    ])
    let tag = Property(name: "tag", type: .string, index: .fullText)
    let new = Schema(tables: [
      TableSchema(name: "class_Dog", properties: [Self.indexedID, tag], primaryKeyIndex: 0)
    ])
    let replaced = SchemaSteps(from: old, to: new).before.compactMap { step -> Property? in
      if case .replaceProperty(_, _, let property) = step { property } else { nil }
    }
    #expect(replaced == [Self.id, tag])
  }
}

@Suite("Renames of properties") struct PropertyRenameTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let id: String
    var className: RealmString = "Dog"
    var old: RealmString = "a"
    var new: RealmString = "b"
    /// The realm after the automatic part: old and new properties.
    var current: [Property] = [Property(name: "a", type: .int), Property(name: "b", type: .int)]
    var target: [Property]? = [Property(name: "b", type: .int)]
    var text: String?
    var rename: PropertyRename?
    var testDescription: String { id }
  }

  static let text = Property(name: "b", type: .string)
  static let optional = Property(name: "b", type: .int, isOptional: true)

  static let rows: [Row] = [
    Row(id: "plain", rename: .replacing(Property(name: "b", type: .int), becomesOptional: false)),
    Row(
      id: "to an intermediate name", new: "m", rename: .plain),
    Row(
      id: "wider", current: [Property(name: "a", type: .int), optional], target: [optional],
      rename: .replacing(optional, becomesOptional: true)),
    Row(
      id: "no such class", className: "Cat",
      text: "Cannot rename properties for type 'Cat' because it does not exist."),
    Row(
      id: "class not in the target", target: nil,
      text: "Cannot rename properties for type 'Dog' because it has been removed from the Realm."),
    Row(
      id: "source in the target", target: [Property(name: "a", type: .int), Property(name: "b", type: .int)],
      text: "Cannot rename property 'Dog.a' to 'b' because the source property still exists."),
    Row(
      id: "no such property", old: "z", text: "Cannot rename property 'Dog.z' because it does not exist."),
    Row(
      id: "other type", current: [Property(name: "a", type: .int), text], target: [text],
      text: "Cannot rename property 'Dog.a' to 'b' because it would change from type 'int' to 'string'."),
    Row(
      id: "other collection",
      current: [Property(name: "a", type: .int), Property(name: "b", type: .int, collection: .list)],
      text: "Cannot rename property 'Dog.a' to 'b' because it would change from type 'int' to 'array<int>'."),
    Row(
      id: "other target",
      current: [
        Property(name: "a", type: .object, isOptional: true, target: "class_Dog"),
        Property(name: "b", type: .object, isOptional: true, target: "class_Cat"),
      ], text: "Cannot rename property 'Dog.a' to 'b' because it would change from type '<Dog>' to '<Cat>'."),
    Row(
      id: "narrower",
      current: [Property(name: "a", type: .int, isOptional: true), Property(name: "b", type: .int)],
      text: "Cannot rename property 'Dog.a' to 'b' because it would change from optional to required."),
  ]

  @Test("are refused in the SDKs' words", arguments: rows)
  func renames(_ row: Row) {
    let current = Schema(tables: [TableSchema(name: "class_Dog", properties: row.current)])
    let target = Schema(tables: row.target.map { [TableSchema(name: "class_Dog", properties: $0)] } ?? [])
    do throws(MigrationError) {
      let rename = try PropertyRename(
        ofClass: row.className, from: row.old, to: row.new, current: current, target: target)
      #expect(rename == row.rename)
    } catch {
      #expect(error.text == row.text)
    }
  }
}
