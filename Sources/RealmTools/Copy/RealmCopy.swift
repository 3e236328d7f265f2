import RealmExchange
import RealmInspection
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
package struct RealmCopy {
  let snapshot: Snapshot
  package let options: CopyOptions
  package let method: CopyMethod
  /// What the copy's top array will say.
  package let identity: RealmIdentity
  /// What is copied and what is lost; everything, if nodes are copied.
  let plan: RebuildPlan
  /// The mapping that made the snapshot for this copy, if one did.
  private let mapping: MappingFacts?

  /// Decides how to copy and what is lost. Nothing is written, and a snapshot that is taken as a whole is not read.
  ///
  /// - Throws: `CopyError` for a part that cannot be copied; `StorageError` if a table is damaged, or links cannot be
  ///   counted: a copy is complete or not made. `CopyError` for a history that no copy can keep.
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
    // Nodes have other meanings in older formats.
    let isCurrent =
      options.format == .newest && (snapshot.header.format == Header.newestFormat || snapshot.isEmpty)
    let keepsVersion = options.schemaVersion == nil || options.schemaVersion == snapshot.schema.version
    method =
      isCurrent && takesEverything && keepsVersion && !options.rebuilds && options.redaction == nil
      ? .nodes : .rebuild
    identity = try Self.identity(options, of: snapshot, method)
  }

  private static func identity(
    _ options: CopyOptions, of snapshot: Snapshot, _ method: CopyMethod
  ) throws -> RealmIdentity {
    if options.identity == .kept, let problem = snapshot.historyProblem { throw CopyError.unknownHistory(problem) }
    switch (options.identity, method) {
    case (.fresh, _): return .fresh(in: options.format)
    case (.kept, .nodes): return RealmIdentity(of: snapshot)
    case (.kept, .rebuild):
      // A history names columns by keys that a rebuild does not keep.
      switch snapshot.historyKind {
      case .none, .inRealm, .outOfRealm:
        return RealmIdentity(version: snapshot.version, emptyHistoryIn: .fresh(in: options.format))
      case let kind: throw CopyError.historyCannotBeKept(kind)
      }
    }
  }

  private var format: UInt8 { method == .nodes && snapshot.isEmpty ? 0 : options.format.number }

  private var keepsHistory: Bool { options.identity == .kept && method == .nodes }

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
    var writer = writer
    writer.progress = nil
    switch method {
    case .nodes: return try writer.measure(SnapshotNodes(of: snapshot, keepsHistory: keepsHistory), identity)
    case .rebuild: return try writer.measure(rebuildBody(), identity)
    }
  }

  private func rebuildBody() -> RebuildBody {
    let body = RebuildBody(snapshot, plan: plan)
    (body.schemaVersion, body.format) = (options.schemaVersion, options.format)
    body.mapping = options.mappingInsteadOfRedaction ?? options.redaction
    body.threadCount = options.threadLimit + 1
    return body
  }

  /// About how many bytes of nodes there are to write; an upper bound if nodes are copied.
  package var estimatedByteCount: UInt64 {
    let free = (try? snapshot.freeSpace().byteCount) ?? 0
    return snapshot.logicalSize - min(free, snapshot.logicalSize)
  }

  /// An output with room for the copy.
  ///
  /// The copy is measured only if space is scarce.
  ///
  /// - Parameter inputs: files that must not be replaced.
  /// - Throws: `OutputError`; what `measure` throws.
  package func makeOutput(
    at path: String, replacing replacement: OutputReplacement, inputs: [String] = []
  ) throws -> SafeOutput {
    try withExpectedByteCount {
      try SafeOutput(at: path, replacing: replacement, inputs: inputs, expectedByteCount: $0)
    }
  }

  /// Runs `body`, which throws `OutputError.noSpace` if there is not enough room for a number of bytes: first with a
  /// number that is certainly large enough, then, if that fails, with the exact one.
  package func withExpectedByteCount<Result>(_ body: (UInt64) throws -> Result) throws -> Result {
    do {
      return try body(generousByteCount)
    } catch OutputError.noSpace {
      return try body(measure().fileSize)
    }
  }

  /// Old formats store some values in less space; nothing grows more than this.
  private var generousByteCount: UInt64 {
    // Whatever size the file claims.
    let nodes = min(estimatedByteCount, UInt64(snapshot.byteCount))
    let bytes = method == .nodes ? nodes : nodes << 3
    return bytes + bytes >> 6 + 1 << 16
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
  /// - Throws: what `measure` throws; `CopyError.unsoundSource`.
  package func dryRun() throws -> CopyReport {
    let check = startCheck()
    var report = CopyReport(method: method, format: format, written: try measure())
    report.add(plan)
    report.source = try checked(check)
    mapping?.add(to: &report)
    return report
  }

  // MARK: Checking the source

  /// Begins on a thread of its own if two threads can read the bytes at once, otherwise when the result is asked for.
  private func startCheck() -> ThreadResult<SourceCheck, any Error>? {
    guard options.verifies || options.refusesDamage else { return nil }
    let (snapshot, isRebuild, threadLimit) = (snapshot, method == .rebuild, options.threadLimit)
    return ThreadResult(onThread: threadLimit > 0 && !snapshot.isReadInPages) { () throws(any Error) in
      // The copying threads finish sooner; the checking ones then use all processors.
      try SourceCheck(of: snapshot, ignoringRebuiltParts: isRebuild, threadCount: threadLimit + 1)
    }
  }

  /// - Throws: `CopyError.unsoundSource` or `.damagedWithoutBackup` if only an undamaged source is wanted, `.hiddenLoss`
  ///   if something would be lost.
  private func checked(_ check: ThreadResult<SourceCheck, any Error>?) throws -> SourceCheck? {
    let found = try options.redaction == nil ? check?.get() : check?.get().withoutValues
    if let found, options.requiresSoundSource, !found.isSound { throw CopyError.unsoundSource(found) }
    if let found, options.refusesDamage, found.errorCount > 0 { throw CopyError.damagedWithoutBackup(found) }
    if let found, options.replacesSource, found.hiddenObjects != nil { throw CopyError.hiddenLoss(found) }
    return found
  }

  // MARK: Writing

  /// Writes the copy, compares it with the snapshot and closes it. What is left to do is to publish it.
  ///
  /// Meanwhile the checker looks at the snapshot, so that a copy of something damaged is not called verified. A copy of
  /// damaged nodes is kept only if it reads as the snapshot does. What was written to a stream cannot be compared.
  ///
  /// - Throws: `StorageError` if the snapshot is damaged, `BuildError` for what cannot be rebuilt, `OutputError`;
  ///   `CopyError`; `CopyDifference` and `WrittenFault` for a copy that is not what it should be.
  package func write(to output: SafeOutput) throws -> CopyReport {
    let check = startCheck()
    // What was sent to a stream cannot be taken back.
    if output.isStream, options.requiresSoundSource { _ = try checked(check) }
    options.progress?.begin(.writing, totalByteCount: estimatedByteCount)
    var report: CopyReport
    switch method {
    case .nodes:
      let body = SnapshotNodes(of: snapshot, keepsHistory: keepsHistory)
      report = CopyReport(method: method, format: format, written: try writer.write(body, identity, to: output))
    case .rebuild:
      let body = rebuildBody()
      let proof = options.redaction.map(startProof)
      report = CopyReport(method: method, format: format, written: try writer.write(body, identity, to: output))
      if let proof {
        report.redaction = try run(proof, body.derivedKeys, of: output, report.written)
        report.isCompared = options.verifies
      }
    }
    report.add(plan)
    if options.verifies, options.redaction == nil, let path = output.temporaryPath {
      report.contentHash = try verify(fileAt: path, report.written)
      report.isCompared = true
    }
    report.source = try checked(check)
    if let source = report.source, let path = output.temporaryPath { try verify(fileAt: path, of: source) }
    try output.close()
    mapping?.add(to: &report)
    return report
  }
}

extension Snapshot {
  /// Whether there is no content at all, not even an empty list of tables.
  fileprivate var isEmpty: Bool { header.topRef.isNull }
}
