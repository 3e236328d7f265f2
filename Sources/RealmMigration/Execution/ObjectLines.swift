import RealmExchange
import RealmStorage
import RealmText

/// Objects of one state, each as a line of readable JSON.
struct ObjectLines {
  private let snapshot: Snapshot
  private let text = TextBuffer(capacity: 1024)
  private let json: ObjectJSON

  init(_ snapshot: Snapshot) {
    self.snapshot = snapshot
    json = ObjectJSON(.readable, of: snapshot, to: text)
  }

  /// The first keys of a class; from another state if this one has none.
  func firstKeys(of table: TableKey, _ count: Int, else other: ObjectLines) throws -> [ObjectKey] {
    let own = try firstKeys(of: table, count)
    return own.isEmpty ? try other.firstKeys(of: table, count) : own
  }

  private func firstKeys(of key: TableKey, _ count: Int) throws -> [ObjectKey] {
    guard let table = snapshot.table(key) else { return [] }
    var keys: [ObjectKey] = []
    var batches = table.batches()
    while keys.count < count, let step = batches.next() {
      guard case .batch(let batch) = step else { continue }
      keys += (0..<batch.count).prefix(count - keys.count).map(batch.key)
    }
    return keys
  }

  /// Nil if no such object exists.
  func line(of object: ObjectKey, in key: TableKey) throws -> String? {
    guard let table = snapshot.table(key), let place = try table.object(object) else { return nil }
    text.removeAll()
    try json.append(place.batch, row: place.row)
    return text.withBytes { String(decoding: $0, as: UTF8.self) }
  }
}
