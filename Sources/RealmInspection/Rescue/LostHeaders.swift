import RealmStorage

/// Recovers the headers of leaves of which other bytes are not lost.
///
/// The column determines the kind of the leaf, and the group determines the number of values; only their width is lost.
/// Nodes lie one after another, so a width is right if the leaf then ends exactly where the next node, or free space,
/// begins. If several widths fit, none is used.
struct LostHeaders {
  private let bytes: RescueBytes
  private let space: RescueSpace
  /// Where nodes begin that are known but not read, ascending.
  private let starts: [Start]
  /// Where free space begins, ascending.
  private let free: [UInt64]

  /// Where a leaf begins.
  private struct Start {
    let ref: Ref
    /// No part of the leaf can lie before this place.
    let hasNoChildren: Bool
  }

  private static let mostStarts = 1 << 22
  /// The parts of a leaf, and how many of those of a leaf of any types are single nodes.
  private static let (mostParts, mixedTrees) = (6, 3)
  /// Codes of widths of nodes of references: 16, 32 and 64 bits.
  private static let refWidths: ClosedRange<UInt8> = 5...7
  private static let allWidths: ClosedRange<UInt8> = 0...7

  /// - Returns: nil if the free space of the snapshot is not known.
  init?(_ bytes: RescueBytes, _ space: RescueSpace, _ top: RawTop?, _ tables: [RescuedTable]) {
    guard let top, let free = RescueSpace.freeRanges(of: top, in: bytes) else { return nil }
    (self.bytes, self.space) = (bytes, space)
    self.free = free.map(\.lowerBound).sorted()
    var starts: [Start] = []
    for table in tables {
      for place in table.places where place.run == nil && starts.count < Self.mostStarts {
        bytes.letGoOfPages()
        guard let cluster = place.cluster(in: bytes) else { continue }
        for column in table.columns {
          guard let ref = cluster.leafRef(column.leafIndex) else { continue }
          if !space.isTaken(ref.rawValue) {
            starts.append(Start(ref: ref, hasNoChildren: column.hasSimpleLeaf))
          } else if column.collection == nil, !column.hasSimpleLeaf, let root = bytes.wholeNode(ref), root.hasRefs,
            !root.context, root.scheme == .bits
          {
            // The parts of a leaf whose root can be read begin where it says; those of texts have none of their own.
            for index in 0..<min(root.count, Self.mostParts) {
              guard let part = root.slot(index).child, !space.isTaken(part.rawValue) else { continue }
              starts.append(Start(ref: part, hasNoChildren: column.element.code != .mixed || index < Self.mixedTrees))
            }
          } else if let root = bytes.wholeNode(ref), root.hasRefs, root.scheme == .bits,
            let first = (0..<root.count).lazy.compactMap({ root.slot($0).child }).min(), !space.isTaken(first.rawValue)
          {
            // Long texts and collections, the first of which may be lost itself.
            starts.append(Start(ref: first, hasNoChildren: column.collection == nil))
          }
        }
        for column in table.backlinks {
          guard let ref = cluster.leafRef(column.leafIndex), !space.isTaken(ref.rawValue) else { continue }
          starts.append(Start(ref: ref, hasNoChildren: false))
        }
        starts.append(Start(ref: place.ref, hasNoChildren: false))
      }
    }
    self.starts = starts.sorted { $0.ref < $1.ref }
  }

  /// The headers of leaves of a table that can be determined, by place.
  func heads(of table: RescuedTable) -> [Ref: NodeHeader] {
    var heads: [Ref: NodeHeader] = [:]
    for place in table.places {
      bytes.letGoOfPages()
      guard let cluster = place.cluster(in: bytes) else { continue }
      for column in table.columns {
        guard let ref = cluster.leafRef(column.leafIndex) else { continue }
        if isHeadLost(ref) {
          let candidates = Self.candidates(
            column.element, column.collection, isEnumerated: column.enumeration != nil, cluster.count)
          heads[ref] = head(of: ref, candidates, excluding: [])
        } else if column.collection == nil {
          addChildren(of: ref, column, cluster.count, to: &heads)
        }
      }
    }
    return heads
  }

  private func isHeadLost(_ ref: Ref) -> Bool {
    ref.rawValue & 7 == 0 && ref.rawValue >= UInt64(RawHeader.size) && ref.rawValue < UInt64(bytes.byteCount)
      && bytes.lost.overlaps(ref.rawValue, length: Node.headerSize) && !bytes.hasHead(at: ref)
  }

  // MARK: Parts of a leaf

  /// The heads of the nodes below the root of a leaf of texts, data, dates or values of any type.
  private func addChildren(of root: Ref, _ column: Column, _ count: Int, to heads: inout [Ref: NodeHeader]) {
    guard [.string, .binary, .timestamp, .mixed].contains(column.element.code),
      let node = try? Node(root, in: bytes.store), node.hasRefs, node.scheme == .bits, !node.context, node.count <= 6,
      let other = bytes.other.flatMap({ try? Node(root, in: $0) }), other.count == node.count
    else { return }
    let children = (0..<node.count).map { index -> Ref? in
      node.slot(index).rawValue == other.slot(index).rawValue ? node.slot(index).child : nil
    }
    let known = children.compactMap { $0 } + [root]
    func add(_ index: Int, _ candidates: [NodeHeader]) {
      guard index < children.count, let ref = children[index], isHeadLost(ref) else { return }
      heads[ref] = head(of: ref, candidates, excluding: known)
    }
    switch column.element.code {
    case .timestamp where node.count == 2:
      add(0, Self.numbers(count + 1))
      add(1, Self.numbers(count))
    case .mixed: add(0, Self.numbers(count))
    case .string where node.count == 3, .binary where node.count == 3:
      add(0, Self.numbers(count))
      add(2, (0...1).map { NodeHeader([], .bits, widthCode: $0, count: count) })
      guard let ends = children[0].flatMap({ try? Node($0, in: bytes.store) }), ends.scheme == .bits, !ends.hasRefs,
        ends.count == count, count > 0,
        let same = children[0].flatMap({ ref in bytes.other.flatMap { try? Node(ref, in: $0) } }), same.count == count,
        same.uncheckedInt(count - 1) == ends.uncheckedInt(count - 1)
      else { return }
      let size = ends.uncheckedInt(count - 1)
      guard size >= 0, size <= Int64(NodeHeader.mostElements) else { return }
      add(1, [NodeHeader([], .ignore, widthCode: 0, count: Int(size))])
    default: return
    }
  }

  // MARK: Candidates

  private static func numbers(_ count: Int) -> [NodeHeader] {
    allWidths.map { NodeHeader([], .bits, widthCode: $0, count: count) }
  }

  private static func refs(_ count: Int, _ kind: NodeHeader.Kind = .refs) -> [NodeHeader] {
    refWidths.map { NodeHeader(kind, .bits, widthCode: $0, count: count) }
  }

  /// Possible first words of the root of a column's leaf.
  static func candidates(
    _ element: ElementType, _ collection: CollectionKind?, isEnumerated: Bool, _ count: Int
  ) -> [NodeHeader] {
    if collection != nil { return refs(count) }
    switch element.code {
    case .int: return numbers(element.isNullable ? count + 1 : count)
    case .bool: return (0...(element.isNullable ? 2 : 1)).map { NodeHeader([], .bits, widthCode: $0, count: count) }
    case .link: return numbers(count)
    case .float: return [NodeHeader([], .multiply, widthCode: 3, count: count)]
    case .double: return [NodeHeader([], .multiply, widthCode: 4, count: count)]
    case .string where !isEnumerated:
      return allWidths.map { NodeHeader([], .multiply, widthCode: $0, count: count) } + refs(3)
        + refs(count, [.refs, .context])
    case .string: return numbers(count)
    case .binary: return refs(3) + refs(count, [.refs, .context])
    case .timestamp: return refs(2)
    case .objectID: return [NodeHeader([], .multiply, widthCode: 1, count: count * 12 + (count + 7) / 8)]
    case .uuid: return [NodeHeader([], .multiply, widthCode: 1, count: count * 16 + (count + 7) / 8)]
    case .decimal: return (3...5).map { NodeHeader([], .multiply, widthCode: $0, count: count) }
    case .mixed: return [4, MixedLeaf.mostSlots].flatMap { refs($0) }
    default: return []
    }
  }

  /// The one of some heads with which a node ends where something else begins.
  ///
  /// - Parameter excluding: other places where nodes begin.
  private func head(of ref: Ref, _ candidates: [NodeHeader], excluding known: [Ref]) -> NodeHeader? {
    let start = ref.rawValue
    guard let limit = limit(of: ref, known) else { return nil }
    let fitting = candidates.filter { start + UInt64($0.nodeSize) == limit }
    guard fitting.count == 1, let head = fitting.first else { return nil }
    // With a smaller one, the node would end where another node is visible.
    for smaller in candidates where smaller.nodeSize < head.nodeSize {
      let end = start + UInt64(smaller.nodeSize)
      if let node = bytes.wholeNode(Ref(end)), NodeHeader.isSignature(node.signature) { return nil }
    }
    return head
  }

  /// The start of the next known node; nil if something unknown may lie before it.
  private func limit(of ref: Ref, _ known: [Ref]) -> UInt64? {
    var limit = space.start(behind: ref.rawValue) ?? UInt64(bytes.byteCount)
    if let next = known.filter({ $0 > ref }).min(), next.rawValue < limit { limit = next.rawValue }
    let gap = firstIndex(in: free.indices) { free[$0] > ref.rawValue }
    if gap < free.count, free[gap] < limit { limit = free[gap] }
    let index = firstIndex(in: starts.indices) { starts[$0].ref > ref }
    guard index < starts.count, starts[index].ref.rawValue < limit else { return limit }
    // The children of a leaf that cannot be read lie before it.
    return starts[index].hasNoChildren ? starts[index].ref.rawValue : nil
  }
}

extension Column {
  /// Whether a leaf is one node.
  fileprivate var hasSimpleLeaf: Bool {
    collection == nil && [.int, .bool, .float, .double, .link].contains(element.code)
  }
}
