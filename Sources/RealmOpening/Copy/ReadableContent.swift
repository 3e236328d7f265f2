import RealmStorage
import RealmSystem

/// What can be read of a realm, in a few bytes: a digest of its schema and of all values, and how much cannot be read.
///
/// Two realms with the same content have the same one, whatever their formats are and wherever their nodes lie. Object keys
/// belong to the content, the schema version does not.
package struct ReadableContent: Equatable {
  private let digest: Digest256
  private let damageCount: Int
  private let damagedTableCount: Int

  /// - Parameter includesInternal: whether tables count that are not classes.
  /// - Throws: `StorageError` if bytes that are read in pages cannot be read again.
  package init(of snapshot: Snapshot, includesInternal: Bool = true) throws {
    let walk = ContentWalk(snapshot)
    let tables = snapshot.tables.filter { includesInternal || $0.schema.isClass }
    for table in tables.sorted(by: { $0.schema.name < $1.schema.name }) { try walk.add(table) }
    digest = walk.finish()
    (damageCount, damagedTableCount) = (walk.damageCount, snapshot.damagedTables.count)
  }

  /// Whether everything could be read.
  package var isComplete: Bool { damageCount == 0 && damagedTableCount == 0 }
}

/// Adds tables to a digest, object by object.
private final class ContentWalk {
  private let snapshot: Snapshot
  private let walk: CollectionWalk
  private var hash = SHA256()
  private var buffer: [UInt8] = []
  private(set) var damageCount = 0

  /// Bytes that are added to the digest at once.
  private static let bufferSize = 1 << 16
  /// Collections inside each other; engines write at most 100.
  private static let mostLevels = 400

  init(_ snapshot: Snapshot) {
    self.snapshot = snapshot
    var walk = snapshot.collectionWalk()
    walk.showsTombstones = true
    self.walk = walk
    buffer.reserveCapacity(Self.bufferSize + 1024)
  }

  func finish() -> Digest256 {
    flush()
    return hash.finish()
  }

  func add(_ table: Table) throws {
    let properties = table.schema.properties
    let order = properties.indices.sorted { properties[$0].name < properties[$1].name }
    add(table.schema, order)
    var batches = table.batches()
    while let step = batches.next() {
      switch step {
      case .batch(let batch): add(batch, order)
      case .damaged: addDamage()
      }
      if buffer.count >= Self.bufferSize { flush() }
      if snapshot.holdsTooManyPages {
        try snapshot.releasePages()
        if batches.restorePlaces() != nil { addDamage() }
      }
    }
  }

  private func add(_ schema: TableSchema, _ order: [Int]) {
    add(bytes: Array(schema.name.utf8))
    add(bytes: Array(schema.kind.rawValue.utf8))
    add(integer: schema.primaryKeyIndex.flatMap { order.firstIndex(of: $0) } ?? -1)
    add(integer: order.count)
    for index in order {
      let property = schema.properties[index]
      add(bytes: Array(property.name.utf8))
      add(integer: PropertyType.allCases.firstIndex(of: property.type) ?? -1)
      add(integer: property.collection.flatMap { CollectionKind.allCases.firstIndex(of: $0) } ?? -1)
      add(integer: property.isOptional ? 1 : 0)
      add(bytes: Array((property.target ?? "").utf8))
    }
  }

  private func add(_ batch: ObjectBatch, _ order: [Int]) {
    let columns = order.map { index in Result { try batch.values(ofProperty: index) } }
    for row in 0..<batch.count {
      add(integer: batch.key(at: row).rawValue)
      for column in columns {
        do { try add(column.get().value(at: row), 0) } catch { addDamage() }
      }
    }
  }

  private func add(_ value: ValueView, _ level: Int) throws {
    guard level < Self.mostLevels else { return addDamage() }
    switch value {
    case .null: add(tag: 0)
    case .int(let number): add(tag: 1, number)
    case .bool(let truth): add(tag: 2, truth ? 1 : 0)
    case .float(let number): add(tag: 3, number.bitPattern)
    case .double(let number): add(tag: 4, number.bitPattern)
    case .string(let text): try add(tag: 5, text)
    case .data(let data): try add(tag: 6, data)
    case .date(let date):
      add(tag: 7, date.seconds)
      add(integer: date.nanoseconds)
    case .decimal(let number):
      add(tag: 8, number.low)
      add(integer: number.high)
    case .objectID(let id):
      add(tag: 9, id.head)
      add(integer: id.tail)
    case .uuid(let id):
      add(tag: 10, id.head)
      add(integer: id.tail)
    case .link(let table, let key), .typedLink(let table, let key):
      add(tag: 11, key.rawValue)
      add(bytes: Array((snapshot.table(table)?.schema.name ?? "").utf8))
    case .list(let list), .set(let list):
      add(tag: 12)
      // In the order of format 24, so that its upgrade changes nothing.
      if case .set = value {
        try list.forEachOfSet(walk, damaged: { _ in addDamage() }) { try addElement($0, level) }
      } else {
        try list.forEach(walk, damaged: { _ in addDamage() }) { try addElement($0, level) }
      }
      add(tag: 14)
    case .dictionary(let dictionary):
      add(tag: 13)
      try dictionary.forEach(walk.sortingDictionaries, damaged: { _ in addDamage() }) { name, value in
        try add(tag: 5, name)
        try addElement(value, level)
      }
      add(tag: 14)
    }
  }

  private func addElement(_ value: ValueView, _ level: Int) throws {
    try add(value, level + 1)
    if buffer.count >= Self.bufferSize { flush() }
  }

  private func addDamage() {
    damageCount += 1
    add(tag: 255)
  }

  // MARK: Bytes

  private func add(tag: UInt8) { buffer.append(tag) }

  private func add(tag: UInt8, _ number: some FixedWidthInteger) {
    add(tag: tag)
    add(integer: number)
  }

  private func add(integer: some FixedWidthInteger) {
    withUnsafeBytes(of: UInt64(truncatingIfNeeded: integer).littleEndian) { buffer.append(contentsOf: $0) }
  }

  private func add(bytes: [UInt8]) {
    add(integer: bytes.count)
    buffer.append(contentsOf: bytes)
  }

  private func add(tag: UInt8, _ blob: BlobView) throws {
    add(tag: tag, blob.count)
    try blob.forEachPiece { piece in
      if piece.count > Self.bufferSize {
        flush()
        hash.add(piece)
      } else {
        buffer.append(contentsOf: piece)
      }
    }
  }

  private func flush() {
    buffer.withUnsafeBytes { hash.add($0) }
    buffer.removeAll(keepingCapacity: true)
  }
}
