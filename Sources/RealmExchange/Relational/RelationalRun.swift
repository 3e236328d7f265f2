import RealmModels
import RealmStorage
import RealmText

/// Writes the rows of all classes of a plan, class by class. In an export of a part, the embedded objects that others
/// contain follow.
struct RelationalRun {
  let snapshot: Snapshot
  let options: ExportOptions
  let plan: RelationalPlan
  let sink: any TextSink

  /// - Returns: what could not be read.
  /// - Throws: what `sink` throws.
  func run<Cells: RelationalCells>(_ makeCells: @escaping @Sendable (TextBuffer) -> Cells) throws -> DamageReport {
    let reach = plan.makeReach()
    var damage = try run(plan.leadingTables, keys: plan.keys, reach: reach, makeCells)
    guard let reach else { return damage }
    let embedded = plan.tables.filter(plan.isReached)
    while true {
      var isDone = true
      for table in embedded {
        let keys = reach.next(of: table.key)
        guard !keys.isEmpty else { continue }
        isDone = false
        damage.merge(try run([table], keys: keys, reach: reach, makeCells))
      }
      if isDone { return damage }
    }
  }

  /// The rows of some classes.
  func run<Cells: RelationalCells>(
    _ tables: [Table], keys: [ObjectKey]?, reach: EmbeddedReach?,
    _ makeCells: @escaping @Sendable (TextBuffer) -> Cells
  ) throws -> DamageReport {
    var options = options
    (options.tables, options.keys, options.links) = (tables, keys, .keys)
    let plan = plan
    let makeWriter: ExportRun.MakeWriter = { context, text, spill in
      let writer = RelationalWriter(plan, makeCells(text), context, reach: reach) {
        if text.count > ExportLimits.spill { try spill(text) }
      }
      return PieceWriter(
        write: { try writer.write($0) }, takeReport: { writer.takeReport() }, forgetPlaces: { writer.forgetPlaces() })
    }
    return try ExportRun(snapshot: snapshot, options: options, sink: sink, makeWriter: makeWriter).run()
  }
}

/// One table of the relational form as a text of its own.
package struct RelationalText: Sendable {
  let plan: RelationalPlan
  /// The number of the table that is written.
  let number: Int
  /// The position of its class; nil for a table that is not of a class.
  let position: Int?
  var meta: RelationalMeta?

  /// Whether all classes have to be read: for tables that are not of a class, and to find the embedded objects of
  /// others.
  var isWhole: Bool {
    guard let position else { return true }
    return plan.isReached(plan.tables[position])
  }

  /// The tables that are read.
  var tables: [Table] {
    if meta == .schema { return [] }
    guard let position, !isWhole else { return plan.leadingTables }
    return [plan.tables[position]]
  }

  var columns: [String] {
    meta?.columns ?? plan.relational.tables[number].columns.map(\.name)
  }
}

/// Writes a table of the relational form as CSV or TSV.
struct RelationalLineExport {
  let snapshot: Snapshot
  let options: ExportOptions
  let relation: RelationalText
  let sink: any TextSink

  func run() throws -> DamageReport {
    let quoting = DelimitedText(options.format, isSafeForSpreadsheets: options.isSafeForSpreadsheets)
    let number = relation.number
    let text = TextBuffer(capacity: 1 << 12)
    quoting.appendHeader(relation.columns.map { RealmString($0) }, to: text)
    if relation.meta == .schema {
      let cells = RelationalLines(number, quoting, text)
      cells.begin(number)
      relation.plan.appendSchemaRow(to: cells, format: snapshot.header.format)
      cells.end()
    }
    try text.withBytes(sink.write)
    if relation.meta == .schema { return DamageReport() }
    try relation.plan.measureDates(ofTable: number, in: snapshot)
    let run = RelationalRun(snapshot: snapshot, options: options, plan: relation.plan, sink: sink)
    guard !relation.isWhole else {
      let damage = try run.run { RelationalLines(number, quoting, $0) }
      // The tables with the values report what is damaged.
      return relation.meta == nil ? damage : DamageReport()
    }
    return try run.run(relation.tables, keys: options.keys, reach: nil) { RelationalLines(number, quoting, $0) }
  }
}
