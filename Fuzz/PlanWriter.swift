import RealmStorage
import RealmText
import TestSupport

/// Migration plans that fit a schema, most of the time.
struct PlanWriter {
  private var random: SeededGenerator
  private let schema: Schema
  private let classes: [TableSchema]
  private var newNames = 0

  init(seed: UInt64, schema: Schema) {
    random = SeededGenerator(seed: seed ^ 0x71a4)
    self.schema = schema
    classes = schema.classes
  }

  /// A plan of one or two steps, from the version of the schema on.
  ///
  /// - Parameter changing: may change the text of an operation.
  mutating func next(changing: (String) -> String = { $0 }) -> String {
    let version = schema.version ?? 0
    var text = "plan: 1\nsteps:\n"
    for step in 1...UInt64(roll(2) + 1) {
      text += "  - to: \(version &+ step)\n    do:\n"
      for _ in 0...roll(4) { text += "      - \(changing(operation()))\n" }
    }
    return text
  }

  private mutating func roll(_ sides: Int) -> Int { Int.random(in: 0..<max(sides, 1), using: &random) }
  private mutating func pick<Element>(_ elements: [Element]) -> Element { elements[roll(elements.count)] }

  private static func quoted(_ name: RealmString) -> String { TextBuffer.string { $0.appendJSON(name.description) } }

  // MARK: Names

  private mutating func className() -> String {
    classes.isEmpty || roll(30) == 0 ? "Nowhere" : Self.quoted(pick(classes).displayName)
  }

  private mutating func newName() -> String {
    newNames += 1
    return "new\(newNames)"
  }

  /// A class, and the name of one of its properties.
  private mutating func property() -> (className: String, name: String, property: Property?) {
    guard !classes.isEmpty, roll(30) > 0 else { return (className(), "nothing", nil) }
    let table = pick(classes)
    guard let property = table.properties.filter({ !$0.isComputed }).randomElement(using: &random) else {
      return (Self.quoted(table.displayName), "nothing", nil)
    }
    return (Self.quoted(table.displayName), Self.quoted(property.name), property)
  }

  private mutating func type() -> String {
    let element =
      roll(6) == 0
      ? className().replacing("\"", with: "")
      : pick(["int", "bool", "float", "double", "string", "data", "date", "decimal128", "objectId", "uuid", "mixed"])
    return "\"" + element + pick(["", "", "?", "?"]) + pick(["", "", "", "[]", "<>", "{}"]) + "\""
  }

  // MARK: Values

  private mutating func formula(_ name: String) -> String {
    let path = "`" + name.replacing("\"", with: "") + "`"
    return pick([
      path, "old.\(path)", "str(\(path))", "int(\(path))", "double(\(path))", "coalesce(\(path), 1) + 1",
      "count(\(path))", "len(str(\(path)))", "if(is_null(\(path)), 1, 2)", "upper(str(\(path)))", "key() * 3",
      "new_uuid()", "now()", "concat(\(path), 'x')", "1 / key()", "sum(\(path))", "\(path)[0]", "date(\(path))",
    ])
  }

  private mutating func value(_ name: String) -> String {
    switch roll(9) {
    case 0: pick(["1", "null", "true", "1.5", "\"text\"", "[1, 2]", "{ a: 1 }", "{ $numberDecimal: \"1.5\" }"])
    case 1: "{ template: \"{\(name.replacing("\"", with: ""))|none} {=key()}\" }"
    case 2: "{ copy: \(name) }"
    case 3: "{ pk: [\(className()), 1] }"
    case 4: "{ objects: [\(className()), 'TRUEPREDICATE LIMIT(3)'] }"
    default: "{ expr: '\(formula(name).replacing("'", with: "''"))' }"
    }
  }

  private mutating func condition(_ name: String) -> String {
    let path = "`" + name.replacing("\"", with: "") + "`"
    return pick([
      "TRUEPREDICATE", "FALSEPREDICATE", "\(path) != null", "\(path) == null", "@links.@count > 0",
      "\(path).@count > 0", "TRUEPREDICATE LIMIT(5)", "TRUEPREDICATE SORT(\(path) ASC) LIMIT(2)",
    ])
  }

  /// What becomes of values that cannot be computed.
  private mutating func policies() -> String {
    pick([
      "", "", ", on_error: \"null\"", ", on_error: delete", ", on_error: default, default: 1", ", default: \"x\"",
      ", on_null: default, default: 1", ", on_null: fail", "",
    ])
  }

  /// What becomes of null if it is not allowed.
  private mutating func requirement() -> String {
    pick([", on_null: delete", ", on_null: default, default: 1", ", default: \"x\"", ", on_null: fail", ""])
  }

  // MARK: Operations

  private mutating func operation() -> String {
    let (table, name, property) = property()
    switch roll(22) {
    case 0:
      let key = pick(["", ", primary_key: a", ", embedded: true"])
      return "add_class: { name: \(newName()), properties: { a: int, b: \"string?\", c: \(type()) }\(key) }"
    case 1: return "remove_class: { name: \(table), lossy: ok\(pick(["", ", if_linked: clear"])) }"
    case 2: return "rename_class: { from: \(table), to: \(newName()) }"
    case 3:
      return "embed_class: { class: \(table), on_orphan: \(pick(["fail", "delete"])), "
        + "on_shared: \(pick(["fail", "duplicate"])), drop_primary_key: true }"
    case 4: return "unembed_class: { class: \(table) }"
    case 5, 6:
      let given = pick([
        "value: \(value(name))\(policies())", "type_default: true", "default: 1", "default: null", "index: general",
      ])
      return "add_property: { class: \(table), name: \(newName()), type: \(type()), \(given) }"
    case 7: return "remove_property: { class: \(table), name: \(name), lossy: ok }"
    case 8: return "rename_property: { class: \(table), from: \(name), to: \(newName()) }"
    case 9, 10, 11: return "convert: { class: \(table), name: \(name), to: \(type())\(policies()) }"
    case 12: return "make_optional: { class: \(table), name: \(name) }"
    case 13: return "make_required: { class: \(table), name: \(name)\(requirement()) }"
    case 14:
      return "set_primary_key: { class: \(table), name: \(pick([name, "null"])), "
        + "on_duplicate: \(pick(["fail", "keep_first", "keep_last"])), repoint: \(pick(["true", "false"])) }"
    case 15:
      return "\(pick(["add_index", "remove_index"])): { class: \(table), name: \(name), "
        + "kind: \(pick(["general", "full-text"])) }"
    case 16:
      let target = property?.targetClass.map { "\($0)" } ?? "Nowhere"
      let plain = table.replacing("\"", with: "")
      return "move_property: { from: \"\(plain).\(newName())\", to: \"\(target).\(newName())\", via: \(name) }"
    case 17, 18:
      return "set: { class: \(table), where: '\(condition(name))', values: { \(name): \(value(name)) }\(policies()) }"
    case 19: return "create_objects: { class: \(table), values: [ { \(name): \(value(name)) }, {} ] }"
    case 20: return "delete_objects: { class: \(table), where: '\(condition(name))' }"
    default: return "assert: { class: \(table), where: '\(condition(name))', count: { min: 0 } }"
    }
  }
}
