import RealmStorage

/// What an SDK's model classes can express, and which names its language accepts.
struct ModelDialect: Sendable {
  /// The SDK's name as it appears in comments and notes.
  let sdk: String
  let classNames: IdentifierRules
  let propertyNames: @Sendable (ModelScope) -> IdentifierRules
  /// The types a general index can be declared for, on single values.
  let indexedTypes: Set<PropertyType>
  /// Whether a list of strings can have a general index.
  var indexesLists = false
  var hasFullTextIndex = false
  var hasAsymmetricClasses = true
  /// The name that the primary key of an asymmetric class must have, if the SDK requires one.
  var asymmetricKey: RealmString?
  /// The property types that cannot be declared.
  var missingTypes: Set<PropertyType> = []
  /// Whether the SDK refuses a class without properties.
  var needsProperties = true
  /// Whether properties have their stored names in the code, so that two with the same name are impossible.
  var keepsStoredNames = false
  /// Names that the SDK loses.
  var lostNames: Set<RealmString> = []
  /// Whether a type can name a class of this name.
  var canLinkTo: @Sendable (_ className: RealmString) -> Bool = { _ in true }
  /// Characters that the SDK's code generator copies into its own code without escaping them.
  var unescapedCharacters: Set<Unicode.Scalar> = []
}

/// The class that properties get names in.
struct ModelScope: Sendable {
  let className: String
  let kind: TableKind
  /// The names of the classes that the properties link to.
  let linkedClasses: Set<String>
}

/// A schema's classes as a generator of model code sees them: with identifiers, and with what cannot be said.
struct ModelPlan: Sendable {
  let outline: SchemaOutline
  /// By name, as in the outline.
  let classes: [ModelClass]

  init(of schema: Schema, for dialect: ModelDialect) {
    let outline = SchemaOutline(schema)
    let classNames = dialect.classNames.identifiers(for: outline.classes.map(\.displayName))
    let propertyNames = zip(outline.classes, classNames).map { table, className in
      let linked = table.properties.compactMap { outline.position(ofTable: $0.target) }.map { classNames[$0].name }
      let scope = ModelScope(className: className.name, kind: table.kind, linkedClasses: Set(linked))
      return dialect.propertyNames(scope).identifiers(for: table.properties.map(\.name))
    }
    let builder = ModelBuilder(
      outline: outline, dialect: dialect, classNames: classNames, propertyNames: propertyNames)
    self.outline = outline
    classes = outline.classes.indices.map(builder.modelClass(at:))
  }

  /// Notes everything that the code cannot express.
  func note(in text: inout SchemaText) {
    for model in classes {
      for reason in model.limits { text.note(SchemaNote(className: model.table.displayName, reason: reason)) }
      for member in model.members {
        for reason in member.limits {
          text.note(
            SchemaNote(
              className: model.table.displayName, propertyName: member.property.name, reason: reason))
        }
      }
    }
  }
}

/// A class to be declared.
struct ModelClass: Sendable {
  let table: TableSchema
  let name: Identifier
  let members: [ModelMember]
  /// What the declaration does not say although the schema does.
  let limits: [String]
  /// False when the SDK has no such classes: then there is nothing but comments.
  let isExpressible: Bool
  /// The links to this class, as `Person.dogs`.
  let incoming: [String]
}

/// A property to be declared.
struct ModelMember: Sendable {
  let property: Property
  let name: Identifier
  let isPrimaryKey: Bool
  /// The class that a link or inverse points to.
  let target: Identifier?
  /// The link in `target` that an inverse is the other side of.
  let origin: Identifier?
  /// Whether the declaration carries an index of this kind; never `.general` for a primary key, which implies it.
  let index: IndexKind
  /// What the declaration does not say although the schema does.
  let limits: [String]
  /// False when the SDK has no such properties: then there is nothing but a comment.
  let isExpressible: Bool
}

// MARK: - Building

private struct ModelBuilder {
  let outline: SchemaOutline
  let dialect: ModelDialect
  let classNames: [Identifier]
  let propertyNames: [[Identifier]]

  func modelClass(at position: Int) -> ModelClass {
    let table = outline.classes[position]
    let isExpressible = isExpressible(table)
    var limits: [String] = []
    if !isExpressible { limits.append("\(dialect.sdk) has no asymmetric classes") }
    limits += nameLimits(of: classNames[position])
    if isExpressible, table.kind == .asymmetric, let key = dialect.asymmetricKey, table.primaryKey?.name != key {
      limits.append("in \(dialect.sdk) an asymmetric class needs the primary key \(key.shown)")
    }
    var seen: Set<String> = []
    let members = zip(table.properties.indices, propertyNames[position]).map { index, name in
      let isRepeated = dialect.keepsStoredNames && !seen.insert(name.stored.description).inserted
      return member(
        for: table.properties[index], named: name, isPrimaryKey: index == table.primaryKeyIndex, isRepeated: isRepeated)
    }
    if dialect.needsProperties, isExpressible, !members.contains(where: \.isExpressible) {
      limits.append("in \(dialect.sdk) a class needs at least one property")
    }
    return ModelClass(
      table: table, name: classNames[position], members: members, limits: limits, isExpressible: isExpressible,
      incoming: outline.links(to: table).map { "\($0.className.shown).\($0.property.name.shown)" })
  }

  private func member(
    for property: Property, named name: Identifier, isPrimaryKey: Bool, isRepeated: Bool
  ) -> ModelMember {
    var limits: [String] = []
    if isRepeated { limits.append("another property has the same name") }
    if dialect.lostNames.contains(property.name) { limits.append("\(dialect.sdk) loses properties of this name") }
    let targetPosition = outline.position(ofTable: property.target)
    let origin = originName(of: property, in: targetPosition)
    if let reason = missingReason(for: property, targetPosition: targetPosition, origin: origin) {
      limits.append(reason)
    }
    let isExpressible = limits.isEmpty
    if let target = property.targetClass, isExpressible, !dialect.canLinkTo(target) {
      limits.append("\(dialect.sdk) cannot name the class \(target.shown) in a type")
    }
    limits += nameLimits(of: name)
    let index = indexKind(of: property, isPrimaryKey: isPrimaryKey)
    if isExpressible, !isPrimaryKey, property.index != .none, index == .none { limits.append(indexLimit(of: property)) }
    if isExpressible, isPrimaryKey, !property.canBePrimaryKey {
      limits.append("\(dialect.sdk) does not allow this type as a primary key")
    }
    return ModelMember(
      property: property, name: name, isPrimaryKey: isPrimaryKey, target: targetPosition.map { classNames[$0] },
      origin: origin, index: index, limits: limits, isExpressible: isExpressible)
  }

  private func isExpressible(_ table: TableSchema) -> Bool {
    table.kind != .asymmetric || dialect.hasAsymmetricClasses
  }

  private func missingReason(for property: Property, targetPosition: Int?, origin: Identifier?) -> String? {
    if dialect.missingTypes.contains(property.type) {
      return "\(dialect.sdk) has no type for \(property.type.messageText)"
    }
    guard property.type == .object || property.isComputed else { return nil }
    guard let targetPosition, isExpressible(outline.classes[targetPosition]) else {
      return "links to \(property.targetClass?.shown ?? "nowhere"), which is not among these classes"
    }
    if property.isComputed, origin == nil {
      return "\(property.targetClass?.shown ?? "").\(property.originProperty?.shown ?? "") does not exist"
    }
    return nil
  }

  private func originName(of property: Property, in targetPosition: Int?) -> Identifier? {
    guard let targetPosition, let origin = property.originProperty else { return nil }
    return propertyNames[targetPosition].first { $0.stored == origin }
  }

  private func indexKind(of property: Property, isPrimaryKey: Bool) -> IndexKind {
    switch property.index {
    case .none: return .none
    case .fullText: return dialect.hasFullTextIndex && isSingleString(property) && !isPrimaryKey ? .fullText : .none
    case .general:
      if isPrimaryKey { return .none }
      let isIndexedList = dialect.indexesLists && property.collection == .list && property.type == .string
      let isIndexed = property.collection == nil && dialect.indexedTypes.contains(property.type)
      return isIndexed || isIndexedList ? .general : .none
    }
  }

  private func isSingleString(_ property: Property) -> Bool { property.type == .string && property.collection == nil }

  private func indexLimit(of property: Property) -> String {
    let index = property.index == .fullText ? "full-text index" : "index"
    return "the \(index) cannot be declared in \(dialect.sdk)"
  }

  private func nameLimits(of identifier: Identifier) -> [String] {
    var limits: [String] = []
    if identifier.stored.isEmpty { limits.append("the name is empty") }
    if !identifier.stored.isValidText { limits.append("the name \(identifier.stored.shown) is not UTF-8") }
    if identifier.stored.description.unicodeScalars.contains(where: dialect.unescapedCharacters.contains) {
      limits.append("the name \(identifier.stored.shown) is not escaped by the code generator of \(dialect.sdk)")
    }
    return limits
  }
}
