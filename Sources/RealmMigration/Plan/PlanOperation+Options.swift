import RealmQuery
import RealmStorage

/// Operations that are options of a command line.
extension PlanOperation {
  package static func renameClass(_ name: String, to new: String) -> PlanOperation {
    PlanOperation("rename_class", .renameClass(from: located(name), to: located(new)))
  }

  package static func renameProperty(_ name: String, of owner: String, to new: String) -> PlanOperation {
    PlanOperation(
      "rename_property", .renameProperty(RenameProperty(source: property(name, of: owner), newName: located(new))))
  }

  /// - Throws: `PlanError` for a text that is not a type.
  package static func convert(_ name: String, of owner: String, to type: String) throws(PlanError) -> PlanOperation {
    let reader = PlanReader()
    guard let target = reader.property(name, .text(type), at: .option) else { throw PlanError(reader.mistakes.all) }
    return PlanOperation(
      "convert",
      .convert(
        Convert(
          source: property(name, of: owner), target: target, options: ConversionOptions(), policies: Policies())))
  }

  /// - Parameter filter: is parsed with the plan; nil for all objects.
  /// - Throws: `PlanError` for a text that is not a template.
  package static func set(
    _ values: [(property: String, template: String)], of owner: String, where filter: String?
  ) throws(PlanError) -> PlanOperation {
    if let filter, filter.allSatisfy(\.isWhitespace) {
      throw PlanError("'where' is empty", advice: "TRUEPREDICATE matches all objects", at: .option)
    }
    var action = SetValues(className: located(owner), values: [], policies: Policies())
    action.filter = filter.map { QueryText(text: $0, location: .option) }
    for (name, text) in values {
      // The word alone is null, as for 'update'; in a template, it is text.
      var value = PlanValue.literal(.null)
      if text != "null" {
        do throws(ExpressionError) { value = .template(Located(try Template(text), at: .option), nil) } catch {
          throw PlanError(error.text(in: text), advice: error.advice, at: .option)
        }
      }
      action.values.append(Assignment(property: located(name), value: value))
    }
    return PlanOperation("set", .set(action))
  }

  package static func removeClass(_ name: String) -> PlanOperation {
    PlanOperation("remove_class", .removeClass(located(name), clearsLinks: false))
  }

  /// One that no plan contains.
  init(_ name: String, _ action: Action, at location: PlanLocation = .option) {
    self.init(name: name, location: location, action: action, allowsLoss: false)
  }

  private static func located(_ name: String) -> Name { Located(RealmString(name), at: .option) }

  private static func property(_ name: String, of owner: String) -> PropertyName {
    PropertyName(className: located(owner), property: located(name))
  }
}

extension PlanLocation {
  /// On the command line.
  package static let option = PlanLocation(line: 0, column: 0)
}

extension MigrationPlan {
  /// A plan of one step.
  ///
  /// - Throws: `PlanError` with the mistakes in queries.
  package init(_ operations: [PlanOperation], version: UInt64) throws(PlanError) {
    let mistakes = PlanMistakes()
    for case .set(let action) in operations.map(\.action) {
      if let filter = action.filter { ObjectQuery(filter).report(to: mistakes) }
    }
    guard mistakes.all.isEmpty else { throw PlanError(mistakes.all) }
    self.init(steps: [PlanStep(version: Located(version, at: .option), operations: operations)])
  }
}
