import RealmExchange
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
  var kinds: Set<FindingKind> { Set(findings.map(\.kind)) }

  /// The first sign of objects, or entries of dictionaries, that cannot be read and may still be in the file.
  var hiddenObjects: Finding? {
    findings.first { finding in
      finding.severity == .error
        && (finding.kind.rawValue.hasPrefix("cluster.")
          || [.dictionaryLengths, .groupLostTable].contains(finding.kind))
    }
  }

  static let mostFindingsPerKind = 5

  /// - Parameters:
  ///   - ignoringRebuiltParts: whether to leave out findings in what a rebuild makes from the values, except those that
  ///     cast doubt on the values themselves.
  ///   - threadCount: threads that look at the same time.
  /// - Throws: `StorageError` if the bytes are not a realm.
  package init(of snapshot: Snapshot, ignoringRebuiltParts: Bool = false, threadCount: Int = 1) throws {
    var options = Checker.Options(mostFindingsPerKind: Self.mostFindingsPerKind, reportsFollowing: false)
    options.threadCount = threadCount
    var all: [Finding] = []
    let summary = try snapshot.check(options) { if $0.severity != .note { all.append($0) } }
    (errorCount, warningCount) = (summary.errors, summary.warnings)
    findings = all.filter { $0.severity == .error } + all.filter { $0.severity == .warning }
    if ignoringRebuiltParts { leaveOutRebuiltParts(summary) }
  }

  /// The same, without anything that may be part of a value.
  var withoutValues: SourceCheck {
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

/// What can be read of a damaged realm, in a few bytes: the digest of what an export writes, and how much it leaves
/// out.
struct ReadableContent: Equatable {
  private let digest: Digest256
  private let damageCount: Int
  private let damagedTableCount: Int

  init(of snapshot: Snapshot, threadCount: Int, includesInternal: Bool = true) throws {
    let format = ExportFormat.typedNDJSON
    var options = ExportOptions(
      format: format,
      tables: ExportOptions.allTables(of: snapshot, format: format, includesInternal: includesInternal))
    options.threadCount = threadCount
    let sink = HashSink()
    let damage = try Exporter(snapshot, options: options, sink: sink).run()
    (digest, damageCount) = (sink.finish(), damage.count)
    damagedTableCount = snapshot.damagedTables.count
  }
}
