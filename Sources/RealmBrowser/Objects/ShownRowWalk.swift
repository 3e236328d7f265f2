import RealmPresentation
import RealmStorage

/// A walk over the objects of a source on another thread, for filters, sorting, searches and frequencies.
///
/// Neighboring objects are passed together, so that their values can be read side by side. If the pages of an
/// encrypted file take too much memory, they are released between two groups.
struct ShownRowWalk {
  let source: RowsSource
  let progress: TaskProgress
  private(set) var realm: BrowsedRealm
  private var rows: (any ObjectRows)?

  /// Rows without an object: it does not exist, or cannot be read.
  private(set) var skipped = 0

  init(_ source: RowsSource, in realm: BrowsedRealm, _ progress: TaskProgress) throws {
    self.source = source
    self.progress = progress
    // This thread has its own pages, so that releasing them does not affect the key loop.
    self.realm = realm.isReadInPages ? try realm.withoutPages() : realm
    isOwnRealm = self.realm !== realm
    rows = try source.open(in: self.realm)
  }

  private let isOwnRealm: Bool

  var count: Int { rows?.count ?? 0 }

  /// A group of neighboring objects.
  struct Group {
    let batch: ObjectBatch
    /// Rows in the batch, parallel to the positions.
    let rows: Range<Int>
    /// The position of the first object in the source.
    let position: Int
    let snapshot: Snapshot

    func key(at row: Int) -> ObjectKey { batch.key(at: row) }
  }

  /// Calls `body` with one group after another.
  ///
  /// - Parameter positions: the part of the source to visit; all of it unless given.
  /// - Throws: `TaskProgress.Stopped`; errors of `body`.
  mutating func forEach(_ positions: Range<Int>? = nil, _ body: (Group) throws -> Void) throws {
    var position = positions?.lowerBound ?? 0
    let end = min(positions?.upperBound ?? count, count)
    while position < end, let rows {
      switch rows.row(at: position) {
      case .object(let batch, let row):
        let length = neighbors(of: batch, row, upTo: end - position)
        try body(
          Group(batch: batch, rows: row..<row + length, position: position, snapshot: realm.snapshot))
        position += length
        try progress.advance(by: length)
      case .absent, .damaged:
        skipped += 1
        position += 1
        try progress.advance(by: 1)
      }
      if isOwnRealm, realm.holdsTooMuch {
        realm = try realm.withoutPages()
        self.rows = try source.open(in: realm)
      }
    }
  }

  /// In a whole table, the objects of a batch follow each other; elsewhere each one is a group of its own.
  private func neighbors(of batch: ObjectBatch, _ row: Int, upTo most: Int) -> Int {
    guard case .table = source else { return 1 }
    return max(1, min(batch.count - row, most))
  }
}
