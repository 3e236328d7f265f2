import RealmStorage
import RealmTools

/// Changes types in a realm to types that an older file format can store, as a plan with one step would.
package struct TypeChangeRun {
  private let parts: [MappedPart]
  /// Embedded classes whose objects move from dictionaries to the objects that replace the entries. Until they have
  /// moved, they are ordinary classes.
  private let movedClasses: [RealmString]
  private static let start = PlanLocation(line: 0, column: 1)

  private init(_ parts: [MappedPart], in schema: Schema) {
    self.parts = parts
    let plain = parts.compactMap { $0.change == .plainClass ? $0.className : nil }
    var moved: [RealmString] = []
    for part in parts {
      guard case .pairs(_, _, let value) = part.change, let name = value.targetClass,
        schema.classNamed(name)?.kind == .embedded, !plain.contains(name), !moved.contains(name)
      else { continue }
      moved.append(name)
    }
    movedClasses = moved
  }

  /// The options of a copy, as they are passed on.
  ///
  /// - Returns: nil if no mapping is requested.
  package static func mapping(_ mappings: [TypeChange]) -> FormatMapping? {
    guard !mappings.isEmpty else { return nil }
    return FormatMapping(mappings) { parts, transaction in
      try TypeChangeRun(parts, in: transaction.schema).perform(in: transaction)
    }
  }

  private func perform(in transaction: WriteTransaction) throws {
    guard !parts.isEmpty else { return }
    let step = PlanStep(version: Located(0, at: Self.start), operations: operations)
    var options = PlanOptions()
    options.origin = .fileFormat
    let run = PlanRun(MigrationPlan(steps: [step]), options)
    do {
      _ = try PlanExecution([step], run, transaction).execute()
    } catch let error as PlanError {
      // Each part is a line of the plan.
      let line = error.mistakes[0].location.line
      guard parts.indices.contains(line - 1) else { throw error }
      throw CopyError.mapping(.values(parts[line - 1], error.message))
    }
  }

  // MARK: Operations

  private var operations: [PlanOperation] {
    let changes = parts.enumerated().map { (part: $1, location: PlanLocation(line: $0 + 1, column: 1)) }
    // Links to embedded objects cannot be moved, so classes come first.
    let plain = changes.filter { $0.part.change == .plainClass }.map { unembed($0.part.className, at: $0.location) }
    let rest = changes.compactMap { change -> PlanOperation? in
      switch change.part.change {
      case .plainClass: nil
      case .property(let from, let to): convert(change.part.className, from, to, at: change.location)
      case .pairs(let from, let pairClass, let value):
        PlanOperation(
          "convert",
          .pairDictionary(
            .init(
              source: name(change.part.className, from.name, at: change.location), pairClass: pairClass, value: value,
              options: Self.options)), at: change.location)
      }
    }
    let away = movedClasses.map { unembed($0, at: Self.start) }
    let back = movedClasses.map { name in
      PlanOperation(
        "embed_class",
        .embedClass(.init(className: Located(name, at: Self.start), policy: .refuse, dropsPrimaryKey: false)),
        at: Self.start)
    }
    return plain + away + rest + back
  }

  private func unembed(_ name: RealmString, at location: PlanLocation) -> PlanOperation {
    PlanOperation("unembed_class", .unembedClass(Located(name, at: location), primaryKey: nil), at: location)
  }

  private func convert(
    _ className: RealmString, _ from: Property, _ to: Property, at location: PlanLocation
  ) -> PlanOperation {
    PlanOperation(
      "convert",
      .convert(
        .init(
          source: name(className, from.name, at: location), target: Located(to, at: location), options: Self.options,
          policies: .init())), at: location)
  }

  private func name(_ className: RealmString, _ property: RealmString, at location: PlanLocation)
    -> PlanOperation.PropertyName
  {
    PlanOperation.PropertyName(className: Located(className, at: location), property: Located(property, at: location))
  }

  /// Options with which no information is lost; a value without an exact counterpart is an error.
  private static var options: ConversionOptions {
    var options = ConversionOptions()
    (options.encoding, options.isExact, options.writesJSON) = (.base64, true, true)
    return options
  }
}
