import RealmExchange
import RealmQuery
import RealmStorage
import RealmText

/// A value of a plan for one property, with all names looked up.
indirect enum BoundValue {
  case constant(Value)
  case formula(BoundFormula)
  case template(BoundTemplate)
  case list([BoundValue])
  case dictionary([(RealmString, BoundValue)])
  /// An embedded object: its properties and their values.
  case embedded([(Property, BoundValue)])

  /// Whether embedded objects have to be made for it.
  var makesObjects: Bool {
    switch self {
    case .embedded: true
    case .list(let elements): elements.contains(where: \.makesObjects)
    case .dictionary(let entries): entries.contains { $0.1.makesObjects }
    default: false
    }
  }
}

extension PlanExecution {
  /// Looks up the names of a value.
  ///
  /// - Parameters:
  ///   - table: the class whose objects the value is computed from.
  ///   - onNull: what templates do that do not say it themselves.
  /// - Throws: `PlanError`.
  func bind(
    _ value: PlanValue, for property: Property, of table: TableEditor, onNull: NullPolicy? = nil
  ) throws -> BoundValue {
    let embedded = property.type == .object ? property.target.flatMap { try? transaction.table($0) } : nil
    let isEmbedded = embedded?.schema.kind == .embedded
    switch value {
    case .constant(let value, _): return .constant(value)
    case .literal(let node):
      if isEmbedded, !node.isNull, let embedded {
        let plain = try PlanReader().plainValue(unwrapped(node, of: property, embedded))
        return try bind(plain, for: property, of: table, onNull: onNull)
      }
      return .constant(try literal.value(node, of: property, allowingEmpty: isEmbedded))
    case .list(let elements, let location):
      guard property.collection == .list || property.collection == .set || property.type == .mixed else {
        throw PlanError("'\(property.name)' takes \(property.takenText), not \(value.shown("a list"))", at: location)
      }
      let bound = try collectingMistakes(Array(elements.enumerated())) { index, element in
        let bound = try bind(element, for: property.element(at: "\(index)"), of: table, onNull: onNull)
        if isEmbedded { try requireEmbedded(bound, property, at: element.location) }
        return bound
      }
      return constant(.list(bound), property)
    case .map(let entries, let location):
      if isEmbedded, property.collection == nil {
        guard let embedded else { break }
        return try .embedded(fields(entries, of: embedded, in: property, from: table, onNull))
      }
      if property.type == .object, property.collection == nil, let target = embedded?.schema {
        return .constant(try link(to: target, named: entries, of: property, at: location))
      }
      guard property.collection == .dictionary || property.type == .mixed else {
        throw PlanError("'\(property.name)' takes \(property.takenText), not \(value.shown("a mapping"))", at: location)
      }
      let bound = try collectingMistakes(entries) { entry in
        let place = property.element(atKey: entry.key.value)
        let bound = try bind(entry.value, for: place, of: table, onNull: onNull)
        if isEmbedded { try requireEmbedded(bound, property, at: entry.value.location, orNull: true) }
        return (entry.key.value, bound)
      }
      return constant(.dictionary(bound), property)
    case .expression(let formula):
      var bound = try bind(formula.value, at: formula.location, table)
      // A double may have fewer digits.
      bound.isDecimal = property.type == .decimal128
      return .formula(bound)
    case .template(let template, let policy):
      try requireText(property, of: table, at: template.location)
      return .template(
        try BoundTemplate(
          template.value, at: template.location, onNull: policy ?? onNull ?? run.plan.settings.onNull,
          old: oldClass(table.key), new: (current.snapshot.schema(of: table), current.snapshot.schema),
          model: model(of: table)))
    case .copy(let name):
      let path = ExpressionPath(side: nil, property: name.value, rest: [], text: name.value.description)
      return .formula(
        try bind(
          Formula(text: name.value.description, root: .path(0), paths: [path]), at: name.location, table))
    case .reference(let name):
      guard let (target, key) = references[name.value] else {
        guard !failedReferences.contains(name.value) else { return .constant(property.typeDefault) }
        let known = references.keys.map(\.description)
        throw PlanError(
          "no object was created with 'ref: \(name.value)'",
          advice: Similarity.question(about: name.value.description, among: known), at: name.location)
      }
      return .constant(try fit(.link(target, key), to: property.asElement, at: name.location))
    case .primaryKey(let className, let node):
      try requireLinks(to: className, from: property)
      return .constant(
        try fit(find(node, in: className, for: property), to: property.asElement, at: className.location))
    case .objects(let className, let filter):
      let target = try self.table(className)
      try requireLinks(to: className, from: property)
      guard let found = current.table(target.key)?.table else { return .constant(.list([])) }
      let links = try query(filter, found).map { Value.link(target.key, $0) }
      let value: Value =
        property.collection == nil && property.type != .mixed ? links.first ?? .null : .list(links)
      return .constant(try fit(value, to: property, at: filter.location))
    }
    return .constant(.null)
  }

  /// `--set` of a migration takes text; what is not made of text needs a plan.
  private func requireText(_ property: Property, of table: TableEditor, at location: PlanLocation) throws {
    guard run.options.origin.isCommandLine, property.collection != nil || property.type == .object else { return }
    let form =
      if property.collection == .dictionary {
        "{ key: VALUE }"
      } else if property.collection != nil {
        "[VALUE, …]"
      } else if let target = property.target.flatMap({ try? transaction.table($0) })?.schema, target.kind != .embedded {
        target.primaryKey == nil
          ? "{ objects: [\(target.displayName), QUERY] }" : "{ pk: [\(target.displayName), KEY] }"
      } else {
        "{ property: VALUE }"
      }
    let kind =
      switch property.collection {
      case .list: "a list"
      case .set: "a set"
      case .dictionary: "a dictionary"
      case nil: property.targetClass == nil ? "an object" : "a link"
      }
    throw PlanError(
      "'\(table.schema.displayName).\(property.name)' is \(kind), which text cannot set",
      advice: "use a plan whose 'set' has the value \(form) (--plan)", at: location)
  }

  /// A check finds no objects, and so no links that would not fit.
  private func requireLinks(to className: PlanOperation.Name, from property: Property) throws {
    let key = try table(className).key
    guard property.type == .object, let target = property.target else {
      guard run.options.checksOnly else { return }
      _ = try fit(.link(key, ObjectKey(rawValue: 0)), to: property.asElement, at: className.location)
      return
    }
    guard try table(className).name != target else { return }
    let meant = TableSchema.displayName(ofTable: target)
    throw PlanError(
      "'\(property.name)' takes objects of class '\(meant)', not '\(className.value)'", at: className.location)
  }

  /// An embedded object, or a dictionary of them, without the wrapper that the typed form of `export` puts around it.
  private func unwrapped(_ node: PlanNode, of property: Property, _ embedded: TableEditor) throws -> PlanNode {
    if property.collection == .dictionary, let map = node["$dictionary"], map.entries != nil { return map }
    if property.collection == nil, let wrapper = node["$embedded"], let value = wrapper["value"] {
      guard wrapper["table"].map({ $0.text == embedded.schema.displayName.description }) ?? true else {
        throw PlanError(
          "'\(property.name)' takes objects of class '\(embedded.schema.displayName)', not of another class",
          at: wrapper.location)
      }
      return value
    }
    throw PlanError("'\(property.name)' takes a mapping of the properties of an embedded object", at: node.location)
  }

  /// A collection of embedded objects takes nothing else.
  private func requireEmbedded(
    _ bound: BoundValue, _ property: Property, at location: PlanLocation, orNull: Bool = false
  ) throws {
    if case .embedded = bound { return }
    if orNull, case .constant(.null) = bound { return }
    throw PlanError("'\(property.name)' takes mappings of the properties of embedded objects", at: location)
  }

  func bind(_ formula: Formula, at location: PlanLocation, _ table: TableEditor) throws -> BoundFormula {
    try BoundFormula(
      formula, at: location, old: oldClass(table.key),
      new: (current.snapshot.schema(of: table), current.snapshot.schema), model: model(of: table))
  }

  /// The class in the schema that follows the plan.
  private func model(of table: TableEditor) -> TableSchema? {
    run.options.target?.classNamed(table.schema.displayName)
  }

  private func oldClass(_ key: TableKey) -> (table: TableSchema, schema: Schema)? {
    stepStart.snapshot.table(key).map { ($0.schema, stepStart.snapshot.schema) }
  }

  private func fields(
    _ entries: [PlanValue.Entry], of embedded: TableEditor, in owner: Property, from table: TableEditor,
    _ onNull: NullPolicy?
  ) throws -> [(Property, BoundValue)] {
    try collectingMistakes(entries) { entry in
      let property = try property(entry.key, of: embedded)
      var place = property
      place.name = RealmString("\(owner.name).\(property.name)")
      return (property, try bind(entry.value, for: place, of: table, onNull: onNull))
    }
  }

  /// A list or a dictionary whose parts are all constant is one itself.
  private func constant(_ bound: BoundValue, _ property: Property) -> BoundValue {
    switch bound {
    case .list(let elements):
      let values = elements.compactMap { if case .constant(let value) = $0 { value } else { nil } }
      guard values.count == elements.count else { return bound }
      guard property.collection == .set else { return .constant(.list(values)) }
      return .constant(.set(values.distinct))
    case .dictionary(let entries):
      let values = entries.compactMap { if case .constant(let value) = $0.1 { ($0.0, value) } else { nil } }
      guard values.count == entries.count else { return bound }
      return .constant(.dictionary(Dictionary(values, uniquingKeysWith: { $1 })))
    default: return bound
    }
  }

  // MARK: Links

  var literal: Literal {
    Literal(collectsMistakes: isEdit) { [self] node, property in try link(node, property) }
  }

  /// The object that a literal names.
  private func link(_ node: PlanNode, _ property: Property) throws -> Value {
    if let link = node["$link"] {
      guard let name = link["table"]?.text else {
        throw PlanError("'\(property.name)': '$link' needs 'table' and 'key' or 'objKey'", at: node.location)
      }
      let className = Located(RealmString(name), at: link.location)
      guard let key = link["objKey"] else {
        guard let key = link["key"] else {
          throw PlanError("'\(property.name)': '$link' needs 'table' and 'key' or 'objKey'", at: node.location)
        }
        if let objectKey = key.exportedObjectKey(of: try table(className).schema) {
          return try fit(
            find(objectKey: objectKey, in: className, for: property), to: property.asElement, at: node.location)
        }
        return try fit(find(key, in: className, for: property), to: property.asElement, at: node.location)
      }
      return try fit(find(objectKey: key, in: className, for: property), to: property.asElement, at: node.location)
    }
    if let name = node["$ref"]?.text { return try link(toReference: name, property, node.location) }
    guard let target = property.targetClass else {
      throw PlanError("'\(property.name)' takes a link", at: node.location)
    }
    let className = Located(target, at: node.location)
    // Somebody who edits by hand has seen the keys.
    if isEdit, case let target = try table(className).schema, target.primaryKey == nil {
      guard case .number = node.content else {
        throw Self.notAnObjectKey(PlanFields.shown(node), for: property, target, at: node.location)
      }
      return try find(objectKey: node, in: className, for: property)
    }
    return try find(node, in: className, for: property)
  }

  /// The object that a mapping names: `{"_key": 0}`, as `export` writes it.
  private func link(
    to target: TableSchema, named entries: [PlanValue.Entry], of property: Property, at location: PlanLocation
  ) throws -> Value {
    guard target.primaryKey == nil, entries.count == 1, let entry = entries.first,
      entry.key.value == target.objectKeyMember, case .literal(let node) = entry.value
    else {
      let value = PlanValue.map(entries, location)
      if let key = target.primaryKey, let node = value.node {
        _ = try literal.primaryKey(node, key, of: target, for: property)
      }
      throw Self.notAnObjectKey(value.shown("a mapping"), for: property, target, at: location)
    }
    return try find(objectKey: node, in: Located(target.displayName, at: location), for: property)
  }

  private static func notAnObjectKey(
    _ shown: String, for property: Property, _ target: TableSchema, at location: PlanLocation
  ) -> PlanError {
    PlanError(
      "'\(property.name)' takes the object key of an object of class '\(target.displayName)', such as "
        + "{\"\(target.objectKeyMember)\":0}, not \(shown)", at: location)
  }

  /// The object with an object key.
  ///
  /// - Parameter link: the property that links to it.
  private func find(objectKey node: PlanNode, in className: PlanOperation.Name, for link: Property) throws -> Value {
    let table = try table(className)
    var object: ObjectKey?
    if case .number(let digits) = node.content, let number = Int64(digits) { object = ObjectKey(rawValue: number) }
    let isKnown =
      try object.map { object in
        guard run.options.checksOnly else { return try table.contains(object) }
        return try run.options.links?.has(object, in: table.schema) ?? true
      } ?? false
    guard let object, isKnown else {
      throw PlanError(
        "'\(link.name)': class '\(className.value)' has no object with the object key \(PlanFields.shown(node))",
        at: node.location)
    }
    // A check has no objects to link to.
    return run.options.checksOnly ? .null : .link(table.key, object)
  }

  private func link(toReference name: String, _ property: Property, _ location: PlanLocation) throws -> Value {
    guard let (table, key) = references[RealmString(name)] else {
      throw PlanError("no object was created with the reference '\(name)'", at: location)
    }
    return try fit(.link(table, key), to: property.asElement, at: location)
  }

  /// The object with a primary key.
  ///
  /// - Parameter link: the property that links to it.
  func find(_ node: PlanNode, in className: PlanOperation.Name, for link: Property? = nil) throws -> Value {
    let table = try table(className)
    guard let key = table.schema.primaryKey else {
      throw PlanError(
        "class '\(className.value)' has no primary key to find objects by",
        advice: "name them by object key: {\"$link\":{\"table\":\"\(className.value)\",\"objKey\":0}}",
        at: className.location)
    }
    let value = try literal.primaryKey(node, key, of: table.schema, for: link)
    guard let object = try table.find(primaryKey: value) else {
      if run.options.checksOnly, try run.options.links?.has(primaryKey: value, in: table.schema) ?? true {
        return .null
      }
      throw PlanError(
        "\(link.map { "'\($0.name)': " } ?? "")class '\(className.value)' has no object with the primary key \(value.shown)",
        advice: isEdit ? "check the key, or insert that object first" : nil, at: node.location)
    }
    return .link(table.key, object)
  }
}

extension Literal {
  fileprivate func value(_ node: PlanNode, of property: Property, allowingEmpty: Bool) throws -> Value {
    // Null for a collection is what it has without elements.
    guard node.isNull, let collection = property.collection else { return try value(node, of: property) }
    return collection.empty
  }
}

extension CollectionKind {
  var empty: Value {
    switch self {
    case .list: .list([])
    case .set: .set([])
    case .dictionary: .dictionary([:])
    }
  }
}

extension Property {
  /// One element of the collection.
  var asElement: Property {
    var element = self
    element.collection = nil
    return element
  }

  /// The element at a place, which messages name: `scores[1]`, `prices["a"]`.
  func element(at place: String) -> Property {
    var element = asElement
    element.name = RealmString("\(name)[\(place)]")
    return element
  }

  func element(atKey key: RealmString) -> Property {
    element(at: "\"\(key.description.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\"")
  }

  /// What it takes: `an int (a whole number of 64 bits)`, `a list`.
  fileprivate var takenText: String {
    switch collection {
    case .list, .set: "a list"
    case .dictionary: "a mapping"
    case nil: type == .object ? "one object" : type.valueText
    }
  }

  /// The value of a required property if none is given.
  var typeDefault: Value {
    if let collection { return collection.empty }
    if isOptional { return .null }
    return switch type {
    case .int: .int(0)
    case .bool: .bool(false)
    case .float: .float(0)
    case .double: .double(0)
    case .string: .string("")
    case .data: .data([])
    case .date: .date(Timestamp(seconds: 0, nanoseconds: 0))
    case .decimal128: .decimal(DecimalNumber(0).decimal)
    case .objectID: .objectID(ObjectID(head: 0, tail: 0))
    case .uuid: .uuid(RealmUUID(head: 0, tail: 0))
    case .mixed, .object, .linkingObjects: .null
    }
  }
}

extension Snapshot {
  /// The table as it was when the snapshot was taken.
  fileprivate func schema(of table: TableEditor) -> TableSchema { self.table(table.key)?.schema ?? table.schema }
}

extension PlanExecution {
  /// Converts a computed value to the type of a property: numbers if nothing is lost, links as Mixed values store them.
  ///
  /// - Throws: `PlanError`.
  func fit(_ value: Value, to property: Property, at location: PlanLocation) throws -> Value {
    do { return try fit(value, to: property) } catch let error as ValueError {
      throw PlanError(error.fact, advice: error.advice, at: location)
    }
  }

  /// - Throws: `ValueError`.
  func fit(_ value: Value, to property: Property) throws -> Value {
    switch (property.collection, value) {
    case (nil, _): break
    case (_?, .null): return property.collection?.empty ?? .null
    case (.list, .list(let elements)), (.list, .set(let elements)):
      let isLink = property.type == .object && run.options.checksOnly
      // Null represents an object that a check cannot find.
      return .list(try elements.filter { !isLink || $0 != .null }.map { try fit($0, to: property.asElement) })
    case (.set, .list(let elements)), (.set, .set(let elements)):
      return .set(try elements.map { try fit($0, to: property.asElement) }.distinct)
    case (.dictionary, .dictionary(let entries)):
      return .dictionary(try entries.mapValues { try fit($0, to: property.asElement) })
    default: throw mismatch(value, property)
    }
    switch (property.type, value) {
    case (_, .null), (.int, .int), (.bool, .bool), (.float, .float), (.double, .double), (.string, .string),
      (.data, .data), (.date, .date), (.decimal128, .decimal), (.objectID, .objectID), (.uuid, .uuid):
      return value
    case (.int, .double), (.int, .decimal), (.int, .float), (.double, .int), (.double, .float), (.double, .decimal),
      (.float, .int), (.float, .double), (.float, .decimal), (.decimal128, .int), (.decimal128, .double),
      (.decimal128, .float):
      do throws(ValueError) { return try ScalarConversion(type: property.type).convert(value) } catch {
        throw ValueError(
          "\(error.fact), but '\(property.name)' has type \(property.planType)", advice: error.advice)
      }
    case (.mixed, .set): throw mismatch(value, property)
    case (.mixed, _): return value.inMixed
    case (.object, .link(let table, _)), (.object, .typedLink(let table, _)):
      guard transaction.table(table)?.name == property.target else { throw mismatch(value, property) }
      return value.asPlainLink
    default: throw mismatch(value, property)
    }
  }

  private func mismatch(_ value: Value, _ property: Property) -> ValueError {
    let isScalar = property.collection == nil && ScalarConversion.isPossible(from: .string, to: property.type)
    let functions: [PropertyType: String] = [
      .int: "int()", .bool: "bool()", .double: "double()", .string: "str()", .date: "date()", .decimal128: "decimal()",
      .objectID: "oid()", .uuid: "uuid()",
    ]
    let verb = run.options.origin.isCommandLine ? "use" : "use a formula with"
    var advice = isScalar ? functions[property.type].map { "\(verb) \($0)" } : nil
    switch value {
    case .list, .set: advice = property.type == .string && property.collection == nil ? "use join()" : nil
    case .dictionary: advice = nil
    default: break
    }
    // A text that is none of the type stays one that is not.
    if !run.options.checksOnly, case .string = value, (try? ScalarConversion(type: property.type).convert(value)) == nil
    {
      advice = nil
    }
    // A link and a collection are shown by what they are.
    let found =
      value.shown.hasPrefix(value.kindName) ? "the value is \(value.shown)" : "\(value.shown) is \(value.kindName)"
    return ValueError("\(found), but '\(property.name)' has type \(property.planType)", advice: advice)
  }
}
