import RealmExchange
import RealmStorage

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
  private(set) var derivedKeys: [TableKey: DerivedKeys] = [:]

  package init(_ snapshot: Snapshot, plan: RebuildPlan) {
    self.snapshot = snapshot
    selection = plan.selection
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

/// A comparison of the contents of a rebuilt realm and its source.
package struct ContentVerifier {
  private let source: Snapshot
  private let selection: RebuildSelection?
  package var threadCount = 1
  /// The format of the copy, which may give objects other keys.
  package var format = TargetFormat.newest
  /// The schema version that the copy should have; the source's unless it is set.
  package var schemaVersion: UInt64?
  package var onProgress: @Sendable (Int) throws -> Void = { _ in }

  /// - Parameter plan: what was copied; nil for everything.
  package init(source: Snapshot, plan: RebuildPlan? = nil) {
    self.source = source
    selection = plan?.selection
    schemaVersion = source.schema.version
  }

  /// - Returns: the hash of both.
  /// - Throws: `WrittenFault.differs` if they differ; `CopyDifference` if the copy cannot be read; `StorageError` if
  ///   the source cannot.
  package func verify(_ copy: Snapshot) throws -> ContentHash {
    var hasher = ContentHasher(source)
    hasher.selection = selection
    let expected = try run(hasher)
    // Releases what was read on demand.
    try source.releasePages()
    let found: ContentHash
    do {
      found = try run(ContentHasher(copy))
    } catch let error as StorageError {
      throw CopyDifference(source: .null, copy: .null, .unreadable(error))
    }
    let differs = schemaVersion != copy.schema.version
    guard expected != found || differs else { return found }
    let classes = Set(expected.classes).symmetricDifference(found.classes).map(\.name)
    throw WrittenFault.differs(classes: Set(classes).sorted(), schemaVersion: differs)
  }

  private func run(_ hasher: ContentHasher) throws -> ContentHash {
    var hasher = hasher
    hasher.threadCount = threadCount
    hasher.classesWithOtherKeys = source.classesWithDerivedKeys(in: format, selection)
    hasher.onProgress = onProgress
    return try hasher.run()
  }
}

extension Snapshot {
  /// The classes whose objects get keys made of their primary keys.
  fileprivate func classesWithDerivedKeys(
    in format: TargetFormat, _ selection: RebuildSelection?
  ) -> Set<RealmString> {
    let derived = tables.filter { table in
      let primaryKey = selection?.primaryKeyIndex(of: table) ?? table.schema.primaryKeyIndex
      return primaryKey.map { format.derivesObjectKeys(from: table.schema.properties[$0].type) } ?? false
    }
    return Set(derived.map(\.schema.name))
  }
}
