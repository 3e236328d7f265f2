import RealmStorage
import RealmText

/// Reads literals of plans, and of what programs answer, as values of a type: plain JSON, or JSON's typed forms
/// (`{"$oid": …}`).
struct Literal {
  /// A link to the object that a literal names: a primary key, or `{"$link": …}`.
  typealias Link = (_ node: PlanNode, _ property: Property) throws -> Value

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
        throw PlanError("'\(property.name)' takes a mapping, not \(node.kindName)", at: node.location)
      }
      var values: [RealmString: Value] = [:]
      for entry in entries { values[entry.name] = try element(entry.value, of: property) }
      return .dictionary(values)
    }
  }

  private func elements(_ node: PlanNode, of property: Property) throws -> [Value] {
    guard let elements = node.elements else {
      throw PlanError("'\(property.name)' takes a list, not \(node.kindName)", at: node.location)
    }
    return try elements.map { try element($0, of: property) }
  }

  /// A single value, or one in a collection.
  func element(_ node: PlanNode, of property: Property) throws -> Value {
    if node.isNull {
      guard property.isOptional else {
        throw PlanError("'\(property.name)' cannot be null: its type is \(property.typeText)", at: node.location)
      }
      return .null
    }
    if property.type == .object { return try link(node, property) }
    if property.type == .mixed { return try mixed(node, property, depth: 0) }
    guard let value = Self.scalar(node, property.type) else {
      let hint =
        property.type == .string && node.scalarText != nil && node.text == nil ? "; put it between quotes" : ""
      throw PlanError(
        "\(PlanFields.shown(node)) is not a value of type \(property.type.messageText), which '\(property.name)' has"
          + hint, at: node.location)
    }
    return value
  }

  private func mixed(_ node: PlanNode, _ property: Property, depth: Int) throws -> Value {
    switch node.content {
    case .null: return .null
    case .bool(let flag): return .bool(flag)
    case .string(let text): return .string(RealmString(text))
    case .bytes(let text): return .string(text)
    case .number(let digits):
      guard let value = Self.number(digits) else {
        throw PlanError(
          "\(digits) is not a number that a mixed value can hold: integers have 64 bits; write \(digits).0 for a double"
            + ", or '$numberDecimal'", at: node.location)
      }
      return value
    case .list(let elements): return .list(try elements.map { try mixed($0, property, depth: depth + 1) })
    case .map(let entries):
      if node["$link"] != nil { return try link(node, property).inMixed }
      if let value = Self.wrapped(node) { return value }
      var values: [RealmString: Value] = [:]
      for entry in node["$dictionary"]?.entries ?? entries {
        values[entry.name] = try mixed(entry.value, property, depth: depth + 1)
      }
      return .dictionary(values)
    }
  }

  // MARK: Scalars

  /// Nil where it is no value of the type.
  static func scalar(_ node: PlanNode, _ type: PropertyType) -> Value? {
    if node.entries != nil { return wrapped(node).flatMap { fitting($0, type) } }
    switch (node.content, type) {
    case (.bool(let flag), .bool): return .bool(flag)
    case (.string(let text), .string): return .string(RealmString(text))
    case (.bytes(let text), .string): return .string(text)
    case (.string(let text), .date): return text.date.map(Value.date)
    case (.string(let text), .data):
      var text = text
      return text.withUTF8 { Base64.decode(UnsafeRawBufferPointer($0)) }.map(Value.data)
    case (.string(let text), .objectID): return ObjectID(text: text).map(Value.objectID)
    case (.string(let text), .uuid): return RealmUUID(text: text).map(Value.uuid)
    case (.number(let digits), .int): return Int64(text: digits).map(Value.int)
    case (.number(let digits), .double):
      return Double(text: digits).flatMap { $0.isFinite ? .double($0) : nil }
    case (.number(let digits), .float):
      return Float(text: digits).flatMap { $0.isFinite ? .float($0) : nil }
    case (.number(let text), .decimal128), (.string(let text), .decimal128):
      return DecimalReading(text: text).flatMap { $0.isRounded ? nil : .decimal($0.decimal) }
    case (.string(let text), .double): return Double(textInRange: text).flatMap { $0.isFinite ? nil : .double($0) }
    case (.string(let text), .float): return Float(textInRange: text).flatMap { $0.isFinite ? nil : .float($0) }
    case (_, .mixed): return number(node.scalarText ?? "")
    default: return nil
    }
  }

  /// An integer without point and exponent, else a double; an integer that is too large is neither.
  private static func number(_ digits: String) -> Value? {
    if let integer = Int64(text: digits) { return .int(integer) }
    guard digits.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }) else { return nil }
    return Double(text: digits).flatMap { $0.isFinite ? .double($0) : nil }
  }

  /// A value that says its type.
  private static func wrapped(_ node: PlanNode) -> Value? {
    guard let entry = node.entries?.first, node.entries?.count == 1 else { return nil }
    let text = entry.value.scalarText ?? ""
    switch entry.key {
    case "$numberLong", "$numberInt": return Int64(text: text).map(Value.int)
    case "$numberDouble": return Double(textInRange: text).map(Value.double)
    case "$float": return Float(textInRange: text).map(Value.float)
    case "$numberDecimal":
      return DecimalReading(text: text).flatMap { $0.isRounded ? nil : .decimal($0.decimal) }
    case "$oid": return ObjectID(text: text).map(Value.objectID)
    case "$uuid": return RealmUUID(text: text).map(Value.uuid)
    case "$date":
      if case .number = entry.value.content { return Int64(text: text).map { .date(Timestamp(milliseconds: $0)) } }
      if let long = entry.value["$numberLong"]?.scalarText {
        return Int64(text: long).map { .date(Timestamp(milliseconds: $0)) }
      }
      return text.date.map(Value.date)
    case "$binary":
      guard var base64 = (entry.value["base64"] ?? entry.value).text,
        let bytes = base64.withUTF8({ Base64.decode(UnsafeRawBufferPointer($0)) })
      else { return nil }
      return .data(bytes)
    default: return nil
    }
  }

  /// A value that came with its type, as one of the type that is wanted.
  private static func fitting(_ value: Value, _ type: PropertyType) -> Value? {
    switch (type, value) {
    case (.mixed, _), (.int, .int), (.double, .double), (.float, .float), (.decimal128, .decimal), (.date, .date),
      (.data, .data), (.objectID, .objectID), (.uuid, .uuid):
      return value
    case (.double, .int(let number)): return Double(exactly: number).map(Value.double)
    case (.float, .int(let number)): return Float(exactly: number).map(Value.float)
    case (.double, .float(let number)): return .double(Double(number))
    case (.decimal128, .int(let number)): return .decimal(DecimalNumber(number).decimal)
    default: return nil
    }
  }
}

extension Value {
  /// As a mixed value holds it.
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
  /// Each element once, as sets and the query language tell values apart: 1, 1.0 and decimal 1.00 are one. The first of
  /// equal ones stays.
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

extension String {
  /// A date as plans write it: ISO 8601, or a day alone.
  fileprivate var date: Timestamp? {
    let bytes = Array(utf8)
    return bytes.withUnsafeBytes { text in
      Timestamp(text: text) ?? (text.count <= 12 ? Timestamp(text: text, needsZone: false) : nil)
    }
  }
}
