import RealmStorage
import RealmText

/// One of two contents that are compared: a realm, or a SQLite file that one was exported to.
///
/// Used by one thread at a time.
protocol DifferenceSide: AnyObject, Sendable {
  var schema: Schema { get }
  /// The class with this name.
  func table(_ className: RealmString) -> TableSchema?
  /// Number of objects of a class, for progress; nil if they cannot be counted.
  func objectCount(of className: RealmString) -> Int?
  /// The objects of a class, sorted.
  ///
  /// - Parameter primaryKey: the property that identifies them; nil for object keys.
  /// - Throws: the reason why something cannot be read.
  func entries(of className: RealmString, primaryKey: Int?) throws -> ObjectEntries
  /// The values of an object as texts, in the form of `export --format typed`.
  ///
  /// - Parameter key: as in the entries.
  /// - Throws: the reason why something cannot be read.
  func values(of key: ObjectKey, in className: RealmString, properties: [Int]) throws -> [[UInt8]]
}

/// A realm that is compared.
final class SnapshotSide: DifferenceSide, @unchecked Sendable {
  private let snapshot: Snapshot
  /// By table, properties that the other side does not have, which are not compared.
  private let selection: RebuildSelection?
  /// The classes.
  private let tablesByName: [RealmString: Table]
  /// Writes the values to show; created when the first one is shown.
  private lazy var showing = writer()
  private let style: JSONStringStyle
  private let onProgress: @Sendable (Int) throws -> Void

  private static let objectsPerReport = 4096

  /// - Parameters:
  ///   - other: the schema that it is compared with.
  ///   - style: how texts are escaped; equal on both sides.
  ///   - onProgress: called from time to time with a number of objects that are done.
  init(
    _ snapshot: Snapshot, other: Schema, style: JSONStringStyle, onProgress: @escaping @Sendable (Int) throws -> Void
  ) {
    (self.snapshot, self.style, self.onProgress) = (snapshot, style, onProgress)
    var selection = RebuildSelection(all: snapshot)
    let twins = Dictionary(other.classes.map { ($0.name, $0) }) { first, _ in first }
    let tables = snapshot.tables.filter(\.schema.isClass)
    tablesByName = Dictionary(tables.map { ($0.schema.displayName, $0) }) { first, _ in first }
    for table in tables {
      guard let twin = twins[table.schema.name] else { continue }
      let names = Set(twin.properties.map(\.name))
      let missing = table.schema.properties.indices.filter { !names.contains(table.schema.properties[$0].name) }
      if !missing.isEmpty { selection.leftOutProperties[table.key] = Set(missing) }
    }
    self.selection = selection.leftOutProperties.isEmpty ? nil : selection
  }

  private func writer() -> ContentWriter {
    ContentWriter(
      snapshot, selection: selection, walk: snapshot.collectionWalk(passes: 2),
      budget: EmbeddedBudget(fileSize: snapshot.byteCount), showsKeys: false, style: style,
      text: TextBuffer(capacity: 1 << 16))
  }

  var schema: Schema { snapshot.schema }

  func table(_ className: RealmString) -> TableSchema? { tablesByName[className]?.schema }

  func objectCount(of className: RealmString) -> Int? { try? tablesByName[className]?.objectCount() }

  // MARK: All objects

  func entries(of className: RealmString, primaryKey: Int?) throws -> ObjectEntries {
    guard let table = tablesByName[className] else { return ObjectEntries(count: 0) }
    let writer = writer()
    // The number comes from the file, but the file's size limits it.
    var entries = ObjectEntries(count: min(try table.objectCount(), snapshot.byteCount / 8))
    var hasher = Hasher()
    writer.spill = { text in
      text.withBytes { hasher.combine(bytes: $0) }
      text.removeAll()
    }
    var batches = table.batches()
    var (generation, pending) = (0, 0)
    while true {
      if snapshot.holdsTooManyPages {
        try snapshot.releasePages()
        if let error = batches.restorePlaces() { throw error }
        generation += 1
        writer.forgetPlaces(unlessGeneration: generation)
      }
      guard let step = batches.next() else { break }
      guard case .batch(let batch) = step else {
        if case .damaged(let error) = step { throw error }
        continue
      }
      let keys = try primaryKey.map { try batch.values(ofProperty: $0) }
      hasher = Hasher()
      try writer.forEachObject(of: batch) { row in
        writer.text.withBytes { hasher.combine(bytes: $0) }
        let hash = UInt64(bitPattern: Int64(hasher.finalize()))
        hasher = Hasher()
        if let keys {
          try entries.add(keys.value(at: row), batch.key(at: row), hash: hash)
        } else {
          entries.add(batch.key(at: row), hash: hash)
        }
      }
      pending += batch.count
      if pending >= Self.objectsPerReport {
        try onProgress(pending)
        pending = 0
      }
    }
    try onProgress(pending)
    entries.sort()
    return entries
  }

  // MARK: One object

  func values(of key: ObjectKey, in className: RealmString, properties: [Int]) throws -> [[UInt8]] {
    guard let table = tablesByName[className] else { return [] }
    try letGoOfPages()
    let (batch, row) = try showing.resolver.find(key, in: table)
    return try properties.map { try showing.text(ofProperty: $0, batch, row: row) }
  }

  private var generation = 0

  private func letGoOfPages() throws {
    guard snapshot.holdsTooManyPages else { return }
    try snapshot.releasePages()
    generation += 1
    showing.forgetPlaces(unlessGeneration: generation)
  }
}
