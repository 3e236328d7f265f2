/// Repairs damaged headers of nodes that describe tables, of groups of objects, and of their leaves, if the rest of the node
/// is sound: the parent of a node shows what it is, and its elements, or where it ends, how wide they are.
///
/// A header is repaired only if exactly one makes the node valid, and if some of it is left or the node then ends where
/// another begins.
final class RepairedHeads {
  private let bytes: RescueBytes
  private let size: UInt64
  /// Whether a header was repaired.
  private(set) var hasRepaired = false
  /// Where free space begins.
  private let free: Set<UInt64>

  /// Codes of widths of nodes of references: 16, 32 and 64 bits.
  private static let refWidths: ClosedRange<UInt8> = 5...7
  private static let mostTables = 4096

  /// - Parameter top: of the snapshot whose nodes are repaired.
  init(_ bytes: RescueBytes, _ top: RawTop) {
    (self.bytes, size) = (bytes, UInt64(bytes.byteCount))
    free = Set((RescueSpace.freeRanges(of: top, in: bytes) ?? []).map(\.lowerBound))
  }

  /// Repairs the list of tables, which has as many elements as that of their names.
  func repairList(of top: RawTop) {
    repairNames(of: top)
    guard let ref = top[.tables].child, let names = top[.tableNames].child.flatMap(bytes.wholeNode),
      names.scheme == .multiply, !names.hasRefs, names.count < TableKey.mostSlots, names.count > 0
    else { return }
    /// Whether the elements are roots of tables: all, or at least half of them.
    func hasTables(_ node: Node, all: Bool) -> Bool {
      let slots = (0..<node.count).map { node.slot($0) }
      let roots = slots.enumerated().count { slot, element in
        element.child.map { (try? RescueTableTop($0, in: bytes, at: slot)) != nil } ?? false
      }
      return roots > 0 && slots.count { $0.rawValue != 0 } <= (all ? roots : roots * 2)
    }
    if let node = try? Node(ref, in: bytes.store), node.flags & 0xf8 == 0x40, node.count == names.count,
      hasTables(node, all: !isFollowed(node))
    {
      return
    }
    let heads = Self.refWidths.map { NodeHeader(.refs, .bits, widthCode: $0, count: names.count) }
    if !put(heads, at: ref, { hasTables($0, all: true) }) { put(heads, at: ref) { hasTables($0, all: false) } }
  }

  /// Repairs the list of the tables' names, which has as many elements as that of the tables.
  private func repairNames(of top: RawTop) {
    guard let ref = top[.tableNames].child, let tables = top[.tables].child.flatMap(bytes.wholeNode),
      tables.flags & 0xf8 == 0x40, tables.count < TableKey.mostSlots
    else { return }
    let heads = (1...7).map { NodeHeader([], .multiply, widthCode: $0, count: tables.count) }
    repairNode(ref, heads) { node in
      guard let names = try? node.names() else { return false }
      return names.contains { $0.hasPrefix(TableSchema.classPrefix) } && !names.contains(where: \.isDamagedName)
    }
  }

  /// Repairs what the list of tables of the snapshot leads to.
  func repair(_ tables: [Int: Ref]) {
    guard tables.count <= Self.mostTables else { return }
    for (slot, ref) in tables.sorted(by: { $0.key < $1.key }) {
      let isReadable = (try? RescueTableTop(ref, in: bytes, at: slot)) != nil
      let isWhole = (try? Node(ref, in: bytes.store)).map { isFollowed($0) || endsInZeros($0) } ?? false
      if !isWhole || !isReadable { repairRoot(ref, slot, byEnd: isReadable) }
      guard let top = try? RescueTableTop(ref, in: bytes, at: slot) else { continue }
      repairSpec(top)
      repairNumbers(top)
      repairTree(top)
      repairLeaves(top)
      bytes.letGoOfPages()
    }
  }

  /// - Parameter byEnd: takes only a header with which it ends where another node begins.
  private func repairRoot(_ ref: Ref, _ slot: Int, byEnd: Bool) {
    // Shorter lists are the beginning of the longer ones.
    for count in RawTableTop.slotCounts.reversed() {
      let heads = Self.refWidths.map { NodeHeader(.refs, .bits, widthCode: $0, count: count) }
      let isDone = put(heads, at: ref) { node in
        NodeScan.isTableTop(node, size) && (!byEnd || isFollowed(node))
          && (try? RescueTableTop(ref, in: bytes, at: slot)) != nil
      }
      if isDone { return }
    }
  }

  private func repairSpec(_ top: RescueTableTop) {
    if let node = bytes.wholeNode(top.ref) {
      let root = RawTableTop(node)
      let lists = [TableTopSlot.indexes, .oppositeTables, .oppositeColumns].map { root[$0].child }
      repairLists(lists, [.refs, [], []]) { $1 >= 0 }
    }
    if (try? RescueSpec(top.spec, in: bytes)) == nil {
      let heads = Self.refWidths.map { NodeHeader(.refs, .bits, widthCode: $0, count: RawSpec.slotCount) }
      put(heads, at: top.spec) { NodeScan.isSpec($0, size) && (try? RescueSpec(top.spec, in: bytes)) != nil }
    }
    if (try? RescueSpec(top.spec, in: bytes)) == nil, let spec = bytes.wholeNode(top.spec), spec.hasRefs {
      repairKeys(RawSpec(spec), of: top)
    }
    if let node = bytes.wholeNode(top.spec), node.hasRefs {
      let spec = RawSpec(node)
      repairLists([SpecSlot.keys, .types, .attributes].map { spec[$0].child }, [[], [], []]) { list, number in
        // Keys have the upper bits of the table's; types are numbers below 64, for dictionaries twice.
        list == 0 ? number >> 46 == Int64(top.key.tag) : number & ~0x3f003f == 0 || list == 2 && 0...0xffff ~= number
      }
    }
    guard let spec = try? RescueSpec(top.spec, in: bytes), spec.properties.contains(where: { $0.name == nil }),
      let names = spec.names(in: bytes), (try? Node(names, in: bytes.store).names())?.count != spec.properties.count
    else { return }
    let heads = (1...7).map { NodeHeader([], .multiply, widthCode: $0, count: spec.properties.count) }
    put(heads, at: names) { node in
      guard bytes.isWhole(node), let names = try? node.names() else { return false }
      return Set(names).count == names.count && names.allSatisfy { !$0.isEmpty && !$0.isDamagedName }
    }
  }

  /// The list of the columns' keys; there are as many of them as there are types.
  private func repairKeys(_ spec: RawSpec, of top: RescueTableTop) {
    guard let keys = spec[.keys].child else { return }
    let counts = [spec[.types], spec[.attributes]].compactMap { $0.child.flatMap(bytes.wholeNode)?.count }
    let heads = Set(counts).flatMap { count in
      (0...7).map { NodeHeader([], .bits, widthCode: $0, count: count) }
    }
    put(heads, at: keys) { _ in
      (try? RescueSpec(top.spec, in: bytes))?.likelyTable == top.key
    }
  }

  /// The table's own key, of which all columns have the upper bits, and that of the column that identifies the objects, if
  /// the stored one differs from one column's in a bit.
  private func repairNumbers(_ top: RescueTableTop) {
    guard let spec = try? RescueSpec(top.spec, in: bytes), let node = bytes.wholeNode(top.ref) else { return }
    if let tag = spec.tableTag {
      let key = Int64(tag << 16 | UInt32(top.key.slot)) << 1 | 1
      if node.slot(TableTopSlot.key).rawValue != key { set(TableTopSlot.key, of: node, to: key) }
    }
    guard let node = bytes.wholeNode(top.ref) else { return }
    let stored = node.slot(TableTopSlot.primaryKey)
    let keys = spec.properties.map { $0.key.rawValue << 1 | 1 }
    let near = keys.filter { ($0 ^ stored.rawValue).nonzeroBitCount == 1 }
    let hasKey = keys.contains(stored.rawValue)
    if stored.rawValue != 0, !hasKey, near.count == 1 { set(TableTopSlot.primaryKey, of: node, to: near[0]) }
    // Embedded objects have no primary key, and nothing links to asymmetric ones.
    guard let node = bytes.wholeNode(top.ref) else { return }
    let isWrong =
      switch TableKind(flags: node.slot(TableTopSlot.flags).number) {
      case .embedded: hasKey
      case .asymmetric: !spec.backlinks.isEmpty
      case .topLevel: false
      }
    if isWrong { set(TableTopSlot.flags, of: node, to: 1) }
  }

  private func set(_ slot: some StructureSlot, of node: Node, to value: Int64) {
    set(slot.rawValue, of: node, to: value)
  }

  /// Sets one element of a node of numbers or references. Every view taken before is invalid afterwards.
  private func set(_ index: Int, of node: Node, to value: Int64) {
    let (bit, width) = (UInt64(index * node.width), UInt64(node.width))
    let place = node.ref.rawValue + UInt64(Node.headerSize) + bit / 64 * 8
    guard width > 0, index < node.count, let word = word(at: Ref(place)) else { return }
    let (shift, mask) = (bit % 64, UInt64.max >> (64 - width))
    bytes.add([place: word & ~(mask << shift) | (UInt64(bitPattern: value) & mask) << shift])
    hasRepaired = true
  }

  private static let mostGroups = 256

  /// The root of the objects if it is a single group, or if only its kind is damaged, and the groups below it.
  private func repairTree(_ top: RescueTableTop) {
    guard !top.clusters.isNull, let spec = try? RescueSpec(top.spec, in: bytes) else { return }
    let tree = RescueClusterTree(top.clusters, bytes, confidence: .current)
    let leafCount = max(spec.leafCount, top.oppositeTables.count)
    let heads = Self.refWidths.map { NodeHeader(.refs, .bits, widthCode: $0, count: leafCount + 1) }
    guard leafCount > 0 else { return }
    for place in tree.places {
      bytes.letGoOfPages()
      repairNode(place.ref, heads) { isGroup($0, spec) }
      if let node = try? Node(place.ref, in: bytes.store), !isGroup(node, spec) { repairInner(place.ref) }
    }
    for ref in (tree.holes.map(\.ref) + tree.places.map(\.ref)).prefix(Self.mostGroups) { repairKeys(of: ref, spec) }
    for hole in tree.holes.prefix(Self.mostGroups) where hole.ref != top.clusters {
      if !put(heads, at: hole.ref, { isGroup($0, spec) }) { repairInner(hole.ref) }
    }
    let cut = tree.innerNodes.filter { ref in bytes.wholeNode(ref).map { !isFollowed($0) } ?? false }
    for ref in cut.prefix(Self.mostGroups) { repairInner(ref) }
    guard tree.places.allSatisfy({ isEmpty($0, spec) }) else { return }
    if !put(heads, at: top.clusters, { isGroup($0, spec) }) { repairInner(top.clusters) }
  }

  /// The list of a group's keys, of which there are as many as elements in each leaf, and which ascend.
  private func repairKeys(of group: Ref, _ spec: RescueSpec) {
    guard let node = bytes.wholeNode(group), node.flags & 0xf8 == 0x40, let ref = node.slot(0).child else { return }
    let single = spec.properties.map(\.key).filter { key in
      key.collection != nil || key.valueType == .link || key.valueType == .int && !key.attributes.contains(.nullable)
    }
    let counts = Set(
      (spec.backlinks + single).compactMap { node.slot($0.leafIndex + 1).child.flatMap(bytes.wholeNode)?.count })
    guard counts.count == 1, let count = counts.first, (1...Cluster.mostObjects).contains(count) else { return }
    func ascends(_ keys: [UInt64]) -> Bool { zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 } }
    func keys(of node: Node) -> [UInt64] { (0..<node.count).map { node.uncheckedUnsigned($0) } }
    let heads = (0...7).map { NodeHeader([], .bits, widthCode: $0, count: count) }
    guard let list = bytes.wholeNode(ref), isFollowed(list), heads.contains(where: { $0.word == list.header.word })
    else {
      repairNode(ref, heads) { ascends(keys(of: $0)) }
      return
    }
    // One bit of one of the two that do not ascend.
    let stored = keys(of: list)
    guard let first = stored.indices.dropLast().first(where: { stored[$0] >= stored[$0 + 1] }) else { return }
    let width = list.width
    let changes = [first, first + 1].flatMap { index in
      (0..<width).compactMap { bit -> (index: Int, key: UInt64)? in
        var changed = stored
        changed[index] ^= 1 << UInt64(bit)
        return ascends(changed) ? (index, changed[index]) : nil
      }
    }
    if changes.count == 1 { set(changes[0].index, of: list, to: Int64(bitPattern: changes[0].key)) }
  }

  /// An inner node of the objects, which may have any number of children: those that have as many objects as it says.
  private func repairInner(_ ref: Ref) {
    guard ref.rawValue & 7 == 0, let end = end(behind: ref) else { return }
    let size = Int(end - ref.rawValue) - Node.headerSize
    let first = ClusterTree.InnerNode.firstChildSlot
    let heads = Self.refWidths.flatMap { code in
      let most = size * 8 / (1 << Int(code - 1))
      // Those of which the last one is in the last word.
      return (max(first + 1, most - 3)...max(first + 1, most)).map {
        NodeHeader([.inner, .refs], .bits, widthCode: code, count: $0)
      }
    }
    put(heads.filter { $0.nodeSize == Int(end - ref.rawValue) }, at: ref) { node in
      guard node.count <= Cluster.mostObjects + first, NodeScan.isInnerClusterNode(node, self.size),
        node.clusterChildren.allSatisfy({ (try? Node($0, in: bytes.store))?.hasRefs ?? false })
      else { return false }
      let tree = RescueClusterTree(ref, bytes, confidence: .current)
      return tree.objectCount == tree.places.reduce(0) { $0 + ($1.cluster(in: bytes)?.count ?? 0) }
    }
  }

  private static let largestInnerNode: UInt64 = 8 * 300

  /// Where a node ends if the next one, or free space, begins there; nil if that is too far away.
  private func end(behind ref: Ref) -> UInt64? {
    let start = ref.rawValue + UInt64(Node.headerSize)
    return stride(from: start, to: min(start + Self.largestInnerNode, size), by: 8).first { place in
      free.contains(place) || bytes.isNode(at: Ref(place))
    }
  }

  /// Whether a group says that it has no objects, and lacks the leaves that an empty one has.
  private func isEmpty(_ place: ClusterPlace, _ spec: RescueSpec) -> Bool {
    guard let cluster = place.cluster(in: bytes), cluster.count == 0 else { return false }
    return spec.properties.contains { cluster.leafRef($0.key.leafIndex) == nil }
  }

  /// Whether a node is a group of objects with these columns: each has a leaf, and those of plain numbers have the right
  /// size.
  private func isGroup(_ node: Node, _ spec: RescueSpec) -> Bool {
    guard NodeScan.isCluster(node, size), let cluster = RescueCluster(node.ref, offset: 0, in: bytes) else {
      return false
    }
    return spec.properties.allSatisfy { property in
      guard let ref = cluster.leafRef(property.key.leafIndex), let leaf = try? Node(ref, in: bytes.store) else {
        return false
      }
      guard property.key.collection == nil, [.int, .bool, .link].contains(property.key.valueType) else { return true }
      return (cluster.count...cluster.count + 1).contains(leaf.count)
    }
  }

  // MARK: Leaves

  /// The roots of the leaves of values and of incoming links: the column says of what kind they are, and the group how many
  /// elements they have.
  private func repairLeaves(_ top: RescueTableTop) {
    // A column that is not what its key says has leaves of another kind.
    let readings = RescueSpec.readings(top.spec, in: bytes)
    guard !top.clusters.isNull, readings.count == 1, let spec = readings.first else { return }
    var repaired = 0
    for place in RescueClusterTree(top.clusters, bytes, confidence: .current).places {
      bytes.letGoOfPages()
      guard repaired < Self.mostGroups, let cluster = place.cluster(in: bytes) else { continue }
      var leaves: [(ref: Ref, heads: [NodeHeader], mostBits: Int)] = []
      for key in spec.backlinks {
        guard let ref = cluster.leafRef(key.leafIndex) else { continue }
        leaves.append((ref, (0...7).map { NodeHeader(.refs, .bits, widthCode: $0, count: cluster.count) }, 32))
      }
      for property in spec.properties {
        guard let type = property.key.valueType, let ref = cluster.leafRef(property.key.leafIndex) else { continue }
        let element = ElementType(type, isNullable: property.key.attributes.contains(.nullable))
        let heads = LostHeaders.candidates(
          element, property.key.collection, isEnumerated: !property.enumeration.isNull, cluster.count)
        // Where more than a few bits are wrong, the first values may be as well.
        leaves.append((ref, heads, 4))
      }
      for leaf in leaves where repairNode(leaf.ref, leaf.heads, mostBits: leaf.mostBits) { repaired += 1 }
    }
  }

  /// Repairs a node of which the header can be one of some, unless it is a node that ends where another begins: then it may
  /// be the ref to it that is damaged.
  ///
  /// - Parameter mostBits: how many bits may be wrong.
  /// - Returns: whether that was tried.
  @discardableResult
  private func repairNode(
    _ ref: Ref, _ heads: [NodeHeader], mostBits: Int = 32, _ isRight: (Node) -> Bool = { _ in true }
  ) -> Bool {
    guard let word = word(at: ref), NodeHeader.isSignature(UInt32(truncatingIfNeeded: word).littleEndian) else {
      return false
    }
    if let node = try? Node(ref, in: bytes.store) {
      let isCandidate = heads.contains { $0.word == node.header.word }
      guard !isFollowed(node), !isCandidate || !endsInZeros(node) || node.reachesIntoNode(in: bytes.store) else {
        return false
      }
    }
    put(heads.filter { ($0.word ^ word).nonzeroBitCount <= mostBits }, at: ref) {
      bytes.isWhole($0) && isFollowed($0) && (!$0.hasRefs || hasPossibleRefs($0)) && isRight($0)
    }
    return true
  }

  /// Repairs lists of numbers, or of refs, that have the same number of elements, which at least two of them show.
  ///
  /// - Parameter isPossible: whether the list of that index can have a number.
  private func repairLists(_ refs: [Ref?], _ kinds: [NodeHeader.Kind], _ isPossible: (Int, Int64) -> Bool) {
    let counts = refs.compactMap { $0.flatMap(bytes.wholeNode)?.count }
    let groups = Dictionary(grouping: counts) { $0 }
    guard let count = groups.first(where: { $0.value.count > 1 })?.key, count > 0 else { return }
    for (index, (ref, kind)) in zip(refs, kinds).enumerated() {
      guard let ref else { continue }
      repairNode(ref, (0...7).map { NodeHeader(kind, .bits, widthCode: $0, count: count) }) { node in
        (0..<node.count).allSatisfy { isPossible(index, node.uncheckedInt($0)) }
      }
    }
  }

  /// Whether zeros follow a node, such as those of a lost header.
  private func endsInZeros(_ node: Node) -> Bool {
    (word(at: Ref(node.ref.rawValue + UInt64(node.byteSize))) ?? 0) == 0
  }

  /// Eight bytes as a little-endian number; nil if they are not in the file.
  private func word(at ref: Ref) -> UInt64? {
    guard ref.rawValue & 7 == 0, let word = try? bytes.store.bytes(at: ref.rawValue, length: Node.headerSize) else {
      return nil
    }
    return UInt64(littleEndian: word.loadUnaligned(as: UInt64.self))
  }

  private static let longestSearch: UInt64 = 1 << 13

  /// Whether a place is not behind the node that begins before it, if that can be told: one that leaves the file or reaches
  /// into another node has a damaged header.
  private func isInsideNode(_ ref: Ref) -> Bool {
    let lowest = max(UInt64(RawHeader.size), ref.rawValue < Self.longestSearch ? 0 : ref.rawValue - Self.longestSearch)
    guard ref.rawValue > lowest else { return false }
    for place in stride(from: ref.rawValue - 8, through: lowest, by: -8) where bytes.isNode(at: Ref(place)) {
      guard let node = try? Node(Ref(place), in: bytes.store) else { return false }
      return place + UInt64(node.byteSize) > ref.rawValue && !node.reachesIntoNode(in: bytes.store)
    }
    return lowest > UInt64(RawHeader.size)
  }

  /// Whether a node ends where another node, or free space, begins, and no other begins before that.
  private func isFollowed(_ node: Node) -> Bool {
    let end = node.ref.rawValue + UInt64(node.byteSize)
    return (end == size || free.contains(end) || bytes.isNode(at: Ref(end))) && !node.reachesIntoNode(in: bytes.store)
  }

  /// Whether most elements of a node are nothing, a number, or the root of another node.
  private func hasPossibleRefs(_ node: Node) -> Bool {
    let possible = (0..<node.count).count { index in
      let element = node.slot(index)
      return element.isTagged || element.child.map(bytes.isNode) ?? true
    }
    return possible * 2 > node.count
  }

  // MARK: Trials

  /// Sets the one header, of several candidates, that makes a node valid.
  ///
  /// - Returns: whether there was exactly one.
  @discardableResult
  private func put(_ heads: [NodeHeader], at ref: Ref, _ isRight: (Node) -> Bool) -> Bool {
    guard ref.rawValue & 7 == 0, ref.rawValue >= UInt64(RawHeader.size), ref.rawValue < size & ~7,
      !bytes.lost.overlaps(ref.rawValue, length: Node.headerSize)
    else { return false }
    guard let word = word(at: ref) else { return false }
    let isSigned = NodeHeader.isSignature(UInt32(truncatingIfNeeded: word).littleEndian)
    guard isSigned || !isInsideNode(ref) else { return false }
    let damaged = NodeHeader(word)
    // The fewer bits differ, the more likely it is.
    let groups = Dictionary(grouping: heads) { head in
      (head.count == damaged.count ? 0 : 2) + (head.flags & 7 == damaged.flags & 7 ? 0 : 1)
    }
    for (_, heads) in groups.sorted(by: { $0.key < $1.key }) {
      let fitting = heads.compactMap { head -> (head: NodeHeader, isFollowed: Bool)? in
        bytes.add([ref.rawValue: head.word])
        defer { bytes.removeHead(at: ref) }
        guard let node = try? Node(ref, in: bytes.store) else { return nil }
        let isLeft = isSigned || head.flags == damaged.flags || head.count == damaged.count
        let ends = isFollowed(node)
        return (isLeft || ends) && isRight(node) ? (head, ends) : nil
      }
      guard !fitting.isEmpty else { continue }
      let ending = fitting.filter(\.isFollowed)
      guard let only = fitting.count == 1 ? fitting.first : ending.count == 1 ? ending.first : nil else { return false }
      bytes.add([ref.rawValue: only.head.word])
      hasRepaired = true
      return true
    }
    return false
  }
}
