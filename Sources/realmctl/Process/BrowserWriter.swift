import RealmBrowser
import RealmExchange
import RealmModels
import RealmQuery
import RealmStorage
import RealmSystem
import RealmText

/// Writes what the browser shows, through the code of `export` and `query --columns`.
struct BrowserWriter: Sendable {
  /// The browsed realm, which the output must not replace.
  let input: RealmInput
  let inverses: InverseNames

  /// - Throws: `BrowserProblem`, `TaskProgress.Stopped`.
  func write(
    _ realm: BrowsedRealm, _ objects: ShownObjects, to target: WriteTarget, _ progress: TaskProgress
  ) throws -> Written {
    do {
      // Pages that the browser has read are not visible to this thread.
      let own = realm.isReadInPages ? try realm.withoutPages() : realm
      let written =
        switch target {
        case .file(let path, let replacing): try writeFile(own, objects, at: path, replacing: replacing, progress)
        case .lines(let taker): try writeLines(own, objects, to: taker, progress)
        }
      return written
    } catch let diagnostic as Diagnostic {
      throw BrowserProblem(
        diagnostic.problem + (diagnostic.advice.map { "; " + $0 } ?? ""))
    }
  }

  private func writeLines(
    _ realm: BrowsedRealm, _ objects: ShownObjects, to taker: LineTaker, _ progress: TaskProgress
  ) throws -> Written {
    let sink = BrowserSink(progress) { try taker.take($0) }
    let missing = try write(realm, objects, .ndjson, nil, to: sink)
    return Written(byteCount: sink.byteCount, missingParts: missing)
  }

  private func writeFile(
    _ realm: BrowsedRealm, _ objects: ShownObjects, at path: String, replacing: Bool, _ progress: TaskProgress
  ) throws -> Written {
    let destination = OutputDestination.path(path, replacing: replacing)
    guard let ending = FormatEnding(of: destination) else {
      throw BrowserProblem("end the name with .csv, .tsv, .json, .ndjson or .sqlite")
    }
    // A pipe could keep the browser waiting for a reader.
    guard !SafeOutput.isStream(path) else { throw Diagnostic(OutputError.notARegularFile(path: path)) }
    if !replacing, SafeOutput.isNameTaken(path) {
      throw BrowserProblem("'\(path)' exists; :write! replaces it")
    }
    let output = try OutputSink(destination, isFolder: false, of: [input])
    let sink = BrowserSink(progress) { try output.write($0) }
    let missing: Int
    var remark = ""
    if ending.format == .sqlite {
      (missing, remark) = try writeDatabase(realm, objects, at: path, output, progress)
    } else {
      let changed = ending.format.isTabular ? ChangedValues() : nil
      missing = try write(realm, objects, ending.format, changed, to: sink)
      let count = changed?.entries.reduce(0) { $0 + $1.count } ?? 0
      if count > 0 { remark = "\(count.counted("value")) would be imported differently" }
    }
    guard realm.change() == nil || input.isStandardInput else {
      throw BrowserProblem("the file changed while it was read, so nothing was written; R reloads it")
    }
    try output.finish()
    return Written(byteCount: output.byteCount, missingParts: missing, remark: remark)
  }

  private func write(
    _ realm: BrowsedRealm, _ objects: ShownObjects, _ format: ExportFormat, _ changed: ChangedValues?,
    to sink: BrowserSink
  ) throws -> Int {
    guard let table = realm.table(named: objects.table) else { return 0 }
    guard let columns = objects.columns else {
      var options = options(realm, objects, table, format)
      options.changedValues = changed
      return try Exporter(realm.snapshot, options: options, sink: sink).run().count
    }
    return try write(columns, of: table, objects.keys, in: realm.snapshot, format, to: sink)
  }

  private func options(
    _ realm: BrowsedRealm, _ objects: ShownObjects, _ table: Table, _ format: ExportFormat
  ) -> ExportOptions {
    var options = ExportOptions(format: format, tables: [table])
    options.isSingleClass = true
    options.keys = objects.keys
    options.threadCount = Processors.threadCount(forBytes: realm.bytes.physicalSize)
    return options
  }

  private func write(
    _ columns: [String], of table: Table, _ keys: [ObjectKey]?, in snapshot: Snapshot, _ format: ExportFormat,
    to sink: BrowserSink
  ) throws -> Int {
    let reader = try QueryColumns(columns, of: table, in: snapshot, inverses: inverses).reader()
    let writer = RowWriter(columns, of: table.schema.displayName, format: format, in: snapshot, to: sink)
    var damage = DamageReport()
    let take: ([ObjectKey]) throws -> Bool = { keys in
      try ExportedObjects.keys(keys[...], table).forEachBatch(damaged: { damage.add($0) }) { batch, rows in
        for row in rows ?? [] { try writer.append(try reader.values(of: batch, row: row)) }
        sink.finished(objects: rows?.count ?? 0)
      }
      try sink.check()
      return true
    }
    var reports: [DamageReport] = []
    if let keys {
      var rest = keys[...]
      while !rest.isEmpty {
        _ = try take(Array(rest.prefix(4096)))
        rest = rest.dropFirst(4096)
      }
    } else {
      reports.append(try Query("TRUEPREDICATE", of: table, in: snapshot).forEachKey(QueryOptions(), take))
    }
    reports += [damage, reader.takeDamage(), try writer.finish()]
    return reports.reduce(0) { $0 + $1.count }
  }

  private func writeDatabase(
    _ realm: BrowsedRealm, _ objects: ShownObjects, at path: String, _ output: OutputSink, _ progress: TaskProgress
  ) throws -> (missing: Int, remark: String) {
    guard let table = realm.table(named: objects.table), let temporary = output.temporaryPath else {
      return (0, "")
    }
    let options = options(realm, objects, table, .sqlite)
    let plan: RelationalPlan
    do throws(DatabaseError) {
      plan = try RelationalPlan(realm.snapshot, options: options, dates: .iso, isWhole: false)
    } catch {
      throw Diagnostic(error, path: input.name)
    }
    do {
      let export = RelationalExport(realm.snapshot, options: options, plan: plan)
      let written = try Diagnostic.ofWriting(path) {
        try export.write(to: temporary, keepsOffDisk: input.key != nil) { [progress] in progress.note($0) }
      }
      let isComplete = written.damage.isEmpty
      let proof = RelationalProof(realm.snapshot, plan: plan, threadCount: options.threadCount)
      try proof.check(temporary, isComplete: isComplete)
      try progress.check()
      output.wrote(byteCount: written.byteCount)
      let compared = isComplete ? "verified against the source" : ""
      let all = objects.columns == nil ? "" : "all columns"
      return (written.damage.count, [compared, all].filter { !$0.isEmpty }.joined(separator: ", "))
    } catch let problem as DatabaseError {
      throw Diagnostic(problem, path: path)
    } catch let fault as WrittenFault {
      throw Diagnostic(unlike: input.name, path: path, detail: fault.text)
    }
  }
}

/// Receives text for the browser, reports progress, and stops on request.
private final class BrowserSink: TextSink, @unchecked Sendable {
  private let progress: TaskProgress
  private let take: (UnsafeRawBufferPointer) throws -> Void
  private(set) var byteCount: UInt64 = 0

  init(_ progress: TaskProgress, _ take: @escaping (UnsafeRawBufferPointer) throws -> Void) {
    (self.progress, self.take) = (progress, take)
  }

  func check() throws { try progress.check() }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    try progress.check()
    byteCount += UInt64(bytes.count)
    try take(bytes)
  }

  func finished(objects: Int) { progress.note(objects) }
}
