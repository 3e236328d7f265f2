import Libc

/// The bytes of a realm that may be damaged, opened without believing anything of its head: a lost header, missing pages
/// and a missing end do not keep the rest from being read.
///
/// Bytes that are lost are there twice: as zeros, and as ones. What reads the same in both does not depend on them.
package final class RescueBytes: Sendable {
  /// Lost bytes are zeros.
  let store: ByteStore
  /// Lost bytes are ones; nil where nothing is lost.
  let other: ByteStore?
  /// Pages that are not to be believed.
  let lost: LostPages
  /// Bytes of the file as it lies on disk.
  package let physicalSize: UInt64
  package let isEncrypted: Bool
  package let source: RealmSource
  /// Nil for standard input.
  package let identity: FileIdentity?
  /// The pages of an encrypted file that fail, or those that a disk does not give; the first of them.
  package let failedPages: [(page: Int, problem: PageProblem)]
  package let failedPageCount: Int
  /// Pages of zeros.
  let zeroed: LostPages
  private let failed: LostPages
  private let heads: FoundHeads
  private let late: LatePageFailure
  private let pages: any PageSource
  private let input: any InputBytes
  private let head: [UInt8]

  /// Opens a file for reading. Nothing is created, locked or changed.
  ///
  /// - Throws: `StorageError.file`; `.notARealm` and `.key` where nothing of a realm is in the file, or not with this key.
  package static func open(_ source: RealmSource, key: EncryptionKey?) throws -> RescueBytes {
    switch source {
    case .standardInput: return try RescueBytes(StandardInput.shared(), source, key)
    case .path(let path):
      if let pipe = StandardInput.pipe(at: path) { return try RescueBytes(StandardInput.shared(pipe), source, key) }
      if let name = SideFileName(path: path), name.isNeverARealm {
        throw StorageError.file(.sideFile(kind: name.kind, realm: name.realm))
      }
      return try RescueBytes(InputFile(path: path), source, key)
    }
  }

  /// Bytes in memory; they are copied.
  ///
  /// - Throws: as `open`.
  package convenience init(copying bytes: [UInt8], key: EncryptionKey? = nil) throws {
    guard let memory = malloc(max(bytes.count, 8)) else {
      throw StorageError.file(.systemCall(name: "malloc", errorNumber: ENOMEM))
    }
    bytes.withUnsafeBytes { source in source.baseAddress.map { memory.copyMemory(from: $0, byteCount: source.count) } }
    try self.init(MemoryBytes(takingOver: memory, count: bytes.count), .standardInput, key)
  }

  private init(_ input: any InputBytes, _ source: RealmSource, _ key: EncryptionKey?) throws {
    (self.input, self.source, physicalSize) = (input, source, input.size)
    identity = (input as? InputFile)?.identity
    head = try Self.readHead(of: input)
    guard input.size > 0 else { throw StorageError.notARealm(.empty) }
    guard input.size >= UInt64(RawHeader.size) else { throw StorageError.notARealm(.tooSmall(size: input.size)) }
    let isPlain = FileEncryption.hasMnemonic(head)
    if let key {
      guard input.size >= EncryptionLayout.minimumFileSize || !isPlain else { throw StorageError.key(.notEncrypted) }
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
    store = try Self.makeStore(FilledPages(base: pages, lost: survey.failed, fill: 0, heads: heads, lateFailure: late))
    other = nil
  }

  /// The same bytes as those of a file that is known to be damaged.
  ///
  /// - Parameter requiresSignatures: nodes without one are taken for overwritten.
  private init(damaged bytes: RescueBytes, requiresSignatures: Bool) throws {
    (input, source, physicalSize, identity) = (bytes.input, bytes.source, bytes.physicalSize, bytes.identity)
    (head, pages, isEncrypted) = (bytes.head, bytes.pages, bytes.isEncrypted)
    (failedPages, failedPageCount) = (bytes.failedPages, bytes.failedPageCount)
    (failed, zeroed) = (bytes.failed, bytes.zeroed)
    (heads, late) = (FoundHeads(), bytes.late)
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

  /// The same bytes with pages of zeros taken for lost, and nodes without a signature for overwritten.
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
      // A disk that does not give the first bytes may give the others.
      if error.number == EIO { return [] }
      throw StorageError.file(error.problem)
    }
  }

  // MARK: Facts

  /// The first page that could be read when the file was opened and could not be read again later: what was saved since
  /// cannot be trusted. Nil where there is none.
  package var latePageFailure: (page: Int, problem: PageProblem)? { late.first }

  /// Bytes of plaintext.
  package var byteCount: Int { store.count }

  /// Whether an app has committed since the file was opened.
  package var hasChanged: Bool {
    guard let file = input as? InputFile else { return false }
    return file.hasOtherSize || (try? Self.readHead(of: input)) != head
  }

  /// Whether none of a node's bytes is lost.
  func isWhole(_ node: Node) -> Bool { !lost.overlaps(node.ref.rawValue, length: node.byteSize) }

  /// A node of which no byte is lost; nil where there is none.
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

  /// Whether the head of a node was found out.
  func hasHead(at ref: Ref) -> Bool { heads.contains(ref) }

  /// Gives pages back where they take too much memory. Every node and view taken before is invalid afterwards.
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
