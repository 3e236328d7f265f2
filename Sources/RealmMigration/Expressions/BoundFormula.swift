import RealmQuery
import RealmStorage
import RealmText

/// A formula whose names were looked up in a class.
struct BoundFormula {
  /// Where a path begins.
  enum Start: Hashable {
    /// Indexes of a property in the class as it was when the step began, and as it is now.
    case property(old: Int?, new: Int?)
    /// At the object itself: whether what links to it was there when the step began, and is there.
    case object(old: Bool, new: Bool)
  }

  let formula: Formula
  let location: PlanLocation
  /// Parallel to the paths of the formula.
  let starts: [Start]
  /// Whether its value becomes a decimal: then all numbers in it are ones.
  var isDecimal = false

  /// - Parameters:
  ///   - old: the class when the step began; nil if it did not exist.
  ///   - new: the class as it is now.
  ///   - model: the class in the schema file, which names inverse relationships.
  /// - Throws: `PlanError` for names that do not exist.
  init(
    _ formula: Formula, at location: PlanLocation, old: (table: TableSchema, schema: Schema)?,
    new: (table: TableSchema, schema: Schema), model: TableSchema? = nil
  ) throws(PlanError) {
    var formula = formula
    for (index, path) in formula.paths.enumerated() {
      let isKnown = [old?.table, new.table].contains { $0?.property(named: path.property) != nil }
      if !isKnown, let inverse = model?.property(named: path.property), inverse.isComputed {
        formula.paths[index] = path.beginning(with: inverse)
      }
    }
    (self.formula, self.location) = (formula, location)
    var starts: [Start] = []
    for path in formula.paths {
      if path.startsAtBacklinks {
        starts.append(try Self.start(path, old: old, new: new, location))
        continue
      }
      func index(_ table: TableSchema?) -> Int? { table?.properties.firstIndex { $0.name == path.property } }
      let before = path.side == .new ? nil : index(old?.table)
      let now = path.side == .old ? nil : index(new.table)
      guard before != nil || now != nil else {
        let known =
          (path.side == .new ? [] : old?.table.properties ?? []) + (path.side == .old ? [] : new.table.properties)
        guard !path.property.description.contains("(") else {
          throw PlanError.noProperty(path.property, of: new.table, at: location)
        }
        throw PlanError(
          "'\(new.table.displayName)' has no property '\(path.property)'"
            + (path.side == .old ? " when the step starts" : ""), unknown: path.property.description, .properties,
          among: known.map(\.name), at: location)
      }
      if before != nil, let old { try Self.check(path, in: old.table, old.schema, location) }
      if before == nil { try Self.check(path, in: new.table, new.schema, location) }
      starts.append(.property(old: before, new: now))
    }
    self.starts = starts
  }

  /// The beginning of a path through the objects that link to an object.
  private static func start(
    _ path: ExpressionPath, old: (table: TableSchema, schema: Schema)?, new: (table: TableSchema, schema: Schema),
    _ location: PlanLocation
  ) throws(PlanError) -> Start {
    var isOld = false
    if path.side != .new, let old {
      do {
        try check(path, in: old.table, old.schema, location)
        isOld = true
      } catch {
        if path.side == .old { throw error }
      }
    }
    // Something that could be read in the old state may no longer exist.
    guard path.side != .old, !isOld else { return .object(old: isOld, new: false) }
    try check(path, in: new.table, new.schema, location)
    return .object(old: false, new: true)
  }

  /// The list of links that a class has by a property to another.
  private static func backlinks(
    to table: TableSchema, from className: RealmString, _ name: RealmString, in schema: Schema,
    _ location: PlanLocation
  ) throws(PlanError) -> Property {
    guard let origin = schema.classNamed(className) else {
      throw PlanError(
        "no class '\(className)'", unknown: className.description, .classes,
        among: schema.classes.map(\.displayName), at: location)
    }
    guard let property = origin.property(named: name) else {
      throw PlanError.noProperty(name, of: origin, at: location)
    }
    guard property.type == .mixed || property.type == .object && property.target == table.name else {
      throw PlanError("'\(className).\(name)' does not link to class '\(table.displayName)'", at: location)
    }
    return Property(name: name, type: .object, collection: .list, target: origin.name)
  }

  /// Looks up the rest of a path after the first property, as far as types are known.
  private static func check(
    _ path: ExpressionPath, in table: TableSchema, _ schema: Schema, _ location: PlanLocation
  ) throws(PlanError) {
    var property = table.property(named: path.property)
    var elements = path.rest[...]
    if path.startsAtBacklinks, case .backlinks(let className, let name)? = elements.popFirst() {
      property = try backlinks(to: table, from: className, name, in: schema, location)
    }
    // A list of links gives lists of values; an index takes one of them.
    for element in elements {
      guard let current = property, current.type != .mixed else { return }
      switch element {
      case .backlinks(let className, let name):
        guard current.type == .object, let target = current.target.flatMap(schema.tableNamed) else {
          throw PlanError("'\(path.text)': '\(current.name)' is not a link, so nothing links there", at: location)
        }
        property = try backlinks(to: target, from: className, name, in: schema, location)
      case .index, .key:
        guard current.collection != nil else {
          throw PlanError("'\(path.text)': '\(current.name)' is not a collection", at: location)
        }
      case .name(let name):
        if current.collection == .dictionary, current.type != .object { return }
        guard current.type == .object, let target = current.target.flatMap(schema.tableNamed) else {
          throw PlanError("'\(path.text)': '\(current.name)' is not a link, and '.\(name)' needs one", at: location)
        }
        guard let next = target.property(named: name) else {
          // A key of a dictionary of links.
          if current.collection == .dictionary { return }
          throw PlanError.noProperty(name, of: target, at: location)
        }
        property = next
      }
    }
  }
}

extension ExpressionPath {
  /// The path with an inverse relationship in place of the name that a schema file has for it.
  fileprivate func beginning(with inverse: Property) -> ExpressionPath {
    let links = Element.backlinks(
      className: inverse.targetClass ?? "", property: inverse.originProperty ?? "")
    return ExpressionPath(side: side, property: "", rest: [links] + rest, text: text)
  }
}
