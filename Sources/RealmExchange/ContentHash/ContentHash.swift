import RealmStorage
import RealmSystem
import RealmText

/// The content of a realm in a few bytes. Realms with the same classes and the same objects have equal hashes, whatever
/// their file format, layout, indexes and history.
///
/// The digest of a class is the SHA-256 of a text. The text has a line of JSON with the class's name, kind, number of
/// objects, primary key, and properties by name. Then comes a line per object in the `typed` form of `export`, with
/// members sorted by name and only the escapes that JSON requires. Objects are sorted by primary key, or by object key
/// if the class has none, and links are written in the same way. Dictionaries and sets are in the order of format 24,
/// the links of a set sorted by their text. Embedded objects are written inside their parents. The digest of the realm
/// is the SHA-256 of the digests of its classes, sorted by name.
package struct ContentHash: Hashable, Sendable {
  /// The digest of the whole realm.
  package let digest: Digest256
  /// The digests of its classes, sorted by name.
  package let classes: [ClassDigest]

  package struct ClassDigest: Hashable, Sendable {
    package let name: RealmString
    package let objectCount: Int
    package let digest: Digest256
  }
}

/// Computes content hashes, on as many threads as asked for.
///
/// The memory it takes does not depend on the size of the realm, with one exception: if the objects of a class are not
/// stored in the order of their primary keys, these keys are kept in memory.
package struct ContentHasher {
  private let snapshot: Snapshot
  /// Whether object keys are part of the content. Without them, two realms with the same objects under different keys
  /// are equal, but the keys of objects without a primary key still count if links can point to them.
  package var includesObjectKeys = true
  package var threadCount = 1
  /// Tables with primary keys whose object keys are not part of the content.
  package var classesWithOtherKeys: Set<RealmString> = []
  /// The part of the snapshot to hash, as if it had been copied first. Nil for everything.
  package var selection: RebuildSelection?
  /// The classes to hash, and for a single class, its objects. Links to other objects are hashed as an export of this
  /// part would write them.
  var part: (tables: [Table], keys: [ObjectKey]?)?
  /// Called from time to time with the number of objects done, not counting those of embedded classes. If it throws,
  /// the work ends. May be called on any thread.
  package var onProgress: @Sendable (Int) throws -> Void = { _ in }

  package init(_ snapshot: Snapshot) { self.snapshot = snapshot }

  /// - Throws: `StorageError` if something cannot be read: incomplete content has no hash.
  package func run() throws -> ContentHash {
    if let damaged = snapshot.damagedTables.first { throw damaged.error }
    let tables = (part?.tables ?? snapshot.tables)
      .filter { $0.schema.isClass && selection?.tables.contains($0.key) ?? true }
      .sorted { $0.schema.name < $1.schema.name }
    var total = SHA256()
    var classes: [ContentHash.ClassDigest] = []
    var done = 0
    for table in tables {
      let digest = try digest(of: table, after: done)
      if table.schema.kind != .embedded { done += digest.objectCount }
      digest.digest.bytes.withUnsafeBytes { total.add($0) }
      classes.append(digest)
    }
    return ContentHash(digest: total.finish(), classes: classes)
  }

  // MARK: Classes

  /// - Parameter done: the number of objects in the classes before this one.
  private func digest(of table: Table, after done: Int) throws -> ContentHash.ClassDigest {
    let count = try selection?.objects[table.key]?.count ?? part?.keys?.count ?? table.objectCount()
    let sink = HashSink()
    let header = TextBuffer(capacity: 1024)
    let leftOut = selection?.leftOutProperties[table.key] ?? []
    var schema = table.schema
    schema.properties = schema.properties.indices.filter { !leftOut.contains($0) }.map { schema.properties[$0] }
    let primaryKey = primaryKeyIndex(of: table).map { table.schema.properties[$0] }
    header.appendContentHeader(schema, primaryKey: primaryKey, objectCount: count)
    try header.withBytes(sink.write)
    // Embedded objects are written inside their parents.
    if table.schema.kind != .embedded || part != nil, count > 0 {
      try write(table, count: count, to: sink, after: done)
    }
    return ContentHash.ClassDigest(name: table.schema.displayName, objectCount: count, digest: sink.finish())
  }

  private func write(_ table: Table, count: Int, to sink: HashSink, after done: Int) throws {
    let primaryKey = primaryKeyIndex(of: table)
    let pieces = try ContentPieces(table, by: primaryKey, among: selection?.objects[table.key], only: part?.keys)
    let showsKeys =
      includesObjectKeys && !classesWithOtherKeys.contains(table.schema.name) || needsKeys(table)
    let (snapshot, onProgress, selection) = (snapshot, onProgress, selection)
    let walk = snapshot.collectionWalk(passes: 3)
    let budget = EmbeddedBudget(fileSize: snapshot.byteCount)
    let pause = OrderedPipeline<ContentPieces.Piece>.Pause(
      isNeeded: { snapshot.holdsTooManyPages },
      body: {
        try snapshot.releasePages()
        try pieces.restorePlaces()
      })
    let isSmall = count <= ExportLimits.objectsPerPiece
    let pipeline = OrderedPipeline(threadCount: isSmall ? 1 : threadCount, pause: pause) { try pieces.next() }
    try pipeline.run {
      let text = TextBuffer(capacity: 1 << 16)
      let writer = ContentWriter(
        snapshot, selection: selection, walk: walk, budget: budget, showsKeys: showsKeys,
        style: .digested, text: text)
      return { piece, awaitTurn in
        try onProgress(done + piece.number)
        writer.forgetPlaces(unlessGeneration: piece.generation)
        try withoutActuallyEscaping(awaitTurn) { awaitTurn in
          writer.spill = { text in
            try awaitTurn()
            try text.withBytes(sink.write)
            text.removeAll()
          }
          defer { writer.spill = { _ in } }
          try writer.write(piece)
          try awaitTurn()
        }
        try text.withBytes(sink.write)
        text.removeAll()
      }
    }
  }

  private func primaryKeyIndex(of table: Table) -> Int? {
    selection.map { $0.primaryKeyIndex(of: table) } ?? table.schema.primaryKeyIndex
  }

  /// Whether the identity of objects shows in links to them.
  private func needsKeys(_ table: Table) -> Bool {
    guard primaryKeyIndex(of: table) == nil else { return false }
    return snapshot.tables.contains { other in
      guard selection?.tables.contains(other.key) ?? true else { return false }
      let leftOut = selection?.leftOutProperties[other.key] ?? []
      return other.schema.properties.indices.contains { index in
        let property = other.schema.properties[index]
        return !leftOut.contains(index) && (property.type == .mixed || property.target == table.schema.name)
      }
    }
  }
}

/// Computes a digest of text that is added to it. Only one thread may use it at a time; the pipeline ensures that.
package final class HashSink: TextSink, @unchecked Sendable {
  private var hash = SHA256()

  package init() {}

  package func write(_ bytes: UnsafeRawBufferPointer) throws { hash.add(bytes) }
  package func finish() -> Digest256 { hash.finish() }
}

extension TextBuffer {
  /// The first line of a class.
  func appendContentHeader(_ schema: TableSchema, primaryKey: Property?, objectCount: Int) {
    append("{\"class\":")
    appendJSON(schema.displayName, style: .digested)
    append(",\"kind\":\"")
    append(schema.kind.rawValue)
    append("\",\"count\":")
    append(integer: Int64(objectCount))
    if let primaryKey {
      append(",\"primaryKey\":")
      appendJSON(primaryKey.name, style: .digested)
    }
    append(",\"properties\":[")
    for (position, property) in schema.properties.sorted(by: { $0.name < $1.name }).enumerated() {
      append(position == 0 ? "{\"name\":" : ",{\"name\":")
      appendJSON(property.name, style: .digested)
      append(",\"type\":\"")
      append(property.contentType)
      append("\"")
      if let target = property.targetClass {
        append(",\"target\":")
        appendJSON(target, style: .digested)
      }
      append("}")
    }
    append("]}\n")
  }
}

extension Property {
  /// Type, optionality and kind of collection in one word.
  fileprivate var contentType: String {
    // Links and Mixed values imply these, so writing them would add nothing.
    let isFixed = type == .mixed || type == .object
    return type.schemaName + (isOptional && !isFixed ? "?" : "") + (collection?.suffix ?? "")
  }
}
