import RealmModels
import RealmStorage
import RealmText

/// A SQLite file to compare. Its objects are identified by row number, which is the object key if they have no primary
/// key.
final class RelationalSide: DifferenceSide, @unchecked Sendable {
  private let file: RelationalFile
  private let reader: RelationalReader
  private let onProgress: @Sendable (Int) throws -> Void

  private static let objectsPerReport = 4096

  /// The same as for `SnapshotSide`.
  init(
    _ file: RelationalFile, other: Schema, style: JSONStringStyle,
    onProgress: @escaping @Sendable (Int) throws -> Void
  ) {
    (self.file, self.onProgress) = (file, onProgress)
    var leftOut: [RealmString: Set<RealmString>] = [:]
    let twins = Dictionary(other.tables.map { ($0.name, $0) }) { first, _ in first }
    for table in file.schema.classes {
      guard let twin = twins[table.name] else { continue }
      leftOut[table.name] = Set(table.properties.map(\.name)).subtracting(twin.properties.map(\.name))
    }
    reader = RelationalReader(file, style: style, leavingOut: leftOut, text: TextBuffer(capacity: 1 << 16))
  }

  var schema: Schema { file.schema }

  func table(_ className: RealmString) -> TableSchema? { file.table(className)?.schema }

  func objectCount(of className: RealmString) -> Int? { file.table(className).flatMap { try? file.count(of: $0) } }

  func entries(of className: RealmString, primaryKey: Int?) throws -> ObjectEntries {
    guard let position = file.position(className) else { return ObjectEntries(count: 0) }
    let plan = reader.plan(of: position)
    let keyColumn = primaryKey.flatMap { plan.table.column(ofProperty: $0) }
    let keyType = primaryKey.map { plan.table.schema.properties[$0].type }
    let rows = try file.database.prepare(RelationalReader.selection(from: plan.table))
    let number = plan.table.table.columns.count
    var entries = ObjectEntries(count: min(try file.count(of: plan.table), file.byteCount / 8))
    var hasher = Hasher()
    reader.spill = { text in
      text.withBytes { hasher.combine(bytes: $0) }
      text.removeAll()
    }
    defer { reader.spill = { _ in } }
    var pending = 0
    while try rows.step() {
      reader.text.removeAll()
      hasher = Hasher()
      try reader.writeMembers(rows, of: plan)
      reader.text.withBytes { hasher.combine(bytes: $0) }
      let hash = UInt64(bitPattern: Int64(hasher.finalize()))
      let row = ObjectKey(rawValue: rows.integer(number))
      if let keyColumn, let keyType {
        try entries.add(RelationalSide.key(rows.cell(keyColumn), keyType), row, hash: hash)
      } else {
        entries.add(row, hash: hash)
      }
      pending += 1
      if pending == Self.objectsPerReport {
        try onProgress(pending)
        pending = 0
      }
    }
    try onProgress(pending)
    entries.sort()
    return entries
  }

  func values(of key: ObjectKey, in className: RealmString, properties: [Int]) throws -> [[UInt8]] {
    guard let position = file.position(className) else { return [] }
    let plan = reader.plan(of: position)
    let row = try file.database.prepare(
      RelationalReader.selection(from: plan.table) + " WHERE \(RelationalReader.rowNumber(of: plan.table)) = ?1")
    try row.bind(.integer(key.rawValue), at: 0)
    guard try row.step() else { return properties.map { _ in [] } }
    return try properties.map { property in
      reader.text.removeAll()
      if let member = plan.members.first(where: { $0.property == property }) {
        try reader.write(member, row, of: plan)
      }
      return reader.text.withBytes { Array($0) }
    }
  }

  /// A primary key as stored in its column.
  private static func key(_ cell: RelationalRecords.Cell, _ type: PropertyType) -> ValueView {
    switch (type, cell) {
    case (.int, .integer(let number)): .int(number)
    case (.objectID, .text(let bytes)): ObjectID(text: bytes).map(ValueView.objectID) ?? .string(BlobView(bytes))
    case (.uuid, .text(let bytes)): RealmUUID(text: bytes).map(ValueView.uuid) ?? .string(BlobView(bytes))
    case (_, .text(let bytes)), (_, .blob(let bytes)): .string(BlobView(bytes))
    case (_, .integer(let number)): .int(number)
    case (_, .real), (_, .null): .null
    }
  }
}
