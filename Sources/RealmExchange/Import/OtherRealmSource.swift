import RealmStorage
import RealmText

/// The objects of another realm.
package final class OtherRealmSource: ImportSource {
  private let realm: OpenedRealm
  private let output = LineOutput()
  private let objects = TextBuffer(capacity: 1 << 16)
  private let writer: ContentWriter
  private var tables: [Table] = []
  private var batches: ObjectBatches?
  private var head: [UInt8] = []

  package let coerces = false
  package let ownsObjectKeys = true
  package private(set) var byteCount = 0

  package init(_ realm: OpenedRealm) {
    self.realm = realm
    writer = ContentWriter(
      realm.snapshot, selection: nil, walk: realm.snapshot.collectionWalk(),
      budget: EmbeddedBudget(fileSize: Int(clamping: realm.bytes.physicalSize)), showsKeys: true, style: .lossless,
      text: objects)
  }

  package func open(_ classes: ImportedClasses, note: @escaping (ImportProblem) throws -> Void) throws {
    let all = Dictionary(realm.snapshot.tables.map { ($0.schema.name, $0) }) { first, _ in first }
    try classes.requireRoom(for: realm.snapshot.schema) { owner, property, target in
      guard let origin = all[owner.name], let table = all[target.name] else { return true }
      return table.hasIncomingLinks(from: origin, property.name)
    }
    tables = realm.snapshot.tables.reversed().filter {
      $0.schema.isClass && $0.schema.kind != .embedded && classes.classNamed($0.schema.displayName) != nil
    }
  }

  package func read(_ buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    try output.read(buffer) { try appendObjects() }
  }

  private func appendObjects() throws -> Bool {
    while true {
      switch batches?.next() {
      case .batch(let batch):
        guard batch.count > 0 else { continue }
        objects.removeAll()
        try writer.write(ContentPieces.Piece(content: .batches([batch]), number: batch.count, generation: 0))
        appendLines()
        return true
      case .damaged(let error): throw error
      case nil:
        guard let table = tables.popLast() else { return false }
        batches = table.batches()
        let text = TextBuffer(capacity: 64)
        text.append("{\"class\":")
        text.appendJSON(table.schema.displayName, style: .lossless)
        text.append(",")
        head = text.withBytes { Array($0) }
      }
    }
  }

  /// Inserts the class into each object, after its opening brace.
  private func appendLines() {
    byteCount += objects.count
    objects.withBytes { all in
      for line in all.split(separator: 10) {
        head.withUnsafeBytes { output.text.append(bytes: $0) }
        output.text.append(bytes: UnsafeRawBufferPointer(rebasing: line.dropFirst()))
        output.text.append("\n")
      }
    }
  }

  package func place(_ location: JSONLocation, property: RealmString?) -> ImportPlace {
    ImportPlace(line: 0, column: 0)
  }
}
