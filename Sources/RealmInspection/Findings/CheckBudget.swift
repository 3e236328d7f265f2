import RealmStorage

/// Limits the work of one check to a multiple of the file's size, wherever damaged refs point.
///
/// The nodes of a sound file form a tree. In a damaged file, several refs can point to one node. The walk over all
/// nodes reports such nodes, and each later pass visits them only a few times. Otherwise, a node with a thousand refs
/// to a node that in turn has a thousand refs to the next would keep a check busy forever.
final class CheckBudget {
  private var spent = 0
  private let limit: Int
  private let isForTrial: Bool
  /// Shared nodes, and how often each was visited in this pass.
  private var visits: [Ref: Int] = [:]
  /// The walk over nodes ended early, so any node may be shared.
  private var isUncertain = false
  private var countsVisits = false

  /// More than the passes over an index with two owners need.
  private static let mostVisits = 8
  /// Nodes whose visits are counted. If there are more, only the limit bounds the cost of damage.
  private static let mostCounted = 1 << 17

  init(byteCount: Int) {
    // One pass visits each node of a sound file once or twice and spends, for the elements of narrow leaves, up to 16
    // times as much; four passes look at values, links, backlinks and indexes.
    isForTrial = false
    limit = (byteCount / Node.headerSize + 64).multiplied(atMost: 96)
  }

  private init(limit: Int, isForTrial: Bool) { (self.limit, self.isForTrial) = (limit, isForTrial) }

  /// For a trial of a part of the check, which is given up at a fraction of what the whole may cost.
  ///
  /// - Returns: nil if it matters how often nodes were visited before.
  func forTrial() -> CheckBudget? {
    countsVisits ? nil : CheckBudget(limit: isForTrial ? limit : limit / 12, isForTrial: true)
  }

  /// Counts the work of trials.
  ///
  /// - Returns: false if they cost too much.
  func takeOver(_ trials: [CheckBudget]) -> Bool {
    guard !countsVisits else { return false }
    var sum = spent
    for trial in trials {
      guard trial.spent <= trial.limit, trial.spent <= limit - sum else { return false }
      sum += trial.spent
    }
    spent = sum
    return true
  }

  /// Takes over the shared nodes that the walk over nodes has found.
  func noteShared(_ nodes: Set<Ref>, isComplete: Bool) {
    visits = Dictionary(uniqueKeysWithValues: nodes.lazy.map { ($0, 0) })
    isUncertain = !isComplete
    countsVisits = isUncertain || !nodes.isEmpty
  }

  /// Lets shared nodes be visited again.
  func startPass() {
    for ref in visits.keys { visits[ref] = 0 }
  }

  /// - Returns: false for a shared node that was visited too often.
  @inline(__always)
  func mayVisit(_ ref: Ref) -> Bool { !countsVisits || countVisit(ref) }

  private func countVisit(_ ref: Ref) -> Bool {
    guard let count = visits[ref] ?? (isUncertain && visits.count < Self.mostCounted ? 0 : nil) else { return true }
    visits[ref] = count + 1
    return count < Self.mostVisits
  }

  /// - Returns: false when more was spent than a sound file costs.
  @inline(__always)
  func spend(_ units: Int) -> Bool {
    spent &+= units
    return spent <= limit
  }
}
