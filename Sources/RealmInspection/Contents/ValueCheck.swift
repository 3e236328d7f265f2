import RealmStorage

/// Checks the values of all columns: leaves, and the collections they refer to (Docs/Format/2-nodes-and-values.md §2–5,
/// §9).
///
/// A node that cannot be read at all was reported by the walk over nodes; here it is skipped.
final class ValueCheck {
  let context: CheckContext
  let store: ByteStore
  var spot = Spot()
  /// Position of the first element of the current leaf in its collection.
  var base = 0
  /// Levels of collections inside mixed values that are being checked.
  var nesting = 0
  /// Which payload entries of a mixed leaf were used, per payload node.
  var payloadUse = MixedPayloadUse()

  init(_ context: CheckContext) {
    self.context = context
    store = context.store
  }

  // MARK: Tables

  /// All values of some of a table's objects or tombstones; with the first objects, what their texts are counted in.
  ///
  /// - Parameter progress: called after each cluster.
  func check(_ run: ClusterRun, progress: () -> Void) {
    let table = run.table
    spot = Spot(part: run.part, table: table.name)
    if run.isFirst, run.part == .objects {
      for column in table.columns where !column.enumeration.isNull { checkEnumeration(column) }
    }
    for entry in run.entries {
      check(entry, table)
      progress()
    }
    if run.isLast, let entry = run.directory.emptyCluster { check(entry, table) }
    spot = Spot()
  }

  /// The values of one cluster.
  private func check(_ entry: ObjectDirectory.Entry, _ table: CheckedTable) {
    context.letGoOfPages()
    spot.cluster = entry
    for column in table.columns {
      spot.column = .property(column.name)
      guard let leaf = leaf(entry, column.leafIndex) else { continue }
      let isPossible = leaf.count <= CheckContext.mostElements
      requireRows(isPossible ? checkLeaf(leaf, column) : leaf.count, entry, leaf)
    }
    for column in table.backlinks {
      spot.column = column.name
      guard let leaf = leaf(entry, column.leafIndex) else { continue }
      guard leaf.has(.refs) else {
        report(.leafKind, leaf.ref, .text("a leaf of backlinks"))
        continue
      }
      requireRows(leaf.count, entry, leaf)
    }
  }

  private func leaf(_ entry: ObjectDirectory.Entry, _ leafIndex: Int) -> Node? {
    guard let ref = entry.leafRef(leafIndex, in: store), context.visit(ref), let leaf = try? Node(ref, in: store),
      leaf.count > CheckContext.mostElements || context.spend(elements: leaf.count, at: ref)
    else { return nil }
    return leaf
  }

  /// All leaves of a cluster have one element per object (§9 check 4).
  private func requireRows(_ count: Int?, _ entry: ObjectDirectory.Entry, _ leaf: Node) {
    guard let count, count != entry.count else { return }
    report(.clusterRows, leaf.ref, .counts(entry.count, found: count))
  }

  private func checkLeaf(_ leaf: Node, _ column: CheckedColumn) -> Int? {
    guard let collection = column.collection else {
      return checkLeaf(
        leaf, column.element, inCollection: false,
        enumeration: column.enumeration.isNull ? nil : column.enumeration)
    }
    guard leaf.has(.refs) else { return fail(.leafKind, leaf.ref, .text("a leaf of collections")) }
    for row in 0..<leaf.count {
      let element = leaf.slot(row)
      context.prefetchChild(of: leaf, ahead: row)
      if element.isTagged { report(.nodeKind, leaf.ref, .text("a collection"), element: row) }
      guard let root = element.child else { continue }
      spot.row = row
      checkCollection(root, collection, column.element)
    }
    spot.row = nil
    return leaf.count
  }

  // MARK: Leaves

  /// A leaf of single values, or of the elements of a collection.
  ///
  /// - Returns: its logical length; nil if the node is not of the right kind.
  func checkLeaf(_ leaf: Node, _ element: ElementType, inCollection: Bool, enumeration: Ref? = nil) -> Int? {
    switch element.code {
    case .int where element.isNullable: checkNullableInts(leaf)
    case .int: require(leaf, .integers, "a leaf of integers") ? leaf.count : nil
    case .bool: checkBools(leaf, element.isNullable)
    case .float: checkReals(leaf, UInt32.self, null: 0x7fc0_00aa, element.isNullable)
    case .double: checkReals(leaf, UInt64.self, null: 0x7ff8_0000_0000_00aa, element.isNullable)
    case .string: checkTexts(leaf, isString: true, element.isNullable, enumeration)
    case .binary: checkTexts(leaf, isString: false, element.isNullable, nil)
    case .timestamp: checkDates(leaf, element.isNullable)
    case .objectID: checkFixed(leaf, size: 12, element.isNullable)
    case .uuid: checkFixed(leaf, size: 16, element.isNullable)
    case .decimal: checkDecimals(leaf, element.isNullable)
    case .mixed: checkMixed(leaf, declared: nil, inCollection: inCollection)
    // The context flag of a root of links is checked where the root is known.
    case .link, .linkList:
      require(leaf, .integers, ignoringContext: inCollection, "a leaf of links") ? leaf.count : nil
    case .backlink, .typedLink, .list, .dictionary: nil
    }
  }

  /// - Returns: false for a node of another shape, which is reported.
  func require(_ node: Node, _ shape: NodeShape, ignoringContext: Bool = false, _ expected: String) -> Bool {
    let isSound = node.has(shape) || ignoringContext && node.flags & 0xd8 == shape.rawValue
    if !isSound { report(.leafKind, node.ref, .text(expected)) }
    return isSound
  }

  /// The child in a slot.
  ///
  /// - Returns: nil if there is none, which is reported if there must be one, if it cannot be read, and if it is shared
  ///   and was visited before.
  func child(_ node: Node, _ slot: Int, isRequired: Bool = true) -> Node? {
    guard slot < node.count else { return nil }
    let element = node.slot(slot)
    if let ref = element.child { return context.visited(ref) }
    if element.isTagged {
      report(.nodeKind, node.ref, .text("a ref"), slot: slot)
    } else if isRequired {
      report(.nodeMissing, node.ref, slot: slot)
    }
    return nil
  }

  /// - Parameters:
  ///   - element: of the current leaf.
  ///   - slot: if another position identifies the place.
  func report(
    _ kind: FindingKind, severity: Finding.Severity? = nil, _ ref: Ref?, _ facts: Finding.Facts = .none,
    element: Int? = nil, slot: Int? = nil
  ) {
    let position = slot ?? element.map { base + $0 }
    context.log.add(kind, facts, severity: severity, at: spot.place(ref, element: position, in: store))
  }

  /// Reports, and gives nothing.
  func fail<T>(_ kind: FindingKind, _ ref: Ref, _ facts: Finding.Facts = .none, element: Int? = nil) -> T? {
    report(kind, ref, facts, element: element)
    return nil
  }
}
