import RealmExchange
import RealmOpening
import RealmRedaction
import RealmStorage

/// How a realm is copied.
@dynamicMemberLookup
package struct CopyOptions: Sendable {
  /// What holds for a whole realm, too; its members are members of these options.
  package var whole: WholeCopyOptions
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
  /// Whether a realm that could be copied node by node is rebuilt through its objects all the same, with all indexes
  /// and backlinks made from the values.
  package var rebuilds = false

  package init(identity: CopyIdentity) { whole = WholeCopyOptions(identity: identity) }

  package subscript<Member>(dynamicMember path: WritableKeyPath<WholeCopyOptions, Member>) -> Member {
    get { whole[keyPath: path] }
    set { whole[keyPath: path] = newValue }
  }
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

  init(_ whole: WholeCopyReport) {
    self.init(method: whole.method, format: whole.format, written: whole.written)
    (source, isCompared) = (whole.source, whole.isCompared)
  }

  mutating func add(_ plan: RebuildPlan) {
    (losses, matches, formatLosses) = (plan.losses, plan.matches, plan.formatLosses)
    leftOutObjectCount = plan.leftOutObjectCount
    leftOutEmbeddedObjectCount = plan.leftOutEmbeddedObjectCount
  }

  /// Number of all links that were lost.
  public var lostLinkCount: Int { losses.reduce(0) { $0 + $1.linkCount } }
}
