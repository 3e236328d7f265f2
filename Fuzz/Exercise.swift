import RealmExchange
import RealmInspection
import RealmModels
import RealmOpening
import RealmStorage
import RealmTools

/// What the commands that read do with an input. Errors are expected; crashes, hangs and excessive memory are not.
struct Exercise {
  private final class Discard: TextSink, @unchecked Sendable {
    func write(_ bytes: UnsafeRawBufferPointer) throws {}
  }

  /// Accepts nodes and keeps none.
  private final class DiscardedNodes: NodeOutput {
    private var position: UInt64 = 24

    func append(_ node: UnsafeRawBufferPointer) throws -> Ref {
      defer { position += UInt64(node.count) }
      return Ref(position)
    }
  }

  /// Rebuilds the tables, whole or in part, and computes the content's hash.
  private static func rebuild(_ snapshot: Snapshot, seed: UInt64) throws {
    var filter = CopyFilter()
    if seed % 2 == 0, let first = snapshot.schema.classes.first {
      filter.classes.excluded = [first.displayName]
      filter.allowsDataLoss = true
    }
    if seed % 3 == 0, let last = snapshot.schema.classes.last(where: { $0.kind == .topLevel }) {
      filter.conditions = [ClassCondition(className: last.displayName, query: "TRUEPREDICATE LIMIT(5)")]
      filter.followsLinks = seed % 4 == 1
      filter.allowsDataLoss = true
    }
    let plan = try RebuildPlan(snapshot, filter: filter)
    _ = try SnapshotRebuild(snapshot, selection: plan.selection).run(into: DiscardedNodes())
    var hasher = ContentHasher(snapshot)
    hasher.selection = plan.selection
    _ = try hasher.run()
  }

  /// Compares the realm with what is left of the previous snapshot, and shows the differences.
  private static func compare(_ snapshot: Snapshot, _ store: ByteStore) throws {
    // Both are read at the same time, and pages are released.
    let copy = ByteStore(copying: try store.copy(at: 0, length: store.count))
    let other = try Snapshot(of: copy, choosing: .previous)
    let difference = try RealmDifference(from: other, to: snapshot)
    for pair in difference.pairs() {
      for change in try difference.compare(pair).changes {
        _ = try difference.key(of: change, in: pair)
        _ = try difference.values(of: change, in: pair)
      }
    }
  }

  /// Every byte counts exactly once, whatever is wrong with the file.
  private static func survey(_ snapshot: Snapshot) throws {
    let size = UInt64(snapshot.byteCount) + 4096
    let parts = try SpaceSurvey(snapshot, fileSize: size).run().parts
    let sum = parts.reduce(0) { $0 &+ $1.byteCount }
    guard sum == size else { throw Violation("the parts of \(size) bytes have \(sum)") }
  }

  /// Exports to a SQLite database in memory, or asks each virtual table.
  private static func database(_ snapshot: Snapshot, seed: UInt64) throws {
    let tables = ExportOptions.allTables(of: snapshot, format: .sqlite, includesInternal: true)
    let options = ExportOptions(format: .sqlite, tables: tables)
    let dates = RelationalSchema.DateForm.allCases[Int(truncatingIfNeeded: seed / 3 % 3)]
    guard let plan = try? RelationalPlan(snapshot, options: options, dates: dates, isWhole: true) else { return }
    guard seed % 2 == 0 else {
      _ = try? RelationalExport(snapshot, options: options, plan: plan).write(to: ":memory:", keepsOffDisk: true)
      return
    }
    guard let session = try? SQLSession(snapshot, plan, keepsOffDisk: true) else { return }
    for name in session.tableNames {
      let table = "\"" + name.replacing("\"", with: "\"\"") + "\""
      var columns: [String] = []
      try? session.run("SELECT * FROM \(table) LIMIT 300", columns: { columns = $0 }, row: { _ in })
      for column in columns.prefix(12) {
        let own = "\"" + column.replacing("\"", with: "\"\"") + "\""
        for operation in ["=", ">"] {
          let value = "(SELECT \(own) FROM \(table) LIMIT 1)"
          try? session.run(
            "SELECT * FROM \(table) WHERE \(own) \(operation) \(value) LIMIT 20", columns: { _ in }, row: { _ in })
        }
      }
    }
    _ = session.takeReport()
  }

  /// Reads everything in `store` in a form that the seed chooses.
  static func run(_ store: ByteStore, wasDecrypted: Bool, seed: UInt64) throws {
    let snapshot = try Snapshot(of: store, wasDecrypted: wasDecrypted)
    _ = snapshot.version
    _ = try? snapshot.freeSpace()
    for table in snapshot.tables {
      _ = try? table.objectCount()
    }
    try survey(snapshot)
    try? compare(snapshot, store)
    try? rebuild(snapshot, seed: seed)
    let schemaFormats = SchemaFormat.allCases
    _ = schemaFormats[Int(truncatingIfNeeded: seed % UInt64(schemaFormats.count))].text(of: snapshot.schema)
    _ = SchemaDifference(from: snapshot.schema, to: Schema(tables: snapshot.schema.tables.reversed())).isEmpty
    if seed % 3 == 0 { try database(snapshot, seed: seed) }
    let formats = ExportFormat.ofTexts
    let format = formats[Int(truncatingIfNeeded: seed % UInt64(formats.count))]
    let tables = ExportOptions.allTables(of: snapshot, format: format, includesInternal: true)
    var options = ExportOptions(format: format, tables: tables)
    options.threadCount = seed % 7 == 0 ? 2 : 1
    options.links = seed % 5 == 0 ? .inline(depth: 1) : .keys
    options.isPretty = format == .json && seed % 3 == 0
    guard format.isTabular else {
      _ = try Exporter(snapshot, options: options, sink: Discard()).run()
      return
    }
    for table in tables {
      options.tables = [table]
      _ = try Exporter(snapshot, options: options, sink: Discard()).run()
      let plan = try? RelationalPlan(snapshot, options: options, dates: .iso, isWhole: false)
      for text in plan.map(options.texts) ?? [] {
        _ = try Exporter(snapshot, options: text.options, sink: Discard()).run()
      }
    }
  }
}
