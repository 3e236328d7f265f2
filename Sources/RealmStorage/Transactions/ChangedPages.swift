/// The plaintext bytes of a realm that is written in place.
///
/// Changed pages are kept in memory and written together, neighbors in one call, so that many small nodes do not need
/// as many calls. The rest of a page is written back unchanged. Nothing is certain to be on the disk before
/// `synchronize`.
final class ChangedPages {
  private let transfer: any PageTransfer
  /// Pieces of memory, each for as many pages: most transactions change only a few, and the next one reuses the same
  /// piece.
  private var pieces: [UnsafeMutableRawPointer] = []
  private static let pagesPerPiece = 16
  private var changed: [ChangedPage] = []
  /// Where in `changed` a page is.
  private var positions = SmallMap<UInt64, Int>()
  /// The page that was written last: the next node probably goes there as well.
  private var last: (number: UInt64, position: Int)?
  /// A write or a sync failed: it is not known what reached the disk, and another attempt could overwrite what an
  /// interrupted write left to recover from.
  private(set) var hasFailed = false

  /// Called before anything of the file changes, once.
  var beforeFirstChange: ((ChangedPages) throws -> Void)?

  static let pageSize = UInt64(PageCache.pageSize)
  /// Maximum number of changed pages in memory: 32 MiB.
  static let mostPages = 8192
  private let limit: Int

  /// - Parameter limit: maximum number of changed pages in memory, at least one.
  init(_ transfer: any PageTransfer, limit: Int = ChangedPages.mostPages) {
    self.transfer = transfer
    self.limit = limit
  }

  deinit { for piece in pieces { piece.deallocate() } }

  // MARK: Writing

  /// Writes bytes at a plaintext offset.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws {
    if beforeFirstChange != nil { try prepare() }
    var rest = bytes
    var offset = offset
    while !rest.isEmpty {
      let start = Int(offset & (Self.pageSize - 1))
      let part = UnsafeRawBufferPointer(rebasing: rest.prefix(PageCache.pageSize - start))
      let position = try position(ofPage: offset >> UInt64(PageCache.pageShift))
      let target = UnsafeMutableRawBufferPointer(start: changed[position].bytes + start, count: part.count)
      target.copyMemory(from: part)
      changed[position].start = min(changed[position].start, start)
      changed[position].end = max(changed[position].end, start + part.count)
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(part.count))
      offset &+= UInt64(part.count)
    }
  }

  private func prepare() throws {
    let body = beforeFirstChange
    beforeFirstChange = nil
    try body?(self)
  }

  private func position(ofPage number: UInt64) throws -> Int {
    if let last, last.number == number { return last.position }
    let position = try positions[number] ?? load(number)
    last = (number, position)
    return position
  }

  private func load(_ number: UInt64) throws -> Int {
    if changed.count >= limit { try flush() }
    let position = changed.count
    let bytes = memory(at: position)
    try transfer.load(number, into: UnsafeMutableRawBufferPointer(start: bytes, count: PageCache.pageSize))
    changed.append(ChangedPage(number: number, bytes: bytes))
    positions[number] = position
    return position
  }

  private func memory(at position: Int) -> UnsafeMutableRawPointer {
    let (piece, page) = position.quotientAndRemainder(dividingBy: Self.pagesPerPiece)
    if piece == pieces.count {
      pieces.append(.allocate(byteCount: Self.pagesPerPiece << PageCache.pageShift, alignment: 16))
    }
    return pieces[piece] + page << PageCache.pageShift
  }

  /// Passes all changed pages to the system.
  func flush() throws {
    changed.sort { $0.number < $1.number }
    try attempt { try transfer.store(changed) }
    changed.removeAll(keepingCapacity: true)
    positions.removeAll()
    last = nil
  }

  /// Syncs everything that was written to the disk.
  func synchronize() throws {
    try flush()
    try attempt { try transfer.synchronize() }
  }

  private func attempt(_ body: () throws -> Void) throws {
    do { try body() } catch {
      hasFailed = true
      throw error
    }
  }

  // MARK: Size

  /// Makes room for this many plaintext bytes.
  func reserve(_ byteCount: UInt64) throws {
    if beforeFirstChange != nil { try prepare() }
    try attempt { try transfer.file.reserve(transfer.fileSize(of: byteCount)) }
  }

  /// Whether there are pages after this many plaintext bytes.
  func isLonger(than byteCount: UInt64) -> Bool { transfer.fileSize(of: byteCount) < transfer.file.size }

  /// Plaintext bytes in whole pages.
  func paddedSize(of byteCount: UInt64) -> UInt64 {
    (byteCount + Self.pageSize - 1) / Self.pageSize * Self.pageSize
  }

  /// Cuts off everything after this many plaintext bytes.
  func shorten(to byteCount: UInt64) throws {
    try attempt { try transfer.file.shorten(to: transfer.fileSize(of: byteCount)) }
  }

  /// Cuts off what `reserve` has added, if that is possible, so that a failed transaction leaves the length of the file
  /// as it was.
  func giveBack() { transfer.file.giveBack() }
}

/// A page that differs from the file.
struct ChangedPage {
  let number: UInt64
  /// All of its plaintext; a transfer may use the memory as it likes.
  let bytes: UnsafeMutableRawPointer
  /// The part that differs.
  var start = PageCache.pageSize
  var end = 0
}

/// Reads and writes pages of a file: as they are, or encrypted.
protocol PageTransfer: AnyObject {
  var file: WritableFile { get }

  /// Size of a file with this many plaintext bytes, in whole pages.
  func fileSize(of byteCount: UInt64) -> UInt64

  /// Reads a page that is about to be changed; zeros if there is none yet.
  func load(_ page: UInt64, into target: UnsafeMutableRawBufferPointer) throws

  /// Writes pages, which come in order.
  func store(_ pages: [ChangedPage]) throws

  func synchronize() throws
}

extension PageTransfer {
  /// Calls `body` with each run of consecutive pages.
  ///
  /// - Parameter isBreak: whether a page cannot follow the one before.
  static func forEachRun(
    of pages: [ChangedPage], limit: Int, isBreak: (UInt64) -> Bool = { _ in false },
    _ body: (ArraySlice<ChangedPage>) throws -> Void
  ) rethrows {
    var first = 0
    for index in pages.indices.dropFirst() {
      let isNext = pages[index].number == pages[index - 1].number + 1
      if isNext, index - first < limit, !isBreak(pages[index].number) { continue }
      try body(pages[first..<index])
      first = index
    }
    if !pages.isEmpty { try body(pages[first...]) }
  }
}

/// The pages of a plain realm.
final class PlainPageTransfer: PageTransfer {
  let file: WritableFile
  /// Pages that are written in one call: 1 MiB.
  private static let longestRun = 256

  init(_ file: WritableFile) { self.file = file }

  func fileSize(of byteCount: UInt64) -> UInt64 {
    (byteCount + ChangedPages.pageSize - 1) / ChangedPages.pageSize * ChangedPages.pageSize
  }

  func load(_ page: UInt64, into target: UnsafeMutableRawBufferPointer) throws {
    let count = try file.read(into: target, at: page * ChangedPages.pageSize)
    UnsafeMutableRawBufferPointer(rebasing: target[count...]).initializeMemory(as: UInt8.self, repeating: 0)
  }

  func store(_ pages: [ChangedPage]) throws {
    try Self.forEachRun(of: pages, limit: Self.longestRun) { run in
      guard let first = run.first, let last = run.last else { return }
      let end = (run.count - 1) << PageCache.pageShift + last.end
      func write(_ start: UnsafeMutableRawPointer?) throws {
        let bytes = UnsafeRawBufferPointer(start: start.map { $0 + first.start }, count: end - first.start)
        try file.write(bytes, at: first.number * ChangedPages.pageSize + UInt64(first.start))
      }
      guard run.count > 1 else { return try write(first.bytes) }
      try withUnsafeTemporaryAllocation(byteCount: run.count << PageCache.pageShift, alignment: 16) { buffer in
        for (index, page) in run.enumerated() {
          UnsafeMutableRawBufferPointer(rebasing: buffer[(index << PageCache.pageShift)...])
            .copyMemory(from: UnsafeRawBufferPointer(start: page.bytes, count: PageCache.pageSize))
        }
        try write(buffer.baseAddress)
      }
    }
  }

  func synchronize() throws { try file.synchronize() }
}
