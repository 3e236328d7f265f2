/// The rules that a schema must follow before an SDK opens a realm with it.
///
/// Any schema can be checked, even one read from a damaged file. Every rule that is broken gives one violation, in the
/// order of the SDKs' list.
package struct SchemaValidation: Sendable {
  /// Where the schema will be used; some classes are valid only there.
  package enum Purpose: Hashable, Sendable, CaseIterable {
    case local
    case flexibleSync
    case partitionSync
  }

  package let violations: [SchemaViolation]

  /// - Parameters:
  ///   - aliases: for each table of `schema`, for each of its properties, the other name that an app uses for it, or
  ///     nil. May be shorter than either list.
  ///   - allowsUnreachable: whether embedded classes that nothing links to are valid. They are not if an app listed
  ///     its classes one by one.
  package init(
    of schema: Schema, for purpose: Purpose = .local, aliases: [[RealmString?]] = [], allowsUnreachable: Bool = true
  ) {
    var check = SchemaCheck(schema: schema, aliases: aliases)
    check.checkClassNames()
    for position in check.positions { check.checkClass(at: position, for: purpose) }
    // The walks below rely on every link having a target.
    if check.violations.isEmpty {
      check.checkCycles()
      if !allowsUnreachable { check.checkReachability() }
    }
    violations = check.violations
  }

  package var isValid: Bool { violations.isEmpty }

  /// The SDKs' message, one `- ` line for each violation; nil for a valid schema.
  package var message: String? {
    guard !isValid else { return nil }
    return "Schema validation failed due to the following errors:" + violations.map { "\n- \($0)" }.joined()
  }
}

/// A validation on its way.
private struct SchemaCheck {
  let tables: [TableSchema]
  let aliases: [[RealmString?]]
  /// Positions in `tables` of the classes, by name.
  let positions: [Int]
  let positionOfTable: [RealmString: Int]
  var violations: [SchemaViolation] = []

  init(schema: Schema, aliases: [[RealmString?]]) {
    tables = schema.tables
    self.aliases = aliases
    positions = schema.tables.indices.filter { schema.tables[$0].isClass }
      .sorted { (schema.tables[$0].name, $0) < (schema.tables[$1].name, $1) }
    positionOfTable = Dictionary(
      positions.map { (schema.tables[$0].name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  func target(of property: Property) -> TableSchema? {
    guard let name = property.target, let position = positionOfTable[name] else { return nil }
    return tables[position]
  }
}

// MARK: - Classes and names

extension SchemaCheck {
  mutating func checkClassNames() {
    for (position, next) in zip(positions, positions.dropFirst()) where tables[position].name == tables[next].name {
      violations.append(.duplicateClass(tables[position].displayName))
    }
  }

  mutating func checkClass(at position: Int, for purpose: SchemaValidation.Purpose) {
    let table = tables[position]
    checkNames(of: table, aliases: position < aliases.count ? aliases[position] : [])
    for (index, property) in table.properties.enumerated() where !property.isComputed {
      check(property, isPrimaryKey: index == table.primaryKeyIndex, in: table)
    }
    for property in table.properties where property.isComputed { check(property, isPrimaryKey: false, in: table) }

    let name = table.displayName
    if table.kind == .embedded, table.primaryKeyIndex != nil {
      violations.append(.embeddedWithPrimaryKey(className: name))
    }
    if let index = table.primaryKeyIndex, table.primaryKey == nil {
      violations.append(.noSuchPrimaryKey(className: name, index: index))
    }
    if purpose != .local, table.kind != .embedded { checkSyncedKey(of: table) }
    if table.kind == .asymmetric, purpose == .local { violations.append(.asymmetricInLocalRealm(className: name)) }
    if table.kind == .asymmetric, purpose == .partitionSync {
      violations.append(.asymmetricInPartitionSync(className: name))
    }
  }

  private mutating func checkNames(of table: TableSchema, aliases: [RealmString?]) {
    let owner = table.displayName
    let names = table.properties.map(\.name).sorted()
    if names.first?.isEmpty == true { violations.append(.emptyPropertyName(className: owner)) }
    let publicNames = aliases.compactMap { $0 }.sorted()
    for alias in Self.repeated(in: publicNames) {
      violations.append(.duplicateAlias(className: owner, alias: alias))
    }
    for name in Self.repeated(in: names) { violations.append(.duplicateProperty(className: owner, name: name)) }

    var storedNames = names[...]
    for alias in publicNames {
      storedNames = storedNames.drop { $0 < alias }
      guard storedNames.first == alias else { continue }
      storedNames.removeFirst()
      // The SDKs name whichever property an app would find under the alias.
      let publicName = { (index: Int) in (index < aliases.count ? aliases[index] : nil) ?? table.properties[index].name
      }
      guard let index = table.properties.storedFirst.first(where: { publicName($0) == alias }) else { continue }
      violations.append(.aliasIsProperty(className: owner, name: table.properties[index].name, alias: alias))
    }
  }

  /// One entry for each pair of equal neighbors; a third of the same name begins a new pair, as in the SDKs' list.
  private static func repeated(in sorted: [RealmString]) -> [RealmString] {
    var repeated: [RealmString] = []
    var index = 0
    while index + 1 < sorted.count {
      let isRepeated = sorted[index] == sorted[index + 1]
      if isRepeated { repeated.append(sorted[index]) }
      index += isRepeated ? 2 : 1
    }
    return repeated
  }

  private mutating func checkSyncedKey(of table: TableSchema) {
    guard let key = table.primaryKey else {
      violations.append(.syncedWithoutPrimaryKey(className: table.displayName))
      return
    }
    if key.name != "_id" {
      violations.append(.syncedWithOtherPrimaryKey(className: table.displayName, name: key.name))
    }
  }
}

// MARK: - Properties

extension SchemaCheck {
  private mutating func check(_ property: Property, isPrimaryKey: Bool, in table: TableSchema) {
    func report(_ fault: PropertyFault) {
      violations.append(.property(className: table.displayName, property, fault))
    }
    if property.isComputed, property.collection == .set || property.collection == .dictionary {
      report(.inverseIsNoList)
    }
    if let fault = optionalityFault(of: property) { report(fault) }
    if isPrimaryKey, !property.canBePrimaryKey { report(.cannotBePrimaryKey) }
    // A full-text index that is not one of strings is found later by the engine, when it is added.
    if !property.allows(property.index) { report(.cannotBeIndexed) }
    let hasOrigin = property.originProperty.map { !$0.isEmpty } ?? false
    if !property.isComputed, hasOrigin { report(.cannotHaveOrigin) }
    if property.isComputed, !hasOrigin { report(.noOrigin) }

    if property.type == .object || property.isComputed {
      if let fault = targetFault(of: property, in: table) { report(fault) }
    } else if property.target != nil {
      report(.cannotHaveTarget)
    }
  }

  private func optionalityFault(of property: Property) -> PropertyFault? {
    let isLinkList = property.type == .object && (property.collection == .list || property.collection == .set)
    if property.isOptional { return isLinkList || property.isComputed ? .cannotBeOptional : nil }
    if property.type == .object, !isLinkList { return .linkNotOptional }
    return property.type == .mixed ? .mixedNotOptional : nil
  }

  private func targetFault(of property: Property, in table: TableSchema) -> PropertyFault? {
    guard let target = target(of: property) else { return .unknownTarget }
    if property.collection == .set, target.kind == .embedded { return .embeddedInSet }
    if target.kind == .asymmetric { return .linkToAsymmetric }
    guard property.isComputed else { return nil }

    let originName = property.originProperty ?? ""
    guard let position = target.properties.storedFirst.first(where: { target.properties[$0].name == originName }) else {
      return .originMissing
    }
    let origin = target.properties[position]
    if origin.type != .object { return .originIsNoLink }
    return origin.target == table.name ? nil : .originLinksElsewhere(target: origin.targetClass ?? "")
  }
}

extension Property {
  /// Whether the property can be the primary key of its class. The engine's own check looks only at the type; a list,
  /// set or dictionary that passes it would make a table with unreadable keys.
  package var canBePrimaryKey: Bool { collection == nil && type.canBePrimaryKey }

  /// Whether a general search index can serve the property.
  public var canBeIndexed: Bool {
    switch type {
    case .string: collection == nil || collection == .list
    case .int, .bool, .date, .objectID, .uuid, .mixed: collection == nil
    case .float, .double, .decimal128, .data, .object, .linkingObjects: false
    }
  }
}

// MARK: - Embedded classes

extension SchemaCheck {
  mutating func checkCycles() {
    for path in EmbeddedCycles(among: positions.map { tables[$0] }).paths {
      violations.append(.embeddedCycle(path: path))
    }
  }

  mutating func checkReachability() {
    var reached = Set(positions.filter { tables[$0].kind != .embedded })
    var queue = reached.sorted()
    while let position = queue.popLast() {
      for property in tables[position].properties where property.type == .object {
        guard let name = property.target, let target = positionOfTable[name] else { continue }
        if tables[target].kind == .embedded, reached.insert(target).inserted { queue.append(target) }
      }
    }
    for position in positions where !reached.contains(position) {
      violations.append(.unreachableEmbedded(className: tables[position].displayName))
    }
  }
}
