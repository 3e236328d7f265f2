import RealmExchange
import RealmStorage
import RealmText

/// Reads literals of plans, and of what programs answer, as values of a type: plain JSON, or JSON's typed forms
/// (`{"$oid": …}`).
struct Literal {
  /// A link to the object that a literal names: a primary key, or `{"$link": …}`.
  typealias Link = (_ node: PlanNode, _ property: Property) throws -> Value

  /// Whether all wrong elements of a collection are named, and not only the first.
  var collectsMistakes = false
  let link: Link

  /// The value of a property.
  ///
  /// - Throws: `PlanError`; what `link` throws.
  func value(_ node: PlanNode, of property: Property) throws -> Value {
    switch property.collection {
    case nil: return try element(node, of: property)
    case .list: return .list(try elements(node, of: property))
    case .set:
      let elements = try elements(node["$set"] ?? node, of: property)
      return .set(elements.distinct)
    case .dictionary:
      let map = node["$dictionary"] ?? node
      guard let entries = map.entries else {
        throw PlanError("'\(property.name)' takes a mapping, not \(PlanFields.shown(node))", at: node.location)
      }
      let values = try each(entries) { entry in
        try PlanError.requireKey(of: entry, in: property)
        return (entry.name, try element(entry.value, of: property.element(atKey: entry.name)))
      }
      return .dictionary(Dictionary(values) { $1 })
    }
  }

  private func elements(_ node: PlanNode, of property: Property) throws -> [Value] {
    guard let elements = node.elements else {
      throw PlanError("'\(property.name)' takes a list, not \(PlanFields.shown(node))", at: node.location)
    }
    return try each(Array(elements.enumerated())) { try element($1, of: property.element(at: "\($0)")) }
  }

  private func each<Element, Result>(_ elements: [Element], _ body: (Element) throws -> Result) throws -> [Result] {
    try collectsMistakes ? EditValues.collectingMistakes(elements, body) : elements.map(body)
  }

  /// A single value, or one in a collection.
  func element(_ node: PlanNode, of property: Property) throws -> Value {
    if node.isNull {
      guard property.isOptional else { throw PlanError.notNullable(property, at: node.location) }
      return .null
    }
    if property.type == .object { return try link(node, property) }
    if property.type == .mixed { return try mixed(node, property, depth: 0) }
    guard let value = try? node.json.scalar(as: property.type) else {
      // A number where text has to be: `5` for a string, the digits of an object id.
      let quoted = node.text == nil ? node.scalarText.map { JSONValue.string(RealmString($0)) } : nil
      // `"5"` for a number.
      let unquoted = node.text.flatMap { try? PlanNode.json($0) }?.json
      func fits(_ value: JSONValue?) -> Bool { value.map { (try? $0.scalar(as: property.type)) != nil } ?? false }
      throw PlanError(
        "'\(property.name)' takes \(property.type.valueText), not \(PlanFields.shown(node))",
        advice: fits(quoted)
          ? "put it in quotes"
          : fits(unquoted) ? "omit the quotes" : node.scalarText.flatMap { property.type.advice(on: $0) },
        at: node.location)
    }
    return value
  }

  /// The primary key of an object.
  ///
  /// - Parameters:
  ///   - key: the property it is a value of.
  ///   - table: the class of the object.
  ///   - link: the property that links to it, which is then the one with the wrong value; nil if the object is named
  ///     for another reason.
  func primaryKey(
    _ node: PlanNode, _ key: Property, of table: TableSchema, for link: Property?
  ) throws -> Value {
    guard let link, link.type == .object, !node.isNull, (try? node.json.scalar(as: key.type)) == nil else {
      return try element(node, of: key)
    }
    let quoted = node.text == nil ? node.scalarText.map { JSONValue.string(RealmString($0)) } : nil
    let fitsInQuotes = quoted.map { (try? $0.scalar(as: key.type)) != nil } ?? false
    throw PlanError(
      "'\(link.name)' takes the primary key of an object of class '\(table.displayName)', \(key.type.valueText), not "
        + PlanFields.shown(node), advice: fitsInQuotes ? "put it in quotes" : nil, at: node.location)
  }

  private func mixed(_ node: PlanNode, _ property: Property, depth: Int) throws -> Value {
    switch node.content {
    case .null: return .null
    case .bool, .string, .bytes, .number:
      guard let value = try? node.json.scalar(as: .mixed) else {
        throw PlanError(
          "'\(property.name)': \(node.scalarText ?? "") is out of range for a mixed value: integers have 64 bits",
          advice: "write \(node.scalarText ?? "").0 for a double, or '$numberDecimal'", at: node.location)
      }
      return value
    case .list(let elements): return .list(try elements.map { try mixed($0, property, depth: depth + 1) })
    case .map(let entries):
      if node["$link"] != nil { return try link(node, property).inMixed }
      if entries.count == 1, let value = try? node.json.scalar(as: .mixed) { return value }
      var values: [RealmString: Value] = [:]
      for entry in node["$dictionary"]?.entries ?? entries {
        try PlanError.requireKey(of: entry, in: property)
        values[entry.name] = try mixed(entry.value, property, depth: depth + 1)
      }
      return .dictionary(values)
    }
  }
}

extension PlanError {
  /// The engine refuses some keys of dictionaries.
  ///
  /// - Throws: `PlanError` with the property.
  fileprivate static func requireKey(of entry: PlanNode.Entry, in property: Property) throws(PlanError) {
    do { try BuildError.requireDictionaryKey(entry.name) } catch {
      throw PlanError("'\(property.name)': \(error)", advice: PlanExecution.advice(on: error), at: entry.location)
    }
  }
}

extension Value {
  /// As stored in a Mixed value.
  var inMixed: Value {
    switch self {
    case .link(let table, let key): .typedLink(table, key)
    case .list(let elements): .list(elements.map(\.inMixed))
    case .dictionary(let entries): .dictionary(entries.mapValues(\.inMixed))
    default: self
    }
  }
}

extension [Value] {
  /// Each element once. Like sets and the query language, this treats 1, 1.0 and decimal 1.00 as equal. The first of
  /// equal elements stays.
  var distinct: [Value] {
    let arena = ByteArena()
    let views = map { $0.view(in: arena) }
    var places = Array<Int>(indices)
    places.sort { left, right in
      let order = ValueOrder.compare(views[left], views[right])
      return order == 0 ? left < right : order < 0
    }
    var kept: [Int] = []
    for place in places {
      if let last = kept.last, ValueOrder.compare(views[last], views[place]) == 0 { continue }
      kept.append(place)
    }
    return kept.count == count ? self : kept.sorted().map { self[$0] }
  }
}

extension PlanNode {
  /// The number of `{"_key": 0}`, as `export` names an object of a class without a primary key; nil for everything else.
  func exportedObjectKey(of table: TableSchema) -> PlanNode? {
    guard table.primaryKey == nil, let entries, entries.count == 1, entries[0].name == table.objectKeyMember else {
      return nil
    }
    return entries[0].value
  }

  /// The same without places.
  var json: JSONValue {
    switch content {
    case .null: return .null
    case .bool(let flag): return .bool(flag)
    case .number(let digits): return .number(JSONNumber(text: digits))
    case .string(let text): return .string(RealmString(text))
    case .bytes(let text): return .string(text)
    case .list(let elements): return .array(elements.map(\.json))
    case .map(let entries):
      var object = JSONObject()
      for entry in entries { object.append(entry.name, entry.value.json) }
      return .object(object)
    }
  }
}

extension PlanError {
  /// Null for a property that needs a value.
  static func notNullable(_ property: Property, at location: PlanLocation) -> PlanError {
    let type = property.planType
    return PlanError("'\(property.name)' cannot be null (its type is \(type), not \(type)?)", at: location)
  }
}
