import RealmStorage

/// The objects of one class that were read but not written yet: at most as many as fit in a cluster.
///
/// After every 256 complete objects, their values are passed to the table builder, property by property. If a property
/// links to objects that have not been read yet, its values are kept until they have.
final class ClassStage {
  let number: Int
  let table: TableBuilder
  /// By property.
  private let types: [PropertyType]
  private let values = StagedValues()
  /// The staged values, object after object.
  private var cells: [StagedCell] = []
  private var keys: [ObjectKey] = []
  /// Properties with a pending link among the staged rows.
  private var hasPending: [Bool]
  /// Properties of clusters that are written without them.
  private var deferred: [DeferredColumn] = []
  private let pieces: SpilledPieces
  private let writer = StagedCellWriter()
  private var last: ObjectKey?
  /// Whether the data has given an object of the class its key.
  var keepsKeys = false

  /// One property of one cluster, with links that are to be resolved.
  private struct DeferredColumn {
    let cluster: Int
    let property: Int
    /// Its cells, as `StagedCellWriter` writes them.
    let piece: SpilledPieces.Piece
  }

  /// Objects per cluster (Docs/Format/3-tables-and-objects.md §4.2).
  private static let rowLimit = 256

  init(number: Int, table: TableBuilder, _ spill: Spill) {
    (self.number, self.table, pieces) = (number, table, SpilledPieces(spill))
    types = table.schema.properties.map(\.type)
    hasPending = Array(repeating: false, count: types.count)
  }

  /// Objects so far.
  var count: Int { table.count + keys.count }

  /// The key the engine would make for the next object (Docs/Format/3-tables-and-objects.md §4.5).
  func nextKey() throws -> ObjectKey {
    guard table.schema.primaryKeyIndex == nil else { return ObjectKey(rawValue: Int64(count)) }
    guard let number = UInt32(exactly: count) else { throw BuildError.nodeTooLarge(elementCount: count) }
    return ObjectKey(spreading: number)
  }

  /// Takes over a complete object.
  func append(_ cells: [StagedCell], _ objectValues: StagedValues, key: ObjectKey, resolve: LinkResolution) throws {
    let move = values.take(objectValues)
    for cell in cells { self.cells.append(move(cell)) }
    keys.append(key)
    last = key
    if keys.count == Self.rowLimit { try flush(resolve) }
  }

  /// Records that a value of a property links to an object that has not been read yet.
  func notePending(_ property: Int) { hasPending[property] = true }

  /// Whether a key may be the next one.
  func ascends(_ key: ObjectKey) -> Bool { key.rawValue >= 0 && last.map { $0 < key } ?? true }

  // MARK: Writing

  /// Writes the staged objects.
  func flush(_ resolve: LinkResolution) throws {
    guard !keys.isEmpty else { return }
    let cluster = table.nextCluster
    try table.append(count: keys.count, keyAt: { keys[$0] }) { property, numbers, column in
      if hasPending[property], case let staged = self.staged(property),
        staged.contains(where: { isPending($0, resolve) })
      {
        let piece = try writer.withBytes(of: staged, values) { try pieces.append($0) }
        deferred.append(DeferredColumn(cluster: cluster, property: property, piece: piece))
        return false
      }
      let copy = StagedCopy(values: values, type: types[property], resolve: resolve)
      for number in numbers { try copy(cells[number * types.count + property], into: column) }
      return true
    }
    values.removeAll()
    keys.removeAll(keepingCapacity: true)
    cells.removeAll(keepingCapacity: true)
    for property in types.indices { hasPending[property] = false }
  }

  /// The staged values of a property.
  private func staged(_ property: Int) -> [StagedCell] {
    keys.indices.map { cells[$0 * types.count + property] }
  }

  /// Writes the values that were kept back, once all objects have been read.
  func writeDeferred(_ resolve: LinkResolution) throws {
    let copies = StagedValues()
    for column in deferred.reversed() {
      try pieces.withBytes(of: column.piece) { bytes in
        copies.removeAll()
        var reader = StagedCellReader(bytes, into: copies)
        try table.fill(cluster: column.cluster, property: column.property) { count, builder in
          let copy = StagedCopy(values: copies, type: types[column.property], resolve: resolve)
          for _ in 0..<count { try copy(reader.next(), into: builder) }
        }
      }
    }
  }

  /// Reports each link to an object that has not been read.
  ///
  /// - Parameter body: gets the link, the property and the object.
  /// - Throws: `OutputError.temporary`.
  func forEachPendingLink(_ resolve: LinkResolution, _ body: (StagedCell, Int, ObjectKey) -> Void) throws {
    func look(_ cell: StagedCell, _ values: StagedValues, _ property: Int, _ key: ObjectKey) {
      switch cell.kind {
      case .pendingLink: if resolve.object(of: cell) == nil { body(cell, property, key) }
      case .list, .set, .dictionary:
        for element in cell.start..<cell.start + cell.elementCount {
          look(values.elements[element], values, property, key)
        }
      default: break
      }
    }
    let copies = StagedValues()
    for column in deferred {
      try pieces.withBytes(of: column.piece) { bytes in
        copies.removeAll()
        var reader = StagedCellReader(bytes, into: copies)
        for key in table.keys(ofCluster: column.cluster) { look(reader.next(), copies, column.property, key) }
      }
    }
    for property in types.indices where hasPending[property] {
      for (cell, key) in zip(staged(property), keys) { look(cell, values, property, key) }
    }
  }

  private func isPending(_ cell: StagedCell, _ resolve: LinkResolution) -> Bool {
    switch cell.kind {
    case .pendingLink: resolve.object(of: cell) == nil
    case .list, .set, .dictionary:
      (cell.start..<cell.start + cell.elementCount).contains { isPending(values.elements[$0], resolve) }
    default: false
    }
  }
}

/// Finds the targets of links.
protocol LinkResolution {
  /// The key of the target of a pending link; nil if it has not been read.
  func object(of cell: StagedCell) -> ObjectKey?
  /// The table of a class.
  func table(_ classNumber: Int) -> TableKey
}

/// Hands staged values to a column.
struct StagedCopy {
  /// A pending link to an object that was never read.
  struct UnresolvedLink: Error {}

  let values: StagedValues
  /// The type of the property.
  let type: PropertyType
  let resolve: any LinkResolution

  func callAsFunction(_ cell: StagedCell, into column: ColumnBuilder) throws {
    switch cell.kind {
    case .list:
      try column.begin(.list)
      for index in cell.start..<cell.start + cell.count { try self(values.elements[index], into: column) }
      try column.end()
    case .set: try copySet(cell, into: column)
    case .dictionary:
      try column.begin(.dictionary)
      for index in stride(from: cell.start, to: cell.start + cell.elementCount, by: 2) {
        try column.append(key: values.blob(values.elements[index]))
        try self(values.elements[index + 1], into: column)
      }
      try column.end()
    default: try column.append(try view(cell))
    }
  }

  /// Sets are sorted here, not earlier: links are sorted by object key, and the keys may not be known before.
  private func copySet(_ cell: StagedCell, into column: ColumnBuilder) throws {
    let elements = try (cell.start..<cell.start + cell.count).map { try view(values.elements[$0]) }
    try column.begin(.set)
    for element in ValueOrder.sortedSet(elements, of: type) { try column.append(element) }
    try column.end()
  }

  private func link(_ cell: StagedCell, to key: ObjectKey) -> ValueView {
    let table = resolve.table(cell.classNumber)
    return cell.isInMixed ? .typedLink(table, key) : .link(table, key)
  }

  private func view(_ cell: StagedCell) throws -> ValueView {
    switch cell.kind {
    case .missing, .null: return .null
    case .int: return .int(Int64(bitPattern: cell.first))
    case .bool: return .bool(cell.first != 0)
    case .float: return .float(Float(bitPattern: UInt32(truncatingIfNeeded: cell.first)))
    case .double: return .double(Double(bitPattern: cell.first))
    case .string: return .string(values.blob(cell))
    case .data: return .data(values.blob(cell))
    case .date: return .date(cell.date)
    case .decimal: return .decimal(Decimal128(low: cell.first, high: cell.second))
    case .objectID: return .objectID(ObjectID(head: cell.first, tail: cell.small))
    case .uuid: return .uuid(RealmUUID(head: cell.first, tail: cell.second))
    case .link: return link(cell, to: cell.objectKey)
    case .pendingLink:
      guard let key = resolve.object(of: cell) else { throw UnresolvedLink() }
      return link(cell, to: key)
    case .list, .set, .dictionary: throw BuildError.wrongType
    }
  }
}
