import RealmExchange
import RealmStorage

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
