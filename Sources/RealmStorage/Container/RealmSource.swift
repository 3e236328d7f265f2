import Libc
import RealmSystem

/// Where a realm comes from.
package enum RealmSource: Hashable, Sendable {
  /// A file by its path.
  case path(String)
  /// Standard input, read to its end into memory.
  case standardInput

  /// Whether it is a pipe that the shell has opened, `<(…)`, whose content is kept in memory as that of standard input is.
  package var isPipe: Bool {
    if case .path(let path) = self { StandardInput.pipe(at: path) != nil } else { false }
  }

  /// Whether it is an ordinary file, which is read without waiting for another process.
  package var isRegularFile: Bool {
    if case .path(let path) = self { (try? FileBackend.calls.status(ofPath: path))?.kind == .regular } else { false }
  }

  /// The path, `-` for standard input.
  package var path: String {
    switch self {
    case .path(let path): path
    case .standardInput: "-"
    }
  }
}

/// A realm's bytes, plain or decrypted, unverified.
package struct OpenedBytes: Sendable {
  /// The plaintext.
  package let store: ByteStore
  package let source: RealmSource
  /// Bytes of the file on disk.
  package let physicalSize: UInt64
  package let isEncrypted: Bool
  /// Nil for standard input.
  package let identity: FileIdentity?
  /// The time of the last change as of the opening; nil if unknown.
  let modified: FileTime?
  private let input: any InputBytes
  private let pages: EncryptedPages?

  /// Path as given; `-` for standard input.
  package var path: String { source.path }

  init(store: ByteStore, source: RealmSource, input: any InputBytes, pages: EncryptedPages? = nil) {
    self.store = store
    self.source = source
    physicalSize = input.size
    isEncrypted = pages != nil
    identity = (input as? InputFile)?.identity
    modified = (input as? InputFile)?.modified
    self.input = input
    self.pages = pages
  }

  /// Whether the size of the file has changed since it was opened: a commit has made it longer, and the root may be
  /// beyond the known bytes.
  package var hasOtherSize: Bool { (input as? InputFile)?.hasOtherSize ?? false }

  /// Whether something was written to the file since it was opened, as far as its time tells.
  var wasWritten: Bool { (input as? InputFile)?.wasWritten ?? false }

  /// Whether the file now has fewer bytes than its plaintext, because it was truncated.
  package func isShorter(than logicalSize: UInt64) -> Bool {
    (input as? InputFile)?.currentSize.map { $0 < logicalSize } ?? false
  }

  /// The same file once more without any page in memory, through the same descriptor, whatever its name now leads to.
  /// Bytes that are not read in pages are shared.
  ///
  /// - Throws: `StorageError.file` if the address space is limited too narrowly.
  package func withoutPages() throws -> OpenedBytes {
    guard store.pages != nil else { return self }
    let cache = if let pages { try PageCache(pages) } else { try PageCache(PlainPages(input)) }
    return OpenedBytes(store: ByteStore(paged: cache), source: source, input: input, pages: pages)
  }

  /// Bytes of the file as they are now, decrypted; nil if they are beyond its end, or in a page that is damaged.
  ///
  /// - Throws: `readFailed` if the system cannot read them.
  func currentBytes(at offset: Int, count: Int) throws -> [UInt8]? {
    guard let source = pages else {
      do {
        let read = try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
          filled = try input.read(into: UnsafeMutableRawBufferPointer(buffer), at: UInt64(offset))
        }
        return read.count == count ? read : nil
      } catch let error as SystemCallError {
        throw StorageError.corrupted(Ref(UInt64(offset)), .readFailed(errorNumber: error.number))
      }
    }
    let page = UnsafeMutableRawPointer.allocate(byteCount: PageCache.pageSize, alignment: 16)
    defer { page.deallocate() }
    var read: [UInt8] = []
    do throws(PageFailure) {
      let worker = try source.makeWorker()
      while read.count < count {
        let (number, start) = ((offset + read.count) >> PageCache.pageShift, (offset + read.count) % PageCache.pageSize)
        let end = min(start + count - read.count, PageCache.pageSize, source.count - number << PageCache.pageShift)
        guard start < end else { return nil }
        try worker.read(number, into: page)
        read += UnsafeRawBufferPointer(start: page + start, count: end - start)
      }
    } catch {
      guard case .readFailed = error.problem else { return nil }
      throw StorageError.corrupted(Ref(UInt64(offset)), error.reason)
    }
    return read
  }

  /// The 24 bytes of the header as they are now, decrypted.
  ///
  /// - Throws: `StorageError.file`; `unreadablePage` or `readFailed` for page 0 of an encrypted file.
  func currentHeader() throws -> [UInt8] {
    guard let pages else { return try FileEncryption.readHead(of: input) }
    do throws(PageFailure) {
      let page = UnsafeMutableRawPointer.allocate(byteCount: PageCache.pageSize, alignment: 16)
      defer { page.deallocate() }
      try pages.makeWorker().read(0, into: page)
      return Array(UnsafeRawBufferPointer(start: page, count: RawHeader.size))
    } catch {
      throw StorageError.corrupted(Ref(0), error.reason)
    }
  }
}

extension ByteStore {
  /// Opens a realm's bytes for reading. Nothing is created, locked or changed.
  ///
  /// A plain file is mapped; it is read in pages if it is on a network file system, if mapping fails, and if
  /// `prefersPages` is set. An encrypted file is read in pages, each authenticated before it is decrypted.
  ///
  /// - Parameter prefersPages: for files whose mapping could fault, such as damaged disks.
  /// - Throws: `StorageError.file`, `.notARealm(.empty, .tooSmall, .wrongMnemonic)`, `.key`.
  package static func open(_ source: RealmSource, key: EncryptionKey?, prefersPages: Bool = false) throws -> OpenedBytes
  {
    if source == .standardInput {
      return try openMemory(try StandardInput.shared { refusal(ofStream: $0, key) }, source, key)
    }
    if case .path(let path) = source, let pipe = StandardInput.pipe(at: path) {
      return try openMemory(try StandardInput.shared(pipe) { refusal(ofStream: $0, key) }, source, key)
    }
    return try open(source, key: key, prefersPages: prefersPages, calls: FileBackend.calls)
  }

  /// Opens a file for an app: in pages, because a mapping raises a signal if another process cuts the file off, or the
  /// device is locked and its files with it.
  ///
  /// - Parameter path: of a regular file; no other name means a stream.
  /// - Throws: as `open`.
  package static func openFile(_ path: String, key: EncryptionKey?) throws -> OpenedBytes {
    try openFile(path, key, true, FileBackend.calls)
  }

  static func open(_ source: RealmSource, key: EncryptionKey?, prefersPages: Bool = false, calls: any FileCalls) throws
    -> OpenedBytes
  {
    switch source {
    case .path(let path): try openFile(path, key, prefersPages, calls)
    case .standardInput:
      try openMemory(try StandardInput.readAll(calls: calls) { refusal(ofStream: $0, key) }, source, key)
    }
  }

  /// The size of a file is determined before its header is read. If a commit in between makes the file longer, the
  /// header may point beyond the earlier end; then both are read again.
  private static func openFile(_ path: String, _ key: EncryptionKey?, _ prefersPages: Bool, _ calls: any FileCalls)
    throws -> OpenedBytes
  {
    let sideFile = SideFileName(path: path)
    for _ in 1..<mostOpenings {
      let input = try openInput(path, sideFile, calls)
      let outcome = Result { try openFile(input, sideFile, key, prefersPages) }
      if !input.hasOtherSize { return try outcome.get() }
    }
    return try openFile(openInput(path, sideFile, calls), sideFile, key, prefersPages)
  }

  private static let mostOpenings = 5

  /// A realm that is open for writing, as it is now.
  ///
  /// - Parameter earlier: a previous opening of the same file: a mapping shows what is written as long as the file
  ///   keeps its size.
  /// - Throws: as `open`.
  static func open(_ file: WritableFile, key: EncryptionKey?, after earlier: ByteStore? = nil) throws -> OpenedBytes {
    try openFile(InputFile(of: file), nil, key, false, earlier?.mapping)
  }

  private static func openFile(
    _ input: InputFile, _ sideFile: SideFileName?, _ key: EncryptionKey?, _ prefersPages: Bool,
    _ earlier: MappedFile? = nil
  ) throws -> OpenedBytes {
    let (path, calls) = (input.path, input.calls)
    let head = try FileEncryption.readHead(of: input)
    if let sideFile, sideFile.isNeverARealm || (!sideFile.isRealm && !FileEncryption.hasMnemonic(head)) {
      throw sideFile.answer
    }
    let source = RealmSource.path(path)
    switch try FileEncryption.recognize(size: input.size, head: head, hasKey: key != nil) {
    case .plain:
      if let earlier, UInt64(earlier.count) == input.size {
        return OpenedBytes(store: ByteStore(earlier), source: source, input: input)
      }
      let isMapped = !prefersPages && !calls.isRemote(input.descriptor)
      let store = try (isMapped ? mapped(input) : nil) ?? ByteStore(paged: PageCache(PlainPages(input)))
      return OpenedBytes(store: store, source: source, input: input)
    case .encrypted:
      let retry = EncryptedPages.RetryPolicy(
        mayBeWritten: { LockHolders.mayBeWritten(realm: path, on: input) }, pause: calls.pause)
      return try decrypted(input, head, source, key, retry)
    }
  }

  /// Bytes in memory.
  static func openMemory(_ input: MemoryBytes, _ source: RealmSource, _ key: EncryptionKey?) throws -> OpenedBytes {
    let head = try FileEncryption.readHead(of: input)
    switch try FileEncryption.recognize(size: input.size, head: head, hasKey: key != nil) {
    case .plain:
      guard let base = input.bytes.baseAddress else { throw StorageError.notARealm(.empty) }
      let store = ByteStore(base: base, count: input.bytes.count) { withExtendedLifetime(input) {} }
      return OpenedBytes(store: store, source: source, input: input)
    case .encrypted:
      return try decrypted(input, head, source, key, .never)
    }
  }

  /// Why a stream with this beginning cannot be a realm under this key; nil if it can.
  private static func refusal(ofStream head: [UInt8], _ key: EncryptionKey?) -> ((UInt64) -> StorageError)? {
    if key == nil, FileEncryption.hasMnemonic(head) { return nil }
    if let key, let memory = malloc(head.count) {
      head.withUnsafeBytes { bytes in bytes.baseAddress.map { memory.copyMemory(from: $0, byteCount: bytes.count) } }
      let bytes = MemoryBytes(takingOver: memory, count: head.count)
      if (try? openMemory(bytes, .standardInput, key)) != nil { return nil }
    }
    return { size in
      do {
        _ = try FileEncryption.recognize(size: size, head: head, hasKey: key != nil)
        return FileEncryption.refusal(afterFailedPage: .authenticationFailed, size: size, head: head)
      } catch {
        return error as? StorageError ?? .notARealm(.wrongMnemonic(wasDecrypted: false))
      }
    }
  }

  private static func openInput(_ path: String, _ sideFile: SideFileName?, _ calls: any FileCalls) throws -> InputFile {
    do {
      return try InputFile(path: path, calls: calls)
    } catch StorageError.file(.isDirectory) {
      throw sideFile?.answer ?? .file(.isDirectory)
    } catch StorageError.file(.notARegularFile(let kind)) {
      throw sideFile?.answer ?? .file(.notARegularFile(kind: kind))
    }
  }

  // MARK: Backends

  /// Nil if the system cannot map the file; it can still be read.
  private static func mapped(_ input: InputFile) -> ByteStore? {
    guard let count = Int(exactly: input.size), count > 0,
      let address = try? input.calls.map(input.descriptor, length: count)
    else { return nil }
    return ByteStore(MappedFile(address: address, count: count, path: input.path))
  }

  fileprivate convenience init(paged cache: PageCache) {
    self.init(base: cache.base, count: cache.count, pages: cache) {}
  }

  private static func decrypted(
    _ input: any InputBytes, _ head: [UInt8], _ source: RealmSource, _ key: EncryptionKey?,
    _ retry: EncryptedPages.RetryPolicy
  ) throws -> OpenedBytes {
    guard let key else { throw StorageError.key(.missing) }
    let pages = EncryptedPages(input, key: key, retry: retry)
    let cache = try PageCache(pages)
    do throws(PageFailure) {
      try cache.fill(0..<1)
    } catch {
      throw FileEncryption.refusal(afterFailedPage: error.problem, size: input.size, head: head)
    }
    let header = Array(UnsafeRawBufferPointer(start: cache.base, count: RawHeader.size))
    guard FileEncryption.hasMnemonic(header) else { throw StorageError.notARealm(.wrongMnemonic(wasDecrypted: true)) }
    return OpenedBytes(store: ByteStore(paged: cache), source: source, input: input, pages: pages)
  }
}

extension FileEncryption {
  /// The first 24 bytes, or all of a shorter input.
  fileprivate static func readHead(of input: any InputBytes) throws -> [UInt8] {
    do {
      return try [UInt8](unsafeUninitializedCapacity: RawHeader.size) { buffer, count in
        count = try input.readRequired(into: UnsafeMutableRawBufferPointer(buffer), at: 0)
      }
    } catch let error as SystemCallError {
      throw StorageError.file(error.problem)
    }
  }
}

extension SideFileName {
  fileprivate var answer: StorageError { .file(.sideFile(kind: kind, realm: realm)) }
}

extension RealmSource {
  /// The realm that a file is a backup of, by its name: one that an engine made before an upgrade
  /// (`app.v23.backup.realm`), or one of `RealmBackup`'s. Such a backup is a realm itself.
  package var realmOfBackup: String? {
    guard case .path(let path) = self, let name = SideFileName(path: path), name.isRealm else { return nil }
    return name.realm
  }
}
