import RealmStorage

/// Walks over the nodes of one table and attributes them.
///
/// What it needs of the table's description it copies first, because pages are let go on the way.
struct TableSpace {
  private let walk: SpaceWalk
  private let base: Int
  private let top: TableTop
  /// By leaf index; nil for a leaf that belongs to no column.
  private var columns: [SurveyedColumn?] = []
  /// Parallel to the properties of the table.
  private(set) var properties: [PropertySpace]
  private var censuses: [TextCensus]
  /// The elements of a leaf whose children are looked at one by one.
  private var rowRefs: [Int64] = []
  /// Pieces of texts and data that may still be added up: many values can lead to the same ones.
  private var pieceBudget: Int

  /// What the values of a leaf are.
  private struct SurveyedColumn {
    enum Kind { case fixed, text, data, mixed, collection, backlinks }
    let kind: Kind
    /// Nil for backlinks.
    let property: Int?
    let owner: SpaceWalk.Owner
    var isEnumerated = false
  }

  /// Counters of a table with so many properties.
  static func counterCount(propertyCount: Int) -> Int {
    SpaceKind.ofTable.count + propertyCount * SpaceKind.ofProperty.count
  }

  /// - Parameter base: the first of the table's counters.
  /// - Returns: nil for a table in rows.
  init?(_ table: Table, _ walk: SpaceWalk, base: Int) {
    guard let top = table.top else { return nil }
    (self.walk, self.base, self.top) = (walk, base, top)
    pieceBudget = walk.store.count / NodeHeader.size
    let name = table.schema.name
    // A table that cannot be counted has damaged nodes, which are named.
    let count = (try? table.objectCount()) ?? 0
    properties = table.columns.map { column in
      PropertySpace(
        table: name, property: column.name, objectCount: count, isPrimaryKey: column.key == top.primaryKey)
    }
    censuses = table.columns.map { _ in TextCensus() }
    let leafCount = (table.columns.map(\.leafIndex) + table.backlinks.map(\.leafIndex)).reduce(0) { max($0, $1 + 1) }
    columns = Array(repeating: nil, count: leafCount)
    for (index, column) in table.columns.enumerated() {
      columns[column.leafIndex] = SurveyedColumn(
        kind: Self.kind(of: column), property: index, owner: Self.owner(of: column, index, base),
        isEnumerated: column.enumeration != nil)
    }
    for column in table.backlinks {
      columns[column.leafIndex] = SurveyedColumn(
        kind: .backlinks, property: nil, owner: SpaceWalk.Owner(Self.counter(.backlinks, base)))
    }
  }

  private static func kind(of column: Column) -> SurveyedColumn.Kind {
    if column.collection != nil { return .collection }
    return switch column.element.code {
    case .string: .text
    case .binary: .data
    case .mixed: .mixed
    default: .fixed
    }
  }

  static func owner(of column: Column, _ property: Int, _ base: Int) -> SpaceWalk.Owner {
    let values = counter(.values, ofProperty: property, base)
    let bytes: SpaceKind? =
      switch kind(of: column) {
      case .text, .mixed: .strings
      case .data: .blobs
      case .fixed, .collection, .backlinks: nil
      }
    return SpaceWalk.Owner(values, bytes: bytes.map { counter($0, ofProperty: property, base) })
  }

  // MARK: Counters

  private static func counter(_ kind: SpaceKind, _ base: Int) -> Int {
    base + (SpaceKind.ofTable.firstIndex(of: kind) ?? 0)
  }

  static func counter(_ kind: SpaceKind, ofProperty property: Int, _ base: Int) -> Int {
    counters(ofProperty: property, base).lowerBound + (SpaceKind.ofProperty.firstIndex(of: kind) ?? 0)
  }

  static func owner(_ kind: SpaceKind, _ base: Int) -> SpaceWalk.Owner { SpaceWalk.Owner(counter(kind, base)) }

  private func owner(_ kind: SpaceKind) -> SpaceWalk.Owner { Self.owner(kind, base) }

  /// The counters of a property in the order of `SpaceKind.ofProperty`.
  static func counters(ofProperty property: Int, _ base: Int) -> Range<Int> {
    let first = base + SpaceKind.ofTable.count + property * SpaceKind.ofProperty.count
    return first..<first + SpaceKind.ofProperty.count
  }

  // MARK: Everything

  /// Counts all nodes of the table.
  mutating func run() {
    let indexes = indexRefs()
    let rest = descriptionRefs()
    _ = walk.refs(top.ref, owner(.description))
    countEnumerations()
    for ref in rest { walk.tree(ref, owner(.description)) }
    for (ref, leafIndex) in indexes {
      let property = leafIndex < columns.count ? columns[leafIndex]?.property : nil
      walk.tree(
        ref, property.map { SpaceWalk.Owner(Self.counter(.index, ofProperty: $0, base)) } ?? owner(.description))
    }
    cluster(top.clusters, offset: 0, depth: 0)
    if !top.tombstones.isNull { walk.tree(top.tombstones, owner(.tombstones)) }
    for property in properties.indices {
      properties[property].take(walk.counters[Self.counters(ofProperty: property, base)])
      properties[property].repetition = censuses[property].repetition
    }
  }

  /// The roots of the search indexes with their leaf indexes. The node that contains them is part of the description.
  private func indexRefs() -> [(Ref, Int)] {
    guard let node = walk.refs(top.indexes.ref, owner(.description)) else { return [] }
    return (0..<node.count).compactMap { index in node.slot(index).child.map { ($0, index) } }
  }

  /// What else the root of the table leads to, excluding objects: the columns' description and lists of numbers.
  private func descriptionRefs() -> [Ref] {
    let slots: [TableTopSlot] = [.oldColumns, .oppositeTables, .oppositeColumns, .collisionMap]
    let raw = try? RawTableTop(top.ref, in: walk.store)
    let columns: [SpecSlot] = [.types, .names, .attributes, .vacant, .keys]
    let spec = walk.refs(top.spec, owner(.description)) == nil ? nil : try? RawSpec(top.spec, in: walk.store)
    return slots.compactMap { raw?[$0].child } + columns.compactMap { spec?[$0].child }
  }

  /// The lists of distinct texts belong to their properties.
  private func countEnumerations() {
    guard let spec = try? RawSpec(top.spec, in: walk.store), let ref = spec[.enumerations].child,
      let lists = walk.refs(ref, owner(.description))
    else { return }
    let refs = (0..<min(lists.count, properties.count)).map { lists.slot($0).child }
    for (property, ref) in refs.enumerated() {
      guard let ref else { continue }
      walk.tree(
        ref,
        SpaceWalk.Owner(
          Self.counter(.values, ofProperty: property, base),
          bytes: Self.counter(.strings, ofProperty: property, base)))
    }
  }

  // MARK: Objects

  private mutating func cluster(_ ref: Ref, offset: UInt64, depth: Int) {
    let owner = owner(.objects)
    guard let node = walk.refs(ref, owner) else { return }
    if let keys = node.slot(0).child { _ = walk.header(keys, self.owner(.objectKeys)) }
    guard node.isInner else { return leaves(of: ref, offset: offset) }
    guard depth < ClusterTree.maximumDepth else { return walk.note(.corrupted(ref, .tooDeep), owner.place) }
    // The node is looked up again for each child: pages may have been let go below it.
    var index = 0
    while true {
      let child: (ref: Ref, offset: UInt64)
      do {
        let inner = try ClusterTree.InnerNode(Node(ref, in: walk.store), in: walk.store)
        guard index < inner.childCount else { return }
        child = (try inner.childRef(index), offset &+ inner.childOffset(index))
      } catch {
        if let error = error as? StorageError { walk.note(error, owner.place) }
        return
      }
      cluster(child.ref, offset: child.offset, depth: depth + 1)
      index += 1
    }
  }

  /// Counts the leaves of a cluster, column by column.
  private mutating func leaves(of cluster: Ref, offset: UInt64) {
    if walk.store.holdsTooManyPages { walk.store.releasePages() }
    var leafIndex = 0
    while true {
      guard let node = try? Node(cluster, in: walk.store), leafIndex + 1 < node.count else { return }
      let child = node.slot(leafIndex + 1).child
      defer { leafIndex += 1 }
      guard let child else { continue }
      guard leafIndex < columns.count, let column = columns[leafIndex] else {
        walk.tree(child, owner(.objects))
        continue
      }
      leaf(child, of: column, Place(cluster: cluster, offset: offset))
    }
  }

  /// Where objects are, to find the key of one.
  private struct Place {
    let cluster: Ref
    let offset: UInt64

    func key(at row: Int, in store: ByteStore) -> ObjectKey? {
      guard let cluster = try? Cluster(Node(cluster, in: store), offset: offset, in: store), row < cluster.count else {
        return nil
      }
      return cluster.key(at: row)
    }
  }

  private mutating func leaf(_ ref: Ref, of column: SurveyedColumn, _ place: Place) {
    switch column.kind {
    case .fixed, .backlinks: walk.tree(ref, column.owner)
    case .collection: collections(ref, of: column, place)
    case .text, .data:
      // What was counted before was looked at before.
      if walk.tree(ref, column.owner) > 0, !column.isEnumerated { texts(ref, of: column, place) }
    case .mixed: mixed(ref, of: column, place)
    }
  }

  // MARK: Values

  /// Remembers the largest value of a property.
  private mutating func note(_ byteCount: UInt64, atRow row: Int, of property: Int, _ place: Place) {
    guard byteCount > properties[property].largest?.byteCount ?? 0, let key = place.key(at: row, in: walk.store) else {
      return
    }
    properties[property].largest = LargestValue(byteCount: byteCount, object: key)
  }

  /// - Returns: the elements of a leaf with a child per object; nil if there are more than a cluster has.
  private mutating func readRows(of node: Node) -> Bool {
    guard node.count <= Cluster.mostObjects else { return false }
    rowRefs.removeAll(keepingCapacity: true)
    node.appendElements(to: &rowRefs)
    return true
  }

  private mutating func collections(_ ref: Ref, of column: SurveyedColumn, _ place: Place) {
    guard let property = column.property else { return }
    let owner = SpaceWalk.Owner(Self.counter(.collections, ofProperty: property, base))
    guard let node = walk.refs(ref, column.owner) else { return }
    guard readRows(of: node) else { return countChildren(of: ref, owner) }
    var (largest, row) = (UInt64(0), 0)
    for index in rowRefs.indices {
      guard let child = RefOrTagged(rowRefs[index]).child else { continue }
      let bytes = walk.tree(child, owner)
      if bytes > largest { (largest, row) = (bytes, index) }
    }
    if largest > 0 { note(largest, atRow: row, of: property, place) }
  }

  /// Counts what a node leads to that has more elements than a sound one.
  private func countChildren(of ref: Ref, _ owner: SpaceWalk.Owner) {
    var index = 0
    while let node = try? Node(ref, in: walk.store), index < node.count {
      if let child = node.slot(index).child { walk.tree(child, owner) }
      index += 1
    }
  }

  /// Looks at the lengths of texts and data; what cannot be read is named when its node is counted, or is not a matter of
  /// space.
  private mutating func texts(_ ref: Ref, of column: SurveyedColumn, _ place: Place) {
    let isText = column.kind == .text
    guard let property = column.property,
      let lengths = TextLengths(ref, isText: isText, in: walk.store)
    else { return }
    var (largest, row) = (properties[property].largest?.byteCount ?? 0, -1)
    // A census in an array would be copied for each text.
    var census = TextCensus()
    if isText { swap(&census, &censuses[property]) }
    for index in 0..<min(lengths.count, Cluster.mostObjects) {
      guard let length = lengths.length(at: index, pieces: &pieceBudget) else { continue }
      if length > largest { (largest, row) = (length, index) }
      if isText, !census.isOver {
        if let bytes = lengths.bytes(at: index, atMost: TextCensus.longestText) {
          census.add(bytes)
        } else {
          census.giveUp()
        }
      }
    }
    if isText { swap(&census, &censuses[property]) }
    if row >= 0 { note(largest, atRow: row, of: property, place) }
  }

  /// Values of a Mixed leaf; what is nested in them are collections.
  private mutating func mixed(_ ref: Ref, of column: SurveyedColumn, _ place: Place) {
    guard let property = column.property, let node = walk.refs(ref, column.owner) else { return }
    let children = (0..<min(node.count, MixedLeaf.mostSlots)).map { node.slot($0).child }
    func child(_ slot: Int) -> Ref? { slot < children.count ? children[slot] : nil }
    let nested = child(MixedLeaf.collectionSlot)
    var sizes: [UInt64] = []
    if let nested, let refs = walk.refs(nested, column.owner) {
      let owner = SpaceWalk.Owner(Self.counter(.collections, ofProperty: property, base))
      if readRows(of: refs) {
        sizes = rowRefs.map { element in RefOrTagged(element).child.map { walk.tree($0, owner) } ?? 0 }
      } else {
        countChildren(of: nested, owner)
      }
    }
    for child in children where child != nested { child.map { _ = walk.tree($0, column.owner) } }
    guard let composite = child(0).flatMap({ try? Node($0, in: walk.store) }), composite.has(.integers) else { return }
    let texts = child(MixedLeaf.stringSlot).flatMap { TextLengths($0, isText: true, in: walk.store) }
    var (largest, row) = (properties[property].largest?.byteCount ?? 0, -1)
    for index in 0..<min(composite.count, Cluster.mostObjects) {
      let element = MixedElement(composite.uncheckedInt(index))
      guard !element.isNull, let payload = Int(exactly: element.payload), payload >= 0 else { continue }
      let bytes: UInt64
      switch element.type {
      case .string, .binary: bytes = texts?.length(at: payload, pieces: &pieceBudget) ?? 0
      case .list, .dictionary: bytes = payload < sizes.count ? sizes[payload] : 0
      default: continue
      }
      if bytes > largest { (largest, row) = (bytes, index) }
    }
    if row >= 0 { note(largest, atRow: row, of: property, place) }
  }
}
