/// The values of one column for the objects of one cluster, or a run of a collection's elements
/// (Docs/Format/2-nodes-and-values.md §2).
///
/// A leaf is checked when it is made; each value is read in place when asked for, in constant time.
package struct Leaf: Sendable {
  enum Encoding: Sendable {
    case ints(Node)
    case nullableInts(NullableIntLeaf)
    case bools(Node)
    case floats(Node)
    case doubles(Node)
    case strings(StringLeaf)
    case binaries(StringLeaf)
    case dates(TimestampLeaf)
    case objectIDs(FixedBytesLeaf)
    case uuids(FixedBytesLeaf)
    case decimals(DecimalLeaf)
    case mixed(MixedLeaf)
    /// Object key + 1, 0 for null: single links.
    case links(Node, TableKey)
    /// Object keys as they are: elements of lists and sets.
    case keys(Node, TableKey)
    /// Roots of collections.
    case collections(Node, CollectionKind, ElementType)
    /// Encodings that only formats 2–9 have.
    case legacy(LegacyLeaf)
  }

  /// The most elements in a leaf of a collection: fixed in the engine (Docs/Format/2-nodes-and-values.md §4.3).
  package static let mostElements = 1000

  private let encoding: Encoding
  /// For what searches a leaf as a whole.
  var searchable: Encoding { encoding }
  package let count: Int
  /// Bytes that a visit costs: those of the leaf's own nodes, and some more if it has more elements than undamaged
  /// leaves do, because elements of width 0 take no room.
  let footprint: Int

  /// A leaf of single values, or (`inCollection`) of a collection's elements.
  ///
  /// - Throws: `StorageError.corrupted` where header and type contradict each other.
  package init(
    _ ref: Ref, of element: ElementType, enumeration: StringEnumeration? = nil, inCollection: Bool,
    in store: ByteStore
  ) throws {
    try self.init(
      Node(ref, in: store), of: element, enumeration: enumeration, inCollection: inCollection, in: store)
  }

  /// The same of a node that was read already.
  init(
    _ node: Node, of element: ElementType, enumeration: StringEnumeration? = nil, inCollection: Bool,
    in store: borrowing ByteStore
  ) throws {
    switch element.code {
    case .int where element.isNullable:
      let leaf = try NullableIntLeaf(node)
      self.init(.nullableInts(leaf), leaf.count, node)
    case .int: self.init(.ints(try node.requiring("a leaf of integers")), node.count, node)
    case .bool: self.init(.bools(try node.requiring("a leaf of booleans")), node.count, node)
    case .float: self.init(.floats(try node.requiringReals(size: 4)), node.count, node)
    case .double: self.init(.doubles(try node.requiringReals(size: 8)), node.count, node)
    case .string:
      let leaf = try StringLeaf(node, isString: true, enumeration: enumeration, in: store)
      self.init(.strings(leaf), leaf.count, node)
    case .binary:
      let leaf = try StringLeaf(node, isString: false, in: store)
      self.init(.binaries(leaf), leaf.count, node)
    case .timestamp:
      let leaf = try TimestampLeaf(node, in: store)
      self.init(.dates(leaf), leaf.count, node)
    case .objectID:
      let leaf = try FixedBytesLeaf(node, valueSize: 12)
      self.init(.objectIDs(leaf), leaf.count, node)
    case .uuid:
      let leaf = try FixedBytesLeaf(node, valueSize: 16)
      self.init(.uuids(leaf), leaf.count, node)
    case .decimal: self.init(.decimals(try DecimalLeaf(node)), node.count, node)
    case .mixed:
      let leaf = try MixedLeaf(node, in: store)
      self.init(.mixed(leaf), leaf.count, node, extraBytes: leaf.compositeSize)
    case .link, .linkList:
      let keys = try node.requiring("a leaf of links")
      self.init(inCollection ? .keys(keys, element.target) : .links(keys, element.target), node.count, node)
    case .backlink, .typedLink, .list, .dictionary:
      throw StorageError.corrupted(node.ref, .unknownType(element.code.rawValue))
    }
  }

  /// The cluster leaf of a collection column: one root per object.
  package init(_ ref: Ref, of collection: CollectionKind, _ element: ElementType, in store: ByteStore) throws {
    let node = try Node(ref, in: store)
    try node.requireRefs("a leaf of collections")
    self.init(.collections(node, collection, element), node.count, node)
  }

  init(_ encoding: Encoding, _ count: Int, _ node: Node, extraBytes: Int = 0) {
    self.encoding = encoding
    self.count = count
    footprint = Self.footprint(of: node, count: count) + extraBytes
  }

  /// Bytes that a visit to a leaf of one node costs.
  @inline(__always)
  static func footprint(of node: Node, count: Int) -> Int {
    node.byteSize + (count > Self.mostElements ? count : 0)
  }

  /// Whether one long value may be in many places of a damaged leaf. In an enumerated column, this is normal.
  var canShareLongValues: Bool {
    switch encoding {
    case .strings(.big), .binaries(.big), .mixed: true
    case .legacy(let leaf): leaf.canShareLongValues
    default: false
    }
  }

  /// Value `index`.
  ///
  /// - Parameter showsTombstones: links to tombstones keep their unresolved key; otherwise they read as null
  ///   (Docs/Format/3-tables-and-objects.md §4.7).
  /// - Throws: `StorageError.corrupted` if the value cannot be read.
  package func value(at index: Int, in store: ByteStore, showsTombstones: Bool = false) throws -> ValueView {
    try withReader(in: store, showsTombstones: showsTombstones) { read in try read(index) }
  }

  /// Reads values from `start` on into `values`, with null for those that cannot be read.
  ///
  /// - Parameter start: not after the end of the leaf.
  package func decode(
    from start: Int = 0, into values: UnsafeMutableBufferPointer<ValueView>, in store: ByteStore,
    damaged: (_ row: Int, _ error: StorageError) -> Void
  ) {
    withReader(in: store, showsTombstones: false) { read in
      for row in 0..<min(count - start, values.count) {
        do { values[row] = try read(start + row) } catch {
          values[row] = .null
          if let error = error as? StorageError { damaged(row, error) }
        }
      }
    }
  }

  /// Calls `visit` with all values in order.
  ///
  /// - Parameters:
  ///   - showsTombstones: links to tombstones keep their unresolved keys; otherwise they are left out of lists and
  ///     sets of links, and are null elsewhere.
  ///   - budget: the account for long values, if they can be in many places; `root` is the place that its errors
  ///     name.
  ///   - damaged: called for each value that cannot be read; the others follow.
  func forEach(
    in store: ByteStore, showsTombstones: Bool, budget: WalkBudget?, at root: Ref,
    damaged: (StorageError) throws -> Void, visit: (ValueView) throws -> Void
  ) throws {
    let hidesNulls = if case .keys = encoding { !showsTombstones } else { false }
    try withReader(in: store, showsTombstones: showsTombstones) { read in
      for index in 0..<count {
        let value: ValueView
        do {
          value = try read(index)
          try budget?.spend(onValue: value, at: root)
        } catch let error as StorageError {
          try damaged(error)
          continue
        }
        if hidesNulls, case .null = value { continue }
        try visit(value)
      }
    }
  }

  /// Calls `body` with a reader of values for the encoding, which is determined once for everything that `body` reads.
  @inline(__always)
  private func withReader<Result>(
    in store: ByteStore, showsTombstones: Bool, _ body: ((Int) throws -> ValueView) throws -> Result
  ) rethrows -> Result {
    switch encoding {
    case .ints(let node): try body { .int(try node.int($0)) }
    case .nullableInts(let leaf): try body { try leaf.value(at: $0).map(ValueView.int) ?? .null }
    case .bools(let node): try body { Self.bool(try node.int($0)) }
    case .floats(let node): try body { try node.float(at: $0) }
    case .doubles(let node): try body { try node.double(at: $0) }
    case .strings(.short(let node)):
      try body { try StringLeaf.short(node, $0).map { .string(BlobView($0)) } ?? .null }
    case .strings(.small(let blobs)):
      try body { try blobs.value(at: $0, isString: true).map { .string(BlobView($0)) } ?? .null }
    case .strings(.big(let node)):
      try body { try StringLeaf.big(node, $0, isString: true, in: store).map(ValueView.string) ?? .null }
    case .strings(let leaf):
      try body { try leaf.value(at: $0, isString: true, in: store).map(ValueView.string) ?? .null }
    case .binaries(let leaf):
      try body { try leaf.value(at: $0, isString: false, in: store).map(ValueView.data) ?? .null }
    case .dates(let leaf): try body { try leaf.value(at: $0).map(ValueView.date) ?? .null }
    case .objectIDs(let leaf): try body { try leaf.objectID(at: $0).map(ValueView.objectID) ?? .null }
    case .uuids(let leaf): try body { try leaf.uuid(at: $0).map(ValueView.uuid) ?? .null }
    case .decimals(let leaf): try body { try leaf.value(at: $0).map(ValueView.decimal) ?? .null }
    case .mixed(let leaf): try body { try leaf.value(at: $0, in: store, showsTombstones: showsTombstones) }
    case .links(let node, let target):
      try body { Self.link(try node.int($0) &- 1, target, showsTombstones) }
    case .keys(let node, let target): try body { Self.link(try node.int($0), target, showsTombstones) }
    case .collections(let node, let kind, let element):
      try body { Self.collection(try node.childRef($0), kind, element) }
    case .legacy(let leaf): try body { try leaf.value(at: $0, in: store) }
    }
  }

  /// Whether element `index` of a list or set of links points to a tombstone; such elements are hidden.
  func isUnresolvedLink(at index: Int) throws -> Bool {
    guard case .keys(let node, _) = encoding else { return false }
    return try node.int(index) < 0
  }

  // MARK: Encodings of one line

  @inline(__always)
  private static func bool(_ stored: Int64) -> ValueView {
    // 0 is false, 3 is null (§2.3); the engine takes any other number for true.
    stored == 3 ? .null : .bool(stored != 0)
  }

  @inline(__always)
  static func link(_ key: Int64, _ target: TableKey, _ showsTombstones: Bool) -> ValueView {
    let key = ObjectKey(rawValue: key)
    return key.rawValue >= 0 || (showsTombstones && key.isUnresolved) ? .link(target, key) : .null
  }

  static func collection(_ root: Ref, _ kind: CollectionKind, _ element: ElementType) -> ValueView {
    switch kind {
    case .list: .list(ListView(root: root, element: element))
    case .set: .set(ListView(root: root, element: element))
    case .dictionary:
      .dictionary(DictionaryView(root: root, linkTarget: element.code == .link ? element.target : nil))
    }
  }
}

extension Node {
  /// This node, if it contains integers.
  func requiring(_ expected: @autoclosure () -> String) throws -> Node {
    guard flags & 0x58 == 0 else { throw StorageError.corrupted(ref, .unexpectedNodeKind(expected: expected())) }
    return self
  }
}
