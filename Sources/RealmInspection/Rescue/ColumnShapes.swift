import RealmStorage

/// Determines the columns of a table whose description is lost from the leaves of its objects.
///
/// A leaf is recognized by its header and by what all its values have in common (Docs/Format/2-nodes-and-values.md §2).
/// Some types look alike: numbers that are all 0 or 1 are taken for booleans, and links for numbers until
/// `LinkEvidence` finds their other ends.
struct ColumnShapes {
  private let bytes: RescueBytes
  private let table: TableKey
  /// What other parts of the file say about columns, by leaf index.
  private let known: [Int: ColumnKey]
  private let links: Set<Int>
  private let work: RescueWork
  private let clusters: [ClusterPlace]

  /// Maximum number of groups of objects to look at, and of leaves of each column.
  private static let mostClusters = 256
  private static let mostLeaves = 12
  private static let mostCollections = 64
  /// Nodes below a leaf.
  private static let mostNodes = 1 << 14

  /// - Parameters:
  ///   - places: of the objects of the table.
  ///   - known: keys of columns of the table that other parts of the file state.
  ///   - links: leaves that other parts of the file say have links.
  init(
    _ table: TableKey, _ places: [ClusterPlace], known: [ColumnKey], links: Set<Int>, in bytes: RescueBytes,
    _ work: RescueWork
  ) {
    (self.bytes, self.table, self.links, self.work) = (bytes, table, links, work)
    self.known = Dictionary(known.map { ($0.leafIndex, $0) }) { first, _ in first }
    let step = max(1, places.count / Self.mostClusters)
    clusters = stride(from: 0, to: places.count, by: step).map { places[$0] }
  }

  /// The columns with values and those of incoming links, each in the order of their leaves.
  func columns() -> (properties: [ColumnKey], backlinks: [ColumnKey]) {
    var (properties, backlinks): ([ColumnKey], [ColumnKey]) = ([], [])
    let width = clusters.reduce(0) { max($0, cluster($1)?.leafCount ?? 0) }
    for leafIndex in 0..<min(width, ColumnKey.mostLeafIndexes) {
      let keys = known[leafIndex].map { [$0] } ?? keys(at: leafIndex)
      for key in keys {
        if key.typeCode == TypeCode.backlink.rawValue { backlinks.append(key) } else { properties.append(key) }
      }
    }
    return (properties, backlinks)
  }

  private func cluster(_ place: ClusterPlace) -> RescueCluster? {
    bytes.letGoOfPages()
    return place.cluster(in: bytes)
  }

  /// Incoming links look like lists of numbers if no object has exactly one: then a leaf may be either.
  private func keys(at leafIndex: Int) -> [ColumnKey] {
    var shapes = Shape.all.map { (shape: $0, evidence: LeafEvidence()) }
    var seen = 0
    for place in clusters where seen < Self.mostLeaves {
      guard let cluster = cluster(place), cluster.count > 0,
        let leaf = cluster.leafRef(leafIndex).flatMap(bytes.wholeNode), isWhole(leaf),
        work.spend(cluster.count * shapes.count)
      else { continue }
      shapes = shapes.compactMap { shape, evidence in
        var evidence = evidence
        return shape.fits(leaf, cluster.count, in: bytes.store, &evidence) ? (shape, evidence) : nil
      }
      if shapes.isEmpty { return [] }
      seen += 1
    }
    guard seen > 0, let first = shapes.first else { return [] }
    let chosen = first.shape.code == .backlink ? shapes : [first]
    return chosen.compactMap { $0.shape.key(leafIndex, table, $0.evidence, isLink: links.contains(leafIndex)) }
  }

  /// Whether neither the leaf nor anything below it is partly lost.
  private func isWhole(_ leaf: Node) -> Bool {
    guard leaf.hasRefs, leaf.scheme == .bits else { return true }
    let isWhole = try? NodePath.accepts(leaf.ref, in: bytes.store, atMost: Self.mostNodes) { ref in
      work.spend(1) ? bytes.wholeNode(ref) : nil
    }
    return isWhole ?? false
  }

  // MARK: Shapes

  /// What was seen in the leaves of one column apart from their kind, if it is this kind.
  struct LeafEvidence {
    var hasNull = false
    /// The bits of all numbers.
    var bits: UInt64 = 0
    /// What the elements of collections may be, and whether some of them are then null: the same numbers may or may not
    /// be.
    var elements = Shape.elements.map { (shape: $0, hasNull: false) }
    var hasElements = false
    var hasTagged = false
  }

  /// A kind of leaf.
  struct Shape {
    let code: TypeCode
    var isNullable = false
    var collection: CollectionKind?

    /// The more distinctive kinds first.
    static let all: [Shape] = [
      Shape(code: .timestamp), Shape(code: .string), Shape(code: .binary), Shape(code: .mixed, isNullable: true),
      Shape(code: .objectID), Shape(code: .uuid), Shape(code: .double), Shape(code: .float), Shape(code: .decimal),
      Shape(code: .int), Shape(code: .int, isNullable: true), Shape(code: .backlink),
      Shape(code: .mixed, collection: .dictionary), Shape(code: .int, collection: .list),
    ]
    static let elements = all.filter { $0.collection == nil && $0.code != .backlink }

    /// Whether a leaf can be one of this kind.
    func fits(_ leaf: Node, _ count: Int, in store: ByteStore, _ evidence: inout LeafEvidence) -> Bool {
      if collection != nil { return fitsCollections(leaf, count, in: store, &evidence) }
      if code == .backlink { return fitsBacklinks(leaf, count, in: store, &evidence) }
      let element = ElementType(code, isNullable: isNullable)
      guard let values = try? Leaf(leaf.ref, of: element, inCollection: false, in: store), values.count == count else {
        return false
      }
      var (bits, hasNull): (UInt64, Bool) = (0, false)
      for row in 0..<count {
        guard let value = try? values.value(at: row, in: store), isLikely(value, leaf) else { return false }
        switch value {
        case .null: hasNull = true
        case .int(let number): bits |= UInt64(bitPattern: number)
        default: break
        }
      }
      evidence.hasNull = evidence.hasNull || hasNull
      evidence.bits |= bits
      return true
    }

    private static let decimalBias = 6176
    /// Texts up to this length are looked at.
    private static let longestText = 4096

    private func isLikely(_ value: ValueView, _ leaf: Node) -> Bool {
      switch value {
      case .string(let text):
        guard text.count <= Self.longestText else { return true }
        guard let bytes = try? text.copied() else { return false }
        return !bytes.contains(0) && String(utf8: bytes) != nil
      // A decimal of four or eight bytes is close to zero if it is read as a binary number, and a binary number has a
      // large exponent if it is read as a decimal.
      case .decimal(let decimal):
        let exponent = Int((decimal.high >> 49) & 0x3fff) - Self.decimalBias
        return decimal.isCanonical && (leaf.width == 16 || abs(exponent) <= leaf.width * 2)
      case .double(let number): return number.isZero || number.isNaN || number.magnitude > 1e-40
      case .float(let number): return number.isZero || number.isNaN || number.magnitude > 1e-6
      default: return true
      }
    }

    /// Numbers of objects, or lists of them (Docs/Format/3-tables-and-objects.md §5.2).
    private func fitsBacklinks(
      _ leaf: Node, _ count: Int, in store: ByteStore, _ evidence: inout LeafEvidence
    ) -> Bool {
      guard leaf.flags & 0xf8 == 0x40, leaf.count == count else { return false }
      var left = ColumnShapes.mostCollections
      for row in 0..<count {
        let element = leaf.slot(row)
        if element.isTagged { evidence.hasTagged = true }
        guard let ref = element.child, left > 0 else { continue }
        left -= 1
        guard let list = try? Node(ref, in: store), list.isInner || list.flags & 0xf8 == 0 && list.count > 0 else {
          return false
        }
      }
      return true
    }

    /// Roots of trees, of one kind of element.
    private func fitsCollections(
      _ leaf: Node, _ count: Int, in store: ByteStore, _ evidence: inout LeafEvidence
    ) -> Bool {
      guard leaf.flags & 0xf8 == 0x40, leaf.count == count else { return false }
      var left = ColumnShapes.mostCollections
      for row in 0..<count {
        let element = leaf.slot(row)
        guard !element.isTagged else { return false }
        guard let ref = element.child, left > 0 else { continue }
        left -= 1
        guard let root = try? Node(ref, in: store), let values = values(of: root, in: store) else { return false }
        guard !values.isInner, values.count > 0 else { continue }
        evidence.hasElements = true
        evidence.elements = evidence.elements.compactMap { shape, hasNull in
          guard collection != .dictionary || shape.code == .mixed, let size = shape.elementCount(values, in: store),
            size <= Leaf.mostElements
          else { return nil }
          var inner = LeafEvidence()
          return shape.fits(values, size, in: store, &inner) ? (shape, hasNull || inner.hasNull) : nil
        }
        if evidence.elements.isEmpty { return false }
      }
      return true
    }

    private func elementCount(_ values: Node, in store: ByteStore) -> Int? {
      try? Leaf(values.ref, of: ElementType(code, isNullable: isNullable), inCollection: true, in: store).count
    }

    /// The leaf, or root, of a collection's values; nil if it is not such a collection.
    private func values(of root: Node, in store: ByteStore) -> Node? {
      let isPair =
        root.flags & 0xf8 == 0x40 && root.count == 2
        && (0..<2).allSatisfy { root.slot($0).child.map { (try? Node($0, in: store)) != nil } ?? false }
      guard collection == .dictionary else { return root }
      guard isPair, let keys = try? Node(root.slot(0).ref, in: store),
        let values = try? Node(root.slot(1).ref, in: store),
        keys.isInner || (try? StringLeaf(keys, isString: true, in: store)) != nil
      else { return nil }
      return values
    }

    /// The key that a column of this kind would have.
    func key(_ leafIndex: Int, _ table: TableKey, _ evidence: LeafEvidence, isLink: Bool) -> ColumnKey? {
      var (code, isNullable) = (code, self.isNullable || evidence.hasNull)
      var kind: UInt16 = 0
      if let collection {
        guard evidence.hasElements, let element = evidence.elements.first else { return nil }
        code = element.shape.code
        isNullable = element.shape.isNullable || element.hasNull
        kind = collection == .dictionary ? ColumnAttributes.dictionary.rawValue : ColumnAttributes.list.rawValue
      } else if code == .int, evidence.bits == 1, !isLink {
        code = .bool
      }
      // The values of a dictionary name the tables that they link to.
      if isLink, code == .int { (code, isNullable) = (.link, collection == nil) }
      if isLink, code == .mixed, collection == .dictionary { code = .link }
      // A property may be optional even if no value is null.
      if code == .mixed { isNullable = true }
      let attributes = ColumnAttributes(rawValue: kind | (isNullable ? ColumnAttributes.nullable.rawValue : 0))
      return ColumnKey(leafIndex: leafIndex, type: code, attributes: attributes, tag: table.rawValue)
    }
  }
}
