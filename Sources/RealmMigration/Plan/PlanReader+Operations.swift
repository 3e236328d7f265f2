import RealmExchange
import RealmModels
import RealmStorage
import RealmText

/// Operations: each is a mapping with one key, which names it.
extension PlanReader {
  private typealias Read = @Sendable (PlanReader, inout PlanFields) -> PlanOperation.Action?

  /// In the order of the documentation.
  private static let readers: [(name: String, read: Read)] = [
    ("add_class", { $0.addClass(&$1) }), ("remove_class", { $0.removeClass(&$1) }),
    ("rename_class", { $0.renameClass(&$1) }), ("add_property", { $0.addProperty(&$1) }),
    ("remove_property", { $0.propertyName(&$1).map { .removeProperty($0) } }),
    ("rename_property", { $0.renameProperty(&$1) }), ("set", { $0.set(&$1) }), ("convert", { $0.convert(&$1) }),
    ("make_optional", { $0.propertyName(&$1).map { .makeOptional($0) } }),
    ("make_required", { $0.makeRequired(&$1) }), ("set_primary_key", { $0.setPrimaryKey(&$1) }),
    ("add_index", { $0.addIndex(&$1) }), ("remove_index", { $0.removeIndex(&$1) }),
    ("embed_class", { $0.embedClass(&$1) }), ("unembed_class", { $0.unembedClass(&$1) }),
    ("delete_objects", { $0.deleteObjects(&$1) }), ("create_objects", { $0.createObjects(&$1) }),
    ("move_property", { $0.moveProperty(&$1) }), ("transform", { $0.transform(&$1) }),
    ("assert", { $0.assertion(&$1) }),
  ]

  func operation(_ node: PlanNode) -> PlanOperation? {
    guard let entries = node.entries, let entry = entries.first, entries.count == 1 else {
      mistakes.add(
        "an operation must be a mapping with one key, such as '- remove_index: { class: Dog, name: age }'",
        at: node.location)
      return nil
    }
    guard let (name, read) = Self.readers.first(where: { $0.name == entry.key }) else {
      mistakes.add(
        "unknown operation '\(entry.key)'",
        advice: Self.advice(onOperation: entry.key) ?? "realmctl-plan(5) lists the operations",
        at: entry.location)
      return nil
    }
    guard var fields = PlanFields(entry.value, name, mistakes) else { return nil }
    let action = read(self, &fields)
    let allowsLoss = self.allowsLoss(&fields)
    fields.finish()
    return action.map { PlanOperation(name: name, location: entry.location, action: $0, allowsLoss: allowsLoss) }
  }

  /// Parts of names that other programs have.
  private static let synonyms = [
    "create": "add", "new": "add", "drop": "remove", "delete": "remove", "field": "property", "column": "property",
    "attribute": "property", "table": "class", "entity": "class", "change": "convert", "alter": "convert",
  ]
  private static let otherNames = [
    "update": "set", "update_objects": "set", "set_value": "set", "set_values": "set", "set_property": "set",
    "insert": "create_objects", "insert_objects": "create_objects", "add_objects": "create_objects",
    "add_object": "create_objects", "create_object": "create_objects", "delete": "delete_objects",
    "remove_objects": "delete_objects", "convert_property": "convert", "change_type": "convert",
    "change_property": "convert", "alter_property": "convert", "alter_column": "convert", "index": "add_index",
    "primary_key": "set_primary_key", "check": "assert",
  ]

  /// Operations with a similar name, or with one that begins with the same word: `rename` may be one of two.
  private static func advice(onOperation name: String) -> String? {
    let names = readers.map(\.name)
    if let other = otherNames[name] { return "did you mean '\(other)'?" }
    let usual = name.split(separator: "_").map { synonyms["\($0)"] ?? "\($0)" }.joined(separator: "_")
    if names.contains(usual) { return "did you mean '\(usual)'?" }
    let longer = names.filter { $0.hasPrefix(name + "_") }.map { "'\($0)'" }
    guard !longer.isEmpty else { return Similarity.question(about: name, among: names) }
    return "did you mean \(longer.joined(separator: " or "))?"
  }

  /// `lossy: ok`
  private func allowsLoss(_ fields: inout PlanFields) -> Bool {
    guard let node = fields.node("lossy") else { return false }
    if node.text == "ok" { return true }
    mistakes.add("'lossy' must be ok, not \(PlanFields.shown(node))", at: node.location)
    return false
  }

  private func propertyName(_ fields: inout PlanFields, _ key: String = "name") -> PlanOperation.PropertyName? {
    let (className, property) = (fields.requiredName("class"), fields.requiredName(key))
    guard let className, let property else { return nil }
    return PlanOperation.PropertyName(className: className, property: property)
  }

  private func policies(_ fields: inout PlanFields, _ nulls: [NullPolicy]) -> PlanOperation.Policies {
    PlanOperation.Policies(
      onNull: fields.choice("on_null", NullPolicy.self, of: nulls),
      onError: fields.choice("on_error", ErrorPolicy.self))
  }

  // MARK: Classes

  private func addClass(_ fields: inout PlanFields) -> PlanOperation.Action? {
    let name = fields.requiredName("name")
    let isEmbedded = fields.flag("embedded") ?? false
    let primaryKey = fields.name("primary_key")
    enum Choice: String, CaseIterable { case skip, fail }
    let skips = fields.choice("if_exists", Choice.self) == .skip
    let node = fields.required("properties")
    guard let entries = node?.entries else {
      if let node { mistakes.add("'properties' must be a mapping, not \(node.kindName)", at: node.location) }
      return nil
    }
    let properties = entries.compactMap { entry in
      property(entry.key, entry.value, at: entry.location, isPrimaryKey: RealmString(entry.key) == primaryKey?.value)
    }
    if let primaryKey, !entries.contains(where: { RealmString($0.key) == primaryKey.value }) {
      mistakes.add("the primary key '\(primaryKey.value)' is not one of the properties", at: primaryKey.location)
    }
    if isEmbedded, let primaryKey {
      mistakes.add("an embedded class cannot have a primary key", at: primaryKey.location)
    }
    guard let name, properties.count == entries.count else { return nil }
    return .addClass(
      PlanOperation.AddClass(
        name: name, isEmbedded: isEmbedded, primaryKey: primaryKey, properties: properties, skipsExisting: skips))
  }

  private func removeClass(_ fields: inout PlanFields) -> PlanOperation.Action? {
    enum Choice: String, CaseIterable { case fail, clear }
    let clears = fields.choice("if_linked", Choice.self) == .clear
    return fields.requiredName("name").map { .removeClass($0, clearsLinks: clears) }
  }

  private func renameClass(_ fields: inout PlanFields) -> PlanOperation.Action? {
    let (from, to) = (fields.requiredName("from"), fields.requiredName("to"))
    guard let from, let to else { return nil }
    return .renameClass(from: from, to: to)
  }

  // MARK: Types

  /// A property with its type, in the shorthand or the object form of schema files.
  func property(
    _ name: String, _ type: PlanNode, at location: PlanLocation, isPrimaryKey: Bool = false
  ) -> Located<Property>? {
    if [type.text, type["type"]?.text].contains("linkingObjects") {
      mistakes.add(
        "inverse relationships are not stored, so a plan cannot add them", advice: "omit '\(name)'", at: type.location)
      return nil
    }
    do throws(SchemaFileFault) {
      var index: Located<IndexKind>?
      if let entries = type.entries, var fields = PlanFields(type, "a type", mistakes) {
        index = fields.index("index")
        for entry in entries where entry.key != "index" { _ = fields.node(entry.key) }
      }
      var property = try self.property(RealmString(name), type, isPrimaryKey)
      if let index { property.index = index.value }
      if isPrimaryKey, !property.canBePrimaryKey {
        mistakes.add("a property of type \(property.planType) cannot be the primary key", at: type.location)
        return nil
      }
      guard property.allows(property.index) else {
        mistakes.add(PlanError.Mistake(cannotIndex: property, at: index?.location ?? location))
        return nil
      }
      return Located(property, at: type.location)
    } catch {
      mistakes.add(error.typeText, at: type.location)
      return nil
    }
  }

  /// A mapping of only `type` and `index` may contain the shorthand.
  private func property(
    _ name: RealmString, _ type: PlanNode, _ isPrimaryKey: Bool
  ) throws(SchemaFileFault) -> Property {
    do throws(SchemaFileFault) {
      return try Property(name: name, type: type.json(without: "index"), isPrimaryKey: isPrimaryKey)
    } catch {
      guard let text = type["type"]?.text, type.entries?.allSatisfy({ ["type", "index"].contains($0.key) }) == true,
        let short = try? Property(name: name, type: .shorthand(RealmString(text)), isPrimaryKey: isPrimaryKey)
      else { throw error }
      return short
    }
  }

  private func property(_ fields: inout PlanFields, name: Located<RealmString>?, type key: String) -> Located<Property>?
  {
    guard let node = fields.required(key), let name else { return nil }
    return property(name.value.description, node, at: name.location)
  }

  // MARK: Properties

  private func addProperty(_ fields: inout PlanFields) -> PlanOperation.Action? {
    let (className, name) = (fields.requiredName("class"), fields.requiredName("name"))
    var property = property(&fields, name: name, type: "type")
    if let index = fields.index("index") {
      property?.value.index = index.value
      if let given = property?.value, !given.allows(given.index) {
        mistakes.add(PlanError.Mistake(cannotIndex: given, at: index.location))
      }
    }
    let takesTypeDefault = fields.flag("type_default") ?? false
    let (value, defaultValue) = (fields.node("value").map(self.value), fields.node("default").map(self.value))
    let policies = policies(&fields, [.propagate, .empty, .fail, .default])
    guard let className, let property else { return nil }
    requireNull(policies, property.value, &fields)
    return .addProperty(
      PlanOperation.AddProperty(
        className: className, property: property, defaultValue: defaultValue, value: value,
        takesTypeDefault: takesTypeDefault, policies: policies))
  }

  private func renameProperty(_ fields: inout PlanFields) -> PlanOperation.Action? {
    let (source, newName) = (propertyName(&fields, "from"), fields.requiredName("to"))
    let (isOptional, index) = (fields.flag("optional"), fields.index("index"))
    guard let source, let newName else { return nil }
    return .renameProperty(
      PlanOperation.RenameProperty(source: source, newName: newName, isOptional: isOptional, index: index))
  }

  private func convert(_ fields: inout PlanFields) -> PlanOperation.Action? {
    let source = propertyName(&fields)
    let target = property(&fields, name: source?.property, type: "to")
    var options = ConversionOptions()
    options.rounding = fields.choice("rounding", ConversionOptions.Rounding.self)
    options.pick = fields.choice("pick", ConversionOptions.Pick.self)
    options.encoding = fields.choice("encoding", ConversionOptions.Encoding.self) ?? .utf8
    let using = fields.node("using").flatMap { formula($0, "using") }.map { PlanValue.expression($0) }
    let (defaultValue, match) = (fields.node("default").map(value), fields.name("match"))
    let policies = policies(&fields, [.propagate, .fail, .default, .delete])
    if policies.onNull == .default || policies.onError == .default, defaultValue == nil {
      mistakes.add("the policy 'default' needs a value", advice: "add the key 'default'", at: fields.location)
    }
    guard let source, let target else { return nil }
    requireNull(policies, target.value, &fields)
    return .convert(
      PlanOperation.Convert(
        source: source, target: target, expression: using, defaultValue: defaultValue, options: options, match: match,
        policies: policies))
  }

  /// Reports `on_error: null` for a type that cannot be null: it would stop the plan at the first error.
  private func requireNull(_ policies: PlanOperation.Policies, _ property: Property, _ fields: inout PlanFields) {
    guard policies.onError == .null, !property.isOptional, let node = fields.node("on_error") else { return }
    mistakes.add(PlanOperation.Policies.nullNeeds(property), at: node.location)
  }

  private func makeRequired(_ fields: inout PlanFields) -> PlanOperation.Action? {
    let source = propertyName(&fields)
    let defaultValue = fields.node("default").map(value)
    let policy = fields.choice("on_null", NullPolicy.self, of: [.default, .delete, .fail])
    guard let source else { return nil }
    return .makeRequired(
      PlanOperation.MakeRequired(
        source: source, defaultValue: defaultValue, onNull: policy ?? (defaultValue == nil ? .fail : .default)))
  }

  private func setPrimaryKey(_ fields: inout PlanFields) -> PlanOperation.Action? {
    let className = fields.requiredName("class")
    let node = fields.required("name")
    let property = node.flatMap { $0.isNull ? nil : fields.name("name", $0) }
    let onDuplicate = fields.choice("on_duplicate", PlanOperation.SetPrimaryKey.Duplicates.self) ?? .fail
    let repoints = fields.flag("repoint") ?? false
    guard let className, let node, node.isNull || property != nil else { return nil }
    return .setPrimaryKey(
      PlanOperation.SetPrimaryKey(
        className: className, property: property, onDuplicate: onDuplicate, repoints: repoints))
  }

  private func addIndex(_ fields: inout PlanFields) -> PlanOperation.Action? {
    let (source, kind) = (propertyName(&fields), fields.index("kind"))
    return source.map { .setIndex($0, kind ?? Located(.general, at: fields.location)) }
  }

  private func removeIndex(_ fields: inout PlanFields) -> PlanOperation.Action? {
    _ = fields.index("kind")
    return propertyName(&fields).map { .removeIndex($0) }
  }

  private func embedClass(_ fields: inout PlanFields) -> PlanOperation.Action? {
    enum Orphans: String, CaseIterable { case fail, delete }
    enum Shared: String, CaseIterable { case fail, duplicate }
    let policy = EmbeddingPolicy(
      deletesOrphans: fields.choice("on_orphan", Orphans.self) == .delete,
      duplicatesShared: fields.choice("on_shared", Shared.self) == .duplicate)
    let dropsKey = fields.flag("drop_primary_key") ?? false
    return fields.requiredName("class").map {
      .embedClass(PlanOperation.EmbedClass(className: $0, policy: policy, dropsPrimaryKey: dropsKey))
    }
  }

  private func unembedClass(_ fields: inout PlanFields) -> PlanOperation.Action? {
    let primaryKey = fields.name("primary_key")
    return fields.requiredName("class").map { .unembedClass($0, primaryKey: primaryKey) }
  }

  // MARK: Objects

  private func set(_ fields: inout PlanFields) -> PlanOperation.Action? {
    let (className, filter) = (fields.requiredName("class"), fields.query("where"))
    let (added, removed) = (fields.node("add"), fields.node("remove"))
    let unset = fields.node("unset").map(unset)
    let isEdit = added != nil || removed != nil || unset != nil
    let given = fields.node("values")
    if given == nil, !isEdit { mistakes.add("'set' needs 'values', 'add', 'remove' or 'unset'", at: fields.location) }
    let values = given.map { assignments($0) } ?? (isEdit ? [] : nil)
    let defaultValue = fields.node("default").map(value)
    let policies = policies(&fields, [.propagate, .empty, .fail, .default])
    let expected = fields.count("expect")
    guard let className, let values else { return nil }
    var action = PlanOperation.SetValues(
      className: className, filter: filter, values: values, defaultValue: defaultValue, policies: policies)
    action.added = added.flatMap { assignments($0, "add") } ?? []
    action.removed = removed.flatMap { assignments($0, "remove") } ?? []
    action.unset = unset ?? []
    action.expected = expected
    return .set(action)
  }

  /// Dictionaries and the keys that leave them: one, or a list.
  private func unset(_ node: PlanNode) -> [PlanOperation.Unset] {
    guard let entries = node.entries else {
      mistakes.add("'unset' must be a mapping of properties to keys, not \(node.kindName)", at: node.location)
      return []
    }
    return entries.flatMap { entry in
      (entry.value.elements ?? [entry.value]).compactMap { key in
        guard let text = key.scalarText else {
          mistakes.add("a key must be text, not \(key.kindName)", at: key.location)
          return nil
        }
        return PlanOperation.Unset(property: Located(entry.name, at: entry.location), key: RealmString(text))
      }
    }
  }

  private func assignments(_ node: PlanNode, _ key: String = "values") -> [PlanOperation.Assignment]? {
    guard let entries = node.entries else {
      mistakes.add("'\(key)' must be a mapping of properties to values, not \(node.kindName)", at: node.location)
      return nil
    }
    return entries.map { entry in
      PlanOperation.Assignment(property: Located(entry.name, at: entry.location), value: value(entry.value))
    }
  }

  private func deleteObjects(_ fields: inout PlanFields) -> PlanOperation.Action? {
    let (className, filter) = (fields.requiredName("class"), fields.requiredQuery("where"))
    let expected = fields.count("expect")
    guard let className, let filter else { return nil }
    return .deleteObjects(PlanOperation.DeleteObjects(className: className, filter: filter, expected: expected))
  }

  private func createObjects(_ fields: inout PlanFields) -> PlanOperation.Action? {
    let (className, reference) = (fields.requiredName("class"), fields.name("ref"))
    guard let node = fields.required("values") else { return nil }
    guard let elements = node.elements else {
      mistakes.add("'values' must be a list of mappings, not \(node.kindName)", at: node.location)
      return nil
    }
    if let reference, elements.count != 1 {
      mistakes.add("'ref' needs one object; 'values' lists \(elements.count)", at: reference.location)
    }
    let objects = elements.compactMap { element in assignments(element).map { Located($0, at: element.location) } }
    return className.map {
      .createObjects(PlanOperation.CreateObjects(className: $0, objects: objects, reference: reference))
    }
  }

  private func moveProperty(_ fields: inout PlanFields) -> PlanOperation.Action? {
    func path(_ key: String) -> PlanOperation.PropertyName? {
      guard let name = fields.requiredName(key) else { return nil }
      let parts = name.value.description.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
        mistakes.add(
          "'\(key)' must be Class.property, such as Person.street, not '\(name.value)'", at: name.location)
        return nil
      }
      return PlanOperation.PropertyName(
        className: Located(RealmString(parts[0]), at: name.location),
        property: Located(RealmString(parts[1]), at: name.location))
    }
    let (source, target, link) = (path("from"), path("to"), fields.requiredName("via"))
    guard let source, let target, let link else { return nil }
    return .moveProperty(PlanOperation.MoveProperty(source: source, target: target, link: link))
  }

  private func transform(_ fields: inout PlanFields) -> PlanOperation.Action? {
    let (className, filter) = (fields.requiredName("class"), fields.query("where"))
    var seconds = 600.0
    if let node = fields.node("timeout") {
      if case .number(let digits) = node.content, let number = Double(digits), number > 0, number <= 86_400 {
        seconds = number
      } else {
        mistakes.add(
          "'timeout' must be a number of seconds from 1 to 86400, not \(PlanFields.shown(node))", at: node.location)
      }
    }
    guard let node = fields.required("command") else { return nil }
    guard let words = node.elements, !words.isEmpty, case let command = words.compactMap(\.scalarText),
      command.count == words.count
    else {
      mistakes.add("'command' must be a list of a program and its arguments: [python3, convert.py]", at: node.location)
      return nil
    }
    guard !command.contains(where: { $0.utf8.contains(0) }) else {
      mistakes.add("'command' must not have NUL characters: programs and arguments end there", at: node.location)
      return nil
    }
    return className.map {
      .transform(
        PlanOperation.Transform(className: $0, command: command, filter: filter, timeoutSeconds: seconds))
    }
  }

  private func assertion(_ fields: inout PlanFields) -> PlanOperation.Action? {
    let (className, filter) = (fields.requiredName("class"), fields.query("where"))
    let count = fields.required("count").flatMap { fields.count("count", $0) }
    let message = fields.text("message")?.value
    guard let className, let count else { return nil }
    return .assert(
      PlanOperation.Assertion(className: className, filter: filter, expected: count, message: message))
  }
}

extension PlanNode {
  /// The value as schema files have it.
  fileprivate func json(without key: String) -> PropertyTypeText {
    switch content {
    case .string(let text): return .shorthand(RealmString(text))
    case .map(let entries):
      return .fields(entries.filter { $0.key != key }.map { ($0.key, $0.value.scalar) })
    default: return .other(kindName)
    }
  }

  private var scalar: PropertyTypeText.Field {
    switch content {
    case .string(let text): .text(RealmString(text))
    case .bool(let flag): .flag(flag)
    default: .other(kindName)
    }
  }
}
