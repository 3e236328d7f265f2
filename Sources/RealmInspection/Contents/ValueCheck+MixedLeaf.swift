import RealmStorage

/// Leaves of values of any type (Docs/Format/2-nodes-and-values.md §3).
extension ValueCheck {
  /// - Parameter declared: the type that the values of a dictionary must have; nil for any.
  func checkMixed(_ leaf: Node, declared: ElementType?, inCollection: Bool) -> Int? {
    guard require(leaf, .refs, "a leaf of mixed values") else { return nil }
    // Formats 21–23 write four slots; upgrades leave them so (§3.1, §11).
    guard leaf.count == 4 || (context.format >= 24 && (5...6).contains(leaf.count)) else {
      return fail(.mixedSlots, leaf.ref, .count(leaf.count))
    }
    guard let composite = child(leaf, 0), require(composite, .integers, "types of mixed values") else { return nil }
    guard composite.count <= CheckContext.mostElements, context.spend(elements: composite.count, at: composite.ref),
      let payload = payload(leaf)
    else { return composite.count }
    guard payload.counts.allSatisfy({ $0 <= CheckContext.mostElements }) else {
      report(.mixedPayloadUse, leaf.ref, element: 0)
      return composite.count
    }
    payloadUse.reset(payload.counts)
    var hasNested = false
    for row in 0..<composite.count {
      let element = MixedElement(composite.uncheckedInt(row))
      guard !element.isNull else {
        if let declared, !declared.isNullable { report(.requiredNull, composite.ref, element: row) }
        continue
      }
      if checkElement(element, payload, declared, at: composite.ref, row) { hasNested = true }
    }
    if let slot = payloadUse.firstUnused() {
      report(.mixedPayloadUse, leaf.ref, .count(slot), element: 0)
    }
    checkKeys(leaf, composite, inCollection: inCollection)
    if hasNested { checkNested(composite, payload, inCollection: inCollection) }
    return composite.count
  }

  // MARK: Payload

  /// The nodes with what does not fit into a type element.
  fileprivate struct Payload {
    var ints: Node?
    var pairs: Node?
    var strings: StringLeaf?
    var refs: Node?

    /// Entries by slot: ints, pairs, strings, refs.
    var counts: [Int] { [ints?.count ?? 0, (pairs?.count ?? 0) / 2, strings?.count ?? 0, refs?.count ?? 0] }
  }

  private func payload(_ leaf: Node) -> Payload? {
    var payload = Payload()
    payload.ints = child(leaf, 1, isRequired: false)
    payload.pairs = child(leaf, 2, isRequired: false)
    payload.refs = child(leaf, 4, isRequired: false)
    guard payload.ints.map({ require($0, .integers, "numbers of mixed values") }) ?? true,
      payload.pairs.map({ require($0, .integers, "pairs of mixed values") }) ?? true,
      payload.refs.map({ require($0, .refs, "collections of mixed values") }) ?? true
    else { return nil }
    if let strings = child(leaf, 3, isRequired: false) {
      // Texts, data and ids share the leaf; all end with a zero.
      guard checkTexts(strings, isString: true, true, nil) != nil,
        let texts = try? StringLeaf(strings, isString: true, in: store)
      else { return nil }
      payload.strings = texts
    }
    return payload
  }

  // MARK: Elements

  /// - Returns: whether the element is a nested collection.
  private func checkElement(
    _ element: MixedElement, _ payload: Payload, _ declared: ElementType?, at ref: Ref, _ position: Int
  ) -> Bool {
    let (slot, index) = (element.slot, element.payload)
    guard let type = element.type, type.isMixedSlot(slot) else {
      report(.mixedType, ref, .count(element.typeCode + 1), element: position)
      return false
    }
    if let declared, declared.code != .mixed, type != (declared.code == .link ? .typedLink : declared.code) {
      report(.mixedDeclaredType, ref, .count(type.rawValue), element: position)
    }
    guard slot != 0 else {
      if type == .bool, index != 0, index != 1 { report(.mixedValue, ref, .found(index), element: position) }
      return false
    }
    switch payloadUse.use(slot, index) {
    case .outOfRange:
      report(.mixedPayload, ref, .found(index), element: position)
      return false
    case .again: report(.mixedPayloadUse, ref, .count(slot), element: position)
    case .first: break
    }
    if !isSound(type, Int(index), payload) { report(.mixedValue, ref, element: position) }
    return element.collection != nil
  }

  /// Whether a payload entry can be a value of its type. The index lies inside.
  private func isSound(_ type: TypeCode, _ index: Int, _ payload: Payload) -> Bool {
    switch type {
    case .float: return payload.ints.map { UInt32(exactly: $0.uncheckedInt(index)) != nil } ?? false
    case .timestamp:
      guard let pairs = payload.pairs else { return false }
      return Self.isDate(pairs.uncheckedInt(index * 2), pairs.uncheckedInt(index * 2 + 1))
    case .decimal:
      guard let pairs = payload.pairs else { return false }
      let (low, high) = (pairs.uncheckedInt(index * 2), pairs.uncheckedInt(index * 2 + 1))
      return Decimal128(low: UInt64(bitPattern: low), high: UInt64(bitPattern: high)).isCanonical
    case .typedLink:
      guard let pairs = payload.pairs else { return false }
      return pairs.uncheckedInt(index * 2) >= 0 && pairs.uncheckedInt(index * 2 + 1) != -1
    case .string, .binary, .objectID, .uuid:
      guard let value = try? payload.strings?.value(at: index, isString: true, in: store) else { return false }
      return type == .objectID ? value.count == 12 : type == .uuid ? value.count == 16 : true
    default: return true
    }
  }

  // MARK: Keys of nested collections

  /// Numbers by which accessors find a nested collection again (§3.2).
  private func checkKeys(_ leaf: Node, _ composite: Node, inCollection: Bool) {
    let keys = child(leaf, 5, isRequired: false)
    if let keys {
      guard require(keys, .integers, "keys of nested collections") else { return }
      if keys.count > composite.count {
        report(.mixedKeys, keys.ref, .counts(composite.count, found: keys.count), element: 0)
      } else if keys.count < composite.count {
        // Engines make such nodes when a property becomes a collection (§11).
        let kind = inCollection ? FindingKind.mixedKeys : .mixedShortKeys
        report(kind, keys.ref, .counts(composite.count, found: keys.count), element: 0)
      }
    }
    for row in 0..<composite.count {
      let isCollection = MixedElement(composite.uncheckedInt(row)).collection != nil
      let key = keys?.slot(row).rawValue ?? 0
      guard isCollection || key != 0 else { continue }
      if isCollection, key == 0, !inCollection {
        // For a property the row is known without the key; engines leave 0 when they overwrite another value (§3.2).
        report(.mixedKeyValue, severity: .note, keys?.ref ?? leaf.ref, .found(key), element: row)
        continue
      }
      guard isCollection, key != 0, Int32(exactly: key) != nil else {
        report(.mixedKeyValue, keys?.ref ?? leaf.ref, .found(key), element: row)
        continue
      }
      if inCollection { payloadUse.nestedKeys.append(key) }
    }
  }

  // MARK: Nested collections

  private func checkNested(_ composite: Node, _ payload: Payload, inCollection: Bool) {
    guard let refs = payload.refs else { return }
    guard nesting < MixedElement.mostNesting else { return report(.mixedNesting, composite.ref) }
    nesting += 1
    defer { nesting -= 1 }
    for row in 0..<composite.count {
      let element = MixedElement(composite.uncheckedInt(row))
      guard let kind = element.collection, element.slot == 4, element.payload >= 0,
        element.payload < Int64(refs.count)
      else { continue }
      let root = refs.slot(Int(element.payload))
      if root.isTagged { report(.nodeKind, refs.ref, .text("a collection"), element: row) }
      guard let root = root.child else { continue }
      if !inCollection { spot.row = row }
      checkCollection(root, kind, .mixed)
    }
    if !inCollection { spot.row = nil }
  }
}

extension TypeCode {
  /// Whether a mixed value of this type can keep its payload in a slot; 0 is the type element itself (§3.1).
  fileprivate func isMixedSlot(_ slot: Int) -> Bool {
    switch self {
    case .int: slot == 0 || slot == 1
    case .bool: slot == 0
    case .float, .double: slot == 1
    case .timestamp, .decimal, .typedLink: slot == 2
    case .string, .binary, .objectID, .uuid: slot == 3
    case .list, .dictionary: slot == 4
    case .mixed, .link, .linkList, .backlink: false
    }
  }
}

/// Which entries of the payload nodes of one mixed leaf were used (Docs/Format/2-nodes-and-values.md §3.1).
struct MixedPayloadUse {
  private var used: [[Bool]] = [[], [], [], []]
  /// Keys of the collections nested in the current collection.
  var nestedKeys: [Int64] = []

  enum Outcome {
    case first
    case again
    case outOfRange
  }

  /// - Parameter counts: entries of the four payload nodes.
  mutating func reset(_ counts: [Int]) {
    for (slot, count) in counts.enumerated() {
      used[slot].removeAll(keepingCapacity: true)
      used[slot].append(contentsOf: repeatElement(false, count: count))
    }
  }

  mutating func use(_ slot: Int, _ index: Int64) -> Outcome {
    guard (1...4).contains(slot), index >= 0, index < Int64(used[slot - 1].count) else { return .outOfRange }
    if used[slot - 1][Int(index)] { return .again }
    used[slot - 1][Int(index)] = true
    return .first
  }

  /// The first slot with an entry that no value refers to.
  func firstUnused() -> Int? {
    used.firstIndex { $0.contains(false) }.map { $0 + 1 }
  }
}
