import TestSupport
import Testing

@testable import RealmStorage

/// A realm with one indexed property, and what it should contain.
struct IndexedRealm {
  let folder: TemporaryFolder
  let path: String
  let property: Property
  var values: [ObjectKey: Value] = [:]

  static let table: RealmString = "class_T"

  init(_ property: Property, _ values: [Value]) throws {
    folder = try TemporaryFolder()
    path = folder.path("app.realm")
    self.property = property
    try RandomEditTests.writeEmptyRealm(at: path, nil)
    var made: [ObjectKey: Value] = [:]
    let transaction = try WriteTransaction(RealmFileTests.file(path, key: nil))
    let table = try transaction.addTable(Self.table)
    try table.addProperty(property)
    for value in values {
      let key = try table.create()
      try table.set(property.name, of: key, to: value)
      made[key] = value
    }
    try transaction.commit()
    self.values = made
  }

  /// Makes changes and commits them.
  ///
  /// - Parameter isInPlace: whether the index has to be changed in place.
  /// - Returns: bytes of nodes that were written.
  @discardableResult
  mutating func change(isInPlace: Bool = true, _ body: (inout Changes) throws -> Void) throws -> UInt64 {
    let transaction = try WriteTransaction(RealmFileTests.file(path, key: nil))
    let table = try transaction.table(Self.table)
    var changes = Changes(table: table, property: property.name, values: values)
    try body(&changes)
    values = changes.values
    let column = try table.column(property.name)
    let content = try #require(column.column.indexContent)
    if isInPlace { #expect(try !column.isIndexStale && table.indexes.edited(column, content) != nil) }
    try transaction.commit()
    return transaction.output.writtenByteCount
  }

  /// What a transaction does, and its result.
  struct Changes {
    let table: TableEditor
    let property: RealmString
    var values: [ObjectKey: Value]

    mutating func create(_ value: Value) throws {
      let key = try table.create()
      try table.set(property, of: key, to: value)
      values[key] = value
    }

    mutating func set(_ key: ObjectKey, _ value: Value) throws {
      try table.set(property, of: key, to: value)
      values[key] = value
    }

    mutating func delete(_ key: ObjectKey) throws {
      try table.delete(key)
      values[key] = nil
    }
  }

  // MARK: Checks

  /// The root of the index, and the bytes it is in.
  func index() throws -> (root: Ref, store: ByteStore, column: Column) {
    let snapshot = try RealmFileTests.opened(path, nil)
    let table = try #require(snapshot.tables.first { $0.schema.name == Self.table })
    let column = try #require(table.columns.first { $0.name == property.name })
    return (try table.clusterTop.indexes.childRef(column.leafIndex), snapshot.store, column)
  }

  /// Expects an undamaged realm, and an index as `IndexBuilder` builds it for the same values.
  ///
  /// - Parameter normal: what is compared of an index.
  func check(_ note: String, _ normal: (IndexTests.Entry) -> IndexTests.Entry = { $0 }) throws {
    #expect(try RealmFileTests.opened(path, nil).faults() == [], "\(note)")
    let index = try index()
    let image = NodeImage()
    let arena = ByteArena()
    let collector = IndexCollector(try #require(index.column.indexContent))
    for key in values.keys.sorted() {
      if case .list(let elements) = values[key] ?? .null, index.column.collection == .list {
        for element in elements { try collector.append(element.view(in: arena), of: key) }
      } else {
        try collector.append((values[key] ?? .null).view(in: arena), of: key)
      }
      try collector.finishObject(key)
    }
    let expected = try IndexBuilder(collector, NodeEncoder(image)).write()
    let found = normal(.level(try IndexTests.level(index.root, in: index.store)))
    #expect(found == normal(.level(try IndexTests.level(expected, in: image.store()))), "\(note)")
  }
}

extension SeededDice {
  /// One of several.
  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[Int(roll(UInt64(elements.count)))] }
}
