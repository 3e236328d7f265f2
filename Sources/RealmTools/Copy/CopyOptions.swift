import RealmExchange
import RealmRedaction
import RealmStorage

/// What the top array of a copy says about versions and history.
package enum CopyIdentity: Hashable, Sendable {
  /// What the source says: version, history and file ident, as a compacted file that takes the source's place must.
  /// A rebuild keeps the version, and begins a new history.
  case kept
  /// A new local file: version 1, an empty history, so that an SDK opens it without a first commit.
  case fresh
}

/// How a realm is copied.
package struct CopyOptions: Sendable {
  package var identity: CopyIdentity
  /// What to take.
  package var filter = CopyFilter()
  /// Written as the schema version; nil for the source's own.
  package var schemaVersion: UInt64?
  /// The file format of the copy.
  package var format = TargetFormat.newest
  /// Gives other types to what the format cannot store; `OutputTarget` does this, not `RealmCopy`.
  package var mapping: FormatMapping?
  /// How values are replaced before they are written; nil if they stay.
  package var redaction: Redaction?
  /// Written instead of what `redaction` says: tests put something faulty here, which must not pass.
  package var mappingInsteadOfRedaction: (any ValueReplacement)?
  /// Encrypts the copy; nil writes it plain.
  package var key: EncryptionKey?
  /// Threads in addition to the caller's.
  package var threadLimit = 0
  /// Whether a realm that could be copied node by node is rebuilt through its objects all the same, with all indexes
  /// and backlinks made from the values.
  package var rebuilds = false
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

/// How a copy is made.
package enum CopyMethod: String, Sendable {
  /// The nodes are copied as they are.
  case nodes
  /// The objects are read and the tables rebuilt.
  case rebuild
}

/// The result of a copy.
public struct CopyReport: Sendable {
  package let method: CopyMethod
  /// The file format of the copy; 0 for a realm without any content, which has none yet.
  public let format: UInt8
  package let written: WrittenRealm
  /// Links that were lost, by property.
  package var losses: [LinkLoss] = []
  /// What was left out because the file format cannot store it.
  package var formatLosses: [FormatLoss] = []
  /// What got another type, because the file format does not have its own.
  package var mapped: [MappedPart] = []
  /// Objects left out of classes that were copied in part, not counting embedded ones.
  public var leftOutObjectCount = 0
  /// What the conditions found.
  package var matches: [ConditionMatches] = []
  /// Embedded objects that were left out with their parents.
  public var leftOutEmbeddedObjectCount = 0
  /// What the checker found in the source; nil if it was not checked. For a rebuild, without findings in what it makes
  /// from values, unless they contradict the values.
  public var source: SourceCheck?
  /// Whether the copy was read again and compared.
  public var isCompared = false
  /// Whether the copy was read again and compared, and source and copy are without errors.
  public var isVerified: Bool { isCompared && source?.errorCount == 0 }
  /// Of a rebuild that was compared.
  package var contentHash: ContentHash?
  /// What was redacted; nil without redaction.
  package var redaction: RedactionAccount?

  init(method: CopyMethod, format: UInt8, written: WrittenRealm) {
    (self.method, self.format, self.written) = (method, format, written)
  }

  mutating func add(_ plan: RebuildPlan) {
    (losses, matches, formatLosses) = (plan.losses, plan.matches, plan.formatLosses)
    leftOutObjectCount = plan.leftOutObjectCount
    leftOutEmbeddedObjectCount = plan.leftOutEmbeddedObjectCount
  }

  /// Number of all links that were lost.
  public var lostLinkCount: Int { losses.reduce(0) { $0 + $1.linkCount } }
}
