import RealmStorage

/// A table of a damaged file: what is known about it, and where its objects are.
package final class RescuedTable {
  package let key: TableKey
  /// With properties that a realm can have; lost names are replaced by invented ones.
  package internal(set) var schema: TableSchema
  /// The number that the next object's key is made of.
  package let sequenceNumber: UInt64
  /// Where the description of the table comes from.
  package let confidence: RescueConfidence
  /// Number of objects according to the table; nil if that is lost.
  package internal(set) var expectedCount: Int?
  /// Whether the name is invented, because it is lost.
  package internal(set) var hasMadeUpName = false
  /// Whether the name of the table or of a property has bytes that no app gives to one.
  package internal(set) var hasDamagedName = false
  /// Properties whose names are lost, with the invented ones.
  package internal(set) var unnamedProperties: [RealmString] = []
  /// Objects that a second source in the live snapshot lists; nil if there is none.
  package internal(set) var listedKeys: Set<Int64>?
  /// Properties whose values cannot be read, because their type is lost.
  package internal(set) var lostProperties: [RealmString] = []

  /// Properties that are not what the keys of their columns say: what the checker finds about their values follows from
  /// that.
  var restated: Set<RealmString> = []

  let top: RescueTableTop?
  /// Where the file ended when the newest snapshot left was made, if a later one is lost, which wrote everything after
  /// that. Nil if nothing is lost, or it is not known.
  var endOfKnown: UInt64?
  /// The root of the tree of objects that the table was taken from; null if no tree is known to be that of the
  /// snapshot.
  var tree = Ref.null
  /// The table itself, in formats 2 to 9.
  private(set) var legacy: Table?
  /// Parallel to the properties of the schema.
  private(set) var columns: [Column] { didSet { columnNumbers = Self.numbers(of: columns) } }
  private var columnNumbers: [Int: Int]
  private(set) var backlinks: [BacklinkColumn]
  /// Columns of links that are not properties as long as nothing shows their target.
  private(set) var unresolved: [UnresolvedLink] = []
  /// Whether the columns were determined from the leaves of the objects, or are stated elsewhere, and have no names.
  package let isByStructure: Bool
  /// In the order of their keys.
  var places: [ClusterPlace] = []
  /// Other versions of the same objects, the best first.
  var alternatives: [ClusterPlace] = []
  /// Objects that only older snapshots have.
  var deleted: [ClusterPlace] = []
  var holes: [KeyHole] = []
  /// Indexes that the root of the table does not list, by leaf index.
  private var foundIndexes: [Int: Ref] = [:]
  /// Parts of the holes that were filled, ascending.
  var filled: [ClosedRange<UInt64>] = []
  /// Where the columns of links have their partner, by leaf index.
  private(set) var partners: [Int: ColumnKey]

  init(
    key: TableKey, schema: TableSchema, confidence: RescueConfidence, top: RescueTableTop?, columns: [Column],
    backlinks: [BacklinkColumn], partners: [Int: ColumnKey], isByStructure: Bool, unresolved: [UnresolvedLink] = []
  ) {
    (self.key, self.schema, self.confidence, self.top) = (key, schema, confidence, top)
    (self.columns, self.backlinks, self.partners) = (columns, backlinks, partners)
    columnNumbers = Self.numbers(of: columns)
    (self.isByStructure, self.unresolved) = (isByStructure, unresolved)
    sequenceNumber = top.map { min($0.objectSequence, UInt64(UInt32.max)) } ?? 0
  }

  /// Groups that its tree refers to and whose keys are lost.
  var unplaced: [Ref] { holes.flatMap(\.groups) }

  /// Whether some of its objects are lost, or come from elsewhere.
  package var hasHoles: Bool { holes.contains { !$0.isBehind } }

  /// A table of formats 2 to 9.
  ///
  /// - Parameter names: of all tables, without one that two have.
  convenience init(_ table: Table, names: [TableKey: RealmString]) {
    var (schema, propertyNames) = (table.schema, RescuedPropertyNames())
    schema.name = names[table.key] ?? schema.name
    var lost: [RealmString] = []
    for (index, column) in table.columns.enumerated() {
      schema.properties[index].name = propertyNames.name(column.name, at: index)
      guard schema.properties[index].type == .object else { continue }
      schema.properties[index].target = names[column.element.target]
      if schema.properties[index].target == nil { lost.append(schema.properties[index].name) }
    }
    schema.leaveOutWhatCannotBe()
    self.init(
      key: table.key, schema: schema, confidence: .current, top: nil, columns: table.columns, backlinks: [],
      partners: [:], isByStructure: false)
    (legacy, lostProperties) = (table, lost)
  }

  /// A table that is known only by its objects.
  convenience init(key: TableKey, named name: RealmString, byStructure spec: RescueSpec) {
    let columns = spec.properties.enumerated().compactMap { position, property -> Column? in
      guard let type = property.key.valueType, type != .link else { return nil }
      return Column(
        key: property.key, name: RescuedPropertyNames.madeUp(position),
        element: ElementType(
          type, isNullable: property.key.attributes.contains(.nullable)), collection: property.key.collection,
        enumeration: nil, index: .none)
    }
    let backlinks = spec.backlinks.map { BacklinkColumn(key: $0, originTable: .null, originColumn: .null) }
    let schema = TableSchema(name: name, properties: columns.map { $0.property { _ in nil } })
    let unresolved = columns.enumerated().compactMap { UnresolvedLink(likely: $1, schema.properties[$0], $0) }
    self.init(
      key: key, schema: schema, confidence: .found, top: nil, columns: columns, backlinks: backlinks, partners: [:],
      isByStructure: true, unresolved: unresolved)
  }

  private static func numbers(of columns: [Column]) -> [Int: Int] {
    Dictionary(columns.enumerated().map { ($1.leafIndex, $0) }) { first, _ in first }
  }

  /// The column at a leaf index.
  func column(at leafIndex: Int) -> Column? { columnNumbers[leafIndex].map { columns[$0] } }

  /// The leaves that the groups of objects have.
  var leafIndexes: [Int] { Set(columns.map(\.leafIndex) + backlinks.map(\.leafIndex)).sorted() }

  /// The root of a search index; nil if there is none, or it is lost.
  func indexRoot(at leafIndex: Int) -> Ref? { top?.indexRoot(at: leafIndex) ?? foundIndexes[leafIndex] }

  /// Takes an index that nothing leads to for that of a column. The description of the columns states all indexes but
  /// that of the primary key (Docs/Format/3-tables-and-objects.md §6.1).
  func setIndex(_ index: Int, root: Ref) {
    foundIndexes[columns[index].leafIndex] = root
    guard columns[index].index == .none, !isByStructure, top == nil, schema.primaryKeyIndex == nil,
      schema.kind != .embedded
    else { return }
    schema.primaryKeyIndex = index
  }

  /// Whether each leaf of a group is known to be that of a column.
  var knowsAllLeaves: Bool {
    guard isByStructure else { return true }
    return top.map { !$0.oppositeTables.isEmpty && leafIndexes == Array(0..<$0.oppositeTables.count) } ?? false
  }

  /// Whether the values of a property identify their objects.
  func hasIndex(_ index: Int) -> Bool {
    columns[index].collection == nil && (columns[index].index == .general || schema.primaryKeyIndex == index)
      && indexRoot(at: columns[index].leafIndex) != nil
  }

  /// Whether a tree is one of this table's objects: the number of them at its root counts only then.
  func isExpected(_ tree: RescueClusterTree, in bytes: RescueBytes) -> Bool {
    guard let count = tree.objectCount, count >= tree.holes.count else { return false }
    return count == 0 || tree.places.contains { fits($0.ref, in: bytes) }
  }

  /// Leaves room for what was written after the newest snapshot left: objects with keys that it had not assigned.
  func addHoleBehind(in bytes: RescueBytes) {
    guard legacy == nil, holes.last?.keys.upperBound != RescueClusterTree.allKeys.upperBound else { return }
    // The next key comes from the next number (Docs/Format/3-tables-and-objects.md §4.1).
    var first = UInt64(ObjectKey(spreading: UInt32(clamping: sequenceNumber)).rawValue.magnitude)
    if let cluster = places.last?.cluster(in: bytes), cluster.count > 0 {
      let key = cluster.key(at: cluster.count - 1)
      guard key.rawValue >= 0, key.rawValue < Int64.max else { return }
      let behind = UInt64(key.rawValue) + 1
      first = key.spreadNumber == nil ? behind : max(first, behind)
    }
    holes.append(KeyHole(keys: first...UInt64(Int64.max), ref: .null, isBehind: true))
  }

  /// Adds a group of objects in a hole.
  func insert(_ place: ClusterPlace) {
    let behind = firstIndex(in: filled.indices) { filled[$0].upperBound >= place.keys.lowerBound }
    guard behind == filled.count || !filled[behind].overlaps(place.keys) else { return }
    filled.insert(place.keys, at: behind)
    places.insert(place, at: firstIndex(in: places.indices) { places[$0].offset > place.offset })
  }

  // MARK: Links whose ends were lost

  /// Whether a property may link to objects of this table.
  func canBeLinked(by property: Property) -> Bool {
    schema.kind != .asymmetric && (property.collection != .set || schema.kind != .embedded)
  }

  /// Makes a column of links a property, or one of numbers a property of links.
  func resolve(_ link: UnresolvedLink, to target: RescuedTable, _ partner: BacklinkColumn) {
    var (column, property) = (link.column, link.property)
    column.element = ElementType(.link, isNullable: column.element.isNullable, target: target.key)
    property.target = target.schema.name
    if let index = columns.firstIndex(where: { $0.leafIndex == column.leafIndex }) {
      (columns[index], schema.properties[index]) = (column, property)
      if schema.primaryKeyIndex == index { schema.primaryKeyIndex = nil }
    } else {
      let others = unresolved.filter { other in
        other.position < link.position && !columns.contains { $0.leafIndex == other.column.leafIndex }
      }
      let index = min(link.position - others.count, columns.count)
      columns.insert(column, at: index)
      schema.properties.insert(property, at: index)
      if let primaryKey = schema.primaryKeyIndex, primaryKey >= index { schema.primaryKeyIndex = primaryKey + 1 }
      lostProperties.removeAll { $0 == property.name }
    }
    unresolved.removeAll { $0.position == link.position }
    partners[column.leafIndex] = partner.key
    target.setOrigin(of: partner, key, column.key)
  }

  private func setOrigin(of partner: BacklinkColumn, _ table: TableKey, _ column: ColumnKey) {
    guard let index = backlinks.firstIndex(where: { $0.key == partner.key }) else { return }
    // What looked like lists of numbers is something else.
    if let index = columns.firstIndex(where: { $0.leafIndex == partner.leafIndex }) {
      columns.remove(at: index)
      schema.properties.remove(at: index)
      if let primaryKey = schema.primaryKeyIndex, primaryKey >= index {
        schema.primaryKeyIndex = primaryKey == index ? nil : primaryKey - 1
      }
      unresolved.removeAll { $0.column.leafIndex == partner.leafIndex }
    }
    backlinks[index] = BacklinkColumn(key: partner.key, originTable: table, originColumn: column)
  }

  /// Makes the nodes that are kept present again, after pages were released.
  func restoreViews(in store: ByteStore) {
    for column in columns { try? column.enumeration?.makePresent(in: store) }
  }

  /// The group that a key belongs to, and the object's row there; nil if it is lost, or there is none.
  func find(_ key: ObjectKey, in bytes: RescueBytes) -> (cluster: RescueCluster, row: Int)? {
    let number = UInt64(bitPattern: key.rawValue)
    let behind = firstIndex(in: places.indices) { places[$0].offset > number }
    guard behind > 0, places[behind - 1].keys.contains(number) else { return nil }
    let place = places[behind - 1]
    guard let cluster = place.cluster(in: bytes), let row = cluster.row(of: key) else {
      return nil
    }
    return (cluster, row)
  }
}

extension RescuedTable {
  /// Whether the leaves of a group of objects are what the columns ask for, as far as they are there; at least one must
  /// be.
  func fits(_ ref: Ref, in bytes: RescueBytes) -> Bool {
    guard let cluster = RescueCluster(ref, offset: 0, in: bytes), cluster.count > 0 else { return false }
    let incoming = Set(backlinks.map(\.leafIndex))
    var sound = 0
    for index in 0..<cluster.leafCount {
      let (child, isKnown) = (cluster.leafRef(index), columnNumbers[index] != nil || incoming.contains(index))
      if !isKnown, !lostProperties.isEmpty || isByStructure { continue }
      // A column that was added later is not in older groups.
      guard isKnown || child == nil else { return false }
      guard let child, let node = try? Node(child, in: bytes.store) else { continue }
      guard let count = count(of: node, index, in: bytes), count == cluster.count else { return false }
      sound += 1
    }
    return sound > 0
  }

  /// Takes the number of a group's objects from its leaves, where these agree on another one than the group says: each has
  /// a value for each object (Docs/Format/3-tables-and-objects.md §4).
  func correctCounts(in bytes: RescueBytes) {
    for index in places.indices {
      bytes.letGoOfPages()
      if let cluster = places[index].cluster(in: bytes) { places[index].run = correctedRun(of: cluster, in: bytes) }
    }
    correctHoles(lackingLeaves: false, in: bytes)
  }

  /// Fills holes with groups of which the number of objects is lost, but not the leaves.
  ///
  /// - Parameter lackingLeaves: takes groups of which some leaves are lost as well, unless something else is in their place:
  ///   whole groups can be found otherwise.
  func correctHoles(lackingLeaves: Bool, in bytes: RescueBytes) {
    holes.removeAll { hole in
      bytes.letGoOfPages()
      let offset = hole.keys.lowerBound
      guard !filled.contains(where: { $0.overlaps(hole.keys) }),
        let cluster = RescueCluster(hole.ref, offset: offset, in: bytes, ignoringCount: true),
        lackingLeaves || leafIndexes.allSatisfy({ cluster.leafRef($0) != nil }),
        let run = correctedRun(of: cluster, in: bytes)
      else { return false }
      places.append(ClusterPlace(ref: hole.ref, offset: offset, keys: hole.keys, confidence: .current, run: run))
      return true
    }
    places.sort { $0.offset < $1.offset }
  }

  /// Removes nodes that are no groups of this table: a ref to one may lead to any other node.
  ///
  /// - Parameter leaves: of the groups of all tables.
  func removeForeignGroups(_ leaves: Set<Ref>, in bytes: RescueBytes) {
    places.removeAll { place in
      bytes.letGoOfPages()
      guard place.ref != tree, leaves.contains(place.ref) || place.run == nil && isForeign(place, in: bytes) else {
        return false
      }
      holes.append(KeyHole(keys: place.keys, ref: place.ref))
      return true
    }
    holes.sort { $0.keys.lowerBound < $1.keys.lowerBound }
  }

  /// Whether a node lacks leaves of a group or has others, and few of those that it has are what the columns ask for.
  private func isForeign(_ place: ClusterPlace, in bytes: RescueBytes) -> Bool {
    guard bytes.wholeNode(place.ref) != nil, let cluster = place.cluster(in: bytes) else { return false }
    let leaves = leafIndexes.map { cluster.leafRef($0) }
    let sound = zip(leafIndexes, leaves).count { leafIndex, ref in
      guard let node = ref.flatMap(bytes.wholeNode) else { return false }
      return count(of: node, leafIndex, in: bytes) == cluster.count
    }
    let hasOthers = cluster.leafCount > (leafIndexes.last ?? 0) + 1
    return hasOthers && sound * 2 < leaves.count || leaves.contains(nil) && sound * 4 < leaves.count
  }

  private func correctedRun(of cluster: RescueCluster, in bytes: RescueBytes) -> LeafRun? {
    guard cluster.keysRef == nil else { return nil }
    let counts = leafIndexes.compactMap { leafIndex in
      cluster.leafRef(leafIndex).flatMap(bytes.wholeNode).flatMap { count(of: $0, leafIndex, in: bytes) }
    }
    // Of two numbers that nothing else knows the smaller one invents no objects.
    guard let count = counts.first, count != cluster.count,
      counts.count > 1 || leafIndexes.count == 1 && count < cluster.count,
      counts.allSatisfy({ $0 == count }),
      counts.count * 2 > leafIndexes.count,
      (1...Cluster.mostObjects).contains(count)
    else { return nil }
    return LeafRun(count: count, keys: .null, leaves: (0..<cluster.leafCount).map { cluster.leafRef($0) ?? .null })
  }

  /// How many leaves of a group of objects have values of their columns' types, less those that have others.
  func agreement(with ref: Ref, in bytes: RescueBytes) -> Int {
    guard let cluster = RescueCluster(ref, offset: 0, in: bytes), cluster.count > 0 else { return 0 }
    let incoming = Set(backlinks.map(\.leafIndex))
    return (0..<cluster.leafCount).reduce(0) { agreement, index in
      guard let child = cluster.leafRef(index), let node = try? Node(child, in: bytes.store) else { return agreement }
      let isKnown = columnNumbers[index] != nil || incoming.contains(index)
      let fits =
        isKnown && count(of: node, index, in: bytes) == cluster.count && hasLikelyValues(node, index, in: bytes)
      return agreement + (fits ? 1 : -1)
    }
  }

  /// Whether the values of a leaf look like those of the column's type.
  private func hasLikelyValues(_ node: Node, _ leafIndex: Int, in bytes: RescueBytes) -> Bool {
    guard let column = column(at: leafIndex), column.enumeration == nil else { return true }
    if let kind = column.collection { return hasLikelyCollections(node, column.element, kind, in: bytes) }
    switch column.element.code {
    case .link, .int: return true
    case .bool:
      let null: Int64? = column.element.isNullable ? 3 : nil
      return (0..<node.count).allSatisfy { 0...1 ~= node.uncheckedInt($0) || node.uncheckedInt($0) == null }
    case let code:
      var evidence = ColumnShapes.LeafEvidence()
      let shape = ColumnShapes.Shape(code: code, isNullable: column.element.isNullable)
      return count(of: node, leafIndex, in: bytes).map { shape.fits(node, $0, in: bytes.store, &evidence) } ?? false
    }
  }

  /// Whether what a leaf leads to looks like collections of the column's kind and type.
  private func hasLikelyCollections(
    _ node: Node, _ element: ElementType, _ kind: CollectionKind, in bytes: RescueBytes
  ) -> Bool {
    let isDictionary = kind == .dictionary
    let hasNumbers = element.code == .link || element.code == .bool
    let code = isDictionary ? .mixed : hasNumbers ? .int : element.code
    var evidence = ColumnShapes.LeafEvidence()
    evidence.elements = [(ColumnShapes.Shape(code: code, isNullable: isDictionary || element.isNullable), false)]
    let shape = ColumnShapes.Shape(code: code, collection: isDictionary ? .dictionary : .list)
    return shape.fits(node, node.count, in: bytes.store, &evidence)
  }

  /// The number of values of a leaf, if it is one of the column.
  func count(of node: Node, _ leafIndex: Int, in bytes: RescueBytes) -> Int? {
    guard let column = column(at: leafIndex) else {
      return node.flags & 0xf8 == 0x40 ? node.count : nil
    }
    if let collection = column.collection {
      return try? Leaf(node.ref, of: collection, column.element, in: bytes.store).count
    }
    return try? Leaf(
      node.ref, of: column.element, enumeration: column.enumeration, inCollection: false, in: bytes.store
    ).count
  }
}

extension Value {
  /// Zero bytes in a row that no app writes to a text, and as many as it has where it has no others.
  private static let (mostZeros, fewestZeros) = (256, 2)

  /// Whether a value contains text that no app writes, at any depth: not UTF-8, or zeros.
  var hasBrokenText: Bool {
    func isWiped(_ text: [UInt8]) -> Bool {
      guard text.contains(0) else { return false }
      let longest = text.split(omittingEmptySubsequences: true) { $0 != 0 }.map(\.count).max() ?? 0
      return longest >= max(Self.fewestZeros, min(text.count, Self.mostZeros))
    }
    return switch self {
    case .string(let text): !text.isValidText || isWiped(text.utf8)
    case .list(let elements), .set(let elements): elements.contains(where: \.hasBrokenText)
    case .dictionary(let entries): entries.contains { !$0.key.isValidText || $0.value.hasBrokenText }
    default: false
    }
  }
}

extension ValueView {
  /// Whether a value that is not a collection surely has no broken text, and is in one piece.
  var isSimple: Bool {
    switch self {
    case .string(let text):
      text.contiguous.map { $0.isSimpleText || !Value.string(RealmString($0)).hasBrokenText } ?? false
    case .data(let data): data.contiguous != nil
    case .list, .set, .dictionary: false
    default: true
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Whether there are only bytes from 1 to 127.
  fileprivate var isSimpleText: Bool {
    var place = 0
    var found: UInt64 = 0
    while place + 8 <= count {
      let word = loadUnaligned(fromByteOffset: place, as: UInt64.self)
      found |= word | (word &- 0x0101_0101_0101_0101)
      place += 8
    }
    while place < count {
      found |= UInt64(self[place] | (self[place] &- 1))
      place += 1
    }
    return found & 0x8080_8080_8080_8080 == 0
  }
}

/// Objects of a rescued table that lie together.
package struct RescuedBatch {
  package let table: RescuedTable
  /// Ascending.
  package let keys: [ObjectKey]
  /// Why these objects are known to exist.
  package let confidence: RescueConfidence
  /// Whether no snapshot left has these objects, which were written after the newest of those.
  package let isOfLostCommit: Bool
  private let source: Source
  private let reader: RescueReader

  private enum Source {
    case cluster(Rows)
    /// Of formats 2 to 9.
    case rows(RescuedRows)
  }

  private struct Rows {
    let rows: [Int]
    let place: ClusterPlace
  }

  /// Objects of formats 2 to 9.
  init(_ table: RescuedTable, _ rows: RescuedRows, _ reader: RescueReader) {
    (self.table, keys, confidence, source, self.reader) = (table, rows.keys, .current, .rows(rows), reader)
    isOfLostCommit = false
  }

  /// - Parameter lower: smaller keys came before.
  init?(_ table: RescuedTable, _ place: ClusterPlace, notBelow lower: UInt64, _ reader: RescueReader) {
    guard let cluster = place.cluster(in: reader.bytes) else { return nil }
    let rows = (0..<cluster.count).filter { row in
      let key = UInt64(bitPattern: cluster.key(at: row).rawValue)
      return key >= lower && place.keys.contains(key)
    }
    guard !rows.isEmpty else { return nil }
    keys = rows.map { cluster.key(at: $0) }
    guard zip(keys, keys.dropFirst()).allSatisfy({ $0 < $1 }) else { return nil }
    (self.table, self.reader) = (table, reader)
    source = .cluster(Rows(rows: rows, place: place))
    confidence = place.isOfLostCommit ? place.confidence : max(place.confidence, table.confidence)
    isOfLostCommit = place.isOfLostCommit
  }

  /// The values of one property, one for each key. What is lost is looked for in other versions of the objects.
  package func cells(ofProperty index: Int) -> [RescuedCell] {
    let column = table.columns[index]
    let known: Rows
    switch source {
    case .rows(let rows):
      var cells = rows.cells(ofProperty: index) { reader.isPossible($0, in: column) }
      // Engines of these formats write texts of zeros.
      if !reader.isSound { doubtTexts(&cells, column) }
      return cells
    case .cluster(let rows): known = rows
    }
    // Reading what is compared may have given the pages of the group back.
    guard let cluster = known.place.cluster(in: reader.bytes) else {
      return Array(repeating: .lost, count: keys.count)
    }
    let all = reader.cells(of: column, in: cluster, confidence: confidence, mustBeFree: known.place.confidence > .found)
    let leaf = cluster.leafRef(column.leafIndex)
    var cells = known.rows.map { all[$0] }
    if !reader.isSound { compare(&cells, column) }
    // The checker, like the engine, does not look at the characters of a text.
    doubtTexts(&cells, column)
    if column.element.code == .link { fillFromTargets(&cells, column) }
    if table.hasIndex(index), column.element.code == .int, !column.element.isNullable {
      fillFromIndex(&cells, column, leaf)
    }
    if table.unresolved.contains(where: { $0.column.leafIndex == column.leafIndex && !$0.isCertain }) {
      doubtNumbers(&cells)
    }
    guard !table.alternatives.isEmpty else { return cells }
    for (position, cell) in cells.enumerated() {
      guard case .lost = cell else { continue }
      fill(&cells, from: position, column, excluding: known.place, leaf)
      break
    }
    return cells
  }

  /// The values of one property where they are in the file, one for each key, if it is certain that nothing contradicts
  /// one of them or is missing; otherwise nil.
  func undoubtedViews(ofProperty index: Int) -> [ValueView]? {
    guard reader.isSound, confidence <= .found, table.unresolved.isEmpty, case .cluster(let known) = source,
      known.place.confidence <= .found, let cluster = known.place.cluster(in: reader.bytes),
      let views = reader.views(of: table.columns[index], in: cluster)
    else { return nil }
    return known.rows.count == cluster.count ? views : known.rows.map { views[$0] }
  }

  /// Marks values as doubtful that the other end of a link, or the search index, contradicts, and takes links from the
  /// other end where that is right.
  private func compare(_ cells: inout [RescuedCell], _ column: Column) {
    let root = column.index == .general && column.collection == nil ? table.top?.indexRoot(at: column.leafIndex) : nil
    var doubtful: [Int] = []
    var differences: [Int: RescueIndexEntries.Difference] = [:]
    for (position, cell) in cells.enumerated() {
      guard case .value(let value, let confidence) = cell, confidence <= .found else { continue }
      if column.element.code == .link {
        guard reader.backlinks.contradicts(value, of: column, in: table, keys[position], reader) else { continue }
        if let found = reader.backlinks.settledValue(of: column, in: table, keys[position], reader) {
          cells[position] = .value(found.value, max(confidence, found.confidence))
        } else {
          doubtful.append(position)
        }
      } else if let root {
        differences[position] = reader.difference(from: value, of: keys[position], indexAt: root)
      }
    }
    if let root, !differences.isEmpty {
      doubtful = contradicted(differences, reader.indexes.entries(below: root))
      // If half of the values are wrong, the index is.
      guard doubtful.count * 2 <= max(cells.count, 2) else { return }
    }
    for position in doubtful {
      guard case .value(let value, _) = cells[position] else { continue }
      // Two objects do not have one key: where the index has it for another one, it says which this one had.
      let others = isPrimaryKey(column) ? root.flatMap { reader.objects(with: value, indexAt: $0) } : nil
      cells[position] = others?.isEmpty ?? true ? .value(value, .doubtful) : .lost
    }
  }

  private func isPrimaryKey(_ column: Column) -> Bool { table.schema.primaryKey?.name == column.name }

  /// The positions of values that an index contradicts.
  private func contradicted(
    _ differences: [Int: RescueIndexEntries.Difference], _ entries: RescueIndexEntries
  ) -> [Int] {
    let groups = Dictionary(grouping: differences.keys) { differences[$0] }
    return groups.values.flatMap { positions -> [Int] in
      // If several values have another chunk in common, and no value has that of the index, the index is wrong.
      guard positions.count > 1, let difference = differences[positions[0]] else { return positions }
      let isConfirmed = keys.indices.contains { position in
        !(differences[position]?.isAtSameEntry(as: difference) ?? false)
          && entries.leads(through: difference, to: keys[position])
      }
      return isConfirmed ? positions : []
    }.sorted()
  }

  /// Marks texts as doubtful that no app writes.
  private func doubtTexts(_ cells: inout [RescuedCell], _ column: Column) {
    guard column.element.code == .string || column.element.code == .mixed else { return }
    for (position, cell) in cells.enumerated() {
      if case .value(let value, _) = cell, value.hasBrokenText { cells[position] = .value(value, .doubtful) }
    }
  }

  /// Marks lists of numbers as doubtful if no description confirms them: most lists of numbers in a file are lists of
  /// links.
  private func doubtNumbers(_ cells: inout [RescuedCell]) {
    for (position, cell) in cells.enumerated() {
      if case .value(.list(let elements), _) = cell, !elements.isEmpty {
        cells[position] = .value(.list(elements), .doubtful)
      }
    }
  }

  private func fillFromTargets(_ cells: inout [RescuedCell], _ column: Column) {
    for (position, cell) in cells.enumerated() {
      guard case .lost = cell, let found = reader.backlinks.value(of: column, in: table, keys[position]) else {
        continue
      }
      cells[position] = .value(found.value, max(confidence, found.confidence))
    }
  }

  private func fillFromIndex(_ cells: inout [RescuedCell], _ column: Column, _ leaf: Ref?) {
    // An index that was found may be older than the values, except for values that never change.
    let leafIndex = column.leafIndex
    guard
      let root = isPrimaryKey(column) ? table.indexRoot(at: leafIndex) : table.top?.indexRoot(at: leafIndex)
    else { return }
    for (position, cell) in cells.enumerated() {
      guard case .lost = cell,
        let found = reader.indexes.number(of: keys[position], root: root, leaf: leaf),
        found.isCertain || isPrimaryKey(column)
      else { continue }
      cells[position] = .value(.int(found.number), max(confidence, found.isCertain ? .found : .doubtful))
    }
  }

  private func fill(
    _ cells: inout [RescuedCell], from first: Int, _ column: Column, excluding known: ClusterPlace, _ leaf: Ref?
  ) {
    guard let low = keys.first, let high = keys.last else { return }
    let range = UInt64(bitPattern: low.rawValue)...UInt64(bitPattern: high.rawValue)
    var tried = 0
    for other in table.alternatives where other.keys.overlaps(range) && other.ref != known.ref {
      // Versions that begin elsewhere hardly ever have the same objects.
      guard other.offset <= range.upperBound, tried < Self.mostVersions,
        let version = other.cluster(in: reader.bytes),
        version.leafRef(column.leafIndex) != leaf
      else { continue }
      let found = (first..<keys.count).compactMap { position -> (position: Int, row: Int)? in
        guard case .lost = cells[position] else { return nil }
        return version.row(of: keys[position]).map { (position, $0) }
      }
      guard !found.isEmpty else { continue }
      tried += 1
      // The group itself is there: other versions are from another time.
      let values = reader.cells(of: column, in: version, confidence: max(other.confidence, .earlier), mustBeFree: true)
      for (position, row) in found { cells[position] = values[row] }
    }
  }

  private static let mostVersions = 8
}

extension TableSchema {
  /// Leaves out indexes and a primary key that no realm can have.
  mutating func leaveOutWhatCannotBe() {
    for index in properties.indices where !properties[index].allows(properties[index].index) {
      properties[index].index = .none
    }
    guard let primaryKey, primaryKey.canBePrimaryKey, kind != .embedded else { return primaryKeyIndex = nil }
  }
}
