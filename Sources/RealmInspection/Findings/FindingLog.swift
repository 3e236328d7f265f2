import RealmStorage

/// Counts findings and reports the first of each kind in detail.
///
/// One damage has many effects: a cluster that cannot be read leaves links without targets, backlinks without links and
/// entries of indexes without objects. A finding that follows from another one, and one that repeats another one in the
/// same node, is counted under that; only the others count as errors, warnings and notes. Memory is bounded, however many
/// there are.
final class FindingLog {
  private let limit: Int
  private let report: (Finding) -> Void
  private let reportsFollowing: Bool
  private var counts: [FindingKind: Int] = [:]
  private var reported: [FindingKind: Int] = [:]
  private var bySeverity: [Finding.Severity: Int] = [:]
  private var following = 0
  /// Independent findings, by number.
  private var standing: [Standing] = []
  /// By number, of those that were reported.
  private var followers: [Int: Int] = [:]
  private var classes: [CheckSummary.ClassCounts] = []
  private var classNumbers: [RealmString: Int] = [:]
  private var firstInNode: [NodePlace: Int] = [:]
  private var groups: [Group: (count: Int, first: Int)] = [:]
  private var firstOfKind: [FindingKind: Int] = [:]
  private(set) var damages = Damages()
  /// Findings kept for another log; nil if they are reported as they come.
  private var kept: [Kept]?
  /// Whether there are errors, or more findings than are kept.
  private(set) var hasErrors = false

  /// A finding as it came. As long as there are no errors none of them follows from another.
  private struct Kept {
    let kind: FindingKind
    let facts: Finding.Facts
    let times: Int
    let severity: Finding.Severity
    let node: Ref?
    let place: Finding.Place
  }

  private struct Standing {
    let severity: Finding.Severity
    let classNumber: Int32
    let isReported: Bool
  }

  private struct NodePlace: Hashable {
    let kind: FindingKind
    let node: Ref
  }

  private struct Group: Hashable {
    let kind: FindingKind
    let part: Finding.Part?
    let table: RealmString?
    let column: Finding.ColumnName?
  }

  /// Independent findings of one kind in one property; the others repeat the first of them.
  private static let mostInGroup = 10
  /// All independent findings.
  private static let mostStanding = 20_000
  private static let mostClasses = 10_000
  private static let mostKept = 10_000

  /// - Parameters:
  ///   - limit: findings of one kind to report.
  ///   - reportsFollowing: whether to report findings that follow from others.
  init(limit: Int, reportsFollowing: Bool, report: @escaping (Finding) -> Void) {
    self.limit = limit
    self.reportsFollowing = reportsFollowing
    self.report = report
  }

  /// A log that keeps its findings until another log takes them over.
  static func keeping() -> FindingLog {
    let log = FindingLog(limit: 0, reportsFollowing: false) { _ in }
    log.kept = []
    return log
  }

  /// Passes the kept findings to another log; neither may have errors.
  func handOver(to log: FindingLog) {
    for finding in kept ?? [] {
      log.add(
        finding.kind, finding.facts, times: finding.times, severity: finding.severity, inNode: finding.node,
        at: finding.place)
    }
    kept = []
  }

  /// - Parameters:
  ///   - times: how often it was found in the same place; it is reported once.
  ///   - severity: if it differs from the kind's own.
  ///   - cause: the number of a finding that it follows from, if known.
  ///   - node: findings of this kind about the same node are one; that of its place if nil. Avoids creating the place.
  ///   - place: created only if it is needed.
  func add(
    _ kind: FindingKind, _ facts: Finding.Facts = .none, times: Int = 1, severity: Finding.Severity? = nil,
    after cause: Int? = nil, inNode node: Ref? = nil, at place: @autoclosure () -> Finding.Place
  ) {
    _ = record(kind, facts, times: times, severity: severity, after: cause, inNode: node, at: place)
  }

  /// As `add`.
  ///
  /// - Returns: the number of the finding, or of the one it follows from.
  func record(
    _ kind: FindingKind, _ facts: Finding.Facts, times: Int = 1, severity: Finding.Severity? = nil,
    after cause: Int? = nil, inNode node: Ref? = nil, at place: () -> Finding.Place
  ) -> Int {
    let severity = severity ?? kind.severity
    if let count = kept?.count {
      guard severity != .error, count < Self.mostKept else {
        hasErrors = true
        return 0
      }
      kept?.append(Kept(kind: kind, facts: facts, times: times, severity: severity, node: node, place: place()))
      return 0
    }
    if severity == .error { hasErrors = true }
    counts[kind, default: 0] &+= times
    if let cause = known(cause, severity)
      ?? node.flatMap({ known(firstInNode[NodePlace(kind: kind, node: $0)], severity) })
    {
      return follow(cause, kind, severity, facts, times, place)
    }
    let made = place()
    if let cause = self.cause(of: kind, severity, made, node) {
      return follow(cause, kind, severity, facts, times) { made }
    }
    let number = stand(kind, severity, made, node)
    if hasRoom(for: kind) {
      report(Finding(kind: kind, severity: severity, place: made, facts: facts, number: number, cause: nil))
    }
    if times > 1 { count(times &- 1, under: number) }
    return number
  }

  private func known(_ cause: Int?, _ severity: Finding.Severity) -> Int? {
    // An error must not hide under a note.
    cause.flatMap { standing[$0].severity >= severity ? $0 : nil }
  }

  /// What the place says about the cause: the same finding about the same node, a node that turned out not to be one,
  /// or many similar findings in one property.
  private func cause(of kind: FindingKind, _ severity: Finding.Severity, _ place: Finding.Place, _ node: Ref?) -> Int? {
    if let node = node ?? place.ref, !node.isNull {
      if let first = known(firstInNode[NodePlace(kind: kind, node: node)], severity) { return first }
    }
    if let ref = place.ref, let first = known(damages.node(ref), severity) { return first }
    let group = Group(kind: kind, part: place.part, table: place.table, column: place.column)
    if let (count, first) = groups[group], count >= Self.mostInGroup { return known(first, severity) }
    return standing.count < Self.mostStanding ? nil : known(firstOfKind[kind], severity)
  }

  // MARK: Counting

  private func stand(_ kind: FindingKind, _ severity: Finding.Severity, _ place: Finding.Place, _ node: Ref?) -> Int {
    let number = standing.count
    bySeverity[severity, default: 0] &+= 1
    let classNumber = place.table.flatMap(self.number(ofClass:))
    standing.append(
      Standing(
        severity: severity, classNumber: Int32(classNumber ?? -1), isReported: reported[kind, default: 0] < limit))
    if let classNumber { classes[classNumber].count(severity) }
    if let node = node ?? place.ref, !node.isNull { firstInNode[NodePlace(kind: kind, node: node)] = number }
    let group = Group(kind: kind, part: place.part, table: place.table, column: place.column)
    groups[group] = ((groups[group]?.count ?? 0) + 1, groups[group]?.first ?? number)
    firstOfKind[kind] = firstOfKind[kind] ?? number
    if severity == .error { damages.note(kind, place, number) }
    return number
  }

  private func follow(
    _ cause: Int, _ kind: FindingKind, _ severity: Finding.Severity, _ facts: Finding.Facts, _ times: Int,
    _ place: () -> Finding.Place
  ) -> Int {
    count(times, under: cause)
    if reportsFollowing, hasRoom(for: kind) {
      report(Finding(kind: kind, severity: severity, place: place(), facts: facts, number: nil, cause: cause))
    }
    return cause
  }

  private func count(_ times: Int, under cause: Int) {
    following &+= times
    if standing[cause].isReported { followers[cause, default: 0] &+= times }
    if standing[cause].classNumber >= 0 { classes[Int(standing[cause].classNumber)].following &+= times }
  }

  private func hasRoom(for kind: FindingKind) -> Bool {
    guard reported[kind, default: 0] < limit else { return false }
    reported[kind, default: 0] += 1
    return true
  }

  private func number(ofClass name: RealmString) -> Int? {
    if let number = classNumbers[name] { return number }
    guard classes.count < Self.mostClasses else { return nil }
    classNumbers[name] = classes.count
    classes.append(CheckSummary.ClassCounts(table: name))
    return classes.count - 1
  }

  // MARK: Results

  func count(of kind: FindingKind) -> Int { counts[kind, default: 0] }

  func fill(_ summary: inout CheckSummary) {
    summary.counts = counts
    summary.errors = bySeverity[.error, default: 0]
    summary.warnings = bySeverity[.warning, default: 0]
    summary.notes = bySeverity[.note, default: 0]
    summary.following = following
    summary.followers = followers
    summary.classes = classes
  }
}

extension CheckSummary.ClassCounts {
  fileprivate mutating func count(_ severity: Finding.Severity) {
    switch severity {
    case .error: errors += 1
    case .warning: warnings += 1
    case .note: notes += 1
    }
  }
}

/// Where errors were found so far, for what follows from them: the number of the first one in each place.
struct Damages {
  private var tables: [RealmString: Int] = [:]
  private var columns: [ColumnPlace: Int] = [:]
  private var indexes: [ColumnPlace: Int] = [:]
  private var nodes: [Ref: Int] = [:]
  /// In the walk over all nodes.
  private(set) var space: Int?
  /// In the list of tables, or a table as such.
  private(set) var tableList: Int?

  private struct ColumnPlace: Hashable {
    let table: RealmString
    let column: Finding.ColumnName
  }

  fileprivate mutating func note(_ kind: FindingKind, _ place: Finding.Place, _ number: Int) {
    if kind.isAboutNodes {
      space = space ?? number
      if let ref = place.ref, !ref.isNull { nodes[ref] = nodes[ref] ?? number }
    }
    guard !kind.isAboutRelations else { return }
    // All backlinks of such a tree were read: what they lack, it does not explain.
    if kind.isAboutShapes, case .backlinks? = place.column { return }
    if place.part == .tables || place.part == .top
      || (place.part == .table || place.part == .spec) && place.column == nil
    {
      tableList = tableList ?? number
    }
    guard let table = place.table else { return }
    guard let column = place.column else {
      if place.part != .index { tables[table] = tables[table] ?? number }
      return
    }
    let key = ColumnPlace(table: table, column: column)
    if place.part == .index { indexes[key] = indexes[key] ?? number } else { columns[key] = columns[key] ?? number }
  }

  /// In the node itself.
  func node(_ ref: Ref) -> Int? { nodes[ref] }

  /// In the description of a table, or in its tree of objects.
  func table(_ name: RealmString) -> Int? { tables[name] }

  /// In the content of a column, or in its table.
  func column(_ table: RealmString, _ column: Finding.ColumnName) -> Int? {
    tables[table] ?? columns[ColumnPlace(table: table, column: column)]
  }

  /// In the backlink columns of a table, which cannot always be distinguished.
  func backlinks(_ table: RealmString, from origin: RealmString, _ column: RealmString) -> Int? {
    self.column(table, .backlinks(table: origin, column: column))
      ?? columns[ColumnPlace(table: table, column: .backlinks(table: nil, column: nil))]
  }

  /// In an index, in the content of its column, or in the table.
  func index(_ table: RealmString, _ column: RealmString) -> Int? {
    self.column(table, .property(column)) ?? indexes[ColumnPlace(table: table, column: .property(column))]
  }
}

extension FindingKind {
  /// What the walk over nodes finds, whatever they mean.
  fileprivate var isAboutNodes: Bool {
    switch self {
    case .nodeMisplaced, .nodeOutside, .nodeUnreadable, .nodeShared, .nodeOverlap, .nodeMissing, .nodeScheme,
      .nodeInner,
      .nodeSize, .nodeDepth, .walkTooLong:
      true
    default: false
    }
  }

  /// What is wrong with a tree whose leaves can all be read.
  fileprivate var isAboutShapes: Bool {
    switch self {
    case .treeTotal, .treeOffsets, .treeOffsetWidth, .treeCompactSize, .treeFanOut, .treeEmptyLeaf, .treeMixedForms:
      true
    default: false
    }
  }

  /// What is wrong between two places, of which neither needs to be damaged.
  fileprivate var isAboutRelations: Bool {
    switch self {
    case .linkDangling, .linkTable, .linkWithoutBacklink, .backlinkWithoutLink, .embeddedParents, .embeddedOrigin,
      .tombstoneUnlinked, .asymmetricTarget, .primaryKeyDuplicate, .objectSequence, .indexEntry, .indexUnknownObject,
      .indexRepeated, .indexMissing, .collisionKey:
      true
    default: false
    }
  }
}
