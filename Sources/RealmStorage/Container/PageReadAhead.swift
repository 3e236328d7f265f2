import RealmSystem

/// Reads, and decrypts, the pages that a walk is likely to touch next, on threads of its own.
///
/// Nodes that follow each other in a tree mostly follow each other in the file, so pages are read ahead in the order of
/// the file: few after a jump, more the longer the walk is sequential. Used by one walking thread; only `releasePages`
/// may release pages.
final class PageReadAhead {
  private let work: ReadAheadWork
  /// They retain the work, not this object, so that it is released, and waits for them, when the walk ends.
  private var threads = WorkerThreads()
  /// The block of pages where the walk is.
  private var current = -1

  /// Two threads decrypt faster than one walks.
  private static let mostThreads = 2
  private static let blockShift = UInt64(PageCache.pageShift + 6)

  /// Nil if the store's bytes need no reading ahead, or there are no threads for it.
  init?(_ store: ByteStore, threadLimit: Int) {
    guard let pages = store.pages, threadLimit > 0 else { return nil }
    let work = ReadAheadWork(pages)
    self.work = work
    for _ in 0..<min(threadLimit, Self.mostThreads) { threads.start { work.run() } }
  }

  deinit {
    work.close()
    threads.join()
  }

  /// The block a ref lies in. A walk calls `move` when it changes.
  @inline(__always)
  static func block(of ref: Ref) -> Int { Int(truncatingIfNeeded: ref.rawValue >> blockShift) }

  /// Reports the place of the walk.
  func move(to block: Int) {
    let goesOn = block == current + 1
    current = block
    work.move(to: block, goesOn: goesOn)
  }

  /// Runs `release`, which may give pages back, while no page is being read ahead.
  func releasePages(_ release: () throws -> Void) rethrows { try work.pause(release) }
}

/// Where a walk is in a file that may be read in pages.
struct PlaceInPages {
  /// Nil if all bytes are there.
  private let readAhead: PageReadAhead?
  private let isPaged: Bool
  private var block = -1

  init(_ store: ByteStore, threadLimit: Int) {
    readAhead = PageReadAhead(store, threadLimit: threadLimit)
    isPaged = store.pages != nil
  }

  /// Whether a node lies in another block of pages than the walk is in.
  @inline(__always)
  func leaves(for ref: Ref) -> Bool { isPaged && PageReadAhead.block(of: ref) != block }

  mutating func move(to ref: Ref) {
    guard leaves(for: ref) else { return }
    block = PageReadAhead.block(of: ref)
    readAhead?.move(to: block)
  }

  func releasePages(_ release: () throws -> Void) throws {
    if let readAhead { try readAhead.releasePages(release) } else { try release() }
  }
}

/// What the threads that read ahead share.
private final class ReadAheadWork: @unchecked Sendable {
  private let pages: PageCache
  private let blockCount: Int
  private let monitor = Monitor()

  // All below is guarded by `monitor`.
  /// The blocks that are to be read: from `next` on, `end` left out.
  private var next = 0
  private var end = 0
  private var active = 0
  private var isClosed = false

  /// 256 KiB, which take some 300 microseconds to decrypt: much more than waking a thread takes.
  private static let pagesPerBlock = 64
  /// Blocks that are read ahead after a jump, and at most: 256 KiB and 2 MiB.
  private static let smallestWindow = 1
  private static let largestWindow = 8

  init(_ pages: PageCache) {
    self.pages = pages
    blockCount = (pages.pageCount + Self.pagesPerBlock - 1) / Self.pagesPerBlock
  }

  func move(to block: Int, goesOn: Bool) {
    guard block >= 0, block < blockCount else { return }
    monitor.change {
      if goesOn {
        let window = min(max(end - block, Self.smallestWindow) * 2, Self.largestWindow)
        next = max(next, block + 1)
        end = max(end, min(next + window, block + 1 + Self.largestWindow, blockCount))
      } else if block < next - 2 * Self.largestWindow || block >= next {
        next = block + 1
        end = min(next + Self.smallestWindow, blockCount)
      }
    }
  }

  func pause(_ body: () throws -> Void) rethrows {
    monitor.use { end = next }
    try monitor.wait(until: { active == 0 }) { try body() }
  }

  func close() { monitor.change { isClosed = true } }

  func run() {
    while let block = takeBlock() {
      let first = block * Self.pagesPerBlock
      // What fails now is read again, and reported, when it is needed.
      try? pages.fill(first..<min(first + Self.pagesPerBlock, pages.pageCount))
      monitor.change { active -= 1 }
    }
  }

  private func takeBlock() -> Int? {
    monitor.wait(until: { next < end || isClosed }) {
      guard !isClosed else { return nil }
      defer { next += 1 }
      active += 1
      return next
    }
  }
}
