import RealmStorage

/// Which end of a column's links is right where the two ends contradict each other.
///
/// Damage changes one part of the file, and each link is in two. What a target lacks or has in vain may be damage to its own
/// element, which replaces as many links as it loses, or empties the element, or to the link. The part that is contradicted
/// from more sides is the wrong one.
struct LinkDisputes {
  /// Objects whose links may be what is wrong.
  private var doubtful: Set<Int64> = []
  /// Those of them whose targets are right.
  private var settled: Set<Int64> = []
  /// Whether there are so many contradictions that nothing was decided.
  private let isUndecided: Bool
  /// Whether some of what the targets know is garbage, so that it cannot be told what it was.
  private(set) var hasGarbage: Bool

  private static let mostMismatches = 1 << 20

  /// Whether the links of an object are right, whatever the targets say.
  func trusts(_ origin: ObjectKey) -> Bool { !isUndecided && !doubtful.contains(origin.rawValue) }

  /// Whether the links of an object are those that the targets know of, whatever it says itself.
  func isSettled(_ origin: ObjectKey) -> Bool { settled.contains(origin.rawValue) }

  init(_ column: Column, _ table: RescuedTable, _ backlinks: RescueBacklinks, _ reader: RescueReader) {
    let ends = LinkEnds(column, table, backlinks, reader)
    isUndecided = ends.mismatches.count > Self.mostMismatches
    // A list of which only the header is damaged is the one that the links ask for.
    hasGarbage =
      isUndecided || !table.hasHoles && !ends.strayNames.isEmpty
      || backlinks.unread.contains { target, list in
        list.isNull || !Node.isList(of: ends.missing[target] ?? [], at: list, in: reader.bytes)
      }
    guard !ends.mismatches.isEmpty, !isUndecided else { return }
    let targets = TargetEnds(ends, backlinks, reader, knowsObjects: !table.hasHoles)
    var rivals: (origins: [Int: Set<Int>], targets: [Int: Set<Int>]) = ([:], [:])
    /// How many objects of each part there are, and how many that a target contradicts which is right.
    var (sizes, contradicted): ([Int: Int], [Int: Int]) = ([:], [:])
    /// Parts with links to objects that do not exist.
    var impossible: Set<Int> = []
    for (mismatch, part) in zip(ends.mismatches, ends.parts) {
      sizes[part, default: 0] += 1
      if !mismatch.unaware.allSatisfy(backlinks.hasTarget) { impossible.insert(part) }
      if ends.isMoved(mismatch) || mismatch.targets.contains(where: targets.isRight) {
        contradicted[part, default: 0] += 1
      }
      for case let number? in mismatch.targets.map({ targets.parts[$0] }) {
        rivals.origins[part, default: []].insert(number)
        rivals.targets[number, default: []].insert(part)
      }
    }
    let (coherent, emptied) = ends.coherentParts { rivals.origins[$0, default: []].count <= 1 }
    for (mismatch, part) in zip(ends.mismatches, ends.parts) {
      let isDamaged =
        contradicted[part, default: 0] * 2 >= sizes[part, default: 0] || impossible.contains(part)
      let isTrusted =
        !isDamaged
        && mismatch.targets.allSatisfy { target in
          guard let number = targets.parts[target] else { return !targets.isRight(target) }
          return coherent.contains(part)
            || rivals.targets[number, default: []].count > rivals.origins[part, default: []].count
        }
      guard !isTrusted else { continue }
      doubtful.insert(mismatch.origin)
      // A list that claims one element too many names object 0.
      guard mismatch.origin != 0, !mismatch.inVain.isEmpty else { continue }
      // If it has a link that may be right, what names it may have been moved.
      guard mismatch.unaware.allSatisfy({ targets.isRight($0) || !backlinks.hasTarget($0) }) else { continue }
      let isSettled = mismatch.inVain.allSatisfy { target in
        guard targets.isInSoundLeaf(target) else { return false }
        guard let number = targets.parts[target] else { return targets.isRight(target) }
        let (others, own) = (rivals.targets[number, default: []], rivals.origins[part, default: []])
        return !mismatch.unaware.isEmpty || own.count > others.count || emptied.contains(part) && others == [part]
      }
      if isSettled { settled.insert(mismatch.origin) }
    }
  }
}

/// Whether two elements of a leaf are so near that one damage is likely to change both: neighbors, or within eight bytes.
private func isNear(_ left: Int, _ right: Int, _ width: Int) -> Bool {
  right == left + 1 || (right - left) * width <= 64
}

/// The links of a column that their targets contradict.
private struct LinkEnds {
  /// An object whose links and whose targets differ.
  struct Mismatch {
    let origin: Int64
    /// The number of its group. The links, or the refs to the lists of links, of a group are in one leaf.
    let group: Int
    let row: Int
    /// Bits of an element of the leaf.
    let width: Int
    /// Targets that do not know of a link to them.
    let unaware: Set<Int64>
    /// Targets that name the object without a link to them.
    let inVain: Set<Int64>
    let links: [Int64]
    /// Those that targets know of, as often as they do.
    let known: [Int64]
    /// Whether both ends have some of the links.
    let isPartlyRight: Bool

    var hasLinks: Bool { !links.isEmpty }

    var targets: Set<Int64> { unaware.union(inVain) }
  }

  private(set) var mismatches: [Mismatch] = []
  /// The objects that link to a target without its knowing, as often as they do.
  private(set) var missing: [Int64: [Int64]] = [:]
  /// The objects that a target names in vain, as often as it does.
  private(set) var surplus: [Int64: [Int64]] = [:]
  /// Parallel to the mismatches: those with the same number may be one damage.
  private(set) var parts: [Int] = []
  /// Targets with at least one link that both ends have.
  private(set) var confirmedTargets: Set<Int64> = []
  /// The objects that do not exist and that targets name.
  private(set) var strayNames: [Int64: [Int64]] = [:]
  /// Targets of single links whose element is wrong: another target that names the same object has its link.
  private(set) var secondTargets: Set<Int64> = []
  /// Lists of several links of an object that targets know of as those of another one.
  private var movedLists: Set<[Int64]> = []
  /// The rows with a link that both ends have, by group.
  private var confirmedRows: [Int: [Int]] = [:]
  /// How many rows have no link according to both ends, and how many have one according to at least one end, by group.
  private var (emptyRows, linkedRows): ([Int: Int], [Int: Int]) = ([:], [:])

  private let isSingle: Bool

  init(_ column: Column, _ table: RescuedTable, _ backlinks: RescueBacklinks, _ reader: RescueReader) {
    isSingle = column.collection == nil
    var strays = Set(backlinks.targets.keys)
    for (number, place) in table.places.enumerated() where place.confidence <= .found {
      guard let cluster = place.cluster(in: reader.bytes) else { continue }
      let leaf = cluster.leafRef(column.leafIndex).flatMap { try? Node($0, in: reader.bytes.store) }
      let width = leaf?.width ?? 0
      for (row, cell) in reader.cells(of: column, in: cluster, confidence: place.confidence).enumerated() {
        let origin = cluster.key(at: row).rawValue
        strays.remove(origin)
        // Nothing contradicts what is lost.
        guard case .value(let value, let confidence) = cell, confidence <= .found else { continue }
        add(origin, number, row, width, value.plainLinks, backlinks)
      }
      reader.bytes.letGoOfPages()
    }
    for origin in strays {
      for target in backlinks.targets[origin] ?? [] { strayNames[target, default: []].append(origin) }
    }
    if isSingle {
      for mismatch in mismatches where mismatch.isPartlyRight { secondTargets.formUnion(mismatch.inVain) }
    } else {
      movedLists = Set(mismatches.map(\.known)).intersection(mismatches.map(\.links)).filter { $0.count > 1 }
    }
    parts = number()
  }

  private mutating func add(
    _ origin: Int64, _ group: Int, _ row: Int, _ width: Int, _ links: [Int64], _ backlinks: RescueBacklinks
  ) {
    let known = backlinks.targets[origin] ?? []
    guard links.count != known.count || links.sorted() != known.sorted() else {
      confirmedTargets.formUnion(links)
      guard !links.isEmpty else { return emptyRows[group, default: 0] += 1 }
      confirmedRows[group, default: []].append(row)
      return linkedRows[group, default: 0] += 1
    }
    linkedRows[group, default: 0] += 1
    let (stated, names) = (Dictionary(grouping: links) { $0 }, Dictionary(grouping: known) { $0 })
    var (unaware, inVain): (Set<Int64>, Set<Int64>) = ([], [])
    var isPartlyRight = false
    for target in Set(links).union(known) {
      let difference = (stated[target]?.count ?? 0) - (names[target]?.count ?? 0)
      let origins = repeatElement(origin, count: abs(difference))
      if difference > 0 {
        unaware.insert(target)
        missing[target, default: []] += origins
      } else if difference < 0 {
        inVain.insert(target)
        surplus[target, default: []] += origins
      } else {
        confirmedTargets.insert(target)
        isPartlyRight = true
      }
    }
    mismatches.append(
      Mismatch(
        origin: origin, group: group, row: row, width: width, unaware: unaware, inVain: inVain,
        links: links.sorted(), known: known.sorted(), isPartlyRight: isPartlyRight))
  }

  private func number() -> [Int] {
    var number = 0
    return mismatches.indices.map { index in
      if index > 0, !continues(mismatches[index - 1], mismatches[index]) { number += 1 }
      return number
    }
  }

  private func continues(_ left: Mismatch, _ right: Mismatch) -> Bool {
    guard right.group == left.group, !hasConfirmed(left.row + 1..<right.row, in: left.group) else { return false }
    // A wrong ref leads to another list: where some links are right, it is.
    guard isSingle || !left.isPartlyRight && !right.isPartlyRight else { return false }
    return isNear(left.row, right.row, left.width) || !left.hasLinks && !right.hasLinks || isDense(left.group)
      || movedLists.contains(left.links) && movedLists.contains(right.links)
  }

  /// Whether most objects of a group have links.
  private func isDense(_ group: Int) -> Bool { linkedRows[group, default: 0] > emptyRows[group, default: 0] }

  /// Whether an object has the whole list that targets know of as that of another one.
  func isMoved(_ mismatch: Mismatch) -> Bool { movedLists.contains(mismatch.links) }

  private func hasConfirmed(_ rows: Range<Int>, in group: Int) -> Bool {
    let known = confirmedRows[group] ?? []
    let index = firstIndex(in: known.indices) { known[$0] >= rows.lowerBound }
    return index < known.count && known[index] < rows.upperBound
  }

  /// The parts that no damage to the links explains: too many different links for what a few wrong bytes make of nulls, all
  /// single links of a leaf, which would have had none before, or whole lists that no target knows as those of others. And
  /// those that no damage to the targets explains: too many objects without a link among others that have one.
  ///
  /// - Parameter isOnePlace: whether the targets of a part lie together.
  func coherentParts(_ isOnePlace: (Int) -> Bool) -> (linked: Set<Int>, emptied: Set<Int>) {
    var found: (linked: Set<Int>, emptied: Set<Int>) = ([], [])
    let groups = Dictionary(grouping: mismatches.indices) { mismatches[$0].group }
    for (group, indices) in groups {
      let isWholeLeaf = isSingle && confirmedRows[group] == nil && indices.allSatisfy { mismatches[$0].inVain.isEmpty }
      for (part, members) in Dictionary(grouping: indices, by: { parts[$0] }) {
        let isRun = isDense(group) && isOnePlace(part)
        if isRun, members.count > 2, members.allSatisfy({ !mismatches[$0].hasLinks }) { found.emptied.insert(part) }
        guard members.allSatisfy({ mismatches[$0].inVain.isEmpty && mismatches[$0].hasLinks }) else { continue }
        let links = Set(members.flatMap { mismatches[$0].unaware })
        let size = members.reduce(0) { $0 + mismatches[$1].width }
        let areMissing = !isSingle && members.allSatisfy { isOnlyMissing(mismatches[$0]) }
        let areTooMany = isRun && links.count > 2 && size > 64
        if isWholeLeaf && members.count > 1 || areTooMany || areMissing { found.linked.insert(part) }
      }
    }
    return found
  }

  /// Whether none of an object's links is known to a target, nor a link of another object in its stead.
  private func isOnlyMissing(_ mismatch: Mismatch) -> Bool {
    !mismatch.isPartlyRight && mismatch.links.contains { $0 != 0 }
      && mismatch.unaware.allSatisfy { surplus[$0] == nil && strayNames[$0] == nil }
  }
}

/// The targets that contradict links.
private struct TargetEnds {
  /// The parts that may be damaged; those with the same number may be one damage.
  private(set) var parts: [Int64: Int] = [:]
  /// Targets of which what they know is lost, or known to be wrong.
  private(set) var lost: Set<Int64> = []
  /// The leaves of which most elements with links are right.
  private var soundLeaves: Set<Ref> = []
  private var leaves: [Int64: Ref] = [:]

  private static let fewestWrong = 2

  /// Whether nothing can be wrong with what a target knows.
  func isRight(_ target: Int64) -> Bool { parts[target] == nil && !lost.contains(target) }

  /// Whether most of what the leaf of a target knows is right.
  func isInSoundLeaf(_ target: Int64) -> Bool { leaves[target].map(soundLeaves.contains) ?? false }

  init(_ ends: LinkEnds, _ backlinks: RescueBacklinks, _ reader: RescueReader, knowsObjects: Bool) {
    var open: [End] = []
    /// How many elements of a leaf are known to be wrong.
    var wrong: [Ref: Int] = [:]
    // What is lost of the objects may be what a target names.
    let strayNames = knowsObjects ? ends.strayNames : [:]
    for target in Set(ends.missing.keys).union(ends.surplus.keys).union(strayNames.keys).sorted() {
      guard let element = backlinks.element(of: target, in: reader.bytes, reader.space) else {
        lost.insert(target)
        continue
      }
      leaves[target] = element.group
      let strays = strayNames[target] ?? []
      let (missing, surplus) = (ends.missing[target] ?? [], ends.surplus[target] ?? [])
      let (lacks, has) = (missing.count, surplus.count + strays.count)
      let canBeWrong: Bool
      switch element.form {
      case .lost, .lostList:
        lost.insert(target)
        if element.form == .lost { wrong[element.group, default: 0] += 1 }
        continue
      case .none:
        if backlinks.lacksParent(target, in: reader.bytes, reader.space) {
          lost.insert(target)
          continue
        }
        canBeWrong = true
      case .single: canBeWrong = has == 1
      case .list where ends.secondTargets.contains(target):
        lost.insert(target)
        continue
      case .list(let root):
        // Damage to the elements of a list leaves their number, damage to its header leaves the elements. A list without any
        // right name may be another one.
        canBeWrong = lacks == has || !strays.isEmpty || !ends.confirmedTargets.contains(target)
        if lacks != has, let list = try? Node(root, in: reader.bytes.store),
          list.hasWrongHeader(missing: missing, hasSurplus: has > 0, in: reader.bytes)
        {
          lost.insert(target)
          continue
        }
      }
      guard canBeWrong else { continue }
      // No damage to links makes a target name an object that does not exist, or one several times.
      guard !strays.isEmpty || Set(surplus).count < surplus.count, lacks == has || element.form == .single else {
        open.append((target, element))
        continue
      }
      lost.insert(target)
      if element.form == .single { wrong[element.group, default: 0] += 1 }
    }
    if !ends.surplus.isEmpty {
      var balance = Dictionary(grouping: leaves.values) { $0 }.mapValues { -$0.count }
      for target in ends.confirmedTargets where leaves[target] == nil {
        guard let leaf = backlinks.element(of: target, in: reader.bytes, reader.space)?.group else { continue }
        balance[leaf, default: 0] += 1
      }
      soundLeaves = Set(balance.filter { $0.value > 0 }.keys)
    }
    // If as many elements of a leaf are wrong as are not known to be, the leaf is.
    let counts = Dictionary(grouping: open, by: \.element.group).mapValues(\.count)
    for end in open {
      let count = wrong[end.element.group] ?? 0
      if count >= Self.fewestWrong, count >= counts[end.element.group] ?? 0 { lost.insert(end.target) }
    }
    number(open.filter { !lost.contains($0.target) }, ends.confirmedTargets)
    // No damage to a single link makes two targets name the object. What is wrong in the leaf may be more than that element.
    let wrongParts = Set(ends.secondTargets.compactMap { parts[$0] })
    for (target, part) in parts where wrongParts.contains(part) {
      lost.insert(target)
      parts[target] = nil
    }
  }

  private mutating func number(_ open: [End], _ confirmedTargets: Set<Int64>) {
    let confirmed = confirmedTargets.sorted()
    var number = 0
    var single: [End] = []
    for end in open {
      // A whole list can be that of a neighbor.
      guard case .list = end.element.form, confirmedTargets.contains(end.target) else {
        single.append(end)
        continue
      }
      (parts[end.target], number) = (number, number + 1)
    }
    single.sort { ($0.element.group, $0.element.row) < ($1.element.group, $1.element.row) }
    for (index, end) in single.enumerated() {
      if index > 0, !continues(single[index - 1], end, confirmed) { number += 1 }
      parts[end.target] = number
    }
  }

  private typealias End = (target: Int64, element: RescueBacklinks.Element)

  private func continues(_ left: End, _ right: End, _ confirmed: [Int64]) -> Bool {
    guard left.element.group == right.element.group else { return false }
    let behind = firstIndex(in: confirmed.indices) { confirmed[$0] > left.target }
    guard behind == confirmed.count || confirmed[behind] >= right.target else { return false }
    return isNear(left.element.row, right.element.row, left.element.width)
      || left.element.form == .none && right.element.form == .none
  }
}

extension Node {
  private static let widths = [1, 2, 4, 8, 16, 32, 64]

  /// Whether what is wrong with a list of keys is its header: the number of its elements, or how wide they are.
  ///
  /// - Parameters:
  ///   - missing: the keys that it lacks.
  ///   - hasSurplus: whether it has keys that it should not have.
  fileprivate func hasWrongHeader(missing: [Int64], hasSurplus: Bool, in bytes: RescueBytes) -> Bool {
    guard scheme == .bits, !isInner, !hasRefs else { return false }
    let keys = (0..<count).map { uncheckedInt($0) }
    if missing.isEmpty {
      // What follows the elements is zero, up to the next node.
      let zeros = keys.reversed().prefix { $0 == 0 }.count
      return zeros > 1 || zeros == 1 && keys.dropLast().contains(0) || reachesIntoNode(in: bytes.store)
    }
    let whole = (keys + missing).sorted()
    if !hasSurplus, width > 0, Self.list(of: whole.count, width, at: ref, in: bytes) == whole { return true }
    return Self.isList(of: missing, at: ref, in: bytes)
  }

  /// Whether a list has some keys if it is read with the right header.
  fileprivate static func isList(of keys: [Int64], at ref: Ref, in bytes: RescueBytes) -> Bool {
    widths.contains { list(of: keys.count, $0, at: ref, in: bytes) == keys.sorted() }
  }

  private static func list(of count: Int, _ width: Int, at ref: Ref, in bytes: RescueBytes) -> [Int64]? {
    let header = NodeHeader([], .bits, widthCode: UInt8(width.trailingZeroBitCount + 1), count: count)
    guard let list = try? Node(ref, readAs: header, in: bytes.store), bytes.isWhole(list) else { return nil }
    return (0..<count).map { list.uncheckedInt($0) }.sorted()
  }

  /// Whether another node begins among the elements.
  func reachesIntoNode(in store: ByteStore) -> Bool {
    let size = byteSize - Self.headerSize
    guard let payload = try? store.bytes(at: ref.rawValue + UInt64(Self.headerSize), length: size) else { return false }
    return stride(from: 0, to: size, by: 8).contains { offset in
      UInt32(littleEndian: payload.loadUnaligned(fromByteOffset: offset, as: UInt32.self)) == NodeHeader.signature
    }
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
