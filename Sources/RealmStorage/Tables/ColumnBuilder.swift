/// Takes the values of one property, object after object, and writes a leaf per cluster.
///
/// A single value is one call of `append`. A collection is `begin`, its elements or entries, `end`; in a Mixed property
/// collections nest. Elements of sets and entries of dictionaries come in the order of the file format (in format 24
/// `ValueOrder`; keys by their bytes), each once.
///
/// ```swift
/// try column.append(.int(7))
/// try column.begin(.dictionary)
/// try column.append(key: name)
/// try column.append(.string(value))
/// try column.end()
/// ```
package final class ColumnBuilder {
  let column: Column
  private let nodes: NodeEncoder
  /// The leaf of a property with single values.
  private let leaf: (any LeafEncoder)?
  private let mixed: MixedLeafEncoder?
  /// Builds the collections of a property that is one, and their roots for the objects of this cluster.
  private let collections: CollectionBuilder?
  private var roots: [Ref] = []

  /// The collections that are begun and not ended, the outermost first.
  private var open: [CollectionBuilder] = []
  /// Builders of nested collections by depth, to be used again.
  private var nestedLists: [CollectionBuilder] = []
  private var nestedDictionaries: [CollectionBuilder] = []

  /// The keys of the objects of this cluster.
  private var keys: [ObjectKey] = []
  /// By cluster; null if the leaf is still to come.
  private(set) var leaves: [Ref] = []

  let index: IndexCollector?
  /// The links of a link property.
  let links: LinkLog?
  /// The links of a Mixed property by the table they lead to.
  private(set) var mixedLinks: [TableKey: LinkLog] = [:]

  /// Levels of nested collections (Docs/Format/2-nodes-and-values.md §3.2).
  static let mostLevels = 100

  private let spill: Spill?

  /// - Parameter spill: the memory for links and what is indexed; nil if there is no limit.
  init(_ column: Column, _ nodes: NodeEncoder, _ spill: Spill? = nil) {
    self.column = column
    self.nodes = nodes
    self.spill = spill
    collections = column.collection.map { CollectionBuilder($0, of: column.element, nodes) }
    leaf = column.collection == nil ? column.element.leafEncoder(inCollection: false, nodes) : nil
    mixed = leaf as? MixedLeafEncoder
    index = column.indexContent.map { IndexCollector($0, nodes.format.textOrder, spill) }
    links = column.element.code == .link ? LinkLog(spill) : nil
  }

  /// Whether each value is a collection of the kind that the property is.
  var isCollection: Bool { collections != nil }

  /// Whether links can be among the values.
  var canHoldLinks: Bool { column.element.code == .link || column.element.code == .mixed }

  /// Objects of this cluster that have their value.
  private(set) var count = 0

  // MARK: Values

  /// Appends the value of the next object, or the next element or entry of the collection that was begun last.
  ///
  /// - Throws: `BuildError` for a value that the property cannot store; what the output throws.
  package func append(_ value: ValueView) throws {
    guard let origin = origin else { throw BuildError.wrongValueCount(expected: keys.count, found: count + 1) }
    if let innermost = open.last {
      try innermost.append(value)
      if index?.content == .elements { try index?.append(value, of: origin) }
    } else {
      guard let leaf else { throw BuildError.wrongType }
      try leaf.append(value)
      count += 1
      try addToIndex(value, of: origin)
    }
    try note(value, from: origin)
  }

  /// Appends the values of the next objects, of a property that is not a collection and cannot contain links.
  ///
  /// - Throws: as the other `append`.
  func append(_ values: UnsafeBufferPointer<ValueView>) throws {
    guard let leaf, !canHoldLinks else { throw BuildError.wrongType }
    guard values.count <= keys.count - count else {
      throw BuildError.wrongValueCount(expected: keys.count, found: count + values.count)
    }
    try leaf.append(values)
    if index != nil { for (row, value) in values.enumerated() { try addToIndex(value, of: keys[count + row]) } }
    count += values.count
  }

  private func addToIndex(_ value: ValueView, of origin: ObjectKey) throws {
    guard let index else { return }
    try index.append(value, of: origin)
    try index.finishObject(origin)
  }

  /// Begins a collection: the value of the next object, or the next element or entry.
  package func begin(_ kind: CollectionKind) throws {
    if open.isEmpty, let collections {
      guard column.collection == kind else { throw BuildError.wrongType }
      open.append(collections)
      return
    }
    guard column.element.code == .mixed, kind != .set else { throw BuildError.wrongType }
    guard open.count < Self.mostLevels else { throw BuildError.tooDeep }
    open.append(nested(kind))
  }

  /// The key of the entry whose value comes next.
  package func append(key: BlobView) throws {
    guard let innermost = open.last else { throw BuildError.wrongType }
    try innermost.append(key: key)
  }

  /// Ends the collection that was begun last.
  package func end() throws {
    guard let origin = origin, let innermost = open.popLast() else { throw BuildError.wrongType }
    let root = try innermost.finish()
    let kind: CollectionKind = innermost.isDictionary ? .dictionary : .list
    if let parent = open.last {
      try parent.append(kind, root: root)
    } else if let mixed {
      // Rows distinguish these, so any number but 0 will do (§3.2).
      try mixed.append(kind, root: root, key: Int64(mixed.count + 1))
      count += 1
      let view = ListView(root: root, element: .mixed)
      let dictionary = DictionaryView(root: root, linkTarget: nil)
      try index?.append(kind == .list ? .list(view) : .dictionary(dictionary), of: origin)
    } else {
      append(root)
      try index?.finishObject(origin)
    }
  }

  /// Uses a collection that is already in the file as the value of the next object.
  func append(written root: Ref) throws {
    guard collections != nil, open.isEmpty, origin != nil else { throw BuildError.wrongType }
    append(root)
  }

  private func append(_ root: Ref) {
    roots.append(root)
    count += 1
  }

  /// The object whose value is being appended.
  private var origin: ObjectKey? { count < keys.count ? keys[count] : nil }

  private func nested(_ kind: CollectionKind) -> CollectionBuilder {
    let depth = open.count
    let element = ElementType.mixed
    if kind == .list {
      while nestedLists.count <= depth { nestedLists.append(CollectionBuilder(.list, of: element, nodes)) }
      return nestedLists[depth]
    }
    while nestedDictionaries.count <= depth {
      nestedDictionaries.append(CollectionBuilder(.dictionary, of: element, nodes))
    }
    return nestedDictionaries[depth]
  }

  /// Notes a link for the incoming links of its target.
  @inline(__always)
  private func note(_ value: ValueView, from origin: ObjectKey) throws {
    switch value {
    case .link(let table, let target), .typedLink(let table, let target):
      if let links {
        guard table == column.element.target else { throw BuildError.wrongType }
        try links.append(from: origin, to: target)
      } else {
        try mixedLog(table).append(from: origin, to: target)
      }
    default: break
    }
  }

  private func mixedLog(_ table: TableKey) -> LinkLog {
    if let log = mixedLinks[table] { return log }
    let log = LinkLog(spill)
    mixedLinks[table] = log
    return log
  }

  // MARK: Clusters

  /// Whether the values of this cluster come later.
  private(set) var isLeftOut = false

  /// The objects whose values come next.
  func begin(_ keys: some Sequence<ObjectKey>) { self.keys.append(contentsOf: keys) }

  /// The values of the objects begun come later: they are all of this cluster.
  func leaveOut() throws {
    guard count == 0 else { throw BuildError.wrongValueCount(expected: keys.count, found: count) }
    keys.removeAll(keepingCapacity: true)
    isLeftOut = true
  }

  /// Writes the leaf of the objects begun, unless their values come later.
  ///
  /// - Parameter cluster: its place among the leaves.
  func finishLeaf(of cluster: Int) throws {
    if leaves.count <= cluster { leaves.append(contentsOf: repeatElement(.null, count: cluster + 1 - leaves.count)) }
    guard count == keys.count, open.isEmpty, !(isLeftOut && count > 0) else {
      throw BuildError.wrongValueCount(expected: keys.count, found: count)
    }
    guard !isLeftOut else {
      isLeftOut = false
      return
    }
    count = 0
    if let leaf {
      leaves[cluster] = try leaf.finish()
    } else {
      leaves[cluster] = try nodes.refs(roots)
      roots.removeAll(keepingCapacity: true)
    }
    keys.removeAll(keepingCapacity: true)
  }

  /// Writes the leaf of the objects begun and forgets it, with the links that were noted.
  func takeLeaf() throws -> Ref {
    defer { leaves.removeAll(keepingCapacity: true) }
    try finishLeaf(of: 0)
    links?.removeAll()
    mixedLinks.removeAll()
    return leaves.first ?? .null
  }

  /// Writes a leaf of default values, as placeholders of missing objects have (Docs/Format/3-tables-and-objects.md §4.7,
  /// §4.8).
  func writeDefaults(_ count: Int) throws -> Ref {
    guard let leaf else { return try nodes.refs(Array(repeating: .null, count: count)) }
    let arena = ByteArena()
    let value = column.defaultValue.view(in: arena)
    return try withExtendedLifetime(arena) {
      for _ in 0..<count { try leaf.append(value) }
      return try leaf.finish()
    }
  }

  /// Appends the default as the value of the next object.
  package func appendDefault() throws {
    let arena = ByteArena()
    try withExtendedLifetime(arena) { try append(column.defaultValue.view(in: arena)) }
  }

  /// Writes a leaf of values that are neither indexed nor linked.
  func writeLeaf(_ values: [ValueView]) throws -> Ref {
    guard let leaf else { throw BuildError.wrongType }
    for value in values { try leaf.append(value) }
    return try leaf.finish()
  }
}

extension Column {
  /// What an index on this column collects; nil if there is none.
  var indexContent: IndexCollector.Content? {
    switch index {
    case .none: nil
    case .fullText: .words
    case .general: collection == .list ? .elements : element.code == .mixed ? .mixedValues : .values
    }
  }

  /// The value of a new object (Docs/Format/3-tables-and-objects.md §4.8).
  var defaultValue: Value {
    switch collection {
    case .list: .list([])
    case .set: .set([])
    case .dictionary: .dictionary([:])
    case nil: element.defaultValue
    }
  }
}

extension ElementType {
  /// The value of an object without one.
  var defaultValue: Value {
    guard !isNullable else { return .null }
    return switch code {
    case .int: .int(0)
    case .bool: .bool(false)
    case .float: .float(0)
    case .double: .double(0)
    case .string: .string("")
    case .binary: .data([])
    case .timestamp: .date(Timestamp(seconds: 0, nanoseconds: 0))
    case .decimal: .decimal(Decimal128(coefficient: 0, exponent: 0, isNegative: false))
    case .objectID: .objectID(ObjectID(head: 0, tail: 0))
    case .uuid: .uuid(RealmUUID(head: 0, tail: 0))
    case .mixed, .link, .linkList, .backlink, .typedLink, .list, .dictionary: .null
    }
  }
}
