import RealmQuery
import RealmStorage

/// A formula whose names were looked up in a class.
struct BoundFormula {
  /// Where a path begins.
  enum Start: Hashable {
    /// Indexes of a property in the class as it was when the step began, and as it is.
    case property(old: Int?, new: Int?)
  }

  let formula: Formula
  let location: PlanLocation
  /// Parallel to the paths of the formula.
  let starts: [Start]

  /// - Parameters:
  ///   - old: the class when the step began; nil where it was not there.
  ///   - new: the class as it is.
  /// - Throws: `PlanError` for names that are not there.
  init(
    _ formula: Formula, at location: PlanLocation, old: (table: TableSchema, schema: Schema)?,
    new: (table: TableSchema, schema: Schema)
  ) throws(PlanError) {
    (self.formula, self.location) = (formula, location)
    var starts: [Start] = []
    for path in formula.paths {
      func index(_ table: TableSchema?) -> Int? { table?.properties.firstIndex { $0.name == path.property } }
      let before = path.side == .new ? nil : index(old?.table)
      let now = path.side == .old ? nil : index(new.table)
      guard before != nil || now != nil else {
        let known =
          (path.side == .new ? [] : old?.table.properties ?? []) + (path.side == .old ? [] : new.table.properties)
        let hint = PlanMistakes.hint(path.property.description, among: known.map(\.name.description))
        throw PlanError(
          "class '\(new.table.displayName)' has no property '\(path.property)'"
            + (path.side == .old ? " when the step begins" : "") + hint, at: location)
      }
      if before != nil, let old { try Self.check(path, in: old.table, old.schema, location) }
      if before == nil { try Self.check(path, in: new.table, new.schema, location) }
      starts.append(.property(old: before, new: now))
    }
    self.starts = starts
  }

  /// Looks up what comes behind the first property, as far as types tell.
  private static func check(
    _ path: ExpressionPath, in table: TableSchema, _ schema: Schema, _ location: PlanLocation
  ) throws(PlanError) {
    var property = table.property(named: path.property)
    // A list of links gives lists of values; an index takes one of them.
    for element in path.rest {
      guard let current = property, current.type != .mixed else { return }
      switch element {
      case .index, .key:
        guard current.collection != nil else {
          throw PlanError("'\(path.text)': '\(current.name)' is not a collection", at: location)
        }
      case .name(let name):
        if current.collection == .dictionary, current.type != .object { return }
        guard current.type == .object, let target = current.target.flatMap(schema.tableNamed) else {
          throw PlanError("'\(path.text)': '\(current.name)' is not a link, so '.\(name)' leads nowhere", at: location)
        }
        guard let next = target.property(named: name) else {
          // A key of a dictionary of links.
          if current.collection == .dictionary { return }
          let hint = PlanMistakes.hint(name.description, among: target.properties.map(\.name.description))
          throw PlanError("class '\(target.displayName)' has no property '\(name)'\(hint)", at: location)
        }
        property = next
      }
    }
  }
}

/// Why a formula has no value for an object.
struct EvaluationError: Error, Hashable, Sendable {
  var message: String

  init(_ message: String) { self.message = message }
}
