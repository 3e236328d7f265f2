import RealmStorage

/// Lists, sets and dictionaries (Docs/Format/2-nodes-and-values.md §5, §7, §9 checks 21, 22).
extension ValueCheck {
  /// The collection of an object, or one nested in a mixed value.
  func checkCollection(_ root: Ref, _ kind: CollectionKind, _ element: ElementType) {
    let outerKeys = payloadUse.nestedKeys
    payloadUse.nestedKeys.removeAll()
    defer { payloadUse.nestedKeys = outerKeys }
    switch kind {
    case .list: checkList(root, element, isSet: false)
    case .set: checkList(root, element, isSet: true)
    case .dictionary: checkDictionary(root, element)
    }
    checkNestedKeys(root)
  }

  /// Keys of nested collections are unique in the collection (§3.2).
  private func checkNestedKeys(_ root: Ref) {
    guard payloadUse.nestedKeys.count > 1 else { return }
    let sorted = payloadUse.nestedKeys.sorted()
    for (left, right) in zip(sorted, sorted.dropFirst()) where left == right {
      report(.mixedKeyDuplicate, root, .found(left))
    }
  }

  // MARK: Lists and sets

  private func checkList(_ root: Ref, _ element: ElementType, isSet: Bool) {
    let isLink = element.code == .link
    var hasUnresolved = false
    var order = isSet ? SetOrder(element, format: context.format) : nil
    _ = checkTree(root) { check, leaf in
      guard let count = check.checkLeaf(leaf, element, inCollection: true) else { return nil }
      guard count <= CheckContext.mostElements else { return count }
      if isLink { check.checkKeys(leaf, &hasUnresolved) }
      order?.check(leaf, check)
      return count
    }
    guard isLink, let node = try? Node(root, in: store) else { return }
    // The flag tells engines to look for links to tombstones; it is harmless if there are none (§5.6).
    if node.context != hasUnresolved {
      report(.linksContext, severity: hasUnresolved ? .error : .warning, root)
    }
  }

  /// Raw object keys: no null.
  private func checkKeys(_ leaf: Node, _ hasUnresolved: inout Bool) {
    // Narrower elements are not negative.
    guard leaf.width >= 8 else { return }
    for index in 0..<leaf.count {
      let key = leaf.uncheckedInt(index)
      if key == -1 { report(.linksNull, leaf.ref, element: index) }
      if key < -1 { hasUnresolved = true }
    }
  }

  // MARK: Dictionaries

  private func checkDictionary(_ root: Ref, _ element: ElementType) {
    guard context.visit(root), let top = try? Node(root, in: store) else { return }
    // Formats 21 and 22 keep entries in clusters of three leaves or more (§12).
    if context.format < 23 { return checkOldDictionary(root, element) }
    guard top.has(.refs), top.count == DictionaryLayout.treeCount else { return report(.dictionaryShape, root) }
    guard let keys = child(top, DictionaryLayout.keys), let values = child(top, DictionaryLayout.values) else { return }
    var order = DictionaryOrder()
    let keyCount = checkTree(keys.ref) { check, leaf in
      // Nulls are found where keys are compared.
      let key = ElementType(.string, isNullable: true)
      guard let count = check.checkLeaf(leaf, key, inCollection: true) else { return nil }
      if count <= CheckContext.mostElements { order.check(leaf, check) }
      return count
    }
    order.finish(root, self)
    let valueCount = checkTree(values.ref) { $0.checkMixed($1, declared: element, inCollection: true) }
    if let keyCount, let valueCount, keyCount != valueCount {
      report(.dictionaryLengths, root, .counts(keyCount, found: valueCount))
    }
  }

  private func checkOldDictionary(_ root: Ref, _ element: ElementType) {
    let outerBase = base
    base = 0
    defer { base = outerBase }
    let budget = WalkBudget.bytes(of: store)
    var walk = ClusterWalk(ClusterTree(root: root), in: store, budget: budget)
    while let step = walk.next() {
      guard case .cluster(let cluster) = step, context.visit(cluster.node.ref) else {
        report(.dictionaryShape, root)
        return
      }
      let (keySlot, valueSlot) = (DictionaryLayout.keys + 1, DictionaryLayout.values + 1)
      guard cluster.node.count > valueSlot || cluster.count == 0 else { return report(.dictionaryShape, root) }
      guard let keys = child(cluster.node, keySlot), let values = child(cluster.node, valueSlot) else { continue }
      let keyCount = checkLeaf(keys, ElementType(.string), inCollection: true)
      let valueCount = checkMixed(values, declared: element, inCollection: true)
      for count in [keyCount, valueCount].compactMap({ $0 }) where count != cluster.count {
        report(.dictionaryLengths, cluster.node.ref, .counts(cluster.count, found: count))
      }
    }
  }
}

/// The order of a set's elements, looked at leaf after leaf (§7).
struct SetOrder {
  private let element: ElementType
  /// Formats 21–23 have their own orders of texts, data and mixed values, which are not verified
  /// (Docs/Format/4-file-versions.md §3.8); equal neighbors are wrong in any order.
  private let isVerified: Bool
  private var last: ValueView?
  private var foundNotANumber = false

  init(_ element: ElementType, format: UInt8) {
    self.element = element
    isVerified = format >= 24 || ![.string, .binary, .mixed].contains(element.code)
  }

  mutating func check(_ node: Node, _ values: ValueCheck) {
    let store = values.store
    switch element.code {
    case .link: check(node, node.count, values) { .int(node.uncheckedInt($0)) }
    case .mixed:
      guard let leaf = try? MixedLeaf(node, in: store) else { return }
      // Links to tombstones are part of the order.
      check(node, leaf.count, values) { try leaf.storedValue(at: $0, in: store) }
    default:
      guard let leaf = try? Leaf(node.ref, of: element, inCollection: true, in: store) else { return }
      check(node, leaf.count, values) { try leaf.value(at: $0, in: store) }
    }
  }

  private mutating func check(_ node: Node, _ count: Int, _ values: ValueCheck, _ value: (Int) throws -> ValueView) {
    for index in 0..<count {
      guard let value = try? value(index) else { continue }
      if value.isNotANumber, element.code == .float || element.code == .double {
        // Never found again, so each insertion adds another, and the order around it is undefined (§11).
        if !foundNotANumber { values.report(.setNotANumber, node.ref, element: index) }
        foundNotANumber = true
        last = nil
        continue
      }
      if let last {
        let order =
          element.code == .decimal
          ? Decimal128.compare(last.decimalOrNull, value.decimalOrNull) : ValueOrder.compare(last, value)
        if order == 0 {
          values.report(.setDuplicate, node.ref, element: index)
        } else if order > 0, isVerified {
          values.report(.setOrder, node.ref, element: index)
        }
      }
      last = value
    }
  }
}

extension ValueView {
  fileprivate var isNotANumber: Bool {
    switch self {
    case .float(let value): value.isNaN
    case .double(let value): value.isNaN
    default: false
    }
  }

  /// In a set of decimals null is stored as NaN, and sorts as such (§7.1).
  var decimalOrNull: Decimal128 {
    if case .decimal(let value) = self { value } else { .null }
  }
}

/// The order of a dictionary's keys, leaf by leaf.
///
/// An upgrade from format 23 leaves keys in the order of signed bytes (§11.3). Later insertions search in the wrong
/// order and may end up anywhere.
struct DictionaryOrder {
  private var last: BlobView?
  private var firstMisplaced: (ref: Ref, position: Int)?
  private var isSignedOrder = true
  private var hasHighBytes = false

  mutating func check(_ node: Node, _ values: ValueCheck) {
    guard let leaf = try? StringLeaf(node, isString: true, in: values.store) else { return }
    for index in 0..<leaf.count {
      guard let key = try? leaf.value(at: index, isString: true, in: values.store) else {
        values.report(.dictionaryKey, node.ref, element: index)
        continue
      }
      guard values.context.spend(bytes: key.count, at: node.ref) else { return }
      if !hasHighBytes { hasHighBytes = ValueOrder.bytes(of: key).contains { $0 >= 0x80 } }
      if let last {
        let order = ValueOrder.compareBytes(last, key)
        if order == 0 { values.report(.dictionaryDuplicate, node.ref, element: index) }
        if order > 0, firstMisplaced == nil { firstMisplaced = (node.ref, values.base + index) }
        if isSignedOrder, ValueOrder.compareSignedBytes(last, key) > 0 { isSignedOrder = false }
      }
      last = key
    }
  }

  func finish(_ root: Ref, _ values: ValueCheck) {
    guard let (ref, position) = firstMisplaced else { return }
    // The order of format 23.
    if values.context.format < 24, isSignedOrder { return }
    guard hasHighBytes else { return values.report(.dictionaryOrder, ref, slot: position) }
    guard isSignedOrder else { return values.report(.dictionaryOrder, severity: .warning, ref, slot: position) }
    values.report(.dictionaryOldOrder, ref, slot: position)
  }
}
