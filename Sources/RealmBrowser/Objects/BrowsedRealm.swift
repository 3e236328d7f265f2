import RealmStorage

/// A realm that is being looked at: one state of the file.
package final class BrowsedRealm: Sendable {
  /// The beginning of the path at the top of the screen: the file's name without its folder.
  package let name: String
  package let snapshot: Snapshot
  package let bytes: OpenedBytes
  private let head: [UInt8]
  /// One object for all copies of one state.
  private let state: State
  private let opening: @Sendable () throws -> OpenedBytes
  /// What is shown in place of the file, and the file itself; nil if the file is shown.
  private let staged: (state: StagedTransaction.State, base: BrowsedRealm)?

  /// - Parameters:
  ///   - name: the name of the file for users.
  ///   - choice: the snapshot of it to show.
  ///   - opening: opens the file; called again to reload it.
  /// - Throws: `StorageError`; errors of `opening`.
  package convenience init(
    name: String, choosing choice: SnapshotChoice = .live, opening: @escaping @Sendable () throws -> OpenedBytes
  ) throws {
    try self.init(name: name, choice, try opening(), State(), opening)
  }

  private final class State: Sendable {}

  private init(
    name: String, _ choice: SnapshotChoice, _ bytes: OpenedBytes, _ state: State,
    _ opening: @escaping @Sendable () throws -> OpenedBytes
  ) throws {
    self.state = state
    self.name = name
    self.opening = opening
    // Read before the snapshot is made: a commit in between then shows as a change.
    head = try bytes.currentState()
    snapshot = try Snapshot(of: bytes.store, wasDecrypted: bytes.isEncrypted, choosing: choice)
    self.bytes = bytes
    staged = nil
  }

  /// A realm with changes that are not in its file.
  ///
  /// - Parameter base: the file.
  init(staged state: StagedTransaction.State, over base: BrowsedRealm, as copy: BrowsedRealm? = nil) {
    (name, head, opening) = (base.name, base.head, base.opening)
    self.state = copy?.state ?? State()
    (snapshot, bytes, staged) = (state.snapshot, state.bytes, (state, base))
  }

  /// What happened to the file since it was opened; nil if nothing did.
  package func change() -> FileChange? { (staged?.base.bytes ?? bytes).change(since: head) }

  /// Whether the state is the newest one of the file.
  var isLive: Bool { snapshot.choice == .live }

  /// The name of the snapshot that is shown; nil for the live one.
  var snapshotName: String? {
    switch snapshot.choice {
    case .live: nil
    case .previous: "previous snapshot, version \(snapshot.version)"
    case .at(let topRef): "snapshot at \(topRef), version \(snapshot.version)"
    }
  }

  /// Another snapshot of the file as it is now.
  package func showing(_ choice: SnapshotChoice) throws -> BrowsedRealm {
    try BrowsedRealm(name: name, choosing: choice, opening: opening)
  }

  /// Whether the file can be opened again. Standard input cannot.
  var canReload: Bool {
    if case .path = bytes.source { true } else { false }
  }

  /// The file as it is now.
  func reopened() throws -> BrowsedRealm {
    try BrowsedRealm(name: name, choosing: (staged?.base.snapshot ?? snapshot).choice, opening: opening)
  }

  /// The table with a name, as in the file.
  package func table(named name: RealmString) -> Table? { snapshot.tables.first { $0.schema.name == name } }

  // MARK: Memory of pages read on demand

  /// Whether bytes are read, and decrypted, page by page as they are touched.
  package var isReadInPages: Bool { bytes.store.residentPages > 0 }

  /// Whether the pages read so far take more memory than one realm should keep.
  var holdsTooMuch: Bool { bytes.store.residentBytes > ByteStore.residentByteBudget }

  /// The same state without any page in memory. It is read through the open descriptor, so that only the content of
  /// this very file matters: it may have been moved, removed or replaced.
  ///
  /// - Throws: `BrowserProblem.stale` if the file has another state now.
  package func withoutPages() throws -> BrowsedRealm {
    if let staged { return BrowsedRealm(staged: try staged.state.withoutPages(), over: staged.base, as: self) }
    do {
      let fresh = try BrowsedRealm(name: name, snapshot.choice, try bytes.withoutPages(), state, opening)
      guard fresh.head == head else { throw BrowserProblem.stale }
      return fresh
    } catch let error as StorageError {
      // Parts that cannot be read now may have been readable before.
      guard change() == nil else { throw BrowserProblem.stale }
      throw error
    }
  }

  /// Whether both are the same state, read only once.
  func isSameState(as other: BrowsedRealm) -> Bool { state === other.state }
}
