/// Repairs damaged headers of nodes that describe tables, and of groups of objects, if the rest of the node is sound:
/// the parent of a node shows what it is, and its elements show how wide they are.
///
/// A header is repaired only if exactly one makes the node valid.
struct RepairedHeads {
  private let bytes: RescueBytes
  private let size: UInt64

  /// Codes of widths of nodes of references: 16, 32 and 64 bits.
  private static let refWidths: ClosedRange<UInt8> = 5...7
  private static let mostTables = 4096

  init(_ bytes: RescueBytes) { (self.bytes, size) = (bytes, UInt64(bytes.byteCount)) }

  /// Repairs what the list of tables of a snapshot leads to.
  func repair(_ tables: [Int: Ref]) {
    guard tables.count <= Self.mostTables else { return }
    for (slot, ref) in tables.sorted(by: { $0.key < $1.key }) {
      if (try? RescueTableTop(ref, in: bytes, at: slot)) == nil { repairRoot(ref, slot) }
      guard let top = try? RescueTableTop(ref, in: bytes, at: slot) else { continue }
      repairSpec(top)
      repairTree(top)
      bytes.letGoOfPages()
    }
  }

  private func repairRoot(_ ref: Ref, _ slot: Int) {
    // Shorter lists are the beginning of the longer ones.
    for count in RawTableTop.slotCounts.reversed() {
      let heads = Self.refWidths.map { NodeHeader(.refs, .bits, widthCode: $0, count: count) }
      let isDone = put(heads, at: ref) { node in
        NodeScan.isTableTop(node, size) && (try? RescueTableTop(ref, in: bytes, at: slot)) != nil
      }
      if isDone { return }
    }
  }

  private func repairSpec(_ top: RescueTableTop) {
    if (try? RescueSpec(top.spec, in: bytes)) == nil {
      let heads = Self.refWidths.map { NodeHeader(.refs, .bits, widthCode: $0, count: RawSpec.slotCount) }
      put(heads, at: top.spec) { NodeScan.isSpec($0, size) && (try? RescueSpec(top.spec, in: bytes)) != nil }
    }
    if (try? RescueSpec(top.spec, in: bytes)) == nil, let spec = bytes.wholeNode(top.spec), spec.hasRefs {
      repairKeys(RawSpec(spec), of: top)
    }
    guard let spec = try? RescueSpec(top.spec, in: bytes), spec.properties.contains(where: { $0.name == nil }),
      let names = spec.names(in: bytes), (try? Node(names, in: bytes.store).names())?.count != spec.properties.count
    else { return }
    let heads = (1...7).map { NodeHeader([], .multiply, widthCode: $0, count: spec.properties.count) }
    put(heads, at: names) { node in
      guard bytes.isWhole(node), let names = try? node.names() else { return false }
      return Set(names).count == names.count && names.allSatisfy { !$0.isEmpty && $0.isValidText }
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

  private static let mostGroups = 256

  /// The root of the objects if it is a single group, or if only its kind is damaged, and the groups below it.
  private func repairTree(_ top: RescueTableTop) {
    guard !top.clusters.isNull, let spec = try? RescueSpec(top.spec, in: bytes) else { return }
    let tree = RescueClusterTree(top.clusters, bytes, confidence: .current)
    let leafCount = max(spec.leafCount, top.oppositeTables.count)
    let heads = Self.refWidths.map { NodeHeader(.refs, .bits, widthCode: $0, count: leafCount + 1) }
    guard leafCount > 0 else { return }
    for hole in tree.holes.prefix(Self.mostGroups) where hole.ref != top.clusters {
      put(heads, at: hole.ref) { isGroup($0, spec) }
    }
    guard tree.places.allSatisfy({ isEmpty($0, spec) }) else { return }
    let isDone = put(heads, at: top.clusters) { isGroup($0, spec) }
    guard !isDone, let word = try? bytes.store.bytes(at: top.clusters.rawValue, length: Node.headerSize) else { return }
    let count = NodeHeader(UInt64(littleEndian: word.loadUnaligned(as: UInt64.self))).count
    let inner = Self.refWidths.map { NodeHeader([.inner, .refs], .bits, widthCode: $0, count: count) }
    put(inner, at: top.clusters) { node in
      node.count <= Cluster.mostObjects + ClusterTree.InnerNode.firstChildSlot
        && NodeScan.isInnerClusterNode(node, size)
        && node.clusterChildren.allSatisfy { (try? Node($0, in: bytes.store))?.hasRefs ?? false }
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

  // MARK: Trials

  /// Sets the one header, of several candidates, that makes a node valid.
  ///
  /// - Returns: whether there was exactly one.
  @discardableResult
  private func put(_ heads: [NodeHeader], at ref: Ref, _ isRight: (Node) -> Bool) -> Bool {
    guard ref.rawValue & 7 == 0, ref.rawValue >= UInt64(RawHeader.size), ref.rawValue < size & ~7,
      !bytes.lost.overlaps(ref.rawValue, length: Node.headerSize)
    else { return false }
    guard let word = try? bytes.store.bytes(at: ref.rawValue, length: Node.headerSize) else { return false }
    let damaged = NodeHeader(UInt64(littleEndian: word.loadUnaligned(as: UInt64.self)))
    // The fewer bits differ, the more likely it is.
    let groups = Dictionary(grouping: heads) { head in
      (head.count == damaged.count ? 0 : 2) + (head.flags & 7 == damaged.flags & 7 ? 0 : 1)
    }
    for (_, heads) in groups.sorted(by: { $0.key < $1.key }) {
      let fitting = heads.filter { head in
        bytes.add([ref.rawValue: head.word])
        defer { bytes.removeHead(at: ref) }
        return (try? Node(ref, in: bytes.store)).map(isRight) ?? false
      }
      guard !fitting.isEmpty else { continue }
      guard fitting.count == 1 else { return false }
      bytes.add([ref.rawValue: fitting[0].word])
      return true
    }
    return false
  }
}

extension RealmString {
  /// Whether it is UTF-8 without control characters.
  fileprivate var isValidText: Bool {
    !utf8.contains { $0 < 0x20 } && String(validating: utf8, as: UTF8.self) != nil
  }
}
