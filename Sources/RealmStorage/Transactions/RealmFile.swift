import RealmSystem

/// A realm of format 24 that is open for changing in place, by this process alone.
///
/// A transaction writes nodes into free space and ends with a commit that makes the new state the live one in a single
/// step: after a crash at any point, the complete old or new state is there (Docs/Format/1-container.md §5).
///
/// ```swift
/// let file = try RealmFile.open(at: "app.realm")
/// for name in names {
///   try file.write { tx in try tx.create("Dog", ["name": name]) }
/// }
/// ```
public final class RealmFile {
  /// The path of the realm, as given.
  public let path: String
  /// The live state. An older one, and everything that was read from it, must not be used once the next transaction has
  /// begun, because its space is written again.
  package private(set) var snapshot: Snapshot
  private let key: EncryptionKey?
  /// Nil if the caller ensures that nobody else has the realm open.
  private let access: ExclusiveAccess?
  /// The one descriptor for all reads and writes.
  private let file: WritableFile
  private let pageLimit: Int
  private let freeSpace: FreeSpaceUse
  /// Why a small change leaves free space alone: what the file says of it is wrong.
  package let spaceFault: SpaceFault?
  /// Whether what a transaction has written is read again before it takes effect.
  private let readsBack: Bool
  private var state = State.idle

  private enum State {
    case idle
    /// A transaction is under way.
    case writing(ChangedPages)
    /// Only when the file is opened again will it be known what it contains.
    case failed
  }

  /// Opens a realm that exists. Nothing of it changes before the first transaction.
  ///
  /// - Parameters:
  ///   - waitingMilliseconds: how long to wait for a realm that an app has open.
  ///   - provesFreeSpace: whether all live nodes are looked at, to prove that none lies where the file says that space is
  ///     free. It takes a fifth of the time of a check. Without it, a realm whose list of free space is wrong loses data
  ///     with the next commit, and nobody notices.
  ///   - progress: of that proof.
  /// - Throws: `StorageError` if it cannot be read, `WriteRefusal`, `AccessError`, `OutputError`.
  package convenience init(
    _ path: String, key: EncryptionKey?, waitingMilliseconds: UInt64 = 0, provesFreeSpace: Bool = true,
    progress: WorkProgress? = nil
  ) throws {
    try self.init(
      path, key: key, waitingMilliseconds: waitingMilliseconds, provesFreeSpace: provesFreeSpace, progress: progress,
      calls: FileBackend.calls)
  }

  /// - Parameter pageLimit: changed pages that are kept in memory.
  convenience init(
    _ path: String, key: EncryptionKey?, waitingMilliseconds: UInt64 = 0, provesFreeSpace: Bool = true,
    progress: WorkProgress? = nil, calls: any OutputCalls, pageLimit: Int = ChangedPages.mostPages
  ) throws {
    // Nothing is created next to a file that is not a realm, or that cannot be changed.
    _ = try Self.snapshot(ByteStore.open(.path(path), key: key, calls: calls))
    let start = calls.milliseconds()
    let access = try ExclusiveAccess(toRealm: path, waitingMilliseconds: waitingMilliseconds, calls: calls)
    let waited = calls.milliseconds() &- start
    try self.init(
      locking: path, key, access, waitingMilliseconds: waitingMilliseconds - min(waited, waitingMilliseconds),
      provesFreeSpace, progress, calls, pageLimit)
  }

  /// Opens a realm that the caller has exclusive access to. The file itself is locked here, against programs that open
  /// it under another name.
  ///
  /// - Parameters: as above.
  /// - Throws: `StorageError` if it cannot be read, `WriteRefusal`, `AccessError`, `OutputError`.
  package convenience init(
    exclusive path: String, key: EncryptionKey?, waitingMilliseconds: UInt64 = 0, provesFreeSpace: Bool = true,
    progress: WorkProgress? = nil
  ) throws {
    try self.init(
      locking: path, key, nil, waitingMilliseconds: waitingMilliseconds, provesFreeSpace, progress, FileBackend.calls,
      ChangedPages.mostPages)
  }

  /// The same for a small change of a file of any size: of a large one, only what the change needs is read, and space
  /// that the file lists as free is left alone, so that it needs no proof. What is written is read again before it takes
  /// effect.
  ///
  /// - Throws: as above.
  package convenience init(
    changingLittleIn path: String, key: EncryptionKey?, waitingMilliseconds: UInt64 = 0
  ) throws {
    try self.init(
      locking: path, key, nil, waitingMilliseconds: waitingMilliseconds, false, nil, FileBackend.calls,
      ChangedPages.mostPages, changesLittle: true)
  }

  private init(
    locking path: String, _ key: EncryptionKey?, _ access: ExclusiveAccess?, waitingMilliseconds: UInt64,
    _ provesFreeSpace: Bool, _ progress: WorkProgress?, _ calls: any OutputCalls, _ pageLimit: Int,
    changesLittle: Bool = false
  ) throws {
    file = try WritableFile(OutputPath(path, calls: calls).target, calls: calls)
    try Self.lock(file, path, waitingMilliseconds, calls)
    snapshot = try Self.snapshot(ByteStore.open(file, key: key))
    (self.path, self.key, self.access, self.pageLimit) = (path, key, access, pageLimit)
    readsBack = changesLittle
    (freeSpace, spaceFault) = changesLittle ? Self.affordableUse(of: snapshot) : (.used, nil)
    if provesFreeSpace { try FreeSpaceProof(of: snapshot, progress: progress).run() }
  }

  /// Opens a realm that the caller has created under a temporary name: without locks and proof.
  ///
  /// - Throws: `StorageError` if it cannot be read, `WriteRefusal`, `OutputError`.
  package init(unpublished path: String, key: EncryptionKey?) throws {
    let calls = FileBackend.calls
    file = try WritableFile(OutputPath(path, calls: calls).target, calls: calls)
    snapshot = try Self.snapshot(ByteStore.open(file, key: key))
    (self.path, self.key, access, pageLimit) = (path, key, nil, ChangedPages.mostPages)
    (freeSpace, readsBack, spaceFault) = (.used, false, nil)
  }

  /// Opens a realm for a transaction that is never committed, in files in memory. Nothing depends on what the file says
  /// about free space, which nobody has to prove then.
  ///
  /// - Throws: as `init(unpublished:)`.
  init(staging path: String, key: EncryptionKey?) throws {
    let calls = FileBackend.calls
    file = try WritableFile(OutputPath(path, calls: calls).target, calls: calls)
    snapshot = try Self.snapshot(ByteStore.open(file, key: key))
    (self.path, self.key, access, pageLimit) = (path, key, nil, ChangedPages.mostPages)
    (freeSpace, readsBack, spaceFault) = (.ignored, false, nil)
  }

  deinit {
    rollBack()
    // Somebody may still read the snapshot through the same descriptor.
    file.unlock()
  }

  /// Names that lead to the file other than the one it was opened by. An app that has opened it by one of them uses
  /// another lock file, and is not seen.
  public var otherNameCount: UInt64 { file.otherNameCount }

  /// Checks whether this user may write to a file, before long work. The file does not change.
  ///
  /// - Throws: `OutputError`.
  package static func requireWritable(_ path: String) throws {
    _ = try WritableFile(OutputPath(path, calls: FileBackend.calls).target, calls: FileBackend.calls)
  }

  private static func lock(_ file: WritableFile, _ path: String, _ milliseconds: UInt64, _ calls: any OutputCalls)
    throws
  {
    let start = calls.milliseconds()
    while try !file.lock() {
      guard calls.milliseconds() &- start < milliseconds else {
        throw AccessError.inUse(path: path, holders: LockHolders.of(file: file.path))
      }
      calls.pause(milliseconds: ExclusiveAccess.pauseMilliseconds)
    }
    // Replaced since it was opened: the locked file is not the one that others will open.
    try file.requireNamed()
  }

  /// Files up to this size are proved for every small change, which takes a few hundredths of a second.
  private static let provedSize: UInt64 = 1 << 24

  /// Whether all of a file is read for a small change.
  package static func isReadQuickly(_ byteCount: UInt64) -> Bool { byteCount <= provedSize }

  /// What to do with free space in a small change. Left alone for good, it would make the file longer with each, so it is
  /// used where the proof is quick, and where there is more of it than of content.
  private static func affordableUse(of snapshot: Snapshot) -> (FreeSpaceUse, SpaceFault?) {
    guard let top = snapshot.top else { return (.used, nil) }
    do {
      if top.logicalSize > provedSize {
        let free = try FreeLists(of: top, in: snapshot.store).entries.reduce(0) { $0 &+ $1.range.byteCount }
        guard free > top.logicalSize / 2 else { return (.kept, nil) }
      }
      try FreeSpaceProof(of: snapshot, progress: nil).run()
      return (.used, nil)
    } catch WriteRefusal.spaceInUse(let fault) {
      // Damage elsewhere is no reason to refuse a change that does not touch it.
      return (.kept, fault)
    } catch {
      return (.kept, nil)
    }
  }

  private static func snapshot(_ opened: OpenedBytes) throws -> Snapshot {
    let snapshot = try Snapshot(of: opened.store, wasDecrypted: opened.isEncrypted)
    let format = snapshot.header.format
    guard format == Header.newestFormat || snapshot.header.topRef.isNull else { throw WriteRefusal.olderFormat(format) }
    guard !snapshot.usesSmallNodes else { throw WriteRefusal.testBuild }
    if snapshot.historyKind.isSynchronized { throw WriteRefusal.synced(snapshot.historyKind) }
    if let problem = snapshot.historyProblem { throw WriteRefusal.unknownHistory(problem) }
    return snapshot
  }

  // MARK: Transactions

  /// Begins a transaction. There is one at a time; one that is not committed leaves the realm as it was.
  ///
  /// The first node that is written gives the file the form that engines give it when they open it
  /// (Docs/Format/1-container.md §1.5): pages after the realm's end are cut off, and a copy gets its top ref in the
  /// header. A transaction that is abandoned before that leaves every byte as it was. Take `snapshot` after this call.
  ///
  /// - Throws: `OutputError`; `WriteRefusal`; `StorageError` if the lists of free space are damaged.
  package func beginTransaction() throws -> TransactionOutput {
    switch state {
    case .idle: break
    case .writing: throw WriteRefusal.transactionOpen
    case .failed: throw WriteRefusal.failedBefore
    }
    // Larger numbers cannot be distinguished from smaller ones: the number is stored with a bit less.
    guard snapshot.version < 1 << 62 else {
      throw StorageError.corrupted(snapshot.header.topRef, .valueOutOfRange("version"))
    }
    let pages = try openPages()
    state = .writing(pages)
    do {
      if let top = snapshot.top, pages.isLonger(than: top.logicalSize) {
        // Refs of a damaged file may point there, and reading a mapping beyond the end of the file ends the process.
        snapshot = try Snapshot(
          of: snapshot.store.beginning(ofLength: pages.paddedSize(of: top.logicalSize)), as: snapshot)
      }
      pages.beforeFirstChange = { [snapshot] pages in try Self.giveForm(to: pages, of: snapshot) }
      return try TransactionOutput(
        pages, version: snapshot.version + 1, top: snapshot.top, in: snapshot.store, freeSpace: freeSpace)
    } catch {
      rollBack()
      throw error
    }
  }

  /// Makes what a transaction has written the live state, which is on the disk when this returns, and in `snapshot`.
  ///
  /// - Parameters, and errors: those of `prepareCommit` and `PreparedCommit.finish`.
  package func commit(_ output: TransactionOutput, _ roots: RealmRoots) throws {
    try prepareCommit(output, roots).finish()
  }

  /// Syncs what a transaction has written, except for the step that makes it the live state.
  ///
  /// - Parameters:
  ///   - output: what `beginTransaction` gave, all nodes written, all that are no longer needed released, except for
  ///     the top array and what hangs on it apart from tables.
  ///   - roots: lists of tables of the new state. A history is not kept: nobody is left to read it.
  /// - Throws: `OutputError`, `StorageError`; then the transaction is abandoned.
  package func prepareCommit(_ output: TransactionOutput, _ roots: RealmRoots) throws -> PreparedCommit {
    guard case .writing(let pages) = state else { throw WriteRefusal.failedBefore }
    do {
      try releaseTop(output)
      let top = try output.finish(top: topElements(roots))
      if readsBack { try verify(from: top, output) }
      let flags = try headerFlags ^ 1
      try fillSlot(flags & 1, top, pages)
      return PreparedCommit(self, flags, pages)
    } catch {
      rollBack()
      throw error
    }
  }

  /// Reads again what a transaction has written, node by node.
  ///
  /// - Throws: `StorageError.corrupted` for a node that is not what was written.
  private func verify(from top: Ref, _ output: TransactionOutput) throws {
    try file.refreshSize()
    let store = try ByteStore.open(file, key: key).store
    var (pending, bytes) = ([top], UInt64(0))
    while let ref = pending.popLast() {
      let node = try Node(ref, in: store)
      bytes += UInt64(node.byteSize)
      guard bytes <= UInt64(store.count) else { throw StorageError.corrupted(ref, .visitedTooOften) }
      if node.hasRefs { node.forEachRef { if output.isOwn($0) { pending.append($0) } } }
    }
  }

  /// Makes what a transaction has written so far readable for itself. For all others the live state stays as it is, and
  /// nothing has to be on the disk.
  ///
  /// - Parameters: those of `prepareCommit`.
  /// - Throws: `OutputError`, `StorageError`; then the transaction must be abandoned.
  func intermediateState(_ output: TransactionOutput, _ roots: RealmRoots, _ nodes: NodeEncoder) throws -> Snapshot {
    guard case .writing = state else { throw WriteRefusal.failedBefore }
    let top = try output.writeIntermediate(top: topElements(roots), nodes)
    try file.refreshSize()
    let opened = try ByteStore.open(file, key: key, after: snapshot.store)
    output.goOn(from: opened.store)
    return try Snapshot(of: opened.store, intermediate: top)
  }

  fileprivate func finishCommit(_ flags: UInt8, _ pages: ChangedPages) throws {
    do {
      try UnfinishedOutputs.publishing {
        try file.requireNamed()
        try makeLive(flags, pages)
      }
    } catch {
      rollBack()
      throw error
    }
    do {
      snapshot = try Self.snapshot(ByteStore.open(file, key: key, after: snapshot.store))
      state = .idle
    } catch {
      throw UnsettledCommit(cause: error, isDone: true)
    }
  }

  /// The one write that makes the other slot the live one.
  private func makeLive(_ flags: UInt8, _ pages: ChangedPages) throws {
    // Still in memory.
    try Self.write(flags, at: HeaderOffset.flags, pages)
    // From here on the new state may be the live one: nothing is undone.
    state = .failed
    access?.keepLockFiles()
    do { try pages.synchronize() } catch {
      throw UnsettledCommit(cause: error)
    }
  }

  /// Abandons the transaction, if there is one.
  package func rollBack() {
    guard case .writing(let pages) = state else { return }
    pages.giveBack()
    state = pages.hasFailed ? .failed : .idle
  }

  private func openPages() throws -> ChangedPages {
    try file.requireNamed()
    try file.refreshSize()
    guard let key else { return ChangedPages(PlainPageTransfer(file), limit: pageLimit) }
    return ChangedPages(try EncryptedPageTransfer(file, key: key), limit: pageLimit)
  }

  // MARK: Top array

  /// Eleven slots, as the engine leaves them after a commit (§3.1); logical size and free lists are still missing.
  private func topElements(_ roots: RealmRoots) -> [Int64] {
    TopSlot.elements(
      count: TopSlot.evacuation.rawValue,
      [
        .tableNames: roots.tableNames.element, .tables: roots.tables.element, .version: .tagged(snapshot.version + 1),
        .historyType: .tagged(HistoryKind.inRealm.code),
        .historySchema: .tagged(max(1, snapshot.historySchemaVersion)),
        .syncFileIdent: .tagged(snapshot.top?.syncFileIdent ?? 0),
      ])
  }

  /// Releases the old top array and everything below it except the tables: free lists, history, the state of an
  /// evacuation (§3.4).
  private func releaseTop(_ output: TransactionOutput) throws {
    guard let top = snapshot.top else { return }
    output.release(top.ref, byteSize: top.raw.slots.byteSize)
    for list in [top.freePositions, top.freeLengths, top.freeVersions] { try output.releaseTree(list) }
    try output.releaseTree(top.history)
    if let evacuation = top.raw[.evacuation].child { try output.releaseTree(evacuation) }
  }

  // MARK: Header

  /// Bytes of the header that change (§1.1).
  private enum HeaderOffset {
    static let slots: UInt64 = 0
    static let formats: UInt64 = 20
    static let flags: UInt64 = 23
  }

  /// The live slot and all flags, as they are in the file.
  private var headerFlags: UInt8 {
    get throws { try snapshot.store.bytes(at: HeaderOffset.flags, length: 1).load(as: UInt8.self) }
  }

  /// Turns the streaming form into the one that commits continue from, and cuts off what comes after the end. The
  /// content stays as it is.
  ///
  /// Engines fill the second slot and then set the flag (§1.5), and builds with assertions abort on a file that was
  /// left in between. Using the first slot, with the flag as it is, has the same effect in one step.
  private static func giveForm(to pages: ChangedPages, of snapshot: Snapshot) throws {
    if snapshot.header.form == .streaming {
      try write(snapshot.header.topRef.rawValue, at: HeaderOffset.slots, pages)
      try pages.synchronize()
    }
    if let top = snapshot.top { try pages.shorten(to: top.logicalSize) }
  }

  /// Fills the slot that is not live.
  private func fillSlot(_ slot: UInt8, _ top: Ref, _ pages: ChangedPages) throws {
    try Self.write(top.rawValue, at: HeaderOffset.slots + 8 * UInt64(slot), pages)
    try Self.write(Header.newestFormat, at: HeaderOffset.formats + UInt64(slot), pages)
    try pages.synchronize()
  }

  private static func write(
    _ number: some FixedWidthInteger & BitwiseCopyable, at offset: UInt64, _ pages: ChangedPages
  ) throws {
    try withUnsafeBytes(of: number.littleEndian) { try pages.write($0, at: offset) }
  }
}

/// A state that is completely on the disk, but not the live one yet: what must exist before, such as a backup, is made
/// between the two steps of a commit. Releasing it without `finish` abandons the transaction.
package final class PreparedCommit {
  private let file: RealmFile
  private let flags: UInt8
  private let pages: ChangedPages
  private var isOver = false

  fileprivate init(_ file: RealmFile, _ flags: UInt8, _ pages: ChangedPages) {
    (self.file, self.flags, self.pages) = (file, flags, pages)
  }

  deinit { if !isOver { file.rollBack() } }

  /// Makes the state the live one, which is on the disk when this returns. No signal ends the process meanwhile.
  ///
  /// - Throws: `OutputError`: then the old state is the live one. `UnsettledCommit` if that is unknown, or the new
  ///   state is the live one and could not be read: no transaction can follow, and the file's `snapshot` must not be
  ///   used. `EditError.ended` the second time.
  package func finish() throws {
    guard !isOver else { throw EditError.ended }
    isOver = true
    try file.finishCommit(flags, pages)
  }
}
