import RealmStorage

/// Repairs damaged headers of nodes that describe tables, of groups of objects, and of their leaves, if the rest of the node
/// is sound: the parent of a node shows what it is, and its elements, or where it ends, how wide they are. And refs to such
/// nodes of which a bit is damaged.
///
/// A header is repaired only if exactly one makes the node valid, and if some of it is left or the node then ends where
/// another begins.
final class HeaderRepair {
  let bytes: RescueBytes
  let size: UInt64
  /// Whether something was repaired.
  private(set) var hasRepaired = false
  /// Where free space begins.
  private let free: Set<UInt64>
  /// What the snapshot uses, before anything is repaired.
  private(set) lazy var space = try? RescueSpace(bytes, root: root)
  /// The free space of the snapshot; nil if that is lost.
  let freeRanges: [Range<UInt64>]?
  private let root: Ref

  /// Codes of widths of nodes of references: 16, 32 and 64 bits.
  private static let refWidths: ClosedRange<UInt8> = 5...7
  private static let mostTables = 4096

  /// - Parameter top: of the snapshot whose nodes are repaired; nil if its root is.
  init(_ bytes: RescueBytes, _ top: RawTop?) {
    (self.bytes, size, root) = (bytes, UInt64(bytes.byteCount), top?.ref ?? .null)
    freeRanges = top.flatMap { RescueSpace.freeRanges(of: $0, in: bytes) }
    free = Set((freeRanges ?? []).map(\.lowerBound))
  }

  /// Repairs what the live snapshot leads to, from its root down.
  ///
  /// - Returns: whether there was anything.
  static func repair(_ bytes: RescueBytes, _ tops: inout RescueTops) -> Bool {
    var hasRepaired = false
    func run(_ top: RawTop?, _ body: (HeaderRepair) -> Void) {
      let heads = HeaderRepair(bytes, top)
      body(heads)
      guard heads.hasRepaired else { return }
      hasRepaired = true
      tops = RescueTops(bytes)
    }
    if tops.base == nil, let lost = tops.lost { run(nil) { $0.repairTop(at: lost) } }
    if let base = tops.base { run(base) { $0.repairRefs(of: base) } }
    if let base = tops.base { run(base) { $0.repairList(of: base) } }
    if let base = tops.base {
      let tables = tops.tableRefs(of: base)
      run(base) { $0.repair(tables) }
    }
    return hasRepaired
  }

  /// Repairs a bit of the header of the root of a snapshot.
  private func repairTop(at ref: Ref) {
    guard let word = word(at: ref) else { return }
    let heads = RawTop.slotCounts.flatMap { count in
      Self.refWidths.map { NodeHeader(.refs, .bits, widthCode: $0, count: count) }
    }
    put(heads.filter { ($0.word ^ word).nonzeroBitCount == 1 }, at: ref) { node in
      let lists = [TopSlot.tableNames, .tables].map { node.slot($0).child }
      return NodeScan.isTop(node, size) && lists.allSatisfy { $0.map(bytes.isNode) ?? false }
    }
  }

  /// Repairs the refs to the lists of tables and of their names.
  private func repairRefs(of top: RawTop) {
    func count(_ slot: TopSlot, _ kind: NodeHeader.Scheme) -> Int? {
      top[slot].child.flatMap(bytes.wholeNode).flatMap { $0.scheme == kind && $0.count > 0 ? $0.count : nil }
    }
    if let count = count(.tables, .bits) {
      repairRef(TopSlot.tableNames.rawValue, of: top.ref) { $0.count == count && hasTableNames($0) }
    }
    guard let count = count(.tableNames, .multiply) else { return }
    repairRef(TopSlot.tables.rawValue, of: top.ref) { $0.count == count && hasTables($0, all: true) }
  }

  /// Whether the elements of a node are roots of tables: all, or at least half of them.
  private func hasTables(_ node: Node, all: Bool) -> Bool {
    guard node.flags & 0xf8 == 0x40, node.count < TableKey.mostSlots else { return false }
    let slots = (0..<node.count).map { node.slot($0) }
    let roots = slots.enumerated().count { slot, element in
      element.child.map { (try? RescueTableTop($0, in: bytes, at: slot)) != nil } ?? false
    }
    return roots > 0 && slots.count { $0.rawValue != 0 } <= (all ? roots : roots * 2)
  }

  private func hasTableNames(_ node: Node) -> Bool {
    guard let names = try? node.names() else { return false }
    return names.contains { $0.hasPrefix(TableSchema.classPrefix) } && !names.contains(where: \.isDamagedName)
  }

  /// Repairs the list of tables, which has as many elements as that of their names.
  private func repairList(of top: RawTop) {
    repairNames(of: top)
    guard let ref = top[.tables].child, let names = top[.tableNames].child.flatMap(bytes.wholeNode),
      names.scheme == .multiply, !names.hasRefs, names.count < TableKey.mostSlots, names.count > 0
    else { return }
    let stated = (try? names.names()) ?? []
    for slot in stated.indices where !stated[slot].isEmpty {
      repairRef(slot, of: ref) { node in
        RawTableTop.slotCounts.contains(node.count) && NodeScan.isTableTop(node, size)
          && (try? RescueTableTop(node.ref, in: bytes, at: slot)) != nil
      }
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
    repairNode(ref, heads, hasTableNames)
  }

  /// Repairs what the list of tables of the snapshot leads to.
  private func repair(_ tables: [Int: Ref]) {
    guard tables.count <= Self.mostTables else { return }
    for (slot, ref) in tables.sorted(by: { $0.key < $1.key }) {
      let isReadable = (try? RescueTableTop(ref, in: bytes, at: slot)) != nil
      let isWhole = (try? Node(ref, in: bytes.store)).map { isFollowed($0) || endsInZeros($0) } ?? false
      if !isWhole || !isReadable { repairRoot(ref, slot, byEnd: isReadable) }
      guard let root = try? RescueTableTop(ref, in: bytes, at: slot) else { continue }
      repairRef(TableTopSlot.spec.rawValue, of: ref) { node in
        NodeScan.isSpec(node, size) && (try? RescueSpec(node.ref, in: bytes))?.tableTag == root.key.tag
      }
      for repair in [repairSpec, repairNumbers, repairTree, repairLeaves] {
        if let top = try? RescueTableTop(ref, in: bytes, at: slot) { repair(top) }
      }
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
      let slots = [TableTopSlot.indexes, .oppositeTables, .oppositeColumns].map(\.rawValue)
      repairLists(slots, of: node.ref, [.refs, [], []]) { $1 >= 0 }
    }
    if (try? RescueSpec(top.spec, in: bytes)) == nil {
      let heads = Self.refWidths.map { NodeHeader(.refs, .bits, widthCode: $0, count: RawSpec.slotCount) }
      put(heads, at: top.spec) { NodeScan.isSpec($0, size) && (try? RescueSpec(top.spec, in: bytes)) != nil }
    }
    if let node = bytes.wholeNode(top.spec), node.hasRefs {
      let slots = [SpecSlot.keys, .types, .attributes].map(\.rawValue)
      repairLists(slots, of: node.ref, [[], [], []]) { list, number in
        // Keys have the upper bits of the table's; types are numbers below 64, for dictionaries twice.
        list == 0 ? number >> 46 == Int64(top.key.tag) : number & ~0x3f003f == 0 || list == 2 && 0...0xffff ~= number
      }
    }
    if (try? RescueSpec(top.spec, in: bytes)) == nil, let spec = bytes.wholeNode(top.spec), spec.hasRefs {
      repairKeys(RawSpec(spec), of: top)
    }
    guard let spec = try? RescueSpec(top.spec, in: bytes), spec.properties.contains(where: { $0.name == nil }) else {
      return
    }
    let count = spec.properties.count
    func hasNames(_ node: Node) -> Bool {
      guard bytes.isWhole(node), node.count == count, let names = try? node.names() else { return false }
      return Set(names).count == names.count && names.allSatisfy { !$0.isEmpty && !$0.isDamagedName }
    }
    if repairRef(SpecSlot.names.rawValue, of: top.spec, hasNames) { return }
    guard let names = spec.names(in: bytes), (try? Node(names, in: bytes.store).names())?.count != count else { return }
    put((1...7).map { NodeHeader([], .multiply, widthCode: $0, count: count) }, at: names, hasNames)
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

  /// Numbers without their mark, the table's own key, of which all columns have the upper bits, and that of the column that
  /// identifies the objects, if the stored one differs from one column's in a bit.
  private func repairNumbers(_ top: RescueTableTop) {
    guard let spec = try? RescueSpec(top.spec, in: bytes), let node = bytes.wholeNode(top.ref) else { return }
    let slots = TableTopSlot.allCases.filter { $0.rawValue < node.count }.map { ($0, node.slot($0)) }
    for (slot, element) in slots where slot.content.isNumber && !element.isTagged && element.rawValue != 0 {
      set(slot, of: node, to: element.rawValue | 1)
    }
    if let tag = spec.tableTag {
      let key = Int64(tag << 16 | UInt32(top.key.slot)) << 1 | 1
      if let node = bytes.wholeNode(top.ref), node.slot(TableTopSlot.key).rawValue != key {
        set(TableTopSlot.key, of: node, to: key)
      }
    }
    guard let node = bytes.wholeNode(top.ref) else { return }
    let stored = node.slot(TableTopSlot.primaryKey)
    // The key of a column can be what is damaged.
    let readings = RescueSpec.readings(top.spec, in: bytes).map(\.properties)
    func element(_ property: RescueSpec.PropertyColumn) -> Int64 { property.key.rawValue << 1 | 1 }
    let near = (readings.first ?? []).filter { (element($0) ^ stored.rawValue).nonzeroBitCount == 1 }
    let hasKey = readings.contains { $0.contains { element($0) == stored.rawValue } }
    // Only the primary key has an index that its attributes do not state.
    let indexed = near.filter { !$0.isIndexed && top.indexRoot(at: $0.key.leafIndex).map(bytes.isNode) ?? false }
    let isConfirmed = hasKey && top.indexRoot(at: ColumnKey(rawValue: stored.rawValue >> 1).leafIndex) != nil
    let likely = isConfirmed ? [] : hasKey || near.count > 1 ? indexed : near
    if stored.rawValue != 0, likely.count == 1 { set(TableTopSlot.primaryKey, of: node, to: element(likely[0])) }
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
  func set(_ index: Int, of node: Node, to value: Int64) {
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
    guard let spec = try? RescueSpec(top.spec, in: bytes) else { return }
    func isPart(_ node: Node) -> Bool {
      node.isInner
        ? NodeScan.isInnerClusterNode(node, size) && node.clusterChildren.allSatisfy(bytes.isNode)
        : isGroup(node, spec)
    }
    if repairRef(TableTopSlot.clusters.rawValue, of: top.ref, isPart) {
      guard let top = try? RescueTableTop(top.ref, in: bytes) else { return }
      return repairTree(top)
    }
    guard !top.clusters.isNull else { return }
    var tree = RescueClusterTree(top.clusters, bytes, confidence: .current)
    if !tree.holes.isEmpty {
      for ref in tree.innerNodes.prefix(Self.mostGroups) {
        let first = ClusterTree.InnerNode.firstChildSlot
        for index in first..<max(first, bytes.wholeNode(ref)?.count ?? 0) { repairRef(index, of: ref, isPart) }
      }
      tree = RescueClusterTree(top.clusters, bytes, confidence: .current)
    }
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
    guard let node = bytes.wholeNode(group), node.flags & 0xf8 == 0x40, node.slot(0).child != nil else { return }
    let single = spec.properties.map(\.key).filter { key in
      key.collection != nil || key.valueType == .link || key.valueType == .int && !key.attributes.contains(.nullable)
    }
    let counts = Set(
      (spec.backlinks + single).compactMap { node.slot($0.leafIndex + 1).child.flatMap(bytes.wholeNode)?.count })
    guard counts.count == 1, let count = counts.first, (1...Cluster.mostObjects).contains(count) else { return }
    func ascends(_ keys: [UInt64]) -> Bool { zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 } }
    func keys(of node: Node) -> [UInt64] { (0..<node.count).map { node.uncheckedUnsigned($0) } }
    let heads = (0...7).map { NodeHeader([], .bits, widthCode: $0, count: count) }
    repairRef(0, of: group) { node in heads.contains { $0.word == node.header.word } && ascends(keys(of: node)) }
    guard let ref = bytes.wholeNode(group)?.slot(0).child else { return }
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
      let count = cluster.count
      for key in spec.backlinks {
        let heads = (0...7).map { NodeHeader(.refs, .bits, widthCode: $0, count: count) }
        if repairChild(key.leafIndex + 1, of: place.ref, heads) { repaired += 1 }
      }
      for property in spec.properties {
        guard let type = property.key.valueType else { continue }
        let element = ElementType(type, isNullable: property.key.attributes.contains(.nullable))
        let isEnumerated = !property.enumeration.isNull
        let heads = LostHeaders.candidates(element, property.key.collection, isEnumerated: isEnumerated, count)
        // Where more than a few bits are wrong, the first values may be as well.
        if repairChild(property.key.leafIndex + 1, of: place.ref, heads, mostBits: 4) { repaired += 1 }
        guard property.key.collection == nil, !isEnumerated,
          let root = bytes.wholeNode(place.ref)?.slot(property.key.leafIndex + 1).child
        else { continue }
        if repairParts(of: root, type, count) { repaired += 1 }
      }
    }
  }

  /// The nodes below the root of a leaf of texts, data or dates.
  ///
  /// - Returns: whether that was tried for one.
  private func repairParts(of root: Ref, _ type: TypeCode, _ count: Int) -> Bool {
    guard let node = bytes.wholeNode(root), node.flags & 0xf8 == 0x40 else { return false }
    func numbers(_ count: Int, _ codes: ClosedRange<UInt8> = 0...7) -> [NodeHeader] {
      codes.map { NodeHeader([], .bits, widthCode: $0, count: count) }
    }
    switch (type, node.count) {
    case (.timestamp, 2):
      let seconds = repairChild(0, of: root, numbers(count + 1), mostBits: 4)
      return repairChild(1, of: root, numbers(count), mostBits: 4) || seconds
    case (.string, 3), (.binary, 3):
      let size = node.slot(1).child.flatMap(bytes.wholeNode).flatMap { $0.scheme == .ignore ? $0.count : nil }
      let ends = repairChild(0, of: root, numbers(count), mostBits: 4) { node in
        let ends = (0..<node.count).map { node.uncheckedInt($0) }
        return zip(ends, ends.dropFirst()).allSatisfy { $0 <= $1 } && (size == nil || ends.last == size.map(Int64.init))
      }
      let last = bytes.wholeNode(root)?.slot(0).child.flatMap(bytes.wholeNode).flatMap { node in
        node.flags & 0xf8 == 0 && node.count == count && count > 0 ? node.uncheckedInt(count - 1) : nil
      }
      var blob = false
      if let last, 0...Int64(NodeHeader.mostElements) ~= last {
        blob = repairChild(1, of: root, [NodeHeader([], .ignore, widthCode: 0, count: Int(last))], mostBits: 4)
      }
      return repairChild(2, of: root, numbers(count, 0...1), mostBits: 4) || ends || blob
    default: return false
    }
  }

  /// Repairs the ref to a child of a node, or else the child's header, which can be one of some.
  ///
  /// - Returns: whether that was tried.
  @discardableResult
  private func repairChild(
    _ index: Int, of parent: Ref, _ heads: [NodeHeader], mostBits: Int = 32, _ isRight: (Node) -> Bool = { _ in true }
  ) -> Bool {
    if repairRef(index, of: parent, { node in heads.contains { $0.word == node.header.word } && isRight(node) }) {
      return true
    }
    guard let node = bytes.wholeNode(parent), node.hasRefs, index < node.count, let child = node.slot(index).child
    else {
      return false
    }
    return repairNode(child, heads, mostBits: mostBits, isRight)
  }

  /// Repairs a node of which the header can be one of some, unless it is a node that ends where another begins: then it may
  /// be the ref to it that is damaged, if more than a bit of the header is wrong.
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
      if isFollowed(node) {
        guard !isCandidate || !isRight(node) else { return false }
        let near = heads.filter { head in
          (head.word ^ word).nonzeroBitCount == 1 && head.count == node.count && head.nodeSize == node.byteSize
        }
        return put(near, at: ref) { bytes.isWhole($0) && hasPossibleElements($0) && isRight($0) }
      }
      guard !isCandidate || !endsInZeros(node) || node.reachesIntoNode(in: bytes.store) else { return false }
    }
    put(heads.filter { ($0.word ^ word).nonzeroBitCount <= mostBits }, at: ref) {
      bytes.isWhole($0) && isFollowed($0) && (!$0.hasRefs || hasPossibleRefs($0)) && isRight($0)
    }
    return true
  }

  /// Repairs lists of numbers, or of refs, that have the same number of elements, which at least two of them show.
  ///
  /// - Parameter isPossible: whether the list of that index can have a number.
  private func repairLists(
    _ slots: [Int], of parent: Ref, _ kinds: [NodeHeader.Kind], _ isPossible: (Int, Int64) -> Bool
  ) {
    let counts = slots.compactMap { bytes.wholeNode(parent)?.slot($0).child.flatMap(bytes.wholeNode)?.count }
    let groups = Dictionary(grouping: counts) { $0 }
    guard let count = groups.first(where: { $0.value.count > 1 })?.key, count > 0 else { return }
    for (index, (slot, kind)) in zip(slots, kinds).enumerated() {
      repairChild(slot, of: parent, (0...7).map { NodeHeader(kind, .bits, widthCode: $0, count: count) }) { node in
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
  func isInsideNode(_ ref: Ref) -> Bool {
    let lowest = max(UInt64(RawHeader.size), ref.rawValue < Self.longestSearch ? 0 : ref.rawValue - Self.longestSearch)
    guard ref.rawValue > lowest else { return false }
    for place in stride(from: ref.rawValue - 8, through: lowest, by: -8) where bytes.isNode(at: Ref(place)) {
      guard let node = try? Node(Ref(place), in: bytes.store) else { return false }
      return place + UInt64(node.byteSize) > ref.rawValue && !node.reachesIntoNode(in: bytes.store)
    }
    return lowest > UInt64(RawHeader.size)
  }

  /// Whether a node ends where another node, or free space, begins, and no other begins before that.
  func isFollowed(_ node: Node) -> Bool {
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

  /// Whether the elements of a node are refs, or are none, as its header says.
  private func hasPossibleElements(_ node: Node) -> Bool {
    guard node.scheme == .bits, node.width >= 16 else { return true }
    if node.hasRefs { return hasPossibleRefs(node) }
    let numbers = (0..<node.count).map { node.uncheckedInt($0) }.filter { $0 > 0 }
    return numbers.count { bytes.isNode(at: Ref(UInt64(bitPattern: $0))) } * 2 <= numbers.count
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
