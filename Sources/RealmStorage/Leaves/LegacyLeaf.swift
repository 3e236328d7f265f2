/// A leaf of formats 2–9 in an encoding that later formats do not have (Docs/Format/4-file-versions.md §2.7–2.13).
enum LegacyLeaf: @unchecked Sendable {
  /// Of a required column: a null in it, which old engines left there, is an empty string.
  case texts(StringLeaf)
  case data(StringLeaf)
  /// Of a required column: the pattern of null is a number like any other (§2.7).
  case floats(Node)
  case doubles(Node)
  case nullableBools(NullableIntLeaf)
  /// Dates of formats 2–4 (§2.8).
  case seconds(Node)
  case nullableSeconds(NullableIntLeaf)
  case dates(LegacyDateLeaf)
  case mixed(LegacyMixedLeaf)
  /// Roots of subtables: one column of each of them (§2.12).
  case subtables(Node, column: Int, ElementType)
  /// Links to rows whose objects have other keys; `offset` is added to the number of a row.
  case rows(Node, TableKey, offset: Int64, Unmanaged<RenumberedRows>)

  var canShareLongValues: Bool {
    switch self {
    case .texts(.big), .data(.big), .mixed: true
    default: false
    }
  }

  func value(at index: Int, in store: ByteStore) throws -> ValueView {
    switch self {
    case .texts(let leaf): return .string(try leaf.value(at: index, isString: true, in: store) ?? .empty)
    case .data(let leaf): return .data(try leaf.value(at: index, isString: false, in: store) ?? .empty)
    case .floats(let node):
      let value = try node.float(at: index)
      return if case .null = value { .float(Float(bitPattern: Float.nullBits)) } else { value }
    case .doubles(let node):
      let value = try node.double(at: index)
      return if case .null = value { .double(Double(bitPattern: Double.nullBits)) } else { value }
    case .nullableBools(let leaf): return try leaf.value(at: index).map { .bool($0 != 0) } ?? .null
    case .seconds(let node): return .date(Timestamp(seconds: try node.int(index)))
    case .nullableSeconds(let leaf): return try leaf.value(at: index).map { .date(Timestamp(seconds: $0)) } ?? .null
    case .dates(let leaf): return try leaf.value(at: index, in: store).map(ValueView.date) ?? .null
    case .mixed(let leaf): return try leaf.value(at: index, in: store)
    case .rows(let node, let target, let offset, let keys):
      let row = try node.int(index) &- offset
      guard row >= 0 else { return .null }
      return .link(target, try keys._withUnsafeGuaranteedRef { try $0.key(ofRow: row, in: target, at: node.ref) })
    case .subtables(let node, let column, let element):
      let ref = try node.childRef(index)
      guard !ref.isNull else { return .list(ListView(root: .null, element: element)) }
      let columns = try Node(ref, in: store)
      try columns.requireRefs("the columns of a subtable")
      // A table without columns has no rows either.
      let root = columns.count == 0 ? .null : try columns.childRef(column)
      return .list(ListView(root: root, element: element))
    }
  }
}

extension Timestamp {
  fileprivate init(seconds: Int64) { self.init(unchecked: seconds, 0) }
}

/// The keys of objects by the numbers of the rows they were, where an interrupted upgrade gave them others
/// (Docs/Format/4-file-versions.md §2.21). A companion of the bytes, so that links can be read wherever they are.
final class RenumberedRows: Sendable {
  private let keys: [TableKey: [ObjectKey]]
  private let rows: [TableKey: [ObjectKey: Int]]

  init(_ keys: [TableKey: [ObjectKey]]) {
    self.keys = keys
    rows = keys.mapValues { Dictionary(zip($0, 0...)) { first, _ in first } }
  }

  /// The row that an object was; nil if there is none.
  func row(of key: ObjectKey, in table: TableKey) -> Int? { rows[table]?[key] }

  /// - Parameter ref: where the link is.
  fileprivate func key(ofRow row: Int64, in table: TableKey, at ref: Ref) throws -> ObjectKey {
    guard let keys = keys[table], row >= 0, row < Int64(keys.count) else {
      throw StorageError.corrupted(ref, .danglingLink(key: row))
    }
    return keys[Int(row)]
  }
}

/// The place of a leaf of formats 2–9, for values that have parts in other trees.
package struct LegacyPlace: Sendable {
  /// The node that the column consists of: its only tree, or the node above its trees.
  let column: Ref
  /// The index of the leaf's first element in the column.
  let first: Int

  package init(column: Ref, first: Int) { (self.column, self.first) = (column, first) }

  /// One of the trees of a column that has several; null if it does not exist.
  static func tree(_ index: Int, of column: Ref, in store: ByteStore) throws -> Ref {
    let node = try Node(column, in: store)
    try node.requireRefs("a column of several trees")
    return index < node.count ? try node.childRef(index) : .null
  }

  /// The leaf with the same elements in another tree of the column, and the place of the first of them.
  fileprivate func companion(_ index: Int, in store: ByteStore) throws -> LegacyCompanion {
    let root = try Self.tree(index, of: column, in: store)
    let (leaf, position) = try InnerTreeNode.leaf(below: root, holding: first, in: store)
    try leaf.requireBits("a leaf of numbers")
    return LegacyCompanion(root: root, leaf: leaf, position: position, first: first)
  }
}

/// A tree of numbers that is read along with another one. Their leaves have the same elements, unless they were changed
/// separately.
private struct LegacyCompanion: Sendable {
  let root: Ref
  let leaf: Node
  /// Of the first element in `leaf`.
  let position: Int
  /// The index of the first element in the tree.
  let first: Int

  func number(at index: Int, in store: ByteStore) throws -> Int64 {
    if index < leaf.count - position { return try leaf.int(position + index) }
    let (leaf, position) = try InnerTreeNode.leaf(below: root, holding: first.clampedSum(index), in: store)
    return try leaf.int(position)
  }
}

/// Dates: seconds in one tree, nanoseconds in another (Docs/Format/4-file-versions.md §2.8).
struct LegacyDateLeaf: Sendable {
  private let seconds: NullableIntLeaf
  private let nanoseconds: LegacyCompanion

  /// - Parameter node: the leaf of seconds, which has an element at least.
  init(_ node: Node, _ place: LegacyPlace, in store: ByteStore) throws {
    seconds = try NullableIntLeaf(node)
    nanoseconds = try place.companion(1, in: store)
  }

  var count: Int { seconds.count }

  func value(at index: Int, in store: ByteStore) throws -> Timestamp? {
    guard let whole = try seconds.value(at: index) else { return nil }
    let rest = try nanoseconds.number(at: index, in: store)
    return try Timestamp(checking: whole, nanoseconds: rest, at: nanoseconds.leaf.ref)
  }
}

/// Values of any type: a type in one tree, a number or place in another, and the columns of those places
/// (Docs/Format/4-file-versions.md §2.13).
struct LegacyMixedLeaf: Sendable {
  private let types: Node
  private let data: LegacyCompanion
  private let column: Ref

  /// The trees of the column.
  enum Tree: Int { case types, data, blobs, dates }

  /// The types of values.
  enum ValueType: Int64 {
    case int, bool, string
    case data = 4
    case table = 5
    case seconds = 7
    case date = 8
    case float, double, negativeDouble, negativeInt
  }

  /// - Parameter node: the leaf of types, which has an element at least.
  init(_ node: Node, _ place: LegacyPlace, in store: ByteStore) throws {
    types = try node.requiring("types of a leaf of mixed values")
    data = try place.companion(Tree.data.rawValue, in: store)
    column = place.column
  }

  /// Value `index`; null for a subtable, which no later format has a value for.
  func value(at index: Int, in store: ByteStore) throws -> ValueView {
    let code = try types.int(index)
    let stored = RefOrTagged(try data.number(at: index, in: store))
    guard let type = ValueType(rawValue: code) else {
      throw StorageError.corrupted(types.ref, .unknownType(Int(clamping: code)))
    }
    if type == .table { return .null }
    // A value that was never set is 0.
    guard stored.isTagged || (type == .int && stored.rawValue == 0) else {
      throw StorageError.corrupted(data.leaf.ref, .valueOutOfRange("mixed value \(index)"))
    }
    let bits = stored.tagged
    let sign = UInt64(1) << 63
    switch type {
    case .int: return .int(Int64(bitPattern: bits))
    case .negativeInt: return .int(Int64(bitPattern: bits | sign))
    case .bool: return .bool(bits != 0)
    case .float: return .float(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    case .double: return .double(Double(bitPattern: bits))
    case .negativeDouble: return .double(Double(bitPattern: bits | sign))
    case .seconds: return .date(Timestamp(seconds: Int64(bitPattern: bits)))
    case .string: return .string(try blob(bits, isString: true, in: store))
    case .data: return .data(try blob(bits, isString: false, in: store))
    case .date: return try date(bits, in: store).map(ValueView.date) ?? .null
    case .table: return .null
    }
  }

  private func blob(_ index: UInt64, isString: Bool, in store: ByteStore) throws -> BlobView {
    let root = try LegacyPlace.tree(Tree.blobs.rawValue, of: column, in: store)
    let (node, position) = try InnerTreeNode.leaf(below: root, holding: Int(clamping: index), in: store)
    let leaf = try StringLeaf(legacy: node, isString: false, in: store)
    return try leaf.value(at: position, isString: isString, in: store) ?? .empty
  }

  private func date(_ index: UInt64, in store: ByteStore) throws -> Timestamp? {
    let dates = try LegacyPlace.tree(Tree.dates.rawValue, of: column, in: store)
    let seconds = try LegacyPlace.tree(0, of: dates, in: store)
    let index = Int(clamping: index)
    let (node, position) = try InnerTreeNode.leaf(below: seconds, holding: index, in: store)
    let leaf = try LegacyDateLeaf(node, LegacyPlace(column: dates, first: index - position), in: store)
    return try leaf.value(at: position, in: store)
  }
}

/// Texts up to 63 or data up to 64 bytes as formats 2–9 have them: two children, or three
/// (Docs/Format/4-file-versions.md §2.9, §2.10).
package struct LegacySmallBlobs: Sendable {
  private let offsets: Node
  private let blob: Node
  /// A flag for each value; nil if none is null.
  private let nulls: Node?
  /// The flag of a null: for data 1 as later on, for texts the opposite.
  private let nullFlag: Int64

  init(_ node: Node, isString: Bool, in store: ByteStore) throws {
    guard node.count == 2 || node.count == 3 else {
      throw StorageError.corrupted(node.ref, .wrongElementCount(expected: 3, found: node.count))
    }
    offsets = try Node(node.childRef(0), in: store)
    blob = try Node(node.childRef(1), in: store).requiringBlob()
    let flags = node.count == 3 ? try node.childRef(2) : .null
    nulls = flags.isNull ? nil : try Node(flags, in: store)
    nullFlag = isString ? 0 : 1
    try offsets.requireBits("offsets of a leaf of strings or binaries")
    try nulls?.requireBits("null flags of a leaf of strings or binaries")
    if let nulls, nulls.count != offsets.count {
      throw StorageError.corrupted(nulls.ref, .wrongElementCount(expected: offsets.count, found: nulls.count))
    }
  }

  var count: Int { offsets.count }
  var nodes: [Node] { [offsets, blob] + (nulls.map { [$0] } ?? []) }

  func value(at index: Int, isString: Bool) throws -> UnsafeRawBufferPointer? {
    try offsets.requireIndex(index)
    if let nulls, nulls.uncheckedInt(index) == nullFlag { return nil }
    return try SmallBlobs.bytes(index, offsets, blob, isString: isString)
  }
}

// MARK: - From a node to a leaf

extension Leaf {
  /// A leaf of formats 2–9: of the values of a column, or of a column of subtables.
  ///
  /// - Parameter place: for values that have parts in other trees.
  /// - Throws: `StorageError.corrupted` where header and type contradict each other.
  package init(
    legacy node: Node, of element: ElementType, _ place: LegacyPlace, enumeration: StringEnumeration? = nil,
    in store: ByteStore
  ) throws {
    // A leaf without values does not even have the element that means null.
    if node.count == 0 {
      self.init(.ints(node), 0, node)
      return
    }
    let count = element.hasNullMarker ? node.count - 1 : node.count
    switch (element.code, element.isNullable) {
    case (.int, false): self.init(.ints(try node.requiring("a leaf of integers")), count, node)
    case (.int, true): self.init(.nullableInts(try NullableIntLeaf(node)), count, node)
    case (.bool, false): self.init(.bools(try node.requiring("a leaf of booleans")), count, node)
    case (.bool, true): self.init(.legacy(.nullableBools(try NullableIntLeaf(node))), count, node)
    case (.float, let isNullable):
      let reals = try node.requiringReals(size: 4)
      self.init(isNullable ? .floats(reals) : .legacy(.floats(reals)), count, node)
    case (.double, let isNullable):
      let reals = try node.requiringReals(size: 8)
      self.init(isNullable ? .doubles(reals) : .legacy(.doubles(reals)), count, node)
    case (.string, let isNullable):
      let leaf = try StringLeaf(legacy: node, isString: true, enumeration: enumeration, in: store)
      self.init(isNullable ? .strings(leaf) : .legacy(.texts(leaf)), leaf.count, node)
    case (.binary, let isNullable):
      let leaf = try StringLeaf(legacy: node, isString: false, in: store)
      self.init(isNullable ? .binaries(leaf) : .legacy(.data(leaf)), leaf.count, node)
    case (.timestamp, let isNullable) where element.layout == .seconds:
      let encoding: LegacyLeaf =
        isNullable ? .nullableSeconds(try NullableIntLeaf(node)) : .seconds(try node.requiring("a leaf of dates"))
      self.init(.legacy(encoding), count, node)
    case (.timestamp, _): self.init(.legacy(.dates(try LegacyDateLeaf(node, place, in: store))), count, node)
    case (.mixed, _): self.init(.legacy(.mixed(try LegacyMixedLeaf(node, place, in: store))), count, node)
    case (.link, let isNullable) where element.layout == .rows:
      let links = try node.requiring("a leaf of links")
      guard let keys = store.companion(RenumberedRows.self) else {
        throw StorageError.corrupted(node.ref, .missingNode)
      }
      let encoding = LegacyLeaf.rows(links, element.target, offset: isNullable ? 1 : 0, .passUnretained(keys))
      self.init(.legacy(encoding), count, node)
    case (.link, _): self.init(.links(try node.requiring("a leaf of links"), element.target), count, node)
    default: throw StorageError.corrupted(node.ref, .unknownType(element.code.rawValue))
    }
  }

  /// A leaf of roots of link lists.
  init(legacyLists node: Node, of element: ElementType) throws {
    try node.requireRefs("a leaf of link lists")
    self.init(.collections(node, .list, element), node.count, node)
  }

  /// A leaf of roots of subtables.
  ///
  /// - Parameters:
  ///   - column: the slot of one column among those of each subtable.
  ///   - element: the type of that column.
  init(legacySubtables node: Node, column: Int, of element: ElementType) throws {
    try node.requireRefs("a leaf of subtables")
    self.init(.legacy(.subtables(node, column: column, element)), node.count, node)
  }
}

extension ElementType {
  /// Whether element 0 of a leaf of formats 2–9 is not a value but the number that means null. Seconds always have one
  /// (Docs/Format/4-file-versions.md §2.7, §2.8).
  fileprivate var hasNullMarker: Bool {
    switch code {
    case .int, .bool: isNullable
    case .timestamp: isNullable || layout != .seconds
    default: false
    }
  }
}
