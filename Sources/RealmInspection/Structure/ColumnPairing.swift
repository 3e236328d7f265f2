import RealmStorage

/// Link columns and the backlink columns that belong to them (Docs/Format/3-tables-and-objects.md §5.1, §9.1).
struct ColumnPairing {
  private let context: CheckContext
  private let tables: [CheckedTable]
  private let numbers: [TableKey: Int]

  init(_ context: CheckContext, _ tables: [CheckedTable]) {
    (self.context, self.tables, numbers) = (context, tables, tables.numbersByKey)
  }

  /// Checks both directions and records for backlink columns where their links come from.
  func run() {
    for table in tables {
      for column in table.columns where column.type == .link { checkLink(table, column) }
      var seen: Set<CheckedBacklinkColumn.Origin> = []
      for index in table.backlinks.indices {
        let column = table.backlinks[index]
        if !seen.insert(column.declaredOrigin).inserted {
          context.log.add(.backlinkColumnPartner, at: place(table, column))
        }
        resolve(table, index)
      }
    }
  }

  private func checkLink(_ table: CheckedTable, _ column: CheckedColumn) {
    let place = table.place(.table, column)
    guard let number = numbers[column.target] else {
      context.log.add(
        .linkColumnPartner, .count(column.target.rawValue), after: context.log.damages.tableList, at: place)
      return
    }
    let target = tables[number]
    let wanted = CheckedBacklinkColumn.Origin(table: table.key, column: column.key)
    let partner = target.backlinks.first { $0.declaredOrigin == wanted }
    if partner == nil || partner?.key != column.partner {
      context.log.add(.linkColumnPartner, .name(target.name), after: context.log.damages.table(target.name), at: place)
    }
    if target.kind == .asymmetric { context.log.add(.asymmetricTarget, .name(target.name), at: place) }
    if target.kind == .embedded, column.collection == .set {
      context.log.add(.columnCombination, .name(target.name), at: place)
    }
  }

  private func resolve(_ table: CheckedTable, _ index: Int) {
    let column = table.backlinks[index]
    let origin = numbers[column.declaredOrigin.table]
    if let origin, let number = tables[origin].columns.firstIndex(where: { $0.key == column.declaredOrigin.column }) {
      let source = tables[origin].columns[number]
      table.backlinks[index].name = .backlinks(table: tables[origin].name, column: source.name)
      if source.type == .mixed || (source.type == .link && source.target == table.key && source.partner == column.key) {
        table.backlinks[index].origin = (origin, number)
        return
      }
    } else if column.declaredOrigin.column.typeCode == TypeCode.mixed.rawValue {
      // Engines forget these when the mixed column or its table is removed (§11).
      context.log.add(.backlinkColumnOrphan, at: place(table, column))
      return
    }
    let damages = context.log.damages
    context.log.add(
      .backlinkColumnPartner, after: origin.map { damages.table(tables[$0].name) } ?? damages.tableList,
      at: place(table, table.backlinks[index]))
  }

  private func place(_ table: CheckedTable, _ column: CheckedBacklinkColumn) -> Finding.Place {
    Finding.Place(part: .table, table: table.name, column: column.name, ref: table.top, position: column.leafIndex)
  }
}
