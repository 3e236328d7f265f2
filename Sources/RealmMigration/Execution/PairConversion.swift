import RealmStorage
import RealmText

extension PlanExecution {
  /// Replaces a dictionary by a list of links to objects of a new class, one for each entry, in the order of the keys.
  func pair(_ action: PlanOperation.PairDictionary, _ done: inout PlanReport.Operation) throws {
    let table = try table(action.source.className)
    let source = try property(action.source.property, of: table)
    (done.className, done.property, done.objects) = (
      action.source.className.value, source.name, table.objectCount
    )
    let pairName = TableSchema.tableName(ofClass: action.pairClass)
    let pairs = try transaction.addTable(pairName)
    try pairs.addProperty(Property(name: "key", type: .string))
    try pairs.addProperty(action.value)
    guard let before = current.table(table.key), let index = before.index(of: source.name) else { return }
    try table.removeProperty(source.name)
    try table.addProperty(Property(name: source.name, type: .object, collection: .list, target: pairName))

    let conversion = PairConversion(from: source, to: action.value, action.options)
    let pairKey = pairs.key
    var (failures, created) = (ValueFailures(), 0)
    try forEachObject(of: table.key, flushes: true) { scope, table in
      // Editors are made again when the transaction is written out.
      guard let pairs = transaction.table(pairKey) else { return }
      do {
        let view = try before.view(index)
        let value = try action.options.writesJSON ? textsOfMixed(view, source) : before.value(index)
        guard case .dictionary(let entries) = value, !entries.isEmpty else { return }
        var links: [Value] = []
        for key in entries.keys.sorted() {
          let value = try conversion.convert(entries[key] ?? .null)
          guard failures.count == 0 else { continue }
          let pair = try pairs.create()
          try pairs.set("key", of: pair, to: .string(key))
          try pairs.set(action.value.name, of: pair, to: value)
          links.append(.link(pairKey, pair))
        }
        created += links.count
        if failures.count == 0 { try table.set(source.name, of: scope.key, to: .list(links)) }
      } catch let error as ValueError {
        failures.add(error, of: scope)
      }
    }
    done.created = created
    guard failures.count == 0 else { throw failures.error(of: done.objects) }
  }
}

/// Converts the values of a dictionary.
private struct PairConversion {
  private let isSame: Bool
  private let scalars: ScalarConversion

  init(from source: Property, to value: Property, _ options: ConversionOptions) {
    isSame = source.type == value.type
    scalars = ScalarConversion(type: value.type, options: options)
  }

  func convert(_ value: Value) throws(ValueError) -> Value {
    value == .null || isSame ? value : try scalars.convert(value)
  }
}
