import RealmSystem

/// The snapshot of an open realm: the pages that all its readers share, and the proof that they are of one state.
///
/// Nothing is locked. After work that read pages from the file, the head of the file is looked at: if it is the same as at
/// the opening, the pages were of that state (Docs/Format/1-container.md §5.5), and they stay so in memory. From the first
/// commit on, a second one may overwrite what the first has released, so no page that is read after it counts. Programs that
/// know nothing of commits can put another realm with the same head in its place; the time of the last change shows that.
package final class SharedSnapshot: @unchecked Sendable {
  let path: String
  package let bytes: OpenedBytes
  /// What identifies the state; see `OpenedBytes.currentState`.
  let head: [UInt8]
  package let snapshot: Snapshot
  /// How many pages had been read when the state was last the same.
  private let provenPages = AtomicInt(0)
  private let monitor = Monitor()

  // All below is guarded by `monitor`.
  /// Pieces of work that are using pages.
  private var users = 0
  /// How often pages were released: places in the file from before a release are invalid.
  private var releases = 0
  /// Why nothing can be read any more.
  private var failure: (any Error)?
  private var shapes: [TableKey: ObjectShape] = [:]

  /// - Parameter head: the state that the bytes are of.
  /// - Throws: `StorageError` if not even the list of tables can be read.
  package init(_ path: String, _ bytes: OpenedBytes, head: [UInt8]) throws {
    (self.path, self.bytes, self.head) = (path, bytes, head)
    snapshot = try Snapshot(of: bytes.store, wasDecrypted: bytes.isEncrypted)
  }

  /// Runs work that reads from the snapshot. It keeps no place in the file, or restores it when `releases` has another
  /// value, and runs no code of an app, which could come back here and wait for itself.
  ///
  /// - Throws: what `body` throws; `OutputError.changedMeanwhile` instead, and also if it throws nothing, if what was read
  ///   may have been overwritten.
  package func use<Result>(_ body: (_ snapshot: Snapshot, _ releases: Int) throws -> Result) throws -> Result {
    let releases = try enter()
    defer { monitor.change { users -= 1 } }
    let outcome = Swift.Result { try body(snapshot, releases) }
    try prove()
    return try outcome.get()
  }

  /// Runs work that gives back pages by itself, on pages of its own.
  ///
  /// - Throws: as `use`.
  package func useAlone<Result>(_ body: (Snapshot) throws -> Result) throws -> Result {
    guard snapshot.isReadInPages else { return try use { snapshot, _ in try body(snapshot) } }
    let own = try bytes.withoutPages()
    let outcome = Swift.Result { try body(Snapshot(of: own.store, wasDecrypted: own.isEncrypted)) }
    guard try isUnchanged() else { throw OutputError.changedMeanwhile(path: path) }
    return try outcome.get()
  }

  /// Whether the file still has the state, and nobody has written to it.
  ///
  /// - Throws: `StorageError` if its head cannot be read.
  func isUnchanged() throws -> Bool {
    do { return try bytes.isUnchanged(since: head) && !bytes.wasWritten } catch {
      // A file that is cut off may have no head any more.
      if bytes.hasOtherSize { return false }
      throw error
    }
  }

  /// What is read of the objects of a table if all their values are.
  func shape(of table: Table) -> ObjectShape {
    monitor.use {
      if let shape = shapes[table.key] { return shape }
      let shape = ObjectShape(allOf: table)
      shapes[table.key] = shape
      return shape
    }
  }

  /// - Returns: `releases`.
  private func enter() throws -> Int {
    try monitor.wait(until: { users == 0 || !snapshot.holdsTooManyPages }) {
      if let failure { throw failure }
      if users == 0, snapshot.holdsTooManyPages { try releasePages() }
      users += 1
      return releases
    }
  }

  private func releasePages() throws {
    releases += 1
    do {
      try snapshot.releasePages()
    } catch {
      // What the snapshot stands on is lost.
      let isChanged = (try? isUnchanged()) == false
      let lost = isChanged ? OutputError.changedMeanwhile(path: path) : error
      failure = lost
      throw lost
    }
  }

  private func prove() throws {
    guard let pages = bytes.store.pages else { return }
    // A page is counted before others can see it.
    let count = pages.readCount
    guard count > provenPages.value else { return }
    guard try isUnchanged() else { throw OutputError.changedMeanwhile(path: path) }
    // A smaller number than that of another thread only leads to another look.
    provenPages.value = count
  }
}
