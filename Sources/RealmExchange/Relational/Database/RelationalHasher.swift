import RealmModels
import RealmStorage
import RealmSystem
import RealmText

/// Computes the content hash of a SQLite file: that of the realm it was exported from, unless it has been changed.
package struct RelationalHasher {
  private let file: RelationalFile
  /// The same as for `ContentHasher`. Rows that were added after the export have no object keys.
  package var includesObjectKeys = true
  /// The embedded classes whose objects are written like others', because they were exported on their own.
  package var standalone: Set<RealmString> = []
  /// Called from time to time with the number of objects done.
  package var onProgress: (Int) throws -> Void = { _ in }

  package init(_ file: RelationalFile) { self.file = file }

  /// Number of objects of all classes, except embedded ones.
  package func objectCount() throws -> Int {
    try file.relational.classes.reduce(0) { try $0 + ($1.schema.kind == .embedded ? 0 : file.count(of: $1)) }
  }

  /// - Throws: `DatabaseError`; what `onProgress` throws.
  package func run() throws -> ContentHash {
    var total = SHA256()
    var classes: [ContentHash.ClassDigest] = []
    var done = 0
    for position in file.relational.classes.indices {
      let digest = try digest(of: position, after: done)
      if file.relational.classes[position].schema.kind != .embedded { done += digest.objectCount }
      digest.digest.bytes.withUnsafeBytes { total.add($0) }
      classes.append(digest)
    }
    return ContentHash(digest: total.finish(), classes: classes)
  }

  private func digest(of position: Int, after done: Int) throws -> ContentHash.ClassDigest {
    let table = file.relational.classes[position]
    let count = try file.count(of: table)
    let sink = HashSink()
    let text = TextBuffer(capacity: 1 << 16)
    text.appendContentHeader(table.schema, primaryKey: table.schema.primaryKey, objectCount: count)
    if table.schema.kind != .embedded || standalone.contains(table.schema.name) {
      try write(position, to: sink, text, after: done)
    }
    try text.withBytes(sink.write)
    return ContentHash.ClassDigest(name: table.schema.displayName, objectCount: count, digest: sink.finish())
  }

  private func write(_ position: Int, to sink: HashSink, _ text: TextBuffer, after done: Int) throws {
    let table = file.relational.classes[position]
    let reader = RelationalReader(file, style: .digested, text: text)
    let handOn: (TextBuffer) throws -> Void = { text in
      try text.withBytes(sink.write)
      text.removeAll()
    }
    reader.spill = handOn
    let plan = reader.plan(of: position)
    plan.isInKeyOrder = isOrderedByKey(table)
    let showsKeys = includesObjectKeys || table.schema.primaryKeyIndex == nil && isLinkedTo(table.schema)
    let keys = table.key == .objectKey ? nil : try KeyLookup(file, table)
    let rows = try file.database.prepare(RelationalReader.selection(from: table) + order(of: table))
    var count = 0
    while try rows.step() {
      if showsKeys {
        text.append("{\"objKey\":")
        if let key = try keys.map({ try $0.key(reader.key(rows, of: plan)) }) ?? Self.integer(rows.cell(0)) {
          text.append(integer: key)
        } else {
          text.append("null")
        }
        text.append(",\"value\":")
      } else {
        text.append("{\"value\":")
      }
      try reader.writeMembers(rows, of: plan)
      text.append("}\n")
      if text.count > 1 << 15 { try handOn(text) }
      count += 1
      if count & 1023 == 0 { try onProgress(done + count) }
    }
  }

  private static func integer(_ cell: RelationalRecords.Cell) -> Int64? {
    if case .integer(let number) = cell { number } else { nil }
  }

  /// A nullable primary key determines the order of objects, but does not identify their rows.
  private func isOrderedByKey(_ table: RelationalClass) -> Bool {
    table.schema.primaryKeyIndex == nil || table.key != .objectKey
  }

  private func order(of table: RelationalClass) -> String {
    let key = SQLText.quoted(table.keyName.name)
    guard let index = table.schema.primaryKeyIndex, !isOrderedByKey(table) else { return " ORDER BY \(key)" }
    return " ORDER BY \(SQLText.quoted(table.propertyNames[index].name)), \(key)"
  }

  /// Whether the identity of objects shows in links to them.
  private func isLinkedTo(_ schema: TableSchema) -> Bool {
    file.whole.tables.contains { $0.properties.contains { $0.type == .mixed || $0.target == schema.name } }
  }

  /// Finds the object keys of rows that are identified by their primary key.
  private final class KeyLookup {
    private let pass: OwnerPass
    private let statement: SQLiteStatement
    // Bound text has to stay.
    private let name: UnsafeMutableRawBufferPointer

    init(_ file: RelationalFile, _ table: RelationalClass) throws(DatabaseError) {
      let source = "FROM \"_realm_keys\" WHERE \"class\" = ?1"
      statement = try file.database.prepare("SELECT \"key\" \(source) AND \"object\" = ?2")
      let rows = try file.database.prepare(
        "SELECT \"key\", \"object\" \(source) ORDER BY \"object\" COLLATE BINARY")
      pass = OwnerPass(rows, ownerColumn: 1)
      name = .allocate(byteCount: table.table.sqlName.utf8.count, alignment: 1)
      name.copyBytes(from: table.table.sqlName.utf8)
      for each in [statement, rows] { try each.bind(.text(UnsafeRawBufferPointer(name)), at: 0) }
    }

    deinit { name.deallocate() }

    func key(_ object: RelationalRecords.Cell) throws -> Int64? {
      if try pass.begin(object) { return try pass.step() ? RelationalHasher.integer(pass.cell(0)) : nil }
      defer { statement.reset() }
      try statement.bind(object, at: 1)
      return try statement.step() ? statement.integer(0) : nil
    }
  }
}
