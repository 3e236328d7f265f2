import RealmStorage
import RealmSystem

/// What the top array of a copy says about versions and history.
package enum CopyIdentity: Hashable, Sendable {
  /// What the source says: version, history and file ident, as a compacted file that takes the source's place must.
  /// A rebuild keeps the version, and begins a new history.
  case kept
  /// A new local file: version 1, an empty history, so that an SDK opens it without a first commit.
  case fresh
}

/// How a copy is made.
package enum CopyMethod: String, Sendable {
  /// The nodes are copied as they are.
  case nodes
  /// The objects are read and the tables rebuilt.
  case rebuild
}

/// How a whole realm is copied.
package struct WholeCopyOptions: Sendable {
  package var identity: CopyIdentity
  /// Encrypts the copy; nil writes it plain.
  package var key: EncryptionKey?
  /// Threads in addition to the caller's.
  package var threadLimit = 0
  /// Whether the copy is read again and compared with its source before it gets its name, and whether the checker looks
  /// at the source.
  package var verifies = true
  /// Whether a source with findings is refused. Has no effect unless `verifies` is set.
  package var requiresSoundSource = false
  /// Whether a damaged source is refused, because the copy takes its place and nobody keeps the old one.
  package var refusesDamage = false
  /// Whether a source is refused of which objects or entries cannot be read that may still be in the file, because the
  /// copy takes its place. Has no effect unless `verifies` is set.
  package var replacesSource = false
  package var progress: WorkProgress?

  package init(identity: CopyIdentity) { self.identity = identity }
}

/// The result of copying a whole realm.
public struct WholeCopyReport: Sendable {
  package let method: CopyMethod
  /// The file format of the copy; 0 for a realm without any content, which has none yet.
  public let format: UInt8
  package let written: WrittenRealm
  /// What the checker found in the source; nil if it was not checked. For a rebuild, without findings in what it makes
  /// from values, unless they contradict the values.
  public var source: SourceCheck?
  /// Whether the copy was read again and compared.
  public var isCompared = false
  /// Whether the copy was read again and compared, and source and copy are without errors.
  public var isVerified: Bool { isCompared && source?.errorCount == 0 }

  init(method: CopyMethod, format: UInt8, written: WrittenRealm) {
    (self.method, self.format, self.written) = (method, format, written)
  }
}

/// What can be measured before it is written.
package protocol MeasuredCopy {
  var snapshot: Snapshot { get }
  var method: CopyMethod { get }
  /// The exact size; takes most of the time that writing takes.
  func measure() throws -> WrittenRealm
}

extension MeasuredCopy {
  /// About how many bytes of nodes there are to write; an upper bound if nodes are copied.
  package var estimatedByteCount: UInt64 {
    let free = (try? snapshot.freeSpace().byteCount) ?? 0
    return snapshot.logicalSize - min(free, snapshot.logicalSize)
  }

  /// An output with room for the copy, which is measured only if space is scarce.
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
}

/// A whole realm, rewritten in the newest format: without its free space, and if asked for with another key.
///
/// A realm of format 24 is copied node by node; one of an older format is rebuilt through its objects, object keys kept. The
/// result is in streaming form; the same snapshot and options give the same bytes, on any number of threads.
package struct WholeCopy: MeasuredCopy {
  package let snapshot: Snapshot
  package let method: CopyMethod
  /// What the copy's top array will say.
  package let identity: RealmIdentity
  private let options: WholeCopyOptions

  /// Nothing is read or written.
  ///
  /// - Throws: `StorageError` if a table is damaged: a copy is complete or not made. `CopyRefusal` for a history that no
  ///   copy can keep.
  package init(of snapshot: Snapshot, _ options: WholeCopyOptions) throws {
    if let damaged = snapshot.damagedTables.first { throw damaged.error }
    (self.snapshot, self.options) = (snapshot, options)
    method = snapshot.hasNewestNodes ? .nodes : .rebuild
    identity = try RealmIdentity(ofCopyOf: snapshot, options.identity, method, in: .newest)
  }

  private var keepsHistory: Bool { options.identity == .kept && method == .nodes }

  /// - Throws: `StorageError` if the snapshot is damaged; `BuildError` for what cannot be rebuilt.
  package func measure() throws -> WrittenRealm {
    let writer = StreamingWriter(key: options.key, threadLimit: options.threadLimit)
    switch method {
    case .nodes: return try writer.measure(SnapshotNodes(of: snapshot, keepsHistory: keepsHistory), identity)
    case .rebuild: return try writer.measure(rebuildBody(), identity)
    }
  }

  private func rebuildBody() -> RebuildBody {
    let body = RebuildBody(snapshot, RebuildSelection(all: snapshot))
    body.threadCount = options.threadLimit + 1
    return body
  }

  /// The report of a dry run.
  ///
  /// - Throws: what `measure` throws; `CopyRefusal`.
  package func dryRun() throws -> WholeCopyReport {
    let check = checking(nil)
    var report = report(try measure())
    report.source = try check.result()
    return report
  }

  private func checking(_ census: PromisedCensus?) -> SourceChecking {
    SourceChecking(of: snapshot, options, ignoringRebuiltParts: method == .rebuild, census: census)
  }

  private func report(_ written: WrittenRealm) -> WholeCopyReport {
    let isEmpty = method == .nodes && snapshot.isWithoutContent
    return WholeCopyReport(method: method, format: isEmpty ? 0 : TargetFormat.newest.number, written: written)
  }

  /// Writes the copy, compares it with the snapshot and closes it. What is left to do is to publish it.
  ///
  /// Meanwhile the checker looks at the snapshot, so that a copy of something damaged is not called verified. A copy of
  /// damaged nodes is kept only if it reads as the snapshot does. What was written to a stream cannot be compared.
  ///
  /// - Throws: `StorageError` if the snapshot is damaged, `BuildError` for what cannot be rebuilt, `OutputError`;
  ///   `CopyRefusal`; `CopyDifference` and `WrittenFault` for a copy that is not what it should be.
  package func write(to output: SafeOutput) throws -> WholeCopyReport {
    // The walk of the copy spares the checker one. What is sent to a stream may have to be checked first.
    let isChecked = options.verifies || options.refusesDamage
    let promise = isChecked && method == .nodes && !output.isStream ? PromisedCensus() : nil
    defer { promise?.fulfil(nil) }
    let check = checking(promise)
    // What was sent to a stream cannot be taken back.
    if output.isStream, options.requiresSoundSource { _ = try check.result() }
    options.progress?.begin(.writing, totalByteCount: estimatedByteCount)
    let writer = StreamingWriter(key: options.key, threadLimit: options.threadLimit, progress: options.progress)
    let written: WrittenRealm
    switch method {
    case .nodes:
      let census = promise.flatMap { _ in NodeCensus(of: snapshot) }
      let nodes = SnapshotNodes(of: snapshot, keepsHistory: keepsHistory, census: census)
      written = try writer.write(nodes, identity, to: output)
      promise?.fulfil(census)
    case .rebuild: written = try writer.write(rebuildBody(), identity, to: output)
    }
    var report = report(written)
    if options.verifies, let path = output.temporaryPath {
      try verify(fileAt: path, written)
      report.isCompared = true
    }
    report.source = try check.result()
    if let source = report.source, let path = output.temporaryPath {
      try source.verify(
        fileAt: path, of: snapshot, method, key: options.key, threadCount: options.threadLimit + 1)
    }
    try output.close()
    return report
  }

  /// Opens a file that was written and compares it with the snapshot.
  ///
  /// - Throws: `CopyDifference`, `WrittenFault`; `StorageError` if the snapshot cannot be read.
  package func verify(fileAt path: String, _ written: WrittenRealm) throws {
    let opened = try written.opened(at: path, key: options.key)
    options.progress?.begin(.verifying, totalByteCount: method == .nodes ? written.logicalSize : 0)
    guard method == .rebuild else {
      var verifier = try CopyVerifier(
        source: snapshot, copy: opened, threadLimit: options.threadLimit, progress: options.progress)
      return try verifier.verify(identity, keepsHistory: options.identity == .kept)
    }
    let expected = try ReadableContent(of: snapshot, includesInternal: false)
    // Releases what was read on demand.
    try snapshot.releasePages()
    let found: ReadableContent
    do {
      let copy = try Snapshot(of: opened.store, wasDecrypted: opened.isEncrypted)
      guard RealmIdentity(of: copy) == identity, copy.schema.version == snapshot.schema.version else {
        throw WrittenFault.identity
      }
      found = try ReadableContent(of: copy, includesInternal: false)
    } catch let error as StorageError {
      throw CopyDifference(source: .null, copy: .null, .unreadable(error))
    }
    guard found == expected, found.isComplete else { throw WrittenFault.content }
  }
}

extension WrittenRealm {
  /// Opens a file that was written.
  ///
  /// - Throws: `CopyDifference` if it cannot be opened, or is not encrypted as it should be; `WrittenFault.fileSize`.
  package func opened(at path: String, key: EncryptionKey?) throws -> OpenedBytes {
    let opened: OpenedBytes
    do {
      opened = try ByteStore.open(.path(path), key: key)
    } catch let error as StorageError {
      throw CopyDifference(source: .null, copy: .null, .unreadable(error))
    }
    guard opened.physicalSize == fileSize else {
      throw WrittenFault.fileSize(expected: fileSize, found: opened.physicalSize)
    }
    guard opened.isEncrypted == (key != nil) else { throw CopyDifference(source: .null, copy: .null, .topArray) }
    return opened
  }
}

extension RealmIdentity {
  /// What the top array of a copy says.
  ///
  /// - Throws: `CopyRefusal` for a history that no copy can keep.
  package init(
    ofCopyOf snapshot: Snapshot, _ identity: CopyIdentity, _ method: CopyMethod, in format: TargetFormat
  ) throws {
    if identity == .kept, let problem = snapshot.historyProblem { throw CopyRefusal.unknownHistory(problem) }
    switch (identity, method) {
    case (.fresh, _): self = .fresh(in: format)
    case (.kept, .nodes): self.init(of: snapshot)
    case (.kept, .rebuild):
      // A history names columns by keys that a rebuild does not keep.
      switch snapshot.historyKind {
      case .none, .inRealm, .outOfRealm: self.init(version: snapshot.version, emptyHistoryIn: .fresh(in: format))
      case let kind: throw CopyRefusal.historyCannotBeKept(kind)
      }
    }
  }
}

extension Snapshot {
  /// Whether there is no content at all, not even an empty list of tables.
  fileprivate var isWithoutContent: Bool { header.topRef.isNull }
  /// Whether nodes mean what they mean in the newest format.
  package var hasNewestNodes: Bool { header.format == Header.newestFormat || isWithoutContent }
}
