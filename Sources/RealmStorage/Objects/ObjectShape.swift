/// Which values are read of the objects of a table, and how they are found.
final class ObjectShape: Sendable {
  let table: Table
  /// Names of the values: properties, or paths.
  let columns: [String]
  fileprivate let paths: [ValuePath]
  /// Whether a value is behind a link.
  fileprivate let followsLinks: Bool
  /// Positions by name; nil if there are so few that looking through them is faster.
  private let positions: [String: Int]?

  /// All properties, in the order of the schema.
  convenience init(allOf table: Table) {
    let properties = table.schema.properties
    self.init(table, properties.map { "\($0.name)" }, properties.indices.map { ValuePath(links: [], property: $0) })
  }

  /// - Parameter columns: names of properties, and paths over links to one object, such as `owner.name`.
  /// - Throws: `NameError`.
  convenience init(_ table: Table, columns: [String], in snapshot: Snapshot) throws {
    self.init(table, columns, try columns.map { try ValuePath($0, from: table, in: snapshot) })
  }

  private init(_ table: Table, _ columns: [String], _ paths: [ValuePath]) {
    (self.table, self.columns, self.paths) = (table, columns, paths)
    followsLinks = paths.contains { !$0.links.isEmpty }
    let isLong = columns.count > 12
    positions = isLong ? Dictionary(zip(columns, columns.indices)) { first, _ in first } : nil
  }

  /// The position of a name; nil if it is not among the columns.
  func index(of column: String) -> Int? {
    guard let index = positions.map({ $0[column] }) ?? columns.firstIndex(of: column) else { return nil }
    return columns[index].hasBytes(of: column) ? index : columns.firstIndex { $0.hasBytes(of: column) }
  }

  /// The error for a name that is not among the columns.
  func unknown(_ column: String) -> NameError {
    let names = table.schema.properties.map { "\($0.name)" }
    guard names == columns || !names.contains(column) else { return .notRead(column, columns: columns) }
    return .noSuchProperty(column, className: "\(table.schema.displayName)", known: names)
  }

  /// The property of a column, and its class.
  func property(at index: Int) -> (property: Property, of: Table) {
    let table = paths[index].links.last?.target ?? table
    return (table.schema.properties[paths[index].property], table)
  }
}

/// The way from an object to one of its values, or to one of an object that it links to.
private struct ValuePath: Sendable {
  struct Link: Sendable {
    let property: Int
    let target: Table
  }

  let links: [Link]
  /// In the schema of the last link's target.
  let property: Int

  init(links: [Link], property: Int) { (self.links, self.property) = (links, property) }

  /// A name with dots in it may be that of a property.
  init(_ path: String, from table: Table, in snapshot: Snapshot) throws {
    var (links, table, rest): ([Link], Table, Substring) = ([], table, path[...])
    while true {
      let schema = table.schema
      if let index = schema.properties.firstIndex(where: { $0.name == RealmString(rest) }) {
        self.init(links: links, property: index)
        return
      }
      let names = schema.properties.map { "\($0.name)" }
      // The longest name that fits, because names may contain dots.
      let fitting = names.indices.filter { rest.utf8.starts(with: (names[$0] + ".").utf8) }
      guard let index = fitting.max(by: { names[$0].utf8.count < names[$1].utf8.count }) else {
        let name = rest.prefix { $0 != "." }
        throw NameError.noSuchProperty(
          String(name.isEmpty ? rest : name), className: "\(schema.displayName)", known: names)
      }
      let property = schema.properties[index]
      guard property.type == .object, property.collection == nil else {
        throw NameError.notALink(names[index], className: "\(schema.displayName)")
      }
      guard let target = snapshot.tables.first(where: { $0.schema.name == property.target }) else {
        throw snapshot.danglingLink(to: ObjectKey(rawValue: -1))
      }
      links.append(Link(property: index, target: target))
      table = target
      rest = Substring(rest.utf8.dropFirst(names[index].utf8.count + 1))
    }
  }
}

/// Reads the values of objects, batch after batch; an instance belongs to one piece of work.
struct RowReader {
  private let shape: ObjectShape
  private let snapshot: Snapshot
  private let walk: CollectionWalk
  private let decoded: DecodedRows?
  /// Of the batch in hand, for columns without links; empty if they are decoded.
  private var columns: [Result<PropertyValues, any Error>?] = []

  /// - Parameters:
  ///   - walk: for collections; one is made if it is nil.
  ///   - decoded: room for the values of a batch, of which all objects are wanted; nil if it is a few.
  init(
    _ shape: ObjectShape, in snapshot: Snapshot, _ walk: CollectionWalk? = nil, decodingInto decoded: DecodedRows? = nil
  ) {
    (self.shape, self.snapshot, self.decoded) = (shape, snapshot, decoded)
    self.walk = walk ?? snapshot.collectionWalk()
  }

  /// Turns to another batch.
  mutating func begin(_ batch: ObjectBatch) {
    guard let decoded else {
      columns = shape.paths.map { path in
        path.links.isEmpty ? Result { try batch.values(ofProperty: path.property) } : nil
      }
      return
    }
    decoded.forgetFailures()
    for (index, path) in shape.paths.enumerated() where path.links.isEmpty {
      do { decoded.decode(try batch.values(ofProperty: path.property), asColumn: index) } catch {
        decoded.fail(column: index, rows: batch.count, error)
      }
    }
  }

  /// The values of the object in a row of the batch that was begun.
  ///
  /// - Throws: `StorageError` if one cannot be read.
  func values(of batch: ObjectBatch, row: Int) throws -> [Value] {
    var values: [Value] = []
    let count = shape.columns.count
    values.reserveCapacity(count)
    if let decoded {
      for index in 0..<count {
        if shape.followsLinks, !shape.paths[index].links.isEmpty {
          values.append(try value(of: shape.paths[index], batch, row))
        } else {
          values.append(try Value(decoded.value(inColumn: index, row), walk))
        }
      }
      return values
    }
    for (index, column) in columns.enumerated() {
      if let column {
        values.append(try Value(column.get().value(at: row), walk))
      } else {
        values.append(try value(of: shape.paths[index], batch, row))
      }
    }
    return values
  }

  /// Null if a link on the way is null.
  private func value(of path: ValuePath, _ batch: ObjectBatch, _ row: Int) throws -> Value {
    var place = (batch: batch, row: row)
    for link in path.links {
      switch try place.batch.values(ofProperty: link.property).value(at: place.row) {
      case .link(_, let key):
        guard let target = try link.target.object(key) else { throw link.target.danglingLink(to: key) }
        place = target
      case .null: return .null
      default: throw StorageError.corrupted(place.batch.table.root, .badTable("a link property has other values"))
      }
    }
    let value = try place.batch.values(ofProperty: path.property).value(at: place.row)
    // Any number of objects may link to one.
    return try Value(value, snapshot.collectionWalk())
  }
}

/// The values of a batch, decoded a column at a time. They are borrowed: valid as long as those of the batch.
final class DecodedRows {
  /// Column after column.
  private let views: UnsafeMutableBufferPointer<ValueView>
  /// By position in `views`.
  private var failures: [Int: any Error] = [:]

  init(columnCount: Int) {
    views = .allocate(capacity: columnCount * Cluster.mostObjects)
    views.initialize(repeating: .null)
  }

  deinit { views.deallocate() }

  func forgetFailures() { failures.removeAll() }

  func decode(_ values: PropertyValues, asColumn column: Int) {
    let start = column * Cluster.mostObjects
    let room = UnsafeMutableBufferPointer(rebasing: views[start..<start + Cluster.mostObjects])
    values.decode(into: room) { row, error in
      failures[start + row] = error
    }
  }

  /// Notes that none of the values of a column can be read.
  func fail(column: Int, rows: Int, _ error: any Error) {
    for row in 0..<min(rows, Cluster.mostObjects) { failures[column * Cluster.mostObjects + row] = error }
  }

  /// - Throws: why the value cannot be read.
  func value(inColumn column: Int, _ row: Int) throws -> ValueView {
    let place = column * Cluster.mostObjects + row
    if !failures.isEmpty, let failure = failures[place] { throw failure }
    return views[place]
  }
}

extension Table {
  /// The values of the object with `key`, in the order of the schema; nil if there is none.
  ///
  /// - Throws: `StorageError.corrupted` if one of them is damaged.
  package func values(of key: ObjectKey, in snapshot: Snapshot) throws -> [Value]? {
    guard let place = try object(key) else { return nil }
    let walk = snapshot.collectionWalk()
    return try schema.properties.indices.map { index in
      try Value(place.batch.values(ofProperty: index).value(at: place.row), walk)
    }
  }
}
