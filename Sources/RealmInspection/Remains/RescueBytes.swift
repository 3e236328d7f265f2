import Libc
import RealmStorage
import RealmSystem

/// The bytes of a realm that may be damaged, opened without trusting its header: a lost header, missing pages and a
/// missing end do not keep the rest from being read.
///
/// Lost bytes exist twice: as zeros, and as ones. A result that is the same for both does not depend on them.
package final class RescueBytes: Sendable {
  /// Lost bytes are zeros.
  let store: ByteStore
  /// Lost bytes are ones; nil if nothing is lost.
  let other: ByteStore?
  /// Pages that cannot be trusted.
  let lost: LostPages
  /// Bytes of the file on disk.
  package let physicalSize: UInt64
  package let isEncrypted: Bool
  package let source: RealmSource
  /// Nil for standard input.
  package let identity: FileIdentity?
  /// The pages of an encrypted file that fail, or that the disk cannot read; the first of them.
  package let failedPages: [(page: Int, problem: PageProblem)]
  package let failedPageCount: Int
  /// Pages of zeros.
  let zeroed: LostPages
  private let failed: LostPages
  private let heads: FoundHeads
  /// The header that points to the requested snapshot; empty for that of the file.
  private let chosenHeader: [UInt64: UInt64]
  private let late: LatePageFailure
  private let pages: any PageSource
  private let input: any InputBytes
  private let head: [UInt8]

  /// Opens a file for reading. Nothing is created, locked or changed.
  ///
  /// - Parameter snapshot: used as the live one.
  /// - Throws: `StorageError.file`; `.notARealm` and `.key` if nothing of a realm is in the file, or not with this key;
  ///   `.notARealm(.noSuchSnapshot)`, `.notARealm(.snapshotsLost)`.
  package static func open(
    _ source: RealmSource, key: EncryptionKey?, snapshot: SnapshotChoice = .live
  ) throws -> RescueBytes {
    switch source {
    case .standardInput: return try RescueBytes(StandardInput.shared(), source, key, snapshot)
    case .path(let path):
      if let pipe = StandardInput.pipe(at: path) {
        return try RescueBytes(StandardInput.shared(pipe), source, key, snapshot)
      }
      if let name = SideFileName(path: path), name.isNeverARealm {
        throw StorageError.file(.sideFile(kind: name.kind, realm: name.realm))
      }
      do { return try RescueBytes(InputFile(path: path), source, key, snapshot) } catch StorageError.notARealm(.empty) {
        // Apps leave empty lock files.
        guard let name = SideFileName(path: path), !name.isRealm else { throw StorageError.notARealm(.empty) }
        throw StorageError.file(.sideFile(kind: name.kind, realm: name.realm))
      }
    }
  }

  /// Bytes in memory; they are copied.
  ///
  /// - Throws: as `open`.
  package convenience init(
    copying bytes: [UInt8], key: EncryptionKey? = nil, snapshot: SnapshotChoice = .live
  ) throws {
    guard let memory = malloc(max(bytes.count, 8)) else {
      throw StorageError.file(.systemCall(name: "malloc", errorNumber: ENOMEM))
    }
    bytes.withUnsafeBytes { source in source.baseAddress.map { memory.copyMemory(from: $0, byteCount: source.count) } }
    try self.init(MemoryBytes(takingOver: memory, count: bytes.count), .standardInput, key, snapshot)
  }

  private init(
    _ input: any InputBytes, _ source: RealmSource, _ key: EncryptionKey?, _ snapshot: SnapshotChoice
  ) throws {
    (self.input, self.source, physicalSize) = (input, source, input.size)
    identity = (input as? InputFile)?.identity
    head = try Self.readHead(of: input)
    guard input.size > 0 else { throw StorageError.notARealm(.empty) }
    guard input.size >= UInt64(RawHeader.size) else { throw StorageError.notARealm(.tooSmall(size: input.size)) }
    let isPlain = FileEncryption.hasMnemonic(head)
    if let key {
      guard input.size >= EncryptionLayout.minimumFileSize else {
        throw isPlain ? StorageError.key(.notEncrypted) : .notARealm(.encryptedTooSmall(size: input.size))
      }
      pages = EncryptedPages(input, key: key)
    } else {
      pages = PlainPages(input)
    }
    isEncrypted = key != nil
    let survey = try PageSurvey(pages)
    if isEncrypted, survey.readableCount == 0 {
      throw FileEncryption.refusal(afterFailedPage: .authenticationFailed, size: input.size, head: head)
    }
    if !isEncrypted, !isPlain, !survey.hasNodes {
      let couldBeEncrypted =
        input.size >= EncryptionLayout.minimumFileSize && input.size % EncryptionLayout.pageSize == 0
      throw couldBeEncrypted && survey.readableCount > 0
        ? StorageError.key(.missing) : StorageError.notARealm(.wrongMnemonic(wasDecrypted: false))
    }
    (failedPages, failedPageCount) = (survey.problems, survey.problemCount)
    (heads, late) = (FoundHeads(), LatePageFailure())
    (failed, zeroed, lost) = (survey.failed, survey.zeroed, survey.failed)
    let filled = FilledPages(base: pages, lost: survey.failed, fill: 0, heads: heads, lateFailure: late)
    chosenHeader = try Self.header(leadingTo: snapshot, in: Self.makeStore(filled))
    heads.add(chosenHeader)
    store = try Self.makeStore(filled)
    other = nil
  }

  /// Pages that could not be read, and, in an encrypted file, those that were never written.
  var pagesWithoutData: LostPages {
    var pages = failed
    if isEncrypted { pages.formUnion(zeroed) }
    return pages
  }

  /// Whether another snapshot than that of the header was asked for.
  var isSnapshotChosen: Bool { !chosenHeader.isEmpty }

  /// The words of a header whose first slot points to a snapshot and whose second slot points to the live one; empty
  /// for the live one.
  private static func header(leadingTo snapshot: SnapshotChoice, in store: ByteStore) throws -> [UInt64: UInt64] {
    guard snapshot != .live else { return [:] }
    let raw = try RawHeader(of: store)
    let ref: UInt64
    switch snapshot {
    case .live, .previous: ref = raw.otherTopRef
    case .at(let topRef): ref = topRef
    }
    guard raw.mnemonic == RawHeader.mnemonicNumber else { throw StorageError.notARealm(.snapshotsLost) }
    let missing = StorageError.notARealm(.noSuchSnapshot(topRef: snapshot == .previous ? nil : ref))
    guard ref % 8 == 0, ref >= RawHeader.size, ref < UInt64(store.count),
      let top = try? RawTop(Ref(ref), in: store), top.hasPlainFlags, RawTop.slotCounts.contains(top.count)
    else { throw missing }
    let live = raw.isStreaming ? try RawFooter(of: store)?.topRef ?? 0 : raw.topRef
    let format = ref == raw.otherTopRef && !raw.isStreaming ? raw.otherFormat : raw.format
    let word =
      UInt64(raw.mnemonic) | UInt64(format) << 32 | UInt64(raw.format) << 40 | UInt64(raw.reserved) << 48
      | UInt64(raw.flags & ~1) << 56
    return [0: ref, 8: live, 16: word]
  }

  /// The same bytes as those of a file that is known to be damaged.
  ///
  /// - Parameter requiresSignatures: whether nodes without a signature count as overwritten.
  private init(damaged bytes: RescueBytes, requiresSignatures: Bool) throws {
    (input, source, physicalSize, identity) = (bytes.input, bytes.source, bytes.physicalSize, bytes.identity)
    (head, pages, isEncrypted) = (bytes.head, bytes.pages, bytes.isEncrypted)
    (failedPages, failedPageCount) = (bytes.failedPages, bytes.failedPageCount)
    (failed, zeroed) = (bytes.failed, bytes.zeroed)
    (heads, late, chosenHeader) = (FoundHeads(), bytes.late, bytes.chosenHeader)
    heads.add(chosenHeader)
    var lost = bytes.failed
    lost.formUnion(bytes.zeroed)
    self.lost = lost
    store = try Self.makeStore(
      FilledPages(base: pages, lost: lost, fill: 0, heads: heads, lateFailure: late), requiresSignatures)
    other =
      lost.count == 0
      ? nil
      : try Self.makeStore(
        FilledPages(base: pages, lost: lost, fill: 0xff, heads: heads, lateFailure: late), requiresSignatures)
  }

  /// The same bytes, with pages of zeros counted as lost, and nodes without a signature as overwritten.
  ///
  /// In a sound file such pages are what they are; where damage was found, they are part of it.
  func treatedAsDamaged(requiringSignatures: Bool) throws -> RescueBytes {
    try RescueBytes(damaged: self, requiresSignatures: requiringSignatures)
  }

  private static func makeStore(_ pages: FilledPages, _ requiresSignatures: Bool = false) throws -> ByteStore {
    let cache = try PageCache(pages)
    return ByteStore(base: cache.base, count: cache.count, pages: cache, requiresSignatures: requiresSignatures) {}
  }

  private static func readHead(of input: any InputBytes) throws -> [UInt8] {
    do {
      return try [UInt8](unsafeUninitializedCapacity: RawHeader.size) { buffer, count in
        count = try input.read(into: UnsafeMutableRawBufferPointer(buffer), at: 0)
      }
    } catch let error as SystemCallError {
      // A disk that cannot read the first bytes may be able to read the others.
      if error.number == EIO { return [] }
      throw StorageError.file(error.problem)
    }
  }

  // MARK: Facts

  /// The first page that could be read when the file was opened and could not be read again later: values saved since
  /// then cannot be trusted. Nil if there is none.
  package var latePageFailure: (page: Int, problem: PageProblem)? { late.first }

  /// Bytes of plaintext.
  package var byteCount: Int { store.count }

  /// Whether an app has committed since the file was opened.
  package var hasChanged: Bool {
    guard let file = input as? InputFile else { return false }
    if file.hasOtherSize { return true }
    // What a disk gives once only says nothing about the file.
    guard !head.isEmpty, let now = try? Self.readHead(of: input), !now.isEmpty else { return false }
    return now != head
  }

  /// Whether none of a node's bytes is lost.
  func isWhole(_ node: Node) -> Bool { !lost.overlaps(node.ref.rawValue, length: node.byteSize) }

  /// Whether a node should begin at a place of the file, and what is there is not the beginning of one. Data that is not in
  /// the file at all was not overwritten.
  func isOverwritten(at ref: Ref) -> Bool {
    guard ref.rawValue & 7 == 0, let head = try? store.bytes(at: ref.rawValue, length: Node.headerSize) else {
      return false
    }
    return UInt32(littleEndian: head.loadUnaligned(as: UInt32.self)) != NodeHeader.signature
  }

  /// Whether a node begins at a place, whatever the rest of its header says.
  func isNode(at ref: Ref) -> Bool {
    ref.rawValue & 7 == 0 && ref.rawValue <= UInt64(byteCount - Node.headerSize) && !isOverwritten(at: ref)
  }

  /// A node of which no byte is lost; nil if there is none.
  func wholeNode(_ ref: Ref) -> Node? {
    guard let node = try? Node(ref, in: store), isWhole(node) else { return nil }
    return node
  }

  /// Puts heads of nodes, and other words of eight bytes of lost pages, in their place. Every node and view taken before is invalid afterwards.
  func add(_ words: [UInt64: UInt64]) {
    heads.add(words)
    store.releasePages()
    other?.releasePages()
  }

  /// Takes back the head that was last put in a place. Every node and view taken before is invalid afterwards.
  func removeHead(at ref: Ref) {
    heads.remove(at: ref.rawValue)
    store.releasePages()
    other?.releasePages()
  }

  /// Whether the header of a node was recovered.
  func hasHead(at ref: Ref) -> Bool { heads.contains(ref) }

  /// Releases pages if they take too much memory. Every node and view taken before is invalid afterwards.
  ///
  /// - Returns: whether it did.
  @discardableResult
  func letGoOfPages() -> Bool {
    guard store.holdsTooManyPages || other?.holdsTooManyPages == true else { return false }
    store.releasePages()
    other?.releasePages()
    return true
  }
}

/// How much work may be spent on finding out what a damaged file does not say: comparisons grow faster than the file,
/// and a file made for that purpose could keep a program busy forever.
final class RescueWork {
  private var left: Int

  private static let most = 1 << 25

  init(_ bytes: RescueBytes) { left = min(1 << 20 + bytes.byteCount.multiplied(atMost: 8), Self.most) }

  /// - Returns: whether so much may still be spent.
  func spend(_ count: Int) -> Bool {
    left -= min(count, left)
    return left > 0
  }
}
