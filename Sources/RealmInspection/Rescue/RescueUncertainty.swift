import RealmStorage

/// What the errors of a damaged file leave unknown. What a file should contain can itself be damaged: then nothing
/// proves that everything was saved.
///
/// Damage to something that only repeats other data leaves nothing unknown: free lists, search indexes, incoming links
/// and the history, unless they contradict the objects. If the header of such a node is overwritten, values before it
/// may be as well.
struct RescueUncertainty {
  private let bytes: RescueBytes

  /// Tables of which objects, properties or the names of properties may be missing.
  private(set) var objects: Set<RealmString> = []
  /// Tables of which values may be missing or wrong.
  private(set) var values: Set<RealmString> = []
  /// Whether whole tables may be missing, or may be confused with others.
  private(set) var isRealm = false
  /// Whether there are whole nodes that nothing refers to, and nothing else is damaged that referred to them: a lost
  /// reference to such a node reads as null, and a null reference looks sound.
  private(set) var hasLooseNodes = false
  /// Columns of links of which the other ends are damaged, with the number of damages.
  private var damagedEnds: [LinkColumnName: Int] = [:]

  /// Numbers of findings that leave nothing unknown, and so does what follows from them.
  private var harmless: Set<Int> = []
  private var count = 0
  private var hasGaps = false

  init(_ bytes: RescueBytes) { self.bytes = bytes }

  /// Nothing at all is known.
  mutating func addEverything() { isRealm = true }

  /// Takes a finding into account.
  mutating func add(_ finding: Finding) {
    if finding.kind == .freeSpaceLeftover { return hasLooseNodes = true }
    // An index that no property needs is left from a primary key whose mark is lost.
    if finding.kind == .indexLeftover, let table = finding.place.table { values.insert(table) }
    guard finding.severity == .error else { return }
    // Tables know themselves that their names are damaged.
    if finding.kind == .groupName || finding.kind == .columnName, case .name(let name) = finding.facts,
      name.isDamagedName || name.correctedTableName != nil
    {
      count += 1
      return
    }
    if let cause = finding.cause {
      guard !harmless.contains(cause) else { return }
    } else {
      count += 1
      guard !isHarmless(finding) else {
        if let number = finding.number { harmless.insert(number) }
        if let column = LinkColumnName(endingAt: finding.place) { damagedEnds[column, default: 0] += 1 }
        return
      }
    }
    // Nodes that a damaged node referred to belong to nothing.
    if finding.kind == .freeSpaceGap { return hasGaps = true }
    let place = finding.place
    guard let table = place.table, !finding.kind.isAboutSpace else { return isRealm = true }
    switch (place.part, place.column) {
    case (.objects, .property) where !finding.kind.isAboutRows: values.insert(table)
    case (.objects, _), (.index, _), (.table, _), (.spec, _), (.tombstones, _), (.collisions, _): objects.insert(table)
    default: isRealm = true
    }
  }

  /// Whether the other ends of a column's links are damaged.
  func hasDamagedEnds(_ column: LinkColumnName) -> Bool { damagedEnds[column] != nil }

  /// Whether anything but the other ends of a column's links is damaged.
  func hasOtherDamage(than column: LinkColumnName) -> Bool { count > damagedEnds[column] ?? 0 }

  /// - Parameter errors: all that there are: what was not handed on can be anything.
  mutating func finish(errors: Int) {
    if errors > count || hasGaps && !explainsGaps { isRealm = true }
    if explainsGaps { hasLooseNodes = false }
  }

  /// Whether other damage explains bytes that belong to nothing: they may have been what it referred to.
  private var explainsGaps: Bool { !harmless.isEmpty || !objects.isEmpty || !values.isEmpty }

  private func isHarmless(_ finding: Finding) -> Bool {
    guard !finding.kind.isAboutSpace, !finding.kind.isContradiction, !isOverwritten(finding.place.ref) else {
      return false
    }
    switch (finding.place.part, finding.place.column) {
    // The list of indexes shows which properties have one.
    case (.index, let column): return column != nil
    case (.freeList, _), (.history, _), (.evacuation, _), (.tombstones, _), (.collisions, _): return true
    case (.objects, .backlinks): return true
    default: return false
    }
  }

  private static let mostChildren = 4096

  /// Whether the beginning of a node, or of one that it leads to, is not that of a node.
  private func isOverwritten(_ ref: Ref?) -> Bool {
    guard let ref, !ref.isNull else { return false }
    guard let node = try? Node(ref, in: bytes.store) else { return bytes.isOverwritten(at: ref) }
    guard node.signature == NodeHeader.signature else { return true }
    guard node.hasRefs, node.scheme == .bits else { return false }
    return (0..<min(node.count, Self.mostChildren)).contains { index in
      node.slot(index).child.map(bytes.isOverwritten) ?? false
    }
  }
}

/// A column of links.
struct LinkColumnName: Hashable {
  let table: RealmString
  let property: RealmString
}

extension LinkColumnName {
  /// - Returns: nil for a place that is not in the incoming links of objects.
  init?(endingAt place: Finding.Place) {
    guard place.part == .objects, case .backlinks(let table?, let column?) = place.column else { return nil }
    self.init(table: table, property: column)
  }
}

extension FindingKind {
  /// Two things claim the same bytes, or none does: either may be wrong.
  var isAboutSpace: Bool {
    switch self {
    case .nodeShared, .nodeOverlap, .walkTooLong, .freeListLive, .freeSpaceGap: true
    default: false
    }
  }

  /// The numbers of objects that parts of a group state differ: any of them may be wrong.
  fileprivate var isAboutRows: Bool {
    switch self {
    case .clusterMissingLeaf, .clusterDeadLeaf, .clusterRows: true
    default: false
    }
  }

  /// Data that repeats something is sound, but contradicts it.
  fileprivate var isContradiction: Bool {
    switch self {
    case .indexColumn, .indexEntry, .indexUnknownObject, .indexRepeated, .indexMissing, .primaryKeyDuplicate,
      .linkDangling, .linkTable, .linkWithoutBacklink, .backlinkWithoutLink, .embeddedParents, .embeddedOrigin,
      .asymmetricTarget, .collisionKey, .tombstoneUnlinked, .objectSequence:
      true
    default: false
    }
  }
}
