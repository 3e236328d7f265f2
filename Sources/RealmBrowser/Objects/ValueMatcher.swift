import RealmPresentation
import RealmStorage
import RealmSystem
import RealmText

/// Searches values for a text: strings, numbers and dates as they are shown, the elements of collections, and the
/// labels of links. Belongs to one thread.
final class ValueMatcher {
  private let searcher: TextPattern.Searcher
  private let snapshot: Snapshot
  private let progress: TaskProgress
  private let buffer = TextBuffer(capacity: 256)
  /// Whether the text is the word for null. A part of that word finds no null, because it would find too much.
  private let isNullWord: Bool

  /// Number of embedded objects to search for one value; damaged links can form circles.
  private var embeddedLeft = 0
  private static let mostEmbedded = 1 << 20

  /// The depth to which collections and embedded objects are searched.
  private static let mostDepth = 16

  /// Whether places are listed: then embedded objects are left to their own class, and the text around a match is kept.
  private let listsPlaces: Bool
  /// The text around the last match.
  private(set) var snippet = Snippet()

  /// - Parameter progress: checked before each value and each element, because damaged data can have any number of
  ///   them.
  init(_ pattern: TextPattern, _ snapshot: Snapshot, _ progress: TaskProgress, listsPlaces: Bool = false) {
    searcher = pattern.searcher()
    self.listsPlaces = listsPlaces
    self.snapshot = snapshot
    self.progress = progress
    isNullWord = pattern.text.lowercased() == "null"
  }

  /// Finds the rows whose value of a property contains the text.
  ///
  /// - Throws: `TaskProgress.Stopped`.
  func match(
    _ batch: ObjectBatch, property: Int, rows: Range<Int>, _ damage: inout DamageTally, found: (Int) -> Void
  ) throws {
    try batch.match(property: property, rows: rows, &damage, found: found) { value, row, damage in
      try matches(value) { damage.add(batch.damage(property, row, $0)) }
    }
  }

  /// - Parameters:
  ///   - skipped: elements of a collection, counted from its first, that are not looked at.
  ///   - damaged: called for elements of a collection that cannot be read.
  /// - Throws: `StorageError`, `TaskProgress.Stopped`.
  func matches(_ value: ValueView, skipping skipped: Int = 0, damaged: (StorageError) -> Void = { _ in }) throws -> Bool
  {
    // One walk for everything inside: if collections form a circle, its limit ends it.
    embeddedLeft = Self.mostEmbedded
    return try matches(value, snapshot.collectionWalk(), depth: 0, skipping: skipped, damaged)
  }

  private func matches(
    _ value: ValueView, _ walk: CollectionWalk, depth: Int, skipping skipped: Int = 0,
    _ damaged: (StorageError) -> Void
  ) throws -> Bool {
    try progress.check()
    switch value {
    case .null:
      if isNullWord, listsPlaces { snippet = Snippet(of: Array("null".utf8)) }
      return isNullWord
    case .string(let text): return try matches(text)
    case .data(let data) where data.count > 1 << 20: return false
    case .link(let table, let key), .typedLink(let table, let key):
      guard let table = snapshot.table(table) else { return false }
      guard table.schema.kind == .embedded else { return try matchesLink(table, key) }
      guard !listsPlaces else { return false }
      return try depth < Self.mostDepth && matchesEmbedded(table, key, walk, depth: depth + 1, damaged)
    case .list, .set, .dictionary:
      guard depth < Self.mostDepth else { return false }
      return try matchesElement(of: value, walk, depth: depth + 1, skipping: skipped, damaged)
    default:
      buffer.removeAll()
      return try buffer.appendPlain(value) && buffer.withBytes(isFound)
    }
  }

  private func matches(_ text: BlobView) throws -> Bool {
    if let bytes = text.contiguous { return isFound(in: bytes) }
    var bytes: [UInt8] = []
    try text.forEachPiece { piece in
      try progress.check()
      bytes.append(contentsOf: piece)
    }
    return bytes.withUnsafeBytes(isFound)
  }

  private func isFound(in bytes: UnsafeRawBufferPointer) -> Bool {
    guard listsPlaces else { return searcher.matches(bytes) }
    guard let place = searcher.firstMatch(in: bytes) else { return false }
    snippet = Snippet(of: bytes, around: place)
    return true
  }

  /// A link is found by what it is shown as. Where places are listed, by its key only: its name is listed in its own
  /// class.
  private func matchesLink(_ table: Table, _ key: ObjectKey) throws -> Bool {
    buffer.removeAll()
    guard let (batch, row) = try table.object(key) else {
      buffer.append("#")
      buffer.append(integer: key.rawValue)
      return buffer.withBytes(isFound)
    }
    let label = ObjectLabel(of: batch, row)
    for (index, part) in (listsPlaces ? [label.key] : label.parts).enumerated() {
      if index > 0 { buffer.append(" ") }
      switch part {
      case .objectKey(let key):
        buffer.append("#")
        buffer.append(integer: key.rawValue)
      case .primaryKey(let index):
        let value = try batch.values(ofProperty: index).value(at: row)
        // In damaged files a primary key can be a link.
        if case .null = value { buffer.append("null") } else { _ = try buffer.appendPlain(value) }
      case .name(let name):
        try name.withPrefix(ObjectLabel.mostNameBytes) { buffer.append(bytes: $0) }
      }
    }
    // A part of the word null would find too much.
    if buffer.withBytes({ $0.elementsEqual("null".utf8) }) { return isNullWord }
    return buffer.withBytes(isFound)
  }

  /// An embedded object is part of its parent, and shown there.
  private func matchesEmbedded(
    _ table: Table, _ key: ObjectKey, _ walk: CollectionWalk, depth: Int, _ damaged: (StorageError) -> Void
  ) throws -> Bool {
    guard embeddedLeft > 0, let (batch, row) = try table.object(key) else { return false }
    embeddedLeft -= 1
    for property in table.schema.properties.indices {
      do {
        let value = try batch.values(ofProperty: property).value(at: row)
        if try matches(value, walk, depth: depth, damaged) { return true }
      } catch let error as StorageError {
        damaged(error)
      }
    }
    return false
  }

  private func matchesElement(
    of value: ValueView, _ walk: CollectionWalk, depth: Int, skipping skipped: Int, _ damaged: (StorageError) -> Void
  ) throws -> Bool {
    var position = 0
    func isDamaged(_ error: StorageError) throws {
      try progress.check()
      position += 1
      damaged(error)
    }
    return try EarlyEnd.ends {
      switch value {
      case .list(let list), .set(let list):
        try list.forEach(walk, damaged: isDamaged) { element in
          position += 1
          guard position > skipped else { return try progress.check() }
          if try matches(element, walk, depth: depth, damaged) { throw EarlyEnd() }
        }
      case .dictionary(let dictionary):
        try dictionary.forEach(walk, damaged: isDamaged) { key, element in
          position += 1
          guard position > skipped else { return try progress.check() }
          if try matches(key) || matches(element, walk, depth: depth, damaged) { throw EarlyEnd() }
        }
      default: break
      }
    }
  }
}
