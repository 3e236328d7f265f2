import RealmExchange
import RealmOpening
import RealmRedaction
import RealmStorage
import RealmSystem

/// A rewritten realm: compacted, and if asked for with another key or without some of its classes.
///
/// A realm of format 24 that is taken as a whole is copied node by node. One of an older format, and a part of one, is
/// rebuilt through its objects, object keys kept as far as the format of the copy allows. The result is in streaming
/// form; the same snapshot and options give the same bytes, on any number of threads.
///
/// ```swift
/// let copy = try RealmCopy(of: snapshot, CopyOptions(identity: .fresh))
/// let output = try copy.makeOutput(at: "copy.realm", replacing: .never, inputs: ["app.realm"])
/// let report = try copy.write(to: output)
/// try output.publish()
/// ```
package struct RealmCopy: MeasuredCopy {
  package let snapshot: Snapshot
  package let options: CopyOptions
  package let method: CopyMethod
  /// What the copy's top array will say.
  package let identity: RealmIdentity
  /// What is copied and what is lost; everything, if nodes are copied.
  let plan: RebuildPlan
  /// What copies the nodes; nil for a rebuild.
  let whole: WholeCopy?
  /// The mapping that made the snapshot for this copy, if one did.
  private let mapping: MappingFacts?

  /// Decides how to copy and what is lost. Nothing is written, and a snapshot that is taken as a whole is not read.
  ///
  /// - Throws: `CopyError` for a part that cannot be copied; `StorageError` if a table is damaged, or links cannot be
  ///   counted: a copy is complete or not made. `CopyRefusal` for a history that no copy can keep.
  package init(of snapshot: Snapshot, _ options: CopyOptions) throws {
    try self.init(of: snapshot, options, after: nil)
  }

  /// As above, of a realm that was mapped.
  init(of mapped: MappedSource) throws {
    try self.init(of: mapped.realm.snapshot, mapped.options, after: mapped.facts)
  }

  private init(of snapshot: Snapshot, _ options: CopyOptions, after mapping: MappingFacts?) throws {
    self.mapping = mapping
    if let damaged = snapshot.damagedTables.first { throw damaged.error }
    var options = options
    if let redaction = options.redaction {
      options.filter.emptiedClasses = redaction.droppedClasses
      // No rule can name them, and those of synced realms contain queries and messages of a server.
      options.filter.includesInternalTables = false
    }
    (self.snapshot, self.options) = (snapshot, options)
    plan = try RebuildPlan(
      snapshot, filter: options.filter, format: options.format, threadCount: options.threadLimit + 1)
    let takesEverything = plan.selection.takesEverything(of: snapshot)
    let keepsVersion = options.schemaVersion == nil || options.schemaVersion == snapshot.schema.version
    method =
      options.format == .newest && snapshot.hasNewestNodes && takesEverything && keepsVersion && !options.rebuilds
        && options.redaction == nil ? .nodes : .rebuild
    identity = try RealmIdentity(ofCopyOf: snapshot, options.identity, method, in: options.format)
    whole = try method == .nodes ? WholeCopy(of: snapshot, options.whole) : nil
  }

  private var writer: StreamingWriter {
    var writer = StreamingWriter(key: options.key, threadLimit: options.threadLimit, progress: options.progress)
    writer.format = options.format
    return writer
  }

  // MARK: Size

  /// The exact size of the copy; takes most of the time that writing takes.
  ///
  /// - Throws: `StorageError` if the snapshot is damaged; `BuildError` for what cannot be rebuilt.
  package func measure() throws -> WrittenRealm {
    if let whole { return try whole.measure() }
    var writer = writer
    writer.progress = nil
    return try writer.measure(rebuildBody(), identity)
  }

  private func rebuildBody() -> RebuildBody {
    let body = RebuildBody(snapshot, plan.selection)
    (body.schemaVersion, body.format) = (options.schemaVersion, options.format)
    body.mapping = options.mappingInsteadOfRedaction ?? options.redaction
    body.threadCount = options.threadLimit + 1
    return body
  }

  // MARK: What it will hold

  /// The classes of the copy with their objects, by name.
  ///
  /// - Throws: `StorageError`.
  package func classCounts() throws -> [ClassCount] {
    try snapshot.tables.filter { $0.schema.isClass && plan.selection.tables.contains($0.key) }
      .map { table in
        let count = try plan.selection.objects[table.key]?.count ?? table.objectCount()
        let name = (options.redaction?.renamed(table.schema) ?? table.schema).displayName
        return ClassCount(name: name, objectCount: count)
      }
      .sorted { $0.name < $1.name }
  }

  /// The schema of the copy; its version is nil if no app has set one.
  package var schema: Schema {
    let tables = snapshot.tables.filter { plan.selection.tables.contains($0.key) }.map { table in
      let schema =
        method == .nodes ? table.schema : plan.selection.schema(of: table.schema, table.key, in: options.format)
      return options.redaction?.renamed(schema) ?? schema
    }
    return Schema(tables: tables, version: options.schemaVersion ?? snapshot.schema.version)
  }

  /// The report of a dry run.
  ///
  /// - Throws: what `measure` throws; `CopyRefusal`.
  package func dryRun() throws -> CopyReport {
    guard let whole else {
      let check = checking
      var report = CopyReport(method: method, format: options.format.number, written: try measure())
      report.source = try check.result(hidesValues: options.redaction != nil)
      return completed(report)
    }
    return completed(CopyReport(try whole.dryRun()))
  }

  private var checking: SourceChecking { SourceChecking(of: snapshot, options.whole, ignoringRebuiltParts: true) }

  private func completed(_ report: CopyReport) -> CopyReport {
    var report = report
    report.add(plan)
    mapping?.add(to: &report)
    return report
  }

  // MARK: Writing

  /// Writes the copy, compares it with the snapshot and closes it. What is left to do is to publish it.
  ///
  /// Meanwhile the checker looks at the snapshot, so that a copy of something damaged is not called verified. A copy of
  /// damaged nodes is kept only if it reads as the snapshot does. What was written to a stream cannot be compared.
  ///
  /// - Throws: `StorageError` if the snapshot is damaged, `BuildError` for what cannot be rebuilt, `OutputError`;
  ///   `CopyError`, `CopyRefusal`; `CopyDifference` and `WrittenFault` for a copy that is not what it should be.
  package func write(to output: SafeOutput) throws -> CopyReport {
    if let whole { return completed(CopyReport(try whole.write(to: output))) }
    let check = checking
    let hidesValues = options.redaction != nil
    // What was sent to a stream cannot be taken back.
    if output.isStream, options.requiresSoundSource { _ = try check.result(hidesValues: hidesValues) }
    options.progress?.begin(.writing, totalByteCount: estimatedByteCount)
    let body = rebuildBody()
    let proof = options.redaction.map(startProof)
    let written = try writer.write(body, identity, to: output)
    var report = CopyReport(method: method, format: options.format.number, written: written)
    if let proof {
      report.redaction = try run(proof, body.derivedKeys, of: output, written)
      report.isCompared = options.verifies
    } else if options.verifies, let path = output.temporaryPath {
      report.contentHash = try verify(fileAt: path, written)
      report.isCompared = true
    }
    report.source = try check.result(hidesValues: hidesValues)
    if let source = report.source, let path = output.temporaryPath { try verify(fileAt: path, of: source) }
    try output.close()
    return completed(report)
  }
}
