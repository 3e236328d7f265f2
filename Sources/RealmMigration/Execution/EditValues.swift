import RealmStorage

/// Reads values of an edit as typed on the command line, by the types of the properties.
struct EditValues {
  let table: TableSchema
  let schema: Schema

  private func property(_ name: String) throws -> Property {
    if let property = table.property(named: RealmString(name)) { return property }
    throw PlanError(
      "class '\(table.displayName)' has no property '\(name)'"
        + PlanMistakes.hint(name, among: table.properties.map(\.name.description)), at: ObjectEdit.place)
  }

  func map(_ values: [ObjectEdit.Value], _ read: (String, Property) throws -> PlanNode) throws -> PlanNode {
    var entries: [(String, PlanNode)] = []
    for value in values {
      let property = try property(value.property)
      let node = try node(of: value, property, read)
      if value.entry != nil, let index = entries.firstIndex(where: { $0.0 == value.property }),
        let first = entries[index].1.entries, let more = node.entries
      {
        entries[index].1 = PlanNode(.map(first + more), at: ObjectEdit.place)
        continue
      }
      if let index = entries.firstIndex(where: { $0.0 == value.property }),
        case .list(let first)? = entries[index].1.literal,
        case .list(let more)? = node.literal
      {
        entries[index].1 = .literal(.list(first + more))
        continue
      }
      guard !entries.contains(where: { $0.0 == value.property }) else {
        throw PlanError("property '\(value.property)' is given twice", at: ObjectEdit.place)
      }
      entries.append((value.property, node))
    }
    return .map(entries)
  }

  private func node(
    of value: ObjectEdit.Value, _ property: Property, _ read: (String, Property) throws -> PlanNode
  ) throws -> PlanNode {
    if value.isFormula { return .map([("expr", .text(value.text))]) }
    guard let entry = value.entry else { return try read(value.text, property) }
    guard property.collection == .dictionary else {
      throw PlanError("'\(property.name)' is not a dictionary", at: ObjectEdit.place)
    }
    var single = property
    single.collection = nil
    let isNull = isNull(value.text, single) || value.text == "null" && property.type == .object
    return .map([(entry, isNull ? PlanNode(.null, at: ObjectEdit.place) : try element(value.text, single))])
  }

  func objects(_ values: [ObjectEdit.Value], json: String?) throws -> PlanNode {
    guard let json else { return .list([try map(values, constant)]) }
    let node = try PlanNode.json(json)
    let objects = node.elements ?? [node]
    guard objects.allSatisfy({ $0.entries != nil }) else {
      throw PlanError("--json takes an object or an array of objects", at: ObjectEdit.place)
    }
    let given = try map(values, constant).entries ?? []
    return .list(
      objects.map { object in
        let entries = (object.entries ?? []).map { entry in
          PlanNode.Entry(key: entry.name, location: ObjectEdit.place, value: .literal(entry.value))
        }
        return PlanNode(
          .map(entries.filter { entry in !given.contains { $0.name == entry.name } } + given), at: ObjectEdit.place)
      })
  }

  /// A value that is set: of single values a template, whose text is converted.
  func value(_ text: String, _ property: Property) throws -> PlanNode {
    guard property.collection == nil, ![.object, .mixed].contains(property.type), !isNull(text, property) else {
      return try constant(text, property)
    }
    // Bytes are typed as they are shown, in Base64; what is put together of other values is their text.
    if property.type == .data, !text.contains(where: { $0 == "{" || $0 == "}" }) { return try constant(text, property) }
    return .map([("template", .text(text))])
  }

  /// A value as it stands.
  func constant(_ text: String, _ property: Property) throws -> PlanNode {
    if isNull(text, property) { return PlanNode(.null, at: ObjectEdit.place) }
    guard property.collection == nil else {
      guard let node = try? PlanNode.json(text), node.elements != nil || node.entries != nil || node.isNull else {
        throw PlanError(
          "'\(property.name)' is a \(property.collection == .dictionary ? "dictionary, which takes an object" : "collection, which takes an array") of JSON",
          at: ObjectEdit.place)
      }
      return .literal(node)
    }
    return try element(text, property)
  }

  /// One element of a collection, or several as an array; entries of a dictionary as an object.
  func elements(_ text: String, _ property: Property) throws -> PlanNode {
    guard let collection = property.collection else {
      throw PlanError("'\(property.name)' is not a collection; use --set", at: ObjectEdit.place)
    }
    var single = property
    single.collection = nil
    guard collection != .dictionary else { return try constant(text, property) }
    if text.first == "[", let node = try? PlanNode.json(text), let elements = node.elements {
      return .list(elements.map { .literal($0) })
    }
    return .list([isNull(text, single) ? PlanNode(.null, at: ObjectEdit.place) : try element(text, single)])
  }

  private func isNull(_ text: String, _ property: Property) -> Bool {
    text == "null" && (property.isOptional || property.collection != nil)
  }

  private func element(_ text: String, _ property: Property) throws -> PlanNode {
    switch property.type {
    case .mixed:
      if let node = try? PlanNode.json(text) { return .literal(node) }
      return .literal(.text(text))
    case .object: return try link(text, property)
    case .int, .float, .double, .decimal128, .bool:
      let node = try? PlanNode.json(text)
      switch node?.content {
      case .number, .bool: return .literal(node ?? .text(text))
      default: return .literal(.text(text))
      }
    default: return .literal(.text(text))
    }
  }

  /// An embedded object as JSON, or the key of an object.
  private func link(_ text: String, _ property: Property) throws -> PlanNode {
    let target = schema.tables.first { $0.name == property.target }
    if text.first == "{", let node = try? PlanNode.json(text) { return .literal(node) }
    guard let target, target.kind != .embedded else {
      throw PlanError("'\(property.name)' takes an object of JSON", at: ObjectEdit.place)
    }
    let number = Int64(text) == nil ? nil : PlanNode(.number(text), at: ObjectEdit.place)
    guard let key = target.primaryKey else {
      guard let number else {
        throw PlanError(
          "'\(property.name)' takes the object key of a \(target.displayName), a number", at: ObjectEdit.place)
      }
      return .literal(.map([("$link", .map([("table", .text(target.displayName.description)), ("objKey", number)]))]))
    }
    return .literal(key.type == .int ? number ?? .text(text) : .text(text))
  }
}

/// Nodes without a place in a plan.
extension PlanNode {
  static func text(_ text: String) -> PlanNode { PlanNode(.string(text), at: ObjectEdit.place) }
  static func list(_ elements: [PlanNode]) -> PlanNode { PlanNode(.list(elements), at: ObjectEdit.place) }
  static func map(_ entries: [(String, PlanNode)]) -> PlanNode {
    PlanNode(.map(entries.map { Entry(key: $0.0, location: ObjectEdit.place, value: $0.1) }), at: ObjectEdit.place)
  }

  /// Nothing in it is computed.
  static func literal(_ node: PlanNode) -> PlanNode { .map([("literal", node)]) }

  /// What a list without computed parts holds.
  var literal: Content? {
    if case .list = content { return content }
    return nil
  }

  static func json(_ text: String) throws -> PlanNode { try PlanJSON(Array(text.utf8)).parse() }
}
