/// Counts findings and hands them on, the first of each kind in detail.
final class FindingLog {
  private let limit: Int
  private let report: (Finding) -> Void
  private var counts: [FindingKind: Int] = [:]
  private var bySeverity: [Finding.Severity: Int] = [:]

  /// - Parameter limit: findings of one kind that are handed on.
  init(limit: Int, report: @escaping (Finding) -> Void) {
    self.limit = limit
    self.report = report
  }

  /// - Parameters:
  ///   - times: how often it was found in the same place; it is handed on once.
  ///   - severity: where it differs from the kind's own.
  ///   - place: made only for findings that are handed on.
  func add(
    _ kind: FindingKind, _ facts: Finding.Facts = .none, times: Int = 1, severity: Finding.Severity? = nil,
    at place: @autoclosure () -> Finding.Place
  ) {
    let severity = severity ?? kind.severity
    let count = counts[kind, default: 0]
    counts[kind] = count &+ times
    bySeverity[severity, default: 0] &+= times
    guard count < limit else { return }
    report(Finding(kind: kind, severity: severity, place: place(), facts: facts))
  }

  func count(of kind: FindingKind) -> Int { counts[kind, default: 0] }

  func fill(_ summary: inout CheckSummary) {
    summary.counts = counts
    summary.errors = bySeverity[.error, default: 0]
    summary.warnings = bySeverity[.warning, default: 0]
    summary.notes = bySeverity[.note, default: 0]
  }
}
