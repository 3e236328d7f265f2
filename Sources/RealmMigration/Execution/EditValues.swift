import RealmExchange
import RealmOpening
import RealmQuery
import RealmStorage
import RealmText
import RealmTools

/// Reads values of an edit as typed on the command line, by the types of the properties.
struct EditValues {
  let table: TableSchema
  let schema: Schema
  /// Looks up the names in values, without objects. There is one once a mistake was found: others would be found only
  /// after it.
  private let execution: PlanExecution?

  init(table: TableSchema, schema: Schema, execution: PlanExecution? = nil) {
    (self.table, self.schema, self.execution) = (table, schema, execution)
  }

  private func property(_ name: RealmString) throws -> Property {
    if let property = table.property(named: name) { return property }
    var error = PlanError.noProperty(name, of: table, at: .option)
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
  ///   - part: of the operation that they are for.
  ///   - joins: whether several values for one collection are joined into one.
  /// - Throws: `PlanError`.
  private func assignments(
    _ values: [ObjectEdit.Value], for part: WritableKeyPath<PlanOperation.SetValues, [PlanOperation.Assignment]>,
    joins: Bool = false, _ read: (String, Property) throws -> PlanValue
  ) throws -> [PlanOperation.Assignment] {
    let given = try Self.collectingMistakes(values) { value in
      let property = try property(RealmString(value.property))
      let assignment = PlanOperation.Assignment(property, try self.value(value, property, read))
      try check([assignment], as: part)
      return assignment
    }
    var assignments: [PlanOperation.Assignment] = []
    for assignment in given {
      let name = assignment.property.value
      guard let index = assignments.firstIndex(where: { $0.property.value == name }) else {
        assignments.append(assignment)
        continue
      }
      guard joins, let joined = try assignments[index].value.joined(with: assignment.value) else {
        throw PlanError("property '\(name)' is given twice", at: .option)
      }
      assignments[index].value = joined
    }
    return assignments
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

  private func value(
    _ value: ObjectEdit.Value, _ property: Property, _ read: (String, Property) throws -> PlanValue
  ) throws -> PlanValue {
    if value.isFormula {
      return .expression(
        try parsed(value.text, "formula", of: property) { text throws(ExpressionError) in
          try ExpressionParser.formula(text)
        })
    }
    guard let entry = value.entry else { return try read(value.text, property) }
    guard property.collection == .dictionary else {
      throw PlanError(
        "'\(property.name)' is not a dictionary",
        advice: "write \(property.name)=\(property.collection == nil ? "VALUE" : "[…]")", at: .option)
    }
    let single = property.asElement
    let isNull = isNull(value.text, single) || value.text == "null" && property.type == .object
    return .literally(.map([(entry, isNull ? .null : try element(value.text, single))]))
  }

  /// The operation of an update.
  ///
  /// - Parameter links: finds what values link to, for mistakes after the first.
  /// - Throws: `PlanError` with all mistakes.
  func changes(
    _ filter: QueryText?, set: [ObjectEdit.Value], add: [ObjectEdit.Value], remove: [ObjectEdit.Value],
    unset: [PlanOperation.Unset], links: KnownObjects?
  ) throws -> PlanOperation.SetValues {
    try checkingAll(links) { reader in
      var action = reader.change
      action.filter = filter
      let parts: [(inout PlanOperation.SetValues) throws -> Void] = [
        { $0.values = try reader.assignments(set, for: \.values, reader.value) },
        { $0.added = try reader.assignments(add, for: \.added, joins: true, reader.elements) },
        { $0.removed = try reader.assignments(remove, for: \.removed, joins: true, reader.removedElements) },
        { $0.unset = try Self.collectingMistakes(unset, reader.entry) },
      ]
      _ = try Self.collectingMistakes(parts) { try $0(&action) }
      return action
    }
  }

  private func entry(_ unset: PlanOperation.Unset) throws -> PlanOperation.Unset {
    let property = try property(unset.property.value)
    guard property.collection != .dictionary else { return unset }
    throw PlanError(
      "'\(property.name)' is not a dictionary", advice: property.collection == nil ? nil : "use --remove",
      at: .option)
  }

  /// Reads values. If there are mistakes, looks also for those that would otherwise be found only after them.
  private func checkingAll<Result>(
    _ links: KnownObjects?, _ read: @escaping @Sendable (EditValues) throws -> Result
  ) throws -> Result {
    do { return try read(self) } catch let error as PlanError {
      var options = PlanOptions()
      (options.origin, options.checksOnly, options.links) = (.edit, true, links)
      let run = PlanRun(MigrationPlan(steps: []), options)
      try MigrationScript(
        editingObjects: { [table, schema] transaction in
          _ = try read(EditValues(table: table, schema: schema, execution: PlanExecution([], run, transaction)))
          return MigrationScript.Outcome()
        }, spills: false
      ).dryRun(on: schema)
      throw error
    }
  }

  /// An operation that changes nothing yet.
  private var change: PlanOperation.SetValues {
    PlanOperation.SetValues(
      className: Located(table.displayName, at: .option), values: [], policies: PlanOperation.Policies())
  }

  /// Looks up names and checks types.
  ///
  /// - Throws: `PlanError` with all mistakes.
  private func check(
    _ values: [PlanOperation.Assignment],
    as part: WritableKeyPath<PlanOperation.SetValues, [PlanOperation.Assignment]>
  ) throws {
    guard let execution else { return }
    var action = change
    action[keyPath: part] = values
    try execution.check(PlanOperation("set", .set(action)))
  }

  /// The objects to insert: those of a JSON text with values in place of theirs, or one of values alone.
  ///
  /// - Throws: `PlanError` with all mistakes.
  func objects(
    _ values: [ObjectEdit.Value], json: String?, links: KnownObjects?
  ) throws -> [Located<[PlanOperation.Assignment]>] {
    let objects = try json.map { try Self.objects(in: $0) } ?? [.map([])]
    let others = objects.map { object in
      (object.entries ?? []).filter { entry in !values.contains { RealmString($0.property) == entry.name } }.map {
        PlanOperation.Assignment(property: Located($0.name, at: .option), value: .literally($0.value))
      }
    }
    return try checkingAll(links) { reader in
      var given: [PlanOperation.Assignment] = []
      let parts: [() throws -> Void] =
        [{ given = try reader.assignments(values, for: \.values, reader.constant) }]
        + others.enumerated().map { index, object in
          {
            do { try reader.check(object, as: \.values) } catch let error as PlanError where others.count > 1 {
              throw PlanError(error.mistakes(in: "object \(index + 1)"))
            }
          }
        }
      _ = try Self.collectingMistakes(parts) { try $0() }
      return others.map { Located($0 + given, at: .option) }
    }
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
    PlanError("--object \(problem)", advice: advice, at: .option, .option)
  }

  /// A value that is set: of single values the text with what is inserted into it, converted once if nothing is.
  private func value(_ text: String, _ property: Property) throws -> PlanValue {
    guard property.collection == nil, property.type != .object, !isNull(text, property) else {
      return try constant(text, property)
    }
    // A mark that follows a brace does not make it another character.
    let hasBraces = text.unicodeScalars.contains { $0 == "{" || $0 == "}" }
    switch property.type {
    // Data is typed as it is shown, in Base64; data composed of other values is their text.
    case .data where !hasBraces: return try constant(text, property)
    // JSON, or text.
    case .mixed where text.first == "[" || text.first == "\"" || (try? PlanNode.json(text)) != nil:
      return try constant(text, property)
    case .string where !hasBraces, .mixed where !hasBraces:
      return .constant(.string(RealmString(text)), .option)
    case .string, .mixed: break
    // What nothing is inserted into is the same for every object, so one message is enough.
    default:
      guard !text.unicodeScalars.contains("{") else { break }
      let value = try converted(text, property)
      if !hasBraces { return .constant(value, .option) }
    }
    let template = try parsed(text, "template", of: property) { text throws(ExpressionError) in try Template(text) }
    return .template(template, nil)
  }

  /// - Parameter kind: what messages call the text.
  /// - Throws: `PlanError` for what `read` throws.
  private func parsed<Result>(
    _ text: String, _ kind: String, of property: Property, _ read: (String) throws(ExpressionError) -> Result
  ) throws(PlanError) -> Located<Result> {
    do throws(ExpressionError) { return Located(try read(text), at: .option) } catch {
      throw PlanError(
        "the \(kind) of '\(property.name)' is not valid: \(error.text(in: text))", advice: error.advice,
        at: .option)
    }
  }

  /// - Throws: `PlanError` for a text that is no value of the property.
  private func converted(_ text: String, _ property: Property) throws -> Value {
    let value = Value.string(RealmString(text))
    do throws(ValueError) { return try ScalarConversion(type: property.type).convert(value) } catch {
      if text == "null" { throw PlanError.notNullable(property, at: .option) }
      guard error == ValueError(value, property.type) else {
        throw PlanError("'\(property.name)': \(error.fact)", at: .option)
      }
      throw PlanError(
        "'\(property.name)' takes \(property.type.valueText), not '\(text)'", advice: property.type.advice(on: text),
        at: .option)
    }
  }

  private func constant(_ text: String, _ property: Property) throws -> PlanValue {
    .literally(try node(text, property))
  }

  /// A value used as it is.
  func node(_ text: String, _ property: Property) throws -> PlanNode {
    if isNull(text, property) { return .null }
    guard property.collection == nil else {
      let isDictionary = property.collection == .dictionary
      let node = try json(text, for: property)
      // The typed forms of both are objects.
      let isObject = node?.entries.map { isDictionary || $0.first?.key.hasPrefix("$") == true } ?? false
      guard let node, node.isNull || isObject || !isDictionary && node.elements != nil else {
        throw PlanError(
          "'\(property.name)' takes a JSON \(isDictionary ? "object" : "array")\(example(of: property)), not '\(text)'",
          at: .option)
      }
      return node
    }
    return try element(text, property)
  }

  /// A JSON value; nil for text that does not begin as an object or an array.
  ///
  /// - Throws: `PlanError` that says what is wrong with one that does.
  private func json(_ text: String, for property: Property) throws -> PlanNode? {
    do { return try PlanNode.json(text) } catch let error as PlanError {
      guard text.first == "{" || text.first == "[", let mistake = error.mistakes.first else { return nil }
      throw PlanError(
        "the value of '\(property.name)' is not valid JSON: \(error.message) (line \(mistake.location.line), column "
          + "\(mistake.location.column))", at: .option)
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
  private func elements(_ text: String, _ property: Property) throws -> PlanValue {
    guard let collection = property.collection else {
      throw PlanError("'\(property.name)' is not a collection", advice: "use --set", at: .option)
    }
    guard collection != .dictionary else { return try constant(text, property) }
    if text.first == "[", let node = try? PlanNode.json(text), let elements = node.elements {
      return .list(elements.map(PlanValue.literally), .option)
    }
    let single = property.asElement
    return .list([.literally(isNull(text, single) ? .null : try element(text, single))], .option)
  }

  /// The same to be removed.
  private func removedElements(_ text: String, _ property: Property) throws -> PlanValue {
    guard property.collection != .dictionary else {
      throw PlanError(
        "'\(property.name)' is a dictionary, whose entries are removed by their keys",
        advice: "write --unset '\(property.name)[\"key\"]'", at: .option)
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
      throw PlanError.notNullable(property, at: .option)
    }
    switch property.type {
    case .mixed:
      if let node = try? PlanNode.json(text) { return node }
      // Text that begins like JSON was meant to be JSON.
      guard let first = text.first, "[{\"".contains(first) else { return .text(text) }
      throw PlanError(
        "'\(property.name)' is mixed, and the value begins like JSON but is not valid JSON",
        advice: "put text in quotes, as in JSON", at: .option)
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
    case .int(let number): PlanNode(.number("\(number)"), at: .option)
    case .bool(let flag): PlanNode(.bool(flag), at: .option)
    case .double(let number) where number.isFinite:
      PlanNode(.number("\(number)"), at: .option)
    case .float(let number) where number.isFinite:
      PlanNode(.number("\(number)"), at: .option)
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
        at: .option)
    }
    let number = Int64(text) == nil ? nil : PlanNode(.number(text), at: .option)
    guard let key = target.primaryKey else {
      guard let number else {
        throw PlanError(
          "'\(property.name)' takes the object key of an object of class '\(target.displayName)', a number, not '\(text)'",
          at: .option)
      }
      return .map([("$link", .map([("table", .text(target.displayName.description)), ("objKey", number)]))])
    }
    return key.type == .int ? number ?? .text(text) : .text(text)
  }
}

extension PlanOperation.Assignment {
  fileprivate init(_ property: Property, _ value: PlanValue) {
    self.init(property: Located(property.name, at: .option), value: value)
  }
}

extension PlanValue {
  /// A value in which nothing is computed.
  fileprivate static func literally(_ node: PlanNode) -> PlanValue { PlanReader().plainValue(node) }

  /// The elements of two lists, or the entries of two dictionaries; nil for everything else.
  ///
  /// - Throws: `PlanError` for an entry that is in both.
  fileprivate func joined(with other: PlanValue) throws -> PlanValue? {
    if case .list(let elements, let place) = self, case .list(let others, _) = other {
      return .list(elements + others, place)
    }
    guard let entries, let others = other.entries else { return nil }
    if let twice = others.first(where: { other in entries.contains { $0.name == other.name } }) {
      throw PlanError("the entry '\(twice.key)' is given twice", at: .option)
    }
    return .literally(PlanNode(.map(entries + others), at: .option))
  }

  /// The entries of a dictionary, in plain form.
  private var entries: [PlanNode.Entry]? { node.flatMap { ($0["$dictionary"] ?? $0).entries } }
}

/// Nodes without a place in a plan.
extension PlanNode {
  static var null: PlanNode { PlanNode(.null, at: .option) }
  static func text(_ text: String) -> PlanNode { PlanNode(.string(text), at: .option) }
  static func map(_ entries: [(String, PlanNode)]) -> PlanNode {
    PlanNode(.map(entries.map { Entry(key: $0.0, location: .option, value: $0.1) }), at: .option)
  }

  static func json(_ text: String) throws -> PlanNode { try PlanJSON(Array(text.utf8)).parse() }
}
