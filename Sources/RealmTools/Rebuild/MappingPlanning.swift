import RealmStorage

/// Works out what mappings make of a realm's classes and properties, from its schema alone.
struct MappingPlanning {
  private let schema: Schema
  private let format: TargetFormat
  /// What the format would lose without mappings.
  private let losses: [FormatLoss]
  /// In the order of the schema; their counts are 0.
  private(set) var parts: [MappedPart] = []
  /// Names that pairs take.
  private var takenNames: Set<RealmString>

  /// - Throws: `CopyError`.
  init(_ mappings: [TypeChange], of schema: Schema, in format: TargetFormat, losses: [FormatLoss]) throws {
    (self.schema, self.format, self.losses) = (schema, format, losses)
    takenNames = Set(schema.tables.map(\.name))
    var byClass: [RealmString: TypeChange] = [:]
    var byProperty: [PropertyPath: [TypeChange]] = [:]
    for mapping in mappings {
      let path = try path(of: mapping)
      if let property = path.property {
        byProperty[PropertyPath(className: path.className, property: property), default: []].append(mapping)
      } else {
        byClass[path.className] = mapping
      }
    }
    for table in schema.classes {
      let name = table.displayName
      if let mapping = byClass[name] { parts.append(try plainClass(table, mapping)) }
      for property in table.properties {
        let path = PropertyPath(className: name, property: property.name)
        if let mappings = byProperty[path] { parts.append(try part(of: property, name, mappings)) }
      }
    }
  }

  // MARK: Names

  /// The class and property of a mapping. Names may themselves contain dots.
  private func path(of mapping: TypeChange) throws -> (className: RealmString, property: RealmString?) {
    if schema.classNamed(mapping.path) != nil {
      guard mapping.target == .plain else { throw CopyError.mapping(.needsProperty(mapping)) }
      return (mapping.path, nil)
    }
    let bytes = mapping.path.utf8
    let dots = bytes.indices.filter { bytes[$0] == UInt8(ascii: ".") }
    func unknown(_ name: RealmString) -> CopyError {
      .noSuchClass(name, among: schema.classes.map(\.displayName))
    }
    guard let first = dots.first else { throw unknown(mapping.path) }
    func parts(at dot: Int) -> (className: RealmString, property: RealmString) {
      (RealmString(utf8: Array(bytes[..<dot])), RealmString(utf8: Array(bytes[(dot + 1)...])))
    }
    let known = dots.map(parts).compactMap { part in
      schema.classNamed(part.className).map { (table: $0, property: part.property) }
    }
    guard let candidate = known.first else { throw unknown(parts(at: first).className) }
    guard let found = known.first(where: { $0.table.property(named: $0.property) != nil }) else {
      throw CopyError.mapping(.noSuchProperty(candidate.property, in: candidate.table))
    }
    guard mapping.target != .plain else { throw CopyError.mapping(.needsClass(mapping)) }
    return (found.table.displayName, found.property)
  }

  // MARK: Classes

  private func plainClass(_ table: TableSchema, _ mapping: TypeChange) throws -> MappedPart {
    guard table.kind == .embedded else { throw CopyError.mapping(.classNotEmbedded(mapping)) }
    guard !format.holds(.embedded) else { throw CopyError.mapping(.notNeeded(mapping, format)) }
    return MappedPart(className: table.displayName, change: .plainClass, count: 0)
  }

  // MARK: Properties

  private mutating func part(
    of property: Property, _ className: RealmString, _ mappings: [TypeChange]
  ) throws -> MappedPart {
    var mapped = property
    var makesPairs = false
    var byKind: [Bool: TypeChange] = [:]
    for mapping in mappings {
      let changesCollection = mapping.target == .list || mapping.target == .pairs
      if let other = byKind.updateValue(mapping, forKey: changesCollection), other != mapping {
        throw CopyError.mapping(.contradiction(other, mapping))
      }
      try require(mapping, of: property, className)
      switch mapping.target {
      case .string: (mapped.type, mapped.isOptional) = (.string, property.isOptional || property.type == .mixed)
      case .double: mapped.type = .double
      case .list: mapped.collection = .list
      case .pairs: makesPairs = true
      case .plain: break
      }
    }
    if !mapped.allows(mapped.index) { mapped.index = .none }
    try requireHeld(mapped, makesPairs, mappings)
    guard makesPairs else {
      return MappedPart(className: className, change: .property(from: property, to: mapped), count: 0)
    }
    var value = mapped
    (value.name, value.collection, value.index) = ("value", nil, .none)
    if value.type == .object || value.type == .mixed { value.isOptional = true }
    let name = pairClass(className, property.name)
    return MappedPart(
      className: className, change: .pairs(from: property, className: name, value: value), count: 0)
  }

  /// Whether a mapping is possible and necessary.
  private func require(_ mapping: TypeChange, of property: Property, _ className: RealmString) throws {
    let loss = losses.first { $0.className == className && $0.property == property.name }
    let isHeld = format.holds(property.type) && property.collection.map(format.holds) ?? true
    guard !isHeld || loss?.isMappable ?? false else { throw CopyError.mapping(.notNeeded(mapping, format)) }
    let isPossible =
      switch mapping.target {
      case .string: [.uuid, .objectID, .decimal128, .mixed].contains(property.type)
      case .double: property.type == .decimal128
      case .list: property.collection == .set
      case .pairs: property.collection == .dictionary
      case .plain: false
      }
    guard isPossible else { throw CopyError.mapping(.notPossible(mapping, type: property.formatText)) }
    let isNeeded =
      switch mapping.target {
      case .string, .double: !format.holds(property.type) || loss?.kind == .nestedCollections
      case .list, .pairs: !(property.collection.map(format.holds) ?? true) || loss?.kind == .dataLikeTexts
      case .plain: false
      }
    guard isNeeded else { throw CopyError.mapping(.notNeeded(mapping, format)) }
  }

  /// Whether the format can store what a property becomes.
  private func requireHeld(_ mapped: Property, _ makesPairs: Bool, _ mappings: [TypeChange]) throws {
    let holdsCollection = makesPairs || mapped.collection.map(format.holds) ?? true
    guard let first = mappings.first, !holdsCollection || !format.holds(mapped.type) else { return }
    var needed: TypeChange.Target?
    if !holdsCollection {
      needed = mapped.collection == .set ? .list : .pairs
    } else if mapped.type != .object {
      needed = .string
    }
    var shown = mapped
    if makesPairs { shown.collection = .list }
    throw CopyError.mapping(.notEnough(first, becomes: shown.formatText, format, needed: needed))
  }

  // MARK: Pairs

  /// A name for the class of a dictionary's entries that is not in use, and not too long.
  private mutating func pairClass(_ className: RealmString, _ property: RealmString) -> RealmString {
    var number = 1
    while true {
      let end = number == 1 ? "_Pair" : "_Pair\(number)"
      let room = TableSchema.longestClassName - end.utf8.count
      let start = RealmString.cut("\(className)_\(property)", toBytes: room)
      let name = RealmString(start + end)
      guard !takenNames.insert(TableSchema.tableName(ofClass: name)).inserted else { return name }
      number += 1
    }
  }
}

extension RealmString {
  /// As many characters of a text as fit.
  fileprivate static func cut(_ text: String, toBytes count: Int) -> String {
    var text = text
    while text.utf8.count > count { text.removeLast() }
    return text
  }
}

extension FormatLoss {
  /// Whether there is a mapping that may prevent it.
  package var isMappable: Bool {
    switch kind {
    case .property, .nestedCollections, .dataLikeTexts: true
    case .table(let kind): kind == .embedded
    case .embeddedObjects, .link, .unresolvedLinks, .index: false
    }
  }

  /// Whether mapped parts prevent it.
  func isPrevented(by parts: [MappedPart]) -> Bool {
    func isPlain(_ name: RealmString) -> Bool { parts.contains { $0.className == name && $0.change == .plainClass } }
    return switch kind {
    case .table: isPlain(className)
    case .link(let target): isPlain(target)
    // They are left out and kept with their property.
    case .embeddedObjects: !parts.isEmpty
    case .property, .nestedCollections, .dataLikeTexts:
      parts.contains { $0.className == className && $0.property != nil && $0.property == property }
    case .unresolvedLinks, .index: false
    }
  }
}
