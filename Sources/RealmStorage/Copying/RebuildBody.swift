/// The tables of a snapshot, or a part of them, rebuilt as the body of a realm.
///
/// For sources and copies of older formats and for copies that leave something out; `SnapshotNodes` copies the others faster.
package final class RebuildBody: RealmBody {
  private let snapshot: Snapshot
  private let selection: RebuildSelection
  /// Written as the schema version; nil for the snapshot's own.
  package var schemaVersion: UInt64?
  /// What is written.
  package var format = TargetFormat.newest
  /// Replaces values and names; nil if they stay.
  package var mapping: (any ValueReplacement)?
  /// Threads that map values at the same time.
  package var threadCount = 1
  /// Called from time to time with the number of objects written. If it throws, the work ends.
  package var onProgress: (Int) throws -> Void = { _ in }
  /// The result of the last writing.
  package private(set) var report = SnapshotRebuild.Report()
  /// The object keys that differ from those in the snapshot, by table, as of the last writing.
  package private(set) var derivedKeys: [TableKey: DerivedKeys] = [:]

  package init(_ snapshot: Snapshot, _ selection: RebuildSelection) {
    (self.snapshot, self.selection) = (snapshot, selection)
  }

  package func write(to output: StreamingOutput) throws -> RealmRoots? {
    let rebuild = SnapshotRebuild(snapshot, selection: selection)
    (rebuild.schemaVersion, rebuild.format, rebuild.mapping) = (schemaVersion, format, mapping)
    rebuild.threadCount = threadCount
    let (roots, report) = try rebuild.run(into: output, onProgress: onProgress)
    (self.report, derivedKeys) = (report, rebuild.derivedKeys)
    return roots
  }
}
