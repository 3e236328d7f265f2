/// Why a realm is not changed in place.
public enum WriteRefusal: Error, Hashable, Sendable {
  /// The format is below 24; the file would have to be upgraded first.
  case olderFormat(UInt8)
  /// A local commit to a synced file would put the state of its synchronization out of step
  /// (Docs/Format/1-container.md §3.7).
  case synced(HistoryKind)
  /// The history is of a kind or a layout that is not known.
  case unknownHistory(HistoryProblem)
  /// A test build of the engine made the file, with four entries per node: what is added would have more, under other keys
  /// (Docs/Format/4-file-versions.md §3.11).
  case testBuild
  /// Space that a transaction would write to is not free: the next write would destroy what is there. A copy of the
  /// realm does not use the list of free space and puts it right.
  case spaceInUse(SpaceFault)
  /// A transaction is under way already.
  case transactionOpen
  /// A write or a sync went wrong before: open the file again.
  case failedBefore
}

/// The last step of a commit failed, and nobody can tell whether it took place: the file holds the old state or the new
/// one, whole.
public struct UnsettledCommit: Error {
  /// What went wrong with it.
  public let cause: any Error
}

/// A commit took place, and the file could not be read afterwards. What was changed is in the file; nothing of it is
/// taken back.
public struct UnreadableCommit: Error {
  /// What went wrong with reading.
  public let cause: any Error
}
