import RealmStorage

/// Reads values of any objects of one state of a realm, and keeps at hand what it found last.
final class SnapshotReader {
  let snapshot: Snapshot
  private var readers: [TableKey: TableReader] = [:]
  private var incomingLinks: [LinkName: (origin: TableKey, index: Int)?] = [:]

  /// A property of a class that links to a table.
  private struct LinkName: Hashable {
    let target: TableKey
    let className: RealmString
    let property: RealmString
  }

  init(_ snapshot: Snapshot) { self.snapshot = snapshot }

  /// Nil if no such table exists.
  func table(_ key: TableKey) -> TableReader? {
    if let reader = readers[key] { return reader }
    guard let table = snapshot.table(key) else { return nil }
    let reader = TableReader(table, snapshot)
    readers[key] = reader
    return reader
  }

  /// Where a table keeps the incoming links by a property of a class; nil if there are none.
  func incomingLink(
    to target: Table, from className: RealmString, by property: RealmString
  ) -> (origin: TableKey, index: Int)? {
    let name = LinkName(target: target.key, className: className, property: property)
    if let known = incomingLinks[name] { return known }
    let tableName = TableSchema.tableName(ofClass: className)
    var found: (origin: TableKey, index: Int)?
    if let origin = snapshot.tables.first(where: { $0.schema.name == tableName }),
      let place = origin.schema.properties.firstIndex(where: { $0.name == property }),
      let index = snapshot.incomingLinks(to: target).firstIndex(where: {
        $0.origin == origin.key && $0.propertyIndex == place
      })
    {
      found = (origin.key, index)
    }
    incomingLinks[name] = .some(found)
    return found
  }

  /// Releases pages if there are too many. Everything borrowed before is then invalid.
  func releasePagesIfNeeded() throws {
    guard snapshot.holdsTooManyPages else { return }
    forgetPlaces()
    try snapshot.releasePages()
  }

  /// Everything borrowed is now invalid.
  func forgetPlaces() { for reader in readers.values { reader.forgetPlace() } }
}

/// Reads the values of a table's objects.
final class TableReader {
  let table: Table
  private let snapshot: Snapshot
  private var batch: ObjectBatch?
  private(set) var row = 0
  private var columns: [PropertyValues?]
  private let indexes: [RealmString: Int]

  init(_ table: Table, _ snapshot: Snapshot) {
    (self.table, self.snapshot) = (table, snapshot)
    columns = Array(repeating: nil, count: table.schema.properties.count)
    indexes = Dictionary(
      table.schema.properties.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  func index(of property: RealmString) -> Int? { indexes[property] }

  /// Goes to an object.
  ///
  /// - Returns: false if there is none with that key; the current place is then lost.
  func seek(_ key: ObjectKey) throws -> Bool {
    if let row = batch?.row(of: key) {
      self.row = row
      return true
    }
    guard let place = try table.object(key) else {
      forgetPlace()
      return false
    }
    go(to: place.batch, row: place.row)
    return true
  }

  /// Goes to an object of a batch.
  func go(to batch: ObjectBatch, row: Int) {
    self.batch = batch
    self.row = row
    for index in columns.indices { columns[index] = nil }
  }

  /// Goes to another object of the same batch.
  func go(toRow row: Int) { self.row = row }

  func forgetPlace() {
    batch = nil
    for index in columns.indices { columns[index] = nil }
  }

  /// A value of the object, lent until the next page is given back.
  func view(_ index: Int) throws -> ValueView {
    if let column = columns[index] { return try column.value(at: row) }
    guard let batch else { return .null }
    let column = try batch.values(ofProperty: index)
    columns[index] = column
    return try column.value(at: row)
  }

  /// A value of the object, with everything in it.
  func value(_ index: Int) throws -> Value {
    switch try view(index) {
    case .int(let number): .int(number)
    case .null: .null
    case let view: try Value(view, snapshot.collectionWalk())
    }
  }
}
