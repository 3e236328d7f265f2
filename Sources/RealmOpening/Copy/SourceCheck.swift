import RealmInspection
import RealmStorage
import RealmSystem

/// What the checker says about a realm that is copied or changed: damage is never copied silently.
public struct SourceCheck: Sendable, Equatable {
  /// Findings that are damage.
  public private(set) var errorCount = 0
  /// Findings that deserve attention.
  public private(set) var warningCount = 0
  /// Errors and warnings, errors first, the first few of each kind.
  public private(set) var findings: [Finding] = []

  /// No errors and no warnings.
  public var isSound: Bool { errorCount == 0 && warningCount == 0 }
  /// Errors and warnings.
  public var findingCount: Int { errorCount + warningCount }
  /// Kinds of errors and warnings.
  package var kinds: Set<FindingKind> { Set(findings.map(\.kind)) }

  /// The first sign of objects, or entries of dictionaries, that cannot be read and may still be in the file.
  package var hiddenObjects: Finding? {
    findings.first { finding in
      finding.severity == .error
        && (finding.name.hasPrefix("cluster.")
          || [.dictionaryLengths, .groupLostTable].contains(finding.kind))
    }
  }

  package static let mostFindingsPerKind = 5

  /// - Parameters:
  ///   - ignoringRebuiltParts: whether to leave out findings in what a rebuild makes from the values, except those that
  ///     cast doubt on the values themselves.
  ///   - threadCount: threads that look at the same time.
  ///   - census: of a copy that is made meanwhile.
  /// - Throws: `StorageError` if the bytes are not a realm.
  package init(
    of snapshot: Snapshot, ignoringRebuiltParts: Bool = false, threadCount: Int = 1, census: PromisedCensus? = nil
  ) throws {
    var options = Checker.Options(mostFindingsPerKind: Self.mostFindingsPerKind, reportsFollowing: false)
    (options.threadCount, options.census) = (threadCount, census)
    var all: [Finding] = []
    let summary = try snapshot.check(options) { if $0.severity != .note { all.append($0) } }
    (errorCount, warningCount) = (summary.errors, summary.warnings)
    findings = all.filter { $0.severity == .error } + all.filter { $0.severity == .warning }
    if ignoringRebuiltParts { leaveOutRebuiltParts(summary) }
  }

  /// The same, without anything that may be part of a value.
  package var withoutValues: SourceCheck {
    var other = self
    other.findings = findings.map(\.withoutValues)
    return other
  }

  private mutating func leaveOutRebuiltParts(_ summary: CheckSummary) {
    for kind in kinds where kind.isLeftOut {
      let count = summary.counts[kind] ?? 0
      if findings.first(where: { $0.kind == kind })?.severity == .error {
        errorCount = max(0, errorCount - count)
      } else {
        warningCount = max(0, warningCount - count)
      }
    }
    findings.removeAll { $0.kind.isLeftOut }
    // Findings that follow from others count among those of their kind, but not as errors.
    errorCount = max(errorCount, findings.count { $0.severity == .error })
    warningCount = max(warningCount, findings.count { $0.severity == .warning })
  }
}

extension FindingKind {
  /// Whether the finding is in a part that a rebuild makes from values alone: indexes, the backlinks of links.
  package var isRebuilt: Bool {
    rawValue.hasPrefix("index.") || rawValue.hasPrefix("backlink.") || self == .linkWithoutBacklink
  }

  /// Whether values and what was made from them contradict each other. One of the two is damaged, and nothing shows
  /// which: a rebuild makes the other new, and would hide damage of the values.
  package var contradictsValues: Bool {
    switch self {
    case .linkWithoutBacklink, .backlinkWithoutLink, .indexEntry, .indexUnknownObject, .indexMissing: true
    default: false
    }
  }

  fileprivate var isLeftOut: Bool { isRebuilt && !contradictsValues }
}

/// The check of a realm while it is copied.
package struct SourceChecking {
  private let options: WholeCopyOptions
  private let check: ThreadResult<SourceCheck, any Error>?

  /// Begins on a thread of its own if two threads can read the bytes at once, otherwise when the result is asked for.
  ///
  /// - Parameters:
  ///   - ignoringRebuiltParts: whether the copy makes indexes and backlinks from the values.
  ///   - census: of the copy, which has to be fulfilled before the result is asked for, and in any case.
  package init(
    of snapshot: Snapshot, _ options: WholeCopyOptions, ignoringRebuiltParts: Bool, census: PromisedCensus? = nil
  ) {
    self.options = options
    let threadLimit = options.threadLimit
    check =
      options.verifies || options.refusesDamage
      ? ThreadResult(onThread: threadLimit > 0 && !snapshot.isReadInPages) { () throws(any Error) in
        // The copying threads finish sooner; the checking ones then use all processors.
        try SourceCheck(
          of: snapshot, ignoringRebuiltParts: ignoringRebuiltParts, threadCount: threadLimit + 1, census: census)
      } : nil
  }

  /// - Parameter hidesValues: whether findings must not show values.
  /// - Returns: nil if the realm was not to be checked.
  /// - Throws: `CopyRefusal.unsoundSource` or `.damagedWithoutBackup` if only an undamaged source is wanted, `.hiddenLoss`
  ///   if something would be lost.
  package func result(hidesValues: Bool = false) throws -> SourceCheck? {
    guard let check = try check?.get() else { return nil }
    let found = hidesValues ? check.withoutValues : check
    if options.requiresSoundSource, !found.isSound { throw CopyRefusal.unsoundSource(found) }
    if options.refusesDamage, found.errorCount > 0 { throw CopyRefusal.damagedWithoutBackup(found) }
    if options.replacesSource, found.hiddenObjects != nil { throw CopyRefusal.hiddenLoss(found) }
    return found
  }
}

extension SourceCheck {
  /// Makes sure that a copy is at most as damaged as its source, where a comparison cannot show it.
  ///
  /// Equal nodes are equally good. But the copy of a damaged node may have taken numbers for refs.
  ///
  /// - Throws: `WrittenFault`, `CopyRefusal.readsDifferently`; `StorageError` if the copy cannot be opened.
  package func verify(
    fileAt path: String, of source: Snapshot, _ method: CopyMethod, key: EncryptionKey?, threadCount: Int
  ) throws {
    guard method == .rebuild || errorCount > 0 else { return }
    let copy = try OpenedRealm(fileAt: path, key: key).snapshot
    switch method {
    case .nodes:
      guard try ReadableContent(of: copy) == ReadableContent(of: source) else { throw CopyRefusal.readsDifferently }
    case .rebuild:
      let found = try SourceCheck(of: copy, threadCount: threadCount)
      let new = found.findings.filter { $0.kind.isRebuilt || !kinds.contains($0.kind) }
      if let first = new.first { throw WrittenFault.unsound(first.message, count: new.count) }
    }
  }
}
