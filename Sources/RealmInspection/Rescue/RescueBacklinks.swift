import RealmStorage

/// The links of a column according to their targets, for links that are lost themselves.
///
/// Every link is stored at both ends (Docs/Format/3-tables-and-objects.md §5).
struct RescueBacklinks {
  /// The targets by the key of the object that links to them; an object that links twice has the target twice.
  private(set) var targets: [Int64: [Int64]] = [:]
  /// Whether all targets could be read: an object that is not among the origins then has no link.
  private(set) var isComplete: Bool
  /// Whether a leaf could not be read.
  private(set) var lacksLeaves = false
  /// Targets of which the element cannot be read, with the list that it leads to; null if it leads to none.
  private(set) var unread: [Int64: Ref] = [:]

  private static let (mostLinks, fewestListed) = (1 << 26, 2)
  private let table: RescuedTable
  private let bytes: RescueBytes
  private let leafIndex: Int

  /// - Parameters:
  ///   - target: the table that the links point to.
  ///   - leafIndex: of its column of incoming links.
  init(_ target: RescuedTable, leafIndex: Int, in bytes: RescueBytes, _ space: RescueSpace) {
    (table, self.bytes, self.leafIndex) = (target, bytes, leafIndex)
    isComplete = !target.hasHoles && target.places.allSatisfy { $0.confidence <= .found }
    var count = 0
    for place in target.places where place.confidence <= .found {
      guard let cluster = place.cluster(in: bytes), let ref = cluster.leafRef(leafIndex),
        !space.sharedLeaves.contains(ref), let leaf = Self.leaf(ref, cluster, in: bytes.store)
      else {
        (isComplete, lacksLeaves) = (false, true)
        continue
      }
      let other = bytes.other.flatMap { Self.leaf(ref, cluster, in: $0) }
      guard bytes.other == nil || other != nil else {
        (isComplete, lacksLeaves) = (false, true)
        continue
      }
      for row in 0..<cluster.count {
        let element = leaf.slot(row)
        guard other == nil || other?.slot(row).rawValue == element.rawValue, count < Self.mostLinks,
          let origins = Self.origins(element, in: bytes)
        else {
          isComplete = false
          let list = element.child.flatMap { bytes.isNode(at: $0) ? $0 : nil }
          unread[cluster.key(at: row).rawValue] = list ?? .null
          continue
        }
        count += origins.count
        for origin in origins { targets[origin, default: []].append(cluster.key(at: row).rawValue) }
      }
      bytes.letGoOfPages()
    }
  }

  /// What a target has of its incoming links.
  struct Element {
    /// The leaf.
    let group: Ref
    let row: Int
    /// Bits of an element of the leaf.
    let width: Int
    let form: Form

    enum Form: Equatable {
      case none
      case single
      /// With the node at the root.
      case list(Ref)
      /// The element leads to no node, or to another object's list.
      case lost
      /// The list cannot be read.
      case lostList
    }
  }

  /// The element of a target; nil if its leaf is lost.
  func element(of target: Int64, in bytes: RescueBytes, _ space: RescueSpace) -> Element? {
    element(of: target, leafIndex: leafIndex, in: bytes, space)
  }

  private func element(
    of target: Int64, leafIndex: Int, in bytes: RescueBytes, _ space: RescueSpace
  ) -> Element? {
    guard let (cluster, row) = table.find(ObjectKey(rawValue: target), in: bytes), let ref = cluster.leafRef(leafIndex),
      !space.sharedLeaves.contains(ref), let leaf = Self.leaf(ref, cluster, in: bytes.store), bytes.isWhole(leaf)
    else { return nil }
    let element = leaf.slot(row)
    func form() -> Element.Form {
      guard !element.isTagged else { return .single }
      guard let list = element.child else { return .none }
      guard !space.sharedCollections.contains(list), bytes.isNode(at: list) else { return .lost }
      return Self.origins(element, in: bytes) == nil ? .lostList : .list(list)
    }
    return Element(group: ref, row: row, width: leaf.width, form: form())
  }

  /// Whether a target exists, as far as that is known.
  func hasTarget(_ target: Int64) -> Bool {
    table.hasHoles || table.find(ObjectKey(rawValue: target), in: bytes) != nil
  }

  /// Whether a target is an embedded object that no parent is known of: it has one, so what it knows is lost.
  func lacksParent(_ target: Int64, in bytes: RescueBytes, _ space: RescueSpace) -> Bool {
    table.schema.kind == .embedded
      && table.backlinks.allSatisfy {
        element(of: target, leafIndex: $0.leafIndex, in: bytes, space)?.form == Element.Form.none
      }
  }

  /// The leaf of a group; nil if it is not one of incoming links.
  static func leaf(_ ref: Ref, _ cluster: RescueCluster, in store: ByteStore) -> Node? {
    guard let node = try? Node(ref, in: store), node.flags & 0xf8 == 0x40, node.count == cluster.count else {
      return nil
    }
    return node
  }

  /// The objects that link to one; nil if that is lost, as a list is with fewer of them than make one.
  private static func origins(_ element: RefOrTagged, in bytes: RescueBytes) -> [Int64]? {
    if element.isTagged { return [Int64(bitPattern: element.tagged)] }
    guard let ref = element.child else { return [] }
    func keys(in store: ByteStore) -> [Int64]? {
      var keys: [Int64] = []
      let tree = BPlusTree(root: ref, element: .objectKey)
      guard let count = try? tree.count(in: store), count <= mostLinks else { return nil }
      do { try tree.forEachKey(in: store, budget: .bytes(of: store)) { keys.append($0) } } catch { return nil }
      return keys.count == count ? keys : nil
    }
    let found = keys(in: bytes.store).flatMap { $0.count < fewestListed ? nil : $0 }
    guard let other = bytes.other else { return found }
    return found == keys(in: other) ? found : nil
  }
}

/// The backlinks of the columns whose links are lost, read on demand.
final class RescueBacklinkCache {
  private let bytes: RescueBytes
  private var tables: [TableKey: RescuedTable] = [:]
  private var known: [ColumnKey: RescueBacklinks] = [:]
  private var disputes: [ColumnKey: LinkDisputes] = [:]
  private let space: RescueSpace
  private var orders: ListOrders?

  init(_ bytes: RescueBytes, _ space: RescueSpace) { (self.bytes, self.space) = (bytes, space) }

  /// Takes the tables, whose objects were all placed.
  func setTables(_ tables: [RescuedTable]) {
    self.tables = Dictionary(tables.map { ($0.key, $0) }) { first, _ in first }
  }

  /// The other end of a link column; nil if that is not known.
  func backlinks(of column: Column, in table: RescuedTable) -> RescueBacklinks? {
    guard column.element.code == .link, let target = tables[column.element.target],
      let partner = table.partners[column.leafIndex], target.backlinks.contains(where: { $0.key == partner })
    else { return nil }
    if let found = known[column.key] { return found }
    let backlinks = RescueBacklinks(target, leafIndex: partner.leafIndex, in: bytes, space)
    known[column.key] = backlinks
    return backlinks
  }

  private func dispute(over column: Column, in table: RescuedTable, _ reader: RescueReader) -> LinkDisputes? {
    if let dispute = disputes[column.key] { return dispute }
    guard column.collection != .dictionary, let backlinks = backlinks(of: column, in: table) else { return nil }
    let dispute = LinkDisputes(column, table, backlinks, reader)
    disputes[column.key] = dispute
    return dispute
  }

  /// Whether the links of an object are right although a target contradicts them; nil if what the targets know is lost.
  func isTrusted(_ column: Column, in table: RescuedTable, _ key: ObjectKey, _ reader: RescueReader) -> Bool? {
    dispute(over: column, in: table, reader)?.trusts(key)
  }

  /// Whether it cannot be told if the links of a column are right, because what their targets know of them is damaged.
  ///
  /// - Parameter isAlone: whether nothing else is damaged in the file.
  func leavesOpen(_ column: Column, in table: RescuedTable, isAlone: Bool, _ reader: RescueReader) -> Bool {
    guard let dispute = dispute(over: column, in: table, reader) else { return !isAlone }
    return dispute.hasGarbage || !isAlone && backlinks(of: column, in: table)?.lacksLeaves ?? true
  }

  /// Whether the targets of a link, or of a list or set of links, contradict the links.
  func contradicts(
    _ value: Value, of column: Column, in table: RescuedTable, _ key: ObjectKey, _ reader: RescueReader
  ) -> Bool {
    guard column.collection != .dictionary, let backlinks = backlinks(of: column, in: table) else { return false }
    let links = value.plainLinks
    let known = backlinks.targets[key.rawValue] ?? []
    // If some targets are lost, the others may still name this object in vain.
    let differs =
      backlinks.isComplete
      ? links.count != known.count || links.sorted() != known.sorted() : !Set(known).isSubset(of: links)
    return differs && isTrusted(column, in: table, key, reader) == false
  }

  /// Whether the targets know of exactly the links that a value has.
  func confirms(_ value: Value, of column: Column, in table: RescuedTable, _ key: ObjectKey) -> Bool {
    guard column.collection != .dictionary, let backlinks = backlinks(of: column, in: table) else { return false }
    let known = backlinks.targets[key.rawValue] ?? []
    return (backlinks.isComplete || column.collection == nil && !known.isEmpty)
      && known.sorted() == value.plainLinks.sorted()
  }

  /// The value of an object whose links are wrong and whose targets are right; nil if they do not say all of it.
  func settledValue(
    of column: Column, in table: RescuedTable, _ key: ObjectKey, _ reader: RescueReader
  ) -> (value: Value, confidence: RescueConfidence)? {
    guard dispute(over: column, in: table, reader)?.isSettled(key) ?? false else { return nil }
    return value(of: column, in: table, key)
  }

  /// The value of a link property, or of a list or set of links, according to its targets.
  ///
  /// - Returns: nil if they do not say all of it.
  func value(of column: Column, in table: RescuedTable, _ key: ObjectKey) -> (
    value: Value, confidence: RescueConfidence
  )? {
    guard column.collection != .dictionary, let backlinks = backlinks(of: column, in: table) else { return nil }
    let keys = backlinks.targets[key.rawValue] ?? []
    if column.collection == .list { return list(of: keys, column, backlinks) }
    return single(keys, column, backlinks).map { ($0, .found) }
  }

  /// Targets do not know the order of a list.
  private func list(
    of keys: [Int64], _ column: Column, _ backlinks: RescueBacklinks
  ) -> (value: Value, confidence: RescueConfidence)? {
    func list(_ keys: [Int64], _ confidence: RescueConfidence) -> (value: Value, confidence: RescueConfidence) {
      (.list(keys.map { .link(column.element.target, ObjectKey(rawValue: $0)) }), confidence)
    }
    if Set(keys).count <= 1 { return backlinks.isComplete ? list(keys, .found) : nil }
    let orders = orders ?? ListOrders(bytes, space)
    self.orders = orders
    // Nothing shows how old it is.
    return orders.list(of: keys.sorted()).map { list($0, .earlier) }
  }

  private func single(_ keys: [Int64], _ column: Column, _ backlinks: RescueBacklinks) -> Value? {
    let links = Set(keys).sorted().map { Value.link(column.element.target, ObjectKey(rawValue: $0)) }
    guard links.count == keys.count else { return nil }
    if column.collection == .set { return backlinks.isComplete ? .set(links) : nil }
    switch links.count {
    case 0: return backlinks.isComplete ? .null : nil
    case 1: return links[0]
    default: return nil
    }
  }
}
