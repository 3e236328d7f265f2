/// Builds the tables of a realm from scratch: the list of tables and everything below.
///
/// Links and what is indexed wait until all objects are known: what does not fit into memory then is in a file (`Spill`).
///
/// ```swift
/// let group = try GroupBuilder(definitions, output: output)
/// try group.tables[0].append(count: 2, keyAt: { ObjectKey(rawValue: Int64($0)) }) { property, rows, column in … }
/// let roots = try group.finish()
/// ```
package final class GroupBuilder {
  /// Slots that keys of tables can name, apart from the last one, which stands for no table.
  static let mostTables = 0xffff

  private let nodes: NodeEncoder
  /// For everything that waits until all objects are known.
  package let spill = Spill()
  /// In the order of the definitions.
  package let tables: [TableBuilder]
  private let freeSlotTags: [Int: UInt64]
  /// Columns of incoming links by the column with the links.
  private var opposites: [ColumnKey: ColumnKey] = [:]

  /// - Parameters:
  ///   - definitions: the tables; keys and names are different from each other.
  ///   - freeSlotTags: tags for table slots that stay free, by slot; 0 if not given.
  ///   - format: of the realm.
  /// - Throws: `BuildError` for names, links and indexes that no realm of the format can have.
  package init(
    _ definitions: [TableDefinition], freeSlotTags: [Int: UInt64] = [:], output: any NodeOutput,
    format: TargetFormat = .newest
  ) throws {
    nodes = NodeEncoder(output, format: format)
    self.freeSlotTags = freeSlotTags
    var byName: [RealmString: TableDefinition] = [:]
    var slots: Set<Int> = []
    for definition in definitions {
      guard byName.updateValue(definition, forKey: definition.schema.name) == nil else {
        throw BuildError.nameInUse(definition.schema.name)
      }
      guard definition.key.slot < Self.mostTables, slots.insert(definition.key.slot).inserted else {
        throw BuildError.tooManyTables(limit: Self.mostTables)
      }
    }
    let (nodes, spill) = (nodes, spill)
    tables = try definitions.map { TableBuilder(try TableLayout($0, among: byName, format: format), nodes, spill) }
    let byKey = Dictionary(tables.map { ($0.key, $0) }) { first, _ in first }
    for table in tables {
      for column in table.columns {
        guard let links = column.links else { continue }
        opposites[column.column.key] =
          byKey[column.column.element.target]?.addBacklink(from: table.key, column.column.key, links)
      }
    }
  }

  /// Writes the values of all objects that have come. After this only values that were left out may still come
  /// (`TableBuilder.fill`).
  package func finishObjects() throws {
    for table in tables { try table.finishCluster() }
  }

  /// Writes everything that is left.
  package func finish() throws -> RealmRoots {
    try finishObjects()
    try addBacklinksOfMixed()
    var refs: [Int: Ref] = [:]
    var names: [Int: RealmString] = [:]
    for table in tables {
      refs[table.key.slot] = try table.write { opposites[table.columns[$0].column.key] ?? .null }
      names[table.key.slot] = table.schema.name
    }
    let slotCount = max(refs.keys.max() ?? -1, freeSlotTags.keys.max() ?? -1) + 1
    let elements = (0..<slotCount).map { refs[$0]?.element ?? .tagged(freeSlotTags[$0] ?? 0) }
    return RealmRoots(
      tableNames: try nodes.names((0..<slotCount).map { names[$0] }), tables: try nodes.integers(elements, .refs))
  }

  /// A table has a column of incoming links for each Mixed column that links to it
  /// (Docs/Format/3-tables-and-objects.md §5.1).
  private func addBacklinksOfMixed() throws {
    let byKey = Dictionary(tables.map { ($0.key, $0) }) { first, _ in first }
    for table in tables {
      for column in table.columns {
        for (target, links) in column.mixedLinks.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
          guard let found = byKey[target] else {
            throw BuildError.unknownTarget(table: table.schema.displayName, property: column.column.name)
          }
          found.addBacklink(from: table.key, column.column.key, links)
        }
      }
    }
  }
}
