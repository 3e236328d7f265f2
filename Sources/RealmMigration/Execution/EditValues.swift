import RealmExchange
import RealmQuery
import RealmStorage
import RealmText
import RealmTools

/// Reads values of an edit as typed on the command line, by the types of the properties.
struct EditValues {
  let table: TableSchema
  let schema: Schema
  /// The objects there are; nil if they are not looked up.
  private let links: KnownObjects?

  /// Whether values are checked that are usually checked when objects are changed.
  private var checksValues = false

  init(table: TableSchema, schema: Schema, links: KnownObjects? = nil) {
    (self.table, self.schema, self.links) = (table, schema, links)
  }

  private func property(_ name: RealmString) throws -> Property {
    if let property = table.property(named: name) { return property }
    var error = PlanError.noProperty(name, of: table, at: ObjectEdit.place)
    if let advice = adviceOnPath(name) { error.mistakes[0].advice = advice }
    throw error
  }

  /// What to do where more than a property is given: `owner.name`, `map.key`, `count+`.
  private func adviceOnPath(_ name: RealmString) -> String? {
    // `age+=1`
    for sign in ["+", "-"] where name.description.hasSuffix(sign) {
      let base = RealmString(String(name.description.dropLast()))
      guard let property = table.property(named: base) else { continue }
      return property.collection == nil
        ? "write '\(base):=\(base) \(sign) …'" : "use \(sign == "+" ? "--add" : "--remove") \(base)=VALUE"
    }
    let parts = name.description.split(separator: ".", maxSplits: 1)
    guard parts.count == 2, let first = table.property(named: RealmString(String(parts[0]))) else { return nil }
    if first.collection == .dictionary { return "write the key in brackets: '\(first.name)[\"\(parts[1])\"]'" }
    guard first.type == .object, first.collection == nil,
      let target = schema.tables.first(where: { $0.name == first.target })
    else { return nil }
    return target.kind == .embedded
      ? "give the embedded object as a whole: \(first.name)={…}"
      : "'\(first.name)' is a link; change the object of class '\(target.displayName)' that it links to"
  }

  /// Values by property.
  ///
  /// - Parameters:
  ///   - field: what plans call it.
  ///   - joins: whether several values for one collection are joined into one.
  /// - Throws: `PlanError`.
  private func map(
    _ values: [ObjectEdit.Value], as field: String = valueField, joins: Bool = false,
    _ read: (String, Property) throws -> PlanNode
  ) throws -> PlanNode {
    let nodes = try Self.collectingMistakes(values) { value in
      let property = try property(RealmString(value.property))
      let node = try node(of: value, property, read)
      if checksValues { try check([(value.property, node)], as: field) }
      return node
    }
    var (names, given) = ([String](), [String: [PlanNode]]())
    for (value, node) in zip(values, nodes) {
      if given[value.property] == nil { names.append(value.property) }
      given[value.property, default: []].append(node)
    }
    return .map(
      try names.map { name in
        let nodes = given[name] ?? []
        guard let node = nodes.count == 1 ? nodes[0] : joins ? try PlanNode.joined(nodes) : nil else {
          throw PlanError("property '\(name)' is given twice", at: ObjectEdit.place)
        }
        return (name, node)
      })
  }

  /// The results for all elements.
  ///
  /// - Throws: a `PlanError` with all mistakes.
  static func collectingMistakes<Element, Result>(
    _ elements: [Element], _ body: (Element) throws -> Result
  ) throws -> [Result] {
    var results: [Result] = []
    var mistakes: [PlanError.Mistake] = []
    for element in elements {
      do { results.append(try body(element)) } catch let error as PlanError { mistakes += error.mistakes }
    }
    guard mistakes.isEmpty else { throw PlanError(mistakes) }
    return results
  }

  private func node(
    of value: ObjectEdit.Value, _ property: Property, _ read: (String, Property) throws -> PlanNode
  ) throws -> PlanNode {
    if value.isFormula {
      try check(value.text, "formula", of: property) { text throws(ExpressionError) in
        _ = try ExpressionParser.formula(text)
      }
      return .map([("expr", .text(value.text))])
    }
    guard let entry = value.entry else { return try read(value.text, property) }
    guard property.collection == .dictionary else {
      throw PlanError(
        "'\(property.name)' is not a dictionary",
        advice: "write \(property.name)=\(property.collection == nil ? "VALUE" : "[…]")", at: ObjectEdit.place)
    }
    let single = property.asElement
    let isNull = isNull(value.text, single) || value.text == "null" && property.type == .object
    return .literal(.map([(entry, isNull ? .null : try element(value.text, single))]))
  }

  /// The changes of an update, by the names that plans have for them.
  ///
  /// - Throws: `PlanError` with all mistakes.
  func changes(
    set: [ObjectEdit.Value], add: [ObjectEdit.Value], remove: [ObjectEdit.Value],
    unset: [(property: String, key: String)]
  ) throws -> [(String, PlanNode)] {
    try checkingAll { reader in
      let changes: [() throws -> (String, PlanNode)] = [
        { ("values", try reader.map(set, reader.value)) },
        { ("add", try reader.map(add, as: "add", joins: true, reader.elements)) },
        { ("remove", try reader.map(remove, as: "remove", joins: true, reader.removedElements)) },
        { ("unset", try reader.keys(unset)) },
      ]
      return try Self.collectingMistakes(changes) { try $0() }
        .filter { $0.0 == "values" || $0.1.entries?.isEmpty == false }
    }
  }

  /// The keys of entries by dictionary.
  private func keys(_ unset: [(property: String, key: String)]) throws -> PlanNode {
    _ = try Self.collectingMistakes(unset) { entry in
      let property = try property(RealmString(entry.property))
      guard property.collection != .dictionary else { return }
      throw PlanError(
        "'\(property.name)' is not a dictionary", advice: property.collection == nil ? nil : "use --remove",
        at: ObjectEdit.place)
    }
    let keys = Dictionary(grouping: unset) { $0.property }
    return .map(keys.sorted { $0.key < $1.key }.map { ($0.key, .list($0.value.map { .text($0.key) })) })
  }

  /// Reads values. If there are mistakes, looks also for those that would otherwise be found only after them.
  private func checkingAll<Result>(_ read: (EditValues) throws -> Result) throws -> Result {
    do { return try read(self) } catch let error as PlanError {
      var reader = self
      reader.checksValues = true
      _ = try read(reader)
      throw error
    }
  }

  private static let valueField = "values"

  /// Looks up names and checks types, as the edit does that is never made because of other mistakes.
  ///
  /// - Throws: `PlanError` with all mistakes.
  private func check(_ values: [(String, PlanNode)], as field: String) throws {
    var fields: [(String, PlanNode)] = [("class", .text(table.displayName.description)), (field, .map(values))]
    if field != Self.valueField { fields.append((Self.valueField, .map([]))) }
    var options = PlanOptions()
    (options.editsObjects, options.mustRun, options.checksOnly, options.links) = (true, true, true, links)
    let run = PlanRun(try ObjectEdit.plan("set", fields), options)
    let script = MigrationScript(
      editingObjects: { transaction in try run.execute(run.plan.steps, on: transaction) }, spills: false)
    do { try script.dryRun(on: schema) } catch let failure as PlanFailure {
      throw PlanError(failure)
    }
  }

  func objects(_ values: [ObjectEdit.Value], json: String?) throws -> PlanNode {
    let objects = try json.map { try Self.objects(in: $0) }
    return try checkingAll { reader in
      var given: [PlanNode.Entry] = []
      let parts: [() throws -> Void] =
        [{ given = try reader.map(values, reader.constant).entries ?? [] }]
        + (reader.checksValues ? objects ?? [] : []).enumerated().map { index, object in
          {
            do { try reader.check(object, without: values) } catch let error as PlanError
              where objects?.count ?? 0 > 1
            {
              throw PlanError(error.mistakes(in: "object \(index + 1)"))
            }
          }
        }
      _ = try Self.collectingMistakes(parts) { try $0() }
      guard let objects else { return .list([PlanNode(.map(given), at: ObjectEdit.place)]) }
      return .list(
        objects.map { object in
          let entries = (object.entries ?? []).filter { entry in !given.contains { $0.name == entry.name } }.map {
            PlanNode.Entry(key: $0.name, location: ObjectEdit.place, value: .literal($0.value))
          }
          return PlanNode(.map(entries + given), at: ObjectEdit.place)
        })
    }
  }

  /// - Parameter replaced: values that are given instead of those of the object.
  private func check(_ object: PlanNode, without replaced: [ObjectEdit.Value]) throws {
    let entries = (object.entries ?? []).filter { entry in !replaced.contains { RealmString($0.property) == entry.name }
    }
    try check(entries.map { ($0.key, .literal($0.value)) }, as: Self.valueField)
  }

  /// The objects in a JSON text.
  ///
  /// - Throws: `PlanError` if it contains anything else.
  static func objects(in json: String) throws -> [PlanNode] {
    let node: PlanNode
    do { node = try PlanNode.json(json) } catch let error as PlanError {
      let place = error.mistakes.first.map { " (line \($0.location.line), column \($0.location.column))" } ?? ""
      let isFile = json.hasPrefix("@") || json.hasSuffix(".json")
      throw unreadable(
        "is not valid JSON: \(error.message)\(place)",
        advice: isFile ? "for the objects of a file, use 'import'" : nil)
    }
    let objects = node.elements ?? [node]
    guard objects.allSatisfy({ $0.entries != nil }) else {
      throw unreadable("takes a JSON object or an array of objects, not \(ShownText.beginning(of: json))")
    }
    return objects
  }

  /// A text that contains no objects.
  private static func unreadable(_ problem: String, advice: String? = nil) -> PlanError {
    let option = "--object"
    var error = PlanError("\(option) \(problem)", advice: advice, at: ObjectEdit.place)
    error.mistakes[0].option = option
    return error
  }

  /// A value that is set: of single values a template, whose text is converted.
  private func value(_ text: String, _ property: Property) throws -> PlanNode {
    guard property.collection == nil, property.type != .object, !isNull(text, property) else {
      return try constant(text, property)
    }
    switch property.type {
    // Data is typed as it is shown, in Base64; data composed of other values is their text.
    case .data where !text.contains(where: { $0 == "{" || $0 == "}" }): return try constant(text, property)
    // JSON, or text.
    case .mixed where text.first == "[" || text.first == "\"" || (try? PlanNode.json(text)) != nil:
      return try constant(text, property)
    default: break
    }
    // What nothing is inserted into is the same for every object, so one message is enough.
    if property.type != .string, property.type != .mixed, !text.contains("{") { try check(text, property) }
    try check(text, "template", of: property) { text throws(ExpressionError) in _ = try Template(text) }
    return .map([("template", .text(text))])
  }

  /// - Parameter kind: what messages call the text.
  /// - Throws: `PlanError` for what `read` throws.
  private func check(
    _ text: String, _ kind: String, of property: Property, _ read: (String) throws(ExpressionError) -> Void
  ) throws(PlanError) {
    do throws(ExpressionError) { try read(text) } catch {
      throw PlanError(
        "the \(kind) of '\(property.name)' is not valid: \(error.text(in: text))", advice: error.advice,
        at: ObjectEdit.place)
    }
  }

  /// - Throws: `PlanError` for a text that is no value of the property.
  private func check(_ text: String, _ property: Property) throws {
    let value = Value.string(RealmString(text))
    do throws(ValueError) { _ = try ScalarConversion(type: property.type).convert(value) } catch {
      if text == "null" { throw PlanError.notNullable(property, at: ObjectEdit.place) }
      guard error == ValueError(value, property.type) else {
        throw PlanError("'\(property.name)': \(error.fact)", at: ObjectEdit.place)
      }
      throw PlanError(
        "'\(property.name)' takes \(property.type.valueText), not '\(text)'", advice: property.type.advice(on: text),
        at: ObjectEdit.place)
    }
  }

  /// A value used as it is.
  func constant(_ text: String, _ property: Property) throws -> PlanNode {
    if isNull(text, property) { return .null }
    guard property.collection == nil else {
      let isDictionary = property.collection == .dictionary
      let node = try json(text, for: property)
      // The typed forms of both are objects.
      let isObject = node?.entries.map { isDictionary || $0.first?.key.hasPrefix("$") == true } ?? false
      guard let node, node.isNull || isObject || !isDictionary && node.elements != nil else {
        throw PlanError(
          "'\(property.name)' takes a JSON \(isDictionary ? "object" : "array")\(example(of: property)), not '\(text)'",
          at: ObjectEdit.place)
      }
      return .literal(node)
    }
    return .literal(try element(text, property))
  }

  /// A JSON value; nil for text that does not begin as an object or an array.
  ///
  /// - Throws: `PlanError` that says what is wrong with one that does.
  private func json(_ text: String, for property: Property) throws -> PlanNode? {
    do { return try PlanNode.json(text) } catch let error as PlanError {
      guard text.first == "{" || text.first == "[", let mistake = error.mistakes.first else { return nil }
      throw PlanError(
        "the value of '\(property.name)' is not valid JSON: \(error.message) (line \(mistake.location.line), column "
          + "\(mistake.location.column))", at: ObjectEdit.place)
    }
  }

  /// `, such as '["a"]'`; empty for types whose values have no typical form.
  private func example(of property: Property) -> String {
    var element = property.type.example
    guard !element.isEmpty else { return "" }
    if [.string, .date, .uuid].contains(property.type) { element = "\"\(element)\"" }
    return ", such as '" + (property.collection == .dictionary ? "{\"key\": \(element)}" : "[\(element)]") + "'"
  }

  /// One element of a collection, or several as an array; entries of a dictionary as an object.
  private func elements(_ text: String, _ property: Property) throws -> PlanNode {
    guard let collection = property.collection else {
      throw PlanError("'\(property.name)' is not a collection", advice: "use --set", at: ObjectEdit.place)
    }
    guard collection != .dictionary else { return try constant(text, property) }
    if text.first == "[", let node = try? PlanNode.json(text), let elements = node.elements {
      return .list(elements.map { .literal($0) })
    }
    let single = property.asElement
    return .list([.literal(isNull(text, single) ? .null : try element(text, single))])
  }

  /// The same to be removed.
  private func removedElements(_ text: String, _ property: Property) throws -> PlanNode {
    guard property.collection != .dictionary else {
      throw PlanError(
        "'\(property.name)' is a dictionary, whose entries are removed by their keys",
        advice: "write --unset '\(property.name)[\"key\"]'", at: ObjectEdit.place)
    }
    return try elements(text, property)
  }

  private func isNull(_ text: String, _ property: Property) -> Bool {
    text == "null" && (property.isOptional || property.collection != nil)
  }

  /// One value, as a literal has it.
  private func element(_ text: String, _ property: Property) throws -> PlanNode {
    // Of other types, it is text that is a value.
    if text == "null", ![.string, .data, .mixed, .object].contains(property.type) {
      throw PlanError.notNullable(property, at: ObjectEdit.place)
    }
    switch property.type {
    case .mixed:
      if let node = try? PlanNode.json(text) { return node }
      // Text that begins like JSON was meant to be JSON.
      guard let first = text.first, "[{\"".contains(first) else { return .text(text) }
      throw PlanError(
        "'\(property.name)' is mixed, and the value begins like JSON but is not valid JSON",
        advice: "put text in quotes, as in JSON", at: ObjectEdit.place)
    case .object: return try link(text, property)
    case .int, .float, .double, .decimal128, .bool:
      if let node = Self.plain(text, property.type) { return node }
      let node = try? PlanNode.json(text)
      switch node?.content {
      case .number, .bool: return node ?? .text(text)
      default: return .text(text)
      }
    default: return .text(text)
    }
  }

  /// A number or boolean that is not written as in JSON, but as in CSV and for `update`: `+5`, `.5`, `TRUE`.
  private static func plain(_ text: String, _ type: PropertyType) -> PlanNode? {
    switch try? ScalarConversion(type: type).convert(.string(RealmString(text))) {
    case .int(let number): PlanNode(.number("\(number)"), at: ObjectEdit.place)
    case .bool(let flag): PlanNode(.bool(flag), at: ObjectEdit.place)
    case .double(let number) where number.isFinite:
      PlanNode(.number("\(number)"), at: ObjectEdit.place)
    case .float(let number) where number.isFinite:
      PlanNode(.number("\(number)"), at: ObjectEdit.place)
    default: nil
    }
  }

  /// An embedded object as JSON, or the key of an object.
  private func link(_ text: String, _ property: Property) throws -> PlanNode {
    let target = schema.tables.first { $0.name == property.target }
    if text.first == "{", let node = try json(text, for: property) { return node }
    guard let target, target.kind != .embedded else {
      throw PlanError(
        "'\(property.name)' takes a JSON object with properties of '\(target?.displayName ?? "")', not '\(text)'",
        at: ObjectEdit.place)
    }
    let number = Int64(text) == nil ? nil : PlanNode(.number(text), at: ObjectEdit.place)
    guard let key = target.primaryKey else {
      guard let number else {
        throw PlanError(
          "'\(property.name)' takes the object key of an object of class '\(target.displayName)', a number, not '\(text)'",
          at: ObjectEdit.place)
      }
      return .map([("$link", .map([("table", .text(target.displayName.description)), ("objKey", number)]))])
    }
    return key.type == .int ? number ?? .text(text) : .text(text)
  }
}

/// Nodes without a place in a plan.
extension PlanNode {
  static var null: PlanNode { PlanNode(.null, at: ObjectEdit.place) }
  static func text(_ text: String) -> PlanNode { PlanNode(.string(text), at: ObjectEdit.place) }
  static func list(_ elements: [PlanNode]) -> PlanNode { PlanNode(.list(elements), at: ObjectEdit.place) }
  static func map(_ entries: [(String, PlanNode)]) -> PlanNode {
    PlanNode(.map(entries.map { Entry(key: $0.0, location: ObjectEdit.place, value: $0.1) }), at: ObjectEdit.place)
  }

  /// Nothing in it is computed.
  static func literal(_ node: PlanNode) -> PlanNode { .map([("literal", node)]) }

  static func json(_ text: String) throws -> PlanNode { try PlanJSON(Array(text.utf8)).parse() }

  /// The elements of lists, or the entries of dictionaries; nil for everything else.
  ///
  /// - Throws: `PlanError` for an entry that is in two of them.
  fileprivate static func joined(_ nodes: [PlanNode]) throws -> PlanNode? {
    let lists = nodes.compactMap(\.elements)
    guard lists.count < nodes.count else { return .list(lists.flatMap { $0 }) }
    let maps = nodes.compactMap(\.literalEntries)
    guard maps.count == nodes.count else { return nil }
    let entries = maps.flatMap { $0 }
    var names: Set<RealmString> = []
    if let twice = entries.first(where: { !names.insert($0.name).inserted }) {
      throw PlanError("the entry '\(twice.key)' is given twice", at: ObjectEdit.place)
    }
    return .literal(PlanNode(.map(entries), at: ObjectEdit.place))
  }

  /// The entries of a dictionary that is given as a value, in plain form.
  private var literalEntries: [Entry]? {
    guard let literal = self["literal"] else { return nil }
    return (literal["$dictionary"] ?? literal).entries
  }
}
