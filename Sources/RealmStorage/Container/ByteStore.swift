import CSystem
import RealmSystem

/// The plaintext bytes of one realm file at fixed addresses.
///
/// One class serves all backends, so that reading a node is a bounds check and a load: a mapping and bytes in memory
/// are complete from the start; a paged store reserves address space and fills it page by page as pages are touched, by
/// reading and, for encrypted files, decrypting and authenticating them.
///
/// Pointers stay valid as long as the store lives (a paged store: until `releasePages()`). Any number of threads may
/// read at the same time.
package final class ByteStore: @unchecked Sendable {
  /// Start of the bytes. Reading beyond `count` is never legal; reading a paged store needs `require` first.
  let base: UnsafeRawPointer
  /// Number of plaintext bytes.
  package let count: Int
  /// Fills pages on demand; nil if all bytes are there.
  package let pages: PageCache?
  /// What the bytes are mapped by; nil for the other backends.
  let mapping: MappedFile?
  /// The pages, unretained, for access to nodes: reference counting there costs more than checking the page, and much
  /// more with several threads.
  private let pagesInUse: Unmanaged<PageCache>?
  /// Whether nodes must begin as those of formats 10 to 24 do, for reading damaged files: engines never look at those
  /// bytes (Docs/Format/2-nodes-and-values.md §1.1), but overwritten nodes hardly ever have them.
  let requiresSignatures: Bool
  /// Whether bytes can be read without preparation, and nodes may begin with any bytes.
  let isThereAsAWhole: Bool
  private let release: @Sendable () -> Void
  /// Other objects that values borrowed from this store point to.
  private let companions = Locked<[any AnyObject & Sendable]>([])

  /// - Parameter release: called once, when the last user of the bytes is gone.
  package init(
    base: UnsafeRawPointer, count: Int, pages: PageCache? = nil, mapping: MappedFile? = nil,
    requiresSignatures: Bool = false, release: @escaping @Sendable () -> Void
  ) {
    self.base = base
    self.count = count
    self.mapping = mapping
    self.pages = pages
    self.requiresSignatures = requiresSignatures
    isThereAsAWhole = pages == nil && !requiresSignatures
    pagesInUse = pages.map { .passUnretained($0) }
    self.release = release
  }

  deinit { release() }

  /// Keeps an object alive as long as the bytes are.
  func keepAlive(_ companion: any AnyObject & Sendable) { companions.withLock { $0.append(companion) } }

  /// What was kept alive of a kind; nil if nothing was.
  func companion<Kind>(_ kind: Kind.Type) -> Kind? {
    companions.withLock { companions in
      for companion in companions { if let found = companion as? Kind { return found } }
      return nil
    }
  }

  /// The address of `length` bytes at `offset`, present in memory.
  ///
  /// - Throws: `beyondEndOfFile`, `unreadablePage`, `readFailed`.
  @inline(__always)
  package func bytes(at offset: UInt64, length: Int) throws -> UnsafeRawPointer {
    guard length >= 0, offset <= UInt64(count), UInt64(length) <= UInt64(count) - offset else {
      throw StorageError.corrupted(Ref(offset), .beyondEndOfFile)
    }
    if let pagesInUse {
      try pagesInUse._withUnsafeGuaranteedRef { try $0.require(from: Int(offset), length: length) }
    }
    return base + Int(offset)
  }

  /// Prefetches the node that an element of another one refers to, so that a walk that reads it some time later need
  /// not wait for memory.
  @inline(__always)
  func prefetch(_ element: Int64) {
    guard element & 7 == 0, UInt64(bitPattern: element) < UInt64(truncatingIfNeeded: count) else { return }
    csystem_prefetch(base + Int(truncatingIfNeeded: element))
  }

  /// How many elements ahead of a walk this is worthwhile.
  static let prefetchDistance = 8
}

extension ByteStore {
  /// The first bytes of a mapping as a store of their own, for a file that is about to be truncated there. Other stores
  /// read the file, which gives an error beyond its end, and stay as they are.
  func beginning(ofLength length: UInt64) -> ByteStore {
    guard let mapping, length < UInt64(count), !requiresSignatures else { return self }
    return ByteStore(base: base, count: Int(length), mapping: mapping) {}
  }

  /// The bytes of a mapping, which any number of stores can share.
  convenience init(_ mapping: MappedFile) {
    self.init(base: mapping.address, count: mapping.count, mapping: mapping) {}
  }

  /// Bytes that are in memory already; they are copied.
  package convenience init(copying bytes: some Collection<UInt8>) {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: max(bytes.count, 8), alignment: 16)
    UnsafeMutableRawBufferPointer(start: memory, count: bytes.count).copyBytes(from: bytes)
    nonisolated(unsafe) let owned = memory
    self.init(base: memory, count: bytes.count) { owned.deallocate() }
  }

  /// Memory that pages read on demand may take before callers release them, if they can: 64 MiB.
  ///
  /// Nothing is evicted automatically, because nodes in use are pointers into the pages. Work that touches a whole file
  /// compares `residentBytes` with this between two units of work and calls `releasePages()`.
  package static let residentByteBudget = 64 << 20

  /// Bytes of pages read on demand that are in memory; 0 for a mapping and for bytes in memory, which need no
  /// releasing.
  package var residentBytes: Int { residentPages << PageCache.pageShift }

  /// Whether the pages read so far take more memory than they should; always false for stores without pages.
  package var holdsTooManyPages: Bool { residentBytes > Self.residentByteBudget }

  /// Pages of 4096 bytes read on demand that are in memory.
  package var residentPages: Int { pages?.residentPages ?? 0 }

  /// Releases the pages read on demand. Has no effect on a mapping and on bytes in memory.
  ///
  /// Danger: every node and pointer taken from this store before is invalid afterwards, and no other thread may be
  /// reading. Touching one ends the process.
  package func releasePages() { pages?.releasePages() }

  /// What is wrong with a page of 4096 plaintext bytes, read and checked again; nil if nothing is, and for stores whose
  /// bytes are not read in pages.
  package func problem(ofPage index: Int) -> PageProblem? { pages?.problem(ofPage: index) }

  /// A copy of bytes.
  ///
  /// - Throws: `beyondEndOfFile`, `unreadablePage`, `readFailed`.
  package func copy(at offset: UInt64, length: Int) throws -> [UInt8] {
    Array(UnsafeRawBufferPointer(start: try bytes(at: offset, length: length), count: length))
  }
}
