import RealmStorage

/// Checks the columns of one table of formats 2–9, value by value (Docs/Format/4-file-versions.md §2.7–2.14).
struct LegacyColumnCheck {
  private let context: CheckContext
  private let values: ValueCheck
  private(set) var table: LegacyCheckedTable
  private var isComplete = true

  init(_ context: CheckContext, _ table: LegacyCheckedTable) {
    (self.context, self.table, values) = (context, table, ValueCheck(context))
    values.spot = Spot(table: table.name)
  }

  private var store: ByteStore { context.store }

  mutating func run() {
    guard let spec = table.spec else { return }
    guard !table.slots.isNull, let slots = try? Node(table.slots, in: store) else {
      table.isComplete = spec.columns.isEmpty
      return
    }
    var rowCount: Int?
    for (index, column) in spec.columns.enumerated() {
      context.letGoOfPages()
      let count = check(column, index, slots)
      if column.isIndexed, column.type != .backlink { checkIndex(slots.slot(column.slot + 1), index) }
      guard let count else {
        isComplete = false
        continue
      }
      if let rowCount, rowCount != count {
        context.log.add(.rowCount, .counts(rowCount, found: count), at: table.place(nil, column: index))
        isComplete = false
      }
      rowCount = rowCount ?? count
    }
    table.rowCount = rowCount ?? 0
    table.isComplete = isComplete
  }

  /// Checks only that there is an index; its content is not read.
  private func checkIndex(_ element: RefOrTagged, _ column: Int) {
    guard let ref = element.child, let node = try? Node(ref, in: store), node.hasRefs else {
      return context.log.add(.indexColumn, at: table.place(table.slots, column: column))
    }
  }

  // MARK: Columns

  /// - Returns: the number of rows; nil if it cannot be determined.
  private mutating func check(_ column: LegacySpec.Column, _ index: Int, _ slots: Node) -> Int? {
    guard let root = slots.slot(column.slot).child else {
      context.log.add(.nodeMissing, at: table.place(slots.ref, column: index, position: column.slot))
      return nil
    }
    values.spot.column = table.columnName(index)
    switch column.type {
    case .link, .linkList: return checkLinks(column, index, root)
    case .backlink: return checkBacklinks(column, root)
    case .table: return checkSubtables(column, root)
    default: return LegacyValueCheck(values, column).run(root)
    }
  }

  private mutating func checkLinks(_ column: LegacySpec.Column, _ index: Int, _ root: Ref) -> Int? {
    var links = LegacyCheckedTable.Links(target: column.table ?? -1)
    let count = values.checkTree(root, .legacy) { check, leaf in
      guard check.require(leaf, column.type == .link ? .integers : .refs, "a leaf of links") else { return nil }
      for element in 0..<leaf.count {
        let row = check.base + element
        if column.type == .link {
          let stored = leaf.uncheckedInt(element)
          if stored > 0 { links.add(from: row, to: stored - 1) }
          if stored < 0 { check.report(.linkDangling, leaf.ref, .found(stored)) }
        } else if let list = check.childRef(leaf, element) {
          check.forEachRow(of: list) { links.add(from: row, to: $0) }
        }
      }
      return leaf.count
    }
    table.links[index] = links
    return count
  }

  private mutating func checkBacklinks(_ column: LegacySpec.Column, _ root: Ref) -> Int? {
    var sum = HashSum()
    let count = values.checkTree(root, .legacy) { check, leaf in
      guard check.require(leaf, .refs, "a leaf of backlinks") else { return nil }
      for element in 0..<leaf.count {
        let target = Int64(check.base + element)
        func add(_ row: Int64) { sum.add(hash: LegacyCheckedTable.Links.hash(from: row, to: target)) }
        let stored = leaf.slot(element)
        if stored.isTagged {
          add(Int64(bitPattern: stored.tagged))
        } else if let list = stored.child {
          check.forEachRow(of: list, add)
        }
      }
      return leaf.count
    }
    table.incoming[LegacyOrigin(table: column.table ?? -1, column: column.originColumn ?? -1)] = sum
    return count
  }

  // MARK: Subtables

  private func checkSubtables(_ column: LegacySpec.Column, _ root: Ref) -> Int? {
    if column.nested.count > 1 || !column.nested.allSatisfy(\.canBeListElement) {
      values.report(.legacyTable, root, .count(column.nested.count))
    }
    return values.checkTree(root, .legacy) { check, leaf in
      guard check.require(leaf, .refs, "a leaf of subtables") else { return nil }
      for element in 0..<leaf.count {
        guard let ref = check.childRef(leaf, element), check.context.visit(ref) else { continue }
        check.checkSubtable(ref, column.nested)
      }
      return leaf.count
    }
  }
}

extension ValueCheck {
  /// The list that an element of a leaf refers to; nil if it is empty.
  fileprivate func childRef(_ leaf: Node, _ element: Int) -> Ref? {
    let stored = leaf.slot(element)
    if stored.isTagged { report(.nodeKind, leaf.ref) }
    return stored.child
  }

  fileprivate func forEachRow(of list: Ref, _ visit: (Int64) -> Void) {
    _ = checkTree(list, .legacy) { check, leaf in
      guard check.require(leaf, .integers, "a list of rows") else { return nil }
      for index in 0..<leaf.count { visit(leaf.uncheckedInt(index)) }
      return leaf.count
    }
  }

  /// - Parameter columns: of the subtable.
  fileprivate func checkSubtable(_ ref: Ref, _ columns: [LegacySpec.Column]) {
    guard let slots = context.node(ref, .refs, otherwise: { report(.nodeKind, $0.ref) }) else { return }
    let expected = (columns.last?.slot ?? -1) + (columns.last?.isIndexed == true ? 2 : 1)
    guard slots.count == expected else { return report(.tableLists, ref, .counts(expected, found: slots.count)) }
    var rowCount: Int?
    for column in columns {
      guard let root = slots.slot(column.slot).child else {
        report(.nodeMissing, ref)
        continue
      }
      // Tables and links inside subtables are reported once, and not read.
      guard column.type.code != nil, column.type != .link else { continue }
      guard let count = LegacyValueCheck(self, column).run(root) else { continue }
      if let rowCount, rowCount != count { report(.rowCount, root, .counts(rowCount, found: count)) }
      rowCount = rowCount ?? count
    }
  }
}

/// Checks the values of one column of formats 2–9.
struct LegacyValueCheck {
  private let values: ValueCheck
  private let column: LegacySpec.Column

  init(_ values: ValueCheck, _ column: LegacySpec.Column) { (self.values, self.column) = (values, column) }

  private var context: CheckContext { values.context }
  private var store: ByteStore { values.store }

  /// - Returns: the number of rows; nil if it cannot be determined.
  func run(_ root: Ref) -> Int? {
    let enumeration: StringEnumeration?
    if column.type == .enumerated {
      guard let values = try? StringEnumeration(legacy: column.enumeration, in: store) else {
        values.report(.columnEnumeration, column.enumeration)
        return nil
      }
      enumeration = values
    } else {
      enumeration = nil
    }
    let element = column.element(to: .null)
    guard element.isInSeveralTrees else { return run(root, of: element, column: root, enumeration) }
    guard let parts = context.node(root, .refs, otherwise: { values.report(.leafKind, $0.ref) }),
      context.visit(root)
    else { return nil }
    guard let spine = parts.slot(0).child else {
      values.report(.nodeMissing, root)
      return nil
    }
    return run(spine, of: element, column: root, enumeration)
  }

  private func run(_ root: Ref, of element: ElementType, column: Ref, _ enumeration: StringEnumeration?) -> Int? {
    values.checkTree(root, .legacy) { check, node in
      let leaf: Leaf
      do {
        leaf = try Leaf(
          legacy: node, of: element, LegacyPlace(column: column, first: check.base), enumeration: enumeration, in: store
        )
      } catch {
        report(error, .leafKind, node.ref)
        return nil
      }
      guard leaf.count <= CheckContext.mostElements else { return leaf.count }
      checkValues(leaf, node)
      if element.code == .bool { checkBools(node, isNullable: element.isNullable) }
      if element.code == .string || element.code == .binary { checkEnds(node, isString: element.code == .string) }
      return leaf.count
    }
  }

  private func checkValues(_ leaf: Leaf, _ node: Node) {
    var isNoted = false
    for index in 0..<leaf.count {
      do {
        switch try leaf.value(at: index, in: store) {
        case .string(let bytes), .data(let bytes):
          guard context.spend(bytes: bytes.count, at: node.ref) else { return }
        case .date(let date) where column.type == .seconds && !isNoted:
          guard date.seconds.magnitude >= Self.improbableSeconds else { continue }
          values.report(.legacyMilliseconds, node.ref, .found(date.seconds))
          isNoted = true
        case .null where column.type == .mixed && !isNoted:
          values.report(.legacyTable, node.ref)
          isNoted = true
        // Dates alone have a mark of null whatever the column allows; no later format keeps one in a required column.
        case .null where column.type == .timestamp && !column.isNullable:
          values.report(.requiredNull, node.ref, element: index)
        default: continue
        }
      } catch {
        report(error, column.type == .enumerated ? .enumerationIndex : .leafKind, node.ref)
      }
    }
  }

  /// 0 and 1, and in front of those of an optional column the number that means null (§2.7).
  private func checkBools(_ leaf: Node, isNullable: Bool) {
    guard leaf.width > 1, leaf.count > 0 else { return }
    let null = isNullable ? leaf.uncheckedInt(0) : nil
    for index in (isNullable ? 1 : 0)..<leaf.count {
      let value = leaf.uncheckedInt(index)
      guard value != 0, value != 1, value != null else { continue }
      values.report(.boolValue, leaf.ref, .found(value), element: isNullable ? index - 1 : index)
    }
  }

  /// Seconds beyond this are not a plausible date, but the milliseconds of one (§2.8).
  private static let improbableSeconds: UInt64 = 100_000_000_000

  private func report(_ error: any Error, _ kind: FindingKind, _ ref: Ref) {
    guard case .corrupted(let corruption)? = error as? StorageError else { return }
    switch corruption.reason {
    case .offsetsNotAscending: values.report(.blobOffsets, corruption.ref)
    case .valueOutOfRange(let what): values.report(.leafKind, corruption.ref, .text(what))
    default: values.report(kind, ref, .node(corruption.reason))
    }
  }

  // MARK: Ends of texts

  /// Checks that texts end with a zero byte, that the last value ends where the bytes end, and that pieces of a value fit
  /// together.
  private func checkEnds(_ leaf: Node, isString: Bool) {
    guard leaf.has(.refs) else { return checkBlobs(leaf, isString: isString) }
    guard let offsets = leaf.slot(0).child.flatMap({ try? Node($0, in: store) }), offsets.has(.integers),
      let blob = leaf.slot(1).child.flatMap({ try? Node($0, in: store) }), blob.has(.bytes)
    else { return }
    let bytes = blob.bytes
    var last: Int64 = 0
    for index in 0..<offsets.count {
      let end = offsets.uncheckedInt(index)
      guard end >= last, end <= Int64(bytes.count) else { return }
      if isString, end == last || bytes[Int(end) - 1] != 0 {
        values.report(.blobTerminator, blob.ref)
      }
      last = end
    }
    if last != Int64(bytes.count) {
      values.report(.blobOffsets, offsets.ref, .counts(bytes.count, found: last))
    }
  }

  private func checkBlobs(_ leaf: Node, isString: Bool) {
    guard leaf.has(.pieces) else { return }
    for index in 0..<leaf.count {
      guard let blob = leaf.slot(index).child.flatMap({ try? Node($0, in: store) }) else { continue }
      values.checkBlob(blob, isString: isString, index)
    }
  }
}
