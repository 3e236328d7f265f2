/// Which end of a column's links is right where the two ends contradict each other.
///
/// A link that was damaged leaves a second trace: its old target still names the object in vain. Links that some target does
/// not know and that leave no such trace are sound if the target's list was lost or changed instead, which shows in other
/// links to the same place, or in an object that the target names in vain.
struct LinkDisputes {
  /// Objects whose links are right although a target contradicts them.
  private(set) var trusted: Set<Int64> = []

  /// An object whose links and whose targets differ.
  private struct Mismatch {
    let origin: Int64
    /// The number of its group; nil if no such object exists.
    let group: Int?
    /// Targets that do not know of a link to them.
    let unaware: Set<Int64>
    /// Targets that name the object without a link to them.
    let inVain: Set<Int64>

    var targets: Set<Int64> { unaware.union(inVain) }
  }

  private static let mostMismatches = 1 << 20
  /// Links that one lost list explains together; a single one may be a damaged null as well.
  private static let fewestLinks = 2

  init(_ column: Column, _ table: RescuedTable, _ backlinks: RescueBacklinks, _ reader: RescueReader) {
    let mismatches = Self.mismatches(column, table, backlinks, reader)
    guard !mismatches.isEmpty, mismatches.count < Self.mostMismatches else { return }
    // Damage to a group of links leaves targets that name their objects in vain.
    let damagedGroups = Set(mismatches.filter { !$0.inVain.isEmpty }.compactMap(\.group))
    var losses: [Int: Int] = [:]
    var changes: [Int64: [Mismatch]] = [:]
    for mismatch in mismatches {
      if mismatch.targets.count == 1, let target = mismatch.targets.first {
        changes[target, default: []].append(mismatch)
      }
      guard mismatch.inVain.isEmpty, mismatch.group.map(damagedGroups.contains) == false else { continue }
      for group in Set(mismatch.unaware.map(backlinks.group)) { losses[group, default: 0] += 1 }
    }
    let lost = Set(losses.filter { $0.value >= Self.fewestLinks }.keys)
    for mismatch in mismatches where mismatch.inVain.isEmpty && mismatch.group.map(damagedGroups.contains) == false {
      if mismatch.unaware.allSatisfy({ lost.contains(backlinks.group(of: $0)) }) { trusted.insert(mismatch.origin) }
    }
    for found in changes.values where found.contains(where: { !$0.unaware.isEmpty }) {
      guard found.contains(where: { !$0.inVain.isEmpty }) else { continue }
      trusted.formUnion(found.map(\.origin))
    }
  }

  private static func mismatches(
    _ column: Column, _ table: RescuedTable, _ backlinks: RescueBacklinks, _ reader: RescueReader
  ) -> [Mismatch] {
    var found: [Mismatch] = []
    var named = Set(backlinks.targets.keys)
    func add(_ origin: Int64, _ group: Int?, _ links: [Int64]) {
      let known = backlinks.targets[origin] ?? []
      guard links.count != known.count || links.sorted() != known.sorted() else { return }
      let (links, names) = (Dictionary(grouping: links) { $0 }, Dictionary(grouping: known) { $0 })
      let unaware = links.filter { $0.value.count > names[$0.key]?.count ?? 0 }.keys
      let inVain = names.filter { $0.value.count > links[$0.key]?.count ?? 0 }.keys
      found.append(Mismatch(origin: origin, group: group, unaware: Set(unaware), inVain: Set(inVain)))
    }
    for (number, place) in table.places.enumerated() where place.confidence <= .found {
      guard found.count < mostMismatches, let cluster = place.cluster(in: reader.bytes) else { continue }
      for (row, cell) in reader.cells(of: column, in: cluster, confidence: place.confidence).enumerated() {
        let origin = cluster.key(at: row).rawValue
        named.remove(origin)
        // Nothing contradicts what is lost.
        guard case .value(let value, let confidence) = cell, confidence <= .found else { continue }
        add(origin, number, value.plainLinks)
      }
      reader.bytes.letGoOfPages()
    }
    for origin in named where !table.hasHoles { add(origin, nil, []) }
    return found
  }
}

extension Value {
  /// The keys of the objects that a link, or a list or set of links, leads to.
  var plainLinks: [Int64] {
    switch self {
    case .link(_, let target): [target.rawValue]
    case .list(let elements), .set(let elements): elements.flatMap(\.plainLinks)
    default: []
    }
  }
}
