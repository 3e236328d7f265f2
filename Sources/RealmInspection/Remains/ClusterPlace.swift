import RealmStorage

/// A group of objects of a table, and the keys that count as its own.
struct ClusterPlace {
  let ref: Ref
  /// Added to the keys in the node, modulo 2^64.
  var offset: UInt64
  /// Keys outside this range belong to other groups.
  var keys: ClosedRange<UInt64>
  var confidence: RescueConfidence
  /// Whether the objects were written by the commit whose root is lost.
  var isOfLostCommit = false
  /// The leaves of a group whose own node is lost.
  var run: LeafRun?

  /// The group; nil if it cannot be read.
  func cluster(in bytes: RescueBytes) -> RescueCluster? {
    guard let run else { return RescueCluster(ref, offset: offset, in: bytes) }
    return RescueCluster(run, offset: offset, in: bytes)
  }
}

/// The leaves of a group of objects, in the order of their columns.
struct LeafRun {
  let count: Int
  /// Null if the objects have all keys from the offset on.
  let keys: Ref
  /// By leaf index; null if one is lost.
  let leaves: [Ref]
}

/// Keys whose objects are lost, because the node that refers to them is.
struct KeyHole {
  var keys: ClosedRange<UInt64>
  /// What should have been there; null if that is lost as well.
  let ref: Ref
  /// Groups that are there and whose keys are lost, in order.
  var groups: [Ref] = []
  /// Whether the newest snapshot left had not yet assigned these keys: only a later one has such objects.
  var isBehind = false
}

/// The tree of a table's objects as far as it can be walked: groups of objects in order, and the gaps between them.
struct RescueClusterTree {
  private(set) var places: [ClusterPlace] = []
  private(set) var holes: [KeyHole] = []
  /// Nodes above the groups.
  private(set) var innerNodes: [Ref] = []
  /// The number of objects according to the root; nil if it is lost.
  private(set) var objectCount: Int?

  private let bytes: RescueBytes
  private let confidence: RescueConfidence
  private var visited: Set<Ref> = []

  private static let mostNodes = 1 << 22
  /// Live objects have keys from 0 up.
  static let allKeys: ClosedRange<UInt64> = 0...UInt64(Int64.max)

  /// - Parameter root: of the tree; if it is null, everything is missing.
  init(_ root: Ref, _ bytes: RescueBytes, confidence: RescueConfidence) {
    (self.bytes, self.confidence) = (bytes, confidence)
    objectCount = try? ClusterTree(root: root).count(in: bytes.store)
    walk(root, Self.allKeys, offset: 0, level: 0)
  }

  private mutating func lose(_ ref: Ref, _ keys: ClosedRange<UInt64>) { holes.append(KeyHole(keys: keys, ref: ref)) }

  private mutating func walk(_ ref: Ref, _ keys: ClosedRange<UInt64>, offset: UInt64, level: Int) {
    // No view of a node above is still in use.
    bytes.letGoOfPages()
    guard !ref.isNull, level <= ClusterTree.maximumDepth, visited.count < Self.mostNodes, visited.insert(ref).inserted,
      let node = try? Node(ref, in: bytes.store)
    else { return lose(ref, keys) }
    guard node.isInner else {
      guard RescueCluster(ref, offset: offset, in: bytes) != nil else { return lose(ref, keys) }
      places.append(ClusterPlace(ref: ref, offset: offset, keys: keys, confidence: confidence))
      return
    }
    innerNodes.append(ref)
    walkChildren(of: node, keys, offset, level)
  }

  private mutating func walkChildren(of node: Node, _ keys: ClosedRange<UInt64>, _ offset: UInt64, _ level: Int) {
    let firstSlot = ClusterTree.InnerNode.firstChildSlot
    let childCount = node.count - firstSlot
    let other = bytes.other.flatMap { try? Node(node.ref, in: $0) }
    guard node.flags & 0x58 == 0x40, childCount > 0, childCount <= Cluster.mostObjects,
      bytes.other == nil || other?.count == node.count
    else { return lose(node.ref, keys) }
    func slot(_ index: Int) -> RefOrTagged? {
      let element = node.slot(index)
      return other == nil || other?.slot(index).rawValue == element.rawValue ? element : nil
    }
    let children = (0..<childCount).map { slot(firstSlot + $0)?.child ?? .null }
    func groups(_ children: some Sequence<Ref>) -> [Ref] {
      children.filter { !$0.isNull }.flatMap { self.groups(below: $0, level: level + 1) }
    }
    guard
      let offsets = offsets(slot(InnerClusterSlot.offsets.rawValue), slot(InnerClusterSlot.depth.rawValue), children)
    else { return holes.append(KeyHole(keys: keys, ref: node.ref, groups: groups(children))) }
    // Offsets that do not ascend are damaged.
    let known = ascending(children.indices.filter { keys.contains(offset &+ offsets[$0]) }, offsets)
    let first = known.first ?? childCount
    let leading = groups(children[..<first])
    let end = first < childCount ? offset &+ offsets[first] : keys.upperBound
    if !leading.isEmpty, end > keys.lowerBound {
      holes.append(KeyHole(keys: keys.lowerBound...end - 1, ref: .null, groups: leading))
    }
    for (position, index) in known.enumerated() {
      let next = position + 1 < known.count ? known[position + 1] : childCount
      let (lower, upper) = (
        offset &+ offsets[index], next < childCount ? offset &+ offsets[next] &- 1 : keys.upperBound
      )
      let count = places.count
      walk(children[index], lower...upper, offset: lower, level: level + 1)
      let unknown = groups(children[index + 1..<next])
      guard !unknown.isEmpty else { continue }
      let last = places.count > count ? places.last?.cluster(in: bytes) : nil
      let end = last.map { $0.count > 0 ? UInt64(bitPattern: $0.key(at: $0.count - 1).rawValue) : lower } ?? lower
      guard end < upper else { continue }
      holes.append(KeyHole(keys: end + 1...upper, ref: .null, groups: unknown))
    }
  }

  /// The keys at which children begin, relative to their parent; nil if they cannot be determined.
  private func offsets(_ list: RefOrTagged?, _ depth: RefOrTagged?, _ children: [Ref]) -> [UInt64]? {
    guard let list else { return nil }
    if let ref = list.child {
      guard let node = bytes.wholeNode(ref), node.scheme == .bits, node.count >= children.count else { return nil }
      return children.indices.map { node.uncheckedUnsigned($0) }
    }
    guard let depth, depth.isTagged, ClusterTree.InnerNode.depths.contains(Int(clamping: depth.tagged)) else {
      return nil
    }
    return children.indices.map { UInt64($0) << (8 * depth.tagged) }
  }

  /// The groups below a node, whatever their keys are.
  private mutating func groups(below ref: Ref, level: Int) -> [Ref] {
    guard level <= ClusterTree.maximumDepth, visited.count < Self.mostNodes, visited.insert(ref).inserted,
      let node = try? Node(ref, in: bytes.store)
    else { return [] }
    guard node.isInner else { return RescueCluster(ref, offset: 0, in: bytes) == nil ? [] : [ref] }
    var found: [Ref] = []
    for child in node.clusterChildren where !child.isNull { found += groups(below: child, level: level + 1) }
    return found
  }
}

/// The most of some positions, in their order, at which numbers ascend.
private func ascending(_ positions: [Int], _ numbers: [UInt64]) -> [Int] {
  /// For each length, where such a part ends with the smallest number.
  var ends: [Int] = []
  var previous: [Int: Int] = [:]
  for position in positions {
    let length = firstIndex(in: ends.indices) { numbers[ends[$0]] >= numbers[position] }
    if length < ends.count, numbers[ends[length]] == numbers[position] { continue }
    if length > 0 { previous[position] = ends[length - 1] }
    if length < ends.count { ends[length] = position } else { ends.append(position) }
  }
  var part: [Int] = []
  var next = ends.last
  while let position = next {
    part.append(position)
    next = previous[position]
  }
  return part.reversed()
}

/// A group of objects in a damaged file: unlike `Cluster` it can do without lost leaves.
struct RescueCluster {
  let offset: UInt64
  private let source: Source
  private let other: Node?
  private let keyNode: Node?
  /// Objects.
  let count: Int

  private enum Source {
    case node(Node)
    case run(LeafRun)
  }

  /// A group whose own node is lost.
  init?(_ run: LeafRun, offset: UInt64, in bytes: RescueBytes) {
    if run.keys.isNull {
      keyNode = nil
    } else {
      guard let keys = bytes.wholeNode(run.keys), keys.count == run.count else { return nil }
      keyNode = keys
    }
    (self.offset, source, other, count) = (offset, .run(run), nil, run.count)
  }

  /// - Parameter ignoringCount: takes a group that claims more objects than one can have for an empty one.
  /// - Returns: nil if no such group exists, or its keys are lost.
  init?(_ ref: Ref, offset: UInt64, in bytes: RescueBytes, ignoringCount: Bool = false) {
    guard let node = try? Node(ref, in: bytes.store), node.flags & 0xd8 == 0x40, node.count > 0 else { return nil }
    other = bytes.other.flatMap { try? Node(ref, in: $0) }
    if bytes.other != nil {
      guard let other, other.flags == node.flags, other.count == node.count else { return nil }
      guard other.slot(0).rawValue == node.slot(0).rawValue else { return nil }
    }
    (source, self.offset) = (.node(node), offset)
    let first = node.slot(0)
    if first.isTagged {
      let isPossible = first.tagged <= UInt64(Cluster.mostObjects)
      guard isPossible || ignoringCount else { return nil }
      (keyNode, count) = (nil, isPossible ? Int(first.tagged) : 0)
    } else {
      guard let keys = bytes.wholeNode(first.ref), keys.flags & 0xf8 == 0, keys.count <= Cluster.mostObjects,
        (1..<max(keys.count, 1)).allSatisfy({ keys.uncheckedUnsigned($0 - 1) < keys.uncheckedUnsigned($0) })
      else { return nil }
      (keyNode, count) = (keys, keys.count)
    }
  }

  /// The key in the node, where `0 <= row < count`.
  func relativeKey(at row: Int) -> UInt64 { keyNode?.uncheckedUnsigned(row) ?? UInt64(row) }

  func key(at row: Int) -> ObjectKey { ObjectKey(rawValue: Int64(bitPattern: offset &+ relativeKey(at: row))) }

  /// The row of a key; nil if it is not here.
  func row(of key: ObjectKey) -> Int? {
    let relative = UInt64(bitPattern: key.rawValue) &- offset
    let row = keyNode?.firstIndex(notBelow: relative) ?? Int(clamping: relative)
    return row < count && relativeKey(at: row) == relative ? row : nil
  }

  /// The list of the objects' keys; nil if they have all keys from the offset on.
  var keysRef: Ref? { keyNode?.ref }

  /// Maximum number of leaves.
  var leafCount: Int {
    switch source {
    case .node(let node): max(node.count - 1, 0)
    case .run(let run): run.leaves.count
    }
  }

  /// The root of a column's leaf; nil if it is lost.
  func leafRef(_ leafIndex: Int) -> Ref? {
    let node: Node
    switch source {
    case .node(let known): node = known
    case .run(let run):
      return leafIndex < run.leaves.count && !run.leaves[leafIndex].isNull ? run.leaves[leafIndex] : nil
    }
    guard leafIndex + 1 < node.count, let ref = node.slot(leafIndex + 1).child else { return nil }
    guard other == nil || other?.slot(leafIndex + 1).child == ref else { return nil }
    return ref
  }
}
